// SPDX-License-Identifier: GPL-2.0-or-later
/* words.c - the words of the JSON schema, and names that device-mapper takes. */
#include <stdio.h>
#include <string.h>

#include "internal.h"

const char *fr_level_name(enum fr_level level)
{
	static const char *const names[] = {
		[FR_LEVEL_UNKNOWN] = "unknown", [FR_LEVEL_LINEAR] = "linear", [FR_LEVEL_RAID0] = "raid0",
		[FR_LEVEL_RAID1] = "raid1", [FR_LEVEL_RAID4] = "raid4", [FR_LEVEL_RAID5] = "raid5",
		[FR_LEVEL_RAID10] = "raid10", [FR_LEVEL_RAID01] = "raid01",
	};
	return names[level];
}

static const char *const layout_names[] = {
	[FR_LAYOUT_NONE] = NULL,
	[FR_LAYOUT_LEFT_ASYMMETRIC] = "left-asymmetric", [FR_LAYOUT_RIGHT_ASYMMETRIC] = "right-asymmetric",
	[FR_LAYOUT_LEFT_SYMMETRIC] = "left-symmetric", [FR_LAYOUT_RIGHT_SYMMETRIC] = "right-symmetric",
};

const char *fr_layout_name(enum fr_layout layout)
{
	return layout_names[layout];
}

enum fr_layout fr_layout_from_name(const char *name)
{
	for (unsigned i = FR_LAYOUT_NONE + 1; i < FR_COUNT(layout_names); i++) {
		if (strcmp(name, layout_names[i]) == 0)
			return (enum fr_layout)i;
	}
	return FR_LAYOUT_NONE;
}

const char *fr_member_state_name(enum fr_member_state state)
{
	static const char *const names[] = {
		[FR_MEMBER_OK] = "ok", [FR_MEMBER_MISSING] = "missing", [FR_MEMBER_FAILED] = "failed",
		[FR_MEMBER_STALE] = "stale", [FR_MEMBER_REBUILDING] = "rebuilding",
	};
	return names[state];
}

const char *fr_set_state_name(enum fr_set_state state)
{
	static const char *const names[] = {
		[FR_SET_OK] = "ok", [FR_SET_DIRTY] = "dirty", [FR_SET_INITIALIZING] = "initializing",
		[FR_SET_DEGRADED] = "degraded", [FR_SET_REBUILDING] = "rebuilding",
		[FR_SET_MIGRATING] = "migrating", [FR_SET_BROKEN] = "broken", [FR_SET_UNSUPPORTED] = "unsupported",
	};
	return names[state];
}

const char *fr_verdict_name(enum fr_verdict verdict)
{
	static const char *const names[] = {
		[FR_VERDICT_NONE] = "none", [FR_VERDICT_WEAK] = "weak", [FR_VERDICT_INVALID] = "invalid",
		[FR_VERDICT_FOREIGN] = "foreign", [FR_VERDICT_STALE] = "stale", [FR_VERDICT_VALID] = "valid",
	};
	return names[verdict];
}

static bool stands_for_itself(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c != '\0' && strchr("#+-.:=@_", c) != NULL);
}

size_t fr_name_escape(char *buf, size_t size, const void *bytes, size_t length)
{
	const unsigned char *from = bytes;
	size_t at = 0;
	bool fits = true;

	if (size != 0)
		buf[0] = '\0';
	for (size_t i = 0; i < length; i++) {
		bool plain = stands_for_itself(from[i]);
		size_t need = plain ? 1 : 4;

		fits = fits && at + need < size; /* no byte is left out in the middle */
		if (fits)
			snprintf(buf + at, size - at, plain ? "%c" : "\\x%02x", from[i]);
		at += need;
	}
	return at;
}
