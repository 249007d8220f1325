/* SPDX-License-Identifier: MIT */
/* Translations in local memory below an L1 TLB: what is kept and for how long, which access has the port
 * first, what work-groups claim; and the contract of every block that answers translations. 1 KiB of local
 * memory: 32 segments, page n is in segment n mod 32. The L1 TLB holds one page, its lookups take 10. */
#include "model/lds_translations.hpp"
#include "model/tlb.hpp"
#include "tb/model/xlat_rig.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
using xrow = row<xlat_protocol>;

namespace
{

constexpr uint32_t segments = 32;

lds_tx_params small()
{
    lds_tx_params p = numbers_of<lds_tx_params>();
    p.bytes = 1024;
    p.lent.translations = 1;
    p.lent.cycles = 7;
    p.lent.skip_cycles = 2;
    return p;
}

tlb_params passing(uint32_t entries, uint32_t fills = 0)
{
    tlb_params p = numbers_of<tlb_params>();
    p.entries = p.ways = entries;
    p.hit_cycles = 10;
    p.mshrs = p.merges = 8;
    p.victims = 1;
    p.fills = fills;
    return p;
}

/* Holds the port from `from` until `until`. */
struct busy_owner final : memory_owner {
    tick from = never, until = 0;
    uint64_t moved = 0;
    tick moved_at = never;
    bool has_port(tick now) override { return now >= from && now < until; }
    void moves(tick now, uint64_t bytes) override
    {
        moved += bytes;
        moved_at = now;
    }
};

struct rig {
    simulation sim;
    busy_owner owner;
    xlat_requester top{"top"};
    xlat_responder below{"below"};
    tlb one;
    lds_translations dut;
    tlb last{"last", gpu_clock, passing(64, 8), {"l2", "L2 TLB"}, 1};
    translations asked{top};

    explicit rig(const lds_tx_params &p = small(), uint32_t above = 1)
        : one("one", gpu_clock, passing(above), {"l1", "L1 TLB"}, 1), dut("lds_tx", gpu_clock, p, owner)
    {
        top.down.bind(*one.up[0]);
        one.down.bind(*dut.up[0]);
        dut.down.bind(*last.up[0]);
        last.down.bind(below.up);
        invent(below);
        below.latency = 100;
    }
    void settle()
    {
        sim.run();
        law_list list(0, false);
        dut.laws(list);
        for (const law &l : list.all())
            BOOST_TEST(l.left == l.right, l.name << ": " << l.left << " and " << l.right);
    }
    /* Looks pages up one after the other, each when the previous one has returned. */
    void look(std::initializer_list<uint64_t> pages)
    {
        for (const uint64_t page : pages) {
            asked.ask(page << 12, dut.now() + cycle(1000));
            settle();
        }
    }
    /* Accesses bytes [first, first + bytes) of a work-group's piece of `piece` bytes at 0. */
    void access(uint64_t first, uint32_t bytes, uint32_t piece = 1024)
    {
        wave_access a{};
        a.lanes.mask = 1;
        a.lanes.bytes = static_cast<uint16_t>(bytes);
        a.lanes.va[0] = first;
        a.local_bytes = piece;
        dut.accessed(a);
        settle();
    }
    uint64_t count(const char *name) const
    {
        stat_text text;
        dut.visit(text, dut.now());
        return std::stoull(text.all.at(name));
    }
};

template <bool TIGHT> struct contract_rig : xlat_rig {
    static lds_tx_params params()
    {
        lds_tx_params p = small();
        p.lent.queue_entries = p.lent.fills = TIGHT ? 1 : 6;
        p.lent.fill_uses = TIGHT ? 5 : 2;
        return p;
    }
    static tlb_params above()
    {
        tlb_params p = passing(4);
        p.queue_entries = p.mshrs = p.merges = TIGHT ? 1 : 6;
        return p;
    }
    busy_owner owner;
    tlb l1{"l1", gpu_clock, above(), {"l1", "L1 TLB"}, 1};
    lds_translations dut{"lds_tx", gpu_clock, params(), owner};
    xlat_responder below{"below", gpu_clock, TIGHT ? 1u : 4u};

    explicit contract_rig(bool refusing)
    {
        top.down.bind(*l1.up[0]);
        l1.down.bind(*dut.up[0]);
        dut.down.bind(below.up);
        dawdle(refusing, top);
        stall(refusing, below);
        below.latency = 30;
        translate(below);
    }
    auto stats() const { return stat_text::of(dut.stats()); }
    std::string waiting() const { return l1.waiting() + dut.waiting(); }
    uint64_t live() const { return l1.live() + dut.live(); }
    void close(tick until) { below.closed_until = until; }
    uint64_t bound() const { return TIGHT ? 2 + 1 + 1 : 6 + 6 + 6 + 1; }
};

} // namespace

