// Depthwise convolution (one input channel per group): an item computes 16 columns of ROWS output rows.
//
// Layout: x, residual, y NCDHW, dense; weights with strides [out channel of a group, tap, group]; all used in place. bias
// may be NULL, residual and slope where the macros do not ask for them; slope has one element for all output channels
// (slope_step == 0) or for each (1).
// Assumes: fewer than 2^31 elements in every tensor, at least 32 in x; stride.z == STRIDE; `multiplier` output channels
//          per group. Global size [ceil(out width / 16), ceil(out height / ROWS), batch * output channels * out depth].
// Macros: STRIDE (common/runs.h)  horizontal stride, 1 or 2; ROWS  1 or 4; ACTIVATION, RESIDUAL (common/epilogue.h).
#include "common/runs.h"
#include "common/epilogue_runs.h"

#ifndef ROWS
#define ROWS 4
#endif

#if ROWS == 4
#define EACH_ROW(do) do(0) do(1) do(2) do(3)
#else
#define EACH_ROW(do) do(0)
#endif
#define DECLARE(r) float16 total##r = start;
#define MULTIPLY_INSIDE(r) total##r += tap * read_run(x, at + r * row_step, (int16)(-1), 0.0f);
// A row outside is masked as a whole and reads the one that is nearest.
#define MULTIPLY_MASKED(r)                                                                      \
    {                                                                                           \
        const int source = in_row + r * stride.y;                                               \
        const int nearest = clamp(source, 0, in_size.x - 1);                                    \
        const int from = plane_at + nearest * in_size.y + in_column;                            \
        total##r += tap * read_run(x, from, nearest == source ? mask : (int16)(0), 0.0f);       \
    }
#define MULTIPLY_GUARDED(r)                                                                     \
    if (in_row + r * stride.y >= 0 && in_row + r * stride.y < in_size.x) {                      \
        total##r += tap * read_run_guarded(x, at + r * row_step, mask, 0.0f);                   \
    }
#define WRITE(r)                                                                                \
    finish_run(                                                                                 \
            total##r, residual, factor, alpha, beta, y, y_at + r * out_size.y, count_of(row + r, column, out_size));

// Sizes are int4 [depth, height, width, 0].
__kernel void convolution_depthwise(
        __global const float *x,
        __global const float *weights,
        __global const float *bias,
        __global const float *residual,
        __global const float *slope,
        __global float *y,
        const int slope_step,
        const float alpha,
        const float beta,
        const int x_len,
        const int4 in_volume,
        const int4 out_volume,
        const int4 kernel_size,
        const int4 stride,
        const int4 dilation,
        const int4 pad_begin,
        const int channels,
        const int multiplier,
        const int4 w_strides) {
    const int2 in_size = in_volume.yz;
    const int2 out_size = out_volume.yz;
    const int column = get_global_id(0) * 16;
    const int row = get_global_id(1) * ROWS;
    const int slice = get_global_id(2) % out_volume.x;
    const int plane = get_global_id(2) / out_volume.x;
    const int out_channel = plane % (channels * multiplier);
    const int group = plane / multiplier;
    const int first_slice = slice * stride.x - pad_begin.x;
    const int first_row = row * stride.y - pad_begin.y;
    const int first_column = column * STRIDE - pad_begin.z;
    const int end_row = first_row + (ROWS - 1) * stride.y + (kernel_size.y - 1) * dilation.y + 1;
    const int end_column = first_column + (kernel_size.z - 1) * dilation.z + SPAN;
    const bool inside = first_row >= 0 && end_row <= in_size.x && first_column >= 0 && end_column <= in_size.y;
    const int row_step = stride.y * in_size.y;
    __global const float *taps =
            weights + out_channel % multiplier * w_strides.s0 + out_channel / multiplier * w_strides.s2;
    const float16 start = bias ? bias[out_channel] : 0.0f;
    EACH_ROW(DECLARE)
    for (int kz = 0; kz < kernel_size.x; ++kz) {
        const int z = first_slice + kz * dilation.x;
        if (z < 0 || z >= in_volume.x) {
            continue;
        }
        const int plane_at = (group * in_volume.x + z) * in_size.x * in_size.y;
        const bool safe =
                plane_at + first_column >= 0 && plane_at + (in_size.x - 1) * in_size.y + end_column <= x_len;
        for (int ky = 0; ky < kernel_size.y; ++ky) {
            const int in_row = first_row + ky * dilation.y;
            for (int kx = 0; kx < kernel_size.z; ++kx) {
                const int in_column = first_column + kx * dilation.z;
                const int at = plane_at + in_row * in_size.y + in_column;
                const float tap = taps[((kz * kernel_size.y + ky) * kernel_size.z + kx) * w_strides.s1];
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
    }
    const float16 factor = ACTIVATION_KIND == ACTIVATION_KIND_PRELU ? slope[out_channel * slope_step] : 0.0f;
    const int y_at = ((plane * out_volume.x + slice) * out_size.x + row) * out_size.y + column;
    EACH_ROW(WRITE)
}
