// SPDX-License-Identifier: GPL-2.0-or-later
/* deactivate.c - the devices of a set taken away: all of them, or none if any is in use. */
#include <stdio.h>
#include <string.h>

#include "active.h"
#include "notes.h"

/* Openers of a device besides the set's own. */
static int foreign_openers(struct fr_context *ctx, const struct fr_family *f, const struct fr_dm_node *node, int *count,
			   struct fr_error *err)
{
	struct fr_block_link holders[FR_MAX_BLOCK_LINKS];
	size_t nholders = fr_block_links(node->devno, "holders", holders);
	struct fr_dm_info info;
	int rc = fr_dm_info(ctx, node->uuid, &info, err);

	*count = info.exists ? info.open_count : 0;
	for (size_t i = 0; i < nholders; i++) {
		if (fr_node_of(f->list, f->count, holders[i].devno) != NULL)
			(*count)--;
	}
	return rc;
}

static int find_busy(struct fr_context *ctx, const struct fr_family *f, const struct fr_dm_node **busy,
		     struct fr_error *err)
{
	*busy = NULL;
	for (size_t i = 0; i < f->count; i++) {
		int count, rc = foreign_openers(ctx, f, &f->list[i], &count, err);

		if (rc != 0)
			return rc;
		if (count > 0) {
			*busy = &f->list[i];
			return 0;
		}
	}
	return 0;
}

/* Whoever only looks at it (udev's workers do) is waited for. */
static int check_unused(struct fr_context *ctx, const struct fr_family *f, const char *set_name, struct fr_error *err)
{
	const struct fr_dm_node *busy = NULL;
	char user[256];

	for (int waited = 0;; waited += FR_DM_RETRY_MS) {
		int rc = find_busy(ctx, f, &busy, err);

		if (rc != 0 || busy == NULL)
			return rc;
		if (fr_block_user(busy->devno, f->list, f->count, user, sizeof(user)))
			break;
		if (waited >= FR_DM_PATIENCE_MS) {
			if (!fr_block_process(busy->devno, user, sizeof(user)))
				snprintf(user, sizeof(user), "in use, and it cannot be seen by whom");
			break;
		}
		fr_pause(FR_DM_RETRY_MS);
	}
	return fr_fail(err, -EBUSY, "%s stays active: %s is %s", set_name, busy->name, user);
}

static int remove_family(struct fr_context *ctx, const struct fr_family *f, struct fr_dm_changes *changes,
			 struct fr_error *err)
{
	struct fr_dm_info info;

	for (size_t i = 0; i < f->count; i++) {
		int rc = fr_dm_remove(ctx, f->list[i].name, i > f->npartitions, changes, err);

		if (rc != 0)
			return rc;
	}
	if (f->shared != NULL && fr_dm_info(ctx, f->shared->uuid, &info, NULL) == 0 && info.exists &&
	    info.open_count == 0)
		fr_dm_remove(ctx, f->shared->name, true, changes, NULL);
	return 0;
}

int fr_deactivate(struct fr_context *ctx, const char *set_name, struct fr_error *err)
{
	struct fr_dm_changes changes = { 0 };
	struct fr_family f = { 0 };
	int lock = fr_lock_take(ctx);
	int rc = fr_family_find(&f, set_name, err);

	if (rc == 0)
		rc = check_unused(ctx, &f, set_name, err);
	if (rc == 0)
		rc = remove_family(ctx, &f, &changes, err);
	fr_dm_settle(ctx, &changes);
	if (rc == 0)
		fr_forget_set(FR_NOTE_ALIASES, set_name);
	for (size_t i = 0; rc == 0 && i < f.ndisks; i++)
		fr_kernel_partitions_restore(ctx, f.disks[i]);
	fr_lock_drop(lock);
	fr_pool_free(&f.pool);
	return rc;
}
