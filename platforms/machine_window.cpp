/* SPDX-License-Identifier: MIT */
/* platforms/machine_window.cpp - a run of which only a window counts. The window's statistics are the
 * differences of the run's at its two edges; blocks count on as if there were none. After the window, waves
 * issue nothing more and requests in flight complete, uncounted. So every law of a whole run applies, with
 * the resident waves as a term. Another law balances the requests in flight at the edges with the counts. */
#include "platforms/machine.hpp"

#include <algorithm>
#include <cstring>

namespace walkway
{

void machine::measure(const run_window &window)
{
    window_ = window;
    if (windowed())
        watch();
}

/* Makes the watch, once for all bounds. */
void machine::watch()
{
    if (watch_ == nullptr)
        watch_ = std::make_unique<window_watch>("window_watch", top_->clock());
}

uint64_t machine::count_of(window_unit unit) const
{
    switch (unit) {
    case window_unit::instructions:
        return total(instructions_);
    case window_unit::translations:
        return total(translations_);
    case window_unit::groups:
        return work_->groups_done();
    case window_unit::cycles:
        break;
    }
    return top_->clock().ceil_cycle(watch_->now());
}

/* Stops at this count of the unit since time zero. */
void machine::wait_for(window_unit unit, uint64_t count)
{
    if (unit == window_unit::cycles)
        watch_->stop_at(top_->clock().cycles(count));
    else
        watch_->stop_when([this, unit] { return count_of(unit); }, count);
}

window_edge machine::edge() const
{
    window_edge e;
    e.cycles = all_cycles();
    e.instructions = total(instructions_);
    e.translations = total(translations_);
    e.groups = work_->groups_done();
    std::vector<block_flow> flows;
    for (const block *b : blocks_)
        b->flows(flows, now_);
    for (const block_flow &f : flows) {
        const auto same = [&f](const window_flow &of) { return std::strcmp(of.name, f.name) == 0; };
        auto it = std::find_if(e.flows.begin(), e.flows.end(), same);
        if (it == e.flows.end())
            it = e.flows.insert(it, window_flow{f.name, 0, 0, 0});
        it->begun += f.begun;
        it->ended += f.ended;
        it->inside += f.inside;
    }
    return e;
}

void machine::open_window()
{
    for (block *b : blocks_)
        b->restart_peaks();
    opened_ = std::make_unique<stat_snapshot>();
    visit_all(*opened_);
    report_.opened = true;
    report_.open = edge();
    opened_at_ = now_;
    begin_steps();
    /* If both bounds have one unit, counts from where the warm-up should have ended, though it may have ended
     * later, so that consecutive windows adjoin. */
    const window_bound &before = window_.warm_up, &more = window_.measure;
    if (more.count != 0)
        wait_for(more.unit, more.count + (before.unit == more.unit ? before.count : count_of(more.unit)));
}

/* Called at the time set by wait_for(). Opens the window, or returns true if it is full. */
bool machine::turn_window()
{
    if (opened_ != nullptr)
        return window_.measure.count != 0;
    open_window();
    return false;
}

run_end machine::close_window(run_end end)
{
    if (windowed() && opened_ == nullptr && end == run_end::stopped)
        open_window(); /* of length zero: nothing was measured */
    end_steps();
    if (opened_ == nullptr)
        return end;
    halted_ = end != run_end::complete || from_ != nullptr;
    report_.full = end == run_end::measured;
    closed_ = std::make_unique<stat_snapshot>();
    visit_all(*closed_);
    report_.close = edge();
    if (end == run_end::measured)
        drain();
    return end;
}

void machine::drain()
{
    const tick closed = now_;
    for (block *b : blocks_)
        b->halt();
    while (sc_core::sc_pending_activity())
        advance();
    now_ = closed;
}

void machine::visit(stat_visitor &v) const
{
    if (closed_ != nullptr)
        closed_->since(*opened_, v);
    else
        visit_all(v);
}

/* In flight at the opening + begun = ended + in flight at the closing. Begun and ended are statistics, in
 * flight is counted from the blocks' pools. */
void machine::window_laws(std::vector<law> &laws) const
{
    if (closed_ == nullptr)
        return;
    for (size_t i = 0; i < report_.open.flows.size(); ++i) {
        const window_flow &a = report_.open.flows[i], &b = report_.close.flows[i];
        laws.push_back({std::string("window: ") + a.name +
                            " in flight as it opens + begun = ended + in flight as it closes",
                        a.inside + (b.begun - a.begun), (b.ended - a.ended) + b.inside, ""});
    }
}

} // namespace walkway
