/* SPDX-License-Identifier: MIT */
/* capture/rebuild.hpp - merges the lanes of one wave, which ran one after another, back into lockstep: of the
 * lanes that still have something to run, those at the smallest segment run it together. Barriers hold every
 * lane until all of the wave's have arrived or finished. Measures use distances on the wave's own instruction
 * stream. Memory: the unpacked parts of the logs. Thread-safety: one owner. */
#ifndef WW_CAPTURE_REBUILD_HPP
#define WW_CAPTURE_REBUILD_HPP

#include "capture/address_map.hpp"
#include "capture/lane_log.hpp"
#include "capture/layout.hpp"
#include "trace/wkt.h"

#include <string>
#include <vector>

namespace walkway::capture
{

/* An access of the work-group as a whole (async copies). */
struct group_access {
    uint64_t address;
    uint32_t bytes;
    uint8_t kind;
};

struct rebuild_context {
    const layout *code;
    const address_map *global, *local;
    wkt_packer *packer;
    int status;             /* first failure of the packer */
    uint64_t lanes_dropped; /* accesses outside every buffer */
};

constexpr const char *records_too_large = "a work-group's records exceed 1 GiB";

/* Returns why a packer's failure leaves a work-group unrecorded. */
std::string packing_failure(int status);

class wave_rebuild
{
    struct open_load {
        uint64_t mask, position;
        uint32_t record;
    };

    rebuild_context *ctx = nullptr;
    uint32_t wave = 0, lanes_n = 0;
    uint64_t clock = 0;         /* instructions that the wave has issued */
    uint64_t after_last = 0;    /* clock after the last record */
    uint64_t barrier_lanes = 0; /* waiting lanes */
    uint32_t barrier_pc = none;
    log_reader logs[WKT_WAVE_LANES];
    uint32_t segment_of[WKT_WAVE_LANES];      /* next to run; none: waits, or has no more */
    std::vector<std::vector<open_load>> open; /* by site: loads whose value has not been used yet */
    wkt_record record;

public:
    /* Adds the packer's next wave, of 1 to 64 work-items. Required: wave_number waves were added before; c
     * outlives the use of this object. Sets c.status on failure. */
    void start(rebuild_context &c, uint32_t wave_number, uint32_t lanes);
    /* Sets the lane's next log, which must outlive the run()s that read it. */
    void read(uint32_t lane, const lane_log &log) { logs[lane].begin(log, *ctx->code); }
    /* Runs every lane until it waits at a barrier or its log ends. */
    void run();
    /* Call after run(), before pass_barrier(): records an async copy. Required: accesses are load, store,
     * load, store... A record has as many elements as the wave has lanes; their stores follow in another. */
    void run_group_accesses(const std::vector<group_access> &accesses);
    /* Call after run(): passes the barrier at which lanes wait. Returns false if none waits. */
    bool pass_barrier();
    void finish();

private:
    void run_segment(uint32_t number, uint64_t mask);
    void access(const access_site &s, uint32_t site, uint64_t position, uint64_t mask);
    void dynamic_access(const access_site &s, uint32_t site, uint64_t position, uint64_t mask);
    bool emit(uint32_t pc, uint8_t kind, uint8_t bytes, uint64_t mask, const uint64_t *address,
              uint64_t position, uint32_t site);
    void use(uint32_t site, uint64_t position, uint64_t mask);
};

} // namespace walkway::capture

#endif
