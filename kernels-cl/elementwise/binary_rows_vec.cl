// y = f(a, b) element by element with numpy broadcasting, 16 elements of a row per item (Sum, Max and Min: fold_rows).
//
// Layout: y is dense [dims..., inner]; a and b are walked over dims with their strides and along inner with a_step
// and b_step (0 = broadcast).
// Assumes: every tensor has fewer than 2^31 elements; global size [ceil(inner / 16), product of dims].
// Macros: FUNCTION  a function of common/vector_functions2.h.
#include "common/rows.h"
#include "common/index.h"
#include "common/vector_functions2.h"

#ifndef FUNCTION
#define FUNCTION add
#endif

__kernel void binary_rows(
        __global const float *a,
        __global const float *b,
        __global float *y,
        const int inner,
        const int a_step,
        const int b_step,
        const int8 dims,
        const int8 a_strides,
        const int8 b_strides) {
    const int column = get_global_id(0) * 16;
    const int row = get_global_id(1);
    const int count = min(inner - column, 16);
    const float16 left = read_piece(a + strided_offset(row, dims, a_strides) + column * a_step, a_step, count);
    const float16 right = read_piece(b + strided_offset(row, dims, b_strides) + column * b_step, b_step, count);
    write_piece(FUNCTION(left, right), y + row * inner + column, count);
}

// Folds one more input b into y, or copies it when it is the first.
__kernel void fold_rows(
        __global const float *b,
        __global float *y,
        const int first,
        const int inner,
        const int b_step,
        const int8 dims,
        const int8 b_strides) {
    const int column = get_global_id(0) * 16;
    const int row = get_global_id(1);
    const int count = min(inner - column, 16);
    __global float *piece = y + row * inner + column;
    float16 values = read_piece(b + strided_offset(row, dims, b_strides) + column * b_step, b_step, count);
    if (!first) {
        values = FUNCTION(read_piece(piece, 1, count), values);
    }
    write_piece(values, piece, count);
}
