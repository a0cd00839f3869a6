// SPDX-License-Identifier: GPL-2.0-or-later
/* link: -Wl,--wrap=fr_left_to -Wl,--wrap=fr_noted_set */
/* What is assembled at boot: words of the command line, the configuration, and what is to be done with a set. */
#include <stdio.h>

#include "notes.h"
#include "testing.h"

/* ---- what this machine is like: mdadm is there, and the notes are those of a test ---- */

static const char *kernel_words = "";
static const char *released;     /* the one set whose disks have been given back */

const char *__wrap_fr_left_to(const struct fr_format *format, const char **word);
bool __wrap_fr_noted_set(const char *which, const char *set_name, char *text, size_t size);

const char *__wrap_fr_left_to(const struct fr_format *format, const char **word)
{
	return fr_is_mdadms(format->name, kernel_words, true, word) ? "mdadm" : NULL;
}

bool __wrap_fr_noted_set(const char *which, const char *set_name, char *text, size_t size)
{
	if (strcmp(which, FR_NOTE_RELEASED) != 0 || released == NULL || strcmp(released, set_name) != 0)
		return false;
	snprintf(text, size, "1\n");
	return true;
}

static struct fr_policy *policy_of(const char *cmdline, const char *config, bool in_initramfs)
{
	struct fr_error err = { 0 };
	struct fr_policy *policy;

	if (fr_policy_parse(cmdline == NULL ? "" : cmdline, config == NULL ? "" : config, in_initramfs, &policy, &err) != 0)
		fail_msg("no policy: %s", err.text);
	return policy;
}

/* All wanted names in one text, "|" between two; it lives until the next call. */
static const char *wanted_of(const struct fr_policy *policy)
{
	static char text[16384];
	size_t length = 0;

	text[0] = '\0';
	for (size_t i = 0; policy->wanted[i] != NULL; i++)
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%s", i == 0 ? "" : "|", policy->wanted[i]);
	return text;
}

/* ---- switched off ---- */

static const struct off_row {
	const char *name, *cmdline, *config;
	const char *off;         /* a part of what is said to have switched it off; NULL: it is on */
} off_rows[] = {
	{ "nothing said", NULL, NULL, NULL },
	{ "other words", "root=/dev/sda1 ro quiet splash", NULL, NULL },
	{ "rd.fakeraid=0", "ro rd.fakeraid=0 quiet", NULL, "rd.fakeraid=0" },
	{ "rd.fakeraid=no", "rd.fakeraid=no", NULL, "rd.fakeraid=no" },
	{ "rd.fakeraid=off", "rd.fakeraid=off", NULL, "rd.fakeraid=off" },
	{ "fakeraid=0", "fakeraid=0", NULL, "fakeraid=0" },
	{ "nodmraid", "quiet nodmraid\n", NULL, "nodmraid" },
	{ "nodmraid with a value", "nodmraid=1", NULL, "nodmraid" },
	{ "rd.dm=0", "rd.dm=0", NULL, "rd.dm=0" },
	{ "rd.dm=no", "rd.dm=no", NULL, "rd.dm=no" },
	{ "rd_NO_DM", "rd_NO_DM", NULL, "rd_NO_DM" },
	{ "off beats a name", "rd.dm.uuid=set rd.dm=0", NULL, "rd.dm=0" },
	{ "off before a name", "nodmraid rd.fakeraid=set", NULL, "nodmraid" },
	{ "off beats rd.auto", "nodmraid rd.auto", NULL, "nodmraid" },
	{ "in quotes", "\"nodmraid\"", NULL, "nodmraid" },
	{ "the value in quotes", "rd.fakeraid=\"0\"", NULL, "rd.fakeraid=0" },
	{ "assemble = none", NULL, "assemble = none\n", "/etc/fakeraid.conf" },
	{ "the configuration is not outvoted by a name", "rd.dm.uuid=set", "assemble=none", "/etc/fakeraid.conf" },

	{ "rd.fakeraid=1", "rd.fakeraid=1", NULL, NULL },
	{ "rd.fakeraid", "rd.fakeraid", NULL, NULL },
	{ "a set whose name begins with 0", "rd.fakeraid=0a", NULL, NULL },
	{ "fakeraid=1", "fakeraid=1", NULL, NULL },
	{ "rd.dm=1", "rd.dm=1", NULL, NULL },
	{ "rd.dm", "rd.dm", NULL, NULL },
	{ "another option that begins so", "rd.dm.uuid=0 rd.dmx=0 rd.fakeraidx=0 nodmraidx", NULL, NULL },
	{ "another option that ends so", "xnodmraid xrd.dm=0 my.rd.fakeraid=0", NULL, NULL },
	{ "in a value", "init=nodmraid", NULL, NULL },
	{ "in a quoted value", "x=\"a nodmraid b\"", NULL, NULL },
	{ "no degraded sets", "rd.fakeraid.degraded=no", NULL, NULL },
	{ "rd.auto=0", "rd.auto=0", NULL, NULL },
	{ "other letters", "NODMRAID RD.DM=0", NULL, NULL },
	{ "assemble = auto", NULL, "assemble = auto\n", NULL },
	{ "none in a comment", NULL, "# assemble = none\n", NULL },
};

