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

# What is known of each case's set. A process costs a quarter of a second here: it is read once.
declare -A name=() layout=() sectors=() state=() sha256=() requested=()
while read -r _ case_name set_name _ set_layout set_sectors set_state set_sha256 set_requested; do
	name[$case_name]=$set_name layout[$case_name]=$set_layout sectors[$case_name]=$set_sectors
	state[$case_name]=$set_state sha256[$case_name]=$set_sha256 requested[$case_name]=$set_requested
done < <(grep '^set ' "$facts")

bind() { # CASE...
	local case copy
	for case in "$@"; do
		mkdir -p "$work/$case"
		cp "$build/images/$case"/*.img "$work/$case/"
		for copy in "$work/$case"/*.img; do
			loop_of[$case/${copy##*/}]=$(losetup --find --show --partscan "$copy")
		done
	done
}

unbind_all() {
	losetup --detach "${loop_of[@]}"
	loop_of=()
	rm -rf "${work:?}"/*/
}

loops() { # CASE: its loop devices, in the array `disks`
	local key
	disks=()
	for key in "${!loop_of[@]}"; do
		[ "${key%/*}" != "$1" ] || disks+=("${loop_of[$key]}")
	done
}

loop_member() { # CASE INDEX: the loop device of a member
	local disk
	disk=$(awk -v c="$1" -v i="$2" '$1 == "member" && $2 == c && $3 == i { print $4 }' "$facts")
	echo "${loop_of[$1/$disk]}"
}

# The disks' own bytes, whatever is in a cache.
flush() { sync; echo 3 >/proc/sys/vm/drop_caches; }

untouched() { diff -rq --exclude expect.json "$build/images/$1" "$work/$1"; } # CASE: no byte has changed

# No byte outside the members' data has changed, and none of a disk that is no good member.
untouched_outside() { # CASE
	local disk offset length its_state image
	while read -r disk offset length its_state; do
		image=$build/images/$1/$disk
		if [ "$its_state" != ok ]; then
			cmp "$image" "$work/$1/$disk" || return 1
			continue
		fi
		[ "$offset" = 0 ] || cmp -n $((offset * 512)) "$image" "$work/$1/$disk" || return 1
		if [ "$length" = null ]; then # cut short of a row: the last sector at least
			length=$(($(stat -c %s "$image") / 512 - offset - 1))
		fi
		cmp -i $(((offset + length) * 512)) "$image" "$work/$1/$disk" || return 1
	done < <(awk -v c="$1" '$1 == "member" && $2 == c && $4 != "null" { print $4, $5, $6, $7 }' "$facts")
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
