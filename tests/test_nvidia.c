// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The nvidia format: real records, each checked field wrong in turn, names,
 * counts, sizes and states, all by the format's specification.
 */
#include <stdio.h>

#include "testing.h"

enum { SECTORS = 4000, ROUNDED = 3968 }; /* of a small disk; of it rounded down to chunks of 128 */

/* ---- records ---- */

/* Real: unit 3 of a stripe of four disks of 80 GB. */
static const char vector_a[] =
	"4e 56 49 44 49 41 20 20 1e 00 00 00 e5 f2 4c 97 64 00 03 ff 00 e2 43 25 00 02 00 00 53 54 52 49"
	"50 45 20 20 20 32 39 38 2e 31 32 47 00 31 30 30 00 00 00 00 44 00 64 00 23 39 3e 02 fb 29 19 43"
	"27 40 13 29 82 d5 d8 2e 00 04 04 04 80 00 00 00 80 00 00 00 00 00 01 00 07 00 00 00 7f 00 00 00"
	"00 02 00 00 00 00 04 00 00 00 00 00 80 00 00 00 00 e2 43 25 00 00 00 00";

/* Real: unit 0 of a stripe of two disks of 250 GB. */
static const char vector_b[] =
	"4e 56 49 44 49 41 20 20 1e 00 00 00 60 02 15 4b 64 00 00 00 00 b2 38 3a 00 02 00 00 53 54 52 49"
	"50 45 20 20 20 34 36 35 2e 37 37 47 00 31 30 30 00 00 00 00 44 00 64 00 c7 b2 fa 1a a7 34 ef 40"
	"3f e1 69 18 9e fb 42 4f 00 02 02 02 80 00 00 00 80 00 00 00 00 00 01 00 07 00 00 00 7f 00 00 00"
	"00 01 00 00 00 00 02 00 00 00 00 00 80 00 00 00 00 b2 38 3a 01 00 00 00";

/* Made: unit 0 of a mirror, which is being rebuilt on this disk. */
static const char vector_c[] =
	"4e 56 49 44 49 41 20 20 1e 00 00 00 0a 64 6e 32 64 00 00 00 80 0f 00 00 00 02 00 00 4d 49 52 52"
	"4f 52 20 20 20 20 20 30 2e 30 30 47 00 31 30 30 00 01 00 00 44 00 64 00 77 21 11 11 49 15 0a 23"
	"e5 82 f0 18 ff ff c0 00 03 01 02 01 81 00 00 00 80 00 00 00 00 00 01 00 07 00 00 00 7f 00 00 00"
	"80 00 00 00 00 00 01 00 80 07 00 00 81 00 00 00 80 0f 00 00 00 00 00 00";

static void vector(const char *hex, uint8_t *sector)
{
	memset(sector, 0xff, FR_SECTOR_SIZE);
	assert_int_equal(from_hex(hex, sector), 120);
}

#define UNIT(v) { 0x12, 1, v }
#define CAPACITY(v) { 0x14, 4, v }
#define UNIT_FLAGS(v) { 0x30, 4, v }
#define JOB(v) { 0x48, 1, v }
#define WIDTH(v) { 0x49, 1, v }
#define TOTAL(v) { 0x4a, 1, v }
#define LEVEL(v) { 0x4c, 4, v }
#define CHUNK(v) { 0x50, 4, v }
#define CHUNK_BYTES(v) { 0x54, 4, v }
#define CHUNK_POWER(v) { 0x58, 4, v }
#define CHUNK_MASK(v) { 0x5c, 4, v }
#define FLAGS(v) { 0x74, 4, v }
/* A chunk, and all that follows from it. */
#define WHOLE_CHUNK(v, power) CHUNK(v), CHUNK_BYTES((v) * 512ull), CHUNK_POWER(power), CHUNK_MASK((v) - 1ull)

static void edit(uint8_t *sector, const struct edit *edits)
{
	apply_edits(sector, edits);
	nvidia_seal(sector);
}

/* A right record: unit `unit` of an array on disks of SECTORS, its chunk 128 and its signature that of vector B. */
static void record(uint8_t *sector, unsigned unit, uint32_t level, unsigned width, unsigned total, uint64_t capacity)
{
	const struct edit edits[EDITS] = { UNIT(unit), CAPACITY(capacity), WIDTH(width), TOTAL(total), LEVEL(level),
					   FLAGS(level == 0x95 ? 4 : 0) };

	vector(vector_b, sector);
	put_number(sector + 0x4b, 1, width);    /* original_width, original_level, original_capacity */
	put_number(sector + 0x6c, 4, level);
	put_number(sector + 0x70, 4, capacity);
	edit(sector, edits);
}

static void disk_with(struct image *image, uint64_t sectors, const uint8_t *sector)
{
	image_new(image, sectors);
	image_write(image, sectors - 2, sector, 1);
}

