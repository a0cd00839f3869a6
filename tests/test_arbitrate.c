// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What sets have to settle among each other: sectors that two of them claim,
 * names that fall together, spares that belong to none. Claims made by hand,
 * no format and no disk.
 */
#include <limits.h>
#include <stdio.h>

#include "testing.h"

enum { MAX_CLAIMS = 40, MAX_DISKS = 8, DISK = 10000, ROOM = 1000, PER = 160, CHUNK = 16 };

struct world {
	struct fr_pool pool;
	struct fr_claims claims;
	struct fr_claim *list[MAX_CLAIMS];
	struct fr_disk disks[MAX_DISKS];
	struct fr_scan scan;
};

/* Disks "A", "B" ... */
static void world_new(struct world *w)
{
	static const char *const paths[MAX_DISKS] = { "A", "B", "C", "D", "E", "F", "G", "H" };

	memset(w, 0, sizeof(*w));
	w->claims.list = w->list;
	for (unsigned i = 0; i < MAX_DISKS; i++)
		w->disks[i] = (struct fr_disk){ .path = paths[i], .sectors = DISK, .sector_size = FR_SECTOR_SIZE };
}

static void world_free(struct world *w)
{
	fr_pool_free(&w->pool);
}

static struct fr_claim *add_claim(struct world *w, unsigned disk, const char *id, const char *name)
{
	struct fr_claim *c = fr_pool_array(&w->pool, 1, sizeof(*c));

	assert_true(w->claims.count < MAX_CLAIMS);
	assert_non_null(c);
	*c = (struct fr_claim){
		.format = fr_formats()[0], .disk = &w->disks[disk], .lba = DISK - 1, .sectors = 1,
		.id_length = strlen(id), .id_text = fr_pool_text(&w->pool, "%s", id), .name = name, .room = ROOM,
	};
	memcpy(c->id, id, strlen(id));
	w->list[w->claims.count++] = c;
	return c;
}

/* That disk `disk` is member `index` of a set. */
static struct fr_claim *member(struct world *w, unsigned disk, enum fr_level level, unsigned width, unsigned index,
			       const char *name)
{
	struct fr_claim *c = add_claim(w, disk, name, name);

	c->level = level;
	c->width = width;
	c->index = index;
	c->set_sectors = (uint64_t)PER * fr_level_columns(level, width);
	c->chunk = fr_level_is_striped(level) ? CHUNK : 0;
	c->layout = level == FR_LEVEL_RAID5 ? FR_LAYOUT_LEFT_SYMMETRIC : FR_LAYOUT_NONE;
	return c;
}

/* A set over the disks from `first` on, but those whose slot's bit is set in `missing`. */
static void add_set(struct world *w, const char *name, enum fr_level level, unsigned width, unsigned first,
		    unsigned missing)
{
	for (unsigned i = 0; i < width; i++) {
		if ((missing >> i & 1) == 0)
			member(w, first + i, level, width, i, name);
	}
}

static void make_chosen(struct world *w, const char *const *chosen)
{
	fr_sets_make(&w->pool, &w->claims, chosen, &w->scan);
	assert_false(w->pool.failed);
}

static const struct fr_set *set_called(const struct world *w, const char *name)
{
	for (size_t i = 0; i < w->scan.nsets; i++) {
		if (strcmp(w->scan.sets[i]->name, name) == 0)
			return w->scan.sets[i];
	}
	fail_msg("no set '%s'", name);
	return NULL;
}

static void assert_use(const struct fr_set *set, enum fr_use use)
{
	if (set->use != use)
		print_error("%s: %s", set->name, all_reasons(set));
	assert_int_equal(set->use, use);
}

/* ---- two sets over the same sectors ---- */

