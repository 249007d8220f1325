/* SPDX-License-Identifier: MIT */
/* run/places.hpp - what translation costs by place in the program, as members of a result
 * (docs/use/by-buffer.md): the place where most cycles were waited for translations first. */
#ifndef WALKWAY_RUN_PLACES_HPP
#define WALKWAY_RUN_PLACES_HPP

#include "run/statistics.hpp"

namespace walkway
{

/* The statistic by which places are sorted. */
constexpr const char *waited_cycles = "account.translation_cycles";

json buffers_json(const platform &machine, const wkt_reader &trace);
/* With the line of the source that each is of, where the trace has it. */
json instructions_json(const platform &machine, const wkt_reader &trace);

} // namespace walkway

#endif
