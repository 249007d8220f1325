/* SPDX-License-Identifier: MIT */
/* cli/list.cpp - walkway list: platforms, workloads, generators, parameters, statistics, signals. */
#include "cli/commands.hpp"

#include "cli/config.hpp"
#include "cli/errors.hpp"
#include "cli/generator.hpp"
#include "cli/listing.hpp"
#include "cli/machine.hpp"
#include "cli/nearest.hpp"
#include "cli/parameters.hpp"
#include "cli/paths.hpp"
#include "cli/simulate.hpp"
#include "cli/table.hpp"
#include "cli/workload.hpp"

#include <iostream>

namespace walkway
{

static int list_platforms(const arguments &)
{
    table t({"platform", "wiring", "what it is"});
    t.align_left();
    for (const std::string &name : platform_names()) {
        try {
            const platform_spec spec = load_platform(name);
            t.row({name, spec.wiring, spec.text});
        } catch (const failure &e) { /* one bad file must not hide the others */
            t.row({name, "", std::string("cannot be used: ") + e.what()});
        }
    }
    t.print(std::cout);
    return exit_ok;
}

static int list_workloads(const arguments &args)
{
    const std::vector<workload> all = find_workloads(true);
    if (args.has("json"))
        std::cout << dump(workloads_json(all));
    else
        print_workloads(std::cout, all);
    return exit_ok;
}

/* -p where given; else the defaults of the first wiring. */
static platform_spec machine_to_list(const arguments &args)
{
    platform_spec spec;
    if (args.has("platform") || args.has("set")) {
        spec = resolve_platform(args.value("platform", "apu-micro18"), changes_of(args));
        say_overruled({&spec});
        return spec;
    }
    const std::vector<std::string> wirings = platform_wirings();
    if (wirings.empty())
        throw failure(exit_usage, "this program was built without platforms");
    spec.wiring = spec.name = spec.label = wirings.front();
    spec.config = make_platform_config(spec.wiring);
    return spec;
}

static int list_parameters_of(const arguments &args)
{
    const platform_spec spec = machine_to_list(args);
    if (args.has("cfg")) {
        print_cfg(std::cout, spec);
        return exit_ok;
    }
    const std::vector<listed_parameter> list = parameters_of(spec);
    if (args.has("json"))
        std::cout << dump(parameters_json(list));
    else
        print_parameters(std::cout, list);
    return exit_ok;
}

static int list_stats(const arguments &args)
{
    const platform_spec spec = machine_to_list(args);
    const json statistics = statistics_of_idle_machine(spec);
    if (args.has("json")) {
        std::cout << dump(statistics);
        return exit_ok;
    }
    table t({"statistic", "unit", "kind", "what it counts"});
    t.align_left();
    for (const auto &item : statistics.items())
        t.row({item.key(), item.value().at("unit").get<std::string>(),
               item.value().contains("buckets") ? "histogram" : "number",
               item.value().at("description").get<std::string>()});
    t.print(std::cout);
    return exit_ok;
}

static int list_signals(const arguments &args)
{
    const std::vector<signal_info> signals = signals_of_idle_machine(machine_to_list(args));
    if (args.has("filters"))
        write_state_filters(args.value("filters"), signals);
    else if (args.has("json"))
        std::cout << dump(signals_json(signals));
    else
        print_signals(std::cout, signals);
    return exit_ok;
}

static int list_generators(const arguments &args)
{
    if (args.has("json"))
        std::cout << dump(generators_json());
    else
        print_generators(std::cout);
    return exit_ok;
}

static int list_main(const arguments &args)
{
    static const struct {
        const char *name;
        int (*main)(const arguments &);
    } kinds[] = {{"platforms", list_platforms},   {"workloads", list_workloads},
                 {"generators", list_generators}, {"parameters", list_parameters_of},
                 {"stats", list_stats},           {"signals", list_signals}};
    std::vector<std::string> names;
    std::string all;
    for (const auto &kind : kinds) {
        names.emplace_back(kind.name);
        all += (all.empty() ? "" : ", ") + names.back();
    }
    if (args.positional.size() != 1 || args.has_program)
        throw failure(exit_usage, "list: wants one of " + all);
    for (const auto &kind : kinds)
        if (args.positional[0] == kind.name)
            return kind.main(args);
    throw failure(exit_usage, "list: '" + args.positional[0] + "' is none of " + all +
                                  did_you_mean(args.positional[0], names));
}

const command_def list_command = {
    "list",
    "list platforms\n"
    "list workloads [--json]\n"
    "list generators [--json]\n"
    "list parameters [-p PLATFORM] [--cfg | --json]\n"
    "list stats [-p PLATFORM] [--json]\n"
    "list signals [-p PLATFORM] [--json | --filters DIR]",
    "What is there to choose, to set and to read, in which unit, within which range, and where does each "
    "number come from?",
    "'list parameters -p X --cfg' prints a complete platform file that can be kept, changed and given to "
    "-p.\n"
    "Platform files are looked for in $WALKWAY_PLATFORMS, then among those that came with the program.",
    {
        {"platform", 'p', "PLATFORM", "show this machine's values beside the defaults"},
        {"set", 0, "SECTION.KEY=VALUE", "change one parameter first; may be repeated", true},
        {"cfg", 0, nullptr, "parameters as a complete platform file"},
        {"json", 0, nullptr, "for programs"},
        {"filters", 0, "DIR",
         "names of the signals' states for GTKWave (DIR/filters) and Surfer (DIR/surfer)"},
    },
    "walkway list parameters -p apu-micro18 --cfg > mine.cfg",
    list_main,
};

} // namespace walkway
