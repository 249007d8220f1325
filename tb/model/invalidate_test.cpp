/* SPDX-License-Identifier: MIT */
/* Pages are moved while they are used: coalescer, three TLBs that pass their victims down, walk unit. A pager
 * writes the page table as the test chooses, invalidates, and frees the old frame at the acknowledgement: an
 * access that touches a freed frame, or still touches it, fails. */
#include "model/coalescer.hpp"
#include "model/tlb.hpp"
#include "model/walk_unit.hpp"
#include "tb/support/block_numbers.hpp"
#include "tb/support/requests.hpp"

#include <boost/test/data/test_case.hpp>

#include <set>

using namespace walkway;
using namespace walkway::test;

namespace
{

constexpr uint64_t base_va = uint64_t{1} << 40;
constexpr uint32_t pages = 24; /* in three lines of the table */

struct shape {
    uint32_t bound; /* of everything that has a bound */
    uint8_t coalesce;
    bool cached; /* with a cache of table lines, whose reads merge */
    uint32_t seed;
};
std::ostream &operator<<(std::ostream &out, const shape &s)
{
    return out << "bound " << s.bound << " coalesce " << unsigned{s.coalesce} << " cached " << s.cached
               << " seed " << s.seed;
}

/* Acts at a chosen time, as a block of the machine. */
struct pager final : block {
    std::function<void(tick)> act;
    pager() : block("pager", gpu_clock) {}
    void at(tick t) { wake(t); }
    void step(tick now) override { act(now); }
    std::string waiting() const override { return ""; }
};

struct machine_under_test {
    memory_store store;
    address_space space{numbers_of<address_space_params>(), {{base_va, pages * 4096}}, store};
    std::deque<wave_access> all;
    simulation sim;
    requester<access_protocol> top{"top"};
    coalescer coal;
    tlb l1, l2, l3;
    walk_unit walks;
    mem_responder cache{"cache"}, dram{"dram"};
    pager owner;
    ww_rng random;
    std::map<uint64_t, tick> busy_until; /* by frame: end of its latest access */
    std::set<uint64_t> freed;
    uint64_t next_frame = uint64_t{1} << 32, moved = 0, wrong = 0;

