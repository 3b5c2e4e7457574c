// y[i] = f(x[i]) for every element, 16 at a time; 1024 elements per item.
//
// Layout: any, x and y alike and dense.
// Assumes: 16 <= len < 2^31; global size [ceil(len / 1024)]; x may be y.
// Macros: FUNCTION  a function of common/vector_functions.h, called with alpha.
#include "common/rows.h"
#include "common/vector_functions.h"

#ifndef FUNCTION
#define FUNCTION gelu16
#endif

#define ELEMENTS 1024

__kernel void unary_runs(__global const float *x, __global float *y, const int len, const float alpha) {
    const int begin = get_global_id(0) * ELEMENTS;
    const int end = begin + min(len - begin, ELEMENTS);
    int i = begin;
    for (; i + 16 <= end; i += 16) {
        vstore16(FUNCTION(vload16(0, x + i), alpha), 0, y + i);
    }
    if (i < end) {
        write_piece(FUNCTION(read_piece(x + i, 1, end - i), alpha), y + i, end - i);
    }
}
