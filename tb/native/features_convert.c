/* SPDX-License-Identifier: MIT */
/* tb/native/features_convert.c - convert_* between all types, with each rounding and saturated, and as_*.
 * What OpenCL leaves undefined (a real outside the integer's range, not saturated) is tested in hostile.c
 * only. */
#include "features_widths.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

struct rounding {
    const char *suffix;
    int mode; /* of fenv.h; -1: the default, towards zero for integers and to nearest for reals */
};
static const struct rounding roundings[] = {
    {"", -1}, {"_rte", FE_TONEAREST}, {"_rtz", FE_TOWARDZERO}, {"_rtp", FE_UPWARD}, {"_rtn", FE_DOWNWARD}};
enum { ROUNDINGS = sizeof roundings / sizeof roundings[0], SATURATED = ROUNDINGS };

static wide clamped(enum type to, wide value)
{
    return value < type_min(to) ? type_min(to) : value > type_max(to) ? type_max(to) : value;
}

static wide real_to_integer(enum type to, double value)
{
    if (isnan(value))
        return 0;
    const double whole = rint(value);
    if (whole >= 0x1p100)
        return type_max(to);
    return whole <= -0x1p100 ? type_min(to) : clamped(to, (wide)whole);
}

/* Without saturation, OpenCL leaves a value undefined that is not in the type's range after rounding. */
static bool is_defined(const struct feature *f, double value)
{
    if (f->mode >= SATURATED)
        return true;
    const double whole = rint(value);
    return fabs(whole) < 0x1p100 && (wide)whole >= type_min(f->to) && (wide)whole <= type_max(f->to);
}

static void convert_one(const struct feature *f, const struct widths *w, size_t from, void *out, size_t i)
{
    if (f->from < INTEGERS && f->to < INTEGERS) {
        const wide value = get_integer(f->from, w->x, from);
        put_integer(f->to, out, i, f->mode >= SATURATED ? clamped(f->to, value) : value);
    } else if (f->from < INTEGERS) {
        const volatile long double exact = (long double)get_integer(f->from, w->x, from); /* exact */
        if (f->to == FLOAT)
            ((float *)out)[i] = (float)exact;
        else if (f->to == DOUBLE)
            ((double *)out)[i] = (double)exact;
        else
            put_real(HALF, out, i, (double)exact);
    } else if (f->to < INTEGERS) {
        put_integer(f->to, out, i, real_to_integer(f->to, get_real(f->from, w->x, from)));
    } else {
        put_real(f->to, out, i, get_real(f->from, w->x, from));
    }
}

static void add_real_corners(const struct feature *f, struct widths *w)
{
    static const double corners[] = {127.5,   128.0,        -128.5,        255.5,        32767.5,   -32769.0,
                                     65535.5, 2147483647.5, -2147483649.0, 4294967295.5, 0x1p63,    -0x1p63,
                                     0x1p64,  1e30,         -1e30,         INFINITY,     -INFINITY, NAN,
                                     0.5,     1.5,          -0.5,          -1.5,         1e-10,     -1e-10,
                                     65520.0, 65519.0,      6e-8,          2e-8,         1e-5};
    for (size_t i = 0; i < WIDTH_INPUTS; i += 3)
        put_real(f->from, w->x, i, corners[next_random() % (sizeof corners / sizeof corners[0])]);
}

static void run_convert(const struct feature *f)
{
    const struct rounding *rounding = &roundings[f->mode % ROUNDINGS];
    struct widths *w = new_widths(f->from, CHAR, CHAR, f->to);
    const int mode = rounding->mode >= 0 ? rounding->mode : f->to < INTEGERS ? FE_TOWARDZERO : FE_TONEAREST;
    if (f->from >= INTEGERS)
        add_real_corners(f, w);
    fesetround(mode);
    for (size_t i = 0; f->from >= INTEGERS && f->to < INTEGERS && i < WIDTH_INPUTS; i++)
        if (!is_defined(f, get_real(f->from, w->x, i)))
            put_real(f->from, w->x, i, (double)(i % 100) / 4);
    for (size_t i = 0; i < WIDTH_OUTPUTS; i++)
        convert_one(f, w, width_input(i), w->want, i);
    fesetround(FE_TONEAREST);
    launch_widths(w, text("CAT(CAT(convert_, TN_OF(%s, N)), %s%s)(x)", types[f->to].name,
                          f->mode >= SATURATED ? "_sat" : "", rounding->suffix));
    expect_widths(w, 0);
}

static void run_as(const struct feature *f)
{
    struct widths *w = new_widths(f->from, CHAR, CHAR, f->to);
    for (size_t i = 0; i < WIDTH_OUTPUTS; i++)
        memcpy(w->want + i * types[f->to].bytes, w->x + width_input(i) * types[f->from].bytes,
               types[f->to].bytes);
    launch_widths(w, text("CAT(as_, TN_OF(%s, N))(x)", types[f->to].name));
    expect_widths(w, 0);
}

static void add_conversions(enum type from, enum type to)
{
    for (int mode = 0; mode < 2 * ROUNDINGS; mode++) {
        if (mode >= SATURATED && to >= INTEGERS)
            break;
        add_feature(
            (struct feature){text("convert_%s%s%s.%s", types[to].name, mode >= SATURATED ? "_sat" : "",
                                  roundings[mode % ROUNDINGS].suffix, types[from].name),
                             run_convert, NULL, from, to, mode});
    }
}

void add_convert_features(void)
{
    for (enum type to = CHAR; to < TYPES; to++) {
        for (enum type from = CHAR; from < TYPES; from++) {
            add_conversions(from, to);
            if (types[from].bytes == types[to].bytes)
                add_feature((struct feature){text("as_%s.%s", types[to].name, types[from].name), run_as, NULL,
                                             from, to, 0});
        }
    }
}
