/* SPDX-License-Identifier: MIT */
/* Tests of kernels/walk_buffer: examples, every query against a linear scan under random operations, and each
 * invariant of the checker broken on purpose. */
#include "walk_fixture.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <stdexcept>

using namespace walk_fixture;

namespace
{

/* The reference: a list in order of arrival. */
struct naive_entry {
    ww_wbuf_job job;
    uint32_t slot;
    uint64_t walk;
    bool cl;
    uint64_t held;
};
using naive = std::vector<naive_entry>;

std::vector<uint32_t> slots_in(const naive &list, uint64_t va, uint16_t vmid, uint32_t level)
{
    std::vector<uint32_t> slots;
    for (const naive_entry &e : list)
        if (same_nbhd(e.job, va, vmid, level))
            slots.push_back(e.slot);
    return slots;
}

std::vector<uint32_t> walk_leaf(const ww_wbuf *b, uint64_t va, uint16_t vmid)
{
    std::vector<uint32_t> slots;
    for (uint32_t s = ww_wbuf_first_near(b, va, vmid); s != WW_WBUF_NONE; s = ww_wbuf_next_near(b, s))
        slots.push_back(s);
    return slots;
}

std::vector<uint32_t> near_slots(const ww_wbuf *b, uint64_t va, uint16_t vmid, uint32_t level)
{
    ww_wbuf_set set;
    ww_wbuf_match(b, va, vmid, ww_radix5.shift[level], &set);
    std::vector<uint32_t> slots;
    for (uint32_t pos = 0; pos < b->ages.positions; pos++)
        if ((set.word[pos / 64] >> (pos % 64) & 1) != 0)
            slots.push_back(ww_wbuf_slot_at(b, pos));
    return slots;
}

void compare(const ww_wbuf *b, const naive &list)
{
    BOOST_REQUIRE_EQUAL(text(ww_wbuf_check(b)), "");
    BOOST_REQUIRE_EQUAL(ww_wbuf_count(b), list.size());
    BOOST_REQUIRE_EQUAL(ww_wbuf_youngest(b), list.empty() ? WW_WBUF_NONE : list.back().slot);
    std::vector<uint32_t> all, all_ready, expect, expect_ready;
    for (uint32_t s = ww_wbuf_oldest(b); s != WW_WBUF_NONE; s = ww_wbuf_younger(b, s))
        all.push_back(s);
    for (uint32_t s = ww_wbuf_oldest_ready(b); s != WW_WBUF_NONE; s = ww_wbuf_younger_ready(b, s))
        all_ready.push_back(s);
    for (const naive_entry &e : list) {
        expect.push_back(e.slot);
        if (!e.cl)
            expect_ready.push_back(e.slot);
        const ww_wbuf_entry *got = ww_wbuf_at(b, e.slot);
        BOOST_REQUIRE(ww_wbuf_va(got) == e.job.va >> 12 << 12 && got->req == e.job.req &&
                      got->instr == e.job.instr);
        BOOST_REQUIRE(ww_wbuf_vmid(got) == e.job.vmid && got->cu == e.job.cu);
        BOOST_REQUIRE_EQUAL(ww_wbuf_cl(got), e.cl);
        BOOST_REQUIRE_EQUAL(got->walk, e.walk);
        BOOST_REQUIRE_EQUAL(ww_wbuf_held(b, e.slot), e.held);
    }
    BOOST_REQUIRE(all == expect);
    BOOST_REQUIRE(all_ready == expect_ready);
    BOOST_REQUIRE_EQUAL(ww_wbuf_cl_count(b), expect.size() - expect_ready.size());
}

void random_run(uint32_t entries, uint64_t seed)
{
    ww_rng rng;
    ww_rng_init(&rng, seed);
    buffer b(entries);
    naive list;
    uint64_t now = 0;
    for (uint32_t step = 0; step < 3000; step++) {
        const uint32_t elapsed = ww_rng_below(&rng, 3);
        now += elapsed;
        ww_wbuf_set_stamp(b, now);
        for (naive_entry &e : list)
            e.held += e.cl ? elapsed : 0;
        const uint64_t va = random_va(&rng);
        const auto vmid =
            static_cast<uint16_t>(ww_rng_below(&rng, 3) * 0x101); /* 0x101 and 1 have the same tag bits */
        const uint32_t level = 1 + ww_rng_below(&rng, 5);
        const uint32_t op = ww_rng_below(&rng, 8);
        /* Phases of filling and of emptying, so that both ends are reached. */
        if (op < (step / 500 % 2 == 0 ? 4u : 2u)) {
            const ww_wbuf_job j = job(va, step, vmid, step / 3, static_cast<uint16_t>(step % 5));
            BOOST_REQUIRE_EQUAL(ww_wbuf_full(b), list.size() == entries);
            const uint32_t slot = ww_wbuf_insert(b, &j);
            BOOST_REQUIRE_EQUAL(slot == WW_WBUF_NONE, list.size() == entries);
            if (slot != WW_WBUF_NONE)
                list.push_back({j, slot, 0, false, 0});
        } else if (!list.empty() && op < 5) {
            const auto at = list.begin() + ww_rng_below(&rng, static_cast<uint32_t>(list.size()));
            ww_wbuf_remove(b, at->slot);
            list.erase(at);
        } else if (!list.empty() && op < 6) {
            naive_entry &e = list[ww_rng_below(&rng, static_cast<uint32_t>(list.size()))];
            e.cl = ww_rng_below(&rng, 2) != 0;
            ww_wbuf_set_cl(b, e.slot, e.cl);
        } else if (!list.empty() && op < 7) {
            naive_entry &e = list[ww_rng_below(&rng, static_cast<uint32_t>(list.size()))];
            if (e.walk != 0 && ww_rng_below(&rng, 2) != 0) {
                e.walk = 0;
                ww_wbuf_clear_partial(b, e.slot);
            } else {
                e.walk = after_level(2 + ww_rng_below(&rng, 4), ww_rng_next(&rng) & WW_WALK_PA);
                ww_wbuf_set_partial(b, e.slot, e.walk);
            }
        } else {
            ww_wbuf_set set;
            ww_wbuf_match(b, va, vmid, ww_radix5.shift[level], &set);
            const bool cl = ww_rng_below(&rng, 2) != 0;
            ww_wbuf_set_cl_all(b, &set, cl);
            for (naive_entry &e : list)
                if (same_nbhd(e.job, va, vmid, level))
                    e.cl = cl;
        }
        compare(b, list);
        BOOST_REQUIRE(walk_leaf(b, va, vmid) == slots_in(list, va, vmid, 1));
        BOOST_REQUIRE(near_slots(b, va, vmid, level) == slots_in(list, va, vmid, level));
    }
}

/* A buffer with every case: entries 0..4, slot 1 removed, slot 2 held, 0 and 3 in one chain. */
buffer sample()
{
    buffer b(6);
    for (uint32_t i = 0; i < 5; i++) {
        const ww_wbuf_job j = job(va_of(0, 0, i % 3, 0), i);
        ww_wbuf_insert(b, &j);
    }
    ww_wbuf_remove(b, 1);
    ww_wbuf_set_cl(b, 2, true);
    return b;
}

template <typename Break> std::string broken(Break what)
{
    buffer b = sample();
    what(b);
    return text(ww_wbuf_check(b));
}

} // namespace

