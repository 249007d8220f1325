/* SPDX-License-Identifier: MIT */
/* cli/figure.hpp - results as a figure: the data (a table, NAME.csv, or a study's report, NAME.json), the
 * script NAME.py that draws it (python/walkway/figure.py with its settings filled in), and the drawing,
 * NAME.svg, .pdf or .png. */
#ifndef WALKWAY_CLI_FIGURE_HPP
#define WALKWAY_CLI_FIGURE_HPP

#include "report/table.hpp"

#include <string>
#include <vector>

namespace walkway
{

struct figure_plan {
    std::string option;                  /* which names the file, for messages */
    std::string file;                    /* as given by it */
    std::string kind = "bars";           /* of tables: "bars", "lines" or "stack"; "report" */
    std::string over = {};               /* of lines: the parameter along the axis; else empty */
    std::vector<std::string> notes = {}; /* printed above the figure: what is missing */
};

/* Throws failure(exit_usage) for an ending other than .svg, .pdf and .png, or if it would overwrite a file
 * that is read, one of the `others` that the command writes, an edited script, or other data than a figure's
 * of this kind. */
void check_figure(const figure_plan &plan, const std::vector<std::string> &others = {});

/* Writes all three. Throws failure(exit_input) if Python or matplotlib is missing: script and data are
 * written, and the message says what to install. */
void write_figure(const figure_plan &plan, const table &t);
void write_figure(const figure_plan &plan, const std::string &report);
/* "figure: NAME.svg, and beside it ..." */
std::string text_of_figure(const figure_plan &plan);

} // namespace walkway

#endif
