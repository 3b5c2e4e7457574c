// y = a ? b as bool (one byte, 0 or 1) with numpy broadcasting: comparisons.
//
// Layout: any of up to 8 axes; y is dense over dims, a and b are walked with their own strides (0 = broadcast).
// Assumes: every tensor has fewer than 2^31 elements; the global size is at least len.
// Macros: TYPE  the OpenCL type of the elements of a and b; RELATION  one of the functions below.
#include "common/index.h"

#ifndef TYPE
#define TYPE float
#endif
#ifndef RELATION
#define RELATION less
#endif

static inline int less(TYPE a, TYPE b) {
    return a < b;
}

static inline int less_or_equal(TYPE a, TYPE b) {
    return a <= b;
}

static inline int greater(TYPE a, TYPE b) {
    return a > b;
}

static inline int greater_or_equal(TYPE a, TYPE b) {
    return a >= b;
}

static inline int equal(TYPE a, TYPE b) {
    return a == b;
}

__kernel void compare(
        __global const TYPE *a,
        __global const TYPE *b,
        __global uchar *y,
        const int len,
        const int8 dims,
        const int8 a_strides,
        const int8 b_strides) {
    const int i = get_global_id(0);
    if (i < len) {
        y[i] = RELATION(a[strided_offset(i, dims, a_strides)], b[strided_offset(i, dims, b_strides)]);
    }
}
