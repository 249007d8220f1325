/* SPDX-License-Identifier: MIT */
/* trace/wkt_writer.c - streams a trace to disk: header, work-groups in the order of the calls, index,
 * source lines if there are any, footer. The file gets its final name only when it is complete. Memory: one
 * work-group, 16 bytes per group written, at most 176 per launch, 28 per buffer, and the source lines.
 * Thread-safety: one owner. */
#define _POSIX_C_SOURCE 200809L
#include "trace/wkt_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zstd.h>

enum state { IDLE, IN_LAUNCH, IN_GROUP };

struct wkt_writer {
    FILE *file;
    char *path, *temp;
    char *strings[3]; /* program, command, producer */
    enum state state;
    int level;
    uint64_t offset, raw_bytes;
    struct wkt_packer *packer;
    uint32_t wave; /* being written; UINT32_MAX before the first */
    uint32_t launches, buffers, launch_groups, wave_lanes, version;
    uint32_t whole_launches; /* of the trace of which this is a part; 0: no part */
    uint64_t whole_groups, launched_groups, lanes_left_out;
    struct wkt_device device;
    uint32_t exit_code;
    struct wkt_buf launch_table, root_table, buffer_table, group_table; /* roots: of no launch or of all */
    struct wkt_lines_written lines;
    struct wkt_totals totals;
};

static void writer_free(struct wkt_writer *w)
{
    if (w->file)
        fclose(w->file);
    if (w->temp)
        unlink(w->temp); /* fails after a rename, which is harmless */
    wkt_packer_free(w->packer);
    for (int i = 0; i < 3; i++)
        free(w->strings[i]);
    free(w->launch_table.p);
    free(w->root_table.p);
    free(w->buffer_table.p);
    free(w->group_table.p);
    wkt_lines_written_free(&w->lines);
    free(w->path);
    free(w->temp);
    free(w);
}

static int out_of_memory(const struct wkt_writer *w, struct wkt_error *e)
{
    return wkt_fail(e, WKT_E_MEMORY, w->path, UINT64_MAX, "out of memory");
}

static int out_of_order(const struct wkt_writer *w, struct wkt_error *e, const char *call)
{
    return wkt_fail(e, WKT_E_ARG, w->path, UINT64_MAX, "%s called out of order", call);
}

static int put(struct wkt_writer *w, const void *p, size_t n, struct wkt_error *e)
{
    if (n && fwrite(p, 1, n, w->file) != n)
        return wkt_cannot(e, w->temp, w->offset, "write");
    w->offset += n;
    return WKT_OK;
}

static char *copy_string(const char *s, const char *suffix)
{
    size_t n = s ? strlen(s) : 0, m = strlen(suffix);
    char *copy = malloc(n + m + 1);
    if (copy) {
        if (n)
            memcpy(copy, s, n);
        memcpy(copy + n, suffix, m + 1);
    }
    return copy;
}

static void header_start(const struct wkt_writer *w, uint32_t version, uint8_t start[16])
{
    memcpy(start, WKT_MAGIC, 8);
    wkt_put32(start + 8, version);
    wkt_put32(start + 12, w->wave_lanes);
}

static int put_header(struct wkt_writer *w, struct wkt_error *e)
{
    uint8_t header[WKT_HEADER_BYTES];
    header_start(w, w->version, header);
    wkt_put64(header + 16, wkt_hash64(header, 16, 0));
    w->offset = 0;
    return put(w, header, sizeof header, e);
}

int wkt_writer_open(const char *path, const struct wkt_writer_cfg *cfg, struct wkt_writer **out,
                    struct wkt_error *error)
{
    struct wkt_writer *w = calloc(1, sizeof *w);
    if (!w)
        return wkt_fail(error, WKT_E_MEMORY, path, UINT64_MAX, "out of memory");
    w->level = cfg->level;
    w->wave_lanes = WKT_WAVE_LANES;
    w->version = WKT_VERSION_WHOLE;
    w->path = copy_string(path, "");
    char *temp = copy_string(path, ".partial");
    w->packer = wkt_packer_new(cfg->level);
    w->strings[0] = copy_string(cfg->program, "");
    w->strings[1] = copy_string(cfg->command, "");
    w->strings[2] = copy_string(cfg->producer, "");
    int status = WKT_OK;
    if (!w->path || !temp || !w->packer || !w->strings[0] || !w->strings[1] || !w->strings[2]) {
        free(temp);
        status = wkt_fail(error, WKT_E_MEMORY, path, UINT64_MAX, "out of memory");
    } else if (!(w->file = fopen(temp, "wb"))) {
        status = wkt_cannot(error, temp, UINT64_MAX, "create");
        free(temp);
    } else {
        w->temp = temp; /* from here on writer_free() removes the file */
        status = put_header(w, error);
    }
    if (status) {
        writer_free(w);
        return status;
    }
    *out = w;
    return WKT_OK;
}

