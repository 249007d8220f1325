/* SPDX-License-Identifier: MIT */
/* run/result_levels.hpp - the levels of the machine that made a result, by kind and place: readers of results
 * must not search a level by its name, which the machine file chooses. */
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
    /* The levels with statistics, in the path's order, which is that of a run's statistics. */
    explicit result_levels(const json &statistics);
    /* The same for a result, in the order of its path: statistics from a results file are in another
     * order. */
    static result_levels of(const json &result);

    const std::vector<std::unique_ptr<level>> &all() const { return all_; }
    /* Returns null if there is none of that section. */
    const level *find(const std::string &section) const;
    /* Returns the levels of kind tlb. */
    std::vector<const level *> tlbs() const;
    /* Returns the section of the walks; for a machine without statistics of walks, the kind's name. */
    std::string walks() const;

private:
    std::vector<std::unique_ptr<level>> all_;
};

/* Returns the instances by `shared_by` and `gpu.cus`; without them one for each compute unit. */
unsigned instances_of(const std::string &section, const json &configuration);
/* Returns "the L2 TLB" if there is one, "each L1 TLB" if there are several. */
std::string one_or_each(const level &l, const json &configuration);

} // namespace walkway

#endif
