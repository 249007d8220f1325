/* SPDX-License-Identifier: MIT */
/* An invalidate at the walk unit, where it begins: at every cycle of walks that read, wait, are coalesced or
 * have joined each other's reads. Every answer after it must be new. */
#include "model/address_space.hpp"
#include "model/walk_unit.hpp"
#include "tb/model/invalidate_peers.hpp"
#include "tb/support/block_numbers.hpp"
#include "tb/support/doubter.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

/* Not anonymous: test cases with rows are templates with these types as arguments. */
namespace invalidate_walks
{

constexpr uint64_t base_va = uint64_t{1} << 40, region = uint64_t{1} << 21;
constexpr uint64_t read_time = 35; /* of a line of the table: 10 down, 20, 5 back */

/* Parameters of a test. */
struct shape {
    uint32_t walkers = 2;
    uint8_t coalesce = WW_COALESCE_OFF;
    bool cached = false, merge = false; /* a cache of table lines; reads of one line merge */
    uint32_t caches = 0;                /* entries of each page-walk cache */
    bool pwc_merge = false, turns = false;
    uint32_t match = 0; /* cycles of the state machine */
    uint32_t march = 0; /* walks per batch, whose reads are sent one after the other */
    uint32_t spaces = 1;
    bool ideal = false; /* walk caches hold the whole table */
    bool ahead = false; /* regions have both tables; the small entry is read together with the big one */
};

struct walk_rig {
    simulation sim;
    memory_store store;
    const bool both_tables;
    std::vector<std::unique_ptr<address_space>> spaces;
    asker top{"top"};
    walk_unit dut;
    mem_responder memory{"memory"};
    actor pager;
    tick done = never;
    uint64_t next_frame = uint64_t{1} << 33;

