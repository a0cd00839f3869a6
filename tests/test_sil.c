// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The sil format: a real record, each checked field wrong in turn, the
 * election among the four copies, names, counts, sizes and states, all by the
 * format's specification.
 */
#include <stdio.h>

#include "testing.h"

enum { SECTORS = 5000, KEPT = 2048, COPIES = 4, PER = 2944 }; /* PER: what fits a small disk in chunks of 32 */

/* ---- records: lines of an offset and bytes, all else is 0 ---- */

/* Real: of a SATARAID5 group of four disks, whose counts fit no level. */
static const char *const vector_a[] = {
	"000 5a 0c ff 3f 37 c8 10 00 00 00 00 00 3f 00 00 00",
	"010 00 00 00 00 20 20 20 20 20 20 20 20 20 20 20 20 4d 35 30 54 34 4e 4a 50 00 00 00 40 04 00 32 2e",
	"030 31 30 20 20 20 20 53 54 33 31 36 30 38 32 37 41 53 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20",
	"050 20 20 20 20 20 20 20 20 20 20 20 20 20 20 10 80 00 00 00 2f 00 40 00 02 00 02 07 00 b0 43 f9 0d",
	"070 00 00 00 00 00 00 10 01 ff ff ff 0f 00 00 07 04 03 00 78 00 78 00 f0 00 78 00 00 00 00 00 00 00",
	"090 00 00 00 00 00 00 1f 00 02 01 00 00 00 00 00 00 7e 00 1b 00 6b 34 01 7d 03 40 69 34 01 3c 03 40",
	"0b0 7f 00 00 00 00 00 fe fe fe ff 00 00 00 fe 00 00 00 00 00 00 00 00 00 00 b0 9e a1 12 00 00 00 00",
	"100 01 00 b0 9e 14 31 95 10 03 00 02 00 53 31 14 12 07 05 80 00 64 00 00 02 04 00 ff ff 00 00 00 00",
	"120 00 00 00 00 01 00 00 00 01 01 00 00 00 00 53 69 49 20 43 6f 6e 63 61 74 65 6e 61 74 69 6f 5c 1a",
	"1fe a5 df", NULL,
};

/* Made: disk 0 of a stripe of two disks of 5000 sectors, chunk 32. */
static const char *const vector_b[] = {
	"000 5a 0c", "014 41 4c 30 42 30 30 30 32 20 20 20 20 20 20 20 20 20 20 20 20",
	"02e 2e 31 30 30 20 20 20 20 41 4c 20 42 49 44 4b 53 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20",
	"04e 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20", "063 2f", "06d 17", "078 88 13", "0c8 88 13",
	"104 12 31 95 10 00 00 02 00 14 02 02 03 03 05 20 00 00 00 00 00 02 00 ff ff",
	"124 05 00 00 00 01 02 01", "13e 88 bd", NULL,
};

static void vector(const char *const *lines, uint8_t *sector)
{
	memset(sector, 0, FR_SECTOR_SIZE);
	for (; *lines != NULL; lines++) {
		char *bytes;
		unsigned long offset = strtoul(*lines, &bytes, 16);

		from_hex(bytes, sector + offset);
	}
}

#define ARRAY(v) { 0x06c, 8, v }
#define SEEN(v28, v48) { 0x078, 4, v28 }, { 0x0c8, 8, v48 }
#define MINOR(v) { 0x108, 2, v }
#define STRIDE(v) { 0x112, 2, v }
#define NUMBER(v) { 0x116, 1, v }
#define TYPE(v) { 0x117, 1, v }
#define DRIVES(v) { 0x118, 1, v }
#define STRIPE_SET(v) { 0x119, 1, v }
#define MIRRORS(v) { 0x11a, 1, v }
#define MIRROR_SET(v) { 0x11b, 1, v }
#define GENERATION(v) { 0x124, 4, v }
#define DISK_STATUS(v) { 0x128, 1, v }
#define SET_STATUS(v) { 0x129, 1, v }

static void edit(uint8_t *sector, const struct edit *edits)
{
	apply_edits(sector, edits);
	sil_seal(sector);
}

enum base { STRIPE, MIRROR, RAID10, RAID5, SPAN };

/* By level: how many disks, and the fields of all. */
static const struct { unsigned width; struct edit edits[EDITS]; } bases[] = {
	[STRIPE] = { 2, { TYPE(0), DRIVES(2), MIRRORS(0xff), MIRROR_SET(0xff), ARRAY(2 * PER) } },
	[MIRROR] = { 2, { TYPE(1), DRIVES(0xff), STRIPE_SET(0xff), MIRRORS(2), MIRROR_SET(0), ARRAY(2952) } },
	[RAID10] = { 4, { TYPE(2), DRIVES(2), MIRRORS(2), ARRAY(2 * PER) } },
	[RAID5] = { 3, { TYPE(0x10), DRIVES(3), MIRRORS(0xff), MIRROR_SET(0xff), ARRAY(2 * PER) } },
	[SPAN] = { 2, { TYPE(0xff), DRIVES(2), MIRRORS(0xff), MIRROR_SET(0xff), ARRAY(2 * 2952) } },
};

/* A right record of the disk that is to be member `slot`. */
static void base_record(uint8_t *sector, enum base base, unsigned slot)
{
	const struct edit striped[EDITS] = { NUMBER(slot) };
	const struct edit columns[EDITS] = { NUMBER(slot / 2), MIRROR_SET(slot / 2), STRIPE_SET(slot % 2) };

	vector(vector_b, sector);
	edit(sector, bases[base].edits);
	edit(sector, base == RAID10 ? columns : striped);
}

static void write_copies(const struct image *image, const uint8_t *sector)
{
	for (uint64_t k = 0; k < COPIES; k++)
		image_write(image, image->sectors - 1 - 512 * k, sector, 1);
}

