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

# fact CASE COLUMN of its set: 3 name, 4 level, 5 layout, 6 sectors, 7 state, 8 sha256, 9 on request
fact() { awk -v c="$1" -v n="$2" '$1 == "set" && $2 == c { print $n; exit }' "$facts"; }
name_of() { fact "$1" 3; }
node_of() { echo "/dev/mapper/$(fact "$1" 3)"; }

bind() { # CASE... [-- LOSETUP-OPTION]
	local case image copy
	for case in "$@"; do
		mkdir -p "$work/$case"
		for image in "$build/images/$case"/*.img; do
			copy=$work/$case/${image##*/}
			cp "$image" "$copy"
			loop_of[$case/${image##*/}]=$(losetup --find --show --partscan "$copy")
		done
	done
}

unbind_all() {
	local key
	for key in "${!loop_of[@]}"; do
		losetup --detach "${loop_of[$key]}"
	done
	loop_of=()
	rm -rf "${work:?}"/*/
}

loops() { # CASE: its loop devices
	local key
	for key in "${!loop_of[@]}"; do
		[ "${key%/*}" != "$1" ] || echo "${loop_of[$key]}"
	done
}

loop_member() { # CASE INDEX: the loop device of a member
	local disk
	disk=$(awk -v c="$1" -v i="$2" '$1 == "member" && $2 == c && $3 == i { print $4 }' "$facts")
	echo "${loop_of[$1/$disk]}"
}

# The disks' own bytes, whatever is in a cache.
flush() { sync; echo 3 >/proc/sys/vm/drop_caches; }

untouched() { # CASE: no byte of any disk has changed
	local image
	for image in "$build/images/$1"/*.img; do
		cmp "$image" "$work/$1/${image##*/}" || return 1
	done
}

# No byte outside the members' data has changed, and none of a disk that is no good member.
untouched_outside() { # CASE
	local disk offset sectors state image
	while read -r disk offset sectors state; do
		image=$build/images/$1/$disk
		if [ "$state" != ok ]; then
			cmp "$image" "$work/$1/$disk" || return 1
			continue
		fi
		cmp -n $((offset * 512)) "$image" "$work/$1/$disk" || return 1
		if [ "$sectors" = null ]; then # cut short of a row: the last sector at least
			sectors=$(($(stat -c %s "$image") / 512 - offset - 1))
		fi
		cmp -i $(((offset + sectors) * 512)) "$image" "$work/$1/$disk" || return 1
	done < <(awk -v c="$1" '$1 == "member" && $2 == c && $4 != "null" { print $4, $5, $6, $7 }' "$facts")
}

# ---- device-mapper ----

devices() { dmsetup ls 2>/dev/null | grep -v '^No devices' | awk '{ print $1 }' | sort; }
no_devices() { local left; left=$(devices); [ -z "$left" ] || { echo "left: $left"; return 1; }; }
is_active() { dmsetup info "$(name_of "$1")"; }

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
