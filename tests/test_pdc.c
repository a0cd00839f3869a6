// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The pdc format: a real record and two made ones byte by byte, each checked
 * field wrong in turn, filler, the places and the four slots, names, sizes,
 * members and states, all by the format's specification.
 */
#include <stdio.h>

#include "testing.h"

enum { RECORD = 2048, SECTORS = 20000, PLACE = SECTORS - 63, PER = 4096, MAX_RECORDS = 24 };

#define VOLUME 0x1122334455667788ull
#define DISK_ID(slot) (0x0000000971aa0001ull + ((uint64_t)(slot) << 48))

/* ---- records: lines of an offset and bytes over a background ---- */

/* Real: the one disk of a stripe, at sector N - 63 of N = 312581808. */
static const char *const vector_1[] = {
	"000 50 72 6f 6d 69 73 65 20 54 65 63 68 6e 6f 6c 6f 67 79 2c 20 49 6e 63 2e 00 00 02 00 21 05 7e 71",
	"020 09 00 00 00 21 05 7f 74 09 00 d6 d5 d4 d3 d2 d1",
	"200 80 00 00 00 07 00 00 00 21 05 7e 71 09 00 00 00 f0 ef ee ed 71 9e a1 12 ff ff ff ff 11 00 8f 00",
	"220 01 08 01 00 20 5f 9e 12 f3 4b fe 3f 21 05 7f 74 09 00 00 00 07 00 00 00 21 05 7e 71 09 00 00 00",
	"240 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00",
	"260 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00",
	"280 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 50 52 4f 4d 49 53 45 20 41 72 72 61",
	"2a0 79 20 31 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00",
	"2c0 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 2c 2b 2a 29 28 27 26 25 24 23 22 21",
	"7f0 10 0f 0e 0d 0c 0b 0a 09 08 07 06 05 c3 ab 35 e5", NULL,
};

/* Made: a mirror and a stripe on the same pair, zeros around. */
static const char *const vector_2a[] = {
	"000 50 72 6f 6d 69 73 65 20 54 65 63 68 6e 6f 6c 6f 67 79 2c 20 49 6e 63 2e 00 00 02 00 33 27 23 96",
	"020 09 00 00 00 33 27 22 96 09 00 00 00 00 00 00 00",
	"200 80 00 00 00 07 00 00 00 33 27 23 96 09 00 00 00 00 00 00 00 00 10 00 00 ff ff ff ff 11 00 8f 01",
	"220 02 07 01 00 00 10 00 00 00 00 fe 3f 33 27 22 96 09 00 00 00 07 00 00 00 33 27 23 96 09 00 00 00",
	"240 07 00 01 00 33 27 20 96 09 00 00 01 00 00 00 00",
	"290 00 00 00 00 4c 44 20 31 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20",
	"2b0 20 20 20 20 00 00 00 00", "2d0 00 00 00 00 00 00 00 03 ff ff ff ff ff ff ff ff",
	"2e0 01 01 01 04 00 00 00 00 00 00 00 00 00 01 00 00", "370 00 00 00 00 00 00 00 00 00 00 ff ff ff ff 00 00",
	"7f0 00 00 00 00 00 00 00 00 00 00 00 00 64 dc 95 94", NULL,
};

static const char *const vector_2b[] = {
	"000 50 72 6f 6d 69 73 65 20 54 65 63 68 6e 6f 6c 6f 67 79 2c 20 49 6e 63 2e 00 00 02 00 9a 6c 44 97",
	"020 09 00 00 00 9a 6c 45 97 09 00 00 00 00 00 00 00",
	"200 80 00 00 00 07 00 00 00 9a 6c 44 97 09 00 00 00 00 18 00 00 00 10 00 00 ff ff ff ff 11 00 8f 00",
	"220 02 07 02 01 00 20 00 00 00 00 fe 3f 9a 6c 45 97 09 00 00 00 07 00 00 00 9a 6c 44 97 09 00 00 00",
	"240 07 00 01 00 9a 6c 47 97 09 00 00 01 00 00 00 00",
	"290 00 00 00 00 4c 44 20 32 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20 20",
	"2b0 20 20 20 20 00 00 00 00", "2d0 00 00 00 00 00 00 00 03 ff ff ff ff ff ff ff ff",
	"2e0 01 01 01 04 00 00 00 00 00 00 00 00 00 01 00 00", "370 00 00 00 00 00 00 00 00 00 00 ff ff ff ff 00 00",
	"7f0 00 00 00 00 00 00 00 00 00 00 00 00 ce a4 68 9c", NULL,
};

/* Made: number 2 of a mirror of stripes of four disks, filler around. */
static const char *const vector_3[] = {
	"000 50 72 6f 6d 69 73 65 20 54 65 63 68 6e 6f 6c 6f 67 79 2c 20 49 6e 63 2e 00 00 02 00 5c 8b c9 82",
	"020 09 00 00 02 5c 8b ca 82 09 00 d6 d5 d4 d3 d2 d1",
	"200 80 00 00 00 07 02 00 01 5c 8b c9 82 09 00 00 02 f0 ef ee ed c1 1f 00 00 ff ff ff ff 11 00 8f 01",
	"220 04 07 02 00 00 10 00 00 00 00 fe 3f 5c 8b ca 82 09 00 00 00 07 00 00 00 5c 8b cb 82 09 00 00 00",
	"240 07 00 01 00 5c 8b c8 82 09 00 00 01 07 00 00 01 5c 8b c9 82 09 00 00 02 07 00 01 01 5c 8b ce 82",
	"260 09 00 00 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00",
	"280 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 6c 6b 6a 69 68 67 66 65 64 63 62 61",
	"7f0 10 0f 0e 0d 0c 0b 0a 09 08 07 06 05 fb 70 61 8c", NULL,
};

enum background { ZEROS, FILLER, FREEBSD_FILLER };

static void fill_background(uint8_t *record, enum background background)
{
	for (unsigned o = 0; o < RECORD; o++)
		record[o] = background == ZEROS ? 0 : (uint8_t)((background == FILLER ? 256 : 255) - o % 256);
}

static void vector(const char *const *lines, enum background background, uint8_t *record)
{
	fill_background(record, background);
	for (; *lines != NULL; lines++) {
		char *bytes;
		unsigned long offset = strtoul(*lines, &bytes, 16);

		from_hex(bytes, record + offset);
	}
}

/* The last word is the sum of the 511 before it. */
static void seal(uint8_t *record)
{
	put_number(record + 0x7fc, 4, sum_words(record, 4, 511));
}

static void edit(uint8_t *record, const struct edit *edits)
{
	apply_edits(record, edits);
	seal(record);
}

#define INTEGRITY(v) { 0x200, 4, v }
#define OWN_FLAGS(v) { 0x204, 1, v }
#define NUMBER(v) { 0x205, 1, v }
#define OWN_ID(v) { 0x208, 8, v }
#define OFFSET(v) { 0x210, 4, v }
#define MEMBER_SECTORS(v) { 0x214, 4, v }
#define GENERATION(v) { 0x21c, 2, v }
#define STATUS(v) { 0x21e, 1, v }
#define TYPE(v) { 0x21f, 1, v }
#define MEMBERS(v) { 0x220, 1, v }
#define SHIFT(v) { 0x221, 1, v }
#define WIDTH(v) { 0x222, 1, v }
#define ARRAY(v) { 0x224, 4, v }
#define VOLUME_ID(v) { 0x22c, 8, v }
#define VOLUME_48(v) { 0x024, 6, v }
#define FLAGS(i, v) { 0x234 + 12 * (i), 1, v }
#define ID(i, v) { 0x238 + 12 * (i), 8, v }
#define ACTIVITY(v) { 0x2d4, 4, v }
#define ARRAY_HIGH(v) { 0x2e8, 4, v }
#define SECTOR_SIZE(v) { 0x2ed, 1, v }
#define OFFSET_HIGH(v) { 0x372, 4, v }
#define MEMBER_HIGH(v) { 0x376, 4, v }
#define REBUILT_HIGH(v) { 0x37a, 4, v }

/* Members of PER sectors each. */
enum base { STRIPE, MIRROR, RAID01, RAID5, SPAN, JBOD };

static const struct { unsigned type, width, columns; uint64_t sectors; } bases[] = {
	[STRIPE] = { 0, 2, 2, 2 * PER }, [MIRROR] = { 1, 2, 1, PER }, [RAID01] = { 1, 4, 2, 2 * PER },
	[RAID5] = { 4, 3, 3, 2 * PER }, [SPAN] = { 8, 2, 2, 2 * PER }, [JBOD] = { 0x10, 1, 1, PER },
};

/* What both the old and the new firmware write, of the disk that is to be member `slot`. */
static void old_fields(uint8_t *record, enum base base, unsigned slot)
{
	unsigned width = bases[base].width;

	memcpy(record, "Promise Technology, Inc.", 24);
	put_number(record + 0x018, 4, 0x00020000);
	put_number(record + 0x01c, 8, DISK_ID(slot));
	put_number(record + 0x024, 6, VOLUME);
	memset(record + 0x200, 0, 0x294 - 0x200);
	record[0x200] = 0x80;
	record[0x204] = 0x07;
	record[0x205] = (uint8_t)slot;
	put_number(record + 0x208, 8, DISK_ID(slot));
	put_number(record + 0x214, 4, PER);
	put_number(record + 0x218, 4, 0xffffffff);
	put_number(record + 0x21c, 2, 17);
	record[0x21e] = 0x8f;
	record[0x21f] = (uint8_t)bases[base].type;
	record[0x220] = (uint8_t)width;
	record[0x221] = 7;
	record[0x222] = (uint8_t)bases[base].columns;
	put_number(record + 0x224, 4, bases[base].sectors);
	put_number(record + 0x22c, 8, VOLUME);
	for (unsigned i = 0; i < width; i++) {
		record[0x234 + 12 * i] = 0x07;
		put_number(record + 0x238 + 12 * i, 8, DISK_ID(i));
	}
}

static void base_record(uint8_t *record, enum base base, unsigned slot)
{
	fill_background(record, ZEROS);
	old_fields(record, base, slot);
	memcpy(record + 0x294, "LD 1", 4);
	put_number(record + 0x2d4, 4, 0x03000000);
	put_number(record + 0x2d8, 8, UINT64_MAX);
	put_number(record + 0x2e0, 4, 0x04010101);
	record[0x2ed] = 1;
	put_number(record + 0x37a, 4, 0xffffffff);
	seal(record);
}

