// Exchanges two axes, whatever lies around them, without local memory: an item reads four neighbours of four rows of x,
// and writes four neighbours of four rows of y. A work-group has a tile of TILE x TILE elements; of 32 neighbouring items
// eight lie along the rows of x and four along those of y.
//
// Layout: `rows` elements lie side by side in x and y_pitch apart in y, `columns` x_step apart in x and side by side in y;
//         the other axes are dims, with x_strides and y_strides. All sizes, steps and strides are multiples of four.
// Assumes: fewer than 2^31 elements; a work-group for each tile, local size [TILE * TILE / 16].
// Macros: ELEMENT (common/bits.h); TILE, a multiple of 32.
#include "common/bits.h"
#include "common/index.h"

#ifndef TILE
#define TILE 64
#endif

#define BITS4 ELEMENT_VECTOR(BITS, 4)
#define BLOCKS (TILE / 32)
#define FOUR_AT(place) (*(__global BITS4 *)(place))

__kernel __attribute__((reqd_work_group_size(TILE * TILE / 16, 1, 1)))
void transpose_gpu_quads(
        __global const BITS *x,
        __global BITS *y,
        const int rows,
        const int columns,
        const int x_step,
        const int y_pitch,
        const int8 dims,
        const int8 x_strides,
        const int8 y_strides) {
    const int item = get_local_id(0);
    const int block = item / 32;
    const int tile = get_group_id(0);
    const int row_tiles = (rows + TILE - 1) / TILE;
    const int column_tiles = (columns + TILE - 1) / TILE;
    const int line = tile / row_tiles;
    const int outer = line / column_tiles;
    const int row = (tile - line * row_tiles) * TILE + block % BLOCKS * 32 + item % 8 * 4;
    const int column = (line - outer * column_tiles) * TILE + block / BLOCKS * 16 + item / 8 % 4 * 4;
    if (row >= rows || column >= columns) {
        return;
    }
    __global const BITS *from = x + strided_offset(outer, dims, x_strides) + column * x_step + row;
    __global BITS *to = y + strided_offset(outer, dims, y_strides) + row * y_pitch + column;
    const BITS4 a = *(__global const BITS4 *)from;
    const BITS4 b = *(__global const BITS4 *)(from + x_step);
    const BITS4 c = *(__global const BITS4 *)(from + 2 * x_step);
    const BITS4 d = *(__global const BITS4 *)(from + 3 * x_step);
    FOUR_AT(to) = (BITS4)(a.s0, b.s0, c.s0, d.s0);
    FOUR_AT(to + y_pitch) = (BITS4)(a.s1, b.s1, c.s1, d.s1);
    FOUR_AT(to + 2 * y_pitch) = (BITS4)(a.s2, b.s2, c.s2, d.s2);
    FOUR_AT(to + 3 * y_pitch) = (BITS4)(a.s3, b.s3, c.s3, d.s3);
}
