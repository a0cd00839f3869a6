// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE
#include "testing.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- lists of tests ---- */

void add_test(struct test_list *list, const char *test_name, const char *name, CMUnitTestFunction test,
	      const void *row)
{
	struct CMUnitTest *tests = realloc(list->tests, (list->count + 1) * sizeof(*tests));
	char *full_name;

	if (tests == NULL ||
	    asprintf(&full_name, "%s%s%s", test_name, name == NULL ? "" : ": ", name == NULL ? "" : name) < 0)
		abort();
	tests[list->count++] = (struct CMUnitTest){ .name = full_name, .test_func = test, .initial_state = (void *)row };
	list->tests = tests;
}

int run_list(const char *group, struct test_list *list)
{
	int rc = _cmocka_run_group_tests(group, list->tests, list->count, NULL, NULL);

	for (size_t i = 0; i < list->count; i++)
		free((void *)list->tests[i].name);
	free(list->tests);
	return rc;
}

/* ---- assertions ---- */

void assert_contains_at(const char *text, const char *part, const char *file, int line)
{
	if (text == NULL || strstr(text, part) == NULL) {
		print_error("\"%s\"\ndoes not contain \"%s\"\n", text == NULL ? "(null)" : text, part);
		_fail(file, line);
	}
}

size_t from_hex(const char *hex, uint8_t *to)
{
	unsigned value;
	size_t count = 0;
	int used;

	for (; sscanf(hex, " %2x%n", &value, &used) == 1; hex += used)
		to[count++] = (uint8_t)value;
	return count;
}

/* ---- the pattern ---- */

enum { SECTOR_WORDS = FR_SECTOR_SIZE / sizeof(uint64_t) };

static void pattern_sector(uint8_t *to, uint64_t sector, uint64_t seed)
{
	for (size_t i = 0; i < SECTOR_WORDS; i++)
		put_number(to + i * sizeof(uint64_t), sizeof(uint64_t), (sector + 1) ^ seed << 48);
}

void pattern_fill(void *buf, uint64_t sector, size_t count, uint64_t seed)
{
	for (size_t i = 0; i < count; i++)
		pattern_sector((uint8_t *)buf + i * FR_SECTOR_SIZE, sector + i, seed);
}

size_t pattern_right(const void *buf, uint64_t sector, size_t count, uint64_t seed)
{
	uint8_t right[FR_SECTOR_SIZE];
	size_t i;

	for (i = 0; i < count; i++) {
		pattern_sector(right, sector + i, seed);
		if (memcmp((const uint8_t *)buf + i * FR_SECTOR_SIZE, right, FR_SECTOR_SIZE) != 0)
			break;
	}
	return i;
}

/* ---- images in memory ---- */

void image_new(struct image *image, uint64_t sectors)
{
	image->fd = memfd_create("image", MFD_CLOEXEC);
	image->sectors = sectors;
	snprintf(image->path, sizeof(image->path), "/proc/self/fd/%d", image->fd);
	if (image->fd < 0 || ftruncate(image->fd, (off_t)(sectors * FR_SECTOR_SIZE)) != 0)
		fail_msg("no image of %llu sectors: %s", (unsigned long long)sectors, strerror(errno));
}

void image_write(const struct image *image, uint64_t lba, const void *data, size_t count)
{
	assert_true(fr_range_inside(lba, count, image->sectors));
	assert_int_equal(pwrite(image->fd, data, count * FR_SECTOR_SIZE, (off_t)(lba * FR_SECTOR_SIZE)),
			 count * FR_SECTOR_SIZE);
}

void image_free(struct image *image)
{
	close(image->fd);
	image->fd = -1;
}

void images_free(struct image *images, size_t count)
{
	for (size_t i = 0; i < count; i++)
		image_free(&images[i]);
}

/* ---- records ---- */

void apply_edits(uint8_t *sector, const struct edit *edits)
{
	for (size_t i = 0; i < EDITS && edits[i].size != 0; i++)
		put_number(sector + edits[i].offset, edits[i].size, edits[i].value);
}

