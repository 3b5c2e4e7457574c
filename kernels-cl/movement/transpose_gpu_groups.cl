// Exchanges two axes, whatever lies around them: a work-group reads a tile of TILE x TILE elements along the rows of x,
// keeps it in local memory, and writes it along those of y. Both sides touch neighbouring elements with neighbouring items,
// and an item reads all its elements before it stores one.
//
// Layout: `rows` elements lie side by side in x and y_pitch apart in y, `columns` x_step apart in x and side by side in y;
//         the other axes are dims, with x_strides and y_strides.
// Assumes: fewer than 2^31 elements; a work-group of 32 x 8 items for each tile.
// Macros: ELEMENT (common/bits.h); TILE, a multiple of 32.
#include "common/bits.h"
#include "common/index.h"

#ifndef TILE
#define TILE 64
#endif

#define ITEMS_ALONG 32
#define ITEMS_DOWN 8
#define ALONG (TILE / ITEMS_ALONG)
#define DOWN (TILE / ITEMS_DOWN)

__kernel __attribute__((reqd_work_group_size(ITEMS_ALONG * ITEMS_DOWN, 1, 1)))
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
    __local BITS kept[TILE][TILE + 1];
    const int along = get_local_id(0) % ITEMS_ALONG;
    const int down = get_local_id(0) / ITEMS_ALONG;
    const int tile = get_group_id(0);
    const int row_tiles = (rows + TILE - 1) / TILE;
    const int column_tiles = (columns + TILE - 1) / TILE;
    const int line = tile / row_tiles;
    const int outer = line / column_tiles;
    const int row = (tile - line * row_tiles) * TILE;
    const int column = (line - outer * column_tiles) * TILE;
    __global const BITS *from = x + strided_offset(outer, dims, x_strides);
    __global BITS *to = y + strided_offset(outer, dims, y_strides);
    BITS values[DOWN][ALONG];
    // what is not there is read where something is: no branch stands between the loads
    _Pragma("unroll")
    for (int i = 0; i < DOWN; ++i) {
        _Pragma("unroll")
        for (int j = 0; j < ALONG; ++j) {
            const int at_row = min(row + along + j * ITEMS_ALONG, rows - 1);
            const int at_column = min(column + down + i * ITEMS_DOWN, columns - 1);
            values[i][j] = from[at_column * x_step + at_row];
        }
    }
    _Pragma("unroll")
    for (int i = 0; i < DOWN; ++i) {
        _Pragma("unroll")
        for (int j = 0; j < ALONG; ++j) {
            kept[down + i * ITEMS_DOWN][along + j * ITEMS_ALONG] = values[i][j];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    _Pragma("unroll")
    for (int i = 0; i < DOWN; ++i) {
        _Pragma("unroll")
        for (int j = 0; j < ALONG; ++j) {
            const int at_row = row + down + i * ITEMS_DOWN;
            const int at_column = column + along + j * ITEMS_ALONG;
            if (at_row < rows && at_column < columns) {
                to[at_row * y_pitch + at_column] = kept[along + j * ITEMS_ALONG][down + i * ITEMS_DOWN];
            }
        }
    }
}
