// SPDX-License-Identifier: GPL-2.0-or-later
/* level.c - what a RAID level is: columns, copies, redundancy. */
#include "internal.h"

unsigned fr_level_columns(enum fr_level level, unsigned width)
{
	switch (level) {
	case FR_LEVEL_LINEAR:
	case FR_LEVEL_RAID0:
		return width;
	case FR_LEVEL_RAID1:
		return width == 0 ? 0 : 1;
	case FR_LEVEL_RAID4:
	case FR_LEVEL_RAID5:
		return width == 0 ? 0 : width - 1;
	case FR_LEVEL_RAID10:
	case FR_LEVEL_RAID01:
		return width / 2;
	case FR_LEVEL_UNKNOWN:
		break;
	}
	return 0;
}

bool fr_level_has_copies(enum fr_level level)
{
	return level == FR_LEVEL_RAID1 || level == FR_LEVEL_RAID10 || level == FR_LEVEL_RAID01;
}

bool fr_level_has_parity(enum fr_level level)
{
	return level == FR_LEVEL_RAID4 || level == FR_LEVEL_RAID5;
}

bool fr_level_is_redundant(enum fr_level level)
{
	return fr_level_has_copies(level) || fr_level_has_parity(level);
}

bool fr_level_is_striped(enum fr_level level)
{
	return level == FR_LEVEL_RAID0 || level == FR_LEVEL_RAID10 || level == FR_LEVEL_RAID01 ||
	       fr_level_has_parity(level);
}

unsigned fr_level_slot(enum fr_level level, unsigned width, unsigned column, unsigned copy)
{
	return level == FR_LEVEL_RAID01 ? copy * (width / 2) + column : column * 2 + copy;
}
