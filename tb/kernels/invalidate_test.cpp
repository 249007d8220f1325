/* SPDX-License-Identifier: MIT */
/* Tests what a stage and a requester remember of an invalidate. tb/invalidate enumerates the protocol. */
#include <boost/test/unit_test.hpp>

#include "kernels/bits.h"
#include "kernels/invalidate.h"

#include <deque>
#include <stdexcept>

BOOST_AUTO_TEST_SUITE(invalidate_scope)

BOOST_AUTO_TEST_CASE(a_range_covers_every_page_that_has_a_byte_of_it)
{
    const ww_inval_scope s = ww_inval_range(0x2000, 0x1800, 7); /* 0x2000 to 0x37ff */
    BOOST_TEST(!ww_inval_covers(&s, 0x1fff, 12, 7));
    BOOST_TEST(ww_inval_covers(&s, 0x2000, 12, 7));
    BOOST_TEST(ww_inval_covers(&s, 0x3fff, 12, 7)); /* its page has bytes of the range */
    BOOST_TEST(!ww_inval_covers(&s, 0x4000, 12, 7));
    BOOST_TEST(ww_inval_covers(&s, 0x1f0000, 21, 7)); /* a large page that contains the range's start */
    BOOST_TEST(!ww_inval_covers(&s, 0x200000, 21, 7));
    BOOST_TEST(!ww_inval_covers(&s, 0x2000, 12, 8)); /* another VM */
}

BOOST_AUTO_TEST_CASE(a_scope_inside_a_page_and_at_the_ends_of_the_addresses_is_covered_too)
{
    const ww_inval_scope inside = ww_inval_range(0x2004, 1, 0);
    BOOST_TEST(ww_inval_covers(&inside, 0x2ff0, 12, 0));
    const ww_inval_scope end = ww_inval_range(UINT64_MAX - 4095, UINT64_MAX, 0); /* ends with the addresses */
    BOOST_TEST(end.last_va == UINT64_MAX);
    BOOST_TEST(ww_inval_covers(&end, UINT64_MAX, 12, 0));
    BOOST_TEST(!ww_inval_covers(&end, UINT64_MAX - 4096, 12, 0));
    BOOST_TEST(!ww_inval_covers(&end, 0, 12, 0));
}

BOOST_AUTO_TEST_CASE(a_space_is_all_of_one_vm_and_all_is_all_of_every)
{
    const ww_inval_scope space = ww_inval_space(3), all = ww_inval_all();
    for (const uint64_t va : {UINT64_C(0), UINT64_C(0x123456789000), UINT64_MAX}) {
        BOOST_TEST(ww_inval_covers(&space, va, 12, 3));
        BOOST_TEST(!ww_inval_covers(&space, va, 12, 4));
        BOOST_TEST(ww_inval_covers(&all, va, 12, 4));
    }
}

BOOST_AUTO_TEST_CASE(random_scopes_and_pages_agree_with_a_search_byte_by_byte)
{
    ww_rng random;
    ww_rng_init(&random, 3);
    for (unsigned n = 0; n < 20000; ++n) {
        const uint64_t va = ww_rng_below(&random, 256), bytes = 1 + ww_rng_below(&random, 64);
        const uint32_t shift = ww_rng_below(&random, 6);
        const uint64_t at = ww_rng_below(&random, 400);
        const ww_inval_scope s = ww_inval_range(va, bytes, 0);
        bool any = false;
        for (uint64_t b = at >> shift << shift; b < ((at >> shift) + 1) << shift; ++b)
            any |= b >= va && b < va + bytes;
        BOOST_REQUIRE(ww_inval_covers(&s, at, shift, 0) == any);
    }
}

