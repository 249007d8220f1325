/* SPDX-License-Identifier: MIT */
/* kernels/lds_alloc.h - which bytes of a local data share belong to a work-group. Each gets one piece of
 * whole granules, the lowest that is large enough; released pieces leave holes between those still in use
 * (fragmentation). Models: the allocator of [M21 section 2.2 and 4.2.1]; docs/model/lds.md. State: a bit per
 * granule. Not modelled: several pieces for one work-group, moving a piece. Time: none. Allocation: none. */
#ifndef WW_KERNELS_LDS_ALLOC_H
#define WW_KERNELS_LDS_ALLOC_H

#include "kernels/base.h"

WW_BEGIN_DECLS

#define WW_LDS_ALLOC_NONE UINT32_MAX

struct ww_lds_alloc_cfg {
    uint32_t bytes;   /* 0..2^20; a partial granule at the end is never used */
    uint32_t granule; /* bytes, power of two, 4..65536 */
};

struct ww_lds_alloc {
    struct ww_lds_alloc_cfg cfg;
    uint32_t granules, used;
    uint64_t words_off; /* offset of the bitmap: bit n of word w: granule 64 w + n is in use */
};

/* Returns the bytes of storage, aligned to 64 bytes, or 0 if the configuration is illegal. */
size_t ww_lds_alloc_bytes(const struct ww_lds_alloc_cfg *cfg);
int ww_lds_alloc_init(struct ww_lds_alloc *a, size_t bytes, const struct ww_lds_alloc_cfg *cfg);
/* Returns the first byte of the lowest free piece of `bytes` bytes, or WW_LDS_ALLOC_NONE; 0 if bytes is 0. */
uint32_t ww_lds_alloc_find(const struct ww_lds_alloc *a, uint32_t bytes);
/* Take a piece that find() returned, and release one that was taken, with the same first byte and size. */
void ww_lds_alloc_take(struct ww_lds_alloc *a, uint32_t first, uint32_t bytes);
void ww_lds_alloc_release(struct ww_lds_alloc *a, uint32_t first, uint32_t bytes);
const char *ww_lds_alloc_check(const struct ww_lds_alloc *a);

/* Returns the bytes that a piece of `bytes` bytes occupies: whole granules. */
static inline uint32_t ww_lds_alloc_rounded(const struct ww_lds_alloc *a, uint32_t bytes)
{
    return (bytes + (a->cfg.granule - 1)) & ~(a->cfg.granule - 1);
}

WW_END_DECLS

#endif
