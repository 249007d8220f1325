/* SPDX-License-Identifier: MIT */
/* tb/kernels/dram_test.cpp - one DRAM channel: the scheduling rules one by one, queues, row policy, snapshot
 * and broken contracts. dram_timing_test.cpp tests timing, dram_setup_test.cpp configurations,
 * dram_check_test.cpp invariants. */
#include "dram_rig.hpp"

#include "kernels/dram/dram_state.h"

#include <cstring>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>

namespace
{

constexpr bool R = false, W = true;

} // namespace

BOOST_AUTO_TEST_CASE(row_hits_pass_older_requests_and_keep_the_row)
{
    dram_rig rig(dram_quiet_cfg());
    rig.run({{0, R, dram_at(0, 0, 1, 0)},
             {0, R, dram_at(0, 0, 2, 0)},
             {0, R, dram_at(0, 0, 1, 1)},
             {30, R, dram_at(0, 0, 1, 2)}},
            200);
    BOOST_TEST(rig.done(2) < rig.done(1));
    BOOST_TEST(rig.find(WW_DRAM_PRE).cycle == 29U); /* no hit is left: closed as soon as tRAS allows */
    BOOST_TEST(rig.done(3) > rig.done(1));          /* it arrives too late for the open row */
    BOOST_TEST(rig.count(WW_DRAM_ACT) == 3U);
}

BOOST_AUTO_TEST_CASE(oldest_request_activates_first)
{
    dram_rig rig(dram_quiet_cfg());
    rig.run({{0, R, dram_at(0, 5, 1)}, {0, R, dram_at(0, 2, 1)}, {0, R, dram_at(1, 0, 1)}}, 100);
    BOOST_TEST(rig.find(WW_DRAM_ACT, 0).event.bank == 5U);
    BOOST_TEST(rig.find(WW_DRAM_ACT, 1).event.rank == 1U); /* bank 2 still waits for tRRD */
    BOOST_TEST(rig.find(WW_DRAM_ACT, 2).event.bank == 2U);
}

BOOST_AUTO_TEST_CASE(hit_cap_bounds_how_often_a_request_is_passed)
{
    auto hits_before = [](uint32_t cap) {
        ww_dram_cfg cfg = dram_quiet_cfg();
        cfg.hit_cap = cap;
        dram_rig rig(cfg);
        BOOST_REQUIRE(rig.put(R, dram_at(0, 0, 1), 1));
        BOOST_REQUIRE(rig.put(R, dram_at(0, 0, 2), 1000));
        for (uint32_t id = 2, col = 0; id < 500; rig.tick())
            if (ww_dram_can_enqueue(rig.d, R))
                rig.must_put(R, dram_at(0, 0, 1, col++ % 128), id++);
        rig.run_to(rig.now + 1000);
        size_t hits = 0;
        for (const dram_entry &e : rig.log) {
            if (e.event.cmd == WW_DRAM_RD && e.event.id == 1000)
                break;
            hits += e.event.cmd == WW_DRAM_RD;
        }
        return hits;
    };
    BOOST_TEST(hits_before(4) == 4U);
    BOOST_TEST(hits_before(64) == 64U);
    BOOST_TEST(hits_before(0) == 499U);
}

BOOST_AUTO_TEST_CASE(full_queues_refuse_and_take_again_after_the_column_command)
{
    for (uint32_t n : {1U, 5U}) {
        ww_dram_cfg cfg = dram_quiet_cfg();
        cfg.read_entries = n;
        cfg.write_entries = n + 1;
        cfg.write_high = 1;
        cfg.write_low = 0;
        dram_rig rig(cfg);
        for (uint32_t i = 0; i < n; i++)
            BOOST_TEST(rig.put(R, dram_at(0, 0, 1, i), i));
        BOOST_TEST(!ww_dram_can_enqueue(rig.d, R));
        BOOST_TEST(!rig.put(R, dram_at(0, 0, 1), 90));
        for (uint32_t i = 0; i < n + 1; i++)
            BOOST_TEST(rig.put(W, dram_at(0, 1, 1, i), 50 + i));
        BOOST_TEST(!rig.put(W, dram_at(0, 1, 1), 91));
        BOOST_TEST(ww_dram_waiting(rig.d, R) == n);
        BOOST_TEST(ww_dram_waiting(rig.d, W) == n + 1);
        while (!rig.count(WW_DRAM_RD)) {
            BOOST_TEST(!ww_dram_can_enqueue(rig.d, R));
            rig.tick();
        }
        BOOST_TEST(rig.put(R, dram_at(0, 0, 1), 92));
        rig.run_to(500);
        BOOST_TEST(rig.done(92) > 0U);
    }
}

