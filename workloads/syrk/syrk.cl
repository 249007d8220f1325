/* SPDX-License-Identifier: MIT */
/* C = alpha A A^T + beta C, work-groups of 32 x 8. In a wave of 64 lanes a[j * nj + k] touches 32 rows, 32 pages if
 * rows have at least 4 KiB; the other accesses touch two rows. */
#define ALPHA ((REAL)32412)
#define BETA ((REAL)2123)

__kernel void syrk(__global REAL *a, __global REAL *c, uint ni, uint nj)
{
    uint j = (uint)get_global_id(0);
    uint i = (uint)get_global_id(1);
    if (i < ni && j < ni) {
        c[i * ni + j] *= BETA;
        ACC_LOAD(sum, c[i * ni + j]);
        for (uint k = 0; k < nj; k++) {
            ACC_ADD(sum, c[i * ni + j], ALPHA * a[i * nj + k] * a[j * nj + k]);
        }
        ACC_STORE(sum, c[i * ni + j]);
    }
}
