/* SPDX-License-Identifier: MIT */
/* tb/kernels/dram_check_test.cpp - the invariants of a DRAM channel's blob, each broken once. */
#include "dram_rig.hpp"

#include "kernels/dram/dram_state.h"

#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>

namespace
{

constexpr bool R = false, W = true;

} // namespace

BOOST_AUTO_TEST_CASE(check_finds_each_broken_invariant)
{
    /* Bank 0 has waiting requests for two rows: slot 0 (row 1, group 0), slot 1 (row 2, group 1), slot 2 (row
     * 1). Slot 3 holds a write. */
    const std::pair<const char *, std::function<void(ww_dram *)>> breaks[] = {
        {"list is broken", [](ww_dram *d) { dram_slots(d)[1].prev = 2; }},
        {"list is broken", [](ww_dram *d) { dram_slots(d)[1].bank = 3; }},
        {"wants more column commands", [](ww_dram *d) { dram_slots(d)[1].bursts = 0; }},
        {"wants more column commands", [](ww_dram *d) { dram_slots(d)[1].bursts = 2; }},
        {"list is not in order", [](ww_dram *d) { dram_slots(d)[1].age = 0; }},
        {"in a group of another row", [](ww_dram *d) { dram_slots(d)[1].row = 1; }},
        {"in a group of another row", [](ww_dram *d) { dram_groups(d)[1].lane ^= 2; }},
        {"in a group of another row", [](ww_dram *d) { dram_groups(d)[1].lane ^= 1; }},
        {"tail is not its last", [](ww_dram *d) { d->bank[0].tail[0] = 0; }},
        {"group of the open row is another", [](ww_dram *d) { d->bank[0].open_group[0] = 1; }},
        {"group of the open row is another", [](ww_dram *d) { d->open_mask = 0; }},
        {"mask of banks with work", [](ww_dram *d) { d->work_mask[1] = 0; }},
        {"number of waiting", [](ww_dram *d) { d->waiting[0]++; }},
        {"number of waiting", [](ww_dram *d) { d->entries[0] = 1; }},
        {"in another bucket",
         [](ww_dram *d) {
             uint32_t i = dram_bucket(d, dram_lane(0, 0), 1);
             std::swap(dram_buckets(d)[i], dram_buckets(d)[i ^ 1]);
         }},
        {"group is not in order",
         [](ww_dram *d) { /* removes slot 1 from the list and swaps slots 2 and 0 in the group */
                          dram_groups(d)[0].head = 2;
                          dram_groups(d)[0].tail = 0;
                          dram_slots(d)[2].group_next = 0;
                          dram_slots(d)[0].group_next = NIL;
         }},
        {"holds a request of another",
         [](ww_dram *d) { dram_groups(d)[1].head = 0, dram_groups(d)[1].tail = 0; }},
        {"empty or its tail", [](ww_dram *d) { dram_groups(d)[1].head = NIL; }},
        {"empty or its tail", [](ww_dram *d) { dram_groups(d)[0].tail = 0; }},
        {"row hits are not known", [](ww_dram *d) { d->bank[0].open_group[0] = NIL; }},
        {"lost or counted twice", [](ww_dram *d) { d->free_slot = dram_slots(d)[d->free_slot].next; }},
        {"lost or counted twice", [](ww_dram *d) { d->forward_head = 4, dram_slots(d)[4].next = NIL; }},
        {"lost or counted twice",
         [](ww_dram *d) { dram_groups(d)[0].tail = 0, dram_slots(d)[0].group_next = NIL; }},
        {"drain wants more", [](ww_dram *d) { d->drain_left = 2; }},
        {"kept for a request that does not wait", [](ww_dram *d) { d->unserved[1] = 1; }},
        {"kept for a request that does not wait",
         [](ww_dram *d) { d->bank[0].row = 2, d->bank[0].open_group[0] = 1; }},
        {"does not fit", [](ww_dram *d) { d->candidate[0].kind = LIMIT_ACT; }},
        {"does not fit", [](ww_dram *d) { d->candidate[0].kind = LIMIT_WRITE; }},
        {"no step is due", [](ww_dram *d) { d->wake = WW_DRAM_NEVER; }},
    };
    for (const auto &b : breaks) {
        dram_rig rig(dram_quiet_cfg());
        rig.run({{0, R, dram_at(0, 0, 1)},
                 {0, R, dram_at(0, 0, 2)},
                 {0, R, dram_at(0, 0, 1, 1)},
                 {0, W, dram_at(0, 5, 1)}},
                5);
        BOOST_REQUIRE(!ww_dram_check(rig.d));
        b.second(rig.d);
        const char *broken = ww_dram_check(rig.d);
        BOOST_TEST((broken && std::string(broken).find(b.first) != std::string::npos),
                   "expected '" << b.first << "', found '" << (broken ? broken : "nothing") << "'");
    }
}

BOOST_AUTO_TEST_CASE(check_finds_a_row_that_would_be_closed_before_it_served_its_request)
{
    dram_rig rig(dram_quiet_cfg());
    rig.run({{0, W, dram_at(0, 0, 1)}, {3, R, dram_at(0, 0, 2)}}, 5); /* opened for the write; reads' turn */
    BOOST_REQUIRE(!ww_dram_check(rig.d));
    rig.d->candidate[0].kind = LIMIT_PRE;
    const char *broken = ww_dram_check(rig.d);
    BOOST_REQUIRE(broken);
    BOOST_TEST(std::string(broken).find("does not fit") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(check_allows_a_row_kept_for_the_rest_of_a_request)
{
    ww_dram_cfg cfg;
    ww_dram_cfg_gddr6(&cfg);
    dram_rig rig(cfg);
    /* Row 1 is open. A request for row 2 waits, and a younger one for row 1 has had its first burst. */
    rig.run({{0, R, dram_at(0, 0, 1)}, {60, R, dram_at(0, 0, 2)}, {60, R, dram_at(0, 0, 1, 1)}}, 62);
    BOOST_TEST(rig.count(WW_DRAM_RD) == 3U);
    BOOST_TEST(rig.log.back().event.id == 2U);
    BOOST_TEST(rig.log.back().event.done_cycle == 0U);
    BOOST_REQUIRE(!ww_dram_check(rig.d));
    dram_slots(rig.d)[dram_groups(rig.d)[rig.d->bank[0].open_group[0]].head].bursts = 2;
    const char *broken = ww_dram_check(rig.d);
    BOOST_REQUIRE(broken);
    BOOST_TEST(std::string(broken).find("kept for a request that does not wait") != std::string::npos);
}
