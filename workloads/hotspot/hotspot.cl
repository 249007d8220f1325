/* SPDX-License-Identifier: MIT */
/* Several steps of heat flow in one launch: a work-group loads a tile of 16 x 16 and computes `steps` steps in local
 * memory, losing a rim in every step; the tiles overlap by these rims. A wave loads four rows: four pages in one
 * neighbourhood if rows have at least 4 KiB. */
#define TILE 16

/* The part of a tile that lies in the grid, in one dimension. */
struct edges {
    int first;   /* of the tile, in the grid */
    int lowest;  /* in the tile */
    int highest;
};

struct edges edges_of(uint tile, uint size, uint steps, uint border)
{
    struct edges e;
    e.first = (int)(TILE - 2 * steps) * (int)tile - (int)border;
    e.lowest = e.first < 0 ? -e.first : 0;
    e.highest = min((int)size - 1 - e.first, TILE - 1);
    return e;
}

__kernel void hotspot(__global float *power, __global float *source, __global float *result, uint columns, uint rows,
                      uint steps, uint border, float step_per_cap, float rx, float ry, float rz)
{
    __local float before[TILE][TILE];
    __local float watts[TILE][TILE];
    __local float now[TILE][TILE];
    const float ambient = 80.0f;
    const int tx = (int)get_local_id(0);
    const int ty = (int)get_local_id(1);
    const struct edges h = edges_of((uint)get_group_id(0), columns, steps, border);
    const struct edges v = edges_of((uint)get_group_id(1), rows, steps, border);
    const bool valid = tx >= h.lowest && tx <= h.highest && ty >= v.lowest && ty <= v.highest;
    const int at = (int)columns * (v.first + ty) + h.first + tx;
    bool computed = false;

    if (valid) {
        before[ty][tx] = source[at];
        watts[ty][tx] = power[at];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int north = max(ty - 1, v.lowest);
    const int south = min(ty + 1, v.highest);
    const int west = max(tx - 1, h.lowest);
    const int east = min(tx + 1, h.highest);
    for (int i = 0; i < (int)steps; i++) {
        computed = valid && tx >= i + 1 && tx <= TILE - 2 - i && ty >= i + 1 && ty <= TILE - 2 - i;
        if (computed) {
            float centre = before[ty][tx];
            now[ty][tx] = centre + step_per_cap * (watts[ty][tx] +
                                                   (before[south][tx] + before[north][tx] - 2.0f * centre) * ry +
                                                   (before[ty][east] + before[ty][west] - 2.0f * centre) * rx +
                                                   (ambient - centre) * rz);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i == (int)steps - 1) {
            break;
        }
        if (computed) {
            before[ty][tx] = now[ty][tx];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (computed) {
        result[at] = now[ty][tx];
    }
}
