/* SPDX-License-Identifier: MIT */
/* Whole machines under traffic while pages are moved at random: every completed translation is valid, or one
 * that an open invalidate has not revoked yet; no line of a freed frame is read, and no stage answers with
 * one. */
#include "model/memory_tlb.hpp"
#include "model/xlat_stage.hpp"
#include "platforms/gpu.hpp"
#include "tb/platform/auditor.hpp"
#include "tb/platform/page_mover.hpp"
#include "tb/support/test_share.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

/* Not anonymous: test cases with rows are templates with these types as arguments. */
namespace platform_invalidate
{

wkt_reader *made_up()
{
    static const trace t(rows_and_scattered(2));
    return t.reader();
}

/* ATAX, 512 x 512. */
struct captured {
    wkt_reader *reader = nullptr;
    captured()
    {
        wkt_error e;
        BOOST_REQUIRE(wkt_open(WW_SOURCE_DIR "/waveforms/atax-512.wkt", &reader, &e) == WKT_OK);
    }
    ~captured() { wkt_close(reader); }
    captured(const captured &) = delete;
    captured &operator=(const captured &) = delete;
};

/* A machine from a file of platforms/, whose pages are moved at most `most` times. */
template <class M> struct run_of {
    uint64_t moves, seen, used_while_open, invalidates = 0, acknowledged = 0, restarted = 0, refused = 0,
                                           in_memory = 0, most_dropped = 0, dropped_at = 0;

    run_of(const gpu_machine_params &p, wkt_reader *trace, extent e, uint32_t most, uint64_t seed,
           bool waits = true)
    {
        simulation sim;
        auto world = std::make_shared<memory_world>(p.address_space_of_run(), trace, p.memory_end());
        auto made = std::make_unique<gpu_top>("top", p.resolved(world->spaces.pages()), *world, trace);
        gpu_top &top = *made;
        page_mover m(*world, top, trace, p.memory_end() - (uint64_t{1} << 28), e, most, seed);
        m.running = [&top] { return !top.dispatcher.done(); };
        for (coalescer *c : top.coalescer)
            c->watch(&m);
        for (block *b : top.blocks())
            if (dynamic_cast<data_cache *>(b) != nullptr || dynamic_cast<walk_unit *>(b) != nullptr)
                b->attach(&m);
        machine run({world, std::move(made)});
        BOOST_TEST((run.run({}) == run_end::complete));
        for (const law &l : run.laws())
            BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right << " " << l.story);
        BOOST_TEST(!m.open);
        BOOST_TEST(m.wrong == 0u);
        if (waits)
            BOOST_TEST(m.late == 0u);
        BOOST_TEST(m.stale == 0u);
        moves = m.moves;
        seen = m.seen;
        used_while_open = m.used_while_open;
        for (block *b : top.blocks())
            count(*b);
        BOOST_TEST(invalidates == m.all.roots() * moves);
        BOOST_TEST(acknowledged == invalidates);
    }

private:
    void count(const block &b)
    {
        if (const auto *walks = dynamic_cast<const walk_unit *>(&b)) {
            invalidates += walks->stats().invalidates;
            acknowledged += walks->stats().invalidate_latency.count();
            restarted += walks->stats().walks_restarted;
        }
        if (const auto *stage = dynamic_cast<const xlat_stage *>(&b)) {
            refused += stage->stats().fills_refused;
            most_dropped = std::max(most_dropped, stage->stats().invalidated);
            dropped_at += stage->stats().invalidated != 0;
        }
        if (const auto *table = dynamic_cast<const memory_tlb *>(&b)) {
            in_memory += table->stats().invalidated;
            law_list laws(b.now(), false);
            table->laws(laws);
            for (const law &l : laws.all())
                BOOST_TEST(l.holds(), l.name << ": " << l.left << " and " << l.right);
        }
    }
};

using apu_run = run_of<apu_machine>;
using mmu_run = run_of<mmu_machine>;

template <class M> gpu_machine_params machine_of(const std::string &settings)
{
    gpu_machine_params p = shipped<M>();
    param_setter set(settings);
    p.visit(set);
    BOOST_REQUIRE(set.unused().empty());
    return p;
}

/* Every bound at one, as far as a machine runs with it. */
const std::string tight = "coalescer.instructions=1 coalescer.window=0 coalescer.queue_entries=1 "
                          "l1_tlb.mshrs=1 l1_tlb.merges=1 l1_tlb.queue_entries=1 l1_tlb.ports=1 "
                          "l1d.mshrs=1 l1d.queue_entries=1 l2d.mshrs=1 l2d.queue_entries=1 ";
const std::string tight_apu =
    tight + "l2_tlb.mshrs=1 l2_tlb.merges=1 l2_tlb.queue_entries=1 l2_tlb.ports=1 "
            "walk_unit.walkers=1 walk_unit.buffer_entries=1 iommu_tlb.queue_entries=1 iommu_tlb.ports=1 ";
