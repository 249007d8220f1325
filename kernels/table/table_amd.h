/* SPDX-License-Identifier: MIT */
/* kernels/table/table_amd.h - walks of AMD's own I/O page table (v1); the builder is amd_table.h, the entry
 * amd_pte.h. A step is a level, but a walk may skip some: each entry names the level of the next table.
 * Models: root levels 1 to 6, skipped levels (their address bits must be zero), pages of encoded size, rights
 * granted along the whole path. MODEL: addresses have at most 57 bits, so level 6 has one entry in use. Not
 * modelled: accessed and dirty updates, mode 0 (no translation). Time: none. Allocation: none. */
#ifndef WW_KERNELS_TABLE_AMD_H
#define WW_KERNELS_TABLE_AMD_H

#include "kernels/table/table.h"

WW_BEGIN_DECLS

/* Registers: word[0] is the first word of the device table entry; word[1] is not used. */
#define WW_AMD_DTE_V WW_BITS64(0, 0)      /* [0] the entry is valid */
#define WW_AMD_DTE_TV WW_BITS64(1, 1)     /* [1] its translation is valid, too */
#define WW_AMD_DTE_MODE WW_BITS64(11, 9)  /* [11:9] level of the root */
#define WW_AMD_DTE_ROOT WW_BITS64(51, 12) /* [51:12] address of the root */
#define WW_AMD_DTE_IR WW_BITS64(61, 61)   /* [61] allows reads */
#define WW_AMD_DTE_IW WW_BITS64(62, 62)   /* [62] allows writes */

extern const struct ww_table_kind ww_amd_v1;

/* Returns the bits of an address that a root of this level translates. */
static inline uint32_t ww_amd_va_bits(uint32_t mode)
{
    return mode < 5 ? ww_va_bits(mode) : WW_WALK_VA_BITS_MAX;
}

/* Returns an address space with all rights. */
static inline struct ww_table ww_amd_v1_table(uint32_t mode, uint64_t root_pa)
{
    const uint64_t dte = ww_bits_put(WW_AMD_DTE_MODE, root_pa, mode) | WW_AMD_DTE_V | WW_AMD_DTE_TV |
                         WW_AMD_DTE_IR | WW_AMD_DTE_IW;
    const struct ww_table t = {&ww_amd_v1, {{dte}}};
    return t;
}

WW_END_DECLS

#endif
