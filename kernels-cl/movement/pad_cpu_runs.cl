// y is x of float32 with borders of one constant along any axes: an item does runs of rows.
//
// Layout: y is dense [dims..., inner], x [x_dims..., x_inner]; before[axis] rows, and inner_before elements of each row,
//         stand in front of those of x (negative: cut).
// Assumes: fewer than 2^31 elements. The elements of y are divided into `items` pieces. Global size [items].
// Macros: none.
#include "common/walk.h"

typedef float PadFloats __attribute__((ext_vector_type(16), aligned(4)));

__attribute__((noinline)) static void pad_fill(float value, __global float *y, int count) {
    int i = 0;
    for (; i + 16 <= count; i += 16) {
        *(__global PadFloats *)(y + i) = (PadFloats)value;
    }
    for (; i < count; ++i) {
        y[i] = value;
    }
}

__attribute__((noinline)) static void pad_copy(__global const float *x, __global float *y, int count) {
    int i = 0;
    for (; i + 16 <= count; i += 16) {
        *(__global PadFloats *)(y + i) = *(__global const PadFloats *)(x + i);
    }
    for (; i < count; ++i) {
        y[i] = x[i];
    }
}

// Number of the row of x that these places of y lie in; -1: none.
static inline int pad_row(const int *places, const int *before, const int *x_dims) {
    int row = 0;
    for (int axis = 0; axis < 8; ++axis) {
        const int place = places[axis] - before[axis];
        if (place < 0 || place >= x_dims[axis]) {
            return -1;
        }
        row = row * x_dims[axis] + place;
    }
    return row;
}

__kernel void pad_cpu_runs(
        __global const float *x,
        __global float *y,
        const int len,
        const int inner,
        const int x_inner,
        const int inner_before,
        const int8 dims,
        const int8 x_dims,
        const int8 before,
        const float border,
        const int items) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int end = (int)((long)len * (at.x + 1) / items);
    int word = (int)((long)len * at.x / items);
    const int *sizes = (const int *)&dims;
    int places[8];
    const int first_row = word / inner;
    int column = word - first_row * inner;
    walk_start(first_row, sizes, places);
    while (word < end) {
        const int last = min(inner, column + end - word);
        const int row = pad_row(places, (const int *)&before, (const int *)&x_dims);
        // columns of y that x has
        const int left = row < 0 ? last : clamp(inner_before, column, last);
        const int right = row < 0 ? last : clamp(inner_before + x_inner, left, last);
        __global float *to = y + word - column;
        pad_fill(border, to + column, left - column);
        if (right > left) {
            pad_copy(x + row * x_inner + left - inner_before, to + left, right - left);
        }
        pad_fill(border, to + right, last - right);
        walk_on(sizes, places);
        word += last - column;
        column = 0;
    }
}
