/* SPDX-License-Identifier: MIT */
/* run/result.hpp - results that earlier runs and child processes left. */
#ifndef WALKWAY_RUN_RESULT_HPP
#define WALKWAY_RUN_RESULT_HPP

#include "run/statistics.hpp"

#include <string>

namespace walkway
{

/* Reads a stats.json; null when it is not there. Names of older programs are those of now. Throws
 * failure(exit_input) when it is no result of this program. */
json read_result(const std::string &path);

} // namespace walkway

#endif
