/* SPDX-License-Identifier: MIT */
/* tb/native/features_integer.c - integer operators and functions, for each type and vector width. */
#include "features_widths.h"

#include <stddef.h>
#include <string.h>

typedef wide (*integer_function)(enum type type, wide x, wide y, wide z);

struct integer_op {
    const char *name, *expression;
    integer_function value;
    enum { SAME, UNSIGNED, TWICE } result;
    enum { ANY, NOT_ZERO, IN_24_BITS, SHIFT } second; /* the values allowed for y */
    bool only_int;                                    /* int and uint only */
};

static wide saturated(enum type type, wide value)
{
    return value < type_min(type) ? type_min(type) : value > type_max(type) ? type_max(type) : value;
}

static unsigned bits_of(enum type type)
{
    return 8 * types[type].bytes;
}

static wide wrapped(enum type type, wide value)
{
    uint64_t memory = 0;
    put_integer(type, &memory, 0, value);
    return get_integer(type, &memory, 0);
}

static uint64_t unsigned_bits(enum type type, wide value)
{
    return (uint64_t)value & (UINT64_MAX >> (64 - bits_of(type)));
}

static wide mul_hi_value(enum type type, wide x, wide y)
{
    if (types[type].is_signed)
        return (x * y) >> bits_of(type);
    return (wide)(((unsigned __int128)x * (unsigned __int128)y) >> bits_of(type));
}

static wide mad_sat_value(enum type type, wide x, wide y, wide z)
{
    unsigned __int128 product;
    if (types[type].is_signed)
        return saturated(type, x * y + z);
    if (__builtin_mul_overflow((unsigned __int128)x, (unsigned __int128)y, &product) ||
        product > (unsigned __int128)type_max(type))
        return type_max(type);
    return saturated(type, (wide)product + z);
}

static wide count_leading(enum type type, wide x)
{
    const uint64_t bits = unsigned_bits(type, x);
    return bits ? (wide)__builtin_clzll(bits) - (64 - (wide)bits_of(type)) : (wide)bits_of(type);
}

static wide rotated(enum type type, wide x, wide y)
{
    const unsigned n = bits_of(type), by = (unsigned)y & (n - 1);
    const uint64_t bits = unsigned_bits(type, x);
    return by ? (wide)(bits << by | bits >> (n - by)) : (wide)bits;
}

static wide shifted_left(enum type type, wide x, wide y)
{
    return (wide)(unsigned_bits(type, x) << ((unsigned)y & (bits_of(type) - 1)));
}

#define VALUE(name, expression)                                                                              \
    static wide name##_(enum type type, wide x, wide y, wide z)                                              \
    {                                                                                                        \
        (void)type, (void)x, (void)y, (void)z;                                                               \
        return (expression);                                                                                 \
    }
VALUE(add, x + y)
VALUE(sub, x - y)
VALUE(mul, (wide)((uint64_t)x *(uint64_t)y))
VALUE(div, x / y)
VALUE(rem, x % y)
VALUE(and, x &y)
VALUE(or, x | y)
VALUE(xor, x ^ y)
VALUE(not, ~x)
VALUE(neg, -x)
VALUE(shl, shifted_left(type, x, y))
VALUE(shr, x >> ((unsigned)y & (bits_of(type) - 1)))
VALUE(add_sat, saturated(type, x + y))
VALUE(sub_sat, saturated(type, x - y))
VALUE(mad_sat, mad_sat_value(type, x, y, z))
VALUE(mul_hi, mul_hi_value(type, x, y))
VALUE(mad_hi, mul_hi_value(type, x, y) + z)
VALUE(hadd, (x + y) >> 1)
VALUE(rhadd, (x + y + 1) >> 1)
VALUE(abs, x < 0 ? -x : x)
VALUE(abs_diff, x < y ? y - x : x - y)
VALUE(clz, count_leading(type, x))
VALUE(popcount, __builtin_popcountll(unsigned_bits(type, x)))
VALUE(rotate, rotated(type, x, y))
VALUE(min, x < y ? x : y)
VALUE(max, x < y ? y : x)
VALUE(min_s, x < 5 ? x : 5)
VALUE(max_s, x < 5 ? 5 : x)
VALUE(clamp, x<-0 + (y < z ? y : z) ? (y < z ? y : z) : x>(y < z ? z : y) ? (y < z ? z : y) : x)
VALUE(clamp_s, x<3 ? 3 : x> 60 ? 60 : x)
VALUE(mul24, (wide)((uint64_t)x *(uint64_t)y))
VALUE(mad24, (wide)((uint64_t)x *(uint64_t)y + (uint64_t)z))
VALUE(upsample, (wide)(unsigned_bits(type, x) << bits_of(type) | unsigned_bits(type, y)))
VALUE(bitselect, (x & ~z) | (y & z))
VALUE(mixed, ((wide)((uint64_t)(x ^ 85) * (uint64_t)(y + 3)) - (z & ~y)) | (x & 1))

