// y = alpha * A B + beta * C (gemm), y = A B over any number of matrices (matmul), and y = alpha * A B of matrices with
// strides (strided), by a device's matrix units: a work-group computes a tile of y, or sums some of its terms (unit_parts).
//
// Layout: y is dense [m, n], of strided_units with a stride from row to row; parts are [split, matrix, m, n]. A and B are
//         walked with [row, column] strides, C (may be NULL) too, and have batch axes with their own (0 = broadcast).
// Assumes: fewer than 2^31 elements in every tensor; where chunks are copied whole, their elements divide the size and the
//          stride; global size [tiles of y * GROUP_ITEMS, 1, number of matrices (times splits)], local size [GROUP_ITEMS, 1,
//          1]; column_tiles of them lie side by side.
// Macros: ELEMENT, TILE, UNIT, LEFT_ADJACENT, RIGHT_ADJACENT (common/matrix_unit.h), of A and B in memory; LEFT_CHUNKS,
//         RIGHT_CHUNKS  1: what is adjacent is copied in whole chunks; STORED_TOGETHER (common/group_quads.h); SCALED
//         (common/scaled_sum.h).
#include "common/element.h"
#include "common/index.h"
#include "common/scaled_sum.h"

#include "common/matrix_unit.h"
#include "common/quads.h"
#include "common/stored_quads.h"
#include "common/tile_bands.h"

#ifndef LEFT_CHUNKS
#define LEFT_CHUNKS 0
#endif
#ifndef RIGHT_CHUNKS
#define RIGHT_CHUNKS 0
#endif

// Where an operand begins for a tile, of how many lines and terms there are more, and how far they lie apart.
typedef struct {
    __global const STORED *from;
    int lines;
    int terms;
    int line_stride;
    int term_stride;
} Operand;

static inline bool has_element(Operand operand, int line, int term) {
    return line < operand.lines && term < operand.terms;
}

static inline int operand_at(Operand operand, int line, int term) {
    return has_element(operand, line, term) ? line * operand.line_stride + term * operand.term_stride : 0;
}

static inline uint bits_at(Operand operand, int line, int term) {
    const int at = operand_at(operand, line, term);
#if ELEMENT_KIND == 7
    const uint bits = as_uint(operand.from[at]);
#else
    const uint bits = ((__global const ushort *)operand.from)[at];
#endif
    return has_element(operand, line, term) ? bits : 0;
}

// Begins to copy this item's chunks of the slab with term `begin`, which are whole.
static inline __attribute__((always_inline)) void copy_slab(
        Operand operand, int begin, int adjacent, __local uint4 *slab) {
    UNIT_UNROLL
    for (int i = 0; i < EACH_CHUNKS; ++i) {
        const int e = (int)get_local_id(0) + i * GROUP_ITEMS;
        const int each = adjacent ? LINE_CHUNKS : TILE / CHUNK_TERMS;
        const int line = adjacent ? e / each : e % each * CHUNK_TERMS;
        const int term = begin + (adjacent ? e % each * CHUNK_TERMS : e / each);
        copy_chunk(slab + chunk_at(e / each, e % each, adjacent), operand.from + operand_at(operand, line, term),
                has_element(operand, line, term));
    }
}

// Reads this item's chunks of the slab with term `begin` element by element.
static inline __attribute__((always_inline)) void read_slab(
        Operand operand, int begin, int adjacent, uint4 next[EACH_CHUNKS]) {
    UNIT_UNROLL
    for (int i = 0; i < EACH_CHUNKS; ++i) {
        const int e = (int)get_local_id(0) + i * GROUP_ITEMS;
        const int each = adjacent ? LINE_CHUNKS : TILE / CHUNK_TERMS;
        const int line = adjacent ? e / each : e % each * CHUNK_TERMS;
        const int term = begin + (adjacent ? e % each * CHUNK_TERMS : e / each);
        uint words[4];
        UNIT_UNROLL
        for (int word = 0; word < 4; ++word) {
            words[word] = 0;
            UNIT_UNROLL
            for (int c = 0; c < CHUNK_TERMS / 4; ++c) {
                const int by = word * (CHUNK_TERMS / 4) + c;
                words[word] |= bits_at(operand, adjacent ? line : line + by, adjacent ? term + by : term) << (16 * c);
            }
        }
        next[i] = (uint4)(words[0], words[1], words[2], words[3]);
    }
}

