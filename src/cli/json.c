// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * json.c - results for programs: the schema of the manual's JSON section.
 * Every key is always there; what is not known is null. A change of what is
 * here, other than a key more, needs another number in "schema".
 */
#define _GNU_SOURCE
#include <json-c/json.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "output.h"
#include "text.h"

typedef struct json_object json;

/* ---- values ---- */

static void add(json *object, const char *key, json *value)
{
	json_object_object_add(object, key, value);
}

/* JSON is UTF-8: what is not becomes \xNN, as in the text output. NULL becomes null. */
static json *text(const char *from)
{
	char *clean = NULL;
	size_t size;
	FILE *out = from == NULL ? NULL : open_memstream(&clean, &size);
	json *value;

	if (out == NULL)
		return NULL;
	while (*from != '\0') {
		size_t length = text_utf8(from);

		if (length == 0)
			fprintf(out, "\\x%02x", (unsigned char)*from);
		else
			fwrite(from, 1, length, out);
		from += length == 0 ? 1 : length;
	}
	value = fclose(out) == 0 ? json_object_new_string(clean) : NULL;
	free(clean);
	return value;
}

static json *number(uint64_t value)
{
	return json_object_new_uint64(value);
}

static json *number_or_null(uint64_t value, bool known)
{
	return known ? number(value) : NULL;
}

static json *truth(bool value)
{
	return json_object_new_boolean(value);
}

static json *texts(const char *const *list, size_t count)
{
	json *array = json_object_new_array();

	for (size_t i = 0; i < count; i++)
		json_object_array_add(array, text(list[i]));
	return array;
}

/* A list that ends in NULL, or NULL. */
static json *text_list(const char *const *list)
{
	size_t count = 0;

	while (list != NULL && list[count] != NULL)
		count++;
	return texts(list, count);
}

static json *document(void)
{
	json *object = json_object_new_object();

	add(object, "schema", json_object_new_int(1));
	return object;
}

static void print(json *object)
{
	const char *out = json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
							 JSON_C_TO_STRING_NOSLASHESCAPE);

	if (out != NULL)
		puts(out);
	json_object_put(object);
}

/* ---- disks and problems ---- */

static json *block(const struct fr_look *look)
{
	json *object = json_object_new_object();

	add(object, "format", text(look->format->name));
	add(object, "lba", number(look->lba));
	add(object, "sectors", number(look->sectors));
	add(object, "verdict", text(fr_verdict_name(look->verdict)));
	add(object, "reason", text(look->reason));
	add(object, "set", text(look->set == NULL ? NULL : look->set->name));
	return object;
}

static json *disk_head(const struct fr_disk *disk)
{
	json *object = json_object_new_object();

	add(object, "path", text(disk->path));
	add(object, "sectors", number(disk->sectors));
	add(object, "sector_size", number(disk->sector_size));
	add(object, "serial", text(disk->serial));
	add(object, "read_only", truth(disk->read_only));
	return object;
}

/* A disk with its blocks as `one` shows them; places where nothing is only if `all`. */
static json *disk_of(const struct fr_disk *disk, const char *key, bool all, json *(*one)(const struct fr_look *look))
{
	json *object = disk_head(disk), *blocks = json_object_new_array();

	for (size_t i = 0; i < disk->nlooks; i++) {
		if (all || disk->looks[i].verdict != FR_VERDICT_NONE)
			json_object_array_add(blocks, one(&disk->looks[i]));
	}
	add(object, key, blocks);
	return object;
}

static json *disks(const struct fr_scan *scan, const char *key, bool all, json *(*one)(const struct fr_look *look))
{
	json *array = json_object_new_array();

	for (size_t i = 0; i < scan->ndisks; i++)
		json_object_array_add(array, disk_of(scan->disks[i], key, all, one));
	return array;
}

static json *problems(const struct fr_scan *scan)
{
	json *array = json_object_new_array();

	for (size_t i = 0; i < scan->nproblems; i++) {
		const struct fr_problem *p = &scan->problems[i];
		json *object = json_object_new_object();

		add(object, "disk", text(p->disk));
		add(object, "format", text(p->format == NULL ? NULL : p->format->name));
		add(object, "lba", number_or_null(p->lba, p->has_lba));
		add(object, "reason", text(p->reason));
		json_object_array_add(array, object);
	}
	return array;
}

