// Instructions of processors that compilers do not find by themselves, each with code for all others that gives the same.
//
// Gives: Pairs16             16 words of two 16-bit integers each;
//        pairs_of_products   the sum of each two products of 16 bits; HAS_WIDE_PAIRS where it is one instruction (AVX-512);
//        HAS_QUAD_PRODUCTS   defined where the compiler knows the products of four bytes of AVX-512 VNNI: quads_added, for
//                            functions of target("avx512vnni"); adds_quads: whether this processor has it, not only the one
//                            that the compiler was told of;
//        carry_of, counts_by_byte, reordered  words of bits in vectors of 16;
//        PROCESSOR_PAUSE     what a processor does while it waits.
#ifndef CLINFER_PROCESSOR_H
#define CLINFER_PROCESSOR_H

#if defined(__has_builtin) && !defined(__SPIR__) && !defined(__SPIR64__) && !defined(__SPIRV__)
#if defined(__AVX512BW__)
#if __has_builtin(__builtin_ia32_pmaddwd512)
#define HAS_WIDE_PAIRS
#endif
#if __has_builtin(__builtin_ia32_pternlogd512_mask) && __has_builtin(__builtin_ia32_pshufb512)
#define HAS_WORDS_OF_BITS
#endif
#endif
#if defined(__AVX2__)
#if __has_builtin(__builtin_ia32_pmaddwd256)
#define HAS_PAIRS
#endif
#endif
#if __has_builtin(__builtin_ia32_pause)
#define PROCESSOR_PAUSE __builtin_ia32_pause()
#elif __has_builtin(__builtin_arm_yield)
#define PROCESSOR_PAUSE __builtin_arm_yield()
#endif
#endif
#ifndef PROCESSOR_PAUSE
#define PROCESSOR_PAUSE
#endif

typedef short Pairs16 __attribute__((ext_vector_type(32)));

// LLVM does not find the instruction where one side is a pair that is repeated.
static inline int16 pairs_of_products(Pairs16 a, Pairs16 b) {
#ifdef HAS_WIDE_PAIRS
    return __builtin_ia32_pmaddwd512(a, b);
#elif defined(HAS_PAIRS)
    return (int16)(__builtin_ia32_pmaddwd256(a.lo, b.lo), __builtin_ia32_pmaddwd256(a.hi, b.hi));
#else
    const int16 left = __builtin_astype(a, int16);
    const int16 right = __builtin_astype(b, int16);
    return (left << 16 >> 16) * (right << 16 >> 16) + (left >> 16) * (right >> 16);
#endif
}

// Compilers say that they have no builtin that not every function may use; its parameters are those of these versions.
#if defined(HAS_WIDE_PAIRS) && defined(__x86_64__) && defined(__clang_major__)
#if __clang_major__ >= 10 && __clang_major__ <= 20
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

// The sums and, for each, the products of four bytes without a sign by four with one.
#ifdef HAS_QUAD_PRODUCTS
__attribute__((target("avx512vnni"), always_inline)) static inline int16 quads_added(
        int16 sums, int16 codes, int16 weights) {
    return __builtin_ia32_vpdpbusd512(sums, codes, weights);
}
#endif

// The carry of a + b + c, given the sum a ^ b ^ c: a where a and b are the same, else what the sum is not.
static inline uint16 carry_of(uint16 a, uint16 b, uint16 sum) {
#ifdef HAS_WORDS_OF_BITS
    return as_uint16(__builtin_ia32_pternlogd512_mask(as_int16(a), as_int16(b), as_int16(sum), 0xd4, (ushort)-1));
#else
    return (a & b) | ((a | b) & ~sum);
#endif
}

// The number of set bits of each byte, in that byte.
#ifdef HAS_WORDS_OF_BITS
typedef char Bytes64 __attribute__((vector_size(64)));

static inline uint16 counts_by_byte(uint16 words) {
    const uint4 of_nibble = (uint4)(0x02010100, 0x03020201, 0x03020201, 0x04030302);
    const Bytes64 table = __builtin_astype((uint16)(of_nibble, of_nibble, of_nibble, of_nibble), Bytes64);
    const Bytes64 low = __builtin_astype(words & 0x0f0f0f0f, Bytes64);
    const Bytes64 high = __builtin_astype(words >> 4 & 0x0f0f0f0f, Bytes64);
    return __builtin_astype(__builtin_ia32_pshufb512(table, low), uint16)
            + __builtin_astype(__builtin_ia32_pshufb512(table, high), uint16);
}
#else
static inline uint16 counts_by_byte(uint16 words) {
    words -= words >> 1 & 0x55555555;
    words = (words & 0x33333333) + (words >> 2 & 0x33333333);
    return words + (words >> 4) & 0x0f0f0f0f;
}
#endif

// In each lane the value of the lane that order names, from 0 to 15.
static inline int16 reordered(int16 values, const int *order) {
#ifdef HAS_WORDS_OF_BITS
    return __builtin_astype(__builtin_ia32_permvarsi512(values, vload16(0, order)), int16);
#else
    int from[16];
    int to[16];
    vstore16(values, 0, from);
    for (int lane = 0; lane < 16; ++lane) {
        to[lane] = from[order[lane] & 15];
    }
    return vload16(0, to);
#endif
}

#endif