static void switched_off(void **state)
{
	const struct off_row *row = *state;

	for (int in_initramfs = 0; in_initramfs < 2; in_initramfs++) {
		struct fr_policy *policy = policy_of(row->cmdline, row->config, in_initramfs != 0);

		if (row->off == NULL)
			assert_null(policy->off);
		else
			assert_contains(policy->off, row->off);
		fr_policy_free(policy);
	}
}

/* ---- which sets are wanted ---- */

enum where { INITRAMFS, ROOT };

static const struct wanted_row {
	const char *name;
	enum where where;
	const char *cmdline, *config;
	const char *wanted;
	bool automatic;
} wanted_rows[] = {
	{ "nothing said", INITRAMFS, NULL, NULL, "", true },
	{ "nothing said, the real root", ROOT, NULL, NULL, "", true },
	{ "blanks only", INITRAMFS, "  \t \n ", " \n\n\t\n", "", true },

	{ "rd.dm.uuid", INITRAMFS, "ro rd.dm.uuid=nvidia_ab quiet", NULL, "nvidia_ab", false },
	{ "two of them", INITRAMFS, "rd.dm.uuid=nvidia_ab rd.dm.uuid=sil_cd", NULL, "nvidia_ab|sil_cd", false },
	{ "the same twice", INITRAMFS, "rd.dm.uuid=a rd.dm.uuid=a", NULL, "a|a", false },
	{ "DMRAID- before it", INITRAMFS, "rd.dm.uuid=DMRAID-nvidia_ab", NULL, "nvidia_ab", false },
	{ "DMRAID- alone", INITRAMFS, "rd.dm.uuid=DMRAID-", NULL, "", true },
	{ "dmraid- is a name", INITRAMFS, "rd.dm.uuid=dmraid-x", NULL, "dmraid-x", false },
	{ "DMRAID- once", INITRAMFS, "rd.dm.uuid=DMRAID-DMRAID-x", NULL, "DMRAID-x", false },
	{ "without a value", INITRAMFS, "rd.dm.uuid rd.dm.uuid=", NULL, "", true },
	{ "rd_DM_UUID", INITRAMFS, "rd_DM_UUID=nvidia_ab", NULL, "nvidia_ab", false },
	{ "rd.fakeraid", INITRAMFS, "rd.fakeraid=nvidia_ab", NULL, "nvidia_ab", false },
	{ "rd.fakeraid with DMRAID-", INITRAMFS, "rd.fakeraid=DMRAID-nvidia_ab", NULL, "nvidia_ab", false },
	{ "rd.fakeraid with an identity", INITRAMFS, "rd.fakeraid=nvidia:0A0B", NULL, "nvidia:0A0B", false },
	{ "rd.fakeraid=1 is no name", INITRAMFS, "rd.fakeraid=1", NULL, "", true },
	{ "all spellings, in their order", INITRAMFS, "rd.fakeraid=c rd_DM_UUID=b rd.dm.uuid=a", NULL, "c|b|a", false },
	{ "another option", INITRAMFS, "rd.dm.uuids=a rd.dm.uuid.x=b rd.md.uuid=c rd.fakeraid.x=d", NULL, "", true },
	{ "an equals sign in it", INITRAMFS, "rd.dm.uuid=a=b", NULL, "a=b", false },
	{ "names are of the initramfs", ROOT, "rd.dm.uuid=a rd_DM_UUID=b rd.fakeraid=c", NULL, "", true },

	{ "rd.auto", INITRAMFS, "rd.auto", NULL, "", true },
	{ "rd.auto=1", INITRAMFS, "rd.auto=1", NULL, "", true },
	{ "rd.auto=0", INITRAMFS, "rd.auto=0", NULL, "", false },
	{ "rd.auto=no", INITRAMFS, "rd.auto=no", NULL, "", false },
	{ "the last rd.auto counts", INITRAMFS, "rd.auto=0 rd.auto=1", NULL, "", true },
	{ "and the other way", INITRAMFS, "rd.auto rd.auto=0", NULL, "", false },
	{ "rd.auto=0 and a name", INITRAMFS, "rd.auto=0 rd.dm.uuid=a", NULL, "a", false },
	{ "a name restricts rd.auto, as in dracut", INITRAMFS, "rd.auto=1 rd.dm.uuid=a", NULL, "a", false },
	{ "rd.auto=0 is of the initramfs", ROOT, "rd.auto=0", NULL, "", true },

	{ "blanks of all kinds", INITRAMFS, "\trd.dm.uuid=a\n\n  rd.dm.uuid=b \t", NULL, "a|b", false },
	{ "files, one after the other", INITRAMFS, " rd.dm.uuid=a\nrd.dm.uuid=b\nquiet", NULL, "a|b", false },
	{ "a quoted value", INITRAMFS, "rd.dm.uuid=\"a b\" rd.dm.uuid=c", NULL, "a b|c", false },
	{ "a quoted word", INITRAMFS, "\"rd.dm.uuid=a b\" rd.dm.uuid=c", NULL, "a b|c", false },
	{ "quotes in the middle", INITRAMFS, "rd.dm.uuid=a\" \"b", NULL, "a b", false },
	{ "a quote that does not end", INITRAMFS, "rd.dm.uuid=\"a b", NULL, "a b", false },
	{ "nothing in quotes", INITRAMFS, "rd.dm.uuid=\"\" \"\"", NULL, "", true },
	{ "a backslash stays", INITRAMFS, "rd.dm.uuid=isw_a_My\\x20Vol", NULL, "isw_a_My\\x20Vol", false },

	{ "assemble = auto", INITRAMFS, NULL, "assemble = auto", "", true },
	{ "assemble = listed", INITRAMFS, NULL, "assemble = listed\n", "", false },
	{ "assemble = listed, the real root", ROOT, NULL, "assemble = listed\n", "", false },
	{ "listed ones", ROOT, NULL, "assemble = listed\nset = a\nset = nvidia:0A0B\n", "a|nvidia:0A0B", false },
	{ "listed before assemble", INITRAMFS, NULL, "set=a\nassemble=listed", "a", false },
	{ "DMRAID- in the configuration", ROOT, NULL, "assemble=listed\nset = DMRAID-a", "a", false },
	{ "names of both", INITRAMFS, "rd.dm.uuid=b", "assemble = listed\nset = a\n", "a|b", false },
	{ "the command line's are not the real root's", ROOT, "rd.dm.uuid=b", "assemble = listed\nset = a\n", "a", false },
	{ "the last assemble counts", ROOT, NULL, "assemble = listed\nassemble = auto\n", "", true },
	{ "rd.auto over the configuration", INITRAMFS, "rd.auto=1", "assemble = listed\n", "", true },
	{ "comments", ROOT, NULL, "# set = x\n  # set = y\nset = a # and no other\n#", "a", false },
	{ "blanks around", ROOT, NULL, "\t set\t=  a \t\r\nset=b", "a|b", false },
	{ "a number sign in a name", ROOT, NULL, "set = isw_a_Vol#1\n", "isw_a_Vol#1", false },
	{ "an equals sign in a name", ROOT, NULL, "set = isw_a_b=c\n", "isw_a_b=c", false },
	{ "no value", ROOT, NULL, "set =\nset\n= a\n", "", true },
	{ "unknown keys", ROOT, NULL, "sets = a\nSET = b\nset x = c\n[set]\n", "", true },
};

