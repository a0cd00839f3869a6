// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * disk.c - which disks or images are there, how large, which serial, which
 * sector size. The only file that speaks to libudev.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <libudev.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "internal.h"

int fr_read_fully(int fd, void *buf, size_t length, uint64_t offset)
{
	char *to = buf;

	while (length > 0) {
		ssize_t got = pread(fd, to, length, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (got == 0)
			return -ENODATA;
		to += got;
		length -= (size_t)got;
		offset += (uint64_t)got;
	}
	return 0;
}

int fr_read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t length = 0;
	ssize_t got = fd < 0 ? -1 : 1;
	int rc;

	while (got > 0 && length < size - 1) {
		got = read(fd, text + length, size - 1 - length);
		length += got > 0 ? (size_t)got : 0;
	}
	rc = got < 0 ? -errno : 0;
	text[got < 0 ? 0 : length] = '\0';
	if (fd >= 0)
		close(fd);
	return rc;
}

/* ---- serial numbers ---- */

/* A property page that SCSI hands out: 4 bytes of header, then the text. */
static const char *serial_of_page_80(struct fr_pool *pool, const char *syspath)
{
	char path[512], page[260] = { 0 };
	ssize_t length;
	int fd;

	snprintf(path, sizeof(path), "%s/device/vpd_pg80", syspath);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	length = read(fd, page, sizeof(page) - 1);
	close(fd);
	return length > 4 ? fr_pool_text(pool, "%s", page + 4) : NULL;
}

static const char *trimmed(struct fr_pool *pool, const char *text)
{
	size_t length;

	if (text == NULL)
		return NULL;
	text += strspn(text, " ");
	length = strlen(text);
	while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\n'))
		length--;
	return length == 0 ? NULL : fr_pool_text(pool, "%.*s", (int)length, text);
}

/* The disk's own words first: in udev's database blanks have become underscores. */
static const char *serial_of(struct fr_pool *pool, dev_t devno)
{
	struct udev *udev = udev_new();
	struct udev_device *device = udev == NULL ? NULL : udev_device_new_from_devnum(udev, 'b', devno);
	const char *serial = NULL;

	if (device != NULL) {
		serial = serial_of_page_80(pool, udev_device_get_syspath(device));
		if (serial == NULL)
			serial = udev_device_get_sysattr_value(device, "device/serial");
		if (serial == NULL)
			serial = udev_device_get_sysattr_value(device, "serial");
		if (serial == NULL)
			serial = udev_device_get_property_value(device, "ID_SERIAL_SHORT");
		serial = trimmed(pool, serial);
		udev_device_unref(device);
	}
	udev_unref(udev);
	return serial;
}

/* ---- opening one ---- */

static int learn_block_device(struct fr_pool *pool, int fd, const struct stat *st, struct fr_disk *disk,
			      struct fr_error *err)
{
	uint64_t bytes;
	int sector_size, read_only = 0;

	if (ioctl(fd, BLKGETSIZE64, &bytes) != 0 || ioctl(fd, BLKSSZGET, &sector_size) != 0)
		return fr_fail(err, -errno, "cannot learn its size: %s", strerror(errno));
	if (sector_size < (int)FR_SECTOR_SIZE || !fr_is_power_of_2((uint64_t)sector_size))
		return fr_fail(err, -ENOTSUP, "sectors of %d bytes are not supported", sector_size);
	if (ioctl(fd, BLKROGET, &read_only) != 0)
		read_only = 0;
	disk->sectors = bytes / FR_SECTOR_SIZE;
	disk->sector_size = (uint32_t)sector_size;
	disk->read_only = read_only != 0;
	disk->devno = st->st_rdev;
	disk->serial = serial_of(pool, st->st_rdev);
	return 0;
}

static int learn(struct fr_pool *pool, int fd, struct fr_disk *disk, struct fr_error *err)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return fr_fail(err, -errno, "%s", strerror(errno));
	if (S_ISBLK(st.st_mode))
		return learn_block_device(pool, fd, &st, disk, err);
	if (!S_ISREG(st.st_mode))
		return fr_fail(err, -ENOTBLK, "neither a block device nor a regular file");
	disk->sectors = (uint64_t)st.st_size / FR_SECTOR_SIZE;
	disk->sector_size = FR_SECTOR_SIZE;
	disk->read_only = true;
	disk->is_image = true;
	return 0;
}

