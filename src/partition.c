// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * partition.c - the partition table on a set, read through the plan. The only
 * file that speaks to libblkid.
 *
 * libblkid wants a file: it gets one in memory, as large as the set, full of
 * holes but for the sectors where partition tables are.
 */
#define _GNU_SOURCE
#include <blkid/blkid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "read.h"

enum {
	HEAD_SECTORS = 256,      /* holds every partition table, and the headers of file systems */
	TAIL_SECTORS = 64,       /* the same for the copy at the end */
	MAX_PARTITIONS = 256,
	MAX_LOGICAL = 256,       /* links of an extended partition's chain that are followed */
};

/* Copies sectors of the set to the same place of the file. */
static int copy(struct fr_reader *reader, int fd, uint64_t sector, size_t count, struct fr_error *err)
{
	uint8_t buf[HEAD_SECTORS * FR_SECTOR_SIZE];
	int rc = fr_reader_read(reader, sector, count, buf, err);

	if (rc == 0 && pwrite(fd, buf, count * FR_SECTOR_SIZE, (off_t)(sector * FR_SECTOR_SIZE)) !=
	    (ssize_t)(count * FR_SECTOR_SIZE))
		rc = fr_fail(err, -errno, "no memory for a look at the partition table: %s", strerror(errno));
	return rc;
}

/* The same, where sectors that cannot be read are left as holes: they need not be the ones that count. */
static int copy_readable(struct fr_reader *reader, int fd, uint64_t sector, size_t count, struct fr_error *err)
{
	int rc = 0;

	if (copy(reader, fd, sector, count, NULL) == 0)
		return 0;
	for (size_t i = 0; i < count && rc != -EFBIG && rc != -ENOSPC; i++)
		rc = copy(reader, fd, sector + i, 1, NULL);
	return sector == 0 ? copy(reader, fd, 0, 1, err) : 0;
}

/* ---- the chain of an extended partition ---- */

/* One entry of a DOS partition table, which is at 446 of its sector. */
struct dos_entry {
	uint8_t boot, chs_first[3], type, chs_last[3];
	le32 start, sectors;
};
_Static_assert(sizeof(struct dos_entry) == 16, "an entry is 16 bytes");

static bool is_extended(uint8_t type)
{
	return type == 0x05 || type == 0x0f || type == 0x85;
}

/* The start of the first extended entry of a table sector, 0 if there is none. */
static uint32_t extended_entry(const uint8_t *sector)
{
	const struct dos_entry *entries = (const struct dos_entry *)(sector + 446);

	for (int i = 0; i < 4 && sector[510] == 0x55 && sector[511] == 0xaa; i++) {
		if (is_extended(entries[i].type))
			return le32_get(entries[i].start);
	}
	return 0;
}

/* Each table of the chain says where the next one is, counted from the first: at most MAX_LOGICAL are followed. */
static int copy_chain(struct fr_reader *reader, int fd, uint64_t sectors, struct fr_error *err)
{
	uint8_t sector[FR_SECTOR_SIZE];
	uint32_t unit = reader->plan->set->sector_size / FR_SECTOR_SIZE;
	uint64_t first, at;
	int rc = fr_reader_read(reader, 0, 1, sector, err);

	if (rc != 0)
		return rc;
	first = at = (uint64_t)extended_entry(sector) * unit;
	for (int i = 0; i < MAX_LOGICAL && at != 0 && at < sectors; i++) {
		uint32_t next;

		if (copy(reader, fd, at, 1, NULL) != 0 || fr_reader_read(reader, at, 1, sector, NULL) != 0)
			return 0; /* the partitions before the break are there */
		next = extended_entry(sector);
		at = next == 0 ? 0 : first + (uint64_t)next * unit;
	}
	return 0;
}

/* ---- the file ---- */

static int make_file(struct fr_reader *reader, uint64_t sectors, int *fd, struct fr_error *err)
{
	size_t head = sectors < HEAD_SECTORS ? (size_t)sectors : HEAD_SECTORS;
	size_t tail = sectors < TAIL_SECTORS ? (size_t)sectors : TAIL_SECTORS;
	int rc;

	*fd = memfd_create("fakeraid", MFD_CLOEXEC);
	if (*fd < 0 || ftruncate(*fd, (off_t)(sectors * FR_SECTOR_SIZE)) != 0)
		return fr_fail(err, -errno, "no memory for a look at the partition table: %s", strerror(errno));
	rc = copy_readable(reader, *fd, 0, head, err);
	if (rc == 0)
		rc = copy_readable(reader, *fd, sectors - tail, tail, err);
	return rc == 0 ? copy_chain(reader, *fd, sectors, err) : rc;
}

