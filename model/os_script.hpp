/* SPDX-License-Identifier: MIT */
/* model/os_script.hpp - an operating system that follows a list of events: at a cycle, or as a kernel begins,
 * the pager maps, unmaps, moves or protects pages for it, or translations are invalidated without a change of
 * tables. It does not wait for acknowledgements: the pager handles one request after the other, and so are
 * invalidates handled. docs/use/events.md. */
#ifndef WALKWAY_MODEL_OS_SCRIPT_HPP
#define WALKWAY_MODEL_OS_SCRIPT_HPP

#include "model/common/block.hpp"
#include "model/common/due_queue.hpp"
#include "model/common/stats.hpp"
#include "model/dispatcher.hpp"
#include "model/os_event.hpp"
#include "model/pager.hpp"

#include <functional>
#include <vector>

namespace walkway
{

struct os_script_events {
    static constexpr event_kind asked = {"os_event_asked", "number of the event; its moment's number"},
                                acknowledged = {"os_event_acknowledged",
                                                "number of the event; pages changed"};
};

class os_script final : public block, public kernel_listener
{
public:
    using invalidate_fn = pager::invalidate_fn;

    /* Acts until `work` is done. `pages`: null if no event changes any. */
    os_script(const sc_core::sc_module_name &name, const clock_domain &clock, std::vector<os_event> events,
              const work_source &work, pager *pages, invalidate_fn invalidate);
    void kernel_begins(bool same) override;
    /* Stops issuing events. */
    void halt() override { halted_ = true; }
    const std::vector<os_event_result> &results() const { return results_; }
    void visit(stat_visitor &v, tick) const override;
    void laws(law_list &list) const override;
    std::string waiting() const override;
    void signals(signal_visitor &v) const override;

private:
    void start_of_simulation() override { wake(0); }
    void step(tick now) override;
    void ask(size_t i, tick now);
    void done(size_t i, tick at, const change_result &c);

    std::vector<os_event> events_;
    std::vector<os_event_result> results_;
    std::vector<size_t> by_cycle_; /* events at a cycle, in their order */
    size_t next_ = 0;              /* index of the next of these */
    uint64_t kernels_ = 0;         /* begun */
    due_queue<uint64_t> begun_;    /* numbers of kernels whose events are not yet due */
    const work_source &work_;
    pager *pages_;
    invalidate_fn invalidate_;
    bool halted_ = false;
    uint64_t asked_ = 0, acknowledged_ = 0, pages_changed_ = 0, lines_ = 0;
    histogram latency_;
};

} // namespace walkway

#endif
