// SPDX-License-Identifier: GPL-2.0-or-later
/* tables.c - a plan as the devices and lines that device-mapper is told. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static bool add_plan_device(const struct fr_plan *plan, size_t device, struct device_table *t)
{
	const struct fr_device *d = &plan->devices[device];

	*t = (struct device_table){ .name = strdup(d->name), .uuid = strdup(d->uuid), .read_only = d->read_only };
	t->lines = calloc(d->ntargets + 1, sizeof(*t->lines));
	if (t->name == NULL || t->uuid == NULL || t->lines == NULL)
		return false;
	for (size_t i = 0; i < d->ntargets; i++) {
		char *line = fr_plan_table(plan, device, i);

		if (line == NULL)
			return false;
		t->lines[t->nlines++] = line;
	}
	return true;
}

static bool add_partition(const struct fr_device *set, const struct fr_partition *p, const char *separator,
			  struct device_table *t)
{
	/* Of an extended partition the kernel maps the table, and no more. */
	uint64_t length = p->extended && p->sectors > 2 ? 2 : p->sectors;

	*t = (struct device_table){ .name = fr_partition_name(set->name, p->number, separator),
				    .read_only = set->read_only };
	t->lines = calloc(1, sizeof(*t->lines));
	if (t->name == NULL || t->lines == NULL)
		return false;
	/* As kpartx and the library itself name them. */
	if (asprintf(&t->uuid, "part%u-%s", p->number, set->uuid) < 0)
		t->uuid = NULL;
	if (t->uuid == NULL || asprintf(&t->lines[0], "0 %llu linear /dev/mapper/%s %llu", (unsigned long long)length,
					set->name, (unsigned long long)p->start) < 0)
		return false;
	t->nlines = 1;
	return true;
}

bool tables_make(const struct fr_plan *plan, const struct fr_partitions *partitions, const char *separator,
		 struct tables *tables)
{
	size_t nparts = partitions == NULL ? 0 : partitions->count;

	*tables = (struct tables){ .list = calloc(plan->ndevices + nparts + 1, sizeof(*tables->list)) };
	if (tables->list == NULL)
		return false;
	for (size_t i = 0; i < plan->ndevices; i++) {
		if (!add_plan_device(plan, i, &tables->list[tables->count++]))
			return false;
	}
	for (size_t i = 0; i < nparts; i++) {
		if (partitions->list[i].outside)
			continue;
		if (!add_partition(&plan->devices[plan->ndevices - 1], &partitions->list[i], separator,
				   &tables->list[tables->count++]))
			return false;
	}
	return true;
}

void tables_free(struct tables *tables)
{
	for (size_t i = 0; i < tables->count; i++) {
		struct device_table *t = &tables->list[i];

		for (size_t k = 0; k < t->nlines; k++)
			free(t->lines[k]);
		free(t->lines);
		free(t->name);
		free(t->uuid);
	}
	free(tables->list);
	*tables = (struct tables){ 0 };
}
