// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>

#include "internal.h"

const char *fr_version(void)
{
	return FR_VERSION;
}

struct fr_context *fr_context_new(fr_log_fn *log, void *data)
{
	struct fr_context *ctx = calloc(1, sizeof(*ctx));

	if (ctx != NULL) {
		ctx->log = log;
		ctx->log_data = data;
	}
	return ctx;
}

void fr_context_free(struct fr_context *ctx)
{
	free(ctx);
}

void fr_log(struct fr_context *ctx, enum fr_log_level level, const char *format, ...)
{
	char line[1024];
	va_list args;

	if (ctx == NULL || ctx->log == NULL)
		return;
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	ctx->log(ctx->log_data, level, line);
}

int fr_fail(struct fr_error *err, int code, const char *format, ...)
{
	va_list args;

	if (err == NULL || err->code != 0)
		return code;
	err->code = code;
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	return code;
}