/* ---- the records as they are ---- */

static void vectors_are_sealed_right(void **state)
{
	static const char *const all[] = { vector_a, vector_b, vector_c };
	uint8_t sector[FR_SECTOR_SIZE], sealed[FR_SECTOR_SIZE];

	(void)state;
	for (size_t i = 0; i < FR_COUNT(all); i++) {
		vector(all[i], sector);
		memcpy(sealed, sector, sizeof(sealed));
		nvidia_seal(sealed);
		assert_memory_equal(sealed, sector, sizeof(sealed));
	}
}

static void real_record_of_unit_3(void **state)
{
	uint8_t sector[FR_SECTOR_SIZE];
	struct image image;
	struct fr_scan *scan;
	const struct fr_set *set;

	(void)state;
	vector(vector_a, sector);
	disk_with(&image, 156301488, sector);
	scan = scan_images(&image, 1);
	assert_int_equal(scan->nsets, 1);
	set = scan->sets[0];
	assert_string_equal(set->name, "nvidia_jdedhich");
	assert_string_equal(set->format->name, "nvidia");
	assert_int_equal(set->level, FR_LEVEL_RAID0);
	assert_int_equal(set->chunk, 128);
	assert_int_equal(set->sectors, 625205760);
	assert_int_equal(set->width, 4);
	assert_int_equal(set->state, FR_SET_BROKEN);
	assert_int_equal(set->members[3].state, FR_MEMBER_OK);
	assert_int_equal(set->members[3].sectors, 156301440);
	assert_int_equal(set->members[3].offset, 0);
	assert_false(set->members[3].has_generation);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(set->members[i].state, FR_MEMBER_MISSING);
	assert_int_equal(find_look(scan->disks[0], "nvidia", 156301486)->verdict, FR_VERDICT_VALID);
	assert_ptr_equal(find_look(scan->disks[0], "nvidia", 156301486)->set, set);
	fr_scan_free(scan);
	image_free(&image);
}

/* The disks are given in the wrong order: the units decide. */
static void real_stripe_of_two(void **state)
{
	uint8_t sector[FR_SECTOR_SIZE];
	struct image images[2] = { { 0 } };
	struct fr_scan *scan;
	struct fr_plan *plan;
	char wanted[200], *text;

	(void)state;
	vector(vector_b, sector);
	disk_with(&images[1], 488397168, sector);
	sector[0x12] = 1;
	from_hex("60 02 14 4b", sector + 0x0c); /* as reported for unit 1 */
	disk_with(&images[0], 488397168, sector);
	scan = scan_images(images, 2);
	assert_int_equal(scan->nsets, 1);
	assert_int_equal(scan->nproblems, 0);
	assert_string_equal(scan->sets[0]->name, "nvidia_cdjgceeb");
	assert_string_equal(scan->sets[0]->id, "452637383-1089418407-409592127-1329789854");
	assert_int_equal(scan->sets[0]->state, FR_SET_OK);
	assert_int_equal(scan->sets[0]->nreasons, 0);
	plan = plan_of(scan->sets[0], NULL);
	assert_false(plan->read_only);
	text = plan_text(plan);
	snprintf(wanted, sizeof(wanted), "nvidia_cdjgceeb: 0 976794112 striped 2 128 %s 0 %s 0\n", images[1].path,
		 images[0].path);
	assert_string_equal(text, wanted);
	free(text);
	fr_plan_free(plan);
	fr_scan_free(scan);
	images_free(images, 2);
}

static void mirror_whose_first_half_is_rebuilt(void **state)
{
	static const struct edit second[EDITS] = { UNIT(1), UNIT_FLAGS(0) };
	uint8_t sector[FR_SECTOR_SIZE];
	struct image images[2] = { { 0 } };
	struct fr_scan *scan;
	const struct fr_set *set;

	(void)state;
	vector(vector_c, sector);
	disk_with(&images[0], SECTORS, sector);
	edit(sector, second);
	disk_with(&images[1], SECTORS, sector);
	scan = scan_images(images, 2);
	assert_int_equal(scan->nsets, 1);
	set = scan->sets[0];
	assert_string_equal(set->name, "nvidia_edccbjae");
	assert_int_equal(set->level, FR_LEVEL_RAID1);
	assert_int_equal(set->sectors, 3968);
	assert_int_equal(set->state, FR_SET_REBUILDING);
	assert_int_equal(set->members[0].state, FR_MEMBER_REBUILDING);
	assert_int_equal(set->members[1].state, FR_MEMBER_OK);
	assert_int_equal(set->use, FR_USE_READ_ONLY_FIRST);
	assert_string_equal(set->members[1].disk->path, images[1].path);
	fr_scan_free(scan);
	images_free(images, 2);
}

