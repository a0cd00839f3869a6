// SPDX-License-Identifier: GPL-2.0-or-later
/* link: -Wl,--wrap=pread -Wl,--wrap=pread64 */
/* Disks and scans: what cannot be opened or read, sizes, serials, formats chosen, names of sets. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "dm.h"
#include "faults.h"

enum { SECTORS = 4000 };

/* ---- a good disk: half of a mirror ---- */

#define GOOD_NAME "nvidia_ebedfabe"

static void good_record(uint8_t *sector, unsigned unit)
{
	static const struct edit fields[] = { /* words 30, version 100, level mirror, 2 disks, 1000 sectors */
		{ 0x08, 4, 30 }, { 0x10, 2, 100 }, { 0x14, 4, 1000 }, { 0x18, 4, 512 }, { 0x34, 4, 0x00640044 },
		{ 0x38, 4, 0x41435014 }, { 0x49, 2, 0x0201 }, { 0x4c, 4, 0x81 },
	};

	memset(sector, 0, FR_SECTOR_SIZE);
	memcpy(sector, "NVIDIA  ", 8);
	apply_edits(sector, fields);
	sector[0x12] = (uint8_t)unit;
	nvidia_seal(sector);
}

static void good_disk(struct image *image, uint64_t sectors, unsigned unit)
{
	uint8_t sector[FR_SECTOR_SIZE];

	good_record(sector, unit);
	image_new(image, sectors);
	image_write(image, sectors - 2, sector, 1);
}

static bool has_problem(const struct fr_scan *scan, const char *disk, bool unreadable)
{
	for (size_t i = 0; i < scan->nproblems; i++) {
		if (strcmp(scan->problems[i].disk, disk) == 0 && scan->problems[i].unreadable == unreadable &&
		    scan->problems[i].reason[0] != '\0')
			return true;
	}
	return false;
}

/* ---- what is no disk ---- */

static char folder[] = "/tmp/fakeraid-test-XXXXXX";
static char fifo[64], closed[64], empty_file[64], link_to_nothing[64];

static int make_folder(void **state)
{
	(void)state;
	if (mkdtemp(folder) == NULL)
		return -1;
	snprintf(fifo, sizeof(fifo), "%s/fifo", folder);
	snprintf(closed, sizeof(closed), "%s/closed", folder);
	snprintf(empty_file, sizeof(empty_file), "%s/empty", folder);
	snprintf(link_to_nothing, sizeof(link_to_nothing), "%s/link", folder);
	close(open(closed, O_CREAT | O_WRONLY, 0));
	close(open(empty_file, O_CREAT | O_WRONLY, 0600));
	return mkfifo(fifo, 0600) != 0 || symlink("/nonexistent", link_to_nothing) != 0;
}

static int remove_folder(void **state)
{
	(void)state;
	unlink(fifo);
	unlink(closed);
	unlink(empty_file);
	unlink(link_to_nothing);
	return rmdir(folder);
}

static const struct no_disk_row {
	const char *name, *path;
} no_disk_rows[] = {
	{ "nothing", "/nonexistent/disk" }, { "folder", folder }, { "fifo", fifo }, { "character device", "/dev/null" },
	{ "endless device", "/dev/zero" }, { "file that is closed to us", closed }, { "dead link", link_to_nothing },
	{ "no name", "" },
};

/* It is a problem, and hides no other disk. */
static void no_disk(void **state)
{
	const struct no_disk_row *row = *state;
	struct image image;
	const char *paths[3] = { row->path, NULL, NULL };
	struct fr_scan *scan;

	good_disk(&image, SECTORS, 0);
	paths[1] = image.path;
	scan = scan_paths(paths);
	assert_int_equal(scan->ndisks, 1);
	assert_int_equal(scan->nproblems, 1);
	assert_true(has_problem(scan, row->path, true));
	assert_int_equal(scan->nsets, 1);
	assert_string_equal(scan->sets[0]->name, GOOD_NAME);
	fr_scan_free(scan);
	image_free(&image);
}

