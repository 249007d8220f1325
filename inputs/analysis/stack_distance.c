/* SPDX-License-Identifier: MIT */
/* analysis/stack_distance.c - see stack_distance.h. The tree does not count the word of the bit vector that
 * is being filled; a word is added when it is full, so that an access changes the tree once, not twice. When
 * all places are used, the items are renumbered in order of time into two to four times as many places as
 * there are items, but at least SLOTS_MIN. At least half of these are free, so renumbering costs constant
 * time per access. */
#include "analysis/stack_distance.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_MIN 1024u
#define WORD_SHIFT 6u
#define WORD_BITS 64u

/* Returns the sum of the words [0, word). The elements of the tree are numbered from 1. */
static uint32_t sum_before(const uint32_t *sums, uint32_t word)
{
    uint32_t sum = 0;
    for (uint32_t at = word; at != 0; at &= at - 1)
        sum += sums[at];
    return sum;
}

static void add_at(struct ww_stack *s, uint32_t word, uint32_t amount)
{
    const uint32_t words = s->slots >> WORD_SHIFT;
    for (uint32_t at = word + 1; at <= words; at += at & (~at + 1))
        s->sums[at] += amount;
}

static uint32_t ones(uint64_t word)
{
    return (uint32_t)__builtin_popcountll(word);
}

bool ww_stack_init(struct ww_stack *s)
{
    memset(s, 0, sizeof *s);
    s->slots = SLOTS_MIN;
    s->items_room = SLOTS_MIN / 2;
    s->live = calloc(s->slots >> WORD_SHIFT, sizeof *s->live);
    s->sums = calloc((s->slots >> WORD_SHIFT) + 1, sizeof *s->sums);
    s->owner = calloc(s->slots, sizeof *s->owner);
    s->slot_of = calloc(s->items_room, sizeof *s->slot_of);
    if (s->live != NULL && s->sums != NULL && s->owner != NULL && s->slot_of != NULL)
        return true;
    ww_stack_free(s);
    return false;
}

void ww_stack_free(struct ww_stack *s)
{
    free(s->live);
    free(s->sums);
    free(s->owner);
    free(s->slot_of);
    memset(s, 0, sizeof *s);
}

/* Moves the items to places 0 .. items - 1 in the same order; at least half of the new places are free. */
static bool renumber(struct ww_stack *s)
{
    uint32_t slots = SLOTS_MIN;
    while (slots / 2 < s->items)
        slots *= 2;
    const uint32_t words = slots >> WORD_SHIFT;
    uint64_t *live = calloc(words, sizeof *live);
    uint32_t *sums = calloc((size_t)words + 1, sizeof *sums);
    uint32_t *owner = malloc(slots * sizeof *owner);
    if (live == NULL || sums == NULL || owner == NULL) {
        free(live);
        free(sums);
        free(owner);
        return false;
    }
    uint32_t place = 0;
    for (uint32_t word = 0; word < s->slots >> WORD_SHIFT; ++word) {
        for (uint64_t left = s->live[word]; left != 0; left &= left - 1) {
            const uint32_t item = s->owner[(word << WORD_SHIFT) + (uint32_t)__builtin_ctzll(left)];
            owner[place] = item;
            s->slot_of[item] = place;
            live[place >> WORD_SHIFT] |= UINT64_C(1) << (place % WORD_BITS);
            ++place;
        }
    }
    free(s->live);
    free(s->sums);
    free(s->owner);
    s->live = live;
    s->sums = sums;
    s->owner = owner;
    s->slots = slots;
    s->next = place;
    for (uint32_t word = 0; word < place >> WORD_SHIFT; ++word)
        add_at(s, word, WORD_BITS);
    return true;
}

static bool more_items(struct ww_stack *s)
{
    if (s->items_room == WW_STACK_ITEMS)
        return false;
    uint32_t *slot_of = realloc(s->slot_of, 2 * (size_t)s->items_room * sizeof *slot_of);
    if (slot_of == NULL)
        return false;
    s->slot_of = slot_of;
    s->items_room *= 2;
    return true;
}

/* Removes the item's last access. Returns the number of items accessed since then. */
static uint32_t take(struct ww_stack *s, uint32_t slot)
{
    const uint32_t word = slot >> WORD_SHIFT, bit = slot % WORD_BITS;
    uint64_t *live = &s->live[word];
    *live &= ~(UINT64_C(1) << bit);
    const uint32_t later = ones(*live >> bit);
    if (word == s->next >> WORD_SHIFT)
        return later;
    /* All other items, minus those in earlier words and those before this place in this word. */
    const uint32_t here = ones(*live);
    const uint32_t distance = s->items - 1 - sum_before(s->sums, word) - (here - later);
    add_at(s, word, UINT32_MAX);
    return distance;
}

bool ww_stack_access(struct ww_stack *s, uint32_t item, uint32_t *distance)
{
    WW_ASSERT(item <= s->items);
    if (s->next == s->slots && !renumber(s))
        return false;
    if (item == s->items) {
        if (item == s->items_room && !more_items(s))
            return false;
        ++s->items;
        *distance = WW_STACK_COLD;
    } else {
        *distance = take(s, s->slot_of[item]);
    }
    const uint32_t slot = s->next++;
    s->slot_of[item] = slot;
    s->owner[slot] = item;
    s->live[slot >> WORD_SHIFT] |= UINT64_C(1) << (slot % WORD_BITS);
    if (s->next % WORD_BITS == 0)
        add_at(s, slot >> WORD_SHIFT, ones(s->live[slot >> WORD_SHIFT]));
    return true;
}