BOOST_AUTO_TEST_SUITE(lds_translation_stages)

BOOST_AUTO_TEST_CASE(a_page_that_left_the_l1_is_found_here_and_a_copy_stays)
{
    rig r;
    r.look({1, 2, 1});
    BOOST_TEST(r.dut.stats().hits == 1u);
    BOOST_TEST(r.dut.stats().resident == 2u); /* 1, copied up, and 2, which the L1 evicts for it */
    BOOST_TEST(r.last.stats().lookups == 2u);
    r.look({2});
    BOOST_TEST(r.dut.stats().fills_refreshed == 1u);
}

BOOST_AUTO_TEST_CASE(moved_up_it_stays_no_longer)
{
    lds_tx_params p = small();
    p.lent.promotion = 1;
    rig r(p);
    r.look({1, 2, 1});
    BOOST_TEST(r.dut.stats().moved == 1u);
    BOOST_TEST(r.dut.stats().resident == 1u);
}

BOOST_AUTO_TEST_CASE(an_answer_from_below_is_not_held)
{
    rig r;
    r.look({1});
    BOOST_TEST(r.dut.stats().resident == 0u);
}

BOOST_DATA_TEST_CASE(a_hit_and_a_miss_take_the_lookup_and_what_needs_no_port_a_little,
                     boost::unit_test::data::make({0u, 10u}), wire)
{
    lds_tx_params p = small();
    p.lent.wire_cycles = wire;
    rig r(p);
    r.look({1, 2});
    const tick at = r.dut.now() + cycle(1000);
    const uint64_t other = 1 + segments; /* its segment holds page 1 */
    xlat_request &hit = r.asked.make(1 << 12, at), &miss = r.asked.make(other << 12, at + cycle(500)),
                 &skip = r.asked.make(9 << 12, at + cycle(1000));
    const tick below = cycle(10 + 100 + 1 + 1);
    const tick l1 = cycle(10 + 1);
    check_rows<xlat_protocol>(r.sim, r.top,
                              {{at, &hit, at + l1 + cycle(7 + wire)},
                               {at + cycle(500), &miss, at + cycle(500) + l1 + cycle(7 + wire) + below},
                               {at + cycle(1000), &skip, at + cycle(1000) + l1 + cycle(2 + wire) + below}});
    BOOST_TEST(spent(hit, "lds_tx_lookup") == cycle(7 + wire));
    BOOST_TEST(spent(miss, "lds_tx_lookup") == cycle(7 + wire));
    BOOST_TEST(spent(skip, "lds_tx_lookup") == cycle(2 + wire));
    BOOST_TEST(r.count("skipped") == 3u); /* including the first two */
}

BOOST_AUTO_TEST_CASE(local_accesses_have_the_port_first)
{
    rig r;
    r.look({1, 2});
    const tick at = r.dut.now() + cycle(1000);
    xlat_request &hit = r.asked.make(1 << 12, at);
    r.owner.from = at;
    r.owner.until = at + cycle(10 + 20);
    r.top.ask(hit, at);
    r.settle();
    BOOST_TEST(spent(hit, "lds_tx_queue") == cycle(20));
    BOOST_TEST(spent(hit, "lds_tx_lookup") == cycle(7));
    BOOST_TEST(r.count("stall_port_cycles") == 20u);
}

