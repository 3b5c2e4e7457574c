// Copies a strided view into a dense tensor (Transpose, Slice, Expand), 16 elements of a row per item.
//
// Layout: y is dense [dims..., inner]; x is read at x_offset, over dims with x_strides, along inner with x_step.
// Assumes: both tensors have fewer than 2^31 elements; global size [ceil(inner / 16), product of dims].
// Macros: ELEMENT (common/bits.h).
#include "common/bits.h"
#define TYPE BITS
#define TYPE16 BITS16
#include "common/rows.h"
#include "common/index.h"

__kernel void copy_view(
        __global const BITS *x,
        __global BITS *y,
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
