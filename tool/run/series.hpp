/* SPDX-License-Identifier: MIT */
/* run/series.hpp - a run over time: a row of a CSV file for each step of it (docs/use/series.md). Columns
 * come from the levels and the flows of the machine. */
#ifndef WALKWAY_RUN_SERIES_HPP
#define WALKWAY_RUN_SERIES_HPP

#include "observe/output_file.hpp"
#include "platforms/level.hpp"
#include "platforms/platform.hpp"
#include "run/statistics.hpp"
#include "support/options.hpp"

#include <memory>
#include <string>
#include <vector>

namespace walkway
{

struct series_options {
    std::string file;       /* the CSV file; empty: no series, and the other members are unset */
    std::string figure;     /* .svg, .pdf or .png, which the caller draws from the CSV file; empty: none */
    std::string every_text; /* `every` as the user wrote it */
    window_bound every;     /* length of a step */
};

std::vector<option_def> series_option_defs();
/* Throws failure(exit_usage). */
series_options series_options_of(const arguments &args);

/* Returns "FILE: 37 steps of 10000cycles". */
std::string text_of_series(const series_options &options, uint64_t steps);

/* The CSV file of one run. If the machine writes a file of translations, that file has the columns as
 * counters. Make it before machine.run(). The machine calls it at each step, so it must outlive the run. */
class series_file
{
public:
    /* Opens the file, writes its head and asks the machine to report its steps. Throws file_failure.
     * Required: options.file is not empty. */
    series_file(const series_options &options, platform &machine);
    ~series_file(); /* without finish() no file is left */
    series_file(const series_file &) = delete;
    series_file &operator=(const series_file &) = delete;
    /* Completes the file after the run. `partial`: the run was cut short, and a last line says so. Returns
     * the number of rows. Throws file_failure, and then leaves no file. Call it once. */
    uint64_t finish(bool partial);

private:
    struct column;
    void add_difference(const std::string &name, uint64_t window_edge::*count);
    void add_count(const std::string &name, const std::string &statistic);
    void add_mean(const std::string &name, const std::string &histogram);
    void add_signals(const std::string &name, const std::string &block, const std::string &signal,
                     const platform &machine);
    void add_extent(const stat_view &stats);
    void add_flows(const platform &machine);
    void add_level(const level &l);
    void add_walks(const std::string &section, const platform &machine);
    void add_memory(const stat_view &stats);
    void row(const run_step &step);

    output_file file_;
    platform &machine_;
    std::vector<column> columns_;
    std::vector<std::string> signals_; /* needed by the columns */
    uint64_t rows_ = 0;
};

} // namespace walkway

#endif