static const struct overlap_row {
	const char *name;
	struct { enum fr_level level; unsigned width, first, missing; } one, two;
	const char *chosen[3];
	enum fr_use use[2];     /* what becomes of them */
} overlap_rows[] = {
	{ "both complete", { FR_LEVEL_RAID1, 2, 0, 0 }, { FR_LEVEL_RAID1, 2, 0, 0 }, { NULL },
	  { FR_USE_ON_REQUEST, FR_USE_ON_REQUEST } },
	{ "both complete, one disk in common", { FR_LEVEL_RAID1, 2, 0, 0 }, { FR_LEVEL_RAID5, 3, 1, 0 }, { NULL },
	  { FR_USE_ON_REQUEST, FR_USE_ON_REQUEST } },
	{ "one complete", { FR_LEVEL_RAID1, 2, 0, 0 }, { FR_LEVEL_RAID1, 2, 1, 2 }, { NULL },
	  { FR_USE_READ_WRITE, FR_USE_ON_REQUEST } },
	{ "the other complete", { FR_LEVEL_RAID5, 3, 0, 1 }, { FR_LEVEL_RAID0, 2, 1, 0 }, { NULL },
	  { FR_USE_ON_REQUEST, FR_USE_READ_WRITE } },
	{ "both with gaps", { FR_LEVEL_RAID1, 2, 0, 1 }, { FR_LEVEL_RAID5, 3, 1, 4 }, { NULL },
	  { FR_USE_ON_REQUEST, FR_USE_ON_REQUEST } },
	{ "one is of no use", { FR_LEVEL_RAID1, 2, 0, 0 }, { FR_LEVEL_RAID0, 2, 1, 2 }, { NULL },
	  { FR_USE_READ_WRITE, FR_USE_NEVER } },
	{ "degraded, and the other is of no use", { FR_LEVEL_RAID1, 2, 0, 1 }, { FR_LEVEL_RAID0, 3, 1, 4 }, { NULL },
	  { FR_USE_READ_ONLY_FIRST, FR_USE_NEVER } },
	{ "no disk in common", { FR_LEVEL_RAID1, 2, 0, 0 }, { FR_LEVEL_RAID1, 2, 2, 0 }, { NULL },
	  { FR_USE_READ_WRITE, FR_USE_READ_WRITE } },
	{ "both complete, the first meant", { FR_LEVEL_RAID1, 2, 0, 0 }, { FR_LEVEL_RAID0, 2, 0, 0 }, { "one" },
	  { FR_USE_READ_WRITE, FR_USE_ON_REQUEST } },
	{ "both complete, the second meant", { FR_LEVEL_RAID1, 2, 0, 0 }, { FR_LEVEL_RAID0, 2, 0, 0 }, { "two" },
	  { FR_USE_ON_REQUEST, FR_USE_READ_WRITE } },
	{ "both complete, both meant", { FR_LEVEL_RAID1, 2, 0, 0 }, { FR_LEVEL_RAID0, 2, 0, 0 }, { "two", "one" },
	  { FR_USE_ON_REQUEST, FR_USE_ON_REQUEST } },
	{ "both complete, another meant", { FR_LEVEL_RAID1, 2, 0, 0 }, { FR_LEVEL_RAID0, 2, 0, 0 },
	  { "three", "onetwo" }, { FR_USE_ON_REQUEST, FR_USE_ON_REQUEST } },
	{ "the one with gaps meant", { FR_LEVEL_RAID1, 2, 0, 0 }, { FR_LEVEL_RAID1, 2, 1, 2 }, { "two" },
	  { FR_USE_ON_REQUEST, FR_USE_READ_ONLY_FIRST } },
	{ "both with gaps, one meant", { FR_LEVEL_RAID1, 2, 0, 1 }, { FR_LEVEL_RAID5, 3, 1, 4 }, { "one" },
	  { FR_USE_READ_ONLY_FIRST, FR_USE_ON_REQUEST } },
	{ "both meant, one complete", { FR_LEVEL_RAID1, 2, 0, 0 }, { FR_LEVEL_RAID1, 2, 1, 2 }, { "one", "two" },
	  { FR_USE_READ_WRITE, FR_USE_ON_REQUEST } },
	{ "the one of no use meant", { FR_LEVEL_RAID1, 2, 0, 0 }, { FR_LEVEL_RAID0, 2, 1, 2 }, { "two" },
	  { FR_USE_READ_WRITE, FR_USE_NEVER } },
};

static void add_row(struct world *w, const struct overlap_row *row, bool two)
{
	if (two)
		add_set(w, "two", row->two.level, row->two.width, row->two.first, row->two.missing);
	else
		add_set(w, "one", row->one.level, row->one.width, row->one.first, row->one.missing);
}

static void overlap(void **state)
{
	const struct overlap_row *row = *state;

	for (unsigned turned = 0; turned < 2; turned++) { /* the order of the records decides nothing */
		const struct fr_set *one, *two;
		struct world w;

		world_new(&w);
		add_row(&w, row, turned != 0);
		add_row(&w, row, turned == 0);
		make_chosen(&w, row->chosen[0] == NULL ? NULL : row->chosen);
		assert_int_equal(w.scan.nsets, 2);
		one = set_called(&w, "one");
		two = set_called(&w, "two");
		assert_use(one, row->use[0]);
		assert_use(two, row->use[1]);
		if (one->use == FR_USE_ON_REQUEST)
			assert_contains(all_reasons(one), " two");
		if (two->use == FR_USE_ON_REQUEST)
			assert_contains(all_reasons(two), " one");
		world_free(&w);
	}
}

