/* SPDX-License-Identifier: MIT */
/* kernels/dcache.c - see dcache.h. Blob: header, tag store, one word of dirty bits per set. */
#include "kernels/dcache.h"

#include "kernels/bits.h"

#include <string.h>

#define KEY_LINE WW_BITS64(59, 0)   /* [59:0] pa >> line_shift; line_shift is at least 4 */
#define KEY_VALID WW_BITS64(63, 63) /* [63]   always 1; [62:60] are 0 */

static uint64_t *dirty_of(struct ww_dcache *c)
{
    return (uint64_t *)(void *)((unsigned char *)c + c->dirty_off);
}

static const uint64_t *const_dirty_of(const struct ww_dcache *c)
{
    return (const uint64_t *)(const void *)((const unsigned char *)c + c->dirty_off);
}

static uint32_t set_of(const struct ww_dcache *c, uint64_t pa)
{
    return ww_set_index(c->cfg.index, pa >> c->line_shift, c->set_bits);
}

static uint32_t find(const struct ww_dcache *c, uint64_t pa, uint32_t set)
{
    return ww_assoc_find(&c->tags, c, set, pa >> c->line_shift | KEY_VALID);
}

static uint64_t way_bit(const struct ww_dcache *c, uint32_t slot, uint32_t set)
{
    return (uint64_t)1 << (slot - set * c->tags.stride);
}

static uint64_t pa_of(const struct ww_dcache *c, uint32_t slot)
{
    return (ww_assoc_keys(&c->tags, c)[slot] & KEY_LINE) << c->line_shift;
}

static size_t plan(struct ww_dcache *c, const struct ww_dcache_cfg *cfg)
{
    if (!ww_is_pow2(cfg->sets) || cfg->ways > WW_ASSOC_SCAN_WAYS || !ww_is_pow2(cfg->line_bytes) ||
        cfg->line_bytes < 16 || cfg->line_bytes > 4096 || cfg->index > WW_INDEX_XOR ||
        cfg->write > WW_WRITE_BACK)
        return 0;
    memset(c, 0, sizeof *c);
    c->cfg = *cfg;
    c->set_bits = ww_log2_u64(cfg->sets);
    c->line_shift = ww_log2_u64(cfg->line_bytes);
    c->dirty_off = ww_assoc_plan(&c->tags, cfg->sets, cfg->ways, sizeof *c);
    if (c->dirty_off == 0)
        return 0;
    c->bytes = ww_align64(c->dirty_off + cfg->sets * sizeof(uint64_t));
    return c->bytes;
}

size_t ww_dcache_bytes(const struct ww_dcache_cfg *cfg)
{
    struct ww_dcache c;
    return plan(&c, cfg);
}

int ww_dcache_init(struct ww_dcache *c, size_t bytes, const struct ww_dcache_cfg *cfg)
{
    struct ww_dcache head;
    const int fault = ww_clear(c, bytes, plan(&head, cfg));
    if (fault != WW_OK)
        return fault;
    *c = head;
    return WW_OK;
}

enum ww_dcache_result ww_dcache_lookup(struct ww_dcache *c, uint64_t pa, bool is_write)
{
    const uint32_t set = set_of(c, pa);
    const uint32_t slot = find(c, pa, set);
    if (slot == WW_ASSOC_NONE)
        return WW_DCACHE_MISS;
    ww_assoc_touch(&c->tags, c, slot);
    if (is_write && c->cfg.write == WW_WRITE_BACK)
        dirty_of(c)[set] |= way_bit(c, slot, set);
    return WW_DCACHE_HIT;
}

bool ww_dcache_probe(const struct ww_dcache *c, uint64_t pa)
{
    return find(c, pa, set_of(c, pa)) != WW_ASSOC_NONE;
}

void ww_dcache_fill(struct ww_dcache *c, uint64_t pa, bool dirty, struct ww_dcache_victim *v)
{
    WW_ASSERT(!dirty || c->cfg.write == WW_WRITE_BACK);
    const uint32_t set = set_of(c, pa);
    uint64_t *word = &dirty_of(c)[set];
    uint32_t slot = find(c, pa, set);
    *v = (struct ww_dcache_victim){.valid = false};
    if (slot == WW_ASSOC_NONE) {
        slot = ww_assoc_victim(&c->tags, c, set);
        const uint64_t bit = way_bit(c, slot, set);
        v->valid = ww_assoc_keys(&c->tags, c)[slot] != 0;
        v->dirty = (*word & bit) != 0;
        v->pa = pa_of(c, slot);
        *word &= ~bit;
        ww_assoc_put(&c->tags, c, slot, pa >> c->line_shift | KEY_VALID);
    } else {
        ww_assoc_touch(&c->tags, c, slot);
    }
    if (dirty)
        *word |= way_bit(c, slot, set);
}

