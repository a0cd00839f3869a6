// SPDX-License-Identifier: GPL-2.0-or-later
/* The words of the JSON schema, names that device-mapper takes, levels, errors and the log. */
#include <stdio.h>

#include "testing.h"

/* ---- words ---- */

static void words_of_the_schema(void **state)
{
	(void)state;
	assert_string_equal(fr_level_name(FR_LEVEL_UNKNOWN), "unknown");
	assert_string_equal(fr_level_name(FR_LEVEL_LINEAR), "linear");
	assert_string_equal(fr_level_name(FR_LEVEL_RAID0), "raid0");
	assert_string_equal(fr_level_name(FR_LEVEL_RAID1), "raid1");
	assert_string_equal(fr_level_name(FR_LEVEL_RAID4), "raid4");
	assert_string_equal(fr_level_name(FR_LEVEL_RAID5), "raid5");
	assert_string_equal(fr_level_name(FR_LEVEL_RAID10), "raid10");
	assert_string_equal(fr_level_name(FR_LEVEL_RAID01), "raid01");
	assert_string_equal(fr_set_state_name(FR_SET_OK), "ok");
	assert_string_equal(fr_set_state_name(FR_SET_DEGRADED), "degraded");
	assert_string_equal(fr_set_state_name(FR_SET_REBUILDING), "rebuilding");
	assert_string_equal(fr_set_state_name(FR_SET_INITIALIZING), "initializing");
	assert_string_equal(fr_set_state_name(FR_SET_MIGRATING), "migrating");
	assert_string_equal(fr_set_state_name(FR_SET_DIRTY), "dirty");
	assert_string_equal(fr_set_state_name(FR_SET_BROKEN), "broken");
	assert_string_equal(fr_set_state_name(FR_SET_UNSUPPORTED), "unsupported");
	assert_string_equal(fr_member_state_name(FR_MEMBER_OK), "ok");
	assert_string_equal(fr_member_state_name(FR_MEMBER_MISSING), "missing");
	assert_string_equal(fr_member_state_name(FR_MEMBER_FAILED), "failed");
	assert_string_equal(fr_member_state_name(FR_MEMBER_STALE), "stale");
	assert_string_equal(fr_member_state_name(FR_MEMBER_REBUILDING), "rebuilding");
	assert_string_equal(fr_verdict_name(FR_VERDICT_VALID), "valid");
	assert_string_equal(fr_verdict_name(FR_VERDICT_STALE), "stale");
	assert_string_equal(fr_verdict_name(FR_VERDICT_FOREIGN), "foreign");
	assert_string_equal(fr_verdict_name(FR_VERDICT_INVALID), "invalid");
	assert_string_equal(fr_verdict_name(FR_VERDICT_WEAK), "weak");
}

static void layouts_by_name(void **state)
{
	static const struct { enum fr_layout layout; const char *name; } layouts[] = {
		{ FR_LAYOUT_LEFT_ASYMMETRIC, "left-asymmetric" }, { FR_LAYOUT_LEFT_SYMMETRIC, "left-symmetric" },
		{ FR_LAYOUT_RIGHT_ASYMMETRIC, "right-asymmetric" }, { FR_LAYOUT_RIGHT_SYMMETRIC, "right-symmetric" },
	};

	(void)state;
	for (size_t i = 0; i < FR_COUNT(layouts); i++) {
		assert_string_equal(fr_layout_name(layouts[i].layout), layouts[i].name);
		assert_int_equal(fr_layout_from_name(layouts[i].name), layouts[i].layout);
	}
	assert_null(fr_layout_name(FR_LAYOUT_NONE));
	assert_int_equal(fr_layout_from_name("left"), FR_LAYOUT_NONE);
	assert_int_equal(fr_layout_from_name(""), FR_LAYOUT_NONE);
	assert_int_equal(fr_layout_from_name("left-symmetric "), FR_LAYOUT_NONE);
}

/* ---- names ---- */

