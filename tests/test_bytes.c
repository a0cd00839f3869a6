// SPDX-License-Identifier: GPL-2.0-or-later
/* bytes.h and pool.h: numbers from a disk, sums that cannot wrap, memory that is freed at once. */
#include "testing.h"

/* ---- numbers ---- */

static void little_endian(void **state)
{
	(void)state;
	assert_int_equal(le16_get((le16){ { 0x34, 0x12 } }), 0x1234);
	assert_int_equal(le16_get((le16){ { 0xff, 0xff } }), 0xffff);
	assert_int_equal(le16_get((le16){ { 0x00, 0x80 } }), 0x8000);
	assert_int_equal(le32_get((le32){ { 0x78, 0x56, 0x34, 0x12 } }), 0x12345678);
	assert_int_equal(le32_get((le32){ { 0, 0, 0, 0x80 } }), 0x80000000u);
	assert_int_equal(le32_get((le32){ { 0xff, 0xff, 0xff, 0xff } }), 0xffffffffu);
	assert_true(le64_get((le64){ { 0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01 } }) == 0x0123456789abcdefu);
	assert_true(le64_get((le64){ { 0, 0, 0, 0, 0, 0, 0, 0x80 } }) == 1ull << 63);
	assert_true(le64_get((le64){ { 0, 0, 0, 0x80, 0, 0, 0, 0 } }) == 0x80000000u);
}

/* A record may lie at any address, and has no gaps. */
static void types_are_bytes(void **state)
{
	struct mixed { uint8_t a; le16 b; uint8_t c; le32 d; uint8_t e; le64 f; };

	(void)state;
	assert_int_equal(sizeof(struct mixed), 17);
	assert_int_equal(_Alignof(struct mixed), 1);
}

static void powers_of_two(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 64; i++) {
		assert_true(fr_is_power_of_2(1ull << i));
		if (i > 1)
			assert_false(fr_is_power_of_2((1ull << i) - 1));
		if (i > 0)
			assert_false(fr_is_power_of_2((1ull << i) + 1));
	}
	assert_false(fr_is_power_of_2(0));
	assert_false(fr_is_power_of_2(UINT64_MAX));
}

/* ---- checked sums ---- */

struct sum_row {
	const char *name;
	uint64_t a, b;
	bool fits;
	uint64_t result;
};

static const struct sum_row sum_rows[] = {
	{ "sum of nothing", 0, 0, true, 0 },
	{ "sum up to the largest number", UINT64_MAX - 1, 1, true, UINT64_MAX },
	{ "largest number and nothing", UINT64_MAX, 0, true, UINT64_MAX },
	{ "sum past the largest number", UINT64_MAX, 1, false, 0 },
	{ "largest number twice", UINT64_MAX, UINT64_MAX, false, 0 },
	{ "halves that just do not fit", 1ull << 63, 1ull << 63, false, 0 },
};

static void checked_sum(void **state)
{
	const struct sum_row *row = *state;
	uint64_t sum;

	assert_int_equal(fr_add(row->a, row->b, &sum), row->fits);
	assert_int_equal(fr_add(row->b, row->a, &sum), row->fits);
	if (row->fits)
		assert_true(sum == row->result);
}

static const struct sum_row product_rows[] = {
	{ "product with nothing", UINT64_MAX, 0, true, 0 },
	{ "product with one", UINT64_MAX, 1, true, UINT64_MAX },
	{ "largest product of halves", UINT32_MAX, UINT32_MAX, true, 0xfffffffe00000001u },
	{ "product of 2^64 - 1 by its factors", 0x100000001u, 0xffffffffu, true, UINT64_MAX },
	{ "product of 2^64", 1ull << 32, 1ull << 32, false, 0 },
	{ "product past the largest number", UINT64_MAX, 2, false, 0 },
	{ "product of the largest numbers", UINT64_MAX, UINT64_MAX, false, 0 },
};

static void checked_product(void **state)
{
	const struct sum_row *row = *state;
	uint64_t product;

	assert_int_equal(fr_multiply(row->a, row->b, &product), row->fits);
	assert_int_equal(fr_multiply(row->b, row->a, &product), row->fits);
	if (row->fits)
		assert_true(product == row->result);
}

static const struct range_row {
	const char *name;
	uint64_t start, length, end;
	bool inside;
} range_rows[] = {
	{ "empty range of nothing", 0, 0, 0, true },
	{ "one sector of nothing", 0, 1, 0, false },
	{ "all of it", 0, 10, 10, true },
	{ "last sector", 9, 1, 10, true },
	{ "one sector past the end", 10, 1, 10, false },
	{ "last sector and one more", 9, 2, 10, false },
	{ "longer than all", 0, 11, 10, false },
	{ "all of 64 bits", 0, UINT64_MAX, UINT64_MAX, true },
	{ "last sector of 64 bits", UINT64_MAX - 1, 1, UINT64_MAX, true },
	{ "end that wraps to 0", UINT64_MAX, 1, UINT64_MAX, false },
	{ "end that wraps into the range", UINT64_MAX - 4, 10, UINT64_MAX, false },
	{ "length that wraps to the start", 5, UINT64_MAX - 4, 10, false },
	{ "longest length not from the start", 1, UINT64_MAX, UINT64_MAX, false },
	{ "start and length of 64 bits", UINT64_MAX, UINT64_MAX, UINT64_MAX, false },
	{ "start far out", UINT64_MAX, 1, 10, false },
};

