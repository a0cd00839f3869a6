// SPDX-License-Identifier: GPL-2.0-or-later
/* From claims to sets: claims made by hand, no format and no disk. */
#include <limits.h>
#include <stdio.h>

#include "testing.h"

enum { MAX_CLAIMS = 16, ROOM = 1000, DISK = 1200, CHUNK = 16, PER = 160 };

/* Claims, each of a disk of its own: "A", "B" ... */
struct world {
	struct fr_pool pool;
	struct fr_claims claims;
	struct fr_claim *list[MAX_CLAIMS];
	struct fr_disk disks[MAX_CLAIMS];
	char paths[MAX_CLAIMS][2];
	struct fr_look looks[MAX_CLAIMS];
	struct fr_scan scan;
};

static void world_free(struct world *w)
{
	fr_pool_free(&w->pool);
}

static struct fr_claim *add_claim(struct world *w)
{
	size_t n = w->claims.count;
	struct fr_claim *c = fr_pool_array(&w->pool, 1, sizeof(*c));

	assert_true(n < MAX_CLAIMS);
	assert_non_null(c);
	w->claims.list = w->list;
	w->list[w->claims.count++] = c;
	w->paths[n][0] = (char)('A' + n);
	w->looks[n] = (struct fr_look){ .format = fr_formats()[0], .lba = DISK - 1, .sectors = 1,
					.verdict = FR_VERDICT_VALID };
	w->disks[n] = (struct fr_disk){ .path = w->paths[n], .sectors = DISK, .sector_size = FR_SECTOR_SIZE,
					.nlooks = 1, .looks = &w->looks[n] };
	*c = (struct fr_claim){ .format = fr_formats()[0], .disk = &w->disks[n], .lba = DISK - 1, .sectors = 1,
				.id = "ID", .id_length = 2, .id_text = "ID", .name = "set", .room = ROOM };
	return c;
}

/* A right claim to be member `index` of a set whose members hold PER sectors each. */
static struct fr_claim *member(struct world *w, enum fr_level level, unsigned width, unsigned index)
{
	struct fr_claim *c = add_claim(w);

	c->level = level;
	c->width = width;
	c->index = index;
	c->set_sectors = (uint64_t)PER * fr_level_columns(level, width);
	c->chunk = fr_level_is_striped(level) ? CHUNK : 0;
	if (level == FR_LEVEL_RAID5)
		c->layout = FR_LAYOUT_LEFT_SYMMETRIC;
	if (level == FR_LEVEL_LINEAR) {
		c->nshares = 1;
		c->shares[0] = PER;
	}
	return c;
}

/* The members of a set of which no bit in `missing` stands. */
static void members(struct world *w, enum fr_level level, unsigned width, unsigned missing)
{
	for (unsigned i = 0; i < width; i++) {
		if ((missing >> i & 1) == 0)
			member(w, level, width, i);
	}
}

/* The generation of every claim that is there so far. */
static void all_at_generation(struct world *w, uint32_t generation)
{
	for (size_t i = 0; i < w->claims.count; i++) {
		w->list[i]->has_generation = true;
		w->list[i]->generation = generation;
	}
}

static void make(struct world *w)
{
	fr_sets_make(&w->pool, &w->claims, NULL, &w->scan);
	assert_false(w->pool.failed);
}

static const struct fr_set *only_set(struct world *w)
{
	make(w);
	assert_int_equal(w->scan.nsets, 1);
	return w->scan.sets[0];
}

static void assert_disk(const struct fr_disk *disk, const char *path)
{
	if (path == NULL) {
		assert_null(disk);
	} else {
		assert_non_null(disk);
		assert_string_equal(disk->path, path);
	}
}

static void assert_member(const struct fr_set *set, unsigned slot, const char *path, enum fr_member_state state)
{
	const struct fr_member *m = &set->members[slot];

	assert_int_equal(m->index, slot);
	assert_string_equal(fr_member_state_name(m->state), fr_member_state_name(state));
	assert_disk(m->disk, path);
	if (state != FR_MEMBER_OK && path != NULL)
		assert_non_null(m->reason);
}

/* ---- members that are there, and those that are not ---- */

static const struct missing_row {
	const char *name;
	enum fr_level level;
	unsigned width, missing;
	enum fr_set_state state;
} missing_rows[] = {
	{ "raid0", FR_LEVEL_RAID0, 3, 0, FR_SET_OK },
	{ "raid0 less one", FR_LEVEL_RAID0, 3, 2, FR_SET_BROKEN },
	{ "raid0 of 8 less the last", FR_LEVEL_RAID0, 8, 0x80, FR_SET_BROKEN },
	{ "linear", FR_LEVEL_LINEAR, 3, 0, FR_SET_OK },
	{ "linear less one", FR_LEVEL_LINEAR, 3, 1, FR_SET_BROKEN },
	{ "raid1", FR_LEVEL_RAID1, 2, 0, FR_SET_OK },
	{ "raid1 less the first", FR_LEVEL_RAID1, 2, 1, FR_SET_DEGRADED },
	{ "raid1 of 3 less two", FR_LEVEL_RAID1, 3, 3, FR_SET_DEGRADED },
	{ "raid5", FR_LEVEL_RAID5, 4, 0, FR_SET_OK },
	{ "raid5 less one", FR_LEVEL_RAID5, 4, 4, FR_SET_DEGRADED },
	{ "raid5 less two", FR_LEVEL_RAID5, 4, 5, FR_SET_BROKEN },
	{ "raid10", FR_LEVEL_RAID10, 4, 0, FR_SET_OK },
	{ "raid10 less one of each column", FR_LEVEL_RAID10, 4, 1 | 8, FR_SET_DEGRADED },
	{ "raid10 less a column", FR_LEVEL_RAID10, 4, 1 | 2, FR_SET_BROKEN },
	{ "raid10 of 6 less three", FR_LEVEL_RAID10, 6, 2 | 4 | 32, FR_SET_DEGRADED },
	{ "raid01", FR_LEVEL_RAID01, 4, 0, FR_SET_OK },
	{ "raid01 less the first stripe", FR_LEVEL_RAID01, 4, 1 | 2, FR_SET_DEGRADED },
	{ "raid01 less one of each stripe", FR_LEVEL_RAID01, 4, 1 | 8, FR_SET_DEGRADED },
	{ "raid01 less a column", FR_LEVEL_RAID01, 4, 1 | 4, FR_SET_BROKEN },
};

static enum fr_use use_of(enum fr_set_state state)
{
	return state == FR_SET_OK ? FR_USE_READ_WRITE : state == FR_SET_DEGRADED ? FR_USE_READ_ONLY_FIRST : FR_USE_NEVER;
}

static void missing(void **state)
{
	const struct missing_row *row = *state;
	struct world w = { .claims = { 0 } };
	const struct fr_set *set;
	char path[2] = "A";

	members(&w, row->level, row->width, row->missing);
	set = only_set(&w);
	assert_string_equal(fr_set_state_name(set->state), fr_set_state_name(row->state));
	assert_int_equal(set->use, use_of(row->state));
	assert_int_equal(set->width, row->width);
	assert_int_equal(set->nleft_out, 0);
	assert_int_equal(set->nreasons == 0, row->state == FR_SET_OK);
	for (unsigned i = 0; i < row->width; i++) {
		bool gone = (row->missing >> i & 1) != 0;

		assert_member(set, i, gone ? NULL : path, gone ? FR_MEMBER_MISSING : FR_MEMBER_OK);
		path[0] = (char)(path[0] + !gone);
		if (row->level != FR_LEVEL_LINEAR && !gone)
			assert_int_equal(set->members[i].sectors, PER);
	}
	world_free(&w);
}

