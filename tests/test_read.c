// SPDX-License-Identifier: GPL-2.0-or-later
/* link: -Wl,--wrap=pread -Wl,--wrap=pread64 */
/*
 * Reads through plans in user space: every layout with every member missing,
 * sectors that cannot be read, and the comparison of copies and parity.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

#include "faults.h"

enum { CHUNK = 8, SEED = 77, FILLER = 0xe5 };

/* ---- layouts, as the definitions draw them ---- */

/*
 * What each member holds in each row: a chunk's number, P for parity. The picture repeats, its numbers going on.
 */
static const struct layout_row {
	const char *name;
	enum fr_level level;
	enum fr_layout layout;
	const char *rows[5];
} layout_rows[] = {
	{ "raid0 of 2", FR_LEVEL_RAID0, FR_LAYOUT_NONE, { "01" } },
	{ "raid0 of 3", FR_LEVEL_RAID0, FR_LAYOUT_NONE, { "012" } },
	{ "raid1 of 2", FR_LEVEL_RAID1, FR_LAYOUT_NONE, { "00" } },
	{ "raid1 of 3", FR_LEVEL_RAID1, FR_LAYOUT_NONE, { "000" } },
	{ "raid10 of 4", FR_LEVEL_RAID10, FR_LAYOUT_NONE, { "0011" } },
	{ "raid10 of 6", FR_LEVEL_RAID10, FR_LAYOUT_NONE, { "001122" } },
	{ "raid01 of 4", FR_LEVEL_RAID01, FR_LAYOUT_NONE, { "0101" } },
	{ "raid01 of 6", FR_LEVEL_RAID01, FR_LAYOUT_NONE, { "012012" } },
	{ "left-asymmetric of 3", FR_LEVEL_RAID5, FR_LAYOUT_LEFT_ASYMMETRIC, { "01P", "2P3", "P45" } },
	{ "right-asymmetric of 3", FR_LEVEL_RAID5, FR_LAYOUT_RIGHT_ASYMMETRIC, { "P01", "2P3", "45P" } },
	{ "left-symmetric of 3", FR_LEVEL_RAID5, FR_LAYOUT_LEFT_SYMMETRIC, { "01P", "3P2", "P45" } },
	{ "right-symmetric of 3", FR_LEVEL_RAID5, FR_LAYOUT_RIGHT_SYMMETRIC, { "P01", "3P2", "45P" } },
	{ "left-asymmetric of 4", FR_LEVEL_RAID5, FR_LAYOUT_LEFT_ASYMMETRIC, { "012P", "34P5", "6P78", "P9AB" } },
	{ "right-asymmetric of 4", FR_LEVEL_RAID5, FR_LAYOUT_RIGHT_ASYMMETRIC, { "P012", "3P45", "67P8", "9ABP" } },
	{ "left-symmetric of 4", FR_LEVEL_RAID5, FR_LAYOUT_LEFT_SYMMETRIC, { "012P", "45P3", "8P67", "P9AB" } },
	{ "right-symmetric of 4", FR_LEVEL_RAID5, FR_LAYOUT_RIGHT_SYMMETRIC, { "P012", "5P34", "78P6", "9ABP" } },
};

static const struct layout_row *layout_named(const char *name)
{
	size_t i = 0;

	while (i < FR_COUNT(layout_rows) && strcmp(layout_rows[i].name, name) != 0)
		i++;
	assert_true(i < FR_COUNT(layout_rows));
	return &layout_rows[i];
}

static unsigned width_of(const struct layout_row *l)
{
	return (unsigned)strlen(l->rows[0]);
}

static unsigned picture_rows(const struct layout_row *l)
{
	unsigned n = 0;

	while (n < FR_COUNT(l->rows) && l->rows[n] != NULL)
		n++;
	return n;
}

/* How many chunks one picture holds. */
static unsigned picture_chunks(const struct layout_row *l)
{
	unsigned most = 0;

	for (unsigned r = 0; r < picture_rows(l); r++) {
		for (const char *at = l->rows[r]; *at != '\0'; at++) {
			unsigned digit = *at == 'P' ? 0 : (unsigned)strtoul((char[]){ *at, '\0' }, NULL, 16) + 1;

			most = digit > most ? digit : most;
		}
	}
	return most;
}