/* Of a firmware that fills the record first and knows neither the offset nor what lies behind the members. */
static void old_record(uint8_t *record, enum base base, enum background background)
{
	uint8_t filler[RECORD];

	fill_background(filler, background);
	memcpy(record, filler, RECORD);
	old_fields(record, base, 0);
	memcpy(record + 0x210, filler + 0x210, 4);
	if (background == FREEBSD_FILLER)
		memcpy(record, "FreeBSD ATA driver RAID ", 24);
	seal(record);
}

/* ---- disks ---- */

struct disk {
	uint64_t sectors;
	size_t count;
	struct { uint64_t lba; uint8_t record[RECORD]; } at[MAX_RECORDS];
};

static uint8_t *add_record(struct disk *d, uint64_t lba)
{
	assert_true(d->count < MAX_RECORDS);
	d->at[d->count].lba = lba;
	return d->at[d->count++].record;
}

static bool fill_disk(void *data, uint64_t lba, uint32_t sectors, uint8_t *buf)
{
	const struct disk *d = data;

	for (uint64_t s = 0; s < sectors; s++) {
		memset(buf + s * FR_SECTOR_SIZE, 0, FR_SECTOR_SIZE);
		for (size_t i = 0; i < d->count; i++) {
			uint64_t part = lba + s - d->at[i].lba; /* before it: wrapped, and large */

			if (part < 4)
				memcpy(buf + s * FR_SECTOR_SIZE, d->at[i].record + part * FR_SECTOR_SIZE,
				       FR_SECTOR_SIZE);
		}
	}
	return true;
}

static bool fill_nothing(void *data, uint64_t lba, uint32_t sectors, uint8_t *buf)
{
	(void)data;
	(void)lba;
	(void)sectors;
	(void)buf;
	return false;
}

static void probe_disk(struct probe *p, const struct disk *d)
{
	probe_format(p, format_named("pdc"), d->sectors, FR_SECTOR_SIZE, fill_disk, (void *)d);
}

/* A disk of `sectors` with one record. */
static void probe_record(struct probe *p, uint64_t sectors, uint64_t lba, const uint8_t *record)
{
	static struct disk d;

	d.sectors = sectors;
	d.count = 0;
	memcpy(add_record(&d, lba), record, RECORD);
	probe_disk(p, &d);
}

static const struct fr_look *look_at(const struct probe *p, uint64_t lba)
{
	const struct fr_look *look = find_look(&p->disk, "pdc", lba);

	assert_non_null(look);
	assert_int_equal(look->sectors, 4);
	return look;
}

static const struct fr_claim *only_claim(const struct probe *p)
{
	assert_int_equal(p->claims.count, 1);
	return p->claims.list[0];
}

/* The claim is to be used as it is. */
static void assert_good(const struct fr_claim *c)
{
	assert_null(c->fault);
	assert_null(c->unsupported);
	assert_null(c->doubt);
	assert_null(c->caution);
	assert_int_equal(c->nremarks, 0);
	assert_int_equal(c->role, FR_ROLE_MEMBER);
}

/* ---- the records as they are ---- */

static void vectors_are_sealed_right(void **state)
{
	static const struct { const char *const *lines; enum background background; uint32_t sum; } all[] = {
		{ vector_1, FILLER, 0xe535abc3 }, { vector_2a, ZEROS, 0x9495dc64 }, { vector_2b, ZEROS, 0x9c68a4ce },
		{ vector_3, FILLER, 0x8c6170fb },
	};

	(void)state;
	for (size_t i = 0; i < FR_COUNT(all); i++) {
		uint8_t record[RECORD], sealed[RECORD];

		vector(all[i].lines, all[i].background, record);
		memcpy(sealed, record, RECORD);
		seal(sealed);
		assert_memory_equal(sealed, record, RECORD);
		assert_int_equal(sum_words(record + 0x7fc, 4, 1), all[i].sum);
	}
}

static void assert_key(const uint8_t *key, uint64_t id)
{
	uint8_t wanted[FR_MAX_KEY] = { 0 };

	put_number(wanted, 8, id);
	assert_memory_equal(key, wanted, FR_MAX_KEY);
}

/* A roster of healthy members with these ids, in the order of the slots. */
static void assert_roster(const struct fr_claim *c, const uint64_t *ids, unsigned count)
{
	assert_non_null(c->roster);
	assert_non_null(c->seats);
	assert_int_equal(c->width, count);
	assert_int_equal(c->roster->nentries, count);
	assert_false(c->roster->by_order);
	assert_false(c->roster->newest_decides);
	for (unsigned i = 0; i < count; i++) {
		assert_key(c->roster->entries[i].key, ids[i]);
		assert_null(c->roster->entries[i].serial);
		assert_false(c->roster->entries[i].gone);
		assert_false(c->roster->entries[i].spare);
		assert_int_equal(c->seats[i].entry, i);
		assert_int_equal(c->seats[i].state, FR_MEMBER_OK);
		assert_null(c->seats[i].reason);
	}
}

static void real_record(void **state)
{
	static const uint8_t id[] = { 0x00, 0x00, 0x00, 0x09, 0x74, 0x7f, 0x05, 0x21 };
	static const uint64_t disk = 0x00000009717e0521;
	const uint64_t sectors = 312581808;
	uint8_t record[RECORD];
	const struct fr_claim *c;
	struct probe p;

	(void)state;
	vector(vector_1, FILLER, record);
	probe_record(&p, sectors, sectors - 63, record);
	c = only_claim(&p);
	assert_good(c);
	assert_int_equal(c->lba, sectors - 63);
	assert_int_equal(c->sectors, 4);
	assert_int_equal(c->id_length, 8);
	assert_memory_equal(c->id, id, 8);
	assert_string_equal(c->id_text, "00000009747f0521");
	assert_string_equal(c->name, "pdc_bjfeeibeeb");
	assert_string_equal(c->name_suffix, "-00000009");
	assert_roster(c, &disk, 1);
	assert_true(c->has_key);
	assert_key(c->key, disk);
	assert_true(c->has_generation);
	assert_int_equal(c->generation, 17);
	assert_int_equal(c->generation_bits, 16);
	assert_int_equal(c->level, FR_LEVEL_RAID0);
	assert_int_equal(c->chunk, 256);
	assert_int_equal(c->set_sectors, 312368928);
	assert_int_equal(c->member_sectors, 312368928);
	assert_int_equal(c->offset, 0);
	assert_true(c->room >= 312368928 && c->room <= sectors - 63);
	assert_int_equal(c->activity, FR_ACTIVITY_NONE);
	assert_false(c->failure_known);
	assert_int_equal(look_at(&p, sectors - 63)->verdict, FR_VERDICT_VALID);
	probe_free(&p);
}

/* Cut down to 3608 sectors, as an image of it is kept: recognised, and never mapped. */
static void real_record_on_a_stump(void **state)
{
	uint8_t record[RECORD];
	struct probe p;

	(void)state;
	vector(vector_1, FILLER, record);
	probe_record(&p, 3608, 3608 - 63, record);
	assert_string_equal(only_claim(&p)->name, "pdc_bjfeeibeeb");
	assert_contains(only_claim(&p)->fault, "312368928");
	assert_int_equal(look_at(&p, 3608 - 63)->verdict, FR_VERDICT_INVALID);
	probe_free(&p);
}

static void two_arrays_of_a_pair(void **state)
{
	static const uint64_t mirror[] = { 0x0000000996232733, 0x0100000996202733 };
	static const uint64_t stripe[] = { 0x0000000997446c9a, 0x0100000997476c9a };
	static struct disk d = { .sectors = 16384 };
	const struct fr_claim *c;
	struct probe p;

	(void)state;
	vector(vector_2a, ZEROS, add_record(&d, 16384 - 63));
	vector(vector_2b, ZEROS, add_record(&d, 16384 - 49));
	probe_disk(&p, &d);
	assert_int_equal(p.claims.count, 2);
	c = p.claims.list[0];
	assert_good(c);
	assert_string_equal(c->name, "pdc_cfbiicagfj");
	assert_int_equal(c->lba, 16384 - 63);
	assert_int_equal(c->level, FR_LEVEL_RAID1);
	assert_int_equal(c->chunk, 0);
	assert_int_equal(c->set_sectors, 4096);
	assert_int_equal(c->offset, 0);
	assert_roster(c, mirror, 2);
	assert_key(c->key, mirror[0]);
	c = p.claims.list[1];
	assert_good(c);
	assert_string_equal(c->name, "pdc_cfdhjajeac");
	assert_int_equal(c->lba, 16384 - 49);
	assert_int_equal(c->level, FR_LEVEL_RAID0);
	assert_int_equal(c->chunk, 128);
	assert_int_equal(c->set_sectors, 8192);
	assert_int_equal(c->member_sectors, 4096);
	assert_int_equal(c->offset, 6144);
	assert_roster(c, stripe, 2);
	assert_key(c->key, stripe[0]);
	probe_free(&p);
}

static void mirror_of_stripes(void **state)
{
	static const uint64_t ids[] = {
		0x0000000982cb8b5c, 0x0100000982c88b5c, 0x0200000982c98b5c, 0x0300000982ce8b5c,
	};
	uint8_t record[RECORD];
	const struct fr_claim *c;
	struct probe p;

	(void)state;
	vector(vector_3, FILLER, record);
	probe_record(&p, 8192, 8192 - 63, record);
	c = only_claim(&p);
	assert_good(c);
	assert_string_equal(c->name, "pdc_cbjedbcaci");
	assert_string_equal(c->id_text, "0000000982ca8b5c");
	assert_int_equal(c->level, FR_LEVEL_RAID01);
	assert_int_equal(c->chunk, 128);
	assert_int_equal(c->set_sectors, 4096);
	assert_int_equal(c->member_sectors, 2048);
	assert_int_equal(c->offset, 0);
	assert_roster(c, ids, 4);
	assert_key(c->key, ids[2]);
	probe_free(&p);
}

/* ---- one field wrong, the sum made right again ---- */

