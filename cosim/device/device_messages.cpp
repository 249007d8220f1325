/* SPDX-License-Identifier: MIT */
/* device/device_messages.cpp - see device_messages.hpp. */
#include "device/device_messages.hpp"

#include <algorithm>

namespace walkway
{

using sc_core::sc_time_stamp;

void device_messages::message::begin(const access_attributes &a, uint64_t address)
{
    who.of = a;
    p.set_command(tlm::TLM_IGNORE_COMMAND);
    p.set_address(address);
    p.set_data_ptr(nullptr);
    p.set_data_length(0);
    p.set_streaming_width(0);
    p.set_byte_enable_ptr(nullptr);
    p.set_dmi_allowed(false);
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    p.set_extension(&who);
}

/* Removes the extensions: the payload must not free them. */
void device_messages::message::end()
{
    p.clear_extension<attributes_extension>();
    p.clear_extension<invalidation_extension>();
    p.clear_extension<page_response_extension>();
}

void device_messages::start(std::vector<target *> invalidates, std::vector<target *> responses,
                            std::function<void(const awaited &)> late, std::function<void()> settled)
{
    for (target *t : invalidates)
        invalidates_.push_back({t, 0});
    for (target *t : responses)
        responses_.push_back({t, 0});
    late_ = std::move(late);
    settled_ = std::move(settled);
    sc_core::sc_spawn_options how;
    how.spawn_method();
    how.dont_initialize();
    how.set_sensitivity(&deadline_);
    sc_core::sc_spawn([this] { look_at_deadlines(); }, sc_core::sc_gen_unique_name("deadlines"), &how);
}

/* A call that has not returned. Its destructor also runs if the process of the call is killed. */
class device_messages::call
{
public:
    call(device_messages &all, line &to, message &m) : all_(all), to_(to), message_(m) {}
    ~call()
    {
        --to_.calls;
        message_.end();
        all_.messages_.give(message_);
    }
    call(const call &) = delete;
    call &operator=(const call &) = delete;

private:
    device_messages &all_;
    line &to_;
    message &message_;
};

/* Sends from a process of its own. Calls done(response is OK) at the time that the device annotates. */
template <class Done> void device_messages::send(line &to, message &m, const sc_core::sc_time &at, Done done)
{
    ++to.calls;
    sc_core::sc_spawn(
        [this, &to, &m, at, done] {
            sc_core::sc_time delay = at > sc_time_stamp() ? at - sc_time_stamp() : sc_core::SC_ZERO_TIME;
            bool ok = false;
            {
                const call c(*this, to, m);
                to.to->b_transport(m.p, delay);
                ok = m.p.is_response_ok();
            }
            if (delay != sc_core::SC_ZERO_TIME)
                sc_core::wait(delay);
            done(ok);
        },
        sc_core::sc_gen_unique_name("message"));
}

void device_messages::invalidate(unsigned port, const access_attributes &who, const device_invalidation &what,
                                 const sc_core::sc_time &at, const sc_core::sc_time &time_out,
                                 uint64_t command_pa)
{
    const uint64_t number = ++numbers_;
    open_.push_back({who.stream_id, command_pa, at + time_out, number});
    next_deadline();
    line &to = invalidates_[port];
    if (to.calls >= calls_at_most)
        return;
    message &m = messages_.take();
    m.begin(who, what.first_va);
    m.invalidates.of = what;
    m.p.set_extension(&m.invalidates);
    send(to, m, at, [this, number](bool ok) { /* a refusal completes nothing */
                                              if (ok)
                                                  completed(number);
    });
}

bool device_messages::respond(unsigned port, const access_attributes &who, const page_response &what,
                              const sc_core::sc_time &at)
{
    line &to = responses_[port];
    if (to.calls >= calls_at_most)
        return false;
    message &m = messages_.take();
    m.begin(who, 0);
    m.responds.of = what;
    m.p.set_extension(&m.responds);
    send(to, m, at, [](bool) {});
    return true;
}

unsigned device_messages::open(uint32_t device) const
{
    return static_cast<unsigned>(
        std::count_if(open_.begin(), open_.end(), [device](const awaited &a) { return a.device == device; }));
}

void device_messages::completed(uint64_t number)
{
    const auto it =
        std::find_if(open_.begin(), open_.end(), [number](const awaited &a) { return a.number == number; });
    if (it == open_.end()) /* late, or sent before a reset */
        return;
    open_.erase(it);
    next_deadline();
    settled_();
}

void device_messages::look_at_deadlines()
{
    std::vector<awaited> late;
    const auto kept = std::stable_partition(open_.begin(), open_.end(),
                                            [](const awaited &a) { return a.deadline > sc_time_stamp(); });
    late.assign(kept, open_.end());
    open_.erase(kept, open_.end());
    next_deadline();
    for (const awaited &a : late)
        late_(a);
    if (!late.empty())
        settled_();
}

/* Cancels an outdated notification, which would keep the simulation from ending. */
void device_messages::next_deadline()
{
    deadline_.cancel();
    if (open_.empty())
        return;
    const auto first = std::min_element(open_.begin(), open_.end(), [](const awaited &a, const awaited &b) {
        return a.deadline < b.deadline;
    });
    deadline_.notify(first->deadline > sc_time_stamp() ? first->deadline - sc_time_stamp()
                                                       : sc_core::SC_ZERO_TIME);
}

void device_messages::reset()
{
    open_.clear();
    next_deadline();
}

} // namespace walkway
