/* SPDX-License-Identifier: MIT */
/* observe/transactions/recorder.hpp - chooses translations as their accounts are closed, and learns from the
 * IOMMU which walker served which. Memory is bounded: by the N of the slowest N, else by a fixed number of
 * translations that wait to be written in the order of their beginnings (a translation that waits out longer
 * than that many others is still written, on a lane of its own). Besides, a few words for each page that was
 * ever walked. */
#ifndef WALKWAY_OBSERVE_TRANSACTIONS_RECORDER_HPP
#define WALKWAY_OBSERVE_TRANSACTIONS_RECORDER_HPP

#include "model/common/observer.hpp"
#include "observe/transactions/plan.hpp"
#include "observe/transactions/writer.hpp"

#include <unordered_map>

namespace walkway
{

/* Transactions by a key; the one with the least key comes out. */
class transaction_heap
{
public:
    struct key {
        uint64_t first, second;
        bool operator<(const key &o) const { return first != o.first ? first < o.first : second < o.second; }
    };
    size_t size() const { return order_.size(); }
    key least() const { return order_.front().k; }
    void push(key k, const transaction &t);
    /* Valid until the next push. */
    const transaction &pop();

private:
    struct entry {
        key k;
        uint32_t slot;
        bool operator<(const entry &o) const { return o.k < k; } /* std's heaps have the greatest on top */
    };
    std::vector<entry> order_;
    std::vector<transaction> slots_;
    std::vector<uint32_t> free_;
};

class transaction_recorder final : public account_observer
{
public:
    static constexpr size_t most_waiting = 16384;

    /* Opens the file; throws file_failure. */
    transaction_recorder(const transaction_plan &plan, const transaction_tracks &tracks);
    void on_closed(const xlat_request &r, tick now) override;
    /* To be attached to the IOMMU; without, no walker is known. */
    observer &walks() { return walks_; }
    /* The simulation is over, or stopped: the file becomes whole. Throws file_failure when it cannot be
     * written or when there is nothing to write. */
    transaction_counts finish(tick now, bool partial);

private:
    /* The last end of a page's stay in the walk buffer, and why. */
    class walk_book final : public observer
    {
    public:
        void on_event(const observed_event &event) override;
        void find(transaction &t) const;

    private:
        struct leave {
            tick time;
            uint32_t walker;
            bool coalesced;
        };
        std::unordered_map<uint64_t, leave> of_; /* by virtual address; never iterated */
    };
    void keep(transaction_heap::key k, const xlat_request &r, tick now);

    transaction_plan plan_;
    transaction_writer writer_;
    walk_book walks_;
    transaction_heap heap_;
    transaction_counts counts_;
    uint64_t chosen_ = 0;
};

} // namespace walkway

#endif