    static walk_unit_params params(const shape &s)
    {
        walk_unit_params p = numbers_of<walk_unit_params>();
        p.queue_entries = 32;
        p.walkers = s.walkers;
        p.buffer_entries = 16;
        p.backlog_entries = 16;
        p.coalesce = s.coalesce;
        p.read_cycles = 10;
        p.reply_cycles = 5;
        p.response_cycles = 1;
        p.pwc_l4 = p.pwc_l3 = p.pwc_l2 = s.caches;
        p.pte_cache_bytes = s.cached ? 1024 : 0;
        p.pte_cache_cycles = s.cached ? 6 : 2;
        p.pte_cache_merge = s.merge;
        p.pwc_ideal = s.ideal;
        p.pwc_merge = s.pwc_merge;
        p.line_reads = s.turns ? 1 : 0;
        p.match_cycles = s.match;
        p.march_walks = s.march;
        p.march_reads = 1;
        p.read_ahead = s.ahead;
        return p;
    }
    static std::vector<va_range> ranges() { return {{base_va, 16 * 4096}, {base_va + region, 16 * 4096}}; }
    page_tables tables(uint32_t count)
    {
        address_space_params p = numbers_of<address_space_params>();
        if (both_tables) {
            p.table.choose("nvidia_v3");
            p.table.set("page_tables", 1);
        }
        p.spaces = count;
        space_cursor at = address_space::lay_out(p, std::vector<space_ranges>(p.spaces, ranges()), store);
        std::vector<ww_table> list;
        for (uint32_t i = 0; i < count; ++i) {
            spaces.push_back(std::make_unique<address_space>(p, ranges(), store, at));
            list.push_back(spaces.back()->table());
        }
        return page_tables(list);
    }
    explicit walk_rig(const shape &s)
        : both_tables(s.ahead), dut("walk_unit", gpu_clock, params(s), tables(s.spaces), 1)
    {
        top.down.bind(*dut.up[0]);
        dut.mem.bind(memory.up);
        serve(memory, store);
        memory.latency = 20;
    }
    /* Appends the entries on the path to a page, its own last; returns the page's address. */
    uint64_t look(uint64_t va, std::vector<uint64_t> &entries, uint16_t vmid = 0) const
    {
        const ww_table &table = spaces[vmid]->table();
        uint64_t walk = ww_table_start(&table, va);
        for (ww_walk_read read = {}; ww_table_next(&table, walk, va, &read) == WW_WALK_READ;) {
            uint64_t line[WW_LINE_PTES];
            store.read(read.pa & ~uint64_t{63}, reinterpret_cast<unsigned char *>(line), sizeof line);
            entries.push_back(read.pa);
            walk = ww_table_feed(&table, walk, va, line);
        }
        return ww_walk_xlat(walk).page_pa;
    }
    uint64_t page_of(uint64_t va, uint16_t vmid = 0) const
    {
        std::vector<uint64_t> entries;
        return look(va, entries, vmid);
    }
    void point(uint64_t entry_pa, uint64_t frame)
    {
        uint64_t entry = 0;
        store.read(entry_pa, reinterpret_cast<unsigned char *>(&entry), sizeof entry);
        entry = (entry & ~(((uint64_t{1} << 52) - 1) & ~uint64_t{4095})) | frame;
        store.write(entry_pa, reinterpret_cast<const unsigned char *>(&entry), sizeof entry);
    }
    uint64_t frame() { return next_frame += 4096; }
    /* Moves the page; returns the address of its entry. */
    uint64_t move_page(uint64_t va, uint16_t vmid = 0)
    {
        std::vector<uint64_t> entries;
        look(va, entries, vmid);
        point(entries.back(), frame());
        return entries.back();
    }
    /* Moves the node with its entry too, and changes the entry in the new node only. */
    void move_node(uint64_t va)
    {
        std::vector<uint64_t> entries;
        look(va, entries);
        const uint64_t node = entries.back() & ~uint64_t{4095}, to = frame();
        unsigned char bytes[4096];
        store.read(node, bytes, sizeof bytes);
        store.write(to, bytes, sizeof bytes);
        /* the second word of the entry that points to the big table points to the small one */
        point(both_tables ? entries[entries.size() - 3] + 8 : entries[entries.size() - 2], to);
        move_page(va);
    }
    void invalidate(const invalidation &what)
    {
        BOOST_TEST(dut.invalidate(what, [this](tick t) { done = t; }));
    }
    void run()
    {
        sim.run();
        BOOST_TEST(done != never);
        BOOST_TEST(dut.live() == 0u);
        BOOST_TEST(dut.waiting() == "");
        law_list laws(simulation_time(), false);
        dut.laws(laws);
        for (const law &l : laws.all())
            BOOST_TEST(l.holds(), l.name);
    }
    /* Returns how many answers after the invalidate differ from the present table. */
    unsigned stale() const
    {
        unsigned n = 0;
        for (const asker::answer &a : top.answers)
            n += a.noticed && a.page_pa != page_of(a.va, a.vmid) ? 1 : 0;
        return n;
    }
};

constexpr uint64_t a = base_va, near_a = base_va + 4096, b = base_va + region;

enum class change { page, node };

} // namespace invalidate_walks
using namespace invalidate_walks;

BOOST_AUTO_TEST_SUITE(invalidate_at_the_walk_unit)

/* Walks of A, its neighbour and B, a neighbour at the steps before the last, are in flight; A and B are
 * requested again after the change. */
