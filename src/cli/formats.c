// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands.h"
#include "output.h"

static void run(struct cli *cli, int count, char **arguments)
{
	if (count != 0)
		cli_usage(cli, "formats: '%s' is one argument too many", arguments[0]);
	else if (cli->options.json)
		json_formats();
	else
		output_formats();
}

const struct command command_formats = {
	.name = "formats",
	.arguments = "",
	.help = "the metadata formats that are known",
	.examples = "formats\nformats --json\n",
	.run = run,
};
