// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * set.c - which claims belong together, which are stale, which slots are
 * empty. Knows claims only: no format, and no disk is read.
 */
#include "set.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

_Static_assert(FR_MAX_WIDTH <= 64, "a slot is a bit of fr_group.disputed");

void fr_set_reason(struct fr_group *g, const char *format, ...)
{
	struct fr_set *set = g->set;
	const char **reasons = fr_pool_longer(g->pool, set->reasons, set->nreasons, 1, sizeof(*reasons));
	va_list args;

	if (reasons == NULL)
		return;
	va_start(args, format);
	reasons[set->nreasons] = fr_pool_vtext(g->pool, format, args);
	va_end(args);
	set->reasons = reasons;
	set->nreasons++;
}

/* ---- which claims to believe ---- */

static bool is_member(const struct fr_claim *c)
{
	return c->fault == NULL && c->role == FR_ROLE_MEMBER;
}

static bool is_newer(const struct fr_claim *a, const struct fr_claim *b)
{
	return a->has_generation && b->has_generation && (int32_t)(a->generation - b->generation) > 0;
}

static const struct fr_claim *newest(const struct fr_group *g)
{
	const struct fr_claim *best = NULL;

	for (size_t i = 0; i < g->count; i++) {
		if (is_member(g->claims[i]) && (best == NULL || is_newer(g->claims[i], best)))
			best = g->claims[i];
	}
	return best;
}

/* Not cleanly closed is no contradiction to cleanly closed: the disks are written one after the other. */
static enum fr_activity settled(enum fr_activity activity)
{
	return activity == FR_ACTIVITY_DIRTY ? FR_ACTIVITY_NONE : activity;
}

static const char *more_facts(const struct fr_claim *c)
{
	return c->agreement == NULL ? "" : c->agreement;
}

static bool agree(const struct fr_claim *a, const struct fr_claim *b)
{
	if (a->level != b->level || a->layout != b->layout || a->width != b->width || a->chunk != b->chunk ||
	    a->set_sectors != b->set_sectors || settled(a->activity) != settled(b->activity) ||
	    strcmp(more_facts(a), more_facts(b)) != 0)
		return false;
	return !fr_level_is_redundant(a->level) || a->failure_known == b->failure_known;
}

static unsigned votes(const struct fr_group *g, const struct fr_claim *for_this, const struct fr_claim *front)
{
	unsigned count = 0;

	for (size_t i = 0; i < g->count; i++) {
		const struct fr_claim *c = g->claims[i];

		if (is_member(c) && !is_newer(front, c) && agree(c, for_this))
			count++;
	}
	return count;
}

/*
 * How much a claim's word counts: an array that is understood before one that is not; a disk that knows of a
 * failure before one that does not, since the survivors were written later; then the number that agree.
 */
static unsigned weight(const struct fr_group *g, const struct fr_claim *c, const struct fr_claim *front)
{
	unsigned w = votes(g, c, front);

	if (c->state == FR_MEMBER_OK)
		w += 2 * FR_MAX_DISKS;
	if (c->failure_known && fr_level_is_redundant(c->level))
		w += 4 * FR_MAX_DISKS;
	if (c->unsupported == NULL)
		w += 8 * FR_MAX_DISKS;
	return w;
}

/* Chooses the reference among the claims of the newest generation. */
static void choose_reference(struct fr_group *g)
{
	const struct fr_claim *front = newest(g);

	for (size_t i = 0; i < g->count; i++) {
		const struct fr_claim *c = g->claims[i];

		if (!is_member(c) || is_newer(front, c))
			continue;
		if (g->reference == NULL || weight(g, c, front) > weight(g, g->reference, front)) {
			g->reference = c;
			g->contradiction = false;
		} else if (!agree(c, g->reference) && weight(g, c, front) == weight(g, g->reference, front)) {
			g->contradiction = true;
		}
	}
	for (size_t i = 0; i < g->count; i++) { /* half a turn of the counter apart: neither is the older one */
		const struct fr_claim *c = g->claims[i];

		if (is_member(c) && c->has_generation && !is_newer(front, c) && c->generation != front->generation)
			g->contradiction = true;
	}
}

/* The array as a claim describes it. */
static const char *geometry(const struct fr_group *g, const struct fr_claim *c)
{
	return fr_pool_text(g->pool, "level %s, width %u, chunk %u, array capacity %llu%s%s", fr_level_name(c->level),
			    c->width, c->chunk, (unsigned long long)c->set_sectors,
			    c->agreement == NULL ? "" : ", ", more_facts(c));
}

