// SPDX-License-Identifier: GPL-2.0-or-later
/* From sets to plans and their tables, sets made by hand; and the check that every plan has to pass. */
#include <stdio.h>

#include "plan.h"
#include "testing.h"

#define Z "/dev/mapper/fakeraid-nometa"
#define ZERO "fakeraid-nometa: 0 8192 zero\n"
#define S(n) " " Z " /dev/mapper/set-slice" #n
#define M(n) " " Z " /dev/mapper/set-missing" #n
#define SLICE(n, disk, sectors) "set-slice" #n ": 0 " #sectors " linear " #disk " 0\n"

/* ---- levels and states ---- */

static const struct table_row {
	const char *name;
	enum fr_level level;
	unsigned width;
	uint32_t chunk;
	uint64_t sectors;
	unsigned missing;       /* a bit a slot */
	bool out_of_sync;       /* copies may differ */
	bool write;             /* a degraded set, too */
	const char *tables;
} table_rows[] = {
	/* striped: length a multiple of chunk and members */
	{ "raid0", FR_LEVEL_RAID0, 2, 128, 7936, 0, false, false, "set: 0 7936 striped 2 128 A 0 B 0\n" },
	{ "raid0 of 3", FR_LEVEL_RAID0, 3, 32, 11904, 0, false, false, "set: 0 11904 striped 3 32 A 0 B 0 C 0\n" },
	{ "raid0 of small chunks", FR_LEVEL_RAID0, 2, 8, 160, 0, false, false, "set: 0 160 striped 2 8 A 0 B 0\n" },
	{ "raid0, its last row cut in a chunk", FR_LEVEL_RAID0, 3, 128, 1000, 0, false, false,
	  "set: 0 768 striped 3 128 A 0 B 0 C 0\nset: 768 128 linear A 256\nset: 896 104 linear B 256\n" },
	{ "raid0, its last row cut at a chunk", FR_LEVEL_RAID0, 3, 128, 896, 0, false, false,
	  "set: 0 768 striped 3 128 A 0 B 0 C 0\nset: 768 128 linear A 256\n" },
	{ "raid0, its last row cut by a sector", FR_LEVEL_RAID0, 2, 128, 511, 0, false, false,
	  "set: 0 256 striped 2 128 A 0 B 0\nset: 256 128 linear A 128\nset: 384 127 linear B 128\n" },
	{ "raid0 of less than a chunk", FR_LEVEL_RAID0, 3, 128, 5, 0, false, false, "set: 0 5 linear A 0\n" },

	/* raid1 takes no offsets and needs a metadata device for each member; any length will do */
	{ "raid1", FR_LEVEL_RAID1, 2, 0, 1001, 0, false, false, ZERO SLICE(0, A, 1001) SLICE(1, B, 1001)
	  "set: 0 1001 raid raid1 2 0 nosync 2" S(0) S(1) "\n" },
	{ "raid1 of 3", FR_LEVEL_RAID1, 3, 0, 1000, 0, false, false,
	  ZERO SLICE(0, A, 1000) SLICE(1, B, 1000) SLICE(2, C, 1000)
	  "set: 0 1000 raid raid1 2 0 nosync 3" S(0) S(1) S(2) "\n" },
	{ "raid1 less the first", FR_LEVEL_RAID1, 2, 0, 1000, 1, false, false, ZERO SLICE(1, B, 1000)
	  "set: 0 1000 raid raid1 2 0 nosync 1" S(1) "\n" },
	{ "raid1 less the second, to be written", FR_LEVEL_RAID1, 2, 0, 1000, 2, false, true, ZERO SLICE(0, A, 1000)
	  "set: 0 1000 raid raid1 2 0 nosync 1" S(0) "\n" },
	{ "raid1 whose copies may differ, to be written", FR_LEVEL_RAID1, 2, 0, 1000, 0, true, true,
	  ZERO SLICE(0, A, 1000) SLICE(1, B, 1000) "set: 0 1000 raid raid1 4 0 nosync write_mostly 1 2" S(0) S(1) "\n" },
	{ "raid1 of 3 whose copies may differ, to be written", FR_LEVEL_RAID1, 3, 0, 1000, 0, true, true,
	  ZERO SLICE(0, A, 1000) SLICE(1, B, 1000) SLICE(2, C, 1000)
	  "set: 0 1000 raid raid1 6 0 nosync write_mostly 1 write_mostly 2 3" S(0) S(1) S(2) "\n" },
	{ "raid1 whose copies may differ, less the first", FR_LEVEL_RAID1, 3, 0, 1000, 1, true, true,
	  ZERO SLICE(1, B, 1000) SLICE(2, C, 1000) "set: 0 1000 raid raid1 4 0 nosync write_mostly 1 2" S(1) S(2) "\n" },

	/* raid5: whole rows; a missing member is an error device */
	{ "raid5", FR_LEVEL_RAID5, 3, 128, 7936, 0, false, false,
	  ZERO SLICE(0, A, 3968) SLICE(1, B, 3968) SLICE(2, C, 3968)
	  "set: 0 7936 raid raid5_ls 2 128 nosync 3" S(0) S(1) S(2) "\n" },
	{ "raid5 less one", FR_LEVEL_RAID5, 3, 128, 7936, 2, false, false,
	  ZERO SLICE(0, A, 3968) "set-missing1: 0 3968 error\n" SLICE(2, C, 3968)
	  "set: 0 7936 raid raid5_ls 2 128 nosync 3" S(0) M(1) S(2) "\n" },
	{ "raid5 whose last row is cut", FR_LEVEL_RAID5, 4, 32, 1000, 0, false, false,
	  ZERO SLICE(0, A, 352) SLICE(1, B, 352) SLICE(2, C, 352) SLICE(3, D, 352)
	  "set-whole: 0 1056 raid raid5_ls 2 32 nosync 4" S(0) S(1) S(2) S(3) "\n"
	  "set: 0 1000 linear /dev/mapper/set-whole 0\n" },
	{ "raid5 cut, less the last", FR_LEVEL_RAID5, 3, 8, 33, 4, false, true,
	  ZERO SLICE(0, A, 24) SLICE(1, B, 24) "set-missing2: 0 24 error\n"
	  "set-whole: 0 48 raid raid5_ls 2 8 nosync 3" S(0) S(1) M(2) "\nset: 0 33 linear /dev/mapper/set-whole 0\n" },

	/* raid10: copies of a column are neighbours; raid01 holds the same bytes in another order */
	{ "raid10", FR_LEVEL_RAID10, 4, 32, 5888, 0, false, false,
	  ZERO SLICE(0, A, 2944) SLICE(1, B, 2944) SLICE(2, C, 2944) SLICE(3, D, 2944)
	  "set: 0 5888 raid raid10 2 32 nosync 4" S(0) S(1) S(2) S(3) "\n" },
	{ "raid10 less one of each column", FR_LEVEL_RAID10, 4, 32, 5888, 1 | 8, false, true,
	  ZERO "set-missing0: 0 2944 error\n" SLICE(1, B, 2944) SLICE(2, C, 2944) "set-missing3: 0 2944 error\n"
	  "set: 0 5888 raid raid10 2 32 nosync 4" M(0) S(1) S(2) M(3) "\n" },
	{ "raid01", FR_LEVEL_RAID01, 4, 128, 7936, 0, false, false,
	  ZERO SLICE(0, A, 3968) SLICE(2, C, 3968) SLICE(1, B, 3968) SLICE(3, D, 3968)
	  "set: 0 7936 raid raid10 2 128 nosync 4" S(0) S(2) S(1) S(3) "\n" },
	{ "raid01 of 6", FR_LEVEL_RAID01, 6, 128, 384, 0, false, false,
	  ZERO SLICE(0, A, 128) SLICE(3, D, 128) SLICE(1, B, 128) SLICE(4, E, 128) SLICE(2, C, 128) SLICE(5, F, 128)
	  "set: 0 384 raid raid10 2 128 nosync 6" S(0) S(3) S(1) S(4) S(2) S(5) "\n" },
	{ "raid01 less its first stripe", FR_LEVEL_RAID01, 4, 128, 7936, 3, false, false,
	  ZERO "set-missing0: 0 3968 error\n" SLICE(2, C, 3968) "set-missing1: 0 3968 error\n" SLICE(3, D, 3968)
	  "set: 0 7936 raid raid10 2 128 nosync 4" M(0) S(2) M(1) S(3) "\n" },
	{ "raid01 whose last row is cut", FR_LEVEL_RAID01, 4, 128, 7859, 0, false, false,
	  ZERO SLICE(0, A, 3968) SLICE(2, C, 3968) SLICE(1, B, 3968) SLICE(3, D, 3968)
	  "set-whole: 0 7936 raid raid10 2 128 nosync 4" S(0) S(2) S(1) S(3) "\n"
	  "set: 0 7859 linear /dev/mapper/set-whole 0\n" },
	{ "raid01 whose copies may differ, to be written", FR_LEVEL_RAID01, 4, 128, 7936, 0, true, true,
	  ZERO SLICE(0, A, 3968) SLICE(2, C, 3968)
	  "set-column0: 0 3968 raid raid1 4 0 nosync write_mostly 1 2" S(0) S(2) "\n" SLICE(1, B, 3968) SLICE(3, D, 3968)
	  "set-column1: 0 3968 raid raid1 4 0 nosync write_mostly 1 2" S(1) S(3) "\n"
	  "set: 0 7936 striped 2 128 /dev/mapper/set-column0 0 /dev/mapper/set-column1 0\n" },
	{ "raid10 whose copies may differ, less one, cut", FR_LEVEL_RAID10, 4, 128, 7859, 4, true, true,
	  ZERO SLICE(0, A, 3968) SLICE(1, B, 3968)
	  "set-column0: 0 3968 raid raid1 4 0 nosync write_mostly 1 2" S(0) S(1) "\n" SLICE(3, D, 3968)
	  "set-column1: 0 3968 raid raid1 2 0 nosync 1" S(3) "\n"
	  "set: 0 7680 striped 2 128 /dev/mapper/set-column0 0 /dev/mapper/set-column1 0\n"
	  "set: 7680 128 linear /dev/mapper/set-column0 3840\nset: 7808 51 linear /dev/mapper/set-column1 3840\n" },

	/* linear: one line a member; of a single one a mirror of one leg, as boot loaders want it */
	{ "linear of one", FR_LEVEL_LINEAR, 1, 0, HAND_SECTORS, 0, false, false,
	  ZERO SLICE(0, A, 100000) "set: 0 100000 raid raid1 2 0 nosync 1" S(0) "\n" },
	{ "linear", FR_LEVEL_LINEAR, 3, 0, 3 * HAND_SECTORS, 0, false, false,
	  "set: 0 100000 linear A 0\nset: 100000 100000 linear B 0\nset: 200000 100000 linear C 0\n" },
};

