/* SPDX-License-Identifier: MIT */
/* run/sample_windows.hpp - what windows counted, kept as numbers in the order in which a machine declares its
 * statistics, and put together to those of a whole run. */
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

/* Of a machine whose window has closed. */
window_result window_result_of(const platform &machine);
/* In a file, by one process, and by another. Throws failure(exit_output), failure(exit_law) where it is not
 * whole. */
void write_window(const std::string &path, const window_result &w);
window_result read_window(const std::string &path);

/* By the declarations of an equal machine: counts by their weights added up, levels the highest, reals the
 * mean. */
json statistics_of(const platform &machine, const std::vector<window_result> &windows,
                   const std::vector<double> &weights);
/* Counts of every window, of those of the statistics that the machine has. */
std::map<std::string, std::vector<double>> counts_of(const platform &machine,
                                                     const std::vector<window_result> &windows,
                                                     const std::vector<std::string> &statistics);
/* Of all windows, each law's sides added up; one that a window breaks does not hold. */
std::vector<law> laws_of(const std::vector<window_result> &windows);

} // namespace walkway

#endif