static void only_bad_disks(void **state)
{
	static const char *const paths[] = { "/nonexistent/a", "/nonexistent/b", NULL };
	struct fr_scan *scan = scan_paths(paths);

	(void)state;
	assert_int_equal(scan->ndisks, 0);
	assert_int_equal(scan->nsets, 0);
	assert_int_equal(scan->nproblems, 2);
	fr_scan_free(scan);
}

static void no_disks_at_all(void **state)
{
	static const char *const paths[] = { NULL };
	struct fr_scan *scan = scan_paths(paths);

	(void)state;
	assert_int_equal(scan->ndisks + scan->nsets + scan->nproblems, 0);
	fr_scan_free(scan);
	fr_scan_free(NULL);
}

/* ---- sizes ---- */

static void facts_of_an_image(void **state)
{
	struct image image;
	struct fr_scan *scan;

	(void)state;
	good_disk(&image, SECTORS, 0);
	assert_int_equal(ftruncate(image.fd, SECTORS * FR_SECTOR_SIZE + 511), 0); /* part of a sector does not count */
	scan = scan_images(&image, 1);
	assert_int_equal(scan->ndisks, 1);
	assert_string_equal(scan->disks[0]->path, image.path);
	assert_int_equal(scan->disks[0]->sectors, SECTORS);
	assert_int_equal(scan->disks[0]->sector_size, 512);
	assert_true(scan->disks[0]->read_only && scan->disks[0]->is_image);
	assert_null(scan->disks[0]->serial);
	assert_int_equal(scan->disks[0]->devno, 0);
	assert_int_equal(scan->nsets, 1);
	fr_scan_free(scan);
	image_free(&image);
}

static void tiny_disks(void **state)
{
	struct image images[6];
	struct fr_scan *scan;

	(void)state;
	for (unsigned i = 0; i < 5; i++)
		image_new(&images[i], i == 4 ? 600 : i);
	good_disk(&images[5], SECTORS, 0);
	scan = scan_images(images, 6);
	assert_int_equal(scan->ndisks, 6);
	assert_int_equal(scan->nsets, 1);
	assert_true(has_problem(scan, images[0].path, false)); /* nothing can be looked at */
	assert_int_equal(scan->disks[0]->nlooks, 0);
	fr_scan_free(scan);
	images_free(images, 6);
}

/* Every number of sectors that a record may be cut at. */
static void every_small_size(void **state)
{
	(void)state;
	for (uint64_t sectors = 1; sectors < 2200; sectors += sectors < 20 ? 1 : 83) {
		struct image image;
		struct fr_scan *scan;
		uint8_t sector[FR_SECTOR_SIZE];

		good_record(sector, 0);
		image_new(&image, sectors);
		if (sectors > 1)
			image_write(&image, sectors - 2, sector, 1);
		scan = scan_images(&image, 1);
		assert_int_equal(scan->ndisks, 1);
		for (size_t i = 0; i < scan->nsets; i++)
			assert_true(sectors - 2 >= 1000); /* else the disk has no room for what it says */
		fr_scan_free(scan);
		image_free(&image);
	}
}

static void very_large_disk(void **state)
{
	struct image image;
	struct fr_scan *scan;

	(void)state;
	good_disk(&image, 1ull << 36, 1);
	scan = scan_images(&image, 1);
	assert_int_equal(scan->disks[0]->sectors, 1ull << 36);
	assert_int_equal(scan->nsets, 1);
	fr_scan_free(scan);
	image_free(&image);
}

/* ---- one disk given twice ---- */

static void disk_given_twice(void **state)
{
	struct image image;
	char other[64];
	const char *paths[5] = { 0 };
	struct fr_scan *scan;

	(void)state;
	good_disk(&image, SECTORS, 0);
	snprintf(other, sizeof(other), "/proc/%d/fd/%d", (int)getpid(), image.fd);
	paths[0] = paths[1] = paths[3] = image.path;
	paths[2] = other;
	scan = scan_paths(paths);
	assert_int_equal(scan->ndisks, 1);
	assert_int_equal(scan->nproblems, 0);
	assert_int_equal(scan->nsets, 1);
	assert_int_equal(scan->sets[0]->state, FR_SET_DEGRADED);
	assert_int_equal(scan->sets[0]->nleft_out, 0);
	fr_scan_free(scan);
	image_free(&image);
}