static const struct field_row {
	const char *name;
	enum base base;
	struct edit edits[EDITS];
	const char *about;      /* in the reason */
} invalid_rows[] = {
	{ "integrity 0", MIRROR, { INTEGRITY(0) }, "integrity" },
	{ "integrity without bit 7", STRIPE, { INTEGRITY(0xffffff7f) }, "integrity" },
	{ "no volume id", MIRROR, { VOLUME_ID(0), VOLUME_48(0) }, "volume id" },
	{ "members 0", STRIPE, { MEMBERS(0), WIDTH(0) }, "0 members" },
	{ "members 9", STRIPE, { MEMBERS(9), WIDTH(9) }, "9 members" },
	{ "members 255", MIRROR, { MEMBERS(255), WIDTH(1) }, "255 members" },
	{ "width 0", STRIPE, { WIDTH(0) }, "width" },
	{ "width 0 of a mirror", MIRROR, { WIDTH(0) }, "width" },
	{ "width 1 of a stripe of 2", STRIPE, { WIDTH(1) }, "width" },
	{ "width 3 of a stripe of 2", STRIPE, { WIDTH(3) }, "width" },
	{ "width 2 of a mirror of 2", MIRROR, { WIDTH(2) }, "width" },
	{ "width 3 of a mirror of 4", RAID01, { WIDTH(3) }, "width" },
	{ "width 4 of a mirror of 4", RAID01, { WIDTH(4) }, "width" },
	{ "width 2 of a mirror of 3", RAID01, { MEMBERS(3) }, "width" },
	{ "width 2 of a mirror of 5", RAID01, { MEMBERS(5) }, "width" },
	{ "width 2 of a RAID5 of 3", RAID5, { WIDTH(2) }, "width" },
	{ "RAID5 of 2", RAID5, { MEMBERS(2), WIDTH(2), ARRAY(PER) }, "width" },
	{ "width 1 of a span of 2", SPAN, { WIDTH(1) }, "width" },
	{ "single disk of 2", STRIPE, { TYPE(0x10) }, "width" },
	{ "chunk shift 16", STRIPE, { SHIFT(16) }, "shift" },
	{ "chunk shift 32", RAID5, { SHIFT(32) }, "shift" },
	{ "chunk shift 255", RAID01, { SHIFT(255) }, "shift" },
	{ "two members with one id", STRIPE, { ID(0, DISK_ID(1)) }, "id" },
	{ "two members without an id", RAID01, { ID(2, 0), ID(3, 0) }, "id" },
	{ "array of 0 sectors", STRIPE, { ARRAY(0) }, "array sectors" },
	{ "mirror of 0 sectors", MIRROR, { ARRAY(0) }, "array sectors" },
	{ "array one sector larger than its members", STRIPE, { ARRAY(2 * PER + 1) }, "array sectors" },
	{ "mirror one sector larger than its members", MIRROR, { ARRAY(PER + 1) }, "array sectors" },
	{ "mirror of stripes larger than its columns", RAID01, { ARRAY(2 * PER + 1) }, "array sectors" },
	{ "RAID5 larger than its columns", RAID5, { ARRAY(2 * PER + 1) }, "array sectors" },
	{ "array of 2^32 - 1 sectors", STRIPE, { ARRAY(0xffffffff) }, "array sectors" },
	{ "array whose upper half is 255", STRIPE, { ARRAY_HIGH(255) }, "array sectors" },
	{ "array of 2^40 - 1 sectors on members of as many", MIRROR,
	  { ARRAY(0xffffffff), ARRAY_HIGH(255), MEMBER_SECTORS(0xffffffff), MEMBER_HIGH(255) }, "capacity" },
	{ "members of 0 sectors", STRIPE, { MEMBER_SECTORS(0) }, "array sectors" },
	{ "offset at the record", MIRROR, { OFFSET(PLACE) }, "begin" },
	{ "offset past the disk", MIRROR, { OFFSET(SECTORS) }, "begin" },
	{ "offset that wraps 32 bits", STRIPE, { OFFSET(0xfffffff5) }, "begin" },
	{ "offset whose upper half is 1", STRIPE, { OFFSET_HIGH(1) }, "begin" },
	{ "offset that wraps 64 bits", STRIPE, { OFFSET(0xfffffff5), OFFSET_HIGH(0xffffffff) }, "begin" },
	{ "data one sector into the record", MIRROR, { OFFSET(PLACE - PER + 1) }, "capacity" },
	{ "stripe one sector into the record", STRIPE, { OFFSET(PLACE - PER + 1) }, "capacity" },
	{ "span of 0 sectors", SPAN, { MEMBER_SECTORS(0) }, "span" },
	{ "span one sector into the record", SPAN, { MEMBER_SECTORS(PLACE + 1) }, "span" },
	{ "span whose part wraps", SPAN, { OFFSET(16), MEMBER_SECTORS(0xfffffff0), MEMBER_HIGH(0xffffffff) }, "span" },
	{ "sectors of 1024 bytes", STRIPE, { SECTOR_SIZE(2) }, "sector size" },
	{ "sectors of 4096 bytes", MIRROR, { SECTOR_SIZE(8) }, "sector size" },
	{ "number past the end, and no ids", MIRROR, { NUMBER(2), ID(0, 0), ID(1, 0) }, "number" },
};

static void invalid_field(void **state)
{
	const struct field_row *row = *state;
	uint8_t record[RECORD];
	struct probe p;

	base_record(record, row->base, 0);
	edit(record, row->edits);
	probe_record(&p, SECTORS, PLACE, record);
	assert_contains(only_claim(&p)->fault, row->about);
	assert_int_equal(look_at(&p, PLACE)->verdict, FR_VERDICT_INVALID);
	assert_contains(look_at(&p, PLACE)->reason, row->about);
	probe_free(&p);
}

/* A right record of what nobody can map: it is listed, and left alone. */
static const struct field_row unsupported_rows[] = {
	{ "RAID3", STRIPE, { TYPE(2) }, "RAID3" }, { "RAID3 of width 1", RAID5, { TYPE(2), WIDTH(1) }, "RAID3" },
	{ "type 3", STRIPE, { TYPE(3) }, "0x03" }, { "type 5", MIRROR, { TYPE(5) }, "0x05" },
	{ "type 0x33", STRIPE, { TYPE(0x33), SHIFT(255) }, "0x33" }, { "type 0xff", SPAN, { TYPE(0xff) }, "0xff" },
};

static void unsupported_field(void **state)
{
	const struct field_row *row = *state;
	uint8_t record[RECORD];
	const struct fr_claim *c;
	struct probe p;

	base_record(record, row->base, 0);
	edit(record, row->edits);
	probe_record(&p, SECTORS, PLACE, record);
	c = only_claim(&p);
	assert_null(c->fault);
	assert_contains(c->unsupported, row->about);
	assert_int_equal(c->level, FR_LEVEL_UNKNOWN);
	assert_int_equal(c->width, bases[row->base].width);
	assert_int_equal(c->set_sectors, bases[row->base].sectors);
	assert_string_equal(c->name, "pdc_bedchhigdc");
	assert_non_null(c->roster);
	assert_true(c->has_generation);
	assert_int_equal(look_at(&p, PLACE)->verdict, FR_VERDICT_VALID);
	probe_free(&p);
}

/* What means nothing, or what may be so, changes nothing. */
static const struct field_row ignored_rows[] = {
	{ "fixed word", STRIPE, { { 0x018, 4, 0xffffffff } }, NULL },
	{ "disk id at the beginning", STRIPE, { { 0x01c, 8, 0 } }, NULL },
	{ "volume id at the beginning", STRIPE, { VOLUME_48(0) }, NULL },
	{ "integrity with filler", STRIPE, { INTEGRITY(0xfdfeffc0) }, NULL },
	{ "own flags of a failed disk", STRIPE, { OWN_FLAGS(0x67) }, NULL },
	{ "channel and device", STRIPE, { { 0x206, 2, 0xffff }, { 0x236, 2, 0xffff } }, NULL },
	{ "rebuild position", STRIPE, { { 0x218, 4, 5 }, REBUILT_HIGH(0), { 0x2d8, 8, 10 } }, NULL },
	{ "array number", STRIPE, { { 0x223, 1, 0xff } }, NULL },
	{ "geometry", STRIPE, { { 0x228, 4, 0xffffffff } }, NULL },
	{ "status without \"functional\"", STRIPE, { STATUS(0x0f) }, NULL },
	{ "status 0", STRIPE, { STATUS(0) }, NULL },
	{ "unused members", STRIPE, { FLAGS(2, 0xff), ID(2, DISK_ID(0)), ID(3, DISK_ID(0)) }, NULL },
	{ "ready and duplicate members", STRIPE, { FLAGS(0, 0x97), FLAGS(1, 0x97) }, NULL },
	{ "label", STRIPE, { { 0x294, 8, 0x2f5c0a1b00ff2522 }, { 0x29c, 8, UINT64_MAX } }, NULL },
	{ "unknown words", STRIPE, { { 0x2e0, 8, UINT64_MAX }, { 0x2ec, 1, 0xff }, { 0x36c, 6, UINT64_MAX } }, NULL },
	{ "unknown activity", STRIPE, { ACTIVITY(0xffffffff) }, NULL },
	{ "sector size 0", STRIPE, { SECTOR_SIZE(0) }, NULL }, { "sector size 9", STRIPE, { SECTOR_SIZE(9) }, NULL },
	{ "upper half of 256", STRIPE, { ARRAY_HIGH(256) }, NULL },
	{ "upper half of 2^32 - 1", STRIPE, { ARRAY_HIGH(0xffffffff) }, NULL },
	{ "bytes before the sum", STRIPE, { { 0x7f0, 8, UINT64_MAX } }, NULL },
};

static void ignored_field(void **state)
{
	const struct field_row *row = *state;
	static const uint64_t ids[] = { DISK_ID(0), DISK_ID(1) };
	uint8_t record[RECORD];
	const struct fr_claim *c;
	struct probe p;

	base_record(record, row->base, 0);
	edit(record, row->edits);
	probe_record(&p, SECTORS, PLACE, record);
	c = only_claim(&p);
	assert_good(c);
	assert_string_equal(c->id_text, "1122334455667788");
	assert_int_equal(c->level, FR_LEVEL_RAID0);
	assert_int_equal(c->chunk, 128);
	assert_int_equal(c->set_sectors, 2 * PER);
	assert_int_equal(c->member_sectors, PER);
	assert_int_equal(c->offset, 0);
	assert_int_equal(c->activity, FR_ACTIVITY_NONE);
	assert_false(c->failure_known);
	assert_roster(c, ids, 2);
	probe_free(&p);
}

