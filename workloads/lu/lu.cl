/* SPDX-License-Identifier: MIT */
/* One step of an LU decomposition in place, without pivoting: the rest of row k by its pivot, then the trailing
 * matrix, in work-groups of 32 x 8: two rows a wave. What costs translations is the reuse distance: every step
 * goes through the whole trailing matrix. */
__kernel void lu_row(__global REAL *a, uint k, uint n)
{
    uint j = k + 1 + (uint)get_global_id(0);
    if (j < n) {
        a[k * n + j] = a[k * n + j] / a[k * n + k];
    }
}

__kernel void lu_trailing(__global REAL *a, uint k, uint n)
{
    uint j = k + 1 + (uint)get_global_id(0);
    uint i = k + 1 + (uint)get_global_id(1);
    if (i < n && j < n) {
        a[i * n + j] = a[i * n + j] - a[i * n + k] * a[k * n + j];
    }
}
