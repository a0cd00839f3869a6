# shellcheck shell=bash disable=SC2034 # what the cases use
# SPDX-License-Identifier: GPL-2.0-or-later
#
# common.sh - what the cases share. A case is a script that runs as root in the guest, is given the build's folder and
# prints "ok - what" or "not ok - what". It binds copies of the images to loop devices, so that nothing of one case is
# left for the next, and it learns from the facts (see boots/facts) what is on them.
set -u
export PATH=$PATH:/usr/sbin:/sbin
build=$1
fakeraid=$build/fakeraid
facts=$build/check/guest-facts
work=$(mktemp -d)
declare -A loop_of=() # CASE/DISK -> /dev/loopN
serials=()            # a loop device has no serial number: --serial LOOP=SERIAL for those that are bound, if known

ok() { echo "ok - $1"; }

# not_ok WHAT [FILE]: the file says why
not_ok() {
	echo "not ok - $1"
	[ -z "${2:-}" ] || tail -n 20 "$2" | sed 's/^/# /'
}

# check WHAT COMMAND...: the command succeeds
check() {
	local what=$1
	shift
	if "$@" >"$work/output" 2>&1; then ok "$what"; else not_ok "$what" "$work/output"; fi
}

# refused STATUS WORD WHAT COMMAND...: the command ends with that status, and says the word
refused() {
	local status=$1 word=$2 what=$3 got=0
	shift 3
	"$@" >"$work/output" 2>&1 || got=$?
	echo "status $got, $status and '$word' expected" >>"$work/output"
	if [ "$got" -eq "$status" ] && grep -qF -- "$word" "$work/output"; then
		ok "$what"
	else
		not_ok "$what" "$work/output"
	fi
}

equal() { [ "$1" = "$2" ] || { echo "'$1' instead of '$2'"; return 1; }; }
same_files() { cmp "$1" "$2"; }

# ---- the images ----

# What is known of each set, by its key: its case, or CASE#N where that has several. A process costs a quarter of a
# second here: it is read once.
declare -A name=() layout=() sectors=() state=() sha256=() requested=()
while read -r _ key set_name _ set_layout set_sectors set_state set_sha256 set_requested; do
	name[$key]=$set_name layout[$key]=$set_layout sectors[$key]=$set_sectors
	state[$key]=$set_state sha256[$key]=$set_sha256 requested[$key]=$set_requested
done < <(grep '^set ' "$facts")

# And of the disks that images were taken from, by CASE/DISK.
declare -A serial_of=() block_of=()
while read -r _ case_name disk_name disk_block disk_serial; do
	block_of[$case_name/$disk_name]=$disk_block serial_of[$case_name/$disk_name]=$disk_serial
done < <(grep '^disk ' "$facts")

bind() { # KEY...
	local case disk copy loop
	for case in "${@%#*}"; do
		[ ! -e "$work/$case" ] || continue # another set of the same disks
		mkdir -p "$work/$case"
		cp --sparse=always "$build/images/$case"/*.img "$work/$case/"
		for copy in "$work/$case"/*.img; do
			disk=$case/${copy##*/}
			loop=$(losetup --find --show --partscan --sector-size "${block_of[$disk]:-512}" "$copy")
			loop_of[$disk]=$loop
			[ -z "${serial_of[$disk]:-}" ] || serials+=(--serial "$loop=${serial_of[$disk]}")
		done
	done
}

unbind_all() {
	losetup --detach "${loop_of[@]}"
	loop_of=() serials=()
	rm -rf "${work:?}"/*/
}

loops() { # KEY: its loop devices, in the array `disks`, and the options with their serial numbers, in `given`
	local key
	disks=() given=()
	for key in "${!loop_of[@]}"; do
		[ "${key%/*}" = "${1%#*}" ] || continue
		disks+=("${loop_of[$key]}")
		[ -z "${serial_of[$key]:-}" ] || given+=(--serial "${loop_of[$key]}=${serial_of[$key]}")
	done
}

loop_member() { # KEY INDEX: the loop device of a member
	local disk
	disk=$(awk -v k="$1" -v i="$2" '$1 == "member" && $2 == k && $3 == i { print $4 }' "$facts")
	echo "${loop_of[${1%#*}/$disk]}"
}

# The disks' own bytes, whatever is in a cache.
flush() { sync; echo 3 >/proc/sys/vm/drop_caches; }

untouched() { diff -rq --exclude '*.json' --exclude '*.txt' "$build/images/${1%#*}" "$work/${1%#*}"; } # KEY: no byte has changed

# No byte outside the members' data has changed, and none of a disk that is no good member.
untouched_outside() { # KEY
	local case=${1%#*} disk offset length its_state last='' at=0
	while read -r disk offset length its_state; do
		if [ "$disk" != "$last" ]; then
			[ -z "$last" ] || cmp -i $((at * 512)) "$build/images/$case/$last" "$work/$case/$last" || return 1
			last=$disk at=0
		fi
		[ "$its_state" = ok ] || continue
		[ "$offset" -eq "$at" ] ||
			cmp -i $((at * 512)) -n $(((offset - at) * 512)) "$build/images/$case/$disk" "$work/$case/$disk" || return 1
		if [ "$length" = null ]; then # cut short of a row: the last sector at least
			length=$(($(stat -c %s "$work/$case/$disk") / 512 - offset - 1))
		fi
		at=$((offset + length))
	done < <(awk -v c="$case" '$1 == "member" && ($2 == c || index($2, c "#") == 1) && $4 != "null" {
		print $4, $5, $6, $7 }' "$facts" | sort -k 1,1 -k 2,2n; echo end)
}

# ---- device-mapper ----

devices() { dmsetup ls 2>/dev/null | grep -v '^No devices' | awk '{ print $1 }' | sort; }
no_devices() { local left; left=$(devices); [ -z "$left" ] || { echo "left: $left"; return 1; }; }

settled() { [ ! -S /run/udev/control ] || udevadm settle; }

# Where dmraid is installed, a rule of its own has been at the disks when udevd started.
keep_dmraid_off() {
	[ -S /run/udev/control ] || return 0
	mkdir -p /run/udev/rules.d
	ln -sf /dev/null /run/udev/rules.d/97-dmraid.rules
	udevadm control --reload
	udevadm settle
	"$fakeraid" --quiet deactivate >/dev/null
	udevadm settle
}

# Letters of the members, as the kernel has them.
letters() { dmsetup status "$1" | awk '{ print $6 }'; }

# within SECONDS PID...: the processes end in time. A hang in the kernel cannot be killed: only the guest can.
within() {
	local left=$(($1 * 10)) pid status=0
	shift
	for pid in "$@"; do
		while kill -0 "$pid" 2>/dev/null; do
			[ "$left" -gt 0 ] || { echo "process $pid hangs: $(cat "/proc/$pid/wchan")"; return 1; }
			left=$((left - 1))
			sleep 0.1
		done
		wait "$pid" || status=$?
	done
	return "$status"
}
