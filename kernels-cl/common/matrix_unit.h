// A tile of a matrix product that a work-group computes by a device's matrix units: TILE rows of the left operand by as
// many columns of the right one, in float32. Both operands go through local memory, DEPTH terms (a slab) at a time, in
// chunks of 16 bytes, of which STAGES slabs are there at once. After common/element.h.
//
// Layout: a line of a slab is a row or column of the tile with its terms side by side (4 chunks), or a term with the
//         tile's rows or columns side by side; chunk_at says where a chunk of it lies, so that eight lines that are read
//         together meet different banks.
// Assumes: work-groups of [GROUP_ITEMS, 1, 1], in waves of items with consecutive ids: 32, of dpas 8 or 16.
// Macros: ELEMENT  float16, bfloat16, or float32, which is multiplied as TF32 (8 bits of exponent, 11 of precision);
//         TILE  128 or 64; LEFT_ADJACENT, RIGHT_ADJACENT  1: terms of a row of the left operand, of a column of the right
//         one are neighbours; LEFT_ROUNDED  1: the left one has been rounded to TF32; STRAIGHT  1: of wgmma, with TILE
//         128: one operand alone goes through local memory, 8 chunks of terms at a time, and the kernel brings the other
//         one's words for multiply_words (linalg/matmul_rowmajor_gpu_units.cl); UNIT  what multiplies: wgmma
//         (common/matrix_unit_wgmma.h), ptx (common/matrix_unit_ptx.h), dpas8 or dpas16 (common/matrix_unit_dpas.h), or
//         with "emulated_" before it ("emulated" of ptx) plain OpenCL C that computes what the instructions do.
// Gives:  Unit  what the functions below need; UNIT_LOCAL declares its local memory in a kernel, UNIT_WAVES is an attribute
//         of the kernel; WAVE_ROWS, WAVE_COLUMNS, WAVE_PARTS  sums of an item;
//         copy_chunk, end_copies  copies to local memory that go on beside other work; await_slabs  ends them for all;
//         begin_products, end_products  add the products of a slab between them; end_sums  ends all sums; keep_sums  brings
//         sums of half the tile's rows to local memory.
#ifndef CLINFER_MATRIX_UNIT_H
#define CLINFER_MATRIX_UNIT_H

#ifndef TILE
#define TILE 128
#endif
#ifndef UNIT
#define UNIT emulated
#endif
#ifndef LEFT_ADJACENT
#define LEFT_ADJACENT 1
#endif
#ifndef RIGHT_ADJACENT
#define RIGHT_ADJACENT 0
#endif
#ifndef LEFT_ROUNDED
#define LEFT_ROUNDED 0
#endif
#ifndef STRAIGHT
#define STRAIGHT 0
#endif

#define UNIT_KIND_emulated 0
#define UNIT_KIND_ptx 1
#define UNIT_KIND_dpas8 2
#define UNIT_KIND_dpas16 3
#define UNIT_KIND_emulated_dpas8 4
#define UNIT_KIND_emulated_dpas16 5
#define UNIT_KIND_wgmma 6
#define UNIT_KIND_emulated_wgmma 7
#define UNIT_KIND_OF(name) ELEMENT_JOINED(UNIT_KIND_, name)
#define NAMED_KIND UNIT_KIND_OF(UNIT)
// wgmma reads terms of TF32 that are neighbours alone: where neither operand has such, mma.sync multiplies.
#if NAMED_KIND >= 6 && ELEMENT_KIND == 7 && !LEFT_ADJACENT && !RIGHT_ADJACENT
#define UNIT_KIND (NAMED_KIND == 6 ? 1 : 0)
#else
#define UNIT_KIND NAMED_KIND
#endif

#define GROUP_ITEMS 128
#define STAGES 3
#define CHUNK_TERMS (ELEMENT_KIND == 7 ? 4 : 8)
#define LINE_CHUNKS (STRAIGHT ? 8 : 4)
#define DEPTH (LINE_CHUNKS * CHUNK_TERMS)
// Steps of instructions in a slab, of two chunks of terms each.
#define UNIT_STEPS (LINE_CHUNKS / 2)
// Chunks of a slab of one operand, and those that an item brings.
#define SLAB_CHUNKS (LINE_CHUNKS * TILE)
#define EACH_CHUNKS (SLAB_CHUNKS / GROUP_ITEMS)
#define HALF_ROWS (TILE / 2)
#define KEPT_PITCH (TILE + 4)
// The units find chunks of local memory by bits of their addresses.
#define SLABS_ALIGNED __attribute__((aligned(1024)))

// The chunk number `chunk` of a line.
static inline int chunk_at(int line, int chunk, int terms_adjacent) {
    return terms_adjacent ? line * LINE_CHUNKS + (chunk ^ (STRAIGHT ? line % 8 : line / 2 % 4))
            : CHUNK_TERMS == 8 ? chunk / 8 * (8 * DEPTH) + line * 8 + (chunk % 8 ^ (line % 8))
                               : line * (TILE / 4) + (chunk ^ (line % 4 * 2));
}

// The line of a slab of terms in which a term lies: with STRAIGHT those of 16-bit floats are exchanged, so that the other
// operand's eight neighbours are those of two instructions that an item has in registers.
static inline int term_line(int term) {
    return STRAIGHT && CHUNK_TERMS == 8
            ? term / 32 * 32 + term / 4 % 2 * 16 + term / 2 % 2 * 8 + term / 8 % 4 * 2 + term % 2
            : term;
}

#if UNIT_KIND == 1 || UNIT_KIND == 6
#include "common/matrix_unit_ptx.h"
#elif UNIT_KIND == 0 || UNIT_KIND == 7
#include "common/matrix_unit_emulated.h"
#endif
#if UNIT_KIND >= 6
#include "common/matrix_unit_wgmma.h"
#elif UNIT_KIND >= 2
#include "common/matrix_unit_dpas.h"
#else
#include "common/matrix_unit_waves.h"
#endif

#if UNIT_KIND < 6
#define READ_SIDE 0

static inline void show_copies(void) {
}

static inline void begin_products(
        Unit unit, __local const uint4 *left, __local const uint4 *right, float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS]) {
}

static inline void end_sums(float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS]) {
}
#endif

// Waits for the slabs that are multiplied next: what all items brought of them is there for all after it.
static inline void await_slabs(__local uint4 *left, __local uint4 *right) {
    await_copies();
#if READ_SIDE == 1 && !LEFT_ROUNDED
    round_slab(left);
#elif READ_SIDE == 2 && ELEMENT_KIND == 7
    round_slab(right);
#endif
    show_copies();
    barrier(CLK_LOCAL_MEM_FENCE);
}

static inline void clear_sums(float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS]) {
    UNIT_UNROLL
    for (int i = 0; i < WAVE_ROWS; ++i) {
        UNIT_UNROLL
        for (int j = 0; j < WAVE_COLUMNS; ++j) {
            UNIT_UNROLL
            for (int part = 0; part < WAVE_PARTS; ++part) {
                sums[i][j][part] = 0;
            }
        }
    }
}

#endif
