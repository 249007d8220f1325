/* SPDX-License-Identifier: MIT */
/* tb/native/features_real.c - operators and functions of half, float and double. */
#define _GNU_SOURCE
#include "features_widths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

enum domain { ALL_REALS, POSITIVE, FROM_1, UNIT, SMALL, QUARTERS, WITH_NAN, SMALL_POSITIVE };

struct real_op {
    const char *name, *expression;
    float (*single)(float x, float y, float z);
    double (*twice)(double x, double y, double z);
    enum domain domain;
    double ulp;
    enum { BOTH, SINGLE_ONLY, WITH_HALF } where;
};

#define PI 3.14159265358979323846264338327950288L
#define VALUE_OF(name, type, suffix, expression)                                                             \
    static type name##_##suffix(type x, type y, type z)                                                      \
    {                                                                                                        \
        (void)x, (void)y, (void)z;                                                                           \
        return (type)(expression);                                                                           \
    }
#define VALUE(name, expression)                                                                              \
    VALUE_OF(name, float, f, expression)                                                                     \
    VALUE_OF(name, double, d, expression)

VALUE(add, x + y)
VALUE(sub, x - y)
VALUE(mul, x *y)
VALUE(div, x / y)
VALUE(neg, -x)
VALUE(fma, fma(x, y, z))
VALUE(mad, x *y + z)
VALUE(compare, x < y ? z : x)
VALUE(acos, acos(x))
VALUE(acosh, acosh(x))
VALUE(acospi, acosl(x) / PI)
VALUE(asin, asin(x))
VALUE(asinh, asinh(x))
VALUE(asinpi, asinl(x) / PI)
VALUE(atan, atan(x))
VALUE(atanpi, atanl(x) / PI)
VALUE(atan2, atan2(x, y))
VALUE(atan2pi, atan2l(x, y) / PI)
VALUE(atanh, atanh(x))
VALUE(cbrt, cbrt(x))
VALUE(ceil, ceil(x))
VALUE(copysign, copysign(x, y))
VALUE(cos, cos(x))
VALUE(cosh, cosh(x))
VALUE(cospi, cosl(fmodl(x, 2) * PI) + 4)
VALUE(erf, erf(x))
VALUE(erfc, erfc(x))
VALUE(exp, exp(x))
VALUE(exp2, exp2(x))
VALUE(exp10, powl(10, x))
VALUE(expm1, expm1(x))
VALUE(fabs, fabs(x))
VALUE(fdim, fdim(x, y))
VALUE(floor, floor(x))
VALUE(fmax, fmax(x, y))
VALUE(fmin, fmin(x, y))
VALUE(fmax_s, fmax(x, 2.5f))
VALUE(fmin_s, fmin(x, 2.5f))
VALUE(fmod, fmod(x, y))
VALUE(hypot, hypot(x, y))
VALUE(lgamma, lgamma(x))
VALUE(log, log(x))
VALUE(log2, log2(x))
VALUE(log10, log10(x))
VALUE(log1p, log1p(x))
VALUE(logb, logb(x))
VALUE(maxmag, fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : fmax(x, y))
VALUE(minmag, fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : fmin(x, y))
VALUE(nextafter, nextafter(x, y))
VALUE(pow, pow(x, y))
VALUE(remainder, remainder(x, y))
VALUE(rint, rint(x))
VALUE(round, round(x))
VALUE(rsqrt, 1 / sqrtl(x))
VALUE(sin, sin(x))
VALUE(sinh, sinh(x))
VALUE(sinpi, sinl(fmodl(x, 2) * PI) + 4)
VALUE(sqrt, sqrt(x))
VALUE(tan, tan(x))
VALUE(tanh, tanh(x))
VALUE(tanpi, tanl((long double)x / 3 * PI))
VALUE(tgamma, tgamma(x))
VALUE(trunc, trunc(x))
VALUE(recip, 1 / x)
VALUE(degrees, x *(180 / PI))
VALUE(radians, x *(PI / 180))
VALUE(sign, x > 0 ? 1 : x < 0 ? -1 : x)
VALUE(min, y < x ? y : x)
VALUE(max, x < y ? y : x)
VALUE(clamp, fmin(fmax(x, fmin(y, z)), fmax(y, z)))
VALUE(clamp_s, fmin(fmax(x, -1.5f), 2.5f))
VALUE(mix, x + (y - x) * 0.25f)
VALUE(step, y < x ? 0 : 1)
VALUE(step_s, x < 0.5f ? 0 : 1)
#define SMOOTH(t) ((t) * (t) * (3 - 2 * (t)))
VALUE(smoothstep, SMOOTH(fmin(fmax((z - (-2)) / (fabs(x) + 1), 0.0f), 1.0f)))
VALUE(smoothstep_s, SMOOTH(fmin(fmax((x + 1) / 4, 0.0f), 1.0f)))
VALUE(fract, fmin(x - floor(x), sizeof x == 4 ? 0x1.fffffep-1f : 0x1.fffffffffffffp-1) + 2 * floor(x))
VALUE(modf, (x - trunc(x)) + 2 * trunc(x))
VALUE(sincos, sinl(x) * 4 + cosl(x))
VALUE(ldexp, ldexp(x, (int)y))
VALUE(ldexp_s, ldexp(x, -3))
VALUE(pown, powl(x, (int)y))
VALUE(ilogb, ilogb(x))
static double nan_d(void)
{
    return (double)NAN;
}

