/* SPDX-License-Identifier: GPL-2.0-or-later */
/* set.h - the claims of one array on their way to a set; shared by set.c, roster.c, arbitrate.c and condition.c. */
#ifndef FR_SET_H
#define FR_SET_H

#include <limits.h>

#include "internal.h"

enum { FR_NO_ENTRY = INT_MAX, FR_AMBIGUOUS = INT_MAX - 1 };

/* Which disk is which, where the record that counts names all the disks. */
struct fr_seating {
	size_t count;                    /* of the disks' records */
	const struct fr_claim **heads;   /* the first claim of each */
	unsigned *entries;               /* by head: its entry in the roster that counts, or FR_NO_ENTRY */
	const char **reasons;            /* by head: why it has none, or NULL */
	const char *note;                /* how disks were told apart whose keys did not, or NULL */
	bool guessed;                    /* no key fits: only the order in which the disks were given tells */
	bool gaps;                       /* and there are more places than disks */
	bool contradiction;              /* and there are more disks than places */
};

struct fr_group {
	struct fr_pool *pool;
	size_t count;
	struct fr_claim **claims;         /* all that name this array */
	const struct fr_claim *reference; /* the one that the set is made after */
	const struct fr_seating *seating; /* NULL: each claim names its own place */
	struct fr_set *set;
	const struct fr_claim **slots;    /* by slot: whose claim fills it, or NULL */
	bool contradiction;               /* no rule decides which disks belong */
	bool lagging;                     /* a good member's record is behind the reference */
	bool suspects;                    /* a good member holds old data in places */
	uint64_t disputed;                /* slots that several disks claim with equal right, a bit each */
};

/* Adds a sentence to the set's reasons. */
void fr_set_reason(struct fr_group *g, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A name as device-mapper takes it, in the pool: see fr_name_escape(). */
const char *fr_set_device_name(struct fr_pool *pool, const char *name);

bool fr_claim_is_member(const struct fr_claim *claim);
/* Whether a's record was written after b's; false where there is no telling. */
bool fr_claim_is_newer(const struct fr_claim *a, const struct fr_claim *b);

/* By how many generations a record is behind another. */
uint32_t fr_claim_behind(const struct fr_claim *claim, const struct fr_claim *newest);

/*
 * Of the heads of an array's records, those of one lineage: the one that all its disks carry, or else the newest.
 * The heads of the others are moved behind them; returns how many are left in front. *tie: no rule decides.
 */
size_t fr_roster_lineage(const struct fr_claim **heads, size_t count, bool *tie);

/* Gives each head's disk its entry in the reference's roster. */
void fr_roster_seat(struct fr_pool *pool, const struct fr_claim *reference, struct fr_seating *seating);

/* From the members in their slots: each one's size, whether it holds that, and the set's state and use. */
void fr_set_sizes(struct fr_group *g);
void fr_set_condition(struct fr_group *g);

/*
 * What the sets have to settle among each other: names that fall together, sectors that two of them claim (`chosen`
 * names those that are meant, NULL-terminated or NULL), spares that belong to none.
 */
void fr_sets_arbitrate(struct fr_pool *pool, const struct fr_claims *claims, const char *const *chosen,
		       struct fr_scan *scan);

#endif
