/* SPDX-License-Identifier: MIT */
/* tb/cli/make_trace.cpp - writes a small trace: 2 launches of 3 work-groups of 2 waves; each wave loads with
 * a stride, loads from scattered addresses, stores, and executes a barrier. Usage: make_trace FILE */
#include "trace/wkt.h"

#include <cstdio>
#include <cstdlib>

static void must(int status, const wkt_error &error)
{
    if (status == WKT_OK)
        return;
    std::fprintf(stderr, "make_trace: %s\n", error.text);
    std::exit(1);
}

static void write_wave(wkt_writer *w, uint64_t base_va, uint32_t wave)
{
    wkt_error error{};
    must(wkt_writer_wave(w, UINT64_MAX, &error), error);
    wkt_record r{};
    r.mask = UINT64_MAX;
    r.bytes = 4;
    r.compute = 5;
    for (uint32_t i = 0; i < 4; ++i) {
        r.pc = 8 * i;
        r.kind = i == 2 ? WKT_STORE : i == 3 ? WKT_BARRIER : WKT_LOAD;
        r.use = i < 2 ? 2 : WKT_USE_NEVER;
        if (i == 3)
            r.bytes = 0;
        for (uint64_t lane = 0; lane < WKT_WAVE_LANES; ++lane)
            r.va[lane] = base_va + (i == 1 ? (lane * 7919 + wave) % 1024 * 4096 : lane * 4096);
        must(wkt_writer_record(w, &r, &error), error);
    }
    must(wkt_writer_tail(w, 3, &error), error);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 1;
    wkt_error error{};
    wkt_writer_cfg cfg{};
    cfg.program = "made";
    cfg.command = "made 1 2";
    cfg.producer = "make_trace";
    wkt_writer *w = nullptr;
    must(wkt_writer_open(argv[1], &cfg, &w, &error), error);
    wkt_buffer buffer{};
    buffer.base_va = uint64_t{1} << 32;
    buffer.bytes = 1024 * 4096;
    uint32_t number = 0;
    must(wkt_writer_buffer(w, &buffer, &number, &error), error);
    for (int l = 0; l < 2; ++l) {
        wkt_launch launch{};
        std::snprintf(launch.name, sizeof launch.name, "kernel_%d", l);
        launch.grid[0] = 384;
        launch.group[0] = 128;
        launch.grid[1] = launch.grid[2] = launch.group[1] = launch.group[2] = 1;
        launch.code_bytes = 80;
        must(wkt_writer_launch_begin(w, &launch, &error), error);
        for (int g = 0; g < 3; ++g) {
            must(wkt_writer_group_begin(w, &error), error);
            write_wave(w, buffer.base_va, 0);
            write_wave(w, buffer.base_va, 1);
            must(wkt_writer_group_end(w, &error), error);
        }
        must(wkt_writer_launch_end(w, &error), error);
    }
    must(wkt_writer_finish(w, false, &error), error);
    return 0;
}
