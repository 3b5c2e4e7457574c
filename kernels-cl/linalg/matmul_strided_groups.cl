// y = alpha * A B + beta * C (gemm), and y = A B over any number of matrices (matmul), for devices whose work-groups
// share fast local memory: a work-group computes a tile of y.
//
// Layout: y is dense [m, n]. A and B are walked with [row, column] strides, C (which may be NULL) too. matmul has
//         batch axes in A and B with their own strides (0 = broadcast).
// Assumes: fewer than 2^31 elements in every tensor; global size [ceil(n / columns of a tile) * GROUP_COLUMNS,
//          ceil(m / rows of a tile) * GROUP_ROWS, number of matrices], local size [GROUP_COLUMNS, GROUP_ROWS, 1].
// Macros: ELEMENT (common/element.h): float32, float16, bfloat16, or int8; TILE (common/group_tile.h);
//         LEFT_ADJACENT, RIGHT_ADJACENT  1: terms of a row of A, of a column of B are neighbours in memory;
//         SCALED  0: alpha and beta are 1.
#include "common/element.h"
#include "common/index.h"
#include "common/group_tile.h"

#ifndef LEFT_ADJACENT
#define LEFT_ADJACENT 1
#endif
#ifndef RIGHT_ADJACENT
#define RIGHT_ADJACENT 0
#endif
#ifndef SCALED
#define SCALED 1
#endif

static inline WIDE scaled(WIDE product, WIDE added, REAL alpha, REAL beta) {
#pragma OPENCL FP_CONTRACT OFF
#if SCALED
    return rounded(alpha * (REAL)product + beta * (REAL)added);
#else
    return product + added;
#endif
}

// The sums of one tile: a and b begin at its first row and column, of which there are `rows` and `columns` more.
static inline void tile_product(
        __global const STORED *a,
        __global const STORED *b,
        int rows,
        int columns,
        int k,
        int2 a_strides,
        int2 b_strides,
        __local TERM *left,
        __local TERM *right,
        TERM4 sums[EACH_ROWS][EACH_COLUMNS / 4]) {
    TERM left_next[LEFT_TERMS];
    TERM right_next[RIGHT_TERMS];
    clear_sums(sums);
    int half_at = 0;
    for (int term = -DEPTH; term < k; term += DEPTH) {
        const int next = term + DEPTH;
        if (next < k) {
            read_lines(left_next, a + next * a_strides.y, rows, k - next, a_strides.x, a_strides.y, TILE_ROWS,
                    LEFT_ADJACENT);
            read_lines(right_next, b + next * b_strides.x, columns, k - next, b_strides.y, b_strides.x, TILE_COLUMNS,
                    RIGHT_ADJACENT);
        }
        if (term >= 0) {
            multiply_terms(left + half_at * (LEFT_SIZE / 2), right + half_at * (RIGHT_SIZE / 2), sums);
            half_at = 1 - half_at;
        }
        if (next < k) {
            keep_lines(left_next, left + half_at * (LEFT_SIZE / 2), TILE_ROWS, LEFT_PITCH, LEFT_ADJACENT);
            keep_lines(right_next, right + half_at * (RIGHT_SIZE / 2), TILE_COLUMNS, RIGHT_PITCH, RIGHT_ADJACENT);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP_COLUMNS, GROUP_ROWS, 1)))
void gemm_groups(
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
    __local TERM4 left[LEFT_SIZE / 4];
    __local TERM4 right[RIGHT_SIZE / 4];
    const int first_row = get_group_id(1) * TILE_ROWS;
    const int first_column = get_group_id(0) * TILE_COLUMNS;
    TERM4 sums[EACH_ROWS][EACH_COLUMNS / 4];
    tile_product(a + first_row * a_strides.x, b + first_column * b_strides.y, m - first_row, n - first_column, k,
            a_strides, b_strides, (__local TERM *)left, (__local TERM *)right, sums);
    _Pragma("unroll")
    for (int r = 0; r < EACH_ROWS; ++r) {
        const int row = first_row + tile_row(r);
        _Pragma("unroll")
        for (int i = 0; i < EACH_COLUMNS; ++i) {
            const int column = first_column + tile_column(i / 4, i % 4);
            if (row < m && column < n) {
                TERM sum[4];
                vstore4(sums[r][i / 4], 0, sum);
                const WIDE added = c ? load_element(c, row * c_strides.x + column * c_strides.y) : 0;
                store_element(scaled(sum[i % 4], added, alpha, c ? beta : 0), y, row * n + column);
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP_COLUMNS, GROUP_ROWS, 1)))
void matmul_groups(
        __global const STORED *a,
        __global const STORED *b,
        __global STORED *y,
        const int m,
        const int n,
        const int k,
        const int8 batch_dims,
        const int8 a_batch_strides,
        const int8 b_batch_strides) {
    __local TERM4 left[LEFT_SIZE / 4];
    __local TERM4 right[RIGHT_SIZE / 4];
    const int matrix = get_group_id(2);
    const int first_row = get_group_id(1) * TILE_ROWS;
    const int first_column = get_group_id(0) * TILE_COLUMNS;
    const int a_begin = strided_offset(matrix, batch_dims, a_batch_strides) + first_row * k;
    const int b_begin = strided_offset(matrix, batch_dims, b_batch_strides) + first_column;
    TERM4 sums[EACH_ROWS][EACH_COLUMNS / 4];
    tile_product(a + a_begin, b + b_begin, m - first_row, n - first_column, k, (int2)(k, 1), (int2)(n, 1),
            (__local TERM *)left, (__local TERM *)right, sums);
    _Pragma("unroll")
    for (int r = 0; r < EACH_ROWS; ++r) {
        const int row = first_row + tile_row(r);
        _Pragma("unroll")
        for (int i = 0; i < EACH_COLUMNS; ++i) {
            const int column = first_column + tile_column(i / 4, i % 4);
            if (row < m && column < n) {
                TERM sum[4];
                vstore4(sums[r][i / 4], 0, sum);
                store_element(sum[i % 4], y, (matrix * m + row) * n + column);
            }
        }
    }
}
