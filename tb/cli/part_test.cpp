/* SPDX-License-Identifier: MIT */
/* tb/cli/part_test.cpp - --kernels and --groups of launches of different sizes (tb/cli/scope_test.py has the
 * others). */
#include "run/part.hpp"
#include "tb/support/traces.hpp"

#include <boost/test/unit_test.hpp>

using namespace walkway;
using namespace walkway::test;

namespace
{

/* Launches of one, two and three work-groups. */
trace_spec growing()
{
    trace_spec spec;
    spec.buffers.push_back({buffer_va, 4096, 0, 0, 12});
    const group_spec group = {{{uniform(WKT_LOAD, buffer_va)}}};
    for (const char *name : {"one", "two", "three"})
        spec.launches.push_back({std::vector<group_spec>(spec.launches.size() + 1, group), 0, name});
    return spec;
}

uint32_t launches_left(const std::string &kernels, const std::string &groups)
{
    const test::trace t(growing());
    select_part(t.reader(), {kernels, groups});
    return wkt_reader_info(t.reader())->launches;
}

void refused(const std::string &kernels, const std::string &groups, const std::string &says)
{
    BOOST_CHECK_EXCEPTION(launches_left(kernels, groups), failure, [&](const failure &e) {
        BOOST_TEST(e.what() == says);
        return e.code() == exit_usage;
    });
}

} // namespace

BOOST_AUTO_TEST_SUITE(part)

BOOST_AUTO_TEST_CASE(small_launches_fall_out_of_those_that_an_item_chooses)
{
    BOOST_TEST(launches_left("", "1-") == 2u);
    BOOST_TEST(launches_left("0-2", "0,2") == 3u);
    BOOST_TEST(launches_left("*", "2") == 1u);
    BOOST_TEST(launches_left("t*", "2-9") == 1u);
}

BOOST_AUTO_TEST_CASE(an_item_that_adds_nothing_is_refused)
{
    refused("", "0,3-4", "--groups 3-4: no work-group of the chosen kernels, which have up to 3 (from 0)");
    refused("0-1", "0,2-", "--groups 2-: no work-group of the chosen kernels, which have up to 2 (from 0)");
    refused("three,one", "1-2", "--groups 1-2: no work-group of --kernels one, which have up to 1 (from 0)");
    refused("2,0-1", "2", "--groups 2: no work-group of --kernels 0-1, which have up to 2 (from 0)");
}

BOOST_AUTO_TEST_SUITE_END()