/* Why a claim is not believed though it is whole, or NULL. */
static const char *stale_reason(const struct fr_group *g, const struct fr_claim *c)
{
	const struct fr_claim *ref = g->reference;

	if (is_newer(ref, c))
		return fr_pool_text(g->pool, "generation %u, the array is at %u: %u behind", c->generation,
				    ref->generation, ref->generation - c->generation);
	if (agree(c, ref))
		return NULL;
	if (fr_level_is_redundant(ref->level) && ref->failure_known && !c->failure_known)
		return "does not know of a failure that the others record";
	if (c->level == ref->level && c->set_sectors == ref->set_sectors && c->chunk == ref->chunk &&
	    settled(c->activity) != settled(ref->activity))
		return "records another job than the others";
	return fr_pool_text(g->pool, "records another array than the others: %s; theirs: %s", geometry(g, c),
			    geometry(g, ref));
}

/* ---- from claims to members ---- */

static struct fr_member member_of(const struct fr_claim *c, enum fr_member_state state, const char *reason)
{
	return (struct fr_member){
		.index = c->index, .disk = c->disk, .offset = c->offset, .room = c->room, .state = state,
		.serial = c->disk->serial, .has_generation = c->has_generation, .generation = c->generation,
		.reason = reason,
	};
}

static void append(struct fr_group *g, struct fr_member **list, size_t *count, struct fr_member member)
{
	struct fr_member *grown = fr_pool_longer(g->pool, *list, *count, 1, sizeof(*grown));

	if (grown == NULL)
		return;
	grown[*count] = member;
	*list = grown;
	(*count)++;
}

static void leave_out(struct fr_group *g, const struct fr_claim *c, enum fr_member_state state, const char *reason)
{
	struct fr_member member = member_of(c, state, reason);

	if (c->fault != NULL)
		member.index = UINT_MAX;
	append(g, &g->set->left_out, &g->set->nleft_out, member);
}

static void place(struct fr_group *g, const struct fr_claim *c, enum fr_member_state state, const char *reason)
{
	g->set->members[c->index] = member_of(c, state, reason);
	g->slots[c->index] = c;
}

static void vacate(struct fr_group *g, unsigned slot)
{
	g->set->members[slot] = (struct fr_member){ .index = slot, .state = FR_MEMBER_MISSING };
	g->slots[slot] = NULL;
}

/* Two disks of one slot: a good one stands before a failed one; of two good ones neither is chosen. */
static void place_twice(struct fr_group *g, const struct fr_claim *c, enum fr_member_state state, const char *reason)
{
	const struct fr_claim *old = g->slots[c->index];
	struct fr_member *m = &g->set->members[c->index];
	const char *both;

	if (m->state == FR_MEMBER_OK && state != FR_MEMBER_OK) {
		leave_out(g, c, state, reason);
		return;
	}
	if (m->state != FR_MEMBER_OK) {
		leave_out(g, old, m->state, m->reason);
		place(g, c, state, reason);
		return;
	}
	both = fr_pool_text(g->pool, "%s and %s both say that they are member %u", old->disk->path, c->disk->path,
			    c->index);
	fr_set_reason(g, "%s; neither is chosen: look at the set with only the right one given", both);
	leave_out(g, old, FR_MEMBER_STALE, both);
	leave_out(g, c, FR_MEMBER_STALE, both);
	g->contradiction = true;
	g->disputed |= UINT64_C(1) << c->index;
	vacate(g, c->index);
}

static const char *state_reason(const struct fr_claim *c)
{
	switch (c->state) {
	case FR_MEMBER_FAILED:
		return "marked as failed";
	case FR_MEMBER_REBUILDING:
		return "being rebuilt, and not complete";
	default:
		return NULL;
	}
}

/* The others' records are understood, this one is not. */
static bool is_not_understood(const struct fr_group *g, const struct fr_claim *c)
{
	return c->unsupported != NULL && g->reference->unsupported == NULL;
}

static void place_members(struct fr_group *g)
{
	for (size_t i = 0; i < g->count; i++) {
		const struct fr_claim *c = g->claims[i];
		enum fr_member_state state = c->state;
		const char *reason = state_reason(c);

		if (!is_member(c) || is_not_understood(g, c) || stale_reason(g, c) != NULL)
			continue;
		if ((g->disputed >> c->index & 1) != 0)
			leave_out(g, c, FR_MEMBER_STALE, "several disks say that they are this member");
		else if (g->slots[c->index] == NULL)
			place(g, c, state, reason);
		else
			place_twice(g, c, state, reason);
	}
}

