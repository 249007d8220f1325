/* SPDX-License-Identifier: MIT */
/* kernels/table/radix.c - builder of the radix page table. An entry is named by its word index in the arena:
 * node * 512 + index. One descent serves map, unmap and lookup. Geometry is data (ww_level_shift), so no loop
 * is specific to a level or page size. An emptied node keeps the free list's link in the frame field of word
 * 0, so a walk that still reads it through a stale walk cache finds absent entries. Time: none. Allocation:
 * none. */
#include "kernels/table/radix.h"

#include <string.h>

/* Returns how many entries a page has at its level. */
static uint32_t entries_of(uint32_t page_shift)
{
    return page_shift == WW_PAGE_64K ? WW_PAGE_64K_ENTRIES : 1;
}

static size_t word_in(uint32_t node_idx, uint64_t va, uint32_t level)
{
    return (size_t)node_idx * WW_NODE_ENTRIES + ww_index(va, level);
}

static uint32_t node_of_word(size_t word)
{
    return (uint32_t)(word / WW_NODE_ENTRIES);
}

static uint64_t node_pa(const struct ww_radix *r, uint32_t node_idx)
{
    return r->cfg.arena_pa + (uint64_t)node_idx * WW_NODE_BYTES;
}

static uint32_t node_of_pa(const struct ww_radix *r, uint64_t pa)
{
    return node_of_word(ww_radix_word(r, pa));
}

/* Descends while entries are tables, at most to `stop_level`. Sets words[level] for every level passed and
 * returns the level of the entry where it stops. */
static uint32_t descend(const struct ww_radix *r, const uint64_t *arena, uint64_t va, uint32_t stop_level,
                        size_t words[WW_LEVELS_MAX + 1])
{
    uint32_t level = r->cfg.levels;
    words[level] = word_in(0, va, level);
    while (level > stop_level && ww_pte_kind(arena[words[level]], level) == WW_PTE_TABLE) {
        const uint32_t next_idx = node_of_pa(r, ww_pte_node_pa(arena[words[level]]));
        level--;
        words[level] = word_in(next_idx, va, level);
    }
    return level;
}

/* Returns a zeroed node. Required: one is left. */
static uint32_t take_node(struct ww_radix *r, uint64_t *arena)
{
    uint32_t node_idx = r->high_nodes;
    if (r->free_head != 0) {
        node_idx = r->free_head - 1;
        r->free_head = (uint32_t)ww_bits_get(WW_PTE_FRAME, arena[word_in(node_idx, 0, WW_LEVEL_LEAF)]);
    } else {
        r->high_nodes++;
    }
    r->nodes++;
    memset(&arena[word_in(node_idx, 0, WW_LEVEL_LEAF)], 0, WW_NODE_BYTES);
    return node_idx;
}

/* Required: the node is all zero. Word 0 becomes the link. */
static void give_node(struct ww_radix *r, uint64_t *arena, uint32_t node_idx)
{
    arena[word_in(node_idx, 0, WW_LEVEL_LEAF)] = ww_bits_put(WW_PTE_FRAME, 0, r->free_head);
    r->free_head = node_idx + 1;
    r->nodes--;
}

static bool node_empty(const uint64_t *arena, uint32_t node_idx)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < WW_NODE_ENTRIES; i++)
        any |= arena[(size_t)node_idx * WW_NODE_ENTRIES + i];
    return any == 0;
}

static bool levels_legal(uint32_t levels)
{
    return levels >= WW_LEVELS_MIN && levels <= WW_LEVELS_MAX;
}

int ww_radix_init(struct ww_radix *r, const struct ww_radix_cfg *cfg, uint64_t *arena, size_t words)
{
    const uint64_t last_pa = cfg->arena_pa + (uint64_t)cfg->max_nodes * WW_NODE_BYTES - WW_NODE_BYTES;
    if (!levels_legal(cfg->levels) || cfg->max_nodes == 0)
        return WW_E_ARG;
    if (((cfg->arena_pa | last_pa) & ~WW_PTE_FRAME) != 0)
        return WW_E_ARG;
    if (words / WW_NODE_ENTRIES < cfg->max_nodes)
        return WW_E_SIZE;
    r->cfg = *cfg;
    r->nodes = 0;
    r->high_nodes = 0;
    r->free_head = 0;
    (void)take_node(r, arena);
    return WW_OK;
}

