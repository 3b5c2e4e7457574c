// y = f(a, b) element by element with numpy broadcasting, four neighbouring elements of y per item.
//
// Layout: y is dense [dims..., inner]; a and b are walked over dims with their strides and along inner with a_step and
//         b_step, 1 or 0 (broadcast).
// Assumes: every tensor has fewer than 2^31 - 1024 elements; the global size is at least ceil(len / 4) and rounded up to
//          64; a or b may be y where it is dense.
// Macros: ELEMENT (common/element.h); FUNCTION  a function of common/functions2.h.
#include "common/element.h"
#include "common/fours.h"
#include "common/functions2.h"
#include "common/index.h"

#ifndef FUNCTION
#define FUNCTION add
#endif

static inline WIDE4 read_four(__global const STORED *x, int at, int step) {
    return step ? load_four(x, at) : (WIDE4)load_element(x, at);
}

__kernel void binary_gpu_fours(
        __global const STORED *a,
        __global const STORED *b,
        __global STORED *y,
        const int len,
        const int inner,
        const int a_step,
        const int b_step,
        const int8 dims,
        const int8 a_strides,
        const int8 b_strides) {
    const int at = get_global_id(0) * 4;
    const int row = at / inner;
    const int column = at - row * inner;
    if (at + 4 <= len && column + 4 <= inner) {
        const WIDE4 l = read_four(a, strided_offset(row, dims, a_strides) + column * a_step, a_step);
        const WIDE4 r = read_four(b, strided_offset(row, dims, b_strides) + column * b_step, b_step);
        const WIDE4 four = (WIDE4)(
                FUNCTION(l.s0, r.s0), FUNCTION(l.s1, r.s1), FUNCTION(l.s2, r.s2), FUNCTION(l.s3, r.s3));
        store_four(four, y, at);
        return;
    }
    for (int i = at; i < min(at + 4, len); ++i) {
        const int line = i / inner;
        const int place = i - line * inner;
        const WIDE left = load_element(a, strided_offset(line, dims, a_strides) + place * a_step);
        const WIDE right = load_element(b, strided_offset(line, dims, b_strides) + place * b_step);
        store_element(FUNCTION(left, right), y, i);
    }
}
