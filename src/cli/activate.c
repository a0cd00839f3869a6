// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "actions.h"
#include "boot.h"
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

/* Of a failure that is said: what to do if the reason is another device that has the disks. */
static void advise(const struct cli *cli, const struct fr_set *set, const struct fr_error *err)
{
	char *advice = err->code == -EBUSY ? facts_holder_advice(set) : NULL;

	if (advice != NULL)
		cli_error(cli, "%s: %s", set->name, advice);
	free(advice);
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
		advise(cli, plan->set, &err);
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

/* ---- which sets ---- */

/*
 * A set that nobody named, and that is another's, is left alone; that is said, and is no failure. One that is active
 * as it is shows that somebody wants it so.
 */
static bool leave_alone(struct cli *cli, const struct fr_set *set, struct actions *actions)
{
	const char *word, *owner = fr_left_to(set->format, &word);
	char *why = NULL;
	int rc;

	if ((set->holder == NULL && owner == NULL) || fr_is_active(set->name))
		return false;
	if (set->holder != NULL)
		rc = asprintf(&why, "in use by %s", set->holder);
	else
		rc = asprintf(&why, "left to %s; name it to have it here, or boot with %s", owner, word);
	if (rc < 0) {
		cli_no_memory(cli);
		return true;
	}
	cli_warn(cli, "%s is %s", set->name, why);
	actions_add(cli, actions, set->name, "refused", NULL, why);
	if (set->holder != NULL && cli->options.strict)
		cli_status(cli, STATUS_FAILED);
	free(why);
	return true;
}

static size_t choose_all(struct cli *cli, const struct fr_scan *scan, const struct fr_set **chosen,
			 struct actions *actions)
{
	size_t n = 0;

	look_found(cli, scan, false);
	for (size_t i = 0; i < scan->nsets; i++) {
		if (!leave_alone(cli, scan->sets[i], actions))
			chosen[n++] = scan->sets[i];
	}
	return n;
}

/* The sets that were named, each once. */
static size_t choose_named(struct cli *cli, const struct fr_scan *scan, int count, char **names,
			   const struct fr_set **chosen)
{
	size_t n = 0;

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

/* The kernel needs devices, and it is known which: neither images nor disks are arguments here. */
static bool names_disks(struct cli *cli, int count, char **arguments)
{
	const char *set = "SET", *disk = NULL;
	struct stat st;

	for (int i = count; i-- > 0;) {
		if (look_is_disk(arguments[i]))
			disk = arguments[i];
		else
			set = arguments[i];
	}
	if (disk == NULL)
		return false;
	if (stat(disk, &st) == 0 && S_ISBLK(st.st_mode)) {
		cli_usage(cli, "activate: '%s' is a disk; all disks of the machine are looked at: name the set alone", disk);
		return true;
	}
	cli_error(cli, "activate: '%s' is an image, and the kernel needs devices; attach the images, then name the set "
		  "alone:", disk);
	for (int i = 0; i < count; i++) {
		if (look_is_disk(arguments[i]))
			cli_error(cli, "    losetup --find --show %s", arguments[i]);
	}
	cli_error(cli, "    fakeraid activate %s", set);
	cli_status(cli, STATUS_USAGE);
	return true;
}

static void activate(struct cli *cli, const struct fr_scan *scan, int count, char **arguments)
{
	const struct fr_set **sets = calloc(scan->nsets + (size_t)count + 1, sizeof(const struct fr_set *));
	struct actions actions = { 0 };
	size_t n;

	if (sets == NULL) {
		cli_no_memory(cli);
		return;
	}
	n = count == 0 ? choose_all(cli, scan, sets, &actions) : choose_named(cli, scan, count, arguments, sets);
	if (cli->options.dry_run) {
		mapping_print(cli, sets, n, count != 0);
		actions_free(&actions);
	} else {
		for (size_t i = 0; i < n; i++)
			activate_set(cli, sets[i], count != 0, &actions);
		actions_end(cli, &actions);
	}
	free(sets);
}

static void run(struct cli *cli, int count, char **arguments)
{
	struct fr_scan *scan;

	if (cli->options.boot != BOOT_NO) {
		boot_activate(cli, count, arguments);
		return;
	}
	if (count == 0 && needs_set(&cli->options)) {
		cli_usage(cli, "activate: --layout, --doubtful and --dmraid-size need a SET");
		return;
	}
	scan = names_disks(cli, count, arguments) ? NULL : look(cli, 0, NULL);
	if (scan != NULL)
		activate(cli, scan, count, arguments);
	fr_scan_free(scan);
}

const struct command command_activate = {
	.name = "activate",
	.arguments = "[SET...]",
	.help = "make the devices of sets and their partitions (all usable sets if none is named)",
	.options = MAPPING_OPTIONS | OPTION(NO_PARTITIONS) | OPTION(SEPARATOR) | OPTION(DRY_RUN) | OPTION(BOOT),
	.details = "A set that is active already is left as it is. One whose members are not all there and\n"
		   "up to date comes up read-only. Without SET, sets of formats that mdadm knows are left to it\n"
		   "where it is installed, unless the kernel's command line says otherwise (noiswmd). Images\n"
		   "have to be attached with 'losetup --find --show' first. --dry-run prints what 'fakeraid\n"
		   "table' prints.\n",
	.examples = "activate\nactivate nvidia_cdjgceeb --read-only\nactivate --dry-run\n",
	.statuses = "Without SET, a set that cannot be used is a line on stderr and no failure\n"
		    "(with --strict: 3).\n",
	.run = run,
};
