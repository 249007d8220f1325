/* SPDX-License-Identifier: MIT */
/* kernels/iommu/iommu_interrupt.h - addresses of a device that are not memory: how an AMD-Vi IOMMU treats
 * interrupts (writes to 0xFEEx_xxxx, and HyperTransport's) and the other ranges set apart from 0xFD_0000_0000
 * to 0xFF_FFFF_FFFF, by its device-table entry. A step machine: what becomes of an access; where the
 * interrupt table's entry is; what the entry makes of an interrupt. Models: entries of 32 bits. Not modelled:
 * guest virtual APIC, x2APIC, the filter of SMIs. MODEL: with a PASID all addresses are the process's.
 * Source: AMD IOMMU Specification, interrupt remapping, special address controls. Time: none. Allocation:
 * none. */
#ifndef WW_KERNELS_IOMMU_INTERRUPT_H
#define WW_KERNELS_IOMMU_INTERRUPT_H

#include "kernels/iommu/iommu_dte.h"
#include "kernels/iommu/iommu_log.h"

WW_BEGIN_DECLS

/* Word 2 of the device-table entry. It is ignored without IV. */
#define WW_DTE_IV WW_BITS64(0, 0)      /* [0] the interrupt table is valid; independent of V */
#define WW_DTE_INT_LEN WW_BITS64(4, 1) /* [4:1] log2 of its entries, 0 to 11 */
#define WW_DTE_IG WW_BITS64(5, 5)      /* [5] no event for interrupts without an entry */
#define WW_DTE_INT_ROOT WW_BITS64(51, 6)
#define WW_DTE_INT_RSV1 WW_BITS64(55, 52)
#define WW_DTE_INIT_PASS WW_BITS64(56, 56)
#define WW_DTE_EXT_PASS WW_BITS64(57, 57)
#define WW_DTE_NMI_PASS WW_BITS64(58, 58)
#define WW_DTE_INT_RSV2 WW_BITS64(59, 59)
#define WW_DTE_INT_CTL WW_BITS64(61, 60) /* [61:60] fixed and arbitrated ones: 0 refused, 1 unchanged, */
                                         /* 2 remapped */
#define WW_DTE_LINT0_PASS WW_BITS64(62, 62)
#define WW_DTE_LINT1_PASS WW_BITS64(63, 63)
WW_STATIC_ASSERT(WW_DTE_IV + WW_DTE_INT_LEN + WW_DTE_IG + WW_DTE_INT_ROOT + WW_DTE_INT_RSV1 +
                         WW_DTE_INIT_PASS + WW_DTE_EXT_PASS + WW_DTE_NMI_PASS + WW_DTE_INT_RSV2 +
                         WW_DTE_INT_CTL + WW_DTE_LINT0_PASS + WW_DTE_LINT1_PASS ==
                     UINT64_MAX,
                 "every bit of the third word is named once");
#define WW_DTE_INT_LEN_MAX 11u

/* An entry of the interrupt table. */
#define WW_IRTE_BYTES 4u
#define WW_IRTE_REMAP_EN WW_BITS64(0, 0)
#define WW_IRTE_SUP_IOPF WW_BITS64(1, 1) /* [1] no event if it refuses */
#define WW_IRTE_INT_TYPE WW_BITS64(4, 2) /* [4:2] 0 fixed, 1 arbitrated */
#define WW_IRTE_RQ_EOI WW_BITS64(5, 5)   /* [5] HyperTransport's only */
#define WW_IRTE_DM WW_BITS64(6, 6)       /* [6] destination mode: 1 is logical */
#define WW_IRTE_GUEST WW_BITS64(7, 7)    /* [7] absent, must be 0 */
#define WW_IRTE_DEST WW_BITS64(15, 8)    /* [15:8] */
#define WW_IRTE_VECTOR WW_BITS64(23, 16) /* [23:16] */
#define WW_IRTE_RSV WW_BITS64(31, 24)
WW_STATIC_ASSERT(WW_IRTE_REMAP_EN + WW_IRTE_SUP_IOPF + WW_IRTE_INT_TYPE + WW_IRTE_RQ_EOI + WW_IRTE_DM +
                         WW_IRTE_GUEST + WW_IRTE_DEST + WW_IRTE_VECTOR + WW_IRTE_RSV ==
                     UINT32_MAX,
                 "every bit of an entry is named once");

