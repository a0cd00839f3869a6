// SPDX-License-Identifier: GPL-2.0-or-later
/* The nvidia format over hostile sectors. */
#define _GNU_SOURCE
#include "fuzz.h"

extern const struct fr_format fr_format_nvidia;

const char fuzz_name[] = "nvidia";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_format(&fr_format_nvidia, nvidia_seal, data, size);
	return 0;
}

size_t fuzz_seed(const char *folder, uint8_t *input)
{
	return format_seed(&fr_format_nvidia, folder, input);
}
