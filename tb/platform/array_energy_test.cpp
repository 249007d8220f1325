/* SPDX-License-Identifier: MIT */
/* Arrays of whole machines: each exists with its block, is as large as its structure, and is counted by its
 * statistics; the sums. docs/model/energy.md. */
#include "tb/platform/machines.hpp"

#include "kernels/cam_energy.h"
#include "platforms/array_energy.hpp"

#include <boost/test/data/test_case.hpp>

#include <map>
#include <set>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

const std::string small = "gpu.cus=2 l1_tlb.entries=16 l1_tlb.ways=16 ";
/* Everything that the apu can have. */
const std::string everything =
    small +
    "walk_unit.coalesce=full walk_unit.pte_cache_bytes=4096 walk_unit.pte_cache_ways=4 victim.entries=16 "
    "lds.banks=32 lds_tx.translations=on icache.entries=64 icache_tx.translations=on "
    "l2_tlb.store=compressed l2_tlb.fills=4 address_space.map=first_touch ";

const trace &twice()
{
    static const trace t([] {
        trace_spec spec = row_major(8, 4, 4, 16384);
        for (group_spec &g : spec.launches[0].groups) {
            const auto once = g[0].records;
            g[0].records.insert(g[0].records.end(), once.begin(), once.end());
        }
        return spec;
    }());
    return t;
}

outcome of(const machine_case &c)
{
    const outcome o = run_machine(c, twice());
    BOOST_TEST((o.end == run_end::complete), o.stuck);
    for (const law &l : o.laws)
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right);
    return o;
}

uint64_t sum_of(const outcome &o, const std::vector<std::string> &names)
{
    uint64_t sum = 0;
    for (const std::string &name : names)
        sum += o.count(name);
    return sum;
}

std::set<std::string> arrays_in(const outcome &o)
{
    std::set<std::string> names;
    for (const auto &s : o.stats)
        if (s.first.compare(0, 7, "arrays.") == 0 && s.first.size() > 14 &&
            s.first.compare(s.first.size() - 7, 7, ".copies") == 0)
            names.insert(s.first.substr(7, s.first.size() - 14));
    return names;
}

struct counted_array {
    const char *array;
    std::vector<std::string> reads, writes;
};

