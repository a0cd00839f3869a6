// SPDX-License-Identifier: GPL-2.0-or-later
/* status.c - what the kernel says of an active set. */
#include <stdlib.h>
#include <string.h>

#include "active.h"

struct status_memory {
	struct fr_kernel_status status; /* first: fr_status_free() goes by it */
	struct fr_pool pool;
	size_t allocated;
};

static void parse_progress(struct fr_kernel_target *t, const char *word)
{
	char *slash;

	t->done = strtoull(word, &slash, 10);
	t->has_progress = slash != word && *slash == '/';
	if (t->has_progress)
		t->total = strtoull(slash + 1, NULL, 10);
}

/* raid: "raid1 2 AA 8192/8192 idle 0 0 -"; striped: "2 8:0 8:16 1 AA"; mirror: "2 8:0 8:16 8/8 1 AA 1 core". */
static void parse_status(struct fr_kernel_target *t, const char *const *words, size_t count)
{
	size_t after = count == 0 ? 0 : 1 + strtoul(words[0], NULL, 10); /* the devices of striped and mirror */

	if (strcmp(t->type, "raid") == 0 && count >= 6) {
		t->level = words[0];
		t->health = words[2];
		parse_progress(t, words[3]);
		t->action = words[4];
		t->mismatches = strtoull(words[5], NULL, 10);
	} else if (strcmp(t->type, "striped") == 0 && count > after + 1) {
		t->health = words[after + 1];
	} else if (strcmp(t->type, "mirror") == 0 && count > after + 2) {
		parse_progress(t, words[after]);
		t->health = words[after + 2];
	}
}

/* The status of one device's targets; of a part only what a raid target says. */
static int add_targets(struct fr_context *ctx, struct status_memory *m, const struct fr_dm_node *node, bool of_part,
		       struct fr_error *err)
{
	struct fr_kernel_status *s = &m->status;
	struct fr_dm_table table;
	int rc = fr_dm_status(ctx, &m->pool, node->uuid, &table, err);

	for (size_t i = 0; rc == 0 && i < table.count; i++) {
		const struct fr_dm_target *from = &table.targets[i];
		const char *words[FR_DM_MAX_WORDS];
		struct fr_kernel_target *grown;

		if (of_part && strcmp(from->type, "raid") != 0)
			continue;
		grown = fr_pool_grow(&m->pool, s->targets, s->ntargets, &m->allocated, sizeof(*grown));
		if (grown == NULL)
			break;
		s->targets = grown;
		grown[s->ntargets] = (struct fr_kernel_target){
			.start = from->start, .length = from->length, .type = from->type,
			.device = of_part ? fr_pool_text(&m->pool, "%s", node->name) : NULL,
		};
		parse_status(&grown[s->ntargets++], words, fr_dm_words(&m->pool, from->params, words, FR_DM_MAX_WORDS));
	}
	return rc == 0 && m->pool.failed ? fr_fail(err, -ENOMEM, "out of memory") : rc;
}

static int load_status(struct fr_context *ctx, const struct fr_family *f, struct status_memory *m, struct fr_error *err)
{
	const struct fr_dm_node *set = &f->list[f->npartitions];
	struct fr_dm_info info;
	int rc = fr_dm_info(ctx, set->uuid, &info, err);

	if (rc == 0 && !info.exists)
		return fr_fail(err, -ENOENT, "%s is not active any more", set->name);
	m->status = (struct fr_kernel_status){
		.name = fr_pool_text(&m->pool, "%s", set->name), .read_only = info.read_only,
		.suspended = info.suspended, .open_count = info.open_count, .event = info.event, .devno = info.devno,
	};
	for (size_t i = f->npartitions; rc == 0 && i < f->count; i++)
		rc = add_targets(ctx, m, &f->list[i], i > f->npartitions, err);
	return rc;
}

int fr_status(struct fr_context *ctx, const char *set_name, struct fr_kernel_status **status, struct fr_error *err)
{
	struct status_memory *m = calloc(1, sizeof(*m));
	struct fr_dm_changes none = { 0 };
	struct fr_family f = { 0 };
	int rc;

	*status = NULL;
	if (m == NULL)
		return fr_fail(err, -ENOMEM, "out of memory");
	rc = fr_family_find(&f, set_name, err);
	if (rc == 0)
		rc = load_status(ctx, &f, m, err);
	fr_dm_settle(ctx, &none);
	fr_pool_free(&f.pool);
	if (rc == 0)
		*status = &m->status;
	else
		fr_status_free(&m->status);
	return rc;
}

void fr_status_free(struct fr_kernel_status *status)
{
	struct status_memory *m = (struct status_memory *)status;

	if (status == NULL)
		return;
	fr_pool_free(&m->pool);
	free(m);
}
