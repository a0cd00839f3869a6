// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands.h"
#include "output.h"

static void run(struct cli *cli, int count, char **arguments)
{
	struct fr_scan *scan;
	const struct fr_set *set = look_for_set(cli, count, arguments, &scan);

	if (set != NULL) {
		struct set_facts facts;

		facts_load(cli, set, &facts);
		facts_load_partitions(cli, &facts);
		if (cli->options.json)
			json_show(&facts);
		else
			output_show(&facts);
		strict_set(cli, set);
		facts_free(&facts);
	}
	fr_scan_free(scan);
}

const struct command command_show = {
	.name = "show",
	.arguments = "SET [DISK...]",
	.help = "one set whole: geometry, members, devices, partitions",
	.examples = "show nvidia_cdjgceeb\nshow nvidia disk0.img disk1.img\n",
	.run = run,
};
