/* SPDX-License-Identifier: MIT */
/* guest/privileged.h - which instructions of an x86-64 guest change the translations that may be held,
 * from their bytes (Intel SDM Vol. 2): MOV to CR0, CR3, CR4, LMSW, WRMSR, RSM, INVLPG with its operand,
 * INVPCID. */
#ifndef WW_GUEST_PRIVILEGED_H
#define WW_GUEST_PRIVILEGED_H

#include "kernels/base.h"
#include "kernels/bits.h"

WW_BEGIN_DECLS

enum ww_guest_insn {
    WW_GUEST_INSN_OTHER,
    WW_GUEST_INSN_ROOT,      /* MOV to CR3 */
    WW_GUEST_INSN_MODE,      /* MOV to CR0 or CR4, LMSW, WRMSR, RSM: mode or root may change */
    WW_GUEST_INSN_DROP_PAGE, /* INVLPG: operand */
    WW_GUEST_INSN_DROP_ALL,  /* INVPCID; INVLPG relative to the program counter */
};

/* An operand in memory, in a word: base + index << scale + displacement. */
#define WW_GUEST_MEM_DISP WW_BITS64(31, 0)    /* [31:0] signed */
#define WW_GUEST_MEM_BASE WW_BITS64(36, 32)   /* [36:32] register 0 (RAX) to 15, or 16: none */
#define WW_GUEST_MEM_INDEX WW_BITS64(41, 37)  /* [41:37] likewise */
#define WW_GUEST_MEM_SCALE WW_BITS64(43, 42)  /* [43:42] */
#define WW_GUEST_MEM_SEG WW_BITS64(45, 44)    /* [45:44] 0, 1: FS, 2: GS */
#define WW_GUEST_MEM_NARROW WW_BITS64(46, 46) /* [46] addresses of 32 bits */
#define WW_GUEST_NO_REGISTER 16u

/* Decodes one whole instruction in 64-bit mode. DROP_PAGE: sets *operand. */
enum ww_guest_insn ww_guest_decode(const uint8_t *bytes, size_t count, uint64_t *operand);

/* The values of RAX RCX RDX RBX RSP RBP RSI RDI R8 ... R15, and the bases of FS and GS. */
struct ww_guest_registers {
    uint64_t general[16];
    uint64_t fs_base, gs_base;
};
uint64_t ww_guest_address(uint64_t operand, const struct ww_guest_registers *r);

WW_END_DECLS

#endif