static void disk_with(struct image *image, uint64_t sectors, const uint8_t *sector)
{
	image_new(image, sectors);
	write_copies(image, sector);
}

static void probe_record(struct probe *p, const uint8_t *sector)
{
	probe_format(p, format_named("sil"), SECTORS, FR_SECTOR_SIZE, fill_record, (void *)sector);
}

/* ---- the records as they are ---- */

static void vectors_are_sealed_right(void **state)
{
	uint8_t sector[FR_SECTOR_SIZE], sealed[FR_SECTOR_SIZE];

	(void)state;
	for (int i = 0; i < 2; i++) {
		vector(i == 0 ? vector_a : vector_b, sector);
		memcpy(sealed, sector, sizeof(sealed));
		sil_seal(sealed);
		assert_memory_equal(sealed, sector, sizeof(sealed));
	}
}

/* Of the four copies two are given, as in the image that the record comes from. */
static void real_record_of_sataraid5(void **state)
{
	uint8_t sector[FR_SECTOR_SIZE];
	struct image image;
	struct fr_scan *scan;
	const struct fr_set *set;
	struct fr_plan *plan;

	(void)state;
	vector(vector_a, sector);
	image_new(&image, 312581808);
	image_write(&image, 312581807, sector, 1);
	image_write(&image, 312581807 - 512, sector, 1);
	scan = scan_images(&image, 1);
	assert_int_equal(scan->nsets, 1);
	set = scan->sets[0];
	assert_string_equal(set->name, "sil_afahbicaejcd");
	assert_int_equal(set->state, FR_SET_UNSUPPORTED);
	assert_contains(all_reasons(set), "2.3");
	assert_int_equal(set->sectors == 0 || set->sectors == 234439600, 1);
	assert_int_equal(set->members[0].generation, 1);
	assert_int_equal(fr_plan_new(set, NULL, &plan, NULL), -ENOTSUP);
	assert_int_equal(find_look(scan->disks[0], "sil", 312581807)->verdict, FR_VERDICT_VALID);
	assert_int_equal(find_look(scan->disks[0], "sil", 312581807 - 512)->verdict, FR_VERDICT_VALID);
	assert_int_equal(find_look(scan->disks[0], "sil", 312581807 - 1024)->verdict, FR_VERDICT_NONE);
	fr_scan_free(scan);
	image_free(&image);
}

/* What real disks of this size would give: copies at these four places, and nowhere else. */
static void places_of_the_copies(void **state)
{
	uint8_t sector[FR_SECTOR_SIZE];
	struct probe p;

	(void)state;
	vector(vector_a, sector);
	for (uint64_t size = 312581807; size <= 312581808; size++) {
		probe_format(&p, format_named("sil"), size, FR_SECTOR_SIZE, fill_record, sector);
		assert_int_equal(p.nwindows, 4);
		for (size_t k = 0; k < 4; k++)
			assert_int_equal(p.windows[k].lba, size - 1 - 512 * k);
		probe_free(&p);
	}
}

static void stripe_of_two(void **state)
{
	uint8_t sector[FR_SECTOR_SIZE];
	struct image images[2] = { { 0 } };
	struct fr_scan *scan;
	struct fr_plan *plan;
	char wanted[200], *text;

	(void)state;
	vector(vector_b, sector);
	disk_with(&images[1], SECTORS, sector);
	base_record(sector, STRIPE, 1);
	disk_with(&images[0], SECTORS, sector);
	scan = scan_images(images, 2);
	assert_int_equal(scan->nsets, 1);
	assert_int_equal(scan->nproblems, 0);
	assert_string_equal(scan->sets[0]->name, "sil_afadadacacca");
	assert_int_equal(scan->sets[0]->state, FR_SET_OK);
	assert_true(scan->sets[0]->members[0].has_generation);
	assert_int_equal(scan->sets[0]->members[0].generation, 5);
	plan = plan_of(scan->sets[0], NULL);
	text = plan_text(plan);
	snprintf(wanted, sizeof(wanted), "sil_afadadacacca: 0 5888 striped 2 32 %s 0 %s 0\n", images[1].path,
		 images[0].path);
	assert_string_equal(text, wanted);
	free(text);
	fr_plan_free(plan);
	fr_scan_free(scan);
	images_free(images, 2);
}

/* ---- one field wrong, the sum made right again ---- */

