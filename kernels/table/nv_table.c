/* SPDX-License-Identifier: MIT */
/* kernels/table/nv_table.c - see nv_table.h. An entry is named by the index of its first word in the arena.
 * Time: none. Allocation: none. */
#include "kernels/table/nv_table.h"

#include "kernels/table/table_nv.h"

#define BIG_TABLES (WW_NODE_BYTES / WW_NV_BIG_TABLE_BYTES)

static enum ww_nv_version version_of(const struct ww_nv *t)
{
    return (enum ww_nv_version)t->cfg.version;
}

static uint64_t pa_of(const struct ww_nv *t, size_t word)
{
    return t->cfg.arena_pa + word * sizeof(uint64_t);
}

static size_t word_at(const struct ww_nv *t, uint64_t pa)
{
    return (size_t)((pa - t->cfg.arena_pa) / sizeof(uint64_t));
}

static struct ww_nv_entry entry_at(const struct ww_nv *t, const uint64_t *arena, size_t word, uint32_t step)
{
    return ww_nv_read_entry(version_of(t), step, &arena[word]);
}

/* Descends while directories point to tables, at most to `stop`. Returns the step and sets *at to its
 * entry. */
static uint32_t descend(const struct ww_nv *t, const uint64_t *arena, uint64_t va, uint32_t stop, size_t *at)
{
    uint32_t step = ww_nv_root_step(version_of(t));
    *at = ww_nv_word_of(va, step);
    while (step > stop) {
        const struct ww_nv_entry e = entry_at(t, arena, *at, step);
        if (e.says != WW_NV_TABLE)
            break;
        step--;
        *at = word_at(t, e.small_pa) + ww_nv_word_of(va, step);
    }
    return step;
}

/* Returns the first word of a zeroed frame. Required: one is left. */
static size_t take_frame(struct ww_nv *t, uint64_t *arena)
{
    const size_t word = (size_t)t->nodes++ * WW_NODE_ENTRIES;
    memset(&arena[word], 0, WW_NODE_BYTES);
    return word;
}

static size_t take_big(struct ww_nv *t, uint64_t *arena)
{
    if (t->big_tables == BIG_TABLES) {
        t->big_frame = (uint32_t)(take_frame(t, arena) / WW_NODE_ENTRIES);
        t->big_tables = 0;
    }
    return (size_t)t->big_frame * WW_NODE_ENTRIES +
           t->big_tables++ * (WW_NV_BIG_TABLE_BYTES / sizeof(uint64_t));
}

static bool legal(const struct ww_nv_cfg *cfg)
{
    const uint64_t last_pa = cfg->arena_pa + (uint64_t)cfg->max_nodes * WW_NODE_BYTES - 1;
    return (cfg->version == WW_NV_V2 || cfg->version == WW_NV_V3) && cfg->max_nodes != 0 &&
           cfg->arena_pa % WW_NODE_BYTES == 0 && last_pa >= cfg->arena_pa &&
           last_pa >> (cfg->version == WW_NV_V2 ? 37 : 40) == 0 &&
           (last_pa - cfg->arena_pa) >> WW_NV_DUAL_BITS == 0;
}

int ww_nv_init(struct ww_nv *t, const struct ww_nv_cfg *cfg, uint64_t *arena, size_t words)
{
    if (!legal(cfg))
        return WW_E_ARG;
    if (words / WW_NODE_ENTRIES < cfg->max_nodes)
        return WW_E_SIZE;
    memset(t, 0, sizeof *t);
    t->cfg = *cfg;
    t->big_tables = BIG_TABLES;
    (void)take_frame(t, arena);
    return WW_OK;
}

/* Returns the step whose entries are pages of this size; 0: there is none. */
static uint32_t step_of_page(uint32_t page_shift)
{
    return page_shift == WW_PAGE_4K        ? WW_NV_SMALL
           : page_shift == WW_PAGE_64K     ? WW_NV_BIG
           : page_shift == WW_PAGE_2M      ? WW_NV_PDE0
           : page_shift == WW_NV_PAGE_512M ? WW_NV_PDE1
                                           : 0;
}

