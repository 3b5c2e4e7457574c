// y = f(a, b) element by element with numpy broadcasting: arithmetic and PRelu.
//
// Layout: any of up to 8 axes; y is dense over dims, a and b are walked with their own strides (0 = broadcast).
// Assumes: every tensor has fewer than 2^31 elements; the global size is at least len.
// Macros: ELEMENT (common/element.h); FUNCTION  a function of common/functions2.h.
#include "common/element.h"
#include "common/index.h"
#include "common/functions2.h"

#ifndef FUNCTION
#define FUNCTION add
#endif

__kernel void binary(
        __global const STORED *a,
        __global const STORED *b,
        __global STORED *y,
        const int len,
        const int8 dims,
        const int8 a_strides,
        const int8 b_strides) {
    const int i = get_global_id(0);
    if (i < len) {
        const WIDE left = load_element(a, strided_offset(i, dims, a_strides));
        const WIDE right = load_element(b, strided_offset(i, dims, b_strides));
        store_element(FUNCTION(left, right), y, i);
    }
}
