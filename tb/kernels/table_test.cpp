/* SPDX-License-Identifier: MIT */
/* What all kinds of table share: the word of a walk, names, checks of a kind's numbers, and a kind unlike a
 * radix table. */
#include <boost/test/unit_test.hpp>

#include "tb/kernels/table_fixture.hpp"

#include <stdexcept>
#include <string>

namespace
{
std::string text(const char *broken)
{
    return broken == nullptr ? "" : broken;
}

template <typename Change> std::string broken(Change change)
{
    ww_table_kind kind = two_step::kind;
    change(kind);
    return text(ww_table_kind_check(&kind));
}
} // namespace

BOOST_AUTO_TEST_CASE(acts_and_reasons_have_names)
{
    BOOST_TEST(std::string(ww_walk_act_name(WW_WALK_NONE)) == "NONE");
    BOOST_TEST(std::string(ww_walk_act_name(WW_WALK_FAULT)) == "FAULT");
    BOOST_CHECK_THROW(ww_walk_act_name(WW_WALK_ACT_COUNT), std::logic_error);
    BOOST_TEST(std::string(ww_walk_why_text(WW_WHY_REFUSED)) == "memory answered a read with an error");
    BOOST_CHECK_THROW(ww_walk_why_text(WW_WHY_COUNT), std::logic_error);
}

BOOST_AUTO_TEST_CASE(a_word_holds_a_walk)
{
    const uint64_t walk = ww_walk_reading(7, 6, WW_WALK_PA);
    BOOST_TEST(ww_walk_act(walk) == WW_WALK_READ);
    BOOST_TEST(ww_walk_step(walk) == 7u);
    BOOST_TEST(ww_walk_from(walk) == 6u);
    BOOST_TEST(ww_walk_pa(walk) == WW_WALK_PA);
    BOOST_CHECK_THROW(ww_walk_why(walk), std::logic_error);
    BOOST_CHECK_THROW(ww_walk_xlat(walk), std::logic_error);
    const ww_xlat x = {UINT64_C(0x8000000000000), 51, WW_PERM_ALL};
    const uint64_t done = ww_walk_done(walk, &x);
    const ww_xlat got = ww_walk_xlat(done);
    BOOST_TEST(ww_xlat_same(&got, &x));
    BOOST_TEST(ww_walk_step(done) == 7u);
    BOOST_TEST(ww_walk_from(done) == 6u);
    const uint64_t fault = ww_walk_fault(walk, WW_WHY_REFUSED);
    BOOST_TEST(ww_walk_why(fault) == WW_WHY_REFUSED);
    BOOST_TEST(ww_walk_step(fault) == 7u);
    BOOST_TEST(ww_walk_pa(fault) == WW_WALK_PA);
    BOOST_TEST(ww_walk_act(0) == WW_WALK_NONE);
    BOOST_CHECK_THROW(ww_walk_reading(0, 0, 0), std::logic_error);
    BOOST_CHECK_THROW(ww_walk_reading(8, 0, 0), std::logic_error);
    BOOST_CHECK_THROW(ww_walk_reading(1, 8, 0), std::logic_error);
    BOOST_CHECK_THROW(ww_walk_reading(1, 0, 8), std::logic_error);
}

BOOST_AUTO_TEST_CASE(only_a_walk_that_reads_reads)
{
    two_step::memory m;
    ww_walk_read read = {17, 18};
    const uint64_t fault = ww_walk_fault(ww_walk_reading(1, 0, 0x1000), WW_WHY_ABSENT);
    BOOST_TEST(ww_table_next(&m.table, fault, 0, &read) == WW_WALK_FAULT);
    BOOST_TEST(ww_table_next(&m.table, 0, 0, &read) == WW_WALK_NONE);
    BOOST_TEST(read.pa == 17u);
    BOOST_CHECK_THROW(ww_table_feed(&m.table, fault, 0, m.words.data()), std::logic_error);
}

BOOST_AUTO_TEST_CASE(an_error_of_memory_ends_the_walk)
{
    two_step::memory m;
    const uint64_t walk = ww_table_feed(&m.table, ww_table_start(&m.table, 0), 0, nullptr);
    BOOST_TEST(ww_walk_why(walk) == WW_WHY_REFUSED);
}

BOOST_AUTO_TEST_CASE(two_steps_of_16_byte_entries_walk)
{
    two_step::memory m(1024);
    m.map(0x12345000, 0xabc000);
    m.map_large(0x20000000, 0x40000000);
    const uint64_t page = m.whole(0x12345678);
    const ww_xlat x = ww_walk_xlat(page);
    BOOST_TEST(ww_xlat_pa(&x, 0x12345678) == 0xabc678u);
    BOOST_TEST(ww_walk_step(page) == 2u);
    const uint64_t large = m.whole(0x20012345);
    const ww_xlat y = ww_walk_xlat(large);
    BOOST_TEST(ww_xlat_pa(&y, 0x20012345) == 0x40012345u);
    BOOST_TEST(ww_walk_step(large) == 1u);
    BOOST_TEST(ww_walk_why(m.whole(0x12346000)) == WW_WHY_ABSENT);
    BOOST_TEST(ww_walk_why(m.whole(0x50000000)) == WW_WHY_ADDRESS); /* beyond the register's bound */
    m.word(two_step::memory::base_pa + 8) = 1;
    m.word(two_step::memory::base_pa) = 5;
    BOOST_TEST(ww_walk_why(m.whole(0)) == WW_WHY_MALFORMED);
}

