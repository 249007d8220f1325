/* SPDX-License-Identifier: MIT */
/* model/walk_unit.hpp - page-table walks for one or several requesters: waiting entries, scheduler, walkers,
 * split page-walk caches, a cache of page-table lines, and neighbourhood-aware coalescing [M18 section II-B,
 * IV]. Requests wait in three places: in their requester's queue, in the backlog behind all queues (absent
 * with 0 entries), and in the walk buffer, from which walkers take them. Queues are served in turn, one
 * request a turn, as many in a cycle as there is room for. What a table looks like is its kind's
 * (kernels/table/table.h); the unit reads it through `mem` only, so a walk takes what the memory path takes.
 * MODEL: the search of the buffer overlaps the delivery of the line (no cycles of its own). Not modelled:
 * accessed and dirty updates. Page requests: walk_unit_faults.cpp.
 */
#ifndef WALKWAY_MODEL_WALK_UNIT_HPP
#define WALKWAY_MODEL_WALK_UNIT_HPP

#include "kernels/cam_energy.h"
#include "kernels/table/table.h"
#include "kernels/walk/fault_table.h"
#include "kernels/walk/pwst.h"
#include "kernels/walk/walk_buffer.h"
#include "kernels/walk/walk_sched.h"
#include "model/common/due_queue.hpp"
#include "model/common/fault.hpp"
#include "model/common/fifo.hpp"
#include "model/common/lanes.hpp"
#include "model/common/link.hpp"
#include "model/common/mem.hpp"
#include "model/common/pending.hpp"
#include "model/common/stats.hpp"
#include "model/common/xlat.hpp"
#include "model/dropped.hpp"
#include "model/params/walk_unit.hpp"
#include "model/port_translator.hpp"
#include "translate/walk_translator.hpp"

