/* SPDX-License-Identifier: MIT */
/* model/dispatcher.hpp - hands work-groups, in the order of their trace, to compute units with room (waves
 * and local memory). A kernel starts when its program's previous one has ended. A work-group is decompressed
 * when it is dispatched. Several programs take turns on all compute units, kernel by kernel, or each has a
 * share of them (docs/use/processes.md). */
#ifndef WALKWAY_MODEL_DISPATCHER_HPP
#define WALKWAY_MODEL_DISPATCHER_HPP

#include "model/common/work_source.hpp"
#include "model/compute_unit.hpp"
#include "model/params/dispatcher.hpp"
#include "model/program_list.hpp"
#include "trace/wkt.h"

#include <functional>
#include <vector>

namespace walkway
{

/* Receives the begin of a kernel, at the dispatch of its first work-group. same: it is the kernel of the
 * launch before. */
class kernel_listener
{
public:
    virtual void kernel_begins(bool same) = 0;

protected:
    ~kernel_listener() = default;
};

/* Compute units with consecutive numbers. */
struct unit_range {
    unsigned first, count;
    bool meets(const unit_range &o) const { return first < o.first + o.count && o.first < first + count; }
};

struct dispatcher_events {
    static constexpr event_kind group = {"group_dispatch", "group number; compute unit"};
};

class dispatcher final : public block, public group_listener, public work_source
{
public:
    /* Empties every TLB and walk cache, then calls `acknowledged` with the time. */
    using flush_fn = std::function<void(std::function<void(tick)> acknowledged)>;

    dispatcher(const sc_core::sc_module_name &name, const clock_domain &clock, const dispatcher_params &p,
               const program_list &all);
    ~dispatcher() override;
    void attach_unit(compute_unit &cu) { units_.push_back(&cu); }
    /* Notifies the listener of kernels on these compute units. */
    void tell(kernel_listener &listener, unit_range of) { listeners_.push_back({&listener, of}); }
    /* Sets the addresses of the code of a program's launches. By default all of it is at address 0 and is
     * never fetched. */
    void place_code(size_t program, const std::vector<kernel_code> &of_launch)
    {
        runs_[program].code = of_launch;
    }
    /* Before time zero, for one program: its earlier launches are over, and its resident work-groups begin
     * at once. The point must outlive the run. Throws std::runtime_error if the point does not fit the
     * program. */
    void start_at(const start_point &point);
    /* Required with on_switch = flush. */
    void flushes_with(flush_fn flush) { flush_ = std::move(flush); }
    /* Throws std::runtime_error if a work-group can never fit a compute unit. */
    void check_fit() const;

    bool done() const override { return open_ == 0 && running_ == 0; }
    /* Stops dispatch; work-groups that run go on. */
    void halt() override { halted_ = true; }
    /* Without those of a program that has begun again. */
    uint64_t groups_done() const override { return groups_done_; }
    uint64_t groups_total() const override { return groups_total_; }
    uint64_t launches_done() const { return launches_done_; }
    /* Returns the cycles in which a work-group waited for a compute unit with room. */
    uint64_t stall_cycles() const { return stall_cycles_; }
    tick ended() const override { return ended_; }
    void visit(stat_visitor &v, tick until) const override;
    std::string waiting() const override;
    void signals(signal_visitor &v) const override;
    void group_done(unsigned cu, work_group &g, tick now) override;

private:
    static constexpr uint32_t none = UINT32_MAX;
    /* A program and the state of its run. */
    struct program_run {
        wkt_reader *trace;
        uint32_t launches, wave_lanes;
        std::vector<kernel_code> code = {};
        uint32_t launch = 0, next_group = 0, running = 0;
        bool begun = false,
             started = false;          /* a work-group of the launch, or of the program, was dispatched */
        unsigned unit = 0;             /* in its share, tried first for the next work-group */
        work_group *waiting = nullptr; /* the next one, loaded, for which no compute unit has room yet */
        tick not_before = 0;
        tick began = 0;             /* begin of the launch */
        uint64_t spread_cycles = 0; /* from then to the first waves on the last unit of its share */
        tick ended = never;         /* first time that the program ended */
        uint64_t groups_done = 0, times = 0;
        uint64_t furthest_wave = 0; /* of the launch; compute units update it */

        uint32_t groups() const { return wkt_reader_launch(trace, launch)->groups; }
    };
    struct listening {
        kernel_listener *who;
        unit_range of;
    };
    /* The kernel that began last on a share of the compute units. */
    struct kernel {
        uint32_t program = none, launch = 0;
    };

    void start_of_simulation() override;
    void step(tick now) override;
    bool may_dispatch(const program_run &p) const;
    bool dispatch(program_run &p, tick now);
    void begin_kernel(program_run &p, tick now);
    tick waves_from(const program_run &p, unsigned unit) const;
    void end_kernel(program_run &p, tick now);
    void skip_empty(program_run &p, tick now);
    void end_program(program_run &p, tick now);
    void take_turns(tick now);
    void flush();
    uint64_t waves_of(const program_run &p, const wkt_launch &launch) const; /* of a full work-group */
    void check_fit(const program_run &p) const;
    void load_group(program_run &p, const resident_group *from = nullptr);
    void place_resident(program_run &p);
    void start_group(program_run &p, unsigned unit, tick now);
    uint16_t space_of(const program_run &p) const; /* of its next work-group */
    uint32_t number_of(const program_run &p) const { return static_cast<uint32_t>(&p - runs_.data()); }
    uint32_t share_of(const program_run &p) const { return number_of(p) % params_.shares; }
    unit_range units_of(const program_run &p) const
    {
        const auto each = static_cast<unsigned>(units_.size()) / params_.shares;
        return {share_of(p) * each, each};
    }
    bool in_turns() const { return runs_.size() > 1 && params_.shares == 1; }

    dispatcher_params params_;
    const image_space *image_; /* null: memory and pages are laid out */
    std::vector<program_run> runs_;
    std::vector<compute_unit *> units_;
    std::vector<listening> listeners_;
    std::vector<kernel> last_; /* of each share */
    pool<work_group> groups_;
    const start_point *from_ = nullptr; /* null: the beginning */
    flush_fn flush_;
    uint32_t open_;      /* programs that have not yet ended once */
    uint32_t turn_ = 0;  /* the program whose kernel may run, if they take turns */
    uint32_t first_ = 0; /* the first of those that may dispatch */
    uint32_t running_ = 0;
    enum class flushing : uint8_t { no, wanted, under_way } flushing_ = flushing::no;
    bool halted_ = false;
    tick free_at_ = 0; /* time from which the next work-group may be dispatched */
    tick ended_ = 0;
    tick stalled_since_ = never, flush_since_ = 0;
    uint64_t stall_cycles_ = 0;
    uint64_t groups_done_ = 0, groups_total_ = 0, launches_done_ = 0, switches_ = 0, flushes_ = 0;
    histogram group_lds_, flush_latency_;
};

} // namespace walkway

#endif
