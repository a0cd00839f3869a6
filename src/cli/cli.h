/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cli.h - the command line: what all commands share.
 *
 * main.c dispatches to one file per command. A command asks the library,
 * hands what it learnt to output.c (text) or json.c (JSON), and says what went
 * wrong through cli_warn() and cli_error(). Nothing is global: all state is in
 * struct cli.
 */
#ifndef FR_CLI_H
#define FR_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fakeraid.h"

/* The exit status, an interface. Where several apply the largest counts. */
enum cli_status {
	STATUS_DONE = 0,
	STATUS_NOT_THERE = 1,   /* a set or disk that was named */
	STATUS_USAGE = 2,
	STATUS_FAILED = 3,      /* something asked for could not be done */
	STATUS_UNREADABLE = 4,  /* a disk, or a part of it */
};

enum cli_option {
	OPTION_HELP, OPTION_VERSION, OPTION_FORMAT, OPTION_SERIAL, OPTION_WITHOUT, OPTION_SET, OPTION_JSON, OPTION_QUIET,
	OPTION_VERBOSE, OPTION_STRICT,
	OPTION_DEGRADED, OPTION_READ_ONLY, OPTION_LAYOUT, OPTION_DOUBTFUL, OPTION_DMRAID_SIZE,
	OPTION_PARTITIONS, OPTION_NO_PARTITIONS, OPTION_SEPARATOR, OPTION_DRY_RUN, OPTION_CONCISE, OPTION_RAW, OPTION_DEEP,
	OPTION_SUMMARY,
	OPTION_OFFSET, OPTION_COUNT, OPTION_OUTPUT, OPTION_FORCE,
	OPTION_EXPORT, OPTION_REMOVE, OPTION_BOOT,
	OPTIONS,                /* how many there are */
};

#define OPTION(name) (1u << OPTION_##name)

/* A growing list that ends in NULL; it owns the words. */
struct words {
	size_t count;
	char **list;
};

/* Because it is there: only what is complete, or without what did not come; or only whether something is waited for. */
enum cli_boot { BOOT_NO, BOOT_COMPLETE, BOOT_DEGRADED, BOOT_WAITING };

struct cli_options {
	enum cli_boot boot;
	bool export, remove;
	bool help, version, json, quiet, strict;
	unsigned verbose;
	struct words formats, serials, without, chosen;
	struct fr_plan_options plan;
	bool partitions, no_partitions, dry_run, concise, raw, deep, summary, force;
	const char *separator;  /* NULL: the library's rule */
	const char *output;     /* NULL: standard output */
	uint64_t offset, count; /* count 0: to the end */
	bool has_count;
};

struct cli {
	const struct command *command; /* NULL: not known yet */
	struct cli_options options;
	struct fr_context *context;
	enum cli_status status;
};

struct command {
	const char *name;
	const char *arguments;  /* as in a usage line */
	const char *help;       /* one line */
	unsigned options;       /* a set of OPTION(...), besides the global ones */
	const char *details;    /* sentences for --help, ending in a newline; or NULL */
	const char *examples;   /* lines without "fakeraid", each ending in a newline */
	const char *statuses;   /* what --help adds on the exit status, or NULL */
	void (*run)(struct cli *cli, int count, char **arguments);
};

/* All commands; the array ends in NULL. */
const struct command *const *cli_commands(void);

/* One of them by name; NULL if there is none, and says so. */
const struct command *cli_find_command(struct cli *cli, const char *name);

/* ---- messages.c ---- */

