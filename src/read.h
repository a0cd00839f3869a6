/* SPDX-License-Identifier: GPL-2.0-or-later */
/* read.h - reading through a plan in user space, for the files that compare and probe. */
#ifndef FR_READ_H
#define FR_READ_H

#include "internal.h"

enum {
	FR_PIECE_SECTORS = 128,  /* of a scratch buffer: small enough for the processor's cache */
	FR_BUFFER_ALIGNMENT = 4096,
};

struct fr_reader {
	const struct fr_plan *plan;
	size_t ndisks;
	struct fr_reader_disk {
		const struct fr_disk *disk;
		int fd;
	} *disks;
	uint8_t *scratch;        /* FR_PIECE_SECTORS sectors */
};

/* Sectors [sector, sector + count) of what lies behind a leg. */
int fr_leg_read(struct fr_reader *r, const struct fr_leg *leg, uint64_t sector, size_t count, void *buf,
		struct fr_error *err);

/* Whether the leg is a stand-in for a member that is not there. */
bool fr_leg_is_missing(const struct fr_plan *plan, const struct fr_leg *leg);

/* The disk that a leg's slice lies on, or NULL. */
const struct fr_disk *fr_leg_disk(const struct fr_plan *plan, const struct fr_leg *leg);

void fr_xor(void *to, const void *from, size_t bytes);

#endif
