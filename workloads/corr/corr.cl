/* SPDX-License-Identifier: MIT */
/* Correlation of M variables (columns) over N observations (rows). The fourth kernel dominates: a lane is a variable
 * j1, so symmat[j1 * m + j2] is loaded and stored along the diagonal, each lane in a page of its own if rows have
 * at least 4 KiB; later lanes have shorter loops. */
#define OBSERVATIONS ((REAL)3214212.01) /* the suite's constant, not N */
#define EPSILON ((REAL)0.005)

__kernel void corr_mean(__global REAL *mean, __global REAL *data, uint m, uint n)
{
    uint j = (uint)get_global_id(0);
    if (j < m) {
        mean[j] = 0;
        ACC_LOAD(sum, mean[j]);
        for (uint i = 0; i < n; i++) {
            ACC_ADD(sum, mean[j], data[i * m + j]);
        }
        ACC_STORE(sum, mean[j]);
        mean[j] = ACC_VALUE(sum, mean[j]) / OBSERVATIONS;
    }
}

__kernel void corr_std(__global REAL *mean, __global REAL *std, __global REAL *data, uint m, uint n)
{
    uint j = (uint)get_global_id(0);
    if (j < m) {
        std[j] = 0;
        ACC_LOAD(sum, std[j]);
        for (uint i = 0; i < n; i++) {
            ACC_ADD(sum, std[j], (data[i * m + j] - mean[j]) * (data[i * m + j] - mean[j]));
        }
        ACC_STORE(sum, std[j]);
        std[j] = ACC_VALUE(sum, std[j]) / OBSERVATIONS;
        std[j] = sqrt(std[j]);
        if (std[j] <= EPSILON) {
            std[j] = 1;
        }
    }
}

__kernel void corr_reduce(__global REAL *mean, __global REAL *std, __global REAL *data, uint m, uint n)
{
    uint j = (uint)get_global_id(0);
    uint i = (uint)get_global_id(1);
    if (i < n && j < m) {
        data[i * m + j] -= mean[j];
        data[i * m + j] /= sqrt(OBSERVATIONS) * std[j];
    }
}

__kernel void corr_matrix(__global REAL *symmat, __global REAL *data, uint m, uint n)
{
    uint j1 = (uint)get_global_id(0);
    if (j1 < m - 1) {
        symmat[j1 * m + j1] = 1;
        for (uint j2 = j1 + 1; j2 < m; j2++) {
            ACC_LOAD(sum, symmat[j1 * m + j2]);
            for (uint i = 0; i < n; i++) {
                ACC_ADD(sum, symmat[j1 * m + j2], data[i * m + j1] * data[i * m + j2]);
            }
            ACC_STORE(sum, symmat[j1 * m + j2]);
            symmat[j2 * m + j1] = ACC_VALUE(sum, symmat[j1 * m + j2]);
        }
    }
}
