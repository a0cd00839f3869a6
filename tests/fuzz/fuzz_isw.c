// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The isw format and what is made of its claims, over hostile records. An
 * input is a byte of flags and the disks' size; then for each disk how it is
 * named and where its record lies, and the record itself, the anchor first:
 * bytes, or those of the disk before, and then some that are other.
 */
#define _GNU_SOURCE
#include "fuzz.h"

extern const struct fr_format fr_format_isw;

const char fuzz_name[] = "isw";

enum {
	MAX_DISKS = 4, MAX_RECORD = 6144, MAX_PARTS = 96, MAX_PATCHES = 15,
	ISW_DISKS = 0x0c,       /* in the flags: one less than the number of disks */
	ISW_IMAGES = 0x10,      /* the disks are images */
	ISW_CUT = 0x20,         /* what lies before the anchors cannot be read */
	SERIAL_OF_NONE = 14, SERIAL_UNKNOWN = 15,
};

enum place { PLACE_LAST, PLACE_MARKED, PLACE_2115, PLACE_4096, PLACES };

/* The sum of the words but the sum itself, as far as the record is here. */
static void isw_seal(uint8_t *record)
{
	size_t size = (size_t)sum_words(record + 0x24, 4, 1);

	put_number(record + 0x20, 4, 0);
	if (size <= MAX_RECORD)
		put_number(record + 0x20, 4, sum_words(record, 4, size / 4));
}

/* ---- disks ---- */

struct hostile_disk {
	uint64_t anchor;
	uint32_t unit, distance; /* sectors of a block; what the mark in the last sector says, 0: no mark */
	bool cut;
	char serial[17];
	uint8_t record[MAX_RECORD];
	size_t nwindows;
	struct fr_window windows[2 * FR_MAX_WISHES];
};

struct hostile_world {
	struct fr_pool pool;
	struct fr_claims claims;
	size_t count;
	struct fr_disk disks[MAX_DISKS], *list[MAX_DISKS];
	struct hostile_disk hostile[MAX_DISKS];
};

static void set_place(struct hostile_disk *h, enum place place, uint64_t sectors, uint32_t sector_size)
{
	uint64_t back = 2;

	h->unit = sector_size / FR_SECTOR_SIZE;
	h->distance = 0;
	if (place == PLACE_4096)
		h->unit = 8;
	if (place == PLACE_MARKED) {
		h->distance = (uint32_t)sum_words(h->record + 0x30, 4, 1);
		back = (uint64_t)h->distance + 2;
	}
	if (place == PLACE_2115)
		back = 2115;
	h->anchor = sectors / h->unit < back ? 0 : (sectors / h->unit - back) * h->unit;
}

/* The serial number as one of the table's entries has it. */
static void set_serial(struct hostile_disk *h, unsigned entry)
{
	memset(h->serial, 0, sizeof(h->serial));
	if (entry == SERIAL_UNKNOWN)
		snprintf(h->serial, sizeof(h->serial), "UNKNOWN");
	else if (entry != SERIAL_OF_NONE)
		memcpy(h->serial, h->record + 0xd8 + (size_t)entry * 0x30, sizeof(h->serial) - 1);
}

static void take_record(struct input *in, struct hostile_world *w, size_t number, bool seal)
{
	struct hostile_disk *h = &w->hostile[number];
	size_t size = take_number(in, 2) % (MAX_RECORD + 1);

	if (size == 0 && number > 0)
		memcpy(h->record, w->hostile[number - 1].record, MAX_RECORD);
	else
		take_bytes(in, h->record, size);
	for (uint32_t n = take_number(in, 1) & MAX_PATCHES; n > 0; n--) {
		size_t at = take_number(in, 2), bytes = (size_t)1 << (at >> 14);

		at = (at & 0x3fff) % (MAX_RECORD - 8);
		take_bytes(in, h->record + at, bytes);
	}
	if (seal)
		isw_seal(h->record);
}

static void take_disk(struct input *in, struct hostile_world *w, uint64_t sectors, uint8_t flags)
{
	size_t number = w->count++;
	struct hostile_disk *h = &w->hostile[number];
	uint32_t how = take_number(in, 1), sector_size = (flags & FUZZ_4096) != 0 ? 4096 : FR_SECTOR_SIZE;
	static const char *const paths[MAX_DISKS] = { "A", "B", "C", "D" };

	take_record(in, w, number, (flags & FUZZ_SEAL) != 0);
	set_serial(h, how & 15);
	sectors += how >> 6; /* of disks that are not alike */
	set_place(h, (enum place)(how >> 4 & 3), sectors, sector_size);
	h->cut = (flags & ISW_CUT) != 0;
	w->list[number] = &w->disks[number];
	w->disks[number] = (struct fr_disk){
		.path = paths[number], .sectors = sectors, .sector_size = sector_size,
		.is_image = (flags & ISW_IMAGES) != 0, .serial = h->serial[0] == '\0' ? NULL : h->serial,
	};
}

/* ---- what the format sees of them ---- */

