/* SPDX-License-Identifier: GPL-2.0-or-later */
/* active.h - sets as they are found in the kernel, whoever made them; and the lock of those who change them. */
#ifndef FR_ACTIVE_H
#define FR_ACTIVE_H

#include "dm.h"
#include "plan.h"

/* The devices of one active set. */
struct fr_family {
	struct fr_pool pool;
	struct fr_dm_node *all;  /* devices of device-mapper */
	size_t nall;
	struct fr_dm_node *list; /* of the set, in the order to remove them: partitions, the set, its parts */
	size_t count, npartitions;
	const struct fr_dm_node *shared; /* the zero device, if the set uses it */
	dev_t disks[FR_MAX_BLOCK_LINKS];
	size_t ndisks;
};

/* The device of this number among others, or NULL. */
const struct fr_dm_node *fr_node_of(const struct fr_dm_node *all, size_t count, dev_t devno);

/* Fills in a zeroed family, whose pool the caller frees. -ENOENT: there is no such set. */
int fr_family_find(struct fr_family *f, const char *set_name, struct fr_error *err);

/*
 * Only one activation or deactivation at a time: the descriptor that holds the lock, or -1 where there can be none; go
 * on then, for the kernel gives a name to one of two only. Both take what the other returns.
 */
int fr_lock_take(struct fr_context *ctx);
void fr_lock_drop(int fd);

#endif
