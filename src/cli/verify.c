// SPDX-License-Identifier: GPL-2.0-or-later
/* verify.c - are the copies of a mirror equal, is the parity right? */
#include "commands.h"
#include "output.h"

static void compare(struct cli *cli, const struct fr_plan *plan)
{
	struct fr_verify_result result = { 0 };
	struct fr_reader *reader = NULL;
	struct fr_error err = { 0 };
	struct progress progress;
	int rc = fr_reader_new(plan, &reader, &err);

	if (rc != 0) {
		cli_failed(cli, &err, STATUS_UNREADABLE);
		return;
	}
	progress_start(cli, &progress);
	rc = fr_verify(reader, &result, progress_show, &progress, &err);
	progress_end(&progress);
	fr_reader_free(reader);
	if (rc != 0) {
		cli_failed(cli, &err, STATUS_FAILED);
		return;
	}
	if (cli->options.json)
		json_verify(plan->set, &result);
	else
		output_verify(plan->set, &result);
	if (result.different != 0)
		cli_status(cli, STATUS_FAILED);
}

static void run(struct cli *cli, int count, char **arguments)
{
	struct fr_scan *scan;
	const struct fr_set *set = look_for_set(cli, count, arguments, &scan);
	struct fr_plan *plan;

	/* All copies, those that may differ too: nothing is written through this plan. */
	cli->options.plan.degraded = FR_DEGRADED_READ_WRITE;
	cli->options.plan.on_request = true; /* to compare is no use of what is in doubt */
	plan = set == NULL ? NULL : look_plan(cli, set, true);
	if (plan != NULL) {
		compare(cli, plan);
		strict_set(cli, set);
	}
	fr_plan_free(plan);
	fr_scan_free(scan);
}

const struct command command_verify = {
	.name = "verify",
	.arguments = "SET [DISK...]",
	.help = "compare the copies of a mirror, or check parity",
	.options = OPTION(LAYOUT),
	.details = "Reads all of the members, and tells the first differences and how many there are.\n",
	.examples = "verify nvidia_cdjgceeb\nverify sil disk0.img disk1.img\n",
	.statuses = "Differences are 3, and so is a set in which there is nothing to compare.\n",
	.run = run,
};
