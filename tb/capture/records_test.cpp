/* SPDX-License-Identifier: MIT */
/* tb/capture/records_test.cpp - every record of small kernels, derived by hand from their source in probe.c.
 * Launch 0 is always vadd(200, 100). */
#include "tb/capture/capture_fixture.hpp"

using namespace capture_test;

BOOST_AUTO_TEST_CASE(vector_add_with_partial_waves)
{
    captured t("vadd");
    BOOST_TEST(t.info().launches == 1u);
    BOOST_TEST(t.launch(0).name == std::string("vadd"));
    BOOST_TEST(t.launch(0).grid[0] == 200u);
    BOOST_TEST(t.launch(0).group[0] == 100u);
    BOOST_TEST(t.launch(0).groups == 2u);
    BOOST_TEST(t.info().totals.waves == 4u);
    for (uint32_t g = 0; g < 2; g++) {
        for (uint32_t w = 0; w < 2; w++) {
            uint64_t lanes, first = g * 100 + w * 64, mask = w ? (uint64_t(1) << 36) - 1 : all_lanes;
            t.wave(0, g, w, &lanes);
            BOOST_TEST(lanes == mask);
            t.check(0, g, w,
                    {{WKT_LOAD, 4, mask, [&](uint32_t l) { return t.a(first + l); }},
                     {WKT_LOAD, 4, mask, [&](uint32_t l) { return t.b(first + l); }},
                     {WKT_STORE, 4, mask, [&](uint32_t l) { return t.c(first + l); }}});
        }
    }
    /* load a; gep, load b; (load b) add, gep, store: the add comes 3 instructions after a's load and 1 after
     * b's */
    std::vector<wkt_record> r = t.wave(0, 0, 0);
    BOOST_TEST(r[0].use == 3u);
    BOOST_TEST(r[1].use == 1u);
    BOOST_TEST(r[2].use == WKT_USE_NEVER);
    BOOST_TEST(r[1].compute == 1u);
    BOOST_TEST(r[2].compute == 2u);
}

BOOST_AUTO_TEST_CASE(lanes_that_leave_a_loop_wait_behind_it)
{
    captured t("diverge");
    std::vector<expected> expect;
    for (uint32_t j = 0; j < 7; j++)
        expect.push_back({WKT_LOAD, 4, lanes_where([&](uint32_t l) { return (l & 7) > j; }),
                          [&t, j](uint32_t l) { return t.a(l * 8 + j); }});
    expect.push_back({WKT_STORE, 4, all_lanes, [&](uint32_t l) { return t.c(l); }});
    t.check(1, 0, 0, expect);
}

BOOST_AUTO_TEST_CASE(both_sides_of_a_branch_run_apart_and_join)
{
    captured t("ifelse");
    std::vector<wkt_record> r = t.wave(1, 0, 0);
    BOOST_REQUIRE(r.size() == 5u);
    const uint64_t odd = 0xaaaaaaaaaaaaaaaaull;
    size_t odd_at = r[0].mask == odd ? 0 : 2; /* the compiler chooses which side comes first */
    for (uint32_t l = 0; l < 64; l++) {
        const wkt_record *side = &r[l & 1 ? odd_at : 2 - odd_at];
        BOOST_TEST(((side[0].mask & side[1].mask) >> l & 1) == 1u);
        BOOST_TEST(side[0].va[l] == t.a(l & 1 ? l : l + 64));
        BOOST_TEST(side[1].va[l] == t.b(l & 1 ? l : l + 64));
        BOOST_TEST(r[4].va[l] == t.c(l));
    }
    BOOST_TEST((r[0].mask ^ r[2].mask) == all_lanes);
    BOOST_TEST(r[4].mask == all_lanes);
}

