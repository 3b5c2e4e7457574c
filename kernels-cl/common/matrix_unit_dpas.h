// What common/matrix_unit.h needs of Intel's matrix units (XMX), by cl_intel_subgroup_matrix_multiply_accumulate: sub-groups
// of UNIT_LANES items multiply 8 rows by as many columns as they have items. Of float16 and bfloat16, with tiles of 64.
//
// Layout: of the left operand an item has of each row the term of its own number, with 8 items two neighbouring ones; of the
//         right one the terms of its own column, two in a word; of the sums its column, a row in each component.
// Gives:  as common/matrix_unit_waves.h; copies are made at once.
#ifndef CLINFER_MATRIX_UNIT_DPAS_H
#define CLINFER_MATRIX_UNIT_DPAS_H

#define UNIT_LANES (UNIT_KIND % 2 == 0 ? 8 : 16)
#define WAVE_ROWS 2
#define WAVE_COLUMNS 2
#define WAVE_PARTS 8
// Sub-groups that are side by side in a tile; each has 16 rows.
#define WAVES_ACROSS (TILE / WAVE_COLUMNS / UNIT_LANES)

#if UNIT_KIND >= 4
// What the instruction does, in plain OpenCL C: items exchange through local memory what it exchanges among registers.
#define UNIT_WORDS 16
#define UNIT_LOCAL(unit) __local uint unit[UNIT_WORDS * GROUP_ITEMS]
#define UNIT_UNROLL
#define UNIT_WAVES
typedef __local uint *Unit;
#else
#define UNIT_LOCAL(unit) const Unit unit = 0
#define UNIT_UNROLL _Pragma("unroll")
#define UNIT_WAVES __attribute__((intel_reqd_sub_group_size(UNIT_LANES)))
typedef int Unit;
#endif

#if UNIT_KIND % 2 == 0
#define LEFT_WORDS int8
#define LEFT_PART uint
#else
#define LEFT_WORDS short8
#define LEFT_PART ushort
#endif

static inline void copy_chunk(__local uint4 *to, __global const void *from, bool exists) {
    *to = exists ? *(__global const uint4 *)from : (uint4)0;
}

static inline void end_copies(void) {
}

static inline void await_copies(void) {
}

static inline int wave_lane(void) {
    return get_local_id(0) % UNIT_LANES;
}

static inline int wave_row(void) {
    return (int)get_local_id(0) / UNIT_LANES / WAVES_ACROSS * (8 * WAVE_ROWS);
}

static inline int wave_column(void) {
    return (int)get_local_id(0) / UNIT_LANES % WAVES_ACROSS * (UNIT_LANES * WAVE_COLUMNS);
}

// The element of a line of rows or columns and a term.
static inline ushort element_of(__local const uint4 *slab, int line, int term, int terms_adjacent) {
    const int chunk = terms_adjacent ? chunk_at(line, term / 8, 1) : chunk_at(term, line / 8, 0);
    return ((__local const ushort *)(slab + chunk))[(terms_adjacent ? term : line) % 8];
}

static inline uint two_elements(__local const uint4 *slab, int line, int term, int terms_adjacent) {
    if (terms_adjacent) {
        return ((__local const uint *)(slab + chunk_at(line, term / 8, 1)))[term / 2 % 4];
    }
    return element_of(slab, line, term, 0) | (uint)element_of(slab, line, term + 1, 0) << 16;
}

#define EIGHT(value) value(0), value(1), value(2), value(3), value(4), value(5), value(6), value(7)

static inline LEFT_WORDS load_left(__local const uint4 *slab, int row, int step, int terms_adjacent) {
#if UNIT_KIND % 2 == 0
#define LEFT_WORD(i) two_elements(slab, row + i, 16 * step + 2 * wave_lane(), terms_adjacent)
#else
#define LEFT_WORD(i) element_of(slab, row + i, 16 * step + wave_lane(), terms_adjacent)
#endif
    return (LEFT_WORDS)(EIGHT(LEFT_WORD));
}

static inline int8 load_right(__local const uint4 *slab, int column, int step, int terms_adjacent) {
#define RIGHT_WORD(i) two_elements(slab, column + wave_lane(), 16 * step + 2 * i, terms_adjacent)
    return (int8)(EIGHT(RIGHT_WORD));
}

#if UNIT_KIND >= 4
static inline float unit_value(uint bits) {
#if ELEMENT_KIND == 5
    const ushort stored = bits;
    return vload_half(0, (const half *)&stored);
#else
    return as_float(bits << 16);
#endif
}

static inline float8 multiply_add(Unit unit, LEFT_WORDS rows, int8 columns, float8 sums) {
    const int item = get_local_id(0);
    for (int i = 0; i < 8; ++i) {
        unit[item * UNIT_WORDS + i] = ((LEFT_PART *)&rows)[i];
        unit[item * UNIT_WORDS + 8 + i] = ((int *)&columns)[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const Unit wave = unit + item / UNIT_LANES * UNIT_LANES * UNIT_WORDS;
    float values[8];
    for (int row = 0; row < 8; ++row) {
        float sum = ((float *)&sums)[row];
        for (int term = 0; term < 16; ++term) {
            const int each = 16 / UNIT_LANES;
            const uint left = wave[term / each * UNIT_WORDS + row] >> (16 * (term % each));
            const uint right = unit[item * UNIT_WORDS + 8 + term / 2] >> (16 * (term % 2));
            sum += unit_value(left & 0xffff) * unit_value(right & 0xffff);
        }
        values[row] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return vload8(0, values);
}
#else
static inline float8 multiply_add(Unit unit, LEFT_WORDS rows, int8 columns, float8 sums) {
#if ELEMENT_KIND == 5
    return intel_sub_group_f16_f16_matrix_mad_k16(rows, columns, sums);
#else
    return intel_sub_group_bf16_bf16_matrix_mad_k16(rows, columns, sums);
#endif
}
#endif

static inline __attribute__((always_inline)) void end_products(
        Unit unit, __local const uint4 *left, __local const uint4 *right, float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS]) {
    UNIT_UNROLL
    for (int step = 0; step < 2; ++step) {
        UNIT_UNROLL
        for (int i = 0; i < WAVE_ROWS; ++i) {
            const LEFT_WORDS rows = load_left(left, wave_row() + 8 * i, step, LEFT_ADJACENT);
            UNIT_UNROLL
            for (int j = 0; j < WAVE_COLUMNS; ++j) {
                const int8 columns = load_right(right, wave_column() + UNIT_LANES * j, step, RIGHT_ADJACENT);
                vstore8(multiply_add(unit, rows, columns, vload8(0, sums[i][j])), 0, sums[i][j]);
            }
        }
    }
}

// Brings the sums of one half of the rows to local memory, after all items have left it; they are there for all after it.
static inline __attribute__((always_inline)) void keep_sums(
        float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS], int half_number, __local float *kept) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (wave_row() / HALF_ROWS == half_number) {
        UNIT_UNROLL
        for (int i = 0; i < WAVE_ROWS; ++i) {
            UNIT_UNROLL
            for (int j = 0; j < WAVE_COLUMNS; ++j) {
                const int at = (wave_row() % HALF_ROWS + 8 * i) * KEPT_PITCH + wave_column() + UNIT_LANES * j + wave_lane();
                UNIT_UNROLL
                for (int part = 0; part < 8; ++part) {
                    kept[at + part * KEPT_PITCH] = sums[i][j][part];
                }
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

#endif
