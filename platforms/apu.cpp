/* SPDX-License-Identifier: MIT */
/* platforms/apu.cpp - wiring, run, statistics and laws of the apu.
 *
 *  dispatcher ~ cu ─ coalescer ┬─ L1 TLB ─┐
 *                              │          ├─ L2 TLB ─ IOMMU (TLBs, walk buffer, walkers) ─┐
 *             (one per CU) ... └─ L1D ────┼─ L2D ────────────────────────────────────────┴─ DRAM
 */
#include "platforms/apu.hpp"

#include "platforms/apu_laws.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <stdexcept>

namespace walkway
{

namespace
{
/* Requests that a block's pipeline and the wire behind it hold at full pace. */
template <class P> uint32_t pipeline(const P &sender)
{
    return sender.ports * (sender.hit_cycles + sender.link_cycles);
}
} // namespace

apu_top::apu_top(const sc_core::sc_module_name &name, const apu_params &p, const address_space &space,
                 memory_store &store, wkt_reader *trace)
    : sc_core::sc_module(name), gpu_clock(p.gpu.clock_ps),
      dispatcher("dispatcher", gpu_clock, p.dispatcher, trace),
      l2_tlb("l2_tlb", gpu_clock, p.l2_tlb, {cause::l2_queue, cause::l2_lookup, cause::l2_merged},
             static_cast<ideal>(p.translation.ideal) < ideal::perfect_l1 ? p.gpu.cus : 0, pipeline(p.l1_tlb)),
      iommu("iommu", gpu_clock, p.iommu, space, store, pipeline(p.l2_tlb)),
      l2d("l2d", gpu_clock, p.l2d, store, p.gpu.cus + p.iommu.walk_path, pipeline(p.l1d)),
      dram("dram", p.dram, store, 2u - p.iommu.walk_path, pipeline(p.l2d))
{
    const auto rung = static_cast<ideal>(p.translation.ideal);
    for (unsigned i = 0; i < p.gpu.cus; ++i) {
        const auto named = [i](const char *part) { return std::string(part) + "_" + std::to_string(i); };
        cu.push_back(
            std::make_unique<compute_unit>(named("cu").c_str(), gpu_clock, p.cu, i, p.gpu.cus, dispatcher));
        coalescer.push_back(
            std::make_unique<class coalescer>(named("coalescer").c_str(), gpu_clock, p.coalescer));
        l1d.push_back(std::make_unique<data_cache>(named("l1d").c_str(), gpu_clock, p.l1d, store, 1));
        dispatcher.attach_unit(*cu[i]);
        cu[i]->mem.bind(coalescer[i]->up);
        coalescer[i]->mem.bind(*l1d[i]->up[0]);
        l1d[i]->down.bind(*l2d.up[i]);
        if (rung < ideal::perfect_l1) {
            l1_tlb.push_back(
                std::make_unique<tlb>(named("l1_tlb").c_str(), gpu_clock, p.l1_tlb,
                                      tlb_causes{cause::l1_queue, cause::l1_lookup, cause::l1_merged}, 1));
            coalescer[i]->xlat.bind(*l1_tlb[i]->up[0]);
            l1_tlb[i]->down.bind(*l2_tlb.up[i]);
        } else { /* the ideal ladder's upper rungs: nothing ever asks the L2 TLB */
            perfect_l1.push_back(std::make_unique<perfect_tlb>(named("perfect_l1").c_str(), gpu_clock, space,
                                                               p.l1_tlb.queue_entries,
                                                               rung == ideal::perfect_l1 ? 1u : 0u));
            coalescer[i]->xlat.bind(perfect_l1[i]->up);
        }
    }
    l2_tlb.down.bind(iommu.up);
    l2d.down.bind(*dram.up[0]);
    iommu.mem.bind(p.iommu.walk_path == 0 ? *dram.up[1] : *l2d.up[p.gpu.cus]);
}

std::vector<block *> apu_top::blocks()
{
    std::vector<block *> all = {&dispatcher};
    const auto add = [&all](const auto &list) {
        for (const auto &b : list)
            all.push_back(b.get());
    };
    add(cu);
    add(coalescer);
    add(l1_tlb);
    add(perfect_l1);
    add(l1d);
    all.insert(all.end(), {&l2_tlb, &iommu, &l2d, &dram});
    return all;
}

/* Every buffer of the trace, in the order of its table. */
static std::vector<va_range> ranges_of(const wkt_reader *trace)
{
    std::vector<va_range> ranges;
    for (uint32_t i = 0; i < wkt_reader_info(trace)->buffers; ++i) {
        const wkt_buffer *b = wkt_reader_buffer(trace, i);
        ranges.push_back(va_range{b->base_va, b->bytes});
    }
    return ranges;
}

apu::apu(const apu_params &p, wkt_reader *trace) : params_(p)
{
    space_ = std::make_unique<address_space>(p.address_space, ranges_of(trace), store_);
    const apu_params resolved = p.resolved(space_->pages());
    const uint64_t table_end = p.address_space.table_pa + uint64_t{space_->table_nodes()} * 4096;
    if (table_end > p.memory_end())
        throw std::runtime_error("address_space.table_pa: the page table ends at " +
                                 std::to_string(table_end) + ", above the " + std::to_string(p.memory_end()) +
                                 " bytes of dram");
    top_ = std::make_unique<apu_top>("top", resolved, *space_, store_, trace);
    top_->dispatcher.check_fit();
}

void apu::record(const wave_plan &plan)
{
    waves_ = std::make_unique<wave_recorder>(top_->blocks(), plan);
}

void apu::finish_record()
{
    if (waves_ != nullptr)
        waves_->finish(top_->dispatcher.now());
    waves_ = nullptr;
}

void apu::follow(const transaction_plan &plan)
{
    const auto name_of = [](const block &b) {
        const std::string name = b.name();
        return name.substr(name.find('.') + 1); /* "top.iommu" without the top */
    };
    transaction_tracks tracks;
    for (size_t i = 0; i < top_->cu.size(); ++i) {
        tracks.cu.push_back(name_of(*top_->cu[i]));
        tracks.coalescer.push_back(name_of(*top_->coalescer[i]));
        tracks.l1.push_back(top_->l1_tlb.empty() ? name_of(*top_->perfect_l1[i]) : name_of(*top_->l1_tlb[i]));
    }
    tracks.l2 = name_of(top_->l2_tlb);
    tracks.iommu = name_of(top_->iommu);
    tracks.walkers = top_->iommu.walkers();
    tracks.cycle_ps = cycle_ps();
    followed_ = std::make_unique<transaction_recorder>(plan, tracks);
    for (const auto &c : top_->coalescer)
        c->watch(followed_.get());
    top_->iommu.attach(&followed_->walks());
}

transaction_counts apu::finish_follow(bool partial)
{
    if (followed_ == nullptr)
        return {};
    for (const auto &c : top_->coalescer)
        c->watch(nullptr);
    top_->iommu.attach(nullptr);
    const std::unique_ptr<transaction_recorder> last = std::move(followed_);
    return last->finish(top_->dispatcher.now(), partial);
}

/* To the next event and 10 us on, however far away that event is, but no further than the window of a
 * waveform opens. Nobody else's processes are here, so the blocks may run ahead to the end of that. What a
 * block says of the trace is the trace's fault, and the caller's to tell. */
void apu::advance()
{
    constexpr tick slice = 10000000;
    const tick here = simulation_time();
    if (waves_ != nullptr && waves_->opens() <= here)
        waves_->open();
    const tick opens = waves_ == nullptr ? never : waves_->opens() - here;
    const time_scale &scale = scheduler::here()->scale();
    const tick gap = sc_core::sc_pending_activity() ? scale.ticks(sc_core::sc_time_to_pending_activity()) : 0;
    const tick way = std::min(opens, gap + slice);
    scheduler::here()->run_ahead(here + way);
    try {
        sc_core::sc_start(scale.time(way)); /* to its end, also where nothing happens in it */
    } catch (const sc_core::sc_report &r) {
        if (std::strcmp(r.get_msg_type(), "/walkway/trace") == 0)
            throw std::runtime_error(r.get_msg());
        throw;
    }
    scheduler::here()->run_ahead(0);
}

run_end apu::run(const progress_fn &progress)
{
    using host_clock = std::chrono::steady_clock;
    auto told = host_clock::now();
    bool asked_to_stop = false;
    if (watch_ != nullptr && window_.warm_up.count != 0)
        wait_for(window_.warm_up.unit, window_.warm_up.count);
    else if (watch_ != nullptr)
        open_window();
    while (!top_->dispatcher.done() && !asked_to_stop) {
        advance();
        now_ = top_->dispatcher.now();
        if (!top_->dispatcher.done() && watch_ != nullptr && watch_->reached() && turn_window())
            return close_window(run_end::measured);
        if (!top_->dispatcher.done() && !sc_core::sc_pending_activity())
            return cut(run_end::deadlock);
        const auto here = host_clock::now();
        if (!progress || here - told < std::chrono::milliseconds(100))
            continue;
        told = here;
        asked_to_stop = !progress(run_progress{top_->dispatcher.groups_done(),
                                               top_->dispatcher.groups_total(), now_, all_translations()});
    }
    if (asked_to_stop)
        return cut(run_end::stopped);
    while (sc_core::sc_pending_activity() && !stuck().empty()) /* write-backs may still be on their way */
        advance();
    now_ = top_->dispatcher.ended();
    top_->iommu.finish(now_);
    return close_window(run_end::complete);
}

/* In the middle: what was counted so far is the result, at the present time. */
run_end apu::cut(run_end end)
{
    cut_ = true;
    halted_ = true;
    top_->iommu.finish(now_);
    return close_window(end);
}

std::string apu::stuck() const
{
    std::string text;
    for (const block *b : top_->blocks()) {
        const std::string waits = b->waiting();
        if (!waits.empty())
            text += std::string(b->name()) + ": " + waits + "\n";
    }
    return text;
}

/* Main memory's statistics and energy end here: write-backs may end after the last work-group. */
tick apu::memory_end() const
{
    const tick ended = now_;
    const tick busy = top_->dram.last_step();
    return ended > busy ? ended : busy;
}

uint64_t apu::all_translations() const
{
    uint64_t n = 0;
    for (const auto &c : top_->coalescer)
        n += c->stats().answered;
    return n;
}

compute_unit_stats apu::cu_stats() const
{
    compute_unit_stats sum;
    for (const auto &c : top_->cu)
        sum.add(c->stats());
    return sum;
}

tick apu::wave_life() const
{
    tick sum = 0;
    for (const auto &c : top_->cu)
        sum += c->stats().wave_life_ps + c->resident_ps();
    return sum;
}

uint64_t apu::waves_resident() const
{
    uint64_t n = 0;
    for (const auto &c : top_->cu)
        n += c->waves_resident();
    return n;
}

coalescer_stats apu::coalescer_stats_sum() const
{
    coalescer_stats sum;
    for (const auto &c : top_->coalescer)
        sum.add(c->stats());
    return sum;
}

tlb_stats apu::l1_stats() const
{
    tlb_stats sum;
    for (const auto &t : top_->l1_tlb)
        sum.add(t->stats());
    for (const auto &t : top_->perfect_l1)
        sum.add(t->stats());
    return sum;
}

data_cache_stats apu::l1d_stats() const
{
    data_cache_stats sum;
    for (const auto &c : top_->l1d)
        sum.add(c->stats());
    return sum;
}

uint64_t apu::all_cycles() const
{
    return top_->gpu_clock.ceil_cycle(halted_ ? now_ : top_->dispatcher.ended());
}

void apu::visit_all(stat_visitor &v) const
{
    const tick period = top_->gpu_clock.period();
    const compute_unit_stats cu = cu_stats();
    v.begin("gpu", "the GPU as a whole");
    v.count("cycles", all_cycles(), "cycles", "from time zero to the end of the last work-group");
    v.count("launches", top_->dispatcher.launches_done(), "count", "kernels that ended");
    v.count("groups", cu.groups, "count", "work-groups dispatched");
    v.count(
        "dispatch_stall_cycles", top_->dispatcher.stall_cycles(), "cycles",
        "cycles in which a work-group waited for a compute unit with room for its waves and local memory");
    v.count("waves", cu.waves, "count", "waves started");
    v.count("instructions", cu.instructions, "count",
            "wave instructions issued; = compute + memory + local + barriers");
    v.count("compute", cu.compute, "count", "of those, without memory");
    v.count("memory", cu.memory, "count", "of those, global memory");
    v.count("local", cu.local, "count", "of those, local memory");
    v.count("barriers", cu.barriers, "count", "of those, barriers");
    v.count("preemptions", cu.preemptions, "count",
            "times that an older wave cut a batch of compute instructions");
    v.count("page_faults", cu.lane_faults, "count", "pages without translation, by wave instruction");
    v.hist("load_latency", cu.load_latency, "cycles", "from a load's issue to its last lane's data");
    v.begin("wave_stall", "where the waves' time went; the sum is wave_cycles");
    v.count("wave_cycles", wave_life() / period, "cycles", "lives of all waves added up");
    for (unsigned t = 0; t < wave_times; ++t)
        v.count(wave_time_name(t), cu.time[t] / period, "cycles", wave_time_text(t));
    v.end();
    v.end();

    const coalescer_stats co = coalescer_stats_sum();
    v.group("coalescer", "the coalescers, added up", co);
    v.group("l1_tlb", "the compute units' TLBs, added up", l1_stats());
    v.group("l2_tlb", "the shared TLB", top_->l2_tlb.stats());
    v.group("iommu", "the IOMMU", top_->iommu.stats());
    v.group("l1d", "the compute units' data caches, added up", l1d_stats());
    v.group("l2d", "the shared data cache", top_->l2d.stats());
    v.begin("dram", "main memory");
    top_->dram.visit(v, memory_end());
    v.end();

    v.begin("account", "where the translations' time went; the sum is translation_cycles");
    v.count("translation_cycles", co.latency_ps / period, "cycles", "latencies of all translations added up");
    for (unsigned c = 0; c < cause_count; ++c)
        v.count(cause_name(c), co.account[c] / period, "cycles", cause_text(c));
    v.end();

    const ww_dram_energy_pj e = top_->dram.energy(memory_end());
    v.begin("energy", "energy of the run");
    v.count("dram", e.total, "pJ", "main memory; the sum of the next six");
    v.count("dram_activate", e.act, "pJ", "row activations and precharges");
    v.count("dram_read", e.read, "pJ", "read bursts");
    v.count("dram_write", e.write, "pJ", "write bursts");
    v.count("dram_refresh", e.refresh, "pJ", "refreshes");
    v.count("dram_background_open", e.background_open, "pJ", "standby with a bank open");
    v.count("dram_background_closed", e.background_closed, "pJ", "standby with all banks closed");
    v.count("walk_reads", top_->iommu.stats().pte_reads * top_->dram.read_and_activate_fj() / 1000, "pJ",
            "page-table reads, each with one activation and one burst");
    v.count("walk_reads_actual", top_->dram.walk_fj() / 1000, "pJ",
            "the same with the bursts and activations that they caused: a read whose row was open has none");
    v.count("cam", ww_cam_energy_pj(&top_->iommu.stats().cam), "pJ",
            "searches and writes of the coalescing CAM");
    v.end();

    uint64_t calls = top_->l2_tlb.down.calls() + top_->iommu.mem.calls() + top_->l2d.down.calls();
    for (unsigned i = 0; i < top_->cu.size(); ++i)
        calls += top_->cu[i]->mem.calls() + top_->coalescer[i]->xlat.calls() +
                 top_->coalescer[i]->mem.calls() + top_->l1d[i]->down.calls();
    for (const auto &t : top_->l1_tlb)
        calls += t->down.calls();
    v.begin("model", "what the run cost the simulator");
    const auto woken = [](const auto &list) {
        uint64_t n = 0;
        for (const auto &b : list)
            n += b->activations();
        return n;
    };
    uint64_t all = 0;
    for (const block *b : top_->blocks())
        all += b->activations();
    v.count("activations", all, "count", "block activations; = the sum of the next eight");
    v.count("activations_cu", woken(top_->cu) + top_->dispatcher.activations(), "count",
            "of compute units and dispatcher");
    v.count("activations_coalescer", woken(top_->coalescer), "count", "of coalescers");
    v.count("activations_l1_tlb", woken(top_->l1_tlb) + woken(top_->perfect_l1), "count", "of L1 TLBs");
    v.count("activations_l2_tlb", top_->l2_tlb.activations(), "count", "of the L2 TLB");
    v.count("activations_iommu", top_->iommu.activations(), "count", "of the IOMMU");
    v.count("activations_l1d", woken(top_->l1d), "count", "of L1 data caches");
    v.count("activations_l2d", top_->l2d.activations(), "count", "of the L2 data cache");
    v.count("activations_dram", top_->dram.activations(), "count", "of main memory");
    v.count("requests_sent", calls, "count", "BEGIN_REQ calls over all sockets");
    v.level("pages", space_->pages(), "pages", "pages mapped before time zero");
    v.level("table_nodes", space_->table_nodes(), "nodes", "page-table nodes, 4 KiB each");
    v.end();
}

namespace
{

void add_tlb_laws(std::vector<law> &laws, const std::string &name, const tlb_stats &s)
{
    laws.push_back(
        {name + ": lookups = hits + misses + merged", s.lookups, s.hits + s.misses + s.merged, ""});
    laws.push_back({name + ": every request answered", s.lookups, s.responses, ""});
}

void add_cache_laws(std::vector<law> &laws, const std::string &name, const data_cache_stats &s)
{
    laws.push_back({name + ": reads = hits + misses + merged", s.reads,
                    s.read_hits + s.read_misses + s.read_merged, ""});
    laws.push_back({name + ": writes = hits + misses + merged", s.writes,
                    s.write_hits + s.write_misses + s.write_merged, ""});
    laws.push_back({name + ": every access answered", s.reads + s.writes, s.responses, ""});
}

} // namespace

std::vector<law> apu::laws() const
{
    std::vector<law> laws;
    const compute_unit_stats cu = cu_stats();
    const coalescer_stats co = coalescer_stats_sum();
    const tlb_stats l1 = l1_stats();
    const tlb_stats &l2 = top_->l2_tlb.stats();
    const iommu_stats &io = top_->iommu.stats();
    const data_cache_stats l1d = l1d_stats();
    const data_cache_stats &l2d = top_->l2d.stats();

    tick causes = 0;
    for (const tick t : co.account)
        causes += t;
    tick waits = 0;
    for (const tick t : cu.time)
        waits += t;
    laws.push_back({"account: translations whose causes miss their latency", co.unaccounted, 0, co.story});
    laws.push_back({"account: sum of causes = sum of latencies (ps)", causes, co.latency_ps, co.story});
    laws.push_back({"account: sum of wave times = sum of wave lives (ps)", waits, wave_life(), ""});
    /* a window may close on waves that then issue no more */
    laws.push_back({halted_ ? "cu: every wave ended or is resident" : "cu: every wave ended", cu.waves,
                    cu.waves_done + (halted_ ? waves_resident() : 0), ""});
    laws.push_back({"cu: instructions = compute + memory + local + barriers", cu.instructions,
                    cu.compute + cu.memory + cu.local + cu.barriers, ""});
    laws.push_back({"cu: memory instructions = coalescer instructions", cu.memory, co.instructions, ""});
    laws.push_back({"coalescer: every translation answered", co.translations, co.answered, ""});
    add_tlb_laws(laws, "l1_tlb", l1);
    laws.push_back({"l1_tlb: lookups = translations", l1.lookups, co.translations, ""});
    if (top_->perfect_l1.empty())
        laws.push_back({"l1_tlb: misses = l2_tlb lookups", l1.misses, l2.lookups, ""});
    add_tlb_laws(laws, "l2_tlb", l2);
    if (static_cast<ideal>(params_.translation.ideal) == ideal::infinite_l2)
        laws.push_back({"l2_tlb: nothing leaves an infinite TLB", l2.evictions, 0, ""});
    laws.push_back({"l2_tlb: misses = iommu requests", l2.misses, io.requests, ""});
    laws.push_back(
        {"iommu: requests = hits + misses", io.requests, io.tlb1_hits + io.tlb2_hits + io.tlb_misses, ""});
    laws.push_back({"iommu: every request answered", io.requests, io.responses, ""});
    laws.push_back({"iommu: misses = walks started + coalesced", io.tlb_misses,
                    io.walks_started + io.walks_coalesced + io.coalesced_faults, ""});
    laws.push_back({"iommu: walks started = finished + faulted + refused", io.walks_started,
                    io.walks_finished + io.walks_faulted + io.walks_refused, ""});
    laws.push_back({"iommu: sum of walk latencies = backlog + buffer + walker (cycles)",
                    io.walk_latency.sum(),
                    io.backlog_latency.sum() + io.buffer_latency.sum() + io.service_latency.sum(), ""});
    uint64_t steps = 0;
    for (const uint64_t s : io.steps)
        steps += s;
    laws.push_back({"iommu: page-table reads by level = reads + PTE-line cache hits + merged", steps,
                    io.pte_reads + io.pte_cache_hits + io.pte_reads_merged, ""});
    add_cache_laws(laws, "l1d", l1d);
    laws.push_back({"l1d: lines of the coalescers, less those of faulted pages", l1d.reads + l1d.writes,
                    co.faults == 0 ? co.lines : l1d.reads + l1d.writes, ""});
    add_cache_laws(laws, "l2d", l2d);
    laws.push_back({"dram: reads taken = read commands + forwards", top_->dram.stats().reads,
                    top_->dram.column_reads(memory_end()), ""});
    uint64_t live =
        top_->iommu.live_reads() + top_->iommu.in_flight() + top_->l2d.live_lines() + top_->dram.in_flight();
    for (unsigned i = 0; i < top_->cu.size(); ++i)
        live += top_->cu[i]->live() + top_->coalescer[i]->live() + top_->l1d[i]->live_lines();
    laws.push_back({"pools: nothing in flight at the end", live, 0, ""});
    const auto add = [&laws](const std::vector<law> &more) {
        laws.insert(laws.end(), more.begin(), more.end());
    };
    add(time_laws(co, io, top_->gpu_clock.period()));
    add(read_laws(l1d, l2d, top_->dram.stats(), io, params_.resolved(space_->pages()).iommu));
    add(window_laws());
    for (law &l : laws)
        l.applies = !cut_;
    return laws;
}

uint64_t apu_config::memory_bytes(const wkt_reader *trace) const
{
    return params.memory_bytes(trace == nullptr ? std::vector<va_range>() : ranges_of(trace));
}

std::unique_ptr<platform> apu_config::build(wkt_reader *trace) const
{
    return std::make_unique<apu>(params, trace);
}

} // namespace walkway
