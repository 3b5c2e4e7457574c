// Products of matrices of which one side is narrow: 1 to 8 rows of A or columns of B, here called lines of terms. A
// work-group sums for some lines of the other, wide side, which its items read once, side by side.
// Layout: both sides have [line, term] strides, y and C (may be NULL) [narrow line, wide line] ones, and a batch has
//         strides of its own in both sides (0 = broadcast) and is dense in y. parts [split, y] (matmul_gpu_parts.cl).
// Assumes: fewer than 2^31 elements in every tensor; 4 divides size and stride where 4 are loaded. Global size
//          [ceil(wide lines / (GROUP_LINES * EACH)) * GROUP_ITEMS, matrices, splits], local size [GROUP_ITEMS, 1, 1].
// Macros: ELEMENT (common/element.h): float32, float16, bfloat16, or int8 of fewer than 65536 terms; SCALED
//         (common/scaled_sum.h); LINES  narrow lines that are summed, at least as many as there are: 1, 2, 4 or 8;
//         GROUP_TERMS, GROUP_ITEMS, TERMS_ADJACENT (common/joined_terms.h): whether terms of a wide line are
//         neighbours; EACH  wide lines of an item, loaded together where they are neighbours; PIECE  terms of a load, 1
//         or 4, where terms are; NARROW_ADJACENT  1: so are terms of a narrow line.
#include "common/element.h"
#include "common/quads.h"
#include "common/index.h"
#include "common/scaled_sum.h"

#ifndef LINES
#define LINES 1
#endif
#ifndef TERMS_ADJACENT
#define TERMS_ADJACENT 1
#endif
#ifndef EACH
#define EACH 1
#endif
#ifndef PIECE
#define PIECE 1
#endif
#ifndef NARROW_ADJACENT
#define NARROW_ADJACENT 0
#endif
#ifndef GROUP_TERMS
#define GROUP_TERMS 32
#endif
#ifndef GROUP_ITEMS
#define GROUP_ITEMS 128
#endif

#include "common/joined_terms.h"

#define EACH_STEP (GROUP_TERMS * PIECE)

// Narrow lines share what is loaded of the wide ones; fewer of them leave registers for more loads at once.
#if LINES <= 2
#define AT_ONCE _Pragma("unroll 4")
#else
#define AT_ONCE _Pragma("unroll 2")
#endif

static inline int first_line(void) {
    return (get_group_id(0) * GROUP_LINES + ITEM_LINE) * EACH;
}

#if PIECE == 4
static inline TERM4 narrow_piece(__global const STORED *line, int term, int stride) {
#if NARROW_ADJACENT
    return load_quad(line, term);
#else
    return (TERM4)(load_element(line, term * stride), load_element(line, (term + 1) * stride),
            load_element(line, (term + 2) * stride), load_element(line, (term + 3) * stride));
#endif
}
#endif

// This item's terms from begin up to end of the products of narrow lines with its wide ones, of which `count` exist.
static inline __attribute__((always_inline)) void sum_terms(
        __global const STORED *narrow,
        __global const STORED *wide,
        int lines,
        int count,
        int begin,
        int end,
        int2 narrow_strides,
        int2 wide_strides,
        TERM sums[LINES][EACH]) {
    int narrow_at[LINES];
    int wide_at[EACH];
    _Pragma("unroll")
    for (int r = 0; r < LINES; ++r) {
        narrow_at[r] = min(r, lines - 1) * narrow_strides.x;
    }
    _Pragma("unroll")
    for (int e = 0; e < EACH; ++e) {
        wide_at[e] = min(e, count - 1) * wide_strides.x;
    }
    clear_joined(sums);
    AT_ONCE
    for (int term = begin + ITEM_TERM * PIECE; term < end; term += EACH_STEP) {
#if PIECE == 4
        TERM4 right[EACH];
        _Pragma("unroll")
        for (int e = 0; e < EACH; ++e) {
            right[e] = load_quad(wide, wide_at[e] + term);
        }
        _Pragma("unroll")
        for (int r = 0; r < LINES; ++r) {
            const TERM4 left = narrow_piece(narrow + narrow_at[r], term, narrow_strides.y);
            _Pragma("unroll")
            for (int e = 0; e < EACH; ++e) {
                sums[r][e] += left.x * right[e].x;
                sums[r][e] += left.y * right[e].y;
                sums[r][e] += left.z * right[e].z;
                sums[r][e] += left.w * right[e].w;
            }
        }
#else
        TERM right[EACH];
#if !TERMS_ADJACENT && EACH == 4
        vstore4(load_quad(wide, term * wide_strides.y), 0, right);
#else
        _Pragma("unroll")
        for (int e = 0; e < EACH; ++e) {
            right[e] = load_element(wide, wide_at[e] + term * wide_strides.y);
        }
#endif
        _Pragma("unroll")
        for (int r = 0; r < LINES; ++r) {
            const TERM left = load_element(narrow, narrow_at[r] + term * narrow_strides.y);
            _Pragma("unroll")
            for (int e = 0; e < EACH; ++e) {
                sums[r][e] += left * right[e];
            }
        }
#endif
    }
}

