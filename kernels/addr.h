/* SPDX-License-Identifier: MIT */
/* kernels/addr.h - fields of a virtual address, and page sizes. Models: x86-64 addresses of 48 bits (4
 * levels) and 57 bits (5 levels). Level 1 holds the entries of 4 KiB pages; level 4 or 5 is the root. table.h
 * defines the neighbourhoods of page walks. Not modelled: the canonical upper half; an address is a plain
 * number below 2^48 or 2^57. Time: none. Allocation: none. */
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
#define WW_LINE_PTES_SHIFT 3u   /* log2 of WW_LINE_PTES */
#define WW_PAGE_64K_ENTRIES 16u /* level-1 entries of a 64 KiB page */

/* Widths of a machine's addresses in bits. They decide the widths of its tags and frames. */
struct ww_widths {
    uint32_t va, pa;
    uint32_t page_shift; /* log2 of the smallest page's bytes */
    uint32_t vmid;
};

/* Returns the size's name in WW_PAGE_LIST, or NULL if there is no such page size. */
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

/* Returns the level whose entries map pages of this size. Required: ww_page_legal(page_shift). */
static inline uint32_t ww_page_level(uint32_t page_shift)
{
    return (page_shift - WW_PAGE_4K) / WW_LEVEL_BITS + WW_LEVEL_LEAF;
}

static inline uint64_t ww_page_bytes(uint32_t page_shift)
{
    return UINT64_C(1) << page_shift;
}

/* Returns the mask of the address bits within a page. */
static inline uint64_t ww_page_mask(uint32_t page_shift)
{
    return ww_page_bytes(page_shift) - 1;
}

/* Returns the first address of the page that holds addr, virtual or physical. */
static inline uint64_t ww_page_base(uint64_t addr, uint32_t page_shift)
{
    return addr & ~ww_page_mask(page_shift);
}

/* Returns the first address after the page that holds addr. */
static inline uint64_t ww_page_after(uint64_t addr, uint32_t page_shift)
{
    return (addr | ww_page_mask(page_shift)) + 1;
}

/* Numbers the page sizes of a set (bit n: pages of 1 << n bytes) from 1, smallest first: sets code_of[shift]
 * and shift_of[code] of these sizes only. Returns the number of sizes. */
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

/* Returns the first address of the line that holds addr, virtual or physical. */
static inline uint64_t ww_line_base(uint64_t addr)
{
    return addr & ~(uint64_t)(WW_LINE_BYTES - 1);
}

/* Returns the number of the 4 KiB page that holds va. */
static inline uint64_t ww_vpn(uint64_t va)
{
    return va >> WW_PAGE_4K;
}

/* Returns the bits of a virtual address that a table of `levels` levels translates. */
static inline uint32_t ww_va_bits(uint32_t levels)
{
    return WW_PAGE_4K + WW_LEVEL_BITS * levels;
}

static inline bool ww_va_legal(uint64_t va, uint32_t levels)
{
    return (va >> ww_va_bits(levels)) == 0;
}

/* Returns log2 of the bytes that one entry of `level` covers. */
static inline uint32_t ww_level_shift(uint32_t level)
{
    return WW_PAGE_4K + WW_LEVEL_BITS * (level - 1);
}

/* Returns the index of va's entry in its node of `level`. */
static inline uint32_t ww_index(uint64_t va, uint32_t level)
{
    return (uint32_t)(va >> ww_level_shift(level)) & (WW_NODE_ENTRIES - 1);
}

/* Returns the nodes of a table that maps va to last_va (inclusive) with leaves at level `leaf`: those of
 * levels `leaf` to root - 1, plus the root. */
static inline uint64_t ww_nodes_of_range(uint64_t va, uint64_t last_va, uint32_t leaf, uint32_t root)
{
    uint64_t nodes = 1;
    for (uint32_t level = leaf; level < root; level++)
        nodes += (last_va >> ww_level_shift(level + 1)) - (va >> ww_level_shift(level + 1)) + 1;
    return nodes;
}

/* An entry in an array of nodes: its word in the array, and its level. */
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
