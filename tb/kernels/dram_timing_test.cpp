/* SPDX-License-Identifier: MIT */
/* Tests of one DRAM channel: each timing constraint at t-1 and t, the effect of each parameter, the
 * scheduling rules one by one, refresh, and the numbers on which public simulators agree. */
#include "dram_rig.hpp"

#include <functional>

namespace
{

constexpr bool R = false, W = true;

using traffic = std::vector<dram_arrival>;

/* Traffic in which exactly one constraint, by its value, delays the n-th command of a kind. */
struct timing_row {
    const char *name;
    uint32_t ww_dram_timing::*field;
    uint32_t value; /* 0: as in DDR3-1600 */
    traffic arrivals;
    ww_dram_cmd cmd;
    size_t nth;
    uint64_t cycle;
};

using t = ww_dram_timing;

/* Traffic that several rows use. */
const traffic one_read = {{0, R, dram_at(0, 0, 1)}};
const traffic two_rows = {{0, R, dram_at(0, 0, 1)}, {0, R, dram_at(0, 0, 2)}};
const traffic another_row_later = {{0, R, dram_at(0, 0, 1)}, {99, R, dram_at(0, 0, 2)}};
const traffic two_columns = {{0, R, dram_at(0, 0, 1)}, {0, R, dram_at(0, 0, 1, 1)}};
const traffic two_banks = {{0, R, dram_at(0, 0, 1)}, {0, R, dram_at(0, 1, 1)}};
const traffic five_banks = {{0, R, dram_at(0, 0, 1)},
                            {0, R, dram_at(0, 1, 1)},
                            {0, R, dram_at(0, 2, 1)},
                            {0, R, dram_at(0, 3, 1)},
                            {0, R, dram_at(0, 4, 1)}};
const traffic two_ranks = {{0, R, dram_at(0, 0, 1)}, {0, R, dram_at(1, 0, 1)}};
const traffic write_after_read = {{0, R, dram_at(0, 0, 1)}, {1, W, dram_at(0, 0, 1, 1)}};
const traffic read_after_write = {{0, W, dram_at(0, 0, 1)}, {20, R, dram_at(0, 0, 1, 1)}};
const traffic another_row_after_write = {{0, W, dram_at(0, 0, 1)}, {20, R, dram_at(0, 0, 2)}};

/* Bank groups and bursts of GDDR6: banks 0 and 4 share a group, bank 1 is in another. A request needs two
 * column commands, so the third belongs to another request. */
const traffic same_group = {{0, R, dram_at(0, 0, 1)}, {0, R, dram_at(0, 4, 1)}};
const traffic other_group = {{0, R, dram_at(0, 0, 1)}, {0, R, dram_at(0, 1, 1)}};
const traffic same_group_open = {{0, R, dram_at(0, 0, 1)},
                                 {0, R, dram_at(0, 4, 1)},
                                 {199, R, dram_at(0, 0, 1)},
                                 {199, R, dram_at(0, 4, 1)}};
const traffic other_group_open = {{0, R, dram_at(0, 0, 1)},
                                  {0, R, dram_at(0, 1, 1)},
                                  {199, R, dram_at(0, 0, 1)},
                                  {199, R, dram_at(0, 1, 1)}};
const traffic write_then_read_same = {
    {0, R, dram_at(0, 4, 1)}, {99, W, dram_at(0, 0, 1)}, {117, R, dram_at(0, 4, 1)}};
const traffic write_then_read_other = {
    {0, R, dram_at(0, 1, 1)}, {99, W, dram_at(0, 0, 1)}, {117, R, dram_at(0, 1, 1)}};

const timing_row gddr6_rows[] = {
    {"tRCD read", &t::rcd_cycles, 0, one_read, WW_DRAM_RD, 0, 1 + 27},
    {"tRCD read, beside writes' own", &t::rcd_write_cycles, 60, one_read, WW_DRAM_RD, 0, 1 + 27},
    {"tRCD write", &t::rcd_write_cycles, 0, {{0, W, dram_at(0, 0, 1)}}, WW_DRAM_WR, 0, 1 + 16},
    {"tRCD write", &t::rcd_write_cycles, 19, {{0, W, dram_at(0, 0, 1)}}, WW_DRAM_WR, 0, 1 + 19},
    {"second burst of a line", &t::ccd_group_cycles, 0, one_read, WW_DRAM_RD, 1, 28 + 4},
    {"second burst of a line", &t::ccd_group_cycles, 7, one_read, WW_DRAM_RD, 1, 28 + 7},
    {"second burst, shorter group gap", &t::ccd_group_cycles, 1, one_read, WW_DRAM_RD, 1, 28 + 2},
    {"tRRD same group", &t::rrd_group_cycles, 13, same_group, WW_DRAM_ACT, 1, 1 + 13},
    {"tRRD same group, not shorter", &t::rrd_group_cycles, 3, same_group, WW_DRAM_ACT, 1, 1 + 8},
    {"tRRD other group", &t::rrd_group_cycles, 13, other_group, WW_DRAM_ACT, 1, 1 + 8},
    {"tRRD same group, one between",
     &t::rrd_group_cycles,
     20,
     {{0, R, dram_at(0, 0, 1)}, {0, R, dram_at(0, 1, 1)}, {0, R, dram_at(0, 4, 1)}},
     WW_DRAM_ACT,
     2,
     1 + 20},
    {"tCCD same group", &t::ccd_group_cycles, 0, same_group_open, WW_DRAM_RD, 6, 200 + 2 * 4},
    {"tCCD other group", &t::ccd_group_cycles, 6, other_group_open, WW_DRAM_RD, 5, 200 + 2},
    {"tCCD other group", &t::ccd_cycles, 3, other_group_open, WW_DRAM_RD, 5, 200 + 3},
    {"tWTR same group", &t::wtr_group_cycles, 0, write_then_read_same, WW_DRAM_RD, 2, 120 + 6 + 2 + 11},
    {"tWTR same group", &t::wtr_group_cycles, 20, write_then_read_same, WW_DRAM_RD, 2, 120 + 6 + 2 + 20},
    {"tWTR other group", &t::wtr_group_cycles, 20, write_then_read_other, WW_DRAM_RD, 2, 120 + 6 + 2 + 9},
};

const timing_row timing_rows[] = {
    {"tRCD read", &t::rcd_cycles, 0, one_read, WW_DRAM_RD, 0, 1 + 11},
    {"tRCD read", &t::rcd_cycles, 13, one_read, WW_DRAM_RD, 0, 1 + 13},
    {"tRCD write", &t::rcd_cycles, 13, {{0, W, dram_at(0, 0, 1)}}, WW_DRAM_WR, 0, 1 + 13},
    {"tRP", &t::rp_cycles, 0, another_row_later, WW_DRAM_ACT, 1, 100 + 11},
    {"tRP", &t::rp_cycles, 17, another_row_later, WW_DRAM_ACT, 1, 100 + 17},
    {"tRAS", &t::ras_cycles, 0, two_rows, WW_DRAM_PRE, 0, 1 + 28},
    {"tRAS", &t::ras_cycles, 35, two_rows, WW_DRAM_PRE, 0, 1 + 35},
    {"tRC", &t::rc_cycles, 0, two_rows, WW_DRAM_ACT, 1, 1 + 39},
    {"tRC", &t::rc_cycles, 50, two_rows, WW_DRAM_ACT, 1, 1 + 50},
    {"tRTP",
     &t::rtp_cycles,
     0,
     {{0, R, dram_at(0, 0, 1)}, {49, R, dram_at(0, 0, 1)}, {50, R, dram_at(0, 0, 2)}},
     WW_DRAM_PRE,
     0,
     50 + 6},
    {"tRTP", &t::rtp_cycles, 40, two_rows, WW_DRAM_PRE, 0, 12 + 40},
    {"tRRD", &t::rrd_cycles, 0, two_banks, WW_DRAM_ACT, 1, 1 + 5},
    {"tRRD", &t::rrd_cycles, 9, two_banks, WW_DRAM_ACT, 1, 1 + 9},
    {"tRRD, other rank",
     &t::rrd_cycles,
     9,
     {{0, R, dram_at(0, 0, 1)}, {0, R, dram_at(1, 1, 1)}},
     WW_DRAM_ACT,
     1,
     2},
    {"tFAW", &t::faw_cycles, 0, five_banks, WW_DRAM_ACT, 4, 1 + 24},
    {"tFAW", &t::faw_cycles, 30, five_banks, WW_DRAM_ACT, 4, 1 + 30},
    {"tFAW, four only",
     &t::faw_cycles,
     30,
     {{0, R, dram_at(0, 0, 1)}, {0, R, dram_at(0, 1, 1)}, {0, R, dram_at(0, 2, 1)}, {0, R, dram_at(0, 3, 1)}},
     WW_DRAM_ACT,
     3,
     1 + 3 * 5},
    {"tCCD", &t::ccd_cycles, 0, two_columns, WW_DRAM_RD, 1, 12 + 4},
    {"tCCD", &t::ccd_cycles, 7, two_columns, WW_DRAM_RD, 1, 12 + 7},
    {"tCCD writes",
     &t::ccd_cycles,
     7,
     {{0, W, dram_at(0, 0, 1)}, {0, W, dram_at(0, 0, 1, 1)}},
     WW_DRAM_WR,
     1,
     12 + 7},
    {"tCCD read to write", &t::ccd_cycles, 15, write_after_read, WW_DRAM_WR, 0, 12 + 15},
    {"tCCD write to read", &t::ccd_cycles, 25, read_after_write, WW_DRAM_RD, 0, 12 + 25},
    {"burst", &t::burst_cycles, 8, two_columns, WW_DRAM_RD, 1, 12 + 8},
    {"tWR", &t::wr_cycles, 0, another_row_after_write, WW_DRAM_PRE, 0, 12 + 8 + 4 + 12},
    {"tWR", &t::wr_cycles, 20, another_row_after_write, WW_DRAM_PRE, 0, 12 + 8 + 4 + 20},
    {"tWTR", &t::wtr_cycles, 0, read_after_write, WW_DRAM_RD, 0, 12 + 8 + 4 + 6},
    {"tWTR", &t::wtr_cycles, 9, read_after_write, WW_DRAM_RD, 0, 12 + 8 + 4 + 9},
    {"turn-around", &t::turn_cycles, 0, write_after_read, WW_DRAM_WR, 0, 12 + 11 + 4 + 2 - 8},
    {"turn-around", &t::turn_cycles, 5, write_after_read, WW_DRAM_WR, 0, 12 + 11 + 4 + 5 - 8},
    {"tRTRS", &t::rtrs_cycles, 0, two_ranks, WW_DRAM_RD, 1, 12 + 4 + 1},
    {"tRTRS", &t::rtrs_cycles, 4, two_ranks, WW_DRAM_RD, 1, 12 + 4 + 4},
    {"tRTRS read to write",
     &t::rtrs_cycles,
     4,
     {{0, R, dram_at(0, 0, 1)}, {1, W, dram_at(1, 0, 1)}},
     WW_DRAM_WR,
     0,
     13 + 11},
    {"CL, bus", &t::cl_cycles, 20, write_after_read, WW_DRAM_WR, 0, 12 + 20 + 4 + 2 - 8},
    {"CWL, tWR", &t::cwl_cycles, 10, another_row_after_write, WW_DRAM_PRE, 0, 12 + 10 + 4 + 12},
    {"tREFI",
     &t::refi_cycles,
     6240,
     {{3118, R, dram_at(0, 0, 1)}, {3119, R, dram_at(0, 0, 1)}},
     WW_DRAM_PREA,
     0,
     3119 + 28},
    {"tREFI", &t::refi_cycles, 8000, {{3999, R, dram_at(0, 0, 1)}}, WW_DRAM_REF, 0, 4000},
    {"tREFI, rank 1", &t::refi_cycles, 8000, {{7999, R, dram_at(1, 0, 1)}}, WW_DRAM_REF, 0, 8000},
};

ww_dram_cfg row_cfg(const timing_row &row, ww_dram_cfg cfg)
{
    cfg.timing.refi_cycles = 0;
    if (row.value)
        cfg.timing.*row.field = row.value;
    if (cfg.timing.rc_cycles < cfg.timing.ras_cycles)
        cfg.timing.rc_cycles = cfg.timing.ras_cycles;
    return cfg;
}

template <size_t N> void check_rows(const timing_row (&rows)[N], const ww_dram_cfg &part)
{
    for (const timing_row &row : rows)
        BOOST_TEST_CONTEXT(row.name << " = " << row.value)
        {
            dram_rig rig(row_cfg(row, part));
            rig.run(row.arrivals, std::max(row.cycle, row.arrivals.back().cycle));
            BOOST_TEST(rig.count(row.cmd) == row.nth); /* the command was not issued in any cycle up to t-1 */
            const ww_dram_loc &loc = row.arrivals.back().loc;
            /* For tRTRS read to write, tRCD allows the command earlier. */
            BOOST_TEST(ww_dram_earliest(rig.d, row.cmd, loc.rank, loc.bank) <= row.cycle);
            BOOST_TEST(ww_dram_due(rig.d) == row.cycle);
            rig.tick();
            BOOST_TEST(rig.find(row.cmd, row.nth).cycle == row.cycle);
        }
}

} // namespace