/* What libdevmapper leaves as it is in its AUTO mangling; it writes \xNN, in small letters, for all else. */
static const char plain_bytes[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789#+-.:=@_";

static void every_byte_of_a_name(void **state)
{
	(void)state;
	for (unsigned byte = 0; byte < 256; byte++) {
		uint8_t in = (uint8_t)byte;
		char out[8], wanted[8];

		if (byte != 0 && strchr(plain_bytes, (int)byte) != NULL)
			snprintf(wanted, sizeof(wanted), "%c", (int)byte);
		else
			snprintf(wanted, sizeof(wanted), "\\x%02x", byte);
		assert_int_equal(fr_name_escape(out, sizeof(out), &in, 1), strlen(wanted));
		assert_string_equal(out, wanted);
	}
}

static const struct name_row {
	const char *name, *in, *out;
} name_rows[] = {
	{ "plain name", "isw_bidjcgfdja_Volume0", "isw_bidjcgfdja_Volume0" },
	{ "name with a blank", "a b", "a\\x20b" },
	{ "name with brackets", "a(b)", "a\\x28b\\x29" },
	{ "name with a quote", "a\"b", "a\\x22b" },
	{ "name with a slash", "a/b", "a\\x2fb" },
	{ "name that looks mangled", "a\\x20b", "a\\x5cx20b" },
	{ "name in UTF-8", "\xc3\xa4", "\\xc3\\xa4" },
	{ "name with a line", "a\nb", "a\\x0ab" },
	{ "empty name", "", "" },
};

static void escaped_name(void **state)
{
	const struct name_row *row = *state;
	char out[100];

	assert_int_equal(fr_name_escape(out, sizeof(out), row->in, strlen(row->in)), strlen(row->out));
	assert_string_equal(out, row->out);
}

static size_t unescape(const char *from, uint8_t *to)
{
	size_t count = 0;
	unsigned byte;

	while (*from != '\0') {
		if (sscanf(from, "\\x%2x", &byte) == 1) {
			to[count++] = (uint8_t)byte;
			from += 4;
		} else {
			to[count++] = (uint8_t)*from++;
		}
	}
	return count;
}

/* What can be turned back is unique, too. Bytes that matter to the encoding itself are drawn often. */
static void escaping_is_reversible(void **state)
{
	static const uint8_t likely[] = { '\\', 'x', '2', '0', ' ', 0, 0xff, 'a' };
	uint8_t in[64], back[64];
	char out[4 * 64 + 1];

	(void)state;
	srand(1);
	for (int round = 0; round < 2000; round++) {
		size_t length = (size_t)rand() % sizeof(in), escaped;

		for (size_t i = 0; i < length; i++)
			in[i] = rand() % 3 == 0 ? (uint8_t)rand() : likely[(size_t)rand() % sizeof(likely)];
		escaped = fr_name_escape(out, sizeof(out), in, length);
		assert_int_equal(escaped, strlen(out));
		assert_int_equal(unescape(out, back), length);
		assert_memory_equal(back, in, length);
	}
}

/* A buffer that is too small holds the beginning, ends in NUL, and never half an escape. */
static void escaping_into_a_small_buffer(void **state)
{
	static const char in[] = "a/b c";
	static const char *const wanted[] = { /* by size: a\x2fb\x20c */
		[1] = "", [2] = "a", [3] = "a", [4] = "a", [5] = "a", [6] = "a\\x2f", [7] = "a\\x2fb", [8] = "a\\x2fb",
		[10] = "a\\x2fb", [11] = "a\\x2fb\\x20", [12] = "a\\x2fb\\x20c",
	};

	(void)state;
	for (size_t size = 1; size < FR_COUNT(wanted); size++) {
		char *out = malloc(size);

		assert_non_null(out);
		memset(out, '!', size);
		assert_int_equal(fr_name_escape(out, size, in, strlen(in)), 11);
		assert_non_null(memchr(out, '\0', size));
		if (wanted[size] != NULL)
			assert_string_equal(out, wanted[size]);
		free(out);
	}
	assert_int_equal(fr_name_escape(NULL, 0, in, strlen(in)), 11);
}

static void escape_that_does_not_fit_at_all(void **state)
{
	char out[3] = { '!', '!', '!' };

	(void)state;
	assert_int_equal(fr_name_escape(out, sizeof(out), "/", 1), 4);
	assert_string_equal(out, "");
}

/* ---- levels ---- */

static const struct level_row {
	const char *name;
	enum fr_level level;
	unsigned width, columns;
	bool striped, redundant, copies, parity;
} level_rows[] = {
	{ "linear", FR_LEVEL_LINEAR, 3, 3, false, false, false, false },
	{ "raid0", FR_LEVEL_RAID0, 4, 4, true, false, false, false },
	{ "raid1", FR_LEVEL_RAID1, 3, 1, false, true, true, false },
	{ "raid4", FR_LEVEL_RAID4, 4, 3, true, true, false, true },
	{ "raid5", FR_LEVEL_RAID5, 5, 4, true, true, false, true },
	{ "raid10", FR_LEVEL_RAID10, 6, 3, true, true, true, false },
	{ "raid01", FR_LEVEL_RAID01, 4, 2, true, true, true, false },
	{ "unknown level", FR_LEVEL_UNKNOWN, 4, 0, false, false, false, false },
	{ "raid5 of nothing", FR_LEVEL_RAID5, 0, 0, true, true, false, true },
	{ "raid1 of nothing", FR_LEVEL_RAID1, 0, 0, false, true, true, false },
};

static void level(void **state)
{
	const struct level_row *row = *state;

	assert_int_equal(fr_level_columns(row->level, row->width), row->columns);
	assert_int_equal(fr_level_is_striped(row->level), row->striped);
	assert_int_equal(fr_level_is_redundant(row->level), row->redundant);
	assert_int_equal(fr_level_has_copies(row->level), row->copies);
	assert_int_equal(fr_level_has_parity(row->level), row->parity);
}

/* raid10: copies of one column follow each other; raid01: the whole first stripe comes first. */
static void slots_of_columns(void **state)
{
	(void)state;
	for (unsigned column = 0; column < 3; column++) {
		for (unsigned copy = 0; copy < 2; copy++) {
			assert_int_equal(fr_level_slot(FR_LEVEL_RAID10, 6, column, copy), 2 * column + copy);
			assert_int_equal(fr_level_slot(FR_LEVEL_RAID01, 6, column, copy), 3 * copy + column);
		}
	}
}

/* ---- errors and the log ---- */

static void first_error_wins(void **state)
{
	struct fr_error err = { 0 };

	(void)state;
	assert_int_equal(fr_fail(&err, -EIO, "disk %d", 1), -EIO);
	assert_int_equal(fr_fail(&err, -ENOENT, "another"), -ENOENT);
	assert_int_equal(err.code, -EIO);
	assert_string_equal(err.text, "disk 1");
	assert_int_equal(fr_fail(NULL, -EINVAL, "nobody listens"), -EINVAL);
}

static void long_error_is_cut(void **state)
{
	struct fr_error err = { 0 };

	(void)state;
	fr_fail(&err, -EIO, "%2000s", "x");
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
}

static void take_line(void *data, enum fr_log_level log_level, const char *line)
{
	snprintf(data, 100, "%d %s", (int)log_level, line);
}

static void log_lines(void **state)
{
	char got[100] = "";
	struct fr_context *ctx = fr_context_new(take_line, got), *silent = fr_context_new(NULL, NULL);

	(void)state;
	assert_non_null(ctx);
	assert_non_null(silent);
	fr_log(ctx, FR_LOG_WARNING, "disk %s", "A");
	assert_string_equal(got, "1 disk A");
	fr_log(silent, FR_LOG_ERROR, "nobody listens");
	fr_log(NULL, FR_LOG_ERROR, "nobody listens");
	fr_context_free(ctx);
	fr_context_free(silent);
	fr_context_free(NULL);
}

/* ---- formats ---- */

/* A format's own description: names are unique, fields lie inside a record's head and are numbers that can be shown. */
static void formats_are_described(void **state)
{
	(void)state;
	for (const struct fr_format *const *f = fr_formats(); *f != NULL; f++) {
		for (const struct fr_format *const *other = fr_formats(); *other != *f; other++)
			assert_string_not_equal((*f)->name, (*other)->name);
		assert_true((*f)->firmware[0] != '\0' && (*f)->levels[0] != '\0' && (*f)->listed != NULL);
		for (size_t i = 0; i < (*f)->nfields; i++) {
			const struct fr_field *field = &(*f)->fields[i];
			bool number = field->type == FR_FIELD_HEX || field->type == FR_FIELD_UNSIGNED;

			assert_true(field->offset + field->size <= 4 * FR_SECTOR_SIZE && field->size > 0);
			if (number)
				assert_true(fr_is_power_of_2(field->size) && field->size <= 8);
			if (field->type == FR_FIELD_ATA_TEXT)
				assert_int_equal(field->size % 2, 0);
		}
	}
}

int main(void)
{
	struct test_list list = { 0 };

	ADD_TEST(&list, words_of_the_schema);
	ADD_TEST(&list, layouts_by_name);
	ADD_TEST(&list, every_byte_of_a_name);
	ADD_ROWS(&list, name_rows, escaped_name);
	ADD_TEST(&list, escaping_is_reversible);
	ADD_TEST(&list, escaping_into_a_small_buffer);
	ADD_TEST(&list, escape_that_does_not_fit_at_all);
	ADD_ROWS(&list, level_rows, level);
	ADD_TEST(&list, slots_of_columns);
	ADD_TEST(&list, first_error_wins);
	ADD_TEST(&list, long_error_is_cut);
	ADD_TEST(&list, log_lines);
	ADD_TEST(&list, formats_are_described);
	return run_list("words", &list);
}
