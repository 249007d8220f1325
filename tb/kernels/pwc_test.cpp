/* SPDX-License-Identifier: MIT */
/* Tests the page-walk cache: examples, random operations against lists in order of use, and damage that the
 * check must report. */
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "kernels/addr.h"
#include "kernels/bits.h"
#include "kernels/table/hashed_table.h"
#include "kernels/table/table_nested.h"
#include "kernels/walk/pwc.h"
#include "tb/kernels/blob.hpp"
#include "tb/kernels/table_fixture.hpp"

#include <algorithm>
#include <list>
#include <stdexcept>
#include <string>

namespace bdata = boost::unit_test::data;
using walkway_tb::blob;

namespace
{

const ww_pwc_cfg micro21{{0, 0, 32, 8, 4}, &ww_radix5, 0, 0};

constexpr uint64_t leaf_node = 0x2000, level2_node = 0x3000, level3_node = 0x4000; /* of walk() below */

struct pwc {
    blob<ww_pwc> p;

    explicit pwc(const ww_pwc_cfg &cfg) : p(ww_pwc_bytes(&cfg))
    {
        BOOST_REQUIRE_EQUAL(ww_pwc_init(p, p.bytes(), &cfg), WW_OK);
    }

    std::string check() const
    {
        const char *broken = ww_pwc_check(p);
        return broken ? broken : "";
    }

