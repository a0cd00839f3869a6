// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Promise FastTrak, and AMD RAID (RAIDXpert) of the chipsets SB600 to SB950.
 *
 * Promise's PATA and SATA FastTrak controllers (PDC20262 to PDC20579, about
 * 1998 to 2006), and the option ROM that AMD had of Promise (2006 to about
 * 2014), write one record of 2048 bytes for each array that a disk is part of,
 * up to four of them, 14 sectors apart. The first lies at the beginning of the
 * last track of the last cylinder of whatever geometry the firmware believed
 * in: mostly 63 sectors before the end, but a dozen other places are known.
 *
 * Each record names all members by 64-bit ids, with their states, and counts
 * its changes: the newest says who belongs to the array, and who once did.
 *
 * Old firmware first fills the record with byte(o) = -o, FreeBSD's old driver
 * with 255 - o, and then writes the fields that it knows: a field that holds
 * filler is not there. AMD's fills with zeros.
 *
 * Facts: two real records, reports from the field, dmraid, FreeBSD's graid and
 * ata-raid, libblkid, Linux 2.4; where those differ, the comment at the field
 * or check says who is followed.
 */
#include "format.h"

#include <string.h>

enum {
	PDC_SECTORS = 4,          /* of a record */
	PDC_SLOTS = 4,            /* records of a disk */
	PDC_SLOT_DISTANCE = 14,
	PDC_TRACK = 63,           /* sectors of a track in all geometries, and the usual place, counted from the end */
	PDC_WORDS = 511,          /* under the checksum */
	PDC_MEMBERS = 8,
	PDC_MAX_CHUNK_SHIFT = 15,
	PDC_MIN_CHUNK_SHIFT = 4,  /* of what firmware offers */
	PDC_MAX_HIGH = 255,       /* a larger high half of a size is none */
	PDC_MAX_PLACES = 21,
	PDC_MAX_SIZE_BITS = 48,   /* of an array: more is no array */
};

struct pdc_member {
	uint8_t flags;            /* 0x00 PDC_MEMBER_* */
	uint8_t unused;           /* 0x01 */
	uint8_t channel;          /* 0x02 a hint only: where it was when the array was made */
	uint8_t device;           /* 0x03 */
	le64    id;               /* 0x04 */
};
_Static_assert(sizeof(struct pdc_member) == 12, "a member is 12 bytes");

struct pdc_record {
	uint8_t signature[24];    /* 0x000 */
	le32    fixed;            /* 0x018 0x00020000 */
	le64    disk_id;          /* 0x01c the same as own_id */
	le32    volume_low;       /* 0x024 the lower 48 bits of volume_id */
	le16    volume_middle;    /* 0x028 */
	uint8_t filler_2a[470];
	le32    integrity;        /* 0x200 PDC_INTEGRITY_VALID; the other bytes may be filler */
	uint8_t flags;            /* 0x204 of this disk: PDC_MEMBER_* */
	uint8_t number;           /* 0x205 of this disk, 0xff in spares; its id counts before it */
	uint8_t channel;          /* 0x206 */
	uint8_t device;           /* 0x207 */
	le64    own_id;           /* 0x208 one of the members' ids */
	le32    offset;           /* 0x210 where the array begins on this disk */
	le32    sectors;          /* 0x214 of the array on this disk; old firmware: all up to the record */
	le32    rebuilt;          /* 0x218 sectors of this disk rebuilt so far, all ones: no rebuild */
	le16    generation;       /* 0x21c grows with every change */
	uint8_t status;           /* 0x21e PDC_STATUS_* */
	uint8_t type;             /* 0x21f */
	uint8_t members;          /* 0x220 0 in spares and free space */
	uint8_t chunk_shift;      /* 0x221 chunks of 2^n sectors */
	uint8_t width;            /* 0x222 columns; of a RAID5 all members */
	uint8_t array_number;     /* 0x223 on the controller */
	le32    array_sectors;    /* 0x224 */
	le16    cylinders;        /* 0x228 BIOS geometry, each less one */
	uint8_t heads;            /* 0x22a */
	uint8_t track_sectors;    /* 0x22b */
	le64    volume_id;        /* 0x22c identity of the array; dmraid knows 32 bits of it */
	struct pdc_member member[PDC_MEMBERS]; /* 0x234 */
	uint8_t label[32];        /* 0x294 what the BIOS shows */
	uint8_t zeros_2b4[32];
	le32    activity;         /* 0x2d4 AMD: what is going on, PDC_ACTIVITY_* */
	le64    array_rebuilt;    /* 0x2d8 the same as rebuilt, in sectors of the array */
	le32    unknown_2e0;
	le32    unknown_2e4;
	le32    array_sectors_high; /* 0x2e8 */
	uint8_t unknown_2ec;
	uint8_t sector_size;      /* 0x2ed in units of 512 bytes, if it is 1 to 8 */
	uint8_t filler_2ee[126];
	le32    backup_time;      /* 0x36c */
	uint8_t unknown_370[2];
	le32    offset_high;      /* 0x372 from here on: AMD's part, see pdc_has_newer_part() */
	le32    sectors_high;     /* 0x376 */
	le32    rebuilt_high;     /* 0x37a */
	uint8_t filler_37e[1150];
	le32    checksum;         /* 0x7fc the sum of the words before it */
};
_Static_assert(sizeof(struct pdc_record) == PDC_SECTORS * FR_SECTOR_SIZE, "the record is four sectors");
_Static_assert(offsetof(struct pdc_record, integrity) == 0x200, "integrity");
_Static_assert(offsetof(struct pdc_record, own_id) == 0x208, "own_id");
_Static_assert(offsetof(struct pdc_record, generation) == 0x21c, "generation");
_Static_assert(offsetof(struct pdc_record, array_sectors) == 0x224, "array_sectors");
_Static_assert(offsetof(struct pdc_record, volume_id) == 0x22c, "volume_id");
_Static_assert(offsetof(struct pdc_record, member) == 0x234, "member");
_Static_assert(offsetof(struct pdc_record, label) == 0x294, "label");
_Static_assert(offsetof(struct pdc_record, activity) == 0x2d4, "activity");
_Static_assert(offsetof(struct pdc_record, array_sectors_high) == 0x2e8, "array_sectors_high");
_Static_assert(offsetof(struct pdc_record, sector_size) == 0x2ed, "sector_size");
_Static_assert(offsetof(struct pdc_record, backup_time) == 0x36c, "backup_time");
_Static_assert(offsetof(struct pdc_record, offset_high) == 0x372, "offset_high");
_Static_assert(offsetof(struct pdc_record, rebuilt_high) == 0x37a, "rebuilt_high");
_Static_assert(offsetof(struct pdc_record, checksum) == 0x7fc, "checksum");

