#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What is in use is not touched, and said by whom; what fails half-way leaves nothing; two at once end well.
# shellcheck source=tests/guest/cases/common.sh
. "$(dirname "$0")/common.sh"

mirror=sil/mirror2-odd-unequal parity=nvidia/chunk128-raid5s
bind "$mirror" "$parity"
set1=${name[$mirror]} set2=${name[$parity]}
first=$(loop_member "$mirror" 0)
mkdir -p "$work/mnt"

partitions_of() { find /sys/class/block -maxdepth 1 -name "${1##*/}p*" | wc -l; }
nodes_are() { equal "$(partitions_of "$(loop_member "$mirror" 0)") $(partitions_of "$(loop_member "$mirror" 1)")" "$1 $1"; }
active_devices() { equal "$(devices | tr '\n' ' ')" "$*${*:+ }"; }
mirror_devices() { echo "fakeraid-nometa $set1 $set1-slice0 $set1-slice1"; }
hold() { exec 9<"$1" sleep 60; }

keep_dmraid_off

# ---- one zero device for all ----
check 'two sets are activated' "$fakeraid" activate "$set1" "$set2"
check 'one of them is deactivated' "$fakeraid" deactivate "$set2"
# shellcheck disable=SC2046 # a list of words
check 'the other stays, with the shared device' active_devices $(mirror_devices)

# ---- partitions ----
printf 'label: dos\nstart=64, size=1000, type=83\nstart=1100, type=5\nstart=1200, size=500, type=82\n' |
	sfdisk --quiet "/dev/mapper/$set1" >"$work/sfdisk" 2>&1
check 'activating again adds the partitions that were made' "$fakeraid" activate "$set1"
check 'partitions are there, of an extended one its table only' equal \
	"$(dmsetup table | awk -v s="$set1" '$1 ~ s "[0-9]+:" { print $1, $3, $4, $6 }' | sort | tr '\n' ';')" \
	"${set1}1: 1000 linear 64;${set1}2: 2 linear 1100;${set1}5: 500 linear 1200;"
check 'their uuids are as kpartx has them' dmsetup info -u "part5-DMRAID-$set1"
check 'a file system is made on one' mkfs.ext2 -q -F "/dev/mapper/${set1}1"
check 'and mounted' mount "/dev/mapper/${set1}1" "$work/mnt"
cp "$fakeraid.sum" "$work/sum" 2>/dev/null || head -c 200000 "$fakeraid" >"$work/sum"
cp "$work/sum" "$work/mnt/file"

# ---- in use ----
refused 3 "${set1}1 is mounted at $work/mnt" 'a mounted set is not deactivated' "$fakeraid" deactivate "$set1"
check 'and all of it is still there' dmsetup info "${set1}5"
umount "$work/mnt"
mkswap "/dev/mapper/${set1}5" >/dev/null && swapon "/dev/mapper/${set1}5"
refused 3 "${set1}5 is in use as swap space" 'one with swap space is not deactivated' "$fakeraid" deactivate "$set1"
swapoff "/dev/mapper/${set1}5"
dmsetup create above --table "0 8 linear /dev/mapper/$set1 0"
refused 3 "$set1 is in use by the device above" 'one below another device is not deactivated' "$fakeraid" deactivate "$set1"
dmsetup remove above
hold "/dev/mapper/$set1" &
refused 3 "open in process $!" 'one that a process has open is not deactivated' "$fakeraid" deactivate "$set1"
kill $!
wait
settled

# ---- partitions of the members ----
check 'deactivated' "$fakeraid" deactivate
check 'nothing is left' no_devices
settled
check 'the kernel has its partitions of the members back' nodes_are 3
mount -o ro "${first}p1" "$work/mnt"
refused 3 "${first##*/}p1 is mounted at $work/mnt" 'a mounted partition of a member: no activation' "$fakeraid" activate "$set1"
check 'and nothing is made' no_devices
umount "$work/mnt"
dmsetup create below --table "0 8 linear $first 0"
refused 3 'in use by the device below' 'a member below another device: no activation' "$fakeraid" activate "$set1"
check 'and nothing more is made' active_devices below
dmsetup remove below
settled
check 'activated with its partitions' "$fakeraid" activate "$set1"
settled
check 'the kernel has no partitions of the members' nodes_are 0
check 'the file system is mounted again' mount -o ro "/dev/mapper/${set1}1" "$work/mnt"
check 'the file in it is whole' cmp "$work/sum" "$work/mnt/file"
umount "$work/mnt"
check 'deactivated' "$fakeraid" deactivate "$set1"
check 'activated without partitions' "$fakeraid" activate --no-partitions "$set1"
# shellcheck disable=SC2046 # a list of words
check 'there are none' active_devices $(mirror_devices)
check 'deactivated' "$fakeraid" deactivate
check 'activated with a separator' "$fakeraid" activate --partition-separator -part "$set1"
check 'it is in the names' dmsetup info "$set1-part5"
check 'partitions of any name go with the set' "$fakeraid" deactivate "$set1"
check 'nothing is left' no_devices

