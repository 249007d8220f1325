/* SPDX-License-Identifier: MIT */
/* analysis/working_set.h - distinct and new pages in equal windows of a stream of accesses of unknown length.
 * A window is 2^shift accesses; when the windows are used up, neighbours are merged and the shift grows, so a
 * finished stream has more than half of the requested windows (or one access a window). Exact: for each pair
 * of windows it counts the accesses in the one that are a page's first there and whose previous access was in
 * the other; when two windows merge, these are repeats. Memory: 8 bytes a pair. */
#ifndef WW_ANALYSIS_WORKING_SET_H
#define WW_ANALYSIS_WORKING_SET_H

#include "kernels/base.h"

WW_BEGIN_DECLS

#define WW_WINDOWS_MIN 2u
#define WW_WINDOWS_MAX 1024u
#define WW_NEVER_BEFORE UINT64_MAX

struct ww_working_set {
    uint32_t room;     /* most windows, even */
    uint32_t shift;    /* log2 of the accesses of a window */
    uint64_t accesses; /* so far */
    uint64_t *fresh;   /* pages first touched in a window */
    uint64_t *again;   /* [window * room + earlier window] */
};

/* windows: WW_WINDOWS_MIN .. WW_WINDOWS_MAX, rounded down to even. Returns false if out of memory. */
bool ww_working_set_init(struct ww_working_set *s, uint32_t windows);
void ww_working_set_free(struct ww_working_set *s);

/* Adds an access. before: number of the last access of its page, from 0, or WW_NEVER_BEFORE. */
void ww_working_set_access(struct ww_working_set *s, uint64_t before);

uint32_t ww_working_set_windows(const struct ww_working_set *s);                   /* used so far */
uint64_t ww_working_set_fresh(const struct ww_working_set *s, uint32_t window);    /* new pages */
uint64_t ww_working_set_distinct(const struct ww_working_set *s, uint32_t window); /* distinct pages */

WW_END_DECLS

#endif
