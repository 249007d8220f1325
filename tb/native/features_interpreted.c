/* SPDX-License-Identifier: MIT */
/* tb/native/features_interpreted.c - images, copies by a whole work-group and printf, for which a native
 * capture may fall back on the interpreter. */
#include "features.h"

#include <string.h>

#define ITEMS 256
#define GROUP 64
#define SIDE 16

static void run_copy(const struct feature *f)
{
    static int a[ITEMS], got[ITEMS], want[ITEMS];
    fill(INT, a, ITEMS);
    memset(got, 0, sizeof got);
    for (int i = 0; i < ITEMS; i++)
        want[i] = f->mode ? a[i / GROUP * GROUP + i % 32 * 2] : a[i / GROUP * GROUP + GROUP - 1 - i % GROUP];
    launch(f->mode ? "kernel void k(global int *a, global int *out) { local int t[64]; size_t first = "
                     "get_group_id(0) * 64, l = get_local_id(0);\n"
                     "  event_t e = async_work_group_strided_copy(t, a + first, 32, 2, 0); "
                     "wait_group_events(1, &e);\n"
                     "  out[first + l] = t[l % 32]; }\n"
                   : "kernel void k(global int *a, global int *out) { local int s[64], t[64]; size_t first = "
                     "get_group_id(0) * 64, l = get_local_id(0);\n"
                     "  event_t e = async_work_group_copy(s, a + first, 64, 0); wait_group_events(1, &e);\n"
                     "  t[63 - l] = s[l]; barrier(CLK_LOCAL_MEM_FENCE);\n"
                     "  e = async_work_group_copy(out + first, t, 64, 0); wait_group_events(1, &e); }\n",
           &SHAPE_1D(ITEMS, GROUP), (const struct arg[]){BUFFER_ARG(a), BUFFER_ARG(got), END_ARG});
    expect(INT, got, want, ITEMS, 0);
}

static struct arg image(enum arg_kind kind, void *data, cl_channel_type type)
{
    return (struct arg){kind, data, 0, {CL_RGBA, type}, SIDE, SIDE};
}

static void run_read_image(const struct feature *f)
{
    static float texels[SIDE * SIDE * 4], got[ITEMS * 4], want[ITEMS * 4];
    (void)f;
    for (int i = 0; i < SIDE * SIDE * 4; i++)
        texels[i] = (float)(next_random() % 1000) / 4;
    memset(got, 0, sizeof got);
    for (int i = 0; i < ITEMS; i++) { /* reads the next column, clamped to the edge */
        const int x = i % SIDE + 1 < SIDE ? i % SIDE + 1 : SIDE - 1;
        memcpy(want + i * 4, texels + (i / SIDE * SIDE + x) * 4, 4 * sizeof(float));
    }
    launch("constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | "
           "CLK_FILTER_NEAREST;\n"
           "kernel void k(read_only image2d_t in, global float4 *out) { int i = get_global_id(0), w = "
           "get_image_width(in);\n"
           "  out[i] = read_imagef(in, s, (int2)(i % w + 1, i / w)); }\n",
           &SHAPE_1D(ITEMS, GROUP),
           (const struct arg[]){image(ARG_IMAGE_READ, texels, CL_FLOAT), BUFFER_ARG(got), END_ARG});
    expect(FLOAT, got, want, ITEMS * 4, 0);
}

static void run_write_image(const struct feature *f)
{
    static int from[SIDE * SIDE * 4], got[SIDE * SIDE * 4], want[SIDE * SIDE * 4];
    (void)f;
    fill(INT, from, SIDE * SIDE * 4);
    memset(got, 0, sizeof got);
    for (int i = 0; i < SIDE * SIDE * 4; i++)
        want[i] = from[(i / 4 % SIDE * SIDE + i / 4 / SIDE) * 4 + i % 4];
    launch("constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
           "kernel void k(read_only image2d_t in, write_only image2d_t out) { int2 p = "
           "(int2)(get_global_id(0), get_global_id(1));\n"
           "  write_imagei(out, p.yx, read_imagei(in, s, p)); }\n",
           &(struct shape){2, {0, 0, 0}, {SIDE, SIDE, 1}, {8, 8, 1}},
           (const struct arg[]){image(ARG_IMAGE_READ, from, CL_SIGNED_INT32),
                                image(ARG_IMAGE_WRITE, got, CL_SIGNED_INT32), END_ARG});
    expect(INT, got, want, SIDE * SIDE * 4, 0);
}

/* Compares the result only; the caller of the program compares the printed text. */
static void run_printf(const struct feature *f)
{
    static int a[ITEMS], got[ITEMS];
    (void)f;
    fill(INT, a, ITEMS);
    memset(got, 0, sizeof got);
    launch("kernel void k(global int *a, global int *out) { int i = get_global_id(0);\n"
           "  if (i % 100 == 3) printf(\"item %d of %u: %x %s %c %5.2f %v4d %%\\n\", i, "
           "(uint)get_global_size(0), a[i], \"text\", 'c', i * 0.5, (int4)(1, 2, 3, i));\n"
           "  out[i] = a[i]; }\n",
           &SHAPE_1D(ITEMS, GROUP), (const struct arg[]){BUFFER_ARG(a), BUFFER_ARG(got), END_ARG});
    expect(INT, got, a, ITEMS, 0);
}

void add_interpreted_features(void)
{
    add_feature((struct feature){"interpreted.copy", run_copy, NULL, INT, INT, 0});
    add_feature((struct feature){"interpreted.strided_copy", run_copy, NULL, INT, INT, 1});
    add_feature((struct feature){"interpreted.read_image", run_read_image, NULL, FLOAT, FLOAT, 0});
    add_feature((struct feature){"interpreted.write_image", run_write_image, NULL, INT, INT, 0});
    add_feature((struct feature){"interpreted.printf", run_printf, NULL, INT, INT, 0});
}
