// SPDX-License-Identifier: GPL-2.0-or-later
/* fields.c - a record as the vendor's documentation would list it: its parts, and the values of their fields. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* How many parts there are is known when they do not fill the room that is there for them. */
void record_load(const struct fr_look *look, struct record *r)
{
	*r = (struct record){
		.data = look->record != NULL ? look->record : look->data,
		.size = look->record != NULL ? look->record_size : (size_t)look->sectors * FR_SECTOR_SIZE,
	};
	for (size_t room = 64; r->parts == NULL || r->nparts == room / 2; room *= 2) {
		struct fr_part *parts = realloc(r->parts, room * sizeof(*parts));

		if (parts == NULL)
			return;
		r->parts = parts;
		r->nparts = fr_look_parts(look, parts, room);
	}
}

void record_free(struct record *r)
{
	free(r->parts);
	*r = (struct record){ 0 };
}

const uint8_t *field_bytes(const struct record *r, const struct fr_part *part, const struct fr_field *field)
{
	size_t left = part->offset <= r->size ? r->size - part->offset : 0;

	if (r->data == NULL || field->offset > left || field->size > left - field->offset)
		return NULL;
	return r->data + part->offset + field->offset;
}

bool field_is_number(const struct fr_field *field)
{
	return field->type == FR_FIELD_HEX || field->type == FR_FIELD_UNSIGNED;
}

uint64_t field_number(const struct fr_field *field, const uint8_t *bytes)
{
	uint64_t value = 0;

	for (unsigned i = field->size; i > 0; i--)
		value = value << 8 | bytes[i - 1];
	return value;
}

/* Text without the padding at its end; ATA swaps the bytes of each word. What is not printable ASCII is escaped. */
static void put_text(FILE *out, const struct fr_field *field, const uint8_t *text)
{
	size_t swap = field->type == FR_FIELD_ATA_TEXT && field->size % 2 == 0 ? 1 : 0, length = field->size;

	while (length > 0 && (text[(length - 1) ^ swap] == '\0' || text[(length - 1) ^ swap] == ' '))
		length--;
	for (size_t i = 0; i < length; i++) {
		uint8_t c = text[i ^ swap];

		fprintf(out, c >= 0x20 && c < 0x7f ? "%c" : "\\x%02x", c);
	}
}

static void put_bytes(FILE *out, const struct fr_field *field, const uint8_t *bytes)
{
	for (unsigned i = 0; i < field->size; i++)
		fprintf(out, "%s%02x", i == 0 ? "" : " ", bytes[i]);
}

char *field_text(const struct fr_field *field, const uint8_t *bytes)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out == NULL)
		return NULL;
	switch (field->type) {
	case FR_FIELD_HEX:
		fprintf(out, "0x%0*llx", 2 * field->size, (unsigned long long)field_number(field, bytes));
		break;
	case FR_FIELD_UNSIGNED:
		fprintf(out, "%llu", (unsigned long long)field_number(field, bytes));
		break;
	case FR_FIELD_TEXT:
	case FR_FIELD_ATA_TEXT:
		put_text(out, field, bytes);
		break;
	case FR_FIELD_BYTES:
		put_bytes(out, field, bytes);
		break;
	}
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	return text;
}
