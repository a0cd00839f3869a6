// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The isw format: real records, each checked field wrong in turn, the places
 * where a record may lie, names, sizes, members and states, all by the
 * format's specification.
 */
#include <limits.h>
#include <stdio.h>

#include "testing.h"

enum { DISK = 20000, PER = 4096, TAIL = 264, START_2 = 12000, MAX_RECORD = 0x12000, MAX_PARTS = 1024 };
#define FAMILY UINT32_C(0x98b8e7e0) /* isw_cfgccfeibg */

/* ---- real records: lines of an offset and bytes, all else is 0 ---- */

/* Real: the anchor of a member of an ICH stripe; what is behind 0x1e0 is rubbish. */
static const char *const vector_a[] = {
	"000 49 6e 74 65 6c 20 52 61 69 64 20 49 53 4d 20 43 66 67 20 53 69 67 2e 20 31 2e 30 2e 30 30",
	"020 c5 85 ae fe e0 01 00 00 3b b7 55 ff d0 01 00 00 80 13 00 00 00 00 00 c0 02 01 02",
	"0d0 00 00 00 00 00 00 00 00 59 32 35 56 58 59 51 45 00 00 00 00 00 00 00 00 00 ba 8a 09",
	"0f0 3a 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 59 32 35 56 58 5a 36 45",
	"110 00 00 00 00 00 00 00 00 00 ba 8a 09 00 00 01 00 3a 01",
	"130 00 00 00 00 00 00 00 00 52 41 49 44 5f 56 6f 6c 75 6d 65 31 00 00 00 00 00 70 15 13",
	"150 00 00 00 00 00 00 00 00 00 00 01",
	"1a0 00 00 00 00 00 00 00 00 00 00 00 00 00 b8 8a 09 b8 8a 09 00 00 01 00 00 02 01 ff 01",
	"1d0 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00 22 63 6f 6c 6f 72 22 00 00 00 00 00 11",
	"1f0 30 8e 2b 09 78 e7 2a 09 00 00 00 00 11",
	NULL,
};

/* Made by mdadm: RAID5 of three, half rebuilt, in two sectors. */
static const char *const vector_b[] = {
	"000 49 6e 74 65 6c 20 52 61 69 64 20 49 53 4d 20 43 66 67 20 53 69 67 2e 20 31 2e 32 2e 30 32",
	"020 2d 7e 64 2d 50 02 00 00 8e bd 3f 49 12 00 00 00 00 00 00 00 00 00 00 80 03 01",
	"040 d5 74 69 ea 01 00 00 00 00 00 00 00 01 00 00 00 f9 05 0e 6b",
	"0d0 00 00 00 00 00 00 00 00 50 30 35 36 2d 30 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00 38",
	"0f0 02 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 50 30 35 38 2d 32",
	"110 00 00 00 00 00 00 00 00 00 00 01 00 00 3a 00 00 02",
	"130 00 00 00 00 00 00 00 00 50 30 35 39 2d 33 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00 3b",
	"150 02 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 46 69 76 65",
	"170 00 00 00 00 00 00 00 00 00 c0 00 00 00 00 00 00 0c",
	"190 01 00 00 00 00 00 00 00 00 00 05",
	"1b0 00 00 00 00 00 00 00 00 6c 00 00 00 00 00 00 00 01 01",
	"1d0 00 00 00 00 00 00 00 00 00 00 00 00 00 68 00 00 c0 00 00 00 80 00 00 05 03 01 01 01",
	"200 00 00 00 00 00 00 00 00 00 00 00 00 02 00 00 00 01 00 00 00 00 00 00 00 00 68 00 00 c0",
	"220 80 00 02 05 03 01 01 01",
	"240 00 00 00 00 00 00 00 00 02 00 00 01 01",
	NULL,
};

/* Made by mdadm: RAID1, one member failed. */
static const char *const vector_c[] = {
	"000 49 6e 74 65 6c 20 52 61 69 64 20 49 53 4d 20 43 66 67 20 53 69 67 2e 20 31 2e 31 2e 30 30",
	"020 01 37 fe 6a e0 01 00 00 99 7f 24 3e 05 00 00 00 00 00 00 00 00 00 00 80 02 01",
	"040 99 7f 24 3e 01 00 00 00 00 00 00 00 01 00 00 00 97 05 0e 6b",
	"0d0 00 00 00 00 00 00 00 00 50 30 34 35 2d 31 3a 30 00 00 00 00 00 00 00 00 00 00 01 00 00 2d",
	"0f0 06 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 50 30 34 34 2d 30",
	"110 00 00 00 00 00 00 00 00 00 00 01 00 00 2c 00 00 02",
	"130 00 00 00 00 00 00 00 00 4d 69 72 72 6f 72 00 00 00 00 00 00 00 00 00 00 00 60",
	"150 0c 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 00 00 05",
	"1a0 00 00 00 00 00 00 00 00 00 00 00 00 00 68 00 00 60 00 00 00 80 00 02 01 02 02 00 01",
	"1d0 00 00 00 00 00 00 00 00 00 00 00 01 01",
	NULL,
};

/* Made by mdadm: two volumes, in two sectors. */
static const char *const vector_d[] = {
	"000 49 6e 74 65 6c 20 52 61 69 64 20 49 53 4d 20 43 66 67 20 53 69 67 2e 20 31 2e 33 2e 30 30",
	"020 4b 49 66 bc 88 02 00 00 9c 58 41 49 05 00 00 00 00 00 00 00 03 00 00 80 02 02",
	"040 9c 58 41 49 01 00 00 00 00 00 00 00 02 00 00 00 75 05 0e 6b",
	"0d0 00 00 00 00 00 00 00 00 50 30 33 36 2d 31 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00 24",
	"0f0 02 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 50 30 33 35 2d 30",
	"110 00 00 00 00 00 00 00 00 00 00 01 00 00 23 00 00 02",
	"130 00 00 00 00 00 00 00 00 46 61 73 74 00 00 00 00 00 00 00 00 00 00 00 00 00 60",
	"150 0c 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00 00 00 00 00 00 00 05",
	"1a0 00 00 00 00 00 00 00 00 00 00 00 00 00 38 00 00 c0 00 00 00 40 00 00 00 02 01 ff 01",
	"1d0 00 00 00 00 00 00 00 00 00 00 00 00 01 00 00 00 53 61 66 65",
	"1f0 00 30 00 00 00 00 00 00 0c 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 02",
	"210 00 00 05",
	"250 00 50 00 00 00 38 00 00 30 00 00 00 80 00 00 01 02 02 ff 01",
	"280 00 00 00 00 01",
	NULL,
};

/* ---- records made by hand ---- */

enum area { HEADER, DISKS, VOLUME, MAP, SECOND, VOLUME_2, MAP_2, LOG, AREAS };

/* A place in a record for an edit: where the area is, only the record knows. */
#define AT(area, offset) ((uint16_t)((area) << 12 | (offset)))
#define H(offset) AT(HEADER, offset)
#define D(i, offset) AT(DISKS, 0x30 * (i) + (offset))
#define V(offset) AT(VOLUME, offset)
#define M(offset) AT(MAP, offset)
#define S(offset) AT(SECOND, offset)
#define ORDER(area, slot, disk) { AT(area, 0x30 + 4 * (slot)), 3, disk }
#define OUT_OF_SYNC(area, slot) { AT(area, 0x33 + 4 * (slot)), 1, 1 }
#define ATTRIBUTES(v) { H(0x34), 4, v }
#define MIGRATION(type) { V(0x59), 1, type }
#define STATE(area, v) { AT(area, 0x0e), 1, v }
#define VERSION(v) { H(0x18), 6, v }
#define VERSION_1_2_02 0x32302e322e31
#define VERSION_1_2_06 0x36302e322e31

struct record {
	size_t size;
	size_t at[AREAS];
	uint8_t bytes[MAX_RECORD]; /* the first block first; rubbish behind `size` */
};

enum base { STRIPE, MIRROR, TEN, FIVE };

static const struct shape {
	uint8_t level, members, domains;
	uint16_t strip;
	uint32_t stripes;
	uint64_t size;
} shapes[] = {
	[STRIPE] = { 0, 2, 1, 32, PER / 32, 2 * PER },
	[MIRROR] = { 1, 2, 2, 128, PER / 256, PER },
	[TEN] = { 1, 4, 2, 32, PER / 64, 2 * PER },
	[FIVE] = { 5, 3, 1, 32, PER / 32, 2 * PER },
};

/* Zeroed bytes at the end of the record. */
static size_t extend(struct record *r, size_t count)
{
	size_t at = r->size;

	assert_true(at + count <= MAX_RECORD);
	memset(r->bytes + at, 0, count);
	r->size += count;
	return at;
}

static void put_disk(struct record *r, unsigned number)
{
	uint8_t *d = r->bytes + extend(r, 0x30);

	snprintf((char *)d, 16, "DISK-%u", number);
	put_number(d + 0x10, 4, DISK);
	put_number(d + 0x14, 4, (uint64_t)number << 16);
	put_number(d + 0x18, 4, 0x13a);
}

/* A record without volumes that names the disks DISK-0, DISK-1 ... */
static void record_new(struct record *r, unsigned disks)
{
	memset(r, 0, offsetof(struct record, bytes));
	memset(r->bytes, 0xa5, MAX_RECORD);
	extend(r, 0xd8);
	memcpy(r->bytes, "Intel Raid ISM Cfg Sig. 1.3.00", 30);
	put_number(r->bytes + 0x28, 4, FAMILY);
	put_number(r->bytes + 0x2c, 4, 7);
	put_number(r->bytes + 0x34, 4, 0x80000000);
	put_number(r->bytes + 0x38, 1, disks);
	put_number(r->bytes + 0x40, 4, FAMILY);
	r->at[DISKS] = r->size;
	for (unsigned i = 0; i < disks; i++)
		put_disk(r, i);
}

static void put_map(uint8_t *m, const struct shape *s, uint64_t start)
{
	put_number(m, 4, start);
	put_number(m + 0x04, 4, PER + TAIL);
	put_number(m + 0x08, 4, s->stripes);
	put_number(m + 0x0c, 2, s->strip);
	m[0x0f] = s->level;
	m[0x10] = s->members;
	m[0x11] = s->domains;
	m[0x12] = 0xff;
	m[0x13] = 1;
	for (unsigned i = 0; i < s->members; i++)
		put_number(m + 0x30 + 4 * i, 4, i);
}

/* A volume in VOLUME and MAP, or in VOLUME_2 and MAP_2. */
static void add_volume(struct record *r, enum area area, const struct shape *s, const char *name, uint64_t start)
{
	uint8_t *v = r->bytes + (r->at[area] = extend(r, 0x70));

	snprintf((char *)v, 16, "%s", name);
	put_number(v + 0x10, 8, s->size);
	put_number(v + 0x18, 4, 0x0c);
	r->at[area + 1] = extend(r, 0x30 + 4u * s->members);
	put_map(r->bytes + r->at[area + 1], s, start);
	r->bytes[0x39]++;
}

/* The last volume's map once more behind it. */
static void add_second_map(struct record *r)
{
	size_t size = r->size - r->at[MAP];

	r->at[SECOND] = extend(r, size);
	memcpy(r->bytes + r->at[SECOND], r->bytes + r->at[MAP], size);
	r->bytes[r->at[VOLUME] + 0x58] = 1;
}

/* The log of bad blocks, which is to be the last that is added. */
static void add_log(struct record *r, unsigned count)
{
	r->at[LOG] = extend(r, 8 + 8 * (size_t)count);
	put_number(r->bytes + 0x48, 4, r->size - r->at[LOG]);
	put_number(r->bytes + r->at[LOG], 4, 0xabadb10c);
	put_number(r->bytes + r->at[LOG] + 4, 4, count);
}

static void set_bad(struct record *r, unsigned entry, uint8_t more, uint8_t disk, uint64_t first)
{
	uint8_t *b = r->bytes + r->at[LOG] + 8 + 8 * (size_t)entry;

	b[0] = more;
	b[1] = disk;
	put_number(b + 2, 6, first);
}

/* The words of the record but the sum itself add up to the sum. */
static void seal(struct record *r)
{
	size_t size = (size_t)sum_words(r->bytes + 0x24, 4, 1);

	put_number(r->bytes + 0x20, 4, 0);
	if (size <= MAX_RECORD)
		put_number(r->bytes + 0x20, 4, sum_words(r->bytes, 4, size / 4));
}

/* Its size, then what is to be wrong with it, then the sum. */
static void finish(struct record *r, const struct edit *edits)
{
	put_number(r->bytes + 0x24, 4, r->size);
	for (size_t i = 0; edits != NULL && i < EDITS && edits[i].size != 0; i++)
		put_number(r->bytes + r->at[edits[i].offset >> 12] + (edits[i].offset & 0xfff), edits[i].size,
			   edits[i].value);
	seal(r);
}

static void base_record(struct record *r, enum base base, const struct edit *edits)
{
	record_new(r, shapes[base].members);
	add_volume(r, VOLUME, &shapes[base], "Volume0", 0);
	finish(r, edits);
}

static void vector(struct record *r, const char *const *lines)
{
	memset(r, 0, sizeof(*r));
	for (; *lines != NULL; lines++) {
		char *bytes;
		unsigned long offset = strtoul(*lines, &bytes, 16);

		from_hex(bytes, r->bytes + offset);
	}
	r->size = (size_t)sum_words(r->bytes + 0x24, 4, 1);
}

/* ---- where it lies ---- */

struct place {
	const struct record *record;
	uint64_t sectors, anchor;
	uint32_t unit;          /* sectors of a block */
	uint8_t last[FR_SECTOR_SIZE]; /* of the disk, unless the record lies there */
};

static uint32_t blocks_of(const struct place *p)
{
	return (uint32_t)((p->record->size + p->unit * FR_SECTOR_SIZE - 1) / (p->unit * FR_SECTOR_SIZE));
}

/* First the anchor, and before it the rest, which ascends. */
static void sector_at(const struct place *p, uint64_t lba, uint8_t *buf)
{
	uint64_t first = p->anchor - (uint64_t)(blocks_of(p) - 1) * p->unit;

	memset(buf, 0, FR_SECTOR_SIZE);
	if (lba >= p->anchor && lba < p->anchor + p->unit)
		memcpy(buf, p->record->bytes + (lba - p->anchor) * FR_SECTOR_SIZE, FR_SECTOR_SIZE);
	else if (lba >= first && lba < p->anchor)
		memcpy(buf, p->record->bytes + (p->unit + lba - first) * FR_SECTOR_SIZE, FR_SECTOR_SIZE);
	else if (lba == p->sectors - 1)
		memcpy(buf, p->last, FR_SECTOR_SIZE);
}

static bool fill_place(void *data, uint64_t lba, uint32_t sectors, uint8_t *buf)
{
	for (uint32_t i = 0; i < sectors; i++)
		sector_at(data, lba + i, buf + (size_t)i * FR_SECTOR_SIZE);
	return true;
}

static void probe_place(struct probe *p, struct place *place)
{
	probe_format(p, format_named("isw"), place->sectors, place->unit * FR_SECTOR_SIZE, fill_place, place);
}

/* On a disk of DISK sectors, where it belongs. */
static void probe_record(struct probe *p, const struct record *r)
{
	struct place place = { r, DISK, DISK - 2, 1, { 0 } };

	probe_place(p, &place);
}

static const struct fr_claim *claim_called(const struct probe *p, const char *volume)
{
	for (size_t i = 0; i < p->claims.count; i++) {
		const char *name = p->claims.list[i]->volume;

		if (name != NULL && strcmp(name, volume) == 0)
			return p->claims.list[i];
	}
	fail_msg("no claim of '%s'", volume);
	return NULL;
}

static const struct fr_claim *only_claim(const struct probe *p)
{
	assert_int_equal(p->claims.count, 1);
	return p->claims.list[0];
}

/* ---- disks with serial numbers ---- */

struct world {
	size_t count;
	struct image images[HAND_WIDTH];
	char serials[HAND_WIDTH][100];
	struct fr_scan *scan;
};

static void write_place(const struct image *image, const struct place *p)
{
	uint64_t first = p->anchor - (uint64_t)(blocks_of(p) - 1) * p->unit;
	uint8_t sector[FR_SECTOR_SIZE];

	for (uint64_t lba = first; lba < p->anchor + p->unit; lba++) {
		sector_at(p, lba, sector);
		image_write(image, lba, sector, 1);
	}
	sector_at(p, p->sectors - 1, sector);
	image_write(image, p->sectors - 1, sector, 1);
}

static void add_place(struct world *w, const struct place *p, const char *serial)
{
	struct image image;
	char *text = w->serials[w->count];

	image_new(&image, p->sectors);
	write_place(&image, p);
	text[0] = '\0';
	if (serial != NULL)
		snprintf(text, sizeof(w->serials[0]), "%s=%s", image.path, serial);
	w->images[w->count++] = image;
}

static void add_sized(struct world *w, const struct record *r, uint64_t sectors, const char *serial)
{
	struct place p = { r, sectors, sectors - 2, 1, { 0 } };

	add_place(w, &p, serial);
}

static void add_disk(struct world *w, const struct record *r, const char *serial)
{
	add_sized(w, r, DISK, serial);
}

static void look(struct world *w)
{
	const char *paths[HAND_WIDTH + 1] = { 0 }, *serials[HAND_WIDTH + 1] = { 0 };
	struct fr_scan_options options = { .disks = paths, .serials = serials };
	struct fr_error err = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < w->count; i++) {
		paths[i] = w->images[i].path;
		if (w->serials[i][0] != '\0')
			serials[n++] = w->serials[i];
	}
	if (fr_scan(NULL, &options, &w->scan, &err) != 0)
		fail_msg("scan: %s", err.text);
}

