#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every level of both formats, whole and degraded: activated by default, each sector right, nothing written.
# shellcheck source=tests/guest/cases/common.sh
. "$(dirname "$0")/common.sh"

cases=(
	nvidia/chunk128-mirror nvidia/chunk128-stripe nvidia/chunk128-raid5s nvidia/chunk128-raid01
	nvidia/chunk16-stripe nvidia/chunk16-raid5s nvidia/chunk128-span nvidia/cut-stripe-77 nvidia/cut-raid01-77
	nvidia/cut-raid5s-77 nvidia/mirror2-missing1 nvidia/mirror2-rebuild0 nvidia/mirror2-sync nvidia/raid01-4-lost0
	nvidia/raid01-4-lost-half nvidia/raid5s-4-lost1 nvidia/raid5s-4-rebuild2 nvidia/cut-raid5s-lost3
	sil/stride128-mirror sil/stride128-stripe sil/stride128-raid10 sil/stride128-span sil/stride128-concat
	sil/raid10-8 sil/mirror3 sil/mirror3-one-left sil/jbod1 sil/mirror2-missing0 sil/mirror2-older0
	sil/mirror2-rebuild1 sil/mirror2-dirty sil/raid10-4-lost1 sil/raid10-4-rebuild0
)
requested=(nvidia/chunk128-raid5a sil/stride128-raid5 sil/raid5-4-lost2 sil/round-raid5)

bind "${cases[@]}" "${requested[@]}"

activate_requested() {
	local case
	for case in "${requested[@]}"; do
		"$fakeraid" activate "$(name_of "$case")" --layout "$(fact "$case" 5)" || return 1
	done
}

right_size() { equal "$(blockdev --getsz "$(node_of "$1")")" "$(fact "$1" 6)"; }
right_data() { equal "$(sha256sum <"$(node_of "$1")" | cut -d' ' -f1)" "$(fact "$1" 8)"; }
right_cat() {
	local disks
	mapfile -t disks < <(loops "$1")
	"$fakeraid" --quiet cat "$(name_of "$1")" "${disks[@]}" | cmp - "$(node_of "$1")"
}

# Whole sets may be written to, sets without redundancy left or in doubt may not.
right_access() {
	local wanted=0
	case $(fact "$1" 7) in degraded | rebuilding) wanted=1 ;; esac
	[ "$(fact "$1" 9)" = no ] || wanted=1
	equal "$(blockdev --getro "$(node_of "$1")")" "$wanted"
}

check 'all sets are activated by one command' "$fakeraid" activate
check 'sets with a layout in doubt are activated on request' activate_requested
for case in "${cases[@]}" "${requested[@]}"; do
	check "$case: size" right_size "$case"
	check "$case: every sector as it should be" right_data "$case"
	check "$case: the same bytes by cat" right_cat "$case"
	check "$case: writable or not" right_access "$case"
done
check 'status of all sets' "$fakeraid" status

dmsetup table | sort >"$work/before"
check 'activating again is no error' "$fakeraid" activate
dmsetup table | sort >"$work/after"
check 'activating again changes nothing' same_files "$work/before" "$work/after"

check 'all sets are deactivated by one command' "$fakeraid" deactivate
check 'nothing is left' no_devices
flush
for case in "${cases[@]}" "${requested[@]}"; do
	check "$case: no byte of its disks has changed" untouched "$case"
done
unbind_all
