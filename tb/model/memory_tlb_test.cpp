/* SPDX-License-Identifier: MIT */
/* The table of translations in memory by itself: times, accesses that meet at a line, bounds, page sizes, and
 * the writes of a fill. */
#include "model/memory_tlb.hpp"
#include "tb/model/invalidate_peers.hpp"
#include "tb/support/block_numbers.hpp"
#include "tb/support/requests.hpp"

#include <boost/test/data/test_case.hpp>

#include <algorithm>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

constexpr uint64_t table_pa = uint64_t{1} << 33, base_va = uint64_t{1} << 32;

/* 16 lines. */
memory_tlb_params small()
{
    memory_tlb_params p = numbers_of<memory_tlb_params>();
    p.entries = 64;
    p.table_pa = table_pa;
    p.read_cycles = 3;
    p.compare_cycles = 2;
    p.response_cycles = 4;
    p.down_cycles = 6;
    p.queue_entries = 16;
    return p;
}

/* Memory takes 20 cycles; the level below takes 30 and invents every page. */
struct rig {
    simulation sim;
    memory_store store;
    xlat_requester top{"top"};
    mem_responder memory{"memory"};
    xlat_responder below{"below"};
    memory_tlb dut;
    translations asked{top};

    explicit rig(const memory_tlb_params &p = small()) : dut("memory_tlb", gpu_clock, p, 1)
    {
        top.down.bind(*dut.up[0]);
        dut.down.bind(below.up);
        dut.mem.bind(memory.up);
        memory.latency = 20;
        serve(memory, store);
        below.latency = 30;
        invent(below);
    }
    /* Sets a state before time zero. */
    void hold(uint64_t va, const ww_xlat &x, uint16_t vmid = 0)
    {
        const ww_slot_cfg cfg = small().table();
        const uint64_t pa = table_pa + uint64_t{ww_slot_line(&cfg, va, x.page_shift)} * 64;
        const ww_mapping m = {va, x, vmid};
        uint64_t line[WW_SLOT_LINE_WORDS];
        store.read(pa, reinterpret_cast<unsigned char *>(line), 64);
        ww_slot_fill(line, &m, 0);
        store.write(pa, reinterpret_cast<const unsigned char *>(line), 64);
    }
    struct want {
        uint64_t at, va, back;
    };
    void rows(const std::vector<want> &list)
    {
        std::vector<row<xlat_protocol>> out;
        for (const want &w : list)
            out.push_back({cycle(w.at), &asked.make(w.va, cycle(w.at)), cycle(w.back)});
        check_rows<xlat_protocol>(sim, top, out);
        for (const auto &r : out)
            BOOST_TEST(r.p->result.page_pa ==
                       ww_page_base(invented(r.p->va).page_pa, r.p->result.page_shift));
        idle();
    }
    void idle()
    {
        BOOST_TEST(dut.waiting() == "");
        BOOST_TEST(dut.live() == 0u);
    }
};

constexpr uint64_t hit = 3 + 20 + 2 + 4, miss = 3 + 20 + 2 + 6 + 30 + 4;
/* Pages with lines of their own, and pages that share one. */
constexpr uint64_t page(uint64_t n)
{
    return base_va + n * 4096;
}
constexpr uint64_t same_line(uint64_t n)
{
    return base_va + n * 16 * 4096;
}

} // namespace

BOOST_AUTO_TEST_SUITE(memory_tlbs)

BOOST_AUTO_TEST_CASE(a_hit_takes_the_way_to_memory_and_back)
{
    rig r;
    r.hold(page(0), invented(page(0)));
    r.rows({{10, page(0) + 17, 10 + hit}});
    BOOST_TEST(r.dut.stats().hits == 1u);
    BOOST_TEST(r.dut.stats().line_reads == 1u);
    BOOST_TEST(r.dut.stats().line_writes == 0u);
    BOOST_TEST(r.below.taken.empty());
    BOOST_TEST(r.memory.taken.at(0).second == cycle(13));
    BOOST_TEST(r.memory.taken.at(0).first->get_address() == table_pa);
}

