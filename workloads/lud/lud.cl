/* SPDX-License-Identifier: MIT */
/* One step of a blocked LU decomposition: the diagonal tile (16 lanes), its row and its column of tiles (32 lanes,
 * half of them for each, one after the other), all inner tiles (16 x 16 lanes). `offset` is the first row of the
 * diagonal tile. A wave loads four rows of an inner tile: four pages in one neighbourhood if rows have 4 KiB. */
#define TILE 16

__kernel void lud_diagonal(__global float *m, uint size, uint offset)
{
    __local float tile[TILE][TILE];
    const uint tx = (uint)get_local_id(0);
    for (uint i = 0; i < TILE; i++) {
        tile[i][tx] = m[(offset + i) * size + offset + tx];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < TILE - 1; i++) {
        if (tx > i) {
            for (uint j = 0; j < i; j++) {
                tile[tx][i] -= tile[tx][j] * tile[j][i];
            }
            tile[tx][i] /= tile[i][i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (tx > i) {
            for (uint j = 0; j <= i; j++) {
                tile[i + 1][tx] -= tile[i + 1][j] * tile[j][tx];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint i = 1; i < TILE; i++) { /* the first row does not change */
        m[(offset + i) * size + offset + tx] = tile[i][tx];
    }
}

__kernel void lud_perimeter(__global float *m, uint size, uint offset)
{
    __local float tile[TILE][TILE];
    __local float row[TILE][TILE];
    __local float column[TILE][TILE];
    const uint tx = (uint)get_local_id(0);
    const uint x = tx % TILE;
    const uint other = offset + TILE * ((uint)get_group_id(0) + 1);
    if (tx < TILE) {
        for (uint i = 0; i < TILE / 2; i++) {
            tile[i][x] = m[(offset + i) * size + offset + x];
        }
        for (uint i = 0; i < TILE; i++) {
            row[i][x] = m[(offset + i) * size + other + x];
        }
    } else {
        for (uint i = TILE / 2; i < TILE; i++) {
            tile[i][x] = m[(offset + i) * size + offset + x];
        }
        for (uint i = 0; i < TILE; i++) {
            column[i][x] = m[(other + i) * size + offset + x];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tx < TILE) {
        for (uint i = 1; i < TILE; i++) {
            for (uint j = 0; j < i; j++) {
                row[i][x] -= tile[i][j] * row[j][x];
            }
        }
    } else {
        for (uint i = 0; i < TILE; i++) {
            for (uint j = 0; j < i; j++) {
                column[x][i] -= column[x][j] * tile[j][i];
            }
            column[x][i] /= tile[i][i];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tx < TILE) {
        for (uint i = 1; i < TILE; i++) {
            m[(offset + i) * size + other + x] = row[i][x];
        }
    } else {
        for (uint i = 0; i < TILE; i++) {
            m[(other + i) * size + offset + x] = column[i][x];
        }
    }
}

__kernel void lud_internal(__global float *m, uint size, uint offset)
{
    __local float row[TILE][TILE];
    __local float column[TILE][TILE];
    const uint tx = (uint)get_local_id(0);
    const uint ty = (uint)get_local_id(1);
    const uint x = offset + TILE * ((uint)get_group_id(0) + 1) + tx;
    const uint y = offset + TILE * ((uint)get_group_id(1) + 1) + ty;
    row[ty][tx] = m[(offset + ty) * size + x];
    column[ty][tx] = m[y * size + offset + tx];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (uint i = 0; i < TILE; i++) {
        sum += column[ty][i] * row[i][tx];
    }
    m[y * size + x] -= sum;
}
