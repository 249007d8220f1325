/* SPDX-License-Identifier: MIT */
/* run/sample_windows.hpp - the counts of windows, kept as numbers in the order in which a machine declares
 * its statistics, and combined to those of a whole run. */
#ifndef WALKWAY_RUN_SAMPLE_WINDOWS_HPP
#define WALKWAY_RUN_SAMPLE_WINDOWS_HPP

#include "platforms/platform.hpp"
#include "run/statistics.hpp"

#include <map>
#include <string>
#include <vector>

namespace walkway
{

struct window_result {
    uint64_t cycles = 0, instructions = 0, translations = 0, picoseconds = 0;
    std::vector<law> laws;
    std::vector<uint64_t> counts, levels;
    std::vector<double> reals;
    std::vector<histogram> histograms;
};

/* Returns the result of a machine whose window has closed. */
window_result window_result_of(const platform &machine);
/* Write a window to a file, and read it in another process. Throw failure(exit_output), failure(exit_law) if
 * it is not whole. */
void write_window(const std::string &path, const window_result &w);
window_result read_window(const std::string &path);

/* Returns the statistics by the declarations of an equal machine: counts add up by their weights, levels take
 * the highest, reals the mean. */
json statistics_of(const platform &machine, const std::vector<window_result> &windows,
                   const std::vector<double> &weights);
/* Returns the counts of every window, for those of the statistics that the machine has. */
std::map<std::string, std::vector<double>> counts_of(const platform &machine,
                                                     const std::vector<window_result> &windows,
                                                     const std::vector<std::string> &statistics);
/* Returns the laws of all windows, with each law's sides added up; one broken in a window does not hold. */
std::vector<law> laws_of(const std::vector<window_result> &windows);

} // namespace walkway

#endif