static void facts_of_a_set(void **state)
{
	struct world w = { .claims = { 0 } };
	const struct fr_set *set;
	struct fr_claim *c;

	(void)state;
	c = member(&w, FR_LEVEL_RAID5, 3, 2);
	c->offset = 7;
	c->disk->serial = "S1";
	member(&w, FR_LEVEL_RAID5, 3, 0);
	member(&w, FR_LEVEL_RAID5, 3, 1);
	all_at_generation(&w, 9);
	for (size_t i = 0; i < 3; i++)
		w.list[i]->volume = "Volume";
	set = only_set(&w);
	assert_string_equal(set->name, "set");
	assert_string_equal(set->id, "ID");
	assert_string_equal(set->volume, "Volume");
	assert_int_equal(set->level, FR_LEVEL_RAID5);
	assert_int_equal(set->layout, FR_LAYOUT_LEFT_SYMMETRIC);
	assert_int_equal(set->chunk, CHUNK);
	assert_int_equal(set->sectors, 2 * PER);
	assert_true(set->parity_valid && set->in_sync);
	assert_member(set, 2, "A", FR_MEMBER_OK);
	assert_int_equal(set->members[2].offset, 7);
	assert_int_equal(set->members[2].room, ROOM);
	assert_string_equal(set->members[2].serial, "S1");
	assert_true(set->members[0].has_generation);
	assert_int_equal(set->members[0].generation, 9);
	assert_ptr_equal(w.looks[1].set, set);
	world_free(&w);
}

/* ---- generations ---- */

static const struct generation_row {
	const char *name;
	uint32_t old, new;
} generation_rows[] = {
	{ "one behind", 4, 5 },
	{ "far behind", 1, 1000000 },
	{ "behind across the wrap", UINT32_MAX, 0 },
	{ "far behind across the wrap", UINT32_MAX - 1000, 1000 },
	{ "behind across the sign", 0x7fffffff, 0x80000000 },
	{ "as far behind as can be told", 5, 5 + 0x7fffffffu },
};

static void older_is_stale(void **state)
{
	const struct generation_row *row = *state;

	for (unsigned first = 0; first < 2; first++) { /* the order of the disks decides nothing */
		struct world w = { .claims = { 0 } };
		const struct fr_set *set;

		members(&w, FR_LEVEL_RAID1, 2, 0);
		all_at_generation(&w, row->new);
		w.list[first]->generation = row->old;
		set = only_set(&w);
		assert_int_equal(set->state, FR_SET_DEGRADED);
		assert_member(set, first, first == 0 ? "A" : "B", FR_MEMBER_STALE);
		assert_member(set, 1 - first, first == 0 ? "B" : "A", FR_MEMBER_OK);
		assert_int_equal(w.looks[first].verdict, FR_VERDICT_STALE);
		assert_non_null(w.looks[first].reason);
		assert_int_equal(w.looks[1 - first].verdict, FR_VERDICT_VALID);
		world_free(&w);
	}
}

static void older_twin_is_left_out(void **state)
{
	(void)state;
	for (size_t old = 0; old < 2; old++) {
		struct world w = { .claims = { 0 } };
		const struct fr_set *set;

		member(&w, FR_LEVEL_RAID1, 2, 1);
		member(&w, FR_LEVEL_RAID1, 2, 1);
		member(&w, FR_LEVEL_RAID1, 2, 0);
		all_at_generation(&w, 5);
		w.list[old]->generation = 3;
		set = only_set(&w);
		assert_int_equal(set->state, FR_SET_OK);
		assert_member(set, 1, old == 0 ? "B" : "A", FR_MEMBER_OK);
		assert_int_equal(set->nleft_out, 1);
		assert_disk(set->left_out[0].disk, old == 0 ? "A" : "B");
		assert_int_equal(set->left_out[0].index, 1);
		assert_int_equal(set->left_out[0].state, FR_MEMBER_STALE);
		world_free(&w);
	}
}

/* Many stale disks do not outvote one that is newer. */
static void newest_generation_rules(void **state)
{
	struct world w = { .claims = { 0 } };
	const struct fr_set *set;

	(void)state;
	members(&w, FR_LEVEL_RAID1, 3, 0);
	all_at_generation(&w, 5);
	w.list[2]->generation = 6;
	w.list[2]->set_sectors = 32;
	set = only_set(&w);
	assert_int_equal(set->sectors, 32);
	assert_int_equal(set->state, FR_SET_DEGRADED);
	assert_member(set, 0, "A", FR_MEMBER_STALE);
	assert_member(set, 2, "C", FR_MEMBER_OK);
	world_free(&w);
}

/* ---- two disks for one slot ---- */

static void duplicates_are_not_chosen_between(void **state)
{
	static const enum fr_level levels[] = { FR_LEVEL_RAID1, FR_LEVEL_RAID0, FR_LEVEL_RAID5, FR_LEVEL_RAID10 };

	(void)state;
	for (size_t i = 0; i < FR_COUNT(levels); i++) {
		struct world w = { .claims = { 0 } };
		const struct fr_set *set;

		members(&w, levels[i], 4, 0);
		member(&w, levels[i], 4, 1);
		set = only_set(&w);
		assert_int_equal(set->state, FR_SET_BROKEN);
		assert_int_equal(set->use, FR_USE_NEVER);
		assert_contains(all_reasons(set), "B and E");
		assert_member(set, 1, NULL, FR_MEMBER_MISSING);
		assert_int_equal(set->nleft_out, 2);
		world_free(&w);
	}
}

static void three_for_one_slot(void **state)
{
	struct world w = { .claims = { 0 } };
	const struct fr_set *set;

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		member(&w, FR_LEVEL_RAID1, 2, 1);
	member(&w, FR_LEVEL_RAID1, 2, 0);
	set = only_set(&w);
	assert_int_equal(set->state, FR_SET_BROKEN);
	assert_member(set, 1, NULL, FR_MEMBER_MISSING);
	assert_int_equal(set->nleft_out, 3);
	world_free(&w);
}

static void good_stands_before_failed(void **state)
{
	(void)state;
	for (size_t bad = 0; bad < 2; bad++) {
		struct world w = { .claims = { 0 } };
		const struct fr_set *set;

		member(&w, FR_LEVEL_RAID1, 2, 0);
		member(&w, FR_LEVEL_RAID1, 2, 0);
		member(&w, FR_LEVEL_RAID1, 2, 1);
		w.list[bad]->state = FR_MEMBER_FAILED;
		set = only_set(&w);
		assert_int_equal(set->state, FR_SET_OK);
		assert_member(set, 0, bad == 0 ? "B" : "A", FR_MEMBER_OK);
		assert_int_equal(set->nleft_out, 1);
		assert_disk(set->left_out[0].disk, bad == 0 ? "A" : "B");
		assert_int_equal(set->left_out[0].state, FR_MEMBER_FAILED);
		world_free(&w);
	}
}

/* ---- what the records say of their own disk ---- */