static inline __attribute__((always_inline)) void keep_slab(
        int adjacent, __local uint4 *slab, const uint4 next[EACH_CHUNKS]) {
    UNIT_UNROLL
    for (int i = 0; i < EACH_CHUNKS; ++i) {
        const int e = (int)get_local_id(0) + i * GROUP_ITEMS;
        const int each = adjacent ? LINE_CHUNKS : TILE / CHUNK_TERMS;
        slab[chunk_at(e / each, e % each, adjacent)] = next[i];
    }
}

// Begins to copy what is copied in whole chunks of the slab that begins with term `begin`, where there is one.
static inline __attribute__((always_inline)) void begin_copies(
        Operand a, Operand b, int begin, __local uint4 *left, __local uint4 *right) {
    if (LEFT_CHUNKS && begin < a.terms) {
        copy_slab(a, begin, LEFT_ADJACENT, left);
    }
    if (RIGHT_CHUNKS && begin < a.terms) {
        copy_slab(b, begin, RIGHT_ADJACENT, right);
    }
    end_copies();
}

// The sums of one tile. Chunks that are copied whole are begun STAGES - 1 slabs before they are multiplied, others one.
static inline __attribute__((always_inline)) void unit_product(
        Unit unit,
        Operand a,
        Operand b,
        __local uint4 *left,
        __local uint4 *right,
        float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS]) {
    uint4 left_next[EACH_CHUNKS];
    uint4 right_next[EACH_CHUNKS];
    clear_sums(sums);
    for (int slab = 0; slab < STAGES - 1; ++slab) {
        begin_copies(a, b, slab * DEPTH, left + slab * SLAB_CHUNKS, right + slab * SLAB_CHUNKS);
    }
    if (!LEFT_CHUNKS) {
        read_slab(a, 0, LEFT_ADJACENT, left_next);
        keep_slab(LEFT_ADJACENT, left, left_next);
    }
    if (!RIGHT_CHUNKS) {
        read_slab(b, 0, RIGHT_ADJACENT, right_next);
        keep_slab(RIGHT_ADJACENT, right, right_next);
    }
    int stage = 0;
    for (int begin = 0; begin < a.terms; begin += DEPTH) {
        const int next_stage = stage == STAGES - 1 ? 0 : stage + 1;
        const int last_stage = stage == 0 ? STAGES - 1 : stage - 1;
        __local uint4 *rows = left + stage * SLAB_CHUNKS;
        __local uint4 *columns = right + stage * SLAB_CHUNKS;
        await_slabs(rows, columns);
        begin_products(unit, rows, columns, sums);
        begin_copies(a, b, begin + (STAGES - 1) * DEPTH, left + last_stage * SLAB_CHUNKS, right + last_stage * SLAB_CHUNKS);
        const bool has_next = begin + DEPTH < a.terms;
        if (has_next && !LEFT_CHUNKS) {
            read_slab(a, begin + DEPTH, LEFT_ADJACENT, left_next);
        }
        if (has_next && !RIGHT_CHUNKS) {
            read_slab(b, begin + DEPTH, RIGHT_ADJACENT, right_next);
        }
        end_products(unit, rows, columns, sums);
        if (has_next && !LEFT_CHUNKS) {
            keep_slab(LEFT_ADJACENT, left + next_stage * SLAB_CHUNKS, left_next);
        }
        if (has_next && !RIGHT_CHUNKS) {
            keep_slab(RIGHT_ADJACENT, right + next_stage * SLAB_CHUNKS, right_next);
        }
        stage = next_stage;
    }
    end_sums(sums);
}

