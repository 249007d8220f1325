/* SPDX-License-Identifier: MIT */
/* capi/parameters.hpp - the parameters of a machine by name, without its blocks: values of a machine file and
 * what it extends, and of settings above them. Nothing is ignored: what is unknown, twice there or out of
 * range is refused, with file and line. */
#ifndef WALKWAY_CAPI_PARAMETERS_HPP
#define WALKWAY_CAPI_PARAMETERS_HPP

#include "platforms/machine_params.hpp"
#include "support/parameters.hpp"
#include "support/platform_file.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace walkway
{

struct chain_parameter : parameter {
    std::string set_by; /* "file:line" or the setting; empty: nobody, a shipped machine has it */
};

class chain_parameters
{
public:
    /* A shipped machine's name, or a path. Throws refusal. */
    explicit chain_parameters(const std::string &platform);
    void set(const setting &s);

    const std::string &levels() const { return levels_; } /* of its path */
    const gpu_machine_params &machine() const { return *params_->gpu(); }
    const std::vector<chain_parameter> &all() const { return all_; }
    bool has(const std::string &name) const { return index_.count(name) != 0; }
    const chain_parameter &operator[](const std::string &name) const { return all_[index_.at(name)]; }
    /* Of a number, and of a choice the index of its value. */
    uint64_t number(const std::string &name) const { return (*this)[name].number; }
    uint32_t small(const std::string &name) const { return static_cast<uint32_t>(number(name)); }
    uint8_t choice(const std::string &name) const { return static_cast<uint8_t>(number(name)); }

private:
    void take(const std::vector<setting> &settings);

    std::string levels_;
    std::unique_ptr<machine_params> params_;
    std::map<std::string, std::string> set_by_;
    std::vector<chain_parameter> all_;
    std::map<std::string, size_t> index_;
};

} // namespace walkway

#endif