BOOST_AUTO_TEST_CASE(nearness_and_neighbours_are_the_kinds)
{
    const uint64_t first = ww_walk_reading(1, 0, 0), second = ww_walk_reading(2, 1, 0);
    BOOST_TEST(ww_table_nearer(&two_step::kind, second, first));
    BOOST_TEST(!ww_table_nearer(&two_step::kind, first, second));
    BOOST_TEST(!ww_table_nearer(&two_step::kind, first, first));
    BOOST_TEST(ww_table_nearer(&ww_radix4, first, second)); /* its steps count down */
    BOOST_TEST(ww_table_reads_left(&two_step::kind, first) == 2u);
    BOOST_TEST(ww_table_neighbours(&two_step::kind, 0, 0x3fff, 2));
    BOOST_TEST(!ww_table_neighbours(&two_step::kind, 0, 0x4000, 2));
    BOOST_TEST(ww_table_neighbours(&two_step::kind, 0, 0x3fffff, 1));
    BOOST_TEST(ww_table_vpn_bits(&two_step::kind) == 20u);
    BOOST_TEST(ww_table_step_bits(&two_step::kind) == 2u);
    BOOST_TEST(ww_table_walk_bits(&two_step::kind) == 42u);
}

BOOST_AUTO_TEST_CASE(the_check_of_a_kind_names_what_contradicts)
{
    BOOST_TEST(broken([](auto &) {}) == "");
    const char *steps = "the steps are not 1 to 7, the last one of them";
    BOOST_TEST(broken([](auto &k) { k.steps = 0; }) == steps);
    BOOST_TEST(broken([](auto &k) { k.steps = 8; }) == steps);
    BOOST_TEST(broken([](auto &k) { k.last = 0; }) == steps);
    BOOST_TEST(broken([](auto &k) { k.last = 3; }) == steps);
    BOOST_TEST(broken([](auto &k) { k.va_bits = 58; }) == "the addresses are too wide");
    BOOST_TEST(broken([](auto &k) { k.step_name[2] = nullptr; }) == "a step has no name");
    const char *far = "an entry reaches farther than its line, or a line farther than the addresses";
    BOOST_TEST(broken([](auto &k) { k.reach[1] = 23; }) == far);
    BOOST_TEST(broken([](auto &k) { k.va_bits = 21; }) == far);
    BOOST_TEST(broken([](auto &k) { k.left[2] = 0; }) == "a step has no read left, not even its own");
    const char *sharing = "the last step shares nothing, or what is cached of the walk is no step before it";
    BOOST_TEST(broken([](auto &k) { k.alone = 1 << 2; }) == sharing);
    BOOST_TEST(broken([](auto &k) { k.direct = 2; }) == sharing);
    BOOST_TEST(broken([](auto &k) { k.direct = 3; }) == sharing);
    BOOST_TEST(broken([](auto &k) { k.direct = 1; }) == "");
    const char *order = "a step is not before the last one";
    BOOST_TEST(broken([](auto &k) { k.left[2] = 2; }) == order);
    BOOST_TEST(broken([](auto &k) { k.alone = 1 << 1, k.left[1] = 1; }) == ""); /* it may follow */
    BOOST_TEST(broken([](auto &k) { k.left[1] = 1; }) == order);
    BOOST_TEST(broken([](auto &k) { k.reach[1] = 11; }) == order);
    BOOST_TEST(broken([](auto &k) {
                   k.shift[1] = 14;
                   k.reach[1] = 14;
               }) == order);
}

BOOST_AUTO_TEST_CASE(the_check_of_a_walk_names_what_contradicts)
{
    const auto check = [](uint64_t walk) { return text(ww_table_walk_check(&two_step::kind, walk)); };
    BOOST_TEST(check(ww_walk_reading(1, 0, 0)) == "");
    BOOST_TEST(check(ww_walk_reading(2, 1, 0)) == "");
    BOOST_TEST(check(0) == "the walk does not read");
    BOOST_TEST(check(ww_walk_reading(3, 1, 0)) == "a step of the walk does not exist");
    BOOST_TEST(check(ww_walk_reading(2, 3, 0)) == "a step of the walk does not exist");
    BOOST_TEST(check(ww_walk_reading(1, 2, 0)) == "the walk does not come nearer");
    BOOST_TEST(check(ww_walk_reading(1, 1, 0)) == "the walk does not come nearer");
    ww_table_kind several = two_step::kind; /* several reads per step */
    several.over = WW_BITS64(59, 58);
    const auto of_several = [&](uint64_t over) {
        const uint64_t walk = ww_walk_reading(1, 0, 0) | over << 58;
        return text(ww_table_walk_check(&several, walk)) + " " +
               std::to_string(ww_table_reads_left(&several, walk));
    };
    BOOST_TEST(of_several(0) == " 2");
    BOOST_TEST(of_several(1) == " 1");
    BOOST_TEST(of_several(2) == "the walk has done more reads than its step has 0");
}
