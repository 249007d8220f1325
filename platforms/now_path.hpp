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
    /* Called once for each instance, those of end() included: returns an observer of it, or the instance.
     * Both results must outlive the now_path. */
    std::function<translator &(const level &, translator &)> watch;
};

class now_path
{
public:
    now_path() = default;
    /* Required: path.know() and path.stand_together() have been called, why_not_now() of each level is "",
     * and both functions of `ends` are set. */
    now_path(const level_path &path, unsigned cus, const clock_domain &clock, const now_ends &ends);

    /* Returns the translator that a compute unit uses. */
    translator &of_unit(unsigned unit) const { return *first_[unit]; }
    unsigned units() const { return static_cast<unsigned>(first_.size()); }
    /* Returns every instance but those at the end of the path: the first level's, then the others', from the
     * end upwards. */
    const std::vector<std::unique_ptr<translator>> &all() const { return all_; }

private:
    std::vector<std::unique_ptr<translator>> all_;
    std::vector<translator *> first_; /* by compute unit */
};

} // namespace walkway

#endif
