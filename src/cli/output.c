// SPDX-License-Identifier: GPL-2.0-or-later
/* output.c - results as text for people: aligned, the names first, each name from a disk escaped. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "output.h"
#include "text.h"

static void put(const char *text)
{
	text_put(stdout, text);
}

/* "  label      " and a value. */
static void fact(const char *label, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void fact(const char *label, const char *format, ...)
{
	char *value = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&value, format, args) < 0)
		value = NULL;
	va_end(args);
	printf("  %-10s ", label);
	put(value == NULL ? "?" : value);
	putchar('\n');
	free(value);
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* "500.1 GB (465.8 GiB), 976773168 sectors", and a remark. */
static void fact_size(const char *label, uint64_t sectors, const char *remark)
{
	fact(label, "%s, %llu sector%s%s", text_size(sectors).text, (unsigned long long)sectors, plural(sectors), remark);
}

static const char *yes_no(bool yes)
{
	return yes ? "yes" : "no";
}

/* ---- sets ---- */

static const char *use_text(const struct fr_set *set)
{
	switch (set->use) {
	case FR_USE_READ_WRITE:
		return "read and write";
	case FR_USE_READ_ONLY_FIRST:
		return "read-only; writable with --degraded rw";
	case FR_USE_READ_ONLY:
		return "read-only";
	case FR_USE_ON_REQUEST:
		return "read-only, and only on request ('fakeraid explain' tells how)";
	case FR_USE_NEVER:
		break;
	}
	return "none";
}

static void put_set_head(const struct set_facts *facts)
{
	const struct fr_set *set = facts->set;
	const char *layout = fr_layout_name(set->layout);

	put(set->name);
	putchar('\n');
	fact("level", "%s%s%s", fr_level_name(set->level), layout == NULL ? "" : ", ", layout == NULL ? "" : layout);
	fact("state", "%s%s%s", fr_set_state_name(set->state), set->holder == NULL ? "" : ", in use by ",
	     set->holder == NULL ? "" : set->holder);
	for (size_t i = 0; i < set->nreasons; i++)
		fact(i == 0 ? "because" : "", "%s", set->reasons[i]);
	fact("use", "%s", use_text(set));
	fact("active", "%s", yes_no(facts->active));
	fact_size("size", set->sectors, "");
	if (set->chunk % 2 == 0 && set->chunk != 0)
		fact("chunk", "%u KiB", set->chunk / 2);
	else if (set->chunk != 0)
		fact("chunk", "%u sectors", set->chunk);
}

/* Sectors, and what people call that; 0 is not known. */
static void add_size(struct columns *c, uint64_t sectors)
{
	if (sectors == 0)
		columns_text(c, NULL);
	else
		columns_number(c, sectors);
	columns_text(c, sectors == 0 ? NULL : text_size(sectors).text);
}

/* One disk's row; `geometry`: its place on the disk, too. */
static void add_member(struct columns *c, const char *label, const struct fr_member *m, bool geometry)
{
	if (label == NULL)
		columns_number(c, m->index);
	else
		columns_text(c, label);
	columns_text(c, m->disk == NULL ? NULL : m->disk->path);
	columns_text(c, fr_member_state_name(m->state));
	if (geometry)
		columns_number(c, m->offset);
	add_size(c, m->sectors);
	if (geometry)
		columns_number(c, m->room);
	columns_text(c, m->serial);
	if (m->has_generation)
		columns_number(c, m->generation);
	else
		columns_text(c, NULL);
	if (m->reason == NULL)
		columns_blank(c);
	else if (label == NULL || m->index == UINT_MAX)
		columns_text(c, m->reason);
	else
		columns_add(c, "says it is member %u: %s", m->index, m->reason);
}

static void put_members(const struct fr_set *set, bool geometry)
{
	struct columns c;

	columns_start(&c, geometry ? "rllrrrrlrl" : "rllrrlrl",
		      geometry ? "member disk state offset sectors size room serial generation _" :
		      "member disk state sectors size serial generation _");
	for (unsigned i = 0; i < set->width; i++)
		add_member(&c, NULL, &set->members[i], geometry);
	for (size_t i = 0; i < set->nspares; i++)
		add_member(&c, "spare", &set->spares[i], geometry);
	for (size_t i = 0; i < set->nleft_out; i++)
		add_member(&c, "left out", &set->left_out[i], geometry);
	columns_end(&c, stdout, "  ");
}

