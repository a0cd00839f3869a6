// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The whole flow over hostile disks: scan, plans, tables, reads, comparison,
 * partitions. An input is a byte of flags and the number of disks, and for
 * each disk its size and some sectors at the places that matter; all else of
 * the disks is a hole.
 */
#define _GNU_SOURCE
#include "fuzz.h"

#include <sys/mman.h>

const char fuzz_name[] = "flow";

enum {
	MAX_DISKS = 4, MAX_RECORDS = 8, MAX_READ = 96,
	FLOW_DISKS = 3,         /* in the flags: one less than the number of disks */
	FLOW_SEAL = 4, FLOW_DEEP = 8,
	DEEP_LIMIT = 8192,      /* sectors; a deep look at more takes too long for a fuzzer */
};

/* Where records lie: nvidia's, the four of sil; the rest are sectors from 0 on, where partition tables are. */
enum { PLACE_NVIDIA, PLACE_SIL, PLACE_HEAD = PLACE_SIL + 4 };

static uint64_t place_lba(uint8_t place, uint64_t sectors)
{
	if (place == PLACE_NVIDIA)
		return sectors - 2;
	if (place < PLACE_HEAD)
		return sectors - 1 - 512u * (place - (unsigned)PLACE_SIL);
	return place - (unsigned)PLACE_HEAD;
}

/* ---- disks in memory ---- */

struct disks {
	size_t count;
	int fds[MAX_DISKS];
	char paths[MAX_DISKS][32];
	const char *list[MAX_DISKS + 1];
	bool small;
};

static void put_records(struct input *in, int fd, uint64_t sectors, bool seal)
{
	for (uint32_t n = take_number(in, 1) % (MAX_RECORDS + 1); n > 0; n--) {
		uint8_t place = (uint8_t)take_number(in, 1), sector[FR_SECTOR_SIZE];
		uint64_t lba = place_lba(place, sectors);

		take_bytes(in, sector, sizeof(sector));
		if (seal && place == PLACE_NVIDIA)
			nvidia_seal(sector);
		else if (seal && place < PLACE_HEAD)
			sil_seal(sector);
		if (lba < sectors)
			MUST(pwrite(fd, sector, sizeof(sector), (off_t)(lba * FR_SECTOR_SIZE)) == sizeof(sector));
	}
}

static void make_disks(struct disks *d, struct input *in, uint8_t flags)
{
	d->count = (flags & FLOW_DISKS) + 1u;
	d->small = true;
	for (size_t i = 0; i < d->count; i++) {
		uint64_t sectors = take_number(in, 4);

		d->fds[i] = memfd_create("disk", MFD_CLOEXEC);
		MUST(d->fds[i] >= 0 && ftruncate(d->fds[i], (off_t)(sectors * FR_SECTOR_SIZE)) == 0);
		snprintf(d->paths[i], sizeof(d->paths[i]), "/proc/self/fd/%d", d->fds[i]);
		d->list[i] = d->paths[i];
		d->small = d->small && sectors <= DEEP_LIMIT;
		put_records(in, d->fds[i], sectors, (flags & FLOW_SEAL) != 0);
	}
	d->list[d->count] = NULL;
}

/* ---- what a plan is good for ---- */

static void read_at(struct fr_reader *reader, uint64_t sector, uint64_t sectors)
{
	uint8_t buf[MAX_READ * FR_SECTOR_SIZE];
	size_t count = sectors - sector < MAX_READ ? (size_t)(sectors - sector) : MAX_READ;

	MUST(fr_reader_read(reader, sector, count, buf, NULL) == 0); /* all disks can be read, so the set can */
}

static int stop_soon(void *data, uint64_t done, uint64_t total)
{
	MUST(done <= total);
	return ++*(int *)data > 3;
}

static void use_partitions(const struct fr_plan *plan, struct fr_reader *reader)
{
	struct fr_partitions *found;

	MUST(fr_partitions_read(reader, &found, NULL) == 0);
	for (size_t i = 0; i < found->count; i++) {
		char *name = fr_partition_name(plan->set->name, found->list[i].number, NULL);
		uint64_t end;

		MUST(name != NULL && fr_add(found->list[i].start, found->list[i].sectors, &end));
		free(name);
	}
	fr_partitions_free(found);
}

