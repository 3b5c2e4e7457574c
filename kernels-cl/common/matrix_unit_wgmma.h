// The part of common/matrix_unit.h for NVIDIA's matrix units of compute capability 9.0, by wgmma.mma_async of PTX: the four
// waves of a group multiply 64 lines by TILE others in one instruction, which reads them from local memory by itself.
//
// Layout: of 16-bit floats it reads both operands, however their terms lie. Of TF32 it reads one, whose terms are adjacent
//         (READ_SIDE 1: the left one), and has the other's elements in registers, as mma.sync has its left ones; the lines
//         of the other are its rows, so that READ_SIDE 1 gives the sums of the tile with rows and columns exchanged.
// Assumes: slabs that begin at multiples of 1024 bytes.
// Gives:  begin_products, end_products, end_sums, keep_sums, show_copies, round_slab; WAVE_ROWS, WAVE_COLUMNS, WAVE_PARTS  sums of an item.
#ifndef CLINFER_MATRIX_UNIT_WGMMA_H
#define CLINFER_MATRIX_UNIT_WGMMA_H

// The instruction's tiles of an item, 64 lines by 8 others.
#define WAVE_ROWS (TILE / 64)
#define WAVE_COLUMNS (TILE / 8)
#define WAVE_PARTS 4
#define UNIT_WAVES
#define READ_SIDE (STRAIGHT ? (ELEMENT_KIND == 7 ? 1 : 2) : ELEMENT_KIND != 7 ? 0 : LEFT_ADJACENT ? 1 : 2)
// Whether the terms of the operand that is read from local memory are neighbours, if it is one alone.
#define READ_ADJACENT (READ_SIDE == 1 ? LEFT_ADJACENT : RIGHT_ADJACENT)
#define STEP_WORDS (READ_SIDE == 0 ? 1 : 4)

// An operand in local memory as the instruction is told of it: a slab and the bits of a matrix descriptor.
typedef struct {
    __local const uint4 *slab;
    ulong bits;
} Described;

// Offsets in bytes: where the operand begins in the slab, from one block of 64 lines to the next, from eight lines or terms
// to the next eight; and by how many bits above the seventh the address is exchanged: 1: three, 2: two.
static inline Described described(__local const uint4 *slab, int at, int block, int eight, int exchanged) {
#if UNIT_KIND == 6
    const uint address = shared_address(slab) + at;
#else
    const uint address = at;
#endif
    const Described operand = {slab, (ulong)((address & 0x3ffff) >> 4) | (ulong)(block / 16) << 16
            | (ulong)(eight / 16) << 32 | (ulong)exchanged << 62};
    return operand;
}

// The lines from 64 * block on with the terms of a step.
static inline Described described_lines(__local const uint4 *slab, int block, int step, int terms_adjacent) {
    return terms_adjacent
            ? described(slab, block * 1024 * LINE_CHUNKS + step * 32, 16, 128 * LINE_CHUNKS, STRAIGHT ? 1 : 2)
            : described(slab, block * 128 * DEPTH + step * 2048, 128 * DEPTH, 1024, 1);
}

#if UNIT_KIND == 6
#include "common/matrix_unit_wgmma_ptx.h"
#else
#include "common/matrix_unit_wgmma_emulated.h"
#endif

// The lines that an item has of 64: this one and the eighth after it.
static inline int wave_line(void) {
    return (int)get_local_id(0) / 32 * 16 + (int)get_local_id(0) % 32 / 4;
}

// This item's words of 64 lines and 8 terms of an operand that is handed over in registers.
static inline void load_lines(__local const uint4 *slab, int block, int step, int terms_adjacent, uint words[4]) {
    UNIT_UNROLL
    for (int i = 0; i < 4; ++i) {
        const int line = 64 * block + wave_line() + i % 2 * 8;
        const int term = 8 * step + (int)get_local_id(0) % 4 + i / 2 * 4;
        const int chunk = terms_adjacent ? chunk_at(line, term / 4, 1) : chunk_at(term, line / 4, 0);
        words[i] = ((__local const uint *)(slab + chunk))[(terms_adjacent ? term : line) % 4];
    }
    round_words(words);
}

// Rounds what this item brought of a slab that the instruction reads: it would cut bits off.
static inline void round_slab(__local uint4 *slab) {
    UNIT_UNROLL
    for (int i = 0; i < EACH_CHUNKS; ++i) {
        const int e = (int)get_local_id(0) + i * GROUP_ITEMS;
        __local uint4 *chunk = slab + chunk_at(e / 4, e % 4, 1);
        uint words[4];
        vstore4(*chunk, 0, words);
        round_words(words);
        *chunk = vload4(0, words);
    }
}

#if !STRAIGHT
// Begins to add the products of a slab of each operand.
static inline __attribute__((always_inline)) void begin_products(
        Unit unit, __local const uint4 *left, __local const uint4 *right, float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS]) {
#if READ_SIDE == 0
    multiply_described(sums, left, right);
#else
    uint words[2][WAVE_ROWS][4];
    UNIT_UNROLL
    for (int step = 0; step < 2; ++step) {
        UNIT_UNROLL
        for (int i = 0; i < WAVE_ROWS; ++i) {
            load_lines(READ_SIDE == 1 ? right : left, i, step, READ_SIDE == 1 ? RIGHT_ADJACENT : LEFT_ADJACENT,
                    words[step][i]);
        }
    }
    multiply_words(unit, sums, words, READ_SIDE == 1 ? left : right);
#endif
}

#endif

// Brings the sums of one half of the rows to local memory, after all items have left it; they are there for all after it.
static inline __attribute__((always_inline)) void keep_sums(
        float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS], int half_number, __local float *kept) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int first = (int)get_local_id(0) % 4 * 2;
#if READ_SIDE == 1
    UNIT_UNROLL
    for (int i = 0; i < WAVE_ROWS; ++i) {
        UNIT_UNROLL
        for (int j = 0; j < WAVE_COLUMNS / 2; ++j) {
            __local float *to = kept + (8 * j + first) * KEPT_PITCH + 64 * i + wave_line();
            UNIT_UNROLL
            for (int part = 0; part < 4; ++part) {
                to[part % 2 * KEPT_PITCH + part / 2 * 8] =
                        half_number == 0 ? sums[i][j][part] : sums[i][j + WAVE_COLUMNS / 2][part];
            }
        }
    }
#else
    if (TILE == 128 || wave_line() / HALF_ROWS == half_number) {
        UNIT_UNROLL
        for (int j = 0; j < WAVE_COLUMNS; ++j) {
            float parts[4];
            UNIT_UNROLL
            for (int part = 0; part < 4; ++part) {
                parts[part] = half_number == 0 ? sums[0][j][part] : sums[WAVE_ROWS - 1][j][part];
            }
            __local float *to = kept + wave_line() % HALF_ROWS * KEPT_PITCH + 8 * j + first;
            *(__local float2 *)to = (float2)(parts[0], parts[1]);
            *(__local float2 *)(to + 8 * KEPT_PITCH) = (float2)(parts[2], parts[3]);
        }
    }
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
}

#endif
