/* SPDX-License-Identifier: MIT */
/* generate/zipf.c - draws rank k in proportion to 1 / k^s, exactly, without a table: rejection-inversion
 * [W. Hormann, G. Derflinger: Rejection-inversion to generate variates from monotone discrete distributions,
 * ACM TOMACS 6(3), 1996]. Logarithm and exponential use + - * / alone, which every IEEE machine rounds alike.
 * Those of C libraries may differ in the last digit, which would change the accesses.
 * Time: none. Allocation: none. */
#include "generate/pattern_internal.h"

#include <string.h>

#define LN2 0.693147180559945309417

/* Returns ln(x) for x = m * 2^e, with ln(m) by the series of artanh((m - 1) / (m + 1)), as m is near 1.
 * Required: x > 0, normal. */
static double natural_log(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 52) - 1023;
    bits = (bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x3ff0000000000000);
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        exponent++;
    }
    const double z = (m - 1.0) / (m + 1.0), square = z * z;
    double sum = 0.0;
    for (int n = 23; n >= 1; n -= 2)
        sum = sum * square + 1.0 / n;
    return 2.0 * z * sum + exponent * LN2;
}

/* Returns e^x as 2^k times the Taylor series of the rest. Required: |x| < 700. */
static double exponential(double x)
{
    const double turns = x / LN2;
    const int k = (int)(turns < 0 ? turns - 0.5 : turns + 0.5);
    const double rest = x - k * LN2;
    double sum = 1.0;
    for (int n = 18; n >= 1; n--)
        sum = 1.0 + sum * rest / n;
    const uint64_t bits = (uint64_t)(1023 + k) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    return sum * scale;
}

/* Return (e^x - 1) / x and ln(1 + x) / x, near 0 by their series. */
static double exp_ratio(double x)
{
    return x > -1e-5 && x < 1e-5 ? 1.0 + x / 2 * (1.0 + x / 3) : (exponential(x) - 1.0) / x;
}

static double log_ratio(double x)
{
    return x > -1e-5 && x < 1e-5 ? 1.0 - x * (0.5 - x / 3) : natural_log(1.0 + x) / x;
}

/* Return the density x^-s, its integral from 1 to x, and the inverse of the integral. */
static double density(const struct ww_gen_zipf *z, double x)
{
    return exponential(-z->exponent * natural_log(x));
}

static double integral(const struct ww_gen_zipf *z, double x)
{
    const double ln = natural_log(x);
    return ln * exp_ratio((1.0 - z->exponent) * ln);
}

static double inverse(const struct ww_gen_zipf *z, double y)
{
    double t = y * (1.0 - z->exponent);
    t = t < -1.0 ? -1.0 : t; /* rounding may push it below */
    return t <= -1.0 ? (double)z->ranks : exponential(y * log_ratio(t));
}

void ww_gen_zipf_init(struct ww_gen_zipf *z, uint64_t ranks, double exponent)
{
    z->exponent = exponent;
    z->ranks = ranks;
    z->low = integral(z, 1.5) - 1.0;
    z->high = integral(z, (double)ranks + 0.5);
    z->skip = 2.0 - inverse(z, integral(z, 2.5) - density(z, 2.0));
}

uint64_t ww_gen_zipf_rank(const struct ww_gen_zipf *z, struct ww_rng *rng)
{
    for (;;) {
        const double u = (double)(ww_rng_next(rng) >> 11) * 0x1p-53;
        const double y = z->high + u * (z->low - z->high), x = inverse(z, y);
        double k = (double)(uint64_t)(x + 0.5);
        k = k < 1.0 ? 1.0 : k > (double)z->ranks ? (double)z->ranks : k;
        if (k - x <= z->skip || y >= integral(z, k + 0.5) - density(z, k))
            return (uint64_t)k;
    }
}
