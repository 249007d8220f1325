/* SPDX-License-Identifier: MIT */
/* model/params/driver_policy_kind.hpp - a policy of the driver as its section names it: `policy = NAME`.
 * model/driver_policy.hpp defines its decisions; the build lists the files policies/NAME_policy.cpp, each of
 * which defines NAME_policy(). */
#ifndef WALKWAY_MODEL_PARAMS_DRIVER_POLICY_KIND_HPP
#define WALKWAY_MODEL_PARAMS_DRIVER_POLICY_KIND_HPP

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace walkway
{

class driver_policy;
struct driver_params;

/* A key of one policy. The section always has it; it has no effect while `policy` names another. */
struct policy_key {
    const char *name, *unit;
    uint64_t least, most;
    const char *text;       /* one sentence */
    const char *needs = ""; /* another key without which it has no effect */
};

class driver_policy_kind
{
public:
    virtual ~driver_policy_kind() = default;
    /* Text for the list of choices. */
    virtual const char *text() const = 0;
    virtual std::vector<policy_key> keys() const = 0;
    /* Returns what is wrong with its keys, or an empty string. */
    virtual std::string fault(const driver_params &) const { return ""; }
    /* Makes a policy for pages of 1 << page_shift bytes. */
    virtual std::unique_ptr<driver_policy> make(const driver_params &p, uint8_t page_shift) const = 0;
};

} // namespace walkway

#endif
