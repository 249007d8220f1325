/* SPDX-License-Identifier: MIT */
/* kernels/iommu/iommu_log.h - the logs of an AMD-Vi IOMMU for software: events and page requests, each 16
 * bytes in a ring in memory. Finds the place of the next entry, whether there is room, and the entry's two
 * words, with the code in [63:60] of the first. Source: AMD IOMMU Specification, event log and PPR log. Not
 * modelled: several logs. Time: none. Allocation: none. */
#ifndef WW_KERNELS_IOMMU_LOG_H
#define WW_KERNELS_IOMMU_LOG_H

#include "kernels/iommu/iommu_regs.h"

WW_BEGIN_DECLS

#define WW_IOMMU_ENTRY_BYTES 16u /* of commands, events and page requests */

#define WW_IOMMU_EVENT_LIST(X)                                                                               \
    X(ILLEGAL_DEV_TABLE_ENTRY, 1)                                                                            \
    X(IO_PAGE_FAULT, 2)                                                                                      \
    X(DEV_TAB_HARDWARE_ERROR, 3)                                                                             \
    X(PAGE_TAB_HARDWARE_ERROR, 4)                                                                            \
    X(ILLEGAL_COMMAND_ERROR, 5)                                                                              \
    X(COMMAND_HARDWARE_ERROR, 6)                                                                             \
    X(IOTLB_INV_TIMEOUT, 7)                                                                                  \
    X(INVALID_DEVICE_REQUEST, 8)                                                                             \
    X(INVALID_PPR_REQUEST, 9)
enum ww_iommu_event_code {
#define X(name, code) WW_EVENT_##name = code,
    WW_IOMMU_EVENT_LIST(X)
#undef X
};
const char *ww_iommu_event_name(uint32_t code); /* "IO_PAGE_FAULT"; "?" for an unknown code */

/* The first word of an event. */
#define WW_EVENT_DEVICE WW_BITS64(15, 0)      /* [15:0] requester */
#define WW_EVENT_PASID_HIGH WW_BITS64(19, 16) /* [19:16] PASID [19:16] */
#define WW_EVENT_RSV1 WW_BITS64(31, 20)
#define WW_EVENT_DOMAIN WW_BITS64(47, 32) /* [47:32] domain, or PASID [15:0], by event */
#define WW_EVENT_GN WW_BITS64(48, 48)     /* [48] the address belongs to a PASID */
#define WW_EVENT_NX WW_BITS64(49, 49)     /* [49] the request was to execute */
#define WW_EVENT_US WW_BITS64(50, 50)     /* [50] by an unprivileged requester */
#define WW_EVENT_I WW_BITS64(51, 51)      /* [51] an interrupt */
#define WW_EVENT_PR WW_BITS64(52, 52)     /* [52] the page is present: rights are missing, or bits reserved */
#define WW_EVENT_RW WW_BITS64(53, 53)     /* [53] the request was a write */
#define WW_EVENT_PE WW_BITS64(54, 54)     /* [54] rights are missing */
#define WW_EVENT_RZ WW_BITS64(55, 55)     /* [55] reserved bits are set, or a level is illegal */
#define WW_EVENT_TR WW_BITS64(56, 56)     /* [56] a translation request */
#define WW_EVENT_TYPE WW_BITS64(59, 57)   /* [59:57] of a hardware error, or a device's invalid request */
#define WW_EVENT_CODE WW_BITS64(63, 60)
WW_STATIC_ASSERT(WW_EVENT_DEVICE + WW_EVENT_PASID_HIGH + WW_EVENT_RSV1 + WW_EVENT_DOMAIN + WW_EVENT_GN +
                         WW_EVENT_NX + WW_EVENT_US + WW_EVENT_I + WW_EVENT_PR + WW_EVENT_RW + WW_EVENT_PE +
                         WW_EVENT_RZ + WW_EVENT_TR + WW_EVENT_TYPE + WW_EVENT_CODE ==
                     UINT64_MAX,
                 "every bit of an event is named once");