static uint64_t first_sector(const struct hostile_disk *h)
{
	uint64_t block = (uint64_t)h->unit * FR_SECTOR_SIZE, size = sum_words(h->record + 0x24, 4, 1);
	uint64_t before = size == 0 ? 0 : (size - 1) / block * h->unit;

	return before > h->anchor ? 0 : h->anchor - before;
}

static void sector_at(const struct fr_disk *disk, const struct hostile_disk *h, uint64_t lba, uint8_t *buf)
{
	static const uint8_t mark[] = { '$', 'G', 'A', 'F', 'R', 0x10 };
	uint64_t first = first_sector(h), at = MAX_RECORD;

	if (lba >= h->anchor && lba < h->anchor + h->unit)
		at = (lba - h->anchor) * FR_SECTOR_SIZE;
	else if (lba >= first && lba < h->anchor)
		at = (h->unit + lba - first) * FR_SECTOR_SIZE;
	memset(buf, 0, FR_SECTOR_SIZE);
	if (at < MAX_RECORD) {
		memcpy(buf, h->record + at, FR_SECTOR_SIZE);
	} else if (lba == disk->sectors - 1 && h->distance != 0) {
		memcpy(buf, mark, sizeof(mark));
		put_number(buf + sizeof(mark), 4, h->distance);
	}
}

/* Each window is an allocation of its own, so that a read past it is noticed. */
static void add_windows(const struct fr_disk *disk, struct hostile_disk *h, const struct fr_wish *wishes, size_t count)
{
	MUST(count <= FR_MAX_WISHES);
	for (size_t i = 0; i < count; i++) {
		const struct fr_wish *wish = &wishes[i];
		uint8_t *buf;

		if (wish->sectors == 0 || wish->sectors > FR_MAX_WISH_SECTORS ||
		    !fr_range_inside(wish->lba, wish->sectors, disk->sectors))
			continue;
		h->windows[h->nwindows] = (struct fr_window){ .lba = wish->lba, .sectors = wish->sectors };
		buf = malloc((size_t)wish->sectors * FR_SECTOR_SIZE);
		MUST(buf != NULL);
		for (uint32_t k = 0; k < wish->sectors; k++)
			sector_at(disk, h, wish->lba + k, buf + (size_t)k * FR_SECTOR_SIZE);
		if (h->cut && wish->lba < h->anchor)
			free(buf);
		else
			h->windows[h->nwindows].data = buf;
		h->nwindows++;
	}
}

static void look_at_disk(struct hostile_world *w, struct fr_disk *disk, struct hostile_disk *h)
{
	const struct fr_format_ops *ops = fr_format_isw.ops;
	struct fr_findings f = { .pool = &w->pool, .format = &fr_format_isw, .disk = disk, .claims = &w->claims };
	struct fr_view view = { .sectors = disk->sectors, .sector_size = disk->sector_size, .is_image = disk->is_image,
				.serial = disk->serial, .windows = h->windows };
	struct fr_wish wishes[FR_MAX_WISHES];
	size_t before = w->claims.count;

	add_windows(disk, h, wishes, ops->where(&view, wishes));
	view.nwindows = h->nwindows;
	add_windows(disk, h, wishes, ops->where_next(&view, wishes));
	view.nwindows = h->nwindows;
	disk->looks = fr_pool_array(&w->pool, h->nwindows + 1, sizeof(*disk->looks));
	MUST(disk->looks != NULL);
	for (size_t i = 0; i < h->nwindows; i++)
		disk->looks[disk->nlooks++] = (struct fr_look){
			.format = &fr_format_isw, .lba = h->windows[i].lba, .sectors = h->windows[i].sectors,
			.data = h->windows[i].data,
		};
	ops->claims(&view, &f);
	for (size_t i = before; i < w->claims.count; i++)
		fr_claim_check(&f, w->claims.list[i]);
}

/* ---- what must hold ---- */

/* The dump shows nothing that is not in the record. */
static void must_be_parts(const struct fr_look *look)
{
	static struct fr_part parts[MAX_PARTS];
	size_t size = look->record != NULL ? look->record_size : (size_t)look->sectors * FR_SECTOR_SIZE;

	for (size_t max = 0; max <= MAX_PARTS; max += 48) {
		size_t count = fr_look_parts(look, parts, max);

		MUST(count <= max);
		for (size_t i = 0; i < count; i++) {
			for (size_t k = 0; k < parts[i].nfields; k++) {
				const struct fr_field *field = &parts[i].fields[k];

				MUST(fr_range_inside(parts[i].offset + field->offset, field->size, size));
			}
		}
	}
}

static void must_be_rosters(const struct fr_claims *claims)
{
	for (size_t i = 0; i < claims->count; i++) {
		const struct fr_claim *c = claims->list[i];

		if (c->fault != NULL || c->role != FR_ROLE_MEMBER)
			continue;
		MUST(c->roster != NULL && c->seats != NULL && c->roster->nentries <= FR_MAX_ENTRIES);
		for (unsigned k = 0; k < c->width; k++)
			MUST(c->seats[k].entry < c->roster->nentries && c->seats[k].state != FR_MEMBER_MISSING);
	}
}

