// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE
#include "actions.h"

#include <stdlib.h>
#include <string.h>

void actions_add(struct cli *cli, struct actions *actions, const char *set, const char *result, const bool *read_only,
		 const char *reason)
{
	struct action *list = realloc(actions->list, (actions->count + 1) * sizeof(*list));
	struct action a = {
		.set = strdup(set), .result = result, .has_access = read_only != NULL,
		.read_only = read_only != NULL && *read_only, .reason = reason == NULL ? NULL : strdup(reason),
	};

	if (list != NULL)
		actions->list = list;
	if (list == NULL || a.set == NULL) {
		free(a.set);
		free(a.reason);
		cli_no_memory(cli);
		return;
	}
	list[actions->count++] = a;
}

void actions_end(const struct cli *cli, struct actions *actions)
{
	if (cli->options.json)
		json_actions(actions);
	else
		output_actions(actions);
	actions_free(actions);
}

void actions_free(struct actions *actions)
{
	for (size_t i = 0; i < actions->count; i++) {
		free(actions->list[i].set);
		free(actions->list[i].reason);
	}
	free(actions->list);
	*actions = (struct actions){ 0 };
}
