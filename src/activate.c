// SPDX-License-Identifier: GPL-2.0-or-later
/* activate.c - a plan carried out in the kernel, and undone if a step fails. */
#define _GNU_SOURCE
#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "active.h"
#include "notes.h"
#include "table.h"

enum {
	CONTAINER_SECTORS = 2,   /* of an extended partition that are mapped: its table, for boot loaders */
};

/* ---- one activation ---- */

/* What this call made, and takes away again if a later step fails. */
struct made {
	const char *name;
	bool hidden;
	bool shared;             /* others may have come to use it meanwhile */
};

struct activation {
	struct fr_context *ctx;
	const struct fr_plan *plan;
	const struct fr_activate_options *options;
	struct fr_error *err;
	struct fr_pool pool;
	struct fr_dm_changes changes;
	dev_t *devnos;           /* of the plan's devices, as far as they are there */
	struct fr_partitions *partitions; /* NULL: none are wanted, or none can be told */
	size_t nmade, allocated;
	struct made *made;
};

static const struct fr_device *set_device(const struct fr_plan *plan)
{
	return &plan->devices[plan->ndevices - 1];
}

/* Disks and earlier devices by number: their nodes may not be there yet, and mean something else tomorrow. */
static void name_by_number(void *data, const struct fr_plan *plan, const struct fr_leg *leg, char *buf, size_t size)
{
	const struct activation *a = data;
	dev_t devno = leg->disk != NULL ? leg->disk->devno : a->devnos[leg->device];

	(void)plan;
	snprintf(buf, size, "%u:%u", major(devno), minor(devno));
}

/* What the kernel is told of a device of the plan, and shows of it afterwards. */
static int planned_table(struct activation *a, const struct fr_device *d, struct fr_dm_table *table)
{
	table->count = d->ntargets;
	table->targets = fr_pool_array(&a->pool, d->ntargets, sizeof(*table->targets));
	for (size_t i = 0; table->targets != NULL && i < d->ntargets; i++) {
		const struct fr_target *t = &d->targets[i];
		char *params = fr_target_params(a->plan, t, name_by_number, a);

		if (params == NULL)
			return fr_fail(a->err, -ENOMEM, "out of memory");
		table->targets[i] = (struct fr_dm_target){
			t->start, t->length, fr_target_type(t), fr_pool_text(&a->pool, "%s", params),
		};
		free(params);
	}
	return a->pool.failed ? fr_fail(a->err, -ENOMEM, "out of memory") : 0;
}

/* A device as it should be. */
struct wanted {
	const char *name, *uuid;
	bool read_only;
	struct fr_dm_table table;
};

static void log_table(struct fr_context *ctx, const char *name, const char *what, const struct fr_dm_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct fr_dm_target *t = &table->targets[i];

		fr_log(ctx, FR_LOG_DEBUG, "%s: %s: %llu %llu %s %s", name, what, (unsigned long long)t->start,
		       (unsigned long long)t->length, t->type, t->params);
	}
}

/* Compares the kernel's device with what it should be: *why says how it differs, after its name, or is NULL. */
static int compare(struct activation *a, const struct wanted *w, const struct fr_dm_info *info, const char **why)
{
	struct fr_dm_table found;
	int rc = fr_dm_table(a->ctx, &a->pool, w->uuid, &found, a->err);

	*why = NULL;
	if (rc != 0)
		return rc;
	if (info->read_only != w->read_only)
		*why = info->read_only ? "is read-only" : "is writable";
	else if (strcmp(info->name, w->name) != 0)
		*why = fr_pool_text(&a->pool, "is called %s", info->name);
	else if (found.count == 0)
		*why = "has no table";
	else if (!fr_dm_same_table(&a->pool, &found, &w->table))
		*why = fr_pool_text(&a->pool, "has another table (%s)", found.targets[0].type);
	if (*why != NULL) {
		log_table(a->ctx, w->name, "is", &found);
		log_table(a->ctx, w->name, "should be", &w->table);
	}
	return a->pool.failed ? fr_fail(a->err, -ENOMEM, "out of memory") : 0;
}

