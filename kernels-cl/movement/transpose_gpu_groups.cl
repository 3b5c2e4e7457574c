// Exchanges two axes, whatever lies around them: a work-group reads a tile of 32 x 32 elements along the rows of x into
// local memory, and writes it along those of y. Both sides touch neighbouring elements with neighbouring items.
//
// Layout: `rows` elements lie side by side in x and y_pitch apart in y, `columns` x_step apart in x and side by side in y;
//         the other axes are dims, with x_strides and y_strides.
// Assumes: fewer than 2^31 elements. Global size [ceil(rows / 32) * 32, ceil(columns / 32) * 4, product of dims], local
//          size [32, 4, 1].
// Macros: ELEMENT (common/bits.h).
#include "common/bits.h"
#include "common/index.h"

#define TILE_SIZE 32
#define TILE_ITEMS 4

__kernel __attribute__((reqd_work_group_size(TILE_SIZE, TILE_ITEMS, 1)))
void transpose_gpu_groups(
        __global const BITS *x,
        __global BITS *y,
        const int rows,
        const int columns,
        const int x_step,
        const int y_pitch,
        const int8 dims,
        const int8 x_strides,
        const int8 y_strides) {
    // one element more than a row, so that a column lies in as many banks as it has elements
    __local BITS tile[TILE_SIZE][TILE_SIZE + 1];
    const int across = get_local_id(0);
    const int down = get_local_id(1);
    const int row = get_group_id(0) * TILE_SIZE;
    const int column = get_group_id(1) * TILE_SIZE;
    const int outer = get_group_id(2);
    __global const BITS *from = x + strided_offset(outer, dims, x_strides) + row + across;
    __global BITS *to = y + strided_offset(outer, dims, y_strides) + column + across;
#pragma unroll
    for (int k = 0; k < TILE_SIZE; k += TILE_ITEMS) {
        if (row + across < rows && column + down + k < columns) {
            tile[down + k][across] = from[(column + down + k) * x_step];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < TILE_SIZE; k += TILE_ITEMS) {
        if (column + across < columns && row + down + k < rows) {
            to[(row + down + k) * y_pitch] = tile[across][down + k];
        }
    }
}