BOOST_AUTO_TEST_CASE(a_lookup_has_the_port_as_long_as_it_needs_it_and_another_waits)
{
    lds_tx_params p = small();
    p.lent.hit_uses = 4;
    rig r(p, 2);
    r.look({1, 2, 3, 4}); /* 1 and 2 are in local memory */
    const uint64_t uses = r.count("port_uses");
    const tick at = r.dut.now() + cycle(1000);
    xlat_request &first = r.asked.make(1 << 12, at), &second = r.asked.make(2 << 12, at);
    r.top.ask(first, at);
    r.top.ask(second, at);
    r.settle();
    BOOST_TEST(spent(first, "lds_tx_queue") == 0u);
    BOOST_TEST(spent(second, "lds_tx_queue") == cycle(4));
    BOOST_TEST(r.count("port_uses") == uses + 2 * 4 + 2 * 2); /* including the fills that follow */
}

BOOST_AUTO_TEST_CASE(a_fill_waits_for_the_port_and_is_lost_where_too_many_wait)
{
    lds_tx_params p = small();
    p.lent.fills = 1;
    rig r(p);
    r.owner.from = 0;
    r.owner.until = cycle(100000);
    for (const uint64_t page : {1, 2, 3, 4})
        r.asked.ask(page << 12, cycle(page * 1000));
    r.sim.run_until(cycle(90000));
    BOOST_TEST(r.dut.stats().resident == 0u);
    BOOST_TEST(r.dut.live() == 1u);
    BOOST_TEST(r.dut.waiting() == "1 fills wait for the port");
    r.settle();
    BOOST_TEST(r.dut.now() >= cycle(100000));
    BOOST_TEST(r.dut.stats().resident == 1u);
    BOOST_TEST(r.count("fills_late") == 2u);
    BOOST_TEST(r.dut.waiting() == "");
}

BOOST_AUTO_TEST_CASE(lookups_go_before_fills)
{
    rig r(small(), 2);
    r.look({1, 2, 3}); /* 1 is in local memory */
    const tick at = r.dut.now() + cycle(1000);
    /* both wait; when the port is free the lookup is first, the fill a cycle later */
    r.owner.from = at;
    r.owner.until = at + cycle(600);
    xlat_request &miss = r.asked.make(9 << 12, at), &hit = r.asked.make(1 << 12, at + cycle(400));
    r.top.ask(miss, at);
    r.sim.run_until(at + cycle(390));
    BOOST_TEST(r.dut.live() == 1u);
    r.top.ask(hit, at + cycle(400));
    r.settle();
    BOOST_TEST(spent(hit, "lds_tx_queue") == cycle(600 - 410));
}

BOOST_AUTO_TEST_CASE(a_work_groups_memory_keeps_what_it_has_until_it_is_used_and_then_passes_fills_on)
{
    rig r;
    r.look({1, 2});
    r.dut.given(0, 1024);
    r.settle();
    BOOST_TEST(r.dut.stats().resident == 1u);
    r.access(32, 32);
    BOOST_TEST(r.dut.stats().resident == 0u);
    BOOST_TEST(r.dut.stats().claimed == 1u);
    BOOST_TEST(r.count("segments_claimed") == 1u);
    r.look({1 + segments, 3}); /* the work-group has its segment, and segment 2, never used: passed on */
    BOOST_TEST(r.count("bypassed_mode") == 2u);
    BOOST_TEST(r.last.stats().fills_received == 2u);
    r.dut.given_back(0, 1024);
    r.look({4, 5});
    BOOST_TEST(r.dut.stats().resident == 2u);
}

