/* SPDX-License-Identifier: MIT */
/* Whole machines whose program is larger than device memory, while pages are fetched, evicted and fetched
 * again: every completed translation is where its page is used at that moment, no two pages are used in one
 * place, no line is requested where its page is not (a law), and no page is lost. */
#include "model/driver.hpp"
#include "model/os_event.hpp"
#include "platforms/gpu.hpp"
#include "tb/platform/apu_rig.hpp"
#include "tb/platform/audited.hpp"
#include "tb/platform/covering.hpp"
#include "tb/platform/driver_rig.hpp"
#include "tb/support/test_share.hpp"

#include <boost/test/data/test_case.hpp>

#include <set>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace driver_in_machines
{

const std::string half = "driver.oversubscription=200 ", hashed = "address_space.table=hashed ";

const char *const apu_settings[] = {
    "driver.oversubscription=100",
    "driver.oversubscription=150 address_space.table=hashed",
    "driver.oversubscription=400 driver.migrate_after=8",
    "driver.oversubscription=800 driver.migrate_after=1 address_space.table=hashed driver.m_percent=50",
    "driver.oversubscription=400 address_space.table=hashed_stepless driver.m_percent=30 "
    "driver.migrate_after=20 address_space.slots_percent=100 address_space.slot_stride=3",
    "driver.oversubscription=300 address_space.table=nested address_space.paging=host driver.migrate_after=9 "
    "walk_unit.coalesce=full",
    "driver.oversubscription=300 address_space.table=amd_v1 driver.migrate_after=30 walk_unit.coalesce=leaf",
    "driver.oversubscription=300 address_space.levels=5 copy_engine.lines=0 driver.fetch_pages=1 "
    "address_space.frames=random walk_unit.coalesce=full",
    "driver.oversubscription=500 driver.migrate_after=5 driver.fetch_pages=256 walk_unit.coalesce=full "
    "walk_unit.fault_entries=1 pager.entries=1 pager.queue_entries=1 walk_unit.walkers=1 "
    "walk_unit.buffer_entries=1",
    "driver.oversubscription=400 driver.migrate_after=3 address_space.table=hashed driver.m_percent=10 "
    "walk_unit.coalesce=full walk_unit.pte_cache_bytes=1024 walk_unit.reply_cycles=600 "
    "walk_unit.walk_path=l2d",
    "driver.oversubscription=400 driver.migrate_after=10 lds.banks=32 lds_tx.translations=on "
    "icache.entries=64 "
    "icache_tx.translations=on l1_tlb.entries=4 l1_tlb.ways=4 l2_tlb.store=compressed",
    "driver.oversubscription=400 driver.migrate_after=10 l1d.write=back l2d.write_miss=fetch "
    "victim.entries=64 memory_tlb.entries=65536 prefetch.entries=16",
    "driver.oversubscription=400 driver.migrate_after=10 address_space.page=64k",
    "driver.oversubscription=400 driver.migrate_after=20 address_space.page=64k address_space.table=hashed "
    "driver.m_percent=40 driver.fetch_pages=64",
    "driver.oversubscription=200 driver.migrate_after=40 address_space.page=64k address_space.table=nested "
    "address_space.paging=host walk_unit.coalesce=full",
    "driver.oversubscription=300 address_space.page=2m copy_engine.lines=1024 host_link.mbytes_per_s=256000 "
    "driver.migrate_after=500",
    "driver.oversubscription=200 address_space.page=2m copy_engine.lines=0 driver.migrate_after=100 "
    "address_space.table=hashed driver.m_percent=50 walk_unit.coalesce=leaf",
    "driver.oversubscription=400 address_space.page=2m copy_engine.lines=0 driver.migrate_after=50 "
    "address_space.table=hashed_stepless address_space.slots_percent=100 driver.m_percent=30 "
    "address_space.frames=random",
    "driver.oversubscription=200 address_space.page=2m copy_engine.lines=0 driver.migrate_after=100 "
    "address_space.table=amd_v1 l1d.write=back l2d.write_miss=fetch",
};

const char *const mmu_settings[] = {
    "gpu.cus=4 driver.oversubscription=400 driver.migrate_after=10",
    ("gpu.cus=3 walk_unit.walkers=8 walk_unit.coalesce=full walk_unit.fault_entries=2 pager.entries=1 "
     "driver.oversubscription=400 driver.migrate_after=4 address_space.table=hashed driver.m_percent=40"),
    "gpu.cus=4 driver.oversubscription=400 driver.migrate_after=20 address_space.page=64k",
};

/* Each combination is a machine that the driver must support. */
const std::vector<factor> &factors()
{
    static const std::string t = "address_space.table=", m = "driver.migrate_after=";
    static const std::vector<factor> all = {
        {"page", {"address_space.page=4k", "address_space.page=64k", "address_space.page=2m"}},
        {"table",
         {"", "address_space.levels=5", t + "amd_v1", t + "hashed driver.m_percent=50",
          t + "hashed_stepless driver.m_percent=30 address_space.slots_percent=100",
          t + "nested address_space.paging=host", t + "nvidia_v2",
          t + "nvidia_v3 address_space.page_tables=both walk_unit.read_ahead=true"}},
        {"map", {"address_space.map=first_touch", "address_space.map=all_paged"}},
        {"size", {"driver.oversubscription=200", "driver.oversubscription=350"}},
        {"counters", {m + "0", m + "3", m + "60"}},
        {"together", {"driver.fetch_pages=1", "driver.fetch_pages=64"}},
        {"copies", {"copy_engine.lines=0", "copy_engine.lines=4096 host_link.mbytes_per_s=1000000"}},
        {"caches", {"l1d.write=through", "l1d.write=back l2d.write_miss=fetch l2d.bytes=65536"}},
        {"coalesce", {"", "walk_unit.coalesce=leaf", "walk_unit.coalesce=full"}},
        {"frames", {"", "address_space.frames=random"}},
        {"stages", {"", "victim.entries=16 l1_tlb.entries=4 l1_tlb.ways=4", "l2_tlb.store=compressed"}},
    };
    return all;
}

} // namespace driver_in_machines

