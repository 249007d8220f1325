/* SPDX-License-Identifier: MIT */
/* kernels/table/table_gpuvm.h - entries and walks of the page tables that AMD's GPUs walk themselves (GPUVM),
 * as the amdgpu driver writes them; the builder is gpuvm_table.h. AMD's IOMMU has another format,
 * table_amd.h. A step is a level: 1 is the page table block (PTB), 2 to 4 are the page directories PDB0 to
 * PDB2. Two layouts of entries: GFX9 to GFX11, and GFX12. Models: roots of one to four levels; valid, the
 * rights, the fragment (log2 of 4 KiB pages that are mapped alike, which one entry of an L1 TLB covers);
 * directory entries that are pages (P), sparse pages (PRT); in the first layout translate-further: a PDB1
 * entry with a block fragment of 9 makes the entries of its PDB0 pages unless they have TF; tables at
 * multiples of 64 bytes; the signed upper half of 48 bits. Source: drm/amd/amdgpu/amdgpu_vm.h,
 * amdgpu_vm_pt.c, gmc_v9_0.c, gmc_v10_0.c, gmc_v12_0.c (comments). ASSUMED, as the sources do not say: a
 * reserved bit that is set, an address not aligned to the reach of its entry, another block fragment, and TF
 * where no table can follow make an entry malformed. Not modelled: page table blocks of other than 512
 * entries, roots of more, five levels (GFX12.1), faults by no-retry, the distinction of system and device
 * memory; MTYPE, snooped, TMZ, L, NOALLOC, D, G, A and SW are named only. Time: none. Allocation: none. */
#ifndef WW_KERNELS_TABLE_GPUVM_H
#define WW_KERNELS_TABLE_GPUVM_H

#include "kernels/addr.h"
#include "kernels/base.h"
#include "kernels/bits.h"
#include "kernels/table/table.h"
#include "kernels/xlat.h"

WW_BEGIN_DECLS

/* A page, in both layouts. */
#define WW_GPUVM_V WW_BITS64(0, 0)     /* [0] valid */
#define WW_GPUVM_S WW_BITS64(1, 1)     /* [1] system memory, not the device's */
#define WW_GPUVM_C WW_BITS64(2, 2)     /* [2] snooped */
#define WW_GPUVM_Z WW_BITS64(3, 3)     /* [3] TMZ: encrypted */
#define WW_GPUVM_X WW_BITS64(4, 4)     /* [4] may be executed */
#define WW_GPUVM_R WW_BITS64(5, 5)     /* [5] may be read */
#define WW_GPUVM_W WW_BITS64(6, 6)     /* [6] may be written */
#define WW_GPUVM_FRAG WW_BITS64(11, 7) /* [11:7] fragment */
#define WW_GPUVM_PA WW_BITS64(47, 12)  /* [47:12] the page */

/* A page, GFX9 to GFX11. */
#define WW_GPUVM_GFX9_M10 WW_BITS64(50, 48) /* [50:48] MTYPE of GFX10 and GFX11 */
#define WW_GPUVM_GFX9_PRT WW_BITS64(51, 51) /* [51] T: partially resident */
#define WW_GPUVM_GFX9_SW WW_BITS64(53, 52)  /* [53:52] software */
#define WW_GPUVM_GFX9_P WW_BITS64(54, 54)   /* [54] P: a directory entry is a page */
#define WW_GPUVM_GFX9_L WW_BITS64(55, 55)   /* [55] L: log */
#define WW_GPUVM_GFX9_TF WW_BITS64(56, 56)  /* [56] F: translate further */
#define WW_GPUVM_GFX9_M9 WW_BITS64(58, 57)  /* [58:57] MTYPE of GFX9; [58] later NOALLOC */
#define WW_GPUVM_GFX9_RSV WW_BITS64(63, 59) /* [63:59] reserved */
/* A table, GFX9 to GFX11. */
#define WW_GPUVM_TABLE_RSV WW_BITS64(5, 3)   /* [5:3] reserved, both layouts */
#define WW_GPUVM_TABLE WW_BITS64(47, 6)      /* [47:6] the table, both layouts */
#define WW_GPUVM_GFX9_RSV2 WW_BITS64(53, 48) /* [53:48] reserved */
#define WW_GPUVM_GFX9_RSV3 WW_BITS64(58, 55) /* [58:55] reserved; [56] TF */
#define WW_GPUVM_GFX9_BFS                                                                                    \
    WW_BITS64(63, 59) /* [63:59] block fragment: log2 of what an entry below reaches                         \
                       */

