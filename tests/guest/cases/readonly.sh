#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A read-only activation never changes a byte, of sets least of all that are being made, rebuilt or were not closed.
# shellcheck source=tests/guest/cases/common.sh
. "$(dirname "$0")/common.sh"

cases=(
	nvidia/chunk128-mirror nvidia/chunk128-stripe nvidia/chunk128-raid5s nvidia/mirror2-sync nvidia/mirror2-rebuild0
	nvidia/raid5s-4-rebuild2 nvidia/raid5s-4-lost1 sil/stride128-raid10 sil/mirror2-dirty sil/mirror2-rebuild1
	sil/raid10-4-rebuild0 sil/raid10-4-lost1
)
bind "${cases[@]}"

read_all() { dd if="/dev/mapper/${name[$1]}" of=/dev/null bs=64k status=none; }

not_written() {
	! dd if=/dev/zero of="/dev/mapper/${name[$1]}" bs=4k count=1 oflag=direct conv=notrunc
}

all_read_only() {
	local device
	for device in $(devices); do
		[ "$device" = fakeraid-nometa ] || equal "$(blockdev --getro "/dev/mapper/$device")" 1 || return 1
	done
}

check 'activated read-only' "$fakeraid" activate --read-only
check 'all devices are read-only in the kernel' all_read_only
for case in "${cases[@]}"; do
	check "$case: read" read_all "$case"
	check "$case: writes are refused" not_written "$case"
done
refused 3 'it is read-only; deactivate it first' 'an active read-only set does not become writable by itself' \
	"$fakeraid" activate "${name[nvidia/chunk128-mirror]}"
sleep 3 # a resync would be at work
check 'deactivated' "$fakeraid" deactivate
flush
for case in "${cases[@]}"; do
	check "$case: no byte of its disks has changed" untouched "$case"
done

# A disk that is write-protected is not written to by way of a set.
blockdev --setro "$(loop_member nvidia/chunk128-stripe 1)"
refused 3 'write-protected' 'a write-protected member: only read-only' \
	"$fakeraid" activate "${name[nvidia/chunk128-stripe]}"
check 'a write-protected member: read-only' "$fakeraid" activate --read-only "${name[nvidia/chunk128-stripe]}"
check 'deactivated again' "$fakeraid" deactivate
check 'nothing is left' no_devices
blockdev --setrw "$(loop_member nvidia/chunk128-stripe 1)"
unbind_all