int fr_disk_open(struct fr_pool *pool, const char *path, struct fr_open_disk *open_disk, struct fr_error *err)
{
	struct fr_disk *disk = fr_pool_array(pool, 1, sizeof(*disk));
	/* O_NONBLOCK: a drive without a medium, or a pipe given by mistake, must not hold us up. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int rc;

	if (disk == NULL) {
		rc = fr_fail(err, -ENOMEM, "out of memory");
	} else if (fd < 0) {
		rc = fr_fail(err, -errno, "cannot be opened: %s%s", strerror(errno),
			     errno == EACCES ? "; run as root, or give images of the disks" : "");
	} else {
		disk->path = fr_pool_text(pool, "%s", path);
		rc = learn(pool, fd, disk, err);
	}
	if (rc != 0) {
		if (fd >= 0)
			close(fd);
		return rc;
	}
	open_disk->disk = disk;
	open_disk->fd = fd;
	return 0;
}

/* ---- the machine's disks ---- */

static bool begins(const char *text, const char *prefix)
{
	return text != NULL && strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_empty(struct udev_device *device)
{
	const char *size = udev_device_get_sysattr_value(device, "size");

	return size == NULL || strcmp(size, "0") == 0;
}

/* A path of a multipath map: the map stands for the disk. */
static bool is_multipath_path(struct udev_device *device)
{
	const char *value = udev_device_get_property_value(device, "DM_MULTIPATH_DEVICE_PATH");

	return value != NULL && strcmp(value, "1") == 0;
}

/* Whole disks of any kind, bound loops and multipath maps; nothing that is built on other disks. */
static bool is_disk(struct udev_device *device)
{
	static const char *const not_disks[] = { "ram", "zram", "md", "sr", "fd", "drbd", "bcache" };
	const char *name = udev_device_get_sysname(device);

	if (name == NULL || is_empty(device) || is_multipath_path(device))
		return false;
	if (begins(name, "dm-"))
		return begins(udev_device_get_sysattr_value(device, "dm/uuid"), "mpath-");
	for (size_t i = 0; i < FR_COUNT(not_disks); i++) {
		size_t length = strlen(not_disks[i]);

		if (begins(name, not_disks[i]) && name[length] >= '0' && name[length] <= '9')
			return false;
	}
	return true;
}

static int collect_disks(struct fr_pool *pool, struct udev *udev, struct udev_enumerate *list, char **paths)
{
	struct udev_list_entry *entry;
	size_t count = 0;

	udev_list_entry_foreach(entry, udev_enumerate_get_list_entry(list)) {
		struct udev_device *device = udev_device_new_from_syspath(udev, udev_list_entry_get_name(entry));
		const char *node = device == NULL ? NULL : udev_device_get_devnode(device);

		if (node != NULL && is_disk(device) && count < FR_MAX_DISKS) {
			paths[count] = (char *)fr_pool_text(pool, "%s", node);
			count++;
		}
		udev_device_unref(device);
	}
	return pool->failed ? -ENOMEM : 0;
}

int fr_disk_enumerate(struct fr_pool *pool, char ***paths, struct fr_error *err)
{
	struct udev *udev = udev_new();
	struct udev_enumerate *list = udev == NULL ? NULL : udev_enumerate_new(udev);
	int rc;

	*paths = fr_pool_array(pool, FR_MAX_DISKS + 1, sizeof(**paths));
	if (list == NULL || *paths == NULL) {
		rc = fr_fail(err, -ENOMEM, "out of memory");
	} else if (udev_enumerate_add_match_subsystem(list, "block") < 0 ||
		   udev_enumerate_add_match_property(list, "DEVTYPE", "disk") < 0 ||
		   udev_enumerate_scan_devices(list) < 0) {
		rc = fr_fail(err, -EIO, "the machine's disks cannot be listed through libudev; is /sys mounted?");
	} else {
		rc = collect_disks(pool, udev, list, *paths);
	}
	udev_enumerate_unref(list);
	udev_unref(udev);
	return rc;
}
