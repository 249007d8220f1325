/* SPDX-License-Identifier: MIT */
/* model/params/walk_scheduler.hpp - which scheduler a walk unit has, and the keys of all that there are: each
 * is a file kernels/walk/sched_NAME.c, which the build lists. First come, first served is the first one, as a
 * walk unit has it that says nothing. */
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
    scheduler_choice();
    /* `schedule` and the schedulers' keys. */
    void visit(param_visitor &v);
    const ww_sched_kind &kind() const { return *ww_scheds[kind_]; }
    ww_sched_cfg cfg(uint32_t walkers, uint32_t entries) const;
    /* Empty, or what is wrong, with the names of keys. */
    std::string fault(uint32_t walkers, uint32_t entries) const;

    /* By names, of a scheduler and of a key of any scheduler; std::invalid_argument if there is none. */
    void choose(const std::string &name);
    void set(const std::string &key, uint32_t value);

private:
    uint8_t kind_ = 0;
    std::vector<uint32_t> keys_; /* of all schedulers, in their order */
};

} // namespace walkway

#endif
