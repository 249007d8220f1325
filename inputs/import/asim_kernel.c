/* SPDX-License-Identifier: MIT */
/* import/asim_kernel.c - reads a kernel's trace as a stream of events: thread blocks, their warps,
 * instructions. Checks that blocks are in the grid and warps in the block, none twice (blocks: in a grid of
 * up to ASIM_SEEN_MAX), and that a warp has as many instructions as announced. */
#include "import/asim_kernel.h"

#include <stdlib.h>

static const char *const outside_words[] = {"#BEGIN_TB", NULL};
static const char *const head_words[] = {"thread block", NULL};
static const char *const body_words[] = {"warp", "#END_TB", NULL};
static const char *const insts_words[] = {"insts", NULL};

uint32_t asim_block_threads(const struct asim_header *h)
{
    return h->block[0] * h->block[1] * h->block[2];
}

uint32_t asim_warp_lanes(const struct asim_header *h, uint32_t warp)
{
    uint32_t threads = asim_block_threads(h), first = warp * ASIM_LANES;
    if (first >= threads)
        return 0;
    return threads - first >= ASIM_LANES ? UINT32_MAX : (1u << (threads - first)) - 1;
}

static int fail_here(const struct asim_reading *r, struct asim_error *e, const char *text)
{
    return asim_fail(e, WKT_E_FORMAT, r->text.path, r->text.line, "%s", text);
}

/* Fails: the line is none of the valid ones. */
static int unexpected(const struct asim_reading *r, const char *p, const char *end, const char *const *valid,
                      const char *what, struct asim_error *e)
{
    const char *equals = memchr(p, '=', (size_t)(end - p));
    if (equals)
        end = equals;
    while (end > p && asim_is_space(end[-1]))
        end--;
    return asim_fail_name(e, r->text.path, r->text.line, p, (size_t)(end - p), valid, what);
}

/* Takes "name = ". */
static bool take_key(const char **at, const char *name)
{
    const char *p = *at;
    if (!asim_take(&p, name))
        return false;
    asim_skip(&p);
    if (!asim_take(&p, "="))
        return false;
    asim_skip(&p);
    *at = p;
    return true;
}

static bool take_last_number(const char *p, uint64_t max, uint32_t *v)
{
    uint64_t n;
    if (!asim_dec(&p, &n) || n > max || (asim_skip(&p), *p != '\n'))
        return false;
    *v = (uint32_t)n;
    return true;
}

static int begin_block(struct asim_reading *r, const char *p, struct asim_error *e)
{
    struct asim_kernel *k = &r->kernel;
    const uint32_t *grid = k->header.grid, *b = k->block;
    if (!asim_scan_3(&p, k->block) || (asim_skip(&p), *p != '\n'))
        return fail_here(r, e, "thread block is not three decimal numbers x,y,z");
    if (b[0] >= grid[0] || b[1] >= grid[1] || b[2] >= grid[2])
        return asim_fail(e, WKT_E_FORMAT, r->text.path, r->text.line,
                         "thread block %u,%u,%u is not of the grid (%u,%u,%u)", b[0], b[1], b[2], grid[0],
                         grid[1], grid[2]);
    if (r->seen) {
        uint64_t number = b[0] + (uint64_t)grid[0] * (b[1] + (uint64_t)grid[1] * b[2]);
        if (r->seen[number / 8] >> number % 8 & 1)
            return asim_fail(e, WKT_E_FORMAT, r->text.path, r->text.line,
                             "thread block %u,%u,%u stands here a second time", b[0], b[1], b[2]);
        r->seen[number / 8] |= (uint8_t)(1u << number % 8);
    }
    r->warps_seen = 0;
    r->state = ASIM_IN_BLOCK;
    return ASIM_BLOCK;
}

static int begin_warp(struct asim_reading *r, const char *p, struct asim_error *e)
{
    uint32_t warps = (asim_block_threads(&r->kernel.header) + ASIM_LANES - 1) / ASIM_LANES;
    if (!take_last_number(p, warps - 1, &r->kernel.warp))
        return asim_fail(e, WKT_E_FORMAT, r->text.path, r->text.line,
                         "warp is no decimal number from 0 to %u", warps - 1);
    if (r->warps_seen >> r->kernel.warp & 1)
        return asim_fail(e, WKT_E_FORMAT, r->text.path, r->text.line, "warp %u stands here a second time",
                         r->kernel.warp);
    r->warps_seen |= 1u << r->kernel.warp;
    r->warp_lanes = asim_warp_lanes(&r->kernel.header, r->kernel.warp);
    r->state = ASIM_WARP_HEAD;
    return WKT_OK;
}

static bool is_instruction(char c)
{
    return asim_digit(c) < 16;
}

