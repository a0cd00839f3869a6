// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Intel Matrix Storage, Rapid Storage (IMSM, RST, RSTe) and VROC, 2003 to today.
 *
 * One record for all arrays of a disk: a header, a table of the disks, then one
 * or two volumes, each with one map of where it lies, or two while it changes.
 * The first block of the record (the anchor) is the last but one of the disk;
 * what does not fit lies in the blocks before it, in rising order. A block is
 * the disk's own sector, of 512 or 4096 bytes, and all sizes count blocks.
 *
 * The record does not say which disk it lies on: the disk's serial number does.
 * A set keeps its original family number for life; the family number changes
 * when a disk is exchanged, and the generation with every write. The newest
 * record alone is true; an older one only proves that its disk was there.
 *
 * Facts: a real record, records made by mdadm, field reports; dmraid, mdadm,
 * graid and libblkid. Where those differ the comment says who is followed.
 */
#include "format.h"

#include <string.h>

struct isw_header {
	uint8_t signature[24];    /* 0x00 */
	uint8_t version[6];       /* 0x18 "1.0.00" to "2.0.00": what a reader has to know; the layout is the same */
	uint8_t zero[2];          /* 0x1e */
	le32    checksum;         /* 0x20 sum of all words but this one */
	le32    size;             /* 0x24 bytes of the record, the log included */
	le32    family;           /* 0x28 changes when a disk is exchanged */
	le32    generation;       /* 0x2c */
	le32    error_log_size;   /* 0x30 bytes; where that log is nobody knows */
	le32    attributes;       /* 0x34 */
	uint8_t disks;            /* 0x38 */
	uint8_t volumes;          /* 0x39 0: a spare */
	uint8_t error_log_pos;    /* 0x3a */
	uint8_t filler0;          /* 0x3b */
	le32    cache_size;       /* 0x3c MiB */
	le32    original_family;  /* 0x40 0: old writers, then family counts */
	le32    power_cycles;     /* 0x44 */
	le32    bad_blocks_size;  /* 0x48 bytes of the log at the record's end; 0: none */
	le16    volumes_created;  /* 0x4c */
	le16    filler1;          /* 0x4e */
	le64    created;          /* 0x50 seconds since 1970, or 0 */
	uint8_t filler2[128];     /* 0x58 */
};
_Static_assert(sizeof(struct isw_header) == 0xd8, "the disk table follows");
_Static_assert(offsetof(struct isw_header, checksum) == 0x20, "checksum");
_Static_assert(offsetof(struct isw_header, disks) == 0x38, "disks");
_Static_assert(offsetof(struct isw_header, original_family) == 0x40, "original_family");
_Static_assert(offsetof(struct isw_header, bad_blocks_size) == 0x48, "bad_blocks_size");

struct isw_disk {
	uint8_t serial[16];       /* 0x00 the last 16 characters; ":0" behind it: failed or gone */
	le32    total;            /* 0x10 blocks */
	le32    scsi_id;          /* 0x14 as the writer saw it */
	le32    status;           /* 0x18 ISW_DISK_* */
	le32    owner;            /* 0x1c */
	le32    total_high;       /* 0x20 with ISW_ATTRIBUTE_HIGH only */
	uint8_t filler[12];       /* 0x24 */
};
_Static_assert(sizeof(struct isw_disk) == 0x30, "a disk entry");

struct isw_volume {
	uint8_t name[16];         /* 0x00 no NUL where it is 16 long */
	le64    size;             /* 0x10 blocks: the size, whatever the map says */
	le32    status;           /* 0x18 ISW_VOLUME_* */
	le32    reserved_blocks;  /* 0x1c */
	uint8_t migration_priority; /* 0x20 */
	uint8_t sub_volumes;      /* 0x21 */
	uint8_t target;           /* 0x22 */
	uint8_t clone_master;     /* 0x23 */
	le16    cache_policy;     /* 0x24 */
	uint8_t clone_state;      /* 0x26 */
	uint8_t clone_sub_state;  /* 0x27 */
	le16    number;           /* 0x28 */
	uint8_t nv_cache_mode;    /* 0x2a */
	uint8_t nv_cache_flags;   /* 0x2b */
	le32    nv_cache_family;  /* 0x2c */
	le16    nv_cache_number;  /* 0x30 */
	uint8_t write_hole;       /* 0x32 0 off, 1 and 3 log behind the data, 2 and 4 on a journal disk, 6 bitmap */
	uint8_t journal_serial[16]; /* 0x33 */
	uint8_t filler0[13];      /* 0x43 */
	le32    unit;             /* 0x50 how far a migration is */
	le32    checkpoint;       /* 0x54 */
	uint8_t migrating;        /* 0x58 1: a second map follows */
	uint8_t migration;        /* 0x59 ISW_INITIALIZE ... */
	uint8_t dirty;            /* 0x5a bit 0: not cleanly closed; bit 1: the write hole's log is in use */
	uint8_t fs_state;         /* 0x5b */
	le16    verify_errors;    /* 0x5c */
	le16    verify_bad_blocks; /* 0x5e */
	le32    unit_high;        /* 0x60 */
	uint8_t filler1[12];      /* 0x64 */
};
_Static_assert(sizeof(struct isw_volume) == 0x70, "the first map follows");
_Static_assert(offsetof(struct isw_volume, write_hole) == 0x32, "write_hole");
_Static_assert(offsetof(struct isw_volume, unit) == 0x50, "unit");
_Static_assert(offsetof(struct isw_volume, dirty) == 0x5a, "dirty");

struct isw_map {
	le32    start;            /* 0x00 block on every member */
	le32    blocks;           /* 0x04 per member, with a tail that is not data: no size */
	le32    stripes;          /* 0x08 strips per member, divided by the copies */
	le16    strip;            /* 0x0c blocks */
	uint8_t state;            /* 0x0e ISW_NORMAL ... */
	uint8_t level;            /* 0x0f */
	uint8_t members;          /* 0x10 */
	uint8_t domains;          /* 0x11 copies */
	uint8_t failed_slot;      /* 0x12 0xff: none; not always kept */
	uint8_t ddf;              /* 0x13 */
	le32    start_high;       /* 0x14 these three with ISW_ATTRIBUTE_HIGH only: before, they were fillers */
	le32    blocks_high;      /* 0x18 */
	le32    stripes_high;     /* 0x1c */
	uint8_t filler[16];       /* 0x20 */
};                                /* then le32 order[members]: a disk each, bit 24: out of sync */
_Static_assert(sizeof(struct isw_map) == 0x30, "the order table follows");

struct isw_bad_blocks {
	le32    signature;
	le32    count;
};

struct isw_bad_block {
	uint8_t more;             /* blocks after the first */
	uint8_t disk;
	uint8_t first[6];         /* little-endian, on the disk */
};

