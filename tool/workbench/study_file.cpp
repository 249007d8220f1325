/* SPDX-License-Identifier: MIT */
/* workbench/study_file.cpp - reads study.cfg. */
#include "workbench/study_file.hpp"

#include "run/machine.hpp"
#include "run/perturbation.hpp"
#include "support/errors.hpp"
#include "support/names.hpp"
#include "support/nearest.hpp"
#include "support/numbers.hpp"
#include "support/options.hpp"
#include "support/read_files.hpp"
#include "workbench/study_sections.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <sstream>

namespace walkway
{

std::string study_workload::text() const
{
    if (program.empty())
        return trace; /* empty if several run together */
    std::string all = "program";
    for (const std::string &word : program)
        all += " " + word;
    return all;
}

std::string study_axis::name() const
{
    return joined(parameters, ",");
}

namespace
{

constexpr uint64_t most_values = 100000; /* per range: more are a typing error */
constexpr unsigned most_extended = 8;    /* depth of `extends` */

uint64_t number_in(const std::string &text, const std::string &range, const std::string &origin)
{
    uint64_t value = 0;
    if (!parse_number(text, value))
        refuse(origin, "'" + as_written(range) + "': '" + as_written(text) +
                           "' is not a whole number; a range is 4..16, 4..16+4 or 4..64*2");
    return value;
}

bool is_range(const std::string &text)
{
    return text.find("..") != std::string::npos;
}

/* Puts the name of the study's first platform, or of the default if there is none yet, before a word that
 * begins with ':'. */
std::string whole_platform(const std::string &word, const study_file &study)
{
    if (word.front() != ':')
        return word;
    const std::string first =
        study.platforms.empty() ? default_platform : study.platforms.front().specification;
    return first.substr(0, first.find(':')) + word;
}

/* Parses "8,32 16,64": each word is a point, with one value per parameter. */
study_axis axis_of(const std::string &name, const setting &s)
{
    study_axis axis;
    axis.origin = s.origin;
    for (const std::string &part : split(name, ','))
        axis.parameters.push_back(trimmed(part));
    for (const std::string &parameter : axis.parameters)
        if (parameter.empty() || std::count(axis.parameters.begin(), axis.parameters.end(), parameter) > 1)
            refuse(s.origin,
                   "'" + as_written(name) + "' wants parameters' names, each once, with commas between");
    for (const std::string &word : words_of(s.value)) {
        if (axis.parameters.size() == 1 && word.find(',') == std::string::npos) {
            for (const std::string &value : values_of_range(word, s.origin))
                axis.values.push_back({value});
            continue;
        }
        std::vector<std::string> point = split(word, ',');
        if (point.size() != axis.parameters.size())
            refuse(s.origin, "'" + as_written(word) + "' has " + std::to_string(point.size()) +
                                 " values for " + std::to_string(axis.parameters.size()) +
                                 " parameters; values have spaces between, and those of "
                                 "parameters that move together commas");
        if (std::any_of(point.begin(), point.end(), is_range))
            refuse(s.origin,
                   "'" + as_written(word) + "': no ranges where parameters move together; name the points");
        axis.values.push_back(std::move(point));
    }
    std::set<std::vector<std::string>> seen;
    for (const std::vector<std::string> &point : axis.values)
        if (!seen.insert(point).second)
            refuse(s.origin, "'" + as_written(point.front()) + "' is there twice");
    return axis;
}

using key_reader = std::function<void(const setting &, study_file &)>;

key_reader text_for(std::string study_file::*member)
{
    return [member](const setting &s, study_file &study) { study.*member = s.value; };
}

void read_platforms(const setting &s, study_file &study)
{
    for (const std::string &word : words_of(s.value)) {
        const std::string all = whole_platform(word, study);
        study.platforms.push_back({all, all, s.origin});
    }
}

void read_by(const setting &s, study_file &study)
{
    const std::vector<std::string> parts = names_of(program_parts);
    for (const std::string &part : words_of(s.value)) {
        if (program_parts.count(part) == 0)
            refuse(s.origin,
                   "by = " + as_written(part) + ": is none of " + joined(parts) + did_you_mean(part, parts));
        study.by.insert(part);
    }
    study.by_origin = s.origin;
}

void read_repeats(const setting &s, study_file &study)
{
    uint64_t number = 0;
    if (!parse_number(s.value, number) || number > perturbations)
        refuse(s.origin,
               "repeats = " + as_written(s.value) + ": wants 0 ... " + std::to_string(perturbations));
    study.repeats = static_cast<unsigned>(number);
}

/* The keys of [study]; some are read elsewhere: which file and sections are read hangs on them. */
const std::map<std::string, key_reader> study_keys = {
    {"text", text_for(&study_file::text)},
    {"platform", text_for(&study_file::platform)},
    {"platforms", read_platforms},
    {"judged", text_for(&study_file::judged_scale)},
    {"notes", text_for(&study_file::notes)},
    {"record", [](const setting &s, study_file &study) { study.record = words_of(s.value); }},
    {"by", read_by},
    {"repeats", read_repeats},
    {"sample",
     [](const setting &s, study_file &study) {
         study.sample = at_line(s.origin, [&] { return parse_sample(s.value); });
     }},
    {"extends", nullptr},
    {"scale", nullptr},
    {"programs", nullptr}};

void read_study_key(const std::string &key, const setting &s, study_file &study)
{
    const auto found = study_keys.find(key);
    if (found == study_keys.end())
        refuse(s.origin,
               "unknown key 'study." + as_written(key) + "'" + did_you_mean(key, names_of(study_keys)));
    if (found->second)
        found->second(s, study);
}

void check_axes(const study_file &study)
{
    for (size_t i = 0; i < study.axes.size(); ++i) {
        if (study.axes[i].values.empty())
            refuse(study.axes[i].origin, "axis '" + as_written(study.axes[i].name()) + "' has no values");
        for (const std::string &parameter : study.axes[i].parameters)
            for (size_t k = 0; k < i; ++k)
                if (std::count(study.axes[k].parameters.begin(), study.axes[k].parameters.end(), parameter))
                    refuse(study.axes[i].origin, "'" + as_written(parameter) +
                                                     "' is of an axis already, that of " +
                                                     study.axes[k].origin);
    }
}

} // namespace

std::vector<std::string> values_of_range(const std::string &text, const std::string &origin)
{
    if (!is_range(text))
        return {text};
    const size_t dots = text.find("..");
    const size_t step = text.find_first_of("+*", dots + 2);
    const uint64_t from = number_in(text.substr(0, dots), text, origin);
    const uint64_t to =
        number_in(text.substr(dots + 2, step == std::string::npos ? step : step - dots - 2), text, origin);
    const bool times = step != std::string::npos && text[step] == '*';
    const uint64_t by = step == std::string::npos ? 1 : number_in(text.substr(step + 1), text, origin);
    if (from > to)
        refuse(origin, "'" + as_written(text) + "' ends before it begins");
    if (times ? by < 2 || from == 0 : by == 0)
        refuse(origin, "'" + as_written(text) + "' never ends");
    std::vector<std::string> values;
    for (uint64_t value = from;;) {
        values.push_back(std::to_string(value));
        if (values.size() > most_values)
            refuse(origin,
                   "'" + as_written(text) + "' has more than " + text_of_count(most_values) + " values");
        if (times ? value > to / by : to - value < by)
            return values;
        value = times ? value * by : value + by;
    }
}

/* Returns the settings of the extended study, if any, then this file's, which replace equal keys in place. */
static std::vector<setting> settings_of(const std::string &path, unsigned depth)
{
    will_read(path, "the study");
    const std::string text = text_of_ini(path, "study");
    std::vector<setting> all, own = parse_ini(text, path);
    const auto extends =
        std::find_if(own.begin(), own.end(), [](const setting &s) { return s.name == "study.extends"; });
    if (extends == own.end())
        return own;
    if (depth == most_extended)
        refuse(extends->origin, "'extends' goes round in a circle, or is more than " +
                                    std::to_string(most_extended) + " files deep");
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    all = at_line(extends->origin, [&] {
        return settings_of((folder / extends->value).lexically_normal().string(), depth + 1);
    });
    own.erase(extends);
    for (const setting &s : own) {
        const auto before =
            std::find_if(all.begin(), all.end(), [&](const setting &a) { return a.name == s.name; });
        if (before == all.end())
            all.push_back(s);
        else
            *before = s;
    }
    return all;
}

/* Returns the text of a file with these settings. */
static std::string text_of_settings(const std::vector<setting> &settings)
{
    std::string text, section;
    for (const setting &s : settings) {
        const size_t dot = s.name.find('.');
        if (s.name.substr(0, dot) != section) {
            section = s.name.substr(0, dot);
            text += "[" + section + "]\n";
        }
        text += s.name.substr(dot + 1) + " = " + s.value + "\n";
    }
    return text;
}

/* Sets it if it has a value, before all others: results keep studies by the order of their settings, too. */
static void put_first(std::vector<setting> &settings, const setting &one)
{
    if (one.value.empty())
        return;
    settings.erase(std::remove_if(settings.begin(), settings.end(),
                                  [&](const setting &s) { return s.name == one.name; }),
                   settings.end());
    settings.insert(settings.begin(), one);
}

/* Costs by part of the program are of whole runs of one program. Called again when options have their say. */
static void check_by(const study_file &study)
{
    if (study.by.empty())
        return;
    const std::string by = study.by_origin + ": by = " + joined({study.by.begin(), study.by.end()}, " ") +
                           ": is of whole runs of one program, ";
    if (study.sample.wanted)
        throw failure(exit_usage, by + "and the study, or --sample, wants a sample of windows");
    for (const study_workload &w : study.workloads)
        if (make_scope(w.window).windowed() || !w.together.empty())
            throw failure(exit_usage, by + "and '" + as_written(w.name) + "' (" + w.origin + ") is none");
}

static study_file study_of(const std::vector<setting> &settings, const std::string &path)
{
    study_file study;
    study.path = path;
    const std::filesystem::path file(path);
    study.name = file.stem().string();
    read_scales(settings, study);
    for (const setting &s : settings) {
        const size_t dot = s.name.find('.');
        const std::string section = dot == std::string::npos ? "" : s.name.substr(0, dot);
        const std::string key = dot == std::string::npos ? s.name : s.name.substr(dot + 1);
        if (section == "study")
            read_study_key(key, s, study);
        else if (section == "axes")
            study.axes.push_back(axis_of(key, s));
        else if (section == "constraints")
            study.constraints.push_back({key, s.value, s.origin});
        else if (section.empty())
            refuse(s.origin, "'" + as_written(s.name) +
                                 "' stands before the first section; they are [study], "
                                 "[workloads], [axes] and [constraints], and [machines] and others: "
                                 "docs/use/workbench.md");
        else
            check_section(section, s.origin, study);
    }
    if (study.platform.empty())
        study.platform = default_platform;
    read_sections(settings, study);
    if (study.platforms.empty())
        study.platforms.push_back({default_platform, default_platform, path});
    if (study.workloads.empty())
        refuse(path, "no workloads: [workloads] wants 'name = trace', 'name = gen:...' "
                     "or 'name = program ...'");
    if (!study.figures.empty() && study.name == "study") /* studies/micro18/study.cfg */
        study.name = std::filesystem::absolute(file).lexically_normal().parent_path().filename().string();
    check_axes(study);
    check_by(study);
    return study;
}

study_file read_study_file(const std::string &path, const study_choice &choice)
{
    std::vector<setting> settings = settings_of(path, 0);
    put_first(settings, {"study.platform", choice.platform, "--platform"});
    put_first(settings, {"study.scale", choice.scale, "--scale"});
    study_file study = study_of(settings, path);
    put_first(settings, {"study.scale", study.scale, path});
    study.contents = text_of_ini(path, "study");
    const std::vector<setting> own = parse_ini(study.contents, path);
    if (!study.scale.empty() ||
        std::any_of(own.begin(), own.end(), [](const setting &s) { return s.name == "study.extends"; }))
        study.contents = text_of_settings(settings);
    if (choice.sample.wanted)
        study.sample = choice.sample;
    check_by(study);
    for (const std::string &asked : choice.changes) /* comments that make it a study other than the file's */
        study.contents += "# " + asked + "\n";
    return study;
}

study_file study_of_text(const std::string &contents, const std::string &path)
{
    study_file study = study_of(parse_ini(contents, path), path);
    study.contents = contents;
    return study;
}

uint64_t size_of(const study_file &study)
{
    uint64_t size = 1;
    std::vector<std::pair<uint64_t, std::string>> factors = {{study.workloads.size(), "workloads"},
                                                             {study.platforms.size(), "platforms"},
                                                             {study.repeats + 1, "repeats"}};
    for (const study_axis &axis : study.axes)
        factors.emplace_back(axis.values.size(), axis.name());
    std::vector<std::string> text;
    bool too_many = false;
    long double real = 1;
    for (const auto &[factor, name] : factors) {
        too_many = too_many || size > most_points / std::max<uint64_t>(factor, 1);
        size *= too_many ? 1 : factor;
        real *= static_cast<long double>(factor);
        text.push_back(std::to_string(factor) + " " + name);
    }
    if (too_many)
        refuse(study.path, text_of_real(static_cast<double>(real), 0) + " points (" + joined(text, " x ") +
                               "), and a study has at most " + text_of_count(most_points) +
                               ": take fewer values");
    return size;
}

} // namespace walkway
