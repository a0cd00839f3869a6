/* SPDX-License-Identifier: GPL-2.0-or-later */
/* testing.h - what the cmocka tests share: lists of tests, images in memory, the pattern, sets made by hand. */
#ifndef FR_TESTING_H
#define FR_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support.h"

/* ---- lists of tests ---- */

struct test_list {
	struct CMUnitTest *tests;
	size_t count;
};

/* One test more, called "TEST" or "TEST: NAME"; `row` is what *state will be. */
void add_test(struct test_list *list, const char *test_name, const char *name, CMUnitTestFunction test,
	      const void *row);

#define ADD_TEST(list, test) add_test(list, #test, NULL, test, NULL)

/* One test for each row of a table, which has a member `name`. */
#define ADD_ROWS(list, rows, test) \
	do { \
		for (size_t add_row = 0; add_row < FR_COUNT(rows); add_row++) \
			add_test(list, #test, (rows)[add_row].name, test, &(rows)[add_row]); \
	} while (0)

/* Runs and frees the list; the result is main()'s. */
int run_list(const char *group, struct test_list *list);

/* ---- assertions ---- */

#define assert_contains(text, part) assert_contains_at(text, part, __FILE__, __LINE__)
void assert_contains_at(const char *text, const char *part, const char *file, int line);

/* Bytes from hexadecimal text with blanks; returns how many. */
size_t from_hex(const char *hex, uint8_t *to);

/* ---- the pattern of the fixtures: each 8-byte word of array sector n is (n + 1) XOR (seed << 48) ---- */

void pattern_fill(void *buf, uint64_t sector, size_t count, uint64_t seed);
/* How many sectors are as they should be, from the first on. */
size_t pattern_right(const void *buf, uint64_t sector, size_t count, uint64_t seed);

/* ---- images in memory ---- */

struct image {
	int fd;
	uint64_t sectors;
	char path[40];
};

/* Full of holes. */
void image_new(struct image *image, uint64_t sectors);
void image_write(const struct image *image, uint64_t lba, const void *data, size_t count);
void image_free(struct image *image);
void images_free(struct image *images, size_t count);

/* ---- records ---- */

/* A value to be written at an offset; of size 0: no more. */
struct edit {
	uint16_t offset, size;
	uint64_t value;
};

enum { EDITS = 8 };

void apply_edits(uint8_t *sector, const struct edit *edits);

const struct fr_format *format_named(const char *name);

/* For probe_format(): the sector `data` wherever the format looks; NULL: nothing can be read. */
bool fill_record(void *data, uint64_t lba, uint32_t sectors, uint8_t *buf);

/* ---- scans ---- */

/* A scan that has to succeed, of the paths (NULL-terminated) or of the images. */
struct fr_scan *scan_paths(const char *const *paths);
struct fr_scan *scan_images(const struct image *images, size_t count);

const struct fr_look *find_look(const struct fr_disk *disk, const char *format, uint64_t lba);

/* All reasons of a set in one text, which lives until the next call. */
const char *all_reasons(const struct fr_set *set);

/* The tables of a plan, "NAME: TABLE\n" a target, hidden devices too; to be freed. */
char *plan_text(const struct fr_plan *plan);

/* ---- sets made by hand ---- */

enum { HAND_WIDTH = 8, HAND_SECTORS = 100000 };

struct hand_set {
	struct fr_set set;
	struct fr_member members[HAND_WIDTH];
	struct fr_disk disks[HAND_WIDTH];
};

/* A good set called "set" on the disks "A", "B" ... of HAND_SECTORS each, which give it all their room. */
void hand_set(struct hand_set *h, enum fr_level level, unsigned width, uint32_t chunk, uint64_t sectors);

/* Takes a member away and says that the set is degraded. */
void hand_set_lose(struct hand_set *h, unsigned slot);

/* A plan that has to be made. */
struct fr_plan *plan_of(const struct fr_set *set, const struct fr_plan_options *options);

#endif
