/* SPDX-License-Identifier: MIT */
/* run/places.hpp - the costs of translation by place in the program, as members of a result
 * (docs/use/by-buffer.md): first the place with most cycles of waiting for translations. */
#ifndef WALKWAY_RUN_PLACES_HPP
#define WALKWAY_RUN_PLACES_HPP

#include "run/statistics.hpp"

namespace walkway
{

/* The statistic by which places are sorted. */
constexpr const char *waited_cycles = "account.translation_cycles";

json buffers_json(const platform &machine, const wkt_reader &trace);
/* Includes each one's source line, if the trace has it. */
json instructions_json(const platform &machine, const wkt_reader &trace);

} // namespace walkway

#endif
