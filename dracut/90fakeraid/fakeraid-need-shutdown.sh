#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The root may be on a set: at the end the system comes back here, so that the set's disks are let go of last.
for _uuid in /sys/block/dm-*/dm/uuid; do
    case $(cat "$_uuid" 2> /dev/null) in
        DMRAID-*) need_shutdown; break ;;
    esac
done