const counted_array expected_arrays[] = {
    {"l1_tlb.entries", {"l1_tlb.lookups"}, {"l1_tlb.fills"}},
    {"victim.entries", {"victim.lookups"}, {"victim.fills_kept", "victim.fills_refreshed"}},
    {"l2_tlb.entries", {"l2_tlb.lookups"}, {"l2_tlb.fills", "l2_tlb.fills_kept", "l2_tlb.fills_refreshed"}},
    {"iommu_tlb.tlb1", {"iommu_tlb.requests"}, {"iommu_tlb.tlb_misses"}},
    {"iommu_tlb.tlb2", {"iommu_tlb.requests"}, {"iommu_tlb.tlb_misses"}},
    {"walk_unit.walk_buffer",
     {"walk_unit.walks_started", "walk_unit.walks_coalesced"},
     {"walk_unit.walk_requests"}},
    {"walk_unit.walkers",
     {"walk_unit.walks_finished", "walk_unit.pte_reads"},
     {"walk_unit.walks_started", "walk_unit.pte_reads"}},
    {"walk_unit.coalescing", {"walk_unit.cam_reads"}, {"walk_unit.cam_writes"}},
    {"walk_unit.fault_table",
     {"walk_unit.faults_parked", "walk_unit.faults_resumed"},
     {"walk_unit.faults_parked"}},
    {"walk_unit.pwc_l2", {"walk_unit.pwc_lookups"}, {"walk_unit.pte_reads_l2"}},
    {"walk_unit.pwc_l3", {"walk_unit.pwc_lookups"}, {"walk_unit.pte_reads_l3"}},
    {"walk_unit.pwc_l4", {"walk_unit.pwc_lookups"}, {"walk_unit.pte_reads_l4"}},
    {"walk_unit.pte_cache",
     {"walk_unit.pte_cache_hits", "walk_unit.pte_reads", "walk_unit.pte_reads_merged"},
     {"walk_unit.pte_reads"}},
    {"lds.banks", {"lds.words"}, {}},
    {"lds_tx.translations", {"lds_tx.port_uses"}, {}},
    {"icache.tags", {"icache.fetches"}, {"icache.fills"}},
    {"icache.data", {"icache.hits"}, {"icache.fills"}},
    {"icache_tx.translations", {"icache_tx.port_uses"}, {}},
    {"l1d.tags", {"l1d.reads", "l1d.writes"}, {"l1d.fills"}},
    {"l1d.data", {"l1d.read_hits"}, {"l1d.fills", "l1d.write_hits"}},
    {"l2d.tags", {"l2d.reads", "l2d.writes"}, {"l2d.fills"}},
    {"l2d.data", {"l2d.read_hits"}, {"l2d.fills", "l2d.write_hits"}},
    {"l1_tlb.mshrs", {"l1_tlb.misses", "l1_tlb.misses", "l1_tlb.merged"}, {"l1_tlb.misses"}},
    {"l1_tlb.mshr_waiters", {"l1_tlb.merged"}, {"l1_tlb.merged"}},
    {"l2_tlb.mshrs", {"l2_tlb.misses", "l2_tlb.misses", "l2_tlb.merged"}, {"l2_tlb.misses"}},
    {"l2_tlb.mshr_waiters", {"l2_tlb.merged"}, {"l2_tlb.merged"}},
    {"l1d.mshrs",
     {"l1d.read_misses", "l1d.write_fetches", "l1d.read_misses", "l1d.write_fetches", "l1d.read_merged",
      "l1d.write_merged"},
     {"l1d.read_misses", "l1d.write_fetches"}},
    {"l1d.mshr_waiters", {"l1d.read_merged", "l1d.write_merged"}, {"l1d.read_merged", "l1d.write_merged"}},
    {"l2d.mshrs",
     {"l2d.read_misses", "l2d.write_fetches", "l2d.read_misses", "l2d.write_fetches", "l2d.read_merged",
      "l2d.write_merged"},
     {"l2d.read_misses", "l2d.write_fetches"}},
    {"l2d.mshr_waiters", {"l2d.read_merged", "l2d.write_merged"}, {"l2d.read_merged", "l2d.write_merged"}},
    {"icache.mshrs", {"icache.misses", "icache.misses", "icache.merged"}, {"icache.misses"}},
    {"icache.mshr_waiters", {"icache.merged"}, {"icache.merged"}},
};

} // namespace

BOOST_AUTO_TEST_SUITE(arrays)

BOOST_AUTO_TEST_CASE(each_is_counted_by_the_statistics_that_it_stands_for)
{
    const outcome o = of({"apu-micro18", everything});
    std::set<std::string> expected;
    for (const counted_array &r : expected_arrays) {
        const std::string array = std::string("arrays.") + r.array;
        expected.insert(r.array);
        BOOST_TEST_CONTEXT(array)
        {
            BOOST_TEST(o.count(array + ".reads") == sum_of(o, r.reads));
            BOOST_TEST(o.count(array + ".writes") == sum_of(o, r.writes));
            BOOST_TEST(o.count(array + ".energy") ==
                       (o.count(array + ".reads") * o.count(array + ".read_energy") +
                        o.count(array + ".writes") * o.count(array + ".write_energy")) /
                           1000);
        }
    }
    BOOST_TEST(arrays_in(o) == expected, boost::test_tools::per_element());
    for (const char *busy : {"l1_tlb.entries", "victim.entries", "l2_tlb.entries", "walk_unit.coalescing",
                             "walk_unit.pwc_l2", "walk_unit.pte_cache", "lds_tx.translations", "l1d.data",
                             "l1_tlb.mshrs", "l1_tlb.mshr_waiters", "l2d.mshrs"})
        BOOST_TEST(o.count(std::string("arrays.") + busy + ".reads") > 0u, busy);
}

