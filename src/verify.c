// SPDX-License-Identifier: GPL-2.0-or-later
/* verify.c - whether the copies of a mirror are equal, and whether parity is the exclusive or of the data. */
#include <stdlib.h>
#include <string.h>

#include "read.h"

/* A group of legs that belong together: the copies of one mirror or column, or all members of a parity target. */
struct comparison {
	struct fr_reader *reader;
	const struct fr_target *target;
	size_t first, nlegs;
	uint64_t sectors;        /* of each leg */
	bool parity;
	uint8_t *a, *b;          /* FR_PIECE_SECTORS sectors each */
	struct fr_verify_result *result;
};

static void count_differences(struct comparison *c, const uint8_t *a, const uint8_t *b, uint64_t sector, size_t count,
			      const struct fr_disk *da, const struct fr_disk *db)
{
	struct fr_verify_result *result = c->result;

	for (size_t i = 0; i < count; i++) {
		if (memcmp(a + i * FR_SECTOR_SIZE, b + i * FR_SECTOR_SIZE, FR_SECTOR_SIZE) == 0)
			continue;
		result->different++;
		if (result->nfirst == FR_COUNT(result->first))
			continue;
		result->first[result->nfirst].sector = sector + i;
		result->first[result->nfirst].a = da;
		result->first[result->nfirst].b = db;
		result->nfirst++;
	}
}

static int compare_copies(struct comparison *c, uint64_t sector, size_t count, struct fr_error *err)
{
	const struct fr_plan *plan = c->reader->plan;
	const struct fr_leg *legs = &c->target->legs[c->first];
	int rc = fr_leg_read(c->reader, &legs[0], sector, count, c->a, err);

	for (size_t i = 1; rc == 0 && i < c->nlegs; i++) {
		rc = fr_leg_read(c->reader, &legs[i], sector, count, c->b, err);
		if (rc == 0)
			count_differences(c, c->a, c->b, sector, count, fr_leg_disk(plan, &legs[0]),
					  fr_leg_disk(plan, &legs[i]));
	}
	return rc;
}

static int compare_parity(struct comparison *c, uint64_t sector, size_t count, struct fr_error *err)
{
	static const uint8_t zeros[FR_PIECE_SECTORS * FR_SECTOR_SIZE];
	int rc = 0;

	memset(c->a, 0, count * FR_SECTOR_SIZE);
	for (size_t i = 0; rc == 0 && i < c->nlegs; i++) {
		rc = fr_leg_read(c->reader, &c->target->legs[i], sector, count, c->b, err);
		if (rc == 0)
			fr_xor(c->a, c->b, count * FR_SECTOR_SIZE);
	}
	if (rc == 0)
		count_differences(c, c->a, zeros, sector, count, NULL, NULL);
	return rc;
}

/* ---- what there is to compare ---- */

static bool is_whole(const struct fr_plan *plan, const struct fr_target *t, size_t first, size_t nlegs)
{
	for (size_t i = first; i < first + nlegs; i++) {
		if (fr_leg_is_missing(plan, &t->legs[i]))
			return false;
	}
	return nlegs > 1;
}

/* Sectors of a column of copies: where the set ends inside a row, what lies behind its end is nobody's. */
static uint64_t column_sectors(const struct fr_plan *plan, const struct fr_target *t, uint64_t column)
{
	uint64_t end = plan->devices[plan->ndevices - 1].sectors, columns = t->nlegs / 2, row = t->chunk * columns;
	uint64_t left = end % row, before = column * t->chunk;

	if (end >= t->length)
		return t->length / columns;
	left = left > before ? left - before : 0;
	return end / row * t->chunk + (left < t->chunk ? left : t->chunk);
}

static size_t add_comparisons(const struct fr_plan *plan, const struct fr_target *t, struct comparison *list)
{
	size_t count = 0, nlegs = t->kind == FR_TARGET_RAID10 ? 2 : t->nlegs;
	uint64_t sectors = t->length;

	if (t->kind == FR_TARGET_RAID5)
		sectors = t->length / (t->nlegs - 1);
	else if (t->kind != FR_TARGET_RAID1 && t->kind != FR_TARGET_RAID10)
		return 0;
	for (size_t first = 0; first < t->nlegs; first += nlegs) {
		if (t->kind == FR_TARGET_RAID10)
			sectors = column_sectors(plan, t, first / 2);
		if (is_whole(plan, t, first, nlegs))
			list[count++] = (struct comparison){ .target = t, .first = first, .nlegs = nlegs,
							     .sectors = sectors, .parity = t->kind == FR_TARGET_RAID5 };
	}
	return count;
}

static size_t find_comparisons(const struct fr_plan *plan, struct comparison *list)
{
	size_t count = 0;

	for (size_t d = 0; d < plan->ndevices; d++) {
		for (size_t i = 0; i < plan->devices[d].ntargets; i++)
			count += add_comparisons(plan, &plan->devices[d].targets[i], &list[count]);
	}
	return count;
}

static int run(struct comparison *c, uint64_t before, uint64_t total, fr_progress_fn *progress, void *data,
	       struct fr_error *err)
{
	for (uint64_t at = 0; at < c->sectors;) {
		size_t count = c->sectors - at < FR_PIECE_SECTORS ? (size_t)(c->sectors - at) : FR_PIECE_SECTORS;
		int rc = c->parity ? compare_parity(c, at, count, err) : compare_copies(c, at, count, err);

		if (rc != 0)
			return rc;
		c->result->compared += count;
		at += count;
		if (progress != NULL && progress(data, before + at, total) != 0)
			return fr_fail(err, -EINTR, "interrupted");
	}
	return 0;
}

int fr_verify(struct fr_reader *reader, struct fr_verify_result *result, fr_progress_fn *progress, void *data,
	      struct fr_error *err)
{
	const size_t bytes = (size_t)FR_PIECE_SECTORS * FR_SECTOR_SIZE;
	const struct fr_plan *plan = reader->plan;
	struct comparison list[FR_MAX_WIDTH];
	size_t count = find_comparisons(plan, list);
	uint64_t total = 0, before = 0;
	uint8_t *buffers = aligned_alloc(FR_BUFFER_ALIGNMENT, 2 * bytes);
	int rc = 0;

	memset(result, 0, sizeof(*result));
	if (buffers == NULL)
		return fr_fail(err, -ENOMEM, "out of memory");
	if (count == 0)
		rc = fr_fail(err, -ENOTSUP, "%s: nothing to compare: %s", plan->set->name,
			     fr_level_is_redundant(plan->set->level) ? "no two copies, or not all members, are here" :
			     "the level has no redundancy");
	for (size_t i = 0; i < count; i++)
		total += list[i].sectors;
	for (size_t i = 0; rc == 0 && i < count; i++) {
		list[i].reader = reader;
		list[i].result = result;
		list[i].a = buffers;
		list[i].b = buffers + bytes;
		rc = run(&list[i], before, total, progress, data, err);
		before += list[i].sectors;
	}
	free(buffers);
	return rc;
}
