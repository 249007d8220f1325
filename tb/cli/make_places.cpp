/* SPDX-License-Identifier: MIT */
/* tb/cli/make_places.cpp - writes a trace whose translations can be counted by hand: two kernels of one
 * wave each, with one access after another. Usage: make_places FILE [MORE [hostile]]
 *
 *   launch  kernel  pc  access           pages
 *   0       first   0   load, twice      the 16 of buffer 0
 *                   3   store            the first of buffer 1
 *                   6   load             one between buffers 1 and 2, in no buffer
 *   1       again   0   load             the 8 of buffer 3, which is at buffer 0's address
 *                   0   atomic, 3 times  the first of buffer 3
 *   2 ...   more_2  0   load             the first of buffer 1; MORE such kernels with different names
 *
 * hostile: names, and a line of source of 150 letters, contain sequences that a terminal would execute.
 */
#include "trace/wkt.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace
{

constexpr uint64_t page = 4096, base_va = uint64_t{1} << 32;

wkt_error error;

void must(int status)
{
    if (status == WKT_OK)
        return;
    std::fprintf(stderr, "make_places: %s\n", error.text);
    std::exit(1);
}

/* One access of all lanes, spread over `pages` consecutive pages. */
void access(wkt_writer *w, uint32_t pc, wkt_kind kind, uint64_t va, uint64_t pages)
{
    wkt_record r{};
    r.pc = pc;
    r.kind = static_cast<uint8_t>(kind);
    r.bytes = 4;
    r.compute = 2;
    r.use = kind == WKT_STORE ? WKT_USE_NEVER : 1;
    r.mask = UINT64_MAX;
    for (uint64_t lane = 0; lane < WKT_WAVE_LANES; ++lane)
        r.va[lane] = va + lane / (WKT_WAVE_LANES / pages) * page;
    must(wkt_writer_record(w, &r, &error));
}

const char *escape = ""; /* a prefix of names */

void begin(wkt_writer *w, const char *name)
{
    wkt_launch launch{};
    std::snprintf(launch.name, sizeof launch.name, "%s%s", escape, name);
    launch.grid[0] = launch.group[0] = WKT_WAVE_LANES;
    launch.grid[1] = launch.grid[2] = launch.group[1] = launch.group[2] = 1;
    launch.code_bytes = 80;
    must(wkt_writer_launch_begin(w, &launch, &error));
    const std::string file = escape + std::string("a.cl"), text = escape + std::string(150, 'x');
    const wkt_line line{0, 12, file.c_str(), text.c_str()};
    if (*escape != '\0')
        must(wkt_writer_lines(w, &line, 1, &error));
    must(wkt_writer_group_begin(w, &error));
    must(wkt_writer_wave(w, UINT64_MAX, &error));
}

void end(wkt_writer *w)
{
    must(wkt_writer_tail(w, 1, &error));
    must(wkt_writer_group_end(w, &error));
    must(wkt_writer_launch_end(w, &error));
}

uint32_t buffer(wkt_writer *w, uint64_t va, uint64_t pages)
{
    wkt_buffer b{};
    b.base_va = va;
    b.bytes = pages * page;
    uint32_t number = 0;
    must(wkt_writer_buffer(w, &b, &number, &error));
    return number;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 4)
        return 1;
    const int more = argc >= 3 ? std::atoi(argv[2]) : 0;
    if (argc == 4)
        escape = "\x1b]0;owned\x07\x1b[2J";
    const std::string program = escape + std::string("places");
    wkt_writer_cfg cfg{};
    cfg.program = program.c_str();
    cfg.command = program.c_str();
    cfg.producer = program.c_str();
    wkt_writer *w = nullptr;
    must(wkt_writer_open(argv[1], &cfg, &w, &error));
    const uint32_t freed = buffer(w, base_va, 16);
    const uint64_t behind = base_va + 16 * page;
    buffer(w, behind, 4);
    buffer(w, behind + 5 * page, 1); /* no access uses it */

    begin(w, "first");
    access(w, 0, WKT_LOAD, base_va, 16);
    access(w, 0, WKT_LOAD, base_va, 16);
    access(w, 3, WKT_STORE, behind, 1);
    access(w, 6, WKT_LOAD, behind + 4 * page, 1);
    end(w);

    must(wkt_writer_buffer_end(w, freed, &error));
    buffer(w, base_va, 8);
    begin(w, "again");
    access(w, 0, WKT_LOAD, base_va, 8);
    for (int i = 0; i < 3; ++i)
        access(w, 0, WKT_ATOMIC, base_va, 1);
    end(w);
    for (int i = 2; i < more + 2; ++i) {
        begin(w, ("more_" + std::to_string(i)).c_str());
        access(w, 0, WKT_LOAD, behind, 1);
        end(w);
    }
    must(wkt_writer_finish(w, false, &error));
    return 0;
}
