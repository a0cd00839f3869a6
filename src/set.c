// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * set.c - which claims belong together, which are stale, which slots are
 * empty. Knows claims only: no format, and no disk is read.
 */
#include "set.h"

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

bool fr_claim_is_member(const struct fr_claim *c)
{
	return c->fault == NULL && c->role == FR_ROLE_MEMBER;
}

/* The counter may turn over: half of its range ahead is newer. */
bool fr_claim_is_newer(const struct fr_claim *a, const struct fr_claim *b)
{
	unsigned unused = a->generation_bits == 0 ? 0 : 32 - a->generation_bits;

	return a->has_generation && b->has_generation && (int32_t)((a->generation - b->generation) << unused) > 0;
}

uint32_t fr_claim_behind(const struct fr_claim *c, const struct fr_claim *newest)
{
	unsigned unused = c->generation_bits == 0 ? 0 : 32 - c->generation_bits;

	return c->has_generation ? (newest->generation - c->generation) << unused >> unused : 0;
}

static const struct fr_claim *newest(const struct fr_group *g)
{
	const struct fr_claim *best = NULL;

	for (size_t i = 0; i < g->count; i++) {
		if (fr_claim_is_member(g->claims[i]) && (best == NULL || fr_claim_is_newer(g->claims[i], best)))
			best = g->claims[i];
	}
	return best;
}

/* Not cleanly closed is no contradiction to cleanly closed: the disks are written one after the other. */
static enum fr_activity settled(enum fr_activity activity)
{
	return activity == FR_ACTIVITY_DIRTY ? FR_ACTIVITY_NONE : activity;
}

static bool newest_decides(const struct fr_claim *c)
{
	return c->roster != NULL && c->roster->newest_decides;
}

static const char *more_facts(const struct fr_claim *c)
{
	return c->agreement == NULL ? "" : c->agreement;
}