BOOST_AUTO_TEST_CASE(writes_wait_for_reads_until_the_high_mark_and_drain_to_the_low_mark)
{
    /* Reads of one row never end; 12 writes to another bank arrive at once. Returns how many writes are
     * served in one drain. */
    auto first_drain = [](uint32_t high, uint32_t low) {
        ww_dram_cfg cfg = dram_quiet_cfg();
        cfg.write_high = high;
        cfg.write_low = low;
        dram_rig rig(cfg);
        uint32_t id = 0, col = 0;
        for (; rig.now < 1000; rig.tick()) {
            if (ww_dram_waiting(rig.d, R) < 8)
                rig.must_put(R, dram_at(0, 0, 1, col++ % 128), id++);
            if (rig.now == 100)
                for (uint32_t i = 0; i < 12; i++)
                    BOOST_REQUIRE(rig.put(W, dram_at(0, 1, 1, i), 5000 + i));
        }
        size_t writes = 0;
        for (const dram_entry &e : rig.log) {
            if (writes && e.event.cmd == WW_DRAM_RD)
                break;
            writes += e.event.cmd == WW_DRAM_WR;
        }
        return writes;
    };
    BOOST_TEST(first_drain(13, 2) == 0U); /* below the high mark */
    BOOST_TEST(first_drain(12, 2) == 10U);
    BOOST_TEST(first_drain(12, 5) == 7U);
    BOOST_TEST(first_drain(4, 1) == 11U - 8U); /* the drain starts when the fourth write arrives */
}

BOOST_AUTO_TEST_CASE(reads_get_their_turn_between_drains)
{
    ww_dram_cfg cfg = dram_quiet_cfg();
    cfg.write_high = 8;
    cfg.write_low = 4;
    dram_rig rig(cfg);
    uint32_t id = 0, col = 0;
    for (; rig.now < 2000; rig.tick()) { /* offers more of both than the bus can carry */
        while (ww_dram_can_enqueue(rig.d, W))
            rig.must_put(W, dram_at(0, 1, 1, col++ % 64), id++);
        while (ww_dram_can_enqueue(rig.d, R))
            rig.must_put(R, dram_at(0, 0, 1, col++ % 64), id++);
    }
    size_t run = 0;
    for (const dram_entry &e : rig.log) {
        run = e.event.cmd == WW_DRAM_WR ? run + 1 : e.event.cmd == WW_DRAM_RD ? 0 : run;
        BOOST_TEST(run <= 28U); /* the queue was full when the first drain started: 32 - 4 */
    }
    BOOST_TEST(rig.count(WW_DRAM_RD) > 20U);
    BOOST_TEST(rig.count(WW_DRAM_WR) > 100U);
}

