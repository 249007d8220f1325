/* SPDX-License-Identifier: MIT */
/* report/hints.cpp - see hints.hpp. */
#include "report/hints.hpp"

#include "report/explain.hpp"
#include "report/working_set.hpp"
#include "run/result_levels.hpp"
#include "support/numbers.hpp"
#include "support/terminal.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace walkway
{

namespace
{

constexpr double little = 0.01;         /* of the waves' time */
constexpr double much = 0.1;            /* of it: above this, translation matters */
constexpr double most = 0.8;            /* of the page-table reads */
constexpr double fewest_reads = 100;    /* of page tables; with fewer, no hint about channels */
constexpr double in_step = 1;           /* memory instructions; waves closer than this run in step */
constexpr double fewest_of_a_wave = 16; /* memory instructions; with fewer, no hint about steps */

uint64_t parameter(const json &stats, const std::string &name)
{
    const json &all = stats.at("configuration");
    const auto at = all.find(name);
    return at != all.end() && at->is_number_integer() ? at->get<uint64_t>() : 0;
}

/* The last TLB before the walks, and its entries. */
struct reach {
    std::string what;
    uint64_t entries;
};

reach reach_of(const json &stats)
{
    const result_levels levels = result_levels::of(stats);
    if (levels.tlbs().empty())
        return {"", 0};
    const level &last = *levels.tlbs().back();
    return {one_or_each(last, stats.at("configuration")), parameter(stats, last.reach().entries)};
}

/* Returns the share of the waves' time in which they wait for translations; negative without an account. */
double share_of_translation(const json &stats)
{
    const std::vector<cause_share> causes = stall_causes(stats);
    double sum = 0;
    for (const cause_share &c : causes)
        sum += c.mean;
    return sum > 0 ? mean_of(causes, "translation") / sum : -1;
}

/* Returns ", most of it l2_lookup (188.0 of the 310.2 cycles of a translation), then l1_lookup (108.0)";
 * empty without an account. */
std::string largest_parts(const json &stats)
{
    constexpr double least = 0.1; /* of a translation's time, to name the second one */
    std::vector<cause_share> causes = translation_causes(stats);
    double sum = 0;
    for (const cause_share &c : causes)
        sum += c.mean;
    if (!(sum > 0))
        return "";
    std::stable_sort(causes.begin(), causes.end(),
                     [](const cause_share &a, const cause_share &b) { return a.mean > b.mean; });
    std::string text = ", most of it " + causes[0].name + " (" + text_of_real(causes[0].mean, 1) +
                       " of the " + text_of_real(sum, 1) + " cycles of a translation)";
    if (causes.size() > 1 && causes[1].mean >= least * sum)
        text += ", then " + causes[1].name + " (" + text_of_real(causes[1].mean, 1) + ")";
    return text;
}

/* If the footprint fits, there are few walks, but hits may still be slow: the account has their cost. */
void hint_of_footprint(const json &stats, std::vector<std::string> &hints)
{
    const stat_view view(stats.at("statistics"));
    const reach tlb = reach_of(stats);
    if (!view.has("model.pages") || tlb.entries == 0)
        return;
    const auto pages = static_cast<uint64_t>(view.value("model.pages"));
    if (pages == 0 || pages > tlb.entries)
        return;
    const double share = share_of_translation(stats);
    const std::string fits = "the program's " + text_of_count(pages) +
                             (pages == 1 ? " page fits " : " pages fit ") + tlb.what + " (" +
                             text_of_count(tlb.entries) + " entries): ";
    if (share > much)
        hints.push_back(fits + "more entries save no walk, and still waves wait for translations " +
                        text_of_share(share) + " of their time" + largest_parts(stats));
    else if (share >= 0)
        hints.push_back(fits + "after the first touches translation hardly matters (waves wait for it " +
                        text_of_share(share) + " of their time); a larger size shows more");
}

void hint_of_waiting(const json &stats, std::vector<std::string> &hints)
{
    const double share = share_of_translation(stats);
    if (share >= 0 && share < little)
        hints.push_back("waves wait for translations " + text_of_share(share) +
                        " of their time: no mechanism of translation gains more than that");
}

void hint_of_cycle(const json &stats, std::vector<std::string> &hints)
{
    const std::string text = text_of_cycle(stats);
    if (!text.empty())
        hints.push_back(text);
}

void hint_of_lock_step(const json &stats, std::vector<std::string> &hints)
{
    const stat_view view(stats.at("statistics"));
    if (!view.has("gpu.wave_lag") || !view.has("gpu.waves") || !view.has("gpu.memory"))
        return;
    const double waves = view.value("gpu.waves"), lag = view.of_histogram("gpu.wave_lag", "mean");
    if (waves < 2 || view.value("gpu.memory") < fewest_of_a_wave * waves || lag >= in_step)
        return;
    hints.push_back("waves run in lock-step: at a memory instruction the furthest wave of the kernel is " +
                    text_of_real(lag, 2) +
                    " memory instructions ahead in the mean; they want pages, sets and banks at the same "
                    "times, and a machine that only "
                    "brings them out of step differs by that alone");
}

void hint_of_channels(const json &stats, std::vector<std::string> &hints)
{
    const std::vector<stat_view::number> channels =
        stat_view(stats.at("statistics")).under("dram.walk_reads_of", "count");
    double sum = 0;
    const stat_view::number *busiest = nullptr;
    for (const stat_view::number &channel : channels) {
        sum += channel.value;
        if (busiest == nullptr || channel.value > busiest->value)
            busiest = &channel;
    }
    if (channels.size() < 2 || sum < fewest_reads || busiest->value < most * sum)
        return;
    hints.push_back("one channel of " + std::to_string(channels.size()) + " takes " +
                    text_of_share(busiest->value / sum) + " of the page-table reads (dram.walk_reads_of." +
                    busiest->name +
                    "): walks have the bandwidth of that one; dram.channel_xor and dram.map say how "
                    "addresses go to channels");
}

/* Returns the mean work-groups per kernel; negative if not counted. Kernels run one after the other. */
double groups_at_a_time(const json &stats)
{
    const stat_view view(stats.at("statistics"));
    if (stats.contains("beside") || !view.has("gpu.groups") || !view.has("gpu.launches") ||
        view.value("gpu.launches") <= 0)
        return -1;
    return view.value("gpu.groups") / view.value("gpu.launches");
}

void hint_of_occupancy(const json &stats, std::vector<std::string> &hints)
{
    const double groups = groups_at_a_time(stats);
    const uint64_t cus = parameter(stats, "gpu.cus");
    if (groups > 0 && std::ceil(groups) < static_cast<double>(cus))
        hints.push_back("kernels have " + text_of_real(groups, 1) + " work-groups in the mean, so of " +
                        text_of_count(cus) + " compute units no more than " +
                        text_of_count(static_cast<uint64_t>(std::ceil(groups))) +
                        (std::ceil(groups) > 1 ? " have" : " has") +
                        " work at a time: more or smaller work-groups, or a larger size, show the machine");
}

/* Returns true for an idealised machine: hints about its translation have no use. */
bool is_ideal(const json &stats)
{
    return stats.at("configuration").value("translation.ideal", "off") != "off";
}

} // namespace

std::string text_of_occupancy(const json &stats)
{
    const stat_view view(stats.at("statistics"));
    const double groups = groups_at_a_time(stats);
    const uint64_t cus = parameter(stats, "gpu.cus"),
                   places = cus * parameter(stats, "cu.simds") * parameter(stats, "cu.waves_per_simd");
    if (groups < 0 || places == 0 || !view.has("gpu.wave_stall.wave_cycles") || !view.has("gpu.cycles") ||
        view.value("gpu.cycles") <= 0)
        return "";
    const double waves = view.value("gpu.wave_stall.wave_cycles") / view.value("gpu.cycles");
    return "occupancy: " + text_of_real(waves, 1) + " waves at a time of " + text_of_count(places) +
           " places (" + text_of_share(waves / static_cast<double>(places)) + "), " +
           text_of_real(groups, 1) + " work-groups of a kernel for " + text_of_count(cus) + " compute units";
}

std::vector<std::string> hints_of(const json &stats)
{
    std::vector<std::string> hints;
    if (stats.at("partial").get<bool>() || stats.contains("window") || is_ideal(stats))
        return hints;
    hint_of_occupancy(stats, hints);
    hint_of_footprint(stats, hints);
    hint_of_cycle(stats, hints);
    hint_of_waiting(stats, hints);
    hint_of_lock_step(stats, hints);
    hint_of_channels(stats, hints);
    return hints;
}

void print_hints(std::ostream &out, const std::vector<std::string> &hints)
{
    for (const std::string &hint : hints)
        out << flowed("hint: " + hint);
}

} // namespace walkway
