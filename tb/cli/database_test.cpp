/* SPDX-License-Identifier: MIT */
/* tb/cli/database_test.cpp - which texts of a file of results are numbers. */
#include "workbench/database.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string>
#include <vector>

using namespace walkway;

BOOST_AUTO_TEST_CASE(digits_alone_make_a_number_beyond_sqlite)
{
    const std::string most = std::to_string(UINT64_MAX);
    database file("", database::mode::write);
    statement ask(file, "SELECT ?");
    const auto read = [&](const std::string &text) {
        ask.with(text).step();
        return ask.json_value(0);
    };
    BOOST_TEST(read(most) == UINT64_MAX);
    const std::vector<std::string> others = {" " + most, most + "\n",           "+" + most, "-" + most,
                                             most + "0", "9223372036854775807", "",         "x"};
    for (const std::string &text : others)
        BOOST_TEST(read(text) == text);
}
