/* SPDX-License-Identifier: MIT */
/* The pages that translation stages show: lookups per cycle with their results, and pages evicted for a
 * fill. */
#include "model/memory_tlb.hpp"
#include "model/perfect_tlb.hpp"
#include "tb/model/iommu_rig.hpp"
#include "tb/support/block_numbers.hpp"
#include "tb/support/bunch_store.hpp"
#include "tb/support/signal_log.hpp"

using namespace walkway;
using namespace walkway::test;

namespace
{

constexpr uint64_t nothing = signal_visitor::nothing;

/* A lookup of a cycle: "7 HIT"; "-" if there is none. */
std::string shown(const signal_log &log, unsigned n, uint64_t cycles)
{
    const std::string lookup = "lookup_" + std::to_string(n) + ".";
    const uint64_t vpn = log.at(lookup + "vpn", cycle(cycles));
    const uint64_t result = log.at(lookup + "result", cycle(cycles));
    const std::string name = lookup_results().names.at(result);
    if (vpn == nothing)
        return name == "NONE" ? "-" : "X " + name;
    return std::to_string(vpn) + " " + name;
}

uint64_t gone(const signal_log &log, uint64_t cycles)
{
    return log.at("victim.vpn", cycle(cycles));
}

/* Two lookups per cycle, three pages; below, a translation takes 100 cycles. */
struct stage_rig {
    simulation sim;
    xlat_requester top{"top"};
    xlat_responder below{"below"};
    bunch *held = nullptr;
    xlat_stage dut;
    translations asked{top};

