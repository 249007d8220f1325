/* SPDX-License-Identifier: MIT */
/* kernels/table/amd_table.c - see amd_table.h. An entry is named by its word index in the arena. The entry
 * above a node names the node's level. Time: none. Allocation: none. */
#include "kernels/table/amd_table.h"

#include <string.h>

#include "kernels/table/table_amd.h"

static uint32_t node_of(const struct ww_amd *t, uint64_t pte)
{
    return (uint32_t)(((pte & WW_AMD_ADDR) - t->cfg.arena_pa) / WW_NODE_BYTES);
}

/* Descends while entries are tables on the path of `va`, at most to `stop_level`. */
static struct ww_place descend(const struct ww_amd *t, const uint64_t *arena, uint64_t va,
                               uint32_t stop_level)
{
    struct ww_place p = ww_place_in(0, va, t->cfg.mode);
    while (ww_amd_kind(arena[p.word], p.level) == WW_AMD_TABLE) {
        const uint32_t next = ww_amd_next_level(arena[p.word]);
        if (next < stop_level || ww_amd_skips_bits(va, p.level, next))
            break;
        p = ww_place_in(node_of(t, arena[p.word]), va, next);
    }
    return p;
}

/* Returns a zeroed node. Required: one is left. */
static uint32_t take_node(struct ww_amd *t, uint64_t *arena)
{
    memset(&arena[(size_t)t->nodes * WW_NODE_ENTRIES], 0, WW_NODE_BYTES);
    return t->nodes++;
}

/* Adds a node of this level under the entry at `p`. Returns the node's entry for `va`. */
static struct ww_place hang(struct ww_amd *t, uint64_t *arena, struct ww_place p, uint64_t va, uint32_t level)
{
    const uint32_t node_idx = take_node(t, arena);
    arena[p.word] = ww_amd_table_entry(t->cfg.arena_pa + (uint64_t)node_idx * WW_NODE_BYTES, level);
    return ww_place_in(node_idx, va, level);
}

/* Returns the level of the node to add under an absent entry at `level`, towards a page at leaf_level. */
static uint32_t level_below(const struct ww_amd *t, uint64_t va, uint32_t level, uint32_t leaf_level)
{
    uint32_t next = level - 1;
    while (t->cfg.skip && next > leaf_level && ww_index(va, next) == 0)
        next--;
    return next;
}

/* Returns the highest level below `level` where the index of `va` is not 0. Required: there is one. */
static uint32_t level_apart(uint64_t va, uint32_t level)
{
    do {
        level--;
    } while (ww_index(va, level) == 0);
    return level;
}

int ww_amd_init(struct ww_amd *t, const struct ww_amd_cfg *cfg, uint64_t *arena, size_t words)
{
    const uint64_t last_pa = cfg->arena_pa + (uint64_t)cfg->max_nodes * WW_NODE_BYTES - WW_NODE_BYTES;
    if (cfg->mode - 1u >= WW_AMD_LEVELS_MAX || cfg->max_nodes == 0)
        return WW_E_ARG;
    if (((cfg->arena_pa | last_pa) & ~WW_AMD_ADDR) != 0)
        return WW_E_ARG;
    if (words / WW_NODE_ENTRIES < cfg->max_nodes)
        return WW_E_SIZE;
    t->cfg = *cfg;
    t->nodes = 0;
    (void)take_node(t, arena);
    return WW_OK;
}

static bool page_legal(uint32_t mode, uint32_t page_shift)
{
    return page_shift >= WW_PAGE_4K && page_shift <= WW_AMD_PAGE_SHIFT_MAX &&
           ww_page_level(page_shift) <= mode;
}

static bool map_args_legal(const struct ww_amd *t, uint64_t va, uint64_t pa, uint32_t page_shift,
                           uint8_t perm)
{
    if (!page_legal(t->cfg.mode, page_shift) || va >> ww_amd_va_bits(t->cfg.mode) != 0)
        return false;
    if ((pa & ~WW_AMD_ADDR) != 0 || ((va | pa) & ww_page_mask(page_shift)) != 0)
        return false;
    return (perm | WW_PERM_W) == WW_PERM_ALL;
}

static bool all_absent(const uint64_t *entry, uint32_t entries)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < entries; i++)
        any |= entry[i];
    return any == 0;
}

