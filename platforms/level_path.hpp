/* SPDX-License-Identifier: MIT */
/* platforms/level_path.hpp - the levels of a machine, from the compute units to the page-table walks, as in
 * `path = l1_tlb l2_tlb walk_unit` of its file. */
#ifndef WALKWAY_PLATFORMS_LEVEL_PATH_HPP
#define WALKWAY_PLATFORMS_LEVEL_PATH_HPP

#include "platforms/level.hpp"

#include <map>

namespace walkway
{

class level_path
{
public:
    /* Required: a text without fault (fault_of_path() of machine_params.hpp). */
    explicit level_path(const std::string &text);
    level_path(const level_path &other) { *this = other; }
    level_path &operator=(const level_path &other);

    const std::vector<std::unique_ptr<level>> &all() const { return all_; }
    /* Returns the levels that are present by their parameters. */
    std::vector<level *> present() const;
    level &last() const { return *all_.back(); }
    level *find(const std::string &section) const;
    /* Returns the parameters of a section. Required: it is of that kind. */
    template <class P> P &params(const std::string &section) const
    {
        return dynamic_cast<level_of<P> &>(*find(section)).params;
    }
    /* Returns the sections of levels that can hold everything. */
    std::vector<const char *> finite() const;
    /* Returns what is wrong with the order of the levels, with the parameter's name, or an empty string. */
    std::string validate(unsigned cus, const lds_params &lds, const icache_params &icache) const;
    /* Returns the parameter that makes this level pass on its victims, "" if none does. */
    std::string made_to_pass(const level &l) const;
    /* know() passes the machine's facts to each level; stand_together() then passes each its neighbours. */
    void know(level_facts facts, const std::string &infinite);
    void stand_together(unsigned cus);

private:
    std::string validate_victims() const;
    std::vector<std::unique_ptr<level>> all_;
};

} // namespace walkway

#endif