static void set_of_row(struct hand_set *h, const struct table_row *row)
{
	hand_set(h, row->level, row->width, row->chunk, row->sectors);
	h->set.in_sync = !row->out_of_sync;
	for (unsigned i = 0; i < row->width; i++) {
		if ((row->missing >> i & 1) != 0)
			hand_set_lose(h, i);
	}
}

static void table(void **state)
{
	const struct table_row *row = *state;
	const struct fr_plan_options options = { .degraded = row->write ? FR_DEGRADED_READ_WRITE : FR_DEGRADED_READ_ONLY };
	struct hand_set h;
	struct fr_plan *plan;
	char *text;

	set_of_row(&h, row);
	plan = plan_of(&h.set, &options);
	assert_int_equal(plan->read_only, row->missing != 0 && !row->write);
	text = plan_text(plan);
	assert_string_equal(text, row->tables);
	free(text);
	fr_plan_free(plan);
}

/* The mapping is the same whether it may be written to or not, but for copies that may differ. */
static void read_only_maps_the_same(void **state)
{
	const struct table_row *row = *state;
	const struct fr_plan_options options = { .read_only = true };
	struct hand_set h;
	struct fr_plan *plan;
	char *text;

	set_of_row(&h, row);
	plan = plan_of(&h.set, &options);
	assert_true(plan->read_only);
	text = plan_text(plan);
	if (row->out_of_sync)
		assert_null(strstr(text, "write_mostly"));
	else
		assert_string_equal(text, row->tables);
	free(text);
	fr_plan_free(plan);
}

