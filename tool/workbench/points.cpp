/* SPDX-License-Identifier: MIT */
/* workbench/points.cpp - decodes points as mixed-radix numbers, and sets machines. A platform's file is read
 * once: each point sets its values, which are restored before the next. */
#include "workbench/points.hpp"

#include "run/parameters.hpp"
#include "support/errors.hpp"
#include "workbench/constraint.hpp"
#include "workbench/study_sections.hpp"

#include <algorithm>

namespace walkway
{

study_machines::study_machines(const study_file &study, const machine_changes &changes)
    : study_(study), size_(size_of(study)), left_out_(study.constraints.size(), 0)
{
    std::vector<const platform_spec *> wanted;
    std::vector<platform_config *> configs;
    specs_.resize(study.platforms.size());
    base_.resize(study.platforms.size());
    for (const size_t i : study.machines_wanted()) {
        const study_machine &machine = study.platforms[i];
        specs_[i] = at_line(machine.origin, [&] {
            return resolve_platform(machine.specification, changes_of(machine, changes));
        });
        specs_[i].label = machine.name;
        check_axes(i);
        wanted.push_back(&specs_[i]);
        configs.push_back(specs_[i].config.get());
    }
    say_overruled(wanted);
    nudges_.emplace_back();
    for (unsigned repeat = 1; repeat <= study.repeats; ++repeat) {
        std::vector<nudge> nudges = nudges_for(repeat, configs);
        /* Axes of the study are not perturbed: a value may be at the limit of its range. */
        nudges.erase(
            std::remove_if(nudges.begin(), nudges.end(), [&](const nudge &n) { return is_axis(n.name); }),
            nudges.end());
        nudges_.push_back(nudges);
    }
    for (const size_t i : study.machines_wanted())
        for (const parameter &p : list_parameters(*specs_[i].config)) {
            const bool nudged =
                std::any_of(nudges_.begin(), nudges_.end(), [&](const std::vector<nudge> &list) {
                    return std::any_of(list.begin(), list.end(),
                                       [&](const nudge &n) { return n.name == p.name; });
                });
            if (nudged || is_axis(p.name))
                base_[i][p.name] = p.value;
        }
}

bool sets(const std::vector<std::string> &list, const std::string &change)
{
    const std::string key = change.substr(0, change.find('=') + 1);
    return std::any_of(list.begin(), list.end(),
                       [&](const std::string &c) { return c.compare(0, key.size(), key) == 0; });
}

/* Returns the machine's changes, and the scale's settings that neither it nor the command line sets. */
machine_changes study_machines::changes_of(const study_machine &machine, const machine_changes &changes) const
{
    machine_changes all = changes;
    all.study = machine.changes;
    const size_t colon = machine.specification.find(':');
    const std::vector<std::string> own = colon == std::string::npos
                                             ? std::vector<std::string>()
                                             : split(machine.specification.substr(colon + 1), ',');
    for (const std::string &change : study_.settings)
        if (!sets(own, change) && !sets(machine.changes, change) && !sets(changes.set, change))
            all.study.push_back(change);
    return all;
}

/* Checks each name and value by itself, so that a message has the line of the wrong one. */
void study_machines::check_axes(size_t platform)
{
    platform_spec &spec = specs_[platform];
    std::map<std::string, std::string> before;
    for (const parameter &p : list_parameters(*spec.config))
        before[p.name] = p.value;
    for (const study_axis &axis : study_.axes)
        for (size_t i = 0; i < axis.parameters.size(); ++i) {
            const std::string &name = axis.parameters[i];
            const std::string origin = axis.origin + ": " + spec.label;
            for (const std::vector<std::string> &value : axis.values)
                set_parameter(*spec.config, name, value[i], origin);
            set_parameter(*spec.config, name, before.at(name), origin);
        }
}

point point_at(const study_file &study, uint64_t number)
{
    point p{number, 0, 0, 0, std::vector<size_t>(study.axes.size())};
    for (size_t i = study.axes.size(); i-- > 0;) {
        p.at[i] = number % study.axes[i].values.size();
        number /= study.axes[i].values.size();
    }
    p.platform = number % study.platforms.size();
    number /= study.platforms.size();
    p.workload = number % study.workloads.size();
    p.repeat = static_cast<unsigned>(number / study.workloads.size());
    return p;
}

void study_machines::restore(size_t platform)
{
    std::vector<setting> all; /* set in one visit */
    for (const auto &[name, value] : base_[platform])
        all.push_back({name, value, ""});
    set_parameters(*specs_[platform].config, all);
}

std::string study_machines::machine_name(const point &p) const
{
    std::string text = study_.platforms[p.platform].name;
    for (size_t i = 0; i < p.at.size(); ++i)
        for (size_t k = 0; k < study_.axes[i].parameters.size(); ++k)
            text += ", " + study_.axes[i].parameters[k] + "=" + study_.axes[i].values[p.at[i]][k];
    return text;
}

std::string study_machines::label(const point &p) const
{
    const std::string text = study_.workloads[p.workload].name + ", " + machine_name(p);
    return p.repeat == 0 ? text : text + ", perturbation " + std::to_string(p.repeat);
}

bool study_machines::is_axis(const std::string &name) const
{
    return std::any_of(study_.axes.begin(), study_.axes.end(), [&](const study_axis &a) {
        return std::count(a.parameters.begin(), a.parameters.end(), name) != 0;
    });
}

/* Evaluates constraints before it checks the machine: they may exclude illegal machines. They ignore the
 * perturbation, so that every repeat has the same points. */
platform_spec *study_machines::at(const point &p)
{
    platform_spec &spec = specs_[p.platform];
    restore(p.platform);
    std::set<std::string> given;
    for (size_t i = 0; i < p.at.size(); ++i) {
        given.insert(study_.axes[i].parameters.begin(), study_.axes[i].parameters.end());
        for (size_t k = 0; k < study_.axes[i].parameters.size(); ++k)
            set_parameter(*spec.config, study_.axes[i].parameters[k], study_.axes[i].values[p.at[i]][k],
                          study_.axes[i].origin);
    }
    if (!wanted(spec))
        return nullptr;
    const std::string fault = spec.fault(given);
    if (!fault.empty())
        throw failure(exit_usage, study_.path + ": " + label(p) + ": " + fault);
    if (p.repeat != 0)
        apply(spec, nudges_[p.repeat], p.repeat);
    return &spec;
}

std::vector<setting> study_machines::changes(const point &p)
{
    std::vector<setting> list;
    const std::map<std::string, std::string> &base = base_[p.platform];
    for (const parameter &now : list_parameters(*specs_[p.platform].config)) {
        const auto before = base.find(now.name);
        if (before == base.end())
            continue;
        if (is_axis(now.name))
            list.push_back({now.name, now.value, "axis"});
        else if (before->second != now.value)
            list.push_back({now.name, now.value, "perturbation " + std::to_string(p.repeat)});
    }
    return list;
}

bool study_machines::wanted(platform_spec &spec)
{
    if (study_.constraints.empty())
        return true;
    const std::vector<parameter> parameters = list_parameters(*spec.config);
    for (size_t i = 0; i < study_.constraints.size(); ++i)
        if (!satisfied(study_.constraints[i].expression, study_.constraints[i].origin, parameters)) {
            ++left_out_[i];
            return false;
        }
    return true;
}

} // namespace walkway
