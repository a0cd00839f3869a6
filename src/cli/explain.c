// SPDX-License-Identifier: GPL-2.0-or-later
/* explain.c - what was looked for and where, why a set is usable or not, and which option changes that. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "mapping.h"
#include "output.h"

static void hint(struct advice *a, const char *option, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void hint(struct advice *a, const char *option, const char *format, ...)
{
	struct hint *h = &a->hints[a->nhints];
	va_list args;

	if (a->nhints == MAX_HINTS)
		return;
	va_start(args, format);
	if (vasprintf(&h->effect, format, args) >= 0) {
		h->option = option;
		a->nhints++;
	}
	va_end(args);
}

/* A set on request, mapped with the given options: what its beginning looks like then. */
static void hint_request(const struct cli *cli, struct advice *a, const char *option, enum fr_layout layout)
{
	const struct fr_plan_options o = { .on_request = true, .layout = layout };
	struct fr_error err = { 0 };
	struct fr_plan *plan;
	char *content;

	if (fr_plan_new(a->facts->set, &o, &plan, &err) != 0)
		return;
	content = mapping_content(cli, plan);
	if (content == NULL)
		hint(a, option, "read-only; nothing that is known lies at its beginning");
	else
		hint(a, option, "read-only; at its beginning lies what looks like '%s'", content);
	free(content);
	fr_plan_free(plan);
}

static void hint_requests(const struct cli *cli, struct advice *a)
{
	static const struct {
		enum fr_layout layout;
		const char *option;
	} layouts[] = {
		{ FR_LAYOUT_LEFT_SYMMETRIC, "--layout left-symmetric" },
		{ FR_LAYOUT_LEFT_ASYMMETRIC, "--layout left-asymmetric" },
		{ FR_LAYOUT_RIGHT_SYMMETRIC, "--layout right-symmetric" },
		{ FR_LAYOUT_RIGHT_ASYMMETRIC, "--layout right-asymmetric" },
	};

	if (a->facts->set->layout == FR_LAYOUT_NONE) {
		hint_request(cli, a, "--doubtful", FR_LAYOUT_NONE);
		return;
	}
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		hint_request(cli, a, layouts[i].option, layouts[i].layout);
}

static void hint_size(struct advice *a)
{
	const struct fr_set *set = a->facts->set;
	uint64_t end = partitions_end(a->facts->partitions);

	if (set->peer_sectors == 0 || a->facts->plan == NULL)
		return;
	if (end > set->sectors)
		hint(a, "--dmraid-size", "%llu sectors as under dmraid, instead of %llu%s; this is needed here: a partition "
		     "ends at sector %llu", (unsigned long long)set->peer_sectors, (unsigned long long)set->sectors,
		     set->peer_read_only ? ", read-only" : "", (unsigned long long)end);
	else
		hint(a, "--dmraid-size", "%llu sectors as under dmraid, instead of %llu%s: for what was made under it",
		     (unsigned long long)set->peer_sectors, (unsigned long long)set->sectors,
		     set->peer_read_only ? ", read-only" : "");
}

/* What an activation of the set, by its name, would come to. */
static void foretell(struct advice *a)
{
	const struct set_facts *f = a->facts;
	int rc;

	a->possible = f->plan != NULL && (f->set->holder == NULL || f->active);
	if (f->plan == NULL)
		rc = asprintf(&a->outcome, "refused: %s", f->no_plan.text);
	else if (!a->possible)
		rc = asprintf(&a->outcome, "refused: in use by %s", f->set->holder);
	else
		rc = asprintf(&a->outcome, "makes it %s", f->plan->read_only ? "read-only" : "writable");
	if (rc < 0)
		a->outcome = NULL;
}

static void advise(const struct cli *cli, const struct set_facts *facts, struct advice *a)
{
	const struct fr_set *set = facts->set;
	bool incomplete = set->state == FR_SET_DEGRADED || set->state == FR_SET_REBUILDING;

	*a = (struct advice){ .facts = facts, .holder_advice = facts_holder_advice(set) };
	foretell(a);
	if (set->use == FR_USE_READ_ONLY_FIRST)
		hint(a, "--degraded rw", "writable; the firmware and the other system do not learn of it, and may take an "
		     "outdated member for a good one when they next start");
	if (facts->plan != NULL && incomplete)
		hint(a, "--degraded no", "refused");
	if (set->use == FR_USE_ON_REQUEST)
		hint_requests(cli, a);
	hint_size(a);
}

static void advise_free(struct advice *a)
{
	for (size_t i = 0; i < a->nhints; i++)
		free(a->hints[i].effect);
	free(a->outcome);
	free(a->holder_advice);
}

static void explain(struct cli *cli, const struct fr_scan *scan, const struct set_facts *facts)
{
	struct advice *advice = calloc(scan->nsets + 1, sizeof(*advice));

	if (advice == NULL) {
		cli_no_memory(cli);
		return;
	}
	for (size_t i = 0; i < scan->nsets; i++)
		advise(cli, &facts[i], &advice[i]);
	if (cli->options.json)
		json_explain(scan, advice);
	else
		output_explain(scan, advice, cli->options.deep);
	for (size_t i = 0; i < scan->nsets; i++)
		advise_free(&advice[i]);
	free(advice);
}

static void run(struct cli *cli, int count, char **arguments)
{
	struct fr_scan *scan = look(cli, count, arguments);
	struct set_facts *facts;

	if (scan == NULL)
		return;
	facts = facts_load_all(cli, scan, true);
	if (facts != NULL)
		explain(cli, scan, facts);
	strict_scan(cli, scan);
	facts_free_all(facts, scan->nsets);
	fr_scan_free(scan);
}

const struct command command_explain = {
	.name = "explain",
	.arguments = "[DISK...]",
	.help = "what was looked for and where, and why a set is usable or not",
	.options = OPTION(DEEP),
	.details = "For each disk and format: the places that were looked at, and what is there or does\n"
		   "not fit. For each set: what is wrong with it, what activation would do, and which\n"
		   "options change that.\n",
	.examples = "explain\nexplain --deep disk0.img disk1.img\n",
	.statuses = "That nothing is there is explained, too: this is 0.\n",
	.run = run,
};