enum {
	ISW_BLOCK = 512,
	ISW_BIG_BLOCK = 4096,
	ISW_MIN_SIZE = 0x108 - 0x30,  /* and the disk table */
	ISW_MAX_SIZE = 65536,         /* mdadm's largest records have 3.5 KiB */
	ISW_MAX_VOLUMES = 16,         /* firmware has 2 */
	ISW_MAX_BAD_BLOCKS = 254,
	ISW_HPA = 2115,               /* the anchor before a host protected area of 2113 sectors */
	ISW_HPA_MAX = 8,              /* sectors before such an anchor that are looked at */
	ISW_SIZE_SLACK = 2048,        /* sectors a member by which mdadm lets a size run ahead of the stripes */
	ISW_KEY = 16,
	ISW_CANDIDATES = 4,
};
static const uint32_t isw_bad_blocks_signature = 0xabadb10c;
static const uint32_t isw_out_of_sync = 0x01000000, isw_order_disk = 0x00ffffff;

enum { ISW_DISK_SPARE = 1, ISW_DISK_FAILED = 4 };
enum { ISW_VOLUME_REPAIR = 0x80, ISW_VOLUME_CLONE = 0x1c00 };
enum { ISW_NORMAL, ISW_UNINITIALIZED, ISW_DEGRADED, ISW_FAILED };
enum { ISW_INITIALIZE, ISW_REBUILD, ISW_VERIFY, ISW_RESHAPE, ISW_STATE_CHANGE, ISW_REPAIR, ISW_MIGRATIONS };
enum { ISW_ATTRIBUTE_RAID1E = 0x8, ISW_ATTRIBUTE_CLONE = 0x20, ISW_ATTRIBUTE_CACHE = 0x02000000,
       ISW_ATTRIBUTE_HIGH = 0x04000000, ISW_ATTRIBUTE_IS_CACHE = 0x10000000 };

