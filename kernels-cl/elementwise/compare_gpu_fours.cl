// y = a ? b as bool (one byte, 0 or 1) with numpy broadcasting: comparisons, four neighbouring elements of y per item.
//
// Layout: y is dense [dims..., inner]; a and b are walked over dims with their strides and along inner with a_step and
//         b_step, 1 or 0 (broadcast).
// Assumes: every tensor has fewer than 2^31 - 1024 elements; the global size is at least ceil(len / 4) and rounded up to
//          64.
// Macros: ELEMENT (common/element.h)  the type of a and b; RELATION  one of common/relations.h.
#include "common/element.h"
#include "common/fours.h"
#include "common/index.h"
#include "common/relations.h"

#ifndef RELATION
#define RELATION less
#endif

static inline WIDE4 read_four(__global const STORED *x, int at, int step) {
    return step ? load_four(x, at) : (WIDE4)load_element(x, at);
}

__kernel void compare_gpu_fours(
        __global const STORED *a,
        __global const STORED *b,
        __global uchar *y,
        const int len,
        const int inner,
        const int a_step,
        const int b_step,
        const int8 dims,
        const int8 a_strides,
        const int8 b_strides) {
    const int at = get_global_id(0) * 4;
    for (int i = at; i < min(at + 4, len); ++i) {
        const int row = i / inner;
        const int column = i - row * inner;
        const int from_a = strided_offset(row, dims, a_strides) + column * a_step;
        const int from_b = strided_offset(row, dims, b_strides) + column * b_step;
        if (i == at && at + 4 <= len && column + 4 <= inner) {
            const WIDE4 l = read_four(a, from_a, a_step);
            const WIDE4 r = read_four(b, from_b, b_step);
            *(__global uchar4 *)(y + at) = (uchar4)(
                    RELATION(l.s0, r.s0), RELATION(l.s1, r.s1), RELATION(l.s2, r.s2), RELATION(l.s3, r.s3));
            return;
        }
        y[i] = RELATION(load_element(a, from_a), load_element(b, from_b));
    }
}