static bool map_args_legal(const struct ww_nv *t, uint64_t va, uint64_t pa, uint32_t page_shift, uint8_t perm)
{
    const enum ww_nv_version v = version_of(t);
    return step_of_page(page_shift) != 0 && va >> ww_nv_va_bits(v) == 0 &&
           ww_nv_page_pa(v, ww_nv_page_field(v, pa)) == pa && ((va | pa) & ww_page_mask(page_shift)) == 0 &&
           (perm & WW_PERM_R) != 0 && perm <= WW_PERM_ALL;
}

static bool empty(const uint64_t *words, uint32_t count)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < count; i++)
        any |= words[i];
    return any == 0;
}

/* True if the tables of PDE0 have no entry where a page of 4 or 64 KiB is to be mapped. */
static bool free_for_page(const struct ww_nv *t, const uint64_t *arena, const struct ww_nv_entry *pde0,
                          uint64_t va, uint32_t page_shift)
{
    if (pde0->big && arena[word_at(t, pde0->big_pa) + ww_nv_word_of(va, WW_NV_BIG)] != 0)
        return false;
    return !pde0->small || empty(&arena[word_at(t, pde0->small_pa) + ww_nv_word_of(va, WW_NV_SMALL)],
                                 1u << (page_shift - WW_PAGE_4K));
}

/* Adds those of the wanted tables that PDE0 lacks. */
static void add_tables(struct ww_nv *t, uint64_t *arena, size_t pde0, bool big, bool small)
{
    const enum ww_nv_version v = version_of(t);
    const struct ww_nv_entry e = entry_at(t, arena, pde0, WW_NV_PDE0);
    if (big && !e.big)
        arena[pde0] = ww_nv_table_entry(v, pa_of(t, take_big(t, arena)), true);
    if (small && !e.small)
        arena[pde0 + 1] = ww_nv_table_entry(v, pa_of(t, take_frame(t, arena)), false);
}

int ww_nv_map(struct ww_nv *t, uint64_t *arena, uint64_t va, uint64_t pa, uint32_t page_shift, uint8_t perm)
{
    if (!map_args_legal(t, va, pa, page_shift, perm))
        return WW_E_ARG;
    const enum ww_nv_version v = version_of(t);
    const uint32_t leaf = step_of_page(page_shift), stop = leaf < WW_NV_PDE0 ? WW_NV_PDE0 : leaf;
    const bool big = leaf == WW_NV_BIG || t->cfg.both, small = leaf == WW_NV_SMALL || t->cfg.both;
    size_t at = 0;
    uint32_t step = descend(t, arena, va, stop, &at);
    const struct ww_nv_entry e = entry_at(t, arena, at, step);
    if (e.says != WW_NV_NOTHING &&
        (leaf >= WW_NV_PDE0 || e.says != WW_NV_TABLE || !free_for_page(t, arena, &e, va, page_shift)))
        return WW_E_ARG;
    uint32_t frames = step - stop; /* frames to take */
    if (leaf < WW_NV_PDE0)
        frames += (small && !e.small ? 1u : 0) + (big && !e.big && t->big_tables == BIG_TABLES ? 1u : 0);
    if (t->cfg.max_nodes - t->nodes < frames)
        return WW_E_SIZE;

    for (; step > stop; step--) {
        const size_t node = take_frame(t, arena);
        arena[at] = ww_nv_table_entry(v, pa_of(t, node), false);
        at = node + ww_nv_word_of(va, step - 1);
    }
    if (leaf < WW_NV_PDE0) {
        add_tables(t, arena, at, big, small);
        const struct ww_nv_entry pde0 = entry_at(t, arena, at, WW_NV_PDE0);
        at = word_at(t, leaf == WW_NV_BIG ? pde0.big_pa : pde0.small_pa) + ww_nv_word_of(va, leaf);
    }
    arena[at] = ww_nv_page_entry(v, pa, (perm & WW_PERM_W) != 0);
    return WW_OK;
}

bool ww_nv_lookup(const struct ww_nv *t, const uint64_t *arena, uint64_t va, struct ww_xlat *out)
{
    const struct ww_table table = ww_nv_table_of(version_of(t), t->cfg.arena_pa, t->cfg.arena_pa);
    return ww_table_lookup(&table, arena, t->cfg.arena_pa, va, out);
}

