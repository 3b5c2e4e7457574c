// y = A B over any number of matrices, by a device's matrix units of the kind of wgmma: a work-group computes a tile of y.
// One operand goes through local memory, 128 bytes of terms at a time; items read the other one from memory into the
// registers that the instruction takes it from: A of 16-bit floats, B of TF32.
//
// Layout: y is dense [m, n]; A [m, k] and B [k, n] are matrices of dense rows and have batch axes with strides
//         (0 = broadcast).
// Assumes: fewer than 2^31 elements in every tensor; m and n are at least TILE, n is a multiple of CHUNK_TERMS, k of 256
//          bytes; of TF32, A has been rounded (round_rows); global size [tiles of y * GROUP_ITEMS, 1, number of matrices],
//          local size [GROUP_ITEMS, 1, 1]; column_tiles of the tiles lie side by side, and the last ones begin TILE before
//          the end.
// Macros: ELEMENT, UNIT (common/matrix_unit.h).
#include "common/element.h"
#include "common/index.h"

#define TILE 128
#define LEFT_ADJACENT 1
#define RIGHT_ADJACENT 0
#define LEFT_ROUNDED 1
#define STRAIGHT 1
#define STORED_TOGETHER 4
#include "common/matrix_unit.h"
#include "common/quads.h"
#include "common/stored_quads.h"
#include "common/tile_bands.h"

#define ROUNDED_ITEMS 64

// Chunks that an item reads of a slab's terms of the operand that goes straight into registers.
#define STRAIGHT_CHUNKS (TILE * LINE_CHUNKS / GROUP_ITEMS)

// Begins to copy the slab that begins at `from` of the other one: of A, whose rows are k apart, or of B, whose terms are n
// apart.
static inline __attribute__((always_inline)) void copy_slab(__global const STORED *from, int pitch, __local uint4 *slab) {
    UNIT_UNROLL
    for (int i = 0; i < EACH_CHUNKS; ++i) {
        const int e = (int)get_local_id(0) + i * GROUP_ITEMS;
        const int each = READ_ADJACENT ? LINE_CHUNKS : TILE / CHUNK_TERMS;
        const int line = READ_ADJACENT ? e / each : term_line(e / each);
        copy_chunk(slab + chunk_at(line, e % each, READ_ADJACENT), from + e / each * pitch + e % each * CHUNK_TERMS, true);
    }
}

// What an item reads of the straight operand begins here: of TF32 four neighbouring columns, else eight terms of a row.
static inline int straight_begin(int pitch) {
    const int lane = (int)get_local_id(0) % 32;
    return ELEMENT_KIND == 7 ? lane % 4 * pitch + (int)get_local_id(0) / 32 * 32 + lane / 4 * 4
                             : wave_line() * pitch + lane % 4 * 8;
}

static inline __attribute__((always_inline)) void read_straight(
        __global const STORED *from, int pitch, uint4 chunks[STRAIGHT_CHUNKS]) {
    UNIT_UNROLL
    for (int i = 0; i < STRAIGHT_CHUNKS; ++i) {
        const int at = ELEMENT_KIND == 7 ? 4 * i * pitch : (64 * (i / 2 % 2) + 8 * (i % 2)) * pitch + i / 4 * 32;
        chunks[i] = *(__global const uint4 *)(from + at);
    }
}

// The words that the instructions take, of the chunks that read_straight has read. Of TF32, the four neighbouring columns
// of a chunk are four lines of this item. Of 16-bit floats, four items hold 32 terms of a line, eight neighbours each, in
// the order in which term_line has the other operand's.
static inline __attribute__((always_inline)) void order_words(
        const uint4 chunks[STRAIGHT_CHUNKS], uint words[UNIT_STEPS][WAVE_ROWS][4]) {
    UNIT_UNROLL
    for (int i = 0; i < STRAIGHT_CHUNKS; ++i) {
        const uint4 chunk = chunks[i];
#if ELEMENT_KIND == 7
        words[i / 2][0][i % 2 * 2] = chunk.x;
        words[i / 2][0][i % 2 * 2 + 1] = chunk.y;
        words[i / 2][1][i % 2 * 2] = chunk.z;
        words[i / 2][1][i % 2 * 2 + 1] = chunk.w;
#else
        words[i / 4 * 2][i / 2 % 2][i % 2] = chunk.x;
        words[i / 4 * 2][i / 2 % 2][i % 2 + 2] = chunk.y;
        words[i / 4 * 2 + 1][i / 2 % 2][i % 2] = chunk.z;
        words[i / 4 * 2 + 1][i / 2 % 2][i % 2 + 2] = chunk.w;
#endif
    }
#if ELEMENT_KIND == 7
    UNIT_UNROLL
    for (int i = 0; i < UNIT_STEPS; ++i) {
        round_words(words[i][0]);
        round_words(words[i][1]);
    }
#endif
}

// Adds the products of slab number `number`, and begins to copy the one that is STAGES - 1 later from `next`, if any.
static inline __attribute__((always_inline)) void add_slab(
        Unit unit,
        int number,
        const uint4 chunks[STRAIGHT_CHUNKS],
        bool has_next,
        __global const STORED *next,
        int pitch,
        __local uint4 *slabs,
        float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS]) {
    __local uint4 *slab = slabs + number % STAGES * SLAB_CHUNKS;
    uint words[UNIT_STEPS][WAVE_ROWS][4];
    await_slabs(slab, slab);
    order_words(chunks, words);
    multiply_words(unit, sums, words, slab);
    if (has_next) {
        copy_slab(next, pitch, slabs + (number + STAGES - 1) % STAGES * SLAB_CHUNKS);
    }
    end_copies();
    end_products(unit, slab, slab, sums);
}

