/* SPDX-License-Identifier: MIT */
/* Betweenness centrality (Brandes): forward, each level counts shortest paths with atomic additions; backward, each vertex
 * gathers from its neighbours one level deeper. */
__kernel void bc_init(__global uint *level, __global uint *paths, __global float *share, ulong vertices, ulong root,
                      uint far)
{
    ulong t = get_global_id(0);
    if (t < vertices) {
        level[t] = t == root ? 0 : far;
        paths[t] = t == root;
        share[t] = 0.0f;
    }
}

__kernel void bc_forward(__global ulong *vlist, __global ulong *elist, volatile __global uint *level,
                         volatile __global uint *paths, __global uchar *more, ulong vertices, uint current, uint far)
{
    ulong t = get_global_id(0);
    if (t < vertices && level[t] == current) {
        ulong begin = vlist[t];
        ulong end = vlist[t + 1];
        uint mine = paths[t];
        for (ulong i = begin; i < end; i++) {
            ulong w = elist[i];
            if (level[w] == far) {
                level[w] = current + 1;
                *more = 1;
            }
            if (level[w] == current + 1) {
                atomic_add(&paths[w], mine);
            }
        }
    }
}

__kernel void bc_backward(__global ulong *vlist, __global ulong *elist, __global uint *level, __global uint *paths,
                          __global float *share, ulong vertices, uint current)
{
    ulong t = get_global_id(0);
    if (t < vertices && level[t] == current - 1) {
        ulong begin = vlist[t];
        ulong end = vlist[t + 1];
        float mine = (float)paths[t];
        float sum = 0.0f;
        for (ulong i = begin; i < end; i++) {
            ulong w = elist[i];
            if (level[w] == current) {
                sum += mine / (float)paths[w] * (1.0f + share[w]);
            }
        }
        share[t] += sum;
    }
}

__kernel void bc_sum(__global uint *level, __global float *share, __global float *centrality, ulong vertices, ulong root,
                     uint far)
{
    ulong t = get_global_id(0);
    if (t < vertices && t != root && level[t] != far) {
        centrality[t] += share[t];
    }
}
