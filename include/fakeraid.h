/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fakeraid.h - BIOS RAID arrays, from disk sectors to usable data.
 *
 *     disks -> sectors -> claims -> sets -> plan -> kernel, user-space reads, text
 *
 * A scan looks at disks or images and says which sets there are; a plan says
 * how one set maps to its members; the sinks carry the plan out: fr_activate()
 * in the kernel, fr_reader_*() in user space, fr_plan_table() as text.
 *
 * Conventions. Sizes, offsets and lengths are in sectors of 512 bytes unless
 * named otherwise, whatever the disk's own sector size is. Functions return 0
 * or a negative errno and, where they take one, fill in a struct fr_error that
 * names the disk and the reason. All memory of a scan, plan or reader is freed
 * with it. Nothing here writes to a disk. There is no global state: two threads
 * may use two contexts at once; one context serves one thread at a time.
 *
 * What stays as it is for as long as the soname does: all functions; the values
 * of enumerations, to which others may be added; and the layout of each struct,
 * but for one case: where the library hands out a pointer to a single struct
 * (fr_scan, fr_disk, fr_set, fr_plan, fr_partitions, fr_kernel_status,
 * fr_format), fields may be added at its end, so never copy such a struct or
 * take its size. Structs that lie in an array by value (fr_look, fr_problem,
 * fr_member, fr_field, fr_part, fr_device, fr_target, fr_leg, fr_partition,
 * fr_kernel_target), and those that the caller makes (the options, fr_error,
 * fr_verify_result) cannot grow. Start with options that are all zero: that is
 * the default of each.
 */
#ifndef FAKERAID_H
#define FAKERAID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FR_SECTOR_SIZE 512u

/* ---- context and errors ---- */

struct fr_context;

enum fr_log_level { FR_LOG_ERROR, FR_LOG_WARNING, FR_LOG_INFO, FR_LOG_DEBUG };

/* Called with one line, without newline, that is valid during the call. */
typedef void fr_log_fn(void *data, enum fr_log_level level, const char *line);

/* A new context, or NULL without memory. Without a log function the library is silent. */
struct fr_context *fr_context_new(fr_log_fn *log, void *data);
void fr_context_free(struct fr_context *ctx);

/*
 * Must start all zero, `struct fr_error err = { 0 }`: the first reason of a failure wins, and one that stands there
 * already is taken for the first. text is one sentence without a full stop.
 */
struct fr_error {
	int code;               /* negative errno, 0: nothing set */
	char text[512];
};

const char *fr_version(void);

/* ---- disks, and what was found on them ---- */

enum fr_verdict {
	FR_VERDICT_NONE,        /* nothing of this format here */
	FR_VERDICT_WEAK,        /* a signature and nothing more */
	FR_VERDICT_INVALID,     /* damaged or impossible: the reason says how */
	FR_VERDICT_FOREIGN,     /* valid, but outvoted by other copies on the disk */
	FR_VERDICT_STALE,       /* valid, but of an older generation */
	FR_VERDICT_VALID,
};

/* One place where one format looked. `data` are the sectors as read, NULL if they could not be read. */
struct fr_look {
	const struct fr_format *format;
	uint64_t lba;
	uint32_t sectors;
	enum fr_verdict verdict;
	const char *reason;     /* why not valid, or a remark; NULL if there is nothing to say */
	const struct fr_set *set; /* the set that the block belongs to (the first one of several), or NULL */
	const uint8_t *data;
	const uint8_t *record;  /* the record whose first sectors these are, put together; NULL: it is `data` */
	size_t record_size;     /* bytes of it */
	bool claimed;           /* it speaks of an array itself, and is no mere copy */
};

struct fr_disk {
	const char *path;       /* as given, or the device node */
	uint64_t sectors;
	uint32_t sector_size;   /* bytes of a logical sector of the disk itself */
	const char *serial;     /* NULL: not known */
	bool read_only;
	bool is_image;          /* a regular file */
	dev_t devno;            /* of a block device, else 0 */
	size_t nlooks;
	struct fr_look *looks;
};

