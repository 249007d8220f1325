/* SPDX-License-Identifier: MIT */
/* report/generators.hpp - the generators of traces and their parameters, listed. */
#ifndef WALKWAY_REPORT_GENERATORS_HPP
#define WALKWAY_REPORT_GENERATORS_HPP

#include "report/table.hpp"
#include "run/statistics.hpp"

#include <iosfwd>

namespace walkway
{

void print_generators(std::ostream &out);
table generators_table(); /* of their parameters */
json generators_json();

} // namespace walkway

#endif
