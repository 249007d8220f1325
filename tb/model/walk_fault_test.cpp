/* SPDX-License-Identifier: MIT */
/* Walks that find an absent entry, with a fault handler that maps a page when the test says so. Memory and
 * its timing are those of iommu_rig.hpp; without page-walk caches a walk takes four reads, and is answered
 * two cycles later. A fault reaches the handler in the cycle after it was parked. */
#include "kernels/table/radix.h"
#include "tb/model/invalidate_peers.hpp"
#include "tb/model/iommu_rig.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

constexpr uint64_t walk = 4 * read_time, page_bytes = 4096, handling = 1000;

/* One walker, queues and buffer of one, no backlog, one entry in the fault table. */
walk_unit_params least()
{
    walk_unit_params p = quick().walk;
    p.response_cycles = 2;
    p.pwc_l4 = p.pwc_l3 = p.pwc_l2 = 0;
    p.queue_entries = 1;
    p.backlog_entries = 0;
    p.buffer_entries = 1;
    p.walkers = 1;
    p.fault_entries = 1;
    return p;
}

walk_unit_params roomy()
{
    walk_unit_params p = least();
    p.queue_entries = p.backlog_entries = p.buffer_entries = 64;
    p.fault_entries = 64;
    return p;
}

/* Handles one fault after the other, each for `latency` cycles, and then does what the test says. */
class handler final : public block, public target_of<fault_protocol>
{
public:
    in_port<fault_protocol> up;
    uint64_t latency = handling;
    std::function<void(fault_request &)> handle, begin;
    std::vector<uint64_t> handled; /* pages */

    explicit handler(const sc_core::sc_module_name &name) : block(name, gpu_clock), up("up", *this, *this, 1)
    {
    }
    std::string waiting() const override { return p_ == nullptr && up.size() == 0 ? "" : "faults"; }

private:
    void step(tick now) override
    {
        if (p_ != nullptr && ends_ <= now) {
            handled.push_back(p_->va);
            handle(*p_);
            up.respond(*std::exchange(p_, nullptr), now);
        }
        if (p_ == nullptr && up.ready(now)) {
            p_ = &up.front();
            up.pop();
            p_->taken = now;
            if (begin)
                begin(*p_);
            ends_ = now + cycle(latency);
        }
        wake(p_ != nullptr ? ends_ : up.next());
    }
    unsigned debug(fault_request &) override { return 0; }
    fault_request *p_ = nullptr;
    tick ends_ = 0;
};

struct fault_rig {
    simulation sim;
    memory_store store;
    std::vector<ww_radix> tables; /* by VM-ID */
    mem_responder memory{"memory"};
    xlat_requester top{"top"};
    walk_unit dut;
    handler pager{"pager"};
    translations asked{top};
    base_protocol rules;
    uint64_t already = 0;
    std::map<std::pair<uint16_t, uint64_t>, unsigned> mapped; /* pages -> number of mappings */

    static constexpr uint64_t arena_pa = uint64_t{256} << 20, nodes = 64;

