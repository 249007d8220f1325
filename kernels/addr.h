/* SPDX-License-Identifier: MIT */
/* kernels/addr.h - fields of a virtual address, and page sizes.
 * Models: x86-64 addresses of 48 bits (4 levels) and 57 bits (5 levels). Neighbourhoods of page walks are the
 * kind of table's (table.h). Not modelled: the canonical upper half; an address is a plain number below 2^48
 * or 2^57. Level 1 holds the entries of 4 KiB pages, level 4 or 5 is the root. Time: none. Allocation: none.
 */
#ifndef WW_KERNELS_ADDR_H
#define WW_KERNELS_ADDR_H

#include "kernels/base.h"

WW_BEGIN_DECLS

/* X(name, shift): the page sizes, smallest first. */
#define WW_PAGE_LIST(X) X(4K, 12) X(64K, 16) X(2M, 21) X(1G, 30)

enum ww_page_shift {
#define WW_PAGE_ENUM(name, shift) WW_PAGE_##name = (shift),
    WW_PAGE_LIST(WW_PAGE_ENUM)
#undef WW_PAGE_ENUM
};

#define WW_LEVEL_LEAF 1u
#define WW_LEVELS_MIN 4u
#define WW_LEVELS_MAX 5u
#define WW_LEVEL_BITS 9u        /* index bits of a level */
#define WW_NODE_ENTRIES 512u    /* entries of a table node */
#define WW_NODE_BYTES 4096u     /* bytes of a table node */
#define WW_LINE_BYTES 64u       /* bytes of a memory line */
#define WW_LINE_PTES 8u         /* entries in a memory line */
#define WW_LINE_PTES_SHIFT 3u   /* log2 of that */
#define WW_PAGE_64K_ENTRIES 16u /* level-1 entries of a 64 KiB page */

/* Widths in bits of a machine's addresses, which decide the widths of its tags and frames. */
struct ww_widths {
    uint32_t va, pa;
    uint32_t page_shift; /* of the smallest page */
    uint32_t vmid;
};

/* "4K", "64K", "2M", "1G", or NULL when there is no such page size. */
static inline const char *ww_page_name(uint32_t page_shift)
{
    switch (page_shift) {
#define WW_PAGE_CASE(name, shift)                                                                            \
    case (shift):                                                                                            \
        return #name;
        WW_PAGE_LIST(WW_PAGE_CASE)
#undef WW_PAGE_CASE
    default:
        return NULL;
    }
}

static inline bool ww_page_legal(uint32_t page_shift)
{
    return ww_page_name(page_shift) != NULL;
}

/* The level whose entries are the leaves of this (legal) page size. */
static inline uint32_t ww_page_level(uint32_t page_shift)
{
    return (page_shift - WW_PAGE_4K) / WW_LEVEL_BITS + WW_LEVEL_LEAF;
}

static inline uint64_t ww_page_bytes(uint32_t page_shift)
{
    return UINT64_C(1) << page_shift;
}

/* The low bits of an address that stay within a page. */
static inline uint64_t ww_page_mask(uint32_t page_shift)
{
    return ww_page_bytes(page_shift) - 1;
}

/* First address of the page that holds `addr`; virtual or physical. */
static inline uint64_t ww_page_base(uint64_t addr, uint32_t page_shift)
{
    return addr & ~ww_page_mask(page_shift);
}

/* First address of the page behind the one that holds addr. */
static inline uint64_t ww_page_after(uint64_t addr, uint32_t page_shift)
{
    return (addr | ww_page_mask(page_shift)) + 1;
}

/* Numbers the sizes of a set, bit n for pages of 1 << n bytes, the smallest as 1: code_of[n] and
 * shift_of[code]. Returns how many there are. */
static inline uint32_t ww_size_codes(uint32_t page_sizes, uint8_t *code_of, uint8_t *shift_of)
{
    uint32_t code = 0;
    for (uint32_t left = page_sizes; left != 0; left &= left - 1) {
        const uint32_t shift = (uint32_t)__builtin_ctz(left);
        code += 1;
        code_of[shift] = (uint8_t)code;
        shift_of[code] = (uint8_t)shift;
    }
    return code;
}

static inline bool ww_same_page(uint64_t a_va, uint64_t b_va, uint32_t page_shift)
{
    return ((a_va ^ b_va) >> page_shift) == 0;
}

/* First address of the 64-byte line that holds `addr`; virtual or physical. */
static inline uint64_t ww_line_base(uint64_t addr)
{
    return addr & ~(uint64_t)(WW_LINE_BYTES - 1);
}

/* Number of the 4 KiB page, VA[47:12] (VA[56:12] with five levels). */
static inline uint64_t ww_vpn(uint64_t va)
{
    return va >> WW_PAGE_4K;
}

/* Bits of a virtual address that a table of `levels` levels translates: 48 or 57. */
static inline uint32_t ww_va_bits(uint32_t levels)
{
    return WW_PAGE_4K + WW_LEVEL_BITS * levels;
}

static inline bool ww_va_legal(uint64_t va, uint32_t levels)
{
    return (va >> ww_va_bits(levels)) == 0;
}

/* log2 of the bytes that one entry of `level` covers: 12, 21, 30, 39, 48. */
static inline uint32_t ww_level_shift(uint32_t level)
{
    return WW_PAGE_4K + WW_LEVEL_BITS * (level - 1);
}

/* Index of the entry within its node of `level`: L1 VA[20:12], L2 [29:21], L3 [38:30], L4 [47:39], L5
 * [56:48]. */
static inline uint32_t ww_index(uint64_t va, uint32_t level)
{
    return (uint32_t)(va >> ww_level_shift(level)) & (WW_NODE_ENTRIES - 1);
}

/* Nodes of a table for va to last_va: those of its levels above `leaf`, that of its pages, up to the root's;
 * the root included. */
static inline uint64_t ww_nodes_of_range(uint64_t va, uint64_t last_va, uint32_t leaf, uint32_t root)
{
    uint64_t nodes = 1;
    for (uint32_t level = leaf; level < root; level++)
        nodes += (last_va >> ww_level_shift(level + 1)) - (va >> ww_level_shift(level + 1)) + 1;
    return nodes;
}

/* An entry of a table whose nodes lie one after the other: its word among them all, and its level. */
struct ww_place {
    size_t word;
    uint32_t level;
};

static inline struct ww_place ww_place_in(uint32_t node_idx, uint64_t va, uint32_t level)
{
    struct ww_place p;
    p.word = (size_t)node_idx * WW_NODE_ENTRIES + ww_index(va, level);
    p.level = level;
    return p;
}

WW_END_DECLS

#endif
