/* SPDX-License-Identifier: MIT */
/* observe/transactions/writer.hpp - translations as a file in the Trace Event Format (JSON), for Perfetto and
 * chrome://tracing. A slice is a pair of B and E events on a thread; times are exact decimals of
 * microseconds, made from integers. Streams: only the lanes take memory. docs/use/transactions.md describes
 * the format. */
#ifndef WALKWAY_OBSERVE_TRANSACTIONS_WRITER_HPP
#define WALKWAY_OBSERVE_TRANSACTIONS_WRITER_HPP

#include "model/common/xlat.hpp"
#include "observe/output_file.hpp"
#include "observe/transactions/lanes.hpp"
#include "observe/transactions/plan.hpp"
#include "observe/transactions/tracks.hpp"

namespace walkway
{

/* A translation whose account is closed. */
struct transaction {
    struct segment {
        cause why;
        tick ps;
        uint32_t server; /* number of the server of its track; `transaction_tracks::nobody` if it has none */
    };
    /* The server that took the translation, or whose read for another translation ended it;
     * `transaction_tracks::nobody` if there is none. */
    struct service {
        const account_track *track = nullptr;
        uint32_t server = transaction_tracks::nobody;
        bool shared = false;
    };
    uint64_t va;
    tick issued, answered;
    uint32_t instruction;
    uint16_t vmid, cu;
    access_kind access;
    bool fault;
    ww_xlat result;
    uint64_t number; /* in the order of answers, from 1 */
    size_t home;     /* the requester's track */
    std::vector<segment> segments;
    service served; /* the last service */
};

class transaction_writer
{
public:
    /* Opens the file; throws file_failure. */
    transaction_writer(const std::string &path, transaction_tracks tracks, tick cycle_ps);
    const transaction_tracks &tracks() const { return tracks_; }
    /* Writes translations in any order; in the order of their beginnings the tracks have the fewest lanes. */
    void write(const transaction &t);
    /* Writes a value at a time, on a track of this name; `value` is in JSON form. */
    void counter(const std::string &name, tick time, const std::string &value);
    /* Completes the file and gives it its name. Throws file_failure. */
    void finish(const transaction_plan &plan, const transaction_counts &counts, tick ended, bool partial);

private:
    struct place {
        uint32_t process;
        uint64_t thread;
    };
    place lane(size_t track_number, tick from, tick to);
    void begin_event(char phase, const place &at, tick time);
    void end_event();
    void name_event(const char *what, const place &at, const std::string &name, uint64_t order);
    void flow(char phase, const place &at, tick time, uint64_t number);
    void segment(const transaction &t, const transaction::segment &s, const place &at, tick from, char phase);
    void describe(const transaction &t);
    void describe_account(const transaction &t);
    std::string last_stage(const transaction &t) const;

    output_file file_;
    transaction_tracks tracks_;
    tick cycle_ps_;
    std::vector<bool> named_;     /* processes named so far, and that of the counters */
    std::vector<lane_set> lanes_; /* of each track */
    std::vector<tick> sums_;      /* of one translation, by row */
    bool first_ = true;
    std::string line_;
};

} // namespace walkway

#endif