static void wanted(void **state)
{
	const struct wanted_row *row = *state;
	struct fr_policy *policy = policy_of(row->cmdline, row->config, row->where == INITRAMFS);

	assert_null(policy->off);
	assert_string_equal(wanted_of(policy), row->wanted);
	assert_int_equal(policy->automatic, row->automatic);
	fr_policy_free(policy);
}

/* ---- other settings ---- */

static const struct setting_row {
	const char *name, *cmdline, *config;
	enum fr_degraded degraded;
	bool isw_is_ours;
} setting_rows[] = {
	{ "nothing said", NULL, NULL, FR_DEGRADED_READ_WRITE, false },
	{ "rw", "rd.fakeraid.degraded=rw", NULL, FR_DEGRADED_READ_WRITE, false },
	{ "ro", "rd.fakeraid.degraded=ro", NULL, FR_DEGRADED_READ_ONLY, false },
	{ "no", "a rd.fakeraid.degraded=no b", NULL, FR_DEGRADED_NO, false },
	{ "the last one counts", "rd.fakeraid.degraded=no rd.fakeraid.degraded=ro", NULL, FR_DEGRADED_READ_ONLY, false },
	{ "in quotes", "rd.fakeraid.degraded=\"ro\"", NULL, FR_DEGRADED_READ_ONLY, false },
	{ "an unknown word", "rd.fakeraid.degraded=maybe rd.fakeraid.degraded rd.fakeraid.degraded=", NULL,
	  FR_DEGRADED_READ_WRITE, false },
	{ "an unknown word changes nothing", "rd.fakeraid.degraded=no rd.fakeraid.degraded=RW", NULL, FR_DEGRADED_NO, false },
	{ "another option", "fakeraid.degraded.x=no rd.fakeraid.degradedx=no", NULL, FR_DEGRADED_READ_WRITE, false },
	{ "configured ro", NULL, "degraded = ro", FR_DEGRADED_READ_ONLY, false },
	{ "configured no", NULL, "degraded=no\n", FR_DEGRADED_NO, false },
	{ "configured nonsense", NULL, "degraded = ro\ndegraded = perhaps\n", FR_DEGRADED_READ_ONLY, false },
	{ "the command line over the configuration", "rd.fakeraid.degraded=rw", "degraded = no\n", FR_DEGRADED_READ_WRITE,
	  false },
	{ "isw = dm", NULL, "isw = dm\n", FR_DEGRADED_READ_WRITE, true },
	{ "isw = md", NULL, "isw = md\n", FR_DEGRADED_READ_WRITE, false },
	{ "the last isw counts", NULL, "isw = dm\nisw = md\n", FR_DEGRADED_READ_WRITE, false },
	{ "isw on the command line is nothing", "isw=dm", NULL, FR_DEGRADED_READ_WRITE, false },
};

