/* SPDX-License-Identifier: MIT */
/* Tests of kernels/walk_sched: each policy by example, the start of a walk, and every policy against a sorted
 * list under random entries. */
#include "sched_rig.hpp"
#include "walk_fixture.hpp"

#include "kernels/table/table_amd.h"
#include "kernels/table/table_nested.h"
#include "kernels/walk/pwc.h"
#include "kernels/walk/walk_sched.h"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <stdexcept>
#include <tuple>

using namespace walk_fixture;

namespace
{

struct walk_cache {
    walk_cache() : memory(ww_pwc_bytes(&cfg)) { ww_pwc_init(get(), memory.bytes(), &cfg); }
    ww_pwc *get() { return static_cast<ww_pwc *>(memory.get()); }
    ww_pwc_cfg cfg{{0, 0, 32, 8, 4}, &ww_radix4, 0, 0};
    blob memory;
};

const ww_table four_levels = ww_radix_table(4, 0x9000);

const char *const policies[] = {"fcfs", "sjf", "batch", "rr_cu"};

uint32_t add(buffer &b, const ww_wbuf_job &j)
{
    return ww_wbuf_insert(b, &j);
}

/* Takes all entries in the policy's order; returns their requests. */
std::vector<uint32_t> drain(scheduler &s, buffer &b, ww_pwc *pwc)
{
    std::vector<uint32_t> order;
    for (uint32_t slot = s.pick(b, pwc, &four_levels); slot != WW_WBUF_NONE;
         slot = s.pick(b, pwc, &four_levels)) {
        order.push_back(ww_wbuf_at(b, slot)->req);
        s.took(ww_wbuf_at(b, slot));
        ww_wbuf_remove(b, slot);
    }
    return order;
}

using names = std::vector<uint32_t>;

} // namespace

BOOST_AUTO_TEST_CASE(policies_have_names_and_storage_and_want_a_walker)
{
    for (uint32_t k = 0; k < ww_sched_count; k++)
        BOOST_TEST(ww_scheds[k]->key_count <= WW_SCHED_MOST_KEYS, ww_scheds[k]->name);
    BOOST_TEST(std::string(ww_scheds[0]->name) == "fcfs");
    BOOST_TEST(scheduler_named("fcf") == nullptr);
    const ww_sched_cfg cfg = {1, 64, {}}, none = {0, 64, {}};
    for (const char *name : policies) {
        BOOST_REQUIRE(scheduler_named(name) != nullptr);
        const ww_sched_kind &kind = *scheduler_named(name);
        BOOST_TEST(std::string(kind.name) == name);
        BOOST_TEST(std::string(kind.text) != "");
        BOOST_TEST(kind.key_count == 0u);
        BOOST_TEST(kind.walk_stats == 0u);
        BOOST_TEST(kind.by_reads == (std::string(name) == "sjf"));
        blob memory(kind.bytes(&cfg));
        BOOST_TEST(kind.init(memory.get(), kind.bytes(&cfg), &cfg) == WW_OK);
        BOOST_TEST(kind.init(memory.get(), kind.bytes(&cfg) - 1, &cfg) == WW_E_SIZE);
        BOOST_TEST(kind.bytes(&none) == 0u);
        BOOST_TEST(kind.init(memory.get(), memory.bytes(), &none) == WW_E_ARG);
    }
}

BOOST_AUTO_TEST_CASE(the_lowest_idle_walker_takes_what_is_picked)
{
    buffer b(4);
    add(b, job(0x1000, 0));
    for (const char *name : policies) {
        scheduler s(name);
        s.idle = {0, uint64_t{1} << 3 | uint64_t{1} << 9, 1};
        BOOST_TEST(s.pick_pair(b, &four_levels).walker == 67u);
        s.idle = {uint64_t{1} << 63, 1};
        BOOST_TEST(s.pick_pair(b, &four_levels).walker == 63u);
        s.idle = {0, 0};
        BOOST_CHECK_THROW(s.pick_pair(b, &four_levels), std::logic_error); /* requires an idle walker */
    }
}

BOOST_AUTO_TEST_CASE(no_policy_takes_an_entry_with_cl)
{
    for (const char *name : policies) {
        scheduler s(name);
        buffer b(4);
        BOOST_TEST(s.pick(b, nullptr, &four_levels) == WW_WBUF_NONE);
        const uint32_t first = add(b, job(0x1000, 0)), second = add(b, job(0x2000, 1));
        ww_wbuf_set_cl(b, first, true);
        BOOST_TEST(s.pick(b, nullptr, &four_levels) == second);
        ww_wbuf_set_cl(b, second, true);
        BOOST_TEST(s.pick(b, nullptr, &four_levels) == WW_WBUF_NONE);
        ww_wbuf_set_cl(b, first, false);
        BOOST_TEST(s.pick(b, nullptr, &four_levels) == first);
    }
}

