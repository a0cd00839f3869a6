// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All unpacked and generated cases by the library: FAKERAID_IMAGES (build/images
 * if not set) holds FORMAT/CASE/{diskN.img, expect.json}; see README.md here for
 * what expect.json says.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <json-c/json.h>
#include <stdio.h>
#include <sys/stat.h>

#include "testing.h"

enum { MAX_CASES = 4096, MAX_CASE_DISKS = 64, READ_SECTORS = 256 };

struct one_case {
	char folder[1024];
	struct json_object *expect;
	size_t ndisks;
	char *paths[MAX_CASE_DISKS + 1];
	struct fr_scan *scan;
};

/* ---- expect.json ---- */

static struct json_object *get(struct json_object *o, const char *key)
{
	struct json_object *value = NULL;

	json_object_object_get_ex(o, key, &value);
	return value;
}

static const char *get_string(struct json_object *o, const char *key)
{
	return json_object_get_string(get(o, key));
}

static uint64_t get_number(struct json_object *o, const char *key)
{
	return (uint64_t)json_object_get_int64(get(o, key));
}

static bool get_bool(struct json_object *o, const char *key)
{
	return json_object_get_boolean(get(o, key)) != 0;
}

static size_t count_of(struct json_object *array)
{
	return array == NULL ? 0 : json_object_array_length(array);
}

static void open_case(struct one_case *c, const char *folder)
{
	struct json_object *disks;
	char *path;

	memset(c, 0, sizeof(*c));
	snprintf(c->folder, sizeof(c->folder), "%s", folder);
	assert_true(asprintf(&path, "%s/expect.json", folder) > 0);
	c->expect = json_object_from_file(path);
	free(path);
	if (c->expect == NULL)
		fail_msg("%s/expect.json: %s", folder, json_util_get_last_err());
	disks = get(c->expect, "disks");
	c->ndisks = count_of(disks);
	assert_in_range(c->ndisks, 1, MAX_CASE_DISKS);
	for (size_t i = 0; i < c->ndisks; i++)
		assert_true(asprintf(&c->paths[i], "%s/%s", folder,
				     json_object_get_string(json_object_array_get_idx(disks, i))) > 0);
	c->scan = scan_paths((const char *const *)c->paths);
}

static void close_case(struct one_case *c)
{
	fr_scan_free(c->scan);
	for (size_t i = 0; i < c->ndisks; i++)
		free(c->paths[i]);
	json_object_put(c->expect);
}

/* Whether a path is that of a disk by its name in expect.json. */
static bool is_disk(const char *path, const char *name)
{
	const char *base = strrchr(path, '/');

	return strcmp(base == NULL ? path : base + 1, name) == 0;
}

/* ---- facts of a set ---- */

/* NULL there: not laid down. */
static void compare_words(const char *what, struct json_object *wanted, const char *found)
{
	if (wanted != NULL && (found == NULL || strcmp(json_object_get_string(wanted), found) != 0))
		fail_msg("%s is %s, should be %s", what, found == NULL ? "(none)" : found,
			 json_object_get_string(wanted));
}

static void compare_numbers(const char *what, struct json_object *wanted, uint64_t found)
{
	if (wanted != NULL && (uint64_t)json_object_get_int64(wanted) != found)
		fail_msg("%s is %llu, should be %s", what, (unsigned long long)found, json_object_get_string(wanted));
}

static void compare_state(struct json_object *wanted, const struct fr_set *set)
{
	const char *found = fr_set_state_name(set->state);
	struct json_object *also = get(wanted, "also_right");

	for (size_t i = 0; i < count_of(also); i++) {
		if (strcmp(json_object_get_string(json_object_array_get_idx(also, i)), found) == 0)
			return;
	}
	compare_words("state", get(wanted, "state"), found);
}

static bool lists_disk(const struct fr_member *list, size_t count, const char *disk)
{
	for (size_t i = 0; i < count; i++) {
		if (is_disk(list[i].disk->path, disk))
			return true;
	}
	return false;
}

