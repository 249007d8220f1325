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
    /* What stands where the path ends, of each of its instances. */
    std::function<translator &(const level &)> end;
    /* What watches an instance of a level on the way to it, or the instance. */
    std::function<translator &(const level &, translator &)> watch;
};

class now_path
{
public:
    now_path() = default;
    /* Levels must know their machine and stand together, and each must translate within a call
     * (why_not_now()). */
    now_path(const level_path &path, unsigned cus, const clock_domain &clock, const now_ends &ends);

    /* What a compute unit asks. */
    translator &of_unit(unsigned unit) const { return *first_[unit]; }
    unsigned units() const { return static_cast<unsigned>(first_.size()); }
    /* Every instance but those where the path ends, those of the first level before the others. */
    const std::vector<std::unique_ptr<translator>> &all() const { return all_; }

private:
    std::vector<std::unique_ptr<translator>> all_;
    std::vector<translator *> first_; /* by compute unit */
};

} // namespace walkway

#endif
