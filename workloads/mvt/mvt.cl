/* SPDX-License-Identifier: MIT */
/* x1 += A y1 by rows (64 lanes, 64 pages; 64 neighbourhoods in double), then x2 += A^T y2 by columns (one page). */
__kernel void mvt_rows(__global REAL *a, __global REAL *x1, __global REAL *y1, uint n)
{
    uint i = (uint)get_global_id(0);
    if (i < n) {
        ACC_LOAD(sum, x1[i]);
        for (uint j = 0; j < n; j++) {
            ACC_ADD(sum, x1[i], a[i * n + j] * y1[j]);
        }
        ACC_STORE(sum, x1[i]);
    }
}

__kernel void mvt_columns(__global REAL *a, __global REAL *x2, __global REAL *y2, uint n)
{
    uint i = (uint)get_global_id(0);
    if (i < n) {
        ACC_LOAD(sum, x2[i]);
        for (uint j = 0; j < n; j++) {
            ACC_ADD(sum, x2[i], a[j * n + i] * y2[j]);
        }
        ACC_STORE(sum, x2[i]);
    }
}
