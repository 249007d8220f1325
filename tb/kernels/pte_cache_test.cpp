/* SPDX-License-Identifier: MIT */
/* Tests the PTE-line cache: the paper's sizes, random operations against lists in order of use, and damage
 * that the check must report. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "kernels/bits.h"
#include "kernels/walk/pte_cache.h"
#include "tb/kernels/blob.hpp"

#include <algorithm>
#include <array>
#include <list>
#include <string>
#include <vector>

namespace bdata = boost::unit_test::data;
using walkway_tb::blob;

namespace
{

struct cache {
    blob<ww_pte_cache> c;

    explicit cache(const ww_pte_cache_cfg &cfg) : c(ww_pte_cache_bytes(&cfg))
    {
        BOOST_REQUIRE_EQUAL(ww_pte_cache_init(c, c.bytes(), &cfg), WW_OK);
    }

    std::string check() const
    {
        const char *broken = ww_pte_cache_check(c);
        return broken ? broken : "";
    }

    void fill(uint64_t pa, uint64_t first_word)
    {
        const uint64_t line[8] = {first_word, 1, 2, 3, 4, 5, 6, 7};
        ww_pte_cache_fill(c, pa, line);
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(illegal_configurations_are_refused)
{
    blob<ww_pte_cache> c(4096);
    for (const ww_pte_cache_cfg cfg :
         {ww_pte_cache_cfg{0, 0}, {32, 0}, {1540, 0}, {1536, 5}, {64 * 4097, 0}, {64 * 130, 65}}) {
        BOOST_TEST(ww_pte_cache_bytes(&cfg) == 0u);
        BOOST_TEST(ww_pte_cache_init(c, c.bytes(), &cfg) == WW_E_ARG);
    }
    const ww_pte_cache_cfg good{1536, 4};
    BOOST_TEST(ww_pte_cache_init(c, ww_pte_cache_bytes(&good) - 1, &good) == WW_E_SIZE);
}

BOOST_AUTO_TEST_CASE(the_papers_sizes_hold_as_many_lines_as_they_have_bytes)
{
    for (const uint32_t bytes : {1536u, 4096u, 8192u, 16384u})
        for (const uint32_t ways : {0u, 1u, 4u, 8u}) {
            cache c({bytes, ways});
            for (uint64_t i = 0; i < 2 * bytes / 64; ++i)
                c.fill(i * 64, i);
            BOOST_TEST(ww_pte_cache_count(c.c) == bytes / 64);
            BOOST_TEST(c.check() == "");
        }
}

BOOST_AUTO_TEST_CASE(any_address_of_the_line_hits_and_a_miss_leaves_the_line_alone)
{
    cache c({1536, 0});
    uint64_t line[8] = {99};
    BOOST_TEST(!ww_pte_cache_lookup(c.c, 0x1000, line));
    BOOST_TEST(line[0] == 99u);
    c.fill(0x1010, 42);
    BOOST_TEST(ww_pte_cache_lookup(c.c, 0x103f, line));
    BOOST_TEST(line[0] == 42u);
    BOOST_TEST(line[7] == 7u);
    uint64_t other[8] = {99};
    BOOST_TEST(!ww_pte_cache_probe(c.c, 0x1040, other));
    BOOST_TEST(other[0] == 99u);
    BOOST_TEST(ww_pte_cache_probe(c.c, 0x1000, other));
    BOOST_TEST(other[0] == 42u);
}

BOOST_AUTO_TEST_CASE(invalidation_takes_every_overlapping_line)
{
    cache c({1536, 4});
    for (uint64_t i = 0; i < 6; ++i)
        c.fill(0x1000 + i * 64, i);
    BOOST_TEST(ww_pte_cache_invalidate(c.c, 0x1040, 0) == 0u);
    BOOST_TEST(ww_pte_cache_invalidate(c.c, 0x107f, 2) == 2u);
    uint64_t line[8];
    BOOST_TEST(!ww_pte_cache_probe(c.c, 0x1040, line));
    BOOST_TEST(!ww_pte_cache_probe(c.c, 0x1080, line));
    BOOST_TEST(ww_pte_cache_probe(c.c, 0x10c0, line));
    BOOST_TEST(ww_pte_cache_invalidate(c.c, 0x10c0, UINT64_MAX) == 3u);
    BOOST_TEST(ww_pte_cache_count(c.c) == 1u);
    ww_pte_cache_flush(c.c);
    BOOST_TEST(ww_pte_cache_count(c.c) == 0u);
    BOOST_TEST(c.check() == "");
}

BOOST_AUTO_TEST_CASE(damage_is_named)
{
    cache fresh({1536, 4}); /* six sets */
    fresh.fill(64 * 8, 0);
    BOOST_TEST(fresh.check() == "");
    cache c = fresh;
    c.c->tags.live = 0;
    BOOST_TEST(c.check() == "assoc: the count of valid slots is wrong");
    c = fresh;
    ww_assoc_put(&c.c->tags, c.c, 0, 6);
    BOOST_TEST(c.check() == "pte_cache: a tag with bits outside its fields");
    c = fresh;
    ww_assoc_put(&c.c->tags, c.c, 0, 7 | uint64_t{1} << 63);
    BOOST_TEST(c.check() == "pte_cache: a line in the wrong set");
}