#define FIELD(of, member, type) { #member, offsetof(struct isw_##of, member), \
				  sizeof(((struct isw_##of *)0)->member), FR_FIELD_##type }
static const struct fr_field isw_header_fields[] = {
	FIELD(header, signature, TEXT), FIELD(header, version, TEXT), FIELD(header, checksum, HEX),
	FIELD(header, size, UNSIGNED), FIELD(header, family, HEX), FIELD(header, generation, UNSIGNED),
	FIELD(header, error_log_size, UNSIGNED), FIELD(header, attributes, HEX), FIELD(header, disks, UNSIGNED),
	FIELD(header, volumes, UNSIGNED), FIELD(header, error_log_pos, UNSIGNED), FIELD(header, cache_size, UNSIGNED),
	FIELD(header, original_family, HEX), FIELD(header, power_cycles, UNSIGNED),
	FIELD(header, bad_blocks_size, UNSIGNED), FIELD(header, volumes_created, UNSIGNED),
	FIELD(header, created, UNSIGNED),
};
static const struct fr_field isw_disk_fields[] = {
	FIELD(disk, serial, TEXT), FIELD(disk, total, UNSIGNED), FIELD(disk, scsi_id, HEX), FIELD(disk, status, HEX),
	FIELD(disk, owner, UNSIGNED), FIELD(disk, total_high, UNSIGNED),
};
static const struct fr_field isw_volume_fields[] = {
	FIELD(volume, name, TEXT), FIELD(volume, size, UNSIGNED), FIELD(volume, status, HEX),
	FIELD(volume, reserved_blocks, UNSIGNED), FIELD(volume, migration_priority, UNSIGNED),
	FIELD(volume, sub_volumes, UNSIGNED), FIELD(volume, target, UNSIGNED), FIELD(volume, clone_master, UNSIGNED),
	FIELD(volume, cache_policy, UNSIGNED), FIELD(volume, clone_state, UNSIGNED),
	FIELD(volume, clone_sub_state, UNSIGNED), FIELD(volume, number, UNSIGNED),
	FIELD(volume, nv_cache_mode, UNSIGNED), FIELD(volume, nv_cache_flags, HEX),
	FIELD(volume, nv_cache_family, HEX), FIELD(volume, nv_cache_number, UNSIGNED),
	FIELD(volume, write_hole, UNSIGNED), FIELD(volume, journal_serial, TEXT), FIELD(volume, unit, UNSIGNED),
	FIELD(volume, checkpoint, UNSIGNED), FIELD(volume, migrating, UNSIGNED), FIELD(volume, migration, UNSIGNED),
	FIELD(volume, dirty, UNSIGNED), FIELD(volume, fs_state, UNSIGNED), FIELD(volume, verify_errors, UNSIGNED),
	FIELD(volume, verify_bad_blocks, UNSIGNED), FIELD(volume, unit_high, UNSIGNED),
};
static const struct fr_field isw_map_fields[] = {
	FIELD(map, start, UNSIGNED), FIELD(map, blocks, UNSIGNED), FIELD(map, stripes, UNSIGNED),
	FIELD(map, strip, UNSIGNED), FIELD(map, state, UNSIGNED), FIELD(map, level, UNSIGNED),
	FIELD(map, members, UNSIGNED), FIELD(map, domains, UNSIGNED), FIELD(map, failed_slot, UNSIGNED),
	FIELD(map, ddf, UNSIGNED), FIELD(map, start_high, UNSIGNED), FIELD(map, blocks_high, UNSIGNED),
	FIELD(map, stripes_high, UNSIGNED),
};
static const struct fr_field isw_order_fields[] = { { "disk", 0, sizeof(le32), FR_FIELD_HEX } };
static const struct fr_field isw_bad_blocks_fields[] = {
	FIELD(bad_blocks, signature, HEX), FIELD(bad_blocks, count, UNSIGNED),
};
static const struct fr_field isw_bad_block_fields[] = {
	FIELD(bad_block, more, UNSIGNED), FIELD(bad_block, disk, UNSIGNED), FIELD(bad_block, first, BYTES),
};
#undef FIELD

/* ---- where the record may be ---- */

struct isw_place {
	uint64_t anchor;          /* sector */
	uint32_t unit;            /* sectors of a block */
};

static bool isw_is_signed(const struct isw_header *h)
{
	return memcmp(h->signature, "Intel Raid ISM Cfg Sig. ", sizeof(h->signature)) == 0;
}

static const struct isw_header *isw_header_at(const struct fr_view *disk, struct isw_place place)
{
	const struct isw_header *h = (const struct isw_header *)fr_view_at(disk, place.anchor, place.unit);

	return h != NULL && isw_is_signed(h) ? h : NULL;
}

/* Boards that hid the disk's end leave in the last sector how far before it the record is. */
static bool isw_hidden_anchor(const struct fr_view *disk, uint64_t *anchor)
{
	static const uint8_t mark[] = { '$', 'G', 'A', 'F', 'R', 0x10 };
	const uint8_t *last = disk->sectors == 0 ? NULL : fr_view_at(disk, disk->sectors - 1, 1);
	uint64_t distance;

	if (last == NULL || memcmp(last, mark, sizeof(mark)) != 0)
		return false;
	distance = (uint64_t)le32_get(*(const le32 *)(last + sizeof(mark))) + 2;
	*anchor = disk->sectors - distance;
	return distance <= disk->sectors;
}

/* The places in their order; each counts only if the ones before it do not hold a good record. */
static size_t isw_places(const struct fr_view *disk, struct isw_place *places)
{
	uint32_t unit = disk->sector_size / ISW_BLOCK;
	size_t n = 0;

	if ((unit != 1 && unit != ISW_BIG_BLOCK / ISW_BLOCK) || disk->sectors < 3 * (uint64_t)unit)
		return 0;
	places[n++] = (struct isw_place){ (disk->sectors / unit - 2) * unit, unit };
	if (unit != 1)
		return n;
	if (isw_hidden_anchor(disk, &places[n].anchor))
		places[n++].unit = 1;
	if (disk->sectors >= ISW_HPA)
		places[n++] = (struct isw_place){ disk->sectors - ISW_HPA, 1 };
	unit = ISW_BIG_BLOCK / ISW_BLOCK;
	if (disk->is_image && disk->sectors % unit == 0 && disk->sectors >= 3 * unit) /* of what sectors, nobody says */
		places[n++] = (struct isw_place){ disk->sectors - 2 * unit, unit };
	return n;
}

static size_t isw_where(const struct fr_view *disk, struct fr_wish *wishes)
{
	struct isw_place places[ISW_CANDIDATES];
	size_t n = isw_places(disk, places);

	for (size_t i = 0; i < n; i++)
		wishes[i] = (struct fr_wish){ places[i].anchor, places[i].unit };
	if (n > 0) {
		wishes[n] = (struct fr_wish){ disk->sectors - places[0].unit, places[0].unit };
		n++;
	}
	return n;
}

static uint32_t isw_blocks(const struct isw_header *h, uint32_t unit)
{
	uint32_t block = unit * ISW_BLOCK, size = le32_get(h->size);

	return size / block + (size % block != 0);
}

/* The blocks before an anchor; for one that is only now known, the anchor too and a guess of what is before it. */
static size_t isw_where_next(const struct fr_view *disk, struct fr_wish *wishes)
{
	struct isw_place places[ISW_CANDIDATES];
	size_t n = isw_places(disk, places), count = 0;

	for (size_t i = 0; i < n; i++) {
		const struct isw_header *h = isw_header_at(disk, places[i]);
		uint32_t before = h == NULL || le32_get(h->size) > ISW_MAX_SIZE ? 0 :
				  (isw_blocks(h, places[i].unit) - 1) * places[i].unit;

		if (fr_view_at(disk, places[i].anchor, places[i].unit) == NULL) {
			wishes[count++] = (struct fr_wish){ places[i].anchor, 1 };
			before = places[i].anchor < ISW_HPA_MAX ? 0 : ISW_HPA_MAX;
		}
		if (before != 0 && before <= places[i].anchor)
			wishes[count++] = (struct fr_wish){ places[i].anchor - before, before };
	}
	return count;
}

/* ---- the record as a whole ---- */

struct isw {
	struct fr_findings *f;
	const struct fr_view *view;
	struct isw_place place;
	const uint8_t *bytes;
	const struct isw_header *header;
	const struct isw_disk *disks;
	size_t size;              /* bytes of the record */
	size_t end;               /* where the volumes have to end: before the log of bad blocks */
	struct fr_roster *roster;
};

static uint32_t isw_sum(const uint8_t *bytes, size_t size)
{
	const le32 *words = (const le32 *)bytes;
	uint32_t sum = 0;

	for (size_t i = 0; i < size / sizeof(le32); i++)
		sum += le32_get(words[i]);
	return sum - le32_get(((const struct isw_header *)bytes)->checksum);
}

static bool isw_is_record(const uint8_t *sector)
{
	const struct isw_header *h = (const struct isw_header *)sector;
	uint32_t size = le32_get(h->size);

	return isw_is_signed(h) && size >= ISW_MIN_SIZE && size <= ISW_BLOCK && isw_sum(sector, size) == le32_get(h->checksum);
}

/* Puts the record together, the anchor first. */
static bool isw_assemble(struct isw *r, const char **fault)
{
	uint32_t block = r->place.unit * ISW_BLOCK, blocks = isw_blocks(r->header, r->place.unit);
	uint32_t before = (blocks - 1) * r->place.unit;
	const uint8_t *rest;
	uint8_t *whole;

	r->bytes = (const uint8_t *)r->header;
	if (blocks == 1)
		return true;
	if (before > r->place.anchor)
		return fr_reason(r->f, fault, "size of %zu bytes begins before the disk does", r->size);
	rest = fr_view_at(r->view, r->place.anchor - before, before);
	if (rest == NULL)
		return fr_reason(r->f, fault, "the %u sectors before it, which belong to it, are not to be had", before);
	whole = fr_memory(r->f, blocks, block);
	if (whole == NULL)
		return fr_reason(r->f, fault, "out of memory");
	memcpy(whole, r->header, block);
	memcpy(whole + block, rest, (size_t)(blocks - 1) * block);
	r->bytes = whole;
	r->header = (const struct isw_header *)whole;
	fr_record(r->f, r->place.anchor, r->place.unit, whole, (size_t)blocks * block);
	return true;
}

/* The sectors before the anchor, if there are any: they are what the record is. */
static void isw_judge_rest(const struct isw *r, enum fr_verdict verdict)
{
	uint32_t before = (isw_blocks(r->header, r->place.unit) - 1) * r->place.unit;

	if (before != 0)
		fr_found(r->f, r->place.anchor - before, before, verdict, "continues the record at sector %llu",
			 (unsigned long long)r->place.anchor);
}

static bool isw_is_whole(struct isw *r, const char **fault)
{
	size_t least = ISW_MIN_SIZE + r->header->disks * sizeof(struct isw_disk);
	uint32_t sum;

	r->size = le32_get(r->header->size);
	if (r->size < least || r->size > ISW_MAX_SIZE)
		return fr_reason(r->f, fault, "size of %zu bytes is impossible: %u disks make it %zu to %d", r->size,
				 r->header->disks, least, ISW_MAX_SIZE);
	if (!isw_assemble(r, fault))
		return false;
	sum = isw_sum(r->bytes, r->size);
	isw_judge_rest(r, sum == le32_get(r->header->checksum) ? FR_VERDICT_VALID : FR_VERDICT_INVALID);
	if (sum != le32_get(r->header->checksum))
		return fr_reason(r->f, fault, "checksum is %08x, expected %08x", le32_get(r->header->checksum), sum);
	if (r->header->disks == 0)
		return fr_reason(r->f, fault, "disks is 0");
	r->disks = (const struct isw_disk *)(r->bytes + sizeof(struct isw_header));
	return true;
}

static const struct isw_volume *isw_volume_at(const struct isw *r, size_t at)
{
	return (const struct isw_volume *)(r->bytes + at);
}

/* Bytes of a map with its order table at `at`, 0 if it does not lie inside the record. */
static size_t isw_map_size(const uint8_t *bytes, size_t at, size_t end)
{
	size_t size = sizeof(struct isw_map);

	if (!fr_range_inside(at, size, end))
		return 0;
	size += ((const struct isw_map *)(bytes + at))->members * sizeof(le32);
	return fr_range_inside(at, size, end) ? size : 0;
}

/* Bytes of a volume with its maps, each as long as its own count of members makes it; 0 if it reaches past the end. */
static size_t isw_volume_size(const uint8_t *bytes, size_t at, size_t end)
{
	size_t size = sizeof(struct isw_volume);
	unsigned maps;

	if (!fr_range_inside(at, size, end))
		return 0;
	maps = ((const struct isw_volume *)(bytes + at))->migrating == 0 ? 1 : 2;
	for (unsigned i = 0; i < maps; i++) {
		size_t map = isw_map_size(bytes, at + size, end);

		if (map == 0)
			return 0;
		size += map;
	}
	return size;
}

static size_t isw_first_volume(const struct isw_header *h)
{
	return sizeof(*h) + h->disks * sizeof(struct isw_disk);
}

/* The volumes follow each other without an index: one that does not fit hides all behind it. */
static bool isw_volumes_fit(struct isw *r, const char **fault)
{
	uint32_t log = le32_get(r->header->bad_blocks_size);
	size_t at = isw_first_volume(r->header);

	if (log > r->size)
		return fr_reason(r->f, fault, "bad_blocks_size is %u of %zu bytes", log, r->size);
	r->end = r->size - log;
	if (r->header->volumes > ISW_MAX_VOLUMES)
		return fr_reason(r->f, fault, "volumes is %u; %d at most are believed", r->header->volumes, ISW_MAX_VOLUMES);
	for (unsigned i = 0; i < r->header->volumes; i++) {
		size_t size = isw_volume_size(r->bytes, at, r->end);

		if (size == 0)
			return fr_reason(r->f, fault, "volume %u reaches past the end of the record", i);
		at += size;
	}
	return true;
}

/* ---- numbers that a flag makes 64 bits wide, in sectors ---- */

static uint64_t isw_wide(const struct isw *r, le32 low, le32 high)
{
	bool counts = (le32_get(r->header->attributes) & ISW_ATTRIBUTE_HIGH) != 0;

	return le32_get(low) | (counts ? (uint64_t)le32_get(high) << 32 : 0);
}

static bool isw_sectors(const struct isw *r, le32 low, le32 high, uint64_t *sectors)
{
	return fr_multiply(isw_wide(r, low, high), r->place.unit, sectors);
}

/* ---- disks ---- */

/* A serial number as the record has it: no blanks, ';' for ':', the last 16 characters. */
static bool isw_key(const char *serial, uint8_t *key)
{
	size_t length = 0;

	memset(key, 0, ISW_KEY);
	for (; serial != NULL && *serial != '\0'; serial++) {
		if ((unsigned char)*serial <= ' ')
			continue;
		if (length == ISW_KEY)
			memmove(key, key + 1, --length);
		key[length++] = (uint8_t)(*serial == ':' ? ';' : *serial);
	}
	return length != 0;
}

/* What writers append to the serial of a disk that failed or is gone begins with a colon, which serials have not. */
static size_t isw_plain_length(const struct isw_disk *d)
{
	size_t length = 0;

	while (length < ISW_KEY && d->serial[length] != '\0' && d->serial[length] != ':')
		length++;
	return length;
}

static bool isw_is_gone(const struct isw_disk *d)
{
	size_t length = isw_plain_length(d);

	return (le32_get(d->status) & ISW_DISK_FAILED) != 0 || (length < ISW_KEY && d->serial[length] == ':') ||
	       memcmp(d->serial, "MISSING_", 8) == 0;
}

static const char *isw_serial_text(struct fr_findings *f, const struct isw_disk *d)
{
	char text[ISW_KEY + 1] = "";
	size_t length = isw_plain_length(d);

	for (size_t i = 0; i < length; i++)
		text[i] = (char)(d->serial[i] > ' ' && d->serial[i] < 0x7f ? d->serial[i] : '?');
	return fr_text(f, "%s", text);
}

/* An entry's serial number up to its NUL: behind that may be anything. */
static void isw_entry_key(const struct isw_disk *d, uint8_t *key)
{
	memset(key, 0, FR_MAX_KEY);
	for (size_t i = 0; i < ISW_KEY && d->serial[i] != '\0'; i++)
		key[i] = d->serial[i];
}

static struct fr_roster *isw_roster(const struct isw *r)
{
	struct fr_roster *roster = fr_memory(r->f, 1, sizeof(*roster));

	if (roster == NULL)
		return NULL;
	roster->by_order = true;
	roster->newest_decides = true;
	roster->entries = fr_memory(r->f, r->header->disks, sizeof(*roster->entries));
	for (unsigned i = 0; roster->entries != NULL && i < r->header->disks; i++) {
		struct fr_entry *e = &roster->entries[i];
		const struct isw_disk *d = &r->disks[i];

		isw_entry_key(d, e->key);
		e->serial = isw_serial_text(r->f, d);
		e->gone = isw_is_gone(d);
		e->spare = (le32_get(d->status) & ISW_DISK_SPARE) != 0;
	}
	roster->nentries = roster->entries == NULL ? 0 : r->header->disks;
	return roster;
}

/* ---- names ---- */

/* The volume's name up to its NUL or its 16th byte. */
static size_t isw_name_length(const struct isw_volume *v)
{
	size_t length = 0;

	while (length < sizeof(v->name) && v->name[length] != '\0')
		length++;
	return length;
}

/* As newer dmraids have it: a byte that is no letter, digit, '-' or '_' becomes '_'. */
static void isw_clean_name(const struct isw_volume *v, char *to)
{
	size_t length = isw_name_length(v);

	for (size_t i = 0; i < length; i++) {
		char c = (char)v->name[i];
		bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';

		to[i] = good ? c : '_';
	}
	to[length] = '\0';
}

/* The family number in decimal, its digits turned into letters, and the volume. */
static const char *isw_full_name(struct fr_findings *f, uint32_t family, const char *volume)
{
	return fr_text(f, "isw_%s_%s", fr_letters(f, "%u", family), volume);
}

/* Names in the field besides: Debian's dmraid left the bytes as they are, and the set had another before an exchange. */
static const char *const *isw_aliases(const struct isw *r, const struct isw_volume *v, const char *clean)
{
	uint32_t family = le32_get(r->header->family), original = le32_get(r->header->original_family);
	const char **aliases = fr_memory(r->f, 3, sizeof(const char *));
	char escaped[4 * sizeof(v->name) + 1];
	size_t n = 0;

	if (aliases == NULL)
		return NULL;
	fr_name_escape(escaped, sizeof(escaped), v->name, isw_name_length(v));
	if (strcmp(escaped, clean) != 0)
		aliases[n++] = isw_full_name(r->f, family, escaped);
	if (original != 0 && original != family)
		aliases[n++] = isw_full_name(r->f, original, clean);
	return n == 0 ? NULL : aliases;
}

static void isw_identity(const struct isw *r, struct fr_claim *c)
{
	uint32_t family = le32_get(r->header->family), original = le32_get(r->header->original_family);
	uint32_t id = original != 0 ? original : family;

	c->id_length = sizeof(id);
	for (size_t i = 0; i < sizeof(id); i++)
		c->id[i] = (uint8_t)(id >> (24 - 8 * i));
	c->id_text = fr_text(r->f, "%08x", id);
	c->lineage = family;
	c->has_generation = true;
	c->generation = le32_get(r->header->generation);
}

static void isw_name(const struct isw *r, const struct isw_volume *v, struct fr_claim *c)
{
	char clean[sizeof(v->name) + 1];
	size_t length = isw_name_length(v);

	isw_clean_name(v, clean);
	c->name = isw_full_name(r->f, c->lineage, clean);
	c->volume = fr_text(r->f, "%.*s", (int)length, (const char *)v->name);
	c->aliases = isw_aliases(r, v, clean);
	if (length == 0)
		fr_reason(r->f, &c->doubt, "the volume has no name, which no firmware allows");
	for (size_t i = 0; i < length; i++) {
		if (v->name[i] < ' ' || v->name[i] == 0x7f || v->name[i] == '/')
			fr_reason(r->f, &c->doubt, "the volume's name has a slash or control bytes, which no firmware allows");
	}
}

/* ---- geometry ---- */

static bool isw_level(const struct isw *r, const struct isw_map *m, struct fr_claim *c)
{
	c->width = m->members;
	if (m->members == 0 || m->members > r->header->disks || m->members > FR_MAX_WIDTH)
		return fr_reason(r->f, &c->fault, "members is %u of %u disks", m->members, r->header->disks);
	switch (m->level) {
	case 0:
		c->level = FR_LEVEL_RAID0;
		return true;
	case 1:
	case 10:
		c->level = m->members == 2 ? FR_LEVEL_RAID1 : FR_LEVEL_RAID10;
		if (m->members < 2)
			return fr_reason(r->f, &c->fault, "members is %u in a mirror", m->members);
		if (m->members % 2 == 0)
			return true;
		c->level = FR_LEVEL_UNKNOWN;
		fr_reason(r->f, &c->unsupported, "level %u over %u members (RAID1E) is not supported: its layout is not known",
			  m->level, m->members);
		return true;
	case 5:
		c->level = FR_LEVEL_RAID5;
		c->layout = FR_LAYOUT_LEFT_ASYMMETRIC;
		return m->members >= 3 || fr_reason(r->f, &c->fault, "members is %u in a RAID5", m->members);
	default:
		fr_reason(r->f, &c->unsupported, "level %u is not known", m->level);
		return true;
	}
}

static bool isw_chunk(const struct isw *r, const struct isw_map *m, struct fr_claim *c)
{
	uint32_t strip = le16_get(m->strip);

	if (strip == 0 || (c->level != FR_LEVEL_RAID1 && !fr_is_power_of_2(strip)))
		return fr_reason(r->f, &c->fault, "strip of %u blocks is impossible", strip);
	if (c->level != FR_LEVEL_RAID1)
		c->chunk = strip * r->place.unit;
	return true;
}

static unsigned isw_domains(const struct fr_claim *c)
{
	return fr_level_has_copies(c->level) ? 2 : 1;
}

/* What the stripes of the map hold per member, in sectors. `stripes` counts no blocks, and 4096-byte ones do not change it. */
static bool isw_per_member(const struct isw *r, const struct isw_map *m, const struct fr_claim *c, uint64_t *sectors)
{
	uint64_t chunk = (uint64_t)le16_get(m->strip) * r->place.unit;

	return fr_multiply(isw_wide(r, m->stripes, m->stripes_high), chunk * isw_domains(c), sectors);
}

/* The first sector that is not the volumes': the record, or what of it lies before the anchor. */
static uint64_t isw_limit(const struct isw *r)
{
	return r->place.anchor - (uint64_t)(isw_blocks(r->header, r->place.unit) - 1) * r->place.unit;
}

/*
 * The size field counts. The stripes may hold more (firmware rounds the size to 1 MiB), and a little less where mdadm
 * has let the array grow. What the map reserves per member is no size. *span: of the stripes on each member.
 */
static bool isw_size(const struct isw *r, const struct isw_volume *v, const struct isw_map *m, struct fr_claim *c,
		     uint64_t *span)
{
	unsigned columns = fr_level_columns(c->level, c->width);
	uint64_t per, held, slack = (uint64_t)ISW_SIZE_SLACK * columns, row, rows;

	if (!fr_multiply(le64_get(v->size), r->place.unit, &c->set_sectors) || c->set_sectors == 0)
		return fr_reason(r->f, &c->fault, "size of %llu blocks is impossible", (unsigned long long)le64_get(v->size));
	if (!isw_per_member(r, m, c, &per) || !fr_multiply(per, columns, &held) || held > UINT64_MAX - slack)
		return fr_reason(r->f, &c->fault, "stripes is %u: impossible", le32_get(m->stripes));
	if (c->set_sectors > held + slack)
		return fr_reason(r->f, &c->fault, "size is %llu sectors, the stripes hold %llu",
				 (unsigned long long)c->set_sectors, (unsigned long long)held);
	row = c->chunk == 0 ? 1 : (uint64_t)c->chunk * columns;
	rows = c->set_sectors / row + (c->set_sectors % row != 0);
	c->room = rows * (row / columns);
	*span = c->room < per ? per : c->room;
	return true;
}

/* All stripes have to be before the record, those without data, too. */
static bool isw_place_data(const struct isw *r, const struct isw_map *m, uint64_t span, struct fr_claim *c)
{
	uint64_t limit = isw_limit(r), blocks;

	if (!isw_sectors(r, m->start, m->start_high, &c->offset) || !fr_range_inside(c->offset, span, limit))
		return fr_reason(r->f, &c->fault, "start at sector %llu with %llu sectors reaches past sector %llu, where the "
				 "record is", (unsigned long long)c->offset, (unsigned long long)span,
				 (unsigned long long)limit);
	if (!isw_sectors(r, m->blocks, m->blocks_high, &blocks) || !fr_range_inside(c->offset, blocks, limit))
		fr_remark(r->f, c, c->lba, "volume '%s' reserves more than the disk has: its data fits", c->volume);
	else if (blocks > c->room)
		c->peer_room = blocks;
	c->peer_read_only = true; /* the write hole's log, the bitmap */
	return true;
}

/* ---- members and what is going on ---- */

static const le32 *isw_order(const struct isw_map *m)
{
	return (const le32 *)(m + 1);
}

static bool isw_order_is_possible(const struct isw *r, const struct isw_map *m, struct fr_claim *c)
{
	bool seen[FR_MAX_ENTRIES + 1] = { false };

	for (unsigned i = 0; i < m->members; i++) {
		uint32_t disk = le32_get(isw_order(m)[i]) & isw_order_disk;

		if (disk >= r->header->disks)
			return fr_reason(r->f, &c->fault, "order names disk %u of %u for member %u", disk, r->header->disks, i);
		if (seen[disk])
			return fr_reason(r->f, &c->fault, "order names disk %u twice", disk);
		seen[disk] = true;
	}
	return true;
}

static bool isw_maps_agree(const struct isw *r, const struct isw_volume *v, const struct isw_map *m,
			   const struct isw_map *second, struct fr_claim *c)
{
	uint64_t first, start;

	if (v->migrating > 1 || (v->migrating != 0 && v->migration >= ISW_MIGRATIONS))
		return fr_reason(r->f, &c->fault, "migrating is %u, migration %u: not known", v->migrating, v->migration);
	if (second == NULL)
		return true;
	if (!isw_sectors(r, m->start, m->start_high, &first) ||
	    !isw_sectors(r, second->start, second->start_high, &start) || start != first)
		return fr_reason(r->f, &c->fault, "the second map starts at another block than the first: %u, high word %u",
				 le32_get(second->start), le32_get(second->start_high));
	if (second->members != m->members && v->migration != ISW_RESHAPE)
		return fr_reason(r->f, &c->fault, "the second map has %u members, the first %u", second->members, m->members);
	return v->migration == ISW_RESHAPE || isw_order_is_possible(r, second, c);
}

/* A slot is out of sync by either map: during a rebuild the second one says which it is. */
static bool isw_is_out_of_sync(const struct isw_map *m, const struct isw_map *second, unsigned slot)
{
	return (le32_get(isw_order(m)[slot]) & isw_out_of_sync) != 0 ||
	       (second != NULL && (le32_get(isw_order(second)[slot]) & isw_out_of_sync) != 0);
}

static struct fr_seat isw_seat(const struct isw *r, const struct isw_map *m, const struct isw_map *second, unsigned slot)
{
	struct fr_seat seat = { .entry = le32_get(isw_order(m)[slot]) & isw_order_disk };

	if (r->roster->entries[seat.entry].gone) {
		seat.state = FR_MEMBER_STALE;
		seat.reason = "the record says that it failed or was gone";
	} else if (isw_is_out_of_sync(m, second, slot) && second != NULL) {
		seat.state = FR_MEMBER_REBUILDING;
		seat.reason = "being rebuilt, and not complete";
	} else if (isw_is_out_of_sync(m, second, slot)) {
		seat.state = FR_MEMBER_STALE;
		seat.reason = "the record says that it is out of sync";
	}
	return seat;
}

static uint64_t isw_bad_block_first(const struct isw_bad_block *b)
{
	uint64_t first = 0;

	for (int i = 5; i >= 0; i--)
		first = first << 8 | b->first[i];
	return first;
}

/* The log, and how many entries it has; NULL if there is none or it makes no sense. */
static const struct isw_bad_block *isw_log(const struct isw *r, unsigned *count)
{
	uint32_t size = le32_get(r->header->bad_blocks_size);
	const struct isw_bad_blocks *log = (const struct isw_bad_blocks *)(r->bytes + r->end);

	*count = 0;
	if (size == 0)
		return NULL;
	if (size < sizeof(*log) || le32_get(log->signature) != isw_bad_blocks_signature ||
	    le32_get(log->count) > ISW_MAX_BAD_BLOCKS ||
	    le32_get(log->count) > (size - sizeof(*log)) / sizeof(struct isw_bad_block))
		return NULL;
	*count = le32_get(log->count);
	return (const struct isw_bad_block *)(log + 1);
}

static bool isw_log_is_good(const struct isw *r)
{
	unsigned count;

	return le32_get(r->header->bad_blocks_size) == 0 || isw_log(r, &count) != NULL;
}

static bool isw_is_in(const struct isw *r, const struct isw_bad_block *b, const struct fr_claim *c)
{
	uint64_t first = isw_bad_block_first(b) * r->place.unit, sectors = (uint64_t)(b->more + 1) * r->place.unit;

	return first < c->offset + c->room && c->offset < first + sectors;
}

/* The slot that a disk of the table has in the volume; the width if it has none. */
static unsigned isw_slot_of(const struct fr_claim *c, unsigned disk)
{
	unsigned slot = 0;

	while (slot < c->width && c->seats[slot].entry != disk)
		slot++;
	return slot;
}

/* A block that could not be written holds old data, which reads well: where there is a copy it is the one to read. */
static void isw_bad_blocks(const struct isw *r, struct fr_seat *seats, struct fr_claim *c)
{
	unsigned count, inside = 0, first = 0;
	const struct isw_bad_block *log = isw_log(r, &count);

	for (unsigned i = 0; i < count; i++) {
		unsigned slot = isw_slot_of(c, log[i].disk);

		if (slot == c->width || !isw_is_in(r, &log[i], c))
			continue;
		seats[slot].suspect = "blocks of it are recorded as bad";
		if (inside++ == 0)
			first = i;
	}
	if (inside != 0)
		fr_remark(r->f, c, c->lba, "volume '%s': %u ranges are recorded as bad, the first %u blocks from block %llu "
			  "of disk %u", c->volume, inside, log[first].more + 1u,
			  (unsigned long long)isw_bad_block_first(&log[first]), log[first].disk);
}

static bool isw_seats(const struct isw *r, const struct isw_volume *v, const struct isw_map *m,
		      const struct isw_map *second, struct fr_claim *c)
{
	struct fr_seat *seats = fr_memory(r->f, m->members, sizeof(*seats));

	if (seats == NULL)
		return fr_reason(r->f, &c->fault, "out of memory");
	for (unsigned i = 0; i < m->members; i++)
		seats[i] = isw_seat(r, m, v->migration == ISW_REBUILD ? second : NULL, i);
	c->seats = seats;
	c->roster = r->roster;
	isw_bad_blocks(r, seats, c);
	return true;
}

static const char *isw_shape(struct fr_findings *f, const struct isw_map *m)
{
	return fr_text(f, "level %u over %u disks with %u blocks a strip", m->level, m->members, le16_get(m->strip));
}

static bool isw_any_rebuilding(const struct fr_claim *c)
{
	for (unsigned i = 0; i < c->width; i++) {
		if (c->seats[i].state == FR_MEMBER_REBUILDING)
			return true;
	}
	return false;
}

static void isw_migration(const struct isw *r, const struct isw_volume *v, const struct isw_map *m,
			  const struct isw_map *second, struct fr_claim *c)
{
	switch (v->migration) {
	case ISW_INITIALIZE:
		c->activity = FR_ACTIVITY_INITIALIZING;
		break;
	case ISW_VERIFY: /* only looks, unless it was told to repair */
		if ((le32_get(v->status) & ISW_VOLUME_REPAIR) != 0)
			c->activity = FR_ACTIVITY_SYNCING;
		break;
	case ISW_REPAIR:
		c->activity = FR_ACTIVITY_SYNCING;
		break;
	case ISW_RESHAPE:
		c->activity = FR_ACTIVITY_MIGRATING;
		c->activity_text = fr_text(r->f, "from %s to %s, at unit %llu", isw_shape(r->f, second),
					   isw_shape(r->f, m), (unsigned long long)le32_get(v->unit) |
					   (unsigned long long)le32_get(v->unit_high) << 32);
		break;
	case ISW_STATE_CHANGE:
		c->activity = FR_ACTIVITY_UNKNOWN;
		fr_reason(r->f, &c->caution, "the array is changing its state");
		break;
	default:
		if (!isw_any_rebuilding(c)) /* else the seats tell */
			c->activity = FR_ACTIVITY_REBUILDING;
		break;
	}
}

static bool isw_condition(const struct isw *r, const struct isw_volume *v, const struct isw_map *m,
			  const struct isw_map *second, struct fr_claim *c)
{
	if (m->state > ISW_FAILED)
		return fr_reason(r->f, &c->fault, "map state %u is not known", m->state);
	c->failure_known = m->state == ISW_DEGRADED;
	if (m->state == ISW_FAILED)
		c->broken = "the record says that the array has failed";
	if (m->state == ISW_UNINITIALIZED)
		c->activity = FR_ACTIVITY_INITIALIZING;
	if (second != NULL)
		isw_migration(r, v, m, second, c);
	c->parity_invalid = c->activity == FR_ACTIVITY_INITIALIZING;
	if (c->activity == FR_ACTIVITY_NONE && (v->dirty & 1) != 0 && fr_level_is_redundant(c->level))
		c->activity = FR_ACTIVITY_DIRTY;
	return true;
}

static void isw_cautions(const struct isw *r, const struct isw_volume *v, struct fr_claim *c)
{
	uint32_t attributes = le32_get(r->header->attributes);

	if (memcmp(r->header->version, "1.3.00", sizeof(r->header->version)) < 0)
		attributes = 0; /* older writers set bits without meaning them */
	if ((attributes & ISW_ATTRIBUTE_IS_CACHE) != 0)
		fr_reason(r->f, &c->unsupported, "the disks are a cache of others, and no array");
	if ((attributes & ISW_ATTRIBUTE_CACHE) != 0 || v->nv_cache_mode != 0)
		fr_reason(r->f, &c->caution, "a cache on another disk belongs to the array, and may hold newer data");
	if ((attributes & ISW_ATTRIBUTE_RAID1E) != 0)
		fr_reason(r->f, &c->caution, "the record asks for RAID1E, which is not supported");
	if (!isw_log_is_good(r))
		fr_reason(r->f, &c->caution, "the log of bad blocks makes no sense");
	if ((attributes & ISW_ATTRIBUTE_CLONE) != 0 || (le32_get(v->status) & ISW_VOLUME_CLONE) != 0 || v->clone_state != 0)
		fr_reason(r->f, &c->doubt, "one disk is a delayed clone of the other (\"Recover\"): which is newer depends");
}

/* ---- claims ---- */

static bool isw_share_a_disk(const struct fr_claim *a, const struct fr_claim *b)
{
	for (unsigned i = 0; i < a->width; i++) {
		if (isw_slot_of(b, a->seats[i].entry) < b->width)
			return true;
	}
	return false;
}

/* Volumes that lie on each other: neither can be right. */
static void isw_overlap(const struct isw *r, struct fr_claim **claims, unsigned count)
{
	for (unsigned a = 0; a < count; a++) {
		for (unsigned b = 0; b < count; b++) {
			if (a == b || claims[a]->seats == NULL || claims[b]->seats == NULL ||
			    claims[a]->offset >= claims[b]->offset + claims[b]->room ||
			    claims[b]->offset >= claims[a]->offset + claims[a]->room ||
			    !isw_share_a_disk(claims[a], claims[b]))
				continue;
			fr_reason(r->f, &claims[a]->doubt, "volumes '%s' and '%s' lie on the same sectors", claims[a]->volume,
				  claims[b]->volume);
		}
	}
}

static bool isw_geometry(const struct isw *r, const struct isw_volume *v, const struct isw_map *m, struct fr_claim *c)
{
	uint64_t span = 0;

	if (!isw_level(r, m, c) || !isw_order_is_possible(r, m, c))
		return false;
	if (c->unsupported != NULL)
		return true;
	if (m->domains != isw_domains(c) && fr_level_has_copies(c->level))
		return fr_reason(r->f, &c->fault, "domains is %u, expected 2", m->domains);
	if (m->domains != isw_domains(c))
		fr_remark(r->f, c, c->lba, "volume '%s': domains is %u, expected 1", c->volume, m->domains);
	return isw_chunk(r, m, c) && isw_size(r, v, m, c, &span) && isw_place_data(r, m, span, c);
}

static struct fr_claim *isw_volume(const struct isw *r, const struct isw_volume *v)
{
	const struct isw_map *m = (const struct isw_map *)(v + 1);
	size_t map = sizeof(*m) + m->members * sizeof(le32);
	const struct isw_map *second = v->migrating == 0 ? NULL : (const struct isw_map *)((const uint8_t *)m + map);
	struct fr_claim *c = fr_claim_new(r->f, r->place.anchor, r->place.unit);

	isw_identity(r, c);
	isw_name(r, v, c);
	c->sector_size = r->place.unit * ISW_BLOCK;
	c->part = le32_get(m->start);
	c->agreement = fr_text(r->f, "family %08x, checksum %08x", c->lineage, le32_get(r->header->checksum));
	c->has_key = isw_key(r->view->serial, c->key);
	if (isw_geometry(r, v, m, c) && isw_maps_agree(r, v, m, second, c) && isw_seats(r, v, m, second, c) &&
	    c->unsupported == NULL && isw_condition(r, v, m, second, c))
		isw_cautions(r, v, c);
	return c;
}

/* A claim a volume; the first one is returned. */
static struct fr_claim *isw_volumes(const struct isw *r)
{
	struct fr_claim *claims[ISW_MAX_VOLUMES];
	size_t at = isw_first_volume(r->header);

	for (unsigned i = 0; i < r->header->volumes; i++) {
		claims[i] = isw_volume(r, isw_volume_at(r, at));
		at += isw_volume_size(r->bytes, at, r->end);
	}
	isw_overlap(r, claims, r->header->volumes);
	return claims[0];
}

/* The entry that this disk's serial number is in, or NULL. */
static const struct isw_disk *isw_own_entry(const struct isw *r)
{
	uint8_t key[FR_MAX_KEY], other[FR_MAX_KEY];
	const struct isw_disk *own = NULL;

	for (unsigned i = 0; isw_key(r->view->serial, key) && i < r->header->disks; i++) {
		isw_entry_key(&r->disks[i], other);
		if (memcmp(other, key, FR_MAX_KEY) != 0)
			continue;
		if (own != NULL)
			return NULL;
		own = &r->disks[i];
	}
	return own;
}

/* Behind a hidden area another disk's record may lie: only one that was written for a disk of that size counts. */
static bool isw_belongs_here(const struct isw *r, const char **fault)
{
	uint64_t total, expected = r->place.anchor + 2 * (uint64_t)r->place.unit;
	const struct isw_disk *own = isw_own_entry(r);

	for (unsigned i = 0; i < r->header->disks; i++) {
		if ((own == NULL || own == &r->disks[i]) &&
		    isw_sectors(r, r->disks[i].total, r->disks[i].total_high, &total) && total == expected)
			return true;
	}
	return fr_reason(r->f, fault, "no disk of the record has %llu sectors, as one must whose record lies here",
			 (unsigned long long)expected);
}

static void isw_check_total(const struct isw *r, struct fr_claim *c)
{
	const struct isw_disk *own = isw_own_entry(r);
	uint64_t total;

	if (own != NULL && isw_sectors(r, own->total, own->total_high, &total) && total != r->view->sectors)
		fr_remark(r->f, c, c->lba, "the disk has %llu sectors, the record says %llu",
			  (unsigned long long)r->view->sectors, (unsigned long long)total);
}

static void isw_check_version(const struct isw *r, struct fr_claim *c)
{
	static const char *const known[] = { "1.0.00", "1.1.00", "1.2.00", "1.2.01", "1.2.02", "1.2.04", "1.2.06",
					     "1.3.00", "2.0.00" };

	for (size_t i = 0; i < FR_COUNT(known); i++) {
		if (memcmp(r->header->version, known[i], sizeof(r->header->version)) == 0)
			return;
	}
	fr_remark(r->f, c, c->lba, "version of the record is not known: it is read as the newest that is");
}

static void isw_record(struct isw *r, bool usual_place, const char **fault)
{
	r->disks = (const struct isw_disk *)(r->header + 1);
	if (!isw_is_whole(r, fault) || !isw_volumes_fit(r, fault) || (!usual_place && !isw_belongs_here(r, fault)))
		return;
	r->roster = isw_roster(r);
	if (r->roster == NULL || r->roster->entries == NULL)
		fr_reason(r->f, fault, "out of memory");
}

static void isw_claim_record(struct isw *r, const char *fault)
{
	struct fr_claim *c;

	if (fault == NULL && r->header->volumes != 0) {
		c = isw_volumes(r);
		isw_check_version(r, c);
		isw_check_total(r, c);
		if (!isw_log_is_good(r))
			fr_remark(r->f, c, c->lba, "the log of bad blocks makes no sense and is not used");
		return;
	}
	c = fr_claim_new(r->f, r->place.anchor, r->place.unit);
	c->role = FR_ROLE_ANY_SPARE;
	if (fault != NULL) {
		isw_identity(r, c);
		c->fault = fault;
	}
}

static void isw_claims(const struct fr_view *disk, struct fr_findings *f)
{
	struct isw_place places[ISW_CANDIDATES];
	size_t n = isw_places(disk, places);
	struct isw best = { 0 };
	const char *best_fault = NULL;
	uint64_t hidden;

	if (n > 0 && !isw_hidden_anchor(disk, &hidden))
		fr_found(f, disk->sectors - places[0].unit, places[0].unit, FR_VERDICT_NONE,
			 "no mark of a hidden end of the disk, which would tell where the record is");
	for (size_t i = 0; i < n; i++) {
		struct isw r = { .f = f, .view = disk, .place = places[i], .header = isw_header_at(disk, places[i]) };
		const char *fault = NULL;

		if (r.header == NULL) {
			fr_found(f, places[i].anchor, places[i].unit, FR_VERDICT_NONE,
				 "no signature \"Intel Raid ISM Cfg Sig.\"");
			continue;
		}
		if (best.header != NULL && best_fault == NULL) {
			fr_found(f, places[i].anchor, places[i].unit, FR_VERDICT_FOREIGN, "the record at sector %llu counts",
				 (unsigned long long)best.place.anchor);
			continue;
		}
		isw_record(&r, i == 0 || places[i].unit != places[0].unit, &fault);
		if (fault != NULL)
			fr_found(f, places[i].anchor, places[i].unit, FR_VERDICT_INVALID, "%s", fault);
		if (best.header == NULL || fault == NULL) {
			best = r;
			best_fault = fault;
		}
	}
	if (best.header != NULL)
		isw_claim_record(&best, best_fault);
}

/* ---- the dump ---- */

struct isw_parts {
	struct fr_part *list;
	size_t count, max;
};

static void isw_add_part(struct isw_parts *p, const struct fr_field *fields, size_t nfields, size_t offset,
			 const char *what, unsigned number)
{
	if (p->count == p->max)
		return;
	p->list[p->count] = (struct fr_part){ .offset = offset, .fields = fields, .nfields = nfields };
	fr_part_name(&p->list[p->count++], what, number);
}

static size_t isw_add_map(struct isw_parts *p, const uint8_t *record, size_t at, size_t end, unsigned volume, unsigned number)
{
	size_t size = isw_map_size(record, at, end);

	if (size == 0)
		return 0;
	isw_add_part(p, isw_map_fields, FR_COUNT(isw_map_fields), at, number == 0 ? "map of volume" : "second map of volume",
		     volume);
	for (size_t order = sizeof(struct isw_map); order < size; order += sizeof(le32))
		isw_add_part(p, isw_order_fields, FR_COUNT(isw_order_fields), at + order, "member",
			     (unsigned)((order - sizeof(struct isw_map)) / sizeof(le32)));
	return size;
}

static size_t isw_add_volume(struct isw_parts *p, const uint8_t *record, size_t at, size_t end, unsigned number)
{
	size_t size = isw_volume_size(record, at, end), map;

	if (size == 0)
		return 0;
	isw_add_part(p, isw_volume_fields, FR_COUNT(isw_volume_fields), at, "volume", number);
	map = isw_add_map(p, record, at + sizeof(struct isw_volume), end, number, 0);
	if (sizeof(struct isw_volume) + map < size)
		isw_add_map(p, record, at + sizeof(struct isw_volume) + map, end, number, 1);
	return size;
}

static void isw_add_log(struct isw_parts *p, size_t at, size_t end)
{
	size_t entry = at + sizeof(struct isw_bad_blocks);

	isw_add_part(p, isw_bad_blocks_fields, FR_COUNT(isw_bad_blocks_fields), at, "log of bad blocks", 0);
	for (unsigned i = 0; fr_range_inside(entry, sizeof(struct isw_bad_block), end) && i < ISW_MAX_BAD_BLOCKS; i++) {
		isw_add_part(p, isw_bad_block_fields, FR_COUNT(isw_bad_block_fields), entry, "bad block", i);
		entry += sizeof(struct isw_bad_block);
	}
}

static size_t isw_dump_parts(const uint8_t *record, size_t size, struct fr_part *parts, size_t max)
{
	const struct isw_header *h = (const struct isw_header *)record;
	struct isw_parts p = { .list = parts, .max = max };
	size_t end, at, log;

	if (size < sizeof(*h) || !isw_is_signed(h))
		return 0;
	end = le32_get(h->size) < size ? le32_get(h->size) : size;
	log = le32_get(h->bad_blocks_size) < end ? le32_get(h->bad_blocks_size) : 0;
	isw_add_part(&p, isw_header_fields, FR_COUNT(isw_header_fields), 0, "", 0);
	for (unsigned i = 0; i < h->disks; i++) {
		at = sizeof(*h) + i * sizeof(struct isw_disk);
		if (fr_range_inside(at, sizeof(struct isw_disk), end))
			isw_add_part(&p, isw_disk_fields, FR_COUNT(isw_disk_fields), at, "disk", i);
	}
	at = isw_first_volume(h);
	for (unsigned i = 0; i < h->volumes; i++) {
		size_t volume = isw_add_volume(&p, record, at, end - log, i);

		if (volume == 0)
			break;
		at += volume;
	}
	if (log >= sizeof(struct isw_bad_blocks))
		isw_add_log(&p, end - log, end);
	return p.count;
}

static const struct fr_format_ops isw_ops = {
	.where = isw_where, .where_next = isw_where_next, .claims = isw_claims, .is_record = isw_is_record,
	.parts = isw_dump_parts,
};

const struct fr_format fr_format_isw = {
	.name = "isw",
	.firmware = "Intel Matrix Storage, Rapid Storage (IMSM, RST), VROC",
	.levels = "raid0, raid1, raid10, raid5 (left-asymmetric)",
	.listed = "RAID1E, arrays that migrate",
	.fields = isw_header_fields,
	.nfields = FR_COUNT(isw_header_fields),
	.ops = &isw_ops,
};