/* What is wrong and belongs to no set. */
struct fr_problem {
	const char *disk;       /* path */
	const struct fr_format *format; /* NULL: of no format */
	bool has_lba;
	uint64_t lba;
	const char *reason;
	bool unreadable;        /* the disk, or sectors of it, could not be read */
};

/* ---- sets ---- */

enum fr_level {
	FR_LEVEL_UNKNOWN, FR_LEVEL_LINEAR, FR_LEVEL_RAID0, FR_LEVEL_RAID1, FR_LEVEL_RAID4,
	FR_LEVEL_RAID5, FR_LEVEL_RAID10, FR_LEVEL_RAID01,
};

enum fr_layout { /* of parity levels, in md's numbering of names */
	FR_LAYOUT_NONE, FR_LAYOUT_LEFT_ASYMMETRIC, FR_LAYOUT_RIGHT_ASYMMETRIC,
	FR_LAYOUT_LEFT_SYMMETRIC, FR_LAYOUT_RIGHT_SYMMETRIC,
};

enum fr_member_state {
	FR_MEMBER_OK, FR_MEMBER_MISSING, FR_MEMBER_FAILED, FR_MEMBER_STALE, FR_MEMBER_REBUILDING,
};

enum fr_set_state {
	FR_SET_OK, FR_SET_DIRTY, FR_SET_INITIALIZING, FR_SET_DEGRADED, FR_SET_REBUILDING,
	FR_SET_MIGRATING, FR_SET_BROKEN, FR_SET_UNSUPPORTED,
};

/* How far a set may be used; each value allows all that the ones before it allow. */
enum fr_use {
	FR_USE_NEVER,           /* no plan can be made */
	FR_USE_ON_REQUEST,      /* read-only, and only if the caller asks for what is in doubt */
	FR_USE_READ_ONLY,       /* read-only */
	FR_USE_READ_ONLY_FIRST, /* read-only unless the caller allows writing to a degraded set */
	FR_USE_READ_WRITE,
};

struct fr_member {
	unsigned index;         /* slot, in the order in which a table names the members */
	const struct fr_disk *disk; /* NULL: missing */
	uint64_t offset;        /* where its data starts on the disk */
	uint64_t sectors;       /* of data; 0: not known */
	uint64_t room;          /* of its data area, which the format allows the set to touch */
	enum fr_member_state state;
	const char *serial;     /* from the disk or, for a missing member, from the metadata; or NULL */
	bool has_generation;
	uint32_t generation;
	uint32_t behind;        /* by how many generations its record is behind the array's */
	const char *reason;     /* why not ok, or NULL */
};

struct fr_set {
	const char *name;       /* usable in device-mapper; see fr_name_escape() */
	const struct fr_format *format;
	const char *id;         /* the identity in the metadata, as text */
	const char *volume;     /* the volume's own name, or NULL */
	enum fr_level level;
	enum fr_layout layout;
	uint32_t chunk;         /* 0: the level has none */
	uint64_t sectors;
	enum fr_set_state state;
	enum fr_use use;
	size_t nreasons;
	const char **reasons;   /* sentences: why the state is what it is */
	unsigned width;         /* slots */
	struct fr_member *members; /* `width` of them */
	size_t nspares;
	struct fr_member *spares;
	size_t nleft_out;
	struct fr_member *left_out; /* claim to belong here, and are not used; index UINT_MAX: none */
	bool parity_valid;      /* a member may be computed from the others */
	bool in_sync;           /* copies are equal; if not, only the first is to be read */
	uint64_t peer_sectors;  /* the size under dmraid, where installations may rely on it; 0: the same, or none */
	bool peer_read_only;    /* and it may only be read */
	uint32_t sector_size;   /* bytes of a sector of the disks it was made on: 512 or 4096 */
	const char *const *aliases; /* other names by which it is known, NULL-terminated; NULL: none */
	const char *holder;     /* the device that uses its members and is no set's: "md127", "dm-3 (name)"; or NULL */
};

