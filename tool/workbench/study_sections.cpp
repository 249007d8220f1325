/* SPDX-License-Identifier: MIT */
/* workbench/study_sections.cpp - reads the sections, and expands braces in names. */
#include "workbench/study_sections.hpp"

#include "run/machine.hpp"
#include "support/errors.hpp"
#include "support/names.hpp"
#include "support/nearest.hpp"
#include "support/options.hpp"

#include <algorithm>
#include <fnmatch.h>
#include <functional>
#include <set>
#include <sstream>

namespace walkway
{

void refuse(const std::string &origin, const std::string &why)
{
    throw failure(exit_usage, origin + ": " + why);
}

std::vector<std::string> words_of(const std::string &text)
{
    std::istringstream in(text);
    std::vector<std::string> words;
    for (std::string word; in >> word;)
        words.push_back(word);
    return words;
}

namespace
{

/* Sections by the first word of their name; true: a scale may follow. */
const std::vector<std::pair<std::string, bool>> kinds = {
    {"study", false},    {"workloads", true}, {"axes", false},   {"constraints", false}, {"scales", false},
    {"settings", true},  {"windows", true},   {"beside", false}, {"groups", false},      {"changes", false},
    {"machines", false}, {"events", false},   {"figures", false}};
constexpr const char *on_demand = "figures on demand";
constexpr size_t most_names = 10000; /* per line: more are a typing error */

/* A name that braces expand to, and the text that replaces each brace in it. */
struct expansion {
    std::string text;
    std::vector<std::string> chosen;
};

/* "walkers-{4,8}-{off,full}" gives 4 names; "{4..16*2}" 3, like the values of an axis. Braces do not nest. */
std::vector<expansion> expanded(const std::string &text, const std::string &origin)
{
    std::vector<expansion> all = {{"", {}}};
    size_t at = 0;
    for (size_t open; (open = text.find('{', at)) != std::string::npos;) {
        const size_t close = text.find('}', open);
        if (close == std::string::npos)
            refuse(origin, "'" + as_written(text) + "': a '{' wants its '}'");
        std::vector<expansion> more;
        for (const expansion &before : all)
            for (const std::string &part : split(text.substr(open + 1, close - open - 1), ','))
                for (const std::string &choice : values_of_range(part, origin)) {
                    if (more.size() == most_names)
                        refuse(origin,
                               "'" + as_written(text) + "' are more than " + std::to_string(most_names));
                    more.push_back(before);
                    more.back().text += text.substr(at, open - at) + choice;
                    more.back().chosen.push_back(choice);
                }
        all = more;
        at = close + 1;
    }
    for (expansion &e : all)
        e.text += text.substr(at);
    return all;
}

/* Replaces each text between `open` and `close` by its meaning. */
std::string replaced(std::string text, char open, char close,
                     const std::function<std::string(const std::string &)> &meaning)
{
    for (size_t from = 0; (from = text.find(open, from)) != std::string::npos;) {
        const size_t to = text.find(close, from);
        if (to == std::string::npos)
            break;
        const std::string with = meaning(text.substr(from + 1, to - from - 1));
        text.replace(from, to - from + 1, with);
        from += with.size();
    }
    return text;
}

/* Returns the value of s, with {1} replaced by the text that e has for the first brace of the name, and
 * <name> by the change of that name. */
std::string value_of(const expansion &e, const setting &s, const std::vector<setting> &changes)
{
    const std::string chosen = replaced(s.value, '{', '}', [&](const std::string &number) {
        uint64_t n = 0;
        if (!parse_number(number, n) || n == 0 || n > e.chosen.size())
            refuse(s.origin, "'{" + as_written(number) + "}': '" + as_written(s.name) + "' has " +
                                 std::to_string(e.chosen.size()) + " braces");
        return e.chosen[n - 1];
    });
    return replaced(chosen, '<', '>', [&](const std::string &name) {
        return changes[place_of(name, names_of(changes),
                                s.origin + ": no [changes] '" + as_written(name) + "'")]
            .value;
    });
}

/* Returns the indices of names that match a pattern. Throws failure(exit_usage) if none does. */
std::vector<size_t> meant_by(const std::string &pattern, const std::vector<std::string> &names,
                             const std::string &origin)
{
    std::vector<size_t> all;
    for (const expansion &p : expanded(pattern, origin))
        for (size_t i = 0; i < names.size(); ++i)
            if (fnmatch(p.text.c_str(), names[i].c_str(), 0) == 0 &&
                std::count(all.begin(), all.end(), i) == 0)
                all.push_back(i);
    if (all.empty())
        refuse(origin, "'" + as_written(pattern) + "' is none of the study's" + did_you_mean(pattern, names));
    return all;
}

size_t workload_place(const std::string &name, const std::vector<std::string> &names,
                      const std::string &origin)
{
    return place_of(name, names, origin + ": no workload '" + as_written(name) + "'");
}

/* Parses "--kernels 480-511 --warm-up 50000translations". */
scope_texts window_of(const setting &s)
{
    scope_texts texts;
    const std::map<std::string, std::string *> options = {{"--kernels", &texts.kernels},
                                                          {"--groups", &texts.groups},
                                                          {"--skip", &texts.skip},
                                                          {"--warm-up", &texts.warm_up},
                                                          {"--measure", &texts.measure}};
    const std::vector<std::string> words = words_of(s.value);
    for (size_t i = 0; i < words.size(); i += 2) {
        const auto option = options.find(words[i]);
        if (option == options.end() || i + 1 == words.size())
            refuse(
                s.origin,
                "'" + as_written(words[i]) +
                    "': a window is --kernels, --groups, --skip, --warm-up, --measure, each with its value");
        *option->second = words[i + 1];
    }
    at_line(s.origin, [&] { make_scope(texts); });
    return texts;
}

/* Returns the settings of a section at the study's scale, with names without the section. */
std::vector<setting> of(const std::vector<setting> &settings, const std::string &section,
                        const study_file &study)
{
    std::vector<setting> all;
    for (const setting &s : settings) {
        const size_t dot = s.name.find('.');
        if (dot == std::string::npos)
            continue;
        const std::string whole = s.name.substr(0, dot);
        const std::vector<std::string> words = words_of(whole);
        const bool here = !words.empty() && words.front() == section && whole != on_demand &&
                          (words.size() == 1 || std::count(words.begin() + 1, words.end(), study.scale) != 0);
        if (here || whole == section)
            all.push_back({s.name.substr(dot + 1), s.value, s.origin});
    }
    return all;
}

study_workload workload_of(const std::string &name, const setting &s)
{
    const std::vector<std::string> words = words_of(s.value);
    if (words.empty())
        refuse(s.origin, "workload '" + as_written(name) +
                             "' is nothing; it wants a trace, gen:..., or 'program' with its arguments");
    study_workload workload{name, "", {}, s.origin};
    if (words.front() == "program") {
        workload.program.assign(words.begin() + 1, words.end());
        if (workload.program.empty())
            refuse(s.origin, "'program' wants the program's name behind it");
        return workload;
    }
    if (words.size() > 1)
        refuse(s.origin, "one trace for each workload, and '" + as_written(words[1]) +
                             "' is one too many; a program begins with the word 'program'");
    workload.trace = words.front();
    return workload;
}

} // namespace

void read_scales(const std::vector<setting> &settings, study_file &study)
{
    study.scales = of(settings, "scales", study);
    const std::vector<std::string> scales = names_of(study.scales);
    const auto asked = std::find_if(settings.begin(), settings.end(),
                                    [](const setting &s) { return s.name == "study.scale"; });
    if (asked != settings.end())
        study.scale = scales[place_of(asked->value, scales,
                                      asked->origin + " " + as_written(asked->value) + ": " + study.path +
                                          (scales.empty() ? " has no scales" : " has " + joined(scales)))];
    else if (!scales.empty())
        study.scale = scales.front();
}

void check_section(const std::string &section, const std::string &origin, const study_file &study)
{
    const std::vector<std::string> scales = names_of(study.scales);
    const std::vector<std::string> words = words_of(section);
    std::vector<std::string> names;
    for (const auto &[name, by_scale] : kinds) {
        names.push_back(name);
        if (words.empty() || words.front() != name || section == on_demand)
            continue;
        for (size_t i = 1; i < words.size(); ++i)
            if (!by_scale || !is_among(words[i], scales))
                refuse(origin, "[" + as_written(section) + "]: '" + as_written(words[i]) + "' is no scale" +
                                   did_you_mean(words[i], scales));
    }
    if (words.empty() || !is_among(words.front(), names))
        refuse(origin, "unknown section [" + as_written(section) + "]" + did_you_mean(section, names));
}

static void read_workloads(const std::vector<setting> &settings, study_file &study)
{
    std::set<std::string> seen;
    const auto once = [&](std::set<std::string> &names, const std::string &name, const std::string &origin) {
        if (!names.insert(name).second)
            refuse(origin, "workload '" + as_written(name) + "' is there twice at this scale");
    };
    const std::vector<setting> changes = of(settings, "changes", study);
    for (const setting &s : of(settings, "workloads", study))
        for (const expansion &e : expanded(s.name, s.origin)) {
            once(seen, e.text, s.origin);
            study.workloads.push_back(workload_of(e.text, {e.text, value_of(e, s, changes), s.origin}));
        }
    /* `programs` keeps some of the workloads; the other sections may name the others. */
    std::vector<std::string> all = names_of(study.workloads);
    for (const setting &s : of(settings, "study", study))
        if (s.name == "programs") {
            std::set<std::string> named;
            std::vector<study_workload> wanted;
            for (const std::string &word : words_of(s.value)) {
                once(named, word, s.origin);
                wanted.push_back(study.workloads[workload_place(word, all, s.origin)]);
            }
            study.workloads = wanted;
        }
    const std::vector<std::string> alone = names_of(study.workloads);
    const auto is_kept = [&](const std::string &name) { return is_among(name, alone); };
    for (const setting &s : of(settings, "windows", study)) {
        workload_place(s.name, all, s.origin);
        if (is_kept(s.name))
            study.workloads[workload_place(s.name, alone, s.origin)].window = window_of(s);
    }
    const std::vector<std::string> singles = all;
    for (const setting &s : of(settings, "beside", study)) {
        once(seen, s.name, s.origin);
        all.push_back(s.name);
        const std::vector<std::string> words = words_of(s.value);
        for (const std::string &word : words)
            workload_place(word, singles, s.origin);
        if (words.size() < 2)
            refuse(s.origin, "'" + as_written(s.name) + "' wants the names of two workloads or more");
        if (!std::all_of(words.begin(), words.end(), is_kept))
            continue;
        study_workload pair{s.name, "", {}, s.origin};
        for (const std::string &word : words)
            pair.together.push_back(workload_place(word, alone, s.origin));
        study.workloads.push_back(pair);
    }
    const std::vector<std::string> names = names_of(study.workloads);
    for (const setting &s : of(settings, "groups", study)) {
        std::vector<std::string> &members = study.groups[s.name];
        for (const std::string &word : words_of(s.value))
            for (const size_t i : word.find('*') != std::string::npos
                                      ? meant_by(word, all, s.origin)
                                      : std::vector<size_t>{workload_place(word, all, s.origin)})
                if (is_among(all[i], names))
                    members.push_back(all[i]);
    }
}

static void read_machines(const std::vector<setting> &settings, study_file &study)
{
    const std::vector<setting> changes = of(settings, "changes", study);
    const std::vector<std::string> before = names_of(study.platforms);
    std::set<std::string> seen(before.begin(), before.end());
    for (const setting &s : of(settings, "machines", study))
        for (const expansion &e : expanded(s.name, s.origin)) {
            const std::string all = value_of(e, s, changes);
            const size_t colon = all.find(':');
            study_machine machine{e.text, all.substr(0, colon), s.origin};
            if (machine.specification.empty())
                machine.specification = study.platform;
            if (colon != std::string::npos)
                for (const std::string &change : split(all.substr(colon + 1), ','))
                    if (!change.empty())
                        machine.changes.push_back(change);
            if (!seen.insert(machine.name).second)
                refuse(s.origin, "machine '" + as_written(machine.name) + "' is there twice");
            study.platforms.push_back(machine);
        }
    for (const setting &s : of(settings, "events", study))
        for (const size_t i : meant_by(s.name, names_of(study.platforms), s.origin))
            for (const std::string &event : split(s.value, ';'))
                study.platforms[i].events += trimmed(event) + "\n";
}

static void read_figures(const std::vector<setting> &settings, study_file &study)
{
    const std::vector<std::string> workloads = names_of(study.workloads),
                                   machines = names_of(study.platforms);
    for (const char *section : {"figures", on_demand})
        for (const setting &s : of(settings, section, study)) {
            const size_t colon = s.value.find(':');
            study_figure figure{s.name, s.origin, {}, {}, {}, section == std::string(on_demand)};
            if (colon == std::string::npos)
                refuse(s.origin, "a figure is 'ID = GROUPS: MACHINES'");
            for (std::string group : words_of(s.value.substr(0, colon))) {
                const bool shown = group.front() != '+';
                group = shown ? group : group.substr(1);
                place_of(group, names_of(study.groups),
                         s.origin + ": no [groups] '" + as_written(group) + "'");
                for (size_t w = 0; w < workloads.size(); ++w)
                    if (is_among(workloads[w], study.groups[group]))
                        (shown ? figure.shown : figure.needed).push_back(w);
            }
            std::sort(figure.shown.begin(), figure.shown.end());
            for (const std::string &pattern : words_of(s.value.substr(colon + 1)))
                for (const size_t i : meant_by(pattern, machines, s.origin))
                    if (std::count(figure.machines.begin(), figure.machines.end(), i) == 0)
                        figure.machines.push_back(i);
            study.figures.push_back(figure);
        }
    if (study.figures.empty())
        return;
    for (const setting &s : of(settings, "study", study))
        if (s.name == "record")
            refuse(s.origin, "record: figures may want every statistic");
        else if (s.name == "by")
            refuse(s.origin, "by: the page of a study with figures has no tables by part of the program");
        else if (s.name == "judged")
            for (const std::string &scale : words_of(s.value))
                place_of(scale, names_of(study.scales),
                         s.origin + ": judged = " + as_written(scale) + ": is no scale");
    if (const std::vector<setting> axes = of(settings, "axes", study); !axes.empty())
        refuse(axes.front().origin,
               "a study with figures names its machines: no [axes], but braces in [machines]");
    choose(study, "", "", false);
}

void read_sections(const std::vector<setting> &settings, study_file &study)
{
    for (const setting &s : of(settings, "settings", study))
        study.settings.push_back(s.name + "=" + s.value);
    read_workloads(settings, study);
    read_machines(settings, study);
    read_figures(settings, study);
}

bool study_file::wants_machine(size_t machine) const
{
    return wanted.empty() || std::any_of(wanted.begin(), wanted.end(),
                                         [&](const std::vector<bool> &row) { return row[machine]; });
}

std::vector<size_t> study_file::machines_wanted() const
{
    std::vector<size_t> all;
    for (size_t m = 0; m < platforms.size(); ++m)
        if (wants_machine(m))
            all.push_back(m);
    return all;
}

bool study_file::wants_workload(size_t workload) const
{
    return wanted.empty() || std::count(wanted[workload].begin(), wanted[workload].end(), true) != 0;
}

bool study_file::wants_trace(size_t workload) const
{
    if (!workloads[workload].together.empty())
        return false;
    if (wants_workload(workload))
        return true;
    for (size_t w = 0; w < workloads.size(); ++w)
        if (std::count(workloads[w].together.begin(), workloads[w].together.end(), workload) != 0 &&
            wants_workload(w))
            return true;
    return false;
}

/* Returns which names are in a list "9,12,III". Throws for one that is not in `names`. */
static std::vector<bool> named_in(const std::string &option, const std::string &list,
                                  const std::vector<std::string> &names)
{
    std::vector<bool> all(names.size(), false);
    for (const std::string &name : split(list, ','))
        all[place_of(name, names, option + " " + as_written(name) + ": is none of the study's",
                     "; there are " + listed(names, most_listed))] = true;
    return all;
}

void choose(study_file &study, const std::string &figures, const std::string &programs, bool demanded)
{
    std::vector<std::string> ids;
    for (const study_figure &f : study.figures)
        ids.push_back(f.id);
    const std::vector<bool> named =
        figures.empty() ? std::vector<bool>(ids.size(), false) : named_in("--figures", figures, ids);
    std::vector<study_figure> some;
    for (size_t i = 0; i < ids.size(); ++i)
        if (named[i] || (study.figures[i].on_demand ? demanded : figures.empty() && !demanded))
            some.push_back(study.figures[i]);
    if (some.empty())
        throw failure(exit_usage, "--sensitivity: " + study.name + " has no figure for it");
    std::vector<bool> kept(study.workloads.size(), true);
    if (!programs.empty()) {
        kept = named_in("--programs", programs, names_of(study.workloads));
        for (size_t w = 0; w < kept.size(); ++w)
            for (const size_t other : study.workloads[w].together)
                if (kept[w] && !kept[other])
                    throw failure(exit_usage, "--programs " + study.workloads[w].name + ": runs beside " +
                                                  study.workloads[other].name +
                                                  ", which has to be named, too");
    }
    std::set<size_t> shown, left;
    for (const study_figure &f : some)
        for (const size_t w : f.shown)
            (kept[w] ? shown : left).insert(w);
    study.left_out = left.size();
    if (shown.empty())
        throw failure(exit_usage, "--programs " + as_written(programs) + ": the figures show none of them");
    study.wanted.assign(study.workloads.size(), std::vector<bool>(study.platforms.size(), false));
    for (study_figure &f : some)
        for (std::vector<size_t> *part : {&f.shown, &f.needed}) {
            part->erase(std::remove_if(part->begin(), part->end(), [&](size_t w) { return !kept[w]; }),
                        part->end());
            for (const size_t w : *part)
                for (const size_t m : f.machines)
                    study.wanted[w][m] = true;
        }
    study.chosen = some;
}

} // namespace walkway
