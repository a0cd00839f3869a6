// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Silicon Image Medley (SATARAID, SiI 0680, 3112, 3114, 3124, 3132 ...): 2002 to about 2010.
 *
 * Four copies of one sector, 512 sectors apart, the last of them in the last
 * sector of the disk: the drive's own IDENTIFY block with the RAID fields
 * written over words 130 to 159 and the array's size over words 54 to 57.
 * Facts: a real record, field reports, dmraid, FreeBSD's graid, Linux 2.4.
 */
#include "format.h"

#include <string.h>

struct sil_record {
	uint8_t identify_0[0x6c];
	le64    array_sectors;    /* 0x06c of the whole array, RAID10 too */
	uint8_t identify_74[4];
	le32    disk_sectors28;   /* 0x078 as the BIOS saw the disk; saturates at 0x0fffffff */
	uint8_t identify_7c[0x4c];
	le64    disk_sectors48;   /* 0x0c8 0 on old drives */
	uint8_t identify_d0[0x34];
	le16    product_id;       /* 0x104 PCI device of the controller */
	le16    vendor_id;        /* 0x106 0x1095 */
	le16    minor;            /* 0x108 */
	le16    major;            /* 0x10a 1 or 2 */
	uint8_t created[6];       /* 0x10c BCD: second, minute, hour, day, month, year: the array's identity */
	le16    stride;           /* 0x112 sectors of a chunk; without meaning on mirrors */
	le16    unknown_114;
	uint8_t disk_number;      /* 0x116 index of the disk; RAID10: its column */
	uint8_t type;             /* 0x117 */
	uint8_t stripe_drives;    /* 0x118 columns, 0xff: not striped */
	uint8_t stripe_set;       /* 0x119 RAID10: which copy */
	uint8_t mirror_drives;    /* 0x11a copies, 0xff: not mirrored */
	uint8_t mirror_set;       /* 0x11b RAID10: which column */
	le64    rebuild_lba;      /* 0x11c sectors of this member rebuilt so far */
	le32    generation;       /* 0x124 grows with every change */
	uint8_t disk_status;      /* 0x128 */
	uint8_t set_status;       /* 0x129 */
	uint8_t set_location;     /* 0x12a */
	uint8_t disk_location;    /* 0x12b port */
	uint8_t auto_rebuild;     /* 0x12c */
	uint8_t unknown_12d;
	uint8_t name[16];         /* 0x12e for show */
	le16    checksum;         /* 0x13e makes the sum of words 0 to 159 zero */
	uint8_t zeros[190];       /* 0x140 */
	le16    identify_sum;     /* 0x1fe of the drive's own block; nobody keeps it right */
};
_Static_assert(sizeof(struct sil_record) == 512, "the record is one sector");
_Static_assert(offsetof(struct sil_record, disk_sectors28) == 0x78, "disk_sectors28");
_Static_assert(offsetof(struct sil_record, disk_sectors48) == 0xc8, "disk_sectors48");
_Static_assert(offsetof(struct sil_record, vendor_id) == 0x106, "vendor_id");
_Static_assert(offsetof(struct sil_record, disk_number) == 0x116, "disk_number");
_Static_assert(offsetof(struct sil_record, generation) == 0x124, "generation");
_Static_assert(offsetof(struct sil_record, checksum) == 0x13e, "checksum");

enum {
	SIL_COPIES = 4,
	SIL_COPY_DISTANCE = 512,
	SIL_RESERVED = 2048,      /* sectors that the firmware leaves at the end, at the least */
	SIL_PEER_RESERVED = 1536, /* the same for dmraid, and one or two more */
	SIL_VENDOR = 0x1095,
	SIL_SUM_WORDS = 160,
	SIL_MAX_DISKS = 8,
	SIL_MIN_STRIDE = 8,
	SIL_MAX_STRIDE = 2048,
	SIL_SATURATED = 0x0fffffff,
	SIL_FIRST_SATARAID5_MINOR = 2,
	SIL_UNUSED = 0xff,
};

