/* SPDX-License-Identifier: MIT */
/* report/storage.hpp - the storage of compared machines in bits: the structures that differ. */
#ifndef WALKWAY_REPORT_STORAGE_HPP
#define WALKWAY_REPORT_STORAGE_HPP

#include "report/comparison.hpp"

namespace walkway
{

/* Prints a row for each structure that is not equal on all machines, and one for the sum of all structures;
 * nothing if none differs. */
void print_storage(std::ostream &out, const std::vector<named_result> &machines);
/* Returns the bits by name, and "all". */
json storage_json(const std::vector<hardware_structure> &structures);

} // namespace walkway

#endif