BOOST_AUTO_TEST_CASE(every_constraint_holds_at_t_minus_1_and_ends_at_t)
{
    check_rows(timing_rows, dram_quiet_cfg());
}

BOOST_AUTO_TEST_CASE(constraints_of_bank_groups_and_bursts_hold_at_t_minus_1_and_end_at_t)
{
    ww_dram_cfg gddr6;
    ww_dram_cfg_gddr6(&gddr6);
    check_rows(gddr6_rows, gddr6);
}

BOOST_AUTO_TEST_CASE(earliest_names_the_first_legal_cycle)
{
    ww_dram_cfg cfg = dram_quiet_cfg();
    dram_rig rig(cfg);
    auto earliest = [&](ww_dram_cmd cmd, uint32_t rank, uint32_t bank) {
        return ww_dram_earliest(rig.d, cmd, rank, bank);
    };
    BOOST_TEST(earliest(WW_DRAM_ACT, 0, 0) == 0U);
    BOOST_TEST(earliest(WW_DRAM_REF, 0, 0) == 0U);
    for (ww_dram_cmd cmd : {WW_DRAM_PRE, WW_DRAM_PREA, WW_DRAM_RD, WW_DRAM_WR})
        BOOST_TEST(earliest(cmd, 0, 0) == WW_DRAM_NEVER);
    uint32_t row = 0;
    BOOST_TEST(!ww_dram_open_row(rig.d, 0, 0, &row));
    rig.run({{0, R, dram_at(0, 0, 7)}}, 2);
    BOOST_TEST(ww_dram_open_row(rig.d, 0, 0, &row));
    BOOST_TEST(row == 7U);
    BOOST_TEST(earliest(WW_DRAM_ACT, 0, 0) == WW_DRAM_NEVER);
    BOOST_TEST(earliest(WW_DRAM_ACT, 0, 1) == 1U + 5);
    BOOST_TEST(earliest(WW_DRAM_ACT, 1, 1) == 0U);
    BOOST_TEST(earliest(WW_DRAM_RD, 0, 0) == 1U + 11);
    BOOST_TEST(earliest(WW_DRAM_WR, 0, 0) == 1U + 11);
    BOOST_TEST(earliest(WW_DRAM_PRE, 0, 0) == 1U + 28);
    BOOST_TEST(earliest(WW_DRAM_PREA, 0, 0) == 1U + 28);
    BOOST_TEST(earliest(WW_DRAM_REF, 0, 0) == WW_DRAM_NEVER);
    rig.run_to(13);
    BOOST_TEST(earliest(WW_DRAM_RD, 0, 0) == 12U + 4);
    BOOST_TEST(earliest(WW_DRAM_WR, 0, 0) == 12U + 11 + 4 + 2 - 8);
    rig.run({{50, R, dram_at(0, 0, 8)}}, 52);
    BOOST_TEST(earliest(WW_DRAM_ACT, 0, 0) == 51U + 11);
    BOOST_TEST(earliest(WW_DRAM_REF, 0, 0) == 51U + 11);
}

