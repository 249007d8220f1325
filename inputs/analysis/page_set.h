/* SPDX-License-Identifier: MIT */
/* analysis/page_set.h - the distinct pages of one size that a stream touches, numbered densely from 0 in the
 * order of first touch, and sets of such numbers. Memory: 40 to 80 bytes a page; an eighth of a byte a page
 * for each set of numbers. Not thread-safe. */
#ifndef WW_ANALYSIS_PAGE_SET_H
#define WW_ANALYSIS_PAGE_SET_H

#include "kernels/base.h"

WW_BEGIN_DECLS

#define WW_PAGE_SET_MAX (UINT32_C(1) << 26) /* pages */
#define WW_PAGE_NONE UINT32_MAX

struct ww_page {
    uint64_t vpn;          /* address >> page shift; first, as the index expects its key here */
    uint64_t last_access;  /* the caller's: number of the last access */
    uint32_t first_buffer; /* the caller's: buffers in the page */
    uint32_t buffers;
};

struct ww_page_set {
    uint32_t count, room; /* pages, and room for pages: a power of two */
    uint32_t *cells;      /* kernels/host/hash_index.h over pages[] */
    struct ww_page *pages;
};

bool ww_page_set_init(struct ww_page_set *s); /* false: out of memory */
void ww_page_set_free(struct ww_page_set *s);

/* Returns the page's number. Sets *added if it is new, with its other fields 0. WW_PAGE_NONE: out of memory,
 * or too many pages. */
uint32_t ww_page_set_add(struct ww_page_set *s, uint64_t vpn, bool *added);

struct ww_number_set {
    uint64_t *words;
    uint32_t count; /* number of words */
};

void ww_number_set_free(struct ww_number_set *s); /* all zero is an empty set */
/* Returns false if out of memory. Sets *added to whether the number is new in the set. */
bool ww_number_set_add(struct ww_number_set *s, uint32_t number, bool *added);

WW_END_DECLS

#endif