    /* Fills what a full 4-level walk of va would. */
    void walk(uint64_t va, uint64_t node_pa, uint16_t vmid = 0)
    {
        for (uint32_t level = 4; level >= 2; --level)
            ww_pwc_fill(p, va, vmid, after_level(level, node_pa + level * 4096));
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(illegal_configurations_are_refused)
{
    blob<ww_pwc> p(4096);
    ww_table_kind narrow = ww_radix4, wrong = ww_radix4;
    narrow.reach[1] = 9; /* a prefix would not fit */
    wrong.last = 5;
    for (const ww_pwc_cfg cfg : {ww_pwc_cfg{{1, 0, 4, 4, 4, 4}, &ww_radix5, 0, 0},
                                 {{0, 1, 4, 4, 4, 4}, &ww_radix5, 0, 0},
                                 {{0, 0, 4097, 4, 4, 4}, &ww_radix5, 0, 0},
                                 {{0, 0, 4, 4, 4, 4}, &ww_radix4, 0, 0},
                                 {{0, 4, 4}, &two_step::kind, 0, 0},
                                 {{0, 0, 4}, &narrow, 0, 0},
                                 {{0, 0, 4}, &wrong, 0, 0}}) {
        BOOST_TEST(ww_pwc_bytes(&cfg) == 0u);
        BOOST_TEST(ww_pwc_init(p, p.bytes(), &cfg) == WW_E_ARG);
    }
    BOOST_TEST(ww_pwc_init(p, ww_pwc_bytes(&micro21) - 1, &micro21) == WW_E_SIZE);
}

BOOST_AUTO_TEST_CASE(the_deepest_level_wins)
{
    pwc c(micro21);
    const uint64_t va = 0x7f1234567000;
    BOOST_TEST(ww_pwc_lookup(c.p, va, 0) == 0u);
    BOOST_TEST(ww_pwc_probe(c.p, va, 0) == 0u);
    c.walk(va, 0x100000);
    BOOST_TEST(ww_pwc_lookup(c.p, va, 0) == after_level(2, 0x100000 + leaf_node)); /* one access left */
    BOOST_TEST(ww_pwc_lookup(c.p, va ^ 0x200000, 0) == after_level(3, 0x100000 + level2_node));
    BOOST_TEST(ww_pwc_probe(c.p, va ^ 0x40000000, 0) == after_level(4, 0x100000 + level3_node));
    BOOST_TEST(ww_pwc_lookup(c.p, va ^ 0x8000000000, 0) == 0u);
    BOOST_TEST(ww_pwc_lookup(c.p, va, 1) == 0u); /* another VM */
}

BOOST_AUTO_TEST_CASE(five_levels_start_below_the_root)
{
    pwc c(ww_pwc_cfg{{0, 0, 0, 0, 0, 2}, &ww_radix5, 0, 0});
    ww_pwc_fill(c.p, uint64_t{0x1ff} << 48, 0xffff, after_level(5, 0x5000));
    BOOST_TEST(ww_pwc_lookup(c.p, (uint64_t{0x200} << 48) - 1, 0xffff) == after_level(5, 0x5000));
    ww_pwc_fill(c.p, 0, 0, after_level(2, 0x6000)); /* no cache at this level */
    BOOST_TEST(ww_pwc_lookup(c.p, 0, 0) == 0u);
    BOOST_TEST(c.check() == "");
}

/* The kind numbers its steps from the root; the reach of an entry decides which one is nearer. */
BOOST_AUTO_TEST_CASE(tags_and_contents_are_the_kinds)
{
    pwc c(ww_pwc_cfg{{0, 2}, &two_step::kind, 0, 0});
    const uint64_t walk = ww_walk_reading(2, 1, 0x5000);
    ww_pwc_fill(c.p, 0x100000, 0, walk);
    BOOST_TEST(ww_pwc_lookup(c.p, 0x1fffff, 0) == walk);
    BOOST_TEST(ww_pwc_lookup(c.p, 0x0fffff, 0) == 0u);
    BOOST_TEST(ww_pwc_lookup(c.p, 0x200000, 0) == 0u);
    ww_table_kind three = two_step::kind;
    three.steps = 3;
    three.last = 3;
    for (uint32_t step = 1; step <= 3; ++step) {
        three.step_name[step] = "step";
        three.reach[step] = three.shift[step] = static_cast<uint8_t>(32 - 5 * step);
        three.left[step] = static_cast<uint8_t>(4 - step);
    }
    pwc d(ww_pwc_cfg{{0, 2, 2}, &three, 0, 0});
    ww_pwc_fill(d.p, 0, 0, ww_walk_reading(2, 1, 0x1000));
    ww_pwc_fill(d.p, 0, 0, ww_walk_reading(3, 2, 0x2000));
    BOOST_TEST(ww_pwc_lookup(d.p, 0, 0) == ww_walk_reading(3, 2, 0x2000));
    BOOST_TEST(ww_pwc_lookup(d.p, 1 << 22, 0) == ww_walk_reading(2, 1, 0x1000));
    BOOST_TEST(d.check() == "");
}

/* In a table in two dimensions, an entry's node is known only after the host has translated its address. */
BOOST_AUTO_TEST_CASE(a_step_of_several_reads_is_held_before_its_last)
{
    pwc c(ww_pwc_cfg{{0, 0, 2, 2}, &ww_nested, 0, 0});
    const uint64_t walk = ww_walk_reading(1, 2, 0x5000);
    for (const uint64_t over : {0, 1, 3}) {
        ww_pwc_fill(c.p, 0x200000, 0, ww_bits_put(WW_NESTED_OVER, walk, over));
        BOOST_TEST(ww_pwc_lookup(c.p, 0x200000, 0) == 0u);
    }
    const uint64_t whole = ww_bits_put(WW_NESTED_OVER, walk, 4);
    ww_pwc_fill(c.p, 0x200000, 0, whole);
    BOOST_TEST(ww_pwc_lookup(c.p, 0x3fffff, 0) == whole);
}

/* A prefix of an address that ends beyond the widest table would lie over the VM-ID. */
BOOST_AUTO_TEST_CASE(a_whole_space_is_one_vms_at_every_reach)
{
    ww_table_kind fine = two_step::kind;
    fine.reach[1] = fine.shift[1] = 12;
    fine.reach[2] = fine.shift[2] = 10;
    for (const uint64_t va : {uint64_t{0}, uint64_t{0x7000}, ww_page_bytes(WW_WALK_VA_BITS_MAX) - 1}) {
        pwc c(ww_pwc_cfg{{0, 4}, &fine, 0, 0});
        for (uint16_t vmid = 0; vmid < 4; ++vmid)
            ww_pwc_fill(c.p, va, vmid, ww_walk_reading(2, 1, 0x5000));
        BOOST_TEST(ww_pwc_invalidate(c.p, 0, UINT64_MAX, 0) == 1u);
        BOOST_TEST(ww_pwc_invalidate(c.p, ww_page_bytes(WW_WALK_VA_BITS_MAX), UINT64_MAX, 1) == 0u);
        BOOST_TEST(ww_pwc_invalidate(c.p, va, UINT64_MAX - va, 2) == 1u);
        BOOST_TEST(ww_pwc_count(c.p, 1) == 2u);
    }
}

BOOST_AUTO_TEST_CASE(only_the_winning_entry_is_touched)
{
    pwc c(ww_pwc_cfg{{0, 0, 4, 2}, &ww_radix4, 0, 0});
    const uint64_t gib = uint64_t{1} << 30;
    ww_pwc_fill(c.p, 0 * gib, 0, after_level(3, 0x1000));
    ww_pwc_fill(c.p, 1 * gib, 0, after_level(3, 0x2000));
    ww_pwc_fill(c.p, 0 * gib, 0, after_level(2, 0x3000));
    BOOST_TEST(ww_pwc_lookup(c.p, 0, 0) ==
               after_level(2, 0x3000)); /* level 3 also holds it, but is not used */
    ww_pwc_fill(c.p, 2 * gib, 0, after_level(3, 0x4000));
    BOOST_TEST(ww_pwc_probe(c.p, gib - 1, 0) == 0u);
    BOOST_TEST(ww_pwc_probe(c.p, 1 * gib, 0) == after_level(3, 0x2000));
}

/* [P24 section 3.5]: the step cache, indexed by VA[29:25]. */
BOOST_AUTO_TEST_CASE(a_direct_mapped_cache_holds_one_prefix_of_those_with_its_index)
{
    pwc c(ww_pwc_cfg{{0, 0, 0, 0, 0, 0, 32}, &ww_hashed, 0, 0});
    const uint64_t group = uint64_t{1} << 25;
    const auto walk = [](uint64_t n) {
        return ww_bits_put(WW_HASHED_WALK_STEPS, ww_walk_reading(WW_HASHED_AT_SLOT, WW_HASHED_AT_STEPS, 0),
                           n);
    };
    for (uint64_t n = 0; n < 33; ++n)
        ww_pwc_fill(c.p, n * group + 0x1234567, 0, walk(n));
    BOOST_TEST(ww_pwc_count(c.p, WW_HASHED_AT_STEPS) == 32u);
    BOOST_TEST(ww_pwc_lookup(c.p, 0, 0) == 0u); /* the 33rd replaced it */
    for (uint64_t n = 1; n < 33; ++n)
        BOOST_TEST(ww_pwc_lookup(c.p, n * group, 0) == walk(n));
    BOOST_TEST(ww_pwc_probe(c.p, 5 * group, 1) == 0u);
    ww_pwc_fill(c.p, 5 * group, 1, walk(77)); /* the VM-ID is in the tag, not in the index */
    BOOST_TEST(ww_pwc_probe(c.p, 5 * group, 0) == 0u);
    BOOST_TEST(ww_pwc_probe(c.p, 5 * group, 1) == walk(77));
    BOOST_TEST(ww_pwc_invalidate(c.p, 5 * group, 1, 0) == 0u);
    BOOST_TEST(ww_pwc_invalidate(c.p, 5 * group + group / 2, 1, 1) == 1u);
    BOOST_TEST(c.check() == "");
    ww_pwc_cfg odd = {{0, 0, 0, 0, 0, 0, 31}, &ww_hashed, 0, 0};
    BOOST_TEST(ww_pwc_bytes(&odd) == 0u);
    const ww_pwc_cfg cfg = {{0, 0, 0, 0, 0, 0, 32}, &ww_hashed, 0, 0};
    const ww_widths w = {48, 34, 12, 4};
    BOOST_TEST(ww_pwc_bits(&cfg, WW_HASHED_AT_STEPS, &w) == 32u * (1 + 18 + 4 + 48));
}

/* Eight entries of level 2 form four sets of two, by the lowest bits of the prefix; a full set evicts its
 * oldest. Level 3 has no more entries than ways, so it has one set. */
BOOST_AUTO_TEST_CASE(with_ways_a_prefix_competes_with_those_of_its_set_only)
{
    pwc c(ww_pwc_cfg{{0, 0, 8, 2}, &ww_radix4, 2, WW_INDEX_MODULO});
    const uint64_t mib2 = uint64_t{1} << 21, gib = uint64_t{1} << 30;
    for (const uint64_t n : {0, 1, 4, 8})
        ww_pwc_fill(c.p, n * mib2, 0, after_level(2, 0x1000 * (n + 1)));
    BOOST_TEST(ww_pwc_probe(c.p, 0, 0) == 0u); /* 4 and 8 are in its set */
    BOOST_TEST(ww_pwc_probe(c.p, 1 * mib2, 0) == after_level(2, 0x2000));
    BOOST_TEST(ww_pwc_probe(c.p, 4 * mib2, 0) == after_level(2, 0x5000));
    BOOST_TEST(ww_pwc_lookup(c.p, 4 * mib2, 0) == after_level(2, 0x5000));
    ww_pwc_fill(c.p, 12 * mib2, 0, after_level(2, 0xd000));
    BOOST_TEST(ww_pwc_probe(c.p, 8 * mib2, 0) == 0u); /* 4 was used later */
    BOOST_TEST(ww_pwc_probe(c.p, 4 * mib2, 0) == after_level(2, 0x5000));
    for (const uint64_t n : {0, 1})
        ww_pwc_fill(c.p, n * gib, 0, after_level(3, 0x100000 * (n + 1)));
    BOOST_TEST(ww_pwc_count(c.p, 3) == 2u);
    BOOST_TEST(c.check() == "");
    BOOST_TEST(ww_pwc_invalidate(c.p, 12 * mib2, 1, 0) == 2u); /* also drops the entry of level 3 above it */
}

/* Prefixes four sets apart share a set by modulo, but not by xor. */
BOOST_AUTO_TEST_CASE(an_xor_index_spreads_prefixes_that_a_modulo_index_maps_to_one_set)
{
    for (const uint8_t index : {WW_INDEX_MODULO, WW_INDEX_XOR}) {
        pwc c(ww_pwc_cfg{{0, 0, 4}, &ww_radix4, 1, index});
        for (uint64_t n = 0; n < 4; ++n)
            ww_pwc_fill(c.p, n << 23, 0, after_level(2, 0x1000 * (n + 1)));
        BOOST_TEST(ww_pwc_count(c.p, 2) == (index == WW_INDEX_XOR ? 4u : 1u));
        BOOST_TEST(ww_pwc_probe(c.p, uint64_t{3} << 23, 0) == after_level(2, 0x4000));
    }
}

BOOST_AUTO_TEST_CASE(ways_and_index_that_are_none_are_refused)
{
    ww_pwc_cfg cfg{{0, 0, 24, 8}, &ww_radix4, 4, WW_INDEX_MODULO};
    BOOST_TEST(ww_pwc_bytes(&cfg) == 0u); /* six sets */
    cfg.ways = 32;
    BOOST_TEST(ww_pwc_ways(&cfg, 2) == 24u); /* at most the number of entries */
    BOOST_TEST(ww_pwc_bytes(&cfg) > 0u);
    cfg.ways = 5;
    BOOST_TEST(ww_pwc_bytes(&cfg) == 0u);
    cfg.ways = 3;
    cfg.entries[3] = 6;
    BOOST_TEST(ww_pwc_bytes(&cfg) > 0u);
    cfg.index = WW_INDEX_XOR + 1;
    BOOST_TEST(ww_pwc_bytes(&cfg) == 0u);
    /* the step cache ignores the configured ways */
    const ww_pwc_cfg steps = {{0, 0, 0, 0, 0, 0, 32}, &ww_hashed, 4, WW_INDEX_XOR};
    BOOST_TEST(ww_pwc_ways(&steps, WW_HASHED_AT_STEPS) == 1u);
    pwc c(steps);
    ww_pwc_fill(c.p, 0, 0, ww_walk_reading(WW_HASHED_AT_SLOT, WW_HASHED_AT_STEPS, 0));
    ww_pwc_fill(c.p, uint64_t{33} << 25, 0, ww_walk_reading(WW_HASHED_AT_SLOT, WW_HASHED_AT_STEPS, 0));
    BOOST_TEST(ww_pwc_count(c.p, WW_HASHED_AT_STEPS) == 2u);
    BOOST_TEST(ww_pwc_probe(c.p, uint64_t{1} << 25, 0) == 0u);
}

/* The registers, not an entry, select this step, so there is nothing to keep. */
BOOST_AUTO_TEST_CASE(a_walk_that_no_entry_led_on_is_not_kept)
{
    pwc c(ww_pwc_cfg{{0, 0, 0, 0, 4, 0, 4}, &ww_hashed, 0, 0});
    ww_pwc_fill(c.p, 0, 0, ww_walk_reading(4, 0, 0x1000));
    BOOST_TEST(ww_pwc_probe(c.p, 0, 0) == 0u);
    BOOST_TEST(c.check() == "");
}

BOOST_AUTO_TEST_CASE(misuse_is_asserted)
{
    pwc c(micro21);
    BOOST_CHECK_THROW(ww_pwc_fill(c.p, 0, 0, 0), std::logic_error);
    BOOST_CHECK_THROW(ww_pwc_fill(c.p, 0, 0, ww_walk_reading(2, 1, 0x1000)), std::logic_error);
    BOOST_CHECK_THROW(ww_pwc_fill(c.p, 0, 0, ww_walk_reading(5, 6, 0x1000)), std::logic_error);
    BOOST_CHECK_THROW(ww_pwc_fill(c.p, 0, 0, ww_walk_reading(6, 5, 0x1000)), std::logic_error);
    BOOST_CHECK_THROW(ww_pwc_count(c.p, 8), std::logic_error);
}

BOOST_AUTO_TEST_CASE(invalidation_takes_every_overlapping_prefix_of_the_vm)
{
    pwc c(micro21);
    c.walk(0x0, 0x100000, 1);
    c.walk(0x200000, 0x200000, 1);
    c.walk(0x400000, 0x300000, 2);
    BOOST_TEST(ww_pwc_count(c.p, 2) == 3u);
    BOOST_TEST(ww_pwc_count(c.p, 3) == 2u);
    BOOST_TEST(ww_pwc_count(c.p, 5) == 0u);
    BOOST_TEST(ww_pwc_invalidate(c.p, 0x200000, 0, 1) == 0u);
    BOOST_TEST(ww_pwc_invalidate(c.p, 0x200000, 4096, 1) == 3u);
    BOOST_TEST(ww_pwc_probe(c.p, 0x1000, 1) == after_level(2, 0x100000 + leaf_node));
    BOOST_TEST(ww_pwc_probe(c.p, 0x200000, 1) == 0u);
    BOOST_TEST(ww_pwc_probe(c.p, 0x400000, 2) == after_level(2, 0x300000 + leaf_node));
    BOOST_TEST(ww_pwc_invalidate(c.p, 0x1000, UINT64_MAX, 1) == 1u);
    c.walk(0x600000, 0x400000, 1);
    BOOST_TEST(ww_pwc_invalidate(c.p, 0x600000, UINT64_MAX, 1) == 3u); /* ends at the last address */
    BOOST_TEST(c.check() == "");
    ww_pwc_flush(c.p);
    BOOST_TEST(ww_pwc_probe(c.p, 0x400000, 2) == 0u);
    BOOST_TEST(c.check() == "");
}

BOOST_AUTO_TEST_CASE(damage_is_named)
{
    pwc fresh(micro21);
    fresh.walk(0, 0x100000);
    BOOST_TEST(fresh.check() == "");
    pwc c = fresh;
    c.p->step[3].live = 2;
    BOOST_TEST(c.check() == "assoc: the count of valid slots is wrong");
    c = fresh;
    ww_assoc_put(&c.p->step[2], c.p, 0, 17);
    BOOST_TEST(c.check() == "pwc: a tag without its valid bit");
    c = fresh;
    c.p.words(c.p->walk_off[4])[0] = after_level(3, 0x1000);
    BOOST_TEST(c.check() == "pwc: an entry leads to no walk");
    c = fresh;
    c.p.words(c.p->walk_off[4])[0] = ww_walk_fault(after_level(4, 0x1000), WW_WHY_ABSENT);
    BOOST_TEST(c.check() == "pwc: an entry leads to no walk");
}

namespace
{

struct entry {
    uint64_t prefix;
    uint16_t vmid;
    uint64_t node_pa;
};

struct reference {
    std::list<entry> order[6]; /* oldest first */

    std::list<entry>::iterator held(uint32_t level, uint64_t va, uint16_t vmid)
    {
        return std::find_if(order[level].begin(), order[level].end(), [=](const entry &e) {
            return e.prefix == va >> ww_level_shift(level) && e.vmid == vmid;
        });
    }
};

} // namespace

BOOST_DATA_TEST_CASE(it_answers_as_lists_in_order_of_use, bdata::xrange(3) * bdata::xrange(4), shape, seed)
{
    const ww_pwc_cfg shapes[] = {
        micro21, {{0, 0, 3, 0, 2, 1}, &ww_radix5, 0, 0}, {{0, 0, 80, 5, 4, 4}, &ww_radix5, 0, 0}};
    const ww_pwc_cfg &cfg = shapes[shape];
    pwc c(cfg);
    reference ref;
    auto &order = ref.order;
    ww_rng rng;
    ww_rng_init(&rng, static_cast<uint64_t>(seed));
    for (int step = 0; step < 4000; ++step) {
        uint64_t va = 0; /* a few indices per level, so that prefixes recur */
        for (uint32_t level = 1; level <= 5; ++level)
            va |= static_cast<uint64_t>(ww_rng_below(&rng, level == 2 ? 40 : 4)) << ww_level_shift(level);
        const uint16_t vmid = static_cast<uint16_t>(ww_rng_below(&rng, 2));
        const uint32_t what = ww_rng_below(&rng, 100);
        if (what < 50) {
            uint64_t expected = 0;
            for (uint32_t level = 2; level <= 5 && expected == 0; ++level) {
                const auto at = ref.held(level, va, vmid);
                if (at == order[level].end())
                    continue;
                expected = after_level(level, at->node_pa);
                if (what < 40)
                    order[level].splice(order[level].end(), order[level], at);
            }
            if (what < 40)
                BOOST_REQUIRE_EQUAL(ww_pwc_lookup(c.p, va, vmid), expected);
            else
                BOOST_REQUIRE_EQUAL(ww_pwc_probe(c.p, va, vmid), expected);
        } else if (what < 98) {
            const uint32_t level = 2 + ww_rng_below(&rng, 4);
            const uint64_t node_pa = static_cast<uint64_t>(ww_rng_below(&rng, 1 << 20)) << 12;
            ww_pwc_fill(c.p, va, vmid, after_level(level, node_pa));
            const auto at = ref.held(level, va, vmid);
            if (at != order[level].end())
                order[level].erase(at);
            else if (cfg.entries[level] != 0 && order[level].size() == cfg.entries[level])
                order[level].pop_front();
            if (cfg.entries[level] != 0)
                order[level].push_back({va >> ww_level_shift(level), vmid, node_pa});
        } else if (what == 98) {
            const uint64_t last_va = va + ww_rng_below(&rng, 1u << 24);
            uint32_t gone = 0;
            for (uint32_t level = 2; level <= 5; ++level) {
                const uint32_t shift = ww_level_shift(level);
                const size_t before = order[level].size();
                order[level].remove_if([&](const entry &e) {
                    return e.vmid == vmid && e.prefix >= va >> shift && e.prefix <= last_va >> shift;
                });
                gone += static_cast<uint32_t>(before - order[level].size());
            }
            BOOST_REQUIRE_EQUAL(ww_pwc_invalidate(c.p, va, last_va - va + 1, vmid), gone);
        } else if (ww_rng_below(&rng, 20) == 0) {
            ww_pwc_flush(c.p);
            for (auto &level : order)
                level.clear();
        }
        for (uint32_t level = 0; level <= 5; ++level)
            BOOST_REQUIRE_EQUAL(ww_pwc_count(c.p, level), order[level].size());
        BOOST_REQUIRE_EQUAL(c.check(), "");
    }
    BOOST_TEST(c.p.intact());
}

BOOST_AUTO_TEST_CASE(its_bits_are_those_of_its_entries)
{
    const ww_widths widths = {48, 34, 12, 16};
    ww_pwc_cfg cfg = {};
    cfg.kind = &ww_radix5;
    for (uint32_t step = 1; step <= 5; ++step)
        cfg.entries[step] = std::string(ww_radix5.step_name[step]) == "l1" ? 0 : 8;
    uint64_t bits = 0;
    for (uint32_t step = 1; step <= 5; ++step)
        bits += ww_pwc_bits(&cfg, step, &widths);
    /* valid, prefix, VM-ID, next node, place in the order; 48-bit addresses have only one l5 entry */
    BOOST_TEST(bits ==
               8u * (1 + 9 + 16 + 22 + 3) + 8u * (1 + 18 + 16 + 22 + 3) + 8u * (1 + 27 + 16 + 22 + 3));
    cfg.ways = 2; /* four sets: two bits of the prefix less, and an order of two */
    BOOST_TEST(ww_pwc_bits(&cfg, 2, &widths) == 8u * (1 + 25 + 16 + 22 + 1));
    cfg.entries[4] = 2048;
    cfg.ways = 1; /* more sets than prefixes */
    BOOST_TEST(ww_pwc_bits(&cfg, 4, &widths) == 2048u * (1 + 16 + 22));
}
