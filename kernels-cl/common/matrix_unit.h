// A tile of a matrix product that a work-group computes by a device's matrix units: TILE rows of the left operand by as
// many columns of the right one, in float32. Both operands go through local memory, DEPTH terms (a slab) at a time, in
// chunks of 16 bytes, of which STAGES slabs are there at once. After common/element.h.
//
// Layout: a line of a slab is a row or column of the tile with its terms side by side (4 chunks), or a term with the
//         tile's rows or columns side by side; chunk_at says where a chunk of it lies, so that eight lines that are read
//         together meet different banks.
// Assumes: work-groups of [GROUP_ITEMS, 1, 1], in waves of items with consecutive ids: 32, of dpas 8 or 16.
// Macros: ELEMENT  float16, bfloat16, or float32, which is multiplied as TF32 (8 bits of exponent, 11 of precision);
//         TILE  128 or 64; UNIT  what multiplies: ptx (common/matrix_unit_ptx.h), dpas8 or dpas16
//         (common/matrix_unit_dpas.h), or emulated, emulated_dpas8, emulated_dpas16, which compute in plain OpenCL C what
//         their instructions do.
// Gives:  Unit  what the functions below need; UNIT_LOCAL declares its local memory in a kernel, UNIT_WAVES is an attribute
//         of the kernel; WAVE_ROWS, WAVE_COLUMNS, WAVE_PARTS  sums of an item;
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
#define UNIT_KIND_dpas8 2
#define UNIT_KIND_dpas16 3
#define UNIT_KIND_emulated_dpas8 4
#define UNIT_KIND_emulated_dpas16 5
#define UNIT_KIND_OF(name) ELEMENT_JOINED(UNIT_KIND_, name)
#define UNIT_KIND UNIT_KIND_OF(UNIT)

#define GROUP_ITEMS 128
#define STAGES 3
#define CHUNK_TERMS (ELEMENT_KIND == 7 ? 4 : 8)
#define DEPTH (4 * CHUNK_TERMS)
// Chunks of a slab of one operand, and those that an item brings.
#define SLAB_CHUNKS (4 * TILE)
#define EACH_CHUNKS (SLAB_CHUNKS / GROUP_ITEMS)
#define HALF_ROWS (TILE / 2)
#define KEPT_PITCH (TILE + 4)

// The chunk number `chunk` of a line.
static inline int chunk_at(int line, int chunk, int terms_adjacent) {
    return terms_adjacent ? line * 4 + (chunk ^ (line / 2 % 4))
            : CHUNK_TERMS == 8 ? line * (TILE / 8) + (chunk ^ (line % 8))
                               : line * (TILE / 4) + (chunk ^ (line % 4 * 2));
}

#if UNIT_KIND >= 2
#include "common/matrix_unit_dpas.h"
#else
#include "common/matrix_unit_waves.h"
#endif

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