/* ---- one field wrong, the sum made right again ---- */

enum base { STRIPE, MIRROR, RAID01, RAID5, SPAN };

static const struct { uint32_t level; uint8_t width, total; uint32_t capacity; } bases[] = {
	[STRIPE] = { 0x80, 2, 2, 2 * ROUNDED }, [MIRROR] = { 0x81, 1, 2, ROUNDED },
	[RAID01] = { 0x8180, 2, 4, 2 * ROUNDED }, [RAID5] = { 0x95, 2, 3, 2 * ROUNDED },
	[SPAN] = { 0xff, 2, 2, 2 * (SECTORS - 2) },
};

static void base_record(uint8_t *sector, enum base base, unsigned unit)
{
	record(sector, unit, bases[base].level, bases[base].width, bases[base].total, bases[base].capacity);
}

static const struct field_row {
	const char *name;
	enum base base;
	struct edit edits[EDITS];
	const char *about;      /* in the reason */
} invalid_rows[] = {
	{ "size of 31 words", STRIPE, { { 0x08, 4, 31 } }, "size" },
	{ "size of 29 words", STRIPE, { { 0x08, 4, 29 } }, "size" },
	{ "size of 0 words", MIRROR, { { 0x08, 4, 0 } }, "size" },
	{ "size of 4 Gi words", MIRROR, { { 0x08, 4, 0xffffffff } }, "size" },
	{ "sector size 4096", STRIPE, { { 0x18, 4, 4096 } }, "sector" },
	{ "sector size 0", MIRROR, { { 0x18, 4, 0 } }, "sector" },
	{ "width 0", STRIPE, { WIDTH(0) }, "width" },
	{ "width 65", STRIPE, { WIDTH(65), TOTAL(65) }, "width" },
	{ "width 255", RAID5, { WIDTH(255), TOTAL(255) }, "width" },
	{ "width 33 of a mirrored stripe", RAID01, { WIDTH(33), TOTAL(66) }, "width" },
	{ "width 64 of a RAID5", RAID5, { WIDTH(64), TOTAL(65) }, "width" },
	{ "width 1 of a RAID5", RAID5, { WIDTH(1) }, "width" },
	{ "total 0", STRIPE, { TOTAL(0) }, "total" },
	{ "total 1", MIRROR, { TOTAL(1) }, "total" },
	{ "total 2 of a RAID5", RAID5, { TOTAL(2) }, "total" },
	{ "total 3 of a mirrored stripe", RAID01, { TOTAL(3) }, "total" },
	{ "unit 64", STRIPE, { UNIT(64) }, "unit" },
	{ "unit 255", MIRROR, { UNIT(255) }, "unit" },
	{ "chunk 0", STRIPE, { WHOLE_CHUNK(0, 0) }, "chunk" },
	{ "chunk 1", RAID5, { WHOLE_CHUNK(1, 0) }, "chunk" },
	{ "chunk 4", RAID5, { WHOLE_CHUNK(4, 2) }, "chunk" },
	{ "chunk 96", RAID01, { WHOLE_CHUNK(96, 6) }, "chunk" },
	{ "chunk 4096", STRIPE, { WHOLE_CHUNK(4096, 12) }, "chunk" },
	{ "chunk 2^31", STRIPE, { WHOLE_CHUNK(0x80000000, 31) }, "chunk" },
	{ "chunk alone", STRIPE, { CHUNK(64) }, "chunk" },
	{ "chunk_bytes", STRIPE, { CHUNK_BYTES(32768) }, "chunk_bytes" },
	{ "chunk_power", RAID5, { CHUNK_POWER(6) }, "chunk_power" },
	{ "chunk_power 32", STRIPE, { CHUNK_POWER(32) }, "chunk_power" },
	{ "chunk_power 2^32 - 1", STRIPE, { CHUNK_POWER(0xffffffff) }, "chunk_power" },
	{ "chunk_mask", RAID01, { CHUNK_MASK(128) }, "chunk_mask" },
	{ "capacity 0", MIRROR, { CAPACITY(0) }, "capacity" },
	{ "capacity past a mirror's half", MIRROR, { CAPACITY(SECTORS - 1) }, "capacity" },
	{ "capacity past a stripe's part", STRIPE, { CAPACITY(2 * ROUNDED + 1) }, "capacity" },
	{ "capacity past a RAID5's part", RAID5, { CAPACITY(2 * ROUNDED + 1) }, "capacity" },
	{ "capacity 2^32 - 1", RAID01, { CAPACITY(0xffffffff) }, "capacity" },
};

