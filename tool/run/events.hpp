/* SPDX-License-Identifier: MIT */
/* run/events.hpp - actions of an operating system during a run: a file with an event on each line
 * (docs/use/events.md). */
#ifndef WALKWAY_RUN_EVENTS_HPP
#define WALKWAY_RUN_EVENTS_HPP

#include "model/os_event.hpp"
#include "trace/wkt.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace walkway
{

/* Reads events in the order of the file. programs: at least one, by VM-ID; events may name their buffers.
 * Throws failure(exit_input) with file, line and the nearest word, also for a file without events. */
std::vector<os_event> read_events(const std::string &path, const std::vector<wkt_reader *> &programs);
/* The same for a text; `name` is the file in messages. */
std::vector<os_event> parse_events(const std::string &text, const std::string &name,
                                   const std::vector<wkt_reader *> &programs);

/* Returns the member "events" of a result. */
nlohmann::ordered_json events_json(const std::vector<os_event> &events,
                                   const std::vector<os_event_result> &results);

extern const char *const event_grammar; /* for --help */

} // namespace walkway

#endif
