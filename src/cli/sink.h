/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sink.h - where `cat` writes to: standard output, a file with holes, a device. */
#ifndef FR_CLI_SINK_H
#define FR_CLI_SINK_H

#include "cli.h"

struct sink {
	int fd;                 /* -1: not open */
	const char *name;
	bool is_stdout;
	bool sparse;            /* a regular file of ours: zeros become holes */
	uint64_t written;       /* bytes, holes included */
	bool reader_gone;       /* of a pipe: nobody wants more */
};

/*
 * Opens what --output says, or takes standard output. Never a disk of the scan. False if that is refused or fails,
 * which is reported. To be closed in any case.
 */
bool sink_open(struct cli *cli, const struct fr_scan *scan, struct sink *sink);
/* Appends. False if it failed, which is reported unless it is that the reader has gone. */
bool sink_write(struct cli *cli, struct sink *sink, const uint8_t *data, size_t size);
/* Gives the file its size, and waits for what was written to be there. */
void sink_close(struct cli *cli, struct sink *sink);

#endif
