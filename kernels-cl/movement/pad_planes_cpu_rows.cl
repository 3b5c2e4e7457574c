// y is x with borders along its two innermost axes: constants, or elements of x; an item does a band of rows of a plane.
//
// Layout: x and y are [planes, height, width] of float32, dense; int2 [height, width]; before[axis] elements stand in
//         front of x (negative: cut). A constant border has a value per axis and side; in corners that of the width
//         stands.
// Assumes: fewer than 2^31 elements; x is not empty; reflected borders are smaller than the axis, symmetric ones not
//          larger. mode: 0 constant, 1 reflect (edge not repeated), 2 symmetric (edge repeated), 3 edge. Global size
//          [bands, planes].
// Macros: none.

typedef uint PadWords __attribute__((ext_vector_type(16), aligned(4)));

// Position in [0, size) that supplies position `place`, the nearest one for a constant border.
static inline int pad_source(int place, int size, int mode) {
    const int folded = mode == 1 ? (place < 0 ? -place : place >= size ? 2 * size - 2 - place : place)
            : mode == 2 ? (place < 0 ? -1 - place : place >= size ? 2 * size - 1 - place : place) : place;
    return clamp(folded, 0, size - 1);
}

// Columns from `first` up to `last` of a row of y, all left or all right of x; x_column is that of x at `first`.
static inline void pad_side(
        __global const uint *x, int x_column, int width, __global uint *y, int first, int last, int mode, uint border) {
    for (int column = first; column < last; ++column, ++x_column) {
        y[column] = mode ? x[pad_source(x_column, width, mode)] : border;
    }
}

__kernel void pad_planes_cpu_rows(
        __global const uint *x,
        __global uint *y,
        const int mode,
        const int2 x_size,
        const int2 y_size,
        const int2 before,
        const float2 first_border,
        const float2 last_border,
        const int bands) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int end = (int)((long)y_size.s0 * (at.x + 1) / bands);
    const int left = clamp(before.s1, 0, y_size.s1);
    const int right = clamp(before.s1 + x_size.s1, left, y_size.s1);
    for (int y_row = (int)((long)y_size.s0 * at.x / bands); y_row < end; ++y_row) {
        const int row = y_row - before.s0;
        const int is_border = mode == 0 && (row < 0 || row >= x_size.s0);
        const uint border = as_uint(row < 0 ? first_border.s0 : last_border.s0);
        __global const uint *from = x + (at.y * x_size.s0 + pad_source(row, x_size.s0, mode)) * x_size.s1;
        __global uint *to = y + (at.y * y_size.s0 + y_row) * y_size.s1;
        pad_side(from, -before.s1, x_size.s1, to, 0, left, mode, as_uint(first_border.s1));
        pad_side(from, right - before.s1, x_size.s1, to, right, y_size.s1, mode, as_uint(last_border.s1));
        int column = left;
        for (; column + 16 <= right; column += 16) {
            *(__global PadWords *)(to + column) =
                    is_border ? (PadWords)border : *(__global const PadWords *)(from + column - before.s1);
        }
        for (; column < right; ++column) {
            to[column] = is_border ? border : from[column - before.s1];
        }
    }
}