/* One member's chunk in one row, from the picture. */
static void fill_chunk(const struct layout_row *l, unsigned row, unsigned slot, uint8_t *buf)
{
	char what = l->rows[row % picture_rows(l)][slot];
	uint64_t chunk;

	if (what == 'P') {
		uint8_t other[CHUNK * FR_SECTOR_SIZE];

		memset(buf, 0, sizeof(other));
		for (unsigned i = 0; i < width_of(l); i++) {
			if (i == slot)
				continue;
			fill_chunk(l, row, i, other);
			for (size_t k = 0; k < sizeof(other); k++)
				buf[k] ^= other[k];
		}
		return;
	}
	chunk = row / picture_rows(l) * picture_chunks(l) + strtoul((char[]){ what, '\0' }, NULL, 16);
	pattern_fill(buf, chunk * CHUNK, CHUNK, SEED);
}

/* ---- a set on images, its members' data at different offsets among other bytes ---- */

struct rig {
	struct hand_set h;
	struct image images[HAND_WIDTH];
	struct fr_plan *plan;
	struct fr_reader *reader;
};

static uint64_t offset_of(unsigned slot)
{
	return 3 + 5 * slot;
}

static void fill_image(struct image *image, const struct layout_row *l, unsigned rows, unsigned slot)
{
	uint8_t buf[CHUNK * FR_SECTOR_SIZE];
	uint64_t sectors = offset_of(slot) + (uint64_t)rows * CHUNK + 7;

	image_new(image, sectors);
	memset(buf, FILLER, sizeof(buf));
	for (uint64_t at = 0; at < sectors; at++)
		image_write(image, at, buf, 1);
	for (unsigned row = 0; row < rows; row++) {
		fill_chunk(l, row, slot, buf);
		image_write(image, offset_of(slot) + (uint64_t)row * CHUNK, buf, CHUNK);
	}
}

/* A set of so many rows, less `cut` sectors at its end. */
static void rig_make(struct rig *r, const struct layout_row *l, unsigned rows, uint64_t cut)
{
	unsigned width = width_of(l);
	bool striped = l->level != FR_LEVEL_RAID1;

	hand_set(&r->h, l->level, width, striped ? CHUNK : 0,
		 (uint64_t)rows * CHUNK * fr_level_columns(l->level, width) - cut);
	r->h.set.layout = l->layout;
	r->plan = NULL;
	r->reader = NULL;
	for (unsigned i = 0; i < width; i++) {
		fill_image(&r->images[i], l, rows, i);
		r->h.disks[i].path = r->images[i].path;
		r->h.disks[i].sectors = r->images[i].sectors;
		r->h.disks[i].is_image = true;
		r->h.members[i].offset = offset_of(i);
		r->h.members[i].room = (uint64_t)rows * CHUNK;
		r->h.members[i].sectors = r->h.members[i].room;
	}
}

static void rig_close(struct rig *r)
{
	fr_reader_free(r->reader);
	fr_plan_free(r->plan);
	r->reader = NULL;
	r->plan = NULL;
}

static void rig_open(struct rig *r, bool write)
{
	const struct fr_plan_options options = { .degraded = write ? FR_DEGRADED_READ_WRITE : FR_DEGRADED_READ_ONLY };
	struct fr_error err = { 0 };

	rig_close(r);
	r->plan = plan_of(&r->h.set, &options);
	if (fr_reader_new(r->plan, &r->reader, &err) != 0)
		fail_msg("no reader: %s", err.text);
}

static void rig_free(struct rig *r)
{
	rig_close(r);
	images_free(r->images, r->h.set.width);
}

/* The set at [sector, sector + count) must be the pattern. */
static void assert_read(struct rig *r, uint64_t sector, size_t count)
{
	uint8_t *buf = malloc(count * FR_SECTOR_SIZE + 1); /* of this size: a byte too many is noticed */
	struct fr_error err = { 0 };
	size_t right;

	assert_non_null(buf);
	buf[count * FR_SECTOR_SIZE] = 0x5a;
	if (fr_reader_read(r->reader, sector, count, buf, &err) != 0)
		fail_msg("sectors %llu + %zu: %s", (unsigned long long)sector, count, err.text);
	right = pattern_right(buf, sector, count, SEED);
	if (right != count || buf[count * FR_SECTOR_SIZE] != 0x5a)
		fail_msg("sector %llu is wrong", (unsigned long long)sector + right);
	free(buf);
}

