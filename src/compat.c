// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * compat.c - the other names under which installations know a set's devices:
 * partitions were numbered in three styles over the years, and the names of
 * some sets were written in other ways. udev makes links of them.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dm.h"
#include "notes.h"
#include "plan.h"

enum { MAX_NAMES = 16 };

struct names {
	char *list[MAX_NAMES + 1];
	size_t count;
	const struct fr_dm_node *nodes; /* all devices of device-mapper */
	size_t nnodes;
	const char *set;
};

static const char *set_of_uuid(const char *uuid)
{
	size_t length = strlen(FR_UUID_PREFIX);
	const char *set = uuid + length;

	if (strncmp(uuid, FR_UUID_PREFIX, length) != 0 || set[0] == '\0' || strcmp(set, ".") == 0 || strcmp(set, "..") == 0)
		return NULL;
	return strchr(set, '/') == NULL ? set : NULL; /* it names a file, too */
}

/* Whether a name is a set's, or could be that of a partition of it, by either style. */
static bool could_be_of(const char *set, const char *name)
{
	size_t length = strlen(set);
	const char *rest;

	if (strncmp(name, set, length) != 0)
		return false;
	rest = name + length + (name[length] == 'p');
	return name[length] == '\0' || (*rest != '\0' && strspn(rest, "0123456789") == strlen(rest));
}

static bool could_be_alias_of(const char *set, const char *name)
{
	char aliases[4 * FR_DM_NAME_SIZE], *saved;

	if (!fr_noted_set(FR_NOTE_ALIASES, set, aliases, sizeof(aliases)))
		return false;
	for (char *line = strtok_r(aliases, "\n", &saved); line != NULL; line = strtok_r(NULL, "\n", &saved)) {
		if (could_be_of(line, name))
			return true;
	}
	return false;
}

/* Whether a name could be another active set's, too: then it is nobody's. */
static bool is_ambiguous(const struct names *n, const char *name)
{
	for (size_t i = 0; i < n->nnodes; i++) {
		const char *set = set_of_uuid(n->nodes[i].uuid);

		if (strcmp(n->nodes[i].name, name) == 0)
			return true;
		if (set != NULL && strcmp(set, n->set) != 0 && (could_be_of(set, name) || could_be_alias_of(set, name)))
			return true;
	}
	return false;
}

static void add(struct names *n, const char *name, const char *separator, const char *number)
{
	char text[2 * FR_DM_NAME_SIZE];

	snprintf(text, sizeof(text), "%s%s%s", name, separator, number);
	for (size_t i = 0; i < n->count; i++) {
		if (strcmp(n->list[i], text) == 0)
			return;
	}
	if (n->count < MAX_NAMES && !is_ambiguous(n, text))
		n->list[n->count++] = strdup(text);
}

/* A set's name in the three styles, where there is a number; and as it is where there is none. */
static void add_styles(struct names *n, const char *name, const char *number)
{
	add(n, name, "", number);
	if (number[0] != '\0')
		add(n, name, "p", number);
}

static void add_all(struct names *n, const char *number)
{
	char aliases[4 * FR_DM_NAME_SIZE], *saved;

	add_styles(n, n->set, number);
	if (!fr_noted_set(FR_NOTE_ALIASES, n->set, aliases, sizeof(aliases)))
		return;
	for (char *line = strtok_r(aliases, "\n", &saved); line != NULL; line = strtok_r(NULL, "\n", &saved))
		add_styles(n, line, number);
}

/* The list for the caller, who frees it; NULL without memory. */
static char **names_given(const struct names *n)
{
	char **list = calloc(n->count + 1, sizeof(*list));

	for (size_t i = 0; i < n->count; i++) {
		if (list == NULL)
			free(n->list[i]);
		else
			list[i] = n->list[i];
	}
	return list;
}

int fr_compat_names(const char *uuid, char ***names, struct fr_error *err)
{
	struct fr_pool pool = { 0 };
	struct fr_dm_node *nodes = NULL;
	struct names n = { .set = set_of_uuid(uuid) };
	char number[12] = "";
	int rc;

	if (n.set == NULL && strncmp(uuid, "part", 4) == 0) {
		size_t digits = strspn(uuid + 4, "0123456789");

		snprintf(number, sizeof(number), "%.*s", (int)digits, uuid + 4);
		if (uuid[4 + digits] == '-' && digits != 0 && digits < sizeof(number) - 1)
			n.set = set_of_uuid(uuid + 4 + digits + 1);
	}
	if (n.set == NULL)
		return fr_fail(err, -EINVAL, "'%s' is not the uuid of a set or its partition", uuid);
	rc = fr_dm_list(&pool, &nodes, &n.nnodes, err);
	n.nodes = nodes;
	if (rc == 0)
		add_all(&n, number);
	*names = rc == 0 ? names_given(&n) : NULL;
	if (rc == 0 && *names == NULL)
		rc = fr_fail(err, -ENOMEM, "out of memory");
	fr_pool_free(&pool);
	return rc;
}
