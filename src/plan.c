// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * plan.c - the exact mapping of a set: devices, each a list of targets over
 * members or earlier devices. A pure function of the set and the options.
 *
 * The forms of the tables come from experiments with the kernel:
 * - the raid target needs a metadata device for each member, or it hangs at
 *   the first failure: one `zero` device serves all members of all sets, and
 *   `nosync` tells that there is nothing to copy;
 * - it takes no offsets and must not see the sectors after the data: each of
 *   its members is a slice, a linear device of just the member's data;
 * - a missing member is a device of the `error` target;
 * - one leg of a mirror stays a mirror of one leg: boot loaders take a bare
 *   linear for a partition.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan.h"

struct plan_memory {
	struct fr_plan plan; /* first: fr_plan_free() goes by it */
	struct fr_pool pool;
	size_t allocated;
};

struct builder {
	struct fr_pool *pool;
	struct plan_memory *memory;
	const struct fr_set *set;
	uint64_t sectors;        /* of the set as it is to be mapped */
	enum fr_layout layout;
	bool read_only;
};

/* ---- devices and targets ---- */

static struct fr_device *add_device(struct builder *b, enum fr_device_role role, const char *name, uint64_t sectors)
{
	struct plan_memory *m = b->memory;
	struct fr_device *devices = fr_pool_grow(b->pool, m->plan.devices, m->plan.ndevices, &m->allocated,
						 sizeof(*devices));

	if (devices == NULL)
		return NULL;
	m->plan.devices = devices;
	devices[m->plan.ndevices] = (struct fr_device){
		.name = name, .uuid = fr_pool_text(b->pool, FR_UUID_PREFIX "%s", name), .role = role,
		.read_only = b->read_only, .sectors = sectors,
	};
	return &devices[m->plan.ndevices++];
}

/* A hidden device of this set: its name is the set's, a dash, what it is and a number. */
static struct fr_device *add_part(struct builder *b, const char *what, int number, uint64_t sectors)
{
	const char *name = number < 0 ? fr_pool_text(b->pool, "%s-%s", b->set->name, what) :
					fr_pool_text(b->pool, "%s-%s%d", b->set->name, what, number);

	return add_device(b, FR_DEVICE_PART, name, sectors);
}

static struct fr_target *add_target(struct builder *b, struct fr_device *device, enum fr_target_kind kind,
				    uint64_t start, uint64_t length, size_t nlegs)
{
	struct fr_target *targets, *t;

	if (device == NULL)
		return NULL;
	targets = fr_pool_longer(b->pool, device->targets, device->ntargets, 1, sizeof(*targets));
	if (targets == NULL)
		return NULL;
	device->targets = targets;
	t = &targets[device->ntargets];
	*t = (struct fr_target){ .start = start, .length = length, .kind = kind, .nlegs = nlegs };
	t->legs = fr_pool_array(b->pool, nlegs + 1, sizeof(*t->legs));
	if (t->legs == NULL)
		return NULL;
	device->ntargets++;
	return t;
}

static size_t last_device(const struct builder *b)
{
	return b->memory->plan.ndevices - 1;
}

static struct fr_leg on_disk(const struct fr_member *m, uint64_t sector)
{
	return (struct fr_leg){ .disk = m->disk, .offset = m->offset + sector };
}

static struct fr_leg on_device(size_t device)
{
	return (struct fr_leg){ .device = device };
}

static void add_linear(struct builder *b, struct fr_device *device, uint64_t start, uint64_t length, struct fr_leg leg)
{
	struct fr_target *t = add_target(b, device, FR_TARGET_LINEAR, start, length, 1);

	if (t != NULL)
		t->legs[0] = leg;
}

/* ---- what the raid target's members are made of ---- */

/* The shared stand-in for metadata devices; reads of it find no superblock, writes to it vanish. */
static void add_zero(struct builder *b)
{
	struct fr_device *d = add_device(b, FR_DEVICE_SHARED, FR_ZERO_NAME, FR_ZERO_SECTORS);

	if (d != NULL)
		d->read_only = false; /* it belongs to other sets, too */
	add_target(b, d, FR_TARGET_ZERO, 0, FR_ZERO_SECTORS, 0);
}

