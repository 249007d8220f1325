/* SPDX-License-Identifier: MIT */
/* kernels/iommu/iommu_regs.h - registers of an AMD-Vi IOMMU (subset): their bits and the effects of a write.
 * Each field is declared once, in datasheet notation; masks, reset values, access by software,
 * docs/model/iommu-registers.md and the IP-XACT memory map follow from the declaration. Source: AMD I/O
 * Virtualization Technology (IOMMU) Specification, MMIO registers. Not modelled: exclusion range, guest
 * virtual APIC, counters, extended interrupts. Time: none. Allocation: none. One owner. */
#ifndef WW_KERNELS_IOMMU_REGS_H
#define WW_KERNELS_IOMMU_REGS_H

#include "kernels/base.h"
#include "kernels/bits.h"

WW_BEGIN_DECLS

/* Access by software: RW, RO, W1C (a one clears the bit), RSV (reads 0, ignores writes). State of a field:
 * FUNCTIONAL, STORED (keeps the value written, has no effect), ABSENT. */
#define WW_IOMMU_ACCESS_LIST(X) X(RW) X(RO) X(W1C) X(RSV)
#define WW_IOMMU_STATE_LIST(X) X(FUNCTIONAL) X(STORED) X(ABSENT)
#define X(name) WW_REG_##name,
enum ww_iommu_access { WW_IOMMU_ACCESS_LIST(X) WW_REG_ACCESSES };
enum ww_iommu_state { WW_IOMMU_STATE_LIST(X) WW_REG_STATES };
#undef X

/* F(register, field, high bit, low bit, access, state, value after reset, text) */
#define WW_IOMMU_DEVTAB_FIELDS(F)                                                                            \
    F(DEVTAB, SIZE, 8, 0, RW, FUNCTIONAL, 0, "device table: 4 KiB units, less one")                          \
    F(DEVTAB, RSV1, 11, 9, RSV, ABSENT, 0, "reserved")                                                       \
    F(DEVTAB, BASE, 51, 12, RW, FUNCTIONAL, 0, "device table: physical address [51:12]")                     \
    F(DEVTAB, RSV2, 63, 52, RSV, ABSENT, 0, "reserved, and the segments of the device table")

#define WW_IOMMU_QUEUE_FIELDS(F, NAME, TEXT)                                                                 \
    F(NAME, RSV1, 11, 0, RSV, ABSENT, 0, "reserved")                                                         \
    F(NAME, BASE, 51, 12, RW, FUNCTIONAL, 0, TEXT ": physical address [51:12]")                              \
    F(NAME, RSV2, 55, 52, RSV, ABSENT, 0, "reserved")                                                        \
    F(NAME, LEN, 59, 56, RW, FUNCTIONAL, 0, TEXT ": log2 of its entries, 8 to 15")                           \
    F(NAME, RSV3, 63, 60, RSV, ABSENT, 0, "reserved")
#define WW_IOMMU_COMMAND_FIELDS(F) WW_IOMMU_QUEUE_FIELDS(F, COMMAND, "command buffer")
#define WW_IOMMU_EVENT_FIELDS(F) WW_IOMMU_QUEUE_FIELDS(F, EVENT, "event log")
#define WW_IOMMU_PPR_FIELDS(F) WW_IOMMU_QUEUE_FIELDS(F, PPR, "log of page requests")

