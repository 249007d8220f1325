/* SPDX-License-Identifier: MIT */
/* tb/native/features_memory.c - local memory and barriers (in loops, in called functions), constant memory,
 * and kernel arguments by value. */
#include "features.h"

#include <string.h>

#define ITEMS 256
#define GROUP 64

struct memory {
    const char *name, *source;
    /* Computes `out` from the inputs for one work-group; each array is the group's part. */
    void (*want)(const int *a, const int *b, int *out, int group);
    size_t local_bytes[2]; /* of the local arguments after `out` */
};

static int wrap_add(int x, int y)
{
    return (int)((unsigned)x + (unsigned)y);
}

static void reverse_want(const int *a, const int *b, int *out, int group)
{
    (void)b, (void)group;
    for (int l = 0; l < GROUP; l++)
        out[l] = a[GROUP - 1 - l];
}

static void sum_want(const int *a, const int *b, int *out, int group)
{
    (void)b, (void)group;
    int sum = 0;
    for (int l = 0; l < GROUP; l++)
        sum = wrap_add(sum, a[l]);
    for (int l = 0; l < GROUP; l++)
        out[l] = sum;
}

static void scan_want(const int *a, const int *b, int *out, int group)
{
    (void)b, (void)group;
    int sum = 0;
    for (int l = 0; l < GROUP; l++)
        out[l] = sum = wrap_add(sum, a[l]);
}

static void sort_want(const int *a, const int *b, int *out, int group)
{
    (void)b, (void)group;
    memcpy(out, a, GROUP * sizeof *out);
    for (int i = 1; i < GROUP; i++)
        for (int j = i; j > 0 && out[j - 1] > out[j]; j--) {
            const int t = out[j];
            out[j] = out[j - 1];
            out[j - 1] = t;
        }
}

static void life_want(const int *a, const int *b, int *out, int group)
{
    (void)b;
    int cells[GROUP], next[GROUP];
    for (int l = 0; l < GROUP; l++)
        cells[l] = a[l];
    for (int step = 0; step < 3 + group; step++) {
        for (int l = 0; l < GROUP; l++)
            next[l] = wrap_add(cells[(l + 1) % GROUP], cells[(l + GROUP - 1) % GROUP] ^ cells[l]);
        memcpy(cells, next, sizeof cells);
    }
    memcpy(out, cells, sizeof cells);
}

static void several_want(const int *a, const int *b, int *out, int group)
{
    (void)group;
    for (int l = 0; l < GROUP; l++)
        out[l] = wrap_add(a[63 - l], wrap_add((int)((unsigned char)b[l % 7] * 3u),
                                              (b[31 - l % 32] & 0xffff) / 2 + (a[l % 16] & 0xff)));
}

static void structs_want(const int *a, const int *b, int *out, int group)
{
    (void)group;
    for (int l = 0; l < GROUP; l++)
        out[l] = wrap_add(a[(l + 1) % GROUP], (signed char)b[(l + 2) % GROUP] + (short)a[(l * 3) % GROUP]);
}

static void histogram_want(const int *a, const int *b, int *out, int group)
{
    (void)b, (void)group;
    memset(out, 0, GROUP * sizeof *out);
    for (int l = 0; l < GROUP; l++)
        out[a[l] & 15]++;
}

static void transposed_want(const int *a, const int *b, int *out, int group)
{
    (void)b, (void)group;
    for (int l = 0; l < GROUP; l++)
        out[l] = a[l % 8 * 8 + l / 8];
}

static void chosen_want(const int *a, const int *b, int *out, int group)
{
    (void)b;
    for (int l = 0; l < GROUP; l++)
        out[l] = group & 1 ? a[(l + 1) % GROUP] : a[l];
}

static void fenced_want(const int *a, const int *b, int *out, int group)
{
    (void)group;
    for (int l = 0; l < GROUP; l++)
        out[l] = wrap_add(a[l], b[(l + 5) % GROUP]);
}

