/* SPDX-License-Identifier: MIT */
/* import/asim_import.c - converts a list's copies and kernels to a trace. Writes thread blocks as work-groups
 * in the file's order, and the buffer table last, when every touched page is known. */
#include "import/asim_lines.h"
#include "import/asim_text.h"
#include "import/asim_warp.h"

#include <stdlib.h>
#include <string.h>

#define STOP_EVERY 16384u /* instructions between two calls of `stop` */

struct importing {
    const struct asim_import_cfg *cfg;
    struct wkt_writer *writer;
    struct wkt_packer *packer;
    struct asim_regions regions;
    struct asim_lines lines;
    struct asim_warp warp;
    struct asim_summary *summary;
    uint64_t bytes_before; /* of the finished kernels */
    uint32_t pc_max;
    uint32_t waves;
};

static int writer_failed(const struct wkt_error *from, struct asim_error *e)
{
    asim_fail(e, from->code, "", 0, "%s", "");
    memcpy(e->text, from->text, sizeof from->text);
    e->output = from->output;
    return from->code;
}

static int stopped(struct asim_error *e)
{
    asim_fail(e, WKT_E_ARG, "", 0, "%s", "");
    e->text[0] = 0;
    return WKT_E_ARG;
}

static uint32_t warps_of(const struct asim_header *h)
{
    return (asim_block_threads(h) + ASIM_LANES - 1) / ASIM_LANES;
}

static int out_of_memory(const char *path, struct asim_error *e)
{
    return asim_fail(e, WKT_E_MEMORY, path, 0, "out of memory");
}

static int begin_launch(struct importing *i, const struct asim_header *h, struct asim_error *e)
{
    struct wkt_launch launch;
    struct wkt_error we;
    memset(&launch, 0, sizeof launch);
    memcpy(launch.name, h->name, sizeof launch.name);
    for (int d = 0; d < 3; d++) {
        launch.grid[d] = h->grid[d] * h->block[d];
        launch.group[d] = h->block[d];
    }
    launch.lds_bytes = h->shmem_bytes;
    i->pc_max = 0;
    i->lines.n = 0;
    i->waves = warps_of(h);
    i->warp.header = h;
    return wkt_writer_launch_begin(i->writer, &launch, &we) ? writer_failed(&we, e) : WKT_OK;
}

static uint64_t block_number(const struct asim_kernel *k)
{
    const uint32_t *grid = k->header.grid;
    return k->block[0] + (uint64_t)grid[0] * (k->block[1] + (uint64_t)grid[1] * k->block[2]);
}

/* Adds all warps first, so that a wave has its warp's number even if the file omits warps. */
static int begin_block(struct importing *i, const struct asim_kernel *k, const char *path,
                       struct asim_error *e)
{
    wkt_packer_begin(i->packer, k->header.block[0]);
    for (uint32_t warp = 0; warp < i->waves; warp++)
        if (wkt_packer_wave(i->packer, asim_warp_lanes(&k->header, warp)) != WKT_OK)
            return out_of_memory(path, e);
    return WKT_OK;
}

static int end_block(struct importing *i, const char *path, struct asim_error *e)
{
    struct wkt_error we;
    int status = wkt_packer_end(i->packer);
    if (status == WKT_E_LIMIT)
        return asim_fail(e, status, path, 0, "a thread block needs more than 1 GiB of records");
    if (status)
        return out_of_memory(path, e);
    i->summary->blocks++;
    return wkt_writer_packed(i->writer, i->packer, &we) ? writer_failed(&we, e) : WKT_OK;
}

static int instruction(struct importing *i, const struct asim_kernel *k, const char *path,
                       struct asim_error *e)
{
    const struct asim_instruction *in = &k->instruction;
    const char *reason = NULL;
    int status = asim_warp_instruction(&i->warp, in, &reason);
    if (status)
        return reason ? asim_fail(e, status, path, in->line, "%s", reason) : out_of_memory(path, e);
    i->pc_max = in->pc > i->pc_max ? in->pc : i->pc_max;
    if (in->bytes && !asim_lines_add(&i->lines, asim_record_pc(in->pc), in->source_line))
        return out_of_memory(path, e);
    if (++i->summary->instructions % STOP_EVERY == 0 && i->cfg->stop &&
        i->cfg->stop(i->cfg->context, i->summary, i->bytes_before + k->bytes_read))
        return stopped(e);
    return WKT_OK;
}

