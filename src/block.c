// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * block.c - block devices as sysfs and /proc show them: the
 * partitions that the kernel made of a disk, and who uses a device.
 *
 * The kernel looks for partitions on every disk, on the members of a set too,
 * where they are traps: the first partition of a mirror's half can be mounted
 * as it is. They are taken away while the set is active; that is a matter of
 * the kernel's memory only and changes nothing on the disk.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <linux/blkpg.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "dm.h"
#include "plan.h"

void fr_pause(unsigned milliseconds)
{
	struct timespec left = { .tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L };

	while (nanosleep(&left, &left) != 0 && errno == EINTR)
		;
}

/* ---- sysfs ---- */

int fr_sysfs_read(char *buf, size_t size, const char *format, ...)
{
	char path[512];
	va_list args;
	int rc;

	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	rc = fr_read_text(path, buf, size);
	buf[strcspn(buf, "\n")] = '\0';
	return rc;
}

dev_t fr_sysfs_devno(const char *text)
{
	char *colon;
	unsigned long first = strtoul(text, &colon, 10);

	return colon != text && *colon == ':' ? makedev((unsigned)first, (unsigned)strtoul(colon + 1, NULL, 10)) : 0;
}

static void sysfs_path(dev_t devno, const char *below, char *buf, size_t size)
{
	snprintf(buf, size, "/sys/dev/block/%u:%u%s%s", major(devno), minor(devno), below[0] == '\0' ? "" : "/", below);
}

void fr_block_name(dev_t devno, char *buf, size_t size)
{
	char path[64], target[512];
	const char *name;
	ssize_t length;

	sysfs_path(devno, "", path, sizeof(path));
	length = readlink(path, target, sizeof(target) - 1);
	target[length < 0 ? 0 : length] = '\0';
	name = strrchr(target, '/');
	snprintf(buf, size, "%s", name == NULL ? "?" : name + 1);
}

/* Adds what the entry `name` of a folder of devices is. */
static size_t add_link(const char *folder, const char *name, struct fr_block_link *links, size_t count)
{
	struct fr_block_link *link = &links[count];
	char text[32];

	if (name[0] == '.' || count == FR_MAX_BLOCK_LINKS || strlen(name) >= sizeof(link->name) ||
	    fr_sysfs_read(text, sizeof(text), "%s/%s/dev", folder, name) != 0)
		return count;
	*link = (struct fr_block_link){ .devno = fr_sysfs_devno(text) };
	memcpy(link->name, name, strlen(name) + 1);
	if (fr_sysfs_read(text, sizeof(text), "%s/%s/partition", folder, name) == 0)
		link->number = (unsigned)strtoul(text, NULL, 10);
	return count + 1;
}

static size_t links_in(const char *folder, struct fr_block_link *links)
{
	struct dirent *entry;
	size_t count = 0;
	DIR *dir = opendir(folder);

	if (dir == NULL)
		return 0;
	while ((entry = readdir(dir)) != NULL)
		count = add_link(folder, entry->d_name, links, count);
	closedir(dir);
	return count;
}

size_t fr_block_links(dev_t devno, const char *which, struct fr_block_link *links)
{
	char folder[64];

	sysfs_path(devno, which, folder, sizeof(folder));
	return links_in(folder, links);
}

/* They are folders beside the disk's own attributes, and the only ones that say which partition they are. */
size_t fr_block_partitions(dev_t disk, struct fr_block_link *links)
{
	size_t found = fr_block_links(disk, "", links), count = 0;

	for (size_t i = 0; i < found; i++) {
		if (links[i].number != 0)
			links[count++] = links[i];
	}
	return count;
}

/* ---- who holds a disk ---- */

/*
 * The first device built on this one that is no set's. Whose set it is that has such a device, and whether it is in the
 * way of another on the same disk, its name does not tell: the activation asks its table.
 */
static const char *holder_in(struct fr_pool *pool, const char *folder)
{
	struct fr_block_link holders[FR_MAX_BLOCK_LINKS];
	char text[FR_DM_UUID_SIZE], path[512];
	size_t count;

	snprintf(path, sizeof(path), "%s/holders", folder);
	count = links_in(path, holders);
	for (size_t i = 0; i < count; i++) {
		const char *name = holders[i].name;

		if (fr_sysfs_read(text, sizeof(text), "%s/%s/dm/uuid", path, name) == 0 &&
		    strncmp(text, FR_UUID_PREFIX, strlen(FR_UUID_PREFIX)) == 0)
			continue;
		if (fr_sysfs_read(text, sizeof(text), "%s/%s/dm/name", path, name) == 0 && text[0] != '\0')
			return fr_pool_text(pool, "%s (%s)", name, text);
		return fr_pool_text(pool, "%s", name);
	}
	return NULL;
}

