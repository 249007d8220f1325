/* SPDX-License-Identifier: MIT */
/* tb/native/features_range.c - IDs and sizes that work-items read, for ranges of 1 to 3 dimensions with
 * offsets. */
#include "features.h"

#include <string.h>

#define FIELDS 24
#define MAX_ITEMS 1024

static const char source[] =
    "kernel ATTRIBUTE void k(global uint *out) {\n"
    "  size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1),\n"
    "         z = get_global_id(2) - get_global_offset(2);\n"
    "  global uint *p = out + 24 * ((z * get_global_size(1) + y) * get_global_size(0) + x);\n"
    "  for (uint d = 0; d < 3; d++) {\n"
    "    p[d] = get_global_id(d); p[3 + d] = get_local_id(d); p[6 + d] = get_group_id(d);\n"
    "    p[9 + d] = get_global_size(d); p[12 + d] = get_local_size(d); p[15 + d] = get_num_groups(d);\n"
    "    p[18 + d] = get_global_offset(d); }\n"
    "  p[21] = get_work_dim(); p[22] = get_global_id(3) + get_local_id(5) + get_group_id(4) + "
    "get_global_offset(3);\n"
    "  p[23] = x + y; }\n";

static const struct shape shapes[] = {
    {1, {0, 0, 0}, {100, 1, 1}, {25, 1, 1}},  {1, {1000, 0, 0}, {64, 1, 1}, {16, 1, 1}},
    {2, {0, 0, 0}, {20, 6, 1}, {10, 3, 1}},   {2, {7, 100, 0}, {12, 10, 1}, {3, 5, 1}},
    {3, {0, 0, 0}, {8, 8, 10}, {4, 4, 5}},    {3, {1, 20, 300}, {6, 4, 9}, {3, 2, 3}},
    {3, {5, 0, 2}, {1, 1, 64}, {1, 1, 32}},   {1, {3, 0, 0}, {7, 1, 1}, {1, 1, 1}},
    {2, {0, 0, 0}, {128, 8, 1}, {128, 8, 1}},
};
static const char *const shape_names[] = {"1d",        "1d_offset", "2d",          "2d_offset", "3d",
                                          "3d_offset", "3d_flat",   "groups_of_1", "one_group"};

static void want_of(const struct shape *s, uint32_t *want)
{
    uint32_t *p = want;
    for (size_t z = 0; z < s->global[2]; z++) {
        for (size_t y = 0; y < s->global[1]; y++) {
            for (size_t x = 0; x < s->global[0]; x++, p += FIELDS) {
                const size_t at[] = {x, y, z};
                for (int d = 0; d < 3; d++) {
                    p[d] = (uint32_t)(at[d] + s->offset[d]);
                    p[3 + d] = (uint32_t)(at[d] % s->local[d]);
                    p[6 + d] = (uint32_t)(at[d] / s->local[d]);
                    p[9 + d] = (uint32_t)s->global[d];
                    p[12 + d] = (uint32_t)s->local[d];
                    p[15 + d] = (uint32_t)(s->global[d] / s->local[d]);
                    p[18 + d] = (uint32_t)s->offset[d];
                }
                p[21] = s->dims;
                p[23] = (uint32_t)(x + y);
            }
        }
    }
}

static void run_range(const struct feature *f)
{
    static uint32_t got[MAX_ITEMS * FIELDS], want[MAX_ITEMS * FIELDS];
    const struct shape *s = f->detail;
    memset(got, 0, sizeof got);
    memset(want, 0, sizeof want);
    want_of(s, want);
    const char *attribute = f->mode ? text("__attribute__((reqd_work_group_size(%zu, %zu, %zu)))",
                                           s->local[0], s->local[1], s->local[2])
                                    : "";
    launch(text("#define ATTRIBUTE %s\n%s", attribute, source), s,
           (const struct arg[]){BUFFER_ARG(got), END_ARG});
    expect(UINT, got, want, MAX_ITEMS * FIELDS, 0);
}

/* The sizes of dimensions beyond get_work_dim() are 1. */
static void run_beyond(const struct feature *f)
{
    static uint32_t got[3], want[3] = {1, 1, 1};
    (void)f;
    memset(got, 0, sizeof got);
    launch("kernel void k(global uint *out) { out[0] = get_global_size(3); out[1] = get_local_size(4); "
           "out[2] = get_num_groups(7); }\n",
           &SHAPE_1D(1, 1), (const struct arg[]){BUFFER_ARG(got), END_ARG});
    expect(UINT, got, want, 3, 0);
}

