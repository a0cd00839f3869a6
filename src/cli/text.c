// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE
#include "text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "fakeraid.h"

/* ---- UTF-8 ---- */

/* The sequence's code point, or UINT32_MAX; *length is what its first byte promises. */
static uint32_t decode(const unsigned char *s, size_t *length)
{
	uint32_t code;

	if (s[0] < 0x80) {
		*length = 1;
		return s[0];
	}
	*length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return UINT32_MAX;
	code = s[0] & (0x7fu >> *length);
	for (size_t i = 1; i < *length; i++) {
		if ((s[i] & 0xc0) != 0x80) /* the final NUL, too, ends it here */
			return UINT32_MAX;
		code = code << 6 | (s[i] & 0x3fu);
	}
	return code;
}

/* Not written in more bytes than needed, no half of a pair, and not beyond the last code point. */
static bool is_proper(uint32_t code, size_t length)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };

	return code <= 0x10ffff && code >= least[length] && (code < 0xd800 || code > 0xdfff);
}

size_t text_utf8(const char *text)
{
	size_t length;
	uint32_t code = decode((const unsigned char *)text, &length);

	return code != 0 && is_proper(code, length) ? length : 0;
}

/* Control characters in both ranges, and the marks that turn the direction of what follows. */
static bool is_harmless(uint32_t code)
{
	return code >= 0x20 && (code < 0x7f || code > 0x9f) && (code < 0x202a || code > 0x202e) &&
	       (code < 0x2066 || code > 0x2069);
}

void text_put(FILE *out, const char *text)
{
	while (*text != '\0') {
		size_t length = text_utf8(text), ignored;

		if (length != 0 && is_harmless(decode((const unsigned char *)text, &ignored))) {
			fwrite(text, 1, length, out);
			text += length;
			continue;
		}
		for (size_t i = length == 0 ? 1 : length; i > 0; i--)
			fprintf(out, "\\x%02x", (unsigned char)*text++);
	}
}

/* ---- sizes ---- */

static double scaled(double bytes, double step, const char *const *units, const char **unit)
{
	*unit = *units;
	while (bytes >= step - 0.05 && units[1] != NULL) { /* as it is written, with one digit behind the point */
		bytes /= step;
		*unit = *++units;
	}
	return bytes;
}

struct size_text text_size(uint64_t sectors)
{
	static const char *const decimal[] = { "bytes", "kB", "MB", "GB", "TB", "PB", "EB", NULL };
	static const char *const binary[] = { "bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", NULL };
	struct size_text size;
	const char *unit_10, *unit_2;
	double bytes = (double)sectors * FR_SECTOR_SIZE;
	double ten = scaled(bytes, 1000, decimal, &unit_10), two = scaled(bytes, 1024, binary, &unit_2);

	if (sectors < 2)
		snprintf(size.text, sizeof(size.text), "%.0f bytes", ten);
	else
		snprintf(size.text, sizeof(size.text), "%.1f %s (%.1f %s)", ten, unit_10, two, unit_2);
	return size;
}

/* ---- columns ---- */

static void take_cell(struct columns *c, char *cell)
{
	if (c->count == c->allocated) {
		size_t more = c->allocated == 0 ? 32 : 2 * c->allocated;
		char **cells = cell == NULL ? NULL : realloc(c->cells, more * sizeof(*cells));

		if (cells == NULL) {
			c->failed = true;
			free(cell);
			return;
		}
		c->cells = cells;
		c->allocated = more;
	}
	if (cell == NULL)
		c->failed = true;
	else
		c->cells[c->count++] = cell;
}

void columns_text(struct columns *c, const char *text)
{
	char *cell = NULL;
	size_t size;
	FILE *out = open_memstream(&cell, &size);

	if (out != NULL) {
		text_put(out, text == NULL || *text == '\0' ? "-" : text);
		fclose(out);
	}
	take_cell(c, cell);
}

void columns_add(struct columns *c, const char *format, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	if (text == NULL)
		c->failed = true;
	else
		columns_text(c, text);
	free(text);
}

void columns_number(struct columns *c, uint64_t number)
{
	columns_add(c, "%llu", (unsigned long long)number);
}

void columns_blank(struct columns *c)
{
	take_cell(c, strdup(""));
}

void columns_start(struct columns *c, const char *alignment, const char *heads)
{
	*c = (struct columns){ .alignment = alignment };
	while (*heads != '\0') {
		int length = (int)strcspn(heads, " ");

		if (length == 1 && *heads == '_')
			columns_blank(c);
		else
			columns_add(c, "%.*s", length, heads);
		heads += length;
		heads += strspn(heads, " ");
	}
}

enum { MAX_COLUMNS = 16 }; /* more than any table has */

/* Characters, not bytes. */
static size_t width(const char *text)
{
	size_t count = 0;

	for (; *text != '\0'; text++)
		count += ((unsigned char)*text & 0xc0) != 0x80;
	return count;
}

static size_t column_width(const struct columns *c, size_t column, size_t ncolumns)
{
	size_t widest = 0;

	for (size_t i = column; i < c->count; i += ncolumns) {
		size_t w = width(c->cells[i]);

		if (w > widest)
			widest = w;
	}
	return widest;
}

static void put_row(const struct columns *c, size_t row, size_t ncolumns, const size_t *widths, FILE *out)
{
	char *const *cells = &c->cells[row * ncolumns];
	size_t last = ncolumns - 1;

	while (last > 0 && *cells[last] == '\0')
		last--; /* no blanks at the end of the line */
	for (size_t i = 0; i <= last; i++) {
		int pad = (int)(widths[i] - width(cells[i]));
		bool right = c->alignment[i] == 'r';

		fprintf(out, "%*s%s%*s", right ? pad : 0, "", cells[i], i == last ? 0 : right ? 2 : pad + 2, "");
	}
	fputc('\n', out);
}

void columns_end(struct columns *c, FILE *out, const char *indent)
{
	size_t n = strlen(c->alignment), widths[MAX_COLUMNS] = { 0 };

	for (size_t i = 0; i < n && i < MAX_COLUMNS; i++)
		widths[i] = column_width(c, i, n);
	for (size_t row = 0; !c->failed && (row + 1) * n <= c->count; row++) {
		fputs(indent, out);
		put_row(c, row, n, widths, out);
	}
	for (size_t i = 0; i < c->count; i++)
		free(c->cells[i]);
	free(c->cells);
	*c = (struct columns){ 0 };
}