static void settings(void **state)
{
	const struct setting_row *row = *state;

	for (int in_initramfs = 0; in_initramfs < 2; in_initramfs++) {
		struct fr_policy *policy = policy_of(row->cmdline, row->config, in_initramfs != 0);

		assert_null(policy->off);
		assert_int_equal(policy->degraded, row->degraded);
		assert_int_equal(policy->isw_is_ours, row->isw_is_ours);
		fr_policy_free(policy);
	}
}

/* ---- long texts ---- */

enum { LONG = 100000 };

/* LONG bytes: `first`, then `filler` again and again, then `last`; to be freed. */
static char *long_text(const char *first, const char *filler, const char *last)
{
	char *text = malloc(LONG + 1);
	size_t at = strlen(first), end = LONG - strlen(last);

	assert_non_null(text);
	memcpy(text, first, at);
	for (size_t i = 0; at < end; i++)
		text[at++] = filler[i % strlen(filler)];
	memcpy(text + end, last, LONG - end + 1);
	return text;
}

static const struct long_row {
	const char *name, *first, *filler, *last;
	bool is_config;
	const char *wanted;
	const char *off;
} long_rows[] = {
	{ "words before", "quiet ", "a=b c ", " rd.dm.uuid=a", false, "a", NULL },
	{ "words behind", "rd.dm.uuid=a ", "b ", " quiet", false, "a", NULL },
	{ "one word before", "x", "y", " nodmraid", false, "", "nodmraid" },
	{ "one word behind", "nodmraid x", "y", "z", false, "", "nodmraid" },
	{ "the end of a long word is no word", "x", "y", "nodmraid", false, "", NULL },
	{ "a long quoted word", "x=\"", " nodmraid", "\" rd.dm.uuid=a", false, "a", NULL },
	{ "blanks", " ", " \t\n", " rd.dm.uuid=a", false, "a", NULL },
	{ "quotes", "\"", "\"\"", "\" rd.dm.uuid=a", false, NULL, NULL }, /* whatever it is */
	{ "a long line of the configuration", "#", "x", "\nset = a", true, "a", NULL },
	{ "its end is no setting", "# ", "set = x ", "set = y", true, "", NULL },
	{ "many lines", "set = a\n", "degraded = no\n", "\n", true, "a", NULL },
	{ "many empty lines", "\n", "\n", "\nassemble = none", true, "", "assemble" },
};

static void long_ones(void **state)
{
	const struct long_row *row = *state;
	char *text = long_text(row->first, row->filler, row->last);
	struct fr_policy *policy = policy_of(row->is_config ? "" : text, row->is_config ? text : "", true);

	if (row->off == NULL)
		assert_null(policy->off);
	else
		assert_contains(policy->off, row->off);
	if (row->wanted != NULL)
		assert_string_equal(wanted_of(policy), row->wanted);
	fr_policy_free(policy);
	free(text);
}

