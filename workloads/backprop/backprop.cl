/* SPDX-License-Identifier: MIT */
/* A layer of a neural network, 16 hidden units: work-groups of 16 x 16 stream through the weights. A row of 17
 * weights has 68 bytes, so that a wave accesses four pieces of 64 bytes, in one page or sometimes two. */
#define HIDDEN 16
#define PITCH (HIDDEN + 1)
#define LEARNING 0.3f
#define MOMENTUM 0.3f

__kernel void backprop_forward(__global float *input, __global float *weights, __global float *partial)
{
    __local float node[HIDDEN];
    __local float product[HIDDEN][HIDDEN];
    const uint tx = (uint)get_local_id(0);
    const uint ty = (uint)get_local_id(1);
    const uint by = (uint)get_group_id(1);
    const uint in = HIDDEN * by + ty + 1;
    const uint at = PITCH * in + tx + 1;

    if (tx == 0) {
        node[ty] = input[in];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    product[ty][tx] = weights[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    product[ty][tx] *= node[ty];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint offset = 1; offset < HIDDEN; offset *= 2) {
        if (ty % (2 * offset) == 0) {
            product[ty][tx] += product[ty + offset][tx];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    weights[at] = product[ty][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tx == 0) {
        partial[HIDDEN * by + ty] = product[0][ty];
    }
}

__kernel void backprop_adjust(__global float *delta, __global float *input, __global float *weights,
                              __global float *old)
{
    const uint tx = (uint)get_local_id(0);
    const uint ty = (uint)get_local_id(1);
    const uint by = (uint)get_group_id(1);
    const uint in = HIDDEN * by + ty + 1;
    const uint at = PITCH * in + tx + 1;

    weights[at] += LEARNING * delta[tx + 1] * input[in] + MOMENTUM * old[at];
    old[at] = LEARNING * delta[tx + 1] * input[in] + MOMENTUM * old[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (ty == 0 && by == 0) {
        weights[tx + 1] += LEARNING * delta[tx + 1] + MOMENTUM * old[tx + 1];
        old[tx + 1] = LEARNING * delta[tx + 1] + MOMENTUM * old[tx + 1];
    }
}
