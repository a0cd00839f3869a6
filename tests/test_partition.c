// SPDX-License-Identifier: GPL-2.0-or-later
/* Partition tables on sets: DOS with logical partitions, GPT, hostile chains, none; and the names of partitions. */
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>

#include "testing.h"

enum { SECTORS = 20000 };

/* A set of one member, on an image. */
struct rig {
	struct hand_set h;
	struct image image;
	struct fr_plan *plan;
	struct fr_reader *reader;
	struct fr_partitions *found;
};

static void rig_make(struct rig *r, uint64_t sectors)
{
	memset(r, 0, sizeof(*r));
	hand_set(&r->h, FR_LEVEL_RAID1, 1, 0, sectors);
	image_new(&r->image, sectors);
	r->h.disks[0].path = r->image.path;
	r->h.disks[0].sectors = sectors;
	r->h.disks[0].is_image = true;
	r->h.members[0].room = sectors;
}

static void rig_read(struct rig *r)
{
	struct fr_error err = { 0 };

	r->plan = plan_of(&r->h.set, NULL);
	assert_int_equal(fr_reader_new(r->plan, &r->reader, &err), 0);
	if (fr_partitions_read(r->reader, &r->found, &err) != 0)
		fail_msg("no partitions: %s", err.text);
}

static void rig_free(struct rig *r)
{
	fr_partitions_free(r->found);
	fr_reader_free(r->reader);
	fr_plan_free(r->plan);
	image_free(&r->image);
}

/* ---- DOS tables ---- */

struct dos_entry {
	uint8_t type;
	uint32_t start, sectors;
};

static void put_dos(const struct image *image, uint64_t lba, const struct dos_entry *entries, size_t count)
{
	uint8_t sector[FR_SECTOR_SIZE] = { [510] = 0x55, [511] = 0xaa };

	for (size_t i = 0; i < count; i++) {
		uint8_t *to = sector + 446 + 16 * i;

		to[4] = entries[i].type;
		put_number(to + 8, 4, entries[i].start);
		put_number(to + 12, 4, entries[i].sectors);
	}
	image_write(image, lba, sector, 1);
}

static void assert_partition(const struct rig *r, size_t i, unsigned number, uint64_t start, uint64_t sectors,
			     bool extended)
{
	const struct fr_partition *p = &r->found->list[i];

	assert_true(i < r->found->count);
	assert_int_equal(p->number, number);
	assert_int_equal(p->start, start);
	assert_int_equal(p->sectors, sectors);
	assert_int_equal(p->extended, extended);
}

static void dos_with_logical_partitions(void **state)
{
	static const struct dos_entry mbr[] = { { 0x83, 63, 2000 }, { 0x05, 4096, 12000 }, { 0, 0, 0 }, { 0x82, 17000, 100 } };
	static const struct dos_entry first[] = { { 0x83, 128, 1000 }, { 0x05, 2048, 3000 } };
	static const struct dos_entry second[] = { { 0x07, 63, 2500 }, { 0x05, 6000, 2000 } };
	static const struct dos_entry third[] = { { 0x83, 1, 1999 } };
	struct rig r;

	(void)state;
	rig_make(&r, SECTORS);
	put_dos(&r.image, 0, mbr, FR_COUNT(mbr));
	put_dos(&r.image, 4096, first, FR_COUNT(first));
	put_dos(&r.image, 4096 + 2048, second, FR_COUNT(second)); /* links count from the first of the chain */
	put_dos(&r.image, 4096 + 6000, third, FR_COUNT(third));
	rig_read(&r);
	assert_int_equal(r.found->count, 6);
	assert_partition(&r, 0, 1, 63, 2000, false);
	assert_partition(&r, 1, 2, 4096, 12000, true);
	assert_partition(&r, 2, 4, 17000, 100, false);
	assert_partition(&r, 3, 5, 4096 + 128, 1000, false);
	assert_partition(&r, 4, 6, 4096 + 2048 + 63, 2500, false);
	assert_partition(&r, 5, 7, 4096 + 6000 + 1, 1999, false);
	rig_free(&r);
}

