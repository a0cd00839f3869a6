// SPDX-License-Identifier: GPL-2.0-or-later
/* registry.c - the one list of formats. Order is the order of listings and decides nothing. */
#include "format.h"

extern const struct fr_format fr_format_isw;
extern const struct fr_format fr_format_nvidia;
extern const struct fr_format fr_format_sil;
extern const struct fr_format fr_format_pdc;

const struct fr_format *const *fr_formats(void)
{
	static const struct fr_format *const formats[] = {
		&fr_format_isw,
		&fr_format_nvidia,
		&fr_format_sil,
		&fr_format_pdc,
		NULL,
	};
	return formats;
}
