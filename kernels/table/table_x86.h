/* SPDX-License-Identifier: MIT */
/* kernels/table/table_x86.h - walks of page tables as x86-64 processors have them (Intel SDM Vol. 3A, 4.5), 4
 * or 5 levels: tables that an operating system wrote. The entry's bits are those of pte.h, but software bits
 * have no meaning here (bit 11 is no 64 KiB mark), the rights of all levels count, addresses are canonical,
 * and reserved bits fault. Models: pages of 4 KiB, 2 MiB, 1 GiB; W, U and X granted along the whole path;
 * reserved bits by the width of physical addresses and the page size. Not modelled: accessed and dirty
 * updates, protection keys, memory types (PAT, PWT, PCD are ignored), tags in addresses (LAM), EFER.NXE = 0,
 * processors without 1 GiB pages. Time: none. Allocation: none. */
#ifndef WW_KERNELS_TABLE_X86_H
#define WW_KERNELS_TABLE_X86_H

#include "kernels/table/pte.h"
#include "kernels/table/table.h"

WW_BEGIN_DECLS

/* Registers: word[0] is CR3, of which [11:0] (PWT, PCD, or PCID) and LAM are not used. word[1] has:
 * MAXPHYADDR, the bits of physical addresses, 32 to 52; whether addresses come without their sign extension,
 * as from a machine whose addresses have 48 or 57 bits; and the bits of CR3 and entries that choose an
 * encryption of memory instead of an address: AMD's C-bit (SME), or the key of Intel's TME-MK. */
#define WW_X86_PHYS_BITS WW_BITS64(5, 0)
#define WW_X86_FOLDED WW_BITS64(6, 6)
#define WW_X86_ENCRYPTION WW_BITS64(51, 12)

/* Bits of CR3 that enable linear-address masking of user addresses: LAM_U57, LAM_U48. */
#define WW_X86_CR3_LAM_U57 WW_BITS64(61, 61)
#define WW_X86_CR3_LAM_U48 WW_BITS64(62, 62)
#define WW_X86_CR3_LAM (WW_X86_CR3_LAM_U57 | WW_X86_CR3_LAM_U48)

extern const struct ww_table_kind ww_x86_4, ww_x86_5;

#define WW_X86_PHYS_BITS_MIN 32u
#define WW_X86_PHYS_BITS_MAX 52u

/* The kind's own bits of a walk that reads or is done: the rights that the path has granted so far. */
#define WW_X86_WRITE WW_BITS64(58, 58)
#define WW_X86_USER WW_BITS64(59, 59)
#define WW_X86_EXEC WW_BITS64(60, 60)
#define WW_X86_RIGHTS (WW_X86_WRITE | WW_X86_USER | WW_X86_EXEC)

static inline struct ww_table ww_x86_table(uint32_t levels, uint64_t cr3, uint32_t phys_bits)
{
    const struct ww_table t = {levels == WW_LEVELS_MIN ? &ww_x86_4 : &ww_x86_5, {{cr3, phys_bits}}};
    WW_ASSERT(levels - WW_LEVELS_MIN <= WW_LEVELS_MAX - WW_LEVELS_MIN &&
              phys_bits - WW_X86_PHYS_BITS_MIN <= WW_X86_PHYS_BITS_MAX - WW_X86_PHYS_BITS_MIN);
    return t;
}

/* Returns the same table, in which these bits choose an encryption of memory. */
static inline struct ww_table ww_x86_encrypted(struct ww_table t, uint64_t bits)
{
    WW_ASSERT((bits & ~WW_X86_ENCRYPTION) == 0);
    t.regs.word[1] |= bits;
    return t;
}

static inline uint64_t ww_x86_encryption(const struct ww_table_regs *regs)
{
    return regs->word[1] & WW_X86_ENCRYPTION;
}

/* Returns an entry, or CR3, without the bits that choose an encryption. */
static inline uint64_t ww_x86_plain(const struct ww_table_regs *regs, uint64_t entry)
{
    return entry & ~ww_x86_encryption(regs);
}

static inline uint64_t ww_x86_root_pa(const struct ww_table_regs *regs)
{
    return ww_x86_plain(regs, regs->word[0]) & WW_PTE_FRAME;
}

/* Returns the canonical address with the same translated bits: those above are copies of the highest of
 * them. */
static inline uint64_t ww_x86_canonical(uint64_t va, uint32_t levels)
{
    const uint64_t sign = ww_page_bytes(ww_va_bits(levels) - 1);
    return ((va & (2 * sign - 1)) ^ sign) - sign;
}

/* True if the table translates the address. */
static inline bool ww_x86_va_legal(const struct ww_table_regs *regs, uint64_t va, uint32_t levels)
{
    return (regs->word[1] & WW_X86_FOLDED) != 0 ? ww_va_legal(va, levels)
                                                : ww_x86_canonical(va, levels) == va;
}

static inline uint32_t ww_x86_phys_bits(const struct ww_table_regs *regs)
{
    return (uint32_t)ww_bits_get(WW_X86_PHYS_BITS, regs->word[1]);
}

/* Returns the frame bits that are beyond physical addresses of this width. */
static inline uint64_t ww_x86_beyond(uint32_t phys_bits)
{
    return WW_PTE_FRAME & ~ww_page_mask(phys_bits);
}

/* True if a present entry without reserved bits set maps a page. */
static inline bool ww_x86_is_page(uint64_t pte, uint32_t level)
{
    return level == WW_LEVEL_LEAF || (pte & WW_PTE_PS) != 0;
}

/* Returns the bits that must be 0 in a present entry like this one. A large page's address begins at its
 * size; bit 12 is its PAT. */
static inline uint64_t ww_x86_reserved(uint64_t pte, uint32_t level, uint32_t phys_bits)
{
    const uint64_t beyond = ww_x86_beyond(phys_bits);
    if (level == WW_LEVEL_LEAF || !ww_x86_is_page(pte, level))
        return beyond;
    if (level > 3)
        return beyond | WW_PTE_PS;
    return beyond | (ww_page_mask(ww_level_shift(level)) & ~ww_page_mask(WW_PAGE_4K + 1));
}

/* Returns the rights that one entry of any level grants. */
static inline uint64_t ww_x86_grants(uint64_t pte)
{
    return ((pte & WW_PTE_RW) != 0 ? WW_X86_WRITE : 0) | ((pte & WW_PTE_US) != 0 ? WW_X86_USER : 0) |
           ((pte & WW_PTE_NX) == 0 ? WW_X86_EXEC : 0);
}

WW_END_DECLS

#endif