/* The types of an extended partition: DOS', Windows 95's, Linux'. */
static void every_kind_of_extended(void **state)
{
	static const uint8_t types[] = { 0x05, 0x0f, 0x85 };

	(void)state;
	for (size_t i = 0; i < FR_COUNT(types); i++) {
		const struct dos_entry mbr[] = { { types[i], 1000, 5000 } };
		const struct dos_entry link[] = { { 0x83, 10, 500 }, { types[i], 1000, 600 } };
		static const struct dos_entry last[] = { { 0x83, 20, 500 } };
		struct rig r;

		rig_make(&r, SECTORS);
		put_dos(&r.image, 0, mbr, 1);
		put_dos(&r.image, 1000, link, 2);
		put_dos(&r.image, 2000, last, 1);
		rig_read(&r);
		assert_int_equal(r.found->count, 3);
		assert_partition(&r, 0, 1, 1000, 5000, true);
		assert_partition(&r, 1, 5, 1010, 500, false);
		assert_partition(&r, 2, 6, 2020, 500, false);
		rig_free(&r);
	}
}

/* Whatever a hostile table says: numbers and sizes that can be worked with. */
static void assert_sane(const struct rig *r)
{
	for (size_t i = 0; i < r->found->count; i++) {
		const struct fr_partition *p = &r->found->list[i];
		uint64_t end;

		assert_true(p->number > 0 && p->sectors > 0);
		assert_true(fr_add(p->start, p->sectors, &end));
	}
}

static void chain_that_loops(void **state)
{
	static const struct dos_entry mbr[] = { { 0x05, 1000, 10000 } };
	/* Links count from 1000: of the first table to itself, of the second back to the first, and to itself. */
	static const struct { uint32_t first, second; } links[] = { { 0, 0 }, { 1000, 0 }, { 1000, 1000 } };

	(void)state;
	for (size_t i = 0; i < FR_COUNT(links); i++) {
		const struct dos_entry first[] = { { 0x83, 10, 100 }, { 0x05, links[i].first, 500 } };
		const struct dos_entry second[] = { { 0x83, 10, 100 }, { 0x05, links[i].second, 500 } };
		struct rig r;

		rig_make(&r, SECTORS);
		put_dos(&r.image, 0, mbr, 1);
		put_dos(&r.image, 1000, first, 2);
		put_dos(&r.image, 2000, second, 2);
		rig_read(&r);
		assert_true(r.found->count >= 1 && r.found->count <= 300);
		assert_sane(&r);
		rig_free(&r);
	}
}

/* Longer than anybody's: what is found of it is right, and it ends. */
static void chain_that_is_very_long(void **state)
{
	enum { LINKS = 2000 };
	static const struct dos_entry mbr[] = { { 0x05, 1000, 18000 } };
	struct rig r;

	(void)state;
	rig_make(&r, SECTORS);
	put_dos(&r.image, 0, mbr, 1);
	for (uint32_t i = 0; i < LINKS; i++) {
		const struct dos_entry link[] = { { 0x83, 1, 7 }, { 0x05, 8 * (i + 1), 8 } };

		put_dos(&r.image, 1000 + 8 * i, link, i + 1 < LINKS ? 2 : 1);
	}
	rig_read(&r);
	assert_true(r.found->count > 50 && r.found->count <= LINKS + 1);
	for (size_t i = 1; i < r.found->count; i++)
		assert_partition(&r, i, (unsigned)i + 4, 1000 + 8 * (i - 1) + 1, 7, false);
	rig_free(&r);
}

