#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# One boot with Intel's sets as mdadm made them, on disks with the serial numbers that they were made on.
set -eu
cd "$(dirname "$0")/../../.."
build=${FAKERAID_BUILD:-$PWD/build}
cases="r0-2d-4k r1-2d r5-3d-32k r10-6d-64k matrix-r0-r1"
facts=$build/check/guest-facts
copies=$build/check/md
mkdir -p "$copies"
python3 tests/guest/boots/facts "$build/images" >"$facts"
options=()
for case in $cases; do
	for image in "$build/images/isw-mdadm/$case"/*.img; do
		disk=${image##*/}
		name=$case.${disk%.img}
		cp --sparse=always "$image" "$copies/$name.img"
		serial=$(awk -v c="isw-mdadm/$case" -v d="$disk" '$1 == "disk" && $2 == c && $3 == d { print $5 }' "$facts")
		options+=(--disk "$name=$copies/$name.img" --serial "$name=$serial")
	done
done
tests/guest/run --dir "$build/guest" --timeout 900 "${options[@]}" -- tests/guest/cases/run "$build" md
rm -rf "$copies"
