/* SPDX-License-Identifier: MIT */
/* Translations in an instruction cache: how fetches and translations share one array, which of them has the
 * port first, kernels that begin; and the fill and lookup flows of [M21 Figure 12] in time, through local
 * memory and instruction cache. 32 lines in 4 sets; page n is in line n mod 32, and in segment n mod 32 of 1
 * KiB of local memory. L1 TLB 10 cycles and one page, local memory 7 (skipped 2), instruction cache 9
 * (skipped 3), L2 TLB 10. */
#include "model/icache_translations.hpp"
#include "model/lds_translations.hpp"
#include "model/tlb.hpp"
#include "tb/support/block_numbers.hpp"
#include "tb/support/requests.hpp"

#include <boost/test/data/test_case.hpp>

using namespace walkway;
using namespace walkway::test;
namespace data = boost::unit_test::data;

namespace
{

constexpr uint64_t lines_of_it = 32, set_bytes = 4 * 64;

icache_tx_params small(uint8_t design = WW_ICACHE_TX_AWARE)
{
    icache_tx_params p = numbers_of<icache_tx_params>();
    p.entries = 32;
    p.ways = 8;
    p.lent.translations = 1;
    p.lent.cycles = 9;
    p.lent.skip_cycles = 3;
    p.design = design;
    p.mismatch = WW_ICACHE_TX_BYPASS;
    return p;
}

icache_params cache_of(const icache_tx_params &p, uint32_t mshrs)
{
    icache_params cache = numbers_of<icache_params>();
    cache.entries = p.entries;
    cache.ways = p.ways;
    cache.mshrs = mshrs;
    return cache;
}

lds_tx_params local()
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

struct nobody final : memory_owner {
    bool has_port(tick) override { return false; }
};

/* L1 TLB, with `lds` local memory, instruction cache, L2 TLB; a separate requester fetches. */
struct rig {
    memory_store store;
    lines l;
    simulation sim;
    nobody owner;
    xlat_requester top{"top"};
    tlb one{"one", gpu_clock, passing(1), {"l1", "L1 TLB"}, 1};
    std::unique_ptr<lds_translations> segments;
    mem_requester fetcher{"fetcher"};
    mem_responder memory{"memory"};
    icache code;
    icache_translations dut;
    tlb last{"last", gpu_clock, passing(64, 16), {"l2", "L2 TLB"}, 1};
    xlat_responder below{"below"};
    translations asked{top};

    explicit rig(const icache_tx_params &p = small(), bool lds = false, const lds_tx_params &p_lds = local(),
                 uint32_t mshrs = 8)
        : code("icache", gpu_clock, cache_of(p, mshrs), store, 1), dut("icache_tx", gpu_clock, p, code, 1)
    {
        top.down.bind(*one.up[0]);
        if (lds) {
            segments = std::make_unique<lds_translations>("lds_tx", gpu_clock, p_lds, owner);
            one.down.bind(*segments->up[0]);
            segments->down.bind(*dut.up[0]);
        } else {
            one.down.bind(*dut.up[0]);
        }
        dut.down.bind(*last.up[0]);
        last.down.bind(below.up);
        invent(below);
        fetcher.down.bind(*code.up[0]);
        code.down.bind(memory.up);
        code.lend_to(&dut);
        serve(memory, store);
    }
    void settle()
    {
        sim.run();
        law_list list(0, false);
        dut.laws(list);
        for (const law &each : list.all())
            BOOST_TEST(each.left == each.right, each.name << ": " << each.left << " and " << each.right);
    }
    tick later() const { return dut.now() + cycle(1000); }
    /* Looks pages up one after the other, each when the previous one has returned. */
    void look(std::initializer_list<uint64_t> pages)
    {
        for (const uint64_t page : pages) {
            asked.ask(page << 12, later());
            settle();
        }
    }
    /* Fetches instruction lines of the set that contains all lines 4n. */
    void fetch(uint64_t first, uint64_t n)
    {
        for (uint64_t i = first; i < first + n; ++i) {
            fetcher.ask(this->l.read(i * set_bytes), later());
            settle();
        }
    }
    /* Translates a page; returns the time that took below the L1 TLB. */
    tick find(uint64_t page)
    {
        xlat_request &r = asked.ask(page << 12, later());
        settle();
        const tick first = segments == nullptr ? 0 : spent(r, "lds_tx_lookup");
        return first + spent(r, "icache_tx_lookup") + spent(r, "l2_lookup");
    }
    uint64_t count(const char *name) const
    {
        stat_text text;
        dut.visit(text, dut.now());
        return std::stoull(text.all.at(name));
    }
};

/* The i-th page of line 0 and segment 0, with one base. */
constexpr uint64_t page(uint64_t i)
{
    return i * lines_of_it;
}

} // namespace

