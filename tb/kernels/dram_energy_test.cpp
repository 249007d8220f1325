/* SPDX-License-Identifier: MIT */
/* tb/kernels/dram_energy_test.cpp - DRAM energy: each component by hand, the effect of each current, and the
 * identities of the method (a pattern that defines a datasheet current must draw that current). */
#include "dram_rig.hpp"

#include "kernels/dram/dram_energy.h"

#include <functional>

namespace
{

ww_dram_energy_cfg default_cfg()
{
    ww_dram_cfg dram;
    ww_dram_cfg_ddr3_1600(&dram);
    ww_dram_energy_cfg cfg;
    ww_dram_energy_cfg_ddr3_1600(&cfg, &dram.timing);
    return cfg;
}

ww_dram_energy make(const ww_dram_energy_cfg &cfg)
{
    ww_dram_energy e;
    BOOST_REQUIRE_EQUAL(ww_dram_energy_init(&e, &cfg), WW_OK);
    return e;
}

/* 1.35 V x 1.25 ns x 8 devices = 13.5 pJ per mA and cycle */
constexpr uint64_t MA_CYCLE_FJ = 13500;

} // namespace

BOOST_AUTO_TEST_CASE(components_are_the_datasheet_formulas)
{
    ww_dram_energy e = make(default_cfg());
    BOOST_TEST(e.act_fj == (55 * 39 - 38 * 28 - 32 * 11) * MA_CYCLE_FJ);
    BOOST_TEST(e.read_fj == (157 - 38) * 4 * MA_CYCLE_FJ);
    BOOST_TEST(e.write_fj == (125 - 38) * 4 * MA_CYCLE_FJ);
    BOOST_TEST(e.refresh_fj == (235 - 32) * 208 * MA_CYCLE_FJ);
    BOOST_TEST(e.open_cycle_fj == 38 * MA_CYCLE_FJ);
    BOOST_TEST(e.closed_cycle_fj == 32 * MA_CYCLE_FJ);
}

BOOST_AUTO_TEST_CASE(gddr6_has_its_own_currents_and_one_device_a_channel)
{
    ww_dram_cfg dram;
    ww_dram_cfg_gddr6(&dram);
    ww_dram_energy_cfg cfg;
    ww_dram_energy_cfg_gddr6(&cfg, &dram.timing);
    ww_dram_energy e = make(cfg);
    const double ma_cycle_fj = 1.35 * 570; /* V x ps x mA */
    BOOST_TEST(e.act_fj == static_cast<uint64_t>((71 * 79 - 61 * 53 - 60 * 26) * ma_cycle_fj));
    BOOST_TEST(e.read_fj == static_cast<uint64_t>((248 - 61) * 2 * ma_cycle_fj));
    BOOST_TEST(e.write_fj == static_cast<uint64_t>((231 - 61) * 2 * ma_cycle_fj));
    BOOST_TEST(e.refresh_fj == static_cast<uint64_t>((286 - 60) * 211 * ma_cycle_fj));
    BOOST_TEST(e.open_cycle_fj == static_cast<uint64_t>(61 * ma_cycle_fj));
    BOOST_TEST(e.closed_cycle_fj == static_cast<uint64_t>(60 * ma_cycle_fj));
}

BOOST_AUTO_TEST_CASE(total_is_the_sum_of_the_components)
{
    ww_dram_energy e = make(default_cfg());
    ww_dram_activity a{};
    a.acts = 3;
    a.reads = 5;
    a.writes = 7;
    a.refreshes = 11;
    a.open_cycles = 13;
    a.total_cycles = 30;
    ww_dram_energy_pj pj = ww_dram_energy_of(&e, &a);
    BOOST_TEST(pj.act == 3 * e.act_fj / 1000);
    BOOST_TEST(pj.read == 5 * e.read_fj / 1000);
    BOOST_TEST(pj.write == 7 * e.write_fj / 1000);
    BOOST_TEST(pj.refresh == 11 * e.refresh_fj / 1000);
    BOOST_TEST(pj.background_open == 13 * e.open_cycle_fj / 1000);
    BOOST_TEST(pj.background_closed == 17 * e.closed_cycle_fj / 1000);
    BOOST_TEST(pj.total ==
               pj.act + pj.read + pj.write + pj.refresh + pj.background_open + pj.background_closed);
}

/* Activating and precharging one bank every tRC draws IDD0 by definition; the model must reproduce it. */
BOOST_AUTO_TEST_CASE(row_cycling_draws_idd0)
{
    ww_dram_energy e = make(default_cfg());
    ww_dram_activity a{};
    a.acts = 1000;
    a.total_cycles = 1000 * 39;
    a.open_cycles = 1000 * 28;
    ww_dram_energy_pj pj = ww_dram_energy_of(&e, &a);
    BOOST_TEST(pj.total == 55 * 39 * MA_CYCLE_FJ);
}

BOOST_AUTO_TEST_CASE(endless_reading_draws_idd4r_and_refreshing_idd5b)
{
    ww_dram_energy e = make(default_cfg());
    ww_dram_activity a{};
    a.reads = 1000;
    a.total_cycles = a.open_cycles = 4000;
    BOOST_TEST(ww_dram_energy_of(&e, &a).total == 157 * 4 * MA_CYCLE_FJ);
    a.reads = 0;
    a.writes = 1000;
    BOOST_TEST(ww_dram_energy_of(&e, &a).total == 125 * 4 * MA_CYCLE_FJ);
    a.writes = 0;
    a.open_cycles = 0;
    a.refreshes = 1000;
    a.total_cycles = 208 * 1000;
    BOOST_TEST(ww_dram_energy_of(&e, &a).total == 235 * 208 * MA_CYCLE_FJ);
}

