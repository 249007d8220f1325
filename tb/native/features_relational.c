/* SPDX-License-Identifier: MIT */
/* tb/native/features_relational.c - comparisons, which give 1 for scalars and -1 for each element of a
 * vector; select, bitselect, any and all. */
#include "features_widths.h"

#include <math.h>
#include <string.h>

struct relation {
    const char *name, *expression;
    bool (*holds)(double x, double y);
};

#define HOLDS(name, condition)                                                                               \
    static bool name##_(double x, double y)                                                                  \
    {                                                                                                        \
        (void)x, (void)y;                                                                                    \
        return (condition);                                                                                  \
    }
HOLDS(equal, x == y)
HOLDS(notequal, x != y)
HOLDS(greater, x > y)
HOLDS(greaterequal, x >= y)
HOLDS(less, x < y)
HOLDS(lessequal, x <= y)
HOLDS(lessgreater, islessgreater(x, y))
HOLDS(ordered, !isunordered(x, y))
HOLDS(unordered, isunordered(x, y))
HOLDS(finite, isfinite(x))
HOLDS(inf, isinf(x) != 0)
HOLDS(isnan, isnan(x) != 0)
HOLDS(negative, signbit(x) != 0)

static const struct relation real_relations[] = {
    {"isequal", "isequal(x, y)", equal_},
    {"isnotequal", "isnotequal(x, y)", notequal_},
    {"isgreater", "isgreater(x, y)", greater_},
    {"isgreaterequal", "isgreaterequal(x, y)", greaterequal_},
    {"isless", "isless(x, y)", less_},
    {"islessequal", "islessequal(x, y)", lessequal_},
    {"islessgreater", "islessgreater(x, y)", lessgreater_},
    {"isordered", "isordered(x, y)", ordered_},
    {"isunordered", "isunordered(x, y)", unordered_},
    {"isfinite", "isfinite(x)", finite_},
    {"isinf", "isinf(x)", inf_},
    {"isnan", "isnan(x)", isnan_},
    {"isnormal", "isnormal(x)", NULL},
    {"signbit", "signbit(x)", negative_},
    {"op_equal", "x == y", equal_},
    {"op_notequal", "x != y", notequal_},
    {"op_less", "x < y", less_},
    {"op_lessequal", "x <= y", lessequal_},
    {"op_greater", "x > y", greater_},
    {"op_greaterequal", "x >= y", greaterequal_},
};

static bool normal(enum type type, double x)
{
    return type == FLOAT ? isnormal((float)x) : isnormal(x);
}

static void run_real_relation(const struct feature *f)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY, 1e-40, 1e-310, -0.0, 0.0};
    const struct relation *relation = f->detail;
    struct widths *w = new_widths(f->from, f->from, f->from, f->to);
    for (size_t i = 0; i < WIDTH_INPUTS; i++) {
        if (next_random() % 3 == 0)
            put_real(f->from, w->x, i, odd[next_random() % 7]);
        if (next_random() % 3 == 0)
            put_real(f->from, w->y, i,
                     next_random() % 2 ? get_real(f->from, w->x, i) : odd[next_random() % 7]);
    }
    for (size_t i = 0; i < WIDTH_OUTPUTS; i++) {
        const double x = get_real(f->from, w->x, width_input(i)), y = get_real(f->from, w->y, width_input(i));
        const bool holds = relation->holds ? relation->holds(x, y) : normal(f->from, x);
        put_integer(f->to, w->want, i, !holds ? 0 : width_of(i) == 1 ? 1 : -1);
    }
    launch_widths(w, relation->expression);
    expect_widths(w, 0);
}

static const char *const comparisons[] = {"==", "!=", "<", "<=", ">", ">=", "&&", "||"};

static bool compares(int which, wide x, wide y)
{
    switch (which) {
    case 0:
        return x == y;
    case 1:
        return x != y;
    case 2:
        return x < y;
    case 3:
        return x <= y;
    case 4:
        return x > y;
    case 5:
        return x >= y;
    case 6:
        return x && y;
    default:
        return x || y;
    }
}

