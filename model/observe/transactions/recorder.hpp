/* SPDX-License-Identifier: MIT */
/* observe/transactions/recorder.hpp - chooses translations as their accounts are closed, and learns from
 * stages with servers (walkers) which server served which translation. Memory is bounded: by the N of the
 * slowest N, else by a fixed number of translations that wait to be written in the order of their beginnings
 * (one that is in flight longer than that many others take is still written, on a lane of its own); and a few
 * words for each page ever walked. */
#ifndef WALKWAY_OBSERVE_TRANSACTIONS_RECORDER_HPP
#define WALKWAY_OBSERVE_TRANSACTIONS_RECORDER_HPP

#include "model/common/observer.hpp"
#include "observe/transactions/plan.hpp"
#include "observe/transactions/writer.hpp"

#include <map>
#include <unordered_map>

namespace walkway
{

/* Transactions by a key; pop() takes the one with the least key. */
class transaction_heap
{
public:
    struct key {
        uint64_t first, second;
        bool operator<(const key &o) const { return first != o.first ? first < o.first : second < o.second; }
    };
    size_t size() const { return order_.size(); }
    key least() const { return order_.front().k; }
    void push(key k, transaction t);
    /* Returns the transaction with the least key, valid until the next push. */
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

/* The times at which translations last went to a server of a track, by VM-ID and virtual address. An event of
 * the track that has no request is of VM-ID 0. */
class service_book final : public observer
{
public:
    explicit service_book(const account_track &track) : track_(track) {}
    void on_event(const observed_event &event) override;
    /* Returns the service of the address from time `at` on, with server `nobody` if it is not known. */
    transaction::service find(uint16_t vmid, uint64_t va, tick at) const;
    const account_track &track() const { return track_; }

private:
    struct address {
        uint64_t va;
        uint16_t vmid;
        bool operator==(const address &o) const { return va == o.va && vmid == o.vmid; }
    };
    struct address_hash {
        size_t operator()(const address &a) const;
    };
    struct leave {
        tick time;
        uint32_t server;
        bool shared;
    };
    const account_track &track_;
    std::unordered_map<address, leave, address_hash> of_; /* never iterated */
};

/* Observes, from its construction to finish(), the machine's blocks that close accounts or have servers. */
class transaction_recorder final : public account_observer
{
public:
    static constexpr size_t most_waiting = 16384;

    /* Opens the file; throws file_failure. */
    transaction_recorder(const transaction_plan &plan, const std::vector<block *> &blocks, tick cycle_ps);
    ~transaction_recorder() override { stop_watching(); }
    transaction_recorder(const transaction_recorder &) = delete;
    transaction_recorder &operator=(const transaction_recorder &) = delete;
    void on_closed(const block &requester, const xlat_request &r, tick now) override;
    /* Writes a value at a time in ps on a track of this name. value: as JSON; name: without characters that
     * JSON escapes. */
    void counter(const std::string &name, tick time, const std::string &value)
    {
        writer_.counter(name, time, value);
    }
    /* Completes the file when the simulation is over or stopped. Throws file_failure if it cannot be written
     * or there is nothing to write. */
    transaction_counts finish(tick now, bool partial);

private:
    void stop_watching();
    void keep(transaction_heap::key k, const block &requester, const xlat_request &r, tick now);
    void find_services(transaction &t) const;

    transaction_plan plan_;
    std::vector<block *> blocks_;
    transaction_writer writer_;
    std::map<const block *, service_book> books_;
    transaction_heap heap_;
    transaction_counts counts_;
    uint64_t chosen_ = 0;
};

} // namespace walkway

#endif
