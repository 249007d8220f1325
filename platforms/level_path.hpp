/* SPDX-License-Identifier: MIT */
/* platforms/level_path.hpp - the levels of a machine, from where compute units ask to the page-table walks,
 * as `path = l1_tlb l2_tlb walk_unit` of its file has them. */
#ifndef WALKWAY_PLATFORMS_LEVEL_PATH_HPP
#define WALKWAY_PLATFORMS_LEVEL_PATH_HPP

#include "platforms/level.hpp"

#include <map>

namespace walkway
{

class level_path
{
public:
    /* Of a text without fault (fault_of_path() of machine_params.hpp). */
    explicit level_path(const std::string &text);
    level_path(const level_path &other) { *this = other; }
    level_path &operator=(const level_path &other);

    const std::vector<std::unique_ptr<level>> &all() const { return all_; }
    /* Those that are there, by their parameters. */
    std::vector<level *> present() const;
    level &last() const { return *all_.back(); }
    level *find(const std::string &section) const;
    /* The parameters of the section, which is of that kind. */
    template <class P> P &params(const std::string &section) const
    {
        return dynamic_cast<level_of<P> &>(*find(section)).params;
    }
    /* Sections of levels that can hold everything. */
    std::vector<const char *> finite() const;
    /* Empty, or what is wrong with the levels as they stand below each other, with the parameter's name. */
    std::string validate(unsigned cus, const lds_params &lds, const icache_params &icache) const;
    /* The parameter that makes this level hand on what leaves it, "" where none does. */
    std::string made_to_pass(const level &l) const;
    /* Each knows its machine; and then its neighbours. */
    void know(level_facts facts, const std::string &infinite);
    void stand_together(unsigned cus);

private:
    std::string validate_victims() const;
    std::vector<std::unique_ptr<level>> all_;
};

} // namespace walkway

#endif