/* Where they lie counts, not that the disk is the same. */
static void areas_beside_each_other(void **state)
{
	static const struct { uint64_t offset, room; bool apart; } rows[] = {
		{ ROOM, ROOM, true }, { ROOM - 1, ROOM, false }, { 2 * ROOM, ROOM, true }, { 0, ROOM, false },
		{ 500, 200, false }, { ROOM - 1, 160, false }, { DISK - ROOM, ROOM, true },
	};

	(void)state;
	for (size_t i = 0; i < FR_COUNT(rows); i++) {
		for (unsigned turned = 0; turned < 2; turned++) {
			struct world w;

			world_new(&w);
			add_set(&w, turned ? "two" : "one", FR_LEVEL_RAID1, 2, 0, 0);
			add_set(&w, turned ? "one" : "two", FR_LEVEL_RAID1, 2, 0, 0);
			for (unsigned k = 0; k < 4; k++) {
				if (strcmp(w.list[k]->name, "two") != 0)
					continue;
				w.list[k]->offset = rows[i].offset;
				w.list[k]->room = rows[i].room;
			}
			make_chosen(&w, NULL);
			for (size_t k = 0; k < 2; k++)
				assert_use(w.scan.sets[k], rows[i].apart ? FR_USE_READ_WRITE : FR_USE_ON_REQUEST);
			world_free(&w);
		}
	}
}

/* A disk that one of them does not use is none that it claims. */
static void members_that_are_not_good(void **state)
{
	static const enum fr_member_state states[] = { FR_MEMBER_FAILED, FR_MEMBER_REBUILDING };

	(void)state;
	for (size_t i = 0; i < FR_COUNT(states); i++) {
		struct world w;

		world_new(&w);
		add_set(&w, "one", FR_LEVEL_RAID1, 2, 0, 0);
		add_set(&w, "two", FR_LEVEL_RAID1, 2, 1, 0);
		w.list[1]->state = states[i]; /* B of the first */
		make_chosen(&w, NULL);
		assert_use(set_called(&w, "one"), FR_USE_READ_ONLY_FIRST);
		assert_use(set_called(&w, "two"), FR_USE_READ_WRITE);
		world_free(&w);
	}
}

/* Of three over one disk the complete one stands before both others. */
static void three_sets(void **state)
{
	(void)state;
	for (unsigned complete = 0; complete < 3; complete++) {
		static const char *const names[] = { "one", "two", "three" };
		struct world w;

		world_new(&w);
		for (unsigned i = 0; i < 3; i++)
			add_set(&w, names[i], FR_LEVEL_RAID1, 2, 0, i == complete ? 0 : 2);
		make_chosen(&w, NULL);
		for (unsigned i = 0; i < 3; i++)
			assert_use(set_called(&w, names[i]), i == complete ? FR_USE_READ_WRITE : FR_USE_ON_REQUEST);
		world_free(&w);
	}
}

/* A set is meant by each of its names, also as device-mapper has them. */
static void chosen_by_an_alias(void **state)
{
	static const char *const aliases[] = { "old name", "older", NULL };
	static const char *const wanted[] = { "old name", "old\\x20name", "older", "one", "ol", "" };

	(void)state;
	for (size_t i = 0; i < FR_COUNT(wanted); i++) {
		const char *const chosen[] = { wanted[i], NULL };
		struct world w;

		world_new(&w);
		add_set(&w, "one", FR_LEVEL_RAID1, 2, 0, 0);
		add_set(&w, "two", FR_LEVEL_RAID1, 2, 0, 0);
		w.list[0]->aliases = w.list[1]->aliases = aliases;
		make_chosen(&w, chosen);
		assert_use(set_called(&w, "one"), i < 4 ? FR_USE_READ_WRITE : FR_USE_ON_REQUEST);
		assert_use(set_called(&w, "two"), FR_USE_ON_REQUEST);
		world_free(&w);
	}
}