/* The record on the disks DISK-0, DISK-1 ... but those whose bit is set in `lost`. */
static void look_at_members(struct world *w, const struct record *r, unsigned count, unsigned lost)
{
	for (unsigned i = 0; i < count; i++) {
		char serial[20];

		snprintf(serial, sizeof(serial), "DISK-%u", i);
		if ((lost >> i & 1) == 0)
			add_disk(w, r, serial);
	}
	look(w);
}

static void world_free(struct world *w)
{
	fr_scan_free(w->scan);
	images_free(w->images, w->count);
}

static const struct fr_set *set_called(const struct world *w, const char *name)
{
	for (size_t i = 0; i < w->scan->nsets; i++) {
		if (strcmp(w->scan->sets[i]->name, name) == 0)
			return w->scan->sets[i];
	}
	fail_msg("no set %s", name);
	return NULL;
}

static const struct fr_set *only_set(const struct world *w)
{
	assert_int_equal(w->scan->nsets, 1);
	return w->scan->sets[0];
}

static const char *all_problems(const struct fr_scan *scan)
{
	static char text[8192];
	size_t at = 0;

	text[0] = '\0';
	for (size_t i = 0; i < scan->nproblems && at < sizeof(text); i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s\n", scan->problems[i].reason);
	return text;
}

static void assert_state(const struct fr_set *set, enum fr_set_state state)
{
	if (set->state != state)
		print_error("%s", all_reasons(set));
	assert_string_equal(fr_set_state_name(set->state), fr_set_state_name(state));
}

/* The disk in a slot, by its serial; NULL: no good one. */
static void assert_slot(const struct fr_set *set, unsigned slot, const char *serial)
{
	const struct fr_member *m = &set->members[slot];

	assert_true(slot < set->width);
	if (serial == NULL) {
		assert_int_not_equal(m->state, FR_MEMBER_OK);
		return;
	}
	assert_string_equal(fr_member_state_name(m->state), "ok");
	assert_string_equal(m->disk->serial, serial);
}

static char *tables_of(const struct fr_set *set)
{
	struct fr_plan *plan = plan_of(set, NULL);
	char *text = plan_text(plan);

	fr_plan_free(plan);
	return text;
}

/* ---- facts, as the dump shows them ---- */

struct fact {
	const char *after;      /* the part behind which it stands, for parts that several maps have; or NULL */
	const char *part, *field;
	uint64_t value;
};

static const struct fr_field *field_named(const struct fr_part *part, const char *name)
{
	for (size_t i = 0; i < part->nfields; i++) {
		if (strcmp(part->fields[i].name, name) == 0)
			return &part->fields[i];
	}
	fail_msg("%s has no field %s", part->name, name);
	return NULL;
}

static size_t find_part(const struct fr_part *parts, size_t count, size_t from, const char *name)
{
	while (from < count && strcmp(parts[from].name, name) != 0)
		from++;
	if (from == count)
		fail_msg("no part '%s'", name);
	return from;
}

static const uint8_t *find_fact(const struct fr_look *look, const struct fact *fact, size_t *size)
{
	static struct fr_part parts[MAX_PARTS];
	size_t count = fr_look_parts(look, parts, MAX_PARTS);
	size_t from = fact->after == NULL ? 0 : find_part(parts, count, 0, fact->after);
	const struct fr_part *part = &parts[find_part(parts, count, from, fact->part)];
	const struct fr_field *field = field_named(part, fact->field);

	*size = field->size;
	return (look->record != NULL ? look->record : look->data) + part->offset + field->offset;
}

static void assert_facts(const struct fr_look *look, const struct fact *facts, size_t count)
{
	assert_non_null(look);
	for (size_t i = 0; i < count; i++) {
		size_t size;
		const uint8_t *bytes = find_fact(look, &facts[i], &size);

		if (sum_words(bytes, size, 1) != facts[i].value)
			fail_msg("%s %s is %llx, not %llx", facts[i].part, facts[i].field,
				 (unsigned long long)sum_words(bytes, size, 1), (unsigned long long)facts[i].value);
	}
}

static void assert_text(const struct fr_look *look, const char *part, const char *field, const char *text)
{
	const struct fact fact = { NULL, part, field, 0 };
	size_t size;
	const uint8_t *bytes = find_fact(look, &fact, &size);

	assert_true(strlen(text) <= size);
	assert_memory_equal(bytes, text, strlen(text));
	for (size_t i = strlen(text); i < size; i++)
		assert_int_equal(bytes[i], 0);
}

/* ---- the real records as they are ---- */

#define HEADER_FACTS(sum, bytes, is, at, bits, n, vols, first) \
	{ NULL, "", "checksum", sum }, { NULL, "", "size", bytes }, { NULL, "", "family", is }, \
	{ NULL, "", "generation", at }, { NULL, "", "attributes", bits }, { NULL, "", "disks", n }, \
	{ NULL, "", "volumes", vols }, { NULL, "", "original_family", first }, { NULL, "", "bad_blocks_size", 0 }
#define DISK_FACTS(disk, sectors, scsi, bits) \
	{ NULL, disk, "total", sectors }, { NULL, disk, "scsi_id", scsi }, { NULL, disk, "status", bits }, \
	{ NULL, disk, "total_high", 0 }
#define MAP_FACTS(map, from, span, rows, chunk, is, how, n, copies, bad) \
	{ NULL, map, "start", from }, { NULL, map, "blocks", span }, { NULL, map, "stripes", rows }, \
	{ NULL, map, "strip", chunk }, { NULL, map, "state", is }, { NULL, map, "level", how }, \
	{ NULL, map, "members", n }, { NULL, map, "domains", copies }, { NULL, map, "failed_slot", bad }, \
	{ NULL, map, "ddf", 1 }

static const struct fact facts_a[] = {
	HEADER_FACTS(0xfeae85c5, 0x1e0, 0xff55b73b, 464, 0xc0000000, 2, 1, 0), { NULL, "", "error_log_size", 4992 },
	{ NULL, "", "cache_size", 0 }, { NULL, "", "created", 0 },
	DISK_FACTS("disk 0", 160086528, 0, 0x13a), DISK_FACTS("disk 1", 160086528, 0x10000, 0x13a),
	{ NULL, "volume 0", "size", 320172032 }, { NULL, "volume 0", "status", 0 },
	{ NULL, "volume 0", "migrating", 0 }, { NULL, "volume 0", "dirty", 0 }, { NULL, "volume 0", "write_hole", 0 },
	MAP_FACTS("map of volume 0", 0, 160086016, 625336, 256, 0, 0, 2, 1, 0xff),
	{ NULL, "member 0", "disk", 0 }, { NULL, "member 1", "disk", 1 },
};
static const struct fact facts_b[] = {
	HEADER_FACTS(0x2d647e2d, 0x250, 0x493fbd8e, 18, 0x80000000, 3, 1, 0xea6974d5), { NULL, "", "power_cycles", 1 },
	{ NULL, "", "volumes_created", 1 }, { NULL, "", "created", 0x6b0e05f9 },
	DISK_FACTS("disk 0", 65536, 0x3800, 2), DISK_FACTS("disk 1", 65536, 0x3a00, 2),
	DISK_FACTS("disk 2", 65536, 0x3b00, 2),
	{ NULL, "volume 0", "size", 49152 }, { NULL, "volume 0", "status", 0x0c }, { NULL, "volume 0", "number", 1 },
	{ NULL, "volume 0", "write_hole", 5 }, { NULL, "volume 0", "unit", 108 }, { NULL, "volume 0", "migrating", 1 },
	{ NULL, "volume 0", "migration", 1 }, { NULL, "volume 0", "dirty", 0 },
	MAP_FACTS("map of volume 0", 0, 26624, 192, 128, 0, 5, 3, 1, 1),
	{ NULL, "member 0", "disk", 0 }, { NULL, "member 1", "disk", 2 }, { NULL, "member 2", "disk", 1 },
	MAP_FACTS("second map of volume 0", 0, 26624, 192, 128, 2, 5, 3, 1, 1),
	{ "second map of volume 0", "member 0", "disk", 0 },
	{ "second map of volume 0", "member 1", "disk", 0x01000002 },
	{ "second map of volume 0", "member 2", "disk", 1 },
};
static const struct fact facts_c[] = {
	HEADER_FACTS(0x6afe3701, 0x1e0, 0x3e247f99, 5, 0x80000000, 2, 1, 0x3e247f99),
	DISK_FACTS("disk 0", 65536, 0x2d00, 6), DISK_FACTS("disk 1", 65536, 0x2c00, 2),
	{ NULL, "volume 0", "size", 24576 }, { NULL, "volume 0", "status", 0x0c },
	{ NULL, "volume 0", "write_hole", 5 },
	MAP_FACTS("map of volume 0", 0, 26624, 96, 128, 2, 1, 2, 2, 0),
	{ NULL, "member 0", "disk", 0x01000000 }, { NULL, "member 1", "disk", 1 },
};
static const struct fact facts_d[] = {
	HEADER_FACTS(0xbc66494b, 0x288, 0x4941589c, 5, 0x80000003, 2, 2, 0x4941589c),
	{ NULL, "", "volumes_created", 2 },
	DISK_FACTS("disk 0", 65536, 0x2400, 2), DISK_FACTS("disk 1", 65536, 0x2300, 2),
	{ NULL, "volume 0", "size", 24576 }, { NULL, "volume 0", "number", 1 },
	MAP_FACTS("map of volume 0", 0, 14336, 192, 64, 0, 0, 2, 1, 0xff),
	{ "map of volume 0", "member 0", "disk", 0 }, { "map of volume 0", "member 1", "disk", 1 },
	{ NULL, "volume 1", "size", 12288 }, { NULL, "volume 1", "number", 2 },
	MAP_FACTS("map of volume 1", 20480, 14336, 48, 128, 0, 1, 2, 2, 0xff),
	{ "map of volume 1", "member 0", "disk", 0 }, { "map of volume 1", "member 1", "disk", 1 },
};

static const struct vector_row {
	const char *name;
	const char *const *lines;
	uint64_t sectors;       /* of the disk it comes from */
	const char *version, *serials[3], *volume;
	const struct fact *facts;
	size_t nfacts;
} vector_rows[] = {
	{ "A", vector_a, 160086528, "1.0.00", { "Y25VXYQE", "Y25VXZ6E" }, "RAID_Volume1", facts_a, FR_COUNT(facts_a) },
	{ "B", vector_b, 65536, "1.2.02", { "P056-0", "P058-2", "P059-3" }, "Five", facts_b, FR_COUNT(facts_b) },
	{ "C", vector_c, 65536, "1.1.00", { "P045-1:0", "P044-0" }, "Mirror", facts_c, FR_COUNT(facts_c) },
	{ "D", vector_d, 65536, "1.3.00", { "P036-1", "P035-0" }, "Fast", facts_d, FR_COUNT(facts_d) },
};

/* The sum in the record is the one that its words make. */
static void vector_is_sealed_right(void **state)
{
	const struct vector_row *row = *state;
	struct record r, sealed;

	vector(&r, row->lines);
	sealed = r;
	seal(&sealed);
	assert_memory_equal(sealed.bytes, r.bytes, MAX_RECORD);
}

static void facts_of_vector(void **state)
{
	const struct vector_row *row = *state;
	struct world w = { 0 };
	const struct fr_look *anchor;
	struct record r;

	vector(&r, row->lines);
	add_sized(&w, &r, row->sectors, row->serials[0]);
	look(&w);
	anchor = find_look(w.scan->disks[0], "isw", row->sectors - 2);
	assert_facts(anchor, row->facts, row->nfacts);
	assert_text(anchor, "", "signature", "Intel Raid ISM Cfg Sig. ");
	assert_text(anchor, "", "version", row->version);
	for (unsigned i = 0; i < 3 && row->serials[i] != NULL; i++) {
		char part[10];

		snprintf(part, sizeof(part), "disk %u", i);
		assert_text(anchor, part, "serial", row->serials[i]);
	}
	assert_text(anchor, "volume 0", "name", row->volume);
	world_free(&w);
}

static void real_stripe(void **state)
{
	struct world w = { 0 };
	const struct fr_set *set;
	char wanted[200], *text;
	struct record r;

	(void)state;
	vector(&r, vector_a);
	add_sized(&w, &r, 160086528, "Y25VXZ6E");
	add_sized(&w, &r, 160086528, "Y25VXYQE");
	look(&w);
	set = only_set(&w);
	assert_string_equal(all_problems(w.scan), "");
	assert_string_equal(all_reasons(set), "");
	assert_string_equal(set->name, "isw_ecidiahfeh_RAID_Volume1");
	assert_string_equal(set->volume, "RAID_Volume1");
	assert_state(set, FR_SET_OK);
	assert_int_equal(set->use, FR_USE_READ_WRITE);
	assert_int_equal(set->level, FR_LEVEL_RAID0);
	assert_int_equal(set->chunk, 256);
	assert_int_equal(set->sectors, 320172032);
	assert_int_equal(set->peer_sectors, 0);
	assert_int_equal(set->members[0].generation, 464);
	text = tables_of(set);
	snprintf(wanted, sizeof(wanted), "isw_ecidiahfeh_RAID_Volume1: 0 320172032 striped 2 256 %s 0 %s 0\n",
		 w.images[1].path, w.images[0].path);
	assert_string_equal(text, wanted);
	free(text);
	world_free(&w);
}

/* As it is published: the tail alone of the disk, on which the data cannot lie. */
static void real_stripe_cut_off(void **state)
{
	struct world w = { 0 };
	struct record r;

	(void)state;
	vector(&r, vector_a);
	add_sized(&w, &r, 3328, NULL);
	look(&w);
	assert_int_not_equal(find_look(w.scan->disks[0], "isw", 3326)->verdict, FR_VERDICT_NONE);
	assert_contains(all_problems(w.scan), "start");
	for (size_t i = 0; i < w.scan->nsets; i++)
		assert_int_equal(w.scan->sets[i]->use, FR_USE_NEVER);
	world_free(&w);
}

static void real_rebuild(void **state)
{
	static const char *const members[] = { "P056-0", "P059-3", "P058-2" };
	struct world w = { 0 };
	const struct fr_set *set;
	struct record r;
	char *text;

	(void)state;
	vector(&r, vector_b);
	for (size_t i = 0; i < 3; i++)
		add_sized(&w, &r, 65536, members[i]);
	look(&w);
	set = only_set(&w);
	assert_string_equal(set->name, "isw_bccijbeagc_Five");
	assert_string_equal(set->aliases[0], "isw_djdchhjhdd_Five"); /* of the family at its creation */
	assert_null(set->aliases[1]);
	assert_state(set, FR_SET_REBUILDING);
	assert_int_equal(set->use, FR_USE_READ_ONLY_FIRST);
	assert_int_equal(set->layout, FR_LAYOUT_LEFT_ASYMMETRIC);
	assert_int_equal(set->sectors, 49152);
	assert_slot(set, 0, "P056-0");
	assert_int_equal(set->members[1].state, FR_MEMBER_REBUILDING);
	assert_string_equal(set->members[1].disk->serial, "P059-3");
	assert_slot(set, 2, "P058-2");
	text = tables_of(set);
	assert_contains(text, "Five-missing1: 0 24576 error\n");
	assert_contains(text, "Five: 0 49152 raid raid5_la 2 128 nosync 3 ");
	free(text);
	assert_int_equal(find_look(w.scan->disks[0], "isw", 65533)->verdict, FR_VERDICT_VALID);
	world_free(&w);
}

/* Without its second sector the record is none. */
static void real_rebuild_less_a_sector(void **state)
{
	uint8_t hole[FR_SECTOR_SIZE] = { 0 };
	struct world w = { 0 };
	struct record r;

	(void)state;
	vector(&r, vector_b);
	add_sized(&w, &r, 65536, "P056-0");
	image_write(&w.images[0], 65533, hole, 1);
	look(&w);
	assert_int_equal(w.scan->nsets, 0);
	assert_contains(all_problems(w.scan), "checksum");
	assert_int_equal(find_look(w.scan->disks[0], "isw", 65534)->verdict, FR_VERDICT_INVALID);
	assert_int_not_equal(find_look(w.scan->disks[0], "isw", 65533)->verdict, FR_VERDICT_VALID);
	world_free(&w);
}

/* The failed disk has a record of its own from before, which names it as a good one. */
static void real_failure(void **state)
{
	static const struct edit before[EDITS] = {
		{ D(0, 6), 2, 0 }, { D(0, 0x18), 4, 2 }, { H(0x2c), 4, 3 }, STATE(MAP, 0), { M(0x33), 1, 0 },
		{ M(0x12), 1, 0xff },
	};
	struct world w = { 0 };
	struct record r, old;
	const struct fr_set *set;
	char wanted[100], *text;

	(void)state;
	vector(&r, vector_c);
	old = r;
	old.at[DISKS] = 0xd8;
	old.at[MAP] = 0x1a8;
	finish(&old, before);
	add_sized(&w, &old, 65536, "P045-1");
	add_sized(&w, &r, 65536, "P044-0");
	look(&w);
	set = only_set(&w);
	assert_string_equal(set->name, "isw_baecfhjdfd_Mirror");
	assert_state(set, FR_SET_DEGRADED);
	assert_slot(set, 0, NULL);
	assert_slot(set, 1, "P044-0");
	assert_int_equal(set->members[1].generation, 5);
	text = tables_of(set);
	snprintf(wanted, sizeof(wanted), "slice1: 0 24576 linear %s 0\n", w.images[1].path);
	assert_contains(text, wanted);
	assert_null(strstr(text, w.images[0].path));
	free(text);
	world_free(&w);
}

static void real_two_volumes(void **state)
{
	const struct fr_set *fast, *safe;
	struct world w = { 0 };
	char wanted[200], *text;
	struct record r;

	(void)state;
	vector(&r, vector_d);
	add_sized(&w, &r, 65536, "P035-0");
	add_sized(&w, &r, 65536, "P036-1");
	look(&w);
	assert_int_equal(w.scan->nsets, 2);
	fast = set_called(&w, "isw_bccjabjcjc_Fast");
	safe = set_called(&w, "isw_bccjabjcjc_Safe");
	assert_state(fast, FR_SET_OK);
	assert_state(safe, FR_SET_OK);
	assert_string_equal(all_reasons(fast), "");
	assert_string_equal(all_reasons(safe), "");
	text = tables_of(fast);
	snprintf(wanted, sizeof(wanted), "isw_bccjabjcjc_Fast: 0 24576 striped 2 64 %s 0 %s 0\n", w.images[1].path,
		 w.images[0].path);
	assert_string_equal(text, wanted);
	free(text);
	text = tables_of(safe);
	snprintf(wanted, sizeof(wanted), "slice0: 0 12288 linear %s 20480\n", w.images[1].path);
	assert_contains(text, wanted);
	free(text);
	world_free(&w);
}

/* ---- records that are none ---- */

static void no_signature(void **state)
{
	(void)state;
	for (size_t i = 0; i < 24; i++) {
		struct record r;
		struct probe p;

		base_record(&r, MIRROR, NULL);
		r.bytes[i] ^= 1;
		seal(&r);
		probe_record(&p, &r);
		assert_int_equal(p.claims.count, 0);
		assert_int_equal(p.disk.looks[0].verdict, FR_VERDICT_NONE);
		probe_free(&p);
	}
}

/* With any bit of it turned the record is not believed, whether it asks for the sum to be verified or not. */
static void every_bit_counts(void **state)
{
	static const struct edit unasked[EDITS] = { ATTRIBUTES(0) };

	(void)state;
	for (size_t bit = 0; bit < 8 * (size_t)480; bit++) {
		struct record r;
		struct probe p;

		base_record(&r, MIRROR, bit % 2 == 0 ? NULL : unasked);
		assert_int_equal(r.size, 480);
		r.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		probe_record(&p, &r);
		for (size_t i = 0; i < p.claims.count; i++)
			assert_non_null(p.claims.list[i]->fault);
		if (bit >= 8 * 0x28 && bit / 8 != 0x38) /* more disks than fit are seen first */
			assert_contains(only_claim(&p)->fault, "checksum");
		probe_free(&p);
	}
}

/* What is behind the record's size is rubbish; of one that is no multiple of 4 the last bytes have no sum. */
static void size_of_no_whole_words(void **state)
{
	(void)state;
	for (size_t more = 0; more < 4; more++) {
		struct record r;
		struct probe p;

		record_new(&r, 2);
		add_volume(&r, VOLUME, &shapes[MIRROR], "Volume0", 0);
		r.size += more;
		finish(&r, NULL);
		r.bytes[r.size] ^= 0xff;
		if (more != 0)
			r.bytes[r.size - 1] ^= 0xff;
		probe_record(&p, &r);
		assert_null(only_claim(&p)->fault);
		probe_free(&p);
	}
}

static const struct header_row {
	const char *name;
	struct edit edits[EDITS];
	const char *about;      /* in the reason */
} header_rows[] = {
	{ "no disks", { { H(0x38), 1, 0 } }, "disks" },
	{ "255 disks", { { H(0x38), 1, 255 } }, "disks" },
	{ "size of 0", { { H(0x24), 4, 0 } }, "size" },
	{ "size of 32", { { H(0x24), 4, 0x20 } }, "size" },
	{ "size below a header and two disks", { { H(0x24), 4, 0x137 } }, "size" },
	{ "size above 64 KiB", { { H(0x24), 4, 65537 } }, "size" },
	{ "size of nearly 4 GiB", { { H(0x24), 4, 0xfffffff0 } }, "size" },
	{ "largest size", { { H(0x24), 4, 0xffffffff } }, "size" },
	{ "two volumes, one there", { { H(0x39), 1, 2 } }, "volume" },
	{ "255 volumes", { { H(0x39), 1, 255 } }, "volume" },
	{ "cut in the volume", { { H(0x24), 4, 0x138 + 0x6c } }, "volume 0" },
	{ "cut in the map", { { H(0x24), 4, 0x138 + 0x70 + 0x2c } }, "volume 0" },
	{ "cut in the order table", { { H(0x24), 4, 0x1dc } }, "volume 0" },
	{ "255 members", { { M(0x10), 1, 255 } }, "volume 0" },
	{ "3 members, no room for the third", { { M(0x10), 1, 3 } }, "volume 0" },
	{ "second map is not there", { { V(0x58), 1, 1 } }, "volume 0" },
	{ "second map is not there, state 255", { { V(0x58), 1, 255 } }, "volume 0" },
	{ "log as large as the record", { { H(0x48), 4, 480 } }, "" },
	{ "log larger than the record", { { H(0x48), 4, 481 } }, "bad_blocks_size" },
	{ "largest log", { { H(0x48), 4, 0xffffffff } }, "bad_blocks_size" },
	{ "log that begins in the volume", { { H(0x48), 4, 16 } }, "volume 0" },
};

static void damaged_record(void **state)
{
	const struct header_row *row = *state;
	struct record r;
	struct probe p;

	base_record(&r, MIRROR, row->edits);
	probe_record(&p, &r);
	assert_contains(only_claim(&p)->fault, row->about);
	assert_int_equal(p.disk.looks[0].verdict, FR_VERDICT_INVALID);
	assert_contains(p.disk.looks[0].reason, row->about);
	fr_sets_make(&p.pool, &p.claims, NULL, &p.scan);
	assert_int_equal(p.scan.nsets, 0);
	probe_free(&p);
}

/* A second map that is cut off, of a record that is right but for that. */
static void second_map_is_cut(void **state)
{
	(void)state;
	for (size_t missing = 4; missing <= 0x38; missing += 4) {
		struct record r;
		struct probe p;

		record_new(&r, 2);
		add_volume(&r, VOLUME, &shapes[MIRROR], "Volume0", 0);
		add_second_map(&r);
		r.size -= missing;
		finish(&r, NULL);
		probe_record(&p, &r);
		assert_contains(only_claim(&p)->fault, "volume 0");
		probe_free(&p);
	}
}

/* The blocks of a record that is larger than the disk would begin before it. */
static void record_larger_than_the_disk(void **state)
{
	(void)state;
	for (uint64_t sectors = 2; sectors <= 12; sectors++) {
		struct record r;
		struct place place = { &r, sectors, sectors - 2, 1, { 0 } };
		struct probe p;

		record_new(&r, 2);
		extend(&r, 9 * FR_SECTOR_SIZE + 1 - r.size);
		finish(&r, NULL);
		probe_place(&p, &place); /* of ten sectors, before the last of the disk */
		if (sectors < 11 && p.claims.count != 0)
			assert_contains(only_claim(&p)->fault, "size");
		if (sectors >= 11)
			assert_null(only_claim(&p)->fault);
		probe_free(&p);
	}
}

/* ---- records of one sector and of more ---- */

static void record_of_sectors(void **state)
{
	(void)state;
	for (unsigned n = 1; n <= 9; n++) {
		for (size_t left = 0; left < 512; left += 508) { /* full, and with 4 bytes in the last sector */
			struct record r;
			struct probe p;

			record_new(&r, 2);
			add_volume(&r, VOLUME, &shapes[MIRROR], "Volume0", 0);
			if (n > 1 || left == 0)
				extend(&r, n * (size_t)FR_SECTOR_SIZE - left - r.size);
			for (size_t i = 480; i < r.size; i++)
				r.bytes[i] = (uint8_t)(i * 7 / 3);
			finish(&r, NULL);
			probe_record(&p, &r);
			assert_null(only_claim(&p)->fault);
			assert_null(only_claim(&p)->unsupported);
			assert_int_equal(p.disk.looks[0].record_size, n == 1 ? 0 : n * (size_t)FR_SECTOR_SIZE);
			probe_free(&p);
		}
	}
}

static void largest_record(void **state)
{
	struct record r;
	struct probe p;

	(void)state;
	record_new(&r, 2);
	add_volume(&r, VOLUME, &shapes[MIRROR], "Volume0", 0);
	extend(&r, 65536 - r.size);
	finish(&r, NULL);
	probe_record(&p, &r);
	assert_null(only_claim(&p)->fault);
	probe_free(&p);
}

/* All of the disks that a table can name, the members being the first and the last. */
static void record_of_255_disks(void **state)
{
	static const struct edit edits[EDITS] = { ORDER(MAP, 1, 254) };
	struct world w = { 0 };
	struct record r;

	(void)state;
	record_new(&r, 255);
	add_volume(&r, VOLUME, &shapes[STRIPE], "Volume0", 0);
	finish(&r, edits);
	add_disk(&w, &r, "DISK-254");
	add_disk(&w, &r, "DISK-0");
	look(&w);
	assert_state(only_set(&w), FR_SET_OK);
	assert_slot(only_set(&w), 0, "DISK-0");
	assert_slot(only_set(&w), 1, "DISK-254");
	world_free(&w);
}

/* The data ends where the record begins: its first sector on the disk, not its anchor. */
static void data_ends_before_the_record(void **state)
{
	(void)state;
	for (unsigned n = 1; n <= 9; n += 4) {
		uint64_t limit = DISK - 2 - (n - 1);

		for (uint64_t over = 0; over < 2; over++) {
			const struct edit edits[EDITS] = { { M(0), 4, limit - PER + over } };
			struct record r;
			struct probe p;

			record_new(&r, 2);
			add_volume(&r, VOLUME, &shapes[MIRROR], "Volume0", 0);
			extend(&r, n * (size_t)FR_SECTOR_SIZE - r.size);
			finish(&r, edits);
			probe_record(&p, &r);
			if (over == 0)
				assert_null(only_claim(&p)->fault);
			else
				assert_contains(only_claim(&p)->fault, "start");
			probe_free(&p);
		}
	}
}

/* ---- volumes that are refused alone ---- */

static const struct volume_row {
	const char *name;
	enum base base;
	struct edit edits[EDITS];
	const char *about;      /* in the reason */
	unsigned members, disks; /* if not as the base has them; members 255: none */
	bool second;            /* it has two maps */
	bool last;              /* as it is, no other volume can be found behind it */
} volume_rows[] = {
	{ "members 0", STRIPE, { { M(0x10), 1, 0 } }, .about = "members", .members = 255 },
	{ "members 3 of 2 disks", STRIPE, { { 0 } }, .about = "members", .members = 3, .disks = 2 },
	{ "members 65 of 70 disks", STRIPE, { { 0 } }, .about = "members", .members = 65, .disks = 70 },
	{ "order names a disk too many", STRIPE, { ORDER(MAP, 1, 2) }, .about = "order" },
	{ "order names disk 9", MIRROR, { ORDER(MAP, 0, 9) }, .about = "order" },
	{ "order names the last disk there can be", FIVE, { ORDER(MAP, 2, 0xffffff) }, .about = "order" },
	{ "order names a disk twice", MIRROR, { ORDER(MAP, 0, 1) }, .about = "order" },
	{ "order names a disk twice, once out of sync", TEN, { ORDER(MAP, 3, 0), OUT_OF_SYNC(MAP, 3) },
	  .about = "order" },
	{ "strip 0 of a stripe", STRIPE, { { M(0x0c), 2, 0 } }, .about = "strip" },
	{ "strip 0 of a mirror", MIRROR, { { M(0x0c), 2, 0 } }, .about = "strip" },
	{ "strip 0 of a RAID10", TEN, { { M(0x0c), 2, 0 } }, .about = "strip" },
	{ "strip 0 of a RAID5", FIVE, { { M(0x0c), 2, 0 } }, .about = "strip" },
	{ "strip 77", STRIPE, { { M(0x0c), 2, 77 } }, .about = "strip" },
	{ "strip 24 of a RAID10", TEN, { { M(0x0c), 2, 24 } }, .about = "strip" },
	{ "strip 31 of a RAID5", FIVE, { { M(0x0c), 2, 31 } }, .about = "strip" },
	{ "strip 65535", STRIPE, { { M(0x0c), 2, 65535 } }, .about = "strip" },
	{ "level 2", STRIPE, { { M(0x0f), 1, 2 } }, .about = "level" },
	{ "level 3", FIVE, { { M(0x0f), 1, 3 } }, .about = "level" },
	{ "level 4", FIVE, { { M(0x0f), 1, 4 } }, .about = "level" },
	{ "level 6", FIVE, { { M(0x0f), 1, 6 } }, .about = "level" },
	{ "level 8", MIRROR, { { M(0x0f), 1, 8 } }, .about = "level" },
	{ "level 11", TEN, { { M(0x0f), 1, 11 } }, .about = "level" },
	{ "level 99", STRIPE, { { M(0x0f), 1, 99 } }, .about = "level" },
	{ "level 255", STRIPE, { { M(0x0f), 1, 255 } }, .about = "level" },
	{ "level 1 of one", MIRROR, { { 0 } }, .about = "members", .members = 1 },
	{ "level 1 of three", MIRROR, { { 0 } }, .about = "members", .members = 3, .disks = 3 },
	{ "level 1 of five", MIRROR, { { 0 } }, .about = "members", .members = 5, .disks = 5 },
	{ "level 1 of three in a rebuild", MIRROR, { { M(0), 4, 2048 }, { S(0), 4, 2048 }, MIGRATION(1) },
	  .about = "members", .members = 3, .disks = 3, .second = true },
	{ "level 4 in a rebuild", FIVE, { { M(0x0f), 1, 4 }, { M(0), 4, 2048 }, { S(0), 4, 2048 }, MIGRATION(1) },
	  .about = "level", .second = true },
	{ "level 10 of one", TEN, { { M(0x0f), 1, 10 } }, .about = "members", .members = 1 },
	{ "level 10 of three", TEN, { { M(0x0f), 1, 10 } }, .about = "members", .members = 3 },
	{ "level 5 of two", FIVE, { { 0 } }, .about = "members", .members = 2 },
	{ "level 5 of one", FIVE, { { 0 } }, .about = "members", .members = 1 },
	{ "state 4", STRIPE, { STATE(MAP, 4) }, .about = "state" },
	{ "state 77", MIRROR, { STATE(MAP, 77) }, .about = "state" },
	{ "state 255", FIVE, { STATE(MAP, 255) }, .about = "state" },
	{ "size 0", STRIPE, { { V(0x10), 8, 0 } }, .about = "size" },
	{ "size 0 of a mirror", MIRROR, { { V(0x10), 8, 0 } }, .about = "size" },
	{ "size of ten times the stripes", STRIPE, { { V(0x10), 8, 20 * PER } }, .about = "size" },
	{ "size one past the slack", STRIPE, { { V(0x10), 8, 2 * PER + 2 * 2048 + 1 } }, .about = "size" },
	{ "size one past the slack of a mirror", MIRROR, { { V(0x10), 8, PER + 2048 + 1 } }, .about = "size" },
	{ "size one past the slack of a RAID10", TEN, { { V(0x10), 8, 2 * PER + 2 * 2048 + 1 } }, .about = "size" },
	{ "size one past the slack of a RAID5", FIVE, { { V(0x10), 8, 2 * PER + 2 * 2048 + 1 } }, .about = "size" },
	{ "size with a high word", STRIPE, { { V(0x14), 4, 1 } }, .about = "size" },
	{ "size of 2^63", MIRROR, { { V(0x10), 8, 1ull << 63 } }, .about = "size" },
	{ "size of 2^64 - 1", FIVE, { { V(0x10), 8, UINT64_MAX } }, .about = "size" },
	{ "start where the record is", STRIPE, { { M(0), 4, DISK - PER } }, .about = "start" },
	{ "start past the disk", MIRROR, { { M(0), 4, DISK + 1 } }, .about = "start" },
	{ "start whose end wraps in 32 bits", STRIPE, { { M(0), 4, 0x100000000 - PER } }, .about = "start" },
	{ "last start", FIVE, { { M(0), 4, 0xffffffff } }, .about = "start" },
	{ "start whose end wraps in 64 bits", TEN,
	  { ATTRIBUTES(0x84000000), { M(0), 4, 0x100000000 - PER }, { M(0x14), 4, 0xffffffff } },
	  .about = "start" },
	{ "start with a high word", STRIPE, { ATTRIBUTES(0x84000000), { M(0x14), 4, 1 } }, .about = "start" },
	{ "stripes longer than the disk", STRIPE, { { M(8), 4, DISK / 32 } }, .about = "start" },
	{ "stripes whose product wraps in 32 bits", STRIPE, { { M(8), 4, 0x08000000 + PER / 32 } }, .about = "start" },
	{ "most stripes", MIRROR, { { M(8), 4, 0xffffffff } }, .about = "start" },
	{ "stripes whose product wraps in 64 bits", STRIPE, { ATTRIBUTES(0x84000000), { M(0x1c), 4, 0x08000000 } },
	  .about = "stripes" },
	{ "stripes whose product wraps with the copies", MIRROR, { ATTRIBUTES(0x84000000), { M(0x1c), 4, 0x01000000 } },
	  .about = "stripes" },
	{ "migrating 2", MIRROR, { { V(0x58), 1, 2 } }, .about = "migrating", .second = true },
	{ "migrating 255", STRIPE, { { V(0x58), 1, 255 } }, .about = "migrating", .second = true },
	{ "migration 6", MIRROR, { MIGRATION(6) }, .about = "migration", .second = true },
	{ "migration 255", FIVE, { MIGRATION(255) }, .about = "migration", .second = true },
	{ "second map that starts elsewhere", MIRROR, { MIGRATION(1), { S(0), 4, 1 } },
	  .about = "start", .second = true },
	{ "second map that starts elsewhere by its high word", MIRROR,
	  { ATTRIBUTES(0x84000000), MIGRATION(1), { S(0x14), 4, 1 } },
	  .about = "start", .second = true },
	{ "second map of a reshape that starts elsewhere", FIVE, { MIGRATION(3), { S(0), 4, 8 } },
	  .about = "start", .second = true },
	{ "second map of fewer members", FIVE, { MIGRATION(1), { S(0x10), 1, 2 } },
	  .about = "members", .second = true, .last = true },
	{ "second map of no members", MIRROR, { MIGRATION(0), { S(0x10), 1, 0 } },
	  .about = "members", .second = true, .last = true },
	{ "second map names a disk too many", MIRROR, { MIGRATION(1), ORDER(SECOND, 1, 2) },
	  .about = "order", .second = true },
	{ "second map names a disk twice", FIVE, { MIGRATION(0), ORDER(SECOND, 1, 2) },
	  .about = "order", .second = true },
};

static struct shape shape_of_row(const struct volume_row *row)
{
	struct shape shape = shapes[row->base];

	if (row->members != 0)
		shape.members = (uint8_t)(row->members == 255 ? 0 : row->members);
	return shape;
}

static void two_volumes(struct record *r, const struct volume_row *row, bool bad_first)
{
	struct shape shape = shape_of_row(row);
	unsigned disks = row->disks != 0 ? row->disks : shapes[row->base].members;

	record_new(r, disks);
	if (!bad_first)
		add_volume(r, VOLUME_2, &shapes[MIRROR], "Good", START_2);
	add_volume(r, VOLUME, &shape, "Bad", 0);
	if (row->second)
		add_second_map(r);
	if (bad_first)
		add_volume(r, VOLUME_2, &shapes[MIRROR], "Good", START_2);
	else
		extend(r, 16); /* for an order table that claims to be longer */
	finish(r, row->edits);
}

/* Only the first of its kind is said, and it is about this. */
static const char *refusal(const struct fr_claim *c)
{
	return c->fault != NULL ? c->fault : c->unsupported;
}

static void check_refused_volume(const struct volume_row *row, bool bad_first)
{
	const struct fr_claim *good;
	struct record r;
	struct probe p;

	two_volumes(&r, row, bad_first);
	probe_record(&p, &r);
	assert_int_equal(p.claims.count, 2);
	assert_contains(refusal(claim_called(&p, "Bad")), row->about);
	good = claim_called(&p, "Good");
	assert_null(refusal(good));
	assert_null(good->doubt);
	assert_int_equal(good->level, FR_LEVEL_RAID1);
	assert_int_equal(good->offset, START_2);
	assert_int_equal(good->set_sectors, PER);
	assert_int_equal(p.disk.looks[0].verdict, FR_VERDICT_VALID);
	fr_sets_make(&p.pool, &p.claims, NULL, &p.scan);
	for (size_t i = 0; i < p.scan.nsets; i++) {
		bool is_good = strcmp(p.scan.sets[i]->volume, "Good") == 0;

		assert_int_equal(p.scan.sets[i]->use == FR_USE_NEVER, !is_good);
	}
	probe_free(&p);
}

static void refused_volume(void **state)
{
	const struct volume_row *row = *state;

	check_refused_volume(row, false);
	if (!row->last)
		check_refused_volume(row, true);
}

static void volumes_on_each_other(void **state)
{
	static const struct { uint64_t start; bool overlap; } rows[] = {
		{ 0, true }, { 1, true }, { PER - 1, true }, { PER, false }, { PER + 1, false },
	};
	static const struct edit no_tail[EDITS] = { { M(4), 4, PER } };

	(void)state;
	for (size_t i = 0; i < FR_COUNT(rows); i++) {
		struct world w = { 0 };
		struct record r;

		record_new(&r, 2);
		add_volume(&r, VOLUME, &shapes[STRIPE], "One", 0);
		add_volume(&r, VOLUME_2, &shapes[MIRROR], "Two", rows[i].start);
		finish(&r, no_tail);
		look_at_members(&w, &r, 2, 0);
		assert_int_equal(w.scan->nsets, 2);
		for (size_t k = 0; k < 2; k++) {
			const struct fr_set *set = w.scan->sets[k];

			if (rows[i].overlap) { /* both are refused, unless they are asked for */
				assert_int_equal(set->use, FR_USE_ON_REQUEST);
				assert_contains(all_reasons(set), "One");
				assert_contains(all_reasons(set), "Two");
			} else {
				assert_int_equal(set->use, FR_USE_READ_WRITE);
			}
		}
		world_free(&w);
	}
}

/* Two volumes of one name: the first has it, the other is not used as if nothing were. */
static void volumes_of_one_name(void **state)
{
	struct world w = { 0 };
	const struct fr_set *first;
	struct record r;

	(void)state;
	record_new(&r, 2);
	add_volume(&r, VOLUME, &shapes[STRIPE], "Same", 0);
	add_volume(&r, VOLUME_2, &shapes[MIRROR], "Same", START_2);
	finish(&r, NULL);
	look_at_members(&w, &r, 2, 0);
	assert_int_equal(w.scan->nsets, 2);
	first = set_called(&w, "isw_cfgccfeibg_Same");
	assert_int_equal(first->level, FR_LEVEL_RAID0);
	assert_int_equal(first->use, FR_USE_READ_WRITE);
	for (size_t i = 0; i < 2; i++) {
		const struct fr_set *set = w.scan->sets[i];

		if (set == first)
			continue;
		assert_int_not_equal(strcmp(set->name, first->name), 0);
		assert_in_range(set->use, FR_USE_NEVER, FR_USE_ON_REQUEST);
		assert_contains(all_reasons(set), "isw_cfgccfeibg_Same");
	}
	world_free(&w);
}

/* Names that only the cleaning makes equal, and one that looks like what would part them. */
static void names_are_never_shared(void **state)
{
	static const char *const names[] = { "a_2_98b8e7e0", "a_2", "a", "a", "a", "a.2", "a b", "a_b", "a+b" };
	struct world w = { 0 };
	struct record r;

	(void)state;
	record_new(&r, 2);
	for (size_t i = 0; i < FR_COUNT(names); i++) {
		add_volume(&r, VOLUME, &shapes[MIRROR], names[i], 2000 * i);
		put_number(r.bytes + r.at[VOLUME] + 0x10, 8, 1024);
		put_number(r.bytes + r.at[MAP] + 4, 4, 1024);
		put_number(r.bytes + r.at[MAP] + 8, 4, 4);
	}
	finish(&r, NULL);
	look_at_members(&w, &r, 2, 0);
	assert_int_equal(w.scan->nsets, FR_COUNT(names));
	for (size_t i = 0; i < w.scan->nsets; i++) {
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(w.scan->sets[i]->name, w.scan->sets[k]->name);
	}
	world_free(&w);
}

/* A volume that does not fit the smaller of two disks: the other volume is nobody's contradiction. */
static void volume_that_fits_one_disk_only(void **state)
{
	const struct fr_set *low;
	struct world w = { 0 };
	struct record r;

	(void)state;
	record_new(&r, 2);
	add_volume(&r, VOLUME, &shapes[MIRROR], "High", START_2);
	add_volume(&r, VOLUME_2, &shapes[STRIPE], "Low", 0);
	finish(&r, NULL);
	add_sized(&w, &r, DISK, "DISK-0");
	add_sized(&w, &r, DISK - 5000, "DISK-1");
	look(&w);
	low = set_called(&w, "isw_cfgccfeibg_Low");
	assert_state(low, FR_SET_OK);
	assert_int_equal(low->use, FR_USE_READ_WRITE);
	for (size_t i = 0; i < w.scan->nsets; i++) {
		const struct fr_set *high = w.scan->sets[i];

		if (high == low)
			continue;
		assert_slot(high, 1, NULL);
		assert_int_equal(high->nleft_out, 1);
	}
	world_free(&w);
}

/* ---- levels, chunks, sizes ---- */

static const struct level_row {
	const char *name;
	uint8_t level, members;
	enum fr_level is;
} level_rows[] = {
	{ "level 0 of one", 0, 1, FR_LEVEL_RAID0 }, /* left by mdadm */
	{ "level 0 of two", 0, 2, FR_LEVEL_RAID0 },
	{ "level 0 of six", 0, 6, FR_LEVEL_RAID0 },
	{ "level 1 of two", 1, 2, FR_LEVEL_RAID1 },
	{ "level 1 of four", 1, 4, FR_LEVEL_RAID10 },
	{ "level 1 of six", 1, 6, FR_LEVEL_RAID10 },
	{ "level 10 of four", 10, 4, FR_LEVEL_RAID10 },
	{ "level 10 of six", 10, 6, FR_LEVEL_RAID10 },
	{ "level 5 of three", 5, 3, FR_LEVEL_RAID5 },
	{ "level 5 of six", 5, 6, FR_LEVEL_RAID5 },
};

static void level(void **state)
{
	const struct level_row *row = *state;
	unsigned copies = row->level == 1 || row->level == 10 ? 2 : 1;
	unsigned columns = row->level == 5 ? row->members - 1u : row->members / copies;
	const struct shape shape = { row->level, row->members, (uint8_t)copies, 64, PER / 64 / copies,
				     (uint64_t)PER * columns };
	struct world w = { 0 };
	const struct fr_set *set;
	struct fr_plan *plan;
	struct record r;

	record_new(&r, row->members);
	add_volume(&r, VOLUME, &shape, "Volume0", 2048);
	finish(&r, NULL);
	look_at_members(&w, &r, row->members, 0);
	set = only_set(&w);
	assert_state(set, FR_SET_OK);
	assert_int_equal(set->level, row->is);
	assert_int_equal(set->layout, row->level == 5 ? FR_LAYOUT_LEFT_ASYMMETRIC : FR_LAYOUT_NONE);
	assert_int_equal(set->width, row->members);
	assert_int_equal(set->chunk, row->is == FR_LEVEL_RAID1 ? 0 : 64);
	assert_int_equal(set->sectors, (uint64_t)PER * columns);
	for (unsigned i = 0; i < row->members; i++) {
		assert_int_equal(set->members[i].offset, 2048);
		assert_int_equal(set->members[i].sectors, PER);
	}
	plan = plan_of(set, NULL);
	fr_plan_free(plan);
	world_free(&w);
}

/* Any power of two that 16 bits hold; of a mirror, which has no chunks, any number. */
static void chunks(void **state)
{
	(void)state;
	for (uint32_t strip = 8; strip <= 32768; strip *= 2) {
		for (enum base base = STRIPE; base <= FIVE; base++) {
			struct shape shape = shapes[base];
			struct place place;
			struct record r;
			struct probe p;

			shape.strip = (uint16_t)(base == MIRROR ? strip - 1 : strip);
			shape.stripes = 3;
			shape.size = 3ull * strip;
			record_new(&r, shape.members);
			add_volume(&r, VOLUME, &shape, "Volume0", 0);
			finish(&r, NULL);
			place = (struct place){ &r, 1000000, 1000000 - 2, 1, { 0 } };
			probe_place(&p, &place);
			assert_null(refusal(only_claim(&p)));
			assert_int_equal(only_claim(&p)->chunk, base == MIRROR ? 0 : strip);
			probe_free(&p);
		}
	}
}

/* The copies are two where there are any: else it is no such volume. Elsewhere the number is worth a word and no more. */
static void domains(void **state)
{
	static const struct { enum base base; uint8_t domains; bool odd; } rows[] = {
		{ MIRROR, 0, true }, { MIRROR, 1, true }, { MIRROR, 3, true }, { MIRROR, 2, false }, { TEN, 0, true },
		{ TEN, 1, true }, { STRIPE, 2, true }, { STRIPE, 0, true }, { STRIPE, 1, false }, { FIVE, 2, true },
	};

	(void)state;
	for (size_t i = 0; i < FR_COUNT(rows); i++) {
		const struct edit edits[EDITS] = { { M(0x11), 1, rows[i].domains } };
		struct world w = { 0 };
		struct record r;

		base_record(&r, rows[i].base, edits);
		look_at_members(&w, &r, shapes[rows[i].base].members, 0);
		if (rows[i].odd && (rows[i].base == MIRROR || rows[i].base == TEN)) {
			assert_int_equal(w.scan->nsets, 0);
		} else {
			assert_state(only_set(&w), FR_SET_OK);
			assert_int_equal(only_set(&w)->use, FR_USE_READ_WRITE);
		}
		if (rows[i].odd)
			assert_contains(all_problems(w.scan), "domains");
		else
			assert_string_equal(all_problems(w.scan), "");
		world_free(&w);
	}
}

static const struct size_row {
	const char *name;
	enum base base;
	uint64_t size;
	uint64_t member;        /* what each gives */
	struct edit edits[EDITS];
} size_rows[] = {
	{ "stripe", STRIPE, 2 * PER, PER, { { 0 } } },
	{ "less than the stripes hold", STRIPE, 2 * PER - 1024, PER - 512, { { 0 } } },
	{ "last row in part", STRIPE, 2 * PER - 1000, PER - 480, { { 0 } } },
	{ "RAID5 rounded to 1 MiB", FIVE, 2 * PER - 2048, PER - 1024, { { 0 } } },
	{ "RAID5, last row in part", FIVE, 2 * PER - 33, PER, { { 0 } } },
	{ "mirror of no whole strips", MIRROR, PER - 3, PER - 3, { { 0 } } },
	{ "RAID10 with less", TEN, PER, PER / 2, { { 0 } } },
	{ "grown, the stripes being as before", STRIPE, 2 * PER + 2 * 2048, PER + 2048, { { 0 } } },
	{ "grown mirror", MIRROR, PER + 2048, PER + 2048, { { 0 } } },
	{ "grown RAID10", TEN, 2 * PER + 2 * 2048, PER + 2048, { { 0 } } },
	{ "grown RAID5", FIVE, 2 * PER + 2 * 2048, PER + 2048, { { 0 } } },
	{ "blocks is less than the data", STRIPE, 2 * PER, PER, { { M(4), 4, 1 } } },
	{ "no blocks", MIRROR, PER, PER, { { M(4), 4, 0 } } },
};

static void sizes(void **state)
{
	const struct size_row *row = *state;
	struct shape shape = shapes[row->base];
	struct world w = { 0 };
	const struct fr_set *set;
	struct record r;

	shape.size = row->size;
	record_new(&r, shape.members);
	add_volume(&r, VOLUME, &shape, "Volume0", 0);
	finish(&r, row->edits);
	look_at_members(&w, &r, shape.members, 0);
	set = only_set(&w);
	assert_state(set, FR_SET_OK);
	assert_int_equal(set->use, FR_USE_READ_WRITE);
	assert_int_equal(set->sectors, row->size);
	for (unsigned i = 0; i < shape.members; i++)
		assert_int_equal(set->members[i].sectors, row->member);
	world_free(&w);
}

/* What the map reserves past the end of the disk is no reason for anything, as long as the data fits. */
static void blocks_past_the_end(void **state)
{
	static const uint32_t too_many[] = { DISK - 1, DISK, 0xffffffff };

	(void)state;
	for (size_t i = 0; i < FR_COUNT(too_many); i++) {
		const struct edit edits[EDITS] = { { M(4), 4, too_many[i] } };
		struct world w = { 0 };
		struct record r;

		base_record(&r, STRIPE, edits);
		look_at_members(&w, &r, 2, 0);
		assert_state(only_set(&w), FR_SET_OK);
		assert_int_equal(only_set(&w)->use, FR_USE_READ_WRITE);
		assert_int_equal(only_set(&w)->sectors, 2 * PER);
		assert_int_equal(only_set(&w)->peer_sectors, 0);
		assert_int_equal(w.scan->nproblems, 2); /* on each disk */
		assert_contains(w.scan->problems[0].reason, "Volume0");
		world_free(&w);
	}
}

/* The sizes that dmraid was seen to give: the reserved span of all data members, in whole chunks. */
static const struct peer_row {
	const char *name;
	uint8_t level, members;
	uint16_t strip;
	uint64_t size;
	uint32_t blocks;
	uint64_t peer;
} peer_rows[] = {
	{ "raid0-2d-4k", 0, 2, 8, 8192, 4360, 8720 }, { "raid0-2d-128k", 0, 2, 256, 8192, 4360, 8704 },
	{ "raid0-3d-16k", 0, 3, 32, 12288, 4360, 13056 }, { "raid0-4d-64k", 0, 4, 128, 16384, 4360, 17408 },
	{ "raid0-6d-32k", 0, 6, 64, 24576, 4360, 26112 }, { "raid0-odd-size", 0, 2, 128, 15360, 8192, 16384 },
	{ "raid1", 1, 2, 128, 4096, 4360, 4360 }, { "raid1-spare", 1, 2, 128, 4096, 6144, 6144 },
	{ "raid10-0123-0123", 1, 4, 128, 8192, 6144, 12288 }, { "raid5-3d-16k", 5, 3, 32, 8192, 6144, 12288 },
	{ "raid5-5d-32k", 5, 5, 64, 16384, 6144, 24576 }, { "no tail", 0, 2, 256, 8192, 4096, 0 },
};

static void size_under_dmraid(void **state)
{
	static const struct fr_plan_options asked = { .peer_size = true };
	const struct peer_row *row = *state;
	unsigned copies = row->level == 1 ? 2 : 1;
	uint32_t per = row->size == 15360 ? 8192 : 4096;
	const struct shape shape = { row->level, row->members, (uint8_t)copies, row->strip, per / row->strip / copies,
				     row->size };
	const struct edit edits[EDITS] = { { M(4), 4, row->blocks } };
	struct world w = { 0 };
	const struct fr_set *set;
	struct record r;

	record_new(&r, row->members);
	add_volume(&r, VOLUME, &shape, "Volume0", 0);
	finish(&r, edits);
	look_at_members(&w, &r, row->members, 0);
	set = only_set(&w);
	assert_int_equal(set->sectors, row->size);
	assert_int_equal(set->peer_sectors, row->peer);
	if (row->peer != 0) { /* behind the data lies what is not ours */
		struct fr_plan *plan = plan_of(set, &asked);

		assert_true(set->peer_read_only);
		assert_true(plan->read_only);
		assert_int_equal(plan->devices[plan->ndevices - 1].sectors, row->peer);
		fr_plan_free(plan);
	}
	world_free(&w);
}

/* ---- words of 64 bits, blocks of 4096 bytes ---- */

/* A mirror of 7814031360 sectors, as one is reported: two of the high words are not 0. */
static void large_mirror(struct record *r, uint32_t attributes, uint32_t rubbish)
{
	const uint64_t size = 7814031360, disk = 7814037168;
	const struct shape shape = { 1, 2, 2, 256, (uint32_t)(size / 512), size };
	const struct edit edits[EDITS] = {
		ATTRIBUTES(attributes), { M(4), 4, size + TAIL }, { M(0x18), 4, (size + TAIL) >> 32 },
		{ M(0x14), 4, rubbish }, { M(0x1c), 4, rubbish }, { D(0, 0x10), 4, disk },
		{ D(0, 0x20), 4, disk >> 32 },
	};

	record_new(r, 2);
	add_volume(r, VOLUME, &shape, "Volume0", 0);
	finish(r, edits);
}

static void high_words(void **state)
{
	const uint64_t size = 7814031360;
	struct record r;
	struct place place = { &r, 7814037168, 7814037166, 1, { 0 } };
	struct probe p;

	(void)state;
	large_mirror(&r, 0x84000000, 0);
	probe_place(&p, &place);
	assert_null(only_claim(&p)->fault);
	assert_int_equal(only_claim(&p)->set_sectors, size);
	assert_int_equal(only_claim(&p)->offset, 0);
	assert_in_range(only_claim(&p)->room, size, 7814037166);
	assert_int_equal(only_claim(&p)->peer_room, size + TAIL);
	probe_free(&p);

	large_mirror(&r, 0x80000000, 0xffffffff); /* rubbish of old writers, and not to be looked at */
	probe_place(&p, &place);
	assert_null(only_claim(&p)->fault);
	assert_int_equal(only_claim(&p)->set_sectors, size);
	assert_int_equal(only_claim(&p)->offset, 0);
	assert_int_equal(only_claim(&p)->peer_room, 0); /* less than the data, then */
	probe_free(&p);
}

static void high_word_of_the_start(void **state)
{
	static const struct edit edits[EDITS] = { ATTRIBUTES(0x04000000), { M(0), 4, 0x1000 }, { M(0x14), 4, 3 } };
	struct record r;
	struct place place = { &r, 0x400000000, 0x400000000 - 2, 1, { 0 } };
	struct probe p;

	(void)state;
	base_record(&r, FIVE, edits);
	probe_place(&p, &place);
	assert_null(only_claim(&p)->fault);
	assert_int_equal(only_claim(&p)->offset, 0x300001000);
	probe_free(&p);
}

/* Stripes of more than 32 bits: 0x100000080 of 8 sectors. */
static void high_word_of_the_stripes(void **state)
{
	const uint64_t stripes = 0x100000080;
	const struct shape shape = { 0, 2, 1, 8, (uint32_t)stripes, 16 * stripes };
	const struct edit edits[EDITS] = { ATTRIBUTES(0x84000000), { M(0x1c), 4, stripes >> 32 } };
	struct record r;
	struct place place = { &r, 9 * stripes, 9 * stripes - 2, 1, { 0 } };
	struct probe p;

	(void)state;
	record_new(&r, 2);
	add_volume(&r, VOLUME, &shape, "Volume0", 0);
	finish(&r, edits);
	probe_place(&p, &place);
	assert_null(only_claim(&p)->fault);
	assert_int_equal(only_claim(&p)->set_sectors, 16 * stripes);
	assert_in_range(only_claim(&p)->room, 8 * stripes, 9 * stripes);
	probe_free(&p);
}

/* All sizes count blocks of 4096 bytes but the stripes, which count strips, and the record's size. */
static void blocks_of_4096(void **state)
{
	static const struct edit edits[EDITS] = { { M(0), 4, 2048 } };

	(void)state;
	for (enum base base = STRIPE; base <= FIVE; base++) {
		for (size_t more = 0; more <= 2 * (size_t)4096; more += 4096) {
			struct record r;
			struct place place = { &r, 8 * DISK, 8 * (DISK - 2), 8, { 0 } };
			const struct fr_claim *c;
			struct probe p;

			record_new(&r, shapes[base].members);
			add_volume(&r, VOLUME, &shapes[base], "Volume0", 0);
			extend(&r, more);
			finish(&r, edits);
			probe_place(&p, &place);
			c = only_claim(&p);
			assert_null(refusal(c));
			assert_int_equal(c->sector_size, 4096);
			assert_int_equal(c->set_sectors, 8 * shapes[base].size);
			assert_int_equal(c->chunk, base == MIRROR ? 0 : 8u * 32);
			assert_int_equal(c->offset, 8 * 2048);
			assert_int_equal(c->room, 8 * PER);
			assert_int_equal(c->peer_room, 8 * (PER + TAIL));
			assert_int_equal(p.disk.looks[0].verdict, FR_VERDICT_VALID);
			probe_free(&p);
		}
	}
}

static const struct big_row {
	const char *name;
	struct edit edits[EDITS];
	const char *about;
} big_rows[] = {
	{ "size that wraps", { { V(0x10), 8, 0x2000000000000400 } }, "size" },
	{ "largest size", { { V(0x10), 8, UINT64_MAX } }, "size" },
	{ "start that wraps", { ATTRIBUTES(0x84000000), { M(0x14), 4, 0x20000000 } }, "start" },
	{ "stripes that wrap", { ATTRIBUTES(0x84000000), { M(0x1c), 4, 0x01000000 } }, "stripes" },
	{ "start where the record is", { { M(0), 4, DISK - PER - 1 } }, "start" },
};

static void wraps_in_blocks_of_4096(void **state)
{
	const struct big_row *row = *state;
	struct record r;
	struct place place = { &r, 8 * DISK, 8 * (DISK - 2), 8, { 0 } };
	struct probe p;

	base_record(&r, STRIPE, row->edits);
	probe_place(&p, &place);
	assert_contains(only_claim(&p)->fault, row->about);
	probe_free(&p);
}

/* Images have no sector size: that of the record they hold is found. */
static void images_of_both_kinds(void **state)
{
	(void)state;
	for (uint32_t unit = 1; unit <= 8; unit += 7) {
		for (size_t more = 0; more <= 4096; more += 4096) {
			struct world w = { 0 };
			struct record r;

			record_new(&r, 2);
			add_volume(&r, VOLUME, &shapes[STRIPE], "Volume0", 0);
			extend(&r, more);
			finish(&r, NULL);
			for (unsigned i = 0; i < 2; i++) {
				uint64_t sectors = (uint64_t)unit * DISK;
				struct place place = { &r, sectors, sectors - 2 * unit, unit, { 0 } };

				add_place(&w, &place, i == 0 ? "DISK-1" : "DISK-0");
			}
			look(&w);
			assert_state(only_set(&w), FR_SET_OK);
			assert_string_equal(all_problems(w.scan), "");
			assert_int_equal(only_set(&w)->sector_size, unit * FR_SECTOR_SIZE);
			assert_int_equal(only_set(&w)->sectors, 2ull * PER * unit);
			assert_slot(only_set(&w), 0, "DISK-0");
			world_free(&w);
		}
	}
}

/* Disks of both kinds are not mixed in one set. */
static void one_disk_of_each_kind(void **state)
{
	struct world w = { 0 };
	struct record r;
	struct place small = { &r, DISK, DISK - 2, 1, { 0 } }, big = { &r, 8 * DISK, 8 * (DISK - 2), 8, { 0 } };

	(void)state;
	base_record(&r, MIRROR, NULL);
	add_place(&w, &small, "DISK-0");
	add_place(&w, &big, "DISK-1");
	look(&w);
	for (size_t i = 0; i < w.scan->nsets; i++) {
		const struct fr_set *set = w.scan->sets[i];

		assert_true(set->members[0].state != FR_MEMBER_OK || set->members[1].state != FR_MEMBER_OK);
	}
	world_free(&w);
}

/* ---- where the record may lie ---- */

/* "$GAFR", 0x10 and a distance in the last sector. */
static void set_gafr(struct place *p, uint32_t distance)
{
	static const uint8_t mark[] = { 0x24, 0x47, 0x41, 0x46, 0x52, 0x10 };

	memcpy(p->last, mark, sizeof(mark));
	put_number(p->last + 6, 4, distance);
}

static void record_for(struct record *r, uint64_t total, size_t sectors)
{
	const struct edit edits[EDITS] = { { D(1, 0x10), 4, total } };

	record_new(r, 2);
	add_volume(r, VOLUME, &shapes[MIRROR], "Volume0", 0);
	if (sectors > 1)
		extend(r, sectors * FR_SECTOR_SIZE - r->size);
	finish(r, edits);
}

static const struct anchor_row {
	const char *name;
	uint64_t anchor;        /* on a disk of 100000 sectors */
	bool gafr;
	uint32_t distance;
	int64_t total;          /* of a disk in the record, past the anchor */
	bool good;
} anchor_rows[] = {
	{ "last but one", 99998, false, 0, 2, true },
	{ "last but one, the total is another", 99998, false, 0, 777, true },
	{ "last but one, and a mark that says so", 99998, true, 0, 2, true },
	{ "2115 from the end", 100000 - 2115, false, 0, 2, true },
	{ "2115 from the end, the total is that of the whole disk", 100000 - 2115, false, 0, 2115, false },
	{ "2115 from the end, the total one too small", 100000 - 2115, false, 0, 1, false },
	{ "2115 from the end, the total one too large", 100000 - 2115, false, 0, 3, false },
	{ "2114 from the end", 100000 - 2114, false, 0, 2, false },
	{ "where the mark says", 90000, true, 9998, 2, true },
	{ "where the mark says, in more than 16 bits", 20000, true, 79998, 2, true },
	{ "where the mark says, the total is another", 90000, true, 9998, 10000, false },
	{ "one beside where the mark says", 90000, true, 9997, 2, false },
	{ "2115 from the end, as the mark says", 100000 - 2115, true, 2113, 2, true },
	{ "2115 from the end, the mark leads before the disk", 100000 - 2115, true, 99999, 2, true },
	{ "2115 from the end, the mark leads far before it", 100000 - 2115, true, 0xffffffff, 2, true },
	{ "2115 from the end, the mark wraps", 100000 - 2115, true, 0xfffffffe, 2, true },
};

static void anchor(void **state)
{
	const struct anchor_row *row = *state;

	for (size_t sectors = 1; sectors <= 9; sectors++) {
		struct record r;
		struct place place = { &r, 100000, row->anchor, 1, { 0 } };
		bool good = false;
		struct probe p;

		if (row->gafr)
			set_gafr(&place, row->distance);
		record_for(&r, row->anchor + (uint64_t)row->total, sectors);
		probe_place(&p, &place);
		for (size_t i = 0; i < p.claims.count; i++) {
			const struct fr_claim *c = p.claims.list[i];

			good = good || c->fault == NULL;
			assert_int_equal(c->lba, row->anchor);
		}
		assert_int_equal(good, row->good);
		probe_free(&p);
	}
}

/* The mark may lead to the very first sector. */
static void anchor_at_the_beginning(void **state)
{
	struct record r;
	struct place place = { &r, 3000, 0, 1, { 0 } };
	struct probe p;

	(void)state;
	record_new(&r, 1);
	finish(&r, (const struct edit[EDITS]){ { D(0, 0x10), 4, 2 } });
	set_gafr(&place, 3000 - 2);
	probe_place(&p, &place);
	assert_null(only_claim(&p)->fault);
	probe_free(&p);
}

/* A disk that is named by its serial has a total of its own to go by; that of another disk says nothing. */
static void total_of_the_own_entry(void **state)
{
	(void)state;
	for (unsigned own = 0; own < 2; own++) {
		const struct edit edits[EDITS] = { { D(own, 0x10), 4, DISK - 2113 } };
		struct record r;
		struct place place = { &r, DISK, DISK - 2115, 1, { 0 } };
		struct world w = { 0 };

		base_record(&r, MIRROR, edits);
		add_place(&w, &place, "DISK-0");
		look(&w);
		assert_int_equal(w.scan->nsets, own == 0 ? 1 : 0);
		world_free(&w);
	}
}

/* Two records at two places: the first one that is good. */
struct two_places {
	struct place first, second;
	bool spoiled;           /* the first */
};

static bool fill_two_places(void *data, uint64_t lba, uint32_t sectors, uint8_t *buf)
{
	const struct two_places *t = data;

	for (uint32_t i = 0; i < sectors; i++, buf += FR_SECTOR_SIZE) {
		bool first = lba + i == t->first.anchor || lba + i == t->first.sectors - 1;

		sector_at(first ? &t->first : &t->second, lba + i, buf);
		if (t->spoiled && lba + i == t->first.anchor)
			buf[0x50] ^= 1;
	}
	return true;
}

static const struct order_row {
	const char *name;
	uint64_t first, second; /* anchors on a disk of 100000 sectors */
	uint32_t distance;      /* 0: no mark */
} order_rows[] = {
	{ "last but one before the marked one", 99998, 90000, 9998 },
	{ "last but one before 2115", 99998, 100000 - 2115, 0 },
	{ "marked one before 2115", 90000, 100000 - 2115, 9998 },
};

static void order_of_the_places(void **state)
{
	const struct order_row *row = *state;

	for (unsigned spoiled = 0; spoiled < 2; spoiled++) {
		static struct record a, b;
		struct two_places t = { { &a, 100000, row->first, 1, { 0 } }, { &b, 100000, row->second, 1, { 0 } },
					spoiled != 0 };
		struct probe p;

		if (row->distance != 0)
			set_gafr(&t.first, row->distance);
		record_for(&a, row->first + 2, 1);
		record_for(&b, row->second + 2, 1);
		probe_format(&p, format_named("isw"), 100000, FR_SECTOR_SIZE, fill_two_places, &t);
		assert_null(only_claim(&p)->fault);
		assert_int_equal(only_claim(&p)->lba, spoiled ? row->second : row->first);
		for (size_t i = 0; i < p.disk.nlooks; i++) { /* the damaged one is not passed over in silence */
			if (spoiled && p.disk.looks[i].lba == row->first && p.disk.looks[i].sectors == 1)
				assert_int_equal(p.disk.looks[i].verdict, FR_VERDICT_INVALID);
		}
		probe_free(&p);
	}
}

static bool fill_nothing(void *data, uint64_t lba, uint32_t sectors, uint8_t *buf)
{
	(void)lba;
	memset(buf, 0x24, (size_t)sectors * FR_SECTOR_SIZE);
	return *(bool *)data;
}

/* Disks of any size, without a record or unreadable. */
static void disks_without_a_record(void **state)
{
	static const uint32_t sector_sizes[] = { 512, 520, 1024, 2048, 4096, 8192, 1u << 31 };
	bool readable = true;

	(void)state;
	for (uint64_t sectors = 0; sectors < 2200; sectors++) {
		for (size_t i = 0; i < FR_COUNT(sector_sizes); i++, readable = !readable) {
			struct probe p;

			probe_format(&p, format_named("isw"), sectors, sector_sizes[i], fill_nothing, &readable);
			assert_int_equal(p.claims.count, 0);
			probe_free(&p);
		}
	}
}

/* For the deep look: a whole record in one sector, wherever it lies. */
static void is_record(void **state)
{
	bool (*is_one)(const uint8_t *) = format_named("isw")->ops->is_record;
	struct record r;

	(void)state;
	base_record(&r, MIRROR, NULL);
	assert_true(is_one(r.bytes));
	r.bytes[0x28] ^= 1;
	assert_false(is_one(r.bytes));
	seal(&r);
	assert_true(is_one(r.bytes));
	r.bytes[0] ^= 1;
	seal(&r);
	assert_false(is_one(r.bytes));
	memset(r.bytes, 0, FR_SECTOR_SIZE);
	assert_false(is_one(r.bytes));
}

/* ---- which disk is which ---- */

static const struct serial_row {
	const char *name;
	const char *disk, *entry;
	bool same;
} serial_rows[] = {
	{ "as it is", "SER-0", "SER-0", true },
	{ "blanks around it", "   SER-0  ", "SER-0", true },
	{ "blanks in it", "SE R -0", "SER-0", true },
	{ "control characters", "\tSER\r-\n0\x1f\x01", "SER-0", true },
	{ "colon", "SER:0", "SER;0", true },
	{ "16 characters", "ABCDEFGHIJKLMNOP", "ABCDEFGHIJKLMNOP", true },
	{ "17 characters", "ABCDEFGHIJKLMNOPQ", "BCDEFGHIJKLMNOPQ", true },
	{ "40 characters", "0123456789012345678901234567ABCDEFGHIJKL", "4567ABCDEFGHIJKL", true },
	{ "20 characters, 4 of them blanks", "S1D2F3G4H5J6K7L8    ", "S1D2F3G4H5J6K7L8", true },
	{ "blanks do not count among the last 16", "ABCD EFGH IJKL MNOP QRST", "EFGHIJKLMNOPQRST", true },
	{ "15 characters", "ABCDEFGHIJKLMNO", "ABCDEFGHIJKLMNO", true },
	{ "bytes above 0x7f", "\xc3\x84" "1", "\xc3\x84" "1", true },
	{ "longer", "SER-01", "SER-0", false },
	{ "shorter", "SER-", "SER-0", false },
	{ "of other case", "ser-0", "SER-0", false },
	{ "first 16 of 17", "ABCDEFGHIJKLMNOPQ", "ABCDEFGHIJKLMNOP", false },
	{ "colon as it is", "SER:0", "SER:0", false },
};

/* The disks are given in the wrong order: only the serial puts them right, and without a word. */
static void serial(void **state)
{
	const struct serial_row *row = *state;
	struct world w = { 0 };
	const struct fr_set *set;
	struct record r;

	base_record(&r, STRIPE, NULL);
	memset(r.bytes + r.at[DISKS], 0, 16);
	memcpy(r.bytes + r.at[DISKS], row->entry, strlen(row->entry));
	seal(&r);
	add_disk(&w, &r, "DISK-1");
	add_disk(&w, &r, row->disk);
	look(&w);
	set = only_set(&w);
	if (row->same) {
		assert_state(set, FR_SET_OK);
		assert_string_equal(all_reasons(set), "");
		assert_slot(set, 0, row->disk);
		assert_slot(set, 1, "DISK-1");
	} else { /* it is the one that is left, or was lost */
		assert_int_not_equal(set->nreasons, 0);
	}
	world_free(&w);
}

/* What is behind the NUL of an entry's serial number is none of it: by it the disk is known, and its total. */
static void serial_ends_at_nul(void **state)
{
	static const struct edit edits[EDITS] = { { D(0, 0x10), 4, DISK + 7 }, { D(0, 7), 8, 0x2120202020202020 } };
	struct world w = { 0 };
	struct record r;

	(void)state;
	base_record(&r, STRIPE, edits);
	look_at_members(&w, &r, 2, 0);
	assert_string_equal(all_reasons(only_set(&w)), "");
	assert_slot(only_set(&w), 0, "DISK-0");
	assert_contains(all_problems(w.scan), "20007");
	world_free(&w);
}

/* How writers mark a disk that failed or is gone: none that is here may be taken for it. */
static const struct gone_row {
	const char *name;
	const char *entry;
	uint8_t status;
} gone_rows[] = {
	{ "failed by its status", "DISK-1", 6 }, { "failed and marked", "DISK-1:0", 6 },
	{ "marked alone", "DISK-1:0", 2 }, { "marked with another digit", "DISK-1:1", 2 },
	{ "marked twice", "DISK-1:0:0", 2 }, { "cut from the front", "BCDEFGHDISK-1:0", 0x13a & 0xff },
	{ "cut at the tail", "DISK-1DISK-1D:0", 2 }, { "never there", "missing:1", 2 }, { "missing", "MISSING_1", 2 },
};

static void lost_disk(void **state)
{
	const struct gone_row *row = *state;

	for (unsigned here = 0; here < 2; here++) { /* with the lost disk, and with a stranger in its place */
		static const struct edit old[EDITS] = { { H(0x2c), 4, 5 } };
		struct world w = { 0 };
		struct record r, before;

		base_record(&before, MIRROR, old);
		base_record(&r, MIRROR, (const struct edit[EDITS]){ STATE(MAP, 2) });
		memset(r.bytes + r.at[DISKS] + 0x30, 0, 16);
		memcpy(r.bytes + r.at[DISKS] + 0x30, row->entry, strlen(row->entry));
		r.bytes[r.at[DISKS] + 0x48] = row->status;
		seal(&r);
		add_disk(&w, &before, here == 0 ? "DISK-1" : "OTHER");
		add_disk(&w, &r, "DISK-0");
		look(&w);
		assert_state(only_set(&w), FR_SET_DEGRADED);
		assert_slot(only_set(&w), 0, "DISK-0");
		assert_slot(only_set(&w), 1, NULL);
		world_free(&w);
	}
}

/* A slot is an entry of the disk table by the order table; pairs are slots, not entries. */
static void order_table(void **state)
{
	static const struct edit edits[EDITS] = {
		ORDER(MAP, 0, 2), ORDER(MAP, 1, 0), ORDER(MAP, 2, 3), ORDER(MAP, 3, 1),
	};
	static const char *const slots[] = { "DISK-2", "DISK-0", "DISK-3", "DISK-1" };
	struct world w = { 0 };
	struct record r;

	(void)state;
	base_record(&r, TEN, edits);
	look_at_members(&w, &r, 4, 0);
	assert_state(only_set(&w), FR_SET_OK);
	for (unsigned i = 0; i < 4; i++)
		assert_slot(only_set(&w), i, slots[i]);
	world_free(&w);

	memset(&w, 0, sizeof(w));
	look_at_members(&w, &r, 4, 5); /* less disks 0 and 2, which are one pair */
	assert_state(only_set(&w), FR_SET_BROKEN);
	world_free(&w);

	memset(&w, 0, sizeof(w));
	look_at_members(&w, &r, 4, 3); /* less disks 0 and 1, one of each pair */
	assert_state(only_set(&w), FR_SET_DEGRADED);
	world_free(&w);
}

/* Images of a dead machine's disks: in the order given, and a stripe is not written to. */
static void disks_without_serials(void **state)
{
	(void)state;
	for (enum base base = STRIPE; base <= FIVE; base++) {
		unsigned width = shapes[base].members;
		struct world w = { 0 };
		const struct fr_set *set;
		struct record r;

		base_record(&r, base, NULL);
		for (unsigned i = 0; i < width; i++)
			add_disk(&w, &r, NULL);
		look(&w);
		set = only_set(&w);
		assert_state(set, FR_SET_OK);
		assert_int_equal(set->use, base == MIRROR ? FR_USE_READ_WRITE : FR_USE_READ_ONLY);
		assert_contains(all_reasons(set), "order");
		for (unsigned i = 0; i < width; i++)
			assert_string_equal(set->members[i].disk->path, w.images[i].path);
		world_free(&w);
	}
}

/* A clone, an image or a bridge in the place of the one that is left. */
static void disk_with_another_serial(void **state)
{
	(void)state;
	for (unsigned which = 0; which < 3; which++) {
		struct world w = { 0 };
		const struct fr_set *set;
		struct record r;

		base_record(&r, FIVE, NULL);
		add_disk(&w, &r, which % 2 == 0 ? "BRIDGE-7" : NULL);
		for (unsigned i = 0; i < 3; i++) {
			char name[20];

			snprintf(name, sizeof(name), "DISK-%u", i);
			if (i != which)
				add_disk(&w, &r, name);
		}
		look(&w);
		set = only_set(&w);
		assert_state(set, FR_SET_OK);
		assert_int_equal(set->use, FR_USE_READ_WRITE);
		assert_string_equal(set->members[which].disk->path, w.images[0].path);
		assert_contains(all_reasons(set), "serial");
		world_free(&w);
	}
}

/* Two entries with one serial: neither is taken, and nothing is guessed. */
static void serial_in_two_entries(void **state)
{
	(void)state;
	for (enum base base = STRIPE; base <= MIRROR; base++) {
		static const struct edit same[EDITS] = { { D(1, 5), 1, '0' } };
		struct world w = { 0 };
		struct record r;

		base_record(&r, base, same);
		add_disk(&w, &r, "DISK-0");
		add_disk(&w, &r, "DISK-0");
		look(&w);
		for (size_t i = 0; i < w.scan->nsets; i++)
			assert_in_range(w.scan->sets[i]->use, FR_USE_NEVER, FR_USE_ON_REQUEST);
		world_free(&w);
	}
}

/* The record says how large the disk was: if it is another, that is worth a word. */
static void disk_of_another_size(void **state)
{
	static const struct edit edits[EDITS] = { { D(1, 0x10), 4, DISK + 1 } };
	struct world w = { 0 };
	struct record r;

	(void)state;
	base_record(&r, STRIPE, edits);
	look_at_members(&w, &r, 2, 0);
	assert_state(only_set(&w), FR_SET_OK);
	assert_int_equal(w.scan->nproblems, 1);
	assert_string_equal(w.scan->problems[0].disk, w.images[1].path);
	assert_contains(all_problems(w.scan), "20001");
	world_free(&w);
}

/* What is true of the whole record, and not of a volume, is said once a disk. */
static void said_once(void **state)
{
	static const struct edit edits[][EDITS] = {
		{ { D(0, 0x10), 4, DISK + 1 } }, { { AT(LOG, 0), 4, 0 } }, { VERSION(0x39392e392e39) },
	};

	(void)state;
	for (size_t i = 0; i < FR_COUNT(edits); i++) {
		struct world w = { 0 };
		struct record r;

		record_new(&r, 2);
		add_volume(&r, VOLUME, &shapes[STRIPE], "One", 0);
		add_volume(&r, VOLUME_2, &shapes[MIRROR], "Two", START_2);
		add_log(&r, 0);
		finish(&r, edits[i]);
		look_at_members(&w, &r, 2, 0);
		assert_int_equal(w.scan->nsets, 2);
		assert_int_equal(w.scan->nproblems, i == 0 ? 1 : 2); /* the total is of one disk alone */
		world_free(&w);
	}
}

/* ---- which set, and its names ---- */

static const struct family_row {
	const char *name;
	uint32_t family, original;
	const char *letters, *alias; /* of the original family, or NULL */
	uint32_t id;
} family_rows[] = {
	{ "made by hand", 0x98b8e7e0, 0x98b8e7e0, "cfgccfeibg", NULL, 0x98b8e7e0 },
	{ "old writer", 0xff55b73b, 0, "ecidiahfeh", NULL, 0xff55b73b },
	{ "after an exchange", 0x5f84eb44, 0x374dea34, "bgacfegfaa", "jchifdbai", 0x374dea34 },
	{ "nine digits", 0x08b9238d, 0x08b9238d, "begdfajij", NULL, 0x08b9238d },
	{ "largest", 0xffffffff, 1, "ecjejghcjf", "b", 1 },
	{ "of no family", 0, 10, "a", "ba", 10 },
};

static void family(void **state)
{
	const struct family_row *row = *state;
	const struct edit edits[EDITS] = { { H(0x28), 4, row->family }, { H(0x40), 4, row->original } };
	const struct fr_claim *c;
	char name[40];
	struct record r;
	struct probe p, q;

	base_record(&r, MIRROR, (const struct edit[EDITS]){ { H(0x28), 4, row->id }, { H(0x40), 4, 0 } });
	probe_record(&q, &r);
	base_record(&r, MIRROR, edits);
	probe_record(&p, &r);
	c = only_claim(&p);
	snprintf(name, sizeof(name), "isw_%s_Volume0", row->letters);
	assert_string_equal(c->name, name);
	if (row->alias == NULL) {
		assert_true(c->aliases == NULL || c->aliases[0] == NULL);
	} else {
		snprintf(name, sizeof(name), "isw_%s_Volume0", row->alias);
		assert_string_equal(c->aliases[0], name);
		assert_null(c->aliases[1]);
	}
	assert_int_equal(c->id_length, 4);
	assert_memory_equal(c->id, only_claim(&q)->id, 4); /* of a record of old writers, which has one family */
	assert_int_equal(c->lineage, row->family);
	assert_true(c->has_generation);
	assert_int_equal(c->generation, 7);
	assert_int_equal(c->generation_bits % 32, 0);
	probe_free(&q);
	probe_free(&p);
}

static const struct name_row {
	const char *name;       /* bytes of the volume's name */
	const char *clean, *alias; /* behind isw_cfgccfeibg_; alias NULL: none */
} name_rows[] = {
	{ "Volume0", "Volume0", NULL },
	{ "R", "R", NULL },
	{ "0123456789", "0123456789", NULL },
	{ "a-b_c", "a-b_c", NULL },
	{ "RAID_Volume1", "RAID_Volume1", NULL },
	{ "ABCDEFGHIJKLMNO", "ABCDEFGHIJKLMNO", NULL },
	{ "ABCDEFGHIJKLMNOP", "ABCDEFGHIJKLMNOP", NULL }, /* without NUL: what follows is the size */
	{ "a-b_c.d", "a-b_c_d", "a-b_c.d" },
	{ "#+-.:=@_", "__-_____", "#+-.:=@_" },
	{ "System[SSD]", "System_SSD_", "System\\x5bSSD\\x5d" },
	{ "750GB HardDrive", "750GB_HardDrive", "750GB\\x20HardDrive" },
	{ "Volume 0", "Volume_0", "Volume\\x200" },
	{ "Gr\xc3\xb6\xc3\x9f" "e", "Gr____e", "Gr\\xc3\\xb6\\xc3\\x9f" "e" },
	{ "%s%n%x%u", "_s_n_x_u", "\\x25s\\x25n\\x25x\\x25u" },
};

static void name(void **state)
{
	const struct name_row *row = *state;
	const struct edit odd_size[EDITS] = { { V(0x10), 8, 0x41 + 256 * 15 } }; /* its first byte is an 'A' */
	struct world w = { 0 };
	const struct fr_set *set;
	char wanted[100];
	struct record r;

	base_record(&r, MIRROR, odd_size);
	memset(r.bytes + r.at[VOLUME], 0, 16);
	memcpy(r.bytes + r.at[VOLUME], row->name, strlen(row->name));
	seal(&r);
	look_at_members(&w, &r, 2, 0);
	set = only_set(&w);
	snprintf(wanted, sizeof(wanted), "isw_cfgccfeibg_%s", row->clean);
	assert_string_equal(set->name, wanted);
	assert_string_equal(set->volume, row->name);
	if (row->alias == NULL) {
		assert_true(set->aliases == NULL || set->aliases[0] == NULL);
	} else {
		snprintf(wanted, sizeof(wanted), "isw_cfgccfeibg_%s", row->alias);
		assert_string_equal(set->aliases[0], wanted);
		assert_null(set->aliases[1]);
		assert_ptr_equal(fr_scan_find(w.scan, wanted, NULL), set);
	}
	world_free(&w);
}

/* What is behind the NUL is none of the name. */
static void name_ends_at_nul(void **state)
{
	struct record r;
	struct probe p;

	(void)state;
	base_record(&r, MIRROR, NULL);
	memcpy(r.bytes + r.at[VOLUME], "Vol\0ume.[]......", 16);
	seal(&r);
	probe_record(&p, &r);
	assert_string_equal(only_claim(&p)->name, "isw_cfgccfeibg_Vol");
	assert_string_equal(only_claim(&p)->volume, "Vol");
	assert_true(only_claim(&p)->aliases == NULL);
	probe_free(&p);
}

/* Names that no firmware lets through: such a set is not used by itself. */
static void hostile_names(void **state)
{
	static const struct { const char *name, *clean; } rows[] = {
		{ "", "" }, { "../../evil", "______evil" }, { "a/b", "a_b" }, { "a\nb", "a_b" }, { "\x1b[2J", "__2J" },
		{ "\x7f", "_" },
	};

	(void)state;
	for (size_t i = 0; i < FR_COUNT(rows); i++) {
		struct world w = { 0 };
		char wanted[100];
		struct record r;

		base_record(&r, MIRROR, NULL);
		memset(r.bytes + r.at[VOLUME], 0, 16);
		memcpy(r.bytes + r.at[VOLUME], rows[i].name, strlen(rows[i].name));
		seal(&r);
		look_at_members(&w, &r, 2, 0);
		snprintf(wanted, sizeof(wanted), "isw_cfgccfeibg_%s", rows[i].clean);
		assert_string_equal(only_set(&w)->name, wanted);
		assert_in_range(only_set(&w)->use, FR_USE_NEVER, FR_USE_ON_REQUEST);
		world_free(&w);
	}
}

/* ---- spares ---- */

static void spare_record(struct record *r, const char *serial)
{
	static const struct edit edits[EDITS] = { { H(0x28), 4, 0x1234 }, { H(0x2c), 4, 1 }, { H(0x40), 4, 0 },
						  { D(0, 0x18), 4, 1 } };

	record_new(r, 1);
	snprintf((char *)r->bytes + r->at[DISKS], 16, "%s", serial);
	finish(r, edits);
}

static void spare_of_no_set(void **state)
{
	struct world w = { 0 };
	struct record r;

	(void)state;
	spare_record(&r, "SPARE");
	add_disk(&w, &r, "SPARE");
	look(&w);
	assert_int_equal(w.scan->nsets, 0);
	assert_string_equal(all_problems(w.scan), "");
	assert_int_equal(find_look(w.scan->disks[0], "isw", DISK - 2)->verdict, FR_VERDICT_VALID);
	world_free(&w);
}

/* It may be taken by whichever set can use one. */
static void spare_beside_a_set(void **state)
{
	(void)state;
	for (enum base base = STRIPE; base <= FIVE; base++) {
		struct world w = { 0 };
		struct record r, spare;

		base_record(&r, base, NULL);
		spare_record(&spare, "SPARE");
		add_disk(&w, &spare, "SPARE");
		look_at_members(&w, &r, shapes[base].members, 0);
		assert_state(only_set(&w), FR_SET_OK);
		assert_int_equal(only_set(&w)->nspares, base == STRIPE ? 0 : 1);
		if (base != STRIPE)
			assert_string_equal(only_set(&w)->spares[0].disk->serial, "SPARE");
		assert_int_equal(only_set(&w)->nleft_out, 0);
		world_free(&w);
	}
}

/* The same disk as an entry of a set's record: with its serial, and without. */
static void spare_in_the_table(void **state)
{
	static const struct edit edits[EDITS] = { { D(2, 0x18), 4, 1 } };

	(void)state;
	for (unsigned known = 0; known < 2; known++) {
		struct world w = { 0 };
		struct record r;

		record_new(&r, 3);
		add_volume(&r, VOLUME, &shapes[MIRROR], "Volume0", 0);
		finish(&r, edits);
		add_disk(&w, &r, known ? "DISK-0" : NULL);
		add_disk(&w, &r, known ? "DISK-1" : NULL);
		add_disk(&w, &r, known ? "DISK-2" : NULL);
		look(&w);
		assert_state(only_set(&w), FR_SET_OK);
		assert_string_equal(only_set(&w)->members[1].disk->path, w.images[1].path);
		assert_int_equal(only_set(&w)->nspares, 1);
		assert_string_equal(only_set(&w)->spares[0].disk->path, w.images[2].path);
		world_free(&w);
	}
}

/* ---- what is going on ---- */

static const struct state_row {
	const char *name;
	enum base base;
	struct edit edits[EDITS];
	enum fr_set_state state;
	enum fr_use use;
	enum fr_member_state members[4];
	bool second;            /* it has two maps */
	bool unequal;           /* only the first copy may be read */
	unsigned lost;          /* disks that are not there, a bit each */
} state_rows[] = {
	{ "stripe", STRIPE, { { 0 } }, FR_SET_OK, FR_USE_READ_WRITE, .members = { 0 } },
	{ "mirror", MIRROR, { { 0 } }, FR_SET_OK, FR_USE_READ_WRITE, .members = { 0 } },
	{ "RAID10", TEN, { { 0 } }, FR_SET_OK, FR_USE_READ_WRITE, .members = { 0 } },
	{ "RAID5", FIVE, { { 0 } }, FR_SET_OK, FR_USE_READ_WRITE, .members = { 0 } },

	{ "stripe less one", STRIPE, { { 0 } },
	  FR_SET_BROKEN, FR_USE_NEVER, .members = { 0, FR_MEMBER_MISSING }, .lost = 2 },
	{ "mirror less one", MIRROR, { { 0 } },
	  FR_SET_DEGRADED, FR_USE_READ_ONLY_FIRST, .members = { FR_MEMBER_MISSING }, .lost = 1 },
	{ "RAID5 less one", FIVE, { { 0 } },
	  FR_SET_DEGRADED, FR_USE_READ_ONLY_FIRST, .members = { 0, 0, FR_MEMBER_MISSING }, .lost = 4 },
	{ "RAID5 less two", FIVE, { { 0 } },
	  FR_SET_BROKEN, FR_USE_NEVER, .members = { FR_MEMBER_MISSING, 0, FR_MEMBER_MISSING }, .lost = 5 },
	{ "RAID10 less one of each pair", TEN, { { 0 } },
	  FR_SET_DEGRADED, FR_USE_READ_ONLY_FIRST,
	  .members = { FR_MEMBER_MISSING, 0, 0, FR_MEMBER_MISSING }, .lost = 9 },
	{ "RAID10 less a pair", TEN, { { 0 } },
	  FR_SET_BROKEN, FR_USE_NEVER, .members = { 0, 0, FR_MEMBER_MISSING, FR_MEMBER_MISSING }, .lost = 12 },

	{ "mirror, a slot out of sync", MIRROR, { STATE(MAP, 2), OUT_OF_SYNC(MAP, 0), { M(0x12), 1, 0 } },
	  FR_SET_DEGRADED, FR_USE_READ_ONLY_FIRST, .members = { FR_MEMBER_STALE } },
	{ "mirror, a slot out of sync by the order table alone", MIRROR, { OUT_OF_SYNC(MAP, 1) },
	  FR_SET_DEGRADED, FR_USE_READ_ONLY_FIRST, .members = { 0, FR_MEMBER_STALE } },
	{ "RAID5, two slots out of sync", FIVE, { STATE(MAP, 3), OUT_OF_SYNC(MAP, 1), OUT_OF_SYNC(MAP, 2) },
	  FR_SET_BROKEN, FR_USE_NEVER, .members = { 0, FR_MEMBER_STALE, FR_MEMBER_STALE } },
	{ "RAID10, a pair out of sync", TEN, { STATE(MAP, 3), OUT_OF_SYNC(MAP, 0), OUT_OF_SYNC(MAP, 1) },
	  FR_SET_BROKEN, FR_USE_NEVER, .members = { FR_MEMBER_STALE, FR_MEMBER_STALE } },
	{ "stripe that failed, as seen: no failed slot", STRIPE, { STATE(MAP, 3), OUT_OF_SYNC(MAP, 0) },
	  FR_SET_BROKEN, FR_USE_NEVER, .members = { FR_MEMBER_STALE } },
	{ "stripe that failed, no slot out of sync", STRIPE, { STATE(MAP, 3) },
	  FR_SET_BROKEN, FR_USE_NEVER, .members = { 0 } },
	{ "RAID5 that failed, no slot out of sync", FIVE, { STATE(MAP, 3) },
	  FR_SET_BROKEN, FR_USE_NEVER, .members = { 0 } },
	{ "mirror, a disk failed", MIRROR, { STATE(MAP, 2), { D(1, 0x18), 4, 6 } },
	  FR_SET_DEGRADED, FR_USE_READ_ONLY_FIRST, .members = { 0, FR_MEMBER_STALE } },

	{ "mirror in a rebuild", MIRROR, { MIGRATION(1), STATE(SECOND, 2), OUT_OF_SYNC(SECOND, 1) },
	  FR_SET_REBUILDING, FR_USE_READ_ONLY_FIRST, .members = { 0, FR_MEMBER_REBUILDING }, .second = true },
	{ "mirror in a rebuild by its first map", MIRROR, { MIGRATION(1), STATE(SECOND, 2), OUT_OF_SYNC(MAP, 0) },
	  FR_SET_REBUILDING, FR_USE_READ_ONLY_FIRST, .members = { FR_MEMBER_REBUILDING }, .second = true },
	{ "RAID5 in a rebuild", FIVE, { MIGRATION(1), STATE(SECOND, 2), OUT_OF_SYNC(SECOND, 2) },
	  FR_SET_REBUILDING, FR_USE_READ_ONLY_FIRST, .members = { 0, 0, FR_MEMBER_REBUILDING }, .second = true },
	{ "RAID10 in a rebuild", TEN, { MIGRATION(1), STATE(SECOND, 2), OUT_OF_SYNC(SECOND, 3) },
	  FR_SET_REBUILDING, FR_USE_READ_ONLY_FIRST, .members = { 0, 0, 0, FR_MEMBER_REBUILDING }, .second = true },
	{ "RAID5 in a rebuild, another slot gone", FIVE,
	  { MIGRATION(1), STATE(MAP, 2), OUT_OF_SYNC(MAP, 0), STATE(SECOND, 2), OUT_OF_SYNC(SECOND, 0),
	    OUT_OF_SYNC(SECOND, 2) },
	  FR_SET_BROKEN, FR_USE_NEVER, .members = { 0 }, .second = true },
	{ "RAID5 in a rebuild and dirty", FIVE,
	  { MIGRATION(1), STATE(SECOND, 2), OUT_OF_SYNC(SECOND, 2), { V(0x5a), 1, 1 } },
	  FR_SET_REBUILDING, FR_USE_READ_ONLY, .members = { 0, 0, FR_MEMBER_REBUILDING }, .second = true },

	{ "mirror, initialising", MIRROR, { MIGRATION(0), STATE(SECOND, 1) },
	  FR_SET_INITIALIZING, FR_USE_READ_ONLY_FIRST, .members = { 0 }, .second = true, .unequal = true },
	{ "mirror, not initialised yet", MIRROR, { STATE(MAP, 1) },
	  FR_SET_INITIALIZING, FR_USE_READ_ONLY_FIRST, .members = { 0 }, .unequal = true },
	{ "RAID10, initialising", TEN, { MIGRATION(0), STATE(SECOND, 1) },
	  FR_SET_INITIALIZING, FR_USE_READ_ONLY_FIRST, .members = { 0 }, .second = true, .unequal = true },
	{ "RAID5, initialising", FIVE, { MIGRATION(0), STATE(SECOND, 1), { V(0x50), 4, 3 } },
	  FR_SET_INITIALIZING, FR_USE_READ_ONLY, .members = { 0 }, .second = true },
	{ "RAID5, not initialised yet", FIVE, { STATE(MAP, 1) },
	  FR_SET_INITIALIZING, FR_USE_READ_ONLY, .members = { 0 } },
	{ "RAID5, initialising, less one", FIVE, { MIGRATION(0), STATE(SECOND, 1) },
	  FR_SET_BROKEN, FR_USE_NEVER, .members = { 0, FR_MEMBER_MISSING }, .second = true, .lost = 2 },

	{ "mirror being verified", MIRROR, { MIGRATION(2) },
	  FR_SET_OK, FR_USE_READ_WRITE, .members = { 0 }, .second = true },
	{ "RAID5 being verified", FIVE, { MIGRATION(2), { V(0x50), 4, 9 } },
	  FR_SET_OK, FR_USE_READ_WRITE, .members = { 0 }, .second = true },
	{ "migration's fields at rest", FIVE, { MIGRATION(2), { V(0x50), 4, 192 }, { V(0x60), 4, 7 } },
	  FR_SET_OK, FR_USE_READ_WRITE, .members = { 0 } },
	{ "migration of no kind at rest", MIRROR, { MIGRATION(255) }, FR_SET_OK, FR_USE_READ_WRITE, .members = { 0 } },

	{ "mirror, dirty", MIRROR, { { V(0x5a), 1, 1 } },
	  FR_SET_DIRTY, FR_USE_READ_WRITE, .members = { 0 }, .unequal = true },
	{ "RAID10, dirty", TEN, { { V(0x5a), 1, 1 } },
	  FR_SET_DIRTY, FR_USE_READ_WRITE, .members = { 0 }, .unequal = true },
	{ "RAID5, dirty", FIVE, { { V(0x5a), 1, 1 } }, FR_SET_DIRTY, FR_USE_READ_WRITE, .members = { 0 } },
	{ "RAID5, dirty, its log in use", FIVE, { { V(0x5a), 1, 3 }, { V(0x32), 1, 1 } },
	  FR_SET_DIRTY, FR_USE_READ_WRITE, .members = { 0 } },
	{ "RAID5, clean, its log in use", FIVE, { { V(0x5a), 1, 2 }, { V(0x32), 1, 1 } },
	  FR_SET_OK, FR_USE_READ_WRITE, .members = { 0 } },
	{ "RAID5, dirty and degraded", FIVE, { { V(0x5a), 1, 1 } },
	  FR_SET_DEGRADED, FR_USE_READ_ONLY, .members = { 0, FR_MEMBER_MISSING }, .lost = 2 },
	{ "mirror, dirty, less one", MIRROR, { { V(0x5a), 1, 1 } },
	  FR_SET_DEGRADED, FR_USE_READ_ONLY_FIRST, .members = { 0, FR_MEMBER_MISSING }, .lost = 2 },
	{ "stripe, dirty", STRIPE, { { V(0x5a), 1, 1 } }, FR_SET_OK, FR_USE_READ_WRITE, .members = { 0 } },
};

static void condition(void **state)
{
	const struct state_row *row = *state;
	unsigned width = shapes[row->base].members;
	struct world w = { 0 };
	const struct fr_set *set;
	struct record r;

	record_new(&r, width);
	add_volume(&r, VOLUME, &shapes[row->base], "Volume0", 0);
	if (row->second)
		add_second_map(&r);
	finish(&r, row->edits);
	look_at_members(&w, &r, width, row->lost);
	set = only_set(&w);
	assert_state(set, row->state);
	assert_int_equal(set->use, row->use);
	for (unsigned i = 0; i < width && row->state != FR_SET_BROKEN; i++)
		assert_string_equal(fr_member_state_name(set->members[i].state), fr_member_state_name(row->members[i]));
	if (row->use != FR_USE_NEVER)
		assert_int_equal(set->in_sync, !row->unequal);
	if (row->state == FR_SET_INITIALIZING && row->base == FIVE)
		assert_false(set->parity_valid);
	world_free(&w);
}

/* Repairs: all members are good, and what they hold can be read. */
static void repairs(void **state)
{
	static const struct edit edits[][EDITS] = { { MIGRATION(5) }, { MIGRATION(2), { V(0x18), 4, 0x8c } } };

	(void)state;
	for (size_t i = 0; i < FR_COUNT(edits); i++) {
		for (enum base base = MIRROR; base <= FIVE; base++) {
			struct world w = { 0 };
			struct record r;

			record_new(&r, shapes[base].members);
			add_volume(&r, VOLUME, &shapes[base], "Volume0", 0);
			add_second_map(&r);
			finish(&r, edits[i]);
			look_at_members(&w, &r, shapes[base].members, 0);
			assert_in_range(only_set(&w)->state, FR_SET_OK, FR_SET_DIRTY);
			assert_in_range(only_set(&w)->use, FR_USE_READ_ONLY, FR_USE_READ_WRITE);
			for (unsigned k = 0; k < shapes[base].members; k++)
				assert_int_equal(only_set(&w)->members[k].state, FR_MEMBER_OK);
			world_free(&w);
		}
	}
}

/* A rebuild of nobody knows what: some member is not good, so that this is no set to write to. */
static void rebuild_without_a_target(void **state)
{
	static const struct edit edits[EDITS] = { MIGRATION(1), STATE(SECOND, 2) };

	(void)state;
	for (enum base base = MIRROR; base <= FIVE; base++) {
		struct world w = { 0 };
		struct record r;

		record_new(&r, shapes[base].members);
		add_volume(&r, VOLUME, &shapes[base], "Volume0", 0);
		add_second_map(&r);
		finish(&r, edits);
		look_at_members(&w, &r, shapes[base].members, 0);
		assert_int_not_equal(only_set(&w)->state, FR_SET_OK);
		assert_int_not_equal(only_set(&w)->use, FR_USE_READ_WRITE);
		world_free(&w);
	}
}

/* From a stripe of two in strips of 128 to a RAID5 of three in strips of 32; the other volume stays as it is. */
static void reshape(void **state)
{
	static const struct edit edits[EDITS] = {
		MIGRATION(3), { V(0x50), 4, 77 }, { S(0x0f), 1, 0 }, { S(0x10), 1, 2 }, { S(0x0c), 2, 128 },
	};
	struct world w = { 0 };
	const struct fr_set *set;
	struct fr_plan *plan;
	struct record r;

	(void)state;
	record_new(&r, 3);
	add_volume(&r, VOLUME, &shapes[FIVE], "Moving", 0);
	add_second_map(&r);
	r.size -= 4; /* for the second map has a member less */
	add_volume(&r, VOLUME_2, &shapes[STRIPE], "Standing", START_2);
	finish(&r, edits);
	look_at_members(&w, &r, 3, 0);
	assert_int_equal(w.scan->nsets, 2);
	set = set_called(&w, "isw_cfgccfeibg_Moving");
	assert_state(set, FR_SET_MIGRATING);
	assert_int_equal(fr_plan_new(set, NULL, &plan, NULL), -ENOTSUP);
	assert_contains(all_reasons(set), "77");
	assert_contains(all_reasons(set), "128");
	assert_contains(all_reasons(set), "32");
	set = set_called(&w, "isw_cfgccfeibg_Standing");
	assert_state(set, FR_SET_OK);
	assert_int_equal(set->members[0].offset, START_2);
	world_free(&w);
}

/* ---- what is read-only, or less ---- */

static const struct caution_row {
	const char *name;
	struct edit edits[EDITS];
	enum fr_use least, most;
	const char *about;      /* in the reasons */
	bool second;
} caution_rows[] = {
	{ "cache of volumes", { ATTRIBUTES(0x82000000) }, FR_USE_NEVER, FR_USE_READ_ONLY, .about = "cache" },
	{ "cache mode of the volume", { { V(0x2a), 1, 2 } }, FR_USE_ON_REQUEST, FR_USE_READ_ONLY, .about = "cache" },
	{ "cache mode of the volume, in an old version", { VERSION(VERSION_1_2_02), { V(0x2a), 1, 1 } },
	  FR_USE_ON_REQUEST, FR_USE_READ_ONLY, .about = "cache" },
	{ "is a cache", { ATTRIBUTES(0x90000000) }, FR_USE_NEVER, FR_USE_NEVER, .about = "cache" },
	{ "RAID1E", { ATTRIBUTES(0x80000008) }, FR_USE_NEVER, FR_USE_READ_ONLY, .about = "RAID1E" },
	{ "clone and go", { ATTRIBUTES(0x80000020) }, FR_USE_NEVER, FR_USE_READ_ONLY, .about = "" },
	{ "clone and go, of its first version",
	  { VERSION(VERSION_1_2_06), ATTRIBUTES(0x80000020), { V(0x18), 4, 0x40c } },
	  FR_USE_NEVER, FR_USE_READ_ONLY, .about = "" },
	{ "clone and go by its state alone", { VERSION(VERSION_1_2_06), { V(0x18), 4, 0x1c0c }, { V(0x26), 1, 1 } },
	  FR_USE_NEVER, FR_USE_READ_ONLY, .about = "" },
	{ "state change", { MIGRATION(4) }, FR_USE_NEVER, FR_USE_READ_ONLY, .about = "state", .second = true },
	{ "attributes without meaning in an old version", { VERSION(VERSION_1_2_02), ATTRIBUTES(0xd2000038) },
	  FR_USE_READ_WRITE, FR_USE_READ_WRITE, .about = "" },
	{ "attributes of what is known", { ATTRIBUTES(0xec0000d7) },
	  FR_USE_READ_WRITE, FR_USE_READ_WRITE, .about = "" },
};

static void caution(void **state)
{
	const struct caution_row *row = *state;
	struct world w = { 0 };
	struct record r;

	record_new(&r, 2);
	add_volume(&r, VOLUME, &shapes[MIRROR], "Volume0", 0);
	if (row->second)
		add_second_map(&r);
	finish(&r, row->edits);
	look_at_members(&w, &r, 2, 0);
	assert_in_range(only_set(&w)->use, row->least, row->most);
	assert_contains(all_reasons(only_set(&w)), row->about);
	if (row->most != FR_USE_READ_WRITE)
		assert_int_not_equal(only_set(&w)->nreasons, 0);
	world_free(&w);
}

static const char *const known_versions[] = { "1.0.00", "1.1.00", "1.2.00", "1.2.01", "1.2.02", "1.2.04", "1.2.06",
					      "1.3.00", "2.0.00" };
static const char *const unknown_versions[] = { "9.9.99", "1.2.03", "1.4.00", "2.0.01", "1.3.0\t", "      " };

/* The layout is the same in all of them: one that nobody knows is read, with a word. */
static void versions(void **state)
{
	size_t known = FR_COUNT(known_versions);

	(void)state;
	for (size_t i = 0; i < known + FR_COUNT(unknown_versions); i++) {
		struct world w = { 0 };
		struct record r;

		base_record(&r, STRIPE, NULL);
		memcpy(r.bytes + 0x18, i < known ? known_versions[i] : unknown_versions[i - known], 6);
		seal(&r);
		look_at_members(&w, &r, 2, 0);
		assert_state(only_set(&w), FR_SET_OK);
		assert_in_range(only_set(&w)->use, FR_USE_READ_ONLY, FR_USE_READ_WRITE);
		if (i < known)
			assert_string_equal(all_problems(w.scan), "");
		else
			assert_contains(all_problems(w.scan), "version");
		world_free(&w);
	}
}

/* ---- the log of bad blocks ---- */

static const struct bad_row {
	const char *name;
	enum base base;
	uint8_t more, disk;
	uint64_t first;
	bool inside;
} bad_rows[] = {
	{ "first block of a mirror", MIRROR, 0, 1, 1000, true },
	{ "last block of a mirror", MIRROR, 0, 0, 1000 + PER - 1, true },
	{ "range that reaches into a mirror", MIRROR, 9, 0, 991, true },
	{ "range that ends before a mirror", MIRROR, 8, 0, 991, false },
	{ "256 blocks across a mirror's end", MIRROR, 255, 1, 1000 + PER - 1, true },
	{ "behind a mirror", MIRROR, 0, 1, 1000 + PER, false },
	{ "copy of a RAID10", TEN, 0, 2, 2000, true },
	{ "RAID5", FIVE, 3, 1, 2000, true },
	{ "stripe", STRIPE, 3, 1, 2000, true },
	{ "behind a stripe", STRIPE, 3, 1, 1000 + PER, false },
	{ "last block that 48 bits can name", MIRROR, 255, 1, 0xffffffffffff, false },
};

/* With copies the disk that has bad blocks is not read; without, it is said. */
static void bad_blocks(void **state)
{
	static const struct edit edits[EDITS] = { { M(0), 4, 1000 } };
	const struct bad_row *row = *state;
	bool copies = row->base == MIRROR || row->base == TEN;
	struct world w = { 0 };
	const struct fr_set *set;
	struct record r;

	record_new(&r, shapes[row->base].members);
	add_volume(&r, VOLUME, &shapes[row->base], "Volume0", 1000);
	add_log(&r, 1);
	set_bad(&r, 0, row->more, row->disk, row->first);
	finish(&r, edits);
	look_at_members(&w, &r, shapes[row->base].members, 0);
	set = only_set(&w);
	if (row->inside) {
		assert_contains(all_problems(w.scan), "bad");
		assert_in_range(set->use, FR_USE_READ_ONLY, FR_USE_READ_WRITE);
	} else {
		assert_state(set, FR_SET_OK);
		assert_string_equal(all_reasons(set), "");
	}
	assert_int_equal(set->in_sync, !(row->inside && copies)); /* of two copies the other one is read */
	for (unsigned i = 0; i < set->width; i++) {
		assert_int_equal(set->members[i].state, FR_MEMBER_OK);
		assert_int_equal(set->members[i].behind != 0, row->inside && copies && i == row->disk);
	}
	world_free(&w);
}

/* Blocks of the only copy that is left, or of both: there is no better one, and the set is of use all the same. */
static void bad_blocks_of_every_copy(void **state)
{
	(void)state;
	for (unsigned lost = 0; lost < 2; lost++) {
		struct world w = { 0 };
		struct record r;

		record_new(&r, 2);
		add_volume(&r, VOLUME, &shapes[MIRROR], "Volume0", 0);
		add_log(&r, 2 - lost);
		set_bad(&r, 0, 0, 1, 100);
		if (lost == 0)
			set_bad(&r, 1, 0, 0, 3000);
		finish(&r, NULL);
		look_at_members(&w, &r, 2, lost); /* less the first */
		assert_int_not_equal(only_set(&w)->use, FR_USE_NEVER);
		assert_int_not_equal(only_set(&w)->state, FR_SET_BROKEN);
		assert_contains(all_problems(w.scan), "bad");
		world_free(&w);
	}
}

/* What is said of a volume is about its own bad blocks. */
static void bad_blocks_of_two_volumes(void **state)
{
	struct world w = { 0 };
	struct record r;
	bool one = false, two = false;

	(void)state;
	record_new(&r, 2);
	add_volume(&r, VOLUME, &shapes[STRIPE], "One", 0);
	add_volume(&r, VOLUME_2, &shapes[STRIPE], "Two", START_2);
	add_log(&r, 2);
	set_bad(&r, 0, 0, 0, 1234);
	set_bad(&r, 1, 0, 1, 15678);
	finish(&r, NULL);
	look_at_members(&w, &r, 2, 0);
	for (size_t i = 0; i < w.scan->nproblems; i++) {
		const char *text = w.scan->problems[i].reason;

		one = one || (strstr(text, "'One'") != NULL && strstr(text, "1234") != NULL);
		two = two || (strstr(text, "'Two'") != NULL && strstr(text, "15678") != NULL);
		assert_false(strstr(text, "'Two'") != NULL && strstr(text, "1234") != NULL);
	}
	assert_true(one);
	assert_true(two);
	world_free(&w);
}

static void bad_blocks_of_4096(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct record r;
		struct place place = { &r, 8 * DISK, 8 * (DISK - 2), 8, { 0 } };
		struct probe p;

		record_new(&r, 2);
		add_volume(&r, VOLUME, &shapes[MIRROR], "Volume0", 0);
		add_log(&r, 1);
		set_bad(&r, 0, 0, 1, PER - 1 + i);
		finish(&r, NULL);
		probe_place(&p, &place);
		assert_int_equal(only_claim(&p)->seats[1].suspect == NULL, i == 1);
		probe_free(&p);
	}
}

