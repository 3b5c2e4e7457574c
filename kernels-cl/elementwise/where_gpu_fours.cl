// y = condition ? a : b element by element, numpy broadcasting of all three, four neighbouring elements of y per item.
//
// Layout: y is dense [dims..., inner]; the inputs are walked over dims with their strides, and along inner with
//         condition_step, a_step and b_step, 1 or 0 (broadcast).
// Assumes: every tensor has fewer than 2^31 - 1024 elements; condition has one byte each; the global size is at least
//          ceil(len / 4) and rounded up to 64.
// Macros: TYPE  an unsigned type as wide as an element of a, b and y.
#include "common/index.h"

#ifndef TYPE
#define TYPE uint
#endif

#define WHERE_JOINED(a, b) a##b
#define WHERE_FOUR(type) WHERE_JOINED(type, 4)
#define TYPE4 WHERE_FOUR(TYPE)

// Buffers begin at multiples of 16 bytes and more: what begins at a multiple of four elements is read in vectors.
static inline TYPE4 where_read(__global const TYPE *x, int at, int step) {
    if (step && at % 4 == 0) {
        return *(__global const TYPE4 *)(x + at);
    }
    return (TYPE4)(x[at], x[at + step], x[at + 2 * step], x[at + 3 * step]);
}

static inline uchar4 where_conditions(__global const uchar *x, int at, int step) {
    if (step && at % 4 == 0) {
        return *(__global const uchar4 *)(x + at);
    }
    return (uchar4)(x[at], x[at + step], x[at + 2 * step], x[at + 3 * step]);
}

__kernel void where_gpu_fours(
        __global const uchar *condition,
        __global const TYPE *a,
        __global const TYPE *b,
        __global TYPE *y,
        const int len,
        const int inner,
        const int condition_step,
        const int a_step,
        const int b_step,
        const int8 dims,
        const int8 condition_strides,
        const int8 a_strides,
        const int8 b_strides) {
    const int at = get_global_id(0) * 4;
    for (int i = at; i < min(at + 4, len); ++i) {
        const int row = i / inner;
        const int column = i - row * inner;
        const int from = strided_offset(row, dims, condition_strides) + column * condition_step;
        const int from_a = strided_offset(row, dims, a_strides) + column * a_step;
        const int from_b = strided_offset(row, dims, b_strides) + column * b_step;
        if (i == at && at + 4 <= len && column + 4 <= inner) {
            const uchar4 c = where_conditions(condition, from, condition_step);
            const TYPE4 l = where_read(a, from_a, a_step);
            const TYPE4 r = where_read(b, from_b, b_step);
            *(__global TYPE4 *)(y + at) = (TYPE4)(
                    c.s0 ? l.s0 : r.s0, c.s1 ? l.s1 : r.s1, c.s2 ? l.s2 : r.s2, c.s3 ? l.s3 : r.s3);
            return;
        }
        y[i] = condition[from] ? a[from_a] : b[from_b];
    }
}
