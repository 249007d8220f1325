/* SPDX-License-Identifier: MIT */
/* Hash index: random insertions and removals against std::map, in tables so small that probes wrap and
 * collide. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "kernels/host/hash_index.h"

#include <map>
#include <vector>

namespace bdata = boost::unit_test::data;

BOOST_AUTO_TEST_CASE(cells_are_a_power_of_two_and_at_least_twice_the_slots)
{
    for (uint32_t slots = 1; slots < 300; ++slots) {
        const uint32_t cells = ww_hidx_cells(slots);
        BOOST_TEST(ww_is_pow2(cells));
        BOOST_TEST(cells >= 2 * slots);
        BOOST_TEST(cells < 4 * slots + 1);
    }
}

BOOST_DATA_TEST_CASE(it_answers_as_a_map, bdata::make({1u, 2u, 5u, 8u, 64u, 200u}) * bdata::xrange(4), slots,
                     seed)
{
    const uint32_t mask = ww_hidx_cells(slots) - 1;
    std::vector<uint32_t> cells(mask + 1, 0);
    std::vector<uint64_t> keys(slots, 0);
    std::map<uint64_t, uint32_t> reference;
    std::vector<uint32_t> unused;
    for (uint32_t slot = 0; slot < slots; ++slot)
        unused.push_back(slot);
    ww_rng rng;
    ww_rng_init(&rng, static_cast<uint64_t>(seed));
    for (int step = 0; step < 3000; ++step) {
        const uint64_t key = ww_rng_below(&rng, 3 * slots);
        const auto held = reference.find(key);
        BOOST_REQUIRE_EQUAL(ww_hidx_find(cells.data(), mask, keys.data(), sizeof(uint64_t), key),
                            held == reference.end() ? WW_HIDX_NONE : held->second);
        if (held != reference.end()) {
            ww_hidx_remove(cells.data(), mask, keys.data(), sizeof(uint64_t), held->second);
            unused.push_back(held->second);
            reference.erase(held);
        } else if (!unused.empty()) {
            const uint32_t slot = unused.back();
            unused.pop_back();
            keys[slot] = key;
            ww_hidx_insert(cells.data(), mask, key, slot);
            reference[key] = slot;
        }
        for (const auto &entry : reference)
            BOOST_REQUIRE_EQUAL(ww_hidx_find(cells.data(), mask, keys.data(), sizeof(uint64_t), entry.first),
                                entry.second);
    }
}
