/* SPDX-License-Identifier: MIT */
/* PageRank by pushing: every vertex adds its share to the ends of its arcs, an atomic scatter over the whole array. */
void add_float(volatile __global float *place, float term)
{
    volatile __global uint *word = (volatile __global uint *)place;
    uint before;
    uint expected = *word;
    do {
        before = expected;
        expected = atomic_cmpxchg(word, before, as_uint(as_float(before) + term));
    } while (expected != before);
}

__kernel void pagerank_init(__global float *rank, __global float *sum, uint vertices, float start)
{
    uint t = (uint)get_global_id(0);
    if (t < vertices) {
        rank[t] = start;
        sum[t] = 0.0f;
    }
}

__kernel void pagerank_push(__global int *row, __global int *column, __global float *rank, __global float *sum,
                            uint vertices, int arcs)
{
    uint t = (uint)get_global_id(0);
    if (t < vertices) {
        int begin = row[t];
        int end = t + 1 < vertices ? row[t + 1] : arcs;
        float share = rank[t] / (float)(end - begin);
        for (int e = begin; e < end; e++) {
            add_float(&sum[column[e]], share);
        }
    }
}

__kernel void pagerank_take(__global float *rank, __global float *sum, uint vertices, float base, float damping)
{
    uint t = (uint)get_global_id(0);
    if (t < vertices) {
        rank[t] = base + damping * sum[t];
        sum[t] = 0.0f;
    }
}
