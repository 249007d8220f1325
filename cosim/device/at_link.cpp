/* SPDX-License-Identifier: MIT */
/* device/at_link.cpp - see at_link.hpp. */
#include "device/at_link.hpp"

namespace walkway
{

void at_link::start(tlm::tlm_fw_transport_if<> *to, std::function<void()> on_ready)
{
    to_ = to;
    on_ready_ = std::move(on_ready);
}

at_link::transaction &at_link::take()
{
    if (free_.empty())
        free_.push_back(&all_.emplace_back(this));
    transaction &t = *free_.back();
    free_.pop_back();
    t.acquire();
    t.owes_end = false;
    t.set_dmi_allowed(false);
    t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    return t;
}

void at_link::free(payload *p)
{
    p->reset();
    free_.push_back(static_cast<transaction *>(p));
}

void at_link::send(transaction &t)
{
    t.acquire();
    queue_.push_back(&t);
    pump();
}

void at_link::pump()
{
    if (queue_.empty() || requesting_ != nullptr || free_at_ > sc_core::sc_time_stamp())
        return;
    transaction &t = *queue_.front();
    queue_.pop_front();
    requesting_ = &t;
    open_.push_back(&t);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    const tlm::tlm_sync_enum status = to_->nb_transport_fw(t, phase, delay);
    if (std::find(open_.begin(), open_.end(), &t) == open_.end())
        return; /* BEGIN_RESP arrived within the call */
    const bool updated = status == tlm::TLM_UPDATED;
    if (status == tlm::TLM_COMPLETED || (updated && (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP)))
        request_over(t, delay);
    t.owes_end = updated && phase == tlm::BEGIN_RESP;
    if (status == tlm::TLM_COMPLETED || t.owes_end)
        response(t, delay);
}

void at_link::request_over(const payload &p, const sc_core::sc_time &delay)
{
    if (requesting_ != &p)
        return;
    requesting_ = nullptr;
    free_at_ = sc_core::sc_time_stamp() + delay;
    agenda_.at(free_at_, [this] {
        pump();
        if (on_ready_ && ready())
            on_ready_();
    });
}

void at_link::response(transaction &t, const sc_core::sc_time &delay)
{
    open_.erase(std::find(open_.begin(), open_.end(), &t));
    agenda_.at(sc_core::sc_time_stamp() + delay, [this, &t] { finish(t); });
}

void at_link::finish(transaction &t)
{
    if (t.owes_end) {
        tlm::tlm_phase phase = tlm::END_RESP;
        sc_core::sc_time none;
        to_->nb_transport_fw(t, phase, none);
    }
    t.answered();
    t.release();
}

tlm::tlm_sync_enum at_link::nb_transport_bw(payload &p, tlm::tlm_phase &phase, const sc_core::sc_time &delay)
{
    if (phase == tlm::END_REQ)
        request_over(p, delay);
    if (phase != tlm::BEGIN_RESP)
        return tlm::TLM_ACCEPTED;
    const auto known = std::find(open_.begin(), open_.end(), &p);
    if (known == open_.end())
        return tlm::TLM_ACCEPTED;
    transaction &t = **known;
    request_over(t, delay);
    response(t, delay);
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
}

} // namespace walkway