namespace
{

/* The commands of one bank of rank 0, as in "ACT WR PRE ...". */
std::string commands_of(const dram_rig &rig, uint32_t bank)
{
    std::string all;
    for (const dram_entry &e : rig.log)
        if (e.event.bank == bank)
            all += std::string(all.empty() ? "" : " ") + ww_dram_cmd_name(ww_dram_cmd(e.event.cmd));
    return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_row_serves_the_request_it_was_opened_for_before_the_other_direction_closes_it)
{
    ww_dram_cfg cfg = dram_quiet_cfg();
    cfg.write_high = 1;
    cfg.write_low = 0; /* a write is drained at once */
    dram_rig to_write(cfg);
    to_write.run({{0, R, dram_at(0, 0, 1)}, {3, W, dram_at(0, 0, 2)}}, 200);
    BOOST_TEST(commands_of(to_write, 0) == "ACT RD PRE ACT WR");

    dram_rig to_read(dram_quiet_cfg());
    to_read.run({{0, W, dram_at(0, 0, 1)}, {3, R, dram_at(0, 0, 2)}}, 200);
    BOOST_TEST(commands_of(to_read, 0) == "ACT WR PRE ACT RD");

    /* The open row also serves a hit of the other direction, but is not reserved for it. */
    dram_rig both(dram_quiet_cfg());
    both.run({{0, W, dram_at(0, 0, 1)}, {3, R, dram_at(0, 0, 1, 5)}, {3, R, dram_at(0, 0, 2)}}, 200);
    BOOST_TEST(commands_of(both, 0) == "ACT WR RD PRE ACT RD");
}

BOOST_AUTO_TEST_CASE(the_turn_waits_for_open_rows_only_and_other_banks_open_theirs_meanwhile)
{
    dram_rig rig(dram_quiet_cfg());
    rig.run({{0, R, dram_at(0, 1, 1)},      /* opens a row of bank 1 */
             {100, W, dram_at(0, 0, 1)},    /* activated at 101, served at 112 */
             {100, W, dram_at(0, 0, 2)},    /* not activated yet: the turn does not wait for it */
             {103, R, dram_at(0, 1, 1, 1)}, /* a hit, but served after the write */
             {103, R, dram_at(0, 2, 1)}},   /* its row opens in the meantime */
            400);
    BOOST_TEST(rig.find(WW_DRAM_WR, 0).cycle == 112U);
    BOOST_TEST(rig.find(WW_DRAM_ACT, 2).cycle == 106U);            /* RRD after that of the write */
    BOOST_TEST(rig.find(WW_DRAM_RD, 1).cycle == 112U + 8 + 4 + 6); /* CWL + BURST + WTR */
    BOOST_TEST(rig.find(WW_DRAM_RD, 2).cycle == rig.find(WW_DRAM_RD, 1).cycle + 4);
    BOOST_TEST(rig.find(WW_DRAM_WR, 1).cycle > rig.find(WW_DRAM_RD, 2).cycle);
}

BOOST_AUTO_TEST_CASE(a_refresh_that_holds_a_rank_back_already_is_none_of_idle_times)
{
    ww_dram_cfg cfg = dram_quiet_cfg();
    cfg.timing.refi_cycles = 1000; /* the refresh of rank 0 is due at 500 */
    dram_rig rig(cfg);
    rig.run({{480, R, dram_at(0, 0, 1)},  /* activated at 481: may be closed at 509, RAS later */
             {489, R, dram_at(1, 0, 1)}}, /* read at 501, while rank 0 is held for its refresh */
            504);
    BOOST_REQUIRE(rig.count(WW_DRAM_RD) == 2U); /* no request waits */
    uint64_t cycle = 0;
    ww_dram_event event;
    BOOST_TEST(!ww_dram_idle_refresh(rig.d, 504, &cycle, &event));
    rig.run_to(700);
    BOOST_TEST(rig.find(WW_DRAM_PREA).cycle == 509U);
    BOOST_TEST(rig.find(WW_DRAM_REF).cycle == 520U); /* RP later */
}

BOOST_AUTO_TEST_CASE(a_refresh_ends_the_wait_of_a_turn)
{
    ww_dram_cfg cfg = dram_quiet_cfg();
    cfg.timing.refi_cycles = 1000; /* refreshes are due at 500 (rank 0) and 1000 (rank 1) */
    dram_rig rig(cfg);
    rig.run({{480, R, dram_at(1, 0, 1)},     /* opens a row of rank 1 */
             {494, W, dram_at(0, 0, 1)},     /* activated at 495: would be served at 506 */
             {498, R, dram_at(1, 0, 1, 1)}}, /* waits for that write until the refresh of rank 0 */
            499);
    BOOST_TEST(rig.count(WW_DRAM_RD) == 1U);
    rig.run_to(1900);
    BOOST_TEST(rig.find(WW_DRAM_RD, 1).cycle == 500U);
    BOOST_TEST(rig.find(WW_DRAM_ACT, 2).cycle >
               rig.find(WW_DRAM_REF).cycle); /* closed before it was served, then opened again */
    BOOST_TEST(rig.count(WW_DRAM_WR) == 1U);
}

BOOST_AUTO_TEST_CASE(without_refresh_every_activation_serves_a_request_in_random_mixed_traffic)
{
    std::mt19937_64 rng(5);
    for (uint32_t high : {24U, 6U, 1U}) {
        ww_dram_cfg cfg = dram_quiet_cfg();
        cfg.write_high = high;
        cfg.write_low = high / 3;
        dram_rig rig(cfg);
        for (uint32_t id = 0; rig.now < 20000 || ww_dram_waiting(rig.d, R) + ww_dram_waiting(rig.d, W);
             rig.tick())
            if (rig.now < 20000 && rng() % 8 == 0)
                id += rig.put(rng() % 10 < 3 ? W : R,
                              dram_at(uint32_t(rng() % 2), uint32_t(rng() % 8), uint32_t(rng() % 4000)), id);
        ww_dram_activity a;
        ww_dram_activity_at(rig.d, rig.now, &a);
        BOOST_TEST(a.writes > 300U);
        BOOST_TEST(a.acts == a.reads + a.writes - a.row_hits);
    }
}

BOOST_AUTO_TEST_CASE(read_of_a_waiting_write_is_forwarded)
{
    ww_dram_cfg cfg = dram_quiet_cfg();
    dram_rig rig(cfg);
    BOOST_REQUIRE(rig.put(W, dram_at(0, 0, 1, 3), 1));
    BOOST_REQUIRE(rig.put(W, dram_at(0, 0, 1, 4), 2));
    BOOST_REQUIRE(rig.put(R, dram_at(0, 0, 1, 4), 3));
    BOOST_REQUIRE(rig.put(R, dram_at(0, 0, 1, 3), 4));
    BOOST_REQUIRE(rig.put(R, dram_at(0, 0, 1, 5), 5)); /* same row, other line */
    BOOST_REQUIRE(rig.put(R, dram_at(0, 0, 2, 4), 6)); /* other row */
    BOOST_REQUIRE(rig.put(R, dram_at(0, 1, 1, 4), 7)); /* other bank */
    rig.run_to(300);
    BOOST_TEST(rig.find(WW_DRAM_FORWARD, 0).event.id == 3U);
    BOOST_TEST(rig.find(WW_DRAM_FORWARD, 0).cycle == 1U);
    BOOST_TEST(rig.find(WW_DRAM_FORWARD, 1).event.id == 4U);
    BOOST_TEST(rig.find(WW_DRAM_FORWARD, 1).cycle == 2U);
    BOOST_TEST(rig.find(WW_DRAM_FORWARD, 0).event.done_cycle == 2U);
    BOOST_TEST(rig.count(WW_DRAM_FORWARD) == 2U);
    BOOST_TEST(rig.count(WW_DRAM_RD) == 3U);
    BOOST_TEST(rig.count(WW_DRAM_WR) == 2U);
    ww_dram_activity a;
    ww_dram_activity_at(rig.d, rig.now, &a);
    BOOST_TEST(a.forwards == 2U);
}

BOOST_AUTO_TEST_CASE(closed_rows_precharge_with_the_last_hit)
{
    for (bool closed : {false, true}) {
        ww_dram_cfg cfg = dram_quiet_cfg();
        cfg.row_policy = closed ? WW_DRAM_ROW_CLOSED : WW_DRAM_ROW_OPEN;
        dram_rig rig(cfg);
        rig.run({{0, R, dram_at(0, 0, 1, 0)}, {0, R, dram_at(0, 0, 1, 1)}, {100, R, dram_at(0, 0, 2)}}, 200);
        BOOST_TEST(!rig.find(WW_DRAM_RD, 0).event.precharge);
        BOOST_TEST(rig.find(WW_DRAM_RD, 1).event.precharge == closed);
        BOOST_TEST(rig.count(WW_DRAM_PRE) == (closed ? 0U : 1U));
        BOOST_TEST(rig.done(2) - 100 == (closed ? 27U : 38U));
        ww_dram_activity a;
        ww_dram_activity_at(rig.d, rig.now, &a);
        if (closed) /* open from 1 to 29, and from 101 to 129 for request 2 */
            BOOST_TEST(a.open_cycles == 28U + 28U);
    }
}

BOOST_AUTO_TEST_CASE(closed_row_waits_for_hits_of_the_other_direction)
{
    ww_dram_cfg cfg = dram_quiet_cfg();
    cfg.row_policy = WW_DRAM_ROW_CLOSED;
    dram_rig rig(cfg);
    rig.run({{0, R, dram_at(0, 0, 1, 0)}, {0, W, dram_at(0, 0, 1, 1)}}, 100);
    BOOST_TEST(!rig.find(WW_DRAM_RD).event.precharge);
    BOOST_TEST(rig.find(WW_DRAM_WR).event.precharge);
    BOOST_TEST(rig.count(WW_DRAM_ACT) == 1U);
}

BOOST_AUTO_TEST_CASE(ranks_and_banks_are_independent_rows)
{
    for (uint32_t banks : {1U, 8U}) {
        ww_dram_cfg cfg = dram_quiet_cfg();
        cfg.banks = banks;
        cfg.ranks = banks == 1 ? 1 : 2;
        dram_rig rig(cfg);
        uint32_t last = banks - 1, rank = cfg.ranks - 1;
        rig.run({{0, R, dram_at(0, 0, 1)}, {100, R, dram_at(rank, last, 2)}, {200, R, dram_at(0, 0, 1)}},
                300);
        BOOST_TEST(rig.done(2) - 200 == (banks == 1 ? 38U : 16U));
    }
}

BOOST_AUTO_TEST_CASE(late_and_early_steps_do_no_harm)
{
    dram_rig rig(dram_quiet_cfg());
    ww_dram_event e;
    BOOST_REQUIRE(rig.put(R, dram_at(0, 0, 1), 1));
    BOOST_TEST(ww_dram_step(rig.d, 0, &e) == 1U);
    BOOST_TEST(e.cmd == WW_DRAM_NONE);
    BOOST_TEST(ww_dram_step(rig.d, 50, &e) == 61U);
    BOOST_TEST(e.cmd == WW_DRAM_ACT);
    BOOST_TEST(ww_dram_step(rig.d, 50, &e) == 61U); /* called again in the same cycle */
    BOOST_TEST(e.cmd == WW_DRAM_NONE);
    BOOST_TEST(ww_dram_step(rig.d, 61, &e) == WW_DRAM_NEVER);
    BOOST_TEST(e.cmd == WW_DRAM_RD);
    BOOST_TEST(e.done_cycle == 61U + 15);
}

BOOST_AUTO_TEST_CASE(snapshot_is_a_memcpy)
{
    ww_dram_cfg cfg = dram_quiet_cfg();
    dram_rig a(cfg), b(cfg);
    for (uint32_t i = 0; i < 20; i++)
        BOOST_REQUIRE(a.put(i % 3 == 0, dram_at(i % 2, i % 5, i % 4), i));
    a.run_to(40);
    std::memcpy(b.d, a.d, a.blob.bytes);
    b.now = a.now;
    a.log.clear();
    a.run_to(600);
    b.run_to(600);
    BOOST_REQUIRE_EQUAL(a.log.size(), b.log.size());
    for (size_t i = 0; i < a.log.size(); i++)
        BOOST_TEST((a.log[i].cycle == b.log[i].cycle && a.log[i].event.id == b.log[i].event.id));
}

BOOST_AUTO_TEST_CASE(broken_contracts_are_caught)
{
    dram_rig rig(dram_quiet_cfg());
    ww_dram_event e;
    ww_dram_activity a;
    uint32_t row;
    rig.run_to(10);
    ww_dram_loc rank = dram_at(2, 0, 0), bank = dram_at(0, 8, 0), fine = dram_at(0, 0, 0);
    BOOST_CHECK_THROW(ww_dram_enqueue(rig.d, &rank, R, 0, 10), std::logic_error);
    BOOST_CHECK_THROW(ww_dram_enqueue(rig.d, &bank, R, 0, 10), std::logic_error);
    BOOST_CHECK_THROW(ww_dram_enqueue(rig.d, &fine, R, 0, 8), std::logic_error);
    BOOST_CHECK_THROW(ww_dram_step(rig.d, 8, &e), std::logic_error);
    BOOST_CHECK_THROW(ww_dram_activity_at(rig.d, 8, &a), std::logic_error);
    BOOST_CHECK_THROW(ww_dram_open_row(rig.d, 2, 0, &row), std::logic_error);
    BOOST_CHECK_THROW(ww_dram_earliest(rig.d, WW_DRAM_ACT, 2, 0), std::logic_error);
    BOOST_CHECK_THROW(ww_dram_earliest(rig.d, WW_DRAM_ACT, 0, 8), std::logic_error);
    BOOST_TEST(ww_dram_cmd_name(WW_DRAM_PREA) == std::string("PREA"));
}
