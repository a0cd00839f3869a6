// SPDX-License-Identifier: GPL-2.0-or-later
/* The pdc format over hostile sectors. */
#define _GNU_SOURCE
#include "fuzz.h"

enum { RECORD_SECTORS = 4 };

extern const struct fr_format fr_format_pdc;

const char fuzz_name[] = "pdc";

/* Called for each sector of a window in turn; all windows are records, whose sum is in their last sector. */
static void seal_sector(uint8_t *sector)
{
	static unsigned calls;
	uint8_t *record = sector - (size_t)(RECORD_SECTORS - 1) * FR_SECTOR_SIZE;

	if (++calls % RECORD_SECTORS == 0)
		put_number(record + 0x7fc, 4, sum_words(record, 4, 511));
}

/* The structures of whatever the input begins with. */
static void dump(const uint8_t *data, size_t size)
{
	uint8_t record[RECORD_SECTORS * FR_SECTOR_SIZE];
	struct input in = { data, size };
	struct fr_part parts[4];
	size_t count;

	take_bytes(&in, record, sizeof(record));
	count = fr_format_pdc.ops->parts(record, sizeof(record), parts, FR_COUNT(parts));
	MUST(count <= FR_COUNT(parts));
	for (size_t i = 0; i < count; i++)
		MUST(memchr(parts[i].name, '\0', sizeof(parts[i].name)) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_format(&fr_format_pdc, seal_sector, data, size);
	dump(data, size);
	return 0;
}

size_t fuzz_seed(const char *folder, uint8_t *input)
{
	return format_seed(&fr_format_pdc, folder, input);
}
