// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * deep.c - records that do not lie where they belong.
 *
 * Most formats count from the end of the disk. When a host protected area is
 * set or removed, or a disk cloned to a larger one, the record stays where it
 * was, and the firmware and every tool look elsewhere. Such records are shown,
 * and never used.
 */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum {
	DEEP_SECTORS = 65536,    /* from the end of the disk */
	DEEP_PIECE = 2048,
	MAX_STRAYS = 16,         /* of one disk and format: more are no remains of one array */
};

static bool was_looked_at(const struct fr_disk *disk, const struct fr_format *format, uint64_t lba)
{
	for (size_t i = 0; i < disk->nlooks; i++) {
		const struct fr_look *look = &disk->looks[i];

		if (look->format == format && lba >= look->lba && lba - look->lba < look->sectors)
			return true;
	}
	return false;
}

/* Where the format looked last: what it expected of a disk of this size. */
static uint64_t expected_at(const struct fr_disk *disk, const struct fr_format *format)
{
	uint64_t lba = 0;

	for (size_t i = 0; i < disk->nlooks; i++) {
		if (disk->looks[i].format == format && disk->looks[i].lba > lba)
			lba = disk->looks[i].lba;
	}
	return lba;
}

static void add_stray(struct fr_pool *pool, struct fr_disk *disk, const struct fr_format *format, uint64_t lba,
		      const uint8_t *sector, struct fr_scan *scan)
{
	struct fr_look *looks = fr_pool_longer(pool, disk->looks, disk->nlooks, 1, sizeof(*looks));
	uint8_t *data = fr_pool_array(pool, 1, FR_SECTOR_SIZE);
	const char *reason = fr_pool_text(pool, "a record lies here, expected at sector %llu: the disk had another size "
					  "when the array was made; it is not used",
					  (unsigned long long)expected_at(disk, format));

	if (looks == NULL || data == NULL)
		return;
	memcpy(data, sector, FR_SECTOR_SIZE);
	looks[disk->nlooks++] = (struct fr_look){
		.format = format, .lba = lba, .sectors = 1, .verdict = FR_VERDICT_FOREIGN, .reason = reason, .data = data,
	};
	disk->looks = looks;
	fr_problem_add(pool, scan, disk->path, format, &lba, false, reason);
}

static void look_in_piece(struct fr_pool *pool, const struct fr_open_disk *open, const struct fr_format *format,
			  uint64_t lba, uint32_t sectors, const uint8_t *data, struct fr_scan *scan, unsigned *strays)
{
	for (uint32_t i = 0; i < sectors && *strays < MAX_STRAYS; i++) {
		const uint8_t *sector = data + (size_t)i * FR_SECTOR_SIZE;

		if (!format->ops->is_record(sector) || was_looked_at(open->disk, format, lba + i))
			continue;
		add_stray(pool, open->disk, format, lba + i, sector, scan);
		(*strays)++;
	}
}

static void look_at_disk(struct fr_pool *pool, const struct fr_open_disk *open, const struct fr_format *format,
			 uint8_t *buf, struct fr_scan *scan)
{
	uint64_t end = open->disk->sectors, lba = end > DEEP_SECTORS ? end - DEEP_SECTORS : 0;
	unsigned strays = 0;

	while (lba < end) {
		uint32_t n = end - lba < DEEP_PIECE ? (uint32_t)(end - lba) : DEEP_PIECE;

		if (fr_read_fully(open->fd, buf, (size_t)n * FR_SECTOR_SIZE, lba * FR_SECTOR_SIZE) == 0)
			look_in_piece(pool, open, format, lba, n, buf, scan, &strays);
		lba += n;
	}
}

void fr_deep_look(struct fr_pool *pool, const struct fr_open_disk *disks, size_t ndisks,
		  const struct fr_format *const *formats, struct fr_scan *scan)
{
	uint8_t *buf = malloc((size_t)DEEP_PIECE * FR_SECTOR_SIZE);

	if (buf == NULL)
		pool->failed = true;
	for (size_t d = 0; buf != NULL && d < ndisks; d++) {
		for (size_t i = 0; formats[i] != NULL; i++) {
			if (formats[i]->ops->is_record != NULL)
				look_at_disk(pool, &disks[d], formats[i], buf, scan);
		}
	}
	free(buf);
}
