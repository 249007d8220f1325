/* SPDX-License-Identifier: MIT */
/* tb/cli/trace_pages_test.cpp - the program around the analysis of pages: interrupts, and helpers of its
 * reports. */
#include <boost/test/unit_test.hpp>

#include "report/trace_pages.hpp"
#include "report/trace_print.hpp"
#include "support/interrupt.hpp"
#include "tb/support/traces.hpp"

#include <csignal>
#include <sstream>

using namespace walkway;
using namespace walkway::test;

namespace
{

page_analysis analysed(const test::trace &t)
{
    return analyse_pages("t.wkt", t.reader(), {12, 64, {320, UINT32_MAX}});
}

BOOST_AUTO_TEST_CASE(a_trace_without_accesses_has_reports)
{
    const test::trace t(one_launch({{{{record(WKT_BARRIER)}}}}, 4096));
    const page_analysis a = analysed(t);
    std::ostringstream text;
    print_pages(text, a);
    BOOST_TEST(text.str().find("no access of global memory") != std::string::npos);
    BOOST_TEST(text.str().find("Working set") == std::string::npos);
    const json all = pages_json(a);
    BOOST_TEST(all["whole"]["pages"]["mean"].is_null());
    BOOST_TEST(all["whole"]["lru_tlb"].size() == 1u);
    BOOST_TEST(all["working_set"]["windows"].empty());
}

BOOST_AUTO_TEST_CASE(a_picture_has_names_as_they_are_read)
{
    trace_spec spec;
    spec.buffers.push_back({buffer_va, 4096, 0, 0, 12});
    for (const char *name : {"_Z1aPf", "_Z1bPf"})
        spec.launches.push_back({{{{{uniform(WKT_LOAD, buffer_va)}}}}, 0, name});
    const test::trace t(spec);
    const json all = drawn_json(trace_info_json("t.wkt", t.reader(), {}), analysed(t), "a title");
    for (const json *kernels : {&all["launches"], &all["pages"]["kernels"]}) {
        BOOST_TEST(kernels->at(0)["kernel"] == "a(float*)");
        BOOST_TEST(kernels->at(1)["kernel"] == "b(float*)");
    }
    BOOST_TEST(all["title"] == "a title");
    BOOST_TEST(
        all["notes"][0].get<std::string>().rfind("2 instructions, 2 page accesses; pages of 4 KiB", 0) == 0u);
}

BOOST_AUTO_TEST_CASE(accesses_outside_every_buffer_are_shown)
{
    trace_spec spec = one_launch({{{{uniform(WKT_LOAD, buffer_va + (1 << 20))}}}}, 4096);
    const test::trace t(spec);
    std::ostringstream text;
    print_pages(text, analysed(t));
    BOOST_TEST(text.str().find("\nnone ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(misses_are_stated_from_16_entries_to_the_last_size_that_matters)
{
    const test::trace few(one_launch({{{{uniform(WKT_LOAD, buffer_va)}}}}, 4096));
    BOOST_TEST(tlb_sizes_log2(analysed(few)) == std::vector<uint32_t>({4}), boost::test_tools::per_element());
    /* 100 pages in a cycle: distance 99. */
    std::vector<wkt_record> loads;
    for (uint64_t i = 0; i < 300; ++i)
        loads.push_back(uniform(WKT_LOAD, buffer_va + i % 100 * 4096));
    const test::trace many(one_launch({{{loads}}}, 100 * 4096));
    const page_analysis a = analysed(many);
    BOOST_TEST(tlb_sizes_log2(a) == std::vector<uint32_t>({4, 5, 6, 7}), boost::test_tools::per_element());
    BOOST_TEST(miss_ratio(*ww_pages_whole(a.pages.get()), 6) == 1.0);
    BOOST_TEST(miss_ratio(*ww_pages_whole(a.pages.get()), 7) == 1.0 / 3);
}

BOOST_AUTO_TEST_CASE(groups_of_numbers_leave_none_out)
{
    uint32_t next = 1;
    for (const number_group &g : number_groups) {
        BOOST_TEST(g.from == next);
        next = g.to + 1;
    }
    BOOST_TEST(next == WW_COAL_MAX + 1);
    const uint64_t histogram[] = {0, 2, 0, 3, 5};
    BOOST_TEST(share_of(histogram, 5, {3, 4}) == 0.8);
    BOOST_TEST(mean_of(histogram, 5) == 3.1);
}

/* This case is the last one, because an interrupt stays set. */
BOOST_AUTO_TEST_CASE(an_interrupt_ends_the_analysis)
{
    const test::trace t(row_major(4, 5000, 4, 4096));
    watch_interrupts();
    std::raise(SIGINT);
    try {
        analysed(t);
        BOOST_ERROR("it went on");
    } catch (const failure &e) {
        BOOST_TEST(e.code() == exit_interrupted);
    }
}

} // namespace