/* A name that is too long to be one is not cut to one that others begin with. */
static void a_long_name(void **state)
{
	static char cmdline[2000] = "rd.dm.uuid=";
	char name[FR_MAX_DM_NAME + 1];
	struct hand_set h;
	struct fr_policy *policy;
	const char *why;
	size_t length = strlen(cmdline);

	(void)state;
	memset(cmdline + length, 'x', sizeof(cmdline) - length - 1);
	policy = policy_of(cmdline, NULL, true);
	assert_false(policy->automatic);
	hand_set(&h, FR_LEVEL_RAID0, 2, 8, 1000);
	snprintf(name, sizeof(name), "%s", cmdline + length);
	h.set.name = name;
	h.set.format = format_named("nvidia");
	assert_false(fr_policy_allows(policy, &h.set, &why));
	fr_policy_free(policy);
}

/* More names than anyone has sets: those that are not taken are not asked for, and nothing else is. */
static void many_names(void **state)
{
	static char cmdline[16000];
	struct fr_policy *policy;
	size_t length = 0, count = 0;

	(void)state;
	for (int i = 0; i < 500; i++)
		length += (size_t)snprintf(cmdline + length, sizeof(cmdline) - length, "rd.dm.uuid=set_%d_ ", i);
	policy = policy_of(cmdline, NULL, true);
	while (policy->wanted[count] != NULL)
		count++;
	assert_in_range(count, 64, 500);
	assert_false(policy->automatic);
	fr_policy_free(policy);
}

/* ---- may this set be assembled? ---- */

static const char *const two_aliases[] = { "isw_old_Volume", "isw_older_Volume", NULL };

