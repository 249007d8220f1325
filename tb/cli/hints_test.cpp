/* SPDX-License-Identifier: MIT */
/* tb/cli/hints_test.cpp - hints that warn against conclusions from a result: each on both sides of its
 * threshold, and cases without hints. */
#include "report/hints.hpp"
#include "report/working_set.hpp"

#include <boost/test/unit_test.hpp>

using namespace walkway;

namespace
{

json number(double value, const char *unit = "count")
{
    return {{"value", value}, {"unit", unit}, {"description", "made up"}};
}

/* A result whose waves wait for translations in `waits` of 100 cycles per memory instruction. */
json result(double pages, double waits)
{
    json stats = {{"partial", false},
                  {"configuration",
                   {{"gpu.cus", 8},
                    {"l1_tlb.shared_by", 1},
                    {"l1_tlb.entries", 32},
                    {"l2_tlb.shared_by", "all"},
                    {"l2_tlb.entries", 512},
                    {"iommu_tlb.shared_by", "all"},
                    {"translation.ideal", "off"}}}};
    stats["statistics"] = {{"model.pages", number(pages)},
                           {"l1_tlb.lookups", number(0)},
                           {"l2_tlb.lookups", number(0)},
                           {"coalescer.instructions", number(10)},
                           {"gpu.wave_stall.translation", number(waits * 10, "cycles")},
                           {"gpu.wave_stall.data", number((100 - waits) * 10, "cycles")}};
    return stats;
}

std::string text_of(const json &stats)
{
    std::string all;
    for (const std::string &hint : hints_of(stats))
        all += hint + "\n";
    return all;
}

bool says(const json &stats, const std::string &what)
{
    return text_of(stats).find(what) != std::string::npos;
}

} // namespace

BOOST_AUTO_TEST_SUITE(hints)

BOOST_AUTO_TEST_CASE(a_footprint_that_fits_the_last_tlb)
{
    BOOST_TEST(says(result(512, 50), "512 pages fit the L2 TLB (512 entries)"));
    BOOST_TEST(text_of(result(513, 50)) == "");
    BOOST_TEST(says(result(1, 50), "1 page fits"));
    json without = result(32, 50);
    without["statistics"].erase("l2_tlb.lookups");
    BOOST_TEST(says(without, "32 pages fit each L1 TLB (32 entries)"));
    without["statistics"]["model.pages"] = number(33);
    BOOST_TEST(text_of(without) == "");
}

/* A hint may call small only what is small in the run's own account. */
BOOST_AUTO_TEST_CASE(no_hint_reassures_against_the_account)
{
    const std::string small = "hardly matters", account = "still waves wait for translations";
    for (const double waits : {0.5, 5.0, 9.9, 10.0, 10.1, 11.0, 43.5, 100.0}) {
        const json stats = result(67, waits);
        BOOST_TEST(says(stats, small) == (waits <= 10.0), waits << ": " << text_of(stats));
        BOOST_TEST(says(stats, account) == (waits > 10.0), waits << ": " << text_of(stats));
        BOOST_TEST(says(stats, "gains more than that") == (waits < 1), waits << ": " << text_of(stats));
    }
    json stats = result(67, 43.5);
    stats["statistics"]["coalescer.answered"] = number(10);
    stats["statistics"]["account.l1_lookup"] = number(1080, "cycles");
    stats["statistics"]["account.l2_lookup"] = number(1880, "cycles");
    stats["statistics"]["account.walk_l1"] = number(40, "cycles");
    BOOST_TEST(says(stats, "43.5 % of their time, most of it l2_lookup (188.0 of the 300.0 cycles of a "
                           "translation), then l1_lookup (108.0)"));
    json unknown = result(67, 0); /* without an account there is no hint */
    for (const char *cause : {"translation", "data"})
        unknown["statistics"].erase(std::string("gpu.wave_stall.") + cause);
    BOOST_TEST(text_of(unknown) == "");
}