BOOST_DATA_TEST_CASE(whenever_it_begins_what_is_answered_behind_it_is_new,
                     data::make({1u, 3u}) *
                         data::make({WW_COALESCE_OFF, WW_COALESCE_LEAF, WW_COALESCE_FULL}) *
                         data::make({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}),
                     walkers, mode, how)
{
    uint64_t restarted = 0, stale = 0;
    for (const change what : {change::page, change::node})
        for (uint64_t begin = 12; begin < 330; begin += walkers == 1 ? 3 : 1) {
            shape s;
            s.walkers = walkers;
            s.coalesce = static_cast<uint8_t>(mode);
            s.cached = how == 1 || how == 2 || how == 5 || how >= 8;
            s.merge = how == 2 || how == 3 || how == 8;
            s.caches = how == 0 || how == 4 ? 0 : 4;
            s.turns = how == 4 || how == 5;
            s.pwc_merge = how == 6;
            s.match = how == 5 || how == 6 ? 20 : 0;
            s.march = how == 7 || how == 9 ? 3 : 0;
            s.ahead = how >= 8;
            walk_rig r(s);
            const uint64_t moved = what == change::page ? a : b;
            r.top.ask(a, cycle(10));
            r.top.ask(near_a, cycle(11));
            r.top.ask(b, cycle(11));
            r.pager.at(cycle(begin), [&] {
                if (what == change::page)
                    r.invalidate({ww_inval_range(moved, 4096, 0), false, {r.move_page(moved)}});
                else {
                    r.move_node(moved);
                    r.invalidate({ww_inval_range(moved, region, 0), true, {}});
                }
            });
            r.top.ask(moved, cycle(begin + 1));
            r.top.ask(a + 8192, cycle(begin + 1));
            r.run();
            stale += r.stale();
            restarted += r.dut.stats().walks_restarted;
            BOOST_TEST(r.top.answers.size() == 5u);
            BOOST_TEST(r.dut.stats().invalidates == 1u);
            BOOST_TEST(r.dut.stats().invalidate_latency.count() == 1u);
            BOOST_TEST(begin + r.dut.stats().invalidate_latency.max() <= r.dut.now() / cycle(1));
        }
    BOOST_TEST(stale == 0u);
    BOOST_TEST(restarted > 0u);
}

BOOST_AUTO_TEST_CASE(a_walk_whose_line_is_on_its_way_starts_again_at_the_registers)
{
    walk_rig r({});
    r.top.ask(a, cycle(10));
    r.pager.at(cycle(11 + 3 * read_time + 20),
               [&] { /* the old last line is in flight */
                     const uint64_t entry = r.move_page(a);
                     r.invalidate({ww_inval_range(a, 4096, 0), false, {entry}});
               });
    r.run();
    BOOST_TEST(r.top.only().page_pa == r.page_of(a));
    BOOST_TEST(r.top.only().at == cycle(11 + 8 * read_time + 1));
    BOOST_TEST(r.dut.stats().walks_restarted == 1u);
    BOOST_TEST(r.dut.stats().walks_started == 1u);
    BOOST_TEST(r.dut.stats().pte_reads == 8u);
}

/* Two walks of one walker take turns at its read. While B's last read waits for A's, B's node is moved: B has
 * nothing in flight that could be discarded. */
BOOST_AUTO_TEST_CASE(a_walk_whose_read_waits_to_leave_starts_again_at_the_registers)
{
    shape s;
    s.walkers = 1;
    s.march = 2;
    walk_rig r(s);
    const doubter watched(r.dut);
    r.top.ask(a, cycle(10));
    r.top.ask(b, cycle(10));
    r.pager.at(cycle(11 + 6 * read_time + 20), [&] {
        r.move_node(b);
        r.invalidate({ww_inval_range(b, region, 0), true, {}});
    });
    r.run();
    BOOST_TEST(r.stale() == 0u);
    BOOST_TEST(r.dut.stats().walks_restarted == 1u);
    BOOST_TEST(r.dut.stats().pte_reads == 4u + 3 + 4);
    for (const asker::answer &one : r.top.answers)
        BOOST_TEST(one.page_pa == r.page_of(one.va));
}

BOOST_AUTO_TEST_CASE(with_ideal_walk_caches_it_starts_again_at_its_last_read)
{
    shape s;
    s.ideal = true;
    walk_rig r(s);
    r.top.ask(a, cycle(10));
    r.pager.at(cycle(11 + 20), [&] {
        const uint64_t entry = r.move_page(a);
        r.invalidate({ww_inval_range(a, 4096, 0), false, {entry}});
    });
    r.run();
    BOOST_TEST(r.top.only().page_pa == r.page_of(a));
    BOOST_TEST(r.dut.stats().walks_restarted == 1u);
    BOOST_TEST(r.dut.stats().pte_reads == 2u);
}

BOOST_AUTO_TEST_CASE(a_walk_that_is_not_in_scope_goes_on)
{
    walk_rig r({});
    r.top.ask(a, cycle(10));
    r.pager.at(cycle(11 + 3 * read_time + 20), [&] {
        r.invalidate({ww_inval_range(b, 4096, 0), false, {r.move_page(b)}});
    });
    r.run();
    BOOST_TEST(r.dut.stats().walks_restarted == 0u);
    BOOST_TEST(r.top.only().at == cycle(11 + 4 * read_time + 1));
}

