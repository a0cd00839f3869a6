// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * policy.c - what may be assembled at boot without a person asking for it: the
 * words of the kernel's command line, as people have them from dmraid, mdadm
 * and dracut, and /etc/fakeraid.conf.
 */
#define _GNU_SOURCE
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

enum {
	TEXT_SIZE = 16384,       /* of all command lines together; the kernel's own has 4096 at most */
	MAX_WANTED = 64,
};

struct policy_memory {
	struct fr_policy policy; /* first: fr_policy_free() goes by it */
	struct fr_pool pool;
	const char *wanted[MAX_WANTED + 1];
	size_t nwanted;
	bool in_initramfs;
	bool listed;             /* automatic assembly was switched off */
};

/* ---- words ---- */

/* The value of KEY=VALUE, "" for KEY alone, NULL if the word is another. */
static const char *value_of(const char *word, const char *key)
{
	size_t length = strlen(key);

	if (strncmp(word, key, length) != 0)
		return NULL;
	word += length;
	if (*word == '=')
		return word + 1;
	return *word == '\0' ? "" : NULL;
}

static bool is_no(const char *value)
{
	return strcmp(value, "0") == 0 || strcmp(value, "no") == 0 || strcmp(value, "off") == 0;
}

static bool take_off(struct policy_memory *m, const char *word)
{
	static const char *const switches[] = { "rd.fakeraid", "fakeraid", "rd.dm" };
	static const char *const flags[] = { "nodmraid", "rd_NO_DM" };

	for (size_t i = 0; i < FR_COUNT(switches); i++) {
		const char *value = value_of(word, switches[i]);

		if (value != NULL && is_no(value))
			m->policy.off = fr_pool_text(&m->pool, "%s", word);
	}
	for (size_t i = 0; i < FR_COUNT(flags); i++) {
		if (value_of(word, flags[i]) != NULL)
			m->policy.off = fr_pool_text(&m->pool, "%s", word);
	}
	return m->policy.off != NULL;
}

static void want(struct policy_memory *m, const char *name)
{
	static const char prefix[] = "DMRAID-";

	if (strncmp(name, prefix, sizeof(prefix) - 1) == 0)
		name += sizeof(prefix) - 1;
	if (name[0] != '\0' && m->nwanted < MAX_WANTED)
		m->wanted[m->nwanted++] = fr_pool_text(&m->pool, "%s", name);
}

static void take_degraded(struct policy_memory *m, const char *value)
{
	if (strcmp(value, "rw") == 0)
		m->policy.degraded = FR_DEGRADED_READ_WRITE;
	else if (strcmp(value, "ro") == 0)
		m->policy.degraded = FR_DEGRADED_READ_ONLY;
	else if (strcmp(value, "no") == 0)
		m->policy.degraded = FR_DEGRADED_NO;
}

/* Names on the command line are for the initramfs, as in dracut; afterwards every set that may be used is assembled. */
static void take_word(struct policy_memory *m, const char *word)
{
	static const char *const names[] = { "rd.dm.uuid", "rd_DM_UUID", "rd.fakeraid" };
	const char *value;

	if (take_off(m, word))
		return;
	for (size_t i = 0; i < FR_COUNT(names); i++) {
		value = value_of(word, names[i]);
		if (value != NULL && m->in_initramfs && strcmp(value, "1") != 0)
			want(m, value);
	}
	value = value_of(word, "rd.auto");
	if (value != NULL && m->in_initramfs)
		m->listed = is_no(value);
	value = value_of(word, "rd.fakeraid.degraded");
	if (value != NULL)
		take_degraded(m, value);
}

/* Words of a command line: blanks part them, but not between double quotes, which are no part of the word. */
static void take_cmdline(struct policy_memory *m, const char *text)
{
	char word[512] = "";
	size_t length = 0;
	bool quoted = false;

	for (;; text++) {
		bool end = *text == '\0' || (!quoted && strchr(" \t\n", *text) != NULL);

		if (*text == '"')
			quoted = !quoted;
		else if (!end && length < sizeof(word) - 1)
			word[length++] = *text;
		if (end && length != 0) {
			word[length] = '\0';
			take_word(m, word);
			length = 0;
		}
		if (*text == '\0')
			return;
	}
}

/* ---- the configuration: KEY = VALUE, '#' begins a comment ---- */

static char *trimmed(char *text)
{
	size_t length;

	text += strspn(text, " \t");
	length = strlen(text);
	while (length > 0 && strchr(" \t\r", text[length - 1]) != NULL)
		text[--length] = '\0';
	return text;
}

static void take_setting(struct policy_memory *m, const char *key, const char *value)
{
	if (strcmp(key, "set") == 0)
		want(m, value);
	else if (strcmp(key, "assemble") == 0 && strcmp(value, "none") == 0)
		m->policy.off = "assemble = none in /etc/fakeraid.conf";
	else if (strcmp(key, "assemble") == 0)
		m->listed = strcmp(value, "listed") == 0;
	else if (strcmp(key, "degraded") == 0)
		take_degraded(m, value);
	else if (strcmp(key, "isw") == 0)
		m->policy.isw_is_ours = strcmp(value, "dm") == 0;
}

