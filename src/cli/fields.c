// SPDX-License-Identifier: GPL-2.0-or-later
/* fields.c - the values of the fields of an on-disk structure, as the format's table lists them. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

bool field_is_inside(const struct fr_field *field, size_t size)
{
	return field->offset <= size && field->size <= size - field->offset;
}

bool field_is_number(const struct fr_field *field)
{
	return field->type == FR_FIELD_HEX || field->type == FR_FIELD_UNSIGNED;
}

uint64_t field_number(const struct fr_field *field, const uint8_t *block)
{
	uint64_t value = 0;

	for (unsigned i = field->size; i > 0; i--)
		value = value << 8 | block[field->offset + i - 1];
	return value;
}

/* Text without the padding at its end; ATA swaps the bytes of each word. What is not printable ASCII is escaped. */
static void put_text(FILE *out, const struct fr_field *field, const uint8_t *block)
{
	size_t swap = field->type == FR_FIELD_ATA_TEXT ? 1 : 0, length = field->size;
	const uint8_t *text = block + field->offset;

	while (length > 0 && (text[(length - 1) ^ swap] == '\0' || text[(length - 1) ^ swap] == ' '))
		length--;
	for (size_t i = 0; i < length; i++) {
		uint8_t c = text[i ^ swap];

		fprintf(out, c >= 0x20 && c < 0x7f ? "%c" : "\\x%02x", c);
	}
}

static void put_bytes(FILE *out, const struct fr_field *field, const uint8_t *block)
{
	for (unsigned i = 0; i < field->size; i++)
		fprintf(out, "%s%02x", i == 0 ? "" : " ", block[field->offset + i]);
}

char *field_text(const struct fr_field *field, const uint8_t *block)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out == NULL)
		return NULL;
	switch (field->type) {
	case FR_FIELD_HEX:
		fprintf(out, "0x%0*llx", 2 * field->size, (unsigned long long)field_number(field, block));
		break;
	case FR_FIELD_UNSIGNED:
		fprintf(out, "%llu", (unsigned long long)field_number(field, block));
		break;
	case FR_FIELD_TEXT:
	case FR_FIELD_ATA_TEXT:
		put_text(out, field, block);
		break;
	case FR_FIELD_BYTES:
		put_bytes(out, field, block);
		break;
	}
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}
