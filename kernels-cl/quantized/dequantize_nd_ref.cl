// y[i] = (x[i] - zero_point) * scale: codes as real numbers; one element per item.
//
// Layout: any, x and y alike and dense: an element is [outer, index of the axis, inner]. scale and zero_point are read at
// outer * scale_strides.x + index / block_size * scale_strides.y + inner * scale_strides.z.
// Assumes: len < 2^31; the global size is at least len; zero_point may be NULL.
// Macros: ELEMENT (common/element.h)  the type of y, a floating one; CODE  that of x: char uchar short ushort int.
#include "common/element.h"

#ifndef CODE
#define CODE uchar
#endif

__kernel void dequantize(
        __global const CODE *x,
        __global const float *scale,
        __global const CODE *zero_point,
        __global STORED *y,
        const int len,
        const int axis_size,
        const int inner,
        const int block_size,
        const int4 scale_strides) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    const int line = i / inner;
    const int at = line / axis_size * scale_strides.x + line % axis_size / block_size * scale_strides.y
            + i % inner * scale_strides.z;
    const long steps = (long)x[i] - (zero_point ? zero_point[at] : 0);
    store_element((float)steps * scale[at], y, i);
}
