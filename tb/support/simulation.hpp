/* SPDX-License-Identifier: MIT */
/* tb/support/simulation.hpp - a fresh SystemC for every test case, and the neighbours of a block under test:
 * a requester above it and a responder below it, for any of our protocols. The requester checks the
 * four-phase protocol on its side: one BEGIN_REQ at a time, END_REQ only for the blocked request, one
 * response per request, one BEGIN_RESP at a time. Any report of severity WARNING or above becomes an
 * exception and fails the test, unless the test expects it. */
#ifndef WW_TB_SUPPORT_SIMULATION_HPP
#define WW_TB_SUPPORT_SIMULATION_HPP

#include "kernels/bits.h"
#include "model/common/block.hpp"
#include "model/common/due_queue.hpp"
#include "model/common/link.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>

namespace walkway::test
{

constexpr tick period = 500;
inline const clock_domain gpu_clock{period};
constexpr tick cycle(uint64_t n)
{
    return n * period;
}

/* The context of one test case. Construct it first and destroy it last. */
class simulation
{
public:
    /* The time resolution of all simulations that are constructed later. */
    struct resolution {
        double number;
        sc_core::sc_time_unit unit;
    };
    static inline resolution time_resolution{1, sc_core::SC_PS};

    simulation()
    {
        using namespace sc_core;
        context_ = std::make_unique<sc_simcontext>();
        sc_curr_simcontext = sc_default_global_context = context_.get();
        sc_set_time_resolution(time_resolution.number, time_resolution.unit);
        sc_report_handler::set_actions(SC_WARNING, SC_THROW);
        sc_report_handler::set_actions(SC_ERROR, SC_THROW);
        sc_report_handler::set_actions(SC_FATAL, SC_THROW);
    }
    ~simulation()
    {
        static sc_core::sc_simcontext *const spare = new sc_core::sc_simcontext; /* SystemC needs one */
        sc_core::sc_curr_simcontext = sc_core::sc_default_global_context = spare;
    }
    simulation(const simulation &) = delete;
    simulation &operator=(const simulation &) = delete;