enum { SIL_STRIPE = 0, SIL_MIRROR = 1, SIL_RAID10 = 2, SIL_SPARE = 3, SIL_CONCATENATION = 4, SIL_RAID5 = 0x10,
       SIL_JBOD = 0xff };

enum { SIL_DISK_CURRENT = 1, SIL_DISK_REBUILDING = 2, SIL_DISK_DROPPED = 3, SIL_DISK_REMOVED = 4 };

enum { SIL_SET_UNCLEAN = 1 };

#define FIELD(member, type) { #member, offsetof(struct sil_record, member), \
			      sizeof(((struct sil_record *)0)->member), FR_FIELD_##type }
static const struct fr_field sil_fields[] = {
	{ "serial", 0x14, 20, FR_FIELD_ATA_TEXT }, { "firmware", 0x2e, 8, FR_FIELD_ATA_TEXT },
	{ "model", 0x36, 40, FR_FIELD_ATA_TEXT }, { "magic", 0x60, 4, FR_FIELD_HEX },
	FIELD(array_sectors, UNSIGNED), FIELD(disk_sectors28, UNSIGNED), FIELD(disk_sectors48, UNSIGNED),
	FIELD(product_id, HEX), FIELD(vendor_id, HEX), FIELD(minor, UNSIGNED), FIELD(major, UNSIGNED),
	FIELD(created, BYTES), FIELD(stride, UNSIGNED), FIELD(unknown_114, HEX), FIELD(disk_number, UNSIGNED),
	FIELD(type, HEX), FIELD(stripe_drives, UNSIGNED), FIELD(stripe_set, UNSIGNED), FIELD(mirror_drives, UNSIGNED),
	FIELD(mirror_set, UNSIGNED), FIELD(rebuild_lba, UNSIGNED), FIELD(generation, UNSIGNED),
	FIELD(disk_status, UNSIGNED), FIELD(set_status, UNSIGNED), FIELD(set_location, UNSIGNED),
	FIELD(disk_location, UNSIGNED), FIELD(auto_rebuild, HEX), FIELD(unknown_12d, HEX), FIELD(name, TEXT),
	FIELD(checksum, HEX), FIELD(identify_sum, HEX),
};
#undef FIELD

/* Copy 0 is the one in the last sector. */
static uint64_t sil_copy_lba(const struct fr_view *disk, unsigned copy)
{
	return disk->sectors - 1 - (uint64_t)SIL_COPY_DISTANCE * copy;
}

static size_t sil_where(const struct fr_view *disk, struct fr_wish *wishes)
{
	size_t n = 0;

	while (n < SIL_COPIES && disk->sectors > (uint64_t)SIL_COPY_DISTANCE * n) {
		wishes[n] = (struct fr_wish){ .lba = sil_copy_lba(disk, (unsigned)n), .sectors = 1 };
		n++;
	}
	return n;
}

/* ---- from four copies to one record ---- */

static uint16_t sil_sum(const struct sil_record *r)
{
	const le16 *words = (const le16 *)r;
	uint16_t sum = 0;

	for (size_t i = 0; i < SIL_SUM_WORDS; i++)
		sum = (uint16_t)(sum + le16_get(words[i]));
	return sum;
}

static bool sil_sum_is_right(const struct sil_record *r)
{
	uint16_t sum = sil_sum(r);

	return sum == 0 || (sum == 0xffff && le16_get(r->major) == 1);
}

static bool sil_version_is_known(const struct sil_record *r)
{
	return le16_get(r->major) == 1 || le16_get(r->major) == 2;
}

static bool sil_is_record(const uint8_t *sector)
{
	const struct sil_record *r = (const struct sil_record *)sector;

	return le16_get(r->vendor_id) == SIL_VENDOR && sil_version_is_known(r) && sil_sum_is_right(r);
}

/* NULL if the copy is a record in itself, else why not. */
static const char *sil_copy_fault(struct fr_findings *f, const struct sil_record *r)
{
	if (!sil_version_is_known(r))
		return fr_text(f, "major version %u is not known", le16_get(r->major));
	if (!sil_sum_is_right(r))
		return fr_text(f, "checksum is %04x, expected %04x", le16_get(r->checksum),
			       (uint16_t)(le16_get(r->checksum) - sil_sum(r)));
	return NULL;
}

