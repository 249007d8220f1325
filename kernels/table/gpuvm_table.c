/* SPDX-License-Identifier: MIT */
/* kernels/table/gpuvm_table.c - see gpuvm_table.h. An entry is named by its word index in the arena. Time:
 * none. Allocation: none. */
#include "kernels/table/gpuvm_table.h"

static uint32_t node_of(const struct ww_gpuvm *t, uint64_t entry)
{
    return (uint32_t)(((entry & WW_GPUVM_TABLE) - t->cfg.arena_pa) / WW_NODE_BYTES);
}

/* True if the entries of this level are pages unless they have TF. */
static bool pages_at(const struct ww_gpuvm_cfg *cfg, uint32_t level)
{
    return cfg->further && level == 2;
}

static enum ww_gpuvm_kind kind_at(const struct ww_gpuvm *t, uint64_t entry, uint32_t level)
{
    return ww_gpuvm_kind((enum ww_gpuvm_generation)t->cfg.generation, entry, level, pages_at(&t->cfg, level));
}

/* Returns P if a page of this level needs it, else 0. */
static uint64_t page_bit(const struct ww_gpuvm_cfg *cfg, uint32_t level)
{
    return level == 1 || pages_at(cfg, level)
               ? 0
               : ww_gpuvm_layout_of((enum ww_gpuvm_generation)cfg->generation).page;
}

static uint64_t table_entry(const struct ww_gpuvm *t, uint32_t node_idx, uint32_t level)
{
    const struct ww_gpuvm_layout of = ww_gpuvm_layout_of((enum ww_gpuvm_generation)t->cfg.generation);
    const uint64_t entry = (t->cfg.arena_pa + (uint64_t)node_idx * WW_NODE_BYTES) | WW_GPUVM_V;
    if (pages_at(&t->cfg, level))
        return entry | of.further;
    return pages_at(&t->cfg, level - 1) ? ww_bits_put(of.block, entry, WW_GPUVM_FURTHER) : entry;
}

/* Returns a node of this level whose entries point nowhere. Required: one is left. */
static uint32_t take_node(struct ww_gpuvm *t, uint64_t *arena, uint32_t level)
{
    const uint64_t nowhere = level == 1 ? WW_GPUVM_X : page_bit(&t->cfg, level);
    uint64_t *node = &arena[(size_t)t->nodes * WW_NODE_ENTRIES];
    for (uint32_t i = 0; i < WW_NODE_ENTRIES; i++)
        node[i] = nowhere;
    return t->nodes++;
}

static bool cfg_legal(const struct ww_gpuvm_cfg *cfg)
{
    return cfg->generation <= WW_GPUVM_GFX12 && cfg->levels - 1u < WW_GPUVM_LEVELS_MAX &&
           (!cfg->further || (cfg->generation == WW_GPUVM_GFX9 && cfg->levels >= 3));
}

int ww_gpuvm_init(struct ww_gpuvm *t, const struct ww_gpuvm_cfg *cfg, uint64_t *arena, size_t words)
{
    const uint64_t last_pa = cfg->arena_pa + (uint64_t)cfg->max_nodes * WW_NODE_BYTES - WW_NODE_BYTES;
    if (!cfg_legal(cfg) || cfg->max_nodes == 0 || ((cfg->arena_pa | last_pa) & ~WW_GPUVM_PA) != 0)
        return WW_E_ARG;
    if (words / WW_NODE_ENTRIES < cfg->max_nodes)
        return WW_E_SIZE;
    t->cfg = *cfg;
    t->nodes = 0;
    (void)take_node(t, arena, cfg->levels);
    return WW_OK;
}

struct ww_table ww_gpuvm_table(const struct ww_gpuvm *t)
{
    return ww_gpuvm_space((enum ww_gpuvm_generation)t->cfg.generation, t->cfg.levels, t->cfg.arena_pa);
}

/* Returns the level of a page of this size; 0: there is none. */
static uint32_t leaf_level(const struct ww_gpuvm_cfg *cfg, uint32_t page_shift)
{
    const uint32_t fragment = page_shift - (uint32_t)WW_PAGE_4K;
    if (page_shift < WW_PAGE_4K || fragment > WW_GPUVM_FRAGMENT_MAX)
        return 0;
    if (cfg->in_blocks)
        return fragment <= WW_LEVEL_BITS ? 1 : 0;
    return ww_page_level(page_shift) <= cfg->levels ? ww_page_level(page_shift) : 0;
}

/* Returns how many entries of this level a page fills. */
static uint32_t entries_of(uint32_t page_shift, uint32_t level)
{
    return 1u << (page_shift - ww_level_shift(level));
}