#define WW_IOMMU_CONTROL_FIELDS(F)                                                                           \
    F(CONTROL, ENABLE, 0, 0, RW, FUNCTIONAL, 0, "translate; 0: everything passes untranslated")              \
    F(CONTROL, HT_TUN, 1, 1, RW, STORED, 0, "HyperTransport tunnel")                                         \
    F(CONTROL, EVENT_EN, 2, 2, RW, FUNCTIONAL, 0, "write events into the log")                               \
    F(CONTROL, EVENT_INT_EN, 3, 3, RW, FUNCTIONAL, 0, "interrupt for the event log")                         \
    F(CONTROL, WAIT_INT_EN, 4, 4, RW, FUNCTIONAL, 0, "interrupt for COMPLETION_WAIT")                        \
    F(CONTROL, INV_TIMEOUT, 7, 5, RW, FUNCTIONAL, 0,                                                         \
      "time for a device's invalidate: 1 to 6: 1 ms to 100 s, by tens; 0, 7: a parameter")                   \
    F(CONTROL, PASS, 11, 8, RW, STORED, 0, "PassPW, ResPassPW, Coherent, Isoc")                              \
    F(CONTROL, COMMAND_EN, 12, 12, RW, FUNCTIONAL, 0, "fetch commands")                                      \
    F(CONTROL, PPR_LOG_EN, 13, 13, RW, FUNCTIONAL, 0, "write page requests into their log")                  \
    F(CONTROL, PPR_INT_EN, 14, 14, RW, FUNCTIONAL, 0, "interrupt for the log of page requests")              \
    F(CONTROL, PPR_EN, 15, 15, RW, FUNCTIONAL, 0, "take page requests")                                      \
    F(CONTROL, GT_EN, 16, 16, RW, FUNCTIONAL, 0, "translate addresses of a PASID")                           \
    F(CONTROL, MORE1, 44, 17, RW, STORED, 0, "guest virtual APIC, SMI filter, further modes")                \
    F(CONTROL, EPH_EN, 45, 45, RW, STORED, 0, "enhanced handling of page requests: no effect")               \
    F(CONTROL, MORE2, 63, 46, RW, STORED, 0, "further modes")

#define WW_IOMMU_FEATURES_FIELDS(F)                                                                          \
    F(FEATURES, PREF, 0, 0, RO, ABSENT, 0, "command PREFETCH_IOMMU_PAGES")                                   \
    F(FEATURES, PPR, 1, 1, RO, FUNCTIONAL, 1, "page requests")                                               \
    F(FEATURES, XT, 2, 2, RO, ABSENT, 0, "x2APIC")                                                           \
    F(FEATURES, NX, 3, 3, RO, FUNCTIONAL, 1, "right to execute, of a PASID's pages")                         \
    F(FEATURES, GT, 4, 4, RO, FUNCTIONAL, 1, "page tables of PASIDs")                                        \
    F(FEATURES, RSV1, 5, 5, RSV, ABSENT, 0, "reserved")                                                      \
    F(FEATURES, IA, 6, 6, RO, FUNCTIONAL, 1, "command INVALIDATE_IOMMU_ALL")                                 \
    F(FEATURES, GA, 7, 7, RO, ABSENT, 0, "guest virtual APIC")                                               \
    F(FEATURES, HE, 8, 8, RO, ABSENT, 0, "hardware error registers")                                         \
    F(FEATURES, PC, 9, 9, RO, ABSENT, 0, "performance counters")                                             \
    F(FEATURES, HATS, 11, 10, RO, FUNCTIONAL, 1, "levels of a device's table: 1 is five")                    \
    F(FEATURES, GATS, 13, 12, RO, FUNCTIONAL, 0, "levels of a PASID's table: 0 is four")                     \
    F(FEATURES, GLX, 15, 14, RO, FUNCTIONAL, 2, "levels of the GCR3 table: 2 is three")                      \
    F(FEATURES, RSV2, 31, 16, RSV, ABSENT, 0, "SMI filter, further features")                                \
    F(FEATURES, PASID_MAX, 36, 32, RO, FUNCTIONAL, 19, "bits of a PASID, less one")                          \
    F(FEATURES, RSV3, 45, 37, RSV, ABSENT, 0, "further features")                                            \
    F(FEATURES, MSI_CAP, 46, 46, RO, FUNCTIONAL, 1, "the MSI capability is among these registers")           \
    F(FEATURES, RSV4, 49, 47, RSV, ABSENT, 0, "further features")                                            \
    F(FEATURES, EPH, 50, 50, RO, FUNCTIONAL, 1, "enhanced handling of page requests")                        \
    F(FEATURES, RSV5, 63, 51, RSV, ABSENT, 0, "further features")

