/* SPDX-License-Identifier: MIT */
/* kernels/walk/pte_cache.c - see pte_cache.h. Blob: header, tag store, eight words per slot. */
#include "kernels/walk/pte_cache.h"

#include "kernels/bits.h"

#include <string.h>

#define LINE_SHIFT 6
#define KEY_LINE WW_BITS64(57, 0)   /* [57:0] pa >> 6 */
#define KEY_VALID WW_BITS64(63, 63) /* [63]   always 1; [62:58] are 0 */

static uint64_t *words_of(struct ww_pte_cache *c, uint32_t slot)
{
    return (uint64_t *)(void *)((unsigned char *)c + c->lines_off) + (size_t)slot * WW_PTE_LINE_WORDS;
}

static uint32_t set_of(const struct ww_pte_cache *c, uint64_t line_number)
{
    return c->tags.sets == 1 ? 0 : (uint32_t)(line_number % c->tags.sets);
}

static uint32_t find(const struct ww_pte_cache *c, uint64_t line_number)
{
    return ww_assoc_find(&c->tags, c, set_of(c, line_number), line_number | KEY_VALID);
}

static size_t plan(struct ww_pte_cache *c, const struct ww_pte_cache_cfg *cfg)
{
    const uint32_t lines = cfg->bytes / WW_PTE_LINE_BYTES;
    const uint32_t ways = cfg->ways == 0 ? lines : cfg->ways;
    if (lines == 0 || cfg->bytes % WW_PTE_LINE_BYTES != 0 || lines % ways != 0)
        return 0;
    memset(c, 0, sizeof *c);
    c->cfg = *cfg;
    c->lines_off = ww_assoc_plan(&c->tags, lines / ways, ways, sizeof *c);
    if (c->lines_off == 0)
        return 0;
    c->bytes = c->lines_off + (size_t)ww_assoc_slots(&c->tags) * WW_PTE_LINE_BYTES;
    return c->bytes;
}

size_t ww_pte_cache_bytes(const struct ww_pte_cache_cfg *cfg)
{
    struct ww_pte_cache c;
    return plan(&c, cfg);
}

int ww_pte_cache_init(struct ww_pte_cache *c, size_t bytes, const struct ww_pte_cache_cfg *cfg)
{
    struct ww_pte_cache head;
    const int fault = ww_clear(c, bytes, plan(&head, cfg));
    if (fault != WW_OK)
        return fault;
    *c = head;
    return WW_OK;
}

bool ww_pte_cache_lookup(struct ww_pte_cache *c, uint64_t pa, uint64_t line[8])
{
    const uint32_t slot = find(c, pa >> LINE_SHIFT);
    if (slot == WW_ASSOC_NONE)
        return false;
    ww_assoc_touch(&c->tags, c, slot);
    memcpy(line, words_of(c, slot), WW_PTE_LINE_BYTES);
    return true;
}

bool ww_pte_cache_probe(const struct ww_pte_cache *c, uint64_t pa, uint64_t line[8])
{
    const uint32_t slot = find(c, pa >> LINE_SHIFT);
    if (slot == WW_ASSOC_NONE)
        return false;
    memcpy(line, (const unsigned char *)c + c->lines_off + (size_t)slot * WW_PTE_LINE_BYTES,
           WW_PTE_LINE_BYTES);
    return true;
}

void ww_pte_cache_fill(struct ww_pte_cache *c, uint64_t pa, const uint64_t line[8])
{
    const uint64_t line_number = pa >> LINE_SHIFT;
    uint32_t slot = find(c, line_number);
    if (slot == WW_ASSOC_NONE) {
        slot = ww_assoc_victim(&c->tags, c, set_of(c, line_number));
        ww_assoc_put(&c->tags, c, slot, line_number | KEY_VALID);
    } else {
        ww_assoc_touch(&c->tags, c, slot);
    }
    memcpy(words_of(c, slot), line, WW_PTE_LINE_BYTES);
}

uint32_t ww_pte_cache_invalidate(struct ww_pte_cache *c, uint64_t pa, uint64_t bytes)
{
    const uint64_t *keys = ww_assoc_keys(&c->tags, c);
    uint32_t dropped = 0;
    if (bytes == 0)
        return 0;
    const uint64_t last_pa = bytes - 1 > UINT64_MAX - pa ? UINT64_MAX : pa + bytes - 1;
    for (uint32_t slot = 0; slot < ww_assoc_slots(&c->tags); ++slot) {
        const uint64_t line_number = keys[slot] & KEY_LINE;
        if (keys[slot] == 0 || line_number < pa >> LINE_SHIFT || line_number > last_pa >> LINE_SHIFT)
            continue;
        ww_assoc_drop(&c->tags, c, slot);
        dropped += 1;
    }
    return dropped;
}

void ww_pte_cache_flush(struct ww_pte_cache *c)
{
    ww_assoc_flush(&c->tags, c);
}

const char *ww_pte_cache_check(const struct ww_pte_cache *c)
{
    const char *broken = ww_assoc_check(&c->tags, c);
    if (broken != NULL)
        return broken;
    const uint64_t *keys = ww_assoc_keys(&c->tags, c);
    for (uint32_t slot = 0; slot < ww_assoc_slots(&c->tags); ++slot) {
        if (keys[slot] == 0)
            continue;
        if ((keys[slot] & ~KEY_LINE) != KEY_VALID)
            return "pte_cache: a tag with bits outside its fields";
        if (slot / c->tags.stride != set_of(c, keys[slot] & KEY_LINE))
            return "pte_cache: a line in the wrong set";
    }
    return NULL;
}

uint64_t ww_pte_cache_bits(const struct ww_pte_cache_cfg *cfg, const struct ww_widths *w)
{
    const uint32_t lines = cfg->bytes / WW_PTE_LINE_BYTES;
    if (lines == 0)
        return 0;
    const uint32_t ways = cfg->ways == 0 ? lines : cfg->ways;
    const uint32_t sets = lines / ways; /* any number: the tag is the line's number / sets */
    const uint32_t tag = w->pa - ww_name_bits(WW_PTE_LINE_BYTES) - ww_log2_u64(sets);
    return (uint64_t)lines * (1 + tag + 8 * WW_PTE_LINE_BYTES) + ww_lru_bits(sets, ways);
}