static int wanted_device(struct activation *a, size_t device, struct wanted *w)
{
	const struct fr_device *d = &a->plan->devices[device];

	*w = (struct wanted){ .name = d->name, .uuid = d->uuid, .read_only = d->read_only };
	return planned_table(a, d, &w->table);
}

/* ---- whether the set is active already ---- */

/* From the set down to its parts, so that the first difference is the one that tells most. */
static int compare_all(struct activation *a, const struct fr_dm_info *infos, const char **why)
{
	*why = NULL;
	for (size_t i = a->plan->ndevices; i-- > 0 && *why == NULL;) {
		const struct fr_device *d = &a->plan->devices[i];
		struct wanted w;
		int rc = 0;

		if (!infos[i].exists) {
			*why = fr_pool_text(&a->pool, "has no device %s", d->name);
		} else {
			rc = wanted_device(a, i, &w);
			if (rc == 0)
				rc = compare(a, &w, &infos[i], why);
			if (*why != NULL && d != set_device(a->plan))
				*why = fr_pool_text(&a->pool, "is built on %s, which %s", d->name, *why);
		}
		if (rc != 0)
			return rc;
	}
	return 0;
}

/* A device that exists and has no table may be about to get it, from another activation: that is waited for. */
static int look_at(struct activation *a, const char *uuid, struct fr_dm_info *info)
{
	for (int waited = 0;; waited += FR_DM_RETRY_MS) {
		int rc = fr_dm_info(a->ctx, uuid, info, a->err);

		if (rc != 0 || !info->exists || info->has_table || waited >= FR_DM_PATIENCE_MS)
			return rc;
		fr_pause(FR_DM_RETRY_MS);
	}
}

/* *active: it is, with the tables of the plan. -EBUSY if with others. */
static int look_whether_active(struct activation *a, bool *active)
{
	const struct fr_device *set = set_device(a->plan);
	size_t n = a->plan->ndevices;
	struct fr_dm_info *infos = fr_pool_array(&a->pool, n, sizeof(*infos));
	const char *why;
	int rc;

	*active = false;
	if (infos == NULL)
		return fr_fail(a->err, -ENOMEM, "out of memory");
	rc = look_at(a, set->uuid, &infos[n - 1]); /* the last to be made: if it is there, so are its parts */
	if (rc != 0 || !infos[n - 1].exists || !infos[n - 1].has_table)
		return rc;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		rc = fr_dm_info(a->ctx, a->plan->devices[i].uuid, &infos[i], a->err);
		a->devnos[i] = infos[i].devno;
	}
	if (rc != 0)
		return rc;
	rc = compare_all(a, infos, &why);
	if (rc == 0 && why != NULL)
		return fr_fail(a->err, -EBUSY, "%s is active in another way: it %s; deactivate it first", set->name,
			       why);
	*active = rc == 0;
	return rc;
}

/* ---- whether the disks are free ---- */

static int check_partitions_unused(struct activation *a, const struct fr_disk *disk)
{
	struct fr_block_link partitions[FR_MAX_BLOCK_LINKS];
	size_t count = fr_block_partitions(disk->devno, partitions);
	char user[256];

	for (size_t i = 0; i < count; i++) {
		if (fr_block_user(partitions[i].devno, NULL, 0, user, sizeof(user)))
			return fr_fail(a->err, -EBUSY, "%s: the member %s is in use: %s is %s", a->plan->set->name,
				       disk->path, partitions[i].name, user);
	}
	return 0;
}