static void invalid_field(void **state)
{
	const struct field_row *row = *state;
	uint8_t sector[FR_SECTOR_SIZE];
	struct probe p;

	base_record(sector, row->base, 0);
	edit(sector, row->edits);
	probe_format(&p, format_named("nvidia"), SECTORS, FR_SECTOR_SIZE, fill_record, sector);
	assert_int_equal(p.claims.count, 1);
	assert_contains(p.claims.list[0]->fault, row->about);
	assert_int_equal(p.disk.looks[0].verdict, FR_VERDICT_INVALID);
	assert_contains(p.disk.looks[0].reason, row->about);
	assert_int_equal(p.claims.list[0]->id_length, 16); /* still said to be of its array */
	probe_free(&p);
}

/* A right record of something that nobody can map: it is listed, and left alone. */
static const struct field_row unsupported_rows[] = {
	{ "version 101", MIRROR, { { 0x10, 2, 101 } }, "version" },
	{ "version 0", STRIPE, { { 0x10, 2, 0 } }, "version" },
	{ "array version", STRIPE, { { 0x34, 4, 0x00640048 } }, "version" },
	{ "RAID3", RAID5, { LEVEL(0x83) }, "0x83" },
	{ "level 10", RAID01, { LEVEL(0x8a), WIDTH(2), TOTAL(4) }, "0x8a" },
	{ "level 0x1180", RAID01, { LEVEL(0x1180) }, "0x1180" },
	{ "unknown level", STRIPE, { LEVEL(0x42) }, "level" },
	{ "stripe with a bit above", STRIPE, { LEVEL(0x10080) }, "level" },
	{ "mirror with a bit above", MIRROR, { LEVEL(0x80000081) }, "level" },
};

static void unsupported_field(void **state)
{
	const struct field_row *row = *state;
	struct image images[2] = { { 0 } };
	struct fr_scan *scan;
	struct fr_error err = { 0 };
	struct fr_plan *plan;

	for (unsigned i = 0; i < 2; i++) {
		uint8_t sector[FR_SECTOR_SIZE];

		base_record(sector, row->base, i);
		edit(sector, row->edits);
		disk_with(&images[i], SECTORS, sector);
	}
	scan = scan_images(images, 2);
	assert_int_equal(scan->nsets, 1);
	assert_int_equal(scan->sets[0]->state, FR_SET_UNSUPPORTED);
	assert_contains(all_reasons(scan->sets[0]), row->about);
	assert_int_equal(find_look(scan->disks[0], "nvidia", SECTORS - 2)->verdict, FR_VERDICT_VALID);
	assert_int_equal(fr_plan_new(scan->sets[0], NULL, &plan, &err), -ENOTSUP);
	assert_null(plan);
	fr_scan_free(scan);
	images_free(images, 2);
}

/* What means nothing may hold anything. */
static const struct field_row ignored_rows[] = {
	{ "reserved", STRIPE, { { 0x13, 1, 0xff } }, NULL },
	{ "product", STRIPE, { { 0x1c, 8, 0x0a5c00ff2f411b22 }, { 0x24, 8, UINT64_MAX } }, NULL },
	{ "revision", MIRROR, { { 0x2c, 4, 0xffffffff } }, NULL },
	{ "stripe", STRIPE, { { 0x60, 4, 999 }, { 0x64, 4, 1 } }, NULL },
	{ "job_mark when idle", MIRROR, { { 0x68, 4, 12345 } }, NULL },
	{ "boot flag", RAID5, { FLAGS(5) }, NULL },
	{ "parity flag missing when idle", RAID5, { FLAGS(0) }, NULL },
	{ "after the record", STRIPE, { { 0x78, 8, 0 } }, NULL },
	{ "chunk of a mirror", MIRROR, { CHUNK(0), CHUNK_BYTES(7), CHUNK_POWER(99), CHUNK_MASK(3) }, NULL },
	{ "chunk of a span", SPAN, { CHUNK(0), CHUNK_BYTES(7), CHUNK_POWER(99), CHUNK_MASK(3) }, NULL },
	{ "smallest chunk", STRIPE, { WHOLE_CHUNK(8, 3) }, NULL },
	{ "largest chunk", STRIPE, { WHOLE_CHUNK(2048, 11), CAPACITY(4096) }, NULL },
	{ "total with the spares", RAID5, { TOTAL(9) }, NULL },
};

static void ignored_field(void **state)
{
	const struct field_row *row = *state;
	unsigned width = row->base == RAID5 ? 3 : 2;
	struct image images[3] = { { 0 } };
	struct fr_scan *scan;

	for (unsigned i = 0; i < width; i++) {
		uint8_t sector[FR_SECTOR_SIZE];

		base_record(sector, row->base, i);
		edit(sector, row->edits);
		disk_with(&images[i], SECTORS, sector);
	}
	scan = scan_images(images, width);
	assert_int_equal(scan->nsets, 1);
	assert_string_equal(all_reasons(scan->sets[0]), "");
	assert_int_equal(scan->sets[0]->state, FR_SET_OK);
	assert_int_equal(scan->nproblems, 0);
	fr_scan_free(scan);
	images_free(images, width);
}