uint64_t ww_nv_nodes_needed(uint8_t version, uint64_t va, uint64_t bytes, bool big, bool small)
{
    const uint64_t last_va = va + bytes - 1;
    if ((version != WW_NV_V2 && version != WW_NV_V3) || bytes == 0 || last_va < va ||
        last_va >> ww_nv_va_bits((enum ww_nv_version)version) != 0)
        return 0;
    const uint64_t regions = (last_va >> WW_PAGE_2M) - (va >> WW_PAGE_2M) + 1;
    uint64_t nodes = 1 + (small ? regions : 0) + (big ? (regions + BIG_TABLES - 1) / BIG_TABLES : 0);
    for (uint32_t step = WW_NV_PDE0; step < ww_nv_root_step((enum ww_nv_version)version); step++)
        nodes += (last_va >> ww_nv_reach(step + 1)) - (va >> ww_nv_reach(step + 1)) + 1;
    return nodes;
}

/* Checks that a table of pages has only pages and zeros. */
static const char *check_pages(const struct ww_nv *t, const uint64_t *arena, size_t word, uint32_t step)
{
    const uint32_t entries = step == WW_NV_BIG ? WW_NV_BIG_TABLE_BYTES / 8 : WW_NODE_ENTRIES;
    for (uint32_t i = 0; i < entries; i++)
        if (arena[word + i] != 0 && entry_at(t, arena, word + i, step).says != WW_NV_PAGE)
            return "an entry is neither a page nor zero";
    return NULL;
}

struct counts {
    uint32_t nodes, big;
};

/* Checks the tables of a PDE0, and that no 64 KiB page hides a 4 KiB page. */
static const char *check_pde0(const struct ww_nv *t, const uint64_t *arena, const struct ww_nv_entry *e,
                              struct counts *reached)
{
    const size_t limit = (size_t)t->nodes * WW_NODE_ENTRIES, big = word_at(t, e->big_pa),
                 small = word_at(t, e->small_pa);
    if ((e->big && big >= limit) || (e->small && small >= limit))
        return "a directory leads outside the table";
    reached->big += e->big ? 1 : 0;
    reached->nodes += e->small ? 1 : 0;
    const char *broken = e->big ? check_pages(t, arena, big, WW_NV_BIG) : NULL;
    if (broken == NULL && e->small)
        broken = check_pages(t, arena, small, WW_NV_SMALL);
    for (uint32_t i = 0; broken == NULL && e->big && e->small && i < 32; i++)
        if (arena[big + i] != 0 && !empty(&arena[small + (size_t)i * 16], 16))
            broken = "a page of 64 KiB hides one of 4 KiB";
    return broken;
}

/* Depth first without recursion: index[step] is the current entry of node[step]. */
static const char *check_tree(const struct ww_nv *t, const uint64_t *arena, struct counts *reached)
{
    const uint32_t root = ww_nv_root_step(version_of(t));
    size_t node[WW_NV_STEPS_MAX + 1] = {0};
    uint32_t index[WW_NV_STEPS_MAX + 1] = {0}, step = root;
    for (;;) {
        if (index[step] == WW_NODE_ENTRIES) {
            if (step == root)
                return NULL;
            step++;
            index[step]++;
            continue;
        }
        const struct ww_nv_entry e = entry_at(t, arena, node[step] + index[step], step);
        const char *broken = NULL;
        if (e.says == WW_NV_TABLE && step > WW_NV_PDE0) {
            if (word_at(t, e.small_pa) >= (size_t)t->nodes * WW_NODE_ENTRIES)
                return "a directory leads outside the table";
            if (++reached->nodes > t->nodes)
                return "more frames can be reached than are in use";
            step--;
            node[step] = word_at(t, e.small_pa);
            index[step] = 0;
            continue;
        }
        if (e.says == WW_NV_TABLE)
            broken = check_pde0(t, arena, &e, reached);
        else if (e.says != WW_NV_PAGE && !empty(&arena[node[step] + index[step]], ww_nv_entry_words(step)))
            broken = "a directory's entry is neither a page, a table nor zero";
        if (broken != NULL)
            return broken;
        index[step] += ww_nv_entry_words(step);
    }
}

const char *ww_nv_check(const struct ww_nv *t, const uint64_t *arena)
{
    struct counts reached = {1, 0};
    const char *broken = check_tree(t, arena, &reached);
    if (broken != NULL)
        return broken;
    return reached.nodes + (reached.big + BIG_TABLES - 1) / BIG_TABLES == t->nodes
               ? NULL
               : "a frame in use cannot be reached";
}
