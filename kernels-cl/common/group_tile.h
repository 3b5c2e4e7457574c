// A tile of a matrix product that a work-group computes together: rows of the left operand by columns of the right one.
// Both go through local memory, DEPTH terms at a time and in two halves, so that the next terms are read while the last
// ones are multiplied. An item adds EACH_ROWS rows by EACH_COLUMNS columns, in runs of 4. After common/element.h.
//
// Macros: TILE  128 (128 by 128, 256 items), 64 (64 by 64, 128 items), 32 (32 by 32, 64 items) or 16 (16 rows by 128
//               columns, 128 items); the items of a tile are [GROUP_COLUMNS, GROUP_ROWS];
//         SLICES  how many parts of the terms a work-group adds side by side, each with the items of a tile and local
//               memory of its own: [GROUP_COLUMNS, GROUP_ROWS, SLICES] items (common/group_slices.h);
//         ITEM_REGISTERS  how many registers an item may have, so that a second work-group has room, or 0; compilers that
//               can be told are told; WHOLE_DEPTH  1: then the terms in local memory are multiplied without a loop.
// Gives:  TERM, TERM4  what is multiplied and summed: float, or int for int8 (of fewer than 65536 terms);
//         LEFT_TERMS, RIGHT_TERMS   how many terms an item brings to each half; LEFT_SIZE, RIGHT_SIZE  of both halves;
//         OF_TILE_GROUPS  what a kernel declares of its work-groups; REGISTERS_LIMITED  whether the compiler was told;
//         LEFT_QUADS, RIGHT_QUADS   how many runs of 4 it brings where an operand is a panel: terms one after the other,
//                                   of each of which the tile's rows or columns lie together, 4 elements aligned.
#ifndef CLINFER_GROUP_TILE_H
#define CLINFER_GROUP_TILE_H

#include "common/quads.h"

#ifndef TILE
#define TILE 64
#endif
#ifndef SLICES
#define SLICES 1
#endif
#ifndef ITEM_REGISTERS
#define ITEM_REGISTERS 0
#endif
#ifndef WHOLE_DEPTH
#define WHOLE_DEPTH 0
#endif

#if TILE == 128
#define EACH_ROWS 8
#define EACH_COLUMNS 8
#define GROUP_ROWS 16
#define GROUP_COLUMNS 16
#define DEPTH 8
#elif TILE == 64
#define EACH_ROWS 8
#define EACH_COLUMNS 4
#define GROUP_ROWS 8
#define GROUP_COLUMNS 16
#define DEPTH 8
#elif TILE == 32
#define EACH_ROWS 4
#define EACH_COLUMNS 4
#define GROUP_ROWS 8
#define GROUP_COLUMNS 8
#define DEPTH 16
#else
#define EACH_ROWS 4
#define EACH_COLUMNS 4
#define GROUP_ROWS 4
#define GROUP_COLUMNS 32
#define DEPTH 8
#endif

#define TILE_ROWS (EACH_ROWS * GROUP_ROWS)
#define TILE_COLUMNS (EACH_COLUMNS * GROUP_COLUMNS)
#define GROUP_ITEMS (GROUP_ROWS * GROUP_COLUMNS)
// Four elements more than a line has, so that items that store neighbouring terms meet different banks.
#define LEFT_PITCH (TILE_ROWS + 4)
#define RIGHT_PITCH (TILE_COLUMNS + 4)
#define LEFT_TERMS (TILE_ROWS * DEPTH / GROUP_ITEMS)
#define RIGHT_TERMS (TILE_COLUMNS * DEPTH / GROUP_ITEMS)
#define LEFT_QUADS ((LEFT_TERMS + 3) / 4)
#define RIGHT_QUADS ((RIGHT_TERMS + 3) / 4)
#define LEFT_SIZE (2 * DEPTH * LEFT_PITCH)
#define RIGHT_SIZE (2 * DEPTH * RIGHT_PITCH)

// NVIDIA's compiler heeds the limit of registers that it is given only where no size is declared.
#if ITEM_REGISTERS && defined(__NV_CL_C_VERSION)
#define REGISTERS_LIMITED 1
#define OF_TILE_GROUPS
#else
#define REGISTERS_LIMITED 0
#define OF_TILE_GROUPS __attribute__((reqd_work_group_size(GROUP_COLUMNS, GROUP_ROWS, SLICES)))
#endif

static inline int group_item(void) {
    return get_local_id(1) * GROUP_COLUMNS + get_local_id(0);
}

// Where an item adds: 32 items that follow each other are a block of 4 by 8, which reads fewer different elements of local
// memory than two rows of 16 would. Neighbours lie below each other, and the next two beside them, so that two of four
// read the same element of either side.
static inline int block_row(void) {
    const int item = group_item();
    return item / 32 / (GROUP_COLUMNS / 8) * 4 + item / 16 % 2 * 2 + item % 2;
}

