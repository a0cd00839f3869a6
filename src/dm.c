// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dm.c - device-mapper as functions over values. The only file that speaks to
 * libdevmapper, whose habits shape it:
 *
 * - its one call that creates, loads and resumes loses the errno, so that the
 *   three are separate here;
 * - a node does not exist before udev, or the library itself, has made it when
 *   fr_dm_settle() returns; what is built on a device before names it by number;
 * - its log function, its lists and its descriptor are one for the process.
 */
#define _GNU_SOURCE
#include "dm.h"

#include <dirent.h>
#include <fcntl.h>
#include <libdevmapper.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

enum {
	UDEV_LIMIT_MS = 30000,   /* for udev to handle one event; then it is taken for dead */
	UDEV_LOOK_MS = 10,       /* between two looks whether it has */
	HIDDEN_FLAGS = DM_UDEV_DISABLE_SUBSYSTEM_RULES_FLAG | DM_UDEV_DISABLE_DISK_RULES_FLAG |
		       DM_UDEV_DISABLE_OTHER_RULES_FLAG,
};

/* ---- one use of libdevmapper ---- */

struct session {
	struct fr_context *ctx;
	struct fr_error *err;
	dm_string_mangling_t mangling; /* as the process had it */
};

/*
 * libdevmapper hands its messages to one function of the whole process, which is not told whose they are. This is
 * how that function knows: the session of the thread that is inside libdevmapper, NULL outside.
 */
static _Thread_local struct session *current;

