// SPDX-License-Identifier: GPL-2.0-or-later
/* messages.c - what goes to stderr, and the exit status. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "cli.h"
#include "text.h"

/* Names from disks may be in a message: it stays one line, and the terminal sees no control character. */
static void say(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

static void say(const char *format, va_list args)
{
	char line[2048];

	vsnprintf(line, sizeof(line), format, args);
	fflush(stdout); /* so that the lines stand in their order where both go to one place */
	fputs("fakeraid: ", stderr);
	text_put(stderr, line);
	fputc('\n', stderr);
}

void cli_warn(const struct cli *cli, const char *format, ...)
{
	va_list args;

	if (cli->options.quiet)
		return;
	va_start(args, format);
	say(format, args);
	va_end(args);
}

void cli_error(const struct cli *cli, const char *format, ...)
{
	va_list args;

	(void)cli; /* an error is said whatever the options are */
	va_start(args, format);
	say(format, args);
	va_end(args);
}

void cli_debug(const struct cli *cli, const char *format, ...)
{
	va_list args;

	if (cli->options.verbose < 2)
		return;
	va_start(args, format);
	say(format, args);
	va_end(args);
}

void cli_status(struct cli *cli, enum cli_status status)
{
	if (status > cli->status)
		cli->status = status;
}

void cli_usage(struct cli *cli, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
	if (cli->command == NULL)
		cli_error(cli, "try 'fakeraid --help'");
	else
		cli_error(cli, "try 'fakeraid %s --help'", cli->command->name);
	cli_status(cli, STATUS_USAGE);
}

bool cli_one_form(struct cli *cli)
{
	if (cli->options.json && (cli->options.summary || cli->options.concise)) {
		cli_usage(cli, "%s: --%s and --json are two forms of one thing", cli->command->name,
			  cli->options.summary ? "summary" : "concise");
		return false;
	}
	return true;
}

void cli_no_memory(struct cli *cli)
{
	cli_error(cli, "out of memory");
	cli_status(cli, STATUS_FAILED);
}

void cli_failed(struct cli *cli, const struct fr_error *err, enum cli_status otherwise)
{
	cli_error(cli, "%s", err->text[0] == '\0' ? "out of memory" : err->text);
	if (err->code == -EIO)
		cli_status(cli, STATUS_UNREADABLE);
	else if (err->code == -ENOMEM)
		cli_status(cli, STATUS_FAILED);
	else
		cli_status(cli, otherwise);
}

void cli_log(void *data, enum fr_log_level level, const char *line)
{
	const struct cli *cli = data;

	if (level == FR_LOG_ERROR)
		cli_error(cli, "%s", line);
	else if (level == FR_LOG_WARNING)
		cli_warn(cli, "%s", line);
	else if (cli->options.verbose >= (level == FR_LOG_INFO ? 1u : 2u))
		cli_error(cli, "%s", line);
}
