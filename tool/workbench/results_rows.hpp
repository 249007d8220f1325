/* SPDX-License-Identifier: MIT */
/* workbench/results_rows.hpp - the points of a file of results as rows: identity and measurements. */
#ifndef WALKWAY_WORKBENCH_RESULTS_ROWS_HPP
#define WALKWAY_WORKBENCH_RESULTS_ROWS_HPP

#include "report/table.hpp"
#include "workbench/results_file.hpp"

#include <limits>
#include <string>
#include <vector>

namespace walkway
{

struct metric {
    std::string name, unit, text;
};

/* A point of a study that was run, or should be. If a name has several traces, windows or samples, or several
 * machines, a distinguishing text follows it. */
struct result_row {
    int64_t study, point, repetition, run; /* run 0: missing */
    std::string study_name, workload, machine, status, reason;
    std::vector<std::string> at;  /* value of each axis; empty if the study does not have it */
    std::vector<double> measured; /* of each metric; NaN if there is none */
    std::string model = {};       /* of the sources that ran it */
};

struct result_rows {
    std::vector<std::string> axes; /* parameters */
    /* The axis of each: several parameters may move together. */
    std::vector<std::string> axis_of;
    std::vector<std::string> axis_names() const;
    std::vector<metric> metrics;
    std::vector<result_row> rows; /* by study, then point */
};

/* Throws failure(exit_input) if no run is done, so that there is nothing to do that ("compare"). */
void expect_done(results_file &results, const std::string &what);

/* Reads the rows. metrics: names of headlines ("cycles"), statistics ("walk_unit.pte_reads") and figures of
 * histograms ("walk_unit.walk_latency.p99"), and formulas: names of these and of parameters, numbers,
 * + - * / and parentheses; none: the whole headline. `formulas`: further metrics, whose text is their
 * formula; none of those without one. Throws failure(exit_usage) with the nearest name. */
result_rows read_rows(results_file &results, const std::vector<std::string> &metrics,
                      const std::vector<metric> &formulas = {});

/* Returns a whole number as such, others to 15 digits; empty for NaN. */
std::string text_of_measured(double value);

/* Returns a line that some of the runs are estimates, and how many of a sampled study ran whole; empty if
 * there is none of either. */
std::string text_of_sampled(results_file &results);

/* Returns all rows of a query. */
table table_of(statement &answer);

/* Returns a row for each point. */
table table_of(const result_rows &all);

/* Returns, per workload, and within it per value of `by` ("workload", "machine", or an axis), the done points
 * with the lowest (or highest) first metric, its median over perturbed repeats with their range, and the
 * other metrics beside it; the best first, `count` of them. */
table best_of(const result_rows &all, const std::string &by, bool highest, size_t count);

/* Prints the contents: studies with their points, axes, machines, builds. */
void print_contents(std::ostream &out, results_file &results);

} // namespace walkway

#endif
