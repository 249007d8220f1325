/* SPDX-License-Identifier: MIT */
/* Tests the data cache: write policies by example, random operations against lists in order of use, and
 * damage that the check reports. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "kernels/bits.h"
#include "kernels/dcache.h"
#include "tb/kernels/blob.hpp"

#include <algorithm>
#include <list>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace bdata = boost::unit_test::data;
using walkway_tb::blob;

namespace
{

ww_dcache_cfg config(uint32_t sets, uint32_t ways, ww_write_policy write = WW_WRITE_BACK)
{
    return {sets, ways, 64, WW_INDEX_MODULO, static_cast<uint8_t>(write)};
}

struct cache {
    blob<ww_dcache> c;

    explicit cache(const ww_dcache_cfg &cfg) : c(ww_dcache_bytes(&cfg))
    {
        BOOST_REQUIRE_EQUAL(ww_dcache_init(c, c.bytes(), &cfg), WW_OK);
    }

    bool hit(uint64_t pa, bool is_write = false)
    {
        return ww_dcache_lookup(c, pa, is_write) == WW_DCACHE_HIT;
    }

    ww_dcache_victim fill(uint64_t pa, bool dirty = false)
    {
        ww_dcache_victim v{true, true, 1};
        ww_dcache_fill(c, pa, dirty, &v);
        return v;
    }

    std::string check() const
    {
        const char *broken = ww_dcache_check(c);
        return broken ? broken : "";
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(illegal_configurations_are_refused)
{
    std::vector<ww_dcache_cfg> bad(10, config(32, 16));
    bad[0].sets = 0;
    bad[1].sets = 48;
    bad[2].ways = 0;
    bad[3].ways = 65;
    bad[4].line_bytes = 48;
    bad[5].line_bytes = 8;
    bad[6].line_bytes = 8192;
    bad[7].index = WW_INDEX_XOR + 1;
    bad[8].write = WW_WRITE_BACK + 1;
    bad[9].sets = 1u << 31;
    blob<ww_dcache> c(4096);
    for (const auto &cfg : bad) {
        BOOST_TEST(ww_dcache_bytes(&cfg) == 0u);
        BOOST_TEST(ww_dcache_init(c, c.bytes(), &cfg) == WW_E_ARG);
    }
    const ww_dcache_cfg good = config(1, 65 - 1);
    BOOST_TEST(ww_dcache_init(c, ww_dcache_bytes(&good) - 1, &good) == WW_E_SIZE);
}

BOOST_AUTO_TEST_CASE(names)
{
    BOOST_TEST(ww_write_policy_name(WW_WRITE_THROUGH) == "through");
    BOOST_TEST(ww_write_policy_name(WW_WRITE_BACK) == "back");
    BOOST_TEST(ww_dcache_result_name(WW_DCACHE_MISS) == "miss");
    BOOST_TEST(ww_dcache_result_name(WW_DCACHE_HIT) == "hit");
}

BOOST_AUTO_TEST_CASE(write_back_marks_dirty_and_reports_it_on_eviction)
{
    cache c(config(2, 2));
    BOOST_TEST(!c.hit(0x000, true));
    BOOST_TEST(!c.fill(0x000, true).valid);
    BOOST_TEST(!c.fill(0x080).valid);
    BOOST_TEST(c.hit(0x0bf, true));
    const ww_dcache_victim first = c.fill(0x100);
    BOOST_TEST(first.valid);
    BOOST_TEST(first.dirty);
    BOOST_TEST(first.pa == 0x000u);
    const ww_dcache_victim second = c.fill(0x180);
    BOOST_TEST(second.dirty);
    BOOST_TEST(second.pa == 0x080u);
    const ww_dcache_victim third = c.fill(0x200);
    BOOST_TEST(third.valid);
    BOOST_TEST(!third.dirty); /* the dirty bit was evicted with its line */
    BOOST_TEST(third.pa == 0x100u);
}

BOOST_AUTO_TEST_CASE(write_through_never_holds_a_dirty_line)
{
    cache c(config(2, 2, WW_WRITE_THROUGH));
    c.fill(0x000);
    BOOST_TEST(c.hit(0x000, true));
    bool was_dirty = true;
    BOOST_TEST(ww_dcache_invalidate(c.c, 0x000, &was_dirty));
    BOOST_TEST(!was_dirty);
    BOOST_CHECK_THROW(c.fill(0x000, true), std::logic_error);
}

