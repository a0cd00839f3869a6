// SPDX-License-Identifier: GPL-2.0-or-later
/* mapping.c - plans as the options have them, and as they are printed. */
#include <stdlib.h>

#include "mapping.h"
#include "output.h"

struct fr_partitions *mapping_partitions(struct cli *cli, const struct fr_plan *plan)
{
	struct fr_partitions *partitions = NULL;
	struct fr_reader *reader = NULL;
	struct fr_error err = { 0 };

	if (fr_reader_new(plan, &reader, &err) != 0 || fr_partitions_read(reader, &partitions, &err) != 0)
		cli_warn(cli, "%s: the partitions cannot be told: %s", plan->set->name, err.text);
	fr_reader_free(reader);
	return partitions;
}

char *mapping_content(const struct cli *cli, const struct fr_plan *plan)
{
	struct fr_reader *reader = NULL;
	struct fr_error err = { 0 };
	char *name = NULL;

	if (fr_reader_new(plan, &reader, &err) != 0 || fr_content_name(reader, &name, &err) != 0)
		cli_debug(cli, "%s: its content cannot be told: %s", plan->set->name, err.text);
	fr_reader_free(reader);
	return name;
}

void mapping_warn_doubt(const struct cli *cli, const struct fr_plan *plan)
{
	char *content;

	if (plan->set->use != FR_USE_ON_REQUEST)
		return;
	content = mapping_content(cli, plan);
	if (content == NULL)
		cli_warn(cli, "%s: mapped on request, and nothing that is known lies at its beginning: it may be mapped wrong",
			 plan->set->name);
	else
		cli_warn(cli, "%s: mapped on request; at its beginning lies what looks like '%s'", plan->set->name, content);
	free(content);
}

/* The tables of one set; false if there are none, which is reported. */
static bool make_tables(struct cli *cli, const struct fr_set *set, bool named, struct tables *tables)
{
	struct fr_plan *plan = look_plan(cli, set, named);
	struct fr_partitions *partitions = NULL;
	bool made;

	strict_set(cli, set);
	if (plan == NULL)
		return false;
	mapping_warn_doubt(cli, plan);
	if (cli->options.partitions && !cli->options.no_partitions)
		partitions = mapping_partitions(cli, plan);
	made = tables_make(plan, partitions, cli->options.separator, tables);
	if (!made)
		cli_no_memory(cli);
	fr_partitions_free(partitions);
	fr_plan_free(plan);
	return made;
}

void mapping_print(struct cli *cli, const struct fr_set *const *sets, size_t count, bool named)
{
	const char **names = calloc(count + 1, sizeof(*names));
	struct tables *tables = calloc(count + 1, sizeof(*tables));
	size_t made = 0;

	if (names == NULL || tables == NULL)
		cli_no_memory(cli);
	for (size_t i = 0; names != NULL && tables != NULL && i < count; i++) {
		names[made] = sets[i]->name;
		if (make_tables(cli, sets[i], named, &tables[made]))
			made++;
		else
			tables_free(&tables[made]);
	}
	if (made != 0 && cli->options.json)
		json_tables(names, tables, made);
	for (size_t i = 0; i < made; i++) {
		if (!cli->options.json)
			output_tables(&tables[i], cli->options.concise);
		tables_free(&tables[i]);
	}
	free(tables);
	free(names);
}