static const struct allowed_row {
	const char *name;
	enum where where;
	const char *cmdline, *config;
	const char *format;      /* of a set of the name "FORMAT_abc_Volume" with the identity "0A0B" */
	const char *why;         /* it is not allowed; NULL: it is */
} allowed_rows[] = {
	{ "nothing said", INITRAMFS, "quiet", NULL, "nvidia", NULL },
	{ "nothing said, the real root", ROOT, "quiet", NULL, "nvidia", NULL },
	{ "rd.auto", INITRAMFS, "rd.auto", NULL, "nvidia", NULL },
	{ "rd.auto=0", INITRAMFS, "rd.auto=0", NULL, "nvidia", "not asked for" },
	{ "rd.auto=0, the real root", ROOT, "rd.auto=0", NULL, "nvidia", NULL },
	{ "off", INITRAMFS, "rd.fakeraid=0", NULL, "nvidia", "rd.fakeraid=0" },
	{ "off, and named", INITRAMFS, "rd.fakeraid=nvidia_abc_Volume nodmraid", NULL, "nvidia", "nodmraid" },
	{ "off by the configuration", ROOT, NULL, "assemble=none", "nvidia", "/etc/fakeraid.conf" },

	{ "its name", INITRAMFS, "rd.dm.uuid=nvidia_abc_Volume", NULL, "nvidia", NULL },
	{ "its name, by the new word", INITRAMFS, "rd.fakeraid=nvidia_abc_Volume", NULL, "nvidia", NULL },
	{ "its uuid", INITRAMFS, "rd.dm.uuid=DMRAID-nvidia_abc_Volume", NULL, "nvidia", NULL },
	{ "the beginning of its name", INITRAMFS, "rd.dm.uuid=nvidia_a", NULL, "nvidia", NULL },
	{ "the beginning of its uuid", INITRAMFS, "rd.dm.uuid=DMRAID-nvidia_a", NULL, "nvidia", NULL },
	{ "the second one named", INITRAMFS, "rd.dm.uuid=sil_x rd.dm.uuid=nvidia_abc", NULL, "nvidia", NULL },
	{ "another name", INITRAMFS, "rd.dm.uuid=nvidia_abd", NULL, "nvidia", "not asked for" },
	{ "a longer name", INITRAMFS, "rd.dm.uuid=nvidia_abc_Volume1", NULL, "nvidia", "not asked for" },
	{ "the end of its name", INITRAMFS, "rd.dm.uuid=abc_Volume", NULL, "nvidia", "not asked for" },
	{ "other letters", INITRAMFS, "rd.dm.uuid=NVIDIA_abc_Volume", NULL, "nvidia", "not asked for" },
	{ "another name, the real root", ROOT, "rd.dm.uuid=sil_x", NULL, "nvidia", NULL },
	{ "an alias", INITRAMFS, "rd.dm.uuid=isw_old_Volume", NULL, "nvidia", NULL },
	{ "the second alias", INITRAMFS, "rd.fakeraid=isw_older_Volume", NULL, "nvidia", NULL },
	{ "its identity", INITRAMFS, "rd.fakeraid=nvidia:0A0B", NULL, "nvidia", NULL },
	{ "the beginning of its identity", INITRAMFS, "rd.fakeraid=nvidia:0A", NULL, "nvidia", "not asked for" },
	{ "a longer identity", INITRAMFS, "rd.fakeraid=nvidia:0A0B1", NULL, "nvidia", "not asked for" },
	{ "the identity in another format", INITRAMFS, "rd.fakeraid=sil:0A0B", NULL, "nvidia", "not asked for" },
	{ "no identity", INITRAMFS, "rd.fakeraid=nvidia:", NULL, "nvidia", "not asked for" },
	{ "listed", ROOT, NULL, "assemble = listed\nset = nvidia:0A0B", "nvidia", NULL },
	{ "not listed", ROOT, NULL, "assemble = listed\nset = sil_", "nvidia", "not asked for" },
	{ "none listed", ROOT, NULL, "assemble = listed", "nvidia", "not asked for" },

	{ "isw is mdadm's", INITRAMFS, "quiet", NULL, "isw", "mdadm" },
	{ "isw is mdadm's, the real root", ROOT, "quiet", NULL, "isw", "mdadm" },
	{ "though it is named", INITRAMFS, "rd.dm.uuid=isw_abc_Volume", NULL, "isw", "mdadm" },
	{ "though all are wanted", INITRAMFS, "rd.auto", NULL, "isw", "mdadm" },
	{ "noiswmd", INITRAMFS, "noiswmd", NULL, "isw", NULL },
	{ "noiswmd, the real root", ROOT, "noiswmd", NULL, "isw", NULL },
	{ "rd.md.imsm=0", INITRAMFS, "rd.md.imsm=0", NULL, "isw", NULL },
	{ "rd.md.imsm=0, the real root", ROOT, "rd.md.imsm=0", NULL, "isw", NULL },
	{ "rd.md=0", INITRAMFS, "rd.md=0", NULL, "isw", NULL },
	{ "rd.md.ddf=0 is of others", INITRAMFS, "rd.md.ddf=0", NULL, "isw", "mdadm" },
	{ "noiswmd, and another is named", INITRAMFS, "noiswmd rd.dm.uuid=nvidia_", NULL, "isw", "not asked for" },
	{ "isw = dm", ROOT, "quiet", "isw = dm", "isw", NULL },
	{ "isw = md", ROOT, "quiet", "isw = md", "isw", "mdadm" },
	{ "ddf1 is mdadm's", INITRAMFS, "quiet", NULL, "ddf1", "mdadm" },
	{ "rd.md.ddf=0", INITRAMFS, "rd.md.ddf=0", NULL, "ddf1", NULL },
	{ "noddfmd", ROOT, "noddfmd", NULL, "ddf1", NULL },
	{ "noiswmd is of isw", INITRAMFS, "noiswmd", NULL, "ddf1", "mdadm" },
	{ "isw = dm is of isw", ROOT, "quiet", "isw = dm", "ddf1", "mdadm" },
};

static void allowed(void **state)
{
	const struct allowed_row *row = *state;
	const struct fr_format format = { .name = row->format };
	struct fr_policy *policy = policy_of(row->cmdline, row->config, row->where == INITRAMFS);
	const char *why = "something";
	char name[64];
	struct hand_set h;

	kernel_words = row->cmdline == NULL ? "" : row->cmdline;
	hand_set(&h, FR_LEVEL_RAID1, 2, 0, 1000);
	snprintf(name, sizeof(name), "%s_abc_Volume", row->format);
	h.set.name = name;
	h.set.format = &format;
	h.set.id = "0A0B";
	h.set.aliases = two_aliases;
	assert_int_equal(fr_policy_allows(policy, &h.set, &why), row->why == NULL);
	if (row->why == NULL)
		assert_null(why);
	else
		assert_contains(why, row->why);
	fr_policy_free(policy);
}

/* ---- what is to be done with a set ---- */