/* Of copies that may differ a read-only plan has the first only. */
static void copies_that_may_differ(void **state)
{
	static const struct fr_plan_options read_only = { .read_only = true };
	struct hand_set h;
	struct fr_plan *plan;
	char *text;

	(void)state;
	hand_set(&h, FR_LEVEL_RAID1, 2, 0, 1000);
	h.set.in_sync = false;
	plan = plan_of(&h.set, &read_only);
	text = plan_text(plan);
	assert_string_equal(text, ZERO SLICE(0, A, 1000) "set: 0 1000 raid raid1 2 0 nosync 1" S(0) "\n");
	free(text);
	fr_plan_free(plan);

	hand_set(&h, FR_LEVEL_RAID01, 4, 128, 7936);
	h.set.in_sync = false;
	plan = plan_of(&h.set, &read_only);
	text = plan_text(plan);
	assert_string_equal(text, ZERO SLICE(0, A, 3968) "set-column0: 0 3968 raid raid1 2 0 nosync 1" S(0) "\n"
			    SLICE(1, B, 3968) "set-column1: 0 3968 raid raid1 2 0 nosync 1" S(1) "\n"
			    "set: 0 7936 striped 2 128 /dev/mapper/set-column0 0 /dev/mapper/set-column1 0\n");
	free(text);
	fr_plan_free(plan);
}

/* ---- copies of several generations ---- */

#define MIRROR_OF(device, n, sectors) device ": 0 " #sectors " raid raid1 " n
#define OVER_COLUMNS "set: 0 1024 striped 2 128 /dev/mapper/set-column0 0 /dev/mapper/set-column1 0\n"

