// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * roster.c - which disk is which, in arrays each of whose records names all
 * the disks.
 *
 * Such a record need not say on which of them it lies: only the disk itself
 * knows, by its serial number, and bridges, clones and images do not. What the
 * keys leave open is settled by elimination, and last by the order in which
 * the disks were given; what that may get wrong is said, and never written to.
 */
#include <string.h>

#include "set.h"

/* ---- keys ---- */

/* The entry of a key, FR_NO_ENTRY if there is none, or FR_AMBIGUOUS: a key that two entries share tells nothing. */
static unsigned entry_with_key(const struct fr_roster *roster, const struct fr_claim *head)
{
	unsigned found = FR_NO_ENTRY;

	for (unsigned i = 0; head->has_key && i < roster->nentries; i++) {
		if (memcmp(roster->entries[i].key, head->key, FR_MAX_KEY) != 0)
			continue;
		if (found != FR_NO_ENTRY)
			return FR_AMBIGUOUS;
		found = i;
	}
	return found;
}

/* ---- lineages: the array before and after disks were exchanged ---- */

static unsigned live_entries(const struct fr_roster *roster)
{
	unsigned count = 0;

	for (unsigned i = 0; i < roster->nentries; i++)
		count += !roster->entries[i].gone && !roster->entries[i].spare;
	return count;
}

static const struct fr_claim *newest_of(const struct fr_claim *const *heads, size_t count, uint32_t lineage)
{
	const struct fr_claim *best = NULL;

	for (size_t i = 0; i < count; i++) {
		if (heads[i]->lineage == lineage && fr_claim_is_member(heads[i]) &&
		    (best == NULL || fr_claim_is_newer(heads[i], best)))
			best = heads[i];
	}
	return best;
}

/* Whether a lineage's record lies on as many disks as it names; two that say to be one are one. */
static bool is_everywhere(const struct fr_claim *const *heads, size_t count, const struct fr_claim *newest)
{
	bool found[FR_MAX_ENTRIES + 1] = { false };
	unsigned others = 0;

	if (newest->roster == NULL)
		return true;
	for (size_t i = 0; i < count; i++) {
		unsigned entry = entry_with_key(newest->roster, heads[i]);

		if (heads[i]->lineage != newest->lineage || !fr_claim_is_member(heads[i]))
			continue;
		if (entry < newest->roster->nentries)
			found[entry] = true;
		else
			others++;
	}
	for (unsigned i = 0; i < newest->roster->nentries; i++)
		others += found[i] && !newest->roster->entries[i].gone && !newest->roster->entries[i].spare;
	return others >= live_entries(newest->roster);
}

size_t fr_roster_lineage(const struct fr_claim **heads, size_t count, bool *tie)
{
	const struct fr_claim *best = NULL;
	size_t front = 0;

	*tie = false;
	for (size_t i = 0; i < count; i++) {
		const struct fr_claim *c = newest_of(heads, count, heads[i]->lineage);
		int better;

		if (c == NULL || c == best || (best != NULL && c->lineage == best->lineage))
			continue;
		better = best == NULL ? 1 : (int)is_everywhere(heads, count, c) - (int)is_everywhere(heads, count, best);
		if (better == 0)
			better = (int)fr_claim_is_newer(c, best) - (int)fr_claim_is_newer(best, c);
		*tie = better == 0 || (*tie && better < 0);
		if (better > 0)
			best = c;
	}
	for (size_t i = 0; i < count && best != NULL; i++) { /* stable for those in front: their order counts */
		const struct fr_claim *c = heads[i];

		if (c->lineage != best->lineage)
			continue;
		memmove(&heads[front + 1], &heads[front], (i - front) * sizeof(const struct fr_claim *));
		heads[front++] = c;
	}
	return best == NULL ? count : front;
}

/* ---- seats by key ---- */

static bool is_taken(const struct fr_seating *s, unsigned entry)
{
	for (size_t i = 0; i < s->count; i++) {
		if (s->entries[i] == entry)
			return true;
	}
	return false;
}

static size_t seat_by_key(const struct fr_claim *reference, struct fr_seating *s)
{
	size_t seated = 0;

	for (size_t i = 0; i < s->count; i++) {
		s->entries[i] = entry_with_key(reference->roster, s->heads[i]);
		seated += s->entries[i] < reference->roster->nentries;
	}
	return seated;
}

/* ---- seats by elimination and by order ---- */

static bool any_gone(const struct fr_roster *roster)
{
	for (unsigned i = 0; i < roster->nentries; i++) {
		if (roster->entries[i].gone)
			return true;
	}
	return false;
}

/*
 * Whether a disk whose key fits no entry may sit on one that is left. One of an earlier lineage was exchanged, and
 * one that is behind may be just the disk that the record has lost.
 */
static bool may_be_seated(const struct fr_claim *reference, const struct fr_claim *head)
{
	return head->lineage == reference->lineage && fr_claim_is_member(head) &&
	       (!fr_claim_is_newer(reference, head) || !any_gone(reference->roster));
}