/* Reads a line that is no instruction. Returns 0, an event or a negative wkt_status. */
static int read_mark(struct asim_reading *r, const char *p, const char *end, struct asim_error *e)
{
    switch (r->state) {
    case ASIM_OUTSIDE:
        if (asim_is_line(p, "#BEGIN_TB")) {
            r->state = ASIM_BLOCK_HEAD;
            return 0;
        }
        return is_instruction(*p)
                   ? fail_here(r, e,
                               "an instruction outside a thread block; is this a raw trace? Accel-Sim's "
                               "post-traces-processing groups it")
                   : unexpected(r, p, end, outside_words, "not the begin of a thread block (#BEGIN_TB)", e);
    case ASIM_BLOCK_HEAD:
        return take_key(&p, "thread block")
                   ? begin_block(r, p, e)
                   : unexpected(r, p, end, head_words, "not 'thread block = x,y,z'", e);
    case ASIM_IN_BLOCK:
        if (take_key(&p, "warp"))
            return begin_warp(r, p, e);
        if (asim_is_line(p, "#END_TB")) {
            r->state = ASIM_OUTSIDE;
            return ASIM_BLOCK_END;
        }
        if (asim_take(&p, "cluster ")) /* written by Hopper's tracers */
            return 0;
        if (is_instruction(*p) && r->warps_seen)
            return asim_fail(e, WKT_E_FORMAT, r->text.path, r->text.line,
                             "warp %u has more instructions than the %u it states", r->kernel.warp,
                             r->kernel.instructions);
        return unexpected(r, p, end, body_words, "neither 'warp = n' nor #END_TB", e);
    case ASIM_WARP_HEAD:
        if (!take_key(&p, "insts"))
            return unexpected(r, p, end, insts_words, "not 'insts = n'", e);
        if (!take_last_number(p, UINT32_MAX, &r->kernel.instructions))
            return fail_here(r, e, "insts is no decimal number");
        r->left = r->kernel.instructions;
        r->state = ASIM_IN_BLOCK;
        return ASIM_WARP;
    }
    return 0;
}

static int at_end(const struct asim_reading *r, struct asim_error *e)
{
    if (r->state == ASIM_OUTSIDE)
        return ASIM_END;
    return fail_here(r, e, "the file ends inside a thread block: the end is lost");
}

static void progress(struct asim_reading *r)
{
    r->kernel.bytes_read = ww_unpack_taken(r->text.file);
    r->kernel.text_bytes = r->text.text_read;
}

int asim_kernel_next(struct asim_kernel *k, struct asim_error *e)
{
    struct asim_reading *r = k->reading;
    const char *p, *end;
    int status;
    while ((status = asim_text_line(&r->text, &p, &end, e)) == 1) {
        asim_skip(&p);
        if (*p == '\n')
            continue;
        if (r->left) {
            if (!is_instruction(*p))
                return asim_fail(e, WKT_E_FORMAT, r->text.path, r->text.line,
                                 "warp %u states %u instructions; %u of them are missing here, or this line "
                                 "is damaged",
                                 k->warp, k->instructions, r->left);
            k->instruction.line = r->text.line;
            status = asim_read_instruction(r, p, e);
            if (status)
                return status;
            r->left--;
            return ASIM_INSTRUCTION;
        }
        status = read_mark(r, p, end, e);
        if (status) {
            progress(r);
            return status;
        }
    }
    progress(r);
    return status < 0 ? status : at_end(r, e);
}

int asim_kernel_open(const char *path, asim_misspelt_fn misspelt, struct asim_kernel **out,
                     struct asim_error *e)
{
    struct asim_reading *r = calloc(1, sizeof *r);
    if (!r)
        return asim_fail(e, WKT_E_MEMORY, path, 0, "out of memory");
    r->kernel.reading = r;
    r->misspelt = misspelt;
    int status = asim_text_open(&r->text, path, e);
    if (!status)
        status = asim_read_header(r, e);
    if (!status) {
        const uint32_t *grid = r->kernel.header.grid;
        uint64_t plane = (uint64_t)grid[0] * grid[1];
        r->ids = r->kernel.header.version < 3;
        r->blocks = plane > ASIM_SEEN_MAX || grid[2] > ASIM_SEEN_MAX / plane ? 0 : plane * grid[2];
        if (r->blocks && !(r->seen = calloc((size_t)(r->blocks + 7) / 8, 1)))
            status = asim_fail(e, WKT_E_MEMORY, path, 0, "out of memory");
    }
    if (status) {
        asim_kernel_close(&r->kernel);
        return status;
    }
    *out = &r->kernel;
    return WKT_OK;
}

void asim_kernel_close(struct asim_kernel *k)
{
    if (!k)
        return;
    struct asim_reading *r = k->reading;
    asim_text_close(&r->text);
    free(r->seen);
    free(r);
}
