/* SPDX-License-Identifier: MIT */
/* sample/wave_schedule.hpp - a program's records in a possible order of a machine, without simulating one:
 * work-groups go to compute units as from the dispatcher, a wave's place is free when the wave ends, and
 * barriers hold; each instruction takes four steps, each access to memory the same time, or a time drawn for
 * its wave. docs/use/sampling.md. Not modelled: use distances, bounds on operations, hits. */
#ifndef WALKWAY_SAMPLE_WAVE_SCHEDULE_HPP
#define WALKWAY_SAMPLE_WAVE_SCHEDULE_HPP

#include "kernels/coalescer.h"
#include "model/start_point.hpp"
#include "trace/wkt.h"

#include <memory>
#include <queue>
#include <string>
#include <vector>

namespace walkway
{

/* The parameters that decide which waves are on a machine together. */
struct residency {
    uint32_t cus, waves, lds_bytes, lds_granule; /* waves, local memory: of a compute unit */
    uint32_t lanes;                              /* 64, or 32: then a wave of 64 lanes runs as two */
    bool compact;                                /* work-groups fill one compute unit before the next */
};

/* Waves in step, or drifting apart: all accesses of a wave take one time, drawn from half to three halves of
 * the time in step. */
struct wave_pace {
    bool drifts = false;
    uint64_t seed = 0;
};

/* Work of a program, or of it so far. */
struct work_done {
    uint64_t pages = 0;        /* pages of 4 KiB in the trace's waves, by record */
    uint64_t instructions = 0; /* wave instructions as the machine issues them */
    uint64_t accesses = 0;     /* records of global memory */
    void add(const work_done &more)
    {
        pages += more.pages;
        instructions += more.instructions;
        accesses += more.accesses;
    }
};

/* Throws std::runtime_error if a work-group of the trace is damaged. */
class wave_schedule
{
public:
    wave_schedule(wkt_reader *trace, const residency &on, const wave_pace &pace);
    ~wave_schedule();
    wave_schedule(const wave_schedule &) = delete;
    wave_schedule &operator=(const wave_schedule &) = delete;

    /* An access to global memory that has been issued; its pages and lines. */
    struct access {
        unsigned unit = 0;
        bool writes = false;
        const ww_coal_out *to = nullptr; /* null: the step was no access */
    };
    /* Takes the next record of any wave. Returns false if the program has ended. */
    bool step(access &a);
    const work_done &done() const { return done_; }
    uint32_t launch() const { return launch_; }
    /* Returns the present place, without recent uses. */
    start_point place() const;

private:
    struct group_run;
    struct wave_run;
    struct due {
        uint64_t at, serial;
        uint32_t wave;
        bool operator>(const due &o) const { return at != o.at ? at > o.at : serial > o.serial; }
    };
    bool begin_launch();
    void dispatch();
    bool fits(unsigned unit, const group_run &g) const;
    void load_group();
    void start(unsigned unit);
    void advance(uint32_t wave, uint64_t from);
    void end_wave(uint32_t wave, uint64_t at);
    void meet_barrier(group_run &g, uint64_t at);
    uint64_t lds_of_launch() const;
    uint64_t pace_of(const wave_run &w) const;

    wkt_reader *trace_;
    residency on_;
    wave_pace pace_;
    uint32_t launches_, launch_ = 0, next_group_ = 0, unit_ = 0;
    bool begun_ = false;
    std::vector<uint32_t> waves_used_;
    std::vector<uint64_t> lds_used_;
    std::vector<std::unique_ptr<group_run>> groups_; /* of all that were ever resident at once */
    std::vector<group_run *> free_groups_;
    group_run *waiting_ = nullptr; /* the next one, loaded, for which no compute unit has room yet */
    std::vector<wave_run> waves_;
    std::vector<uint32_t> free_waves_;
    std::priority_queue<due, std::vector<due>, std::greater<>> due_;
    uint64_t serial_ = 0, now_ = 0;
    ww_coal_in in_{};
    ww_coal_out out_;
    work_done done_;
};

/* Returns the work of each launch. */
std::vector<work_done> work_of_launches(wkt_reader *trace, uint32_t machine_lanes);

} // namespace walkway

#endif