static void run_comparison(const struct feature *f)
{
    struct widths *w = new_widths(f->from, f->from, f->from, f->to);
    for (size_t i = 0; i < WIDTH_INPUTS; i += 3)
        put_integer(f->from, w->y, i, get_integer(f->from, w->x, i));
    for (size_t i = 0; i < WIDTH_OUTPUTS; i++) {
        const wide x = get_integer(f->from, w->x, width_input(i)),
                   y = get_integer(f->from, w->y, width_input(i));
        put_integer(f->to, w->want, i, !compares(f->mode, x, y) ? 0 : width_of(i) == 1 ? 1 : -1);
    }
    launch_widths(w, text("x %s y", comparisons[f->mode]));
    expect_widths(w, 0);
}

/* select(x, y, z) tests the highest bit of each element of z for vectors, and z != 0 for scalars. */
static void run_select(const struct feature *f)
{
    struct widths *w = new_widths(f->from, f->from, f->to, f->from);
    const size_t bytes = types[f->from].bytes;
    for (size_t i = 0; i < WIDTH_OUTPUTS; i++) {
        const size_t from = width_input(i);
        const wide z = get_integer(f->to, w->z, from);
        const bool second = width_of(i) == 1 ? z != 0 : (z >> (8 * bytes - 1) & 1) != 0;
        memcpy(w->want + i * bytes, (second ? w->y : w->x) + from * bytes, bytes);
    }
    launch_widths(w, f->mode ? "z ? y : x" : "select(x, y, z)");
    expect_widths(w, 0);
}

static void run_bitselect(const struct feature *f)
{
    const enum type same = f->from == FLOAT ? UINT : ULONG;
    struct widths *w = new_widths(f->from, f->from, f->from, f->from);
    for (size_t i = 0; i < WIDTH_OUTPUTS; i++) {
        const size_t from = width_input(i);
        const wide z = get_integer(same, w->z, from);
        put_integer(same, w->want, i,
                    (get_integer(same, w->x, from) & ~z) | (get_integer(same, w->y, from) & z));
    }
    launch_widths(w, "bitselect(x, y, z)");
    expect_widths(w, 0);
}

static void run_any_all(const struct feature *f)
{
    struct widths *w = new_widths(f->from, f->from, f->from, INT);
    for (size_t i = 0; i < WIDTH_OUTPUTS; i++) {
        const size_t first = width_input(i) / width_of(i) * width_of(i);
        bool any = false, all = true;
        for (size_t k = first; k < first + width_of(i); k++) {
            any |= get_integer(f->from, w->x, k) < 0;
            all &= get_integer(f->from, w->x, k) < 0;
        }
        put_integer(INT, w->want, i, f->mode ? all : any);
    }
    launch_widths(w, f->mode ? "(CAT(int, N))(all(x))" : "(CAT(int, N))(any(x))");
    expect_widths(w, 0);
}

static void add_of_type(enum type type)
{
    static const char *const names[] = {"equal",   "notequal",     "less", "lessequal",
                                        "greater", "greaterequal", "and",  "or"};
    for (int which = 0; which < 8; which++)
        add_feature((struct feature){text("op_%s.%s", names[which], types[type].name), run_comparison, NULL,
                                     type, (enum type)(type & ~1u), which});
    if (types[type].is_signed) {
        add_feature((struct feature){text("any.%s", types[type].name), run_any_all, NULL, type, INT, 0});
        add_feature((struct feature){text("all.%s", types[type].name), run_any_all, NULL, type, INT, 1});
    }
}

static void add_selects(enum type type, enum type condition)
{
    add_feature((struct feature){text("select_%s.%s", types[condition].name, types[type].name), run_select,
                                 NULL, type, condition, 0});
    if (types[condition].is_signed)
        add_feature(
            (struct feature){text("op_select.%s", types[type].name), run_select, NULL, type, condition, 1});
}

void add_relational_features(void)
{
    for (enum type type = CHAR; type < INTEGERS; type++) {
        add_of_type(type);
        add_selects(type, (enum type)(type & ~1u));
        add_selects(type, (enum type)(type | 1u));
    }
    for (enum type type = FLOAT; type <= DOUBLE; type++) {
        const enum type result = type == FLOAT ? INT : LONG;
        for (size_t i = 0; i < sizeof real_relations / sizeof real_relations[0]; i++)
            add_feature((struct feature){text("%s.%s", real_relations[i].name, types[type].name),
                                         run_real_relation, &real_relations[i], type, result, 0});
        add_selects(type, result);
        add_selects(type, (enum type)(result | 1u));
        add_feature(
            (struct feature){text("bitselect.%s", types[type].name), run_bitselect, NULL, type, type, 0});
    }
}
