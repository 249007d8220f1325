/* SPDX-License-Identifier: MIT */
/* kernels/table/table_gpuvm.h - walks of the page tables of AMD's GPUs; the builder is gpuvm_table.h, the
 * entry gpuvm_pte.h. A step is a level. Models: roots of one to four levels, pages at each, fragments,
 * translate-further, sparse pages, tables at multiples of 64 bytes, the signed upper half of 48-bit
 * addresses. Not modelled: page table blocks of another size than 512 entries, roots of more, five levels
 * (GFX12.1), faults by no-retry, system and device memory apart. Time: none. Allocation: none. */
#ifndef WW_KERNELS_TABLE_GPUVM_H
#define WW_KERNELS_TABLE_GPUVM_H

#include "kernels/table/gpuvm_pte.h"
#include "kernels/table/table.h"

WW_BEGIN_DECLS

/* Registers: word[0] is the page directory's base (VM_CONTEXTn_PAGE_TABLE_BASE_ADDR), a table entry of the
 * level above; word[1] is VM_CONTEXTn_CNTL. */
#define WW_GPUVM_CNTL_ENABLE WW_BITS64(0, 0)      /* [0] */
#define WW_GPUVM_CNTL_DEPTH WW_BITS64(2, 1)       /* [2:1] directories between the root's entry and a page */
#define WW_GPUVM_CNTL_BLOCK_GFX9 WW_BITS64(6, 3)  /* [6:3] log2 of the entries of a PTB, less 9 */
#define WW_GPUVM_CNTL_BLOCK_GFX12 WW_BITS64(7, 4) /* [7:4] the same, of GFX12 */

extern const struct ww_table_kind ww_gpuvm_gfx9, ww_gpuvm_gfx12;

static inline const struct ww_table_kind *ww_gpuvm_kind_of(enum ww_gpuvm_generation generation)
{
    return generation == WW_GPUVM_GFX9 ? &ww_gpuvm_gfx9 : &ww_gpuvm_gfx12;
}

/* An address space with its root of that many levels at a multiple of 64 bytes. */
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