/* ---- scan ---- */

struct fr_scan_options {
	const char *const *formats;  /* names, NULL-terminated; NULL: all */
	const char *const *disks;    /* paths, NULL-terminated; NULL: the machine's disks */
	const char *const *serials;  /* "DISK=SERIAL", NULL-terminated; or NULL */
	bool deep;                   /* look for records that lie elsewhere, too: of a disk whose size has changed */
	const char *const *without;  /* paths of disks to pass over, NULL-terminated; or NULL */
	const char *const *chosen;   /* sets that are meant where sets claim the same sectors, NULL-terminated; or NULL */
};

struct fr_scan {
	size_t ndisks;
	struct fr_disk **disks;
	size_t nsets;
	struct fr_set **sets;
	size_t nproblems;
	struct fr_problem *problems;
};

/*
 * Look at the disks. One that cannot be opened or read becomes a problem and
 * hides no other; only a usage error (an unknown format: -EINVAL), an error
 * of libudev, or no memory fails the call. Free with fr_scan_free().
 */
int fr_scan(struct fr_context *ctx, const struct fr_scan_options *options,
	    struct fr_scan **scan, struct fr_error *err);
void fr_scan_free(struct fr_scan *scan);

/*
 * The set that `name` means: its name or one of its aliases, as they are or escaped, an unambiguous prefix, or its
 * node /dev/mapper/NAME. NULL with err->code -ENOENT, or -EINVAL if several match.
 */
const struct fr_set *fr_scan_find(const struct fr_scan *scan, const char *name, struct fr_error *err);

/* ---- formats ---- */

enum fr_field_type { FR_FIELD_HEX, FR_FIELD_UNSIGNED, FR_FIELD_TEXT, FR_FIELD_BYTES, FR_FIELD_ATA_TEXT };

/* One field of an on-disk structure, as the vendor's documentation would list it. */
struct fr_field {
	const char *name;
	uint16_t offset;        /* bytes from the start of the block */
	uint16_t size;          /* bytes; numbers are little-endian of 1, 2, 4 or 8 */
	enum fr_field_type type;
};

/* A structure in a record, at its offset in the record's bytes. */
struct fr_part {
	char name[32];          /* "disk 1", "volume 0 map 1"; "" for the record's own fields */
	size_t offset;
	const struct fr_field *fields;
	size_t nfields;
};

struct fr_format {
	const char *name;
	const char *firmware;   /* who wrote it, for people */
	const char *levels;     /* that are activated, for people */
	const char *listed;     /* what is recognised and listed only; "" if nothing */
	const struct fr_field *fields;
	size_t nfields;
	const struct fr_format_ops *ops; /* private to the library */
};

/* The structures that the record at a place is made of, at most max; 0 if its data is not there. */
size_t fr_look_parts(const struct fr_look *look, struct fr_part *parts, size_t max);

/* All known formats; the array ends in NULL. */
const struct fr_format *const *fr_formats(void);

/*
 * Whose the sets of a format are on this machine unless somebody asks for one by name: NULL, ours; "mdadm", which is
 * installed and knows the format. *word is then what keeps it off on the kernel's command line ("noiswmd").
 * fr_activate() does not ask this: it is for those who activate whatever is there.
 */
const char *fr_left_to(const struct fr_format *format, const char **word);

/* ---- plan ---- */

enum fr_target_kind {
	FR_TARGET_LINEAR, FR_TARGET_STRIPED, FR_TARGET_RAID1, FR_TARGET_RAID10, FR_TARGET_RAID5,
	FR_TARGET_ZERO, FR_TARGET_ERROR,
};

