/* SPDX-License-Identifier: MIT */
/* report/places.hpp - tables of what translation costs by place in the program: of a result that has them,
 * for people the places of most cost, for programs all. */
#ifndef WALKWAY_REPORT_PLACES_HPP
#define WALKWAY_REPORT_PLACES_HPP

#include "report/table.hpp"
#include "run/statistics.hpp"

#include <iosfwd>

namespace walkway
{

constexpr size_t places_shown = 10;

void print_places(std::ostream &out, const json &stats);
/* A row a place, numbers as they are, a column for each statistic. `member`: "buffers" or "instructions". */
table places_table(const json &stats, const std::string &member);

} // namespace walkway

#endif
