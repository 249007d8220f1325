/* SPDX-License-Identifier: MIT */
/* kernels/walk/pte_cache.h - cache of 64-byte page-table lines by physical address, with their contents.
 * Models: the comparison design of [M18 section VI], 1.5 to 16 KiB at the IOMMU: it holds lines of every
 * level, leaves too; a walker still has to access it. docs/model/page-walk-cache.md. State of an entry: tag =
 * pa >> 6; content = the line's 8 table entries. LRU. The number of sets is arbitrary. Not modelled: writes
 * by walkers (accessed and dirty bits); a change of the table needs ww_pte_cache_invalidate(). Time: none.
 * Allocation: none. */
#ifndef WW_KERNELS_PTE_CACHE_H
#define WW_KERNELS_PTE_CACHE_H

#include "kernels/addr.h"
#include "kernels/base.h"
#include "kernels/store/assoc.h"

WW_BEGIN_DECLS

#define WW_PTE_LINE_BYTES 64u
#define WW_PTE_LINE_WORDS 8u

struct ww_pte_cache_cfg {
    uint32_t bytes; /* a multiple of 64 */
    uint32_t ways;  /* must divide the number of lines; 0 = fully associative (up to 4096 lines) */
};

struct ww_pte_cache {
    struct ww_pte_cache_cfg cfg;
    uint64_t bytes;
    struct ww_assoc tags;
    uint64_t lines_off;
};

size_t ww_pte_cache_bytes(const struct ww_pte_cache_cfg *cfg);
int ww_pte_cache_init(struct ww_pte_cache *c, size_t bytes, const struct ww_pte_cache_cfg *cfg);
/* Looks up the line that holds pa. A hit sets `line` and makes it the most recently used; a miss leaves
 * `line` alone. */
bool ww_pte_cache_lookup(struct ww_pte_cache *c, uint64_t pa, uint64_t line[8]);
/* Answers as lookup() does, without side effect. */
bool ww_pte_cache_probe(const struct ww_pte_cache *c, uint64_t pa, uint64_t line[8]);
/* Enters or refreshes a line. */
void ww_pte_cache_fill(struct ww_pte_cache *c, uint64_t pa, const uint64_t line[8]);
/* Drops every line that overlaps [pa, pa + bytes). Returns how many. */
uint32_t ww_pte_cache_invalidate(struct ww_pte_cache *c, uint64_t pa, uint64_t bytes);
void ww_pte_cache_flush(struct ww_pte_cache *c);
const char *ww_pte_cache_check(const struct ww_pte_cache *c);
/* Returns the bits of state in hardware, per line: valid, tag (address without the set's bits), its bytes,
 * and its place in the order of its set. 0 if cfg->bytes is 0. */
uint64_t ww_pte_cache_bits(const struct ww_pte_cache_cfg *cfg, const struct ww_widths *w);

static inline uint32_t ww_pte_cache_count(const struct ww_pte_cache *c)
{
    return c->tags.live;
}

WW_END_DECLS

#endif
