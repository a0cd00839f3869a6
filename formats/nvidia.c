// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * nVidia MediaShield (NVRAID): the BIOS RAID of nForce chipsets, 2003 to about 2010.
 *
 * One record of 120 bytes in the second last sector of each disk; no copy, no
 * generation number, no time. The members' data starts at sector 0 and ends
 * before the record. Facts: two real records, dmraid, FreeBSD's graid and
 * libblkid; where those differ, the comment at the field says who is followed.
 */
#include "format.h"

#include <string.h>

struct nvidia_record {
	uint8_t signature[8];     /* 0x00 "NVIDIA", two spaces */
	le32    size_words;       /* 0x08 words under the checksum: 30 */
	le32    checksum;         /* 0x0c makes the sum of all words 0 */
	le16    version;          /* 0x10 100 */
	uint8_t unit;             /* 0x12 index of this disk; past the active ones: a spare */
	uint8_t reserved;         /* 0x13 */
	le32    capacity;         /* 0x14 sectors of the array */
	le32    sector_size;      /* 0x18 512 */
	uint8_t product[16];      /* 0x1c what the BIOS shows */
	uint8_t revision[4];      /* 0x2c */
	le32    unit_flags;       /* 0x30 of this disk: NVIDIA_UNIT_REBUILDING */
	le32    array_version;    /* 0x34 from here on equal on all members, but for job_mark */
	le32    signature_words[4]; /* 0x38 identity of the array */
	uint8_t job;              /* 0x48 */
	uint8_t width;            /* 0x49 data columns */
	uint8_t total;            /* 0x4a disks; spares included or not, peers disagree */
	uint8_t original_width;   /* 0x4b before a migration */
	le32    level;            /* 0x4c */
	le32    chunk;            /* 0x50 sectors */
	le32    chunk_bytes;      /* 0x54 */
	le32    chunk_power;      /* 0x58 */
	le32    chunk_mask;       /* 0x5c */
	le32    stripe;           /* 0x60 sectors of a row */
	le32    stripe_bytes;     /* 0x64 */
	le32    job_mark;         /* 0x68 how far the job is, sectors of the array */
	le32    original_level;   /* 0x6c */
	le32    original_capacity; /* 0x70 */
	le32    flags;            /* 0x74 */
};
_Static_assert(sizeof(struct nvidia_record) == 120, "the record is 30 words");
_Static_assert(offsetof(struct nvidia_record, unit) == 0x12, "unit");
_Static_assert(offsetof(struct nvidia_record, product) == 0x1c, "product");
_Static_assert(offsetof(struct nvidia_record, array_version) == 0x34, "array_version");
_Static_assert(offsetof(struct nvidia_record, level) == 0x4c, "level");
_Static_assert(offsetof(struct nvidia_record, flags) == 0x74, "flags");

enum {
	NVIDIA_FROM_END = 2,      /* the record is in sector S - 2, and nothing else is reserved */
	NVIDIA_WORDS = 30,
	NVIDIA_VERSION = 100,
	NVIDIA_ARRAY_VERSION = 0x00640044,
	NVIDIA_MIN_CHUNK = 8,
	NVIDIA_MAX_CHUNK = 2048,
	NVIDIA_GRAID_RESERVED = 2048, /* what FreeBSD leaves at the end of a span's members */
	NVIDIA_UNIT_REBUILDING = 0x100,
	NVIDIA_FLAG_ERROR = 2,    /* degraded or offline */
	NVIDIA_FLAG_PARITY_VALID = 4,
};

enum { NVIDIA_NONE = 0x00, NVIDIA_STRIPE = 0x80, NVIDIA_MIRROR = 0x81, NVIDIA_RAID3 = 0x83, NVIDIA_RAID5_ASYM = 0x85,
       NVIDIA_RAID10 = 0x8a, NVIDIA_RAID5_SYM = 0x95, NVIDIA_SPAN = 0xff, NVIDIA_STRIPE_MIRROR = 0x8180 };

enum { NVIDIA_JOB_IDLE = 0, NVIDIA_JOB_INIT = 2, NVIDIA_JOB_REBUILD = 3, NVIDIA_JOB_MIGRATE = 4, NVIDIA_JOB_SYNC = 5 };

#define FIELD(member, type) { #member, offsetof(struct nvidia_record, member), \
			      sizeof(((struct nvidia_record *)0)->member), FR_FIELD_##type }