static void no_signature(void **state)
{
	uint8_t sector[FR_SECTOR_SIZE];
	struct probe p;

	(void)state;
	for (unsigned i = 0; i < 8; i++) {
		base_record(sector, STRIPE, 0);
		sector[i] ^= 1;
		nvidia_seal(sector);
		probe_format(&p, format_named("nvidia"), SECTORS, FR_SECTOR_SIZE, fill_record, sector);
		assert_int_equal(p.claims.count, 0);
		assert_int_equal(p.disk.looks[0].verdict, FR_VERDICT_NONE);
		probe_free(&p);
	}
}

static void wrong_sum(void **state)
{
	uint8_t sector[FR_SECTOR_SIZE];
	char expected[16];
	struct probe p;

	(void)state;
	base_record(sector, STRIPE, 0);
	snprintf(expected, sizeof(expected), "%02x%02x%02x%02x", sector[15], sector[14], sector[13], sector[12]);
	for (unsigned i = 0x0c; i < 0x78; i++) { /* each byte from the sum on counts */
		sector[i] ^= 0x40;
		probe_format(&p, format_named("nvidia"), SECTORS, FR_SECTOR_SIZE, fill_record, sector);
		assert_int_equal(p.claims.count, 1);
		assert_contains(p.claims.list[0]->fault, "checksum");
		if (i < 0x10) /* of the sum itself it is known what it should be */
			assert_contains(p.claims.list[0]->fault, expected);
		assert_int_equal(p.disk.looks[0].verdict, FR_VERDICT_INVALID);
		probe_free(&p);
		sector[i] ^= 0x40;
	}
}

static void disks_that_cannot_carry_it(void **state)
{
	uint8_t sector[FR_SECTOR_SIZE];
	struct probe p;

	(void)state;
	base_record(sector, MIRROR, 0);
	for (uint64_t sectors = 0; sectors < 2; sectors++) {
		probe_format(&p, format_named("nvidia"), sectors, FR_SECTOR_SIZE, fill_record, sector);
		assert_int_equal(p.claims.count, 0);
		assert_int_equal(p.nwindows, 0);
		probe_free(&p);
	}
	probe_format(&p, format_named("nvidia"), SECTORS, FR_SECTOR_SIZE, fill_record, NULL); /* unreadable */
	assert_int_equal(p.claims.count, 0);
	probe_free(&p);
	probe_format(&p, format_named("nvidia"), SECTORS, 4096, fill_record, sector);
	assert_int_equal(p.claims.count, 1);
	assert_contains(p.claims.list[0]->fault, "4096");
	probe_free(&p);
}

/* A disk of level 0 belongs to no set, and there is nothing wrong with it. */
static void free_disk(void **state)
{
	static const struct edit none[EDITS] = { LEVEL(0), { 0x6c, 4, 0 } };
	uint8_t sector[FR_SECTOR_SIZE];
	struct image image;
	struct fr_scan *scan;

	(void)state;
	base_record(sector, STRIPE, 0);
	edit(sector, none);
	disk_with(&image, SECTORS, sector);
	scan = scan_images(&image, 1);
	assert_int_equal(scan->nsets, 0);
	assert_int_equal(find_look(scan->disks[0], "nvidia", SECTORS - 2)->verdict, FR_VERDICT_VALID);
	fr_scan_free(scan);
	image_free(&image);
}

/* ---- how many members, and where ---- */

static const struct count_row {
	const char *name;
	uint32_t level;
	uint8_t width, total;
	unsigned members;
} count_rows[] = {
	{ "stripe of 4", 0x80, 4, 4, 4 },
	{ "stripe of 64", 0x80, 64, 64, 64 },
	{ "mirror", 0x81, 1, 2, 2 },
	{ "mirror, its spare counted", 0x81, 1, 3, 2 },
	{ "mirrored stripe of 4", 0x8180, 2, 4, 4 },
	{ "mirrored stripe of 6", 0x8180, 3, 6, 6 },
	{ "RAID5 of 3", 0x95, 2, 3, 3 },
	{ "RAID5 of 5, its spare counted", 0x95, 4, 6, 5 },
	{ "asymmetric RAID5 of 4", 0x85, 3, 4, 4 },
	{ "span of 3", 0xff, 3, 3, 3 },
	{ "span of width 1", 0xff, 1, 3, 3 },
	{ "span of width 2 with a spare", 0xff, 2, 3, 2 },
};

