/* SPDX-License-Identifier: MIT */
/* run/result_levels.hpp - the levels of the machine that made a result, by kind and place: nothing that reads
 * results looks a level up by its name, which is the machine file's choice. */
#ifndef WALKWAY_RUN_RESULT_LEVELS_HPP
#define WALKWAY_RUN_RESULT_LEVELS_HPP

#include "platforms/level.hpp"
#include "run/statistics.hpp"

#include <memory>
#include <string>
#include <vector>

namespace walkway
{

class result_levels
{
public:
    /* Those that have statistics, in the path's order, which is that of a run's statistics. */
    explicit result_levels(const json &statistics);
    /* The same of a result: statistics that come from a results file are in another order, it has the path.
     */
    static result_levels of(const json &result);

    const std::vector<std::unique_ptr<level>> &all() const { return all_; }
    /* Null: there is none of that section. */
    const level *find(const std::string &section) const;
    /* Those of the kind tlb. */
    std::vector<const level *> tlbs() const;
    /* The section of the walks; a machine without statistics of walks: that of the kind. */
    std::string walks() const;

private:
    std::vector<std::unique_ptr<level>> all_;
};

/* By `shared_by` and `gpu.cus`; without them one for each compute unit. */
unsigned instances_of(const std::string &section, const json &configuration);
/* "the L2 TLB", of one; "each L1 TLB", of several. */
std::string one_or_each(const level &l, const json &configuration);

} // namespace walkway

#endif