static void use_plan(const struct fr_plan *plan)
{
	uint64_t sectors = plan->devices[plan->ndevices - 1].sectors;
	struct fr_verify_result result;
	struct fr_reader *reader;
	uint8_t sector[FR_SECTOR_SIZE];
	int calls = 0;

	must_be_tables(plan);
	MUST(fr_reader_new(plan, &reader, NULL) == 0);
	read_at(reader, 0, sectors);
	read_at(reader, sectors / 2, sectors);
	read_at(reader, sectors - (sectors < MAX_READ / 2 ? sectors : MAX_READ / 2), sectors);
	read_at(reader, sectors - 1, sectors);
	MUST(fr_reader_read(reader, sectors, 1, sector, NULL) == -EINVAL);
	fr_verify(reader, &result, stop_soon, &calls, NULL);
	use_partitions(plan, reader);
	fr_reader_free(reader);
}

static void use_set(const struct fr_set *set)
{
	for (size_t i = 0; plan_options(i) != NULL; i++) {
		struct fr_error err = { 0 };
		struct fr_plan *plan;

		if (fr_plan_new(set, plan_options(i), &plan, &err) != 0) {
			MUST(plan == NULL && err.code < 0 && err.text[0] != '\0');
			continue;
		}
		MUST(plan->read_only || set->use >= FR_USE_READ_ONLY_FIRST);
		use_plan(plan);
		fr_plan_free(plan);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	uint8_t flags = (uint8_t)take_number(&in, 1);
	struct disks d;
	struct fr_scan *scan;

	make_disks(&d, &in, flags);
	struct fr_scan_options options = { .disks = d.list, .deep = (flags & FLOW_DEEP) != 0 && d.small };

	MUST(fr_scan(NULL, &options, &scan, NULL) == 0);
	MUST(scan->ndisks == d.count);
	must_be_scan(scan);
	for (size_t i = 0; i < scan->nsets; i++) {
		MUST(fr_scan_find(scan, scan->sets[i]->name, NULL) == scan->sets[i]);
		use_set(scan->sets[i]);
	}
	fr_scan_free(scan);
	for (size_t i = 0; i < d.count; i++)
		close(d.fds[i]);
	return 0;
}

/* ---- seeds ---- */

static bool is_record(const uint8_t *sector, uint8_t place)
{
	if (place == PLACE_NVIDIA)
		return memcmp(sector, "NVIDIA", 6) == 0;
	return sector[0x106] == 0x95 && sector[0x107] == 0x10;
}

/* A DOS table of a primary and an extended partition, and the first link of the chain in the next sector. */
static size_t put_tables(uint8_t *to)
{
	static const struct { uint8_t lba, type; uint32_t start, sectors; } entries[2][2] = {
		{ { 0, 0x83, 63, 500 }, { 0, 0x05, 1, 2000 } }, { { 1, 0x83, 10, 100 }, { 1, 0x05, 0, 300 } },
	};

	memset(to, 0, 2 * (FR_SECTOR_SIZE + 1));
	for (size_t s = 0; s < 2; s++, to += FR_SECTOR_SIZE + 1) {
		to[0] = (uint8_t)(PLACE_HEAD + s);
		for (size_t i = 0; i < 2; i++) {
			uint8_t *entry = to + 1 + 446 + 16 * i;

			entry[4] = entries[s][i].type;
			put_number(entry + 8, 4, entries[s][i].start);
			put_number(entry + 12, 4, entries[s][i].sectors);
		}
		put_number(to + 1 + 510, 2, 0xaa55);
	}
	return 2 * (FR_SECTOR_SIZE + 1);
}

/* One disk of a case: its size, its records, and on the first disk partition tables. */
static size_t put_disk(int fd, uint64_t sectors, bool tables, uint8_t *to)
{
	size_t at = 5;

	put_number(to, 4, sectors);
	to[4] = 0;
	for (uint8_t place = 0; place < PLACE_HEAD; place++) {
		uint64_t lba = place_lba(place, sectors);

		if (lba >= sectors || fr_read_fully(fd, to + at + 1, FR_SECTOR_SIZE, lba * FR_SECTOR_SIZE) != 0 ||
		    !is_record(to + at + 1, place))
			continue;
		to[at] = place;
		at += FR_SECTOR_SIZE + 1;
		to[4]++;
	}
	if (tables) {
		at += put_tables(to + at);
		to[4] = (uint8_t)(to[4] + 2);
	}
	return at;
}

size_t fuzz_seed(const char *folder, uint8_t *input)
{
	size_t at = 1;
	uint8_t count = 0;

	for (; count < MAX_DISKS; count++) {
		uint64_t sectors;
		int fd = open_seed(folder, count, &sectors);

		if (fd < 0)
			break;
		at += put_disk(fd, sectors, count == 0, input + at);
		close(fd);
	}
	if (count == 0)
		return 0;
	input[0] = (uint8_t)(FLOW_SEAL | FLOW_DEEP | (count - 1));
	return at;
}
