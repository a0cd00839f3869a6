/* SPDX-License-Identifier: GPL-2.0-or-later */
/* notes.h - what is remembered below /run/fakeraid for the time of one boot. All functions: 0 or a negative errno. */
#ifndef FR_NOTES_H
#define FR_NOTES_H

#include "internal.h"

/* Disks that carry records of sets. */
int fr_note_disk(const struct fr_disk *disk);
void fr_forget_disk(dev_t devno);
/* Nodes of the disks that are noted and still there, at most max, in the pool. */
size_t fr_noted_disks(struct fr_pool *pool, const char **nodes, size_t max);

/* A set, by its name, in one of these lists, with a text. */
#define FR_NOTE_RELEASED "released" /* cannot be assembled: its disks are given back */
#define FR_NOTE_ALIASES "aliases"   /* other names of an active set, one a line */
int fr_note_set(const char *which, const char *set_name, const char *text);
bool fr_noted_set(const char *which, const char *set_name, char *text, size_t size);
void fr_forget_set(const char *which, const char *set_name);

#endif
