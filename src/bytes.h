/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bytes.h - numbers as they lie on a disk, and sums that cannot wrap.
 *
 * On-disk numbers are structs of bytes: alignment 1, and no value without
 * naming the byte order.
 */
#ifndef FR_BYTES_H
#define FR_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FR_COUNT(array) (sizeof(array) / sizeof((array)[0]))

typedef struct { uint8_t b[2]; } le16;
typedef struct { uint8_t b[4]; } le32;
typedef struct { uint8_t b[8]; } le64;

static inline uint16_t le16_get(le16 v)
{
	return (uint16_t)(v.b[0] | v.b[1] << 8);
}

static inline uint32_t le32_get(le32 v)
{
	return (uint32_t)v.b[0] | (uint32_t)v.b[1] << 8 | (uint32_t)v.b[2] << 16 | (uint32_t)v.b[3] << 24;
}

static inline uint64_t le64_get(le64 v)
{
	uint64_t value = 0;

	for (int i = 7; i >= 0; i--)
		value = value << 8 | v.b[i];
	return value;
}

/* Whether v is a power of two. */
static inline bool fr_is_power_of_2(uint64_t v)
{
	return v != 0 && (v & (v - 1)) == 0;
}

/* a + b and a * b; false if the result does not fit. */
static inline bool fr_add(uint64_t a, uint64_t b, uint64_t *sum)
{
	return !__builtin_add_overflow(a, b, sum);
}

static inline bool fr_multiply(uint64_t a, uint64_t b, uint64_t *product)
{
	return !__builtin_mul_overflow(a, b, product);
}

/* Whether [start, start + length) lies inside [0, end). */
static inline bool fr_range_inside(uint64_t start, uint64_t length, uint64_t end)
{
	return length <= end && start <= end - length;
}

#endif
