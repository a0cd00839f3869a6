#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What is written through a set is found by user-space reads of its members afterwards, and nothing else has changed.
# shellcheck source=tests/guest/cases/common.sh
. "$(dirname "$0")/common.sh"

whole=(
	nvidia/chunk128-mirror nvidia/chunk128-stripe nvidia/chunk128-raid5s nvidia/chunk128-raid01 nvidia/chunk128-span
	nvidia/cut-stripe-77 nvidia/cut-raid01-77 nvidia/cut-raid5s-77
	sil/stride128-mirror sil/stride128-stripe sil/stride128-raid10 sil/stride128-span sil/mirror3 sil/jbod1
	nvidia/mirror2-sync sil/mirror2-dirty
)
degraded=(
	nvidia/mirror2-missing1 nvidia/mirror2-rebuild0 nvidia/raid01-4-lost0 nvidia/raid5s-4-lost1
	nvidia/raid5s-4-rebuild2 nvidia/cut-raid5s-lost3 sil/mirror2-missing0 sil/raid10-4-lost1 sil/raid10-4-rebuild0
)
redundant=(
	nvidia/chunk128-mirror nvidia/chunk128-raid5s nvidia/chunk128-raid01 nvidia/cut-raid5s-77
	sil/stride128-mirror sil/stride128-raid10 sil/mirror3
)

bind "${whole[@]}" "${degraded[@]}"

new_data() { # CASE: as many bytes as its set has, unlike any pattern
	head -c $((${sectors[$1]} * 512)) /dev/urandom >"$work/$1/data"
	dd if="$work/$1/data" of="/dev/mapper/${name[$1]}" bs=64k conv=notrunc,fsync status=none
}

device_has_data() {
	blockdev --flushbufs "/dev/mapper/${name[$1]}"
	cmp "$work/$1/data" "/dev/mapper/${name[$1]}"
}

cat_has_data() {
	loops "$1"
	"$fakeraid" --quiet cat "${name[$1]}" "${disks[@]}" | cmp "$work/$1/data" -
}

verified() {
	loops "$1"
	"$fakeraid" verify "${name[$1]}" "${disks[@]}"
}

names=()
for case in "${degraded[@]}"; do
	names+=("${name[$case]}")
done
check 'degraded sets are writable with --degraded rw' "$fakeraid" activate --degraded rw "${names[@]}"
check 'the others are activated' "$fakeraid" activate --degraded rw
for case in "${whole[@]}" "${degraded[@]}"; do
	check "$case: written" new_data "$case"
	check "$case: read again through the kernel" device_has_data "$case"
done
check 'deactivated' "$fakeraid" deactivate
check 'nothing is left' no_devices
flush
for case in "${whole[@]}" "${degraded[@]}"; do
	check "$case: the data are on the members" cat_has_data "$case"
	check "$case: nothing outside the data has changed" untouched_outside "$case"
done
for case in "${redundant[@]}"; do
	check "$case: copies and parity agree" verified "$case"
done
unbind_all
