// SPDX-License-Identifier: GPL-2.0-or-later
/* status.c - what the kernel says of active sets, beside what their disks say. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "active.h"
#include "commands.h"
#include "output.h"

static const struct fr_set *set_of(const struct fr_scan *scan, const char *name)
{
	for (size_t i = 0; i < scan->nsets; i++) {
		if (strcmp(scan->sets[i]->name, name) == 0)
			return scan->sets[i];
	}
	return NULL;
}

/* A member that the kernel has given up counts as degraded, whatever the disks say. */
static void strict_kernel(struct cli *cli, const struct fr_kernel_status *k)
{
	for (size_t i = 0; cli->options.strict && i < k->ntargets; i++) {
		const char *health = k->targets[i].health;

		if (health != NULL && strspn(health, "A") != strlen(health))
			cli_status(cli, STATUS_FAILED);
	}
}

/* False if the set is not active (any more). */
static bool load(struct cli *cli, const struct fr_scan *scan, const char *name, struct set_facts *facts)
{
	const struct fr_set *set = set_of(scan, name);
	struct fr_kernel_status *kernel = NULL;
	struct fr_error err = { 0 };

	if (fr_status(cli->context, name, &kernel, &err) != 0) {
		cli_failed(cli, &err, err.code == -ENOENT ? STATUS_NOT_THERE : STATUS_FAILED);
		return false;
	}
	if (set == NULL) {
		*facts = (struct set_facts){ 0 };
	} else {
		facts_load(cli, set, facts);
		if (cli->options.json)
			facts_load_partitions(cli, facts);
		strict_set(cli, set);
	}
	facts->kernel = kernel;
	strict_kernel(cli, kernel);
	return true;
}

/* Those that were named, or all. */
static size_t load_all(struct cli *cli, const struct fr_scan *scan, char *const *names, int count, char **arguments,
		       struct set_facts *facts)
{
	size_t n = 0;

	for (size_t i = 0; count == 0 && names[i] != NULL; i++)
		n += load(cli, scan, names[i], &facts[n]);
	for (int i = 0; i < count; i++) {
		const char *name = active_find(cli, names, arguments[i]);

		if (name != NULL)
			n += load(cli, scan, name, &facts[n]);
	}
	return n;
}

static size_t count_names(char *const *names)
{
	size_t count = 0;

	while (names[count] != NULL)
		count++;
	return count;
}

static void show(struct cli *cli, char *const *names, int count, char **arguments)
{
	struct set_facts *facts = calloc(count_names(names) + (size_t)count + 1, sizeof(*facts));
	struct fr_scan *scan = look(cli, 0, NULL);
	size_t n;

	if (facts != NULL && scan != NULL) {
		n = load_all(cli, scan, names, count, arguments, facts);
		if (cli->options.summary)
			output_summary(facts, n);
		else if (cli->options.json)
			json_status(facts, n);
		else
			output_status(facts, n);
		facts_free_all(facts, n);
	} else {
		free(facts);
		cli_status(cli, STATUS_FAILED);
	}
	fr_scan_free(scan);
}

static void run(struct cli *cli, int count, char **arguments)
{
	char **names = cli_one_form(cli) ? active_names(cli) : NULL;

	if (names == NULL)
		return;
	if (count != 0 || names[0] != NULL) {
		show(cli, names, count, arguments);
	} else {
		cli_warn(cli, "no set is active");
		if (cli->options.json)
			json_status(NULL, 0);
	}
	active_free(names);
}

const struct command command_status = {
	.name = "status",
	.arguments = "[SET...]",
	.help = "what the kernel says of active sets",
	.options = OPTION(SUMMARY),
	.examples = "status\nstatus --json nvidia_cdjgceeb\n",
	.statuses = "A set that is not active is 1.\n",
	.run = run,
};