/* Whether the plan maps any of these sectors of a disk. */
static bool plan_touches(const struct fr_plan *plan, dev_t disk, uint64_t start, uint64_t length)
{
	for (size_t d = 0; d < plan->ndevices; d++) {
		for (size_t t = 0; t < plan->devices[d].ntargets; t++) {
			const struct fr_target *target = &plan->devices[d].targets[t];
			uint64_t part = target->kind == FR_TARGET_STRIPED ? target->length / target->nlegs : target->length;

			for (size_t i = 0; i < target->nlegs; i++) {
				const struct fr_leg *leg = &target->legs[i];

				if (leg->disk != NULL && leg->disk->devno == disk && start < leg->offset + part &&
				    (length > UINT64_MAX - start || leg->offset < start + length))
					return true;
			}
		}
	}
	return false;
}

/* Whether a target in the kernel uses sectors of a disk that the plan maps. In its words a disk is "8:0 OFFSET". */
static bool is_in_the_way(struct activation *a, const struct fr_dm_target *t, dev_t disk)
{
	const char *words[FR_DM_MAX_WORDS];
	size_t count = fr_dm_words(&a->pool, t->params, words, FR_DM_MAX_WORDS);
	uint64_t parts = strcmp(t->type, "striped") != 0 || count == 0 ? 1 : strtoull(words[0], NULL, 10);
	bool known = parts != 0 && (strcmp(t->type, "linear") == 0 || strcmp(t->type, "striped") == 0 ||
				    strcmp(t->type, "mirror") == 0);

	for (size_t i = 0; i < count; i++) {
		if (fr_sysfs_devno(words[i]) == disk &&
		    (!known || i + 1 == count ||
		     plan_touches(a->plan, disk, strtoull(words[i + 1], NULL, 10), t->length / parts)))
			return true;
	}
	return false;
}

/*
 * A device of another set may lie beside this set on the same disk: firmware makes several arrays of one group of
 * disks. Where the two share a sector, one of them is a left-over, and the one that is active keeps the disk.
 */
static bool lies_beside(struct activation *a, const struct fr_dm_node *node, const struct fr_disk *disk)
{
	struct fr_dm_table table;
	bool beside;

	if (strncmp(node->uuid, FR_UUID_PREFIX, strlen(FR_UUID_PREFIX)) != 0 ||
	    fr_dm_table(a->ctx, &a->pool, node->uuid, &table, NULL) != 0)
		return false;
	beside = table.count != 0;
	for (size_t i = 0; i < table.count; i++)
		beside = beside && !is_in_the_way(a, &table.targets[i], disk->devno);
	return beside;
}

static bool is_planned(const struct fr_plan *plan, const struct fr_dm_node *node)
{
	for (size_t i = 0; i < plan->ndevices; i++) {
		if (strcmp(node->uuid, plan->devices[i].uuid) == 0)
			return true;
	}
	return false;
}

/*
 * The devices that may be built on the disk beside what is to be made: those of other sets, and those of this plan
 * that exist already, from an activation that was killed.
 */
static int harmless_nodes(struct activation *a, const struct fr_disk *disk, struct fr_dm_node **nodes, size_t *count)
{
	size_t all;
	int rc = fr_dm_list(&a->pool, nodes, &all, a->err);

	*count = 0;
	for (size_t i = 0; rc == 0 && i < all; i++) {
		if (is_planned(a->plan, &(*nodes)[i]) || lies_beside(a, &(*nodes)[i], disk))
			(*nodes)[(*count)++] = (*nodes)[i];
	}
	return rc;
}

/*
 * The last word: the kernel lets nobody else have it. A part that is ours holds it, too, and then the load decides.
 * Another activation may be at this very check: that is over in a moment.
 */
static int check_claim(struct activation *a, const struct fr_disk *disk)
{
	struct fr_block_link holders[FR_MAX_BLOCK_LINKS];

	for (int waited = 0; fr_block_links(disk->devno, "holders", holders) == 0; waited += FR_DM_RETRY_MS) {
		int fd = open(disk->path, O_RDONLY | O_EXCL | O_CLOEXEC | O_NONBLOCK);

		if (fd >= 0) {
			close(fd);
			return 0;
		}
		if (errno != EBUSY || waited >= FR_DM_CLAIM_MS)
			return fr_fail(a->err, -errno, "%s: the member %s cannot be had: %s", a->plan->set->name,
				       disk->path, errno == EBUSY ? "something holds it for itself" : strerror(errno));
		fr_pause(FR_DM_RETRY_MS);
	}
	return 0;
}

