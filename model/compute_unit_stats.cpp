/* SPDX-License-Identifier: MIT */
/* model/compute_unit_stats.cpp - statistics, laws and flows of a compute unit. */
#include "model/common/signals.hpp"
#include "model/compute_unit.hpp"

namespace walkway
{

const char *wave_time_name(unsigned t)
{
    static const char *const names[] = {WALKWAY_WAVE_TIME_LIST(WALKWAY_STATE_NAME)};
    return names[t];
}

const char *wave_time_text(unsigned t)
{
    static const char *const texts[] = {WALKWAY_WAVE_TIME_LIST(WALKWAY_STATE_TEXT)};
    return texts[t];
}

/* Returns the time of all waves, ended or resident, that is charged so far. */
tick compute_unit::lives_ps() const
{
    tick sum = stats_.wave_life_ps;
    for (const simd &unit : simds_)
        for (const uint32_t i : unit.waves)
            sum += waves_[i].mark - waves_[i].born;
    return sum;
}

void compute_unit::visit(stat_visitor &v, tick) const
{
    const tick period = clock().period();
    v.count("groups", stats_.groups, "count", "work-groups dispatched");
    v.count("waves", stats_.waves, "count", "waves started");
    v.count("split_waves", stats_.split_waves, "count",
            "waves of the trace that run as two, of fewer lanes: cu.wave_lanes");
    v.count("instructions", stats_.instructions, "count",
            "wave instructions issued; = compute + memory + local + barriers");
    v.count("compute", stats_.compute, "count", "of those, without memory");
    v.count("idle_halves", stats_.idle_halves, "count",
            "of those, memory instructions of a split wave whose active lanes are all in the other half");
    v.count("memory", stats_.memory, "count", "of those, global memory");
    v.count("local", stats_.local, "count", "of those, local memory");
    v.count("barriers", stats_.barriers, "count", "of those, barriers");
    v.count("local_lanes", stats_.local_lanes, "count", "active lanes of the local memory instructions");
    if (code) {
        v.count("fetches", stats_.fetches, "count", "lines of code asked of the instruction caches");
        v.count("stall_fetch_cycles", code->blocked_ps() / period, "cycles",
                "cycles in which a fetch stood outside the full queue of an instruction cache");
    }
    v.count("preemptions", stats_.preemptions, "count",
            "times that an older wave cut a batch of compute instructions");
    v.count("page_faults", stats_.lane_faults, "count", "pages without translation, by wave instruction");
    v.hist("load_latency", stats_.load_latency, "cycles", "from a load's issue to its last lane's data");
    v.hist(
        "wave_lag", stats_.wave_lag, "instructions",
        "of a wave that issues a memory instruction, by how many of them the furthest wave of its kernel is "
        "ahead");
    v.begin("wave_stall", "where the waves' time went; the sum is wave_cycles");
    v.count("wave_cycles", lives_ps() / period, "cycles", "lives of all waves added up");
    for (unsigned t = 0; t < wave_times; ++t)
        v.count(wave_time_name(t), stats_.time[t] / period, "cycles", wave_time_text(t));
    v.end();
}

void compute_unit::laws(law_list &list) const
{
    tick waits = 0;
    for (const tick t : stats_.time)
        waits += t;
    list.add_to("account", "sum of wave times = sum of wave lives (ps)", waits, lives_ps());
    /* a window may end with resident waves, which then issue no more */
    list.add_to("cu", list.halted() ? "every wave ended or is resident" : "every wave ended", stats_.waves,
                stats_.waves_done + (list.halted() ? resident_ : 0));
    list.add_to("cu", "instructions = compute + memory + local + barriers", stats_.instructions,
                stats_.compute + stats_.memory + stats_.local + stats_.barriers);
}

void compute_unit::flows(std::vector<block_flow> &list, tick) const
{
    list.push_back({"waves", stats_.waves, stats_.waves_done, resident_});
}

} // namespace walkway
