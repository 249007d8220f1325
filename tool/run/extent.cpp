/* SPDX-License-Identifier: MIT */
/* run/extent.cpp - see extent.hpp. */
#include "run/extent.hpp"

#include "run/sample.hpp"
#include "support/numbers.hpp"

namespace walkway
{

void add_extent(json &trace, const wkt_info &info, const trace_part &part)
{
    trace["partial"] = info.partial;
    trace["saved_part"] = info.part;
    trace["extent"] = {{"groups", info.totals.groups},
                       {"groups_of", info.whole_groups},
                       {"launches", info.launches},
                       {"launches_of", info.whole_launches}};
    trace["lanes_left_out"] = info.lanes_left_out;
    if (!part.whole())
        trace["part"] = part_json(part);
}

static std::string count_of(const json &extent, const char *member)
{
    return text_of_count(extent.at(member).get<uint64_t>());
}

std::string text_of_extent(const json &trace)
{
    const json &e = trace.at("extent");
    return count_of(e, "groups") + " of " + count_of(e, "groups_of") + " work-groups, " +
           count_of(e, "launches") + " of " + (trace.at("partial").get<bool>() ? "at least " : "") +
           count_of(e, "launches_of") + " launches";
}

static bool is_all(const json &trace)
{
    const json &e = trace.at("extent");
    return !trace.at("partial").get<bool>() && !trace.at("saved_part").get<bool>() &&
           e.at("groups") == e.at("groups_of") && e.at("launches") == e.at("launches_of");
}

static std::string reasons(const json &trace, const std::string &skip)
{
    std::vector<std::string> all;
    if (trace.at("partial").get<bool>())
        all.emplace_back("the capture was stopped early");
    if (trace.at("saved_part").get<bool>())
        all.emplace_back("a part of a trace, saved");
    std::string options = skip.empty() ? "" : "--skip " + skip;
    if (trace.contains("part"))
        for (const auto &item : trace.at("part").items())
            options += (options.empty() ? "--" : " --") + item.key() + " " + item.value().get<std::string>();
    if (!options.empty())
        all.push_back(options);
    std::string text;
    for (const std::string &reason : all)
        text += (text.empty() ? "" : "; ") + reason;
    return text.empty() ? "the file has no more" : text;
}

/* `begin`: of every line. */
static std::string lines_of_missing(const json &trace, const std::string &skip, const std::string &begin)
{
    std::string text;
    if (!is_all(trace))
        text = begin + "PARTIAL: " + text_of_extent(trace) + " (" + reasons(trace, skip) + ")\n";
    const auto left_out = trace.at("lanes_left_out").get<uint64_t>();
    if (left_out != 0)
        text += begin + text_of_count(left_out) +
                " accesses of lanes outside every buffer were left out at capture\n";
    return text;
}

std::string text_of_missing(const json &trace, const std::string &skip)
{
    return lines_of_missing(trace, skip, "");
}

std::string text_of_missing_in(const json &stats, bool with_sample)
{
    const json &trace = stats.at("trace");
    if (!trace.contains("extent")) /* a result of an earlier version */
        return "";
    const std::string sampled = with_sample ? text_of_sample(stats) : "";
    std::string others;
    if (stats.contains("beside"))
        for (const json &program : stats.at("beside"))
            others += lines_of_missing(program, "", program.at("file").get<std::string>() + ": ");
    const bool skipped = stats.contains("window") && stats.at("window").contains("skipped");
    return text_of_missing(trace,
                           skipped ? stats.at("window").at("skipped").at("asked").get<std::string>() : "") +
           others + sampled + (sampled.empty() ? "" : "\n");
}

} // namespace walkway