static const struct field_row {
	const char *name;
	enum base base;
	struct edit edits[EDITS];
	const char *about;      /* in the reason */
} invalid_rows[] = {
	{ "major 0", STRIPE, { { 0x10a, 2, 0 } }, "version" },
	{ "major 3", MIRROR, { { 0x10a, 2, 3 } }, "version" },
	{ "major 0x0102", MIRROR, { { 0x10a, 2, 0x0102 } }, "version" },
	{ "stride 0", STRIPE, { STRIDE(0) }, "stride" },
	{ "stride 4", RAID10, { STRIDE(4) }, "stride" },
	{ "stride 33", RAID5, { STRIDE(33) }, "stride" },
	{ "stride 4096", STRIPE, { STRIDE(4096) }, "stride" },
	{ "stride 65535", RAID10, { STRIDE(65535) }, "stride" },
	{ "disk number 2 of 2", STRIPE, { NUMBER(2) }, "disk number" },
	{ "disk number 8", MIRROR, { NUMBER(8) }, "disk number" },
	{ "disk number 200", RAID10, { NUMBER(200) }, "disk number" },
	{ "disk number 3 of 3", RAID5, { NUMBER(3) }, "disk number" },
	{ "stripe_drives 0", STRIPE, { DRIVES(0) }, "stripe drives 0" },
	{ "stripe_drives 1", STRIPE, { DRIVES(1) }, "stripe drives 1" },
	{ "stripe_drives 9", STRIPE, { DRIVES(9) }, "stripe drives 9" },
	{ "stripe_drives 255", STRIPE, { DRIVES(255) }, "stripe drives 255" },
	{ "stripe_drives 2 of a RAID5", RAID5, { DRIVES(2) }, "stripe drives 2" },
	{ "stripe_drives 1 of a RAID10", RAID10, { DRIVES(1) }, "stripe drives 1" },
	{ "stripe_drives 5 of a RAID10", RAID10, { DRIVES(5) }, "stripe drives 5" },
	{ "stripe_drives 0 of a span", SPAN, { DRIVES(0) }, "stripe drives 0" },
	{ "stripe_drives 9 of a span", SPAN, { DRIVES(9) }, "stripe drives 9" },
	{ "mirror_drives 2 of a stripe", STRIPE, { MIRRORS(2) }, "mirror drives 2" },
	{ "mirror_drives 1 of a RAID5", RAID5, { MIRRORS(1) }, "mirror drives 1" },
	{ "mirror_drives 0", MIRROR, { MIRRORS(0) }, "mirror drives 0" },
	{ "mirror_drives 1", MIRROR, { MIRRORS(1) }, "mirror drives 1" },
	{ "mirror_drives 9", MIRROR, { MIRRORS(9) }, "mirror drives 9" },
	{ "mirror_drives 255", MIRROR, { MIRRORS(255) }, "mirror drives 255" },
	{ "mirror_drives 255 of a RAID10", RAID10, { MIRRORS(255) }, "mirror drives 255" },
	{ "mirror_drives 3 of a RAID10", RAID10, { MIRRORS(3) }, "mirror drives 3" },
	{ "stripe_set 2", RAID10, { STRIPE_SET(2) }, "stripe set 2" },
	{ "stripe_set 255", RAID10, { STRIPE_SET(255) }, "stripe set 255" },
	{ "mirror_set 2", RAID10, { MIRROR_SET(2) }, "mirror set 2" },
	{ "mirror_set 255", RAID10, { MIRROR_SET(255) }, "mirror set 255" },
	{ "type 0x77", STRIPE, { TYPE(0x77) }, "type 0x77" },
	{ "type 0xfd", MIRROR, { TYPE(0xfd) }, "type 0xfd" },
	{ "array_sectors 0", STRIPE, { ARRAY(0) }, "array" },
	{ "array_sectors 0 of a mirror", MIRROR, { ARRAY(0) }, "array" },
	{ "array_sectors of half a row", STRIPE, { ARRAY(63) }, "array" },
	{ "array_sectors one past a mirror's room", MIRROR, { ARRAY(SECTORS - KEPT + 1) }, "array" },
	{ "array_sectors one row past the room", STRIPE, { ARRAY(2 * PER + 64) }, "array" },
	{ "array_sectors 2^40", RAID10, { ARRAY(1ull << 40) }, "array" },
	{ "array_sectors 2^64 - 1", RAID5, { ARRAY(UINT64_MAX) }, "array" },
	{ "array_sectors 2^63", MIRROR, { ARRAY(1ull << 63) }, "array" },
};

static void invalid_field(void **state)
{
	const struct field_row *row = *state;
	uint8_t sector[FR_SECTOR_SIZE];
	struct probe p;

	base_record(sector, row->base, 0);
	edit(sector, row->edits);
	probe_record(&p, sector);
	assert_int_equal(p.claims.count, 1);
	assert_contains(p.claims.list[0]->fault, row->about);
	assert_int_equal(p.disk.looks[0].verdict, FR_VERDICT_INVALID);
	assert_contains(p.disk.looks[0].reason, row->about);
	probe_free(&p);
}

/* A right record of what nobody can map: it is listed, and left alone. */
static const struct field_row unsupported_rows[] = {
	{ "SATARAID5 counts of a RAID10", RAID10, { MINOR(3), MIRRORS(0xff), MIRROR_SET(0xff) }, "mirror drives 255" },
	{ "SATARAID5 type", STRIPE, { MINOR(2), TYPE(0x77) }, "type 0x77" },
	{ "short count of a shrunk disk", STRIPE, { SEEN(SECTORS + 1, 0) }, "shrunk" },
	{ "long count of a shrunk disk", MIRROR, { SEEN(SECTORS, SECTORS + 1) }, "shrunk" },
	{ "largest count of a shrunk disk", MIRROR, { SEEN(0, UINT64_MAX) }, "shrunk" },
};

static void unsupported_field(void **state)
{
	const struct field_row *row = *state;
	uint8_t sector[FR_SECTOR_SIZE];
	struct probe p;

	base_record(sector, row->base, 0);
	edit(sector, row->edits);
	probe_record(&p, sector);
	assert_int_equal(p.claims.count, 1);
	assert_null(p.claims.list[0]->fault);
	assert_contains(p.claims.list[0]->unsupported, row->about);
	assert_int_equal(p.disk.looks[0].verdict, FR_VERDICT_VALID);
	fr_sets_make(&p.pool, &p.claims, NULL, &p.scan);
	assert_int_equal(p.scan.nsets, 1);
	assert_int_equal(p.scan.sets[0]->state, FR_SET_UNSUPPORTED);
	assert_int_equal(p.scan.sets[0]->use, FR_USE_NEVER);
	probe_free(&p);
}

