/* SPDX-License-Identifier: MIT */
/* sample/wave_schedule.cpp - see wave_schedule.hpp. */
#include "sample/wave_schedule.hpp"

#include "model/wave_parts.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace walkway
{

/* ASSUMED, in cycles; only their ratios decide the order. */
static constexpr uint64_t instruction_time = 4, access_time = 2000, local_time = 31;
static constexpr unsigned page_shift = 12;

struct wave_schedule::group_run {
    wkt_group *data = nullptr;
    uint32_t number = 0, unit = 0;
    uint32_t left = 0, places = 0; /* waves of the trace that run; wave slots of all its waves */
    std::vector<uint32_t> waves, waiting;
    ~group_run() { wkt_group_free(data); }
};

struct wave_schedule::wave_run {
    group_run *group;
    uint32_t number, parts, records;
    wkt_cursor cursor;
    wkt_record next;
};

static bool is_global(const wkt_record &r)
{
    return r.kind == WKT_LOAD || r.kind == WKT_STORE || r.kind == WKT_ATOMIC;
}

static uint32_t pages_of(const wkt_record &r, ww_coal_in &in, ww_coal_out &out)
{
    in.mask = r.mask;
    in.bytes = r.bytes;
    in.page_shift = page_shift;
    std::memcpy(in.va, r.va, sizeof in.va);
    ww_coalesce(&in, &out);
    return out.pages;
}

wave_schedule::wave_schedule(wkt_reader *trace, const residency &on, const wave_pace &pace)
    : trace_(trace), on_(on), pace_(pace), launches_(wkt_reader_info(trace)->launches), waves_used_(on.cus),
      lds_used_(on.cus)
{
    if (!begin_launch())
        launch_ = launches_;
}

wave_schedule::~wave_schedule() = default;

/* Moves launch_ to the first launch, from launch_ on, that has work-groups. Returns false if none has. */
bool wave_schedule::begin_launch()
{
    while (launch_ < launches_ && wkt_reader_launch(trace_, launch_)->groups == 0)
        ++launch_;
    next_group_ = 0;
    unit_ = 0;
    begun_ = false;
    return launch_ < launches_;
}

uint64_t wave_schedule::lds_of_launch() const
{
    const uint64_t granule = on_.lds_granule == 0 ? 1 : on_.lds_granule;
    return (wkt_reader_launch(trace_, launch_)->lds_bytes + granule - 1) / granule * granule;
}

bool wave_schedule::fits(unsigned unit, const group_run &g) const
{
    return waves_used_[unit] + g.places <= on_.waves && lds_used_[unit] + lds_of_launch() <= on_.lds_bytes;
}

void wave_schedule::dispatch()
{
    const uint32_t groups = wkt_reader_launch(trace_, launch_)->groups;
    while (next_group_ < groups) {
        if (waiting_ == nullptr)
            load_group();
        unsigned tried = 0, unit = 0;
        for (; tried < on_.cus; ++tried) {
            unit = on_.compact ? tried : (unit_ + tried) % on_.cus;
            if (fits(unit, *waiting_))
                break;
        }
        if (tried == on_.cus)
            return;
        unit_ = (unit + 1) % on_.cus;
        start(unit);
        begun_ = true;
        ++next_group_;
    }
}

void wave_schedule::load_group()
{
    if (free_groups_.empty()) {
        groups_.push_back(std::make_unique<group_run>());
        free_groups_.push_back(groups_.back().get());
    }
    group_run &g = *free_groups_.back();
    wkt_error error;
    if (wkt_group_load(trace_, launch_, next_group_, &g.data, &error) != WKT_OK)
        throw std::runtime_error(error.text);
    free_groups_.pop_back();
    g.number = next_group_;
    g.places = machine_waves(g.data, on_.lanes);
    waiting_ = &g;
}

/* Starts the loaded work-group. Required: it fits the unit. */
void wave_schedule::start(unsigned unit)
{
    group_run &g = *waiting_;
    waiting_ = nullptr;
    g.unit = unit;
    g.left = wkt_group_waves(g.data);
    g.waiting.clear();
    g.waves.clear();
    lds_used_[unit] += lds_of_launch();
    for (uint32_t n = 0; n < g.left; ++n) {
        if (free_waves_.empty()) {
            free_waves_.push_back(static_cast<uint32_t>(waves_.size()));
            waves_.emplace_back();
        }
        const uint32_t i = free_waves_.back();
        free_waves_.pop_back();
        wave_run &w = waves_[i];
        w.group = &g;
        w.number = n;
        w.records = 0;
        wkt_cursor_start(g.data, n, &w.cursor);
        w.parts = machine_waves(w.cursor.lanes, on_.lanes);
        g.waves.push_back(i);
    }
    waves_used_[unit] += g.places;
    const std::vector<uint32_t> begun = g.waves; /* a copy: advance() may mark waves as ended */
    for (const uint32_t i : begun)
        advance(i, now_ + 1);
}

/* A wave keeps one pace. If each access drew its own, the differences would cancel and waves would stay
 * nearly in step. The pace depends on the seed and the numbers of launch, work-group and wave, not on the
 * order. */
uint64_t wave_schedule::pace_of(const wave_run &w) const
{
    if (!pace_.drifts)
        return access_time;
    uint64_t x = pace_.seed + (uint64_t{launch_} << 42) + (uint64_t{w.group->number} << 10) + w.number;
    x = (x ^ x >> 31) * 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9ull;
    return access_time / 2 + (x >> 32) % access_time;
}

/* Schedules the wave's next record for the time when the instructions before it are issued; ends the wave if
 * there is none. */
void wave_schedule::advance(uint32_t i, uint64_t from)
{
    wave_run &w = waves_[i];
    if (wkt_next(&w.cursor, &w.next)) {
        due_.push({from + instruction_time * w.next.compute, serial_++, i});
        return;
    }
    if (wkt_cursor_failed(&w.cursor))
        throw std::runtime_error("a record of the trace does not decode");
    done_.instructions += uint64_t{w.cursor.tail_compute} * w.parts;
    end_wave(i, from);
}

void wave_schedule::end_wave(uint32_t i, uint64_t at)
{
    group_run &g = *waves_[i].group;
    g.waves[waves_[i].number] = resident_group::wave_ended;
    free_waves_.push_back(i);
    waves_used_[g.unit] -= waves_[i].parts;
    if (--g.left == 0) {
        lds_used_[g.unit] -= lds_of_launch();
        free_groups_.push_back(&g);
    } else {
        meet_barrier(g, at);
    }
}

/* Opens the barrier once all waves that have not ended wait at it. */
void wave_schedule::meet_barrier(group_run &g, uint64_t at)
{
    if (g.waiting.empty() || g.waiting.size() < g.left)
        return;
    std::vector<uint32_t> waves;
    waves.swap(g.waiting);
    for (const uint32_t i : waves)
        ++waves_[i].records;
    for (const uint32_t i : waves)
        advance(i, at + instruction_time);
}

bool wave_schedule::step(access &a)
{
    a.to = nullptr;
    for (;;) {
        if (launch_ == launches_)
            return false;
        dispatch();
        if (!due_.empty())
            break;
        if (next_group_ < wkt_reader_launch(trace_, launch_)->groups)
            throw std::runtime_error("a work-group of launch " + std::to_string(launch_) +
                                     " does not fit a compute unit, or waits at a barrier for ever");
        ++launch_;
        begin_launch();
    }
    const due next = due_.top();
    due_.pop();
    now_ = next.at;
    wave_run &w = waves_[next.wave];
    group_run &g = *w.group;
    done_.instructions += (uint64_t{w.next.compute} + 1) * w.parts;
    if (w.next.kind == WKT_BARRIER) {
        g.waiting.push_back(next.wave);
        meet_barrier(g, now_);
        return true;
    }
    uint64_t takes = local_time;
    if (is_global(w.next)) {
        done_.pages += pages_of(w.next, in_, out_);
        ++done_.accesses;
        takes = pace_of(w);
        a = {g.unit, w.next.kind != WKT_LOAD, &out_};
    }
    ++w.records;
    advance(next.wave, now_ + takes);
    return true;
}

start_point wave_schedule::place() const
{
    start_point p;
    p.launch = launch_;
    if (!begun_)
        return p;
    p.next_group = next_group_;
    p.unit = unit_;
    for (const auto &g : groups_) {
        if (g->left == 0)
            continue;
        resident_group r{g->number, g->unit, {}};
        for (const uint32_t i : g->waves)
            r.records.push_back(i == resident_group::wave_ended ? i : waves_[i].records);
        p.resident.push_back(r);
    }
    std::sort(p.resident.begin(), p.resident.end(),
              [](const resident_group &a, const resident_group &b) { return a.number < b.number; });
    return p;
}

std::vector<work_done> work_of_launches(wkt_reader *trace, uint32_t machine_lanes)
{
    std::vector<work_done> all(wkt_reader_info(trace)->launches);
    wkt_group *g = nullptr;
    const std::unique_ptr<wkt_group *, void (*)(wkt_group **)> freed(
        &g, [](wkt_group **p) { wkt_group_free(*p); });
    ww_coal_in in{};
    ww_coal_out out;
    wkt_record r;
    for (uint32_t launch = 0; launch < all.size(); ++launch)
        for (uint32_t n = 0; n < wkt_reader_launch(trace, launch)->groups; ++n) {
            wkt_error error;
            if (wkt_group_load(trace, launch, n, &g, &error) != WKT_OK)
                throw std::runtime_error(error.text);
            for (uint32_t w = 0; w < wkt_group_waves(g); ++w) {
                wkt_cursor c;
                wkt_cursor_start(g, w, &c);
                const uint64_t parts = machine_waves(c.lanes, machine_lanes);
                while (wkt_next(&c, &r)) {
                    all[launch].instructions += (uint64_t{r.compute} + 1) * parts;
                    if (!is_global(r))
                        continue;
                    all[launch].pages += pages_of(r, in, out);
                    ++all[launch].accesses;
                }
                if (wkt_cursor_failed(&c))
                    throw std::runtime_error("a record of the trace does not decode");
                all[launch].instructions += c.tail_compute * parts;
            }
        }
    return all;
}

} // namespace walkway