const struct fr_format *format_named(const char *name)
{
	const struct fr_format *const *f = fr_formats();

	while (*f != NULL && strcmp((*f)->name, name) != 0)
		f++;
	assert_non_null(*f);
	return *f;
}

bool fill_record(void *data, uint64_t lba, uint32_t sectors, uint8_t *buf)
{
	(void)lba;
	assert_int_equal(sectors, 1);
	if (data != NULL)
		memcpy(buf, data, FR_SECTOR_SIZE);
	return data != NULL;
}

/* ---- scans ---- */

struct fr_scan *scan_paths(const char *const *paths)
{
	struct fr_scan_options options = { .disks = paths };
	struct fr_error err = { 0 };
	struct fr_scan *scan;

	if (fr_scan(NULL, &options, &scan, &err) != 0)
		fail_msg("scan: %s", err.text);
	return scan;
}

struct fr_scan *scan_images(const struct image *images, size_t count)
{
	const char *paths[HAND_WIDTH + 1] = { 0 };

	assert_in_range(count, 0, HAND_WIDTH);
	for (size_t i = 0; i < count; i++)
		paths[i] = images[i].path;
	return scan_paths(paths);
}

const struct fr_look *find_look(const struct fr_disk *disk, const char *format, uint64_t lba)
{
	for (size_t i = 0; i < disk->nlooks; i++) {
		if (disk->looks[i].lba == lba && strcmp(disk->looks[i].format->name, format) == 0)
			return &disk->looks[i];
	}
	return NULL;
}

const char *all_reasons(const struct fr_set *set)
{
	static char text[8192];
	size_t at = 0;

	text[0] = '\0';
	for (size_t i = 0; i < set->nreasons && at < sizeof(text); i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s\n", set->reasons[i]);
	return text;
}

char *plan_text(const struct fr_plan *plan)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	for (size_t d = 0; d < plan->ndevices; d++) {
		for (size_t t = 0; t < plan->devices[d].ntargets; t++) {
			char *line = fr_plan_table(plan, d, t);

			fprintf(out, "%s: %s\n", plan->devices[d].name, line);
			free(line);
		}
	}
	fclose(out);
	return text;
}

/* ---- sets made by hand ---- */

void hand_set(struct hand_set *h, enum fr_level level, unsigned width, uint32_t chunk, uint64_t sectors)
{
	static const char *const paths[HAND_WIDTH] = { "A", "B", "C", "D", "E", "F", "G", "H" };

	assert_in_range(width, 0, HAND_WIDTH);
	memset(h, 0, sizeof(*h));
	for (unsigned i = 0; i < width; i++) {
		h->disks[i] = (struct fr_disk){ .path = paths[i], .sectors = HAND_SECTORS,
						.sector_size = FR_SECTOR_SIZE };
		h->members[i] = (struct fr_member){ .index = i, .disk = &h->disks[i], .sectors = HAND_SECTORS,
						    .room = HAND_SECTORS };
	}
	h->set = (struct fr_set){
		.name = "set", .format = fr_formats()[0], .id = "id", .level = level, .chunk = chunk,
		.sectors = sectors, .sector_size = FR_SECTOR_SIZE, .use = FR_USE_READ_WRITE, .width = width, .members = h->members,
		.parity_valid = level == FR_LEVEL_RAID5 || level == FR_LEVEL_RAID4, .in_sync = true,
		.layout = level == FR_LEVEL_RAID5 ? FR_LAYOUT_LEFT_SYMMETRIC : FR_LAYOUT_NONE,
	};
}

void hand_set_lose(struct hand_set *h, unsigned slot)
{
	h->members[slot].disk = NULL;
	h->members[slot].state = FR_MEMBER_MISSING;
	h->set.state = FR_SET_DEGRADED;
	h->set.use = FR_USE_READ_ONLY_FIRST;
}

struct fr_plan *plan_of(const struct fr_set *set, const struct fr_plan_options *options)
{
	struct fr_error err = { 0 };
	struct fr_plan *plan;

	if (fr_plan_new(set, options, &plan, &err) != 0)
		fail_msg("no plan: %s", err.text);
	return plan;
}
