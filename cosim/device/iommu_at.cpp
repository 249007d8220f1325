/* SPDX-License-Identifier: MIT */
/* device/iommu_at.cpp - see iommu_at.hpp. */
#ifndef SC_INCLUDE_DYNAMIC_PROCESSES
#define SC_INCLUDE_DYNAMIC_PROCESSES
#endif
#include "device/iommu_at.hpp"

#include "device/at_payload.hpp"

#include <algorithm>
#include <cstring>

namespace walkway
{

using sc_core::sc_time_stamp;

/* Lists the devices whose own accesses (walks, commands, logs) caused a transaction of the walker. If it
 * entered such a device again from above, it would wait for itself. Walks of other devices may pass here. */
class iommu_at::of_walk final : public tlm::tlm_extension<of_walk>
{
public:
    std::vector<const iommu_at *> walkers;

    tlm::tlm_extension_base *clone() const override { return new of_walk(*this); }
    void copy_from(const tlm::tlm_extension_base &from) override
    {
        walkers = static_cast<const of_walk &>(from).walkers;
    }
};

std::vector<const iommu_at *> iommu_at::walkers_of(const payload &p)
{
    const of_walk *w = p.get_extension<of_walk>();
    return w == nullptr ? std::vector<const iommu_at *>() : w->walkers;
}

/* Waits for a transaction of the walker. This object may be destroyed before the answer arrives. */
class iommu_at::reading
{
public:
    reading(at_link::transaction &t, sc_core::sc_event &read) : t_(t), read_(read)
    {
        t.answered = [this] {
            done_ = true;
            read_.notify();
        };
    }
    ~reading()
    {
        t_.answered = [] {};
        t_.release();
    }
    reading(const reading &) = delete;
    reading &operator=(const reading &) = delete;
    void wait() const
    {
        while (!done_)
            sc_core::wait(read_);
    }

private:
    at_link::transaction &t_;
    sc_core::sc_event &read_;
    bool done_ = false;
};

iommu_at::iommu_at(iommu_core &core, unsigned ports) : core_(core), walker_(agenda_)
{
    for (unsigned i = 0; i < ports; ++i)
        ports_.emplace_back(agenda_);
}

void iommu_at::start()
{
    for (unsigned i = 0; i < ports_.size(); ++i)
        ports_[i].down.start(core_.to_.down[i], [this, i] { go_on(i); });
    walker_.start(core_.to_.walker, {});
    agenda_.start();
    sc_core::sc_spawn([this] { walk_all(); }, "walks");
}

tick iommu_at::now() const
{
    return core_.scale_.ticks(sc_time_stamp());
}

/* ---- From above ---- */

tlm::tlm_sync_enum iommu_at::nb_transport_fw(unsigned port, payload &p, const tlm::tlm_phase &phase,
                                             const sc_core::sc_time &delay)
{
    if (phase == tlm::BEGIN_REQ) {
        if (!acquired(p))
            return tlm::TLM_COMPLETED;
        access &a = accesses_.take();
        a.p = &p;
        a.port = port;
        a.split = a.asks = false;
        later(a, doing::arriving, sc_time_stamp() + delay);
        return tlm::TLM_ACCEPTED;
    }
    access *last = ports_[port].answering;
    if (phase != tlm::END_RESP || last == nullptr || last->p != &p || last->now != doing::answering)
        return tlm::TLM_ACCEPTED;
    over(*last, delay);
    return tlm::TLM_COMPLETED;
}

void iommu_at::later(access &a, doing what, const sc_core::sc_time &due)
{
    a.now = what;
    a.due = due;
    agenda_.at(due, [this, &a] { wake(a); });
}

/* Called at a.due, and at former values of a.due. */
void iommu_at::wake(access &a)
{
    if (a.due > sc_time_stamp())
        return;
    switch (a.now) {
    case doing::arriving:
        a.now = doing::asking;
        ports_[a.port].asked.push_back(&a);
        core_.stats_.requests_held += ports_[a.port].under_way >= core_.params_.accesses_per_port;
        admit(a.port);
        break;
    case doing::taken:
        look(a);
        break;
    case doing::looking:
        look_up(a);
        break;
    case doing::ready:
        go_on(a.port);
        break;
    case doing::refused:
        a.now = doing::answering;
        ports_[a.port].answers.push_back(&a);
        respond(a.port);
        break;
    case doing::ending:
        end(a);
        break;
    default: /* another event continues it */
        break;
    }
}

/* Sends END_REQ while there is room. */
void iommu_at::admit(unsigned port)
{
    port_state &s = ports_[port];
    while (!s.asked.empty() && s.under_way < core_.params_.accesses_per_port) {
        if (s.free_at > sc_time_stamp()) {
            agenda_.at(s.free_at, [this, port] { admit(port); });
            return;
        }
        access &a = *s.asked.front();
        s.asked.pop_front();
        ++s.under_way;
        const clock_domain clock(core_.params_.clock_ps);
        s.free_at = core_.scale_.time(clock.ceil(now()) + clock.cycles(core_.params_.request_cycles));
        s.order.push_back(&a);
        tlm::tlm_phase phase = tlm::END_REQ;
        sc_core::sc_time none;
        core_.to_.up[port]->nb_transport_bw(*a.p, phase, none);
        look(a);
    }
}

/* ---- Translation ---- */

void iommu_at::look(access &a)
{
    a.passes = !core_.enabled() && !core_.asks(a.port, *a.p);
    if (a.passes) {
        later(a, doing::ready, sc_time_stamp());
        return;
    }
    a.who = core_.access_of(a.port, *a.p);
    a.asks = a.who.type == address_type::translation_request;
    const tlm::tlm_response_status illegal = a.asks ? tlm::TLM_OK_RESPONSE : burst::refusal(*a.p);
    if (illegal != tlm::TLM_OK_RESPONSE)
        a.p->set_response_status(illegal);
    if (illegal != tlm::TLM_OK_RESPONSE || (a.asks && !core_.begin_request(*a.p, &a.who))) {
        leave_order(a);
        later(a, doing::refused, sc_time_stamp());
        return;
    }
    a.pages.start(*a.p);
    if (a.asks)
        core_.note_request(a.port, a.who);
    else if (static_cast<dmi_policy>(core_.params_.dmi) != dmi_policy::off)
        core_.note_context(a.port, a.who);
    look_up(a);
}

void iommu_at::look_up(access &a)
{
    device_answer x;
    a.who.va = a.pages.va();
    if (core_.xlat_.hit(a.who, now(), &x)) {
        found(a, x);
    } else if (const auto in = walkers_of(*a.p); std::find(in.begin(), in.end(), this) != in.end()) {
        x = {};
        x.fault = device_fault::memory;
        x.at = now();
        found(a, x);
    } else {
        a.now = doing::walking;
        misses_.push_back(&a);
        missed_.notify(sc_core::SC_ZERO_TIME);
    }
}

/* Takes the answer for the next page. */
void iommu_at::found(access &a, const device_answer &x)
{
    if (a.asks) {
        a.got = x;
        later(a, doing::ready, core_.scale_.time(x.at));
        return;
    }
    if (x.fault != device_fault::none) {
        leave_order(a);
        iommu_core::refuse(*a.p, x);
        later(a, doing::refused, core_.scale_.time(x.at));
        return;
    }
    a.pages.add(x.xlat);
    a.message = x.message;
    if (!a.pages.known() && !a.split) {
        a.split = true;
        ++core_.stats_.bursts_split;
    }
    later(a, a.pages.known() ? doing::ready : doing::looking, core_.scale_.time(x.at));
}

/* Answers a translation request that is first in its port's order. */
void iommu_at::answer(access &a)
{
    port_state &s = ports_[a.port];
    leave_order(a);
    core_.stats_.translations_given += iommu_core::answer_request(*a.p, a.got);
    a.now = doing::answering;
    s.answers.push_back(&a);
    respond(a.port);
}

/* Translates again the answers that are not sent: after an invalidate a device must not get an old one. */
void iommu_at::ask_again(unsigned port)
{
    port_state &s = ports_[port];
    const auto asks = [](const access *a) { return a->asks && a->p->is_response_ok(); };
    for (access *a : s.answers)
        if (asks(a)) {
            ++core_.stats_.translated_again;
            s.order.push_back(a);
            later(*a, doing::taken, sc_time_stamp());
        }
    s.answers.erase(std::remove_if(s.answers.begin(), s.answers.end(), asks), s.answers.end());
}

/* The process that performs the walks. */
void iommu_at::walk_all()
{
    if (walking_ != nullptr) /* the process was reset during a walk */
        misses_.push_front(walking_);
    for (;;) {
        while (misses_.empty())
            sc_core::wait(missed_);
        walking_ = misses_.front();
        misses_.pop_front();
        restart_ = false;
        walking_->who.va = walking_->pages.va();
        const device_access who = walking_->who;
        const device_answer x = core_.walk(who, now());
        if (walking_ == nullptr) /* refused meanwhile */
            continue;
        access &a = *walking_;
        walking_ = nullptr;
        if (restart_)
            later(a, doing::taken, sc_time_stamp());
        else
            found(a, x);
    }
}

void iommu_at::changed()
{
    for (unsigned port = 0; port < ports_.size(); ++port)
        for (access *a : ports_[port].order) {
            if (a->now == doing::walking) {
                restart_ = restart_ || (a == walking_ && a->pages.begun());
                if (a != walking_)
                    a->pages.start(*a->p);
            } else if (a->now == doing::ready || (a->now == doing::looking && a->pages.begun())) {
                ++core_.stats_.translated_again;
                later(*a, doing::taken, sc_time_stamp());
            }
        }
    for (unsigned port = 0; port < ports_.size(); ++port)
        ask_again(port);
}

void iommu_at::refuse_all()
{
    misses_.clear();
    walking_ = nullptr;
    for (unsigned port = 0; port < ports_.size(); ++port) {
        port_state &s = ports_[port];
        ask_again(port);
        const std::deque<access *> all = s.order;
        for (access *a : all) {
            if (a->now == doing::at_memory || a->now == doing::next_part)
                continue;
            leave_order(*a);
            a->p->set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
            if (a->asks)
                iommu_core::refuse_request(*a->p);
            later(*a, doing::refused, sc_time_stamp());
        }
    }
}

/* ---- Below ---- */

tlm::tlm_sync_enum iommu_at::nb_transport_bw(unsigned port, payload &p, tlm::tlm_phase &phase,
                                             const sc_core::sc_time &delay)
{
    return (port < ports_.size() ? ports_[port].down : walker_).nb_transport_bw(p, phase, delay);
}

void iommu_at::leave_order(access &a)
{
    std::deque<access *> &order = ports_[a.port].order;
    order.erase(std::find(order.begin(), order.end(), &a));
    if (!order.empty()) /* the next one may be ready */
        agenda_.at(sc_time_stamp(), [this, port = a.port] { go_on(port); });
}

/* Forwards the accesses of a port in the order of their requests. */
void iommu_at::go_on(unsigned port)
{
    port_state &s = ports_[port];
    while (!s.order.empty()) {
        access &a = *s.order.front();
        if ((a.now != doing::ready && a.now != doing::next_part) || a.due > sc_time_stamp())
            return;
        if (a.asks) {
            answer(a);
            continue;
        }
        if (!s.down.ready())
            return;
        if (a.now == doing::ready) {
            a.number = gone_on_++;
            at_memory_.push_back(&a);
        }
        send_part(a);
    }
}

void iommu_at::send_part(access &a)
{
    port_state &s = ports_[a.port];
    at_link::transaction &t = s.down.take();
    t.set_command(a.p->get_command());
    t.set_gp_option(a.p->get_gp_option());
    if (a.passes) {
        t.set_address(a.p->get_address());
        t.set_data_ptr(a.p->get_data_ptr());
        t.set_data_length(a.p->get_data_length());
        t.set_streaming_width(a.p->get_streaming_width());
        t.set_byte_enable_ptr(a.p->get_byte_enable_ptr());
        t.set_byte_enable_length(a.p->get_byte_enable_length());
    } else {
        a.pages.next(*a.p, t);
        if (a.message.remapped) {
            t.set_address(a.message.pa);
            std::memcpy(t.data, &a.message.data, sizeof a.message.data);
            t.set_data_ptr(t.data);
            t.set_byte_enable_ptr(nullptr);
        }
    }
    for (unsigned i = 0; i < tlm::max_num_extensions(); ++i)
        if (const tlm::tlm_extension_base *e = a.p->get_extension(i))
            if (tlm::tlm_extension_base *copy = e->clone())
                t.set_auto_extension(i, copy);
    t.answered = [this, &a] { part_answered(a); };
    a.part = &t;
    a.now = doing::at_memory;
    if (!more(a))
        s.order.pop_front();
    s.down.send(t);
}

void iommu_at::part_answered(access &a)
{
    port_state &s = ports_[a.port];
    at_link::transaction &t = *a.part;
    const tlm::tlm_response_status status = t.get_response_status();
    const bool hint = t.is_dmi_allowed() && !a.split && core_.would_grant(a.port, *a.p);
    a.p->set_gp_option(t.get_gp_option());
    a.p->update_extensions_from(t);
    t.release();
    if (status > tlm::TLM_INCOMPLETE_RESPONSE && more(a)) {
        a.now = doing::next_part;
        go_on(a.port);
        return;
    }
    if (more(a)) /* the rest is not sent */
        leave_order(a);
    at_memory_.erase(std::find(at_memory_.begin(), at_memory_.end(), &a));
    answered_.notify(sc_core::SC_ZERO_TIME);
    a.p->set_response_status(status);
    a.p->set_dmi_allowed(hint);
    a.now = doing::answering;
    s.answers.push_back(&a);
    respond(a.port);
}

bool iommu_at::transfer(tlm::tlm_command command, uint64_t pa, void *bytes, unsigned size, tick *at,
                        tlm::tlm_response_status *status)
{
    const sc_core::sc_time start = core_.scale_.time(*at);
    if (start > sc_time_stamp())
        sc_core::wait(start - sc_time_stamp());
    at_link::transaction &t = walker_.take();
    if (command == tlm::TLM_WRITE_COMMAND)
        std::memcpy(t.data, bytes, size);
    t.set_command(command);
    t.set_address(pa);
    t.set_data_ptr(t.data);
    t.set_data_length(size);
    t.set_streaming_width(size);
    t.set_byte_enable_ptr(nullptr);
    t.set_byte_enable_length(0);
    auto *w = new of_walk;
    if (walking_ != nullptr)
        w->walkers = walkers_of(*walking_->p);
    w->walkers.push_back(this);
    t.set_auto_extension(w);
    reading r(t, read_);
    walker_.send(t);
    r.wait();
    *at = std::max(*at, now());
    const bool ok = t.is_response_ok();
    *status = t.get_response_status();
    if (ok && command == tlm::TLM_READ_COMMAND)
        std::memcpy(bytes, t.data, size);
    return ok;
}

void iommu_at::drain()
{
    const uint64_t until = gone_on_;
    const auto before = [until](const access *a) { return a->number < until; };
    while (std::any_of(at_memory_.begin(), at_memory_.end(), before))
        sc_core::wait(answered_);
}

/* ---- Answers ---- */

/* Sends one response at a time, in the order in which the answers are known. */
void iommu_at::respond(unsigned port)
{
    port_state &s = ports_[port];
    if (s.answering != nullptr || s.answers.empty())
        return;
    access &a = *s.answers.front();
    s.answers.pop_front();
    s.answering = &a;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    const tlm::tlm_sync_enum status = core_.to_.up[port]->nb_transport_bw(*a.p, phase, delay);
    if (a.now != doing::answering) /* END_RESP arrived within the call */
        return;
    if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP))
        over(a, delay);
}

void iommu_at::over(access &a, const sc_core::sc_time &delay)
{
    later(a, doing::ending, sc_time_stamp() + delay);
}

void iommu_at::end(access &a)
{
    const unsigned port = a.port;
    a.now = doing::ended;
    ports_[port].answering = nullptr;
    --ports_[port].under_way;
    a.p->release();
    accesses_.give(a);
    admit(port);
    respond(port);
}

} // namespace walkway