#define HEAD                                                                                                 \
    "kernel void k(global int *a, global int *b, global int *out) {\n  int l = get_local_id(0), i = "        \
    "get_global_id(0);\n"

static const struct memory memories[] = {
    {"local_array",
     HEAD "  local int t[64]; t[l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); out[i] = t[63 - l]; }\n",
     reverse_want,
     {0, 0}},
    {"local_argument",
     "kernel void k(global int *a, global int *b, global int *out, local int *t) {\n  int l = "
     "get_local_id(0), i = get_global_id(0);\n"
     "  t[l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); out[i] = t[63 - l]; }\n",
     reverse_want,
     {GROUP * 4, 0}},
    {"local_arguments",
     "kernel void k(global int *a, global int *b, global int *out, local int *t, local char *s) {\n  int l = "
     "get_local_id(0), i = get_global_id(0);\n"
     "  local int *both[2]; both[0] = t; both[1] = t; s[l] = l; t[l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); "
     "out[i] = both[l & 1][s[63 - l]]; }\n",
     reverse_want,
     {GROUP * 4, GROUP}},
    {"reduction",
     HEAD "  local int t[64]; t[l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE);\n"
          "  for (int n = 32; n > 0; n >>= 1) { if (l < n) t[l] += t[l + n]; barrier(CLK_LOCAL_MEM_FENCE); "
          "}\n  out[i] = t[0]; }\n",
     sum_want,
     {0, 0}},
    {"scan",
     HEAD "  local int t[64]; t[l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE);\n"
          "  for (int n = 1; n < 64; n *= 2) { int v = l >= n ? t[l - n] : 0; barrier(CLK_LOCAL_MEM_FENCE); "
          "t[l] += v; barrier(CLK_LOCAL_MEM_FENCE); }\n  out[i] = t[l]; }\n",
     scan_want,
     {0, 0}},
    {"bitonic",
     HEAD "  local int t[64]; t[l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE);\n"
          "  for (int n = 2; n <= 64; n *= 2) for (int j = n / 2; j > 0; j /= 2) {\n"
          "    int p = l ^ j; if (p > l) { int x = t[l], y = t[p]; if ((x > y) == ((l & n) == 0)) { t[l] = "
          "y; t[p] = x; } }\n"
          "    barrier(CLK_LOCAL_MEM_FENCE); }\n  out[i] = t[l]; }\n",
     sort_want,
     {0, 0}},
    {"barrier_in_loop",
     HEAD "  local int t[2][64]; t[0][l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); int n = 0;\n"
          "  for (int step = 0; step < 3 + get_group_id(0); step++) { t[!n][l] = t[n][(l + 1) % 64] + "
          "(t[n][(l + 63) % 64] ^ t[n][l]); n = !n; barrier(CLK_LOCAL_MEM_FENCE); }\n"
          "  out[i] = t[n][l]; }\n",
     life_want,
     {0, 0}},
    {"barrier_in_function",
     "__attribute__((noinline)) int neighbours(local int *t, int l) { int r = t[(l + 1) % 64] + (t[(l + 63) "
     "% 64] ^ t[l]); barrier(CLK_LOCAL_MEM_FENCE); return r; }\n"
     "__attribute__((noinline)) void steps(local int *t, int l, int n) { for (int k = 0; k < n; k++) { int r "
     "= neighbours(t, l); t[l] = r; barrier(CLK_LOCAL_MEM_FENCE); } }\n" HEAD
     "  local int t[64]; t[l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); steps(t, l, 3 + get_group_id(0)); out[i] "
     "= t[l]; }\n",
     life_want,
     {0, 0}},
    {"barrier_in_inlined_function",
     "int neighbours(local int *t, int l) { int r = t[(l + 1) % 64] + (t[(l + 63) % 64] ^ t[l]); "
     "barrier(CLK_LOCAL_MEM_FENCE); return r; }\n" HEAD
     "  local int t[64]; t[l] = a[i]; barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  for (int k = 0; k < 3 + get_group_id(0); k++) { int r = neighbours(t, l); t[l] = r; "
     "barrier(CLK_LOCAL_MEM_FENCE); } out[i] = t[l]; }\n",
     life_want,
     {0, 0}},
    {"barrier_in_branch",
     HEAD "  local int t[64]; t[l] = a[i];\n"
          "  if (get_group_id(0) & 1) { barrier(CLK_LOCAL_MEM_FENCE); out[i] = t[(l + 1) % 64]; } else { "
          "out[i] = t[l]; barrier(CLK_LOCAL_MEM_FENCE); } }\n",
     chosen_want,
     {0, 0}},
    {"private_across_barriers",
     HEAD "  local int t[64]; int p[8]; for (int k = 0; k < 8; k++) p[k] = a[i - l + (l + k * 8) % 64];\n"
          "  for (int k = 0; k < 8; k++) { t[l] = p[(k + l) & 7]; barrier(CLK_LOCAL_MEM_FENCE); p[(k + l) & "
          "7] = t[l]; barrier(CLK_LOCAL_MEM_FENCE); }\n"
          "  t[l] = p[0]; barrier(CLK_LOCAL_MEM_FENCE); out[i] = t[63 - l]; }\n",
     reverse_want,
     {0, 0}},
    {"several_local_arrays",
     HEAD "  local int x[64]; local float y[32]; local uchar z[7]; local short s[4][4];\n"
          "  x[l] = a[i]; if (l < 32) y[l] = (b[i] & 0xffff) / 2; if (l < 7) z[l] = b[i]; if (l < 16) s[l / "
          "4][l % 4] = a[i] & 0xff;\n"
          "  barrier(CLK_LOCAL_MEM_FENCE); out[i] = x[63 - l] + z[l % 7] * 3 + (int)y[31 - l % 32] + s[l % "
          "16 / 4][l % 4]; }\n",
     several_want,
     {0, 0}},
    {"local_structs",
     "typedef struct { int x; char y; short z[2]; } cell_t;\n" HEAD
     "  local cell_t t[64]; cell_t c; c.x = a[i]; c.y = b[i]; c.z[0] = 1; c.z[1] = a[i];\n"
     "  t[l] = c; barrier(CLK_LOCAL_MEM_FENCE); cell_t d = t[(l + 1) % 64]; out[i] = d.x + t[(l + 2) % 64].y "
     "+ t[l * 3 % 64].z[l % 1 + 1]; }\n",
     structs_want,
     {0, 0}},
    {"local_atomics",
     HEAD "  local int n[64]; n[l] = 0; barrier(CLK_LOCAL_MEM_FENCE); atomic_inc(&n[a[i] & 15]); "
          "barrier(CLK_LOCAL_MEM_FENCE); out[i] = n[l]; }\n",
     histogram_want,
     {0, 0}},
    {"local_tile",
     HEAD "  local int tile[8][9]; tile[l / 8][l % 8] = a[i]; barrier(CLK_LOCAL_MEM_FENCE); out[i] = tile[l "
          "% 8][l / 8]; }\n",
     transposed_want,
     {0, 0}},
    {"local_vectors",
     HEAD
     "  local int4 t[16]; if (l < 16) t[l] = vload4(l, a + i - l); barrier(CLK_LOCAL_MEM_FENCE);\n"
     "  int4 v = t[15 - l / 4]; out[i] = l % 4 == 0 ? v.w : l % 4 == 1 ? v.z : l % 4 == 2 ? v.y : v.x; }\n",
     reverse_want,
     {0, 0}},
    {"global_barrier",
     HEAD "  out[i] = a[i]; barrier(CLK_GLOBAL_MEM_FENCE); int x = out[i - l + 63 - l]; "
          "barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE); out[i] = x; }\n",
     reverse_want,
     {0, 0}},
    {"fences",
     HEAD "  prefetch(a + i, 4); mem_fence(CLK_GLOBAL_MEM_FENCE); int x = a[i]; "
          "read_mem_fence(CLK_LOCAL_MEM_FENCE); write_mem_fence(CLK_GLOBAL_MEM_FENCE); out[i] = x + b[i - l "
          "+ (l + 5) % 64]; }\n",
     fenced_want,
     {0, 0}},
};

