/* SPDX-License-Identifier: MIT */
/* tb/support/assert_handler.cpp - the assertion handler of the kernel tests: it throws, so that a test can
 * expect a broken contract. */
#include "kernels/base.h"

#include <stdexcept>
#include <string>

extern "C" void ww_assert_fail(const char *expr, const char *file, int line)
{
    throw std::logic_error(std::string(file) + ":" + std::to_string(line) + ": " + expr);
}
