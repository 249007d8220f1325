/* SPDX-License-Identifier: MIT */
/* The k-core: removes each vertex of degree below k and decrements its neighbours' degrees atomically, until none is left. */
__kernel void kc_init(__global ulong *vlist, __global uint *degree, __global uchar *removed, __global uchar *flag,
                      ulong vertices)
{
    ulong t = get_global_id(0);
    if (t < vertices) {
        degree[t] = (uint)(vlist[t + 1] - vlist[t]);
        removed[t] = 0;
        flag[t] = 0;
    }
}

__kernel void kc_lower(__global ulong *vlist, __global ulong *elist, volatile __global uint *degree,
                       __global uchar *removed, __global uchar *flag, ulong vertices)
{
    ulong t = get_global_id(0);
    if (t < vertices && flag[t]) {
        ulong begin = vlist[t];
        ulong end = vlist[t + 1];
        for (ulong i = begin; i < end; i++) {
            ulong v = elist[i];
            if (!removed[v]) {
                atomic_sub(&degree[v], 1u);
            }
        }
        flag[t] = 0;
    }
}

__kernel void kc_remove(__global uint *degree, __global uchar *removed, __global uchar *flag,
                        volatile __global uint *removals, __global uchar *over, ulong vertices, uint k)
{
    ulong t = get_global_id(0);
    if (t < vertices && !removed[t] && degree[t] < k) {
        removed[t] = 1;
        flag[t] = 1;
        atomic_add(removals, 1u);
        *over = 0;
    }
}