static void assert_unreadable(struct rig *r, uint64_t sector, size_t count, const char *about)
{
	uint8_t *buf = malloc(count * FR_SECTOR_SIZE);
	struct fr_error err = { 0 };

	assert_non_null(buf);
	assert_int_equal(fr_reader_read(r->reader, sector, count, buf, &err), -EIO);
	assert_int_equal(err.code, -EIO);
	assert_contains(err.text, about);
	free(buf);
}

/* All at once, sector by sector, and at odd places and lengths that cross chunks and rows. */
static void assert_reads_right(struct rig *r)
{
	uint64_t sectors = r->h.set.sectors;

	assert_read(r, 0, (size_t)sectors);
	for (uint64_t at = 0; at < sectors; at++)
		assert_read(r, at, 1);
	srand(SEED);
	for (int i = 0; i < 60; i++) {
		uint64_t at = (uint64_t)rand() % sectors;

		assert_read(r, at, (size_t)((uint64_t)rand() % (sectors - at) + 1));
	}
	assert_read(r, sectors, 0);
}

/* ---- every layout, whole and less what it can spare ---- */

static void whole(void **state)
{
	const struct layout_row *l = *state;
	struct rig r;

	rig_make(&r, l, 5, 0);
	rig_open(&r, false);
	assert_reads_right(&r);
	rig_free(&r);
}

/* The size is no multiple of a row: cut in the last chunk, at a chunk, in the first chunk, and less than one row. */
static void cut(void **state)
{
	const struct layout_row *l = *state;
	unsigned columns = fr_level_columns(l->level, width_of(l));
	const uint64_t cuts[] = { 1, CHUNK, CHUNK * columns - 1, CHUNK + 3 };

	for (size_t i = 0; i < FR_COUNT(cuts); i++) {
		struct rig r;

		rig_make(&r, l, 4, cuts[i]);
		rig_open(&r, false);
		assert_reads_right(&r);
		rig_free(&r);
		if (cuts[i] >= CHUNK * columns)
			continue;
		rig_make(&r, l, 1, cuts[i]);
		rig_open(&r, false);
		assert_reads_right(&r);
		rig_free(&r);
	}
}

/* By the picture: every chunk is there, or its row lacks one member only. */
static bool can_be_read_without(const struct layout_row *l, unsigned gone)
{
	if (l->level == FR_LEVEL_RAID5)
		return __builtin_popcount(gone) <= 1;
	for (unsigned slot = 0; slot < width_of(l); slot++) {
		bool found = false;

		for (unsigned i = 0; i < width_of(l); i++)
			found = found || (l->rows[0][i] == l->rows[0][slot] && (gone >> i & 1) == 0);
		if (!found)
			return false;
	}
	return true;
}

/* Gone: not there, or there with other data and not to be read. */
static void read_without(struct rig *r, unsigned gone, bool stale)
{
	struct fr_member kept[HAND_WIDTH];

	memcpy(kept, r->h.members, sizeof(kept));
	for (unsigned i = 0; i < r->h.set.width; i++) {
		if ((gone >> i & 1) == 0)
			continue;
		hand_set_lose(&r->h, i);
		if (stale) {
			r->h.members[i] = kept[i];
			r->h.members[i].state = FR_MEMBER_STALE;
			inject(&r->images[i], 0, r->images[i].sectors);
		}
	}
	rig_open(r, false);
	assert_reads_right(r);
	memcpy(r->h.members, kept, sizeof(kept));
	injected.count = 0;
}

static void less_any(void **state)
{
	const struct layout_row *l = *state;

	for (uint64_t cut_off = 0; cut_off < 4; cut_off += 3) {
		struct rig r;

		rig_make(&r, l, 5, cut_off);
		for (unsigned gone = 1; gone < 1u << width_of(l); gone++) {
			if (can_be_read_without(l, gone))
				read_without(&r, gone, gone % 2 == 0);
		}
		rig_free(&r);
	}
}

