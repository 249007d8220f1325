/* SPDX-License-Identifier: MIT */
/* tb/cli/reach_studies_test.cpp - figures of MICRO'21, of PACT'20 and of the combinations from made-up
 * results with known ratios. */
#include "study/study.hpp"
#include "tb/cli/made_figures.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <map>

using namespace walkway;
using namespace walkway::test;

namespace
{

json number(double value)
{
    return {{"value", value}, {"unit", "count"}, {"description", "made up"}};
}

/* 1000 instructions of waves, each with 64 lanes to two pages; half of the look-ups hit. */
json result(double cycles, double walks)
{
    json stats = {{"configuration", {{"gpu.cus", 8}, {"icache.shared_by", 4}, {"icache.entries", 256}}},
                  {"headline", {{"cycles", number(cycles)}}}};
    const std::pair<const char *, double> values[] = {{"gpu.instructions", 1000},
                                                      {"gpu.cycles", cycles},
                                                      {"coalescer.lanes", 64000},
                                                      {"l1_tlb.lookups", 2000},
                                                      {"l1_tlb.hits", 1000},
                                                      {"l1_tlb.misses", 900},
                                                      {"l1_tlb.merged", 100},
                                                      {"l2_tlb.lookups", 900},
                                                      {"l2_tlb.hits", 225},
                                                      {"walk_unit.walk_requests", walks},
                                                      {"walk_unit.pte_reads", walks},
                                                      {"energy.dram", cycles / 2},
                                                      {"lds.bank_cycles", 800},
                                                      {"icache.fetches", 200},
                                                      {"icache.misses", 128},
                                                      {"lds_tx.opened", 100},
                                                      {"lds_tx.segments_claimed", 20},
                                                      {"l2_tlb.misses", walks},
                                                      {"l2_tlb.held", 600},
                                                      {"l2_tlb.slots", 400},
                                                      {"l2_tlb.slots_used", 300},
                                                      {"l2_tlb.kept_compressed", 75},
                                                      {"l2_tlb.kept_plain", 25}};
    for (const auto &v : values)
        stats["statistics"][v.first] = number(v.second);
    stats["statistics"]["gpu.group_lds_bytes"] = {
        {"count", 4}, {"sum", 4096}, {"mean", 1024}, {"max", 2048}, {"buckets", json::array()}};
    return stats;
}

/* Cycles and walks of some configurations; of the others 1000 and 640. */
using made_up = std::map<std::string, std::pair<double, double>>;

study_results all_results(const study &s, const made_up &some = {})
{
    study_results results;
    for (const study_program &p : s.programs) {
        for (const study_configuration &c : s.configurations)
            results[p.code][c.key] = result(1000, 640);
        for (const auto &[key, values] : some)
            results[p.code][key] = result(values.first, values.second);
    }
    return results;
}

std::string verdict(const figure &f, const std::string &text)
{
    for (const figure_claim &c : f.claims)
        if (c.text == text)
            return verdict_of(c.paper, spread_of({c.ours}));
    BOOST_FAIL("no claim " + text);
    return "";
}

double value(const std::vector<figure_bar> &bars, const std::string &name, size_t program = 0)
{
    for (const figure_bar &bar : bars)
        if (bar.name == name)
            return bar.values[program];
    BOOST_FAIL("no bar " + name);
    return 0;
}

const auto near = boost::test_tools::tolerance(1e-9);

} // namespace

BOOST_AUTO_TEST_CASE(walks_are_counted_by_the_instruction_of_a_thread)
{
    const study &s = find_study("micro21");
    const figure f = made(s, "table-2", all_results(s));
    BOOST_TEST(value(f.bars, "walks per 1000") == 10.0, near);
    BOOST_TEST(value(f.beside, "walks per 1000 of waves") == 640.0, near);
    BOOST_TEST(value(f.bars, "L1 TLB hits, lanes, at most") == 98.4375, near);
    BOOST_TEST(value(f.beside, "L1 TLB hits, pages") == 50.0, near);
    BOOST_TEST(value(f.bars, "L2 TLB hits") == 25.0, near);
    BOOST_TEST(verdict(f, "ATX, walks") == "soft", "its size is not published");
    BOOST_TEST(verdict(f, "walks, least of H") == "missed");
    BOOST_TEST(verdict(f, "walks, least of M") == "matched");
    BOOST_TEST(verdict(f, "walks, most of L") == "missed");
}