/* ---- sets ---- */

static json *member(const struct fr_member *m)
{
	json *object = json_object_new_object();

	add(object, "index", number_or_null(m->index, m->index != UINT_MAX));
	add(object, "disk", text(m->disk == NULL || m->state == FR_MEMBER_MISSING ? NULL : m->disk->path));
	add(object, "offset", number(m->offset));
	add(object, "sectors", number_or_null(m->sectors, m->sectors != 0));
	add(object, "state", text(fr_member_state_name(m->state)));
	add(object, "serial", text(m->serial));
	add(object, "generation", number_or_null(m->generation, m->has_generation));
	return object;
}

static json *members(const struct fr_member *list, size_t count)
{
	json *array = json_object_new_array();

	for (size_t i = 0; i < count; i++)
		json_object_array_add(array, member(&list[i]));
	return array;
}

static json *left_out(const struct fr_set *set)
{
	json *array = json_object_new_array();

	for (size_t i = 0; i < set->nleft_out; i++) {
		const struct fr_member *m = &set->left_out[i];
		json *object = json_object_new_object();

		add(object, "disk", text(m->disk == NULL ? NULL : m->disk->path));
		add(object, "index", number_or_null(m->index, m->index != UINT_MAX));
		add(object, "state", text(fr_member_state_name(m->state)));
		add(object, "reason", text(m->reason));
		json_object_array_add(array, object);
	}
	return array;
}

static json *devices(const struct tables *tables)
{
	json *array = json_object_new_array();

	for (size_t i = 0; i < tables->count; i++) {
		const struct device_table *t = &tables->list[i];
		json *object = json_object_new_object();

		add(object, "name", text(t->name));
		add(object, "uuid", text(t->uuid));
		add(object, "read_only", truth(t->read_only));
		add(object, "table", texts((const char *const *)t->lines, t->nlines));
		json_object_array_add(array, object);
	}
	return array;
}

static json *devices_of(const struct fr_plan *plan)
{
	struct tables tables = { 0 };
	json *array;

	if (plan != NULL)
		tables_make(plan, NULL, NULL, &tables);
	array = devices(&tables);
	tables_free(&tables);
	return array;
}

static json *partitions(const struct fr_set *set, const struct fr_partitions *list)
{
	json *array = json_object_new_array();

	for (size_t i = 0; list != NULL && i < list->count; i++) {
		const struct fr_partition *p = &list->list[i];
		char *name = fr_partition_name(set->name, p->number, NULL);
		json *object = json_object_new_object();

		add(object, "number", number(p->number));
		add(object, "name", text(name));
		add(object, "start", number(p->start));
		add(object, "sectors", number(p->sectors));
		json_object_array_add(array, object);
		free(name);
	}
	return array;
}

/* Of a set that only the kernel knows all but the name is null or empty. */
static json *set_object(const struct set_facts *facts)
{
	static const struct fr_set unknown = { 0 };
	bool known = facts->set != NULL;
	const struct fr_set *set = known ? facts->set : &unknown;
	const struct fr_kernel_status *kernel = facts->kernel;
	json *object = json_object_new_object();

	add(object, "name", text(known || kernel == NULL ? set->name : kernel->name));
	add(object, "aliases", text_list(set->aliases));
	add(object, "format", text(known ? set->format->name : NULL));
	add(object, "id", text(set->id));
	add(object, "volume", text(set->volume));
	add(object, "level", text(known ? fr_level_name(set->level) : NULL));
	add(object, "layout", text(fr_layout_name(set->layout)));
	add(object, "chunk", number_or_null(set->chunk, set->chunk != 0));
	add(object, "sectors", number_or_null(set->sectors, known));
	add(object, "state", text(known ? fr_set_state_name(set->state) : NULL));
	add(object, "reasons", texts(set->reasons, set->nreasons));
	add(object, "width", number_or_null(set->width, known));
	add(object, "members", members(set->members, set->width));
	add(object, "spares", members(set->spares, set->nspares));
	add(object, "left_out", left_out(set));
	add(object, "active", truth(facts->active || kernel != NULL));
	add(object, "holder", text(set->holder));
	add(object, "devices", devices_of(facts->plan));
	add(object, "partitions", partitions(set, known ? facts->partitions : NULL));
	return object;
}

