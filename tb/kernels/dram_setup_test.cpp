/* SPDX-License-Identifier: MIT */
/* tb/kernels/dram_setup_test.cpp - one DRAM channel: refused configurations, and what it reports about
 * itself. */
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

BOOST_AUTO_TEST_CASE(illegal_configurations_are_refused)
{
    using cfg_t = ww_dram_cfg;
    const std::function<void(cfg_t &)> bad[] = {
        [](cfg_t &c) { c.ranks = 0; },
        [](cfg_t &c) { c.ranks = 9; },
        [](cfg_t &c) { c.banks = 0; },
        [](cfg_t &c) { c.banks = 33; },
        [](cfg_t &c) { c.groups = 0; },
        [](cfg_t &c) { c.groups = 3; },
        [](cfg_t &c) { c.bursts = 0; },
        [](cfg_t &c) { c.bursts = 9; },
        [](cfg_t &c) { c.timing.wtr_group_cycles = 16385; },
        [](cfg_t &c) { c.read_entries = 0; },
        [](cfg_t &c) { c.read_entries = 16385; },
        [](cfg_t &c) { c.write_entries = 0; },
        [](cfg_t &c) { c.write_entries = 16385; },
        [](cfg_t &c) { c.write_high = 0; },
        [](cfg_t &c) { c.write_high = 33; },
        [](cfg_t &c) { c.write_low = c.write_high; },
        [](cfg_t &c) { c.overhead_cycles = 16385; },
        [](cfg_t &c) { c.row_policy = 2; },
        [](cfg_t &c) { c.timing.cl_cycles = 16385; },
        [](cfg_t &c) { c.timing.burst_cycles = 0; },
        [](cfg_t &c) { c.timing.rc_cycles = 27; },
        [](cfg_t &c) { c.timing.refi_cycles = 300; },
        [](cfg_t &c) { c.timing.refi_cycles = (1U << 28) + 1; },
    };
    for (const auto &change : bad) {
        cfg_t cfg;
        ww_dram_cfg_ddr3_1600(&cfg);
        dram_blob blob(cfg);
        change(cfg);
        BOOST_TEST(ww_dram_bytes(&cfg) == 0U);
        BOOST_TEST(ww_dram_init(blob.get(), blob.bytes, &cfg) == WW_E_ARG);
    }
    cfg_t cfg;
    ww_dram_cfg_ddr3_1600(&cfg);
    dram_blob blob(cfg);
    BOOST_TEST(blob.bytes % 64 == 0U);
    BOOST_TEST(ww_dram_init(blob.get(), blob.bytes - 1, &cfg) == WW_E_SIZE);
}

BOOST_AUTO_TEST_CASE(a_banks_state_follows_its_row_and_what_waits)
{
    dram_rig rig(dram_quiet_cfg());
    uint32_t row = 99;
    const auto state = [&](uint32_t bank = 3) { return ww_dram_bank_state(rig.d, 1, bank, &row); };
    const auto run_until = [&](ww_dram_cmd cmd, size_t n) {
        while (rig.count(cmd) < n && rig.now < 1000)
            rig.tick();
        BOOST_REQUIRE(rig.count(cmd) == n);
    };
    BOOST_TEST(state() == WW_DRAM_BANK_CLOSED);
    rig.must_put(R, dram_at(1, 3, 7), 0);
    BOOST_TEST(state() == WW_DRAM_BANK_WANTED);
    BOOST_TEST(row == 99U); /* no row is open: `row` is unchanged */
    run_until(WW_DRAM_ACT, 1);
    BOOST_TEST(state() == WW_DRAM_BANK_HIT);
    BOOST_TEST(row == 7U);
    run_until(WW_DRAM_RD, 1);
    BOOST_TEST(state() == WW_DRAM_BANK_OPEN);
    rig.must_put(R, dram_at(1, 3, 8), 1);
    BOOST_TEST(state() == WW_DRAM_BANK_CONFLICT);
    BOOST_TEST(row == 7U);
    rig.must_put(W, dram_at(1, 3, 7), 2); /* a write to the open row also counts as a hit */
    BOOST_TEST(state() == WW_DRAM_BANK_HIT);
    BOOST_TEST(state(2) == WW_DRAM_BANK_CLOSED);
    rig.run_to(1000);
    const ww_dram_activity *sum = ww_dram_so_far(rig.d);
    BOOST_TEST(sum->acts == rig.count(WW_DRAM_ACT));
    BOOST_TEST(sum->reads == 2U);
    BOOST_TEST(sum->writes == rig.count(WW_DRAM_WR));
}

BOOST_AUTO_TEST_CASE(a_bank_shows_that_its_ranks_refresh_is_due)
{
    ww_dram_cfg cfg;
    ww_dram_cfg_ddr3_1600(&cfg);
    dram_rig rig(cfg);
    uint32_t row = 0;
    uint64_t shown = 0;
    for (uint32_t id = 0; rig.count(WW_DRAM_REF) == 0 && rig.now < 100000; rig.tick()) {
        if (ww_dram_waiting(rig.d, R) == 0)
            rig.must_put(R, dram_at(0, 0, id % 7), id), id++;
        shown += ww_dram_bank_state(rig.d, 0, 0, &row) == WW_DRAM_BANK_REFRESH ||
                 ww_dram_bank_state(rig.d, 1, 0, &row) == WW_DRAM_BANK_REFRESH;
    }
    BOOST_TEST(rig.count(WW_DRAM_REF) == 1U);
    BOOST_TEST(shown > 0U);
    const uint32_t rank = rig.find(WW_DRAM_REF).event.rank;
    BOOST_TEST(ww_dram_bank_state(rig.d, rank, 0, &row) != WW_DRAM_BANK_REFRESH);
}

BOOST_AUTO_TEST_CASE(states_of_a_bank_have_their_names)
{
    BOOST_TEST(std::string(ww_dram_bank_state_name(WW_DRAM_BANK_CLOSED)) == "CLOSED");
    BOOST_TEST(std::string(ww_dram_bank_state_name(WW_DRAM_BANK_REFRESH)) == "REFRESH");
}

BOOST_AUTO_TEST_CASE(a_refresh_in_progress_is_no_idle_one)
{
    ww_dram_cfg cfg;
    ww_dram_cfg_ddr3_1600(&cfg);
    dram_rig rig(cfg);
    /* The row of rank 0 may be closed from 3096 + 28. Its refresh is due at 3120, while a request for rank 1
     * waits. */
    rig.run({{3095, R, dram_at(0, 0, 1)}, {3110, R, dram_at(1, 0, 1)}}, 3123);
    BOOST_TEST(rig.count(WW_DRAM_RD) == 2U);
    BOOST_TEST(ww_dram_waiting(rig.d, R) == 0U);
    uint64_t cycle = 0;
    ww_dram_event e;
    BOOST_TEST(!ww_dram_idle_refresh(rig.d, 4000, &cycle, &e)); /* this refresh is left to the steps */
    rig.run_to(3200);
    BOOST_TEST(rig.find(WW_DRAM_PREA).cycle == 3124U);
    BOOST_TEST(rig.find(WW_DRAM_REF).cycle == 3124U + 11);
}
