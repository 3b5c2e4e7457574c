// y = a to the power b element by element with numpy broadcasting; y has the type of a, b any other.
//
// Layout: any of up to 8 axes; y is dense over dims, a and b are walked with their own strides (0 = broadcast).
// Assumes: every tensor has fewer than 2^31 elements; the global size is at least len.
// Macros: ELEMENT (common/element.h)  the type of a and y; EXPONENT  that of b, one of the same names.
// Integers to the power of integers wrap; 0 to a negative power is 0. Other results are rounded.
#include "common/element.h"
#include "common/index.h"
#include "common/functions2.h"

#ifndef EXPONENT
#define EXPONENT float32
#endif
#define EXPONENT_KIND ELEMENT_KIND_OF(EXPONENT)
#define EXPONENT_IS_INTEGER (EXPONENT_KIND <= 4 || EXPONENT_KIND >= 9)

#if EXPONENT_KIND == 1
#define EXPONENT_STORED char
#elif EXPONENT_KIND == 2
#define EXPONENT_STORED short
#elif EXPONENT_KIND == 3
#define EXPONENT_STORED int
#elif EXPONENT_KIND == 4
#define EXPONENT_STORED long
#elif EXPONENT_KIND == 5
#define EXPONENT_STORED half
#elif EXPONENT_KIND == 6 || EXPONENT_KIND == 11
#define EXPONENT_STORED ushort
#elif EXPONENT_KIND == 7
#define EXPONENT_STORED float
#elif EXPONENT_KIND == 8
#define EXPONENT_STORED double
#elif EXPONENT_KIND == 12
#define EXPONENT_STORED uint
#elif EXPONENT_KIND == 13
#define EXPONENT_STORED ulong
#else
#define EXPONENT_STORED uchar
#endif

#if EXPONENT_IS_INTEGER
#define EXPONENT_WIDE long
#elif EXPONENT_KIND == 8
#define EXPONENT_WIDE double
#else
#define EXPONENT_WIDE float
#endif

// What powers that are no integers are computed in.
#if EXPONENT_KIND == 8
#define POWER double
#else
#define POWER REAL
#endif

// What a long cannot hold becomes as odd, and gives the same power.
static inline EXPONENT_WIDE load_exponent(__global const EXPONENT_STORED *b, int index) {
#if EXPONENT_KIND == 5
    return vload_half(index, b);
#elif EXPONENT_KIND == 6
    return as_float((uint)b[index] << 16);
#elif EXPONENT_KIND == 13
    return b[index] > LONG_MAX ? (long)((b[index] & 1) | (LONG_MAX - 1)) : (long)b[index];
#else
    return b[index];
#endif
}

#if IS_INTEGER && EXPONENT_IS_INTEGER

// By squaring; below 0 only 1 and -1 have integer powers.
static inline WIDE raised(WIDE base, long exponent) {
    if (exponent < 0) {
        return base == 1 || is_minus_one(base) ? ((exponent & 1) != 0 ? base : 1) : 0;
    }
    WIDE result = 1;
    WIDE square = base;
    for (long rest = exponent; rest > 0; rest >>= 1) {
        if ((rest & 1) != 0) {
            result = multiply(result, square);
        }
        square = multiply(square, square);
    }
    return result;
}

#elif EXPONENT_IS_INTEGER

// The sign comes from the exponent itself: as a real it may have lost its last bit.
static inline WIDE raised(WIDE base, long exponent) {
    const WIDE size = pow(fabs(base), (WIDE)exponent);
    return (exponent & 1) != 0 ? copysign(size, base) : size;
}

#else

static inline WIDE raised(WIDE base, EXPONENT_WIDE exponent) {
    return rounded((REAL)pow((POWER)base, (POWER)exponent));
}

#endif

__kernel void raise(
        __global const STORED *a,
        __global const EXPONENT_STORED *b,
        __global STORED *y,
        const int len,
        const int8 dims,
        const int8 a_strides,
        const int8 b_strides) {
    const int i = get_global_id(0);
    if (i < len) {
        const WIDE base = load_element(a, strided_offset(i, dims, a_strides));
        store_element(raised(base, load_exponent(b, strided_offset(i, dims, b_strides))), y, i);
    }
}