static bool map_args_legal(const struct ww_radix *r, uint64_t va, uint64_t pa, uint8_t page_shift,
                           uint8_t perm)
{
    if (!ww_page_legal(page_shift) || !ww_va_legal(va, r->cfg.levels) || (pa & ~WW_PTE_FRAME) != 0)
        return false;
    if (((va | pa) & ww_page_mask(page_shift)) != 0)
        return false;
    return (perm & WW_PERM_R) != 0 && perm <= WW_PERM_ALL;
}

int ww_radix_map(struct ww_radix *r, uint64_t *arena, uint64_t va, uint64_t pa, uint8_t page_shift,
                 uint8_t perm)
{
    if (!map_args_legal(r, va, pa, page_shift, perm))
        return WW_E_ARG;
    const uint32_t leaf_level = ww_page_level(page_shift);
    const uint32_t entries = entries_of(page_shift);
    size_t words[WW_LEVELS_MAX + 1] = {0};
    uint32_t level = descend(r, arena, va, leaf_level, words);

    /* At its own level the page may have several entries; above that, only one entry can be in the way. */
    const uint32_t in_the_way = level == leaf_level ? entries : 1;
    for (uint32_t i = 0; i < in_the_way; i++)
        if (ww_pte_present(arena[words[level] + i]))
            return WW_E_ARG;
    if (r->cfg.max_nodes - r->nodes < level - leaf_level)
        return WW_E_SIZE;

    while (level > leaf_level) {
        const uint32_t node_idx = take_node(r, arena);
        arena[words[level]] = ww_pte_table(node_pa(r, node_idx));
        level--;
        words[level] = word_in(node_idx, va, level);
    }
    uint64_t flags = ww_pte_flags_of_perm(perm);
    if (leaf_level > WW_LEVEL_LEAF)
        flags |= WW_PTE_PS;
    if (page_shift == WW_PAGE_64K)
        flags |= WW_PTE_64K;
    for (uint32_t i = 0; i < entries; i++)
        arena[words[leaf_level] + i] = ww_pte_leaf(pa + (uint64_t)i * ww_page_bytes(WW_PAGE_4K), flags);
    return WW_OK;
}

int ww_radix_unmap(struct ww_radix *r, uint64_t *arena, uint64_t va)
{
    if (!ww_va_legal(va, r->cfg.levels))
        return WW_E_ARG;
    size_t words[WW_LEVELS_MAX + 1] = {0};
    uint32_t level = descend(r, arena, va, WW_LEVEL_LEAF, words);
    const uint64_t pte = arena[words[level]];
    if (!ww_pte_is_leaf(pte, level))
        return WW_E_ARG;

    const uint32_t entries = entries_of(ww_pte_page_shift(pte, level));
    const size_t first_word = words[level] & ~(size_t)(entries - 1);
    memset(&arena[first_word], 0, entries * sizeof(uint64_t));
    while (level < r->cfg.levels && node_empty(arena, node_of_word(words[level]))) {
        give_node(r, arena, node_of_word(words[level]));
        level++;
        arena[words[level]] = 0;
    }
    return WW_OK;
}

bool ww_radix_lookup(const struct ww_radix *r, const uint64_t *arena, uint64_t va, struct ww_xlat *out)
{
    if (!ww_va_legal(va, r->cfg.levels))
        return false;
    size_t words[WW_LEVELS_MAX + 1] = {0};
    const uint32_t level = descend(r, arena, va, WW_LEVEL_LEAF, words);
    const uint64_t pte = arena[words[level]];
    if (!ww_pte_is_leaf(pte, level))
        return false;
    *out = ww_pte_xlat(pte, level);
    return true;
}

