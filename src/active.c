// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * active.c - which sets are active, and which devices are a set's: by the uuids alone. DMRAID-NAME is the set,
 * DMRAID-NAME-slice0 and the like are its parts, part1-DMRAID-NAME is its first partition. Nothing else is remembered,
 * so that any version of this, kpartx and dmraid understand what they find.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "active.h"

#define LOCK_FOLDER "/run/fakeraid"

enum {
	LOCK_LIMIT_MS = 120000,
	MAX_DEPTH = 8,           /* of devices built on each other that are followed */
};

/* ---- the lock ---- */

int fr_lock_take(struct fr_context *ctx)
{
	int fd;

	if (mkdir(LOCK_FOLDER, 0755) != 0 && errno != EEXIST)
		fr_log(ctx, FR_LOG_DEBUG, "no lock: %s cannot be made: %s", LOCK_FOLDER, strerror(errno));
	fd = open(LOCK_FOLDER "/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0) {
		fr_log(ctx, FR_LOG_DEBUG, "no lock: %s/lock cannot be opened: %s", LOCK_FOLDER, strerror(errno));
		return -1;
	}
	for (int waited = 0; flock(fd, LOCK_EX | LOCK_NB) != 0; waited += FR_DM_RETRY_MS) {
		if (errno != EINTR && (errno != EWOULDBLOCK || waited >= LOCK_LIMIT_MS)) {
			fr_log(ctx, FR_LOG_WARNING, "going on without the lock %s/lock: %s", LOCK_FOLDER,
			       strerror(errno));
			close(fd);
			return -1;
		}
		fr_pause(FR_DM_RETRY_MS);
	}
	return fd;
}

