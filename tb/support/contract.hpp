/* SPDX-License-Identifier: MIT */
/* tb/support/contract.hpp - the tests that every block that answers requests must pass, whatever it does:
 * WW_CONTRACT(name, rig) makes the suite for one block. A rig is constructed with `refusing`: if true, the
 * level below stalls and answers out of order, and the requester delays END_RESP. It has
 *   protocol, sim, top                        top is the requester
 *   payload &make(ww_rng &, tick at)          a random request
 *   void prove(const payload &)               tests that its answer is right
 *   unsigned debug(ww_rng &)                  a random transport_dbg
 *   stats(), waiting(), live()                statistics as text; "" if idle; payloads not released
 *   void close(tick), uint64_t bound()        the level below accepts nothing until then; the most requests
 *                                             that are accepted meanwhile (0: there is no level below) */
#ifndef WW_TB_SUPPORT_CONTRACT_HPP
#define WW_TB_SUPPORT_CONTRACT_HPP

#include "tb/support/requests.hpp"

namespace walkway::test::contract
{

constexpr unsigned requests = 300;

template <class R> using payload_of = typename R::protocol::tlm_payload_type;

/* Sends n random requests, in bursts with gaps between. */
template <class R> std::vector<payload_of<R> *> ask(R &r, unsigned n, uint64_t seed)
{
    ww_rng random;
    ww_rng_init(&random, seed);
    std::vector<payload_of<R> *> all;
    tick at = r.top.clock().ceil(simulation_time()) + r.top.clock().cycles(5);
    for (unsigned i = 0; i < n; ++i) {
        all.push_back(&r.make(random, at));
        r.top.ask(*all.back(), at);
        if (ww_rng_below(&random, 4) == 0)
            at += r.top.clock().cycles(ww_rng_below(&random, 40));
    }
    return all;
}

template <class R> void prove(R &r, const std::vector<payload_of<R> *> &all)
{
    BOOST_TEST(r.top.done.size() == all.size());
    BOOST_TEST(r.top.order.size() == all.size());
    BOOST_TEST(r.top.quiet());
    for (payload_of<R> *p : all)
        r.prove(*p);
    BOOST_TEST(r.waiting() == "");
    BOOST_TEST(r.live() == 0u);
}

template <class R> void exactly_once(bool refusing)
{
    for (uint64_t seed = 1; seed <= 4; ++seed) {
        R r(refusing);
        const auto all = ask(r, requests, seed);
        r.sim.run();
        prove(r, all);
    }
}

template <class R> void nothing_invented()
{
    R r(false);
    const auto before = r.stats();
    r.sim.run_until(r.top.clock().cycles(5000));
    BOOST_TEST(r.top.order.empty());
    BOOST_TEST((r.stats() == before));
    BOOST_TEST(r.waiting() == "");
}

template <class R> void drains_and_goes_on()
{
    R r(true);
    auto all = ask(r, 60, 1);
    r.sim.run();
    prove(r, all);
    const auto more = ask(r, 60, 2);
    all.insert(all.end(), more.begin(), more.end());
    r.sim.run();
    prove(r, all);
}

template <class R> void back_pressure()
{
    R r(false);
    if (r.bound() == 0)
        return;
    const tick open = r.top.clock().cycles(4000);
    r.close(open);
    const auto all = ask(r, 200, 3);
    r.sim.run_until(open);
    BOOST_TEST(r.top.sent <= r.bound());
    BOOST_TEST(r.top.sent >= 2u);
    BOOST_TEST(r.top.refused >= 1u);
    r.sim.run();
    prove(r, all);
}

template <class R> void debug_has_no_effect()
{
    std::map<std::string, std::string> stats[2];
    std::vector<tick> times[2];
    for (unsigned run = 0; run < 2; ++run) {
        R r(false);
        ww_rng random;
        ww_rng_init(&random, 8);
        const auto all = ask(r, 120, 4);
        for (unsigned slice = 1; slice <= 40; ++slice) {
            r.sim.run_until(r.top.clock().cycles(slice * 40));
            if (run == 0)
                continue;
            const auto before = r.stats();
            for (unsigned i = 0; i < 5; ++i)
                BOOST_TEST(r.debug(random) != 0u);
            BOOST_TEST((r.stats() == before));
        }
        r.sim.run();
        prove(r, all);
        stats[run] = r.stats();
        for (const auto *p : all)
            times[run].push_back(r.top.done[p]);
    }
    BOOST_TEST((stats[0] == stats[1]));
    BOOST_TEST(times[0] == times[1], boost::test_tools::per_element());
}

} // namespace walkway::test::contract

#define WW_CONTRACT(NAME, RIG)                                                                               \
    BOOST_AUTO_TEST_SUITE(NAME)                                                                              \
    BOOST_AUTO_TEST_CASE(every_request_is_answered_exactly_once_and_rightly)                                 \
    {                                                                                                        \
        walkway::test::contract::exactly_once<RIG>(false);                                                   \
    }                                                                                                        \
    BOOST_AUTO_TEST_CASE(neighbours_that_refuse_and_dawdle_change_nothing_of_that)                           \
    {                                                                                                        \
        walkway::test::contract::exactly_once<RIG>(true);                                                    \
    }                                                                                                        \
    BOOST_AUTO_TEST_CASE(nothing_is_invented)                                                                \
    {                                                                                                        \
        walkway::test::contract::nothing_invented<RIG>();                                                    \
    }                                                                                                        \
    BOOST_AUTO_TEST_CASE(it_drains_and_can_go_on)                                                            \
    {                                                                                                        \
        walkway::test::contract::drains_and_goes_on<RIG>();                                                  \
    }                                                                                                        \
    BOOST_AUTO_TEST_CASE(a_closed_level_below_stops_the_sender_in_the_end)                                   \
    {                                                                                                        \
        walkway::test::contract::back_pressure<RIG>();                                                       \
    }                                                                                                        \
    BOOST_AUTO_TEST_CASE(a_debug_access_changes_no_statistic_and_no_time)                                    \
    {                                                                                                        \
        walkway::test::contract::debug_has_no_effect<RIG>();                                                 \
    }                                                                                                        \
    BOOST_AUTO_TEST_SUITE_END()

#endif
