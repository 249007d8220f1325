/* SPDX-License-Identifier: MIT */
/* tb/support/base_protocol_checker.cpp - the checks of one hop; for the rules see
 * docs/develop/base-protocol.md. */
#include "tb/support/base_protocol_checker.hpp"

#include <algorithm>

namespace walkway::test
{

using gp = tlm::tlm_generic_payload;
using tlm::BEGIN_REQ, tlm::BEGIN_RESP, tlm::END_REQ, tlm::END_RESP;

base_protocol_checker::base_protocol_checker(const sc_core::sc_module_name &name, base_protocol &rules)
    : sc_module(name), up("up"), down("down"), rules_(rules)
{
    up.bind(static_cast<tlm::tlm_fw_transport_if<> &>(*this));
    down.bind(static_cast<tlm::tlm_bw_transport_if<> &>(*this));
}

/* Reports the first violation of a transaction. Returns true. */
bool base_protocol_checker::breaks(gp &p, unsigned rule, const std::string &what)
{
    base_protocol::journey &j = rules_.journeys_[&p];
    if (!j.broken)
        rules_.report(rule, from_ + " to " + to_, what);
    return j.broken = true;
}

/* ---- Requests ---- */

/* Rule 5. */
bool base_protocol_checker::owned(gp &p)
{
    if (!p.has_mm())
        return !breaks(p, 5, "a transaction without memory manager in a non-blocking call");
    if (p.get_ref_count() < 1)
        return !breaks(p, 5, "a transaction without a reference in a non-blocking call");
    return true;
}

/* Rule 8. */
void base_protocol_checker::legal_attributes(gp &p)
{
    const bool transfers = p.get_command() != tlm::TLM_IGNORE_COMMAND;
    const std::pair<bool, const char *> wrong[] = {
        {p.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, "its response status is not INCOMPLETE"},
        {p.is_dmi_allowed(), "its DMI hint is set"},
        {transfers && p.get_data_length() == 0, "its data length is 0"},
        {transfers && p.get_data_ptr() == nullptr, "it has no data pointer"},
        {transfers && p.get_streaming_width() == 0, "its streaming width is 0"},
        {p.get_byte_enable_ptr() != nullptr && p.get_byte_enable_length() == 0,
         "its byte enables have no length"},
        {p.get_gp_option() != tlm::TLM_MIN_PAYLOAD, "its option is not TLM_MIN_PAYLOAD"}};
    for (const auto &[is, what] : wrong)
        if (is)
            breaks(p, 8, std::string("a transaction begins, and ") + what);
}

/* A request reaches this checker: sets its new state and checks rules 1, 2, 5, 7, 8 and 11. */
bool base_protocol_checker::begin(gp &p, bool blocking)
{
    base_protocol::journey &j = rules_.journeys_[&p];
    entry &e = all_[&p];
    const state before = e.now;
    if (before != state::idle && before != state::responding)
        return !breaks(p, 1, "BEGIN_REQ of a transaction whose request is in progress");
    if (before == state::responding)
        return !breaks(p, 7, "BEGIN_REQ of a transaction whose response is in progress");
    if (j.path.empty() || std::count(j.path.begin(), j.path.end(), this) != 0) { /* the last was aborted */
        j.begin_anew();
        j.first = from_ + " to " + to_;
        ++rules_.transactions_;
    }
    ++begun_;
    if (std::count(j.seen_by.begin(), j.seen_by.end(), this) == 0)
        j.seen_by.push_back(this);
    const uint64_t serial = e.serial + 1;
    e = entry{};
    e.serial = serial;
    e.now = state::requested;
    e.first = image(p);
    if (!blocking && requesting_ != nullptr)
        breaks(p, 2, "BEGIN_REQ before END_REQ of the transaction before it");
    if (!blocking && requesting_ == nullptr)
        requesting_ = &p;
    const std::string change = j.path.empty() ? "" : j.path.back()->all_[&p].first.differs(e.first);
    if (!change.empty())
        breaks(p, 11, "the " + change + " was changed where it was handed on");
    if (blocking || owned(p))
        legal_attributes(p);
    if (j.path.empty() && p.has_mm())
        rules_.watch(p);
    j.path.push_back(this);
    return true;
}

/* ---- Checks at every call ---- */

/* Rule 4. */
void base_protocol_checker::in_time(gp &p, const sc_core::sc_time &delay, const char *what)
{
    entry &e = all_[&p];
    const sc_core::sc_time at = rules_.now() + delay;
    if (at < e.time)
        breaks(p, 4,
               std::string(what) + " is at " + at.to_string() + ", what was before it at " +
                   e.time.to_string());
    e.time = at;
}

/* Rule 11. */
void base_protocol_checker::unchanged(gp &p)
{
    const entry &e = all_[&p];
    const std::string change = e.returned || e.now == state::idle ? "" : e.first.changed(p);
    if (!change.empty())
        breaks(p, 11, "its " + change + " was changed");
}

/* ---- Responses ---- */

void base_protocol_checker::end_request(gp &p)
{
    entry &e = all_[&p];
    if (e.now == state::idle && !rules_.journeys_[&p].path.empty())
        breaks(p, 13, "END_REQ of a transaction that was not sent through this socket");
    else if (e.now != state::requested)
        breaks(p, 1, "END_REQ of a transaction whose request is not in progress");
    else
        e.now = state::granted;
    if (requesting_ == &p)
        requesting_ = nullptr;
}

/* A response arrives, by BEGIN_RESP or otherwise: checks rules 9 to 12. */
void base_protocol_checker::answered(gp &p)
{
    const entry &e = all_[&p];
    if (p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
        breaks(p, 9, "a response whose status is INCOMPLETE");
    if (p.get_address() != e.first.address)
        breaks(p, 12, "a response with another address than the request");
    unchanged(p);
    handed_up(p);
    if (requesting_ == &p)
        requesting_ = nullptr;
}

/* Rules 10 and 13: an interconnect passes a response up unchanged and not before it receives it. */
void base_protocol_checker::handed_up(gp &p)
{
    base_protocol::journey &j = rules_.journeys_[&p];
    const auto here = std::find(j.path.begin(), j.path.end(), this);
    if (here == j.path.end())
        return;
    if (j.path.back() != this)
        breaks(p, 13, "a response before that of the socket through which it was handed on");
    const unsigned char *data = p.get_data_ptr();
    const std::vector<unsigned char> bytes(data, data == nullptr ? data : data + p.get_data_length());
    if (j.below.known && j.below.status != p.get_response_status())
        breaks(p, 10, "its response status was changed where it was handed up");
    if (j.below.known && p.is_read() && j.below.data != bytes)
        breaks(p, 10, "its data were changed where it was handed up");
    j.path.erase(here, j.path.end());
    j.below = {!j.path.empty(), p.get_response_status(), bytes};
}

void base_protocol_checker::begin_response(gp &p)
{
    entry &e = all_[&p];
    const bool open = e.now == state::requested || e.now == state::granted;
    if (e.now == state::idle && !rules_.journeys_[&p].path.empty())
        breaks(p, 13, "BEGIN_RESP of a transaction that was not sent through this socket");
    else if (!open)
        breaks(p, 1, "BEGIN_RESP of a transaction without a request");
    else if (responding_ != nullptr)
        breaks(p, 3, "BEGIN_RESP before END_RESP of the transaction before it");
    answered(p);
    if (open)
        e.now = state::responding;
    if (responding_ == nullptr)
        responding_ = &p;
}

void base_protocol_checker::end_response(gp &p)
{
    entry &e = all_[&p];
    if (e.now != state::responding)
        breaks(p, 1, "END_RESP of a transaction whose response is not in progress");
    e.now = state::idle;
    if (responding_ == &p)
        responding_ = nullptr;
}

/* ---- Calls ---- */

void base_protocol_checker::after_begin_req(gp &p, tlm::tlm_sync_enum status, const tlm::tlm_phase &phase,
                                            const sc_core::sc_time &delay)
{
    entry &e = all_[&p];
    if (status == tlm::TLM_ACCEPTED) {
        if (e.now == state::requested || e.now == state::granted)
            unchanged(p);
        return;
    }
    in_time(p, delay, "the return of BEGIN_REQ");
    if (status == tlm::TLM_UPDATED && phase == END_REQ) {
        unchanged(p);
        end_request(p);
    } else if (status == tlm::TLM_UPDATED && phase == BEGIN_RESP) {
        begin_response(p);
    } else if (status == tlm::TLM_COMPLETED && e.now == state::requested) {
        answered(p);
        e.now = state::idle;
    } else {
        breaks(p, 1,
               std::string("BEGIN_REQ returns ") + (status == tlm::TLM_UPDATED
                                                        ? std::string("UPDATED with ") + phase.get_name()
                                                        : "COMPLETED after its END_REQ or BEGIN_RESP"));
    }
}

tlm::tlm_sync_enum base_protocol_checker::nb_transport_fw(gp &p, tlm::tlm_phase &phase,
                                                          sc_core::sc_time &delay)
{
    const tlm::tlm_phase sent = phase;
    if (sent == BEGIN_REQ) {
        if (begin(p, false))
            in_time(p, delay, "BEGIN_REQ");
    } else if (sent == END_RESP) {
        if (owned(p)) {
            in_time(p, delay, "END_RESP");
            unchanged(p);
        }
        end_response(p);
    } else if (sent == END_REQ || sent == BEGIN_RESP) {
        breaks(p, 1, std::string(sent.get_name()) + " on the forward path");
    }
    const uint64_t serial = all_[&p].serial, deltas = sc_core::sc_delta_count();
    const tlm::tlm_sync_enum status = down->nb_transport_fw(p, phase, delay);
    without_wait(p, deltas, "nb_transport_fw");
    if (sent == BEGIN_REQ && all_[&p].serial == serial)
        after_begin_req(p, status, phase, delay);
    else if (sent == END_RESP && status == tlm::TLM_UPDATED)
        breaks(p, 1, "END_RESP returns UPDATED");
    return status;
}

tlm::tlm_sync_enum base_protocol_checker::nb_transport_bw(gp &p, tlm::tlm_phase &phase,
                                                          sc_core::sc_time &delay)
{
    const tlm::tlm_phase sent = phase;
    if (sent == BEGIN_REQ || sent == END_RESP)
        breaks(p, 1, std::string(sent.get_name()) + " on the backward path");
    else if (sent == END_REQ || sent == BEGIN_RESP) {
        if (owned(p)) {
            in_time(p, delay, sent.get_name());
            unchanged(p);
        }
        sent == END_REQ ? end_request(p) : begin_response(p);
    }
    entry &e = all_[&p];
    const uint64_t serial = e.serial;
    e.nested = sent == BEGIN_RESP;
    const uint64_t deltas = sc_core::sc_delta_count();
    const tlm::tlm_sync_enum status = up->nb_transport_bw(p, phase, delay);
    without_wait(p, deltas, "nb_transport_bw");
    e.nested = false;
    if (sent == END_REQ && status != tlm::TLM_ACCEPTED)
        breaks(p, 1, "END_REQ returns UPDATED or COMPLETED");
    if (sent != BEGIN_RESP || e.serial != serial)
        return status;
    if (status != tlm::TLM_ACCEPTED && !(status == tlm::TLM_UPDATED && phase != END_RESP)) {
        in_time(p, delay, "the return of BEGIN_RESP");
        end_response(p);
    } else if (status == tlm::TLM_UPDATED) {
        breaks(p, 1, std::string("BEGIN_RESP returns UPDATED with ") + phase.get_name());
    } else if (e.returned && e.now == state::responding) {
        breaks(p, 6, "the last reference was given back before END_RESP");
    }
    return status;
}

void base_protocol_checker::b_transport(gp &p, sc_core::sc_time &delay)
{
    if (all_[&p].now != state::idle)
        breaks(p, 14, "b_transport of a transaction that is on its way in phases");
    const bool legal = begin(p, true);
    if (sc_core::sc_get_current_process_handle().proc_kind() == sc_core::SC_METHOD_PROC_)
        breaks(p, 14, "b_transport from an SC_METHOD");
    in_time(p, delay, "b_transport");
    try {
        down->b_transport(p, delay);
    } catch (...) { /* the process was killed or reset: no rule covers a call that never returns */
        all_[&p].now = state::idle;
        rules_.journeys_[&p].begin_anew();
        throw;
    }
    in_time(p, delay, "the return of b_transport");
    if (legal)
        answered(p);
    if (p.is_dmi_allowed())
        hinted_.insert({p.get_address(), p.get_command()});
    all_[&p].now = state::idle;
}

/* ---- Rules 15, 19, 20, 22 and 23: calls that take no time ---- */

/* A delta cycle passes within a call only if the callee waits. */
void base_protocol_checker::without_wait(gp &p, uint64_t deltas, const char *call)
{
    if (sc_core::sc_delta_count() != deltas)
        breaks(p, 15, std::string(call) + " waits");
}

template <class F> auto base_protocol_checker::look(gp &p, const char *call, F f)
{
    base_protocol::journey &j = rules_.journeys_[&p];
    if (j.path.empty() && rules_.calls_ == 0)
        j.begin_anew();
    const image before(p);
    const uint64_t deltas = sc_core::sc_delta_count();
    ++rules_.calls_;
    const auto result = f();
    --rules_.calls_;
    without_wait(p, deltas, call);
    const std::string change = before.changed(p);
    if (!change.empty())
        breaks(p, 11, std::string(call) + " changes the " + change);
    if (p.get_address() != before.address)
        breaks(p, 12, std::string(call) + " leaves another address");
    return result;
}

unsigned base_protocol_checker::transport_dbg(gp &p)
{
    const unsigned bytes = look(p, "transport_dbg", [&] { return down->transport_dbg(p); });
    if (bytes > p.get_data_length())
        breaks(p, 23, "transport_dbg says more bytes than there are");
    return bytes;
}

bool base_protocol_checker::get_direct_mem_ptr(gp &p, tlm::tlm_dmi &dmi)
{
    const bool given = look(p, "get_direct_mem_ptr", [&] {
        if (dmi.get_dmi_ptr() != nullptr || !dmi.is_none_allowed() || dmi.get_start_address() != 0 ||
            dmi.get_end_address() != ~sc_dt::uint64{0} || dmi.get_read_latency() != sc_core::SC_ZERO_TIME ||
            dmi.get_write_latency() != sc_core::SC_ZERO_TIME)
            breaks(p, 19, "get_direct_mem_ptr with a descriptor that is not as at first");
        return down->get_direct_mem_ptr(p, dmi);
    });
    direct_memory(p, dmi, given);
    return given;
}

void base_protocol_checker::direct_memory(gp &p, const tlm::tlm_dmi &dmi, bool given)
{
    const uint64_t at = p.get_address();
    if (dmi.get_end_address() < dmi.get_start_address())
        breaks(p, 20, "a range of direct memory ends before it starts");
    else if (at < dmi.get_start_address() || at > dmi.get_end_address())
        breaks(p, 20, "a range of direct memory does not hold the address that was asked for");
    else if (given && dmi.get_dmi_ptr() == nullptr)
        breaks(p, 20, "direct memory without a pointer");
    else if (given && (p.is_write() ? !dmi.is_write_allowed() : p.is_read() && !dmi.is_read_allowed()))
        breaks(p, 20, "direct memory without the access that was asked for");
    if (!given && hinted_.count({at, p.get_command()}) != 0)
        breaks(p, 22, "direct memory was hinted at, and is refused");
}

void base_protocol_checker::invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last)
{
    hinted_.clear();
    up->invalidate_direct_mem_ptr(first, last);
}

} // namespace walkway::test