// The sums of one tile, of an even number of slabs. Two in each pass, because the instruction wants its words where they were read: moving those
// of the next slab would make the assembler end each instruction before the next. Pitches are those of A or B, and steps
// go from a slab to the next.
static inline __attribute__((always_inline)) void straight_product(
        Unit unit,
        __global const STORED *copied,
        int copied_pitch,
        int copied_step,
        __global const STORED *straight,
        int straight_pitch,
        int straight_step,
        int count,
        __local uint4 *slabs,
        float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS]) {
    uint4 first[STRAIGHT_CHUNKS];
    uint4 second[STRAIGHT_CHUNKS];
    clear_sums(sums);
    for (int slab = 0; slab < STAGES - 1; ++slab) {
        if (slab < count) {
            copy_slab(copied, copied_pitch, slabs + slab * SLAB_CHUNKS);
        }
        copied += copied_step;
        end_copies();
    }
    straight += straight_begin(straight_pitch);
    read_straight(straight, straight_pitch, first);
    for (int slab = 0; slab < count; slab += 2) {
        straight += straight_step;
        read_straight(straight, straight_pitch, second);
        add_slab(unit, slab, first, slab + STAGES - 1 < count, copied, copied_pitch, slabs, sums);
        copied += copied_step;
        straight += slab + 2 < count ? straight_step : 0;
        read_straight(straight, straight_pitch, first);
        add_slab(unit, slab + 1, second, slab + STAGES < count, copied, copied_pitch, slabs, sums);
        copied += copied_step;
    }
    end_sums(sums);
}

// Stores the sums of a tile from [row, column] `from` on; the others are those of other tiles. y is where the tile begins,
// and has `n` in a row.
static inline __attribute__((always_inline)) void store_tile(
        float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS], __local float *kept, __global STORED *y, int2 from, int n) {
#if ELEMENT_KIND == 7
    // four lines of the instruction that an item has are neighbouring columns
    const int lane = (int)get_local_id(0) % 32;
    const int column = (int)get_local_id(0) / 32 * 32 + lane / 4 * 4;
    UNIT_UNROLL
    for (int j = 0; j < WAVE_COLUMNS; ++j) {
        UNIT_UNROLL
        for (int part = 0; part < 2; ++part) {
            const int row = 8 * j + lane % 4 * 2 + part;
            if (row >= from.x && column >= from.y) {
                const WIDE values[4] = {sums[0][j][part], sums[0][j][part + 2], sums[1][j][part], sums[1][j][part + 2]};
                store_four(values, y, row * n + column, 4);
            }
        }
    }
#else
    for (int number = 0; number < 2; ++number) {
        keep_sums(sums, number, kept);
        for (int i = 0; i < HALF_ROWS * TILE / 4 / GROUP_ITEMS; ++i) {
            const int e = (int)get_local_id(0) + i * GROUP_ITEMS;
            const int row = e / (TILE / 4);
            const int column = e % (TILE / 4) * 4;
            if (number * HALF_ROWS + row >= from.x && column >= from.y) {
                WIDE values[4];
                vstore4(*(__local const float4 *)(kept + row * KEPT_PITCH + column), 0, values);
                store_four(values, y, (number * HALF_ROWS + row) * n + column, 4);
            }
        }
    }
#endif
}

__kernel __attribute__((reqd_work_group_size(GROUP_ITEMS, 1, 1)))
void matmul_rows_units(
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
    __local uint4 slabs[STAGES * SLAB_CHUNKS] SLABS_ALIGNED;
    UNIT_LOCAL(unit);
    const int matrix = get_group_id(2);
    const int2 tile = tile_of_group(m, column_tiles) * TILE;
    const int2 begin = min(tile, (int2)(m, n) - TILE);
    a += strided_offset(matrix, batch_dims, a_batch_strides) + begin.x * k;
    b += strided_offset(matrix, batch_dims, b_batch_strides) + begin.y;
    float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS];
#if READ_SIDE == 1
    straight_product(unit, a, k, DEPTH, b, n, DEPTH * n, k / DEPTH, slabs, sums);
#else
    straight_product(unit, b, n, DEPTH * n, a, k, DEPTH, k / DEPTH, slabs, sums);
#endif
    store_tile(sums, (__local float *)slabs, y + (matrix * m + begin.x) * n + begin.y, tile - begin, n);
}

// Rounds elements to TF32, four by each item; there are a multiple of four.
__kernel __attribute__((reqd_work_group_size(ROUNDED_ITEMS, 1, 1)))
void round_rows(__global const STORED *a, __global STORED *rounded, const int len) {
    const int at = (int)get_global_id(0) * 4;
    if (at < len) {
        uint words[4];
        vstore4(*(__global const uint4 *)(a + at), 0, words);
#if ELEMENT_KIND == 7
        round_words(words);
#endif
        *(__global uint4 *)(rounded + at) = vload4(0, words);
    }
}
