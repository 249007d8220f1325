/* SPDX-License-Identifier: MIT */
/* Speckle-reducing diffusion of an image stored by columns: element e is row e % rows, column e / rows. Regular, one
 * page per access, except the higher levels of the reduction, whose lanes read every 256th element and so on. */
#define GROUP 256

__kernel void srad_extract(__global float *image, uint count)
{
    uint e = (uint)get_global_id(0);
    if (e < count) {
        image[e] = exp(image[e] / 255.0f);
    }
}

__kernel void srad_prepare(__global float *image, __global float *sums, __global float *squares, uint count)
{
    uint e = (uint)get_global_id(0);
    if (e < count) {
        sums[e] = image[e];
        squares[e] = image[e] * image[e];
    }
}

/* The sum of each work-group's values replaces its first value. If the last work-group is not full, a tree adds the
 * largest power of two of its values, and one lane the rest. */
__kernel void srad_reduce(__global float *sums, __global float *squares, uint count, uint stride)
{
    __local float sum[GROUP];
    __local float square[GROUP];
    const uint tx = (uint)get_local_id(0);
    const uint first = (uint)get_group_id(0) * GROUP;
    const uint here = min((uint)GROUP, count - first);
    uint tree = 1;
    while (tree * 2 <= here) {
        tree *= 2;
    }
    if (tx < here) {
        sum[tx] = sums[(first + tx) * stride];
        square[tx] = squares[(first + tx) * stride];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 2; step <= tree; step *= 2) {
        if ((tx + 1) % step == 0 && tx < tree) {
            sum[tx] += sum[tx - step / 2];
            square[tx] += square[tx - step / 2];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (tx == tree - 1) {
        for (uint i = tree; i < here; i++) {
            sum[tx] += sums[(first + i) * stride];
            square[tx] += squares[(first + i) * stride];
        }
        sums[first * stride] = sum[tx];
        squares[first * stride] = square[tx];
    }
}

__kernel void srad_gradient(__global float *image, __global float *north, __global float *south, __global float *west,
                            __global float *east, __global float *c, __global int *row_north,
                            __global int *row_south, __global int *column_west, __global int *column_east, uint rows,
                            uint count, float q0sqr)
{
    uint e = (uint)get_global_id(0);
    if (e < count) {
        int row = (int)(e % rows);
        int column = (int)(e / rows);
        int pitch = (int)rows;
        float centre = image[e];
        float n = image[row_north[row] + pitch * column] - centre;
        float s = image[row_south[row] + pitch * column] - centre;
        float w = image[row + pitch * column_west[column]] - centre;
        float o = image[row + pitch * column_east[column]] - centre;
        float gradient = (n * n + s * s + w * w + o * o) / (centre * centre);
        float laplacian = (n + s + w + o) / centre;
        float numerator = 0.5f * gradient - 0.0625f * (laplacian * laplacian);
        float denominator = 1.0f + 0.25f * laplacian;
        float q = numerator / (denominator * denominator);
        float coefficient = 1.0f / (1.0f + (q - q0sqr) / (q0sqr * (1.0f + q0sqr)));
        north[e] = n;
        south[e] = s;
        west[e] = w;
        east[e] = o;
        c[e] = coefficient < 0.0f ? 0.0f : coefficient > 1.0f ? 1.0f : coefficient;
    }
}

__kernel void srad_update(__global float *image, __global float *north, __global float *south, __global float *west,
                          __global float *east, __global float *c, __global int *row_south,
                          __global int *column_east, uint rows, uint count, float lambda)
{
    uint e = (uint)get_global_id(0);
    if (e < count) {
        int row = (int)(e % rows);
        int column = (int)(e / rows);
        int pitch = (int)rows;
        float c_north = c[e];
        float c_south = c[row_south[row] + pitch * column];
        float c_west = c[e];
        float c_east = c[row + pitch * column_east[column]];
        float divergence = c_north * north[e] + c_south * south[e] + c_west * west[e] + c_east * east[e];
        image[e] += 0.25f * lambda * divergence;
    }
}

__kernel void srad_compress(__global float *image, uint count)
{
    uint e = (uint)get_global_id(0);
    if (e < count) {
        image[e] = log(image[e]) * 255.0f;
    }
}
