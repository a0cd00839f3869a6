// SPDX-License-Identifier: GPL-2.0-or-later
/* look.c - scans for the commands: what is wrong is reported here, once for all of them. */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

/* ---- problems ---- */

static void report(const struct cli *cli, const struct fr_problem *p)
{
	const char *format = p->format == NULL ? "" : p->format->name, *colon = p->format == NULL ? "" : ": ";

	if (p->has_lba)
		cli_warn(cli, "%s: %s%ssector %llu: %s", p->disk, format, colon, (unsigned long long)p->lba, p->reason);
	else
		cli_warn(cli, "%s: %s%s%s", p->disk, format, colon, p->reason);
}

static bool is_there(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

static void report_problems(struct cli *cli, const struct fr_scan *scan)
{
	for (size_t i = 0; i < scan->nproblems; i++) {
		const struct fr_problem *p = &scan->problems[i];

		report(cli, p);
		if (p->unreadable)
			cli_status(cli, is_there(p->disk) ? STATUS_UNREADABLE : STATUS_NOT_THERE);
	}
}

/* A serial for a disk that was not looked at is a slip of the pen. */
static void check_serials(const struct cli *cli, const struct fr_scan *scan)
{
	for (size_t i = 0; i < cli->options.serials.count; i++) {
		const char *word = cli->options.serials.list[i];
		bool used = false;

		for (size_t k = 0; k < scan->ndisks; k++) {
			size_t length = strlen(scan->disks[k]->path);

			used = used || (strncmp(word, scan->disks[k]->path, length) == 0 && word[length] == '=');
		}
		if (!used)
			cli_warn(cli, "--serial %s: no such disk was looked at", word);
	}
}

struct fr_scan *look(struct cli *cli, int count, char **disks)
{
	struct fr_scan_options o = {
		.formats = (const char *const *)cli->options.formats.list,
		.serials = (const char *const *)cli->options.serials.list,
		.disks = count == 0 ? NULL : (const char *const *)disks, /* the end of argv is NULL */
		.deep = cli->options.deep,
		.without = (const char *const *)cli->options.without.list,
		.chosen = (const char *const *)cli->options.chosen.list,
	};
	struct fr_error err = { 0 };
	struct fr_scan *scan;

	if (fr_scan(cli->context, &o, &scan, &err) != 0) {
		cli_failed(cli, &err, err.code == -ENOENT ? STATUS_NOT_THERE : STATUS_USAGE);
		return NULL;
	}
	report_problems(cli, scan);
	check_serials(cli, scan);
	return scan;
}

/* ---- whether anything is there ---- */

static bool carries_block(const struct fr_disk *disk)
{
	for (size_t i = 0; i < disk->nlooks; i++) {
		if (disk->looks[i].verdict != FR_VERDICT_NONE)
			return true;
	}
	return false;
}

static size_t count_unopened(const struct fr_scan *scan)
{
	size_t count = 0;

	for (size_t i = 0; i < scan->nproblems; i++)
		count += scan->problems[i].unreadable && scan->problems[i].format == NULL;
	return count;
}

bool look_found(struct cli *cli, const struct fr_scan *scan, bool named)
{
	size_t unopened = count_unopened(scan);

	if (scan->nsets != 0)
		return true;
	for (size_t i = 0; i < scan->ndisks; i++) {
		if (carries_block(scan->disks[i]))
			return true;
	}
	if (unopened == 0)
		cli_warn(cli, "nothing found: %zu disk%s looked at; 'fakeraid explain' tells where", scan->ndisks,
			 scan->ndisks == 1 ? "" : "s");
	else
		cli_warn(cli, "nothing found: %zu disk%s looked at, %zu could not be opened%s", scan->ndisks,
			 scan->ndisks == 1 ? "" : "s", unopened, !named && geteuid() != 0 ? "; this needs root" : "");
	if (named)
		cli_status(cli, STATUS_NOT_THERE);
	return false;
}

/* ---- the set that was named ---- */

const struct fr_set *look_up(struct cli *cli, const struct fr_scan *scan, const char *name)
{
	struct fr_error err = { 0 };
	const struct fr_set *set = fr_scan_find(scan, name, &err);

	if (set == NULL)
		cli_failed(cli, &err, err.code == -EINVAL ? STATUS_USAGE : STATUS_NOT_THERE);
	return set;
}

/* The names of sets begin with that of their format, and "nv" may be the beginning of one. */
static bool may_be_set(const char *word)
{
	if (strncmp(word, "/dev/mapper/", 12) == 0)
		return true;
	for (const struct fr_format *const *f = fr_formats(); *f != NULL; f++) {
		size_t length = strlen((*f)->name);

		if (strncmp(word, (*f)->name, length) == 0 ? word[length] == '_' || word[length] == '\0' :
		    strncmp(word, (*f)->name, strlen(word)) == 0)
			return true;
	}
	return false;
}

bool look_is_disk(const char *word)
{
	struct stat st;

	return !may_be_set(word) && stat(word, &st) == 0 && (S_ISREG(st.st_mode) || S_ISBLK(st.st_mode));
}

/* A disk where the set is expected: most often the two stand the wrong way round. */
static void say_swapped(struct cli *cli, int count, char **arguments)
{
	const char *name = cli->command->name, *set = "SET";

	for (int i = 1; i < count && strcmp(set, "SET") == 0; i++) {
		if (!look_is_disk(arguments[i]))
			set = arguments[i];
	}
	cli_usage(cli, "%s: '%s' is a disk, and the set comes first: fakeraid %s %s %s%s", name, arguments[0], name, set,
		  arguments[0], count > 2 ? " ..." : "");
}

const struct fr_set *look_for_set(struct cli *cli, int count, char **arguments, struct fr_scan **scan)
{
	*scan = NULL;
	if (count == 0)
		cli_usage(cli, "%s: SET is missing", cli->command->name);
	else if (look_is_disk(arguments[0]))
		say_swapped(cli, count, arguments);
	else
		*scan = look(cli, count - 1, arguments + 1);
	return *scan == NULL ? NULL : look_up(cli, *scan, arguments[0]);
}

/* ---- its mapping ---- */

struct fr_plan *look_plan(struct cli *cli, const struct fr_set *set, bool named)
{
	struct fr_error err = { 0 };
	struct fr_plan *plan = NULL;

	if (fr_plan_new(set, &cli->options.plan, &plan, &err) != 0) {
		if (named)
			cli_failed(cli, &err, err.code == -EINVAL ? STATUS_USAGE : STATUS_FAILED);
		else
			cli_warn(cli, "not activated: %s", err.text);
		return NULL;
	}
	for (size_t i = 0; i < set->nreasons; i++) {
		if (set->state == FR_SET_OK)
			cli_warn(cli, "%s: %s", set->name, set->reasons[i]);
		else
			cli_warn(cli, "%s: %s: %s", set->name, fr_set_state_name(set->state), set->reasons[i]);
	}
	return plan;
}

/* ---- --strict ---- */

void strict_set(struct cli *cli, const struct fr_set *set)
{
	if (cli->options.strict && (set->state != FR_SET_OK || set->use != FR_USE_READ_WRITE || set->nreasons != 0 ||
				    set->nleft_out != 0))
		cli_status(cli, STATUS_FAILED);
}

void strict_scan(struct cli *cli, const struct fr_scan *scan)
{
	for (size_t i = 0; i < scan->nsets; i++)
		strict_set(cli, scan->sets[i]);
	for (size_t i = 0; cli->options.strict && i < scan->ndisks; i++) {
		const struct fr_disk *disk = scan->disks[i];

		for (size_t k = 0; k < disk->nlooks; k++) {
			enum fr_verdict v = disk->looks[k].verdict;

			if (v != FR_VERDICT_NONE && v != FR_VERDICT_VALID)
				cli_status(cli, STATUS_FAILED);
		}
	}
}