/* Any byte that is not what it was: no signature, or a wrong sum. Nothing else is read of such a record. */
static void damaged_byte(void **state)
{
	uint8_t record[RECORD];

	(void)state;
	base_record(record, MIRROR, 0);
	for (size_t i = 0; i < RECORD; i++) {
		struct probe p;

		record[i] ^= 0x40;
		probe_record(&p, SECTORS, PLACE, record);
		record[i] ^= 0x40;
		if (i < 24) {
			assert_int_equal(p.claims.count, 0);
			assert_int_equal(look_at(&p, PLACE)->verdict, FR_VERDICT_NONE);
			assert_non_null(look_at(&p, PLACE)->reason);
		} else {
			assert_contains(only_claim(&p)->fault, "checksum");
			assert_int_equal(only_claim(&p)->id_length, 8); /* where it would belong */
			assert_int_equal(look_at(&p, PLACE)->verdict, FR_VERDICT_INVALID);
		}
		probe_free(&p);
	}
}

static void both_signatures(void **state)
{
	uint8_t record[RECORD];
	struct probe p;

	(void)state;
	base_record(record, MIRROR, 0);
	memcpy(record, "FreeBSD ATA driver RAID ", 24);
	seal(record);
	probe_record(&p, SECTORS, PLACE, record);
	assert_good(only_claim(&p));
	assert_string_equal(only_claim(&p)->name, "pdc_bedchhigdc");
	probe_free(&p);
	record[23] = '\0'; /* the last blank counts */
	seal(record);
	probe_record(&p, SECTORS, PLACE, record);
	assert_int_equal(p.claims.count, 0);
	probe_free(&p);
}

static void disks_that_cannot_carry_it(void **state)
{
	static struct disk d = { .sectors = SECTORS };
	uint8_t record[RECORD];
	struct probe p;

	(void)state;
	base_record(record, MIRROR, 0);
	for (uint64_t sectors = 0; sectors < 4; sectors++) {
		probe_format(&p, format_named("pdc"), sectors, FR_SECTOR_SIZE, fill_disk, &d);
		assert_int_equal(p.nwindows, 0);
		assert_int_equal(p.claims.count, 0);
		probe_free(&p);
	}
	for (uint64_t sectors = 63; sectors < 63 + PER; sectors += 64) { /* it fits, its data do not */
		probe_record(&p, sectors, sectors - 63, record);
		assert_non_null(only_claim(&p)->fault);
		probe_free(&p);
	}
	probe_format(&p, format_named("pdc"), SECTORS, FR_SECTOR_SIZE, fill_nothing, NULL);
	assert_int_equal(p.claims.count, 0);
	probe_free(&p);
	memcpy(add_record(&d, PLACE), record, RECORD);
	probe_format(&p, format_named("pdc"), SECTORS, 4096, fill_disk, &d);
	assert_contains(only_claim(&p)->fault, "4096");
	probe_free(&p);
}

/* ---- filler: what old firmware does not know is not there ---- */

static const struct filler_row {
	const char *name;
	enum background background;
} filler_rows[] = { { "of Promise", FILLER }, { "of FreeBSD", FREEBSD_FILLER } };

static void filler(void **state)
{
	const struct filler_row *row = *state;
	const struct fr_claim *c;
	uint8_t record[RECORD];
	struct probe p;

	old_record(record, STRIPE, row->background);
	probe_record(&p, SECTORS, PLACE, record);
	c = only_claim(&p);
	assert_good(c);
	assert_int_equal(c->offset, 0);
	assert_int_equal(c->set_sectors, 2 * PER);
	assert_int_equal(c->member_sectors, PER);
	assert_int_equal(c->activity, FR_ACTIVITY_NONE);
	probe_free(&p);
}

/* The volume id is filler: the lower 48 bits at the beginning count, if those are there. */
static void filler_in_ids(void **state)
{
	const struct filler_row *row = *state;
	uint8_t record[RECORD], filled[RECORD];
	struct probe p;

	fill_background(filled, row->background);
	base_record(record, STRIPE, 0);
	memcpy(record + 0x22c, filled + 0x22c, 8);
	seal(record);
	probe_record(&p, SECTORS, PLACE, record);
	assert_good(only_claim(&p));
	assert_string_equal(only_claim(&p)->id_text, "0000334455667788");
	assert_string_equal(only_claim(&p)->name, "pdc_bedchhigdc");
	assert_string_equal(only_claim(&p)->name_suffix, "-00003344");
	probe_free(&p);
	memcpy(record + 0x024, filled + 0x024, 6);
	seal(record);
	probe_record(&p, SECTORS, PLACE, record);
	assert_contains(only_claim(&p)->fault, "volume id");
	assert_int_equal(only_claim(&p)->id_length, 0);
	probe_free(&p);
	base_record(record, STRIPE, 0);
	memset(record + 0x22c, 0, 8);
	memcpy(record + 0x024, filled + 0x024, 4); /* filler by chance, the rest is not */
	seal(record);
	probe_record(&p, SECTORS, PLACE, record);
	assert_string_equal(only_claim(&p)->id_text,
			    row->background == FILLER ? "00003344d9dadbdc" : "00003344d8d9dadb");
	probe_free(&p);
}

/* Without a member size the array may have all that lies before the record. */
static void filler_in_member_sectors(void **state)
{
	const struct filler_row *row = *state;
	static const struct edit large[EDITS] = { ARRAY(2 * (PLACE - PLACE % 128)) };
	uint8_t record[RECORD], filled[RECORD];
	struct probe p;

	fill_background(filled, row->background);
	base_record(record, STRIPE, 0);
	memcpy(record + 0x214, filled + 0x214, 4);
	edit(record, large);
	probe_record(&p, SECTORS, PLACE, record);
	assert_good(only_claim(&p));
	assert_int_equal(only_claim(&p)->room, PLACE);
	probe_free(&p);
	base_record(record, SPAN, 0);
	memcpy(record + 0x214, filled + 0x214, 4);
	seal(record);
	probe_record(&p, SECTORS, PLACE, record);
	assert_good(only_claim(&p));
	assert_int_equal(only_claim(&p)->shares[0], PLACE);
	probe_free(&p);
}

/* The newer part is absent if all three high halves hold filler; if one does not, all are there. */
static void filler_in_high_halves(void **state)
{
	const struct filler_row *row = *state;
	uint8_t record[RECORD], filled[RECORD];
	struct probe p;

	fill_background(filled, row->background);
	base_record(record, STRIPE, 0);
	memcpy(record + 0x372, filled + 0x372, 12);
	put_number(record + 0x2e8, 4, 1); /* and then this one does not count either */
	seal(record);
	probe_record(&p, SECTORS, PLACE, record);
	assert_good(only_claim(&p));
	assert_int_equal(only_claim(&p)->set_sectors, 2 * PER);
	probe_free(&p);
	put_number(record + 0x37a, 4, 0xffffffff);
	seal(record);
	probe_record(&p, SECTORS, PLACE, record);
	assert_non_null(only_claim(&p)->fault);
	probe_free(&p);
}

/* ---- places ---- */

/* By section 2, in its order; 0: not on this disk. */
static size_t wanted_places(uint64_t n, uint64_t *places)
{
	static const uint64_t from_end[] = { 63, 255, 256, 16, 399, 591, 675, 735, 911, 951, 974, 991, 3087 };
	static const uint64_t heads[] = { 16, 255, 240, 128, 64, 32, 15 };
	uint64_t all[21];
	size_t count = 0;

	for (size_t i = 0; i < 13; i++)
		all[i] = n - from_end[i];
	all[13] = n > 268435455 ? 268435377 : UINT64_MAX;
	for (size_t i = 0; i < 7; i++)
		all[14 + i] = n / (heads[i] * 63) * (heads[i] * 63) - 63;
	for (size_t i = 0; i < 21; i++) {
		bool known = all[i] >= n || n - all[i] < 4; /* below 0 it has wrapped */

		for (size_t k = 0; k < count; k++)
			known = known || places[k] == all[i];
		if (!known)
			places[count++] = all[i];
	}
	return count;
}

static void wishes_of_size(uint64_t n)
{
	struct fr_view view = { .sectors = n, .sector_size = FR_SECTOR_SIZE };
	struct fr_wish wishes[FR_MAX_WISHES];
	size_t count = format_named("pdc")->ops->where(&view, wishes), at = 0;
	uint64_t places[21];
	size_t nplaces = wanted_places(n, places);

	assert_true(count <= FR_MAX_WISHES);
	for (size_t i = 0; i < nplaces; i++) {
		for (uint64_t slot = 0; slot < (places[i] == n - 63 ? 4 : 1); slot++) {
			assert_true(at < count);
			assert_int_equal(wishes[at].lba, places[i] + 14 * slot);
			assert_int_equal(wishes[at].sectors, 4);
			assert_true(fr_range_inside(wishes[at].lba, 4, n));
			at++;
		}
	}
	assert_int_equal(at, count);
}

static void wishes(void **state)
{
	static const uint64_t sizes[] = {
		312581808, 488397168, 1953525168, 398297088, 268435455, 268435456, 268435457, 3907029168, 7814037168,
		UINT32_MAX, 1ull << 40, UINT64_MAX,
	};

	(void)state;
	for (uint64_t n = 0; n < 4000; n++)
		wishes_of_size(n);
	for (size_t i = 0; i < FR_COUNT(sizes); i++)
		wishes_of_size(sizes[i]);
}