bool ww_dcache_set_dirty(const struct ww_dcache *c, uint64_t pa)
{
    return const_dirty_of(c)[set_of(c, pa)] != 0;
}

bool ww_dcache_invalidate(struct ww_dcache *c, uint64_t pa, bool *was_dirty)
{
    const uint32_t set = set_of(c, pa);
    const uint32_t slot = find(c, pa, set);
    if (slot == WW_ASSOC_NONE)
        return false;
    const uint64_t bit = way_bit(c, slot, set);
    *was_dirty = (dirty_of(c)[set] & bit) != 0;
    dirty_of(c)[set] &= ~bit;
    ww_assoc_drop(&c->tags, c, slot);
    return true;
}

/* The cursor counts 64 per set, one for each dirty bit. */
bool ww_dcache_clean_next(struct ww_dcache *c, uint32_t *cursor, uint64_t *pa)
{
    uint64_t *dirty = dirty_of(c);
    for (uint32_t set = *cursor / 64; set < c->cfg.sets; ++set, *cursor = set * 64) {
        const uint64_t left = dirty[set] & UINT64_MAX << (*cursor % 64);
        if (left == 0)
            continue;
        const uint32_t way = (uint32_t)__builtin_ctzll(left);
        dirty[set] &= ~((uint64_t)1 << way);
        *pa = pa_of(c, set * c->tags.stride + way);
        *cursor = set * 64 + way;
        return true;
    }
    return false;
}

void ww_dcache_flush(struct ww_dcache *c)
{
    ww_assoc_flush(&c->tags, c);
    memset(dirty_of(c), 0, c->cfg.sets * sizeof(uint64_t));
}

const char *ww_dcache_check(const struct ww_dcache *c)
{
    const char *broken = ww_assoc_check(&c->tags, c);
    if (broken != NULL)
        return broken;
    const uint64_t *keys = ww_assoc_keys(&c->tags, c);
    for (uint32_t set = 0; set < c->cfg.sets; ++set) {
        uint64_t valid = 0;
        for (uint32_t way = 0; way < c->cfg.ways; ++way) {
            const uint32_t slot = set * c->tags.stride + way;
            if (keys[slot] == 0)
                continue;
            valid |= way_bit(c, slot, set);
            if ((keys[slot] & ~KEY_LINE) != KEY_VALID || set_of(c, pa_of(c, slot)) != set)
                return "dcache: a line in the wrong set or with bits outside its tag";
        }
        if ((const_dirty_of(c)[set] & ~valid) != 0)
            return "dcache: a dirty bit without a line";
        if (c->cfg.write == WW_WRITE_THROUGH && const_dirty_of(c)[set] != 0)
            return "dcache: a dirty line in a write-through cache";
    }
    return NULL;
}

uint64_t ww_dcache_bits(const struct ww_dcache_cfg *cfg, const struct ww_widths *w)
{
    const uint32_t tag = w->pa - ww_name_bits(cfg->line_bytes) - ww_name_bits(cfg->sets);
    const uint32_t dirty = cfg->write == WW_WRITE_BACK ? 1 : 0;
    return (uint64_t)cfg->sets * cfg->ways * (1 + dirty + tag) + ww_lru_bits(cfg->sets, cfg->ways);
}

const char *ww_write_policy_name(enum ww_write_policy policy)
{
    static const char *const names[] = {
#define WW_DCACHE_NAME(id, text) text,
        WW_WRITE_LIST(WW_DCACHE_NAME)};
    WW_ASSERT((uint32_t)policy < sizeof names / sizeof names[0]);
    return names[policy];
}

const char *ww_dcache_result_name(enum ww_dcache_result result)
{
    static const char *const names[] = {WW_DCACHE_RESULT_LIST(WW_DCACHE_NAME)
#undef WW_DCACHE_NAME
    };
    WW_ASSERT((uint32_t)result < sizeof names / sizeof names[0]);
    return names[result];
}
