// SPDX-License-Identifier: GPL-2.0-or-later
/* plan_check.c - the last look at a plan: whatever made it, it reaches nothing that it must not. */
#include "plan.h"

/* Sectors of each leg that a target uses. */
static uint64_t leg_sectors(const struct fr_target *t)
{
	switch (t->kind) {
	case FR_TARGET_STRIPED:
		return t->nlegs == 0 ? 0 : t->length / t->nlegs;
	case FR_TARGET_RAID10:
		return t->nlegs < 2 ? 0 : t->length / (t->nlegs / 2);
	case FR_TARGET_RAID5:
		return t->nlegs < 2 ? 0 : t->length / (t->nlegs - 1);
	case FR_TARGET_LINEAR:
	case FR_TARGET_RAID1:
	case FR_TARGET_ZERO:
	case FR_TARGET_ERROR:
		break;
	}
	return t->length;
}

/* Whole rows of chunks, of a chunk that the kernel takes. */
static bool rows_are_whole(const struct fr_target *t, uint64_t columns, bool power_of_2)
{
	uint64_t row;

	if (t->chunk == 0 || columns == 0 || (power_of_2 && (!fr_is_power_of_2(t->chunk) || t->chunk < FR_MIN_RAID_CHUNK)))
		return false;
	return fr_multiply(t->chunk, columns, &row) && t->length % row == 0;
}

static bool shape_is_right(const struct fr_target *t)
{
	switch (t->kind) {
	case FR_TARGET_LINEAR:
		return t->nlegs == 1;
	case FR_TARGET_STRIPED:
		return rows_are_whole(t, t->nlegs, false);
	case FR_TARGET_RAID1:
		return t->nlegs >= 1;
	case FR_TARGET_RAID10:
		return t->nlegs >= 2 && t->nlegs % 2 == 0 && rows_are_whole(t, t->nlegs / 2, true);
	case FR_TARGET_RAID5:
		return t->nlegs >= 3 && t->layout != FR_LAYOUT_NONE && rows_are_whole(t, t->nlegs - 1, true);
	case FR_TARGET_ZERO:
	case FR_TARGET_ERROR:
		return t->nlegs == 0;
	}
	return false;
}

static const struct fr_member *member_on(const struct fr_set *set, const struct fr_disk *disk, uint64_t start,
					 uint64_t length)
{
	for (unsigned i = 0; i < set->width; i++) {
		const struct fr_member *m = &set->members[i];

		if (m->state == FR_MEMBER_OK && m->disk == disk && start >= m->offset &&
		    fr_range_inside(start - m->offset, length, m->room) && fr_range_inside(start, length, disk->sectors))
			return m;
	}
	return NULL;
}

static int check_leg(const struct fr_plan *plan, size_t device, const struct fr_target *t, const struct fr_leg *leg,
		     struct fr_error *err)
{
	uint64_t length = leg_sectors(t);

	if (leg->disk == NULL) {
		if (leg->device >= device || !fr_range_inside(leg->offset, length, plan->devices[leg->device].sectors))
			return fr_fail(err, -EINVAL, "%s reaches past a device below it", plan->devices[device].name);
		return 0;
	}
	if (member_on(plan->set, leg->disk, leg->offset, length) == NULL)
		return fr_fail(err, -EINVAL, "%s reaches past its data area on %s", plan->devices[device].name,
			       leg->disk->path);
	if (leg->disk->sector_size != FR_SECTOR_SIZE &&
	    (leg->offset * FR_SECTOR_SIZE % leg->disk->sector_size != 0 ||
	     length * FR_SECTOR_SIZE % leg->disk->sector_size != 0 ||
	     (uint64_t)t->chunk * FR_SECTOR_SIZE % leg->disk->sector_size != 0))
		return fr_fail(err, -EINVAL, "%s is not aligned to the %u-byte sectors of %s",
			       plan->devices[device].name, leg->disk->sector_size, leg->disk->path);
	return 0;
}

static int check_device(const struct fr_plan *plan, size_t device, struct fr_error *err)
{
	const struct fr_device *d = &plan->devices[device];
	uint64_t at = 0;

	for (size_t i = 0; i < d->ntargets; i++) {
		const struct fr_target *t = &d->targets[i];

		if (t->start != at || t->length == 0 || !fr_add(at, t->length, &at) || !shape_is_right(t))
			return fr_fail(err, -EINVAL, "%s: target %zu is of a shape that cannot be mapped", d->name, i);
		for (size_t k = 0; k < t->nlegs; k++) {
			int rc = check_leg(plan, device, t, &t->legs[k], err);

			if (rc != 0)
				return rc;
		}
	}
	if (at != d->sectors || at == 0)
		return fr_fail(err, -EINVAL, "%s: its targets make %llu sectors, not %llu", d->name,
			       (unsigned long long)at, (unsigned long long)d->sectors);
	return 0;
}

/* ---- no disk area twice ---- */

/* One leg of one target of a plan. */
struct area {
	const struct fr_disk *disk;
	uint64_t start, length;
};

static bool area_at(const struct fr_plan *plan, size_t number, struct area *area)
{
	for (size_t d = 0; d < plan->ndevices; d++) {
		for (size_t i = 0; i < plan->devices[d].ntargets; i++) {
			const struct fr_target *t = &plan->devices[d].targets[i];

			if (number >= t->nlegs) {
				number -= t->nlegs;
				continue;
			}
			*area = (struct area){ t->legs[number].disk, t->legs[number].offset, leg_sectors(t) };
			return true;
		}
	}
	return false;
}

static int check_overlaps(const struct fr_plan *plan, struct fr_error *err)
{
	struct area a, b;

	for (size_t i = 0; area_at(plan, i, &a); i++) {
		for (size_t k = i + 1; a.disk != NULL && area_at(plan, k, &b); k++) {
			if (a.disk == b.disk && a.start < b.start + b.length && b.start < a.start + a.length)
				return fr_fail(err, -EINVAL, "%s would be mapped twice", a.disk->path);
		}
	}
	return 0;
}

int fr_plan_check(const struct fr_plan *plan, struct fr_error *err)
{
	if (plan->ndevices == 0)
		return fr_fail(err, -EINVAL, "%s cannot be mapped", plan->set->name);
	for (size_t i = 0; i < plan->ndevices; i++) {
		int rc = check_device(plan, i, err);

		if (rc != 0)
			return rc;
	}
	return check_overlaps(plan, err);
}
