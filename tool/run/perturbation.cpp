/* SPDX-License-Identifier: MIT */
/* run/perturbation.cpp - lists perturbations and applies them; docs/results/reproduction.md has the list,
 * too. */
#include "run/perturbation.hpp"

#include "run/parameters.hpp"
#include "support/errors.hpp"

#include <algorithm>

namespace walkway
{

/* Ways to make one change; the first that every machine accepts is used. */
using ways = std::vector<nudge>;

/* Each changes one latency by one cycle: of a response, of the link below a TLB, or of the path to memory and
 * back. If there are TLBs of an IOMMU, the response of a walk is a parameter of theirs. */
static const ways latencies[perturbations] = {
    {{"iommu_tlb.response_cycles", 1}, {"walk_unit.response_cycles", 1}},
    {{"l2_tlb.link_cycles", -1}},
    {{"l2_tlb.response_cycles", 1}},
    {{"walk_unit.reply_cycles", -1}},
    {{"l1_tlb.response_cycles", 1}},
    {{"l2_tlb.link_cycles", 1}},
    {{"walk_unit.read_cycles", -1}},
    {{"l2d.response_cycles", 1}},
    {{"walk_unit.reply_cycles", 1}},
    {{"coalescer.response_cycles", 1}},
    {{"walk_unit.read_cycles", 1}},
    {{"l1d.response_cycles", 1}},
};

/* Returns the changes: of one latency, the start of every kernel, the first data frame and every seed. Frames
 * are as large as pages, so each page size is a way. */
static std::vector<ways> all_nudges(unsigned number, platform_config &machine)
{
    std::vector<ways> nudges = {
        latencies[number - 1], {{"dispatcher.launch_cycles", 17 * int64_t{number}}}, {}};
    for (const int64_t frame : {4096, 65536, 2 << 20})
        nudges.back().push_back({"address_space.data_pa", frame * number});
    for (const parameter &p : list_parameters(machine))
        if (p.key == "seed")
            nudges.push_back({{p.name, int64_t{number}}});
    return nudges;
}

static const parameter *find(const std::vector<parameter> &parameters, const std::string &name)
{
    const auto found = std::find_if(parameters.begin(), parameters.end(),
                                    [&](const parameter &p) { return p.name == name; });
    return found == parameters.end() ? nullptr : &*found;
}

/* Returns the changed value as text; empty if the machine has no such parameter or the value leaves its
 * range. */
static std::string nudged_value(platform_config &machine, const nudge &n)
{
    const std::vector<parameter> parameters = list_parameters(machine);
    const parameter *p = find(parameters, n.name);
    if (p == nullptr || p->what != parameter::kind::number)
        return "";
    const uint64_t amount = n.by < 0 ? 0 - static_cast<uint64_t>(n.by) : static_cast<uint64_t>(n.by);
    const bool fits = n.by < 0 ? p->number >= p->min && p->number - p->min >= amount
                               : p->number <= p->max && p->max - p->number >= amount;
    if (!fits)
        return "";
    return std::to_string(n.by < 0 ? p->number - amount : p->number + amount);
}

/* Tries the change and undoes it. */
static bool takes(platform_config &machine, const nudge &n)
{
    const std::string value = nudged_value(machine, n);
    if (value.empty())
        return false;
    const std::vector<parameter> before = list_parameters(machine);
    set_parameter(machine, n.name, value, "");
    const bool valid = machine.validate().empty();
    set_parameter(machine, n.name, find(before, n.name)->value, "");
    return valid;
}

std::vector<nudge> nudges_for(unsigned number, const std::vector<platform_config *> &machines)
{
    std::vector<nudge> nudges;
    for (const ways &w : all_nudges(number, *machines.front())) {
        const auto way = std::find_if(w.begin(), w.end(), [&](const nudge &n) {
            return std::all_of(machines.begin(), machines.end(),
                               [&](platform_config *m) { return takes(*m, n); });
        });
        if (way != w.end())
            nudges.push_back(*way);
    }
    if (nudges.empty())
        throw failure(exit_usage, "--ranges: perturbation " + std::to_string(number) +
                                      " changes nothing that all of these machines have");
    return nudges;
}

std::string text_of_nudge(const nudge &n)
{
    return n.name + (n.by < 0 ? " - " + std::to_string(-n.by) : " + " + std::to_string(n.by));
}

void apply(platform_spec &machine, const std::vector<nudge> &nudges, unsigned number)
{
    std::string fault;
    for (const nudge &n : nudges) {
        const std::string value = nudged_value(*machine.config, n);
        if (value.empty())
            fault = text_of_nudge(n) + " is out of range";
        else
            set_parameter(*machine.config, n.name, value, "--ranges");
    }
    if (fault.empty())
        fault = machine.config->validate();
    if (!fault.empty())
        throw failure(exit_usage, "--ranges: " + machine.label + ", perturbation " + std::to_string(number) +
                                      ": " + fault);
}

const option_def ranges_option = {"ranges", 0, "[=N]",
                                  "N more runs of each machine (default 7, at most 12) with changes that "
                                  "should not matter; prints median and range"};

unsigned ranges_of(const arguments &args)
{
    if (!args.has("ranges"))
        return 0;
    return args.value("ranges").empty() ? 7
                                        : static_cast<unsigned>(args.number("ranges", 7, 1, perturbations));
}

std::vector<std::vector<platform_spec>> perturbed(unsigned ranges,
                                                  const std::function<std::vector<platform_spec>()> &make,
                                                  std::vector<std::vector<nudge>> *nudges)
{
    std::vector<std::vector<platform_spec>> sets;
    for (unsigned number = 0; number <= ranges; ++number) {
        sets.push_back(make());
        nudges->emplace_back();
        if (number == 0)
            continue;
        std::vector<platform_config *> configs;
        for (platform_spec &machine : sets.back())
            configs.push_back(machine.config.get());
        nudges->back() = nudges_for(number, configs);
        for (platform_spec &machine : sets.back())
            apply(machine, nudges->back(), number);
    }
    return sets;
}

} // namespace walkway