BOOST_AUTO_TEST_CASE(unloaded_read_takes_16_27_or_38_cycles)
{
    dram_rig rig(dram_quiet_cfg());
    rig.run({{100, R, dram_at(0, 3, 5)}, {200, R, dram_at(0, 3, 5, 9)}, {300, R, dram_at(0, 3, 6)}}, 400);
    BOOST_TEST(rig.done(0) - 100 == 27U);
    BOOST_TEST(rig.done(1) - 200 == 16U);
    BOOST_TEST(rig.done(2) - 300 == 38U);
}

BOOST_AUTO_TEST_CASE(latencies_and_overhead_show_in_the_data_time)
{
    auto data = [](bool is_write, std::function<void(ww_dram_cfg &)> change) {
        ww_dram_cfg cfg = dram_quiet_cfg();
        change(cfg);
        dram_rig rig(cfg);
        rig.run({{0, is_write, dram_at(0, 0, 0)}}, 100);
        return rig.done(0);
    };
    BOOST_TEST(data(R, [](ww_dram_cfg &c) { c.timing.cl_cycles = 14; }) == 27U + 3);
    BOOST_TEST(data(R, [](ww_dram_cfg &c) { c.timing.burst_cycles = 8; }) == 27U + 4);
    BOOST_TEST(data(R, [](ww_dram_cfg &c) { c.overhead_cycles = 5; }) == 27U + 4);
    BOOST_TEST(data(R, [](ww_dram_cfg &c) { c.overhead_cycles = 0; }) == 27U - 1);
    BOOST_TEST(data(W, [](ww_dram_cfg &) {}) == 1U + 11 + 8 + 4);
    BOOST_TEST(data(W, [](ww_dram_cfg &c) { c.timing.cwl_cycles = 9; }) == 1U + 11 + 9 + 4);
}

