/* SPDX-License-Identifier: MIT */
/* One step of an LU decomposition in place, without pivoting: the rest of row k is divided by its pivot, then
 * the trailing matrix is updated in work-groups of 32 x 8: two rows per wave. The reuse distance causes the TLB
 * misses: every step goes through the whole trailing matrix. */
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