uint64_t ww_radix_nodes_needed(uint8_t levels, uint64_t va, uint64_t bytes, uint8_t page_shift)
{
    const uint64_t last_va = va + bytes - 1;
    if (!levels_legal(levels) || !ww_page_legal(page_shift) || bytes == 0)
        return 0;
    if (last_va < va || !ww_va_legal(last_va, levels))
        return 0;
    return ww_nodes_of_range(va, last_va, ww_page_level(page_shift), levels);
}

/* Returns NULL, or what is wrong with a leaf or absent entry. */
static const char *check_entry(const uint64_t *node, uint32_t index, uint32_t level)
{
    const uint64_t pte = node[index];
    if (ww_pte_kind(pte, level) == WW_PTE_ABSENT) {
        if (pte != 0)
            return "an absent entry is not zero";
    } else if (level > WW_LEVEL_LEAF && (pte & WW_PTE_FRAME) != ww_pte_frame_pa(pte, level)) {
        return "a large page is misaligned";
    }
    if (level > WW_LEVEL_LEAF)
        return NULL;
    const uint32_t in_group = index % WW_PAGE_64K_ENTRIES;
    const uint64_t first = node[index - in_group];
    if (((first | pte) & WW_PTE_64K) == 0)
        return NULL;
    if ((first & ww_page_mask(WW_PAGE_64K) & WW_PTE_FRAME) != 0 ||
        pte != first + in_group * ww_page_bytes(WW_PAGE_4K))
        return "a 64 KiB page is not 16 aligned contiguous entries";
    return NULL;
}

static const char *check_free_list(const struct ww_radix *r, const uint64_t *arena)
{
    uint32_t idle_nodes = r->high_nodes - r->nodes;
    for (uint32_t head = r->free_head; head != 0; idle_nodes--) {
        if (head > r->high_nodes)
            return "the free list leaves the arena";
        if (idle_nodes == 0)
            return "the free list is longer than the idle nodes";
        head = (uint32_t)ww_bits_get(WW_PTE_FRAME, arena[word_in(head - 1, 0, WW_LEVEL_LEAF)]);
    }
    return idle_nodes == 0 ? NULL : "an idle node is not in the free list";
}

/* Depth first without recursion: index[level] is the current entry of node[level]. */
static const char *check_tree(const struct ww_radix *r, const uint64_t *arena)
{
    uint32_t node[WW_LEVELS_MAX + 1] = {0};
    uint32_t index[WW_LEVELS_MAX + 1] = {0};
    uint32_t level = r->cfg.levels;
    uint32_t reached = 1;
    for (;;) {
        if (index[level] == WW_NODE_ENTRIES) {
            if (level == r->cfg.levels)
                return reached == r->nodes ? NULL : "a node in use cannot be reached";
            if (node_empty(arena, node[level]))
                return "an empty node is in use";
            level++;
            index[level]++;
            continue;
        }
        const uint64_t *entries = &arena[(size_t)node[level] * WW_NODE_ENTRIES];
        const uint64_t pte = entries[index[level]];
        if (ww_pte_kind(pte, level) != WW_PTE_TABLE) {
            const char *broken = check_entry(entries, index[level], level);
            if (broken != NULL)
                return broken;
            index[level]++;
            continue;
        }
        const uint64_t next_pa = ww_pte_node_pa(pte);
        if (!ww_radix_owns(r, next_pa) || node_of_pa(r, next_pa) >= r->high_nodes)
            return "a table entry points outside the table";
        if (++reached > r->nodes)
            return "more nodes can be reached than are in use";
        level--;
        node[level] = node_of_pa(r, next_pa);
        index[level] = 0;
    }
}

const char *ww_radix_check(const struct ww_radix *r, const uint64_t *arena)
{
    if (!levels_legal(r->cfg.levels))
        return "the number of levels is illegal";
    if (r->nodes == 0 || r->nodes > r->high_nodes || r->high_nodes > r->cfg.max_nodes)
        return "the node counts contradict each other";
    const char *broken = check_free_list(r, arena);
    return broken != NULL ? broken : check_tree(r, arena);
}