/* What contradicts the others may be shown as stale in its slot, or left out with the slot missing. */
static bool is_left_out_instead(const struct fr_set *set, struct json_object *wanted, const struct fr_member *m)
{
	return m->state == FR_MEMBER_MISSING && strcmp(get_string(wanted, "state"), "stale") == 0 &&
	       lists_disk(set->left_out, set->nleft_out, get_string(wanted, "disk"));
}

static void compare_member(struct json_object *wanted, const struct fr_set *set, size_t i)
{
	const struct fr_member *m = &set->members[i];
	const char *disk = get_string(wanted, "disk");
	char what[40];

	assert_true(i < set->width);
	snprintf(what, sizeof(what), "member %zu", i);
	if (is_left_out_instead(set, wanted, m))
		return;
	compare_words(what, get(wanted, "state"), fr_member_state_name(m->state));
	compare_numbers(what, get(wanted, "index"), m->index);
	if (disk == NULL ? m->disk != NULL : m->disk == NULL || !is_disk(m->disk->path, disk))
		fail_msg("%s is on %s, should be on %s", what, m->disk == NULL ? "(none)" : m->disk->path,
			 disk == NULL ? "(none)" : disk);
	if (m->state == FR_MEMBER_MISSING)
		return;
	compare_numbers(what, get(wanted, "offset"), m->offset);
	if (m->sectors != 0 || get_bool(wanted, "mappable")) /* of a set that is not mapped it may not be known */
		compare_numbers(what, get(wanted, "sectors"), m->sectors);
	if (m->has_generation)
		compare_numbers(what, get(wanted, "generation"), m->generation);
}

static void compare_list(const char *what, struct json_object *wanted, const struct fr_member *list, size_t count)
{
	for (size_t i = 0; i < count_of(wanted); i++) {
		const char *disk = get_string(json_object_array_get_idx(wanted, i), "disk");

		if (!lists_disk(list, count, disk))
			fail_msg("%s is not in %s", disk, what);
	}
}

static bool is_wanted_stale(struct json_object *members, const char *path)
{
	for (size_t i = 0; i < count_of(members); i++) {
		struct json_object *m = json_object_array_get_idx(members, i);

		if (get_string(m, "disk") != NULL && is_disk(path, get_string(m, "disk")) &&
		    strcmp(get_string(m, "state"), "stale") == 0)
			return true;
	}
	return false;
}

/* Spares and disks left out: those that are laid down, and no others. */
static void compare_lists(struct json_object *wanted, const struct fr_set *set)
{
	struct json_object *spares = get(wanted, "spares"), *left_out = get(wanted, "left_out");

	compare_list("spares", spares, set->spares, set->nspares);
	compare_list("left_out", left_out, set->left_out, set->nleft_out);
	if (spares != NULL && set->nspares > count_of(spares))
		fail_msg("%zu spares, should be %zu", set->nspares, count_of(spares));
	for (size_t i = 0; left_out != NULL && i < set->nleft_out; i++) {
		bool listed = is_wanted_stale(get(wanted, "members"), set->left_out[i].disk->path);

		for (size_t k = 0; k < count_of(left_out); k++)
			listed = listed || is_disk(set->left_out[i].disk->path,
						   get_string(json_object_array_get_idx(left_out, k), "disk"));
		if (!listed)
			fail_msg("%s is left out, and should not be", set->left_out[i].disk->path);
	}
}

static void compare_facts(struct json_object *wanted, const struct fr_set *set)
{
	struct json_object *members = get(wanted, "members");

	compare_words("format", get(wanted, "format"), set->format->name);
	compare_words("level", get(wanted, "level"), fr_level_name(set->level));
	compare_words("layout", get(wanted, "layout"), fr_layout_name(set->layout));
	compare_numbers("chunk", get(wanted, "chunk"), set->chunk);
	compare_numbers("size", get(wanted, "sectors"), set->sectors);
	compare_numbers("width", get(wanted, "width"), set->width);
	compare_state(wanted, set);
	if (set->state != FR_SET_OK && set->nreasons == 0)
		fail_msg("%s, and no reason is given", fr_set_state_name(set->state));
	for (size_t i = 0; i < count_of(members); i++)
		compare_member(json_object_array_get_idx(members, i), set, i);
	compare_lists(wanted, set);
}

/* ---- data ---- */

