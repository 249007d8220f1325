/* SPDX-License-Identifier: MIT */
/* platforms/machine.cpp - the run of a machine, and its observers. */
#include "platforms/machine.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace walkway
{

machine::machine(parts p)
    : world_(std::move(p.world)), top_(std::move(p.top)), blocks_(top_->blocks()),
      instructions_(counters_of(progress_unit::instructions)),
      translations_(counters_of(progress_unit::translations))
{
    for (block *b : blocks_)
        if (auto *work = dynamic_cast<work_source *>(b))
            work_ = work;
    if (work_ == nullptr)
        throw std::logic_error(std::string(top_->name()) + ": no block has work for the others");
}

std::vector<link_info> machine::links()
{
    if (!sc_core::sc_start_of_simulation_invoked())
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const auto named = [](const block &b, const std::string &port) {
        const std::string name = b.name();
        return name.substr(name.find('.') + 1) + "." + port; /* "top.iommu" without the top */
    };
    std::vector<link_info> all;
    for (const machine_link &l : top_->links()) {
        link_info info{named(l.from->owner(), l.from->port()), "", l.from->protocol(), 0, 0};
        if (l.to != nullptr) {
            info.to = named(l.to->owner(), l.to->port());
            info.wire_slots = l.to->wire();
            info.queue_slots = l.to->slots() - l.to->wire();
        }
        all.push_back(info);
    }
    return all;
}

machine::counters machine::counters_of(progress_unit unit) const
{
    counters all;
    for (const block *b : blocks_)
        if (const uint64_t *c = b->progress(unit))
            all.push_back(c);
    return all;
}

void machine::record(const wave_plan &plan)
{
    waves_ = std::make_unique<wave_recorder>(blocks_, plan);
}

void machine::finish_record()
{
    if (waves_ != nullptr)
        waves_->finish(scheduler::here()->now());
    waves_ = nullptr;
}

void machine::follow(const transaction_plan &plan)
{
    followed_ = std::make_unique<transaction_recorder>(plan, blocks_, cycle_ps());
}

void machine::follow_counter(const std::string &name, uint64_t from_ps, const std::string &value)
{
    if (followed_ != nullptr)
        followed_->counter(name, from_ps, value);
}

transaction_counts machine::finish_follow(bool partial)
{
    if (followed_ == nullptr)
        return {};
    const std::unique_ptr<transaction_recorder> last = std::move(followed_);
    return last->finish(scheduler::here()->now(), partial);
}

/* Simulates until 10 us after the next event, but not beyond the opening of a waveform's window or the end of
 * a step. Without foreign processes the blocks may run ahead up to that time. A block's report on an illegal
 * trace becomes an exception for the caller. */
void machine::advance()
{
    constexpr tick slice = 10000000;
    const tick here = simulation_time();
    if (waves_ != nullptr && waves_->opens() <= here)
        waves_->open();
    const tick opens = waves_ == nullptr ? never : waves_->opens() - here;
    const tick step = step_ends_ == never ? never : step_ends_ + 1 - here;
    const time_scale &scale = scheduler::here()->scale();
    const tick gap = sc_core::sc_pending_activity() ? scale.ticks(sc_core::sc_time_to_pending_activity()) : 0;
    const tick way = std::min({opens, step, gap + slice});
    if (top_->by_itself())
        scheduler::here()->run_ahead(here + way);
    try {
        sc_core::sc_start(scale.time(way)); /* advances by all of `way`, even without an event */
    } catch (const sc_core::sc_report &r) {
        if (std::strcmp(r.get_msg_type(), "/walkway/trace") == 0)
            throw std::runtime_error(r.get_msg());
        throw;
    }
    scheduler::here()->run_ahead(0);
}

void machine::start_at(const start_point &point)
{
    from_ = &point;
    top_->start_at(point);
}

run_end machine::run(const progress_fn &progress)
{
    using host_clock = std::chrono::steady_clock;
    auto reported = host_clock::now();
    bool asked_to_stop = false;
    if (windowed() && window_.warm_up.count != 0)
        wait_for(window_.warm_up.unit, window_.warm_up.count);
    else if (windowed())
        open_window();
    else
        begin_steps();
    while (!work_->done() && !asked_to_stop) {
        advance();
        now_ = scheduler::here()->now();
        if (!work_->done() && windowed() && watch_->reached() && turn_window())
            return close_window(run_end::measured);
        if (!work_->done())
            turn_step();
        if (!work_->done() && !sc_core::sc_pending_activity())
            return cut(run_end::deadlock);
        const auto here = host_clock::now();
        if (!progress || here - reported < std::chrono::milliseconds(100))
            continue;
        reported = here;
        asked_to_stop =
            !progress(run_progress{work_->groups_done(), work_->groups_total(), now_, total(translations_)});
    }
    if (asked_to_stop)
        return cut(run_end::stopped);
    /* Write-backs and prefetches may be in flight. */
    while (sc_core::sc_pending_activity() && !stuck().empty())
        advance();
    now_ = work_->ended();
    return close_window(run_end::complete);
}

/* Ends the run before its work is done: the counts up to the present time are the result. */
run_end machine::cut(run_end end)
{
    cut_ = true;
    halted_ = true;
    return close_window(end);
}

std::string machine::stuck() const
{
    std::string text;
    for (const block *b : blocks_) {
        const std::string waits = b->waiting();
        if (!waits.empty())
            text += std::string(b->name()) + ": " + waits + "\n";
    }
    return text;
}

} // namespace walkway
