/* SPDX-License-Identifier: MIT */
/* Needleman-Wunsch, one diagonal of tiles per launch, a work-group of BLOCK lanes per tile. The west column is read
 * with the matrix' pitch as stride: BLOCK lanes, BLOCK pages. References and results use a new page per row.
 * The host defines BLOCK. */
#define PITCH (BLOCK + 1)

void align_tile(__global int *reference, __global int *matrix, uint columns, int penalty, uint tile_x,
                uint tile_y, __local int *score, __local int *local_reference)
{
    uint tx = (uint)get_local_id(0);
    uint base = columns * BLOCK * tile_y + BLOCK * tile_x;

    if (tx == 0) {
        score[0] = matrix[base];
    }
    for (uint row = 0; row < BLOCK; row++) {
        local_reference[row * BLOCK + tx] = reference[base + columns * (row + 1) + 1 + tx];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    score[(tx + 1) * PITCH] = matrix[base + columns * (tx + 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    score[tx + 1] = matrix[base + 1 + tx];
    barrier(CLK_LOCAL_MEM_FENCE);

    /* the anti-diagonals of the tile grow up to the main one, then shrink */
    for (uint step = 0; step < 2 * BLOCK - 1; step++) {
        uint lanes = step < BLOCK ? step + 1 : 2 * BLOCK - 1 - step;
        if (tx < lanes) {
            uint x = step < BLOCK ? tx + 1 : tx + BLOCK + 1 - lanes;
            uint y = step < BLOCK ? step + 1 - tx : BLOCK - tx;
            int north_west = score[(y - 1) * PITCH + x - 1] + local_reference[(y - 1) * BLOCK + x - 1];
            int west = score[y * PITCH + x - 1] - penalty;
            int north = score[(y - 1) * PITCH + x] - penalty;
            score[y * PITCH + x] = max(north_west, max(west, north));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    for (uint row = 0; row < BLOCK; row++) {
        matrix[base + columns * (row + 1) + 1 + tx] = score[(row + 1) * PITCH + tx + 1];
    }
}

/* Aligns the diagonals of 1, 2, ... tiles; this launch that of `diagonal` tiles. */
__kernel void nw_grow(__global int *reference, __global int *matrix, uint columns, uint penalty, uint diagonal)
{
    __local int score[PITCH * PITCH];
    __local int local_reference[BLOCK * BLOCK];
    uint group = (uint)get_group_id(0);
    align_tile(reference, matrix, columns, (int)penalty, group, diagonal - 1 - group, score, local_reference);
}

/* Aligns the other half, ..., 2, 1 tiles, of a matrix of `tiles` by `tiles`. */
__kernel void nw_shrink(__global int *reference, __global int *matrix, uint columns, uint penalty, uint diagonal,
                        uint tiles)
{
    __local int score[PITCH * PITCH];
    __local int local_reference[BLOCK * BLOCK];
    uint group = (uint)get_group_id(0);
    align_tile(reference, matrix, columns, (int)penalty, group + tiles - diagonal, tiles - 1 - group, score,
               local_reference);
}
