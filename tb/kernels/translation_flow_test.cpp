/* SPDX-License-Identifier: MIT */
/* The kernels of local memory, instruction cache and TLB as a chain: the fill and lookup flows of [M21 Figure
 * 12], then two compute units of two VMs against page tables. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "kernels/store/lds_tx.h"
#include "kernels/store/tlb.h"
#include "tb/kernels/icache_tx_rig.hpp"
#include "tb/kernels/store_rig.hpp"
#include "tb/kernels/translation_flow.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace bdata = boost::unit_test::data;
using namespace walkway_tb;

namespace
{

using steps = std::vector<std::string>;

struct tlb : store_rig<ww_tlb> {
    tlb(uint32_t sets, uint32_t ways)
        : tlb(ww_tlb_cfg{sets, ways, WW_INDEX_MODULO, WW_REPLACE_LRU, 1u << 12, 1})
    {
    }
    explicit tlb(const ww_tlb_cfg &cfg) : store_rig(ww_tlb_store, ww_tlb_bytes(&cfg))
    {
        BOOST_REQUIRE_EQUAL(ww_tlb_init(t, t.bytes(), &cfg), WW_OK);
    }
};

struct local : store_rig<ww_lds_tx> {
    explicit local(uint8_t mismatch, uint32_t bytes = 16384)
        : local(ww_lds_tx_cfg{bytes, 32, WW_INDEX_MODULO, mismatch, WW_LDS_TX_TOGETHER, 1u << 12})
    {
    }
    explicit local(const ww_lds_tx_cfg &cfg) : store_rig(ww_lds_tx_store, ww_lds_tx_bytes(&cfg))
    {
        BOOST_REQUIRE_EQUAL(ww_lds_tx_init(t, t.bytes(), &cfg), WW_OK);
    }
};

template <class Rig> flow_level level(const char *name, Rig &rig)
{
    return {name, &rig.kind, rig.store()};
}

/* One compute unit: L1 TLB 32 entries, LDS 16 KiB, I-cache 16 KiB, L2 TLB 512 entries, Table 1. */
struct machine {
    tlb l1{1, 32}, l2{32, 16};
    local lds;
    icache_tx icache;
    flow way;

    explicit machine(uint8_t lds_mismatch = WW_LDS_TX_REBASE, uint8_t icache_mismatch = WW_ICACHE_TX_BYPASS)
        : lds(lds_mismatch), icache(icache_tx_config(WW_ICACHE_TX_AWARE, icache_mismatch)),
          way({level("L1", l1), level("LDS", lds), level("I-cache", icache), level("L2", l2)})
    {
    }

    steps fill(uint64_t va) { return way.fill(1, mapping(va)); }
    void use_lds() /* segment 0 is the application's */
    {
        ww_lds_tx_allocate(lds.t, 0, 32);
        ww_lds_tx_access(lds.t, 0, 4);
    }
    void use_icache() { icache.fill(0); } /* line 0 has instructions */
    void fill_lds()                       /* three translations in segment 0 */
    {
        for (uint64_t i = 0; i < 3; ++i)
            lds.insert(page(i));
    }
    void fill_icache() /* eight translations in line 0 */
    {
        for (uint64_t i = 8; i < 16; ++i)
            icache.insert(page_in_line(0, i));
    }

    /* The i-th page of segment 0 and line 0, in steps of 2 MiB. */
    static uint64_t page(uint64_t i) { return i * 512 * 4096; }
};

} // namespace

BOOST_AUTO_TEST_CASE(the_LDS_keeps_a_victim_of_the_L1) /* 1 2 4 */
{
    machine m;
    BOOST_TEST(m.fill(0) == (steps{"LDS keeps"}));
}

BOOST_AUTO_TEST_CASE(the_LDS_displaces_and_the_instruction_cache_keeps) /* 1 2 4 5 6 7 8 */
{
    machine m;
    m.fill_lds();
    BOOST_TEST(m.fill(machine::page(3)) == (steps{"LDS keeps, displaces", "I-cache keeps"}));
    BOOST_TEST(m.icache.holds(machine::page(0)));
    BOOST_TEST(!m.lds.holds(machine::page(0)));
}

BOOST_AUTO_TEST_CASE(the_LDS_displaces_and_so_does_the_instruction_cache) /* 1 2 4 5 6 7 8 10 11 */
{
    machine m;
    m.fill_lds();
    m.fill_icache();
    BOOST_TEST(m.fill(machine::page(3)) ==
               (steps{"LDS keeps, displaces", "I-cache keeps, displaces", "L2 keeps"}));
    BOOST_TEST(m.l2.holds(page_in_line(0, 8)));
}

BOOST_AUTO_TEST_CASE(the_LDS_displaces_and_the_instruction_cache_is_bypassed) /* 1 2 4 5 6 7 9 10 */
{
    machine m;
    m.fill_lds();
    m.use_icache();
    BOOST_TEST(m.fill(machine::page(3)) == (steps{"LDS keeps, displaces", "I-cache bypassed", "L2 keeps"}));
    BOOST_TEST(m.l2.holds(machine::page(0)));
}

