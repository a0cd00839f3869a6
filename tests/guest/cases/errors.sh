#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the kernel lacks, and who may not: said in a sentence. The first case of a boot: no module is loaded yet.
# shellcheck source=tests/guest/cases/common.sh
. "$(dirname "$0")/common.sh"

case=nvidia/mirror2
set1=${name[$case]}
bind "$case"
hide_modules() { mount -t tmpfs none /lib/modules; }
show_modules() { umount /lib/modules; }

if ! grep -q device-mapper /proc/misc; then
	hide_modules
	refused 3 'the kernel has no device-mapper: load or install the module dm-mod' 'a kernel without device-mapper' \
		"$fakeraid" activate "$set1"
	show_modules
fi
modprobe dm-mod
if ! grep -q '^dm_zero ' /proc/modules; then
	hide_modules
	refused 3 'the kernel has no zero target: load or install the module dm-zero' 'a kernel without a target' \
		"$fakeraid" activate "$set1"
	check 'nothing is left' no_devices
	show_modules
fi
check 'with its modules it does' "$fakeraid" activate "$set1"
refused 4 'device-mapper is for root only' 'somebody else than root' \
	setpriv --reuid=65534 --regid=65534 --clear-groups "$fakeraid" status "$set1"
refused 2 'cannot be in the name of a device' 'a separator that makes no name' \
	"$fakeraid" activate --partition-separator / "$set1"
check 'deactivated' "$fakeraid" deactivate
unbind_all