struct sil_copies {
	const struct sil_record *record[SIL_COPIES]; /* NULL: none there */
	const char *fault[SIL_COPIES];
	unsigned votes[SIL_COPIES];
	int elected;             /* -1: no copy is valid */
};

static void sil_read_copies(const struct fr_view *disk, struct fr_findings *f, struct sil_copies *copies)
{
	for (unsigned i = 0; i < SIL_COPIES; i++) {
		uint64_t lba = sil_copy_lba(disk, i);
		const struct sil_record *r = (const struct sil_record *)fr_view_at(disk, lba, 1);

		if (r == NULL)
			continue;
		if (le16_get(r->vendor_id) != SIL_VENDOR) {
			fr_found(f, lba, 1, FR_VERDICT_NONE, "vendor id is %04x, expected 1095", le16_get(r->vendor_id));
			continue;
		}
		copies->record[i] = r;
		copies->fault[i] = sil_copy_fault(f, r);
		fr_found(f, lba, 1, copies->fault[i] == NULL ? FR_VERDICT_VALID : FR_VERDICT_INVALID, "%s",
			 copies->fault[i] == NULL ? "valid" : copies->fault[i]);
	}
}

static bool sil_newer(const struct sil_record *a, const struct sil_record *b)
{
	return (int32_t)(le32_get(a->generation) - le32_get(b->generation)) > 0;
}

/* The largest group of equal copies wins; then the newer generation; then the copy nearest the end. */
static void sil_elect(struct sil_copies *copies)
{
	copies->elected = -1;
	for (int i = 0; i < SIL_COPIES; i++) {
		const struct sil_record *r = copies->record[i];
		int best = copies->elected;

		if (r == NULL || copies->fault[i] != NULL)
			continue;
		for (int k = 0; k < SIL_COPIES; k++) {
			if (copies->record[k] != NULL && memcmp(r, copies->record[k], sizeof(*r)) == 0)
				copies->votes[i]++;
		}
		if (best < 0 || copies->votes[i] > copies->votes[best] ||
		    (copies->votes[i] == copies->votes[best] && sil_newer(r, copies->record[best])))
			copies->elected = i;
	}
}

/* A copy that is a record in itself, and not like the elected one. */
static void sil_outvoted(struct fr_findings *f, const struct sil_record *r, const struct sil_record *elected,
			 unsigned votes, uint64_t lba, struct fr_claim *c)
{
	bool same_set = memcmp(r->created, elected->created, sizeof(r->created)) == 0;
	const char *what = fr_text(f, "%s, and is outvoted by %u equal cop%s", same_set ? "differs" :
				   "is of another array", votes, votes == 1 ? "y" : "ies");

	fr_found(f, lba, 1, same_set && sil_newer(elected, r) ? FR_VERDICT_STALE : FR_VERDICT_FOREIGN, "%s", what);
	fr_remark(f, c, lba, "this copy %s", what);
}

/* Says of every copy that is not like the elected one what it is. */
static void sil_judge_copies(const struct fr_view *disk, struct fr_findings *f, const struct sil_copies *copies,
			     struct fr_claim *c)
{
	const struct sil_record *elected = copies->record[copies->elected];
	unsigned missing = 0;

	for (unsigned i = 0; i < SIL_COPIES; i++) {
		const struct sil_record *r = copies->record[i];
		uint64_t lba = sil_copy_lba(disk, i);

		if (r == NULL)
			missing += fr_view_at(disk, lba, 1) != NULL;
		else if (copies->fault[i] != NULL)
			fr_remark(f, c, lba, "this copy is damaged: %s; another is used", copies->fault[i]);
		else if (memcmp(r, elected, sizeof(*r)) != 0)
			sil_outvoted(f, r, elected, copies->votes[copies->elected], lba, c);
		else
			fr_found(f, lba, 1, FR_VERDICT_VALID, NULL);
	}
	if (missing > 0)
		fr_remark(f, c, c->lba, "%u of the 4 copies of this record %s missing", missing,
			  missing == 1 ? "is" : "are");
}

