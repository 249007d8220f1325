/* SPDX-License-Identifier: MIT */
/* analysis/page_set.h - the distinct pages of one size that a stream touches, numbered densely from 0 in the
 * order of first touch, and sets of such numbers. Memory: 40 to 80 bytes a page; an eighth of a byte a page
 * for each set of numbers. Not thread-safe. */
#ifndef WW_ANALYSIS_PAGE_SET_H
#define WW_ANALYSIS_PAGE_SET_H

#include "kernels/base.h"

WW_BEGIN_DECLS

#define WW_PAGE_SET_MAX (UINT32_C(1) << 26) /* pages; 256 GiB of 4 KiB pages */
#define WW_PAGE_NONE UINT32_MAX

struct ww_page {
    uint64_t vpn;          /* address >> page shift; the index finds it here, so it is first */
    uint64_t last_access;  /* the caller's: number of the page's last access */
    uint32_t first_buffer; /* the caller's: buffers that lie in the page */
    uint32_t buffers;
};

struct ww_page_set {
    uint32_t count, room; /* pages, and how many there is memory for: a power of two */
    uint32_t *cells;      /* kernels/host/hash_index.h over pages[] */
    struct ww_page *pages;
};

bool ww_page_set_init(struct ww_page_set *s); /* false: no memory */
void ww_page_set_free(struct ww_page_set *s);

/* The page's number; *added tells whether it is new, its other fields then 0. WW_PAGE_NONE: no memory, or
 * one page too many. */
uint32_t ww_page_set_add(struct ww_page_set *s, uint64_t vpn, bool *added);

struct ww_number_set {
    uint64_t *words;
    uint32_t count; /* of words */
};

void ww_number_set_free(struct ww_number_set *s); /* all zero is an empty set */
/* False: no memory. *added: it was not in the set before. */
bool ww_number_set_add(struct ww_number_set *s, uint32_t number, bool *added);

WW_END_DECLS

#endif