BOOST_AUTO_TEST_CASE(the_LDS_is_bypassed_and_the_instruction_cache_keeps) /* 1 2 3 6 7 8 */
{
    machine m;
    m.use_lds();
    BOOST_TEST(m.fill(0) == (steps{"LDS bypassed", "I-cache keeps"}));
}

BOOST_AUTO_TEST_CASE(the_LDS_is_bypassed_and_the_instruction_cache_displaces) /* 1 2 3 6 7 8 10 11 */
{
    machine m;
    m.use_lds();
    m.fill_icache();
    BOOST_TEST(m.fill(0) == (steps{"LDS bypassed", "I-cache keeps, displaces", "L2 keeps"}));
}

BOOST_AUTO_TEST_CASE(the_LDS_is_bypassed_and_so_is_the_instruction_cache) /* 1 2 3 6 7 9 10 */
{
    machine m;
    m.use_lds();
    m.use_icache();
    BOOST_TEST(m.fill(0) == (steps{"LDS bypassed", "I-cache bypassed", "L2 keeps"}));
}

BOOST_AUTO_TEST_CASE(a_rebase_of_the_LDS_sends_all_of_a_segments_translations_on)
{
    machine m;
    m.fill_lds();
    const uint64_t other = machine::page(256); /* the next 512 MiB */
    BOOST_TEST(m.fill(other) ==
               (steps{"LDS keeps, displaces 3", "I-cache keeps", "I-cache keeps", "I-cache keeps"}));
    machine n;
    n.fill_lds();
    n.use_icache();
    BOOST_TEST(n.fill(other) == (steps{"LDS keeps, displaces 3", "I-cache bypassed", "L2 keeps",
                                       "I-cache bypassed", "L2 keeps", "I-cache bypassed", "L2 keeps"}));
}

BOOST_AUTO_TEST_CASE(a_base_that_bypasses_the_LDS_goes_to_the_instruction_cache)
{
    machine m(WW_LDS_TX_BYPASS);
    m.fill_lds();
    BOOST_TEST(m.fill(machine::page(256)) == (steps{"LDS bypassed", "I-cache keeps"}));
}

BOOST_AUTO_TEST_CASE(a_base_that_bypasses_the_instruction_cache_goes_to_the_L2)
{
    machine m;
    m.use_lds();
    m.fill_icache();
    BOOST_TEST(m.fill(machine::page(256)) == (steps{"LDS bypassed", "I-cache bypassed", "L2 keeps"}));
}

BOOST_AUTO_TEST_CASE(a_rebase_of_the_instruction_cache_sends_all_of_a_lines_translations_on)
{
    machine m(WW_LDS_TX_REBASE, WW_ICACHE_TX_REBASE);
    m.use_lds();
    m.fill_icache();
    steps expected{"LDS bypassed", "I-cache keeps, displaces 8"};
    expected.insert(expected.end(), 8, "L2 keeps");
    BOOST_TEST(m.fill(machine::page(256)) == expected);
}

BOOST_AUTO_TEST_CASE(a_VM_that_no_tag_can_name_goes_nowhere)
{
    machine m;
    BOOST_TEST(m.way.fill(1, mapping(0, 4)) == (steps{"LDS refuses"}));
}

BOOST_AUTO_TEST_CASE(a_lookup_asks_the_LDS_then_the_instruction_cache_then_the_L2_and_a_hit_is_copied_up)
{
    machine m;
    m.l2.insert(mapping(0, 0, 0x3000));
    m.icache.insert(mapping(0, 0, 0x2000));
    m.lds.insert(mapping(0, 0, 0x1000));
    const uint64_t pages[] = {0x1000, 0x2000, 0x3000};
    for (size_t at = 1; at <= 3; ++at) {
        BOOST_TEST(m.way.access(0, 0, false)->page_pa == pages[at - 1]);
        BOOST_TEST(m.way.hit_level == at);
        BOOST_TEST(m.way.access(0, 0, false)->page_pa == pages[at - 1]);
        BOOST_TEST(m.way.hit_level == 0u);
        m.l1.take(0);
        store_rig<ww_lds_tx> &lds = m.lds;
        BOOST_TEST((at == 1 ? lds.take(0) : at == 2 ? m.icache.take(0) : m.l2.take(0)).has_value());
    }
    BOOST_TEST(!m.way.access(0, 0, false).has_value());
}

BOOST_AUTO_TEST_CASE(a_copy_below_is_refreshed_by_the_later_victim_and_a_moved_one_is_kept_again)
{
    for (const bool move : {false, true}) {
        machine m;
        m.lds.insert(mapping(0));
        m.way.access(0, 0, move);
        BOOST_TEST(m.lds.holds(0) == !move);
        BOOST_TEST(m.fill(0) == (steps{move ? "LDS keeps" : "LDS refreshes"}));
    }
}

