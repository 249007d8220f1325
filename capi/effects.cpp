/* SPDX-License-Identifier: MIT */
/* capi/effects.cpp - which parameters of a machine have an effect on a chain that translates within a call,
 * and why the others have none. */
#include "capi/chain.hpp"
#include "platforms/gpu_params.hpp"

#include <algorithm>
#include <array>

namespace walkway
{

std::string without_effect(const gpu_machine_params &machine, const std::string &name)
{
    const std::string section = name.substr(0, name.find('.')), key = name.substr(name.find('.') + 1);
    if (const level *l = machine.path.find(section)) {
        const std::vector<std::string> keys = l->keys_now();
        if (name == l->presence() || std::find(keys.begin(), keys.end(), key) != keys.end())
            return "";
        if (const std::string by = machine.overruled_by(name); !by.empty())
            return "with this " + by;
        return l->why_not_now().empty()
                   ? "nothing waits and nothing is pending: each access is alone in the machine"
                   : l->why_not_now();
    }
    for (const char *has : {"gpu.cus", "gpu.clock_ps", "translation.ideal", "address_space.table",
                            "address_space.levels", "address_space.page", "driver.oversubscription"})
        if (name == has)
            return "";
    static const std::array<std::pair<const char *, const char *>, 7> why = {{
        {"address_space", "page tables are the caller's"},
        {"pager", "page tables are the caller's"},
        {"driver", "page tables are the caller's"},
        {"dram", "memory is the caller's, who says what a read takes"},
        {"host_link", "memory is the caller's, who says what a read takes"},
        {"copy_engine", "memory is the caller's, who says what a read takes"},
        {"l2d", "memory is the caller's, who says what a read takes"},
    }};
    const auto found =
        std::find_if(why.begin(), why.end(), [&](const auto &w) { return section == w.first; });
    return found != why.end() ? found->second : "no program runs: accesses are the caller's";
}

} // namespace walkway