BOOST_AUTO_TEST_CASE(gains_are_of_ten_and_of_the_seven_that_walk)
{
    const study &s = find_study("micro21");
    study_results results = all_results(s);
    for (const study_program &p : s.programs)
        results[p.code]["lds"] = p.group == "L" ? result(1000, 640) : result(800, 320);
    results["SRAD"]["lds"] = result(1050, 640);
    const figure f = made(s, "13b", results);
    BOOST_TEST(claimed(f, "LDS, gain in %, geometric, of H, M") == 25.0, near);
    BOOST_TEST(claimed(f, "LDS, gain in %, geometric, of ten") ==
                   std::pow(std::pow(25, 7) * std::pow(0.1, 3), 0.1),
               near);
    BOOST_TEST(claimed(f, "LDS, gain in %, ATX") == 25.0, near);
    BOOST_TEST(verdict(f, "LDS, gain in %, geometric, of H, M") == "matched");
    BOOST_TEST(verdict(f, "LDS, least of L") == "missed");
    BOOST_TEST(verdict(f, "LDS, most of L") == "matched");
    const figure walks = made(s, "14b", results);
    BOOST_TEST(claimed(walks, "LDS, mean of H, M") == 0.5, near);
    BOOST_TEST(claimed(walks, "LDS, mean of ten") == 0.65, near);
    BOOST_TEST(value(made(s, "13c", results).bars, "LDS") == 0.8, near);
}

BOOST_AUTO_TEST_CASE(instruction_caches_have_their_designs_their_share_of_lines_and_their_sharers)
{
    const study &s = find_study("micro21");
    study_results results = all_results(s);
    for (const study_program &p : s.programs) {
        results[p.code]["icache-naive"] = result(1250, 640);
        results[p.code]["icache"] = result(500, 64);
        results[p.code]["icache"]["statistics"]["icache_tx.opened"] = number(30);
        results[p.code]["icache"]["statistics"]["icache_tx.lines_claimed"] = number(10);
        results[p.code]["icache-aware"]["statistics"]["icache_tx.kernels"] = number(4);
        results[p.code]["icache-aware"]["statistics"]["icache_tx.kernel_lines"] = number(256);
        results[p.code]["8 sharers/icache"] = result(250, 64);
        results[p.code]["8 sharers/base"] = result(750, 64);
    }
    const figure designs = made(s, "13a", results);
    BOOST_TEST(claimed(designs, "naive LRU, mean gain in %") == -20.0, near);
    BOOST_TEST(claimed(designs, "with the flush, mean gain in %") == 100.0, near);
    BOOST_TEST(value(made(s, "11", results).bars, "mean of its kernels") == 0.25, near);
    BOOST_TEST(value(made(s, "16a", results).bars, "8 sharers: I-cache") == 3.0, near);
    BOOST_TEST(value(made(s, "16a", results).bars, "4 sharers: I-cache") == 2.0, near);
    const double segments = 3 * (100 - 20);
    BOOST_TEST(value(made(s, "15", results).bars, "I-cache") == segments + 8 * (30 - 10), near);
}

BOOST_AUTO_TEST_CASE(larger_tlbs_larger_pages_and_longer_wires_are_beside_their_own_baseline)
{
    const study &s = find_study("micro21");
    const study_results results = all_results(s, {{"l2-8k", {800, 64}},
                                                  {"l2-2m", {500, 64}},
                                                  {"64k/base", {600, 10}},
                                                  {"64k/lds", {400, 10}},
                                                  {"wire-50/lds", {500, 10}},
                                                  {"segments-64", {1250, 10}}});
    const figure three = made(s, "3", results);
    BOOST_TEST(claimed(three, "8 K, gain in %, geometric") == 25.0, near);
    BOOST_TEST(claimed(three, "2 M, gain in %, geometric") == 100.0, near);
    const figure two = made(s, "2", results);
    BOOST_TEST(claimed(two, "2 M, mean of H, M") == 0.1, near);
    BOOST_TEST(value(two.bars, "1 K") == 1.0, near);
    BOOST_TEST(value(made(s, "14c", results).bars, "64k: LDS") == 1.5, near);
    BOOST_TEST(value(made(s, "16b", results).bars, "LDS + 50") == 2.0, near);
    BOOST_TEST(value(made(s, "section-6.3.1", results).bars, "64 bytes") == 0.8, near);
}

