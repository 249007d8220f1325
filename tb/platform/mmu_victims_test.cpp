/* SPDX-License-Identifier: MIT */
/* Structures that keep the victims of L1 TLBs, and compressed entries, on machines whose MMUs are private or
 * shared: a pairwise covering array of designs, structures, tables and walks; in every row the laws hold and
 * each translation is that of a radix table with the same pages. */
#include "platforms/gpu.hpp"
#include "tb/platform/audited.hpp"
#include "tb/platform/covering.hpp"
#include "tb/support/test_share.hpp"

#include <boost/test/data/test_case.hpp>

#include <set>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace platform_mmu_victims
{

const trace &program()
{
    static const trace t(rows_and_scattered(1, 8, 1 << 20));
    return t;
}

const std::string few = "l1_tlb.entries=4 l1_tlb.ways=4 ";
const std::string in_lds = few + "lds.banks=8 lds_tx.translations=on ";
const std::string in_icache = few + "icache.entries=64 icache_tx.translations=on icache.shared_by=2 ";
const std::string in_victim = few + "victim.entries=16 victim.shared_by=2 ";

const std::vector<factor> &factors()
{
    static const std::string t = "address_space.table=";
    static const std::vector<factor> all = {
        {"design",
         {"gpu.cus=4 walk_unit.shared_by=2", "gpu.cus=3 walk_unit.shared_by=4 walk_unit.walkers=8",
          "gpu.cus=4 walk_unit.shared_by=4 walk_unit.walkers=8 l2_tlb.entries=64",
          "gpu.cus=4 walk_unit.shared_by=4 l2_tlb.entries=64 l2_tlb.store=compressed",
          "gpu.cus=4 walk_unit.shared_by=4 l2_tlb.entries=64 l2_tlb.fills=4 victim.victims=pass"}},
        {"victims",
         {"", in_victim, in_lds, in_icache, in_lds + in_icache, in_lds + in_victim, in_icache + in_victim,
          in_lds + in_icache + in_victim}},
        {"prefetch", {"", "prefetch.entries=8"}},
        {"table",
         {"", "address_space.levels=5", t + "amd_v1", t + "hashed", t + "hashed_stepless", t + "nested"}},
        {"page", {"", "address_space.page=64k", "address_space.page=mixed"}},
        {"map", {"", "address_space.map=first_touch pager.mean_cycles=200"}},
        {"walks", {"", "walk_unit.coalesce=full", "walk_unit.schedule=sjf walk_unit.pte_cache_bytes=1024"}},
        {"ideal",
         {"", "translation.ideal=unlimited_walkers", "translation.ideal=zero_walk",
          "translation.ideal=infinite_tlb"}},
        {"spaces", {"", "address_space.spaces=2 dispatcher.space=group"}},
    };
    return all;
}

std::map<std::string, std::string> run(const std::string &settings)
{
    return audited<mmu_machine>(settings, program());
}

uint64_t number(const std::map<std::string, std::string> &stats, const std::string &name)
{
    return std::stoull(stats.at(name));
}

std::string refused(const std::string &settings)
{
    return params_of<mmu_machine>(settings).validate();
}

} // namespace platform_mmu_victims

using namespace platform_mmu_victims;

BOOST_AUTO_TEST_SUITE(mmu_victims)

BOOST_AUTO_TEST_CASE(every_pair_of_values_runs_to_the_same_translations)
{
    const covering array = covering_array::of(factors(), legal_settings<mmu_machine>);
    BOOST_TEST(array.impossible == 0u);
    BOOST_TEST(array.rows.size() >= 48u); /* eight kinds of victims, six tables */
    test_share some(3);
    for (const std::string &settings : array.rows) {
        if (!some.takes())
            continue;
        BOOST_TEST_INFO_SCOPE(settings);
        run(settings);
    }
}

/* A level's misses are the next level's requests: a law for each adjacent two, for every kind of victim
 * store. */
