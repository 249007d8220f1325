/* SPDX-License-Identifier: MIT */
/* trace/wkt_save.c - writes the contents of a reader to a file; the reader may be that of a file, a source
 * or a view. Memory: one work-group of the reader and one of the writer. */
#include "trace/wkt_pad.h"
#include "trace/wkt_reader_internal.h"

#define LARGE_BYTES (UINT64_C(2) << 20) /* a padded buffer moves by a multiple of it */

/* The buffer whose rows become longer, before and after. */
struct padded {
    struct wkt_pad by; /* pitch_bytes 0: there is none */
    struct wkt_buffer was, is;
};

static struct wkt_buffer buffer_of(const struct wkt_reader *r, const struct padded *p, uint32_t number)
{
    return p->by.pitch_bytes != 0 && p->by.buffer == number ? p->is : r->buffers[number];
}

static void pad_record(const struct padded *p, uint32_t launch, struct wkt_record *record)
{
    if (p->by.pitch_bytes == 0 || record->kind > WKT_ATOMIC || launch < p->was.first_launch ||
        launch >= p->was.end_launch)
        return;
    for (uint32_t lane = 0; lane < WKT_WAVE_LANES; ++lane) {
        const uint64_t offset = record->va[lane] - p->was.base_va;
        if ((record->mask >> lane & 1) != 0 && offset < p->was.bytes)
            record->va[lane] = p->is.base_va + offset + offset / p->by.pitch_bytes * p->by.pad_bytes;
    }
}

static int save_group(struct wkt_reader *r, uint32_t launch, struct wkt_group *g, const struct padded *p,
                      struct wkt_writer *w, struct wkt_error *error)
{
    int status = wkt_writer_group_begin(w, error);
    for (uint32_t wave = 0; wave < wkt_group_waves(g) && !status; wave++) {
        struct wkt_cursor c;
        struct wkt_record record;
        wkt_cursor_start(g, wave, &c);
        status = wkt_writer_wave(w, c.lanes, error);
        while (!status && wkt_next(&c, &record)) {
            pad_record(p, launch, &record);
            status = wkt_writer_record(w, &record, error);
        }
        if (!status && wkt_cursor_failed(&c))
            status = wkt_fail(error, WKT_E_FORMAT, r->path, UINT64_MAX, "a record does not decode");
        if (!status)
            status = wkt_writer_tail(w, c.tail_compute, error);
    }
    return status ? status : wkt_writer_group_end(w, error);
}

/* Writes all buffers in the table's order, which decides their placement. */
static int save_buffers(const struct wkt_reader *r, const struct padded *p, struct wkt_writer *w,
                        struct wkt_error *error)
{
    int status = WKT_OK;
    for (uint32_t i = 0; i < r->info.buffers && !status; i++) {
        const struct wkt_buffer b = buffer_of(r, p, i);
        status = wkt_writer_buffer_stated(w, &b, error);
    }
    return status;
}

static int save_all(struct wkt_reader *r, const struct padded *p, struct wkt_writer *w, struct wkt_group **g,
                    struct wkt_error *error)
{
    int status = save_buffers(r, p, w, error);
    for (uint32_t l = 0; l < r->info.launches && !status; l++) {
        status = wkt_writer_launch_begin(w, &r->launches[l], error);
        uint32_t lines_n;
        const struct wkt_line *lines = wkt_reader_lines(r, l, &lines_n);
        if (!status && lines)
            status = wkt_writer_lines(w, lines, lines_n, error);
        for (uint32_t i = 0; i < r->launches[l].groups && !status; i++) {
            status = wkt_group_load(r, l, i, g, error);
            if (!status)
                status = save_group(r, l, *g, p, w, error);
        }
        if (!status)
            status = wkt_writer_launch_end(w, error);
    }
    return status;
}

static int save(struct wkt_reader *r, const struct padded *p, const char *path, int level,
                struct wkt_error *error)
{
    struct wkt_writer_cfg cfg = {r->info.program, r->info.command, r->info.producer, level};
    struct wkt_writer *w;
    struct wkt_group *g = NULL;
    int status = wkt_writer_open(path, &cfg, &w, error);
    if (status)
        return status;
    const bool all =
        r->info.launches == r->info.whole_launches && r->info.totals.groups == r->info.whole_groups;
    if ((r->view && !all) || r->info.part)
        wkt_writer_part_of(w, r->info.whole_launches, r->info.whole_groups);
    wkt_writer_left_out(w, r->info.lanes_left_out);
    status = wkt_writer_device(w, &r->info.device, error);
    if (!status)
        status = wkt_writer_exit_code(w, r->info.exit_code, error);
    if (!status)
        status = wkt_writer_wave_lanes(w, r->info.wave_lanes, error);
    if (!status)
        status = save_all(r, p, w, &g, error);
    wkt_group_free(g);
    if (status) {
        wkt_writer_abort(w);
        return status;
    }
    return wkt_writer_finish(w, r->info.partial, error);
}

int wkt_reader_save(struct wkt_reader *r, const char *path, int level, struct wkt_error *error)
{
    const struct padded none = {{0, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}};
    return save(r, &none, path, level, error);
}

uint64_t wkt_padded_bytes(uint64_t bytes, const struct wkt_pad *pad)
{
    return bytes == 0 ? 0 : bytes + (bytes - 1) / pad->pitch_bytes * pad->pad_bytes;
}

int wkt_reader_save_padded(struct wkt_reader *r, const struct wkt_pad *pad, const char *path, int level,
                           struct wkt_error *error)
{
    if (pad->buffer >= r->info.buffers || pad->pitch_bytes == 0)
        return wkt_fail(error, WKT_E_ARG, r->path, UINT64_MAX, "there is no such buffer to be padded");
    struct padded p = {*pad, r->buffers[pad->buffer], r->buffers[pad->buffer]};
    uint64_t end_va = 0;
    for (uint32_t i = 0; i < r->info.buffers; ++i)
        if (r->buffers[i].base_va + r->buffers[i].bytes > end_va)
            end_va = r->buffers[i].base_va + r->buffers[i].bytes;
    p.is.base_va = (end_va + LARGE_BYTES - 1) / LARGE_BYTES * LARGE_BYTES + p.was.base_va % LARGE_BYTES;
    p.is.bytes = wkt_padded_bytes(p.was.bytes, pad);
    return save(r, &p, path, level, error);
}
