/* SPDX-License-Identifier: MIT */
/* observe/transactions/recorder.cpp - selects translations to write, and finds their servers. */
#include "observe/transactions/recorder.hpp"

#include "kernels/bits.h"
#include "model/common/block.hpp"

#include <algorithm>

namespace walkway
{

void transaction_heap::push(key k, transaction t)
{
    uint32_t slot = static_cast<uint32_t>(slots_.size());
    if (free_.empty()) {
        slots_.push_back(std::move(t));
    } else {
        slot = free_.back();
        free_.pop_back();
        slots_[slot] = std::move(t);
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

/* -- servers */

size_t service_book::address_hash::operator()(const address &a) const
{
    return static_cast<size_t>(ww_mix64(a.va ^ ww_mix64(a.vmid)));
}

void service_book::on_event(const observed_event &event)
{
    const uint16_t vmid = event.request == nullptr ? uint16_t{0} : event.request->vmid;
    if (event.kind == track_.taken || event.kind == track_.shared)
        of_[{event.a, vmid}] = leave{event.time, static_cast<uint32_t>(event.b), event.kind == track_.shared};
}

transaction::service service_book::find(uint16_t vmid, uint64_t va, tick at) const
{
    const auto found = of_.find({va, vmid});
    if (found == of_.end() || found->second.time != at)
        return {&track_, transaction_tracks::nobody, false};
    return {&track_, found->second.server, found->second.shared};
}

/* A server of a stage takes a translation where the account's segments on the servers' track begin or,
 * without such a segment, where the translation's stay in the stage ends. If the book's last event of the
 * address has another time, the server is unknown. */
void transaction_recorder::find_services(transaction &t) const
{
    const account_names &names = writer_.tracks().names();
    const auto owner_of = [&](const transaction::segment &s) -> const block * {
        const uint32_t track = names.of(s.why).track;
        return track == account_names::no_track ? nullptr : names.tracks()[track].owner;
    };
    tick at = t.issued;
    for (size_t i = 0; i < t.segments.size();) {
        const block *const owner = owner_of(t.segments[i]);
        const auto book = books_.find(owner);
        tick left = never;
        const size_t first = i;
        for (; i < t.segments.size() && owner_of(t.segments[i]) == owner; at += t.segments[i++].ps)
            if (book != books_.end() && left == never &&
                &names.tracks()[names.of(t.segments[i].why).track] == &book->second.track())
                left = at;
        if (book == books_.end())
            continue;
        const transaction::service s = book->second.find(t.vmid, t.va, left == never ? at : left);
        if (s.server == transaction_tracks::nobody)
            continue;
        t.served = s;
        for (size_t k = first; k < i; ++k)
            if (&names.tracks()[names.of(t.segments[k].why).track] == s.track)
                t.segments[k].server = s.server;
    }
}

/* -- selection */

transaction_recorder::transaction_recorder(const transaction_plan &plan, const std::vector<block *> &blocks,
                                           tick cycle_ps)
    : plan_(plan), blocks_(blocks), writer_(plan.file, transaction_tracks(blocks), cycle_ps)
{
    for (const account_track &t : writer_.tracks().names().tracks())
        if (t.servers != 0)
            books_.emplace(t.owner, t);
    for (block *b : blocks_) {
        if (auto *closer = dynamic_cast<account_closer *>(b))
            closer->watch(this);
        const auto book = books_.find(b);
        if (book != books_.end())
            b->attach(&book->second);
    }
}

void transaction_recorder::stop_watching()
{
    for (block *b : blocks_) {
        if (auto *closer = dynamic_cast<account_closer *>(b))
            closer->watch(nullptr);
        if (books_.count(b) != 0)
            b->attach(nullptr);
    }
    blocks_.clear();
}

void transaction_recorder::keep(transaction_heap::key k, const block &requester, const xlat_request &r,
                                tick now)
{
    transaction t;
    t.va = r.va;
    t.issued = r.issued;
    t.answered = now;
    t.instruction = r.instruction;
    t.vmid = r.vmid;
    t.cu = r.cu;
    t.access = r.access;
    t.fault = r.fault;
    t.result = r.result;
    t.number = counts_.answered;
    t.home = writer_.tracks().home_of(requester);
    r.each_segment([&](cause why, tick ps) {
        t.segments.push_back(transaction::segment{why, ps, transaction_tracks::nobody});
    });
    find_services(t);
    heap_.push(k, std::move(t));
}

void transaction_recorder::on_closed(const block &requester, const xlat_request &r, tick now)
{
    ++counts_.answered;
    if (r.issued >= plan_.to || now <= plan_.from)
        return;
    ++counts_.in_window;
    if (plan_.slowest != 0) { /* the heap's least is the fastest translation; of equals, the last */
        const transaction_heap::key k = {now - r.issued, ~counts_.answered};
        if (heap_.size() == plan_.slowest) {
            if (k < heap_.least())
                return;
            heap_.pop();
        }
        keep(k, requester, r, now);
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
    keep({r.issued, counts_.answered}, requester, r, now);
    if (heap_.size() > most_waiting) {
        writer_.write(heap_.pop());
        ++counts_.written;
    }
}

transaction_counts transaction_recorder::finish(tick now, bool partial)
{
    stop_watching();
    if (counts_.written + heap_.size() == 0)
        throw file_failure(counts_.in_window == 0
                               ? "no translation was under way there; the run ended at " +
                                     std::to_string(now) + " ps"
                               : "one of each " + std::to_string(plan_.every) +
                                     " translations was to be taken, and there were only " +
                                     std::to_string(counts_.in_window));
    if (plan_.slowest != 0) {
        transaction_heap by_beginning;
        while (heap_.size() != 0) {
            const transaction &t = heap_.pop();
            by_beginning.push({t.issued, t.number}, t);
        }
        heap_ = std::move(by_beginning);
    }
    for (; heap_.size() != 0; ++counts_.written)
        writer_.write(heap_.pop());
    writer_.finish(plan_, counts_, now, partial);
    return counts_;
}

} // namespace walkway
