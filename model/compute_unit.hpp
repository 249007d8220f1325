/* SPDX-License-Identifier: MIT */
/* model/compute_unit.hpp - a compute unit: waves on SIMDs, driven by a trace. Waves issue in order, the
 * oldest ready wave of a SIMD first; an instruction occupies its SIMD for issue_cycles (64 threads on 16
 * lanes: 4). A load stalls its wave only where its value is used (the trace's use distance). Models barriers,
 * local memory, bounds on outstanding operations and, by port, instruction fetch. Every picosecond of a
 * wave's life is in one wave_time. */
#ifndef WALKWAY_MODEL_COMPUTE_UNIT_HPP
#define WALKWAY_MODEL_COMPUTE_UNIT_HPP

#include "kernels/lds_alloc.h"
#include "model/code_path.hpp"
#include "model/common/access.hpp"
#include "model/common/due_queue.hpp"
#include "model/common/link.hpp"
#include "model/common/mem.hpp"
#include "model/common/pool.hpp"
#include "model/common/stats.hpp"
#include "model/lds.hpp"
#include "model/params/compute_unit.hpp"
#include "model/start_point.hpp"
#include "model/wave_parts.hpp"

#include <array>
#include <optional>

namespace walkway
{

/* Where a wave's time goes. */
#define WALKWAY_WAVE_TIME_LIST(X)                                                                            \
    X(issue, "issuing: its instruction occupies the SIMD")                                                   \
    X(wait_issue, "ready, but another wave of the SIMD, or the memory issue port, is busy")                  \
    X(translation, "waiting for a value whose translation was not there")                                    \
    X(data, "waiting for a value whose translation was there")                                               \
    X(lds, "waiting for local memory")                                                                       \
    X(outstanding, "at its bound of outstanding memory operations")                                          \
    X(fetch, "waiting for its next instruction")                                                             \
    X(port, "the coalescer, or the LDS controller, takes no instruction")                                    \
    X(barrier, "waiting for the other waves of its work-group")                                              \
    X(drain, "all issued, waiting for its last memory operations")

enum class wave_time : uint8_t {
#define X(name, text) name,
    WALKWAY_WAVE_TIME_LIST(X)
#undef X
};
#define X(name, text) +1
constexpr unsigned wave_times = 0 WALKWAY_WAVE_TIME_LIST(X);
#undef X
const char *wave_time_name(unsigned t);
const char *wave_time_text(unsigned t);

struct compute_unit_stats {
    uint64_t groups = 0, waves = 0, waves_done = 0, instructions = 0, compute = 0, memory = 0, local = 0,
             local_lanes = 0, barriers = 0, preemptions = 0, fetches = 0, lane_faults = 0, split_waves = 0,
             idle_halves = 0;
    tick wave_life_ps = 0;
    std::array<tick, wave_times> time{};
    histogram load_latency, wave_lag;
};

/* A work-group on a compute unit. The dispatcher owns it. */
struct work_group {
    wkt_group *trace = nullptr;
    wkt_group *upper = nullptr; /* the same group, loaded again for the upper halves */
    uint32_t program = 0, launch = 0, number = 0;
    uint32_t waves = 0, waves_left = 0, at_barrier = 0; /* counted as waves of the machine */
    uint32_t lds_bytes = 0, lds_first = 0;              /* its piece of local memory */
    kernel_code code;
    uint16_t vmid = 0;                    /* its address space */
    uint64_t *furthest_wave = nullptr;    /* most memory instructions issued by a wave of the launch so far */
    const resident_group *from = nullptr; /* where its waves begin; null: at their first records */
};

/* Receives the end of a work-group. */
class group_listener
{
public:
    virtual ~group_listener() = default;
    virtual void group_done(unsigned cu, work_group &g, tick now) = 0;
};

struct compute_unit_events {
    static constexpr event_kind wave_start = {"wave_start", "wave serial; compute unit"},
                                wave_end = {"wave_end", "wave serial; compute unit"},
                                access = {"access", "serial number, [33:32] access_kind; pc, [63:32] launch"},
                                untranslated = {
                                    "untranslated",
                                    "serial number of the access; picoseconds that its wave stood"};
};

class image_placement;

/* Optional ports of a compute unit. */
struct compute_unit_ports {
    bool local = false; /* else each local memory access takes its cycle and lds_cycles, without a message */
    bool fetch = false; /* else every instruction is available at once */
};

class compute_unit final : public block,
                           public initiator_of<access_protocol>,
                           public initiator_of<local_protocol>,
                           public initiator_of<mem_protocol>
{
public:
    static uint64_t state_bytes(const compute_unit_params &p)
    {
        return uint64_t{p.simds} * p.waves_per_simd * sizeof(wave);
    }

    out_port<access_protocol> mem;
    std::optional<out_port<local_protocol>> local;
    std::optional<out_port<mem_protocol>> code; /* fetches of whole lines */

    compute_unit(const sc_core::sc_module_name &name, const clock_domain &clock, const compute_unit_params &p,
                 unsigned number, unsigned units, group_listener &listener,
                 const compute_unit_ports &ports = {});

    /* True if a work-group has room now. Waves and memory freed in this cycle count from the next cycle
     * on. */
    bool has_room(uint32_t waves, uint32_t lds_bytes);
    /* Starts the group's waves; they may issue from the next cycle on. */
    void start_group(work_group &g, tick now);
    uint32_t wave_lanes() const { return params_.lanes(); }
    /* Replaces the trace's addresses of global memory by the placement's. The placement must outlive the
     * unit. */
    void place(const image_placement &placement) { placement_ = &placement; }
    /* Notifies the user of pieces of local memory that work-groups get and release; null: no user. */
    void lend_to(piece_listener *user) { lent_to_ = user; }
    const compute_unit_stats &stats() const { return stats_; }
    uint32_t waves_resident() const { return resident_; }
    /* Stops issue; operations in flight complete. */
    void halt() override { halted_ = true; }
    void visit(stat_visitor &v, tick until) const override;
    void laws(law_list &list) const override;
    void flows(std::vector<block_flow> &list, tick until) const override;
    uint64_t live() const override { return accesses_.live() + fetches_.live(); }
    const uint64_t *progress(progress_unit unit) const override
    {
        return unit == progress_unit::instructions ? &stats_.instructions : nullptr;
    }
    std::string waiting() const override;
    void signals(signal_visitor &v) const override;

private:
    static constexpr uint32_t nobody = UINT32_MAX;
    static constexpr uint32_t max_ops = 64, max_lines = 8;
    static constexpr uint64_t no_line = UINT64_MAX;
    static constexpr unsigned local_number = 1; /* number of its port; mem has 0 */
    enum class state : uint8_t { idle, ready, issuing, use, outstanding, port, fetch, barrier, drain };
    /* A piece of local memory. */
    struct piece {
        uint32_t first, bytes;
    };
    struct operation {
        uint64_t use_at; /* number of the first instruction that needs the value; never: none does */
        bool live;
    };
    /* Lines of the wave's kernel, by number, and the one in flight. */
    struct instruction_buffer {
        std::array<uint64_t, max_lines> lines;
        uint32_t oldest = 0;
        uint64_t coming = no_line;
        uint32_t fetch = 0; /* number of its fetch, as an earlier wave's fetch may arrive late */
        bool has(uint64_t line) const;
    };
    struct wave {
        state at = state::idle;
        uint8_t simd = 0;
        bool has_record = false;
        lane_part part;
        uint32_t ops = 0;
        uint64_t compute_left = 0;
        uint64_t index = 0;  /* number of the next instruction */
        uint64_t memory = 0; /* instructions of global memory issued */
        uint64_t age = 0;
        tick mark = 0, born = 0;
        work_group *group = nullptr;
        wkt_cursor cursor;
        wkt_record record;
        uint64_t behind = 0, between = 0; /* see code_path */
        instruction_buffer buffer;
        std::array<operation, max_ops> op;
    };
    struct simd {
        std::vector<uint32_t> waves; /* oldest first */
        uint32_t running = nobody;
        tick started = 0, ends = 0;
        uint64_t count = 0; /* instructions in the present run */
        uint32_t version = 0;
    };
    enum class what : uint8_t { run_end, answer, local_done, local_answer, fetched, start };
    struct event {
        what kind;
        uint32_t a, b;
        wave_access *access;
    };

    void step(tick now) override;
    void on_response(wave_access &a, tick at, unsigned port) override;
    void on_response(tlm::tlm_generic_payload &p, tick at, unsigned port) override;
    void start_wave(work_group &g, const wkt_cursor &from, lane_part part, tick at);
    void fetch(wave &w);
    uint64_t limit(const wave &w) const;
    void settle(uint32_t i, tick now);
    void become(uint32_t i, state s, tick now);
    void schedule(uint32_t s, tick now);
    void preempt(uint32_t s, uint64_t age, tick now);
    void run_ended(uint32_t s, tick now);
    void issue_memory(uint32_t i, tick now);
    void issue_local(uint32_t i, uint64_t use_at, tick now);
    wave_access &access_of(uint32_t i, uint32_t item, tick now);
    void count_lag(wave &w);
    bool refused(const wave &w) const;
    void ports_free(tick now);
    code_run next_code_of(const wave &w) const;
    uint64_t buffered(const wave &w) const;
    bool fill_buffer(uint32_t i, tick now);
    void ask_for(uint32_t i, uint64_t line, tick now);
    void fetched(uint32_t i, uint32_t fetch, tick now);
    void code_port_free(tick now);
    void operation_done(uint32_t i, uint32_t op, tick now, const wave_access *global);
    void arrive_at_barrier(uint32_t i, tick now);
    void release_barrier(work_group &g, tick now);
    void retire(uint32_t i, tick now);
    void release_freed();
    void charge(wave &w, wave_time t, tick now);
    tick lives_ps() const;
    uint32_t new_operation(wave &w, uint64_t use_at);

    compute_unit_params params_;
    unsigned number_, units_;
    group_listener &listener_;
    std::vector<wave> waves_;
    std::vector<uint32_t> free_waves_;
    std::vector<simd> simds_;
    due_queue<event> events_;
    pool<wave_access> accesses_;
    mem_pool fetches_;
    uint32_t fetch_numbers_ = 0;
    bool fetch_waiters_ = false;
    uint32_t resident_ = 0;
    blob local_memory_; /* ww_lds_alloc */
    piece_listener *lent_to_ = nullptr;
    const image_placement *placement_ = nullptr; /* null: the trace's addresses are the program's */
    uint32_t lds_used_ = 0;                      /* bytes that work-groups requested */
    tick freed_at_ = never;
    uint32_t freed_waves_ = 0;
    std::vector<piece> freed_lds_; /* released at freed_at_ */
    uint64_t ages_ = 0;
    uint32_t serial_ = 0;
    tick memory_time_ = 0, lds_free_ = 0;
    uint32_t memory_used_ = 0;
    bool port_waiters_ = false, halted_ = false;
    compute_unit_stats stats_;
};

} // namespace walkway

#endif
