/* SPDX-License-Identifier: MIT */
/* model/params/walk_scheduler.hpp - the scheduler of a walk unit, and the keys of all schedulers: each is a
 * file kernels/walk/sched_NAME.c, which the build lists. The default is first come, first served. */
#ifndef WALKWAY_MODEL_PARAMS_WALK_SCHEDULER_HPP
#define WALKWAY_MODEL_PARAMS_WALK_SCHEDULER_HPP

#include "kernels/walk/walk_sched.h"
#include "model/common/params.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace walkway
{

class scheduler_choice
{
public:
    /* First come, first served; all keys are 0, which need not be legal: visit() gives them values. */
    scheduler_choice();
    /* Visits `schedule` and the schedulers' keys. */
    void visit(param_visitor &v);
    const ww_sched_kind &kind() const { return *ww_scheds[kind_]; }
    ww_sched_cfg cfg(uint32_t walkers, uint32_t entries) const;
    /* Returns what is wrong, by the names of keys, or an empty string. */
    std::string fault(uint32_t walkers, uint32_t entries) const;

    /* Select a scheduler, and set a key of any scheduler, by name. Throw std::invalid_argument if there is
     * none. choose() gives no key a value; set() does not check the value's range. */
    void choose(const std::string &name);
    void set(const std::string &key, uint32_t value);

private:
    uint8_t kind_ = 0;
    std::vector<uint32_t> keys_; /* of all schedulers, in their order */
};

} // namespace walkway

#endif