/* ---- list ---- */

static bool in_no_set(const struct fr_look *look)
{
	return look->verdict != FR_VERDICT_NONE && look->set == NULL;
}

static bool any_in_no_set(const struct fr_scan *scan)
{
	for (size_t i = 0; i < scan->ndisks; i++) {
		for (size_t k = 0; k < scan->disks[i]->nlooks; k++) {
			if (in_no_set(&scan->disks[i]->looks[k]))
				return true;
		}
	}
	return false;
}

static void put_in_no_set(const struct fr_scan *scan)
{
	struct columns c;

	columns_start(&c, "lllll", "");
	for (size_t i = 0; i < scan->ndisks; i++) {
		const struct fr_disk *disk = scan->disks[i];

		for (size_t k = 0; k < disk->nlooks; k++) {
			const struct fr_look *look = &disk->looks[k];

			if (!in_no_set(look))
				continue;
			columns_text(&c, disk->path);
			columns_text(&c, look->format->name);
			columns_add(&c, "sector %llu", (unsigned long long)look->lba);
			columns_text(&c, fr_verdict_name(look->verdict));
			columns_text(&c, look->reason == NULL && look->verdict == FR_VERDICT_VALID ?
				     "a free or spare disk" : look->reason);
		}
	}
	printf("metadata that is in no set\n");
	columns_end(&c, stdout, "  ");
}

void output_list(const struct fr_scan *scan, const struct set_facts *facts)
{
	for (size_t i = 0; i < scan->nsets; i++) {
		if (i != 0)
			putchar('\n');
		put_set_head(&facts[i]);
		put_members(scan->sets[i], false);
	}
	if (!any_in_no_set(scan))
		return;
	if (scan->nsets != 0)
		putchar('\n');
	put_in_no_set(scan);
}

/* ---- one line a set ---- */

/* A word of a line whose words blanks separate. */
static void put_word(const char *text)
{
	char *clean = NULL;
	size_t size;
	FILE *out = open_memstream(&clean, &size);

	if (out != NULL) {
		text_put(out, text);
		fclose(out);
	}
	for (const char *c = clean; c != NULL && *c != '\0'; c++) {
		if (*c == ' ')
			printf("\\x20");
		else
			putchar(*c);
	}
	free(clean);
}

static unsigned count_good(const struct fr_set *set)
{
	unsigned count = 0;

	for (unsigned i = 0; i < set->width; i++)
		count += set->members[i].state == FR_MEMBER_OK;
	return count;
}

static const char *activity_word(const struct set_facts *f)
{
	if (f->active || f->kernel != NULL)
		return "active";
	return f->set != NULL && f->set->holder != NULL ? "held" : "inactive";
}

void output_summary(const struct set_facts *facts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct fr_set *set = facts[i].set;

		put_word(set != NULL ? set->name : facts[i].kernel->name);
		if (set == NULL) {
			printf(" - - - - - -/- %s\n", activity_word(&facts[i]));
			continue;
		}
		printf(" %s %s %s %llu ", set->format->name, fr_level_name(set->level), fr_set_state_name(set->state),
		       (unsigned long long)set->sectors);
		if (set->chunk == 0)
			printf("- ");
		else
			printf("%u ", set->chunk);
		printf("%u/%u %s\n", count_good(set), set->width, activity_word(&facts[i]));
	}
}

/* ---- show ---- */

static void put_devices(const struct fr_plan *plan)
{
	struct columns c;

	columns_start(&c, "lrrll", "device sectors size access _");
	for (size_t i = 0; i < plan->ndevices; i++) {
		const struct fr_device *d = &plan->devices[i];

		columns_add(&c, "/dev/mapper/%s", d->name);
		add_size(&c, d->sectors);
		columns_text(&c, d->read_only ? "read-only" : "read-write");
		if (d->role == FR_DEVICE_SET)
			columns_blank(&c);
		else
			columns_text(&c, d->role == FR_DEVICE_SHARED ? "shared by all sets" : "a part of the set");
	}
	putchar('\n');
	columns_end(&c, stdout, "  ");
}

