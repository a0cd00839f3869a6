// SPDX-License-Identifier: GPL-2.0-or-later
/* options.c - the options of all commands: one table for parsing them and for --help. */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

#define GLOBAL_OPTIONS (OPTION(HELP) | OPTION(VERSION) | OPTION(FORMAT) | OPTION(SERIAL) | OPTION(WITHOUT) | \
			OPTION(SET) | OPTION(JSON) | OPTION(QUIET) | OPTION(VERBOSE) | OPTION(STRICT))

enum { LONG_ONLY = 256 }; /* getopt_long()'s value of an option without a letter: this and its number */

static const struct {
	const char *name;
	char letter;            /* 0: none */
	const char *argument;   /* NULL: takes none */
	const char *help;
} options[OPTIONS] = {
	[OPTION_HELP] = { "help", 'h', NULL, "show this help" },
	[OPTION_VERSION] = { "version", 'V', NULL, "show the version" },
	[OPTION_FORMAT] = { "format", 0, "F[,F...]", "look for these metadata formats only (see 'fakeraid formats')" },
	[OPTION_SERIAL] = { "serial", 0, "DISK=SERIAL", "the serial number of the disk that an image was taken from" },
	[OPTION_WITHOUT] = { "without", 0, "DISK", "as if this disk was not there; may be given more than once" },
	[OPTION_SET] = { "set", 0, "SET", "of sets that claim the same sectors, this one is meant; may be\n"
			 "given more than once" },
	[OPTION_JSON] = { "json", 0, NULL, "for programs: the same facts as one JSON object" },
	[OPTION_QUIET] = { "quiet", 'q', NULL, "no warnings and no progress" },
	[OPTION_VERBOSE] = { "verbose", 'v', NULL, "say what is done; twice: in detail" },
	[OPTION_STRICT] = { "strict", 0, NULL, "exit with 3 where anything is degraded, stale or ambiguous" },
	[OPTION_DEGRADED] = { "degraded", 0, "ro|rw|no",
			      "a set with members missing: read-only (ro, the default), writable, or not at all" },
	[OPTION_READ_ONLY] = { "read-only", 0, NULL, "map the set read-only" },
	[OPTION_LAYOUT] = { "layout", 0, "LAYOUT",
			    "read a parity set as left-asymmetric, right-asymmetric,\nleft-symmetric or right-symmetric" },
	[OPTION_DOUBTFUL] = { "doubtful", 0, NULL, "map, read-only, what is in doubt ('fakeraid explain' says why)" },
	[OPTION_DMRAID_SIZE] = { "dmraid-size", 0, NULL, "the size that dmraid gives the set, where that is larger" },
	[OPTION_PARTITIONS] = { "partitions", 0, NULL, "the partitions' devices, too" },
	[OPTION_NO_PARTITIONS] = { "no-partitions", 0, NULL, "no devices for the partitions" },
	[OPTION_SEPARATOR] = { "partition-separator", 0, "STR",
			       "between the name of a set and a partition's number\n(default: p after a digit, else nothing)" },
	[OPTION_DRY_RUN] = { "dry-run", 'n', NULL, "print the tables, and do nothing" },
	[OPTION_CONCISE] = { "concise", 0, NULL, "one line, as 'dmsetup create --concise' takes it" },
	[OPTION_DEEP] = { "deep", 0, NULL, "look for records in the last 32 MiB of each disk, too: where they lie\n"
			  "when a disk's size has changed" },
	[OPTION_SUMMARY] = { "summary", 0, NULL, "one line a set, for scripts: name, format, level, state, sectors,\n"
			     "chunk, good members of all, and active, inactive or held" },
	[OPTION_RAW] = { "raw", 0, NULL, "the bytes of each block, too" },
	[OPTION_OFFSET] = { "offset", 0, "S", "start at this sector of the set (default: 0)" },
	[OPTION_COUNT] = { "count", 0, "S", "this many sectors (default: to the end)" },
	[OPTION_OUTPUT] = { "output", 'o', "FILE", "write to FILE, with holes where the data is zero" },
	[OPTION_FORCE] = { "force", 0, NULL, "write to a terminal, or over a file or block device that exists" },
	[OPTION_EXPORT] = { "export", 0, NULL, "print KEY=VALUE for udev to import, and activate nothing" },
	[OPTION_REMOVE] = { "remove", 0, NULL, "the disk is gone" },
	[OPTION_BOOT] = { "boot", 0, "WHAT", "what the kernel's command line and /etc/fakeraid.conf allow: complete,\n"
			  "only sets whose disks are all there; degraded, those that can do without,\n"
			  "too; waiting, nothing: exit with 0 if disks are waited for, else with 1" },
};