/* The answer arrives at 65; the line is read by 65 + 3 + 20, written 23 cycles later. */
BOOST_AUTO_TEST_CASE(a_miss_goes_on_when_its_line_was_read_and_its_answer_is_put_into_the_line)
{
    rig r;
    r.rows({{10, page(1), 10 + miss}, {200, page(1), 200 + hit}});
    BOOST_TEST(r.below.taken.at(0).second == cycle(10 + 3 + 20 + 2 + 6));
    BOOST_TEST_REQUIRE(r.memory.taken.size() == 4u);
    BOOST_TEST(r.memory.taken[1].second == cycle(71 + 3));
    BOOST_TEST(r.memory.taken[1].first->get_address() == table_pa + 64);
    BOOST_TEST(r.memory.taken[2].second == cycle(94 + 3));
    BOOST_TEST(r.dut.stats().line_writes == 1u);
    BOOST_TEST(r.dut.stats().fills_kept == 1u);
    BOOST_TEST(r.dut.stats().misses == 1u);
}

BOOST_AUTO_TEST_CASE(its_time_is_charged_to_queue_read_and_compare)
{
    rig r;
    xlat_request &a = r.asked.ask(page(1), cycle(10));
    r.sim.run();
    BOOST_TEST(spent(a, "memory_tlb_queue") == 0u);
    BOOST_TEST(spent(a, "memory_tlb_read") == cycle(23));
    BOOST_TEST(spent(a, "memory_tlb_compare") == cycle(2));
}

/* The second and the third join the first one's read; the last one looks up while the fill is being
 * written. */
BOOST_AUTO_TEST_CASE(lookups_of_one_line_share_its_read_and_do_not_wait_for_its_writing)
{
    rig r;
    for (uint64_t n = 0; n < 4; ++n)
        r.hold(same_line(n), invented(same_line(n)));
    r.rows({{10, same_line(0), 10 + hit}, {12, same_line(1), 10 + hit}, {25, same_line(2), 10 + hit}});
    BOOST_TEST(r.dut.stats().line_reads == 1u);
    BOOST_TEST(r.dut.stats().merged == 2u);

    rig w;
    w.rows({{10, page(1), 10 + miss}, {100, page(1), 100 + 2 + 4}});
    BOOST_TEST(w.dut.stats().forwarded == 1u);
    BOOST_TEST(w.dut.stats().line_reads == 2u);
}

BOOST_AUTO_TEST_CASE(a_page_that_shares_the_line_of_a_miss_is_read_again_by_nobody_twice_at_once)
{
    rig r;
    r.rows({{10, same_line(0), 10 + miss}, {11, same_line(1), 10 + miss}});
    BOOST_TEST(r.dut.stats().fills_kept == 2u);
    BOOST_TEST(r.dut.stats().line_reads == 2u);  /* one for both lookups, one for both fills */
    BOOST_TEST(r.dut.stats().line_writes == 1u); /* which writes both */
}

BOOST_AUTO_TEST_CASE(what_is_in_the_line_by_then_is_not_written_again)
{
    rig r;
    r.rows({{10, page(1), 10 + miss}, {11, page(1), 10 + miss}, {12, page(1), 10 + miss}});
    BOOST_TEST(r.dut.stats().fills == 3u);
    BOOST_TEST(r.dut.stats().fills_kept == 1u);
    BOOST_TEST(r.dut.stats().fills_same == 2u);
    BOOST_TEST(r.dut.stats().line_writes == 1u);
}

BOOST_AUTO_TEST_CASE(without_a_buffer_for_its_line_a_lookup_waits)
{
    memory_tlb_params p = small();
    p.mshrs = 1;
    rig r(p);
    r.hold(page(1), invented(page(1)));
    r.hold(page(2), invented(page(2)));
    r.rows({{10, page(1), 10 + hit}, {11, page(2), 33 + hit}});
    BOOST_TEST(r.dut.stats().stall_lines_cycles == 22u);
}

BOOST_AUTO_TEST_CASE(without_a_place_to_join_a_line_a_lookup_waits)
{
    memory_tlb_params p = small();
    p.merges = 1;
    rig r(p);
    for (uint64_t n = 0; n < 3; ++n)
        r.hold(same_line(n), invented(same_line(n)));
    r.rows({{10, same_line(0), 10 + hit}, {11, same_line(1), 10 + hit}, {12, same_line(2), 33 + hit}});
    BOOST_TEST(r.dut.stats().stall_lines_cycles == 21u);
}