static void read_sectors(struct fr_reader *reader, uint64_t sector, size_t count, uint8_t *buf)
{
	struct fr_error err = { 0 };

	if (fr_reader_read(reader, sector, count, buf, &err) != 0)
		fail_msg("data cannot be read: %s", err.text);
}

/* The number of the first sector that is wrong; RIGHT if none is. */
#define RIGHT UINT64_MAX

static uint64_t wrong_in_pattern(struct fr_reader *reader, uint64_t sector, size_t count, uint64_t seed)
{
	uint8_t buf[READ_SECTORS * FR_SECTOR_SIZE];
	size_t right;

	read_sectors(reader, sector, count, buf);
	right = pattern_right(buf, sector, count, seed);
	return right == count ? RIGHT : sector + right;
}

static bool is_zero(struct fr_reader *reader, uint64_t sector)
{
	static const uint8_t zeros[FR_SECTOR_SIZE];
	uint8_t buf[FR_SECTOR_SIZE];

	read_sectors(reader, sector, 1, buf);
	return memcmp(buf, zeros, sizeof(zeros)) == 0;
}

/* Large sets hold the pattern in some sectors only; their neighbours are zeros. */
static uint64_t wrong_of_some(struct fr_reader *reader, struct json_object *only, uint64_t sectors, uint64_t seed)
{
	for (size_t i = 0; i < count_of(only); i++) {
		uint64_t sector = (uint64_t)json_object_get_int64(json_object_array_get_idx(only, i));
		uint64_t next = i + 1 < count_of(only) ?
				(uint64_t)json_object_get_int64(json_object_array_get_idx(only, i + 1)) : sectors;

		if (wrong_in_pattern(reader, sector, 1, seed) != RIGHT)
			return sector;
		if (sector + 1 < next && !is_zero(reader, sector + 1))
			return sector + 1;
	}
	return RIGHT;
}

static uint64_t first_wrong(struct json_object *data, const struct fr_plan *plan)
{
	uint64_t sectors = plan->devices[plan->ndevices - 1].sectors, seed = get_number(data, "seed"), wrong = RIGHT;
	struct json_object *only = get(data, "only_sectors");
	struct fr_reader *reader;
	struct fr_error err = { 0 };

	if (fr_reader_new(plan, &reader, &err) != 0)
		fail_msg("no reader: %s", err.text);
	if (only != NULL) {
		wrong = wrong_of_some(reader, only, sectors, seed);
	} else {
		for (uint64_t at = get_number(data, "from_sector"); wrong == RIGHT && at < sectors; at += READ_SECTORS)
			wrong = wrong_in_pattern(reader, at, sectors - at < READ_SECTORS ? (size_t)(sectors - at) :
						 READ_SECTORS, seed);
	}
	fr_reader_free(reader);
	return wrong;
}

/* Where it is not known which layout the firmware used, one of those that can be asked for must be right. */
static bool another_layout_is_right(struct json_object *data, const struct fr_set *set)
{
	for (int layout = FR_LAYOUT_LEFT_ASYMMETRIC; layout <= FR_LAYOUT_RIGHT_SYMMETRIC; layout++) {
		const struct fr_plan_options asked = { .on_request = true, .layout = (enum fr_layout)layout };
		struct fr_plan *plan = plan_of(set, &asked);
		uint64_t wrong = first_wrong(data, plan);

		fr_plan_free(plan);
		if (wrong == RIGHT)
			return true;
	}
	return false;
}

static void compare_data(struct json_object *wanted, const struct fr_set *set, const struct fr_plan *plan)
{
	struct json_object *data = get(wanted, "data");
	uint64_t wrong = data == NULL ? RIGHT : first_wrong(data, plan);

	if (wrong == RIGHT || (get_bool(wanted, "on_request") && fr_level_has_parity(set->level) &&
			       get(wanted, "layout") == NULL && another_layout_is_right(data, set)))
		return;
	fail_msg("sector %llu of the data is wrong", (unsigned long long)wrong);
}

/* ---- what is mapped ---- */