/* What means nothing may hold anything. */
static const struct field_row ignored_rows[] = {
	{ "word 48 is 4000", STRIPE, { { 0x60, 2, 0x4000 } }, NULL },
	{ "word 49 is 0f00", MIRROR, { { 0x62, 2, 0x0f00 } }, NULL },
	{ "no magic at all", STRIPE, { { 0x60, 4, 0 } }, NULL },
	{ "product id", STRIPE, { { 0x104, 2, 0xffff } }, NULL },
	{ "minor 1", STRIPE, { MINOR(1) }, NULL },
	{ "minor 3 with counts that fit", STRIPE, { MINOR(3) }, NULL },
	{ "stride 0 of a mirror", MIRROR, { STRIDE(0) }, NULL },
	{ "stride 33 of a span", SPAN, { STRIDE(33) }, NULL },
	{ "unknown words", STRIPE, { { 0x114, 2, 0xffff }, { 0x12d, 1, 0xff } }, NULL },
	{ "name", MIRROR, { { 0x12e, 8, 0x2f5c0a1b00ff2522 }, { 0x136, 8, UINT64_MAX } }, NULL },
	{ "identify sum", MIRROR, { { 0x1fe, 2, 0x1234 } }, NULL },
	{ "bytes after the sum", MIRROR, { { 0x140, 8, UINT64_MAX } }, NULL },
	{ "mirror_drives 0 of a stripe", STRIPE, { MIRRORS(0), MIRROR_SET(0) }, NULL },
	{ "saturated short count", STRIPE, { SEEN(0x0fffffff, 0) }, NULL },
	{ "saturated short count and a long one", STRIPE, { SEEN(0x0fffffff, SECTORS) }, NULL },
	{ "disk that grew", STRIPE, { SEEN(SECTORS - 100, SECTORS - 100) }, NULL },
	{ "rebuild_lba of a current disk", MIRROR, { { 0x11c, 8, 77 } }, NULL },
	{ "smallest stride", STRIPE, { STRIDE(8) }, NULL },
	{ "largest stride", STRIPE, { STRIDE(2048), ARRAY(4096) }, NULL },
	{ "set_status 0", MIRROR, { SET_STATUS(0) }, NULL },
	{ "location", MIRROR, { { 0x12a, 1, 0xff } }, NULL },
};

static void ignored_field(void **state)
{
	const struct field_row *row = *state;
	struct image images[2] = { { 0 } };
	struct fr_scan *scan;

	for (unsigned i = 0; i < 2; i++) {
		uint8_t sector[FR_SECTOR_SIZE];

		base_record(sector, row->base, i);
		edit(sector, row->edits);
		disk_with(&images[i], SECTORS, sector);
	}
	scan = scan_images(images, 2);
	assert_int_equal(scan->nsets, 1);
	assert_string_equal(all_reasons(scan->sets[0]), "");
	assert_int_equal(scan->sets[0]->state, FR_SET_OK);
	fr_scan_free(scan);
	images_free(images, 2);
}

static void no_vendor(void **state)
{
	uint8_t sector[FR_SECTOR_SIZE];
	struct probe p;

	(void)state;
	for (unsigned bit = 0; bit < 16; bit++) {
		base_record(sector, STRIPE, 0);
		sector[0x106 + bit / 8] ^= (uint8_t)(1u << bit % 8);
		sil_seal(sector);
		probe_record(&p, sector);
		assert_int_equal(p.claims.count, 0);
		assert_int_equal(p.disk.looks[0].verdict, FR_VERDICT_NONE);
		probe_free(&p);
	}
}

static const struct sum_row {
	const char *name;
	uint8_t major;
	uint16_t off;           /* how far the sum is off */
	bool valid;
} sum_rows[] = {
	{ "sum 0 of major 2", 2, 0, true }, { "sum ffff of major 2", 2, 0xffff, false },
	{ "sum 1 of major 2", 2, 1, false }, { "sum 0 of major 1", 1, 0, true },
	{ "sum ffff of major 1", 1, 0xffff, true }, { "sum fffe of major 1", 1, 0xfffe, false },
};

static void sum(void **state)
{
	const struct sum_row *row = *state;
	uint8_t sector[FR_SECTOR_SIZE];
	struct probe p;

	base_record(sector, STRIPE, 0);
	sector[0x10a] = row->major;
	sil_seal(sector);
	put_number(sector + 0x13e, 2, sector[0x13e] + 256u * sector[0x13f] + row->off);
	probe_record(&p, sector);
	assert_int_equal(p.claims.count, 1);
	assert_int_equal(p.claims.list[0]->fault == NULL, row->valid);
	if (!row->valid)
		assert_contains(p.claims.list[0]->fault, "checksum");
	probe_free(&p);
}

static void disks_that_cannot_carry_it(void **state)
{
	uint8_t sector[FR_SECTOR_SIZE];
	struct probe p;

	(void)state;
	base_record(sector, MIRROR, 0);
	probe_format(&p, format_named("sil"), 0, FR_SECTOR_SIZE, fill_record, sector);
	assert_int_equal(p.nwindows, 0);
	assert_int_equal(p.claims.count, 0);
	probe_free(&p);
	for (uint64_t sectors = 1; sectors <= KEPT; sectors++) { /* one copy fits, then more; never data */
		probe_format(&p, format_named("sil"), sectors, FR_SECTOR_SIZE, fill_record, sector);
		assert_int_equal(p.claims.count, 1);
		assert_non_null(p.claims.list[0]->fault);
		probe_free(&p);
	}
	probe_format(&p, format_named("sil"), SECTORS, FR_SECTOR_SIZE, fill_record, NULL); /* unreadable */
	assert_int_equal(p.claims.count, 0);
	probe_free(&p);
	probe_format(&p, format_named("sil"), SECTORS, 4096, fill_record, sector);
	assert_int_equal(p.claims.count, 1);
	assert_contains(p.claims.list[0]->fault != NULL ? p.claims.list[0]->fault : p.claims.list[0]->unsupported, "4096");
	probe_free(&p);
}

/* ---- the election: every combination of what the four copies may be ---- */

enum copy { NEW, OLD, OTHER, DAMAGED, ABSENT, UNREADABLE, KINDS }; /* of generation 5, 4, 5; OTHER: of another array */

struct ballot {
	enum copy copies[COPIES]; /* from the end of the disk */
};