BOOST_AUTO_TEST_CASE(ports_begin_so_many_lookups_per_cycle)
{
    memory_tlb_params p = small();
    p.ports = 1;
    rig r(p);
    for (uint64_t n = 0; n < 3; ++n)
        r.hold(page(n), invented(page(n)));
    r.rows({{10, page(0), 10 + hit}, {10, page(1), 11 + hit}, {10, page(2), 12 + hit}});
}

/* Both are sent down after their lookups; while the first waits outside, no lookup starts. */
BOOST_AUTO_TEST_CASE(while_the_level_below_is_full_no_lookup_starts)
{
    rig r;
    r.below.closed_until = cycle(3000);
    for (uint64_t n = 0; n < 1200; ++n)
        r.asked.ask(page(n), cycle(10 + n));
    r.sim.run_until(cycle(2900));
    BOOST_TEST(r.dut.stats().lookups < 1024u + 60u); /* its queue, and lookups in flight */
    r.sim.run();
    BOOST_TEST(r.asked.proved() == 1200u);
    BOOST_TEST(r.dut.stats().stall_below_cycles > 0u);
    r.idle();
}

/* Four answers arrive while the only buffer is busy. */
BOOST_AUTO_TEST_CASE(answers_wait_for_a_buffer_and_those_without_a_place_are_not_entered)
{
    memory_tlb_params p = small();
    p.mshrs = 1;
    p.fills = 1;
    rig r(p);
    for (uint64_t n = 0; n < 4; ++n)
        r.asked.ask(page(n), cycle(10));
    r.below.latency = 300;
    r.sim.run();
    const memory_tlb_stats s = r.dut.stats();
    BOOST_TEST(s.fills == 4u);
    BOOST_TEST(s.fills_kept + s.fills_dropped == 4u);
    BOOST_TEST(r.asked.proved() == 4u);
    r.idle();
}

BOOST_AUTO_TEST_CASE(the_fifth_page_of_a_line_displaces_the_first)
{
    rig r;
    std::vector<rig::want> list;
    for (uint64_t n = 0; n < 5; ++n)
        list.push_back({10 + 200 * n, same_line(n), 10 + 200 * n + miss});
    for (uint64_t n = 1; n < 5; ++n)
        list.push_back({2000 + 200 * n, same_line(n), 2000 + 200 * n + hit});
    list.push_back({4000, same_line(0), 4000 + miss});
    r.rows(list);
    BOOST_TEST(r.dut.stats().displaced == 2u);
    BOOST_TEST(r.dut.stats().resident == 4u);
}

BOOST_AUTO_TEST_CASE(a_fault_is_passed_on_and_enters_nothing)
{
    rig r;
    r.below.answer = [c = cause_of(r.below, "below")](xlat_request &q, tick at) {
        q.fault = true;
        q.charge(c, at);
    };
    xlat_request &a = r.asked.ask(page(1), cycle(10));
    r.sim.run();
    BOOST_TEST(a.fault);
    BOOST_TEST(r.top.done[&a] == cycle(10 + miss));
    BOOST_TEST(r.dut.stats().fills == 0u);
    BOOST_TEST(r.memory.taken.size() == 1u);
}

BOOST_AUTO_TEST_CASE(vms_do_not_see_each_others_pages)
{
    rig r;
    r.hold(page(1), {uint64_t{5} << 30, 12, WW_PERM_R}, 1);
    xlat_request &own = r.asked.ask(page(1), cycle(10), 0, 0, 1), &other = r.asked.ask(page(1), cycle(200));
    r.sim.run();
    BOOST_TEST(own.result.page_pa == uint64_t{5} << 30);
    BOOST_TEST(own.result.perm == WW_PERM_R);
    BOOST_TEST(other.result.page_pa == invented(page(1)).page_pa);
    BOOST_TEST(r.dut.stats().hits == 1u);
}

/* The line of the smaller size is read first. */
BOOST_AUTO_TEST_CASE(each_page_size_is_probed_in_turn)
{
    memory_tlb_params p = small();
    p.page_sizes = 1u << 12 | 1u << 21;
    rig r(p);
    const uint64_t large = base_va + (uint64_t{3} << 21);
    r.hold(page(1), invented(page(1)));
    r.hold(large, {ww_page_base(invented(large).page_pa, 21), 21, WW_PERM_ALL});
    r.rows({{10, page(1), 10 + hit},
            {200, large + 5 * 4096, 200 + 25 + hit},
            {400, page(2), 400 + 25 + miss},
            {700, page(2), 700 + hit}});
    BOOST_TEST(r.dut.stats().second_probes == 2u);
    BOOST_TEST(r.dut.stats().lookups == 4u);
}