BOOST_AUTO_TEST_SUITE(translations_in_an_instruction_cache)

BOOST_AUTO_TEST_CASE(a_page_that_left_the_l1_is_found_in_a_line_and_a_copy_stays)
{
    rig r;
    r.look({1, 2, 1});
    BOOST_TEST(r.dut.stats().hits == 1u);
    BOOST_TEST(r.dut.stats().resident == 2u);
    BOOST_TEST(r.count("opened") == 2u);
}

BOOST_AUTO_TEST_CASE(a_lookup_takes_its_cycles_and_one_that_needs_no_port_a_little)
{
    rig r;
    r.look({page(0), 1});
    BOOST_TEST(r.find(page(0)) == cycle(9));
    BOOST_TEST(r.find(page(1)) == cycle(9 + 10)); /* its line holds page 0 */
    BOOST_TEST(r.find(5) == cycle(3 + 10));
    BOOST_TEST(r.count("skipped") == 3u); /* including the first two */
}

/* Fetches have the port in each cycle in which one could be served. */
BOOST_DATA_TEST_CASE(a_fetch_has_the_port_first, data::make({9u, 10u, 11u}), cycles)
{
    rig r;
    r.look({1, 2});
    const tick at = r.later();
    xlat_request &hit = r.asked.make(1 << 12, at);
    r.top.ask(hit, at);
    r.fetcher.ask(r.l.read(64), at + cycle(cycles));
    r.settle();
    BOOST_TEST(spent(hit, "icache_tx_queue") == (cycles == 10 ? cycle(1) : 0u));
    BOOST_TEST(r.count("stall_port_cycles") == (cycles == 10 ? 1u : 0u));
}

BOOST_AUTO_TEST_CASE(instructions_take_idle_lines_first_then_those_of_translations_which_are_lost)
{
    rig r;
    r.look({page(0), page(1), 1}); /* both in line 0, of set 0 */
    r.fetch(0, 7);
    BOOST_TEST(r.dut.stats().claimed == 0u);
    r.fetch(7, 1);
    BOOST_TEST(r.dut.stats().claimed == 2u);
    BOOST_TEST(r.count("lines_claimed") == 1u);
    BOOST_TEST(r.dut.stats().resident == 0u);
    r.look({page(2), 2}); /* passed on: its line holds instructions */
    BOOST_TEST(r.count("bypassed_mode") == 1u);
    BOOST_TEST(r.last.stats().fills_received == 1u);
}

BOOST_AUTO_TEST_CASE(
    in_the_naive_design_a_translation_takes_its_line_from_instructions_which_are_fetched_again)
{
    rig r(small(WW_ICACHE_TX_NAIVE));
    r.fetch(0, 8);
    r.look({page(0), 1});
    BOOST_TEST(r.count("code_lost") == 1u);
    BOOST_TEST(r.dut.stats().resident == 1u);
    r.fetch(1, 7);
    BOOST_TEST(r.code.stats().read_hits == 7u);
    r.fetch(0, 1);
    BOOST_TEST(r.code.stats().read_misses == 8u + 1);
}

BOOST_AUTO_TEST_CASE(with_one_translation_a_line_every_way_of_a_set_may_have_it)
{
    rig r(small(WW_ICACHE_TX_ONE));
    r.fetch(0, 1); /* the first way of set 0 */
    r.look({page(0), 1});
    BOOST_TEST(r.find(page(0)) == cycle(9));
}

BOOST_AUTO_TEST_CASE(fetches_hit_what_lies_in_the_common_array_only)
{
    rig r;
    r.fetch(0, 8);
    r.fetch(0, 8);
    BOOST_TEST(r.code.stats().read_hits == 8u);
    r.fetch(8, 1); /* the ninth of a set evicts the oldest */
    r.fetch(0, 1);
    BOOST_TEST(r.code.stats().read_misses == 8u + 2);
}

BOOST_DATA_TEST_CASE(another_kernel_begins_without_instructions_and_the_same_with_them,
                     data::make({false, true}), same)
{
    rig r(small(WW_ICACHE_TX_FLUSH));
    r.dut.kernel_begins(false);
    r.settle();
    r.fetch(0, 8);
    r.dut.kernel_begins(same);
    r.settle();
    BOOST_TEST(r.count("code_flushed") == (same ? 0u : 8u));
    r.look({page(0), 1});
    BOOST_TEST(r.dut.stats().resident == (same ? 0u : 1u));
    BOOST_TEST(r.count("kernels") == 2u);
}

