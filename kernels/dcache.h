/* SPDX-License-Identifier: MIT */
/* kernels/dcache.h - data cache by physical address: tags, LRU and dirty bits; the data stay in the simulated
 * memory. Models: L1D per CU and the shared L2D of [M18 Table I], [M21], [P24]. docs/model/data-cache.md.
 * Write-through does not allocate on a write miss and never holds a dirty line; write-back allocates.
 * Not modelled: data, coherence between caches, sectors, partial writes.
 * Time: none. Allocation: none. */
#ifndef WW_KERNELS_DCACHE_H
#define WW_KERNELS_DCACHE_H

#include "kernels/addr.h"
#include "kernels/base.h"
#include "kernels/store/assoc.h"
#include "kernels/store/index.h"

WW_BEGIN_DECLS

/* A set takes at least 16 slots of ww_assoc. */
#define WW_DCACHE_MAX_SETS (WW_ASSOC_MAX_SLOTS / 16u)

#define WW_WRITE_LIST(X)                                                                                     \
    X(WW_WRITE_THROUGH, "through")                                                                           \
    X(WW_WRITE_BACK, "back")
#define WW_DCACHE_RESULT_LIST(X)                                                                             \
    X(WW_DCACHE_MISS, "miss")                                                                                \
    X(WW_DCACHE_HIT, "hit")

#define WW_DCACHE_ENUM(id, text) id,
enum ww_write_policy { WW_WRITE_LIST(WW_DCACHE_ENUM) };
enum ww_dcache_result { WW_DCACHE_RESULT_LIST(WW_DCACHE_ENUM) };
#undef WW_DCACHE_ENUM

struct ww_dcache_cfg {
    uint32_t sets;       /* power of two */
    uint32_t ways;       /* 1..64 */
    uint32_t line_bytes; /* power of two, 16..4096 */
    uint8_t index;       /* enum ww_index_kind */
    uint8_t write;       /* enum ww_write_policy */
};

struct ww_dcache_victim {
    bool valid; /* a line was evicted */
    bool dirty; /* the line must be written back */
    uint64_t pa;
};

struct ww_dcache {
    struct ww_dcache_cfg cfg;
    uint64_t bytes;
    struct ww_assoc tags;
    uint64_t dirty_off; /* offset of the dirty bits: a word per set, bit n is way n */
    uint32_t set_bits, line_shift;
};

size_t ww_dcache_bytes(const struct ww_dcache_cfg *cfg);
int ww_dcache_init(struct ww_dcache *c, size_t bytes, const struct ww_dcache_cfg *cfg);
/* Looks up the line that holds pa. A hit makes it the most recently used; a write hit in a write-back cache
 * makes it dirty. ww_dcache_probe() has no side effect. */
enum ww_dcache_result ww_dcache_lookup(struct ww_dcache *c, uint64_t pa, bool is_write);
bool ww_dcache_probe(const struct ww_dcache *c, uint64_t pa);
/* Enters the line of pa. A line already held is refreshed and stays dirty if it was. Always sets *v. Required
 * (asserted): `dirty` is false unless the cache is write-back. */
void ww_dcache_fill(struct ww_dcache *c, uint64_t pa, bool dirty, struct ww_dcache_victim *v);
/* True if the set of pa holds a dirty line, so that a fill may have to write one back. */
bool ww_dcache_set_dirty(const struct ww_dcache *c, uint64_t pa);
/* Drops the line of pa. Returns true if it was held; only then sets *was_dirty, true if its data had not been
 * written back. */
bool ww_dcache_invalidate(struct ww_dcache *c, uint64_t pa, bool *was_dirty);
/* Cleans the next dirty line at or after *cursor (start at 0). Returns true and its address in *pa, or false
 * if there is none. */
bool ww_dcache_clean_next(struct ww_dcache *c, uint32_t *cursor, uint64_t *pa);
/* Drops every line. Dirty lines are lost: clean them first. */
void ww_dcache_flush(struct ww_dcache *c);
const char *ww_dcache_check(const struct ww_dcache *c);
/* Returns the bits of state in hardware without the data. Per line: valid, dirty if lines are written back,
 * tag (address without the set's bits), place in the replacement order. */
uint64_t ww_dcache_bits(const struct ww_dcache_cfg *cfg, const struct ww_widths *w);
const char *ww_write_policy_name(enum ww_write_policy policy);
const char *ww_dcache_result_name(enum ww_dcache_result result);

static inline uint32_t ww_dcache_count(const struct ww_dcache *c)
{
    return c->tags.live;
}

WW_END_DECLS

#endif
