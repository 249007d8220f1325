/* SPDX-License-Identifier: MIT */
/* tb/cli/names_test.cpp - lists of names in one order; mangled names of kernels in readable form. */
#include "support/names.hpp"
#include "support/nearest.hpp"
#include "support/options.hpp"

#include <boost/test/unit_test.hpp>

#include <array>

using namespace walkway;

BOOST_AUTO_TEST_SUITE(names)

BOOST_AUTO_TEST_CASE(what_is_missing_stands_behind_what_precedes_it)
{
    const std::vector<std::string> all = {"l1", "l2", "walk"};
    for (const auto &[more, as] :
         std::vector<std::array<std::string, 2>>{{"l1 l2 l3 walk", "l1 l2 l3 walk"},
                                                 {"l0 l1 walk end", "l0 l1 l2 walk end"},
                                                 {"x y", "x y l1 l2 walk"},
                                                 {"walk x l1 y", "l1 y l2 walk x"}}) {
        std::vector<std::string> got = all;
        add_in_order(got, split(more, ' '));
        BOOST_TEST(joined(got, " ") == as);
    }
}

BOOST_AUTO_TEST_CASE(names_of_kernels_as_their_source_has_them)
{
    BOOST_TEST(readable_name("_Z3bfsPiS_i") == "bfs(int*, int*, int)");
    BOOST_TEST(readable_name("_ZN2ns4sortIfEEvPT_") == "void ns::sort<float>(float*)");
    for (const char *plain : {"bfs", "_Zno_name", "", "_Z"})
        BOOST_TEST(readable_name(plain) == plain);
}

BOOST_AUTO_TEST_CASE(names_of_kernels_in_a_message)
{
    BOOST_TEST(readable_names("kernel _Z3bfsPiS_i: a work-group; _Znot, a_Z3bfsPiS_i and (_Z1fv)") ==
               "kernel bfs(int*, int*, int): a work-group; _Znot, a_Z3bfsPiS_i and (f())");
}

BOOST_AUTO_TEST_SUITE_END()
