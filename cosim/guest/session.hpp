/* SPDX-License-Identifier: MIT */
/* guest/session.hpp - Walkway's side of the share with an emulator: makes it and the guest's memory, takes
 * the records in order, times those that are accesses, and keeps the disagreements between translations. It
 * does not trust what the other side writes. */
#ifndef WALKWAY_GUEST_SESSION_HPP
#define WALKWAY_GUEST_SESSION_HPP

#include "guest/recorder.hpp"
#include "guest/stream.h"
#include "guest/timed_chain.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace walkway
{

/* A file without a name, mapped; its path is valid for this process and its children. */
class shared_file
{
public:
    shared_file(const char *what, uint64_t bytes); /* throws failure(exit_input) */
    ~shared_file();
    shared_file(const shared_file &) = delete;
    shared_file &operator=(const shared_file &) = delete;
    unsigned char *at() const { return at_; }
    uint64_t bytes() const { return bytes_; }
    std::string path() const;

private:
    int file_;
    uint64_t bytes_;
    unsigned char *at_;
};

struct disagreement {
    ww_guest_record record;
    bool held;   /* the timed translation disagrees; else the plugin's walk of the table */
    uint64_t pa; /* address by the timed translation, or by that walk; 0: it found no page */
};

/* other: disagreements that the plugin has found. held_old: timed translations to another address than the
 * emulator's. faulted: timed translations that found no page. */
struct timed_counts {
    uint64_t accesses = 0, roots = 0, drops = 0, other = 0; /* records by kind */
    uint64_t agreed = 0, held_old = 0, faulted = 0;         /* of the accesses */
};

class guest_session
{
public:
    static constexpr size_t kept = 16; /* number of disagreements kept, the first ones */

    /* every: one access in `every` is timed; 0: none. ring_records: a power of two in [WW_GUEST_RECORDS_MIN,
     * WW_GUEST_RECORDS_MAX]. Throws failure(exit_input) without memory, failure(exit_usage) if the machine
     * cannot be a chain. No access is timed until select(true). */
    guest_session(uint64_t ram_bytes, uint64_t ring_records, uint64_t every,
                  const gpu_machine_params &machine);

    const shared_file &ram() const { return ram_; }
    const shared_file &share_file() const { return file_; }
    ww_guest_share &share() { return *share_; }
    const ww_guest_share &share() const { return *share_; }
    /* Starts or stops timing accesses. */
    void select(bool on) { ww_guest_set(&share_->select, on ? 1 : 0); }
    /* Lets a held guest go on until it ends, without timing what it does until then. */
    void stop()
    {
        select(false);
        ww_guest_set(&share_->stop, 1);
    }
    /* Holds the guest after this total of selected accesses until stop(), so that its memory no longer
     * changes. */
    void hold_after(uint64_t accesses) { ww_guest_set(&share_->most, accesses); }
    /* Also records accesses and roots from here on. Required: before the emulator starts; the recorder
     * outlives every use of this object. */
    void record_to(guest_recorder *recorder) { recorder_ = recorder; }
    /* Compares the recording with memory as it is now, for pages(). Call once, while memory does not change.
     * Required: record_to() was called. */
    void compare_recorded() { pages_ = recorder_->compare({ram_.at(), ram_.bytes()}); }

    /* Takes some of the records and returns how many, 0 if there is none now; does not wait. Throws
     * failure(exit_input) for a record that no plugin writes; failure(exit_output) if the recorder fails. */
    uint64_t take();

    ww_guest_state state() const { return static_cast<ww_guest_state>(ww_guest_get(&share_->state)); }
    std::string reason() const; /* the plugin's, if it refused */
    const ww_guest_counts &counts() const { return share_->counts; }
    const timed_counts &timed() const { return timed_; }
    const std::vector<disagreement> &disagreements() const { return disagreements_; }
    const timed_chain &chain() const { return chain_; }
    const guest_recorder *recorder() const { return recorder_; }
    const recorded_pages &pages() const { return pages_; }

    void visit(stat_visitor &v) const;
    std::vector<law> laws() const;
    /* Returns the number of all disagreements of both kinds, kept or not. */
    uint64_t disagreed() const;

private:
    void take(const ww_guest_record &r);
    void time(const ww_guest_record &r);
    void keep(const disagreement &d);

    shared_file ram_, file_;
    ww_guest_share *share_;
    timed_chain chain_;
    timed_counts timed_;
    std::vector<disagreement> disagreements_;
    std::vector<ww_guest_record> records_;
    uint64_t taken_ = 0;
    guest_recorder *recorder_ = nullptr; /* null: no recording */
    recorded_pages pages_;
};

} // namespace walkway

#endif