BOOST_AUTO_TEST_CASE(compute_units_without_work)
{
    json stats = result(9999, 50);
    for (const auto &[key, value] :
         {std::pair("gpu.cus", 8), std::pair("cu.simds", 4), std::pair("cu.waves_per_simd", 10)})
        stats["configuration"][key] = value;
    BOOST_TEST(text_of_occupancy(stats) == "");
    stats["statistics"]["gpu.groups"] = number(2);
    stats["statistics"]["gpu.launches"] = number(2);
    stats["statistics"]["gpu.cycles"] = number(1000, "cycles");
    stats["statistics"]["gpu.wave_stall.wave_cycles"] = number(16000, "cycles");
    BOOST_TEST(text_of_occupancy(stats) == "occupancy: 16.0 waves at a time of 320 places (5.0 %), 1.0 "
                                           "work-groups of a kernel for 8 compute units");
    BOOST_TEST(says(stats, "of 8 compute units no more than 1 has work at a time"));
    stats["statistics"]["gpu.groups"] = number(14);
    BOOST_TEST(says(stats, "no more than 7 have work"));
    stats["statistics"]["gpu.groups"] = number(15); /* 7.5 on average: one of two kernels may have 8 */
    BOOST_TEST(!says(stats, "have work at a time"));
    stats["beside"] = json::array();
    BOOST_TEST(text_of_occupancy(stats) == "");
}

BOOST_AUTO_TEST_CASE(waves_that_hardly_wait_for_translations)
{
    BOOST_TEST(says(result(9999, 0.9), "waves wait for translations 0.9 %"));
    BOOST_TEST(text_of(result(9999, 1.1)) == "");
}

BOOST_AUTO_TEST_CASE(of_a_part_or_an_ideal_machine_there_is_none)
{
    for (const json &change : {json{{"partial", true}}, json{{"window", json::object()}}}) {
        json part = result(5, 0);
        part.update(change);
        BOOST_TEST(text_of(part) == "");
    }
    json ideal = result(5, 0);
    ideal["configuration"]["translation.ideal"] = "zero_walk";
    BOOST_TEST(text_of(ideal) == "");
    BOOST_TEST(hints_of(result(5, 0)).size() == 2u);
}

namespace
{

json with_lag(double mean, double waves, double memory)
{
    json stats = result(9999, 50);
    json &s = stats["statistics"];
    s["gpu.wave_lag"] = {{"count", memory},
                         {"mean", mean},
                         {"buckets", json::array()},
                         {"unit", "instructions"},
                         {"description", "made up"}};
    s["gpu.waves"] = number(waves);
    s["gpu.memory"] = number(memory);
    return stats;
}

json with_channels(const std::vector<double> &reads)
{
    json stats = result(9999, 50);
    for (size_t c = 0; c < reads.size(); ++c)
        stats["statistics"]["dram.walk_reads_of.channel" + std::to_string(c)] = number(reads[c]);
    return stats;
}

/* A result with 100,000 lookups of the L2 TLB, some of them merged. */
json with_l2(double entries, double pages, double hits, double merged = 0)
{
    json stats = result(pages, 50);
    stats["configuration"]["l2_tlb.entries"] = entries;
    json &s = stats["statistics"];
    s["l2_tlb.hits"] = number(hits);
    s["l2_tlb.merged"] = number(merged);
    s["l2_tlb.misses"] = number(100000 - hits - merged);
    return stats;
}

} // namespace

BOOST_AUTO_TEST_CASE(waves_in_lock_step)
{
    BOOST_TEST(
        says(with_lag(0.99, 2, 32),
             "waves run in lock-step: at a memory instruction the furthest wave of the kernel is 0.99"));
    BOOST_TEST(text_of(with_lag(1, 2, 32)) == "");
    BOOST_TEST(text_of(with_lag(0, 1, 32)) == ""); /* one wave is in step with itself */
    BOOST_TEST(text_of(with_lag(0, 2, 31)) == ""); /* 15.5 memory instructions per wave */
}

