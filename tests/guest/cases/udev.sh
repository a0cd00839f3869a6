#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# With udevd, and with disks of a bus (mirror0, mirror1 in /run/disks, as the caller gave them): links, hidden parts,
# the kernel's partitions, and an udevd that does not answer any more.
# shellcheck source=tests/guest/cases/common.sh
. "$(dirname "$0")/common.sh"

set1=${name[nvidia/mirror2]}
disk0=$(readlink -f /run/disks/mirror0) disk1=$(readlink -f /run/disks/mirror1)

link_to() { equal "$(readlink "$1")" "$2"; }
kernel_name() { basename "$(readlink -f "/dev/mapper/$1")"; }
partitions() { find "/sys/block/${disk0##*/}/" "/sys/block/${disk1##*/}/" -maxdepth 2 -name partition | wc -l; }
no_link() { [ ! -e "$1" ] || { echo "$1 exists"; return 1; }; }

keep_dmraid_off
check 'activated' "$fakeraid" activate
check 'the node of the set is a link' test -L "/dev/mapper/$set1"
check 'by-id has its uuid' link_to "/dev/disk/by-id/dm-uuid-DMRAID-$set1" "../../$(kernel_name "$set1")"
check 'by-id has its name' link_to "/dev/disk/by-id/dm-name-$set1" "../../$(kernel_name "$set1")"
check 'its parts are no disks to udev' no_link "/dev/disk/by-id/dm-name-$set1-slice0"
check 'nor is the shared device' no_link /dev/disk/by-id/dm-name-fakeraid-nometa

printf 'label: gpt\nstart=64, size=2000\n' | sfdisk --quiet "/dev/mapper/$set1" >"$work/sfdisk" 2>&1
check 'a partition is added' "$fakeraid" activate
mkfs.ext2 -q -F -U 01234567-89ab-4cde-8f01-23456789abcd "/dev/mapper/${set1}1"
check 'deactivated' "$fakeraid" deactivate
udevadm settle
check 'no link is left' equal "$(find /dev/mapper /dev/disk/by-id -name "*$set1*" | wc -l)" 0
check 'no cookie is left' equal "$(dmsetup udevcookies | grep -c 0xd4d)" 0
check 'the kernel has its partitions of the members' equal "$(partitions)" 2
check 'activated with its partition' "$fakeraid" activate
udevadm settle
check 'the kernel has no partitions of the members' equal "$(partitions)" 0
check 'by-id has the partition' link_to "/dev/disk/by-id/dm-uuid-part1-DMRAID-$set1" "../../$(kernel_name "${set1}1")"
check 'the file system is the one on the set' link_to /dev/disk/by-uuid/01234567-89ab-4cde-8f01-23456789abcd \
	"../../$(kernel_name "${set1}1")"
check 'it is mounted by its uuid' mount UUID=01234567-89ab-4cde-8f01-23456789abcd /mnt
check 'and that is the set' equal "$(readlink -f "$(findmnt -n -o SOURCE /mnt)")" "$(readlink -f "/dev/mapper/${set1}1")"
umount /mnt
check 'deactivated' "$fakeraid" deactivate

# udevd is gone and has left its socket behind: nothing may wait for it for ever.
udevadm control --exit
for _ in 1 2 3 4 5 6 7 8 9 10; do
	pgrep -x systemd-udevd >/dev/null || pgrep -x udevd >/dev/null || break
	sleep 0.5
done
touch /run/udev/control
"$fakeraid" activate >"$work/dead" 2>&1 &
check 'without an answer of udev: activated in time' within 100 $!
check 'it is said' grep -q 'udev has not answered' "$work/dead"
check 'the nodes are there' test -b "/dev/mapper/${set1}1"
"$fakeraid" deactivate >"$work/dead" 2>&1 &
check 'without an answer of udev: deactivated in time' within 100 $!
check 'nothing is left' no_devices
