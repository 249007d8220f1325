/* SPDX-License-Identifier: MIT */
/* Random updates of a large table: 64 lanes, 64 pages, no reuse. The numbers are powers of z over GF(2) modulo z^64 + z^2 + z + 1. */
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

/* Without an atomic, work-items that race for a word may lose an update, as the benchmark allows. */
#ifdef LOAD_AND_STORE
#define UPDATE(word, by) *(word) ^= (by)
#else
#define UPDATE(word, by) atom_xor(word, by)
#endif

ulong next_number(ulong s)
{
    return (s << 1) ^ ((long)s < 0 ? 7UL : 0UL);
}

/* Returns the number after `count` steps from 1: z^count by squaring. */
ulong number_at(ulong count)
{
    ulong square[64]; /* z^(2 i) */
    ulong s = 1;
    for (uint i = 0; i < 64; i++) {
        square[i] = s;
        s = next_number(next_number(s));
    }
    s = 1;
    for (uint i = 64 - (uint)clz(count); i > 0; i--) {
        ulong squared = 0;
        for (uint bit = 0; bit < 64; bit++) {
            if ((s >> bit & 1) != 0) {
                squared ^= square[bit];
            }
        }
        s = squared;
        if ((count >> (i - 1) & 1) != 0) {
            s = next_number(s);
        }
    }
    return s;
}

__kernel void gups_init_table(__global ulong *table, ulong words)
{
    ulong t = get_global_id(0);
    if (t < words) {
        table[t] = t;
    }
}

__kernel void gups_init_numbers(__global ulong *number, uint threads, ulong share)
{
    uint t = (uint)get_global_id(0);
    if (t < threads) {
        number[t] = number_at(t * share);
    }
}

__kernel void gups_update(__global ulong *table, __global ulong *number, ulong words, uint threads,
                          ulong updates_each)
{
    uint t = (uint)get_global_id(0);
    if (t < threads) {
        ulong s = number[t];
        for (ulong i = 0; i < updates_each; i++) {
            s = next_number(s);
            number[t] = s;
            UPDATE(&table[s & (words - 1)], s);
        }
    }
}
