#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# One boot without udevd, as in an initramfs or a container.
set -eu
cd "$(dirname "$0")/../../.."
build=${FAKERAID_BUILD:-$PWD/build}
mkdir -p "$build/check"
python3 tests/guest/boots/facts "$build/images" >"$build/check/guest-facts"
tests/guest/run --dir "$build/guest" --timeout 1500 --append noiswmd -- tests/guest/cases/run "$build" \
	errors levels write readonly use failure
