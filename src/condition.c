// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * condition.c - from members in their slots to sizes, the set's state, and how
 * far it may be used. A wrong mapping is worse than none: what no rule decides
 * is not used.
 */
#include <stdio.h>

#include "set.h"

/* ---- sizes ---- */

/* All members are alike. */
static void equal_sizes(struct fr_group *g)
{
	uint64_t need;

	if (!fr_claim_need(g->reference, &need))
		return;
	for (unsigned i = 0; i < g->set->width; i++) {
		struct fr_member *m = &g->set->members[i];

		m->sectors = g->reference->member_sectors != 0 ? g->reference->member_sectors : need;
		if (m->state != FR_MEMBER_OK || m->room >= need)
			continue;
		m->state = FR_MEMBER_FAILED; /* its own record asked for less */
		m->reason = fr_pool_text(g->pool, "the disk has room for %llu sectors, the array asks for %llu",
					 (unsigned long long)m->room, (unsigned long long)need);
	}
}

/* The sum of what the members give by one rule, as far as they are there. */
static uint64_t share_sum(const struct fr_group *g, size_t rule)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < g->set->width; i++) {
		if (g->slots[i] == NULL || rule >= g->slots[i]->nshares || !fr_add(sum, g->slots[i]->shares[rule], &sum))
			return 0;
	}
	return sum;
}

static bool same_shares(const struct fr_group *g, size_t a, size_t b)
{
	for (unsigned i = 0; i < g->set->width; i++) {
		if (g->slots[i]->shares[a] != g->slots[i]->shares[b])
			return false;
	}
	return true;
}

static void take_shares(struct fr_group *g, size_t rule)
{
	for (unsigned i = 0; i < g->set->width; i++) {
		struct fr_member *m = &g->set->members[i];

		m->sectors = g->slots[i]->shares[rule];
		if (m->room < m->sectors && m->sectors <= g->slots[i]->peer_room)
			m->room = m->sectors; /* dmraid's rule reaches further than the firmware's own */
		if (m->room < m->sectors) {
			m->state = FR_MEMBER_FAILED;
			m->reason = fr_pool_text(g->pool, "the disk has room for %llu sectors, %llu are its part of the "
						 "array", (unsigned long long)m->room, (unsigned long long)m->sectors);
		}
	}
}

/* The sizes in a span are not recorded: the rule whose sum is the array's size counts, and no other. */
static void span_sizes(struct fr_group *g)
{
	size_t fits = FR_MAX_SHARES;
	char sums[128] = "";
	size_t at = 0;

	for (unsigned i = 0; i < g->set->width; i++) {
		if (g->slots[i] == NULL)
			return; /* nothing to add up, and nothing to map */
	}
	for (size_t rule = 0; rule < FR_MAX_SHARES && rule < g->reference->nshares; rule++) {
		uint64_t sum = share_sum(g, rule);

		at += (size_t)snprintf(sums + at, sizeof(sums) - at, "%s%llu", rule == 0 ? "" : ", ",
				       (unsigned long long)sum);
		if (sum != g->set->sectors)
			continue;
		if (fits < FR_MAX_SHARES && !same_shares(g, fits, rule)) {
			g->contradiction = true;
			fr_set_reason(g, "two rules for the members' sizes fit the array's: it cannot be told which "
				      "one the firmware used");
			return;
		}
		if (fits == FR_MAX_SHARES)
			fits = rule;
	}
	if (fits == FR_MAX_SHARES) {
		g->contradiction = true;
		fr_set_reason(g, "the array has %llu sectors, and no rule for the members' sizes gives that: their "
			      "sums are %s", (unsigned long long)g->set->sectors, sums);
		return;
	}
	take_shares(g, fits);
}