static void members_by_level_and_width(void **state)
{
	const struct count_row *row = *state;
	uint8_t sector[FR_SECTOR_SIZE];
	struct probe p;

	for (unsigned unit = 0; unit <= row->members && unit < 64; unit++) {
		record(sector, unit, row->level, row->width, row->total, 1);
		probe_format(&p, format_named("nvidia"), SECTORS, FR_SECTOR_SIZE, fill_record, sector);
		assert_int_equal(p.claims.count, 1);
		assert_null(p.claims.list[0]->fault);
		assert_int_equal(p.claims.list[0]->width, row->members);
		assert_int_equal(p.claims.list[0]->index, unit);
		assert_int_equal(p.claims.list[0]->role, unit < row->members ? FR_ROLE_MEMBER : FR_ROLE_SPARE);
		probe_free(&p);
	}
}

static void layouts_of_raid5(void **state)
{
	uint8_t sector[FR_SECTOR_SIZE];
	struct probe p;

	(void)state;
	record(sector, 0, 0x95, 2, 3, 2 * ROUNDED);
	probe_format(&p, format_named("nvidia"), SECTORS, FR_SECTOR_SIZE, fill_record, sector);
	assert_int_equal(p.claims.list[0]->layout, FR_LAYOUT_LEFT_SYMMETRIC);
	assert_null(p.claims.list[0]->doubt);
	probe_free(&p);
	record(sector, 0, 0x85, 2, 3, 2 * ROUNDED);
	probe_format(&p, format_named("nvidia"), SECTORS, FR_SECTOR_SIZE, fill_record, sector);
	assert_int_equal(p.claims.list[0]->layout, FR_LAYOUT_LEFT_ASYMMETRIC);
	assert_non_null(p.claims.list[0]->doubt); /* read-only, and on request */
	probe_free(&p);
}

/* ---- sizes ---- */

/* What the members of a span hold is not recorded: the rule whose sum is the capacity. */
static const struct span_row {
	const char *name;
	unsigned width;
	uint64_t sizes[3];
	uint32_t capacity;
	uint64_t shares[3];
	enum fr_set_state state;
} span_rows[] = {
	{ "span of all but two sectors", 2, { 4000, 4333 }, 8329, { 3998, 4331 }, FR_SET_OK },
	{ "span rounded down", 3, { 4000, 4133, 4277 }, 3968 + 4096 + 4224, { 3968, 4096, 4224 }, FR_SET_OK },
	{ "span of all but 2048 sectors", 2, { 4000, 4333 }, 1952 + 2285, { 1952, 2285 }, FR_SET_OK },
	{ "span of no rule", 2, { 4000, 4333 }, 8000, { 0 }, FR_SET_BROKEN },
	{ "span where two rules are one", 2, { 4098, 4226 }, 4096 + 4224, { 4096, 4224 }, FR_SET_OK },
};

static void span(void **state)
{
	const struct span_row *row = *state;
	struct image images[3] = { { 0 } };
	struct fr_scan *scan;
	const struct fr_set *set;

	for (unsigned i = 0; i < row->width; i++) {
		uint8_t sector[FR_SECTOR_SIZE];

		record(sector, i, 0xff, row->width, row->width, row->capacity);
		disk_with(&images[i], row->sizes[i], sector);
	}
	scan = scan_images(images, row->width);
	assert_int_equal(scan->nsets, 1);
	set = scan->sets[0];
	assert_int_equal(set->state, row->state);
	assert_int_equal(set->use, row->state == FR_SET_OK ? FR_USE_READ_WRITE : FR_USE_NEVER);
	for (unsigned i = 0; i < row->width && row->state == FR_SET_OK; i++)
		assert_int_equal(set->members[i].sectors, row->shares[i]);
	fr_scan_free(scan);
	images_free(images, row->width);
}

/* dmraid maps a mirror up to the record: installations made under it may rely on that size. */
static void mirror_has_two_sizes(void **state)
{
	struct image images[2] = { { 0 } };
	struct fr_scan *scan;
	uint8_t sector[FR_SECTOR_SIZE];

	(void)state;
	base_record(sector, MIRROR, 0);
	disk_with(&images[0], SECTORS, sector);
	base_record(sector, MIRROR, 1);
	disk_with(&images[1], SECTORS + 100, sector);
	scan = scan_images(images, 2);
	assert_int_equal(scan->sets[0]->sectors, ROUNDED);
	assert_int_equal(scan->sets[0]->peer_sectors, SECTORS - 2);
	fr_scan_free(scan);
	images_free(images, 2);
}

/* ---- names ---- */

