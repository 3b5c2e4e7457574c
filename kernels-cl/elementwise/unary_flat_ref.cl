// y[i] = f(x[i]) for every element: activations and mathematical functions; and the same with two bounds.
//
// Layout: any, x and y alike and dense.
// Assumes: len < 2^31; the global size is at least len (items beyond it do nothing); x may be y.
// Macros: ELEMENT (common/element.h); FUNCTION  a function of common/functions.h, called with alpha and beta.
#include "common/element.h"
#include "common/functions.h"

#ifndef FUNCTION
#define FUNCTION relu
#endif

__kernel void unary(
        __global const STORED *x, __global STORED *y, const int len, const REAL alpha, const REAL beta) {
    const int i = get_global_id(0);
    if (i < len) {
        store_element(FUNCTION(load_element(x, i), alpha, beta), y, i);
    }
}

__kernel void limit(__global const STORED *x, __global STORED *y, const int len, const WIDE low, const WIDE high) {
    const int i = get_global_id(0);
    if (i < len) {
        store_element(clip(load_element(x, i), low, high), y, i);
    }
}
