// SPDX-License-Identifier: GPL-2.0-or-later
/* link: -Wl,--wrap=fr_dm_list -Wl,--wrap=fr_noted_set */
/* Other names of a set's devices: three styles of numbering partitions, aliases, and what two could mean. */
#define _GNU_SOURCE
#include <stdio.h>

#include "dm.h"
#include "notes.h"
#include "testing.h"

enum { MAX_NODES = 12, TEXT = 400 };

/* ---- a kernel and notes made by hand ---- */

/* NAME alone is a set, NAME/SET/NUMBER a partition of one, NAME//UUID a device with that uuid; blanks between them. */
static const char *devices;
/* SET:ALIAS,ALIAS; blanks between them. */
static const char *aliases;
static int list_fails;

int __wrap_fr_dm_list(struct fr_pool *pool, struct fr_dm_node **nodes, size_t *count, struct fr_error *err);
bool __wrap_fr_noted_set(const char *which, const char *set_name, char *text, size_t size);

static void take_device(struct fr_dm_node *node, char *text)
{
	char *second = strchr(text, '/'), *third;

	if (second == NULL) {
		snprintf(node->uuid, sizeof(node->uuid), "DMRAID-%.100s", text);
	} else {
		*second++ = '\0';
		third = strchr(second, '/');
		assert_non_null(third);
		*third++ = '\0';
		if (second[0] == '\0')
			snprintf(node->uuid, sizeof(node->uuid), "%.100s", third);
		else
			snprintf(node->uuid, sizeof(node->uuid), "part%.10s-DMRAID-%.100s", third, second);
	}
	snprintf(node->name, sizeof(node->name), "%.100s", text);
}

int __wrap_fr_dm_list(struct fr_pool *pool, struct fr_dm_node **nodes, size_t *count, struct fr_error *err)
{
	char text[TEXT], *saved = NULL;

	*count = 0;
	if (list_fails != 0)
		return fr_fail(err, list_fails, "no list today");
	*nodes = fr_pool_array(pool, MAX_NODES, sizeof(**nodes));
	assert_non_null(*nodes);
	snprintf(text, sizeof(text), "%s", devices);
	for (char *word = strtok_r(text, " ", &saved); word != NULL; word = strtok_r(NULL, " ", &saved)) {
		assert_true(*count < MAX_NODES);
		take_device(&(*nodes)[(*count)++], word);
	}
	return 0;
}

bool __wrap_fr_noted_set(const char *which, const char *set_name, char *text, size_t size)
{
	size_t length = strlen(set_name);

	assert_string_equal(which, FR_NOTE_ALIASES);
	for (const char *at = aliases; at != NULL; at = strchr(at, ' ')) {
		at += *at == ' ';
		if (strncmp(at, set_name, length) != 0 || at[length] != ':')
			continue;
		snprintf(text, size, "%.*s\n", (int)strcspn(at + length + 1, " "), at + length + 1);
		for (char *comma = text; (comma = strchr(comma, ',')) != NULL;)
			*comma = '\n';
		return true;
	}
	return false;
}

/* ---- names ---- */