BOOST_AUTO_TEST_CASE(barriers_split_a_reduction_in_local_memory)
{
    captured t("reduce");
    BOOST_TEST(t.launch(1).lds_bytes == 512u);
    for (uint32_t w = 0; w < 2; w++) {
        auto local = [w](uint32_t l) { return uint64_t(4 * (w * 64 + l)); };
        std::vector<expected> expect = {
            {WKT_LOAD, 4, all_lanes, [&, w](uint32_t l) { return t.a(w * 64 + l); }},
            {WKT_LOCAL_STORE, 4, all_lanes, local},
            {WKT_BARRIER, 0, all_lanes, {}}};
        for (uint32_t n = 64; n > 0; n >>= 1) {
            if (w == 0) {
                uint64_t mask = n == 64 ? all_lanes : (uint64_t(1) << n) - 1;
                expect.push_back(
                    {WKT_LOCAL_LOAD, 4, mask, [n](uint32_t l) { return uint64_t(4 * (l + n)); }});
                expect.push_back({WKT_LOCAL_LOAD, 4, mask, local});
                expect.push_back({WKT_LOCAL_STORE, 4, mask, local});
            }
            expect.push_back({WKT_BARRIER, 0, all_lanes, {}});
        }
        if (w == 0) {
            expect.push_back({WKT_LOCAL_LOAD, 4, 1, local});
            expect.push_back({WKT_STORE, 4, 1, [&](uint32_t) { return t.c(); }});
        }
        t.check(1, 0, w, expect);
    }
}

BOOST_AUTO_TEST_CASE(an_atomic_is_one_record)
{
    captured t("atomics");
    t.check(1, 0, 0,
            {{WKT_LOCAL_STORE, 4, 1, [](uint32_t) { return uint64_t(0); }},
             {WKT_BARRIER, 0, all_lanes, {}},
             {WKT_LOCAL_ATOMIC, 4, all_lanes, [](uint32_t) { return uint64_t(0); }},
             {WKT_ATOMIC, 4, all_lanes, [&](uint32_t l) { return t.b(l % 4); }},
             {WKT_ATOMIC, 4, all_lanes, [&](uint32_t l) { return t.a(l); }},
             {WKT_STORE, 4, all_lanes, [&](uint32_t l) { return t.c(l); }}});
    std::vector<wkt_record> r = t.wave(1, 0, 0);
    BOOST_TEST(r[2].use == WKT_USE_NEVER); /* its result is not used */
    BOOST_TEST(r[4].use == 2u);            /* gep, store */
}

BOOST_AUTO_TEST_CASE(two_dimensions)
{
    captured t("grid2d");
    BOOST_TEST(t.launch(1).grid[1] == 6u);
    BOOST_TEST(t.launch(1).group[1] == 3u);
    const uint64_t mask = (uint64_t(1) << 30) - 1;
    for (uint32_t g = 0; g < 4; g++) {
        auto x = [g](uint32_t l) { return g % 2 * 10 + l % 10; };
        auto y = [g](uint32_t l) { return g / 2 * 3 + l / 10; };
        t.check(1, g, 0,
                {{WKT_LOAD, 4, mask, [&](uint32_t l) { return t.a(x(l) * 64 + y(l)); }},
                 {WKT_STORE, 4, mask, [&](uint32_t l) { return t.c(y(l) * 128 + x(l)); }}});
        for (const wkt_record &r : t.wave(1, g, 0))
            BOOST_TEST(int(r.form) == int(WKT_TILE));
    }
}

BOOST_AUTO_TEST_CASE(three_dimensions)
{
    captured t("grid3d");
    BOOST_TEST(t.launch(1).groups == 8u);
    for (uint32_t g = 0; g < 8; g++) {
        for (uint32_t w = 0; w < 2; w++) {
            uint64_t mask = w ? 0xffff : all_lanes;
            t.check(1, g, w, {{WKT_STORE, 4, mask, [&](uint32_t l) {
                                   uint32_t id = w * 64 + l, x = g % 2 * 4 + id % 4;
                                   uint32_t y = g / 2 % 2 * 4 + id / 4 % 4, z = g / 4 * 5 + id / 16;
                                   return t.c((z * 16 + y) * 16 + x);
                               }}});
        }
    }
}

BOOST_AUTO_TEST_CASE(calls_are_inlined_and_their_lanes_join_behind_them)
{
    captured t("calls");
    std::vector<expected> expect;
    for (uint32_t call = 0; call < 2; call++) {
        for (uint32_t j = 0; j < 3; j++)
            expect.push_back(
                {WKT_LOAD, 4, lanes_where([&](uint32_t l) { return ((l + call) & 3) > j; }),
                 [&t, call, j](uint32_t l) { return call ? t.b(l + 1 + 64 * j) : t.a(l + 64 * j); }});
    }
    expect.push_back({WKT_STORE, 4, all_lanes, [&](uint32_t l) { return t.c(l); }});
    t.check(1, 0, 0, expect);
    std::vector<wkt_record> r = t.wave(1, 0, 0);
    BOOST_TEST(r[0].pc == r[2].pc);
    BOOST_TEST(r[0].pc < r[3].pc); /* the second call has its own pc */
    BOOST_TEST(r[6].pc * 8 < t.launch(1).code_bytes);
}

