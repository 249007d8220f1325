/* SPDX-License-Identifier: MIT */
/* run/result.hpp - results of earlier runs and of child processes. */
#ifndef WALKWAY_RUN_RESULT_HPP
#define WALKWAY_RUN_RESULT_HPP

#include "run/statistics.hpp"

#include <string>

namespace walkway
{

/* Reads a stats.json; returns null if it does not exist. Names of older programs are replaced by the present
 * ones. Throws failure(exit_input) if it is no result of this program. */
json read_result(const std::string &path);

} // namespace walkway

#endif