/* Where a target's data lies: on a disk, or on a device that stands earlier in the plan. */
struct fr_leg {
	const struct fr_disk *disk; /* NULL: `device` counts */
	size_t device;
	uint64_t offset;
};

struct fr_target {
	uint64_t start;
	uint64_t length;
	enum fr_target_kind kind;
	enum fr_layout layout;  /* FR_TARGET_RAID5 */
	uint32_t chunk;         /* striped, raid10, raid5 */
	bool read_first;        /* raid1: read from the first leg only */
	size_t nlegs;
	struct fr_leg *legs;
};

enum fr_device_role {
	FR_DEVICE_SET,          /* the array itself: the last of the plan */
	FR_DEVICE_PARTITION,
	FR_DEVICE_PART,         /* a slice of a member, a column, a stand-in: hidden */
	FR_DEVICE_SHARED,       /* the one `zero` device of the host: hidden */
};

struct fr_device {
	const char *name;
	const char *uuid;
	enum fr_device_role role;
	bool read_only;
	uint64_t sectors;
	size_t ntargets;
	struct fr_target *targets;
};

/* Devices in the order to create them; a target's legs name disks or earlier devices only. */
struct fr_plan {
	const struct fr_set *set;
	bool read_only;
	size_t ndevices;
	struct fr_device *devices;
};

enum fr_degraded { FR_DEGRADED_READ_ONLY, FR_DEGRADED_READ_WRITE, FR_DEGRADED_NO };

struct fr_plan_options {
	enum fr_degraded degraded;
	bool read_only;
	bool on_request;        /* the user has asked for what is in doubt */
	enum fr_layout layout;  /* instead of the set's own; parity levels only */
	bool peer_size;         /* the size that dmraid gives the set: set->peer_sectors */
};

/*
 * The exact mapping of a set; a pure function of the set and the options (NULL: the
 * defaults). It keeps pointers to the set and its disks. -ENOTSUP: the set cannot be
 * mapped; -EPERM: only on request, or degraded and FR_DEGRADED_NO. Free with fr_plan_free().
 */
int fr_plan_new(const struct fr_set *set, const struct fr_plan_options *options,
		struct fr_plan **plan, struct fr_error *err);
void fr_plan_free(struct fr_plan *plan);

/*
 * Target `target` of device `device` as a table line for device-mapper, allocated with
 * malloc(). Disks appear by path;
 * earlier devices appear as /dev/mapper/NAME. NULL without memory.
 */
char *fr_plan_table(const struct fr_plan *plan, size_t device, size_t target);

/* ---- user-space reads ---- */

struct fr_reader;

/* Opens the plan's members for reading. Free with fr_reader_free(). */
int fr_reader_new(const struct fr_plan *plan, struct fr_reader **reader, struct fr_error *err);
void fr_reader_free(struct fr_reader *reader);

/*
 * Reads sectors [sector, sector + count) of the set into buf (count * 512 bytes). A member that
 * is missing or cannot be read is computed from the others where the level allows it. A buffer aligned to a page is
 * read into several times as fast as another.
 */
int fr_reader_read(struct fr_reader *reader, uint64_t sector, size_t count, void *buf, struct fr_error *err);

/* What a comparison found. Positions are sectors of the members' data. */
struct fr_verify_result {
	uint64_t compared;      /* sectors compared */
	uint64_t different;     /* of them, sectors that differ */
	size_t nfirst;          /* the first differences */
	struct { uint64_t sector; const struct fr_disk *a, *b; } first[16]; /* parity: a, b are NULL */
};

/* Progress of long work: done of total sectors; a return other than 0 ends the work with -EINTR. */
typedef int fr_progress_fn(void *data, uint64_t done, uint64_t total);

/*
 * Compares the copies of a mirror, or the parity of a parity set, as far as they are in the plan: make it with
 * FR_DEGRADED_READ_WRITE, for of copies that may differ a read-only plan has the first only.
 * -ENOTSUP: nothing to compare.
 */
