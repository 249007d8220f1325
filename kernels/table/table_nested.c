/* SPDX-License-Identifier: MIT */
/* kernels/table/table_nested.c - see table_nested.h. While a walk reads the host's table, its word holds the
 * rest of the guest-physical address and the number of the host's node: both addresses would not fit. Time:
 * none. Allocation: none. */
#include "kernels/table/table_nested.h"

WW_STATIC_ASSERT((WW_NESTED_OVER | WW_NESTED_NODE | WW_NESTED_GPA | WW_NESTED_SIZE | WW_NESTED_WRITE |
                  WW_NESTED_EXEC | WW_WALK_STEP | WW_WALK_FROM | WW_WALK_ACT) == UINT64_MAX,
                 "every bit is named");
WW_STATIC_ASSERT(WW_NESTED_OVER + WW_NESTED_NODE + WW_NESTED_GPA + WW_NESTED_SIZE + WW_NESTED_WRITE +
                         WW_NESTED_EXEC + WW_WALK_STEP + WW_WALK_FROM + WW_WALK_ACT ==
                     UINT64_MAX,
                 "no bit is named twice");
WW_STATIC_ASSERT((WW_NESTED_OVER & WW_WALK_PA) == 0, "how far a step is stands beside the guest's node");

#define LEVELS 4u
#define ROOT_GPA WW_BITS64(47, 12) /* the whole address, while the host's root is read */

static uint32_t over(uint64_t walk)
{
    return (uint32_t)ww_bits_get(WW_NESTED_OVER, walk);
}

/* Returns the level of the host's table that the walk reads; 0: it reads the guest's table. */
static uint32_t host_level(uint64_t walk)
{
    return ww_walk_step(walk) == WW_NESTED_AT_LAST ? 1 : LEVELS - over(walk);
}

/* Returns the guest-physical address; below the host's root, its highest bits are a node's and not used. */
static uint64_t gpa_of(uint64_t walk)
{
    return walk & ROOT_GPA;
}

/* Starts the host's walk for a guest-physical address. `page`: size and rights of the guest's page, or 0. */
static uint64_t to_host(uint32_t step, uint32_t from, uint64_t gpa, uint64_t page)
{
    const uint64_t walk = ww_walk_reading(step, from, gpa & ROOT_GPA) | page;
    return gpa >> WW_NESTED_GPA_BITS == 0 ? walk : ww_walk_fault(walk, WW_WHY_MALFORMED);
}

static uint64_t start(const struct ww_table_regs *regs, uint64_t va)
{
    const uint64_t walk = to_host(LEVELS, 0, regs->word[0], 0);
    return ww_va_legal(va, LEVELS) ? walk : ww_walk_fault(walk, WW_WHY_ADDRESS);
}

static struct ww_walk_read entry(uint64_t walk, uint64_t va, const struct ww_table_regs *regs)
{
    const uint32_t level = host_level(walk);
    struct ww_walk_read read;
    if (level == 0)
        return ww_table_level_entry(walk, va, regs);
    const uint64_t node = level == LEVELS ? 0 : ww_bits_get(WW_NESTED_NODE, walk);
    read.pa = regs->word[1] + node * WW_NODE_BYTES + ww_index(gpa_of(walk), level) * sizeof(uint64_t);
    read.bytes = sizeof(uint64_t);
    return read;
}

static uint64_t page_bits(const struct ww_xlat *x)
{
    const uint64_t size = x->page_shift == WW_PAGE_4K ? 0 : ww_page_level(x->page_shift);
    return size << 8 | ((x->perm & WW_PERM_W) != 0 ? WW_NESTED_WRITE : 0) |
           ((x->perm & WW_PERM_X) != 0 ? WW_NESTED_EXEC : 0);
}

/* The inverse of page_bits(). The caller does not use the address. */
static struct ww_xlat guest_page(uint64_t walk)
{
    static const uint8_t shifts[] = {WW_PAGE_4K, WW_PAGE_64K, WW_PAGE_2M, WW_PAGE_1G};
    struct ww_xlat x;
    x.page_pa = 0;
    x.page_shift = shifts[ww_bits_get(WW_NESTED_SIZE, walk)];
    x.perm = (uint8_t)(WW_PERM_R | ((walk & WW_NESTED_WRITE) != 0 ? WW_PERM_W : 0) |
                       ((walk & WW_NESTED_EXEC) != 0 ? WW_PERM_X : 0));
    return x;
}