/* Values of TYPE: of a hardware error, and of INVALID_DEVICE_REQUEST. */
#define WW_EVENT_TARGET_ABORT 2u
enum ww_iommu_request_type {
    WW_REQUEST_INTERRUPT_READ = 0, /* a read, or a non-posted write, where only interrupts may be */
    WW_REQUEST_TRANSLATED = 1,     /* marked as translated, or a translation request, by a device without I */
    WW_REQUEST_IO_SPACE = 2,
    WW_REQUEST_WRITE = 3, /* to an address that belongs to no function */
    WW_REQUEST_READ = 4,
    WW_REQUEST_INTERRUPT_WRITE = 5, /* an interrupt whose table entry is disabled */
    WW_REQUEST_RESERVED_INTERRUPT = 6,
    WW_REQUEST_SYSTEM_MANAGEMENT = 7
};
/* INVALID_PPR_REQUEST has tag and PASID at the bits of a page request (WW_PPR_TAG and so on). */

struct ww_iommu_event {
    uint8_t code;   /* enum ww_iommu_event_code; 0: nothing happened */
    bool has_pasid; /* sets GN in events that have it */
    uint16_t device, domain;
    uint16_t tag;     /* of INVALID_PPR_REQUEST: the page request's */
    uint32_t pasid;   /* 20 bits */
    uint64_t flags;   /* WW_EVENT_NX ... TYPE */
    uint64_t address; /* address of the access, the entry or the command */
};
/* Sets the two words of an event. Bits that the event does not have are 0, even if `flags` has them. */
void ww_iommu_event_words(const struct ww_iommu_event *e, uint64_t words[2]);

/* The first word of a page request. */
#define WW_PPR_DEVICE WW_BITS64(15, 0)
#define WW_PPR_PASID_LOW WW_BITS64(31, 16)  /* [31:16] PASID [15:0] */
#define WW_PPR_TAG WW_BITS64(41, 32)        /* [41:32] the device's: GROUP and LAST */
#define WW_PPR_GROUP WW_BITS64(40, 32)      /* [40:32] returned by COMPLETE_PPR_REQUEST */
#define WW_PPR_LAST WW_BITS64(41, 41)       /* [41] last request of its group, which is answered as one */
#define WW_PPR_PASID_HIGH WW_BITS64(45, 42) /* [45:42] PASID [19:16] */
#define WW_PPR_EXEC WW_BITS64(49, 49)
#define WW_PPR_READ WW_BITS64(50, 50)
#define WW_PPR_WRITE WW_BITS64(53, 53)
#define WW_PPR_USER WW_BITS64(54, 54)
#define WW_PPR_GN WW_BITS64(56, 56) /* [56] the PASID is valid */
#define WW_PPR_CODE WW_BITS64(63, 60)
#define WW_PPR_FAULT 1u

struct ww_iommu_ppr {
    uint16_t device, tag; /* tag: 10 bits */
    bool has_pasid;
    uint32_t pasid;
    uint64_t wants; /* WW_PPR_EXEC, READ, WRITE, USER */
    uint64_t address;
};
void ww_iommu_ppr_words(const struct ww_iommu_ppr *p, uint64_t words[2]);

/* Returns the bytes of a queue by its base register, or 0 if its length is reserved. */
static inline uint64_t ww_iommu_log_bytes(uint64_t base)
{
    const uint64_t len = ww_bits_get(WW_BITS64(59, 56), base);
    return len < 8 ? 0 : (uint64_t)WW_IOMMU_ENTRY_BYTES << len;
}
static inline uint64_t ww_iommu_log_pa(uint64_t base)
{
    return base & WW_BITS64(51, 12);
}

enum ww_iommu_log { WW_LOG_EVENTS, WW_LOG_PPR };
/* Sets *pa to the place of the next entry. Returns false if the log does not run or is full; a full log
 * records an overflow and stops, and the entry is lost. */
bool ww_iommu_log_place(struct ww_iommu_regs *r, enum ww_iommu_log log, uint64_t *pa);
/* Advances the tail and records an interrupt after an entry is written at `pa`. ok is false if memory refused
 * it: the log stops. Returns true if the entry is in the log. Does nothing if the next entry's place is no
 * longer `pa`: software has set up another log meanwhile. */
bool ww_iommu_log_written(struct ww_iommu_regs *r, enum ww_iommu_log log, uint64_t pa, bool ok);

WW_END_DECLS

#endif
