/* SPDX-License-Identifier: GPL-2.0-or-later */
/* boot.h - assembling sets because they are there, and not because somebody asked for them. */
#ifndef FR_CLI_BOOT_H
#define FR_CLI_BOOT_H

#include "cli.h"

/*
 * Activates a set as the policy says; without its missing members only as a last resort. One that is not ready is left
 * alone; as a last resort that is said, and its disks are given back where that is safe.
 */
void boot_assemble(struct cli *cli, const struct fr_policy *policy, const struct fr_set *set, bool last_resort);

/* activate --boot: the sets that are named, or all. */
void boot_activate(struct cli *cli, int count, char **names);

#endif