BOOST_AUTO_TEST_CASE(row_hits_stream_at_the_bus_rate)
{
    dram_rig rig(dram_quiet_cfg());
    for (uint32_t i = 0; i < 1000; i++) {
        while (!ww_dram_can_enqueue(rig.d, R))
            rig.tick();
        BOOST_REQUIRE(rig.put(R, dram_at(0, 0, 1, i % 128), i));
    }
    rig.run_to(5000);
    BOOST_TEST(rig.done(999) == 27U + 999 * 4);
    ww_dram_activity a;
    ww_dram_activity_at(rig.d, rig.now, &a);
    BOOST_TEST(a.row_hits == 999U);
    BOOST_TEST(a.acts == 1U);
}

BOOST_AUTO_TEST_CASE(bank_conflicts_cost_a_row_cycle_each)
{
    dram_rig rig(dram_quiet_cfg());
    for (uint32_t i = 0; i < 100; i++) {
        while (!ww_dram_can_enqueue(rig.d, R))
            rig.tick();
        BOOST_REQUIRE(rig.put(R, dram_at(0, 0, i), i));
    }
    rig.run_to(5000);
    BOOST_TEST(rig.done(99) == 27U + 99 * 39);
}

BOOST_AUTO_TEST_CASE(refresh_blocks_its_rank_for_trfc)
{
    for (uint32_t rfc : {208U, 300U}) {
        ww_dram_cfg cfg;
        ww_dram_cfg_ddr3_1600(&cfg);
        cfg.timing.rfc_cycles = rfc;
        dram_rig rig(cfg);
        rig.run({{3119, R, dram_at(0, 0, 1)}, {3119, R, dram_at(1, 0, 1)}}, 3119 + 1 + rfc);
        BOOST_TEST(rig.find(WW_DRAM_REF).cycle == 3120U);
        BOOST_TEST(rig.find(WW_DRAM_REF).event.rank == 0U);
        BOOST_TEST(rig.find(WW_DRAM_ACT).event.rank == 1U); /* the other rank continues */
        BOOST_TEST(rig.count(WW_DRAM_ACT) == 1U);
        BOOST_TEST(ww_dram_earliest(rig.d, WW_DRAM_ACT, 0, 7) == 3120U + rfc);
        BOOST_TEST(ww_dram_earliest(rig.d, WW_DRAM_REF, 0, 0) == 3120U + rfc);
        rig.tick();
        BOOST_TEST(rig.find(WW_DRAM_ACT, 1).cycle == 3120U + rfc);
    }
}