/* Copies that may differ: only the first is read, whatever the others hold. */
static void first_copies_only(void **state)
{
	static const char *const names[] = { "raid1 of 3", "raid10 of 4", "raid01 of 6" };

	(void)state;
	for (size_t i = 0; i < FR_COUNT(names); i++) {
		const struct layout_row *l = layout_named(names[i]);
		struct rig r;

		rig_make(&r, l, 5, 3);
		r.h.set.in_sync = false;
		for (unsigned slot = 0; slot < width_of(l); slot++) {
			bool first = strchr(l->rows[0], l->rows[0][slot]) == l->rows[0] + slot;

			if (!first)
				inject(&r.images[slot], 0, r.images[slot].sectors);
		}
		for (int write = 0; write < 2; write++) {
			r.h.set.use = write ? FR_USE_READ_WRITE : FR_USE_READ_ONLY;
			rig_open(&r, write != 0);
			assert_reads_right(&r);
		}
		rig_free(&r);
		injected.count = 0;
	}
}

static void linear(void **state)
{
	static const uint64_t shares[] = { 40, 1, 23 };
	struct rig r;
	uint64_t start = 0;

	(void)state;
	hand_set(&r.h, FR_LEVEL_LINEAR, 3, 0, 64);
	r.plan = NULL;
	r.reader = NULL;
	for (unsigned i = 0; i < 3; i++) {
		uint8_t buf[40 * FR_SECTOR_SIZE];

		image_new(&r.images[i], 50);
		pattern_fill(buf, start, (size_t)shares[i], SEED);
		image_write(&r.images[i], offset_of(i) / 2, buf, (size_t)shares[i]);
		start += shares[i];
		r.h.disks[i].path = r.images[i].path;
		r.h.disks[i].sectors = 50;
		r.h.members[i].offset = offset_of(i) / 2;
		r.h.members[i].room = r.h.members[i].sectors = shares[i];
	}
	rig_open(&r, false);
	assert_reads_right(&r);
	rig_free(&r);
}

/* ---- the edges of a read ---- */

static void reads_past_the_end(void **state)
{
	static const struct { uint64_t sector; size_t count; } past[] = {
		{ 160, 1 }, { 159, 2 }, { 0, 161 }, { UINT64_MAX, 1 }, { UINT64_MAX - 1, 4 }, { 1ull << 55, 1 },
	};
	uint8_t buf[161 * FR_SECTOR_SIZE];
	struct rig r;

	(void)state;
	rig_make(&r, layout_named("raid0 of 2"), 10, 0);
	rig_open(&r, false);
	for (size_t i = 0; i < FR_COUNT(past); i++) {
		struct fr_error err = { 0 };

		assert_int_equal(fr_reader_read(r.reader, past[i].sector, past[i].count, buf, &err), -EINVAL);
		assert_contains(err.text, "set");
	}
	rig_free(&r);
}

static void interrupted_and_short_reads(void **state)
{
	static const size_t lengths[] = { 1, 7, 511, 513, 5000 };

	(void)state;
	for (size_t i = 0; i < FR_COUNT(lengths); i++) {
		struct rig r;

		rig_make(&r, layout_named("left-symmetric of 3"), 3, 0);
		hand_set_lose(&r.h, 1);
		rig_open(&r, false);
		injected.longest = lengths[i];
		injected.interrupts = 3;
		assert_read(&r, 0, (size_t)r.h.set.sectors);
		assert_read(&r, 13, 20);
		injected.longest = injected.interrupts = 0;
		rig_free(&r);
	}
}

/* A file that became shorter since it was looked at. */
static void image_that_shrank(void **state)
{
	struct rig r;

	(void)state;
	rig_make(&r, layout_named("raid0 of 2"), 4, 0);
	rig_open(&r, false);
	assert_int_equal(ftruncate(r.images[1].fd, (off_t)((offset_of(1) + 10) * FR_SECTOR_SIZE)), 0);
	assert_read(&r, 0, 26); /* rows of 16: the second disk's first 10 sectors */
	assert_unreadable(&r, 26, 1, r.images[1].path);
	rig_free(&r);
}

