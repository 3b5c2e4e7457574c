// Folds inputs into y with numpy broadcasting. `fold` folds one more: y = f(y, x), or y = x when it is the first.
// `weighted_sum` adds up to eight times their weights, in the type of sums: y = weights.s0 * x0 + weights.s1 * x1 + ...
//
// Layout: any of up to 8 axes; y is dense over dims, every input is walked with its own strides (0 = broadcast).
// Assumes: fold is launched once per input, in order; weighted_sum reads the first `count` inputs, the others may be
//          null; fewer than 2^31 elements; the global size is at least len.
// Macros: ELEMENT (common/element.h); FUNCTION  a function of common/functions2.h.
#include "common/element.h"
#include "common/index.h"
#include "common/functions2.h"

#ifndef FUNCTION
#define FUNCTION add
#endif

__kernel void fold(
        __global const STORED *x,
        __global STORED *y,
        const int len,
        const int first,
        const long weight,
        const int8 dims,
        const int8 x_strides) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    WIDE value = load_element(x, strided_offset(i, dims, x_strides));
    if (weight != 1) {
        value = multiply((WIDE)weight, value);
    }
    if (!first) {
        value = FUNCTION(load_element(y, i), value);
    }
    store_element(value, y, i);
}

static inline WIDE weighted(__global const STORED *x, int index, long weight) {
    return multiply((WIDE)weight, load_element(x, index));
}

#define ADD_INPUT(number)                                                                                         \
    if (count > number) {                                                                                         \
        const int place = strided_offset(i, dims, strides##number);                                               \
        total = add(total, weighted(x##number, place, weights.s##number));                                        \
    }

__kernel void weighted_sum(
        __global const STORED *x0,
        __global const STORED *x1,
        __global const STORED *x2,
        __global const STORED *x3,
        __global const STORED *x4,
        __global const STORED *x5,
        __global const STORED *x6,
        __global const STORED *x7,
        __global STORED *y,
        const int len,
        const int count,
        const long8 weights,
        const int8 dims,
        const int8 strides0,
        const int8 strides1,
        const int8 strides2,
        const int8 strides3,
        const int8 strides4,
        const int8 strides5,
        const int8 strides6,
        const int8 strides7) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    WIDE total = weighted(x0, strided_offset(i, dims, strides0), weights.s0);
    ADD_INPUT(1)
    ADD_INPUT(2)
    ADD_INPUT(3)
    ADD_INPUT(4)
    ADD_INPUT(5)
    ADD_INPUT(6)
    ADD_INPUT(7)
    store_element(total, y, i);
}
