/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.h - text that is safe to show, sizes as people say them, and columns. */
#ifndef FR_CLI_TEXT_H
#define FR_CLI_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Bytes of the UTF-8 sequence that text begins with, 0 if it begins with none (or is at its end). */
size_t text_utf8(const char *text);

/* Writes text with \xNN in place of control characters and of bytes that are not UTF-8. */
void text_put(FILE *out, const char *text);

/* "500.1 GB (465.8 GiB)" */
struct size_text {
	char text[48];
};
struct size_text text_size(uint64_t sectors);

/* Rows of cells that are printed with their columns aligned. */
struct columns {
	const char *alignment;  /* a letter a column: 'l' or 'r' */
	size_t count;           /* cells so far, row after row */
	size_t allocated;
	char **cells;
	bool failed;            /* no memory: nothing is printed */
};

/* heads: the first row, its words separated by blanks; "_" is an empty cell. */
void columns_start(struct columns *c, const char *alignment, const char *heads);
/* The next cell; NULL and "" are shown as "-". */
void columns_text(struct columns *c, const char *text);
void columns_add(struct columns *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
void columns_number(struct columns *c, uint64_t number);
/* An empty cell. */
void columns_blank(struct columns *c);
/* Prints the rows, each after `indent`, and frees them. */
void columns_end(struct columns *c, FILE *out, const char *indent);

#endif
