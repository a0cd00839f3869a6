// SPDX-License-Identifier: GPL-2.0-or-later
/* progress.c - how far long work is, on a line of the terminal that is written over. */
#define _GNU_SOURCE
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

enum { EVERY = 250, LINE = 60 }; /* milliseconds, columns */

static uint64_t now(void)
{
	struct timespec t = { 0 };

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

void progress_start(const struct cli *cli, struct progress *p)
{
	*p = (struct progress){ .shown = !cli->options.quiet && isatty(STDERR_FILENO) != 0 };
	p->started = p->last = now();
}

int progress_show(void *data, uint64_t done, uint64_t total)
{
	struct progress *p = data;
	uint64_t t = p->shown ? now() : 0, left;
	char line[LINE + 1];
	double rate;

	if (!p->shown || t - p->last < EVERY || done == 0 || total == 0)
		return 0;
	p->last = t;
	rate = (double)done / (double)(t - p->started); /* sectors a millisecond */
	left = done > total ? 0 : (uint64_t)((double)(total - done) / rate / 1000);
	snprintf(line, sizeof(line), "%3.0f%%, %.1f MB/s, %llu:%02llu:%02llu left", 100.0 * (double)done / (double)total,
		 rate * FR_SECTOR_SIZE / 1000, (unsigned long long)left / 3600, (unsigned long long)left / 60 % 60,
		 (unsigned long long)left % 60);
	fprintf(stderr, "\r%-*s", LINE, line);
	fflush(stderr);
	return 0;
}

void progress_end(struct progress *p)
{
	if (p->shown)
		fprintf(stderr, "\r%*s\r", LINE, "");
	p->shown = false;
}
