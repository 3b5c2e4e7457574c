// Depthwise 2-D convolution (one input and one output channel per group): an item computes 16 columns of
// 4 output rows.
//
// Layout: x, y NCHW, weights [channels, 1, height, width], all dense and used in place; bias may be NULL.
// Assumes: fewer than 2^31 elements in every tensor, at least 32 in x; stride.y == STRIDE.
//          Global size [ceil(out width / 16), ceil(out height / 4), batch * channels].
// Macros: STRIDE (common/runs.h)  horizontal stride, 1 or 2.
#include "common/runs.h"

#define ROWS 4
#define EACH_ROW(do) do(0) do(1) do(2) do(3)
#define DECLARE(r) float16 total##r = start;
#define MULTIPLY_INSIDE(r) total##r += tap * read_run(x, at + r * row_step, (int16)(-1), 0.0f);
// A row outside is masked as a whole and reads the one that is nearest.
#define MULTIPLY_MASKED(r)                                                                      \
    {                                                                                           \
        const int source = in_row + r * stride.x;                                               \
        const int nearest = clamp(source, 0, in_size.x - 1);                                    \
        const int from = plane_at + nearest * in_size.y + in_column;                            \
        total##r += tap * read_run(x, from, nearest == source ? mask : (int16)(0), 0.0f);       \
    }
#define MULTIPLY_GUARDED(r)                                                                     \
    if (in_row + r * stride.x >= 0 && in_row + r * stride.x < in_size.x) {                      \
        total##r += tap * read_run_guarded(x, at + r * row_step, mask, 0.0f);                   \
    }
#define WRITE(r) write_run(total##r, y, y_at + r * out_size.y, count_of(row + r, column, out_size));

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
    const int row = get_global_id(1) * ROWS;
    const int plane = get_global_id(2);
    const int channel = plane % channels;
    const int first_row = row * stride.x - pad_begin.x;
    const int first_column = column * STRIDE - pad_begin.y;
    const int end_row = first_row + (ROWS - 1) * stride.x + (kernel_size.x - 1) * dilation.x + 1;
    const int end_column = first_column + (kernel_size.y - 1) * dilation.y + SPAN;
    const bool inside = first_row >= 0 && end_row <= in_size.x && first_column >= 0 && end_column <= in_size.y;
    const int plane_at = plane * in_size.x * in_size.y;
    const bool safe = plane_at + first_column >= 0 && plane_at + (in_size.x - 1) * in_size.y + end_column <= x_len;
    const int row_step = stride.x * in_size.y;
    const int y_at = (plane * out_size.x + row) * out_size.y + column;
    __global const float *taps = weights + channel * kernel_size.x * kernel_size.y;
    const float16 start = bias ? bias[channel] : 0.0f;
    EACH_ROW(DECLARE)
    for (int ky = 0; ky < kernel_size.x; ++ky) {
        const int in_row = first_row + ky * dilation.x;
        for (int kx = 0; kx < kernel_size.y; ++kx) {
            const int in_column = first_column + kx * dilation.y;
            const int at = plane_at + in_row * in_size.y + in_column;
            const float tap = taps[ky * kernel_size.y + kx];
            if (inside) {
                EACH_ROW(MULTIPLY_INSIDE)
                continue;
            }
            const int16 mask = inside_of(0, in_column, in_size);
            if (safe) {
                EACH_ROW(MULTIPLY_MASKED)
            } else {
                EACH_ROW(MULTIPLY_GUARDED)
            }
        }
    }
    EACH_ROW(WRITE)
}