BOOST_AUTO_TEST_CASE(a_debug_access_looks_at_the_line_in_its_buffer_at_memory_and_below)
{
    rig r;
    r.below.on_debug = [](xlat_request &q) {
        q.result = invented(q.va);
        q.result.perm = WW_PERM_R;
        return 1u;
    };
    const auto perm = [&] {
        xlat_request q{};
        q.va = page(1);
        r.top.down->transport_dbg(q);
        BOOST_TEST(q.result.page_pa == invented(page(1)).page_pa);
        return q.result.perm;
    };
    r.asked.ask(page(1), cycle(10));
    r.sim.run_until(cycle(90));
    BOOST_TEST(perm() == WW_PERM_R);
    r.sim.run_until(cycle(96)); /* the write is on its way to memory */
    BOOST_TEST(perm() == WW_PERM_ALL);
    r.sim.run();
    BOOST_TEST(perm() == WW_PERM_ALL);
    r.idle();
}

namespace
{

/* Every line has the same page, which may be masked; counts the lines read. */
struct lines_of_a_page final : slot_memory {
    uint64_t words[WW_SLOT_LINE_WORDS] = {};
    unsigned reads = 0;
    bool hidden = false;
    explicit lines_of_a_page(const ww_mapping &m) { ww_slot_fill(words, &m, 0); }
    void read_line(uint64_t, uint64_t *line, tick *) override
    {
        ++reads;
        std::copy_n(words, WW_SLOT_LINE_WORDS, line);
    }
    void write_line(uint64_t, const uint64_t *) override {}
    bool masked(uint64_t, uint8_t, uint16_t) const override { return hidden; }
};

/* Finds nothing, in no time. */
struct nothing_below final : translator {
    now_answer translate_now(const now_request &, tick t, now_how) override { return {{}, true, t}; }
    void forget_now(const ww_inval_scope &) override {}
};

} // namespace

/* Of two page sizes: as in a lookup with queues, no further size is probed behind a masked page. */
BOOST_AUTO_TEST_CASE(a_call_misses_where_it_finds_a_masked_page)
{
    memory_tlb_params p = small();
    p.page_sizes = 1u << 12 | 1u << 21;
    lines_of_a_page memory({page(1), invented(page(1)), 0});
    nothing_below below;
    slot_translator dut(p.table(), table_pa, gpu_clock, {cycle(3), cycle(2), cycle(4), cycle(6)}, memory,
                        below);
    const now_answer found = dut.translate_now({page(1), 0}, 0, now_how::look);
    BOOST_TEST(!found.fault);
    BOOST_TEST(found.at == cycle(3 + 2 + 4));
    memory.hidden = true;
    memory.reads = 0;
    const now_answer missed = dut.translate_now({page(1), 0}, 0, now_how::look);
    BOOST_TEST(missed.fault);
    BOOST_TEST(missed.at == cycle(3 + 2 + 6 + 4));
    BOOST_TEST(memory.reads == 1u);
    const now_answer absent = dut.translate_now({page(2), 0}, 0, now_how::look);
    BOOST_TEST(absent.at == cycle(3 + 2 + 3 + 2 + 6 + 4)); /* both sizes */
}