static void run_memory(const struct feature *f)
{
    const struct memory *m = f->detail;
    static int a[ITEMS], b[ITEMS], got[ITEMS], want[ITEMS];
    fill(INT, a, ITEMS);
    fill(INT, b, ITEMS);
    memset(got, 0, sizeof got);
    for (int group = 0; group < ITEMS / GROUP; group++)
        m->want(a + group * GROUP, b + group * GROUP, want + group * GROUP, group);
    struct arg args[6] = {BUFFER_ARG(a), BUFFER_ARG(b), BUFFER_ARG(got)};
    int count = 3;
    for (int i = 0; i < 2 && m->local_bytes[i]; i++)
        args[count++] = LOCAL_ARG(m->local_bytes[i]);
    args[count] = END_ARG;
    launch(m->source, &SHAPE_1D(ITEMS, GROUP), args);
    expect(INT, got, want, ITEMS, 0);
}

static void run_constant_argument(const struct feature *f)
{
    static int a[ITEMS], table[16], got[ITEMS], want[ITEMS];
    (void)f;
    fill(INT, a, ITEMS);
    fill(INT, table, 16);
    memset(got, 0, sizeof got);
    for (int i = 0; i < ITEMS; i++)
        want[i] = wrap_add(table[a[i] & 15], table[i & 15]);
    launch("kernel void k(global int *a, constant int *table, global int *out) { int i = get_global_id(0);\n"
           "  out[i] = table[a[i] & 15] + table[i & 15]; }\n",
           &SHAPE_1D(ITEMS, GROUP),
           (const struct arg[]){BUFFER_ARG(a), BUFFER_ARG(table), BUFFER_ARG(got), END_ARG});
    expect(INT, got, want, ITEMS, 0);
}