static const struct legs_row {
	const char *name;
	enum fr_level level;
	unsigned width;
	uint32_t behind[4];     /* generations */
	unsigned missing;       /* a bit a slot */
	const char *write, *read; /* tables when all copies are written to, and when one is read */
} legs_rows[] = {
	{ "equal", FR_LEVEL_RAID1, 2, { 0, 0 }, 0,
	  ZERO SLICE(0, A, 1024) SLICE(1, B, 1024) MIRROR_OF("set", "4 0 nosync write_mostly 1 2", 1024) S(0) S(1) "\n",
	  ZERO SLICE(0, A, 1024) MIRROR_OF("set", "2 0 nosync 1", 1024) S(0) "\n" },
	{ "second ahead", FR_LEVEL_RAID1, 2, { 1, 0 }, 0,
	  ZERO SLICE(1, B, 1024) SLICE(0, A, 1024) MIRROR_OF("set", "4 0 nosync write_mostly 1 2", 1024) S(1) S(0) "\n",
	  ZERO SLICE(1, B, 1024) MIRROR_OF("set", "2 0 nosync 1", 1024) S(1) "\n" },
	{ "first ahead", FR_LEVEL_RAID1, 2, { 0, 1 }, 0,
	  ZERO SLICE(0, A, 1024) SLICE(1, B, 1024) MIRROR_OF("set", "4 0 nosync write_mostly 1 2", 1024) S(0) S(1) "\n",
	  ZERO SLICE(0, A, 1024) MIRROR_OF("set", "2 0 nosync 1", 1024) S(0) "\n" },
	{ "first behind by more than half a turn of the counter", FR_LEVEL_RAID1, 2, { UINT32_MAX, 0 }, 0,
	  ZERO SLICE(1, B, 1024) SLICE(0, A, 1024) MIRROR_OF("set", "4 0 nosync write_mostly 1 2", 1024) S(1) S(0) "\n",
	  ZERO SLICE(1, B, 1024) MIRROR_OF("set", "2 0 nosync 1", 1024) S(1) "\n" },
	{ "four in falling order, those of one age as they stand", FR_LEVEL_RAID1, 4, { 2, 0, 1, 0 }, 0,
	  ZERO SLICE(1, B, 1024) SLICE(3, D, 1024) SLICE(2, C, 1024) SLICE(0, A, 1024)
	  MIRROR_OF("set", "8 0 nosync write_mostly 1 write_mostly 2 write_mostly 3 4", 1024) S(1) S(3) S(2) S(0) "\n",
	  ZERO SLICE(1, B, 1024) MIRROR_OF("set", "2 0 nosync 1", 1024) S(1) "\n" },
	{ "the newest is not there", FR_LEVEL_RAID1, 3, { 6, 0, 5 }, 2,
	  ZERO SLICE(2, C, 1024) SLICE(0, A, 1024) MIRROR_OF("set", "4 0 nosync write_mostly 1 2", 1024) S(2) S(0) "\n",
	  ZERO SLICE(2, C, 1024) MIRROR_OF("set", "2 0 nosync 1", 1024) S(2) "\n" },
	{ "in one column of two", FR_LEVEL_RAID10, 4, { 0, 0, 1, 0 }, 0,
	  ZERO SLICE(0, A, 512) SLICE(1, B, 512)
	  MIRROR_OF("set-column0", "4 0 nosync write_mostly 1 2", 512) S(0) S(1) "\n" SLICE(3, D, 512) SLICE(2, C, 512)
	  MIRROR_OF("set-column1", "4 0 nosync write_mostly 1 2", 512) S(3) S(2) "\n"
	  OVER_COLUMNS,
	  ZERO SLICE(0, A, 512) MIRROR_OF("set-column0", "2 0 nosync 1", 512) S(0) "\n" SLICE(3, D, 512)
	  MIRROR_OF("set-column1", "2 0 nosync 1", 512) S(3) "\n"
	  OVER_COLUMNS },
};

/* The newest copy comes first, and it is the one that is read. */
static void newest_copy_first(void **state)
{
	static const struct fr_plan_options options[] = {
		{ .degraded = FR_DEGRADED_READ_WRITE }, { .read_only = true },
	};
	const struct legs_row *row = *state;

	for (size_t i = 0; i < FR_COUNT(options); i++) {
		struct fr_plan *plan;
		struct hand_set h;
		char *text;

		hand_set(&h, row->level, row->width, row->level == FR_LEVEL_RAID10 ? 128 : 0, 1024);
		h.set.in_sync = false;
		for (unsigned k = 0; k < row->width; k++) {
			h.members[k].behind = row->behind[k];
			if ((row->missing >> k & 1) != 0)
				hand_set_lose(&h, k);
		}
		plan = plan_of(&h.set, &options[i]);
		text = plan_text(plan);
		assert_string_equal(text, i == 0 ? row->write : row->read);
		free(text);
		fr_plan_free(plan);
	}
}

/* A size that reaches over what is not ours is for looking at it, whatever the set allows. */
static void size_of_the_peer_is_read_only(void **state)
{
	(void)state;
	for (unsigned mask = 0; mask < 4; mask++) {
		const struct fr_plan_options options = { .peer_size = (mask & 1) != 0 };
		struct fr_plan *plan;
		struct hand_set h;

		hand_set(&h, FR_LEVEL_RAID0, 2, 16, 3200);
		h.set.peer_sectors = 3264;
		h.set.peer_read_only = (mask & 2) != 0;
		plan = plan_of(&h.set, &options);
		assert_int_equal(plan->read_only, mask == 3);
		for (size_t i = 0; i < plan->ndevices; i++)
			assert_int_equal(plan->devices[i].read_only, mask == 3);
		assert_int_equal(plan->devices[plan->ndevices - 1].sectors, options.peer_size ? 3264 : 3200);
		fr_plan_free(plan);
	}
}

