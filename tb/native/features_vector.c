/* SPDX-License-Identifier: MIT */
/* tb/native/features_vector.c - shuffle, swizzles, geometry, vload and vstore of every element type, width
 * and address space, and vload and vstore of halves with each rounding. */
#include "features_widths.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define ITEMS 40
static const unsigned widths_of_vectors[] = {2, 3, 4, 8, 16};

/* The mask selects elements of x, or of x and y; its higher bits are ignored. */
static void run_shuffle(const struct feature *f)
{
    static char x[ITEMS * 16 * 8], y[sizeof x], mask[sizeof x], got[sizeof x], want[sizeof x];
    const unsigned from = (unsigned)f->mode & 31, to = (unsigned)f->mode >> 5 & 31;
    const bool two = (f->mode >> 10 & 1) != 0;
    const size_t bytes = types[f->from].bytes;
    fill(f->from, x, ITEMS * 16);
    fill(f->from, y, ITEMS * 16);
    fill(f->to, mask, ITEMS * 16);
    memset(got, 0, sizeof got);
    memset(want, 0, sizeof want);
    for (unsigned i = 0; i < ITEMS * to; i++) {
        const unsigned chosen = (unsigned)get_integer(f->to, mask, i) & (two ? 2 * from - 1 : from - 1);
        const char *vector = chosen < from ? x : y;
        memcpy(want + i * bytes, vector + (i / to * from + chosen % from) * bytes, bytes);
    }
    const char *t = types[f->from].name, *m = types[f->to].name;
    launch(text("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                "kernel void k(global %s%u *x, global %s%u *y, global %s%u *mask, global %s%u *out) {\n"
                "  size_t i = get_global_id(0);\n  out[i] = %s; }\n",
                t, from, t, from, m, to, t, to,
                two ? "shuffle2(x[i], y[i], mask[i])" : "shuffle(x[i], mask[i])"),
           &SHAPE_1D(ITEMS, 20),
           (const struct arg[]){BUFFER_ARG(x), BUFFER_ARG(y), BUFFER_ARG(mask), BUFFER_ARG(got), END_ARG});
    expect(f->from, got, want, ITEMS * to, 0);
}

/* vstoreN(vloadN(i, from), i, to), with each pointer one element after an aligned one. */
static const char *const space_sources[] = {
    "kernel void k(global T *a, global T *out) { size_t i = get_global_id(0); VSTORE(VLOAD(i, a + 1), i, out "
    "+ 1); }\n",
    "kernel void k(constant T *a, global T *out) { size_t i = get_global_id(0); VSTORE(VLOAD(i, a + 1), i, "
    "out + 1); }\n",
    "kernel void k(global T *a, global T *out) { size_t i = get_global_id(0), l = get_local_id(0);\n"
    "  local T s[2 * (1 + 20 * N)]; local T *t = s + 1 + 20 * N;\n"
    "  for (int k = 0; k < N; k++) s[1 + l * N + k] = a[1 + i * N + k];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  VSTORE(VLOAD(19 - l, s + 1), 19 - l, t + 1);\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (int k = 0; k < N; k++) out[1 + i * N + k] = t[1 + l * N + k]; }\n",
    "kernel void k(global T *a, global T *out) { size_t i = get_global_id(0); T s[1 + 3 * N], t[1 + 3 * N];\n"
    "  for (int k = 0; k < N; k++) s[1 + i % 3 * N + k] = a[1 + i * N + k];\n"
    "  VSTORE(VLOAD(i % 3, s + 1), (i + 1) % 3, t + 1);\n"
    "  for (int k = 0; k < N; k++) out[1 + i * N + k] = t[1 + (i + 1) % 3 * N + k]; }\n",
};
static const char *const space_names[] = {"global", "constant", "local", "private"};

static void run_load_store(const struct feature *f)
{
    static char a[(ITEMS * 16 + 1) * 8], got[sizeof a], want[sizeof a];
    const unsigned n = (unsigned)f->mode & 31;
    const size_t bytes = types[f->from].bytes;
    fill(f->from, a, ITEMS * 16 + 1);
    memset(got, 0, sizeof got);
    memset(want, 0, sizeof want);
    memcpy(want + bytes, a + bytes, ITEMS * n * bytes);
    launch(text("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                "#define T %s\n#define N %u\n#define VLOAD vload%u\n#define VSTORE vstore%u\n%s",
                types[f->from].name, n, n, n, space_sources[f->mode >> 5]),
           &SHAPE_1D(ITEMS, 20), (const struct arg[]){BUFFER_ARG(a), BUFFER_ARG(got), END_ARG});
    expect(f->from, got, want, ITEMS * 16 + 1, 0);
}

struct half_mode {
    const char *suffix;
    int mode;
};
static const struct half_mode half_modes[] = {{"", FE_TONEAREST},
                                              {"_rte", FE_TONEAREST},
                                              {"_rtz", FE_TOWARDZERO},
                                              {"_rtp", FE_UPWARD},
                                              {"_rtn", FE_DOWNWARD}};
enum { HALF_MODES = 5 };

/* The first element of vector i: those of vloada_half3 are 4 apart. */
static unsigned first_of(unsigned i, unsigned n, bool aligned)
{
    return i * (aligned && n == 3 ? 4 : n);
}

static void run_load_half(const struct feature *f)
{
    static uint16_t halves[ITEMS * 16];
    static float got[ITEMS * 16], want[ITEMS * 16];
    const unsigned n = (unsigned)f->mode & 31;
    const bool aligned = (f->mode >> 5 & 1) != 0;
    for (unsigned i = 0; i < ITEMS * 16; i++)
        halves[i] = (uint16_t)(i < 8 ? i * 0x1fff : next_random());
    memset(want, 0, sizeof want);
    memset(got, 0, sizeof got);
    for (unsigned i = 0; i < ITEMS; i++)
        for (unsigned k = 0; k < n; k++)
            want[i * n + k] = half_to_float(halves[first_of(i, n, aligned) + k]);
    char width[4] = "";
    if (n > 1)
        snprintf(width, sizeof width, "%u", n);
    launch(text("kernel void k(global half *a, global float *out) {\n  size_t i = get_global_id(0);\n"
                "  float%s v = vload%s_half%s(i, a);\n  %s; }\n",
                width, aligned ? "a" : "", width, n > 1 ? text("vstore%u(v, i, out)", n) : "out[i] = v"),
           &SHAPE_1D(ITEMS, 20), (const struct arg[]){BUFFER_ARG(halves), BUFFER_ARG(got), END_ARG});
    expect(FLOAT, got, want, ITEMS * 16, 0);
}

static void run_store_half(const struct feature *f)
{
    static const double corners[] = {65504.0,      65519.0,       65520.0,        1e9,  -1e9,  INFINITY,
                                     NAN,          6e-8,          3e-8,           2e-8, -2e-8, 6.1e-5,
                                     1.0009765625, 1.00048828125, -1.00048828125, 0.0};
    static char values[ITEMS * 16 * 8];
    static uint16_t got[ITEMS * 16], want[ITEMS * 16];
    const unsigned n = (unsigned)f->mode & 31;
    const bool aligned = (f->mode >> 5 & 1) != 0;
    const struct half_mode *rounding = &half_modes[f->mode >> 6];
    fill(f->from, values, ITEMS * 16);
    for (unsigned i = 0; i < ITEMS * 16; i += 2)
        put_real(f->from, values, i, corners[i / 2 % 16]);
    memset(want, 0, sizeof want);
    memset(got, 0, sizeof got);
    fesetround(rounding->mode);
    for (unsigned i = 0; i < ITEMS; i++)
        for (unsigned k = 0; k < n; k++)
            want[first_of(i, n, aligned) + k] = double_to_half(get_real(f->from, values, i * n + k));
    fesetround(FE_TONEAREST);
    char width[4] = "";
    if (n > 1)
        snprintf(width, sizeof width, "%u", n);
    launch(text("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                "kernel void k(global %s *a, global half *out) {\n  size_t i = get_global_id(0);\n"
                "  vstore%s_half%s%s(%s, i, out); }\n",
                types[f->from].name, aligned ? "a" : "", width, rounding->suffix,
                n > 1 ? text("vload%u(i, a)", n) : "a[i]"),
           &SHAPE_1D(ITEMS, 20), (const struct arg[]){BUFFER_ARG(values), BUFFER_ARG(got), END_ARG});
    expect(HALF, got, want, ITEMS * 16, 0);
}

struct geometry {
    const char *name, *expression;
    int results; /* per vector of n: 1, or n */
    double (*value)(const double *x, const double *y, unsigned n, unsigned k);
    unsigned widths; /* bit n - 1: has vectors of n */
};

static double dot_(const double *x, const double *y, unsigned n, unsigned k)
{
    double s = 0;
    (void)k;
    for (unsigned i = 0; i < n; i++)
        s += x[i] * y[i];
    return s;
}

static double length_(const double *x, const double *y, unsigned n, unsigned k)
{
    (void)y;
    return sqrt(dot_(x, x, n, k));
}

static double distance_(const double *x, const double *y, unsigned n, unsigned k)
{
    double d[4];
    for (unsigned i = 0; i < n; i++)
        d[i] = x[i] - y[i];
    return length_(d, d, n, k);
}

static double normalize_(const double *x, const double *y, unsigned n, unsigned k)
{
    return x[k] / length_(x, y, n, k);
}

static double cross_(const double *x, const double *y, unsigned n, unsigned k)
{
    (void)n;
    return k == 3 ? 0 : x[(k + 1) % 3] * y[(k + 2) % 3] - x[(k + 2) % 3] * y[(k + 1) % 3];
}

static const struct geometry geometries[] = {
    {"dot", "dot(x, y)", 1, dot_, 15},
    {"length", "length(x)", 1, length_, 15},
    {"distance", "distance(x, y)", 1, distance_, 15},
    {"normalize", "normalize(x)", 0, normalize_, 15},
    {"cross", "cross(x, y)", 0, cross_, 12},
    {"fast_length", "fast_length(x)", 1, length_, 15},
    {"fast_distance", "fast_distance(x, y)", 1, distance_, 15},
    {"fast_normalize", "fast_normalize(x)", 0, normalize_, 15},
};

static void run_geometry(const struct feature *f)
{
    static char x[ITEMS * 4 * 8], y[sizeof x], got[sizeof x], want[sizeof x];
    const struct geometry *g = f->detail;
    const unsigned n = (unsigned)f->mode, results = g->results ? 1 : n;
    const char *type = types[f->from].name;
    memset(got, 0, sizeof got);
    memset(want, 0, sizeof want);
    for (unsigned i = 0; i < ITEMS * 4; i++) { /* whole and small: any order of sums is exact */
        put_real(f->from, x, i, (double)(next_random() % 31) - 14.5);
        put_real(f->from, y, i, (double)(next_random() % 31) - 14.5);
    }
    for (unsigned i = 0; i < ITEMS * results; i++) {
        double a[4], b[4];
        for (unsigned k = 0; k < n; k++) {
            a[k] = get_real(f->from, x, i / results * n + k);
            b[k] = get_real(f->from, y, i / results * n + k);
        }
        put_real(f->from, want, i, g->value(a, b, n, i % results));
    }
    const char *load = n == 1 ? "a[i]" : text("vload%u(i, a)", n),
               *other = n == 1 ? "b[i]" : text("vload%u(i, b)", n);
    const char *width = n == 1 ? "" : text("%u", n);
    launch(
        text("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
             "kernel void k(global %s *a, global %s *b, global %s *out) {\n  size_t i = get_global_id(0);\n"
             "  %s%s x = %s, y = %s;\n  %s; }\n",
             type, type, type, type, width, load, other,
             results == 1 ? text("out[i] = %s", g->expression)
                          : text("vstore%u(%s, i, out)", n, g->expression)),
        &SHAPE_1D(ITEMS, 20), (const struct arg[]){BUFFER_ARG(x), BUFFER_ARG(y), BUFFER_ARG(got), END_ARG});
    expect(f->from, got, want, ITEMS * 4, strncmp(g->name, "fast", 4) == 0 ? 8192 : 2);
}

static void add_shuffles(enum type type)
{
    static const enum type masks[] = {UCHAR, UCHAR, USHORT, USHORT, UINT, UINT,
                                      ULONG, ULONG, USHORT, UINT,   ULONG};
    static const int sizes[] = {2, 4, 8, 16};
    if (type == HALF)
        return;
    for (int from = 0; from < 4; from++) {
        for (int to = 0; to < 4; to++) {
            for (int two = 0; two < 2; two++)
                add_feature((struct feature){
                    text("shuffle%s_%d_to_%d.%s", two ? "2" : "", sizes[from], sizes[to], types[type].name),
                    run_shuffle, NULL, type, masks[type], sizes[from] | sizes[to] << 5 | two << 10});
        }
    }
}

static void add_loads_and_stores(enum type type)
{
    for (int space = 0; space < 4 && type != HALF; space++)
        for (int n = 0; n < 5; n++)
            add_feature((struct feature){
                text("vload_vstore_%s_%u.%s", space_names[space], widths_of_vectors[n], types[type].name),
                run_load_store, NULL, type, type, (int)widths_of_vectors[n] | space << 5});
}

static void add_half_vectors(int n)
{
    const char *width = n > 1 ? text("%d", n) : "";
    for (int aligned = 0; aligned < (n > 1 ? 2 : 1); aligned++) {
        const char *a = aligned ? "a" : "";
        add_feature((struct feature){text("vload%s_half%s", a, width), run_load_half, NULL, HALF, FLOAT,
                                     n | aligned << 5});
        for (int mode = 0; mode < HALF_MODES; mode++)
            for (enum type type = FLOAT; type <= DOUBLE; type++)
                add_feature((struct feature){
                    text("vstore%s_half%s%s.%s", a, width, half_modes[mode].suffix, types[type].name),
                    run_store_half, NULL, type, HALF, n | aligned << 5 | mode << 6});
    }
}

void add_vector_features(void)
{
    for (enum type type = CHAR; type < TYPES; type++) {
        add_shuffles(type);
        add_loads_and_stores(type);
    }
    add_half_vectors(1);
    for (int n = 0; n < 5; n++)
        add_half_vectors((int)widths_of_vectors[n]);
    for (enum type type = FLOAT; type <= DOUBLE; type++)
        for (size_t i = 0; i < sizeof geometries / sizeof geometries[0]; i++)
            for (int n = 1; n <= 4; n++)
                if ((geometries[i].widths >> (n - 1) & 1) &&
                    (type == FLOAT || strncmp(geometries[i].name, "fast", 4) != 0))
                    add_feature((struct feature){text("%s_%d.%s", geometries[i].name, n, types[type].name),
                                                 run_geometry, &geometries[i], type, type, n});
}
