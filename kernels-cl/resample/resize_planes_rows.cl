// Resamples the two innermost axes, or one of them, of a tensor, nearest or linear, by rows: an item computes a band of
// rows of one plane.
//
// Layout: x and y are [planes, height, width], dense; sizes are int2 [height, width], scales float2 alike.
// Assumes: fewer than 2^31 elements; x is not empty; kinds as in common/resample_kinds.h. Global size [bands, planes].
// Macros: none.
#include "common/resample_kinds.h"

// Columns whose taps are found at a time.
#define RESIZE_COLUMNS 64

__attribute__((noinline)) static void resize_row_nearest(
        __global const float *x, __global float *y, const int *places, int count) {
    for (int i = 0; i < count; ++i) {
        y[i] = x[places[i]];
    }
}

// The weighted sum of two rows of x, each of two columns.
__attribute__((noinline)) static void resize_row_linear(
        __global const float *upper, __global const float *lower, float2 row_weights, __global float *y,
        const ResampleTap *taps, int count) {
    for (int i = 0; i < count; ++i) {
        const ResampleTap tap = taps[i];
        const float above = tap.weights.s0 * upper[tap.places.s0] + tap.weights.s1 * upper[tap.places.s1];
        const float below = tap.weights.s0 * lower[tap.places.s0] + tap.weights.s1 * lower[tap.places.s1];
        y[i] = row_weights.s0 * above + row_weights.s1 * below;
    }
}

static void resize_planes_rows_item(
        __global const float *x,
        __global float *y,
        const int linear,
        const int coordinates,
        const int nearest,
        const int2 size,
        const int2 x_size,
        const float2 scale,
        const int bands,
        const int3 at) {
    const int first = (int)((long)size.s0 * at.x / bands);
    const int last = (int)((long)size.s0 * (at.x + 1) / bands);
    __global const float *plane = x + at.y * x_size.s0 * x_size.s1;
    for (int column = 0; column < size.s1; column += RESIZE_COLUMNS) {
        const int count = min(size.s1 - column, RESIZE_COLUMNS);
        ResampleTap taps[RESIZE_COLUMNS];
        int places[RESIZE_COLUMNS];
        for (int i = 0; i < count; ++i) {
            taps[i] = resample_tap(column + i, size.s1, x_size.s1, scale.s1, linear, coordinates, nearest);
            places[i] = taps[i].places.s0;
        }
        for (int row = first; row < last; ++row) {
            const ResampleTap tap =
                    resample_tap(row, size.s0, x_size.s0, scale.s0, linear, coordinates, nearest);
            __global const float *upper = plane + tap.places.s0 * x_size.s1;
            __global float *to = y + (at.y * size.s0 + row) * size.s1 + column;
            if (linear) {
                resize_row_linear(upper, plane + tap.places.s1 * x_size.s1, tap.weights, to, taps, count);
            } else {
                resize_row_nearest(upper, to, places, count);
            }
        }
    }
}

__kernel void resize_planes_rows(
        __global const float *x,
        __global float *y,
        const int linear,
        const int coordinates,
        const int nearest,
        const int2 size,
        const int2 x_size,
        const float2 scale,
        const int bands) {
    resize_planes_rows_item(x, y, linear, coordinates, nearest, size, x_size, scale, bands,
            (int3)(get_global_id(0), get_global_id(1), get_global_id(2)));
}