using namespace driver_in_machines;

BOOST_AUTO_TEST_SUITE(a_program_larger_than_device_memory)

BOOST_DATA_TEST_CASE(every_translation_is_where_its_page_is_used, data::make(apu_settings), settings)
{
    static test_share some(6);
    if (!some.takes())
        return;
    const apu_run run(settings);
    BOOST_TEST(run.seen > 40u);
    const bool all_fit = std::string(settings).find("oversubscription=100") != std::string::npos;
    BOOST_TEST((run.remote != 0) == !all_fit);
    BOOST_TEST((run.count("driver.pages_evicted") != 0) == !all_fit);
    BOOST_TEST(run.count("host_link.elsewhere") == 0u);
}

BOOST_DATA_TEST_CASE(so_it_is_with_mmus_in_compute_units, data::make(mmu_settings), settings)
{
    static test_share some(2);
    if (!some.takes())
        return;
    const mmu_run run(settings);
    BOOST_TEST(run.remote != 0u);
}

BOOST_DATA_TEST_CASE(
    so_it_is_with_three_levels_of_tlbs,
    data::make({"driver.oversubscription=400 driver.migrate_after=10",
                "driver.oversubscription=400 driver.migrate_after=4 address_space.table=hashed "
                "driver.m_percent=40 walk_unit.coalesce=full l1_tlb.entries=4 l1_tlb.ways=4 "
                "l1_tlb.victims=pass l2_tlb.fills=16 l2_tlb.victims=pass l3_tlb.fills=64"}),
    settings)
{
    static test_share some(2);
    if (some.takes())
        BOOST_TEST(run_of<gpu3_machine>(settings).remote != 0u);
}

