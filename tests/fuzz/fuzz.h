/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz.h - what the fuzz targets share. A target is a function that libFuzzer or driver.c calls with one input, and a
 * function that makes a first input of the images of a case. An input is read from its start; what it does not say
 * is 0.
 */
#ifndef FR_FUZZ_H
#define FR_FUZZ_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../support.h"

enum { FUZZ_MAX_INPUT = 1 << 15 };

/* ---- what a target is ---- */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

extern const char fuzz_name[];

/* An input of at most FUZZ_MAX_INPUT bytes from the images folder/disk0.img ...; 0: the case is of no use here. */
size_t fuzz_seed(const char *folder, uint8_t *input);

/* ---- reading an input ---- */

struct input {
	const uint8_t *data;
	size_t left;
};

static inline void take_bytes(struct input *in, uint8_t *to, size_t count)
{
	size_t n = count < in->left ? count : in->left;

	if (n != 0)
		memcpy(to, in->data, n);
	memset(to + n, 0, count - n);
	in->data += n;
	in->left -= n;
}

static inline uint32_t take_number(struct input *in, size_t size)
{
	uint8_t bytes[4];

	take_bytes(in, bytes, size);
	return (uint32_t)sum_words(bytes, size, 1);
}

/* ---- what must hold, whatever the input ---- */

/* A broken promise is a crash, so that every fuzzer notices it. */
#define MUST(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
			abort(); \
		} \
	} while (0)

/* Names are what device-mapper takes as they are: bytes that stand for themselves, and whole escapes. */
static inline void must_be_name(const char *name)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789#+-.:=@_";

	MUST(name[0] != '\0' && strlen(name) <= FR_MAX_DM_NAME);
	while (*name != '\0') {
		bool escape = name[0] == '\\';

		if (escape)
			MUST(name[1] == 'x' && strspn(name + 2, "0123456789abcdef") >= 2);
		else
			MUST(strchr(plain, *name) != NULL);
		name += escape ? 4 : 1;
	}
}

static inline void must_be_members(const struct fr_set *set)
{
	for (unsigned i = 0; i < set->width; i++) {
		const struct fr_member *m = &set->members[i];

		MUST(m->index == i);
		MUST((m->disk == NULL) == (m->state == FR_MEMBER_MISSING));
		MUST(m->state == FR_MEMBER_OK || m->disk == NULL || m->reason != NULL);
		if (set->use != FR_USE_NEVER && m->state == FR_MEMBER_OK)
			MUST(fr_range_inside(m->offset, m->room, m->disk->sectors));
	}
}

static inline void must_be_set(const struct fr_set *set)
{
	must_be_name(set->name);
	must_be_members(set);
	MUST(set->width <= FR_MAX_WIDTH && set->id[0] != '\0');
	MUST(set->state == FR_SET_OK || set->nreasons > 0);
	MUST(fr_set_state_name(set->state) != NULL && fr_level_name(set->level) != NULL);
	MUST(set->state < FR_SET_BROKEN || set->use == FR_USE_NEVER);
	for (size_t i = 0; i < set->nreasons; i++)
		MUST(set->reasons[i][0] != '\0');
}

static inline void must_be_scan(const struct fr_scan *scan)
{
	for (size_t i = 0; i < scan->nsets; i++) {
		must_be_set(scan->sets[i]);
		for (size_t k = 0; k < i; k++)
			MUST(strcmp(scan->sets[k]->name, scan->sets[i]->name) != 0);
	}
	for (size_t i = 0; i < scan->nproblems; i++)
		MUST(scan->problems[i].disk != NULL && scan->problems[i].reason[0] != '\0');
	for (size_t i = 0; i < scan->ndisks; i++) {
		for (size_t k = 0; k < scan->disks[i]->nlooks; k++) {
			const struct fr_look *look = &scan->disks[i]->looks[k];

			MUST(fr_range_inside(look->lba, look->sectors, scan->disks[i]->sectors));
			MUST(look->verdict != FR_VERDICT_INVALID || look->reason != NULL);
		}
	}
}

/* Every table of a plan as text: it says so much, and in one line. */
static inline void must_be_tables(const struct fr_plan *plan)
{
	for (size_t d = 0; d < plan->ndevices; d++) {
		must_be_name(plan->devices[d].name);
		for (size_t t = 0; t < plan->devices[d].ntargets; t++) {
			char *line = fr_plan_table(plan, d, t);

			MUST(line != NULL && strchr(line, '\n') == NULL);
			free(line);
		}
	}
}