/* The walk for a page holds for 4 KiB only, so `from` is the leaf level, whichever level has the page. */
static uint64_t feed_guest(uint64_t walk, uint64_t va, const uint64_t line[WW_LINE_PTES])
{
    const uint32_t level = ww_walk_step(walk);
    const uint64_t pte = line[ww_index(va, level) % WW_LINE_PTES];
    const enum ww_pte_kind kind = ww_pte_kind(pte, level);
    if (kind == WW_PTE_TABLE)
        return to_host(level - 1, level, ww_pte_node_pa(pte), 0);
    if (kind == WW_PTE_LEAF) {
        const struct ww_xlat x = ww_pte_xlat(pte, level);
        return to_host(WW_NESTED_AT_PAGE, WW_LEVEL_LEAF, ww_nested_gpa(&x, va), page_bits(&x));
    }
    return ww_walk_fault(walk, ww_pte_present(pte) ? WW_WHY_MALFORMED : WW_WHY_ABSENT);
}

/* Descends one level in the host's table. */
static uint64_t to_node(uint64_t walk, const struct ww_table_regs *regs, uint64_t node_pa)
{
    const uint64_t node = (node_pa - regs->word[1]) / WW_NODE_BYTES;
    const uint32_t level = host_level(walk) - 1;
    if (node > WW_NESTED_NODE >> 39)
        return ww_walk_fault(walk, WW_WHY_MALFORMED);
    walk = ww_bits_put(WW_NESTED_NODE, walk, node);
    if (ww_walk_step(walk) == WW_NESTED_AT_PAGE && level == 1)
        return (walk & ~(WW_NESTED_OVER | WW_WALK_STEP)) | WW_NESTED_AT_LAST;
    return ww_bits_put(WW_NESTED_OVER, walk, LEVELS - level);
}

static uint64_t feed_host(uint64_t walk, const struct ww_table_regs *regs, const uint64_t line[WW_LINE_PTES])
{
    const uint32_t level = host_level(walk), step = ww_walk_step(walk);
    const uint64_t gpa = gpa_of(walk), pte = line[ww_index(gpa, level) % WW_LINE_PTES];
    const enum ww_pte_kind kind = ww_pte_kind(pte, level);
    if (kind == WW_PTE_TABLE)
        return to_node(walk, regs, ww_pte_node_pa(pte));
    if (kind != WW_PTE_LEAF)
        return ww_walk_fault(walk, ww_pte_present(pte) ? WW_WHY_MALFORMED : WW_WHY_HOST);
    const struct ww_xlat host = ww_pte_xlat(pte, level);
    if (step < WW_NESTED_AT_PAGE)
        return ww_bits_put(WW_NESTED_OVER, ww_walk_reading(step, ww_walk_from(walk), ww_xlat_pa(&host, gpa)),
                           LEVELS);
    const struct ww_xlat guest = guest_page(walk), x = ww_nested_xlat(&guest, &host, gpa);
    return ww_walk_done(walk, &x);
}

static uint64_t feed(uint64_t walk, uint64_t va, const struct ww_table_regs *regs,
                     const uint64_t line[WW_LINE_PTES])
{
    return host_level(walk) == 0 ? feed_guest(walk, va, line) : feed_host(walk, regs, line);
}

/* Pages of the guest lie anywhere: walks share nothing at `page`, and only those of one page share at
 * `host`. */
/* clang-format off */
const struct ww_table_kind ww_nested = {"nested", 6, WW_NESTED_AT_LAST, 48, 16, 1u << WW_NESTED_AT_PAGE, 0,
    {NULL, "l1", "l2", "l3", "l4", "page", "host", NULL}, {0, 12, 21, 30, 39, 12, 12, 0},
    {0, 15, 24, 33, 42, 15, 12, 0}, {0, 9, 14, 19, 24, 4, 1, 0}, start, entry, feed, WW_NESTED_OVER, LEVELS};
/* clang-format on */
