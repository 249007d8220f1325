/* SPDX-License-Identifier: MIT */
/* tb/support/unit_main.cpp - entry of the tests that do not simulate: Boost.Test's own main(). */
#define BOOST_TEST_MODULE walkway
#include <boost/test/unit_test.hpp>
