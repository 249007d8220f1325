/* SPDX-License-Identifier: MIT */
/* model/common/account.hpp - where a translation's time goes, by name. Every picosecond between issue and
 * completion is in one segment of the translation's account, and each segment has a cause, on which a stage
 * (a block that answers translations) spends time. A stage registers its causes when it is built, each with
 * the track on which its segments are drawn; several instances of one stage give a cause one name and are
 * added up, but keep their tracks apart. All blocks of a simulation context share one registry, which lives
 * as long as one of them; it knows of blocks only what they register. */
#ifndef WALKWAY_MODEL_COMMON_ACCOUNT_HPP
#define WALKWAY_MODEL_COMMON_ACCOUNT_HPP

#include "model/common/clock.hpp"
#include "model/common/stats.hpp"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace walkway
{

class block;
struct event_kind;

/* The names of a level in the account. Levels of one name are added up. */
struct stage_name {
    std::string name;  /* "l1": of its causes l1_queue, l1_lookup, l1_merged */
    std::string title; /* "L1 TLB" */
};

/* A cause of one stage of one machine. Numbers are assigned as stages are built and have no other meaning.
 * Only the way back up belongs to no stage. */
enum class cause : uint16_t { response };

/* Where segments are drawn: a module, or a part of one ("buffer" of iommu: walk_unit.buffer). Or several
 * equal parts, the servers: a translation is with one of them at a time. The module reports the server's
 * number to its observer (with the virtual address, and the request unless all have VM-ID 0) when the
 * translation goes there, or ends because of a line that this server read. */
struct account_track { /* at most one with servers per block */
    const block *owner;
    std::string part; /* of several parts: of one ("walker": walk_unit.walker_0 ...) */
    uint32_t servers = 0;
    const event_kind *taken = nullptr, *shared = nullptr;
};

class account_names
{
public:
    /* A statistic of the account, account.name, that adds up several causes. */
    struct row {
        std::string name, text;
    };
    struct entry {
        uint16_t row;
        uint32_t track;
        uint32_t level; /* level of the page table, shown with its segments; 0: none */
    };

    /* Returns the registry of the current simulation context. */
    static std::shared_ptr<account_names> here();

    account_names();
    account_names(const account_names &) = delete;
    account_names &operator=(const account_names &) = delete;

    /* Adds a track and returns its number. */
    uint32_t add_track(const account_track &track);
    /* Adds a cause whose segments are drawn on this track. A name used again is the same cause: its text must
     * be equal. */
    cause add(uint32_t track, const std::string &name, const std::string &text, uint32_t level = 0);

    size_t causes() const { return entries_.size(); }
    const entry &of(cause c) const { return entries_[static_cast<size_t>(c)]; }
    const row &row_of(cause c) const { return rows_[of(c).row]; }
    const std::deque<account_track> &tracks() const { return tracks_; }
    const std::deque<row> &rows() const { return rows_; }
    /* Returns the row of each cause, for adding up. */
    const uint16_t *rows_by_cause() const { return row_by_cause_.data(); }
    /* Returns the rows in the order of these blocks, then those that none of them registered, the way back
     * last. */
    std::vector<uint16_t> in_order_of(const std::vector<const block *> &blocks) const;

    static constexpr uint32_t no_track = UINT32_MAX; /* of the way back: drawn where the translation began */

private:
    std::deque<row> rows_; /* addresses stay valid: statistics use their names and texts */
    std::vector<entry> entries_;
    std::vector<uint16_t> row_by_cause_;
    std::deque<account_track> tracks_;
};

/* The times of many translations, added up by row. */
class account_sums
{
public:
    account_sums() = default;
    explicit account_sums(std::shared_ptr<const account_names> names) : names_(std::move(names)) {}
    /* Call after the last stage is built: rows are fixed from here on. */
    void close() { by_row_.resize(names_->rows().size(), 0); }
    /* Adds the segments of a request. Returns their sum. */
    template <class R> tick add(const R &r)
    {
        tick sum = 0;
        const uint16_t *rows = names_->rows_by_cause();
        tick *sums = by_row_.data();
        r.each_segment([&](cause c, tick ps) {
            sum += ps;
            sums[rows[static_cast<size_t>(c)]] += ps;
        });
        return sum;
    }
    tick total() const;
    /* Shows the sums as statistics, in the order of these blocks. `latency`: the sum of the same
     * translations' latencies. */
    void visit(stat_visitor &v, const std::vector<const block *> &order, tick latency, tick period) const;

private:
    std::shared_ptr<const account_names> names_;
    std::vector<tick> by_row_;
};

} // namespace walkway

#endif