/* x, y, z are vectors of N elements or, for an empty N, scalars. */
static const struct integer_op operations[] = {
    {"op_add", "x + y", add_, SAME, ANY, false},
    {"op_sub", "x - y", sub_, SAME, ANY, false},
    {"op_mul", "x * y", mul_, SAME, ANY, false},
    {"op_div", "x / y", div_, SAME, NOT_ZERO, false},
    {"op_rem", "x % y", rem_, SAME, NOT_ZERO, false},
    {"op_and", "x & y", and_, SAME, ANY, false},
    {"op_or", "x | y", or_, SAME, ANY, false},
    {"op_xor", "x ^ y", xor_, SAME, ANY, false},
    {"op_not", "~x", not_, SAME, ANY, false},
    {"op_neg", "-x", neg_, SAME, ANY, false},
    {"op_shl", "x << y", shl_, SAME, SHIFT, false},
    {"op_shr", "x >> y", shr_, SAME, SHIFT, false},
    {"op_mixed", "((x ^ (T)85) * (y + (T)3) - (z & ~y)) | (x & (T)1)", mixed_, SAME, ANY, false},
    {"add_sat", "add_sat(x, y)", add_sat_, SAME, ANY, false},
    {"sub_sat", "sub_sat(x, y)", sub_sat_, SAME, ANY, false},
    {"mad_sat", "mad_sat(x, y, z)", mad_sat_, SAME, ANY, false},
    {"mul_hi", "mul_hi(x, y)", mul_hi_, SAME, ANY, false},
    {"mad_hi", "mad_hi(x, y, z)", mad_hi_, SAME, ANY, false},
    {"hadd", "hadd(x, y)", hadd_, SAME, ANY, false},
    {"rhadd", "rhadd(x, y)", rhadd_, SAME, ANY, false},
    {"abs", "abs(x)", abs_, UNSIGNED, ANY, false},
    {"abs_diff", "abs_diff(x, y)", abs_diff_, UNSIGNED, ANY, false},
    {"clz", "clz(x)", clz_, SAME, ANY, false},
    {"popcount", "popcount(x)", popcount_, SAME, ANY, false},
    {"rotate", "rotate(x, y)", rotate_, SAME, ANY, false},
    {"min", "min(x, y)", min_, SAME, ANY, false},
    {"max", "max(x, y)", max_, SAME, ANY, false},
    {"min_scalar", "min(x, (T)5)", min_s_, SAME, ANY, false},
    {"max_scalar", "max(x, (T)5)", max_s_, SAME, ANY, false},
    {"clamp", "clamp(x, min(y, z), max(y, z))", clamp_, SAME, ANY, false},
    {"clamp_scalar", "clamp(x, (T)3, (T)60)", clamp_s_, SAME, ANY, false},
    {"mul24", "mul24(x, y)", mul24_, SAME, IN_24_BITS, true},
    {"mad24", "mad24(x, y, z)", mad24_, SAME, IN_24_BITS, true},
    {"upsample", "upsample(x, y)", upsample_, TWICE, ANY, false},
    {"bitselect", "bitselect(x, y, z)", bitselect_, SAME, ANY, false},
};

