// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * claim.c - how a format says what it found, and the checks that every claim
 * has to pass, whatever the format.
 */
#include <stdio.h>
#include <string.h>

#include "internal.h"

static struct fr_look *look_at(struct fr_findings *f, uint64_t lba, uint32_t sectors)
{
	struct fr_disk *disk = f->disk;

	for (size_t i = 0; i < disk->nlooks; i++) {
		struct fr_look *look = &disk->looks[i];

		if (look->format == f->format && look->lba == lba && look->sectors == sectors)
			return look;
	}
	return NULL;
}

void fr_found(struct fr_findings *f, uint64_t lba, uint32_t sectors, enum fr_verdict verdict, const char *format, ...)
{
	struct fr_look *look = look_at(f, lba, sectors);
	va_list args;

	if (look == NULL)
		return;
	look->verdict = verdict;
	look->reason = NULL;
	if (format == NULL)
		return;
	va_start(args, format);
	look->reason = fr_pool_vtext(f->pool, format, args);
	va_end(args);
}

struct fr_claim *fr_claim_new(struct fr_findings *f, uint64_t lba, uint32_t sectors)
{
	struct fr_claims *claims = f->claims;
	struct fr_look *look;
	struct fr_claim *claim = fr_pool_array(f->pool, 1, sizeof(*claim));
	struct fr_claim **list =
		fr_pool_grow(f->pool, claims->list, claims->count, &claims->allocated, sizeof(struct fr_claim *));

	if (list != NULL)
		claims->list = list;
	if (claim == NULL || list == NULL)
		claim = &f->scratch;
	else
		list[claims->count++] = claim;
	*claim = (struct fr_claim){ .format = f->format, .disk = f->disk, .lba = lba, .sectors = sectors,
				     .id_text = "", .name = "" };
	fr_found(f, lba, sectors, FR_VERDICT_VALID, NULL);
	look = look_at(f, lba, sectors);
	if (look != NULL)
		look->claimed = true;
	return claim;
}

void fr_record(struct fr_findings *f, uint64_t lba, uint32_t sectors, const uint8_t *record, size_t size)
{
	struct fr_look *look = look_at(f, lba, sectors);

	if (look == NULL)
		return;
	look->record = record;
	look->record_size = size;
}

void *fr_memory(struct fr_findings *f, size_t count, size_t size)
{
	return fr_pool_array(f->pool, count, size);
}

const char *fr_text(struct fr_findings *f, const char *format, ...)
{
	const char *text;
	va_list args;

	va_start(args, format);
	text = fr_pool_vtext(f->pool, format, args);
	va_end(args);
	return text;
}

const char *fr_letters(struct fr_findings *f, const char *format, ...)
{
	const char *digits;
	char *letters;
	va_list args;

	va_start(args, format);
	digits = fr_pool_vtext(f->pool, format, args);
	va_end(args);
	letters = fr_pool_array(f->pool, strlen(digits) + 1, 1);
	if (letters == NULL)
		return "";
	for (size_t i = 0; digits[i] != '\0'; i++)
		letters[i] = (char)(digits[i] >= '0' && digits[i] <= '9' ? 'a' + (digits[i] - '0') : digits[i]);
	return letters;
}

bool fr_reason(struct fr_findings *f, const char **reason, const char *format, ...)
{
	va_list args;

	if (*reason != NULL)
		return false;
	va_start(args, format);
	*reason = fr_pool_vtext(f->pool, format, args);
	va_end(args);
	return false;
}

void fr_remark(struct fr_findings *f, struct fr_claim *claim, uint64_t lba, const char *format, ...)
{
	va_list args;

	if (claim->nremarks == FR_MAX_REMARKS)
		return;
	va_start(args, format);
	claim->remarks[claim->nremarks++] = (struct fr_remark){ lba, fr_pool_vtext(f->pool, format, args) };
	va_end(args);
}

/* ---- what is possible ---- */

