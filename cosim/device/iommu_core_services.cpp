/* SPDX-License-Identifier: MIT */
/* device/iommu_core_services.cpp - translation services for devices with their own TLB: translation requests,
 * invalidates, page requests and their answers. docs/use/co-simulation.md. */
#include "device/iommu_core.hpp"

namespace walkway
{

namespace
{

constexpr uint32_t groups = 1u << 9;

uint64_t ppr_wants(uint8_t wants, bool privileged)
{
    return ((wants & WW_PERM_R) != 0 ? WW_PPR_READ : 0) | ((wants & WW_PERM_W) != 0 ? WW_PPR_WRITE : 0) |
           ((wants & WW_PERM_X) != 0 ? WW_PPR_EXEC : 0) | (privileged ? 0 : WW_PPR_USER);
}

} // namespace

/* ---- Translation requests ---- */

/* True if the access is a translation request. */
bool iommu_core::asks(unsigned port, const payload &p)
{
    const attributes_extension *e = p.get_extension<attributes_extension>();
    if (e != nullptr)
        return e->of.type == address_type::translation_request;
    return identify_ && access_of(port, p).type == address_type::translation_request;
}

void iommu_core::refuse_request(payload &p)
{
    if (translation_extension *e = p.get_extension<translation_extension>()) {
        e->of.rights = 0;
        e->of.pa = e->of.length = 0;
    }
    p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
}

/* True for a translation request made as a plain access without extension, as other libraries make it. The
 * status says whether the access would succeed; a read of at least 8 bytes returns a PCI Express answer. */
static bool asks_as_access(const tlm::tlm_generic_payload &p)
{
    return p.get_extension<translation_extension>() == nullptr && (p.is_read() || p.is_write()) &&
           p.get_data_length() != 0;
}

static bool answer_access(tlm::tlm_generic_payload &p, const translation_request &of, uint8_t page_shift,
                          bool there)
{
    const uint8_t needs = p.is_write() ? WW_PERM_W : WW_PERM_R;
    p.set_response_status(!there                     ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                          : (of.rights & needs) == 0 ? tlm::TLM_COMMAND_ERROR_RESPONSE
                                                     : tlm::TLM_OK_RESPONSE);
    if (!p.is_response_ok() || !p.is_read() || p.get_data_ptr() == nullptr || p.get_data_length() < 8 ||
        p.get_streaming_width() < 8)
        return p.is_response_ok();
    uint64_t word = ats_entry(of.pa, page_shift, of.rights);
    for (unsigned i = 0; i < 8; ++i, word >>= 8)
        p.get_data_ptr()[i] = static_cast<unsigned char>(word);
    return true;
}

/* Begins a request. Returns false if it is refused at once, with the status set. The page is looked up
 * without wanted rights, since a missing right is an answer, not a fault. */
bool iommu_core::begin_request(payload &p, device_access *a) const
{
    const translation_extension *e = p.get_extension<translation_extension>();
    p.set_dmi_allowed(false);
    refuse_request(p);
    if (!enabled() || (e == nullptr && !asks_as_access(p)))
        return false;
    if (e != nullptr && ((e->of.wants & WW_PERM_ALL) == 0 || (e->of.wants & ~WW_PERM_ALL) != 0))
        return false;
    a->type = address_type::translation_request;
    a->va = p.get_address();
    a->wants = 0;
    return true;
}

/* Sets the answer of a request. Returns true if it grants a wanted right. */
bool iommu_core::answer_request(payload &p, const device_answer &x)
{
    translation_extension *const e = p.get_extension<translation_extension>();
    translation_request all;
    all.wants = WW_PERM_ALL;
    translation_request &of = e != nullptr ? e->of : all;
    refuse_request(p);
    if (x.fault != device_fault::none && !x.absent)
        return false;
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    of.rights = x.fault == device_fault::none ? of.wants & x.xlat.perm : 0;
    if (of.rights != 0) {
        const uint64_t va = p.get_address();
        of.pa = ww_xlat_pa(&x.xlat, va);
        of.length = ww_page_after(va, x.xlat.page_shift) - va;
    }
    return e == nullptr ? answer_access(p, of, x.xlat.page_shift, x.fault == device_fault::none)
                        : of.rights != 0;
}

void iommu_core::note_request(unsigned port, const device_access &a)
{
    if (a.device <= UINT16_MAX)
        ports_[port].asked.insert(a.device);
    if (params_.dmi != static_cast<uint8_t>(dmi_policy::off))
        note_context(port, a);
}

void iommu_core::request_translation(unsigned port, payload &p, sc_core::sc_time &delay)
{
    request_translation(port, p, access_of(port, p), delay);
}

void iommu_core::request_translation(unsigned port, payload &p, device_access a, sc_core::sc_time &delay)
{
    if (!begin_request(p, &a))
        return;
    note_request(port, a);
    const device_answer x = translate(a, scale_.ticks(sc_core::sc_time_stamp() + delay));
    delay = scale_.time(x.at) - sc_core::sc_time_stamp();
    stats_.translations_given += answer_request(p, x);
}

/* Answers without side effect, as debug access does. */
void iommu_core::request_debug(unsigned port, payload &p)
{
    device_access a = access_of(port, p);
    if (begin_request(p, &a))
        answer_request(p, look(a));
}

/* ---- Invalidates ---- */

sc_core::sc_time iommu_core::invalidate_time() const
{
    const uint32_t ms = ww_iommu_inv_timeout_ms(&regs_);
    return ms != 0 ? scale_.time(ms * UINT64_C(1000000000))
                   : scale_.time(params_.invalidate_timeout_ns * UINT64_C(1000));
}

bool iommu_core::reaches(unsigned port, uint32_t device) const
{
    return ports_[port].stream == device || ports_[port].asked.count(device) != 0;
}

/* True if the command must wait: a completion wait while any invalidate is open, an invalidate while its
 * device has as many open as the command allows. */
bool iommu_core::waits_for_devices(const ww_iommu_step &s) const
{
    return s.opcode == WW_CMD_COMPLETION_WAIT
               ? messages_.any_open()
               : s.opcode == WW_CMD_INVAL_IOTLB && messages_.open(s.device) >= s.open;
}

void iommu_core::send_invalidates(const ww_iommu_step &s, tick at)
{
    access_attributes who;
    who.stream_id = s.device;
    who.has_pasid = s.has_pasid;
    who.pasid = s.has_pasid ? s.pasid : 0;
    const device_invalidation what = {s.all ? 0 : s.first_va, s.all ? UINT64_MAX : s.last_va};
    const uint64_t pa = ww_iommu_log_pa(regs_.word[WW_IOMMU_COMMAND]) + commands_.at;
    for (unsigned port = 0; port < ports_.size(); ++port) {
        if (!messages_.takes_invalidates(port) || !reaches(port, s.device))
            continue;
        ++stats_.invalidates_sent;
        messages_.invalidate(port, who, what, scale_.time(at), invalidate_time(), pa);
    }
}

void iommu_core::invalidate_late(const device_messages::awaited &a)
{
    ++stats_.invalidates_late;
    ww_iommu_event e = {};
    e.code = WW_EVENT_IOTLB_INV_TIMEOUT;
    e.device = static_cast<uint16_t>(a.device);
    e.address = a.command_pa;
    log(e, scale_.ticks(sc_core::sc_time_stamp()));
}

/* ---- Page requests ---- */

void iommu_core::request_page(unsigned port, payload &p, const sc_core::sc_time &delay)
{
    const page_request_extension *e = p.get_extension<page_request_extension>();
    const device_access a = access_of(port, p);
    p.set_dmi_allowed(false);
    p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    if (!enabled() || !ww_iommu_is(&regs_, WW_IOMMU_CONTROL, WW_IOMMU_CONTROL_PPR_EN) || e == nullptr ||
        e->of.group >= groups || (e->of.wants & WW_PERM_ALL) == 0 || (e->of.wants & ~WW_PERM_ALL) != 0 ||
        a.device > UINT16_MAX || a.pasid >> WW_PASID_BITS != 0)
        return;
    ww_iommu_ppr ask = {};
    ask.device = static_cast<uint16_t>(a.device);
    ask.tag = static_cast<uint16_t>(
        ww_bits_get(WW_PPR_TAG, (e->of.last ? WW_PPR_LAST : 0) | ww_bits_put(WW_PPR_GROUP, 0, e->of.group)));
    ask.has_pasid = a.has_pasid;
    ask.pasid = a.pasid;
    ask.wants = ppr_wants(e->of.wants, a.privileged);
    ask.address = ww_page_base(a.va, WW_PAGE_4K);
    ports_[port].asked.insert(a.device);
    page_requests_.push_back({ask, scale_.ticks(sc_core::sc_time_stamp() + delay)});
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    ask_service();
}

/* Returns 0 if the device's entry permits page requests, otherwise the event's code. */
uint8_t iommu_core::refusal_of(const ww_iommu_ppr &ask, const ww_dte &d) const
{
    if (d.means == WW_DTE_REFUSED)
        return WW_EVENT_DEV_TAB_HARDWARE_ERROR;
    if (d.means == WW_DTE_ILLEGAL)
        return WW_EVENT_ILLEGAL_DEV_TABLE_ENTRY;
    const bool pasids =
        ww_iommu_is(&regs_, WW_IOMMU_CONTROL, WW_IOMMU_CONTROL_GT_EN) && (d.word[0] & WW_DTE_GV) != 0;
    if ((d.word[0] & WW_AMD_DTE_V) == 0 || (d.word[0] & WW_DTE_PPR) == 0 || (ask.has_pasid && !pasids))
        return WW_EVENT_INVALID_PPR_REQUEST;
    return 0;
}

void iommu_core::serve_page_requests()
{
    while (!page_requests_.empty()) {
        const ww_iommu_ppr ask = page_requests_.front().first;
        tick at = page_requests_.front().second;
        page_requests_.pop_front();
        const uint64_t resets = resets_;
        const ww_dte d = xlat_.entry(ask.device, &at, regs_);
        if (resets != resets_)
            continue;
        const uint8_t code = refusal_of(ask, d);
        uint64_t words[2], pa = 0;
        if (code != 0) {
            ww_iommu_event e = {};
            ww_iommu_ppr_words(&ask, words);
            e.code = code;
            e.device = ask.device;
            e.tag = ask.tag;
            e.has_pasid = ask.has_pasid;
            e.pasid = ask.pasid;
            e.flags = ((ask.wants & WW_PPR_WRITE) != 0 ? WW_EVENT_RW : 0) |
                      ((ask.wants & WW_PPR_EXEC) != 0 ? WW_EVENT_NX : 0) |
                      ((ask.wants & WW_PPR_USER) != 0 ? WW_EVENT_US : 0);
            e.address = code == WW_EVENT_DEV_TAB_HARDWARE_ERROR ? d.pa : ask.address;
            log(e, at);
        } else {
            ww_iommu_ppr_words(&ask, words);
            const bool place = ww_iommu_log_place(&regs_, WW_LOG_PPR, &pa);
            const bool ok = place && transfer(tlm::TLM_WRITE_COMMAND, pa, words, sizeof words, &at);
            if (resets != resets_)
                continue;
            if (place && ww_iommu_log_written(&regs_, WW_LOG_PPR, pa, ok)) {
                ++stats_.page_requests_logged;
                continue;
            }
        }
        ++stats_.page_requests_lost;
        if ((ww_bits_put(WW_PPR_TAG, 0, ask.tag) & WW_PPR_LAST) != 0)
            send_response(ask.device, ask.has_pasid && (d.word[0] & WW_DTE_GPRP) != 0, ask.pasid, ask.tag,
                          static_cast<uint8_t>(page_outcome::failure), at);
    }
}

void iommu_core::send_response(uint32_t device, bool has_pasid, uint32_t pasid, uint16_t tag, uint8_t status,
                               tick at)
{
    access_attributes who;
    who.stream_id = device;
    who.has_pasid = has_pasid;
    who.pasid = has_pasid ? pasid : 0;
    const page_response what = {static_cast<uint16_t>(tag & (groups - 1)), status};
    for (unsigned port = 0; port < ports_.size(); ++port) {
        if (!messages_.takes_responses(port) || !reaches(port, device))
            continue;
        stats_.page_responses += messages_.respond(port, who, what, scale_.time(at));
    }
}

/* Carries out COMPLETE_PPR. The response has a PASID only if the device's entry says so. */
void iommu_core::complete_page_request(const ww_iommu_step &s, tick *at)
{
    const uint64_t resets = resets_;
    bool has_pasid = false;
    if (s.has_pasid) {
        const ww_dte d = xlat_.entry(s.device, at, regs_);
        has_pasid = d.means != WW_DTE_REFUSED && d.means != WW_DTE_ILLEGAL && (d.word[0] & WW_DTE_GPRP) != 0;
    }
    if (resets == resets_)
        send_response(s.device, has_pasid, s.pasid, s.tag, s.status, *at);
}

} // namespace walkway
