// Functions of two numbers of the type WIDE of common/element.h, which is included before, or of floats without it: those
// of function2_table.h, and the remainders. In larger and smaller a NaN wins. Integers wrap; their quotients truncate towards zero, and are 0 where b is 0.
#ifndef CLINFER_FUNCTIONS2_H
#define CLINFER_FUNCTIONS2_H

#include "common/function2_table.h"

#ifndef WIDE
#define WIDE float
#define IS_INTEGER 0
#endif

#if IS_INTEGER

// Whether v is -1, which no number without a sign is.
static inline bool is_minus_one(WIDE v) {
#if ELEMENT_KIND == 13
    return false;
#else
    return v == -1;
#endif
}

static inline WIDE add(WIDE a, WIDE b) {
    return low_bits((WIDE)((ulong)a + (ulong)b));
}

static inline WIDE subtract(WIDE a, WIDE b) {
    return low_bits((WIDE)((ulong)a - (ulong)b));
}

static inline WIDE multiply(WIDE a, WIDE b) {
    return low_bits((WIDE)((ulong)a * (ulong)b));
}

static inline WIDE divide(WIDE a, WIDE b) {
    const bool turns = is_minus_one(b);
    const WIDE quotient = a / (b == 0 || turns ? 1 : b);
    return b == 0 ? 0 : turns ? subtract(0, a) : quotient;
}

static inline WIDE remainder_of_left(WIDE a, WIDE b) {
    return b == 0 || is_minus_one(b) ? 0 : a % b;
}

static inline WIDE remainder_of_right(WIDE a, WIDE b) {
    const WIDE left = remainder_of_left(a, b);
    return left != 0 && (left < 0) != (b < 0) ? left + b : left;
}

static inline WIDE larger(WIDE a, WIDE b) {
    return a >= b ? a : b;
}

static inline WIDE smaller(WIDE a, WIDE b) {
    return a <= b ? a : b;
}

static inline WIDE prelu(WIDE a, WIDE b) {
    return a < 0 ? multiply(b, a) : a;
}

#else

#define FUNCTION_OF_WIDE(NAME, VALUE) \
    static inline WIDE NAME(WIDE a, WIDE b) { \
        return VALUE; \
    }

FUNCTIONS_OF_TWO(FUNCTION_OF_WIDE)

static inline WIDE remainder_of_left(WIDE a, WIDE b) {
    return fmod(a, b);
}

static inline WIDE remainder_of_right(WIDE a, WIDE b) {
    const WIDE left = fmod(a, b);
    return left == 0 ? copysign(left, b) : (left < 0) != (b < 0) ? left + b : left;
}

#endif

#endif