/* One line on stderr: "fakeraid: ...". Warnings are not shown with --quiet. */
void cli_warn(const struct cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_error(const struct cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cli_debug(const struct cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether at most one form of output is asked for; says so. */
bool cli_one_form(struct cli *cli);

/* Raises the exit status. */
void cli_status(struct cli *cli, enum cli_status status);

/* What was wrong, where help is, and STATUS_USAGE. */
void cli_usage(struct cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Says so, and STATUS_FAILED. */
void cli_no_memory(struct cli *cli);

/* Reports an error of the library and raises the status: to `otherwise` where the error's code does not say more. */
void cli_failed(struct cli *cli, const struct fr_error *err, enum cli_status otherwise);

/* For the library: its log lines, as far as they were asked for. */
void cli_log(void *cli, enum fr_log_level level, const char *line);

/* ---- options.c ---- */

/*
 * Takes the options out of argv and returns the index of the first argument, or -1 (and says why). With
 * cli->command NULL it stops at the first argument, and knows the global options only.
 */
int options_parse(struct cli *cli, int argc, char **argv);
void options_free(struct cli_options *options);

/* Prints the help of a command, or of all of it (NULL). */
void options_help(const struct command *command);

/* ---- look.c: scans, and the set that was named ---- */

/* Looks at the disks (count 0: the machine's) and reports the problems. NULL if that failed; the status is raised. */
struct fr_scan *look(struct cli *cli, int count, char **disks);

/* Whether anything was found at all: if not, says so. `named`: whether disks were named. */
bool look_found(struct cli *cli, const struct fr_scan *scan, bool named);

/* Whether a word where a set is expected is the path of a disk or an image, and cannot be the name of a set. */
bool look_is_disk(const char *word);

/* arguments: SET [DISK...]. NULL if it is not there, and says so. The scan is to be freed in any case. */
const struct fr_set *look_for_set(struct cli *cli, int count, char **arguments, struct fr_scan **scan);

/* A set of this scan by its name; NULL if there is none, and says so. */
const struct fr_set *look_up(struct cli *cli, const struct fr_scan *scan, const char *name);

/*
 * The mapping that the options ask for; what is not ok with the set is reported. NULL if there is none, which is a
 * failure if the set was named, else a warning.
 */
struct fr_plan *look_plan(struct cli *cli, const struct fr_set *set, bool named);

/* With --strict: raises the status if the set is not whole, or not without doubt. */
void strict_set(struct cli *cli, const struct fr_set *set);
void strict_scan(struct cli *cli, const struct fr_scan *scan);

/* ---- facts.c: what is shown of a set, besides what the scan says ---- */

struct set_facts {
	const struct fr_set *set; /* NULL: a set that only the kernel knows */
	struct fr_plan *plan;     /* what the default activation would make, or NULL */
	struct fr_error no_plan;  /* why not */
	struct fr_partitions *partitions; /* NULL: not known */
	bool active;
	const char *left_to;      /* whose it is on this machine unless it is named (mdadm); NULL: ours */
	const char *left_word;    /* the kernel's word that changes that */
	struct fr_kernel_status *kernel; /* NULL: not asked for, or not active */
};

void facts_load(const struct cli *cli, const struct fr_set *set, struct set_facts *facts);
/* The partition table, too; errors leave it out. */
void facts_load_partitions(const struct cli *cli, struct set_facts *facts);
void facts_free(struct set_facts *facts);
/* A set that another device holds: a sentence on what to do, allocated. NULL if none does, or without memory. */
char *facts_holder_advice(const struct fr_set *set);
/* Where the last partition ends, 0 if there is none. */
uint64_t partitions_end(const struct fr_partitions *partitions);

/* Of all sets of a scan; NULL without memory, and says so. */
struct set_facts *facts_load_all(struct cli *cli, const struct fr_scan *scan, bool partitions);
void facts_free_all(struct set_facts *facts, size_t count);

/* ---- tables.c: what device-mapper is told, as text ---- */

struct device_table {
	char *name, *uuid;
	bool read_only;
	size_t nlines;
	char **lines;
};

struct tables {
	size_t count;
	struct device_table *list;
};

/*
 * The devices of a plan in the order to create them; with partitions (not NULL) theirs, too, named with the separator.
 * False without memory; free in any case.
 */
bool tables_make(const struct fr_plan *plan, const struct fr_partitions *partitions, const char *separator,
		 struct tables *tables);
void tables_free(struct tables *tables);

/* ---- fields.c: a record in the vendor's own fields ---- */

/* A record that a place begins, and the structures that it is made of. */
struct record {
	const uint8_t *data;    /* NULL: could not be read */
	size_t size;            /* bytes */
	size_t nparts;
	struct fr_part *parts;  /* those whose name is "" hold the record's own fields */
};

void record_load(const struct fr_look *look, struct record *record);
void record_free(struct record *record);

/* A field of a part: its bytes in the record, or NULL if they are not all inside. */
const uint8_t *field_bytes(const struct record *record, const struct fr_part *part, const struct fr_field *field);
bool field_is_number(const struct fr_field *field);
/* Its value, from its bytes. As text: allocated, NULL without memory. */
uint64_t field_number(const struct fr_field *field, const uint8_t *bytes);
char *field_text(const struct fr_field *field, const uint8_t *bytes);

/* ---- progress.c ---- */

struct progress {
	bool shown;
	uint64_t started, last; /* milliseconds */
};

/* Progress of long work, on stderr if that is a terminal. */
void progress_start(const struct cli *cli, struct progress *p);
int progress_show(void *progress, uint64_t done, uint64_t total); /* a fr_progress_fn */
void progress_end(struct progress *p);

#endif
