/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dm.h - the kernel's side of a set: device-mapper (dm.c), and block devices as sysfs and /proc show them
 * (block.c).
 *
 * Devices are looked up by uuid, which says whose they are, and removed by name. All functions return 0 or a
 * negative errno with a sentence in err; none waits without a limit.
 */
#ifndef FR_DM_H
#define FR_DM_H

#include "internal.h"

enum {
	FR_DM_NAME_SIZE = FR_MAX_DM_NAME + 1,
	FR_DM_UUID_SIZE = 129,
	FR_DM_RETRY_MS = 100,    /* between two tries of what others hold up for a moment */
	FR_DM_CLAIM_MS = 1000,   /* for another that only asks whether a disk may be had */
	FR_DM_PATIENCE_MS = 5000, /* for others to let go: udev's workers look into every new device */
};

/* ---- device-mapper ---- */

struct fr_dm_target {
	uint64_t start, length;
	const char *type, *params;
};

struct fr_dm_table {
	size_t count;
	struct fr_dm_target *targets;
};

/* A device to be made. */
struct fr_dm_device {
	const char *name, *uuid;
	bool read_only;
	bool hidden;             /* from udev's rules for disks: it is a part of another, and of no use by itself */
	struct fr_dm_table table;
};

/* What the kernel says of a device. */
struct fr_dm_info {
	bool exists;
	char name[FR_DM_NAME_SIZE];
	dev_t devno;
	bool has_table, read_only, suspended;
	int open_count;
	unsigned event;
};

/* What udev has not been waited for yet; all zero at first. */
struct fr_dm_changes {
	uint32_t cookie;
	bool udev_is_dead;       /* has not answered in time once, and is not waited for again */
};

/*
 * Makes a device with its table. -EEXIST: its name or uuid is in use; nothing is left of it then, or after any other
 * failure. Its node is there after fr_dm_settle().
 */
int fr_dm_create(struct fr_context *ctx, const struct fr_dm_device *device, struct fr_dm_changes *changes,
		 dev_t *devno, struct fr_error *err);

/* Removes a device; one that is gone already is no error. -EBUSY: still in use after FR_DM_PATIENCE_MS. */
int fr_dm_remove(struct fr_context *ctx, const char *name, bool hidden, struct fr_dm_changes *changes,
		 struct fr_error *err);

/* Waits for udev, for a limited time, and lets go of the kernel. To be called at the end in any case. */
void fr_dm_settle(struct fr_context *ctx, struct fr_dm_changes *changes);

/* info->exists tells whether there is such a device. */
int fr_dm_info(struct fr_context *ctx, const char *uuid, struct fr_dm_info *info, struct fr_error *err);

/* The live table, or its status, target by target, in the pool. */
int fr_dm_table(struct fr_context *ctx, struct fr_pool *pool, const char *uuid, struct fr_dm_table *table,
		struct fr_error *err);
int fr_dm_status(struct fr_context *ctx, struct fr_pool *pool, const char *uuid, struct fr_dm_table *table,
		 struct fr_error *err);

enum { FR_DM_MAX_WORDS = 4 * FR_MAX_WIDTH }; /* of a target's parameters or status */

/* The words of a text, at most `max` of them. */
size_t fr_dm_words(struct fr_pool *pool, const char *text, const char **words, size_t max);

/* Whether two tables mean the same, as kernels write them with more words or fewer. */
bool fr_dm_same_table(struct fr_pool *pool, const struct fr_dm_table *a, const struct fr_dm_table *b);

/* A device-mapper device as sysfs lists it: that needs no privilege. */
struct fr_dm_node {
	char kernel_name[32];    /* dm-3 */
	char name[FR_DM_NAME_SIZE];
	char uuid[FR_DM_UUID_SIZE];
	dev_t devno;
};

/* All of them, whoever made them, in the pool. */
int fr_dm_list(struct fr_pool *pool, struct fr_dm_node **nodes, size_t *count, struct fr_error *err);

/* ---- block devices ---- */

/* The first line of a file of sysfs or /proc whose name is made from format. */
int fr_sysfs_read(char *buf, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A device number as sysfs writes it, "8:0"; 0 if it is none. */
dev_t fr_sysfs_devno(const char *text);

/* The name that the kernel gives a device, "sda"; "?" if it is gone. */
void fr_block_name(dev_t devno, char *buf, size_t size);

struct fr_block_link {
	char name[32];           /* sda1, dm-3 */
	dev_t devno;
	unsigned number;         /* of a partition */
};

enum { FR_MAX_BLOCK_LINKS = 256 };

/* Devices that are built on this one ("holders"), or that it is built on ("slaves"). Returns how many. */
size_t fr_block_links(dev_t devno, const char *which, struct fr_block_link *links);

/* The kernel's own partitions of a disk. Returns how many. */
size_t fr_block_partitions(dev_t disk, struct fr_block_link *links);

/* fr_disk_holder() by number, with sysfs where it is mounted. */
const char *fr_block_holder(struct fr_pool *pool, const char *sysfs, dev_t disk);

/*
 * Who uses a device, as the end of the sentence "it is ...": a mount, swap, a device built on it that is not among
 * `ours`. False if nobody is found.
 */
bool fr_block_user(dev_t devno, const struct fr_dm_node *ours, size_t nours, char *buf, size_t size);

/* The same for a process that has it open: slow, and seen with privilege only. */
bool fr_block_process(dev_t devno, char *buf, size_t size);

/* Sleeps. */
void fr_pause(unsigned milliseconds);

#endif
