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

/* A set takes at least 16 places of ww_assoc. */
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
    bool dirty; /* and must be written back */
    uint64_t pa;
};

struct ww_dcache {
    struct ww_dcache_cfg cfg;
    uint64_t bytes;
    struct ww_assoc tags;
    uint64_t dirty_off; /* one word a set, bit = way */
    uint32_t set_bits, line_shift;
};

size_t ww_dcache_bytes(const struct ww_dcache_cfg *cfg);
int ww_dcache_init(struct ww_dcache *c, size_t bytes, const struct ww_dcache_cfg *cfg);
/* pa is any address inside the line. A hit touches the line; a write hit marks it dirty when the cache writes
 * back. */
enum ww_dcache_result ww_dcache_lookup(struct ww_dcache *c, uint64_t pa, bool is_write);
bool ww_dcache_probe(const struct ww_dcache *c, uint64_t pa);
/* Enter a line; dirty only in a write-back cache. A line that is held is refreshed (and stays dirty if it
 * was). *v is always written. */
void ww_dcache_fill(struct ww_dcache *c, uint64_t pa, bool dirty, struct ww_dcache_victim *v);
/* True if the set of pa holds a dirty line, so that a fill may have to write one back. */
bool ww_dcache_set_dirty(const struct ww_dcache *c, uint64_t pa);
/* Drop the line of pa; true if it was held, *was_dirty then says whether its contents are lost. */
bool ww_dcache_invalidate(struct ww_dcache *c, uint64_t pa, bool *was_dirty);
/* Clean the next dirty line at or behind *cursor (start at 0): true with its address, false when none is
 * left. */
bool ww_dcache_clean_next(struct ww_dcache *c, uint32_t *cursor, uint64_t *pa);
/* Drop every line, dirty or not: clean first. */
void ww_dcache_flush(struct ww_dcache *c);
const char *ww_dcache_check(const struct ww_dcache *c);
/* Bits of state in hardware, without the data. Per line: valid, dirty if lines are written back, tag (address
 * without the set's bits), place in the replacement order. */
uint64_t ww_dcache_bits(const struct ww_dcache_cfg *cfg, const struct ww_widths *w);
const char *ww_write_policy_name(enum ww_write_policy policy);
const char *ww_dcache_result_name(enum ww_dcache_result result);

static inline uint32_t ww_dcache_count(const struct ww_dcache *c)
{
    return c->tags.live;
}

WW_END_DECLS

#endif
