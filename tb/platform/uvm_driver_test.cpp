/* SPDX-License-Identifier: MIT */
/* NVIDIA's driver of unified memory in whole machines: what a fault fetches, whole blocks that are fetched
 * and evicted, the effect of each of its numbers, and that no translation is wrong meanwhile. */
#include "tb/platform/driver_rig.hpp"
#include "tb/support/test_share.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

const std::string uvm = "driver.policy=uvm pager.latency=constant driver.oversubscription=";

/* One kernel per part, of `waves` waves: one line of each of the part's 64 pages, and of the pages after
 * them. A block has eight parts. */
trace touches(const std::vector<uint64_t> &parts, uint64_t waves = 1)
{
    trace_spec spec;
    for (const uint64_t part : parts) {
        std::vector<group_spec> groups;
        for (uint64_t w = 0; w < waves; ++w) {
            wave_spec wave;
            wave.records = {stride(WKT_LOAD, buffer_va + (part + w) * 64 * 4096, 4096)};
            groups.push_back({wave});
        }
        const trace_spec one = one_launch(groups, 8 << 20);
        spec.buffers = one.buffers;
        spec.launches.push_back(one.launches[0]);
    }
    return trace(spec);
}

/* Fifty loads. */
trace one_page()
{
    wave_spec wave;
    for (unsigned i = 0; i < 50; ++i)
        wave.records.push_back(stride(WKT_LOAD, buffer_va + i * 4, 4));
    return trace(one_launch({{wave}}, 8 << 20));
}

/* Scattered over four blocks. */
const trace &scattered()
{
    static const trace t(scatter(6, 4, 8 << 20, 30));
    return t;
}

const char *const settings_of_uvm[] = {
    "200",
    "400",
    "400 driver.uvm_prefetch_percent=0",
    "400 driver.uvm_batch=1 address_space.table=hashed",
    "200 address_space.table=hashed driver.m_percent=50 driver.uvm_grow_pages=1",
    "200 address_space.table=nested address_space.paging=host walk_unit.coalesce=full",
    "200 address_space.table=amd_v1 walk_unit.coalesce=leaf",
    "200 address_space.levels=5 copy_engine.lines=0 address_space.frames=random driver.uvm_grow_pages=512",
    "200 walk_unit.coalesce=full walk_unit.fault_entries=1 pager.entries=1 pager.queue_entries=1 "
    "walk_unit.walkers=1 walk_unit.buffer_entries=1",
    "200 lds.banks=32 lds_tx.translations=on icache.entries=64 icache_tx.translations=on l1_tlb.entries=4 "
    "l1_tlb.ways=4 l2_tlb.store=compressed",
    "200 l1d.write=back l2d.write_miss=fetch victim.entries=64 memory_tlb.entries=65536 prefetch.entries=16",
    "200 address_space.page=64k",
    "200 address_space.page=2m copy_engine.lines=0",
    "200 address_space.map=all_paged address_space.table=hashed",
    "400 pager.mean_cycles=0 driver.uvm_pause_cycles=1000 driver.uvm_block_cycles=0 copy_engine.lines=0",
};

} // namespace

BOOST_AUTO_TEST_SUITE(uvm_driver)

/* Evicted pages are mapped nowhere: none is used in host memory. */
BOOST_DATA_TEST_CASE(every_translation_is_where_its_page_is_used, data::make(settings_of_uvm), settings)
{
    static test_share some(4);
    if (!some.takes())
        return;
    const apu_run run(uvm + settings, {}, scattered());
    BOOST_TEST(run.seen > 40u);
    BOOST_TEST(run.remote == 0u);
    BOOST_TEST(run.count("driver.host_pages") == 0u);
    BOOST_TEST(run.count("driver.pages_evicted") != 0u);
    BOOST_TEST(run.count("host_link.elsewhere") == 0u);
}

BOOST_AUTO_TEST_CASE(so_it_is_with_mmus_in_compute_units)
{
    const run_of<mmu_machine> run(uvm + "200 gpu.cus=4 driver.uvm_batch=64", {}, scattered());
    BOOST_TEST(run.remote == 0u);
    BOOST_TEST(run.count("driver.pages_evicted") != 0u);
}

/* Eight waves touch a block: the first batch is the first fault, the second one those that arrived
 * meanwhile. */
