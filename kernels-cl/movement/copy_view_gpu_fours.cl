// Copies a strided view into a dense tensor (Transpose, Slice, Expand, Tile, Reorg), four neighbouring elements of y per
// item.
//
// Layout: y is dense [dims..., inner]; x is read at x_offset, over dims with x_strides, along inner with x_step.
// Assumes: both tensors have fewer than 2^31 - 1024 elements; the global size is at least ceil(len / 4) and rounded up
//          to 64.
// Macros: ELEMENT (common/bits.h).
#include "common/bits.h"
#include "common/index.h"

#define BITS4 ELEMENT_VECTOR(BITS, 4)

// Buffers begin at multiples of 16 bytes and more: a row that begins at a multiple of four elements is read in vectors.
static inline BITS4 view_four(__global const BITS *x, int at, int step) {
    if (step == 1 && at % 4 == 0) {
        return *(__global const BITS4 *)(x + at);
    }
    return (BITS4)(x[at], x[at + step], x[at + 2 * step], x[at + 3 * step]);
}

__kernel void copy_view_gpu_fours(
        __global const BITS *x,
        __global BITS *y,
        const int len,
        const int inner,
        const int x_offset,
        const int x_step,
        const int8 dims,
        const int8 x_strides) {
    const int at = get_global_id(0) * 4;
    const int row = at / inner;
    const int column = at - row * inner;
    if (at + 4 <= len && column + 4 <= inner) {
        const int from = x_offset + strided_offset(row, dims, x_strides) + column * x_step;
        *(__global BITS4 *)(y + at) = view_four(x, from, x_step);
        return;
    }
    for (int i = at; i < min(at + 4, len); ++i) {
        const int line = i / inner;
        y[i] = x[x_offset + strided_offset(line, dims, x_strides) + (i - line * inner) * x_step];
    }
}
