/* SPDX-License-Identifier: MIT */
/* model/os_script.cpp - behaviour of the scripted operating system. */
#include "model/os_script.hpp"

#include "model/common/signals.hpp"

#include <algorithm>

namespace walkway
{

os_script::os_script(const sc_core::sc_module_name &name, const clock_domain &clock,
                     std::vector<os_event> events, const work_source &work, pager *pages,
                     invalidate_fn invalidate)
    : block(name, clock), events_(std::move(events)), results_(events_.size()), begun_(clock), work_(work),
      pages_(pages), invalidate_(std::move(invalidate))
{
    for (size_t i = 0; i < events_.size(); ++i) {
        if (events_[i].what != os_event::action::flush && pages_ == nullptr)
            fail("/walkway/os_script",
                 events_[i].where + ": tables are to be changed, and there is no pager");
        if (events_[i].at == os_event::moment::cycle)
            by_cycle_.push_back(i);
    }
    std::stable_sort(by_cycle_.begin(), by_cycle_.end(),
                     [this](size_t a, size_t b) { return events_[a].number < events_[b].number; });
}

/* The kernel's events are due in the next cycle, also if this block has a step in the present one. */
void os_script::kernel_begins(bool)
{
    wake(begun_.push(now() + clock().period(), kernels_++));
}

void os_script::step(tick now)
{
    if (halted_ || work_.done())
        return;
    for (uint64_t kernel = 0; begun_.pop(now, kernel);)
        for (size_t i = 0; i < events_.size(); ++i)
            if (events_[i].at == os_event::moment::launch && events_[i].number == kernel)
                ask(i, now);
    wake(begun_.next());
    for (; next_ < by_cycle_.size(); ++next_) {
        const tick due = clock().cycles(events_[by_cycle_[next_]].number);
        if (due > now) {
            wake(due);
            return;
        }
        ask(by_cycle_[next_], now);
    }
}

void os_script::ask(size_t i, tick now)
{
    const os_event &e = events_[i];
    results_[i].due = true;
    results_[i].asked_cycle = clock().floor_cycle(now);
    ++asked_;
    observe(os_script_events::asked, i, e.number);
    const auto changed = [this, i](tick at, const change_result &c) { done(i, at, c); };
    if (e.what == os_event::action::change)
        pages_->change(e.change, e.of, changed);
    else if (e.what == os_event::action::exchange)
        pages_->exchange(e.of.vmid, e.other, changed);
    else
        invalidate_({e.scope, e.tables, {}}, [this, i](tick at, const drop_counts &dropped) {
            change_result none;
            none.dropped = dropped;
            done(i, at, none);
        });
}

void os_script::done(size_t i, tick at, const change_result &c)
{
    os_event_result &r = results_[i];
    r.acknowledged = true;
    r.acknowledged_cycle = clock().ceil_cycle(at);
    r.pages = c;
    ++acknowledged_;
    pages_changed_ += c.changed;
    lines_ += c.lines;
    latency_.add(r.acknowledged_cycle - r.asked_cycle);
    observe(os_script_events::acknowledged, i, c.changed);
    if (sampled())
        wake(clock().ceil(at) + clock().period());
}

void os_script::visit(stat_visitor &v, tick) const
{
    v.level("events", events_.size(), "events", "in the list");
    v.count("asked", asked_, "count", "of those, that became due before the run ended");
    v.count("acknowledged", acknowledged_, "count", "of those, done: the old translation is held nowhere");
    v.count("pages_changed", pages_changed_, "count", "pages that they changed");
    v.count("lines_written", lines_, "count", "lines of page tables that were written for it");
    v.hist("latency", latency_, "cycles",
           "of an event, from its moment to the acknowledgement; those before it "
           "included");
}

void os_script::laws(law_list &list) const
{
    list.add("events asked for = acknowledged", asked_, acknowledged_);
}

std::string os_script::waiting() const
{
    return asked_ == acknowledged_ ? ""
                                   : std::to_string(asked_ - acknowledged_) +
                                         " events of the operating system are not acknowledged";
}

void os_script::signals(signal_visitor &visitor) const
{
    visitor.show([&](auto &v) {
        v.value("open", 16, asked_ - acknowledged_, "events that are not acknowledged");
        v.pulse("asked", 8, asked_, "events asked for");
        v.pulse("acknowledged", 8, acknowledged_, "events acknowledged");
    });
}

} // namespace walkway
