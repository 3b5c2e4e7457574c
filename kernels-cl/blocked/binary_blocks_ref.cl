// y = activation(x operation z) for blocked channels, element by element; z may have one pixel for all.
//
// Layout: x is [N, channels / 16, x_size, 16], z and y likewise; `size` rows and columns of x from x_begin on and of z
//         from z_begin on are taken to y from y_begin on, and 0 is put around them. z_step is 1 where z has them all, 0
//         where it has one of each. slope may be NULL where the activation has none; it has `channels` elements, or one
//         where slope_step is 0.
// Assumes: fewer than 2^31 elements in every tensor; `rows` are those of all planes of y. operation: the number of one of
//          BLOCKED_FUNCTIONS_OF_TWO of common/function2_table.h. Global size [items].
// Macros: none.
#include "common/blocks.h"
#include "common/function2_table.h"

#define BINARY_BLOCKS_CASE(NUMBER, NAME, VALUE)                               \
    case NUMBER:                                                              \
        for (int i = 0; i < size.y; ++i) {                                    \
            const float16 a = blocked_load(from + i * 16);                    \
            const float16 b = blocked_load(with + i * z_step * 16);           \
            blocked_store(blocks_bend(VALUE, below, low, high), to + i * 16); \
        }                                                                     \
        break;

__kernel void blocked_binary(
        __global const float *x,
        __global const float *z,
        __global const float *slope,
        __global float *y,
        const int operation,
        const int blocks,
        const int2 x_size,
        const int2 x_begin,
        const int2 z_size,
        const int2 z_begin,
        const int z_step,
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
        const int in_row = row - plane * out_size.x - y_begin.x;
        __global float *to = y + row * out_size.y * 16;
        if (in_row < 0 || in_row >= size.x) {
            blocked_zeros(to, out_size.y);
            continue;
        }
        blocked_zeros(to, y_begin.y);
        to += y_begin.y * 16;
        blocked_zeros(to + size.y * 16, out_size.y - y_begin.y - size.y);
        const float16 below = blocks_slope(activation, alpha, slope, plane % blocks, slope_step, channels);
        const int z_row = z_begin.x + in_row * z_step;
        __global const float *from = x + ((plane * x_size.x + x_begin.x + in_row) * x_size.y + x_begin.y) * 16;
        __global const float *with = z + ((plane * z_size.x + z_row) * z_size.y + z_begin.y) * 16;
        switch (operation) {
            BLOCKED_FUNCTIONS_OF_TWO(BINARY_BLOCKS_CASE)
        }
        blocks_curve(to, size.y, activation);
    }
}