const std::string tight_mmu = tight + "walk_unit.buffer_entries=1 ";
/* Lines are long in flight after memory, and other reads join them. */
const std::string joined = "walk_unit.pte_cache_bytes=1024 walk_unit.pte_cache_merge=true "
                           "walk_unit.reply_cycles=600 ";
/* Lines that arrived wait for the state machine, with walkers that joined their reads or wait their turn. */
const std::string matched = "walk_unit.pwc_merge=true walk_unit.match_cycles=20 walk_unit.reply_cycles=600 ";
const std::string turns =
    "walk_unit.line_reads=in_turn walk_unit.pte_cache_bytes=1024 walk_unit.match_cycles=20 ";
/* One answer fills whole places. */
const std::string places = "l1_tlb.store=subentry l1_tlb.subentry_fill=all l2_tlb.store=subentry "
                           "l2_tlb.subentry_fill=all l1_tlb.link_cycles=800 ";
/* L1 TLBs so small, and so far away, that many victims are in flight. */
const std::string victims = "l1_tlb.entries=4 l1_tlb.ways=4 l1_tlb.victims=pass l1_tlb.link_cycles=800 "
                            "l2_tlb.fills=256 l2_tlb.entries=64 ";
/* Fills that wait long for their port. */
const std::string lent = "l1_tlb.entries=4 l1_tlb.ways=4 lds.banks=32 lds_tx.translations=on lds_tx.fills=64 "
                         "lds_tx.fill_uses=40 l2_tlb.fills=256 ";
/* A heavily used table in memory: small TLBs above it, and a line buffer that is busy for long. */
const std::string table = "l1_tlb.entries=4 l1_tlb.ways=4 l2_tlb.entries=4 l2_tlb.ways=4 "
                          "memory_tlb.entries=256 iommu_tlb.tlb1_entries=1 iommu_tlb.tlb2_entries=0 ";
const std::string slow_table = table + "memory_tlb.read_cycles=60 memory_tlb.mshrs=6 memory_tlb.merges=6 ";
/* A stage in between that holds only victims from above, over one whose entries displace each other. */
const std::string between = "l1_tlb.entries=4 l1_tlb.ways=4 l1_tlb.victims=pass victim.entries=32 "
                            "victim.fills=64 victim.victims=pass l2_tlb.fills=64 l2_tlb.store=compressed ";

/* For machines of three levels and more. */
const std::string small_gpu3 = "l1_tlb.entries=4 l1_tlb.ways=4 l2_tlb.entries=16 l2_tlb.ways=4 "
                               "l3_tlb.entries=64 ";
const std::string victims_gpu3 = small_gpu3 + "l1_tlb.victims=pass l1_tlb.link_cycles=400 l2_tlb.fills=64 "
                                              "l2_tlb.victims=pass l2_tlb.link_cycles=400 l3_tlb.fills=64 ";
const std::string small_two_victims =
    "l1_tlb.entries=4 l1_tlb.ways=4 l1_tlb.link_cycles=400 victim.entries=8 "
    "victim.fills=64 victim.victims=pass victim.link_cycles=400 "
    "l2_tlb.entries=16 l2_tlb.ways=4 l2_tlb.fills=64 far_victim.entries=64 "
    "far_victim.ways=4 l2_tlb.link_cycles=400 ";

/* Each of 250 compute units uses every one of these pages at some time. */
wkt_reader *shared_by_all()
{
    static const trace t([] {
        trace_spec spec = row_major(1, 8, 4, 4096);
        spec.launches[0].groups.resize(500, spec.launches[0].groups[0]);
        return spec;
    }());
    return t.reader();
}

} // namespace platform_invalidate
using namespace platform_invalidate;

BOOST_AUTO_TEST_SUITE(invalidate_on_machines)

BOOST_DATA_TEST_CASE(pages_move_under_traffic_and_nobody_uses_an_old_one_on_the_apu,
                     data::make({extent::page, extent::range, extent::node, extent::space, extent::all}) *
                         data::make({std::string(), std::string("walk_unit.coalesce=full "), joined, matched,
                                     turns, places, victims, lent, between, table, slow_table, tight_apu}),
                     e, how)
{
    static test_share some(3);
    if (!some.takes())
        return;
    const apu_run r(configured("gpu.cus=2 address_space.spaces=2 " + how), made_up(), e, 300,
                    static_cast<uint64_t>(e) + 7);
    BOOST_TEST(r.seen > 1000u);
    BOOST_TEST(r.moves > 20u);
    BOOST_TEST((r.in_memory > 0 || how != table));
    BOOST_TEST((r.in_memory == 0 || how == table || how == slow_table));
}