/* ---- words ---- */

static bool words_add(struct words *w, const char *text, size_t length)
{
	char **list = realloc(w->list, (w->count + 2) * sizeof(*list));
	char *word = strndup(text, length);

	if (list != NULL)
		w->list = list;
	if (list == NULL || word == NULL) {
		free(word);
		return false;
	}
	list[w->count++] = word;
	list[w->count] = NULL;
	return true;
}

static void words_free(struct words *w)
{
	for (size_t i = 0; i < w->count; i++)
		free(w->list[i]);
	free(w->list);
}

/* ---- values: each says what is wrong and returns false ---- */

static bool wrong(struct cli *cli, enum cli_option option, const char *value, const char *expected)
{
	cli_usage(cli, "--%s: '%s' is not %s", options[option].name, value, expected);
	return false;
}

static bool take_words(struct cli *cli, struct words *to, const char *text, size_t length)
{
	if (words_add(to, text, length))
		return true;
	cli_no_memory(cli);
	return false;
}

static bool is_format(const char *name, size_t length)
{
	for (const struct fr_format *const *f = fr_formats(); *f != NULL; f++) {
		if (strlen((*f)->name) == length && strncmp((*f)->name, name, length) == 0)
			return true;
	}
	return false;
}

static bool take_formats(struct cli *cli, const char *value)
{
	for (const char *at = value;; at++) {
		size_t length = strcspn(at, ",");

		if (!is_format(at, length)) {
			cli_usage(cli, "--format: no format is called '%.*s'; 'fakeraid formats' lists them", (int)length, at);
			return false;
		}
		if (!take_words(cli, &cli->options.formats, at, length))
			return false;
		at += length;
		if (*at == '\0')
			return true;
	}
}

static bool take_serial(struct cli *cli, const char *value)
{
	const char *equals = strchr(value, '=');

	if (equals == NULL || equals == value || equals[1] == '\0')
		return wrong(cli, OPTION_SERIAL, value, "of the form DISK=SERIAL");
	return take_words(cli, &cli->options.serials, value, strlen(value));
}

static bool take_degraded(struct cli *cli, const char *value)
{
	if (strcmp(value, "ro") == 0)
		cli->options.plan.degraded = FR_DEGRADED_READ_ONLY;
	else if (strcmp(value, "rw") == 0)
		cli->options.plan.degraded = FR_DEGRADED_READ_WRITE;
	else if (strcmp(value, "no") == 0)
		cli->options.plan.degraded = FR_DEGRADED_NO;
	else
		return wrong(cli, OPTION_DEGRADED, value, "ro, rw or no");
	return true;
}

/* To name a layout is to ask for what is in doubt. */
static bool take_layout(struct cli *cli, const char *value)
{
	cli->options.plan.layout = fr_layout_from_name(value);
	cli->options.plan.on_request = true;
	return cli->options.plan.layout != FR_LAYOUT_NONE ||
	       wrong(cli, OPTION_LAYOUT, value, "left-asymmetric, right-asymmetric, left-symmetric or right-symmetric");
}

/* It becomes part of a device's name: it has to be what device-mapper takes as it is. */
static bool take_separator(struct cli *cli, const char *value)
{
	size_t length = strlen(value);

	cli->options.separator = value;
	return (length <= 16 && fr_name_escape(NULL, 0, value, length) == length) ||
	       wrong(cli, OPTION_SEPARATOR, value, "at most 16 letters, digits or #+-.:=@_");
}

static bool take_boot(struct cli *cli, const char *value)
{
	if (strcmp(value, "complete") == 0)
		cli->options.boot = BOOT_COMPLETE;
	else if (strcmp(value, "degraded") == 0)
		cli->options.boot = BOOT_DEGRADED;
	else if (strcmp(value, "waiting") == 0)
		cli->options.boot = BOOT_WAITING;
	else
		return wrong(cli, OPTION_BOOT, value, "complete, degraded or waiting");
	return true;
}

static bool take_sectors(struct cli *cli, enum cli_option option, const char *value, uint64_t *sectors)
{
	char *end;

	errno = 0;
	*sectors = strtoull(value, &end, 10);
	return (value[0] >= '0' && value[0] <= '9' && *end == '\0' && errno == 0) ||
	       wrong(cli, option, value, "a number of sectors");
}