static void chain_that_leaves_the_set(void **state)
{
	static const struct dos_entry mbr[] = { { 0x83, 63, 100 }, { 0x05, 1000, 10000 } };
	static const uint32_t links[] = { SECTORS, SECTORS - 1000, UINT32_MAX, UINT32_MAX - 999, 0x80000000 };

	(void)state;
	for (size_t i = 0; i < FR_COUNT(links); i++) {
		const struct dos_entry first[] = { { 0x83, 10, 100 }, { 0x05, links[i], 500 } };
		struct rig r;

		rig_make(&r, SECTORS);
		put_dos(&r.image, 0, mbr, 2);
		put_dos(&r.image, 1000, first, 2);
		rig_read(&r);
		assert_int_equal(r.found->count, 3);
		assert_sane(&r);
		rig_free(&r);
	}
}

/* They are given as the table has them: that one ends past the set may tell that it was made on a larger one. */
static void partitions_past_the_end(void **state)
{
	static const struct dos_entry mbr[] = {
		{ 0x83, 63, 100 }, { 0x83, SECTORS - 10, 11 }, { 0x83, SECTORS, 10 }, { 0x83, UINT32_MAX, UINT32_MAX },
	};
	struct rig r;

	(void)state;
	rig_make(&r, SECTORS);
	put_dos(&r.image, 0, mbr, 4);
	rig_read(&r);
	assert_int_equal(r.found->count, 4);
	for (unsigned i = 0; i < 4; i++)
		assert_partition(&r, i, i + 1, mbr[i].start, mbr[i].sectors, false);
	rig_free(&r);
}

static void extended_past_the_end(void **state)
{
	static const struct dos_entry mbr[] = { { 0x83, 63, 100 }, { 0x0f, SECTORS + 5, 1000 } };
	struct rig r;

	(void)state;
	rig_make(&r, SECTORS);
	put_dos(&r.image, 0, mbr, 2);
	rig_read(&r);
	assert_int_equal(r.found->count, 2);
	assert_partition(&r, 0, 1, 63, 100, false);
	assert_partition(&r, 1, 2, SECTORS + 5, 1000, true);
	rig_free(&r);
}

/* ---- GPT ---- */

static uint32_t crc32(const uint8_t *data, size_t length)
{
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < length; i++) {
		crc ^= data[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1)));
	}
	return ~crc;
}

enum { GPT_ENTRIES = 128, GPT_SECTORS = 32 };

static void put_gpt_header(const struct image *image, const uint8_t *entries, uint64_t here, uint64_t other,
			   uint64_t entries_at)
{
	uint8_t h[FR_SECTOR_SIZE] = "EFI PART";

	put_number(h + 8, 4, 0x00010000);
	put_number(h + 12, 4, 92);
	put_number(h + 24, 8, here);
	put_number(h + 32, 8, other);
	put_number(h + 40, 8, 34);
	put_number(h + 48, 8, image->sectors - 34);
	h[56] = 7; /* disk GUID */
	put_number(h + 72, 8, entries_at);
	put_number(h + 80, 4, GPT_ENTRIES);
	put_number(h + 84, 4, 128);
	put_number(h + 88, 4, crc32(entries, GPT_SECTORS * FR_SECTOR_SIZE));
	put_number(h + 16, 4, crc32(h, 92));
	image_write(image, here, h, 1);
	image_write(image, entries_at, entries, GPT_SECTORS);
}

/* Partitions 1 and 3, and the table at both ends of the set. */
static void put_gpt(const struct image *image)
{
	const struct dos_entry protective[] = { { 0xee, 1, (uint32_t)image->sectors - 1 } };
	uint8_t entries[GPT_SECTORS * FR_SECTOR_SIZE] = { 0 };

	for (size_t i = 0; i < 3; i += 2) {
		uint8_t *e = entries + 128 * i;

		from_hex("af 3d c6 0f 83 84 72 47 8e 79 3d 69 d8 47 7d e4", e); /* Linux' data */
		e[16] = (uint8_t)(i + 1);
		put_number(e + 32, 8, 2048 + 4096 * i);
		put_number(e + 40, 8, 2048 + 4096 * i + 999);
	}
	put_dos(image, 0, protective, 1);
	put_gpt_header(image, entries, 1, image->sectors - 1, 2);
	put_gpt_header(image, entries, image->sectors - 1, 1, image->sectors - 33);
}

