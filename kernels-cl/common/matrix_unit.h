// A tile of a matrix product that a work-group computes by a device's matrix units: TILE rows of the left operand by as
// many columns of the right one, in float32. Both operands go through local memory, DEPTH terms (a slab) at a time, in
// chunks of 16 bytes, of which STAGES slabs are there at once. After common/element.h.
//
// Layout: a line of a slab is a row or column of the tile with its terms side by side (4 chunks), or a term with the
//         tile's rows or columns side by side; chunk_at says where a chunk of it lies, so that eight lines that are read
//         together meet different banks.
// Assumes: work-groups of [GROUP_ITEMS, 1, 1], in waves of 32 items with consecutive ids.
// Macros: ELEMENT  float16, bfloat16, or float32, which is multiplied as TF32 (8 bits of exponent, 11 of precision);
//         TILE  128 or 64; UNIT  what multiplies: ptx (common/matrix_unit_ptx.h) or emulated, which computes in plain
//         OpenCL C what the instructions of ptx do (common/matrix_unit_emulated.h).
// Gives:  Unit  what the functions below need; UNIT_LOCAL declares its local memory in a kernel;
//         copy_chunk, end_copies, await_copies  copies to local memory that go on beside other work;
//         multiply_slab  adds the products of a slab; keep_sums, kept_sum  sums of half the tile's rows in local memory.
#ifndef CLINFER_MATRIX_UNIT_H
#define CLINFER_MATRIX_UNIT_H

#ifndef TILE
#define TILE 128
#endif
#ifndef UNIT
#define UNIT emulated
#endif

#define UNIT_KIND_emulated 0
#define UNIT_KIND_ptx 1
#define UNIT_KIND_OF(name) ELEMENT_JOINED(UNIT_KIND_, name)
#define UNIT_KIND UNIT_KIND_OF(UNIT)

#define GROUP_ITEMS 128
#define STAGES 3
#define CHUNK_TERMS (ELEMENT_KIND == 7 ? 4 : 8)
#define DEPTH (4 * CHUNK_TERMS)
// Chunks of a slab of one operand, and those that an item brings.
#define SLAB_CHUNKS (4 * TILE)
#define EACH_CHUNKS (SLAB_CHUNKS / GROUP_ITEMS)
// Tiles of the instruction, 16 rows by 8 columns, that a wave adds: four waves have a quarter of the tile each.
#define WAVE_ROWS (TILE / 32)
#define WAVE_COLUMNS (TILE / 16)
#define HALF_ROWS (TILE / 2)
#define KEPT_PITCH (TILE + 4)

// The chunk number `chunk` of a line.
static inline int chunk_at(int line, int chunk, int terms_adjacent) {
    return terms_adjacent ? line * 4 + (chunk ^ (line / 2 % 4))
            : CHUNK_TERMS == 8 ? line * (TILE / 8) + (chunk ^ (line % 8))
                               : line * (TILE / 4) + (chunk ^ (line % 4 * 2));
}

static inline int wave_row(void) {
    return (int)get_local_id(0) / 64 * HALF_ROWS;
}

static inline int wave_column(void) {
    return (int)get_local_id(0) / 32 % 2 * HALF_ROWS;
}

#if UNIT_KIND == 1
#include "common/matrix_unit_ptx.h"
#else
#include "common/matrix_unit_emulated.h"
#endif

// Words of the left operand for an instruction: rows from `row` on of the tile, step 0 or 1 of the slab.
static inline void load_left(Unit unit, __local const uint4 *slab, int row, int step, int terms_adjacent, uint *words) {
    const int lane = get_local_id(0) % 32;
    if (terms_adjacent) {
        load_rows(unit, slab, chunk_at(row + lane % 16, 2 * step + lane / 16, 1), words);
    } else if (CHUNK_TERMS == 8) {
        const int term = 16 * step + lane / 16 * 8 + lane % 8;
        load_columns(unit, slab, chunk_at(term, row / 8 + lane / 8 % 2, 0), words);
    } else {
        UNIT_UNROLL
        for (int i = 0; i < 4; ++i) {
            const int line = row + lane / 4 + i % 2 * 8;
            const int term = 8 * step + lane % 4 + i / 2 * 4;
            words[i] = ((__local const uint *)(slab + chunk_at(term, line / 4, 0)))[line % 4];
        }
    }
    round_words(words);
}

