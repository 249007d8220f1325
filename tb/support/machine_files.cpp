/* SPDX-License-Identifier: MIT */
#include "tb/support/machine_files.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>

namespace walkway::test
{

std::string path_of_machine(const std::string &name)
{
    const bool shipped = name.find('/') == std::string::npos;
    return std::string(WW_SOURCE_DIR) + (shipped ? "/platforms/" : "/") + name + ".cfg";
}

std::vector<std::string> shipped_machines()
{
    std::vector<std::string> names;
    for (const auto &entry : std::filesystem::directory_iterator(WW_SOURCE_DIR "/platforms"))
        if (entry.path().extension() == ".cfg")
            names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

const std::vector<std::string> &example_machines()
{
    static const std::vector<std::string> all = {"platforms/examples/gpu3", "platforms/examples/two-victims"};
    return all;
}

const platform_chain &chain_of(const std::string &machine)
{
    static std::map<std::string, platform_chain> known;
    platform_chain &chain = known[machine];
    const size_t path = machine.find(':');
    if (!chain.files.empty())
        return chain;
    const platform_file own = path == std::string::npos
                                  ? read_platform_file(path_of_machine(machine))
                                  : parse_platform_file("[machine]\nextends = " + machine.substr(0, path) +
                                                            "\npath = " + machine.substr(path + 1) + "\n",
                                                        path_of_machine("other"));
    chain = read_platform_chain(own, [](const std::string &name, const platform_file &) {
        return read_platform_file(path_of_machine(name));
    });
    return chain;
}

std::map<std::string, value_origin> read_machine(const std::string &machine, const visit_fn &visit)
{
    const platform_values values = values_of_chain(chain_of(machine), [](const std::string &levels) {
        const std::unique_ptr<machine_params> of = make_machine_params(levels);
        return parameter_names([&of](param_visitor &v) { of->visit(v); });
    });
    set_parameters(visit, values.now, "");
    std::map<std::string, value_origin> origins;
    for (const setting &s : values.said)
        origins[s.name] = *s.from;
    return origins;
}

void read_sections(const std::string &machine, const visit_fn &visit)
{
    const std::vector<std::string> names = parameter_names(visit);
    const std::set<std::string> shown(names.begin(), names.end());
    std::vector<setting> said;
    for (const setting &s : chain_of(machine).own().settings)
        if (shown.count(s.name) != 0)
            said.push_back(s);
    set_parameters(visit, said, "");
}

const gpu_machine_params &machine_params_of(const std::string &machine)
{
    static std::map<std::string, gpu_machine_params> known;
    const auto at = known.find(machine);
    if (at != known.end())
        return at->second;
    gpu_machine_params p(chain_of(machine).levels);
    read_machine(machine, [&p](param_visitor &v) { p.visit(v); });
    return known.emplace(machine, p).first->second;
}

machine_settings with_levels(const std::string &machine, const std::string &settings)
{
    std::istringstream words(settings), levels(chain_of(machine).levels);
    std::vector<std::string> path{std::istream_iterator<std::string>(levels), {}};
    machine_settings of{machine, ""};
    bool other = false;
    for (std::string word; words >> word;) {
        if (word.compare(0, 6, "above.") != 0) {
            of.settings += word + " ";
            continue;
        }
        const size_t is = word.find('=');
        const std::string below = word.substr(6, is - 6), level = word.substr(is + 1);
        const auto at = std::find(path.begin(), path.end(), below);
        if (at == path.end())
            throw std::runtime_error("no level " + below + " in the path of " + machine);
        if (std::find(path.begin(), path.end(), level) == path.end())
            path.insert(at, level);
        other = true;
    }
    if (other) {
        of.machine += ":";
        for (const std::string &level : path)
            of.machine += " " + level;
    }
    return of;
}

} // namespace walkway::test