/* Stale, failed, spare and foreign disks are in no table. */
static void compare_never(struct one_case *c, const struct fr_plan *plan)
{
	struct json_object *never = get(c->expect, "never");

	for (size_t d = 0; d < plan->ndevices; d++) {
		for (size_t t = 0; t < plan->devices[d].ntargets; t++) {
			const struct fr_target *target = &plan->devices[d].targets[t];

			for (size_t l = 0; l < target->nlegs; l++) {
				for (size_t i = 0; target->legs[l].disk != NULL && i < count_of(never); i++) {
					const char *disk = json_object_get_string(json_object_array_get_idx(never, i));

					if (is_disk(target->legs[l].disk->path, disk))
						fail_msg("%s is mapped, and must not be", disk);
				}
			}
		}
	}
}

/* A degraded set comes up read-only. */
static void compare_mode(const struct fr_set *set, const struct fr_plan *plan)
{
	if ((set->state == FR_SET_DEGRADED || set->state == FR_SET_REBUILDING) && !plan->read_only)
		fail_msg("%s, and mapped read-write", fr_set_state_name(set->state));
}

static void compare_mapping(struct one_case *c, struct json_object *wanted, const struct fr_set *set)
{
	bool mappable = get_bool(wanted, "mappable"), on_request = get_bool(wanted, "on_request");
	const struct fr_plan_options asked = { .on_request = on_request };
	struct fr_error err = { 0 };
	struct fr_plan *plan;

	if (fr_plan_new(set, &asked, &plan, &err) != 0) {
		if (mappable && !on_request)
			fail_msg("not mapped: %s", err.text);
		return;
	}
	if (!mappable)
		fail_msg("mapped, and must not be");
	compare_mode(set, plan);
	compare_never(c, plan);
	compare_data(wanted, set, plan);
	fr_plan_free(plan);
}

/* ---- sets ---- */

static const struct fr_set *set_named(const struct fr_scan *scan, const char *name)
{
	for (size_t i = 0; i < scan->nsets; i++) {
		if (strcmp(scan->sets[i]->name, name) == 0)
			return scan->sets[i];
	}
	return NULL;
}

static bool is_expected(struct json_object *sets, const struct fr_set *set)
{
	for (size_t i = 0; i < count_of(sets); i++) {
		if (strcmp(get_string(json_object_array_get_idx(sets, i), "name"), set->name) == 0)
			return true;
	}
	return false;
}

static void compare_sets(struct one_case *c)
{
	struct json_object *sets = get(c->expect, "sets");

	for (size_t i = 0; i < count_of(sets); i++) {
		struct json_object *wanted = json_object_array_get_idx(sets, i);
		const struct fr_set *set = set_named(c->scan, get_string(wanted, "name"));

		if (set == NULL) {
			if (get_bool(wanted, "mappable"))
				fail_msg("no set %s", get_string(wanted, "name"));
			continue; /* what cannot be mapped may be listed or not */
		}
		/* Of a hostile set that is refused nothing counts but that; its facts are whatever it is made to say. */
		if (get_bool(wanted, "mappable") || !get_bool(c->expect, "hostile"))
			compare_facts(wanted, set);
		compare_mapping(c, wanted, set);
	}
}

/* A set that is not expected may be listed, if it cannot be mapped on any request. */
static void compare_other_sets(struct one_case *c)
{
	const struct fr_plan_options anything = { .on_request = true, .degraded = FR_DEGRADED_READ_WRITE };

	for (size_t i = 0; i < c->scan->nsets; i++) {
		const struct fr_set *set = c->scan->sets[i];
		struct fr_plan *plan;

		if (is_expected(get(c->expect, "sets"), set))
			continue;
		if (fr_plan_new(set, &anything, &plan, NULL) == 0)
			fail_msg("%s is mapped, and no such set is there", set->name);
	}
}

/* ---- problems ---- */

/* Whether the text holds the words; case and the joint of words do not matter. */
static bool mentions(const char *text, const char *words)
{
	size_t length = strlen(words);

	for (; text != NULL && *text != '\0'; text++) {
		size_t i = 0;

		while (i < length && text[i] != '\0' && (tolower((unsigned char)text[i]) == words[i] ||
							(words[i] == ' ' && text[i] == '_')))
			i++;
		if (i == length)
			return true;
	}
	return false;
}