/* Chunk f of the first eight holds the tags of segments 4f to 4f + 3. */
BOOST_DATA_TEST_CASE(tags_and_translations_apart_are_moved_for_an_allocation_where_the_layout_says_so,
                     boost::unit_test::data::make({WW_LDS_TX_APART, WW_LDS_TX_READJUSTED}), layout)
{
    lds_tx_params p = small();
    p.layout = layout;
    const bool moves = layout == WW_LDS_TX_READJUSTED;
    rig r(p);
    r.look({1, 2, 3, 4, 5});                  /* 5 is in the L1 TLB */
    for (const uint64_t first : {0u, 512u}) { /* the second is empty */
        const tick at = r.dut.now();
        r.dut.given(first, 64);
        r.settle();
        BOOST_TEST(r.owner.moved_at == (moves ? at + cycle(1) : never));
        BOOST_TEST(r.dut.stats().resident == (moves ? 3u : 4u));
        BOOST_TEST(r.dut.stats().claimed == (moves ? 1u : 0u));
        BOOST_TEST(r.owner.moved == (moves ? 3u * 2 * 8 : 0u));
        BOOST_TEST(r.count("readjusted") == (moves ? 3u * 2 * 8 : 4u * 2 * (8 + 8)));
    }
    BOOST_TEST(r.count("homeless") == (moves ? 4u : 0u));
    r.access(0, 64);
    BOOST_TEST(r.dut.stats().resident == (moves ? 3u : 0u));
    r.look({1});
    BOOST_TEST(r.dut.stats().hits == (moves ? 1u : 0u));
}

BOOST_AUTO_TEST_CASE(each_lane_claims_what_it_touches_and_none_beyond_the_work_groups_piece)
{
    rig r(small(), 1);
    r.look({1, 2, 3, 4, 5});
    BOOST_TEST(r.dut.stats().resident == 4u);
    r.dut.given(0, 96); /* segments 0 to 2 */
    wave_access a{};
    a.lanes.mask = 0b1011;
    a.lanes.bytes = 4;
    a.local_bytes = 96;
    a.lanes.va[0] = 64; /* segment 2 */
    a.lanes.va[1] = 95; /* its last byte, and bytes beyond the piece */
    a.lanes.va[2] = 32; /* inactive */
    a.lanes.va[3] = 128;
    r.dut.accessed(a);
    r.settle();
    BOOST_TEST(r.dut.stats().claimed == 1u);
    BOOST_TEST(r.dut.stats().resident == 3u);
}

BOOST_AUTO_TEST_CASE(an_access_across_two_segments_claims_both)
{
    rig r;
    r.look({1, 2, 3});
    r.dut.given(0, 1024);
    r.access(60, 8);
    BOOST_TEST(r.dut.stats().claimed == 2u);
}

BOOST_DATA_TEST_CASE(a_claim_is_seen_by_the_lookup_of_the_next_cycle, boost::unit_test::data::make({9u, 10u}),
                     cycles)
{
    rig r;
    r.look({1, 2});
    r.dut.given(0, 1024);
    r.settle();
    const tick at = r.dut.now() + cycle(1000);
    xlat_request &late = r.asked.make(1 << 12, at);
    r.top.ask(late, at);
    r.sim.run_until(at + cycle(cycles));
    wave_access a{};
    a.lanes.mask = 1;
    a.lanes.bytes = 4;
    a.lanes.va[0] = 32;
    a.local_bytes = 1024;
    r.dut.accessed(a);
    r.settle();
    BOOST_TEST(r.dut.stats().hits == (cycles == 9 ? 0u : 1u));
    BOOST_TEST(spent(late, "lds_tx_lookup") == cycle(cycles == 9 ? 2 : 7));
}

