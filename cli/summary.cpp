/* SPDX-License-Identifier: MIT */
/* cli/summary.cpp - headline, account, laws, and what the run cost on this computer. */
#include "cli/summary.hpp"

#include "cli/explain.hpp"
#include "cli/extent.hpp"
#include "cli/table.hpp"

#include <algorithm>
#include <ostream>

namespace walkway
{

static std::string text_of_value(const json &entry)
{
    const std::string unit = entry.at("unit").get<std::string>();
    const json &value = entry.at("value");
    if (unit == "1")
        return text_of_share(value.get<double>());
    if (unit == "s")
        return text_of_seconds(value.get<double>());
    if (value.is_number_integer())
        return text_of_count(value.get<uint64_t>()) + " " + unit;
    return text_of_real(value.get<double>(), 1) + " " + unit;
}

static void print_window(std::ostream &out, const json &window)
{
    static const struct {
        const char *member, *text;
    } stretches[] = {{"skipped", "skipped: "}, {"warm_up", "warm-up: "}, {"measured", "measured:"}};
    for (const auto &stretch : stretches) {
        if (!window.contains(stretch.member))
            continue;
        out << stretch.text;
        const char *before = " ";
        for (const char *unit : {"cycles", "instructions", "translations", "groups"}) {
            if (!window.at(stretch.member).contains(unit))
                continue;
            out << before << text_of_count(window.at(stretch.member).at(unit).get<uint64_t>()) << ' ' << unit;
            before = ", ";
        }
        out << '\n';
    }
}

void print_summary(std::ostream &out, const simulation &result, const std::string &label)
{
    const json &stats = result.stats;
    const std::string command = stats.at("trace").at("command").get<std::string>();
    out << label << " on " << stats.at("trace").at("file").get<std::string>();
    if (!command.empty())
        out << " (" << command << ")";
    if (stats.at("partial").get<bool>())
        out << ", PARTIAL: the run did not reach the end of the trace";
    out << '\n' << text_of_missing_in(stats);
    if (stats.contains("window"))
        print_window(out, stats.at("window"));
    out << '\n';
    size_t width = 0;
    for (const auto &item : stats.at("headline").items())
        width = std::max(width, item.key().size());
    for (const auto &item : stats.at("headline").items())
        out << "  " << item.key() << std::string(width + 2 - item.key().size(), ' ')
            << text_of_value(item.value()) << '\n';
    out << '\n';

    const std::vector<cause_share> causes = translation_causes(stats);
    if (!causes.empty()) {
        print_causes(out, "a translation's time by cause", {causes}, {"cycles"});
        out << '\n';
    }
    const std::vector<cause_share> stalls = stall_causes(stats);
    if (!stalls.empty()) {
        print_causes(out, "waves' time by cause, a memory instruction", {stalls}, {"cycles"});
        out << '\n';
    }

    const json &laws = stats.at("laws");
    if (!stats.at("partial").get<bool>() && !laws.empty()) {
        size_t broken = 0;
        for (const json &l : laws)
            broken += l.at("holds").get<bool>() ? 0 : 1;
        out << laws.size()
            << " conservation laws: " << (broken == 0 ? "all hold" : std::to_string(broken) + " BROKEN")
            << '\n';
        for (const json &l : laws)
            out << "  " << (l.at("holds").get<bool>() ? "holds   " : "BROKEN  ")
                << l.at("name").get<std::string>() << "  (" << text_of_count(l.at("left").get<uint64_t>())
                << " = " << text_of_count(l.at("right").get<uint64_t>()) << ")\n";
        out << '\n';
    }

    out << text_of_duration(result.host.at("host_seconds").get<double>()) << " on this computer, "
        << text_of_rate(result.host.at("translations_per_second").get<double>())
        << " translations a second, peak memory "
        << text_of_bytes(result.host.at("peak_memory_bytes").get<uint64_t>()) << '\n';
}

} // namespace walkway
