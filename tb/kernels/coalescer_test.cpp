/* SPDX-License-Identifier: MIT */
/* Coalescer: examples, then random instructions of every size and shape against a quadratic reference. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "kernels/bits.h"
#include "kernels/coalescer.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace bdata = boost::unit_test::data;

namespace
{

struct touched {
    uint64_t va;
    uint64_t lanes;
};

/* Visits every byte of every lane: quadratic and obvious. */
std::vector<touched> distinct(const ww_coal_in &in, uint32_t shift)
{
    std::vector<touched> all;
    for (uint32_t lane = 0; lane < 64; ++lane) {
        if ((in.mask >> lane & 1) == 0)
            continue;
        for (uint32_t byte = 0; byte < in.bytes; ++byte) {
            const uint64_t va = (in.va[lane] + byte) >> shift << shift;
            const auto at =
                std::find_if(all.begin(), all.end(), [va](const touched &t) { return t.va == va; });
            if (at == all.end())
                all.push_back({va, uint64_t{1} << lane});
            else
                at->lanes |= uint64_t{1} << lane;
        }
    }
    return all;
}

std::string check(const ww_coal_out &out)
{
    const char *broken = ww_coalesce_check(&out);
    return broken ? broken : "";
}

ww_coal_out junk()
{
    ww_coal_out out;
    std::memset(&out, 0xa5, sizeof out);
    return out;
}

ww_coal_out coalesced(const ww_coal_in &in)
{
    ww_coal_out out = junk();
    ww_coalesce(&in, &out);
    return out;
}

void compare(const ww_coal_in &in)
{
    const ww_coal_out out = coalesced(in);
    const auto pages = distinct(in, in.page_shift);
    const auto lines = distinct(in, WW_COAL_LINE_SHIFT);
    BOOST_REQUIRE_EQUAL(check(out), "");
    BOOST_REQUIRE_EQUAL(out.pages, pages.size());
    BOOST_REQUIRE_EQUAL(out.lines, lines.size());
    for (uint32_t i = 0; i < out.pages; ++i) {
        BOOST_REQUIRE_EQUAL(out.page_va[i], pages[i].va);
        BOOST_REQUIRE_EQUAL(out.page_lanes[i], pages[i].lanes);
        BOOST_REQUIRE_EQUAL(uint32_t{out.page_first_lane[i]},
                            static_cast<uint32_t>(__builtin_ctzll(pages[i].lanes)));
    }
    for (uint32_t i = 0; i < out.lines; ++i) {
        BOOST_REQUIRE_EQUAL(out.line_va[i], lines[i].va);
        BOOST_REQUIRE_EQUAL(out.line_lanes[i], lines[i].lanes);
        BOOST_REQUIRE_EQUAL(out.page_va[out.line_page[i]], lines[i].va >> in.page_shift << in.page_shift);
    }
}

ww_coal_in instruction(uint64_t mask, uint32_t bytes, uint8_t page_shift = 12)
{
    ww_coal_in in;
    std::memset(&in, 0xee, sizeof in);
    in.mask = mask;
    in.bytes = bytes;
    in.page_shift = page_shift;
    return in;
}

} // namespace

BOOST_AUTO_TEST_CASE(no_active_lane_touches_nothing)
{
    const ww_coal_out out = coalesced(instruction(0, 4));
    BOOST_TEST(out.pages == 0u);
    BOOST_TEST(out.lines == 0u);
    BOOST_TEST(check(out) == "");
}

BOOST_AUTO_TEST_CASE(a_uniform_access_is_one_line)
{
    ww_coal_in in = instruction(UINT64_MAX, 4);
    std::fill(in.va, in.va + 64, uint64_t{0x12345678});
    const ww_coal_out out = coalesced(in);
    BOOST_TEST(out.pages == 1u);
    BOOST_TEST(out.lines == 1u);
    BOOST_TEST(out.page_va[0] == 0x12345000u);
    BOOST_TEST(out.line_va[0] == 0x12345640u);
    BOOST_TEST(out.line_lanes[0] == UINT64_MAX);
}

BOOST_AUTO_TEST_CASE(unit_stride_floats_are_four_lines_of_one_page)
{
    ww_coal_in in = instruction(UINT64_MAX, 4);
    for (uint64_t lane = 0; lane < 64; ++lane)
        in.va[lane] = 0x10000 + lane * 4;
    const ww_coal_out out = coalesced(in);
    BOOST_TEST(out.pages == 1u);
    BOOST_TEST(out.lines == 4u);
    BOOST_TEST(out.line_lanes[1] == 0xffff0000u);
    compare(in);
}