    explicit stage_rig(const miss_limits &limits = {2, 64, 8, 8, 10, 1, 0})
        : dut("dut", gpu_clock, make_bunch(3, held), {"l1", "L1 TLB"}, limits, {}, 12, 1)
    {
        top.down.bind(*dut.up[0]);
        dut.down.bind(below.up);
        invent(below);
        below.latency = 100;
    }
    void ask(uint64_t page, uint64_t in_cycle) { asked.ask(page << 12, cycle(in_cycle), 0, 0, 0); }
    /* Two at once, one in flight, one that hits, and one that evicts three. */
    void program()
    {
        ask(1, 100);
        ask(2, 100);
        ask(1, 101);
        ask(2, 1000);
        ask(3, 2000);
        ask(4, 3000);
        ask(4, 3500);
    }
};

/* The requester requests what a test chooses; the level below answers every page after 30 cycles. */
template <class BLOCK> struct between {
    xlat_requester top{"top"};
    xlat_responder below{"below"};
    BLOCK dut;
    translations asked{top};
    template <class PARAMS> between(const char *name, const PARAMS &p) : dut(name, gpu_clock, p, 1)
    {
        top.down.bind(*dut.up[0]);
        dut.down.bind(below.up);
        below.latency = 30;
        invent(below);
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(lookups)

BOOST_AUTO_TEST_CASE(each_lookup_of_a_cycle_is_shown_in_it_and_in_no_other)
{
    stage_rig r;
    const signal_log log(r.dut);
    r.program();
    r.sim.run();
    BOOST_TEST(shown(log, 0, 99) == "-");
    BOOST_TEST(shown(log, 0, 100) == "1 MISS");
    BOOST_TEST(shown(log, 1, 100) == "2 MISS");
    BOOST_TEST(shown(log, 0, 101) == "1 MERGE");
    BOOST_TEST(shown(log, 1, 101) == "-");
    BOOST_TEST(shown(log, 0, 102) == "-");
    BOOST_TEST(shown(log, 0, 1000) == "2 HIT");
    BOOST_TEST(shown(log, 0, 1001) == "-");
    BOOST_TEST(shown(log, 0, 3000) == "4 MISS");
    BOOST_TEST(!log.has("lookup_2.vpn"));
}

BOOST_AUTO_TEST_CASE(of_more_lookups_than_are_shown_it_is_the_last_ones)
{
    constexpr uint32_t shown_at_most = signal_visitor::max_array, asked = shown_at_most + 2;
    stage_rig r({asked, asked, asked, 8, 10, 1, 0});
    const signal_log log(r.dut);
    for (uint64_t page = 1; page <= asked; ++page)
        r.ask(page, 100);
    r.sim.run();
    for (unsigned n = 0; n < shown_at_most; ++n)
        BOOST_TEST(shown(log, n, 100) == std::to_string(n + 3) + " MISS");
}

BOOST_AUTO_TEST_CASE(the_last_that_leaves_for_a_fill_is_shown_in_the_cycle_of_the_fill)
{
    stage_rig r;
    const signal_log log(r.dut);
    r.program();
    r.sim.run();
    const uint64_t filled = 3000 + 10 + 100; /* evicts three pages */
    BOOST_TEST(r.dut.stats().evictions == 3u);
    BOOST_TEST(gone(log, filled - 1) == nothing);
    BOOST_TEST(gone(log, filled) == 3u);
    BOOST_TEST(gone(log, filled + 1) == nothing);
    for (const uint64_t other : {100, 101, 1000, 2110, 3500})
        BOOST_TEST(gone(log, other) == nothing);
}

/* Steps of the stage: six cycles with lookups and three with answers. An observed stage also steps once at
 * the beginning, and at the end of each of these cycles that shows a page unless another step ends it. */
BOOST_AUTO_TEST_CASE(a_stage_that_nobody_looks_at_takes_no_step_for_it)
{
    for (const bool watched : {false, true}) {
        stage_rig r;
        r.program();
        std::unique_ptr<signal_log> log;
        if (watched)
            log = std::make_unique<signal_log>(r.dut);
        r.sim.run();
        BOOST_TEST(r.dut.activations() == (watched ? 9u + 1u + 6u : 9u));
        BOOST_TEST(r.dut.stats().lookups == 7u);
        BOOST_TEST(r.dut.stats().evictions == 3u);
    }
}

BOOST_AUTO_TEST_CASE(the_iommus_tlbs_show_theirs)
{
    simulation sim;
    iommu_tlb_params p = quick().tlb;
    p.tlb1_entries = 1;
    p.tlb2_entries = 0;
    p.ports = 2;
    between<iommu_tlb> chain("iommu_tlb", p);
    translations &asked = chain.asked;
    const signal_log log(chain.dut);
    asked.ask(7 << 12, cycle(100));
    asked.ask(7 << 12, cycle(1000));
    asked.ask(8 << 12, cycle(1000));
    asked.ask(8 << 12, cycle(1001)); /* returns when the page is there: evicts nothing */
    sim.run();
    BOOST_TEST(shown(log, 0, 100) == "7 MISS");
    BOOST_TEST(shown(log, 1, 100) == "-");
    BOOST_TEST(shown(log, 0, 101) == "-");
    BOOST_TEST(shown(log, 0, 1000) == "7 HIT");
    BOOST_TEST(shown(log, 1, 1000) == "8 MISS");
    std::vector<uint64_t> left;
    for (uint64_t c = 0; c < 1200; ++c)
        if (gone(log, c) != nothing)
            left.push_back(c);
    BOOST_TEST_REQUIRE(left.size() == 1u);
    BOOST_TEST(left[0] > 1000u);
    BOOST_TEST(gone(log, left[0]) == 7u);
}

BOOST_AUTO_TEST_CASE(one_that_answers_any_number_shows_the_last_of_them)
{
    simulation sim;
    memory_store store;
    address_spaces space(numbers_of<address_space_params>(), {{uint64_t{1} << 32, 1 << 20}}, store);
    xlat_requester top;
    perfect_tlb dut("perfect", gpu_clock, space, {"l1", "L1 TLB"}, 64, 1);
    top.down.bind(*dut.up[0]);
    translations asked(top);
    const signal_log log(dut);
    const uint64_t first = uint64_t{1} << 32;
    for (const uint64_t page : {0, 1, 2})
        asked.ask(first + page * 4096, cycle(10));
    sim.run();
    BOOST_TEST(shown(log, 0, 10) == std::to_string((first >> 12) + 2) + " HIT");
    BOOST_TEST(shown(log, 0, 11) == "-");
    BOOST_TEST(!log.has("lookup_1.vpn"));
}

BOOST_AUTO_TEST_CASE(a_table_in_memory_shows_a_lookup_when_it_is_decided)
{
    simulation sim;
    memory_store store;
    memory_tlb_params p = numbers_of<memory_tlb_params>();
    p.entries = 64;
    p.table_pa = uint64_t{1} << 33;
    p.read_cycles = 3;
    p.queue_entries = 16;
    mem_responder memory{"memory"};
    between<memory_tlb> chain("memory_tlb", p);
    translations &asked = chain.asked;
    chain.dut.mem.bind(memory.up);
    memory.latency = 20;
    serve(memory, store);
    const signal_log log(chain.dut);
    asked.ask(5 << 12, cycle(100));
    asked.ask(5 << 12, cycle(1000));
    sim.run();
    BOOST_TEST(shown(log, 0, 100) == "-");
    BOOST_TEST(shown(log, 0, 100 + 3 + 20) == "5 MISS");
    BOOST_TEST(shown(log, 0, 124) == "-");
    BOOST_TEST(shown(log, 0, 1023) == "5 HIT");
    BOOST_TEST(shown(log, 0, 1024) == "-");
}

BOOST_AUTO_TEST_SUITE_END()
