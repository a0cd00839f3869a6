// SPDX-License-Identifier: GPL-2.0-or-later
#include "commands.h"

static void run(struct cli *cli, int count, char **arguments)
{
	const struct command *command = count == 1 ? cli_find_command(cli, arguments[0]) : NULL;

	if (count > 1)
		cli_usage(cli, "help: '%s' is one argument too many", arguments[1]);
	else if (count == 0 || command != NULL)
		options_help(command);
}

const struct command command_help = {
	.name = "help",
	.arguments = "[COMMAND]",
	.help = "how to use a command",
	.examples = "help\nhelp cat\n",
	.run = run,
};