static bool is_ok(const struct builder *b, unsigned slot)
{
	return b->set->members[slot].state == FR_MEMBER_OK;
}

/* The device that stands for a member: a slice of the disk, or an error device in place of one that is not there. */
static size_t add_member(struct builder *b, unsigned slot, uint64_t sectors)
{
	if (is_ok(b, slot))
		add_linear(b, add_part(b, "slice", (int)slot, sectors), 0, sectors, on_disk(&b->set->members[slot], 0));
	else
		add_target(b, add_part(b, "missing", (int)slot, sectors), FR_TARGET_ERROR, 0, sectors, 0);
	return last_device(b);
}

/* ---- levels ---- */

static struct fr_device *add_set_device(struct builder *b)
{
	return add_device(b, FR_DEVICE_SET, b->set->name, b->sectors);
}

static void plan_linear(struct builder *b)
{
	struct fr_device *top = add_set_device(b);
	uint64_t start = 0;

	for (unsigned i = 0; i < b->set->width; i++) {
		const struct fr_member *m = &b->set->members[i];

		add_linear(b, top, start, m->sectors, on_disk(m, 0));
		start += m->sectors;
	}
}

/* Whole rows by the striped target; the cut last row, if there is one, piece by piece. */
static void plan_raid0(struct builder *b)
{
	const struct fr_set *set = b->set;
	uint64_t row = (uint64_t)set->chunk * set->width, rows = b->sectors / row, left = b->sectors % row;
	struct fr_device *top = add_set_device(b);
	struct fr_target *t;

	if (rows != 0) {
		t = add_target(b, top, FR_TARGET_STRIPED, 0, rows * row, set->width);
		for (unsigned i = 0; t != NULL && i < set->width; i++)
			t->legs[i] = on_disk(&set->members[i], 0);
		if (t != NULL)
			t->chunk = set->chunk;
	}
	for (unsigned i = 0; left > 0; i++) {
		uint64_t piece = left < set->chunk ? left : set->chunk;

		add_linear(b, top, b->sectors - left, piece, on_disk(&set->members[i], rows * set->chunk));
		left -= piece;
	}
}

/*
 * Members of one mirror that are to be in its table, the newest first: those that are good, and of copies that are
 * not equal only the first, unless all are written to.
 */
static unsigned mirror_legs(const struct builder *b, const unsigned *slots, unsigned count, unsigned *legs)
{
	const struct fr_member *members = b->set->members;
	unsigned n = 0;

	for (unsigned i = 0; i < count; i++) {
		unsigned at = n;

		if (!is_ok(b, slots[i]))
			continue;
		for (; at > 0 && members[slots[i]].behind < members[legs[at - 1]].behind; at--)
			legs[at] = legs[at - 1];
		legs[at] = slots[i];
		n++;
	}
	return !b->set->in_sync && b->read_only && n > 1 ? 1 : n;
}

/* A mirror over the given slots, as the set itself or as one of its columns. */
static void add_mirror(struct builder *b, const unsigned *slots, unsigned count, int column, uint64_t sectors)
{
	unsigned legs[FR_MAX_WIDTH] = { 0 }, n = mirror_legs(b, slots, count, legs);
	size_t devices[FR_MAX_WIDTH] = { 0 };
	struct fr_target *t;

	for (unsigned i = 0; i < n; i++)
		devices[i] = add_member(b, legs[i], sectors);
	t = add_target(b, column < 0 ? add_set_device(b) : add_part(b, "column", column, sectors), FR_TARGET_RAID1, 0,
		       sectors, n);
	for (unsigned i = 0; t != NULL && i < n; i++)
		t->legs[i] = on_device(devices[i]);
	if (t != NULL)
		t->read_first = !b->set->in_sync && n > 1;
}

static void plan_raid1(struct builder *b)
{
	unsigned slots[FR_MAX_WIDTH] = { 0 };

	for (unsigned i = 0; i < b->set->width; i++)
		slots[i] = i;
	add_zero(b);
	add_mirror(b, slots, b->set->width, -1, b->sectors);
}

