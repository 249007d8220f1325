/* SPDX-License-Identifier: MIT */
/* analysis/working_set.h - distinct and new pages in equal windows of a stream of accesses whose length is
 * not known beforehand. A window is 2^shift accesses; when the windows are used up, neighbours become one and
 * the shift grows, so a finished stream has more than half as many windows as asked for (or one access a
 * window). Exact: for each pair of windows it is kept how many accesses of the one were a page's first there
 * and its last before in the other; what falls into one merged window is then a repeat. Memory: 8 bytes a
 * pair. */
#ifndef WW_ANALYSIS_WORKING_SET_H
#define WW_ANALYSIS_WORKING_SET_H

#include "kernels/base.h"

WW_BEGIN_DECLS

#define WW_WINDOWS_MIN 2u
#define WW_WINDOWS_MAX 1024u
#define WW_NEVER_BEFORE UINT64_MAX

struct ww_working_set {
    uint32_t room;     /* windows at most, even */
    uint32_t shift;    /* log2 of the accesses of a window */
    uint64_t accesses; /* so far */
    uint64_t *fresh;   /* pages first touched in a window */
    uint64_t *again;   /* [window * room + earlier window] */
};

/* windows: WW_WINDOWS_MIN .. WW_WINDOWS_MAX, made even downwards. False: no memory. */
bool ww_working_set_init(struct ww_working_set *s, uint32_t windows);
void ww_working_set_free(struct ww_working_set *s);

/* The next access, whose page was accessed last by the access number `before`, counted from 0, or never. */
void ww_working_set_access(struct ww_working_set *s, uint64_t before);

uint32_t ww_working_set_windows(const struct ww_working_set *s);                   /* used so far */
uint64_t ww_working_set_fresh(const struct ww_working_set *s, uint32_t window);    /* new pages */
uint64_t ww_working_set_distinct(const struct ww_working_set *s, uint32_t window); /* distinct pages */

WW_END_DECLS

#endif