static const struct place_row {
	const char *name;
	uint64_t sectors, lba;
} place_rows[] = {
	{ "63", SECTORS, SECTORS - 63 }, { "255", SECTORS, SECTORS - 255 }, { "256", SECTORS, SECTORS - 256 },
	{ "16", SECTORS, SECTORS - 16 }, { "399", SECTORS, SECTORS - 399 }, { "591", SECTORS, SECTORS - 591 },
	{ "675", SECTORS, SECTORS - 675 }, { "735", SECTORS, SECTORS - 735 }, { "911", SECTORS, SECTORS - 911 },
	{ "951", SECTORS, SECTORS - 951 }, { "974", SECTORS, SECTORS - 974 }, { "991", SECTORS, SECTORS - 991 },
	{ "3087", SECTORS, SECTORS - 3087 }, { "28 bits", 300000000, 268435377 },
	{ "16 heads", 100000, 99 * 1008 - 63 }, { "255 heads", 100000, 6 * 16065 - 63 },
	{ "240 heads", 100000, 6 * 15120 - 63 }, { "128 heads", 110000, 13 * 8064 - 63 },
	{ "64 heads", 110000, 27 * 4032 - 63 }, { "32 heads", 100000, 49 * 2016 - 63 },
	{ "15 heads", 100000, 105 * 945 - 63 },
};

/* A record is found at each, and the data must end before it. */
static void place(void **state)
{
	const struct place_row *row = *state;
	uint8_t record[RECORD];
	const struct fr_claim *c;
	struct probe p;

	base_record(record, MIRROR, 0);
	probe_record(&p, row->sectors, row->lba, record);
	c = only_claim(&p);
	assert_good(c);
	assert_int_equal(c->lba, row->lba);
	assert_true(c->offset + c->room <= row->lba);
	assert_int_equal(look_at(&p, row->lba)->verdict, FR_VERDICT_VALID);
	probe_free(&p);
	put_number(record + 0x210, 4, row->lba - PER + 1);
	seal(record);
	probe_record(&p, row->sectors, row->lba, record);
	assert_non_null(only_claim(&p)->fault);
	probe_free(&p);
	put_number(record + 0x210, 4, row->lba - PER);
	seal(record);
	probe_record(&p, row->sectors, row->lba, record);
	assert_good(only_claim(&p));
	assert_int_equal(only_claim(&p)->room, PER);
	probe_free(&p);
}

/* The first place in order counts, and a whole record elsewhere is said to be one that does not. */
static void other_places(void **state)
{
	static const uint64_t order[] = { /* from the end; the last three: 255, 240 and 128 heads */
		63, 255, 16, 399, 591, 675, 735, 911, 951, 974, 991, 3087, SECTORS - (1 * 16065 - 63),
		SECTORS - (1 * 15120 - 63), SECTORS - (2 * 8064 - 63),
	};

	(void)state;
	for (size_t i = 0; i + 1 < FR_COUNT(order); i++) {
		static struct disk d;
		struct probe p;

		d = (struct disk){ .sectors = SECTORS };
		for (size_t k = i; k < FR_COUNT(order); k++)
			base_record(add_record(&d, SECTORS - order[k]), MIRROR, (unsigned)k % 2);
		probe_disk(&p, &d);
		assert_good(only_claim(&p));
		assert_int_equal(only_claim(&p)->lba, SECTORS - order[i]);
		for (size_t k = i + 1; k < FR_COUNT(order); k++) {
			const struct fr_look *look = look_at(&p, SECTORS - order[k]);
			char number[24];

			snprintf(number, sizeof(number), "sector %llu", SECTORS - (unsigned long long)order[i]);
			assert_int_equal(look->verdict, FR_VERDICT_FOREIGN);
			assert_contains(look->reason, number);
		}
		probe_free(&p);
	}
}

/* A signature is enough to count: what lies behind is older still. */
static void damaged_record_counts(void **state)
{
	static struct disk d = { .sectors = SECTORS };
	struct probe p;

	(void)state;
	base_record(add_record(&d, SECTORS - 255), MIRROR, 0);
	base_record(add_record(&d, SECTORS - 399), MIRROR, 0);
	base_record(add_record(&d, SECTORS - 591), MIRROR, 0);
	d.at[0].record[0x300] ^= 1;
	d.at[2].record[0x300] ^= 1;
	probe_disk(&p, &d);
	assert_contains(only_claim(&p)->fault, "checksum");
	assert_int_equal(only_claim(&p)->lba, SECTORS - 255);
	assert_int_equal(look_at(&p, SECTORS - 399)->verdict, FR_VERDICT_FOREIGN);
	assert_int_equal(look_at(&p, SECTORS - 591)->verdict, FR_VERDICT_INVALID);
	assert_contains(look_at(&p, SECTORS - 591)->reason, "checksum");
	assert_int_equal(look_at(&p, SECTORS - 675)->verdict, FR_VERDICT_NONE);
	probe_free(&p);
}

/* ---- slots ---- */

/* All sixteen choices of slots; each record is of an array of its own. */
static void slots_of_a_place(uint64_t lba)
{
	for (unsigned choice = 1; choice < 16; choice++) {
		static struct disk d;
		struct probe p;
		size_t at = 0;

		d = (struct disk){ .sectors = SECTORS };
		for (unsigned slot = 0; slot < 4; slot++) {
			struct edit edits[EDITS] = { VOLUME_ID(slot + 1), OFFSET(slot * PER) };

			if ((choice >> slot & 1) == 0)
				continue;
			base_record(add_record(&d, lba + 14 * slot), MIRROR, 0);
			edit(d.at[d.count - 1].record, edits);
		}
		probe_disk(&p, &d);
		if (lba != SECTORS - 63 && choice % 2 == 0) { /* elsewhere the first one leads to the others */
			assert_int_equal(p.claims.count, 0);
			probe_free(&p);
			continue;
		}
		assert_int_equal(p.claims.count, d.count);
		for (unsigned slot = 0; slot < 4; slot++) {
			if ((choice >> slot & 1) == 0) {
				assert_int_equal(look_at(&p, lba + 14 * slot)->verdict, FR_VERDICT_NONE);
				continue;
			}
			assert_good(p.claims.list[at]);
			assert_int_equal(p.claims.list[at]->lba, lba + 14 * slot);
			assert_int_equal(p.claims.list[at]->id[7], slot + 1);
			assert_int_equal(p.claims.list[at]->offset, slot * PER);
			assert_int_equal(p.claims.list[at]->room, PER); /* and not the next array's */
			at++;
		}
		probe_free(&p);
	}
}

static void slots(void **state)
{
	(void)state;
	slots_of_a_place(SECTORS - 63);
	slots_of_a_place(SECTORS - 255);
	slots_of_a_place(SECTORS - 951);
}

/* The record of a later slot has to end before the first one's place. */
static void later_slot_ends_before_the_first(void **state)
{
	static const struct edit edits[EDITS] = { OFFSET(PLACE - PER + 1) };
	static struct disk d = { .sectors = SECTORS };
	struct probe p;

	(void)state;
	base_record(add_record(&d, PLACE), STRIPE, 0);
	base_record(add_record(&d, PLACE + 14), MIRROR, 0);
	edit(d.at[1].record, edits);
	probe_disk(&p, &d);
	assert_int_equal(p.claims.count, 2);
	assert_good(p.claims.list[0]);
	assert_contains(p.claims.list[1]->fault, "capacity");
	probe_free(&p);
}

static void no_slot_past_the_end(void **state)
{
	uint8_t record[RECORD];
	struct probe p;

	(void)state;
	base_record(record, MIRROR, 0);
	probe_record(&p, SECTORS, SECTORS - 16, record);
	assert_good(only_claim(&p));
	for (size_t i = 0; i < p.nwindows; i++)
		assert_true(fr_range_inside(p.windows[i].lba, p.windows[i].sectors, SECTORS));
	probe_free(&p);
}

/* N - 399, and 14 sectors further on the place of 16 heads: that is a slot of the first, and no place of its own. */
static void slot_that_is_a_place(void **state)
{
	static const struct edit second[EDITS] = { VOLUME_ID(5), OFFSET(PER) };
	static struct disk d = { .sectors = 19 * 1008 + 322 };
	struct probe p;

	(void)state;
	base_record(add_record(&d, d.sectors - 399), MIRROR, 0);
	base_record(add_record(&d, 19 * 1008 - 63), MIRROR, 0);
	edit(d.at[1].record, second);
	assert_int_equal(d.at[1].lba, d.at[0].lba + 14);
	probe_disk(&p, &d);
	assert_int_equal(p.claims.count, 2);
	assert_good(p.claims.list[0]);
	assert_int_equal(p.claims.list[0]->lba, d.at[0].lba);
	assert_good(p.claims.list[1]);
	assert_int_equal(p.claims.list[1]->lba, d.at[1].lba);
	assert_int_equal(look_at(&p, d.at[1].lba)->verdict, FR_VERDICT_VALID);
	probe_free(&p);
}

/* The place of 255 heads, and 14 sectors further on N - 63, which stands before it. */
static void place_that_would_be_a_slot(void **state)
{
	static struct disk d = { .sectors = 6 * 16065 + 14 };
	struct probe p;

	(void)state;
	base_record(add_record(&d, 6 * 16065 - 63), MIRROR, 0);
	probe_disk(&p, &d);
	assert_good(only_claim(&p));
	probe_free(&p);
	base_record(add_record(&d, d.sectors - 63), MIRROR, 0);
	assert_int_equal(d.at[1].lba, d.at[0].lba + 14);
	probe_disk(&p, &d);
	assert_good(only_claim(&p));
	assert_int_equal(only_claim(&p)->lba, d.at[1].lba);
	assert_int_equal(look_at(&p, d.at[0].lba)->verdict, FR_VERDICT_FOREIGN);
	probe_free(&p);
}

/* ---- records that are no array's ---- */

