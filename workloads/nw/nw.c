/* SPDX-License-Identifier: MIT */
/* workloads/nw/nw.c - NW of Rodinia: global alignment of two sequences of N letters, in tiles of BLOCK x
 * BLOCK, one launch a diagonal of tiles: 2 N / BLOCK - 1 launches. Default N = 8192, BLOCK = 16: 512.2 MiB
 * touched (MICRO'18 Table II says 531.82). The suite's third, never touched matrix is left out. */
#include "common/args.h"
#include "common/check.h"
#include "common/ocl.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { ARG_N, ARG_BLOCK, ARG_PENALTY, ARGS };

static struct ww_arg table[ARGS] = {
    [ARG_N] =
        {.name = "N", .text = "letters, a multiple of the block", .value = 8192, .min = 16, .max = 32768},
    [ARG_BLOCK] = {.name = "--block", .text = "tile edge and work-group", .choices = {"16", "64"}},
    [ARG_PENALTY] = {.name = "--penalty", .text = "cost of a gap", .value = 10, .min = 0, .max = 1000},
};

/* The part of BLOSUM62 that letters 1 to 10 reach. */
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
    size_t count; /* elements of a matrix */
    int32_t *reference, *matrix, *result;
};

static int32_t *new_matrix(size_t count)
{
    int32_t *matrix = calloc(count, sizeof *matrix);
    if (matrix == NULL) {
        fprintf(stderr, "nw: no memory for a matrix of %zu elements\n", count);
        exit(WW_EXIT_OPENCL);
    }
    return matrix;
}

/* The suite's input: two random sequences, their scores, and gaps along the first row and column. */
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

static cl_kernel kernel_of(const struct ww_ocl *o, const struct nw *w, const char *name, cl_mem reference,
                           cl_mem matrix)
{
    cl_kernel kernel = ww_ocl_kernel(o, name);
    ww_ocl_arg_buffer(o, kernel, 0, reference);
    ww_ocl_arg_buffer(o, kernel, 1, matrix);
    ww_ocl_arg_u32(o, kernel, 2, w->columns);
    ww_ocl_arg_u32(o, kernel, 3, (uint32_t)w->penalty);
    return kernel;
}

static void align_on_device(struct nw *w)
{
    const char *sources[] = {ww_kernels_cl};
    char options[32];
    struct ww_ocl o;
    snprintf(options, sizeof options, "-DBLOCK=%" PRIu32, w->block);
    ww_ocl_open(&o, "nw", sources, 1, options);
    ww_ocl_need_local(&o, ((size_t)(w->block + 1) * (w->block + 1) + (size_t)w->block * w->block) * 4);

    cl_mem reference = ww_ocl_upload(&o, w->reference, w->count * sizeof(int32_t));
    cl_mem matrix = ww_ocl_upload(&o, w->matrix, w->count * sizeof(int32_t));
    cl_kernel grow = kernel_of(&o, w, "nw_grow", reference, matrix);
    cl_kernel shrink = kernel_of(&o, w, "nw_shrink", reference, matrix);
    ww_ocl_arg_u32(&o, shrink, 5, w->tiles);
    for (uint32_t diagonal = 1; diagonal <= w->tiles; diagonal++) {
        ww_ocl_arg_u32(&o, grow, 4, diagonal);
        ww_ocl_run(&o, grow, (size_t)diagonal * w->block, w->block);
    }
    for (uint32_t diagonal = w->tiles - 1; diagonal >= 1; diagonal--) {
        ww_ocl_arg_u32(&o, shrink, 4, diagonal);
        ww_ocl_run(&o, shrink, (size_t)diagonal * w->block, w->block);
    }
    ww_ocl_download(&o, matrix, w->result, w->count * sizeof(int32_t));

    ww_ocl_release_kernel(&o, grow);
    ww_ocl_release_kernel(&o, shrink);
    ww_ocl_release(&o, reference);
    ww_ocl_release(&o, matrix);
    ww_ocl_close(&o);
}

int main(int argc, char **argv)
{
    struct ww_args args = {"nw", "Needleman-Wunsch alignment of two sequences, tile by tile", table, ARGS};
    ww_args_parse(&args, argc, argv);
    struct nw w = {.n = table[ARG_N].value, .penalty = (int32_t)table[ARG_PENALTY].value};
    w.block = table[ARG_BLOCK].value == 0 ? 16 : 64;
    w.columns = w.n + 1;
    w.tiles = w.n / w.block;
    w.count = (size_t)w.columns * w.columns;
    if (w.n % w.block != 0) {
        ww_args_refuse(&args, "N must be a multiple of %" PRIu32 ", not %" PRIu32, w.block, w.n);
    }
    w.reference = new_matrix(w.count);
    w.matrix = new_matrix(w.count);
    w.result = new_matrix(w.count);

    fill(&w);
    align_on_device(&w);
    align_on_host(&w);
    struct ww_check check = {.program = "nw"};
    ww_check_ints(&check, "matrix", w.matrix, w.result, w.count, w.columns);
    free(w.reference);
    free(w.matrix);
    free(w.result);
    return ww_check_end(&check, "N=%" PRIu32 " block %" PRIu32 ", penalty %" PRId32, w.n, w.block, w.penalty);
}
