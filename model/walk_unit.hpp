/* SPDX-License-Identifier: MIT */
/* model/walk_unit.hpp - page-table walks for one or several requesters: waiting entries, scheduler, walkers,
 * split page-walk caches, a cache of page-table lines, and neighbourhood-aware coalescing [M18 section II-B,
 * IV]. Requests wait in three places: in their requester's queue, in the backlog behind all queues (absent
 * with 0 entries), and in the walk buffer, from which walkers take them. Queues are served in turn, one
 * request a turn, as many in a cycle as there is room for. The kind of table defines the format
 * (kernels/table/table.h); the unit reads it through `mem` only, so a walk takes the time of the memory path.
 * Three parts work together: the unit itself has the walkers and what waits for them, walk_reads gets their
 * lines, and parked_faults has the requests whose walks met an absent entry. A walker has a place for a walk;
 * one that marches has several, and walk_march decides which begins and whose read leaves. Below, "walker"
 * also means a place with its walk. MODEL: the search of the buffer overlaps the delivery of the line (no
 * cycles of its own). Not modelled: accessed and dirty updates. */
#ifndef WALKWAY_MODEL_WALK_UNIT_HPP
#define WALKWAY_MODEL_WALK_UNIT_HPP

#include "kernels/cam_energy.h"
#include "kernels/walk/pwst.h"
#include "kernels/walk/walk_buffer.h"
#include "model/common/lanes.hpp"
#include "model/common/stats.hpp"
#include "model/dropped.hpp"
#include "model/params/walk_unit.hpp"
#include "model/parked_faults.hpp"
#include "model/port_translator.hpp"
#include "model/walk_march.hpp"
#include "model/walk_reads.hpp"
#include "model/walk_scheduler.hpp"