static bool members_mention(const struct fr_member *list, size_t count, const char *disk, const char *words)
{
	for (size_t i = 0; i < count; i++) {
		if (list[i].disk != NULL && is_disk(list[i].disk->path, disk) && mentions(list[i].reason, words))
			return true;
	}
	return false;
}

static bool blocks_mention(const struct fr_disk *d, const char *words)
{
	for (size_t i = 0; i < d->nlooks; i++) {
		if (d->looks[i].verdict != FR_VERDICT_NONE && mentions(d->looks[i].reason, words))
			return true;
	}
	return false;
}

/* Whether anything that is said of the disk holds the words. */
static bool is_said(const struct fr_scan *scan, const char *disk, const char *words)
{
	for (size_t i = 0; i < scan->nproblems; i++) {
		if (is_disk(scan->problems[i].disk, disk) && mentions(scan->problems[i].reason, words))
			return true;
	}
	for (size_t i = 0; i < scan->ndisks; i++) {
		if (is_disk(scan->disks[i]->path, disk) && blocks_mention(scan->disks[i], words))
			return true;
	}
	for (size_t i = 0; i < scan->nsets; i++) {
		const struct fr_set *set = scan->sets[i];

		if (members_mention(set->members, set->width, disk, words) ||
		    members_mention(set->left_out, set->nleft_out, disk, words))
			return true;
	}
	return false;
}

static void compare_problems(struct one_case *c)
{
	struct json_object *problems = get(c->expect, "problems");

	for (size_t i = 0; i < count_of(problems); i++) {
		struct json_object *one = json_object_array_get_idx(problems, i), *about = get(one, "about");
		const char *disk = get_string(one, "disk");

		if (count_of(about) == 0 && !is_said(c->scan, disk, ""))
			fail_msg("nothing is said of %s", disk);
		for (size_t k = 0; k < count_of(about); k++) {
			const char *words = json_object_get_string(json_object_array_get_idx(about, k));

			if (!is_said(c->scan, disk, words))
				fail_msg("nothing that is said of %s mentions \"%s\"", disk, words);
		}
	}
}

/* ---- cases ---- */

static void images(void **state)
{
	struct one_case c;

	open_case(&c, *state);
	compare_sets(&c);
	compare_other_sets(&c);
	compare_problems(&c);
	close_case(&c);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* All folders below `root` that hold an expect.json, two levels down. */
static size_t find_cases(const char *root, unsigned depth, char **cases, size_t count)
{
	DIR *dir = opendir(root);
	struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		char *path, *expect;
		struct stat st;

		if (entry->d_name[0] == '.' || count == MAX_CASES)
			continue;
		if (asprintf(&path, "%s/%s", root, entry->d_name) < 0 || asprintf(&expect, "%s/expect.json", path) < 0)
			abort();
		if (depth == 0) {
			count = find_cases(path, 1, cases, count);
		} else if (stat(expect, &st) == 0) {
			cases[count++] = path;
			path = NULL;
		}
		free(path);
		free(expect);
	}
	if (dir != NULL)
		closedir(dir);
	return count;
}

static const char *case_name(const char *folder)
{
	const char *at = folder + strlen(folder);

	for (int slashes = 0; at > folder; at--) {
		if (at[-1] == '/' && ++slashes == 2)
			break;
	}
	return at;
}

static void there_are_cases(void **state)
{
	if (*(const size_t *)*state == 0)
		fail_msg("no case was found: unpack and generate the images first, or say in FAKERAID_IMAGES where they are");
}

int main(void)
{
	const char *root = getenv("FAKERAID_IMAGES");
	struct test_list list = { 0 };
	char *cases[MAX_CASES];
	size_t count = find_cases(root == NULL ? "build/images" : root, 0, cases, 0);
	int rc;

	qsort(cases, count, sizeof(cases[0]), by_name);
	add_test(&list, "there_are_cases", NULL, there_are_cases, &count);
	for (size_t i = 0; i < count; i++)
		add_test(&list, "images", case_name(cases[i]), images, cases[i]);
	rc = run_list("images", &list);
	for (size_t i = 0; i < count; i++)
		free(cases[i]);
	return rc;
}