BOOST_AUTO_TEST_CASE(every_parameter_changes_a_component)
{
    const std::function<void(ww_dram_energy_cfg &)> changes[] = {
        [](ww_dram_energy_cfg &c) { c.vdd_mv++; },     [](ww_dram_energy_cfg &c) { c.idd0_ma++; },
        [](ww_dram_energy_cfg &c) { c.idd2n_ma++; },   [](ww_dram_energy_cfg &c) { c.idd3n_ma++; },
        [](ww_dram_energy_cfg &c) { c.idd4r_ma++; },   [](ww_dram_energy_cfg &c) { c.idd4w_ma++; },
        [](ww_dram_energy_cfg &c) { c.idd5b_ma++; },   [](ww_dram_energy_cfg &c) { c.devices++; },
        [](ww_dram_energy_cfg &c) { c.tck_ps++; },     [](ww_dram_energy_cfg &c) { c.ras_cycles++; },
        [](ww_dram_energy_cfg &c) { c.rc_cycles++; },  [](ww_dram_energy_cfg &c) { c.burst_cycles++; },
        [](ww_dram_energy_cfg &c) { c.rfc_cycles++; },
    };
    auto list = [](const ww_dram_energy &e) {
        return std::vector<uint64_t>{e.act_fj,     e.read_fj,       e.write_fj,
                                     e.refresh_fj, e.open_cycle_fj, e.closed_cycle_fj};
    };
    const std::vector<uint64_t> before = list(make(default_cfg()));
    for (const auto &change : changes) {
        ww_dram_energy_cfg cfg = default_cfg();
        change(cfg);
        BOOST_TEST((list(make(cfg)) != before), "parameter " << &change - changes);
    }
}

BOOST_AUTO_TEST_CASE(illegal_configurations_are_refused)
{
    const std::function<void(ww_dram_energy_cfg &)> bad[] = {
        [](ww_dram_energy_cfg &c) { c.vdd_mv = 0; },
        [](ww_dram_energy_cfg &c) { c.vdd_mv = 8193; },
        [](ww_dram_energy_cfg &c) { c.devices = 0; },
        [](ww_dram_energy_cfg &c) { c.devices = 65; },
        [](ww_dram_energy_cfg &c) { c.tck_ps = 0; },
        [](ww_dram_energy_cfg &c) { c.tck_ps = 16385; },
        [](ww_dram_energy_cfg &c) { c.idd0_ma = 4097; },
        [](ww_dram_energy_cfg &c) { c.idd4r_ma = 4097; },
        [](ww_dram_energy_cfg &c) { c.idd4w_ma = 4097; },
        [](ww_dram_energy_cfg &c) { c.idd5b_ma = 4097; },
        [](ww_dram_energy_cfg &c) { c.idd3n_ma = 31; },
        [](ww_dram_energy_cfg &c) { c.idd0_ma = 37; },
        [](ww_dram_energy_cfg &c) { c.idd4r_ma = 37; },
        [](ww_dram_energy_cfg &c) { c.idd4w_ma = 37; },
        [](ww_dram_energy_cfg &c) { c.idd5b_ma = 37; },
        [](ww_dram_energy_cfg &c) { c.rc_cycles = 27; },
        [](ww_dram_energy_cfg &c) { c.rc_cycles = 16385; },
        [](ww_dram_energy_cfg &c) { c.burst_cycles = 16385; },
        [](ww_dram_energy_cfg &c) { c.rfc_cycles = 16385; },
    };
    for (const auto &change : bad) {
        ww_dram_energy_cfg cfg = default_cfg();
        change(cfg);
        ww_dram_energy e;
        BOOST_TEST(ww_dram_energy_init(&e, &cfg) == WW_E_ARG, "change " << &change - bad);
    }
}

/* Takes the activity from a channel: one read, then idle time in which each rank is refreshed once. */
BOOST_AUTO_TEST_CASE(a_channel_reports_what_its_energy_needs)
{
    ww_dram_cfg cfg;
    ww_dram_cfg_ddr3_1600(&cfg);
    dram_rig rig(cfg);
    rig.run({{0, false, dram_at(1, 0, 1)}}, 50);
    ww_dram_activity a;
    ww_dram_activity_at(rig.d, 50, &a);
    BOOST_TEST(a.acts == 1U);
    BOOST_TEST(a.reads == 1U);
    BOOST_TEST(a.open_cycles == 49U); /* since the ACT at cycle 1 */
    ww_dram_activity_at(rig.d, 6300, &a);
    BOOST_TEST(a.refreshes == 2U);
    BOOST_TEST(a.open_cycles == 6239U); /* until the refresh of its rank at 6240 */
    BOOST_TEST(a.total_cycles == 12600U);
    ww_dram_energy e = make(default_cfg());
    ww_dram_energy_pj pj = ww_dram_energy_of(&e, &a);
    BOOST_TEST(pj.background_open == 6239 * 38 * MA_CYCLE_FJ / 1000);
    BOOST_TEST(pj.refresh == 2 * 203 * 208 * MA_CYCLE_FJ / 1000);
}
