/* SPDX-License-Identifier: MIT */
/* model/dispatcher.hpp - hands the trace's work-groups, in order, to compute units with room (waves and local
 * memory). A kernel starts when the one before it has ended. A work-group is decompressed when it is
 * dispatched. */
#ifndef WALKWAY_MODEL_DISPATCHER_HPP
#define WALKWAY_MODEL_DISPATCHER_HPP

#include "model/common/params.hpp"
#include "model/common/work_source.hpp"
#include "model/compute_unit.hpp"
#include "trace/wkt.h"

#include <vector>

namespace walkway
{

struct dispatcher_params {
    uint8_t policy = 0; /* 0 round robin, 1 compact */
    uint8_t space = 0;  /* of a work-group: 0 by its launch, 1 by itself */
    uint32_t dispatch_cycles = 1;
    uint32_t launch_cycles = 1000;
    uint32_t spaces = 1; /* set by the platform from the address spaces, not a parameter */

    void visit(param_visitor &v);
};

/* Who is told that a kernel begins, when its first work-group is dispatched: the same as the one before? */
class kernel_listener
{
public:
    virtual void kernel_begins(bool same) = 0;

protected:
    ~kernel_listener() = default;
};

struct dispatcher_events {
    static constexpr event_kind group = {"group_dispatch", "group number; compute unit"};
};

class dispatcher final : public block, public group_listener, public work_source
{
public:
    dispatcher(const sc_core::sc_module_name &name, const clock_domain &clock, const dispatcher_params &p,
               wkt_reader *trace);
    ~dispatcher() override;
    void attach_unit(compute_unit &cu) { units_.push_back(&cu); }
    void tell(kernel_listener &listener) { listeners_.push_back(&listener); }
    /* Where the launches' code lies; else all of it is at address 0, which nobody fetches. */
    void place_code(const std::vector<kernel_code> &of_launch) { code_ = of_launch; }
    /* Throws std::runtime_error where a work-group can never fit a compute unit. */
    void check_fit() const;

    bool done() const override { return launch_ == launches_; }
    /* No work-group is dispatched any more. */
    void halt() override { halted_ = true; }
    uint64_t groups_done() const override { return groups_done_; }
    uint64_t groups_total() const override { return groups_total_; }
    uint64_t launches_done() const { return launch_; }
    /* Cycles in which a work-group waited for a compute unit with room. */
    uint64_t stall_cycles() const { return stall_cycles_; }
    tick ended() const override { return ended_; }
    void visit(stat_visitor &v, tick until) const override;
    std::string waiting() const override;
    void signals(signal_visitor &v) const override;
    void group_done(unsigned cu, work_group &g, tick now) override;

private:
    void start_of_simulation() override
    {
        not_before_ = clock().cycles(params_.launch_cycles);
        wake(not_before_);
    }
    void step(tick now) override;
    bool dispatch(tick now);
    void begin_kernel();
    uint64_t waves_of(const wkt_launch &launch) const; /* of a full work-group, in the trace */
    void load_group();

    dispatcher_params params_;
    wkt_reader *trace_;
    std::vector<compute_unit *> units_;
    std::vector<kernel_listener *> listeners_;
    std::vector<kernel_code> code_;
    pool<work_group> groups_;
    uint32_t launches_, wave_lanes_, launch_ = 0;
    uint32_t begun_ = UINT32_MAX; /* the launch of which a work-group was dispatched last */
    uint32_t next_group_ = 0;
    uint32_t running_ = 0;
    unsigned next_unit_ = 0;
    bool halted_ = false;
    bool loaded_ = false; /* waiting_ holds the next group: no compute unit has room for it yet */
    work_group *waiting_ = nullptr;
    tick not_before_ = 0;
    tick ended_ = 0;
    tick stalled_since_ = never;
    uint64_t stall_cycles_ = 0;
    uint64_t groups_done_ = 0, groups_total_ = 0;
    histogram group_lds_;
};

} // namespace walkway

#endif
