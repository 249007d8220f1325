/* SPDX-License-Identifier: MIT */
/* tb/kernels/dram_late_test.cpp - a channel reports the refreshes of an idle time only later: commands,
 * cycles and totals stay the same. */
#include "dram_rig.hpp"
#include "dram_traffic.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cstring>

namespace
{

struct channel {
    explicit channel(const ww_dram_cfg &cfg) : blob(cfg), d(blob.get()) {}
    /* Does the steps that are due before `end`. */
    void catch_up(uint64_t end)
    {
        while (ww_dram_due(d) < end) {
            const uint64_t due = ww_dram_due(d);
            ww_dram_event e;
            ww_dram_step(d, due, &e);
            if (e.cmd != WW_DRAM_NONE)
                log.push_back({due, e});
        }
    }

    dram_blob blob;
    ww_dram *d;
    std::vector<dram_entry> log;
};

/* One channel reports each idle-time refresh; the other accounts for all of them in one go. Both must
 * continue alike. */
void compare_idle_refreshes(uint64_t seed)
{
    dram_traffic load(seed + 2000);
    const ww_dram_cfg cfg = dram_random_cfg(load.rng);
    channel one_by_one(cfg), at_once(cfg);
    uint64_t told = 0, last = 0;
    const auto ask = [&](uint64_t now) {
        uint64_t cycle = 0;
        for (ww_dram_event e; ww_dram_idle_refresh(one_by_one.d, now, &cycle, &e); last = cycle) {
            BOOST_REQUIRE(e.cmd == WW_DRAM_PREA || e.cmd == WW_DRAM_REF);
            BOOST_REQUIRE_GE(cycle, last);
            BOOST_REQUIRE_LE(cycle, now);
            told += e.cmd == WW_DRAM_REF;
        }
    };
    const auto totals = [](ww_dram *d, uint64_t now) {
        ww_dram_activity a;
        ww_dram_activity_at(d, now, &a);
        return a;
    };
    uint64_t now = 0;
    for (uint32_t n = 0; n < 60; n++) {
        now += load.below(4) == 0 ? load.below(20000) : load.below(200);
        for (channel *c : {&one_by_one, &at_once})
            c->catch_up(now);
        ask(now);
        if (load.below(3) == 0) {
            const ww_dram_activity a = totals(one_by_one.d, now), b = totals(at_once.d, now);
            BOOST_REQUIRE(std::memcmp(&a, &b, sizeof a) == 0);
        }
        const ww_dram_loc loc = load.location(cfg);
        const bool is_write = load.below(2) != 0;
        BOOST_REQUIRE_EQUAL(ww_dram_enqueue(one_by_one.d, &loc, is_write, n + 1, now),
                            ww_dram_enqueue(at_once.d, &loc, is_write, n + 1, now));
        uint64_t cycle = 0;
        ww_dram_event e;
        BOOST_REQUIRE(!ww_dram_idle_refresh(one_by_one.d, now, &cycle, &e)); /* the channel is not idle */
    }
    for (channel *c : {&one_by_one, &at_once})
        c->catch_up(now + 100000);
    ask(now + 100000);
    const ww_dram_activity a = totals(one_by_one.d, now + 100000), b = totals(at_once.d, now + 100000);
    BOOST_TEST(std::memcmp(&a, &b, sizeof a) == 0);
    for (const dram_entry &entry : one_by_one.log)
        told += entry.event.cmd == WW_DRAM_REF;
    BOOST_TEST(told == a.refreshes);
    BOOST_REQUIRE_EQUAL(one_by_one.log.size(), at_once.log.size());
    for (size_t i = 0; i < at_once.log.size(); ++i)
        BOOST_REQUIRE(one_by_one.log[i].cycle == at_once.log[i].cycle &&
                      same_event(one_by_one.log[i].event, at_once.log[i].event));
}

} // namespace

BOOST_DATA_TEST_CASE(idle_refreshes_one_by_one_come_to_the_same, boost::unit_test::data::xrange(40), seed)
{
    compare_idle_refreshes(uint64_t(seed));
}