int fr_verify(struct fr_reader *reader, struct fr_verify_result *result,
	      fr_progress_fn *progress, void *data, struct fr_error *err);

/* ---- partitions ---- */

struct fr_partition {
	unsigned number;
	uint64_t start;         /* in the set */
	uint64_t sectors;
	bool extended;          /* a DOS container: the kernel maps its first 2 sectors */
	bool outside;           /* reaches past the end of the set, and is not mapped */
};

struct fr_partitions {
	size_t count;
	struct fr_partition *list;
};

/* The partition table on a set, read through the reader. No table: count 0. Free with fr_partitions_free(). */
int fr_partitions_read(struct fr_reader *reader, struct fr_partitions **partitions, struct fr_error *err);
void fr_partitions_free(struct fr_partitions *partitions);

/*
 * What libblkid takes the set's beginning for: a partition table ("dos", "gpt") or a file system, allocated with
 * malloc(); *name is NULL if nothing is recognised. Tells a right layout from a wrong one.
 */
int fr_content_name(struct fr_reader *reader, char **name, struct fr_error *err);

/*
 * The device name of a partition, allocated with malloc(): the set's name, the separator
 * (NULL: "p" if the name ends in a digit, else none), the number.
 */
char *fr_partition_name(const char *set_name, unsigned number, const char *separator);

/* ---- kernel ---- */

struct fr_activate_options {
	bool no_partitions;
	const char *partition_separator; /* NULL: see fr_partition_name() */
};

enum fr_activation { FR_ACTIVATED, FR_WAS_ACTIVE };

/*
 * Makes the plan's devices and the partitions' in the kernel and reads their tables back.
 * What was made is removed again if a later step fails, and what could not be removed is named
 * in the error. A set that is active already with the same tables is left as it is.
 */
int fr_activate(struct fr_context *ctx, const struct fr_plan *plan,
		const struct fr_activate_options *options, enum fr_activation *done, struct fr_error *err);

/* Removes a set's devices, its partitions first. -EBUSY with the holders' names if it is in use; -ENOENT if not active. */
int fr_deactivate(struct fr_context *ctx, const char *set_name, struct fr_error *err);

/* Whether a set of this name is active; needs no privilege. */
bool fr_is_active(const char *set_name);

/* What the kernel says of one target of an active set. */
struct fr_kernel_target {
	uint64_t start, length;
	const char *type;       /* striped, raid, linear, ... */
	const char *level;      /* of a raid target, else NULL */
	const char *health;     /* a letter a member: A alive, a not in sync, D failed; NULL: the target has none */
	const char *action;     /* idle, resync, recover, check, ...; or NULL */
	bool has_progress;
	uint64_t done, total;
	uint64_t mismatches;
	const char *device;     /* the hidden device below the set that the target is of; NULL: of the set itself */
};

struct fr_kernel_status {
	const char *name;
	bool read_only;
	bool suspended;
	int open_count;
	unsigned event;
	dev_t devno;
	size_t ntargets;
	struct fr_kernel_target *targets;
};

/* Free with fr_status_free(). -ENOENT: no such active set. */
int fr_status(struct fr_context *ctx, const char *set_name, struct fr_kernel_status **status, struct fr_error *err);
void fr_status_free(struct fr_kernel_status *status);

/* Names of all active sets, NULL-terminated; free each and the array. */
int fr_active_sets(struct fr_context *ctx, char ***names, struct fr_error *err);

/* ---- boot: what is assembled without a person asking for it ---- */

/* What the kernel's command line and /etc/fakeraid.conf say. */
struct fr_policy {
	const char *off;        /* the word that says to do nothing, or NULL */
	bool automatic;         /* every set that may be used; else those that are wanted only */
	const char *const *wanted; /* sets by name, the beginning of a name, or FORMAT:IDENTITY; NULL-terminated */
	bool isw_is_ours, ddf_is_ours; /* and not mdadm's, though it is there */
	enum fr_degraded degraded; /* how a set comes up whose disks did not all come */
};

