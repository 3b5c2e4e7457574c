// y[i] = f(x[i]) for every element: activations and mathematical functions.
//
// Layout: any, x and y alike and dense.
// Assumes: len < 2^31; the global size is at least len (items beyond it do nothing); x may be y.
// Macros: FUNCTION  a function of common/functions.h, called with alpha and beta; STORAGE (common/real.h).
#include "common/real.h"
#include "common/functions.h"

#ifndef FUNCTION
#define FUNCTION relu
#endif

__kernel void unary(
        __global const REAL *x, __global REAL *y, const int len, const float alpha, const float beta) {
    const int i = get_global_id(0);
    if (i < len) {
        store_real(FUNCTION(load_real(x, i), alpha, beta), y, i);
    }
}