/* Members whose data does not start at the disk's beginning. */
static void offsets(void **state)
{
	struct hand_set h;
	struct fr_plan *plan;
	char *text;

	(void)state;
	for (int level = 0; level < 2; level++) {
		hand_set(&h, level == 0 ? FR_LEVEL_RAID0 : FR_LEVEL_RAID1, 2, level == 0 ? 16 : 0, 70);
		for (unsigned i = 0; i < 2; i++) {
			h.members[i].offset = 1000 + i;
			h.members[i].room = 70;
		}
		plan = plan_of(&h.set, NULL);
		text = plan_text(plan);
		assert_string_equal(text, level == 0 ?
				    "set: 0 64 striped 2 16 A 1000 B 1001\nset: 64 6 linear A 1032\n" :
				    ZERO "set-slice0: 0 70 linear A 1000\nset-slice1: 0 70 linear B 1001\n"
				    "set: 0 70 raid raid1 2 0 nosync 2" S(0) S(1) "\n");
		free(text);
		fr_plan_free(plan);
	}
}

static const struct layout_row {
	const char *name;
	enum fr_layout own, wanted;
	const char *word;
	bool read_only;         /* a layout that is not the set's own is for looking at it only */
} layout_rows[] = {
	{ "left-asymmetric", FR_LAYOUT_LEFT_ASYMMETRIC, FR_LAYOUT_NONE, " raid5_la ", false },
	{ "right-asymmetric", FR_LAYOUT_RIGHT_ASYMMETRIC, FR_LAYOUT_NONE, " raid5_ra ", false },
	{ "left-symmetric", FR_LAYOUT_LEFT_SYMMETRIC, FR_LAYOUT_NONE, " raid5_ls ", false },
	{ "right-symmetric", FR_LAYOUT_RIGHT_SYMMETRIC, FR_LAYOUT_NONE, " raid5_rs ", false },
	{ "layout asked for", FR_LAYOUT_LEFT_SYMMETRIC, FR_LAYOUT_RIGHT_ASYMMETRIC, " raid5_ra ", true },
	{ "own layout asked for", FR_LAYOUT_LEFT_SYMMETRIC, FR_LAYOUT_LEFT_SYMMETRIC, " raid5_ls ", false },
};

static void layout(void **state)
{
	const struct layout_row *row = *state;
	const struct fr_plan_options options = { .layout = row->wanted };
	struct hand_set h;
	struct fr_plan *plan;
	char *text;

	hand_set(&h, FR_LEVEL_RAID5, 3, 128, 7936);
	h.set.layout = row->own;
	plan = plan_of(&h.set, &options);
	text = plan_text(plan);
	assert_contains(text, row->word);
	assert_int_equal(plan->read_only, row->read_only);
	free(text);
	fr_plan_free(plan);
}

/* ---- what is allowed ---- */

static const struct use_row {
	const char *name;
	enum fr_set_state state;
	enum fr_use use;
	struct fr_plan_options options;
	int code;
	bool read_only;
} use_rows[] = {
	{ "good", FR_SET_OK, FR_USE_READ_WRITE, { 0 }, 0, false },
	{ "good, read-only asked for", FR_SET_OK, FR_USE_READ_WRITE, { .read_only = true }, 0, true },
	{ "good, no degraded ones", FR_SET_OK, FR_USE_READ_WRITE, { .degraded = FR_DEGRADED_NO }, 0, false },
	{ "degraded", FR_SET_DEGRADED, FR_USE_READ_ONLY_FIRST, { 0 }, 0, true },
	{ "degraded, to be written", FR_SET_DEGRADED, FR_USE_READ_ONLY_FIRST, { .degraded = FR_DEGRADED_READ_WRITE }, 0,
	  false },
	{ "degraded, to be written and read-only", FR_SET_DEGRADED, FR_USE_READ_ONLY_FIRST,
	  { .degraded = FR_DEGRADED_READ_WRITE, .read_only = true }, 0, true },
	{ "degraded, no degraded ones", FR_SET_DEGRADED, FR_USE_READ_ONLY_FIRST, { .degraded = FR_DEGRADED_NO }, -EPERM,
	  false },
	{ "rebuilding, no degraded ones", FR_SET_REBUILDING, FR_USE_READ_ONLY_FIRST, { .degraded = FR_DEGRADED_NO },
	  -EPERM, false },
	{ "initializing, no degraded ones", FR_SET_INITIALIZING, FR_USE_READ_ONLY_FIRST, { .degraded = FR_DEGRADED_NO },
	  0, true },
	{ "dirty", FR_SET_DIRTY, FR_USE_READ_WRITE, { 0 }, 0, false },
	{ "read-only for ever", FR_SET_DIRTY, FR_USE_READ_ONLY, { .degraded = FR_DEGRADED_READ_WRITE }, 0, true },
	{ "in doubt", FR_SET_OK, FR_USE_ON_REQUEST, { 0 }, -EPERM, false },
	{ "in doubt, to be written", FR_SET_OK, FR_USE_ON_REQUEST, { .degraded = FR_DEGRADED_READ_WRITE }, -EPERM, false },
	{ "in doubt and asked for", FR_SET_OK, FR_USE_ON_REQUEST, { .on_request = true }, 0, true },
	{ "in doubt, asked for, to be written", FR_SET_OK, FR_USE_ON_REQUEST,
	  { .on_request = true, .degraded = FR_DEGRADED_READ_WRITE }, 0, true },
	{ "broken", FR_SET_BROKEN, FR_USE_NEVER, { 0 }, -ENOTSUP, false },
	{ "broken and asked for", FR_SET_BROKEN, FR_USE_NEVER,
	  { .on_request = true, .degraded = FR_DEGRADED_READ_WRITE }, -ENOTSUP, false },
	{ "unsupported", FR_SET_UNSUPPORTED, FR_USE_NEVER, { .on_request = true }, -ENOTSUP, false },
	{ "layout where there is none", FR_SET_OK, FR_USE_READ_WRITE, { .layout = FR_LAYOUT_LEFT_SYMMETRIC }, -EINVAL,
	  false },
	{ "other size where there is none", FR_SET_OK, FR_USE_READ_WRITE, { .peer_size = true }, -EINVAL, false },
};