/* A stale disk is shown in its slot if that is empty. */
static void place_stale(struct fr_group *g)
{
	for (size_t i = 0; i < g->count; i++) {
		const struct fr_claim *c = g->claims[i];
		enum fr_member_state state = c->state == FR_MEMBER_FAILED ? FR_MEMBER_FAILED : FR_MEMBER_STALE;
		const char *reason;

		if (c->fault != NULL || is_not_understood(g, c)) {
			leave_out(g, c, FR_MEMBER_STALE, c->fault != NULL ? c->fault : c->unsupported);
			continue;
		}
		if (c->role == FR_ROLE_SPARE) {
			append(g, &g->set->spares, &g->set->nspares, member_of(c, FR_MEMBER_OK, NULL));
			continue;
		}
		reason = stale_reason(g, c);
		if (reason == NULL)
			continue;
		if (c->index < g->set->width && g->slots[c->index] == NULL && !g->contradiction)
			place(g, c, state, reason);
		else
			leave_out(g, c, state, reason);
	}
}

/* ---- the blocks' verdicts ---- */

/* All that this format found on the disk belongs to the set, but what the format itself called foreign. */
static void judge_looks(const struct fr_group *g)
{
	for (size_t i = 0; i < g->count; i++) {
		const struct fr_claim *c = g->claims[i];
		const char *stale = is_member(c) ? stale_reason(g, c) : NULL;

		for (size_t k = 0; k < c->disk->nlooks; k++) {
			struct fr_look *look = &c->disk->looks[k];

			if (look->format != c->format || look->set != NULL || look->verdict == FR_VERDICT_NONE ||
			    look->verdict == FR_VERDICT_FOREIGN)
				continue;
			look->set = g->set;
			if (stale != NULL && look->verdict == FR_VERDICT_VALID) {
				look->verdict = FR_VERDICT_STALE;
				look->reason = stale;
			}
		}
	}
}

/* ---- one set ---- */

static const char *device_name(struct fr_pool *pool, const char *name)
{
	char escaped[FR_MAX_DM_NAME + 1];

	fr_name_escape(escaped, sizeof(escaped), name, strlen(name));
	return fr_pool_text(pool, "%s", escaped);
}

static struct fr_set *new_set(struct fr_pool *pool, const struct fr_claim *ref)
{
	struct fr_set *set = fr_pool_array(pool, 1, sizeof(*set));
	unsigned width = ref->width <= FR_MAX_WIDTH ? ref->width : 0;

	if (set == NULL)
		return NULL;
	*set = (struct fr_set){
		.name = device_name(pool, ref->name), .format = ref->format, .id = ref->id_text,
		.volume = ref->volume, .level = ref->level, .layout = ref->layout, .chunk = ref->chunk,
		.sectors = ref->set_sectors, .width = width,
	};
	set->members = fr_pool_array(pool, width + 1, sizeof(*set->members));
	return set->members == NULL ? NULL : set;
}

static struct fr_set *make_set(struct fr_group *g)
{
	choose_reference(g);
	if (g->reference == NULL)
		return NULL;
	g->set = new_set(g->pool, g->reference);
	g->slots = fr_pool_array(g->pool, FR_MAX_WIDTH, sizeof(const struct fr_claim *));
	if (g->set == NULL || g->slots == NULL)
		return NULL;
	for (unsigned i = 0; i < g->set->width; i++)
		vacate(g, i);
	if (g->contradiction)
		fr_set_reason(g, "the members' records contradict each other, and no rule decides: look at the set "
			      "with only the right disks given");
	place_members(g);
	place_stale(g);
	fr_set_sizes(g);
	fr_set_condition(g);
	judge_looks(g);
	return g->set;
}

/* ---- groups ---- */

static bool same_array(const struct fr_claim *a, const struct fr_claim *b)
{
	if (a->format != b->format || a->id_length != b->id_length || memcmp(a->id, b->id, a->id_length) != 0)
		return false;
	return a->volume == NULL || b->volume == NULL ? a->volume == b->volume : strcmp(a->volume, b->volume) == 0;
}

