// What common/matrix_unit_ptx.h gives, in plain OpenCL C for any device: items exchange through local memory what the
// instructions exchange among the registers of a wave. It shows on a processor or a simulator whether each item
// hands over the addresses, and holds the elements, that "Parallel Thread Execution ISA" says; it is slow, and no
// description chooses it but where a device says that it emulates.
//
// Gives:  as common/matrix_unit_ptx.h. All items of a group call load_rows, load_columns and multiply_add together.
#ifndef CLINFER_MATRIX_UNIT_EMULATED_H
#define CLINFER_MATRIX_UNIT_EMULATED_H

#define UNIT_WORDS 6

typedef __local uint *Unit;

#define UNIT_LOCAL(unit) __local uint unit[UNIT_WORDS * GROUP_ITEMS]
#define UNIT_UNROLL

static inline void copy_chunk(__local uint4 *to, __global const void *from, bool exists) {
    *to = exists ? *(__global const uint4 *)from : (uint4)0;
}

static inline void end_copies(void) {
}

static inline void await_copies(void) {
}

// The chunk that this item of its wave reads a part of: a line of matrix number `matrix`.
static inline __local const uint *matrix_line(Unit unit, __local const uint4 *slab, int matrix, int line) {
    return (__local const uint *)(slab + unit[get_local_id(0) / 32 * 32 + 8 * matrix + line]);
}

static inline void load_rows(Unit unit, __local const uint4 *slab, int at, uint *words) {
    const int lane = get_local_id(0) % 32;
    unit[get_local_id(0)] = at;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int matrix = 0; matrix < 4; ++matrix) {
        words[matrix] = matrix_line(unit, slab, matrix, lane / 4)[lane % 4];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

static inline void load_columns(Unit unit, __local const uint4 *slab, int at, uint *words) {
    const int lane = get_local_id(0) % 32;
    unit[get_local_id(0)] = at;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int matrix = 0; matrix < 4; ++matrix) {
        uint word = 0;
        for (int i = 0; i < 2; ++i) {
            const uint two = matrix_line(unit, slab, matrix, lane % 4 * 2 + i)[lane / 8];
            word |= (two >> (lane / 4 % 2 * 16) & 0xffff) << (16 * i);
        }
        words[matrix] = word;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

// To the nearest of TF32, ties away from zero.
static inline void round_words(uint *words) {
#if ELEMENT_KIND == 7
    for (int i = 0; i < 4; ++i) {
        words[i] = isfinite(as_float(words[i])) ? (words[i] + 0x1000) & ~0x1fffu : words[i];
    }
#endif
}

// Element number `which` of a word.
static inline float unit_value(uint word, int which) {
#if ELEMENT_KIND == 5
    const ushort bits = word >> (16 * which);
    return vload_half(0, (const half *)&bits);
#elif ELEMENT_KIND == 6
    return as_float(which == 0 ? word << 16 : word & 0xffff0000u);
#else
    return as_float(word);
#endif
}

static inline void multiply_add(Unit unit, const uint *rows, const uint *columns, float *sums) {
    const int item = get_local_id(0);
    const int lane = item % 32;
    for (int i = 0; i < UNIT_WORDS; ++i) {
        unit[item * UNIT_WORDS + i] = i < 4 ? rows[i] : columns[i - 4];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const Unit wave = unit + item / 32 * 32 * UNIT_WORDS;
    const int each = CHUNK_TERMS / 4;
    for (int part = 0; part < 4; ++part) {
        const int row = lane / 4 + part / 2 * 8;
        const int column = lane % 4 * 2 + part % 2;
        for (int term = 0; term < 2 * CHUNK_TERMS; ++term) {
            const int holder = term / each % 4;
            const int later = term / CHUNK_TERMS;
            const uint left = wave[(row % 8 * 4 + holder) * UNIT_WORDS + row / 8 + 2 * later];
            const uint right = wave[(column * 4 + holder) * UNIT_WORDS + 4 + later];
            sums[part] += unit_value(left, term % each) * unit_value(right, term % each);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

#endif
