/* SPDX-License-Identifier: MIT */
/* run/generator.cpp - parses specifications of synthetic traces and opens them. */
#include "run/generator.hpp"

#include "generate/generate.h"
#include "run/config.hpp"
#include "run/parameters.hpp"
#include "support/nearest.hpp"
#include "support/options.hpp"

namespace walkway
{

static const std::string prefix = "gen:";

bool is_generator(const std::string &trace)
{
    return trace.compare(0, prefix.size(), prefix) == 0;
}

/* Visits the pattern's parameters like a machine's. */
static void visit(ww_gen_cfg &cfg, param_visitor &v)
{
    for (unsigned i = 0; i < WW_GEN_PARAMS; ++i) {
        const ww_gen_param &p = ww_gen_params[i];
        if ((p.patterns >> cfg.pattern & 1) == 0)
            continue;
        const param_info info = {p.unit, p.min, p.max, p.text};
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
    each_or_every_fault<failure>(
        split_settings({parts.begin() + 1, parts.end()}, origin), [&](const setting &s) {
            set_parameter([&cfg](param_visitor &v) { visit(cfg, v); }, s.name, s.value, origin,
                          "; 'walkway list generators' has them all");
        });
    const char *const wrong = ww_gen_check(&cfg);
    if (wrong != nullptr)
        throw failure(exit_usage, as_written(specification) + ": " + wrong);
    wkt_reader *reader = nullptr;
    wkt_error error{};
    if (ww_gen_open(&cfg, specification.c_str(), &reader, &error) != WKT_OK)
        throw failure(exit_input, error.text);
    return trace_file(reader);
}

std::vector<parameter> generator_parameters(uint8_t pattern)
{
    ww_gen_cfg cfg;
    ww_gen_defaults(&cfg, pattern);
    return list_parameters([&cfg](param_visitor &v) { visit(cfg, v); });
}

} // namespace walkway