BOOST_DATA_TEST_CASE(
    so_it_is_with_two_victim_tlbs_and_a_prefetcher,
    data::make({"driver.oversubscription=400 driver.migrate_after=10",
                "gpu.cus=4 driver.oversubscription=300 driver.migrate_after=20 l1_tlb.entries=4 "
                "l1_tlb.ways=4 victim.entries=8 victim.victims=pass l2_tlb.entries=16 "
                "l2_tlb.ways=4 address_space.page=64k"}),
    settings)
{
    static test_share some(2);
    if (some.takes())
        BOOST_TEST(run_of<two_victims_machine>(settings).remote != 0u);
}

BOOST_AUTO_TEST_CASE(every_pair_of_values_keeps_every_page)
{
    const covering array = covering_array::of(factors(), legal_settings<apu_machine>);
    BOOST_TEST(array.impossible == 0u);
    BOOST_TEST(array.rows.size() >= 18u); /* three sizes of pages, six tables */
    const trace few(scatter(12, 4, 8 << 20, 30));
    test_share some(12);
    for (const std::string &settings : array.rows) {
        if (!some.takes())
            continue;
        BOOST_TEST_INFO_SCOPE(settings);
        const apu_run run(settings, {}, few);
        BOOST_TEST(run.remote != 0u);
    }
}

/* A page of 64 KiB equals sixteen small ones: it is fetched alone, is counted by itself, and takes as many
 * lines of the link; one of 2 MiB is counted whole. Kernels read two lines in each 4 KiB of a region. */
BOOST_AUTO_TEST_CASE(larger_pages_come_alone_and_are_counted_whole)
{
    const trace t = phases({0, 1, 0}, 4 << 20);
    const std::string base = half + "driver.fetch_pages=16 address_space.page=";
    const apu_run small(base + "64k driver.migrate_after=32", {}, t),
        rare(base + "64k driver.migrate_after=33", {}, t),
        large(base + "2m driver.migrate_after=1024 copy_engine.lines=0", {}, t);
    BOOST_TEST(small.count("driver.frames") == 32u);
    BOOST_TEST(small.count("pager.company") == 0u);
    BOOST_TEST(small.count("driver.migrations") == 32u);
    BOOST_TEST(small.count("driver.pages_fetched") == 96u);
    BOOST_TEST(small.count("host_link.copied_in") == 96 * 1024u);
    BOOST_TEST(rare.count("driver.migrations") == 0u);
    BOOST_TEST(large.count("driver.frames") == 1u);
    BOOST_TEST(large.count("pager.company") == 0u);
    BOOST_TEST(large.count("driver.migrations") == 1u);
    BOOST_TEST(large.count("driver.pages_fetched") == 3u);
    const apu_run together(half + "driver.fetch_pages=64 address_space.page=64k driver.migrate_after=0", {},
                           t);
    BOOST_TEST(together.count("pager.company") == 48u, "three with each of sixteen");
}

/* The fewer slots may be in use, the more regions are evicted to the victim buffer, where walks find them. */
BOOST_DATA_TEST_CASE(remote_entries_leave_at_the_threshold,
                     data::make({"hashed", "hashed_stepless", "hashed address_space.page=64k",
                                 "hashed address_space.page=2m copy_engine.lines=0"}),
                     table)
{
    const trace t = phases({0, 1, 2, 3, 0, 1, 2});
    const std::string base =
        std::string("driver.oversubscription=400 driver.migrate_after=0 address_space.table=") + table +
        " driver.m_percent=";
    const apu_run few(base + "100", {}, t), more(base + "200", {}, t), all(base + "400", {}, t);
    BOOST_TEST(few.count("driver.left_at_threshold") == 3u);
    BOOST_TEST(more.count("driver.left_at_threshold") == 2u);
    BOOST_TEST(all.count("driver.left_at_threshold") == 0u);
    BOOST_TEST(few.count("walk_unit.pte_reads_v2") > more.count("walk_unit.pte_reads_v2"));
    BOOST_TEST(all.count("walk_unit.pte_reads_v2") == 0u);
    BOOST_TEST(few.count("driver.came_back") == 0u, "nothing of them is mapped anew");
}

