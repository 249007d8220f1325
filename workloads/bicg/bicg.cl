/* SPDX-License-Identifier: MIT */
/* q = A p by rows (64 lanes, 64 pages), then s = A^T r by columns (one page). Each kernel clears its result first. */
__kernel void bicg_rows(__global REAL *a, __global REAL *p, __global REAL *q, uint nx, uint ny)
{
    uint i = (uint)get_global_id(0);
    if (i < nx) {
        q[i] = 0;
        ACC_LOAD(sum, q[i]);
        for (uint j = 0; j < ny; j++) {
            ACC_ADD(sum, q[i], a[i * ny + j] * p[j]);
        }
        ACC_STORE(sum, q[i]);
    }
}

__kernel void bicg_columns(__global REAL *a, __global REAL *r, __global REAL *s, uint nx, uint ny)
{
    uint j = (uint)get_global_id(0);
    if (j < ny) {
        s[j] = 0;
        ACC_LOAD(sum, s[j]);
        for (uint i = 0; i < nx; i++) {
            ACC_ADD(sum, s[j], a[i * ny + j] * r[i]);
        }
        ACC_STORE(sum, s[j]);
    }
}