BOOST_AUTO_TEST_CASE(a_refreshed_line_stays_dirty)
{
    cache c(config(2, 2));
    c.fill(0x000, true);
    BOOST_TEST(!c.fill(0x000).valid);
    bool was_dirty = false;
    BOOST_TEST(!ww_dcache_invalidate(c.c, 0x040, &was_dirty));
    BOOST_TEST(ww_dcache_invalidate(c.c, 0x03f, &was_dirty));
    BOOST_TEST(was_dirty);
    BOOST_TEST(!ww_dcache_probe(c.c, 0x000));
    BOOST_TEST(c.check() == "");
}

BOOST_AUTO_TEST_CASE(cleaning_visits_every_dirty_line_once)
{
    cache c(config(8, 64));
    std::set<uint64_t> dirty;
    for (uint64_t i = 0; i < 512; ++i) {
        c.fill(i * 64, i % 3 == 0);
        if (i % 3 == 0)
            dirty.insert(i * 64);
    }
    uint32_t cursor = 0;
    uint64_t pa = 0;
    while (ww_dcache_clean_next(c.c, &cursor, &pa))
        BOOST_REQUIRE_EQUAL(dirty.erase(pa), 1u);
    BOOST_TEST(dirty.empty());
    BOOST_TEST(!ww_dcache_clean_next(c.c, &cursor, &pa));
    BOOST_TEST(ww_dcache_count(c.c) == 512u); /* clean, and still held */
    ww_dcache_flush(c.c);
    BOOST_TEST(ww_dcache_count(c.c) == 0u);
    BOOST_TEST(c.check() == "");
}

BOOST_AUTO_TEST_CASE(damage_is_named)
{
    cache fresh(config(4, 4));
    fresh.fill(0x40, true);
    BOOST_TEST(fresh.check() == "");
    cache c = fresh;
    c.c->tags.live = 0;
    BOOST_TEST(c.check() == "assoc: the count of valid slots is wrong");
    c = fresh;
    ww_assoc_put(&c.c->tags, c.c, 0, 4);
    BOOST_TEST(c.check() == "dcache: a line in the wrong set or with bits outside its tag");
    c = fresh;
    ww_assoc_put(&c.c->tags, c.c, 0, 5 | uint64_t{1} << 63);
    BOOST_TEST(c.check() == "dcache: a line in the wrong set or with bits outside its tag");
    c = fresh;
    c.c.words(c.c->dirty_off)[1] |= 2;
    BOOST_TEST(c.check() == "dcache: a dirty bit without a line");
    c = fresh;
    c.c->cfg.write = WW_WRITE_THROUGH;
    BOOST_TEST(c.check() == "dcache: a dirty line in a write-through cache");
}

