// y[i] = saturate(round(x[i] / scale) + zero_point): real numbers as codes; one element per item.
//
// Layout: any, x and y alike and dense: an element is [outer, index of the axis, inner]. scale and zero_point are read at
// outer * scale_strides.x + index / block_size * scale_strides.y + inner * scale_strides.z.
// Assumes: len < 2^31; the global size is at least len; zero_point may be NULL.
// Macros: ELEMENT (common/element.h)  the type of x; CODE  that of y: char uchar short ushort;
//         PRECISION  the quotient is rounded to 0: float32, 1: float16, 2: bfloat16 first.
#include "common/element.h"
#include "common/requantize.h"

#ifndef CODE
#define CODE uchar
#endif
#ifndef PRECISION
#define PRECISION 0
#endif

static inline float as_precise(float value) {
#if PRECISION == 1
    ushort narrow;
    vstore_half_rte(value, 0, (__private half *)&narrow);
    return vload_half(0, (__private half *)&narrow);
#elif PRECISION == 2
    const uint bits = as_uint(value);
    return isnan(value) ? value : as_float((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000);
#else
    return value;
#endif
}

__kernel void quantize(
        __global const STORED *x,
        __global const float *scale,
        __global const CODE *zero_point,
        __global CODE *y,
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
    const float quotient = as_precise(divided((float)load_element(x, i), scale[at]));
    y[i] = SATURATED_TO(CODE)(code_of(quotient, zero_point ? zero_point[at] : 0));
}