enum { PDC_INTEGRITY_VALID = 0x80 };

/* 0x07 is a healthy member, 0x27 one that is rebuilt, 0x67 a failed one, 0x0b a spare, 0x03 free space. */
enum { PDC_MEMBER_ONLINE = 0x02, PDC_MEMBER_ASSIGNED = 0x04, PDC_MEMBER_SPARE = 0x08, PDC_MEMBER_REDIRECTED = 0x20,
       PDC_MEMBER_DOWN = 0x40 };

/* The bit 0x80 is "functional": a healthy array has it, but real ones are known without. */
enum { PDC_STATUS_DEGRADED = 0x10, PDC_STATUS_MARKED = 0x20, PDC_STATUS_MIGRATING = 0x40 };

enum { PDC_RAID0 = 0, PDC_RAID1 = 1, PDC_RAID3 = 2, PDC_RAID5 = 4, PDC_SPAN = 8, PDC_JBOD = 0x10 };

enum { PDC_ACTIVITY_SYNCING = 0x03040008, PDC_ACTIVITY_REBUILDING = 0x03040010 };

#define FIELD(member, type) { #member, offsetof(struct pdc_record, member), \
			      sizeof(((struct pdc_record *)0)->member), FR_FIELD_##type }
static const struct fr_field pdc_fields[] = {
	FIELD(signature, TEXT), FIELD(fixed, HEX), FIELD(disk_id, HEX), FIELD(volume_low, HEX),
	FIELD(volume_middle, HEX), FIELD(integrity, HEX), FIELD(flags, HEX), FIELD(number, UNSIGNED),
	FIELD(channel, UNSIGNED), FIELD(device, UNSIGNED), FIELD(own_id, HEX), FIELD(offset, HEX),
	FIELD(sectors, UNSIGNED), FIELD(rebuilt, HEX), FIELD(generation, UNSIGNED), FIELD(status, HEX),
	FIELD(type, HEX), FIELD(members, UNSIGNED), FIELD(chunk_shift, UNSIGNED), FIELD(width, UNSIGNED),
	FIELD(array_number, UNSIGNED), FIELD(array_sectors, UNSIGNED), FIELD(cylinders, UNSIGNED),
	FIELD(heads, UNSIGNED), FIELD(track_sectors, UNSIGNED), FIELD(volume_id, HEX), FIELD(label, TEXT),
	FIELD(activity, HEX), FIELD(array_rebuilt, HEX), FIELD(unknown_2e0, HEX), FIELD(unknown_2e4, HEX),
	FIELD(array_sectors_high, HEX), FIELD(unknown_2ec, HEX), FIELD(sector_size, UNSIGNED),
	FIELD(backup_time, HEX), FIELD(offset_high, HEX), FIELD(sectors_high, HEX), FIELD(rebuilt_high, HEX),
	FIELD(checksum, HEX),
};
#undef FIELD