/* A fetch in the cycle in which a kernel begins misses all that this drops, whichever block runs first. */
BOOST_AUTO_TEST_CASE(a_fetch_in_the_cycle_in_which_a_kernel_begins_finds_nothing)
{
    rig r(small(WW_ICACHE_TX_FLUSH));
    r.fetch(0, 1);
    const tick at = r.later();
    r.fetcher.ask(r.l.read(0), at);
    r.sim.run_until(at - cycle(1));
    r.dut.kernel_begins(false);
    r.settle();
    BOOST_TEST(r.code.stats().read_misses == 2u);
    BOOST_TEST(r.count("code_flushed") == 1u);
}

BOOST_AUTO_TEST_CASE(a_line_that_arrives_in_that_cycle_stays)
{
    rig r(small(WW_ICACHE_TX_FLUSH));
    const tick at = r.later();
    r.fetcher.ask(r.l.read(0), at); /* below at 16, returns at 116 */
    r.fetcher.ask(r.l.read(64), at + cycle(116));
    r.sim.run_until(at + cycle(115));
    r.dut.kernel_begins(false);
    r.settle();
    r.fetch(0, 1);
    BOOST_TEST(r.code.stats().read_hits == 1u);
    BOOST_TEST(r.count("code_flushed") == 0u);
}

BOOST_AUTO_TEST_CASE(of_the_other_designs_instructions_stay)
{
    rig r(small(WW_ICACHE_TX_AWARE));
    r.fetch(0, 8);
    r.dut.kernel_begins(false);
    r.fetch(0, 8);
    BOOST_TEST(r.code.stats().read_hits == 8u);
}

/* Equation 1: a kernel's misses, at most all lines. A fetch that waits for an MSHR is one miss. */
BOOST_AUTO_TEST_CASE(a_kernels_lines_are_its_misses_however_long_they_wait)
{
    icache_tx_params p = small(WW_ICACHE_TX_FLUSH);
    rig r(p, false, local(), 1);
    r.dut.kernel_begins(false);
    r.settle();
    const tick at = r.later();
    for (uint64_t i = 0; i < 4; ++i)
        r.fetcher.ask(r.l.read(i * 64), at);
    r.settle();
    BOOST_TEST(r.code.stats().stall_cycles > 100u);
    BOOST_TEST(r.count("kernel_lines") == 4u);
    r.dut.kernel_begins(false);
    r.fetch(0, 2);
    BOOST_TEST(r.count("kernel_lines") == 4u + 2);
}

