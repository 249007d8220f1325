/* SPDX-License-Identifier: MIT */
/* workloads/nw/nw.c - NW of Rodinia: global alignment of two sequences of N letters, in tiles of BLOCK x
 * BLOCK, one launch per diagonal of tiles: 2 N / BLOCK - 1 launches. Default N = 8192, BLOCK = 16: 512.1 MiB
 * touched (MICRO'18 Table II says 531.82). The suite's third matrix, which nothing touches, is omitted. */
#include "common/bench.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ARG_N, ARG_BLOCK, ARG_PENALTY, ARGS };

static struct ww_arg table[ARGS] = {
    [ARG_N] =
        {.name = "N", .text = "letters, a multiple of the block", .value = 8192, .min = 16, .max = 32768},
    [ARG_BLOCK] = {.name = "--block", .text = "tile edge and work-group", .choices = {"16", "64"}},
    [ARG_PENALTY] = {.name = "--penalty", .text = "cost of a gap", .value = 10, .min = 0, .max = 1000},
};

/* The part of BLOSUM62 that letters 1 to 10 index. */
#define LETTERS 11
static const int8_t blosum62[LETTERS][LETTERS] = {
    {4, -1, -2, -2, 0, -1, -1, 0, -2, -1, -1},  {-1, 5, 0, -2, -3, 1, 0, -2, 0, -3, -2},
    {-2, 0, 6, 1, -3, 0, 0, 0, 1, -3, -3},      {-2, -2, 1, 6, -3, 0, 2, -1, -1, -3, -4},
    {0, -3, -3, -3, 9, -3, -4, -3, -3, -1, -1}, {-1, 1, 0, 0, -3, 5, 2, -2, 0, -3, -2},
    {-1, 0, 0, 2, -4, 2, 5, -2, 0, -3, -3},     {0, -2, 0, -1, -3, -2, -2, 6, -2, -4, -4},
    {-2, 0, 1, -1, -3, 0, 0, -2, 8, -3, -3},    {-1, -3, -3, -3, -1, -3, -3, -4, -3, 4, 2},
    {-1, -2, -3, -4, -1, -2, -3, -4, -3, 2, 4},
};

struct nw {
    uint32_t n, columns; /* columns = n + 1, the row pitch */
    uint32_t block, tiles;
    int32_t penalty;
    int32_t *reference, *matrix;
};

/* Makes the suite's input: two random sequences, their scores, and gaps along the first row and column. */
static void fill(struct nw *w)
{
    const size_t c = w->columns;
    srand(7);
    for (size_t i = 1; i < c; i++) {
        w->matrix[i * c] = rand() % 10 + 1;
    }
    for (size_t j = 1; j < c; j++) {
        w->matrix[j] = rand() % 10 + 1;
    }
    for (size_t i = 1; i < c; i++) {
        for (size_t j = 1; j < c; j++) {
            w->reference[i * c + j] = blosum62[w->matrix[i * c]][w->matrix[j]];
        }
    }
    for (size_t i = 1; i < c; i++) {
        w->matrix[i * c] = -(int32_t)i * w->penalty;
        w->matrix[i] = -(int32_t)i * w->penalty;
    }
}

static int32_t max(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static void align_on_host(struct nw *w)
{
    const size_t c = w->columns;
    for (size_t i = 1; i < c; i++) {
        for (size_t j = 1; j < c; j++) {
            int32_t north_west = w->matrix[(i - 1) * c + j - 1] + w->reference[i * c + j];
            int32_t west = w->matrix[i * c + j - 1] - w->penalty;
            int32_t north = w->matrix[(i - 1) * c + j] - w->penalty;
            w->matrix[i * c + j] = max(north_west, max(west, north));
        }
    }
}

/* Launches the diagonals of tiles one after the other, each with one work-group per tile. */
static void align_on_device(struct ww_bench *b, const struct nw *w, const struct ww_array *reference,
                            const struct ww_array *matrix)
{
    const struct ww_param from = ww_buffer(reference), to = ww_buffer(matrix);
    const struct ww_param columns = ww_u32(w->columns), penalty = ww_i32(w->penalty);
    for (uint32_t diagonal = 1; diagonal <= w->tiles; diagonal++) {
        ww_launch(b, "nw_grow", ww_1d((size_t)diagonal * w->block, w->block), from, to, columns, penalty,
                  ww_u32(diagonal));
    }
    for (uint32_t diagonal = w->tiles - 1; diagonal >= 1; diagonal--) {
        ww_launch(b, "nw_shrink", ww_1d((size_t)diagonal * w->block, w->block), from, to, columns, penalty,
                  ww_u32(diagonal), ww_u32(w->tiles));
    }
}

static const struct ww_preset presets[] = {
    {"demo", "full waves, rows of 1 KiB", "256 --block 64"},
    {"hpca14", "reduced, not published; the suite's of CUDA", "2048"},
    {"micro18", "the suite's; Table II has 531.82 MB, which no size gives", "8192"},
    {"micro21", "255 launches as in Table 2, in its 16 KB of LDS", "2048"},
    {"pact24", "within the 214 to 1024 MB of the paper", "8192"},
    {"default", "the suite's of OpenCL", "8192"},
    {NULL, NULL, NULL},
};

int main(int argc, char **argv)
{
    struct ww_args args = {.program = "nw",
                           .summary = "Needleman-Wunsch alignment of two sequences, tile by tile",
                           .table = table,
                           .count = ARGS,
                           .suite = "Rodinia",
                           .presets = presets};
    struct ww_bench b;
    ww_bench_open(&b, &args, argc, argv);
    struct nw w = {.n = table[ARG_N].value, .penalty = (int32_t)table[ARG_PENALTY].value};
    w.block = table[ARG_BLOCK].value == 0 ? 16 : 64;
    w.columns = w.n + 1;
    w.tiles = w.n / w.block;
    if (w.n % w.block != 0) {
        ww_args_refuse(&args, "N must be a multiple of %" PRIu32 ", not %" PRIu32, w.block, w.n);
    }

    struct ww_array *reference = ww_bench_matrix(&b, "reference", WW_INT, w.columns, w.columns);
    struct ww_array *matrix = ww_bench_matrix(&b, "matrix", WW_INT, w.columns, w.columns);
    ww_bench_begin(&b);
    w.reference = reference->data;
    w.matrix = matrix->data;
    fill(&w);

    ww_bench_define(&b, "BLOCK", w.block);
    ww_bench_start(&b);
    ww_ocl_need_local(&b.ocl,
                      ((size_t)(w.block + 1) * (w.block + 1) + (size_t)w.block * w.block) * sizeof(int32_t));
    align_on_device(&b, &w, reference, matrix);
    align_on_host(&w);
    ww_bench_check(&b, matrix);
    return ww_bench_close(&b, "N=%" PRIu32 " block %" PRIu32 ", penalty %" PRId32, w.n, w.block, w.penalty);
}