static const struct log_row {
	const char *name;
	unsigned count;         /* entries there is room for */
	struct edit edits[EDITS];
	bool good;
} log_rows[] = {
	{ "no entries", 0, { { 0 } }, true },
	{ "254 entries", 254, { { 0 } }, true },
	{ "room for more than there are", 3, { { AT(LOG, 4), 4, 1 } }, true },
	{ "another signature", 1, { { AT(LOG, 0), 4, 0xabadb10d } }, false },
	{ "no signature", 1, { { AT(LOG, 0), 4, 0 } }, false },
	{ "255 entries", 255, { { 0 } }, false },
	{ "more entries than room", 1, { { AT(LOG, 4), 4, 2 } }, false },
	{ "as many entries as there are numbers", 1, { { AT(LOG, 4), 4, 0xffffffff } }, false },
	{ "entries whose bytes wrap in 32 bits", 1, { { AT(LOG, 4), 4, 0x20000001 } }, false },
	{ "7 bytes", 0, { { H(0x48), 4, 7 } }, false },
};

/* A log that makes no sense takes nothing with it, but the set is not written to. */
static void log_of_bad_blocks(void **state)
{
	const struct log_row *row = *state;
	struct world w = { 0 };
	struct record r;

	record_new(&r, 2);
	add_volume(&r, VOLUME, &shapes[STRIPE], "Volume0", 0);
	add_log(&r, row->count);
	for (unsigned i = 0; i < row->count; i++)
		set_bad(&r, i, 0, 200, DISK + i); /* of no member, and in no volume */
	finish(&r, row->edits);
	look_at_members(&w, &r, 2, 0);
	assert_state(only_set(&w), FR_SET_OK);
	if (row->good) {
		assert_string_equal(all_problems(w.scan), "");
		assert_int_equal(only_set(&w)->use, FR_USE_READ_WRITE);
	} else {
		assert_contains(all_problems(w.scan), "bad");
		assert_int_equal(only_set(&w)->use, FR_USE_READ_ONLY);
	}
	world_free(&w);
}

