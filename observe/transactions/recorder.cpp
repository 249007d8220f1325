/* SPDX-License-Identifier: MIT */
/* observe/transactions/recorder.cpp - selection. */
#include "observe/transactions/recorder.hpp"

#include <algorithm>

namespace walkway
{

void transaction_heap::push(key k, const transaction &t)
{
    uint32_t slot = static_cast<uint32_t>(slots_.size());
    if (free_.empty()) {
        slots_.push_back(t);
    } else {
        slot = free_.back();
        free_.pop_back();
        slots_[slot] = t;
    }
    order_.push_back(entry{k, slot});
    std::push_heap(order_.begin(), order_.end());
}

const transaction &transaction_heap::pop()
{
    std::pop_heap(order_.begin(), order_.end());
    const uint32_t slot = order_.back().slot;
    order_.pop_back();
    free_.push_back(slot);
    return slots_[slot];
}

/* -- walkers */

void transaction_recorder::walk_book::on_event(const observed_event &event)
{
    if (event.kind == event_kind::walk_start || event.kind == event_kind::walk_coalesced)
        of_[event.a] =
            leave{event.time, static_cast<uint32_t>(event.b), event.kind == event_kind::walk_coalesced};
}

/* The account says when a translation left the walk buffer; a page in flight is there once at a time. */
void transaction_recorder::walk_book::find(transaction &t) const
{
    t.walker = transaction::nobody;
    t.coalesced = false;
    const xlat_request &r = t.request;
    bool passed = false;
    tick at = r.issued;
    for (unsigned i = 0; i < r.spans; i = r.next_span(i)) {
        const auto c = static_cast<cause>(r.span_cause[i]);
        if (c >= cause::walk_cache)
            break;
        passed = passed || c >= cause::iommu_queue;
        at += r.span(i);
    }
    if (!passed)
        return;
    const auto found = of_.find(r.va);
    if (found == of_.end() || found->second.time != at)
        return;
    t.walker = found->second.walker;
    t.coalesced = found->second.coalesced;
}

/* -- selection */

transaction_recorder::transaction_recorder(const transaction_plan &plan, const transaction_tracks &tracks)
    : plan_(plan), writer_(plan.file, tracks)
{
}

void transaction_recorder::keep(transaction_heap::key k, const xlat_request &r, tick now)
{
    transaction t{r, counts_.answered, now, transaction::nobody, false};
    walks_.find(t);
    heap_.push(k, t);
}

void transaction_recorder::on_closed(const xlat_request &r, tick now)
{
    ++counts_.answered;
    if (r.issued >= plan_.to || now <= plan_.from)
        return;
    ++counts_.in_window;
    if (plan_.slowest != 0) { /* the least of the heap is the fastest, and of equal ones the last */
        const transaction_heap::key k = {now - r.issued, ~counts_.answered};
        if (heap_.size() == plan_.slowest) {
            if (k < heap_.least())
                return;
            heap_.pop();
        }
        keep(k, r, now);
        return;
    }
    if (counts_.in_window % plan_.every != 0)
        return;
    if (chosen_ == plan_.limit) {
        if (counts_.left_out++ == 0)
            counts_.first_left_out = now;
        return;
    }
    ++chosen_;
    keep({r.issued, counts_.answered}, r, now);
    if (heap_.size() > most_waiting) {
        writer_.write(heap_.pop());
        ++counts_.written;
    }
}

transaction_counts transaction_recorder::finish(tick now, bool partial)
{
    if (counts_.written + heap_.size() == 0)
        throw file_failure(counts_.in_window == 0
                               ? "no translation was under way there; the run ended at " +
                                     std::to_string(now) + " ps"
                               : "there were only " + std::to_string(counts_.in_window) +
                                     " translations to take every " + std::to_string(plan_.every) + "th of");
    if (plan_.slowest != 0) {
        transaction_heap by_beginning;
        while (heap_.size() != 0) {
            const transaction &t = heap_.pop();
            by_beginning.push({t.request.issued, t.number}, t);
        }
        heap_ = std::move(by_beginning);
    }
    for (; heap_.size() != 0; ++counts_.written)
        writer_.write(heap_.pop());
    writer_.finish(plan_, counts_, now, partial);
    return counts_;
}

} // namespace walkway
