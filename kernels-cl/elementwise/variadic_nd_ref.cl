// Folds one more input into y: y = f(y, x), or y = x when it is the first; numpy broadcasting of x over y.
//
// Layout: any of up to 8 axes; y is dense over dims, x is walked with its own strides (0 = broadcast).
// Assumes: launched once per input, in order; fewer than 2^31 elements; the global size is at least len.
// Macros: FUNCTION  a function of common/functions2.h; STORAGE (common/real.h).
#include "common/real.h"
#include "common/index.h"
#include "common/functions2.h"

#ifndef FUNCTION
#define FUNCTION add
#endif

__kernel void fold(
        __global const REAL *x,
        __global REAL *y,
        const int len,
        const int first,
        const int8 dims,
        const int8 x_strides) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    float value = load_real(x, strided_offset(i, dims, x_strides));
    if (!first) {
        value = FUNCTION(load_real(y, i), value);
    }
    store_real(value, y, i);
}