/* The size that dmraid gives the set, where it is larger and there is room for it. */
static void peer_size(struct fr_group *g)
{
	struct fr_set *set = g->set;
	uint64_t least = UINT64_MAX, size;

	for (unsigned i = 0; i < set->width; i++) {
		uint64_t room = g->slots[i] == NULL ? 0 : g->slots[i]->peer_room;

		if (room < least) /* of all members: one that is not there may have been the smallest */
			least = room;
	}
	if (least == UINT64_MAX || least == 0)
		return;
	size = least;
	if (fr_level_is_striped(set->level) &&
	    !fr_multiply(least - least % set->chunk, fr_level_columns(set->level, set->width), &size))
		return;
	if (size <= set->sectors)
		return;
	set->peer_sectors = size;
	set->peer_read_only = g->reference->peer_read_only;
	for (unsigned i = 0; i < set->width; i++) {
		if (set->members[i].room < least)
			set->members[i].room = least;
	}
}

void fr_set_sizes(struct fr_group *g)
{
	if (g->reference->unsupported != NULL || g->set->level == FR_LEVEL_UNKNOWN)
		return;
	if (g->set->level == FR_LEVEL_LINEAR) {
		span_sizes(g);
	} else {
		equal_sizes(g);
		peer_size(g);
	}
}

/* ---- what is left of it ---- */

static bool is_ok(const struct fr_set *set, unsigned slot)
{
	return set->members[slot].state == FR_MEMBER_OK;
}

static unsigned count_ok(const struct fr_set *set)
{
	unsigned count = 0;

	for (unsigned i = 0; i < set->width; i++)
		count += is_ok(set, i);
	return count;
}

/* Whether every column has a copy 0; with `any`, a copy 0 or 1. */
static bool columns_have(const struct fr_set *set, bool any)
{
	for (unsigned c = 0; c < fr_level_columns(set->level, set->width); c++) {
		if (!is_ok(set, fr_level_slot(set->level, set->width, c, 0)) &&
		    !(any && is_ok(set, fr_level_slot(set->level, set->width, c, 1))))
			return false;
	}
	return true;
}

static bool is_readable(const struct fr_set *set)
{
	unsigned ok = count_ok(set);

	switch (set->level) {
	case FR_LEVEL_RAID1:
		return ok > 0;
	case FR_LEVEL_RAID10:
	case FR_LEVEL_RAID01:
		return set->width >= 2 && set->width % 2 == 0 && columns_have(set, true);
	case FR_LEVEL_RAID4:
	case FR_LEVEL_RAID5:
		return ok == set->width || (ok + 1 == set->width && set->parity_valid);
	case FR_LEVEL_LINEAR:
	case FR_LEVEL_RAID0:
		return set->width > 0 && ok == set->width;
	case FR_LEVEL_UNKNOWN:
		break;
	}
	return false;
}

/* Whether the copies that a read would use first are there: those from which the others are made. */
static bool has_first_copies(const struct fr_set *set)
{
	return set->level == FR_LEVEL_RAID1 ? is_ok(set, 0) : columns_have(set, false);
}

/* ---- state and use: each rule lowers what is allowed, and says why ---- */

static void limit(struct fr_set *set, enum fr_set_state state, enum fr_use use)
{
	if (set->state < state)
		set->state = state;
	if (set->use > use)
		set->use = use;
}

static void say_members(struct fr_group *g)
{
	for (unsigned i = 0; i < g->set->width; i++) {
		const struct fr_member *m = &g->set->members[i];

		if (m->state == FR_MEMBER_MISSING)
			fr_set_reason(g, "member %u is missing%s%s", i, m->serial == NULL ? "" : ": serial ",
				      m->serial == NULL ? "" : m->serial);
		else if (m->state != FR_MEMBER_OK)
			fr_set_reason(g, "member %u (%s) is %s: %s", i, m->disk->path, fr_member_state_name(m->state),
				      m->reason == NULL ? "its record says so" : m->reason);
	}
}

static bool any_member(const struct fr_set *set, enum fr_member_state state)
{
	for (unsigned i = 0; i < set->width; i++) {
		if (set->members[i].state == state)
			return true;
	}
	return false;
}

