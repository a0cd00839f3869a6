// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * read.c - the plan carried out by reads in user space: the same devices and
 * targets that the kernel is given, interpreted here. A leg names a disk or an
 * earlier device only, so that every read ends.
 */
#define _GNU_SOURCE
#include "read.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- members ---- */

static int open_member(struct fr_reader *r, const struct fr_disk *disk, struct fr_error *err)
{
	int fd = open(disk->path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return fr_fail(err, -errno, "%s cannot be opened: %s", disk->path, strerror(errno));
	/* What was cached of a block device may be older than what device-mapper wrote below the cache. */
	if (!disk->is_image)
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	r->disks[r->ndisks++] = (struct fr_reader_disk){ disk, fd };
	return 0;
}

int fr_reader_new(const struct fr_plan *plan, struct fr_reader **reader, struct fr_error *err)
{
	struct fr_reader *r = calloc(1, sizeof(*r));
	int rc = 0;

	*reader = NULL;
	if (r == NULL)
		return fr_fail(err, -ENOMEM, "out of memory");
	r->plan = plan;
	r->disks = calloc(plan->set->width + 1u, sizeof(*r->disks));
	/* Aligned: the kernel copies to such a buffer several times as fast. */
	r->scratch = aligned_alloc(FR_BUFFER_ALIGNMENT, (size_t)FR_PIECE_SECTORS * FR_SECTOR_SIZE);
	if (r->disks == NULL || r->scratch == NULL) {
		fr_reader_free(r);
		return fr_fail(err, -ENOMEM, "out of memory");
	}
	for (unsigned i = 0; rc == 0 && i < plan->set->width; i++) {
		const struct fr_member *m = &plan->set->members[i];

		if (m->state == FR_MEMBER_OK)
			rc = open_member(r, m->disk, err);
	}
	if (rc != 0) {
		fr_reader_free(r);
		return rc;
	}
	*reader = r;
	return 0;
}

void fr_reader_free(struct fr_reader *r)
{
	if (r == NULL)
		return;
	for (size_t i = 0; i < r->ndisks; i++)
		close(r->disks[i].fd);
	free(r->disks);
	free(r->scratch);
	free(r);
}

static int read_disk(struct fr_reader *r, const struct fr_disk *disk, uint64_t sector, size_t count, void *buf,
		     struct fr_error *err)
{
	for (size_t i = 0; i < r->ndisks; i++) {
		int rc;

		if (r->disks[i].disk != disk)
			continue;
		rc = fr_read_fully(r->disks[i].fd, buf, count * FR_SECTOR_SIZE, sector * FR_SECTOR_SIZE);
		if (rc == 0)
			return 0;
		return fr_fail(err, -EIO, "%s: %zu sector%s from %llu on cannot be read: %s", disk->path, count,
			       count == 1 ? "" : "s", (unsigned long long)sector, strerror(-rc));
	}
	return fr_fail(err, -EIO, "%s is not open", disk->path);
}

/* ---- legs ---- */

bool fr_leg_is_missing(const struct fr_plan *plan, const struct fr_leg *leg)
{
	const struct fr_device *d = &plan->devices[leg->device];

	return leg->disk == NULL && d->ntargets == 1 && d->targets[0].kind == FR_TARGET_ERROR;
}

const struct fr_disk *fr_leg_disk(const struct fr_plan *plan, const struct fr_leg *leg)
{
	while (leg->disk == NULL) { /* goes down to earlier devices only */
		const struct fr_device *d = &plan->devices[leg->device];

		if (d->ntargets == 0 || d->targets[0].nlegs == 0)
			return NULL;
		leg = &d->targets[0].legs[0];
	}
	return leg->disk;
}

static int read_device(struct fr_reader *r, size_t device, uint64_t sector, size_t count, uint8_t *buf,
		       struct fr_error *err);

int fr_leg_read(struct fr_reader *r, const struct fr_leg *leg, uint64_t sector, size_t count, void *buf,
		struct fr_error *err)
{
	if (leg->disk != NULL)
		return read_disk(r, leg->disk, leg->offset + sector, count, buf, err);
	return read_device(r, leg->device, leg->offset + sector, count, buf, err);
}

void fr_xor(void *to, const void *from, size_t bytes)
{
	uint8_t *t = to;
	const uint8_t *f = from;

	for (size_t i = 0; i < bytes; i += sizeof(uint64_t)) {
		uint64_t a, b;

		memcpy(&a, t + i, sizeof(a));
		memcpy(&b, f + i, sizeof(b));
		a ^= b;
		memcpy(t + i, &a, sizeof(a));
	}
}

/* ---- copies ---- */

/* From the first leg that can be read. Copies that may differ are not mixed: then only the first leg counts. */
static int read_any(struct fr_reader *r, const struct fr_target *t, size_t first, size_t nlegs, uint64_t sector,
		    size_t count, uint8_t *buf, struct fr_error *err)
{
	struct fr_error why = { 0 };
	int rc = -EIO;

	for (size_t i = first; rc != 0 && i < first + (t->read_first ? 1 : nlegs); i++) {
		if (!fr_leg_is_missing(r->plan, &t->legs[i]))
			rc = fr_leg_read(r, &t->legs[i], sector, count, buf, &why);
	}
	if (rc != 0 && count > 1) { /* each leg may have another bad sector */
		rc = 0;
		for (size_t k = 0; rc == 0 && k < count; k++)
			rc = read_any(r, t, first, nlegs, sector + k, 1, buf + k * FR_SECTOR_SIZE, err);
		return rc;
	}
	return rc == 0 ? 0 : fr_fail(err, rc, "%s", why.text);
}

/* ---- parity ---- */

struct parity_place {
	size_t member;
	uint64_t sector;         /* in the member */
};

/* Where data column `column` of row `row` lies, as md lays it out. */
static size_t parity_member(enum fr_layout layout, size_t members, uint64_t row, size_t column)
{
	bool left = layout == FR_LAYOUT_LEFT_ASYMMETRIC || layout == FR_LAYOUT_LEFT_SYMMETRIC;
	bool symmetric = layout == FR_LAYOUT_LEFT_SYMMETRIC || layout == FR_LAYOUT_RIGHT_SYMMETRIC;
	size_t turn = (size_t)(row % members);
	size_t parity = left ? members - 1 - turn : turn;

	if (symmetric)
		return (parity + 1 + column) % members;
	return column < parity ? column : column + 1;
}

/* One member's sectors as the exclusive or of all the others'. */
static int compute(struct fr_reader *r, const struct fr_target *t, size_t member, uint64_t sector, size_t count,
		   uint8_t *buf, struct fr_error *err)
{
	memset(buf, 0, count * FR_SECTOR_SIZE);
	for (size_t i = 0; i < t->nlegs; i++) {
		int rc;

		if (i == member)
			continue;
		if (fr_leg_is_missing(r->plan, &t->legs[i]))
			return fr_fail(err, -EIO, "members %zu and %zu are needed to compute each other", i, member);
		rc = fr_leg_read(r, &t->legs[i], sector, count, r->scratch, err);
		if (rc != 0)
			return rc;
		fr_xor(buf, r->scratch, count * FR_SECTOR_SIZE);
	}
	return 0;
}

static int compute_in_pieces(struct fr_reader *r, const struct fr_target *t, size_t member, uint64_t sector,
			     size_t count, size_t piece, uint8_t *buf, struct fr_error *err)
{
	int rc = 0;

	for (size_t done = 0; rc == 0 && done < count; done += piece) {
		size_t n = count - done < piece ? count - done : piece;

		rc = compute(r, t, member, sector + done, n, buf + done * FR_SECTOR_SIZE, err);
	}
	return rc;
}

/* Sectors of one member, within one chunk: read, or computed where that fails and the parity may be trusted. */
static int read_or_compute(struct fr_reader *r, const struct fr_target *t, struct parity_place at, size_t count,
			   uint8_t *buf, struct fr_error *err)
{
	const struct fr_leg *leg = &t->legs[at.member];
	struct fr_error why = { 0 };
	int rc;

	if (fr_leg_is_missing(r->plan, leg))
		return compute_in_pieces(r, t, at.member, at.sector, count, FR_PIECE_SECTORS, buf, err);
	rc = fr_leg_read(r, leg, at.sector, count, buf, &why);
	if (rc != 0 && r->plan->set->parity_valid)
		rc = compute_in_pieces(r, t, at.member, at.sector, count, FR_PIECE_SECTORS, buf, NULL);
	if (rc == 0 || count == 1)
		return rc == 0 ? 0 : fr_fail(err, rc, "%s", why.text);
	rc = 0; /* each member may have another bad sector */
	for (size_t k = 0; rc == 0 && k < count; k++)
		rc = read_or_compute(r, t, (struct parity_place){ at.member, at.sector + k }, 1,
				     buf + k * FR_SECTOR_SIZE, err);
	return rc;
}

/* ---- targets ---- */

/* Sectors from `sector` on of a target that is laid out in chunks; *count is cut to the end of the chunk. */
static int read_chunk(struct fr_reader *r, const struct fr_target *t, uint64_t sector, size_t *count, uint8_t *buf,
		      struct fr_error *err)
{
	uint64_t chunk = sector / t->chunk, within = sector % t->chunk;
	size_t columns = t->kind == FR_TARGET_STRIPED ? t->nlegs :
			 t->kind == FR_TARGET_RAID10 ? t->nlegs / 2 : t->nlegs - 1;
	uint64_t row = chunk / columns, below = row * t->chunk + within;
	size_t column = (size_t)(chunk % columns);

	if (*count > t->chunk - within)
		*count = (size_t)(t->chunk - within);
	if (t->kind == FR_TARGET_STRIPED)
		return fr_leg_read(r, &t->legs[column], below, *count, buf, err);
	if (t->kind == FR_TARGET_RAID10)
		return read_any(r, t, 2 * column, 2, below, *count, buf, err);
	return read_or_compute(r, t, (struct parity_place){ parity_member(t->layout, t->nlegs, row, column), below },
			       *count, buf, err);
}

static int read_target(struct fr_reader *r, const struct fr_target *t, uint64_t sector, size_t count, uint8_t *buf,
		       struct fr_error *err)
{
	switch (t->kind) {
	case FR_TARGET_LINEAR:
		return fr_leg_read(r, &t->legs[0], sector, count, buf, err);
	case FR_TARGET_RAID1:
		return read_any(r, t, 0, t->nlegs, sector, count, buf, err);
	case FR_TARGET_ZERO:
		memset(buf, 0, count * FR_SECTOR_SIZE);
		return 0;
	case FR_TARGET_ERROR:
		return fr_fail(err, -EIO, "a member is missing");
	case FR_TARGET_STRIPED:
	case FR_TARGET_RAID10:
	case FR_TARGET_RAID5:
		break;
	}
	while (count > 0) {
		size_t n = count;
		int rc = read_chunk(r, t, sector, &n, buf, err);

		if (rc != 0)
			return rc;
		sector += n;
		count -= n;
		buf += n * FR_SECTOR_SIZE;
	}
	return 0;
}

static int read_device(struct fr_reader *r, size_t device, uint64_t sector, size_t count, uint8_t *buf,
		       struct fr_error *err)
{
	const struct fr_device *d = &r->plan->devices[device];

	for (size_t i = 0; i < d->ntargets && count > 0; i++) {
		const struct fr_target *t = &d->targets[i];
		uint64_t within = sector - t->start;
		size_t n = count;
		int rc;

		if (sector < t->start || within >= t->length)
			continue;
		if (n > t->length - within)
			n = (size_t)(t->length - within);
		rc = read_target(r, t, within, n, buf, err);
		if (rc != 0)
			return rc;
		sector += n;
		count -= n;
		buf += n * FR_SECTOR_SIZE;
	}
	return count == 0 ? 0 : fr_fail(err, -EINVAL, "read past the end of %s", d->name);
}

int fr_reader_read(struct fr_reader *r, uint64_t sector, size_t count, void *buf, struct fr_error *err)
{
	return read_device(r, r->plan->ndevices - 1, sector, count, buf, err);
}