BOOST_AUTO_TEST_CASE(of_a_block_that_is_not_there_there_is_none)
{
    const std::set<std::string> there = arrays_in(of({"apu-micro18", small}));
    for (const char *absent :
         {"victim.entries", "walk_unit.coalescing", "walk_unit.fault_table", "walk_unit.pte_cache",
          "lds.banks", "lds_tx.translations", "icache.tags", "icache.data", "icache_tx.translations"})
        BOOST_TEST(there.count(absent) == 0u, absent);
    BOOST_TEST(there.count("l1_tlb.entries") == 1u);
    for (const char *no_tlb : {"iommu_tlb.tlb1", "iommu_tlb.tlb2"})
        BOOST_TEST(arrays_in(of({"apu-micro18", small + "iommu_tlb.tlb1_entries=0 iommu_tlb.tlb2_entries=0"}))
                       .count(no_tlb) == 0u);
    BOOST_TEST(arrays_in(of({"mmu-hpca14", small})).count("l2_tlb.entries") == 0u);
    BOOST_TEST(arrays_in(of({"mmu-hpca14", small + "walk_unit.shared_by=2 l2_tlb.entries=64 l2_tlb.ways=4"}))
                   .count("l2_tlb.entries") == 1u);
}

/* The lanes of an access are registers. Lines of instructions and translations are icache.data; what else
 * they need (mode bits, heads) is not priced. */
BOOST_DATA_TEST_CASE(every_structure_has_one_of_its_size,
                     data::make(every_machine({"gpu.cus=2", "gpu.cus=3 lds.banks=16 icache.entries=64"})))
{
    built b(sample, twice());
    std::map<std::string, const hardware_array *> by_name;
    for (const hardware_array &a : b.machine.top().arrays())
        by_name[a.block + "." + a.part] = &a;
    for (const hardware_structure &s : config_of(sample)->structures()) {
        const std::string part = s.name.substr(s.name.find('.') + 1);
        if (part == "lanes" || part == "tags_and_translations")
            continue;
        BOOST_TEST_REQUIRE(by_name.count(s.name) == 1u, s.name);
        const hardware_array &a = *by_name.at(s.name);
        if (a.lent) /* its bits are part of the cells that it is in */
            continue;
        const uint64_t held = a.copies * a.shape.entries * a.shape.entry_bits;
        BOOST_TEST(held >= s.bits, s.name);
        BOOST_TEST(held - s.bits < a.copies * a.shape.entries, s.name);
    }
}

BOOST_DATA_TEST_CASE(the_sums_are_those_of_the_rows,
                     data::make(std::vector<machine_case>{
                         {"apu-micro18", everything}, {"apu-micro18", small}, {"mmu-hpca14", small}}))
{
    const outcome o = of(sample);
    for (const char *what : {"energy", "energy_low", "energy_high", "area", "area_low", "area_high"}) {
        uint64_t sum = 0;
        for (const std::string &array : arrays_in(o))
            sum += o.count("arrays." + array + "." + what);
        BOOST_TEST(o.count(std::string("arrays.") + what) == sum, what);
        BOOST_TEST(sum > 0u, what);
    }
    for (const char *what : {"energy", "area"}) {
        const std::string name = std::string("arrays.") + what;
        BOOST_TEST(o.count(name + "_low") < o.count(name));
        BOOST_TEST(o.count(name) < o.count(name + "_high"));
    }
}

/* The law must be able to fail. */
BOOST_AUTO_TEST_CASE(the_law_breaks_where_the_sum_is_another)
{
    const hardware_array one = {"tlb", "entries", 2, {16, 40, 20, 1, 20, 1}, {"tlb.lookups"}, {"tlb.fills"}};
    stat_values counted, shown;
    counted.all = {{"tlb.lookups", 1000}, {"tlb.fills", 10}};
    show_arrays(shown, {one, one}, counted);
    BOOST_TEST(law_of_arrays({one, one}, shown).holds());
    BOOST_TEST(shown.all.at("arrays.energy") == 2 * shown.all.at("arrays.tlb.entries.energy"));
    ++shown.all.at("arrays.energy");
    BOOST_TEST(!law_of_arrays({one, one}, shown).holds());
}