/* Mounted, swapped to, or built on by somebody else. */
static int check_users(struct activation *a, const struct fr_disk *disk)
{
	struct fr_dm_node *harmless;
	char user[256];
	size_t count;

	for (int tries = 0; tries < 2; tries++) { /* twice: one may have come after the list was made */
		int rc = harmless_nodes(a, disk, &harmless, &count);

		if (rc != 0 || !fr_block_user(disk->devno, harmless, count, user, sizeof(user)))
			return rc;
	}
	return fr_fail(a->err, -EBUSY, "%s: the member %s is %s", a->plan->set->name, disk->path, user);
}

static int check_disk(struct activation *a, const struct fr_disk *disk)
{
	const char *set = a->plan->set->name;
	struct stat st;
	int rc;

	if (stat(disk->path, &st) != 0 || !S_ISBLK(st.st_mode) || st.st_rdev != disk->devno)
		return fr_fail(a->err, -ENODEV, "%s: the member %s is not the disk any more that it was", set,
			       disk->path);
	/* The kernel would let writes through to such a disk. */
	if (disk->read_only && !a->plan->read_only)
		return fr_fail(a->err, -EROFS, "%s: the member %s is write-protected; activate the set read-only", set,
			       disk->path);
	rc = check_users(a, disk);
	if (rc == 0)
		rc = check_partitions_unused(a, disk);
	return rc == 0 ? check_claim(a, disk) : rc;
}

/* The disks that the plan maps, each once: fills in `disks` (a place for each member) and returns how many. */
static size_t plan_disks(const struct fr_plan *plan, const struct fr_disk **disks)
{
	size_t count = 0;

	for (unsigned m = 0; m < plan->set->width; m++) {
		const struct fr_disk *disk = plan->set->members[m].disk;
		bool mapped = false;

		for (size_t d = 0; disk != NULL && d < plan->ndevices; d++) {
			for (size_t t = 0; t < plan->devices[d].ntargets; t++) {
				const struct fr_target *target = &plan->devices[d].targets[t];

				for (size_t i = 0; i < target->nlegs; i++)
					mapped = mapped || target->legs[i].disk == disk;
			}
		}
		for (size_t i = 0; i < count; i++)
			mapped = mapped && disks[i] != disk;
		if (mapped)
			disks[count++] = disk;
	}
	return count;
}

static int check_no_images(struct activation *a)
{
	for (unsigned i = 0; i < a->plan->set->width; i++) {
		const struct fr_disk *disk = a->plan->set->members[i].disk;

		if (disk != NULL && disk->is_image)
			return fr_fail(a->err, -ENOTBLK, "%s: the member %s is an image: bind it to a loop device "
				       "first (losetup --find --show %s)", a->plan->set->name, disk->path, disk->path);
	}
	return 0;
}

static int check_disks(struct activation *a)
{
	const struct fr_disk *disks[FR_MAX_WIDTH];
	size_t count = plan_disks(a->plan, disks);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = check_disk(a, disks[i]);
	/* Of a member that is not mapped: whoever has it would have the set, or an older state of it, beside us. */
	if (rc == 0 && a->plan->set->holder != NULL)
		rc = fr_fail(a->err, -EBUSY, "%s: in use by %s", a->plan->set->name, a->plan->set->holder);
	return rc;
}

/* ---- making devices ---- */

