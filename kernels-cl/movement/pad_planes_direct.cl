// y is x with borders along its two innermost axes: constants, or elements of x; one element per item.
//
// Layout: x and y are [planes, height, width], dense; int2 [height, width]; before[axis] elements stand in front of x
//         (negative: cut). A constant border has a value per axis and side; in corners that of the width stands.
// Assumes: fewer than 2^31 elements; x is not empty; reflected borders are smaller than the axis, symmetric ones not
//          larger. Global size [width, height, planes] of y.
// Macros: ELEMENT (common/bits.h); MODE  0 constant, 1 reflect (edge not repeated), 2 symmetric (edge repeated), 3 edge.
#include "common/bits.h"

#ifndef MODE
#define MODE 0
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

#define SIDE(before, after) \
    (column < 0 ? before.s1 : column >= x_size.s1 ? after.s1 : row < 0 ? before.s0 : after.s0)

__kernel void pad_planes(
        __global const BITS *x,
        __global BITS *y,
        const int2 x_size,
        const int2 before,
        const REAL2 reals_before,
        const REAL2 reals_after,
        const long2 integers_before,
        const long2 integers_after) {
    const int column = (int)get_global_id(0) - before.s1;
    const int row = (int)get_global_id(1) - before.s0;
    const int plane = get_global_id(2);
    const int from_row = source_of(row, x_size.s0);
    const int from_column = source_of(column, x_size.s1);
    const BITS value = x[(plane * x_size.s0 + from_row) * x_size.s1 + from_column];
    const int at = (plane * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
#if MODE != 0
    y[at] = value;
#else
    if (from_row == row && from_column == column) {
        y[at] = value;
        return;
    }
#if IS_REAL
    const REAL border = SIDE(reals_before, reals_after);
#else
    const long border = SIDE(integers_before, integers_after);
#endif
    store_element(border, (__global STORED *)y, at);
#endif
}
