/* SPDX-License-Identifier: MIT */
/* model/common/fail.hpp - ends a simulation that cannot go on. Cold: the compiler moves the code of failures,
 * building the text included, away from the code that runs often. */
#ifndef WALKWAY_MODEL_COMMON_FAIL_HPP
#define WALKWAY_MODEL_COMMON_FAIL_HPP

#include <string>

namespace walkway
{

/* Makes a fatal SystemC report with the caller's place; throws or aborts, as its handler is configured. */
[[noreturn, gnu::cold, gnu::noinline]] void fail(const char *id, const std::string &text,
                                                 const char *file = __builtin_FILE(),
                                                 int line = __builtin_LINE());
[[noreturn, gnu::cold, gnu::noinline]] void
fail(const char *id, const char *text, const char *file = __builtin_FILE(), int line = __builtin_LINE());

} // namespace walkway

#endif