static const struct fr_field nvidia_fields[] = {
	FIELD(signature, TEXT), FIELD(size_words, UNSIGNED), FIELD(checksum, HEX), FIELD(version, UNSIGNED),
	FIELD(unit, UNSIGNED), FIELD(reserved, HEX), FIELD(capacity, UNSIGNED), FIELD(sector_size, UNSIGNED),
	FIELD(product, TEXT), FIELD(revision, BYTES), FIELD(unit_flags, HEX), FIELD(array_version, HEX),
	FIELD(signature_words, BYTES), FIELD(job, UNSIGNED), FIELD(width, UNSIGNED), FIELD(total, UNSIGNED),
	FIELD(original_width, UNSIGNED), FIELD(level, HEX), FIELD(chunk, UNSIGNED), FIELD(chunk_bytes, UNSIGNED),
	FIELD(chunk_power, UNSIGNED), FIELD(chunk_mask, HEX), FIELD(stripe, UNSIGNED), FIELD(stripe_bytes, UNSIGNED),
	FIELD(job_mark, UNSIGNED), FIELD(original_level, HEX), FIELD(original_capacity, UNSIGNED), FIELD(flags, HEX),
};
#undef FIELD

static size_t nvidia_where(const struct fr_view *disk, struct fr_wish *wishes)
{
	if (disk->sectors < NVIDIA_FROM_END)
		return 0;
	wishes[0] = (struct fr_wish){ .lba = disk->sectors - NVIDIA_FROM_END, .sectors = 1 };
	return 1;
}

/* ---- identity and name ---- */

/* The sum of the signature words in hexadecimal, its decimal digits turned into the letters a to j. */
static void nvidia_name(struct fr_findings *f, const struct nvidia_record *r, struct fr_claim *c)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < 4; i++)
		sum += le32_get(r->signature_words[i]);
	c->name = fr_text(f, "nvidia_%s", fr_letters(f, "%08x", sum));
}

static void nvidia_identity(struct fr_findings *f, const struct nvidia_record *r, struct fr_claim *c)
{
	const le32 *w = r->signature_words;

	c->id_length = sizeof(r->signature_words);
	memcpy(c->id, w, c->id_length);
	c->id_text = fr_text(f, "%u-%u-%u-%u", le32_get(w[0]), le32_get(w[1]), le32_get(w[2]), le32_get(w[3]));
	c->name_suffix = fr_text(f, "_%02x%02x%02x%02x", c->id[0], c->id[1], c->id[2], c->id[3]);
	nvidia_name(f, r, c);
}

/* ---- checks, in the order: record, versions, level, counts, chunk, size ---- */

static uint32_t nvidia_sum(const struct nvidia_record *r)
{
	const le32 *words = (const le32 *)r;
	uint32_t sum = 0;

	for (size_t i = 0; i < NVIDIA_WORDS; i++)
		sum += le32_get(words[i]);
	return sum;
}

static bool nvidia_is_signed(const struct nvidia_record *r)
{
	return memcmp(r->signature, "NVIDIA  ", sizeof(r->signature)) == 0;
}

static bool nvidia_is_record(const uint8_t *sector)
{
	const struct nvidia_record *r = (const struct nvidia_record *)sector;

	return nvidia_is_signed(r) && le32_get(r->size_words) == NVIDIA_WORDS && nvidia_sum(r) == 0;
}

static bool nvidia_record_is_whole(struct fr_findings *f, const struct nvidia_record *r, struct fr_claim *c)
{
	uint32_t sum = nvidia_sum(r);

	if (le32_get(r->size_words) != NVIDIA_WORDS)
		return fr_reason(f, &c->fault, "size is %u words, expected 30", le32_get(r->size_words));
	if (sum != 0)
		return fr_reason(f, &c->fault, "checksum is %08x, expected %08x", le32_get(r->checksum),
				 le32_get(r->checksum) - sum);
	return true;
}

