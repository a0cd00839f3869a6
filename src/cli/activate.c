// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "actions.h"
#include "commands.h"
#include "mapping.h"
#include "output.h"

/* What a writer has to know of a set that is not whole, or how to become one. */
static void warn_condition(const struct cli *cli, const struct fr_plan *plan)
{
	const struct fr_set *set = plan->set;
	const char *state = fr_set_state_name(set->state);

	if (set->use != FR_USE_READ_ONLY_FIRST || cli->options.plan.read_only)
		return;
	if (plan->read_only)
		cli_warn(cli, "%s: %s, and so read-only; '--degraded rw' makes it writable, but then the firmware and the "
			 "other system, not told of it, may take an outdated member for a good one when they next start",
			 set->name, state);
	else
		cli_warn(cli, "%s: %s, and writable: let the firmware repair the set before the other system uses it, since "
			 "it may take an outdated member for a good one", set->name, state);
}

/* dmraid maps some sets larger; a partition that was made under it may need that. */
static void warn_size(struct cli *cli, const struct fr_plan *plan)
{
	const struct fr_set *set = plan->set;
	struct fr_partitions *partitions;

	if (set->peer_sectors == 0 || cli->options.plan.peer_size)
		return;
	partitions = mapping_partitions(cli, plan);
	if (partitions_end(partitions) > set->sectors)
		cli_warn(cli, "%s: a partition ends at sector %llu, beyond the set's %llu: '--dmraid-size' maps %llu, as "
			 "dmraid does", set->name, (unsigned long long)partitions_end(partitions),
			 (unsigned long long)set->sectors, (unsigned long long)set->peer_sectors);
	fr_partitions_free(partitions);
}

static const char *first_reason(const struct fr_set *set)
{
	return set->nreasons == 0 ? NULL : set->reasons[set->nreasons - 1];
}

static void activate_plan(struct cli *cli, const struct fr_plan *plan, struct actions *actions)
{
	const struct fr_activate_options o = {
		.no_partitions = cli->options.no_partitions, .partition_separator = cli->options.separator,
	};
	enum fr_activation done;
	struct fr_error err = { 0 };

	if (fr_activate(cli->context, plan, &o, &done, &err) != 0) {
		cli_failed(cli, &err, STATUS_FAILED);
		actions_add(cli, actions, plan->set->name, "failed", NULL, err.text);
		return;
	}
	actions_add(cli, actions, plan->set->name, done == FR_WAS_ACTIVE ? "was-active" : "activated", &plan->read_only,
		    plan->read_only ? first_reason(plan->set) : NULL);
	warn_condition(cli, plan);
	mapping_warn_doubt(cli, plan);
	warn_size(cli, plan);
	strict_set(cli, plan->set);
}

/* A set that was not named, and cannot be used, is no failure: it is said, and left alone. */
static void activate_set(struct cli *cli, const struct fr_set *set, bool named, struct actions *actions)
{
	struct fr_error err = { 0 };
	struct fr_plan *plan;

	if (fr_plan_new(set, &cli->options.plan, &plan, &err) == 0) {
		activate_plan(cli, plan, actions);
		fr_plan_free(plan);
		return;
	}
	actions_add(cli, actions, set->name, "refused", NULL, err.text);
	if (named) {
		cli_failed(cli, &err, err.code == -EINVAL ? STATUS_USAGE : STATUS_FAILED);
		return;
	}
	cli_warn(cli, "not activated: %s", err.text);
	strict_set(cli, set);
}

static void activate_sets(struct cli *cli, const struct fr_set *const *sets, size_t count, bool named)
{
	struct actions actions = { 0 };

	for (size_t i = 0; i < count; i++)
		activate_set(cli, sets[i], named, &actions);
	actions_end(cli, &actions);
}

/* The sets that were named, each once; all if none was. */
static size_t choose_sets(struct cli *cli, const struct fr_scan *scan, int count, char **names,
			  const struct fr_set **chosen)
{
	size_t n = 0;

	for (size_t i = 0; count == 0 && i < scan->nsets; i++)
		chosen[n++] = scan->sets[i];
	for (int i = 0; i < count; i++) {
		const struct fr_set *set = look_up(cli, scan, names[i]);
		bool twice = false;

		for (size_t k = 0; k < n; k++)
			twice = twice || chosen[k] == set;
		if (set != NULL && !twice)
			chosen[n++] = set;
	}
	return n;
}

/* What is in doubt, and sizes other than the set's own, are for a set that one has thought of. */
static bool needs_set(const struct cli_options *o)
{
	return o->plan.on_request || o->plan.peer_size;
}

static void run(struct cli *cli, int count, char **arguments)
{
	const struct fr_set **sets;
	struct fr_scan *scan;
	size_t chosen;

	if (count == 0 && needs_set(&cli->options)) {
		cli_usage(cli, "activate: --layout, --doubtful and --dmraid-size need a SET");
		return;
	}
	scan = look(cli, 0, NULL);
	if (scan == NULL)
		return;
	sets = calloc(scan->nsets + (size_t)count + 1, sizeof(const struct fr_set *));
	if (sets == NULL) {
		cli_no_memory(cli);
	} else {
		if (count == 0)
			look_found(cli, scan, false);
		chosen = choose_sets(cli, scan, count, arguments, sets);
		if (cli->options.dry_run)
			mapping_print(cli, sets, chosen, count != 0);
		else
			activate_sets(cli, sets, chosen, count != 0);
	}
	free(sets);
	fr_scan_free(scan);
}

const struct command command_activate = {
	.name = "activate",
	.arguments = "[SET...]",
	.help = "make the devices of sets and their partitions (all usable sets if none is named)",
	.options = MAPPING_OPTIONS | OPTION(NO_PARTITIONS) | OPTION(SEPARATOR) | OPTION(DRY_RUN),
	.details = "A set that is active already is left as it is. One whose members are not all there and\n"
		   "up to date comes up read-only. --dry-run prints what 'fakeraid table' prints.\n",
	.examples = "activate\nactivate nvidia_cdjgceeb --read-only\nactivate --dry-run\n",
	.statuses = "Without SET, a set that cannot be used is a line on stderr and no failure\n"
		    "(with --strict: 3).\n",
	.run = run,
};
