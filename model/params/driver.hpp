/* SPDX-License-Identifier: MIT */
/* model/params/driver.hpp - the parameters of the driver, those of every policy among them. */
#ifndef WALKWAY_MODEL_PARAMS_DRIVER_HPP
#define WALKWAY_MODEL_PARAMS_DRIVER_HPP

#include "model/common/params.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace walkway
{

class driver_policy_kind;

/* Where pages lie that are mapped before time zero. */
enum class pages_start : uint8_t { device, host };

struct driver_params {
    uint32_t oversubscription = 0;
    uint32_t m_percent = 0;
    uint8_t policy = 0;            /* index of policy_kind() */
    std::vector<uint64_t> of_keys; /* of all policies, in the order of the build's list */
    uint32_t migrate_after = 0;
    bool flush = true;
    uint8_t start = 0; /* enum class pages_start */

    driver_params();
    void visit(param_visitor &v);
    bool present() const { return oversubscription != 0; }
    pages_start at_start() const { return static_cast<pages_start>(start); }
    std::string validate() const;
    const driver_policy_kind &policy_kind() const;
    /* Returns the value of a policy's key. */
    uint64_t of_policy(const std::string &key) const;
};

} // namespace walkway

#endif