int ww_gpuvm_map(struct ww_gpuvm *t, uint64_t *arena, uint64_t va, uint64_t pa, uint32_t page_shift,
                 uint8_t perm)
{
    const uint32_t leaf = leaf_level(&t->cfg, page_shift);
    if (leaf == 0 || va >> ww_va_bits(t->cfg.levels) != 0 || (pa & ~WW_GPUVM_PA) != 0 ||
        ((va | pa) & ww_page_mask(page_shift)) != 0 || (perm & WW_PERM_R) == 0 || perm > WW_PERM_ALL)
        return WW_E_ARG;
    struct ww_place p = ww_place_in(0, va, t->cfg.levels);
    while (p.level > leaf && kind_at(t, arena[p.word], p.level) == WW_GPUVM_NEXT)
        p = ww_place_in(node_of(t, arena[p.word]), va, p.level - 1);
    const uint32_t entries = entries_of(page_shift, leaf);
    for (uint32_t i = 0; i < (p.level == leaf ? entries : 1); i++)
        if ((arena[p.word + i] & WW_GPUVM_V) != 0)
            return WW_E_ARG;
    if (t->cfg.max_nodes - t->nodes < p.level - leaf)
        return WW_E_SIZE;

    while (p.level > leaf) {
        const uint32_t node_idx = take_node(t, arena, p.level - 1);
        arena[p.word] = table_entry(t, node_idx, p.level);
        p = ww_place_in(node_idx, va, p.level - 1);
    }
    const uint64_t flags = ww_bits_put(WW_GPUVM_FRAG, WW_GPUVM_V, page_shift - WW_PAGE_4K) |
                           ww_gpuvm_rights(perm) | page_bit(&t->cfg, leaf);
    for (uint32_t i = 0; i < entries; i++)
        arena[p.word + i] = (pa + (uint64_t)i * ww_page_bytes(ww_level_shift(leaf))) | flags;
    return WW_OK;
}

bool ww_gpuvm_lookup(const struct ww_gpuvm *t, const uint64_t *arena, uint64_t va, struct ww_xlat *out)
{
    const struct ww_table table = ww_gpuvm_table(t);
    return ww_table_lookup(&table, arena, t->cfg.arena_pa, va, out);
}

uint64_t ww_gpuvm_nodes_needed(const struct ww_gpuvm_cfg *cfg, uint64_t va, uint64_t bytes,
                               uint32_t page_shift)
{
    const uint64_t last_va = va + bytes - 1;
    if (!cfg_legal(cfg) || leaf_level(cfg, page_shift) == 0 || bytes == 0)
        return 0;
    if (last_va < va || last_va >> ww_va_bits(cfg->levels) != 0)
        return 0;
    return ww_nodes_of_range(va, last_va, leaf_level(cfg, page_shift), cfg->levels);
}

/* Returns NULL, or what is wrong with entry `index` of a node of this level. Required: it is no table's. */
static const char *check_entry(const struct ww_gpuvm *t, const uint64_t *node, uint32_t index, uint32_t level)
{
    const uint64_t entry = node[index];
    const enum ww_gpuvm_kind kind = kind_at(t, entry, level);
    if (kind == WW_GPUVM_MALFORMED)
        return "an entry is malformed";
    if (kind != WW_GPUVM_PAGE)
        return NULL;
    const uint32_t shift = (uint32_t)WW_PAGE_4K + (uint32_t)ww_bits_get(WW_GPUVM_FRAG, entry);
    if (shift < ww_level_shift(level) || shift - ww_level_shift(level) > WW_LEVEL_BITS)
        return "a fragment is smaller than its entry, or larger than its node";
    const uint32_t entries = entries_of(shift, level), first = index & ~(entries - 1);
    if ((node[first] & ww_page_mask(shift) & WW_GPUVM_PA) != 0)
        return "a fragment is not aligned contiguous entries";
    for (uint32_t i = 0; i < entries; i++)
        if (node[first + i] != node[first] + i * ww_page_bytes(ww_level_shift(level)))
            return "a fragment is not aligned contiguous entries";
    return NULL;
}

/* Depth first without recursion: index[level] is the current entry of node[level]. */
const char *ww_gpuvm_check(const struct ww_gpuvm *t, const uint64_t *arena)
{
    uint32_t node[WW_GPUVM_LEVELS_MAX + 1] = {0}, index[WW_GPUVM_LEVELS_MAX + 1] = {0};
    uint32_t level = t->cfg.levels, reached = 1;
    for (;;) {
        if (index[level] == WW_NODE_ENTRIES) {
            if (level == t->cfg.levels)
                return reached == t->nodes ? NULL : "a node in use cannot be reached";
            level++;
            index[level]++;
            continue;
        }
        const uint64_t *entries = &arena[(size_t)node[level] * WW_NODE_ENTRIES];
        const uint64_t entry = entries[index[level]];
        if (kind_at(t, entry, level) != WW_GPUVM_NEXT) {
            const char *broken = check_entry(t, entries, index[level], level);
            if (broken != NULL)
                return broken;
            index[level]++;
            continue;
        }
        if ((entry & WW_GPUVM_TABLE & ~WW_GPUVM_PA) != 0 || node_of(t, entry) >= t->nodes)
            return "a table entry points outside the table";
        if (++reached > t->nodes)
            return "more nodes can be reached than are in use";
        level--;
        node[level] = node_of(t, entry);
        index[level] = 0;
    }
}
