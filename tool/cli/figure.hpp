/* SPDX-License-Identifier: MIT */
/* cli/figure.hpp - a table as a figure: NAME.csv, the script NAME.py that draws it
 * (python/walkway/figure.py with its settings filled in), and what it draws, NAME.svg or NAME.pdf. */
#ifndef WALKWAY_CLI_FIGURE_HPP
#define WALKWAY_CLI_FIGURE_HPP

#include "report/table.hpp"

#include <string>
#include <vector>

namespace walkway
{

struct figure_plan {
    std::string file; /* as --figure has it */
    std::string kind = "bars", over = {};
    std::vector<std::string> notes = {}; /* above it: what is missing */
};

/* Throws failure(exit_usage) for another ending than .svg and .pdf, where a file that is read would be
 * overwritten, or a script that was edited, or a CSV of another result. */
void check_figure(const figure_plan &plan);

/* Writes all three. Throws failure(exit_input) where Python or matplotlib is not there: script and data are,
 * and the message says what to install. */
void write_figure(const figure_plan &plan, const table &t);

} // namespace walkway

#endif