# A partition that somebody only looks at cannot be taken away: it is said.
settled
hold "${first}p2" &
refused 0 "${first##*/}p2 of this member stays" 'a partition of a member that is open stays, and it is said' \
	"$fakeraid" activate "$set1"
kill $!
wait
check 'deactivated' "$fakeraid" deactivate

# ---- names that others have ----
dmsetup create "$set1" --table '0 8 zero'
refused 3 "$set1: another device has this name" 'a foreign device with the name of the set' "$fakeraid" activate "$set1"
check 'what was made before is removed' active_devices "$set1"
dmsetup remove "$set1"
dmsetup create "${set1}5" --table '0 8 zero'
refused 3 "${set1}5: another device has this name" 'a foreign device with the name of a partition' "$fakeraid" activate "$set1"
check 'the set is removed again' active_devices "${set1}5"
dmsetup remove "${set1}5"
dmsetup create fakeraid-nometa -u DMRAID-fakeraid-nometa --table '0 16 error'
refused 3 'fakeraid-nometa exists already' 'a shared device that is wrong' "$fakeraid" activate "$set1"
dmsetup remove fakeraid-nometa

# ---- what an activation that was killed left ----
size=${sectors[$mirror]}
dmsetup create "$set1-slice0" -u "DMRAID-$set1-slice0" --readonly --table "0 $size linear $first 0"
refused 3 "$set1-slice0 exists already, and is read-only" 'a part that is there and differs' "$fakeraid" activate "$set1"
check 'it stays, and nothing else' active_devices "$set1-slice0"
dmsetup remove "$set1-slice0"
dmsetup create "$set1-slice0" -u "DMRAID-$set1-slice0" --table "0 $size linear $first 0"
check 'a part that is there and right is taken over' "$fakeraid" activate "$set1"
check 'and goes with the set' "$fakeraid" deactivate "$set1"
check 'nothing is left' no_devices

# ---- sets that dmraid made ----
modprobe dm-mirror
dmsetup create "$set1" -u "DMRAID-$set1" --table \
	"0 $size mirror core 2 128 nosync 2 $first 0 $(loop_member "$mirror" 1) 0 1 handle_errors"
number=$(dmsetup info -c --noheadings --separator : -o major,minor "$set1") # dmsetup leaves nodes to udev
dmsetup create "${set1}1" -u "part1-DMRAID-$set1" --table "0 1000 linear $number 64"
refused 3 'it has another table (mirror); deactivate it first' 'a set that dmraid made is not mistaken for ours' \
	"$fakeraid" activate "$set1"
check 'it is deactivated with its partition' "$fakeraid" deactivate "$set1"
check 'nothing is left' no_devices
refused 1 'no set' 'a set that is not active: status 1' "$fakeraid" deactivate "$set1"

# ---- two at once ----
twice() {
	local i pids=()
	for i in 1 2 3; do
		"$fakeraid" activate "$set1" "$set2" >"$work/at-once-$i" 2>&1 &
		pids+=($!)
	done
	within 90 "${pids[@]}" || { cat "$work"/at-once-*; return 1; }
}
check 'three activations at once all end well' twice
check 'and made one set each' equal "$(devices | grep -c -E "^($set1|$set2)\$")" 2
check 'active as if by one' "$fakeraid" activate "$set1" "$set2"
check 'deactivated' "$fakeraid" deactivate
mount -t tmpfs -o ro none /run/fakeraid
check 'the same without a lock' twice
check 'deactivated without a lock' "$fakeraid" deactivate
umount /run/fakeraid
check 'nothing is left' no_devices
unbind_all