static const struct own_row {
	const char *name;
	enum fr_level level;
	enum fr_member_state member;
	enum fr_set_state state;
} own_rows[] = {
	{ "failed half of a mirror", FR_LEVEL_RAID1, FR_MEMBER_FAILED, FR_SET_DEGRADED },
	{ "rebuilding half of a mirror", FR_LEVEL_RAID1, FR_MEMBER_REBUILDING, FR_SET_REBUILDING },
	{ "rebuilding member of a raid5", FR_LEVEL_RAID5, FR_MEMBER_REBUILDING, FR_SET_REBUILDING },
	{ "failed member of a raid10", FR_LEVEL_RAID10, FR_MEMBER_FAILED, FR_SET_DEGRADED },
	{ "failed member of a stripe", FR_LEVEL_RAID0, FR_MEMBER_FAILED, FR_SET_BROKEN },
	{ "rebuilding member of a stripe", FR_LEVEL_RAID0, FR_MEMBER_REBUILDING, FR_SET_BROKEN },
};

static void own_state(void **state)
{
	const struct own_row *row = *state;
	struct world w = { .claims = { 0 } };
	const struct fr_set *set;

	members(&w, row->level, 4, 0);
	w.list[2]->state = row->member;
	set = only_set(&w);
	assert_string_equal(fr_set_state_name(set->state), fr_set_state_name(row->state));
	assert_member(set, 2, "C", row->member);
	assert_int_equal(set->use, row->state == FR_SET_BROKEN ? FR_USE_NEVER : FR_USE_READ_ONLY_FIRST);
	world_free(&w);
}

/* ---- records that contradict each other ---- */

/* The disk that does not know of the failure was away when it was written down. */
static void failure_makes_the_others_stale(void **state)
{
	static const enum fr_level levels[] = { FR_LEVEL_RAID1, FR_LEVEL_RAID5, FR_LEVEL_RAID10 };

	(void)state;
	for (size_t i = 0; i < FR_COUNT(levels); i++) {
		struct world w = { .claims = { 0 } };
		const struct fr_set *set;

		members(&w, levels[i], 4, 0);
		for (size_t k = 1; k < 4; k++)
			w.list[k]->failure_known = true;
		set = only_set(&w);
		assert_int_equal(set->state, FR_SET_DEGRADED);
		assert_member(set, 0, "A", FR_MEMBER_STALE);
		assert_member(set, 3, "D", FR_MEMBER_OK);
		world_free(&w);
	}
}

/* One survivor of a mirror that went on alone stands before the two that know nothing. */
static void survivor_stands_before_the_majority(void **state)
{
	struct world w = { .claims = { 0 } };
	const struct fr_set *set;

	(void)state;
	members(&w, FR_LEVEL_RAID1, 3, 0);
	w.list[1]->failure_known = true;
	set = only_set(&w);
	assert_int_equal(set->state, FR_SET_DEGRADED);
	assert_member(set, 0, "A", FR_MEMBER_STALE);
	assert_member(set, 1, "B", FR_MEMBER_OK);
	assert_member(set, 2, "C", FR_MEMBER_STALE);
	world_free(&w);
}

/* All know of a failure and all are there: which one failed, nobody says. */
static void failure_that_all_know(void **state)
{
	struct world mirror = { .claims = { 0 } }, parity = { .claims = { 0 } };
	const struct fr_set *set;

	(void)state;
	members(&mirror, FR_LEVEL_RAID1, 2, 0);
	members(&parity, FR_LEVEL_RAID5, 3, 0);
	for (size_t i = 0; i < 3; i++) {
		if (i < 2)
			mirror.list[i]->failure_known = true;
		parity.list[i]->failure_known = true;
	}
	set = only_set(&mirror);
	assert_int_equal(set->state, FR_SET_DEGRADED);
	assert_int_equal(set->use, FR_USE_READ_ONLY_FIRST);
	assert_false(set->in_sync);
	assert_member(set, 1, "B", FR_MEMBER_OK);
	set = only_set(&parity);
	assert_int_equal(set->use, FR_USE_NEVER);
	world_free(&mirror);
	world_free(&parity);
}

/* What one of four may record otherwise: it is stale, whatever it is. */
static void differ_in_level(struct fr_claim *c) { c->level = FR_LEVEL_RAID0; }
static void differ_in_layout(struct fr_claim *c) { c->layout = FR_LAYOUT_RIGHT_SYMMETRIC; }
static void differ_in_width(struct fr_claim *c) { c->width = 5; }
static void differ_in_chunk(struct fr_claim *c) { c->chunk = 2 * CHUNK; }
static void differ_in_size(struct fr_claim *c) { c->set_sectors -= CHUNK; }
static void differ_in_more(struct fr_claim *c) { c->agreement = "another"; }
static void differ_in_activity(struct fr_claim *c) { c->activity = FR_ACTIVITY_SYNCING; }

static const struct differ_row {
	const char *name;
	void (*change)(struct fr_claim *c);
} differ_rows[] = {
	{ "another level", differ_in_level }, { "another layout", differ_in_layout }, { "another width", differ_in_width },
	{ "another chunk", differ_in_chunk }, { "another size", differ_in_size }, { "more that differs", differ_in_more },
	{ "another job", differ_in_activity },
};

static void minority_is_stale(void **state)
{
	const struct differ_row *row = *state;

	for (unsigned at = 0; at < 4; at++) {
		struct world w = { .claims = { 0 } };
		const struct fr_set *set;

		members(&w, FR_LEVEL_RAID5, 4, 0);
		row->change(w.list[at]);
		set = only_set(&w);
		assert_int_equal(set->state, FR_SET_DEGRADED);
		assert_int_equal(set->width, 4);
		assert_int_equal(set->sectors, 3 * PER);
		assert_member(set, at, w.paths[at], FR_MEMBER_STALE);
		assert_int_equal(w.looks[at].verdict, FR_VERDICT_STALE);
		world_free(&w);
	}
}

/* Two against two: no rule decides, in whatever order the disks come. */
static void halves_contradict(void **state)
{
	const struct differ_row *row = *state;

	for (unsigned mask = 0; mask < 16; mask++) {
		struct world w = { .claims = { 0 } };
		const struct fr_set *set;

		if (__builtin_popcount(mask) != 2)
			continue;
		members(&w, FR_LEVEL_RAID5, 4, 0);
		for (unsigned i = 0; i < 4; i++) {
			if ((mask >> i & 1) != 0)
				row->change(w.list[i]);
		}
		set = only_set(&w);
		assert_int_equal(set->state, FR_SET_BROKEN);
		assert_int_equal(set->use, FR_USE_NEVER);
		assert_true(set->nreasons > 0);
		world_free(&w);
	}
}

/* Not cleanly closed is no contradiction: the disks are written one after the other. */
static void dirty_does_not_contradict_clean(void **state)
{
	(void)state;
	for (size_t at = 0; at < 2; at++) {
		struct world w = { .claims = { 0 } };
		const struct fr_set *set;

		members(&w, FR_LEVEL_RAID1, 2, 0);
		w.list[at]->activity = FR_ACTIVITY_DIRTY;
		set = only_set(&w);
		assert_int_equal(set->state, FR_SET_DIRTY);
		assert_int_equal(set->use, FR_USE_READ_WRITE);
		assert_false(set->in_sync);
		assert_member(set, 0, "A", FR_MEMBER_OK);
		assert_member(set, 1, "B", FR_MEMBER_OK);
		world_free(&w);
	}
}

