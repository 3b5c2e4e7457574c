// What common/matrix_unit_wgmma.h needs of wgmma, in plain OpenCL C for any device: an item finds what the instruction reads
// by the bits of the matrix descriptors, so that a wrong one gives wrong sums, and exchanges what it has in registers.
//
// Gives:  show_copies, multiply_described, multiply_words, end_products, end_sums. All items of a group call multiply_words together.
#ifndef CLINFER_MATRIX_UNIT_WGMMA_EMULATED_H
#define CLINFER_MATRIX_UNIT_WGMMA_EMULATED_H

// The element of a line and a term, which of two in a word of two. Bits 62 and 63 say by how many bits above the seventh
// the address is exchanged: 1: three, in lines of 128 bytes; 2: two, in lines of 64 with adjacent terms.
static inline float described_value(Described operand, int line, int term) {
    const int bytes = 16 / CHUNK_TERMS;
    const int at = (int)(operand.bits & 0x3fff) * 16;
    const int block = (int)(operand.bits >> 16 & 0x3fff) * 16;
    const int eight = (int)(operand.bits >> 32 & 0x3fff) * 16;
    const int kind = operand.bits >> 62;
    const bool terms_adjacent = kind == 2 || ELEMENT_KIND == 7;
    const int plain = terms_adjacent ? at + line / 8 * eight + line % 8 * (kind == 2 ? 64 : 128) + term * bytes
                                : at + line / 64 * block + line % 64 * bytes + term / 8 * eight + term % 8 * 128;
    const int address = plain ^ (plain >> 7 & (kind == 2 ? 3 : 7)) << 4;
    const uint word = ((__local const uint *)operand.slab)[address / 4];
#if ELEMENT_KIND == 7
    return as_float(word & ~0x1fffu);
#else
    return unit_value(word, address / 2 % 2);
#endif
}

static inline void multiply_described(
        float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS], __local const uint4 *left, __local const uint4 *right) {
    const int first = (int)get_local_id(0) / 32 * 16 + (int)get_local_id(0) % 32 / 4;
    for (int step = 0; step < 2; ++step) {
        const Described columns = described_lines(right, 0, step, RIGHT_ADJACENT);
        for (int i = 0; i < WAVE_ROWS; ++i) {
            const Described rows = described_lines(left, i, step, LEFT_ADJACENT);
            for (int j = 0; j < WAVE_COLUMNS * WAVE_PARTS; ++j) {
                const int row = first + j % 4 / 2 * 8;
                const int column = j / 4 * 8 + (int)get_local_id(0) % 4 * 2 + j % 2;
                for (int term = 0; term < 16; ++term) {
                    sums[i][j / 4][j % 4] += described_value(rows, row, term) * described_value(columns, column, term);
                }
            }
        }
    }
}

static inline void multiply_words(
        Unit unit,
        float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS],
        uint words[UNIT_STEPS][WAVE_ROWS][4],
        __local const uint4 *slab) {
    const int item = get_local_id(0);
    const Unit wave = unit + item / 32 * 32 * 4;
    const int each = CHUNK_TERMS / 4;
    for (int step = 0; step < UNIT_STEPS; ++step) {
        const Described columns = described_lines(slab, 0, step, READ_ADJACENT);
        for (int i = 0; i < WAVE_ROWS; ++i) {
            for (int word = 0; word < 4; ++word) {
                unit[item * 4 + word] = words[step][i][word];
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int j = 0; j < WAVE_COLUMNS * WAVE_PARTS; ++j) {
                const int column = j / 4 * 8 + item % 4 * 2 + j % 2;
                for (int term = 0; term < 2 * CHUNK_TERMS; ++term) {
                    const int holder = item % 32 / 4 * 4 + term / each % 4;
                    const uint word = wave[holder * 4 + j % 4 / 2 + term / CHUNK_TERMS * 2];
                    sums[i][j / 4][j % 4] += unit_value(word, term % each) * described_value(columns, column, term);
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
}

static inline void show_copies(void) {
}

static inline void end_products(
        Unit unit, __local const uint4 *left, __local const uint4 *right, float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS]) {
}

static inline void end_sums(float sums[WAVE_ROWS][WAVE_COLUMNS][WAVE_PARTS]) {
}

#endif