struct by_value {
    int x;
    char y;
    double z;
    int w[3];
};

static void run_struct_argument(const struct feature *f)
{
    static int got[ITEMS], want[ITEMS];
    struct by_value s = {5, 1, 2.5, {7, 8, 9}};
    struct {
        char c[3];
    } small = {{11, 12, 13}};
    (void)f;
    memset(got, 0, sizeof got);
    for (int i = 0; i < ITEMS; i++)
        want[i] = s.x + s.y * 3 + (int)(s.z * 2) + s.w[i % 3] + small.c[i % 3] * 100;
    launch("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
           "typedef struct { int x; char y; double z; int w[3]; } big; typedef struct { char c[3]; } small;\n"
           "kernel void k(big s, global int *out, small t) { int i = get_global_id(0);\n"
           "  s.w[i % 3] += s.x; out[i] = s.w[i % 3] + s.y * 3 + (int)(s.z * 2) + t.c[i % 3] * 100; }\n",
           &SHAPE_1D(ITEMS, GROUP),
           (const struct arg[]){VALUE_ARG(s), BUFFER_ARG(got), VALUE_ARG(small), END_ARG});
    expect(INT, got, want, ITEMS, 0);
}

static void run_scalar_arguments(const struct feature *f)
{
    static double got[ITEMS], want[ITEMS];
    cl_char c = -3;
    cl_uchar uc = 250;
    cl_short s = -300;
    cl_ushort us = 65000;
    cl_long l = -(1L << 40);
    cl_ulong ul = 1UL << 50;
    float r = 0.375f;
    double d = -1e10;
    (void)f;
    memset(got, 0, sizeof got);
    for (int i = 0; i < ITEMS; i++)
        want[i] = i * c + uc + s + us + (double)l + (double)ul + (double)r + d;
    launch("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
           "kernel void k(char c, uchar uc, short s, ushort us, long l, global double *out, ulong ul, float "
           "r, double d) {\n"
           "  int i = get_global_id(0); out[i] = i * c + uc + s + us + (double)l + ul + r + d; }\n",
           &SHAPE_1D(ITEMS, GROUP),
           (const struct arg[]){VALUE_ARG(c), VALUE_ARG(uc), VALUE_ARG(s), VALUE_ARG(us), VALUE_ARG(l),
                                BUFFER_ARG(got), VALUE_ARG(ul), VALUE_ARG(r), VALUE_ARG(d), END_ARG});
    expect(DOUBLE, got, want, ITEMS, 0);
}

