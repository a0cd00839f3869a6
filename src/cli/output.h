/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output.h - results, for people (output.c) and for programs (json.c). Both
 * are fed the same structs; nothing else prints on stdout.
 */
#ifndef FR_CLI_OUTPUT_H
#define FR_CLI_OUTPUT_H

#include "cli.h"

/* What an option would change of a default activation. */
struct hint {
	const char *option;
	char *effect;
};

enum { MAX_HINTS = 8 };

/* What the default activation of a set would do, and how to have it otherwise. */
struct advice {
	const struct set_facts *facts;
	bool possible;
	char *outcome;          /* a sentence */
	char *holder_advice;    /* what to do about the device that holds it, or NULL */
	size_t nhints;
	struct hint hints[MAX_HINTS];
};

/* What was done with one set. */
struct action {
	char *set;
	const char *result;     /* a word: activated, was-active, deactivated, refused, failed */
	bool has_access;
	bool read_only;
	char *reason;           /* why not, or why read-only; or NULL */
};

struct actions {
	size_t count;
	struct action *list;
};

void output_list(const struct fr_scan *scan, const struct set_facts *facts);
/* A line a set, its fields separated by blanks: an interface. */
void output_summary(const struct set_facts *facts, size_t count);
void output_show(const struct set_facts *facts);
void output_dump(const struct fr_scan *scan, bool raw);
/* `deep`: it was a deep look, and there is no deeper one to recommend. */
void output_explain(const struct fr_scan *scan, const struct advice *advice, bool deep);
void output_tables(const struct tables *tables, bool concise);
void output_verify(const struct fr_set *set, const struct fr_verify_result *result);
void output_actions(const struct actions *actions);
void output_status(const struct set_facts *facts, size_t count);
void output_formats(void);

void json_list(const struct fr_scan *scan, const struct set_facts *facts);
void json_show(const struct set_facts *facts);
void json_dump(const struct fr_scan *scan, bool raw);
void json_explain(const struct fr_scan *scan, const struct advice *advice);
/* Of several sets: names[i] is the set of tables[i]. */
void json_tables(const char *const *names, const struct tables *tables, size_t count);
void json_verify(const struct fr_set *set, const struct fr_verify_result *result);
void json_actions(const struct actions *actions);
void json_status(const struct set_facts *facts, size_t count);
void json_formats(void);

/* ---- for udev: KEY=value lines ---- */

void export_value(const char *key, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Begins the list of a key, which the items make; NULL ends it. */
void export_list(const char *key);
void export_item(const char *text);
/* A unit of a set, its name escaped for systemd and once more for the list that udev hands on. */
void export_unit(const char *unit, const char *set_name, const char *suffix);
/* A link beside the nodes of device-mapper. */
void export_link(const char *name);

#endif
