/* SPDX-License-Identifier: MIT */
#include "features_widths.h"

#include <string.h>

static const unsigned width_list[] = {1, 2, 3, 4, 8, 16};

struct widths *new_widths(enum type x, enum type y, enum type z, enum type result)
{
    static struct widths w;
    memset(&w, 0, sizeof w);
    w.x_type = x;
    w.y_type = y;
    w.z_type = z;
    w.result = result;
    fill(x, w.x, WIDTH_INPUTS);
    fill(y, w.y, WIDTH_INPUTS);
    fill(z, w.z, WIDTH_INPUTS);
    return &w;
}

static const char pattern[] =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "#define CAT_(a, b) a##b\n"
    "#define CAT(a, b) CAT_(a, b)\n"
    "#define TN_OF(type, N) CAT(type, N)\n"
    "#define T %s\n#define U %s\n#define V %s\n#define R %s\n"
    "%s\n" /* further lines */
    "#define E(N) (%s)\n"
    "#define POINTED(N, AT) { CAT(T, N) x = ((global CAT(T, N) *)a)[i]; CAT(U, N) y = ((global CAT(U, N) "
    "*)b)[i]; \\\n"
    "  CAT(V, N) z = ((global CAT(V, N) *)c)[i]; ((global CAT(R, N) *)(out + AT * 48))[i] = E(N); }\n"
    "kernel void k(global T *a, global U *b, global V *c, global R *out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  POINTED(, 0) POINTED(2, 1)\n"
    "  { CAT(T, 3) x = vload3(i, a); CAT(U, 3) y = vload3(i, b); CAT(V, 3) z = vload3(i, c); vstore3(E(3), "
    "i, out + 3 * 48); }\n"
    "  POINTED(4, 6) POINTED(8, 10) POINTED(16, 18) }\n";

void launch_widths_with(struct widths *w, const char *lines, const char *expression)
{
    const size_t inputs = WIDTH_INPUTS;
    const struct arg args[] = {
        {.kind = ARG_BUFFER, .data = w->x, .bytes = inputs * types[w->x_type].bytes},
        {.kind = ARG_BUFFER, .data = w->y, .bytes = inputs * types[w->y_type].bytes},
        {.kind = ARG_BUFFER, .data = w->z, .bytes = inputs * types[w->z_type].bytes},
        {.kind = ARG_BUFFER, .data = w->got, .bytes = WIDTH_OUTPUTS * (size_t)types[w->result].bytes},
        END_ARG};
    launch(text(pattern, types[w->x_type].name, types[w->y_type].name, types[w->z_type].name,
                types[w->result].name, lines, expression),
           &SHAPE_1D(WIDTH_ITEMS, 16), args);
}

void launch_widths(struct widths *w, const char *expression)
{
    launch_widths_with(w, "", expression);
}

unsigned width_of(size_t i)
{
    size_t before = 0, n = 0;
    while (i >= before + WIDTH_ITEMS * (size_t)width_list[n])
        before += WIDTH_ITEMS * (size_t)width_list[n++];
    return width_list[n];
}

size_t width_input(size_t i)
{
    size_t before = 0;
    for (size_t n = 0; width_list[n] < width_of(i); n++)
        before += WIDTH_ITEMS * (size_t)width_list[n];
    return i - before;
}

void expect_widths(const struct widths *w, double ulp)
{
    expect(w->result, w->got, w->want, WIDTH_OUTPUTS, ulp);
}
