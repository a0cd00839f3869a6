// SPDX-License-Identifier: GPL-2.0-or-later
/* boot.c - activate --boot: what the kernel's command line and /etc/fakeraid.conf allow, and nothing twice. */
#include "boot.h"

static const char *first_reason(const struct fr_set *set)
{
	return set->nreasons == 0 ? fr_set_state_name(set->state) : set->reasons[0];
}

/* What happened, in one line of the console: the set, why, and the option for those who want it otherwise. */
static void say_activated(const struct cli *cli, const struct fr_plan *plan)
{
	const struct fr_set *set = plan->set;

	if (set->state == FR_SET_OK || set->state == FR_SET_DIRTY)
		return;
	cli_warn(cli, "%s is %s and has been activated %s: %s ('rd.fakeraid.degraded=rw', 'ro' or 'no' on the kernel's "
		 "command line has it otherwise)", set->name, fr_set_state_name(set->state),
		 plan->read_only ? "read-only" : "writable", first_reason(set));
}

static void activate(struct cli *cli, const struct fr_policy *policy, const struct fr_set *set)
{
	const struct fr_plan_options how = { .degraded = policy->degraded };
	struct fr_activate_options o = { .no_partitions = false };
	struct fr_error err = { 0 };
	enum fr_activation done;
	struct fr_plan *plan;

	if (fr_plan_new(set, &how, &plan, &err) != 0) {
		cli_warn(cli, "not activated: %s", err.text);
		return;
	}
	if (fr_activate(cli->context, plan, &o, &done, &err) != 0)
		cli_failed(cli, &err, STATUS_FAILED);
	else if (done == FR_ACTIVATED)
		say_activated(cli, plan);
	fr_plan_free(plan);
}

/* The disks that did not come will not be waited for any longer. */
static void give_up(struct cli *cli, const struct fr_set *set)
{
	bool released = fr_release(cli->context, set);

	cli_warn(cli, "%s is %s and cannot be activated: %s; %s", set->name, fr_set_state_name(set->state),
		 first_reason(set), released ? "its disks are given back" :
		 "its disks stay hidden, since each looks like the whole ('rd.fakeraid=0' on the kernel's command line, "
		 "to use one as it is)");
}

void boot_assemble(struct cli *cli, const struct fr_policy *policy, const struct fr_set *set, bool last_resort)
{
	const char *why;

	if (fr_is_active(set->name))
		return;
	switch (fr_set_readiness(policy, set, &why)) {
	case FR_READY_DISABLED:
	case FR_READY_FOREIGN:
		cli_debug(cli, "%s is not assembled: %s", set->name, why);
		break;
	case FR_READY_COMPLETE:
		activate(cli, policy, set);
		break;
	case FR_READY_DEGRADED:
		if (last_resort)
			activate(cli, policy, set);
		break;
	case FR_READY_WAITING:
	case FR_READY_NEVER:
		if (last_resort)
			give_up(cli, set);
		break;
	}
}

/* Whether a set that may be assembled lacks disks. */
static bool any_waiting(const struct fr_policy *policy, const struct fr_scan *scan)
{
	for (size_t i = 0; i < scan->nsets; i++) {
		const char *why;
		enum fr_readiness readiness = fr_set_readiness(policy, scan->sets[i], &why);

		if ((readiness == FR_READY_WAITING || readiness == FR_READY_DEGRADED) && !fr_is_active(scan->sets[i]->name))
			return true;
	}
	return false;
}

static void assemble(struct cli *cli, const struct fr_policy *policy, const struct fr_scan *scan, int count, char **names)
{
	bool last_resort = cli->options.boot == BOOT_DEGRADED;
	struct fr_error err = { 0 };

	for (size_t i = 0; count == 0 && i < scan->nsets; i++)
		boot_assemble(cli, policy, scan->sets[i], last_resort);
	for (int i = 0; i < count; i++) {
		const struct fr_set *set = fr_scan_find(scan, names[i], &err);

		if (set != NULL)
			boot_assemble(cli, policy, set, last_resort);
		else /* its disks have gone since it was asked for */
			cli_warn(cli, "%s", err.text);
	}
}

void boot_activate(struct cli *cli, int count, char **names)
{
	struct fr_policy *policy;
	struct fr_scan *scan;
	struct fr_error err = { 0 };

	if (fr_policy_new(&policy, &err) != 0 || fr_scan(cli->context, NULL, &scan, &err) != 0) {
		cli_failed(cli, &err, STATUS_FAILED);
		fr_policy_free(policy);
		return;
	}
	if (cli->options.boot != BOOT_WAITING)
		assemble(cli, policy, scan, count, names);
	else if (!any_waiting(policy, scan))
		cli_status(cli, STATUS_NOT_THERE);
	fr_scan_free(scan);
	fr_policy_free(policy);
}
