// SPDX-License-Identifier: GPL-2.0-or-later
/* table.c - targets as the text that device-mapper takes. The only place where a table becomes text. */
#define _GNU_SOURCE
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *raid5_name(enum fr_layout layout)
{
	switch (layout) {
	case FR_LAYOUT_LEFT_ASYMMETRIC:
		return "raid5_la";
	case FR_LAYOUT_RIGHT_ASYMMETRIC:
		return "raid5_ra";
	case FR_LAYOUT_RIGHT_SYMMETRIC:
		return "raid5_rs";
	default:
		return "raid5_ls";
	}
}

const char *fr_target_type(const struct fr_target *t)
{
	switch (t->kind) {
	case FR_TARGET_LINEAR:
		return "linear";
	case FR_TARGET_STRIPED:
		return "striped";
	case FR_TARGET_RAID1:
	case FR_TARGET_RAID10:
	case FR_TARGET_RAID5:
		return "raid";
	case FR_TARGET_ZERO:
		return "zero";
	case FR_TARGET_ERROR:
		break;
	}
	return "error";
}

static bool is_raid(const struct fr_target *t)
{
	return t->kind == FR_TARGET_RAID1 || t->kind == FR_TARGET_RAID10 || t->kind == FR_TARGET_RAID5;
}

/* The raid target's parameters up to the member count: the chunk and the flags that follow are counted. */
static void put_raid_head(FILE *out, const struct fr_target *t)
{
	if (t->kind != FR_TARGET_RAID1) {
		fprintf(out, "%s 2 %u nosync %zu", t->kind == FR_TARGET_RAID10 ? "raid10" : raid5_name(t->layout),
			t->chunk, t->nlegs);
		return;
	}
	fprintf(out, "raid1 %zu 0 nosync", t->read_first ? 2 + 2 * (t->nlegs - 1) : 2);
	for (size_t i = 1; t->read_first && i < t->nlegs; i++)
		fprintf(out, " write_mostly %zu", i);
	fprintf(out, " %zu", t->nlegs);
}

/* The device that stands for every metadata device: the shared one, which is the first of any plan that has one. */
static const struct fr_leg metadata_leg = { .device = 0 };

char *fr_target_params(const struct fr_plan *plan, const struct fr_target *t, fr_leg_name_fn *name, void *data)
{
	char *text = NULL, device[4096];
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out == NULL)
		return NULL;
	if (is_raid(t))
		put_raid_head(out, t);
	else if (t->kind == FR_TARGET_STRIPED)
		fprintf(out, "%zu %u", t->nlegs, t->chunk);
	for (size_t i = 0; i < t->nlegs; i++) {
		if (is_raid(t)) {
			name(data, plan, &metadata_leg, device, sizeof(device));
			fprintf(out, " %s", device);
		}
		name(data, plan, &t->legs[i], device, sizeof(device));
		fprintf(out, "%s%s", t->kind == FR_TARGET_LINEAR ? "" : " ", device);
		if (!is_raid(t))
			fprintf(out, " %llu", (unsigned long long)t->legs[i].offset);
	}
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

/* device-mapper splits at blanks and takes a backslash as the quote of the next byte. */
static void quote(char *to, size_t size, const char *from)
{
	size_t at = 0;

	for (; *from != '\0' && at + 2 < size; from++) {
		if (strchr(" \t\n\\", *from) != NULL)
			to[at++] = '\\';
		to[at++] = *from;
	}
	to[at] = '\0';
}

static void name_by_path(void *data, const struct fr_plan *plan, const struct fr_leg *leg, char *buf, size_t size)
{
	(void)data;
	if (leg->disk != NULL)
		quote(buf, size, leg->disk->path);
	else
		snprintf(buf, size, "/dev/mapper/%s", plan->devices[leg->device].name);
}

char *fr_plan_table(const struct fr_plan *plan, size_t device, size_t target)
{
	const struct fr_target *t = &plan->devices[device].targets[target];
	char *params = fr_target_params(plan, t, name_by_path, NULL), *line = NULL;

	if (params == NULL)
		return NULL;
	if (asprintf(&line, "%llu %llu %s%s%s", (unsigned long long)t->start, (unsigned long long)t->length,
		     fr_target_type(t), params[0] == '\0' ? "" : " ", params) < 0)
		line = NULL;
	free(params);
	return line;
}
