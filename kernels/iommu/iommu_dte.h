/* SPDX-License-Identifier: MIT */
/* kernels/iommu/iommu_dte.h - the device table entry of an AMD-Vi IOMMU, 32 bytes, and the GCR3 table that it
 * points to: from a requester and an optional PASID to the meaning of its addresses. A step machine: it names
 * the bytes it needs next. Models: no translation, a table of AMD's own format (mode 1 to 5), and for a PASID
 * a four-level table as x86-64 processors have. A PASID under an entry with a table of its own (nested) is
 * refused. Interrupts and system management: iommu_interrupt.h. Exclusion is ignored. Source: AMD IOMMU
 * Specification. Time: none. Allocation: none. */
#ifndef WW_KERNELS_IOMMU_DTE_H
#define WW_KERNELS_IOMMU_DTE_H

#include "kernels/table/table_amd.h"

WW_BEGIN_DECLS

#define WW_DTE_BYTES 32u
#define WW_DTE_WORDS 4u

/* Word 0; table_amd.h defines V, TV, mode, root, IR and IW. */
#define WW_DTE_RSV1 WW_BITS64(6, 2)
#define WW_DTE_HAD WW_BITS64(8, 7)      /* [8:7] write accessed and dirty bits: absent, must be 0 */
#define WW_DTE_PPR WW_BITS64(52, 52)    /* [52] page requests are allowed */
#define WW_DTE_GPRP WW_BITS64(53, 53)   /* [53] answers to them carry the PASID */
#define WW_DTE_GIOV WW_BITS64(54, 54)   /* [54] addresses without PASID are those of PASID 0: absent */
#define WW_DTE_GV WW_BITS64(55, 55)     /* [55] PASIDs have page tables */
#define WW_DTE_GLX WW_BITS64(57, 56)    /* [57:56] levels of the GCR3 table, less one */
#define WW_DTE_GCR3_A WW_BITS64(60, 58) /* [60:58] its address [14:12] */
#define WW_DTE_RSV2 WW_BITS64(63, 63)
WW_STATIC_ASSERT(WW_AMD_DTE_V + WW_AMD_DTE_TV + WW_DTE_RSV1 + WW_DTE_HAD + WW_AMD_DTE_MODE + WW_AMD_DTE_ROOT +
                         WW_DTE_PPR + WW_DTE_GPRP + WW_DTE_GIOV + WW_DTE_GV + WW_DTE_GLX + WW_DTE_GCR3_A +
                         WW_AMD_DTE_IR + WW_AMD_DTE_IW + WW_DTE_RSV2 ==
                     UINT64_MAX,
                 "every bit of the first word is named once");
/* Word 1 */
#define WW_DTE_DOMAIN WW_BITS64(15, 0)   /* [15:0] names the address space in commands and events */
#define WW_DTE_GCR3_B WW_BITS64(31, 16)  /* [31:16] GCR3 table's address [30:15] */
#define WW_DTE_I WW_BITS64(32, 32)       /* [32] the device has a TLB: it may request translations */
#define WW_DTE_SE WW_BITS64(33, 33)      /* [33] log only the first fault of each device */
#define WW_DTE_SA WW_BITS64(34, 34)      /* [34] log no faults */
#define WW_DTE_IO_CTL WW_BITS64(36, 35)  /* [36:35] accesses to ports (iommu_interrupt.h) */
#define WW_DTE_OTHER WW_BITS64(39, 37)   /* [39:37] cache hint, snoop, exclusion */
#define WW_DTE_SYS_MGT WW_BITS64(41, 40) /* [41:40] accesses to system management */
#define WW_DTE_RSV3 WW_BITS64(42, 42)    /* [42] ignored */
#define WW_DTE_GCR3_C WW_BITS64(63, 43)  /* [63:43] GCR3 table's address [51:31] */
WW_STATIC_ASSERT(WW_DTE_DOMAIN + WW_DTE_GCR3_B + WW_DTE_I + WW_DTE_SE + WW_DTE_SA + WW_DTE_IO_CTL +
                         WW_DTE_OTHER + WW_DTE_SYS_MGT + WW_DTE_RSV3 + WW_DTE_GCR3_C ==
                     UINT64_MAX,
                 "every bit of the second word is named once");
