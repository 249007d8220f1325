/* SPDX-License-Identifier: MIT */
/* Tests the order of the latest uses, and the dirty lines against a cache with LRU replacement. */
#include "sample/recent_uses.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <list>
#include <random>

using namespace walkway;

BOOST_AUTO_TEST_SUITE(recent)

BOOST_AUTO_TEST_CASE(each_page_and_line_is_there_once_at_its_latest_use)
{
    recent_uses uses(3, {100, 100, 1000});
    uses.next();
    uses.page(0x1000, 0);
    uses.line(0x1040, 0, false);
    uses.next();
    uses.page(0x2000, 1);
    uses.next();
    uses.line(0x1080, 2, true); /* pages precede lines of the same access */
    uses.line(0x1040, 2, false);
    uses.page(0x1000, 2);
    uses.next();
    uses.page(0x1000, 0);
    const std::vector<recent_use> all = uses.latest();
    BOOST_TEST_REQUIRE(all.size() == 5u);
    const auto is = [&all](size_t i, uint64_t va, unsigned unit, uint8_t what, bool dirty) {
        BOOST_TEST(all[i].va == va);
        BOOST_TEST(all[i].unit == unit);
        BOOST_TEST(all[i].what == what);
        BOOST_TEST(all[i].dirty == dirty);
    };
    is(0, 0x2000, 1, recent_use::page, false);
    is(1, 0x1000, 2, recent_use::page, false);
    is(2, 0x1040, 2, recent_use::line_read, false);
    is(3, 0x1080, 2, recent_use::line_written, true);
    is(4, 0x1000, 0, recent_use::page, false);
}

BOOST_AUTO_TEST_CASE(an_access_uses_its_pages_and_lines)
{
    recent_uses uses(2, {100, 100, 1000});
    ww_coal_out to{};
    to.pages = 2;
    to.page_va[0] = 0x3000;
    to.page_va[1] = 0x2000;
    to.lines = 1;
    to.line_va[0] = 0x2fc0;
    uses.access(to, 1, true);
    to.pages = 1;
    to.page_va[0] = 0x1000;
    to.lines = 0;
    uses.access(to, 0, false);
    const std::vector<recent_use> all = uses.latest();
    BOOST_TEST_REQUIRE(all.size() == 4u);
    BOOST_TEST(all[0].va == 0x2000u);
    BOOST_TEST(all[1].va == 0x3000u);
    BOOST_TEST(all[2].va == 0x2fc0u);
    BOOST_TEST(all[2].dirty);
    BOOST_TEST(all[2].unit == 1u);
    BOOST_TEST(all[3].va == 0x1000u);
}

BOOST_AUTO_TEST_CASE(the_latest_are_kept)
{
    recent_uses uses(1, {4, 7, 1000});
    for (uint64_t p = 0; p < 50; ++p) {
        uses.next();
        uses.page(p << 12, 0);
        uses.line(p << 12, 0, false);
    }
    uint64_t pages = 0, lines = 0;
    for (const recent_use &u : uses.latest()) {
        const bool page = u.what == recent_use::page;
        ++(page ? pages : lines);
        BOOST_TEST(u.va >> 12 >= (page ? 46u : 43u));
    }
    BOOST_TEST(pages == 4u);
    BOOST_TEST(lines == 7u);
}

/* Every line that is dirty in the cache is reported as dirty; few other lines are. */
BOOST_AUTO_TEST_CASE(dirty_is_what_a_cache_still_has)
{
    constexpr uint32_t places = 64;
    std::mt19937_64 random(7);
    recent_uses uses(1, {1000, 100000, places});
    std::list<std::pair<uint64_t, bool>> cache; /* latest first */
    uint64_t dirty = 0, missing = 0, too_many = 0;
    for (unsigned i = 0; i < 20000; ++i) {
        const bool hot = random() % 4 == 0;
        const uint64_t line = (hot ? random() % 16 : i % 512) << 6;
        const bool write = random() % 3 == 0;
        uses.next();
        uses.line(line, 0, write);
        auto it = std::find_if(cache.begin(), cache.end(), [line](const auto &c) { return c.first == line; });
        bool was = false;
        if (it != cache.end()) {
            was = it->second;
            cache.erase(it);
        }
        cache.emplace_front(line, was || write);
        if (cache.size() > places)
            cache.pop_back();
        if (i % 100 != 99)
            continue;
        for (const recent_use &u : uses.latest()) {
            it = std::find_if(cache.begin(), cache.end(), [&u](const auto &c) { return c.first == u.va; });
            const bool really = it != cache.end() && it->second;
            dirty += really ? 1 : 0;
            missing += really && !u.dirty ? 1 : 0;
            too_many += !really && u.dirty ? 1 : 0;
        }
    }
    BOOST_TEST(dirty > 3000u);
    BOOST_TEST(missing == 0u);
    BOOST_TEST(too_many * 4 < dirty);
}

BOOST_AUTO_TEST_SUITE_END()