static void member_that_cannot_be_opened(void **state)
{
	struct fr_error err = { 0 };
	struct fr_reader *reader;
	struct rig r;

	(void)state;
	rig_make(&r, layout_named("raid1 of 2"), 2, 0);
	r.h.disks[1].path = "/nonexistent/disk";
	r.plan = plan_of(&r.h.set, NULL);
	assert_int_equal(fr_reader_new(r.plan, &reader, &err), -ENOENT);
	assert_null(reader);
	assert_contains(err.text, "/nonexistent/disk");
	rig_free(&r);
	fr_reader_free(NULL);
}

/* ---- sectors that cannot be read ---- */

static void stripe_names_disk_and_sector(void **state)
{
	char sector[32];
	struct rig r;

	(void)state;
	rig_make(&r, layout_named("raid0 of 2"), 4, 0);
	rig_open(&r, false);
	inject(&r.images[1], offset_of(1) + 10, 1);     /* array sector 26 */
	assert_read(&r, 0, 26);
	assert_read(&r, 27, 64 - 27);
	snprintf(sector, sizeof(sector), " %llu ", (unsigned long long)(offset_of(1) + 10));
	assert_unreadable(&r, 26, 1, r.images[1].path);
	assert_unreadable(&r, 26, 1, sector);
	assert_unreadable(&r, 0, 64, r.images[1].path);
	rig_free(&r);
}

static void mirror_reads_the_other_copy(void **state)
{
	static const char *const names[] = { "raid1 of 2", "raid10 of 4", "raid01 of 4" };

	(void)state;
	for (size_t i = 0; i < FR_COUNT(names); i++) {
		struct rig r;

		rig_make(&r, layout_named(names[i]), 5, 0);
		rig_open(&r, false);
		inject(&r.images[0], 0, r.images[0].sectors);
		assert_reads_right(&r);
		injected.count = 0;
		inject(&r.images[width_of(layout_named(names[i])) - 1], 0, 1000);
		assert_reads_right(&r);
		injected.count = 0;
		rig_free(&r);
	}
}

/* Each copy has bad sectors, and no sector is bad in both. */
static void mirror_with_two_bad_copies(void **state)
{
	struct rig r;

	(void)state;
	rig_make(&r, layout_named("raid1 of 2"), 5, 0);
	rig_open(&r, false);
	inject(&r.images[0], offset_of(0) + 3, 1);
	inject(&r.images[0], offset_of(0) + 20, 2);
	inject(&r.images[1], offset_of(1) + 4, 1);
	inject(&r.images[1], offset_of(1) + 30, 3);
	assert_reads_right(&r);
	inject(&r.images[1], offset_of(1) + 21, 1);     /* now sector 21 is lost */
	assert_read(&r, 0, 21);
	assert_read(&r, 22, 40 - 22);
	assert_unreadable(&r, 21, 1, "/proc/self/fd/");
	assert_unreadable(&r, 0, 40, "/proc/self/fd/");
	rig_free(&r);
}

/* The copies differ: what the first cannot give is not taken from another. */
static void unequal_copies_are_not_mixed(void **state)
{
	struct rig r;

	(void)state;
	rig_make(&r, layout_named("raid1 of 2"), 5, 0);
	r.h.set.in_sync = false;
	inject(&r.images[0], offset_of(0) + 3, 1);
	for (int write = 0; write < 2; write++) {
		r.h.set.use = write ? FR_USE_READ_WRITE : FR_USE_READ_ONLY;
		rig_open(&r, write != 0);
		assert_read(&r, 0, 3);
		assert_unreadable(&r, 3, 1, r.images[0].path);
		assert_unreadable(&r, 0, 10, r.images[0].path);
	}
	rig_free(&r);
}

static void parity_computes_what_cannot_be_read(void **state)
{
	const struct layout_row *l = *state;

	for (unsigned slot = 0; slot < width_of(l); slot++) {
		struct rig r;

		rig_make(&r, l, 5, 3);
		rig_open(&r, false);
		inject(&r.images[slot], 0, r.images[slot].sectors);
		assert_reads_right(&r);
		injected.count = 0;
		rig_free(&r);
	}
}