#define FIELD(member, type) { #member, offsetof(struct pdc_member, member), \
			      sizeof(((struct pdc_member *)0)->member), FR_FIELD_##type }
static const struct fr_field pdc_member_fields[] = {
	FIELD(flags, HEX), FIELD(unused, HEX), FIELD(channel, UNSIGNED), FIELD(device, UNSIGNED), FIELD(id, HEX),
};
#undef FIELD

/* The record's own fields, and its members as far as it counts them. */
static size_t pdc_parts(const uint8_t *record, size_t size, struct fr_part *parts, size_t max)
{
	const struct pdc_record *r = (const struct pdc_record *)record;
	size_t n = 0;

	if (max == 0 || size < sizeof(*r))
		return 0;
	parts[n++] = (struct fr_part){ .fields = pdc_fields, .nfields = FR_COUNT(pdc_fields) };
	for (size_t i = 0; i < PDC_MEMBERS && i < r->members && n < max; i++) {
		struct fr_part *part = &parts[n++];

		*part = (struct fr_part){ .name = "member ", .offset = offsetof(struct pdc_record, member[i]),
					  .fields = pdc_member_fields, .nfields = FR_COUNT(pdc_member_fields) };
		part->name[strlen(part->name)] = (char)('0' + i);
	}
	return n;
}

/* ---- places: the first sector of the first record ---- */

struct pdc_places {
	size_t count;
	uint64_t at[PDC_MAX_PLACES];
};

static void pdc_add_place(const struct fr_view *disk, struct pdc_places *places, uint64_t lba)
{
	if (!fr_range_inside(lba, PDC_SECTORS, disk->sectors) || places->count == PDC_MAX_PLACES)
		return;
	for (size_t i = 0; i < places->count; i++) {
		if (places->at[i] == lba)
			return;
	}
	places->at[places->count++] = lba;
}

/* The last track of the last whole cylinder of a disk of n sectors. */
static void pdc_add_track(const struct fr_view *disk, struct pdc_places *places, uint64_t n, unsigned heads)
{
	uint64_t cylinder = (uint64_t)heads * PDC_TRACK;

	if (n >= cylinder)
		pdc_add_place(disk, places, n - n % cylinder - PDC_TRACK);
}

/*
 * In the order in which they count. Those by their distance from the end are the list of dmraid and libblkid, each
 * such a track on some disk, but for 16, 255 and 256, whose origin is not known.
 */
static void pdc_find_places(const struct fr_view *disk, struct pdc_places *places)
{
	static const uint16_t from_end[] = { PDC_TRACK, 255, 256, 16, 399, 591, 675, 735, 911, 951, 974, 991, 3087 };
	static const uint8_t heads[] = { 16, 255, 240, 128, 64, 32, 15 };
	const uint64_t largest_of_28_bits = 0x0fffffff;

	places->count = 0;
	for (size_t i = 0; i < FR_COUNT(from_end); i++) {
		if (disk->sectors >= from_end[i])
			pdc_add_place(disk, places, disk->sectors - from_end[i]);
	}
	if (disk->sectors > largest_of_28_bits)
		pdc_add_track(disk, places, largest_of_28_bits, 16);
	for (size_t i = 0; i < FR_COUNT(heads); i++)
		pdc_add_track(disk, places, disk->sectors, heads[i]);
}

/* All records are looked for at once where they mostly lie; elsewhere once the first one is found. */
static unsigned pdc_slots_at(const struct fr_view *disk, uint64_t place)
{
	return place + PDC_TRACK == disk->sectors ? PDC_SLOTS : 1;
}

static uint64_t pdc_slot(uint64_t place, unsigned slot)
{
	return place + (uint64_t)PDC_SLOT_DISTANCE * slot;
}

static bool pdc_is_slot_of(uint64_t lba, uint64_t place)
{
	for (unsigned slot = 0; slot < PDC_SLOTS; slot++) {
		if (lba == pdc_slot(place, slot))
			return true;
	}
	return false;
}

static size_t pdc_where(const struct fr_view *disk, struct fr_wish *wishes)
{
	struct pdc_places places;
	size_t n = 0;

	pdc_find_places(disk, &places);
	for (size_t i = 0; i < places.count; i++) {
		for (unsigned slot = 0; slot < pdc_slots_at(disk, places.at[i]) && n < FR_MAX_WISHES; slot++)
			wishes[n++] = (struct fr_wish){ .lba = pdc_slot(places.at[i], slot), .sectors = PDC_SECTORS };
	}
	return n;
}

/* NULL if the disk has no such place, or it cannot be read. */
static const struct pdc_record *pdc_record_at(const struct fr_view *disk, uint64_t lba)
{
	return (const struct pdc_record *)fr_view_at(disk, lba, PDC_SECTORS);
}

static bool pdc_is_signed(const struct pdc_record *r)
{
	return memcmp(r->signature, "Promise Technology, Inc.", sizeof(r->signature)) == 0 ||
	       memcmp(r->signature, "FreeBSD ATA driver RAID ", sizeof(r->signature)) == 0;
}

