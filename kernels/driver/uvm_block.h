/* SPDX-License-Identifier: MIT */
/* kernels/driver/uvm_block.h - a block of 2 MiB in NVIDIA's driver of unified memory: which pages come with
 * those that faulted, and which pages thrash. Models: kernel-open/nvidia-uvm of the open kernel modules:
 * uvm_perf_prefetch.c (a fault grows to 64 KiB; then the largest aligned subregion around it comes of whose
 * pages more than 51 % are resident, faulted or grown) and the counts of uvm_perf_thrashing.c. A block begins
 * at a multiple of its size; if a program has a part of it, only the pages that exist count. Not modelled:
 * several processors, throttling, pages kept in place by advice. docs/model/uvm-driver.md. Time: none.
 * Allocation: none, no state but a page's. */
#ifndef WW_KERNELS_UVM_BLOCK_H
#define WW_KERNELS_UVM_BLOCK_H

#include "kernels/base.h"

WW_BEGIN_DECLS

#define WW_UVM_PAGES_MAX 512u
#define WW_UVM_WORDS (WW_UVM_PAGES_MAX / 64)

/* Bit n of word w: page 64 * w + n. */
struct ww_uvm_pages {
    uint64_t word[WW_UVM_WORDS];
};

struct ww_uvm_cfg {
    uint32_t pages;   /* of a block: a power of two, 1..WW_UVM_PAGES_MAX */
    uint32_t grow;    /* pages to which a fault grows: a power of two, 1..pages */
    uint32_t percent; /* above this much resident, faulted or grown, all come; 0..100 (never) */
};

struct ww_uvm_block {
    struct ww_uvm_pages there;     /* pages that exist */
    struct ww_uvm_pages resident;  /* pages in device memory */
    struct ww_uvm_pages faulted;   /* pages that faulted; none is resident */
    struct ww_uvm_pages thrashing; /* pages that thrash: they come only if they fault */
};

/* History of a page. All 0: it never came. */
struct ww_uvm_page {
    uint64_t came_us; /* time of its last arrival in us, plus 1; 0: none */
    uint32_t events;  /* arrivals soon after the one before */
};

/* Returns NULL, or names what is illegal in cfg. */
const char *ww_uvm_wrong(const struct ww_uvm_cfg *cfg);

static inline bool ww_uvm_has(const struct ww_uvm_pages *of, uint32_t page)
{
    WW_ASSERT(page < WW_UVM_PAGES_MAX);
    return (of->word[page / 64] >> page % 64 & 1) != 0;
}

static inline void ww_uvm_add(struct ww_uvm_pages *to, uint32_t page)
{
    WW_ASSERT(page < WW_UVM_PAGES_MAX);
    to->word[page / 64] |= UINT64_C(1) << page % 64;
}

/* Returns the pages that come with those that faulted, without those. Required (asserted): cfg is legal. */
struct ww_uvm_pages ww_uvm_prefetch(const struct ww_uvm_cfg *cfg, const struct ww_uvm_block *b);

/* Records that the page arrives at time `us`. Adds an event if at most `lapse_us` have passed since its last
 * arrival. After a longer time sets the events to 0 if there are at least `after` (and after != 0). */
void ww_uvm_came(struct ww_uvm_page *p, uint64_t us, uint32_t lapse_us, uint32_t after);
/* True if the page has at least `after` events. after = 0: never. */
static inline bool ww_uvm_thrashes(const struct ww_uvm_page *p, uint32_t after)
{
    return after != 0 && p->events >= after;
}

WW_END_DECLS

#endif
