/* SPDX-License-Identifier: MIT */
/* tb/cli/causes_test.cpp - how `walkway compare` explains two made-up results whose difference is known. */
#include "report/causes.hpp"
#include "report/comparison.hpp"
#include "report/explain.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdlib>
#include <map>
#include <sstream>

using namespace walkway;

namespace
{

json number(double value, const char *unit = "count", const char *text = "made up")
{
    return {{"value", value}, {"unit", unit}, {"description", text}};
}

/* A machine whose 8 walkers are always busy: of 1000 translations 500 miss the L1 TLBs, of these 100 the L2
 * TLB, of these 50 the IOMMU's. Each of the 50 is walked, with 2 lines of 200 cycles: 20,000 cycles of
 * walkers, 2,500 cycles of time. */
struct machine {
    std::map<std::string, double> counts = {
        {"coalescer.translations", 1000},
        {"coalescer.answered", 1000},
        {"coalescer.instructions", 100},
        {"l1_tlb.lookups", 1000},
        {"l1_tlb.hits", 500},
        {"l1_tlb.misses", 500},
        {"l2_tlb.lookups", 500},
        {"l2_tlb.hits", 400},
        {"l2_tlb.misses", 100},
        {"iommu_tlb.tlb_misses", 50},
        {"walk_unit.walk_requests", 50},
        {"walk_unit.walks_started", 50},
        {"walk_unit.walks_coalesced", 0},
        {"walk_unit.pte_reads", 100},
        {"walk_unit.pte_cache_hits", 0},
        {"walk_unit.walker_busy_ps", 20000 * 500.0},
    };
    std::map<std::string, double> waves = {{"translation", 10000}, {"data", 1000}};
    std::vector<std::pair<std::string, double>> stalls; /* in order: a part follows its whole */
    double cycles = 2500;
    json configuration = {{"gpu.clock_ps", 500},          {"gpu.cus", 4},
                          {"dram.tck_ps", 1000},          {"walk_unit.walkers", 8},
                          {"l2_tlb.entries", 512},        {"translation.ideal", "off"},
                          {"l1_tlb.shared_by", 1},        {"l2_tlb.shared_by", "all"},
                          {"iommu_tlb.shared_by", "all"}, {"walk_unit.shared_by", "all"}};

    json stats() const
    {
        json statistics = json::object();
        for (const char *group : {"coalescer.", "l1_tlb.", "l2_tlb.", "iommu_tlb.", "walk_unit.", ""})
            for (const auto &[name, value] : counts) /* in the path's order, then all others */
                if (name.compare(0, std::string(group).size(), group) == 0 && !statistics.contains(name))
                    statistics[name] = number(value);
        for (const auto &[name, value] : waves)
            statistics["gpu.wave_stall." + name] = number(value, "cycles");
        for (const auto &[name, value] : stalls)
            statistics[name] =
                number(value, name == "dram.stall_cycles" ? "memory cycles" : "cycles",
                       name.find("merges") == std::string::npos ? "held up" : "of those, for room");
        statistics["account.l1_lookup"] = number(cycles * 10, "cycles");
        statistics["account.buffer"] = number(cycles * 100, "cycles");
        return {{"headline", {{"cycles", number(cycles)}}},
                {"configuration", configuration},
                {"statistics", statistics}};
    }
};

std::vector<std::string> explained(const machine &before, const machine &after)
{
    return explain_difference(before.stats(), "before", after.stats(), "after");
}

std::string all(const std::vector<std::string> &lines)
{
    std::string text;
    for (const std::string &line : lines)
        text += line + "\n";
    return text;
}

size_t place(const std::string &text, const std::string &part)
{
    const size_t at = text.find(part);
    BOOST_TEST_REQUIRE(at != std::string::npos, "no '" << part << "' in:\n" << text);
    return at;
}

double times_of(const std::vector<cause_factor> &factors, const std::string &name)
{
    for (const cause_factor &f : factors)
        if (f.name == name)
            return f.times;
    return NAN;
}

/* Where no translation gets past the L2 TLB. */
machine without_walks()
{
    machine m;
    for (const char *name : {"l2_tlb.misses", "iommu_tlb.tlb_misses", "walk_unit.walks_started",
                             "walk_unit.pte_reads", "walk_unit.walker_busy_ps"})
        m.counts[name] = 0;
    return m;
}

/* The L2 TLB misses 450 of its 500 lookups; three quarters of the 400 walks are coalesced. */
machine thrashing()
{
    machine m;
    m.counts["l2_tlb.hits"] = 50;
    m.counts["l2_tlb.misses"] = 450;
    m.counts["iommu_tlb.tlb_misses"] = 400;
    m.counts["walk_unit.walk_requests"] = 400;
    m.counts["walk_unit.walks_started"] = 100;
    m.counts["walk_unit.walks_coalesced"] = 300;
    m.counts["walk_unit.pte_reads"] = 200;
    m.counts["walk_unit.walker_busy_ps"] = 40000 * 500.0;
    m.cycles = 5000;
    m.waves["translation"] = 25000;
    return m;
}

} // namespace

