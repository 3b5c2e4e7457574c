// y = f(a, b) element by element with numpy broadcasting: arithmetic and PRelu.
//
// Layout: any of up to 8 axes; y is dense over dims, a and b are walked with their own strides (0 = broadcast).
// Assumes: every tensor has fewer than 2^31 elements; the global size is at least len.
// Macros: FUNCTION  a function of common/functions2.h; STORAGE (common/real.h).
#include "common/real.h"
#include "common/index.h"
#include "common/functions2.h"

#ifndef FUNCTION
#define FUNCTION add
#endif

__kernel void binary(
        __global const REAL *a,
        __global const REAL *b,
        __global REAL *y,
        const int len,
        const int8 dims,
        const int8 a_strides,
        const int8 b_strides) {
    const int i = get_global_id(0);
    if (i < len) {
        const float left = load_real(a, strided_offset(i, dims, a_strides));
        const float right = load_real(b, strided_offset(i, dims, b_strides));
        store_real(FUNCTION(left, right), y, i);
    }
}
