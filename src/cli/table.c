// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands.h"
#include "mapping.h"
#include "output.h"

static void run(struct cli *cli, int count, char **arguments)
{
	struct fr_scan *scan = NULL;
	const struct fr_set *set = cli_one_form(cli) ? look_for_set(cli, count, arguments, &scan) : NULL;

	if (set != NULL)
		mapping_print(cli, &set, 1, true);
	fr_scan_free(scan);
}

const struct command command_table = {
	.name = "table",
	.arguments = "SET [DISK...]",
	.help = "the device-mapper tables of a set",
	.options = MAPPING_OPTIONS | OPTION(PARTITIONS) | OPTION(NO_PARTITIONS) | OPTION(SEPARATOR) | OPTION(CONCISE),
	.details = "One device after another, in the order to create them: a comment line with the\n"
		   "device's name, its UUID and, if it is so, 'read-only'; then its table.\n",
	.examples = "table nvidia_cdjgceeb\ntable --degraded rw nvidia_cdjgceeb\n"
		    "table --concise nvidia_cdjgceeb | dmsetup create --concise\n",
	.statuses = "A set that cannot be mapped, or not with these options, is 3.\n",
	.run = run,
};
