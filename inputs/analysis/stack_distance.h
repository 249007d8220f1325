/* SPDX-License-Identifier: MIT */
/* analysis/stack_distance.h - exact LRU stack distances of a stream of items (Mattson 1970; Olken 1981): the
 * number of distinct other items since the item's last access. A fully associative LRU cache of n entries
 * hits exactly if the distance is less than n. Items are dense numbers from 0, in the order of first access.
 * Every item's last access holds one bit of a bit vector in order of time; a Fenwick tree sums its words, so
 * an access costs the logarithm of the items over 64. Memory: 12 to 24 bytes an item, none for an access. */
#ifndef WW_ANALYSIS_STACK_DISTANCE_H
#define WW_ANALYSIS_STACK_DISTANCE_H

#include "kernels/base.h"

WW_BEGIN_DECLS

#define WW_STACK_COLD UINT32_MAX           /* the first access: no distance */
#define WW_STACK_ITEMS (UINT32_C(1) << 28) /* most items */

struct ww_stack {
    uint32_t items;      /* seen so far */
    uint32_t slots;      /* places in time, a power of two, at least the items */
    uint32_t next;       /* the next free place; those before it are in use, or free again */
    uint32_t items_room; /* elements of slot_of */
    uint64_t *live;      /* bit n: place n is the last access of some item */
    uint32_t *sums;    /* Fenwick tree of the set bits of each whole word of `live` before the present one */
    uint32_t *owner;   /* item of a place */
    uint32_t *slot_of; /* place of an item */
};

/* Returns false if out of memory. */
bool ww_stack_init(struct ww_stack *s);
void ww_stack_free(struct ww_stack *s);

/* Accesses an item. Sets *distance to its distance, or to WW_STACK_COLD if item == s->items (a new item,
 * which raises s->items). Returns false, with the items and their order unchanged, if out of memory or there
 * are too many items. Required (asserted): item <= s->items. */
bool ww_stack_access(struct ww_stack *s, uint32_t item, uint32_t *distance);

WW_END_DECLS

#endif