static inline int block_column(void) {
    const int item = group_item();
    return item / 32 % (GROUP_COLUMNS / 8) * 8 + item / 2 % 8;
}

// Row and column of the tile of the sum [r][4 * c + lane] of this item.
static inline int tile_row(int r) {
    return (r / 4 * GROUP_ROWS + block_row()) * 4 + r % 4;
}

static inline int tile_column(int c, int lane) {
    return (c * GROUP_COLUMNS + block_column()) * 4 + lane;
}

// Where the i-th element that this item brings lies in a tile of `lines` rows or columns: [term, line]. Neighbouring
// items bring neighbouring terms of a line, or the same term of neighbouring lines.
static inline int2 brought(int i, int lines, int terms_adjacent) {
    const int e = group_item() + i * GROUP_ITEMS;
    return terms_adjacent ? (int2)(e % DEPTH, e / DEPTH) : (int2)(e / lines, e % lines);
}

// Reads this item's elements of `count` lines that begin at `from` and have `left` terms; 0 where there are none.
static inline void read_lines(
        TERM *values,
        __global const STORED *from,
        int count,
        int left,
        int line_stride,
        int term_stride,
        int lines,
        int terms_adjacent) {
    _Pragma("unroll")
    for (int i = 0; i < lines * DEPTH / GROUP_ITEMS; ++i) {
        const int2 at = brought(i, lines, terms_adjacent);
        const bool inside = at.x < left && at.y < count;
        values[i] = inside ? load_element(from, at.y * line_stride + at.x * term_stride) : 0;
    }
}

static inline void keep_lines(const TERM *values, __local TERM *tile, int lines, int pitch, int terms_adjacent) {
    _Pragma("unroll")
    for (int i = 0; i < lines * DEPTH / GROUP_ITEMS; ++i) {
        const int2 at = brought(i, lines, terms_adjacent);
        tile[at.x * pitch + at.y] = values[i];
    }
}

// Reads this item's part of DEPTH terms of a panel; `panel` is the first one's first row or column of the tile, and the
// next term's is `pitch` elements later. All of them exist.
static inline void read_panel(TERM4 *values, __global const STORED *panel, int pitch, int lines) {
    _Pragma("unroll")
    for (int i = 0; i < (lines * DEPTH / GROUP_ITEMS + 3) / 4; ++i) {
        const int e = group_item() + i * GROUP_ITEMS;
        if (lines * DEPTH % (4 * GROUP_ITEMS) == 0 || e < lines * DEPTH / 4) {
            values[i] = load_quad(panel, e / (lines / 4) * pitch + e % (lines / 4) * 4);
        }
    }
}

static inline void keep_panel(const TERM4 *values, __local TERM *tile, int lines, int tile_pitch) {
    _Pragma("unroll")
    for (int i = 0; i < (lines * DEPTH / GROUP_ITEMS + 3) / 4; ++i) {
        const int e = group_item() + i * GROUP_ITEMS;
        if (lines * DEPTH % (4 * GROUP_ITEMS) == 0 || e < lines * DEPTH / 4) {
            *(__local TERM4 *)(tile + e / (lines / 4) * tile_pitch + e % (lines / 4) * 4) = values[i];
        }
    }
}

// Adds the products of DEPTH terms, all of them in local memory. Unrolled by two: compilers that are let bring all that
// local memory gives into registers first, and then no second work-group has room, unless registers are limited.
static inline void multiply_terms(
        __local const TERM *left, __local const TERM *right, TERM4 sums[EACH_ROWS][EACH_COLUMNS / 4]) {
#if WHOLE_DEPTH && REGISTERS_LIMITED
    _Pragma("unroll")
#else
    _Pragma("unroll 2")
#endif
    for (int term = 0; term < DEPTH; ++term) {
        TERM rows[EACH_ROWS];
        TERM4 columns[EACH_COLUMNS / 4];
        _Pragma("unroll")
        for (int r = 0; r < EACH_ROWS / 4; ++r) {
            vstore4(*(__local const TERM4 *)(left + term * LEFT_PITCH + tile_row(4 * r)), r, rows);
        }
        _Pragma("unroll")
        for (int c = 0; c < EACH_COLUMNS / 4; ++c) {
            columns[c] = *(__local const TERM4 *)(right + term * RIGHT_PITCH + tile_column(c, 0));
        }
        _Pragma("unroll")
        for (int r = 0; r < EACH_ROWS; ++r) {
            _Pragma("unroll")
            for (int c = 0; c < EACH_COLUMNS / 4; ++c) {
                sums[r][c] += rows[r] * columns[c];
            }
        }
    }
}

static inline void clear_sums(TERM4 sums[EACH_ROWS][EACH_COLUMNS / 4]) {
    _Pragma("unroll")
    for (int r = 0; r < EACH_ROWS; ++r) {
        _Pragma("unroll")
        for (int c = 0; c < EACH_COLUMNS / 4; ++c) {
            sums[r][c] = 0;
        }
    }
}

#endif