static const struct name_row {
	const char *name, *uuid, *devices, *aliases;
	const char *names;       /* a blank between two, in this order */
} name_rows[] = {
	/* the name that the device has itself is no other name */
	{ "a set", "DMRAID-nvidia_ab", "nvidia_ab", NULL, "" },
	{ "a partition, a letter before it", "part1-DMRAID-nvidia_ab", "nvidia_ab nvidia_ab1/nvidia_ab/1", NULL, "nvidia_abp1" },
	{ "a partition, a digit before it", "part3-DMRAID-isw_a_Volume1", "isw_a_Volume1 isw_a_Volume1p3/isw_a_Volume1/3", NULL,
	  "isw_a_Volume13" },
	{ "always p", "part1-DMRAID-nvidia_ab", "nvidia_ab nvidia_abp1/nvidia_ab/1", NULL, "nvidia_ab1" },
	{ "never p", "part1-DMRAID-isw_a_Vol0", "isw_a_Vol0 isw_a_Vol01/isw_a_Vol0/1", NULL, "isw_a_Vol0p1" },
	{ "a separator of its own", "part1-DMRAID-nvidia_ab", "nvidia_ab nvidia_ab-part1/nvidia_ab/1", NULL,
	  "nvidia_ab1 nvidia_abp1" },
	{ "a number of two digits", "part12-DMRAID-nvidia_ab", "nvidia_ab nvidia_ab12/nvidia_ab/12", NULL, "nvidia_abp12" },
	{ "a name with what is escaped", "part1-DMRAID-isw_a_My\\x20Vol", "isw_a_My\\x20Vol isw_a_My\\x20Vol1/isw_a_My\\x20Vol/1",
	  NULL, "isw_a_My\\x20Volp1" },
	{ "a set with hyphens", "part2-DMRAID-a-part1-b", "a-part1-b a-part1-b2/a-part1-b/2", NULL, "a-part1-bp2" },
	{ "not listed yet", "part1-DMRAID-nvidia_ab", "", NULL, "nvidia_ab1 nvidia_abp1" },

	{ "an alias", "DMRAID-isw_a_Volume", "isw_a_Volume", "isw_a_Volume:isw_old_Volume", "isw_old_Volume" },
	{ "a partition by an alias", "part1-DMRAID-isw_a_Volume", "isw_a_Volume isw_a_Volume1/isw_a_Volume/1",
	  "isw_a_Volume:isw_old_Vol0", "isw_a_Volumep1 isw_old_Vol01 isw_old_Vol0p1" },
	{ "two aliases", "DMRAID-isw_a_V", "isw_a_V", "isw_a_V:isw_b_V,isw_c_V", "isw_b_V isw_c_V" },
	{ "the same alias twice", "DMRAID-isw_a_V", "isw_a_V", "isw_a_V:isw_b_V,isw_b_V", "isw_b_V" },
	{ "an alias that is the name", "DMRAID-isw_a_V", "isw_a_V", "isw_a_V:isw_a_V", "" },
	{ "another set's alias", "DMRAID-isw_a_V", "isw_a_V isw_x_V", "isw_x_V:isw_b_V", "" },
	{ "an alias that is another device", "DMRAID-isw_a_V", "isw_a_V isw_b_V//LVM-x", "isw_a_V:isw_b_V", "" },
	{ "an alias that is another set", "DMRAID-isw_a_V", "isw_a_V isw_b_V", "isw_a_V:isw_b_V", "" },
	{ "its partition is the other's, too", "part1-DMRAID-isw_a_V", "isw_a_V isw_b_V isw_a_V1/isw_a_V/1", "isw_a_V:isw_b_V",
	  "isw_a_Vp1" },
	{ "an alias like another's partition", "DMRAID-isw_a_V", "isw_a_V isw_b", "isw_a_V:isw_b1", "" },
	{ "an alias like another's partition with p", "DMRAID-isw_a_V", "isw_a_V isw_b", "isw_a_V:isw_bp1", "" },

	{ "Vol and 11 beside Vol1", "part11-DMRAID-Vol", "Vol Vol11/Vol/11 Vol1 Vol1p1/Vol1/1", NULL, "Volp11" },
	{ "Vol1 and 1 beside Vol", "part1-DMRAID-Vol1", "Vol Vol11/Vol/11 Vol1 Vol1p1/Vol1/1", NULL, "" },
	{ "Vol1 and 1 beside Vol without that partition", "part1-DMRAID-Vol1", "Vol Vol1 Vol1p1/Vol1/1", NULL, "" },
	{ "Vol and 11, always p, beside Vol1", "part11-DMRAID-Vol", "Vol Volp11/Vol/11 Vol1", NULL, "" },
	{ "Vol1 and 1 alone", "part1-DMRAID-Vol1", "Vol1 Vol1p1/Vol1/1", NULL, "Vol11" },
	{ "Vol1 and 1 beside Vol1p", "part1-DMRAID-Vol1", "Vol1p Vol1 Vol1p1/Vol1/1", NULL, "Vol11" },
	{ "Volp1 and 1 beside Vol", "part1-DMRAID-Volp1", "Vol Volp1 Volp1p1/Volp1/1", NULL, "" },
	{ "Vol and 11 beside Volp1", "part11-DMRAID-Vol", "Vol Vol11/Vol/11 Volp1", NULL, "" },
	{ "Vol and 1 beside Volume", "part1-DMRAID-Vol", "Vol Vol1/Vol/1 Volume", NULL, "Volp1" },
	{ "Vol and 1 beside a set called Volp1", "part1-DMRAID-Vol", "Vol Vol1/Vol/1 Volp1", NULL, "" },
	{ "a device of another kind has the name", "part1-DMRAID-Vol", "Vol Vol1/Vol/1 Volp1//CRYPT-x", NULL, "" },
	{ "a volume of another kind begins so", "part1-DMRAID-Vol1", "Vol//LVM-Vol Vol1 Vol1p1/Vol1/1", NULL, "Vol11" },
	{ "aliases of two sets that fall together", "DMRAID-isw_a_V", "isw_a_V isw_b_V", "isw_a_V:old isw_b_V:old", "" },
};

