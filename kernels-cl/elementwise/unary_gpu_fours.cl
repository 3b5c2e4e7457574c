// y[i] = f(x[i]) for every element, four neighbouring ones per item: activations and mathematical functions; and the same
// with two bounds.
//
// Layout: any, x and y alike and dense.
// Assumes: len < 2^31 - 1024; the global size is at least ceil(len / 4) and rounded up to 64; x may be y.
// Macros: ELEMENT (common/element.h); FUNCTION  a function of common/functions.h, called with alpha and beta.
#include "common/element.h"
#include "common/fours.h"
#include "common/functions.h"

#ifndef FUNCTION
#define FUNCTION relu
#endif

#define FOURS_OF_ALL(VALUE)                                                                                         \
    const int at = get_global_id(0) * 4;                                                                            \
    if (at + 4 <= len) {                                                                                            \
        const WIDE4 four = load_four(x, at);                                                                        \
        store_four((WIDE4)(VALUE(four.s0), VALUE(four.s1), VALUE(four.s2), VALUE(four.s3)), y, at);                 \
        return;                                                                                                     \
    }                                                                                                               \
    for (int i = at; i < len; ++i) {                                                                                \
        store_element(VALUE(load_element(x, i)), y, i);                                                             \
    }

#define OF_FUNCTION(value) FUNCTION(value, alpha, beta)
#define OF_BOUNDS(value) clip(value, low, high)

__kernel void unary_gpu_fours(
        __global const STORED *x, __global STORED *y, const int len, const REAL alpha, const REAL beta) {
    FOURS_OF_ALL(OF_FUNCTION)
}

__kernel void limit_fours(
        __global const STORED *x, __global STORED *y, const int len, const WIDE low, const WIDE high) {
    FOURS_OF_ALL(OF_BOUNDS)
}
