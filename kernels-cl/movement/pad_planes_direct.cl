// y is x with borders along its two innermost axes: a constant, or elements of x; one element per item.
//
// Layout: x and y are [planes, height, width], dense; int2 [height, width]; before[axis] elements stand in front of x
// (negative: cut).
// Assumes: fewer than 2^31 elements; x is not empty; reflected borders are smaller than the axis, symmetric ones not
//          larger. Global size [width, height, planes] of y.
// Macros: TYPE  an unsigned type as wide as an element;
//         MODE  0 constant, 1 reflect (edge not repeated), 2 symmetric (edge repeated), 3 edge;
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

// Position in [0, size) that supplies position `at`, the nearest one for a constant border.
static inline int source_of(int at, int size) {
#if MODE == 1
    const int folded = at < 0 ? -at : at;
    return folded < size ? folded : 2 * size - 2 - folded;
#elif MODE == 2
    const int folded = at < 0 ? -1 - at : at;
    return folded < size ? folded : 2 * size - 1 - folded;
#else
    return clamp(at, 0, size - 1);
#endif
}

__kernel void pad_planes(
        __global const TYPE *x,
        __global TYPE *y,
        const int2 x_size,
        const int2 before,
        const float real_value,
        const long integer_value) {
    const int column = (int)get_global_id(0) - before.s1;
    const int row = (int)get_global_id(1) - before.s0;
    const int plane = get_global_id(2);
    const int from_row = source_of(row, x_size.s0);
    const int from_column = source_of(column, x_size.s1);
    const TYPE value = x[(plane * x_size.s0 + from_row) * x_size.s1 + from_column];
    const int at = (plane * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
#if MODE != 0
    y[at] = value;
#elif VALUE_REAL
    y[at] = from_row == row && from_column == column ? value : (TYPE)as_uint(real_value);
#else
    y[at] = from_row == row && from_column == column ? value : (TYPE)integer_value;
#endif
}
