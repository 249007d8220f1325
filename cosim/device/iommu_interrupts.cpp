/* SPDX-License-Identifier: MIT */
/* device/iommu_interrupts.cpp - device accesses to addresses that are not memory
 * (kernels/iommu/iommu_interrupt.h): interrupts, which are forwarded unchanged, remapped or refused, and the
 * ranges of HyperTransport. */
#include "device/iommu_translation.hpp"

namespace walkway
{

namespace
{

ww_int_access access_of(const device_access &a)
{
    return {a.va, a.data, (a.wants & WW_PERM_W) != 0, a.dword};
}

} // namespace

/* Gets an entry of the interrupt table, from the cache or from memory. Returns false if memory refuses the
 * read. */
bool iommu_translation::interrupt_entry(const device_access &a, const ww_int_step &s, uint32_t *entry,
                                        tick *at, now_how how)
{
    const bool commit = how == now_how::commit;
    if (const uint32_t *held = interrupts_.find(a.device, s.index, commit)) {
        *entry = *held;
        return true;
    }
    uint64_t two = 0; /* memory is read in units of 8 bytes */
    stats_.irte_reads += commit;
    if (!memory_.read_now(s.pa & ~UINT64_C(7), &two, sizeof two, at, how))
        return false;
    *at = clock_.ceil(*at);
    *entry = static_cast<uint32_t>(two >> (s.pa % 8 * 8));
    return true;
}

/* Returns a refusal with its event; code 0: no event is logged. */
device_answer iommu_translation::aborted(const device_access &a, const ww_dte &d, device_fault fault,
                                         uint8_t code, uint64_t flags, uint64_t address, tick at)
{
    device_answer out = faulted(a, d, fault, code, flags, address, at);
    out.absent = false;
    out.event.code = code; /* faulted() obeys SA, which is for accesses to memory only */
    if ((flags & WW_EVENT_I) != 0)
        out.event.flags &= ~WW_EVENT_RW;
    return out;
}

device_answer iommu_translation::remapped(const device_access &a, const ww_dte &d, const ww_int_step &s,
                                          tick at, now_how how)
{
    const uint64_t abort = ww_bits_put(WW_EVENT_TYPE, 0, WW_EVENT_TARGET_ABORT);
    const ww_int_access is = access_of(a);
    uint32_t entry = 0;
    if (!interrupt_entry(a, s, &entry, &at, how))
        return aborted(a, d, device_fault::memory, WW_EVENT_PAGE_TAB_HARDWARE_ERROR, abort | WW_EVENT_I, s.pa,
                       at);
    device_answer out = passed(a, at);
    ww_int_message m = {};
    bool quiet = false;
    const ww_int_got got = ww_int_remap(d.word, &is, entry, &m, &quiet);
    const uint64_t flags = got == WW_INT_MALFORMED ? WW_EVENT_PR | WW_EVENT_RZ : 0;
    if (got != WW_INT_REMAPPED)
        return aborted(a, d, device_fault::page, quiet ? 0 : WW_EVENT_IO_PAGE_FAULT, flags | WW_EVENT_I, a.va,
                       at);
    if (how == now_how::commit && interrupts_.find(a.device, s.index, false) == nullptr)
        interrupts_.put(a.device, s.index, entry);
    out.message = {true, m.pa, m.data};
    return out;
}

/* Passes the access unchanged: answers with the 4 KiB page at its own address. */
device_answer iommu_translation::passed(const device_access &a, tick at) const
{
    device_answer out = {};
    out.xlat = {ww_page_base(a.va, WW_PAGE_4K), WW_PAGE_4K, WW_PERM_ALL};
    out.at = at;
    return out;
}

device_answer iommu_translation::judged(const device_access &a, const ww_dte &d, const ww_int_step &s,
                                        tick at, now_how how)
{
    switch (s.what) {
    case WW_INT_PASS:
        return passed(a, at);
    case WW_INT_READ:
        return remapped(a, d, s, at, how);
    case WW_INT_REFUSE:
        return aborted(a, d, device_fault::table, WW_EVENT_INVALID_DEVICE_REQUEST,
                       ww_bits_put(WW_EVENT_TYPE, 0, s.type), a.va, at);
    case WW_INT_ABSENT:
        return aborted(a, d, device_fault::page, s.quiet ? 0 : WW_EVENT_IO_PAGE_FAULT, WW_EVENT_I, a.va, at);
    default:
        return aborted(a, d, device_fault::table, WW_EVENT_ILLEGAL_DEV_TABLE_ENTRY,
                       WW_EVENT_I | (s.reserved ? WW_EVENT_RZ : 0), a.va, at);
    }
}

/* Returns the treatment of an access to a set-apart address; WW_INT_MEMORY: the device-table entry makes the
 * address memory. */
ww_int_step iommu_translation::decided(const device_access &a, const ww_dte &d)
{
    const ww_int_access is = access_of(a);
    ww_int_step s = ww_int_start(d.word, &is);
    if (a.type == address_type::translated) {
        s.what = WW_INT_REFUSE;
        s.type = WW_REQUEST_TRANSLATED;
    }
    return s;
}

/* Answers an access to a set-apart address; a request for a translation or a DMI pointer faults. Returns
 * false, without an answer, if translate() is to handle the access as one to memory. */
bool iommu_translation::set_apart(const device_access &a, const ww_dte &d, tick at, now_how how,
                                  device_answer *out)
{
    const bool broken = d.means == WW_DTE_ILLEGAL || d.means == WW_DTE_REFUSED;
    const ww_iommu_range range = ww_iommu_range_of(a.va);
    const bool interrupt =
        (a.wants & WW_PERM_W) != 0 && (range == WW_RANGE_MSI || range == WW_RANGE_INTERRUPT);
    if (!broken && a.type != address_type::untranslated && !may_ask(d))
        return false;
    if (broken) {
        *out = of_dte(a, d, at);
        out->event.flags = interrupt ? (out->event.flags & ~WW_EVENT_RW) | WW_EVENT_I : out->event.flags;
    } else if (a.type == address_type::translation_request || a.wants == 0) {
        *out = faulted(a, d, device_fault::page, WW_EVENT_IO_PAGE_FAULT, 0, a.va, at);
    } else {
        const ww_int_step s = decided(a, d);
        if (s.what == WW_INT_MEMORY)
            return false;
        *out = judged(a, d, s, at + clock_.cycles(params_.tlb_cycles), how);
    }
    if (how == now_how::commit && interrupt) {
        ++stats_.interrupts;
        stats_.interrupts_remapped += out->message.remapped;
        stats_.interrupts_refused += out->fault != device_fault::none;
    }
    return true;
}

} // namespace walkway