/* The order in which the disks come decides nothing: all orders of a set with a stale, a failed and a new disk. */
static void order_decides_nothing(void **state)
{
	static const unsigned slots[5] = { 0, 1, 2, 3, 3 };
	unsigned orders = 0;

	(void)state;
	for (unsigned n = 0; n < 5 * 5 * 5 * 5 * 5; n++) {
		struct world w = { .claims = { 0 } };
		unsigned rest = n, used = 0;
		const struct fr_disk *disk_of[5];
		const struct fr_set *set;

		for (unsigned i = 0; i < 5; i++, rest /= 5)
			used |= 1u << rest % 5;
		if (used != 31)
			continue;
		orders++;
		rest = n;
		for (unsigned i = 0; i < 5; i++, rest /= 5) {
			struct fr_claim *c = member(&w, FR_LEVEL_RAID10, 4, slots[rest % 5]);

			disk_of[rest % 5] = c->disk;
			c->has_generation = true;
			c->generation = rest % 5 == 3 ? 4 : 5;  /* the one of the two for slot 3 */
			c->state = rest % 5 == 1 ? FR_MEMBER_FAILED : FR_MEMBER_OK;
		}
		set = only_set(&w);
		assert_int_equal(set->state, FR_SET_DEGRADED);
		assert_member(set, 0, disk_of[0]->path, FR_MEMBER_OK);
		assert_member(set, 1, disk_of[1]->path, FR_MEMBER_FAILED);
		assert_member(set, 2, disk_of[2]->path, FR_MEMBER_OK);
		assert_member(set, 3, disk_of[4]->path, FR_MEMBER_OK);
		assert_int_equal(set->nleft_out, 1);
		assert_ptr_equal(set->left_out[0].disk, disk_of[3]);
		world_free(&w);
	}
	assert_int_equal(orders, 120);
}

/* ---- spares, damaged and foreign claims ---- */

static void spares_are_listed(void **state)
{
	struct world w = { .claims = { 0 } };
	const struct fr_set *set;
	struct fr_claim *c;

	(void)state;
	members(&w, FR_LEVEL_RAID1, 2, 2);
	c = add_claim(&w);
	c->role = FR_ROLE_SPARE;
	c->index = 7;
	set = only_set(&w);
	assert_int_equal(set->nspares, 1);
	assert_disk(set->spares[0].disk, "B");
	assert_int_equal(set->state, FR_SET_DEGRADED); /* a spare fills no slot */
	assert_ptr_equal(w.looks[1].set, set);
	world_free(&w);
}

static void spares_without_a_set(void **state)
{
	struct world w = { .claims = { 0 } };

	(void)state;
	add_claim(&w)->role = FR_ROLE_SPARE;           /* of an array of which nothing is here */
	add_claim(&w)->role = FR_ROLE_SPARE;
	w.list[1]->id_length = 0;                      /* of no array */
	make(&w);
	assert_int_equal(w.scan.nsets, 0);
	assert_int_equal(w.scan.nproblems, 1);
	assert_string_equal(w.scan.problems[0].disk, "A");
	assert_contains(w.scan.problems[0].reason, "spare");
	world_free(&w);
}

static void damaged_claim_is_left_out(void **state)
{
	struct world w = { .claims = { 0 } };
	const struct fr_set *set;
	struct fr_claim *c;

	(void)state;
	members(&w, FR_LEVEL_RAID1, 2, 2);
	c = add_claim(&w);
	c->fault = "checksum is wrong";
	c->index = 1;
	set = only_set(&w);
	assert_int_equal(set->state, FR_SET_DEGRADED);
	assert_member(set, 1, NULL, FR_MEMBER_MISSING);
	assert_int_equal(set->nleft_out, 1);
	assert_disk(set->left_out[0].disk, "B");
	assert_int_equal(set->left_out[0].index, UINT_MAX);
	assert_string_equal(set->left_out[0].reason, "checksum is wrong");
	world_free(&w);
}

static void damaged_claims_alone_are_problems(void **state)
{
	struct world w = { .claims = { 0 } };

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		member(&w, FR_LEVEL_RAID1, 3, i)->fault = "checksum is wrong";
	w.list[2]->id_length = 0;
	make(&w);
	assert_int_equal(w.scan.nsets, 0);
	assert_int_equal(w.scan.nproblems, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_string_equal(w.scan.problems[i].reason, "checksum is wrong");
		assert_true(w.scan.problems[i].has_lba && w.scan.problems[i].lba == DISK - 1);
		assert_ptr_equal(w.scan.problems[i].format, fr_formats()[0]);
		assert_false(w.scan.problems[i].unreadable);
	}
	world_free(&w);
}

static void remarks_are_problems_of_a_good_set(void **state)
{
	struct world w = { .claims = { 0 } };

	(void)state;
	members(&w, FR_LEVEL_RAID1, 2, 0);
	w.list[1]->nremarks = 1;
	w.list[1]->remarks[0] = (struct fr_remark){ 77, "a copy differs" };
	assert_int_equal(only_set(&w)->state, FR_SET_OK);
	assert_int_equal(w.scan.nproblems, 1);
	assert_string_equal(w.scan.problems[0].disk, "B");
	assert_int_equal(w.scan.problems[0].lba, 77);
	world_free(&w);
}

static void unsupported_set_is_listed(void **state)
{
	struct world w = { .claims = { 0 } };
	const struct fr_set *set;

	(void)state;
	members(&w, FR_LEVEL_RAID1, 2, 0);
	w.list[0]->unsupported = w.list[1]->unsupported = "level 0x83 is not supported";
	set = only_set(&w);
	assert_int_equal(set->state, FR_SET_UNSUPPORTED);
	assert_int_equal(set->use, FR_USE_NEVER);
	assert_contains(all_reasons(set), "level 0x83");
	world_free(&w);
}

/* One that is not understood does not take down those that are. */
static void unsupported_claim_among_others(void **state)
{
	(void)state;
	for (size_t at = 0; at < 3; at++) {
		struct world w = { .claims = { 0 } };
		const struct fr_set *set;

		members(&w, FR_LEVEL_RAID5, 3, 0);
		w.list[at]->unsupported = "version 7 is not known";
		set = only_set(&w);
		assert_int_equal(set->state, FR_SET_DEGRADED);
		assert_int_not_equal(set->members[at].state, FR_MEMBER_OK);
		assert_string_equal(set->nleft_out == 1 ? set->left_out[0].reason : set->members[at].reason,
				    "version 7 is not known");
		world_free(&w);
	}
}

/* ---- several sets ---- */

static void sets_by_identity(void **state)
{
	struct world w = { .claims = { 0 } };

	(void)state;
	for (unsigned i = 0; i < 6; i++) { /* two of each, mixed; the third pair is another volume of the second array */
		struct fr_claim *c = member(&w, FR_LEVEL_RAID1, 2, i / 3);
		static const char *const names[] = { "one", "two", "three" };

		c->id[0] = i % 3 == 0 ? 'X' : 'Y';
		c->name = names[i % 3];
		c->volume = i % 3 == 0 ? NULL : names[i % 3];
	}
	make(&w);
	assert_int_equal(w.scan.nsets, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(w.scan.sets[i]->state, FR_SET_OK);
		assert_member(w.scan.sets[i], 0, w.paths[i], FR_MEMBER_OK);
		assert_member(w.scan.sets[i], 1, w.paths[i + 3], FR_MEMBER_OK);
	}
	world_free(&w);
}