#define WW_IOMMU_MSI_FIELDS(F)                                                                               \
    F(MSI, CAPABILITY, 15, 0, RO, FUNCTIONAL, 5, "identifier of the MSI capability, end of the list")        \
    F(MSI, ENABLE, 16, 16, RW, FUNCTIONAL, 0, "send interrupts as writes")                                   \
    F(MSI, RSV1, 22, 17, RSV, ABSENT, 0, "several messages")                                                 \
    F(MSI, ADDRESS_64, 23, 23, RO, FUNCTIONAL, 1, "the address of the write has 64 bits")                    \
    F(MSI, RSV2, 33, 24, RSV, ABSENT, 0, "per-vector masks; reserved")                                       \
    F(MSI, ADDRESS_LOW, 63, 34, RW, FUNCTIONAL, 0, "address of the write [31:2]")
#define WW_IOMMU_MSI_DATA_FIELDS(F)                                                                          \
    F(MSI_DATA, ADDRESS_HIGH, 31, 0, RW, FUNCTIONAL, 0, "address of the write [63:32]")                      \
    F(MSI_DATA, DATA, 63, 32, RW, FUNCTIONAL, 0, "what is written")

#define WW_IOMMU_POINTER_FIELDS(F, NAME, TEXT)                                                               \
    F(NAME, RSV1, 3, 0, RSV, ABSENT, 0, "reserved")                                                          \
    F(NAME, BYTES, 18, 4, RW, FUNCTIONAL, 0, TEXT)                                                           \
    F(NAME, RSV2, 63, 19, RSV, ABSENT, 0, "reserved")
#define WW_IOMMU_COMMAND_HEAD_FIELDS(F)                                                                      \
    WW_IOMMU_POINTER_FIELDS(F, COMMAND_HEAD, "next command, from the base")
#define WW_IOMMU_COMMAND_TAIL_FIELDS(F)                                                                      \
    WW_IOMMU_POINTER_FIELDS(F, COMMAND_TAIL, "behind the last command; a write starts the fetching")
#define WW_IOMMU_EVENT_HEAD_FIELDS(F) WW_IOMMU_POINTER_FIELDS(F, EVENT_HEAD, "next event to be taken")
#define WW_IOMMU_EVENT_TAIL_FIELDS(F) WW_IOMMU_POINTER_FIELDS(F, EVENT_TAIL, "where the next event goes")
#define WW_IOMMU_PPR_HEAD_FIELDS(F) WW_IOMMU_POINTER_FIELDS(F, PPR_HEAD, "next page request to be taken")
#define WW_IOMMU_PPR_TAIL_FIELDS(F) WW_IOMMU_POINTER_FIELDS(F, PPR_TAIL, "where the next page request goes")

#define WW_IOMMU_STATUS_FIELDS(F)                                                                            \
    F(STATUS, EVENT_OVERFLOW, 0, 0, W1C, FUNCTIONAL, 0, "an event was lost: the log was full")               \
    F(STATUS, EVENT_INT, 1, 1, W1C, FUNCTIONAL, 0, "an event was logged")                                    \
    F(STATUS, WAIT_INT, 2, 2, W1C, FUNCTIONAL, 0, "a COMPLETION_WAIT asked for an interrupt")                \
    F(STATUS, EVENT_RUN, 3, 3, RO, FUNCTIONAL, 0, "the event log takes events")                              \
    F(STATUS, COMMAND_RUN, 4, 4, RO, FUNCTIONAL, 0, "commands are fetched; an error stops it")               \
    F(STATUS, PPR_OVERFLOW, 5, 5, W1C, FUNCTIONAL, 0, "a page request was lost: the log was full")           \
    F(STATUS, PPR_INT, 6, 6, W1C, FUNCTIONAL, 0, "a page request was logged")                                \
    F(STATUS, PPR_RUN, 7, 7, RO, FUNCTIONAL, 0, "the log of page requests takes them")                       \
    F(STATUS, RSV1, 63, 8, RSV, ABSENT, 0, "guest virtual APIC; reserved")