void fr_lock_drop(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* ---- the devices of a set, as they are found in the kernel ---- */

static bool begins(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

const struct fr_dm_node *fr_node_of(const struct fr_dm_node *all, size_t count, dev_t devno)
{
	for (size_t i = 0; i < count; i++) {
		if (all[i].devno == devno)
			return &all[i];
	}
	return NULL;
}

/* Whether a uuid is that of a partition of the set: part1-DMRAID-NAME, and nothing longer. */
static bool is_partition_of(const char *uuid, const char *set_uuid)
{
	size_t digits;

	if (!begins(uuid, "part"))
		return false;
	digits = strspn(uuid + 4, "0123456789");
	return digits != 0 && uuid[4 + digits] == '-' && strcmp(uuid + 4 + digits + 1, set_uuid) == 0;
}

/*
 * Whether a device below the set is a part of it by its uuid: DMRAID-NAME- and slice0, missing1, column2, whole; dmraid
 * gives its sub-sets bare numbers.
 */
static bool is_part_of(const char *uuid, const char *set_uuid)
{
	static const char *const words[] = { "slice", "missing", "column", "" };
	size_t length = strlen(set_uuid);
	const char *what;

	if (!begins(uuid, set_uuid) || uuid[length] != '-')
		return false;
	what = uuid + length + 1;
	for (size_t i = 0; i < FR_COUNT(words); i++) {
		const char *number = what + strlen(words[i]);

		if (begins(what, words[i]) && number[0] != '\0' && strspn(number, "0123456789") == strlen(number))
			return true;
	}
	return strcmp(what, "whole") == 0;
}

static void add_disk(struct fr_family *f, dev_t devno)
{
	for (size_t i = 0; i < f->ndisks; i++) {
		if (f->disks[i] == devno)
			return;
	}
	if (f->ndisks < FR_COUNT(f->disks))
		f->disks[f->ndisks++] = devno;
}

/* What the device `above` is built on: parts of the set join the family, the rest are disks. */
static void add_below(struct fr_family *f, dev_t above, const char *set_uuid)
{
	struct fr_block_link below[FR_MAX_BLOCK_LINKS];
	size_t count = fr_block_links(above, "slaves", below);

	for (size_t i = 0; i < count; i++) {
		const struct fr_dm_node *node = fr_node_of(f->all, f->nall, below[i].devno);

		if (node == NULL)
			add_disk(f, below[i].devno);
		else if (strcmp(node->uuid, FR_UUID_PREFIX FR_ZERO_NAME) == 0)
			f->shared = node;
		else if (!is_part_of(node->uuid, set_uuid))
			add_disk(f, below[i].devno);
		else if (fr_node_of(f->list, f->count, node->devno) == NULL)
			f->list[f->count++] = *node;
	}
}

int fr_family_find(struct fr_family *f, const char *set_name, struct fr_error *err)
{
	const char *uuid = fr_pool_text(&f->pool, FR_UUID_PREFIX "%s", set_name);
	const struct fr_dm_node *set = NULL;
	int rc = fr_dm_list(&f->pool, &f->all, &f->nall, err);

	f->list = fr_pool_array(&f->pool, f->nall + 1, sizeof(*f->list));
	if (f->pool.failed)
		return fr_fail(err, -ENOMEM, "out of memory");
	if (rc != 0)
		return rc;
	for (size_t i = 0; i < f->nall; i++) {
		if (strcmp(f->all[i].uuid, uuid) == 0)
			set = &f->all[i];
		else if (is_partition_of(f->all[i].uuid, uuid))
			f->list[f->count++] = f->all[i];
	}
	if (set == NULL)
		return fr_fail(err, -ENOENT, "%s is not active", set_name);
	f->npartitions = f->count;
	f->list[f->count++] = *set;
	for (size_t i = f->npartitions; i < f->count; i++) /* the list grows */
		add_below(f, f->list[i].devno, uuid);
	return 0;
}
/* ---- which sets are active ---- */

/* Whether a device that is built on `below` has the uuid that the part's begins with: then it is a part of that one. */
static bool is_part(const struct fr_dm_node *all, size_t count, const struct fr_dm_node *part, dev_t below, int depth)
{
	struct fr_block_link holders[FR_MAX_BLOCK_LINKS];
	size_t nholders = depth == 0 ? 0 : fr_block_links(below, "holders", holders);

	for (size_t i = 0; i < nholders; i++) {
		const struct fr_dm_node *above = fr_node_of(all, count, holders[i].devno);

		if (above != NULL && (is_part_of(part->uuid, above->uuid) ||
				      is_part(all, count, part, above->devno, depth - 1)))
			return true;
	}
	return false;
}

static bool is_set(const struct fr_dm_node *all, size_t count, const struct fr_dm_node *node)
{
	return begins(node->uuid, FR_UUID_PREFIX) && strcmp(node->uuid, FR_UUID_PREFIX FR_ZERO_NAME) != 0 &&
	       !is_part(all, count, node, node->devno, MAX_DEPTH);
}

bool fr_is_active(const char *set_name)
{
	struct fr_pool pool = { 0 };
	struct fr_dm_node *all;
	size_t count;
	bool found = false;

	if (fr_dm_list(&pool, &all, &count, NULL) == 0) {
		for (size_t i = 0; i < count && !found; i++)
			found = is_set(all, count, &all[i]) &&
				strcmp(all[i].uuid + strlen(FR_UUID_PREFIX), set_name) == 0;
	}
	fr_pool_free(&pool);
	return found;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void free_names(char **names)
{
	for (size_t i = 0; names[i] != NULL; i++)
		free(names[i]);
	free(names);
}

int fr_active_sets(struct fr_context *ctx, char ***names, struct fr_error *err)
{
	struct fr_pool pool = { 0 };
	struct fr_dm_node *all;
	size_t count, n = 0;
	int rc = fr_dm_list(&pool, &all, &count, err);
	char **list = calloc(count + 1, sizeof(*list));

	(void)ctx;
	for (size_t i = 0; rc == 0 && list != NULL && i < count; i++) {
		if (!is_set(all, count, &all[i]))
			continue;
		list[n] = strdup(all[i].uuid + strlen(FR_UUID_PREFIX));
		if (list[n++] == NULL)
			rc = fr_fail(err, -ENOMEM, "out of memory");
	}
	fr_pool_free(&pool);
	*names = list;
	if (list == NULL)
		return fr_fail(err, -ENOMEM, "out of memory");
	if (rc != 0) {
		free_names(list);
		*names = NULL;
		return rc;
	}
	qsort(list, n, sizeof(*list), compare_names);
	return 0;
}
