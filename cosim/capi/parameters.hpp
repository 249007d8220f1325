/* SPDX-License-Identifier: MIT */
/* capi/parameters.hpp - the parameters of a machine by name, without its blocks: values of a machine file and
 * the files it extends, and settings that override them. Nothing is ignored: unknown or repeated names and
 * values out of range are refused, with file and line. */
#ifndef WALKWAY_CAPI_PARAMETERS_HPP
#define WALKWAY_CAPI_PARAMETERS_HPP

#include "platforms/machine_params.hpp"
#include "support/parameters.hpp"
#include "support/platform_file.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace walkway
{

struct chain_parameter : parameter {
    std::string set_by; /* "file:line" or the setting; empty: from a shipped machine */
};

class chain_parameters
{
public:
    /* platform: a shipped machine's name, or a path. Throws refusal (capi/refusal.hpp). */
    explicit chain_parameters(const std::string &platform);
    /* Replaces a value, also one that an earlier call has set. Throws refusal for an unknown name or a value
     * out of range. Invalidates references from all() and []. */
    void set(const setting &s);

    const std::string &levels() const { return levels_; } /* "l1_tlb l2_tlb walk_unit" */
    const gpu_machine_params &machine() const { return *params_->gpu(); }
    const std::vector<chain_parameter> &all() const { return all_; }
    /* Throw std::out_of_range for an unknown name. without_effect() returns why a parameter has no effect on
     * a chain that translates within a call; empty: it has one. */
    const chain_parameter &operator[](const std::string &name) const { return all_[index_.at(name)]; }
    std::string without_effect(const std::string &name) const;
    /* Throws refusal if a parameter without a neutral value is missing. Call after the last set(). */
    void refuse_missing() const;

private:
    void take(const std::vector<setting> &settings);

    std::string file_, levels_;
    std::set<std::string> given_;
    std::unique_ptr<machine_params> params_;
    std::map<std::string, std::string> set_by_;
    std::vector<chain_parameter> all_;
    std::map<std::string, size_t> index_;
};

} // namespace walkway

#endif