/* 100 pages: 30 of them by all of the eight units, 20 more by two to seven. */
BOOST_AUTO_TEST_CASE(pages_are_shared_that_all_units_ask_for_while_none_leaves)
{
    const study &s = find_study("micro21");
    study_results results = all_results(s);
    for (const study_program &p : s.programs) {
        json &stats = results[p.code]["l2-2m"]["statistics"];
        stats["l2_tlb.evictions"] = number(p.code == "PRK" ? 1 : 0);
        stats["l2_tlb.sharers"] = {{"count", 390},
                                   {"buckets",
                                    {{1, 100},
                                     {2, 50},
                                     {3, 40},
                                     {4, 40},
                                     {5, 40},
                                     {6, 40},
                                     {7, 40},
                                     {8, p.code == "ATX" ? 60 : 30}}}};
    }
    const figure f = made(s, "14a", results);
    BOOST_TEST(value(f.bars, "all units", 1) == 0.3, near);
    BOOST_TEST(value(f.beside, "two units or more", 1) == 0.5, near);
    BOOST_TEST(verdict(f, "ATX") == "matched");
    BOOST_TEST(verdict(f, "MVT") == "soft");
    BOOST_TEST(verdict(f, "GEV") == "matched");
    BOOST_TEST(std::isnan(claimed(f, "PRK")), "a page that left and came back would count twice");
}

BOOST_AUTO_TEST_CASE(idle_cycles_are_those_of_all_ports_and_unused_ports_have_none)
{
    const study &s = find_study("micro21");
    study_results results = all_results(s);
    BOOST_TEST(value(made(s, "4", results).bars, "LDS: idle cycles a use") == 9.0,
               near); /* 8000 - 800 over 800 */
    BOOST_TEST(value(made(s, "4", results).beside, "bytes, mean") == 1024.0, near);
    BOOST_TEST(value(made(s, "4", results).beside, "bytes, most") == 2048.0, near);
    const figure five = made(s, "5", results);
    BOOST_TEST(value(five.bars, "I-cache: idle cycles a use") == 9.0, near); /* 2000 - 200 over 200 */
    BOOST_TEST(value(five.beside, "utilisation, whole run") == 25.0, near);  /* 128 of 512 lines */
    BOOST_TEST(claimed(five, "median of the programs") == 9.0, near);
    for (const study_program &p : s.programs)
        if (p.code != "NW")
            results[p.code]["base"]["statistics"]["lds.bank_cycles"] = number(0);
    const figure four = made(s, "4", results);
    BOOST_TEST(std::isnan(four.bars[0].values[0]));
    BOOST_TEST(claimed(four, "programs that use it") == 1.0);
    BOOST_TEST(value(made(s, "15", results).bars, "LDS") == 240.0, near); /* 3 * (100 - 20) */
}

BOOST_AUTO_TEST_CASE(sensitivity_of_reach_is_over_a_baseline_with_the_same_change)
{
    const study &s = find_study("micro21");
    const study_results results = all_results(
        s, {{"dispatcher.policy=compact/base", {800, 320}}, {"dispatcher.policy=compact/lds", {400, 80}}});
    const figure f = made(s, "13b-sensitivity", results);
    BOOST_TEST(value(f.bars, "as shipped: LDS") == 1.0, near);
    BOOST_TEST(value(f.bars, "dispatcher.policy=compact: LDS") == 2.0, near);
    BOOST_TEST(value(f.bars, "dispatcher.policy=compact: baseline") == 1.25, near);
    BOOST_TEST(value(f.bars, "dispatcher.policy=compact: walks, LDS") == 0.25, near);
}

