// SPDX-License-Identifier: GPL-2.0-or-later
/* facts.c - what is shown of a set besides what the scan says: its mapping, its partitions, whether it is active. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* A set on images is none of the machine's: one of the same name may be active, and would be another. */
static bool is_of_machine(const struct fr_set *set)
{
	bool any = false;

	for (unsigned i = 0; i < set->width; i++) {
		if (set->members[i].disk == NULL)
			continue;
		if (set->members[i].disk->is_image)
			return false;
		any = true;
	}
	return any;
}

void facts_load(const struct cli *cli, const struct fr_set *set, struct set_facts *facts)
{
	*facts = (struct set_facts){ .set = set };
	if (fr_plan_new(set, NULL, &facts->plan, &facts->no_plan) != 0)
		cli_debug(cli, "%s", facts->no_plan.text);
	if (!is_of_machine(set))
		return;
	facts->active = fr_is_active(set->name);
	facts->left_to = fr_left_to(set->format, &facts->left_word);
}

void facts_load_partitions(const struct cli *cli, struct set_facts *facts)
{
	struct fr_reader *reader = NULL;
	struct fr_error err = { 0 };

	if (facts->plan == NULL)
		return;
	if (fr_reader_new(facts->plan, &reader, &err) != 0 ||
	    fr_partitions_read(reader, &facts->partitions, &err) != 0)
		cli_debug(cli, "%s: no partitions: %s", facts->set->name, err.text);
	fr_reader_free(reader);
}

char *facts_holder_advice(const struct fr_set *set)
{
	char *advice = NULL;
	int rc;

	if (set->holder == NULL)
		return NULL;
	if (strncmp(set->holder, "md", 2) == 0)
		rc = asprintf(&advice, "to have the set here, stop that first (mdadm --stop /dev/%s); or leave it to md",
			      set->holder);
	else
		rc = asprintf(&advice, "to have the set here, remove %s first; or go on using its disks through that",
			      set->holder);
	return rc < 0 ? NULL : advice;
}

uint64_t partitions_end(const struct fr_partitions *partitions)
{
	uint64_t last = 0;

	for (size_t i = 0; partitions != NULL && i < partitions->count; i++) {
		uint64_t end = partitions->list[i].start + partitions->list[i].sectors;

		if (end > last)
			last = end;
	}
	return last;
}

void facts_free(struct set_facts *facts)
{
	fr_plan_free(facts->plan);
	fr_partitions_free(facts->partitions);
	fr_status_free(facts->kernel);
}

struct set_facts *facts_load_all(struct cli *cli, const struct fr_scan *scan, bool partitions)
{
	struct set_facts *facts = calloc(scan->nsets + 1, sizeof(*facts));

	if (facts == NULL) {
		cli_no_memory(cli);
		return NULL;
	}
	for (size_t i = 0; i < scan->nsets; i++) {
		facts_load(cli, scan->sets[i], &facts[i]);
		if (partitions)
			facts_load_partitions(cli, &facts[i]);
	}
	return facts;
}

void facts_free_all(struct set_facts *facts, size_t count)
{
	for (size_t i = 0; facts != NULL && i < count; i++)
		facts_free(&facts[i]);
	free(facts);
}
