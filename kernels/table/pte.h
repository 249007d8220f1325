/* SPDX-License-Identifier: MIT */
/* kernels/table/pte.h - the x86-64 page-table entry, at every level, and the translation that a leaf stands
 * for. Models: P, RW, NX, PS and the frame; the other bits are named and kept, without effect. MODEL: a 64
 * KiB page is 16 aligned, contiguous level-1 entries that all carry software bit 11. MODEL: a leaf's own RW
 * and NX decide; table entries grant all rights (the builder writes them so). Not modelled: PAT, protection
 * keys, faults on reserved bits except PS above level 3. Time: none. Allocation: none. */
#ifndef WW_KERNELS_PTE_H
#define WW_KERNELS_PTE_H

#include "kernels/addr.h"
#include "kernels/base.h"
#include "kernels/bits.h"
#include "kernels/xlat.h"

WW_BEGIN_DECLS

#define WW_PTE_P WW_BITS64(0, 0)       /* [0] present */
#define WW_PTE_RW WW_BITS64(1, 1)      /* [1] writable */
#define WW_PTE_US WW_BITS64(2, 2)      /* [2] user */
#define WW_PTE_PWT WW_BITS64(3, 3)     /* [3] write-through */
#define WW_PTE_PCD WW_BITS64(4, 4)     /* [4] cache disable */
#define WW_PTE_A WW_BITS64(5, 5)       /* [5] accessed */
#define WW_PTE_D WW_BITS64(6, 6)       /* [6] dirty */
#define WW_PTE_PS WW_BITS64(7, 7)      /* [7] leaf at level 2 or 3 */
#define WW_PTE_G WW_BITS64(8, 8)       /* [8] global */
#define WW_PTE_SW WW_BITS64(10, 9)     /* [10:9] software, unused */
#define WW_PTE_64K WW_BITS64(11, 11)   /* [11] software: level-1 entry of a 64 KiB page */
#define WW_PTE_FRAME WW_BITS64(51, 12) /* [51:12] frame, or next node */
#define WW_PTE_SW2 WW_BITS64(62, 52)   /* [62:52] software and keys, unused */
#define WW_PTE_NX WW_BITS64(63, 63)    /* [63] no execute */

WW_STATIC_ASSERT((WW_PTE_P | WW_PTE_RW | WW_PTE_US | WW_PTE_PWT | WW_PTE_PCD | WW_PTE_A | WW_PTE_D |
                  WW_PTE_PS | WW_PTE_G | WW_PTE_SW | WW_PTE_64K | WW_PTE_FRAME | WW_PTE_SW2 | WW_PTE_NX) ==
                     UINT64_MAX,
                 "every bit of an entry is named");
WW_STATIC_ASSERT(WW_PTE_P + WW_PTE_RW + WW_PTE_US + WW_PTE_PWT + WW_PTE_PCD + WW_PTE_A + WW_PTE_D +
                         WW_PTE_PS + WW_PTE_G + WW_PTE_SW + WW_PTE_64K + WW_PTE_FRAME + WW_PTE_SW2 +
                         WW_PTE_NX ==
                     UINT64_MAX,
                 "no bit of an entry is named twice");

/* Meaning of an entry to a walk. */
enum ww_pte_kind {
    WW_PTE_ABSENT, /* not present, or PS where no leaf can be: the walk faults */
    WW_PTE_TABLE,  /* the frame is the node of the next level down */
    WW_PTE_LEAF,   /* the frame is the page */
};

/* Returns a leaf. `flags` are the entry's bits besides P and the frame (RW, NX, PS at levels 2 and 3, the 64
 * KiB mark). */
static inline uint64_t ww_pte_leaf(uint64_t frame_pa, uint64_t flags)
{
    WW_ASSERT((frame_pa & ~WW_PTE_FRAME) == 0 && (flags & WW_PTE_FRAME) == 0);
    return frame_pa | flags | WW_PTE_P;
}

/* Returns a table entry that grants all rights, so that the leaf alone decides. */
static inline uint64_t ww_pte_table(uint64_t node_pa)
{
    WW_ASSERT((node_pa & ~WW_PTE_FRAME) == 0);
    return node_pa | WW_PTE_P | WW_PTE_RW | WW_PTE_US;
}

static inline bool ww_pte_present(uint64_t pte)
{
    return (pte & WW_PTE_P) != 0;
}

static inline enum ww_pte_kind ww_pte_kind(uint64_t pte, uint32_t level)
{
    if (!ww_pte_present(pte))
        return WW_PTE_ABSENT;
    if (level == WW_LEVEL_LEAF)
        return WW_PTE_LEAF;
    if ((pte & WW_PTE_PS) == 0)
        return WW_PTE_TABLE;
    return level <= 3 ? WW_PTE_LEAF : WW_PTE_ABSENT;
}

static inline bool ww_pte_is_leaf(uint64_t pte, uint32_t level)
{
    return ww_pte_kind(pte, level) == WW_PTE_LEAF;
}

/* Returns the physical address of the node that a table entry points to. */
static inline uint64_t ww_pte_node_pa(uint64_t pte)
{
    return pte & WW_PTE_FRAME;
}

/* Returns log2 of the page's bytes of a leaf at `level`. */
static inline uint8_t ww_pte_page_shift(uint64_t pte, uint32_t level)
{
    const bool mark_64k = level == WW_LEVEL_LEAF && (pte & WW_PTE_64K) != 0;
    return (uint8_t)(mark_64k ? (uint32_t)WW_PAGE_64K : ww_level_shift(level));
}

/* Returns the physical address of a leaf's page; of the whole 64 KiB page if the entry is marked. */
static inline uint64_t ww_pte_frame_pa(uint64_t pte, uint32_t level)
{
    return ww_page_base(pte & WW_PTE_FRAME, ww_pte_page_shift(pte, level));
}

/* Returns the enum ww_perm bits of a leaf. */
static inline uint8_t ww_pte_perm(uint64_t pte)
{
    const uint64_t write = ww_bits_get(WW_PTE_RW, pte) * WW_PERM_W;
    const uint64_t exec = (ww_bits_get(WW_PTE_NX, pte) ^ 1) * WW_PERM_X;
    return (uint8_t)(WW_PERM_R | write | exec);
}

/* Returns the entry bits for enum ww_perm bits; every present page can be read. */
static inline uint64_t ww_pte_flags_of_perm(uint8_t perm)
{
    const uint64_t write = (perm & WW_PERM_W) != 0 ? WW_PTE_RW : 0;
    const uint64_t no_exec = (perm & WW_PERM_X) != 0 ? 0 : WW_PTE_NX;
    return WW_PTE_US | write | no_exec;
}

/* Returns the translation that a leaf at `level` stands for. */
static inline struct ww_xlat ww_pte_xlat(uint64_t pte, uint32_t level)
{
    struct ww_xlat x;
    x.page_shift = ww_pte_page_shift(pte, level);
    x.page_pa = ww_page_base(pte & WW_PTE_FRAME, x.page_shift);
    x.perm = ww_pte_perm(pte);
    return x;
}

WW_END_DECLS

#endif
