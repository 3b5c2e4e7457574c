// Products of four bytes at a time, those without a sign by those with one, added to sums of 32 bits.
//
// Macros: none.
// Gives: what common/processor.h gives;
//        products_of_quads, products_of_words  sums of four products by pairs, where there is no instruction for them.
#ifndef CLINFER_QUAD_PRODUCTS_H
#define CLINFER_QUAD_PRODUCTS_H

#include "common/processor.h"

// Bytes 0 and 2 of each word, then bytes 1 and 3; weights in the same order.
static inline int16 products_of_quads(int16 codes, Pairs16 even, Pairs16 odd) {
    const int16 low = codes & 0x00ff00ff;
    const int16 high = codes >> 8 & 0x00ff00ff;
    return pairs_of_products(__builtin_astype(low, Pairs16), even)
            + pairs_of_products(__builtin_astype(high, Pairs16), odd);
}

static inline int16 products_of_words(int16 codes, int16 weights) {
    const Pairs16 pairs = __builtin_astype(weights, Pairs16);
    return products_of_quads(codes, pairs << (short)8 >> (short)8, pairs >> (short)8);
}

#endif
