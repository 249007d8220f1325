/* SPDX-License-Identifier: MIT */
/* kernels/iommu/iommu_interrupt.c - see iommu_interrupt.h. Time: none. Allocation: none. */
#include "kernels/iommu/iommu_interrupt.h"

enum ww_iommu_range ww_iommu_range_of(uint64_t va)
{
    static const uint64_t lasts[] = {
#define X(name, last) last,
        WW_HYPER_RANGE_LIST(X)
#undef X
    };
    uint32_t i = 0;
    if (va - WW_MSI_FIRST <= WW_MSI_LAST - WW_MSI_FIRST)
        return WW_RANGE_MSI;
    if (!ww_iommu_set_apart(va))
        return WW_RANGE_MEMORY;
    while (va > lasts[i])
        ++i;
    return (enum ww_iommu_range)(WW_RANGE_MSI + 1 + i);
}

static struct ww_int_step step(enum ww_int_do what)
{
    struct ww_int_step s = {WW_INT_PASS, 0, 0, 0, false, false};
    s.what = what;
    return s;
}

static struct ww_int_step refuse(enum ww_iommu_request_type type)
{
    struct ww_int_step s = step(WW_INT_REFUSE);
    s.type = (uint8_t)type;
    return s;
}

enum kind { MAPPED, ALWAYS, NMI, INIT, EXT, LINT0, LINT1, NONE };

/* PCI Express encodes the kind in the message's data, HyperTransport in its address. */
static enum kind kind_of(const struct ww_int_access *a, bool hyper)
{
    static const enum kind express[] = {MAPPED, MAPPED, ALWAYS, NONE, NMI, INIT, NONE, EXT};
    static const enum kind transport[] = {MAPPED, MAPPED, ALWAYS, NMI, INIT, NONE, EXT, NONE};
    const uint64_t type =
        hyper ? ww_bits_get(WW_BITS64(4, 2), a->va) : ww_bits_get(WW_BITS64(10, 8), a->data);
    if (hyper && (a->va & WW_BITS64(7, 7)) != 0)
        return type == 6 ? LINT0 : type == 3 ? LINT1 : NONE;
    return hyper ? transport[type] : express[type];
}

static uint32_t index_of(const struct ww_int_access *a, bool hyper)
{
    return (uint32_t)(hyper ? ww_bits_get(WW_BITS64(4, 2), a->va) << 8 | ww_bits_get(WW_BITS64(23, 16), a->va)
                            : ww_bits_get(WW_BITS64(10, 0), a->data));
}

static struct ww_int_step remapped(uint64_t w, const struct ww_int_access *a, bool hyper)
{
    struct ww_int_step s = step(WW_INT_READ);
    s.index = index_of(a, hyper);
    s.pa = (w & WW_DTE_INT_ROOT) + (uint64_t)s.index * WW_IRTE_BYTES;
    s.quiet = (w & WW_DTE_IG) != 0;
    if (s.index >> ww_bits_get(WW_DTE_INT_LEN, w) != 0)
        s.what = WW_INT_ABSENT;
    return s;
}

static struct ww_int_step interrupt(const uint64_t dte[3], const struct ww_int_access *a, bool hyper)
{
    static const uint64_t passes[] = {[NMI] = WW_DTE_NMI_PASS,
                                      [INIT] = WW_DTE_INIT_PASS,
                                      [EXT] = WW_DTE_EXT_PASS,
                                      [LINT0] = WW_DTE_LINT0_PASS,
                                      [LINT1] = WW_DTE_LINT1_PASS};
    const uint64_t w = dte[2], control = ww_bits_get(WW_DTE_INT_CTL, w);
    if (!a->write)
        return refuse(WW_REQUEST_INTERRUPT_READ);
    if ((w & WW_DTE_IV) == 0)
        return step(WW_INT_PASS);
    struct ww_int_step s = step(WW_INT_ILLEGAL);
    s.reserved = (w & (WW_DTE_INT_RSV1 | WW_DTE_INT_RSV2)) != 0;
    if (s.reserved || control == 3 || ww_bits_get(WW_DTE_INT_LEN, w) > WW_DTE_INT_LEN_MAX)
        return s;
    if (!a->dword)
        return refuse(WW_REQUEST_WRITE);
    const enum kind kind = kind_of(a, hyper);
    if (kind == NONE)
        return refuse(WW_REQUEST_RESERVED_INTERRUPT);
    if (kind == MAPPED && control == 2)
        return remapped(w, a, hyper);
    const bool goes = kind == ALWAYS || (kind == MAPPED ? control == 1 : (w & passes[kind]) != 0);
    return goes ? step(WW_INT_PASS) : refuse(WW_REQUEST_INTERRUPT_WRITE);
}

