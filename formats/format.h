/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * format.h - what a metadata format must say of itself.
 *
 * A format sees one disk at a time, through a view of the sectors it wished
 * for, and answers with claims: "this disk says it is member i of n of array
 * K". It opens nothing, allocates nothing, prints nothing and knows no other
 * format. Every byte it sees is hostile: read through the accessors of bytes.h
 * inside the windows given, and check each value before it goes into a claim.
 */
#ifndef FR_FORMAT_H
#define FR_FORMAT_H

#include "bytes.h"
#include "fakeraid.h"

enum {
	FR_MAX_WISHES = 32,             /* windows of one format on one disk and round */
	FR_MAX_WISH_SECTORS = 2048,     /* sectors of one window */
	FR_MAX_ID = 32,                 /* bytes of an array's identity */
	FR_MAX_KEY = 16,                /* bytes that tell a disk from the others of its array */
	FR_MAX_ENTRIES = 255,           /* disks that one record names */
	FR_MAX_WIDTH = 64,              /* slots of a set */
	FR_MAX_SHARES = 3,              /* rules for what a member gives to a span */
	FR_MAX_REMARKS = 4,
};

struct fr_wish {
	uint64_t lba;
	uint32_t sectors;
};

/* One disk, as a format sees it. Windows are added by the core and read by fr_view_at(). */
struct fr_view {
	uint64_t sectors;
	uint32_t sector_size;           /* of an image: 512, which need not be the disk's */
	bool is_image;
	const char *serial;
	size_t nwindows;
	const struct fr_window *windows;
};

/* Sectors [lba, lba + sectors) if one window holds them all and could be read, else NULL. */
const uint8_t *fr_view_at(const struct fr_view *view, uint64_t lba, uint32_t sectors);

enum fr_role {
	FR_ROLE_MEMBER,
	FR_ROLE_SPARE,          /* of this set, or of no set where the id is empty */
	FR_ROLE_ANY_SPARE,      /* of whichever array of the format needs one; the id is empty */
};

/* What the metadata says is going on in the array. */
enum fr_activity {
	FR_ACTIVITY_NONE,
	FR_ACTIVITY_DIRTY,      /* not cleanly closed: copies may differ, each is a good one */
	FR_ACTIVITY_INITIALIZING, /* copies or parity are made, from the first copy on */
	FR_ACTIVITY_SYNCING,    /* the same, of an array that was in use */
	FR_ACTIVITY_REBUILDING, /* the member that is rebuilt says so in its state */
	FR_ACTIVITY_MIGRATING,  /* two layouts in one array */
	FR_ACTIVITY_UNKNOWN,    /* a code that nobody knows */
};

/* ---- records that name all the disks of an array ---- */

/* A disk, as such a record names it. */
struct fr_entry {
	uint8_t key[FR_MAX_KEY]; /* what tells it from the others: a serial number, an id */
	const char *serial;      /* the same for people; NULL: the key is none */
	bool gone;               /* failed or lost: no disk that is here may be taken for it */
	bool spare;
};

/* A slot of the array: which of the entries it belongs to, and how that member is. */
struct fr_seat {
	unsigned entry;
	enum fr_member_state state; /* not FR_MEMBER_MISSING: whether it is here is not the record's to say */
	const char *reason;      /* why it is not ok, or NULL */
	const char *suspect;     /* why another copy is to be preferred, or NULL */
};

struct fr_roster {
	unsigned nentries;
	struct fr_entry *entries;
	/*
	 * The key is a property of the disk that a bridge, a clone or an image may lack: disks that fit no entry
	 * take those that are left, in the order in which the disks were given. Else a disk that fits none is foreign.
	 */
	bool by_order;
	/*
	 * The newest record alone says who is a good member, and a record that is behind proves nothing: the disks
	 * are written one after the other. Else a disk that is behind is stale.
	 */
	bool newest_decides;
};

/*
 * One disk's claim to a place in one array. A format fills it in as far as it
 * got; the strings are made by fr_text() and live as long as the scan.
 */
struct fr_claim {
	/* who says it: set by the core */
	const struct fr_format *format;
	struct fr_disk *disk;
	uint64_t lba;            /* of the block */
	uint32_t sectors;

	/*
	 * How far it may be believed: sentences, NULL if there is no such thing to say.
	 * The first of each kind is the one that counts.
	 */
	const char *fault;       /* the block is damaged or impossible: only the id is used, to say where it would belong */
	const char *unsupported; /* the array is listed and never mapped */
	const char *broken;      /* the same, and by the record's own word */
	const char *doubt;       /* the array is mapped read-only and only on request */
	const char *caution;     /* the array is mapped read-only */
	size_t nremarks;         /* worth saying, and no reason for anything: fr_remark() */
	struct fr_remark {
		uint64_t lba;
		const char *text;
	} remarks[FR_MAX_REMARKS];

	/* which array */
	uint8_t id[FR_MAX_ID];
	size_t id_length;        /* 0: of no array */
	const char *id_text;
	const char *name;        /* byte for byte what dmraid gives */
	const char *name_suffix; /* tells two arrays apart whose names fall together */
	const char *volume;      /* the array's own name, where several arrays share an identity; or NULL */
	uint64_t part;           /* tells such arrays apart whose names are equal, too */
	const char *const *aliases; /* other names it is known by, NULL-terminated; NULL: none */