static void too_many_disks(void **state)
{
	enum { MANY = FR_MAX_DISKS + 1 };
	const char *paths[MANY + 1] = { 0 };
	struct fr_scan_options options = { .disks = paths };
	struct fr_error err = { 0 };
	struct fr_scan *scan;

	(void)state;
	for (size_t i = 0; i < MANY; i++)
		paths[i] = "/dev/null";
	assert_int_equal(fr_scan(NULL, &options, &scan, &err), -E2BIG);
	assert_null(scan);
	assert_true(err.text[0] != '\0');
	paths[FR_MAX_DISKS] = NULL;
	scan = scan_paths(paths);
	assert_int_equal(scan->nproblems, FR_MAX_DISKS);
	fr_scan_free(scan);
}

/* ---- sectors that cannot be read ---- */

static void record_that_cannot_be_read(void **state)
{
	struct image images[2];
	struct fr_scan *scan;
	const struct fr_look *look;

	(void)state;
	good_disk(&images[0], SECTORS, 0);
	good_disk(&images[1], SECTORS + 10, 1);
	inject(&images[0], SECTORS - 2, 1);
	scan = scan_images(images, 2);
	assert_int_equal(scan->nsets, 1);
	assert_int_equal(scan->sets[0]->state, FR_SET_DEGRADED);
	assert_string_equal(scan->sets[0]->members[1].disk->path, images[1].path);
	assert_true(has_problem(scan, images[0].path, true));
	assert_int_equal(scan->problems[0].lba, SECTORS - 2);
	look = find_look(scan->disks[0], "nvidia", SECTORS - 2);
	assert_null(look->data);
	assert_non_null(look->reason);
	fr_scan_free(scan);
	images_free(images, 2);
}

/* It became shorter between the look at its size and the reading. */
static void disk_that_shrinks_while_it_is_read(void **state)
{
	struct image images[2];
	struct fr_scan *scan;

	(void)state;
	good_disk(&images[0], SECTORS, 0);
	good_disk(&images[1], 1500, 1);
	injected.end = 2000;
	scan = scan_images(images, 2);
	assert_true(has_problem(scan, images[0].path, true));
	assert_int_equal(scan->nsets, 1);
	assert_string_equal(scan->sets[0]->members[1].disk->path, images[1].path);
	fr_scan_free(scan);
	images_free(images, 2);
}

static void interrupted_and_short_reads(void **state)
{
	struct image image;
	struct fr_scan *scan;

	(void)state;
	good_disk(&image, SECTORS, 0);
	injected.interrupts = 2;
	injected.longest = 7;
	scan = scan_images(&image, 1);
	assert_int_equal(scan->nsets, 1);
	assert_int_equal(scan->nproblems, 0);
	fr_scan_free(scan);
	image_free(&image);
}

static void reading_fully(void **state)
{
	uint8_t buf[3000], right[3000];
	struct image image;

	(void)state;
	image_new(&image, 10);
	pattern_fill(buf, 0, 5, 3);
	memcpy(right, buf, sizeof(right));
	image_write(&image, 0, buf, 5);
	for (size_t longest = 0; longest < 3; longest++) {
		memset(buf, 0, sizeof(buf));
		injected.longest = longest;
		injected.interrupts = longest == 0 ? 0 : 3;
		assert_int_equal(fr_read_fully(image.fd, buf, 2000, 100), 0);
		assert_memory_equal(buf, right + 100, 2000);
	}
	assert_int_equal(fr_read_fully(image.fd, buf, 10, 5115), -ENODATA);
	assert_int_equal(fr_read_fully(image.fd, buf, 0, 1 << 20), 0);
	inject(&image, 2, 1);
	injected.longest = 0;
	assert_int_equal(fr_read_fully(image.fd, buf, 1024, 512), -EIO);
	image_free(&image);
}

