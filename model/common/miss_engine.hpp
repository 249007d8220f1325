/* SPDX-License-Identifier: MIT */
/* model/common/miss_engine.hpp - the miss handling of a stage, of any contents and any protocol of
 * requests: input queues served in turn, ports, the time of lookups, pending misses that merge, stalls,
 * sending below, answers.
 *
 *   up ──> serve() ──hit──> answer
 *            └──miss──> pend() ──> down ──> arrived() ──> an answer for every waiter
 *
 * Without MSHRs (0) nothing merges: a miss goes down by itself while there is room below. The stage
 * defines how a request is served and an answer is used. */
#ifndef WALKWAY_MODEL_COMMON_MISS_ENGINE_HPP
#define WALKWAY_MODEL_COMMON_MISS_ENGINE_HPP

#include "model/common/due_queue.hpp"
#include "model/common/fifo.hpp"
#include "model/common/link.hpp"
#include "model/common/pending.hpp"

#include <array>
#include <string>

namespace walkway
{

/* Limits in requests and entries, and times in cycles. */
struct miss_limits {
    uint32_t ports, queue_entries;
    uint32_t mshrs, merges; /* no MSHRs: no pending misses */
    uint32_t hit_cycles, response_cycles, link_cycles;
};

/* A user of a stage's ports besides the stage's requesters. */
class port_sharer
{
public:
    /* Returns the ports that the requesters do not get in this cycle; the same for every call in the
     * cycle. */
    virtual uint32_t takes_ports(tick now) = 0;

protected:
    ~port_sharer() = default;
};

template <class TYPES> class miss_engine : public block, public target_of<TYPES>, public initiator_of<TYPES>
{
public:
    using payload = typename TYPES::tlm_payload_type;

    in_ports<TYPES> up;
    out_port<TYPES> down;

    uint32_t mshrs_used() const { return limits_.mshrs == 0 ? 0 : pending_.count(); }
    void shares_ports(port_sharer &with) { sharer_ = &with; }
    /* Returns the ports that requesters left in this cycle. Required: the stage has had its step. */
    uint32_t ports_left(tick now) const { return limits_.ports - up.served(now); }

protected:
    /* What a request at the head of its queue waits for; the link counts `below`. */
    enum class stall : uint8_t { mshr, place, other, below };
    enum class pended : uint8_t { stalled, missed, joined };

    miss_engine(const sc_core::sc_module_name &name, const clock_domain &clock, const miss_limits &limits,
                unsigned requesters)
        : block(name, clock), up(*this, *this, requesters, limits.queue_entries), down("down", *this, *this),
          limits_(limits), hit_time_(clock.cycles(limits.hit_cycles)),
          way_up_(clock.cycles(limits.response_cycles)), link_time_(clock.cycles(limits.link_cycles)),
          arrivals_(clock)
    {
        down.holds(uint64_t{limits.ports} * (limits.hit_cycles + limits.link_cycles));
        if (limits.mshrs == 0)
            return;
        pending_ = pending_misses<payload *>({limits.mshrs, limits.merges});
        if (!pending_.ok())
            fail("/walkway/mshr", std::string(this->name()) + ": illegal number of MSHRs or merges");
    }

    /* Serves the oldest request of a port. Returns false if it cannot; stalls() then has set the reason. */
    virtual bool serve(unsigned port, tick now) = 0;
    /* Handles an answer: sends those of its waiters and frees its MSHR. */
    virtual void arrived(payload &p, tick now) = 0;
    /* Called after the cycle's answers, before its lookups. */
    virtual void before_lookups(tick) {}

    bool stalls(stall why)
    {
        stalled_for_ = why;
        return false;
    }
    /* True if a lookup may start. Without MSHRs none starts while a miss would find no room below. */
    bool may_look() { return limits_.mshrs != 0 || down.can_send() || stalls(stall::below); }
    /* Returns a ticket for a request of `key`; `stalled` if there is no room. */
    struct ticket {
        pended how;
        uint32_t entry;
        uint64_t key;
    };
    ticket room(uint64_t key)
    {
        if (limits_.mshrs == 0)
            return {pended::missed, none, key};
        const uint32_t entry = pending_.find(key);
        const bool merge = entry != none;
        if (merge ? pending_.no_place() : pending_.full()) {
            stalls(merge ? stall::place : stall::mshr);
            return {pended::stalled, entry, key};
        }
        return {merge ? pended::joined : pended::missed, entry, key};
    }
    /* Makes p wait, with a ticket that is not `stalled`. For the first waiter, `sent` goes down at `at`.
     * Returns the MSHR. */
    uint32_t pend(const ticket &t, payload &p, payload &sent, tick at)
    {
        if (t.how == pended::joined) {
            pending_.join(t.entry, &p);
            return t.entry;
        }
        go_down(sent, at);
        if (limits_.mshrs != 0)
            return pending_.miss(t.key, &p);
        send(now());
        return none;
    }
    void go_down(payload &p, tick at) { out_.push_back(outgoing{&p, at}); }
    void step(tick now) override
    {
        for (payload *p = nullptr; arrivals_.pop(now, p);)
            arrived(*p, now);
        before_lookups(now);
        if (stalled_since_ != never)
            stall_cycles_[static_cast<size_t>(stalled_for_)] += clock().floor_cycle(now - stalled_since_);
        stalled_since_ = never;
        const uint32_t others = sharer_ == nullptr ? 0 : sharer_->takes_ports(now);
        if (!up.serve(now, limits_.ports - others, [&](unsigned port) { return serve(port, now); }))
            stalled_since_ = now;
        send(now);
        wake(arrivals_.next());
        if (stalled_since_ != never)
            return; /* until an arrival, or END_REQ, wakes it */
        const tick next = up.next();
        if (next != never)
            wake(next > now ? next : now + clock().period());
    }

    bool stalled() const { return stalled_since_ != never; }
    uint64_t stall_cycles(stall why) const { return stall_cycles_[static_cast<size_t>(why)]; }
    uint64_t below_cycles() const { return down.blocked_ps() / clock().period(); }
    uint32_t waiters() const { return limits_.mshrs == 0 ? 0 : pending_.waiting(); }
    uint64_t unsent() const { return out_.size(); }
    uint64_t queued() const
    {
        uint64_t n = 0;
        for (const auto &port : up)
            n += port->size();
        return n;
    }
    /* "3 requests queued, 1 of 8 MSHRs in use" */
    std::string queue_text(const char *what) const
    {
        return std::to_string(queued()) + " " + what + " queued, " + std::to_string(mshrs_used()) + " of " +
               std::to_string(limits_.mshrs) + " MSHRs in use";
    }
    const char *below_text() const { return down.can_send() ? "" : " (blocked)"; }

    static constexpr uint32_t none = pending_misses<payload *>::none;
    miss_limits limits_;
    tick hit_time_, way_up_, link_time_;
    pending_misses<payload *> pending_;

private:
    struct outgoing {
        payload *p;
        tick at;
    };

    void on_response(payload &p, tick at, unsigned) override { wake(arrivals_.push(at, &p)); }

    /* Nothing leaves before the next edge. */
    void send(tick now)
    {
        const tick soonest = now + clock().period();
        while (!out_.empty() && down.can_send()) {
            const outgoing next = out_.front();
            out_.pop_front();
            down.send(*next.p, (next.at > soonest ? next.at : soonest) + link_time_);
        }
    }

    due_queue<payload *> arrivals_;
    fifo<outgoing> out_;            /* not sent yet */
    port_sharer *sharer_ = nullptr; /* null: no other block uses the ports */
    tick stalled_since_ = never;
    stall stalled_for_ = stall::mshr;
    std::array<uint64_t, 4> stall_cycles_{};
};

} // namespace walkway

#endif
