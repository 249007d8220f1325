/* SPDX-License-Identifier: MIT */
/* report/places.hpp - tables of the costs of translation by place in the program, for a result that has them:
 * the most costly places for people, all for programs. */
#ifndef WALKWAY_REPORT_PLACES_HPP
#define WALKWAY_REPORT_PLACES_HPP

#include "report/table.hpp"
#include "run/statistics.hpp"

#include <iosfwd>

namespace walkway
{

constexpr size_t places_shown = 10;

void print_places(std::ostream &out, const json &stats);
/* Returns those tables and one of kernels, each {head, rows, about} as people read them, under the members'
 * names; an empty object for a result that has none. */
json places_json(const json &stats);
/* Returns a row per place, with unformatted numbers, a column for each statistic. `member`: "buffers" or
 * "instructions". */
table places_table(const json &stats, const std::string &member);

} // namespace walkway

#endif
