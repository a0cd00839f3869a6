/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FR_PLAN_H
#define FR_PLAN_H

#include "internal.h"

#define FR_UUID_PREFIX "DMRAID-"        /* what udev rules, lvm filters and installers know such devices by */
#define FR_ZERO_NAME "fakeraid-nometa"

enum { FR_ZERO_SECTORS = 8192 };        /* 16 would do for the raid target */

/*
 * The one look at a plan before any sink sees it: targets without gaps, of lengths that the kernel takes; nothing
 * outside a member's data area; no disk area twice; every device over earlier ones only. 0, or -EINVAL.
 */
int fr_plan_check(const struct fr_plan *plan, struct fr_error *err);

#endif
