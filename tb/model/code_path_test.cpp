/* SPDX-License-Identifier: MIT */
/* The place of a wave in its kernel's code, as far as the trace states it, and the place of that code in
 * memory. */
#include "model/code_path.hpp"
#include "tb/support/traces.hpp"

#include <boost/test/unit_test.hpp>

using namespace walkway;
using namespace walkway::test;

namespace
{

/* All places of a path, run by run: each run's end is a jump or the path's end. */
std::vector<uint64_t> places(code_path p, uint64_t instructions)
{
    std::vector<uint64_t> all;
    for (p.left = p.between; p.left != 0 || p.has_record;) {
        const code_run run = next_code(p, instructions);
        BOOST_TEST(run.length >= 1u);
        const uint64_t n = std::min(run.length, std::max<uint64_t>(p.left, 1));
        for (uint64_t i = 0; i < n; ++i)
            all.push_back(run.at + i);
        BOOST_TEST(all.back() < instructions);
        if (p.left == 0)
            break;
        p.left -= std::min(n, p.left);
        if (p.left == 0 && !p.has_record)
            break;
    }
    return all;
}

using list = std::vector<uint64_t>;

} // namespace

BOOST_AUTO_TEST_SUITE(code_paths)

BOOST_AUTO_TEST_CASE(straight_code_goes_from_record_to_record)
{
    BOOST_TEST(places({0, 3, true, 3, 0}, 20) == (list{0, 1, 2, 3}), boost::test_tools::per_element());
    BOOST_TEST(places({4, 7, true, 3, 0}, 20) == (list{4, 5, 6, 7}), boost::test_tools::per_element());
    BOOST_TEST(places({8, 0, false, 3, 0}, 20) == (list{8, 9, 10}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(skipped_code_leaves_the_instructions_in_front_of_the_record)
{
    BOOST_TEST(places({4, 12, true, 2, 0}, 20) == (list{10, 11, 12}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_loop_without_records_goes_round_between_two)
{
    BOOST_TEST(places({4, 7, true, 7, 0}, 20) == (list{6, 4, 5, 6, 4, 5, 6, 7}),
               boost::test_tools::per_element());
    BOOST_TEST(places({17, 0, false, 5, 0}, 20) == (list{17, 18, 19, 17, 18}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_jump_back_goes_on_to_the_end_of_the_code_and_then_comes_from_in_front)
{
    BOOST_TEST(places({6, 5, true, 3, 0}, 20) == (list{6, 7, 8, 5}), boost::test_tools::per_element());
    BOOST_TEST(places({6, 5, true, 4, 0}, 8) == (list{6, 7, 3, 4, 5}), boost::test_tools::per_element());
    BOOST_TEST(places({6, 2, true, 0, 0}, 8) == (list{2}), boost::test_tools::per_element());
    BOOST_TEST(next_code({6, 5, true, 4, 3}, 20).length == 3u); /* one of the four is issued */
}

BOOST_AUTO_TEST_CASE(what_cannot_be_still_lies_in_the_code)
{
    BOOST_TEST(places({4, 4, true, 3, 0}, 20) == (list{1, 2, 3, 4}), boost::test_tools::per_element());
    BOOST_TEST(places({1, 1, true, 3, 0}, 20) == (list{18, 19, 0, 1}), boost::test_tools::per_element());
    BOOST_TEST(places({1, 1, true, 20, 0}, 20).size() == 21u);
    BOOST_TEST(places({900, 950, true, 60, 0}, 20).size() == 61u);
    BOOST_TEST(places({900, 0, false, 30, 0}, 20).size() == 30u);
    BOOST_TEST(places({0, 70, true, 3, 0}, 1) == (list{0, 0, 0, 0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(kernels_lie_one_behind_the_other_and_launches_of_one_share_it)
{
    trace_spec spec = one_launch({{{{}, 1}}}, 4096);
    spec.launches.push_back(spec.launches[0]);
    spec.launches[1].kernel = "other";
    spec.launches.push_back(spec.launches[0]);
    const trace t(spec); /* states no size of its code: 512 instructions each */
    const code_layout code(t.reader(), 1 << 20, 8, 64);
    BOOST_TEST(code.of_launch.size() == 3u);
    BOOST_TEST(code.of_launch[0].pa == 1u << 20);
    BOOST_TEST(code.of_launch[0].instructions == 512u);
    BOOST_TEST(code.of_launch[1].pa == (1u << 20) + 4096);
    BOOST_TEST(code.of_launch[2].pa == code.of_launch[0].pa);
    BOOST_TEST(code.end == (1u << 20) + 8192);
    BOOST_TEST(code_layout(t.reader(), 0, 7, 64).end == 2u * 74 * 64); /* 512 / 7, rounded up */
}

BOOST_AUTO_TEST_SUITE_END()