static const struct ready_row {
	const char *name;
	enum fr_level level;
	enum fr_use use;
	unsigned missing;        /* of two members */
	enum fr_readiness readiness;
	const char *why;         /* a part of what is said; NULL: nothing */
	const char *cmdline;     /* NULL: nothing said */
	const char *format;      /* NULL: one that is nobody else's */
	const char *holder;
	bool released;
} ready_rows[] = {
	{ "complete", FR_LEVEL_RAID1, FR_USE_READ_WRITE, 0, FR_READY_COMPLETE, NULL, NULL, NULL, NULL, false },
	{ "complete, a stripe", FR_LEVEL_RAID0, FR_USE_READ_WRITE, 0, FR_READY_COMPLETE, NULL, NULL, NULL, NULL, false },
	{ "a mirror's half", FR_LEVEL_RAID1, FR_USE_READ_ONLY_FIRST, 1, FR_READY_DEGRADED, NULL, NULL, NULL, NULL, false },
	{ "a mirror's half that may only be read", FR_LEVEL_RAID1, FR_USE_READ_ONLY, 1, FR_READY_DEGRADED, NULL, NULL, NULL,
	  NULL, false },
	{ "a stripe's half", FR_LEVEL_RAID0, FR_USE_NEVER, 1, FR_READY_WAITING, NULL, NULL, NULL, NULL, false },
	{ "nothing of it but a record", FR_LEVEL_RAID0, FR_USE_NEVER, 2, FR_READY_WAITING, NULL, NULL, NULL, NULL, false },
	{ "all there, one stale", FR_LEVEL_RAID1, FR_USE_READ_ONLY_FIRST, 0, FR_READY_COMPLETE, NULL, NULL, NULL, NULL, false },
	{ "all there, read-only", FR_LEVEL_RAID1, FR_USE_READ_ONLY, 0, FR_READY_COMPLETE, NULL, NULL, NULL, NULL, false },
	{ "all there, on request", FR_LEVEL_RAID5, FR_USE_ON_REQUEST, 0, FR_READY_NEVER, NULL, NULL, NULL, NULL, false },
	{ "one missing, on request", FR_LEVEL_RAID5, FR_USE_ON_REQUEST, 1, FR_READY_WAITING, NULL, NULL, NULL, NULL, false },
	{ "all there, never", FR_LEVEL_RAID0, FR_USE_NEVER, 0, FR_READY_NEVER, NULL, NULL, NULL, NULL, false },

	{ "in use by another", FR_LEVEL_RAID1, FR_USE_READ_WRITE, 0, FR_READY_FOREIGN, "in use", NULL, NULL, "md127", false },
	{ "a half in use by another", FR_LEVEL_RAID1, FR_USE_READ_ONLY_FIRST, 1, FR_READY_FOREIGN, "in use", NULL, NULL, "md127",
	  false },
	{ "in use, though wanted", FR_LEVEL_RAID1, FR_USE_READ_WRITE, 0, FR_READY_FOREIGN, "in use", "rd.fakeraid=set", NULL,
	  "md127", false },
	{ "mdadm's", FR_LEVEL_RAID1, FR_USE_READ_WRITE, 0, FR_READY_FOREIGN, "mdadm", NULL, "isw", NULL, false },
	{ "mdadm's half", FR_LEVEL_RAID1, FR_USE_READ_ONLY_FIRST, 1, FR_READY_FOREIGN, "mdadm", NULL, "isw", NULL, false },
	{ "mdadm's, though wanted", FR_LEVEL_RAID1, FR_USE_READ_WRITE, 0, FR_READY_FOREIGN, "mdadm", "rd.fakeraid=set", "isw",
	  NULL, false },
	{ "not mdadm's", FR_LEVEL_RAID1, FR_USE_READ_WRITE, 0, FR_READY_COMPLETE, NULL, "noiswmd", "isw", NULL, false },

	{ "off", FR_LEVEL_RAID1, FR_USE_READ_WRITE, 0, FR_READY_DISABLED, "nodmraid", "nodmraid", NULL, NULL, false },
	{ "off, and mdadm's", FR_LEVEL_RAID1, FR_USE_READ_WRITE, 0, FR_READY_DISABLED, "rd.dm=0", "rd.dm=0", "isw", NULL, false },
	{ "not asked for", FR_LEVEL_RAID1, FR_USE_READ_WRITE, 0, FR_READY_DISABLED, "asked for", "rd.fakeraid=x", NULL, NULL,
	  false },
	{ "a half that was not asked for", FR_LEVEL_RAID1, FR_USE_READ_ONLY_FIRST, 1, FR_READY_DISABLED, "asked for",
	  "rd.auto=0", NULL, NULL, false },
	{ "asked for", FR_LEVEL_RAID1, FR_USE_READ_WRITE, 0, FR_READY_COMPLETE, NULL, "rd.fakeraid=set", NULL, NULL, false },
	{ "asked for, a half", FR_LEVEL_RAID1, FR_USE_READ_ONLY_FIRST, 1, FR_READY_DEGRADED, NULL, "rd.fakeraid=set", NULL, NULL,
	  false },
	{ "no degraded ones: it waits none the less", FR_LEVEL_RAID1, FR_USE_READ_ONLY_FIRST, 1, FR_READY_DEGRADED, NULL,
	  "rd.fakeraid.degraded=no", NULL, NULL, false },

	{ "given back", FR_LEVEL_RAID0, FR_USE_NEVER, 1, FR_READY_DISABLED, "did not come", NULL, NULL, NULL, true },
	{ "given back, and now complete", FR_LEVEL_RAID0, FR_USE_READ_WRITE, 0, FR_READY_COMPLETE, NULL, NULL, NULL, NULL, true },
};