/* One walker. Waiting B has the way to its last node, PL and PA, from the walk of A. */
BOOST_AUTO_TEST_CASE(what_a_waiting_request_knows_of_its_walk_is_forgotten)
{
    shape s;
    s.walkers = 1;
    s.coalesce = WW_COALESCE_FULL;
    walk_rig r(s);
    r.top.ask(a, cycle(10));
    r.top.ask(b, cycle(11));
    r.pager.at(cycle(11 + 3 * read_time + 20), [&] {
        BOOST_TEST(r.dut.stats().partial_coalesced > 0u);
        r.move_node(b);
        r.invalidate({ww_inval_range(b, region, 0), true, {}});
    });
    r.run();
    BOOST_TEST(r.dut.stats().walks_restarted == 0u); /* A is not in scope */
    BOOST_TEST(r.stale() == 0u);
    BOOST_TEST(r.dut.stats().partial_starts == 0u);
    BOOST_TEST(r.dut.stats().pte_reads == 8u);
}

BOOST_AUTO_TEST_CASE(what_a_request_that_is_not_in_scope_knows_is_kept)
{
    shape s;
    s.walkers = 1;
    s.coalesce = WW_COALESCE_FULL;
    walk_rig r(s);
    r.top.ask(a, cycle(10));
    r.top.ask(b, cycle(11));
    r.pager.at(cycle(11 + 3 * read_time + 20), [&] {
        r.invalidate({ww_inval_range(b + 4096, 4096, 0), true, {}});
    });
    r.run();
    BOOST_TEST(r.dut.stats().partial_starts == 1u);
    BOOST_TEST(r.dut.stats().pte_reads == 5u);
}

/* Only reads of the last step are shared: when A restarts, no read holds its neighbour. */
BOOST_DATA_TEST_CASE(a_request_is_held_for_the_line_that_is_read_now_and_for_no_other,
                     data::make({WW_COALESCE_LEAF, WW_COALESCE_FULL}), mode)
{
    shape s;
    s.coalesce = static_cast<uint8_t>(mode);
    walk_rig r(s);
    r.top.ask(a, cycle(10));
    r.top.ask(near_a, cycle(11 + 3 * read_time + 10)); /* while A reads its last line */
    r.pager.at(cycle(11 + 3 * read_time + 20), [&] {
        BOOST_TEST(r.dut.held() == 1u);
        r.invalidate({ww_inval_range(a, 4096, 0), false, {r.move_page(a)}});
    });
    r.sim.run_until(cycle(11 + 4 * read_time + 2));
    BOOST_TEST(r.dut.stats().walks_restarted == 1u);
    BOOST_TEST(r.dut.held() == (mode == WW_COALESCE_FULL ? 1u : 0u));
    BOOST_TEST(r.dut.busy_walkers() == (mode == WW_COALESCE_FULL ? 1u : 2u));
    r.run();
    BOOST_TEST(r.stale() == 0u);
}

/* The second walk joins the read of its line for the first one, and that line is old. */
BOOST_AUTO_TEST_CASE(who_joins_a_read_that_will_be_discarded_starts_again_too)
{
    shape s;
    s.merge = true;
    s.caches = 4; /* the second walk begins at its last step */
    walk_rig r(s);
    r.top.ask(a + 8192, cycle(10)); /* fills the walk caches */
    r.top.ask(a, cycle(500));       /* reads its line from 501 on; memory reads it at 511 */
    r.pager.at(cycle(520), [&] { r.invalidate({ww_inval_range(a, 4096, 0), false, {r.move_page(a)}}); });
    r.top.ask(a, cycle(521));
    r.run();
    BOOST_TEST(r.dut.stats().pte_reads_merged > 0u);
    BOOST_TEST(r.dut.stats().walks_restarted == 2u);
    BOOST_TEST(r.stale() == 0u);
}