static bool take(struct cli *cli, enum cli_option option, const char *value)
{
	struct cli_options *o = &cli->options;
	bool *const flags[OPTIONS] = {
		[OPTION_HELP] = &o->help, [OPTION_VERSION] = &o->version, [OPTION_JSON] = &o->json,
		[OPTION_QUIET] = &o->quiet, [OPTION_STRICT] = &o->strict, [OPTION_READ_ONLY] = &o->plan.read_only,
		[OPTION_DOUBTFUL] = &o->plan.on_request, [OPTION_DMRAID_SIZE] = &o->plan.peer_size,
		[OPTION_PARTITIONS] = &o->partitions, [OPTION_NO_PARTITIONS] = &o->no_partitions,
		[OPTION_DRY_RUN] = &o->dry_run, [OPTION_CONCISE] = &o->concise, [OPTION_RAW] = &o->raw,
		[OPTION_DEEP] = &o->deep, [OPTION_SUMMARY] = &o->summary,
		[OPTION_COUNT] = &o->has_count, [OPTION_FORCE] = &o->force,
		[OPTION_EXPORT] = &o->export, [OPTION_REMOVE] = &o->remove,
	};

	if (flags[option] != NULL)
		*flags[option] = true;
	switch (option) {
	case OPTION_VERBOSE:
		o->verbose++;
		return true;
	case OPTION_FORMAT:
		return take_formats(cli, value);
	case OPTION_SERIAL:
		return take_serial(cli, value);
	case OPTION_WITHOUT:
		return take_words(cli, &o->without, value, strlen(value));
	case OPTION_SET:
		return take_words(cli, &o->chosen, value, strlen(value));
	case OPTION_DEGRADED:
		return take_degraded(cli, value);
	case OPTION_BOOT:
		return take_boot(cli, value);
	case OPTION_LAYOUT:
		return take_layout(cli, value);
	case OPTION_SEPARATOR:
		return take_separator(cli, value);
	case OPTION_OFFSET:
		return take_sectors(cli, option, value, &o->offset);
	case OPTION_COUNT:
		return take_sectors(cli, option, value, &o->count);
	case OPTION_OUTPUT:
		o->output = value;
		return true;
	default:
		return true;
	}
}

/* ---- parsing ---- */

/* What getopt_long() wants to know, made from the table. */
struct getopt_tables {
	struct option longs[OPTIONS + 1];
	char letters[2 * OPTIONS + 3];
};

static void fill_tables(struct getopt_tables *t, const struct cli *cli)
{
	unsigned known = GLOBAL_OPTIONS | (cli->command == NULL ? 0 : cli->command->options);
	size_t nlongs = 0, nletters = 0;

	*t = (struct getopt_tables){ 0 };
	if (cli->command == NULL)
		t->letters[nletters++] = '+'; /* the command's own options are not for us */
	t->letters[nletters++] = ':';
	for (int i = 0; i < OPTIONS; i++) {
		bool has_argument = options[i].argument != NULL;

		if ((known & 1u << i) == 0)
			continue;
		t->longs[nlongs++] = (struct option){
			options[i].name, has_argument ? required_argument : no_argument, NULL, LONG_ONLY + i,
		};
		if (options[i].letter == '\0')
			continue;
		t->letters[nletters++] = options[i].letter;
		if (has_argument)
			t->letters[nletters++] = ':';
	}
}

static int option_number(int value)
{
	if (value >= LONG_ONLY)
		return value - LONG_ONLY;
	for (int i = 0; i < OPTIONS; i++) {
		if (options[i].letter != '\0' && options[i].letter == value)
			return i;
	}
	return -1;
}

/* Whether the word is the beginning of an option's name that is known here: then it is one of more than one. */
static bool is_ambiguous(const struct getopt_tables *t, const char *word)
{
	size_t length;

	word += strspn(word, "-");
	length = strcspn(word, "=");
	for (const struct option *o = t->longs; length != 0 && o->name != NULL; o++) {
		if (strncmp(o->name, word, length) == 0)
			return true;
	}
	return false;
}

