// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Arrays each of whose records names all the disks: which disk is which, by
 * its key, by elimination and by order, and which record is to be believed.
 * Claims made by hand, no format and no disk.
 */
#include <limits.h>
#include <stdio.h>

#include "testing.h"

enum { MAX_CLAIMS = 16, MAX_ENTRIES = 8, MAX_VOLUMES = 3, DISK = 10000, ROOM = 1000, CHUNK = 16, PER = 160 };

/* ---- records ---- */

struct volume {
	const char *name;
	enum fr_level level;
	unsigned width;
	unsigned seats[MAX_ENTRIES]; /* entries */
	enum fr_member_state states[MAX_ENTRIES];
};

/* What is written on a disk: a table of keys, of which a '!' before the key says that it is gone, '+' a spare. */
struct record {
	const char *keys[MAX_ENTRIES];
	uint32_t lineage, generation;
	const char *agreement;
	unsigned generation_bits;
	bool foreign;           /* a disk that fits no entry is foreign: no guesses */
	bool own_generation;    /* a disk that is behind is stale, whatever the newest record says */
	struct volume volumes[MAX_VOLUMES];
};

struct world {
	struct fr_pool pool;
	struct fr_claims claims;
	struct fr_claim *list[MAX_CLAIMS];
	size_t ndisks;
	struct fr_disk disks[MAX_CLAIMS];
	struct fr_look looks[MAX_CLAIMS];
	char paths[MAX_CLAIMS][2];
	struct fr_scan scan;
};

static unsigned count_keys(const struct record *r)
{
	unsigned n = 0;

	while (n < MAX_ENTRIES && r->keys[n] != NULL)
		n++;
	return n;
}

static const struct fr_roster *roster_of(struct world *w, const struct record *r)
{
	struct fr_roster *roster = fr_pool_array(&w->pool, 1, sizeof(*roster));

	assert_non_null(roster);
	roster->by_order = !r->foreign;
	roster->newest_decides = !r->own_generation;
	roster->nentries = count_keys(r);
	roster->entries = fr_pool_array(&w->pool, roster->nentries + 1, sizeof(*roster->entries));
	assert_non_null(roster->entries);
	for (unsigned i = 0; i < roster->nentries; i++) {
		const char *key = r->keys[i];
		struct fr_entry *e = &roster->entries[i];

		e->gone = *key == '!';
		e->spare = *key == '+';
		e->serial = key + (e->gone || e->spare);
		memcpy(e->key, key + e->spare, strlen(key + e->spare)); /* that of a lost disk fits none */
	}
	return roster;
}

static const struct fr_seat *seats_of(struct world *w, const struct volume *v)
{
	struct fr_seat *seats = fr_pool_array(&w->pool, v->width + 1, sizeof(*seats));

	assert_non_null(seats);
	for (unsigned i = 0; i < v->width; i++)
		seats[i] = (struct fr_seat){ .entry = v->seats[i], .state = v->states[i],
					     .reason = v->states[i] == FR_MEMBER_OK ? NULL : "so it says" };
	return seats;
}

static void add_volume(struct world *w, const struct record *r, const struct fr_roster *roster, unsigned number,
		       const char *key)
{
	const struct volume *v = &r->volumes[number];
	struct fr_claim *c = fr_pool_array(&w->pool, 1, sizeof(*c));

	assert_non_null(c);
	assert_true(w->claims.count < MAX_CLAIMS);
	*c = (struct fr_claim){
		.format = fr_formats()[0], .disk = &w->disks[w->ndisks], .lba = DISK - 1, .sectors = 1, .id = "ID",
		.id_length = 2, .name = v->name, .volume = v->name, .part = number, .roster = roster,
		.seats = seats_of(w, v), .has_key = key != NULL, .lineage = r->lineage, .width = v->width,
		.has_generation = true, .generation = r->generation, .generation_bits = r->generation_bits,
		.level = v->level, .set_sectors = (uint64_t)PER * fr_level_columns(v->level, v->width),
		.layout = v->level == FR_LEVEL_RAID5 ? FR_LAYOUT_LEFT_ASYMMETRIC : FR_LAYOUT_NONE,
		.chunk = fr_level_is_striped(v->level) ? CHUNK : 0, .offset = (uint64_t)ROOM * number, .room = ROOM,
		.agreement = r->agreement,
	};
	c->id_text = fr_pool_text(&w->pool, "ID");
	if (key != NULL)
		memcpy(c->key, key, strlen(key));
	w->claims.list = w->list;
	w->list[w->claims.count++] = c;
}

/* A disk that has this key (NULL: none) and carries this record. The first is "A", then "B" ... */
static struct fr_disk *add_disk(struct world *w, const struct record *r, const char *key)
{
	size_t n = w->ndisks;
	const struct fr_roster *roster = roster_of(w, r);