static void names_of(const char *uuid, char *text, size_t size)
{
	struct fr_error err = { 0 };
	char **names;
	size_t length = 0;

	if (fr_compat_names(uuid, &names, &err) != 0)
		fail_msg("no names: %s", err.text);
	text[0] = '\0';
	for (size_t i = 0; names[i] != NULL; i++) {
		length += (size_t)snprintf(text + length, size - length, "%s%s", i == 0 ? "" : " ", names[i]);
		assert_true(length < size);
		free(names[i]);
	}
	free(names);
}

static void names(void **state)
{
	const struct name_row *row = *state;
	char text[TEXT];

	devices = row->devices;
	aliases = row->aliases;
	names_of(row->uuid, text, sizeof(text));
	assert_string_equal(text, row->names);
}

/* Whatever the order in which the partitions of two sets are asked for: no name is that of both. */
static void no_name_twice(void **state)
{
	static const char *const uuids[] = { "part1-DMRAID-Vol1", "part11-DMRAID-Vol", "part1-DMRAID-Vol", "part1-DMRAID-Volp1" };
	char all[FR_COUNT(uuids) * TEXT] = " ", one[TEXT], *saved = NULL;

	(void)state;
	devices = "Vol Vol1 Volp1";
	aliases = NULL;
	for (size_t i = 0; i < FR_COUNT(uuids); i++) {
		names_of(uuids[i], one, sizeof(one));
		for (char *name = strtok_r(one, " ", &saved); name != NULL; name = strtok_r(NULL, " ", &saved)) {
			char between[TEXT];

			snprintf(between, sizeof(between), " %.100s ", name);
			assert_null(strstr(all, between));
			snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s ", name);
		}
	}
}

/* The longest name that device-mapper takes; a link may be longer. */
static void a_long_name(void **state)
{
	char uuid[FR_DM_UUID_SIZE] = "DMRAID-", right[FR_DM_UUID_SIZE], text[TEXT];

	(void)state;
	memset(uuid + 7, 'x', sizeof(uuid) - 8);
	devices = "";
	aliases = NULL;
	snprintf(right, sizeof(right), "%s", uuid + 7);
	names_of(uuid, text, sizeof(text));
	assert_string_equal(text, right);
}

/* ---- what is no uuid of a set ---- */

static const struct bad_row {
	const char *name, *uuid;
} bad_rows[] = {
	{ "nothing", "" },
	{ "another prefix", "LVM-DMRAID-x" },
	{ "small letters", "dmraid-x" },
	{ "no hyphen", "DMRAIDx" },
	{ "no set", "DMRAID-" },
	{ "a partition of no set", "part1-DMRAID-" },
	{ "a partition of another's", "part1-mpath-x" },
	{ "no number", "part-DMRAID-x" },
	{ "no number, but letters", "partx-DMRAID-x" },
	{ "a number and more", "part1x-DMRAID-x" },
	{ "no hyphen behind the number", "part1DMRAID-x" },
	{ "a number alone", "part1" },
	{ "a partition of a partition", "part1-part1-DMRAID-x" },
	{ "a number that is none of a partition", "part123456789012345-DMRAID-x" },
	{ "another folder", "DMRAID-../x" },
	{ "another folder, of a partition", "part1-DMRAID-../../../etc/passwd" },
	{ "a folder", "DMRAID-.." },
};

static void bad_uuid(void **state)
{
	const struct bad_row *row = *state;
	struct fr_error err = { 0 };
	char **names = NULL;

	devices = "x";
	aliases = NULL;
	assert_int_equal(fr_compat_names(row->uuid, &names, &err), -EINVAL);
	assert_contains(err.text, "not the uuid of a set");
	assert_null(names);
}

static void no_list(void **state)
{
	struct fr_error err = { 0 };
	char **names = NULL;

	(void)state;
	list_fails = -EIO;
	assert_int_equal(fr_compat_names("DMRAID-x", &names, &err), -EIO);
	list_fails = 0;
	assert_string_equal(err.text, "no list today");
	assert_null(names);
}

int main(void)
{
	struct test_list list = { 0 };

	ADD_ROWS(&list, name_rows, names);
	ADD_TEST(&list, no_name_twice);
	ADD_TEST(&list, a_long_name);
	ADD_ROWS(&list, bad_rows, bad_uuid);
	ADD_TEST(&list, no_list);
	return run_list("compat", &list);
}