/* Every member has a bad sector in the same row of chunks, each another one. */
static void parity_with_bad_sectors_everywhere(void **state)
{
	struct rig r;

	(void)state;
	rig_make(&r, layout_named("left-symmetric of 4"), 5, 0);
	rig_open(&r, false);
	for (unsigned i = 0; i < 4; i++)
		inject(&r.images[i], offset_of(i) + CHUNK + 2 * i, 2);
	assert_reads_right(&r);
	inject(&r.images[0], offset_of(0) + CHUNK + 2, 1); /* row "45P3": sector 2 of chunk 4, and of chunk 5, is lost */
	assert_read(&r, 0, 4 * CHUNK + 2);
	assert_unreadable(&r, 4 * CHUNK + 2, 1, r.images[0].path);
	assert_unreadable(&r, 5 * CHUNK + 2, 1, r.images[1].path);
	assert_read(&r, 5 * CHUNK + 4, 40);
	rig_free(&r);
}

static void parity_less_one_with_a_bad_sector(void **state)
{
	struct rig r;

	(void)state;
	rig_make(&r, layout_named("left-symmetric of 3"), 4, 0);
	hand_set_lose(&r.h, 0);
	rig_open(&r, false);
	inject(&r.images[1], offset_of(1) + 1, 1);      /* of chunk 1; chunk 0 was computed from it */
	assert_read(&r, 0, 1);
	assert_unreadable(&r, 1, 1, r.images[1].path);
	assert_read(&r, 2, CHUNK - 2);
	assert_unreadable(&r, CHUNK + 1, 1, r.images[1].path);
	assert_read(&r, CHUNK + 2, 30);
	rig_free(&r);
}

/* Parity that was never made computes nothing. */
static void invalid_parity_is_not_used(void **state)
{
	struct rig r;

	(void)state;
	rig_make(&r, layout_named("left-symmetric of 3"), 4, 0);
	r.h.set.parity_valid = false;
	rig_open(&r, false);
	assert_reads_right(&r);
	inject(&r.images[0], offset_of(0) + 1, 1);
	assert_unreadable(&r, 1, 1, r.images[0].path);
	assert_unreadable(&r, 0, CHUNK, r.images[0].path);
	rig_free(&r);
}

/* ---- verify ---- */

static struct fr_verify_result verify(struct rig *r)
{
	struct fr_verify_result result;
	struct fr_error err = { 0 };

	rig_open(r, true);
	if (fr_verify(r->reader, &result, NULL, NULL, &err) != 0)
		fail_msg("verify: %s", err.text);
	return result;
}

/* Changes one byte of a member's sector. */
static void spoil(struct rig *r, unsigned slot, uint64_t sector)
{
	uint8_t byte;
	off_t at = (off_t)((offset_of(slot) + sector) * FR_SECTOR_SIZE + 17 * sector % FR_SECTOR_SIZE);

	assert_int_equal(__real_pread(r->images[slot].fd, &byte, 1, at), 1);
	byte ^= 0x10;
	assert_int_equal(pwrite(r->images[slot].fd, &byte, 1, at), 1);
}

static void good_sets_are_equal(void **state)
{
	const struct layout_row *l = *state;
	struct fr_verify_result result;
	struct rig r;

	for (uint64_t cut_off = 0; cut_off < 4; cut_off += 3) {
		unsigned mirrors = fr_level_has_parity(l->level) ? 1 : fr_level_columns(l->level, width_of(l));

		rig_make(&r, l, 40, cut_off); /* more than one piece */
		result = verify(&r);
		assert_int_equal(result.different, 0);
		assert_int_equal(result.nfirst, 0);
		assert_int_equal(result.compared, 40 * CHUNK * mirrors - (fr_level_has_copies(l->level) ? cut_off : 0));
		rig_free(&r);
	}
}