/* A page, GFX12. */
#define WW_GPUVM_GFX12_RSV WW_BITS64(51, 48)  /* [51:48] reserved */
#define WW_GPUVM_GFX12_SW WW_BITS64(53, 52)   /* [53:52] software */
#define WW_GPUVM_GFX12_M WW_BITS64(55, 54)    /* [55:54] MTYPE, also of a table */
#define WW_GPUVM_GFX12_PRT WW_BITS64(56, 56)  /* [56] T: partially resident; A of a table */
#define WW_GPUVM_GFX12_G WW_BITS64(57, 57)    /* [57] G */
#define WW_GPUVM_GFX12_D WW_BITS64(58, 58)    /* [58] D: compressed (DCC) */
#define WW_GPUVM_GFX12_RSV2 WW_BITS64(62, 59) /* [62:59] reserved */
#define WW_GPUVM_GFX12_P WW_BITS64(63, 63)    /* [63] P; entries of a PTB may have it, too */
/* A table, GFX12. */
#define WW_GPUVM_GFX12_RSV3 WW_BITS64(53, 48) /* [53:48] reserved */
#define WW_GPUVM_GFX12_RSV4 WW_BITS64(57, 57) /* [57] reserved */
#define WW_GPUVM_GFX12_BFS WW_BITS64(62, 58)  /* [62:58] block fragment: the driver writes only 0 */

/* clang-format off */
#define WW_GPUVM_LOW(op) (WW_GPUVM_V op WW_GPUVM_S op WW_GPUVM_C op WW_GPUVM_Z op WW_GPUVM_X op WW_GPUVM_R op \
                          WW_GPUVM_W op WW_GPUVM_FRAG op WW_GPUVM_PA)
#define WW_GPUVM_GFX9_PAGE(op) (WW_GPUVM_LOW(op) op WW_GPUVM_GFX9_M10 op WW_GPUVM_GFX9_PRT op WW_GPUVM_GFX9_SW op \
                                WW_GPUVM_GFX9_P op WW_GPUVM_GFX9_L op WW_GPUVM_GFX9_TF op WW_GPUVM_GFX9_M9 op     \
                                WW_GPUVM_GFX9_RSV)
#define WW_GPUVM_GFX12_PAGE(op) (WW_GPUVM_LOW(op) op WW_GPUVM_GFX12_RSV op WW_GPUVM_GFX12_SW op WW_GPUVM_GFX12_M op \
                                 WW_GPUVM_GFX12_PRT op WW_GPUVM_GFX12_G op WW_GPUVM_GFX12_D op                      \
                                 WW_GPUVM_GFX12_RSV2 op WW_GPUVM_GFX12_P)
#define WW_GPUVM_TABLE_LOW(op) (WW_GPUVM_V op WW_GPUVM_S op WW_GPUVM_C op WW_GPUVM_TABLE_RSV op WW_GPUVM_TABLE)
#define WW_GPUVM_GFX9_DIR(op) (WW_GPUVM_TABLE_LOW(op) op WW_GPUVM_GFX9_RSV2 op WW_GPUVM_GFX9_P op \
                               WW_GPUVM_GFX9_RSV3 op WW_GPUVM_GFX9_BFS)
#define WW_GPUVM_GFX12_DIR(op) (WW_GPUVM_TABLE_LOW(op) op WW_GPUVM_GFX12_RSV3 op WW_GPUVM_GFX12_M op \
                                WW_GPUVM_GFX12_PRT op WW_GPUVM_GFX12_RSV4 op WW_GPUVM_GFX12_BFS op WW_GPUVM_GFX12_P)