/*
 * The device for a level that the raid target maps in whole rows only: the set itself where its size is such, else
 * a hidden one of whole rows, of which the set is the beginning.
 */
static void add_rows(struct builder *b, enum fr_target_kind kind, const size_t *members, unsigned count)
{
	const struct fr_set *set = b->set;
	uint64_t row = (uint64_t)set->chunk * fr_level_columns(set->level, set->width);
	uint64_t whole = b->sectors - b->sectors % row + (b->sectors % row != 0 ? row : 0);
	struct fr_device *device = whole == b->sectors ? add_set_device(b) : add_part(b, "whole", -1, whole);
	struct fr_target *t = add_target(b, device, kind, 0, whole, count);

	if (t == NULL)
		return;
	t->chunk = set->chunk;
	if (kind == FR_TARGET_RAID5)
		t->layout = b->layout;
	for (unsigned i = 0; i < count; i++)
		t->legs[i] = on_device(members[i]);
	if (whole != b->sectors) {
		size_t below = last_device(b);

		add_linear(b, add_set_device(b), 0, b->sectors, on_device(below));
	}
}

static uint64_t rows_sectors(const struct builder *b)
{
	uint64_t row = (uint64_t)b->set->chunk * fr_level_columns(b->set->level, b->set->width);

	return (b->sectors / row + (b->sectors % row != 0)) * b->set->chunk;
}

static void plan_parity(struct builder *b)
{
	size_t members[FR_MAX_WIDTH] = { 0 };

	add_zero(b);
	for (unsigned i = 0; i < b->set->width; i++)
		members[i] = add_member(b, i, rows_sectors(b));
	add_rows(b, FR_TARGET_RAID5, members, b->set->width);
}

/* Copies that are equal: one raid10 target, whose members are named column by column. */
static void plan_raid10(struct builder *b)
{
	size_t members[FR_MAX_WIDTH] = { 0 };
	const struct fr_set *set = b->set;

	add_zero(b);
	for (unsigned i = 0; i < set->width; i++)
		members[i] = add_member(b, fr_level_slot(set->level, set->width, i / 2, i % 2), rows_sectors(b));
	add_rows(b, FR_TARGET_RAID10, members, set->width);
}

/* Copies that may differ: a stripe over mirrors, since only a mirror can be told which leg to read. */
static void plan_columns(struct builder *b)
{
	const struct fr_set *set = b->set;
	unsigned columns = fr_level_columns(set->level, set->width);
	size_t devices[FR_MAX_WIDTH] = { 0 };
	struct fr_target *t;
	uint64_t row = (uint64_t)set->chunk * columns, whole = b->sectors - b->sectors % row, left = b->sectors % row;
	struct fr_device *top;

	add_zero(b);
	for (unsigned c = 0; c < columns; c++) {
		unsigned slots[2] = { fr_level_slot(set->level, set->width, c, 0),
				      fr_level_slot(set->level, set->width, c, 1) };

		add_mirror(b, slots, 2, (int)c, rows_sectors(b));
		devices[c] = last_device(b);
	}
	top = add_set_device(b);
	t = whole == 0 ? NULL : add_target(b, top, FR_TARGET_STRIPED, 0, whole, columns);
	for (unsigned c = 0; t != NULL && c < columns; c++) {
		t->legs[c] = on_device(devices[c]);
		t->chunk = set->chunk;
	}
	for (unsigned c = 0; left > 0; c++) {
		uint64_t piece = left < set->chunk ? left : set->chunk;
		struct fr_leg leg = on_device(devices[c]);

		leg.offset = whole / columns;
		add_linear(b, top, b->sectors - left, piece, leg);
		left -= piece;
	}
}