static bool agree(const struct fr_claim *a, const struct fr_claim *b)
{
	if (newest_decides(a) && newest_decides(b)) /* the claims may be of two arrays: the records are the same or not */
		return strcmp(more_facts(a), more_facts(b)) == 0;
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

		if (fr_claim_is_member(c) && !fr_claim_is_newer(front, c) && agree(c, for_this))
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

/* Half a turn of the counter apart: neither is the older one. */
static bool is_torn(const struct fr_claim *front, const struct fr_claim *c)
{
	return c->has_generation && !fr_claim_is_newer(front, c) && c->generation != front->generation;
}

/* Chooses the reference among the claims of the newest generation. */
static void choose_reference(struct fr_group *g)
{
	const struct fr_claim *front = newest(g);

	for (size_t i = 0; i < g->count; i++) {
		const struct fr_claim *c = g->claims[i];

		if (!fr_claim_is_member(c) || fr_claim_is_newer(front, c))
			continue;
		if (g->reference == NULL || weight(g, c, front) > weight(g, g->reference, front)) {
			g->reference = c;
			g->contradiction = false;
		} else if (!agree(c, g->reference) && weight(g, c, front) == weight(g, g->reference, front)) {
			g->contradiction = true;
		}
	}
	for (size_t i = 0; i < g->count; i++) {
		const struct fr_claim *c = g->claims[i];

		if (!fr_claim_is_member(c) || fr_claim_is_newer(front, c))
			continue;
		/* A record that decides for all disks has no second opinion beside it. */
		if (is_torn(front, c) || (newest_decides(c) && !agree(c, g->reference)))
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

static const char *behind_reason(const struct fr_group *g, const struct fr_claim *c)
{
	const struct fr_claim *ref = g->reference;

	return fr_pool_text(g->pool, "generation %u, the array is at %u: %u behind", c->generation, ref->generation,
			    fr_claim_behind(c, ref));
}

/* Why a claim is not believed though it is whole, or NULL. */
static const char *stale_reason(const struct fr_group *g, const struct fr_claim *c)
{
	const struct fr_claim *ref = g->reference;

	if (fr_claim_is_newer(ref, c) && !newest_decides(ref))
		return behind_reason(g, c);
	if (newest_decides(ref) || agree(c, ref))
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

static void place(struct fr_group *g, unsigned slot, const struct fr_claim *c, enum fr_member_state state,
		  const char *reason)
{
	g->set->members[slot] = member_of(c, state, reason);
	g->set->members[slot].index = slot;
	if (g->reference->activity != FR_ACTIVITY_INITIALIZING) /* which makes all copies from the first, whatever its record */
		g->set->members[slot].behind = fr_claim_behind(c, g->reference);
	g->slots[slot] = c;
}

static void vacate(struct fr_group *g, unsigned slot)
{
	const struct fr_claim *ref = g->reference;

	g->set->members[slot] = (struct fr_member){
		.index = slot, .state = FR_MEMBER_MISSING,
		.serial = ref->roster == NULL ? NULL : ref->roster->entries[ref->seats[slot].entry].serial,
	};
	g->slots[slot] = NULL;
}

/* Two disks of one slot: a good one stands before a failed one; of two good ones neither is chosen. */
static void place_twice(struct fr_group *g, unsigned slot, const struct fr_claim *c, enum fr_member_state state,
			const char *reason)
{
	const struct fr_claim *old = g->slots[slot];
	struct fr_member *m = &g->set->members[slot];
	const char *both;

	if (m->state == FR_MEMBER_OK && state != FR_MEMBER_OK) {
		leave_out(g, c, state, reason);
		return;
	}
	if (m->state != FR_MEMBER_OK) {
		leave_out(g, old, m->state, m->reason);
		place(g, slot, c, state, reason);
		return;
	}
	both = fr_pool_text(g->pool, "%s and %s both say that they are member %u", old->disk->path, c->disk->path, slot);
	fr_set_reason(g, "%s; neither is chosen: look again with --without the wrong one", both);
	leave_out(g, old, FR_MEMBER_STALE, both);
	leave_out(g, c, FR_MEMBER_STALE, both);
	g->contradiction = true;
	g->disputed |= UINT64_C(1) << slot;
	vacate(g, slot);
}

/* One disk more for a slot. */
static void fill(struct fr_group *g, unsigned slot, const struct fr_claim *c, enum fr_member_state state,
		 const char *reason)
{
	if ((g->disputed >> slot & 1) != 0)
		leave_out(g, c, FR_MEMBER_STALE, "several disks say that they are this member");
	else if (g->slots[slot] == NULL)
		place(g, slot, c, state, reason);
	else
		place_twice(g, slot, c, state, reason);
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

		if (fr_claim_is_member(c) && !is_not_understood(g, c) && stale_reason(g, c) == NULL)
			fill(g, c->index, c, c->state, state_reason(c));
	}
}

/* A stale disk is shown in its slot if that is empty. */
static void place_others(struct fr_group *g)
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
		reason = g->seating != NULL ? NULL : stale_reason(g, c);
		if (reason == NULL)
			continue;
		if (c->index < g->set->width && g->slots[c->index] == NULL && !g->contradiction)
			place(g, c->index, c, state, reason);
		else
			leave_out(g, c, state, reason);
	}
}

/* ---- members by the roster of the record that counts ---- */

/* What a disk says of this array: the claim from the same record as its head. */
static const struct fr_claim *claim_beside(const struct fr_group *g, const struct fr_claim *head)
{
	for (size_t i = 0; i < g->count; i++) {
		if (g->claims[i]->disk == head->disk && g->claims[i]->lba == head->lba)
			return g->claims[i];
	}
	return NULL;
}

static unsigned slot_of_entry(const struct fr_group *g, unsigned entry)
{
	unsigned slot = 0;

	while (slot < g->set->width && g->reference->seats[slot].entry != entry)
		slot++;
	return slot;
}

static void seat(struct fr_group *g, unsigned slot, const struct fr_claim *c)
{
	const struct fr_claim *ref = g->reference;
	enum fr_member_state state = ref->seats[slot].state;
	const char *reason = ref->seats[slot].reason;

	if (state == FR_MEMBER_OK && c->sector_size != ref->sector_size) {
		state = FR_MEMBER_FAILED;
		reason = "its sectors have another size than the other members'";
	} else if (state == FR_MEMBER_OK && stale_reason(g, c) != NULL) {
		state = FR_MEMBER_STALE;
		reason = stale_reason(g, c);
	} else if (state == FR_MEMBER_OK && fr_claim_is_newer(ref, c)) {
		reason = behind_reason(g, c);
		g->lagging = true;
	}
	fill(g, slot, c, state, reason);
}

static void leave_out_unseated(struct fr_group *g, const struct fr_claim *head, const char *reason)
{
	struct fr_member member = member_of(head, FR_MEMBER_STALE, reason);

	member.index = UINT_MAX;
	append(g, &g->set->left_out, &g->set->nleft_out, member);
}

static void place_seated(struct fr_group *g)
{
	const struct fr_seating *s = g->seating;

	for (size_t i = 0; i < s->count; i++) {
		const struct fr_claim *head = s->heads[i], *c = claim_beside(g, head);
		unsigned slot = slot_of_entry(g, s->entries[i]);

		if (!fr_claim_is_member(head) || (c != NULL && is_not_understood(g, c)))
			continue; /* left out for what is wrong with it */
		if (s->entries[i] == FR_NO_ENTRY)
			leave_out_unseated(g, head, s->reasons[i]);
		else if (slot < g->set->width && c == NULL)
			leave_out_unseated(g, head, "its record does not know this array");
		else if (slot < g->set->width && fr_claim_is_member(c))
			seat(g, slot, c);
		else if (g->reference->roster->entries[s->entries[i]].gone)
			leave_out_unseated(g, head, "the record says that it failed or was gone");
		else if (g->reference->roster->entries[s->entries[i]].spare)
			append(g, &g->set->spares, &g->set->nspares, member_of(head, FR_MEMBER_OK, NULL));
	}
}

/* Whether two slots hold the same. */
static bool are_copies(const struct fr_set *set, unsigned a, unsigned b)
{
	if (set->level == FR_LEVEL_RAID1)
		return true;
	for (unsigned c = 0; fr_level_has_copies(set->level) && c < fr_level_columns(set->level, set->width); c++) {
		unsigned first = fr_level_slot(set->level, set->width, c, 0);
		unsigned second = fr_level_slot(set->level, set->width, c, 1);

		if ((a == first && b == second) || (a == second && b == first))
			return true;
	}
	return false;
}

static bool has_good_copy(const struct fr_group *g, unsigned slot)
{
	for (unsigned i = 0; i < g->set->width; i++) {
		if (i != slot && are_copies(g->set, i, slot) && g->set->members[i].state == FR_MEMBER_OK &&
		    g->reference->seats[i].suspect == NULL)
			return true;
	}
	return false;
}

/* A member of which not all is good, where another has the same whole: that is the one to read. */
static void doubt_suspects(struct fr_group *g)
{
	for (unsigned i = 0; i < g->set->width; i++) {
		struct fr_member *m = &g->set->members[i];

		if (m->state != FR_MEMBER_OK || g->reference->seats[i].suspect == NULL || !has_good_copy(g, i))
			continue;
		m->behind = UINT32_MAX;
		m->reason = g->reference->seats[i].suspect;
		g->suspects = true;
	}
}

/* ---- the blocks' verdicts ---- */

/* Whether the disk has nothing to do with what the set is: none of its members, and no spare. */
static bool is_left_out(const struct fr_set *set, const struct fr_disk *disk)
{
	for (size_t i = 0; i < set->nleft_out; i++) {
		if (set->left_out[i].disk == disk)
			return true;
	}
	return false;
}

static const char *verdict_reason(const struct fr_group *g, const struct fr_claim *c)
{
	if (!fr_claim_is_member(c))
		return NULL;
	if (g->seating != NULL && is_left_out(g->set, c->disk))
		return "the disk is left out of the array";
	return stale_reason(g, c);
}

/*
 * A claim's own block belongs to the set, and so does what the format found elsewhere on the disk that speaks of no
 * array itself, but not what it called foreign.
 */
static void judge_looks(const struct fr_group *g)
{
	for (size_t i = 0; i < g->count; i++) {
		const struct fr_claim *c = g->claims[i];
		const char *stale = verdict_reason(g, c);

		for (size_t k = 0; k < c->disk->nlooks; k++) {
			struct fr_look *look = &c->disk->looks[k];

			if (look->format != c->format || look->set != NULL || look->verdict == FR_VERDICT_NONE ||
			    look->verdict == FR_VERDICT_FOREIGN || (look->claimed && look->lba != c->lba))
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

const char *fr_set_device_name(struct fr_pool *pool, const char *name)
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
		.name = fr_set_device_name(pool, ref->name), .format = ref->format, .id = ref->id_text,
		.volume = ref->volume, .level = ref->level, .layout = ref->layout, .chunk = ref->chunk,
		.sectors = ref->set_sectors, .width = width, .aliases = ref->aliases,
		.sector_size = ref->sector_size == 0 ? FR_SECTOR_SIZE : ref->sector_size,
	};
	set->members = fr_pool_array(pool, width + 1, sizeof(*set->members));
	return set->members == NULL ? NULL : set;
}

/* From the reference on: the members, their sizes, and what state that makes. */
static struct fr_set *make_set(struct fr_group *g)
{
	g->set = new_set(g->pool, g->reference);
	g->slots = fr_pool_array(g->pool, FR_MAX_WIDTH, sizeof(const struct fr_claim *));
	if (g->set == NULL || g->slots == NULL)
		return NULL;
	for (unsigned i = 0; i < g->set->width; i++)
		vacate(g, i);
	if (g->contradiction)
		fr_set_reason(g, "the members' records contradict each other, and no rule decides: look again with "
			      "--without the disks that are wrong");
	if (g->seating != NULL)
		place_seated(g);
	else
		place_members(g);
	place_others(g);
	if (g->seating != NULL)
		doubt_suspects(g);
	fr_set_sizes(g);
	fr_set_condition(g);
	judge_looks(g);
	return g->set;
}

/* ---- groups ---- */

static bool same_identity(const struct fr_claim *a, const struct fr_claim *b)
{
	return a->format == b->format && a->id_length == b->id_length && memcmp(a->id, b->id, a->id_length) == 0;
}

/* Of one identity, whether it is the same of its arrays, too. */
static bool same_array(const struct fr_claim *a, const struct fr_claim *b)
{
	if (a->part != b->part || a->volume == NULL || b->volume == NULL)
		return a->part == b->part && a->volume == b->volume;
	return strcmp(a->volume, b->volume) == 0;
}

static void claim_problem(struct fr_pool *pool, struct fr_scan *scan, const struct fr_claim *c, const char *reason)
{
	fr_problem_add(pool, scan, c->disk->path, c->format, &c->lba, false, reason);
}

/* Claims of an array none of whose members is here. */
static void no_set(struct fr_pool *pool, const struct fr_group *g, struct fr_scan *scan)
{
	for (size_t i = 0; i < g->count; i++) {
		if (g->claims[i]->fault == NULL)
			claim_problem(pool, scan, g->claims[i], "spare of an array of which no member is here");
	}
}

static void add_set(struct fr_scan *scan, struct fr_set *set)
{
	if (set != NULL)
		scan->sets[scan->nsets++] = set;
}

/* ---- the arrays of one identity: their records first, which tell of all disks and of all its arrays ---- */

/* Whether a claim stands for its record: the first of a member, or the first if there is none. */
static bool is_head(const struct fr_group *all, size_t i)
{
	const struct fr_claim *c = all->claims[i];

	for (size_t k = 0; k < all->count; k++) {
		const struct fr_claim *other = all->claims[k];

		if (k == i || other->disk != c->disk || other->lba != c->lba)
			continue;
		if (fr_claim_is_member(other) != fr_claim_is_member(c) ? fr_claim_is_member(other) : k < i)
			return false;
	}
	return true;
}

static struct fr_group heads_of(const struct fr_group *all)
{
	struct fr_group heads = { .pool = all->pool };

	heads.claims = fr_pool_array(all->pool, all->count + 1, sizeof(struct fr_claim *));
	for (size_t i = 0; heads.claims != NULL && i < all->count; i++) {
		if (is_head(all, i))
			heads.claims[heads.count++] = all->claims[i];
	}
	return heads;
}

/* The claims of one of the arrays that an identity stands for. */
static struct fr_group array_of(const struct fr_group *all, const struct fr_claim *like)
{
	struct fr_group g = { .pool = all->pool };

	g.claims = fr_pool_array(all->pool, all->count + 1, sizeof(struct fr_claim *));
	for (size_t i = 0; g.claims != NULL && i < all->count; i++) {
		const struct fr_claim *c = all->claims[i];

		if (c->role == FR_ROLE_SPARE || (c->fault != NULL && c->volume == NULL) || same_array(c, like))
			g.claims[g.count++] = all->claims[i];
	}
	return g;
}

/* A claim from the record that counts, or from the same record on another disk. */
static bool is_as_good(const struct fr_claim *c, const struct fr_claim *winner)
{
	return fr_claim_is_member(c) && c->roster != NULL && c->lineage == winner->lineage && agree(c, winner) &&
	       !fr_claim_is_newer(winner, c) && !fr_claim_is_newer(c, winner);
}

/* Whether the winner's own claim is the one for its array, or it has none that is good and this is the first. */
static bool is_first_of_record(const struct fr_group *all, size_t i, const struct fr_claim *winner)
{
	const struct fr_claim *c = all->claims[i];

	for (size_t k = 0; k < all->count; k++) {
		const struct fr_claim *other = all->claims[k];

		if (k == i || !is_as_good(other, winner) || !same_array(other, c))
			continue;
		if ((other->disk == winner->disk) != (c->disk == winner->disk) ? other->disk == winner->disk : k < i)
			return false;
	}
	return true;
}

/* An array that the record that counts does not know any more. */
static void complain_of_lost(const struct fr_group *all, const struct fr_claim *winner, struct fr_scan *scan)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct fr_claim *c = all->claims[i];
		bool known = !fr_claim_is_member(c);

		for (size_t k = 0; !known && k < all->count; k++)
			known = is_as_good(all->claims[k], winner) && same_array(c, all->claims[k]);
		if (!known)
			claim_problem(all->pool, scan, c, fr_pool_text(all->pool, "an older record of %s: the newest "
								       "one has no such array", c->name));
	}
}