/* Every page is fetched once before time zero, in the order of the buffers. */
BOOST_DATA_TEST_CASE(pages_are_where_there_is_room_at_the_start, data::make({"radix", "hashed"}), table)
{
    const trace t = phases({3, 2, 1, 0});
    const apu_run run(std::string("driver.oversubscription=200 driver.migrate_after=0 driver.m_percent=100 "
                                  "address_space.map=all_paged address_space.table=") +
                          table,
                      {}, t);
    BOOST_TEST(run.count("pager.faults") == 0u);
    BOOST_TEST(run.count("driver.pages_fetched") == 0u);
    BOOST_TEST(run.count("driver.device_pages") == 1024u);
    BOOST_TEST(run.count("driver.host_pages") == 1024u);
    BOOST_TEST(run.count("driver.remote_lines") == 2 * 1024u, "of the first two regions");
    BOOST_TEST(run.remote != 0u);
    if (std::string(table) == "hashed")
        BOOST_TEST(run.count("driver.left_at_threshold") == 2u);
}

/* All pages begin in host memory and are fetched by their counters: frequently used pages are soon fetched,
 * rarely used ones stay. */
BOOST_DATA_TEST_CASE(all_pages_may_begin_in_host_memory, data::make({"radix", "hashed"}), table)
{
    const std::string base = std::string("driver.oversubscription=100 address_space.map=all_paged "
                                         "driver.start=host pager.mean_cycles=0 pager.latency=constant "
                                         "copy_engine.lines=0 address_space.table=") +
                             table;
    const trace t = phases({0, 1, 2, 3, 0, 1, 2, 3});
    const apu_run stay(base + " driver.migrate_after=0", {}, t),
        come(base + " driver.migrate_after=32", {}, t);
    BOOST_TEST(stay.count("pager.faults") == 0u);
    BOOST_TEST(stay.count("driver.device_pages") == 0u);
    BOOST_TEST(stay.count("driver.host_pages") == 2048u);
    BOOST_TEST(stay.count("driver.pages_fetched") == 0u);
    BOOST_TEST(come.count("driver.pages_evicted") == 0u, "there is room for all");
    BOOST_TEST(come.count("driver.pages_fetched") == come.count("driver.device_pages"));
    BOOST_TEST(come.count("driver.device_pages") == 2048u);
    BOOST_TEST(5 * come.count("driver.remote_lines") < 3 * stay.count("driver.remote_lines"),
               "the second time nearly all are in device memory");
    BOOST_TEST(configured("driver.oversubscription=100 address_space.map=first_touch driver.start=host")
                   .validate()
                   .find("driver.start = host: address_space.map = all_paged is needed") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(regions_come_back_from_the_victim_buffer)
{
    const trace t = phases({0, 1, 0, 0, 1, 1});
    const apu_run run("driver.oversubscription=400 driver.migrate_after=16 driver.m_percent=100 " + hashed,
                      {}, t);
    BOOST_TEST(run.count("driver.came_back") > 1u);
    BOOST_TEST(run.count("driver.slots_reused") > 0u);
}

/* A fault fetches all 16 pages of its 64 KiB; with fetch_pages=1, only its own. */
BOOST_AUTO_TEST_CASE(pages_come_together)
{
    const apu_run alone("driver.oversubscription=100 driver.fetch_pages=1"),
        together("driver.oversubscription=100 driver.fetch_pages=16");
    BOOST_TEST(alone.count("pager.company") == 0u);
    BOOST_TEST(alone.count("pager.faults") > 2 * together.count("pager.faults"));
    BOOST_TEST(together.count("pager.company") > 0u);
    BOOST_TEST(together.count("driver.pages_fetched") == together.count("pager.pages_mapped"));
}

/* Frequently used pages return; without counters none does. */
BOOST_AUTO_TEST_CASE(pages_that_are_used_often_come_back)
{
    const trace t = phases({0, 1, 0, 0, 0, 0});
    const std::string base = "driver.oversubscription=400 copy_engine.lines=0 driver.migrate_after=";
    const apu_run never(base + "0", {}, t), soon(base + "16", {}, t);
    BOOST_TEST(never.count("driver.migrations") == 0u);
    BOOST_TEST(soon.count("driver.migrations") >= 16u);
    BOOST_TEST(soon.count("driver.pages_fetched") > never.count("driver.pages_fetched"));
    BOOST_TEST(soon.count("driver.remote_lines") < never.count("driver.remote_lines"));
}

/* Sixteen regions, a group of the step table, in 1.5 times as many slots: the step cache's entry of the group
 * is old whenever a region gets a slot that is not its home. */
BOOST_AUTO_TEST_CASE(steps_that_change_are_taken_back)
{
    std::vector<uint64_t> all(16);
    for (uint64_t n = 0; n < all.size(); ++n)
        all[n] = n;
    const apu_run run("driver.oversubscription=100 driver.fetch_pages=512 address_space.slots_percent=150 " +
                          hashed,
                      {}, phases(all, 32 << 20));
    BOOST_TEST(run.count("driver.regions_placed") == 16u);
    BOOST_TEST(run.count("walk_unit.pte_reads_steps") > 2u, "read again, since they were others");
    BOOST_TEST(run.count("pager.invalidates") > 0u);
}

/* Repeatedly: the counter of an evicted page restarts at zero. 32 times 64 KiB are a region. */
BOOST_AUTO_TEST_CASE(pages_come_back_as_often_as_they_left)
{
    const apu_run run("driver.oversubscription=400 copy_engine.lines=0 driver.migrate_after=16", {},
                      phases({0, 1, 0, 1, 0, 1}));
    BOOST_TEST(run.count("driver.migrations") > 2 * 32u);
}

/* The least recently used remote entry is evicted: not region 0, which the fourth kernel used. */
BOOST_AUTO_TEST_CASE(an_entry_that_is_used_stays)
{
    const apu_run run("driver.oversubscription=400 driver.migrate_after=0 driver.m_percent=300 " + hashed, {},
                      phases({0, 1, 2, 0, 3, 0}));
    BOOST_TEST(run.count("driver.left_at_threshold") == 1u);
    BOOST_TEST(run.count("walk_unit.pte_reads_v1") == 0u);
}

/* A page takes 64 lines on the link in each direction, and no other line is copied. */
BOOST_AUTO_TEST_CASE(every_page_that_moves_is_copied)
{
    const apu_run run(half + "driver.migrate_after=4");
    BOOST_TEST(run.count("host_link.copied_in") == 64 * run.count("driver.pages_fetched"));
    BOOST_TEST(run.count("host_link.copied_out") == 64 * run.count("driver.pages_evicted"));
    const apu_run at_once(half + "driver.migrate_after=4 copy_engine.lines=0");
    BOOST_TEST(at_once.count("host_link.copied_in") == 0u);
    BOOST_TEST(at_once.cycles < run.cycles);
}

/* Lines are written in device memory and in host memory: cached lines of a page are in memory before it
 * moves, and no cache keeps a line of its old place. */
BOOST_DATA_TEST_CASE(caches_are_flushed_before_a_page_moves,
                     data::make({"l1d.write=through", "l1d.write=back l2d.write_miss=fetch"}), policy)
{
    const trace t = phases({0, 1, 0, 1, 0, 1}, 4 << 20, WKT_STORE);
    const std::string base = std::string("driver.oversubscription=200 driver.migrate_after=8 ") + policy;
    const apu_run on(base, {}, t), off(base + " driver.flush=false", {}, t);
    BOOST_TEST(on.count("driver.pages_evicted") > 0u);
    BOOST_TEST(on.count("driver.migrations") > 0u);
    BOOST_TEST(on.count("l2d.flush_write_backs") > 0u);
    BOOST_TEST(on.count("l1d.flushed_lines") > 0u);
    BOOST_TEST((on.count("l1d.flush_write_backs") > 0u) == (std::string(policy) != "l1d.write=through"));
    BOOST_TEST(on.count("pager.flushes") > 1u);
    BOOST_TEST(on.count("driver.late_write_backs") == 0u);
    BOOST_TEST(on.count("driver.stale_lines") == 0u);
    BOOST_TEST(off.count("driver.stale_lines") > 0u, "of the page that the frame had before");
    BOOST_TEST(off.count("pager.flushes") == 0u);
    BOOST_TEST(off.count("l2d.flush_lookups") == 0u);
    BOOST_TEST(on.cycles != off.cycles);
}

/* Mappings of host memory live from their first use to their last: eight waves use 64 pages each of the
 * region in host memory. */
BOOST_AUTO_TEST_CASE(remote_mappings_live_from_their_first_use_to_their_last)
{
    const std::string base =
        "driver.oversubscription=200 driver.migrate_after=0 address_space.map=all_paged ";
    const apu_run once(base, {}, phases({0, 1}, 4 << 20)), twice(base, {}, phases({0, 1, 0}, 4 << 20));
    BOOST_TEST(once.count("driver.remote_used") == 512u);
    BOOST_TEST(twice.count("driver.remote_used") == 512u);
    BOOST_TEST(once.count("driver.mapped_cycles") == 1024 * once.cycles);
    BOOST_TEST(once.count("driver.remote_live_5") < 512u);
    BOOST_TEST(twice.count("driver.remote_live_5") == 512u,
               "all are used in the first and in the last kernel");
    BOOST_TEST(twice.count("driver.remote_live_cycles") > 3 * once.count("driver.remote_live_cycles"));
    const apu_run back("driver.oversubscription=200 driver.migrate_after=16 address_space.map=all_paged ", {},
                       phases({0, 1, 0, 0}, 4 << 20));
    BOOST_TEST(back.count("driver.remote_used") > 512u, "who comes back and leaves again is another");
}

/* An operating system may request a fetch. */
BOOST_AUTO_TEST_CASE(pages_are_fetched_when_an_event_asks)
{
    os_event e;
    e.where = "event";
    e.number = 20000;
    e.what = os_event::action::change;
    e.change = page_change::fetch;
    e.of = {ranges_of(program().reader())[0].base_va, 16384, 0};
    const std::string settings = half + "driver.migrate_after=0";
    const apu_run run(settings, {e});
    BOOST_TEST(run.count("os.acknowledged") == 1u);
    const auto refused = [&](const os_event &event, const std::string &with) {
        try {
            const apu_run none(with, {event});
            return std::string();
        } catch (const std::runtime_error &error) {
            return std::string(error.what());
        }
    };
    os_event wide = e;
    wide.of.bytes = 4 << 20;
    BOOST_TEST(refused(wide, settings).find("one aligned 2 MiB") != std::string::npos);
    os_event unmap = e;
    unmap.change = page_change::unmap;
    BOOST_TEST(refused(unmap, settings).find("pages are the driver's") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_does_not_go_together_is_refused)
{
    const auto wrong = [](const std::string &settings) { return configured(half + settings).validate(); };
    BOOST_TEST(wrong("").find("address_space.map = first_touch or all_paged") != std::string::npos);
    const std::string lazy = "address_space.map=first_touch ";
    BOOST_TEST(wrong(lazy) == "");
    for (const std::string one : {"64k", "2m"})
        BOOST_TEST(wrong(lazy + "address_space.page=" + one) == "");
    BOOST_TEST(wrong(lazy + "address_space.page=mixed").find("address_space.page = 4k, 64k or 2m") !=
               std::string::npos);
    BOOST_TEST(wrong(lazy + "address_space.spaces=2").find("one address space") != std::string::npos);
    BOOST_TEST(wrong(lazy + "address_space.table=nested").find("address_space.paging = host") !=
               std::string::npos);
    BOOST_TEST(wrong(lazy + "driver.oversubscription=99").find("below 100") != std::string::npos);
    BOOST_TEST(wrong(lazy + "driver.fetch_pages=3").find("power of two") != std::string::npos);
    BOOST_CHECK_THROW(apu_run(half + "driver.oversubscription=10000 driver.fetch_pages=512"),
                      std::runtime_error);
    BOOST_TEST(configured(lazy).overruled_by("host_link.reads") == "driver.oversubscription");
    BOOST_TEST(configured(lazy + half).overruled_by("host_link.reads") == "");
}

BOOST_AUTO_TEST_SUITE_END()