/* ---- identity and name ---- */

/* Bytes in decimal though they are BCD, minute and second modulo 60: so does dmraid, and boot loaders carry it. */
static void sil_name(struct fr_findings *f, const uint8_t *created, struct fr_claim *c)
{
	const uint8_t *t = created;

	c->name = fr_text(f, "sil_%s", fr_letters(f, "%02u%02u%02u%02u%02u%02u", t[5], t[4], t[3], t[2], t[1] % 60u,
						  t[0] % 60u));
}

static void sil_identity(struct fr_findings *f, const struct sil_record *r, struct fr_claim *c)
{
	const uint8_t *t = r->created;

	c->id_length = sizeof(r->created);
	memcpy(c->id, t, c->id_length);
	c->id_text = fr_text(f, "%02x%02x%02x%02x%02x%02x", t[5], t[4], t[3], t[2], t[1], t[0]);
	c->name_suffix = fr_text(f, "_%02x%02x%02x%02x%02x%02x", t[0], t[1], t[2], t[3], t[4], t[5]);
	sil_name(f, t, c);
}

/* ---- level, counts, place ---- */

static bool sil_mirrored(const struct sil_record *r)
{
	return r->mirror_drives != SIL_UNUSED && r->mirror_drives != 0;
}

static bool sil_between(unsigned value, unsigned low, unsigned high)
{
	return value >= low && value <= high;
}

/* Whether the counts fit the type; fills in level, width and index if they do. */
static bool sil_counts(const struct fr_view *disk, const struct sil_record *r, struct fr_claim *c)
{
	c->index = r->disk_number;
	c->width = r->stripe_drives;
	switch (r->type) {
	case SIL_STRIPE:
		c->level = FR_LEVEL_RAID0;
		return sil_between(r->stripe_drives, 2, SIL_MAX_DISKS) && !sil_mirrored(r);
	case SIL_RAID5:
		c->level = FR_LEVEL_RAID5;
		c->layout = FR_LAYOUT_LEFT_SYMMETRIC;
		return sil_between(r->stripe_drives, 3, SIL_MAX_DISKS) && !sil_mirrored(r);
	case SIL_MIRROR:
		c->level = FR_LEVEL_RAID1;
		c->width = r->mirror_drives;
		return sil_between(r->mirror_drives, 2, SIL_MAX_DISKS);
	case SIL_RAID10:
		c->level = FR_LEVEL_RAID10;
		c->width = 2u * r->stripe_drives;
		c->index = 2u * r->mirror_set + r->stripe_set;
		return sil_between(r->stripe_drives, 2, SIL_MAX_DISKS / 2) && r->mirror_drives == 2 &&
		       r->stripe_set < 2 && r->mirror_set < r->stripe_drives;
	case SIL_JBOD:
	case SIL_CONCATENATION:
		c->level = FR_LEVEL_LINEAR;
		if (r->type == SIL_JBOD && le64_get(r->array_sectors) <= disk->sectors - SIL_RESERVED) {
			c->width = 1;
			c->index = 0;
			return true;
		}
		return sil_between(r->stripe_drives, 1, SIL_MAX_DISKS);
	default:
		return false;
	}
}

static const char *sil_counts_text(struct fr_findings *f, const struct sil_record *r)
{
	return fr_text(f, "type 0x%02x with stripe drives %u, stripe set %u, mirror drives %u, mirror set %u",
		       r->type, r->stripe_drives, r->stripe_set, r->mirror_drives, r->mirror_set);
}

/* The disk number is the column, or counts through both copies; anything else contradicts the other fields. */
static void sil_number_of_raid10(struct fr_findings *f, const struct sil_record *r, struct fr_claim *c)
{
	if (r->disk_number == r->mirror_set)
		return;
	if (r->disk_number == r->stripe_set * r->stripe_drives + r->mirror_set)
		fr_remark(f, c, c->lba, "disk number %u counts through both copies: column %u of copy %u", r->disk_number,
			  r->mirror_set, r->stripe_set);
	else
		fr_reason(f, &c->doubt, "disk number %u contradicts column (mirror set) %u of copy (stripe set) %u",
			  r->disk_number, r->mirror_set, r->stripe_set);
}

