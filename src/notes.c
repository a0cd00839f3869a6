// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * notes.c - what is remembered of the disks that have come so far, for the
 * time of one boot: a file each below /run/fakeraid/disks, named by the
 * device's number, with the sequence number that the kernel gives each disk
 * (a device number may be used again) and its node. /run outlives the change
 * from the initramfs to the real root.
 *
 * That a disk is there is all that is noted. What it says is read anew.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "dm.h"
#include "notes.h"

#define FOLDER "/run/fakeraid"

enum { NAME_SIZE = 320 };

/* ---- files ---- */

static int make_folder(const char *which)
{
	char path[NAME_SIZE];

	snprintf(path, sizeof(path), FOLDER "/%s", which);
	if ((mkdir(FOLDER, 0755) != 0 && errno != EEXIST) || (mkdir(path, 0755) != 0 && errno != EEXIST))
		return -errno;
	return 0;
}

/* All of a small file or nothing: written beside it and renamed. */
static int write_file(const char *path, const char *text)
{
	char beside[NAME_SIZE + 32];
	int fd, rc = 0;

	snprintf(beside, sizeof(beside), "%s.%ld~", path, (long)getpid());
	fd = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		rc = errno == 0 ? -ENOSPC : -errno;
	if (close(fd) != 0 && rc == 0)
		rc = -errno;
	if (rc == 0 && rename(beside, path) != 0)
		rc = -errno;
	if (rc != 0)
		unlink(beside);
	return rc;
}

/* ---- disks ---- */

/* 0 where the kernel has none. */
static unsigned long long sequence_of(dev_t devno)
{
	char text[32];

	if (fr_sysfs_read(text, sizeof(text), "/sys/dev/block/%u:%u/diskseq", major(devno), minor(devno)) != 0)
		return 0;
	return strtoull(text, NULL, 10);
}

static void disk_path(dev_t devno, char *path, size_t size)
{
	snprintf(path, size, FOLDER "/disks/%u:%u", major(devno), minor(devno));
}

int fr_note_disk(const struct fr_disk *disk)
{
	char path[NAME_SIZE], text[NAME_SIZE];
	int rc = make_folder("disks");

	if (rc != 0)
		return rc;
	disk_path(disk->devno, path, sizeof(path));
	snprintf(text, sizeof(text), "%llu %s\n", sequence_of(disk->devno), disk->path);
	return write_file(path, text);
}

void fr_forget_disk(dev_t devno)
{
	char path[NAME_SIZE];

	disk_path(devno, path, sizeof(path));
	unlink(path);
}

/* The node of a noted disk, if it is still the one that was noted; else the note is taken away. */
static const char *noted_node(struct fr_pool *pool, const char *name)
{
	char path[NAME_SIZE], text[NAME_SIZE], *node;
	dev_t devno = fr_sysfs_devno(name);
	unsigned long long sequence;

	snprintf(path, sizeof(path), FOLDER "/disks/%s", name);
	if (devno == 0 || strchr(name, '~') != NULL || fr_read_text(path, text, sizeof(text)) != 0)
		return NULL;
	sequence = strtoull(text, &node, 10);
	text[strcspn(text, "\n")] = '\0';
	if (*node != ' ' || sequence != sequence_of(devno)) {
		unlink(path);
		return NULL;
	}
	return fr_pool_text(pool, "%s", node + 1);
}

size_t fr_noted_disks(struct fr_pool *pool, const char **nodes, size_t max)
{
	DIR *dir = opendir(FOLDER "/disks");
	struct dirent *entry;
	size_t count = 0;

	while (dir != NULL && count < max && (entry = readdir(dir)) != NULL) {
		const char *node = noted_node(pool, entry->d_name);

		if (node != NULL)
			nodes[count++] = node;
	}
	if (dir != NULL)
		closedir(dir);
	return count;
}

/* ---- sets ---- */

/* The name of a set is made of what device-mapper takes: no slash is in it. */
static void set_path(const char *which, const char *set_name, char *path, size_t size)
{
	snprintf(path, size, FOLDER "/%s/%s", which, set_name);
}

int fr_note_set(const char *which, const char *set_name, const char *text)
{
	char path[NAME_SIZE];
	int rc = make_folder(which);

	if (rc != 0)
		return rc;
	set_path(which, set_name, path, sizeof(path));
	return write_file(path, text);
}

bool fr_noted_set(const char *which, const char *set_name, char *text, size_t size)
{
	char path[NAME_SIZE];

	set_path(which, set_name, path, sizeof(path));
	return fr_read_text(path, text, size) == 0;
}

void fr_forget_set(const char *which, const char *set_name)
{
	char path[NAME_SIZE];

	set_path(which, set_name, path, sizeof(path));
	unlink(path);
}
