/* SPDX-License-Identifier: MIT */
/* y = alpha A x + beta B x, both matrices by rows in one loop: a wave of 64 lanes uses 128 pages at once. */
#define ALPHA ((REAL)43532)
#define BETA ((REAL)12313)

__kernel void gesummv(__global REAL *a, __global REAL *b, __global REAL *x, __global REAL *y,
                      __global REAL *tmp, uint n)
{
    uint i = (uint)get_global_id(0);
    if (i < n) {
        ACC_LOAD(sum_a, tmp[i]);
        ACC_LOAD(sum_b, y[i]);
        for (uint j = 0; j < n; j++) {
            ACC_ADD(sum_a, tmp[i], a[i * n + j] * x[j]);
            ACC_ADD(sum_b, y[i], b[i * n + j] * x[j]);
        }
        ACC_STORE(sum_a, tmp[i]);
        ACC_STORE(sum_b, y[i]);
        y[i] = ALPHA * ACC_VALUE(sum_a, tmp[i]) + BETA * ACC_VALUE(sum_b, y[i]);
    }
}
