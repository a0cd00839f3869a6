// SPDX-License-Identifier: GPL-2.0-or-later
/* Whose sets of a format are: mdadm's or ours, by the kernel's command line and by what is installed. */
#include "testing.h"

static const struct owner_row {
	const char *name, *format, *cmdline;
	bool without_mdadm;
	const char *word;        /* that would make it ours; NULL: it is */
} rows[] = {
	{ "isw, nothing said", "isw", "root=/dev/sda1 ro quiet", false, "noiswmd" },
	{ "ddf1, nothing said", "ddf1", "root=/dev/sda1 ro quiet", false, "noddfmd" },
	{ "an empty command line", "isw", "", false, "noiswmd" },
	{ "blanks only", "isw", " \n", false, "noiswmd" },
	{ "a format that mdadm does not know", "nvidia", "", false, NULL },
	{ "another", "sil", "quiet", false, NULL },
	{ "no such format", "", "", false, NULL },
	{ "no mdadm, isw", "isw", "quiet", true, NULL },
	{ "no mdadm, ddf1", "ddf1", "quiet", true, NULL },

	{ "noiswmd", "isw", "ro noiswmd quiet", false, NULL },
	{ "noiswmd first", "isw", "noiswmd quiet", false, NULL },
	{ "noiswmd last, and a line feed", "isw", "quiet noiswmd\n", false, NULL },
	{ "noiswmd with a value", "isw", "noiswmd=1", false, NULL },
	{ "noiswmd is of isw only", "ddf1", "noiswmd", false, "noddfmd" },
	{ "noddfmd", "ddf1", "noddfmd", false, NULL },
	{ "noddfmd is of ddf1 only", "isw", "noddfmd", false, "noiswmd" },
	{ "rd.md.imsm=0", "isw", "rd.md.imsm=0", false, NULL },
	{ "rd.md.imsm=0 is of isw only", "ddf1", "rd.md.imsm=0", false, "noddfmd" },
	{ "rd.md.ddf=0", "ddf1", "rd.md.ddf=0", false, NULL },
	{ "rd.md.ddf=0 is of ddf1 only", "isw", "rd.md.ddf=0", false, "noiswmd" },
	{ "rd.md=0, isw", "isw", "a rd.md=0 b", false, NULL },
	{ "rd.md=0, ddf1", "ddf1", "a rd.md=0 b", false, NULL },
	{ "rd.md=no", "isw", "rd.md=no", false, NULL },
	{ "rd.md.imsm=off", "isw", "rd.md.imsm=off", false, NULL },
	{ "an old spelling", "isw", "rd_NO_MDIMSM", false, NULL },
	{ "an old spelling of all", "ddf1", "rd_NO_MD", false, NULL },

	{ "rd.md=1", "isw", "rd.md=1", false, "noiswmd" },
	{ "rd.md without a value", "isw", "rd.md", false, "noiswmd" },
	{ "rd.md= empty", "isw", "rd.md=", false, "noiswmd" },
	{ "rd.md.imsm=1", "isw", "rd.md.imsm=1", false, "noiswmd" },
	{ "rd.md=00", "isw", "rd.md=00", false, "noiswmd" },
	{ "a longer word", "isw", "noiswmdx", false, "noiswmd" },
	{ "a shorter word", "isw", "noiswm", false, "noiswmd" },
	{ "in another word", "isw", "x.noiswmd rd.mdx=0 rd.md.imsm.x=0", false, "noiswmd" },
	{ "in a value", "isw", "init=noiswmd", false, "noiswmd" },
	{ "nodmraid makes nothing ours", "isw", "nodmraid", false, "noiswmd" },
};

static void whose(void **state)
{
	const struct owner_row *row = *state;
	const char *word = "something";

	assert_int_equal(fr_is_mdadms(row->format, row->cmdline, !row->without_mdadm, &word), row->word != NULL);
	if (row->word == NULL)
		assert_null(word);
	else
		assert_string_equal(word, row->word);
}

/* Whatever this machine is like: the formats that nobody else knows are ours. */
static void formats_of_this_machine(void **state)
{
	static const char *const ours[] = { "nvidia", "sil" };

	(void)state;
	for (size_t i = 0; i < FR_COUNT(ours); i++) {
		const char *word = "something";

		assert_null(fr_left_to(format_named(ours[i]), &word));
		assert_null(word);
	}
}

int main(void)
{
	struct test_list list = { 0 };

	ADD_ROWS(&list, rows, whose);
	ADD_TEST(&list, formats_of_this_machine);
	return run_list("owner", &list);
}
