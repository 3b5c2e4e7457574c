// Logic on bool tensors (one byte, 0 is false, all else true; results are 0 or 1), numpy broadcasting.
//
// Layout: any of up to 8 axes; y is dense over dims, a and b are walked with their own strides (0 = broadcast).
// Assumes: every tensor has fewer than 2^31 elements; the global size is at least len.
// Macros: FUNCTION  logic_ and the name of one of LOGIC of common/function2_table.h.
#include "common/function2_table.h"
#include "common/index.h"

#ifndef FUNCTION
#define FUNCTION logic_and
#endif

#define LOGIC_FUNCTION(NUMBER, NAME, VALUE) \
    static inline uchar logic_##NAME(int a, int b) { \
        return VALUE; \
    }

LOGIC(LOGIC_FUNCTION)

__kernel void logic(
        __global const uchar *a,
        __global const uchar *b,
        __global uchar *y,
        const int len,
        const int8 dims,
        const int8 a_strides,
        const int8 b_strides) {
    const int i = get_global_id(0);
    if (i < len) {
        y[i] = FUNCTION(a[strided_offset(i, dims, a_strides)] != 0, b[strided_offset(i, dims, b_strides)] != 0);
    }
}

__kernel void logical_not(__global const uchar *x, __global uchar *y, const int len) {
    const int i = get_global_id(0);
    if (i < len) {
        y[i] = x[i] == 0;
    }
}