static void free_space(void **state)
{
	static const struct edit free_of[EDITS] = {
		OWN_FLAGS(0x03), NUMBER(0xff), VOLUME_ID(0), VOLUME_48(0), MEMBERS(0), WIDTH(0), OFFSET(PER), ARRAY(0),
	};
	static struct disk d = { .sectors = SECTORS };
	struct probe p;

	(void)state;
	base_record(add_record(&d, PLACE), MIRROR, 0);
	base_record(add_record(&d, PLACE + 14), MIRROR, 0);
	base_record(add_record(&d, PLACE + 28), STRIPE, 0);
	edit(d.at[1].record, free_of);
	put_number(d.at[2].record + 0x210, 4, 2 * PER);
	put_number(d.at[2].record + 0x22c, 8, 77);
	seal(d.at[2].record);
	probe_disk(&p, &d);
	assert_int_equal(p.claims.count, 2);
	assert_good(p.claims.list[0]);
	assert_int_equal(p.claims.list[0]->level, FR_LEVEL_RAID1);
	assert_good(p.claims.list[1]);
	assert_int_equal(p.claims.list[1]->level, FR_LEVEL_RAID0);
	assert_int_equal(look_at(&p, PLACE + 14)->verdict, FR_VERDICT_VALID);
	assert_contains(look_at(&p, PLACE + 14)->reason, "free space");
	assert_contains(look_at(&p, PLACE + 14)->reason, "4096");
	probe_free(&p);
	d.at[1].record[0x500] ^= 1; /* damaged, it is said and nothing else */
	probe_disk(&p, &d);
	assert_int_equal(p.claims.count, 3);
	assert_contains(p.claims.list[1]->fault, "checksum");
	assert_int_equal(p.claims.list[1]->id_length, 0);
	probe_free(&p);
}

/* Not assigned, whatever else it says: no member. */
static void not_assigned(void **state)
{
	static const uint8_t flags[] = { 0x01, 0x02, 0x03, 0x60, 0xe3 };

	(void)state;
	for (size_t i = 0; i < FR_COUNT(flags); i++) {
		const struct edit edits[EDITS] = { OWN_FLAGS(flags[i]) };
		uint8_t record[RECORD];
		struct probe p;

		base_record(record, MIRROR, 0);
		edit(record, edits);
		probe_record(&p, SECTORS, PLACE, record);
		assert_int_equal(p.claims.count, 0);
		assert_int_equal(look_at(&p, PLACE)->verdict, FR_VERDICT_VALID);
		assert_contains(look_at(&p, PLACE)->reason, "flags");
		probe_free(&p);
	}
}

static void spare(void **state)
{
	static const struct edit edits[EDITS] = {
		OWN_FLAGS(0x0b), NUMBER(0xff), VOLUME_ID(0), VOLUME_48(0), MEMBERS(0), WIDTH(0), ARRAY(0),
		MEMBER_SECTORS(PLACE),
	};
	static const struct edit with_id[EDITS] = { VOLUME_ID(VOLUME) }; /* left over: it is still of no array */
	uint8_t record[RECORD];

	(void)state;
	base_record(record, MIRROR, 0);
	edit(record, edits);
	for (unsigned i = 0; i < 2; i++) {
		struct probe p;

		probe_record(&p, SECTORS, PLACE, record);
		assert_int_equal(only_claim(&p)->role, FR_ROLE_ANY_SPARE);
		assert_int_equal(only_claim(&p)->id_length, 0);
		assert_null(only_claim(&p)->fault);
		assert_int_equal(look_at(&p, PLACE)->verdict, FR_VERDICT_VALID);
		probe_free(&p);
		edit(record, with_id);
	}
}

/* ---- names ---- */

static const struct name_row {
	const char *name;
	uint64_t id;
	const char *suffix;
} name_rows[] = {
	{ "pdc_bjfeeibeeb", 0x00000009747f0521, "-00000009" }, /* the real record */
	{ "pdc_cfbiicagfj", 0x0000000996222733, "-00000009" },
	/* from the field */
	{ "pdc_dbceiccibg", 0x0000d600ba410320, "-0000d600" },
	{ "pdc_biiaecejhg", 0x0000001270150210, "-00000012" },
	{ "pdc_biffhcbjjc", 0x0000d6006e9c1208, "-0000d600" },
	{ "pdc_cghdi", 0x0000d60000006872, "-0000d600" },
	{ "pdc_ghgddeaj", 0x0000d60004080101, "-0000d600" },
	{ "pdc_cifgjhgjdd", 0x0000d600aa4a0225, "-0000d600" },
	/* the edges */
	{ "pdc_a", 0x0000000100000000, "-00000001" },
	{ "pdc_b", 0x0000000000000001, "-00000000" },
	{ "pdc_ecjejghcjf", 0xffffffffffffffff, "-ffffffff" },
	{ "pdc_baaaaaaaaa", 0x800000003b9aca00, "-80000000" },
};

static void name_of_id(void **state)
{
	const struct name_row *row = *state;
	uint8_t record[RECORD], id[8];
	const struct fr_claim *c;
	char text[17];
	struct probe p;

	base_record(record, STRIPE, 0);
	put_number(record + 0x22c, 8, row->id);
	seal(record);
	probe_record(&p, SECTORS, PLACE, record);
	c = only_claim(&p);
	assert_string_equal(c->name, row->name);
	assert_string_equal(c->name_suffix, row->suffix);
	for (unsigned i = 0; i < 8; i++)
		id[i] = (uint8_t)(row->id >> (56 - 8 * i));
	assert_int_equal(c->id_length, 8);
	assert_memory_equal(c->id, id, 8);
	snprintf(text, sizeof(text), "%016llx", (unsigned long long)row->id);
	assert_string_equal(c->id_text, text);
	probe_free(&p);
}

/* ---- levels and sizes ---- */

static const struct size_row {
	const char *name;
	enum base base;
	struct edit edits[EDITS];
	enum fr_level level;
	unsigned width;
	uint32_t chunk;
	uint64_t sectors, member_sectors, offset, room;
} size_rows[] = {
	{ "stripe", STRIPE, { { 0 } }, FR_LEVEL_RAID0, 2, 128, 2 * PER, PER, 0, PER },
	{ "stripe of 1", STRIPE, { MEMBERS(1), WIDTH(1), ARRAY(4064) }, FR_LEVEL_RAID0, 1, 128, 4064, 4064, 0, PER },
	{ "stripe with a tail", STRIPE, { ARRAY(8100) }, FR_LEVEL_RAID0, 2, 128, 8100, 4050, 0, PER },
	/* the last chunk of member 0 ends at 4096 + 72, more than half of 8392 */
	{ "stripe whose tail passes its member", STRIPE, { ARRAY(8392), MEMBER_SECTORS(4196) }, FR_LEVEL_RAID0, 2, 128,
	  8392, 4196, 0, 4224 },
	{ "stripe of 3 of uneven size", STRIPE, { MEMBERS(3), WIDTH(3), ID(2, DISK_ID(2)), FLAGS(2, 7), ARRAY(10000) },
	  FR_LEVEL_RAID0, 3, 128, 10000, 3333, 0, PER },
	{ "stripe with an offset", STRIPE, { OFFSET(2048) }, FR_LEVEL_RAID0, 2, 128, 2 * PER, PER, 2048, PER },
	{ "stripe up to the record", STRIPE, { OFFSET(PLACE - PER) }, FR_LEVEL_RAID0, 2, 128, 2 * PER, PER, PLACE - PER,
	  PER },
	{ "old stripe: all that is free", STRIPE, { MEMBER_SECTORS(PLACE) }, FR_LEVEL_RAID0, 2, 128, 2 * PER, PER, 0,
	  PLACE },
	{ "member sectors past the record", STRIPE, { MEMBER_SECTORS(0xfffffffe), ARRAY_HIGH(256) }, FR_LEVEL_RAID0, 2,
	  128, 2 * PER, PER, 0, PLACE },
	{ "smallest chunk", STRIPE, { SHIFT(4) }, FR_LEVEL_RAID0, 2, 16, 2 * PER, PER, 0, PER },
	{ "mirror", MIRROR, { SHIFT(255) }, FR_LEVEL_RAID1, 2, 0, PER, PER, 0, PER },
	{ "mirror that uses less", MIRROR, { ARRAY(4001) }, FR_LEVEL_RAID1, 2, 0, 4001, 4001, 0, PER },
	{ "mirror of 3", MIRROR, { MEMBERS(3), ID(2, DISK_ID(2)), FLAGS(2, 7) }, FR_LEVEL_RAID1, 3, 0, PER, PER, 0,
	  PER },
	{ "mirror of 4 of width 1", RAID01, { WIDTH(1), ARRAY(PER) }, FR_LEVEL_RAID1, 4, 0, PER, PER, 0, PER },
	{ "mirror of 1", MIRROR, { MEMBERS(1) }, FR_LEVEL_RAID1, 1, 0, PER, PER, 0, PER },
	{ "mirror of stripes", RAID01, { { 0 } }, FR_LEVEL_RAID01, 4, 128, 2 * PER, PER, 0, PER },
	{ "RAID5", RAID5, { { 0 } }, FR_LEVEL_RAID5, 3, 128, 2 * PER, PER, 0, PER },
	{ "RAID5 with an offset", RAID5, { OFFSET(100), SHIFT(8) }, FR_LEVEL_RAID5, 3, 256, 2 * PER, PER, 100, PER },
	{ "single disk", JBOD, { { 0 } }, FR_LEVEL_RAID0, 1, 128, PER, PER, 0, PER },
};

static void sizes(void **state)
{
	const struct size_row *row = *state;
	uint8_t record[RECORD];
	const struct fr_claim *c;
	struct probe p;

	base_record(record, row->base, 0);
	edit(record, row->edits);
	probe_record(&p, SECTORS, PLACE, record);
	c = only_claim(&p);
	assert_good(c);
	assert_int_equal(c->level, row->level);
	assert_int_equal(c->layout, row->level == FR_LEVEL_RAID5 ? FR_LAYOUT_LEFT_ASYMMETRIC : FR_LAYOUT_NONE);
	assert_int_equal(c->width, row->width);
	assert_int_equal(c->chunk, row->chunk);
	assert_int_equal(c->set_sectors, row->sectors);
	assert_int_equal(c->member_sectors, row->member_sectors);
	assert_int_equal(c->offset, row->offset);
	assert_int_equal(c->room, row->room);
	assert_int_equal(c->nshares, 0);
	probe_free(&p);
}