static void range_inside(void **state)
{
	const struct range_row *row = *state;

	assert_int_equal(fr_range_inside(row->start, row->length, row->end), row->inside);
}

/* ---- windows ---- */

static void view_gives_what_one_window_holds(void **state)
{
	uint8_t a[4 * FR_SECTOR_SIZE], b[FR_SECTOR_SIZE];
	struct fr_window windows[] = {
		{ .lba = 10, .sectors = 4, .data = a }, { .lba = 14, .sectors = 1, .data = b },
		{ .lba = 20, .sectors = 2, .data = NULL, .error = EIO },
	};
	struct fr_view view = { .sectors = 30, .nwindows = FR_COUNT(windows), .windows = windows };

	(void)state;
	assert_ptr_equal(fr_view_at(&view, 10, 4), a);
	assert_ptr_equal(fr_view_at(&view, 12, 2), a + 2 * FR_SECTOR_SIZE);
	assert_ptr_equal(fr_view_at(&view, 14, 1), b);
	assert_null(fr_view_at(&view, 9, 1));
	assert_null(fr_view_at(&view, 9, 2));
	assert_null(fr_view_at(&view, 12, 3)); /* the next window is another memory */
	assert_null(fr_view_at(&view, 14, 2));
	assert_null(fr_view_at(&view, 20, 1)); /* could not be read */
	assert_null(fr_view_at(&view, UINT64_MAX, 1));
	assert_null(fr_view_at(&view, 11, UINT32_MAX));
}

/* ---- the pool ---- */

static void pool_memory_is_zero(void **state)
{
	struct fr_pool pool = { 0 };

	(void)state;
	for (size_t size = 1; size < 5000; size = size * 3 + 1) {
		uint8_t *memory = fr_pool_array(&pool, 3, size);

		assert_non_null(memory);
		assert_int_equal((uintptr_t)memory % _Alignof(max_align_t), 0);
		for (size_t i = 0; i < 3 * size; i++)
			assert_int_equal(memory[i], 0);
		memset(memory, 0xff, 3 * size);
	}
	assert_false(pool.failed);
	fr_pool_free(&pool);
	assert_null(pool.blocks);
}

static void pool_remembers_failure(void **state)
{
	struct fr_pool pool = { 0 };

	(void)state;
	assert_null(fr_pool_array(&pool, SIZE_MAX / 2, 4)); /* the product wraps */
	assert_true(pool.failed);
	pool.failed = false;
	assert_null(fr_pool_array(&pool, SIZE_MAX, 1)); /* the sum with the block's head wraps */
	assert_true(pool.failed);
	assert_non_null(fr_pool_array(&pool, 1, 1));
	assert_true(pool.failed); /* for good */
	fr_pool_free(&pool);
}

static void pool_text(void **state)
{
	struct fr_pool pool = { 0 };
	char *much = malloc(70000);

	(void)state;
	assert_non_null(much);
	memset(much, 'x', 69999);
	much[69999] = '\0';
	assert_string_equal(fr_pool_text(&pool, "%s %d %c", "disk", -7, 'x'), "disk -7 x");
	assert_string_equal(fr_pool_text(&pool, "%s", ""), "");
	assert_string_equal(fr_pool_text(&pool, "%s", much), much);
	free(much);
	fr_pool_free(&pool);
}

static void pool_array_grows(void **state)
{
	struct fr_pool pool = { 0 };
	size_t allocated = 0;
	uint32_t *array = NULL;

	(void)state;
	for (uint32_t i = 0; i < 1000; i++) {
		array = fr_pool_grow(&pool, array, i, &allocated, sizeof(*array));
		assert_non_null(array);
		assert_true(allocated > i);
		array[i] = i * 7;
	}
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(array[i], i * 7);
	fr_pool_free(&pool);
}

static void pool_that_cannot_grow_keeps_the_array(void **state)
{
	struct fr_pool pool = { 0 };
	uint32_t array[1] = { 5 };
	size_t allocated = SIZE_MAX / 4;

	(void)state;
	assert_null(fr_pool_grow(&pool, array, allocated, &allocated, sizeof(*array)));
	assert_true(pool.failed);
	assert_int_equal(allocated, SIZE_MAX / 4);
	assert_int_equal(array[0], 5);
	fr_pool_free(&pool);
}

int main(void)
{
	struct test_list list = { 0 };

	ADD_TEST(&list, little_endian);
	ADD_TEST(&list, types_are_bytes);
	ADD_TEST(&list, powers_of_two);
	ADD_ROWS(&list, sum_rows, checked_sum);
	ADD_ROWS(&list, product_rows, checked_product);
	ADD_ROWS(&list, range_rows, range_inside);
	ADD_TEST(&list, view_gives_what_one_window_holds);
	ADD_TEST(&list, pool_memory_is_zero);
	ADD_TEST(&list, pool_remembers_failure);
	ADD_TEST(&list, pool_text);
	ADD_TEST(&list, pool_array_grows);
	ADD_TEST(&list, pool_that_cannot_grow_keeps_the_array);
	return run_list("bytes", &list);
}