/* R(register, offset, text), in the order of their offsets. */
#define WW_IOMMU_REG_LIST(R)                                                                                 \
    R(DEVTAB, 0x0000, "device table base address")                                                           \
    R(COMMAND, 0x0008, "command buffer base address")                                                        \
    R(EVENT, 0x0010, "event log base address")                                                               \
    R(CONTROL, 0x0018, "control")                                                                            \
    R(FEATURES, 0x0030, "extended features")                                                                 \
    R(PPR, 0x0038, "page request log base address")                                                          \
    R(MSI, 0x0158, "MSI capability header, and address low")                                                 \
    R(MSI_DATA, 0x0160, "MSI address high, and data")                                                        \
    R(COMMAND_HEAD, 0x2000, "command buffer head")                                                           \
    R(COMMAND_TAIL, 0x2008, "command buffer tail")                                                           \
    R(EVENT_HEAD, 0x2010, "event log head")                                                                  \
    R(EVENT_TAIL, 0x2018, "event log tail")                                                                  \
    R(STATUS, 0x2020, "status")                                                                              \
    R(PPR_HEAD, 0x2030, "page request log head")                                                             \
    R(PPR_TAIL, 0x2038, "page request log tail")

enum ww_iommu_reg {
#define R(name, offset, text) WW_IOMMU_##name,
    WW_IOMMU_REG_LIST(R)
#undef R
        WW_IOMMU_REGS
};

#define WW_IOMMU_REGION_BYTES 0x4000u

/* Masks: WW_IOMMU_CONTROL_ENABLE and so on. */
#define F(reg, field, hi, lo, access, state, reset, text)                                                    \
    static const uint64_t WW_IOMMU_##reg##_##field = WW_BITS64(hi, lo);
#define R(name, offset, text) WW_IOMMU_##name##_FIELDS(F)
WW_IOMMU_REG_LIST(R)
#undef R
#undef F

#define OR(reg, field, hi, lo, access, state, reset, text) | WW_BITS64(hi, lo)
#define SUM(reg, field, hi, lo, access, state, reset, text) +WW_BITS64(hi, lo)
#define R(name, offset, text)                                                                                \
    WW_STATIC_ASSERT((0 WW_IOMMU_##name##_FIELDS(OR)) == UINT64_MAX, "every bit of " #name " is named");     \
    WW_STATIC_ASSERT((0 WW_IOMMU_##name##_FIELDS(SUM)) == UINT64_MAX, "no bit of " #name " is named twice");
WW_IOMMU_REG_LIST(R)
#undef R
#undef SUM
#undef OR

struct ww_iommu_field {
    uint8_t reg, high, low;
    uint8_t access, state; /* enum ww_iommu_access, ww_iommu_state */
    uint64_t reset;
    const char *name, *text;
};
struct ww_iommu_reg_info {
    uint32_t offset;
    const char *name, *text;
};

#define WW_IOMMU_FIELDS_MAX 128u
extern const struct ww_iommu_reg_info ww_iommu_reg_info[WW_IOMMU_REGS];
/* Returns field idx of all, in order of declaration, or NULL after the last. */
const struct ww_iommu_field *ww_iommu_field_at(uint32_t idx);
const char *ww_iommu_access_name(uint32_t access);
const char *ww_iommu_state_name(uint32_t state);

struct ww_iommu_regs {
    uint64_t word[WW_IOMMU_REGS];
};

void ww_iommu_reset(struct ww_iommu_regs *r);
/* Returns the register at an offset that is a multiple of 8, or WW_IOMMU_REGS if there is none (it reads
 * 0). */
uint32_t ww_iommu_reg_at(uint64_t offset);
/* Writes the bits of `mask` as software does, with the effects within the registers: a new base or length of
 * a queue resets head and tail to 0, enabling a queue starts it, disabling it stops it. */
void ww_iommu_write(struct ww_iommu_regs *r, uint32_t reg, uint64_t value, uint64_t mask);

static inline bool ww_iommu_is(const struct ww_iommu_regs *r, uint32_t reg, uint64_t bit)
{
    return (r->word[reg] & bit) != 0;
}

/* Returns the milliseconds that CONTROL gives a device for an invalidate, or 0 if it leaves that to a
 * parameter. */
uint32_t ww_iommu_inv_timeout_ms(const struct ww_iommu_regs *r);
/* Returns the bits of STATUS whose interrupt is pending and enabled. */
uint64_t ww_iommu_interrupts(const struct ww_iommu_regs *r);

WW_END_DECLS

#endif