static bool pdc_any_signed(const struct fr_view *disk, uint64_t place)
{
	for (unsigned slot = 0; slot < pdc_slots_at(disk, place); slot++) {
		const struct pdc_record *r = pdc_record_at(disk, pdc_slot(place, slot));

		if (r != NULL && pdc_is_signed(r))
			return true;
	}
	return false;
}

/* Which place counts: the first one with a signature, valid or not; places->count: none. */
static size_t pdc_first_signed(const struct fr_view *disk, const struct pdc_places *places)
{
	size_t first = 0;

	while (first < places->count && !pdc_any_signed(disk, places->at[first]))
		first++;
	return first;
}

static size_t pdc_where_next(const struct fr_view *disk, struct fr_wish *wishes)
{
	struct pdc_places places;
	size_t first, n = 0;

	pdc_find_places(disk, &places);
	first = pdc_first_signed(disk, &places);
	if (first == places.count)
		return 0;
	for (unsigned slot = pdc_slots_at(disk, places.at[first]); slot < PDC_SLOTS; slot++) {
		uint64_t lba = pdc_slot(places.at[first], slot);

		if (fr_range_inside(lba, PDC_SECTORS, disk->sectors) && pdc_record_at(disk, lba) == NULL)
			wishes[n++] = (struct fr_wish){ .lba = lba, .sectors = PDC_SECTORS };
	}
	return n;
}

/* ---- what is not there ---- */

static bool pdc_is_filler(const struct pdc_record *r, size_t offset, size_t size)
{
	const uint8_t *bytes = (const uint8_t *)r;
	bool promise = true, freebsd = true;

	for (size_t o = offset; o < offset + size; o++) {
		promise = promise && bytes[o] == (uint8_t)(0x100 - o % 0x100);
		freebsd = freebsd && bytes[o] == (uint8_t)(0xff - o % 0x100);
	}
	return promise || freebsd;
}
#define PDC_IS_FILLER(r, member) pdc_is_filler(r, offsetof(struct pdc_record, member), sizeof((r)->member))

/* The high halves of sizes, and what else AMD added. */
static bool pdc_has_newer_part(const struct pdc_record *r)
{
	return !(PDC_IS_FILLER(r, offset_high) && PDC_IS_FILLER(r, sectors_high) && PDC_IS_FILLER(r, rebuilt_high));
}

/* ---- identity and name ---- */

/* 0: it has none. */
static uint64_t pdc_volume_id(const struct pdc_record *r)
{
	enum { AT = offsetof(struct pdc_record, volume_low), SIZE = sizeof(r->volume_low) + sizeof(r->volume_middle) };

	if (le64_get(r->volume_id) != 0 && !PDC_IS_FILLER(r, volume_id))
		return le64_get(r->volume_id);
	if (pdc_is_filler(r, AT, SIZE))
		return 0;
	return (uint64_t)le16_get(r->volume_middle) << 32 | le32_get(r->volume_low);
}

static void pdc_identity(struct fr_findings *f, const struct pdc_record *r, struct fr_claim *c)
{
	uint64_t id = pdc_volume_id(r);

	if (id == 0)
		return;
	c->id_length = sizeof(id);
	/* Of two arrays of one name the one whose bytes sort first keeps it, which is to be the lower id. */
	for (size_t i = 0; i < c->id_length; i++)
		c->id[i] = (uint8_t)(id >> 8 * (sizeof(id) - 1 - i));
	c->id_text = fr_text(f, "%016llx", (unsigned long long)id);
	c->name = fr_text(f, "pdc_%s", fr_letters(f, "%u", (uint32_t)id)); /* dmraid knows the lower half only */
	c->name_suffix = fr_text(f, "-%08x", (uint32_t)(id >> 32));
}

/* ---- checks, in the order: record, counts, type, members, chunk, sizes ---- */

static uint32_t pdc_sum(const struct pdc_record *r)
{
	const le32 *words = (const le32 *)r;
	uint32_t sum = 0;

	for (size_t i = 0; i < PDC_WORDS; i++)
		sum += le32_get(words[i]);
	return sum;
}

static bool pdc_is_whole(struct fr_findings *f, const struct pdc_record *r, const char **why)
{
	if (le32_get(r->checksum) != pdc_sum(r))
		return fr_reason(f, why, "checksum is %08x, expected %08x", le32_get(r->checksum), pdc_sum(r));
	if ((le32_get(r->integrity) & PDC_INTEGRITY_VALID) == 0)
		return fr_reason(f, why, "integrity is 0x%08x, without the bit 0x80 of a valid record",
				 le32_get(r->integrity));
	return true;
}

