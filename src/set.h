/* SPDX-License-Identifier: GPL-2.0-or-later */
/* set.h - the claims of one array on their way to a set; shared by set.c and condition.c. */
#ifndef FR_SET_H
#define FR_SET_H

#include "internal.h"

struct fr_group {
	struct fr_pool *pool;
	size_t count;
	struct fr_claim **claims;         /* all that name this array */
	const struct fr_claim *reference; /* the one that the set is made after */
	struct fr_set *set;
	const struct fr_claim **slots;    /* by slot: whose claim fills it, or NULL */
	bool contradiction;               /* no rule decides which disks belong */
	uint64_t disputed;                /* slots that several disks claim with equal right, a bit each */
};

/* Adds a sentence to the set's reasons. */
void fr_set_reason(struct fr_group *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* From the members in their slots: each one's size, whether it holds that, and the set's state and use. */
void fr_set_sizes(struct fr_group *g);
void fr_set_condition(struct fr_group *g);

#endif