/* Every answer must be from the page table of its own space, whatever is claimed and given back meanwhile. */
BOOST_AUTO_TEST_CASE(two_address_spaces_that_use_the_same_addresses_never_see_each_others_entries)
{
    simulation sim;
    memory_store store;
    address_space_params two = numbers_of<address_space_params>();
    two.spaces = 2;
    address_spaces spaces{two, {{base_va, uint64_t{contract_pages} << 12}}, store};
    busy_owner owner;
    xlat_requester top{"top"};
    tlb l1{"l1", gpu_clock, passing(4), {"l1", "L1 TLB"}, 1};
    lds_translations dut{"lds_tx", gpu_clock, small(), owner};
    xlat_responder below{"below"};
    translations asked{top};
    top.down.bind(*l1.up[0]);
    l1.down.bind(*dut.up[0]);
    dut.down.bind(below.up);
    below.latency = 30;
    below.answer = [&, c = cause_of(below, "below")](xlat_request &r, tick at) {
        r.fault = !spaces[r.vmid].translate(r.va, &r.result);
        r.charge(c, at);
    };
    ww_rng random;
    ww_rng_init(&random, 14);
    unsigned differ = 0;
    for (unsigned round = 0; round < 300; ++round) {
        const uint64_t first = ww_rng_below(&random, 8) * 128;
        dut.given(first, 128);
        std::vector<xlat_request *> sent;
        for (unsigned i = 0; i < 12; ++i) {
            sent.push_back(&asked.make(base_va + ww_rng_below(&random, contract_pages) * 4096, dut.now(), i));
            sent.back()->vmid = static_cast<uint16_t>(ww_rng_below(&random, 2));
            top.ask(*sent.back(), dut.now() + cycle(5 + i * 20));
        }
        wave_access a{};
        a.lanes.mask = 1;
        a.lanes.bytes = 4;
        a.lanes.va[0] = ww_rng_below(&random, 31) * 4;
        a.local_first = static_cast<uint32_t>(first);
        a.local_bytes = 128;
        dut.accessed(a);
        sim.run();
        dut.given_back(first, 128);
        for (const xlat_request *r : sent) {
            ww_xlat own{}, others{};
            BOOST_REQUIRE(spaces[r->vmid].translate(r->va, &own));
            BOOST_REQUIRE(spaces[1u - r->vmid].translate(r->va, &others));
            BOOST_TEST(r->result.page_pa == own.page_pa);
            differ += own.page_pa != others.page_pa;
        }
    }
    BOOST_TEST(differ == 300u * 12);
    BOOST_TEST(dut.stats().hits > 100u);
    BOOST_TEST(dut.stats().claimed > 20u);
}

BOOST_AUTO_TEST_CASE(what_is_displaced_goes_on_to_the_level_below)
{
    rig r;
    r.look({1, 1 + segments, 1 + 2 * segments, 1 + 3 * segments, 2});
    BOOST_TEST(r.dut.stats().resident == 3u);
    BOOST_TEST(r.dut.stats().victims_passed == 1u);
    BOOST_TEST(r.last.stats().fills_received == 1u);
}

BOOST_AUTO_TEST_CASE(with_a_local_memory_that_does_not_fit_it_is_refused)
{
    const auto said = [](auto change) {
        lds_tx_params p = small();
        change(p);
        return p.validate();
    };
    BOOST_TEST(said([](lds_tx_params &) {}) == "");
    BOOST_TEST(said([](lds_tx_params &p) { p.segment_bytes = 48; }) == "segment_bytes is neither 32 nor 64");
    BOOST_TEST(said([](lds_tx_params &p) { p.bytes = 1536; }).find("a power of two") != std::string::npos);
    BOOST_TEST(said([](lds_tx_params &p) { p.bytes = 1536, p.lent.translations = 0; }) == "");
    BOOST_TEST(small().state_bytes() > 1024u);
}

BOOST_AUTO_TEST_SUITE_END()

WW_CONTRACT(lds_translations_contract, contract_rig<false>)
WW_CONTRACT(lds_translations_of_one_contract, contract_rig<true>)
