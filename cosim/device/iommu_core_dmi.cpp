/* SPDX-License-Identifier: MIT */
/* device/iommu_core_dmi.cpp - direct memory pointers through the IOMMU. A pointer covers the intersection of
 * a page and memory's own grant, with the rights common to both. It is revoked when either changes. */
#include "device/iommu_core.hpp"

#include <algorithm>

namespace walkway
{

void iommu_core::revoke(const std::function<bool(const dmi_grant &)> &meant)
{
    ledger_.revoke(meant, [this](const dmi_grant &g) {
        ++stats_.dmi_revoked;
        to_.up[g.port]->invalidate_direct_mem_ptr(g.iova, g.last_iova());
    });
    count_unknown();
}

/* Call after each grant or revocation. */
void iommu_core::count_unknown()
{
    const tick now = scale_.ticks(sc_core::sc_time_stamp());
    if (stats_.dmi_out != 0)
        stats_.dmi_unknown_ps += now - pointers_since_;
    pointers_since_ = now;
    stats_.dmi_out = ledger_.size();
}

/* True if memory's DMI hint for a completed access may be passed on: get_direct_mem_ptr() would grant a
 * pointer, if memory does. A write with a PASID needs a dirty page; a hook may have set the PASID. */
bool iommu_core::would_grant(unsigned number, const payload &p)
{
    const auto policy = static_cast<dmi_policy>(params_.dmi);
    if (policy == dmi_policy::off || (policy == dmi_policy::functional && observed_))
        return false;
    if (!enabled())
        return true;
    if (ports_[number].several)
        return false;
    const device_access a = access_of(number, p);
    return !is_set_apart(a) && !(p.is_write() && a.has_pasid && !xlat_.dirty(a, regs_));
}

/* Notes the context of an access. A port with several contexts gets no pointers, and loses those that it has:
 * a pointer does not identify the context. */
void iommu_core::note_context(unsigned number, const device_access &a)
{
    port_state &p = ports_[number];
    const uint64_t context = context_key(a);
    if (p.context == 0)
        p.context = context;
    if (context == 0 || p.context == context || p.several)
        return;
    p.several = true;
    revoke([number](const dmi_grant &g) { return g.port == number; });
}

bool iommu_core::get_direct_mem_ptr(unsigned number, payload &p, tlm::tlm_dmi &dmi)
{
    const auto policy = static_cast<dmi_policy>(params_.dmi);
    const uint64_t iova = p.get_address();
    const auto refused = [&](uint64_t first, uint64_t last) {
        ++stats_.dmi_refused;
        dmi.init();
        dmi.allow_none();
        dmi.set_start_address(first);
        dmi.set_end_address(last);
        return false;
    };
    if (policy == dmi_policy::off || asks(number, p) || (policy == dmi_policy::functional && observed_))
        return refused(0, UINT64_MAX);
    device_access a = access_of(number, p);
    device_answer x = {};
    x.xlat = {ww_page_base(iova, WW_PAGE_4K), WW_PAGE_4K, WW_PERM_ALL};
    if (enabled()) {
        note_context(number, a);
        if (ports_[number].several)
            return refused(0, UINT64_MAX);
        const uint8_t wants = a.wants;
        a.wants = 0;
        x = look(a);
        a.wants = wants;
        if (x.fault != device_fault::none)
            return refused(ww_page_base(iova, WW_PAGE_4K), iova | ww_page_mask(WW_PAGE_4K));
    }
    const uint64_t page = ww_page_base(iova, x.xlat.page_shift),
                   page_last = iova | ww_page_mask(x.xlat.page_shift);
    const uint64_t pa = ww_xlat_pa(&x.xlat, iova);

    tlm::tlm_dmi below;
    const uint64_t before = revoked_inside_;
    bool given = false;
    {
        const counted grants(granting_); /* a count: memory may itself request a pointer */
        const readdressed physical(p, pa);
        given = to_.down[number]->get_direct_mem_ptr(p, below) && before == revoked_inside_;
    }
    if (!enabled() && given) { /* the whole grant of memory, untranslated */
        x.xlat.page_pa = 0;
        dmi = below;
        ledger_.add({below.get_start_address(), below.get_end_address() - below.get_start_address() + 1,
                     below.get_start_address(), number, a.device, a.pasid, 0, a.has_pasid, true});
        count_unknown();
        ++stats_.dmi_granted;
        return true;
    }
    const bool reads = below.is_read_allowed() && (x.xlat.perm & WW_PERM_R) != 0;
    const bool writes =
        below.is_write_allowed() && (x.xlat.perm & WW_PERM_W) != 0 && (!enabled() || xlat_.dirty(a, regs_));
    if (below.get_start_address() > pa || below.get_end_address() < pa)
        return refused(page, page_last);
    const uint64_t first = std::max<uint64_t>(below.get_start_address(), x.xlat.page_pa);
    const uint64_t last = std::min<uint64_t>(below.get_end_address(), x.xlat.page_pa + (page_last - page));
    const uint64_t first_iova = page + (first - x.xlat.page_pa), last_iova = page + (last - x.xlat.page_pa);
    if (!given || (p.is_write() ? !writes : !reads))
        return refused(first_iova, last_iova);
    dmi.init();
    dmi.set_dmi_ptr(below.get_dmi_ptr() + (first - below.get_start_address()));
    dmi.set_start_address(first_iova);
    dmi.set_end_address(last_iova);
    dmi.set_granted_access(reads && writes ? tlm::tlm_dmi::DMI_ACCESS_READ_WRITE
                           : reads         ? tlm::tlm_dmi::DMI_ACCESS_READ
                                           : tlm::tlm_dmi::DMI_ACCESS_WRITE);
    const sc_core::sc_time hit = policy == dmi_policy::always && enabled()
                                     ? scale_.time(params_.clock_ps * params_.tlb_cycles)
                                     : sc_core::SC_ZERO_TIME;
    dmi.set_read_latency(below.get_read_latency() + hit);
    dmi.set_write_latency(below.get_write_latency() + hit);
    ledger_.add({dmi.get_start_address(), last - first + 1, first, number, a.device, a.pasid, x.domain,
                 a.has_pasid, writes});
    count_unknown();
    ++stats_.dmi_granted;
    return true;
}

/* Revokes the pointers to a range of memory. During a request for a pointer, the revocation is
 * deferred until the request is over. */
void iommu_core::memory_revokes(unsigned number, uint64_t first_pa, uint64_t last_pa)
{
    if (granting_ != 0) {
        ++revoked_inside_;
        revoke_later_.push_back({number, {first_pa, last_pa}});
        ask_service();
        return;
    }
    revoke(
        [=](const dmi_grant &g) { return g.port == number && g.pa <= last_pa && first_pa <= g.last_pa(); });
}

void iommu_core::observe(bool on)
{
    observed_ = on;
    if (on && static_cast<dmi_policy>(params_.dmi) == dmi_policy::functional)
        revoke([](const dmi_grant &) { return true; });
}

} // namespace walkway