static bool pdc_counts(struct fr_findings *f, const struct pdc_record *r, struct fr_claim *c)
{
	if (c->id_length == 0)
		return fr_reason(f, &c->fault, "the array has no volume id");
	if (r->members == 0 || r->members > PDC_MEMBERS)
		return fr_reason(f, &c->fault, "%u members are impossible: 1 to %u are", r->members, PDC_MEMBERS);
	if (r->width == 0)
		return fr_reason(f, &c->fault, "width is 0");
	c->width = r->members;
	return true;
}

/* A mirror of stripes has a width of half its members; of a plain mirror it is 1. */
static bool pdc_mirror(struct fr_findings *f, const struct pdc_record *r, struct fr_claim *c)
{
	if (r->width == 1)
		c->level = FR_LEVEL_RAID1;
	else if (r->members == 2 * r->width)
		c->level = FR_LEVEL_RAID01;
	else
		return fr_reason(f, &c->fault, "width %u is impossible for a mirror of %u members", r->width,
				 r->members);
	return true;
}

static bool pdc_level(struct fr_findings *f, const struct pdc_record *r, struct fr_claim *c)
{
	switch (r->type) {
	case PDC_RAID0:
	case PDC_JBOD: /* a single disk, which is a stripe of one */
		c->level = FR_LEVEL_RAID0;
		break;
	case PDC_RAID1:
		return pdc_mirror(f, r, c);
	case PDC_RAID5:
		c->level = FR_LEVEL_RAID5;
		c->layout = FR_LAYOUT_LEFT_ASYMMETRIC; /* graid and ata-raid agree */
		break;
	case PDC_SPAN:
		c->level = FR_LEVEL_LINEAR;
		break;
	case PDC_RAID3: /* dmraid takes it for a mirror of stripes, which is its own invention */
		return !fr_reason(f, &c->unsupported, "type 2 (RAID3) is not supported: its layout is not known");
	default:
		return !fr_reason(f, &c->unsupported, "type 0x%02x is not known", r->type);
	}
	if (r->width != r->members || (r->type == PDC_JBOD && r->members != 1) ||
	    (r->type == PDC_RAID5 && r->members < 3))
		return fr_reason(f, &c->fault, "width %u of %u members is impossible for type 0x%02x", r->width,
				 r->members, r->type);
	return true;
}

static bool pdc_chunk(struct fr_findings *f, const struct pdc_record *r, struct fr_claim *c)
{
	if (!fr_level_is_striped(c->level))
		return true;
	if (r->chunk_shift > PDC_MAX_CHUNK_SHIFT)
		return fr_reason(f, &c->fault, "chunk shift %u is impossible: %u is the largest known", r->chunk_shift,
				 PDC_MAX_CHUNK_SHIFT);
	if (r->chunk_shift < PDC_MIN_CHUNK_SHIFT)
		fr_remark(f, c, c->lba, "chunk shift %u is less than any firmware offers", r->chunk_shift);
	c->chunk = 1u << r->chunk_shift;
	return true;
}

/* ---- members ---- */

/* Firmware before 2001 kept no flags. */
static bool pdc_has_flags(const struct pdc_record *r)
{
	for (unsigned i = 0; i < r->members; i++) {
		if (r->member[i].flags != 0)
			return true;
	}
	return false;
}

static enum fr_member_state pdc_member_state(const struct pdc_record *r, unsigned i)
{
	unsigned flags = r->member[i].flags;

	if (!pdc_has_flags(r))
		return FR_MEMBER_OK;
	if ((flags & PDC_MEMBER_ONLINE) == 0 || (flags & (PDC_MEMBER_DOWN | PDC_MEMBER_SPARE)) != 0)
		return FR_MEMBER_FAILED;
	return (flags & PDC_MEMBER_REDIRECTED) != 0 ? FR_MEMBER_REBUILDING : FR_MEMBER_OK;
}

static const char *pdc_member_reason(struct fr_findings *f, const struct pdc_record *r, unsigned i)
{
	unsigned flags = r->member[i].flags;
	const char *what = "being rebuilt, and not complete";

	if (pdc_member_state(r, i) == FR_MEMBER_OK)
		return NULL;
	if ((flags & PDC_MEMBER_DOWN) != 0)
		what = "marked as failed";
	else if ((flags & PDC_MEMBER_SPARE) != 0)
		what = "marked as a spare";
	else if ((flags & PDC_MEMBER_ONLINE) == 0)
		what = "marked as not online";
	return fr_text(f, "%s (flags 0x%02x)", what, flags);
}

static bool pdc_has_ids(const struct pdc_record *r)
{
	for (unsigned i = 0; i < r->members; i++) {
		if (le64_get(r->member[i].id) != 0)
			return true;
	}
	return false;
}

static bool pdc_ids_differ(struct fr_findings *f, const struct pdc_record *r, struct fr_claim *c)
{
	for (unsigned i = 0; i < r->members; i++) {
		for (unsigned k = i + 1; k < r->members; k++) {
			uint64_t id = le64_get(r->member[i].id);

			if (id == le64_get(r->member[k].id))
				return fr_reason(f, &c->fault, "members %u and %u both have the disk id %016llx", i, k,
						 (unsigned long long)id);
		}
	}
	return true;
}

