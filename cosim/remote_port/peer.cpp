/* SPDX-License-Identifier: MIT */
/* remote_port/peer.cpp - see peer.hpp. */
#include "remote_port/peer.hpp"

#include "device/access_attributes.hpp"
#include "device/held.hpp"

#include <utility>

namespace walkway
{

class remote_port_peer::arrivals final : public sc_core::sc_prim_channel
{
public:
    arrivals() : sc_prim_channel("arrivals")
    {
        async_attach_suspending();
    } /* an idle simulation waits for packets */
    void wake() { async_request_update(); }
    void no_more() { async_detach_suspending(); }
    sc_core::sc_event came;

private:
    void update() override { came.notify(sc_core::SC_ZERO_TIME); }
};

struct remote_port_peer::dmi_refused final : tlm::tlm_bw_transport_if<> {
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &, tlm::tlm_phase &,
                                       sc_core::sc_time &) override
    {
        return tlm::TLM_COMPLETED; /* no non-blocking request is ever sent */
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {} /* no pointer is ever used */
};

static const uint32_t own_caps = WW_RP_CAP_BIT(WW_RP_CAP_EXT) | WW_RP_CAP_BIT(WW_RP_CAP_BYTE_ENABLES) |
                                 WW_RP_CAP_BIT(WW_RP_CAP_WIRE_POSTED) | WW_RP_CAP_BIT(WW_RP_CAP_ATS);

remote_port_peer::remote_port_peer(const sc_core::sc_module_name &name, const remote_port_place &place,
                                   remote_port_service &service, double seconds)
    : sc_module(name), accesses("accesses"), service_(service), arrivals_(std::make_unique<arrivals>()),
      backward_(std::make_unique<dmi_refused>()), waiting_(WW_RP_PENDING_MAX, nullptr)
{
    accesses.bind(*backward_);
    ww_rp_session_init(&session_, own_caps);
    SC_METHOD(arrived); /* runs at initialization, too: see arrived() */
    sensitive << arrivals_->came;
    SC_THREAD(serve_accesses);
    SC_THREAD(serve_translations);
    link_ = std::make_unique<remote_port_link>(place, seconds, [this] { arrivals_->wake(); });
    link_->send(ww_rp_hello(&session_));
}

remote_port_peer::~remote_port_peer()
{
    link_.reset(); /* ends its thread first */
}

uint64_t remote_port_peer::now_ns() const
{
    return static_cast<uint64_t>(sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_NS));
}

uint32_t remote_port_peer::requester_of(const ww_rp_packet &p) const
{
    const bool access = p.cmd == WW_RP_READ || p.cmd == WW_RP_WRITE;
    const bool secure = access && (p.attributes & WW_RP_BUS_SECURE) != 0;
    return map_.requester ? map_.requester({p.dev, access, access ? p.master_id : 0, secure}) : p.dev;
}

/* Packets that arrive before the simulation starts are delivered in its second delta cycle, when each thread
 * is at its first wait. Earlier, threads would miss an event that a service notifies from a callback. */
void remote_port_peer::arrived()
{
    if (!std::exchange(initialized_, true)) {
        next_trigger(sc_core::SC_ZERO_TIME);
        return;
    }
    std::vector<uint8_t> bytes;
    while (ended_.empty() && link_->next(bytes))
        take(std::move(bytes));
    const std::string why = link_->ended();
    if (!why.empty())
        end(why);
}

/* Ends the session: wakes the waiters without an answer. */
void remote_port_peer::end(const std::string &why)
{
    if (!ended_.empty())
        return;
    ended_ = why;
    link_->end(why);
    arrivals_->no_more();
    for (request_ptr &one : waiting_)
        if (const request_ptr r = std::exchange(one, nullptr))
            r->done.notify();
    greeting_.notify();
    service_.ended(why);
}

void remote_port_peer::take(std::vector<uint8_t> &&bytes)
{
    ww_rp_packet p;
    uint64_t tag = 0;
    const char *why = ww_rp_decode(bytes.data(), bytes.size(), &p);
    if (why != nullptr) {
        end(why);
        return;
    }
    switch (ww_rp_take(&session_, &p, &tag, &why)) {
    case WW_RP_BROKEN:
        end(why);
        break;
    case WW_RP_GREETING:
        greeting_.notify();
        break;
    case WW_RP_REQUEST:
        serve(p, std::move(bytes));
        break;
    case WW_RP_ANSWER: {
        const request_ptr r = std::exchange(waiting_[tag], nullptr);
        r->bytes = std::move(bytes);
        r->answer = p;
        r->there = true;
        r->done.notify();
        break;
    }
    case WW_RP_DROPPED:
        break;
    }
}

