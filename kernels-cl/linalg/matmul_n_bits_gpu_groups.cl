// y = a * B + bias, where B are codes of 4 or 8 bits, and every block of neighbours in a column has a scale and a zero
// point of its own; for devices whose work-groups share fast local memory. A work-group computes a tile of y, or sums
// some of its terms (n_bits_parts); codes become real on their way to local memory.
//
// Layout: a [m, k], y [m, n] and parts [split, m, n] (linalg/matmul_gpu_parts.cl) dense; b [n, words]; scales and
//         zero_points [n, blocks], the latter NULL where half of the codes are below 0; bias [n] or NULL.
// Assumes: fewer than 2^31 elements in every tensor; global size [ceil(n / columns of a tile) * GROUP_COLUMNS, ceil(m /
//          rows of a tile) * GROUP_ROWS, splits], local size [GROUP_COLUMNS, GROUP_ROWS, 1].
// Macros: ELEMENT (common/element.h), a floating type; TILE (common/group_tile.h); BITS, BLOCK_WORDS (common/n_bits.h);
//         LEFT_LOADED  elements of a that are loaded together: 4, which divides k then, or 1; STORED_TOGETHER
//         (common/group_quads.h).
#include "common/element.h"
#include "common/group_tile.h"
#include "common/group_quads.h"
#include "common/n_bits.h"

#ifndef LEFT_LOADED
#define LEFT_LOADED 1
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

// Words of a column in each half, and how many an item brings to it.
#define HALF_WORDS (DEPTH / WORD_CODES)
#define RIGHT_WORDS ((HALF_WORDS * TILE_COLUMNS + GROUP_ITEMS - 1) / GROUP_ITEMS)

typedef struct {
    uint codes;
    float scale;
    float zero;
} Word;

// Word and column in the tile of the i-th word that this item brings: neighbouring items bring neighbouring columns.
static inline int2 brought_word(int i) {
    const int e = group_item() + i * GROUP_ITEMS;
    return (int2)(e / TILE_COLUMNS, e % TILE_COLUMNS);
}

static inline __attribute__((always_inline)) void read_words(
        Word *values,
        __global const uchar *b,
        __global const STORED *scales,
        __global const STORED *zero_points,
        int first_word,
        int first_column,
        int n,
        int words,
        int blocks) {
    _Pragma("unroll")
    for (int i = 0; i < RIGHT_WORDS; ++i) {
        const int2 at = brought_word(i);
        const int word = first_word + at.x;
        const int column = first_column + at.y;
        const bool inside = at.x < HALF_WORDS && word < words && column < n;
        const int block = column * blocks + word / BLOCK_WORDS;
        values[i].codes = inside ? *(__global const uint *)(b + 4 * (column * words + word)) : 0;
        values[i].scale = inside ? load_element(scales, block) : 0.0f;
        values[i].zero = inside ? block_zero(zero_points, block) : 0.0f;
    }
}

static inline __attribute__((always_inline)) void keep_words(const Word *values, __local TERM *tile) {
    _Pragma("unroll")
    for (int i = 0; i < RIGHT_WORDS; ++i) {
        const int2 at = brought_word(i);
        if (at.x < HALF_WORDS) {
            _Pragma("unroll")
            for (int code = 0; code < WORD_CODES; ++code) {
                tile[(at.x * WORD_CODES + code) * RIGHT_PITCH + at.y] =
                        code_step(values[i].codes, code, values[i].zero) * values[i].scale;
            }
        }
    }
}

// The sums of a tile of the terms from `begin`, a multiple of DEPTH, up to `end`.
static inline __attribute__((always_inline)) void n_bits_tile(
        __global const STORED *a,
        __global const uchar *b,
        __global const STORED *scales,
        __global const STORED *zero_points,
        int m,
        int n,
        int k,
        int words,
        int blocks,
        int begin,
        int end,
        __local TERM *left,
        __local TERM *right,
        TERM4 sums[EACH_ROWS][EACH_COLUMNS / 4]) {
    const int first_row = get_group_id(1) * TILE_ROWS;
    const int first_column = get_group_id(0) * TILE_COLUMNS;
    LEFT_NEXT;
    Word right_next[RIGHT_WORDS];
    clear_sums(sums);
    int half_at = 0;
    for (int term = begin - DEPTH; term < end; term += DEPTH) {
        const int next = term + DEPTH;
        if (next < end) {
            READ_LEFT(left_next, a + first_row * k + next, m - first_row, end - next, k, 1, TILE_ROWS, 1);
            read_words(right_next, b, scales, zero_points, next / WORD_CODES, first_column, n, words, blocks);
        }
        if (term >= begin) {
            multiply_terms(left + half_at * (LEFT_SIZE / 2), right + half_at * (RIGHT_SIZE / 2), sums);
            half_at = 1 - half_at;
        }
        if (next < end) {
            KEEP_LEFT(left_next, left + half_at * (LEFT_SIZE / 2), TILE_ROWS, LEFT_PITCH, 1);
            keep_words(right_next, right + half_at * (RIGHT_SIZE / 2));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP_COLUMNS, GROUP_ROWS, 1)))
void n_bits_groups(
        __global const STORED *a,
        __global const uchar *b,
        __global const STORED *scales,
        __global const STORED *zero_points,
        __global const STORED *bias,
        __global STORED *y,
        const int m,
        const int n,
        const int k,
        const int words,
        const int blocks) {
    __local TERM4 left[LEFT_SIZE / 4];
    __local TERM4 right[RIGHT_SIZE / 4];
    TERM4 sums[EACH_ROWS][EACH_COLUMNS / 4];
    n_bits_tile(a, b, scales, zero_points, m, n, k, words, blocks, 0, k, (__local TERM *)left, (__local TERM *)right,
            sums);
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
                values[lane] = bias ? sum[lane] + load_element(bias, min(column + lane, n - 1)) : sum[lane];
            }
            store_four(values, y, row * n + column, n - column);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP_COLUMNS, GROUP_ROWS, 1)))
void n_bits_parts(
        __global const STORED *a,
        __global const uchar *b,
        __global const STORED *scales,
        __global const STORED *zero_points,
        __global TERM *parts,
        const int m,
        const int n,
        const int k,
        const int words,
        const int blocks,
        const int terms_each) {
    __local TERM4 left[LEFT_SIZE / 4];
    __local TERM4 right[RIGHT_SIZE / 4];
    const int begin = get_group_id(2) * terms_each;
    TERM4 sums[EACH_ROWS][EACH_COLUMNS / 4];
    n_bits_tile(a, b, scales, zero_points, m, n, k, words, blocks, begin, min(begin + terms_each, k),
            (__local TERM *)left, (__local TERM *)right, sums);
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