static const struct name_row {
	const char *name;
	uint32_t words[4];
} name_rows[] = {
	{ "nvidia_aaaaaaaa", { 0 } },
	{ "nvidia_abcdefgh", { 0x01234567, 0, 0, 0 } },
	{ "nvidia_ijabcdef", { 0, 0x89abcdef, 0, 0 } },
	{ "nvidia_ffffffff", { 0, 0, 0xffffffff, 0 } },
	{ "nvidia_aaaaaaab", { 0xffffffff, 1, 1, 0 } }, /* the sum wraps */
	{ "nvidia_aaaaaabg", { 1, 2, 3, 0x10 } },
	{ "nvidia_cdjgceeb", { 452637383, 1089418407, 409592127, 1329789854 } },
	{ "nvidia_jdedhich", { 0x023e3923, 0x431929fb, 0x29134027, 0x2ed8d582 } },
	{ "nvidia_cccccccc", { 0x22222222, 0, 0, 0 } },
};

static void set_signature(uint8_t *sector, const uint32_t *words)
{
	for (size_t i = 0; i < 4; i++)
		put_number(sector + 0x38 + 4 * i, 4, words[i]);
	nvidia_seal(sector);
}

static void name_of_signature(void **state)
{
	const struct name_row *row = *state;
	uint8_t sector[FR_SECTOR_SIZE];
	struct probe p;

	base_record(sector, STRIPE, 0);
	set_signature(sector, row->words);
	probe_format(&p, format_named("nvidia"), SECTORS, FR_SECTOR_SIZE, fill_record, sector);
	assert_string_equal(p.claims.list[0]->name, row->name);
	assert_memory_equal(p.claims.list[0]->id, sector + 0x38, 16);
	probe_free(&p);
}

/* Two arrays of one name: the identity that sorts first keeps it, whatever the order of the disks. */
static void colliding_names(void **state)
{
	/* Sums 00ffff00 and a05f5f0a: the digits 0 and a, 5 and f become the same letters. */
	static const uint32_t first[4] = { 0x04030201, 0, 0, 0xfcfcfcff }, second[4] = { 0x14131211, 0, 0, 0x8c4c4cf9 };

	(void)state;
	for (unsigned turned = 0; turned < 2; turned++) {
		uint8_t sector[FR_SECTOR_SIZE];
		struct image images[2] = { { 0 } };
		struct fr_scan *scan;
		const struct fr_set *a, *b;

		base_record(sector, MIRROR, 0);
		set_signature(sector, first);
		disk_with(&images[turned], SECTORS, sector);
		set_signature(sector, second);
		disk_with(&images[1 - turned], SECTORS, sector);
		scan = scan_images(images, 2);
		assert_int_equal(scan->nsets, 2);
		a = scan->sets[turned];
		b = scan->sets[1 - turned];
		assert_string_equal(a->name, "nvidia_aaffffaa");
		assert_string_equal(b->name, "nvidia_aaffffaa_11121314");
		assert_contains(all_reasons(b), a->name);
		assert_ptr_equal(fr_scan_find(scan, "nvidia_aaffffaa", NULL), a);
		fr_scan_free(scan);
		images_free(images, 2);
	}
}

/* ---- what is going on ---- */

static const struct state_row {
	const char *name;
	enum base base;
	struct edit every[EDITS], unit_1[EDITS];
	enum fr_set_state state;
	enum fr_use use;
	enum fr_member_state members[2]; /* of units 0 and 1 */
	bool in_sync;
} state_rows[] = {
	{ "idle", MIRROR, { { 0 } }, { { 0 } }, FR_SET_OK, FR_USE_READ_WRITE, { 0 }, true },
	{ "initializing", MIRROR, { JOB(2) }, { { 0 } }, FR_SET_INITIALIZING, FR_USE_READ_ONLY_FIRST, { 0 }, false },
	{ "synchronizing", MIRROR, { JOB(5) }, { { 0 } }, FR_SET_DIRTY, FR_USE_READ_ONLY_FIRST, { 0 }, false },
	{ "migrating", STRIPE, { JOB(4) }, { { 0 } }, FR_SET_MIGRATING, FR_USE_NEVER, { 0 }, true },
	{ "unknown job", MIRROR, { JOB(9) }, { { 0 } }, FR_SET_DIRTY, FR_USE_READ_ONLY, { 0 }, false },
	{ "unknown job of a stripe", STRIPE, { JOB(1) }, { { 0 } }, FR_SET_DIRTY, FR_USE_READ_ONLY, { 0 }, true },
	{ "rebuilding unit 1", MIRROR, { JOB(3), FLAGS(2) }, { UNIT_FLAGS(0x100) }, FR_SET_REBUILDING,
	  FR_USE_READ_ONLY_FIRST, { FR_MEMBER_OK, FR_MEMBER_REBUILDING }, true },
	{ "rebuilding, nobody says which", MIRROR, { JOB(3), FLAGS(2) }, { { 0 } }, FR_SET_REBUILDING,
	  FR_USE_ON_REQUEST, { 0 }, false },
	{ "rebuilding, nobody says which of a RAID5", RAID5, { JOB(3), FLAGS(6) }, { { 0 } }, FR_SET_REBUILDING,
	  FR_USE_NEVER, { 0 }, false },
	{ "error flag on both", MIRROR, { FLAGS(2) }, { { 0 } }, FR_SET_DEGRADED, FR_USE_READ_ONLY_FIRST, { 0 }, false },
	{ "error flag on one", MIRROR, { FLAGS(2) }, { FLAGS(0) }, FR_SET_DEGRADED, FR_USE_READ_ONLY_FIRST,
	  { FR_MEMBER_OK, FR_MEMBER_STALE }, true },
	{ "error flag on one of a RAID5", RAID5, { FLAGS(6) }, { FLAGS(4) }, FR_SET_DEGRADED, FR_USE_READ_ONLY_FIRST,
	  { FR_MEMBER_OK, FR_MEMBER_STALE }, true },
	{ "jobs that contradict", MIRROR, { { 0 } }, { JOB(5) }, FR_SET_BROKEN, FR_USE_NEVER, { 0 }, true },
	{ "initializing a RAID5", RAID5, { JOB(2), FLAGS(0) }, { { 0 } }, FR_SET_INITIALIZING, FR_USE_READ_ONLY, { 0 },
	  true },
	{ "chunks that contradict", STRIPE, { { 0 } }, { WHOLE_CHUNK(64, 6) }, FR_SET_BROKEN, FR_USE_NEVER, { 0 }, true },
};

