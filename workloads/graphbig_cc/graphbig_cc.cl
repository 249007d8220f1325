/* SPDX-License-Identifier: MIT */
/* Connected components by hooking (Soman): arcs hang one tree's root under another's, with races; then every vertex climbs to its
 * root by dependent gathers. */
__kernel void cc_init(__global ulong *vlist, __global ulong *parent, __global ulong *shadow, __global uchar *done,
                      __global ulong *source, ulong vertices)
{
    ulong t = get_global_id(0);
    if (t < vertices) {
        parent[t] = t;
        shadow[t] = t;
        ulong begin = vlist[t];
        ulong end = vlist[t + 1];
        for (ulong i = begin; i < end; i++) {
            done[i] = 0;
            source[i] = t;
        }
    }
}

/* A work-item has two adjacent arcs. Roots hang under larger ones in even rounds, under smaller ones in odd rounds. */
__kernel void cc_hook(__global ulong *elist, __global ulong *parent, __global ulong *shadow, __global uchar *done,
                      __global ulong *source, __global uchar *over, ulong arcs, uint round)
{
    ulong t = get_global_id(0);
    for (ulong e = 2 * t; e < 2 * t + 2 && e < arcs; e++) {
        if (!done[e]) {
            ulong a = parent[source[e]];
            ulong b = parent[elist[e]];
            if (a != b) {
                ulong low = min(a, b);
                ulong high = max(a, b);
                if (round % 2 == 0) {
                    shadow[low] = high;
                } else {
                    shadow[high] = low;
                }
                *over = 0;
            } else {
                done[e] = 1;
            }
        }
    }
}

__kernel void cc_update(__global ulong *parent, __global ulong *shadow, ulong vertices)
{
    ulong t = get_global_id(0);
    if (t < vertices) {
        parent[t] = shadow[t];
    }
}

__kernel void cc_jump(__global ulong *parent, __global ulong *shadow, ulong vertices)
{
    ulong t = get_global_id(0);
    if (t < vertices) {
        ulong p = parent[t];
        ulong above = parent[p];
        while (above != p) {
            p = above;
            above = parent[p];
        }
        shadow[t] = p;
    }
}