BOOST_DATA_TEST_CASE(it_answers_as_lists_in_order_of_use,
                     (bdata::make({1u, 16u, 8u, 4u}) ^ bdata::make({4u, 1u, 16u, 5u})) *
                         bdata::make({WW_WRITE_THROUGH, WW_WRITE_BACK}) *
                         bdata::make({WW_INDEX_MODULO, WW_INDEX_XOR}),
                     sets, ways, write, index)
{
    struct held_line {
        uint64_t number;
        bool dirty;
    };
    for (uint64_t seed = 0; seed < 4; ++seed) {
        ww_dcache_cfg cfg = config(sets, ways, write);
        cfg.index = static_cast<uint8_t>(index);
        cfg.line_bytes = seed % 2 == 0 ? 64 : 128;
        cache c(cfg);
        std::vector<std::list<held_line>> order(sets); /* oldest first */
        ww_rng rng;
        ww_rng_init(&rng, seed);
        for (int step = 0; step < 2500; ++step) {
            const uint64_t number = ww_rng_below(&rng, 3 * sets * ways) * (step % 2 == 0 ? 1u : sets);
            const uint64_t pa = number * cfg.line_bytes + ww_rng_below(&rng, cfg.line_bytes);
            uint64_t set = number % sets;
            if (index == WW_INDEX_XOR)
                set = (number ^ number / sets ^ number / sets / sets ^ number / sets / sets / sets) % sets;
            auto &used = order[set];
            const auto at = std::find_if(used.begin(), used.end(),
                                         [number](const held_line &l) { return l.number == number; });
            const bool held = at != used.end();
            const bool flag = ww_rng_below(&rng, 2) == 0;
            const uint32_t what = ww_rng_below(&rng, 100);
            BOOST_REQUIRE_EQUAL(ww_dcache_probe(c.c, pa), held);
            if (what < 50) {
                BOOST_REQUIRE_EQUAL(c.hit(pa, flag), held);
                if (held) {
                    at->dirty = at->dirty || (flag && write == WW_WRITE_BACK);
                    used.splice(used.end(), used, at);
                }
            } else if (what < 90) {
                const bool dirty = flag && write == WW_WRITE_BACK;
                const ww_dcache_victim v = c.fill(pa, dirty);
                BOOST_REQUIRE_EQUAL(v.valid, !held && used.size() == ways);
                if (v.valid) {
                    BOOST_REQUIRE_EQUAL(v.pa, used.front().number * cfg.line_bytes);
                    BOOST_REQUIRE_EQUAL(v.dirty, used.front().dirty);
                    used.pop_front();
                }
                used.push_back({number, dirty || (held && at->dirty)});
                if (held)
                    used.erase(at);
            } else if (what < 98) {
                bool was_dirty = false;
                BOOST_REQUIRE_EQUAL(ww_dcache_invalidate(c.c, pa, &was_dirty), held);
                if (held) {
                    BOOST_REQUIRE_EQUAL(was_dirty, at->dirty);
                    used.erase(at);
                }
            } else if (what == 98 && flag) {
                size_t dirty = 0;
                for (auto &lines : order)
                    for (auto &line : lines) {
                        dirty += line.dirty;
                        line.dirty = false;
                    }
                uint32_t cursor = 0;
                uint64_t cleaned_pa = 0;
                for (; dirty != 0; --dirty)
                    BOOST_REQUIRE(ww_dcache_clean_next(c.c, &cursor, &cleaned_pa));
                BOOST_REQUIRE(!ww_dcache_clean_next(c.c, &cursor, &cleaned_pa));
            } else if (flag) {
                ww_dcache_flush(c.c);
                for (auto &lines : order)
                    lines.clear();
            }
            BOOST_REQUIRE_EQUAL(c.check(), "");
        }
        size_t count = 0;
        for (const auto &lines : order)
            count += lines.size();
        BOOST_TEST(ww_dcache_count(c.c) == count);
        BOOST_TEST(c.c.intact());
    }
}

BOOST_AUTO_TEST_CASE(a_set_with_a_dirty_line_is_known)
{
    const ww_dcache_cfg cfg = {4, 2, 64, WW_INDEX_MODULO, WW_WRITE_BACK};
    blob<ww_dcache> c(ww_dcache_bytes(&cfg));
    BOOST_REQUIRE(ww_dcache_init(c, c.bytes(), &cfg) == WW_OK);
    ww_dcache_victim victim;
    ww_dcache_fill(c, 0x40, false, &victim);
    BOOST_TEST(!ww_dcache_set_dirty(c, 0x40));
    ww_dcache_lookup(c, 0x40, true);
    BOOST_TEST(ww_dcache_set_dirty(c, 0x40 + 4 * 64)); /* another line of the set */
    BOOST_TEST(!ww_dcache_set_dirty(c, 0x80));
}

BOOST_AUTO_TEST_CASE(its_bits_are_those_of_its_lines)
{
    const ww_widths widths = {48, 34, 12, 16};
    ww_dcache_cfg cfg = {32, 16, 64, WW_INDEX_MODULO, WW_WRITE_THROUGH};
    BOOST_TEST(ww_dcache_bits(&cfg, &widths) == 512u * (1 + 23 + 4));
    cfg.write = WW_WRITE_BACK;
    BOOST_TEST(ww_dcache_bits(&cfg, &widths) == 512u * (1 + 1 + 23 + 4));
}