#define WW_MSI_FIRST UINT64_C(0xfee00000)
#define WW_MSI_LAST UINT64_C(0xfeefffff)
#define WW_HYPER_FIRST UINT64_C(0xfd00000000) /* HyperTransport's */
#define WW_HYPER_LAST UINT64_C(0xffffffffff)
/* X(range, last): each begins after the one before it. */
#define WW_HYPER_RANGE_LIST(X)                                                                               \
    X(RESERVED_INT, UINT64_C(0xfdf7ffffff))  /* of interrupts */                                             \
    X(INTERRUPT, UINT64_C(0xfdf8ffffff))     /* interrupts and their ends */                                 \
    X(ACKNOWLEDGE, UINT64_C(0xfdf90fffff))   /* of legacy interrupt controllers */                           \
    X(SYSTEM, UINT64_C(0xfdf91fffff))        /* system management */                                         \
    X(RESERVED, UINT64_C(0xfdfbffffff))      /* and translation services of HyperTransport */                \
    X(IO, UINT64_C(0xfdfdffffff))            /* ports */                                                     \
    X(CONFIGURATION, UINT64_C(0xfdffffffff)) /* then extended configuration, device messages */              \
    X(EXTENDED, UINT64_C(0xfe1fffffff))                                                                      \
    X(RESERVED_TOP, WW_HYPER_LAST)
enum ww_iommu_range {
    WW_RANGE_MEMORY,
    WW_RANGE_MSI, /* interrupts of PCI Express */
#define X(name, last) WW_RANGE_##name,
    WW_HYPER_RANGE_LIST(X)
#undef X
        WW_RANGES
};
static inline bool ww_iommu_set_apart(uint64_t va)
{
    return va - WW_MSI_FIRST <= WW_MSI_LAST - WW_MSI_FIRST ||
           va - WW_HYPER_FIRST <= WW_HYPER_LAST - WW_HYPER_FIRST;
}
/* True if part of [first_va, last_va] is set apart. */
static inline bool ww_iommu_meets_set_apart(uint64_t first_va, uint64_t last_va)
{
    return (first_va <= WW_MSI_LAST && last_va >= WW_MSI_FIRST) ||
           (first_va <= WW_HYPER_LAST && last_va >= WW_HYPER_FIRST);
}
enum ww_iommu_range ww_iommu_range_of(uint64_t va);

enum ww_int_do {
    WW_INT_PASS,    /* pass it on unchanged */
    WW_INT_MEMORY,  /* treat it as an access to memory */
    WW_INT_READ,    /* an interrupt to be remapped: read the entry at `pa` */
    WW_INT_REFUSE,  /* log INVALID_DEVICE_REQUEST of `type` */
    WW_INT_ILLEGAL, /* log ILLEGAL_DEV_TABLE_ENTRY, with RZ if `reserved` */
    WW_INT_ABSENT   /* an interrupt without an entry: log IO_PAGE_FAULT unless `quiet` */
};
/* An access of a device. dword: 4 bytes at a multiple of 4. data: of a write that is `dword`, as interrupts
 * are. */
struct ww_int_access {
    uint64_t va;
    uint32_t data;
    bool write, dword;
};
struct ww_int_step {
    enum ww_int_do what;
    uint64_t pa;    /* of READ: 4 bytes */
    uint32_t index; /* in the interrupt table */
    uint8_t type;   /* enum ww_iommu_request_type */
    bool reserved, quiet;
};
/* Returns the treatment of an access. `dte`: three words of the entry. Required: the address is set apart. */
struct ww_int_step ww_int_start(const uint64_t dte[3], const struct ww_int_access *a);

enum ww_int_got {
    WW_INT_REMAPPED,
    WW_INT_UNMAPPED,  /* RemapEn is 0 */
    WW_INT_MALFORMED, /* reserved bits set, or a feature that is absent here */
};
struct ww_int_message {
    uint64_t pa;
    uint32_t data;
};
/* Applies a table entry to an interrupt. Sets *m if REMAPPED; sets *quiet if no event is to be logged
 * otherwise. `dte` as above. */
enum ww_int_got ww_int_remap(const uint64_t dte[3], const struct ww_int_access *a, uint32_t entry,
                             struct ww_int_message *m, bool *quiet);

WW_END_DECLS

#endif
