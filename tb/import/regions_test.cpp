/* SPDX-License-Identifier: MIT */
/* tb/import/regions_test.cpp - the buffer table of an import: copies as they are, touched pages outside them
 * as runs. */
#include "import/asim_regions.h"

#include <boost/test/unit_test.hpp>

#include <random>
#include <set>
#include <vector>

namespace
{

struct regions {
    asim_regions r{};
    ~regions() { asim_regions_free(&r); }

    void copy(uint64_t va, uint64_t bytes)
    {
        BOOST_REQUIRE(asim_regions_copy(&r, va, bytes) == WKT_OK);
        asim_regions_sort(&r);
    }
    void touch(uint64_t va, uint32_t bytes = 4)
    {
        BOOST_REQUIRE(asim_regions_touch(&r, va, bytes) == WKT_OK);
    }
    using list = std::vector<std::pair<uint64_t, uint64_t>>;
    list all()
    {
        list result;
        const auto visit = [](void *context, asim_range range) {
            static_cast<list *>(context)->emplace_back(range.first, range.end);
            return 0;
        };
        BOOST_TEST(asim_regions_each(&r, visit, &result) == 0);
        return result;
    }
    void expect(const list &wanted)
    {
        const list got = all();
        BOOST_TEST(got.size() == wanted.size());
        for (size_t i = 0; i < got.size() && i < wanted.size(); ++i)
            BOOST_TEST((got[i] == wanted[i]),
                       std::hex << i << ": " << got[i].first << " to " << got[i].second);
    }
};

BOOST_FIXTURE_TEST_CASE(nothing_gives_nothing, regions)
{
    expect({});
}

BOOST_FIXTURE_TEST_CASE(copies_that_overlap_become_one_and_those_that_meet_do_not, regions)
{
    copy(0x9000, 0x1000);
    copy(0x1000, 0x100);
    copy(0x1100, 0x100);
    copy(0x9800, 0x1000);
    copy(0x9010, 1);
    expect({{0x1000, 0x1100}, {0x1100, 0x1200}, {0x9000, 0xa800}});
}

BOOST_FIXTURE_TEST_CASE(touches_inside_a_copy_add_nothing, regions)
{
    copy(0x1010, 0x20);
    touch(0x1010);
    touch(0x102c);
    expect({{0x1010, 0x1030}});
}

BOOST_FIXTURE_TEST_CASE(a_touch_that_leaves_a_copy_takes_the_rest_of_its_page, regions)
{
    copy(0x1010, 0x20);
    touch(0x102e);
    expect({{0x1000, 0x1010}, {0x1010, 0x1030}, {0x1030, 0x2000}});
}

BOOST_FIXTURE_TEST_CASE(an_access_over_a_page_boundary_takes_both, regions)
{
    touch(0x1ffe);
    expect({{0x1000, 0x3000}});
}

BOOST_FIXTURE_TEST_CASE(pages_less_than_64_KiB_apart_are_one_run, regions)
{
    touch(0x10000);
    touch(0x20fff, 1); /* 60 KiB between are not touched */
    touch(0x31000);    /* 64 KiB between */
    expect({{0x10000, 0x21000}, {0x31000, 0x32000}});
}

BOOST_FIXTURE_TEST_CASE(a_run_has_the_copies_in_it_cut_out, regions)
{
    copy(0x12000, 0x800);
    copy(0x12800, 0x100);
    copy(0x40000, 4);
    touch(0x11000);
    touch(0x13000);
    expect(
        {{0x11000, 0x12000}, {0x12000, 0x12800}, {0x12800, 0x12900}, {0x12900, 0x14000}, {0x40000, 0x40004}});
}

BOOST_FIXTURE_TEST_CASE(a_copy_behind_a_touch_takes_its_pages_over, regions)
{
    touch(0x5000);
    copy(0x4000, 0x3000);
    expect({{0x4000, 0x7000}});
}

BOOST_FIXTURE_TEST_CASE(the_first_visit_that_refuses_ends_it, regions)
{
    copy(0x1000, 1);
    copy(0x2000, 1);
    int calls = 0;
    const auto visit = [](void *context, asim_range) {
        ++*static_cast<int *>(context);
        return 7;
    };
    BOOST_TEST(asim_regions_each(&r, visit, &calls) == 7);
    BOOST_TEST(calls == 1);
}

BOOST_FIXTURE_TEST_CASE(one_place_copied_for_ever_takes_no_more_memory, regions)
{
    for (int i = 0; i < 100000; ++i)
        BOOST_REQUIRE(asim_regions_copy(&r, 0x1000, 8) == WKT_OK);
    BOOST_TEST(r.copied_cap <= 64u);
    expect({{0x1000, 0x1008}});
}

BOOST_FIXTURE_TEST_CASE(two_tebibytes_of_touched_places_are_the_bound, regions)
{
    const uint64_t most = 1u << 20;
    for (uint64_t i = 0; i < most; ++i)
        BOOST_REQUIRE(asim_regions_touch(&r, i << 21, 1) == WKT_OK);
    BOOST_TEST(asim_regions_touch(&r, most << 21, 1) == WKT_E_LIMIT);
    BOOST_TEST(asim_regions_touch(&r, 5 << 21 | 7 << 12, 1) == WKT_OK); /* another page of one of them */
}

BOOST_AUTO_TEST_CASE(every_touched_byte_is_in_one_range_and_ranges_are_disjoint)
{
    for (unsigned seed = 0; seed < 200; ++seed) {
        std::mt19937_64 random(seed);
        regions t;
        std::vector<asim_range> used;
        for (int i = 0; i < 60; ++i) {
            const uint64_t va = random() % (seed % 2 == 0 ? 0x40000 : 0x4000000), bytes = 1 + random() % 6000;
            if (random() % 2 == 0) {
                t.copy(va, bytes);
                used.push_back({va, va + bytes});
            } else {
                t.touch(va, static_cast<uint32_t>(1 + bytes % 128));
                used.push_back({va, va + 1 + bytes % 128});
            }
        }
        const auto all = t.all();
        for (size_t i = 0; i < all.size(); ++i) {
            BOOST_REQUIRE(all[i].first < all[i].second);
            BOOST_REQUIRE((i == 0 || all[i - 1].second <= all[i].first));
        }
        for (const asim_range &u : used) {
            uint64_t at = u.first;
            for (const auto &[first, end] : all)
                if (first <= at && at < end)
                    at = end;
            BOOST_REQUIRE(at >= u.end);
        }
    }
}

} // namespace