/* ---- options ---- */

static void serials_are_given(void **state)
{
	struct image images[2];
	char given[3][80];
	const char *serials[4] = { given[0], given[1], given[2], NULL }, *paths[3] = { 0 };
	struct fr_scan_options options = { .disks = paths, .serials = serials };
	struct fr_scan *scan;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		good_disk(&images[i], SECTORS, i);
		paths[i] = images[i].path;
	}
	snprintf(given[0], sizeof(given[0]), "%s=first", images[1].path);
	snprintf(given[1], sizeof(given[1]), "%s=WD-1=2 3", images[1].path); /* the last counts, all of it */
	snprintf(given[2], sizeof(given[2]), "%s0=other", images[0].path);   /* of another disk */
	assert_int_equal(fr_scan(NULL, &options, &scan, NULL), 0);
	assert_null(scan->disks[0]->serial);
	assert_string_equal(scan->disks[1]->serial, "WD-1=2 3");
	assert_string_equal(scan->sets[0]->members[1].serial, "WD-1=2 3");
	fr_scan_free(scan);
	images_free(images, 2);
}

static void formats_are_chosen(void **state)
{
	static const char *const nvidia[] = { "nvidia", NULL }, *const sil[] = { "sil", NULL };
	static const struct { const char *const *formats; size_t sets; } choices[] = {
		{ NULL, 1 }, { nvidia, 1 }, { sil, 0 },
	};
	struct image image;

	(void)state;
	good_disk(&image, SECTORS, 0);
	for (size_t i = 0; i < FR_COUNT(choices); i++) {
		const char *paths[] = { image.path, NULL };
		struct fr_scan_options options = { .disks = paths, .formats = choices[i].formats };
		struct fr_scan *scan;

		assert_int_equal(fr_scan(NULL, &options, &scan, NULL), 0);
		assert_int_equal(scan->nsets, choices[i].sets);
		if (choices[i].formats == sil)
			assert_null(find_look(scan->disks[0], "nvidia", SECTORS - 2));
		fr_scan_free(scan);
	}
	image_free(&image);
}

static void unknown_format(void **state)
{
	static const char *const formats[] = { "nvidia", "nvidia2", NULL }, *const paths[] = { "/dev/null", NULL };
	struct fr_scan_options options = { .disks = paths, .formats = formats };
	struct fr_error err = { 0 };
	struct fr_scan *scan;

	(void)state;
	assert_int_equal(fr_scan(NULL, &options, &scan, &err), -EINVAL);
	assert_null(scan);
	assert_contains(err.text, "nvidia2");
}

/* A record that lies elsewhere is found on request, told of, and never used. */
static void deep_look(void **state)
{
	uint8_t sector[FR_SECTOR_SIZE];
	struct image image;
	const char *paths[2] = { 0 };
	struct fr_scan_options options = { .disks = paths };
	struct fr_scan *scan;
	const struct fr_look *look;

	(void)state;
	good_record(sector, 0);
	image_new(&image, SECTORS + 100);
	image_write(&image, SECTORS - 2, sector, 1);
	paths[0] = image.path;
	for (int deep = 0; deep < 2; deep++) {
		options.deep = deep != 0;
		assert_int_equal(fr_scan(NULL, &options, &scan, NULL), 0);
		assert_int_equal(scan->nsets, 0);
		assert_int_equal(scan->nproblems, deep);
		look = find_look(scan->disks[0], "nvidia", SECTORS - 2);
		assert_int_equal(look != NULL, deep);
		if (deep) {
			assert_int_equal(look->verdict, FR_VERDICT_FOREIGN);
			assert_contains(scan->problems[0].reason, "4098"); /* where it was expected */
		}
		fr_scan_free(scan);
	}
	image_free(&image);
}

/* ---- who holds a disk ---- */