static void put_partitions(const struct fr_set *set, const struct fr_partitions *partitions)
{
	struct columns c;

	columns_start(&c, "lrrrl", "partition start sectors size _");
	for (size_t i = 0; i < partitions->count; i++) {
		const struct fr_partition *p = &partitions->list[i];
		char *name = fr_partition_name(set->name, p->number, NULL);

		columns_text(&c, name);
		columns_number(&c, p->start);
		add_size(&c, p->sectors);
		if (p->extended)
			columns_text(&c, "extended");
		else
			columns_blank(&c);
		free(name);
	}
	putchar('\n');
	columns_end(&c, stdout, "  ");
}

static void put_holder(const struct fr_set *set, const char *advice)
{
	if (set->holder != NULL)
		fact("in use", "by %s; %s", set->holder, advice == NULL ? "" : advice);
}

void output_show(const struct set_facts *facts)
{
	const struct fr_set *set = facts->set;
	char *advice = facts_holder_advice(set);

	put_set_head(facts);
	fact("format", "%s, %s", set->format->name, set->format->firmware);
	fact("identity", "%s", set->id);
	if (set->volume != NULL)
		fact("volume", "%s", set->volume);
	for (size_t i = 0; set->aliases != NULL && set->aliases[i] != NULL; i++)
		fact(i == 0 ? "also" : "", "%s", set->aliases[i]);
	fact("width", "%u member%s", set->width, plural(set->width));
	if (set->level == FR_LEVEL_RAID4 || set->level == FR_LEVEL_RAID5)
		fact("parity", "%s", set->parity_valid ? "valid" : "not valid");
	else if (set->level == FR_LEVEL_RAID1 || set->level == FR_LEVEL_RAID10 || set->level == FR_LEVEL_RAID01)
		fact("copies", "%s", set->in_sync ? "equal" : "may differ: only the first is read");
	if (set->peer_sectors != 0)
		fact_size("dmraid", set->peer_sectors, set->peer_read_only ? " (--dmraid-size, read-only)" :
			  " (--dmraid-size)");
	if (set->sector_size > FR_SECTOR_SIZE)
		fact("made on", "disks with sectors of %u bytes", set->sector_size);
	put_holder(set, advice);
	free(advice);
	putchar('\n');
	put_members(set, true);
	if (facts->plan == NULL)
		fact("devices", "none: %s", facts->no_plan.text);
	else
		put_devices(facts->plan);
	if (facts->partitions != NULL && facts->partitions->count != 0)
		put_partitions(set, facts->partitions);
}

/* ---- dump ---- */

static void put_raw(const uint8_t *data, size_t size)
{
	bool starred = false;

	for (size_t at = 0; at < size; at += 16) {
		/* As hexdump does: of equal lines the first, and a star. */
		if (at >= 16 && at + 16 < size && memcmp(data + at, data + at - 16, 16) == 0) {
			if (!starred)
				printf("  *\n");
			starred = true;
			continue;
		}
		starred = false;
		printf("  0x%03zx ", at);
		for (size_t i = at; i < at + 16; i++) {
			printf("%s", i % 8 == 0 ? "  " : " ");
			if (i < size)
				printf("%02x", data[i]);
			else
				printf("  ");
		}
		printf("  |");
		for (size_t i = at; i < at + 16 && i < size; i++)
			putchar(data[i] >= 0x20 && data[i] < 0x7f ? data[i] : '.');
		printf("|\n");
	}
}

static void put_fields(const struct record *r, const struct fr_part *part)
{
	struct columns c;

	columns_start(&c, "lrll", "offset size field value");
	for (size_t i = 0; i < part->nfields; i++) {
		const struct fr_field *field = &part->fields[i];
		const uint8_t *bytes = field_bytes(r, part, field);
		char *value = bytes == NULL ? NULL : field_text(field, bytes);

		columns_add(&c, "0x%03x", field->offset);
		columns_number(&c, field->size);
		columns_text(&c, field->name);
		if (value != NULL && (field->type == FR_FIELD_TEXT || field->type == FR_FIELD_ATA_TEXT))
			columns_add(&c, "\"%s\"", value);
		else
			columns_text(&c, value);
		free(value);
	}
	columns_end(&c, stdout, part->name[0] == '\0' ? "  " : "    ");
}

/* The record's own fields first, then its parts, each under its name; offsets are those in the part. */
static void put_parts(const struct record *r)
{
	for (size_t i = 0; i < r->nparts; i++) {
		if (r->parts[i].name[0] == '\0')
			put_fields(r, &r->parts[i]);
	}
	for (size_t i = 0; i < r->nparts; i++) {
		const struct fr_part *part = &r->parts[i];

		if (part->name[0] == '\0')
			continue;
		printf("  ");
		put(part->name);
		printf(", at 0x%03zx\n", part->offset);
		put_fields(r, part);
	}
}

