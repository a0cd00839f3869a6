// SPDX-License-Identifier: GPL-2.0-or-later
/* scan.c - one look at the disks, from their paths to the sets: the stages in their order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

/* A scan and the memory that it is made of. */
struct scan_memory {
	struct fr_scan scan;
	struct fr_pool pool;
};

void fr_problem_add(struct fr_pool *pool, struct fr_scan *scan, const char *disk, const struct fr_format *format,
		    const uint64_t *where, bool unreadable, const char *reason)
{
	struct fr_problem *problems = scan->problems;
	size_t n = scan->nproblems;

	if ((n & (n - 1)) == 0) /* room is a power of two, and used up */
		problems = fr_pool_longer(pool, problems, n, n == 0 ? 1 : n, sizeof(*problems));
	if (problems == NULL)
		return;
	problems[scan->nproblems++] = (struct fr_problem){
		.disk = disk, .format = format, .has_lba = where != NULL, .lba = where == NULL ? 0 : *where,
		.reason = reason, .unreadable = unreadable,
	};
	scan->problems = problems;
}

/* ---- formats ---- */

static const struct fr_format *find_format(const char *name)
{
	const struct fr_format *const *f = fr_formats();

	while (*f != NULL && strcmp((*f)->name, name) != 0)
		f++;
	return *f;
}

static int choose_formats(struct fr_pool *pool, const char *const *names, const struct fr_format *const **formats,
			  struct fr_error *err)
{
	const struct fr_format **chosen;
	size_t count = 0;

	*formats = fr_formats();
	if (names == NULL)
		return 0;
	while (names[count] != NULL)
		count++;
	if (count == 0)
		return fr_fail(err, -EINVAL, "no format is named");
	chosen = fr_pool_array(pool, count + 1, sizeof(const struct fr_format *));
	if (chosen == NULL)
		return fr_fail(err, -ENOMEM, "out of memory");
	for (size_t i = 0; i < count; i++) {
		const struct fr_format *format = find_format(names[i]);
		size_t k = 0;

		if (format == NULL)
			return fr_fail(err, -EINVAL, "no format is called '%s'; see 'fakeraid formats'", names[i]);
		while (chosen[k] != NULL && chosen[k] != format) /* named twice, it is asked once */
			k++;
		chosen[k] = format;
	}
	*formats = chosen;
	return 0;
}

/* ---- disks ---- */

