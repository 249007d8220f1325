/* SPDX-License-Identifier: MIT */
/* kernels/store/store.h - interface of a store of translations: TLB arrays, segments of local memory, lines
 * of an instruction cache, compressed entries. Its owner (a stage of translation) knows a store by its kind
 * and its storage only, so a new kind is a kernel and nothing else (docs/model/tlb.md). Laws of every call:
 * an insert changes count() by 1 if KEPT, minus the victims; a page is held at most once; lookup() and
 * probe() answer alike; no other function changes the contents. Not modelled: ports, latencies, queues (the
 * owner's). Time: none. Allocation: none. */
#ifndef WW_KERNELS_STORE_H
#define WW_KERNELS_STORE_H

#include "kernels/addr.h"
#include "kernels/base.h"
#include "kernels/invalidate.h"
#include "kernels/xlat.h"

WW_BEGIN_DECLS

/* Result of an insert. */
enum ww_store_result {
    WW_STORE_KEPT,      /* the page is held now, and was not before */
    WW_STORE_REFRESHED, /* the page was held before; its translation is replaced */
    WW_STORE_PASSED,    /* no place for the page here: it goes on to the next store, behind the victims */
    WW_STORE_REFUSED,   /* this kind cannot hold the page; it is not handed on */
    WW_STORE_RESULTS
};

#define WW_STORE_MOST_BESIDE 31u /* most pages that one answer brings besides its own */

struct ww_store_entered {
    uint32_t result;  /* enum ww_store_result */
    uint32_t victims; /* pages evicted by the insert */
};

struct ww_store_kind {
    const char *name;
    /* The smallest page that covers va: a hit becomes the most recently used and writes *out; a miss leaves
     * *out alone. va < 2^57, here and below. */
    bool (*lookup)(void *store, uint64_t va, uint16_t vmid, struct ww_xlat *out);
    /* Answers as lookup() does, without any side effect. */
    bool (*probe)(const void *store, uint64_t va, uint16_t vmid, struct ww_xlat *out);
    /* Enters the page that holds m->va. Evicted pages are written to victims[0 ...] unless that is NULL, at
     * most most_victims() of them, in the order of eviction: first those that a rebase clears away, lowest
     * place first; then the page whose place is taken. va of a victim is its page's first address. */
    struct ww_store_entered (*insert)(void *store, const struct ww_mapping *m, struct ww_mapping *victims);
    uint32_t (*most_victims)(const void *store);
    /* Writes to va[], at most WW_STORE_MOST_BESIDE, the first addresses of the pages of the same size that
     * the answer (the page that holds m->va) brings besides its own and that are not held. Returns their
     * number; changes nothing. The owner enters those that are mapped. NULL: an answer brings its own page
     * only. */
    uint32_t (*beside)(const void *store, const struct ww_mapping *m, uint64_t *va);
    /* Answers as lookup() does, and on a hit removes the page, which its owner hands up. */
    bool (*take)(void *store, uint64_t va, uint16_t vmid, struct ww_xlat *out);
    /* Invalidates the mappings in scope. Returns how many. */
    uint32_t (*invalidate)(void *store, const struct ww_inval_scope *scope);
    /* claim(): the owner of the memory that the translations lie in uses bytes [first, first + bytes) of it.
     * Drops the mappings there and returns how many; none is entered there until release(). Both NULL: the
     * memory has no other use. */
    uint32_t (*claim)(void *store, uint64_t first, uint64_t bytes);
    void (*release)(void *store, uint64_t first, uint64_t bytes);
    /* Drops every entry of every VM. */
    void (*flush)(void *store);
    uint32_t (*count)(const void *store);  /* pages held */
    uint32_t (*probes)(const void *store); /* probes that the hardware makes for one lookup */
    /* Returns NULL, or the first broken invariant. */
    const char *(*check)(const void *store);
    /* Bits of state in hardware: entries, tags and replacement order. */
    uint64_t (*bits)(const void *store, const struct ww_widths *w);
};

WW_END_DECLS

#endif
