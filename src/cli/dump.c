// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands.h"
#include "output.h"

static void run(struct cli *cli, int count, char **arguments)
{
	struct fr_scan *scan = look(cli, count, arguments);

	if (scan == NULL)
		return;
	look_found(cli, scan, count != 0);
	if (cli->options.json)
		json_dump(scan, cli->options.raw);
	else
		output_dump(scan, cli->options.raw);
	strict_scan(cli, scan);
	fr_scan_free(scan);
}

const struct command command_dump = {
	.name = "dump",
	.arguments = "[DISK...]",
	.help = "every metadata block in the vendor's own fields",
	.options = OPTION(RAW) | OPTION(DEEP),
	.examples = "dump /dev/sdb\ndump --raw disk0.img\n",
	.statuses = "Disks that carry no metadata at all: 0 if none was named, else 1.\n",
	.run = run,
};
