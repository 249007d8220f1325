/* SPDX-License-Identifier: MIT */
/* Whole machines on each kind of page table: a pairwise covering array of tables and what works on them; in
 * every row the laws hold and each translation is that of a radix table with the same pages. */
#include "tb/platform/audited.hpp"
#include "tb/platform/covering.hpp"
#include "tb/platform/lawful.hpp"
#include "tb/platform/parameter_rows.hpp"
#include "tb/support/test_share.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace platform_hashed_table
{

const std::vector<factor> &factors()
{
    static const std::string t = "address_space.table=";
    static const std::vector<factor> all = {
        {"table",
         {"", "address_space.levels=5", t + "amd_v1", t + "hashed", t + "hashed_stepless",
          t + "hashed address_space.slots_percent=100 walk_unit.step_cache=1 address_space.step_entries=1",
          t + "hashed_stepless address_space.slots_percent=100 address_space.slot_stride=3", t + "nested",
          t + "nested address_space.paging=host walk_unit.pwc_l2=1",
          t + "nvidia_v2 walk_unit.read_ahead=true", t + "nvidia_v3 address_space.page_tables=both",
          t + "nvidia_v2 address_space.page_tables=both walk_unit.read_ahead=true"}},
        {"page", {"", "address_space.page=64k", "address_space.page=2m", "address_space.page=mixed"}},
        {"map", {"", "address_space.map=first_touch pager.mean_cycles=200", "address_space.map=half"}},
        {"coalesce", {"", "walk_unit.coalesce=leaf", "walk_unit.coalesce=full"}},
        {"schedule", {"", "walk_unit.schedule=sjf", "walk_unit.schedule=batch", "walk_unit.schedule=rr_cu"}},
        {"walkers", {"", "walk_unit.walkers=1 walk_unit.buffer_entries=4 walk_unit.backlog_entries=0"}},
        {"lines",
         {"", "walk_unit.pte_cache_bytes=1024 walk_unit.pte_cache_merge=true",
          "walk_unit.pte_cache_bytes=1024 walk_unit.pte_cache_holds=inner"}},
        {"victims",
         {"", "victim.entries=16 l1_tlb.entries=4 l1_tlb.ways=4",
          "lds.banks=8 lds_tx.translations=on l1_tlb.entries=4 l1_tlb.ways=4",
          "icache.entries=64 icache_tx.translations=on l1_tlb.entries=4 l1_tlb.ways=4",
          "memory_tlb.entries=4096", "l2_tlb.store=compressed l2_tlb.entries=128 l2_tlb.ways=16"}},
        {"ideal",
         {"", "translation.ideal=unlimited_walkers", "translation.ideal=zero_walk",
          "translation.ideal=infinite_tlb"}},
        {"path", {"", "walk_unit.walk_path=l2d"}},
        {"spaces", {"", "address_space.spaces=2 dispatcher.space=group"}},
    };
    return all;
}

std::map<std::string, std::string> audited(const std::string &settings)
{
    return test::audited<apu_machine>(settings, rows_and_far());
}

BOOST_AUTO_TEST_SUITE(hashed_tables)

BOOST_AUTO_TEST_CASE(every_pair_of_values_runs_to_the_same_translations)
{
    const covering array = covering_array::of(factors(), legal_settings<apu_machine>);
    BOOST_TEST(array.impossible == 0u);
    BOOST_TEST(array.rows.size() >= 54u); /* nine tables, six kinds of victims */
    test_share some(4);
    for (const std::string &settings : array.rows) {
        if (!some.takes())
            continue;
        BOOST_TEST_INFO_SCOPE(settings);
        audited(settings);
    }
}

/* Every machine, with settings that all have. */
BOOST_DATA_TEST_CASE(
    every_machine_runs_on_a_hashed_table,
    data::make(every_machine({"address_space.table=hashed",
                              "address_space.table=hashed_stepless address_space.page=mixed",
                              "address_space.table=hashed address_space.map=first_touch",
                              "address_space.table=hashed address_space.slots_percent=100"})),
    of)
{
    static test_share some(1);
    if (!some.takes())
        return;
    runs_lawfully(of, rows_and_far());
}

uint64_t number(const std::map<std::string, std::string> &stats, const std::string &name)
{
    return std::stoull(stats.at(name));
}

/* Cold, a radix walk reads four lines; a hashed one reads two, or one once its group's steps are known. */
BOOST_AUTO_TEST_CASE(walks_read_one_line_with_the_steps_and_two_without)
{
    const std::string off = " walk_unit.pwc_l2=0 walk_unit.pwc_l3=0 walk_unit.pwc_l4=0";
    const auto radix = audited(off);
    const auto hashed = audited("address_space.table=hashed");
    const auto cold = audited("address_space.table=hashed walk_unit.step_cache=0");
    const auto stepless = audited("address_space.table=hashed_stepless address_space.slots_percent=5000");
    BOOST_TEST(number(radix, "walk_unit.pte_reads") == 4 * number(radix, "walk_unit.walks_started"));
    BOOST_TEST(number(cold, "walk_unit.pte_reads") == 2 * number(cold, "walk_unit.walks_started"));
    BOOST_TEST(number(hashed, "walk_unit.pte_reads") ==
               2 * number(hashed, "walk_unit.walks_started") - number(hashed, "walk_unit.pwc_hits_steps"));
    BOOST_TEST(number(hashed, "walk_unit.pwc_hits_steps") >
               number(hashed, "walk_unit.walks_started") * 9 / 10);
    BOOST_TEST(number(hashed, "walk_unit.pte_reads_hpt") == number(hashed, "walk_unit.walks_started"));
    BOOST_TEST(number(stepless, "walk_unit.pte_reads") == number(stepless, "walk_unit.walks_started"));
    BOOST_TEST(number(stepless, "walk_unit.pte_reads_home") == number(stepless, "walk_unit.walks_started"));
    const auto walk_caches = [](const auto &stats) {
        std::string names;
        for (const auto &s : stats)
            if (s.first.rfind("walk_unit.pwc_hits_", 0) == 0)
                names += s.first.substr(s.first.rfind('_') + 1) + " ";
        return names;
    };
    BOOST_TEST(walk_caches(radix) == "l2 l3 l4 l5 ");
    BOOST_TEST(walk_caches(hashed) == "steps ");
    BOOST_TEST(walk_caches(stepless) == "");
}

/* With no more than a slot per region, some find all of their eight taken: their walks end in the victim
 * buffer, unless another region moves. */
BOOST_DATA_TEST_CASE(a_region_whose_slots_are_taken_has_another_one_move_on,
                     data::make({"all", "half", "first_touch"}), map)
{
    const auto run = [&map](const char *moves) {
        return test::audited<apu_machine>(
            std::string("address_space.table=hashed address_space.slots_percent=120 address_space.map=") +
                map + " address_space.slot_moves=" + moves,
            stimulus_trace(stimulus::wide), 100);
    };
    /* Its last level: absent pages are searched everywhere. */
    BOOST_TEST(number(run("false"), "walk_unit.pte_reads_v1") > 0u);
    BOOST_TEST(number(run("true"), "walk_unit.pte_reads_v1") == 0u);
}

/* The lines of a slot are neighbourhoods like those of a radix table's leaves. */
BOOST_AUTO_TEST_CASE(coalescing_serves_requests_on_a_hashed_table)
{
    for (const std::string table : {"hashed", "hashed_stepless"}) {
        const auto leaf = audited("address_space.table=" + table + " walk_unit.coalesce=leaf");
        BOOST_TEST(number(leaf, "walk_unit.walks_coalesced") > 0u);
    }
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace platform_hashed_table
