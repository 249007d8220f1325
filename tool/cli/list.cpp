/* SPDX-License-Identifier: MIT */
/* cli/list.cpp - walkway list: machines, kinds of levels, workloads, generators, parameters, statistics,
 * signals, links. */
#include "cli/commands.hpp"

#include "cli/forms.hpp"
#include "cli/workload.hpp"
#include "report/generators.hpp"
#include "report/listing.hpp"
#include "report/table.hpp"
#include "run/config.hpp"
#include "run/machine.hpp"
#include "run/parameters.hpp"
#include "run/simulate.hpp"
#include "support/errors.hpp"
#include "support/nearest.hpp"
#include "support/paths.hpp"
#include "support/terminal.hpp"

#include <iostream>

namespace walkway
{

/* Returns the words after the kind. */
static std::vector<std::string> patterns_of(const arguments &args)
{
    return {args.positional.begin() + 1, args.positional.end()};
}

/* Returns the items that match the patterns. `kind` names one in errors: "parameter". */
template <class T, class Name>
static std::vector<T> chosen(std::vector<T> all, const arguments &args, const std::string &kind, Name name_of)
{
    std::vector<std::string> names;
    for (const T &item : all)
        names.push_back(name_of(item));
    const std::vector<bool> taken =
        meant(patterns_of(args), names, "list " + args.positional[0] + ": no " + kind);
    std::vector<T> some;
    for (size_t i = 0; i < all.size(); ++i)
        if (taken[i])
            some.push_back(std::move(all[i]));
    return some;
}

static int print_table(const arguments &args, const table &t)
{
    const output_form form = form_of(args);
    write_forms(form, t);
    if (!form.wanted())
        t.print(std::cout);
    return exit_ok;
}

static int list_platforms(const arguments &args)
{
    table t({"machine", "path", "what it is"});
    t.align_left();
    for (const std::string &name : platform_names()) {
        try {
            const platform_spec spec = load_platform(name);
            t.row({name, spec.levels, spec.text});
        } catch (const failure &e) { /* one bad file must not hide the others */
            t.row({name, "", std::string("cannot be used: ") + e.what()});
        }
    }
    return print_table(args, t);
}

static int list_levels(const arguments &args)
{
    const std::vector<listed_kind> kinds =
        chosen(kinds_of_levels(), args, "kind of level", [](const listed_kind &k) { return k.name; });
    if (args.has("csv"))
        return print_table(args, kinds_table(kinds));
    if (args.has("json"))
        std::cout << dump(kinds_json(kinds));
    else
        print_kinds(std::cout, kinds, args.positional.size() > 1);
    return exit_ok;
}

static int list_workloads(const arguments &args)
{
    const std::vector<workload> all =
        chosen(find_workloads(true), args, "workload", [](const workload &w) { return w.name; });
    if (args.has("csv"))
        return print_table(args, workloads_table(all));
    if (args.has("json"))
        std::cout << dump(workloads_json(all));
    else
        print_workloads(std::cout, all);
    return exit_ok;
}

/* Returns the machine that `run` would use. */
static platform_spec machine_to_list(const arguments &args)
{
    platform_spec spec = resolve_platform(args.value("platform", default_platform), changes_of(args));
    say_overruled({&spec});
    return spec;
}

/* Names the machine above a text for people; tables for programs have no place for it. */
static void print_machine(const arguments &args, const platform_spec &spec)
{
    std::cout << flowed("machine: " + as_written(spec.label) +
                        (args.has("platform") ? "" : " (the default; -p names another)"))
              << '\n';
}

static int list_parameters_of(const arguments &args)
{
    const platform_spec spec = machine_to_list(args);
    if (args.has("cfg")) {
        if (args.positional.size() > 1)
            throw failure(exit_usage, "list parameters: --cfg is of the whole machine, without a pattern");
        print_cfg(std::cout, spec);
        return exit_ok;
    }
    const std::vector<listed_parameter> list =
        chosen(parameters_of(spec), args, "parameter", [](const listed_parameter &l) { return l.now.name; });
    if (args.has("csv"))
        return print_table(args, parameters_table(list));
    if (args.has("json")) {
        std::cout << dump(parameters_json(list));
        return exit_ok;
    }
    print_machine(args, spec);
    print_parameters(std::cout, list);
    return exit_ok;
}

static int list_stats(const arguments &args)
{
    const platform_spec spec = machine_to_list(args);
    const json all = statistics_of_idle_machine(spec);
    std::vector<std::string> names;
    for (const auto &item : all.items())
        names.push_back(item.key());
    json statistics = json::object();
    for (const std::string &name :
         chosen(names, args, "statistic", [](const std::string &path) { return path; }))
        statistics[name] = all.at(name);
    if (args.has("json")) {
        std::cout << dump(statistics);
        return exit_ok;
    }
    if (!args.has("csv"))
        print_machine(args, spec);
    table t({"statistic", "unit", "kind", "what it counts"});
    t.align_left();
    for (const auto &item : statistics.items())
        t.row({item.key(), item.value().at("unit").get<std::string>(),
               item.value().contains("buckets") ? "histogram" : "number",
               item.value().at("description").get<std::string>()});
    return print_table(args, t);
}

static int list_signals(const arguments &args)
{
    const platform_spec spec = machine_to_list(args);
    const std::vector<signal_info> signals =
        chosen(signals_of_idle_machine(spec), args, "signal", [](const signal_info &s) { return s.name; });
    if (args.has("filters"))
        write_state_filters(args.value("filters"), signals);
    else if (args.has("csv"))
        return print_table(args, signals_table(signals));
    else if (args.has("json"))
        std::cout << dump(signals_json(signals));
    else {
        print_machine(args, spec);
        print_signals(std::cout, signals);
    }
    return exit_ok;
}

static int list_links(const arguments &args)
{
    const platform_spec spec = machine_to_list(args);
    const std::vector<link_info> links =
        chosen(links_of_idle_machine(spec), args, "link",
               [](const link_info &l) { return l.from + " " + l.to + " " + l.protocol; });
    if (args.has("dot"))
        print_links_dot(std::cout, links);
    else if (args.has("csv"))
        return print_table(args, links_table(links));
    else if (args.has("json"))
        std::cout << dump(links_json(links));
    else {
        print_machine(args, spec);
        print_links(std::cout, links);
    }
    return exit_ok;
}

static int list_generators(const arguments &args)
{
    if (args.has("csv"))
        return print_table(args, generators_table());
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
        bool filters;       /* takes patterns */
        bool machine;       /* is of one: takes -p and --set */
        const char *option; /* its own, instead of --json or --csv; null: none */
    } kinds[] = {{"machines", list_platforms, false, false, nullptr},
                 {"platforms", list_platforms, false, false, nullptr}, /* alias of machines */
                 {"levels", list_levels, true, false, nullptr},
                 {"workloads", list_workloads, true, false, nullptr},
                 {"generators", list_generators, false, false, nullptr},
                 {"parameters", list_parameters_of, true, true, "cfg"},
                 {"stats", list_stats, true, true, nullptr},
                 {"signals", list_signals, true, true, "filters"},
                 {"links", list_links, true, true, "dot"}};
    std::vector<std::string> names;
    std::string all;
    for (const auto &kind : kinds) {
        names.emplace_back(kind.name);
        all += (all.empty() ? "" : ", ") + names.back();
    }
    if (args.positional.empty() || args.has_program)
        throw failure(exit_usage, "list: wants one of " + all);
    if (args.has("json") && args.has("csv"))
        throw failure(exit_usage, "list: --json and --csv: one of them");
    for (const auto &kind : kinds) {
        if (kind.option == nullptr || !args.has(kind.option))
            continue;
        const std::string option = std::string("list: --") + kind.option;
        if (args.has("json") || args.has("csv"))
            throw failure(exit_usage, option + " and --json or --csv: one of them");
        if (args.positional[0] != kind.name)
            throw failure(exit_usage, option + " is of 'list " + kind.name + "'");
    }
    for (const auto &kind : kinds) {
        if (args.positional[0] != kind.name)
            continue;
        if (args.positional.size() > 1 && !kind.filters)
            throw failure(exit_usage, "list " + args.positional[0] + ": takes no pattern");
        for (const char *option : {"platform", "set"})
            if (args.has(option) && !kind.machine)
                throw failure(exit_usage, "list " + args.positional[0] + ": --" + option +
                                              " is of lists of one machine's parts");
        return kind.main(args);
    }
    throw failure(exit_usage, "list: '" + args.positional[0] + "' is none of " + all +
                                  did_you_mean(args.positional[0], names));
}