static void say_bad_option(struct cli *cli, const struct getopt_tables *t, int problem, const char *word)
{
	int known = optopt == 0 ? -1 : option_number(optopt);

	if (problem == ':' && known >= 0)
		cli_usage(cli, "--%s: %s is missing", options[known].name, options[known].argument);
	else if (known >= 0 && optopt >= LONG_ONLY)
		cli_usage(cli, "--%s takes no value", options[known].name);
	else if (optopt > 0 && optopt < LONG_ONLY)
		cli_usage(cli, "no option is called '-%c'", optopt);
	else if (is_ambiguous(t, word))
		cli_usage(cli, "'%s' may mean more than one option", word);
	else
		cli_usage(cli, "no option is called '%s'", word);
}

int options_parse(struct cli *cli, int argc, char **argv)
{
	struct getopt_tables tables;
	int value;

	fill_tables(&tables, cli);
	opterr = 0;
	optind = 0; /* glibc: begin anew, with this argv */
	while ((value = getopt_long(argc, argv, tables.letters, tables.longs, NULL)) != -1) {
		int option = option_number(value);

		if (value == '?' || value == ':' || option < 0) {
			say_bad_option(cli, &tables, value, argv[optind - 1]);
			return -1;
		}
		if (!take(cli, (enum cli_option)option, optarg))
			return -1;
	}
	return optind;
}

void options_free(struct cli_options *o)
{
	words_free(&o->formats);
	words_free(&o->serials);
	words_free(&o->without);
	words_free(&o->chosen);
}

/* ---- help ---- */

static void put_option(int i)
{
	char head[40];
	const char *help = options[i].help;
	size_t line = strcspn(help, "\n");

	const char letter[] = { ',', ' ', '-', options[i].letter, '\0' };

	snprintf(head, sizeof(head), "--%s%s%s%s", options[i].name, options[i].argument == NULL ? "" : " ",
		 options[i].argument == NULL ? "" : options[i].argument, options[i].letter == '\0' ? "" : letter);
	printf("  %-26s %.*s\n", head, (int)line, help);
	if (help[line] == '\n')
		printf("  %-26s %s\n", "", help + line + 1);
}

static void put_options(const char *title, unsigned set)
{
	if (set == 0)
		return;
	printf("\n%s\n", title);
	for (int i = 0; i < OPTIONS; i++) {
		if ((set & 1u << i) != 0)
			put_option(i);
	}
}

static void put_statuses(const char *more)
{
	printf("\nExit status (where several apply, the largest):\n"
	       "  0  done\n"
	       "  1  a set or disk that was named is not there\n"
	       "  2  wrong usage\n"
	       "  3  something asked for could not be done; the rest was done\n"
	       "  4  a disk could not be read\n%s", more == NULL ? "" : more);
}

static void put_lines(const char *prefix, const char *lines)
{
	while (*lines != '\0') {
		int length = (int)strcspn(lines, "\n");

		printf("%s%.*s\n", prefix, length, lines);
		lines += length + (lines[length] == '\n');
	}
}

static void help_of(const struct command *c)
{
	printf("usage: fakeraid %s [OPTION...]%s%s\n\n%s\n%s", c->name, c->arguments[0] == '\0' ? "" : " ", c->arguments,
	       c->help, c->details == NULL ? "" : "\n");
	if (c->details != NULL)
		put_lines("", c->details);
	put_options("Options:", c->options);
	put_options("Options of all commands:", GLOBAL_OPTIONS);
	printf("\nExamples:\n");
	put_lines("  fakeraid ", c->examples);
	put_statuses(c->statuses);
}

static void main_help(void)
{
	printf("usage: fakeraid [OPTION...] COMMAND [ARGUMENT...]\n"
	       "       fakeraid help COMMAND\n\n"
	       "Finds BIOS RAID arrays on disks or disk images, and makes their data usable.\n"
	       "It writes to no disk.\n\nCommands:\n");
	for (const struct command *const *c = cli_commands(); *c != NULL; c++)
		printf("  %-11s %s\n", (*c)->name, (*c)->help);
	put_options("Options:", GLOBAL_OPTIONS);
	printf("\nA DISK is a block device or an image of one (any regular file); without any, the\n"
	       "machine's disks are looked at. A SET is the name of a set, the beginning of one that\n"
	       "means no other, or its node below /dev/mapper.\n"
	       "\nExamples:\n"
	       "  fakeraid list\n"
	       "  fakeraid list disk0.img disk1.img\n"
	       "  fakeraid activate\n"
	       "  fakeraid help cat\n");
	put_statuses(NULL);
}

void options_help(const struct command *command)
{
	if (command == NULL)
		main_help();
	else
		help_of(command);
}
