/* SPDX-License-Identifier: MIT */
/* capi/parameters.hpp - the parameters of a machine by name, without its blocks: those of the shipped file of
 * the same wiring, which is whole and was written from their declarations, so that its comments have unit and
 * range of each; and the values of a file and of settings above them. Nothing is ignored: what is unknown,
 * twice there or out of range is refused, with file and line. */
#ifndef WALKWAY_CAPI_PARAMETERS_HPP
#define WALKWAY_CAPI_PARAMETERS_HPP

#include "support/platform_file.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace walkway
{

struct chain_parameter {
    std::string name, value, unit;
    uint64_t min, max;                /* of a number */
    std::vector<std::string> choices; /* of a choice, or "false" and "true"; empty: a number */
    std::string set_by;               /* "file:line" or the setting; empty: nobody, it is the default */
};

class chain_parameters
{
public:
    /* A shipped machine's name, or a path. Throws refusal. */
    explicit chain_parameters(const std::string &platform);
    void set(const setting &s);

    const std::string &wiring() const { return wiring_; }
    const std::vector<chain_parameter> &all() const { return all_; }
    bool has(const std::string &name) const { return index_.count(name) != 0; }
    const chain_parameter &operator[](const std::string &name) const { return all_[index_.at(name)]; }
    /* Of a number, and of a choice the index of its value. */
    uint64_t number(const std::string &name) const;
    uint32_t small(const std::string &name) const { return static_cast<uint32_t>(number(name)); }
    uint32_t choice(const std::string &name) const;

private:
    void apply(const std::string &text, const std::string &path, const std::string &from, unsigned depth);
    void apply_extended(const platform_file &file, unsigned depth);
    void declare(const std::string &wiring, const std::string &origin);

    std::string wiring_;
    std::vector<chain_parameter> all_;
    std::map<std::string, size_t> index_;
};

} // namespace walkway

#endif
