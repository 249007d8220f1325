/* SPDX-License-Identifier: MIT */
/* Step t of a forward elimination. The first dimension selects the row, so that the lanes of a wave are in different
 * rows: 64 pages in the first kernel, 16 in the second with work-groups of 16 x 16. The grids do not shrink. */
__kernel void fan1(__global float *m, __global float *a, uint size, uint t)
{
    uint x = (uint)get_global_id(0);
    if (x < size - 1 - t) {
        m[size * (x + t + 1) + t] = a[size * (x + t + 1) + t] / a[size * t + t];
    }
}

__kernel void fan2(__global float *m, __global float *a, __global float *b, uint size, uint t)
{
    uint x = (uint)get_global_id(0);
    uint y = (uint)get_global_id(1);
    if (x < size - 1 - t && y < size - t) {
        a[size * (x + 1 + t) + y + t] -= m[size * (x + 1 + t) + t] * a[size * t + y + t];
        if (y == 0) {
            b[x + 1 + t] -= m[size * (x + 1 + t) + y + t] * b[t];
        }
    }
}
