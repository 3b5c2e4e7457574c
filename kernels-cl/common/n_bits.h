// Codes of 4 or 8 bits in words of 32, the first ones in the low bits, which stand for (code - zero point) * scale.
//
// Macros: BITS  of a code, 4 or 8; BLOCK_WORDS  words whose codes share a scale and a zero point. After
//         common/element.h.
// Gives:  WORD_CODES  codes of a word; code_step  a code of a word less its zero point; block_zero  the zero point of a
//         block, half of the codes where there are none.
#ifndef CLINFER_N_BITS_H
#define CLINFER_N_BITS_H

#ifndef BITS
#define BITS 4
#endif
#ifndef BLOCK_WORDS
#define BLOCK_WORDS 4
#endif

#define WORD_CODES (32 / BITS)

// The code is put into the last bits of a float that begins with 2^23, where it counts ones: many devices convert
// integers more slowly than they add.
static inline float code_step(uint word, int i, float zero) {
    const uint code = word >> (i * BITS) & ((1u << BITS) - 1);
    return as_float(code | 0x4b000000u) - 8388608.0f - zero;
}

static inline float block_zero(__global const STORED *zero_points, int at) {
    return zero_points ? load_element(zero_points, at) : (float)(1 << (BITS - 1));
}

#endif
