#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# BIOS RAID sets in the initramfs, for dracut 059 and later, with systemd in it or without.

# Names of the active sets that the host's file systems are on, with the formats' stable identities.
fakeraid_host_sets() {
    local dm uuid
    for dm in /sys/block/dm-*/dm; do
        uuid=$(cat "$dm/uuid" 2> /dev/null) || continue
        case $uuid in
            DMRAID-*) ;;
            *) continue ;;
        esac
        # Parts of a set have names of their own; what has no disk of its own to be known by is none.
        fakeraid show --json -- "$(cat "$dm/name")" > /dev/null 2>&1 && cat "$dm/name"
    done
}

# Whether a device that the host needs is, or lies on, a set.
fakeraid_is_needed() {
    local dev=$1 uuid
    uuid=$(cat "/sys/dev/block/$dev/dm/uuid" 2> /dev/null) || return 1
    [[ $uuid == DMRAID-* || $uuid == part[0-9]*-DMRAID-* ]]
}

check() {
    require_binaries fakeraid || return 1
    [[ $hostonly ]] || [[ $mount_needs ]] || return 0
    for_each_host_dev_and_slaves fakeraid_is_needed && return 0
    return 255
}

depends() {
    echo dm
    return 0
}

installkernel() {
    # All of them, loaded here or not: a set may be degraded, or another one, when the image is used.
    hostonly='' instmods dm_mod dm_zero dm_mirror dm_raid raid0 raid1 raid10 raid456
}

cmdline() {
    local name
    for name in $(fakeraid_host_sets); do
        printf " rd.fakeraid=%s" "$name"
    done
}

install() {
    local conf
    inst_multiple fakeraid
    inst_rules 59-fakeraid-partition.rules 61-fakeraid.rules
    inst_simple /etc/fakeraid.conf 2> /dev/null
    if [[ $hostonly_cmdline == yes ]]; then
        conf=$(cmdline)
        [[ $conf ]] && echo "$conf" > "$initdir/etc/cmdline.d/20-fakeraid.conf"
    fi
    if dracut_module_included "systemd"; then
        inst_multiple "$systemdsystemunitdir/fakeraid-activate@.service" \
            "$systemdsystemunitdir/fakeraid-last-resort@.timer" "$systemdsystemunitdir/fakeraid-last-resort@.service"
    else
        inst_hook pre-trigger 30 "$moddir/fakeraid-rules.sh"
    fi
    inst_hook cleanup 99 "$moddir/fakeraid-need-shutdown.sh"
}