/* A device of the name or uuid exists: right, if it is what was to be made. */
static int adopt(struct activation *a, const struct wanted *w, dev_t *devno)
{
	struct fr_dm_info info;
	const char *why;
	int rc = look_at(a, w->uuid, &info);

	if (rc != 0)
		return rc;
	if (!info.exists)
		return fr_fail(a->err, -EBUSY, "%s: another device has this name", w->name);
	rc = compare(a, w, &info, &why);
	if (rc == 0 && why != NULL)
		return fr_fail(a->err, -EBUSY, "%s exists already, and %s; remove it (dmsetup remove %s)", w->name, why,
			       info.name);
	if (rc == 0)
		fr_log(a->ctx, FR_LOG_DEBUG, "%s exists already", w->name);
	*devno = info.devno;
	return rc;
}

/* Reads a new device back. */
static int check_made(struct activation *a, const struct wanted *w)
{
	struct fr_dm_info info;
	const char *why;
	int rc = fr_dm_info(a->ctx, w->uuid, &info, a->err);

	if (rc == 0 && !info.exists)
		return fr_fail(a->err, -EIO, "%s is gone again", w->name);
	if (rc == 0)
		rc = compare(a, w, &info, &why);
	if (rc == 0 && why != NULL)
		return fr_fail(a->err, -EIO, "%s was made, but %s", w->name, why);
	return rc;
}

static int make(struct activation *a, const struct wanted *w, enum fr_device_role role, dev_t *devno)
{
	bool hidden = role == FR_DEVICE_PART || role == FR_DEVICE_SHARED;
	struct fr_dm_device device = {
		.name = w->name, .uuid = w->uuid, .read_only = w->read_only, .hidden = hidden, .table = w->table,
	};
	struct made *made = fr_pool_grow(&a->pool, a->made, a->nmade, &a->allocated, sizeof(*made));
	struct fr_error why = { 0 };
	int rc;

	if (made == NULL)
		return fr_fail(a->err, -ENOMEM, "out of memory");
	a->made = made;
	rc = fr_dm_create(a->ctx, &device, &a->changes, devno, &why);
	if (rc == -EEXIST)
		return adopt(a, w, devno);
	if (rc != 0)
		return fr_fail(a->err, rc, "%s cannot be activated: %s", a->plan->set->name, why.text);
	made[a->nmade++] = (struct made){ w->name, hidden, role == FR_DEVICE_SHARED };
	return check_made(a, w);
}

static int make_devices(struct activation *a)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < a->plan->ndevices; i++) {
		struct wanted w;

		rc = wanted_device(a, i, &w);
		if (rc == 0)
			rc = make(a, &w, a->plan->devices[i].role, &a->devnos[i]);
	}
	return rc;
}

static void undo(struct activation *a)
{
	fr_dm_settle(a->ctx, &a->changes); /* udev's workers are in the way of a removal */
	for (size_t i = a->nmade; i-- > 0;) {
		const struct made *m = &a->made[i];
		struct fr_error why = { 0 };
		size_t length = a->err == NULL ? 0 : strlen(a->err->text);

		if (fr_dm_remove(a->ctx, m->name, m->hidden, &a->changes, &why) == 0 || m->shared)
			continue;
		fr_log(a->ctx, FR_LOG_WARNING, "%s", why.text);
		if (a->err != NULL)
			snprintf(a->err->text + length, sizeof(a->err->text) - length, "; what was made is left: %s",
				 why.text);
	}
	a->nmade = 0;
}

/* ---- partitions ---- */

/* An error leaves the set without partitions, and is no reason not to have the set. */
static void read_partitions(struct activation *a, const struct fr_plan *plan)
{
	struct fr_reader *reader = NULL;
	struct fr_error why = { 0 };

	if (a->options->no_partitions)
		return;
	if (fr_reader_new(plan, &reader, &why) != 0 || fr_partitions_read(reader, &a->partitions, &why) != 0)
		fr_log(a->ctx, FR_LOG_WARNING, "%s: no partitions, for its partition table cannot be read: %s",
		       a->plan->set->name, why.text);
	fr_reader_free(reader);
}