void remote_port_peer::send(const ww_rp_packet &p)
{
    if (ended_.empty())
        link_->send(p);
}

/* Answers at once the requests that take no time, so that they overtake queued accesses. */
void remote_port_peer::serve(const ww_rp_packet &p, std::vector<uint8_t> &&bytes)
{
    ww_rp_packet r = ww_rp_response(&p, now_ns());
    switch (p.cmd) {
    case WW_RP_READ:
    case WW_RP_WRITE:
        access_bytes_ += bytes.size();
        accesses_.push_back(std::move(bytes));
        accessed_.notify();
        if (access_bytes_ > most_access_bytes)
            end("the peer sends accesses faster than they can be served");
        return;
    case WW_RP_ATS_REQ:
        if (!service_.waits()) {
            answer_translation(p);
            return;
        }
        translations_.push_back(p);
        asked_.notify();
        if (translations_.size() > most_translations)
            end("the peer asks for translations faster than they can be found");
        return;
    case WW_RP_ATS_INV:
        r.result = service_.invalidate(p.dev, p.address, p.length) ? 0 : 1;
        break;
    case WW_RP_INTERRUPT:
        service_.interrupt(p.dev, p.line, p.value != 0);
        break;
    default: /* SYNC: the response carries our time */
        break;
    }
    if (ww_rp_wants_response(&session_, &p))
        send(r);
}

void remote_port_peer::answer_translation(const ww_rp_packet &p)
{
    const remote_translation t = service_.translate(requester_of(p), p.address, p.attributes);
    ww_rp_packet r = ww_rp_response(&p, now_ns());
    r.attributes = t.ok ? t.granted & p.attributes : 0;
    r.address = t.ok ? t.pa : 0;
    r.length = t.ok ? t.length : 0;
    r.result = t.ok ? 0 : 1;
    if (ww_rp_wants_response(&session_, &p))
        send(r);
}

void remote_port_peer::serve_translations()
{
    for (;;) {
        while (translations_.empty())
            wait(asked_);
        const ww_rp_packet p = translations_.front();
        translations_.pop_front();
        answer_translation(p);
    }
}

void remote_port_peer::serve_accesses()
{
    for (;;) {
        while (accesses_.empty())
            wait(accessed_);
        const std::vector<uint8_t> bytes = std::move(accesses_.front());
        accesses_.pop_front();
        access_bytes_ -= bytes.size();
        ww_rp_packet p;
        ww_rp_decode(bytes.data(), bytes.size(), &p);
        answer_access(p);
    }
}