/* All members are there and seem good, but the records say that one is not: which, nobody knows. */
static void one_is_stale(struct fr_group *g, enum fr_set_state state, enum fr_use copies_use, const char *why)
{
	struct fr_set *set = g->set;

	set->in_sync = false;
	fr_set_reason(g, "%s, and it is not recorded which; %s", why,
		      fr_level_has_parity(set->level) ? "with parity there is no safe way to read it" :
		      "only the first copy is read");
	limit(set, state, fr_level_has_parity(set->level) ? FR_USE_NEVER : copies_use);
}

static bool any_failure_known(const struct fr_group *g)
{
	for (unsigned i = 0; i < g->set->width; i++) {
		if (g->slots[i] != NULL && g->slots[i]->failure_known)
			return true;
	}
	return false;
}

static void members_rule(struct fr_group *g)
{
	struct fr_set *set = g->set;
	const struct fr_claim *ref = g->reference;

	bool rebuilding = any_member(set, FR_MEMBER_REBUILDING);

	if (ref->activity == FR_ACTIVITY_REBUILDING && !rebuilding) {
		one_is_stale(g, FR_SET_REBUILDING, FR_USE_ON_REQUEST, "a member is being rebuilt");
	} else if (count_ok(set) < set->width) {
		limit(set, rebuilding ? FR_SET_REBUILDING : FR_SET_DEGRADED, FR_USE_READ_ONLY_FIRST);
	} else if (ref->failure_known && fr_level_is_redundant(set->level)) {
		one_is_stale(g, FR_SET_DEGRADED, FR_USE_READ_ONLY_FIRST, "the records say that a member had failed");
	} else if (g->seating == NULL && any_failure_known(g)) {
		fr_set_reason(g, "the firmware has marked the array as failed, though all members are here");
		limit(set, FR_SET_DIRTY, FR_USE_READ_ONLY_FIRST);
	}
}

/* Copies or parity are being made from the first copy, or from the data. */
static void unfinished_rule(struct fr_group *g, enum fr_set_state state)
{
	struct fr_set *set = g->set;

	if (fr_level_has_copies(set->level)) {
		set->in_sync = false;
		fr_set_reason(g, "the copies are not yet equal: only the first is read");
		limit(set, state, has_first_copies(set) ? FR_USE_READ_ONLY_FIRST : FR_USE_ON_REQUEST);
	} else if (fr_level_has_parity(set->level)) {
		fr_set_reason(g, "the parity is not yet valid: the firmware has to finish first");
		limit(set, state, set->parity_valid ? FR_USE_READ_ONLY_FIRST : FR_USE_READ_ONLY);
	} else {
		fr_set_reason(g, "the firmware has not finished what it does with the array");
		limit(set, state, FR_USE_READ_WRITE);
	}
}

static void unclean_rule(struct fr_group *g)
{
	struct fr_set *set = g->set;

	if (fr_level_has_copies(set->level) && count_ok(set) > 1) {
		set->in_sync = false;
		fr_set_reason(g, "not cleanly closed: the copies may differ, and only the first is read");
	} else {
		fr_set_reason(g, "not cleanly closed");
	}
	limit(set, FR_SET_DIRTY, fr_level_has_parity(set->level) && count_ok(set) < set->width ?
	      FR_USE_READ_ONLY : FR_USE_READ_WRITE);
}

static bool any_unclean(const struct fr_group *g)
{
	if (g->seating != NULL)
		return g->lagging || g->reference->activity == FR_ACTIVITY_DIRTY;
	for (unsigned i = 0; i < g->set->width; i++) {
		if (g->slots[i] != NULL && is_ok(g->set, i) && g->slots[i]->activity == FR_ACTIVITY_DIRTY)
			return true;
	}
	return false;
}

