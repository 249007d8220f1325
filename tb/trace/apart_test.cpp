/* SPDX-License-Identifier: MIT */
/* Buffers that overlap in a launch are refused, and the error names both; others are accepted. */
#include "tb/trace/trace_fixture.hpp"
#include "trace/wkt_internal.h"

using namespace trace_test;

namespace
{

/* Returns the error; empty if no two buffers overlap. */
std::string overlap(const std::vector<wkt_buffer> &buffers)
{
    wkt_error e{};
    const int status = wkt_buffers_apart(buffers.data(), uint32_t(buffers.size()), "x.wkt", &e);
    BOOST_TEST((status == WKT_OK || status == WKT_E_FORMAT));
    return status == WKT_OK ? "" : e.text;
}

bool meet(const wkt_buffer &a, const wkt_buffer &b)
{
    return a.bytes && b.bytes && a.base_va < b.base_va + b.bytes && b.base_va < a.base_va + a.bytes &&
           std::max(a.first_launch, b.first_launch) < std::min(a.end_launch, b.end_launch);
}

} // namespace

BOOST_AUTO_TEST_CASE(two_buffers_at_one_address_are_named)
{
    BOOST_TEST(overlap({{0x1000, 64, 0, 0, 3}, {0x9000, 64, 0, 0, 3}, {0x103f, 8, 0, 1, 2}}) ==
               "x.wkt: buffer 0 (0x1000, 64 bytes) and buffer 2 (0x103f, 8 bytes) overlap in launch 1");
    BOOST_TEST(overlap({{0x2000, 8, 0, 0, 1}, {0x1000, 0x1001, 0, 0, 1}}) != "");
    BOOST_TEST(overlap({{0x2000, 8, 0, 0, 1}, {0x2000, 8, 0, 0, 1}}) != "");
}

BOOST_AUTO_TEST_CASE(buffers_that_never_meet_are_apart)
{
    BOOST_TEST(overlap({}) == "");
    BOOST_TEST(overlap({{0x1000, 64, 0, 0, 1}}) == "");
    BOOST_TEST(overlap({{0x1000, 64, 0, 0, 1}, {0x1040, 64, 0, 0, 1}}) == "", "they touch");
    BOOST_TEST(overlap({{0x1000, 64, 0, 0, 1}, {0x1000, 64, 0, 1, 2}}) == "", "one is freed before");
    BOOST_TEST(overlap({{0x1000, 64, 0, 1, 2}, {0x1000, 64, 0, 0, 1}}) == "", "in the other order");
    BOOST_TEST(overlap({{0x1000, 64, 0, 0, 2}, {0x1010, 0, 0, 0, 2}}) == "", "one is empty");
    BOOST_TEST(overlap({{0x1000, 64, 0, 0, 2}, {0x1010, 8, 0, 1, 1}}) == "", "one that no launch sees");
}

BOOST_AUTO_TEST_CASE(random_buffers_are_apart_where_no_two_of_them_meet)
{
    random_source random(11);
    unsigned refused = 0;
    for (int i = 0; i < 20000; i++) {
        std::vector<wkt_buffer> all;
        const uint64_t spread = 16 << random.below(14);
        for (uint64_t n = random.below(90); n; n--) {
            const auto first = uint32_t(random.below(8));
            all.push_back(
                {random.below(spread), random.below(6), 0, first, first + uint32_t(random.below(4))});
        }
        bool any = false;
        for (size_t a = 0; a < all.size(); a++)
            for (size_t b = 0; b < a; b++)
                any = any || meet(all[a], all[b]);
        BOOST_REQUIRE((overlap(all) != "") == any);
        refused += any;
    }
    BOOST_TEST(refused > 2000u);
    BOOST_TEST(refused < 18000u);
}

BOOST_AUTO_TEST_CASE(a_trace_whose_buffers_overlap_is_refused)
{
    temp_file f("overlap");
    wkt_writer_cfg cfg = {"p", "p", "test", 0};
    wkt_writer *w;
    wkt_error e;
    wkt_launch launch = make_launch("k");
    BOOST_REQUIRE(wkt_writer_open(f.path.c_str(), &cfg, &w, &e) == WKT_OK);
    for (uint64_t base : {0x10000, 0x20000, 0x1ffff}) {
        const wkt_buffer b = {base, 0x100, 0, 0, 0};
        BOOST_REQUIRE(wkt_writer_buffer(w, &b, nullptr, &e) == WKT_OK);
    }
    BOOST_REQUIRE(wkt_writer_launch_begin(w, &launch, &e) == WKT_OK);
    BOOST_REQUIRE(wkt_writer_launch_end(w, &e) == WKT_OK);
    BOOST_REQUIRE(wkt_writer_finish(w, false, &e) == WKT_OK);
    wkt_reader *r;
    BOOST_TEST(wkt_open(f.path.c_str(), &r, &e) == WKT_E_FORMAT);
    BOOST_TEST(std::string(e.text).find("buffer 1") != std::string::npos, e.text);
    BOOST_TEST(std::string(e.text).find("buffer 2") != std::string::npos, e.text);
}

BOOST_AUTO_TEST_CASE(many_buffers_take_no_long_time)
{
    std::vector<wkt_buffer> all; /* a pool that reuses one address, and rising ones */
    for (uint32_t i = 0; i < 200000; i++) {
        all.push_back({0x1000, 64, 0, i, i + 1});
        all.push_back({0x10000 + uint64_t(i) * 64, 64, 0, i / 2, 200000});
    }
    BOOST_TEST(overlap(all) == "");
    all.push_back({0x10000 + 64 * 777 + 63, 1, 0, 199999, 200000});
    BOOST_TEST(overlap(all) != "");
}
