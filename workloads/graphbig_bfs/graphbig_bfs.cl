/* SPDX-License-Identifier: MIT */
/* Breadth-first search with a frontier in bytes (topo_frontier): gathers and scatters properties of neighbours, of one byte and of
 * four; the active lanes are the vertices of the frontier. */
__kernel void bfs_init(__global uchar *frontier, __global uchar *next, __global uchar *visited, __global uint *level,
                       ulong vertices, ulong root, uint far)
{
    ulong t = get_global_id(0);
    if (t < vertices) {
        frontier[t] = t == root;
        next[t] = 0;
        visited[t] = t == root;
        level[t] = t == root ? 0 : far;
    }
}

__kernel void bfs_expand(__global ulong *vlist, __global ulong *elist, __global uchar *frontier, __global uchar *next,
                         __global uchar *visited, __global uint *level, ulong vertices)
{
    ulong t = get_global_id(0);
    if (t < vertices && frontier[t]) {
        frontier[t] = 0;
        ulong begin = vlist[t];
        ulong end = vlist[t + 1];
        uint mine = level[t];
        for (ulong i = begin; i < end; i++) {
            ulong v = elist[i];
            if (!visited[v]) {
                level[v] = mine + 1;
                next[v] = 1;
            }
        }
    }
}

__kernel void bfs_advance(__global uchar *frontier, __global uchar *next, __global uchar *visited, __global uchar *more,
                          ulong vertices)
{
    ulong t = get_global_id(0);
    if (t < vertices && next[t]) {
        frontier[t] = 1;
        visited[t] = 1;
        next[t] = 0;
        *more = 1;
    }
}