/* ---- several generations, several sets ---- */

/* Members one generation apart are one set; the content of a mirror has to be made equal. */
static void one_generation_apart(void **state)
{
	(void)state;
	for (enum base base = STRIPE; base <= FIVE; base++) {
		static const struct edit behind[EDITS] = { { H(0x2c), 4, 6 } };
		struct world w = { 0 };
		struct record r, old;

		base_record(&old, base, behind);
		base_record(&r, base, NULL);
		add_disk(&w, &old, "DISK-0");
		look_at_members(&w, &r, shapes[base].members, 1);
		assert_slot(only_set(&w), 0, "DISK-0");
		assert_int_equal(only_set(&w)->use, FR_USE_READ_WRITE);
		assert_int_equal(only_set(&w)->in_sync, base == STRIPE || base == FIVE);
		world_free(&w);
	}
}

/* The generation turns over: 0 is newer than 2^32 - 1, and lists the other disk as failed. */
static void generation_turns_over(void **state)
{
	static const struct edit before[EDITS] = { { H(0x2c), 4, 0xffffffff } };
	static const struct edit after[EDITS] = { { H(0x2c), 4, 0 }, { D(1, 6), 2, 0x303a }, { D(1, 0x18), 4, 6 },
						  STATE(MAP, 2), OUT_OF_SYNC(MAP, 1) };
	struct world w = { 0 };
	struct record r, old;

	(void)state;
	base_record(&old, MIRROR, before);
	base_record(&r, MIRROR, after);
	add_disk(&w, &old, "DISK-1");
	add_disk(&w, &r, "DISK-0");
	look(&w);
	assert_state(only_set(&w), FR_SET_DEGRADED);
	assert_slot(only_set(&w), 0, "DISK-0");
	assert_slot(only_set(&w), 1, NULL);
	world_free(&w);
}

