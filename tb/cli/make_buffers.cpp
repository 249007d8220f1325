/* SPDX-License-Identifier: MIT */
/* tb/cli/make_buffers.cpp - writes a trace whose waves load from each buffer in turn, one wave per
 * work-group. Usage: make_buffers FILE WAVES LOADS BYTES:KIND... where KIND is scattered: each lane anywhere;
 * or near: the lanes side by side, each load of a wave at the same place. Buffers are aligned as in captures:
 * to 64 KiB, or, from 2 MiB on, to 2 MiB. */
#include "kernels/bits.h"
#include "trace/wkt.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static void must(int status, const wkt_error &error)
{
    if (status == WKT_OK)
        return;
    std::fprintf(stderr, "make_buffers: %s\n", error.text);
    std::exit(1);
}

struct made_buffer {
    wkt_buffer b;
    bool scattered;
};

static std::vector<made_buffer> buffers_of(int count, char **texts)
{
    std::vector<made_buffer> all;
    uint64_t next_va = uint64_t{1} << 32;
    for (int i = 0; i < count; ++i) {
        const std::string text = texts[i];
        made_buffer made{};
        made.b.bytes = std::stoull(text);
        made.scattered = text.find(":scattered") != std::string::npos;
        const uint64_t align = made.b.bytes >= 2 << 20 ? 2 << 20 : 1 << 16;
        made.b.base_va = (next_va + align - 1) / align * align;
        next_va = made.b.base_va + made.b.bytes;
        all.push_back(made);
    }
    return all;
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 1;
    const auto waves = static_cast<uint32_t>(std::stoul(argv[2])),
               loads = static_cast<uint32_t>(std::stoul(argv[3]));
    std::vector<made_buffer> buffers = buffers_of(argc - 4, argv + 4);
    wkt_error error{};
    const wkt_writer_cfg cfg = {"made", "made", "make_buffers", 0};
    wkt_writer *w = nullptr;
    must(wkt_writer_open(argv[1], &cfg, &w, &error), error);
    for (const made_buffer &made : buffers)
        must(wkt_writer_buffer(w, &made.b, nullptr, &error), error);
    wkt_launch launch{};
    std::snprintf(launch.name, sizeof launch.name, "kernel");
    launch.grid[0] = 64 * waves;
    launch.group[0] = 64;
    launch.grid[1] = launch.grid[2] = launch.group[1] = launch.group[2] = 1;
    must(wkt_writer_launch_begin(w, &launch, &error), error);
    ww_rng random;
    ww_rng_init(&random, 1);
    for (uint32_t wave = 0; wave < waves; ++wave) {
        must(wkt_writer_group_begin(w, &error), error);
        must(wkt_writer_wave(w, UINT64_MAX, &error), error);
        for (uint32_t i = 0; i < loads; ++i) {
            const made_buffer &of = buffers[i % buffers.size()];
            wkt_record r{};
            r.pc = 8 * (i % static_cast<uint32_t>(buffers.size()));
            r.kind = WKT_LOAD;
            r.bytes = 4;
            r.compute = r.use = 1;
            r.mask = UINT64_MAX;
            for (uint64_t lane = 0; lane < WKT_WAVE_LANES; ++lane)
                r.va[lane] = of.b.base_va + (of.scattered ? ww_rng_next(&random) % (of.b.bytes / 4) * 4
                                                          : (wave * 256 + lane * 4) % of.b.bytes);
            must(wkt_writer_record(w, &r, &error), error);
        }
        must(wkt_writer_tail(w, 0, &error), error);
        must(wkt_writer_group_end(w, &error), error);
    }
    must(wkt_writer_launch_end(w, &error), error);
    must(wkt_writer_finish(w, false, &error), error);
    return 0;
}