/* "sector 3998, 2 from the end" */
static void put_place(const struct fr_disk *disk, const struct fr_look *look)
{
	printf("sector %llu, %llu from the end", (unsigned long long)look->lba,
	       (unsigned long long)(disk->sectors - look->lba));
}

static void put_verdict(const struct fr_look *look)
{
	printf("%s", look->verdict == FR_VERDICT_NONE ? "nothing" : fr_verdict_name(look->verdict));
	if (look->set != NULL)
		printf(", of the set ");
	put(look->set == NULL ? "" : look->set->name);
	printf("%s", look->reason == NULL ? "" : ": ");
	put(look->reason == NULL ? "" : look->reason);
	putchar('\n');
}

static void put_block(const struct fr_disk *disk, const struct fr_look *look, bool raw)
{
	struct record r;

	put(disk->path);
	printf(": %s: ", look->format->name);
	put_place(disk, look);
	printf(": ");
	put_verdict(look);
	record_load(look, &r);
	put_parts(&r);
	if (raw && r.data != NULL) {
		putchar('\n');
		put_raw(r.data, r.size);
	}
	record_free(&r);
}

void output_dump(const struct fr_scan *scan, bool raw)
{
	bool first = true;

	for (size_t i = 0; i < scan->ndisks; i++) {
		for (size_t k = 0; k < scan->disks[i]->nlooks; k++) {
			if (scan->disks[i]->looks[k].verdict == FR_VERDICT_NONE)
				continue;
			if (!first)
				putchar('\n');
			first = false;
			put_block(scan->disks[i], &scan->disks[i]->looks[k], raw);
		}
	}
}

/* ---- explain ---- */

/* Of no set, and no spare: perhaps what it should carry lies elsewhere. */
static bool is_stray(const struct fr_disk *disk)
{
	for (size_t i = 0; i < disk->nlooks; i++) {
		if (disk->looks[i].set != NULL || disk->looks[i].verdict == FR_VERDICT_VALID)
			return false;
	}
	return true;
}

/* Whether the same is to be said of two places. */
static bool is_like(const struct fr_look *a, const struct fr_look *b)
{
	return a->format == b->format && a->verdict == FR_VERDICT_NONE && b->verdict == FR_VERDICT_NONE &&
	       strcmp(a->reason == NULL ? "" : a->reason, b->reason == NULL ? "" : b->reason) == 0;
}

/* The places from one on of which the same is to be said, in one line. */
static void put_places(const struct fr_disk *disk, size_t first)
{
	size_t last = first;

	while (last + 1 < disk->nlooks && is_like(&disk->looks[last + 1], &disk->looks[last]))
		last++;
	printf("  %s: ", disk->looks[first].format->name);
	if (first == last) {
		put_place(disk, &disk->looks[first]);
	} else {
		printf("%zu places, ", last - first + 1);
		for (size_t i = first; i <= last; i++)
			printf("%s%llu", i == first ? "" : ", ", (unsigned long long)(disk->sectors - disk->looks[i].lba));
		printf(" sectors from the end");
	}
	printf(": ");
	put_verdict(&disk->looks[first]);
}

static void put_looks(const struct fr_disk *disk, bool deep)
{
	put(disk->path);
	printf(": %llu sector%s, %s%s", (unsigned long long)disk->sectors, plural(disk->sectors),
	       text_size(disk->sectors).text, disk->serial == NULL ? "" : ", serial ");
	put(disk->serial == NULL ? "" : disk->serial);
	putchar('\n');
	for (size_t i = 0; i < disk->nlooks; i++) {
		if (i == 0 || !is_like(&disk->looks[i], &disk->looks[i - 1]))
			put_places(disk, i);
	}
	if (!deep && is_stray(disk))
		printf("  no set is found on this disk; if one should be there, 'fakeraid explain --deep' looks for records\n"
		       "  that lie elsewhere, as they do when a disk's size has changed\n");
}

static void put_left_out(const struct fr_member *m)
{
	const char *reason = m->reason == NULL ? "" : m->reason, *colon = m->reason == NULL ? "" : ": ";

	if (m->index == UINT_MAX)
		fact("left out", "%s, %s%s%s", m->disk->path, fr_member_state_name(m->state), colon, reason);
	else
		fact("left out", "%s, which says it is member %u, %s%s%s", m->disk->path, m->index,
		     fr_member_state_name(m->state), colon, reason);
}

