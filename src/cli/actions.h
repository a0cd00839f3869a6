/* SPDX-License-Identifier: GPL-2.0-or-later */
/* actions.h - what was done, set by set, until it is shown. */
#ifndef FR_CLI_ACTIONS_H
#define FR_CLI_ACTIONS_H

#include "output.h"

/* read_only, reason: NULL if there is nothing to say. */
void actions_add(struct cli *cli, struct actions *actions, const char *set, const char *result, const bool *read_only,
		 const char *reason);
/* Shows them, and frees them. */
void actions_end(const struct cli *cli, struct actions *actions);
void actions_free(struct actions *actions);

#endif