static bool nvidia_level(struct fr_findings *f, const struct nvidia_record *r, struct fr_claim *c)
{
	uint32_t level = le32_get(r->level);

	switch (level) {
	case NVIDIA_STRIPE:
		c->level = FR_LEVEL_RAID0;
		return true;
	case NVIDIA_MIRROR:
		c->level = FR_LEVEL_RAID1;
		return true;
	case NVIDIA_STRIPE_MIRROR:
		c->level = FR_LEVEL_RAID01;
		return true;
	case NVIDIA_SPAN:
		c->level = FR_LEVEL_LINEAR;
		return true;
	case NVIDIA_RAID5_SYM:
		c->level = FR_LEVEL_RAID5;
		c->layout = FR_LAYOUT_LEFT_SYMMETRIC;
		return true;
	case NVIDIA_RAID5_ASYM:
		c->level = FR_LEVEL_RAID5;
		c->layout = FR_LAYOUT_LEFT_ASYMMETRIC;
		fr_reason(f, &c->doubt, "level 0x85 is taken for a left-asymmetric RAID5, on the word of one "
			  "implementation: no real array of it is known");
		return true;
	case NVIDIA_RAID3:
		return fr_reason(f, &c->unsupported, "level 0x83 (RAID3) is not supported");
	case NVIDIA_RAID10:
		return fr_reason(f, &c->unsupported, "level 0x8a (RAID10) is not supported: its layout is not known");
	default:
		return fr_reason(f, &c->unsupported, "level 0x%x is not known", level);
	}
}

/* Active members: from level and width, which is right whether total counts the spares or not. */
static unsigned nvidia_members(const struct nvidia_record *r)
{
	switch (le32_get(r->level)) {
	case NVIDIA_MIRROR:
		return 2;
	case NVIDIA_STRIPE_MIRROR:
		return 2u * r->width;
	case NVIDIA_RAID3:
	case NVIDIA_RAID5_SYM:
	case NVIDIA_RAID5_ASYM:
		return r->width + 1u;
	case NVIDIA_SPAN:
		return r->width == 1 && r->total > 1 ? r->total : r->width;
	default:
		return r->width;
	}
}

static bool nvidia_counts(struct fr_findings *f, const struct nvidia_record *r, struct fr_claim *c)
{
	c->width = nvidia_members(r);
	c->index = r->unit;
	if (r->width == 0 || c->width > FR_MAX_WIDTH)
		return fr_reason(f, &c->fault, "width %u is impossible: 1 to %u members are", r->width, FR_MAX_WIDTH);
	if (c->level == FR_LEVEL_RAID5 && c->width < 3)
		return fr_reason(f, &c->fault, "width %u is impossible for a RAID5", r->width);
	if (r->total < c->width)
		return fr_reason(f, &c->fault, "total is %u disks, less than the %u that width %u needs", r->total,
				 c->width, r->width);
	if (r->unit >= FR_MAX_WIDTH)
		return fr_reason(f, &c->fault, "unit %u is out of range", r->unit);
	if (r->unit >= c->width)
		c->role = FR_ROLE_SPARE;
	return true;
}

static bool nvidia_chunk(struct fr_findings *f, const struct nvidia_record *r, struct fr_claim *c)
{
	uint32_t chunk = le32_get(r->chunk), power = le32_get(r->chunk_power);

	if (c->level == FR_LEVEL_RAID1 || c->level == FR_LEVEL_LINEAR)
		return true; /* set there too, and without meaning */
	if (!fr_is_power_of_2(chunk) || chunk < NVIDIA_MIN_CHUNK || chunk > NVIDIA_MAX_CHUNK)
		return fr_reason(f, &c->fault, "chunk of %u sectors is impossible", chunk);
	if (le32_get(r->chunk_bytes) != chunk * FR_SECTOR_SIZE || power >= 32 || 1u << power != chunk ||
	    le32_get(r->chunk_mask) != chunk - 1)
		return fr_reason(f, &c->fault, "inconsistent geometry: chunk is %u sectors, chunk_bytes %u, "
				 "chunk_power %u, chunk_mask %x", chunk, le32_get(r->chunk_bytes), power,
				 le32_get(r->chunk_mask));
	c->chunk = chunk;
	return true;
}

/* What a member gives to a span is not recorded: three rules, of which the one whose sum fits the capacity counts. */
static void nvidia_shares(const struct fr_view *disk, const struct nvidia_record *r, struct fr_claim *c)
{
	uint32_t chunk = le32_get(r->chunk);

	c->shares[c->nshares++] = fr_is_power_of_2(chunk) ? c->room - c->room % chunk : c->room;
	c->shares[c->nshares++] = c->room;
	c->shares[c->nshares++] = disk->sectors > NVIDIA_GRAID_RESERVED ? disk->sectors - NVIDIA_GRAID_RESERVED : 0;
}

