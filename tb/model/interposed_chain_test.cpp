/* SPDX-License-Identifier: MIT */
/* Two requesters, a first-level cache each, a shared write-back cache and main memory: with a checker on
 * every socket no block recognizes its neighbour as one of ours, yet every answer arrives at the same time
 * and in the same order. */
#include "model/data_cache.hpp"
#include "model/dram.hpp"
#include "tb/support/base_protocol_checker.hpp"
#include "tb/support/block_numbers.hpp"
#include "tb/support/requests.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;

namespace
{

struct outcome {
    std::vector<tick> back;    /* in the order of requests */
    std::vector<size_t> order; /* answers to the one, then to the other: numbers in the order of requests */
    std::vector<std::map<std::string, std::string>> stats;
    uint64_t transactions = 0;
};

data_cache_params cache(bool first)
{
    data_cache_params p = numbers_of<data_cache_params>();
    p.bytes = first ? 16 * 64 : 64 * 64;
    p.ways = 4;
    p.write = first ? WW_WRITE_THROUGH : WW_WRITE_BACK;
    p.hit_cycles = first ? 4 : 9;
    p.ports = 1;
    p.queue_entries = 2;
    p.mshrs = p.merges = p.write_entries = 4;
    p.link_cycles = first ? 7 : 20;
    return p;
}

outcome run(uint64_t seed, bool interposed)
{
    const bool before = base_protocol::interposed;
    base_protocol::interposed = interposed;
    memory_store store;
    lines l;
    simulation sim;
    dram_params memory = numbers_of<dram_params>();
    memory.refi = 0;
    memory.read_entries = memory.write_entries = memory.write_high = memory.queue_entries = 2;
    memory.write_low = 0;
    dram below("dram", memory, store, 1);
    data_cache shared("shared", gpu_clock, cache(false), store, 2);
    std::deque<mem_requester> top;
    std::deque<data_cache> first;
    base_protocol rules;
    rules.held([&l](const auto &p) { return l.holds(p); });
    rules.bind(shared.down, *below.up[0]);
    outcome o;
    for (unsigned i = 0; i < 2; ++i) {
        top.emplace_back(("top_" + std::to_string(i)).c_str());
        first.emplace_back(("first_" + std::to_string(i)).c_str(), gpu_clock, cache(true), store, 1);
        rules.bind(top[i].down, *first[i].up[0]);
        rules.bind(first[i].down, *shared.up[i]);
    }
    ww_rng random;
    ww_rng_init(&random, seed);
    std::vector<std::pair<unsigned, tlm::tlm_generic_payload *>> asked;
    for (tick at = cycle(5); asked.size() < 400; at += cycle(ww_rng_below(&random, 12))) {
        const uint64_t pa = uint64_t{ww_rng_below(&random, 160)} * 64;
        tlm::tlm_generic_payload &p = ww_rng_below(&random, 3) == 0 ? l.write(pa) : l.read(pa);
        const unsigned who = ww_rng_below(&random, 2);
        asked.push_back({who, &p});
        top[who].ask(p, at);
    }
    sim.run();
    for (const auto &a : asked)
        o.back.push_back(top[a.first].done.at(a.second));
    for (const mem_requester &t : top)
        for (const auto *p : t.order)
            for (size_t n = 0; n < asked.size(); ++n)
                if (asked[n].second == p)
                    o.order.push_back(n);
    for (const data_cache *c : {&first[0], &first[1], &shared})
        o.stats.push_back(stat_text::of(c->stats()));
    o.transactions = rules.transactions();
    base_protocol::interposed = before;
    return o;
}

} // namespace

BOOST_DATA_TEST_CASE(a_shared_cache_over_main_memory_answers_at_the_same_times_through_checkers,
                     boost::unit_test::data::make({1u, 2u, 3u, 4u}), seed)
{
    const outcome alone = run(seed, false), through = run(seed, true);
    BOOST_TEST(alone.back == through.back, boost::test_tools::per_element());
    BOOST_TEST(alone.order == through.order, boost::test_tools::per_element());
    BOOST_TEST((alone.stats == through.stats));
    BOOST_TEST(alone.transactions == 0u);
    BOOST_TEST(through.transactions > 400u);
}