BOOST_AUTO_TEST_CASE(laws_connect_each_level_with_the_next)
{
    const std::pair<std::string, std::vector<std::string>> machines[] = {
        {few, {"l1_tlb", "walk_unit walk_requests"}},
        {few + "prefetch.entries=8 ", {"l1_tlb", "prefetch lookups", "walk_unit walk_requests"}},
        {in_lds + in_icache + in_victim + "prefetch.entries=8 ",
         {"l1_tlb", "prefetch lookups", "lds_tx lookups", "icache_tx lookups", "victim lookups",
          "walk_unit walk_requests"}},
        {in_victim + "walk_unit.shared_by=4 l2_tlb.entries=64 ",
         {"l1_tlb", "victim lookups", "l2_tlb lookups", "walk_unit walk_requests"}},
    };
    for (const auto &[settings, levels] : machines) {
        const outcome o =
            run_machine({"mmu-hpca14", "gpu.cus=4 walk_unit.shared_by=2 " + settings}, program());
        std::set<std::string> names;
        for (const law &l : o.laws)
            names.insert(l.name);
        for (size_t i = 1; i < levels.size(); ++i) {
            const std::string above = levels[i - 1].substr(0, levels[i - 1].find(' '));
            BOOST_TEST(names.count(above + ": misses = " + levels[i]) == 1u, settings << ": " << above);
        }
    }
}

/* Each keeps the victims of the L1 TLBs, and each of its hits saves a walk. */
BOOST_DATA_TEST_CASE(a_hit_spares_a_walk,
                     data::make({"lds_tx", "icache_tx", "victim"}) ^
                         data::make({in_lds, in_icache, in_victim}),
                     group, settings)
{
    const std::string machine = "gpu.cus=4 walk_unit.shared_by=4 walk_unit.walkers=8 ";
    const auto without = run(machine + few), with = run(machine + settings);
    const uint64_t hits = number(with, std::string(group) + ".hits");
    BOOST_TEST(hits > 100u);
    BOOST_TEST(number(with, "walk_unit.walk_requests") < number(without, "walk_unit.walk_requests"));
    BOOST_TEST(number(with, "walk_unit.walk_requests") == number(with, std::string(group) + ".misses"));
}

BOOST_AUTO_TEST_CASE(a_compressed_l2_tlb_holds_two_entries_in_a_place)
{
    const auto stats =
        run("gpu.cus=4 walk_unit.shared_by=4 l2_tlb.entries=64 l2_tlb.store=compressed " + few);
    BOOST_TEST(number(stats, "l2_tlb.kept_compressed") > 0u);
}

/* A stage that several compute units share sends to one walk unit. */
BOOST_AUTO_TEST_CASE(who_shares_what_has_to_fit)
{
    BOOST_TEST(refused("walk_unit.shared_by=2 " + in_victim) == "");
    BOOST_TEST(
        refused("walk_unit.shared_by=3 " + in_victim) ==
        "walk_unit.shared_by = 3: compute units 2 and 3 share an instance above, and not here ('victim')");
    BOOST_TEST(
        refused("walk_unit.shared_by=3 " + in_icache) ==
        "walk_unit.shared_by = 3: compute units 2 and 3 share an instance above, and not here ('icache_tx')");
    BOOST_TEST(refused("walk_unit.shared_by=16 victim.entries=16 victim.shared_by=3") == "");
    BOOST_TEST(
        refused("walk_unit.shared_by=16 " + in_icache + "victim.entries=16 victim.shared_by=3") ==
        "victim.shared_by = 3: compute units 2 and 3 share an instance above, and not here ('icache_tx')");
    BOOST_TEST(refused("victim.entries=16 victim.ways=5").substr(0, 8) == "victim: ");
}

/* Three compute units and a stage for two of them. */
BOOST_AUTO_TEST_CASE(the_last_of_those_that_share_may_be_fewer)
{
    const auto stats = run("gpu.cus=3 walk_unit.shared_by=2 " + in_victim);
    BOOST_TEST(number(stats, "victim.hits") > 0u);
}

BOOST_AUTO_TEST_CASE(a_setting_that_loses_says_to_what)
{
    BOOST_TEST(params_of<mmu_machine>(in_lds).overruled_by("l1_tlb.victims") == "lds_tx.translations");
    BOOST_TEST(params_of<mmu_machine>(in_icache).overruled_by("l1_tlb.victims") == "icache_tx.translations");
    BOOST_TEST(params_of<mmu_machine>(in_victim).overruled_by("l1_tlb.victims") == "victim.entries");
    BOOST_TEST(params_of<mmu_machine>("").overruled_by("l1_tlb.victims") == "");
    for (const char *name : {"victim.entries", "lds_tx.cycles", "icache_tx.index"})
        BOOST_TEST(params_of<mmu_machine>("translation.ideal=perfect_l1").overruled_by(name) ==
                   "translation.ideal");
}

BOOST_AUTO_TEST_SUITE_END()
