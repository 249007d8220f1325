/* SPDX-License-Identifier: MIT */
/* workbench/report_page.hpp - results as one self-contained page: it contains the data and the drawing
 * library (workbench/report.html). */
#ifndef WALKWAY_WORKBENCH_REPORT_PAGE_HPP
#define WALKWAY_WORKBENCH_REPORT_PAGE_HPP

#include "workbench/results_file.hpp"

#include <string>

namespace walkway
{

/* Returns plotly.js of Debian's python3-plotly, or $WALKWAY_PLOTLY. Throws failure(exit_input) if there is
 * none. */
std::string plotly_file();

/* Returns the page's data: points, metrics, accounts, knees, explanations, provenance. `cost`: the formula of
 * a metric of that name (workbench/results_rows.hpp); empty: none. Throws failure(exit_usage) if it is none.
 */
json report_data(results_file &results, const std::string &cost);

/* Returns the page. */
std::string report_page(const json &data, const std::string &plotly);

/* The same for a study with figures: the contents of reproduce.json (tool/python/walkway/reproduce.py). */
std::string figures_page(const json &report, const std::string &plotly);

} // namespace walkway

#endif
