// Copies between a dense tensor and a strided view: Transpose, Slice, Expand (strided_copy) and Tile (tile).
//
// Layout: any of up to 8 axes; y is dense over dims; x is read at x_offset plus x_strides (0 or negative allowed).
// Assumes: both tensors have fewer than 2^31 elements; the global size is at least len.
// Macros: ELEMENT (common/bits.h).
#include "common/bits.h"
#include "common/index.h"

__kernel void strided_copy(
        __global const BITS *x,
        __global BITS *y,
        const int len,
        const int8 dims,
        const int x_offset,
        const int8 x_strides) {
    const int i = get_global_id(0);
    if (i < len) {
        y[i] = x[x_offset + strided_offset(i, dims, x_strides)];
    }
}

#define WRAP_AXIS(s)                                    \
    offset += index % dims.s % x_dims.s * stride;       \
    index /= dims.s;                                    \
    stride *= x_dims.s;

static inline int tiled_offset(int index, int8 dims, int8 x_dims) {
    int offset = 0;
    int stride = 1;
    WRAP_AXIS(s7)
    WRAP_AXIS(s6)
    WRAP_AXIS(s5)
    WRAP_AXIS(s4)
    WRAP_AXIS(s3)
    WRAP_AXIS(s2)
    WRAP_AXIS(s1)
    WRAP_AXIS(s0)
    return offset;
}

__kernel void tile(
        __global const BITS *x, __global BITS *y, const int len, const int8 dims, const int8 x_dims) {
    const int i = get_global_id(0);
    if (i < len) {
        y[i] = x[tiled_offset(i, dims, x_dims)];
    }
}