/* The cache enters an arrival only when it must; a lookup of that cycle sees it, an earlier one does not. */
BOOST_DATA_TEST_CASE(a_line_that_arrives_is_there_before_a_lookup_of_its_cycle, data::make({0u, 1u}), early)
{
    rig r;
    r.look({page(0), 1});
    r.fetch(0, 7);
    const tick at = r.later();
    r.fetcher.ask(r.l.read(7 * set_bytes), at); /* below at 16, returns at 116 */
    xlat_request &late = r.asked.make(page(0) << 12, at);
    r.top.ask(late, at + cycle(116 - 10 - early));
    r.settle();
    BOOST_TEST(r.dut.stats().hits == early);
    BOOST_TEST(r.dut.stats().claimed == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

/* Figure 12: seven complete rows, and those of a base that does not fit. The victim is the L1 TLB's. */
struct flow_rig : rig {
    explicit flow_rig(uint8_t lds_mismatch = WW_LDS_TX_REBASE, uint8_t icache_mismatch = WW_ICACHE_TX_BYPASS)
        : rig(of_icache(icache_mismatch), true, of_lds(lds_mismatch))
    {
        look({1, 2,
              1}); /* page 1 is in local memory from here on, and returns to it whenever the L1 evicts it */
    }
    static icache_tx_params of_icache(uint8_t mismatch)
    {
        icache_tx_params p = small();
        p.mismatch = mismatch;
        return p;
    }
    static lds_tx_params of_lds(uint8_t mismatch)
    {
        lds_tx_params p = local();
        p.mismatch = mismatch;
        return p;
    }
    void use_lds() /* allocates segment 0 to a work-group */
    {
        segments->given(0, 256);
        wave_access a{};
        a.lanes.mask = 1;
        a.lanes.bytes = 4;
        a.local_bytes = 256;
        segments->accessed(a);
        settle();
    }
    void use_icache() { fetch(0, 8); }
    void fill_lds() { look({page(3), page(4), page(5), 1}); }
    /* Fills eight pages into line 0, past local memory. */
    void fill_icache()
    {
        use_lds();
        look({page(8), page(9), page(10), page(11), page(12), page(13), page(14), page(15), 1});
        segments->given_back(0, 256);
        settle();
    }
    /* `page` enters and leaves the L1; checks how many entries local memory and instruction cache kept, and
     * how many reached the L2. */
    void victim(uint64_t page, int64_t lds, int64_t icache, uint64_t l2)
    {
        const int64_t had_lds = static_cast<int64_t>(segments->stats().fills_kept),
                      had = static_cast<int64_t>(dut.stats().fills_kept);
        const uint64_t had_l2 = last.stats().fills_received;
        look({page, 1});
        BOOST_TEST(static_cast<int64_t>(segments->stats().fills_kept) - had_lds == lds);
        BOOST_TEST(static_cast<int64_t>(dut.stats().fills_kept) - had == icache);
        BOOST_TEST(last.stats().fills_received - had_l2 == l2);
    }
};

BOOST_AUTO_TEST_SUITE(flows_of_figure_12_in_time)

BOOST_AUTO_TEST_CASE(the_LDS_keeps) /* 1 2 4 */
{
    flow_rig r;
    r.victim(page(0), 1, 0, 0);
    BOOST_TEST(r.find(page(0)) == cycle(7));
}

BOOST_AUTO_TEST_CASE(the_LDS_displaces_and_the_instruction_cache_keeps) /* 1 2 4 5 6 7 8 */
{
    flow_rig r;
    r.fill_lds();
    r.victim(page(0), 1, 1, 0);
    BOOST_TEST(r.find(page(3)) == cycle(7 + 9));
}

BOOST_AUTO_TEST_CASE(the_LDS_displaces_and_so_does_the_instruction_cache) /* 1 2 4 5 6 7 8 10 11 */
{
    flow_rig r;
    r.fill_icache();
    r.fill_lds();
    r.victim(page(0), 1, 1, 1);
    BOOST_TEST(r.find(page(3)) == cycle(7 + 9));
    BOOST_TEST(r.find(page(8)) == cycle(7 + 9 + 10));
}

BOOST_AUTO_TEST_CASE(the_LDS_displaces_and_the_instruction_cache_is_bypassed) /* 1 2 4 5 6 7 9 10 */
{
    flow_rig r;
    r.fill_lds();
    r.use_icache();
    r.victim(page(0), 1, 0, 1);
    BOOST_TEST(r.find(page(3)) == cycle(7 + 3 + 10));
}

BOOST_AUTO_TEST_CASE(the_LDS_is_bypassed_and_the_instruction_cache_keeps) /* 1 2 3 6 7 8 */
{
    flow_rig r;
    r.use_lds();
    r.victim(page(0), 0, 1, 0);
    BOOST_TEST(r.find(page(0)) == cycle(2 + 9));
}

BOOST_AUTO_TEST_CASE(the_LDS_is_bypassed_and_the_instruction_cache_displaces) /* 1 2 3 6 7 8 10 11 */
{
    flow_rig r;
    r.fill_icache();
    r.use_lds();
    r.victim(page(0), 0, 1, 1);
    BOOST_TEST(r.find(page(0)) == cycle(2 + 9));
}

BOOST_AUTO_TEST_CASE(the_LDS_is_bypassed_and_so_is_the_instruction_cache) /* 1 2 3 6 7 9 10 */
{
    flow_rig r;
    r.use_lds();
    r.use_icache();
    r.victim(page(0), 0, 0, 1);
    BOOST_TEST(r.find(page(0)) == cycle(2 + 3 + 10));
}

constexpr uint64_t other_base = uint64_t{1} << 30; /* also in segment 0 and line 0 */

BOOST_AUTO_TEST_CASE(a_rebase_of_a_segment_sends_what_it_had_on)
{
    flow_rig r;
    r.fill_lds();
    r.victim(other_base, 1, 3, 0);
    BOOST_TEST(r.find(page(4)) == cycle(7 + 9));
    BOOST_TEST(r.find(other_base) == cycle(7));
}

BOOST_AUTO_TEST_CASE(a_segment_of_another_base_is_bypassed)
{
    flow_rig r(WW_LDS_TX_BYPASS);
    r.fill_lds();
    r.victim(other_base, 0, 1, 0);
    BOOST_TEST(r.find(other_base) == cycle(7 + 9));
}

BOOST_AUTO_TEST_CASE(a_line_of_another_base_is_bypassed_or_sends_what_it_had_on)
{
    for (const uint8_t mismatch : {WW_ICACHE_TX_BYPASS, WW_ICACHE_TX_REBASE}) {
        flow_rig r(WW_LDS_TX_BYPASS, mismatch);
        r.fill_icache();
        r.fill_lds();
        r.victim(other_base, 0, mismatch == WW_ICACHE_TX_REBASE ? 1 : 0,
                 mismatch == WW_ICACHE_TX_REBASE ? 8 : 1);
    }
}

BOOST_AUTO_TEST_SUITE_END()
