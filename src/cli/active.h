/* SPDX-License-Identifier: GPL-2.0-or-later */
/* active.h - the sets that are active, by name. */
#ifndef FR_CLI_ACTIVE_H
#define FR_CLI_ACTIVE_H

#include "cli.h"

/* Names of active sets, NULL-terminated, or NULL if they cannot be told, which is reported. */
char **active_names(struct cli *cli);
void active_free(char **names);

/* The active set that `name` means, as fr_scan_find() has it; NULL if there is none: `silent`, or reported. */
const char *active_find(struct cli *cli, char *const *names, const char *name);

#endif