static bool nvidia_size(struct fr_findings *f, const struct fr_view *disk, const struct nvidia_record *r,
			struct fr_claim *c)
{
	if (le32_get(r->sector_size) != FR_SECTOR_SIZE)
		return fr_reason(f, &c->fault, "sector size is %u, only 512 is supported", le32_get(r->sector_size));
	if (disk->sector_size != FR_SECTOR_SIZE)
		return fr_reason(f, &c->fault, "the disk has sectors of %u bytes, with which this format is not known",
				 disk->sector_size);
	if (le32_get(r->capacity) == 0)
		return fr_reason(f, &c->fault, "capacity is 0");
	c->set_sectors = le32_get(r->capacity);
	c->room = disk->sectors - NVIDIA_FROM_END;
	if (c->level == FR_LEVEL_RAID1)
		c->peer_room = c->room; /* dmraid maps a mirror up to the record */
	if (c->level == FR_LEVEL_LINEAR)
		nvidia_shares(disk, r, c);
	return true;
}

/* ---- condition ---- */

static void nvidia_condition(struct fr_findings *f, const struct nvidia_record *r, struct fr_claim *c)
{
	c->failure_known = (le32_get(r->flags) & NVIDIA_FLAG_ERROR) != 0;
	if ((le32_get(r->unit_flags) & NVIDIA_UNIT_REBUILDING) != 0)
		c->state = FR_MEMBER_REBUILDING;
	switch (r->job) {
	case NVIDIA_JOB_IDLE:
		break;
	case NVIDIA_JOB_INIT:
		c->activity = FR_ACTIVITY_INITIALIZING;
		break;
	case NVIDIA_JOB_SYNC:
		c->activity = FR_ACTIVITY_SYNCING;
		break;
	case NVIDIA_JOB_REBUILD:
		c->activity = FR_ACTIVITY_REBUILDING;
		break;
	case NVIDIA_JOB_MIGRATE:
		c->activity = FR_ACTIVITY_MIGRATING;
		break;
	default:
		c->activity = FR_ACTIVITY_UNKNOWN;
		fr_reason(f, &c->caution, "job code %u is not known", r->job);
		break;
	}
	/* Where no job runs the flag is not believed: arrays are known that are whole without it. */
	c->parity_invalid = (r->job == NVIDIA_JOB_INIT || r->job == NVIDIA_JOB_SYNC) &&
			    (le32_get(r->flags) & NVIDIA_FLAG_PARITY_VALID) == 0;
}

static void nvidia_claims(const struct fr_view *disk, struct fr_findings *f)
{
	uint64_t lba = disk->sectors - NVIDIA_FROM_END;
	const struct nvidia_record *r = (const struct nvidia_record *)fr_view_at(disk, lba, 1);
	struct fr_claim *c;

	if (r == NULL)
		return;
	if (!nvidia_is_signed(r)) {
		fr_found(f, lba, 1, FR_VERDICT_NONE, "no signature \"NVIDIA\"");
		return;
	}
	c = fr_claim_new(f, lba, 1);
	nvidia_identity(f, r, c);
	if (!nvidia_record_is_whole(f, r, c))
		return;
	if (le32_get(r->level) == NVIDIA_NONE) {
		c->role = FR_ROLE_SPARE;
		c->id_length = 0;
		return;
	}
	if (le16_get(r->version) != NVIDIA_VERSION || le32_get(r->array_version) != NVIDIA_ARRAY_VERSION)
		fr_reason(f, &c->unsupported, "version %u, array version 0x%08x is not known", le16_get(r->version),
			  le32_get(r->array_version));
	nvidia_level(f, r, c);
	if (nvidia_counts(f, r, c) && nvidia_size(f, disk, r, c))
		nvidia_chunk(f, r, c);
	if (c->fault != NULL && c->unsupported != NULL)
		c->fault = c->unsupported; /* of a record that is not understood, that is the reason */
	nvidia_condition(f, r, c);
	c->agreement = fr_text(f, "original level 0x%x, width %u, capacity %u", le32_get(r->original_level),
			       r->original_width, le32_get(r->original_capacity));
}

static const struct fr_format_ops nvidia_ops = { .where = nvidia_where, .claims = nvidia_claims, .is_record = nvidia_is_record };

const struct fr_format fr_format_nvidia = {
	.name = "nvidia",
	.firmware = "nVidia nForce MediaShield (NVRAID)",
	.levels = "raid0, raid1, raid01, raid5 (left-symmetric), linear",
	.listed = "raid5 (left-asymmetric: on request), RAID3, RAID10",
	.fields = nvidia_fields,
	.nfields = FR_COUNT(nvidia_fields),
	.ops = &nvidia_ops,
};