const command_def list_command = {
    "list",
    "list machines [--json | --csv FILE]\n"
    "list levels [PATTERN...] [--json | --csv FILE]\n"
    "list workloads [PATTERN...] [--json | --csv FILE]\n"
    "list generators [--json | --csv FILE]\n"
    "list parameters [PATTERN...] [-p MACHINE] [--json | --csv FILE]\n"
    "list parameters [-p MACHINE] --cfg\n"
    "list stats [PATTERN...] [-p MACHINE] [--json | --csv FILE]\n"
    "list signals [PATTERN...] [-p MACHINE] [--json | --csv FILE]\n"
    "list signals [-p MACHINE] --filters DIR\n"
    "list links [PATTERN...] [-p MACHINE] [--json | --csv FILE | --dot]",
    "What is there to choose, to set and to read, in which unit, within which range, and where does each "
    "number come from?",
    "A PATTERN is a glob ('walk_unit.pwc*') or a part of the name ('mshr'); several "
    "select what any of them matches.\n"
    "\n"
    "Where a number comes from: PAPER stands in the paper named, DERIVED follows from such numbers or a "
    "standard,\n"
    "ASSUMED is stated by no source, CHOSEN was fixed after results had been seen, SET is no default: its "
    "origin is named.\n"
    "'list parameters -p X --cfg' prints a complete machine file that can be kept, changed and given to "
    "-p.\n"
    "Machine files are looked for in $WALKWAY_PLATFORMS, then among those that came with the program.",
    {
        {"platform", 'p', "MACHINE", "of this machine (default apu-micro18), its values beside the defaults"},
        {"set", 0, "SECTION.KEY=VALUE", "change one parameter first; may be repeated", true},
        {"cfg", 0, nullptr, "parameters as a complete machine file"},
        json_option,
        csv_option,
        {"dot", 0, nullptr, "links as a graph for Graphviz: | dot -Tsvg > machine.svg"},
        {"filters", 0, "DIR",
         "names of the signals' states for GTKWave (DIR/filters) and Surfer (DIR/surfer)"},
    },
    "walkway list parameters -p apu-micro18 --cfg > mine.cfg",
    list_main,
};

} // namespace walkway
