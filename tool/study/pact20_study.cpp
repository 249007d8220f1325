/* SPDX-License-Identifier: MIT */
/* study/pact20_study.cpp - the study of PACT'20 "Enhancing Address Translations in Throughput Processors via
 * Compression": a plain L2 TLB against a compressed one, where frames lie as pages do and where they do not.
 * Only a summary of the paper is at hand, which states widths and a ratio, no speed-up: docs/uvm-pact20.md.
 */
#include "study/bars.hpp"
#include "study/ten_programs.hpp"

#include <limits>

namespace walkway
{

static constexpr double none = std::numeric_limits<double>::quiet_NaN();

static const std::vector<std::string> &layouts()
{
    static const std::vector<std::string> all = {"contiguous", "fragmented", "random"};
    return all;
}

static std::vector<study_configuration> pact20_configurations()
{
    std::vector<study_configuration> list;
    for (const std::string &frames : layouts())
        for (const char *store : {"plain", "compressed"})
            list.push_back({frames + "/" + store,
                            {std::string("l2_tlb.store=") + store, "address_space.frames=" + frames}});
    return list;
}

static std::vector<std::string> keys_with(const std::vector<const char *> &stores)
{
    std::vector<std::string> keys;
    for (const std::string &frames : layouts())
        for (const char *store : stores)
            keys.push_back(frames + "/" + store);
    return keys;
}

/* Of each layout the compressed TLB's value over the plain one's. */
static std::vector<figure_bar> over_plain(const study_results &results, programs_ref programs,
                                          const char *path)
{
    std::vector<figure_bar> bars;
    for (const std::string &frames : layouts())
        bars.push_back(ratio_bar(results, programs, frames, frames + "/plain", frames + "/compressed",
                                 [path](const json &plain, const json &compressed) {
                                     const double before = stat_of(plain, path);
                                     return before > 0 ? stat_of(compressed, path) / before : none;
                                 }));
    return bars;
}

static figure performance(const study_results &results, programs_ref programs)
{
    figure f = {
        "performance", "speed-up of the compressed L2 TLB over a plain one of as many slots", 3, {}, {}, {}};
    for (const std::string &frames : layouts())
        f.bars.push_back(speedup_bar(results, programs, frames, frames + "/plain", frames + "/compressed"));
    f.beside = over_plain(results, programs, "walk_unit.walk_requests");
    f.beside_title = "page walks, plain = 1";
    return f;
}

static figure misses(const study_results &results, programs_ref programs)
{
    figure f = {"misses", "misses of the compressed L2 TLB, plain = 1", 3, {}, {}, {}};
    f.bars = over_plain(results, programs, "l2_tlb.misses");
    for (const std::string &frames : layouts())
        f.beside.push_back(bar_of(results, programs, frames + ", plain", frames + "/plain", l2_tlb_hits));
    f.beside_title = "share of look-ups that hit in the plain one";
    return f;
}

static figure effective_ratio(const study_results &results, programs_ref programs)
{
    figure f = {"ratio", "entries for each slot of the compressed TLB, at the end of the run", 2, {}, {}, {}};
    const auto bar = [&](const std::string &name, const std::string &frames, const char *part,
                         const std::vector<const char *> &whole) {
        return bar_of(results, programs, name, frames + "/compressed", [&](const json &s) {
            double sum = 0;
            for (const char *path : whole)
                sum += stat_of(s, path);
            return sum > 0 ? stat_of(s, part) / sum : none;
        });
    };
    for (const std::string &frames : layouts()) {
        f.bars.push_back(bar(frames, frames, "l2_tlb.held", {"l2_tlb.slots"}));
        f.beside.push_back(bar(frames + ", a slot in use", frames, "l2_tlb.held", {"l2_tlb.slots_used"}));
        f.beside.push_back(bar(frames + ", of fills two a slot", frames, "l2_tlb.kept_compressed",
                               {"l2_tlb.kept_compressed", "l2_tlb.kept_plain"}));
        f.claims.push_back({"mean, " + frames, stated::about("1.5", 1.5).softly(), mean_of(f.bars.back())});
    }
    f.beside_title = "entries for each slot that holds any; share of entries that compressed";
    return f;
}

const study &pact20_study(); /* declared for all by studies.inc */

const study &pact20_study()
{
    const std::vector<std::string> both = keys_with({"plain", "compressed"});
    static const study s = {
        "pact20",
        "PACT'20, Enhancing address translations in throughput processors via compression",
        "uvm-pact20",
        ten_program_scales(),
        "full",
        ten_programs(),
        pact20_configurations(),
        {{"performance", all_ten(), both, performance},
         {"misses", all_ten(), both, misses},
         {"ratio", all_ten(), keys_with({"compressed"}), effective_ratio}},
        ten_program_notes,
    };
    return s;
}

} // namespace walkway
