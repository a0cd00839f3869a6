// SPDX-License-Identifier: GPL-2.0-or-later
#include "pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fr_pool_block {
	struct fr_pool_block *next;
	max_align_t memory[];
};

void *fr_pool_array(struct fr_pool *pool, size_t count, size_t size)
{
	struct fr_pool_block *block = NULL;
	size_t bytes;

	if (!__builtin_mul_overflow(count, size, &bytes) && !__builtin_add_overflow(bytes, sizeof(*block), &bytes))
		block = calloc(1, bytes);
	if (block == NULL) {
		pool->failed = true;
		return NULL;
	}
	block->next = pool->blocks;
	pool->blocks = block;
	return block->memory;
}

const char *fr_pool_vtext(struct fr_pool *pool, const char *format, va_list args)
{
	va_list again;
	char *text;
	int length;

	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	text = length < 0 ? NULL : fr_pool_array(pool, (size_t)length + 1, 1);
	if (text == NULL)
		return "";
	vsnprintf(text, (size_t)length + 1, format, args);
	return text;
}

const char *fr_pool_text(struct fr_pool *pool, const char *format, ...)
{
	const char *text;
	va_list args;

	va_start(args, format);
	text = fr_pool_vtext(pool, format, args);
	va_end(args);
	return text;
}

void *fr_pool_grow(struct fr_pool *pool, void *array, size_t count, size_t *allocated, size_t size)
{
	size_t more = *allocated == 0 ? 8 : *allocated * 2;
	void *grown;

	if (count < *allocated)
		return array;
	grown = fr_pool_longer(pool, array, count, more - count, size);
	if (grown != NULL)
		*allocated = more;
	return grown;
}

void *fr_pool_longer(struct fr_pool *pool, const void *array, size_t count, size_t more, size_t size)
{
	void *longer = fr_pool_array(pool, count + more, size);

	if (longer != NULL && count != 0)
		memcpy(longer, array, count * size);
	return longer;
}

void fr_pool_free(struct fr_pool *pool)
{
	while (pool->blocks != NULL) {
		struct fr_pool_block *next = pool->blocks->next;

		free(pool->blocks);
		pool->blocks = next;
	}
}