// Where the i-th four neighbouring sums that this item ends lie in half the tile, [row, column].
static inline int2 kept_four(int i) {
    const int e = (int)get_local_id(0) + i * GROUP_ITEMS;
    return (int2)(e / (TILE / 4), e % (TILE / 4) * 4);
}

#define KEPT_FOURS (HALF_ROWS * TILE / 4 / GROUP_ITEMS)

static inline float4 kept_sums(__local const float *kept, int2 at) {
    return *(__local const float4 *)(kept + at.x * KEPT_PITCH + at.y);
}

__kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1))) UNIT_WAVES
void gemm_units(
        __global const STORED *a,
        __global const STORED *b,
        __global const STORED *c,
        __global STORED *y,
        const int m,
        const int n,
        const int k,
        const int column_tiles,
        const int2 a_strides,
        const int2 b_strides,
        const int2 c_strides,
        const REAL alpha,
        const REAL beta) {
    __local uint4 slabs[2 * STAGES * SLAB_CHUNKS] SLABS_ALIGNED;
    UNIT_LOCAL(unit);
    const int2 tile = tile_of_group(m, column_tiles) * TILE;
    const Operand rows = {a + tile.x * a_strides.x, m - tile.x, k, a_strides.x, a_strides.y};
    const Operand columns = {b + tile.y * b_strides.y, n - tile.y, k, b_strides.y, b_strides.x};
    float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS];
    unit_product(unit, rows, columns, slabs, slabs + STAGES * SLAB_CHUNKS, sums);
    __local float *kept = (__local float *)slabs;
    for (int number = 0; number < 2; ++number) {
        keep_sums(sums, number, kept);
        for (int i = 0; i < KEPT_FOURS; ++i) {
            const int2 at = kept_four(i);
            const int row = tile.x + number * HALF_ROWS + at.x;
            const int column = tile.y + at.y;
            if (row < m && column < n) {
                float sum[4];
                vstore4(kept_sums(kept, at), 0, sum);
                WIDE values[4];
                UNIT_UNROLL
                for (int lane = 0; lane < 4; ++lane) {
                    const int from = row * c_strides.x + min(column + lane, n - 1) * c_strides.y;
                    values[lane] = scaled(sum[lane], c ? load_element(c, from) : 0, alpha, c ? beta : 0);
                }
                store_four(values, y, row * n + column, n - column);
            }
        }
    }
}

// One matrix of a batch: the operands of this group's tile, with the terms from `begin` up to `end`.
static inline Operand rows_of(
        __global const STORED *a, int first, int m, int begin, int end, int2 strides, int matrix_at) {
    const Operand rows = {a + matrix_at + first * strides.x + begin * strides.y, m - first, end - begin, strides.x,
            strides.y};
    return rows;
}

__kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1))) UNIT_WAVES
void matmul_units(
        __global const STORED *a,
        __global const STORED *b,
        __global STORED *y,
        const int m,
        const int n,
        const int k,
        const int column_tiles,
        const int8 batch_dims,
        const int8 a_batch_strides,
        const int8 b_batch_strides) {
    __local uint4 slabs[2 * STAGES * SLAB_CHUNKS] SLABS_ALIGNED;
    UNIT_LOCAL(unit);
    const int matrix = get_group_id(2);
    const int2 tile = tile_of_group(m, column_tiles) * TILE;
    const Operand rows = rows_of(a, tile.x, m, 0, k, (int2)(k, 1), strided_offset(matrix, batch_dims, a_batch_strides));
    const Operand columns =
            rows_of(b, tile.y, n, 0, k, (int2)(1, n), strided_offset(matrix, batch_dims, b_batch_strides));
    float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS];
    unit_product(unit, rows, columns, slabs, slabs + STAGES * SLAB_CHUNKS, sums);
    __local float *kept = (__local float *)slabs;
    for (int number = 0; number < 2; ++number) {
        keep_sums(sums, number, kept);
        for (int i = 0; i < KEPT_FOURS; ++i) {
            const int2 at = kept_four(i);
            const int row = tile.x + number * HALF_ROWS + at.x;
            const int column = tile.y + at.y;
            if (row < m && column < n) {
                WIDE values[4];
                vstore4(kept_sums(kept, at), 0, values);
                store_four(values, y, (matrix * m + row) * n + column, n - column);
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1))) UNIT_WAVES
void strided_units(
        __global const STORED *a,
        __global const STORED *b,
        __global STORED *y,
        const int m,
        const int n,
        const int k,
        const int column_tiles,
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
    __local uint4 slabs[2 * STAGES * SLAB_CHUNKS] SLABS_ALIGNED;
    UNIT_LOCAL(unit);
    const int matrix = get_group_id(2);
    const int2 tile = tile_of_group(m, column_tiles) * TILE;
    const Operand rows = rows_of(
            a, tile.x, m, 0, k, a_strides, a_offset + strided_offset(matrix, batch_dims, a_batch_strides));
    const Operand columns = rows_of(b, tile.y, n, 0, k, (int2)(b_strides.y, b_strides.x),
            b_offset + strided_offset(matrix, batch_dims, b_batch_strides));
    float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS];
    unit_product(unit, rows, columns, slabs, slabs + STAGES * SLAB_CHUNKS, sums);
    __local float *kept = (__local float *)slabs;
    for (int number = 0; number < 2; ++number) {
        keep_sums(sums, number, kept);
        for (int i = 0; i < KEPT_FOURS; ++i) {
            const int2 at = kept_four(i);
            const int row = tile.x + number * HALF_ROWS + at.x;
            const int column = tile.y + at.y;
            if (row < m && column < n) {
                const float4 sum = kept_sums(kept, at);
                const WIDE values[4] = {scaled(sum.x, 0, alpha, 0), scaled(sum.y, 0, alpha, 0), scaled(sum.z, 0, alpha, 0),
                        scaled(sum.w, 0, alpha, 0)};
                const int y_begin = strided_offset(matrix, batch_dims, y_batch_strides);
                store_four(values, y, y_begin + row * y_stride + column, n - column);
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1))) UNIT_WAVES
void unit_parts(
        __global const STORED *a,
        __global const STORED *b,
        __global TERM *parts,
        const int m,
        const int n,
        const int k,
        const int column_tiles,
        const int splits,
        const int terms_each,
        const int2 a_strides,
        const int2 b_strides,
        const int8 batch_dims,
        const int8 a_batch_strides,
        const int8 b_batch_strides) {
    __local uint4 slabs[2 * STAGES * SLAB_CHUNKS] SLABS_ALIGNED;
    UNIT_LOCAL(unit);
    const int matrices = get_num_groups(2) / splits;
    const int matrix = get_group_id(2) % matrices;
    const int begin = get_group_id(2) / matrices * terms_each;
    const int end = min(begin + terms_each, k);
    const int2 tile = tile_of_group(m, column_tiles) * TILE;
    const Operand rows =
            rows_of(a, tile.x, m, begin, end, a_strides, strided_offset(matrix, batch_dims, a_batch_strides));
    const Operand columns = rows_of(b, tile.y, n, begin, end, (int2)(b_strides.y, b_strides.x),
            strided_offset(matrix, batch_dims, b_batch_strides));
    float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS];
    unit_product(unit, rows, columns, slabs, slabs + STAGES * SLAB_CHUNKS, sums);
    __local float *kept = (__local float *)slabs;
    for (int number = 0; number < 2; ++number) {
        keep_sums(sums, number, kept);
        for (int i = 0; i < KEPT_FOURS; ++i) {
            const int2 at = kept_four(i);
            const int row = tile.x + number * HALF_ROWS + at.x;
            const int column = tile.y + at.y;
            if (row < m && column < n) {
                store_sums(kept_sums(kept, at), parts, ((int)get_group_id(2) * m + row) * n + column, n - column);
            }
        }
    }
}
