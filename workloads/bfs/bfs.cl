/* SPDX-License-Identifier: MIT */
/* One level of a breadth-first search. A vertex of the frontier visits its arcs. It gathers and scatters visited,
 * cost and updating of their ends: with random ids each active lane has a page of its own; active are the
 * lanes in the frontier. `nodes` has a pair per vertex: the start of its arcs, and their number. */
__kernel void bfs_expand(__global int *nodes, __global int *edges, __global uchar *mask, __global uchar *updating,
                         __global uchar *visited, __global int *cost, uint vertices)
{
    uint t = (uint)get_global_id(0);
    if (t < vertices && mask[t]) {
        mask[t] = 0;
        int start = nodes[2 * t];
        for (int e = start; e < start + nodes[2 * t + 1]; e++) {
            int id = edges[e];
            if (!visited[id]) {
                cost[id] = cost[t] + 1;
                updating[id] = 1;
            }
        }
    }
}

__kernel void bfs_update(__global uchar *mask, __global uchar *updating, __global uchar *visited,
                         __global uchar *over, uint vertices)
{
    uint t = (uint)get_global_id(0);
    if (t < vertices && updating[t]) {
        mask[t] = 1;
        visited[t] = 1;
        *over = 1;
        updating[t] = 0;
    }
}