static void verify_finds_unequal_copies(void **state)
{
	struct fr_verify_result result;
	struct rig r;

	(void)state;
	rig_make(&r, layout_named("raid1 of 2"), 40, 0);
	spoil(&r, 1, 0);
	spoil(&r, 0, 200);
	spoil(&r, 1, 319);
	result = verify(&r);
	assert_int_equal(result.different, 3);
	assert_int_equal(result.nfirst, 3);
	assert_int_equal(result.first[0].sector, 0);
	assert_int_equal(result.first[1].sector, 200);
	assert_int_equal(result.first[2].sector, 319);
	assert_ptr_equal(result.first[0].a, &r.h.disks[0]);
	assert_ptr_equal(result.first[0].b, &r.h.disks[1]);
	rig_free(&r);
}

/* Of copies that are known to differ, too: that is what it is for. */
static void verify_of_a_dirty_mirror(void **state)
{
	struct fr_verify_result result;
	struct rig r;

	(void)state;
	rig_make(&r, layout_named("raid1 of 2"), 5, 0);
	r.h.set.in_sync = false;
	r.h.set.use = FR_USE_READ_ONLY_FIRST;
	spoil(&r, 1, 11);
	result = verify(&r);
	assert_int_equal(result.different, 1);
	assert_int_equal(result.first[0].sector, 11);
	rig_free(&r);
}

static void verify_names_the_copies_of_a_column(void **state)
{
	struct fr_verify_result result;
	struct rig r;

	(void)state;
	rig_make(&r, layout_named("raid01 of 4"), 5, 0);
	spoil(&r, 3, 7); /* copy of member 1 */
	result = verify(&r);
	assert_int_equal(result.different, 1);
	assert_int_equal(result.first[0].sector, 7);
	assert_ptr_equal(result.first[0].a, &r.h.disks[1]);
	assert_ptr_equal(result.first[0].b, &r.h.disks[3]);
	rig_free(&r);
}

static void verify_finds_wrong_parity(void **state)
{
	const struct layout_row *l = *state;
	struct fr_verify_result result;
	struct rig r;

	rig_make(&r, l, 40, 0);
	spoil(&r, 0, 0);
	spoil(&r, 2, 130);
	spoil(&r, 1, 319);
	result = verify(&r);
	assert_int_equal(result.compared, 320);
	assert_int_equal(result.different, 3);
	assert_int_equal(result.first[0].sector, 0);
	assert_int_equal(result.first[1].sector, 130);
	assert_int_equal(result.first[2].sector, 319);
	assert_null(result.first[1].a);
	assert_null(result.first[1].b);
	rig_free(&r);
}

static void verify_keeps_the_first_differences(void **state)
{
	struct fr_verify_result result;
	struct rig r;

	(void)state;
	rig_make(&r, layout_named("raid1 of 2"), 40, 0);
	for (uint64_t sector = 100; sector < 300; sector++)
		spoil(&r, 1, sector);
	result = verify(&r);
	assert_int_equal(result.different, 200);
	assert_int_equal(result.nfirst, FR_COUNT(result.first));
	for (size_t i = 0; i < result.nfirst; i++)
		assert_int_equal(result.first[i].sector, 100 + i);
	rig_free(&r);
}

/* The levels and states of which nothing can be compared. */
static void nothing_to_verify(void **state)
{
	static const struct { const char *layout; bool less_one; } sets[] = {
		{ "raid0 of 2", false }, { "raid1 of 2", true }, { "left-symmetric of 3", true },
	};

	(void)state;
	for (size_t i = 0; i < FR_COUNT(sets); i++) {
		struct fr_verify_result result;
		struct fr_error err = { 0 };
		struct rig r;

		rig_make(&r, layout_named(sets[i].layout), 3, 0);
		if (sets[i].less_one)
			hand_set_lose(&r.h, 1);
		rig_open(&r, true);
		assert_int_equal(fr_verify(r.reader, &result, NULL, NULL, &err), -ENOTSUP);
		assert_contains(err.text, "set");
		rig_free(&r);
	}
}

static void verify_with_a_column_less_one(void **state)
{
	struct fr_verify_result result;
	struct rig r;

	(void)state;
	rig_make(&r, layout_named("raid10 of 4"), 5, 0);
	hand_set_lose(&r.h, 0);
	spoil(&r, 3, 6);
	result = verify(&r);
	assert_int_equal(result.compared, 5 * CHUNK); /* the other column */
	assert_int_equal(result.different, 1);
	rig_free(&r);
}

