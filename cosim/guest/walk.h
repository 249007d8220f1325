/* SPDX-License-Identifier: MIT */
/* guest/walk.h - one walk of a running guest's x86-64 page table in its memory, as fast as possible: it runs
 * for every access of the guest. kernels/table/table_x86.h defines entries; guest/walk_test compares both.
 * Ignores accessed and dirty bits and writes none. */
#ifndef WW_GUEST_WALK_H
#define WW_GUEST_WALK_H

#include "guest/stream.h"
#include "kernels/table/table_x86.h"

WW_BEGIN_DECLS

/* The guest's memory: physical address = offset. */
struct ww_guest_ram {
    const unsigned char *at;
    uint64_t bytes;
};

struct ww_guest_walked {
    uint64_t pa; /* valid with WW_GUEST_WALK_PAGE */
    enum ww_guest_walk outcome;
    uint32_t entries; /* read; the last one decided */
    uint32_t page_shift;
};

/* Returns the physical address of va, whose page of 1 << page_shift bytes has this entry. */
static inline uint64_t ww_guest_page_pa(uint64_t pte, uint32_t page_shift, uint64_t va)
{
    return ww_page_base(pte & WW_PTE_FRAME, page_shift) | (va & ww_page_mask(page_shift));
}

/* `levels` is a constant where this is inlined, and so are shifts, masks and the entries a level may have. */
static inline __attribute__((always_inline)) struct ww_guest_walked
ww_guest_walk_of(struct ww_guest_ram ram, uint64_t cr3, uint32_t levels, uint64_t va,
                 uint64_t entry[WW_GUEST_LEVELS_MAX])
{
    struct ww_guest_walked w = {0, WW_GUEST_WALK_ADDRESS, 0, 0};
    uint64_t node = cr3 & WW_PTE_FRAME;
    if (ww_x86_canonical(va, levels) != va)
        return w;
#pragma GCC unroll 5
    for (uint32_t level = levels; level >= 1; --level) {
        const uint64_t at = node + ww_index(va, level) * sizeof(uint64_t);
        uint64_t pte = 0;
        w.outcome = WW_GUEST_WALK_OUTSIDE;
        if (at >= ram.bytes)
            return w;
        __atomic_load((const uint64_t *)(const void *)(ram.at + at), &pte, __ATOMIC_RELAXED);
        entry[w.entries++] = pte;
        w.outcome = WW_GUEST_WALK_ABSENT;
        if (!ww_pte_present(pte))
            return w;
        w.outcome = WW_GUEST_WALK_MALFORMED;
        if ((pte & ww_x86_reserved(pte, level, WW_X86_PHYS_BITS_MAX)) != 0)
            return w;
        if (ww_x86_is_page(pte, level)) {
            w.outcome = WW_GUEST_WALK_PAGE;
            w.page_shift = ww_level_shift(level);
            w.pa = ww_guest_page_pa(pte, w.page_shift, va);
            return w;
        }
        node = pte & WW_PTE_FRAME;
    }
    return w; /* not reached: at level 1 an entry is a page, absent or malformed */
}

static inline struct ww_guest_walked ww_guest_walk(struct ww_guest_ram ram, uint64_t cr3, uint32_t levels,
                                                   uint64_t va, uint64_t entry[WW_GUEST_LEVELS_MAX])
{
    return levels == WW_LEVELS_MAX ? ww_guest_walk_of(ram, cr3, WW_LEVELS_MAX, va, entry)
                                   : ww_guest_walk_of(ram, cr3, WW_LEVELS_MIN, va, entry);
}

WW_END_DECLS

#endif