static bool fill_ballot(void *data, uint64_t lba, uint32_t sectors, uint8_t *buf)
{
	static const struct edit old[EDITS] = { GENERATION(4) };
	static const struct edit other[EDITS] = { { 0x10c, 6, 0x060504030201 } };
	const struct ballot *b = data;
	enum copy copy = b->copies[(SECTORS - 1 - lba) / 512];

	assert_int_equal(sectors, 1);
	base_record(buf, MIRROR, 0);
	if (copy == OLD)
		edit(buf, old);
	else if (copy == OTHER)
		edit(buf, other);
	else if (copy == DAMAGED)
		buf[0x13e] ^= 1;
	else if (copy == ABSENT)
		memset(buf, 0, FR_SECTOR_SIZE);
	return copy != UNREADABLE;
}

/* The specification once more: the largest group of equals, then the newer generation, then the nearest the end. */
static int winner_of(const struct ballot *b)
{
	int best = -1;
	unsigned best_votes = 0;

	for (int i = 0; i < COPIES; i++) {
		unsigned votes = 0;

		if (b->copies[i] > OTHER)
			continue;
		for (int k = 0; k < COPIES; k++)
			votes += b->copies[k] == b->copies[i];
		if (best < 0 || votes > best_votes ||
		    (votes == best_votes && b->copies[i] != OLD && b->copies[best] == OLD)) {
			best = i;
			best_votes = votes;
		}
	}
	return best;
}

static bool has_copy(const struct ballot *b, enum copy copy)
{
	for (int i = 0; i < COPIES; i++) {
		if (b->copies[i] == copy)
			return true;
	}
	return false;
}

static void check_verdicts(const struct ballot *b, const struct probe *p, int winner)
{
	for (int i = 0; i < COPIES; i++) {
		const struct fr_look *look = &p->disk.looks[i];

		if (b->copies[i] == DAMAGED)
			assert_int_equal(look->verdict, FR_VERDICT_INVALID);
		else if (b->copies[i] == ABSENT || b->copies[i] == UNREADABLE)
			assert_int_equal(look->verdict, FR_VERDICT_NONE);
		else if (b->copies[i] == b->copies[winner])
			assert_int_equal(look->verdict, FR_VERDICT_VALID);
		else if (b->copies[i] == OLD && b->copies[winner] == NEW)
			assert_int_equal(look->verdict, FR_VERDICT_STALE);
		else
			assert_int_equal(look->verdict, FR_VERDICT_FOREIGN);
		if (look->verdict != FR_VERDICT_VALID && look->data != NULL)
			assert_non_null(look->reason);
	}
}

static void check_ballot(const struct ballot *b)
{
	int winner = winner_of(b);
	struct probe p;

	probe_format(&p, format_named("sil"), SECTORS, FR_SECTOR_SIZE, fill_ballot, (void *)b);
	if (winner < 0) {
		assert_int_equal(p.claims.count, has_copy(b, DAMAGED));
		if (p.claims.count != 0)
			assert_contains(p.claims.list[0]->fault, "checksum");
	} else {
		const struct fr_claim *c = p.claims.count == 1 ? p.claims.list[0] : NULL;

		assert_non_null(c);
		assert_null(c->fault);
		assert_int_equal(c->lba, SECTORS - 1 - 512u * (unsigned)winner);
		assert_int_equal(c->generation, b->copies[winner] == OLD ? 4 : 5);
		assert_int_equal(c->id[0], b->copies[winner] == OTHER ? 0x01 : 0x14);
		check_verdicts(b, &p, winner);
	}
	probe_free(&p);
}

static void election(void **state)
{
	(void)state;
	for (unsigned n = 0; n < KINDS * KINDS * KINDS * KINDS; n++) {
		unsigned rest = n;
		struct ballot b;

		for (int i = 0; i < COPIES; i++, rest /= KINDS)
			b.copies[i] = (enum copy)(rest % KINDS);
		check_ballot(&b);
	}
}

/* A copy that is unlike the others is worth a word, whatever is wrong with it. */
static void odd_copy_is_reported(void **state)
{
	(void)state;
	for (enum copy copy = OLD; copy <= ABSENT; copy++) {
		for (int at = 0; at < COPIES; at++) {
			struct ballot b = { { NEW, NEW, NEW, NEW } };
			struct probe p;

			b.copies[at] = copy;
			probe_format(&p, format_named("sil"), SECTORS, FR_SECTOR_SIZE, fill_ballot, &b);
			fr_sets_make(&p.pool, &p.claims, NULL, &p.scan);
			assert_int_equal(p.scan.nproblems, 1);
			assert_contains(p.scan.problems[0].reason, "cop");
			if (copy != ABSENT)
				assert_int_equal(p.scan.problems[0].lba, SECTORS - 1 - 512u * (unsigned)at);
			probe_free(&p);
		}
	}
}

/* A generation is a signed distance: 1 is newer than 2^32 - 1. */
static bool fill_wrapped(void *data, uint64_t lba, uint32_t sectors, uint8_t *buf)
{
	const struct edit edits[EDITS] = { GENERATION((SECTORS - 1 - lba) / 512 < 2 ? UINT32_MAX : 1) };

	(void)data;
	assert_int_equal(sectors, 1);
	base_record(buf, MIRROR, 0);
	edit(buf, edits);
	return true;
}

static void election_across_the_wrap(void **state)
{
	struct probe p;

	(void)state;
	probe_format(&p, format_named("sil"), SECTORS, FR_SECTOR_SIZE, fill_wrapped, NULL);
	assert_int_equal(p.claims.count, 1);
	assert_int_equal(p.claims.list[0]->generation, 1);
	assert_int_equal(p.claims.list[0]->lba, SECTORS - 1 - 1024);
	probe_free(&p);
}

/* ---- names ---- */

