/* SPDX-License-Identifier: MIT */
/* Whole machines: every conservation law holds in every corner of the configuration, and the results that do
 * not depend on timing are the same everywhere. */
#include "mechanisms.inc"
#include "tb/platform/apu_rig.hpp"
#include "tb/support/test_share.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

/* Divergent rows, writes, atomics and a shared page. */
const trace &small_trace()
{
    static const trace t([] {
        trace_spec spec = row_major(6, 4, 4, 16384);
        const trace_spec writes = scatter(4, 6, 2 << 20, 50);
        spec.buffers[0].bytes += 2 << 20;
        for (const group_spec &g : writes.launches[0].groups)
            spec.launches[0].groups.push_back(g);
        return spec;
    }());
    return t;
}

outcome lawful(const std::string &settings)
{
    const outcome o = run_apu(configured(settings), small_trace());
    BOOST_TEST_CONTEXT(settings)
    {
        BOOST_TEST((o.end == run_end::complete), o.stuck);
        for (const law &l : o.laws)
            BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right << " " << l.story);
        BOOST_TEST(o.laws.size() > 20u);
        if (o.stats.count("gpu.memory") != 0)
            BOOST_TEST(o.count("gpu.memory") == 6u * 5 + 4 * 6);
        BOOST_TEST(o.count("gpu.page_faults") == 0u);
    }
    return o;
}

const char *const modes[] = {"off", "leaf", "full"};
const char *const schedules[] = {"fcfs", "sjf", "batch", "rr_cu"};
const char *const frames[] = {"contiguous", "random", "fragmented"};
const char *const sizes_of_pages[] = {"4k", "64k", "2m"};
const char *const paths[] = {"dram", "l2d"};
const char *const rungs[] = {"off", "unlimited_walkers", "zero_walk", "infinite_tlb", "perfect_l1", "none"};

std::string text(const char *key, const std::string &value)
{
    return " " + std::string(key) + "=" + value;
}

std::vector<std::string> corners_of_mechanisms()
{
    std::vector<std::string> all;
    for (const mechanism &m : mechanisms())
        add_all(all, m.corners);
    return all;
}

} // namespace

BOOST_AUTO_TEST_SUITE(laws)

BOOST_DATA_TEST_CASE(laws_hold_for_every_coalescing_schedule_and_number_of_walkers,
                     data::make(modes) * data::make(schedules) * data::make({1, 8}), mode, schedule, walkers)
{
    static test_share some(4);
    if (!some.takes())
        return;
    lawful(text("walk_unit.coalesce", mode) + text("walk_unit.schedule", schedule) +
           text("walk_unit.walkers", std::to_string(walkers)));
}

BOOST_DATA_TEST_CASE(laws_hold_for_every_layout_page_size_and_walk_path,
                     data::make(modes) * data::make(frames) * data::make(sizes_of_pages) * data::make(paths),
                     mode, layout, page, path)
{
    static test_share some(5);
    if (!some.takes())
        return;
    lawful(text("walk_unit.coalesce", mode) + text("address_space.frames", layout) +
           text("address_space.page", page) + text("walk_unit.walk_path", path));
}

BOOST_DATA_TEST_CASE(laws_hold_while_pages_are_mapped,
                     data::make(modes) * data::make({"first_touch", "half"}) * data::make(sizes_of_pages) *
                         data::make(paths),
                     mode, map, page, path)
{
    static test_share some(5);
    if (!some.takes())
        return;
    lawful(text("walk_unit.coalesce", mode) + text("address_space.map", map) +
           text("address_space.page", page) + text("walk_unit.walk_path", path));
}

BOOST_DATA_TEST_CASE(laws_hold_on_every_rung_of_the_ideal_ladder,
                     data::make(rungs) * data::make(modes) * data::make(paths), rung, mode, path)
{
    lawful(text("translation.ideal", rung) + text("walk_unit.coalesce", mode) +
           text("walk_unit.walk_path", path));
}

/* Small page-walk caches, so that several walkers need lines of upper levels at once. */
BOOST_DATA_TEST_CASE(laws_hold_where_walkers_join_each_others_reads, data::make(modes) * data::make(paths),
                     mode, path)
{
    const outcome o =
        lawful("walk_unit.pte_cache_bytes=1536 walk_unit.pte_cache_merge=true walk_unit.pwc_l2=0" +
               text("walk_unit.coalesce", mode) + text("walk_unit.walk_path", path));
    BOOST_TEST((o.count("walk_unit.pte_reads_merged") > 0u) == (std::string(mode) != "full"));
    BOOST_TEST((o.count("walk_unit.pte_cache_hits") > 0u) == (std::string(mode) != "full"));
}

