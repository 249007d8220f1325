/* SPDX-License-Identifier: MIT */
/* report/generators.cpp - tables and JSON of the generators. */
#include "report/generators.hpp"

#include "generate/generate.h"
#include "run/generator.hpp"

#include <ostream>

namespace walkway
{

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
        for (const parameter &shown : generator_parameters(static_cast<uint8_t>(__builtin_ctz(p.patterns))))
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
        for (const parameter &p : generator_parameters(i))
            parameters[p.key] = {
                {"unit", p.unit}, {"range", p.range()}, {"default", json_of(p)}, {"description", p.text}};
        all[ww_gen_pattern_name(i)] = {{"description", ww_gen_pattern_text(i)}, {"parameters", parameters}};
    }
    return all;
}

} // namespace walkway
