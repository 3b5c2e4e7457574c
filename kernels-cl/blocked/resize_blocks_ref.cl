// Resamples rows and columns of blocked channels, nearest or linear.
//
// Layout: x is [N, channels / 16, x_size, 16], of which `size` rows and columns from x_begin on are resampled; y is
//         [N, channels / 16, out_size, 16], with the `resized` rows and columns from y_begin on and 0 around them.
// Assumes: fewer than 2^31 elements in every tensor; `rows` are those of all planes of y; kinds as in
//          common/resample_kinds.h. Global size [items].
// Macros: none.
#include "common/blocks.h"
#include "common/resample_kinds.h"

// Columns whose taps are found at a time.
#define RESIZE_BLOCKS_COLUMNS 64

__attribute__((noinline)) static void resize_blocks_nearest(
        __global const float *x, __global float *y, const ResampleTap *taps, int count) {
    for (int i = 0; i < count; ++i) {
        blocked_store(blocked_load(x + taps[i].places.s0 * 16), y + i * 16);
    }
}

// The weighted sum of two rows of x, each of two columns.
__attribute__((noinline)) static void resize_blocks_linear(
        __global const float *upper, __global const float *lower, float2 weights, __global float *y,
        const ResampleTap *taps, int count) {
    for (int i = 0; i < count; ++i) {
        const ResampleTap tap = taps[i];
        const int left = tap.places.s0 * 16;
        const int right = tap.places.s1 * 16;
        const float16 above = tap.weights.s0 * blocked_load(upper + left) + tap.weights.s1 * blocked_load(upper + right);
        const float16 below = tap.weights.s0 * blocked_load(lower + left) + tap.weights.s1 * blocked_load(lower + right);
        blocked_store(weights.s0 * above + weights.s1 * below, y + i * 16);
    }
}

__kernel void blocked_resize(
        __global const float *x,
        __global float *y,
        const int linear,
        const int coordinates,
        const int nearest,
        const float2 scale,
        const int2 x_size,
        const int2 x_begin,
        const int2 size,
        const int2 resized,
        const int2 out_size,
        const int2 y_begin,
        const int rows,
        const int items) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int first = blocks_part(rows, at.x, items);
    const int end = blocks_part(rows, at.x + 1, items);
    for (int column = 0; column < resized.y; column += RESIZE_BLOCKS_COLUMNS) {
        const int count = min(resized.y - column, RESIZE_BLOCKS_COLUMNS);
        ResampleTap taps[RESIZE_BLOCKS_COLUMNS];
        for (int i = 0; i < count; ++i) {
            taps[i] = resample_tap(column + i, resized.y, size.y, scale.s1, linear, coordinates, nearest);
        }
        for (int row = first; row < end; ++row) {
            const int plane = row / out_size.x;
            const int inner = row - plane * out_size.x - y_begin.x;
            __global float *to = y + row * out_size.y * 16;
            if (inner < 0 || inner >= resized.x) {
                blocked_zeros(to, column == 0 ? out_size.y : 0);
                continue;
            }
            if (column == 0) {
                blocked_zeros(to, y_begin.y);
                blocked_zeros(to + (y_begin.y + resized.y) * 16, out_size.y - y_begin.y - resized.y);
            }
            const ResampleTap tap = resample_tap(inner, resized.x, size.x, scale.s0, linear, coordinates, nearest);
            __global const float *from = x + ((plane * x_size.x + x_begin.x) * x_size.y + x_begin.y) * 16;
            __global const float *upper = from + tap.places.s0 * x_size.y * 16;
            to += (y_begin.y + column) * 16;
            if (linear) {
                resize_blocks_linear(
                        upper, from + tap.places.s1 * x_size.y * 16, tap.weights, to, taps, count);
            } else {
                resize_blocks_nearest(upper, to, taps, count);
            }
        }
    }
}