static void plan_level(struct builder *b)
{
	switch (b->set->level) {
	case FR_LEVEL_LINEAR:
		if (b->set->width == 1)
			plan_raid1(b); /* one disk: like one leg of a mirror, not a bare linear */
		else
			plan_linear(b);
		break;
	case FR_LEVEL_RAID0:
		plan_raid0(b);
		break;
	case FR_LEVEL_RAID1:
		plan_raid1(b);
		break;
	case FR_LEVEL_RAID10:
	case FR_LEVEL_RAID01:
		if (b->set->in_sync)
			plan_raid10(b);
		else
			plan_columns(b);
		break;
	case FR_LEVEL_RAID4:
	case FR_LEVEL_RAID5:
		plan_parity(b);
		break;
	case FR_LEVEL_UNKNOWN:
		break;
	}
}

/* ---- whether, and how ---- */

/* All the set's reasons in one sentence. */
static void join_reasons(const struct fr_set *set, char *buf, size_t size)
{
	size_t at = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < set->nreasons && at < size; i++)
		at += (size_t)snprintf(buf + at, size - at, "%s%s", i == 0 ? "" : "; ", set->reasons[i]);
}

static int may_use(const struct fr_set *set, const struct fr_plan_options *o, struct fr_error *err)
{
	const char *state = fr_set_state_name(set->state);
	char why[400];

	join_reasons(set, why, sizeof(why));
	if (set->use == FR_USE_NEVER)
		return fr_fail(err, -ENOTSUP, "%s is %s and cannot be used: %s", set->name, state, why);
	if (set->use == FR_USE_ON_REQUEST && !o->on_request)
		return fr_fail(err, -EPERM, "%s is used on request only (%s), and read-only: %s", set->name,
			       fr_level_has_parity(set->level) ? "--doubtful, or --layout" : "--doubtful", why);
	if (o->degraded == FR_DEGRADED_NO &&
	    (set->state == FR_SET_DEGRADED || set->state == FR_SET_REBUILDING))
		return fr_fail(err, -EPERM, "%s is %s, and that was asked not to be used: %s", set->name, state, why);
	if (o->layout != FR_LAYOUT_NONE && !fr_level_has_parity(set->level))
		return fr_fail(err, -EINVAL, "%s has no parity, and so no layout to choose", set->name);
	if (o->peer_size && set->peer_sectors == 0)
		return fr_fail(err, -EINVAL, "%s has one size only: %llu sectors", set->name,
			       (unsigned long long)set->sectors);
	return 0;
}

static bool is_read_only(const struct fr_set *set, const struct fr_plan_options *o)
{
	return o->read_only || set->use < FR_USE_READ_ONLY_FIRST || (o->peer_size && set->peer_read_only) ||
	       (o->layout != FR_LAYOUT_NONE && o->layout != set->layout) ||
	       (set->use == FR_USE_READ_ONLY_FIRST && o->degraded != FR_DEGRADED_READ_WRITE);
}

int fr_plan_new(const struct fr_set *set, const struct fr_plan_options *options, struct fr_plan **plan,
		struct fr_error *err)
{
	static const struct fr_plan_options defaults = { 0 };
	const struct fr_plan_options *o = options == NULL ? &defaults : options;
	struct plan_memory *m;
	struct builder b = { .set = set };
	int rc = may_use(set, o, err);

	*plan = NULL;
	if (rc != 0)
		return rc;
	m = calloc(1, sizeof(*m));
	if (m == NULL)
		return fr_fail(err, -ENOMEM, "out of memory");
	b.pool = &m->pool;
	b.memory = m;
	b.sectors = o->peer_size ? set->peer_sectors : set->sectors;
	b.layout = o->layout != FR_LAYOUT_NONE ? o->layout : set->layout;
	b.read_only = is_read_only(set, o);
	m->plan.set = set;
	m->plan.read_only = b.read_only;
	plan_level(&b);
	rc = m->pool.failed ? fr_fail(err, -ENOMEM, "out of memory") : fr_plan_check(&m->plan, err);
	if (rc != 0)
		fr_plan_free(&m->plan);
	else
		*plan = &m->plan;
	return rc;
}

void fr_plan_free(struct fr_plan *plan)
{
	struct plan_memory *m = (struct plan_memory *)plan;

	if (plan == NULL)
		return;
	fr_pool_free(&m->pool);
	free(m);
}