BOOST_AUTO_TEST_CASE(the_coalescing_cam_takes_what_the_paper_states)
{
    const outcome o = of({"apu-micro18", small + "walk_unit.coalesce=full"});
    BOOST_TEST(o.count("energy.cam") > 0u);
    for (const char *estimate : {"energy", "energy_low", "energy_high"})
        BOOST_TEST(o.count(std::string("arrays.walk_unit.coalescing.") + estimate) == o.count("energy.cam"));
    BOOST_TEST(o.count("arrays.walk_unit.coalescing.area") == WW_CAM_AREA_UM2);
}

BOOST_AUTO_TEST_CASE(translations_in_lent_memory_take_energy_and_no_area)
{
    const outcome o = of({"apu-micro18", everything});
    for (const char *name : {"lds_tx.translations", "icache_tx.translations"})
        BOOST_TEST(o.count(std::string("arrays.") + name + ".area") == 0u);
    BOOST_TEST(o.count("arrays.lds_tx.translations.energy") > 0u);
    BOOST_TEST(o.count("arrays.lds.banks.area") > 0u);
}

/* The rungs of the ideal ladder have no hardware. */
BOOST_DATA_TEST_CASE(an_ideal_machine_has_none,
                     data::make({"unlimited_walkers", "zero_walk", "infinite_tlb", "perfect_l1"}))
{
    const outcome o = of({"apu-micro18", small + "translation.ideal=" + sample});
    BOOST_TEST(o.stats.count("arrays.energy") == 0u);
    BOOST_TEST(arrays_in(o).empty());
}

BOOST_AUTO_TEST_CASE(bits_are_shared_by_entries_and_keys_compared_where_there_is_one_set)
{
    const ww_array_cfg all = array_of(32, 32 * 70 + 1, 32, 40, 2);
    BOOST_TEST(all.entries == 32u);
    BOOST_TEST(all.entry_bits == 71u); /* rounded up */
    BOOST_TEST(all.cam_bits == 40u);
    BOOST_TEST(all.ways == 1u);
    BOOST_TEST(all.read_bits == 31u);
    BOOST_TEST(all.ports == 2u);
    const ww_array_cfg sets = array_of(512, 512 * 64, 16, 40, 1);
    BOOST_TEST(sets.cam_bits == 0u);
    BOOST_TEST(sets.ways == 16u);
    BOOST_TEST(sets.read_bits == 64u);
    BOOST_TEST(array_of(4, 4 * 8, 4, 40, 1).cam_bits == 8u); /* no more than exist */
}

BOOST_AUTO_TEST_CASE(a_tlb_of_one_set_compares_its_entries_and_one_of_several_reads_its_ways)
{
    const outcome o = of({"apu-micro18", small + "l2_tlb.entries=64 l2_tlb.ways=8"});
    BOOST_TEST(o.count("arrays.l1_tlb.entries.compared_bits") > 0u);
    BOOST_TEST(o.count("arrays.l1_tlb.entries.ways") == 1u);
    BOOST_TEST(o.count("arrays.l2_tlb.entries.compared_bits") == 0u);
    BOOST_TEST(o.count("arrays.l2_tlb.entries.ways") == 8u);
}

BOOST_AUTO_TEST_CASE(a_shape_that_is_none_is_an_error_of_the_model)
{
    const hardware_array none = {"tlb", "entries", 1, {0, 40, 20, 1, 20, 1}, {}, {}};
    BOOST_CHECK_EXCEPTION(costs_of(none), std::logic_error, [](const std::logic_error &e) {
        return std::string(e.what()) == "the array tlb.entries has an illegal shape";
    });
}

BOOST_AUTO_TEST_CASE(windows_add_up)
{
    const outcome whole = of({"apu-micro18", small});
    built b({"apu-micro18", small}, twice());
    run_window window;
    window.warm_up = {window_unit::translations, 100};
    b.machine.measure(window);
    BOOST_TEST((b.machine.run({}) == run_end::complete));
    const outcome rest = outcome_of(b.machine);
    BOOST_TEST(rest.count("arrays.l1_tlb.entries.reads") == rest.count("l1_tlb.lookups"));
    BOOST_TEST(rest.count("arrays.energy") < whole.count("arrays.energy"));
    BOOST_TEST(rest.count("arrays.area") == whole.count("arrays.area"));
}

BOOST_AUTO_TEST_SUITE_END()
