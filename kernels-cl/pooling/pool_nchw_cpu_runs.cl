// Maximum or mean over a sliding 2-D window: an item computes a run of 16 output columns.
//
// Layout: x [batch * channels, height, width], y alike.
// Assumes: fewer than 2^31 elements, at least 32 in x; stride.y == STRIDE. Padding never wins the maximum; with
//          count_padding it counts in the divisor of the mean, but cells beyond pad_end never do.
//          Global size [ceil(out width / 16), out height, batch * channels]; sizes are int2 [height, width].
// Macros: STRIDE (common/runs.h)  horizontal stride, 1 or 2.
#include "common/runs.h"

static inline float16 read_any(__global const float *x, int x_len, int at, int16 mask, float outside) {
    return at >= 0 && at + SPAN <= x_len ? read_run(x, at, mask, outside) : read_run_guarded(x, at, mask, outside);
}

__kernel void max_pool_runs(
        __global const float *x,
        __global float *y,
        const int x_len,
        const int2 in_size,
        const int2 out_size,
        const int2 kernel_size,
        const int2 stride,
        const int2 dilation,
        const int2 pad_begin) {
    const int column = get_global_id(0) * 16;
    const int row = get_global_id(1);
    const int plane = get_global_id(2);
    float16 best = -INFINITY;
    for (int ky = 0; ky < kernel_size.x; ++ky) {
        const int in_row = row * stride.x - pad_begin.x + ky * dilation.x;
        for (int kx = 0; kx < kernel_size.y && in_row >= 0 && in_row < in_size.x; ++kx) {
            const int in_column = column * STRIDE - pad_begin.y + kx * dilation.y;
            const int16 mask = inside_of(in_row, in_column, in_size);
            const int at = (plane * in_size.x + in_row) * in_size.y + in_column;
            const float16 run = read_any(x, x_len, at, mask, -INFINITY);
            best = select(run, best, best >= run || isnan(best));
        }
    }
    write_run(best, y, (plane * out_size.x + row) * out_size.y + column, count_of(row, column, out_size));
}

__kernel void avg_pool_runs(
        __global const float *x,
        __global float *y,
        const int x_len,
        const int2 in_size,
        const int2 out_size,
        const int2 kernel_size,
        const int2 stride,
        const int2 dilation,
        const int2 pad_begin,
        const int2 pad_end,
        const int count_padding) {
    const int column = get_global_id(0) * 16;
    const int row = get_global_id(1);
    const int plane = get_global_id(2);
    float16 total = 0.0f;
    int16 cells = 0;
    for (int ky = 0; ky < kernel_size.x; ++ky) {
        const int in_row = row * stride.x - pad_begin.x + ky * dilation.x;
        const bool inside = in_row >= 0 && in_row < in_size.x;
        const bool counted = count_padding ? in_row < in_size.x + pad_end.x : inside;
        for (int kx = 0; kx < kernel_size.y && counted; ++kx) {
            const int in_column = column * STRIDE - pad_begin.y + kx * dilation.y;
            const int16 mask = inside_of(in_row, in_column, in_size);
            cells -= count_padding ? in_column + LANES * STRIDE < in_size.y + pad_end.y : mask;
            if (inside) {
                const int at = (plane * in_size.x + in_row) * in_size.y + in_column;
                total += read_any(x, x_len, at, mask, 0.0f);
            }
        }
    }
    const float16 mean = total / convert_float16(max(cells, (int16)1));
    write_run(mean, y, (plane * out_size.x + row) * out_size.y + column, count_of(row, column, out_size));
}
