/* SPDX-License-Identifier: MIT */
/* kernels/ptw.h - page-table walker as a step machine: it says which entry to read, the caller fetches it.
 * Models: the radix walk of x86-64 with 4 or 5 levels, from the root or from an inner node that a page-walk
 * cache or a neighbour's walk supplied; one read a level, leaves at levels 1 to 3, 64 KiB pages by their
 * mark. Not modelled: accessed and dirty updates, rights of table entries, nested translation. Use: start;
 * while next() says READ: fetch the word, feed it; then result() if DONE. Inline, since every translation
 * passes here. Time: none, latency is the memory's. Allocation: none. */
#ifndef WW_KERNELS_PTW_H
#define WW_KERNELS_PTW_H

#include "kernels/addr.h"
#include "kernels/base.h"
#include "kernels/pte.h"
#include "kernels/xlat.h"

WW_BEGIN_DECLS

#define WW_PTW_STEP_LIST(X) X(READ) X(DONE) X(FAULT)

enum ww_ptw_step {
#define WW_PTW_STEP_ENUM(name) WW_PTW_##name,
    WW_PTW_STEP_LIST(WW_PTW_STEP_ENUM)
#undef WW_PTW_STEP_ENUM
};

/* "READ", "DONE", "FAULT". */
const char *ww_ptw_step_name(enum ww_ptw_step step);

struct ww_ptw {
    uint64_t va;
    uint64_t base_pa; /* READ: the node being read; DONE: the page; FAULT: the node with the entry at fault */
    uint8_t level;    /* level of the access now; after the walk: of the last one */
    uint8_t step;     /* enum ww_ptw_step */
    uint8_t reads;    /* entries fed so far */
    uint8_t page_shift; /* DONE only */
    uint8_t perm;       /* DONE only */
};

/* Begins the walk for `va` in a table of `levels` levels. The first access is at `start_level`, in the node
 * at `node_pa`: the root's level and address, or those of an inner node already known for this address. */
static inline void ww_ptw_start(struct ww_ptw *w, uint32_t levels, uint64_t va, uint32_t start_level,
                                uint64_t node_pa)
{
    WW_ASSERT(start_level - 1 < levels && ww_va_legal(va, levels));
    WW_ASSERT((node_pa & ~WW_PTE_FRAME) == 0);
    w->va = va;
    w->base_pa = node_pa;
    w->level = (uint8_t)start_level;
    w->step = WW_PTW_READ;
    w->reads = 0;
    w->page_shift = 0;
    w->perm = 0;
}

/* What to do next. READ: `*pte_pa` is the physical address of the entry; otherwise it is untouched. */
static inline enum ww_ptw_step ww_ptw_next(const struct ww_ptw *w, uint64_t *pte_pa)
{
    if (w->step == WW_PTW_READ)
        *pte_pa = w->base_pa + (uint64_t)ww_index(w->va, w->level) * sizeof(uint64_t);
    return (enum ww_ptw_step)w->step;
}

/* Takes the entry that the last READ asked for. */
static inline void ww_ptw_feed(struct ww_ptw *w, uint64_t pte)
{
    WW_ASSERT(w->step == WW_PTW_READ);
    const enum ww_pte_kind kind = ww_pte_kind(pte, w->level);
    w->reads++;
    if (kind == WW_PTE_TABLE) {
        w->base_pa = ww_pte_node_pa(pte);
        w->level--;
    } else if (kind == WW_PTE_LEAF) {
        const struct ww_xlat x = ww_pte_xlat(pte, w->level);
        w->base_pa = x.page_pa;
        w->page_shift = x.page_shift;
        w->perm = x.perm;
        w->step = WW_PTW_DONE;
    } else {
        w->step = WW_PTW_FAULT;
    }
}

/* Level of the access now; after the walk: of the last access. */
static inline uint32_t ww_ptw_level(const struct ww_ptw *w)
{
    return w->level;
}

/* Node being read now, while the step is READ: after a feed, what a page-walk cache keeps. */
static inline uint64_t ww_ptw_node_pa(const struct ww_ptw *w)
{
    WW_ASSERT(w->step == WW_PTW_READ);
    return w->base_pa;
}

/* Entries read so far. */
static inline uint32_t ww_ptw_reads(const struct ww_ptw *w)
{
    return w->reads;
}

/* The translation, once the step is DONE. */
static inline struct ww_xlat ww_ptw_result(const struct ww_ptw *w)
{
    struct ww_xlat x;
    WW_ASSERT(w->step == WW_PTW_DONE);
    x.page_pa = w->base_pa;
    x.page_shift = w->page_shift;
    x.perm = w->perm;
    return x;
}

/* The entry of `va` at `level` within the 64-byte line of the table that holds it. */
static inline uint64_t ww_line_pte(const uint64_t line[WW_LINE_PTES], uint64_t va, uint32_t level)
{
    return line[ww_index(va, level) & (WW_LINE_PTES - 1)];
}

/* NULL, or the first broken invariant. */
const char *ww_ptw_check(const struct ww_ptw *w);

WW_END_DECLS

#endif
