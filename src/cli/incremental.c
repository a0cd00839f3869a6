// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/sysmacros.h>

#include "boot.h"
#include "commands.h"
#include "output.h"

/* What the disk is to its sets; of several the one counts for which most is to be done. */
struct verdict {
	enum fr_readiness readiness;
	const char *why;          /* nothing is to be done, or NULL */
	const struct fr_set *set; /* NULL: it is of none */
};

static struct verdict judge(const struct fr_policy *policy, const struct fr_arrival *arrival)
{
	struct verdict v = { .set = NULL };

	for (size_t i = 0; i < arrival->scan->nsets; i++) {
		const struct fr_set *set = arrival->scan->sets[i];
		const char *why;
		enum fr_readiness readiness = fr_set_readiness(policy, set, &why);

		if (fr_set_has_disk(set, arrival->disk) && (v.set == NULL || readiness > v.readiness))
			v = (struct verdict){ readiness, why, set };
	}
	return v;
}

/* What the log should have of it: a disk that is left alone, and one that comes too late. */
static void say(const struct cli *cli, const struct fr_arrival *arrival, const struct verdict *v)
{
	if (v->why != NULL)
		cli_warn(cli, "%s: of %s, which is not assembled: %s", arrival->disk->path, v->set->name, v->why);
	else if (fr_set_runs_without(v->set, arrival->disk))
		cli_warn(cli, "%s: of %s, which has been activated without it and stays so", arrival->disk->path, v->set->name);
	for (size_t i = 0; i < v->set->nleft_out; i++) {
		if (v->set->left_out[i].disk == arrival->disk)
			cli_warn(cli, "%s: left out of %s: %s", arrival->disk->path, v->set->name, v->set->left_out[i].reason);
	}
}

static void hide_partitions(struct cli *cli, const struct fr_disk *disk)
{
	struct fr_error err = { 0 };

	if (fr_hide_partitions(cli->context, disk, &err) != 0)
		cli_warn(cli, "%s: its partitions are not hidden: %s", disk->path, err.text);
}

/* Which unit a set asks for, or NULL. */
static const char *unit_of(const struct fr_policy *policy, const struct fr_set *set, const char **suffix)
{
	const char *why;

	if (fr_is_active(set->name))
		return NULL;
	switch (fr_set_readiness(policy, set, &why)) {
	case FR_READY_COMPLETE:
		*suffix = "service";
		return "fakeraid-activate";
	case FR_READY_WAITING:
	case FR_READY_DEGRADED:
	case FR_READY_NEVER:
		*suffix = "timer";
		return "fakeraid-last-resort";
	default:
		return NULL;
	}
}

static void export_lists(const struct fr_policy *policy, const struct fr_arrival *arrival)
{
	const struct fr_scan *scan = arrival->scan;

	export_list("FAKERAID_SET");
	for (size_t i = 0; i < scan->nsets; i++) {
		if (fr_set_has_disk(scan->sets[i], arrival->disk))
			export_item(scan->sets[i]->name);
	}
	export_list(NULL);
	export_list("FAKERAID_WANTS");
	for (size_t i = 0; i < scan->nsets; i++) {
		const char *suffix, *unit = unit_of(policy, scan->sets[i], &suffix);

		if (unit != NULL && fr_set_has_disk(scan->sets[i], arrival->disk))
			export_unit(unit, scan->sets[i]->name, suffix);
	}
	export_list(NULL);
}

static void export_arrival(const struct fr_policy *policy, const struct fr_arrival *arrival, const struct verdict *v)
{
	export_value("FAKERAID_MEMBER", "%d", 1);
	if (v->readiness >= FR_READY_NEVER)
		export_value("FAKERAID_CLAIM", "%d", 1);
	export_value("FAKERAID_FORMAT", "%s", v->set->format->name);
	export_value("FAKERAID_STATE", "%s", fr_readiness_name(v->readiness));
	export_value("FAKERAID_HAVE", "%u", v->set->width - fr_set_missing(v->set));
	export_value("FAKERAID_WANT", "%u", v->set->width);
	if (v->why != NULL)
		export_value("FAKERAID_REASON", "%s", v->why);
	export_lists(policy, arrival);
}

static void arrive(struct cli *cli, const struct fr_policy *policy, const char *node)
{
	struct fr_arrival *arrival;
	struct fr_error err = { 0 };
	struct verdict v = { .set = NULL };

	if (fr_arrive(cli->context, node, &arrival, &err) != 0) {
		cli_failed(cli, &err, STATUS_UNREADABLE);
		return;
	}
	if (arrival->disk != NULL)
		v = judge(policy, arrival);
	if (v.set != NULL) {
		say(cli, arrival, &v);
		if (v.readiness >= FR_READY_NEVER)
			hide_partitions(cli, arrival->disk);
		if (cli->options.export)
			export_arrival(policy, arrival, &v);
		else if (v.readiness == FR_READY_COMPLETE)
			boot_assemble(cli, policy, v.set, false);
	}
	fr_arrival_free(arrival);
}

static void depart(struct cli *cli, const char *number)
{
	char *colon, *end = NULL;
	unsigned long first = strtoul(number, &colon, 10), second = 0;

	if (colon != number && *colon == ':')
		second = strtoul(colon + 1, &end, 10);
	if (end == NULL || end == colon + 1 || *end != '\0')
		cli_usage(cli, "incremental: '%s' is not the number of a device, as 8:16 is", number);
	else
		fr_depart(makedev((unsigned)first, (unsigned)second));
}

static void run(struct cli *cli, int count, char **arguments)
{
	struct fr_policy *policy;
	struct fr_error err = { 0 };

	if (count != 1) {
		cli_usage(cli, "incremental: one disk is expected");
	} else if (cli->options.remove) {
		depart(cli, arguments[0]);
	} else if (fr_policy_new(&policy, &err) != 0) {
		cli_failed(cli, &err, STATUS_FAILED);
	} else {
		if (policy->off == NULL)
			arrive(cli, policy, arguments[0]);
		fr_policy_free(policy);
	}
}

const struct command command_incremental = {
	.name = "incremental",
	.arguments = "DISK",
	.help = "for udev: note a disk that has come; activate its set if it is complete",
	.options = OPTION(EXPORT) | OPTION(REMOVE),
	.details = "What may be assembled is said by the kernel's command line and /etc/fakeraid.conf. With\n"
		   "--export nothing is activated: what is to be done is printed for udev. With --remove\n"
		   "DISK is the number (MAJOR:MINOR) of a disk that is gone.\n",
	.examples = "incremental --export /dev/sda\nincremental --remove 8:0\n",
	.run = run,
};
