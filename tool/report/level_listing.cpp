/* SPDX-License-Identifier: MIT */
/* report/level_listing.cpp - `walkway list levels`: the levels that a path may name. */
#include "platforms/level.hpp"
#include "report/listing.hpp"

#include <ostream>

namespace walkway
{

std::vector<listed_kind> kinds_of_levels()
{
    std::vector<listed_kind> all;
    for (const std::string &kind : level_kinds()) {
        const std::unique_ptr<level> one = make_level(kind, kind);
        all.push_back({kind, one->sentence(), one->needs(), one->why_not_now(),
                       list_parameters([&](param_visitor &v) { one->visit(v); })});
    }
    return all;
}

static std::string text_of_needs(const listed_kind &kind)
{
    std::string all;
    for (const std::string &need : kind.needs)
        all += (all.empty() ? "" : "; ") + need;
    return all;
}

/* A parameter without a neutral default has no value: the machine must give it. */
static std::string line_of(const parameter &p)
{
    const bool given = p.what != parameter::kind::number || p.number >= p.min;
    return parameter_line(p, p.key, given ? p.value : "(to be given)");
}

table kinds_table(const std::vector<listed_kind> &kinds)
{
    table t({"kind", "what it is", "needs", "without time"});
    t.align_left();
    for (const listed_kind &k : kinds)
        t.row({k.name, k.text, text_of_needs(k), k.not_now.empty() ? "yes" : "no: " + k.not_now});
    return t;
}

void print_kinds(std::ostream &out, const std::vector<listed_kind> &kinds, bool with_parameters)
{
    for (const listed_kind &k : kinds) {
        out << wrapped(k.name + ": " + k.text) << '\n';
        if (!k.needs.empty())
            out << wrapped("needs " + text_of_needs(k), line_width(), 4) << '\n';
        out << wrapped(k.not_now.empty() ? "answers without time, too" : "in time only: " + k.not_now,
                       line_width(), 4)
            << '\n';
        if (!with_parameters)
            continue;
        out << '\n';
        for (const parameter &p : k.parameters)
            out << wrapped(line_of(p), line_width(), 4) << '\n' << wrapped(p.text, line_width(), 8) << '\n';
        out << '\n';
    }
    out << '\n'
        << flowed(
               "A level of a path is named by its kind, or by a name of its own before it: l3_tlb is a tlb.")
        << '\n';
    if (!with_parameters)
        out << flowed("'walkway list levels KIND' has the parameters.") << '\n';
}

json kinds_json(const std::vector<listed_kind> &kinds)
{
    json all = json::object();
    for (const listed_kind &k : kinds) {
        json parameters = json::object();
        for (const parameter &p : k.parameters)
            parameters[p.key] = parameter_json(p);
        all[k.name] = {{"description", k.text},
                       {"needs", k.needs},
                       {"without_time", k.not_now.empty() ? json(true) : json(k.not_now)},
                       {"parameters", parameters}};
    }
    return all;
}

} // namespace walkway