static void activity_rule(struct fr_group *g)
{
	switch (g->reference->activity) {
	case FR_ACTIVITY_MIGRATING:
		fr_set_reason(g, "a migration is under way: two layouts in one array%s%s",
			      g->reference->activity_text == NULL ? "" : ": ",
			      g->reference->activity_text == NULL ? "" : g->reference->activity_text);
		limit(g->set, FR_SET_MIGRATING, FR_USE_NEVER);
		break;
	case FR_ACTIVITY_INITIALIZING:
		unfinished_rule(g, FR_SET_INITIALIZING);
		break;
	case FR_ACTIVITY_SYNCING:
		unfinished_rule(g, FR_SET_DIRTY);
		break;
	case FR_ACTIVITY_UNKNOWN:
		g->set->in_sync = !fr_level_has_copies(g->set->level);
		limit(g->set, FR_SET_DIRTY, FR_USE_READ_ONLY);
		break;
	case FR_ACTIVITY_DIRTY:
	case FR_ACTIVITY_REBUILDING:
	case FR_ACTIVITY_NONE:
		if (any_unclean(g))
			unclean_rule(g);
		break;
	}
}

/* What the members' own records leave in doubt. */
static void caution_rule(struct fr_group *g)
{
	const char *doubt = NULL, *caution = NULL;

	for (unsigned i = 0; i < g->set->width; i++) {
		const struct fr_claim *c = is_ok(g->set, i) ? g->slots[i] : NULL;

		if (c != NULL && doubt == NULL)
			doubt = c->doubt;
		if (c != NULL && caution == NULL)
			caution = c->caution;
	}
	if (caution != NULL) {
		fr_set_reason(g, "%s: not written to", caution);
		limit(g->set, FR_SET_OK, FR_USE_READ_ONLY);
	}
	if (doubt != NULL) {
		fr_set_reason(g, "%s", doubt);
		limit(g->set, FR_SET_OK, FR_USE_ON_REQUEST);
	}
}

/* Disks that were told apart by their order alone: a wrong order gives rubbish that looks like data. */
static void order_rule(struct fr_group *g)
{
	const struct fr_seating *s = g->seating;

	if (s == NULL || s->note == NULL || g->set->width < 2)
		return;
	fr_set_reason(g, "%s", s->note);
	if (!s->guessed || !(fr_level_is_striped(g->set->level) || g->set->level == FR_LEVEL_LINEAR))
		return;
	limit(g->set, FR_SET_OK, s->gaps ? FR_USE_ON_REQUEST : FR_USE_READ_ONLY);
}

/* Members that the newest record calls good, and of which there is more to say: their records are behind, say. */
static void say_lagging(struct fr_group *g)
{
	for (unsigned i = 0; i < g->set->width && (g->lagging || g->suspects); i++) {
		const struct fr_member *m = &g->set->members[i];

		if (m->state == FR_MEMBER_OK && m->reason != NULL)
			fr_set_reason(g, "member %u (%s): %s", i, m->disk->path, m->reason);
	}
	if (!fr_level_is_redundant(g->set->level))
		g->lagging = false; /* worth saying, and nothing to make equal */
}

static bool any_parity_invalid(const struct fr_group *g)
{
	for (unsigned i = 0; i < g->set->width; i++) {
		if (g->slots[i] != NULL && is_ok(g->set, i) && g->slots[i]->parity_invalid)
			return true;
	}
	return false;
}

void fr_set_condition(struct fr_group *g)
{
	struct fr_set *set = g->set;

	set->state = FR_SET_OK;
	set->use = FR_USE_READ_WRITE;
	set->in_sync = !g->suspects;
	set->parity_valid = fr_level_has_parity(set->level) && !any_parity_invalid(g);
	say_members(g);
	say_lagging(g);
	if (g->reference->unsupported != NULL) {
		fr_set_reason(g, "%s", g->reference->unsupported);
		limit(set, FR_SET_UNSUPPORTED, FR_USE_NEVER);
		return;
	}
	if (g->reference->broken != NULL)
		fr_set_reason(g, "%s", g->reference->broken);
	if (g->contradiction || g->reference->broken != NULL || !is_readable(set)) {
		if (fr_level_has_parity(set->level) && !set->parity_valid && count_ok(set) + 1 == set->width)
			fr_set_reason(g, "the parity is not valid: no member can be computed from the others");
		limit(set, FR_SET_BROKEN, FR_USE_NEVER);
		return;
	}
	members_rule(g);
	activity_rule(g);
	caution_rule(g);
	order_rule(g);
}
