// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands.h"
#include "output.h"

static void run(struct cli *cli, int count, char **arguments)
{
	struct fr_scan *scan = cli_one_form(cli) ? look(cli, count, arguments) : NULL;
	struct set_facts *facts;

	if (scan == NULL)
		return;
	look_found(cli, scan, count != 0);
	facts = facts_load_all(cli, scan, cli->options.json);
	if (facts != NULL && cli->options.summary)
		output_summary(facts, scan->nsets);
	else if (facts != NULL && cli->options.json)
		json_list(scan, facts);
	else if (facts != NULL)
		output_list(scan, facts);
	strict_scan(cli, scan);
	facts_free_all(facts, scan->nsets);
	fr_scan_free(scan);
}

const struct command command_list = {
	.name = "list",
	.arguments = "[DISK...]",
	.help = "the sets, and what is on disks that are in no set",
	.options = OPTION(DEEP) | OPTION(SUMMARY),
	.examples = "list\nlist disk0.img disk1.img\nlist --format nvidia --json\nlist --summary\n",
	.statuses = "Disks that carry no metadata at all: 0 if none was named, else 1.\n",
	.run = run,
};