/* A comment begins a line, or follows a blank: a name may hold the sign, too. */
static size_t comment_start(const char *line)
{
	size_t i = 0;

	while (line[i] != '\0' && !(line[i] == '#' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t')))
		i++;
	return i;
}

static void take_config(struct policy_memory *m, const char *text)
{
	char line[512];

	while (*text != '\0') {
		size_t length = strcspn(text, "\n"), kept = length < sizeof(line) - 1 ? length : sizeof(line) - 1;
		char *equals;

		memcpy(line, text, kept);
		line[kept] = '\0';
		line[comment_start(line)] = '\0';
		equals = strchr(line, '=');
		if (equals != NULL) {
			*equals = '\0';
			take_setting(m, trimmed(line), trimmed(equals + 1));
		}
		text += length + (text[length] == '\n');
	}
}

/* ---- files ---- */

/* Appends a file to a text that always ends in NUL; what cannot be read says nothing. */
static void append_file(char *text, size_t size, const char *path)
{
	size_t at = strlen(text);

	if (at != 0 && at + 2 < size)
		text[at++] = '\n';
	fr_read_text(path, text + at, size - at);
}

static bool is_initramfs(void)
{
	return access("/etc/initrd-release", F_OK) == 0 || access("/conf/initramfs.conf", F_OK) == 0;
}

/* dracut writes what it knows of the machine into files of the image that count as more of the command line. */
static void read_cmdline(char *text, size_t size, bool in_initramfs)
{
	glob_t found;

	text[0] = '\0';
	if (in_initramfs && glob("/etc/cmdline.d/*.conf", 0, NULL, &found) == 0) {
		for (size_t i = 0; i < found.gl_pathc; i++)
			append_file(text, size, found.gl_pathv[i]);
		globfree(&found);
	}
	if (in_initramfs)
		append_file(text, size, "/etc/cmdline");
	append_file(text, size, "/proc/cmdline");
}

static bool is_kept_from_mdadm(const char *format, const char *cmdline)
{
	const char *word;

	return !fr_is_mdadms(format, cmdline, true, &word);
}

int fr_policy_parse(const char *cmdline, const char *config, bool in_initramfs, struct fr_policy **policy,
		    struct fr_error *err)
{
	struct policy_memory *m = calloc(1, sizeof(*m));

	*policy = NULL;
	if (m == NULL)
		return fr_fail(err, -ENOMEM, "out of memory");
	m->in_initramfs = in_initramfs;
	m->policy.degraded = FR_DEGRADED_READ_WRITE;
	take_config(m, config);
	take_cmdline(m, cmdline);
	m->policy.isw_is_ours = m->policy.isw_is_ours || is_kept_from_mdadm("isw", cmdline);
	m->policy.ddf_is_ours = is_kept_from_mdadm("ddf1", cmdline);
	m->policy.automatic = m->nwanted == 0 && !m->listed;
	m->policy.wanted = m->wanted;
	if (m->pool.failed) {
		fr_policy_free(&m->policy);
		return fr_fail(err, -ENOMEM, "out of memory");
	}
	*policy = &m->policy;
	return 0;
}

int fr_policy_new(struct fr_policy **policy, struct fr_error *err)
{
	bool in_initramfs = is_initramfs();
	char cmdline[TEXT_SIZE], config[TEXT_SIZE] = "";

	read_cmdline(cmdline, sizeof(cmdline), in_initramfs);
	append_file(config, sizeof(config), "/etc/fakeraid.conf");
	return fr_policy_parse(cmdline, config, in_initramfs, policy, err);
}

void fr_policy_free(struct fr_policy *policy)
{
	struct policy_memory *m = (struct policy_memory *)policy;

	if (policy == NULL)
		return;
	fr_pool_free(&m->pool);
	free(m);
}

/* ---- what it says of a set ---- */

/* By name or a beginning of it, as dmraid takes it, by an alias, or by FORMAT:IDENTITY. */
static bool is_meant(const struct fr_set *set, const char *wanted)
{
	size_t length = strlen(set->format->name);

	if (strncmp(set->name, wanted, strlen(wanted)) == 0 || fr_set_is_called(set, wanted))
		return true;
	return strncmp(wanted, set->format->name, length) == 0 && wanted[length] == ':' &&
	       strcmp(wanted + length + 1, set->id) == 0;
}

bool fr_policy_is_foreign(const struct fr_policy *policy, const struct fr_set *set)
{
	const char *word;

	if ((policy->isw_is_ours && strcmp(set->format->name, "isw") == 0) ||
	    (policy->ddf_is_ours && strcmp(set->format->name, "ddf1") == 0))
		return false;
	return fr_left_to(set->format, &word) != NULL;
}

bool fr_policy_allows(const struct fr_policy *policy, const struct fr_set *set, const char **why)
{
	*why = policy->off;
	if (policy->off != NULL)
		return false;
	if (fr_policy_is_foreign(policy, set)) {
		*why = "it is left to mdadm";
		return false;
	}
	for (const char *const *wanted = policy->wanted; *wanted != NULL; wanted++) {
		if (is_meant(set, *wanted))
			return true;
	}
	if (!policy->automatic)
		*why = "it was not asked for";
	return policy->automatic;
}