/* SysMgt: 0 refuses all, 1 and 2 pass writes and refuse reads, 3 treats the range as memory. */
static struct ww_int_step system_management(uint64_t w1, const struct ww_int_access *a)
{
    const uint64_t control = ww_bits_get(WW_DTE_SYS_MGT, w1);
    if (control == 3)
        return step(WW_INT_MEMORY);
    return control != 0 && a->write ? step(WW_INT_PASS) : refuse(WW_REQUEST_SYSTEM_MANAGEMENT);
}

/* IoCtl: 0 refuses, 1 passes unchanged, 2 treats the range as memory, 3 is illegal. */
static struct ww_int_step ports(uint64_t w1)
{
    switch (ww_bits_get(WW_DTE_IO_CTL, w1)) {
    case 0:
        return refuse(WW_REQUEST_IO_SPACE);
    case 1:
        return step(WW_INT_PASS);
    case 2:
        return step(WW_INT_MEMORY);
    default:
        return step(WW_INT_ILLEGAL);
    }
}

struct ww_int_step ww_int_start(const uint64_t dte[3], const struct ww_int_access *a)
{
    const bool valid = (dte[0] & WW_AMD_DTE_V) != 0;
    const enum ww_iommu_range range = ww_iommu_range_of(a->va);
    WW_ASSERT(range != WW_RANGE_MEMORY);
    if (range == WW_RANGE_MSI || range == WW_RANGE_INTERRUPT)
        return valid || a->write ? interrupt(dte, a, range == WW_RANGE_INTERRUPT) : step(WW_INT_PASS);
    if (!valid) /* the device's entry is not valid */
        return step(WW_INT_PASS);
    switch ((int)range) {
    case WW_RANGE_SYSTEM:
        return system_management(dte[1], a);
    case WW_RANGE_IO:
        return ports(dte[1]);
    case WW_RANGE_RESERVED_INT:
        return refuse(a->write ? WW_REQUEST_RESERVED_INTERRUPT : WW_REQUEST_INTERRUPT_READ);
    default:
        return refuse(a->write ? WW_REQUEST_WRITE : WW_REQUEST_READ);
    }
}

enum ww_int_got ww_int_remap(const uint64_t dte[3], const struct ww_int_access *a, uint32_t entry,
                             struct ww_int_message *m, bool *quiet)
{
    *quiet =
        (entry & WW_IRTE_SUP_IOPF) != 0 || ((entry & WW_IRTE_REMAP_EN) == 0 && (dte[2] & WW_DTE_IG) != 0);
    if ((entry & WW_IRTE_REMAP_EN) == 0)
        return WW_INT_UNMAPPED;
    if ((entry & (WW_IRTE_GUEST | WW_IRTE_RSV)) != 0 || ww_bits_get(WW_IRTE_INT_TYPE, entry) > 1)
        return WW_INT_MALFORMED;
    if (ww_iommu_range_of(a->va) == WW_RANGE_INTERRUPT) { /* the entry has HyperTransport's layout */
        const uint64_t moved = WW_IRTE_INT_TYPE | WW_IRTE_RQ_EOI | WW_IRTE_DM | WW_IRTE_DEST | WW_IRTE_VECTOR;
        m->pa = (a->va & ~WW_BITS64(23, 2)) | (entry & moved);
        m->data = a->data;
        return WW_INT_REMAPPED;
    }
    m->pa = ww_bits_put(WW_BITS64(19, 12), a->va, ww_bits_get(WW_IRTE_DEST, entry));
    m->pa = ww_bits_put(WW_BITS64(2, 2), m->pa, ww_bits_get(WW_IRTE_DM, entry));
    const uint64_t data = ww_bits_put(WW_BITS64(10, 8), a->data, ww_bits_get(WW_IRTE_INT_TYPE, entry));
    m->data = (uint32_t)ww_bits_put(WW_BITS64(7, 0), data, ww_bits_get(WW_IRTE_VECTOR, entry));
    return WW_INT_REMAPPED;
}