BOOST_AUTO_TEST_CASE(a_channel_that_has_the_page_tables)
{
    BOOST_TEST(says(with_channels({20, 80}),
                    "one channel of 2 takes 80.0 % of the page-table reads (dram.walk_reads_of.channel1)"));
    BOOST_TEST(text_of(with_channels({21, 80})) == "");
    BOOST_TEST(text_of(with_channels({19, 80})) == ""); /* 99 reads are too few */
    BOOST_TEST(text_of(with_channels({1000})) == "");   /* there is only one channel */
    BOOST_TEST(says(with_channels({0, 0, 900, 100}), "one channel of 4 takes 90.0 %"));
}

BOOST_AUTO_TEST_CASE(a_cycle_that_is_longer_than_the_tlb)
{
    /* uniform use of 1,024 pages would hit 512 entries in half of the lookups */
    BOOST_TEST(says(with_l2(512, 1024, 24999),
                    "the L2 TLB (512 entries) hits 25.0 % of its lookups, and uniform use of the program's "
                    "1,024 pages would hit 50.0 %: they come round in a cycle"));
    BOOST_TEST(text_of(with_l2(512, 1024, 25000)) == "");
    BOOST_TEST(says(with_l2(512, 50000, 0), "come round in a cycle"));
    BOOST_TEST(text_of(with_l2(512, 50001, 0)) == ""); /* fewer than two lookups per page */
    json l1 = with_l2(0, 1024, 0);
    for (const char *name : {"hits", "merged", "misses", "lookups"}) {
        l1["statistics"][std::string("l1_tlb.") + name] = l1["statistics"][std::string("l2_tlb.") + name];
        l1["statistics"].erase(std::string("l2_tlb.") + name);
    }
    l1["configuration"]["gpu.cus"] = 48; /* each unit uses all pages: two lookups per page are 98,304 */
    BOOST_TEST(says(l1, "each L1 TLB (32 entries) hits 0.0 % of its lookups"));
    l1["configuration"]["gpu.cus"] = 49;
    BOOST_TEST(text_of(l1) == "");
}

BOOST_AUTO_TEST_CASE(what_fits_one_of_two_sizes)
{
    const std::string all = text_of_what_fits(with_l2(512, 1027, 49000), with_l2(1024, 1027, 99600));
    BOOST_TEST(all == "between 512 and 1,024 entries of the L2 TLB the working set of 1,027 pages of a "
                      "cyclic pattern fits (misses "
                      "51.0 -> 0.4 % of lookups)");
    BOOST_TEST(text_of_what_fits(with_l2(1024, 1027, 99600), with_l2(512, 1027, 49000)) == all);
    const auto has = [](const json &one, const json &other, const std::string &text) {
        return text_of_what_fits(one, other).find(text) != std::string::npos;
    };
    /* cyclic: the larger TLB removes more misses than uniform use of 1,024 pages would have, half of the
     * lookups */
    BOOST_TEST(has(with_l2(512, 1024, 48999), with_l2(1024, 1024, 99000), "of a cyclic pattern"));
    BOOST_TEST(has(with_l2(512, 1024, 49001), with_l2(1024, 1024, 99000), "1,024 pages fits"));
    /* a tenth of the misses may remain; merged lookups are not misses */
    BOOST_TEST(has(with_l2(512, 1024, 50000), with_l2(1024, 1024, 95000), "fits"));
    BOOST_TEST(text_of_what_fits(with_l2(512, 1024, 50000), with_l2(1024, 1024, 94999)) == "");
    BOOST_TEST(has(with_l2(512, 1024, 50000), with_l2(1024, 1024, 90000, 5000), "misses 50.0 -> 5.0 %"));
    /* over 5 % more pages than entries: the program uses only part of its pages at a time */
    BOOST_TEST(has(with_l2(512, 1075, 0), with_l2(1024, 1075, 99000), "the working set of 1,075 pages"));
    BOOST_TEST(has(with_l2(512, 1076, 0), with_l2(1024, 1076, 99000),
                   "the working set (of 1,076 pages those used at a time)"));
    /* what fits the smaller TLB, too, has other reasons */
    BOOST_TEST(text_of_what_fits(with_l2(512, 512, 50000), with_l2(1024, 512, 99000)) == "");
}

