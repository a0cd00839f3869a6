// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "commands.h"
#include "output.h"

static void run(struct cli *cli, int count, char **arguments)
{
	struct fr_error err = { 0 };
	char **names;

	if (count != 1) {
		cli_usage(cli, "compat-links: the uuid of a device is expected");
		return;
	}
	if (fr_compat_names(arguments[0], &names, &err) != 0) {
		cli_failed(cli, &err, STATUS_FAILED);
		return;
	}
	export_list("FAKERAID_LINKS");
	for (size_t i = 0; names[i] != NULL; i++) {
		export_link(names[i]);
		free(names[i]);
	}
	export_list(NULL);
	free(names);
}

const struct command command_compat_links = {
	.name = "compat-links",
	.arguments = "UUID",
	.help = "for udev: other names by which installations know a set's device or partition",
	.options = OPTION(EXPORT),
	.examples = "compat-links --export part1-DMRAID-isw_bchgfgafea_Volume1\n",
	.run = run,
};
