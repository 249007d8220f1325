/* SPDX-License-Identifier: MIT */
/* report/trace_print.hpp - a trace for people. */
#ifndef WALKWAY_REPORT_TRACE_PRINT_HPP
#define WALKWAY_REPORT_TRACE_PRINT_HPP

#include "report/table.hpp"
#include "run/part.hpp"

#include <iosfwd>
#include <optional>

namespace walkway
{

struct trace_selection {
    std::optional<uint32_t> launch, group, wave; /* none: all */
    uint64_t limit = UINT64_MAX;
    bool lanes = false;
};

/* part: the part of the trace that the reader has. */
json trace_info_json(const std::string &path, const wkt_reader *trace, const trace_part &part);
/* Return a row for each launch, and for each kind of record, for programs. */
table launches_table(const wkt_reader *trace);
table totals_table(const wkt_totals &totals);
void print_trace_info(std::ostream &out, const std::string &path, const wkt_reader *trace,
                      const trace_part &part);
void print_report(std::ostream &out, const std::string &path, const wkt_reader *trace, const trace_part &part,
                  const wkt_report &report);

/* Throws failure(exit_input) for damaged groups, failure(exit_usage) for numbers that are not in the
 * trace. */
void print_records(std::ostream &out, wkt_reader *trace, const trace_selection &wanted);

} // namespace walkway

#endif