BOOST_AUTO_TEST_CASE(illegal_configurations_and_short_storage_are_refused)
{
    ww_wbuf_cfg cfg{0, &ww_radix5};
    BOOST_TEST(ww_wbuf_bytes(&cfg) == 0u);
    cfg.entries = WW_WBUF_MAX_ENTRIES + 1;
    BOOST_TEST(ww_wbuf_bytes(&cfg) == 0u);
    blob memory(1 << 20);
    auto *b = static_cast<ww_wbuf *>(memory.get());
    BOOST_TEST(ww_wbuf_init(b, memory.bytes(), &cfg) == WW_E_ARG);
    cfg.entries = WW_WBUF_MAX_ENTRIES;
    ww_table_kind narrow = ww_radix4, wrong = ww_radix4;
    narrow.reach[1] = narrow.shift[1] = 9; /* a key would have 64 bits */
    wrong.last = 5;
    for (const ww_table_kind *kind : {&narrow, &wrong}) {
        cfg.kind = kind;
        BOOST_TEST(ww_wbuf_bytes(&cfg) == 0u);
    }
    cfg.kind = &ww_radix5;
    const size_t need = ww_wbuf_bytes(&cfg);
    BOOST_TEST(ww_wbuf_init(b, need - 1, &cfg) == WW_E_SIZE);
    BOOST_TEST(ww_wbuf_init(b, need, &cfg) == WW_OK);
    BOOST_TEST(text(ww_wbuf_check(b)) == "");
}