BOOST_DATA_TEST_CASE(it_answers_as_lists_in_order_of_use,
                     (bdata::make({1536u, 1536u, 4096u, 8192u}) ^ bdata::make({0u, 4u, 1u, 0u})) *
                         bdata::xrange(4),
                     bytes, ways, seed)
{
    struct held_line {
        uint64_t number;
        std::array<uint64_t, 8> words;
    };
    cache c({bytes, ways});
    const uint32_t set_ways = ways == 0 ? bytes / 64 : ways;
    const uint32_t sets = bytes / 64 / set_ways;
    std::vector<std::list<held_line>> order(sets); /* oldest first */
    ww_rng rng;
    ww_rng_init(&rng, static_cast<uint64_t>(seed));
    for (int step = 0; step < 3000; ++step) {
        const uint64_t number = ww_rng_below(&rng, bytes / 64 * 2);
        const uint64_t pa = number * 64 + ww_rng_below(&rng, 64);
        auto &used = order[number % sets];
        const auto at = std::find_if(used.begin(), used.end(),
                                     [number](const held_line &l) { return l.number == number; });
        const uint32_t what = ww_rng_below(&rng, 100);
        if (what < 50) {
            std::array<uint64_t, 8> line{}, seen{};
            BOOST_REQUIRE_EQUAL(ww_pte_cache_probe(c.c, pa, seen.data()), at != used.end());
            BOOST_REQUIRE_EQUAL(ww_pte_cache_lookup(c.c, pa, line.data()), at != used.end());
            if (at != used.end()) {
                BOOST_REQUIRE(line == at->words);
                BOOST_REQUIRE(seen == at->words);
                used.splice(used.end(), used, at);
            }
        } else if (what < 97) {
            std::array<uint64_t, 8> line;
            for (auto &word : line)
                word = ww_rng_next(&rng);
            ww_pte_cache_fill(c.c, pa, line.data());
            if (at != used.end())
                used.erase(at);
            else if (used.size() == set_ways)
                used.pop_front();
            used.push_back({number, line});
        } else if (what < 99) {
            const uint64_t length = ww_rng_below(&rng, 300);
            uint32_t gone = 0;
            for (auto &set : order) {
                const size_t before = set.size();
                set.remove_if([&](const held_line &l) {
                    return length != 0 && l.number >= pa / 64 && l.number <= (pa + length - 1) / 64;
                });
                gone += static_cast<uint32_t>(before - set.size());
            }
            BOOST_REQUIRE_EQUAL(ww_pte_cache_invalidate(c.c, pa, length), gone);
        } else {
            const bool all = ww_rng_below(&rng, 2) == 0;
            if (all)
                ww_pte_cache_flush(c.c);
            else
                ww_pte_cache_invalidate(c.c, 1, UINT64_MAX);
            for (auto &set : order)
                set.clear();
        }
        size_t count = 0;
        for (const auto &set : order)
            count += set.size();
        BOOST_REQUIRE_EQUAL(ww_pte_cache_count(c.c), count);
        if (set_ways <= 64 || step % 20 == 0)
            BOOST_REQUIRE_EQUAL(c.check(), "");
    }
    BOOST_TEST(c.c.intact());
}

BOOST_AUTO_TEST_CASE(its_bits_are_those_of_its_lines)
{
    const ww_widths widths = {48, 34, 12, 16};
    ww_pte_cache_cfg cfg = {1024, 0};
    BOOST_TEST(ww_pte_cache_bits(&cfg, &widths) == 16u * (1 + 28 + 512 + 4));
    cfg.ways = 4;
    BOOST_TEST(ww_pte_cache_bits(&cfg, &widths) == 16u * (1 + 26 + 512 + 2));
    cfg = {960, 5}; /* three sets: every third line has the same, so the tag loses one bit and not two */
    BOOST_TEST(ww_pte_cache_bits(&cfg, &widths) == 15u * (1 + 27 + 512) + ww_lru_bits(3, 5));
    cfg = {0, 0};
    BOOST_TEST(ww_pte_cache_bits(&cfg, &widths) == 0u);
    cfg.ways = 4;
    BOOST_TEST(ww_pte_cache_bits(&cfg, &widths) == 0u);
}