/* ---- what libblkid finds in it ---- */

static void take(struct fr_partitions *to, blkid_partition partition, uint64_t sectors)
{
	struct fr_partition *p = &to->list[to->count];

	/* A table inside a partition of another (BSD, Solaris) is not for a firmware's set to map. */
	if (partition == NULL || blkid_parttable_get_parent(blkid_partition_get_table(partition)) != NULL)
		return;
	p->number = (unsigned)blkid_partition_get_partno(partition);
	p->start = (uint64_t)blkid_partition_get_start(partition);
	p->sectors = (uint64_t)blkid_partition_get_size(partition);
	p->extended = blkid_partition_is_extended(partition) != 0;
	p->outside = !fr_range_inside(p->start, p->sectors, sectors);
	if (p->number != 0 && p->sectors != 0)
		to->count++;
}

/* Tables count in the sectors of the disks that the set was made on; libblkid answers in 512 bytes. */
static blkid_probe new_probe(const struct fr_reader *reader, int fd, bool superblocks, struct fr_error *err)
{
	blkid_probe prober = blkid_new_probe();

	if (prober == NULL || blkid_probe_set_device(prober, fd, 0, 0) != 0 ||
	    blkid_probe_set_sectorsize(prober, reader->plan->set->sector_size) != 0) {
		blkid_free_probe(prober);
		fr_fail(err, -ENOMEM, "libblkid cannot be used for a look at the set");
		return NULL;
	}
	blkid_probe_enable_superblocks(prober, superblocks);
	blkid_probe_enable_partitions(prober, 1);
	return prober;
}

static int probe(const struct fr_reader *reader, int fd, uint64_t sectors, struct fr_partitions *to, struct fr_error *err)
{
	blkid_probe prober = new_probe(reader, fd, false, err);
	blkid_partlist found;

	if (prober == NULL)
		return -ENOMEM;
	found = blkid_probe_get_partitions(prober);
	for (int i = 0; found != NULL && i < blkid_partlist_numof_partitions(found) && i < MAX_PARTITIONS; i++)
		take(to, blkid_partlist_get_partition(found, i), sectors);
	blkid_free_probe(prober);
	return 0;
}

int fr_partitions_read(struct fr_reader *reader, struct fr_partitions **partitions, struct fr_error *err)
{
	const struct fr_plan *plan = reader->plan;
	struct fr_partitions *p = calloc(1, sizeof(*p));
	uint64_t sectors = plan->devices[plan->ndevices - 1].sectors;
	int fd = -1, rc;

	*partitions = NULL;
	if (p != NULL)
		p->list = calloc(MAX_PARTITIONS, sizeof(*p->list));
	if (p == NULL || p->list == NULL) {
		fr_partitions_free(p);
		return fr_fail(err, -ENOMEM, "out of memory");
	}
	rc = make_file(reader, sectors, &fd, err);
	if (rc == 0)
		rc = probe(reader, fd, sectors, p, err);
	if (fd >= 0)
		close(fd);
	if (rc != 0) {
		fr_partitions_free(p);
		return rc;
	}
	*partitions = p;
	return 0;
}

void fr_partitions_free(struct fr_partitions *partitions)
{
	if (partitions != NULL)
		free(partitions->list);
	free(partitions);
}

int fr_content_name(struct fr_reader *reader, char **name, struct fr_error *err)
{
	const struct fr_plan *plan = reader->plan;
	const char *value = NULL;
	blkid_probe prober = NULL;
	int fd = -1;
	int rc = make_file(reader, plan->devices[plan->ndevices - 1].sectors, &fd, err);

	*name = NULL;
	if (rc == 0) {
		prober = new_probe(reader, fd, true, err);
		rc = prober == NULL ? -ENOMEM : 0;
	}
	if (rc == 0 && blkid_do_safeprobe(prober) == 0 &&
	    (blkid_probe_lookup_value(prober, "PTTYPE", &value, NULL) == 0 ||
	     blkid_probe_lookup_value(prober, "TYPE", &value, NULL) == 0))
		*name = strdup(value);
	blkid_free_probe(prober);
	if (fd >= 0)
		close(fd);
	return rc;
}

char *fr_partition_name(const char *set_name, unsigned number, const char *separator)
{
	size_t length = strlen(set_name);
	char *name = NULL;

	if (separator == NULL)
		separator = length > 0 && set_name[length - 1] >= '0' && set_name[length - 1] <= '9' ? "p" : "";
	return asprintf(&name, "%s%s%u", set_name, separator, number) < 0 ? NULL : name;
}