/* The big entry is in the cache of lines; the walk waits for the small one, which it reads ahead. */
BOOST_AUTO_TEST_CASE(who_joins_a_read_ahead_that_will_be_discarded_starts_again_too)
{
    constexpr uint64_t c = a + 8 * 4096; /* A's line for its big entry, another for its small one */
    shape s;
    s.ahead = s.cached = s.merge = true;
    s.caches = 4;
    walk_rig r(s);
    r.top.ask(a, cycle(10));
    r.top.ask(c, cycle(1000)); /* reads the small line from 1007 on; memory reads it at 1017 */
    r.pager.at(cycle(1025), [&] {
        BOOST_TEST(r.dut.stats().reads_ahead_used == 2u);
        r.invalidate({ww_inval_range(c, 4096, 0), false, {r.move_page(c)}});
    });
    r.top.ask(c, cycle(1026));
    r.run();
    BOOST_TEST(r.dut.stats().pte_reads_merged > 0u);
    BOOST_TEST(r.dut.stats().walks_restarted == 2u);
    BOOST_TEST(r.stale() == 0u);
}

/* Both lines are in flight: the walk that reads the big one restarts, and no walk waits for the other. */
BOOST_AUTO_TEST_CASE(an_old_line_that_was_read_ahead_does_not_enter_the_cache)
{
    shape s;
    s.ahead = s.cached = true;
    walk_rig r(s);
    r.top.ask(a, cycle(10));
    r.pager.at(cycle(11 + 5 * (read_time + 6) + 30), [&] {
        BOOST_TEST(r.dut.stats().reads_ahead == 1u);
        BOOST_TEST(r.dut.stats().reads_ahead_used == 0u);
        r.invalidate({ww_inval_range(a, 4096, 0), false, {r.move_page(a)}});
    });
    r.top.ask(a, cycle(2000));
    r.run();
    BOOST_TEST(r.dut.stats().walks_restarted == 1u);
    BOOST_TEST(r.dut.stats().pte_reads == 7u + 2); /* five lines of the first try are valid, then all are */
    BOOST_TEST(r.stale() == 0u);
}

/* B joined A's read and has its line, but the state machine is busy with A when the invalidate arrives: B
 * restarts. C and D arrive after it and read new lines. */
BOOST_AUTO_TEST_CASE(who_joins_a_read_is_not_discarded_with_others_that_have_had_the_line)
{
    shape s;
    s.walkers = 4;
    s.pwc_merge = true;
    s.match = 100;
    walk_rig r(s);
    r.top.ask(a, cycle(10));
    r.top.ask(near_a, cycle(10));
    r.pager.at(cycle(60), [&] {
        BOOST_TEST(r.dut.stats().pte_reads_merged == 1u);
        r.invalidate({ww_inval_range(a, region, 0), false, {r.move_page(a)}});
    });
    r.top.ask(a + 8192, cycle(61));
    r.top.ask(a + 12288, cycle(62));
    r.run();
    BOOST_TEST(r.dut.stats().pte_reads_merged > 1u);
    BOOST_TEST(r.dut.stats().walks_restarted == 2u);
    BOOST_TEST(r.stale() == 0u);
}

/* The lookup finds the line before the invalidate, but would use it only when it ends. */
BOOST_AUTO_TEST_CASE(a_line_that_was_found_in_the_cache_before_is_not_used_after)
{
    shape s;
    s.cached = true;
    walk_rig r(s);
    r.top.ask(a + 8192, cycle(10));
    r.top.ask(a, cycle(1000)); /* four lookups of 6 cycles; the last begins at 1019 */
    r.pager.at(cycle(1021), [&] { r.invalidate({ww_inval_range(a, 4096, 0), false, {r.move_page(a)}}); });
    r.run();
    BOOST_TEST(r.dut.stats().walks_restarted == 1u);
    BOOST_TEST(r.stale() == 0u);
}

BOOST_AUTO_TEST_CASE(an_old_line_that_arrives_does_not_enter_the_cache)
{
    shape s;
    s.cached = true;
    walk_rig r(s);
    r.top.ask(a, cycle(10));
    r.pager.at(cycle(11 + 3 * (read_time + 6) + 30), [&] {
        r.invalidate({ww_inval_range(a, 4096, 0), false, {r.move_page(a)}});
    });
    r.run();
    BOOST_TEST(r.dut.stats().walks_restarted == 1u);
    BOOST_TEST(r.dut.stats().pte_reads == 5u); /* three lines of the first try are valid */
    BOOST_TEST(r.stale() == 0u);
}