BOOST_AUTO_TEST_CASE(hashed_indexes_have_a_baseline_of_their_own_too)
{
    const study &s = find_study("micro21");
    const study_results results = all_results(s, {{"hashed/base", {800, 320}},
                                                  {"hashed/both", {400, 80}},
                                                  {"hashed, compact/base", {600, 320}},
                                                  {"hashed, compact/icache", {200, 32}}});
    const figure f = made(s, "13b-hashed", results);
    BOOST_TEST(value(f.bars, "hashed: both") == 2.0, near);
    BOOST_TEST(value(f.bars, "hashed, compact: I-cache") == 3.0, near);
    BOOST_TEST(claimed(f, "hashed, compact: I-cache, gain in %, geometric, of ten") == 200.0, near);
    BOOST_TEST(claimed(f, "hashed: both, gain in %, geometric, of H, M") == 100.0, near);
    const figure walks = made(s, "14b-hashed", results);
    BOOST_TEST(value(walks.bars, "hashed: both") == 0.25, near);
    BOOST_TEST(claimed(walks, "hashed, compact: I-cache, mean of H, M") == 0.1, near);
}

BOOST_AUTO_TEST_CASE(compressed_and_plain_have_the_same_frames)
{
    const study &s = find_study("pact20");
    const study_results results =
        all_results(s, {{"random/plain", {900, 100}}, {"random/compressed", {1000, 125}}});
    const figure f = made(s, "performance", results);
    BOOST_TEST(value(f.bars, "contiguous") == 1.0, near);
    BOOST_TEST(value(f.bars, "random") == 0.9, near);
    BOOST_TEST(value(f.beside, "random") == 1.25, near);
    BOOST_TEST(value(made(s, "misses", results).bars, "random") == 1.25, near);
    BOOST_TEST(value(made(s, "misses", results).beside, "random, plain") == 0.25, near);
    const figure ratio = made(s, "ratio", results);
    BOOST_TEST(value(ratio.bars, "random") == 1.5, near);
    BOOST_TEST(value(ratio.beside, "random, a slot in use") == 2.0, near);
    BOOST_TEST(value(ratio.beside, "random, of fills two a slot") == 0.75, near);
    BOOST_TEST(verdict(ratio, "mean, random") == "matched");
}

BOOST_AUTO_TEST_CASE(what_remains_of_a_gain_is_over_the_machine_that_has_the_others)
{
    const study &s = find_study("combinations");
    const study_results results = all_results(s, {{"contiguous/walking", {500, 320}},
                                                  {"contiguous/reach", {250, 160}},
                                                  {"contiguous/walking + reach", {200, 64}},
                                                  {"fragmented/none", {900, 640}},
                                                  {"fragmented/compression", {600, 640}}});
    const figure f = made(s, "remains", results);
    BOOST_TEST(value(f.bars, "walking alone") == 2.0, near);
    BOOST_TEST(value(f.bars, "walking beside reach") == 1.25, near);
    BOOST_TEST(value(f.bars, "reach beside walking") == 2.5, near);
    BOOST_TEST(f.bars.size() == 12u);
    BOOST_TEST(value(made(s, "speedups", results).bars, "walking + reach") == 5.0, near);
    BOOST_TEST(value(made(s, "speedups", results).bars, "compression") == 1.0, near);
    BOOST_TEST(value(made(s, "speedups-fragmented", results).bars, "compression") == 1.5, near);
    const figure product = made(s, "product", results);
    BOOST_TEST(product.bars.size() == 4u);
    BOOST_TEST(value(product.bars, "walking + reach") == 5.0 / 8, near);
    BOOST_TEST(value(made(s, "walks", results).bars, "walking + reach") == 0.1, near);
}

/* Two layouts of frames with eight sets of three mechanisms; on four machines none, each of three or four,
 * all but each, and all. */
