// y = activation(x * scale + shift) for blocked channels, with a factor and a term for each channel.
//
// Layout: x is [N, channels / 16, x_size, 16], y [N, channels / 16, out_size, 16]; `size` rows and columns of x from
//         x_begin on are taken to y from y_begin on, and 0 is put around them. scale and shift may be NULL, slope where
//         the activation has none; each has `channels` elements, slope one where slope_step is 0.
// Assumes: fewer than 2^31 elements in every tensor; `rows` are those of all planes of y. Global size [items].
// Macros: none.
#include "common/blocks.h"

__kernel void blocked_scale(
        __global const float *x,
        __global const float *scale,
        __global const float *shift,
        __global const float *slope,
        __global float *y,
        const int blocks,
        const int2 x_size,
        const int2 x_begin,
        const int2 size,
        const int2 out_size,
        const int2 y_begin,
        const int channels,
        const int slope_step,
        const int activation,
        const float alpha,
        const float beta,
        const int rows,
        const int items) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const float low = blocked_low(activation, alpha);
    const float high = blocked_high(activation, beta);
    const int end = blocks_part(rows, at.x + 1, items);
    for (int row = blocks_part(rows, at.x, items); row < end; ++row) {
        const int plane = row / out_size.x;
        const int block = plane % blocks;
        const int in_row = row - plane * out_size.x - y_begin.x;
        __global float *to = y + row * out_size.y * 16;
        if (in_row < 0 || in_row >= size.x) {
            blocked_zeros(to, out_size.y);
            continue;
        }
        blocked_zeros(to, y_begin.y);
        to += y_begin.y * 16;
        blocked_zeros(to + size.y * 16, out_size.y - y_begin.y - size.y);
        const float16 factor = scale ? blocks_coefficient(scale, block, 1, channels) : (float16)1.0f;
        const float16 term = shift ? blocks_coefficient(shift, block, 1, channels) : (float16)0.0f;
        const float16 below = blocks_slope(activation, alpha, slope, block, slope_step, channels);
        __global const float *from = x + ((plane * x_size.x + x_begin.x + in_row) * x_size.y + x_begin.y) * 16;
        for (int i = 0; i < size.y; ++i) {
            blocked_store(
                    blocks_bend(blocked_load(from + i * 16) * factor + term, below, low, high), to + i * 16);
        }
        blocks_curve(to, size.y, activation);
    }
}