BOOST_AUTO_TEST_CASE(vector_accesses_keep_their_size)
{
    captured t("vectors");
    t.check(1, 0, 0,
            {{WKT_LOAD, 16, all_lanes, [&](uint32_t l) { return t.a(4 * l); }},
             {WKT_STORE, 16, all_lanes, [&](uint32_t l) { return t.c(4 * l); }},
             {WKT_STORE, 16, all_lanes, [&](uint32_t l) { return t.b(4 * l); }}});
}

BOOST_AUTO_TEST_CASE(constant_tables_have_a_buffer)
{
    captured t("constants");
    t.check(1, 0, 0,
            {{WKT_LOAD, 4, all_lanes, [&](uint32_t l) { return t.a(l); }},
             {WKT_LOAD, 4, all_lanes, [&](uint32_t l) { return t.buffer(0).base_va + 4 * (l & 3); }},
             {WKT_STORE, 4, all_lanes, [&](uint32_t l) { return t.c(l); }}});
}

BOOST_AUTO_TEST_CASE(async_copies_belong_to_the_first_wave)
{
    captured t("async");
    const uint64_t rest = (uint64_t(1) << 36) - 1;
    t.check(1, 0, 0,
            {{WKT_LOAD, 4, all_lanes, [&](uint32_t l) { return t.a(10 + l); }},
             {WKT_LOCAL_STORE, 4, all_lanes, [](uint32_t l) { return uint64_t(4 * l); }},
             {WKT_LOAD, 4, rest, [&](uint32_t l) { return t.a(74 + l); }},
             {WKT_LOCAL_STORE, 4, rest, [](uint32_t l) { return uint64_t(4 * (64 + l)); }},
             {WKT_BARRIER, 0, all_lanes, {}},
             {WKT_LOCAL_LOAD, 4, all_lanes, [](uint32_t l) { return uint64_t(4 * l); }},
             {WKT_STORE, 4, all_lanes, [&](uint32_t l) { return t.c(l); }}});
    t.check(1, 0, 1,
            {{WKT_BARRIER, 0, all_lanes, {}},
             {WKT_LOCAL_LOAD, 4, all_lanes, [](uint32_t l) { return uint64_t(4 * ((64 + l) % 100)); }},
             {WKT_STORE, 4, all_lanes, [&](uint32_t l) { return t.c(64 + l); }}});
}

BOOST_AUTO_TEST_CASE(a_value_carried_around_a_loop_is_used_in_the_next_turn)
{
    captured t("carried");
    for (const wkt_record &r : t.wave(1, 0, 0)) {
        if (r.kind == WKT_LOAD)
            BOOST_TEST((r.use > 1 && r.use < 20), "use distance " << r.use);
    }
    captured u("unused");
    BOOST_TEST(u.wave(1, 0, 0)[0].use == WKT_USE_NEVER);
}

BOOST_AUTO_TEST_CASE(launches_keep_their_order_and_null_sizes_fill_waves)
{
    captured t("two");
    BOOST_REQUIRE(t.info().launches == 3u);
    BOOST_TEST(t.launch(1).name == std::string("diverge"));
    BOOST_TEST(t.launch(2).name == std::string("vadd"));
    BOOST_TEST(t.launch(2).group[0] == 64u);
    BOOST_TEST(t.wave(2, 0, 0).size() == 3u);
}

BOOST_AUTO_TEST_CASE(null_sizes_are_what_the_kernel_requires)
{
    captured t("required");
    BOOST_TEST(t.launch(1).group[0] == 16u);
    BOOST_TEST(t.launch(1).group[1] == 2u);
    BOOST_TEST(t.launch(1).groups == 8u);
    t.check(1, 5, 0,
            {{WKT_STORE, 4, 0xffffffff, [&](uint32_t l) { return t.c((2 + l / 16) * 64 + 16 + l % 16); }}});
}

BOOST_AUTO_TEST_CASE(offsets_and_sub_buffers_move_addresses)
{
    captured t("offset");
    t.check(1, 0, 0,
            {{WKT_LOAD, 4, all_lanes, [&](uint32_t l) { return t.a(1000 + l); }},
             {WKT_LOAD, 4, all_lanes, [&](uint32_t l) { return t.b(1000 + l); }},
             {WKT_STORE, 4, all_lanes, [&](uint32_t l) { return t.c(1000 + l); }}});
    captured s("subbuffer");
    BOOST_TEST(s.wave(1, 0, 0)[0].va[5] == s.a(1024 + 5));
}

