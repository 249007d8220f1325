/* SPDX-License-Identifier: MIT */
/* model/parked_faults.hpp - requests whose walks met an absent entry: parked in the fault table until their
 * page is handled, then walked again or answered. docs/model/page-faults.md. */
#ifndef WALKWAY_MODEL_PARKED_FAULTS_HPP
#define WALKWAY_MODEL_PARKED_FAULTS_HPP

#include "kernels/walk/fault_table.h"
#include "model/common/due_queue.hpp"
#include "model/common/fault.hpp"
#include "model/common/fifo.hpp"
#include "model/common/link.hpp"
#include "model/common/pool.hpp"

#include <string>
#include <vector>

namespace walkway
{

struct parked_fault_stats {
    uint64_t faults_parked = 0, faults_joined = 0, faults_sent = 0, faults_refused = 0, faults_resumed = 0,
             fault_walks = 0, fault_kept_ps = 0, fault_table_peak = 0, stall_faults_cycles = 0;
};

/* The owner of parked requests, each under a number. */
class fault_parker
{
public:
    virtual xlat_request &request_of(uint32_t job) = 0;
    /* Ends a request, which has left the fault table. */
    virtual void end_parked(uint32_t job, const ww_xlat &x, bool fault, tick now) = 0;

protected:
    ~fault_parker() = default;
};

class parked_faults final : public initiator_of<fault_protocol>
{
public:
    out_port<fault_protocol> port; /* to the pager */

    parked_faults(block &owner, fault_parker &parker, uint32_t entries, parked_fault_stats &stats);
    void park(uint32_t job);
    /* The walker keeps its walk and does nothing else until the table has room for it. */
    void keep(uint32_t walker, tick now) { kept_.push_back(kept_walk{walker, now}); }
    /* Takes the oldest kept walk to be parked and sets `walker`. Returns false if there is none, or no
     * room. */
    bool take_kept(tick now, uint32_t &walker);
    /* Takes the oldest request whose page has been handled, to walk again, and sets `job`. Returns false if
     * there is none. */
    bool take(tick now, uint32_t &job);
    /* The request's walk met an absent entry again, */
    void again(uint64_t va, uint16_t vmid) { ww_faults_again(table(), va, vmid); }
    /* or ended with this result; the requests that joined it end with it. */
    void walked(uint64_t va, uint16_t vmid, const ww_xlat &x, bool fault, tick now)
    {
        if (ww_faults_walking(table(), va, vmid))
            leave(va, vmid, x, fault, now);
    }
    /* Call at the begin of each step of the owner, and at its end. */
    void take_handled(tick now);
    void send(tick now);
    tick next() const { return handled_.next(); }
    void on_response(fault_request &f, tick at, unsigned) override
    {
        owner_.wake(handled_.push(at, f.owner));
    }

    uint32_t used() const { return ww_faults_used(table()); }
    uint32_t room() const { return count(WW_FAULT_FREE); }
    uint32_t count(enum ww_fault_role role) const { return table()->count[role]; }
    size_t kept() const { return kept_.size(); }
    std::string waiting() const;

private:
    struct kept_walk {
        uint32_t walker;
        tick since;
    };
    uint64_t leave(uint64_t va, uint16_t vmid, const ww_xlat &x, bool fault, tick now);
    ww_faults *table() { return table_.as<ww_faults>(); }
    const ww_faults *table() const { return table_.as<ww_faults>(); }

    block &owner_;
    fault_parker &parker_;
    parked_fault_stats &stats_;
    cause queue_, service_;
    blob table_;
    std::vector<fault_request> sent_; /* by entry */
    due_queue<uint32_t> handled_;     /* entries whose pages have been handled */
    fifo<kept_walk> kept_;            /* walks without room in the table */
};

} // namespace walkway

#endif
