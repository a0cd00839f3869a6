#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Sets that mdadm made, by mdadm and by us on the same disks: the same bytes, whoever wrote them; and neither touches
# what the other has.
# shellcheck source=tests/guest/cases/common.sh
. "$(dirname "$0")/common.sh"
export IMSM_NO_PLATFORM=1
md=/dev/md/set

# The sets, with the disks of each: KEY CASE
sets=(r0-2d-4k r1-2d r5-3d-32k r10-6d-64k matrix-r0-r1#1 matrix-r0-r1#2)

disks_of() { disks=(/run/disks/"${1%#*}".disk*); } # KEY
sum_of() { sha256sum "$1" | cut -d ' ' -f 1; }
has_sum() { equal "$(sum_of "$1")" "$2"; } # DEVICE SUM
ours() { echo "/dev/mapper/${name[isw-mdadm/$1]}"; }

# The container of the disks, and all volumes in it; the device of the set is $volume.
md_start() { # KEY OPTION...
	local key=$1 wanted=${name[isw-mdadm/$1]##*_} node
	shift
	disks_of "$key"
	mkdir -p /run/mdadm /dev/md
	mdadm --assemble "$md" --metadata=imsm "$@" "${disks[@]}" >"$work/md.log" 2>&1 || { cat "$work/md.log"; return 1; }
	mdadm --incremental --run "$md" >>"$work/md.log" 2>&1
	volume=
	for node in /dev/md/*; do
		case ${node##*/} in "$wanted" | "$wanted"_[0-9]*) volume=$node ;; esac
	done
	[ -n "$volume" ] || { cat "$work/md.log" /proc/mdstat; return 1; }
}

md_stop() {
	local tries=0
	while grep -q '^md' /proc/mdstat; do
		mdadm --stop --scan >"$work/md.log" 2>&1
		tries=$((tries + 1))
		[ "$tries" -lt 20 ] || { cat "$work/md.log" /proc/mdstat; return 1; }
	done
	rm -f /dev/md/* # without udev the links stay, and mean other devices next time
}

activated() { "$fakeraid" "${@:2}" activate "${name[isw-mdadm/$1]}"; } # KEY OPTION...

in_use() { "$fakeraid" list 2>&1 | grep -F 'in use by md'; }

settle_check() { # KEY: md compares all copies or parity
	local sysfs
	sysfs=/sys/block/$(basename "$(readlink -f "$volume")")/md
	mdadm --readwrite "$volume" 2>/dev/null
	echo check >"$sysfs/sync_action" || return 1
	mdadm --wait "$volume"
	equal "$(cat "$sysfs/mismatch_cnt")" 0
}

for key in "${sets[@]}"; do
	check "$key: activated" activated "$key"
	check "$key: what mdadm wrote is read" has_sum "$(ours "$key")" "${sha256[isw-mdadm/$key]}"
	check "$key: deactivated" "$fakeraid" deactivate "${name[isw-mdadm/$key]}"
	check "$key: md takes the same disks" md_start "$key"
	check "$key: md reads the same" has_sum "$volume" "${sha256[isw-mdadm/$key]}"
	check "$key: listed as in use by md" in_use
	refused 3 'in use by md' "$key: not activated beside md" activated "$key"
	check "$key: md is let go" md_stop
done

check 'two volumes: both active at once' "$fakeraid" activate "${name[isw-mdadm/matrix-r0-r1#1]}" \
	"${name[isw-mdadm/matrix-r0-r1#2]}"
check 'two volumes: the first' has_sum "$(ours matrix-r0-r1#1)" "${sha256[isw-mdadm/matrix-r0-r1#1]}"
check 'two volumes: the second' has_sum "$(ours matrix-r0-r1#2)" "${sha256[isw-mdadm/matrix-r0-r1#2]}"
check 'two volumes: deactivated' "$fakeraid" deactivate

for key in r1-2d r5-3d-32k r10-6d-64k; do
	disks_of "$key"
	for disk in "${disks[@]}"; do
		check "$key without ${disk##*.}: activated" activated "$key" --without "$disk"
		check "$key without ${disk##*.}: every sector" has_sum "$(ours "$key")" "${sha256[isw-mdadm/$key]}"
		check "$key without ${disk##*.}: deactivated" "$fakeraid" deactivate "${name[isw-mdadm/$key]}"
	done
done

for key in r1-2d r5-3d-32k r10-6d-64k matrix-r0-r1#1; do
	check "$key: activated to be written" activated "$key"
	dd if=/dev/urandom of="$(ours "$key")" bs=1M oflag=direct status=none 2>/dev/null
	written=$(sum_of "$(ours "$key")")
	check "$key: deactivated" "$fakeraid" deactivate "${name[isw-mdadm/$key]}"
	flush
	check "$key: md takes what we wrote" md_start "$key"
	check "$key: md reads what we wrote" has_sum "$volume" "$written"
	[ "$key" = matrix-r0-r1#1 ] || check "$key: md finds copies or parity right" settle_check "$key"
	check "$key: md is let go of it" md_stop
done