static void eight_members(void **state)
{
	uint64_t ids[8];
	uint8_t record[RECORD];
	struct probe p;

	(void)state;
	base_record(record, STRIPE, 0);
	record[0x220] = record[0x222] = 8;
	for (unsigned i = 0; i < 8; i++) {
		ids[i] = DISK_ID(i);
		record[0x234 + 12 * i] = 7;
		put_number(record + 0x238 + 12 * i, 8, ids[i]);
	}
	seal(record);
	probe_record(&p, SECTORS, PLACE, record);
	assert_good(only_claim(&p));
	assert_roster(only_claim(&p), ids, 8);
	assert_int_equal(only_claim(&p)->member_sectors, PER / 4);
	probe_free(&p);
	record[0x21f] = 1;
	record[0x222] = 4;
	seal(record);
	probe_record(&p, SECTORS, PLACE, record);
	assert_good(only_claim(&p));
	assert_int_equal(only_claim(&p)->level, FR_LEVEL_RAID01);
	assert_int_equal(only_claim(&p)->member_sectors, PER / 2);
	probe_free(&p);
}

/* A member of a span gives what is recorded, not what the disk has. */
static void span(void **state)
{
	static const struct edit most[EDITS] = { OFFSET(7), MEMBER_SECTORS(PLACE - 7) };
	uint8_t record[RECORD];
	const struct fr_claim *c;
	struct probe p;

	(void)state;
	base_record(record, SPAN, 0);
	probe_record(&p, SECTORS, PLACE, record);
	c = only_claim(&p);
	assert_good(c);
	assert_int_equal(c->level, FR_LEVEL_LINEAR);
	assert_int_equal(c->chunk, 0);
	assert_int_equal(c->set_sectors, 2 * PER);
	assert_int_equal(c->nshares, 1);
	assert_int_equal(c->shares[0], PER);
	assert_true(c->has_generation);
	assert_int_equal(c->room, PER);
	probe_free(&p);
	edit(record, most);
	probe_record(&p, SECTORS, PLACE, record);
	c = only_claim(&p);
	assert_good(c);
	assert_int_equal(c->offset, 7);
	assert_int_equal(c->shares[0], PLACE - 7);
	assert_int_equal(c->room, PLACE - 7);
	probe_free(&p);
}

/* 16 MiB, on a disk with room for it; a larger one is refused above. */
static void largest_chunk(void **state)
{
	static const struct edit edits[EDITS] = { SHIFT(15), ARRAY(65536), MEMBER_SECTORS(32768) };
	uint8_t record[RECORD];
	struct probe p;

	(void)state;
	base_record(record, STRIPE, 0);
	edit(record, edits);
	probe_record(&p, 40000, 40000 - 63, record);
	assert_good(only_claim(&p));
	assert_int_equal(only_claim(&p)->chunk, 32768);
	assert_int_equal(only_claim(&p)->member_sectors, 32768);
	probe_free(&p);
}

static void small_chunks_are_remarked(void **state)
{
	(void)state;
	for (unsigned shift = 0; shift <= 4; shift++) {
		const struct edit edits[EDITS] = { SHIFT(shift) };
		uint8_t record[RECORD];
		struct probe p;

		base_record(record, STRIPE, 0);
		edit(record, edits);
		probe_record(&p, SECTORS, PLACE, record);
		assert_null(only_claim(&p)->fault);
		assert_int_equal(only_claim(&p)->chunk, 1u << shift);
		assert_int_equal(only_claim(&p)->nremarks, shift < 4);
		probe_free(&p);
	}
}

/* ---- 2 TiB ---- */

#define TIB2 0x100000000ull

static const struct wrap_row {
	const char *name;
	enum base base;
	bool newer;
	uint64_t disk;
	uint32_t array, array_high, member, member_high;
	uint64_t sectors;       /* 0: at fault */
	bool remark;
} wrap_rows[] = {
	{ "upper half", STRIPE, true, 3907029168, 0x40000000, 1, 0xa0000000, 0, TIB2 + 0x40000000, false },
	{ "upper half 0", STRIPE, true, 3907029168, 0x40000000, 0, 0xe0000000, 0, 0x40000000, false },
	{ "both upper halves", MIRROR, true, 5 * TIB2, 0, 4, 0x80, 4, 4 * TIB2, false },
	{ "member's upper half missing", MIRROR, true, 5 * TIB2, 0, 4, 0x80, 0, 0, false },
	{ "field report: 0+1 of 4 x 2 TB", RAID01, true, 3907029168, 3517532672, 1, 3906249984, 0, 7812499968, false },
	{ "the same in an old record", RAID01, false, 3907029168, 3517532672, 0, 3906249984, 0, 7812499968, true },
	{ "old stripe, wrapped", STRIPE, false, 3907029168, 3517532672, 0, 3907029105, 0, 7812499968, true },
	{ "old stripe, 2^32 - 1 short", STRIPE, false, 3000000000, 100000000, 0, 2197483647, 0, 100000000, false },
	{ "old stripe, 2^32 short", STRIPE, false, 3000000000, 100000000, 0, 2197483648, 0, 100000000 + TIB2, true },
	{ "old stripe of 8, wrapped often", STRIPE, false, 4200000000, 1000, 0, 4000000000, 0, 1000 + 7 * TIB2, true },
	{ "old mirror cannot wrap", MIRROR, false, 4294967290, 1000, 0, 4294967000, 0, 1000, false },
	{ "upper half of 256 is none", STRIPE, true, 3907029168, 3517532672, 256, 3906249984, 0, 7812499968, true },
	{ "more than the disk has proves nothing", STRIPE, false, 3000000000, 1000, 0, 4000000000, 0, 1000, false },
	{ "2^48 sectors", MIRROR, true, 1ull << 50, 4096, 256, 4096, 0x20000, 0, true },
};

static void wrap(void **state)
{
	const struct wrap_row *row = *state;
	uint8_t record[RECORD];
	const struct fr_claim *c;
	struct probe p;

	if (row->newer)
		base_record(record, row->base, 0);
	else
		old_record(record, row->base, FILLER);
	if (strstr(row->name, " of 8") != NULL) {
		record[0x220] = record[0x222] = 8;
		for (unsigned i = 0; i < 8; i++) {
			record[0x234 + 12 * i] = 7;
			put_number(record + 0x238 + 12 * i, 8, DISK_ID(i));
		}
	}
	put_number(record + 0x224, 4, row->array);
	put_number(record + 0x214, 4, row->member);
	if (row->newer) {
		put_number(record + 0x2e8, 4, row->array_high);
		put_number(record + 0x376, 4, row->member_high);
	}
	seal(record);
	probe_record(&p, row->disk, row->disk - 63, record);
	c = only_claim(&p);
	assert_int_equal(c->fault != NULL, row->sectors == 0);
	if (row->sectors != 0)
		assert_int_equal(c->set_sectors, row->sectors);
	assert_int_equal(c->nremarks, row->remark);
	if (row->remark)
		assert_contains(c->remarks[0].text, "upper half");
	probe_free(&p);
}

/* ---- members ---- */

static const struct member_row {
	const char *name;
	uint8_t flags;
	enum fr_member_state state;
	const char *reason;
} member_rows[] = {
	{ "healthy", 0x07, FR_MEMBER_OK, NULL }, { "online alone", 0x02, FR_MEMBER_OK, NULL },
	{ "rebuilding", 0x27, FR_MEMBER_REBUILDING, "rebuilt" }, { "down", 0x47, FR_MEMBER_FAILED, "failed" },
	{ "down and redirected", 0x67, FR_MEMBER_FAILED, "failed" },
	{ "ata-raid's failed", 0x60, FR_MEMBER_FAILED, "failed" },
	{ "missing", 0x05, FR_MEMBER_FAILED, "online" }, { "redirected, not online", 0x25, FR_MEMBER_FAILED, "online" },
	{ "spare", 0x0b, FR_MEMBER_FAILED, "spare" }, { "spare that is redirected", 0x2f, FR_MEMBER_FAILED, "spare" },
	{ "no flags, the other has", 0x00, FR_MEMBER_FAILED, "online" }, { "all", 0xff, FR_MEMBER_FAILED, "failed" },
};

static void member(void **state)
{
	const struct member_row *row = *state;
	const struct edit edits[EDITS] = { FLAGS(1, row->flags) };
	const struct edit without_ids[EDITS] = { FLAGS(1, row->flags), ID(0, 0), ID(1, 0), ID(2, 5), NUMBER(1) };
	uint8_t record[RECORD];
	struct probe p;

	base_record(record, MIRROR, 0);
	edit(record, edits);
	probe_record(&p, SECTORS, PLACE, record);
	assert_good(only_claim(&p));
	assert_int_equal(only_claim(&p)->seats[0].state, FR_MEMBER_OK);
	assert_int_equal(only_claim(&p)->seats[1].state, row->state);
	if (row->reason == NULL)
		assert_null(only_claim(&p)->seats[1].reason);
	else
		assert_contains(only_claim(&p)->seats[1].reason, row->reason);
	probe_free(&p);
	edit(record, without_ids);
	probe_record(&p, SECTORS, PLACE, record);
	assert_good(only_claim(&p));
	assert_null(only_claim(&p)->roster);
	assert_int_equal(only_claim(&p)->index, 1);
	assert_int_equal(only_claim(&p)->state, row->state);
	assert_true(only_claim(&p)->has_generation);
	probe_free(&p);
}

/* Before 2001 there were no flags, in the table and for the disk itself: everybody is online. */
static void no_flags_at_all(void **state)
{
	static const struct edit edits[EDITS] = { OWN_FLAGS(0), FLAGS(0, 0), FLAGS(1, 0), FLAGS(2, 0x67) };
	static const uint64_t ids[] = { DISK_ID(0), DISK_ID(1) };
	uint8_t record[RECORD];
	struct probe p;

	(void)state;
	base_record(record, MIRROR, 0);
	edit(record, edits);
	probe_record(&p, SECTORS, PLACE, record);
	assert_good(only_claim(&p));
	assert_roster(only_claim(&p), ids, 2);
	probe_free(&p);
}

/* An entry without an id is nobody's, least of all that of a disk without one. */
static void one_id_is_missing(void **state)
{
	static const struct edit edits[EDITS] = { ID(1, 0) };
	static const struct edit own[EDITS] = { OWN_ID(0) };
	uint8_t record[RECORD];
	struct probe p;

	(void)state;
	base_record(record, MIRROR, 0);
	edit(record, edits);
	probe_record(&p, SECTORS, PLACE, record);
	assert_good(only_claim(&p));
	assert_false(only_claim(&p)->roster->entries[0].gone);
	assert_true(only_claim(&p)->roster->entries[1].gone);
	assert_true(only_claim(&p)->has_key);
	probe_free(&p);
	edit(record, own);
	probe_record(&p, SECTORS, PLACE, record);
	assert_null(only_claim(&p)->fault);
	assert_false(only_claim(&p)->has_key);
	probe_free(&p);
}