static void use(void **state)
{
	const struct use_row *row = *state;
	static const char *reasons[] = { "the reason" };
	struct fr_error err = { 0 };
	struct fr_plan *plan;
	struct hand_set h;

	hand_set(&h, FR_LEVEL_RAID1, 2, 0, 1000);
	h.set.state = row->state;
	h.set.use = row->use;
	h.set.reasons = reasons;
	h.set.nreasons = 1;
	assert_int_equal(fr_plan_new(&h.set, &row->options, &plan, &err), row->code);
	if (row->code != 0) {
		assert_null(plan);
		assert_int_equal(err.code, row->code);
		assert_contains(err.text, "set");
		if (row->code != -EINVAL)
			assert_contains(err.text, "the reason");
		return;
	}
	assert_int_equal(plan->read_only, row->read_only);
	for (size_t i = 0; i < plan->ndevices; i++) /* the shared device belongs to other sets, too */
		assert_int_equal(plan->devices[i].read_only,
				 plan->devices[i].role == FR_DEVICE_SHARED ? false : row->read_only);
	fr_plan_free(plan);
}

static void size_of_the_peer(void **state)
{
	const struct fr_plan_options options = { .peer_size = true };
	struct hand_set h;
	struct fr_plan *plan;
	char *text;

	(void)state;
	hand_set(&h, FR_LEVEL_RAID1, 2, 0, 3968);
	h.set.peer_sectors = 3998;
	plan = plan_of(&h.set, &options);
	text = plan_text(plan);
	assert_string_equal(text, ZERO SLICE(0, A, 3998) SLICE(1, B, 3998)
			    "set: 0 3998 raid raid1 2 0 nosync 2" S(0) S(1) "\n");
	free(text);
	fr_plan_free(plan);
}

static void names_and_roles(void **state)
{
	static const enum fr_device_role roles[] = { FR_DEVICE_SHARED, FR_DEVICE_PART, FR_DEVICE_PART, FR_DEVICE_PART,
						     FR_DEVICE_PART, FR_DEVICE_SET };
	struct hand_set h;
	struct fr_plan *plan;

	(void)state;
	hand_set(&h, FR_LEVEL_RAID5, 3, 16, 33);
	plan = plan_of(&h.set, NULL);
	assert_ptr_equal(plan->set, &h.set);
	assert_int_equal(plan->ndevices, FR_COUNT(roles));
	for (size_t i = 0; i < plan->ndevices; i++) {
		char uuid[100];

		assert_int_equal(plan->devices[i].role, roles[i]);
		snprintf(uuid, sizeof(uuid), "DMRAID-%s", plan->devices[i].name);
		assert_string_equal(plan->devices[i].uuid, uuid);
	}
	assert_string_equal(plan->devices[5].name, "set");
	assert_int_equal(plan->devices[5].sectors, 33);
	fr_plan_free(plan);
	fr_plan_free(NULL);
}

/* device-mapper splits a table at blanks and takes a backslash as a quote. */
static void paths_are_quoted(void **state)
{
	struct hand_set h;
	struct fr_plan *plan;
	char *text;

	(void)state;
	hand_set(&h, FR_LEVEL_RAID0, 2, 16, 64);
	h.disks[0].path = "/tmp/my disk";
	h.disks[1].path = "a\\b\tc";
	plan = plan_of(&h.set, NULL);
	text = plan_text(plan);
	assert_string_equal(text, "set: 0 64 striped 2 16 /tmp/my\\ disk 0 a\\\\b\\\tc 0\n");
	free(text);
	fr_plan_free(plan);
}

/* ---- sets that must not be mapped, whatever says so ---- */