/* One family, one generation, and two records: which is right, nobody can tell. */
static void one_generation_two_records(void **state)
{
	static const struct edit other[EDITS] = { { H(0x3c), 4, 1 } };
	struct world w = { 0 };
	struct record a, b;

	(void)state;
	base_record(&a, MIRROR, NULL);
	base_record(&b, MIRROR, other);
	add_disk(&w, &a, "DISK-0");
	add_disk(&w, &b, "DISK-1");
	look(&w);
	assert_int_equal(only_set(&w)->use, FR_USE_NEVER);
	assert_contains(all_reasons(only_set(&w)), "contradict");
	world_free(&w);
}

/* As reported: after a split each half went on; the one that records the other's failure is complete. */
static void split_mirror(void **state)
{
	static const struct edit good[EDITS] = {
		{ H(0x28), 4, 1531792844 }, { H(0x40), 4, 3237443397 }, { H(0x2c), 4, 217873 }, { D(0, 6), 2, 0x313a },
		OUT_OF_SYNC(MAP, 0), STATE(MAP, 2),
	};
	static const struct edit stale[EDITS] = {
		{ H(0x28), 4, 1220941677 }, { H(0x40), 4, 3237443397 }, { H(0x2c), 4, 217854 },
	};

	(void)state;
	for (unsigned turned = 0; turned < 2; turned++) {
		struct world w = { 0 };
		struct record a, b;

		base_record(&a, MIRROR, stale);
		base_record(&b, MIRROR, good);
		add_disk(&w, turned ? &b : &a, turned ? "DISK-1" : "DISK-0");
		add_disk(&w, turned ? &a : &b, turned ? "DISK-0" : "DISK-1");
		look(&w);
		assert_string_equal(only_set(&w)->name, "isw_bfdbhjciee_Volume0");
		assert_state(only_set(&w), FR_SET_DEGRADED);
		assert_slot(only_set(&w), 0, NULL);
		assert_slot(only_set(&w), 1, "DISK-1");
		world_free(&w);
	}
}