static void put_advice(const struct advice *a)
{
	const struct fr_set *set = a->facts->set;
	const char *layout = fr_layout_name(set->layout);

	putchar('\n');
	put(set->name);
	printf(": %s%s%s, %s\n", fr_level_name(set->level), layout == NULL ? "" : " ", layout == NULL ? "" : layout,
	       fr_set_state_name(set->state));
	for (size_t i = 0; i < set->nreasons; i++)
		fact(i == 0 ? "because" : "", "%s", set->reasons[i]);
	for (size_t i = 0; i < set->nleft_out; i++)
		put_left_out(&set->left_out[i]);
	fact("activate", "%s", a->outcome == NULL ? "" : a->outcome);
	put_holder(set, a->holder_advice);
	if (a->facts->left_to != NULL && a->possible && !a->facts->active)
		fact("left to", "%s, unless the set is named ('fakeraid activate %s') or the machine is booted with %s",
		     a->facts->left_to, set->name, a->facts->left_word);
	for (size_t i = 0; i < a->nhints; i++) {
		printf("  with %s: ", a->hints[i].option);
		put(a->hints[i].effect);
		putchar('\n');
	}
}

void output_explain(const struct fr_scan *scan, const struct advice *advice, bool deep)
{
	for (size_t i = 0; i < scan->ndisks; i++)
		put_looks(scan->disks[i], deep);
	for (size_t i = 0; i < scan->nsets; i++)
		put_advice(&advice[i]);
}

/* ---- table ---- */

/* The separators of the concise form, and the backslash itself, take a backslash. */
static void put_concise(const char *text)
{
	for (; *text != '\0'; text++) {
		if (strchr(",;\\", *text) != NULL)
			putchar('\\');
		putchar(*text);
	}
}

static void put_device_concise(const struct device_table *t)
{
	put_concise(t->name);
	putchar(',');
	put_concise(t->uuid);
	printf(",,%s", t->read_only ? "ro" : "rw");
	for (size_t i = 0; i < t->nlines; i++) {
		putchar(',');
		put_concise(t->lines[i]);
	}
}

/* Lines for device-mapper are bytes that may not be changed, but a terminal does not get to see just any. */
static void put_device_table(const struct device_table *t)
{
	bool terminal = isatty(STDOUT_FILENO) != 0;

	printf("# %s %s%s\n", t->name, t->uuid, t->read_only ? " read-only" : "");
	for (size_t i = 0; i < t->nlines; i++) {
		if (terminal)
			put(t->lines[i]);
		else
			fputs(t->lines[i], stdout);
		putchar('\n');
	}
}

void output_tables(const struct tables *tables, bool concise)
{
	for (size_t i = 0; i < tables->count; i++) {
		if (!concise) {
			put_device_table(&tables->list[i]);
			continue;
		}
		if (i != 0)
			putchar(';');
		put_device_concise(&tables->list[i]);
	}
	if (concise)
		putchar('\n');
}

/* ---- verify, activate, deactivate ---- */

void output_verify(const struct fr_set *set, const struct fr_verify_result *r)
{
	put(set->name);
	printf(": %llu sector%s compared, ", (unsigned long long)r->compared, plural(r->compared));
	if (r->different == 0)
		printf("all equal\n");
	else
		printf("%llu different\n", (unsigned long long)r->different);
	for (size_t i = 0; i < r->nfirst; i++) {
		printf("  sector %llu", (unsigned long long)r->first[i].sector);
		if (r->first[i].a != NULL && r->first[i].b != NULL) {
			printf(": ");
			put(r->first[i].a->path);
			printf(" and ");
			put(r->first[i].b->path);
		} else {
			printf(" of each member: the parity");
		}
		putchar('\n');
	}
	if (r->different > r->nfirst && r->nfirst != 0)
		printf("  and %llu more\n", (unsigned long long)(r->different - r->nfirst));
}

static const char *result_text(const char *result)
{
	if (strcmp(result, "activated") == 0)
		return "active";
	return strcmp(result, "was-active") == 0 ? "active already" : result;
}

