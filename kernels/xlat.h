/* SPDX-License-Identifier: MIT */
/* kernels/xlat.h - a finished translation: a page's physical address, its size and its permissions.
 * Not modelled: memory types, global pages, user and supervisor.
 * Time: none. Allocation: none. */
#ifndef WW_KERNELS_XLAT_H
#define WW_KERNELS_XLAT_H

#include "kernels/addr.h"
#include "kernels/base.h"

WW_BEGIN_DECLS

enum ww_perm {
    WW_PERM_R = 1,
    WW_PERM_W = 2,
    WW_PERM_X = 4,
};

#define WW_PERM_ALL ((uint8_t)(WW_PERM_R | WW_PERM_W | WW_PERM_X))

struct ww_xlat {
    uint64_t page_pa;   /* physical address of the page's first byte */
    uint8_t page_shift; /* enum ww_page_shift */
    uint8_t perm;       /* enum ww_perm bits */
};

/* A page of one VM and its translation. */
struct ww_mapping {
    uint64_t va; /* an address in the page */
    struct ww_xlat xlat;
    uint16_t vmid;
};

/* Returns the physical address of `va`. Required: va lies in the page that `x` translates. */
static inline uint64_t ww_xlat_pa(const struct ww_xlat *x, uint64_t va)
{
    return x->page_pa | (va & ww_page_mask(x->page_shift));
}

static inline bool ww_xlat_same(const struct ww_xlat *a, const struct ww_xlat *b)
{
    return a->page_pa == b->page_pa && a->page_shift == b->page_shift && a->perm == b->perm;
}

WW_END_DECLS

#endif
