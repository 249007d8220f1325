/* SPDX-License-Identifier: MIT */
/* tb/platform/machines.hpp - every machine of the program, with settings; names no machine. */
#ifndef WW_TB_PLATFORM_MACHINES_HPP
#define WW_TB_PLATFORM_MACHINES_HPP

#include "platforms/machine.hpp"
#include "tb/platform/apu_rig.hpp"

#include <fstream>

namespace walkway::test
{

struct machine_case {
    std::string machine, settings;
};

inline std::ostream &operator<<(std::ostream &out, const machine_case &c)
{
    return out << c.machine << " " << c.settings;
}

/* Groups by number name every compute unit of their machine: with another number of units, one instance of
 * that level serves all. */
inline std::string regrouped(const std::string &machine, const std::string &settings)
{
    std::string more, section;
    std::ifstream file(path_of_machine(machine));
    for (std::string line; std::getline(file, line);) {
        if (line[0] == '[')
            section = line.substr(1, line.find(']') - 1);
        if (line.compare(0, 9, "shared_by") == 0 &&
            line.substr(0, line.find('@')).find('|') != std::string::npos)
            more += " " + section + ".shared_by=all";
    }
    return settings.find("gpu.cus=") == std::string::npos ? settings : settings + more;
}

/* Each shipped machine with each of these settings. */
inline std::vector<machine_case> every_machine(const std::vector<std::string> &settings)
{
    std::vector<machine_case> all;
    for (const std::string &machine : shipped_machines())
        for (const std::string &s : settings)
            all.push_back({machine, regrouped(machine, s)});
    return all;
}

inline std::unique_ptr<platform_config> config_of(const machine_case &c)
{
    const machine_settings of = with_levels(c.machine, c.settings);
    std::unique_ptr<platform_config> config = make_platform_config(chain_of(of.machine).levels);
    read_machine(of.machine, [&config](param_visitor &v) { config->visit(v); });
    param_setter set(of.settings);
    config->visit(set);
    if (!set.unused().empty())
        throw std::runtime_error("no parameter " + set.unused().begin()->first);
    return config;
}

/* A built machine, for inspecting its blocks. */
struct built {
    simulation sim;
    std::unique_ptr<platform> made;
    walkway::machine &machine;

    built(const machine_case &c, const trace &t)
        : made(config_of(c)->build(t.reader())), machine(dynamic_cast<walkway::machine &>(*made))
    {
    }
};

inline outcome outcome_of(platform &made)
{
    outcome out;
    stat_text text;
    made.visit(text);
    out.stats = text.all;
    out.laws = made.laws();
    out.cycles = made.cycles();
    return out;
}

inline outcome run_machine(const machine_case &c, const trace &t)
{
    built b(c, t);
    const run_end end = b.made->run({});
    outcome out = outcome_of(*b.made);
    out.end = end;
    if (end == run_end::deadlock)
        out.stuck = b.made->stuck();
    return out;
}

} // namespace walkway::test

#endif