/* Claims of an array none of whose members is here. */
static void no_set(struct fr_pool *pool, const struct fr_group *g, struct fr_scan *scan)
{
	for (size_t i = 0; i < g->count; i++) {
		const struct fr_claim *c = g->claims[i];

		if (c->fault == NULL)
			fr_problem_add(pool, scan, c->disk->path, c->format, &c->lba, false,
				       "spare of an array of which no member is here");
	}
}

static void add_set(struct fr_scan *scan, struct fr_set *set)
{
	if (set != NULL)
		scan->sets[scan->nsets++] = set;
}

static void make_group(struct fr_pool *pool, const struct fr_claims *claims, size_t first, bool *taken,
		       struct fr_scan *scan)
{
	struct fr_group g = { .pool = pool };
	bool any = false;

	g.claims = fr_pool_array(pool, claims->count, sizeof(struct fr_claim *));
	if (g.claims == NULL)
		return;
	for (size_t i = first; i < claims->count; i++) {
		if (taken[i] || !same_array(claims->list[first], claims->list[i]))
			continue;
		taken[i] = true;
		g.claims[g.count++] = claims->list[i];
		any = any || is_member(claims->list[i]);
	}
	if (any)
		add_set(scan, make_set(&g));
	else
		no_set(pool, &g, scan);
}

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

	fr_set_reason(&g, "%s is a member of %s, too: one of them is a left-over; --format tells which is meant",
		      disk->path, other->name);
	if (set->use > FR_USE_ON_REQUEST)
		set->use = FR_USE_ON_REQUEST;
}

/* A disk with more than one past: the complete set keeps it; where that does not decide, neither is used unasked. */
static void part_sets(struct fr_pool *pool, struct fr_scan *scan)
{
	for (size_t a = 0; a < scan->nsets; a++) {
		for (size_t b = a + 1; b < scan->nsets; b++) {
			struct fr_set *x = scan->sets[a], *y = scan->sets[b];
			const struct fr_disk *disk = shared_disk(x, y);

			if (disk == NULL || x->use == FR_USE_NEVER || y->use == FR_USE_NEVER)
				continue;
			if (is_complete(x) <= is_complete(y))
				doubt_set(pool, x, y, disk);
			if (is_complete(y) <= is_complete(x))
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

	if (ca == NULL || cb == NULL)
		return;
	second = memcmp(ca->id, cb->id, FR_MAX_ID) < 0 ? cb : ca;
	set = scan->sets[second == cb ? b : a];
	g.set = set;
	set->name = device_name(pool, fr_pool_text(pool, "%s%s", second->name,
						   second->name_suffix == NULL ? "_2" : second->name_suffix));
	fr_set_reason(&g, "another array has the name %s, too: this one is called %s", second->name, set->name);
}

static void part_all_names(struct fr_pool *pool, const struct fr_claims *claims, struct fr_scan *scan)
{
	for (size_t a = 0; a < scan->nsets; a++) {
		for (size_t b = a + 1; b < scan->nsets; b++) {
			if (strcmp(scan->sets[a]->name, scan->sets[b]->name) == 0)
				part_names(pool, claims, scan, a, b);
		}
	}
	for (size_t a = 0; a < scan->nsets; a++) { /* names that a hostile disk made equal once more */
		for (size_t b = a + 1; b < scan->nsets; b++) {
			if (strcmp(scan->sets[a]->name, scan->sets[b]->name) == 0)
				scan->sets[b]->name = device_name(pool, fr_pool_text(pool, "%s_%s", scan->sets[b]->name,
										     scan->sets[b]->id));
		}
	}
}

void fr_sets_make(struct fr_pool *pool, const struct fr_claims *claims, struct fr_scan *scan)
{
	bool *taken = fr_pool_array(pool, claims->count + 1, sizeof(*taken));

	scan->sets = fr_pool_array(pool, claims->count + 1, sizeof(struct fr_set *));
	if (taken == NULL || scan->sets == NULL)
		return;
	for (size_t i = 0; i < claims->count; i++) {
		const struct fr_claim *c = claims->list[i];

		for (size_t k = 0; k < c->nremarks; k++)
			fr_problem_add(pool, scan, c->disk->path, c->format, &c->remarks[k].lba, false,
				       c->remarks[k].text);
		if (c->fault != NULL)
			fr_problem_add(pool, scan, c->disk->path, c->format, &c->lba, false, c->fault);
		if (c->id_length != 0 && !taken[i])
			make_group(pool, claims, i, taken, scan);
	}
	part_all_names(pool, claims, scan);
	part_sets(pool, scan);
}
