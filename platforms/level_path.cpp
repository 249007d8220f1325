/* SPDX-License-Identifier: MIT */
/* platforms/level_path.cpp - a machine's levels in their order. */
#include "platforms/level_path.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

namespace walkway
{

level_path::level_path(const std::string &text)
{
    std::istringstream words(text);
    for (std::string word; words >> word;)
        all_.push_back(make_level(kind_of_section(word), word));
    bool taker = false;
    for (size_t i = all_.size(); i-- > 0;) {
        all_[i]->stands(i != 0, taker);
        taker = taker || all_[i]->may_take_fills();
    }
}

level_path &level_path::operator=(const level_path &other)
{
    std::vector<std::unique_ptr<level>> copies;
    for (const auto &l : other.all_)
        copies.push_back(l->copy());
    all_ = std::move(copies);
    return *this;
}

std::vector<level *> level_path::present() const
{
    std::vector<level *> there;
    for (const auto &l : all_)
        if (l->present())
            there.push_back(l.get());
    return there;
}

level *level_path::find(const std::string &section) const
{
    for (const auto &l : all_)
        if (l->section() == section)
            return l.get();
    return nullptr;
}

std::vector<const char *> level_path::finite() const
{
    std::vector<const char *> names;
    for (const auto &l : all_)
        if (l->may_be_infinite())
            names.push_back(l->section().c_str());
    return names;
}

/* Returns the nearest level above `at` whose victims reach it (levels between pass them on), or null. */
static level *source_of_victims(const std::vector<level *> &path, size_t at)
{
    while (at-- > 0) {
        if (path[at]->lets_go())
            return path[at];
        if (!path[at]->hands_fills_on())
            return nullptr;
    }
    return nullptr;
}

std::string level_path::validate_victims() const
{
    const std::vector<level *> path = present();
    for (size_t i = 0; i < path.size(); ++i)
        if (path[i]->lives_on_victims() && source_of_victims(path, i) == nullptr)
            return path[i]->presence() + ": what it keeps is what leaves a level above, and " +
                   (i == 0 ? "none stands there" : "'" + path[i - 1]->section() + "' hands nothing on");
    return "";
}

std::string level_path::made_to_pass(const level &l) const
{
    const std::vector<level *> path = present();
    for (size_t i = 0; i < path.size(); ++i)
        if (path[i]->lives_on_victims() && source_of_victims(path, i) == &l)
            return path[i]->presence();
    return "";
}

std::string level_path::validate(unsigned cus, const lds_params &lds, const icache_params &icache) const
{
    const std::vector<level *> path = present();
    std::vector<unit_groups::units> above;
    for (size_t i = 0; i < path.size(); ++i) {
        const level_wants wants = path[i]->wants();
        const unit_groups of = wants.icache ? unit_groups(icache.shared_by) : path[i]->groups();
        const std::string name = path[i]->section() + ".shared_by = " + of.text() + ": ";
        if (const std::string wrong = of.validate(cus); !wrong.empty())
            return name + wrong;
        std::vector<unit_groups::units> here = of.of(cus);
        if (const std::string wrong = torn(above, here); !wrong.empty())
            return name + wrong + " ('" + (i == 0 ? "" : path[i - 1]->section()) + "')";
        if (wants.lds && !lds.present())
            return path[i]->presence() + ": wants controllers of local memory: set " + lds_presence;
        if (wants.icache && !icache.present())
            return path[i]->presence() + ": wants instruction caches: set " + icache_presence;
        if (wants.icache && icache.index != WW_INDEX_MODULO)
            return path[i]->presence() +
                   ": lines of instructions are then found by modulo only: icache.index";
        if (wants.misses && (i == 0 || path[i - 1]->mshrs() == 0))
            return path[i]->presence() +
                   ": it looks at the misses of a TLB right above it, and there is none";
        above = std::move(here);
    }
    return validate_victims();
}

void level_path::know(level_facts facts, const std::string &infinite)
{
    for (const auto &l : all_) {
        facts.infinite = l->section() == infinite;
        l->know(facts);
    }
}

void level_path::stand_together(unsigned cus)
{
    const std::vector<level *> path = present();
    for (size_t i = 0; i < path.size(); ++i)
        if (path[i]->lives_on_victims())
            if (level *source = source_of_victims(path, i))
                source->pass_victims();
    /* Pages in flight below the instance of which the unit is the first; 0: it is not the first of any. */
    std::vector<uint32_t> in_flight(cus, 1);
    for (size_t i = 0; i < path.size(); ++i) {
        uint32_t most = 1;
        for (const unit_groups::units &units : path[i]->groups().of(cus)) {
            uint32_t above = 0;
            for (const unsigned unit : units)
                above += std::exchange(in_flight[unit], 0);
            in_flight[units.front()] = above;
            most = std::max(most, above);
        }
        if (i > 0)
            path[i]->stands_below(*path[i - 1], most);
        if (const uint32_t most_below = path[i]->mshrs(); most_below != 0)
            for (uint32_t &n : in_flight)
                n = n == 0 ? 0 : most_below;
    }
}

} // namespace walkway
