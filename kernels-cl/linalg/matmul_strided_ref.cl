// y = alpha * A B + beta * C (gemm), and y = A B over any number of matrices (matmul), times alpha where they lie with
// strides (strided_matmul): one output element per item.
//
// Layout: y is dense [m, n]. gemm walks A, B and C with [row, column] strides; C may be NULL. matmul has dense
// matrices, its batch axes in A and B with their own strides (0 = broadcast). strided_matmul walks all with strides.
// Assumes: every tensor has fewer than 2^31 elements; global size [at least n, m, number of matrices].
// Macros: ELEMENT (common/element.h); SCALED (common/scaled_sum.h).
#include "common/element.h"
#include "common/index.h"
#include "common/scaled_sum.h"

static inline WIDE dot_product(
        __global const STORED *a, __global const STORED *b, int length, int a_stride, int b_stride) {
    WIDE total = 0;
    for (int i = 0; i < length; ++i) {
        total += load_element(a, i * a_stride) * load_element(b, i * b_stride);
    }
    return total;
}

__kernel void gemm(
        __global const STORED *a,
        __global const STORED *b,
        __global const STORED *c,
        __global STORED *y,
        const int m,
        const int n,
        const int k,
        const int2 a_strides,
        const int2 b_strides,
        const int2 c_strides,
        const REAL alpha,
        const REAL beta) {
    const int column = get_global_id(0);
    const int row = get_global_id(1);
    if (column >= n || row >= m) {
        return;
    }
    const WIDE product = dot_product(a + row * a_strides.x, b + column * b_strides.y, k, a_strides.y, b_strides.x);
    const WIDE added = c ? load_element(c, row * c_strides.x + column * c_strides.y) : 0;
    store_element(scaled(product, added, alpha, c ? beta : 0), y, row * n + column);
}

__kernel void matmul(
        __global const STORED *a,
        __global const STORED *b,
        __global STORED *y,
        const int m,
        const int n,
        const int k,
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
    store_element(low_bits(dot_product(a + a_begin, b + b_begin, k, 1, n)), y, (matrix * m + row) * n + column);
}

__kernel void strided_matmul(
        __global const STORED *a,
        __global const STORED *b,
        __global STORED *y,
        const int m,
        const int n,
        const int k,
        const int a_offset,
        const int b_offset,
        const int2 a_strides,
        const int2 b_strides,
        const int2 y_strides,
        const int8 batch_dims,
        const int8 a_batch_strides,
        const int8 b_batch_strides,
        const int8 y_batch_strides,
        const REAL alpha) {
    const int column = get_global_id(0);
    const int row = get_global_id(1);
    const int matrix = get_global_id(2);
    if (column >= n || row >= m) {
        return;
    }
    const int a_begin = a_offset + strided_offset(matrix, batch_dims, a_batch_strides) + row * a_strides.x;
    const int b_begin = b_offset + strided_offset(matrix, batch_dims, b_batch_strides) + column * b_strides.y;
    const int to = strided_offset(matrix, batch_dims, y_batch_strides) + row * y_strides.x + column * y_strides.y;
    const WIDE product = dot_product(a + a_begin, b + b_begin, k, a_strides.y, b_strides.x);
    store_element(scaled(product, 0, alpha, 0), y, to);
}