/* A page is unmapped while a lookup reads its line: both meet there, the lookup first. */
BOOST_AUTO_TEST_CASE(what_an_invalidate_is_about_to_drop_is_not_found)
{
    simulation sim;
    memory_store store;
    asker top("top");
    mem_responder memory("memory");
    root end;
    actor pager;
    memory_tlb dut("memory_tlb", gpu_clock, small(), 1);
    top.down.bind(*dut.up[0]);
    dut.down.bind(end.up);
    dut.mem.bind(memory.up);
    memory.latency = 20;
    serve(memory, store);
    for (const uint64_t n : {0, 1}) {
        const ww_slot_cfg cfg = small().table();
        const ww_mapping m = {same_line(n), {end.page_pa(same_line(n)), 12, WW_PERM_ALL}, 0};
        uint64_t line[WW_SLOT_LINE_WORDS];
        store.read(table_pa, reinterpret_cast<unsigned char *>(line), 64);
        BOOST_REQUIRE(ww_slot_line(&cfg, m.va, 12) == 0u);
        ww_slot_fill(line, &m, 0);
        store.write(table_pa, reinterpret_cast<const unsigned char *>(line), 64);
    }
    tick done = never;
    top.ask(same_line(0), cycle(10)); /* the line arrives at 34 */
    top.ask(same_line(1), cycle(10));
    pager.at(cycle(20), [&] {
        end.absent.insert(same_line(0));
        BOOST_TEST(end.lanes.start(ww_inval_range(same_line(0), 4096, 0), [&](tick t) { done = t; }));
    });
    pager.at(cycle(25), [&] {
        for (const uint64_t n : {0, 1}) { /* a debug access */
            xlat_request q{};
            q.va = same_line(n);
            top.down->transport_dbg(q);
            BOOST_TEST(q.fault == (n == 0));
        }
    });
    sim.run();
    BOOST_TEST_REQUIRE(top.answers.size() == 2u);
    for (const asker::answer &a : top.answers)
        BOOST_TEST(a.page_pa == (a.va == same_line(0) ? 0 : end.page_pa(a.va)));
    BOOST_TEST(dut.stats().masked == 1u);
    BOOST_TEST(dut.stats().hits == 1u);
    BOOST_TEST(dut.stats().invalidated == 1u);
    BOOST_TEST(done != never);
}

BOOST_AUTO_TEST_CASE(a_table_that_there_cannot_be_is_refused)
{
    memory_tlb_params p = numbers_of<memory_tlb_params>();
    BOOST_TEST(p.validate() == "");
    for (const uint32_t entries : {2u, 12u, 3u}) {
        p.entries = entries;
        BOOST_TEST(p.validate() == "entries is not a power of two from 4 on");
    }
    p.entries = 4;
    BOOST_TEST(p.validate() == "");
    simulation sim;
    p.entries = 0;
    BOOST_CHECK_THROW(memory_tlb("memory_tlb", gpu_clock, p, 1), sc_core::sc_report);
}

BOOST_AUTO_TEST_CASE(memory_that_answers_with_an_error_ends_the_run)
{
    rig r;
    r.memory.answer = [](tlm::tlm_generic_payload &p, tick) {
        p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    };
    r.asked.ask(page(1), cycle(10));
    BOOST_CHECK_THROW(r.sim.run(), sc_core::sc_report);
}

/* One lookup per cycle, in turn from the first requester; hits and misses return to their own. */
BOOST_AUTO_TEST_CASE(requesters_are_served_in_turn_and_each_has_its_answers)
{
    memory_tlb_params p = small();
    p.ports = 1;
    simulation sim;
    memory_store store;
    xlat_requester first("first"), second("second");
    mem_responder memory("memory");
    xlat_responder below("below");
    memory_tlb dut("memory_tlb", gpu_clock, p, 2);
    translations of_first(first), of_second(second);
    first.down.bind(*dut.up[0]);
    second.down.bind(*dut.up[1]);
    dut.down.bind(below.up);
    dut.mem.bind(memory.up);
    memory.latency = 20;
    serve(memory, store);
    below.latency = 30;
    invent(below);
    std::vector<xlat_request *> mine, theirs;
    for (const uint64_t n : {0, 1}) { /* each in its own line of the table */
        mine.push_back(&of_first.ask(base_va + (n << 12), cycle(10)));
        theirs.push_back(&of_second.ask(base_va + ((n + 2) << 12), cycle(10)));
    }
    xlat_request &again = of_second.ask(base_va, cycle(2000));
    sim.run();
    const tick whole = first.done[mine[0]] - cycle(10);
    for (const uint64_t n : {0, 1}) {
        BOOST_TEST(first.done[mine[n]] == cycle(10 + 2 * n) + whole);
        BOOST_TEST(second.done[theirs[n]] == cycle(11 + 2 * n) + whole);
        BOOST_TEST(mine[n]->result.page_pa == invented(mine[n]->va).page_pa);
        BOOST_TEST(theirs[n]->result.page_pa == invented(theirs[n]->va).page_pa);
    }
    BOOST_TEST(second.done[&again] - cycle(2000) < whole);
    BOOST_TEST(dut.stats().hits == 1u); /* the other's page */
    BOOST_TEST(dut.stats().misses == 4u);
}

BOOST_AUTO_TEST_SUITE_END()