#define TWO_PARTS(name, type, suffix, declaration, value)                                                    \
    static type name##_##suffix(type x, type y, type z)                                                      \
    {                                                                                                        \
        (void)y, (void)z;                                                                                    \
        declaration;                                                                                         \
        return (value);                                                                                      \
    }
TWO_PARTS(frexp, float, f, int e; const float m = frexpf(x, &e), m + (float)e)
TWO_PARTS(frexp, double, d, int e; const double m = frexp(x, &e), m + e)
TWO_PARTS(lgamma_r, float, f, int s; const double g = lgamma_r(x, &s), (float)g *(float)s)
TWO_PARTS(lgamma_r, double, d, int s; const double g = lgamma_r(x, &s), g *s)
TWO_PARTS(remquo, float, f, int q; const float r = remquof(x, y, &q), r + (float)(abs(q) & 7))
TWO_PARTS(remquo, double, d, int q; const double r = remquo(x, y, &q), r + (abs(q) & 7))
TWO_PARTS(rootn, float, f, const long double r = powl(fabsl((long double)x), 1 / 3.0L),
          (float)(x < 0 ? -r : r))
TWO_PARTS(rootn, double, d, const long double r = powl(fabsl((long double)x), 1 / 3.0L),
          (double)(x < 0 ? -r : r))

#define VN "CAT(T, N)"
#define INTS(value) "CAT(convert_, CAT(int, N))(" value ")"
#define REALS(value) "CAT(convert_, CAT(T, N))(" value ")"
#define SAME(name, domain, ulp)                                                                              \
    {                                                                                                        \
#name, #name "(x)", name##_f, name##_d, domain, ulp, BOTH                                            \
    }
#define SAME2(name, domain, ulp)                                                                             \
    {                                                                                                        \
#name, #name "(x, y)", name##_f, name##_d, domain, ulp, BOTH                                         \
    }
