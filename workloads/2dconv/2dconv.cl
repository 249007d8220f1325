/* SPDX-License-Identifier: MIT */
/* A 3 x 3 convolution of the inner elements, work-groups of 32 x 8: each load of a wave covers two rows of
 * 32 elements, and all nine loads together cover four rows. */
__kernel void convolution(__global REAL *a, __global REAL *b, uint ni, uint nj)
{
    uint j = (uint)get_global_id(0);
    uint i = (uint)get_global_id(1);
    if (i > 0 && i < ni - 1 && j > 0 && j < nj - 1) {
        uint at = i * nj + j;
        b[at] = (REAL)0.2 * a[at - nj - 1] + (REAL)0.5 * a[at - nj] + (REAL)-0.8 * a[at - nj + 1] +
                (REAL)-0.3 * a[at - 1] + (REAL)0.6 * a[at] + (REAL)-0.9 * a[at + 1] +
                (REAL)0.4 * a[at + nj - 1] + (REAL)0.7 * a[at + nj] + (REAL)0.10 * a[at + nj + 1];
    }
}