static void make_arrays(const struct fr_group *all, const struct fr_group *heads, struct fr_scan *scan)
{
	const struct fr_claim *winner = heads->reference;
	struct fr_seating *seating = fr_pool_array(all->pool, 1, sizeof(*seating));

	if (seating == NULL)
		return;
	seating->heads = (const struct fr_claim **)heads->claims;
	seating->count = heads->count;
	fr_roster_seat(all->pool, winner, seating);
	for (size_t i = 0; i < all->count; i++) {
		const struct fr_claim *c = all->claims[i];
		struct fr_group g;

		if (!is_as_good(c, winner) || !is_first_of_record(all, i, winner))
			continue;
		g = array_of(all, c);
		if (g.claims == NULL)
			return;
		g.reference = c;
		g.seating = seating;
		g.contradiction = heads->contradiction || seating->contradiction;
		add_set(scan, make_set(&g));
	}
	complain_of_lost(all, winner, scan);
}

/* Whether no claim before this one is of the same array. */
static bool is_first_of_array(const struct fr_group *all, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (fr_claim_is_member(all->claims[k]) && same_array(all->claims[k], all->claims[i]))
			return false;
	}
	return fr_claim_is_member(all->claims[i]);
}

/* Records that speak for their own disk alone. */
static void make_single_arrays(const struct fr_group *all, struct fr_scan *scan)
{
	for (size_t i = 0; i < all->count; i++) {
		struct fr_group g;

		if (!is_first_of_array(all, i))
			continue;
		g = array_of(all, all->claims[i]);
		if (g.claims == NULL)
			return;
		choose_reference(&g);
		add_set(scan, make_set(&g));
	}
}