static void verify_says_what_it_cannot_read(void **state)
{
	struct fr_verify_result result;
	struct fr_error err = { 0 };
	struct rig r;

	(void)state;
	rig_make(&r, layout_named("raid1 of 2"), 5, 0);
	rig_open(&r, true);
	inject(&r.images[1], offset_of(1) + 3, 1);
	assert_int_equal(fr_verify(r.reader, &result, NULL, NULL, &err), -EIO);
	assert_contains(err.text, r.images[1].path);
	rig_free(&r);
}

struct progress {
	uint64_t last, total;
	unsigned calls, stop_after;
};

static int note_progress(void *data, uint64_t done, uint64_t total)
{
	struct progress *p = data;

	assert_true(done > p->last && done <= total);
	assert_true(p->total == 0 || p->total == total);
	p->last = done;
	p->total = total;
	return ++p->calls == p->stop_after;
}

static void verify_reports_progress(void **state)
{
	struct progress all = { 0 }, some = { .stop_after = 2 };
	struct fr_verify_result result;
	struct fr_error err = { 0 };
	struct rig r;

	(void)state;
	rig_make(&r, layout_named("raid10 of 4"), 100, 0);
	rig_open(&r, true);
	assert_int_equal(fr_verify(r.reader, &result, note_progress, &all, &err), 0);
	assert_int_equal(all.total, 2 * 100 * CHUNK);
	assert_int_equal(all.last, all.total);
	assert_true(all.calls > 2);
	assert_int_equal(fr_verify(r.reader, &result, note_progress, &some, &err), -EINTR);
	assert_int_equal(some.calls, 2);
	rig_free(&r);
}

/* One test for each layout whose level is one of those. */
static void add_layouts(struct test_list *list, bool (*is_meant)(enum fr_level), const char *name,
			CMUnitTestFunction test)
{
	for (size_t i = 0; i < FR_COUNT(layout_rows); i++) {
		if (is_meant(layout_rows[i].level))
			add_test(list, name, layout_rows[i].name, test, &layout_rows[i]);
	}
}

static void add_read_tests(struct test_list *list)
{
	ADD_ROWS(list, layout_rows, whole);
	ADD_ROWS(list, layout_rows, cut);
	ADD_ROWS(list, layout_rows, less_any);
	ADD_TEST(list, first_copies_only);
	ADD_TEST(list, linear);
	ADD_TEST(list, reads_past_the_end);
	ADD_TEST(list, interrupted_and_short_reads);
	ADD_TEST(list, image_that_shrank);
	ADD_TEST(list, member_that_cannot_be_opened);
	ADD_TEST(list, stripe_names_disk_and_sector);
	ADD_TEST(list, mirror_reads_the_other_copy);
	ADD_TEST(list, mirror_with_two_bad_copies);
	ADD_TEST(list, unequal_copies_are_not_mixed);
	add_layouts(list, fr_level_has_parity, "parity_computes_what_cannot_be_read",
		    parity_computes_what_cannot_be_read);
	ADD_TEST(list, parity_with_bad_sectors_everywhere);
	ADD_TEST(list, parity_less_one_with_a_bad_sector);
	ADD_TEST(list, invalid_parity_is_not_used);
}

static void add_verify_tests(struct test_list *list)
{
	add_layouts(list, fr_level_is_redundant, "good_sets_are_equal", good_sets_are_equal);
	ADD_TEST(list, verify_finds_unequal_copies);
	ADD_TEST(list, verify_of_a_dirty_mirror);
	ADD_TEST(list, verify_names_the_copies_of_a_column);
	add_layouts(list, fr_level_has_parity, "verify_finds_wrong_parity", verify_finds_wrong_parity);
	ADD_TEST(list, verify_keeps_the_first_differences);
	ADD_TEST(list, nothing_to_verify);
	ADD_TEST(list, verify_with_a_column_less_one);
	ADD_TEST(list, verify_says_what_it_cannot_read);
	ADD_TEST(list, verify_reports_progress);
}

int main(void)
{
	struct test_list list = { 0 };

	add_read_tests(&list);
	add_verify_tests(&list);
	for (size_t i = 0; i < list.count; i++)
		list.tests[i].setup_func = all_well;
	return run_list("read", &list);
}