/* By id the disk has a place in its own record: what its own number says of it. */
static void pdc_compare_number(struct fr_findings *f, const struct pdc_record *r, struct fr_claim *c)
{
	unsigned i = 0;

	while (i < r->members && le64_get(r->member[i].id) != le64_get(r->own_id))
		i++;
	if (i == r->members || i == r->number)
		return;
	if (r->number >= r->members)
		fr_reason(f, &c->doubt, "its own number %u is impossible for %u members, its id is that of member %u",
			  r->number, r->members, i);
	else
		fr_remark(f, c, c->lba, "its own number is %u, its id is that of member %u: the id counts",
			  r->number, i);
}

/* The table names nobody: each disk's own number counts, as it did for dmraid. */
static bool pdc_place_by_number(struct fr_findings *f, const struct pdc_record *r, struct fr_claim *c)
{
	if (r->number >= r->members)
		return fr_reason(f, &c->fault, "its own number %u is impossible for %u members", r->number, r->members);
	c->index = r->number;
	c->state = pdc_member_state(r, r->number);
	return true;
}

static bool pdc_place(struct fr_findings *f, const struct pdc_record *r, struct fr_claim *c)
{
	struct fr_roster *roster;
	struct fr_seat *seats;

	if (!pdc_has_ids(r))
		return pdc_place_by_number(f, r, c);
	if (!pdc_ids_differ(f, r, c))
		return false;
	roster = fr_memory(f, 1, sizeof(*roster));
	seats = fr_memory(f, r->members, sizeof(*seats));
	if (roster != NULL)
		roster->entries = fr_memory(f, r->members, sizeof(*roster->entries));
	if (roster == NULL || roster->entries == NULL || seats == NULL)
		return fr_reason(f, &c->fault, "no memory");
	roster->nentries = r->members;
	for (unsigned i = 0; i < r->members; i++) {
		memcpy(roster->entries[i].key, r->member[i].id.b, sizeof(r->member[i].id.b));
		roster->entries[i].gone = le64_get(r->member[i].id) == 0;
		seats[i] = (struct fr_seat){ .entry = i, .state = pdc_member_state(r, i),
					     .reason = pdc_member_reason(f, r, i) };
	}
	c->roster = roster;
	c->seats = seats;
	memcpy(c->key, r->own_id.b, sizeof(r->own_id.b));
	c->has_key = le64_get(r->own_id) != 0;
	if (c->has_key)
		pdc_compare_number(f, r, c);
	return true;
}

/* Who the members are and how they are, as a number: all records of one generation must agree on it (FNV-1a). */
static uint32_t pdc_members_hash(const struct pdc_record *r)
{
	const unsigned deciding = PDC_MEMBER_ONLINE | PDC_MEMBER_SPARE | PDC_MEMBER_REDIRECTED | PDC_MEMBER_DOWN;
	uint32_t hash = 0x811c9dc5;

	for (unsigned i = 0; i < r->members; i++) {
		const struct pdc_member *m = &r->member[i];

		for (size_t k = 0; k < sizeof(m->id.b); k++)
			hash = (hash ^ m->id.b[k]) * 0x01000193;
		hash = (hash ^ (m->flags & deciding)) * 0x01000193;
	}
	return hash;
}

/* ---- sizes ---- */

struct pdc_sizes {
	uint64_t offset;
	uint64_t member;          /* of the array on this disk */
	bool has_member;
	uint64_t array;
	bool is_wide;             /* the array's size has a high half */
};

static struct pdc_sizes pdc_sizes(const struct pdc_record *r)
{
	bool newer = pdc_has_newer_part(r);
	uint64_t high = newer ? (uint64_t)1 << 32 : 0, array_high = le32_get(r->array_sectors_high);
	struct pdc_sizes s = { .has_member = !PDC_IS_FILLER(r, sectors) };

	s.is_wide = newer && array_high <= PDC_MAX_HIGH;
	s.array = le32_get(r->array_sectors) + (s.is_wide ? array_high << 32 : 0);
	s.member = le32_get(r->sectors) + le32_get(r->sectors_high) * high;
	s.offset = (PDC_IS_FILLER(r, offset) ? 0 : le32_get(r->offset)) + le32_get(r->offset_high) * high;
	return s;
}

/*
 * A size of 32 bits that is 2 TiB or more too small for what the members give has lost its high half, if those have
 * room for what they give.
 */