static bool sil_place(struct fr_findings *f, const struct fr_view *disk, const struct sil_record *r,
		      struct fr_claim *c)
{
	if (!sil_counts(disk, r, c)) {
		c->level = FR_LEVEL_UNKNOWN;
		c->layout = FR_LAYOUT_NONE;
		c->width = r->stripe_drives;
		c->index = r->disk_number;
		/* SATARAID5 keeps more than these fields tell: such an array is shown, and left alone. */
		if (le16_get(r->minor) >= SIL_FIRST_SATARAID5_MINOR && c->width <= SIL_MAX_DISKS &&
		    c->index < c->width)
			return !fr_reason(f, &c->unsupported, "version %u.%u: %s: not an array that is understood",
					  le16_get(r->major), le16_get(r->minor), sil_counts_text(f, r));
		return fr_reason(f, &c->fault, "%s is impossible", sil_counts_text(f, r));
	}
	if (c->width > 1 && r->disk_number >= c->width)
		return fr_reason(f, &c->fault, "disk number %u is out of range: the array has %u disks",
				 r->disk_number, c->width);
	if (c->level == FR_LEVEL_RAID10)
		sil_number_of_raid10(f, r, c);
	if (c->level == FR_LEVEL_RAID5)
		fr_reason(f, &c->doubt, "the layout of this firmware's RAID5 is not known for sure: left-symmetric "
			  "for dmraid, right-asymmetric for FreeBSD");
	return true;
}

/* ---- sizes ---- */

/* What the BIOS saw of the disk, 0: not said. */
static uint64_t sil_disk_sectors(const struct sil_record *r)
{
	if (le64_get(r->disk_sectors48) != 0)
		return le64_get(r->disk_sectors48);
	return le32_get(r->disk_sectors28) == SIL_SATURATED ? 0 : le32_get(r->disk_sectors28);
}

static bool sil_chunk(struct fr_findings *f, const struct sil_record *r, struct fr_claim *c)
{
	uint32_t stride = le16_get(r->stride);

	if (!fr_level_is_striped(c->level)) {
		if (c->level == FR_LEVEL_UNKNOWN)
			c->chunk = stride;
		return true;
	}
	if (!fr_is_power_of_2(stride) || stride < SIL_MIN_STRIDE || stride > SIL_MAX_STRIDE)
		return fr_reason(f, &c->fault, "stride of %u sectors is impossible", stride);
	c->chunk = stride;
	return true;
}

/* array_sectors rules; what does not fill a row of chunks is not part of the array. */
static bool sil_size(struct fr_findings *f, const struct fr_view *disk, const struct sil_record *r,
		     struct fr_claim *c)
{
	uint64_t array = le64_get(r->array_sectors), peer_reserved = SIL_PEER_RESERVED + 2 - disk->sectors % 2;

	if (array == 0)
		return fr_reason(f, &c->fault, "array sectors is 0");
	c->room = disk->sectors - SIL_RESERVED;
	c->set_sectors = array;
	if (fr_level_is_striped(c->level)) {
		uint64_t row = (uint64_t)c->chunk * fr_level_columns(c->level, c->width);

		c->set_sectors = array - array % row;
		if (c->set_sectors == 0)
			return fr_reason(f, &c->fault, "array sectors %llu are less than one row of chunks",
					 (unsigned long long)array);
		if (c->set_sectors != array)
			fr_remark(f, c, c->lba, "array sectors is %llu; the last %llu fill no row of chunks and are "
				  "not mapped", (unsigned long long)array,
				  (unsigned long long)(array - c->set_sectors));
	}
	if (c->level == FR_LEVEL_RAID5 || c->level == FR_LEVEL_LINEAR)
		c->peer_room = disk->sectors - peer_reserved;
	if (c->level == FR_LEVEL_LINEAR) {
		c->shares[c->nshares++] = c->room;
		c->shares[c->nshares++] = disk->sectors - peer_reserved;
		if (c->width == 1 && array > c->shares[0])
			return fr_reason(f, &c->fault, "array sectors %llu are more than this disk has room for: %llu",
					 (unsigned long long)array, (unsigned long long)c->shares[0]);
		if (c->width == 1) /* of one disk: no sum to fit */
			c->shares[0] = array;
	}
	return true;
}