BOOST_AUTO_TEST_CASE(a_full_buffer_refuses_and_a_removed_slot_is_used_again)
{
    buffer b(2);
    const ww_wbuf_job j = job(0x1000, 7);
    const uint32_t first = ww_wbuf_insert(b, &j);
    const uint32_t second = ww_wbuf_insert(b, &j);
    BOOST_TEST(ww_wbuf_insert(b, &j) == WW_WBUF_NONE);
    BOOST_TEST(ww_wbuf_younger(b, first) == second);
    BOOST_TEST(ww_wbuf_younger(b, second) == WW_WBUF_NONE);
    ww_wbuf_remove(b, first);
    BOOST_TEST(ww_wbuf_oldest(b) == second);
    BOOST_TEST(ww_wbuf_insert(b, &j) == first);
    BOOST_TEST(ww_wbuf_younger(b, second) == first);
}

BOOST_AUTO_TEST_CASE(neighbourhoods_are_32_kib_16_mib_8_gib_4_tib_and_2_pib)
{
    for (uint32_t level = 1; level <= 5; level++) {
        const uint64_t size = UINT64_C(1) << (15 + 9 * (level - 1));
        buffer b(3);
        const ww_wbuf_job first = job(size, 0), last = job(2 * size - 1, 1), beyond = job(2 * size, 2);
        const uint32_t a = ww_wbuf_insert(b, &first), c = ww_wbuf_insert(b, &last);
        ww_wbuf_insert(b, &beyond);
        BOOST_TEST(near_slots(b, size + size / 2, 0, level) == (std::vector<uint32_t>{a, c}),
                   boost::test_tools::per_element());
        BOOST_TEST(near_slots(b, size, 1, level).empty());
    }
}

BOOST_AUTO_TEST_CASE(neighbourhoods_are_the_kinds)
{
    for (uint32_t shift : {14u, 22u}) {
        const uint64_t size = UINT64_C(1) << shift;
        buffer b(3, &two_step::kind);
        const ww_wbuf_job first = job(size), last = job(2 * size - 1), beyond = job(2 * size);
        ww_wbuf_set set;
        ww_wbuf_insert(b, &first);
        ww_wbuf_insert(b, &last);
        ww_wbuf_insert(b, &beyond);
        ww_wbuf_match(b, size + 5, 0, shift, &set);
        BOOST_TEST(set.word[0] == 3u);
        BOOST_TEST(text(ww_wbuf_check(b)) == "");
    }
    buffer b(3, &two_step::kind);
    BOOST_CHECK_THROW(ww_wbuf_set_partial(b, 0, ww_walk_reading(3, 1, 0)), std::logic_error);
}

/* 2^33 neighbourhoods of the step before the last: more than a tag can distinguish. */
BOOST_AUTO_TEST_CASE(a_neighbourhood_may_be_larger_than_a_tag_tells)
{
    ww_table_kind wide = ww_radix5;
    wide.shift[5] = wide.va_bits;
    buffer b(3, &wide);
    const ww_wbuf_job low = job(0), high = job(WW_BITS64(56, 0)), other = job(0, 0, 1);
    for (const ww_wbuf_job &j : {low, high, other})
        ww_wbuf_insert(b, &j);
    ww_wbuf_set set;
    ww_wbuf_match(b, 0x5000, 0, 57, &set);
    BOOST_TEST(set.word[0] == 3u);
}

