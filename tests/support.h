/* SPDX-License-Identifier: GPL-2.0-or-later */
/* support.h - what the tests and the fuzzers share: numbers in records, right sums, a format asked without a disk. */
#ifndef FR_TEST_SUPPORT_H
#define FR_TEST_SUPPORT_H

#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* Writes `size` bytes of a number, the lowest first. */
static inline void put_number(uint8_t *to, size_t size, uint64_t value)
{
	for (size_t i = 0; i < size; i++)
		to[i] = (uint8_t)(value >> 8 * i);
}

/* The sum of little-endian words of `size` bytes; it wraps as it will. */
static inline uint64_t sum_words(const uint8_t *from, size_t size, size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < size * count; i++)
		sum += (uint64_t)from[i] << 8 * (i % size);
	return sum;
}

/* Makes the sum of an nvidia record right: the 30 words add up to 0. */
static inline void nvidia_seal(uint8_t *sector)
{
	put_number(sector + 0x0c, 4, 0);
	put_number(sector + 0x0c, 4, 0 - sum_words(sector, 4, 30));
}

/* The same for a sil record: the 160 words add up to 0. */
static inline void sil_seal(uint8_t *sector)
{
	put_number(sector + 0x13e, 2, 0);
	put_number(sector + 0x13e, 2, 0 - sum_words(sector, 2, 160));
}

/* ---- a format asked about a disk that is not there ---- */

/* Fills in sectors of the disk; false: they cannot be read. */
typedef bool probe_fill(void *data, uint64_t lba, uint32_t sectors, uint8_t *buf);

struct probe {
	struct fr_pool pool;
	struct fr_disk disk;
	struct fr_claims claims;
	struct fr_scan scan;     /* empty, for fr_sets_make() */
	size_t nwindows;
	struct fr_window windows[2 * FR_MAX_WISHES];
};

/* Each window is an allocation of its own, so that a read past it is noticed. */
static inline void probe_windows(struct probe *p, const struct fr_wish *wishes, size_t count, probe_fill *fill,
				 void *data)
{
	for (size_t i = 0; i < count; i++) {
		struct fr_window *w = &p->windows[p->nwindows];
		uint8_t *buf;

		if (wishes[i].sectors == 0 || wishes[i].sectors > FR_MAX_WISH_SECTORS ||
		    !fr_range_inside(wishes[i].lba, wishes[i].sectors, p->disk.sectors))
			continue;
		buf = (uint8_t *)malloc((size_t)wishes[i].sectors * FR_SECTOR_SIZE);
		*w = (struct fr_window){ .lba = wishes[i].lba, .sectors = wishes[i].sectors, .data = buf };
		if (!fill(data, w->lba, w->sectors, buf)) {
			free(buf);
			w->data = NULL;
			w->error = EIO;
		}
		p->nwindows++;
	}
}

/* Asks a format about a disk of this size: where it wants to look, and what it says to what `fill` gives. */
static inline void probe_format(struct probe *p, const struct fr_format *format, uint64_t sectors,
				uint32_t sector_size, probe_fill *fill, void *data)
{
	struct fr_wish wishes[FR_MAX_WISHES];
	struct fr_look *looks;

	*p = (struct probe){ .disk = { .path = "disk", .sectors = sectors, .sector_size = sector_size } };
	struct fr_view view = { .sectors = sectors, .sector_size = sector_size, .windows = p->windows };
	struct fr_findings f = {
		.pool = &p->pool, .format = format, .disk = &p->disk, .claims = &p->claims,
	};

	probe_windows(p, wishes, format->ops->where(&view, wishes), fill, data);
	view.nwindows = p->nwindows;
	if (format->ops->where_next != NULL) {
		probe_windows(p, wishes, format->ops->where_next(&view, wishes), fill, data);
		view.nwindows = p->nwindows;
	}
	looks = (struct fr_look *)fr_pool_array(&p->pool, p->nwindows + 1, sizeof(*looks));
	for (size_t i = 0; i < p->nwindows; i++)
		looks[i] = (struct fr_look){ .format = format, .lba = p->windows[i].lba,
					     .sectors = p->windows[i].sectors, .data = p->windows[i].data };
	p->disk.looks = looks;
	p->disk.nlooks = p->nwindows;
	format->ops->claims(&view, &f);
	for (size_t i = 0; i < p->claims.count; i++)
		fr_claim_check(&f, p->claims.list[i]);
}

static inline void probe_free(struct probe *p)
{
	for (size_t i = 0; i < p->nwindows; i++)
		free((void *)p->windows[i].data);
	fr_pool_free(&p->pool);
}

#endif