void json_list(const struct fr_scan *scan, const struct set_facts *facts)
{
	json *object = document(), *sets = json_object_new_array();

	for (size_t i = 0; i < scan->nsets; i++)
		json_object_array_add(sets, set_object(&facts[i]));
	add(object, "disks", disks(scan, "blocks", false, block));
	add(object, "sets", sets);
	add(object, "problems", problems(scan));
	print(object);
}

void json_show(const struct set_facts *facts)
{
	print(set_object(facts));
}

/* ---- dump ---- */

/* Adds those of one part; what is not in the record is left out. */
static void add_fields(json *array, const struct record *r, const struct fr_part *part)
{
	for (size_t i = 0; i < part->nfields; i++) {
		const struct fr_field *field = &part->fields[i];
		const uint8_t *bytes = field_bytes(r, part, field);
		json *object;
		char *value;

		if (bytes == NULL)
			continue;
		object = json_object_new_object();
		value = field_is_number(field) ? NULL : field_text(field, bytes);
		add(object, "offset", number(field->offset));
		add(object, "size", number(field->size));
		add(object, "name", text(field->name));
		add(object, "value", field_is_number(field) ? number(field_number(field, bytes)) : text(value));
		json_object_array_add(array, object);
		free(value);
	}
}

static json *part(const struct record *r, const struct fr_part *part)
{
	json *object = json_object_new_object(), *fields = json_object_new_array();

	add_fields(fields, r, part);
	add(object, "name", text(part->name));
	add(object, "offset", number(part->offset));
	add(object, "fields", fields);
	return object;
}

static json *raw_bytes(const struct record *r)
{
	char *hex = r->data == NULL ? NULL : calloc(2 * r->size + 1, 1);
	json *value;

	for (size_t i = 0; hex != NULL && i < r->size; i++)
		snprintf(hex + 2 * i, 3, "%02x", r->data[i]);
	value = text(hex);
	free(hex);
	return value;
}

static json *dumped(const struct fr_look *look, bool raw)
{
	json *object = block(look), *fields = json_object_new_array(), *parts = json_object_new_array();
	struct record r;

	record_load(look, &r);
	for (size_t i = 0; i < r.nparts; i++) {
		if (r.parts[i].name[0] == '\0')
			add_fields(fields, &r, &r.parts[i]);
		else
			json_object_array_add(parts, part(&r, &r.parts[i]));
	}
	add(object, "fields", fields);
	add(object, "parts", parts);
	add(object, "raw", raw ? raw_bytes(&r) : NULL);
	record_free(&r);
	return object;
}

static json *dumped_block(const struct fr_look *look)
{
	return dumped(look, false);
}

static json *dumped_block_raw(const struct fr_look *look)
{
	return dumped(look, true);
}

void json_dump(const struct fr_scan *scan, bool raw)
{
	json *object = document();

	add(object, "disks", disks(scan, "blocks", false, raw ? dumped_block_raw : dumped_block));
	add(object, "problems", problems(scan));
	print(object);
}

/* ---- explain ---- */

static json *activation(const struct advice *a)
{
	json *object = json_object_new_object(), *hints = json_object_new_array();
	const struct fr_plan *plan = a->facts->plan;

	add(object, "possible", truth(a->possible));
	add(object, "read_only", a->possible && plan != NULL ? truth(plan->read_only) : NULL);
	add(object, "left_to", text(a->facts->left_to));
	add(object, "outcome", text(a->outcome));
	for (size_t i = 0; i < a->nhints; i++) {
		json *hint = json_object_new_object();

		add(hint, "option", text(a->hints[i].option));
		add(hint, "effect", text(a->hints[i].effect));
		json_object_array_add(hints, hint);
	}
	add(object, "options", hints);
	return object;
}

void json_explain(const struct fr_scan *scan, const struct advice *advice)
{
	json *object = document(), *sets = json_object_new_array();

	for (size_t i = 0; i < scan->nsets; i++) {
		json *set = set_object(advice[i].facts);

		add(set, "activation", activation(&advice[i]));
		json_object_array_add(sets, set);
	}
	add(object, "disks", disks(scan, "looks", true, block));
	add(object, "sets", sets);
	add(object, "problems", problems(scan));
	print(object);
}