    /* Runs until no activity is pending. */
    void run()
    {
        run_until(1); /* lets blocks that wake at the start of simulation wake first */
        if (sc_core::sc_pending_activity())
            sc_core::sc_start();
    }
    /* On return everything before t has happened and nothing at t. */
    void run_until(tick t)
    {
        if (t > simulation_time())
            sc_core::sc_start(time_scale::here().time(t) - sc_core::sc_time_stamp());
    }

private:
    std::unique_ptr<sc_core::sc_simcontext> context_;
};

/* Sends in the order of ask() and records when each payload was answered. */
template <class T> class requester final : public block, private tlm::tlm_bw_transport_if<T>
{
public:
    using payload = typename T::tlm_payload_type;
    tlm::tlm_initiator_socket<32, T> down;
    std::map<const payload *, tick> done; /* when the answer arrived */
    std::vector<payload *> order;         /* in the order of their answers */
    std::function<void(payload &, tick)> on_answer;
    uint64_t sent = 0, refused = 0; /* refused: END_REQ did not come with the return value */
    uint32_t keep_response = 0;     /* most cycles by which END_RESP is delayed; 0: in the return value */
    tick lead = 0;                  /* sends requests this long before they arrive */

    explicit requester(const sc_core::sc_module_name &name = "requester", const clock_domain &clk = gpu_clock)
        : block(name, clk), down("down"), answers_(clk)
    {
        down.bind(static_cast<tlm::tlm_bw_transport_if<T> &>(*this));
        ww_rng_init(&random_, 1);
    }
    /* p arrives at the target at `at`, or later if an earlier request is still blocked. */
    void ask(payload &p, tick at)
    {
        waiting_.push_back({&p, at});
        wake(early(waiting_.front().at));
    }
    bool quiet() const { return waiting_.empty() && out_.empty() && blocked_ == nullptr; }
    std::string waiting() const override { return quiet() ? "" : "requests out"; }

private:
    struct entry {
        payload *p;
        tick at;
    };

    void step(tick now) override
    {
        payload *p = nullptr;
        while (answers_.pop(now, p)) {
            done[p] = now;
            order.push_back(p);
            if (on_answer)
                on_answer(*p, now);
        }
        wake(answers_.next());
        if (kept_ != nullptr && kept_until_ <= now) {
            payload &last = *kept_;
            kept_ = nullptr;
            tlm::tlm_phase phase = tlm::END_RESP;
            sc_core::sc_time delay;
            down->nb_transport_fw(last, phase, delay);
        }
        if (kept_ != nullptr)
            wake(kept_until_);
        while (!waiting_.empty() && early(waiting_.front().at) <= now && blocked_ == nullptr) {
            const entry next = waiting_.front();
            waiting_.pop_front();
            send(*next.p, next.at > now ? next.at : now);
        }
        if (!waiting_.empty() && blocked_ == nullptr)
            wake(early(waiting_.front().at));
    }

    tick early(tick at) const { return at > lead ? clock().ceil(at - lead) : 0; }
    void send(payload &p, tick at)
    {
        ++sent;
        BOOST_TEST(out_.count(&p) == 0u, "a payload was sent while it was out");
        out_[&p] = true;
        blocked_ = &p;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = delay_to(at);
        const tlm::tlm_sync_enum answer = down->nb_transport_fw(p, phase, delay);
        if (answer == tlm::TLM_UPDATED && phase == tlm::END_REQ)
            blocked_ = nullptr;
        else
            refused += answer == tlm::TLM_ACCEPTED ? 1 : 0;
    }

    tlm::tlm_sync_enum nb_transport_bw(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) override
    {
        if (phase == tlm::END_REQ) {
            BOOST_TEST(blocked_ == &p, "END_REQ for a request that does not wait for it");
            blocked_ = nullptr;
            wake(clock().ceil(now() + 1));
            return tlm::TLM_ACCEPTED;
        }
        BOOST_TEST(phase == tlm::BEGIN_RESP);
        BOOST_TEST(out_.count(&p) == 1u, "an answer to nothing, or a second answer");
        BOOST_TEST(kept_ == nullptr, "BEGIN_RESP before END_RESP of the one before");
        out_.erase(&p);
        if (blocked_ == &p)
            blocked_ = nullptr;
        const tick at = arrival(delay);
        wake(answers_.push(at, &p));
        const uint32_t way = keep_response == 0 ? 0 : ww_rng_below(&random_, 4);
        if (way > 1) {
            kept_ = &p;
            kept_until_ = clock().ceil(at) + clock().cycles(1 + ww_rng_below(&random_, keep_response));
            wake(kept_until_);
            return tlm::TLM_ACCEPTED;
        }
        phase = tlm::END_RESP;
        return way == 1 ? tlm::TLM_UPDATED : tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    due_queue<payload *> answers_;
    std::deque<entry> waiting_;
    std::map<const payload *, bool> out_;
    payload *blocked_ = nullptr;
    payload *kept_ = nullptr;
    tick kept_until_ = 0;
    ww_rng random_;
};

/* Answers each request `latency` cycles after taking it. Takes at most `max_outstanding` and none before
 * `closed_until`; in a cycle it takes none with a probability of `stall_percent`. */
template <class T> class responder final : public block, public target_of<T>
{
public:
    using payload = typename T::tlm_payload_type;
    in_port<T> up;
    uint64_t latency = 100;
    uint32_t max_outstanding = UINT32_MAX;
    tick closed_until = 0;
    uint32_t stall_percent = 0, jitter = 0;      /* jitter: most cycles that an answer is delayed */
    std::function<void(payload &, tick)> answer; /* fills in the result; the tick is the answer's time */
    std::function<unsigned(payload &)> on_debug;
    std::vector<std::pair<payload *, tick>> taken; /* with the time */
    uint32_t outstanding = 0, most_outstanding = 0;

    explicit responder(const sc_core::sc_module_name &name = "responder", const clock_domain &clk = gpu_clock,
                       uint32_t queue_entries = 1024)
        : block(name, clk), up("up", *this, *this, queue_entries), ends_(clk)
    {
        ww_rng_init(&random_, 2);
    }
    std::string waiting() const override { return up.size() == 0 ? "" : "requests queued"; }

private:
    void step(tick now) override
    {
        bool ended = false;
        while (ends_.pop(now, ended))
            --outstanding;
        wake(ends_.next());
        const bool stall = ww_rng_below(&random_, 100) < stall_percent;
        while (!stall && now >= closed_until && up.ready(now) && outstanding < max_outstanding) {
            payload &p = up.front();
            taken.push_back({&p, now});
            up.pop();
            ++outstanding;
            most_outstanding = outstanding > most_outstanding ? outstanding : most_outstanding;
            const tick at =
                now + clock().cycles(latency + (jitter == 0 ? 0 : ww_rng_below(&random_, jitter)));
            wake(ends_.push(at, true));
            if (answer)
                answer(p, at);
            up.respond(p, at);
        }
        if (now < closed_until)
            wake(closed_until);
        else if (stall)
            wake(now + clock().period());
        if (up.next() != never && outstanding < max_outstanding)
            wake(up.next() > now ? up.next() : now + clock().period());
    }
    unsigned debug(payload &p) override { return on_debug ? on_debug(p) : 0; }

    due_queue<bool> ends_;
    ww_rng random_;
};

/* A row of a timing test: when the request is sent, and when the answer must arrive: not before that edge,
 * and at it. */
template <class T> struct row {
    tick asked;
    typename T::tlm_payload_type *p;
    tick back;
};

template <class T> void check_rows(simulation &sim, requester<T> &top, std::vector<row<T>> rows)
{
    for (const row<T> &r : rows)
        top.ask(*r.p, r.asked);
    std::stable_sort(rows.begin(), rows.end(),
                     [](const row<T> &a, const row<T> &b) { return a.back < b.back; });
    for (size_t i = 0, edge = 0; i < rows.size(); i = edge) {
        sim.run_until(rows[i].back);
        for (edge = i; edge < rows.size() && rows[edge].back == rows[i].back; ++edge)
            BOOST_TEST(top.done.count(rows[edge].p) == 0u,
                       "asked at " << rows[edge].asked << " ps: answered before " << rows[i].back);
        sim.run_until(rows[i].back + 1);
        for (size_t n = i; n < edge; ++n)
            BOOST_TEST(top.done.count(rows[n].p) == 1u,
                       "asked at " << rows[n].asked << " ps: no answer by " << rows[i].back);
    }
    sim.run();
    for (const row<T> &r : rows)
        BOOST_TEST(top.done[r.p] == r.back, "asked at " << r.asked << " ps: answered at " << top.done[r.p]
                                                        << " ps instead of " << r.back);
    BOOST_TEST(top.quiet());
}

} // namespace walkway::test

#endif
