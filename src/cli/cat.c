// SPDX-License-Identifier: GPL-2.0-or-later
/* cat.c - the data of a set, read in user space. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "commands.h"
#include "mapping.h"
#include "sink.h"

enum {
	BUFFER = 8192,          /* sectors: 4 MiB */
	ALIGNMENT = 4096,
	FINER = 16,             /* after a read error: this part of the step before, down to one sector */
};

struct copy {
	struct cli *cli;
	struct fr_reader *reader;
	struct sink sink;
	uint64_t from, count;   /* sectors */
	uint8_t *buffer;
};

/* Up to the first sector that cannot be read, which is told by taking smaller and smaller steps towards it. */
static void copy_sectors(struct copy *c)
{
	uint64_t done = 0;
	size_t step = BUFFER;
	struct progress progress;

	progress_start(c->cli, &progress);
	while (done < c->count) {
		size_t n = c->count - done < step ? (size_t)(c->count - done) : step;
		uint64_t at = c->from + done;
		struct fr_error err = { 0 };

		if (fr_reader_read(c->reader, at, n, c->buffer, &err) != 0) {
			if (n > 1) {
				step = n / FINER == 0 ? 1 : n / FINER;
				continue;
			}
			progress_end(&progress);
			cli_failed(c->cli, &err, STATUS_UNREADABLE);
			cli_error(c->cli, "sector %llu of the set cannot be read; the %llu before it are written and stay",
				  (unsigned long long)at, (unsigned long long)done);
			break;
		}
		if (!sink_write(c->cli, &c->sink, c->buffer, n * FR_SECTOR_SIZE))
			break;
		done += n;
		progress_show(&progress, done, c->count);
	}
	progress_end(&progress);
}

static void copy_plan(struct cli *cli, const struct fr_scan *scan, const struct fr_plan *plan)
{
	struct copy c = { .cli = cli, .from = cli->options.offset, .count = cli->options.count, .sink.fd = -1 };
	uint64_t size = plan->devices[plan->ndevices - 1].sectors;
	struct fr_error err = { 0 };

	if (c.from > size || (cli->options.has_count && c.count > size - c.from)) {
		cli_usage(cli, "cat: %s has %llu sectors: --offset and --count reach past its end", plan->set->name,
			  (unsigned long long)size);
		return;
	}
	if (!cli->options.has_count)
		c.count = size - c.from;
	c.buffer = aligned_alloc(ALIGNMENT, (size_t)BUFFER * FR_SECTOR_SIZE);
	if (c.buffer == NULL) {
		cli_no_memory(cli);
	} else if (fr_reader_new(plan, &c.reader, &err) != 0) {
		cli_failed(cli, &err, STATUS_UNREADABLE);
	} else if (sink_open(cli, scan, &c.sink)) {
		copy_sectors(&c);
	}
	sink_close(cli, &c.sink);
	fr_reader_free(c.reader);
	free(c.buffer);
}

static void run(struct cli *cli, int count, char **arguments)
{
	struct fr_scan *scan = NULL;
	const struct fr_set *set;
	struct fr_plan *plan;

	if (cli->options.json) {
		cli_usage(cli, "cat: data has no --json form");
		return;
	}
	set = look_for_set(cli, count, arguments, &scan);
	/* To read is harmless: what is in doubt is read, and said to be so. */
	cli->options.plan.on_request = true;
	cli->options.plan.read_only = true;
	plan = set == NULL ? NULL : look_plan(cli, set, true);
	if (plan != NULL) {
		mapping_warn_doubt(cli, plan);
		copy_plan(cli, scan, plan);
		strict_set(cli, set);
	}
	fr_plan_free(plan);
	fr_scan_free(scan);
}

const struct command command_cat = {
	.name = "cat",
	.arguments = "SET [DISK...]",
	.help = "the data of a set, read in user space",
	.options = OPTION(OFFSET) | OPTION(COUNT) | OPTION(OUTPUT) | OPTION(FORCE) | OPTION(DEGRADED) | OPTION(LAYOUT) |
		   OPTION(DMRAID_SIZE),
	.details = "Missing members are computed where that is possible. S counts sectors of 512 bytes.\n"
		   "At the first sector that cannot be read it ends; what was written stays.\n",
	.examples = "cat nvidia_cdjgceeb disk0.img disk1.img -o array.img\n"
		    "cat nvidia_cdjgceeb --offset 2048 --count 8 | xxd\n",
	.statuses = "A sector that cannot be read is 4.\n",
	.run = run,
};
