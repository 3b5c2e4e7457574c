// y[batch, row, inner] = x[batch, indices[batch, row, 0], indices[batch, row, 1], ..., inner].
//
// Layout: x is [batch, sizes ..., inner], indices [batch, rows_each, depth], y [batch, rows_each, inner], all dense.
// Assumes: sizes has the depth indexed axes last to first at its end; depth <= 8; batch_len elements of x a batch;
//          negative indices count from the end; those out of range read the nearest end, never other memory;
//          fewer than 2^31 elements; the global size is at least len.
// Macros: ELEMENT (common/bits.h); INDEX  int or long.
#include "common/bits.h"

#ifndef INDEX
#define INDEX long
#endif

__kernel void gather_nd(
        __global const BITS *x,
        __global const INDEX *indices,
        __global BITS *y,
        const int len,
        const int inner,
        const int depth,
        const int rows_each,
        const int batch_len,
        const int8 sizes) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    const int row = i / inner;
    int size[8];
    vstore8(sizes, 0, size);
    int offset = 0;
    for (int k = 0; k < depth; k++) {
        const int axis_size = size[7 - k];
        const INDEX index = indices[row * depth + k];
        const INDEX place = index < 0 ? index + axis_size : index;
        offset = offset * axis_size + (int)clamp(place, (INDEX)0, (INDEX)(axis_size - 1));
    }
    y[i] = x[row / rows_each * batch_len + offset * inner + i % inner];
}