/* The options that a plan may be asked for with. */
static inline const struct fr_plan_options *plan_options(size_t i)
{
	static const struct fr_plan_options all[] = {
		{ .degraded = FR_DEGRADED_READ_ONLY },
		{ .degraded = FR_DEGRADED_READ_WRITE, .on_request = true },
		{ .on_request = true, .peer_size = true, .read_only = true },
		{ .on_request = true, .layout = FR_LAYOUT_RIGHT_ASYMMETRIC },
	};
	return i < FR_COUNT(all) ? &all[i] : NULL;
}

/* ---- a format alone, over a view that lies ---- */

enum {
	FUZZ_SEAL = 1,          /* make the sums of the records right, so that what lies behind them is reached */
	FUZZ_4096 = 2,          /* the disk has sectors of 4096 bytes */
	FUZZ_UNREADABLE = 4,    /* and so on: bits of windows that cannot be read */
};

struct format_input {
	struct input in;
	uint8_t flags;
	unsigned window;
	void (*seal)(uint8_t *sector);
};

static inline bool fill_window(void *data, uint64_t lba, uint32_t sectors, uint8_t *buf)
{
	struct format_input *f = data;
	bool readable = (f->flags & (unsigned)FUZZ_UNREADABLE << f->window) == 0 || f->window > 5;

	(void)lba;
	take_bytes(&f->in, buf, (size_t)sectors * FR_SECTOR_SIZE);
	for (uint32_t i = 0; (f->flags & FUZZ_SEAL) != 0 && i < sectors; i++)
		f->seal(buf + (size_t)i * FR_SECTOR_SIZE);
	f->window++;
	return readable;
}

static inline void must_be_claims(const struct fr_claims *claims)
{
	for (size_t i = 0; i < claims->count; i++) {
		const struct fr_claim *c = claims->list[i];

		MUST(c->id_length <= FR_MAX_ID && c->nshares <= FR_MAX_SHARES && c->nremarks <= FR_MAX_REMARKS);
		if (c->fault != NULL || c->role != FR_ROLE_MEMBER)
			continue;
		MUST(c->id_length > 0 && c->index < c->width && c->width <= FR_MAX_WIDTH && c->name[0] != '\0');
		if (c->unsupported == NULL)
			MUST(fr_range_inside(c->offset, c->room, c->disk->sectors));
	}
}

static inline void fuzz_format(const struct fr_format *format, void (*seal)(uint8_t *), const uint8_t *data,
			       size_t size)
{
	struct format_input f = { .in = { data, size }, .seal = seal };
	uint32_t sectors;
	struct probe p;

	f.flags = (uint8_t)take_number(&f.in, 1);
	sectors = take_number(&f.in, 4);
	probe_format(&p, format, sectors, (f.flags & FUZZ_4096) != 0 ? 4096 : FR_SECTOR_SIZE, fill_window, &f);
	must_be_claims(&p.claims);
	fr_sets_make(&p.pool, &p.claims, NULL, &p.scan);
	must_be_scan(&p.scan);
	for (size_t i = 0; i < p.scan.nsets; i++) {
		for (size_t k = 0; plan_options(k) != NULL; k++) {
			struct fr_plan *plan;

			if (fr_plan_new(p.scan.sets[i], plan_options(k), &plan, NULL) != 0)
				continue;
			must_be_tables(plan);
			fr_plan_free(plan);
		}
	}
	probe_free(&p);
}

/* ---- seeds ---- */

/* Opens folder/diskN.img and learns its size in sectors; -1: there is none. */
static inline int open_seed(const char *folder, unsigned n, uint64_t *sectors)
{
	char path[4096];
	off_t end;
	int fd;

	snprintf(path, sizeof(path), "%s/disk%u.img", folder, n);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	end = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
	*sectors = end < 0 ? 0 : (uint64_t)end / FR_SECTOR_SIZE;
	return fd;
}

/* The windows of a format on the case's first disk. */
static inline size_t format_seed(const struct fr_format *format, const char *folder, uint8_t *input)
{
	struct fr_wish wishes[FR_MAX_WISHES];
	struct fr_view view = { .sector_size = FR_SECTOR_SIZE };
	int fd = open_seed(folder, 0, &view.sectors);
	size_t at = 5, count;

	if (fd < 0)
		return 0;
	input[0] = FUZZ_SEAL;
	put_number(input + 1, 4, view.sectors);
	count = format->ops->where(&view, wishes);
	for (size_t i = 0; i < count && at + (size_t)wishes[i].sectors * FR_SECTOR_SIZE <= FUZZ_MAX_INPUT; i++) {
		if (fr_read_fully(fd, input + at, (size_t)wishes[i].sectors * FR_SECTOR_SIZE,
				  wishes[i].lba * FR_SECTOR_SIZE) == 0)
			at += (size_t)wishes[i].sectors * FR_SECTOR_SIZE;
	}
	close(fd);
	return at;
}

#endif
