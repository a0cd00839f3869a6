// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE
#include "active.h"

#include <stdlib.h>
#include <string.h>

char **active_names(struct cli *cli)
{
	struct fr_error err = { 0 };
	char **names = NULL;

	if (fr_active_sets(cli->context, &names, &err) != 0) {
		cli_failed(cli, &err, STATUS_FAILED);
		return NULL;
	}
	return names;
}

void active_free(char **names)
{
	for (size_t i = 0; names != NULL && names[i] != NULL; i++)
		free(names[i]);
	free(names);
}

const char *active_find(struct cli *cli, char *const *names, const char *name)
{
	static const char node[] = "/dev/mapper/";
	const char *word = strncmp(name, node, sizeof(node) - 1) == 0 ? name + sizeof(node) - 1 : name;
	const char *found = NULL;
	size_t length = strlen(word);

	for (; *names != NULL; names++) {
		if (strcmp(*names, word) == 0)
			return *names;
		if (length == 0 || strncmp(*names, word, length) != 0)
			continue;
		if (found != NULL) {
			cli_error(cli, "'%s' may mean %s or %s", word, found, *names);
			cli_status(cli, STATUS_USAGE);
			return NULL;
		}
		found = *names;
	}
	if (found == NULL) {
		cli_error(cli, "no set '%s' is active", word);
		cli_status(cli, STATUS_NOT_THERE);
	}
	return found;
}
