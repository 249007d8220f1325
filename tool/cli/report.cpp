/* SPDX-License-Identifier: MIT */
/* cli/report.cpp - walkway report: writes results as an HTML page. */
#include "cli/commands.hpp"

#include "support/errors.hpp"
#include "support/paths.hpp"
#include "support/read_files.hpp"
#include "workbench/report_page.hpp"

#include <filesystem>
#include <iostream>

namespace walkway
{

static int report_main(const arguments &args)
{
    if (args.positional.size() != 1)
        throw failure(exit_usage, "report: name one file of results");
    const std::string path = args.positional.front();
    if (!args.has("output"))
        throw failure(exit_usage, "report: --output names the page: walkway report " + as_written(path) +
                                      " -o " + as_written(std::filesystem::path(path).stem().string()) +
                                      ".html");
    const std::string plotly = plotly_file();
    results_file results(path, database::mode::read);
    will_read(path, "the results");
    will_read(plotly, "the drawing library");
    const std::string file = new_file("--output", args.value("output"));
    refuse_to_overwrite("--output", file);
    write_file(file, report_page(report_data(results, args.value("cost")), plotly));
    std::cout << "report: " << file << '\n';
    return exit_ok;
}

const command_def report_command = {
    "report",
    "report RESULTS.db [--cost FORMULA] -o PAGE.html",
    "What did a sweep find, to look at?",
    "One page that needs no network and no other file: best points, speed-ups over a baseline that is chosen "
    "there, cost against gain, one parameter at a "
    "time with the range over "
    "repeats, where each axis levels off and why, how long walks take, the account of a translation's time "
    "between any two "
    "points, what translation cost by kernel, buffer and instruction where the study asks for that (by = "
    "...), "
    "what changed and why, laws, "
    "failures, and where everything comes from. Filters by workload and axis; the address keeps them: "
    "page.html#workload=mvt. "
    "Light or dark, and printable. Its figures are drawn by plotly.js, which Debian has in python3-plotly "
    "($WALKWAY_PLOTLY: another one).",
    {{"output", 'o', "FILE", "the page"},
     {"cost", 0, "FORMULA", "one more metric, cost, as in results --cost; cost against gain begins with it"}},
    "walkway report results.db -o report.html",
    report_main,
};

} // namespace walkway
