/* SPDX-License-Identifier: MIT */
/* tb/cli/names_test.cpp - mangled names of kernels in readable form. */
#include "support/nearest.hpp"

#include <boost/test/unit_test.hpp>

using namespace walkway;

BOOST_AUTO_TEST_SUITE(names)

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
