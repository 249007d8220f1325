/* SPDX-License-Identifier: MIT */
/* run/machine.cpp - resolves settings by their precedence. */
#include "run/machine.hpp"

#include "run/parameters.hpp"
#include "support/errors.hpp"
#include "support/numbers.hpp"

#include <iostream>
#include <map>

namespace walkway
{

namespace
{

/* Settings of one precedence; later layers in a list have a higher one. */
struct layer {
    std::string where; /* ends "... does not count where ...", for settings that lose to it */
    std::vector<setting> settings;

    const setting *find(const std::string &name) const
    {
        for (const setting &s : settings)
            if (s.name == name)
                return &s;
        return nullptr;
    }
};

std::vector<setting> seeds(platform_config &config, const std::string &value)
{
    std::vector<setting> all;
    for (const parameter &p : list_parameters(config))
        if (p.key == "seed")
            all.push_back({p.name, value, "--seed"});
    if (all.empty())
        throw failure(exit_usage, "--seed: this machine has no parameter named seed");
    return all;
}

/* Returns the layer of highest precedence that sets the parameter; layers.size() if none does. */
size_t winner_of(const std::vector<layer> &layers, const std::string &name)
{
    for (size_t i = layers.size(); i-- > 0;)
        if (layers[i].find(name) != nullptr)
            return i;
    return layers.size();
}

std::string value_of(platform_config &config, const std::string &name)
{
    for (const parameter &p : list_parameters(config))
        if (p.name == name)
            return p.value;
    return "";
}

/* If another parameter takes the effect from `s` of layer `i`: notes it if a higher layer set that parameter,
 * refuses `s` otherwise. */
void note_without_effect(const std::vector<layer> &layers, size_t i, const setting &s, platform_spec &spec)
{
    const std::string by = spec.config->overruled_by(s.name);
    if (by.empty() || s.origin == "--seed") /* --seed sets all seeds, used or not */
        return;
    const std::string cause = by + " = " + value_of(*spec.config, by);
    const size_t winner = winner_of(layers, by);
    if (winner == layers.size() || winner <= i)
        throw failure(exit_usage, as_written(spec.label) + ": " + s.name + " = " + as_written(s.value) +
                                      " has no effect with " + cause + ": leave one of them out");
    spec.overruled.push_back({s, cause + " overrules it"});
}

void note_overruled(const std::vector<layer> &layers, platform_spec &spec)
{
    for (size_t i = 0; i < layers.size(); ++i)
        for (const setting &s : layers[i].settings) {
            const size_t winner = winner_of(layers, s.name);
            if (winner == i)
                note_without_effect(layers, i, s, spec);
            else if (layers[winner].find(s.name)->value != s.value)
                spec.overruled.push_back({s, layers[winner].where});
        }
}

} // namespace

machine_changes changes_of(const arguments &args)
{
    machine_changes changes;
    changes.set = args.values("set");
    if (args.has("seed"))
        changes.seed = args.value("seed");
    changes.memory_limit = args.number("memory-limit", default_memory_limit, 1, UINT64_MAX);
    return changes;
}

option_def memory_option_def()
{
    return {"memory-limit", 0, "BYTES", "refuse machines that would take more memory here (default 4Gi)"};
}

uint64_t check_memory(const platform_spec &spec, const program_list &all)
{
    constexpr uint64_t much = uint64_t{1} << 30;
    uint64_t expected = 0;
    try {
        expected = spec.config->memory_bytes(all);
    } catch (const std::runtime_error &e) {
        throw failure(exit_input, spec.label + ": " + e.what());
    }
    if (expected > spec.memory_limit)
        throw failure(exit_usage, as_written(spec.label) + ": this machine would take some " +
                                      text_of_bytes(expected) + " of memory here, and " +
                                      text_of_bytes(spec.memory_limit) +
                                      " are allowed: 'run', 'compare' and 'reproduce' have --memory-limit");
    if (all.size() != 0 && expected > much)
        std::cerr << "walkway: " << as_written(spec.label) << ": takes some " << text_of_bytes(expected)
                  << " of memory\n";
    return expected;
}

void make_room_for_image(platform_spec &spec, uint64_t end)
{
    const auto of = [&spec](const char *name) { return std::stoull(value_of(*spec.config, name)); };
    const auto by_user = [&spec](const char *name) {
        const auto at = spec.set_by.find(name);
        return at != spec.set_by.end() && (at->second == "--set" || at->second == spec.label);
    };
    constexpr uint64_t unit = uint64_t{1} << 30; /* the largest page */
    const char *const pages = "address_space.memory_bytes", *const rows = "dram.row_bits";
    const uint64_t data = of("address_space.data_pa");
    if (end <= data + of(pages) || by_user(pages) || by_user(rows))
        return;
    const uint64_t bytes = (end - data + unit - 1) / unit * unit;
    spec.set({pages, std::to_string(bytes), "--memory"});
    const uint64_t row = of("dram.row_bytes") * of("dram.banks") * of("dram.ranks") * of("dram.channels");
    uint64_t bits = of(rows);
    while (bits < 63 && row << bits < data + bytes)
        ++bits;
    spec.set({rows, std::to_string(bits), "--memory"});
    const std::string fault = spec.config->validate();
    if (!fault.empty())
        throw failure(exit_usage, spec.label + ": --memory: " + fault);
    std::cerr << "walkway: --memory: the image ends at " << text_of_bytes(end) << ", so " << pages << " = "
              << bytes << " and " << rows << " = " << bits << '\n';
}

platform_spec resolve_platform(const std::string &given, const machine_changes &changes)
{
    const std::string specification = (given.rfind(':', 0) == 0 ? default_platform : "") + given;
    const size_t slash = specification.rfind('/', specification.find('='));
    const size_t colon = specification.find(':', slash == std::string::npos ? 0 : slash);
    platform_spec spec = load_platform(specification.substr(0, colon));
    spec.label = specification;
    spec.memory_limit = changes.memory_limit;
    std::vector<layer> layers(4);
    if (changes.seed)
        layers[0].settings = seeds(*spec.config, *changes.seed);
    layers[1] = {"--set gives it", split_settings(changes.set, "--set")};
    layers[2].where = "the machine sets it itself";
    if (colon != std::string::npos)
        layers[2].settings = split_settings(split(specification.substr(colon + 1), ','), specification);
    layers[3] = {"the study sets it", split_settings(changes.study, "the study")};
    std::vector<setting> all;
    for (const layer &l : layers)
        all.insert(all.end(), l.settings.begin(), l.settings.end());
    each_or_every_fault<failure>(all, [&spec](const setting &s) { spec.set(s); });
    const std::string fault = spec.fault();
    if (!fault.empty())
        throw failure(exit_usage, spec.place_of(fault) + ": " + fault);
    note_overruled(layers, spec);
    return spec;
}

std::vector<platform_spec> resolve_platforms(const std::vector<std::string> &specifications,
                                             const machine_changes &changes)
{
    std::vector<platform_spec> specs;
    for (const std::string &name : specifications)
        specs.push_back(resolve_platform(
            (name.rfind(':', 0) == 0 && !specs.empty() ? specs.front().given : "") + name, changes));
    for (const platform_spec &spec : specs)
        check_memory(spec, nullptr);
    return specs;
}

void say_overruled(const std::vector<const platform_spec *> &machines)
{
    constexpr size_t most_labels = 4;
    std::map<std::string, std::vector<std::string>> labels;
    std::vector<std::string> order;
    for (const platform_spec *machine : machines)
        for (const overruled_setting &o : machine->overruled) {
            const std::string text = as_written(o.lost.name) + "=" + as_written(o.lost.value) + " (" +
                                     as_written(o.lost.origin) + ") does not count where " + o.where;
            if (labels[text].empty())
                order.push_back(text);
            labels[text].push_back(as_written(machine->label));
        }
    for (const std::string &text : order) {
        const std::vector<std::string> &all = labels[text];
        std::cerr << "walkway: " << text;
        for (size_t i = 0; i < all.size() && i < most_labels; ++i)
            std::cerr << (i == 0 ? ": " : "; ") << all[i];
        if (all.size() > most_labels)
            std::cerr << "; and " << all.size() - most_labels << " more";
        std::cerr << '\n';
    }
}

void say_overruled(const std::vector<platform_spec> &machines)
{
    std::vector<const platform_spec *> all;
    for (const platform_spec &machine : machines)
        all.push_back(&machine);
    say_overruled(all);
}

} // namespace walkway
