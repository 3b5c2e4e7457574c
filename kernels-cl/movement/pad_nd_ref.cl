// y is x with borders: a constant, or elements of x found by reflecting, repeating or wrapping around.
//
// Layout: any of up to 8 axes; dims are those of y; before[axis] elements stand in front of x (negative: cut).
// Assumes: fewer than 2^31 elements; the global size is at least len; x is not empty unless MODE is 0.
// Macros: TYPE  an unsigned type as wide as an element;
//         MODE  0 constant, 1 reflect (edge not repeated), 2 symmetric (edge repeated), 3 edge, 4 wrap;
//         VALUE_REAL  1: the constant is the bits of real_value, 0: integer_value.
#ifndef TYPE
#define TYPE uint
#endif
#ifndef MODE
#define MODE 0
#endif
#ifndef VALUE_REAL
#define VALUE_REAL 1
#endif

// Position in [0, size) that supplies position `at`, which may lie outside; -1 if none does.
static inline int source_of(int at, int size) {
#if MODE == 0
    return at >= 0 && at < size ? at : -1;
#elif MODE == 3
    return clamp(at, 0, size - 1);
#else
    const int period = MODE == 1 ? max(2 * size - 2, 1) : MODE == 2 ? 2 * size : size;
    const int rest = at % period;
    const int folded = rest < 0 ? rest + period : rest;
    return folded < size ? folded : (MODE == 1 ? period : period - 1) - folded;
#endif
}

#define PAD_AXIS(s)                                                     \
    {                                                                   \
        const int source = source_of(rest % dims.s - before.s, x_dims.s); \
        inside = inside && source >= 0;                                 \
        offset += source * stride;                                      \
        rest /= dims.s;                                                 \
        stride *= x_dims.s;                                             \
    }

__kernel void pad(
        __global const TYPE *x,
        __global TYPE *y,
        const int len,
        const int8 dims,
        const int8 x_dims,
        const int8 before,
        const float real_value,
        const long integer_value) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    int rest = i;
    int offset = 0;
    int stride = 1;
    bool inside = true;
    PAD_AXIS(s7)
    PAD_AXIS(s6)
    PAD_AXIS(s5)
    PAD_AXIS(s4)
    PAD_AXIS(s3)
    PAD_AXIS(s2)
    PAD_AXIS(s1)
    PAD_AXIS(s0)
#if VALUE_REAL
    const TYPE outside = (TYPE)as_uint(real_value);
#else
    const TYPE outside = (TYPE)integer_value;
#endif
    y[i] = inside ? x[offset] : outside;
}