/* As reported: two families without a common origin on two disks that each names; neither is complete. */
static void two_families(void **state)
{
	static const struct edit a_edits[EDITS] = { { H(0x28), 4, 299804894 }, { H(0x40), 4, 299804894 } };
	static const struct edit b_edits[EDITS] = {
		{ H(0x28), 4, 1328629246 }, { H(0x40), 4, 1328629246 }, ORDER(MAP, 0, 1), ORDER(MAP, 1, 0),
	};
	struct world w = { 0 };
	struct record a, b;

	(void)state;
	base_record(&a, STRIPE, a_edits);
	base_record(&b, STRIPE, b_edits);
	add_disk(&w, &a, "DISK-0");
	add_disk(&w, &b, "DISK-1");
	look(&w);
	assert_int_equal(w.scan->nsets, 2);
	assert_state(set_called(&w, "isw_cjjiaeije_Volume0"), FR_SET_BROKEN);
	assert_state(set_called(&w, "isw_bdcigcjceg_Volume0"), FR_SET_BROKEN);
	world_free(&w);
}

static void add_record_tests(struct test_list *list)
{
	ADD_ROWS(list, vector_rows, vector_is_sealed_right);
	ADD_ROWS(list, vector_rows, facts_of_vector);
	ADD_TEST(list, real_stripe);
	ADD_TEST(list, real_stripe_cut_off);
	ADD_TEST(list, real_rebuild);
	ADD_TEST(list, real_rebuild_less_a_sector);
	ADD_TEST(list, real_failure);
	ADD_TEST(list, real_two_volumes);
	ADD_TEST(list, no_signature);
	ADD_TEST(list, every_bit_counts);
	ADD_TEST(list, size_of_no_whole_words);
	ADD_ROWS(list, header_rows, damaged_record);
	ADD_TEST(list, second_map_is_cut);
	ADD_TEST(list, record_larger_than_the_disk);
	ADD_TEST(list, record_of_sectors);
	ADD_TEST(list, largest_record);
	ADD_TEST(list, record_of_255_disks);
	ADD_TEST(list, data_ends_before_the_record);
}

