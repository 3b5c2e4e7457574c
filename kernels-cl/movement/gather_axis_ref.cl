// y[outer, index, inner] = x[outer, indices[index], inner].
//
// Layout: x is [outer, axis_size, inner], indices [count], y [outer, count, inner], all dense.
// Assumes: negative indices count from the end; those out of range read the nearest end, never other memory;
//          fewer than 2^31 elements; the global size is at least len.
// Macros: ELEMENT (common/bits.h); INDEX  int or long.
#include "common/bits.h"

#ifndef INDEX
#define INDEX long
#endif

static inline int place_of(INDEX index, int axis_size) {
    const INDEX place = index < 0 ? index + axis_size : index;
    return (int)clamp(place, (INDEX)0, (INDEX)(axis_size - 1));
}

__kernel void gather(
        __global const BITS *x,
        __global const INDEX *indices,
        __global BITS *y,
        const int len,
        const int axis_size,
        const int inner,
        const int count) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    const int row = i / inner;
    const int place = place_of(indices[row % count], axis_size);
    y[i] = x[(row / count * axis_size + place) * inner + i % inner];
}
