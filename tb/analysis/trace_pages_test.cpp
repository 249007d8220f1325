/* SPDX-License-Identifier: MIT */
/* Tests the analysis of a trace's pages: small traces worked by hand, random traces against naive counting,
 * and the invariants of every trace. */
#include <boost/test/unit_test.hpp>

#include "tb/analysis/analysis_fixture.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

using namespace walkway::test;

namespace
{

uint64_t sum(const uint64_t *from, size_t count)
{
    return std::accumulate(from, from + count, uint64_t{0});
}

/* Checks the invariants of every part of every trace. */
void check_laws(const ww_pages_part &part)
{
    const uint64_t instructions = ww_pages_instructions(&part);
    uint64_t lanes = 0, pages = 0;
    for (size_t i = 0; i <= WKT_WAVE_LANES; ++i)
        lanes += i * part.lanes[i];
    for (size_t i = 0; i <= WW_COAL_MAX; ++i)
        pages += i * part.pages[i];
    BOOST_TEST(sum(part.lanes, WKT_WAVE_LANES + 1) == instructions);
    BOOST_TEST(sum(part.pages, WW_COAL_MAX + 1) == instructions);
    BOOST_TEST(sum(part.nbhds, WW_COAL_MAX + 1) == instructions);
    BOOST_TEST(lanes == part.kinds[0].lanes + part.kinds[1].lanes + part.kinds[2].lanes);
    BOOST_TEST(pages == part.accesses);
    BOOST_TEST(part.cold + sum(part.reuse, WW_REUSE_BUCKETS) == part.accesses);
    BOOST_TEST(part.footprint[0] >= part.footprint[1]);
    BOOST_TEST(part.footprint[1] >= part.footprint[2]);
    uint64_t last = part.accesses;
    for (uint32_t n = 0; n < WW_REUSE_BUCKETS; ++n) {
        BOOST_TEST(ww_pages_misses(&part, n) <= last);
        BOOST_TEST(ww_pages_misses(&part, n) >= part.cold);
        last = ww_pages_misses(&part, n);
    }
    BOOST_TEST(last == part.cold);
}

/* `page` is the index of the chosen page size's footprint. */
void check_laws(const analysed &a, uint32_t page)
{
    check_laws(a.whole());
    BOOST_TEST(a.whole().cold == a.whole().footprint[page]);
    uint64_t accesses = 0, cold = 0, footprint = 0;
    for (uint32_t k = 0; k < ww_pages_kernels(a.get()); ++k) {
        check_laws(a.kernel(k));
        accesses += a.kernel(k).accesses;
        cold += a.kernel(k).cold;
        footprint += a.kernel(k).footprint[page];
        BOOST_TEST(a.kernel(k).footprint[page] >= a.kernel(k).cold);
    }
    BOOST_TEST(accesses == a.whole().accesses);
    BOOST_TEST(cold == a.whole().cold);
    BOOST_TEST(footprint >= a.whole().footprint[page]);
    const ww_working_set *w = ww_pages_working_set(a.get());
    uint64_t fresh = 0;
    for (uint32_t i = 0; i < ww_working_set_windows(w); ++i)
        fresh += ww_working_set_fresh(w, i);
    BOOST_TEST(w->accesses == accesses);
    BOOST_TEST(fresh == cold);
}

BOOST_AUTO_TEST_CASE(an_instruction_has_its_distinct_pages_neighbourhoods_and_lanes)
{
    /* Pages 0 to 7 are one neighbourhood, 8 is in another; the second load touches one page three times. */
    const trace t(one_launch({{{{load_pages({0, 7, 8, 7}), load_pages({9, 9, 9})}}}}, 16 * page_bytes));
    const analysed a(t.reader());
    const ww_pages_part &part = a.whole();
    BOOST_TEST(part.lanes[4] == 1u);
    BOOST_TEST(part.lanes[3] == 1u);
    BOOST_TEST(part.pages[3] == 1u);
    BOOST_TEST(part.pages[1] == 1u);
    BOOST_TEST(part.nbhds[2] == 1u);
    BOOST_TEST(part.nbhds[1] == 1u);
    BOOST_TEST(part.accesses == 4u);
    BOOST_TEST(part.footprint[WW_FOOTPRINT_4K] == 4u);
    BOOST_TEST(part.footprint[WW_FOOTPRINT_64K] == 1u);
    BOOST_TEST(part.footprint[WW_FOOTPRINT_2M] == 1u);
    BOOST_TEST(part.buffers[0].pages == 4u);
    BOOST_TEST(part.buffers[0].accesses == 4u);
    check_laws(a, WW_FOOTPRINT_4K);
}

BOOST_AUTO_TEST_CASE(an_access_across_a_boundary_touches_both_pages)
{
    wkt_record r = load_pages({0});
    r.va[0] += page_bytes - 2;
    const trace t(one_launch({{{{r}}}}, 16 * page_bytes));
    const analysed a(t.reader());
    BOOST_TEST(a.whole().pages[2] == 1u);
    BOOST_TEST(a.whole().footprint[0] == 2u);
}

BOOST_AUTO_TEST_CASE(loads_stores_and_atomics_are_told_apart_and_nothing_else_counts)
{
    wkt_record atomic = uniform(WKT_ATOMIC, buffer_va);
    atomic.bytes = 8;
    atomic.mask = 0xff;
    const trace t(one_launch({{{{uniform(WKT_LOAD, buffer_va), uniform(WKT_LOAD, buffer_va),
                                 stride(WKT_STORE, buffer_va, 4), atomic, record(WKT_LOCAL_LOAD),
                                 record(WKT_LOCAL_STORE), record(WKT_LOCAL_ATOMIC), record(WKT_BARRIER)}}}},
                             page_bytes));
    const analysed a(t.reader());
    const auto *k = a.whole().kinds;
    BOOST_TEST((k[0].instructions == 2 && k[0].lanes == 128 && k[0].bytes == 512));
    BOOST_TEST((k[1].instructions == 1 && k[1].lanes == 64 && k[1].bytes == 256));
    BOOST_TEST((k[2].instructions == 1 && k[2].lanes == 8 && k[2].bytes == 64));
    BOOST_TEST(a.whole().accesses == 4u);
    BOOST_TEST(a.whole().reuse[0] == 3u);
    check_laws(a, WW_FOOTPRINT_4K);
}

BOOST_AUTO_TEST_CASE(distances_and_misses_of_a_stream_worked_by_hand)
{
    /* 0 1 2 0 1 2 3 3 0: four cold accesses; 0, 1, 2 recur at distance 2, 3 at 0, 0 at 3 (after 1, 2, 3). */
    std::vector<wkt_record> loads;
    for (const uint64_t vpn : {0, 1, 2, 0, 1, 2, 3, 3, 0})
        loads.push_back(load_pages({vpn}));
    const trace t(one_launch({{{loads}}}, 16 * page_bytes));
    const analysed a(t.reader(), pages_cfg(12, 320, 4));
    const ww_pages_part &part = a.whole();
    BOOST_TEST(part.cold == 4u);
    BOOST_TEST(part.reuse[0] == 1u);
    BOOST_TEST(part.reuse[1] == 0u);
    BOOST_TEST(part.reuse[2] == 4u); /* distances 2 and 3 */
    BOOST_TEST(ww_pages_misses(&part, 0) == 8u);
    BOOST_TEST(ww_pages_misses(&part, 1) == 8u);
    BOOST_TEST(ww_pages_misses(&part, 2) == 4u);
    for (uint32_t n = 0; n < WW_REUSE_BUCKETS; ++n) /* every miss is in the only buffer */
        BOOST_TEST(ww_pages_misses_of_buffer(&part.buffers[0], n) == ww_pages_misses(&part, n));
    /* 9 accesses in at most 4 windows: 4 accesses per window. */
    const ww_working_set *w = ww_pages_working_set(a.get());
    BOOST_REQUIRE(ww_working_set_windows(w) == 3u);
    const uint64_t distinct[] = {3, 3, 1}, fresh[] = {3, 1, 0};
    for (uint32_t i = 0; i < 3; ++i) {
        BOOST_TEST(ww_working_set_distinct(w, i) == distinct[i]);
        BOOST_TEST(ww_working_set_fresh(w, i) == fresh[i]);
    }
}

BOOST_AUTO_TEST_CASE(distances_depend_on_what_is_resident)
{
    /* Two groups; each accesses its own two pages repeatedly. */
    std::vector<group_spec> groups;
    for (uint64_t g = 0; g < 2; ++g) {
        wave_spec wave;
        for (uint64_t i = 0; i < 8; ++i)
            wave.records.push_back(load_pages({2 * g + i % 2}));
        groups.push_back({wave});
    }
    const trace t(one_launch(groups, 16 * page_bytes));
    const analysed alone(t.reader(), pages_cfg(12, 1));
    const analysed together(t.reader(), pages_cfg(12, 2));
    BOOST_TEST(alone.whole().reuse[1] == 12u);    /* distance 1 */
    BOOST_TEST(together.whole().reuse[2] == 12u); /* distance 3 */
}

BOOST_AUTO_TEST_CASE(kernels_have_counts_of_their_own_in_one_stream)
{
    trace_spec spec = one_launch({}, 16 * page_bytes);
    spec.launches = {{{{{{load_pages({0, 1})}}}}, 0, "first"},
                     {{{{{load_pages({1, 2}), load_pages({2})}}}}, 0, "second"},
                     {{{{{record(WKT_BARRIER)}}}}, 0, "third"},
                     {{{{{load_pages({0, 3})}}}}, 0, "first"}};
    const trace t(spec);
    const analysed a(t.reader());
    BOOST_REQUIRE(ww_pages_kernels(a.get()) == 3u);
    BOOST_TEST(ww_pages_kernel(a.get(), 3) == nullptr);
    BOOST_TEST(ww_pages_kernel(a.get(), 0)->name == std::string("first"));
    BOOST_TEST(ww_pages_kernel(a.get(), 0)->launches == 2u);
    BOOST_TEST(ww_pages_kernel(a.get(), 1)->launches == 1u);
    BOOST_TEST(a.kernel(0).footprint[0] == 3u);
    BOOST_TEST(a.kernel(0).cold == 3u);
    BOOST_TEST(a.kernel(0).reuse[2] == 1u); /* page 0 again after 1 and 2 */
    BOOST_TEST(a.kernel(0).buffers[0].pages == 3u);
    BOOST_TEST(a.kernel(1).footprint[0] == 2u);
    BOOST_TEST(a.kernel(1).cold == 1u);
    BOOST_TEST(a.kernel(1).reuse[0] == 2u);
    BOOST_TEST(a.kernel(1).buffers[0].accesses == 3u);
    BOOST_TEST(a.kernel(2).accesses == 0u);
    BOOST_TEST(a.kernel(2).buffers == nullptr);
    const uint64_t starts[] = {0, 2, 5, 5};
    for (uint32_t i = 0; i < 4; ++i)
        BOOST_TEST(ww_pages_launch_start(a.get(), i) == starts[i]);
    check_laws(a, WW_FOOTPRINT_4K);
}

BOOST_AUTO_TEST_CASE(a_page_counts_for_every_buffer_that_has_a_part_in_it)
{
    trace_spec spec = one_launch({{{{load_pages({0, 1, 5})}}}}, 0);
    spec.buffers = {{buffer_va + 4500, 100, 0, 0, 1},
                    {buffer_va, 4400, 0, 0, 1},
                    {buffer_va + 8192, 1, 0, 0, 1},
                    {buffer_va, 0, 0, 0, 1}};
    const trace t(spec);
    const analysed a(t.reader());
    const uint64_t touched[] = {1, 2, 0, 0}, all[] = {1, 2, 1, 0};
    for (uint32_t i = 0; i < 4; ++i) {
        BOOST_TEST(a.whole().buffers[i].pages == touched[i]);
        BOOST_TEST(ww_pages_of_buffer(&spec.buffers[i]) == all[i]);
    }
    BOOST_TEST(a.whole().outside == 1u);
    BOOST_TEST(a.kernel(0).outside == 1u);
}

/* The second buffer reuses the first one's addresses; it begins and ends before page 3. */
BOOST_AUTO_TEST_CASE(a_page_counts_for_a_buffer_whose_place_a_shorter_one_takes)
{
    trace_spec spec = one_launch({{{{load_pages({0, 3})}}}}, 4 * page_bytes);
    spec.launches.emplace_back();
    spec.launches[1].freed = {0};
    spec.launches[1].buffers = {{buffer_va + page_bytes, 100, 0, 1, 2}};
    const trace t(spec);
    const analysed a(t.reader());
    BOOST_TEST(a.whole().buffers[0].pages == 2u);
    BOOST_TEST(a.whole().buffers[1].pages == 0u);
    BOOST_TEST(a.whole().outside == 0u);
}

BOOST_AUTO_TEST_CASE(a_page_counts_for_seventeen_buffers)
{
    trace_spec spec = one_launch({{{{load_pages({1})}}}}, 0);
    spec.buffers = {{buffer_va, page_bytes + 1, 0, 0, 1}};
    for (uint64_t i = 1; i <= 16; ++i)
        spec.buffers.push_back({buffer_va + page_bytes + i * 240, 240, 0, 0, 1});
    const trace t(spec);
    const analysed a(t.reader());
    for (size_t i = 0; i < spec.buffers.size(); ++i)
        BOOST_TEST(a.whole().buffers[i].pages == 1u);
}

/* Distances are those in the whole trace's stream: accesses to other buffers count. */
BOOST_AUTO_TEST_CASE(misses_are_told_apart_by_buffer)
{
    std::vector<wkt_record> loads;
    for (const uint64_t vpn : {0, 8, 0, 9, 1, 0, 8})
        loads.push_back(load_pages({vpn}));
    trace_spec spec = one_launch({{{loads}}}, 0);
    spec.buffers = {{buffer_va, 8 * page_bytes, 0, 0, 1},
                    {buffer_va + 8 * page_bytes, 8 * page_bytes, 0, 0, 1}};
    const trace t(spec);
    const analysed a(t.reader(), pages_cfg(12, 320, 4)), large(t.reader(), pages_cfg(21, 320, 4));
    const ww_pages_buffer *b = a.whole().buffers;
    BOOST_TEST((b[0].cold == 2u && b[0].reuse[1] == 1u && b[0].reuse[2] == 1u)); /* 0 at distances 1, 2 */
    BOOST_TEST((b[1].cold == 2u && b[1].reuse[2] == 1u));                        /* 8 at distance 3 */
    BOOST_TEST(ww_pages_misses_of_buffer(&b[0], 1) == 3u);
    BOOST_TEST(ww_pages_misses_of_buffer(&b[0], 2) == 2u);
    BOOST_TEST(ww_pages_misses_of_buffer(&b[1], 1) == 3u);
    BOOST_TEST(large.whole().buffers[0].cold == 0u); /* counted for 4 KiB pages only */
}

BOOST_AUTO_TEST_CASE(larger_pages_are_counted_as_such)
{
    const trace t(one_launch({{{{load_pages({0, 15, 16, 511, 512}), load_pages({8 * 512, 0})}}}},
                             16 * 512 * page_bytes));
    const analysed small(t.reader(), pages_cfg(16)), large(t.reader(), pages_cfg(21));
    BOOST_TEST(small.whole().pages[4] == 1u);
    BOOST_TEST(small.whole().nbhds[5] == 1u); /* of 32 KiB, from pages 0, 8, 16, 504, 512 */
    BOOST_TEST(small.whole().footprint[WW_FOOTPRINT_64K] == 5u);
    BOOST_TEST(large.whole().pages[2] == 2u);
    BOOST_TEST(large.whole().nbhds[1] == 1u); /* of 16 MiB */
    BOOST_TEST(large.whole().nbhds[2] == 1u);
    BOOST_TEST(large.whole().reuse[2] == 1u); /* page 0 after pages 1 and 8 */
    check_laws(small, WW_FOOTPRINT_64K);
    check_laws(large, WW_FOOTPRINT_2M);
}

/* Recounts everything from the records in their order, the simplest way. */
void compare_with_naive_counting(wkt_reader *reader, const ww_pages_cfg &cfg, uint32_t page)
{
    const analysed a(reader, cfg);
    check_laws(a, page);
    ww_order *order = nullptr;
    wkt_error error{};
    BOOST_REQUIRE(ww_order_open(reader, &cfg.order, &order, &error) == WKT_OK);
    ww_pages_part expect{};
    std::vector<uint64_t> recent; /* latest first */
    std::set<uint64_t> pages;
    ww_order_step step;
    while (ww_order_next(order, &step, &error) == 1) {
        const wkt_record &r = step.record;
        std::vector<uint64_t> list;
        for (unsigned lane = 0; lane < WKT_WAVE_LANES; ++lane)
            for (const uint64_t va : {r.va[lane], r.va[lane] + r.bytes - 1})
                if ((r.mask >> lane & 1) != 0 &&
                    std::find(list.begin(), list.end(), va >> cfg.page_shift) == list.end())
                    list.push_back(va >> cfg.page_shift);
        ++expect.pages[list.size()];
        for (const uint64_t vpn : list) {
            const auto at = std::find(recent.begin(), recent.end(), vpn);
            if (at == recent.end()) {
                ++expect.cold;
            } else {
                const auto distance = static_cast<uint64_t>(at - recent.begin());
                uint32_t bucket = 0;
                while (distance >> bucket != 0)
                    ++bucket;
                ++expect.reuse[bucket];
                recent.erase(at);
            }
            recent.insert(recent.begin(), vpn);
        }
    }
    ww_order_close(order);
    BOOST_TEST(a.whole().pages == expect.pages, boost::test_tools::per_element());
    BOOST_TEST(a.whole().reuse == expect.reuse, boost::test_tools::per_element());
    BOOST_TEST(a.whole().cold == expect.cold);
}

BOOST_AUTO_TEST_CASE(random_traces_agree_with_naive_counting)
{
    const uint8_t shifts[] = {12, 16, 21};
    for (uint32_t page = 0; page < WW_FOOTPRINTS; ++page) {
        for (const uint32_t waves : {1u, 3u, 320u}) {
            const trace s(scatter(6, 20, 8 << 20, 30));
            compare_with_naive_counting(s.reader(), pages_cfg(shifts[page], waves), page);
            const trace m(row_major(4, 40, 4, 5000));
            compare_with_naive_counting(m.reader(), pages_cfg(shifts[page], waves), page);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_trace_without_accesses_is_empty)
{
    const trace t(one_launch({{{{record(WKT_BARRIER)}}}}, page_bytes));
    const analysed a(t.reader());
    BOOST_TEST(a.whole().accesses == 0u);
    BOOST_TEST(ww_pages_instructions(&a.whole()) == 0u);
    BOOST_TEST(ww_working_set_windows(ww_pages_working_set(a.get())) == 0u);
    check_laws(a, WW_FOOTPRINT_4K);
}

BOOST_AUTO_TEST_CASE(bad_configurations_are_refused)
{
    const trace t(one_launch({}, page_bytes));
    for (const ww_pages_cfg &cfg :
         {pages_cfg(13), pages_cfg(30), pages_cfg(12, 1, 1), pages_cfg(12, 1, 1025), pages_cfg(12, 0)}) {
        ww_pages *p = nullptr;
        wkt_error error{};
        BOOST_TEST(ww_pages_open(t.reader(), &cfg, &p, &error) == WKT_E_ARG);
        BOOST_TEST(error.text[0] != 0);
    }
}

BOOST_AUTO_TEST_CASE(too_many_kernels_are_refused)
{
    trace_spec spec = one_launch({}, page_bytes);
    spec.launches.clear();
    for (uint32_t i = 0; i <= WW_PAGES_KERNELS; ++i)
        spec.launches.push_back({{}, 0, "k" + std::to_string(i)});
    const trace t(spec);
    const ww_pages_cfg cfg = pages_cfg();
    ww_pages *p = nullptr;
    wkt_error error{};
    BOOST_TEST(ww_pages_open(t.reader(), &cfg, &p, &error) == WKT_E_LIMIT);
    BOOST_TEST(std::string(error.text).find("too many kernels") != std::string::npos);
}

} // namespace