int ww_amd_map(struct ww_amd *t, uint64_t *arena, uint64_t va, uint64_t pa, uint32_t page_shift, uint8_t perm)
{
    if (!map_args_legal(t, va, pa, page_shift, perm))
        return WW_E_ARG;
    const uint32_t leaf_level = ww_page_level(page_shift), entries = ww_amd_entries(page_shift);
    struct ww_place p = descend(t, arena, va, leaf_level);
    const uint64_t there = arena[p.word];
    uint32_t apart = 0, needed = 0;
    if (ww_amd_kind(there, p.level) == WW_AMD_TABLE &&
        ww_amd_skips_bits(va, p.level, ww_amd_next_level(there)))
        apart = level_apart(va, p.level);
    else if (!all_absent(&arena[p.word], p.level == leaf_level ? entries : 1))
        return WW_E_ARG;
    needed += apart != 0;
    for (uint32_t level = apart != 0 ? apart : p.level; level > leaf_level;
         level = level_below(t, va, level, leaf_level))
        needed++;
    if (t->cfg.max_nodes - t->nodes < needed)
        return WW_E_SIZE;

    if (apart != 0) {
        p = hang(t, arena, p, va, apart);
        arena[p.word - ww_index(va, apart)] = there; /* the old entry moves to index 0 */
    }
    while (p.level > leaf_level)
        p = hang(t, arena, p, va, level_below(t, va, p.level, leaf_level));
    for (uint32_t i = 0; i < entries; i++)
        arena[p.word + i] = ww_amd_page_entry(pa, page_shift, (perm & WW_PERM_W) != 0);
    return WW_OK;
}

bool ww_amd_lookup(const struct ww_amd *t, const uint64_t *arena, uint64_t va, struct ww_xlat *out)
{
    if (va >> ww_amd_va_bits(t->cfg.mode) != 0)
        return false;
    const struct ww_place p = descend(t, arena, va, 1);
    const uint64_t pte = arena[p.word];
    if (ww_amd_kind(pte, p.level) != WW_AMD_PAGE)
        return false;
    out->page_pa = ww_amd_page_pa(pte, p.level);
    out->page_shift = (uint8_t)ww_amd_page_shift(pte, p.level);
    out->perm = (uint8_t)(WW_PERM_R | WW_PERM_X | ((pte & WW_AMD_IW) != 0 ? WW_PERM_W : 0));
    return true;
}

uint64_t ww_amd_nodes_needed(uint32_t mode, uint64_t va, uint64_t bytes, uint32_t page_shift)
{
    const uint64_t last_va = va + bytes - 1;
    if (mode - 1 >= WW_AMD_LEVELS_MAX || !page_legal(mode, page_shift) || bytes == 0)
        return 0;
    if (last_va < va || last_va >> ww_amd_va_bits(mode) != 0)
        return 0;
    return ww_nodes_of_range(va, last_va, ww_page_level(page_shift), mode);
}

/* Returns NULL, or what is wrong with entry `index` of a node of this level, which is not a table. */
static const char *check_entry(const uint64_t *node, uint32_t index, uint32_t level)
{
    const uint64_t pte = node[index];
    const enum ww_amd_kind kind = ww_amd_kind(pte, level);
    if (kind == WW_AMD_MALFORMED)
        return "an entry is malformed";
    if (kind == WW_AMD_ABSENT)
        return pte == 0 ? NULL : "an absent entry is not zero";
    const uint32_t entries = 1u << (ww_amd_page_shift(pte, level) - ww_level_shift(level));
    const uint64_t *first = node + (index & ~(entries - 1));
    for (uint32_t i = 0; i < entries; i++)
        if (first[i] != pte)
            return "the entries of a large page differ";
    return NULL;
}

/* Depth first without recursion: index[level] is the current entry of node[level], up[level] the level of the
 * entry that points to that node. */
const char *ww_amd_check(const struct ww_amd *t, const uint64_t *arena)
{
    uint32_t node[WW_AMD_LEVELS_MAX + 1] = {0}, index[WW_AMD_LEVELS_MAX + 1] = {0};
    uint32_t up[WW_AMD_LEVELS_MAX + 1] = {0}, level = t->cfg.mode, reached = 1;
    for (;;) {
        if (index[level] == WW_NODE_ENTRIES) {
            if (level == t->cfg.mode)
                return reached == t->nodes ? NULL : "a node in use cannot be reached";
            level = up[level];
            index[level]++;
            continue;
        }
        const uint64_t *entries = &arena[(size_t)node[level] * WW_NODE_ENTRIES];
        const uint64_t pte = entries[index[level]];
        if (ww_amd_kind(pte, level) != WW_AMD_TABLE) {
            const char *broken = check_entry(entries, index[level], level);
            if (broken != NULL)
                return broken;
            index[level]++;
            continue;
        }
        const uint32_t next = ww_amd_next_level(pte);
        if (node_of(t, pte) >= t->nodes)
            return "a table entry points outside the table";
        if (++reached > t->nodes)
            return "more nodes can be reached than are in use";
        up[next] = level;
        node[next] = node_of(t, pte);
        index[next] = 0;
        level = next;
    }
}
