// y = alpha * A B + beta * C (gemm), and y = A B over any number of matrices (matmul), by register tiles: an item
// computes 8 rows of 3 runs of 16 columns.
//
// Layout: A [m, k], B [k, n], y [m, n], dense. gemm walks C with [row, column] strides, it may be NULL; matmul has
// batch axes in front, in A and B with their own strides (0 = broadcast).
// Assumes: fewer than 2^31 elements in every tensor. Global size
//          [ceil(n / 48), ceil(m / 8), number of matrices], with rows_first the first two the other way round: items
//          that follow one another read the same columns of B then.
// Macros: none (STRIDE of common/runs.h stays 1).
#include "common/runs.h"
#include "common/index.h"
#include "common/prefetch.h"

// Rows from which B is asked for early: processors follow no stream from page to page.
#define ROWS_AHEAD 8

#define EACH_ROW(do) do(0) do(1) do(2) do(3) do(4) do(5) do(6) do(7)

#define DECLARE(r)                                          \
    const int from##r = min(r, last) * k;                   \
    float16 a##r = 0.0f, b##r = 0.0f, c##r = 0.0f;
#define MULTIPLY(r)                                         \
    {                                                       \
        const float16 factor = a_begin[from##r + i];        \
        a##r += factor * run_a;                             \
        b##r += factor * run_b;                             \
        c##r += factor * run_c;                             \
    }
#define WRITE(r)                                            \
    if (r <= last) {                                        \
        write_scaled(a##r, row + r, column);                \
        write_scaled(b##r, row + r, column + 16);           \
        write_scaled(c##r, row + r, column + 32);           \
    }
#define ACCUMULATE(begin, end, read)                        \
    for (int i = begin; i < end; ++i) {                     \
        const int at = b_begin + i * n + column;            \
        PREFETCH(b + at + ROWS_AHEAD * (long)n);            \
        PREFETCH(b + at + ROWS_AHEAD * (long)n + 16);       \
        PREFETCH(b + at + ROWS_AHEAD * (long)n + 32);       \
        const float16 run_a = read(b, at, mask_a, 0.0f);          \
        const float16 run_b = read(b, at + 16, mask_b, 0.0f);     \
        const float16 run_c = read(b, at + 32, mask_c, 0.0f);     \
        EACH_ROW(MULTIPLY)                                  \
    }

// alpha * product + beta * C for a run of one row.
static inline float16 scaled(
        float16 product, __global const float *c, int row, int column, int n, int2 c_strides, float alpha, float beta) {
    if (!c) {
        return alpha * product;
    }
    float lanes[16];
    for (int lane = 0; lane < 16; ++lane) {
        lanes[lane] = c[row * c_strides.x + min(column + lane, n - 1) * c_strides.y];
    }
    return alpha * product + beta * vload16(0, lanes);
}

#define write_scaled(product, r, column)                                                              \
    if (column < n) {                                                                                 \
        const float16 values = scaled(product, c, r, column, n, c_strides, alpha, beta);              \
        write_run(values, y, (r) * n + column, min(n - (column), 16));                   \
    }

static inline void multiply_tile(
        __global const float *a,
        __global const float *b,
        __global const float *c,
        __global float *y,
        int b_begin,
        int b_len,
        int m,
        int n,
        int k,
        int2 c_strides,
        float alpha,
        float beta,
        int rows_first,
        int3 item) {
    const int column = (rows_first ? item.y : item.x) * 48;
    const int row = (rows_first ? item.x : item.y) * 8;
    const int last = min(m - row, 8) - 1;
    const int16 mask_a = column + LANES < n;
    const int16 mask_b = column + 16 + LANES < n;
    const int16 mask_c = column + 32 + LANES < n;
    const int readable = b_len - 48 - b_begin - column;
    const int safe = readable < 0 ? 0 : min(readable / n + 1, k);
    __global const float *a_begin = a + row * k;
    EACH_ROW(DECLARE)
    ACCUMULATE(0, safe, read_run)
    ACCUMULATE(safe, k, read_run_guarded)
    EACH_ROW(WRITE)
}

__kernel void gemm_tile(
        __global const float *a,
        __global const float *b,
        __global const float *c,
        __global float *y,
        const int m,
        const int n,
        const int k,
        const int2 c_strides,
        const float alpha,
        const float beta,
        const int rows_first) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    multiply_tile(a, b, c, y, 0, n * k, m, n, k, c_strides, alpha, beta, rows_first, at);
}

__kernel void matmul_tile(
        __global const float *a,
        __global const float *b,
        __global float *y,
        const int b_len,
        const int m,
        const int n,
        const int k,
        const int8 batch_dims,
        const int8 a_batch_strides,
        const int8 b_batch_strides,
        const int rows_first) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int matrix = at.z;
    multiply_tile(
            a + strided_offset(matrix, batch_dims, a_batch_strides),
            b,
            0,
            y + matrix * m * n,
            strided_offset(matrix, batch_dims, b_batch_strides),
            b_len,
            m,
            n,
            k,
            (int2)(0, 0),
            1.0f,
            0.0f,
            rows_first,
            at);
}