static const struct name_row {
	const char *name;
	uint8_t created[6];     /* second, minute, hour, day, month, year */
} name_rows[] = {
	{ "sil_afahbicaejcd", { 0x53, 0x31, 0x14, 0x12, 0x07, 0x05 } }, /* the real record */
	{ "sil_afadadacacca", { 0x14, 0x02, 0x02, 0x03, 0x03, 0x05 } },
	/* seen in the field, the bytes being BCD */
	{ "sil_aiageicechah", { 0x07, 0x57, 0x18, 0x30, 0x06, 0x08 } },
	{ "sil_agagdddebbdf", { 0x23, 0x47, 0x22, 0x21, 0x06, 0x06 } },
	{ "sil_biacdddccaaj", { 0x09, 0x14, 0x20, 0x21, 0x02, 0x12 } },
	{ "sil_agaedcdcaiae", { 0x04, 0x08, 0x20, 0x20, 0x04, 0x06 } },
	{ "sil_ajaiahaafcai", { 0x08, 0x34, 0x00, 0x07, 0x08, 0x09 } },
	{ "sil_ahbiejbgcgaf", { 0x05, 0x56, 0x10, 0x31, 0x12, 0x07 } }, /* 86 modulo 60 */
	{ "sil_ahajcfcefgcj", { 0x59, 0x38, 0x18, 0x19, 0x09, 0x07 } }, /* 89 modulo 60 */
	{ "sil_ajajbgahfgdd", { 0x21, 0x38, 0x07, 0x10, 0x09, 0x09 } },
	/* the edges */
	{ "sil_aaaaaaaaaaaa", { 0 } },
	{ "sil_aaaaaaaaaaaa", { 60, 120, 0, 0, 0, 0 } },
	{ "sil_aaaaaaaafjfj", { 59, 59, 0, 0, 0, 0 } },
	{ "sil_jjjjjjjjdjdj", { 99, 99, 99, 99, 99, 99 } },
	{ "sil_baabaabaabaaeaea", { 100, 100, 100, 100, 100, 100 } },
	{ "sil_bjjaaaaaaaaaa", { 0, 0, 0, 0, 0, 199 } },
	{ "sil_aaaacaaaaaaaa", { 0, 0, 0, 200, 0, 0 } },
	{ "sil_cffcffcffcffbfbf", { 255, 255, 255, 255, 255, 255 } },
};

static void name_of_time(void **state)
{
	const struct name_row *row = *state;
	uint8_t sector[FR_SECTOR_SIZE];
	struct probe p;

	base_record(sector, STRIPE, 0);
	memcpy(sector + 0x10c, row->created, sizeof(row->created));
	sil_seal(sector);
	probe_record(&p, sector);
	assert_string_equal(p.claims.list[0]->name, row->name);
	assert_int_equal(p.claims.list[0]->id_length, 6);
	assert_memory_equal(p.claims.list[0]->id, row->created, 6);
	probe_free(&p);
}

/* Minutes 06 and 42 give one name: the identity that sorts first keeps it, whatever the order of the disks. */
static void colliding_names(void **state)
{
	static const uint8_t first[] = { 0x13, 0x06, 0x11, 0x12, 0x07, 0x05 };
	static const uint8_t second[] = { 0x13, 0x42, 0x11, 0x12, 0x07, 0x05 };

	(void)state;
	for (unsigned turned = 0; turned < 2; turned++) {
		uint8_t sector[FR_SECTOR_SIZE];
		struct image images[2] = { { 0 } };
		struct fr_scan *scan;

		base_record(sector, MIRROR, 0);
		memcpy(sector + 0x10c, first, sizeof(first));
		sil_seal(sector);
		disk_with(&images[turned], SECTORS, sector);
		memcpy(sector + 0x10c, second, sizeof(second));
		sil_seal(sector);
		disk_with(&images[1 - turned], SECTORS, sector);
		scan = scan_images(images, 2);
		assert_int_equal(scan->nsets, 2);
		assert_string_equal(scan->sets[turned]->name, "sil_afahbibhagbj");
		assert_string_equal(scan->sets[1 - turned]->name, "sil_afahbibhagbj_134211120705");
		fr_scan_free(scan);
		images_free(images, 2);
	}
}

/* ---- how many members, and where ---- */

static const struct place_row {
	const char *name;
	enum base base;
	struct edit edits[EDITS];
	enum fr_level level;
	unsigned width, index;
	bool doubt;             /* used on request only */
} place_rows[] = {
	{ "stripe of 8, disk 7", STRIPE, { DRIVES(8), NUMBER(7), ARRAY(8 * PER) }, FR_LEVEL_RAID0, 8, 7, false },
	{ "mirror of 3, disk 2", MIRROR, { MIRRORS(3), NUMBER(2) }, FR_LEVEL_RAID1, 3, 2, false },
	{ "column 1, copy 0", RAID10, { NUMBER(1), MIRROR_SET(1), STRIPE_SET(0) }, FR_LEVEL_RAID10, 4, 2, false },
	{ "column 0, copy 1", RAID10, { NUMBER(0), MIRROR_SET(0), STRIPE_SET(1) }, FR_LEVEL_RAID10, 4, 1, false },
	{ "column 3 of 4, copy 1", RAID10, { DRIVES(4), NUMBER(3), MIRROR_SET(3), STRIPE_SET(1), ARRAY(4 * PER) },
	  FR_LEVEL_RAID10, 8, 7, false },
	{ "numbers through both copies", RAID10, { NUMBER(3), MIRROR_SET(1), STRIPE_SET(1) }, FR_LEVEL_RAID10, 4, 3,
	  false },
	{ "number that contradicts its column", RAID10, { NUMBER(1), MIRROR_SET(0), STRIPE_SET(1) }, FR_LEVEL_RAID10, 4,
	  1, true },
	{ "RAID5 of 3, disk 2", RAID5, { NUMBER(2) }, FR_LEVEL_RAID5, 3, 2, true },
	{ "concatenation", SPAN, { TYPE(4), NUMBER(1) }, FR_LEVEL_LINEAR, 2, 1, false },
	{ "span", SPAN, { NUMBER(1) }, FR_LEVEL_LINEAR, 2, 1, false },
	{ "JBOD of one", SPAN, { DRIVES(1), ARRAY(2952) }, FR_LEVEL_LINEAR, 1, 0, false },
	{ "JBOD of one among others", SPAN, { NUMBER(1), ARRAY(2000) }, FR_LEVEL_LINEAR, 1, 0, false },
};

