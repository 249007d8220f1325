/* SPDX-License-Identifier: MIT */
/* cli/generator.cpp - specifications of synthetic traces: read, opened, listed. */
#include "cli/generator.hpp"

#include "cli/config.hpp"
#include "cli/nearest.hpp"
#include "cli/options.hpp"
#include "cli/parameters.hpp"
#include "cli/table.hpp"
#include "generate/generate.h"

#include <ostream>

namespace walkway
{

static const std::string prefix = "gen:";

bool is_generator(const std::string &trace)
{
    return trace.compare(0, prefix.size(), prefix) == 0;
}

/* The pattern's parameters, as any others. */
static void visit(ww_gen_cfg &cfg, param_visitor &v)
{
    for (unsigned i = 0; i < WW_GEN_PARAMS; ++i) {
        const ww_gen_param &p = ww_gen_params[i];
        if ((p.patterns >> cfg.pattern & 1) == 0)
            continue;
        const param_info info = {p.unit, p.min, p.max, p.text, assumed("")};
        if (p.choices == nullptr) {
            v.number(p.key, cfg.value[i], info);
            continue;
        }
        const std::vector<std::string> texts = split(p.choices, '|');
        choice_names names;
        for (const std::string &text : texts)
            names.push_back(text.c_str());
        auto value = static_cast<uint8_t>(cfg.value[i]);
        v.choice(p.key, value, names, info);
        cfg.value[i] = value;
    }
}

static ww_gen_cfg defaults_of(const std::string &name, const std::string &specification)
{
    std::vector<std::string> names;
    for (uint8_t i = 0; i < WW_GEN_PATTERNS; ++i) {
        names.emplace_back(ww_gen_pattern_name(i));
        if (name == names.back()) {
            ww_gen_cfg cfg;
            ww_gen_defaults(&cfg, i);
            return cfg;
        }
    }
    throw failure(exit_usage, as_written(specification) + ": there is no generator '" + as_written(name) +
                                  "'" + did_you_mean(name, names) +
                                  "; 'walkway list generators' has them all");
}

trace_file open_generator(const std::string &specification)
{
    const std::vector<std::string> parts = split(specification.substr(prefix.size()), ',');
    ww_gen_cfg cfg = defaults_of(parts.front(), specification);
    const std::string origin = prefix + parts.front();
    for (const setting &s : split_settings({parts.begin() + 1, parts.end()}, origin))
        set_parameter([&cfg](param_visitor &v) { visit(cfg, v); }, s.name, s.value, origin,
                      "walkway list generators");
    const char *const wrong = ww_gen_check(&cfg);
    if (wrong != nullptr)
        throw failure(exit_usage, as_written(specification) + ": " + wrong);
    wkt_reader *reader = nullptr;
    wkt_error error{};
    if (ww_gen_open(&cfg, specification.c_str(), &reader, &error) != WKT_OK)
        throw failure(exit_input, error.text);
    return trace_file(reader);
}

/* ---- listing ---- */

static std::vector<parameter> parameters_of(uint8_t pattern)
{
    ww_gen_cfg cfg;
    ww_gen_defaults(&cfg, pattern);
    return list_parameters([&cfg](param_visitor &v) { visit(cfg, v); });
}

static std::string patterns_of(const ww_gen_param &p)
{
    if (p.patterns == WW_GEN_ALL)
        return "all";
    std::string names;
    for (uint8_t i = 0; i < WW_GEN_PATTERNS; ++i)
        if ((p.patterns >> i & 1) != 0)
            names += (names.empty() ? "" : " ") + std::string(ww_gen_pattern_name(i));
    return names;
}

table generators_table()
{
    table keys({"parameter", "of", "unit", "range", "default", "what it is"});
    keys.align_left();
    for (const ww_gen_param &p : ww_gen_params)
        for (const parameter &shown : parameters_of(static_cast<uint8_t>(__builtin_ctz(p.patterns))))
            if (shown.key == p.key)
                keys.row({shown.key, patterns_of(p), shown.unit, shown.range(), shown.value, shown.text});
    return keys;
}

void print_generators(std::ostream &out)
{
    table patterns({"generator", "what its waves access"});
    patterns.align_left();
    for (uint8_t i = 0; i < WW_GEN_PATTERNS; ++i)
        patterns.row({ww_gen_pattern_name(i), ww_gen_pattern_text(i)});
    patterns.print(out);
    out << '\n';
    generators_table().print(out);
    out << '\n'
        << wrapped("A trace is named gen:GENERATOR,parameter=value,... with what differs from the defaults.")
        << '\n';
}

json generators_json()
{
    json all = json::object();
    for (uint8_t i = 0; i < WW_GEN_PATTERNS; ++i) {
        json parameters = json::object();
        for (const parameter &p : parameters_of(i))
            parameters[p.key] = {
                {"unit", p.unit}, {"range", p.range()}, {"default", p.json_value()}, {"description", p.text}};
        all[ww_gen_pattern_name(i)] = {{"description", ww_gen_pattern_text(i)}, {"parameters", parameters}};
    }
    return all;
}

} // namespace walkway
