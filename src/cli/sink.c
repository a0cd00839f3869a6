// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE
#include "sink.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HOLE = 4096 }; /* what file systems make holes of */

static bool refuse(struct cli *cli, enum cli_status status)
{
	cli_status(cli, status);
	return false;
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	if (S_ISBLK(a->st_mode) && S_ISBLK(b->st_mode))
		return a->st_rdev == b->st_rdev;
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The disks that the data comes from are never written to, not even with --force. */
static bool is_source(const struct fr_scan *scan, const struct stat *st)
{
	for (size_t i = 0; i < scan->ndisks; i++) {
		struct stat disk;

		if (stat(scan->disks[i]->path, &disk) == 0 && same_file(&disk, st))
			return true;
	}
	return false;
}

static bool may_write(struct cli *cli, const struct fr_scan *scan, const struct sink *sink, const struct stat *st)
{
	if (is_source(scan, st)) {
		cli_error(cli, "%s: is one of the disks that are read, and is not written to", sink->name);
		return refuse(cli, STATUS_FAILED);
	}
	if (!sink->is_stdout && S_ISBLK(st->st_mode) && !cli->options.force) {
		cli_error(cli, "%s: is a block device; --force overwrites what is on it", sink->name);
		return refuse(cli, STATUS_FAILED);
	}
	/* With the name of the output forgotten, the first image would stand in its place. */
	if (!sink->is_stdout && S_ISREG(st->st_mode) && st->st_size > 0 && !cli->options.force) {
		cli_error(cli, "%s: exists; --force overwrites it", sink->name);
		return refuse(cli, STATUS_FAILED);
	}
	return true;
}

static bool take_stdout(struct cli *cli, const struct fr_scan *scan, struct sink *sink)
{
	struct stat st;

	sink->fd = STDOUT_FILENO;
	sink->name = "standard output";
	sink->is_stdout = true;
	if (isatty(STDOUT_FILENO) != 0 && !cli->options.force) {
		cli_usage(cli, "cat: the data is not for a terminal: give -o FILE, or --force");
		return false;
	}
	return fstat(STDOUT_FILENO, &st) != 0 || may_write(cli, scan, sink, &st);
}

bool sink_open(struct cli *cli, const struct fr_scan *scan, struct sink *sink)
{
	int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY;
	struct stat st;

	*sink = (struct sink){ .fd = -1, .name = cli->options.output };
	if (sink->name == NULL)
		return take_stdout(cli, scan, sink);
	if (stat(sink->name, &st) == 0) {
		if (!may_write(cli, scan, sink, &st))
			return false;
		if (S_ISBLK(st.st_mode)) /* exclusively: not one that is mounted, or a part of something */
			flags = O_WRONLY | O_EXCL | O_CLOEXEC;
	}
	sink->fd = open(sink->name, flags, 0666);
	if (sink->fd < 0) {
		cli_error(cli, "%s: cannot be written: %s", sink->name, strerror(errno));
		return refuse(cli, STATUS_FAILED);
	}
	sink->sparse = fstat(sink->fd, &st) == 0 && S_ISREG(st.st_mode);
	return true;
}

static bool is_zero(const uint8_t *data, size_t size)
{
	return data[0] == 0 && memcmp(data, data + 1, size - 1) == 0;
}

static bool write_fully(struct cli *cli, struct sink *sink, const uint8_t *data, size_t size)
{
	while (size > 0) {
		ssize_t n = sink->sparse ? pwrite(sink->fd, data, size, (off_t)sink->written) : write(sink->fd, data, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EPIPE) {
			sink->reader_gone = true;
			return false;
		}
		if (n < 0) {
			cli_error(cli, "%s: cannot be written after %llu bytes, which stay: %s", sink->name,
				  (unsigned long long)sink->written, strerror(errno));
			return refuse(cli, STATUS_FAILED);
		}
		sink->written += (uint64_t)n;
		data += n;
		size -= (size_t)n;
	}
	return true;
}

bool sink_write(struct cli *cli, struct sink *sink, const uint8_t *data, size_t size)
{
	while (sink->sparse && size > 0) {
		size_t run = 0;

		/* As much as is to be written in one go: up to the next block of zeros. */
		while (run < size && !is_zero(data + run, size - run < HOLE ? size - run : HOLE))
			run += size - run < HOLE ? size - run : HOLE;
		if (run != 0 && !write_fully(cli, sink, data, run))
			return false;
		data += run;
		size -= run;
		while (size > 0 && is_zero(data, size < HOLE ? size : HOLE)) {
			size_t hole = size < HOLE ? size : HOLE;

			sink->written += hole;
			data += hole;
			size -= hole;
		}
	}
	return write_fully(cli, sink, data, size);
}

void sink_close(struct cli *cli, struct sink *sink)
{
	int rc = 0;

	if (sink->fd < 0 || sink->is_stdout)
		return;
	if (sink->sparse)
		rc = ftruncate(sink->fd, (off_t)sink->written); /* the last bytes may be a hole */
	if (rc == 0 && fsync(sink->fd) != 0 && errno != EINVAL && errno != EROFS) /* not every file can be waited for */
		rc = -1;
	if (close(sink->fd) != 0)
		rc = -1;
	sink->fd = -1;
	if (rc != 0) {
		cli_error(cli, "%s: cannot be written: %s", sink->name, strerror(errno));
		cli_status(cli, STATUS_FAILED);
	}
}
