/* SPDX-License-Identifier: MIT */
/* report/energy.hpp - what accesses of a machine's arrays and main memory took in a run, from its statistics.
 * docs/model/energy.md says what each number is and what is not modelled. */
#ifndef WALKWAY_REPORT_ENERGY_HPP
#define WALKWAY_REPORT_ENERGY_HPP

#include "run/statistics.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace walkway
{

/* "l1_tlb.entries", in the order of the data path; none of a machine without hardware. */
std::vector<std::string> arrays_of(const json &statistics);
/* One sentence; empty where there are no arrays. */
std::string text_of_energy(const json &statistics);
/* A row for each array, their sum, and main memory beside it. */
void print_energy(std::ostream &out, const json &statistics);

} // namespace walkway

#endif