BOOST_AUTO_TEST_CASE(fcfs_takes_the_oldest)
{
    buffer b(4);
    scheduler s("fcfs");
    for (uint32_t i = 0; i < 4; i++)
        add(b, job((7 - i) << 30, i, 0, i % 2, static_cast<uint16_t>(3 - i)));
    BOOST_TEST(drain(s, b, nullptr) == (names{0, 1, 2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(sjf_takes_what_needs_the_fewest_reads)
{
    buffer b(8);
    walk_cache cache;
    scheduler s("sjf");
    ww_pwc_fill(cache.get(), va_of(1, 0, 0, 0), 0, after_level(4, 0x1000));
    ww_pwc_fill(cache.get(), va_of(2, 1, 1, 0), 0, after_level(2, 0x2000));
    add(b, job(va_of(3, 0, 0, 0), 0));                          /* cold: 4 reads */
    add(b, job(va_of(1, 5, 0, 0), 1));                          /* its L4 entry is cached: 3 */
    const uint32_t partial = add(b, job(va_of(3, 1, 0, 0), 2)); /* PL = 3: 2 reads */
    add(b, job(va_of(2, 1, 1, 9), 3));                          /* its L2 entry is cached: 1 */
    add(b, job(va_of(2, 1, 1, 8), 4));                          /* the same, younger */
    add(b, job(va_of(2, 1, 1, 7), 5, 1));                       /* another VM: 4 */
    ww_wbuf_set_partial(b, partial, after_level(3, 0x3000));
    BOOST_TEST(drain(s, b, cache.get()) == (names{3, 4, 2, 1, 0, 5}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(batch_stays_with_the_instruction_taken_last)
{
    buffer b(8);
    scheduler s("batch");
    const uint32_t instr[] = {7, 8, 7, 9, 8, 7};
    for (uint32_t i = 0; i < 6; i++)
        add(b, job(i << 12, i, 0, instr[i]));
    BOOST_TEST(drain(s, b, nullptr) == (names{0, 2, 5, 1, 4, 3}), boost::test_tools::per_element());
    /* Nothing was taken yet: the initial state must not match instruction 0. */
    scheduler fresh("batch");
    add(b, job(0x1000, 0, 0, 5));
    add(b, job(0x2000, 1, 0, 0));
    BOOST_TEST(drain(fresh, b, nullptr) == (names{0, 1}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(round_robin_goes_on_with_the_next_cu_that_waits)
{
    buffer b(8);
    scheduler s("rr_cu");
    const uint16_t cu[] = {5, 5, 2, 2, 0, 7, 5};
    for (uint32_t i = 0; i < 7; i++)
        add(b, job(i << 12, i, 0, 0, cu[i]));
    BOOST_TEST(drain(s, b, nullptr) == (names{4, 2, 0, 5, 3, 1, 6}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_walk_starts_at_what_is_known_deepest)
{
    const uint64_t va = va_of(1, 2, 3, 4), at_root = ww_walk_reading(4, 0, 0x9000);
    for (uint32_t partial = 0; partial <= 4; partial++) {
        for (uint32_t cached = 0; cached <= 4; cached++) {
            if (partial == 1 || cached == 1)
                continue;
            buffer b(1);
            walk_cache cache;
            const uint32_t slot = add(b, job(va));
            if (partial != 0)
                ww_wbuf_set_partial(b, slot, after_level(partial, 0x1000 * partial));
            if (cached != 0)
                ww_pwc_fill(cache.get(), va, 0, after_level(cached, 0x100000 * cached));
            const ww_wbuf_entry *e = ww_wbuf_at(b, slot);
            /* With level k known, the walk starts at k - 1. At equal depth it uses the entry's own PA. */
            const uint32_t by_entry = partial != 0 ? partial - 1 : 4, by_cache = cached != 0 ? cached - 1 : 4;
            const uint64_t own = partial != 0 ? after_level(partial, 0x1000 * partial) : at_root;
            const uint64_t caches = cached != 0 ? after_level(cached, 0x100000 * cached) : 0;
            uint64_t from_cache = UINT64_MAX;
            BOOST_TEST(ww_sched_reads(e, cache.get(), &four_levels) == std::min(by_entry, by_cache));
            BOOST_TEST(ww_sched_start(e, cache.get(), &four_levels, &from_cache) ==
                       (cached != 0 && (partial == 0 || by_cache < by_entry) ? caches : own));
            BOOST_TEST(from_cache == caches);
            BOOST_TEST(ww_sched_reads(e, nullptr, &four_levels) == by_entry);
            BOOST_TEST(ww_sched_start(e, nullptr, &four_levels, &from_cache) == own);
            BOOST_TEST(from_cache == 0u);
        }
    }
}

BOOST_AUTO_TEST_CASE(shortest_first_asks_the_table_of_each_entrys_own_vm)
{
    const ww_table tables[] = {ww_amd_v1_table(6, 0x9000), ww_amd_v1_table(2, 0xa000),
                               ww_amd_v1_table(4, 0xb000)};
    buffer b(3);
    for (uint16_t n = 0; n < 3; ++n) {
        ww_wbuf_job j = job(0x1000, n, 700 + n);
        j.table = n;
        add(b, j);
    }
    scheduler s("sjf");
    for (const uint32_t n : {1u, 2u, 0u}) {
        const uint32_t slot = s.pick(b, nullptr, tables);
        BOOST_REQUIRE(slot != WW_WBUF_NONE);
        BOOST_TEST(ww_wbuf_at(b, slot)->req == n);
        ww_wbuf_remove(b, slot);
    }
}

/* At a step of several reads, completed reads count. */
BOOST_AUTO_TEST_CASE(of_walks_at_one_step_the_one_that_has_done_more_reads_is_nearer)
{
    const ww_table nested = ww_nested_table(0, 0x7000);
    const auto at_last_level = [](uint64_t over) {
        return ww_bits_put(WW_NESTED_OVER, ww_walk_reading(1, 2, 0x5000), over);
    };
    buffer b(2, &ww_nested);
    const uint32_t early = add(b, job(0x1000, 0)), late = add(b, job(0x200000, 1));
    ww_wbuf_set_partial(b, early, at_last_level(1));
    ww_wbuf_set_partial(b, late, at_last_level(2));
    const scheduler s("sjf");
    BOOST_TEST(s.pick(b, nullptr, &nested) == late);
    BOOST_TEST(ww_sched_reads(ww_wbuf_at(b, late), nullptr, &nested) == 7u);

    const ww_pwc_cfg cfg = {{0, 0, 4}, &ww_nested, 0, 0};
    blob memory(ww_pwc_bytes(&cfg));
    auto *cache = static_cast<ww_pwc *>(memory.get());
    BOOST_REQUIRE_EQUAL(ww_pwc_init(cache, ww_pwc_bytes(&cfg), &cfg), WW_OK);
    ww_pwc_fill(cache, ww_wbuf_va(ww_wbuf_at(b, early)), 0, at_last_level(4));
    uint64_t cached = 0;
    BOOST_TEST(ww_sched_start(ww_wbuf_at(b, early), cache, &nested, &cached) == at_last_level(4));
    BOOST_TEST(ww_sched_reads(ww_wbuf_at(b, early), cache, &nested) == 5u);
    BOOST_TEST(ww_sched_start(ww_wbuf_at(b, late), cache, &nested, &cached) == at_last_level(2));
    BOOST_TEST(s.pick(b, cache, &nested) == early);
}

BOOST_DATA_TEST_CASE(policies_agree_with_a_sorted_list, boost::unit_test::data::xrange(4), policy)
{
    ww_rng rng;
    ww_rng_init(&rng, 77);
    buffer b(40);
    walk_cache cache;
    scheduler s(policies[policy]);
    bool taken = false;
    uint32_t last_instr = 0, last_cu = 0;
    for (uint32_t step = 0; step < 4000; step++) {
        if (ww_rng_below(&rng, 2) == 0 && !ww_wbuf_full(b)) {
            const auto cu = static_cast<uint16_t>(ww_rng_below(&rng, 6));
            const uint32_t slot =
                add(b, job(random_va(&rng) & WW_BITS64(47, 0), step, 0, ww_rng_below(&rng, 9), cu));
            if (ww_rng_below(&rng, 2) == 0)
                ww_wbuf_set_partial(b, slot, after_level(2 + ww_rng_below(&rng, 3), 0x1000));
            ww_wbuf_set_cl(b, slot, ww_rng_below(&rng, 4) == 0);
            ww_pwc_fill(cache.get(), random_va(&rng) & WW_BITS64(47, 0), 0,
                        after_level(2 + ww_rng_below(&rng, 3), 0x2000));
            continue;
        }
        /* Rank, then age: the smallest of all entries that may be taken. */
        std::vector<std::tuple<uint32_t, uint64_t, uint32_t>> rank;
        for (uint32_t slot = ww_wbuf_oldest(b); slot != WW_WBUF_NONE; slot = ww_wbuf_younger(b, slot)) {
            const ww_wbuf_entry *e = ww_wbuf_at(b, slot);
            const uint32_t ranks[] = {0, ww_sched_reads(e, cache.get(), &four_levels),
                                      taken && e->instr == last_instr ? 0u : 1u,
                                      taken ? (e->cu + 5u - last_cu) % 6 : e->cu};
            if (!ww_wbuf_cl(e))
                rank.emplace_back(ranks[policy], e->seq, slot);
        }
        const uint32_t expect =
            rank.empty() ? WW_WBUF_NONE : std::get<2>(*std::min_element(rank.begin(), rank.end()));
        const uint32_t slot = s.pick(b, cache.get(), &four_levels);
        BOOST_REQUIRE_EQUAL(slot, expect);
        if (slot != WW_WBUF_NONE) {
            s.took(ww_wbuf_at(b, slot));
            taken = true;
            last_instr = ww_wbuf_at(b, slot)->instr;
            last_cu = ww_wbuf_at(b, slot)->cu;
            ww_wbuf_remove(b, slot);
        } else if (ww_wbuf_count(b) != 0) {
            ww_wbuf_set_cl(b, ww_wbuf_oldest(b), false);
        }
    }
}