/* ---- condition ---- */

static void sil_condition(struct fr_findings *f, const struct fr_view *disk, const struct sil_record *r,
			  struct fr_claim *c)
{
	uint64_t seen = sil_disk_sectors(r);

	c->has_generation = true;
	c->generation = le32_get(r->generation);
	c->agreement = fr_text(f, "type 0x%02x, array sectors %llu, stride %u", r->type,
			       (unsigned long long)le64_get(r->array_sectors), le16_get(r->stride));
	if (r->set_status == SIL_SET_UNCLEAN)
		c->activity = FR_ACTIVITY_DIRTY;
	switch (r->disk_status) {
	case SIL_DISK_CURRENT:
		break;
	case SIL_DISK_REBUILDING:
		c->state = FR_MEMBER_REBUILDING;
		break;
	case SIL_DISK_DROPPED:
	case SIL_DISK_REMOVED:
		c->state = FR_MEMBER_FAILED;
		break;
	default:
		fr_reason(f, &c->caution, "disk status %u is not known", r->disk_status);
		break;
	}
	if (disk->sector_size != FR_SECTOR_SIZE)
		fr_reason(f, &c->unsupported, "the disk has sectors of %u bytes, with which this format is not known",
			  disk->sector_size);
	if (seen != 0 && disk->sectors > seen)
		fr_found(f, c->lba, 1, FR_VERDICT_VALID, "the disk shows %llu sectors, the firmware saw %llu",
			 (unsigned long long)disk->sectors, (unsigned long long)seen);
	if (disk->sectors < seen)
		fr_reason(f, &c->unsupported, "the disk has shrunk: it shows %llu sectors, the firmware saw %llu",
			  (unsigned long long)disk->sectors, (unsigned long long)seen);
}

static void sil_claims(const struct fr_view *disk, struct fr_findings *f)
{
	struct sil_copies copies = { .elected = -1 };
	const struct sil_record *r = NULL;
	unsigned at = 0;
	struct fr_claim *c;

	sil_read_copies(disk, f, &copies);
	sil_elect(&copies);
	while (copies.elected < 0 && at < SIL_COPIES && copies.record[at] == NULL)
		at++;
	if (copies.elected >= 0)
		at = (unsigned)copies.elected;
	if (at == SIL_COPIES)
		return;
	r = copies.record[at];
	c = fr_claim_new(f, sil_copy_lba(disk, at), 1);
	sil_identity(f, r, c);
	c->fault = copies.fault[at];
	if (c->fault != NULL)
		return;
	sil_judge_copies(disk, f, &copies, c);
	if (disk->sectors <= SIL_RESERVED) {
		fr_reason(f, &c->fault, "the disk has %llu sectors, of which the firmware reserves 2048",
			  (unsigned long long)disk->sectors);
		return;
	}
	if (r->type == SIL_SPARE) {
		c->role = FR_ROLE_SPARE;
		c->id_length = 0;
		return;
	}
	if (sil_place(f, disk, r, c) && sil_chunk(f, r, c))
		sil_size(f, disk, r, c);
	sil_condition(f, disk, r, c);
}

static const struct fr_format_ops sil_ops = { .where = sil_where, .claims = sil_claims, .is_record = sil_is_record };

const struct fr_format fr_format_sil = {
	.name = "sil",
	.firmware = "Silicon Image Medley (SATARAID)",
	.levels = "raid0, raid1, raid10, linear",
	.listed = "raid5 (on request), SATARAID5 groups",
	.fields = sil_fields,
	.nfields = FR_COUNT(sil_fields),
	.ops = &sil_ops,
};