int wkt_writer_buffer_stated(struct wkt_writer *w, const struct wkt_buffer *b, struct wkt_error *error)
{
    if (!wkt_buf_room(&w->buffer_table, 28))
        return out_of_memory(w, error);
    uint8_t *p = w->buffer_table.p + w->buffer_table.n;
    wkt_put64(p, b->base_va);
    wkt_put64(p + 8, b->bytes);
    wkt_put32(p + 16, b->flags);
    wkt_put32(p + 20, b->first_launch);
    wkt_put32(p + 24, b->end_launch);
    w->buffer_table.n += 28;
    w->buffers++;
    return WKT_OK;
}

/* Adds a buffer that launches from `first` on can see, until it is freed or the trace ends. */
static int buffer_from(struct wkt_writer *w, const struct wkt_buffer *b, uint32_t first,
                       struct wkt_error *error)
{
    const struct wkt_buffer row = {b->base_va, b->bytes, b->flags, first, UINT32_MAX};
    return wkt_writer_buffer_stated(w, &row, error);
}

int wkt_writer_buffer(struct wkt_writer *w, const struct wkt_buffer *b, uint32_t *number,
                      struct wkt_error *error)
{
    if (number)
        *number = w->buffers;
    return buffer_from(w, b, w->launches, error);
}

int wkt_writer_buffer_end(struct wkt_writer *w, uint32_t number, struct wkt_error *error)
{
    if (number >= w->buffers)
        return wkt_fail(error, WKT_E_ARG, w->path, UINT64_MAX, "there is no buffer %u", number);
    wkt_put32(w->buffer_table.p + (size_t)number * 28 + 24, w->launches);
    return WKT_OK;
}

int wkt_writer_buffer_always(struct wkt_writer *w, const struct wkt_buffer *b, struct wkt_error *error)
{
    return buffer_from(w, b, 0, error);
}

int wkt_writer_wave_lanes(struct wkt_writer *w, uint32_t lanes, struct wkt_error *error)
{
    if (w->launches)
        return out_of_order(w, error, "wkt_writer_wave_lanes()");
    if (wkt_packer_wave_lanes(w->packer, lanes) != WKT_OK)
        return wkt_fail(error, WKT_E_ARG, w->path, UINT64_MAX, "waves of %u lanes; there are 32 and 64",
                        lanes);
    w->wave_lanes = lanes;
    if (fseek(w->file, 0, SEEK_SET) != 0)
        return wkt_cannot(error, w->temp, 0, "write");
    return put_header(w, error);
}

void wkt_writer_left_out(struct wkt_writer *w, uint64_t lanes)
{
    w->lanes_left_out = wkt_sum64(w->lanes_left_out, lanes);
}

int wkt_writer_device(struct wkt_writer *w, const struct wkt_device *device, struct wkt_error *error)
{
    if (!wkt_device_legal(device))
        return wkt_fail(error, WKT_E_ARG, w->path, UINT64_MAX,
                        "no device has the type %u, %u compute units and work-groups of at most %u",
                        device->type, device->compute_units, device->group_items);
    w->device = *device;
    return WKT_OK;
}

int wkt_writer_exit_code(struct wkt_writer *w, uint32_t code, struct wkt_error *error)
{
    if (code > WKT_EXIT_CODE_MAX)
        return wkt_fail(error, WKT_E_ARG, w->path, UINT64_MAX, "%u is no exit code", code);
    w->exit_code = code;
    return WKT_OK;
}

void wkt_writer_part_of(struct wkt_writer *w, uint32_t launches, uint64_t groups)
{
    w->whole_launches = launches;
    w->whole_groups = groups;
}

