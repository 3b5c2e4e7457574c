// Products of four bytes at a time, those without a sign by those with one, added to sums of 32 bits.
//
// Macros: none.
// Gives: HAS_QUAD_PRODUCTS  defined where the compiler knows the instruction of processors for it (AVX-512 VNNI), for
//            functions of target("avx512vnni");
//        adds_quads  whether this processor has it, not only the one that the compiler was told of;
//        QUAD_PAIRS  16 words of two 16-bit integers each;
//        products_of_quads, products_of_words  sums of four products without it.
#ifndef CLINFER_QUAD_PRODUCTS_H
#define CLINFER_QUAD_PRODUCTS_H

typedef short QUAD_PAIRS __attribute__((ext_vector_type(32)));

// Compilers say that they have no builtin that not every function may use; its parameters are those of these versions.
#if defined(__AVX512BW__) && defined(__x86_64__) && defined(__clang_major__) && defined(__has_builtin)
#if __has_builtin(__builtin_ia32_pmaddwd512) && __clang_major__ >= 10 && __clang_major__ <= 20
#define HAS_QUAD_PRODUCTS
#endif
#endif

static inline int adds_quads(void) {
#ifdef HAS_QUAD_PRODUCTS
    uint a = 7;
    uint b;
    uint c = 0;
    uint d;
    __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    return c >> 11 & 1;
#else
    return 0;
#endif
}

// The sum of each two products of 16 bits.
static inline int16 pairs_of_products(QUAD_PAIRS codes, QUAD_PAIRS weights) {
#ifdef HAS_QUAD_PRODUCTS
    return __builtin_ia32_pmaddwd512(codes, weights);
#else
    const int16 left = __builtin_astype(codes, int16);
    const int16 right = __builtin_astype(weights, int16);
    return (left << 16 >> 16) * (right << 16 >> 16) + (left >> 16) * (right >> 16);
#endif
}

// Bytes 0 and 2 of each word, then bytes 1 and 3; weights in the same order.
static inline int16 products_of_quads(int16 codes, QUAD_PAIRS even, QUAD_PAIRS odd) {
    const int16 low = codes & 0x00ff00ff;
    const int16 high = codes >> 8 & 0x00ff00ff;
    return pairs_of_products(__builtin_astype(low, QUAD_PAIRS), even)
            + pairs_of_products(__builtin_astype(high, QUAD_PAIRS), odd);
}

static inline int16 products_of_words(int16 codes, int16 weights) {
    const QUAD_PAIRS pairs = __builtin_astype(weights, QUAD_PAIRS);
    return products_of_quads(codes, pairs << (short)8 >> (short)8, pairs >> (short)8);
}

#endif
