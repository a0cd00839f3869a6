/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FR_TABLE_H
#define FR_TABLE_H

#include "internal.h"

/* Writes into buf what the kernel or the reader is to call a leg's disk or device. */
typedef void fr_leg_name_fn(void *data, const struct fr_plan *plan, const struct fr_leg *leg, char *buf, size_t size);

/* device-mapper's word for the target. */
const char *fr_target_type(const struct fr_target *t);

/* The parameters that follow start, length and type, allocated with malloc(); NULL without memory. */
char *fr_target_params(const struct fr_plan *plan, const struct fr_target *t, fr_leg_name_fn *name, void *data);

#endif
