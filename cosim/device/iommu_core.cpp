/* SPDX-License-Identifier: MIT */
/* device/iommu_core.cpp - accesses through the IOMMU: translation, forwarding, debug access, reset. */
#ifndef SC_INCLUDE_DYNAMIC_PROCESSES
#define SC_INCLUDE_DYNAMIC_PROCESSES
#endif
#include "device/iommu_core.hpp"

#include "device/iommu_at.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace walkway
{

namespace
{

constexpr unsigned walks_at_most = 16;

/* A part of a transaction. It borrows the extensions of the whole and must not free them. */
class part_payload
{
public:
    explicit part_payload(const tlm::tlm_generic_payload &whole)
    {
        p.set_command(whole.get_command());
        p.set_gp_option(whole.get_gp_option());
        p.resize_extensions();
        for (unsigned i = 0; i < tlm::max_num_extensions(); ++i)
            p.set_extension(i, whole.get_extension(i));
    }
    ~part_payload()
    {
        for (unsigned i = 0; i < tlm::max_num_extensions(); ++i)
            p.set_extension(i, nullptr);
    }
    part_payload(const part_payload &) = delete;
    part_payload &operator=(const part_payload &) = delete;
    tlm::tlm_generic_payload p;
};

} // namespace

/* Validates the parameters before members are constructed from them. */
const iommu_device_params &iommu_core::checked(const iommu_device_params &p)
{
    if (const std::string wrong = p.validate(); !wrong.empty())
        throw std::runtime_error("iommu_device: " + wrong);
    return p;
}

iommu_core::iommu_core(unsigned ports, const iommu_device_params &p)
    : params_(checked(p)), scale_(time_scale::here()), xlat_(p, *this, stats_), ports_(ports)
{
    for (unsigned i = 0; i < ports; ++i)
        ports_[i].stream = i;
    ww_iommu_reset(&regs_);
    ww_iommu_commands_init(&commands_);
    if (static_cast<transport_mode>(p.mode) == transport_mode::at)
        at_ = std::make_unique<iommu_at>(*this, ports);
}

iommu_core::~iommu_core() = default;

void iommu_core::start(iommu_neighbours neighbours)
{
    to_ = std::move(neighbours);
    if (at_)
        at_->start();
    messages_.start(
        to_.ats_inv, to_.pri_resp, [this](const device_messages::awaited &a) { invalidate_late(a); },
        [this] { ask_service(); });
    sc_core::sc_spawn([this] { serve(); }, "service");
}

void iommu_core::states(const translator::state_fn &f) const
{
    xlat_.states(f);
    f("registers", &regs_, sizeof regs_);
    f("statistics", &stats_, sizeof stats_);
    uint64_t asked = 0;
    for (const port_state &p : ports_)
        asked += p.asked.size();
    const uint64_t rest[] = {asked,          messages_.any_open(), events_.size(),   page_requests_.size(),
                             ledger_.size(), commands_.word[0],    commands_.fetched};
    f("rest", rest, sizeof rest);
}

const char *iommu_core::held() const
{
    return busy_                     ? "the lock of walks and commands"
           : waiting_ != 0           ? "a place among its waiters"
           : buffers_.live() != 0    ? "a buffer of the walker's"
           : granting_ != 0          ? "a grant of direct memory"
           : messages_.calls() != 0  ? "a call to a device"
           : at_ && at_->held() != 0 ? "a transaction of the walker's"
                                     : nullptr;
}

/* ---- Memory accesses of the walker ---- */

void iommu_core::buffer::begin(tlm::tlm_command command, uint64_t pa, unsigned size)
{
    p.set_command(command);
    p.set_address(pa);
    p.set_data_ptr(data);
    p.set_data_length(size);
    p.set_streaming_width(size);
    p.set_byte_enable_ptr(nullptr);
    p.set_dmi_allowed(false);
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

/* Starts at *at, and sets *at to the end of the transfer. */
bool iommu_core::transfer(tlm::tlm_command command, uint64_t pa, void *bytes, unsigned size, tick *at)
{
    for (unsigned done = 0; done < size; done += params_.walker_bytes) {
        const unsigned n = std::min(size - done, params_.walker_bytes);
        tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
        if (!transfer_at_once(command, pa + done, static_cast<unsigned char *>(bytes) + done, n, at,
                              &status)) {
            complain(command, pa + done, n, status);
            return false;
        }
    }
    return true;
}

/* Reports only the first refusal. Most are also events, but memory may refuse the event log, too. */
void iommu_core::complain(tlm::tlm_command command, uint64_t pa, unsigned size,
                          tlm::tlm_response_status status)
{
    if (std::exchange(complained_, true))
        return;
    payload p;
    p.set_response_status(status);
    char text[256];
    std::snprintf(text, sizeof text,
                  "%s: memory refused %s of %u bytes at 0x%llx (%s); the parameter walker_bytes splits such "
                  "accesses; no other one is reported",
                  to_.name.c_str(), command == tlm::TLM_READ_COMMAND ? "a read" : "a write", size,
                  static_cast<unsigned long long>(pa), p.get_response_string().c_str());
    SC_REPORT_INFO("/walkway/iommu/memory", text);
}

bool iommu_core::transfer_at_once(tlm::tlm_command command, uint64_t pa, void *bytes, unsigned size, tick *at,
                                  tlm::tlm_response_status *status)
{
    if (at_)
        return at_->transfer(command, pa, bytes, size, at, status);
    const borrowed<buffer> b(buffers_);
    if (command == tlm::TLM_WRITE_COMMAND)
        std::memcpy(b->data, bytes, size);
    b->begin(command, pa, size);
    const sc_core::sc_time now = sc_core::sc_time_stamp(), start = scale_.time(*at);
    sc_core::sc_time delay = start > now ? start - now : sc_core::SC_ZERO_TIME;
    to_.walker->b_transport(b->p, delay);
    *at = std::max(*at, scale_.ticks(sc_core::sc_time_stamp() + delay));
    const bool ok = b->p.is_response_ok();
    *status = b->p.get_response_status();
    if (ok && command == tlm::TLM_READ_COMMAND)
        std::memcpy(bytes, b->data, size);
    return ok;
}

bool iommu_core::peek(uint64_t pa, void *bytes, unsigned size)
{
    for (unsigned done = 0; done < size; done += params_.walker_bytes) {
        const borrowed<buffer> b(buffers_);
        const unsigned n = std::min(size - done, params_.walker_bytes);
        b->begin(tlm::TLM_READ_COMMAND, pa + done, n);
        if (to_.walker->transport_dbg(b->p) != n)
            return false;
        std::memcpy(static_cast<unsigned char *>(bytes) + done, b->data, n);
    }
    return true;
}

bool iommu_core::read_now(uint64_t pa, void *bytes, unsigned size, tick *at, now_how how)
{
    return how == now_how::look ? peek(pa, bytes, size)
                                : transfer(tlm::TLM_READ_COMMAND, pa, bytes, size, at);
}

bool iommu_core::line_now(uint64_t pa, uint64_t line[WW_LINE_PTES], tick *at)
{
    if (!looking_)
        ++stats_.pte_reads;
    return read_now(ww_line_base(pa), line, WW_PTE_LINE_BYTES, at,
                    looking_ ? now_how::look : now_how::commit);
}

/* ---- Translation ---- */

namespace
{

/* True for a write of 4 enabled bytes at a multiple of 4, as an interrupt is. */
bool is_dword(const tlm::tlm_generic_payload &p)
{
    const unsigned char *enables = p.get_byte_enable_ptr();
    if (!p.is_write() || p.get_data_length() != 4 || p.get_streaming_width() < 4 ||
        p.get_address() % 4 != 0 || p.get_data_ptr() == nullptr)
        return false;
    for (unsigned i = 0; enables != nullptr && i < 4; ++i)
        if (p.get_byte_enable_length() == 0 || enables[i % p.get_byte_enable_length()] != TLM_BYTE_ENABLED)
            return false;
    return true;
}

} // namespace

device_access iommu_core::access_of(unsigned port, const payload &p)
{
    access_attributes of;
    const attributes_extension *e = p.get_extension<attributes_extension>();
    if (e != nullptr)
        of = e->of;
    if (e == nullptr && identify_) {
        of.stream_id = ports_[port].stream;
        identify_(port, p, of);
    }
    if (of.stream_id == access_attributes::nobody) /* extension and hook need not set it */
        of.stream_id = ports_[port].stream;
    device_access a = {};
    a.va = p.get_address();
    a.device = of.stream_id;
    a.has_pasid = of.has_pasid;
    a.pasid = of.has_pasid ? of.pasid : 0;
    a.privileged = of.privileged;
    a.type = of.type;
    a.wants = p.is_write() ? WW_PERM_W : !p.is_read() ? 0 : of.execute ? WW_PERM_X : WW_PERM_R;
    a.dword = ww_iommu_set_apart(a.va) && is_dword(p);
    if (a.dword)
        std::memcpy(&a.data, p.get_data_ptr(), sizeof a.data);
    return a;
}

/* Takes the lock for the calling process. Returns false if the process already holds it (a walk through the
 * IOMMU itself), or must wait and cannot. */
bool iommu_core::take_lock()
{
    while (busy_) {
        if (sc_core::sc_get_current_process_handle() == owner_ || !may_wait_here())
            return false;
        const counted waits(waiting_);
        sc_core::wait(freed_);
    }
    busy_ = true;
    owner_ = sc_core::sc_get_current_process_handle();
    return true;
}

void iommu_core::give_lock()
{
    busy_ = false;
    owner_ = {};
    if (forget_)
        xlat_.forget_all();
    forget_ = false;
    if (waiting_ != 0)
        freed_.notify(sc_core::SC_ZERO_TIME);
}

/* Walks with the lock held. If registers change meanwhile, the access is translated again or passes
 * unchanged; if a reset occurs, it is refused. */
device_answer iommu_core::walk(const device_access &a, tick t)
{
    device_answer out = {};
    out.fault = device_fault::memory;
    out.at = t;
    const uint64_t resets = resets_;
    const tick asked = scale_.ticks(sc_core::sc_time_stamp());
    lock walks(*this);
    if (!walks.take())
        return out;
    tick at = t + (scale_.ticks(sc_core::sc_time_stamp()) - asked);
    unsigned turns = 0; /* bounds the loop if every walk meets a register change */
    for (bool again = true; again && resets == resets_ && turns < walks_at_most; ++turns) {
        if (enabled()) {
            out = xlat_.translate(a, at, now_how::commit, regs_);
        } else if (a.type == address_type::translation_request) { /* disabled meanwhile */
            out = {};
            out.fault = device_fault::table;
            out.at = at;
        } else {
            out = {};
            out.xlat = {ww_page_base(a.va, WW_PAGE_4K), WW_PAGE_4K, WW_PERM_ALL};
            out.at = at;
        }
        again = forget_;
        at = out.at;
        if (again)
            xlat_.forget_all();
        forget_ = false;
    }
    walks.give();
    if (resets != resets_) {
        out = {};
        out.fault = device_fault::memory;
        out.at = at;
    } else if (out.event.code != 0) {
        log(out.event, out.at);
    }
    return out;
}

device_answer iommu_core::translate(const device_access &a, tick t)
{
    device_answer out;
    return xlat_.hit(a, t, &out) ? out : walk(a, t);
}

device_answer iommu_core::look(const device_access &a)
{
    while_here here(looking_);
    return xlat_.translate(a, 0, now_how::look, regs_);
}

void iommu_core::refuse(payload &p, const device_answer &a)
{
    static constexpr tlm::tlm_response_status of[] = {
        tlm::TLM_OK_RESPONSE, tlm::TLM_GENERIC_ERROR_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE,
        tlm::TLM_COMMAND_ERROR_RESPONSE, tlm::TLM_GENERIC_ERROR_RESPONSE};
    p.set_response_status(of[static_cast<unsigned>(a.fault)]);
}

/* ---- Accesses ---- */

void iommu_core::forward(unsigned port, payload &p, uint64_t pa, sc_core::sc_time &delay)
{
    const readdressed physical(p, pa);
    to_.down[port]->b_transport(p, delay);
}

/* Refuses the call. Reports only the first one. */
void iommu_core::wrong_call(payload &p, const std::string &socket, const char *why)
{
    p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    if (!std::exchange(called_wrong_, true))
        SC_REPORT_INFO("/walkway/iommu/transport",
                       (to_.name + "." + socket + ": " + why + "; no other call is reported").c_str());
}

void iommu_core::b_transport(unsigned port, payload &p, sc_core::sc_time &delay)
{
    if (at_) {
        wrong_call(p, "up_" + std::to_string(port),
                   "b_transport is refused, since the device is in four phases (mode = at)");
        return;
    }
    const bool passes = !enabled();
    if (passes && !asks(port, p)) {
        to_.down[port]->b_transport(p, delay);
    } else if (const device_access a = access_of(port, p); a.type == address_type::translation_request) {
        request_translation(port, p, a, delay);
    } else if (const tlm::tlm_response_status illegal = burst::refusal(p); illegal != tlm::TLM_OK_RESPONSE) {
        p.set_response_status(illegal);
    } else {
        if (params_.dmi != static_cast<uint8_t>(dmi_policy::off))
            note_context(port, a);
        const sc_core::sc_time start = sc_core::sc_time_stamp();
        const device_answer x = translate(a, scale_.ticks(start + delay));
        delay = scale_.time(x.at) - sc_core::sc_time_stamp();
        if (x.fault != device_fault::none)
            refuse(p, x);
        else if (x.message.remapped)
            forward_message(port, p, x.message, delay);
        else if (ww_same_page(a.va, a.va + (burst::reach(p) - 1), x.xlat.page_shift))
            forward(port, p, ww_xlat_pa(&x.xlat, a.va), delay);
        else
            forward_parts(port, p, a, x.xlat, delay);
    }
    if (p.is_dmi_allowed() && !would_grant(port, p))
        p.set_dmi_allowed(false);
}

/* Forwards an interrupt as remapped by the device's table; the device's own data stays unchanged. */
void iommu_core::forward_message(unsigned port, payload &p, device_message m, sc_core::sc_time &delay)
{
    part_payload part(p);
    part.p.set_address(m.pa);
    part.p.set_data_ptr(reinterpret_cast<unsigned char *>(&m.data));
    part.p.set_data_length(sizeof m.data);
    part.p.set_streaming_width(sizeof m.data);
    part.p.set_byte_enable_ptr(nullptr);
    part.p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    to_.down[port]->b_transport(part.p, delay);
    p.set_response_status(part.p.get_response_status());
}

/* Forwards a burst across pages; `first` is the first page's translation. Translates all pages before the
 * first access, so that a fault leaves memory unchanged. */
void iommu_core::forward_parts(unsigned port, payload &p, device_access a, const ww_xlat &first,
                               sc_core::sc_time &delay)
{
    burst b;
    b.start(p);
    ++stats_.bursts_split;
    for (b.add(first); !b.known();) {
        a.va = b.va();
        const device_answer x = translate(a, scale_.ticks(sc_core::sc_time_stamp() + delay));
        delay = scale_.time(x.at) - sc_core::sc_time_stamp();
        if (x.fault != device_fault::none) {
            refuse(p, x);
            return;
        }
        b.add(x.xlat);
    }
    for (part_payload part(p); b.next(p, part.p);) {
        part.p.set_dmi_allowed(false);
        part.p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        to_.down[port]->b_transport(part.p, delay);
        p.set_response_status(part.p.get_response_status());
        if (!part.p.is_response_ok())
            return;
    }
}

tlm::tlm_sync_enum iommu_core::nb_transport_fw(unsigned port, payload &p, const tlm::tlm_phase &phase,
                                               const sc_core::sc_time &delay)
{
    if (at_)
        return at_->nb_transport_fw(port, p, phase, delay);
    wrong_call(p, "up_" + std::to_string(port),
               "nb_transport_fw is refused, since the device is loosely timed (mode = lt)");
    return tlm::TLM_COMPLETED;
}

tlm::tlm_sync_enum iommu_core::nb_transport_bw(unsigned port, payload &p, tlm::tlm_phase &phase,
                                               const sc_core::sc_time &delay)
{
    return at_ ? at_->nb_transport_bw(port, p, phase, delay) : tlm::TLM_ACCEPTED;
}

/* Accesses page by page up to the first failure. Changes no state of the IOMMU, logs no fault. */
unsigned iommu_core::transport_dbg(unsigned port, payload &p)
{
    if (asks(port, p)) {
        request_debug(port, p);
        return 0;
    }
    if (!enabled())
        return to_.down[port]->transport_dbg(p);
    const uint64_t iova = p.get_address();
    const unsigned length = p.get_data_length();
    device_access a = access_of(port, p);
    if (length == 0 || p.get_data_ptr() == nullptr)
        return 0;
    part_payload part(p);
    unsigned done = 0;
    while (done < length) {
        a.va = iova + done;
        const device_answer x = look(a);
        if (a.va < iova || x.fault != device_fault::none || x.message.remapped)
            break;
        const uint64_t rest = ww_page_after(a.va, x.xlat.page_shift) - a.va;
        const unsigned bytes = static_cast<unsigned>(std::min<uint64_t>(rest, length - done));
        part.p.set_address(ww_xlat_pa(&x.xlat, a.va));
        part.p.set_data_ptr(p.get_data_ptr() + done);
        part.p.set_data_length(bytes);
        part.p.set_streaming_width(bytes);
        const unsigned there = to_.down[port]->transport_dbg(part.p);
        done += std::min(there, bytes);
        if (there < bytes)
            break;
    }
    p.set_response_status(done == length ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return done;
}

void iommu_core::reset()
{
    ww_iommu_reset(&regs_);
    ww_iommu_commands_init(&commands_);
    events_.clear();
    page_requests_.clear();
    messages_.reset();
    ++resets_;
    forget_ = busy_;
    xlat_.forget_all();
    for (port_state &p : ports_) {
        p.context = 0;
        p.several = false;
    }
    revoke([](const dmi_grant &) { return true; });
    if (at_)
        at_->refuse_all();
    ask_service();
}

} // namespace walkway