BOOST_AUTO_TEST_CASE(the_victim_of_a_promotion_takes_the_fill_flow)
{
    machine m;
    for (uint64_t i = 1; i <= 32; ++i)
        m.l1.insert(i * 4096);
    m.icache.insert(mapping(0));
    m.way.access(0, 0, false);
    BOOST_TEST(m.lds.holds(4096));
    BOOST_TEST(m.l1.holds(0));
}

namespace
{

/* Two compute units, each with its own VM, that share an instruction cache and an L2 TLB. */
class two_units
{
public:
    two_units(uint8_t design, uint8_t lds_mismatch, uint8_t icache_mismatch, bool move, uint64_t seed)
        : icache_(small(design, icache_mismatch)), lds_{local(lds_mismatch, 1024), local(lds_mismatch, 1024)},
          way_{way_of(0), way_of(1)}, move_(move)
    {
        ww_rng_init(&rng_, seed);
    }

    void run(int accesses)
    {
        for (int step = 0; step < accesses; ++step) {
            const uint32_t what = below(100);
            if (what < 70)
                access();
            else if (what < 80)
                remap();
            else if (what < 90)
                local_memory();
            else
                instructions();
        }
        for (const uint64_t n : hits_)
            BOOST_TEST(n > 8u);
        for (store_rig<ww_lds_tx> *l : {&lds_[0], &lds_[1]})
            BOOST_TEST(l->check() == "");
        BOOST_TEST(icache_.check() == "");
        BOOST_TEST(lds_[0].t->counts.dropped + lds_[1].t->counts.dropped > 0u);
        BOOST_TEST(icache_.counts().dropped > 0u);
    }

private:
    static ww_icache_tx_cfg small(uint8_t design, uint8_t mismatch)
    {
        ww_icache_tx_cfg cfg = icache_tx_config(design, mismatch);
        cfg.lines = 64;
        return cfg;
    }
    flow way_of(int cu)
    {
        return flow(
            {level("L1", l1_[cu]), level("LDS", lds_[cu]), level("I-cache", icache_), level("L2", l2_)});
    }
    uint32_t below(uint32_t n) { return ww_rng_below(&rng_, n); }
    uint64_t some_page() { return uint64_t{below(300)} * 4096 * (1 + below(2) * 63); }

    /* Every translation must be that of the current page table of the unit's own VM. */
    void access()
    {
        const uint16_t cu = static_cast<uint16_t>(below(2));
        const uint64_t va = some_page();
        const auto at = table_.try_emplace({cu, va}, ++frames_ << 12).first;
        const auto x = way_[cu].access(va, cu, move_);
        if (x.has_value()) {
            BOOST_REQUIRE_EQUAL(x->page_pa, at->second);
            ++hits_[way_[cu].hit_level];
        } else {
            way_[cu].answer(mapping(va, cu, at->second));
        }
    }

    void remap()
    {
        const uint16_t cu = static_cast<uint16_t>(below(2));
        const uint64_t va = some_page();
        table_[{cu, va}] = ++frames_ << 12;
        for (int i = 0; i < 2; ++i) {
            l1_[i].invalidate(va, 4096, cu);
            lds_[i].invalidate(va, 4096, cu);
        }
        icache_.invalidate(va, 4096, cu);
        l2_.invalidate(va, 4096, cu);
    }

    void local_memory()
    {
        const uint32_t cu = below(2);
        ww_lds_tx *lds = lds_[cu].store();
        const uint64_t group = below(4);
        bool &there = allocated_[cu * 4 + group];
        if (!there)
            ww_lds_tx_allocate(lds, group * 256, 256);
        else if (below(2) == 0)
            ww_lds_tx_release(lds, group * 256, 256);
        else {
            ww_lds_tx_access(lds, group * 256 + below(192), 64);
            return;
        }
        there = !there;
    }

    void instructions()
    {
        const uint64_t addr = uint64_t{below(64)} * 64;
        if (below(10) == 0)
            ww_icache_tx_kernel(icache_.t, false);
        else if (!icache_.fetch(addr))
            icache_.fill(addr);
    }

    tlb l1_[2] = {tlb(1, 8), tlb(1, 8)}, l2_{8, 4};
    icache_tx icache_;
    local lds_[2];
    flow way_[2];
    bool move_;
    bool allocated_[8] = {};
    std::map<std::pair<uint16_t, uint64_t>, uint64_t> table_;
    uint64_t frames_ = 0;
    uint64_t hits_[4] = {};
    ww_rng rng_{};
};

} // namespace

BOOST_DATA_TEST_CASE(two_units_of_two_VMs_translate_as_their_page_tables_say,
                     bdata::make({WW_ICACHE_TX_ONE, WW_ICACHE_TX_NAIVE, WW_ICACHE_TX_FLUSH}) *
                         bdata::make({false, true}),
                     design, move)
{
    for (const uint8_t lds : {WW_LDS_TX_REBASE, WW_LDS_TX_BYPASS})
        for (const uint8_t icache : {WW_ICACHE_TX_COUNT, WW_ICACHE_TX_REBASE, WW_ICACHE_TX_BYPASS})
            two_units(static_cast<uint8_t>(design), lds, icache, move, lds + 2u * icache).run(10000);
}