static void ready(void **state)
{
	const struct ready_row *row = *state;
	const struct fr_format format = { .name = row->format == NULL ? "nvidia" : row->format };
	struct fr_policy *policy = policy_of(row->cmdline, NULL, true);
	const char *why = "something";
	struct hand_set h;

	kernel_words = row->cmdline == NULL ? "" : row->cmdline;
	released = row->released ? "set" : "another";
	hand_set(&h, row->level, 2, fr_level_is_striped(row->level) ? 8 : 0, 1000);
	for (unsigned i = 0; i < row->missing; i++)
		hand_set_lose(&h, i);
	h.set.use = row->use;
	h.set.format = &format;
	h.set.holder = row->holder;
	assert_int_equal(fr_set_readiness(policy, &h.set, &why), row->readiness);
	if (row->why == NULL)
		assert_null(why);
	else
		assert_contains(why, row->why);
	fr_policy_free(policy);
}

/* From "never" on the disks are the set's own; the order is part of the interface. */
static void names_of_readiness(void **state)
{
	static const char *const names[] = { "disabled", "foreign", "impossible", "waiting", "degradable", "complete" };

	(void)state;
	assert_int_equal(FR_READY_COMPLETE, FR_COUNT(names) - 1);
	for (size_t i = 0; i < FR_COUNT(names); i++)
		assert_string_equal(fr_readiness_name((enum fr_readiness)i), names[i]);
}

static void disks_of_a_set(void **state)
{
	struct fr_member spare = { .index = 0 }, left_out = { .index = 1 };
	struct fr_disk others[3] = { { .path = "spare" }, { .path = "left out" }, { .path = "stranger" } };
	struct hand_set h;

	(void)state;
	hand_set(&h, FR_LEVEL_RAID5, 4, 8, 1000);
	spare.disk = &others[0];
	left_out.disk = &others[1];
	h.set.spares = &spare;
	h.set.nspares = 1;
	h.set.left_out = &left_out;
	h.set.nleft_out = 1;
	assert_int_equal(fr_set_missing(&h.set), 0);
	hand_set_lose(&h, 2);
	h.set.members[3].state = FR_MEMBER_STALE; /* it is here */
	assert_int_equal(fr_set_missing(&h.set), 1);
	assert_true(fr_set_has_disk(&h.set, &h.disks[0]));
	assert_false(fr_set_has_disk(&h.set, &h.disks[2]));
	assert_true(fr_set_has_disk(&h.set, &h.disks[3]));
	assert_true(fr_set_has_disk(&h.set, &others[0]));
	assert_true(fr_set_has_disk(&h.set, &others[1]));
	assert_false(fr_set_has_disk(&h.set, &others[2]));
	hand_set_lose(&h, 0);
	assert_int_equal(fr_set_missing(&h.set), 2);
}

static void nothing_to_free(void **state)
{
	(void)state;
	fr_policy_free(NULL);
}

int main(void)
{
	struct test_list list = { 0 };

	ADD_ROWS(&list, off_rows, switched_off);
	ADD_ROWS(&list, wanted_rows, wanted);
	ADD_ROWS(&list, setting_rows, settings);
	ADD_ROWS(&list, long_rows, long_ones);
	ADD_TEST(&list, a_long_name);
	ADD_TEST(&list, many_names);
	ADD_ROWS(&list, allowed_rows, allowed);
	ADD_ROWS(&list, ready_rows, ready);
	ADD_TEST(&list, names_of_readiness);
	ADD_TEST(&list, disks_of_a_set);
	ADD_TEST(&list, nothing_to_free);
	return run_list("policy", &list);
}