static void assert_gpt(struct rig *r)
{
	rig_read(r);
	assert_int_equal(r->found->count, 2);
	assert_partition(r, 0, 1, 2048, 1000, false);
	assert_partition(r, 1, 3, 2048 + 8192, 1000, false);
}

static void gpt(void **state)
{
	struct rig r;

	(void)state;
	rig_make(&r, SECTORS);
	put_gpt(&r.image);
	assert_gpt(&r);
	rig_free(&r);
}

/* The first copy is damaged: the one at the end of the set counts. */
static void gpt_from_its_backup(void **state)
{
	static const uint8_t zeros[FR_SECTOR_SIZE];
	struct rig r;

	(void)state;
	rig_make(&r, SECTORS);
	put_gpt(&r.image);
	image_write(&r.image, 1, zeros, 1);
	assert_gpt(&r);
	rig_free(&r);
}

static void gpt_without_any_right_copy(void **state)
{
	static const uint8_t zeros[FR_SECTOR_SIZE];
	struct rig r;

	(void)state;
	rig_make(&r, SECTORS);
	put_gpt(&r.image);
	image_write(&r.image, 1, zeros, 1);
	image_write(&r.image, SECTORS - 1, zeros, 1);
	rig_read(&r);
	assert_sane(&r);
	for (size_t i = 0; i < r.found->count; i++)
		assert_int_not_equal(r.found->list[i].start, 2048);
	rig_free(&r);
}

/* ---- none ---- */

static void no_table(void **state)
{
	static const uint64_t sizes[] = { 1, 2, 63, 64, 65, 127, 128, 129, SECTORS };

	(void)state;
	for (size_t i = 0; i < FR_COUNT(sizes); i++) {
		struct rig r;

		rig_make(&r, sizes[i]);
		rig_read(&r);
		assert_int_equal(r.found->count, 0);
		rig_free(&r);
	}
}

/* That there is no table and that it cannot be read are two things. */
static void table_that_cannot_be_read(void **state)
{
	struct fr_error err = { 0 };
	struct fr_partitions *found;
	struct rig r;

	(void)state;
	rig_make(&r, SECTORS);
	assert_int_equal(ftruncate(r.image.fd, 0), 0);
	r.plan = plan_of(&r.h.set, NULL);
	assert_int_equal(fr_reader_new(r.plan, &r.reader, NULL), 0);
	assert_int_equal(fr_partitions_read(r.reader, &found, &err), -EIO);
	assert_null(found);
	assert_contains(err.text, r.image.path);
	rig_free(&r);
}

/* A boot sector of a FAT ends like a partition table, and is none. */
static void fat_is_no_table(void **state)
{
	uint8_t sector[FR_SECTOR_SIZE] = { 0xeb, 0x3c, 0x90, 'M', 'S', 'D', 'O', 'S', '5', '.', '0' };
	struct rig r;

	(void)state;
	put_number(sector + 11, 2, 512);
	sector[13] = 4;
	put_number(sector + 14, 2, 1);
	sector[16] = 2;
	put_number(sector + 17, 2, 512);
	put_number(sector + 19, 2, SECTORS);
	sector[21] = 0xf8;
	put_number(sector + 22, 2, 20);
	sector[38] = 0x29;
	memcpy(sector + 43, "NO NAME    FAT16   ", 19);
	sector[510] = 0x55;
	sector[511] = 0xaa;
	rig_make(&r, SECTORS);
	image_write(&r.image, 0, sector, 1);
	rig_read(&r);
	assert_int_equal(r.found->count, 0);
	rig_free(&r);
}