/* The entry for the next disk: of those left the first that is a member, else the first spare. */
static unsigned next_entry(const struct fr_roster *roster, const struct fr_seating *s)
{
	unsigned spare = FR_NO_ENTRY;

	for (unsigned i = 0; i < roster->nentries; i++) {
		if (roster->entries[i].gone || is_taken(s, i))
			continue;
		if (!roster->entries[i].spare)
			return i;
		if (spare == FR_NO_ENTRY)
			spare = i;
	}
	return spare;
}

static bool stands(const struct fr_claim *reference, const struct fr_seating *s, size_t i)
{
	return s->entries[i] == FR_NO_ENTRY && may_be_seated(reference, s->heads[i]);
}

/* Whether a disk without a seat gets one of those that are left: the newest records come first, then those given first. */
static bool gets_a_seat(const struct fr_claim *reference, const struct fr_seating *s, size_t i, unsigned left)
{
	unsigned before = 0;

	for (size_t k = 0; k < s->count; k++) {
		if (k == i || !stands(reference, s, k) || fr_claim_is_newer(s->heads[i], s->heads[k]))
			continue;
		before += k < i || fr_claim_is_newer(s->heads[k], s->heads[i]);
	}
	return stands(reference, s, i) && before < left;
}

/* Entries that nobody has taken, those of spares only if they are asked for. */
static unsigned count_left(const struct fr_roster *roster, const struct fr_seating *s, bool spares)
{
	unsigned left = 0;

	for (unsigned i = 0; i < roster->nentries; i++)
		left += !roster->entries[i].gone && (spares || !roster->entries[i].spare) && !is_taken(s, i);
	return left;
}

static unsigned count_standing(const struct fr_claim *reference, const struct fr_seating *s, bool newest_only)
{
	unsigned count = 0;

	for (size_t i = 0; i < s->count; i++)
		count += stands(reference, s, i) && !(newest_only && fr_claim_is_newer(reference, s->heads[i]));
	return count;
}

/* The disks that get a seat take them in the order in which they were given. */
static void seat_in_order(const struct fr_claim *reference, struct fr_seating *s)
{
	for (size_t i = 0; i < s->count; i++) {
		if (gets_a_seat(reference, s, i, count_left(reference->roster, s, true)))
			s->entries[i] = next_entry(reference->roster, s);
	}
}

static size_t first_standing(const struct fr_claim *reference, const struct fr_seating *s)
{
	size_t i = 0;

	while (i < s->count && !stands(reference, s, i))
		i++;
	return i;
}

static void seat_the_rest(struct fr_pool *pool, const struct fr_claim *reference, struct fr_seating *s, size_t seated)
{
	unsigned left = count_left(reference->roster, s, false), standing = count_standing(reference, s, false);
	bool alone;

	if (standing == 0 || left == 0 || (seated != 0 && (standing != 1 || left != 1)))
		return;
	alone = standing == 1 && left == 1;
	if (alone && (seated != 0 || s->heads[first_standing(reference, s)]->has_key)) {
		s->note = fr_pool_text(pool, "%s has another serial number than the record: a clone, an image, or a disk behind "
				       "a bridge? It is taken for the one that is left",
				       s->heads[first_standing(reference, s)]->disk->path);
	} else if (!alone) {
		s->guessed = true;
		s->gaps = standing < left;
		s->contradiction = count_standing(reference, s, true) > count_left(reference->roster, s, true);
	}
	if (s->guessed)
		s->note = "no serial number of the record is among the disks': they are taken in the order in which they "
			  "were given (--serial DISK=SERIAL makes it certain)";
	seat_in_order(reference, s);
}

static const char *no_seat_reason(struct fr_pool *pool, const struct fr_claim *reference, const struct fr_claim *head)
{
	if (fr_claim_is_newer(reference, head))
		return fr_pool_text(pool, "generation %u, the array is at %u, %u behind, and does not name this disk",
				    head->generation, reference->generation, fr_claim_behind(head, reference));
	if (head->lineage != reference->lineage)
		return "its record is of another set of disks than the one that counts";
	if (reference->roster->by_order)
		return "which of the array's disks it is cannot be told: --serial DISK=SERIAL says it";
	return "its own id is not among the members of the newest record";
}

void fr_roster_seat(struct fr_pool *pool, const struct fr_claim *reference, struct fr_seating *s)
{
	size_t seated;

	s->entries = fr_pool_array(pool, s->count + 1, sizeof(*s->entries));
	s->reasons = fr_pool_array(pool, s->count + 1, sizeof(const char *));
	if (s->entries == NULL || s->reasons == NULL) {
		s->count = 0;
		return;
	}
	seated = seat_by_key(reference, s);
	if (reference->roster->by_order)
		seat_the_rest(pool, reference, s, seated);
	for (size_t i = 0; i < s->count; i++) {
		if (s->entries[i] == FR_AMBIGUOUS)
			s->entries[i] = FR_NO_ENTRY;
		if (s->entries[i] == FR_NO_ENTRY)
			s->reasons[i] = no_seat_reason(pool, reference, s->heads[i]);
	}
}
