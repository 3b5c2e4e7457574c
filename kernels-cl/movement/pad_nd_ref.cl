// y is x with borders: constants, or elements of x found by reflecting, repeating or wrapping around.
//
// Layout: any of up to 8 axes; dims are those of y; before[axis] elements stand in front of x (negative: cut).
//         A constant border has a value per axis and side; where borders cross, that of the last axis stands.
// Assumes: fewer than 2^31 elements; the global size is at least len; x is not empty unless MODE is 0.
// Macros: ELEMENT (common/bits.h); MODE  0 constant, 1 reflect (edge not repeated), 2 symmetric (edge repeated),
//         3 edge, 4 wrap.
#include "common/bits.h"

#ifndef MODE
#define MODE 0
#endif

// Position in [0, size) that supplies position `at`, which may lie outside; -1 or -2 if none does, before or after x.
static inline int source_of(int at, int size) {
#if MODE == 0
    return at < 0 ? -1 : at < size ? at : -2;
#elif MODE == 3
    return clamp(at, 0, size - 1);
#else
    const int period = MODE == 1 ? max(2 * size - 2, 1) : MODE == 2 ? 2 * size : size;
    const int rest = at % period;
    const int folded = rest < 0 ? rest + period : rest;
    return folded < size ? folded : (MODE == 1 ? period : period - 1) - folded;
#endif
}

// From the last axis to the first: the first one found outside gives the constant.
#define PAD_AXIS(s)                                                       \
    {                                                                     \
        const int source = source_of(rest % dims.s - before.s, x_dims.s); \
        if (source < 0 && inside) {                                       \
            real_value = source == -1 ? reals_before.s : reals_after.s;   \
            integer_value = source == -1 ? integers_before.s : integers_after.s; \
        }                                                                 \
        inside = inside && source >= 0;                                   \
        offset += source * stride;                                        \
        rest /= dims.s;                                                   \
        stride *= x_dims.s;                                               \
    }

__kernel void pad(
        __global const BITS *x,
        __global BITS *y,
        const int len,
        const int8 dims,
        const int8 x_dims,
        const int8 before,
        const REAL8 reals_before,
        const REAL8 reals_after,
        const long8 integers_before,
        const long8 integers_after) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    int rest = i;
    int offset = 0;
    int stride = 1;
    bool inside = true;
    REAL real_value = 0;
    long integer_value = 0;
    PAD_AXIS(s7)
    PAD_AXIS(s6)
    PAD_AXIS(s5)
    PAD_AXIS(s4)
    PAD_AXIS(s3)
    PAD_AXIS(s2)
    PAD_AXIS(s1)
    PAD_AXIS(s0)
    if (inside) {
        y[i] = x[offset];
    } else {
        store_element(IS_REAL ? (WIDE)real_value : (WIDE)integer_value, (__global STORED *)y, i);
    }
}
