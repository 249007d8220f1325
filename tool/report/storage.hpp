/* SPDX-License-Identifier: MIT */
/* report/storage.hpp - what machines that are compared have in bits: the structures that differ. */
#ifndef WALKWAY_REPORT_STORAGE_HPP
#define WALKWAY_REPORT_STORAGE_HPP

#include "report/comparison.hpp"

namespace walkway
{

/* A row for each structure that is not alike on all machines, and one for the sum of all structures; nothing
 * where none differs. */
void print_storage(std::ostream &out, const std::vector<named_result> &machines);
/* By name, and "all". */
json storage_json(const std::vector<hardware_structure> &structures);

} // namespace walkway

#endif
