// y = f(a, b) bit by bit on integer tensors, with numpy broadcasting; and y = ~x.
//
// Layout: any of up to 8 axes; y is dense over dims, a and b are walked with their own strides (0 = broadcast).
// Assumes: every tensor has fewer than 2^31 elements; the global size is at least len.
// Macros: WORD      the unsigned type as wide as the elements: uchar, ushort, uint or ulong;
//         FUNCTION  one of the functions below. What is shifted by as many bits as it has, or more, is what moves in; a
//                   negative number of bits is a large one without a sign.
#include "common/index.h"

#ifndef WORD
#define WORD uint
#endif
#ifndef FUNCTION
#define FUNCTION bits_and
#endif

static inline WORD bits_and(WORD a, WORD b) {
    return a & b;
}

static inline WORD bits_or(WORD a, WORD b) {
    return a | b;
}

static inline WORD bits_xor(WORD a, WORD b) {
    return a ^ b;
}

static inline WORD bits_left(WORD a, WORD b) {
    return b < 8 * sizeof(WORD) ? (WORD)(a << b) : (WORD)0;
}

static inline WORD bits_right(WORD a, WORD b) {
    return b < 8 * sizeof(WORD) ? (WORD)(a >> b) : (WORD)0;
}

static inline WORD bits_right_signed(WORD a, WORD b) {
    const bool negative = a >> (8 * sizeof(WORD) - 1) != 0;
    return negative ? (WORD)~bits_right((WORD)~a, b) : bits_right(a, b);
}

__kernel void bits(
        __global const WORD *a,
        __global const WORD *b,
        __global WORD *y,
        const int len,
        const int8 dims,
        const int8 a_strides,
        const int8 b_strides) {
    const int i = get_global_id(0);
    if (i < len) {
        y[i] = FUNCTION(a[strided_offset(i, dims, a_strides)], b[strided_offset(i, dims, b_strides)]);
    }
}

__kernel void bits_not(__global const WORD *x, __global WORD *y, const int len) {
    const int i = get_global_id(0);
    if (i < len) {
        y[i] = ~x[i];
    }
}