/* Held during a session: libdevmapper must not be entered by two threads at once. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* What it calls an error is often expected here, and says less than our own sentences: all of it is for debugging. */
static void take_message(int level, const char *file, int line, int code, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

static void take_message(int level, const char *file, int line, int code, const char *format, ...)
{
	char text[512];
	va_list args;

	(void)level;
	(void)file;
	(void)line;
	(void)code;
	if (current == NULL)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fr_log(current->ctx, FR_LOG_DEBUG, "libdevmapper: %s", text);
}

static void enter(struct session *s, struct fr_context *ctx, struct fr_error *err)
{
	*s = (struct session){ .ctx = ctx, .err = err };
	pthread_mutex_lock(&one_at_a_time);
	current = s;
	dm_log_with_errno_init(take_message);
	/* Names are escaped already, when a set is made. */
	s->mangling = dm_get_name_mangling_mode();
	dm_set_name_mangling_mode(DM_STRING_MANGLING_NONE);
}

static void leave(struct session *s)
{
	dm_set_name_mangling_mode(s->mangling);
	dm_log_with_errno_init(NULL);
	current = NULL;
	pthread_mutex_unlock(&one_at_a_time);
}

/* ---- tasks ---- */

static bool kernel_has_device_mapper(void)
{
	FILE *file = fopen("/proc/misc", "re");
	char line[128];
	bool found = false;

	while (file != NULL && !found && fgets(line, sizeof(line), file) != NULL)
		found = strstr(line, " device-mapper\n") != NULL;
	if (file != NULL)
		fclose(file);
	return found;
}

/* The kernel was not reached, or does not listen to us; `otherwise`: what it must be if the way there is open. */
static int not_reached(struct session *s, int otherwise)
{
	int fd = open("/dev/mapper/control", O_RDWR | O_CLOEXEC);
	int code = fd < 0 ? errno : otherwise;

	if (fd >= 0)
		close(fd);
	if (geteuid() != 0 || code == EACCES || code == EPERM)
		return fr_fail(s->err, -EACCES, "device-mapper is for root only");
	if (!kernel_has_device_mapper())
		return fr_fail(s->err, -ENODEV,
			       "the kernel has no device-mapper: load or install the module dm-mod");
	if (code == ENOMEM)
		return fr_fail(s->err, -ENOMEM, "out of memory");
	return fr_fail(s->err, -code, "the kernel's device-mapper cannot be reached through /dev/mapper/control: %s",
		       strerror(code));
}

/* libdevmapper looks for the kernel's version first, so that this can fail for want of a kernel, too. */
static int new_task(struct session *s, int type, struct dm_task **task)
{
	*task = dm_task_create(type);
	return *task == NULL ? not_reached(s, ENOMEM) : 0;
}

/* Errors that the caller is to tell have left no text in err. */
static int run(struct session *s, struct dm_task *t)
{
	int code;

	if (dm_task_run(t))
		return 0;
	code = dm_task_get_errno(t);
	return code == 0 ? not_reached(s, EIO) : -code;
}

/* The same, where EACCES can only mean that we may not. */
static int run_or_refused(struct session *s, struct dm_task *t)
{
	int rc = run(s, t);

	return rc == -EACCES || rc == -EPERM ? not_reached(s, EACCES) : rc;
}

/* ---- udev ---- */

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/*
 * Waits until udev has handled the events of the changes. One that died, or has no rule that answers, must not hang us
 * for ever: it is waited for once.
 */
static void wait_for_udev(struct fr_context *ctx, struct fr_dm_changes *changes)
{
	uint64_t end = now_ms() + (changes->udev_is_dead ? 0 : UDEV_LIMIT_MS);
	int ready = 0, usable;

	do {
		usable = dm_udev_wait_immediate(changes->cookie, &ready);
		if (!usable || ready)
			return;
		fr_pause(UDEV_LOOK_MS);
	} while (now_ms() < end);
	if (!changes->udev_is_dead)
		fr_log(ctx, FR_LOG_WARNING, "udev has not answered within %d seconds; going on without it",
		       UDEV_LIMIT_MS / 1000);
	changes->udev_is_dead = true;
	while (!ready) {
		if (!dm_udev_complete(changes->cookie) || !dm_udev_wait_immediate(changes->cookie, &ready))
			return;
	}
}

void fr_dm_settle(struct fr_context *ctx, struct fr_dm_changes *changes)
{
	struct session s;

	enter(&s, ctx, NULL);
	if (changes->cookie != 0) /* 0: nothing was changed, or there is no udevd */
		wait_for_udev(ctx, changes);
	changes->cookie = 0;
	dm_task_update_nodes(); /* what udev did not do, the library does */
	dm_lib_release();
	leave(&s);
}

/* A task of which the kernel tells udev. */
static int run_with_udev(struct session *s, int type, const char *name, bool hidden, struct fr_dm_changes *changes)
{
	struct dm_task *t;
	int rc = new_task(s, type, &t);

	if (rc != 0)
		return rc;
	if (!dm_task_set_name(t, name) || !dm_task_set_cookie(t, &changes->cookie, hidden ? HIDDEN_FLAGS : 0))
		rc = fr_fail(s->err, -ENOMEM, "%s: libdevmapper cannot prepare the change", name);
	else
		rc = run(s, t);
	dm_task_destroy(t);
	return rc;
}

/* ---- create and remove ---- */

/* Whether the kernel has a target, which it loads by itself where it can: so ask after a load has failed. */
static bool has_target(struct session *s, const char *type)
{
	struct dm_task *t;
	/* Where it cannot be told it is not the reason to give. */
	bool found = new_task(s, DM_DEVICE_LIST_VERSIONS, &t) != 0 || run(s, t) != 0;

	for (struct dm_versions *v = found ? NULL : dm_task_get_versions(t); v != NULL && !found;
	     v = (struct dm_versions *)((char *)v + v->next)) {
		found = strcmp(v->name, type) == 0;
		if (v->next == 0)
			break;
	}
	if (t != NULL)
		dm_task_destroy(t);
	return found;
}

static const char *module_of(const char *target)
{
	return strcmp(target, "raid") == 0 ? "dm-raid" : strcmp(target, "zero") == 0 ? "dm-zero" : "dm-mod";
}

static int not_loaded(struct session *s, const struct fr_dm_device *d, int code)
{
	for (size_t i = 0; i < d->table.count; i++) {
		const char *type = d->table.targets[i].type;

		if (!has_target(s, type))
			return fr_fail(s->err, -ENOTSUP, "%s: the kernel has no %s target: load or install the module "
				       "%s", d->name, type, module_of(type));
	}
	switch (-code) {
	case EBUSY:
		return fr_fail(s->err, code, "%s: a disk of its table is in use by something else", d->name);
	case ENODEV:
	case ENXIO:
		return fr_fail(s->err, code, "%s: a disk of its table is not there any more", d->name);
	case EACCES:
	case EROFS:
		return fr_fail(s->err, code, "%s: a disk of its table is write-protected: activate read-only", d->name);
	default:
		return fr_fail(s->err, code, "%s: the kernel refuses its table (%s): %s; its reason is in the kernel "
			       "log (dmesg)", d->name, d->table.count == 0 ? "empty" : d->table.targets[0].type,
			       strerror(-code));
	}
}

static int create_empty(struct session *s, const struct fr_dm_device *d, dev_t *devno)
{
	struct dm_task *t;
	struct dm_info info;
	int rc = new_task(s, DM_DEVICE_CREATE, &t);

	if (rc != 0)
		return rc;
	if (strlen(d->name) >= FR_DM_NAME_SIZE || strlen(d->uuid) >= FR_DM_UUID_SIZE || !dm_task_set_name(t, d->name) ||
	    !dm_task_set_uuid(t, d->uuid)) {
		dm_task_destroy(t);
		return fr_fail(s->err, -ENAMETOOLONG, "%s: device-mapper takes no such name", d->name);
	}
	rc = run_or_refused(s, t);
	if (rc == -EBUSY)
		rc = fr_fail(s->err, -EEXIST, "%s: a device of this name or uuid exists already", d->name);
	else if (rc != 0)
		rc = fr_fail(s->err, rc, "%s: the kernel does not create it: %s", d->name, strerror(-rc));
	else if (dm_task_get_info(t, &info))
		*devno = makedev(info.major, info.minor);
	dm_task_destroy(t);
	return rc;
}

static int load_once(struct session *s, const struct fr_dm_device *d)
{
	struct dm_task *t;
	int rc = new_task(s, DM_DEVICE_RELOAD, &t);
	bool ready;

	if (rc != 0)
		return rc;
	ready = dm_task_set_name(t, d->name) && (!d->read_only || dm_task_set_ro(t));
	for (size_t i = 0; ready && i < d->table.count; i++) {
		const struct fr_dm_target *target = &d->table.targets[i];

		ready = dm_task_add_target(t, target->start, target->length, target->type, target->params);
	}
	rc = ready ? run(s, t) : -ENOMEM;
	dm_task_destroy(t);
	return rc;
}

static int load(struct session *s, const struct fr_dm_device *d)
{
	for (int waited = 0;; waited += FR_DM_RETRY_MS) {
		int rc = load_once(s, d);

		if (rc != -EBUSY || waited >= FR_DM_CLAIM_MS)
			return rc == 0 ? 0 : not_loaded(s, d, rc);
		fr_pause(FR_DM_RETRY_MS);
	}
}

static int resume(struct session *s, const struct fr_dm_device *d, struct fr_dm_changes *changes)
{
	int rc = run_with_udev(s, DM_DEVICE_RESUME, d->name, d->hidden, changes);

	return rc == 0 ? 0 : fr_fail(s->err, rc, "%s: the kernel does not start it: %s; its reason is in the kernel "
				     "log (dmesg)", d->name, strerror(-rc));
}

/* Others look into what is new, too: busy may be over in a moment. */
static int remove_device(struct session *s, const char *name, bool hidden, struct fr_dm_changes *changes)
{
	int rc;

	for (int waited = 0;; waited += FR_DM_RETRY_MS) {
		rc = run_with_udev(s, DM_DEVICE_REMOVE, name, hidden, changes);
		if (rc != -EBUSY || waited >= FR_DM_PATIENCE_MS)
			return rc == -ENXIO ? 0 : rc;
		fr_pause(FR_DM_RETRY_MS);
	}
}

int fr_dm_create(struct fr_context *ctx, const struct fr_dm_device *device, struct fr_dm_changes *changes,
		 dev_t *devno, struct fr_error *err)
{
	struct session s;
	int rc;

	enter(&s, ctx, err);
	rc = create_empty(&s, device, devno);
	if (rc == 0) {
		rc = load(&s, device);
		if (rc == 0)
			rc = resume(&s, device, changes);
		if (rc != 0 && remove_device(&s, device->name, device->hidden, changes) != 0)
			fr_log(ctx, FR_LOG_WARNING, "%s cannot be removed again", device->name);
	}
	leave(&s);
	return rc;
}

int fr_dm_remove(struct fr_context *ctx, const char *name, bool hidden, struct fr_dm_changes *changes,
		 struct fr_error *err)
{
	struct session s;
	int rc;

	enter(&s, ctx, err);
	rc = remove_device(&s, name, hidden, changes);
	leave(&s);
	return rc == 0 ? 0 : fr_fail(err, rc, "%s cannot be removed: %s", name,
				     rc == -EBUSY ? "it is in use" : strerror(-rc));
}

/* ---- what there is ---- */

static int run_on_uuid(struct session *s, struct dm_task *t, const char *uuid)
{
	int rc;

	if (!dm_task_set_uuid(t, uuid) || !dm_task_no_flush(t))
		return fr_fail(s->err, -ENAMETOOLONG, "%s: device-mapper takes no such uuid", uuid);
	rc = run_or_refused(s, t);
	return rc == 0 ? 0 : fr_fail(s->err, rc, "%s: the kernel does not tell of it: %s", uuid, strerror(-rc));
}

static void copy_info(struct dm_task *t, const struct dm_info *from, struct fr_dm_info *to)
{
	const char *name = dm_task_get_name(t);

	to->exists = true;
	to->devno = makedev(from->major, from->minor);
	to->has_table = from->live_table != 0;
	to->read_only = from->read_only != 0;
	to->suspended = from->suspended != 0;
	to->open_count = from->open_count;
	to->event = from->event_nr;
	snprintf(to->name, sizeof(to->name), "%s", name == NULL ? "" : name);
}

int fr_dm_info(struct fr_context *ctx, const char *uuid, struct fr_dm_info *info, struct fr_error *err)
{
	struct dm_task *t;
	struct dm_info found;
	struct session s;
	int rc;

	*info = (struct fr_dm_info){ 0 };
	enter(&s, ctx, err);
	rc = new_task(&s, DM_DEVICE_INFO, &t);
	if (rc == 0) {
		rc = run_on_uuid(&s, t, uuid);
		if (rc == 0 && dm_task_get_info(t, &found) && found.exists)
			copy_info(t, &found, info);
		dm_task_destroy(t);
	}
	leave(&s);
	return rc;
}

static int copy_targets(struct session *s, struct dm_task *t, struct fr_pool *pool, struct fr_dm_table *table)
{
	size_t allocated = 0;
	void *next = NULL;

	do {
		uint64_t start = 0, length = 0;
		char *type = NULL, *params = NULL;
		struct fr_dm_target *grown;

		next = dm_get_next_target(t, next, &start, &length, &type, &params);
		if (type == NULL)
			continue;
		grown = fr_pool_grow(pool, table->targets, table->count, &allocated, sizeof(*grown));
		if (grown == NULL)
			return fr_fail(s->err, -ENOMEM, "out of memory");
		table->targets = grown;
		table->targets[table->count++] = (struct fr_dm_target){
			.start = start, .length = length, .type = fr_pool_text(pool, "%s", type),
			.params = fr_pool_text(pool, "%s", params == NULL ? "" : params),
		};
	} while (next != NULL);
	return pool->failed ? fr_fail(s->err, -ENOMEM, "out of memory") : 0;
}

static int read_targets(struct fr_context *ctx, int type, struct fr_pool *pool, const char *uuid,
			struct fr_dm_table *table, struct fr_error *err)
{
	struct dm_info found;
	struct dm_task *t;
	struct session s;
	int rc;

	*table = (struct fr_dm_table){ 0 };
	enter(&s, ctx, err);
	rc = new_task(&s, type, &t);
	if (rc == 0) {
		rc = run_on_uuid(&s, t, uuid);
		if (rc == 0 && (!dm_task_get_info(t, &found) || !found.exists))
			rc = fr_fail(err, -ENOENT, "%s: there is no such device", uuid);
		if (rc == 0)
			rc = copy_targets(&s, t, pool, table);
		dm_task_destroy(t);
	}
	leave(&s);
	return rc;
}

int fr_dm_table(struct fr_context *ctx, struct fr_pool *pool, const char *uuid, struct fr_dm_table *table,
		struct fr_error *err)
{
	return read_targets(ctx, DM_DEVICE_TABLE, pool, uuid, table, err);
}

int fr_dm_status(struct fr_context *ctx, struct fr_pool *pool, const char *uuid, struct fr_dm_table *table,
		 struct fr_error *err)
{
	return read_targets(ctx, DM_DEVICE_STATUS, pool, uuid, table, err);
}

/* ---- tables as text ---- */

size_t fr_dm_words(struct fr_pool *pool, const char *text, const char **words, size_t max)
{
	char *copy = (char *)fr_pool_text(pool, "%s", text), *saved = NULL;
	size_t count = 0;

	if (pool->failed)
		return 0;
	for (char *word = strtok_r(copy, " ", &saved); word != NULL && count < max; word = strtok_r(NULL, " ", &saved))
		words[count++] = word;
	return count;
}

static int compare_words(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char *join(struct fr_pool *pool, const char *text, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		text = fr_pool_text(pool, "%s%s%s", text, text[0] == '\0' ? "" : " ", words[i]);
	return text;
}

static bool is_flag(const char *option)
{
	return strcmp(option, "sync") == 0 || strcmp(option, "nosync") == 0;
}

/* Kernels differ in whether they show these; a table with any other value than the default has it for a reason. */
static bool is_default(const char *option)
{
	return strcmp(option, "raid10_copies 2") == 0 || strcmp(option, "raid10_format near") == 0 ||
	       strncmp(option, "region_size ", 12) == 0;
}

/*
 * The parameters of a target in one form. A raid target's are "LEVEL COUNT CHUNK OPTION... MEMBERS PAIR...", where
 * COUNT is of the chunk and the options: the options are put in order, and the defaults taken out.
 */
static const char *canonical(struct fr_pool *pool, const struct fr_dm_target *t)
{
	const char *words[FR_DM_MAX_WORDS], *options[FR_DM_MAX_WORDS], *text;
	size_t count = fr_dm_words(pool, t->params, words, FR_DM_MAX_WORDS), noptions = 0, members;

	if (strcmp(t->type, "raid") != 0 || count < 3)
		return join(pool, "", words, count);
	members = 2 + strtoul(words[1], NULL, 10);
	if (members > count)
		return join(pool, "", words, count);
	for (size_t i = 3; i < members; i++) {
		const char *option = words[i];

		if (!is_flag(option) && i + 1 < members)
			option = fr_pool_text(pool, "%s %s", option, words[++i]);
		if (!is_default(option))
			options[noptions++] = option;
	}
	qsort(options, noptions, sizeof(*options), compare_words);
	text = fr_pool_text(pool, "%s %s", words[0], words[2]);
	text = join(pool, text, options, noptions);
	return join(pool, text, words + members, count - members);
}

bool fr_dm_same_table(struct fr_pool *pool, const struct fr_dm_table *a, const struct fr_dm_table *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		const struct fr_dm_target *x = &a->targets[i], *y = &b->targets[i];

		if (x->start != y->start || x->length != y->length || strcmp(x->type, y->type) != 0 ||
		    strcmp(canonical(pool, x), canonical(pool, y)) != 0)
			return false;
	}
	return true;
}

/* ---- all devices ---- */

/* One entry of /sys/block; false if it is no device of device-mapper, or went away meanwhile. */
static bool read_node(const char *kernel_name, struct fr_dm_node *node)
{
	char devno[32];

	*node = (struct fr_dm_node){ 0 };
	if (strncmp(kernel_name, "dm-", 3) != 0 || strlen(kernel_name) >= sizeof(node->kernel_name))
		return false;
	memcpy(node->kernel_name, kernel_name, strlen(kernel_name));
	if (fr_sysfs_read(node->name, sizeof(node->name), "/sys/block/%s/dm/name", kernel_name) != 0 ||
	    fr_sysfs_read(node->uuid, sizeof(node->uuid), "/sys/block/%s/dm/uuid", kernel_name) != 0 ||
	    fr_sysfs_read(devno, sizeof(devno), "/sys/block/%s/dev", kernel_name) != 0)
		return false;
	node->devno = fr_sysfs_devno(devno);
	return true;
}

int fr_dm_list(struct fr_pool *pool, struct fr_dm_node **nodes, size_t *count, struct fr_error *err)
{
	DIR *dir = opendir("/sys/block");
	struct dirent *entry;
	size_t allocated = 0;

	*nodes = NULL;
	*count = 0;
	if (dir == NULL)
		return fr_fail(err, -errno, "/sys/block cannot be read: %s; is sysfs mounted?", strerror(errno));
	while ((entry = readdir(dir)) != NULL) {
		struct fr_dm_node node, *grown;

		if (!read_node(entry->d_name, &node))
			continue;
		grown = fr_pool_grow(pool, *nodes, *count, &allocated, sizeof(*grown));
		if (grown == NULL)
			break;
		*nodes = grown;
		grown[(*count)++] = node;
	}
	closedir(dir);
	return pool->failed ? fr_fail(err, -ENOMEM, "out of memory") : 0;
}