/* Makes a file of a line, and the folders above it: "dev/block/8:0/holders/md127/dev". */
static void sysfs_file(const char *root, const char *name, const char *line)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	for (char *c = path + strlen(root) + 1; *c != '\0'; c++) {
		if (*c != '/')
			continue;
		*c = '\0';
		assert_true(mkdir(path, 0700) == 0 || errno == EEXIST);
		*c = '/';
	}
	file = fopen(path, "w");
	assert_non_null(file);
	fprintf(file, "%s\n", line);
	assert_int_equal(fclose(file), 0);
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

#define DISK "dev/block/8:0/"
#define HOLDER(name, number) { DISK "holders/" name "/dev", number }
#define PART(name, number, which) { DISK name "/dev", number }, { DISK name "/partition", which }

static const struct holder_row {
	const char *name;
	struct { const char *file, *line; } files[12];
	const char *holder;
} holder_rows[] = {
	{ "a disk that is gone", { { "dev/block/8:16/dev", "8:16" } }, NULL },
	{ "a free disk", { { DISK "dev", "8:0" }, { DISK "holders/.keep", "" }, PART("sda1", "8:1", "1") }, NULL },
	{ "md on the disk", { HOLDER("md127", "9:127") }, "md127" },
	{ "md on a partition", { PART("sda1", "8:1", "1"), PART("sda2", "8:2", "2"),
	  { DISK "sda2/holders/md0/dev", "9:0" } }, "md0" },
	{ "device-mapper on the disk", { HOLDER("dm-3", "253:3"), { DISK "holders/dm-3/dm/name", "vg-root" },
	  { DISK "holders/dm-3/dm/uuid", "LVM-x" } }, "dm-3 (vg-root)" },
	{ "one without a uuid", { HOLDER("dm-3", "253:3"), { DISK "holders/dm-3/dm/name", "below" },
	  { DISK "holders/dm-3/dm/uuid", "" } }, "dm-3 (below)" },
	{ "one without a name", { HOLDER("dm-3", "253:3") }, "dm-3" },
	{ "a set", { HOLDER("dm-3", "253:3"), { DISK "holders/dm-3/dm/name", "nvidia_a-slice0" },
	  { DISK "holders/dm-3/dm/uuid", "DMRAID-nvidia_a-slice0" } }, NULL },
	{ "a set, and another device", { HOLDER("dm-3", "253:3"),
	  { DISK "holders/dm-3/dm/uuid", "DMRAID-nvidia_a" }, HOLDER("dm-4", "253:4"),
	  { DISK "holders/dm-4/dm/name", "other" } }, "dm-4 (other)" },
	{ "a set, and md on a partition", { HOLDER("dm-3", "253:3"),
	  { DISK "holders/dm-3/dm/uuid", "DMRAID-nvidia_a" }, PART("sda1", "8:1", "1"),
	  { DISK "sda1/holders/md5/dev", "9:5" } }, "md5" },
	{ "a partition of a set, mapped on the disk", { HOLDER("dm-3", "253:3"),
	  { DISK "holders/dm-3/dm/name", "sda1" }, { DISK "holders/dm-3/dm/uuid", "part1-DMRAID-a" } }, "dm-3 (sda1)" },
	{ "folders that are no partitions", { { DISK "queue/dev", "1:1" }, { DISK "queue/holders/md9/dev", "9:9" } },
	  NULL },
};

static void holder_of_a_disk(void **state)
{
	const struct holder_row *row = *state;
	char root[] = "/tmp/fakeraid-test-XXXXXX";
	struct fr_pool pool = { 0 };
	const char *holder;

	assert_non_null(mkdtemp(root));
	for (size_t i = 0; i < FR_COUNT(row->files) && row->files[i].file != NULL; i++)
		sysfs_file(root, row->files[i].file, row->files[i].line);
	holder = fr_block_holder(&pool, root, makedev(8, 0));
	if (row->holder == NULL)
		assert_null(holder);
	else
		assert_string_equal(holder, row->holder);
	assert_false(pool.failed);
	fr_pool_free(&pool);
	assert_int_equal(nftw(root, remove_entry, 8, FTW_DEPTH | FTW_PHYS), 0);
}

