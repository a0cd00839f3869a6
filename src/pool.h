/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pool.h - memory that is freed all at once.
 *
 * What a scan or a plan makes lives as long as the scan or the plan. A pool
 * remembers that an allocation failed, so that it is asked once, at the end.
 */
#ifndef FR_POOL_H
#define FR_POOL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct fr_pool {
	struct fr_pool_block *blocks;
	bool failed;
};

/* Zeroed memory for count elements of size bytes, or NULL (and pool->failed). */
void *fr_pool_array(struct fr_pool *pool, size_t count, size_t size);

/* Text; "" without memory (and pool->failed). Never NULL. */
const char *fr_pool_text(struct fr_pool *pool, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *fr_pool_vtext(struct fr_pool *pool, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

/*
 * Makes room for one more element in a growing array whose count and allocation are given; returns the array's new
 * place, or NULL (and pool->failed), the array being as it was.
 */
void *fr_pool_grow(struct fr_pool *pool, void *array, size_t count, size_t *allocated, size_t size);

/* A copy of an array with room for `more` zeroed elements behind its `count`, or NULL (and pool->failed). */
void *fr_pool_longer(struct fr_pool *pool, const void *array, size_t count, size_t more, size_t size);

void fr_pool_free(struct fr_pool *pool);

#endif