/* Failures are on stderr: here is what was done. */
void output_actions(const struct actions *actions)
{
	for (size_t i = 0; i < actions->count; i++) {
		const struct action *a = &actions->list[i];

		if (strcmp(a->result, "failed") == 0 || strcmp(a->result, "refused") == 0)
			continue;
		put(a->set);
		printf(": %s%s", result_text(a->result), a->has_access && a->read_only ? ", read-only" : "");
		printf("%s", a->reason == NULL ? "" : ": ");
		put(a->reason == NULL ? "" : a->reason);
		putchar('\n');
	}
}

/* ---- status ---- */

static void add_target(struct columns *c, const struct fr_kernel_target *t)
{
	columns_number(c, t->start);
	columns_number(c, t->length);
	columns_add(c, "%s%s%s", t->type, t->level == NULL ? "" : " ", t->level == NULL ? "" : t->level);
	columns_text(c, t->health);
	columns_text(c, t->action);
	if (t->has_progress && t->total != 0)
		columns_add(c, "%.1f%%", 100.0 * (double)t->done / (double)t->total);
	else
		columns_text(c, NULL);
	if (t->action == NULL)
		columns_text(c, NULL);
	else
		columns_number(c, t->mismatches);
	if (t->device == NULL)
		columns_blank(c);
	else
		columns_add(c, "of %s", t->device);
}

static void put_kernel(const struct fr_kernel_status *k)
{
	struct columns c;

	fact("device", "/dev/mapper/%s, %u:%u, %s%s", k->name, major(k->devno), minor(k->devno),
	     k->read_only ? "read-only" : "read-write", k->suspended ? ", suspended" : "");
	fact("opened", "%d time%s", k->open_count, plural((uint64_t)k->open_count));
	columns_start(&c, "rrlllrrl", "start sectors target members action done mismatches _");
	for (size_t i = 0; i < k->ntargets; i++)
		add_target(&c, &k->targets[i]);
	columns_end(&c, stdout, "  ");
}

void output_status(const struct set_facts *facts, size_t count)
{
	bool first = true;

	for (size_t i = 0; i < count; i++) {
		const struct set_facts *f = &facts[i];

		if (f->kernel == NULL)
			continue;
		if (!first)
			putchar('\n');
		first = false;
		put(f->kernel->name);
		putchar('\n');
		if (f->set == NULL)
			fact("state", "active, and not found on the disks");
		else
			fact("state", "%s on the disks, %s", fr_set_state_name(f->set->state),
			     fr_level_name(f->set->level));
		if (f->set != NULL)
			fact_size("size", f->set->sectors, "");
		put_kernel(f->kernel);
	}
}

/* ---- formats ---- */

void output_formats(void)
{
	struct columns c;

	columns_start(&c, "llll", "format firmware activated listed");
	for (const struct fr_format *const *f = fr_formats(); *f != NULL; f++) {
		columns_text(&c, (*f)->name);
		columns_text(&c, (*f)->firmware);
		columns_text(&c, (*f)->levels);
		columns_text(&c, (*f)->listed);
	}
	columns_end(&c, stdout, "");
}

/* ---- for udev ---- */

/* Names are made of what device-mapper takes, sentences of what this program says: a quote or a newline would be wrong. */
static void put_plain(const char *text)
{
	for (; *text != '\0'; text++)
		putchar(*text == '"' || *text == '\'' || (unsigned char)*text < ' ' ? '_' : *text);
}

void export_value(const char *key, const char *format, ...)
{
	char *value = NULL;
	va_list args;
	int length;

	va_start(args, format);
	length = vasprintf(&value, format, args);
	va_end(args);
	if (length < 0)
		return;
	printf("%s=", key);
	put_plain(value);
	putchar('\n');
	free(value);
}

void export_list(const char *key)
{
	/* An item has a blank before it, which udev drops at the beginning of a value. */
	if (key != NULL)
		printf("%s=", key);
	else
		putchar('\n');
}

void export_item(const char *text)
{
	putchar(' ');
	put_plain(text);
}

void export_unit(const char *unit, const char *set_name, const char *suffix)
{
	printf(" %s@", unit);
	for (const char *c = set_name; *c != '\0'; c++) {
		if ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '_' || *c == ':' ||
		    (*c == '.' && c != set_name))
			putchar(*c);
		else
			printf("\\\\x%02x", (unsigned char)*c);
	}
	printf(".%s", suffix);
}

void export_link(const char *name)
{
	printf(" mapper/");
	put_plain(name);
}