    explicit fault_rig(const walk_unit_params &p) : dut("walk_unit", gpu_clock, p, lay_out(), 1)
    {
        top.down.bind(*dut.up[0]);
        dut.faults().bind(pager.up);
        rules.bind(dut.mem, memory.up);
        serve(memory, store);
        memory.latency = 50;
        top.lead = cycle(1);
        pager.handle =
            [this](fault_request &f) { /* a walk that read an old line faults once more */
                                       ww_xlat there;
                                       if (ww_radix_lookup(&tables[f.vmid], arena(f.vmid), f.va, &there))
                                           ++already;
                                       else
                                           map(f.va, f.vmid);
            };
        /* the nodes of the pages below exist: an absent entry is the leaf's */
        for (uint16_t vm = 0; vm < 2; ++vm)
            for (const uint64_t first : {base_va, far_va})
                map(first, vm);
        mapped.clear();
    }
    page_tables lay_out()
    {
        store.reserve(arena_pa, 2 * nodes * 512);
        std::vector<ww_table> all;
        for (uint16_t vm = 0; vm < 2; ++vm) {
            const ww_radix_cfg cfg = {4, arena_pa + vm * nodes * page_bytes, nodes};
            tables.push_back({});
            BOOST_REQUIRE_EQUAL(ww_radix_init(&tables[vm], &cfg, arena(vm), nodes * 512), WW_OK);
            all.push_back(ww_radix_table(4, cfg.arena_pa));
        }
        return page_tables(all);
    }
    uint64_t *arena(uint16_t vm) { return store.dense() + vm * nodes * 512; }
    static uint64_t frame_of(uint64_t va, uint16_t vm)
    {
        return (va & 0xfffffff000) | (uint64_t{vm} + 1) << 40;
    }
    void map(uint64_t va, uint16_t vm)
    {
        va &= ~(page_bytes - 1);
        ++mapped[{vm, va}];
        BOOST_TEST(ww_radix_map(&tables[vm], arena(vm), va, frame_of(va, vm), 12, WW_PERM_ALL) == WW_OK);
    }
    /* Address of the entry that a walk of this page reads last. */
    uint64_t leaf_pa(uint64_t va, uint16_t vm)
    {
        const ww_table t = ww_radix_table(4, tables[vm].cfg.arena_pa);
        ww_walk_read read = {};
        for (uint64_t w = ww_table_start(&t, va); ww_table_next(&t, w, va, &read) == WW_WALK_READ;) {
            uint64_t line[WW_LINE_PTES];
            store.read(read.pa & ~uint64_t{63}, reinterpret_cast<unsigned char *>(line), sizeof line);
            w = ww_table_feed(&t, w, va, line);
        }
        return read.pa;
    }
    /* Maps at the end of the handling, or at its beginning, and reports the written line. */
    void say_what_is_written(bool early)
    {
        const auto say = [this](fault_request &f) {
            map(f.va, f.vmid);
            dut.table_written(leaf_pa(f.va, f.vmid) & ~uint64_t{63});
        };
        pager.handle = early ? [](fault_request &) {} : std::function<void(fault_request &)>(say);
        pager.begin = early ? std::function<void(fault_request &)>(say) : nullptr;
    }
    void map_the_third_time()
    {
        pager.handle = [this](fault_request &f) {
            if (pager.handled.size() == 3)
                map(f.va, f.vmid);
        };
    }
    /* The n-th page of a region; 0 is mapped. */
    xlat_request &ask(uint64_t page, uint64_t at, uint16_t vm = 0, uint64_t first = base_va)
    {
        return asked.ask(first + page * page_bytes, cycle(at), 0, 0, vm);
    }
    uint64_t back(const xlat_request &r) { return top.done.at(&r) / period; }
    uint64_t cycles(const xlat_request &r, const char *name) { return spent(r, name) / period; }
    const walk_unit_stats &stats() const { return dut.stats(); }
    void run()
    {
        sim.run();
        BOOST_TEST(top.quiet());
        BOOST_TEST(dut.live() == 0u);
        BOOST_TEST(dut.waiting() == "");
        BOOST_TEST(dut.busy_walkers() == 0u);
        law_list laws(simulation_time(), false);
        dut.laws(laws);
        for (const law &l : laws.all())
            BOOST_TEST(l.holds(), l.name);
    }
    static void right(const xlat_request &r)
    {
        BOOST_TEST(!r.fault);
        BOOST_TEST(r.result.page_pa == frame_of(r.va, r.vmid));
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(faults_of_a_walk_unit)

/* The walk, a cycle to the handler, the handling, the second walk: all are in the account. */
BOOST_AUTO_TEST_CASE(a_request_is_parked_while_its_page_is_mapped_and_walks_again)
{
    fault_rig r(least());
    const xlat_request &q = r.ask(1, 10);
    r.sim.run_until(cycle(10 + walk + 500));
    BOOST_TEST(r.dut.waiting().find("1 of 1 entries of the fault table in use (0 pages queued, 1 being "
                                    "handled, 0 to be walked again), 0 walkers keep") != std::string::npos);
    r.run();
    fault_rig::right(q);
    BOOST_TEST(r.back(q) == 10 + walk + 1 + handling + walk + way_up);
    BOOST_TEST(r.cycles(q, "fault_queue") == 1u);
    BOOST_TEST(r.cycles(q, "fault_service") == handling);
    BOOST_TEST(r.stats().service_latency.sum() == 2 * walk);
    BOOST_TEST(r.stats().service_latency.count() == 1u);
    BOOST_TEST(r.stats().fault_latency.sum() == 1 + handling);
    BOOST_TEST(r.stats().walker_busy_ps == cycle(2 * walk));
    BOOST_TEST(r.stats().walks_faulted == 1u);
    BOOST_TEST(r.stats().fault_walks == 1u);
    BOOST_TEST(r.stats().fault_kept_ps == 0u);
    BOOST_TEST(r.pager.handled.size() == 1u);
}

BOOST_AUTO_TEST_CASE(the_walker_of_a_parked_request_serves_others)
{
    fault_rig r(least());
    const xlat_request &q = r.ask(1, 10), &other = r.ask(0, 20);
    r.run();
    fault_rig::right(q);
    BOOST_TEST(r.back(other) == 10 + 2 * walk + way_up);
    BOOST_TEST(r.cycles(other, "buffer") == walk - 10);
    BOOST_TEST(r.back(q) == 10 + walk + 1 + handling + walk + way_up);
}

/* The buffered request has waited for a shorter time. */
BOOST_AUTO_TEST_CASE(a_walk_that_is_done_again_goes_before_what_is_buffered)
{
    fault_rig r(roomy());
    const xlat_request &q = r.ask(1, 10);
    std::vector<const xlat_request *> others;
    for (uint64_t n = 0; n < 6; ++n)
        others.push_back(&r.ask(0, 20));
    r.run();
    /* handled while the fourth of them walks; returns after five of their walks and its own */
    BOOST_TEST(r.cycles(q, "fault_queue") == 1 + 4 * walk - handling - 1);
    BOOST_TEST(r.back(q) == 10 + 6 * walk + way_up);
    BOOST_TEST(r.back(*others.back()) == 10 + 8 * walk + way_up);
}

BOOST_AUTO_TEST_CASE(a_second_fault_on_a_page_being_handled_ends_with_it)
{
    for (const uint64_t later : {100u, 700u}) {
        fault_rig r(roomy());
        const xlat_request &q = r.ask(1, 10), &joined = r.ask(1, 10 + later), &byte = r.ask(1, 11 + later);
        r.run();
        const uint64_t end = 10 + walk + 1 + handling + walk + way_up;
        for (const xlat_request *one : {&q, &joined, &byte}) {
            fault_rig::right(*one);
            BOOST_TEST(r.back(*one) == end);
        }
        BOOST_TEST(r.pager.handled.size() == 1u);
        BOOST_TEST(r.mapped.size() == 1u);
        BOOST_TEST(r.stats().faults_parked == 3u);
        BOOST_TEST(r.stats().faults_joined == 2u);
        BOOST_TEST(r.stats().faults_sent == 1u);
        BOOST_TEST(r.stats().fault_walks == 1u);
        BOOST_TEST(r.stats().fault_table_peak == 3u);
        BOOST_TEST(r.cycles(joined, "fault_queue") == 0u);
    }
}

/* The table has one entry: the second fault stays with its walker, and the third request waits for it. */
BOOST_AUTO_TEST_CASE(with_a_full_table_a_walker_keeps_its_walk)
{
    walk_unit_params p = roomy();
    p.fault_entries = 1;
    fault_rig r(p);
    const xlat_request &a = r.ask(1, 10), &b = r.ask(2, 10), &c = r.ask(0, 10);
    r.sim.run_until(cycle(10 + 2 * walk + 100));
    BOOST_TEST(r.dut.waiting().find("1 walkers keep") != std::string::npos);
    BOOST_TEST(r.dut.busy_walkers() == 0u);
    r.run();
    for (const xlat_request *one : {&a, &b, &c})
        fault_rig::right(*one);
    /* a's page is handled; a's walk takes the walker, and b takes a's entry */
    const uint64_t first = 10 + walk + 1 + handling;
    BOOST_TEST(r.back(a) == first + walk + way_up);
    BOOST_TEST(r.back(c) == first + 2 * walk + way_up);
    BOOST_TEST(r.back(b) == first + 1 + handling + walk + way_up);
    BOOST_TEST(r.stats().fault_kept_ps == cycle(first - (10 + 2 * walk)));
    BOOST_TEST(r.cycles(b, "fault_queue") == first - (10 + 2 * walk) + 1);
    BOOST_TEST(r.cycles(b, "fault_service") == handling);
    BOOST_TEST(r.stats().fault_table_peak == 1u);
    BOOST_TEST(r.stats().walker_busy_ps == cycle(5 * walk));
}

/* Three neighbours in one line of leaves, which one walker reads; one of them is mapped. */
BOOST_AUTO_TEST_CASE(a_request_that_coalescing_would_complete_with_a_fault_is_parked)
{
    walk_unit_params p = roomy();
    p.coalesce = WW_COALESCE_FULL;
    fault_rig r(p);
    const xlat_request &a = r.ask(1, 10), &b = r.ask(2, 10), &there = r.ask(0, 10);
    r.run();
    for (const xlat_request *one : {&a, &b, &there})
        fault_rig::right(*one);
    BOOST_TEST(r.back(there) == 10 + walk + way_up);
    BOOST_TEST(r.stats().coalesced_faults == 1u);
    BOOST_TEST(r.stats().walks_coalesced == 1u);
    BOOST_TEST(r.stats().faults_parked == 2u);
    BOOST_TEST(r.stats().faults_left == 0u);
    /* other requests of a line precede the one that read it */
    BOOST_TEST(r.back(b) == 10 + walk + 1 + handling + walk + way_up);
    BOOST_TEST(r.back(a) == 10 + walk + 1 + 2 * handling + walk + way_up);
    BOOST_TEST(r.stats().service_latency.count() == 3u - 1); /* one never had a walker */
}

/* The table is full: the request stays buffered, its PL saves three reads later, and it holds no other. */
BOOST_AUTO_TEST_CASE(with_a_full_table_it_stays_buffered_with_its_level_and_may_be_taken)
{
    walk_unit_params p = roomy();
    p.coalesce = WW_COALESCE_FULL;
    p.fault_entries = 1;
    fault_rig r(p);
    const xlat_request &a = r.ask(1, 10), &b = r.ask(2, 10), &there = r.ask(0, 10);
    r.sim.run_until(cycle(10 + walk + 1));
    /* the walker's own fault follows those of its line: b has the entry, the walker keeps a's walk */
    BOOST_TEST(r.stats().faults_parked == 1u);
    BOOST_TEST(r.dut.held() == 0u);
    r.run();
    for (const xlat_request *one : {&a, &b, &there})
        fault_rig::right(*one);
    BOOST_TEST(r.stats().fault_table_peak == 1u);

    fault_rig s(p);
    const xlat_request &first = s.ask(1, 10), &c = s.ask(2, 10 + walk + 10), &d = s.ask(3, 10 + walk + 20);
    s.sim.run_until(cycle(10 + 2 * walk + 20));
    /* first has the table's entry: c's walker keeps c, and d has lost CL and kept PL */
    BOOST_TEST(s.stats().faults_left == 1u);
    BOOST_TEST(s.dut.buffered() == 1u);
    BOOST_TEST(s.dut.held() == 0u);
    s.run();
    for (const xlat_request *one : {&first, &c, &d})
        fault_rig::right(*one);
    BOOST_TEST(s.stats().partial_starts == 1u);
}

/* Two walkers need one line: the second joins the first's read, and both find the absent entry in it. */
BOOST_AUTO_TEST_CASE(faults_of_merged_reads_end_with_one_handling)
{
    walk_unit_params p = roomy();
    p.walkers = 2;
    p.pte_cache_bytes = 1024;
    p.pte_cache_merge = true;
    fault_rig r(p);
    r.say_what_is_written(false);
    const xlat_request &a = r.ask(1, 10), &b = r.ask(1, 10);
    r.run();
    fault_rig::right(a);
    fault_rig::right(b);
    BOOST_TEST(r.stats().pte_reads_merged == 4u);
    BOOST_TEST(r.stats().faults_joined == 1u);
    BOOST_TEST(r.pager.handled.size() == 1u);
}

/* The line of leaves is in the cache, with the page's entry absent. */
BOOST_DATA_TEST_CASE(the_line_that_is_written_leaves_the_cache_of_lines, data::make({false, true}), in_flight)
{
    walk_unit_params p = roomy();
    p.walkers = 2;
    p.pte_cache_bytes = 1024;
    fault_rig r(p);
    r.say_what_is_written(in_flight);
    const xlat_request &a = r.ask(1, 10);
    if (in_flight) /* its read of the same line passes memory before the write and returns after it */
        r.ask(0, 10 + 50);
    r.run();
    fault_rig::right(a);
    BOOST_TEST(r.pager.handled.size() == 1u);
    BOOST_TEST(r.stats().pte_cache_dropped == 1u);
}

BOOST_AUTO_TEST_CASE(a_page_that_does_not_exist_is_a_fault_of_all_who_want_it)
{
    fault_rig r(roomy());
    r.pager.handle = [](fault_request &f) { f.refused = true; };
    const xlat_request &a = r.ask(1, 10), &b = r.ask(1, 20);
    r.run();
    BOOST_TEST(a.fault);
    BOOST_TEST(b.fault);
    BOOST_TEST(r.back(a) == 10 + walk + 1 + handling + way_up);
    BOOST_TEST(r.stats().faults_refused == 2u);
    BOOST_TEST(r.stats().fault_walks == 0u);
}

BOOST_AUTO_TEST_CASE(a_prefetch_is_answered_with_the_fault)
{
    fault_rig r(least());
    xlat_request &q = r.ask(1, 10);
    q.access = access_kind::prefetch;
    r.run();
    BOOST_TEST(q.fault);
    BOOST_TEST(r.back(q) == 10 + walk + way_up);
    BOOST_TEST(r.stats().faults_parked == 0u);
    BOOST_TEST(r.pager.handled.empty());
}

/* A VM without a table, an address outside every table, a read that memory refuses. */
BOOST_AUTO_TEST_CASE(what_no_page_could_mend_is_not_parked)
{
    fault_rig r(roomy());
    const xlat_request &space = r.ask(1, 10, 7), &far = r.ask(0, 20, 0, uint64_t{1} << 50);
    r.run();
    BOOST_TEST(space.fault);
    BOOST_TEST(far.fault);
    r.memory.answer = [](tlm::tlm_generic_payload &p, tick) {
        p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    };
    const xlat_request &refused = r.ask(0, 1000);
    r.run();
    BOOST_TEST(refused.fault);
    BOOST_TEST(r.stats().faults_parked == 0u);
}

/* The page is unmapped between its handling and the walk: it faults again, for all that wait. */
BOOST_DATA_TEST_CASE(a_walk_that_faults_again_is_parked_again, data::make({1u, 2u, 3u}), entries)
{
    walk_unit_params p = roomy();
    p.fault_entries = entries;
    fault_rig r(p);
    r.map_the_third_time();
    const xlat_request &a = r.ask(1, 10), &b = r.ask(1, 20);
    r.run();
    fault_rig::right(a);
    fault_rig::right(b);
    BOOST_TEST(r.pager.handled.size() == (entries == 1 ? 4u : 3u)); /* one entry: each faults by itself */
    BOOST_TEST(r.stats().fault_walks == r.pager.handled.size());
}

/* At every cycle from the first fault on: a walk that an invalidate restarts is still the one that others
 * wait for. */
BOOST_AUTO_TEST_CASE(an_invalidate_of_a_page_that_faulted_loses_nobody_who_joined)
{
    uint64_t restarted = 0;
    for (uint64_t at = 10 + walk; at < 10 + walk + 1 + handling + walk; at += at < handling ? 97 : 5) {
        fault_rig r(roomy());
        actor invalidates;
        uint64_t acknowledged = 0;
        const xlat_request &q = r.ask(1, 10), &joined = r.ask(1, 300);
        invalidates.at(cycle(at), [&] {
            r.dut.invalidate({ww_inval_range(base_va + page_bytes, page_bytes, 0), true, {}},
                             [&](tick) { ++acknowledged; });
        });
        r.run();
        fault_rig::right(q);
        fault_rig::right(joined);
        BOOST_TEST(r.back(joined) == r.back(q));
        BOOST_TEST(acknowledged == 1u);
        BOOST_TEST(r.pager.handled.size() == 1u);
        restarted += r.stats().walks_restarted;
    }
    BOOST_TEST(restarted > 20u);
}

/* Every bound at one or not, and faults all the time: nothing is stuck or wrong, and no page is mapped
 * twice. */
BOOST_DATA_TEST_CASE(storms_of_faults_end,
                     data::make({1u, 2u, 64u}) * data::make({1u, 3u}) *
                         data::make({WW_COALESCE_OFF, WW_COALESCE_LEAF, WW_COALESCE_FULL}) *
                         data::make({1u, 16u}) * data::make({0u, 3u}),
                     entries, walkers, mode, buffer, march)
{
    walk_unit_params p = least();
    p.fault_entries = entries;
    p.walkers = walkers;
    p.coalesce = static_cast<uint8_t>(mode);
    p.buffer_entries = buffer;
    p.march_walks = march;
    p.march_reads = 2;
    p.march_group_bits = 30;
    p.march_refill = buffer == 16 ? 1 : 0;
    fault_rig r(p);
    r.pager.latency = 300;
    ww_rng random;
    ww_rng_init(&random, entries + walkers + mode + buffer);
    std::deque<const xlat_request *> all;
    for (unsigned n = 0; n < 300; ++n)
        all.push_back(&r.ask(ww_rng_below(&random, 40), 10 + n * 7,
                             static_cast<uint16_t>(ww_rng_below(&random, 2)),
                             ww_rng_below(&random, 3) == 0 ? far_va : base_va));
    r.run();
    for (const xlat_request *q : all)
        fault_rig::right(*q);
    BOOST_TEST(r.asked.proved() == all.size());
    for (const auto &page : r.mapped)
        BOOST_TEST(page.second == 1u);
    BOOST_TEST(r.pager.handled.size() == r.mapped.size() + r.already);
    BOOST_TEST(r.mapped.size() > 100u);
    BOOST_TEST(r.stats().fault_table_peak <= entries);
    if (entries == 1)
        BOOST_TEST(r.stats().fault_kept_ps > 0u);
    if (entries == 1 && mode != WW_COALESCE_OFF && buffer > 1)
        BOOST_TEST(r.stats().faults_left > 0u);
    if (entries == 64 && walkers == 3 && march == 0)
        BOOST_TEST(r.stats().faults_joined > 0u);
}

BOOST_AUTO_TEST_SUITE_END()