/* What is meant is not allowed more than it would be by itself. */
static void chosen_is_not_raised(void **state)
{
	static const char *const chosen[] = { "one", NULL };
	struct world w;

	(void)state;
	world_new(&w);
	add_set(&w, "one", FR_LEVEL_RAID1, 2, 0, 0);
	add_set(&w, "two", FR_LEVEL_RAID1, 2, 0, 0);
	w.list[0]->caution = "of which no good can come";
	make_chosen(&w, chosen);
	assert_use(set_called(&w, "one"), FR_USE_READ_ONLY);
	world_free(&w);
}

/* ---- names that fall together ---- */

/* The identity that sorts first keeps the name, whatever the order of the records; a suffix of the format counts. */
static void same_names(void **state)
{
	(void)state;
	for (unsigned suffix = 0; suffix < 2; suffix++) {
		for (unsigned turned = 0; turned < 2; turned++) {
			const struct fr_set *second;
			struct world w;

			world_new(&w);
			add_set(&w, turned ? "BBBB" : "AAAA", FR_LEVEL_RAID1, 2, 0, 0);
			add_set(&w, turned ? "AAAA" : "BBBB", FR_LEVEL_RAID1, 2, 2, 0);
			for (size_t i = 0; i < w.claims.count; i++) {
				w.list[i]->name = "name";
				w.list[i]->name_suffix = suffix == 0 ? NULL : w.list[i]->id[0] == 'A' ? "_a" : "_b";
			}
			make_chosen(&w, NULL);
			assert_int_equal(w.scan.nsets, 2);
			assert_string_equal(set_called(&w, "name")->id, "AAAA");
			assert_int_equal(set_called(&w, "name")->nreasons, 0);
			second = w.scan.sets[w.scan.sets[0] == set_called(&w, "name") ? 1 : 0];
			if (suffix != 0)
				assert_string_equal(second->name, "name_b");
			assert_contains(all_reasons(second), "name");
			assert_contains(all_reasons(second), second->name);
			assert_use(second, FR_USE_READ_WRITE); /* two arrays, and two names */
			world_free(&w);
		}
	}
}

/* The volumes of one record: the first keeps the name, and the other is used on request only. */
static void same_names_in_one_record(void **state)
{
	(void)state;
	for (unsigned turned = 0; turned < 2; turned++) {
		const struct fr_set *first;
		struct world w;

		world_new(&w);
		for (unsigned i = 0; i < 4; i++) {
			struct fr_claim *c = member(&w, i / 2, FR_LEVEL_RAID1, 2, i / 2, "ID");

			c->part = i % 2 == turned ? 10 : 20;
			c->offset = 100 * c->part;
			c->volume = "Volume";
		}
		make_chosen(&w, NULL);
		assert_int_equal(w.scan.nsets, 2);
		first = set_called(&w, "ID");
		assert_int_equal(first->members[0].offset, 1000);
		assert_use(first, FR_USE_READ_WRITE);
		assert_use(w.scan.sets[w.scan.sets[0] == first ? 1 : 0], FR_USE_ON_REQUEST);
		world_free(&w);
	}
}

static const struct names_row {
	const char *name;
	const char *names[5];
} names_rows[] = {
	{ "three", { "x", "x", "x" } },
	{ "five", { "x", "x", "x", "x", "x" } },
	{ "one has the other's second name", { "x", "x", "x_2" } },
	{ "one has the other's second name, and is first", { "x_2", "x", "x" } },
	{ "second names that fall together", { "x", "x", "x_2", "x_2" } },
	{ "names of later turns, first", { "x_2_id2", "x_2", "x", "x" } },
	{ "names of later turns, of each", { "x_2_id3", "x_2_id4", "x", "x", "x" } },
	{ "names of later turns, of some", { "x_2", "x_2_id2", "x", "x", "x" } },
	{ "names that the escapes make equal", { "a b", "a\\x20b", "a b" } },
	{ "long names",
	  { "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
	    "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn",
	    "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
	    "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn",
	    "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
	    "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn" } },
};

/* Whatever the names are: no two sets share one, and all fit device-mapper. */
static void names_are_never_shared(void **state)
{
	static const char *const ids[] = { "id0", "id1", "id2", "id3", "id4" };
	const struct names_row *row = *state;
	unsigned count = 0;

	while (count < 5 && row->names[count] != NULL)
		count++;
	for (unsigned turn = 0; turn < count; turn++) {
		struct world w;

		world_new(&w);
		for (unsigned i = 0; i < count; i++) {
			struct fr_claim *c = member(&w, i, FR_LEVEL_RAID1, 2, 0, ids[(i + turn) % count]);

			c->name = row->names[(i + turn) % count];
		}
		make_chosen(&w, NULL);
		assert_int_equal(w.scan.nsets, count);
		for (unsigned i = 0; i < count; i++) {
			assert_in_range(strlen(w.scan.sets[i]->name), 1, FR_MAX_DM_NAME);
			for (unsigned k = 0; k < i; k++)
				assert_string_not_equal(w.scan.sets[i]->name, w.scan.sets[k]->name);
		}
		world_free(&w);
	}
}