BOOST_AUTO_TEST_CASE(held_counts_the_stamps_with_cl_set)
{
    buffer b(1);
    const ww_wbuf_job j = job(0);
    const uint32_t slot = ww_wbuf_insert(b, &j);
    ww_wbuf_set_stamp(b, 10);
    ww_wbuf_set_cl(b, slot, true);
    ww_wbuf_set_stamp(b, 13);
    BOOST_TEST(ww_wbuf_held(b, slot) == 3u);
    ww_wbuf_set_cl(b, slot, true);
    ww_wbuf_set_cl(b, slot, false);
    ww_wbuf_set_stamp(b, 20);
    BOOST_TEST(ww_wbuf_held(b, slot) == 3u);
    ww_wbuf_set_cl(b, slot, true);
    ww_wbuf_set_stamp(b, 24);
    BOOST_TEST(ww_wbuf_held(b, slot) == 7u);
}

BOOST_AUTO_TEST_CASE(a_copy_of_the_bytes_is_a_snapshot)
{
    buffer b = sample();
    buffer copy = b;
    const ww_wbuf_job j = job(0x123456000, 9);
    ww_wbuf_remove(b, 3);
    BOOST_TEST(ww_wbuf_count(copy) == 4u);
    BOOST_TEST(text(ww_wbuf_check(copy)) == "");
    ww_wbuf_remove(copy, 3);
    BOOST_TEST(ww_wbuf_insert(b, &j) == ww_wbuf_insert(copy, &j));
    BOOST_TEST(std::memcmp(b.bytes().get(), copy.bytes().get(), b.bytes().bytes()) == 0);
}

BOOST_AUTO_TEST_CASE(broken_contracts_are_caught)
{
    buffer b = sample();
    const ww_wbuf_job j = job(UINT64_C(1) << 57);
    ww_wbuf_set set;
    BOOST_CHECK_THROW(ww_wbuf_insert(b, &j), std::logic_error);
    BOOST_CHECK_THROW(ww_wbuf_remove(b, 1), std::logic_error);
    BOOST_CHECK_THROW(ww_wbuf_remove(b, 6), std::logic_error);
    BOOST_CHECK_THROW(ww_wbuf_at(b, 1), std::logic_error);
    BOOST_CHECK_THROW(ww_wbuf_set_cl(b, 1, true), std::logic_error);
    BOOST_CHECK_THROW(ww_wbuf_set_partial(b, 0, 0), std::logic_error);
    BOOST_CHECK_THROW(ww_wbuf_set_partial(b, 0, ww_walk_reading(4, 0, 0)), std::logic_error);
    BOOST_CHECK_THROW(ww_wbuf_set_partial(b, 0, ww_walk_reading(6, 5, 0)), std::logic_error);
    BOOST_CHECK_THROW(ww_wbuf_set_partial(b, 0, ww_walk_reading(5, 6, 0)), std::logic_error);
    BOOST_CHECK_THROW(ww_wbuf_clear_partial(b, 1), std::logic_error);
    BOOST_CHECK_THROW(ww_wbuf_clear_partial(b, 6), std::logic_error);
    BOOST_CHECK_THROW(ww_wbuf_next_near(b, 6), std::logic_error);
    for (uint32_t shift : {14u, 16u, 58u})
        BOOST_CHECK_THROW(ww_wbuf_match(b, 0, 0, shift, &set), std::logic_error);
    BOOST_CHECK_THROW(ww_wbuf_slot_at(b, 1), std::logic_error);
}

BOOST_DATA_TEST_CASE(random_operations_agree_with_a_linear_scan, boost::unit_test::data::xrange(4), seed)
{
    for (uint32_t entries : {1u, 2u, 3u, 30u, 100u})
        random_run(entries, static_cast<uint64_t>(seed) * 1000 + entries);
}