static void pdc_unwrap(struct fr_findings *f, struct pdc_sizes *s, uint64_t room, struct fr_claim *c)
{
	uint64_t capacity, lost, array;

	if (s->is_wide || !s->has_member || s->member > room || c->level == FR_LEVEL_LINEAR ||
	    !fr_multiply(s->member, fr_level_columns(c->level, c->width), &capacity) || capacity < s->array)
		return;
	lost = (capacity - s->array) >> 32 << 32;
	if (lost == 0)
		return;
	array = s->array + lost;
	fr_remark(f, c, c->lba, "array sectors is %llu, which lacks its upper half: the members' size makes it %llu",
		  (unsigned long long)s->array, (unsigned long long)array);
	s->array = array;
}

/* What a member of a span gives is recorded, and nothing else counts: dmraid gives it all of the disk. */
static bool pdc_span(struct fr_findings *f, const struct pdc_sizes *s, uint64_t room, struct fr_claim *c)
{
	uint64_t share = s->has_member ? s->member : room;

	if (share == 0 || share > room)
		return fr_reason(f, &c->fault, "a span cannot have %llu sectors of this disk, which has room for %llu",
				 (unsigned long long)share, (unsigned long long)room);
	c->shares[0] = share;
	c->nshares = 1;
	c->room = share;
	return true;
}

/*
 * The array's size need not be whole rows, and the last chunk of a member may reach past what is recorded as its size:
 * such arrays are real. The room allows for it, but not for other arrays' sectors without need.
 */
static bool pdc_room(struct fr_findings *f, const struct pdc_sizes *s, uint64_t room, struct fr_claim *c)
{
	unsigned columns = fr_level_columns(c->level, c->width);
	uint64_t capacity, row = (uint64_t)c->chunk * columns, use = s->array;

	if (s->has_member && fr_multiply(s->member, columns, &capacity) && s->array > capacity)
		return fr_reason(f, &c->fault, "%llu array sectors are more than %u members of %llu sectors hold",
				 (unsigned long long)s->array, c->width, (unsigned long long)s->member);
	if (row != 0)
		use = (s->array / row + (s->array % row != 0)) * c->chunk;
	if (s->has_member && s->member < room)
		room = s->member > use ? s->member : use < room ? use : room;
	c->member_sectors = s->array / columns;
	c->room = room;
	return true;
}

static bool pdc_size(struct fr_findings *f, const struct fr_view *disk, const struct pdc_record *r, uint64_t place,
		     struct fr_claim *c)
{
	struct pdc_sizes s = pdc_sizes(r);
	uint64_t room;

	if (disk->sector_size != FR_SECTOR_SIZE)
		return fr_reason(f, &c->fault, "the disk has sectors of %u bytes, with which this format is not known",
				 disk->sector_size);
	if (r->sector_size > 1 && r->sector_size <= 8)
		return fr_reason(f, &c->fault, "sector size is %u, only 512 is supported",
				 r->sector_size * FR_SECTOR_SIZE);
	if (s.array == 0)
		return fr_reason(f, &c->fault, "array sectors is 0");
	if (s.offset >= place)
		return fr_reason(f, &c->fault, "its data begin at sector %llu, not before the records at %llu",
				 (unsigned long long)s.offset, (unsigned long long)place);
	room = place - s.offset;
	pdc_unwrap(f, &s, room, c);
	if (s.array >> PDC_MAX_SIZE_BITS != 0)
		return fr_reason(f, &c->fault, "%llu array sectors are impossible", (unsigned long long)s.array);
	c->offset = s.offset;
	c->set_sectors = s.array;
	return c->level == FR_LEVEL_LINEAR ? pdc_span(f, &s, room, c) : pdc_room(f, &s, room, c);
}

/* ---- condition ---- */

static bool pdc_any_rebuilding(const struct pdc_record *r)
{
	for (unsigned i = 0; i < r->members; i++) {
		if (pdc_member_state(r, i) == FR_MEMBER_REBUILDING)
			return true;
	}
	return false;
}

static void pdc_condition(struct fr_findings *f, const struct pdc_record *r, struct fr_claim *c)
{
	uint32_t activity = le32_get(r->activity);

	c->has_generation = true;
	c->generation = le16_get(r->generation);
	c->generation_bits = 16;
	c->failure_known = (r->status & PDC_STATUS_DEGRADED) != 0;
	if (activity == PDC_ACTIVITY_SYNCING)
		c->activity = FR_ACTIVITY_SYNCING;
	else if (activity == PDC_ACTIVITY_REBUILDING && !pdc_any_rebuilding(r))
		c->activity = FR_ACTIVITY_REBUILDING;
	else if ((r->status & PDC_STATUS_MARKED) != 0)
		c->activity = FR_ACTIVITY_DIRTY;
	c->parity_invalid = c->activity == FR_ACTIVITY_SYNCING && fr_level_has_parity(c->level);
	if ((r->status & PDC_STATUS_MIGRATING) != 0) {
		c->activity = FR_ACTIVITY_MIGRATING;
		c->activity_text = "nothing is known of how it is done";
	}
	c->agreement = fr_text(f, "members %08x", pdc_members_hash(r));
}