static void formats_are_never_mixed(void **state)
{
	struct world w = { .claims = { 0 } };

	(void)state;
	members(&w, FR_LEVEL_RAID1, 2, 0);
	w.list[1]->format = fr_formats()[1];
	w.list[1]->name = "other";
	make(&w);
	assert_int_equal(w.scan.nsets, 2);
	assert_int_equal(w.scan.sets[0]->state, FR_SET_DEGRADED);
	world_free(&w);
}

/* A disk that holds parts of two arrays is in both. */
static void one_disk_in_two_sets(void **state)
{
	struct world w = { .claims = { 0 } };

	(void)state;
	members(&w, FR_LEVEL_RAID1, 2, 2);
	members(&w, FR_LEVEL_RAID0, 1, 0);
	w.list[1]->disk = w.list[0]->disk;
	w.list[1]->id[0] = 'Z';
	w.list[1]->name = "other";
	w.list[1]->offset = 500;
	make(&w);
	assert_int_equal(w.scan.nsets, 2);
	assert_member(w.scan.sets[0], 0, "A", FR_MEMBER_OK);
	assert_member(w.scan.sets[1], 0, "A", FR_MEMBER_OK);
	assert_int_equal(w.scan.sets[1]->members[0].offset, 500);
	world_free(&w);
}

/* ---- names ---- */

static void names_are_escaped(void **state)
{
	struct world w = { .claims = { 0 } };

	(void)state;
	member(&w, FR_LEVEL_RAID1, 2, 0)->name = "isw_x_My Data/1";
	assert_string_equal(only_set(&w)->name, "isw_x_My\\x20Data\\x2f1");
	world_free(&w);
}

