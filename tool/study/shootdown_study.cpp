/* SPDX-License-Identifier: MIT */
/* study/shootdown_study.cpp - what it costs to take translations back while a program runs: by how much of
 * the address space is in scope, and by the number of compute units. No paper of the five has it.
 * docs/events.md. */
#include "study/bars.hpp"
#include "study/ten_programs.hpp"

#include "run/statistics.hpp"

#include <algorithm>
#include <limits>

namespace walkway
{

namespace
{

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr unsigned shootdowns = 10;
const unsigned units[] = {4, 8, 16, 32, 64};

struct scope {
    std::string key, text, event;
};

/* A page and a range move: their entries are written, then they are invalidated. */
const std::vector<scope> &scopes()
{
    static const std::vector<scope> all = {
        {"page", "a page moves", "remap buffer:0"},
        {"range", "512 pages move", "remap buffer:0 pages 512"},
        {"all", "everything is flushed", "flush all"},
    };
    return all;
}

std::string key_of(unsigned cus, const std::string &what)
{
    return std::to_string(cus) + "-" + what;
}

/* After the first kernel has begun, and before the shortest of these runs ends. */
std::string events_of(const scope &s)
{
    std::string text;
    for (unsigned k = 1; k <= shootdowns; ++k)
        text += "at cycle " + std::to_string(2000 + 4000 * k) + " " + s.event + "\n";
    return text;
}

std::vector<study_configuration> configurations()
{
    std::vector<study_configuration> list;
    for (const unsigned cus : units) {
        const std::vector<std::string> machine = {"gpu.cus=" + std::to_string(cus),
                                                  "address_space.map=all_paged"};
        list.push_back({key_of(cus, "none"), machine});
        for (const scope &s : scopes())
            list.push_back({key_of(cus, s.key), machine, "", events_of(s)});
    }
    return list;
}

std::vector<std::string> keys()
{
    std::vector<std::string> all;
    for (const study_configuration &c : configurations())
        all.push_back(c.key);
    return all;
}

figure latency(const study_results &results, programs_ref programs)
{
    figure f = {"latency", "cycles from an event to its acknowledgement, mean of ten", 0, {}, {}, {}};
    f.bars_are_rows = true;
    for (const scope &s : scopes())
        for (const unsigned cus : units)
            f.bars.push_back(bar_of(results, programs, s.text + ", " + std::to_string(cus) + " units",
                                    key_of(cus, s.key), [](const json &r) {
                                        const stat_view v(r.at("statistics"));
                                        return v.count("os.acknowledged") == shootdowns
                                                   ? v.of_histogram("os.latency", "mean")
                                                   : none;
                                    }));
    for (const scope &s : scopes())
        for (const unsigned cus : units)
            f.beside.push_back(bar_of(
                results, programs, s.text + ", " + std::to_string(cus) + " units", key_of(cus, s.key),
                [](const json &r) {
                    return stat_view(r.at("statistics")).of_histogram("walk_unit.invalidate_latency", "mean");
                }));
    f.beside_title = "of it the invalidate, after the table was written";
    return f;
}

/* What the program lost: everything that has to be found again is in it. */
figure stalled(const study_results &results, programs_ref programs)
{
    figure f = {"stalled", "cycles that the program takes longer, for each event", 0, {}, {}, {}};
    f.bars_are_rows = true;
    for (const scope &s : scopes())
        for (const unsigned cus : units) {
            const std::string name = s.text + ", " + std::to_string(cus) + " units";
            f.bars.push_back(ratio_bar(
                results, programs, name, key_of(cus, "none"), key_of(cus, s.key),
                [](const json &without, const json &with) {
                    return (stat_of(with, "gpu.cycles") - stat_of(without, "gpu.cycles")) / shootdowns;
                }));
            f.bars.back().ratio = false;
            f.beside.push_back(bar_of(results, programs, name, key_of(cus, s.key), [](const json &r) {
                return (stat_of(r, "l1_tlb.invalidated") + stat_of(r, "l2_tlb.invalidated")) / shootdowns;
            }));
        }
    f.beside_title = "entries of L1 and L2 TLBs dropped, for each";
    return f;
}

std::vector<study_program> programs()
{
    std::vector<study_program> all;
    for (const study_program &p : ten_programs())
        if (p.code == "ATX" || p.code == "NW" || p.code == "BFS" || p.code == "SRAD")
            all.push_back(p);
    return all;
}

} // namespace

const study &shootdown_study(); /* declared for all by studies.inc */

const study &shootdown_study()
{
    static const study s = {
        "shootdown",
        "translations taken back while a program runs",
        "apu-micro18",
        ten_program_scales(),
        "",
        programs(),
        configurations(),
        {{"latency", all_ten(), keys(), latency}, {"stalled", all_ten(), keys(), stalled}},
        "Ten events, 4000 cycles apart, in each run.",
    };
    return s;
}

} // namespace walkway
