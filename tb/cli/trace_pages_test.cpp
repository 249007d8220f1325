/* SPDX-License-Identifier: MIT */
/* tb/cli/trace_pages_test.cpp - the program around the analysis of pages: interrupts, helpers of its reports,
 * and pictures of very awkward traces. */
#include <boost/test/unit_test.hpp>

#include "report/svg.hpp"
#include "report/trace_pages.hpp"
#include "support/interrupt.hpp"
#include "tb/support/traces.hpp"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace walkway;
using namespace walkway::test;

namespace
{

page_analysis analysed(const test::trace &t)
{
    return analyse_pages("t.wkt", t.reader(), {12, 64, {320, UINT32_MAX}});
}

/* Every lane accesses its own page and across its end; twenty buffers; more kernels than a picture has
 * lines. */
trace_spec awkward()
{
    trace_spec spec;
    for (uint32_t b = 0; b < 20; ++b)
        spec.buffers.push_back({buffer_va + (uint64_t{b} << 21), (b + 1) * 4096, 0, 0, 12});
    for (uint32_t k = 0; k < 12; ++k) {
        wave_spec wave;
        for (uint32_t i = 0; i <= k; ++i)
            wave.records.push_back(
                stride(i % 3 == 0 ? WKT_ATOMIC : WKT_LOAD, buffer_va + 4094 + (uint64_t{i} << 21), 4096));
        spec.launches.push_back(
            {{{wave}}, 0, "a<b>&\"kernel\" of \x01\xff too long a name to be shown " + std::to_string(k)});
    }
    return spec;
}

size_t count_of(const std::string &text, const std::string &part)
{
    size_t count = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
        ++count;
    return count;
}

/* Checks that tags close, and that no text between them looks like a tag. */
void check_document(const std::string &text)
{
    BOOST_TEST(text.compare(0, 5, "<svg ") == 0);
    BOOST_TEST(text.compare(text.size() - 7, 7, "</svg>\n") == 0);
    for (const char *tag : {"text", "title", "style"})
        BOOST_TEST(count_of(text, std::string("<") + tag) == count_of(text, std::string("</") + tag + ">"),
                   tag);
    BOOST_TEST(count_of(text, "<rect") == count_of(text, "\"/>\n") + count_of(text, "</rect>") -
                                              count_of(text, "<line") - count_of(text, "<poly"));
    for (const char *wrong : {"nan", "inf", "<b>", "\x01", "\xff"})
        BOOST_TEST(text.find(wrong) == std::string::npos, wrong);
}

BOOST_AUTO_TEST_CASE(an_awkward_trace_has_a_picture)
{
    const test::trace t(awkward());
    const std::string text = pages_svg(analysed(t), "awkward & <long>");
    check_document(text);
    BOOST_TEST(text.find(">more</text>") != std::string::npos, "65 pages of an instruction");
    BOOST_TEST(text.find("and 5 more, with fewer page accesses") != std::string::npos);
    BOOST_TEST(count_of(text, "<polyline class=\"l4\"") == 1u, "all and four kernels");
    BOOST_TEST(text.find("class=\"mark\"") == std::string::npos, "too many kernels to mark them all");
    BOOST_TEST(text.find("awkward &amp; &lt;long&gt;") != std::string::npos);
    if (const char *path = std::getenv("WALKWAY_KEEP_PICTURE"))
        std::ofstream(path) << text;
}

BOOST_AUTO_TEST_CASE(a_picture_has_names_as_they_are_read)
{
    trace_spec spec;
    spec.buffers.push_back({buffer_va, 4096, 0, 0, 12});
    for (const char *name : {"_Z1aPf", "_Z1bPf"})
        spec.launches.push_back({{{{{uniform(WKT_LOAD, buffer_va)}}}}, 0, name});
    const test::trace t(spec);
    const std::string text = pages_svg(analysed(t), "names");
    BOOST_TEST(text.find("_Z1") == std::string::npos);
    BOOST_TEST(count_of(text, ">a(float*)<") == 2u, "at the working set and in the legend of reuse");
}

BOOST_AUTO_TEST_CASE(a_trace_without_accesses_has_reports)
{
    const test::trace t(one_launch({{{{record(WKT_BARRIER)}}}}, 4096));
    const page_analysis a = analysed(t);
    check_document(pages_svg(a, "nothing"));
    std::ostringstream text;
    print_pages(text, a);
    BOOST_TEST(text.str().find("no access of global memory") != std::string::npos);
    BOOST_TEST(text.str().find("Working set") == std::string::npos);
    const json all = pages_json(a);
    BOOST_TEST(all["whole"]["pages"]["mean"].is_null());
    BOOST_TEST(all["whole"]["lru_tlb"].size() == 1u);
    BOOST_TEST(all["working_set"]["windows"].empty());
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

BOOST_AUTO_TEST_CASE(steps_of_axes_are_1_2_or_5)
{
    BOOST_TEST(nice_step(10, 5) == 2.0);
    BOOST_TEST(nice_step(11, 5) == 5.0);
    BOOST_TEST(nice_step(4182, 5) == 1000.0);
    BOOST_TEST(nice_step(1, 5) == 0.2, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(nice_step(6e6, 6) == 1e6, boost::test_tools::tolerance(1e-9));
    BOOST_TEST(nice_step(0, 5) == 1.0);
}

BOOST_AUTO_TEST_CASE(words_are_fit_for_a_picture)
{
    BOOST_TEST(xml_text("a<b>&\"c\"\n\xc3\xa4") == "a&lt;b&gt;&amp;&quot;c&quot;???");
    BOOST_TEST(shortened("abcdefgh", 8) == "abcdefgh");
    BOOST_TEST(shortened("abcdefghi", 8) == "abcde...");
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
