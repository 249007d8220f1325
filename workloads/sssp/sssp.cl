/* SPDX-License-Identifier: MIT */
/* Shortest paths by Bellman-Ford: in each round every vertex takes the least over its incoming arcs. A round streams the
 * arrays, 12 n + 8 m bytes, in three launches; the gather v1[column[e]] is as local as the graph's ids. */
__kernel void sssp_init(__global int *v1, __global int *v2, uint vertices, uint source, int far)
{
    uint t = (uint)get_global_id(0);
    if (t < vertices) {
        v1[t] = t == source ? 0 : far;
        v2[t] = t == source ? 0 : far;
    }
}

__kernel void sssp_assign(__global int *v1, __global int *v2, uint vertices)
{
    uint t = (uint)get_global_id(0);
    if (t < vertices) {
        v1[t] = v2[t];
    }
}

__kernel void sssp_min_plus(__global int *row, __global int *column, __global int *data, __global int *v1,
                            __global int *v2, uint vertices)
{
    uint t = (uint)get_global_id(0);
    if (t < vertices) {
        int begin = row[t];
        int end = row[t + 1];
        int least = v1[t];
        for (int e = begin; e < end; e++) {
            int through = data[e] + v1[column[e]];
            if (through < least) {
                least = through;
            }
        }
        v2[t] = least;
    }
}

__kernel void sssp_diff(__global int *v1, __global int *v2, __global int *more, uint vertices)
{
    uint t = (uint)get_global_id(0);
    if (t < vertices && v2[t] != v1[t]) {
        *more = 1;
    }
}
