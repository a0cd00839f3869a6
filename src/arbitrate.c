// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * arbitrate.c - what sets have to settle among each other: sectors that two of
 * them claim, names that fall together, spares that belong to none.
 */
#include <string.h>

#include "set.h"

/* ---- two sets that claim the same sectors ---- */

static const struct fr_member *good_member_on(const struct fr_set *set, const struct fr_member *like)
{
	for (unsigned i = 0; i < set->width; i++) {
		const struct fr_member *m = &set->members[i];

		if (m->state == FR_MEMBER_OK && m->disk == like->disk && m->offset < like->offset + like->room &&
		    like->offset < m->offset + m->room)
			return m;
	}
	return NULL;
}

static const struct fr_disk *shared_disk(const struct fr_set *a, const struct fr_set *b)
{
	for (unsigned i = 0; i < a->width; i++) {
		const struct fr_member *m = &a->members[i];

		if (m->state == FR_MEMBER_OK && good_member_on(b, m) != NULL)
			return m->disk;
	}
	return NULL;
}

static bool is_complete(const struct fr_set *set)
{
	for (unsigned i = 0; i < set->width; i++) {
		if (set->members[i].state != FR_MEMBER_OK)
			return false;
	}
	return true;
}

static void doubt_set(struct fr_pool *pool, struct fr_set *set, const struct fr_set *other, const struct fr_disk *disk)
{
	struct fr_group g = { .pool = pool, .set = set };

	fr_set_reason(&g, "%s is a member of %s, too: one of them is a left-over; --set NAME, --format or --without DISK "
		      "tell which is meant", disk->path, other->name);
	if (set->use > FR_USE_ON_REQUEST)
		set->use = FR_USE_ON_REQUEST;
}

static bool is_chosen(const struct fr_set *set, const char *const *chosen)
{
	for (; chosen != NULL && *chosen != NULL; chosen++) {
		if (fr_set_is_called(set, *chosen))
			return true;
	}
	return false;
}

/* A set that the caller means stands before one that he does not, a complete one before one with gaps. */
static int rank(const struct fr_set *set, const char *const *chosen)
{
	return 2 * is_chosen(set, chosen) + is_complete(set);
}

/* A disk with more than one past: the complete set keeps it; where that does not decide, neither is used unasked. */
static void part_sets(struct fr_pool *pool, const char *const *chosen, struct fr_scan *scan)
{
	for (size_t a = 0; a < scan->nsets; a++) {
		for (size_t b = a + 1; b < scan->nsets; b++) {
			struct fr_set *x = scan->sets[a], *y = scan->sets[b];
			const struct fr_disk *disk = shared_disk(x, y);

			if (disk == NULL || x->use == FR_USE_NEVER || y->use == FR_USE_NEVER)
				continue;
			if (rank(x, chosen) <= rank(y, chosen))
				doubt_set(pool, x, y, disk);
			if (rank(y, chosen) <= rank(x, chosen))
				doubt_set(pool, y, x, disk);
		}
	}
}

/* ---- names that fall together ---- */

static const struct fr_claim *claim_of(const struct fr_claims *claims, const struct fr_set *set)
{
	for (size_t i = 0; i < claims->count; i++) {
		if (claims->list[i]->id_text == set->id)
			return claims->list[i];
	}
	return NULL;
}

/* The set whose identity sorts first keeps the name, so that the order of the disks decides nothing. */
static void part_names(struct fr_pool *pool, const struct fr_claims *claims, struct fr_scan *scan, size_t a, size_t b)
{
	const struct fr_claim *ca = claim_of(claims, scan->sets[a]), *cb = claim_of(claims, scan->sets[b]);
	const struct fr_claim *second;
	struct fr_set *set;
	struct fr_group g = { .pool = pool };
	int order;

	if (ca == NULL || cb == NULL)
		return;
	order = memcmp(ca->id, cb->id, FR_MAX_ID);
	second = order < 0 || (order == 0 && ca->part < cb->part) ? cb : ca;
	set = scan->sets[second == cb ? b : a];
	g.set = set;
	if (order == 0 && set->use > FR_USE_ON_REQUEST)
		set->use = FR_USE_ON_REQUEST; /* two names in one record: no firmware writes that */
	set->name = fr_set_device_name(pool, fr_pool_text(pool, "%s%s", second->name,
						   second->name_suffix == NULL ? "_2" : second->name_suffix));
	fr_set_reason(&g, "another array has the name %s, too: this one is called %s", second->name, set->name);
}

/* Whether one of the sets before it has the same name. */
static bool is_shared(const struct fr_scan *scan, size_t b)
{
	for (size_t a = 0; a < b; a++) {
		if (strcmp(scan->sets[a]->name, scan->sets[b]->name) == 0)
			return true;
	}
	return false;
}

/* A number at the end of a name, which is cut if it has to be. */
static const char *numbered(struct fr_pool *pool, const char *name, unsigned number)
{
	enum { ROOM = 11 }; /* for "_4294967295" */

	return fr_pool_text(pool, "%.*s_%u", FR_MAX_DM_NAME - ROOM, name, number);
}

static void part_all_names(struct fr_pool *pool, const struct fr_claims *claims, struct fr_scan *scan)
{
	for (size_t a = 0; a < scan->nsets; a++) {
		for (size_t b = a + 1; b < scan->nsets; b++) {
			if (strcmp(scan->sets[a]->name, scan->sets[b]->name) == 0)
				part_names(pool, claims, scan, a, b);
		}
	}
	for (size_t b = 0; b < scan->nsets; b++) { /* names that are equal once more */
		const char *name = scan->sets[b]->name;

		for (unsigned n = 2; is_shared(scan, b); n++)
			scan->sets[b]->name = numbered(pool, name, n);
	}
}

/* ---- spares that no array has taken yet ---- */

static void share_spare(struct fr_pool *pool, const struct fr_claim *c, struct fr_set *set)
{
	struct fr_member *spares = fr_pool_longer(pool, set->spares, set->nspares, 1, sizeof(*spares));

	if (spares == NULL)
		return;
	spares[set->nspares++] = (struct fr_member){
		.index = UINT_MAX, .disk = c->disk, .state = FR_MEMBER_OK, .serial = c->disk->serial,
	};
	set->spares = spares;
}

/* The firmware takes such a spare for whichever of its arrays needs one. */
static void share_spares(struct fr_pool *pool, const struct fr_claims *claims, struct fr_scan *scan)
{
	for (size_t i = 0; i < claims->count; i++) {
		const struct fr_claim *c = claims->list[i];

		if (c->role != FR_ROLE_ANY_SPARE || c->fault != NULL)
			continue;
		for (size_t k = 0; k < scan->nsets; k++) {
			if (scan->sets[k]->format == c->format && fr_level_is_redundant(scan->sets[k]->level))
				share_spare(pool, c, scan->sets[k]);
		}
	}
}

void fr_sets_arbitrate(struct fr_pool *pool, const struct fr_claims *claims, const char *const *chosen,
		       struct fr_scan *scan)
{
	part_all_names(pool, claims, scan);
	part_sets(pool, chosen, scan);
	share_spares(pool, claims, scan);
}
