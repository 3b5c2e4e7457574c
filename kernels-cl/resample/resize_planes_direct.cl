// Resamples the two innermost axes, or one of them, of a tensor: one element per item.
//
// Layout: x and y are [planes, height, width], dense; sizes are int2 [height, width], scales float2 alike.
// Assumes: fewer than 2^31 elements; coordinates is not 5; an axis of scale 1 and equal sizes is copied
//          (as the mean of TAPS times the same element, so that an infinite one stays).
//          Global size [width, height, planes] of y.
// coordinates, nearest: kinds as in common/resample_kinds.h; excludes: cubic taps outside x weigh nothing.
// Macros: TAPS (common/resample.h).
#include "common/resample.h"

static inline void axis_taps(int at, int size, int x_size, float scale, int coordinates, int nearest,
        int excludes, float cubic_a, int *places, float *weights) {
    find_taps(resample_coordinate(at, size, x_size, scale, coordinates, 0.0f, 1.0f), scale, x_size, nearest, excludes,
            cubic_a, places, weights);
    if (size == x_size && scale == 1.0f) {
        for (int tap = 0; tap < TAPS; ++tap) {
            places[tap] = at;
            weights[tap] = 1.0f / TAPS;
        }
    }
}

__kernel void resize_planes(
        __global const float *x,
        __global float *y,
        const int2 size,
        const int2 x_size,
        const float2 scale,
        const int coordinates,
        const int nearest,
        const int excludes,
        const float cubic_a) {
    const int column = get_global_id(0);
    const int row = get_global_id(1);
    const int plane = get_global_id(2);
    int rows[TAPS], columns[TAPS];
    float row_weights[TAPS], column_weights[TAPS];
    axis_taps(row, size.s0, x_size.s0, scale.s0, coordinates, nearest, excludes, cubic_a, rows, row_weights);
    axis_taps(column, size.s1, x_size.s1, scale.s1, coordinates, nearest, excludes, cubic_a, columns, column_weights);
    __global const float *values = x + plane * x_size.s0 * x_size.s1;
    float total = 0.0f;
#pragma unroll
    for (int tap = 0; tap < TAPS; ++tap) {
        __global const float *line = values + rows[tap] * x_size.s1;
        float sum = 0.0f;
#pragma unroll
        for (int across = 0; across < TAPS; ++across) {
            sum += column_weights[across] * line[columns[across]];
        }
        total += row_weights[tap] * sum;
    }
    y[(plane * size.s0 + row) * size.s1 + column] = total;
}
