/* SPDX-License-Identifier: MIT */
/* cli/figure.hpp - a table as a figure: NAME.csv, the script NAME.py that draws it (python/walkway/figure.py
 * with its settings filled in), and the drawing, NAME.svg or NAME.pdf. */
#ifndef WALKWAY_CLI_FIGURE_HPP
#define WALKWAY_CLI_FIGURE_HPP

#include "report/table.hpp"

#include <string>
#include <vector>

namespace walkway
{

struct figure_plan {
    std::string file;                    /* as given by --figure */
    std::string kind = "bars";           /* "bars", "lines" or "stack" */
    std::string over = {};               /* of lines: the parameter along the axis; else empty */
    std::vector<std::string> notes = {}; /* printed above the figure: what is missing */
};

/* Throws failure(exit_usage) for an ending other than .svg and .pdf, or if it would overwrite a file that is
 * read, an edited script, or a CSV of another result. */
void check_figure(const figure_plan &plan);

/* Writes all three. Throws failure(exit_input) if Python or matplotlib is missing: script and data are
 * written, and the message says what to install. */
void write_figure(const figure_plan &plan, const table &t);

} // namespace walkway

#endif
