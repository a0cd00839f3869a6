#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# One boot with udevd, and with disks of a bus besides those that the cases bind.
set -eu
cd "$(dirname "$0")/../../.."
build=${FAKERAID_BUILD:-$PWD/build}
mkdir -p "$build/check"
python3 tests/guest/boots/facts "$build/images" >"$build/check/guest-facts"
disks=()
for number in 0 1; do
	cp "$build/images/nvidia/mirror2/disk$number.img" "$build/check/mirror$number.img"
	disks+=(--disk "mirror$number=$build/check/mirror$number.img")
done
tests/guest/run --dir "$build/guest" --udev --timeout 900 "${disks[@]}" -- tests/guest/cases/run "$build" use udev
