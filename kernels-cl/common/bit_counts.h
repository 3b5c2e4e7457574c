// Counts of set bits, lane by lane in vectors of 16 words: carry-save adders take 8 words to one whose bits weigh 8.
//
// Gives: eights_of, which adds 8 words to counters `ones`, `twos` and `fours` (bit i of them is a number below 8) and
//        returns the carries; counts_by_byte; sum_of_bytes.
// Bits are added in the same way with the instructions of AVX-512 as without, which compilers do not find by themselves.
#ifndef CLINFER_BIT_COUNTS_H
#define CLINFER_BIT_COUNTS_H

#include "common/processor.h"

static inline uint16 eights_of(
        uint16 a,
        uint16 b,
        uint16 c,
        uint16 d,
        uint16 e,
        uint16 f,
        uint16 g,
        uint16 h,
        uint16 *ones,
        uint16 *twos,
        uint16 *fours) {
    const uint16 abc = a ^ b ^ c;
    const uint16 def = d ^ e ^ f;
    const uint16 gh = g ^ h ^ abc;
    const uint16 ones_sum = *ones ^ def ^ gh;
    const uint16 two_a = carry_of(a, b, abc);
    const uint16 two_d = carry_of(d, e, def);
    const uint16 two_g = carry_of(g, h, gh);
    const uint16 two_ones = carry_of(def, gh, ones_sum);
    const uint16 adg = two_a ^ two_d ^ two_g;
    const uint16 twos_sum = *twos ^ adg ^ two_ones;
    const uint16 four_adg = carry_of(two_a, two_d, adg);
    const uint16 four_twos = carry_of(two_ones, adg, twos_sum);
    const uint16 fours_sum = *fours ^ four_adg ^ four_twos;
    *ones = ones_sum;
    *twos = twos_sum;
    *fours = fours_sum;
    return carry_of(four_adg, four_twos, fours_sum);
}

// The sum of the four bytes of each word.
static inline uint16 sum_of_bytes(uint16 words) {
    const uint16 pairs = (words & 0x00ff00ff) + (words >> 8 & 0x00ff00ff);
    return (pairs & 0xffff) + (pairs >> 16);
}

#endif