int wkt_writer_launch_begin(struct wkt_writer *w, const struct wkt_launch *l, struct wkt_error *error)
{
    if (w->state != IDLE)
        return out_of_order(w, error, "wkt_writer_launch_begin()");
    if (l->root && !wkt_root_legal(l->root))
        return wkt_fail(error, WKT_E_ARG, w->path, UINT64_MAX, "0x%llx is no root of a page table",
                        (unsigned long long)l->root);
    if (w->launches && (l->root != 0) != (w->root_table.n != 0))
        return wkt_fail(error, WKT_E_ARG, w->path, UINT64_MAX, "launches with and without a root");
    size_t n = WKT_NAME_BYTES + 9 * 4;
    if (!wkt_buf_room(&w->launch_table, n) || !wkt_buf_room(&w->root_table, 8))
        return out_of_memory(w, error);
    uint8_t *p = w->launch_table.p + w->launch_table.n;
    memset(p, 0, n);
    for (size_t i = 0; i + 1 < WKT_NAME_BYTES && l->name[i]; i++)
        p[i] = (uint8_t)l->name[i];
    p += WKT_NAME_BYTES;
    for (int d = 0; d < 3; d++) {
        if (!l->grid[d] || !l->group[d])
            return wkt_fail(error, WKT_E_ARG, w->path, UINT64_MAX, "a launch with an empty dimension");
        wkt_put32(p + 4 * d, l->grid[d]);
        wkt_put32(p + 12 + 4 * d, l->group[d]);
    }
    wkt_put32(p + 24, l->lds_bytes);
    wkt_put32(p + 28, l->code_bytes);
    w->launch_table.n += n;
    if (l->root) {
        wkt_put64(w->root_table.p + w->root_table.n, l->root);
        w->root_table.n += 8;
    }
    w->launches++;
    w->launched_groups = wkt_sum64(w->launched_groups, wkt_launch_groups(l));
    w->launch_groups = 0;
    w->state = IN_LAUNCH;
    return WKT_OK;
}

static uint32_t tile_width(const struct wkt_writer *w)
{
    return wkt_get32(w->launch_table.p + w->launch_table.n - 24);
}

int wkt_writer_group_begin(struct wkt_writer *w, struct wkt_error *error)
{
    if (w->state != IN_LAUNCH)
        return out_of_order(w, error, "wkt_writer_group_begin()");
    wkt_packer_begin(w->packer, tile_width(w));
    w->wave = UINT32_MAX;
    w->state = IN_GROUP;
    return WKT_OK;
}

static int packer_status(const struct wkt_writer *w, int status, struct wkt_error *e)
{
    if (status == WKT_E_MEMORY)
        return out_of_memory(w, e);
    if (status == WKT_E_LIMIT)
        return wkt_fail(e, status, w->path, UINT64_MAX, "a work-group larger than %u MiB", WKT_RAW_MAX >> 20);
    return status ? wkt_fail(e, status, w->path, UINT64_MAX, "an illegal wave or record") : WKT_OK;
}

int wkt_writer_wave(struct wkt_writer *w, uint64_t lanes, struct wkt_error *error)
{
    if (w->state != IN_GROUP)
        return out_of_order(w, error, "wkt_writer_wave()");
    int status = wkt_packer_wave(w->packer, lanes);
    if (status == WKT_OK)
        w->wave++;
    return packer_status(w, status, error);
}

int wkt_writer_record(struct wkt_writer *w, const struct wkt_record *r, struct wkt_error *error)
{
    if (w->state != IN_GROUP)
        return out_of_order(w, error, "wkt_writer_record()");
    return packer_status(w, wkt_packer_record(w->packer, w->wave, r, NULL), error);
}

int wkt_writer_tail(struct wkt_writer *w, uint32_t compute, struct wkt_error *error)
{
    if (w->state != IN_GROUP || w->wave == UINT32_MAX)
        return out_of_order(w, error, "wkt_writer_tail()");
    wkt_packer_tail(w->packer, w->wave, compute);
    return WKT_OK;
}

int wkt_writer_group_end(struct wkt_writer *w, struct wkt_error *error)
{
    if (w->state != IN_GROUP)
        return out_of_order(w, error, "wkt_writer_group_end()");
    w->state = IN_LAUNCH;
    int status = packer_status(w, wkt_packer_end(w->packer), error);
    return status ? status : wkt_writer_packed(w, w->packer, error);
}