static void place(void **state)
{
	const struct place_row *row = *state;
	uint8_t sector[FR_SECTOR_SIZE];
	const struct fr_claim *c;
	struct probe p;

	base_record(sector, row->base, 0);
	edit(sector, row->edits);
	probe_record(&p, sector);
	assert_int_equal(p.claims.count, 1);
	c = p.claims.list[0];
	assert_null(c->fault);
	assert_null(c->unsupported);
	assert_int_equal(c->level, row->level);
	assert_int_equal(c->width, row->width);
	assert_int_equal(c->index, row->index);
	assert_int_equal(c->doubt != NULL, row->doubt);
	assert_int_equal(c->offset, 0);
	assert_true(c->room <= SECTORS - KEPT);
	probe_free(&p);
}

static void spare_is_of_no_set(void **state)
{
	static const struct edit spare[EDITS] = { TYPE(3), MIRROR_SET(0xff), GENERATION(1) };
	uint8_t sector[FR_SECTOR_SIZE];
	struct probe p;

	(void)state;
	base_record(sector, MIRROR, 0);
	edit(sector, spare);
	probe_record(&p, sector);
	fr_sets_make(&p.pool, &p.claims, NULL, &p.scan);
	assert_int_equal(p.scan.nsets, 0);
	assert_int_equal(p.disk.looks[0].verdict, FR_VERDICT_VALID);
	probe_free(&p);
}

/* ---- sizes ---- */

/* A set of disks of these sizes, all right but for the array's size and what is edited. */
static const struct size_row {
	const char *name;
	enum base base;
	struct edit edits[EDITS];
	uint64_t sizes[4];
	uint64_t sectors;
	uint64_t members[4];
} size_rows[] = {
	{ "stripe", STRIPE, { ARRAY(5888) }, { 5000, 5000 }, 5888, { 2944, 2944 } },
	{ "stripe that uses less", STRIPE, { ARRAY(4096), STRIDE(128) }, { 5000, 5000 }, 4096, { 2048, 2048 } },
	{ "stripe cut to whole rows", STRIPE, { ARRAY(5887) }, { 5000, 5000 }, 5824, { 2912, 2912 } },
	{ "mirror is not rounded", MIRROR, { ARRAY(2951), STRIDE(128) }, { 5000, 5001 }, 2951, { 2951, 2951 } },
	{ "RAID10 is as large as its columns", RAID10, { ARRAY(5888) }, { 5000, 5000, 5000, 5000 }, 5888,
	  { 2944, 2944, 2944, 2944 } },
	{ "RAID10 that uses less", RAID10, { ARRAY(129) }, { 5000, 5000, 5000, 5000 }, 128, { 64, 64, 64, 64 } },
	{ "RAID5", RAID5, { ARRAY(5888) }, { 5000, 5000, 5000 }, 5888, { 2944, 2944, 2944 } },
	{ "span by 2048", SPAN, { ARRAY(2952 + 3252) }, { 5000, 5300 }, 6204, { 2952, 3252 } },
	{ "span by 1538 and 1537", SPAN, { ARRAY(3462 + 3764) }, { 5000, 5301 }, 7226, { 3462, 3764 } },
	{ "span of type 4", SPAN, { TYPE(4), ARRAY(6204) }, { 5000, 5300 }, 6204, { 2952, 3252 } },
};

static void sizes(void **state)
{
	const struct size_row *row = *state;
	unsigned width = bases[row->base].width;
	struct image images[4] = { { 0 } };
	struct fr_scan *scan;
	const struct fr_set *set;

	for (unsigned i = 0; i < width; i++) {
		uint8_t sector[FR_SECTOR_SIZE];

		base_record(sector, row->base, i);
		edit(sector, row->edits);
		disk_with(&images[i], row->sizes[i], sector);
	}
	scan = scan_images(images, width);
	assert_int_equal(scan->nsets, 1);
	set = scan->sets[0];
	assert_int_equal(set->state, FR_SET_OK);
	assert_int_equal(set->sectors, row->sectors);
	for (unsigned i = 0; i < width; i++)
		assert_int_equal(set->members[i].sectors, row->members[i]);
	fr_scan_free(scan);
	images_free(images, width);
}

static void span_of_no_rule(void **state)
{
	static const struct edit size[EDITS] = { ARRAY(6000) };
	struct image images[2] = { { 0 } };
	struct fr_scan *scan;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		uint8_t sector[FR_SECTOR_SIZE];

		base_record(sector, SPAN, i);
		edit(sector, size);
		disk_with(&images[i], SECTORS, sector);
	}
	scan = scan_images(images, 2);
	assert_int_equal(scan->sets[0]->state, FR_SET_BROKEN);
	assert_contains(all_reasons(scan->sets[0]), "5904"); /* the sums are shown: by 2048, by 1538 */
	assert_contains(all_reasons(scan->sets[0]), "6924");
	fr_scan_free(scan);
	images_free(images, 2);
}

/* ---- what is going on ---- */