BOOST_AUTO_TEST_CASE(without_tlbs_in_the_iommu_every_miss_of_the_l2_tlb_wants_a_walk)
{
    machine after;
    after.counts.erase("iommu_tlb.tlb_misses");
    after.counts["walk_unit.walk_requests"] = after.counts["l2_tlb.misses"];
    const std::vector<cause_factor> factors = walk_factors(machine().stats(), after.stats());
    BOOST_TEST(factors[3].name == "misses of the IOMMU TLB per lookup");
    BOOST_TEST(factors[3].before == 0.5);
    BOOST_TEST(factors[3].after == 1.0);
}

BOOST_AUTO_TEST_CASE(the_factors_are_what_they_say_and_their_product_is_the_ratio_of_the_times)
{
    machine after;
    after.counts = {{"coalescer.translations", 1100},
                    {"coalescer.answered", 1100},
                    {"l1_tlb.misses", 440},
                    {"l2_tlb.misses", 220},
                    {"iommu_tlb.tlb_misses", 198},
                    {"walk_unit.walks_started", 99},
                    {"walk_unit.pte_reads", 300},
                    {"walk_unit.pte_cache_hits", 96},
                    {"walk_unit.walker_busy_ps", 99000 * 500.0}};
    after.cycles = 33000;
    const std::vector<cause_factor> factors = walk_factors(machine().stats(), after.stats());
    const std::vector<std::pair<const char *, std::pair<double, double>>> rates = {
        {"translations", {1000, 1100}},
        {"misses of the L1 TLBs per translation", {0.5, 0.4}},
        {"misses of the L2 TLB per lookup", {0.2, 0.5}},
        {"misses of the IOMMU TLB per lookup", {0.5, 0.9}},
        {"walks per request for one", {1, 0.5}},
        {"page-table lines per walk", {2, 4}},
        {"cycles per line", {200, 250}},
        {"walkers busy at a time", {8, 3}},
    };
    BOOST_TEST_REQUIRE(factors.size() == rates.size());
    double product = 1;
    for (size_t i = 0; i < rates.size(); ++i) {
        const auto &[before_rate, after_rate] = rates[i].second;
        BOOST_TEST(factors[i].name == rates[i].first);
        BOOST_TEST(factors[i].before == before_rate, boost::test_tools::tolerance(1e-12));
        BOOST_TEST(factors[i].after == after_rate, boost::test_tools::tolerance(1e-12));
        const bool inverse = i + 1 == rates.size();
        BOOST_TEST(factors[i].times == (inverse ? before_rate / after_rate : after_rate / before_rate),
                   boost::test_tools::tolerance(1e-12));
        product *= factors[i].times;
    }
    BOOST_TEST(product == 33000.0 / 2500.0, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(the_fall_of_a_hit_rate_comes_before_what_stands_against_it_and_both_before_the_time)
{
    const std::string text = all(explained(machine(), thrashing()));
    BOOST_TEST(place(text, "after takes 2.00 times as long as before (speed-up 0.50).") == 0u);
    const size_t first =
        place(text, "x 4.50    misses of the L2 TLB per lookup 0.200 -> 0.900 (hits 80.0 -> 10.0 %, "
                    "l2_tlb.entries 512)");
    const size_t second = place(text, "x 1.78    misses of the IOMMU TLB per lookup 0.500 -> 0.889");
    const size_t against =
        place(text, "x 0.250   walks per request for one 1.00 -> 0.250 (coalesced 0.0 -> 75.0 %)");
    BOOST_TEST(place(text, "as factors of the run's time (all together x 2.00):") < first);
    BOOST_TEST(first < second);
    BOOST_TEST(second < against);
    BOOST_TEST(against < place(text, "Time: a translation takes"));
    BOOST_TEST(text.find("cycles per line") == std::string::npos, "what has not changed is not named");
}

BOOST_AUTO_TEST_CASE(of_a_faster_run_what_made_it_shorter_comes_first)
{
    const std::string text = all(explained(thrashing(), machine()));
    BOOST_TEST(place(text, "after is 2.00 times as fast as before.") == 0u);
    const size_t first = place(text, "x 0.222   misses of the L2 TLB per lookup");
    const size_t second = place(text, "x 0.562   misses of the IOMMU TLB");
    BOOST_TEST(first < second);
    BOOST_TEST(second < place(text, "x 4.00    walks per request for one 0.250 -> 1.00"));
}

BOOST_AUTO_TEST_CASE(a_changed_size_and_walkers_that_limit_no_longer_are_said)
{
    machine after;
    after.configuration["l2_tlb.entries"] = 1024;
    after.counts["l2_tlb.misses"] = 10;
    after.counts["iommu_tlb.tlb_misses"] = after.counts["walk_unit.walks_started"] = 5;
    after.counts["walk_unit.pte_reads"] = 10;
    after.counts["walk_unit.walker_busy_ps"] = 2000 * 500.0;
    after.counts["model.pages"] = 1034;
    after.cycles = 1000;
    after.waves["translation"] = 3000;
    const std::string text = all(explained(machine(), after));
    place(text, "l2_tlb.entries 512 -> 1024, pages 1,034)");
    place(text, "x 4.00    walkers busy at a time 8.00 -> 2.00 (walk_unit.walkers 8, no longer the limit)");
    place(all(explained(after, machine())),
          "x 0.250   walkers busy at a time 2.00 -> 8.00 (walk_unit.walkers 8, now the limit)");
    machine marching; /* 8 walkers with batches of 8 hold 64 walks, so that the walkers limit nothing */
    marching.configuration["walk_unit.march_walks"] = 8;
    place(all(explained(marching, after)),
          "x 4.00    walkers busy at a time 8.00 -> 2.00 (walk_unit.walkers 8)");
}

BOOST_AUTO_TEST_CASE(without_any_walk_the_list_ends_where_nothing_gets_further)
{
    machine ideal = without_walks();
    ideal.configuration["translation.ideal"] = "infinite_tlb";
    ideal.cycles = 500;
    ideal.waves["translation"] = 1000;
    const std::vector<cause_factor> factors = walk_factors(machine().stats(), ideal.stats());
    BOOST_TEST(factors.size() == 3u);
    BOOST_TEST(factors.back().times == 0);
    const std::string text = all(explained(machine(), ideal));
    place(text,
          "Causes, as factors of the run's time:\n  -         misses of the L2 TLB per lookup 0.200 -> 0 (");
    place(text, "translation.ideal off -> infinite_tlb)");
    BOOST_TEST(std::isinf(walk_factors(ideal.stats(), machine().stats()).back().times));
    place(all(explained(ideal, machine())), "time:\n  -         misses of the L2 TLB per lookup 0 -> 0.200");
}

BOOST_AUTO_TEST_CASE(a_list_that_has_ended_has_no_product_and_no_clock)
{
    const machine ideal = without_walks();
    machine faster = ideal;
    faster.counts["l1_tlb.misses"] = 250;
    faster.configuration["gpu.clock_ps"] = 250;
    faster.cycles = 1000;
    faster.waves["translation"] = 3000;
    for (const machine &other : {faster, machine()}) {
        const std::vector<cause_factor> factors = walk_factors(ideal.stats(), other.stats());
        BOOST_TEST(factors.size() == 3u);
        BOOST_TEST(factors.back().name == "misses of the L2 TLB per lookup");
        BOOST_TEST(!std::isfinite(factors.back().times));
    }
    BOOST_TEST(std::isnan(walk_factors(ideal.stats(), faster.stats()).back().times));
    const std::string text = all(explained(ideal, faster));
    place(text, "Causes, as factors of the run's time:\n  x 0.500   misses of the L1 TLBs");
    BOOST_TEST(text.find("misses of the L2 TLB") == std::string::npos, "what is 0 in both is no cause");
}

BOOST_AUTO_TEST_CASE(what_the_waves_did_not_wait_for_is_no_cause)
{
    machine before, after = thrashing();
    for (machine *m : {&before, &after}) {
        m->counts["l1d.reads"] = 1000;
        m->counts["l1d.read_hits"] = 500;
        m->counts["l1d.read_misses"] = 500;
        m->counts["l2d.reads"] = 500;
        m->counts["l2d.read_misses"] = m == &before ? 50 : 400;
        m->counts["l2d.read_hits"] = m == &before ? 450 : 100;
    }
    const auto text_of = [&](double translation, double data, double drain) {
        after.waves = {{"translation", translation}, {"data", data}, {"drain", drain}};
        return all(explained(before, after));
    };
    const std::string walks = "factors of the run's time", data = "factors of main memory's time for data";
    BOOST_TEST(text_of(25000, 1000, 0).find(data) == std::string::npos);
    BOOST_TEST(text_of(10000, 9000, 0).find(walks) == std::string::npos);
    const std::string both = text_of(15000, 9000, 0);
    BOOST_TEST(place(both, data) < place(both, walks));
    place(both, "x 8.00    misses of the L2 data cache per read 0.100 -> 0.800 (hits 90.0 -> 20.0 %)");
    const std::string either = text_of(10000, 1000, 9000);
    place(either, walks);
    place(either, data);
}

BOOST_AUTO_TEST_CASE(memory_s_time_for_data_is_the_product_of_its_factors)
{
    const auto with = [](double reads, double l1, double l2, double latency) {
        machine m;
        m.counts["l1d.reads"] = reads;
        m.counts["l1d.read_misses"] = l1;
        m.counts["l2d.read_misses"] = l2;
        json stats = m.stats();
        stats["statistics"]["dram.read_latency"] = {{"buckets", json::array()}, {"mean", latency}};
        return stats;
    };
    const std::vector<cause_factor> factors = data_factors(with(1000, 500, 50, 20), with(1000, 250, 100, 40));
    BOOST_TEST(times_of(factors, "misses of the L1 data caches per read") == 0.5);
    BOOST_TEST(times_of(factors, "misses of the L2 data cache per read") == 4.0);
    BOOST_TEST(times_of(factors, "cycles of main memory per miss of the L2 data cache") == 2.0);
    BOOST_TEST(factors.back().before == 40.0, "20 memory cycles of 1000 ps are 40 cycles of 500 ps");
}

BOOST_AUTO_TEST_CASE(bounds_are_shares_of_the_units_time_and_the_most_special_one_is_named)
{
    machine before, after;
    before.cycles = after.cycles = 1000;
    before.stalls = {
        {"l1_tlb.stall_mshr_cycles", 100}, {"l2_tlb.stall_below_cycles", 9}, {"dram.stall_cycles", 0}};
    after.stalls = {{"l1_tlb.stall_mshr_cycles", 2000}, {"l1_tlb.stall_merges_cycles", 1950},
                    {"l2_tlb.stall_below_cycles", 0},   {"dram.stall_cycles", 100},
                    {"l1d.stall_cycles", 400},          {"l1d.stall_merges_cycles", 40}};
    const std::vector<bound_met> bounds = bounds_changed(before.stats(), after.stats());
    BOOST_TEST_REQUIRE(bounds.size() == 3u, "less than a hundredth is left out");
    BOOST_TEST(bounds[0].name == "l1_tlb.stall_merges_cycles");
    BOOST_TEST(bounds[0].after == 1950.0 / 4000.0);
    BOOST_TEST(bounds[1].name == "dram.stall_cycles");
    BOOST_TEST(bounds[1].before == 0.0);
    BOOST_TEST(bounds[1].after == 0.2, "100 memory cycles of 500");
    BOOST_TEST(bounds[2].name == "l1d.stall_cycles");
    const std::string text = all(explained(before, after));
    place(text, "Bounds that held requests up, of the run's time:\n            l1_tlb.stall_merges_cycles "
                "0.0 -> 48.8 %");
}

BOOST_AUTO_TEST_CASE(a_bound_that_only_one_machine_has_is_named_in_either_order)
{
    machine with, without;
    with.cycles = without.cycles = 1000;
    with.stalls = {{"l1_tlb.stall_mshr_cycles", 4000},
                   {"l2_tlb.stall_mshr_cycles", 500},
                   {"l2_tlb.stall_merges_cycles", 490}};
    without.stalls = {{"l1_tlb.stall_mshr_cycles", 4000}, {"dram.stall_cycles", 0}};
    const std::vector<bound_met> gone = bounds_changed(with.stats(), without.stats());
    BOOST_TEST_REQUIRE(gone.size() == 1u);
    BOOST_TEST(gone[0].name == "l2_tlb.stall_merges_cycles");
    BOOST_TEST(gone[0].before == 0.49);
    BOOST_TEST(gone[0].after == 0.0);
    const std::vector<bound_met> come = bounds_changed(without.stats(), with.stats());
    BOOST_TEST_REQUIRE(come.size() == 1u);
    BOOST_TEST(come[0].name == gone[0].name);
    BOOST_TEST(come[0].after == 0.49);
}

BOOST_AUTO_TEST_CASE(of_equal_times_what_changed_is_told_without_calling_it_a_cause)
{
    machine after;
    after.counts["walk_unit.walks_started"] = 25;
    after.counts["walk_unit.pte_reads"] = 50;
    after.counts["walk_unit.walker_busy_ps"] = 10000 * 500.0;
    const std::string text = all(explained(machine(), after));
    BOOST_TEST(place(text, "after takes as long as before (speed-up 1.000).") == 0u);
    place(text, "What changed all the same, as factors of the run's time (all together x 1.00):");
    place(text, "x 0.500   walks per request for one");
    BOOST_TEST(text.find("Causes") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_machine_without_such_statistics_is_still_compared)
{
    json before = machine().stats(), after = thrashing().stats();
    for (json *stats : {&before, &after})
        (*stats)["statistics"] = json::object();
    const std::vector<std::string> lines = explain_difference(before, "before", after, "after");
    BOOST_TEST(lines.size() == 1u);
}

BOOST_AUTO_TEST_CASE(lines_fit_a_hundred_columns_and_go_on_below_their_text)
{
    setenv("COLUMNS", "100", 1);
    std::ostringstream out;
    std::string words;
    for (int i = 0; i < 60; ++i)
        words += " word" + std::to_string(i);
    print_explanation(out,
                      {"Long:" + words, "  x 1.00   " + words, "            " + words.substr(1), "short"});
    std::istringstream in(out.str());
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    BOOST_TEST_REQUIRE(lines.size() == 16u, out.str());
    for (const std::string &line : lines)
        BOOST_TEST(line.size() <= 100u, line);
    for (size_t i = 6; i < 15; ++i)
        BOOST_TEST(lines[i].find("word") == 12u, lines[i]);
    BOOST_TEST(lines[15] == "short");
}

namespace
{

/* No L2 TLB and no IOMMU: 16 units with a walker each, at half the clock. Of 2000 translations 100 miss the
 * L1 TLBs; each is walked with 4 lines of 300 cycles: 120,000 cycles of walkers, 6 of them busy at a time. */
machine of_walk_units()
{
    machine m;
    m.counts = {{"coalescer.translations", 2000},
                {"coalescer.answered", 2000},
                {"coalescer.instructions", 100},
                {"l1_tlb.lookups", 2000},
                {"l1_tlb.hits", 1900},
                {"l1_tlb.misses", 100},
                {"walk_unit.walks_started", 100},
                {"walk_unit.walks_coalesced", 0},
                {"walk_unit.pte_reads", 400},
                {"walk_unit.pte_cache_hits", 0},
                {"walk_unit.walker_busy_ps", 120000 * 1000.0}};
    m.cycles = 20000;
    m.configuration = {{"gpu.clock_ps", 1000},     {"gpu.cus", 16},
                       {"dram.tck_ps", 1000},      {"walk_unit.walkers", 1},
                       {"walk_unit.shared_by", 1}, {"translation.ideal", "off"}};
    return m;
}

double product_of(const std::vector<cause_factor> &factors)
{
    double product = 1;
    for (const cause_factor &f : factors)
        product *= f.times;
    return product;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_stage_that_a_machine_does_not_have_is_passed_over_and_clocks_count)
{
    const auto tolerance = boost::test_tools::tolerance(1e-12);
    const std::vector<cause_factor> there = walk_factors(machine().stats(), of_walk_units().stats());
    BOOST_TEST(times_of(there, "misses of the L2 TLB per lookup") == 1 / 0.2, tolerance);
    BOOST_TEST(times_of(there, "misses of the IOMMU TLB per lookup") == 1 / 0.5, tolerance);
    BOOST_TEST(times_of(there, "page-table lines per walk") == 2.0, tolerance);
    BOOST_TEST(times_of(there, "clock period, ps") == 2.0, tolerance);
    BOOST_TEST(product_of(there) == 20000 * 1000.0 / (2500 * 500.0), tolerance); /* the ratio of times */
    BOOST_TEST(speedup_of(machine().stats(), of_walk_units().stats()) == 1 / 16.0, tolerance);
    const std::vector<cause_factor> back = walk_factors(of_walk_units().stats(), machine().stats());
    BOOST_TEST(product_of(back) == 1 / 16.0, tolerance);
    const std::string text = all(explained(machine(), of_walk_units()));
    place(text, "after takes 16.00 times as long as before");
    place(text, "misses of the L2 TLB per lookup 0.200 -> 1.00 (the other machine has none of these)");
    place(text, "(walkers in all 8 -> 16, no longer the limit)");
}

BOOST_AUTO_TEST_CASE(a_stage_that_both_machines_do_not_have_is_no_factor)
{
    machine faster = of_walk_units();
    faster.counts["walk_unit.pte_reads"] = 200;
    faster.counts["walk_unit.walker_busy_ps"] = 60000 * 1000.0;
    faster.cycles = 10000;
    const std::vector<cause_factor> factors = walk_factors(of_walk_units().stats(), faster.stats());
    BOOST_TEST(factors.size() == 6u);
    BOOST_TEST(std::isnan(times_of(factors, "misses of the L2 TLB per lookup")));
    BOOST_TEST(std::isnan(times_of(factors, "clock period, ps")));
    BOOST_TEST(times_of(factors, "page-table lines per walk") == 0.5);
    BOOST_TEST(product_of(factors) == 0.5);
}