/* An entry of the GCR3 table, at every level of it. */
#define WW_GCR3_V WW_BITS64(0, 0)
#define WW_GCR3_IGN WW_BITS64(4, 1) /* includes PWT and PCD at the last level */
#define WW_GCR3_RSV1 WW_BITS64(11, 5)
#define WW_GCR3_PA WW_BITS64(51, 12) /* next table, or root of the PASID's page table */
#define WW_GCR3_RSV2 WW_BITS64(63, 52)
WW_STATIC_ASSERT(WW_GCR3_V + WW_GCR3_IGN + WW_GCR3_RSV1 + WW_GCR3_PA + WW_GCR3_RSV2 == UINT64_MAX,
                 "every bit of an entry is named once");

#define WW_DTE_LEVELS_MAX 5u /* of a device's own table: enough for WW_WALK_VA_BITS_MAX bits (HATS) */
#define WW_PASID_BITS 20u
#define WW_GCR3_LEVEL_BITS 9u

enum ww_dte_means {
    WW_DTE_READ,     /* nothing yet: `bytes` at `pa` are needed */
    WW_DTE_PASS,     /* addresses are physical; a valid entry limits the rights by word 0 */
    WW_DTE_HOST,     /* AMD's own table translates; word 0 is its registers */
    WW_DTE_GUEST,    /* an x86-64 table at `pa` translates */
    WW_DTE_BLOCKED,  /* the entry has no valid translation: every access faults */
    WW_DTE_NO_PASID, /* the PASID has no table: the access faults */
    WW_DTE_ILLEGAL,  /* outside the device table, reserved bits set, an illegal level, an absent feature */
    WW_DTE_REFUSED   /* memory refused the entry at `pa` */
};

struct ww_dte {
    uint64_t word[3]; /* of the entry, once read */
    uint64_t pa;
    uint32_t device, pasid;
    uint8_t means; /* enum ww_dte_means */
    uint8_t bytes; /* READ: number of bytes */
    uint8_t level; /* READ: 0 the device table entry, else the level of the GCR3 table */
    bool has_pasid;
    bool reserved; /* ILLEGAL: because reserved bits are set */
};

/* Starts the lookup of a requester's entry: READ, or ILLEGAL if it lies outside the table or the PASID has
 * more than WW_PASID_BITS bits. `devtab` is the register. */
void ww_dte_start(struct ww_dte *d, uint64_t devtab, uint32_t device, bool has_pasid, uint32_t pasid);
/* Takes the words read (WW_DTE_WORDS, or one), or NULL if memory answered with an error. Required (asserted):
 * d->means is READ. */
void ww_dte_feed(struct ww_dte *d, const uint64_t *words);

static inline uint64_t ww_dte_gcr3(const uint64_t word[3])
{
    return ww_bits_get(WW_DTE_GCR3_A, word[0]) << 12 | ww_bits_get(WW_DTE_GCR3_B, word[1]) << 15 |
           ww_bits_get(WW_DTE_GCR3_C, word[1]) << 31;
}
/* Returns the rights that an entry without translation grants; an invalid entry grants all. */
static inline uint8_t ww_dte_rights(uint64_t word0)
{
    if ((word0 & WW_AMD_DTE_V) == 0)
        return WW_PERM_ALL;
    return (uint8_t)(((word0 & WW_AMD_DTE_IR) != 0 ? WW_PERM_R | WW_PERM_X : 0) |
                     ((word0 & WW_AMD_DTE_IW) != 0 ? WW_PERM_W : 0));
}

WW_END_DECLS

#endif
