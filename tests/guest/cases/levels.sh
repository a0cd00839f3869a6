#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every level of every format, whole and degraded: activated by default, each sector right, nothing written.
# shellcheck source=tests/guest/cases/common.sh
. "$(dirname "$0")/common.sh"

cases=(
	nvidia/chunk128-mirror nvidia/chunk128-stripe nvidia/chunk128-raid5s nvidia/chunk128-raid01
	nvidia/chunk16-stripe nvidia/chunk16-raid5s nvidia/chunk128-span nvidia/cut-stripe-77 nvidia/cut-raid01-77
	nvidia/cut-raid5s-77 nvidia/mirror2-missing1 nvidia/mirror2-rebuild0 nvidia/raid01-4-lost0
	nvidia/raid01-4-lost-half nvidia/raid5s-4-lost1 nvidia/raid5s-4-rebuild2 nvidia/cut-raid5s-lost3
	sil/stride128-mirror sil/stride128-stripe sil/stride128-raid10 sil/stride128-span sil/stride128-concat
	sil/raid10-8 sil/mirror3 sil/mirror3-one-left sil/jbod1 sil/mirror2-missing0 sil/mirror2-older0
	sil/mirror2-rebuild1 sil/raid10-4-lost1 sil/raid10-4-rebuild0
	isw/raid0-3d-16k isw/raid0-4kn isw/raid0-ordtable isw/long-serial isw/raid1 isw/raid1-rebuilding
	isw/raid1-stale-member isw/hpa-2115 isw/raid10-0123-2301 isw/raid10-degraded isw/raid5-4d-64k isw/raid5-degraded
	isw/raid5-rebuilt-order isw/foreign-same-name#1 isw/foreign-same-name#2 isw/matrix-raid0-raid5#1
	isw/matrix-raid0-raid5#2 isw/matrix-first-migrating#2 isw-mdadm/r1-rebuild isw-mdadm/r5-4kn
	pdc/r0-1 pdc/r0-2-c1m pdc/r0-4-c16k pdc/r0-8 pdc/r1-2 pdc/r1-3 pdc/r1-failed pdc/r1-stale pdc/r1-foreign pdc/spare
	pdc/r01-4 pdc/r01-4-one pdc/r5-3-missing pdc/span-2 pdc/span-3-new pdc/jbod-1 pdc/amd-first-offset pdc/amd-r01-4
	pdc/amd-two#1 pdc/amd-two#2 pdc/amd-four#1 pdc/amd-four#2 pdc/amd-four#3 pdc/amd-four#4
)
on_request=(nvidia/chunk128-raid5a sil/stride128-raid5 sil/raid5-4-lost2 sil/round-raid5)

bind "${cases[@]}" "${on_request[@]}"

activate_on_request() {
	local case
	for case in "${on_request[@]}"; do
		"$fakeraid" "${serials[@]}" activate "${name[$case]}" --layout "${layout[$case]}" || return 1
	done
}

# Whole sets may be written to; those without redundancy left, or in doubt, may not.
right_device() { # CASE
	local device=/dev/mapper/${name[$1]} read_only=0
	case ${state[$1]} in degraded | rebuilding) read_only=1 ;; esac
	[ "${requested[$1]}" = no ] || read_only=1
	equal "$(blockdev --getsz --getro "$device" | tr '\n' ' ')" "${sectors[$1]} $read_only "
}

right_data() { sha256sum --status -c <<<"${sha256[$1]}  /dev/mapper/${name[$1]}"; }

right_cat() {
	loops "$1"
	"$fakeraid" --quiet "${given[@]}" cat "${name[$1]}" "${disks[@]}" | cmp - "/dev/mapper/${name[$1]}"
}

check 'all sets are activated by one command' "$fakeraid" "${serials[@]}" activate
check 'sets with a layout in doubt are activated on request' activate_on_request
for case in "${cases[@]}" "${on_request[@]}"; do
	check "$case: of the right size, writable or not" right_device "$case"
	check "$case: every sector as it should be" right_data "$case"
	check "$case: the same bytes by cat" right_cat "$case"
done
check 'status of all sets' "$fakeraid" status

dmsetup table | sort >"$work/before"
check 'activating again is no error' "$fakeraid" "${serials[@]}" activate
dmsetup table | sort >"$work/after"
check 'activating again changes nothing' same_files "$work/before" "$work/after"

check 'all sets are deactivated by one command' "$fakeraid" deactivate
check 'nothing is left' no_devices
flush
for case in "${cases[@]}" "${on_request[@]}"; do
	check "$case: no byte of its disks has changed" untouched "$case"
done
unbind_all