/* clang-format on */
WW_STATIC_ASSERT(WW_GPUVM_GFX9_PAGE(|) == UINT64_MAX && WW_GPUVM_GFX12_PAGE(|) == UINT64_MAX &&
                     WW_GPUVM_GFX9_DIR(|) == UINT64_MAX && WW_GPUVM_GFX12_DIR(|) == UINT64_MAX,
                 "every bit of an entry is named");
WW_STATIC_ASSERT(WW_GPUVM_GFX9_PAGE(+) == UINT64_MAX && WW_GPUVM_GFX12_PAGE(+) == UINT64_MAX &&
                     WW_GPUVM_GFX9_DIR(+) == UINT64_MAX && WW_GPUVM_GFX12_DIR(+) == UINT64_MAX,
                 "no bit of an entry is named twice");

#define WW_GPUVM_LEVELS_MAX 4u
#define WW_GPUVM_FURTHER 9u /* block fragment of translate-further: entries of 2 MiB */
#define WW_GPUVM_FRAGMENT_MAX 31u

/* Places of the bits that differ between layouts. */
struct ww_gpuvm_layout {
    uint64_t page;       /* P */
    uint64_t sparse;     /* PRT */
    uint64_t further;    /* TF; 0: the layout has none */
    uint64_t block;      /* block fragment */
    uint64_t page_zero;  /* reserved in a page */
    uint64_t table_zero; /* reserved in a table, without TF and the block fragment */
};

enum ww_gpuvm_generation { WW_GPUVM_GFX9, WW_GPUVM_GFX12 }; /* GFX9 to GFX11; GFX12 */

static inline struct ww_gpuvm_layout ww_gpuvm_layout_of(enum ww_gpuvm_generation generation)
{
    const struct ww_gpuvm_layout gfx9 = {
        WW_GPUVM_GFX9_P,
        WW_GPUVM_GFX9_PRT,
        WW_GPUVM_GFX9_TF,
        WW_GPUVM_GFX9_BFS,
        WW_GPUVM_GFX9_RSV,
        WW_GPUVM_TABLE_RSV | WW_GPUVM_GFX9_RSV2 | (WW_GPUVM_GFX9_RSV3 & ~WW_GPUVM_GFX9_TF)};
    const struct ww_gpuvm_layout gfx12 = {WW_GPUVM_GFX12_P,
                                          WW_GPUVM_GFX12_PRT,
                                          0,
                                          WW_GPUVM_GFX12_BFS,
                                          WW_GPUVM_GFX12_RSV | WW_GPUVM_GFX12_RSV2,
                                          WW_GPUVM_TABLE_RSV | WW_GPUVM_GFX12_RSV3 | WW_GPUVM_GFX12_RSV4};
    return generation == WW_GPUVM_GFX9 ? gfx9 : gfx12;
}

/* Meaning of an entry to a walk. */
enum ww_gpuvm_kind {
    WW_GPUVM_ABSENT,
    WW_GPUVM_SPARSE, /* no page by intent: reads return 0, writes are dropped */
    WW_GPUVM_NEXT,   /* a table */
    WW_GPUVM_PAGE,
    WW_GPUVM_MALFORMED
};

/* Returns the meaning of an entry. `pages`: the entries of this PDB0 are pages unless they have TF. */
static inline enum ww_gpuvm_kind ww_gpuvm_kind(enum ww_gpuvm_generation generation, uint64_t entry,
                                               uint32_t level, bool pages)
{
    const struct ww_gpuvm_layout of = ww_gpuvm_layout_of(generation);
    const bool further = (entry & of.further) != 0;
    const bool page = level == 1 || (entry & of.page) != 0 || (pages && !further);
    if ((entry & WW_GPUVM_V) == 0)
        return page && (entry & of.sparse) != 0 ? WW_GPUVM_SPARSE : WW_GPUVM_ABSENT;
    if (further && (page || !pages))
        return WW_GPUVM_MALFORMED; /* no table can follow a page, and else one follows without it */
    if (page)
        return (entry & (of.page_zero | (ww_page_mask(ww_level_shift(level)) & WW_GPUVM_PA))) == 0
                   ? WW_GPUVM_PAGE
                   : WW_GPUVM_MALFORMED;
    const uint64_t block = ww_bits_get(of.block, entry);
    if (block != 0 && (block != WW_GPUVM_FURTHER || level != 3 || of.further == 0))
        return WW_GPUVM_MALFORMED;
    return (entry & of.table_zero) == 0 ? WW_GPUVM_NEXT : WW_GPUVM_MALFORMED;
}

