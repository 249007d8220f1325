/* SPDX-License-Identifier: MIT */
/* tb/native/features_atomic.c - atomics of 32 and 64 bits on global and local memory: the final values of
 * cells that all work-items share, and the returned values of cells that each work-item owns. */
#include "features.h"

#include <string.h>

#define ITEMS 64
#define CELLS 4
#define CMPXCHG 9

static const char *const operations[] = {"add", "sub", "and", "or",      "xor", "min",
                                         "max", "inc", "dec", "cmpxchg", "xchg"};

static wide applied(int which, wide old, wide x, wide y)
{
    switch (which) {
    case 0:
        return (wide)((uint64_t)old + (uint64_t)x);
    case 1:
        return (wide)((uint64_t)old - (uint64_t)x);
    case 2:
        return old & x;
    case 3:
        return old | x;
    case 4:
        return old ^ x;
    case 5:
        return old < x ? old : x;
    case 6:
        return old < x ? x : old;
    case 7:
        return old + 1;
    case 8:
        return old - 1;
    case CMPXCHG:
        return old == x ? y : old;
    default:
        return x;
    }
}

static const char *call_of(const struct feature *f, const char *cell, bool atom)
{
    const char *name = text("%s_%s", atom ? "atom" : "atomic", operations[f->mode]);
    if (f->mode == 7 || f->mode == 8)
        return text("%s(&%s)", name, cell);
    return f->mode == CMPXCHG ? text("%s(&%s, x[i], y[i])", name, cell) : text("%s(&%s, x[i])", name, cell);
}

static const char global_source[] =
    "kernel void k(global T *shared, global T *own, global T *x, global T *y, global T *old) {\n"
    "  size_t i = get_global_id(0);\n  old[i] = OWN;\n"
    "#ifdef SHARED\n  SHARED;\n#endif\n}\n";
static const char local_source[] =
    "kernel void k(global T *shared, global T *own, global T *x, global T *y, global T *old) {\n"
    "  size_t i = get_global_id(0);\n  local T s[68]; local T *o = s + 4;\n"
    "  if (i < 4) s[i] = shared[i];\n  o[i] = own[i];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  old[i] = OWN;\n"
    "#ifdef SHARED\n  SHARED;\n#endif\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n  if (i < 4) shared[i] = s[i];\n  own[i] = o[i]; }\n";

/* Shared cells are not exchanged, because their final values would depend on the order. */
static void run_atomic(const struct feature *f)
{
    static char shared[CELLS * 8], own[ITEMS * 8], x[ITEMS * 8], y[ITEMS * 8], old[ITEMS * 8];
    static char want_shared[sizeof shared], want_own[sizeof own], want_old[sizeof old];
    const bool local = *(const char *)f->detail == 'l', atom = f->to == LONG, commutes = f->mode < CMPXCHG;
    const size_t bytes = types[f->from].bytes;
    fill(f->from, shared, CELLS);
    fill(f->from, own, ITEMS);
    fill(f->from, x, ITEMS);
    fill(f->from, y, ITEMS);
    memset(old, 0, sizeof old);
    memcpy(x, own, ITEMS / 2 * bytes); /* so that half of the comparisons hold */
    memcpy(want_shared, shared, sizeof shared);
    memcpy(want_old, own, sizeof own);
    memcpy(want_own, own, sizeof own);
    for (size_t i = 0; i < ITEMS; i++) {
        const wide a = get_integer(f->from, x, i), b = get_integer(f->from, y, i);
        put_integer(f->from, want_own, i, applied(f->mode, get_integer(f->from, own, i), a, b));
        if (commutes)
            put_integer(f->from, want_shared, i % CELLS,
                        applied(f->mode, get_integer(f->from, want_shared, i % CELLS), a, b));
    }
    const char *shared_call = call_of(f, local ? "s[i % 4]" : "shared[i % 4]", atom);
    launch(text("#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
                "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n"
                "#define T %s\n#define OWN %s\n%s%s\n%s",
                types[f->from].name, call_of(f, local ? "o[i]" : "own[i]", atom),
                commutes ? "#define SHARED " : "", commutes ? shared_call : "",
                local ? local_source : global_source),
           &SHAPE_1D(ITEMS, ITEMS),
           (const struct arg[]){BUFFER_ARG(shared), BUFFER_ARG(own), BUFFER_ARG(x), BUFFER_ARG(y),
                                BUFFER_ARG(old), END_ARG});
    expect(f->from, old, want_old, ITEMS, 0);
    expect(f->from, own, want_own, ITEMS, 0);
    expect(f->from, shared, want_shared, CELLS, 0);
}

