/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * faults.h - reads that go wrong, for a test that is linked with
 * --wrap=pread and --wrap=pread64; to be included by the test itself.
 */
#ifndef FR_TEST_FAULTS_H
#define FR_TEST_FAULTS_H

#include <sys/stat.h>

#include "testing.h"

static struct {
	size_t count;
	struct fault {
		const struct image *image;
		uint64_t first, count;
	} faults[8];             /* sectors that cannot be read */
	uint64_t end;            /* every file ends before this sector; 0: none does */
	size_t longest;          /* bytes of one read at most; 0: no limit */
	unsigned interrupts;     /* every so many calls are interrupted; 0: none */
	unsigned calls;
} injected;

ssize_t __real_pread(int fd, void *buf, size_t count, off_t offset);
ssize_t __wrap_pread(int fd, void *buf, size_t count, off_t offset);
ssize_t __wrap_pread64(int fd, void *buf, size_t count, off_t offset);

static bool is_image(int fd, const struct image *image)
{
	struct stat a, b;

	return fstat(fd, &a) == 0 && fstat(image->fd, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static bool is_faulty(int fd, uint64_t first, uint64_t last)
{
	for (size_t i = 0; i < injected.count; i++) {
		const struct fault *f = &injected.faults[i];

		if (first < f->first + f->count && f->first <= last && is_image(fd, f->image))
			return true;
	}
	return false;
}

ssize_t __wrap_pread(int fd, void *buf, size_t count, off_t offset)
{
	uint64_t first = (uint64_t)offset / FR_SECTOR_SIZE;

	if (injected.interrupts != 0 && ++injected.calls % injected.interrupts == 0) {
		errno = EINTR;
		return -1;
	}
	if (injected.longest != 0 && count > injected.longest)
		count = injected.longest;
	if (count != 0 && is_faulty(fd, first, ((uint64_t)offset + count - 1) / FR_SECTOR_SIZE)) {
		errno = EIO;
		return -1;
	}
	if (injected.end != 0 && first >= injected.end)
		return 0;
	return __real_pread(fd, buf, count, offset);
}

ssize_t __wrap_pread64(int fd, void *buf, size_t count, off_t offset)
{
	return __wrap_pread(fd, buf, count, offset);
}

static void inject(const struct image *image, uint64_t first, uint64_t count)
{
	assert_true(injected.count < FR_COUNT(injected.faults));
	injected.faults[injected.count++] = (struct fault){ image, first, count };
}

/* The setup of every test that may have faults: none left from the one before. */
static int all_well(void **state)
{
	(void)state;
	memset(&injected, 0, sizeof(injected));
	return 0;
}

#endif
