// y = data, but y[i, indices[i, j, k], k] = updates[i, j, k], the index standing for one axis; the last of several counts.
//
// Layout: any of up to 8 axes, data and y dense, indices and updates dense over dims. A line is what has one place in all
//         axes but that one: dims has 1 for it, and index_strides and y_strides walk the begins of lines.
// Assumes: negative indices count from the end; those out of range write the nearest end, never other memory;
//          fewer than 2^31 elements; the global sizes are at least ceil(len / run), and the number of lines.
// Macros: ELEMENT (common/bits.h); INDEX  int or long.
#include "common/bits.h"
#include "common/index.h"

#ifndef INDEX
#define INDEX long
#endif

__kernel void scatter_elements_copy(__global const BITS *data, __global BITS *y, const int len, const int run) {
    const long first = (long)get_global_id(0) * run;
    const long end = min((long)len, first + run);
    for (long i = first; i < end; ++i) {
        y[i] = data[i];
    }
}

__kernel void scatter_elements(
        __global const INDEX *indices,
        __global const BITS *updates,
        __global BITS *y,
        const int lines,
        const int count,
        const int axis_size,
        const int index_stride,
        const int y_stride,
        const int8 dims,
        const int8 index_strides,
        const int8 y_strides) {
    const int line = get_global_id(0);
    if (line >= lines) {
        return;
    }
    const int from = strided_offset(line, dims, index_strides);
    const int to = strided_offset(line, dims, y_strides);
    for (int i = 0; i < count; ++i) {
        const INDEX index = indices[from + i * index_stride];
        const INDEX place = index < 0 ? index + axis_size : index;
        y[to + (int)clamp(place, (INDEX)0, (INDEX)(axis_size - 1)) * y_stride] = updates[from + i * index_stride];
    }
}
