// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sectors.c - the bytes at the places that the formats ask for, and the
 * question put to each format: what is this?
 *
 * All wishes of all formats on all disks are announced to the kernel before
 * the first is read, so that slow disks work side by side.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

/* What one format wishes to see of one disk. */
struct request {
	const struct fr_open_disk *open;
	const struct fr_format *format;
	struct fr_view view;
	size_t nwindows;
	struct fr_window windows[2 * FR_MAX_WISHES]; /* two rounds */
};

const uint8_t *fr_view_at(const struct fr_view *view, uint64_t lba, uint32_t sectors)
{
	for (size_t i = 0; i < view->nwindows; i++) {
		const struct fr_window *w = &view->windows[i];

		if (w->data != NULL && lba >= w->lba && fr_range_inside(lba - w->lba, sectors, w->sectors))
			return w->data + (lba - w->lba) * FR_SECTOR_SIZE;
	}
	return NULL;
}

/* Takes the wishes that lie inside the disk and announces them to the kernel. */
static void add_wishes(struct request *r, const struct fr_wish *wishes, size_t count)
{
	for (size_t i = 0; i < count && i < FR_MAX_WISHES; i++) {
		const struct fr_wish *wish = &wishes[i];
		struct fr_window *w = &r->windows[r->nwindows];

		if (wish->sectors == 0 || wish->sectors > FR_MAX_WISH_SECTORS ||
		    !fr_range_inside(wish->lba, wish->sectors, r->view.sectors))
			continue;
		*w = (struct fr_window){ .lba = wish->lba, .sectors = wish->sectors };
		r->nwindows++;
		/* Another writer may have gone below the page cache, as device-mapper does: look at the disk itself. */
		posix_fadvise(r->open->fd, (off_t)(w->lba * FR_SECTOR_SIZE), (off_t)w->sectors * FR_SECTOR_SIZE,
			      POSIX_FADV_DONTNEED);
		posix_fadvise(r->open->fd, (off_t)(w->lba * FR_SECTOR_SIZE), (off_t)w->sectors * FR_SECTOR_SIZE,
			      POSIX_FADV_WILLNEED);
	}
}

static void read_window(struct fr_pool *pool, const struct request *r, struct fr_window *w, struct fr_scan *scan)
{
	uint8_t *data = fr_pool_array(pool, w->sectors, FR_SECTOR_SIZE);

	if (data == NULL)
		return;
	w->error = -fr_read_fully(r->open->fd, data, (size_t)w->sectors * FR_SECTOR_SIZE, w->lba * FR_SECTOR_SIZE);
	if (w->error == 0) {
		w->data = data;
		return;
	}
	fr_problem_add(pool, scan, r->open->disk->path, r->format, &w->lba, true,
		       fr_pool_text(pool, "%u sector%s cannot be read: %s", w->sectors, w->sectors == 1 ? "" : "s",
				    strerror(w->error)));
}

static void read_windows(struct fr_pool *pool, struct request *r, size_t from, struct fr_scan *scan)
{
	for (size_t i = from; i < r->nwindows; i++)
		read_window(pool, r, &r->windows[i], scan);
	r->view.windows = r->windows;
	r->view.nwindows = r->nwindows;
}

/* ---- asking the formats ---- */

/* The places looked at, before the format says what is there. */
static void add_looks(struct fr_pool *pool, const struct request *r)
{
	struct fr_disk *disk = r->open->disk;
	struct fr_look *looks = fr_pool_longer(pool, disk->looks, disk->nlooks, r->nwindows, sizeof(*looks));

	if (looks == NULL)
		return;
	disk->looks = looks;
	for (size_t i = 0; i < r->nwindows; i++) {
		const struct fr_window *w = &r->windows[i];

		looks[disk->nlooks++] = (struct fr_look){
			.format = r->format, .lba = w->lba, .sectors = w->sectors, .data = w->data,
			.reason = w->data == NULL ? "cannot be read" : NULL,
		};
	}
}

static void ask_format(struct fr_pool *pool, const struct request *r, struct fr_claims *claims)
{
	struct fr_findings f = {
		.pool = pool, .format = r->format, .disk = r->open->disk, .claims = claims,
	};
	size_t before = claims->count;

	add_looks(pool, r);
	r->format->ops->claims(&r->view, &f);
	for (size_t i = before; i < claims->count; i++)
		fr_claim_check(&f, claims->list[i]);
}

static void start_requests(struct request *requests, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct request *r = &requests[i];
		struct fr_wish wishes[FR_MAX_WISHES];

		r->view = (struct fr_view){
			.sectors = r->open->disk->sectors, .sector_size = r->open->disk->sector_size,
			.is_image = r->open->disk->is_image, .serial = r->open->disk->serial,
		};
		add_wishes(r, wishes, r->format->ops->where(&r->view, wishes));
	}
}

static void finish_requests(struct fr_pool *pool, struct request *requests, size_t count, struct fr_claims *claims,
			    struct fr_scan *scan)
{
	for (size_t i = 0; i < count; i++) {
		struct request *r = &requests[i];
		struct fr_wish wishes[FR_MAX_WISHES];
		size_t first_round = r->nwindows;

		read_windows(pool, r, 0, scan);
		if (r->format->ops->where_next != NULL) {
			add_wishes(r, wishes, r->format->ops->where_next(&r->view, wishes));
			read_windows(pool, r, first_round, scan);
		}
		ask_format(pool, r, claims);
	}
}

void fr_sectors_read(struct fr_pool *pool, const struct fr_open_disk *disks, size_t ndisks,
		     const struct fr_format *const *formats, struct fr_claims *claims, struct fr_scan *scan)
{
	size_t nformats = 0, count = 0;
	struct request *requests;

	while (formats[nformats] != NULL)
		nformats++;
	requests = fr_pool_array(pool, ndisks * nformats + 1, sizeof(*requests));
	if (requests == NULL)
		return;
	for (size_t d = 0; d < ndisks; d++) {
		for (size_t i = 0; i < nformats; i++)
			requests[count++] = (struct request){ .open = &disks[d], .format = formats[i] };
	}
	start_requests(requests, count);
	finish_requests(pool, requests, count, claims, scan);
}
