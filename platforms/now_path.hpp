/* SPDX-License-Identifier: MIT */
/* platforms/now_path.hpp - the levels of a path as objects that translate within a call
 * (docs/use/translate-now.md), in the groups of the machine. */
#ifndef WALKWAY_PLATFORMS_NOW_PATH_HPP
#define WALKWAY_PLATFORMS_NOW_PATH_HPP

#include "platforms/level_path.hpp"
#include "translate/translator.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace walkway
{

struct now_ends {
    /* Returns the translator at an end of the path, for an instance of the last level. */
    std::function<translator &(const level &)> end;
    /* Returns an observer of a level's instance before the end, or the instance itself. */
    std::function<translator &(const level &, translator &)> watch;
};

class now_path
{
public:
    now_path() = default;
    /* Required: levels know their machine and stand together, and each translates within a call
     * (why_not_now() is ""). */
    now_path(const level_path &path, unsigned cus, const clock_domain &clock, const now_ends &ends);

    /* Returns the translator that a compute unit uses. */
    translator &of_unit(unsigned unit) const { return *first_[unit]; }
    unsigned units() const { return static_cast<unsigned>(first_.size()); }
    /* Returns every instance but those at the end of the path, the first level's first. */
    const std::vector<std::unique_ptr<translator>> &all() const { return all_; }

private:
    std::vector<std::unique_ptr<translator>> all_;
    std::vector<translator *> first_; /* by compute unit */
};

} // namespace walkway

#endif