static enum type result_of(enum type type, const struct integer_op *op)
{
    if (op->result == TWICE)
        return (enum type)(type + 2);
    return op->result == UNSIGNED ? (enum type)(type | 1) : type;
}

static void restrict_inputs(enum type type, const struct integer_op *op, struct widths *w)
{
    for (size_t i = 0; i < WIDTH_INPUTS; i++) {
        const wide x = get_integer(type, w->x, i), y = get_integer(type, w->y, i);
        if (op->second == IN_24_BITS) {
            put_integer(type, w->x, i, types[type].is_signed ? x % (1 << 23) : x % (1 << 24));
            put_integer(type, w->y, i, types[type].is_signed ? y % (1 << 23) : y % (1 << 24));
        } else if (op->second == SHIFT) {
            put_integer(type, w->y, i, y & (bits_of(type) - 1));
        } else if (op->second == NOT_ZERO && (y == 0 || (y == -1 && x == type_min(type)))) {
            put_integer(type, w->y, i, 3);
        }
    }
}

static void run_integer(const struct feature *feature)
{
    const struct integer_op *op = feature->detail;
    const enum type second = op->result == TWICE ? (enum type)(feature->from | 1) : feature->from;
    struct widths *w = new_widths(feature->from, second, feature->from, feature->to);
    restrict_inputs(feature->from, op, w);
    launch_widths(w, op->expression);
    for (size_t i = 0; i < WIDTH_OUTPUTS; i++) {
        const size_t from = width_input(i);
        const wide x = get_integer(w->x_type, w->x, from), y = get_integer(w->y_type, w->y, from),
                   z = get_integer(w->x_type, w->z, from);
        put_integer(w->result, w->want, i, wrapped(w->result, op->value(w->x_type, x, y, z)));
    }
    expect_widths(w, 0);
}

/* LLVM keeps the width of such an integer in a loop, and cuts it to one of the machine's widths behind it. */
static void run_odd_width(const struct feature *f)
{
    enum { ITEMS = 256 };
    static uint32_t a[ITEMS], b[ITEMS], got[ITEMS], want[ITEMS];
    fill(UINT, (char *)a, ITEMS);
    fill(UINT, (char *)b, ITEMS);
    memset(got, 0, sizeof got);
    const uint64_t mask = (UINT64_C(1) << f->mode) - 1;
    for (size_t i = 0; i < ITEMS; i++) {
        uint64_t x = a[i] & mask;
        for (uint32_t n = 0; n < (b[i] & 15); n++)
            x = (x * 77777 + b[i]) & mask;
        want[i] = (uint32_t)unsigned_bits(f->to, (wide)(x >> 3 ^ x));
    }
    launch(
        text(
            "kernel void k(global uint *a, global uint *b, global uint *out) { size_t i = get_global_id(0);\n"
            "  unsigned _BitInt(%d) x = a[i]; for (uint n = 0; n < (b[i] & 15); n++) x = x * 77777 + b[i];\n"
            "  out[i] = (%s)(x >> 3 ^ x); }\n",
            f->mode, types[f->to].name),
        &SHAPE_1D(ITEMS, 64), (const struct arg[]){BUFFER_ARG(a), BUFFER_ARG(b), BUFFER_ARG(got), END_ARG});
    expect(UINT, got, want, ITEMS, 0);
}

void add_integer_features(void)
{
    static const int odd_widths[] = {24, 40, 48};
    for (size_t i = 0; i < sizeof odd_widths / sizeof odd_widths[0]; i++)
        for (enum type to = UCHAR; to <= UINT; to = (enum type)(to + 2))
            add_feature((struct feature){text("odd_width_%d.%s", odd_widths[i], types[to].name),
                                         run_odd_width, NULL, UINT, to, odd_widths[i]});
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        const struct integer_op *op = &operations[i];
        for (enum type type = CHAR; type < INTEGERS; type++) {
            if (op->only_int && type != INT && type != UINT)
                continue;
            if (op->result == TWICE && type >= LONG)
                continue;
            add_feature((struct feature){text("%s.%s", op->name, types[type].name), run_integer, op, type,
                                         result_of(type, op), 0});
        }
    }
}