// Words of the right operand for two instructions: 16 columns from `column` on.
static inline void load_right(
        Unit unit, __local const uint4 *slab, int column, int step, int terms_adjacent, uint *words) {
    const int lane = get_local_id(0) % 32;
    if (terms_adjacent) {
        load_rows(unit, slab, chunk_at(column + lane / 16 * 8 + lane % 8, 2 * step + lane / 8 % 2, 1), words);
    } else if (CHUNK_TERMS == 8) {
        const int term = 16 * step + lane / 8 % 2 * 8 + lane % 8;
        load_columns(unit, slab, chunk_at(term, column / 8 + lane / 16, 0), words);
    } else {
        UNIT_UNROLL
        for (int i = 0; i < 4; ++i) {
            const int line = column + lane / 4 + i / 2 * 8;
            const int term = 8 * step + lane % 4 + i % 2 * 4;
            words[i] = ((__local const uint *)(slab + chunk_at(term, line / 4, 0)))[line % 4];
        }
    }
    round_words(words);
}

// Adds the products of a slab of each operand to the wave's sums.
static inline __attribute__((always_inline)) void multiply_slab(
        Unit unit,
        __local const uint4 *left,
        int left_adjacent,
        __local const uint4 *right,
        int right_adjacent,
        float sums[WAVE_ROWS][WAVE_COLUMNS][4]) {
    UNIT_UNROLL
    for (int step = 0; step < 2; ++step) {
        uint rows[WAVE_ROWS][4];
        uint columns[WAVE_COLUMNS / 2][4];
        UNIT_UNROLL
        for (int i = 0; i < WAVE_ROWS; ++i) {
            load_left(unit, left, wave_row() + 16 * i, step, left_adjacent, rows[i]);
        }
        UNIT_UNROLL
        for (int j = 0; j < WAVE_COLUMNS / 2; ++j) {
            load_right(unit, right, wave_column() + 16 * j, step, right_adjacent, columns[j]);
        }
        UNIT_UNROLL
        for (int i = 0; i < WAVE_ROWS; ++i) {
            UNIT_UNROLL
            for (int j = 0; j < WAVE_COLUMNS; ++j) {
                multiply_add(unit, rows[i], columns[j / 2] + j % 2 * 2, sums[i][j]);
            }
        }
    }
}

static inline void clear_sums(float sums[WAVE_ROWS][WAVE_COLUMNS][4]) {
    UNIT_UNROLL
    for (int i = 0; i < WAVE_ROWS; ++i) {
        UNIT_UNROLL
        for (int j = 0; j < WAVE_COLUMNS; ++j) {
            UNIT_UNROLL
            for (int part = 0; part < 4; ++part) {
                sums[i][j][part] = 0;
            }
        }
    }
}

// Brings the sums of one half of the rows to local memory, after all items have left it; they are there for all after it.
static inline __attribute__((always_inline)) void keep_sums(
        float sums[WAVE_ROWS][WAVE_COLUMNS][4], int half_number, __local float *kept) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (wave_row() == half_number * HALF_ROWS) {
        const int lane = get_local_id(0) % 32;
        UNIT_UNROLL
        for (int i = 0; i < WAVE_ROWS; ++i) {
            UNIT_UNROLL
            for (int j = 0; j < WAVE_COLUMNS; ++j) {
                const int at = (16 * i + lane / 4) * KEPT_PITCH + wave_column() + 8 * j + lane % 4 * 2;
                *(__local float2 *)(kept + at) = (float2)(sums[i][j][0], sums[i][j][1]);
                *(__local float2 *)(kept + at + 8 * KEPT_PITCH) = (float2)(sums[i][j][2], sums[i][j][3]);
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

#endif