const char *fr_block_holder(struct fr_pool *pool, const char *sysfs, dev_t disk)
{
	struct fr_block_link links[FR_MAX_BLOCK_LINKS];
	const char *folder = fr_pool_text(pool, "%s/dev/block/%u:%u", sysfs, major(disk), minor(disk)), *holder;
	size_t count;

	holder = holder_in(pool, folder);
	count = holder == NULL ? links_in(folder, links) : 0;
	for (size_t i = 0; i < count && holder == NULL; i++) {
		if (links[i].number != 0)
			holder = holder_in(pool, fr_pool_text(pool, "%s/%s", folder, links[i].name));
	}
	return holder;
}

const char *fr_disk_holder(struct fr_pool *pool, const struct fr_disk *disk)
{
	return disk->devno == 0 ? NULL : fr_block_holder(pool, "/sys", disk->devno);
}

/* ---- who uses a device ---- */

/* Whether a path below /dev is a node of the device; others are not looked at: they may be of a dead server. */
static bool is_node_of(const char *path, dev_t devno)
{
	struct stat st;

	return strncmp(path, "/dev/", 5) == 0 && stat(path, &st) == 0 && S_ISBLK(st.st_mode) && st.st_rdev == devno;
}

/* Undoes \040 and the like, by which /proc writes blanks in names. */
static void unescape(char *text)
{
	char *to = text;

	for (const char *from = text; *from != '\0'; to++) {
		if (from[0] == '\\' && strspn(from + 1, "01234567") >= 3) {
			*to = (char)((from[1] - '0') << 6 | (from[2] - '0') << 3 | (from[3] - '0'));
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

/* One line of mountinfo: "36 35 98:0 /root /mount/point options - type source options". */
static bool is_mount_of(char *line, dev_t devno, char **point)
{
	char *saved, *word = strtok_r(line, " ", &saved), *source = NULL;
	dev_t mounted = 0;

	*point = NULL;
	for (int i = 0; word != NULL; i++) {
		if (i == 2)
			mounted = fr_sysfs_devno(word);
		else if (i == 4)
			*point = word;
		else if (i > 5 && strcmp(word, "-") == 0 && strtok_r(NULL, " ", &saved) != NULL)
			source = strtok_r(NULL, " ", &saved);
		word = source == NULL ? strtok_r(NULL, " ", &saved) : NULL;
	}
	if (*point == NULL)
		return false;
	unescape(*point);
	/* btrfs gives its mounts numbers of their own: there the source tells. */
	return mounted == devno || (source != NULL && is_node_of(source, devno));
}

static bool is_mounted(dev_t devno, char *buf, size_t size)
{
	FILE *file = fopen("/proc/self/mountinfo", "re");
	char *line = NULL, *point;
	size_t allocated = 0;
	bool found = false;

	while (file != NULL && !found && getline(&line, &allocated, file) > 0) {
		found = is_mount_of(line, devno, &point);
		if (found)
			snprintf(buf, size, "mounted at %s", point);
	}
	free(line);
	if (file != NULL)
		fclose(file);
	return found;
}

static bool is_swap(dev_t devno, char *buf, size_t size)
{
	FILE *file = fopen("/proc/swaps", "re");
	char *line = NULL;
	size_t allocated = 0;
	bool found = false;

	while (file != NULL && !found && getline(&line, &allocated, file) > 0) {
		line[strcspn(line, " \t\n")] = '\0';
		unescape(line);
		found = is_node_of(line, devno);
	}
	if (found)
		snprintf(buf, size, "in use as swap space");
	free(line);
	if (file != NULL)
		fclose(file);
	return found;
}

static bool is_ours(dev_t devno, const struct fr_dm_node *ours, size_t nours)
{
	for (size_t i = 0; i < nours; i++) {
		if (ours[i].devno == devno)
			return true;
	}
	return false;
}

static bool is_held(dev_t devno, const struct fr_dm_node *ours, size_t nours, char *buf, size_t size)
{
	struct fr_block_link holders[FR_MAX_BLOCK_LINKS];
	size_t count = fr_block_links(devno, "holders", holders);

	for (size_t i = 0; i < count; i++) {
		char name[FR_DM_NAME_SIZE];

		if (is_ours(holders[i].devno, ours, nours))
			continue;
		if (fr_sysfs_read(name, sizeof(name), "/sys/block/%s/dm/name", holders[i].name) == 0)
			snprintf(buf, size, "in use by the device %s (%s)", name, holders[i].name);
		else
			snprintf(buf, size, "in use by %s", holders[i].name);
		return true;
	}
	return false;
}

bool fr_block_user(dev_t devno, const struct fr_dm_node *ours, size_t nours, char *buf, size_t size)
{
	return is_mounted(devno, buf, size) || is_swap(devno, buf, size) || is_held(devno, ours, nours, buf, size);
}

static bool has_open(const char *pid, dev_t devno)
{
	char path[512], target[512];
	struct dirent *entry;
	bool found = false;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%s/fd", pid);
	dir = opendir(path);
	while (dir != NULL && !found && (entry = readdir(dir)) != NULL) {
		ssize_t length = readlinkat(dirfd(dir), entry->d_name, target, sizeof(target) - 1);

		target[length < 0 ? 0 : length] = '\0';
		found = is_node_of(target, devno);
	}
	if (dir != NULL)
		closedir(dir);
	return found;
}

bool fr_block_process(dev_t devno, char *buf, size_t size)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	bool found = false;

	while (dir != NULL && !found && (entry = readdir(dir)) != NULL) {
		const char *pid = entry->d_name;
		char name[64];

		if (pid[0] < '0' || pid[0] > '9' || strtol(pid, NULL, 10) == getpid() || !has_open(pid, devno))
			continue;
		found = true;
		if (fr_sysfs_read(name, sizeof(name), "/proc/%s/comm", pid) != 0)
			snprintf(name, sizeof(name), "?");
		snprintf(buf, size, "open in process %s (%s)", pid, name);
	}
	if (dir != NULL)
		closedir(dir);
	return found;
}

/* ---- the partitions of a member ---- */

/* udev's workers may have it open for a moment. */
static int delete_partition(int fd, unsigned number)
{
	struct blkpg_partition partition = { .pno = (int)number };
	struct blkpg_ioctl_arg arg = {
		.op = BLKPG_DEL_PARTITION, .datalen = (int)sizeof(partition), .data = &partition,
	};

	for (int waited = 0; ioctl(fd, BLKPG, &arg) != 0; waited += FR_DM_RETRY_MS) {
		if (errno == ENXIO) /* it went away meanwhile */
			return 0;
		if (errno != EBUSY || waited >= FR_DM_CLAIM_MS)
			return -errno;
		fr_pause(FR_DM_RETRY_MS);
	}
	return 0;
}

static void warn_stays(struct fr_context *ctx, const struct fr_disk *disk, const struct fr_block_link *partition,
		       int rc)
{
	char user[256];

	if (!fr_block_user(partition->devno, NULL, 0, user, sizeof(user)) &&
	    !fr_block_process(partition->devno, user, sizeof(user)))
		snprintf(user, sizeof(user), "kept: %s", strerror(-rc));
	fr_log(ctx, FR_LOG_WARNING, "%s: the kernel's partition %s of this member stays, for it is %s; do not use it: "
	       "its data is the set's", disk->path, partition->name, user);
}

int fr_kernel_partitions_remove(struct fr_context *ctx, const struct fr_disk *disk, struct fr_error *err)
{
	struct fr_block_link partitions[FR_MAX_BLOCK_LINKS];
	size_t count = fr_block_partitions(disk->devno, partitions);
	int fd = count == 0 ? -1 : open(disk->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (count == 0)
		return 0;
	if (fd < 0)
		return fr_fail(err, -errno, "%s: the kernel's partitions of this member cannot be taken away: %s",
			       disk->path, strerror(errno));
	for (size_t i = 0; i < count; i++) {
		int rc = delete_partition(fd, partitions[i].number);

		if (rc != 0)
			warn_stays(ctx, disk, &partitions[i], rc);
	}
	close(fd);
	return 0;
}

int fr_kernel_partitions_restore(struct fr_context *ctx, dev_t devno)
{
	struct fr_block_link holders[FR_MAX_BLOCK_LINKS];
	char name[64], path[80];
	int fd, rc = 0;

	if (fr_block_links(devno, "holders", holders) != 0) /* another set lies on the same disk, and is active still */
		return 0;
	fr_block_name(devno, name, sizeof(name));
	for (char *c = name; *c != '\0'; c++) {
		if (*c == '!') /* what sysfs writes for a slash: cciss!c0d0 */
			*c = '/';
	}
	snprintf(path, sizeof(path), "/dev/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	/* Busy for a moment, while udev's workers look into a partition; busy for good if one is mounted. */
	for (int waited = 0; waited < FR_DM_CLAIM_MS; waited += FR_DM_RETRY_MS) {
		rc = ioctl(fd, BLKRRPART) == 0 ? 0 : -errno;
		if (rc != -EBUSY)
			break;
		fr_pause(FR_DM_RETRY_MS);
	}
	close(fd);
	if (rc != 0)
		fr_log(ctx, FR_LOG_DEBUG, "%s: its partitions are not read again: %s", path, strerror(-rc));
	return rc;
}
