// y = alpha * A B + beta * C (gemm), y = A B over any number of matrices (matmul), times alpha of matrices with strides
// (strided), for devices whose work-groups share local memory: a group computes a tile of y, or a part of its sums.
//
// Layout: y is dense [m, n], of strided_groups with a stride from row to row; parts are [split, matrix, m, n]. A and B are
//         walked with [row, column] strides, C (may be NULL) too, and have batch axes with their own (0 = broadcast).
// Assumes: fewer than 2^31 elements in every tensor; 4 divides size and stride where 4 are loaded; global size [tiles across
//          n * GROUP_COLUMNS, tiles across m * GROUP_ROWS, number of matrices (times splits)], local size [GROUP_COLUMNS,
//          GROUP_ROWS, 1].
// Macros: ELEMENT (common/element.h): float32, float16, bfloat16, or int8; TILE, ITEM_REGISTERS (common/group_tile.h);
//         LEFT_ADJACENT, RIGHT_ADJACENT  1: terms of a row of A, of a column of B are neighbours in memory; LEFT_LOADED,
//         RIGHT_LOADED  elements of A, of B that are loaded together, 1 or 4; STORED_TOGETHER (common/group_quads.h);
//         SCALED (common/scaled_sum.h).
#include "common/element.h"
#include "common/index.h"
#include "common/scaled_sum.h"
#define WHOLE_DEPTH (LEFT_LOADED == 4 && RIGHT_LOADED == 4)
#include "common/group_tile.h"
#include "common/group_quads.h"

#ifndef LEFT_ADJACENT
#define LEFT_ADJACENT 1
#endif
#ifndef RIGHT_ADJACENT
#define RIGHT_ADJACENT 0
#endif
#ifndef LEFT_LOADED
#define LEFT_LOADED 1
#endif
#ifndef RIGHT_LOADED
#define RIGHT_LOADED 1
#endif

#if LEFT_LOADED == 4
#define LEFT_NEXT TERM4 left_next[LEFT_QUADS]
#define READ_LEFT read_quads
#define KEEP_LEFT keep_quads
#else
#define LEFT_NEXT TERM left_next[LEFT_TERMS]
#define READ_LEFT read_lines
#define KEEP_LEFT keep_lines
#endif
#if RIGHT_LOADED == 4
#define RIGHT_NEXT TERM4 right_next[RIGHT_QUADS]
#define READ_RIGHT read_quads
#define KEEP_RIGHT keep_quads
#else
#define RIGHT_NEXT TERM right_next[RIGHT_TERMS]
#define READ_RIGHT read_lines
#define KEEP_RIGHT keep_lines
#endif