/* The id tells which member a disk is; its number may only agree. */
static void own_number(void **state)
{
	static const struct edit wrong[EDITS] = { NUMBER(1) }, first_impossible[EDITS] = { NUMBER(2) };
	static const struct edit impossible[EDITS] = { NUMBER(200) };
	static const struct edit foreign[EDITS] = { OWN_ID(DISK_ID(9)), NUMBER(1) };
	uint8_t record[RECORD];
	const struct fr_claim *c;
	struct probe p;

	(void)state;
	base_record(record, MIRROR, 0);
	edit(record, wrong);
	probe_record(&p, SECTORS, PLACE, record);
	c = only_claim(&p);
	assert_null(c->fault);
	assert_null(c->doubt);
	assert_int_equal(c->nremarks, 1);
	assert_contains(c->remarks[0].text, "number is 1");
	assert_contains(c->remarks[0].text, "member 0");
	assert_int_equal(c->remarks[0].lba, PLACE);
	assert_key(c->key, DISK_ID(0));
	probe_free(&p);
	edit(record, first_impossible);
	probe_record(&p, SECTORS, PLACE, record);
	assert_contains(only_claim(&p)->doubt, "2 members");
	probe_free(&p);
	edit(record, impossible);
	probe_record(&p, SECTORS, PLACE, record);
	assert_null(only_claim(&p)->fault);
	assert_contains(only_claim(&p)->doubt, "200");
	probe_free(&p);
	edit(record, foreign); /* named by nobody, which is not this record's to judge */
	probe_record(&p, SECTORS, PLACE, record);
	assert_good(only_claim(&p));
	assert_key(only_claim(&p)->key, DISK_ID(9));
	probe_free(&p);
}

/* What the records of all members must have in common, besides the geometry. */
static void agreement_with(const struct edit *edits, bool agrees)
{
	uint8_t record[RECORD];
	struct probe p, q;

	base_record(record, RAID01, 0);
	probe_record(&p, SECTORS, PLACE, record);
	base_record(record, RAID01, 1);
	edit(record, edits);
	probe_record(&q, SECTORS, PLACE, record);
	assert_contains(only_claim(&p)->agreement, "members ");
	assert_int_equal(strcmp(only_claim(&p)->agreement, only_claim(&q)->agreement) == 0, agrees);
	probe_free(&p);
	probe_free(&q);
}

static void agreement(void **state)
{
	static const struct { struct edit edits[EDITS]; bool agrees; } rows[] = {
		{ { { 0 } }, true }, { { { 0x236, 2, 0x0101 } }, true }, { { OWN_FLAGS(0x87), FLAGS(0, 0x87) }, true },
		{ { FLAGS(4, 0xff), ID(4, 1) }, true }, { { ID(3, DISK_ID(5)) }, false },
		{ { ID(0, DISK_ID(1)), ID(1, DISK_ID(0)) }, false }, { { FLAGS(2, 0x67) }, false },
		{ { FLAGS(2, 0x05) }, false }, { { FLAGS(2, 0x27) }, false },
	};

	(void)state;
	for (size_t i = 0; i < FR_COUNT(rows); i++)
		agreement_with(rows[i].edits, rows[i].agrees);
}

/* ---- what is going on ---- */

static const struct state_row {
	const char *name;
	enum base base;
	struct edit edits[EDITS];
	enum fr_activity activity;
	bool failure_known, parity_invalid, doubt;
} state_rows[] = {
	{ "healthy", MIRROR, { { 0 } }, FR_ACTIVITY_NONE, false, false, false },
	{ "degraded", MIRROR, { STATUS(0x1f) }, FR_ACTIVITY_NONE, true, false, false },
	{ "marked", MIRROR, { STATUS(0xaf) }, FR_ACTIVITY_DIRTY, false, false, false },
	{ "migrating", STRIPE, { STATUS(0xcf) }, FR_ACTIVITY_MIGRATING, false, false, false },
	{ "not functional", MIRROR, { STATUS(0x0f) }, FR_ACTIVITY_NONE, false, false, false },
	{ "resyncing", MIRROR, { ACTIVITY(0x03040008) }, FR_ACTIVITY_SYNCING, false, false, false },
	{ "resyncing and marked", MIRROR, { ACTIVITY(0x03040008), STATUS(0xaf) }, FR_ACTIVITY_SYNCING, false, false,
	  false },
	{ "resyncing RAID5", RAID5, { ACTIVITY(0x03040008) }, FR_ACTIVITY_SYNCING, false, true, false },
	{ "rebuilding, and the members say which", MIRROR, { ACTIVITY(0x03040010), FLAGS(1, 0x27), STATUS(0x1f) },
	  FR_ACTIVITY_NONE, true, false, false },
	{ "rebuilding, and nobody says which", MIRROR, { ACTIVITY(0x03040010), STATUS(0x1f), FLAGS(2, 0x27) },
	  FR_ACTIVITY_REBUILDING, true, false, false },
	{ "idle", RAID5, { ACTIVITY(0x03000000) }, FR_ACTIVITY_NONE, false, false, false },
};

static void condition(void **state)
{
	const struct state_row *row = *state;
	uint8_t record[RECORD];
	const struct fr_claim *c;
	struct probe p;

	base_record(record, row->base, 0);
	edit(record, row->edits);
	probe_record(&p, SECTORS, PLACE, record);
	c = only_claim(&p);
	assert_null(c->fault);
	assert_null(c->unsupported);
	assert_null(c->caution);
	assert_int_equal(c->activity, row->activity);
	assert_int_equal(c->failure_known, row->failure_known);
	assert_int_equal(c->parity_invalid, row->parity_invalid);
	assert_int_equal(c->doubt != NULL, row->doubt);
	probe_free(&p);
}

static void generation(void **state)
{
	static const uint16_t values[] = { 0, 1, 0x7fff, 0x8000, 0xffff };

	(void)state;
	for (size_t i = 0; i < FR_COUNT(values); i++) {
		const struct edit edits[EDITS] = { GENERATION(values[i]) };
		uint8_t record[RECORD];
		struct probe p;

		base_record(record, MIRROR, 0);
		edit(record, edits);
		probe_record(&p, SECTORS, PLACE, record);
		assert_true(only_claim(&p)->has_generation);
		assert_int_equal(only_claim(&p)->generation, values[i]);
		assert_int_equal(only_claim(&p)->generation_bits, 16);
		probe_free(&p);
	}
}

/* ---- the dump ---- */

static void parts_of_the_dump(void **state)
{
	const struct fr_format *format = format_named("pdc");
	struct fr_part parts[16];
	uint8_t record[RECORD];

	(void)state;
	base_record(record, RAID5, 0);
	assert_int_equal(format->ops->parts(record, RECORD, parts, 16), 4);
	assert_string_equal(parts[0].name, "");
	assert_int_equal(parts[0].offset, 0);
	assert_string_equal(parts[3].name, "member 2");
	assert_int_equal(parts[3].offset, 0x24c);
	for (size_t i = 0; i < 4; i++) {
		for (size_t k = 0; k < parts[i].nfields; k++) {
			const struct fr_field *field = &parts[i].fields[k];

			assert_true(fr_range_inside(parts[i].offset + field->offset, field->size, RECORD));
		}
	}
	record[0x220] = 255;
	assert_int_equal(format->ops->parts(record, RECORD, parts, 16), 9);
	assert_string_equal(parts[8].name, "member 7");
	assert_int_equal(format->ops->parts(record, RECORD, parts, 3), 3);
	assert_int_equal(format->ops->parts(record, RECORD, parts, 0), 0);
	assert_int_equal(format->ops->parts(record, FR_SECTOR_SIZE, parts, 16), 0);
}

int main(void)
{
	struct test_list list = { 0 };

	ADD_TEST(&list, vectors_are_sealed_right);
	ADD_TEST(&list, real_record);
	ADD_TEST(&list, real_record_on_a_stump);
	ADD_TEST(&list, two_arrays_of_a_pair);
	ADD_TEST(&list, mirror_of_stripes);
	ADD_ROWS(&list, invalid_rows, invalid_field);
	ADD_ROWS(&list, unsupported_rows, unsupported_field);
	ADD_ROWS(&list, ignored_rows, ignored_field);
	ADD_TEST(&list, damaged_byte);
	ADD_TEST(&list, both_signatures);
	ADD_TEST(&list, disks_that_cannot_carry_it);
	ADD_ROWS(&list, filler_rows, filler);
	ADD_ROWS(&list, filler_rows, filler_in_ids);
	ADD_ROWS(&list, filler_rows, filler_in_member_sectors);
	ADD_ROWS(&list, filler_rows, filler_in_high_halves);
	ADD_TEST(&list, wishes);
	ADD_ROWS(&list, place_rows, place);
	ADD_TEST(&list, other_places);
	ADD_TEST(&list, damaged_record_counts);
	ADD_TEST(&list, slots);
	ADD_TEST(&list, later_slot_ends_before_the_first);
	ADD_TEST(&list, no_slot_past_the_end);
	ADD_TEST(&list, slot_that_is_a_place);
	ADD_TEST(&list, place_that_would_be_a_slot);
	ADD_TEST(&list, free_space);
	ADD_TEST(&list, not_assigned);
	ADD_TEST(&list, spare);
	ADD_ROWS(&list, name_rows, name_of_id);
	ADD_ROWS(&list, size_rows, sizes);
	ADD_TEST(&list, eight_members);
	ADD_TEST(&list, span);
	ADD_TEST(&list, largest_chunk);
	ADD_TEST(&list, small_chunks_are_remarked);
	ADD_ROWS(&list, wrap_rows, wrap);
	ADD_ROWS(&list, member_rows, member);
	ADD_TEST(&list, no_flags_at_all);
	ADD_TEST(&list, one_id_is_missing);
	ADD_TEST(&list, own_number);
	ADD_TEST(&list, agreement);
	ADD_ROWS(&list, state_rows, condition);
	ADD_TEST(&list, generation);
	ADD_TEST(&list, parts_of_the_dump);
	return run_list("pdc", &list);
}