static void long_names_fit_device_mapper(void **state)
{
	struct world w = { .claims = { 0 } };
	char name[200];
	const struct fr_set *set;

	(void)state;
	memset(name, '/', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	member(&w, FR_LEVEL_RAID1, 2, 0)->name = name;
	set = only_set(&w);
	assert_true(strlen(set->name) <= FR_MAX_DM_NAME);
	assert_int_equal(strlen(set->name) % 4, 0); /* no half escape */
	world_free(&w);
}

/* The name goes to the identity that sorts first; the others are told apart by the format's suffix. */
static void equal_names_are_parted(void **state)
{
	static const char *const suffixes[] = { "_c", "_a", "_b" }, *const wanted[] = { "set_c", "set", "set_b" };

	(void)state;
	for (unsigned turn = 0; turn < 3; turn++) {
		struct world w = { .claims = { 0 } };
		static const char *const texts[] = { "id c", "id a", "id b" };

		for (unsigned i = 0; i < 3; i++) {
			struct fr_claim *c = member(&w, FR_LEVEL_RAID1, 2, 0);
			unsigned n = (i + turn) % 3;

			c->id[0] = (uint8_t)suffixes[n][1];
			c->id_text = texts[n];
			c->name_suffix = suffixes[n];
		}
		make(&w);
		assert_int_equal(w.scan.nsets, 3);
		for (unsigned i = 0; i < 3; i++)
			assert_string_equal(w.scan.sets[i]->name, wanted[(i + turn) % 3]);
		world_free(&w);
	}
}

/* Names made to be equal whatever is appended: they must differ all the same. */
static void hostile_names_are_parted(void **state)
{
	static const char *const names[] = { "set", "set", "set_s", "set_s", "set" };
	static const char *const texts[] = { "0", "1", "2", "3", "4" };
	struct world w = { .claims = { 0 } };

	(void)state;
	for (unsigned i = 0; i < FR_COUNT(names); i++) {
		struct fr_claim *c = member(&w, FR_LEVEL_RAID1, 2, 0);

		c->id[0] = (uint8_t)('0' + i);
		c->id_text = texts[i];
		c->name = names[i];
		c->name_suffix = "_s";
	}
	make(&w);
	assert_int_equal(w.scan.nsets, FR_COUNT(names));
	for (size_t a = 0; a < w.scan.nsets; a++) {
		for (size_t b = 0; b < a; b++)
			assert_string_not_equal(w.scan.sets[a]->name, w.scan.sets[b]->name);
	}
	world_free(&w);
}

/* ---- sizes ---- */

static void check_claims(struct world *w)
{
	for (size_t i = 0; i < w->claims.count; i++) {
		struct fr_findings f = { .pool = &w->pool, .format = w->list[i]->format, .disk = w->list[i]->disk,
					 .claims = &w->claims };

		fr_claim_check(&f, w->list[i]);
	}
}

static const struct room_row {
	const char *name;
	enum fr_level level;
	uint64_t set_sectors, room, disk;
	bool fits;
} room_rows[] = {
	{ "mirror that just fits", FR_LEVEL_RAID1, 500, 500, 500, true },
	{ "mirror one sector short", FR_LEVEL_RAID1, 501, 500, 500, false },
	{ "stripe that just fits", FR_LEVEL_RAID0, 4 * 160, 160, 500, true },
	{ "stripe whose last row is cut", FR_LEVEL_RAID0, 4 * 160 - 63, 160, 500, true },
	{ "stripe one sector into the next row", FR_LEVEL_RAID0, 4 * 160 + 1, 160, 500, false },
	{ "raid5 that just fits", FR_LEVEL_RAID5, 3 * 160, 160, 500, true },
	{ "raid5 one sector into the next row", FR_LEVEL_RAID5, 3 * 160 + 1, 160, 500, false },
	{ "raid10 that just fits", FR_LEVEL_RAID10, 2 * 160, 160, 500, true },
	{ "raid01 one sector into the next row", FR_LEVEL_RAID01, 2 * 160 + 1, 160, 500, false },
	{ "room past the end of the disk", FR_LEVEL_RAID1, 100, 501, 500, false },
	{ "room of 64 bits", FR_LEVEL_RAID1, 100, UINT64_MAX, 500, false },
	{ "stripe of 64 bits", FR_LEVEL_RAID0, UINT64_MAX, 500, 500, false },
	{ "mirror of 64 bits", FR_LEVEL_RAID1, UINT64_MAX, 500, 500, false },
	{ "raid5 of 64 bits", FR_LEVEL_RAID5, UINT64_MAX, 500, 500, false },
};

static void room(void **state)
{
	const struct room_row *row = *state;
	struct world w = { .claims = { 0 } };
	struct fr_claim *c;

	members(&w, row->level, 4, 0);
	c = w.list[0];
	for (size_t i = 0; i < 4; i++)
		w.list[i]->set_sectors = row->set_sectors;
	c->room = row->room;
	c->disk->sectors = row->disk;
	check_claims(&w);
	assert_int_equal(c->fault == NULL, row->fits);
	assert_int_equal(w.looks[0].verdict, row->fits ? FR_VERDICT_VALID : FR_VERDICT_INVALID);
	world_free(&w);
}

/* A disk that is too small for what all say is no member; the others still are. */
static void too_small_member_is_left_out(void **state)
{
	struct world w = { .claims = { 0 } };
	const struct fr_set *set;

	(void)state;
	members(&w, FR_LEVEL_RAID1, 2, 0);
	w.list[0]->room = PER - 1;
	check_claims(&w);
	set = only_set(&w);
	assert_int_equal(set->state, FR_SET_DEGRADED);
	assert_int_not_equal(set->members[0].state, FR_MEMBER_OK);
	assert_member(set, 1, "B", FR_MEMBER_OK);
	world_free(&w);
}

static const struct place_row {
	const char *name;
	unsigned width, index;
	bool possible;
} place_rows[] = {
	{ "first of one", 1, 0, true }, { "last of 64", 64, 63, true }, { "one past the last", 2, 2, false },
	{ "of none", 0, 0, false }, { "of 65", 65, 0, false }, { "far past", 2, UINT_MAX, false },
	{ "of very many", UINT_MAX, 0, false },
};

static void place_is_checked(void **state)
{
	const struct place_row *row = *state;
	struct world w = { .claims = { 0 } };
	struct fr_claim *c = member(&w, FR_LEVEL_RAID1, 2, 0);

	c->width = row->width;
	c->index = row->index;
	check_claims(&w);
	assert_int_equal(c->fault == NULL, row->possible);
	world_free(&w);
}

/* The size under dmraid, where that is larger and there is room for it. */
static const struct peer_row {
	const char *name;
	enum fr_level level;
	uint64_t rooms[4], sectors;
} peer_rows[] = {
	{ "no other size", FR_LEVEL_RAID1, { 0, 0, 0, 0 }, 0 },
	{ "smallest of the rooms", FR_LEVEL_RAID1, { 998, 990, 1000, 999 }, 990 },
	{ "a member without one", FR_LEVEL_RAID1, { 998, 0, 1000, 999 }, 0 },
	{ "not larger", FR_LEVEL_RAID1, { PER, PER, PER, PER }, 0 },
	{ "whole chunks of a raid5", FR_LEVEL_RAID5, { 200, 207, 207, 207 }, 3 * 192 },
	{ "whole chunks that are the same", FR_LEVEL_RAID5, { 175, 175, 175, 175 }, 0 },
};

static void peer_size(void **state)
{
	const struct peer_row *row = *state;
	struct world w = { .claims = { 0 } };
	const struct fr_set *set;

	members(&w, row->level, 4, 0);
	for (size_t i = 0; i < 4; i++)
		w.list[i]->peer_room = row->rooms[i];
	set = only_set(&w);
	assert_int_equal(set->peer_sectors, row->sectors);
	assert_int_equal(set->sectors, w.list[0]->set_sectors);
	world_free(&w);
}

/* ---- spans: the rule whose sum is the array's size ---- */

static const struct span_row {
	const char *name;
	uint64_t shares[3][FR_MAX_SHARES]; /* by member and rule */
	size_t rules;
	uint64_t sectors;
	int rule;               /* that counts; -1: none */
} span_rows[] = {
	{ "first rule fits", { { 100, 110, 120 }, { 200, 220, 230 }, { 300, 310, 320 } }, 3, 600, 0 },
	{ "second rule fits", { { 100, 110, 120 }, { 200, 220, 230 }, { 300, 310, 320 } }, 3, 640, 1 },
	{ "last rule fits", { { 100, 110, 120 }, { 200, 220, 230 }, { 300, 310, 320 } }, 3, 670, 2 },
	{ "no rule fits", { { 100, 110, 120 }, { 200, 220, 230 }, { 300, 310, 320 } }, 3, 601, -1 },
	{ "rule that does not count", { { 100, 110, 120 }, { 200, 220, 230 }, { 300, 310, 320 } }, 2, 670, -1 },
	{ "two rules that say the same", { { 100, 100, 0 }, { 200, 200, 0 }, { 300, 300, 0 } }, 2, 600, 0 },
	{ "two rules that differ", { { 100, 110, 0 }, { 200, 190, 0 }, { 300, 300, 0 } }, 2, 600, -1 },
	{ "sum that wraps", { { UINT64_MAX, 0, 0 }, { 601, 0, 0 }, { 0, 0, 0 } }, 1, 600, -1 },
	{ "no rule at all", { { 0 } }, 0, 600, -1 },
};

static void span(void **state)
{
	const struct span_row *row = *state;
	struct world w = { .claims = { 0 } };
	const struct fr_set *set;

	members(&w, FR_LEVEL_LINEAR, 3, 0);
	for (size_t i = 0; i < 3; i++) {
		w.list[i]->set_sectors = row->sectors;
		w.list[i]->nshares = row->rules;
		memcpy(w.list[i]->shares, row->shares[i], sizeof(row->shares[i]));
	}
	set = only_set(&w);
	assert_int_equal(set->state, row->rule < 0 ? FR_SET_BROKEN : FR_SET_OK);
	assert_int_equal(set->use, row->rule < 0 ? FR_USE_NEVER : FR_USE_READ_WRITE);
	assert_int_equal(set->nreasons > 0, row->rule < 0);
	for (size_t i = 0; i < 3 && row->rule >= 0; i++) {
		assert_int_equal(set->members[i].sectors, row->shares[i][row->rule]);
		assert_true(set->members[i].room >= set->members[i].sectors);
	}
	world_free(&w);
}

static void span_past_a_disk(void **state)
{
	struct world w = { .claims = { 0 } };
	const struct fr_set *set;

	(void)state;
	members(&w, FR_LEVEL_LINEAR, 2, 0);
	for (size_t i = 0; i < 2; i++) {
		w.list[i]->shares[0] = DISK + 1 - i;
		w.list[i]->set_sectors = 2 * DISK + 1;
	}
	set = only_set(&w);
	assert_int_equal(set->use, FR_USE_NEVER);
	world_free(&w);
}

/* ---- what is going on ---- */

static const struct activity_row {
	const char *name;
	enum fr_level level;
	unsigned missing;
	enum fr_activity activity;
	bool parity_invalid;
	enum fr_set_state state;
	enum fr_use use;
	bool in_sync;
} activity_rows[] = {
	{ "dirty mirror", FR_LEVEL_RAID1, 0, FR_ACTIVITY_DIRTY, false, FR_SET_DIRTY, FR_USE_READ_WRITE, false },
	{ "dirty stripe", FR_LEVEL_RAID0, 0, FR_ACTIVITY_DIRTY, false, FR_SET_DIRTY, FR_USE_READ_WRITE, true },
	{ "dirty raid5", FR_LEVEL_RAID5, 0, FR_ACTIVITY_DIRTY, false, FR_SET_DIRTY, FR_USE_READ_WRITE, true },
	{ "dirty and degraded raid5", FR_LEVEL_RAID5, 1, FR_ACTIVITY_DIRTY, false, FR_SET_DEGRADED, FR_USE_READ_ONLY,
	  true },
	{ "dirty and one left of a mirror", FR_LEVEL_RAID1, 7, FR_ACTIVITY_DIRTY, false, FR_SET_DEGRADED,
	  FR_USE_READ_ONLY_FIRST, true },
	{ "new mirror", FR_LEVEL_RAID1, 0, FR_ACTIVITY_INITIALIZING, false, FR_SET_INITIALIZING,
	  FR_USE_READ_ONLY_FIRST, false },
	{ "new mirror less the first", FR_LEVEL_RAID1, 1, FR_ACTIVITY_INITIALIZING, false, FR_SET_DEGRADED,
	  FR_USE_ON_REQUEST, false },
	{ "new mirror less the second", FR_LEVEL_RAID1, 2, FR_ACTIVITY_INITIALIZING, false, FR_SET_DEGRADED,
	  FR_USE_READ_ONLY_FIRST, false },
	{ "new raid10 less a first copy", FR_LEVEL_RAID10, 4, FR_ACTIVITY_INITIALIZING, false, FR_SET_DEGRADED,
	  FR_USE_ON_REQUEST, false },
	{ "new raid10 less a second copy", FR_LEVEL_RAID10, 2, FR_ACTIVITY_INITIALIZING, false, FR_SET_DEGRADED,
	  FR_USE_READ_ONLY_FIRST, false },
	{ "new raid01 less its second stripe", FR_LEVEL_RAID01, 12, FR_ACTIVITY_INITIALIZING, false, FR_SET_DEGRADED,
	  FR_USE_READ_ONLY_FIRST, false },
	{ "new raid5, parity valid", FR_LEVEL_RAID5, 0, FR_ACTIVITY_INITIALIZING, false, FR_SET_INITIALIZING,
	  FR_USE_READ_ONLY_FIRST, true },
	{ "new raid5", FR_LEVEL_RAID5, 0, FR_ACTIVITY_INITIALIZING, true, FR_SET_INITIALIZING, FR_USE_READ_ONLY, true },
	{ "new raid5 less one", FR_LEVEL_RAID5, 2, FR_ACTIVITY_INITIALIZING, true, FR_SET_BROKEN, FR_USE_NEVER, true },
	{ "new stripe", FR_LEVEL_RAID0, 0, FR_ACTIVITY_INITIALIZING, false, FR_SET_INITIALIZING, FR_USE_READ_WRITE,
	  true },
	{ "mirror in sync", FR_LEVEL_RAID1, 0, FR_ACTIVITY_SYNCING, false, FR_SET_DIRTY, FR_USE_READ_ONLY_FIRST, false },
	{ "migrating stripe", FR_LEVEL_RAID0, 0, FR_ACTIVITY_MIGRATING, false, FR_SET_MIGRATING, FR_USE_NEVER, true },
	{ "migrating raid5 less one", FR_LEVEL_RAID5, 1, FR_ACTIVITY_MIGRATING, false, FR_SET_MIGRATING, FR_USE_NEVER,
	  true },
	{ "unknown job of a mirror", FR_LEVEL_RAID1, 0, FR_ACTIVITY_UNKNOWN, false, FR_SET_DIRTY, FR_USE_READ_ONLY,
	  false },
	{ "unknown job of a raid5", FR_LEVEL_RAID5, 0, FR_ACTIVITY_UNKNOWN, false, FR_SET_DIRTY, FR_USE_READ_ONLY, true },
	{ "rebuild of nobody knows whom", FR_LEVEL_RAID1, 0, FR_ACTIVITY_REBUILDING, false, FR_SET_REBUILDING,
	  FR_USE_ON_REQUEST, false },
	{ "rebuild of nobody knows whom in a raid5", FR_LEVEL_RAID5, 0, FR_ACTIVITY_REBUILDING, false,
	  FR_SET_REBUILDING, FR_USE_NEVER, false },
};

static void activity(void **state)
{
	const struct activity_row *row = *state;
	struct world w = { .claims = { 0 } };
	const struct fr_set *set;

	members(&w, row->level, 4, row->missing);
	for (size_t i = 0; i < w.claims.count; i++) {
		w.list[i]->activity = row->activity;
		w.list[i]->parity_invalid = row->parity_invalid;
	}
	set = only_set(&w);
	assert_string_equal(fr_set_state_name(set->state), fr_set_state_name(row->state));
	assert_int_equal(set->use, row->use);
	assert_true(set->nreasons > 0 || row->activity == FR_ACTIVITY_UNKNOWN); /* the format's caution says that one */
	if (row->use != FR_USE_NEVER)
		assert_int_equal(set->in_sync, row->in_sync);
	if (fr_level_has_parity(row->level))
		assert_int_equal(set->parity_valid, !row->parity_invalid);
	world_free(&w);
}

/* Doubt and caution limit the use, if a member that is used has them. */
static void doubt_and_caution(void **state)
{
	(void)state;
	for (unsigned mask = 0; mask < 4; mask++) {
		struct world w = { .claims = { 0 } };
		const struct fr_set *set;

		members(&w, FR_LEVEL_RAID1, 2, 0);
		w.list[0]->caution = (mask & 1) != 0 ? "who knows" : NULL;
		w.list[1]->doubt = (mask & 2) != 0 ? "so they say" : NULL;
		set = only_set(&w);
		assert_int_equal(set->state, FR_SET_OK);
		assert_int_equal(set->use, (mask & 2) != 0 ? FR_USE_ON_REQUEST :
				 (mask & 1) != 0 ? FR_USE_READ_ONLY : FR_USE_READ_WRITE);
		if ((mask & 1) != 0)
			assert_contains(all_reasons(set), "who knows");
		if ((mask & 2) != 0)
			assert_contains(all_reasons(set), "so they say");
		world_free(&w);
	}
}

static void doubt_of_a_stale_member(void **state)
{
	struct world w = { .claims = { 0 } };
	const struct fr_set *set;

	(void)state;
	members(&w, FR_LEVEL_RAID1, 2, 0);
	all_at_generation(&w, 5);
	w.list[1]->generation = 4;
	w.list[1]->doubt = "so they say";
	set = only_set(&w);
	assert_int_equal(set->use, FR_USE_READ_ONLY_FIRST);
	world_free(&w);
}

/* ---- the blocks ---- */

static void foreign_looks_stay_foreign(void **state)
{
	struct world w = { .claims = { 0 } };
	struct fr_look looks[3];
	const struct fr_set *set;

	(void)state;
	members(&w, FR_LEVEL_RAID1, 2, 0);
	for (size_t i = 0; i < 3; i++)
		looks[i] = w.looks[0];
	looks[1].verdict = FR_VERDICT_FOREIGN;
	looks[2].verdict = FR_VERDICT_NONE;
	w.disks[0].looks = looks;
	w.disks[0].nlooks = 3;
	set = only_set(&w);
	assert_ptr_equal(looks[0].set, set);
	assert_null(looks[1].set);
	assert_null(looks[2].set);
	world_free(&w);
}

static void nothing_makes_nothing(void **state)
{
	struct world w = { .claims = { 0 } };

	(void)state;
	make(&w);
	assert_int_equal(w.scan.nsets, 0);
	assert_int_equal(w.scan.nproblems, 0);
	world_free(&w);
}

/* ---- what no rule decides ---- */

static void half_a_turn_apart(void **state)
{
	(void)state;
	for (unsigned first = 0; first < 2; first++) {
		struct world w = { .claims = { 0 } };

		members(&w, FR_LEVEL_RAID1, 2, 0);
		all_at_generation(&w, 0);
		w.list[first]->generation = 0x80000000;
		assert_int_equal(only_set(&w)->use, FR_USE_NEVER);
		world_free(&w);
	}
}

static void one_member_of_a_stripe_migrates(void **state)
{
	(void)state;
	for (unsigned which = 0; which < 2; which++) { /* the order of the disks decides nothing */
		struct world w = { .claims = { 0 } };

		members(&w, FR_LEVEL_RAID0, 2, 0);
		w.list[which]->activity = FR_ACTIVITY_MIGRATING;
		assert_int_equal(only_set(&w)->use, FR_USE_NEVER);
		world_free(&w);
	}
}

static void one_member_of_a_stripe_knows_a_failure(void **state)
{
	(void)state;
	for (unsigned which = 0; which < 2; which++) {
		struct world w = { .claims = { 0 } };
		const struct fr_set *set;

		members(&w, FR_LEVEL_RAID0, 2, 0);
		w.list[which]->failure_known = true;
		set = only_set(&w);
		assert_int_equal(set->use, FR_USE_READ_ONLY_FIRST);
		assert_true(set->nreasons > 0);
		world_free(&w);
	}
}

static void one_record_denies_the_parity(void **state)
{
	(void)state;
	for (unsigned which = 0; which < 2; which++) {
		struct world w = { .claims = { 0 } };

		members(&w, FR_LEVEL_RAID5, 3, 4);
		w.list[0]->activity = w.list[1]->activity = FR_ACTIVITY_INITIALIZING;
		w.list[which]->parity_invalid = true;
		assert_int_equal(only_set(&w)->state, FR_SET_BROKEN);
		world_free(&w);
	}
}

/* A rebuild, and no member says that it is the one: with a member missing as with all of them there. */
static void rebuild_without_its_target(void **state)
{
	(void)state;
	for (unsigned gone = 0; gone < 8; gone += 4) {
		struct world mirror = { .claims = { 0 } }, parity = { .claims = { 0 } };

		members(&mirror, FR_LEVEL_RAID1, 3, gone);
		members(&parity, FR_LEVEL_RAID5, 3, gone);
		for (size_t i = 0; i < mirror.claims.count; i++)
			mirror.list[i]->activity = parity.list[i]->activity = FR_ACTIVITY_REBUILDING;
		assert_int_equal(only_set(&mirror)->use, FR_USE_ON_REQUEST);
		assert_int_equal(only_set(&parity)->use, FR_USE_NEVER);
		world_free(&mirror);
		world_free(&parity);
	}
}

/* The target of a rebuild that has just begun does not outvote the survivor. */
static void rebuild_that_begins(void **state)
{
	(void)state;
	for (unsigned target = 0; target < 2; target++) {
		struct world w = { .claims = { 0 } };
		const struct fr_set *set;

		members(&w, FR_LEVEL_RAID1, 2, 0);
		w.list[0]->failure_known = w.list[1]->failure_known = true;
		w.list[target]->activity = FR_ACTIVITY_REBUILDING;
		w.list[target]->state = FR_MEMBER_REBUILDING;
		set = only_set(&w);
		assert_int_equal(set->members[1 - target].state, FR_MEMBER_OK);
		assert_int_not_equal(set->members[target].state, FR_MEMBER_OK);
		assert_int_equal(set->use, FR_USE_READ_ONLY_FIRST);
		world_free(&w);
	}
}

/* Two sets over the same sectors of the same disks: see part_sets(). */
static void disks_with_two_pasts(void **state)
{
	(void)state;
	for (unsigned lost = 0; lost < 2; lost++) {
		struct world w = { .claims = { 0 } };

		members(&w, FR_LEVEL_RAID1, 2, 0);
		for (unsigned i = lost; i < 2; i++) {
			struct fr_claim *c = member(&w, FR_LEVEL_RAID1, 2, i);

			c->disk = &w.disks[i];
			c->format = fr_formats()[1];
			c->name = c->id_text = "other";
			c->id[0] = 'X';
		}
		make(&w);
		assert_int_equal(w.scan.nsets, 2);
		assert_int_equal(w.scan.sets[0]->use, lost == 0 ? FR_USE_ON_REQUEST : FR_USE_READ_WRITE);
		assert_int_equal(w.scan.sets[1]->use, FR_USE_ON_REQUEST);
		world_free(&w);
	}
}

static void add_member_tests(struct test_list *list)
{
	ADD_ROWS(list, missing_rows, missing);
	ADD_TEST(list, facts_of_a_set);
	ADD_ROWS(list, generation_rows, older_is_stale);
	ADD_TEST(list, older_twin_is_left_out);
	ADD_TEST(list, newest_generation_rules);
	ADD_TEST(list, duplicates_are_not_chosen_between);
	ADD_TEST(list, three_for_one_slot);
	ADD_TEST(list, good_stands_before_failed);
	ADD_ROWS(list, own_rows, own_state);
	ADD_TEST(list, failure_makes_the_others_stale);
	ADD_TEST(list, survivor_stands_before_the_majority);
	ADD_TEST(list, failure_that_all_know);
	ADD_ROWS(list, differ_rows, minority_is_stale);
	ADD_ROWS(list, differ_rows, halves_contradict);
	ADD_TEST(list, dirty_does_not_contradict_clean);
	ADD_TEST(list, order_decides_nothing);
}

static void add_set_tests(struct test_list *list)
{
	ADD_TEST(list, spares_are_listed);
	ADD_TEST(list, spares_without_a_set);
	ADD_TEST(list, damaged_claim_is_left_out);
	ADD_TEST(list, damaged_claims_alone_are_problems);
	ADD_TEST(list, remarks_are_problems_of_a_good_set);
	ADD_TEST(list, unsupported_set_is_listed);
	ADD_TEST(list, unsupported_claim_among_others);
	ADD_TEST(list, sets_by_identity);
	ADD_TEST(list, formats_are_never_mixed);
	ADD_TEST(list, one_disk_in_two_sets);
	ADD_TEST(list, names_are_escaped);
	ADD_TEST(list, long_names_fit_device_mapper);
	ADD_TEST(list, equal_names_are_parted);
	ADD_TEST(list, hostile_names_are_parted);
}

static void add_condition_tests(struct test_list *list)
{
	ADD_ROWS(list, room_rows, room);
	ADD_TEST(list, too_small_member_is_left_out);
	ADD_ROWS(list, place_rows, place_is_checked);
	ADD_ROWS(list, peer_rows, peer_size);
	ADD_ROWS(list, span_rows, span);
	ADD_TEST(list, span_past_a_disk);
	ADD_ROWS(list, activity_rows, activity);
	ADD_TEST(list, doubt_and_caution);
	ADD_TEST(list, doubt_of_a_stale_member);
	ADD_TEST(list, foreign_looks_stay_foreign);
	ADD_TEST(list, nothing_makes_nothing);
}

static void add_doubt_tests(struct test_list *list)
{
	ADD_TEST(list, half_a_turn_apart);
	ADD_TEST(list, one_member_of_a_stripe_migrates);
	ADD_TEST(list, one_member_of_a_stripe_knows_a_failure);
	ADD_TEST(list, one_record_denies_the_parity);
	ADD_TEST(list, rebuild_without_its_target);
	ADD_TEST(list, rebuild_that_begins);
	ADD_TEST(list, disks_with_two_pasts);
}

int main(void)
{
	struct test_list list = { 0 };

	add_member_tests(&list);
	add_set_tests(&list);
	add_condition_tests(&list);
	add_doubt_tests(&list);
	return run_list("set", &list);
}