static inline __attribute__((always_inline)) void group_sums(
        __global const STORED *narrow,
        __global const STORED *wide,
        int lines,
        int wide_lines,
        int begin,
        int end,
        int2 narrow_strides,
        int2 wide_strides,
        __local TERM *shared,
        TERM sums[LINES][EACH]) {
    const int first = min(first_line(), (wide_lines - 1) / EACH * EACH);
    sum_terms(narrow, wide + first * wide_strides.x, lines, wide_lines - first, begin, end, narrow_strides,
            wide_strides, sums);
    join_terms(sums, shared);
}

__kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))
void gemm_narrow(
        __global const STORED *narrow,
        __global const STORED *wide,
        __global const STORED *c,
        __global STORED *y,
        const int lines,
        const int wide_lines,
        const int k,
        const int2 narrow_strides,
        const int2 wide_strides,
        const int2 c_strides,
        const int2 y_strides,
        const REAL alpha,
        const REAL beta) {
    __local TERM shared[LINES * EACH * GROUP_ITEMS];
    TERM sums[LINES][EACH];
    group_sums(narrow, wide, lines, wide_lines, 0, k, narrow_strides, wide_strides, shared, sums);
    const int first = first_line();
    _Pragma("unroll")
    for (int i = 0; i < LINES * EACH; ++i) {
        const int line = i / EACH;
        const int column = first + i % EACH;
        if (ITEM_TERM == 0 && line < lines && column < wide_lines) {
            const WIDE added = c ? load_element(c, line * c_strides.x + column * c_strides.y) : 0;
            store_element(scaled(sums[line][i % EACH], added, alpha, c ? beta : 0), y,
                    line * y_strides.x + column * y_strides.y);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))
void matmul_narrow(
        __global const STORED *narrow,
        __global const STORED *wide,
        __global STORED *y,
        const int lines,
        const int wide_lines,
        const int k,
        const int2 narrow_strides,
        const int2 wide_strides,
        const int2 y_strides,
        const int8 batch_dims,
        const int8 narrow_batch_strides,
        const int8 wide_batch_strides) {
    __local TERM shared[LINES * EACH * GROUP_ITEMS];
    const int matrix = get_group_id(1);
    TERM sums[LINES][EACH];
    group_sums(narrow + strided_offset(matrix, batch_dims, narrow_batch_strides),
            wide + strided_offset(matrix, batch_dims, wide_batch_strides), lines, wide_lines, 0, k, narrow_strides,
            wide_strides, shared, sums);
    const int first = first_line();
    _Pragma("unroll")
    for (int i = 0; i < LINES * EACH; ++i) {
        const int line = i / EACH;
        const int column = first + i % EACH;
        if (ITEM_TERM == 0 && line < lines && column < wide_lines) {
            store_element(low_bits(sums[line][i % EACH]), y,
                    matrix * lines * wide_lines + line * y_strides.x + column * y_strides.y);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))
void narrow_parts(
        __global const STORED *narrow,
        __global const STORED *wide,
        __global TERM *parts,
        const int lines,
        const int wide_lines,
        const int k,
        const int terms_each,
        const int2 narrow_strides,
        const int2 wide_strides,
        const int2 y_strides,
        const int8 batch_dims,
        const int8 narrow_batch_strides,
        const int8 wide_batch_strides) {
    __local TERM shared[LINES * EACH * GROUP_ITEMS];
    const int matrix = get_group_id(1);
    const int begin = get_group_id(2) * terms_each;
    TERM sums[LINES][EACH];
    group_sums(narrow + strided_offset(matrix, batch_dims, narrow_batch_strides),
            wide + strided_offset(matrix, batch_dims, wide_batch_strides), lines, wide_lines, begin,
            min(begin + terms_each, k), narrow_strides, wide_strides, shared, sums);
    __global TERM *to = parts + (get_group_id(2) * get_num_groups(1) + matrix) * lines * wide_lines;
    const int first = first_line();
    _Pragma("unroll")
    for (int i = 0; i < LINES * EACH; ++i) {
        const int line = i / EACH;
        const int column = first + i % EACH;
        if (ITEM_TERM == 0 && line < lines && column < wide_lines) {
            to[line * y_strides.x + column * y_strides.y] = sums[line][i % EACH];
        }
    }
}
