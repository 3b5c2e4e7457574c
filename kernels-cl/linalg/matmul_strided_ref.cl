// y = alpha * A B + beta * C (gemm), and y = A B over any number of matrices (matmul): one output element per item.
//
// Layout: y is dense [m, n]. gemm walks A, B and C with [row, column] strides; C may be NULL. matmul has dense
// matrices, its batch axes in A and B with their own strides (0 = broadcast).
// Assumes: every tensor has fewer than 2^31 elements; global size [at least n, m, number of matrices].
// Macros: STORAGE (common/real.h).
#include "common/real.h"
#include "common/index.h"

static inline float dot_product(
        __global const REAL *a, __global const REAL *b, int length, int a_stride, int b_stride) {
    float total = 0.0f;
    for (int i = 0; i < length; ++i) {
        total += load_real(a, i * a_stride) * load_real(b, i * b_stride);
    }
    return total;
}

__kernel void gemm(
        __global const REAL *a,
        __global const REAL *b,
        __global const REAL *c,
        __global REAL *y,
        const int m,
        const int n,
        const int k,
        const int2 a_strides,
        const int2 b_strides,
        const int2 c_strides,
        const float alpha,
        const float beta) {
    const int column = get_global_id(0);
    const int row = get_global_id(1);
    if (column >= n || row >= m) {
        return;
    }
    const float product = dot_product(a + row * a_strides.x, b + column * b_strides.y, k, a_strides.y, b_strides.x);
    const float added = c ? beta * load_real(c, row * c_strides.x + column * c_strides.y) : 0.0f;
    store_real(alpha * product + added, y, row * n + column);
}

__kernel void matmul(
        __global const REAL *a,
        __global const REAL *b,
        __global REAL *y,
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
    store_real(dot_product(a + a_begin, b + b_begin, k, 1, n), y, (matrix * m + row) * n + column);
}
