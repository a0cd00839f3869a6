/* SPDX-License-Identifier: GPL-2.0-or-later */
/* internal.h - what the stages of the library share with each other and with nobody else. */
#ifndef FR_INTERNAL_H
#define FR_INTERNAL_H

#include <errno.h>
#include <stdarg.h>
#include <sys/types.h>

#include "fakeraid.h"
#include "format.h"
#include "pool.h"

enum {
	FR_MAX_DISKS = 1024,     /* of one scan */
	FR_MAX_DM_NAME = 127,    /* bytes of a device-mapper name */
	FR_MIN_RAID_CHUNK = 8,   /* sectors of a chunk of the raid target: a page */
};

struct fr_context {
	fr_log_fn *log;
	void *log_data;
};

void fr_log(struct fr_context *ctx, enum fr_log_level level, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Fills in *err unless it is NULL or says something already; returns code (a negative errno). */
int fr_fail(struct fr_error *err, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- sectors: the bytes that the formats asked for ---- */

struct fr_window {
	uint64_t lba;
	uint32_t sectors;
	const uint8_t *data;     /* NULL: could not be read */
	int error;               /* errno of the read */
};

/* ---- claims ---- */

struct fr_findings {
	struct fr_pool *pool;
	const struct fr_format *format;
	struct fr_disk *disk;
	struct fr_claims *claims;
	struct fr_claim scratch; /* handed out when there is no memory left; the pool remembers that */
};

struct fr_claims {
	size_t count, allocated;
	struct fr_claim **list;
};

/*
 * The checks that all formats have in common: the place in the array, and that this disk holds what the array's size
 * asks of it. What fails becomes the claim's fault and the block's verdict.
 */
void fr_claim_check(struct fr_findings *f, struct fr_claim *claim);

/* Sectors that each member must hold, 0 where that is not the same for all; false if it does not fit 64 bits. */
bool fr_claim_need(const struct fr_claim *claim, uint64_t *need);

/* ---- disks ---- */

/* A disk that is open for reading. */
struct fr_open_disk {
	struct fr_disk *disk;
	int fd;
};

/* Opens `path` read-only and learns what it is. On failure -errno, with a sentence in err. */
int fr_disk_open(struct fr_pool *pool, const char *path, struct fr_open_disk *open, struct fr_error *err);

/* Paths of the machine's whole disks, NULL-terminated, in the pool. */
int fr_disk_enumerate(struct fr_pool *pool, char ***paths, struct fr_error *err);

/* A small file as text that ends in NUL, cut to what there is room for; -errno, and "", if it cannot be read. */
int fr_read_text(const char *path, char *text, size_t size);

/* Reads `length` bytes at `offset`, all of them or -errno (-ENODATA: the file ends before). */
int fr_read_fully(int fd, void *buf, size_t length, uint64_t offset);

/* ---- the stages inside a scan ---- */

/*
 * Reads what the formats wish to see of all the disks, at most two rounds, and lets the formats look at it:
 * fills in disk->looks and adds to claims. Read errors become problems.
 */
void fr_sectors_read(struct fr_pool *pool, const struct fr_open_disk *disks, size_t ndisks,
		     const struct fr_format *const *formats, struct fr_claims *claims, struct fr_scan *scan);

/* Looks for records of the formats that lie in the last sectors of the disks, and not where they belong. */
void fr_deep_look(struct fr_pool *pool, const struct fr_open_disk *disks, size_t ndisks,
		  const struct fr_format *const *formats, struct fr_scan *scan);

/*
 * Claims to sets: fills in scan->sets, and scan->problems with what belongs to no set. `chosen` names the sets that
 * are meant where several claim the same sectors (NULL-terminated, or NULL).
 */
void fr_sets_make(struct fr_pool *pool, const struct fr_claims *claims, const char *const *chosen,
		  struct fr_scan *scan);

/* Whether the set has this name: its own or an alias, as it is or escaped for device-mapper. */
bool fr_set_is_called(const struct fr_set *set, const char *name);

/* Adds a problem. `where` may be NULL: no place on the disk. */
void fr_problem_add(struct fr_pool *pool, struct fr_scan *scan, const char *disk, const struct fr_format *format,
		    const uint64_t *where, bool unreadable, const char *reason);

/* ---- kernel helpers ---- */

/*
 * The device that is built on the disk or a partition of it and is none of a set's, "md127" or "dm-3 (name)", in the
 * pool; NULL: there is none, or the disk is an image.
 */
const char *fr_disk_holder(struct fr_pool *pool, const struct fr_disk *disk);

/* Takes the kernel's own partition nodes of a disk away (as far as they are not in use), and gives them back. */
int fr_kernel_partitions_remove(struct fr_context *ctx, const struct fr_disk *disk, struct fr_error *err);
int fr_kernel_partitions_restore(struct fr_context *ctx, dev_t devno);

/* ---- whose sets they are ---- */

/*
 * Whether sets of a format are mdadm's unless they are asked for: it knows the format, is installed, and no word of
 * the kernel's command line keeps it off. *word, where that is so: the word that would.
 */
bool fr_is_mdadms(const char *format, const char *cmdline, bool has_mdadm, const char **word);

/* ---- boot ---- */

/* Whether a set is another tool's to assemble. */
bool fr_policy_is_foreign(const struct fr_policy *policy, const struct fr_set *set);

#endif
