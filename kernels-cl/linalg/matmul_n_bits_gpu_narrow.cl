// y = a * B + bias for few rows of a, where B are codes of 4 or 8 bits, and every block of neighbours in a column has a
// scale and a zero point of its own. A work-group sums for some columns; its items read neighbouring words of codes,
// once for all rows.
//
// Layout: a [rows, k] and y [rows, n] dense; b [n, words]; scales and zero_points [n, blocks], the latter NULL where
//         half of the codes are below 0; bias [n] or NULL.
// Assumes: fewer than 2^31 elements in every tensor; WORD_CODES divides k with WHOLE 1. Global size [ceil(n /
//          (GROUP_LINES * EACH)) * GROUP_ITEMS], local size [GROUP_ITEMS].
// Macros: ELEMENT (common/element.h), a floating type; BITS, BLOCK_WORDS (common/n_bits.h); LINES  rows that are
//         summed, at least as many as there are: 1, 2, 4 or 8; EACH  columns of an item; WHOLE  see above; GROUP_TERMS,
//         GROUP_ITEMS (common/joined_terms.h).
#include "common/element.h"
#include "common/quads.h"
#include "common/n_bits.h"

#ifndef LINES
#define LINES 1
#endif
#ifndef EACH
#define EACH 2
#endif
#ifndef WHOLE
#define WHOLE 1
#endif
#ifndef GROUP_TERMS
#define GROUP_TERMS 32
#endif
#ifndef GROUP_ITEMS
#define GROUP_ITEMS 128
#endif
#include "common/joined_terms.h"

// As many terms of a row as a word has codes, from `term` on; 0 beyond the last.
static inline void row_terms(__global const STORED *row, int term, int k, float values[WORD_CODES]) {
#if WHOLE
    _Pragma("unroll")
    for (int i = 0; i < WORD_CODES; i += 4) {
        vstore4(load_quad(row, term + i), i / 4, values);
    }
#else
    _Pragma("unroll")
    for (int i = 0; i < WORD_CODES; ++i) {
        values[i] = term + i < k ? load_element(row, term + i) : 0.0f;
    }
#endif
}

__kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))
void n_bits_narrow(
        __global const STORED *a,
        __global const uchar *b,
        __global const STORED *scales,
        __global const STORED *zero_points,
        __global const STORED *bias,
        __global STORED *y,
        const int rows,
        const int n,
        const int k,
        const int words,
        const int blocks) {
    __local TERM shared[LINES * EACH * GROUP_ITEMS];
    const int first = (get_group_id(0) * GROUP_LINES + ITEM_LINE) * EACH;
    float sums[LINES][EACH];
    clear_joined(sums);
    for (int word = ITEM_TERM; word * WORD_CODES < k; word += GROUP_TERMS) {
        const int block = word / BLOCK_WORDS;
        uint codes[EACH];
        float scale[EACH];
        float zero[EACH];
        _Pragma("unroll")
        for (int e = 0; e < EACH; ++e) {
            const int column = min(first + e, n - 1);
            codes[e] = *(__global const uint *)(b + 4 * (column * words + word));
            scale[e] = load_element(scales, column * blocks + block);
            zero[e] = block_zero(zero_points, column * blocks + block);
        }
        float steps[EACH][WORD_CODES];
        _Pragma("unroll")
        for (int e = 0; e < EACH; ++e) {
            _Pragma("unroll")
            for (int i = 0; i < WORD_CODES; ++i) {
                steps[e][i] = code_step(codes[e], i, zero[e]);
            }
        }
        _Pragma("unroll")
        for (int r = 0; r < LINES; ++r) {
            float left[WORD_CODES];
            row_terms(a + min(r, rows - 1) * k, word * WORD_CODES, k, left);
            _Pragma("unroll")
            for (int e = 0; e < EACH; ++e) {
                float sum = 0.0f;
                _Pragma("unroll")
                for (int i = 0; i < WORD_CODES; ++i) {
                    sum += left[i] * steps[e][i];
                }
                sums[r][e] += sum * scale[e];
            }
        }
    }
    join_terms(sums, shared);
    _Pragma("unroll")
    for (int i = 0; i < LINES * EACH; ++i) {
        const int row = i / EACH;
        const int column = first + i % EACH;
        if (ITEM_TERM == 0 && row < rows && column < n) {
            const float sum = sums[row][i % EACH];
            store_element(bias ? sum + load_element(bias, column) : sum, y, row * n + column);
        }
    }
}