BOOST_AUTO_TEST_CASE(laws_hold_with_other_tables_without_iommu_tlbs_and_with_everything_of_one)
{
    lawful("icache.entries=16 lds.banks=16 walk_unit.walk_path=l2d");
    lawful("icache.entries=8 icache.shared_by=1 icache.mshrs=1 icache.merges=1 icache.queue_entries=1");
    lawful("address_space.levels=5 walk_unit.coalesce=full");
    lawful("iommu_tlb.tlb1_entries=0 iommu_tlb.tlb2_entries=0");
    lawful("address_space.table=amd_v1 walk_unit.coalesce=full");
    lawful(
        "address_space.table=amd_v1 address_space.levels=6 address_space.page=64k walk_unit.coalesce=leaf");
    lawful(
        "l1_tlb.queue_entries=1 l1_tlb.ports=1 l1_tlb.mshrs=1 l1_tlb.merges=1 l2_tlb.queue_entries=1 "
        "l2_tlb.ports=1 l2_tlb.mshrs=1 l2_tlb.merges=1 iommu_tlb.queue_entries=1 iommu_tlb.ports=1 "
        "walk_unit.backlog_entries=1 walk_unit.buffer_entries=1 walk_unit.walkers=1 walk_unit.coalesce=full "
        "coalescer.instructions=1 coalescer.queue_entries=1 coalescer.pages_per_cycle=1 "
        "l1d.queue_entries=1 l1d.mshrs=1 l1d.merges=1 l1d.write_entries=1 l2d.queue_entries=1 l2d.ports=1 "
        "l2d.mshrs=1 l2d.merges=1 dram.queue_entries=1 dram.ports=1 dram.read_entries=1 "
        "dram.write_entries=1 dram.write_high=1 dram.write_low=0 cu.outstanding=1 walk_unit.walk_path=l2d");
}

BOOST_DATA_TEST_CASE(laws_hold_with_each_mechanism_on_every_rung,
                     data::make(rungs) * data::make(corners_of_mechanisms()), rung, corner)
{
    static test_share some(5);
    if (!some.takes())
        return;
    lawful(corner + text("translation.ideal", rung));
}

/* Each rung removes a cost. Waves may fall into step, so a rung may lose a little (2 %) to the previous
 * one. */
BOOST_AUTO_TEST_CASE(the_ideal_ladder_ends_in_the_shortest_run)
{
    uint64_t before = UINT64_MAX / 2;
    for (const char *rung : rungs) {
        const uint64_t cycles = lawful(text("translation.ideal", rung)).cycles;
        BOOST_TEST(cycles <= before + before / 50,
                   rung << " takes " << cycles << " cycles, the rung before " << before);
        before = cycles;
    }
}

/* Twice the waves and memory instructions, with the same lanes. */
BOOST_AUTO_TEST_CASE(laws_hold_where_waves_are_split_and_no_lane_is_lost_or_there_twice)
{
    const outcome whole = lawful("");
    const outcome split = run_apu(configured("cu.wave_lanes=32"), small_trace());
    BOOST_TEST((split.end == run_end::complete), split.stuck);
    for (const law &l : split.laws)
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right << " " << l.story);
    BOOST_TEST(split.count("coalescer.lanes") == whole.count("coalescer.lanes"));
    BOOST_TEST(split.count("gpu.waves") == 2 * whole.count("gpu.waves"));
    BOOST_TEST(split.count("gpu.split_waves") == whole.count("gpu.waves"));
    BOOST_TEST(split.count("gpu.memory") + split.count("gpu.idle_halves") == 2 * whole.count("gpu.memory"));
    BOOST_TEST(split.count("gpu.idle_halves") == 0u);
    BOOST_TEST(whole.count("gpu.split_waves") == 0u);
}

BOOST_AUTO_TEST_CASE(coalescing_spares_page_table_reads_and_translates_the_same)
{
    const outcome off = lawful("walk_unit.coalesce=off");
    const outcome full = lawful("walk_unit.coalesce=full");
    BOOST_TEST(full.count("walk_unit.pte_reads") < off.count("walk_unit.pte_reads"));
    BOOST_TEST(full.cycles < off.cycles);
    BOOST_TEST(full.count("coalescer.lines") == off.count("coalescer.lines"));
}

BOOST_AUTO_TEST_CASE(a_trace_that_touches_what_is_not_mapped_counts_its_faults_and_ends)
{
    trace_spec spec = row_major(1, 1, 4, 4096);
    spec.launches[0].groups[0][0].records.push_back(uniform(WKT_LOAD, uint64_t{1} << 45));
    const outcome o = run_apu(configured(""), trace(spec));
    BOOST_TEST((o.end == run_end::complete));
    BOOST_TEST(o.count("gpu.page_faults") == 1u);
    BOOST_TEST(o.count("walk_unit.walks_faulted") == 1u);
    for (const law &l : o.laws)
        BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right);
}

BOOST_AUTO_TEST_CASE(two_runs_in_one_process_are_equal_too)
{
    BOOST_TEST((lawful("walk_unit.coalesce=full").stats == lawful("walk_unit.coalesce=full").stats));
}

BOOST_AUTO_TEST_SUITE_END()
