// SPDX-License-Identifier: GPL-2.0-or-later
/* main.c - fakeraid, the command: finds the command word and hands over. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "commands.h"

const struct command *const *cli_commands(void)
{
	static const struct command *const commands[] = {
		&command_list, &command_show, &command_dump, &command_explain, &command_table, &command_cat,
		&command_verify, &command_activate, &command_deactivate, &command_status, &command_formats,
		&command_incremental, &command_compat_links,
		&command_help, NULL,
	};
	return commands;
}

const struct command *cli_find_command(struct cli *cli, const char *name)
{
	for (const struct command *const *c = cli_commands(); *c != NULL; c++) {
		if (strcmp((*c)->name, name) == 0)
			return *c;
	}
	cli_usage(cli, "no command is called '%s'", name);
	return NULL;
}

/* --help and --version are answers, too. */
static bool answered(const struct cli *cli)
{
	if (cli->options.help)
		options_help(cli->command);
	else if (cli->options.version)
		printf("fakeraid %s\n", fr_version());
	return cli->options.help || cli->options.version;
}

static void run_command(struct cli *cli, int argc, char **argv)
{
	int first = options_parse(cli, argc, argv);

	if (first < 0 || answered(cli))
		return;
	cli->context = fr_context_new(cli_log, cli);
	if (cli->context == NULL) {
		cli_no_memory(cli);
		return;
	}
	cli->command->run(cli, argc - first, argv + first);
	fr_context_free(cli->context);
}

/* With --help before it, the command is one to be told of. */
static void dispatch(struct cli *cli, int argc, char **argv)
{
	int word = options_parse(cli, argc, argv);
	const struct command *command;

	if (word < 0 || ((word >= argc || !cli->options.help) && answered(cli)))
		return;
	if (word >= argc) {
		cli_usage(cli, "a command is missing");
		return;
	}
	command = cli_find_command(cli, argv[word]);
	if (command == NULL)
		return;
	cli->command = command;
	if (!answered(cli))
		run_command(cli, argc - word, argv + word);
}

/* The write that failed may have been an earlier one, whose errno is gone: ask the pipe itself. */
static bool reader_is_gone(void)
{
	struct pollfd out = { .fd = STDOUT_FILENO };

	return errno == EPIPE || (poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0);
}

/* What was printed is done only when it has left; that nobody reads on is no error. */
static void finish_output(struct cli *cli)
{
	errno = 0;
	if ((fflush(stdout) != 0 || ferror(stdout) != 0) && !reader_is_gone()) {
		cli_error(cli, "standard output cannot be written: %s", errno == 0 ? "write error" : strerror(errno));
		cli_status(cli, STATUS_FAILED);
	}
}

/* All disks are open at once during a look, and that may be hundreds. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* A stream that was closed by the caller must not become a disk's descriptor. */
static void fill_closed_streams(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

int main(int argc, char **argv)
{
	struct cli cli = { 0 };

	signal(SIGXFSZ, SIG_IGN); /* a limit of file sizes is a write error like another */
	signal(SIGPIPE, SIG_IGN); /* a reader that stops early must not end us in the middle of an activation */
	fill_closed_streams();
	raise_file_limit();
	dispatch(&cli, argc, argv);
	finish_output(&cli);
	options_free(&cli.options);
	return (int)cli.status;
}