BOOST_AUTO_TEST_CASE(a_new_buffer_never_takes_an_old_ones_place)
{
    captured t("realloc");
    BOOST_REQUIRE(t.info().buffers == 5u);
    BOOST_TEST(t.buffer(2).end_launch == 1u);
    BOOST_TEST(t.buffer(4).first_launch == 1u);
    BOOST_TEST(t.buffer(4).end_launch == 2u);
    BOOST_TEST(t.buffer(4).flags == WKT_BUFFER_READ);
    BOOST_TEST(t.buffer(4).base_va % (2u << 20) == 0u);
    for (uint32_t i = 0; i < 4; i++)
        BOOST_TEST(t.buffer(i).base_va + t.buffer(i).bytes <= t.buffer(i + 1).base_va);
    BOOST_TEST(t.wave(1, 0, 0)[1].va[3] == t.buffer(4).base_va + 12);
}

BOOST_AUTO_TEST_CASE(accesses_outside_every_buffer_are_left_out)
{
    captured t("outside");
    std::vector<wkt_record> r = t.wave(1, 0, 0);
    BOOST_REQUIRE(r.size() == 3u);
    for (const wkt_record &record : r)
        BOOST_TEST(record.mask == 0xffffffffull);
    BOOST_TEST(t.info().lanes_left_out == 3u * 32);
    BOOST_TEST(!t.info().partial);
    BOOST_TEST(captured("vadd").info().lanes_left_out == 0u);
}

BOOST_AUTO_TEST_CASE(worker_threads_do_not_change_the_trace)
{
    BOOST_TEST(captured("grid3d", 1).info().checksum == captured("grid3d", 2).info().checksum);
}

BOOST_AUTO_TEST_CASE(a_texel_is_one_access)
{
    captured t("image");
    auto texel = [&](uint32_t x, uint32_t y) { return t.buffer(4).base_va + 16 * (16 * y + x); };
    t.check(1, 0, 0,
            {{WKT_LOAD, 16, all_lanes, [&](uint32_t l) { return texel(l & 7, l >> 3); }},
             {WKT_STORE, 16, all_lanes, [&](uint32_t l) { return t.b(4 * l); }}});
}

BOOST_AUTO_TEST_CASE(a_filter_reads_each_of_its_texels_once)
{
    captured t("filter");
    auto texel = [&](uint32_t x, uint32_t y) { return t.buffer(4).base_va + 16 * (16 * y + x); };
    t.check(1, 0, 0,
            {{WKT_LOAD, 16, all_lanes, [&](uint32_t l) { return texel(l & 7, l >> 3); }},
             {WKT_LOAD, 16, all_lanes, [&](uint32_t l) { return texel((l & 7) + 1, l >> 3); }},
             {WKT_LOAD, 16, all_lanes, [&](uint32_t l) { return texel(l & 7, (l >> 3) + 1); }},
             {WKT_LOAD, 16, all_lanes, [&](uint32_t l) { return texel((l & 7) + 1, (l >> 3) + 1); }},
             {WKT_STORE, 16, all_lanes, [&](uint32_t l) { return t.b(4 * l); }}});
}

BOOST_AUTO_TEST_CASE(a_launch_of_nothing_is_none)
{
    captured t("empty");
    BOOST_TEST(t.info().launches == 2u);
    BOOST_TEST(t.wave(1, 0, 0).size() == 3u);
}

BOOST_AUTO_TEST_CASE(kernels_of_several_threads_follow_each_other_whole)
{
    captured t("threads");
    BOOST_REQUIRE(t.info().launches == 61u);
    for (uint32_t launch = 1; launch < 61; launch++)
        BOOST_TEST(t.launch(launch).groups == 16u);
    BOOST_TEST(t.info().totals.groups == 60u * 16 + 2);
    BOOST_TEST(t.info().totals.records[WKT_LOAD] == 2u * (60 * 16 + 4));
}

/* Their commands complete at the same time, each in a callback that waits for a lock that the other threads
 * hold while they enqueue. */
BOOST_AUTO_TEST_CASE(commands_of_several_threads_do_not_meet_in_the_runtime)
{
    captured t("callbacks");
    BOOST_TEST(t.info().launches == 1u);
}