static int blocks(struct importing *i, struct asim_kernel *k, const char *path, struct asim_error *e)
{
    uint64_t last = 0, before = i->summary->blocks;
    bool in_warp = false;
    int event, status = WKT_OK;
    while (!status && (event = asim_kernel_next(k, e)) != ASIM_END) {
        if (event < 0)
            return event;
        if (event != ASIM_INSTRUCTION && in_warp) {
            asim_warp_end(&i->warp);
            in_warp = false;
        }
        if (event == ASIM_BLOCK) {
            uint64_t number = block_number(k);
            i->summary->blocks_disordered += i->summary->blocks > before && number < last;
            last = number;
            status = begin_block(i, k, path, e);
        } else if (event == ASIM_WARP) {
            uint64_t slot = (block_number(k) * i->waves + k->warp) * ASIM_LANES;
            asim_warp_start(&i->warp, k->warp, (uint32_t)(slot % ASIM_LOCAL_SLOTS));
            in_warp = true;
        } else if (event == ASIM_INSTRUCTION) {
            status = instruction(i, k, path, e);
        } else {
            status = end_block(i, path, e);
        }
    }
    const uint32_t *grid = k->header.grid;
    i->summary->blocks_missing += (uint64_t)grid[0] * grid[1] * grid[2] - (i->summary->blocks - before);
    return status;
}

static int kernel(struct importing *i, const char *path, struct asim_error *e)
{
    struct asim_kernel *k;
    struct wkt_error we;
    asim_regions_sort(&i->regions);
    int status = asim_kernel_open(path, i->cfg->misspelt, &k, e);
    if (status)
        return status;
    status = begin_launch(i, &k->header, e);
    if (!status)
        status = blocks(i, k, path, e);
    if (!status) {
        uint64_t code = (uint64_t)i->pc_max + (k->header.sm && k->header.sm < 70 ? 8 : 16);
        if (wkt_writer_code_bytes(i->writer, code > UINT32_MAX ? UINT32_MAX : (uint32_t)code, &we) ||
            wkt_writer_lines(i->writer, i->lines.all, i->lines.n, &we) ||
            wkt_writer_launch_end(i->writer, &we))
            status = writer_failed(&we, e);
        i->summary->launches++;
        i->bytes_before += k->bytes_read;
        i->summary->text_bytes += k->text_bytes;
        i->summary->guessed += k->guessed;
    }
    asim_kernel_close(k);
    return status;
}

static int put_buffer(void *context, struct asim_range range)
{
    struct importing *i = context;
    const struct wkt_buffer buffer = {range.first, range.end - range.first, 0, 0, 0};
    struct wkt_error we;
    return wkt_writer_buffer_always(i->writer, &buffer, &we);
}

static int entries(struct importing *i, const struct asim_list *list, struct asim_error *e)
{
    int status = WKT_OK;
    for (size_t n = 0; n < list->n && !status; n++) {
        const struct asim_entry *entry = &list->entries[n];
        switch (entry->command) {
        case ASIM_COPY:
            i->summary->copies++;
            if (asim_regions_copy(&i->regions, entry->va, entry->bytes) != WKT_OK)
                status = out_of_memory(list->path, e);
            break;
        case ASIM_KERNEL:
            status = kernel(i, entry->text, e);
            if (!status && i->cfg->stop && i->cfg->stop(i->cfg->context, i->summary, i->bytes_before))
                status = stopped(e);
            break;
        case ASIM_OTHER:
            i->summary->commands++;
            break;
        }
    }
    if (!status && asim_regions_each(&i->regions, put_buffer, i) != 0)
        status = out_of_memory(list->path, e);
    return status;
}

int asim_import(const struct asim_list *list, const char *path, const struct asim_import_cfg *cfg,
                struct asim_summary *out, struct asim_error *e)
{
    const struct wkt_writer_cfg writer_cfg = {cfg->program, cfg->command, cfg->producer, cfg->level};
    struct wkt_error we;
    memset(out, 0, sizeof *out);
    struct importing *i = calloc(1, sizeof *i);
    if (!i)
        return out_of_memory(path, e);
    i->cfg = cfg;
    i->summary = out;
    i->packer = wkt_packer_new(cfg->level);
    int status = WKT_OK;
    if (!i->packer)
        status = out_of_memory(path, e);
    else if (wkt_writer_open(path, &writer_cfg, &i->writer, &we) != WKT_OK ||
             wkt_writer_wave_lanes(i->writer, ASIM_LANES, &we) != WKT_OK)
        status = writer_failed(&we, e);
    if (!status) {
        wkt_packer_wave_lanes(i->packer, ASIM_LANES);
        i->warp.packer = i->packer;
        i->warp.regions = &i->regions;
        i->warp.summary = out;
        status = entries(i, list, e);
    }
    if (status)
        wkt_writer_abort(i->writer);
    else if (wkt_writer_finish(i->writer, false, &we) != WKT_OK)
        status = writer_failed(&we, e);
    wkt_packer_free(i->packer);
    asim_regions_free(&i->regions);
    free(i->lines.all);
    asim_warp_free(&i->warp);
    free(i);
    return status;
}
