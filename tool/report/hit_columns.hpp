/* SPDX-License-Identifier: MIT */
/* report/hit_columns.hpp - the columns of a table of runs with the hit rates of their TLBs: one for each TLB
 * of any of the runs, "-" if a run has none. */
#ifndef WALKWAY_REPORT_HIT_COLUMNS_HPP
#define WALKWAY_REPORT_HIT_COLUMNS_HPP

#include "report/comparison.hpp"

#include <string>
#include <utility>
#include <vector>

namespace walkway
{

class hit_columns
{
public:
    explicit hit_columns(const std::vector<named_result> &results);
    using cells = std::vector<std::string>;
    /* Return `before`, the cells of the TLBs and `behind`. heads() has titles, "L1 TLB"; row() has hit rates.
     * stats: those of a named_result, not null. */
    cells heads(cells before, const cells &behind) const;
    cells row(cells before, const json &stats, const cells &behind) const;

private:
    std::vector<std::pair<std::string, std::string>> columns_; /* name in the headline; heading */
};

} // namespace walkway

#endif
