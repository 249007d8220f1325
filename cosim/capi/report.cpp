/* SPDX-License-Identifier: MIT */
/* capi/report.cpp - statistics and parameters of an object as JSON. */
#include "capi/object.hpp"

#include <nlohmann/json.hpp>

using namespace walkway;
using nlohmann::ordered_json;

namespace
{

std::string small(std::string text)
{
    for (char &c : text)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return text;
}

} // namespace

std::string walkway_chain::statistics() const
{
    ordered_json all;
    const auto add = [&all](const std::string &name, uint64_t value, const char *unit,
                            const std::string &definition) {
        all[name] = {{"value", value}, {"unit", unit}, {"definition", definition}};
    };
    add("accesses", counts.accesses, "count",
        "accesses that were translated or submitted, looks not among them; = lookups of the first "
        "stage + faults.no_table + those of faults.address that no table was asked for");
    for (unsigned reason = WALKWAY_FAULT_NONE + 1; reason < WALKWAY_FAULT_REASONS; ++reason)
        add("faults." + small(walkway_fault_name(reason)), counts.faults[reason], "count",
            std::string("of the accesses, faults: ") + walkway_fault_text(reason));
    add("faults_dropped", counts.faults_dropped, "count", "faults that found the fault queue full");
    add("latency_sum_ps", counts.latency_sum_ps, "ps", "from each access to its answer, added up");
    add("latency_most_ps", counts.latency_most_ps, "ps", "the longest of them");
    add("submitted", counts.submitted, "count", "of the accesses, those of walkway_submit()");
    add("polled", counts.polled, "count", "of those, answers that have been fetched");
    add("pending_most", counts.pending_most, "count", "most answers that were pending at once");
    add("invalidates", counts.invalidates, "count", "calls of walkway_invalidate_...()");
    std::vector<stage_count> stages = chain.counts();
    if (!chain.first_level().empty())
        stages.insert(stages.begin(), {chain.first_level(), counts.first_lookups, 0});
    for (size_t i = 0; i < stages.size(); ++i) {
        const std::string stage = stages[i].name + ".";
        const bool walks = i + 1 == stages.size();
        add(stage + (walks ? "started" : "lookups"), stages[i].lookups, "count",
            walks ? "walks of page tables" : "requests that looked the stage up, all of its kind added up");
        if (!walks)
            add(stage + "hits", stages[i].lookups - stages[i + 1].lookups, "count",
                "of the lookups, those that the next stage was not asked for");
        if (stages[i].fills != 0)
            add(stage + "fills", stages[i].fills, "count", "victims of the stage above that it has taken");
    }
    auto &memory = const_cast<walkway_chain &>(*this).chain.memory();
    add("walks.reads", memory.reads, "count", "lines of page tables read from the caller's memory");
    add("walks.reads_refused", memory.refused, "count", "of those, that memory did not have");
    const ordered_json json = {
        {"schema", 1},
        {"version", std::to_string(WALKWAY_VERSION_MAJOR) + "." + std::to_string(WALKWAY_VERSION_MINOR)},
        {"path", parameters.levels()},
        {"time_ps", now_ps},
        {"statistics", all}};
    return json.dump(2) + "\n";
}

std::string walkway_chain::parameters_text() const
{
    ordered_json all;
    for (const chain_parameter &p : parameters.all()) {
        ordered_json one;
        if (p.what == parameter::kind::pages)
            one = {{"value", p.value}, {"range", p.range()}};
        else if (p.choices.empty())
            one = {{"value", p.number}, {"unit", p.unit}, {"min", p.min}, {"max", p.max}};
        else
            one = {{"value", p.value}, {"choices", p.choices}};
        const std::string why = parameters.without_effect(p.name);
        one["effect"] = why.empty();
        if (!why.empty())
            one["why"] = why;
        if (!p.set_by.empty())
            one["set_by"] = p.set_by;
        all[p.name] = one;
    }
    return ordered_json({{"schema", 1}, {"path", parameters.levels()}, {"parameters", all}})
               .dump(2, ' ', false, ordered_json::error_handler_t::replace) +
           "\n";
}
