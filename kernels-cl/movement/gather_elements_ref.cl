// y[i, j, k] = x[indices[i, j, k], j, k], the index standing for one axis.
//
// Layout: any of up to 8 axes; indices and y are dense over dims, x is walked with x_strides, 0 along the axis.
// Assumes: negative indices count from the end; those out of range read the nearest end, never other memory;
//          fewer than 2^31 elements; the global size is at least len.
// Macros: ELEMENT (common/bits.h); INDEX  int or long.
#include "common/bits.h"
#include "common/index.h"

#ifndef INDEX
#define INDEX long
#endif

__kernel void gather_elements(
        __global const BITS *x,
        __global const INDEX *indices,
        __global BITS *y,
        const int len,
        const int axis_size,
        const int axis_stride,
        const int8 dims,
        const int8 x_strides) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    const INDEX index = indices[i];
    const INDEX place = index < 0 ? index + axis_size : index;
    const int along = (int)clamp(place, (INDEX)0, (INDEX)(axis_size - 1));
    y[i] = x[strided_offset(i, dims, x_strides) + along * axis_stride];
}