/* ---- one record ---- */

/* Else of a spare, or of free space. */
static bool pdc_is_of_array(const struct pdc_record *r)
{
	if (r->flags == 0) /* firmware before 2001 kept no flags */
		return r->members != 0;
	return (r->flags & PDC_MEMBER_ASSIGNED) != 0;
}

static void pdc_array(const struct fr_view *disk, struct fr_findings *f, const struct pdc_record *r, uint64_t place,
		      struct fr_claim *c)
{
	if (!pdc_counts(f, r, c) || !pdc_level(f, r, c) || !pdc_place(f, r, c))
		return;
	if (c->unsupported != NULL)
		c->set_sectors = pdc_sizes(r).array;
	else if (!pdc_chunk(f, r, c) || !pdc_size(f, disk, r, place, c))
		return;
	pdc_condition(f, r, c);
}

/* What AMD notes beside its arrays: the range of the disk that none of them has. */
static void pdc_free_space(struct fr_findings *f, const struct pdc_record *r, uint64_t lba)
{
	struct pdc_sizes s = pdc_sizes(r);

	if (r->members == 0)
		fr_found(f, lba, PDC_SECTORS, FR_VERDICT_VALID, "free space: %llu sectors from sector %llu on",
			 (unsigned long long)s.member, (unsigned long long)s.offset);
	else
		fr_found(f, lba, PDC_SECTORS, FR_VERDICT_VALID, "its own flags 0x%02x are not those of a member",
			 r->flags);
}

static void pdc_claim(const struct fr_view *disk, struct fr_findings *f, const struct pdc_record *r, uint64_t lba,
		      uint64_t place)
{
	const char *fault = NULL;
	struct fr_claim *c;

	if (pdc_is_whole(f, r, &fault) && !pdc_is_of_array(r) && (r->flags & PDC_MEMBER_SPARE) == 0) {
		pdc_free_space(f, r, lba);
		return;
	}
	c = fr_claim_new(f, lba, PDC_SECTORS);
	pdc_identity(f, r, c);
	c->fault = fault;
	if (fault != NULL)
		return;
	if (!pdc_is_of_array(r)) {
		c->role = FR_ROLE_ANY_SPARE;
		c->id_length = 0;
		return;
	}
	pdc_array(disk, f, r, place, c);
}

/* A record at a place that does not count. */
static void pdc_elsewhere(struct fr_findings *f, const struct pdc_record *r, uint64_t lba, uint64_t place)
{
	const char *fault = NULL;

	if (pdc_is_whole(f, r, &fault))
		fr_found(f, lba, PDC_SECTORS, FR_VERDICT_FOREIGN, "the records at sector %llu count",
			 (unsigned long long)place);
	else
		fr_found(f, lba, PDC_SECTORS, FR_VERDICT_INVALID, "%s", fault);
}

/* `place` is the one that counts, NULL: none. */
static void pdc_look(const struct fr_view *disk, struct fr_findings *f, uint64_t lba, const uint64_t *place)
{
	const struct pdc_record *r = pdc_record_at(disk, lba);

	if (r == NULL)
		return;
	if (place == NULL || !pdc_is_signed(r))
		fr_found(f, lba, PDC_SECTORS, FR_VERDICT_NONE, "no signature \"Promise Technology, Inc.\"");
	else if (pdc_is_slot_of(lba, *place))
		pdc_claim(disk, f, r, lba, *place);
	else
		pdc_elsewhere(f, r, lba, *place);
}

static void pdc_claims(const struct fr_view *disk, struct fr_findings *f)
{
	struct pdc_places places;
	const uint64_t *counting;
	size_t first;

	pdc_find_places(disk, &places);
	first = pdc_first_signed(disk, &places);
	counting = first < places.count ? &places.at[first] : NULL;
	for (size_t i = 0; i < places.count; i++) {
		unsigned slots = i == first ? PDC_SLOTS : pdc_slots_at(disk, places.at[i]);

		if (i != first && counting != NULL && pdc_is_slot_of(places.at[i], *counting))
			continue; /* looked at with the place that counts */
		for (unsigned slot = 0; slot < slots; slot++)
			pdc_look(disk, f, pdc_slot(places.at[i], slot), counting);
	}
}

static const struct fr_format_ops pdc_ops = { .where = pdc_where, .where_next = pdc_where_next, .claims = pdc_claims,
					      .parts = pdc_parts };

const struct fr_format fr_format_pdc = {
	.name = "pdc",
	.firmware = "Promise FastTrak, AMD RAID (SB600 to SB950)",
	.levels = "raid0, raid1, raid01, raid5 (left-asymmetric), linear",
	.listed = "RAID3, migrating arrays (on request)",
	.fields = pdc_fields,
	.nfields = FR_COUNT(pdc_fields),
	.ops = &pdc_ops,
};
