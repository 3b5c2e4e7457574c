// y = condition ? a : b element by element, numpy broadcasting of all three.
//
// Layout: any of up to 8 axes; y is dense over dims, the inputs are walked with their own strides (0 = broadcast).
// Assumes: every tensor has fewer than 2^31 elements; the global size is at least len; condition has one byte each.
// Macros: TYPE  an unsigned type as wide as an element of a, b and y.
#include "common/index.h"

#ifndef TYPE
#define TYPE uint
#endif

__kernel void where(
        __global const uchar *condition,
        __global const TYPE *a,
        __global const TYPE *b,
        __global TYPE *y,
        const int len,
        const int8 dims,
        const int8 condition_strides,
        const int8 a_strides,
        const int8 b_strides) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    if (condition[strided_offset(i, dims, condition_strides)] != 0) {
        y[i] = a[strided_offset(i, dims, a_strides)];
    } else {
        y[i] = b[strided_offset(i, dims, b_strides)];
    }
}