/*
 * Of a set that is active already: through the kernel, which knows what it has written, and which members have failed
 * since. To the reader that is a set of one disk.
 */
static void read_partitions_of_active(struct activation *a)
{
	const struct fr_device *top = set_device(a->plan);
	char name[64], path[80];
	struct fr_disk disk = { .path = path, .sectors = top->sectors, .devno = a->devnos[a->plan->ndevices - 1] };
	struct fr_member member = { .disk = &disk, .sectors = top->sectors, .state = FR_MEMBER_OK };
	struct fr_set set = { .name = top->name, .sectors = top->sectors, .width = 1, .members = &member,
			      .sector_size = a->plan->set->sector_size };
	struct fr_leg leg = { .disk = &disk };
	struct fr_target target = { .length = top->sectors, .kind = FR_TARGET_LINEAR, .nlegs = 1, .legs = &leg };
	struct fr_device device = { .name = top->name, .sectors = top->sectors, .ntargets = 1, .targets = &target };
	struct fr_plan plan = { .set = &set, .ndevices = 1, .devices = &device };

	fr_block_name(disk.devno, name, sizeof(name));
	snprintf(path, sizeof(path), "/dev/%s", name);
	if (access(path, R_OK) != 0) /* no devtmpfs */
		snprintf(path, sizeof(path), "/dev/mapper/%s", top->name);
	read_partitions(a, &plan);
}

/* Sectors that the kernel's smallest piece of the set has. */
static uint64_t set_alignment(const struct fr_plan *plan)
{
	const struct fr_disk *disks[FR_MAX_WIDTH];
	size_t count = plan_disks(plan, disks);
	uint64_t most = 1;

	for (size_t i = 0; i < count; i++) {
		if (disks[i]->sector_size / FR_SECTOR_SIZE > most)
			most = disks[i]->sector_size / FR_SECTOR_SIZE;
	}
	return most;
}

/* Why a partition cannot be mapped, NULL if it can; *sectors: how much of it. */
static const char *why_not_mapped(const struct activation *a, const struct fr_partition *p, uint64_t *sectors)
{
	uint64_t alignment = set_alignment(a->plan);
	uint64_t container = alignment > CONTAINER_SECTORS ? alignment : CONTAINER_SECTORS;

	*sectors = p->extended && p->sectors > container ? container : p->sectors;
	if (p->outside)
		return fr_range_inside(p->start, p->sectors, a->plan->set->peer_sectors) ?
		       "it reaches past the end of the set, but not in the size that dmraid gives it: --dmraid-size" :
		       "it reaches past the end of the set";
	if (p->start % alignment != 0 || *sectors % alignment != 0)
		return "it is not aligned to the sectors of the disks";
	return NULL;
}

static int make_partition(struct activation *a, const struct fr_partition *p, bool was_active)
{
	const struct fr_device *set = set_device(a->plan);
	char *made_name = fr_partition_name(set->name, p->number, a->options->partition_separator);
	const char *name = made_name == NULL ? NULL : fr_pool_text(&a->pool, "%s", made_name), *why;
	dev_t devno = a->devnos[a->plan->ndevices - 1];
	struct fr_dm_target target = { .type = "linear" };
	struct wanted w = {
		.name = name, .uuid = fr_pool_text(&a->pool, "part%u-%s", p->number, set->uuid),
		.read_only = set->read_only, .table = { 1, &target },
	};
	struct fr_error *err = a->err, other = { 0 };
	int rc;

	free(made_name);
	target.params = fr_pool_text(&a->pool, "%u:%u %llu", major(devno), minor(devno), (unsigned long long)p->start);
	if (name == NULL || a->pool.failed)
		return fr_fail(a->err, -ENOMEM, "out of memory");
	why = why_not_mapped(a, p, &target.length);
	if (why != NULL) {
		fr_log(a->ctx, FR_LOG_WARNING, "%s: partition %u is left out: %s", set->name, p->number, why);
		return 0;
	}
	if (was_active)
		a->err = &other;
	rc = make(a, &w, FR_DEVICE_PARTITION, &devno);
	a->err = err;
	if (rc != 0 && was_active) { /* somebody may be at work on the partition table, or have given other names */
		fr_log(a->ctx, FR_LOG_WARNING, "%s: partition %u is left as it is: %s", set->name, p->number,
		       other.text);
		rc = 0;
	}
	return rc;
}