namespace
{
struct drop {
    const char *name;
    bool cached, tables, entries;
    uint64_t reads; /* of the walk after the invalidate */
};
std::ostream &operator<<(std::ostream &out, const drop &d)
{
    return out << d.name;
}
const drop drops[] = {
    {"walk caches stay where only pages changed", false, false, true, 1},
    {"walk caches are dropped where nodes changed", false, true, true, 4},
    {"of the table's lines only the one that was written", true, true, true, 1},
    {"all of the table's lines where nobody says which", true, true, false, 4},
};
} // namespace

BOOST_DATA_TEST_CASE(caches_of_the_table_drop_what_the_scope_says, data::make(drops), d)
{
    shape s;
    s.cached = d.cached;
    s.caches = d.cached ? 0 : 4;
    walk_rig r(s);
    r.top.ask(a, cycle(10));
    uint64_t before = 0;
    r.pager.at(cycle(1000), [&] {
        invalidation what{ww_inval_range(a, 4096, 0), d.tables, {r.move_page(a)}};
        if (!d.entries)
            what.entries.clear();
        r.invalidate(what);
        before = r.dut.stats().pte_reads;
    });
    r.top.ask(a, cycle(1001));
    r.run();
    BOOST_TEST(r.dut.stats().pte_reads - before == d.reads);
    BOOST_TEST(r.stale() == 0u);
}

/* Two address spaces: pages at one address, walks of both in flight. */
BOOST_DATA_TEST_CASE(walks_and_caches_of_another_vm_are_left_alone, data::make({false, true}), all)
{
    shape s;
    s.spaces = 2;
    s.caches = 4;
    walk_rig r(s);
    for (const uint16_t vmid : {uint16_t{0}, uint16_t{1}})
        r.top.ask(a + 8192, cycle(10), vmid); /* fills the walk caches of both */
    uint64_t before = 0;
    r.pager.at(cycle(1000), [&] {
        r.move_page(a, 1);
        r.invalidate({all ? ww_inval_all() : ww_inval_space(1), true, {}});
        before = r.dut.stats().pte_reads;
    });
    r.top.ask(a, cycle(1001), 0);
    r.top.ask(a, cycle(1001), 1);
    r.run();
    BOOST_TEST(r.dut.stats().pte_reads - before == (all ? 8u : 5u));
    BOOST_TEST(r.stale() == 0u);
}

BOOST_AUTO_TEST_CASE(a_walk_of_another_vm_does_not_start_again)
{
    shape s;
    s.spaces = 2;
    walk_rig r(s);
    r.top.ask(a, cycle(10), 0);
    r.top.ask(a, cycle(10), 1);
    r.pager.at(cycle(11 + 3 * read_time + 20), [&] {
        r.invalidate({ww_inval_range(a, 4096, 1), false, {r.move_page(a, 1)}});
    });
    r.run();
    BOOST_TEST(r.dut.stats().walks_restarted == 1u);
    BOOST_TEST(r.stale() == 0u);
}

BOOST_AUTO_TEST_CASE(a_unit_that_serves_nobody_acknowledges_at_once)
{
    simulation sim;
    memory_store store;
    address_space space{numbers_of<address_space_params>(), walk_rig::ranges(), store};
    walk_unit dut("walk_unit", gpu_clock, numbers_of<walk_unit_params>(), space.table(), 0);
    mem_responder memory{"memory"};
    actor pager;
    dut.mem.bind(memory.up);
    tick done = never;
    for (const uint64_t at : {100u, 200u}) {
        pager.at(cycle(at), [&] {
            BOOST_TEST(dut.invalidate({ww_inval_all(), true, {}}, [&](tick t) { done = t; }));
        });
        sim.run_until(cycle(at + 1));
        BOOST_TEST(done == cycle(at));
    }
}

BOOST_AUTO_TEST_SUITE_END()
