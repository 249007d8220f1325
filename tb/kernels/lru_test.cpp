/* SPDX-License-Identifier: MIT */
/* Replacement: examples, then random touches and drops against a list in order of use. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "kernels/store/lru.h"

#include <algorithm>
#include <list>
#include <set>
#include <string>
#include <vector>

namespace bdata = boost::unit_test::data;

BOOST_AUTO_TEST_CASE(an_empty_set_fills_from_the_lowest_way)
{
    uint64_t stamps[4] = {0, 0, 0, 0};
    uint64_t clock = 0;
    for (uint32_t way = 0; way < 4; way++) {
        BOOST_TEST(ww_lru_victim(stamps, 4) == way);
        ww_lru_touch(stamps, way, &clock);
        BOOST_TEST(ww_lru_valid(stamps, way));
    }
    BOOST_TEST(ww_lru_victim(stamps, 4) == 0u);
    BOOST_TEST(clock == 4u);
}

BOOST_AUTO_TEST_CASE(a_fill_counts_as_a_use)
{
    /* A set of two holds A and B. Fill C evicts A; fill D then evicts B, not C, which is the newest. */
    uint64_t stamps[2] = {0, 0};
    uint64_t clock = 0;
    ww_lru_touch(stamps, 0, &clock);
    ww_lru_touch(stamps, 1, &clock);
    BOOST_TEST(ww_lru_victim(stamps, 2) == 0u);
    ww_lru_touch(stamps, 0, &clock);
    BOOST_TEST(ww_lru_victim(stamps, 2) == 1u);
}

BOOST_AUTO_TEST_CASE(a_hit_saves_a_way_and_an_invalid_way_goes_first)
{
    uint64_t stamps[4] = {0, 0, 0, 0};
    uint64_t clock = 0;
    for (uint32_t way = 0; way < 4; way++)
        ww_lru_touch(stamps, way, &clock);
    ww_lru_touch(stamps, 0, &clock);
    BOOST_TEST(ww_lru_victim(stamps, 4) == 1u);
    ww_lru_drop(stamps, 3);
    ww_lru_drop(stamps, 2);
    BOOST_TEST(!ww_lru_valid(stamps, 2));
    BOOST_TEST(ww_lru_victim(stamps, 4) == 2u);
}

BOOST_AUTO_TEST_CASE(equal_stamps_go_to_the_lowest_way)
{
    const uint64_t stamps[4] = {7, 5, 5, 9};
    BOOST_TEST(ww_lru_victim(stamps, 4) == 1u);
    BOOST_TEST(ww_lru_victim(stamps, 1) == 0u);
}

BOOST_AUTO_TEST_CASE(the_check_names_what_is_broken)
{
    const uint64_t good[3] = {0, 2, 1}, future[3] = {1, 4, 2}, twins[3] = {3, 0, 3};
    BOOST_TEST(ww_lru_check(good, 3, 2) == nullptr);
    BOOST_TEST(std::string(ww_lru_check(future, 3, 3)).find("newer") != std::string::npos);
    BOOST_TEST(std::string(ww_lru_check(twins, 3, 3)).find("two valid ways") != std::string::npos);
}

BOOST_DATA_TEST_CASE(random_uses_agree_with_a_list, bdata::make({1u, 2u, 4u, 16u, 61u}) * bdata::xrange(3),
                     ways, seed)
{
    std::vector<uint64_t> stamps(ways, 0);
    uint64_t clock = 0;
    std::list<uint32_t> order; /* valid ways, oldest first */
    struct ww_rng rng;
    ww_rng_init(&rng, static_cast<uint64_t>(seed));
    for (int i = 0; i < 2000; i++) {
        uint32_t expect = order.empty() ? 0 : order.front();
        for (uint32_t way = ways; way-- > 0;)
            if (std::find(order.begin(), order.end(), way) == order.end())
                expect = way;
        BOOST_REQUIRE_EQUAL(ww_lru_victim(stamps.data(), ways), expect);
        const uint32_t way = ww_rng_below(&rng, 4) == 0 ? expect : ww_rng_below(&rng, ways);
        order.remove(way);
        if (ww_rng_below(&rng, 8) == 0) {
            ww_lru_drop(stamps.data(), way);
        } else {
            ww_lru_touch(stamps.data(), way, &clock);
            order.push_back(way);
        }
        BOOST_REQUIRE(ww_lru_check(stamps.data(), ways, clock) == nullptr);
    }
}

