// Copies a strided view into a dense tensor (Transpose, Slice, Expand), 16 elements of a row per item.
//
// Layout: y is dense [dims..., inner]; x is read at x_offset, over dims with x_strides, along inner with x_step.
// Assumes: both tensors have fewer than 2^31 elements; global size [ceil(inner / 16), product of dims].
// Macros: TYPE, TYPE16  an unsigned type as wide as an element, and its vector of 16.
#ifndef TYPE
#define TYPE uint
#define TYPE16 uint16
#endif
#include "common/rows.h"
#include "common/index.h"

__kernel void copy_view(
        __global const TYPE *x,
        __global TYPE *y,
        const int inner,
        const int x_offset,
        const int x_step,
        const int8 dims,
        const int8 x_strides) {
    const int column = get_global_id(0) * 16;
    const int row = get_global_id(1);
    const int count = min(inner - column, 16);
    const int begin = x_offset + strided_offset(row, dims, x_strides);
    write_piece(read_piece(x + begin + column * x_step, x_step, count), y + row * inner + column, count);
}
