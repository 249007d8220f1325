/* SPDX-License-Identifier: MIT */
/* platforms/machine_steps.cpp - reports a run in steps (platforms/run_steps.hpp). A step is the difference of
 * the plan's statistics at two edges; the blocks are unaware of it. A step in cycles ends after all actions
 * at its last clock edge, a step in counts at the first edge at which the count is reached. With a window the
 * steps begin and end with it. */
#include "platforms/machine.hpp"

#include <algorithm>

namespace walkway
{

namespace
{

/* Some signals of one block. */
struct signal_source {
    const block *of;
    size_t signals;                                /* number of the block's signals */
    std::vector<std::pair<size_t, size_t>> wanted; /* index in the block, index among all wanted */
};

std::vector<signal_source> sources_of(const std::vector<block *> &blocks,
                                      const std::vector<std::string> &wanted)
{
    std::vector<signal_source> all;
    for (block *b : blocks) {
        const std::vector<signal_info> list = signals_of(std::vector<block *>{b});
        signal_source source = {b, list.size(), {}};
        for (size_t i = 0; i < list.size(); ++i) {
            const auto at = std::find(wanted.begin(), wanted.end(), list[i].name);
            if (at != wanted.end())
                source.wanted.emplace_back(i, static_cast<size_t>(at - wanted.begin()));
        }
        if (!source.wanted.empty())
            all.push_back(source);
    }
    return all;
}

void read(const signal_source &source, std::vector<uint64_t> &values)
{
    std::vector<uint64_t> seen(source.signals);
    std::vector<signal_change> changed(source.signals);
    signal_visitor v(seen.data(), changed.data(), signal_ask::all);
    source.of->signals(v);
    for (const auto &[signal, place] : source.wanted)
        values[place] = seen[signal];
}

} // namespace

struct machine::steps {
    step_plan plan;
    std::vector<signal_source> sources;
    std::unique_ptr<stat_snapshot> counted; /* at the last edge */
    window_edge edge;
    tick at = 0;
    uint64_t begun = 0; /* count of the plan's unit at the beginning of the first step */
    bool told = false;
};

std::vector<std::string> machine::flows() const
{
    std::vector<std::string> names;
    for (const window_flow &f : edge().flows)
        names.emplace_back(f.name);
    return names;
}

void machine::tell_steps(const step_plan &plan)
{
    steps_ = std::make_shared<steps>();
    steps_->plan = plan;
    steps_->sources = sources_of(blocks_, plan.signals);
    if (plan.every.unit != window_unit::cycles)
        watch();
}

void machine::begin_steps()
{
    if (steps_ == nullptr)
        return;
    steps_->counted = std::make_unique<stat_snapshot>();
    visit_groups(*steps_->counted, &steps_->plan.groups);
    steps_->edge = edge();
    steps_->at = now_;
    if (steps_->plan.every.unit != window_unit::cycles)
        steps_->begun = count_of(steps_->plan.every.unit);
    next_step();
}

void machine::next_step()
{
    const window_bound &every = steps_->plan.every;
    if (every.unit == window_unit::cycles) {
        step_ends_ = now_ + top_->clock().cycles(every.count);
        return;
    }
    const uint64_t done = (count_of(every.unit) - steps_->begun) / every.count;
    const auto count = [this, unit = every.unit] { return count_of(unit); };
    watch_->stop_when(count, steps_->begun + (done + 1) * every.count, window_watch::step_of_run);
}

/* Reports the step and begins the next one, if the present time is its end. */
void machine::turn_step()
{
    if (step_ends_ != never && simulation_time() > step_ends_)
        now_ = step_ends_;
    else if (step_ends_ != never || watch_ == nullptr || !watch_->reached(window_watch::step_of_run))
        return;
    tell_step();
    next_step();
}

void machine::tell_step()
{
    auto counted = std::make_unique<stat_snapshot>();
    visit_groups(*counted, &steps_->plan.groups);
    const window_edge to = edge();
    std::vector<uint64_t> signals(steps_->plan.signals.size(), 0);
    for (const signal_source &source : steps_->sources)
        read(source, signals);
    const std::function<void(stat_visitor &)> difference = [&](stat_visitor &v) {
        counted->since(*steps_->counted, v);
    };
    steps_->plan.row({steps_->edge, to, difference, signals});
    steps_->counted = std::move(counted);
    steps_->edge = to;
    steps_->at = now_;
    steps_->told = true;
}

/* Reports the remainder as a step. It is left out if it has no time (a run may be interrupted between steps),
 * unless it is the only step. */
void machine::end_steps()
{
    if (steps_ == nullptr || steps_->counted == nullptr)
        return;
    if (!steps_->told || now_ != steps_->at)
        tell_step();
    step_ends_ = never;
    if (watch_ != nullptr)
        watch_->forget(window_watch::step_of_run);
    steps_->counted = nullptr;
}

} // namespace walkway