BOOST_AUTO_TEST_CASE(busy_channel_refreshes_every_rank_once_per_trefi)
{
    ww_dram_cfg cfg;
    ww_dram_cfg_ddr3_1600(&cfg);
    dram_rig rig(cfg);
    for (uint32_t id = 0; rig.now < 10 * 6240 + 300; rig.tick())
        while (ww_dram_can_enqueue(rig.d, R)) {
            rig.must_put(R, dram_at(id % 2, id / 2 % 8, id / 1024, id / 16 % 64), id);
            id++;
        }
    BOOST_TEST(rig.count(WW_DRAM_REF) == 20U);
    for (size_t i = 0; i < 20; i++) {
        const dram_entry &e = rig.find(WW_DRAM_REF, i);
        BOOST_TEST(e.event.rank == i % 2);
        BOOST_TEST(e.cycle >= 3120 * (i + 1));
        BOOST_TEST(e.cycle <= 3120 * (i + 1) + 60);
    }
}

BOOST_AUTO_TEST_CASE(idle_channel_asks_for_nothing_yet_refreshes)
{
    ww_dram_cfg cfg;
    ww_dram_cfg_ddr3_1600(&cfg);
    dram_rig rig(cfg);
    BOOST_TEST(ww_dram_due(rig.d) == WW_DRAM_NEVER);
    rig.run({{10, R, dram_at(0, 0, 1)}}, 60);
    BOOST_TEST(ww_dram_due(rig.d) == WW_DRAM_NEVER);
    ww_dram_activity a;
    uint64_t late = 1000 * 6240ULL + 5000;
    ww_dram_activity_at(rig.d, late, &a);
    BOOST_TEST(a.refreshes == 2001U); /* rank 0: 3120 + k 6240, rank 1: 6240 + k 6240 */
    BOOST_TEST(a.open_cycles == 3120U - 11);
    BOOST_TEST(a.total_cycles == 2 * late);
    BOOST_TEST(ww_dram_due(rig.d) == WW_DRAM_NEVER);
    /* The last refresh of rank 0, at 1000 * 6240 + 3120, is over: it only leaves the row closed. */
    rig.now = late;
    BOOST_REQUIRE(rig.put(R, dram_at(0, 0, 1), 1));
    rig.run_to(late + 100);
    BOOST_TEST(rig.done(1) - late == 27U);
    BOOST_TEST(ww_dram_due(rig.d) == WW_DRAM_NEVER);
}

BOOST_AUTO_TEST_CASE(request_into_an_idle_refresh_waits_for_its_end)
{
    ww_dram_cfg cfg;
    ww_dram_cfg_ddr3_1600(&cfg);
    auto done = [&](uint64_t warm, uint64_t arrival) {
        dram_rig rig(cfg);
        rig.run({{warm, R, dram_at(0, 0, 1)}}, warm + 15);
        rig.now = arrival;
        BOOST_REQUIRE(rig.put(R, dram_at(0, 0, 1), 1));
        rig.run_to(arrival + 400);
        return rig.done(1);
    };
    /* A row opened long ago is closed at 3120; REF is at 3131, ACT at 3339. */
    BOOST_TEST(done(10, 3150) == 3131U + 208 + 26);
    BOOST_TEST(done(10, 3125) == 3131U + 208 + 26); /* between closing and REF */
    BOOST_TEST(done(10, 3131) == 3131U + 208 + 26);
    BOOST_TEST(done(10, 3400) == 3400U + 27);
    /* tRAS keeps a row opened at 3101 open until 3129. */
    BOOST_TEST(done(3100, 3125) == 3129U + 11 + 208 + 26);
}
