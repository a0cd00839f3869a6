// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * arrival.c - one disk more: what it is to the sets, and what is to be done.
 *
 * For udev's rules, which call it for every disk that carries a RAID
 * signature. It reads this disk, and those noted before it, and changes
 * nothing but the kernel's own partitions of disks that belong to a set: a
 * mirror's half looks like a disk that can be mounted.
 */
#include <stdlib.h>
#include <string.h>

#include "dm.h"
#include "notes.h"

struct arrival_memory {
	struct fr_arrival arrival; /* first: fr_arrival_free() goes by it */
	struct fr_pool pool;
};

static bool has_record(const struct fr_disk *disk)
{
	for (size_t i = 0; i < disk->nlooks; i++) {
		if (disk->looks[i].verdict >= FR_VERDICT_STALE)
			return true;
	}
	return false;
}

static const struct fr_disk *disk_of(const struct fr_scan *scan, dev_t devno)
{
	for (size_t i = 0; i < scan->ndisks; i++) {
		if (scan->disks[i]->devno == devno)
			return scan->disks[i];
	}
	return NULL;
}

/* Looks at all the disks that have come so far; without notes, at all the machine's. */
static int look_at_all(struct fr_context *ctx, struct fr_pool *pool, const struct fr_disk *disk, struct fr_scan **scan,
		       struct fr_error *err)
{
	const char **nodes = fr_pool_array(pool, FR_MAX_DISKS + 2, sizeof(const char *));
	struct fr_scan_options all = { 0 };
	int rc = fr_note_disk(disk);

	if (nodes == NULL)
		return fr_fail(err, -ENOMEM, "out of memory");
	if (rc != 0)
		fr_log(ctx, FR_LOG_WARNING, "%s: cannot be noted below /run/fakeraid: %s; all disks are read instead", disk->path,
		       strerror(-rc));
	else if (fr_noted_disks(pool, nodes, FR_MAX_DISKS) != 0)
		all.disks = nodes;
	return fr_scan(ctx, &all, scan, err);
}

int fr_arrive(struct fr_context *ctx, const char *node, struct fr_arrival **arrival, struct fr_error *err)
{
	const char *const one[] = { node, NULL };
	struct fr_scan_options only = { .disks = one };
	struct arrival_memory *m = calloc(1, sizeof(*m));
	struct fr_scan *first = NULL;
	int rc;

	*arrival = NULL;
	if (m == NULL)
		return fr_fail(err, -ENOMEM, "out of memory");
	rc = fr_scan(ctx, &only, &first, err);
	if (rc == 0 && first->ndisks == 0)
		rc = fr_fail(err, -EIO, "%s: %s", node, first->nproblems == 0 ? "cannot be read" : first->problems[0].reason);
	if (rc == 0 && first->disks[0]->is_image) {
		fr_log(ctx, FR_LOG_DEBUG, "%s is an image, and no disk of this machine", node);
	} else if (rc == 0 && has_record(first->disks[0])) {
		rc = look_at_all(ctx, &m->pool, first->disks[0], &m->arrival.scan, err);
		if (rc == 0)
			m->arrival.disk = disk_of(m->arrival.scan, first->disks[0]->devno);
	} else if (rc == 0) {
		fr_forget_disk(first->disks[0]->devno);
	}
	fr_scan_free(first);
	if (rc != 0)
		fr_arrival_free(&m->arrival);
	else
		*arrival = &m->arrival;
	return rc;
}

void fr_arrival_free(struct fr_arrival *arrival)
{
	struct arrival_memory *m = (struct arrival_memory *)arrival;

	if (arrival == NULL)
		return;
	fr_scan_free(arrival->scan);
	fr_pool_free(&m->pool);
	free(m);
}

void fr_depart(dev_t devno)
{
	fr_forget_disk(devno);
}

/* ---- what the disk is to a set ---- */

static const struct fr_member *member_on(const struct fr_member *members, size_t count, const struct fr_disk *disk)
{
	for (size_t i = 0; i < count; i++) {
		if (members[i].disk == disk)
			return &members[i];
	}
	return NULL;
}

bool fr_set_has_disk(const struct fr_set *set, const struct fr_disk *disk)
{
	return member_on(set->members, set->width, disk) != NULL || member_on(set->spares, set->nspares, disk) != NULL ||
	       member_on(set->left_out, set->nleft_out, disk) != NULL;
}

unsigned fr_set_missing(const struct fr_set *set)
{
	unsigned missing = 0;

	for (unsigned i = 0; i < set->width; i++)
		missing += set->members[i].disk == NULL;
	return missing;
}

bool fr_set_runs_without(const struct fr_set *set, const struct fr_disk *disk)
{
	struct fr_block_link holders[FR_MAX_BLOCK_LINKS];
	const struct fr_member *m = member_on(set->members, set->width, disk);

	return m != NULL && m->state == FR_MEMBER_OK && fr_is_active(set->name) &&
	       fr_block_links(disk->devno, "holders", holders) == 0;
}

/* Of a set that may be assembled. */
static enum fr_readiness readiness(const struct fr_set *set)
{
	if (fr_set_missing(set) != 0)
		return set->use >= FR_USE_READ_ONLY ? FR_READY_DEGRADED : FR_READY_WAITING;
	return set->use >= FR_USE_READ_ONLY ? FR_READY_COMPLETE : FR_READY_NEVER;
}

enum fr_readiness fr_set_readiness(const struct fr_policy *policy, const struct fr_set *set, const char **why)
{
	char text[8];

	if (set->holder != NULL) {
		*why = "it is in use by another tool's device";
		return FR_READY_FOREIGN;
	}
	if (!fr_policy_allows(policy, set, why))
		return policy->off == NULL && fr_policy_is_foreign(policy, set) ? FR_READY_FOREIGN : FR_READY_DISABLED;
	if (fr_noted_set(FR_NOTE_RELEASED, set->name, text, sizeof(text)) && fr_set_missing(set) != 0) {
		*why = "its other disks did not come";
		return FR_READY_DISABLED;
	}
	return readiness(set);
}

const char *fr_readiness_name(enum fr_readiness readiness)
{
	static const char *const names[] = { "disabled", "foreign", "impossible", "waiting", "degradable", "complete" };

	return names[readiness];
}

/* ---- the kernel's partitions of its disks ---- */

int fr_hide_partitions(struct fr_context *ctx, const struct fr_disk *disk, struct fr_error *err)
{
	return fr_kernel_partitions_remove(ctx, disk, err);
}

/*
 * A set that will not be assembled: its disks are given back. Not those of a mirror: a half of it that is mounted for
 * the whole is what people lost data to, and whoever means it can say so.
 */
bool fr_release(struct fr_context *ctx, const struct fr_set *set)
{
	if (fr_level_has_copies(set->level))
		return false;
	if (fr_note_set(FR_NOTE_RELEASED, set->name, "1\n") != 0)
		return false;
	for (unsigned i = 0; i < set->width; i++) {
		if (set->members[i].disk != NULL)
			fr_kernel_partitions_restore(ctx, set->members[i].disk->devno);
	}
	return true;
}
