/* SPDX-License-Identifier: MIT */
/* platforms/apu.hpp - a GPU that shares its page table with the CPU through an IOMMU: the machine of [M18
 * Figure 1]. */
#ifndef WALKWAY_PLATFORMS_APU_HPP
#define WALKWAY_PLATFORMS_APU_HPP

#include "model/address_space.hpp"
#include "model/coalescer.hpp"
#include "model/common/snapshot.hpp"
#include "model/compute_unit.hpp"
#include "model/data_cache.hpp"
#include "model/dispatcher.hpp"
#include "model/dram.hpp"
#include "model/iommu.hpp"
#include "model/perfect_tlb.hpp"
#include "model/tlb.hpp"
#include "model/window_watch.hpp"
#include "observe/transactions/recorder.hpp"
#include "observe/waves/recorder.hpp"
#include "platforms/platform.hpp"

#include <memory>

namespace walkway
{

struct gpu_params {
    uint32_t cus = 8;
    uint32_t clock_ps = 500;
    void visit(param_visitor &v);
};

/* The ideal ladder: each rung removes one more cost, those below it stay removed. */
enum class ideal : uint8_t { off, unlimited_walkers, zero_walk, infinite_l2, perfect_l1, none };

struct translation_params {
    uint8_t ideal = 0;
    void visit(param_visitor &v);
};

struct apu_params {
    gpu_params gpu;
    translation_params translation;
    dispatcher_params dispatcher;
    compute_unit_params cu;
    coalescer_params coalescer;
    tlb_params l1_tlb, l2_tlb;
    iommu_params iommu;
    data_cache_params l1d, l2d;
    dram_params dram;
    address_space_params address_space;

    apu_params();
    void visit(param_visitor &v);
    std::string validate() const;
    /* Does the ideal ladder's rung leave this parameter without effect? */
    bool idealised(const std::string &parameter) const;
    uint64_t memory_end() const; /* bytes of dram */
    /* Of the host, for a trace with these buffers: an estimate. */
    uint64_t memory_bytes(const std::vector<va_range> &ranges) const;
    /* The same with the page size carried to the blocks and the ideal ladder's rung applied. */
    apu_params resolved(uint64_t pages) const;
};

/* Instances, then wiring, in the order of the data path. */
class apu_top final : public sc_core::sc_module
{
public:
    apu_top(const sc_core::sc_module_name &name, const apu_params &p, const address_space &space,
            memory_store &store, wkt_reader *trace);

    clock_domain gpu_clock;
    class dispatcher dispatcher;
    std::vector<std::unique_ptr<compute_unit>> cu;
    std::vector<std::unique_ptr<class coalescer>> coalescer;
    std::vector<std::unique_ptr<tlb>> l1_tlb;
    std::vector<std::unique_ptr<perfect_tlb>> perfect_l1;
    std::vector<std::unique_ptr<data_cache>> l1d;
    tlb l2_tlb;
    class iommu iommu;
    data_cache l2d;
    class dram dram;

    std::vector<block *> blocks();
};

class apu final : public platform
{
public:
    apu(const apu_params &p, wkt_reader *trace);
    run_end run(const progress_fn &progress) override;
    void visit(stat_visitor &v) const override;
    std::vector<law> laws() const override;
    void measure(const run_window &window) override;
    window_report window() const override { return report_; }
    uint64_t now_ps() const override { return now_ - opened_at_; }
    uint64_t cycles() const override { return all_cycles() - report_.open.cycles; }
    uint64_t translations() const override
    {
        /* not those that end while a window's leftovers do */
        return (closed_ != nullptr ? report_.close.translations : all_translations()) -
               report_.open.translations;
    }
    std::string stuck() const override;
    std::vector<signal_info> signals() const override { return signals_of(top_->blocks()); }
    void record(const wave_plan &plan) override;
    void finish_record() override;
    void follow(const transaction_plan &plan) override;
    transaction_counts finish_follow(bool partial) override;
    uint64_t cycle_ps() const override { return top_->gpu_clock.period(); }
    apu_top &top() { return *top_; }

private:
    /* Of the whole run so far, what came before a window included. */
    void visit_all(stat_visitor &v) const;
    uint64_t all_cycles() const;
    uint64_t all_translations() const;
    uint64_t all_instructions() const;
    void advance();
    uint64_t count_of(window_unit unit) const;
    void wait_for(window_unit unit, uint64_t count);
    window_edge edge() const;
    void open_window();
    bool turn_window();
    run_end close_window(run_end end);
    void drain();
    run_end cut(run_end end);
    std::vector<law> window_laws() const;
    tick memory_end() const;
    compute_unit_stats cu_stats() const;
    tick wave_life() const; /* ended or not */
    uint64_t waves_resident() const;
    coalescer_stats coalescer_stats_sum() const;
    tlb_stats l1_stats() const;
    data_cache_stats l1d_stats() const;

    apu_params params_;
    memory_store store_;
    std::unique_ptr<address_space> space_;
    std::unique_ptr<apu_top> top_;
    std::unique_ptr<wave_recorder> waves_;
    std::unique_ptr<transaction_recorder> followed_;
    tick now_ = 0;
    run_window window_;
    std::unique_ptr<window_watch> watch_;
    window_report report_;
    std::unique_ptr<stat_snapshot> opened_, closed_;
    tick opened_at_ = 0;
    bool halted_ = false; /* the clock stands at now_, not at the end of the last work-group */
    bool cut_ = false;    /* the run was interrupted, or got stuck: no law applies */
};

class apu_config final : public platform_config
{
public:
    apu_params params;
    void visit(param_visitor &v) override { params.visit(v); }
    std::string validate() const override { return params.validate(); }
    std::string overruled_by(const std::string &parameter) const override
    {
        return params.idealised(parameter) ? "translation.ideal" : "";
    }
    uint64_t memory_bytes(const wkt_reader *trace) const override;
    std::unique_ptr<platform> build(wkt_reader *trace) const override;
};

} // namespace walkway

#endif