BOOST_AUTO_TEST_CASE(an_empty_range_and_a_page_of_all_addresses_are_defects_of_the_caller)
{
    const ww_inval_scope all = ww_inval_all();
    BOOST_CHECK_THROW(ww_inval_range(0, 0, 0), std::logic_error);
    BOOST_CHECK_THROW(ww_inval_covers(&all, 0, 64, 0), std::logic_error);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(invalidate_stage)

BOOST_AUTO_TEST_CASE(ports_are_at_least_one_and_bounded)
{
    ww_inval v;
    BOOST_TEST(ww_inval_init(&v, 0) == WW_E_ARG);
    BOOST_TEST(ww_inval_init(&v, WW_INVAL_MAX_PORTS + 1) == WW_E_ARG);
    BOOST_TEST(ww_inval_init(&v, WW_INVAL_MAX_PORTS) == WW_OK);
    BOOST_TEST(ww_inval_init(&v, 1) == WW_OK);
    BOOST_TEST(ww_inval_check(&v) == nullptr);
}

BOOST_AUTO_TEST_CASE(fills_in_scope_are_refused_from_its_way_out_until_every_copy_is_back)
{
    ww_inval v;
    ww_inval_init(&v, 3);
    const ww_inval_scope s = ww_inval_range(0x1000, 0x1000, 1);
    BOOST_TEST(!ww_inval_refuses(&v, 0x1000, 12, 1));
    BOOST_TEST(!ww_inval_refuses(&v, 0, 12, 0)); /* a scope of zeros would cover it */
    BOOST_TEST(ww_inval_may_start(&v));
    ww_inval_out(&v, &s);
    for (unsigned copy = 1; copy <= 3; ++copy) {
        BOOST_TEST(ww_inval_check(&v) == nullptr);
        BOOST_TEST(!ww_inval_may_start(&v));
        BOOST_TEST(ww_inval_refuses(&v, 0x1000, 12, 1));
        BOOST_TEST(!ww_inval_refuses(&v, 0x2000, 12, 1));
        BOOST_TEST(ww_inval_back(&v) == (copy == 3));
    }
    BOOST_TEST(!ww_inval_refuses(&v, 0x1000, 12, 1));
    BOOST_TEST(!ww_inval_refuses(&v, 0, 12, 0));
    BOOST_TEST(ww_inval_may_start(&v));
    BOOST_TEST(ww_inval_check(&v) == nullptr);
    ww_inval_out(&v, &s); /* a second round */
    BOOST_TEST(v.away == 3u);
}

BOOST_AUTO_TEST_CASE(a_second_scope_and_a_copy_that_never_went_out_are_defects)
{
    ww_inval v;
    ww_inval_init(&v, 1);
    const ww_inval_scope s = ww_inval_all();
    BOOST_CHECK_THROW(ww_inval_back(&v), std::logic_error);
    ww_inval_out(&v, &s);
    BOOST_CHECK_THROW(ww_inval_out(&v, &s), std::logic_error);
}

BOOST_AUTO_TEST_CASE(its_state_in_hardware_is_scope_flags_and_a_counter_of_ports)
{
    ww_inval v;
    ww_inval_init(&v, 1);
    BOOST_TEST(ww_inval_bits(&v, 48) == 2 * 48 + 16 + 2 + 1);
    ww_inval_init(&v, 64);
    BOOST_TEST(ww_inval_bits(&v, 57) == 2 * 57 + 16 + 2 + 7); /* counts to 64 */
}

BOOST_AUTO_TEST_CASE(the_checker_finds_each_broken_rule)
{
    const ww_inval_scope s = ww_inval_all();
    ww_inval good;
    ww_inval_init(&good, 2);
    ww_inval_out(&good, &s);
    ww_inval v = good;
    v.away = 3;
    BOOST_TEST(ww_inval_check(&v) != nullptr);
    v = good;
    v.away = 0;
    BOOST_TEST(ww_inval_check(&v) != nullptr);
    v = good;
    v.open = false;
    BOOST_TEST(ww_inval_check(&v) != nullptr);
    v = good;
    v.scope.first_va = 1;
    v.scope.last_va = 0;
    BOOST_TEST(ww_inval_check(&v) != nullptr);
    BOOST_TEST(ww_inval_check(&good) == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(invalidate_turn)

BOOST_AUTO_TEST_CASE(an_invalidate_waits_for_the_accesses_before_it_and_for_none_after)
{
    ww_turn t;
    ww_turn_init(&t);
    BOOST_TEST(!ww_turn_ready(&t)); /* no turn has begun */
    const uint8_t before = ww_turn_begin(&t);
    ww_turn_out(&t);
    const uint8_t after = ww_turn_begin(&t);
    BOOST_TEST(before != after);
    BOOST_TEST(!ww_turn_ready(&t));
    ww_turn_end(&t, before);
    BOOST_TEST(ww_turn_ready(&t)); /* the later access does not delay the turn */
    ww_turn_back(&t);
    BOOST_TEST(!ww_turn_ready(&t));
    ww_turn_out(&t); /* the next turn waits for the later access */
    BOOST_TEST(!ww_turn_ready(&t));
    ww_turn_end(&t, after);
    BOOST_TEST(ww_turn_ready(&t));
}

BOOST_AUTO_TEST_CASE(random_accesses_and_invalidates_agree_with_a_list_of_accesses)
{
    ww_rng random;
    ww_rng_init(&random, 11);
    ww_turn t;
    ww_turn_init(&t);
    struct access {
        uint8_t generation;
        unsigned invalidates; /* begun before it */
    };
    std::deque<access> all;
    unsigned invalidates = 0, turned = 0;
    bool open = false;
    for (unsigned n = 0; n < 50000; ++n) {
        const uint32_t what = ww_rng_below(&random, 8);
        if (what < 3) {
            all.push_back({ww_turn_begin(&t), invalidates});
        } else if (what < 7 && !all.empty()) {
            const uint32_t i = ww_rng_below(&random, static_cast<uint32_t>(all.size()));
            ww_turn_end(&t, all[i].generation);
            all.erase(all.begin() + i);
        } else if (what == 7 && !open) {
            ww_turn_out(&t);
            open = true;
            ++invalidates;
        }
        bool old = false;
        for (const access &a : all)
            old |= a.invalidates < invalidates;
        BOOST_REQUIRE(ww_turn_ready(&t) == (open && !old));
        BOOST_REQUIRE(ww_turn_check(&t) == nullptr);
        if (ww_turn_ready(&t) && ww_rng_below(&random, 2) != 0) {
            ww_turn_back(&t);
            open = false;
            ++turned;
        }
    }
    BOOST_TEST(turned > 500u);
}

BOOST_AUTO_TEST_CASE(ends_without_a_beginning_a_second_invalidate_and_an_early_turn_are_defects)
{
    ww_turn t;
    ww_turn_init(&t);
    BOOST_CHECK_THROW(ww_turn_end(&t, 0), std::logic_error);
    BOOST_CHECK_THROW(ww_turn_end(&t, 2), std::logic_error);
    BOOST_CHECK_THROW(ww_turn_back(&t), std::logic_error);
    const uint8_t g = ww_turn_begin(&t);
    ww_turn_out(&t);
    BOOST_CHECK_THROW(ww_turn_out(&t), std::logic_error);
    BOOST_CHECK_THROW(ww_turn_back(&t), std::logic_error);
    ww_turn_end(&t, g);
    ww_turn_back(&t);
}

BOOST_AUTO_TEST_CASE(the_checker_of_the_turn_finds_each_broken_rule)
{
    ww_turn t;
    ww_turn_init(&t);
    BOOST_TEST(ww_turn_check(&t) == nullptr);
    t.generation = 2;
    BOOST_TEST(ww_turn_check(&t) != nullptr);
    t.generation = 0;
    t.inside[1] = 1;
    BOOST_TEST(ww_turn_check(&t) != nullptr);
    t.open = true;
    BOOST_TEST(ww_turn_check(&t) == nullptr);
}

BOOST_AUTO_TEST_SUITE_END()
