#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A member that fails under load: reads and writes go on, the data are right, the kernel says which member it is.
# The last case of a boot: what hangs in the kernel ends with the guest only.
# shellcheck source=tests/guest/cases/common.sh
. "$(dirname "$0")/common.sh"

# I/O until $work/stop is there; ends badly at the first error.
write_on() { # NODE FILE
	until [ -e "$work/stop" ]; do
		dd if="$2" of="$1" bs=64k oflag=direct conv=notrunc status=none || return 1
	done
}

read_on() { # NODE
	until [ -e "$work/stop" ]; do
		dd if="$1" of=/dev/null bs=64k iflag=direct status=none || return 1
	done
}

fail_slice() { # SET INDEX: every I/O of this member fails from now on
	local slice=$1-slice$2 size
	size=$(blockdev --getsz "/dev/mapper/$slice")
	dmsetup suspend --noflush --nolockfs "$slice" && dmsetup load "$slice" --table "0 $size error" &&
		dmsetup resume "$slice"
}

device_has() { blockdev --flushbufs "$2" && cmp "$1" "$2"; }

fails() { # CASE MEMBER LETTERS
	local case=$1 member=$2 letters=$3 set node writer reader
	set=${name[$case]} node=/dev/mapper/${name[$case]}
	bind "$case"
	check "$case: activated" "$fakeraid" activate "$set"
	head -c $((${sectors[$case]} * 512)) /dev/urandom >"$work/data"
	dd if="$work/data" of="$node" bs=64k oflag=direct conv=notrunc status=none
	rm -f "$work/stop"
	write_on "$node" "$work/data" >"$work/writer" 2>&1 &
	writer=$!
	read_on "$node" >"$work/reader" 2>&1 &
	reader=$!
	sleep 1
	check "$case: member $member fails" fail_slice "$set" "$member"
	sleep 2
	touch "$work/stop"
	check "$case: reads and writes went on and end" within 30 "$writer" "$reader"
	check "$case: the kernel says which member failed" equal "$(letters "$set")" "$letters"
	check "$case: so does status" grep -q "$letters" <("$fakeraid" status "$set")
	check "$case: the data are right" device_has "$work/data" "$node"
	"$fakeraid" deactivate "$set" >"$work/deactivate" 2>&1 &
	check "$case: deactivated in time" within 60 $!
	check "$case: nothing is left" no_devices
	unbind_all
}

fails nvidia/mirror2 0 DA
fails sil/stride128-raid10 2 AADA
fails nvidia/chunk128-raid5s 1 ADAA