/* A walk unit per compute unit: an invalidate begins at all of them, and is acknowledged when all have. */
BOOST_DATA_TEST_CASE(and_on_the_mmu_where_it_begins_at_every_walk_unit,
                     data::make({extent::page, extent::range, extent::node, extent::space}) *
                         data::make({std::string(), std::string("walk_unit.coalesce=full "), tight_mmu}),
                     e, how)
{
    static test_share some(3);
    if (!some.takes())
        return;
    const mmu_run r(machine_of<mmu_machine>("gpu.cus=3 address_space.spaces=2 " + how), made_up(), e, 300, 3);
    BOOST_TEST(r.moves > 20u);
    BOOST_TEST(r.invalidates == 3 * r.moves);
}

/* Rare events occur: walks restart, old translations are used while they may be, fills are refused. */
BOOST_DATA_TEST_CASE(and_while_a_captured_program_runs_on_the_apu,
                     data::make({std::string(), victims, joined, table}), how)
{
    static test_share some(2);
    if (!some.takes())
        return;
    const captured atax;
    const apu_run r(configured("address_space.spaces=2 " + how), atax.reader, extent::any, 150, 1);
    BOOST_TEST(r.seen > 100000u);
    BOOST_TEST(r.moves > 50u);
    BOOST_TEST(r.restarted > 0u);
    BOOST_TEST(r.used_while_open > 0u);
    BOOST_TEST((r.refused > 0) == (how == victims));
}

BOOST_AUTO_TEST_CASE(and_on_the_mmu)
{
    const captured atax;
    const mmu_run r(machine_of<mmu_machine>("address_space.spaces=2"), atax.reader, extent::any, 150, 2);
    BOOST_TEST(r.seen > 100000u);
    BOOST_TEST(r.moves > 50u);
    BOOST_TEST(r.restarted > 0u);
}

/* An invalidate passes up through stages with unequal numbers of requesters, and its copies return. */
BOOST_DATA_TEST_CASE(and_through_three_levels_of_tlbs_in_groups_by_number,
                     data::make({extent::page, extent::range, extent::node, extent::space, extent::all}) *
                         data::make({small_gpu3, victims_gpu3, small_gpu3 + tight_mmu}),
                     e, how)
{
    static test_share some(5);
    if (!some.takes())
        return;
    const uint32_t most = e == extent::page ? 1000 : 200; /* a page is rarely held anywhere */
    const run_of<gpu3_machine> r(machine_of<gpu3_machine>("address_space.spaces=2 " + how), made_up(), e,
                                 most, static_cast<uint64_t>(e) + 11);
    BOOST_TEST(r.seen > 1000u);
    BOOST_TEST(r.moves > 20u);
    BOOST_TEST((r.refused == 0 || how == victims_gpu3));
    BOOST_TEST(r.dropped_at >= (e == extent::page ? 3u : 20u));
}

BOOST_DATA_TEST_CASE(and_through_two_victim_tlbs_with_a_prefetcher_below_the_l2_tlb,
                     data::make({extent::page, extent::range, extent::node, extent::space, extent::all}) *
                         data::make({std::string(), small_two_victims,
                                     small_two_victims + "walk_unit.coalesce=full " + tight_mmu}),
                     e, how)
{
    static test_share some(5);
    if (!some.takes())
        return;
    const run_of<two_victims_machine> r(
        machine_of<two_victims_machine>("gpu.cus=4 address_space.spaces=2 " + how), made_up(), e, 300,
        static_cast<uint64_t>(e) + 13);
    BOOST_TEST(r.seen > 1000u);
    BOOST_TEST(r.moves > 20u);
    BOOST_TEST((r.refused > 0 || how != small_two_victims || e == extent::page));
}

/* One stage with 250 others above it, each of which has the page: every copy is found, and counted back. */
BOOST_AUTO_TEST_CASE(and_where_250_compute_units_have_the_same_pages)
{
    const apu_run r(configured("gpu.cus=250 l2_tlb.merges=4096"), shared_by_all(), extent::all, 12, 3);
    BOOST_TEST(r.seen > 250u * 8);
    BOOST_TEST(r.moves > 2u);
    BOOST_TEST(r.dropped_at > 250u); /* each L1 TLB and the levels below */
}

/* Only an invalidate removes a page from an infinite TLB. */
BOOST_DATA_TEST_CASE(an_infinite_tlb_gives_pages_up, data::make({extent::page, extent::any}), e)
{
    const apu_run r(configured("address_space.spaces=2 translation.ideal=infinite_tlb"), made_up(), e, 300,
                    5);
    BOOST_TEST(r.moves > 5u);
}

/* On the ladder's upper rungs no stage holds a translation and no requester waits for accesses in flight, yet
 * an invalidate is acknowledged. */
BOOST_AUTO_TEST_CASE(it_ends_where_nobody_is_above)
{
    const apu_run r(configured("gpu.cus=2 translation.ideal=perfect_l1"), made_up(), extent::page, 300, 5,
                    false);
    BOOST_TEST(r.moves > 20u);
}

BOOST_AUTO_TEST_SUITE_END()
