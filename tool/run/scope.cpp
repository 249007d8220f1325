/* SPDX-License-Identifier: MIT */
/* run/scope.cpp - --skip, --warm-up and --measure, and how a result states them. */
#include "run/scope.hpp"

#include "support/nearest.hpp"

#include <algorithm>

namespace walkway
{

const std::map<std::string, bool run_scope::*> program_parts = {{"kernel", &run_scope::by_kernel},
                                                                {"buffer", &run_scope::by_buffer},
                                                                {"instruction", &run_scope::by_instruction}};

std::vector<option_def> window_option_defs()
{
    return {{"warm-up", 0, "COUNT", "simulate this much before counting"},
            {"measure", 0, "COUNT", "count for this long, then stop"}};
}

std::vector<option_def> scope_option_defs()
{
    std::vector<option_def> options = part_option_defs();
    options.push_back({"skip", 0, "COUNT", "leave out this much at the beginning: groups or instructions"});
    for (const option_def &option : window_option_defs())
        options.push_back(option);
    options.push_back(sample_option_def());
    return options;
}

std::string text_of_scope(const scope_texts &texts)
{
    std::string text;
    const auto add = [&text](const char *option, const std::string &value) {
        if (!value.empty())
            text += (text.empty() ? "--" : " --") + std::string(option) + " " + value;
    };
    add("kernels", texts.kernels);
    add("groups", texts.groups);
    add("skip", texts.skip);
    add("warm-up", texts.warm_up);
    add("measure", texts.measure);
    return text;
}

window_bound bound_of(const std::string &option, const std::string &text)
{
    static const std::vector<std::string> units = {
#define X(name) #name,
        WALKWAY_WINDOW_UNIT_LIST(X)
#undef X
    };
    size_t letters = std::min(text.find_first_not_of("0123456789"), text.size());
    for (const char *multiple : {"Ki", "Mi", "Gi"})
        if (text.compare(letters, 2, multiple) == 0) {
            letters += 2;
            break;
        }
    const std::string unit = text.substr(letters);
    for (size_t i = 0; i < units.size(); ++i) {
        if (unit != units[i] && unit + "s" != units[i])
            continue;
        window_bound bound;
        bound.unit = static_cast<window_unit>(i);
        if (parse_number(text.substr(0, letters), bound.count) && bound.count != 0 &&
            bound.count <= uint64_t{1} << 48)
            return bound;
        throw failure(exit_usage, "--" + option + " " + as_written(text) +
                                      ": wants a whole number from 1 to 2^48 before its unit");
    }
    throw failure(exit_usage, "--" + option + " " + as_written(text) +
                                  ": wants a count such as 500groups or 10000cycles; units are instructions, "
                                  "translations, cycles, groups" +
                                  (unit.empty() ? "" : did_you_mean(unit, units)));
}

run_scope make_scope(const scope_texts &texts)
{
    run_scope scope;
    scope.part = {texts.kernels, texts.groups};
    scope.skip_text = texts.skip;
    scope.warm_up_text = texts.warm_up;
    scope.measure_text = texts.measure;
    if (!texts.skip.empty()) {
        const window_bound bound = bound_of("skip", scope.skip_text);
        if (bound.unit == window_unit::groups)
            scope.skip.groups = bound.count;
        else if (bound.unit == window_unit::instructions)
            scope.skip.instructions = bound.count;
        else
            throw failure(exit_usage, "--skip " + as_written(scope.skip_text) +
                                          ": what is not simulated has groups and instructions; for cycles "
                                          "and translations there is --warm-up");
    }
    if (!texts.warm_up.empty())
        scope.window.warm_up = bound_of("warm-up", texts.warm_up);
    if (!texts.measure.empty())
        scope.window.measure = bound_of("measure", texts.measure);
    return scope;
}

run_scope scope_of(const arguments &args)
{
    const trace_part part = part_of(args);
    const scope_texts texts = {part.kernels, part.groups, args.value("skip"), args.value("warm-up"),
                               args.value("measure")};
    run_scope scope = make_scope(texts);
    scope.sample = sample_of(args);
    if (scope.sample.wanted && !texts.empty())
        throw failure(exit_usage, text_of_scope(texts) + ": --sample is of the whole program");
    return scope;
}

run_scope scope_of_runs(const arguments &args)
{
    const run_scope scope = scope_of(args);
    if (scope.sample.wanted && !scope.sample.check)
        throw failure(exit_usage, "--sample check=no: no run is checked, only a study's samples are");
    return scope;
}

static json span_json(const std::string &asked, const window_edge &from, const window_edge &to)
{
    json j = json::object();
    if (!asked.empty())
        j["asked"] = asked;
    j["cycles"] = to.cycles - from.cycles;
    j["instructions"] = to.instructions - from.instructions;
    j["translations"] = to.translations - from.translations;
    j["groups"] = to.groups - from.groups;
    return j;
}

json window_json(const run_scope &scope, const skipped &left_out, const window_report &report)
{
    json j = json::object();
    if (!scope.skip_text.empty()) {
        j["skipped"] = {{"asked", scope.skip_text}, {"groups", left_out.groups}};
        if (left_out.counted)
            j["skipped"]["instructions"] = left_out.instructions;
    }
    if (!report.opened)
        return j;
    if (!scope.warm_up_text.empty())
        j["warm_up"] = span_json(scope.warm_up_text, {}, report.open);
    j["measured"] = span_json(scope.measure_text, report.open, report.close);
    j["measured"]["full"] = report.full;
    json inside = json::object();
    for (size_t i = 0; i < report.open.flows.size(); ++i)
        inside[report.open.flows[i].name] = {{"open", report.open.flows[i].inside},
                                             {"close", report.close.flows[i].inside}};
    j["in_flight"] = inside;
    return j;
}

} // namespace walkway