int wkt_writer_packed(struct wkt_writer *w, const struct wkt_packer *packer, struct wkt_error *error)
{
    const struct wkt_packed *g = wkt_packer_result(packer);
    if (w->state != IN_LAUNCH || !g)
        return out_of_order(w, error, "wkt_writer_packed()");
    if (g->wave_lanes != w->wave_lanes)
        return wkt_fail(error, WKT_E_ARG, w->path, UINT64_MAX, "waves of %u lanes in a trace of %u",
                        g->wave_lanes, w->wave_lanes);
    if (!wkt_buf_room(&w->group_table, WKT_GROUP_ENTRY_BYTES))
        return out_of_memory(w, error);
    int status = put(w, g->stored, g->stored_bytes, error);
    if (status)
        return status;
    uint8_t *p = w->group_table.p + w->group_table.n;
    wkt_put32(p, g->stored_bytes);
    wkt_put32(p + 4, g->raw_bytes);
    wkt_put64(p + 8, g->hash);
    w->group_table.n += WKT_GROUP_ENTRY_BYTES;
    w->launch_groups++;
    w->raw_bytes += g->raw_bytes;
    wkt_totals_add(&w->totals, &g->totals);
    return WKT_OK;
}

int wkt_writer_code_bytes(struct wkt_writer *w, uint32_t code_bytes, struct wkt_error *error)
{
    if (w->state != IN_LAUNCH)
        return out_of_order(w, error, "wkt_writer_code_bytes()");
    wkt_put32(w->launch_table.p + w->launch_table.n - 8, code_bytes);
    return WKT_OK;
}

int wkt_writer_lines(struct wkt_writer *w, const struct wkt_line *lines, uint32_t n, struct wkt_error *error)
{
    if (w->state != IN_LAUNCH)
        return out_of_order(w, error, "wkt_writer_lines()");
    const int status = wkt_lines_add(&w->lines, w->launches - 1, lines, n);
    if (status == WKT_E_MEMORY)
        return out_of_memory(w, error);
    if (status)
        return wkt_fail(error, status, w->path, UINT64_MAX,
                        status == WKT_E_LIMIT ? "source lines of more than %u MiB"
                                              : "source lines that do not ascend by pc (limit %u MiB)",
                        WKT_LINES_MAX >> 20);
    return WKT_OK;
}

int wkt_writer_launch_end(struct wkt_writer *w, struct wkt_error *error)
{
    if (w->state != IN_LAUNCH)
        return out_of_order(w, error, "wkt_writer_launch_end()");
    wkt_put32(w->launch_table.p + w->launch_table.n - 4, w->launch_groups);
    w->state = IDLE;
    return WKT_OK;
}

static void put_index_head(const struct wkt_writer *w, struct wkt_buf *b, bool partial)
{
    for (int i = 0; i < 3; i++)
        wkt_buf_string(b, w->strings[i]);
    uint8_t *p = b->p + b->n;
    const bool rooted = w->root_table.n && w->version >= WKT_VERSION_DEVICE;
    wkt_put32(p, (partial ? WKT_I_PARTIAL : 0) | (w->whole_launches ? WKT_I_PART : 0) |
                     (rooted ? WKT_I_ROOTED : 0));
    wkt_put32(p + 4, w->launches);
    wkt_put32(p + 8, w->buffers);
    wkt_put64(p + 12, w->raw_bytes);
    wkt_put64(p + 20, w->totals.groups);
    wkt_put64(p + 28, w->totals.waves);
    p += 36;
    for (int k = 0; k < WKT_KINDS; k++) {
        wkt_put64(p + 8 * k, w->totals.records[k]);
        wkt_put64(p + 8 * (WKT_KINDS + k), w->totals.lanes[k]);
    }
    wkt_put64(p + 16 * WKT_KINDS, w->totals.compute);
    p += 16 * WKT_KINDS + 8;
    b->n += WKT_COUNTS_BYTES;
    if (w->version == WKT_VERSION_WHOLE)
        return;
    uint64_t launched = w->launched_groups > w->totals.groups ? w->launched_groups : w->totals.groups;
    wkt_put32(p, w->whole_launches ? w->whole_launches : w->launches);
    wkt_put32(p + 4, 0);
    wkt_put64(p + 8, w->whole_launches ? w->whole_groups : launched);
    wkt_put64(p + 16, w->lanes_left_out);
    b->n += WKT_MISSING_BYTES;
    if (w->version < WKT_VERSION_DEVICE)
        return;
    p += WKT_MISSING_BYTES;
    wkt_put32(p, w->device.type);
    wkt_put32(p + 4, w->device.compute_units);
    wkt_put32(p + 8, w->device.group_items);
    wkt_put32(p + 12, w->exit_code);
    b->n += WKT_DEVICE_BYTES;
}

static int put_lines(struct wkt_writer *w, struct wkt_error *e)
{
    struct wkt_buf stored = {0};
    const int status = wkt_lines_pack(&w->lines, w->launches, w->level, &stored)
                           ? out_of_memory(w, e)
                           : put(w, stored.p, stored.n, e);
    free(stored.p);
    return status;
}

