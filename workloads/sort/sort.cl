/* SPDX-License-Identifier: MIT */
/* A sort of records of 100 bytes by keys of 10: a bitonic network sorts keys and numbers of records, 16 bytes each, then the
 * records are gathered in that order, 64 lanes from 64 pages. WIDE is twice the work-group. */
#define RECORD_WORDS 25

/* Returns the bytes of a word in the order of a key: the first is the most significant. */
uint key_word(uint word)
{
    return word << 24 | (word & 0xff00) << 8 | (word >> 8 & 0xff00) | word >> 24;
}

bool follows(ulong2 a, ulong2 b)
{
    return a.x > b.x || (a.x == b.x && a.y > b.y);
}

/* An entry has the key's first eight bytes, then its last two and the record's number, which makes entries unique. */
__kernel void sort_build(__global uint *record, __global ulong2 *entry, uint count)
{
    uint t = (uint)get_global_id(0);
    if (t < count) {
        ulong high = (ulong)key_word(record[t * RECORD_WORDS]) << 32 | key_word(record[t * RECORD_WORDS + 1]);
        uint last = ((__global ushort *)record)[t * (RECORD_WORDS * 2) + 4];
        ulong low = (ulong)((last & 0xff) << 8 | last >> 8) << 32;
        entry[t] = (ulong2)(high, low) + (ulong2)(0, t); /* a sum, as Oclgrind stores a literal in parts */
    }
}

/* One step of the network: pairs at distance `apart`, rising or falling by the bit `run` of their place. */
__kernel void sort_step(__global ulong2 *entry, uint count, uint run, uint apart)
{
    uint t = (uint)get_global_id(0);
    if (t < count / 2) {
        uint low = t / apart * (2 * apart) + t % apart;
        ulong2 a = entry[low];
        ulong2 b = entry[low + apart];
        if (follows(a, b) == ((low & run) == 0)) {
            entry[low] = b;
            entry[low + apart] = a;
        }
    }
}

/* Does all steps of distances below WIDE, for runs from `first` to `last`, in local memory. */
__kernel void sort_local(__global ulong2 *entry, uint count, uint first, uint last)
{
    __local ulong2 part[WIDE];
    uint lane = (uint)get_local_id(0);
    uint base = (uint)get_group_id(0) * WIDE;
    part[lane] = entry[base + lane];
    part[lane + WIDE / 2] = entry[base + lane + WIDE / 2];
    for (uint run = first; run <= last; run *= 2) {
        for (uint apart = min(run / 2, (uint)WIDE / 2); apart > 0; apart /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint low = lane / apart * (2 * apart) + lane % apart;
            ulong2 a = part[low];
            ulong2 b = part[low + apart];
            if (follows(a, b) == (((base + low) & run) == 0)) {
                part[low] = b;
                part[low + apart] = a;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    entry[base + lane] = part[lane];
    entry[base + lane + WIDE / 2] = part[lane + WIDE / 2];
}

__kernel void sort_gather(__global uint *record, __global ulong2 *entry, __global uint *sorted, uint count)
{
    uint t = (uint)get_global_id(0);
    if (t < count) {
        uint from = (uint)entry[t].y;
        for (uint i = 0; i < RECORD_WORDS; i++) {
            sorted[t * RECORD_WORDS + i] = record[from * RECORD_WORDS + i];
        }
    }
}