BOOST_AUTO_TEST_CASE(a_straddling_access_touches_both_sides_the_lower_first)
{
    ww_coal_in in = instruction(uint64_t{1} << 63, 8);
    in.va[63] = 0x1ffc;
    const ww_coal_out out = coalesced(in);
    BOOST_TEST(out.pages == 2u);
    BOOST_TEST(out.lines == 2u);
    BOOST_TEST(out.page_va[0] == 0x1000u);
    BOOST_TEST(out.page_va[1] == 0x2000u);
    BOOST_TEST(out.line_va[0] == 0x1fc0u);
    BOOST_TEST(out.line_va[1] == 0x2000u);
    BOOST_TEST(uint32_t{out.page_first_lane[1]} == 63u);
}

BOOST_AUTO_TEST_CASE(sixty_four_straddling_lanes_fill_the_output)
{
    ww_coal_in in = instruction(UINT64_MAX, WW_COAL_BYTES);
    for (uint64_t lane = 0; lane < 64; ++lane)
        in.va[lane] = (lane << 14) + 0xfb8; /* the end of one line, a whole line, the start of a third */
    const ww_coal_out out = coalesced(in);
    BOOST_TEST(out.pages == 128u);
    BOOST_TEST(out.lines == WW_COAL_MAX);
    compare(in);
}

BOOST_DATA_TEST_CASE(divergent_power_of_two_strides, bdata::xrange(6, 50), shift)
{
    ww_coal_in in = instruction(UINT64_MAX, 4);
    for (uint64_t lane = 0; lane < 64; ++lane)
        in.va[lane] = (63 - lane) << shift;
    compare(in);
}

BOOST_AUTO_TEST_CASE(misuse_is_asserted)
{
    for (const auto &in :
         {instruction(0, 0), instruction(0, 129), instruction(0, 4, 11), instruction(0, 4, 49)})
        BOOST_CHECK_THROW(coalesced(in), std::logic_error);
    BOOST_TEST(coalesced(instruction(0, 64, 48)).lines == 0u);
}

BOOST_DATA_TEST_CASE(it_answers_as_the_quadratic_reference,
                     (bdata::xrange(1u, 17u) + bdata::make({64u, 65u, 128u})) * bdata::xrange(3), bytes, seed)
{
    ww_rng rng;
    ww_rng_init(&rng, static_cast<uint64_t>(seed) + bytes * 16);
    const uint8_t page_shifts[] = {12, 16, 21, 30};
    /* From all lanes in a few lines to each lane in a page of its own. */
    const uint32_t spans[] = {1, 64, 256, 4096, 1u << 16, 1u << 24, UINT32_MAX};
    for (int step = 0; step < 400; ++step) {
        uint64_t mask = ww_rng_next(&rng);
        if (step % 3 == 0)
            mask = UINT64_MAX;
        else if (step % 3 == 1)
            mask &= ww_rng_next(&rng) & ww_rng_next(&rng);
        ww_coal_in in = instruction(mask, bytes, page_shifts[ww_rng_below(&rng, 4)]);
        const uint64_t base_va = ww_rng_next(&rng) >> 8;
        const uint32_t span = spans[ww_rng_below(&rng, 7)];
        for (auto &va : in.va)
            va = base_va + ww_rng_below(&rng, span);
        compare(in);
    }
}

BOOST_AUTO_TEST_CASE(damage_is_named)
{
    ww_coal_in in = instruction(0xf, 4);
    in.va[0] = 0x1000;
    in.va[1] = 0x1040;
    in.va[2] = 0x3000;
    in.va[3] = 0x3000;
    const ww_coal_out fresh = coalesced(in);
    BOOST_TEST(check(fresh) == "");
    ww_coal_out out = fresh;
    out.pages = 4;
    BOOST_TEST(check(out) == "coalescer: more pages than lines or more lines than lanes can touch");
    out = fresh;
    out.lines = WW_COAL_MAX + 1;
    BOOST_TEST(check(out) == "coalescer: more pages than lines or more lines than lanes can touch");
    out = fresh;
    out.line_page[0] = 1;
    BOOST_TEST(check(out) == "coalescer: the lines do not meet the pages in order");
    out = fresh;
    out.pages = 1;
    BOOST_TEST(check(out) == "coalescer: the lines do not meet the pages in order");
    out = fresh;
    out.line_lanes[1] = 0;
    BOOST_TEST(check(out) == "coalescer: a line without lanes or not at a line's address");
    out = fresh;
    out.line_va[1] += 4;
    BOOST_TEST(check(out) == "coalescer: a line without lanes or not at a line's address");
    out = fresh;
    out.line_lanes[2] = 1;
    BOOST_TEST(check(out) == "coalescer: the lines are not in first-lane order");
    out = fresh;
    out.pages = 3;
    BOOST_TEST(check(out) == "coalescer: a page without lines");
    out = fresh;
    out.page_lanes[0] |= 8;
    BOOST_TEST(check(out) == "coalescer: a page's lanes are not those of its lines");
    out = fresh;
    out.page_first_lane[1] = 3;
    BOOST_TEST(check(out) == "coalescer: a page's lanes are not those of its lines");
}
