/* SPDX-License-Identifier: MIT */
/* kernels/driver/uvm_block.h - a block of 2 MiB as NVIDIA's driver of unified memory handles it: which pages
 * come with those that faulted, and which pages move to and fro. Models: kernel-open/nvidia-uvm of the open
 * kernel modules, uvm_perf_prefetch.c (a fault is grown to 64 KiB; then, of all aligned subregions around it,
 * the largest comes of whose pages more than 51 % are there, faulted or were grown) and the counts of
 * uvm_perf_thrashing.c. A block begins at a multiple of its size; of one that a program has in part, only
 * pages that exist are counted. Not modelled: several processors, throttling, pages that are left where they
 * are by advice. docs/model/uvm-driver.md. Time: none. Allocation: none, no state but a page's. */
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
    uint32_t pages;   /* of a block: a power of two, 1 to 512 */
    uint32_t grow;    /* that a fault is grown to: a power of two, 1 to `pages` */
    uint32_t percent; /* 0 to 100 (never): a subregion comes whole if more is resident, faulted or grown */
};

struct ww_uvm_block {
    struct ww_uvm_pages there;     /* that exist */
    struct ww_uvm_pages resident;  /* in device memory */
    struct ww_uvm_pages faulted;   /* of those that are not */
    struct ww_uvm_pages thrashing; /* that move to and fro: none of them comes unasked */
};

/* A page's history; all 0: it never came. */
struct ww_uvm_page {
    uint64_t came_us; /* time of its last coming in us, plus 1; 0: none */
    uint32_t events;  /* times that it came soon after it had come */
};

/* NULL, or what is illegal in cfg. */
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

/* Pages that come with those that faulted, and are not among them. */
struct ww_uvm_pages ww_uvm_prefetch(const struct ww_uvm_cfg *cfg, const struct ww_uvm_block *b);

/* The page comes at time `us`: it has one event more if at most `lapse_us` have passed since it came before.
 * After a longer time the events are set to 0 if there are `after` or more (and after != 0); fewer stay
 * counted. */
void ww_uvm_came(struct ww_uvm_page *p, uint64_t us, uint32_t lapse_us, uint32_t after);
/* after = 0: never. */
static inline bool ww_uvm_thrashes(const struct ww_uvm_page *p, uint32_t after)
{
    return after != 0 && p->events >= after;
}

WW_END_DECLS

#endif