static void too_short(struct hand_set *h) { h->members[1].room = 3967; }
static void past_the_disk(struct hand_set *h) { h->disks[2].sectors = 3967; }
static void far_offset(struct hand_set *h) { h->members[0].offset = UINT64_MAX - 100; h->members[0].room = UINT64_MAX; }
static void same_disk(struct hand_set *h) { h->members[2].disk = &h->disks[0]; }
static void overlapping(struct hand_set *h) { h->members[2].disk = &h->disks[0]; h->members[2].offset = 3967; }
static void small_chunk(struct hand_set *h) { h->set.chunk = 4; }
static void odd_chunk(struct hand_set *h) { h->set.chunk = 24; }
static void huge_chunk(struct hand_set *h) { h->set.chunk = 0x80000000; }
static void no_layout(struct hand_set *h) { h->set.layout = FR_LAYOUT_NONE; }
static void huge(struct hand_set *h) { h->set.sectors = UINT64_MAX - 1; }
static void empty(struct hand_set *h) { h->set.sectors = 0; }
static void no_level(struct hand_set *h) { h->set.level = FR_LEVEL_UNKNOWN; }

static void misaligned(struct hand_set *h)
{
	for (unsigned i = 0; i < 3; i++)
		h->disks[i].sector_size = 4096;
	h->members[1].offset = 4;
}

static const struct refuse_row {
	const char *name;
	void (*change)(struct hand_set *h);
	const char *about;
} refuse_rows[] = {
	{ "member too short", too_short, "B" }, { "member past its disk", past_the_disk, "C" },
	{ "offset that wraps", far_offset, "A" }, { "same area twice", same_disk, "A" },
	{ "areas that overlap", overlapping, "A" }, { "chunk smaller than 8", small_chunk, "set" },
	{ "chunk no power of two", odd_chunk, "set" }, { "chunk larger than the members", huge_chunk, "" },
	{ "raid5 without layout", no_layout, "set" }, { "size of 64 bits", huge, "" }, { "no size", empty, "" },
	{ "unknown level", no_level, "set" }, { "not aligned to the disk's sectors", misaligned, "4096" },
};

static void refused(void **state)
{
	const struct refuse_row *row = *state;
	struct fr_error err = { 0 };
	struct fr_plan *plan;
	struct hand_set h;

	hand_set(&h, FR_LEVEL_RAID5, 3, 128, 7936);
	row->change(&h);
	assert_true(fr_plan_new(&h.set, NULL, &plan, &err) < 0);
	assert_null(plan);
	assert_contains(err.text, row->about);
}

/* Two areas of one disk that only touch are none twice. */
static void areas_that_touch(void **state)
{
	struct hand_set h;
	struct fr_plan *plan;

	(void)state;
	hand_set(&h, FR_LEVEL_RAID5, 3, 128, 7936);
	h.members[2].disk = &h.disks[0];
	h.members[2].offset = 3968;
	h.members[2].room = 3968;
	plan = plan_of(&h.set, NULL);
	fr_plan_free(plan);
}

/* The kernel takes chunks smaller than a disk's sectors, and then cannot read them. */
static void chunk_smaller_than_a_sector(void **state)
{
	struct fr_plan *plan;
	struct hand_set h;

	(void)state;
	hand_set(&h, FR_LEVEL_RAID0, 2, 4, 1600);
	plan = plan_of(&h.set, NULL);
	fr_plan_free(plan);
	h.disks[0].sector_size = h.disks[1].sector_size = 4096;
	assert_int_equal(fr_plan_new(&h.set, NULL, &plan, NULL), -EINVAL);
	h.set.chunk = 8;
	plan = plan_of(&h.set, NULL);
	fr_plan_free(plan);
}

/* ---- the check itself, of plans that no set would give ---- */

/* A slice of 100 sectors and a set of two targets over it, which pass. */
struct hand_plan {
	struct hand_set set;
	struct fr_leg legs[4];
	struct fr_target targets[3];
	struct fr_device devices[2];
	struct fr_plan plan;
};

static void hand_plan(struct hand_plan *p)
{
	hand_set(&p->set, FR_LEVEL_LINEAR, 2, 0, 200);
	p->legs[0] = (struct fr_leg){ .disk = &p->set.disks[0] };
	p->legs[1] = (struct fr_leg){ .device = 0 };
	p->legs[2] = (struct fr_leg){ .disk = &p->set.disks[1] };
	p->targets[0] = (struct fr_target){ .length = 100, .kind = FR_TARGET_LINEAR, .nlegs = 1, .legs = &p->legs[0] };
	p->targets[1] = (struct fr_target){ .length = 100, .kind = FR_TARGET_LINEAR, .nlegs = 1, .legs = &p->legs[1] };
	p->targets[2] = (struct fr_target){ .start = 100, .length = 100, .kind = FR_TARGET_LINEAR, .nlegs = 1,
					    .legs = &p->legs[2] };
	p->devices[0] = (struct fr_device){ .name = "slice", .sectors = 100, .ntargets = 1, .targets = p->targets };
	p->devices[1] = (struct fr_device){ .name = "set", .sectors = 200, .ntargets = 2, .targets = p->targets + 1 };
	p->plan = (struct fr_plan){ .set = &p->set.set, .ndevices = 2, .devices = p->devices };
}

