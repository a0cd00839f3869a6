// SPDX-License-Identifier: GPL-2.0-or-later
#include "actions.h"
#include "active.h"
#include "commands.h"

static void deactivate(struct cli *cli, const char *name, struct actions *actions)
{
	struct fr_error err = { 0 };

	if (fr_deactivate(cli->context, name, &err) != 0) {
		cli_failed(cli, &err, STATUS_FAILED);
		actions_add(cli, actions, name, "failed", NULL, err.text);
		return;
	}
	actions_add(cli, actions, name, "deactivated", NULL, NULL);
}

static void run(struct cli *cli, int count, char **arguments)
{
	char **names = active_names(cli);
	struct actions actions = { 0 };

	if (names == NULL)
		return;
	if (count == 0 && names[0] == NULL)
		cli_warn(cli, "no set is active");
	for (size_t i = 0; count == 0 && names[i] != NULL; i++)
		deactivate(cli, names[i], &actions);
	for (int i = 0; i < count; i++) {
		const char *name = active_find(cli, names, arguments[i]);

		if (name != NULL)
			deactivate(cli, name, &actions);
	}
	actions_end(cli, &actions);
	active_free(names);
}

const struct command command_deactivate = {
	.name = "deactivate",
	.arguments = "[SET...]",
	.help = "remove the devices of sets (all active ones if none is named)",
	.details = "Partitions go first. What is in use stays, and it is said by whom.\n",
	.examples = "deactivate nvidia_cdjgceeb\ndeactivate\n",
	.statuses = "A set that is in use is 3, one that is not active 1.\n",
	.run = run,
};