BOOST_AUTO_TEST_CASE(a_block_comes_by_its_tree)
{
    const trace t = touches({0}, 8);
    const apu_run alone(uvm + "100 driver.uvm_prefetch_percent=0", {}, t), tree(uvm + "100", {}, t);
    BOOST_TEST(alone.count("driver.pages_faulted") == 512u);
    BOOST_TEST(alone.count("driver.pages_prefetched") == 0u);
    BOOST_TEST(alone.count("pager.company") == 0u);
    BOOST_TEST(tree.count("driver.pages_faulted") + tree.count("driver.pages_prefetched") == 512u);
    BOOST_TEST(tree.count("driver.pages_prefetched") == tree.count("pager.company"));
    BOOST_TEST(tree.count("driver.pages_faulted") < 100u);
    BOOST_TEST(tree.cycles < alone.cycles);
    BOOST_TEST(tree.count("driver.pages_fetched") == 512u);
    BOOST_TEST(tree.count("driver.away_pages") == 0u);
}

/* A fault is grown to 64 KiB, and further where the tree asks for all of a subregion. */
BOOST_AUTO_TEST_CASE(a_fault_is_grown)
{
    const trace t(
        one_launch({group_spec{{wave_spec{{stride(WKT_LOAD, buffer_va + 5 * 4096, 4)}}}}}, 8 << 20));
    const auto fetched = [&](const std::string &more) {
        return apu_run(uvm + "100 " + more, {}, t).count("driver.pages_fetched");
    };
    BOOST_TEST(fetched("") == 16u);
    BOOST_TEST(fetched("driver.uvm_grow_pages=1") == 1u);
    BOOST_TEST(fetched("driver.uvm_grow_pages=64") == 64u);
    BOOST_TEST(fetched("driver.uvm_grow_pages=1 driver.uvm_prefetch_percent=49") == 2u, "1 of 2");
    BOOST_TEST(fetched("driver.uvm_prefetch_percent=49") == 32u, "16 of 32, and not of 64");
    BOOST_TEST(fetched("driver.uvm_prefetch_percent=3") == 512u, "16 of 512");
    BOOST_TEST(fetched("driver.uvm_prefetch_percent=100") == 1u);
}

/* 64 pages of each of four blocks, and frames for two blocks. */
BOOST_AUTO_TEST_CASE(a_block_takes_all_of_its_frames)
{
    const trace t = touches({0, 8, 16, 24});
    const apu_run run(uvm + "200", {}, t), all(uvm + "100", {}, t);
    BOOST_TEST(run.count("driver.frames") == 1024u);
    BOOST_TEST(run.count("driver.pages_fetched") == 4 * 64u);
    BOOST_TEST(run.count("driver.regions_evicted") == 2u);
    BOOST_TEST(run.count("driver.pages_evicted") == 2 * 64u);
    BOOST_TEST(run.count("driver.away_pages") == 2 * 64u);
    BOOST_TEST(all.count("driver.regions_evicted") == 0u);
}

/* Of two blocks, the one fetched first is evicted, although its other pages were fetched last; faults fetch
 * it again. */
BOOST_AUTO_TEST_CASE(the_block_leaves_that_came_first)
{
    const apu_run kept(uvm + "200", {}, touches({0, 8, 1, 16, 8})),
        gone(uvm + "200", {}, touches({0, 8, 1, 16, 0}));
    BOOST_TEST(kept.count("driver.regions_evicted") == 1u);
    BOOST_TEST(gone.count("driver.regions_evicted") == 2u);
    BOOST_TEST(gone.count("driver.pages_fetched") == 5 * 64u);
    BOOST_TEST(gone.count("driver.remote_lines") == 0u);
}

/* One block of one page: all its cycles are in the time. */
BOOST_AUTO_TEST_CASE(cycles_of_a_block_are_spent)
{
    const trace t = one_page();
    const std::string base = uvm + "100 driver.uvm_block_cycles=";
    const apu_run none(base + "0", {}, t), some(base + "5000", {}, t);
    BOOST_TEST(some.cycles >= none.cycles + 4900);
    BOOST_TEST(some.cycles <= none.cycles + 5600,
               "memory's refreshes come otherwise; to the cycle: pager_test");
}

/* Two pages of a chain of faults in two batches: the second waits for the end of the pause if it arrives
 * earlier. */
