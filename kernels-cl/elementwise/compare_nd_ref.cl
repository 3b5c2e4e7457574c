// y = a ? b as bool (one byte, 0 or 1) with numpy broadcasting: comparisons.
//
// Layout: any of up to 8 axes; y is dense over dims, a and b are walked with their own strides (0 = broadcast).
// Assumes: every tensor has fewer than 2^31 elements; the global size is at least len.
// Macros: ELEMENT (common/element.h)  the type of a and b; RELATION  one of common/relations.h.
#include "common/element.h"
#include "common/index.h"
#include "common/relations.h"

#ifndef RELATION
#define RELATION less
#endif

__kernel void compare(
        __global const STORED *a,
        __global const STORED *b,
        __global uchar *y,
        const int len,
        const int8 dims,
        const int8 a_strides,
        const int8 b_strides) {
    const int i = get_global_id(0);
    if (i < len) {
        const WIDE left = load_element(a, strided_offset(i, dims, a_strides));
        y[i] = RELATION(left, load_element(b, strided_offset(i, dims, b_strides)));
    }
}