BOOST_AUTO_TEST_CASE(what_fits_is_said_of_machines_that_differ_by_that_tlb_only)
{
    const json small = with_l2(512, 1027, 49000);
    json large = with_l2(1024, 1027, 99600);
    large["configuration"]["l2_tlb.hit_cycles"] = 14;
    json slower = small;
    slower["configuration"]["l2_tlb.hit_cycles"] = 10;
    BOOST_TEST(text_of_what_fits(slower, large) != "");
    BOOST_TEST(text_of_what_fits(small, large) == ""); /* other parameters differ, too */
    for (json *one : {&slower, &large})
        (*one)["configuration"]["walk_unit.coalesce"] = one == &large ? "full" : "off";
    BOOST_TEST(text_of_what_fits(slower, large) == "");
    slower["configuration"]["walk_unit.coalesce"] = "full";
    BOOST_TEST(text_of_what_fits(slower, large) != "");
    slower["configuration"]["l1_tlb.entries"] = 64; /* two TLBs differ */
    BOOST_TEST(text_of_what_fits(slower, large) == "");
    slower["configuration"]["l1_tlb.entries"] = 32;
    slower["statistics"].erase("l2_tlb.hits"); /* not recorded */
    BOOST_TEST(text_of_what_fits(slower, large) == "");
}

/* The last TLB is found by kind and position: here it is a third level, with any name. */
BOOST_AUTO_TEST_CASE(what_fits_the_last_tlb_of_three)
{
    json small = result(1027, 50), large = small;
    for (json *one : {&small, &large}) {
        const bool is_small = one == &small;
        (*one)["configuration"]["far_tlb.shared_by"] = 4;
        (*one)["configuration"]["far_tlb.entries"] = is_small ? 512 : 2048;
        (*one)["statistics"]["far_tlb.hits"] = number(is_small ? 100 : 9990);
        (*one)["statistics"]["far_tlb.misses"] = number(is_small ? 9900 : 10);
        (*one)["statistics"]["far_tlb.merged"] = number(0);
    }
    BOOST_TEST(text_of_what_fits(small, large) ==
               "between 512 and 2,048 entries of each FAR TLB the working set of 1,027 pages of a cyclic "
               "pattern fits (misses 99.0 -> 0.1 % of lookups)");
    BOOST_TEST(says(small, "each FAR TLB (512 entries) hits 1.0 % of its lookups"));
    BOOST_TEST(says(large, "1,027 pages fit each FAR TLB (2,048 entries)"));
}

BOOST_AUTO_TEST_CASE(what_fits_the_iommu_s_second_tlb)
{
    json small = result(1027, 50), large = small;
    for (json *one : {&small, &large}) {
        const bool is_small = one == &small;
        (*one)["configuration"]["iommu_tlb.tlb2_entries"] = is_small ? 256 : 2048;
        (*one)["statistics"]["iommu_tlb.tlb2_hits"] = number(is_small ? 100 : 990);
        (*one)["statistics"]["iommu_tlb.tlb_misses"] = number(is_small ? 900 : 10);
    }
    BOOST_TEST(text_of_what_fits(small, large) ==
               "between 256 and 2,048 entries of the second IOMMU TLB the working set of 1,027 pages of "
               "a cyclic pattern fits (misses 90.0 -> 1.0 % of lookups)");
}

BOOST_AUTO_TEST_SUITE_END()
