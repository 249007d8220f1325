/* SPDX-License-Identifier: MIT */
/* Shortest paths (topo_thread_centric): changed vertices lower the updates of their neighbours by an atomic minimum; then every
 * vertex takes its update. Weights are read in the order of the arcs. */
__kernel void sp_init(__global uint *distance, __global uint *update, __global uchar *mask, ulong vertices, ulong root,
                      uint far)
{
    ulong t = get_global_id(0);
    if (t < vertices) {
        distance[t] = t == root ? 0 : far;
        update[t] = t == root ? 0 : far;
        mask[t] = t == root;
    }
}

__kernel void sp_relax(__global ulong *vlist, __global ulong *elist, __global uint *weight, __global uint *distance,
                       volatile __global uint *update, __global uchar *mask, ulong vertices)
{
    ulong t = get_global_id(0);
    if (t < vertices && mask[t]) {
        ulong begin = vlist[t];
        ulong end = vlist[t + 1];
        uint mine = distance[t];
        for (ulong i = begin; i < end; i++) {
            ulong v = elist[i];
            atomic_min(&update[v], add_sat(mine, weight[i]));
        }
        mask[t] = 0;
    }
}

__kernel void sp_take(__global uint *distance, __global uint *update, __global uchar *mask, __global uchar *more,
                      ulong vertices)
{
    ulong t = get_global_id(0);
    if (t < vertices) {
        uint before = distance[t];
        uint after = update[t];
        if (before > after) {
            distance[t] = after;
            mask[t] = 1;
            *more = 1;
        } else {
            update[t] = before;
        }
    }
}
