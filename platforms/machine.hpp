/* SPDX-License-Identifier: MIT */
/* platforms/machine.hpp - all that does not depend on which blocks a machine has: run, windows, deadlock
 * report, waveforms, transactions, progress, statistics, laws. A wiring lists the blocks. */
#ifndef WALKWAY_PLATFORMS_MACHINE_HPP
#define WALKWAY_PLATFORMS_MACHINE_HPP

#include "model/common/snapshot.hpp"
#include "model/common/work_source.hpp"
#include "model/window_watch.hpp"
#include "observe/transactions/recorder.hpp"
#include "observe/waves/recorder.hpp"
#include "platforms/platform.hpp"
#include "platforms/wiring.hpp"

#include <memory>

namespace walkway
{

class machine : public platform
{
public:
    struct parts {
        std::shared_ptr<void> world; /* referenced by the blocks: contents of memory, page tables */
        std::unique_ptr<wiring> top;
    };
    explicit machine(parts p);
    run_end run(const progress_fn &progress) override;
    void visit(stat_visitor &v) const override;
    std::vector<law> laws() const override;
    void measure(const run_window &window) override;
    void tell_steps(const step_plan &plan) override;
    std::vector<std::string> flows() const override;
    void start_at(const start_point &point) override;
    window_report window() const override { return report_; }
    uint64_t now_ps() const override { return now_ - opened_at_; }
    uint64_t cycles() const override { return all_cycles() - report_.open.cycles; }
    uint64_t translations() const override
    {
        /* without those that end while a window drains */
        return (closed_ != nullptr ? report_.close.translations : total(translations_)) -
               report_.open.translations;
    }
    std::string stuck() const override;
    std::vector<signal_info> signals() const override { return signals_of(blocks_); }
    void record(const wave_plan &plan) override;
    void finish_record() override;
    void follow(const transaction_plan &plan) override;
    transaction_counts finish_follow(bool partial) override;
    void follow_counter(const std::string &name, uint64_t from_ps, const std::string &value) override;
    std::vector<link_info> links() override;
    uint64_t cycle_ps() const override { return top_->clock().period(); }
    wiring &top() { return *top_; }
    const wiring &top() const { return *top_; }

protected:
    /* Makes statistics read within a run those of this moment. */
    void count_until_now() { now_ = scheduler::here()->now(); }

private:
    using counters = std::vector<const uint64_t *>;
    static uint64_t total(const counters &all)
    {
        uint64_t n = 0;
        for (const uint64_t *c : all)
            n += *c;
        return n;
    }
    counters counters_of(progress_unit unit) const;
    /* Shows the whole run so far, including the time before a window. */
    void visit_all(stat_visitor &v) const;
    /* Shows these groups; null: all. */
    void visit_groups(stat_visitor &v, const std::vector<std::string> *only = nullptr) const;
    void visit_model(stat_visitor &v) const;
    uint64_t all_cycles() const { return top_->clock().ceil_cycle(now_); }
    void advance();
    uint64_t count_of(window_unit unit) const;
    void wait_for(window_unit unit, uint64_t count);
    bool windowed() const { return window_.any(); }
    void watch();
    void begin_steps();
    void next_step();
    void turn_step();
    void tell_step();
    void end_steps();
    window_edge edge() const;
    void open_window();
    bool turn_window();
    run_end close_window(run_end end);
    void drain();
    run_end cut(run_end end);
    void link_laws(law_list &list) const;
    void window_laws(std::vector<law> &laws) const;

    std::shared_ptr<void> world_;
    std::unique_ptr<wiring> top_;
    std::vector<block *> blocks_;
    work_source *work_ = nullptr;
    counters instructions_, translations_;
    std::unique_ptr<wave_recorder> waves_;
    std::unique_ptr<transaction_recorder> followed_;
    tick now_ = 0; /* end of the counted time */
    run_window window_;
    std::unique_ptr<window_watch> watch_;
    window_report report_;
    std::unique_ptr<stat_snapshot> opened_, closed_;
    struct steps; /* machine_steps.cpp */
    std::shared_ptr<steps> steps_;
    tick step_ends_ = never;            /* step_ends_: with all actions of that time; for steps in cycles */
    const start_point *from_ = nullptr; /* null: the run begins with the program */
    tick opened_at_ = 0;
    bool halted_ = false; /* the run ended before its work */
    bool cut_ = false;    /* interrupted or deadlocked: no law applies */
};

} // namespace walkway

#endif