#define APPROXIMATE(name, domain)                                                                            \
    {"native_" #name, "native_" #name "(x)", name##_f, name##_d, domain, 8192, SINGLE_ONLY},                 \
    {                                                                                                        \
        "half_" #name, "half_" #name "(x)", name##_f, name##_d, domain, 8192, SINGLE_ONLY                    \
    }

static const struct real_op operations[] = {
    {"op_add", "x + y", add_f, add_d, ALL_REALS, 0, WITH_HALF},
    {"op_sub", "x - y", sub_f, sub_d, ALL_REALS, 0, WITH_HALF},
    {"op_mul", "x * y", mul_f, mul_d, ALL_REALS, 0, WITH_HALF},
    {"op_div", "x / y", div_f, div_d, WITH_NAN, 0, WITH_HALF},
    {"op_neg", "-x", neg_f, neg_d, WITH_NAN, 0, WITH_HALF},
    {"op_multiply_add", "x * y + z", mad_f, mad_d, QUARTERS, 0, WITH_HALF},
    {"op_compare", "x < y ? z : x", compare_f, compare_d, WITH_NAN, 0, WITH_HALF},
    {"fma", "fma(x, y, z)", fma_f, fma_d, ALL_REALS, 0, BOTH},
    {"mad", "mad(x, y, z)", mad_f, mad_d, QUARTERS, 0, BOTH},
    SAME(acos, UNIT, 2),
    SAME(acosh, FROM_1, 2),
    SAME(acospi, UNIT, 2),
    SAME(asin, UNIT, 2),
    SAME(asinh, ALL_REALS, 2),
    SAME(asinpi, UNIT, 2),
    SAME(atan, ALL_REALS, 2),
    SAME(atanpi, ALL_REALS, 2),
    SAME2(atan2, ALL_REALS, 2),
    SAME2(atan2pi, ALL_REALS, 2),
    SAME(atanh, UNIT, 2),
    SAME(cbrt, ALL_REALS, 2),
    SAME(ceil, WITH_NAN, 0),
    SAME2(copysign, WITH_NAN, 0),
    SAME(cos, ALL_REALS, 2),
    SAME(cosh, SMALL, 2),
    {"cospi", "cospi(x) + 4", cospi_f, cospi_d, SMALL, 64, BOTH},
    SAME(erf, SMALL, 2),
    SAME(erfc, SMALL, 4),
    SAME(exp, SMALL, 2),
    SAME(exp2, SMALL, 2),
    SAME(exp10, SMALL, 2),
    SAME(expm1, SMALL, 2),
    SAME(fabs, WITH_NAN, 0),
    SAME2(fdim, ALL_REALS, 0),
    SAME(floor, WITH_NAN, 0),
    SAME2(fmax, WITH_NAN, 1),
    SAME2(fmin, WITH_NAN, 1),
    {"fmax_scalar", "fmax(x, (T)2.5f)", fmax_s_f, fmax_s_d, WITH_NAN, 0, BOTH},
    {"fmin_scalar", "fmin(x, (T)2.5f)", fmin_s_f, fmin_s_d, WITH_NAN, 0, BOTH},
    SAME2(fmod, POSITIVE, 0),
    SAME2(hypot, ALL_REALS, 2),
    SAME(lgamma, SMALL_POSITIVE, 8),
    SAME(log, POSITIVE, 2),
    SAME(log2, POSITIVE, 2),
    SAME(log10, POSITIVE, 2),
    SAME(log1p, POSITIVE, 2),
    SAME(logb, POSITIVE, 0),
    SAME2(maxmag, ALL_REALS, 1),
    SAME2(minmag, ALL_REALS, 1),
    SAME2(nextafter, ALL_REALS, 0),
    SAME2(pow, SMALL_POSITIVE, 2),
    {"powr", "powr(x, y)", pow_f, pow_d, SMALL_POSITIVE, 2, BOTH},
    SAME2(remainder, POSITIVE, 0),
    SAME(rint, WITH_NAN, 0),
    SAME(round, WITH_NAN, 0),
    SAME(rsqrt, POSITIVE, 2),
    SAME(sin, ALL_REALS, 2),
    SAME(sinh, SMALL, 2),
    {"sinpi", "sinpi(x) + 4", sinpi_f, sinpi_d, SMALL, 64, BOTH},
    SAME(sqrt, POSITIVE, 0),
    SAME(tan, SMALL, 2),
    SAME(tanh, SMALL, 2),
    {"tanpi", "tanpi(x / 3)", tanpi_f, tanpi_d, UNIT, 32, BOTH},
    SAME(tgamma, SMALL_POSITIVE, 8),
    SAME(trunc, WITH_NAN, 0),
    SAME(degrees, ALL_REALS, 2),
    SAME(radians, ALL_REALS, 2),
    SAME(sign, ALL_REALS, 0),
    SAME2(min, ALL_REALS, 1),
    SAME2(max, ALL_REALS, 1),
    {"min_scalar", "min(x, (T)2.5f)", fmin_s_f, fmin_s_d, ALL_REALS, 0, BOTH},
    {"max_scalar", "max(x, (T)2.5f)", fmax_s_f, fmax_s_d, ALL_REALS, 0, BOTH},
    {"clamp", "clamp(x, fmin(y, z), fmax(y, z))", clamp_f, clamp_d, ALL_REALS, 1, BOTH},
    {"clamp_scalar", "clamp(x, (T)-1.5f, (T)2.5f)", clamp_s_f, clamp_s_d, ALL_REALS, 0, BOTH},
    {"mix", "mix(x, y, (" VN ")0.25f)", mix_f, mix_d, QUARTERS, 0, BOTH},
    {"mix_scalar", "mix(x, y, (T)0.25f)", mix_f, mix_d, QUARTERS, 0, BOTH},
    SAME2(step, ALL_REALS, 0),
    {"step_scalar", "step((T)0.5f, x)", step_s_f, step_s_d, ALL_REALS, 0, BOTH},
    {"smoothstep", "smoothstep((" VN ")-2, fabs(x) - 1, z)", smoothstep_f, smoothstep_d, QUARTERS, 8, BOTH},
    {"smoothstep_scalar", "smoothstep((T)-1, (T)3, x)", smoothstep_s_f, smoothstep_s_d, QUARTERS, 8, BOTH},
    {"fract", "({ " VN " p; " VN " f = fract(x, &p); f + 2 * p; })", fract_f, fract_d, SMALL, 1, BOTH},
    {"modf", "({ " VN " p; " VN " f = modf(x, &p); f + 2 * p; })", modf_f, modf_d, SMALL, 1, BOTH},
    {"sincos", "({ " VN " c; " VN " s = sincos(x, &c); s * 4 + c; })", sincos_f, sincos_d, QUARTERS, 1e4,
     BOTH},
    {"frexp", "({ CAT(int, N) e; " VN " m = frexp(x, &e); m + " REALS("e") "; })", frexp_f, frexp_d, SMALL, 1,
     BOTH},
    {"lgamma_r", "({ CAT(int, N) e; " VN " g = lgamma_r(x, &e); g * " REALS("e") "; })", lgamma_r_f,
     lgamma_r_d, SMALL_POSITIVE, 8, BOTH},
    {"remquo", "({ CAT(int, N) q; " VN " r = remquo(x, y, &q); r + " REALS("abs(q) & 7") "; })", remquo_f,
     remquo_d, QUARTERS, 0, BOTH},
    {"ldexp", "ldexp(x, " INTS("y") ")", ldexp_f, ldexp_d, SMALL, 0, BOTH},
    {"ldexp_scalar", "ldexp(x, -3)", ldexp_s_f, ldexp_s_d, SMALL, 0, BOTH},
    {"pown", "pown(x, " INTS("y") ")", pown_f, pown_d, SMALL_POSITIVE, 4, BOTH},
    {"rootn", "rootn(x, (CAT(int, N))3)", rootn_f, rootn_d, POSITIVE, 4, BOTH},
    {"rootn_negative", "rootn(-fabs(x), (CAT(int, N))3)", rootn_f, rootn_d, POSITIVE, 4, BOTH},
    {"ilogb", REALS("ilogb(x)"), ilogb_f, ilogb_d, POSITIVE, 0, BOTH},
    APPROXIMATE(cos, UNIT),
    APPROXIMATE(exp, SMALL),
    APPROXIMATE(exp2, SMALL),
    APPROXIMATE(exp10, SMALL),
    APPROXIMATE(log, POSITIVE),
    APPROXIMATE(log2, POSITIVE),
    APPROXIMATE(log10, POSITIVE),
    APPROXIMATE(recip, POSITIVE),
    APPROXIMATE(rsqrt, POSITIVE),
    APPROXIMATE(sin, UNIT),
    APPROXIMATE(sqrt, POSITIVE),
    APPROXIMATE(tan, UNIT),
    {"native_divide", "native_divide(x, y)", div_f, div_d, POSITIVE, 8192, SINGLE_ONLY},
    {"half_divide", "half_divide(x, y)", div_f, div_d, POSITIVE, 8192, SINGLE_ONLY},
    {"native_powr", "native_powr(x, y)", pow_f, pow_d, SMALL_POSITIVE, 8192, SINGLE_ONLY},
    {"half_powr", "half_powr(x, y)", pow_f, pow_d, SMALL_POSITIVE, 8192, SINGLE_ONLY},
};

static double brought_into(enum domain domain, double value)
{
    switch (domain) {
    case POSITIVE:
        return fabs(value) < 1e-6 ? 0.75 : fabs(value);
    case FROM_1:
        return fabs(value) + 1;
    case UNIT:
        return fabs(value) >= 1 ? 0.5 / value : value;
    case SMALL:
        return fabs(value) > 20 ? fmod(value, 20) : value;
    case SMALL_POSITIVE:
        return 0.25 + fmod(fabs(value), 6);
    case QUARTERS:
        return value == 0 ? 1 : fmod(rint(value * 4) / 4, 16) + 0.25;
    default:
        return value;
    }
}

static void restrict_inputs(enum type type, enum domain domain, void *array)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY, 1e-40, -0.0};
    for (size_t i = 0; i < WIDTH_INPUTS; i++) {
        double value = brought_into(domain, get_real(type, array, i));
        if (domain == WITH_NAN && next_random() % 8 == 0)
            value = odd[next_random() % 5];
        put_real(type, array, i, value);
    }
}

