// The part of common/matrix_unit.h for waves of 32 items that hold the elements of an instruction as PTX's mma.sync has it.
//
// Gives:  end_products, keep_sums; WAVE_ROWS, WAVE_COLUMNS, WAVE_PARTS  sums of an item.
#ifndef CLINFER_MATRIX_UNIT_WAVES_H
#define CLINFER_MATRIX_UNIT_WAVES_H

// Tiles of the instruction, 16 rows by 8 columns, that a wave adds: four waves have a quarter of the tile each.
#define WAVE_ROWS (TILE / 32)
#define WAVE_COLUMNS (TILE / 16)
#define WAVE_PARTS 4
#define UNIT_WAVES

static inline int wave_row(void) {
    return (int)get_local_id(0) / 64 * HALF_ROWS;
}

static inline int wave_column(void) {
    return (int)get_local_id(0) / 32 % 2 * HALF_ROWS;
}

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
static inline __attribute__((always_inline)) void end_products(
        Unit unit, __local const uint4 *left, __local const uint4 *right, float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS]) {
    UNIT_UNROLL
    for (int step = 0; step < 2; ++step) {
        uint rows[WAVE_ROWS][4];
        uint columns[WAVE_COLUMNS / 2][4];
        UNIT_UNROLL
        for (int i = 0; i < WAVE_ROWS; ++i) {
            load_left(unit, left, wave_row() + 16 * i, step, LEFT_ADJACENT, rows[i]);
        }
        UNIT_UNROLL
        for (int j = 0; j < WAVE_COLUMNS / 2; ++j) {
            load_right(unit, right, wave_column() + 16 * j, step, RIGHT_ADJACENT, columns[j]);
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

// Brings the sums of one half of the rows to local memory, after all items have left it; they are there for all after it.
static inline __attribute__((always_inline)) void keep_sums(
        float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS], int half_number, __local float *kept) {
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
