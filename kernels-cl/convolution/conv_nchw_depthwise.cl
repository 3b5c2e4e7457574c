// Depthwise 2-D convolution (one input and one output channel per group): an item computes a run of 16 output columns.
//
// Layout: x, y NCHW, weights [channels, 1, height, width], all dense and used in place; bias may be NULL.
// Assumes: fewer than 2^31 elements in every tensor, at least 32 in x; stride.y == STRIDE.
//          Global size [ceil(out width / 16), out height, batch * channels].
// Macros: STRIDE (common/runs.h)  horizontal stride, 1 or 2.
#include "common/runs.h"

// Sizes are int2 [height, width].
__kernel void convolution_depthwise(
        __global const float *x,
        __global const float *weights,
        __global const float *bias,
        __global float *y,
        const int x_len,
        const int2 in_size,
        const int2 out_size,
        const int2 kernel_size,
        const int2 stride,
        const int2 dilation,
        const int2 pad_begin,
        const int channels) {
    const int column = get_global_id(0) * 16;
    const int row = get_global_id(1);
    const int plane = get_global_id(2);
    const int channel = plane % channels;
    __global const float *taps = weights + channel * kernel_size.x * kernel_size.y;
    float16 total = bias ? bias[channel] : 0.0f;
    for (int ky = 0; ky < kernel_size.x; ++ky) {
        const int in_row = row * stride.x - pad_begin.x + ky * dilation.x;
        if (in_row < 0 || in_row >= in_size.x) {
            continue;
        }
        for (int kx = 0; kx < kernel_size.y; ++kx) {
            const int in_column = column * STRIDE - pad_begin.y + kx * dilation.y;
            const int16 mask = inside_of(in_row, in_column, in_size);
            const int at = (plane * in_size.x + in_row) * in_size.y + in_column;
            const bool safe = at >= 0 && at + SPAN <= x_len;
            const float16 run = safe ? read_run(x, at, mask) : read_run_guarded(x, at, mask);
            total += taps[ky * kernel_size.y + kx] * run;
        }
    }
    write_run(total, y, (plane * out_size.x + row) * out_size.y + column, count_of(row, column, out_size));
}