BOOST_AUTO_TEST_CASE(machines_are_compared_with_themselves)
{
    const study &s = find_study("combinations");
    BOOST_TEST(s.configurations.size() == 16u + 3 * 10 + 8);
    const study_results results = all_results(s, {{"apu-micro21/none", {3000, 640}},
                                                  {"apu-micro21/walking", {1500, 320}},
                                                  {"apu-micro21/walking+reach+compression+hashed", {500, 64}},
                                                  {"apu-micro21/walking+reach+compression", {600, 80}},
                                                  {"mmu-hpca14-design3/walking+reach+hashed", {100, 64}}});
    const figure f = made(s, "machines", results), remains = made(s, "machines-remains", results);
    BOOST_TEST(f.bars.size() == 3u * 5 + 4);
    BOOST_TEST(value(f.bars, "IOMMU: walking") == 2.0, near);
    BOOST_TEST(value(f.bars, "IOMMU: all") == 6.0, near);
    BOOST_TEST(value(f.bars, "TLBs per core: all") == 10.0, near);
    BOOST_TEST(value(f.bars, "46 SMs: hashed") == 1.0, near);
    BOOST_TEST(remains.bars.size() == 3u * 4 + 3);
    BOOST_TEST(value(remains.bars, "IOMMU: hashed") == 1.2, near);
    BOOST_TEST(value(remains.bars, "TLBs per core: reach") == 10.0, near);
    BOOST_TEST(value(made(s, "machines-walks", results).bars, "IOMMU: all") == 0.1, near);
    const auto changes = [&s](const std::string &key) {
        for (const study_configuration &c : s.configurations)
            if (c.key == key)
                return c.changes;
        return std::vector<std::string>();
    };
    const std::vector<std::string> both = {"lds.banks=32",
                                           "icache.entries=256",
                                           "address_space.frames=contiguous",
                                           "walk_unit.coalesce=off",
                                           "lds_tx.translations=on",
                                           "icache_tx.translations=on",
                                           "address_space.table=hashed"},
                                   off = {"address_space.frames=contiguous",
                                          "walk_unit.coalesce=off",
                                          "lds_tx.translations=off",
                                          "icache_tx.translations=off",
                                          "l2_tlb.store=plain",
                                          "address_space.table=radix"};
    BOOST_TEST((changes("mmu-hpca14-design3/reach+hashed") == both));
    BOOST_TEST((changes("apu-micro21/none") == off), "the machine keeps translations as shipped");
}

BOOST_AUTO_TEST_CASE(a_figure_is_called_what_its_study_calls_it)
{
    for (const study *s : studies())
        for (const figure_def &f : s->figures)
            BOOST_TEST(make_figure(*s, f, {}).id == f.id, s->name);
}

namespace
{

/* How often it stands there. */
size_t count_of(const std::string &text, const std::string &what)
{
    size_t n = 0;
    for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
        ++n;
    return n;
}

std::string picture_of(const study_results &results, const char *id, size_t missing = 0)
{
    const study &s = find_study("combinations");
    report_head head{"demo", {}, 10, missing, {}};
    for (const figure_def &f : s.figures)
        if (f.id == id)
            return report_picture(report_json(s, head, {{make_figure(s, f, results)}}));
    return "";
}

} // namespace

BOOST_AUTO_TEST_CASE(a_picture_has_a_bar_for_each_mean_and_a_mark_for_each_program)
{
    const study &s = find_study("combinations");
    const std::string picture = picture_of(
        all_results(s, {{"contiguous/walking", {500, 320}}, {"contiguous/reach", {4000, 160}}}), "speedups");
    BOOST_TEST(count_of(picture, "class=\"s0\"") == 7u);
    BOOST_TEST(count_of(picture, "class=\"s1\"") == 70u);
    BOOST_TEST(count_of(picture, "walking: mean 2.000") == 1u);
    BOOST_TEST(count_of(picture, "reach: mean 0.250") == 1u);
    BOOST_TEST(count_of(picture, "ATX: 2.000") == 1u);
    BOOST_TEST(picture.find("PARTIAL") == std::string::npos);
    /* 0.25 to 2 on the axis: a gain of two is a third of the width, a loss of four two thirds. */
    BOOST_TEST(count_of(picture, "x=\"670.0\"") > 0u);
    BOOST_TEST(count_of(picture, "width=\"210.0\"") == 1u);
    BOOST_TEST(count_of(picture, "width=\"420.0\"") == 1u);
}

BOOST_AUTO_TEST_CASE(a_picture_of_what_is_missing_says_so)
{
    const std::string picture = picture_of({}, "machines", 9);
    BOOST_TEST(count_of(picture, "PARTIAL: 9 runs missing") >= 1u);
    BOOST_TEST(count_of(picture, "class=\"s0\"") == 0u);
    BOOST_TEST(count_of(picture, ">-</text>") == 19u);
}