/* ---- spares ---- */

static struct fr_claim *any_spare(struct world *w, unsigned disk)
{
	struct fr_claim *c = add_claim(w, disk, "", "");

	c->role = FR_ROLE_ANY_SPARE;
	return c;
}

/* Of whichever array of the format can use one, as long as it is no damaged record. */
static void spare_of_any_array(void **state)
{
	(void)state;
	for (unsigned first = 0; first < 2; first++) {
		struct world w;

		world_new(&w);
		if (first != 0)
			any_spare(&w, 7)->disk->serial = "SPARE";
		add_set(&w, "mirror", FR_LEVEL_RAID1, 2, 0, 0);
		add_set(&w, "stripe", FR_LEVEL_RAID0, 2, 2, 0);
		add_set(&w, "parity", FR_LEVEL_RAID5, 3, 4, 1);
		if (first == 0)
			any_spare(&w, 7)->disk->serial = "SPARE";
		any_spare(&w, 3)->fault = "checksum";
		make_chosen(&w, NULL);
		assert_int_equal(w.scan.nsets, 3);
		assert_int_equal(set_called(&w, "stripe")->nspares, 0);
		assert_int_equal(set_called(&w, "mirror")->nspares, 1);
		assert_int_equal(set_called(&w, "parity")->nspares, 1);
		assert_string_equal(set_called(&w, "parity")->spares[0].disk->path, "H");
		assert_string_equal(set_called(&w, "parity")->spares[0].serial, "SPARE");
		assert_int_equal(set_called(&w, "mirror")->nleft_out, 0);
		assert_use(set_called(&w, "mirror"), FR_USE_READ_WRITE);
		assert_use(set_called(&w, "parity"), FR_USE_READ_ONLY_FIRST);
		world_free(&w);
	}
}

static void spare_of_another_format(void **state)
{
	struct world w;

	(void)state;
	world_new(&w);
	add_set(&w, "mirror", FR_LEVEL_RAID1, 2, 0, 0);
	any_spare(&w, 2)->format = fr_formats()[1];
	make_chosen(&w, NULL);
	assert_int_equal(set_called(&w, "mirror")->nspares, 0);
	world_free(&w);
}

/* Beside a set's own one: each is named once. */
static void spares_of_both_kinds(void **state)
{
	struct world w;
	struct fr_claim *own;

	(void)state;
	world_new(&w);
	add_set(&w, "mirror", FR_LEVEL_RAID1, 2, 0, 0);
	own = member(&w, 2, FR_LEVEL_RAID1, 2, 0, "mirror");
	own->role = FR_ROLE_SPARE;
	any_spare(&w, 3);
	any_spare(&w, 4);
	make_chosen(&w, NULL);
	assert_int_equal(set_called(&w, "mirror")->nspares, 3);
	for (unsigned i = 0; i < 3; i++)
		assert_ptr_equal(set_called(&w, "mirror")->spares[i].disk, &w.disks[2 + i]);
	world_free(&w);
}

static void spare_alone(void **state)
{
	struct world w;

	(void)state;
	world_new(&w);
	any_spare(&w, 0);
	make_chosen(&w, NULL);
	assert_int_equal(w.scan.nsets, 0);
	assert_int_equal(w.scan.nproblems, 0);
	world_free(&w);
}

int main(void)
{
	struct test_list list = { 0 };

	ADD_ROWS(&list, overlap_rows, overlap);
	ADD_TEST(&list, areas_beside_each_other);
	ADD_TEST(&list, members_that_are_not_good);
	ADD_TEST(&list, three_sets);
	ADD_TEST(&list, chosen_by_an_alias);
	ADD_TEST(&list, chosen_is_not_raised);
	ADD_TEST(&list, same_names);
	ADD_TEST(&list, same_names_in_one_record);
	ADD_ROWS(&list, names_rows, names_are_never_shared);
	ADD_TEST(&list, spare_of_any_array);
	ADD_TEST(&list, spare_of_another_format);
	ADD_TEST(&list, spares_of_both_kinds);
	ADD_TEST(&list, spare_alone);
	return run_list("arbitrate", &list);
}
