/* SPDX-License-Identifier: MIT */
/* run/waves.cpp - parses times, globs and triggers of a dump. */
#include "run/waves.hpp"

#include "support/errors.hpp"
#include "support/nearest.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fnmatch.h>

namespace walkway
{

std::vector<option_def> wave_option_defs()
{
    return {
        {"vcd", 0, "FILE", "write a waveform dump (value change dump, for GTKWave and Surfer)"},
        {"vcd-from", 0, "TIME", "begin there; default: at time zero"},
        {"vcd-to", 0, "TIME", "end there; default: with the run"},
        {"vcd-for", 0, "TIME", "end so long after the beginning"},
        {"vcd-blocks", 0, "GLOB,...", "only blocks with such names: 'walk_unit,l1_tlb_*'", true},
        {"vcd-trigger", 0, "SIGNAL>N",
         "begin when the signal's value passes N for the first time after --vcd-from"},
    };
}

dump_time parse_time(const std::string &option, const std::string &text)
{
    static const struct {
        const char *name;
        uint64_t ps;
    } units[] = {{"ps", 1},     {"ns", 1000}, {"us", 1000000}, {"ms", 1000000000}, {"s", 1000000000000},
                 {"cycles", 0}, {"cycle", 0}};
    dump_time t;
    t.text = text;
    const size_t digits = t.text.find_first_not_of("0123456789.");
    const std::string number = t.text.substr(0, digits);
    const std::string unit = digits == std::string::npos ? "" : t.text.substr(digits);
    std::vector<std::string> names;
    for (const auto &u : units) {
        names.emplace_back(u.name);
        if (unit != u.name)
            continue;
        char *end = nullptr;
        t.number = std::strtod(number.c_str(), &end);
        t.unit_ps = u.ps;
        if (!number.empty() && number != "." && *end == 0)
            return t;
    }
    const bool bad_unit = !number.empty() && std::find(names.begin(), names.end(), unit) == names.end();
    throw failure(exit_usage, "--" + option + " " + t.text + ": wants a time such as 10us or 12000cycles" +
                                  (bad_unit ? "; units are ps, ns, us, ms, s, cycles" : "") +
                                  (bad_unit && !unit.empty() ? did_you_mean(unit, names) : ""));
}

static dump_time time_of(const arguments &args, const std::string &option)
{
    return args.has(option) ? parse_time(option, args.value(option)) : dump_time();
}

uint64_t dump_time::ps(uint64_t cycle_ps) const
{
    const double value = number * static_cast<double>(unit_ps == 0 ? cycle_ps : unit_ps);
    return value >= 1e19 ? never : static_cast<uint64_t>(std::llround(std::min(value, 9e18)));
}

wave_options wave_options_of(const arguments &args)
{
    wave_options o;
    for (const option_def &option : wave_option_defs())
        if (args.has(option.name) && !args.has("vcd"))
            throw failure(exit_usage, std::string("--") + option.name + " wants --vcd FILE");
    o.file = args.value("vcd");
    o.from = time_of(args, "vcd-from");
    o.to = time_of(args, "vcd-to");
    o.length = time_of(args, "vcd-for");
    for (const std::string &list : args.values("vcd-blocks"))
        for (std::string &glob : split(list, ','))
            o.globs.push_back(std::move(glob));
    if (args.has("vcd-trigger")) {
        const std::string text = args.value("vcd-trigger");
        const size_t sign = text.find('>');
        if (sign == std::string::npos || sign == 0 || !parse_number(text.substr(sign + 1), o.above))
            throw failure(exit_usage, "--vcd-trigger " + text +
                                          ": wants SIGNAL>N, such as walk_unit.buffer.occupancy>200");
        o.trigger = text.substr(0, sign);
    }
    return o;
}

/* Suggests the block of a signal or part that the glob names, else the nearest one. */
static std::string nearest_block(const std::string &glob, const std::vector<std::string> &blocks)
{
    for (const std::string &block : blocks)
        if (glob.compare(0, block.size() + 1, block + ".") == 0)
            return "; did you mean '" + block + "'?";
    return did_you_mean(glob, blocks);
}

wave_plan wave_plan_of(const wave_options &options, const platform &machine, const std::string &title)
{
    wave_plan plan;
    plan.file = options.file;
    plan.title = title;
    const uint64_t cycle = machine.cycle_ps();
    if (!options.from.text.empty())
        plan.from = options.from.ps(cycle);
    if (!options.to.text.empty())
        plan.to = options.to.ps(cycle);
    if (!options.length.text.empty())
        plan.length = options.length.ps(cycle);
    if (plan.from == never)
        throw failure(exit_usage,
                      "--vcd-from " + options.from.text + ": is beyond all time that can be simulated");
    if (plan.to <= plan.from)
        throw failure(exit_usage, "--vcd-to " + options.to.text + ": is not after --vcd-from" +
                                      (options.from.text.empty() ? ", time zero" : " " + options.from.text));
    if (plan.length == 0)
        throw failure(exit_usage, "--vcd-for " + options.length.text + ": is no time at all");

    std::vector<std::string> blocks, names;
    for (const signal_info &s : machine.signals()) {
        names.push_back(s.name);
        if (blocks.empty() || blocks.back() != s.block)
            blocks.push_back(s.block);
    }
    if (options.globs.empty())
        plan.blocks = blocks;
    std::vector<bool> used(options.globs.size(), false);
    for (const std::string &block : options.globs.empty() ? std::vector<std::string>() : blocks) {
        bool wanted = false;
        for (size_t i = 0; i < options.globs.size(); ++i) {
            const bool match = fnmatch(options.globs[i].c_str(), block.c_str(), 0) == 0;
            wanted = wanted || match;
            used[i] = used[i] || match;
        }
        if (wanted)
            plan.blocks.push_back(block);
    }
    for (size_t i = 0; i < used.size(); ++i)
        if (!used[i])
            throw failure(exit_usage, "--vcd-blocks '" + options.globs[i] + "': no block has such a name" +
                                          nearest_block(options.globs[i], blocks) +
                                          "; 'walkway list signals' has them");
    plan.trigger = options.trigger;
    plan.above = options.above;
    if (!plan.trigger.empty() && std::find(names.begin(), names.end(), plan.trigger) == names.end())
        throw failure(exit_usage, "--vcd-trigger " + plan.trigger + ": no signal has this name" +
                                      did_you_mean(plan.trigger, names) +
                                      "; 'walkway list signals' has them");
    return plan;
}

} // namespace walkway