namespace walkway
{

/* States of a walker, for waveforms. */
#define WALKWAY_WALKER_STATE_LIST(X)                                                                         \
    X(IDLE, "has no request")                                                                                \
    X(PORT, "its read waits for the memory port")                                                            \
    X(READ, "its read is on the way, or another walker's that it has joined")                                \
    X(KEPT, "keeps a walk that met an absent entry: the fault table is full")

/* Calls f(step) from the first step of a walk to the last. */
template <class F> void each_step(const ww_table_kind &kind, F f)
{
    for (uint32_t left = UINT8_MAX; left != 0; --left)
        for (uint32_t step = 1; step <= kind.steps; ++step)
            if (kind.left[step] == left)
                f(step);
}

struct walk_unit_stats : walk_read_stats, parked_fault_stats, walk_march_stats {
    uint64_t requests = 0;
    uint64_t walks_started = 0, walks_finished = 0, walks_coalesced = 0, walks_faulted = 0, walks_refused = 0,
             coalesced_faults = 0;
    uint32_t fault_entries = 0, march_walks = 0;
    uint64_t walks_restarted = 0, invalidates = 0, faults_left = 0;
    uint64_t partial_coalesced = 0, partial_starts = 0;
    uint64_t pwc_lookups = 0,
             pwc_hits[WW_STEPS_MAX + 1] = {}; /* by the step of the entry that hit; 0: none */
    uint64_t leaf_accesses = 0, leaf_neighbour_accesses = 0, upper_accesses = 0, upper_neighbour_accesses = 0;
    uint64_t backlog_peak = 0, stall_memory_cycles = 0, walker_busy_ps = 0;
    ww_cam_counts cam = {};
    histogram walk_latency, backlog_latency, buffer_latency, service_latency, fault_latency,
        invalidate_latency;
    histogram buffer_occupancy, walks_per_read, walks_in_flight, walk_gap;
    const ww_table_kind *kind = &ww_radix5; /* names the steps in the results */
    void visit(stat_visitor &v) const;
};

/* The causes of its waiting entries and of its walks. */
struct walk_unit_causes {
    walk_unit_causes(const block &owner, const walk_unit_params &p, const ww_table_kind &kind);
    cause backlog, buffer, held, walk_cache, issue{};
    std::array<cause, WW_STEPS_MAX + 1> walk{}; /* by the step of the read */
};

struct walk_unit_events {
    static constexpr const char *entries = "virtual address; entries in use",
                                *parked = "virtual address; entries of the fault table in use",
                                *by = "virtual address; walker";
    static constexpr event_kind buffer_enter = {"buffer_enter", entries},
                                buffer_leave = {"buffer_leave", entries}, walk_start = {"walk_start", by},
                                walk_read = {"walk_read", "virtual address; walker * 8 + step"},
                                walk_end = {"walk_end", by}, fault_parked = {"fault_parked", parked},
                                fault_resumed = {"fault_resumed", parked},
                                walk_coalesced = {"walk_coalesced",
                                                  "virtual address; walker that read the line"};
};

class walk_unit final : public block,
                        public target_of<xlat_protocol>,
                        public initiator_of<mem_protocol>,
                        public fault_parker,
                        public invalidate_root,
                        public drop_counter
{
public:
    in_ports<xlat_protocol> up;
    out_port<mem_protocol> mem;

    walk_unit(const sc_core::sc_module_name &name, const clock_domain &clock, const walk_unit_params &p,
              const page_tables &tables, unsigned requesters);
    /* Returns the counts so far; sums over time are as of their last change. */
    const walk_unit_stats &stats() const { return stats_; }
    /* Returns the counts with sums over time up to `until`. */
    walk_unit_stats totals(tick until) const;
    void visit(stat_visitor &v, tick until) const override;
    /* Shows the energy of the coalescing CAM. */
    void visit_energy(stat_visitor &v, tick until) const;
    void laws(law_list &list) const override;
    void flows(std::vector<block_flow> &list, tick until) const override;
    /* Returns the number of reads, unanswered requests, and posts and invalidates in flight here. */
    uint64_t live() const override { return reads_.live() + jobs_.live() + post_lanes_.live(); }
    /* Returns the port to the pager. Required: the unit has a fault table. */
    out_port<fault_protocol> &faults() { return faults_->port; }
    /* Memory has this line of a page table from now on. Returns how many lines leave the PTE-line cache. */
    uint32_t table_written(uint64_t line_pa) { return reads_.written(line_pa); }
    bool invalidate(const invalidation &what, std::function<void(tick)> acknowledged) override;
    void count_dropped(drop_counts &all) const override;
    /* Replaces the VM-ID's table from now on. The writer of the registers must invalidate everything. */
    void set_table(uint16_t vmid, const ww_table &table) { walks_.set_table(vmid, table); }
    uint32_t buffered() const { return ww_wbuf_count(buffer()); }
    /* Returns the entries of the buffer with CL set: a line being read will bring their translations. */
    uint32_t held() const { return ww_wbuf_cl_count(buffer()); }
    uint32_t walkers() const { return params_.walkers; }
    uint32_t busy_walkers() const { return ww_pwst_busy(pwst()); }
    /* Restarts the peak of the backlog. */
    void restart_peaks() override;
    /* Counts walks by VM-ID from now on. Required: VM-IDs, of several programs, are below `spaces`. */
    void tell_spaces_apart(size_t spaces) { of_space_.resize(spaces); }
    std::string waiting() const override;
    void signals(signal_visitor &v) const override;

private:
    struct job {
        xlat_request *request;
        tick entered;  /* time when it left the stage above; walk latency counts from here */
        tick buffered; /* time when it entered the walk buffer */
        uint16_t port;
        uint8_t spared; /* bit n: a concurrent access at step n could have spared ours */
        bool had_walker, faulted;
        tick unbuffered; /* time when it left the walk buffer */
        uint64_t others; /* walks of other VM-IDs taken by walkers before it arrived */
        tick walked;     /* time at walkers */
    };
    struct walker {
        uint64_t walk = 0; /* kernels/table/table.h */
        uint64_t va = 0;
        uint16_t vmid = 0;
        uint32_t job;
        tick started;
        bool again_after_fault = false; /* its request was parked before */
    };
    static constexpr uint32_t no_walker = UINT32_MAX;

    void step(tick now) override;
    void on_response(tlm::tlm_generic_payload &p, tick at, unsigned port) override;
    unsigned debug(xlat_request &r) override { return debug_by(walks_, r, now()); }
    xlat_request &request_of(uint32_t j) override { return *jobs_[j].request; }
    void end_parked(uint32_t j, const ww_xlat &x, bool fault, tick now) override;

    void take_requests(tick now);
    void drain_backlog(tick now);
    void enter_buffer(uint32_t j, tick now);
    void fetch_backlog(fifo<uint32_t> &queue);
    void start_walks(tick now);
    void start(uint32_t w, uint32_t slot, tick now);
    uint64_t start_of(const ww_wbuf_entry &entry);
    void begin(uint32_t w, uint32_t j, uint64_t walk, tick now);
    bool parks(const xlat_request &r, enum ww_walk_why why) const;
    void park(uint32_t j);
    void park_kept(tick now);
    void walk_again(tick now);
    uint32_t idle_walker() const;
    bool next_walk(uint32_t &w, uint32_t &slot);
    ww_sched_pick pick(const std::vector<uint64_t> &idle);
    void free_walker(uint32_t w, tick now)
    {
        idle_[w / 64] |= uint64_t{1} << (w % 64);
        if (march_ != nullptr)
            march_->end(w, now);
    }
    /* Reads the walker's next page-table line; a marching walker sends the read in its turn. */
    void read(uint32_t w, tick at)
    {
        if (march_ == nullptr)
            send_read(w, at);
        else
            march_->wait(w, at);
    }
    void send_read(uint32_t w, tick at);
    void march(tick now);
    void read_ahead(uint32_t w, tick at);
    void take_lines(tick now);
    void forget();
    void walk_on(const walk_reads::arrival &in, tick now);
    void restart(uint32_t w);
    void go_on(uint32_t w, tick now);
    void end_walk(uint32_t w, tick now);
    void deliver(uint32_t w, const uint64_t *line, tick now);
    void coalesced(const ww_pwst_done &d, uint32_t w, tick now);
    void answer(uint32_t j, const ww_xlat &x, bool fault, tick now);
    void count_neighbours(uint32_t w);
    /* Counts a change of a walker's entry in the service table, and of the CL of cl_changes buffered
     * requests. */
    void count_cam(uint32_t searches, uint32_t cl_changes)
    {
        if (params_.coalesce == WW_COALESCE_OFF)
            return;
        stats_.cam.reads += searches;
        stats_.cam.writes += 1 + cl_changes;
    }
    template <typename V> void show_walker(V &v, unsigned w, bool at_port) const;
    template <typename V> void show_service(V &v, unsigned w) const;
    uint64_t taken_of_others(uint16_t vmid) const
    {
        return of_space_.empty() ? 0 : taken_ - of_space_[vmid].walks;
    }
    /* Marks this walker for the next signals(). No more than 64 are shown. */
    void touch(uint32_t w)
    {
        if (sampled())
            touched_ |= uint64_t{1} << (w & 63);
    }
    void add_occupancy(walk_unit_stats &to, tick until) const;
    void count_occupancy(tick now)
    {
        add_occupancy(stats_, now);
        occupancy_since_ = std::max(occupancy_since_, now);
    }
    const ww_wbuf *buffer() const { return buffer_.as<ww_wbuf>(); }
    ww_wbuf *buffer() { return buffer_.as<ww_wbuf>(); }
    const ww_pwst *pwst() const { return pwst_.as<ww_pwst>(); }
    ww_pwst *pwst() { return pwst_.as<ww_pwst>(); }

    walk_unit_params params_;
    walk_unit_stats stats_;
    walk_unit_causes causes_;
    walk_reads reads_;
    std::unique_ptr<parked_faults> faults_; /* present with fault_entries */
    std::unique_ptr<walk_march> march_;     /* present with march_walks */
    walk_translator walks_;
    const page_tables &tables_; /* of walks_ */
    blob buffer_, pwst_;
    walk_scheduler scheduler_; /* and the backlog */
    slot_table<job> jobs_;
    std::vector<walker> walkers_;
    std::vector<uint64_t> idle_; /* bit set: walker is idle; the lowest is taken first */
    bool queues_wait_ = false;   /* a request waits for which neither backlog nor buffer has room */
    std::vector<ww_pwst_done> done_;
    struct space_stats {
        uint64_t walks = 0, others = 0, latency_ps = 0;
    };
    std::vector<space_stats> of_space_; /* by VM-ID; empty: not counted apart */
    uint64_t taken_ = 0;                /* walks of all VM-IDs */
    stage_lanes post_lanes_;
    invalidation changed_;                       /* of the latest invalidate */
    drop_counts dropped_;                        /* by all invalidates */
    tick occupancy_since_ = 0, took_at_ = never; /* took_at_: of the latest request */
    mutable uint64_t touched_ = 0;               /* walkers changed since the last signals() */
};

} // namespace walkway

#endif