BOOST_AUTO_TEST_CASE(random_replacement_prefers_invalid_ways_and_reaches_all_others)
{
    uint64_t stamps[8] = {1, 2, 3, 0, 5, 0, 7, 8};
    struct ww_rng rng, same;
    ww_rng_init(&rng, 3);
    ww_rng_init(&same, 3);
    BOOST_TEST(ww_rand_victim(stamps, 8, &rng) == 3u);
    BOOST_TEST(rng.state == same.state);
    stamps[3] = 4;
    stamps[5] = 6;
    std::set<uint32_t> seen;
    for (int i = 0; i < 500; i++) {
        const uint32_t way = ww_rand_victim(stamps, 8, &rng);
        BOOST_TEST(way == ww_rand_victim(stamps, 8, &same));
        seen.insert(way);
    }
    BOOST_TEST(seen.size() == 8u);
}

namespace
{
using bytes = std::vector<uint8_t>;

bytes set_of(bytes first) /* a set's remaining bytes are 0 */
{
    first.resize(16);
    return first;
}
} // namespace

BOOST_AUTO_TEST_CASE(ranks_count_from_the_newest)
{
    bytes ranks(16);
    for (uint32_t way = 0; way < 4; way++) {
        BOOST_TEST(ww_rank_victim(ranks.data(), 16, 4) == way);
        ww_rank_touch(ranks.data(), 16, way);
    }
    BOOST_TEST(ranks == set_of({4, 3, 2, 1}));
    ww_rank_touch(ranks.data(), 16, 1);
    BOOST_TEST(ranks == set_of({4, 1, 3, 2}));
    ww_rank_drop(ranks.data(), 16, 3);
    BOOST_TEST(ranks == set_of({3, 1, 2}));
    ww_rank_drop(ranks.data(), 16, 3); /* a second drop has no effect */
    BOOST_TEST(ranks == set_of({3, 1, 2}));
    BOOST_TEST(ww_rank_victim(ranks.data(), 16, 4) == 3u);
}

BOOST_AUTO_TEST_CASE(equal_bytes_are_found_wherever_they_are)
{
    for (uint32_t width = 16; width <= 64; width += 16)
        for (uint32_t at = 0; at < width; at++) {
            bytes all(width, 7);
            BOOST_TEST(ww_equal(all.data(), width, 0x87) == 0u);
            all[at] = 0x87;
            BOOST_TEST(ww_equal(all.data(), width, 0x87) == uint64_t{1} << at);
            BOOST_TEST(ww_equal(all.data(), width, 7) == ((UINT64_MAX >> (64 - width)) ^ uint64_t{1} << at));
        }
}

BOOST_DATA_TEST_CASE(ranks_and_stamps_are_one_order,
                     bdata::make({1u, 3u, 8u, 16u, 61u, 64u}) * bdata::xrange(3), ways, seed)
{
    const uint32_t width = (ways + 15) / 16 * 16;
    std::vector<uint64_t> stamps(ways, 0);
    bytes ranks(width);
    uint64_t clock = 0;
    struct ww_rng rng, other;
    ww_rng_init(&rng, static_cast<uint64_t>(seed));
    for (int i = 0; i < 3000; i++) {
        const uint32_t expect = ww_lru_victim(stamps.data(), ways);
        BOOST_REQUIRE_EQUAL(ww_rank_victim(ranks.data(), width, ways), expect);
        other = rng;
        struct ww_rng same = rng;
        BOOST_REQUIRE_EQUAL(ww_rank_random(ranks.data(), width, ways, &other),
                            ww_rand_victim(stamps.data(), ways, &same));
        const uint32_t way = ww_rng_below(&rng, 4) == 0 ? expect : ww_rng_below(&rng, ways);
        if (ww_rng_below(&rng, 8) == 0) {
            ww_lru_drop(stamps.data(), way);
            ww_rank_drop(ranks.data(), width, way);
        } else {
            ww_lru_touch(stamps.data(), way, &clock);
            ww_rank_touch(ranks.data(), width, way);
        }
        BOOST_REQUIRE(ww_rank_check(ranks.data(), width, ways) == nullptr);
        BOOST_REQUIRE((ranks[way] != 0) == ww_lru_valid(stamps.data(), way));
    }
}

BOOST_AUTO_TEST_CASE(the_check_of_ranks_names_what_is_broken)
{
    const auto check = [](bytes ranks, uint32_t ways) {
        return ww_rank_check(set_of(ranks).data(), 16, ways);
    };
    BOOST_TEST(check({2, 1}, 2) == nullptr);
    BOOST_TEST(check({}, 2) == nullptr);
    BOOST_TEST(check({1, 1}, 2) == "two valid ways have one rank");
    BOOST_TEST(check({1, 3}, 3) == "the ranks have a gap");
    BOOST_TEST(check({2, 0, 1}, 2) == "a rank outside the set");
    BOOST_TEST(check({5}, 4) == "a rank outside the set");
}