/* ---- table, verify, activate, deactivate ---- */

void json_tables(const char *const *names, const struct tables *tables, size_t count)
{
	json *object = document(), *sets = json_object_new_array();

	for (size_t i = 0; i < count; i++) {
		json *set = json_object_new_object();

		add(set, "name", text(names[i]));
		add(set, "devices", devices(&tables[i]));
		json_object_array_add(sets, set);
	}
	add(object, "sets", sets);
	print(object);
}

void json_verify(const struct fr_set *set, const struct fr_verify_result *r)
{
	json *object = document(), *first = json_object_new_array();

	for (size_t i = 0; i < r->nfirst; i++) {
		json *difference = json_object_new_object();

		add(difference, "sector", number(r->first[i].sector));
		add(difference, "a", text(r->first[i].a == NULL ? NULL : r->first[i].a->path));
		add(difference, "b", text(r->first[i].b == NULL ? NULL : r->first[i].b->path));
		json_object_array_add(first, difference);
	}
	add(object, "name", text(set->name));
	add(object, "compared", number(r->compared));
	add(object, "different", number(r->different));
	add(object, "first", first);
	print(object);
}

void json_actions(const struct actions *actions)
{
	json *object = document(), *sets = json_object_new_array();

	for (size_t i = 0; i < actions->count; i++) {
		const struct action *a = &actions->list[i];
		json *set = json_object_new_object();

		add(set, "name", text(a->set));
		add(set, "result", text(a->result));
		add(set, "read_only", a->has_access ? truth(a->read_only) : NULL);
		add(set, "reason", text(a->reason));
		json_object_array_add(sets, set);
	}
	add(object, "sets", sets);
	print(object);
}

/* ---- status ---- */

static json *kernel_target(const struct fr_kernel_target *t)
{
	json *object = json_object_new_object();

	add(object, "device", text(t->device));
	add(object, "start", number(t->start));
	add(object, "sectors", number(t->length));
	add(object, "type", text(t->type));
	add(object, "level", text(t->level));
	add(object, "health", text(t->health));
	add(object, "action", text(t->action));
	add(object, "done", number_or_null(t->done, t->has_progress));
	add(object, "total", number_or_null(t->total, t->has_progress));
	add(object, "mismatches", number_or_null(t->mismatches, t->action != NULL));
	return object;
}

static json *kernel_status(const struct fr_kernel_status *k)
{
	json *object, *targets;
	char device[32];

	if (k == NULL)
		return NULL;
	object = json_object_new_object();
	targets = json_object_new_array();
	for (size_t i = 0; i < k->ntargets; i++)
		json_object_array_add(targets, kernel_target(&k->targets[i]));
	snprintf(device, sizeof(device), "%u:%u", major(k->devno), minor(k->devno));
	add(object, "name", text(k->name));
	add(object, "device", text(device));
	add(object, "read_only", truth(k->read_only));
	add(object, "suspended", truth(k->suspended));
	add(object, "open_count", json_object_new_int(k->open_count));
	add(object, "event", number(k->event));
	add(object, "targets", targets);
	return object;
}

void json_status(const struct set_facts *facts, size_t count)
{
	json *object = document(), *sets = json_object_new_array();

	for (size_t i = 0; i < count; i++) {
		json *set = set_object(&facts[i]);

		add(set, "kernel", kernel_status(facts[i].kernel));
		json_object_array_add(sets, set);
	}
	add(object, "sets", sets);
	print(object);
}

/* ---- formats ---- */

void json_formats(void)
{
	json *object = document(), *array = json_object_new_array();

	for (const struct fr_format *const *f = fr_formats(); *f != NULL; f++) {
		json *format = json_object_new_object();

		add(format, "name", text((*f)->name));
		add(format, "firmware", text((*f)->firmware));
		add(format, "activated", text((*f)->levels));
		add(format, "listed", (*f)->listed[0] == '\0' ? NULL : text((*f)->listed));
		add(format, "written", NULL); /* no format can be written yet */
		json_object_array_add(array, format);
	}
	add(object, "formats", array);
	print(object);
}