/* Given twice, under one name or two: the same disk is no second member. */
static bool is_same_file(const struct stat *a, const struct stat *b)
{
	if (S_ISBLK(a->st_mode) && S_ISBLK(b->st_mode))
		return a->st_rdev == b->st_rdev;
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool is_same_disk(int a, int b)
{
	struct stat sa, sb;

	return fstat(a, &sa) == 0 && fstat(b, &sb) == 0 && is_same_file(&sa, &sb);
}

static bool is_known(const struct fr_open_disk *open, size_t count, int fd)
{
	for (size_t i = 0; i < count; i++) {
		if (is_same_disk(open[i].fd, fd))
			return true;
	}
	return false;
}

/* "DISK=SERIAL": the last one for a disk counts. */
static void give_serial(struct fr_pool *pool, struct fr_disk *disk, const char *const *serials)
{
	size_t length = strlen(disk->path);

	for (; serials != NULL && *serials != NULL; serials++) {
		if (strncmp(*serials, disk->path, length) == 0 && (*serials)[length] == '=')
			disk->serial = fr_pool_text(pool, "%s", *serials + length + 1);
	}
}

/* Whether two paths are of the same disk; one that is not there is the same as none. */
static bool is_same_path(const char *a, const char *b)
{
	struct stat sa, sb;

	return strcmp(a, b) == 0 || (stat(a, &sa) == 0 && stat(b, &sb) == 0 && is_same_file(&sa, &sb));
}

static bool is_among(const char *path, const char *const *paths)
{
	for (; paths != NULL && *paths != NULL; paths++) {
		if (is_same_path(path, *paths))
			return true;
	}
	return false;
}

/* A disk to pass over that is not there is a mistake, and one that would go unseen. */
static int check_without(const char *const *without, char *const *paths, struct fr_error *err)
{
	for (; without != NULL && *without != NULL; without++) {
		if (!is_among(*without, (const char *const *)paths))
			return fr_fail(err, -ENOENT, "'%s' is to be passed over, and is not among the disks", *without);
	}
	return 0;
}

static size_t open_disks(struct fr_pool *pool, char *const *paths, size_t npaths, const struct fr_scan_options *options,
			 struct fr_open_disk *open, struct fr_scan *scan)
{
	size_t count = 0;

	for (size_t i = 0; i < npaths; i++) {
		struct fr_error why = { 0 };

		if (is_among(paths[i], options->without))
			continue;
		if (fr_disk_open(pool, paths[i], &open[count], &why) != 0) {
			fr_problem_add(pool, scan, paths[i], NULL, NULL, true, fr_pool_text(pool, "%s", why.text));
			continue;
		}
		if (is_known(open, count, open[count].fd)) {
			close(open[count].fd);
			continue;
		}
		give_serial(pool, open[count].disk, options->serials);
		scan->disks[scan->ndisks++] = open[count].disk;
		count++;
	}
	return count;
}

static void complain_of_tiny_disks(struct fr_pool *pool, struct fr_scan *scan)
{
	for (size_t i = 0; i < scan->ndisks; i++) {
		const struct fr_disk *d = scan->disks[i];

		if (d->nlooks == 0)
			fr_problem_add(pool, scan, d->path, NULL, NULL, false,
				       fr_pool_text(pool, "has %llu sectors: too small to carry metadata",
						    (unsigned long long)d->sectors));
	}
}

/* The device that already uses a set's members, and is not ours. */
static void note_holders(struct fr_pool *pool, struct fr_scan *scan)
{
	for (size_t i = 0; i < scan->nsets; i++) {
		struct fr_set *set = scan->sets[i];

		for (unsigned k = 0; k < set->width && set->holder == NULL; k++) {
			if (set->members[k].state == FR_MEMBER_OK)
				set->holder = fr_disk_holder(pool, set->members[k].disk);
		}
	}
}

/* A set that is said to be meant, and is not there, is a mistake. */
static int check_chosen(const struct fr_scan *scan, const char *const *chosen, struct fr_error *err)
{
	for (; chosen != NULL && *chosen != NULL; chosen++) {
		size_t i = 0;

		while (i < scan->nsets && !fr_set_is_called(scan->sets[i], *chosen))
			i++;
		if (i == scan->nsets)
			return fr_fail(err, -ENOENT, "no set '%s' is here to be chosen", *chosen);
	}
	return 0;
}

static int look(struct fr_pool *pool, const struct fr_scan_options *options, struct fr_scan *scan,
		struct fr_error *err)
{
	const struct fr_format *const *formats;
	char **paths = (char **)options->disks;
	struct fr_claims claims = { 0 };
	struct fr_open_disk *open;
	size_t npaths = 0, count;
	int rc = choose_formats(pool, options->formats, &formats, err);

	if (rc == 0 && paths == NULL)
		rc = fr_disk_enumerate(pool, &paths, err);
	if (rc != 0)
		return rc;
	while (paths[npaths] != NULL)
		npaths++;
	if (npaths > FR_MAX_DISKS)
		return fr_fail(err, -E2BIG, "%zu disks are more than the %d that fit one look", npaths, FR_MAX_DISKS);
	open = fr_pool_array(pool, npaths + 1, sizeof(*open));
	scan->disks = fr_pool_array(pool, npaths + 1, sizeof(struct fr_disk *));
	if (open == NULL || scan->disks == NULL)
		return fr_fail(err, -ENOMEM, "out of memory");
	rc = check_without(options->without, paths, err);
	if (rc != 0)
		return rc;
	count = open_disks(pool, paths, npaths, options, open, scan);
	fr_sectors_read(pool, open, count, formats, &claims, scan);
	if (options->deep)
		fr_deep_look(pool, open, count, formats, scan);
	for (size_t i = 0; i < count; i++)
		close(open[i].fd);
	fr_sets_make(pool, &claims, options->chosen, scan);
	complain_of_tiny_disks(pool, scan);
	note_holders(pool, scan);
	return check_chosen(scan, options->chosen, err);
}

int fr_scan(struct fr_context *ctx, const struct fr_scan_options *options, struct fr_scan **scan, struct fr_error *err)
{
	static const struct fr_scan_options all = { 0 };
	struct scan_memory *m = calloc(1, sizeof(*m));
	int rc;

	*scan = NULL;
	if (m == NULL)
		return fr_fail(err, -ENOMEM, "out of memory");
	rc = look(&m->pool, options == NULL ? &all : options, &m->scan, err);
	if (rc == 0 && m->pool.failed)
		rc = fr_fail(err, -ENOMEM, "out of memory");
	if (rc != 0) {
		fr_scan_free(&m->scan);
		return rc;
	}
	fr_log(ctx, FR_LOG_DEBUG, "looked at %zu disks: %zu sets, %zu problems", m->scan.ndisks, m->scan.nsets,
	       m->scan.nproblems);
	*scan = &m->scan;
	return 0;
}

void fr_scan_free(struct fr_scan *scan)
{
	struct scan_memory *m = (struct scan_memory *)scan; /* the scan is its first member */

	if (scan == NULL)
		return;
	fr_pool_free(&m->pool);
	free(m);
}

/* ---- by name ---- */

/* Names are compared as device-mapper would have them, so that both forms of a name are the same. */
static bool is_same_name(const char *a, const char *b)
{
	char ea[4 * FR_MAX_DM_NAME + 1], eb[4 * FR_MAX_DM_NAME + 1];

	fr_name_escape(ea, sizeof(ea), a, strlen(a));
	fr_name_escape(eb, sizeof(eb), b, strlen(b));
	return strcmp(a, b) == 0 || strcmp(ea, b) == 0 || strcmp(a, eb) == 0;
}

bool fr_set_is_called(const struct fr_set *set, const char *name)
{
	if (is_same_name(set->name, name))
		return true;
	for (const char *const *alias = set->aliases; alias != NULL && *alias != NULL; alias++) {
		if (is_same_name(*alias, name))
			return true;
	}
	return false;
}

/* The set that a name means, of those that have it by a given way of asking; *other: a second one. */
static const struct fr_set *find(const struct fr_scan *scan, const char *name,
				 bool (*has_name)(const struct fr_set *set, const char *name), const struct fr_set **other)
{
	const struct fr_set *found = NULL;

	*other = NULL;
	for (size_t i = 0; i < scan->nsets; i++) {
		if (!has_name(scan->sets[i], name))
			continue;
		*other = found;
		found = scan->sets[i];
	}
	return found;
}

static bool is_named(const struct fr_set *set, const char *name)
{
	return is_same_name(set->name, name);
}

static bool begins_with(const struct fr_set *set, const char *name)
{
	return name[0] != '\0' && strncmp(set->name, name, strlen(name)) == 0;
}

const struct fr_set *fr_scan_find(const struct fr_scan *scan, const char *name, struct fr_error *err)
{
	static bool (*const ways[])(const struct fr_set *, const char *) = { is_named, fr_set_is_called, begins_with };
	static const char node[] = "/dev/mapper/";
	const struct fr_set *found = NULL, *other = NULL;

	if (strncmp(name, node, sizeof(node) - 1) == 0)
		name += sizeof(node) - 1;
	for (size_t i = 0; i < FR_COUNT(ways) && found == NULL; i++)
		found = find(scan, name, ways[i], &other);
	if (found == NULL)
		fr_fail(err, -ENOENT, "no set '%s' is here", name);
	else if (other != NULL)
		fr_fail(err, -EINVAL, "'%s' may mean %s or %s", name, other->name, found->name);
	return other == NULL ? found : NULL;
}
