/* SPDX-License-Identifier: MIT */
/* platforms/now_path.cpp - makes the instances, from the end of the path upwards. */
#include "platforms/now_path.hpp"

#include <algorithm>

namespace walkway
{

now_path::now_path(const level_path &path, unsigned cus, const clock_domain &clock, const now_ends &ends)
    : first_(cus, nullptr)
{
    const std::vector<level *> there = path.present();
    std::vector<std::unique_ptr<translator>> between;
    for (size_t i = there.size(); i-- > 0;) {
        const level &l = *there[i];
        std::vector<std::unique_ptr<translator>> &own = i == 0 ? all_ : between;
        for (const unit_groups::units &units : l.groups().of(cus)) {
            translator *made = nullptr;
            if (l.ends_path()) {
                made = &ends.end(l);
            } else {
                own.push_back(l.now(clock, *first_[units.front()]));
                made = own.back().get();
            }
            translator &seen = ends.watch(l, *made);
            for (const unsigned unit : units)
                first_[unit] = &seen;
        }
    }
    std::move(between.begin(), between.end(), std::back_inserter(all_));
}

} // namespace walkway
