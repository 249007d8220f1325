/* SPDX-License-Identifier: MIT */
/* report/energy.hpp - energy of the accesses to a machine's arrays and main memory in a run, from its
 * statistics. docs/model/energy.md defines each number and what is not modelled. */
#ifndef WALKWAY_REPORT_ENERGY_HPP
#define WALKWAY_REPORT_ENERGY_HPP

#include "run/statistics.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace walkway
{

/* Returns "l1_tlb.entries" and so on, in the order of the data path; empty for a machine without hardware. */
std::vector<std::string> arrays_of(const json &statistics);
/* Returns one sentence; empty if there are no arrays. */
std::string text_of_energy(const json &statistics);
/* Prints a row for each array, their sum, and main memory. */
void print_energy(std::ostream &out, const json &statistics);

} // namespace walkway

#endif