static void run_vector_arguments(const struct feature *f)
{
    static float got[ITEMS], want[ITEMS];
    cl_int3 v = {{1, 2, 3}};
    cl_float16 w;
    cl_double2 d = {{0.5, 4}};
    cl_uchar8 b = {{1, 2, 3, 4, 5, 6, 7, 8}};
    (void)f;
    memset(got, 0, sizeof got);
    for (int k = 0; k < 16; k++)
        w.s[k] = (float)(k * k);
    for (int i = 0; i < ITEMS; i++)
        want[i] = (float)(v.s[i % 3] + (int)w.s[i % 16] + (int)(d.s[1] / d.s[0]) + b.s[i % 8]);
    launch("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
           "kernel void k(int3 v, float16 w, global float *out, double2 d, uchar8 b) { int i = "
           "get_global_id(0);\n"
           "  float t[16]; vstore16(w, 0, t); uchar c[8]; vstore8(b, 0, c); int u[3]; vstore3(v, 0, u);\n"
           "  out[i] = u[i % 3] + t[i % 16] + d.y / d.x + c[i % 8]; }\n",
           &SHAPE_1D(ITEMS, GROUP),
           (const struct arg[]){VALUE_ARG(v), VALUE_ARG(w), BUFFER_ARG(got), VALUE_ARG(d), VALUE_ARG(b),
                                END_ARG});
    expect(FLOAT, got, want, ITEMS, 0);
}

/* Elements at dynamic indices, swizzles of odd parts, conversions between widths, and vectors in private
 * arrays. */
static void run_vector_elements(const struct feature *f)
{
    static int a[ITEMS], got[ITEMS], want[ITEMS];
    (void)f;
    fill(INT, a, ITEMS);
    memset(got, 0, sizeof got);
    for (int i = 0; i < ITEMS; i++) {
        const int *v = a + i / 8 * 8, k = i & 7;
        want[i] = wrap_add(v[k], wrap_add(v[7 - k], wrap_add(v[1], v[6]))) ^ (signed char)v[k & 3];
    }
    launch("kernel void k(global int8 *a, global int *out) { int i = get_global_id(0), k = i & 7; int8 v = "
           "a[i / 8];\n"
           "  int8 t[2]; t[i & 1] = v; t[!(i & 1)] = v.s76543210; int4 o = v.odd, h = v.hi; int2 m = "
           "(int2)(o.x, h.z);\n"
           "  char4 c = convert_char4(v.lo & 0xff); v.s07 = (int2)(v.s0, v.s7); c.wz = c.wz;\n"
           "  out[i] = (t[i & 1][k] + t[!(i & 1)][k] + m.x + m.y) ^ ((char *)&c)[k & 3]; }\n",
           &SHAPE_1D(ITEMS, GROUP), (const struct arg[]){BUFFER_ARG(a), BUFFER_ARG(got), END_ARG});
    expect(INT, got, want, ITEMS, 0);
}

void add_memory_features(void)
{
    for (size_t i = 0; i < sizeof memories / sizeof memories[0]; i++)
        add_feature(
            (struct feature){text("memory.%s", memories[i].name), run_memory, &memories[i], INT, INT, 0});
    add_feature((struct feature){"memory.constant_argument", run_constant_argument, NULL, INT, INT, 0});
    add_feature((struct feature){"memory.struct_argument", run_struct_argument, NULL, INT, INT, 0});
    add_feature((struct feature){"memory.scalar_arguments", run_scalar_arguments, NULL, INT, INT, 0});
    add_feature((struct feature){"memory.vector_arguments", run_vector_arguments, NULL, INT, INT, 0});
    add_feature((struct feature){"memory.vector_elements", run_vector_elements, NULL, INT, INT, 0});
}