/* Linear IDs, which OpenCL 2.0 added. */
static void run_linear(const struct feature *f)
{
    static uint32_t got[MAX_ITEMS * 2], want[MAX_ITEMS * 2];
    const struct shape *s = f->detail;
    memset(got, 0, sizeof got);
    memset(want, 0, sizeof want);
    uint32_t *p = want;
    for (size_t z = 0; z < s->global[2]; z++)
        for (size_t y = 0; y < s->global[1]; y++)
            for (size_t x = 0; x < s->global[0]; x++, p += 2) {
                p[0] = (uint32_t)((z * s->global[1] + y) * s->global[0] + x);
                p[1] = (uint32_t)((z % s->local[2] * s->local[1] + y % s->local[1]) * s->local[0] +
                                  x % s->local[0]);
            }
    launch_built(
        "-cl-std=CL2.0",
        "kernel void k(global uint *out) {\n  size_t i = get_global_linear_id();\n"
        "  size_t j = ((get_global_id(2) - get_global_offset(2)) * get_global_size(1) + get_global_id(1) -\n"
        "    get_global_offset(1)) * get_global_size(0) + get_global_id(0) - get_global_offset(0);\n"
        "  out[2 * j] = i; out[2 * j + 1] = get_local_linear_id() + get_enqueued_local_size(0) - "
        "get_local_size(0); }\n",
        s, (const struct arg[]){BUFFER_ARG(got), END_ARG});
    expect(UINT, got, want, MAX_ITEMS * 2, 0);
}

/* The runtime chooses the work-group size, which must divide the range; each item must get its own ID. */
static void run_free_group(const struct feature *f)
{
    static uint32_t got[MAX_ITEMS], want[MAX_ITEMS];
    const struct shape s = {2, {3, 0, 0}, {30, 14, 1}, {0, 0, 0}};
    (void)f;
    memset(got, 0, sizeof got);
    memset(want, 0, sizeof want);
    for (int i = 0; i < 30 * 14; i++)
        want[i] = 1;
    launch("kernel void k(global uint *out) {\n"
           "  size_t x = get_group_id(0) * get_local_size(0) + get_local_id(0), y = get_group_id(1) * "
           "get_local_size(1) + get_local_id(1);\n"
           "  out[y * 30 + x] += x + 3 == get_global_id(0) && y == get_global_id(1) && get_num_groups(0) * "
           "get_local_size(0) == 30; }\n",
           &s, (const struct arg[]){BUFFER_ARG(got), END_ARG});
    expect(UINT, got, want, MAX_ITEMS, 0);
}

/* OpenCL 2.0 allows a smaller last group: 3 groups of 32 and one of 4. */
static void run_non_uniform(const struct feature *f)
{
    static uint32_t got[100 * 3], want[100 * 3];
    (void)f;
    memset(got, 0, sizeof got);
    for (uint32_t i = 0; i < 100; i++) {
        want[i * 3] = i % 32;
        want[i * 3 + 1] = i < 96 ? 32 : 4;
        want[i * 3 + 2] = i / 32;
    }
    launch_built("-cl-std=CL2.0",
                 "kernel void k(global uint *out) { size_t i = get_global_id(0);\n"
                 "  out[i * 3] = get_local_id(0); out[i * 3 + 1] = get_local_size(0); out[i * 3 + 2] = "
                 "get_group_id(0); }\n",
                 &SHAPE_1D(100, 32), (const struct arg[]){BUFFER_ARG(got), END_ARG});
    expect(UINT, got, want, 300, 0);
}

void add_range_features(void)
{
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        add_feature((struct feature){text("range.%s", shape_names[i]), run_range, &shapes[i], UINT, UINT, 0});
        add_feature((struct feature){text("range.%s_required", shape_names[i]), run_range, &shapes[i], UINT,
                                     UINT, 1});
        add_feature(
            (struct feature){text("range.%s_linear", shape_names[i]), run_linear, &shapes[i], UINT, UINT, 0});
    }
    add_feature((struct feature){"range.beyond", run_beyond, NULL, UINT, UINT, 0});
    add_feature((struct feature){"range.free_group", run_free_group, NULL, UINT, UINT, 0});
    add_feature((struct feature){"range.non_uniform", run_non_uniform, NULL, UINT, UINT, 0});
}