BOOST_AUTO_TEST_CASE(a_pause_follows_a_batch)
{
    const trace t = touches({0}, 2);
    const std::string base = uvm + "100 driver.uvm_prefetch_percent=0 driver.uvm_batch=1 "
                                   "driver.uvm_pause_cycles=";
    const apu_run brief(base + "1000", {}, t), lasting(base + "3000", {}, t);
    BOOST_TEST(brief.count("driver.pages_faulted") == 128u);
    BOOST_TEST(lasting.cycles > brief.cycles + 127 * 1990u);
    BOOST_TEST(lasting.cycles < brief.cycles + 127 * 2010u);
}

BOOST_AUTO_TEST_CASE(a_batch_takes_so_many_faults)
{
    const trace t = touches({0}, 2);
    const std::string base = uvm + "100 driver.uvm_prefetch_percent=0 pager.entries=128 driver.uvm_batch=";
    const apu_run four(base + "4", {}, t), all(base + "256", {}, t);
    BOOST_TEST(four.count("pager.batches") >= 32u);
    BOOST_TEST(four.count("pager.batches") < 40u);
    BOOST_TEST(all.count("pager.batches") < 8u);
    BOOST_TEST(all.count("pager.parts") == all.count("pager.batches"), "of one block");
    BOOST_TEST(all.cycles < four.cycles);
}

/* A page that is fetched twice more, soon, is then mapped where it is; the access counters may fetch it. */
BOOST_AUTO_TEST_CASE(pages_that_come_too_often_stay)
{
    const trace t = touches({0, 8, 0, 8, 0, 8, 0, 8});
    const std::string base = uvm + "400 driver.migrate_after=0 driver.uvm_pin_after=";
    const apu_run never(base + "0", {}, t), two(base + "2 driver.uvm_lapse_us=100000", {}, t),
        late(base + "2 driver.uvm_lapse_us=1", {}, t);
    BOOST_TEST(never.count("driver.pages_fetched") == 8 * 64u);
    BOOST_TEST(never.remote == 0u);
    BOOST_TEST(two.count("driver.pages_fetched") == 6 * 64u, "three times each");
    BOOST_TEST(two.count("driver.pages_pinned") == 64u, "of the first; nothing takes the other's place");
    BOOST_TEST(two.remote != 0u);
    BOOST_TEST(late.count("driver.pages_pinned") == 0u);
    const apu_run back(uvm + "400 driver.migrate_after=2 driver.uvm_pin_after=2 "
                             "driver.uvm_lapse_us=100000",
                       {}, t);
    BOOST_TEST(back.count("driver.migrations") > 0u);
}

/* By the same rules every page is fetched once. */
BOOST_AUTO_TEST_CASE(what_comes_before_time_zero_is_not_counted)
{
    const apu_run run(uvm + "100 address_space.map=all_paged", {}, touches({0, 8}));
    BOOST_TEST(run.count("driver.device_pages") == run.count("driver.frames"));
    BOOST_TEST(run.count("driver.pages_faulted") == 0u);
    BOOST_TEST(run.count("driver.pages_prefetched") == 0u);
    BOOST_TEST(run.count("driver.pages_pinned") == 0u);
}

BOOST_AUTO_TEST_CASE(what_does_not_go_together_is_refused)
{
    const std::string lazy = "address_space.map=first_touch " + uvm + "200 ";
    BOOST_TEST(configured(lazy).validate() == "");
    BOOST_TEST(configured(lazy + "driver.uvm_grow_pages=3").validate().find("power of two") !=
               std::string::npos);
    BOOST_TEST(configured(lazy + "driver.fetch_pages=3").validate() == "", "another policy's");
    BOOST_TEST(configured(lazy).overruled_by("driver.fetch_pages") == "driver.policy");
    BOOST_TEST(configured(lazy).overruled_by("driver.uvm_batch") == "");
    BOOST_TEST(configured(lazy).overruled_by("driver.uvm_lapse_us") == "driver.uvm_pin_after");
    BOOST_TEST(configured(lazy + "driver.uvm_prefetch_percent=0").overruled_by("driver.uvm_grow_pages") ==
               "driver.uvm_prefetch_percent");
    BOOST_TEST(configured("address_space.map=first_touch driver.oversubscription=200")
                   .overruled_by("driver.uvm_batch") == "driver.policy");
    BOOST_CHECK_THROW(apu_run(uvm + "401"), std::runtime_error);
    BOOST_TEST(configured(lazy).why_not_in_the_middle() != "", "no sample begins in the middle");
}

BOOST_AUTO_TEST_SUITE_END()