    static coalescer_params coal_of(const shape &s)
    {
        coalescer_params p = numbers_of<coalescer_params>();
        p.instructions = s.bound == 1 ? 1 : 8;
        p.window = s.bound == 1 ? 0 : 8;
        p.queue_entries = s.bound;
        return p;
    }
    static tlb_params tlb_of(const shape &s, uint32_t entries, uint32_t fills)
    {
        tlb_params p = numbers_of<tlb_params>();
        p.entries = p.ways = entries;
        p.hit_cycles = 3;
        p.ports = s.bound == 1 ? 1 : 2;
        p.mshrs = p.merges = p.queue_entries = s.bound;
        p.victims = 1;
        p.fills = fills;
        p.link_cycles = 2 * entries;
        return p;
    }
    static walk_unit_params walks_of(const shape &s)
    {
        walk_unit_params p = numbers_of<walk_unit_params>();
        p.walkers = s.bound == 1 ? 1 : 3;
        p.buffer_entries = s.bound;
        p.backlog_entries = s.bound;
        p.coalesce = s.coalesce;
        p.read_cycles = p.reply_cycles = 5;
        p.response_cycles = 1;
        p.pte_cache_bytes = s.cached ? 256 : 0;
        p.pte_cache_merge = s.cached;
        return p;
    }
    explicit machine_under_test(const shape &s)
        : coal("coalescer", gpu_clock, coal_of(s)), l1("l1", gpu_clock, tlb_of(s, 2, 0), {"l1", "L1"}, 1),
          l2("l2", gpu_clock, tlb_of(s, 4, s.bound), {"l2", "L2"}, 1),
          l3("l3", gpu_clock, tlb_of(s, 8, s.bound), {"l3", "L3"}, 1),
          walks("walks", gpu_clock, walks_of(s), space.table(), 1)
    {
        top.down.bind(coal.up);
        coal.xlat.bind(*l1.up[0]);
        coal.mem.bind(cache.up);
        l1.down.bind(*l2.up[0]);
        l2.down.bind(*l3.up[0]);
        l3.down.bind(*walks.up[0]);
        walks.mem.bind(dram.up);
        serve(dram, store);
        dram.latency = 40;
        cache.latency = 25;
        cache.jitter = 90;
        cache.answer = [this](tlm::tlm_generic_payload &p, tick at) {
            const uint64_t frame = p.get_address() >> 12;
            wrong += freed.count(frame);
            tick &end = busy_until[frame];
            end = at > end ? at : end;
            p.set_response_status(tlm::TLM_OK_RESPONSE);
        };
        ww_rng_init(&random, s.seed);
        for (unsigned i = 0; i < 900; ++i)
            load(base_va + ww_rng_below(&random, pages) * 4096, cycle(10 + i * 12));
    }
    void load(uint64_t va, tick at)
    {
        all.emplace_back();
        wave_access &a = all.back();
        a.lanes.mask = 0xff;
        a.lanes.bytes = 4;
        for (uint64_t l = 0; l < 64; ++l)
            a.lanes.va[l] = l < 4 ? va : base_va + (va - base_va + 4096 * (l - 3)) % (pages * 4096);
        a.access = access_kind::read;
        a.vmid = a.cu = 0;
        a.instruction = static_cast<uint32_t>(all.size());
        top.ask(a, at);
    }
    ww_xlat now_in_table(uint64_t va, uint64_t *entry) const
    {
        uint64_t walk = ww_table_start(&space.table(), va);
        for (ww_walk_read read = {}; ww_table_next(&space.table(), walk, va, &read) == WW_WALK_READ;) {
            uint64_t line[8];
            store.read(read.pa & ~uint64_t{63}, reinterpret_cast<unsigned char *>(line), 64);
            *entry = read.pa;
            walk = ww_table_feed(&space.table(), walk, va, line);
        }
        return ww_walk_xlat(walk);
    }
    /* Requires that every level that can answer does so from the present table. */
    void check_stages(uint64_t va)
    {
        uint64_t entry = 0;
        const ww_xlat now = now_in_table(va, &entry);
        for (tlm::tlm_initiator_socket<32, xlat_protocol> *from :
             std::initializer_list<tlm::tlm_initiator_socket<32, xlat_protocol> *>{&coal.xlat, &l1.down,
                                                                                   &l2.down, &l3.down}) {
            xlat_request r{};
            r.va = va;
            (*from)->transport_dbg(r);
            wrong += r.result.page_pa != now.page_pa ? 1 : 0;
        }
    }
    void move(uint64_t va)
    {
        uint64_t entry = 0;
        const ww_xlat old = now_in_table(va, &entry);
        uint64_t pte = 0;
        store.read(entry, reinterpret_cast<unsigned char *>(&pte), 8);
        pte = (pte & ~(((uint64_t{1} << 52) - 1) & ~uint64_t{4095})) | next_frame;
        next_frame += 4096;
        store.write(entry, reinterpret_cast<const unsigned char *>(&pte), 8);
        const bool taken =
            walks.invalidate({ww_inval_range(va, 4096, 0), false, {entry}}, [this, va, old](tick t) {
                ++moved;
                freed.insert(old.page_pa >> 12);
                wrong += busy_until[old.page_pa >> 12] > t ? 1 : 0;
                check_stages(va);
                if (moved != 150)
                    owner.at(t + cycle(1 + ww_rng_below(&random, 500)));
            });
        BOOST_REQUIRE(taken);
        BOOST_TEST(!walks.invalidate({ww_inval_all(), true, {}}, {}), "one scope is open at a time");
    }
    void run()
    {
        owner.act = [this](tick) { move(base_va + ww_rng_below(&random, pages) * 4096); };
        owner.at(cycle(200));
        sim.run();
    }
};

std::vector<shape> shapes()
{
    std::vector<shape> list;
    for (const uint32_t bound : {1u, 4u, 32u})
        for (const uint8_t coalesce : {WW_COALESCE_OFF, WW_COALESCE_LEAF, WW_COALESCE_FULL})
            for (const bool cached : {false, true})
                list.push_back({bound, coalesce, cached, static_cast<uint32_t>(list.size()) + 1});
    return list;
}

} // namespace

BOOST_AUTO_TEST_SUITE(invalidate_in_time)

BOOST_DATA_TEST_CASE(no_access_uses_a_page_that_was_moved_and_no_stage_holds_it,
                     boost::unit_test::data::make(shapes()), s)
{
    machine_under_test m(s);
    m.run();
    BOOST_TEST(m.wrong == 0u);
    BOOST_TEST(m.moved == 150u);
    BOOST_TEST(m.top.done.size() == m.all.size());
    BOOST_TEST(m.coal.live() + m.l1.live() + m.l2.live() + m.l3.live() + m.walks.live() == 0u);
    for (const tlb *t : {&m.l1, &m.l2, &m.l3}) {
        BOOST_TEST(t->stats().invalidated > 0u);
        law_list list(0, false);
        t->laws(list);
        for (const law &l : list.all())
            BOOST_TEST(l.left == l.right, t->name() << ": " << l.name);
    }
    BOOST_TEST(m.l2.stats().fills_received > 0u);
}

BOOST_AUTO_TEST_CASE(the_unusual_does_happen_walks_begin_again_and_fills_are_refused)
{
    uint64_t restarted = 0, refused = 0, dropped = 0;
    for (const shape &s : shapes()) {
        machine_under_test m(s);
        m.run();
        restarted += m.walks.stats().walks_restarted;
        refused += m.l2.stats().fills_refused + m.l3.stats().fills_refused;
        dropped += m.l2.stats().fills_dropped + m.l3.stats().fills_dropped;
    }
    BOOST_TEST(restarted > 0u);
    BOOST_TEST(refused > 0u);
    BOOST_TEST(dropped > 0u);
}

BOOST_AUTO_TEST_SUITE_END()