namespace walkway
{

/* What a walker does, for waveforms. */
#define WALKWAY_WALKER_STATE_LIST(X)                                                                         \
    X(IDLE, "has no request")                                                                                \
    X(PORT, "its read waits for the memory port")                                                            \
    X(READ, "its read is on the way, or another walker's that it has joined")                                \
    X(KEPT, "keeps a walk that met an absent entry: the fault table is full")

struct walk_unit_stats {
    uint64_t requests = 0;
    uint64_t walks_started = 0, walks_finished = 0, walks_coalesced = 0, walks_faulted = 0, walks_refused = 0,
             coalesced_faults = 0;
    uint32_t fault_entries = 0;
    uint64_t faults_parked = 0, faults_joined = 0, faults_sent = 0, faults_refused = 0, faults_resumed = 0,
             faults_left = 0, pte_cache_dropped = 0, fault_walks = 0, fault_kept_ps = 0, fault_table_peak = 0,
             stall_faults_cycles = 0;
    uint64_t walks_restarted = 0, invalidates = 0;
    uint64_t partial_coalesced = 0, partial_starts = 0;
    uint64_t pte_reads = 0, pte_cache_hits = 0, pte_reads_merged = 0, steps[WW_STEPS_MAX + 1] = {};
    uint64_t pwc_lookups = 0,
             pwc_hits[WW_STEPS_MAX + 1] = {}; /* by the step of the entry that hit; 0: none */
    uint64_t leaf_accesses = 0, leaf_neighbour_accesses = 0, upper_accesses = 0, upper_neighbour_accesses = 0;
    uint64_t backlog_peak = 0, stall_memory_cycles = 0, walker_busy_ps = 0;
    ww_cam_counts cam = {};
    histogram walk_latency, backlog_latency, buffer_latency, service_latency, fault_latency,
        invalidate_latency;
    histogram buffer_occupancy, walks_per_read, walks_in_flight, walk_gap;
    const ww_table_kind *kind = &ww_radix5; /* whose steps have names in the results */
    void visit(stat_visitor &v) const;

private:
    void visit_faults(stat_visitor &v) const;
};

/* The causes of its waiting entries and its walks. */
struct walk_unit_causes {
    walk_unit_causes(const block &owner, const walk_unit_params &p, const ww_table_kind &kind);
    cause backlog, buffer, held, walk_cache, fault_queue, fault_service; /* the last two with a fault table */
    std::array<cause, WW_STEPS_MAX + 1> walk{};                          /* by the step of the read */
};

struct walk_unit_events {
    static constexpr event_kind buffer_enter = {"buffer_enter", "virtual address; entries in use"},
                                buffer_leave = {"buffer_leave", "virtual address; entries in use"},
                                walk_start = {"walk_start", "virtual address; walker"},
                                walk_read = {"walk_read", "virtual address; walker * 8 + step"},
                                walk_end = {"walk_end", "virtual address; walker"},
                                fault_parked = {"fault_parked",
                                                "virtual address; entries of the fault table in use"},
                                fault_resumed = {"fault_resumed",
                                                 "virtual address; entries of the fault table in use"},
                                walk_coalesced = {"walk_coalesced",
                                                  "virtual address; walker that read the line"};
};

class walk_unit final : public block,
                        public target_of<xlat_protocol>,
                        public initiator_of<mem_protocol>,
                        public initiator_of<fault_protocol>,
                        public invalidate_root,
                        public drop_counter
{
public:
    in_ports<xlat_protocol> up;
    out_port<mem_protocol> mem;

    walk_unit(const sc_core::sc_module_name &name, const clock_domain &clock, const walk_unit_params &p,
              const page_tables &tables, unsigned requesters);
    /* What was counted; what is kept over time stands at its last change. */
    const walk_unit_stats &stats() const { return stats_; }
    /* With what is kept over time up to `until`. */
    walk_unit_stats totals(tick until) const;
    void visit(stat_visitor &v, tick until) const override { totals(until).visit(v); }
    /* Of the coalescing CAM. */
    void visit_energy(stat_visitor &v, tick until) const;
    void laws(law_list &list) const override;
    void flows(std::vector<block_flow> &list, tick until) const override;
    /* Reads, and walks not started, started and not answered. */
    uint64_t live() const override { return lines_.live() + jobs_.live() + post_lanes_.live(); }
    /* To whoever maps pages: of one with a fault table. */
    out_port<fault_protocol> &faults() { return faults_->port; }
    /* Memory has this line of a page table since now. */
    uint32_t table_written(uint64_t line_pa); /* so many lines leave the PTE-line cache */
    bool invalidate(const invalidation &what, std::function<void(tick)> acknowledged) override;
    void count_dropped(drop_counts &all) const override;
    /* The VM-ID's table is another one since now; whoever writes the registers invalidates everything. */
    void set_table(uint16_t vmid, const ww_table &table) { walks_.set_table(vmid, table); }
    uint32_t buffered() const { return ww_wbuf_count(buffer()); }
    uint32_t held() const { return ww_wbuf_cl_count(buffer()); }
    uint32_t walkers() const { return params_.walkers; }
    uint32_t busy_walkers() const { return ww_pwst_busy(pwst_.as<ww_pwst>()); }
    /* The largest backlog from here on. */
    void restart_peaks() override;
    std::string waiting() const override;
    void signals(signal_visitor &v) const override;

private:
    struct arrival {
        uint32_t walker;
        mem_line *line;
    };
    struct job {
        xlat_request *request;
        tick entered;  /* left the stage above: walk latency counts from here */
        tick buffered; /* got its place in the walk buffer */
        uint16_t port;
        uint8_t spared; /* bit n: a concurrent access at step n could have spared ours */
        bool had_walker, faulted;
        tick unbuffered; /* left the walk buffer */
        tick walked;     /* time with walkers */
    };
    struct walker {
        uint64_t walk = 0; /* kernels/table/table.h */
        uint64_t va = 0;
        uint16_t vmid = 0;
        uint32_t job;
        tick started;                     /* the walk; of one that is kept, that */
        bool again_after_fault = false;   /* its request was parked before */
        bool not_kept = false;            /* the line on its way does not enter the PTE-line cache */
        bool again = false;               /* the line on its way is discarded: an invalidate covers it */
        bool refused = false;             /* the read that it joined was answered with an error */
        tick looked_up;                   /* its last lookup of the PTE-line cache has ended */
        uint64_t line[WW_PTE_LINE_WORDS]; /* from the PTE-line cache, or from a read it joined */
    };

    /* Debug transport at the memory port. */
    struct memory_below final : line_memory {
        explicit memory_below(walk_unit &u) : unit(u) {}
        bool line_now(uint64_t pa, uint64_t *line, tick *) override
        {
            bool refused = false;
            unit.look(pa, line, &refused);
            return !refused;
        }
        walk_unit &unit;
    };

    /* Walks that met an absent entry. */
    struct fault_part {
        fault_part(walk_unit &owner, uint32_t entries);
        out_port<fault_protocol> port;
        blob table;
        std::vector<fault_request> sent; /* by entry */
        due_queue<uint32_t> handled;     /* entries whose pages have been */
        fifo<uint32_t> kept;             /* walkers whose walks have no room in the table, oldest first */
    };
    static constexpr uint32_t no_walker = UINT32_MAX;

    void step(tick now) override;
    void on_response(tlm::tlm_generic_payload &p, tick at, unsigned port) override;
    void on_response(fault_request &f, tick at, unsigned port) override;
    unsigned debug(xlat_request &r) override;

    bool take_request(unsigned port, tick now);
    void take_requests(tick now);
    void drain_backlog(tick now);
    void fetch_backlog();
    void start_walks(tick now);
    void start(uint32_t w, uint32_t slot, tick now);
    uint64_t start_of(const ww_wbuf_entry &entry);
    void begin(uint32_t w, uint32_t job, uint64_t walk, tick now);
    bool parks(const xlat_request &r, enum ww_walk_why why) const;
    void park(uint32_t job);
    void keep(uint32_t w, tick now);
    void park_kept(tick now);
    void take_handled(tick now);
    uint64_t leave_faults(uint64_t va, uint16_t vmid, const ww_xlat &x, bool fault, tick now);
    void end_joined(uint32_t w, const ww_xlat &x, bool fault, tick now);
    void walk_again(tick now);
    void send_faults(tick now);
    std::string waiting_for_faults() const;
    uint32_t idle_walker() const;
    void free_walker(uint32_t w) { idle_[w / 64] |= uint64_t{1} << (w % 64); }
    void read(uint32_t w, tick at);
    uint64_t pte_pa(uint32_t w) const;
    bool cacheable(uint32_t w) const;
    void look(uint64_t pa, uint64_t *line, bool *refused);
    bool join(uint32_t w, uint64_t pte_pa);
    void serve_joined(const mem_line &line, tick now);
    void send_reads(tick now);
    void take_lines(tick now);
    void line_arrived(const arrival &in, tick now);
    void forget();
    void forget_entries();
    bool discarded(uint64_t line_number) const;
    void start_again(uint32_t w, tick now);
    void walk_on(uint32_t w, const uint64_t *line, tick now);
    void go_on(uint32_t w, tick now);
    void end_walk(uint32_t w, const ww_xlat &x, bool fault, tick now);
    void deliver(uint32_t w, const uint64_t *line, tick now);
    void coalesced(const ww_pwst_done &d, uint32_t w, tick now);
    void answer(uint32_t job, const ww_xlat &x, bool fault, tick now);
    void count_neighbours(uint32_t w);
    /* The service table's entry of a walker changes, and with it the CL of so many buffered requests. */
    void count_cam(uint32_t searches, uint32_t cl_changes)
    {
        if (params_.coalesce == WW_COALESCE_OFF)
            return;
        stats_.cam.reads += searches;
        stats_.cam.writes += 1 + cl_changes;
    }
    template <typename V> void show_walker(V &v, unsigned w, bool at_port) const;
    template <typename V> void show_service(V &v, unsigned w) const;
    [[gnu::cold]] void touch(uint32_t w);
    void count_occupancy(tick now);
    const ww_wbuf *buffer() const { return buffer_.as<ww_wbuf>(); }
    ww_wbuf *buffer() { return buffer_.as<ww_wbuf>(); }

    walk_unit_params params_;
    walk_unit_causes causes_;
    memory_below memory_;
    walk_translator walks_;
    const page_tables &tables_;          /* of walks_ */
    std::unique_ptr<fault_part> faults_; /* with fault_entries */
    blob buffer_, pwst_;
    pending_misses<uint32_t>
        reads_out_; /* with pte_cache_merge: lines being read, with the walkers that joined */
    ww_sched sched_{};
    due_queue<arrival> lines_in_; /* from memory */
    due_queue<uint32_t>
        hits_in_; /* walkers that have their line: from the PTE-line cache or a read they joined */
    slot_table<job> jobs_;
    std::vector<walker> walkers_;
    std::vector<uint64_t> idle_; /* bit set: walker is idle; the lowest is taken first */
    fifo<uint32_t> backlog_;
    bool queues_wait_ = false; /* a request is here that neither backlog nor buffer has room for */
    struct pending_read {
        uint32_t walker;
        tick at; /* at memory, unless the port is blocked */
    };
    due_queue<uint32_t> leaving_; /* walkers that look their caches up: the read leaves after that */
    fifo<pending_read> reads_;    /* left, and not sent yet: the memory port is blocked */
    std::vector<ww_pwst_done> done_;
    mem_pool lines_;
    stage_lanes post_lanes_;
    invalidation changed_;                       /* of the latest invalidate */
    drop_counts dropped_;                        /* by all of them */
    tick occupancy_since_ = 0, took_at_ = never; /* the latest request */
    mutable uint64_t touched_ = 0;               /* walkers, since signals() last looked */
    walk_unit_stats stats_;
};

} // namespace walkway

#endif
