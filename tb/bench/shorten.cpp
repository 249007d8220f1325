/* SPDX-License-Identifier: MIT */
/* tb/bench/shorten.cpp - writes the first part of a trace: every launch, work-group and wave, but of each
 * wave only the first 1/DIVISOR of its records (rounded up). As many waves run at once as with the whole
 * trace. Usage: bench_shorten TRACE DIVISOR OUT */
#include "tb/bench/storage.hpp"
#include "trace/wkt.h"

#include <vector>

namespace
{

void must(int status, const wkt_error &error)
{
    if (status != WKT_OK)
        bench::give_up(error.text);
}

void copy_group(wkt_writer *out, wkt_group *group, uint32_t divisor)
{
    wkt_error error;
    must(wkt_writer_group_begin(out, &error), error);
    for (uint32_t w = 0; w < wkt_group_waves(group); ++w) {
        wkt_cursor cursor;
        wkt_cursor_start(group, w, &cursor);
        must(wkt_writer_wave(out, cursor.lanes, &error), error);
        const uint32_t all = cursor.records_left, wanted = (all + divisor - 1) / divisor;
        wkt_record record;
        for (uint32_t i = 0; i < wanted; ++i) {
            if (!wkt_next(&cursor, &record))
                bench::give_up("a record does not decode");
            must(wkt_writer_record(out, &record, &error), error);
        }
        if (wanted == all)
            must(wkt_writer_tail(out, cursor.tail_compute, &error), error);
    }
    must(wkt_writer_group_end(out, &error), error);
}

/* Buffers live from their first launch to their last, so that addresses may be reused. */
void copy_buffers(wkt_reader *in, wkt_writer *out, uint32_t launch, std::vector<uint32_t> &number)
{
    wkt_error error;
    for (uint32_t i = 0; i < wkt_reader_info(in)->buffers; ++i)
        if (launch != 0 && wkt_reader_buffer(in, i)->end_launch == launch)
            must(wkt_writer_buffer_end(out, number[i], &error), error);
    for (uint32_t i = 0; i < wkt_reader_info(in)->buffers; ++i)
        if (wkt_reader_buffer(in, i)->first_launch == launch)
            must(wkt_writer_buffer(out, wkt_reader_buffer(in, i), &number[i], &error), error);
}

} // namespace

int main(int argc, char **argv)
{
    const int divisor = argc == 4 ? std::atoi(argv[2]) : 0;
    if (divisor < 1)
        bench::give_up("usage: bench_shorten TRACE DIVISOR OUT");
    wkt_error error;
    wkt_reader *in = nullptr;
    must(wkt_open(argv[1], &in, &error), error);
    const wkt_info *info = wkt_reader_info(in);
    wkt_writer_cfg cfg{};
    cfg.program = info->program;
    cfg.command = info->command;
    cfg.producer = "bench_shorten";
    wkt_writer *out = nullptr;
    must(wkt_writer_open(argv[3], &cfg, &out, &error), error);
    std::vector<uint32_t> number(info->buffers);
    wkt_group *group = nullptr;
    for (uint32_t l = 0; l < info->launches; ++l) {
        const wkt_launch *launch = wkt_reader_launch(in, l);
        copy_buffers(in, out, l, number);
        must(wkt_writer_launch_begin(out, launch, &error), error);
        for (uint32_t g = 0; g < launch->groups; ++g) {
            must(wkt_group_load(in, l, g, &group, &error), error);
            copy_group(out, group, static_cast<uint32_t>(divisor));
        }
        must(wkt_writer_launch_end(out, &error), error);
    }
    wkt_group_free(group);
    wkt_close(in);
    must(wkt_writer_finish(out, false, &error), error);
    return 0;
}
