/* SPDX-License-Identifier: MIT */
/* Compute units on a made-up trace; memory answers each access after 20 cycles. Tests start the groups. */
#ifndef WW_TB_MODEL_COMPUTE_UNIT_RIG_HPP
#define WW_TB_MODEL_COMPUTE_UNIT_RIG_HPP

#include "model/compute_unit.hpp"
#include "tb/support/block_numbers.hpp"
#include "tb/support/simulation.hpp"
#include "tb/support/traces.hpp"

namespace walkway::test
{

using access_responder = responder<access_protocol>;

struct compute_unit_rig final : group_listener {
    trace file;
    simulation sim;
    access_responder memory;
    compute_unit dut;
    std::deque<work_group> groups;
    std::map<uint32_t, tick> ended; /* by group */

    explicit compute_unit_rig(const trace_spec &spec, const compute_unit_params &p = one_simd(),
                              uint32_t queue = 1024)
        : file(spec), memory("memory", gpu_clock, queue), dut("cu", gpu_clock, p, 0, 1, *this)
    {
        dut.mem.bind(memory.up);
        memory.latency = 20;
        memory.answer = [](wave_access &a, tick at) { a.translated = at - cycle(5); };
    }
    ~compute_unit_rig() override
    {
        for (work_group &g : groups) {
            wkt_group_free(g.trace);
            wkt_group_free(g.upper);
        }
    }
    static compute_unit_params one_simd()
    {
        compute_unit_params p = numbers_of<compute_unit_params>();
        p.simds = 1;
        return p;
    }
    /* Starts all groups of the first launch at cycle 0: their waves may issue at cycle 1. */
    void start()
    {
        const wkt_launch *launch = wkt_reader_launch(file.reader(), 0);
        for (uint32_t n = 0; n < launch->groups; ++n) {
            groups.emplace_back();
            work_group &g = groups.back();
            wkt_error e;
            BOOST_REQUIRE(wkt_group_load(file.reader(), 0, n, &g.trace, &e) == WKT_OK);
            g.number = n;
            BOOST_REQUIRE(wkt_group_load(file.reader(), 0, n, &g.upper, &e) == WKT_OK);
            g.waves = g.waves_left = machine_waves(g.trace, dut.wave_lanes());
            g.lds_bytes = launch->lds_bytes;
            dut.start_group(g, 0);
        }
    }
    /* Runs, and checks that every picosecond of every wave has one cause. */
    void run()
    {
        start();
        sim.run();
        tick sum = 0;
        for (const tick t : dut.stats().time)
            sum += t;
        BOOST_TEST(sum == dut.stats().wave_life_ps);
        BOOST_TEST(dut.stats().waves == dut.stats().waves_done);
        BOOST_TEST(dut.live() == 0u);
        BOOST_TEST(dut.waiting() == "");
    }
    tick time(wave_time t) const { return dut.stats().time[static_cast<unsigned>(t)]; }
    std::vector<uint64_t> arrivals() const
    {
        std::vector<uint64_t> cycles;
        for (const auto &t : memory.taken)
            cycles.push_back(t.second / period);
        return cycles;
    }
    void group_done(unsigned, work_group &g, tick now) override { ended[g.number] = now; }
};

inline trace_spec waves(const std::vector<wave_spec> &list, uint32_t lds = 0) /* one group each */
{
    std::vector<group_spec> groups;
    for (const wave_spec &w : list)
        groups.push_back({w});
    return one_launch(groups, 1 << 20, lds);
}

} // namespace walkway::test

#endif