static int put_index(struct wkt_writer *w, bool partial, struct wkt_error *e)
{
    for (uint32_t i = 0; i < w->buffers; i++) { /* never freed: visible up to the last launch */
        uint8_t *end = w->buffer_table.p + (size_t)i * 28 + 24;
        if (wkt_get32(end) == UINT32_MAX)
            wkt_put32(end, w->launches);
    }
    const struct wkt_buf *tables[] = {&w->launch_table, &w->root_table, &w->buffer_table, &w->group_table};
    struct wkt_buf raw = {0}, packed = {0};
    size_t need = 12 + WKT_COUNTS_BYTES + WKT_MISSING_BYTES + WKT_DEVICE_BYTES;
    for (int i = 0; i < 3; i++)
        need += strlen(w->strings[i]);
    for (int i = 0; i < 4; i++)
        need += tables[i]->n;
    int status = WKT_OK;
    if (!wkt_buf_room(&raw, need) || !wkt_buf_room(&packed, ZSTD_compressBound(need))) {
        status = out_of_memory(w, e);
    } else {
        put_index_head(w, &raw, partial);
        for (int i = 0; i < 4; i++) {
            if (tables[i]->n)
                memcpy(raw.p + raw.n, tables[i]->p, tables[i]->n);
            raw.n += tables[i]->n;
        }
        packed.n = ZSTD_compress(packed.p, packed.cap, raw.p, raw.n, w->level ? w->level : 3);
        if (ZSTD_isError(packed.n))
            status = out_of_memory(w, e);
    }
    if (!status) {
        uint8_t footer[WKT_FOOTER_BYTES], start[16];
        header_start(w, wkt_hashed_version(w->version), start);
        wkt_footer(footer, start, w->offset, packed.p, packed.n, raw.n);
        status = put(w, packed.p, packed.n, e);
        if (!status && w->version >= WKT_VERSION_LINES)
            status = put_lines(w, e);
        if (!status)
            status = put(w, footer, sizeof footer, e);
    }
    free(raw.p);
    free(packed.p);
    return status;
}

/* Rewrites the header of a file that states more than version 1: what is missing, roots, device, or lines. */
static int state_version(struct wkt_writer *w, uint32_t version, struct wkt_error *e)
{
    uint64_t end = w->offset;
    w->version = version;
    int status = fseek(w->file, 0, SEEK_SET) == 0 ? put_header(w, e) : WKT_E_IO;
    if (status == WKT_OK && fseek(w->file, 0, SEEK_END) == 0)
        w->offset = end;
    else
        status = wkt_cannot(e, w->temp, 0, "write");
    return status;
}

int wkt_writer_seal(struct wkt_writer *w, bool partial, struct wkt_error *error)
{
    int status = WKT_OK;
    if (partial && w->state == IN_GROUP)
        w->state = IN_LAUNCH;
    if (partial && w->state == IN_LAUNCH)
        status = wkt_writer_launch_end(w, error);
    if (w->state != IDLE)
        status = out_of_order(w, error, "wkt_writer_finish()");
    if (!status && w->lines.lines)
        status = state_version(w, WKT_VERSION_LINES, error);
    else if (!status && (w->device.type || w->exit_code))
        status = state_version(w, WKT_VERSION_DEVICE, error);
    else if (!status && w->root_table.n)
        status = state_version(w, WKT_VERSION_ROOTS, error);
    else if (!status && (partial || w->whole_launches || w->lanes_left_out))
        status = state_version(w, WKT_VERSION_MISSING, error);
    if (!status)
        status = put_index(w, partial, error);
    if (!status && (fflush(w->file) != 0 || fsync(fileno(w->file)) != 0))
        status = wkt_cannot(error, w->temp, w->offset, "write");
    if (!status && rename(w->temp, w->path) != 0)
        status = wkt_cannot(error, w->path, UINT64_MAX, "finish the file");
    return status;
}

int wkt_writer_finish(struct wkt_writer *w, bool partial, struct wkt_error *error)
{
    int status = wkt_writer_seal(w, partial, error);
    writer_free(w);
    return status;
}

int wkt_writer_flush(struct wkt_writer *w, struct wkt_error *error)
{
    return fflush(w->file) == 0 ? WKT_OK : wkt_cannot(error, w->temp, w->offset, "write");
}

void wkt_writer_abort(struct wkt_writer *w)
{
    if (w)
        writer_free(w);
}