static void condition(void **state)
{
	const struct state_row *row = *state;
	unsigned width = row->base == RAID5 ? 3 : 2;
	struct image images[3] = { { 0 } };
	struct fr_scan *scan;
	const struct fr_set *set;

	for (unsigned i = 0; i < width; i++) {
		uint8_t sector[FR_SECTOR_SIZE];

		base_record(sector, row->base, i);
		edit(sector, row->every);
		if (i == 1)
			edit(sector, row->unit_1);
		disk_with(&images[i], SECTORS, sector);
	}
	scan = scan_images(images, width);
	assert_int_equal(scan->nsets, 1);
	set = scan->sets[0];
	assert_string_equal(fr_set_state_name(set->state), fr_set_state_name(row->state));
	assert_int_equal(set->use, row->use);
	if (row->state != FR_SET_OK)
		assert_true(set->nreasons > 0);
	for (unsigned i = 0; i < 2 && row->state != FR_SET_BROKEN; i++)
		assert_int_equal(set->members[i].state, row->members[i]);
	if (row->use != FR_USE_NEVER)
		assert_int_equal(set->in_sync, row->in_sync);
	fr_scan_free(scan);
	images_free(images, width);
}

/* Parity that was never made computes nothing. */
static void raid5_without_parity_and_a_member(void **state)
{
	static const struct edit initializing[EDITS] = { JOB(2), FLAGS(0) };
	uint8_t sector[FR_SECTOR_SIZE];
	struct image images[2] = { { 0 } };
	struct fr_scan *scan;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		base_record(sector, RAID5, 2 * i);
		edit(sector, initializing);
		disk_with(&images[i], SECTORS, sector);
	}
	scan = scan_images(images, 2);
	assert_int_equal(scan->sets[0]->state, FR_SET_BROKEN);
	assert_int_equal(scan->sets[0]->use, FR_USE_NEVER);
	assert_contains(all_reasons(scan->sets[0]), "parity");
	fr_scan_free(scan);
	images_free(images, 2);
}

int main(void)
{
	struct test_list list = { 0 };

	ADD_TEST(&list, vectors_are_sealed_right);
	ADD_TEST(&list, real_record_of_unit_3);
	ADD_TEST(&list, real_stripe_of_two);
	ADD_TEST(&list, mirror_whose_first_half_is_rebuilt);
	ADD_ROWS(&list, invalid_rows, invalid_field);
	ADD_ROWS(&list, unsupported_rows, unsupported_field);
	ADD_ROWS(&list, ignored_rows, ignored_field);
	ADD_TEST(&list, no_signature);
	ADD_TEST(&list, wrong_sum);
	ADD_TEST(&list, disks_that_cannot_carry_it);
	ADD_TEST(&list, free_disk);
	ADD_ROWS(&list, count_rows, members_by_level_and_width);
	ADD_TEST(&list, layouts_of_raid5);
	ADD_ROWS(&list, span_rows, span);
	ADD_TEST(&list, mirror_has_two_sizes);
	ADD_ROWS(&list, name_rows, name_of_signature);
	ADD_TEST(&list, colliding_names);
	ADD_ROWS(&list, state_rows, condition);
	ADD_TEST(&list, raid5_without_parity_and_a_member);
	return run_list("nvidia", &list);
}