static const struct state_row {
	const char *name;
	enum base base;
	struct edit every[EDITS], disk_1[EDITS];
	enum fr_set_state state;
	enum fr_use use;
	enum fr_member_state members[2];
	bool in_sync;
} state_rows[] = {
	{ "clean", MIRROR, { { 0 } }, { { 0 } }, FR_SET_OK, FR_USE_READ_WRITE, { 0 }, true },
	{ "not cleanly closed", MIRROR, { SET_STATUS(1) }, { { 0 } }, FR_SET_DIRTY, FR_USE_READ_WRITE, { 0 }, false },
	{ "one half not cleanly closed", MIRROR, { { 0 } }, { SET_STATUS(1) }, FR_SET_DIRTY, FR_USE_READ_WRITE, { 0 },
	  false },
	{ "rebuilding disk 1", MIRROR, { { 0 } }, { DISK_STATUS(2) }, FR_SET_REBUILDING, FR_USE_READ_ONLY_FIRST,
	  { FR_MEMBER_OK, FR_MEMBER_REBUILDING }, true },
	{ "disk 1 dropped", MIRROR, { { 0 } }, { DISK_STATUS(3) }, FR_SET_DEGRADED, FR_USE_READ_ONLY_FIRST,
	  { FR_MEMBER_OK, FR_MEMBER_FAILED }, true },
	{ "disk 1 removed", MIRROR, { { 0 } }, { DISK_STATUS(4) }, FR_SET_DEGRADED, FR_USE_READ_ONLY_FIRST,
	  { FR_MEMBER_OK, FR_MEMBER_FAILED }, true },
	{ "disk 1 one behind", MIRROR, { { 0 } }, { GENERATION(4) }, FR_SET_DEGRADED, FR_USE_READ_ONLY_FIRST,
	  { FR_MEMBER_OK, FR_MEMBER_STALE }, true },
	{ "disk 0 one behind", MIRROR, { { 0 } }, { GENERATION(6) }, FR_SET_DEGRADED, FR_USE_READ_ONLY_FIRST,
	  { FR_MEMBER_STALE, FR_MEMBER_OK }, true },
	{ "disk 1 behind across the wrap", MIRROR, { GENERATION(1) }, { GENERATION(UINT32_MAX) }, FR_SET_DEGRADED,
	  FR_USE_READ_ONLY_FIRST, { FR_MEMBER_OK, FR_MEMBER_STALE }, true },
	{ "stripe with a member behind", STRIPE, { { 0 } }, { GENERATION(4) }, FR_SET_BROKEN, FR_USE_NEVER,
	  { FR_MEMBER_OK, FR_MEMBER_STALE }, true },
	{ "stripe with a member removed", STRIPE, { { 0 } }, { DISK_STATUS(4) }, FR_SET_BROKEN, FR_USE_NEVER,
	  { FR_MEMBER_OK, FR_MEMBER_FAILED }, true },
	{ "RAID10 with a member behind", RAID10, { { 0 } }, { GENERATION(4) }, FR_SET_DEGRADED, FR_USE_READ_ONLY_FIRST,
	  { FR_MEMBER_OK, FR_MEMBER_STALE }, true },
	{ "RAID5", RAID5, { { 0 } }, { { 0 } }, FR_SET_OK, FR_USE_ON_REQUEST, { 0 }, true },
	{ "disk status nobody knows", MIRROR, { { 0 } }, { DISK_STATUS(9) }, FR_SET_OK, FR_USE_READ_ONLY, { 0 }, true },
	{ "one generation, two sizes", MIRROR, { { 0 } }, { ARRAY(512) }, FR_SET_BROKEN, FR_USE_NEVER, { 0 }, true },
};

static void condition(void **state)
{
	const struct state_row *row = *state;
	unsigned width = bases[row->base].width;
	struct image images[4] = { { 0 } };
	struct fr_scan *scan;
	const struct fr_set *set;

	for (unsigned i = 0; i < width; i++) {
		uint8_t sector[FR_SECTOR_SIZE];

		base_record(sector, row->base, i);
		edit(sector, row->every);
		if (i == 1)
			edit(sector, row->disk_1);
		disk_with(&images[i], SECTORS, sector);
	}
	scan = scan_images(images, width);
	assert_int_equal(scan->nsets, 1);
	set = scan->sets[0];
	assert_string_equal(fr_set_state_name(set->state), fr_set_state_name(row->state));
	assert_int_equal(set->use, row->use);
	for (unsigned i = 0; i < 2 && row->members[0] + row->members[1] != 0; i++)
		assert_int_equal(set->members[i].state, row->members[i]);
	if (row->use != FR_USE_NEVER)
		assert_int_equal(set->in_sync, row->in_sync);
	fr_scan_free(scan);
	images_free(images, width);
}

int main(void)
{
	struct test_list list = { 0 };

	ADD_TEST(&list, vectors_are_sealed_right);
	ADD_TEST(&list, real_record_of_sataraid5);
	ADD_TEST(&list, places_of_the_copies);
	ADD_TEST(&list, stripe_of_two);
	ADD_ROWS(&list, invalid_rows, invalid_field);
	ADD_ROWS(&list, unsupported_rows, unsupported_field);
	ADD_ROWS(&list, ignored_rows, ignored_field);
	ADD_TEST(&list, no_vendor);
	ADD_ROWS(&list, sum_rows, sum);
	ADD_TEST(&list, disks_that_cannot_carry_it);
	ADD_TEST(&list, election);
	ADD_TEST(&list, odd_copy_is_reported);
	ADD_TEST(&list, election_across_the_wrap);
	ADD_ROWS(&list, name_rows, name_of_time);
	ADD_TEST(&list, colliding_names);
	ADD_ROWS(&list, place_rows, place);
	ADD_TEST(&list, spare_is_of_no_set);
	ADD_ROWS(&list, size_rows, sizes);
	ADD_TEST(&list, span_of_no_rule);
	ADD_ROWS(&list, state_rows, condition);
	return run_list("sil", &list);
}
