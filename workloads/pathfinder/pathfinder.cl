/* SPDX-License-Identifier: MIT */
/* Several rows of the dynamic programme in one launch: a work-group loads GROUP results of the previous row and computes
 * `steps` rows in local memory, losing a column on each side in every step; the work-groups overlap by them. Every
 * step reads another row of the wall, and so another page, far from the previous one. The host defines GROUP. */
__kernel void pathfinder(__global int *wall, __global int *source, __global int *result, uint columns, uint steps,
                         uint start, uint border)
{
    __local int before[GROUP];
    __local int now[GROUP];
    const int tx = (int)get_local_id(0);
    const int first = (int)(GROUP - 2 * steps) * (int)get_group_id(0) - (int)border;
    const int x = first + tx;
    const int lowest = first < 0 ? -first : 0;
    const int last = (int)columns - 1 - first;
    const int highest = last < GROUP - 1 ? last : GROUP - 1;
    const bool valid = tx >= lowest && tx <= highest;
    bool computed = false;

    if (valid) {
        before[tx] = source[x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < (int)steps; i++) {
        computed = valid && tx >= i + 1 && tx <= GROUP - 2 - i;
        if (computed) {
            int left = before[max(tx - 1, lowest)];
            int up = before[tx];
            int right = before[min(tx + 1, highest)];
            now[tx] = min(left, min(up, right)) + wall[columns * (start + (uint)i) + (uint)x];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i == (int)steps - 1) {
            break;
        }
        if (computed) {
            before[tx] = now[tx];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (computed) {
        result[x] = now[tx];
    }
}
