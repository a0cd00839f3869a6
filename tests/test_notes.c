// SPDX-License-Identifier: GPL-2.0-or-later
/* link: -Wl,--wrap=open -Wl,--wrap=mkdir -Wl,--wrap=rename -Wl,--wrap=unlink -Wl,--wrap=opendir -Wl,--wrap=fr_sysfs_read */
/* What is remembered for the time of a boot. /run is a folder of the test's own. */
#define _GNU_SOURCE
#include "notes.h"
#include "testing.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "dm.h"

enum { PATH = 512, MAX = 8 };

static char folder[] = "/tmp/fakeraid-notes-XXXXXX";
static int mkdir_fails;

/* Sequence numbers of the disks 8:0, 8:16 ...; 0: the kernel has none, or no such disk. */
static unsigned sequences[MAX];

int __real_open(const char *path, int flags, ...);
int __real_mkdir(const char *path, mode_t mode);
int __real_rename(const char *from, const char *to);
int __real_unlink(const char *path);
DIR *__real_opendir(const char *path);

int __wrap_open(const char *path, int flags, ...);
int __wrap_mkdir(const char *path, mode_t mode);
int __wrap_rename(const char *from, const char *to);
int __wrap_unlink(const char *path);
DIR *__wrap_opendir(const char *path);
int __wrap_fr_sysfs_read(char *buf, size_t size, const char *format, ...);

/* A path below /run in the test's folder; nothing else is to be touched. */
static const char *moved(const char *path, char *buf)
{
	if (strncmp(path, "/run/", 5) != 0)
		fail_msg("%s is none of its business", path);
	snprintf(buf, PATH, "%s/%s", folder, path + 5);
	return buf;
}

int __wrap_open(const char *path, int flags, ...)
{
	char buf[PATH];

	return __real_open(strncmp(path, "/run/", 5) == 0 ? moved(path, buf) : path, flags, 0644);
}

int __wrap_mkdir(const char *path, mode_t mode)
{
	char buf[PATH];

	if (mkdir_fails != 0) {
		errno = mkdir_fails;
		return -1;
	}
	return __real_mkdir(moved(path, buf), mode);
}

int __wrap_rename(const char *from, const char *to)
{
	char buf[2][PATH];

	return __real_rename(moved(from, buf[0]), moved(to, buf[1]));
}

int __wrap_unlink(const char *path)
{
	char buf[PATH];

	return __real_unlink(moved(path, buf));
}

DIR *__wrap_opendir(const char *path)
{
	char buf[PATH];

	return __real_opendir(moved(path, buf));
}

int __wrap_fr_sysfs_read(char *buf, size_t size, const char *format, ...)
{
	unsigned first, second;
	va_list args;

	assert_string_equal(format, "/sys/dev/block/%u:%u/diskseq");
	va_start(args, format);
	first = va_arg(args, unsigned);
	second = va_arg(args, unsigned);
	va_end(args);
	if (first != 8 || second / 16 >= MAX || sequences[second / 16] == 0)
		return -ENOENT;
	snprintf(buf, size, "%u", sequences[second / 16]);
	return 0;
}

/* ---- the folder ---- */

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	return at->level == 0 ? 0 : remove(path);
}

static void empty_folder(void)
{
	nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	memset(sequences, 0, sizeof(sequences));
	mkdir_fails = 0;
}

static bool is_there(const char *name)
{
	char path[PATH];

	snprintf(path, sizeof(path), "%s/fakeraid/%s", folder, name);
	return access(path, F_OK) == 0;
}

