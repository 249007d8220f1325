/* SPDX-License-Identifier: MIT */
/* y = A^T (A x). The first kernel walks rows (64 lanes, 64 rows, 64 pages), the second columns (one page). */
__kernel void atax_rows(__global REAL *a, __global REAL *x, __global REAL *tmp, uint nx, uint ny)
{
    uint i = (uint)get_global_id(0);
    if (i < nx) {
        ACC_LOAD(sum, tmp[i]);
        for (uint j = 0; j < ny; j++) {
            ACC_ADD(sum, tmp[i], a[i * ny + j] * x[j]);
        }
        ACC_STORE(sum, tmp[i]);
    }
}

__kernel void atax_columns(__global REAL *a, __global REAL *y, __global REAL *tmp, uint nx, uint ny)
{
    uint j = (uint)get_global_id(0);
    if (j < ny) {
        ACC_LOAD(sum, y[j]);
        for (uint i = 0; i < nx; i++) {
            ACC_ADD(sum, y[j], a[i * ny + j] * tmp[i]);
        }
        ACC_STORE(sum, y[j]);
    }
}
