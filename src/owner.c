// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * owner.c - whose sets they are. mdadm, too, assembles the arrays of some
 * firmware, keeps their metadata up to date while it does, and is set up for
 * it wherever it is installed: those are its own unless the machine is told
 * otherwise, in the words that distributions have for that.
 */
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

#include "internal.h"

/* By which words a format is kept from mdadm: its own rules and dracut's read not all the same. */
static const struct rule {
	const char *format;
	const char *words[3];    /* to be there, with whatever value; the first is the one to recommend */
	const char *option;      /* to be switched off */
} rules[] = {
	{ "isw", { "noiswmd", "rd_NO_MDIMSM", "rd_NO_MD" }, "rd.md.imsm" },
	{ "ddf1", { "noddfmd", "rd_NO_MDDDF", "rd_NO_MD" }, "rd.md.ddf" },
};

static bool is_key(const char *word, size_t length, const char *key)
{
	size_t n = strlen(key);

	return length >= n && strncmp(word, key, n) == 0 && (length == n || word[n] == '=');
}

/* "key=0", or what else dracut takes for no. */
static bool is_off(const char *word, size_t length, const char *key)
{
	static const char *const no[] = { "0", "no", "off" };
	size_t n = strlen(key) + 1;

	if (!is_key(word, length, key) || length <= n)
		return false;
	for (size_t i = 0; i < FR_COUNT(no); i++) {
		if (length - n == strlen(no[i]) && strncmp(word + n, no[i], length - n) == 0)
			return true;
	}
	return false;
}

static bool keeps_off(const struct rule *rule, const char *word, size_t length)
{
	for (size_t i = 0; i < FR_COUNT(rule->words); i++) {
		if (is_key(word, length, rule->words[i]))
			return true;
	}
	return is_off(word, length, rule->option) || is_off(word, length, "rd.md");
}

static const struct rule *rule_of(const char *format)
{
	for (size_t i = 0; i < FR_COUNT(rules); i++) {
		if (strcmp(rules[i].format, format) == 0)
			return &rules[i];
	}
	return NULL;
}

bool fr_is_mdadms(const char *format, const char *cmdline, bool has_mdadm, const char **word)
{
	static const char blanks[] = " \t\n";
	const struct rule *rule = rule_of(format);

	*word = NULL;
	if (rule == NULL || !has_mdadm)
		return false;
	for (const char *at = cmdline + strspn(cmdline, blanks); *at != '\0'; at += strspn(at, blanks)) {
		size_t length = strcspn(at, blanks);

		if (keeps_off(rule, at, length))
			return false;
		at += length;
	}
	*word = rule->words[0];
	return true;
}

const char *fr_left_to(const struct fr_format *format, const char **word)
{
	bool has_mdadm = access("/sbin/mdadm", X_OK) == 0 || access("/usr/sbin/mdadm", X_OK) == 0;
	char cmdline[8192]; /* longer than any kernel takes */

	fr_read_text("/proc/cmdline", cmdline, sizeof(cmdline)); /* one that is not to be had says nothing */
	return fr_is_mdadms(format->name, cmdline, has_mdadm, word) ? "mdadm" : NULL;
}
