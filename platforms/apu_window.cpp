/* SPDX-License-Identifier: MIT */
/* platforms/apu_window.cpp - a run of which only a stretch counts. Statistics are taken at its two edges and
 * shown as their difference; the blocks know nothing of it. When the measure is full the waves issue no more
 * and what is under way ends, uncounted, so that every law of a whole run can be asked of this one, with the
 * resident waves as a term; and what was in flight at the two edges balances what the window counted. */
#include "platforms/apu.hpp"

namespace walkway
{

void apu::measure(const run_window &window)
{
    window_ = window;
    if (window.any())
        watch_ = std::make_unique<window_watch>("window_watch", top_->gpu_clock);
}

uint64_t apu::count_of(window_unit unit) const
{
    switch (unit) {
    case window_unit::instructions:
        return all_instructions();
    case window_unit::translations:
        return all_translations();
    case window_unit::groups:
        return top_->dispatcher.groups_done();
    case window_unit::cycles:
        break;
    }
    return top_->gpu_clock.ceil_cycle(watch_->now());
}

/* Until so much has happened since time zero. */
void apu::wait_for(window_unit unit, uint64_t count)
{
    if (unit == window_unit::cycles)
        watch_->stop_at(top_->gpu_clock.cycles(count));
    else
        watch_->stop_when([this, unit] { return count_of(unit); }, count);
}

uint64_t apu::all_instructions() const
{
    uint64_t n = 0;
    for (const auto &c : top_->cu)
        n += c->stats().instructions;
    return n;
}

window_edge apu::edge() const
{
    window_edge e;
    e.cycles = all_cycles();
    e.instructions = all_instructions();
    e.translations = all_translations();
    e.groups = top_->dispatcher.groups_done();
    const compute_unit_stats cu = cu_stats();
    const coalescer_stats co = coalescer_stats_sum();
    const iommu_stats &io = top_->iommu.stats();
    uint64_t translating = 0;
    for (const auto &c : top_->coalescer)
        translating += c->translating();
    e.flows = {window_flow{"waves", cu.waves, cu.waves_done, waves_resident()},
               {"translations", co.translations, co.answered, translating},
               {"walks", io.tlb_misses, io.responses - io.tlb1_hits - io.tlb2_hits, top_->iommu.missing()},
               {"memory_reads", top_->dram.stats().reads, top_->dram.column_reads(memory_end()),
                top_->dram.in_flight()}};
    return e;
}

void apu::open_window()
{
    halted_ = true;                   /* for the clock's reading */
    top_->dram.catch_up_before(now_); /* its answers count in caches and TLBs: before any of these is read */
    top_->iommu.finish(now_);
    top_->iommu.restart_peaks();
    opened_ = std::make_unique<stat_snapshot>();
    visit_all(*opened_);
    report_.opened = true;
    report_.open = edge();
    opened_at_ = now_;
    halted_ = false;
    /* Where a warm-up of both would open, also when this one opened late: windows side by side adjoin. */
    const window_bound &before = window_.warm_up, &more = window_.measure;
    if (more.count != 0)
        wait_for(more.unit, more.count + (before.unit == more.unit ? before.count : count_of(more.unit)));
}

/* At the moment that was waited for; true when the window is full. */
bool apu::turn_window()
{
    if (opened_ != nullptr)
        return window_.measure.count != 0;
    open_window();
    return false;
}

run_end apu::close_window(run_end end)
{
    top_->dram.catch_up_before(now_);
    if (watch_ == nullptr)
        return end;
    if (opened_ == nullptr && end == run_end::stopped)
        open_window(); /* of length zero: nothing was measured */
    if (opened_ == nullptr)
        return end;
    halted_ = end != run_end::complete;
    report_.full = end == run_end::measured;
    top_->iommu.finish(now_);
    closed_ = std::make_unique<stat_snapshot>();
    visit_all(*closed_);
    report_.close = edge();
    if (end == run_end::measured)
        drain();
    return end;
}

void apu::drain()
{
    const tick closed = now_;
    top_->dispatcher.halt();
    for (const auto &c : top_->cu)
        c->halt();
    while (sc_core::sc_pending_activity())
        advance();
    now_ = closed;
}

void apu::visit(stat_visitor &v) const
{
    if (closed_ != nullptr)
        closed_->since(*opened_, v);
    else
        visit_all(v);
}

/* What was in flight when it opened and what began in it = what ended in it and what is in flight as it
 * closes: the counts by the statistics, what is in flight by the blocks' pools. */
std::vector<law> apu::window_laws() const
{
    if (closed_ == nullptr)
        return {};
    std::vector<law> laws;
    for (size_t i = 0; i < report_.open.flows.size(); ++i) {
        const window_flow &a = report_.open.flows[i], &b = report_.close.flows[i];
        laws.push_back({std::string("window: ") + a.name +
                            " in flight as it opens + begun = ended + in flight as it closes",
                        a.inside + (b.begun - a.begun), (b.ended - a.ended) + b.inside, ""});
    }
    return laws;
}

} // namespace walkway