// The sums of one tile: a and b begin at its first row and column, of which there are `rows` and `columns` more.
static inline __attribute__((always_inline)) void tile_product(
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
    LEFT_NEXT;
    RIGHT_NEXT;
    clear_sums(sums);
    int half_at = 0;
    for (int term = -DEPTH; term < k; term += DEPTH) {
        const int next = term + DEPTH;
        if (next < k) {
            READ_LEFT(left_next, a + next * a_strides.y, rows, k - next, a_strides.x, a_strides.y, TILE_ROWS,
                    LEFT_ADJACENT);
            READ_RIGHT(right_next, b + next * b_strides.x, columns, k - next, b_strides.y, b_strides.x, TILE_COLUMNS,
                    RIGHT_ADJACENT);
        }
        if (term >= 0) {
            multiply_terms(left + half_at * (LEFT_SIZE / 2), right + half_at * (RIGHT_SIZE / 2), sums);
            half_at = 1 - half_at;
        }
        if (next < k) {
            KEEP_LEFT(left_next, left + half_at * (LEFT_SIZE / 2), TILE_ROWS, LEFT_PITCH, LEFT_ADJACENT);
            KEEP_RIGHT(right_next, right + half_at * (RIGHT_SIZE / 2), TILE_COLUMNS, RIGHT_PITCH, RIGHT_ADJACENT);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

__kernel OF_TILE_GROUPS
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
    for (int i = 0; i < EACH_ROWS * EACH_COLUMNS / 4; ++i) {
        const int row = first_row + tile_row(i % EACH_ROWS);
        const int column = first_column + tile_column(i / EACH_ROWS, 0);
        if (row < m && column < n) {
            TERM sum[4];
            vstore4(sums[i % EACH_ROWS][i / EACH_ROWS], 0, sum);
            WIDE values[4];
            _Pragma("unroll")
            for (int lane = 0; lane < 4; ++lane) {
                const int at = row * c_strides.x + min(column + lane, n - 1) * c_strides.y;
                values[lane] = scaled(sum[lane], c ? load_element(c, at) : 0, alpha, c ? beta : 0);
            }
            store_four(values, y, row * n + column, n - column);
        }
    }
}

// The tile's sums of the terms from `begin` up to `end` of one matrix.
static inline __attribute__((always_inline)) void matrix_tile(
        __global const STORED *a,
        __global const STORED *b,
        int matrix,
        int m,
        int n,
        int begin,
        int end,
        int2 a_strides,
        int2 b_strides,
        int8 batch_dims,
        int8 a_batch_strides,
        int8 b_batch_strides,
        __local TERM *left,
        __local TERM *right,
        TERM4 sums[EACH_ROWS][EACH_COLUMNS / 4]) {
    const int first_row = get_group_id(1) * TILE_ROWS;
    const int first_column = get_group_id(0) * TILE_COLUMNS;
    const int a_begin = strided_offset(matrix, batch_dims, a_batch_strides) + first_row * a_strides.x;
    const int b_begin = strided_offset(matrix, batch_dims, b_batch_strides) + first_column * b_strides.y;
    tile_product(a + a_begin + begin * a_strides.y, b + b_begin + begin * b_strides.x, m - first_row, n - first_column,
            end - begin, a_strides, b_strides, left, right, sums);
}

__kernel OF_TILE_GROUPS
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
    TERM4 sums[EACH_ROWS][EACH_COLUMNS / 4];
    matrix_tile(a, b, matrix, m, n, 0, k, (int2)(k, 1), (int2)(n, 1), batch_dims, a_batch_strides, b_batch_strides,
            (__local TERM *)left, (__local TERM *)right, sums);
    _Pragma("unroll")
    for (int i = 0; i < EACH_ROWS * EACH_COLUMNS / 4; ++i) {
        const int row = get_group_id(1) * TILE_ROWS + tile_row(i % EACH_ROWS);
        const int column = get_group_id(0) * TILE_COLUMNS + tile_column(i / EACH_ROWS, 0);
        if (row < m && column < n) {
            TERM sum[4];
            vstore4(sums[i % EACH_ROWS][i / EACH_ROWS], 0, sum);
            const WIDE values[4] = {low_bits(sum[0]), low_bits(sum[1]), low_bits(sum[2]), low_bits(sum[3])};
            store_four(values, y, (matrix * m + row) * n + column, n - column);
        }
    }
}

__kernel OF_TILE_GROUPS
void strided_groups(
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
        const int y_stride,
        const int8 batch_dims,
        const int8 a_batch_strides,
        const int8 b_batch_strides,
        const int8 y_batch_strides,
        const REAL alpha) {
    __local TERM4 left[LEFT_SIZE / 4];
    __local TERM4 right[RIGHT_SIZE / 4];
    const int matrix = get_group_id(2);
    const int y_begin = strided_offset(matrix, batch_dims, y_batch_strides);
    TERM4 sums[EACH_ROWS][EACH_COLUMNS / 4];
    matrix_tile(a + a_offset, b + b_offset, matrix, m, n, 0, k, a_strides, b_strides, batch_dims, a_batch_strides,
            b_batch_strides, (__local TERM *)left, (__local TERM *)right, sums);
    _Pragma("unroll")
    for (int i = 0; i < EACH_ROWS * EACH_COLUMNS / 4; ++i) {
        const int row = get_group_id(1) * TILE_ROWS + tile_row(i % EACH_ROWS);
        const int column = get_group_id(0) * TILE_COLUMNS + tile_column(i / EACH_ROWS, 0);
        if (row < m && column < n) {
            TERM sum[4];
            vstore4(sums[i % EACH_ROWS][i / EACH_ROWS], 0, sum);
            WIDE values[4];
            _Pragma("unroll")
            for (int lane = 0; lane < 4; ++lane) {
                values[lane] = scaled(sum[lane], 0, alpha, 0);
            }
            store_four(values, y, y_begin + row * y_stride + column, n - column);
        }
    }
}

__kernel OF_TILE_GROUPS
void product_parts(
        __global const STORED *a,
        __global const STORED *b,
        __global TERM *parts,
        const int m,
        const int n,
        const int k,
        const int splits,
        const int terms_each,
        const int2 a_strides,
        const int2 b_strides,
        const int8 batch_dims,
        const int8 a_batch_strides,
        const int8 b_batch_strides) {
    __local TERM4 left[LEFT_SIZE / 4];
    __local TERM4 right[RIGHT_SIZE / 4];
    const int matrices = get_num_groups(2) / splits;
    const int begin = get_group_id(2) / matrices * terms_each;
    TERM4 sums[EACH_ROWS][EACH_COLUMNS / 4];
    matrix_tile(a, b, get_group_id(2) % matrices, m, n, begin, min(begin + terms_each, k), a_strides, b_strides,
            batch_dims, a_batch_strides, b_batch_strides, (__local TERM *)left, (__local TERM *)right, sums);
    _Pragma("unroll")
    for (int i = 0; i < EACH_ROWS * EACH_COLUMNS / 4; ++i) {
        const int row = get_group_id(1) * TILE_ROWS + tile_row(i % EACH_ROWS);
        const int column = get_group_id(0) * TILE_COLUMNS + tile_column(i / EACH_ROWS, 0);
        if (row < m && column < n) {
            store_sums(sums[i % EACH_ROWS][i / EACH_ROWS], parts, ((int)get_group_id(2) * m + row) * n + column,
                    n - column);
        }
    }
}
