/* SPDX-License-Identifier: MIT */
/* kernels/table/amd_pte.h - the entry of AMD's own I/O page table (v1), at every level 1 to 6.
 * Models: PR, the next-level field (0: a page of the level's size; 1 to 6: a table of that level, which may
 * skip levels; 7: a page whose size its address encodes), the address, IR and IW. Address bits inside a page
 * are ignored. Reserved bits that are set make the entry malformed. Not modelled: accessed and dirty updates,
 * U and FC (named only). Source: AMD I/O Virtualization Technology (IOMMU) Specification, I/O page tables.
 * Time: none. Allocation: none. */
#ifndef WW_KERNELS_AMD_PTE_H
#define WW_KERNELS_AMD_PTE_H

#include "kernels/addr.h"
#include "kernels/base.h"
#include "kernels/bits.h"
#include "kernels/xlat.h"

WW_BEGIN_DECLS

#define WW_AMD_PR WW_BITS64(0, 0)     /* [0] present */
#define WW_AMD_IGN WW_BITS64(4, 1)    /* [4:1] ignored */
#define WW_AMD_A WW_BITS64(5, 5)      /* [5] accessed */
#define WW_AMD_D WW_BITS64(6, 6)      /* [6] dirty */
#define WW_AMD_IGN2 WW_BITS64(8, 7)   /* [8:7] ignored */
#define WW_AMD_NEXT WW_BITS64(11, 9)  /* [11:9] next level */
#define WW_AMD_ADDR WW_BITS64(51, 12) /* [51:12] page, or next table */
#define WW_AMD_RSV WW_BITS64(58, 52)  /* [58:52] reserved */
#define WW_AMD_U WW_BITS64(59, 59)    /* [59] of a page: attribute of requests; reserved in a table entry */
#define WW_AMD_FC WW_BITS64(60, 60)   /* [60] of a page: force coherent; reserved in a table entry */
#define WW_AMD_IR WW_BITS64(61, 61)   /* [61] may be read */
#define WW_AMD_IW WW_BITS64(62, 62)   /* [62] may be written */
#define WW_AMD_IGN3 WW_BITS64(63, 63) /* [63] ignored */

WW_STATIC_ASSERT((WW_AMD_PR | WW_AMD_IGN | WW_AMD_A | WW_AMD_D | WW_AMD_IGN2 | WW_AMD_NEXT | WW_AMD_ADDR |
                  WW_AMD_RSV | WW_AMD_U | WW_AMD_FC | WW_AMD_IR | WW_AMD_IW | WW_AMD_IGN3) == UINT64_MAX,
                 "every bit of an entry is named");
WW_STATIC_ASSERT(WW_AMD_PR + WW_AMD_IGN + WW_AMD_A + WW_AMD_D + WW_AMD_IGN2 + WW_AMD_NEXT + WW_AMD_ADDR +
                         WW_AMD_RSV + WW_AMD_U + WW_AMD_FC + WW_AMD_IR + WW_AMD_IW + WW_AMD_IGN3 ==
                     UINT64_MAX,
                 "no bit of an entry is named twice");

#define WW_AMD_LEVELS_MAX 6u
#define WW_AMD_NEXT_PAGE 0u  /* a page of the level's own size */
#define WW_AMD_NEXT_SIZED 7u /* a page whose address encodes its size */

/* Meaning of an entry to a walk. */
enum ww_amd_kind { WW_AMD_ABSENT, WW_AMD_TABLE, WW_AMD_PAGE, WW_AMD_MALFORMED };

static inline uint32_t ww_amd_next_level(uint64_t pte)
{
    return (uint32_t)ww_bits_get(WW_AMD_NEXT, pte);
}

/* Returns log2 of the bytes of a leaf's page. If its address encodes the size, the lowest clear address bit n
 * makes it 2^(n + 1). */
static inline uint32_t ww_amd_page_shift(uint64_t pte, uint32_t level)
{
    if (ww_amd_next_level(pte) == WW_AMD_NEXT_PAGE)
        return ww_level_shift(level);
    return (uint32_t)WW_PAGE_4K + 1 + (uint32_t)__builtin_ctzll(~ww_bits_get(WW_AMD_ADDR, pte));
}

static inline enum ww_amd_kind ww_amd_kind(uint64_t pte, uint32_t level)
{
    const uint32_t next = ww_amd_next_level(pte);
    if ((pte & WW_AMD_PR) == 0)
        return WW_AMD_ABSENT;
    if ((pte & WW_AMD_RSV) != 0)
        return WW_AMD_MALFORMED;
    if (next == WW_AMD_NEXT_PAGE)
        return WW_AMD_PAGE;
    if (next == WW_AMD_NEXT_SIZED) /* at least one entry of the level, at most half a node */
        return ww_amd_page_shift(pte, level) - ww_level_shift(level) < WW_LEVEL_BITS ? WW_AMD_PAGE
                                                                                     : WW_AMD_MALFORMED;
    return next < level && (pte & (WW_AMD_U | WW_AMD_FC)) == 0 ? WW_AMD_TABLE : WW_AMD_MALFORMED;
}

static inline uint64_t ww_amd_page_pa(uint64_t pte, uint32_t level)
{
    return ww_page_base(pte & WW_AMD_ADDR, ww_amd_page_shift(pte, level));
}

/* Returns a table entry that grants all rights, so that the page alone decides. */
static inline uint64_t ww_amd_table_entry(uint64_t node_pa, uint32_t next_level)
{
    WW_ASSERT((node_pa & ~WW_AMD_ADDR) == 0);
    return node_pa | WW_AMD_PR | WW_AMD_IR | WW_AMD_IW | ww_bits_put(WW_AMD_NEXT, 0, next_level);
}

/* Returns the number of equal entries that a page fills at its level. */
static inline uint32_t ww_amd_entries(uint32_t page_shift)
{
    return 1u << ((page_shift - WW_PAGE_4K) % WW_LEVEL_BITS);
}

/* Returns each entry of a page. The format has no execute permission: a readable page is executable. */
static inline uint64_t ww_amd_page_entry(uint64_t pa, uint32_t page_shift, bool write)
{
    const uint64_t flags = WW_AMD_PR | WW_AMD_IR | (write ? WW_AMD_IW : 0);
    if (ww_amd_entries(page_shift) == 1)
        return pa | flags;
    return pa | (ww_page_mask(page_shift - 1) & WW_AMD_ADDR) | flags | WW_AMD_NEXT;
}

/* True if va has bits at the levels that an entry at `level` with a table of `next_level` skips. */
static inline bool ww_amd_skips_bits(uint64_t va, uint32_t level, uint32_t next_level)
{
    return (va & (ww_page_mask(ww_level_shift(level)) ^ ww_page_mask(ww_level_shift(next_level + 1)))) != 0;
}

WW_END_DECLS

#endif