/* Of this machine. Free with fr_policy_free(). */
int fr_policy_new(struct fr_policy **policy, struct fr_error *err);
/* Of these texts. Names on the command line are for the initramfs only. */
int fr_policy_parse(const char *cmdline, const char *config, bool in_initramfs, struct fr_policy **policy,
		    struct fr_error *err);
void fr_policy_free(struct fr_policy *policy);
/* Whether a set may be assembled; if not, *why says why, as the end of "it is not assembled: ". */
bool fr_policy_allows(const struct fr_policy *policy, const struct fr_set *set, const char **why);

/* A disk that has come, among those that came before. */
struct fr_arrival {
	struct fr_scan *scan;   /* of all of them */
	const struct fr_disk *disk; /* in it; NULL: it carries no record, and there is no scan */
};

/*
 * Reads a disk, notes it below /run/fakeraid if it carries a record, and looks at it together with those that are noted.
 * For udev's rules. Free with fr_arrival_free().
 */
int fr_arrive(struct fr_context *ctx, const char *node, struct fr_arrival **arrival, struct fr_error *err);
void fr_arrival_free(struct fr_arrival *arrival);
/* Forgets a disk that is gone. */
void fr_depart(dev_t devno);

/* What is to be done with a set. From FR_READY_NEVER on its disks are its own: nothing else may use them. */
enum fr_readiness {
	FR_READY_DISABLED,      /* nothing: it is not to be assembled */
	FR_READY_FOREIGN,       /* nothing: another tool's */
	FR_READY_NEVER,         /* it cannot be assembled, whatever comes */
	FR_READY_WAITING,       /* for disks without which it cannot be used */
	FR_READY_DEGRADED,      /* for disks that it can do without */
	FR_READY_COMPLETE,
};
/* *why is NULL or says why not, as with fr_policy_allows(). */
enum fr_readiness fr_set_readiness(const struct fr_policy *policy, const struct fr_set *set, const char **why);
const char *fr_readiness_name(enum fr_readiness readiness);
/* Members whose disks are not here. */
unsigned fr_set_missing(const struct fr_set *set);
/* Whether a disk is a member of the set, its spare, or left out of it. */
bool fr_set_has_disk(const struct fr_set *set, const struct fr_disk *disk);
/* Whether the set is active without a disk that is a good member of it by now. */
bool fr_set_runs_without(const struct fr_set *set, const struct fr_disk *disk);

/* Takes the kernel's own partitions of a set's disk away, as far as they are not in use. */
int fr_hide_partitions(struct fr_context *ctx, const struct fr_disk *disk, struct fr_error *err);
/* Gives the disks of a set back that will not be assembled; false: they stay hidden, being copies of each other. */
bool fr_release(struct fr_context *ctx, const struct fr_set *set);

/*
 * Other names that links to a set's device or partition may have (its uuid is given), NULL-terminated; free each and
 * the array.
 */
int fr_compat_names(const char *uuid, char ***names, struct fr_error *err);

/* ---- names ---- */

/*
 * Bytes that device-mapper does not take as they are (all but A-Z a-z 0-9 and #+-.:=@_) become \xNN.
 * This is stable, unique and reversible. Returns the length that the text has or would have.
 */
size_t fr_name_escape(char *buf, size_t size, const void *bytes, size_t length);

/* ---- words for people and programs, as in the JSON schema ---- */

const char *fr_level_name(enum fr_level level);
const char *fr_layout_name(enum fr_layout layout); /* NULL for FR_LAYOUT_NONE */
enum fr_layout fr_layout_from_name(const char *name); /* FR_LAYOUT_NONE: no such */
const char *fr_member_state_name(enum fr_member_state state);
const char *fr_set_state_name(enum fr_set_state state);
const char *fr_verdict_name(enum fr_verdict verdict);

#ifdef __cplusplus
}
#endif

#endif