static void make_identity(const struct fr_group *all, struct fr_scan *scan)
{
	struct fr_group heads = heads_of(all);
	size_t every = heads.count;
	bool tie;

	if (heads.claims == NULL)
		return;
	heads.count = fr_roster_lineage((const struct fr_claim **)heads.claims, heads.count, &tie);
	choose_reference(&heads);
	heads.contradiction = heads.contradiction || tie;
	heads.count = every;
	if (heads.reference == NULL)
		no_set(all->pool, all, scan);
	else if (heads.reference->roster != NULL)
		make_arrays(all, &heads, scan);
	else
		make_single_arrays(all, scan);
}

static void make_group(struct fr_pool *pool, const struct fr_claims *claims, size_t first, bool *taken,
		       struct fr_scan *scan)
{
	struct fr_group g = { .pool = pool };

	g.claims = fr_pool_array(pool, claims->count, sizeof(struct fr_claim *));
	if (g.claims == NULL)
		return;
	for (size_t i = first; i < claims->count; i++) {
		if (taken[i] || !same_identity(claims->list[first], claims->list[i]))
			continue;
		taken[i] = true;
		g.claims[g.count++] = claims->list[i];
	}
	make_identity(&g, scan);
}

void fr_sets_make(struct fr_pool *pool, const struct fr_claims *claims, const char *const *chosen,
		  struct fr_scan *scan)
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
			claim_problem(pool, scan, c, c->fault);
		if (c->id_length != 0 && !taken[i])
			make_group(pool, claims, i, taken, scan);
	}
	fr_sets_arbitrate(pool, claims, chosen, scan);
}