/* The set is larger than memory: the look at its table must not be. */
static void set_of_many_terabytes(void **state)
{
	static const struct dos_entry mbr[] = { { 0x83, 63, UINT32_MAX - 100 }, { 0x83, UINT32_MAX - 30, 20 } };
	struct rig r;

	(void)state;
	rig_make(&r, 1ull << 35);
	put_dos(&r.image, 0, mbr, 2);
	rig_read(&r);
	assert_int_equal(r.found->count, 2);
	assert_partition(&r, 0, 1, 63, UINT32_MAX - 100, false);
	assert_partition(&r, 1, 2, UINT32_MAX - 30, 20, false);
	rig_free(&r);
}

/* The table lies on the array, not on its first disk: in a stripe, its later parts are on others. */
static void table_across_a_stripe(void **state)
{
	static const struct dos_entry mbr[] = { { 0x05, 8, 1000 } }, link[] = { { 0x83, 1, 500 } };
	struct hand_set h;
	struct image images[2];
	struct fr_reader *reader;
	struct fr_partitions *found;
	struct fr_plan *plan;

	(void)state;
	hand_set(&h, FR_LEVEL_RAID0, 2, 8, 2000);
	for (unsigned i = 0; i < 2; i++) {
		image_new(&images[i], 1000);
		h.disks[i].path = images[i].path;
		h.disks[i].sectors = h.members[i].room = 1000;
	}
	put_dos(&images[0], 0, mbr, 1);
	put_dos(&images[1], 0, link, 1);
	plan = plan_of(&h.set, NULL);
	assert_int_equal(fr_reader_new(plan, &reader, NULL), 0);
	assert_int_equal(fr_partitions_read(reader, &found, NULL), 0);
	assert_int_equal(found->count, 2);
	assert_int_equal(found->list[1].number, 5);
	assert_int_equal(found->list[1].start, 9);
	fr_partitions_free(found);
	fr_partitions_free(NULL);
	fr_reader_free(reader);
	fr_plan_free(plan);
	images_free(images, 2);
}

/* ---- names ---- */

static const struct name_row {
	const char *name, *set;
	unsigned number;
	const char *separator, *wanted;
} name_rows[] = {
	{ "letters", "nvidia_cdjgceeb", 1, NULL, "nvidia_cdjgceeb1" },
	{ "a digit at the end", "isw_x_Volume0", 1, NULL, "isw_x_Volume0p1" },
	{ "a digit elsewhere", "ddf1_array_a", 12, NULL, "ddf1_array_a12" },
	{ "separator given", "sil_afadadacacca", 3, "-part", "sil_afadadacacca-part3" },
	{ "separator given and a digit", "volume0", 3, "_", "volume0_3" },
	{ "no separator given and a digit", "volume0", 3, "", "volume03" },
	{ "escape at the end", "a\\x20", 5, NULL, "a\\x20p5" },
	{ "large number", "set", 4294967295u, NULL, "set4294967295" },
};

static void name_of_partition(void **state)
{
	const struct name_row *row = *state;
	char *name = fr_partition_name(row->set, row->number, row->separator);

	assert_non_null(name);
	assert_string_equal(name, row->wanted);
	free(name);
}

int main(void)
{
	struct test_list list = { 0 };

	ADD_TEST(&list, dos_with_logical_partitions);
	ADD_TEST(&list, every_kind_of_extended);
	ADD_TEST(&list, chain_that_loops);
	ADD_TEST(&list, chain_that_is_very_long);
	ADD_TEST(&list, chain_that_leaves_the_set);
	ADD_TEST(&list, partitions_past_the_end);
	ADD_TEST(&list, extended_past_the_end);
	ADD_TEST(&list, gpt);
	ADD_TEST(&list, gpt_from_its_backup);
	ADD_TEST(&list, gpt_without_any_right_copy);
	ADD_TEST(&list, no_table);
	ADD_TEST(&list, table_that_cannot_be_read);
	ADD_TEST(&list, fat_is_no_table);
	ADD_TEST(&list, set_of_many_terabytes);
	ADD_TEST(&list, table_across_a_stripe);
	ADD_ROWS(&list, name_rows, name_of_partition);
	return run_list("partition", &list);
}
