/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mapping.h - what `table` and `activate --dry-run` have in common. */
#ifndef FR_CLI_MAPPING_H
#define FR_CLI_MAPPING_H

#include "cli.h"

#define MAPPING_OPTIONS (OPTION(DEGRADED) | OPTION(READ_ONLY) | OPTION(LAYOUT) | OPTION(DOUBTFUL) | \
			 OPTION(DMRAID_SIZE))

/*
 * Prints the tables of the sets as the options have them; what cannot be mapped is reported, and is a failure if the
 * sets were named.
 */
void mapping_print(struct cli *cli, const struct fr_set *const *sets, size_t count, bool named);

/* The partitions of a plan, or NULL; errors are warnings. */
struct fr_partitions *mapping_partitions(struct cli *cli, const struct fr_plan *plan);

/* What lies at the beginning of the set when it is mapped so ("dos", "ext4"), or NULL; to be freed. */
char *mapping_content(const struct cli *cli, const struct fr_plan *plan);

/* Says of a plan that was made on request only whether it looks right. */
void mapping_warn_doubt(const struct cli *cli, const struct fr_plan *plan);

#endif