static void nobody_holds_an_image(void **state)
{
	struct fr_disk image = { .path = "a.img", .is_image = true };
	struct fr_pool pool = { 0 };

	(void)state;
	assert_null(fr_disk_holder(&pool, &image));
	fr_pool_free(&pool);
}

/* ---- sets by name ---- */

static void sets_by_name(void **state)
{
	static const struct { const char *name; int found; int code; } rows[] = {
		{ "nvidia_abc", 0, 0 }, { "nvidia_abcd", 1, 0 }, { "nvidia_x", 2, 0 }, { "/dev/mapper/nvidia_xyz", 2, 0 },
		{ "nvidia_ab", -1, -EINVAL }, { "nvidia_", -1, -EINVAL }, { "sil_", -1, -ENOENT }, { "", -1, -ENOENT },
		{ "nvidia_xyzz", -1, -ENOENT }, { "/dev/mapper/", -1, -ENOENT }, { "/dev/nvidia_xyz", -1, -ENOENT },
		{ "/dev/mapper/nvidia_abc", 0, 0 },
	};
	struct fr_set sets[] = { { .name = "nvidia_abc" }, { .name = "nvidia_abcd" }, { .name = "nvidia_xyz" } };
	struct fr_set *list[] = { &sets[0], &sets[1], &sets[2] };
	struct fr_scan scan = { .nsets = 3, .sets = list };

	(void)state;
	for (size_t i = 0; i < FR_COUNT(rows); i++) {
		struct fr_error err = { 0 };
		const struct fr_set *found = fr_scan_find(&scan, rows[i].name, &err);

		assert_ptr_equal(found, rows[i].found < 0 ? NULL : &sets[rows[i].found]);
		assert_int_equal(err.code, rows[i].code);
	}
}

static void log_hears_of_a_scan(void *data, enum fr_log_level level, const char *line)
{
	(void)level;
	assert_non_null(line);
	++*(unsigned *)data;
}

static void scan_logs(void **state)
{
	static const char *const paths[] = { NULL };
	struct fr_scan_options options = { .disks = paths };
	unsigned lines = 0;
	struct fr_context *ctx = fr_context_new(log_hears_of_a_scan, &lines);
	struct fr_scan *scan;

	(void)state;
	assert_int_equal(fr_scan(ctx, &options, &scan, NULL), 0);
	assert_true(lines > 0);
	fr_scan_free(scan);
	fr_context_free(ctx);
}

static void add_tests(struct test_list *list)
{
	for (size_t i = 0; i < FR_COUNT(no_disk_rows); i++) {
		if (no_disk_rows[i].path != closed || geteuid() != 0) /* nothing is closed to root */
			add_test(list, "no_disk", no_disk_rows[i].name, no_disk, &no_disk_rows[i]);
	}
	ADD_TEST(list, only_bad_disks);
	ADD_TEST(list, no_disks_at_all);
	ADD_TEST(list, facts_of_an_image);
	ADD_TEST(list, tiny_disks);
	ADD_TEST(list, every_small_size);
	ADD_TEST(list, very_large_disk);
	ADD_TEST(list, disk_given_twice);
	ADD_TEST(list, too_many_disks);
	ADD_TEST(list, record_that_cannot_be_read);
	ADD_TEST(list, disk_that_shrinks_while_it_is_read);
	ADD_TEST(list, interrupted_and_short_reads);
	ADD_TEST(list, reading_fully);
	ADD_TEST(list, serials_are_given);
	ADD_TEST(list, formats_are_chosen);
	ADD_TEST(list, unknown_format);
	ADD_TEST(list, deep_look);
	ADD_ROWS(list, holder_rows, holder_of_a_disk);
	ADD_TEST(list, nobody_holds_an_image);
	ADD_TEST(list, sets_by_name);
	ADD_TEST(list, scan_logs);
}

int main(void)
{
	struct test_list list = { 0 };
	int rc;

	if (make_folder(NULL) != 0)
		return 1;
	add_tests(&list);
	for (size_t i = 0; i < list.count; i++)
		list.tests[i].setup_func = all_well;
	rc = run_list("disk", &list);
	remove_folder(NULL);
	return rc;
}