	/* the disk's place in it: by index, or by the roster of the record that counts */
	enum fr_role role;
	unsigned index;          /* without a roster */
	const struct fr_roster *roster; /* NULL: each disk speaks for itself alone */
	const struct fr_seat *seats; /* with a roster: `width` of them */
	uint8_t key[FR_MAX_KEY]; /* with a roster: this disk's own */
	bool has_key;
	uint32_t lineage;        /* another one under the same id: the array before or after disks were exchanged */
	unsigned width;
	enum fr_member_state state;
	bool has_generation;
	uint32_t generation;     /* compared as a signed difference */
	unsigned generation_bits; /* of the counter; 0: 32 */

	/* the array's geometry */
	enum fr_level level;
	enum fr_layout layout;
	uint32_t chunk;
	uint64_t set_sectors;    /* of the array as it is to be mapped */
	uint64_t member_sectors; /* what each member gives, where the record says so; 0: as the size asks */
	uint32_t sector_size;    /* bytes of the sectors in which the record counts; 0: 512 */
	const char *agreement;   /* whatever else must be equal in all members, as text; NULL: nothing */

	/* where this disk's part lies: the set may touch [offset, offset + room) and nothing else */
	uint64_t offset;
	uint64_t room;
	uint64_t peer_room;      /* the same as dmraid takes it, where that differs and arrays made under it exist; 0: no */
	bool peer_read_only;     /* that is not ours to write to: other things lie there */
	size_t nshares;
	uint64_t shares[FR_MAX_SHARES]; /* span: what this member gives, by rule; the rule whose sum fits counts */

	/* the array's condition, as this disk knows it */
	enum fr_activity activity;
	const char *activity_text; /* more about it: from what to what, how far; or NULL */
	bool failure_known;      /* written after a member was lost */
	bool parity_invalid;     /* nothing may be computed from parity */
};

/* What a format found on one disk; private to the core. */
struct fr_findings;

/* Notes what was found at a place: a verdict and a sentence (NULL for none). Once a place; the last word counts. */
void fr_found(struct fr_findings *f, uint64_t lba, uint32_t sectors, enum fr_verdict verdict, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/*
 * A new claim, from the block at lba, all zero but for who says it. The core gives the block its verdict: invalid
 * with claim->fault as the reason, else valid. Never NULL.
 */
struct fr_claim *fr_claim_new(struct fr_findings *f, uint64_t lba, uint32_t sectors);

/*
 * The record at lba as one piece of memory, where it lies on the disk in several: what fr_found() or fr_claim_new()
 * said of the place is said of this. The memory is fr_memory()'s.
 */
void fr_record(struct fr_findings *f, uint64_t lba, uint32_t sectors, const uint8_t *record, size_t size);

/* Zeroed memory that lives as long as the scan, for `count` things of `size` bytes. NULL if there is none: give up. */
void *fr_memory(struct fr_findings *f, size_t count, size_t size);

/* Formatted text that lives as long as the scan. Never NULL. */
const char *fr_text(struct fr_findings *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same, with the letters a to j for the decimal digits: how dmraid makes names of numbers. */
const char *fr_letters(struct fr_findings *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sets *reason to a sentence unless it has one: the first reason counts. Always false, so that checks can return it. */
bool fr_reason(struct fr_findings *f, const char **reason, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Adds a remark on the block at lba; at most FR_MAX_REMARKS of a claim are kept. */
void fr_remark(struct fr_findings *f, struct fr_claim *claim, uint64_t lba, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Names a part for the dump: "" or what it is and its number. */
void fr_part_name(struct fr_part *part, const char *what, unsigned number);

/* ---- levels: arithmetic that no format and no sink repeats ---- */

/* Members whose data make up the set's size; 0 for a level without such a number. */
unsigned fr_level_columns(enum fr_level level, unsigned width);
bool fr_level_is_striped(enum fr_level level);
bool fr_level_is_redundant(enum fr_level level);
bool fr_level_has_copies(enum fr_level level);
bool fr_level_has_parity(enum fr_level level);
/* Slot of copy 0 or 1 of a column in a raid10 or raid01. */
unsigned fr_level_slot(enum fr_level level, unsigned width, unsigned column, unsigned copy);

struct fr_format_ops {
	/* The sectors to read, from the disk's size alone. Returns how many wishes were written, at most FR_MAX_WISHES. */
	size_t (*where)(const struct fr_view *disk, struct fr_wish *wishes);
	/* Once more, from what the first round brought; may be NULL. */
	size_t (*where_next)(const struct fr_view *disk, struct fr_wish *wishes);
	/* From the sectors to claims, or to precise reasons why not. */
	void (*claims)(const struct fr_view *disk, struct fr_findings *f);
	/* Whether a sector, wherever it lies, is a whole record by signature and checksum; may be NULL. */
	bool (*is_record)(const uint8_t *sector);
	/*
	 * The structures of a record, for the dump: the format's own fields at 0 first. Returns how many were written, at
	 * most max; NULL: there are no others.
	 */
	size_t (*parts)(const uint8_t *record, size_t size, struct fr_part *parts, size_t max);
};

#endif