BOOST_AUTO_TEST_CASE(an_entry_is_a_word_of_number_cl_and_vm_and_a_walk)
{
    buffer b(2);
    const ww_wbuf_job wanted = job(UINT64_C(0x123456789abcdef), 7, 0xfffe, 9, 3);
    const uint32_t slot = ww_wbuf_insert(b, &wanted);
    const ww_wbuf_entry *e = ww_wbuf_at(b, slot);
    BOOST_TEST(e->word == UINT64_C(0xfffe523456789abc));
    ww_wbuf_set_cl(b, slot, true);
    BOOST_TEST(e->word == UINT64_C(0xfffe723456789abc));
    ww_wbuf_set_cl(b, slot, false);
    ww_wbuf_set_partial(b, slot, ww_walk_reading(2, 3, 0x5000));
    BOOST_TEST(e->word == UINT64_C(0xfffe523456789abc));
    BOOST_TEST(e->walk == ww_walk_reading(2, 3, 0x5000));
    ww_wbuf_clear_partial(b, slot);
    BOOST_TEST(e->walk == 0u);
    BOOST_TEST(e->word == UINT64_C(0xfffe523456789abc));
    BOOST_TEST(ww_wbuf_job_of(e).va == UINT64_C(0x123456789abc000));
    BOOST_TEST((ww_wbuf_job_of(e).req == 7u && ww_wbuf_job_of(e).instr == 9u));
    BOOST_TEST((ww_wbuf_job_of(e).vmid == 0xfffeu && ww_wbuf_job_of(e).cu == 3u));
    ww_wbuf_remove(b, slot);
    BOOST_TEST(b.array<ww_wbuf_entry>(b->entry_at)[slot].word == 0u);
}

BOOST_AUTO_TEST_CASE(the_checker_names_each_broken_invariant)
{
    using entry = ww_wbuf_entry;
    BOOST_TEST(broken([](buffer &) {}) == "");
    BOOST_TEST(broken([](buffer &b) { b.array<uint64_t>(b->ages.ready_at)[0] |= 2; }) ==
               "a dead position is ready");
    const char *no_slot = "a live position lies behind the tail or names no slot";
    BOOST_TEST(broken([](buffer &b) { b->ages.tail = 4; }) == no_slot);
    BOOST_TEST(broken([](buffer &b) { b.array<uint16_t>(b->ages.slot_at)[0] = 6; }) == no_slot);
    const char *disagree = "an entry and its position disagree";
    BOOST_TEST(broken([](buffer &b) { b.array<ww_ages_link>(b->ages.link_at)[0].pos = 3; }) == disagree);
    BOOST_TEST(broken([](buffer &b) { b.array<entry>(b->entry_at)[4].seq = 5; }) == disagree);
    BOOST_TEST(broken([](buffer &b) { b.array<entry>(b->entry_at)[0].word &= ~WW_WBUF_VALID; }) == disagree);
    const char *key = "a position's key or tag is not its entry's";
    BOOST_TEST(broken([](buffer &b) { b.array<entry>(b->entry_at)[0].word ^= 8; }) == key);
    BOOST_TEST(broken([](buffer &b) { b.array<uint32_t>(b->ages.tag_at)[0] ^= 1; }) == key);
    const char *cl = "an entry is ready with CL set, or not ready with CL clear";
    BOOST_TEST(broken([](buffer &b) { b.array<entry>(b->entry_at)[2].word &= ~WW_WBUF_CL; }) == cl);
    BOOST_TEST(broken([](buffer &b) { b.array<entry>(b->entry_at)[0].word |= WW_WBUF_CL; }) == cl);
    BOOST_TEST(broken([](buffer &b) { b.array<entry>(b->entry_at)[0].walk = 0x1000; }) ==
               "PL and PA are no walk that an entry led somewhere");
    BOOST_TEST(broken([](buffer &b) { b.array<entry>(b->entry_at)[2].seq = 0; }) ==
               "positions are not in order of age");
    BOOST_TEST(broken([](buffer &b) { b->ages.count++; }) == "a count is not the number of entries");
    BOOST_TEST(broken([](buffer &b) { b->cl_count++; }) == "a count is not the number of entries");
    BOOST_TEST(broken([](buffer &b) { b.array<ww_ages_link>(b->ages.link_at)[1].next_idx = UINT16_MAX; }) ==
               "a slot is neither free nor in use");
    BOOST_TEST(broken([](buffer &b) { b.array<ww_ages_link>(b->ages.link_at)[5].next_idx = 1; }) ==
               "a slot is neither free nor in use");
    BOOST_TEST(broken([](buffer &b) { b->ages.free_idx = 0; }) == "a slot is neither free nor in use");
    BOOST_TEST(broken([](buffer &b) { b.array<ww_ages_link>(b->ages.link_at)[5].pos = 2; }) ==
               "a slot is neither free nor in use");
    BOOST_TEST(broken([](buffer &b) { b.array<entry>(b->entry_at)[5].word = WW_WBUF_VALID; }) ==
               "an entry that is in use is not found");
}