static int make_partitions(struct activation *a, bool was_active)
{
	int rc = 0;

	for (size_t i = 0; a->partitions != NULL && rc == 0 && i < a->partitions->count; i++)
		rc = make_partition(a, &a->partitions->list[i], was_active);
	return rc;
}

/* The kernel's own nodes of the members' partitions are traps; see block.c. */
static void hide_members(struct activation *a)
{
	const struct fr_disk *disks[FR_MAX_WIDTH];
	size_t count = plan_disks(a->plan, disks);

	for (size_t i = 0; i < count; i++) {
		struct fr_error why = { 0 };

		if (fr_kernel_partitions_remove(a->ctx, disks[i], &why) != 0)
			fr_log(a->ctx, FR_LOG_WARNING, "%s", why.text);
	}
}

/* ---- fr_activate ---- */

/* For udev, which asks when the devices appear. Links are a comfort: that there is no room for notes is no failure. */
static void note_aliases(struct activation *a)
{
	const struct fr_set *set = a->plan->set;
	const char *text = "";

	for (const char *const *alias = set->aliases; alias != NULL && *alias != NULL; alias++)
		text = fr_pool_text(&a->pool, "%s%s\n", text, *alias);
	if (text[0] == '\0')
		fr_forget_set(FR_NOTE_ALIASES, set->name);
	else
		fr_note_set(FR_NOTE_ALIASES, set->name, text);
}

static int activate(struct activation *a, enum fr_activation *done)
{
	bool active = false;
	int rc = check_no_images(a);

	if (rc == 0)
		rc = look_whether_active(a, &active);
	if (rc != 0)
		return rc;
	if (active) {
		read_partitions_of_active(a);
	} else {
		rc = check_disks(a);
		if (rc == 0) {
			read_partitions(a, a->plan);
			note_aliases(a);
			rc = make_devices(a);
		}
	}
	if (rc == 0)
		rc = make_partitions(a, active);
	if (rc != 0) {
		undo(a);
		return rc;
	}
	hide_members(a);
	*done = active ? FR_WAS_ACTIVE : FR_ACTIVATED;
	return 0;
}

/* Such a name would be no node, or one that nobody can name. */
static bool is_separator(const char *text)
{
	for (; text != NULL && *text != '\0'; text++) {
		if (!isalnum((unsigned char)*text) && strchr("#+-.:=@_", *text) == NULL)
			return false;
	}
	return true;
}

int fr_activate(struct fr_context *ctx, const struct fr_plan *plan, const struct fr_activate_options *options,
		enum fr_activation *done, struct fr_error *err)
{
	static const struct fr_activate_options defaults = { 0 };
	struct activation a = {
		.ctx = ctx, .plan = plan, .options = options == NULL ? &defaults : options, .err = err,
	};
	int lock, rc;

	if (!is_separator(a.options->partition_separator))
		return fr_fail(err, -EINVAL, "'%s' cannot be in the name of a device", a.options->partition_separator);
	a.devnos = fr_pool_array(&a.pool, plan->ndevices, sizeof(*a.devnos));
	if (a.devnos == NULL)
		return fr_fail(err, -ENOMEM, "out of memory");
	lock = fr_lock_take(ctx);
	rc = activate(&a, done);
	fr_dm_settle(ctx, &a.changes);
	fr_lock_drop(lock);
	fr_partitions_free(a.partitions);
	fr_pool_free(&a.pool);
	return rc;
}
