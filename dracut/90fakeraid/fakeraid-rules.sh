#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Without systemd in the image dracut's own queue does what the units do: a rule puts the sets into it.
{
    # shellcheck disable=SC2016 # udev's own variables
    printf '%s\n' \
        'SUBSYSTEM=="block", ENV{FAKERAID_STATE}=="complete", RUN+="/sbin/initqueue --onetime --unique --name 50-fakeraid /usr/sbin/fakeraid activate --boot complete"' \
        'SUBSYSTEM=="block", ENV{FAKERAID_STATE}=="waiting|degradable", RUN+="/sbin/initqueue --timeout --onetime --unique --name 50-fakeraid-last-resort /usr/sbin/fakeraid activate --boot degraded"'
} > /etc/udev/rules.d/62-fakeraid-dracut.rules