BOOST_AUTO_TEST_CASE(the_checker_names_each_broken_chain)
{
    BOOST_TEST(broken([](buffer &b) { b.array<uint64_t>(b->ages.key_at)[0] ^= 1; }) ==
               "an entry is in a chain that is not its own");
    const char *chain = "a hash chain is broken";
    BOOST_TEST(broken([](buffer &b) { b.array<ww_ages_link>(b->ages.link_at)[0].next_idx = 6; }) == chain);
    BOOST_TEST(broken([](buffer &b) { b.array<ww_ages_link>(b->ages.link_at)[0].next_idx = 1; }) == chain);
    BOOST_TEST(broken([](buffer &b) { b.array<ww_ages_link>(b->ages.link_at)[3].prev_idx = 2; }) == chain);
    /* Swaps heads and tails of two chains. */
    BOOST_TEST(broken([](buffer &b) {
                   auto *pair = b.array<uint32_t>(b->ages.bucket_at);
                   uint32_t full[2] = {0, 0}, n = 0;
                   for (uint32_t i = 0; n < 2; i++)
                       if (pair[i] != UINT32_MAX)
                           full[n++] = i;
                   std::swap(pair[full[0]], pair[full[1]]);
               }) == "an entry is in a chain that is not its own");
    /* Reverses a chain's two entries: the links are consistent, the ages are not. */
    const auto bucket_with = [](buffer &b, uint16_t head) {
        auto *half = b.array<uint16_t>(b->ages.bucket_at);
        while (*half != head)
            half += 2;
        return half;
    };
    BOOST_TEST(broken([&](buffer &b) {
                   auto *half = bucket_with(b, 0);
                   auto *e = b.array<ww_ages_link>(b->ages.link_at);
                   half[0] = 3;
                   half[1] = 0;
                   e[3].prev_idx = UINT16_MAX;
                   e[3].next_idx = 0;
                   e[0].prev_idx = 3;
                   e[0].next_idx = UINT16_MAX;
               }) == "a chain is not in order of age");
    BOOST_TEST(broken([&](buffer &b) { bucket_with(b, 0)[1] = 0; }) ==
               "a chain's tail is not its last entry");
    BOOST_TEST(broken([&](buffer &b) {
                   auto *half = bucket_with(b, 0);
                   half[0] = half[1] = UINT16_MAX;
               }) == "an entry is in no chain");
    /* The check also ends on a circular chain. */
    BOOST_TEST(broken([](buffer &b) { b.array<ww_ages_link>(b->ages.link_at)[3].next_idx = 3; }) == chain);
    BOOST_TEST(broken([](buffer &b) {
                   auto *e = b.array<ww_ages_link>(b->ages.link_at);
                   e[0].prev_idx = 3;
                   e[3].next_idx = 0;
               }) == chain);
}

BOOST_AUTO_TEST_CASE(its_bits_are_those_of_page_numbers)
{
    const ww_wbuf_cfg cfg = {256, &ww_radix4};
    BOOST_TEST(ww_wbuf_bits(&cfg) == 256u * 36);
}