static void run_real(const struct feature *f)
{
    const struct real_op *op = f->detail;
    struct widths *w = new_widths(f->from, f->from, f->from, f->to);
    restrict_inputs(f->from, op->domain, w->x);
    restrict_inputs(f->from, op->domain, w->y);
    restrict_inputs(f->from, op->domain, w->z);
    for (size_t i = 0; i < WIDTH_OUTPUTS; i++) {
        const size_t from = width_input(i);
        const double x = get_real(f->from, w->x, from), y = get_real(f->from, w->y, from),
                     z = get_real(f->from, w->z, from);
        const bool negated = strcmp(op->name, "rootn_negative") == 0;
        if (f->from == DOUBLE)
            put_real(f->to, w->want, i, op->twice(negated ? -fabs(x) : x, y, z));
        else
            put_real(f->to, w->want, i,
                     (double)op->single((float)(negated ? -fabs(x) : x), (float)y, (float)z));
    }
    launch_widths(w, op->expression);
    expect_widths(w, op->ulp);
}

static void run_nan(const struct feature *f)
{
    struct widths *w = new_widths(f->from, f->from, f->from, f->to);
    for (size_t i = 0; i < WIDTH_OUTPUTS; i++)
        put_real(f->to, w->want, i, nan_d());
    launch_widths(w, "nan(x)");
    expect_widths(w, 0);
}

void add_real_features(void)
{
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        const struct real_op *op = &operations[i];
        if (op->where == WITH_HALF)
            add_feature((struct feature){text("%s.half", op->name), run_real, op, HALF, HALF, 0});
        add_feature((struct feature){text("%s.float", op->name), run_real, op, FLOAT, FLOAT, 0});
        if (op->where != SINGLE_ONLY)
            add_feature((struct feature){text("%s.double", op->name), run_real, op, DOUBLE, DOUBLE, 0});
    }
    add_feature((struct feature){"nan.float", run_nan, NULL, UINT, FLOAT, 0});
    add_feature((struct feature){"nan.double", run_nan, NULL, ULONG, DOUBLE, 0});
}