static void add_volume_tests(struct test_list *list)
{
	ADD_ROWS(list, volume_rows, refused_volume);
	ADD_TEST(list, volumes_on_each_other);
	ADD_TEST(list, volumes_of_one_name);
	ADD_TEST(list, names_are_never_shared);
	ADD_TEST(list, volume_that_fits_one_disk_only);
	ADD_ROWS(list, level_rows, level);
	ADD_TEST(list, chunks);
	ADD_TEST(list, domains);
	ADD_ROWS(list, size_rows, sizes);
	ADD_TEST(list, blocks_past_the_end);
	ADD_ROWS(list, peer_rows, size_under_dmraid);
	ADD_TEST(list, high_words);
	ADD_TEST(list, high_word_of_the_start);
	ADD_TEST(list, high_word_of_the_stripes);
	ADD_TEST(list, blocks_of_4096);
	ADD_ROWS(list, big_rows, wraps_in_blocks_of_4096);
	ADD_TEST(list, images_of_both_kinds);
	ADD_TEST(list, one_disk_of_each_kind);
}

static void add_disk_tests(struct test_list *list)
{
	ADD_ROWS(list, anchor_rows, anchor);
	ADD_TEST(list, anchor_at_the_beginning);
	ADD_TEST(list, total_of_the_own_entry);
	ADD_ROWS(list, order_rows, order_of_the_places);
	ADD_TEST(list, disks_without_a_record);
	ADD_TEST(list, is_record);
	ADD_ROWS(list, serial_rows, serial);
	ADD_TEST(list, serial_ends_at_nul);
	ADD_ROWS(list, gone_rows, lost_disk);
	ADD_TEST(list, order_table);
	ADD_TEST(list, disks_without_serials);
	ADD_TEST(list, disk_with_another_serial);
	ADD_TEST(list, serial_in_two_entries);
	ADD_TEST(list, disk_of_another_size);
	ADD_TEST(list, said_once);
	ADD_ROWS(list, family_rows, family);
	ADD_ROWS(list, name_rows, name);
	ADD_TEST(list, name_ends_at_nul);
	ADD_TEST(list, hostile_names);
	ADD_TEST(list, spare_of_no_set);
	ADD_TEST(list, spare_beside_a_set);
	ADD_TEST(list, spare_in_the_table);
}

static void add_condition_tests(struct test_list *list)
{
	ADD_ROWS(list, state_rows, condition);
	ADD_TEST(list, repairs);
	ADD_TEST(list, rebuild_without_a_target);
	ADD_TEST(list, reshape);
	ADD_ROWS(list, caution_rows, caution);
	ADD_TEST(list, versions);
	ADD_ROWS(list, bad_rows, bad_blocks);
	ADD_TEST(list, bad_blocks_of_every_copy);
	ADD_TEST(list, bad_blocks_of_two_volumes);
	ADD_TEST(list, bad_blocks_of_4096);
	ADD_ROWS(list, log_rows, log_of_bad_blocks);
	ADD_TEST(list, one_generation_apart);
	ADD_TEST(list, generation_turns_over);
	ADD_TEST(list, one_generation_two_records);
	ADD_TEST(list, split_mirror);
	ADD_TEST(list, two_families);
}

int main(void)
{
	struct test_list list = { 0 };

	add_record_tests(&list);
	add_volume_tests(&list);
	add_disk_tests(&list);
	add_condition_tests(&list);
	return run_list("isw", &list);
}