/* True if a table entry (NEXT) at level 3 makes the entries below it pages. */
static inline bool ww_gpuvm_leads_to_pages(enum ww_gpuvm_generation generation, uint64_t entry)
{
    return ww_bits_get(ww_gpuvm_layout_of(generation).block, entry) != 0;
}

/* Returns the translation of va by a page entry. Its page has the fragment's size, which may be less or more
 * than the reach of the entry. ASSUMED: if virtual and physical addresses differ within the fragment, the
 * page ends below the lowest bit that differs. */
static inline struct ww_xlat ww_gpuvm_xlat(uint64_t entry, uint32_t level, uint64_t va)
{
    const uint64_t inside = ww_page_mask(ww_level_shift(level));
    const uint64_t pa = (entry & WW_GPUVM_PA) | (va & inside); /* disjoint in a page's entry */
    uint32_t shift = (uint32_t)WW_PAGE_4K + (uint32_t)ww_bits_get(WW_GPUVM_FRAG, entry);
    const uint64_t apart = (pa ^ va) & ww_page_mask(shift);
    if (apart != 0)
        shift = (uint32_t)__builtin_ctzll(apart);
    struct ww_xlat x;
    x.page_pa = ww_page_base(pa, shift);
    x.page_shift = (uint8_t)shift;
    x.perm =
        (uint8_t)(((entry & WW_GPUVM_R) != 0 ? WW_PERM_R : 0) | ((entry & WW_GPUVM_W) != 0 ? WW_PERM_W : 0) |
                  ((entry & WW_GPUVM_X) != 0 ? WW_PERM_X : 0));
    return x;
}

/* Returns the entry bits for enum ww_perm bits. */
static inline uint64_t ww_gpuvm_rights(uint8_t perm)
{
    return ((perm & WW_PERM_R) != 0 ? WW_GPUVM_R : 0) | ((perm & WW_PERM_W) != 0 ? WW_GPUVM_W : 0) |
           ((perm & WW_PERM_X) != 0 ? WW_GPUVM_X : 0);
}

/* Registers: word[0] is the page directory's base (VM_CONTEXTn_PAGE_TABLE_BASE_ADDR), a table entry of the
 * level above; word[1] is VM_CONTEXTn_CNTL. */
#define WW_GPUVM_CNTL_ENABLE WW_BITS64(0, 0)      /* [0] */
#define WW_GPUVM_CNTL_DEPTH WW_BITS64(2, 1)       /* [2:1] levels of the table, less 1 */
#define WW_GPUVM_CNTL_BLOCK_GFX9 WW_BITS64(6, 3)  /* [6:3] log2 of the entries of a PTB, less 9 */
#define WW_GPUVM_CNTL_BLOCK_GFX12 WW_BITS64(7, 4) /* [7:4] the same in GFX12 */

extern const struct ww_table_kind ww_gpuvm_gfx9, ww_gpuvm_gfx12;

static inline const struct ww_table_kind *ww_gpuvm_kind_of(enum ww_gpuvm_generation generation)
{
    return generation == WW_GPUVM_GFX9 ? &ww_gpuvm_gfx9 : &ww_gpuvm_gfx12;
}

/* Returns the address space whose root, of 1 to 4 levels, lies at root_pa, a multiple of 64 bytes. */
static inline struct ww_table ww_gpuvm_space(enum ww_gpuvm_generation generation, uint32_t levels,
                                             uint64_t root_pa)
{
    const struct ww_table t = {
        ww_gpuvm_kind_of(generation),
        {{root_pa | WW_GPUVM_V, ww_bits_put(WW_GPUVM_CNTL_DEPTH, WW_GPUVM_CNTL_ENABLE, levels - 1)}}};
    WW_ASSERT((root_pa & ~WW_GPUVM_TABLE) == 0 && levels - 1 < WW_GPUVM_LEVELS_MAX);
    return t;
}

WW_END_DECLS

#endif
