/* SPDX-License-Identifier: MIT */
/* kernels/store/store.h - what a store of translations answers, whatever it is made of: TLB arrays, segments
 * of local memory, lines of an instruction cache, compressed entries. Whoever owns one (a stage of
 * translation) knows the store by its kind and its storage, so another kind is a kernel and nothing else
 * (docs/tlb.md). Laws, each of every call: after an insert count() is what it was, plus 1 if KEPT, minus the
 * victims; a page is held once; lookup() and probe() answer alike; only what is named here changes what is
 * held. Not modelled: ports, latencies, queues (the owner's). Time: none. Allocation: none. */
#ifndef WW_KERNELS_STORE_H
#define WW_KERNELS_STORE_H

#include "kernels/addr.h"
#include "kernels/base.h"
#include "kernels/invalidate.h"
#include "kernels/xlat.h"

WW_BEGIN_DECLS

/* What became of a page that was to be entered. */
enum ww_store_result {
    WW_STORE_KEPT,      /* it is held, and was not before */
    WW_STORE_REFRESHED, /* it was held before; its translation is the new one */
    WW_STORE_PASSED,    /* there is no place for it here: it goes on to the next store, behind the victims */
    WW_STORE_REFUSED,   /* it cannot be held by this kind, and goes nowhere */
    WW_STORE_RESULTS
};

#define WW_STORE_MOST_BESIDE 31u /* pages that one answer brings beside its own, at most */

struct ww_store_entered {
    uint32_t result;  /* enum ww_store_result */
    uint32_t victims; /* so many had to leave */
};

struct ww_store_kind {
    const char *name;
    /* The smallest page that covers va: a hit becomes the most recently used and writes *out; a miss leaves
     * *out alone. va < 2^57, here and below. */
    bool (*lookup)(void *store, uint64_t va, uint16_t vmid, struct ww_xlat *out);
    /* The same answer without any side effect. */
    bool (*probe)(const void *store, uint64_t va, uint16_t vmid, struct ww_xlat *out);
    /* Enters the page that holds m->va. Who has to leave is written to victims[0 ...] unless that is NULL, at
     * most most_victims() of them, in the order in which they leave: those that an insert clears away (a
     * rebase) first, by their place, the lowest first; then the one whose place the page takes. va of a
     * victim is its page's first address. */
    struct ww_store_entered (*insert)(void *store, const struct ww_mapping *m, struct ww_mapping *victims);
    uint32_t (*most_victims)(const void *store);
    /* First addresses of the pages that the owner enters after this answer (the page that holds m->va), as
     * far as they are mapped and of its size: va[0 ... WW_STORE_MOST_BESIDE - 1], without the page itself and
     * without pages that are held. Returns their number. Changes nothing. NULL: an answer brings its own page
     * only. */
    uint32_t (*beside)(const void *store, const struct ww_mapping *m, uint64_t *va);
    /* As lookup(), and the page is held no longer: it moves up. */
    bool (*take)(void *store, uint64_t va, uint16_t vmid, struct ww_xlat *out);
    /* Drops what is in scope; so many. */
    uint32_t (*invalidate)(void *store, const struct ww_inval_scope *scope);
    /* The memory that translations lie in is wanted for what it is otherwise, bytes [first, first + bytes) of
     * it: drops what is there; so many. It is not entered into before it is released. NULL, both: nobody else
     * has a use for it. */
    uint32_t (*claim)(void *store, uint64_t first, uint64_t bytes);
    void (*release)(void *store, uint64_t first, uint64_t bytes);
    void (*flush)(void *store);
    uint32_t (*count)(const void *store);  /* pages held */
    uint32_t (*probes)(const void *store); /* that the hardware makes for one lookup */
    /* NULL, or the first broken invariant. */
    const char *(*check)(const void *store);
    /* State in hardware: entries with what finds and orders them. */
    uint64_t (*bits)(const void *store, const struct ww_widths *w);
};

WW_END_DECLS

#endif