static void must_be_plans(const struct fr_set *set)
{
	for (size_t i = 0; plan_options(i) != NULL; i++) {
		struct fr_error err = { 0 };
		struct fr_plan *plan;

		if (fr_plan_new(set, plan_options(i), &plan, &err) != 0) {
			MUST(plan == NULL && err.code < 0 && err.text[0] != '\0');
			continue;
		}
		MUST(plan->read_only || set->use >= FR_USE_READ_ONLY_FIRST);
		must_be_tables(plan);
		fr_plan_free(plan);
	}
}

static void use_world(struct hostile_world *w)
{
	struct fr_scan scan = { .ndisks = w->count, .disks = w->list }, again = scan;
	const char *chosen[2] = { NULL, NULL };

	must_be_claims(&w->claims);
	must_be_rosters(&w->claims);
	fr_sets_make(&w->pool, &w->claims, NULL, &scan);
	must_be_scan(&scan);
	for (size_t i = 0; i < scan.nsets; i++)
		must_be_plans(scan.sets[i]);
	if (scan.nsets != 0)
		chosen[0] = scan.sets[scan.nsets - 1]->name;
	fr_sets_make(&w->pool, &w->claims, chosen, &again);
	must_be_scan(&again);
	MUST(again.nsets == scan.nsets);
	MUST(!w->pool.failed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct hostile_world w;
	struct input in = { data, size };
	uint8_t flags = (uint8_t)take_number(&in, 1);
	uint64_t sectors = take_number(&in, 4);

	memset(&w, 0, sizeof(w));
	for (unsigned n = (flags & ISW_DISKS) >> 2; w.count <= n; )
		take_disk(&in, &w, sectors, flags);
	for (size_t i = 0; i < w.count; i++)
		look_at_disk(&w, &w.disks[i], &w.hostile[i]);
	use_world(&w);
	for (size_t i = 0; i < w.count; i++) {
		for (size_t k = 0; k < w.disks[i].nlooks; k++)
			must_be_parts(&w.disks[i].looks[k]);
		for (size_t k = 0; k < w.hostile[i].nwindows; k++)
			free((void *)w.hostile[i].windows[k].data);
		fr_format_isw.ops->is_record(w.hostile[i].record);
	}
	fr_pool_free(&w.pool);
	return 0;
}

/* ---- seeds ---- */

/* The record at an anchor put together, its bytes at most MAX_RECORD; 0: there is none. */
static size_t read_record(int fd, uint64_t sectors, uint64_t back, uint32_t unit, uint8_t *to)
{
	uint64_t anchor = sectors / unit < back ? 0 : (sectors / unit - back) * unit, before;
	size_t block = (size_t)unit * FR_SECTOR_SIZE, size;

	if (anchor == 0 || fr_read_fully(fd, to, block, anchor * FR_SECTOR_SIZE) != 0 ||
	    memcmp(to, "Intel Raid ISM Cfg Sig. ", 24) != 0)
		return 0;
	size = (size_t)sum_words(to + 0x24, 4, 1);
	if (size > MAX_RECORD || size == 0)
		return block;
	before = (size - 1) / block * unit;
	if (before != 0 && before <= anchor && block + before * FR_SECTOR_SIZE <= MAX_RECORD)
		fr_read_fully(fd, to + block, before * FR_SECTOR_SIZE, (anchor - before) * FR_SECTOR_SIZE);
	return size;
}

/* One disk of a case: the entry of its number, its record. */
static size_t put_disk(int fd, uint64_t sectors, unsigned number, uint8_t *to)
{
	static const struct { uint64_t back; uint32_t unit; enum place place; } places[] = {
		{ 2, 1, PLACE_LAST }, { 2115, 1, PLACE_2115 }, { 2, 8, PLACE_4096 },
	};
	static uint8_t record[MAX_RECORD];

	for (size_t i = 0; i < FR_COUNT(places); i++) {
		size_t size;

		memset(record, 0, sizeof(record));
		size = read_record(fd, sectors, places[i].back, places[i].unit, record);
		if (size == 0)
			continue;
		to[0] = (uint8_t)(number | (unsigned)places[i].place << 4);
		put_number(to + 1, 2, size);
		memcpy(to + 3, record, size);
		to[3 + size] = 0;
		return 4 + size;
	}
	return 0;
}

size_t fuzz_seed(const char *folder, uint8_t *input)
{
	size_t at = 5;
	unsigned count = 0, number = 0;

	for (; count < MAX_DISKS; number++) {
		uint64_t sectors;
		int fd = open_seed(folder, number, &sectors);
		size_t size;

		if (fd < 0)
			break;
		size = put_disk(fd, sectors, number, input + at);
		close(fd);
		if (size == 0)
			continue;
		if (count++ == 0)
			put_number(input + 1, 4, sectors);
		at += size;
	}
	if (count == 0)
		return 0;
	input[0] = (uint8_t)(FUZZ_SEAL | ISW_IMAGES | (count - 1) << 2);
	return at;
}