void remote_port_peer::answer_access(const ww_rp_packet &p)
{
    std::vector<uint8_t> data(p.length), enable(p.enable, p.enable + p.enables);
    if (p.data != nullptr)
        data.assign(p.data, p.data + p.length);
    tlm::tlm_generic_payload t;
    t.set_command(p.cmd == WW_RP_READ ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
    t.set_address(p.address);
    t.set_data_ptr(data.data());
    t.set_data_length(static_cast<unsigned>(p.length));
    t.set_streaming_width(p.stream_width == 0 ? static_cast<unsigned>(p.length) : p.stream_width);
    t.set_byte_enable_ptr(enable.empty() ? nullptr : enable.data());
    t.set_byte_enable_length(p.enables);
    attributes_extension who;
    who.of.stream_id = requester_of(p);
    who.of.secure = (p.attributes & WW_RP_BUS_SECURE) != 0;
    if ((p.attributes & WW_RP_BUS_PHYSICAL) != 0)
        who.of.type = address_type::translated;
    const carried extension(t, who);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (p.length == 0)
        t.set_response_status(tlm::TLM_OK_RESPONSE); /* legal on the wire, and nothing to do */
    else if (accesses.size() == 0)
        t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    else
        accesses->b_transport(t, delay);
    if (delay != sc_core::SC_ZERO_TIME)
        wait(delay);
    if (!ww_rp_wants_response(&session_, &p))
        return;
    ww_rp_packet r = ww_rp_response(&p, now_ns());
    const uint64_t status = t.is_response_ok() ? WW_RP_STATUS_OK
                            : t.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE
                                ? WW_RP_STATUS_ADDRESS
                                : WW_RP_STATUS_GENERIC;
    r.attributes |= status << 8;
    if (p.cmd == WW_RP_READ)
        r.data = data.data();
    send(r);
}

/* Sends a request and, unless the request is posted, waits for the answer. Returns null if the session
 * refuses the request or ends before the answer. */
remote_port_peer::request_ptr remote_port_peer::ask(ww_rp_packet &p)
{
    while (!session_.greeted && ended_.empty())
        wait(greeting_);
    uint64_t tag = 0;
    while (tag + 1 < waiting_.size() && waiting_[tag] != nullptr)
        ++tag;
    p.timestamp = now_ns();
    if (!ended_.empty() || ww_rp_request(&session_, &p, tag) != nullptr)
        return nullptr;
    const auto r = std::make_shared<request>();
    const bool waits = ww_rp_wants_response(&session_, &p);
    if (waits)
        waiting_[tag] = r;
    send(p);
    while (waits && !r->there && ended_.empty())
        wait(r->done);
    return (waits ? r->there : ended_.empty()) ? r : nullptr;
}

void remote_port_peer::access(uint32_t stream, tlm::tlm_generic_payload &t, bool physical)
{
    ww_rp_packet p{};
    p.cmd = t.is_read() ? WW_RP_READ : WW_RP_WRITE;
    p.dev = stream;
    p.address = t.get_address();
    p.length = t.get_data_length();
    p.stream_width = t.get_streaming_width();
    p.master_id = stream;
    p.attributes = physical ? WW_RP_BUS_PHYSICAL : 0;
    p.data = t.is_write() ? t.get_data_ptr() : nullptr;
    p.enable = t.get_byte_enable_ptr();
    p.enables = p.enable == nullptr ? 0 : t.get_byte_enable_length();
    t.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    if ((!t.is_read() && !t.is_write()) || p.length == 0 || p.length > WW_RP_DATA_MAX || p.enables > p.length)
        t.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    else if (p.enables != 0 && session_.greeted &&
             (session_.peer_caps & WW_RP_CAP_BIT(WW_RP_CAP_BYTE_ENABLES)) == 0)
        t.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    else if (const request_ptr r = ask(p); r != nullptr && (t.is_write() || r->answer.length == p.length)) {
        const uint32_t status = ww_rp_status(&r->answer);
        for (unsigned i = 0; t.is_read() && status == WW_RP_STATUS_OK && i < t.get_data_length(); ++i)
            if (p.enables == 0 || t.get_byte_enable_ptr()[i % p.enables] != 0)
                t.get_data_ptr()[i] = r->answer.data[i];
        t.set_response_status(status == WW_RP_STATUS_OK        ? tlm::TLM_OK_RESPONSE
                              : status == WW_RP_STATUS_ADDRESS ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                                               : tlm::TLM_GENERIC_ERROR_RESPONSE);
    }
}

remote_translation remote_port_peer::translate(uint32_t stream, uint64_t iova, uint64_t wanted)
{
    ww_rp_packet p{};
    p.cmd = WW_RP_ATS_REQ;
    p.dev = stream;
    p.address = iova;
    p.attributes = wanted;
    const request_ptr r = ask(p);
    if (r == nullptr || r->answer.result != 0)
        return {false, 0, 0, 0};
    return {true, r->answer.address, r->answer.length, r->answer.attributes & wanted};
}

bool remote_port_peer::invalidate(uint32_t stream, uint64_t iova, uint64_t length)
{
    ww_rp_packet p{};
    p.cmd = WW_RP_ATS_INV;
    p.dev = stream;
    p.address = iova;
    p.length = length;
    const request_ptr r = ask(p);
    return r != nullptr && r->answer.result == 0;
}

bool remote_port_peer::interrupt(uint32_t stream, uint32_t line, bool value)
{
    ww_rp_packet p{};
    p.cmd = WW_RP_INTERRUPT;
    p.dev = stream;
    p.line = line;
    p.value = value ? 1 : 0;
    return ask(p) != nullptr;
}

bool remote_port_peer::sync(uint32_t stream)
{
    ww_rp_packet p{};
    p.cmd = WW_RP_SYNC;
    p.dev = stream;
    return ask(p) != nullptr;
}

} // namespace walkway