	w->paths[n][0] = (char)('A' + n);
	w->looks[n] = (struct fr_look){ .format = fr_formats()[0], .lba = DISK - 1, .sectors = 1,
					.verdict = FR_VERDICT_VALID, .claimed = true };
	w->disks[n] = (struct fr_disk){ .path = w->paths[n], .sectors = DISK, .sector_size = FR_SECTOR_SIZE,
					.serial = key, .nlooks = 1, .looks = &w->looks[n] };
	for (unsigned i = 0; i < MAX_VOLUMES && r->volumes[i].name != NULL; i++)
		add_volume(w, r, roster, i, key);
	w->ndisks++;
	return &w->disks[n];
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

static void world_free(struct world *w)
{
	fr_pool_free(&w->pool);
}

/* The good disks of a set by slot, "A-C": a dash where there is none. */
static const char *good_disks(const struct fr_set *set)
{
	static char text[MAX_ENTRIES + 1];

	memset(text, 0, sizeof(text));
	for (unsigned i = 0; i < set->width; i++)
		text[i] = set->members[i].state == FR_MEMBER_OK ? set->members[i].disk->path[0] : '-';
	return text;
}

static void assert_state(const struct fr_set *set, enum fr_set_state state)
{
	if (set->state != state)
		print_error("%s", all_reasons(set));
	assert_string_equal(fr_set_state_name(set->state), fr_set_state_name(state));
}

/* Whether a disk is said to belong to the set and not to be used, in no slot. */
static bool is_left_out(const struct fr_set *set, const char *path)
{
	size_t count = 0;

	for (size_t i = 0; i < set->nleft_out; i++) {
		if (strcmp(set->left_out[i].disk->path, path) != 0)
			continue;
		assert_int_not_equal(set->left_out[i].state, FR_MEMBER_OK);
		assert_non_null(set->left_out[i].reason);
		count++;
	}
	assert_in_range(count, 0, 1);
	return count == 1;
}

static const struct record stripe = {
	.keys = { "K0", "K1", "K2" }, .generation = 5,
	.volumes = { { .name = "Vol", .level = FR_LEVEL_RAID0, .width = 3, .seats = { 0, 1, 2 } } },
};
static const struct record mirror = {
	.keys = { "K0", "K1" }, .generation = 5,
	.volumes = { { .name = "Vol", .level = FR_LEVEL_RAID1, .width = 2, .seats = { 0, 1 } } },
};
static const struct record raid5 = {
	.keys = { "K0", "K1", "K2" }, .generation = 5,
	.volumes = { { .name = "Vol", .level = FR_LEVEL_RAID5, .width = 3, .seats = { 0, 1, 2 } } },
};
static const struct record raid10 = {
	.keys = { "K0", "K1", "K2", "K3" }, .generation = 5,
	.volumes = { { .name = "Vol", .level = FR_LEVEL_RAID10, .width = 4, .seats = { 0, 1, 2, 3 } } },
};

/* ---- every order of some disks ---- */

enum { MAX_ORDERS = 24 };

/* Fills in the number'th order of `count` things; false: there is no such. */
static bool order_of(unsigned number, unsigned count, unsigned *order)
{
	unsigned left[4] = { 0, 1, 2, 3 }, orders = 1;

	for (unsigned i = 2; i <= count; i++)
		orders *= i;
	if (number >= orders)
		return false;
	for (unsigned i = 0; i < count; i++) {
		unsigned at;

		orders /= count - i;
		at = number / orders;
		number %= orders;
		order[i] = left[at];
		memmove(&left[at], &left[at + 1], (count - i - 1 - at) * sizeof(*left));
	}
	return true;
}

/* A disk to be added, in whichever order. */
struct given {
	const struct record *record;
	const char *key;
};

/* Adds the disks in this order; where[i]: the path of disk i. */
static void add_in_order(struct world *w, const struct given *disks, unsigned count, const unsigned *order,
			 const char **where)
{
	for (unsigned i = 0; i < count; i++)
		where[order[i]] = add_disk(w, disks[order[i]].record, disks[order[i]].key)->path;
}

/* ---- (a) keys that fit ---- */

static void disks_by_key(void **state)
{
	static const struct record turned = { /* slots are not entries */
		.keys = { "K0", "K1", "K2", "K3" }, .generation = 5,
		.volumes = { { .name = "Vol", .level = FR_LEVEL_RAID0, .width = 4, .seats = { 2, 0, 3, 1 } } },
	};
	static const struct given disks[] = {
		{ &turned, "K0" }, { &turned, "K1" }, { &turned, "K2" }, { &turned, "K3" },
	};
	unsigned order[4];

	(void)state;
	for (unsigned n = 0; order_of(n, 4, order); n++) {
		const char *where[4];
		struct world w = { .claims = { 0 } };
		const struct fr_set *set;

		add_in_order(&w, disks, 4, order, where);
		set = only_set(&w);
		assert_state(set, FR_SET_OK);
		assert_int_equal(set->use, FR_USE_READ_WRITE);
		assert_int_equal(set->nreasons, 0);
		for (unsigned i = 0; i < 4; i++) {
			assert_int_equal(set->members[i].index, i);
			assert_string_equal(set->members[i].disk->path, where[turned.volumes[0].seats[i]]);
		}
		world_free(&w);
	}
}

static void disks_by_key_less_one(void **state)
{
	(void)state;
	for (unsigned lost = 0; lost < 3; lost++) {
		struct world w = { .claims = { 0 } };
		const struct fr_set *set;

		for (unsigned i = 3; i-- > 0; ) {
			if (i != lost)
				add_disk(&w, &raid5, raid5.keys[i]);
		}
		set = only_set(&w);
		assert_state(set, FR_SET_DEGRADED);
		assert_int_equal(set->members[lost].state, FR_MEMBER_MISSING);
		assert_string_equal(set->members[lost].serial, raid5.keys[lost]);
		assert_contains(all_reasons(set), raid5.keys[lost]);
		world_free(&w);
	}
}

/* Entries of no slot: failed left-overs, members of another volume. */
static void entries_of_no_slot(void **state)
{
	static const struct record r = {
		.keys = { "!K9", "K0", "K8", "K1" }, .generation = 5,
		.volumes = { { .name = "Vol", .level = FR_LEVEL_RAID1, .width = 2, .seats = { 1, 3 } } },
	};
	struct world w = { .claims = { 0 } };
	const struct fr_set *set;

	(void)state;
	add_disk(&w, &r, "K1");
	add_disk(&w, &r, "K8");
	add_disk(&w, &r, "K0");
	set = only_set(&w);
	assert_state(set, FR_SET_OK);
	assert_string_equal(good_disks(set), "CA");
	assert_int_equal(set->nspares, 0);
	world_free(&w);
}

/* ---- (b) one disk and one entry left ---- */

static void one_is_left(void **state)
{
	static const struct record *const records[] = { &stripe, &raid5, &raid10 };

	(void)state;
	for (size_t r = 0; r < FR_COUNT(records); r++) {
		unsigned width = records[r]->volumes[0].width;

		for (unsigned odd = 0; odd < 2 * width; odd++) { /* with another key, and with none */
			struct world w = { .claims = { 0 } };
			const struct fr_set *set;

			add_disk(&w, records[r], odd < width ? "OTHER" : NULL);
			for (unsigned i = 0; i < width; i++) {
				if (i != odd % width)
					add_disk(&w, records[r], records[r]->keys[i]);
			}
			set = only_set(&w);
			assert_state(set, FR_SET_OK);
			assert_int_equal(set->use, FR_USE_READ_WRITE); /* there is no choice: nothing is guessed */
			assert_string_equal(set->members[odd % width].disk->path, "A");
			assert_contains(all_reasons(set), "serial number"); /* it has another, or none */
			world_free(&w);
		}
	}
}

/* Entries of failed disks do not count: not beside disks that are known, and not for a disk that is alone. */
static void failed_entries_are_not_left(void **state)
{
	static const struct record three = {
		.keys = { "K0", "!K1", "K2" }, .generation = 5,
		.volumes = { { .name = "Vol", .level = FR_LEVEL_RAID5, .width = 3, .seats = { 0, 1, 2 },
			       .states = { 0, FR_MEMBER_FAILED, 0 } } },
	};
	static const struct record two = {
		.keys = { "!K0", "K1" }, .generation = 5,
		.volumes = { { .name = "Vol", .level = FR_LEVEL_RAID1, .width = 2, .seats = { 0, 1 },
			       .states = { FR_MEMBER_FAILED, 0 } } },
	};
	struct world w = { .claims = { 0 } };
	const struct fr_set *set;

	(void)state;
	add_disk(&w, &three, "OTHER");
	add_disk(&w, &three, "K0");
	set = only_set(&w);
	assert_state(set, FR_SET_DEGRADED);
	assert_string_equal(good_disks(set), "B-A");
	assert_contains(all_reasons(set), "A has another serial number");
	world_free(&w);

	memset(&w, 0, sizeof(w));
	add_disk(&w, &two, "OTHER");
	set = only_set(&w);
	assert_state(set, FR_SET_DEGRADED);
	assert_string_equal(good_disks(set), "-A");
	assert_contains(all_reasons(set), "serial number"); /* one disk, one entry: that it is, and it is said */
	world_free(&w);
}

/* ---- (c) no key fits ---- */

static const struct order_row {
	const char *name;
	const struct record *record;
	enum fr_use use;        /* a wrong order gives rubbish in stripes, and nothing else in a mirror */
} order_rows[] = {
	{ "stripe", &stripe, FR_USE_READ_ONLY },
	{ "mirror", &mirror, FR_USE_READ_WRITE },
	{ "RAID5", &raid5, FR_USE_READ_ONLY },
	{ "RAID10", &raid10, FR_USE_READ_ONLY },
};

static void disks_by_order(void **state)
{
	const struct order_row *row = *state;
	unsigned width = row->record->volumes[0].width, order[4];

	for (unsigned n = 0; order_of(n, width, order); n++) {
		for (unsigned known = 0; known < 2; known++) {
			struct world w = { .claims = { 0 } };
			const struct fr_set *set;

			for (unsigned i = 0; i < width; i++) { /* numbers that the record does not know, in any order */
				static const char *const others[] = { "W", "X", "Y", "Z" };

				add_disk(&w, row->record, known ? others[order[i]] : NULL);
			}
			set = only_set(&w);
			assert_state(set, FR_SET_OK);
			assert_string_equal(good_disks(set), width == 2 ? "AB" : width == 3 ? "ABC" : "ABCD");
			assert_int_equal(set->use, row->use);
			assert_contains(all_reasons(set), "order");
			world_free(&w);
		}
	}
}

/* Entries that are failed are passed over; the slots follow the order table as ever. */
static void order_passes_over_failed_entries(void **state)
{
	static const struct record r = {
		.keys = { "!K0", "K1", "K2", "!K3", "K4" }, .generation = 5,
		.volumes = { { .name = "Vol", .level = FR_LEVEL_RAID0, .width = 3, .seats = { 4, 1, 2 } } },
	};
	struct world w = { .claims = { 0 } };
	const struct fr_set *set;

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		add_disk(&w, &r, NULL);
	set = only_set(&w);
	assert_state(set, FR_SET_OK);
	assert_string_equal(good_disks(set), "CAB");
	assert_int_equal(set->use, FR_USE_READ_ONLY);
	world_free(&w);
}

/* Fewer disks than entries: which one is missing is a guess, too, and no better than the order. */
static void order_with_gaps(void **state)
{
	struct world w = { .claims = { 0 } };
	const struct fr_set *set;

	(void)state;
	add_disk(&w, &raid5, NULL);
	add_disk(&w, &raid5, NULL);
	set = only_set(&w);
	assert_state(set, FR_SET_DEGRADED);
	assert_string_equal(good_disks(set), "AB-");
	assert_in_range(set->use, FR_USE_NEVER, FR_USE_READ_ONLY);
	world_free(&w);

	memset(&w, 0, sizeof(w));
	add_disk(&w, &mirror, NULL);
	set = only_set(&w);
	assert_state(set, FR_SET_DEGRADED);
	assert_int_equal(set->use, FR_USE_READ_ONLY_FIRST); /* a mirror does not care */
	assert_contains(all_reasons(set), "serial number");
	world_free(&w);
}

/* Of more disks than entries the newest ones stand first; an older one that finds none left is stale. */
static void order_prefers_the_newest(void **state)
{
	static const struct given disks[] = { { &stripe, NULL }, { &stripe, NULL }, { &stripe, NULL }, { NULL, NULL } };
	struct record old = stripe;
	struct given given[4];
	unsigned order[4];

	(void)state;
	old.generation = 4;
	memcpy(given, disks, sizeof(disks));
	given[3].record = &old;
	for (unsigned n = 0; order_of(n, 4, order); n++) {
		const char *where[4];
		struct world w = { .claims = { 0 } };
		const struct fr_set *set;
		unsigned slot = 0;

		add_in_order(&w, given, 4, order, where);
		set = only_set(&w);
		assert_state(set, FR_SET_OK);
		assert_true(is_left_out(set, where[3]));
		assert_int_equal(set->nleft_out, 1);
		assert_int_equal(set->left_out[0].state, FR_MEMBER_STALE);
		assert_contains(set->left_out[0].reason, "generation 4");
		for (unsigned i = 0; i < 4; i++) { /* the others in the order given */
			if (order[i] != 3)
				assert_string_equal(set->members[slot++].disk->path, where[order[i]]);
		}
		world_free(&w);
	}
}

/* As many disks as entries, one of them behind, and none was ever lost: they are all members. */
static void order_takes_one_that_is_behind(void **state)
{
	struct record old = mirror;

	(void)state;
	old.generation = 4;
	for (unsigned first = 0; first < 2; first++) {
		struct world w = { .claims = { 0 } };
		const struct fr_set *set;

		add_disk(&w, first == 0 ? &old : &mirror, NULL);
		add_disk(&w, first == 0 ? &mirror : &old, NULL);
		set = only_set(&w);
		assert_state(set, FR_SET_DIRTY);
		assert_string_equal(good_disks(set), "AB");
		assert_false(set->in_sync);
		world_free(&w);
	}
}

/* More disks of the newest record than entries: some are clones, and nobody can tell which. */
static void order_with_too_many(void **state)
{
	static const struct record *const records[] = { &stripe, &mirror, &raid5 };

	(void)state;
	for (size_t r = 0; r < FR_COUNT(records); r++) {
		struct world w = { .claims = { 0 } };

		for (unsigned i = 0; i <= records[r]->volumes[0].width; i++)
			add_disk(&w, records[r], NULL);
		assert_int_equal(only_set(&w)->use, FR_USE_NEVER);
		world_free(&w);
	}
}

/* ---- (d) some fit, and more than one disk or entry is left ---- */

static const struct rest_row {
	const char *name;
	const struct record *record;
	const char *keys[5];    /* of the disks; "?": none that fits */
	enum fr_set_state state;
	const char *good;
	const char *left_out;   /* paths */
} rest_rows[] = {
	{ "two of a stripe", &stripe, { "?", "K1", "?" }, FR_SET_BROKEN, "-B-", "AC" },
	{ "two of a RAID10", &raid10, { "?", "K1", "K2", "?" }, FR_SET_DEGRADED, "-BC-", "AD" },
	{ "two of a RAID5", &raid5, { "K0", "?", "?" }, FR_SET_BROKEN, "A--", "BC" },
	{ "one disk for two entries", &raid5, { "K2", "?" }, FR_SET_BROKEN, "--A", "B" },
	{ "one disk for two entries of a RAID10", &raid10, { "K1", "?", "K2" }, FR_SET_DEGRADED, "-AC-", "B" },
	{ "two disks for one entry", &raid5, { "?", "K0", "K2", "?" }, FR_SET_DEGRADED, "B-C", "AD" },
	{ "two disks for one entry of a mirror", &mirror, { "K0", "?", "?" }, FR_SET_DEGRADED, "A-", "BC" },
	{ "a disk for no entry", &mirror, { "K0", "?", "K1" }, FR_SET_OK, "AC", "B" },
	{ "two disks for no entry", &stripe, { "K2", "?", "K1", "?", "K0" }, FR_SET_OK, "ECA", "BD" },
};

static void rest(void **state)
{
	const struct rest_row *row = *state;
	struct world w = { .claims = { 0 } };
	const struct fr_set *set;
	char path[2] = "";

	for (size_t i = 0; i < FR_COUNT(row->keys) && row->keys[i] != NULL; i++)
		add_disk(&w, row->record, row->keys[i][0] == '?' ? NULL : row->keys[i]);
	set = only_set(&w);
	assert_state(set, row->state);
	assert_string_equal(good_disks(set), row->good);
	assert_int_equal(set->nleft_out, strlen(row->left_out));
	for (const char *at = row->left_out; *at != '\0'; at++) {
		path[0] = *at;
		assert_true(is_left_out(set, path));
	}
	for (size_t i = 0; i < set->nleft_out; i++)
		assert_int_equal(set->left_out[i].index, UINT_MAX); /* of no slot */
	world_free(&w);
}

/* ---- keys that tell nothing ---- */

/* Two entries of one key: no disk is taken for either, and none is guessed to be. */
static void key_of_two_entries(void **state)
{
	static const struct record *const records[] = { &stripe, &mirror, &raid5 };

	(void)state;
	for (size_t i = 0; i < FR_COUNT(records); i++) {
		for (unsigned here = 1; here <= 2; here++) {
			struct record r = *records[i];
			struct world w = { .claims = { 0 } };

			r.keys[0] = r.keys[1];
			for (unsigned k = 0; k < here; k++)
				add_disk(&w, &r, "K1");
			make(&w);
			for (size_t k = 0; k < w.scan.nsets; k++)
				assert_in_range(w.scan.sets[k]->use, FR_USE_NEVER, FR_USE_ON_REQUEST);
			world_free(&w);
		}
	}
}

/* The third is still known by its own. */
static void key_of_two_entries_beside_a_good_one(void **state)
{
	struct record r = raid5;
	struct world w = { .claims = { 0 } };
	const struct fr_set *set;

	(void)state;
	r.keys[0] = r.keys[1];
	add_disk(&w, &r, "K1");
	add_disk(&w, &r, "K2");
	add_disk(&w, &r, "K1");
	set = only_set(&w);
	assert_int_equal(set->use, FR_USE_NEVER);
	assert_string_equal(good_disks(set), "--B");
	assert_true(is_left_out(set, "A"));
	assert_true(is_left_out(set, "C"));
	world_free(&w);
}

/* Two disks of one key: one is a clone, and neither is chosen, also if the clone was made earlier. */
static void clone(void **state)
{
	static const struct record *const records[] = { &stripe, &mirror, &raid5, &raid10 };

	(void)state;
	for (size_t i = 0; i < FR_COUNT(records); i++) {
		struct world w = { .claims = { 0 } };
		const struct fr_set *set;

		add_disk(&w, records[i], "K1");
		add_disk(&w, records[i], "K0");
		add_disk(&w, records[i], "K1");
		for (unsigned k = 2; k < records[i]->volumes[0].width; k++)
			add_disk(&w, records[i], records[i]->keys[k]);
		set = only_set(&w);
		assert_int_equal(set->use, FR_USE_NEVER);
		assert_int_equal(set->members[1].state, FR_MEMBER_MISSING);
		assert_true(is_left_out(set, "A"));
		assert_true(is_left_out(set, "C"));
		assert_contains(all_reasons(set), "A and C");
		world_free(&w);
	}
}

/* ---- a record that is behind ---- */

/* The newest record alone says who is a good member: a listed disk that is behind is one, and this is said. */
static void listed_disk_that_is_behind(void **state)
{
	static const struct record *const records[] = { &stripe, &mirror, &raid5, &raid10 };

	(void)state;
	for (size_t i = 0; i < FR_COUNT(records); i++) {
		for (unsigned behind = 0; behind < 2; behind++) {
			struct record old = *records[i];
			struct world w = { .claims = { 0 } };
			const struct fr_set *set;

			old.generation = 4;
			old.agreement = "another sum";
			for (unsigned k = 0; k < old.volumes[0].width; k++)
				add_disk(&w, k == behind ? &old : records[i], old.keys[k]);
			set = only_set(&w);
			assert_int_equal(set->members[behind].state, FR_MEMBER_OK);
			assert_int_equal(set->members[behind].generation, 4);
			assert_contains(all_reasons(set), "generation 4");
			assert_int_equal(set->use, FR_USE_READ_WRITE);
			assert_state(set, records[i] == &stripe ? FR_SET_OK : FR_SET_DIRTY);
			assert_int_equal(set->in_sync, !fr_level_has_copies(set->level));
			world_free(&w);
		}
	}
}

/* As the newest record has it: out of sync, being rebuilt, failed. */
static void seats_that_are_not_good(void **state)
{
	static const enum fr_member_state states[] = { FR_MEMBER_STALE, FR_MEMBER_REBUILDING, FR_MEMBER_FAILED };

	(void)state;
	for (size_t i = 0; i < FR_COUNT(states); i++) {
		for (unsigned first = 0; first < 2; first++) {
			struct record new = mirror, old = mirror;
			struct world w = { .claims = { 0 } };
			const struct fr_set *set;

			old.generation = 4;
			new.volumes[0].states[1] = states[i];
			add_disk(&w, first ? &new : &old, first ? "K0" : "K1");
			add_disk(&w, first ? &old : &new, first ? "K1" : "K0");
			set = only_set(&w);
			assert_string_equal(good_disks(set), first ? "A-" : "B-");
			assert_int_equal(set->members[1].state, states[i]);
			assert_string_equal(set->members[1].reason, "so it says");
			assert_state(set, states[i] == FR_MEMBER_REBUILDING ? FR_SET_REBUILDING : FR_SET_DEGRADED);
			assert_true(set->in_sync); /* of one copy */
			world_free(&w);
		}
	}
}

/* A disk that the newest record has lost is stale, with its own key or with another, known or not. */
static void lost_disk_is_stale(void **state)
{
	static const char *const keys[] = { "K1", "OTHER", NULL };
	struct record new = mirror, old = mirror;

	(void)state;
	old.generation = 3;
	new.keys[1] = "!K1";
	new.volumes[0].states[1] = FR_MEMBER_FAILED;
	for (size_t i = 0; i < 2 * FR_COUNT(keys); i++) {
		const char *key = keys[i % FR_COUNT(keys)], *good = i < FR_COUNT(keys) ? "K0" : NULL;

		for (unsigned first = 0; first < 2; first++) {
			struct world w = { .claims = { 0 } };
			const struct fr_set *set;

			add_disk(&w, first ? &new : &old, first ? good : key);
			add_disk(&w, first ? &old : &new, first ? key : good);
			set = only_set(&w);
			assert_state(set, FR_SET_DEGRADED);
			assert_string_equal(good_disks(set), first ? "A-" : "B-");
			assert_true(is_left_out(set, first ? "B" : "A") || set->members[1].state == FR_MEMBER_STALE ||
				    set->members[1].state == FR_MEMBER_FAILED);
			world_free(&w);
		}
	}
}

/* Another member is missing: its place is no place for the disk that was lost. */
static void lost_disk_takes_no_other_place(void **state)
{
	struct record new = raid5, old = raid5;
	unsigned order[2];

	(void)state;
	old.generation = 4;
	new.keys[1] = "!K1";
	new.volumes[0].states[1] = FR_MEMBER_FAILED;
	for (unsigned n = 0; order_of(n, 2, order); n++) {
		for (unsigned known = 0; known < 2; known++) {
			const struct given disks[] = { { &new, known ? "K0" : NULL }, { &old, known ? "K1" : NULL } };
			const char *where[2];
			struct world w = { .claims = { 0 } };
			const struct fr_set *set;

			add_in_order(&w, disks, 2, order, where);
			set = only_set(&w);
			assert_int_equal(set->use, FR_USE_NEVER); /* one of three is not enough */
			for (unsigned i = 0; i < 3; i++) {
				if (set->members[i].state == FR_MEMBER_OK)
					assert_string_equal(set->members[i].disk->path, where[0]);
			}
			world_free(&w);
		}
	}
}

/* A disk whose only entry is a failed one, of no slot any more: stale, and it is shown. */
static void disk_of_a_failed_entry(void **state)
{
	static const struct record r = {
		.keys = { "K0", "K1", "K2" }, .generation = 5,
		.volumes = { { .name = "Vol", .level = FR_LEVEL_RAID1, .width = 2, .seats = { 0, 2 } } },
	};
	struct record old = r;
	struct world w = { .claims = { 0 } };
	const struct fr_set *set;

	(void)state;
	old.generation = 4;
	add_disk(&w, &old, "K1");
	add_disk(&w, &r, "K0");
	add_disk(&w, &r, "K2");
	for (size_t i = 0; i < w.claims.count; i++)
		w.list[i]->roster->entries[1].gone = true; /* with the key as it was */
	set = only_set(&w);
	assert_state(set, FR_SET_OK);
	assert_string_equal(good_disks(set), "BC");
	assert_true(is_left_out(set, "A"));
	world_free(&w);
}

/* In a format each of whose disks speaks for itself a disk that is behind is stale. */
static void own_generation_counts(void **state)
{
	struct record new = mirror, old;
	struct world w = { .claims = { 0 } };
	const struct fr_set *set;

	(void)state;
	new.own_generation = true;
	old = new;
	old.generation = 4;
	add_disk(&w, &old, "K0");
	add_disk(&w, &new, "K1");
	set = only_set(&w);
	assert_state(set, FR_SET_DEGRADED);
	assert_string_equal(good_disks(set), "-B");
	assert_int_equal(set->members[0].state, FR_MEMBER_STALE);
	assert_contains(set->members[0].reason, "1 behind");
	assert_int_equal(w.looks[0].verdict, FR_VERDICT_STALE);
	world_free(&w);
}

/* And where the key is the format's own, a disk that fits no entry is foreign. */
static void foreign_disk(void **state)
{
	struct record r = mirror;

	(void)state;
	r.foreign = true;
	for (unsigned i = 0; i < 2; i++) {
		struct world w = { .claims = { 0 } };
		const struct fr_set *set;

		add_disk(&w, &r, "K1");
		add_disk(&w, &r, i == 0 ? "OTHER" : NULL);
		set = only_set(&w);
		assert_state(set, FR_SET_DEGRADED);
		assert_string_equal(good_disks(set), "-A");
		assert_true(is_left_out(set, "B"));
		world_free(&w);
	}
}

/* ---- generations that turn over, and that do not tell ---- */

static const struct turn_row {
	const char *name;
	unsigned bits;
	uint32_t old, new;
} turn_rows[] = {
	{ "32 bits", 0, UINT32_MAX, 0 }, { "32 bits, far", 0, UINT32_MAX - 1000, 1000 },
	{ "sign of 32 bits", 0, INT32_MAX, 1u << 31 }, { "32 bits by their number", 32, UINT32_MAX, 5 },
	{ "16 bits", 16, 0xffff, 0 }, { "16 bits, far", 16, 0xf000, 0x6fff },
	{ "sign of 16 bits", 16, 0x7fff, 0x8000 }, { "16 bits, no turn", 16, 5, 6 }, { "8 bits", 8, 0xff, 0x10 },
	{ "what 16 bits turn, 32 do not", 32, 0, 0xffff },
};

/* The newer record has lost the other's disk. */
static void generation_turns_over(void **state)
{
	const struct turn_row *row = *state;

	for (unsigned first = 0; first < 2; first++) {
		struct record new = mirror, old = mirror;
		struct world w = { .claims = { 0 } };
		const struct fr_set *set;

		new.generation_bits = old.generation_bits = row->bits;
		new.generation = row->new;
		old.generation = row->old;
		new.keys[1] = "!K1";
		new.volumes[0].states[1] = FR_MEMBER_FAILED;
		add_disk(&w, first ? &new : &old, first ? "K0" : "K1");
		add_disk(&w, first ? &old : &new, first ? "K1" : "K0");
		set = only_set(&w);
		assert_state(set, FR_SET_DEGRADED);
		assert_string_equal(good_disks(set), first ? "A-" : "B-");
		world_free(&w);
	}
}

/* Two good members of which the one in `slot` is the newer by a turn of the counter. */
static const struct fr_set *set_across_the_turn(struct world *w, const struct turn_row *row, unsigned slot)
{
	struct record new = mirror, old = mirror;
	const struct fr_set *set;

	new.generation_bits = old.generation_bits = row->bits;
	new.generation = row->new;
	old.generation = row->old;
	add_disk(w, slot == 0 ? &new : &old, "K0");
	add_disk(w, slot == 0 ? &old : &new, "K1");
	set = only_set(w);
	assert_state(set, FR_SET_DIRTY);
	assert_string_equal(good_disks(set), "AB");
	return set;
}

/* How far the other is behind is said in numbers of its counter. */
static void behind_across_the_turn(void **state)
{
	const struct turn_row *row = *state;
	uint32_t mask = row->bits == 0 || row->bits == 32 ? UINT32_MAX : (1u << row->bits) - 1;
	struct world w = { .claims = { 0 } };
	char wanted[40];

	snprintf(wanted, sizeof(wanted), " %u behind", (row->new - row->old) & mask);
	assert_contains(all_reasons(set_across_the_turn(&w, row, 0)), wanted);
	world_free(&w);
}

/* Of copies that may differ the newest is read. */
static void newest_is_read_across_the_turn(void **state)
{
	static const struct fr_plan_options read_only = { .read_only = true };
	const struct turn_row *row = *state;

	for (unsigned slot = 0; slot < 2; slot++) {
		struct world w = { .claims = { 0 } };
		struct fr_plan *plan = plan_of(set_across_the_turn(&w, row, slot), &read_only);
		char wanted[40], *text = plan_text(plan);

		snprintf(wanted, sizeof(wanted), "slice%u: 0 160 linear %s 0\n", slot, slot == 0 ? "A" : "B");
		assert_contains(text, wanted);
		assert_null(strstr(text, slot == 0 ? "slice1" : "slice0"));
		free(text);
		fr_plan_free(plan);
		world_free(&w);
	}
}

/* One generation, two records: no rule decides. */
static void one_generation_two_records(void **state)
{
	static const struct record *const records[] = { &stripe, &mirror, &raid5 };

	(void)state;
	for (size_t i = 0; i < FR_COUNT(records); i++) {
		for (unsigned odd = 0; odd < 2; odd++) {
			struct record a = *records[i], b = *records[i];
			struct world w = { .claims = { 0 } };
			const struct fr_set *set;

			a.agreement = "sum 1";
			b.agreement = "sum 2";
			for (unsigned k = 0; k < a.volumes[0].width; k++)
				add_disk(&w, k == odd ? &a : &b, a.keys[k]);
			set = only_set(&w);
			assert_int_equal(set->use, FR_USE_NEVER);
			assert_state(set, FR_SET_BROKEN);
			assert_contains(all_reasons(set), "contradict");
			world_free(&w);
		}
	}
}

static void half_a_turn_apart(void **state)
{
	(void)state;
	for (unsigned bits = 16; bits <= 32; bits += 16) {
		struct record a = mirror, b = mirror;
		struct world w = { .claims = { 0 } };

		a.generation_bits = b.generation_bits = bits;
		b.generation = a.generation + (1u << (bits - 1));
		add_disk(&w, &a, "K0");
		add_disk(&w, &b, "K1");
		assert_int_equal(only_set(&w)->use, FR_USE_NEVER);
		world_free(&w);
	}
}

/* ---- lineages: the array before and after disks were exchanged ---- */

/* Disk K1 was exchanged for K2; its own record knows nothing of that. */
static void before_the_exchange(struct record *old, struct record *new)
{
	*old = mirror;
	old->lineage = 1;
	old->agreement = "family 1";
	*new = mirror;
	new->lineage = 2;
	new->agreement = "family 2";
	new->keys[1] = "K2";
}

/* The lineage whose record lies on all the disks that it names stands, also if the other was written later. */
static void complete_lineage_stands(void **state)
{
	unsigned order[3];

	(void)state;
	for (unsigned later = 0; later < 2; later++) {
		for (unsigned n = 0; order_of(n, 3, order); n++) {
			struct record old, new;
			const struct given disks[] = { { &new, "K0" }, { &old, "K1" }, { &new, "K2" } };
			const char *where[3];
			struct world w = { .claims = { 0 } };
			const struct fr_set *set;

			before_the_exchange(&old, &new);
			old.generation = later ? 9 : 3;
			add_in_order(&w, disks, 3, order, where);
			set = only_set(&w);
			assert_state(set, FR_SET_OK);
			assert_int_equal(set->use, FR_USE_READ_WRITE);
			assert_string_equal(set->members[0].disk->path, where[0]);
			assert_string_equal(set->members[1].disk->path, where[2]);
			assert_true(is_left_out(set, where[1]));
			assert_int_equal(w.looks[where[1][0] - 'A'].verdict, FR_VERDICT_STALE);
			world_free(&w);
		}
	}
}

/* The same by the entries that failed: they need not be there for a lineage to be complete. */
static void failed_entries_are_not_asked_for(void **state)
{
	(void)state;
	for (unsigned first = 0; first < 2; first++) {
		struct record old, new;
		struct world w = { .claims = { 0 } };
		const struct fr_set *set;

		before_the_exchange(&old, &new);
		old.generation = 9;
		new.keys[1] = "!K1";
		new.volumes[0].states[1] = FR_MEMBER_FAILED;
		add_disk(&w, first ? &new : &old, first ? "K0" : "K1");
		add_disk(&w, first ? &old : &new, first ? "K1" : "K0");
		set = only_set(&w);
		assert_state(set, FR_SET_DEGRADED);
		assert_string_equal(good_disks(set), first ? "A-" : "B-");
		assert_true(is_left_out(set, first ? "B" : "A"));
		world_free(&w);
	}
}

/* Two halves that each went on alone: both are complete, and the later one stands. */
static void later_lineage_stands(void **state)
{
	(void)state;
	for (unsigned later = 0; later < 2; later++) {
		for (unsigned turned = 0; turned < 2; turned++) {
			struct record a = mirror, b = mirror;
			struct world w = { .claims = { 0 } };
			const struct fr_set *set;

			a.lineage = 7;
			b.lineage = 8;
			a.keys[1] = "!K1";
			b.keys[0] = "!K0";
			a.volumes[0].states[1] = b.volumes[0].states[0] = FR_MEMBER_FAILED;
			a.generation = later == 0 ? UINT32_MAX : 1; /* 0 comes after it */
			b.generation = 0;
			add_disk(&w, turned ? &b : &a, turned ? "K1" : "K0");
			add_disk(&w, turned ? &a : &b, turned ? "K0" : "K1");
			set = only_set(&w);
			assert_state(set, FR_SET_DEGRADED);
			assert_string_equal(good_disks(set), later == 0 ? turned ? "-A" : "-B" : turned ? "B-" : "A-");
			world_free(&w);
		}
	}
}

/* Two lineages of one generation that are both complete, or of which neither is: nothing is chosen. */
static void tie_of_lineages(void **state)
{
	(void)state;
	for (unsigned complete = 0; complete < 2; complete++) {
		for (unsigned first = 0; first < 2; first++) {
			struct record a = mirror, b = mirror;
			struct world w = { .claims = { 0 } };
			const struct fr_set *set;

			a.lineage = 7;
			b.lineage = 8;
			a.keys[1] = complete ? "!K1" : "K2";
			b.keys[0] = complete ? "!K0" : "K3";
			add_disk(&w, first ? &a : &b, first ? "K0" : "K1");
			add_disk(&w, first ? &b : &a, first ? "K1" : "K0");
			set = only_set(&w);
			assert_state(set, FR_SET_BROKEN);
			assert_int_equal(set->use, FR_USE_NEVER);
			world_free(&w);
		}
	}
}

/* A third one that is complete, or later, settles what two others cannot. */
static void third_lineage_breaks_the_tie(void **state)
{
	unsigned order[3];

	(void)state;
	for (unsigned n = 0; order_of(n, 3, order); n++) {
		struct record a = mirror, b = mirror, c = mirror;
		const struct given disks[] = { { &a, "K0" }, { &b, "K1" }, { &c, "K2" } };
		const char *where[3];
		struct world w = { .claims = { 0 } };
		const struct fr_set *set;

		a.lineage = 7;
		b.lineage = 8;
		c.lineage = 9;
		a.keys[1] = "!K1";
		b.keys[0] = "!K0";
		c.keys[0] = "K2";
		c.keys[1] = "!K1";
		c.generation = 6;
		add_in_order(&w, disks, 3, order, where);
		set = only_set(&w);
		assert_state(set, FR_SET_DEGRADED);
		assert_string_equal(set->members[0].disk->path, where[2]);
		assert_int_equal(set->nleft_out, 2);
		world_free(&w);
	}
}

/* One disk and its clone are not the two disks that a record names. */
static void clones_make_no_lineage_complete(void **state)
{
	unsigned order[3];

	(void)state;
	for (unsigned n = 0; order_of(n, 3, order); n++) {
		struct record halved = mirror, cloned = mirror;
		const struct given disks[] = { { &halved, "K2" }, { &cloned, "K0" }, { &cloned, "K0" } };
		const char *where[3];
		struct world w = { .claims = { 0 } };
		const struct fr_set *set;

		halved.lineage = 1;
		halved.keys[0] = "K2";
		halved.keys[1] = "!K3";
		halved.volumes[0].states[1] = FR_MEMBER_FAILED;
		cloned.lineage = 2;
		cloned.generation = 9;
		add_in_order(&w, disks, 3, order, where);
		set = only_set(&w);
		assert_state(set, FR_SET_DEGRADED);
		assert_string_equal(set->members[0].disk->path, where[0]);
		assert_true(is_left_out(set, where[1]));
		assert_true(is_left_out(set, where[2]));
		world_free(&w);
	}
}

/* A disk of another lineage is never taken for one that is left, whatever its key is and however it was given. */
static void other_lineage_is_not_seated(void **state)
{
	static const char *const keys[] = { "K1", "OTHER", NULL };
	unsigned order[3];

	(void)state;
	for (size_t k = 0; k < 2 * FR_COUNT(keys); k++) {
		bool known = k < FR_COUNT(keys);

		for (unsigned n = 0; order_of(n, 3, order); n++) {
			struct record old, new = raid5;
			const struct given disks[] = {
				{ &new, known ? "K0" : NULL }, { &old, keys[k % FR_COUNT(keys)] },
				{ &new, known ? "K2" : NULL },
			};
			const char *where[3];
			struct world w = { .claims = { 0 } };
			const struct fr_set *set;

			old = raid5;
			old.lineage = 1;
			old.generation = 4;
			new.lineage = 2;
			new.keys[1] = "K3"; /* which is not here */
			add_in_order(&w, disks, 3, order, where);
			set = only_set(&w);
			assert_true(is_left_out(set, where[1]));
			for (unsigned i = 0; i < 3; i++) {
				if (set->members[i].disk != NULL)
					assert_string_not_equal(set->members[i].disk->path, where[1]);
			}
			if (known)
				assert_string_equal(fr_set_state_name(set->state), "degraded");
			world_free(&w);
		}
	}
}

/* ---- several volumes of one record ---- */

static const struct record matrix = {
	.keys = { "K0", "K1" }, .generation = 5,
	.volumes = { { .name = "Fast", .level = FR_LEVEL_RAID0, .width = 2, .seats = { 0, 1 } },
		     { .name = "Safe", .level = FR_LEVEL_RAID1, .width = 2, .seats = { 1, 0 } } },
};

static const struct fr_set *set_called(const struct world *w, const char *name)
{
	for (size_t i = 0; i < w->scan.nsets; i++) {
		if (strcmp(w->scan.sets[i]->name, name) == 0)
			return w->scan.sets[i];
	}
	fail_msg("no set '%s'", name);
	return NULL;
}

/* A disk is the same entry in all of them, whatever told which it is. */
static void volumes_have_one_seating(void **state)
{
	static const char *const keys[][2] = {
		{ "K0", "K1" }, { "K1", "K0" }, { NULL, NULL }, { "K1", NULL }, { NULL, "K0" },
	};

	(void)state;
	for (size_t i = 0; i < FR_COUNT(keys); i++) {
		bool turned = i == 1 || i >= 3;
		struct world w = { .claims = { 0 } };

		add_disk(&w, &matrix, keys[i][0]);
		add_disk(&w, &matrix, keys[i][1]);
		make(&w);
		assert_int_equal(w.scan.nsets, 2);
		assert_string_equal(good_disks(set_called(&w, "Fast")), turned ? "BA" : "AB");
		assert_string_equal(good_disks(set_called(&w, "Safe")), turned ? "AB" : "BA");
		assert_int_equal(set_called(&w, "Safe")->members[0].offset, ROOM);
		assert_int_equal(set_called(&w, "Fast")->use, i == 2 ? FR_USE_READ_ONLY : FR_USE_READ_WRITE);
		assert_int_equal(set_called(&w, "Safe")->use, FR_USE_READ_WRITE);
		assert_int_equal(w.scan.nproblems, 0);
		world_free(&w);
	}
}

/* One disk's loss is seen by all volumes that it was in. */
static void volumes_lose_one_disk(void **state)
{
	struct world w = { .claims = { 0 } };

	(void)state;
	add_disk(&w, &matrix, "K1");
	make(&w);
	assert_state(set_called(&w, "Fast"), FR_SET_BROKEN);
	assert_state(set_called(&w, "Safe"), FR_SET_DEGRADED);
	assert_string_equal(good_disks(set_called(&w, "Safe")), "A-");
	world_free(&w);
}

/* A volume that the newest record has not any more makes no set, but a problem. */
static void volume_that_was_deleted(void **state)
{
	struct record new = matrix;

	(void)state;
	new.generation = 6;
	memset(&new.volumes[0], 0, sizeof(new.volumes[0]));
	new.volumes[0] = matrix.volumes[1];
	for (unsigned first = 0; first < 2; first++) {
		struct world w = { .claims = { 0 } };
		const struct fr_set *set;

		memset(&new.volumes[1], 0, sizeof(new.volumes[1]));
		add_disk(&w, first ? &new : &matrix, first ? "K0" : "K1");
		add_disk(&w, first ? &matrix : &new, first ? "K1" : "K0");
		for (size_t i = 0; i < w.claims.count; i++) { /* it is where it was */
			if (strcmp(w.list[i]->volume, "Safe") == 0) {
				w.list[i]->part = 1;
				w.list[i]->offset = ROOM;
			}
		}
		set = only_set(&w);
		assert_string_equal(set->volume, "Safe");
		assert_string_equal(good_disks(set), first ? "BA" : "AB");
		assert_int_equal(w.scan.nproblems, 1);
		assert_string_equal(w.scan.problems[0].disk, first ? "B" : "A");
		assert_contains(w.scan.problems[0].reason, "Fast");
		world_free(&w);
	}
}

/* A volume that only the newest record has: the disk that is behind does not know it, and is no member. */
static void volume_that_is_new(void **state)
{
	struct record old = matrix;
	struct world w = { .claims = { 0 } };

	(void)state;
	old.generation = 4;
	memset(&old.volumes[1], 0, sizeof(old.volumes[1]));
	add_disk(&w, &old, "K0");
	add_disk(&w, &matrix, "K1");
	make(&w);
	assert_int_equal(w.scan.nsets, 2);
	assert_string_equal(good_disks(set_called(&w, "Fast")), "AB");
	assert_string_equal(good_disks(set_called(&w, "Safe")), "B-");
	assert_true(is_left_out(set_called(&w, "Safe"), "A"));
	world_free(&w);
}

/*
 * What is wrong with a volume on one disk only does not make the record another: the other volume is as good as ever,
 * the disk is no member of this one, and which of the disks it is makes no difference.
 */
static const struct wrong_row {
	const char *name;
	unsigned which;
} wrong_rows[] = { { "first volume", 0 }, { "second volume", 1 } };

static void volume_that_is_wrong_on_one_disk(void **state)
{
	unsigned which = ((const struct wrong_row *)*state)->which;
	enum fr_use use[2] = { FR_USE_NEVER, FR_USE_NEVER };

	for (unsigned disk = 0; disk < 2; disk++) {
		struct world w = { .claims = { 0 } };

		add_disk(&w, &matrix, "K0");
		add_disk(&w, &matrix, "K1");
		w.list[2 * disk + which]->fault = "does not fit this disk";
		make(&w);
		assert_state(set_called(&w, matrix.volumes[1 - which].name), FR_SET_OK);
		for (size_t i = 0; i < w.scan.nsets; i++) {
			const struct fr_set *set = w.scan.sets[i];

			if (strcmp(set->name, matrix.volumes[which].name) != 0)
				continue;
			use[disk] = set->use;
			assert_true(is_left_out(set, disk == 0 ? "A" : "B"));
			assert_null(strchr(good_disks(set), disk == 0 ? 'A' : 'B'));
		}
		world_free(&w);
	}
	assert_int_equal(use[0], use[1]);
}

/* ---- spares that a record names ---- */

static void spare_entries(void **state)
{
	static const struct record r = {
		.keys = { "+K9", "K0", "K1" }, .generation = 5,
		.volumes = { { .name = "Vol", .level = FR_LEVEL_RAID1, .width = 2, .seats = { 1, 2 } } },
	};

	(void)state;
	for (unsigned known = 0; known < 2; known++) {
		struct world w = { .claims = { 0 } };
		const struct fr_set *set;

		add_disk(&w, &r, known ? "K1" : NULL);
		add_disk(&w, &r, known ? "K0" : NULL);
		add_disk(&w, &r, known ? "K9" : NULL);
		set = only_set(&w);
		assert_state(set, FR_SET_OK);
		assert_string_equal(good_disks(set), known ? "BA" : "AB"); /* members before spares */
		assert_int_equal(set->nspares, 1);
		assert_string_equal(set->spares[0].disk->path, "C");
		assert_int_equal(set->nleft_out, 0);
		world_free(&w);
	}
}

/* A spare's entry is no place that is left for a member. */
static void spare_entry_is_not_left(void **state)
{
	static const struct record r = {
		.keys = { "K0", "+K9", "K1" }, .generation = 5,
		.volumes = { { .name = "Vol", .level = FR_LEVEL_RAID1, .width = 2, .seats = { 0, 2 } } },
	};
	struct world w = { .claims = { 0 } };
	const struct fr_set *set;

	(void)state;
	add_disk(&w, &r, "K0");
	add_disk(&w, &r, "OTHER");
	set = only_set(&w);
	assert_state(set, FR_SET_OK);
	assert_string_equal(good_disks(set), "AB");
	assert_int_equal(set->nspares, 0);
	world_free(&w);
}

static void add_seat_tests(struct test_list *list)
{
	ADD_TEST(list, disks_by_key);
	ADD_TEST(list, disks_by_key_less_one);
	ADD_TEST(list, entries_of_no_slot);
	ADD_TEST(list, one_is_left);
	ADD_TEST(list, failed_entries_are_not_left);
	ADD_ROWS(list, order_rows, disks_by_order);
	ADD_TEST(list, order_passes_over_failed_entries);
	ADD_TEST(list, order_with_gaps);
	ADD_TEST(list, order_prefers_the_newest);
	ADD_TEST(list, order_takes_one_that_is_behind);
	ADD_TEST(list, order_with_too_many);
	ADD_ROWS(list, rest_rows, rest);
	ADD_TEST(list, key_of_two_entries);
	ADD_TEST(list, key_of_two_entries_beside_a_good_one);
	ADD_TEST(list, clone);
	ADD_TEST(list, spare_entries);
	ADD_TEST(list, spare_entry_is_not_left);
}

static void add_record_tests(struct test_list *list)
{
	ADD_TEST(list, listed_disk_that_is_behind);
	ADD_TEST(list, seats_that_are_not_good);
	ADD_TEST(list, lost_disk_is_stale);
	ADD_TEST(list, lost_disk_takes_no_other_place);
	ADD_TEST(list, disk_of_a_failed_entry);
	ADD_TEST(list, own_generation_counts);
	ADD_TEST(list, foreign_disk);
	ADD_ROWS(list, turn_rows, generation_turns_over);
	ADD_ROWS(list, turn_rows, behind_across_the_turn);
	ADD_ROWS(list, turn_rows, newest_is_read_across_the_turn);
	ADD_TEST(list, one_generation_two_records);
	ADD_TEST(list, half_a_turn_apart);
	ADD_TEST(list, complete_lineage_stands);
	ADD_TEST(list, failed_entries_are_not_asked_for);
	ADD_TEST(list, later_lineage_stands);
	ADD_TEST(list, tie_of_lineages);
	ADD_TEST(list, third_lineage_breaks_the_tie);
	ADD_TEST(list, clones_make_no_lineage_complete);
	ADD_TEST(list, other_lineage_is_not_seated);
}

static void add_volume_tests(struct test_list *list)
{
	ADD_TEST(list, volumes_have_one_seating);
	ADD_TEST(list, volumes_lose_one_disk);
	ADD_TEST(list, volume_that_was_deleted);
	ADD_TEST(list, volume_that_is_new);
	ADD_ROWS(list, wrong_rows, volume_that_is_wrong_on_one_disk);
}

int main(void)
{
	struct test_list list = { 0 };

	add_seat_tests(&list);
	add_record_tests(&list);
	add_volume_tests(&list);
	return run_list("roster", &list);
}