static void put_file(const char *name, const char *text)
{
	char path[PATH];
	FILE *file;

	snprintf(path, sizeof(path), "%s/fakeraid/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* ---- disks ---- */

static void note(unsigned number, const char *node)
{
	const struct fr_disk disk = { .path = node, .devno = makedev(8, 16 * number) };

	assert_int_equal(fr_note_disk(&disk), 0);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The nodes that are noted, in the order of their names, a blank between two; it lives until the next call. */
static const char *noted(size_t max)
{
	static char text[PATH];
	struct fr_pool pool = { 0 };
	const char *nodes[MAX + 1];
	size_t count = fr_noted_disks(&pool, nodes, max), length = 0;

	assert_true(count <= max);
	qsort(nodes, count, sizeof(nodes[0]), by_name);
	text[0] = '\0';
	for (size_t i = 0; i < count; i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%s", i == 0 ? "" : " ", nodes[i]);
	fr_pool_free(&pool);
	return text;
}

static void nothing_noted(void **state)
{
	(void)state;
	empty_folder();
	assert_string_equal(noted(MAX), "");
	fr_forget_disk(makedev(8, 0));
	assert_string_equal(noted(MAX), "");
}

static void disks_come_and_go(void **state)
{
	(void)state;
	empty_folder();
	for (unsigned i = 0; i < 3; i++)
		sequences[i] = i + 1;
	note(0, "/dev/sda");
	note(2, "/dev/sdc");
	note(1, "/dev/sdb");
	assert_string_equal(noted(MAX), "/dev/sda /dev/sdb /dev/sdc");
	assert_true(is_there("disks/8:0"));
	fr_forget_disk(makedev(8, 16));
	assert_string_equal(noted(MAX), "/dev/sda /dev/sdc");
	fr_forget_disk(makedev(8, 16));
	note(1, "/dev/sdb");
	assert_string_equal(noted(MAX), "/dev/sda /dev/sdb /dev/sdc");
	assert_int_equal(strlen(noted(2)), strlen("/dev/sda /dev/sdb"));
	assert_string_equal(noted(0), "");
}

static void noted_twice(void **state)
{
	(void)state;
	empty_folder();
	sequences[0] = 1;
	note(0, "/dev/sda");
	note(0, "/dev/sda");
	assert_string_equal(noted(MAX), "/dev/sda");
	note(0, "/dev/other");
	assert_string_equal(noted(MAX), "/dev/other");
}

/* The number of a disk that has gone is given to the next one: the note is not of that. */
static void number_used_again(void **state)
{
	(void)state;
	empty_folder();
	sequences[0] = 7;
	sequences[1] = 8;
	note(0, "/dev/sda");
	note(1, "/dev/sdb");
	sequences[0] = 9;
	assert_string_equal(noted(MAX), "/dev/sdb");
	assert_false(is_there("disks/8:0"));
	sequences[1] = 0; /* gone, and nobody said so */
	assert_string_equal(noted(MAX), "");
	assert_false(is_there("disks/8:16"));
}

/* An old kernel does not number its disks. */
static void no_sequence(void **state)
{
	(void)state;
	empty_folder();
	note(0, "/dev/sda");
	assert_string_equal(noted(MAX), "/dev/sda");
}

static void other_files(void **state)
{
	(void)state;
	empty_folder();
	sequences[0] = sequences[1] = sequences[2] = 1;
	note(0, "/dev/sda");
	put_file("disks/README", "1 /dev/sdx\n");
	put_file("disks/8:16.123~", "1 /dev/sdb\n"); /* being written */
	put_file("disks/8:32", "");
	assert_string_equal(noted(MAX), "/dev/sda");
	assert_true(is_there("disks/8:16.123~"));
	note(2, "/dev/sdc");
	assert_string_equal(noted(MAX), "/dev/sda /dev/sdc");
}

static void node_with_a_blank(void **state)
{
	(void)state;
	empty_folder();
	sequences[0] = 1;
	note(0, "/tmp/my disk");
	assert_string_equal(noted(MAX), "/tmp/my disk");
}

/* What is left after a failure is what was there before. */
static void cannot_be_noted(void **state)
{
	const struct fr_disk disk = { .path = "/dev/sda", .devno = makedev(8, 0) };

	(void)state;
	empty_folder();
	mkdir_fails = EROFS;
	assert_int_equal(fr_note_disk(&disk), -EROFS);
	assert_int_equal(fr_note_set(FR_NOTE_ALIASES, "set", "x"), -EROFS);
	mkdir_fails = 0;
	assert_string_equal(noted(MAX), "");
}

/* ---- sets ---- */

static void sets(void **state)
{
	char text[64] = "";

	(void)state;
	empty_folder();
	assert_false(fr_noted_set(FR_NOTE_ALIASES, "isw_a_V", text, sizeof(text)));
	assert_int_equal(fr_note_set(FR_NOTE_ALIASES, "isw_a_V", "one\ntwo\n"), 0);
	assert_true(fr_noted_set(FR_NOTE_ALIASES, "isw_a_V", text, sizeof(text)));
	assert_string_equal(text, "one\ntwo\n");
	assert_false(fr_noted_set(FR_NOTE_RELEASED, "isw_a_V", text, sizeof(text)));
	assert_false(fr_noted_set(FR_NOTE_ALIASES, "isw_a_V1", text, sizeof(text)));
	assert_int_equal(fr_note_set(FR_NOTE_ALIASES, "isw_a_V", "three\n"), 0);
	assert_true(fr_noted_set(FR_NOTE_ALIASES, "isw_a_V", text, sizeof(text)));
	assert_string_equal(text, "three\n");
	fr_forget_set(FR_NOTE_ALIASES, "isw_a_V");
	assert_false(fr_noted_set(FR_NOTE_ALIASES, "isw_a_V", text, sizeof(text)));
	fr_forget_set(FR_NOTE_ALIASES, "isw_a_V");
}

static void a_long_text_is_cut(void **state)
{
	char text[5];

	(void)state;
	empty_folder();
	assert_int_equal(fr_note_set(FR_NOTE_ALIASES, "set", "123456789"), 0);
	assert_true(fr_noted_set(FR_NOTE_ALIASES, "set", text, sizeof(text)));
	assert_string_equal(text, "1234");
}

static void the_longest_name(void **state)
{
	char name[FR_MAX_DM_NAME + 1], text[8];

	(void)state;
	empty_folder();
	memset(name, 'x', FR_MAX_DM_NAME);
	name[FR_MAX_DM_NAME] = '\0';
	assert_int_equal(fr_note_set(FR_NOTE_RELEASED, name, "1\n"), 0);
	assert_true(fr_noted_set(FR_NOTE_RELEASED, name, text, sizeof(text)));
	assert_string_equal(text, "1\n");
}

int main(void)
{
	struct test_list list = { 0 };
	int rc;

	if (mkdtemp(folder) == NULL) {
		perror(folder);
		return 1;
	}
	ADD_TEST(&list, nothing_noted);
	ADD_TEST(&list, disks_come_and_go);
	ADD_TEST(&list, noted_twice);
	ADD_TEST(&list, number_used_again);
	ADD_TEST(&list, no_sequence);
	ADD_TEST(&list, other_files);
	ADD_TEST(&list, node_with_a_blank);
	ADD_TEST(&list, cannot_be_noted);
	ADD_TEST(&list, sets);
	ADD_TEST(&list, a_long_text_is_cut);
	ADD_TEST(&list, the_longest_name);
	rc = run_list("notes", &list);
	empty_folder();
	rmdir(folder);
	return rc;
}