static void gap(struct hand_plan *p) { p->targets[2].start = 101; p->devices[1].sectors = 201; }
static void overlap(struct hand_plan *p) { p->targets[2].start = 99; p->devices[1].sectors = 199; }
static void late_start(struct hand_plan *p) { p->targets[1].start = 1; }
static void no_length(struct hand_plan *p) { p->targets[2].length = 0; p->devices[1].sectors = 100; }
static void wrapping_length(struct hand_plan *p) { p->targets[2].length = UINT64_MAX; }
static void wrong_sum(struct hand_plan *p) { p->devices[1].sectors = 201; }
static void no_targets(struct hand_plan *p) { p->devices[1].ntargets = 0; p->devices[1].sectors = 0; }
static void no_devices(struct hand_plan *p) { p->plan.ndevices = 0; }
static void itself(struct hand_plan *p) { p->legs[1].device = 1; }
static void later(struct hand_plan *p) { p->legs[0] = (struct fr_leg){ .device = 1 }; }
static void far_device(struct hand_plan *p) { p->legs[1].device = SIZE_MAX; }
static void past_device(struct hand_plan *p) { p->legs[1].offset = 1; }
static void wrapping_offset(struct hand_plan *p) { p->legs[1].offset = UINT64_MAX; }
static void past_room(struct hand_plan *p) { p->set.members[1].room = 99; }
static void before_area(struct hand_plan *p) { p->set.members[1].offset = 1; }
static void stale_member(struct hand_plan *p) { p->set.members[1].state = FR_MEMBER_STALE; }
static void foreign_disk(struct hand_plan *p) { p->legs[2].disk = &p->set.disks[7]; }
static void no_legs(struct hand_plan *p) { p->targets[2].nlegs = 0; }
static void two_legs(struct hand_plan *p) { p->targets[1].nlegs = 2; }
static void leg_of_nothing(struct hand_plan *p) { p->targets[2].kind = FR_TARGET_ZERO; }
static void no_chunk(struct hand_plan *p) { p->targets[2].kind = FR_TARGET_STRIPED; }
static void part_chunk(struct hand_plan *p) { p->targets[2].kind = FR_TARGET_STRIPED; p->targets[2].chunk = 64; }

static void wrapping_chunk(struct hand_plan *p)
{
	p->targets[2].kind = FR_TARGET_RAID5;
	p->targets[2].chunk = UINT32_MAX;
}

static void unknown_kind(struct hand_plan *p) { p->targets[2].kind = (enum fr_target_kind)99; }
static void twice(struct hand_plan *p) { p->legs[2] = p->legs[0]; p->legs[2].offset = 99; }

static const struct check_row {
	const char *name;
	void (*change)(struct hand_plan *p);
} check_rows[] = {
	{ "gap between targets", gap }, { "targets that overlap", overlap }, { "target that starts late", late_start },
	{ "target of no length", no_length }, { "length that wraps", wrapping_length }, { "wrong sum", wrong_sum },
	{ "device without targets", no_targets }, { "plan without devices", no_devices },
	{ "device over itself", itself }, { "device over a later one", later }, { "device that is not there", far_device },
	{ "past the device below", past_device }, { "offset on a device that wraps", wrapping_offset },
	{ "past the data area", past_room }, { "before the data area", before_area }, { "stale disk", stale_member },
	{ "disk of no member", foreign_disk }, { "target without legs", no_legs }, { "linear of two legs", two_legs },
	{ "zero with a leg", leg_of_nothing }, { "striped without chunk", no_chunk }, { "striped, a cut chunk", part_chunk },
	{ "raid5 of a wild chunk", wrapping_chunk }, { "target of no kind", unknown_kind },
	{ "disk area twice", twice },
};

static void check(void **state)
{
	const struct check_row *row = *state;
	struct fr_error err = { 0 };
	struct hand_plan p = { 0 };

	hand_plan(&p);
	assert_int_equal(fr_plan_check(&p.plan, &err), 0);
	assert_int_equal(err.code, 0);
	row->change(&p);
	assert_int_equal(fr_plan_check(&p.plan, &err), -EINVAL);
	assert_int_equal(err.code, -EINVAL);
	assert_true(err.text[0] != '\0');
}

int main(void)
{
	struct test_list list = { 0 };

	ADD_ROWS(&list, table_rows, table);
	ADD_ROWS(&list, table_rows, read_only_maps_the_same);
	ADD_TEST(&list, copies_that_may_differ);
	ADD_ROWS(&list, legs_rows, newest_copy_first);
	ADD_TEST(&list, size_of_the_peer_is_read_only);
	ADD_TEST(&list, offsets);
	ADD_ROWS(&list, layout_rows, layout);
	ADD_ROWS(&list, use_rows, use);
	ADD_TEST(&list, size_of_the_peer);
	ADD_TEST(&list, names_and_roles);
	ADD_TEST(&list, paths_are_quoted);
	ADD_ROWS(&list, refuse_rows, refused);
	ADD_TEST(&list, areas_that_touch);
	ADD_TEST(&list, chunk_smaller_than_a_sector);
	ADD_ROWS(&list, check_rows, check);
	return run_list("plan", &list);
}
