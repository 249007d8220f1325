/* SPDX-License-Identifier: MIT */
/* device/at_agenda.hpp - timed actions of a device with four phases: in order of time, then of scheduling,
 * run by one process of its own and never within a foreign call. */
#ifndef WALKWAY_DEVICE_AT_AGENDA_HPP
#define WALKWAY_DEVICE_AT_AGENDA_HPP

#ifndef SC_INCLUDE_DYNAMIC_PROCESSES
#define SC_INCLUDE_DYNAMIC_PROCESSES
#endif
#include <systemc>

#include <algorithm>
#include <deque>
#include <functional>
#include <vector>

namespace walkway
{

class at_agenda
{
public:
    /* Runs `what` at t, which is not past; for t = now, as soon as the present calls have returned. */
    void at(const sc_core::sc_time &t, std::function<void()> what)
    {
        if (t <= sc_core::sc_time_stamp()) {
            now_.push_back(std::move(what));
            if (!working_)
                due_.notify(sc_core::SC_ZERO_TIME);
            return;
        }
        later_.push_back({t, ++asked_, std::move(what)});
        std::push_heap(later_.begin(), later_.end());
        if (!working_ && later_.front().number == asked_)
            due_.notify(t - sc_core::sc_time_stamp());
    }

    void start() /* call at the end of elaboration */
    {
        sc_core::sc_spawn_options how;
        how.spawn_method();
        how.dont_initialize();
        how.set_sensitivity(&due_);
        sc_core::sc_spawn([this] { work(); }, sc_core::sc_gen_unique_name("agenda"), &how);
    }

private:
    struct entry {
        sc_core::sc_time at;
        uint64_t number;
        std::function<void()> what;
        /* A heap has its last element first. */
        bool operator<(const entry &o) const { return at != o.at ? at > o.at : number > o.number; }
    };

    /* Runs actions scheduled before this time, then those scheduled at it. */
    void work()
    {
        working_ = true;
        while (!later_.empty() && later_.front().at <= sc_core::sc_time_stamp()) {
            std::pop_heap(later_.begin(), later_.end());
            const std::function<void()> what = std::move(later_.back().what);
            later_.pop_back();
            what();
        }
        while (!now_.empty()) {
            const std::function<void()> what = std::move(now_.front());
            now_.pop_front();
            what();
        }
        working_ = false;
        if (!later_.empty())
            due_.notify(later_.front().at - sc_core::sc_time_stamp());
    }

    std::vector<entry> later_;
    std::deque<std::function<void()>> now_;
    uint64_t asked_ = 0;
    bool working_ = false;
    sc_core::sc_event due_;
};

} // namespace walkway

#endif
