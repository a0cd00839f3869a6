/* SPDX-License-Identifier: GPL-2.0-or-later */
/* commands.h - the commands: each is in the file of its name. */
#ifndef FR_CLI_COMMANDS_H
#define FR_CLI_COMMANDS_H

#include "cli.h"

extern const struct command command_list, command_show, command_dump, command_explain, command_table, command_cat,
	command_verify, command_activate, command_deactivate, command_status, command_formats,
	command_incremental, command_compat_links, command_help;

#endif