bool fr_claim_need(const struct fr_claim *c, uint64_t *need)
{
	unsigned columns = fr_level_columns(c->level, c->width);
	uint64_t row, rows;

	*need = c->set_sectors;
	if (c->level == FR_LEVEL_LINEAR || c->level == FR_LEVEL_UNKNOWN)
		*need = 0;
	if (!fr_level_is_striped(c->level))
		return true;
	if (columns == 0 || c->chunk == 0 || !fr_multiply(c->chunk, columns, &row))
		return false;
	rows = c->set_sectors / row + (c->set_sectors % row != 0);
	return c->width == 1 || fr_multiply(rows, c->chunk, need); /* one disk has no rows to fill */
}

static bool is_possible(struct fr_findings *f, struct fr_claim *c)
{
	uint64_t need;

	if (c->role != FR_ROLE_MEMBER || c->fault != NULL)
		return true;
	if (c->width > FR_MAX_WIDTH || (c->roster == NULL && c->index >= c->width))
		return fr_reason(f, &c->fault, "member %u of %u is impossible", c->index, c->width);
	if (c->unsupported != NULL)
		return true;
	if (!fr_range_inside(c->offset, c->room, c->disk->sectors))
		return fr_reason(f, &c->fault, "its data area reaches past the end of the disk");
	if (!fr_claim_need(c, &need))
		return fr_reason(f, &c->fault, "an array capacity of %llu sectors is impossible",
				 (unsigned long long)c->set_sectors);
	if (fr_level_is_striped(c->level) && c->level != FR_LEVEL_RAID0 && c->chunk < FR_MIN_RAID_CHUNK)
		fr_reason(f, &c->unsupported, "a chunk of %u sectors is less than the %d that the kernel's raid target takes",
			  c->chunk, FR_MIN_RAID_CHUNK);
	if (need > c->room)
		return fr_reason(f, &c->fault, "an array capacity of %llu sectors at width %u asks %llu of this disk, "
				 "which has room for %llu", (unsigned long long)c->set_sectors, c->width,
				 (unsigned long long)need, (unsigned long long)c->room);
	return true;
}

static bool is_copy_of(const struct fr_look *a, const struct fr_look *b)
{
	return a->format == b->format && a->sectors == b->sectors && a->data != NULL && b->data != NULL &&
	       memcmp(a->data, b->data, (size_t)b->sectors * FR_SECTOR_SIZE) == 0;
}

/* Whether a record is good for another array, though not for this claim's. */
static bool is_good_for_others(const struct fr_findings *f, const struct fr_claim *c)
{
	for (size_t i = 0; i < f->claims->count; i++) {
		const struct fr_claim *other = f->claims->list[i];

		if (other->disk == c->disk && other->format == c->format && other->lba == c->lba && other->fault == NULL)
			return true;
	}
	return false;
}

void fr_claim_check(struct fr_findings *f, struct fr_claim *c)
{
	const struct fr_look *own;

	is_possible(f, c);
	if (c->fault != NULL && is_good_for_others(f, c))
		return;
	own = look_at(f, c->lba, c->sectors);
	for (size_t i = 0; own != NULL && i < f->disk->nlooks; i++) { /* equal copies share the verdict */
		struct fr_look *look = &f->disk->looks[i];

		if (look != own && !is_copy_of(look, own))
			continue;
		if (c->fault != NULL) {
			look->verdict = FR_VERDICT_INVALID;
			look->reason = c->fault;
		} else if (look->reason == NULL) {
			look->reason = c->unsupported;
		}
	}
}

/* ---- the dump ---- */

void fr_part_name(struct fr_part *part, const char *what, unsigned number)
{
	if (what[0] == '\0')
		part->name[0] = '\0';
	else
		snprintf(part->name, sizeof(part->name), "%s %u", what, number);
}

size_t fr_look_parts(const struct fr_look *look, struct fr_part *parts, size_t max)
{
	const uint8_t *record = look->record != NULL ? look->record : look->data;
	size_t size = look->record != NULL ? look->record_size : (size_t)look->sectors * FR_SECTOR_SIZE;

	if (record == NULL || max == 0)
		return 0;
	if (look->format->ops->parts != NULL)
		return look->format->ops->parts(record, size, parts, max);
	parts[0] = (struct fr_part){ .fields = look->format->fields, .nfields = look->format->nfields };
	return 1;
}
