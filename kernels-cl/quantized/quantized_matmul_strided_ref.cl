// Products of matrices of codes: one output element per item.
//
// Layout: dense matrices, A [m, k], B [k, n], y [m, n]; the batch axes of A and B have their own strides (0 = broadcast).
// bias is walked with [row, column] strides. row_steps: how far a_zero_point, a_scale, y_scale and y_zero_point go on from
// one row to the next, column_steps: b_zero_point and b_scale from one column to the next, 0 or 1.
// Assumes: every tensor has fewer than 2^31 elements; global size [at least n, m, number of matrices]; bias and zero points
//          may be NULL, scales where RESULT_KIND does not ask for them. Sums wrap.
// Macros: A_CODE, B_CODE  char or uchar; RESULT, RESULT_KIND (common/requantize.h).
#include "common/index.h"
#include "common/requantize.h"

#ifndef A_CODE
#define A_CODE uchar
#endif
#ifndef B_CODE
#define B_CODE char
#endif

__kernel void quantized_matmul(
        __global const A_CODE *a,
        __global const B_CODE *b,
        __global const int *bias,
        __global const A_CODE *a_zero_point,
        __global const B_CODE *b_zero_point,
        __global const float *a_scale,
        __global const float *b_scale,
        __global const float *y_scale,
        __global const RESULT *y_zero_point,
        __global RESULT *y,
        const int m,
        const int n,
        const int k,
        const int2 bias_strides,
        const int4 row_steps,
        const int2 column_steps,
        const int8 batch_dims,
        const int8 a_batch_strides,
        const int8 b_batch_strides) {
    const int column = get_global_id(0);
    const int row = get_global_id(1);
    const int matrix = get_global_id(2);
    if (column >= n || row >= m) {
        return;
    }
    const int a_begin = strided_offset(matrix, batch_dims, a_batch_strides) + row * k;
    const int b_begin = strided_offset(matrix, batch_dims, b_batch_strides) + column;
    const int a_zero = a_zero_point ? a_zero_point[row * row_steps.x] : 0;
    const int b_zero = b_zero_point ? b_zero_point[column * column_steps.x] : 0;
    int total = bias ? bias[row * bias_strides.x + column * bias_strides.y] : 0;
    for (int i = 0; i < k; ++i) {
        total += (a[a_begin + i] - a_zero) * (b[b_begin + i * n] - b_zero);
    }
#if RESULT_KIND == 0
    const float scale = 1;
#elif RESULT_KIND == 1
    const float scale = scale_of(a_scale[row * row_steps.y], b_scale[column * column_steps.y], 1);
#else
    const float scale =
            scale_of(a_scale[row * row_steps.y], b_scale[column * column_steps.y], y_scale[row * row_steps.z]);
#endif
    store_sum(
            total, scale, y_zero_point ? (int)y_zero_point[row * row_steps.w] : 0, y, (matrix * m + row) * n + column);
}