static void run_float_exchange(const struct feature *f)
{
    static float own[ITEMS], x[ITEMS], old[ITEMS], want_own[ITEMS], want_old[ITEMS];
    const bool local = *(const char *)f->detail == 'l';
    fill(FLOAT, own, ITEMS);
    fill(FLOAT, x, ITEMS);
    memcpy(want_own, x, sizeof x);
    memcpy(want_old, own, sizeof own);
    launch(local ? "kernel void k(global float *own, global float *x, global float *old) { size_t i = "
                   "get_global_id(0);\n"
                   "  local float o[64]; o[i] = own[i]; old[i] = atomic_xchg(&o[i], x[i]); own[i] = o[i]; }\n"
                 : "kernel void k(global float *own, global float *x, global float *old) { size_t i = "
                   "get_global_id(0);\n"
                   "  old[i] = atomic_xchg(&own[i], x[i]); }\n",
           &SHAPE_1D(ITEMS, ITEMS),
           (const struct arg[]){BUFFER_ARG(own), BUFFER_ARG(x), BUFFER_ARG(old), END_ARG});
    expect(FLOAT, own, want_own, ITEMS, 0);
    expect(FLOAT, old, want_old, ITEMS, 0);
}

/* The usual addition of reals by integer compare-and-exchange. The sums are whole, so any order is exact. */
static void run_float_add(const struct feature *f)
{
    static float sum[1], x[ITEMS], want[1];
    (void)f;
    sum[0] = want[0] = 1;
    for (int i = 0; i < ITEMS; i++) {
        x[i] = (float)(next_random() % 100);
        want[0] += x[i];
    }
    launch("kernel void k(global float *sum, global float *x) { size_t i = get_global_id(0);\n"
           "  union { uint u; float f; } old, new;\n"
           "  do { old.f = *sum; new.f = old.f + x[i]; }\n"
           "  while (atomic_cmpxchg((volatile global uint *)sum, old.u, new.u) != old.u); }\n",
           &SHAPE_1D(ITEMS, 16), (const struct arg[]){BUFFER_ARG(sum), BUFFER_ARG(x), END_ARG});
    expect(FLOAT, sum, want, 1, 0);
}

/* Any work-item may get any place, but each gets exactly one. */
static void run_tickets(const struct feature *f)
{
    static int next[1], places[ITEMS], want[ITEMS];
    (void)f;
    next[0] = 0;
    memset(places, 0, sizeof places);
    for (int i = 0; i < ITEMS; i++)
        want[i] = 1;
    launch("kernel void k(global int *next, global int *places) { places[atomic_inc(next)] += 1; }\n",
           &SHAPE_1D(ITEMS, 16), (const struct arg[]){BUFFER_ARG(next), BUFFER_ARG(places), END_ARG});
    expect(INT, places, want, ITEMS, 0);
}

void add_atomic_features(void)
{
    static const char *const spaces[] = {"global", "local"};
    for (int space = 0; space < 2; space++) {
        for (int which = 0; which < (int)(sizeof operations / sizeof operations[0]); which++) {
            for (enum type type = INT; type <= ULONG; type++) {
                if (types[type].bytes == 4)
                    add_feature((struct feature){
                        text("atomic_%s_%s.%s", operations[which], spaces[space], types[type].name),
                        run_atomic, spaces[space], type, INT, which});
                add_feature((struct feature){
                    text("atom_%s_%s.%s", operations[which], spaces[space], types[type].name), run_atomic,
                    spaces[space], type, LONG, which});
            }
        }
        add_feature((struct feature){text("atomic_xchg_%s.float", spaces[space]), run_float_exchange,
                                     spaces[space], FLOAT, FLOAT, 0});
    }
    add_feature((struct feature){"atomic_float_add", run_float_add, NULL, FLOAT, FLOAT, 0});
    add_feature((struct feature){"atomic_tickets", run_tickets, NULL, INT, INT, 0});
}
