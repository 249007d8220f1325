/* SPDX-License-Identifier: MIT */
/* workbench/report_page.hpp - results as one page that needs nothing else: data and the drawing library are
 * inside (workbench/report.html). */
#ifndef WALKWAY_WORKBENCH_REPORT_PAGE_HPP
#define WALKWAY_WORKBENCH_REPORT_PAGE_HPP

#include "workbench/results_file.hpp"

#include <string>

namespace walkway
{

/* plotly.js of Debian's python3-plotly, or $WALKWAY_PLOTLY. Throws failure(exit_input) where there is none.
 */
std::string plotly_file();

/* The page's data: points, metrics, accounts, knees, explanations, provenance. */
json report_data(results_file &results);

/* The page. */
std::string report_page(const json &data, const std::string &plotly);

/* The same of a study with figures: what reproduce.json has (tool/python/walkway/reproduce.py). */
std::string figures_page(const json &report, const std::string &plotly);

} // namespace walkway

#endif
