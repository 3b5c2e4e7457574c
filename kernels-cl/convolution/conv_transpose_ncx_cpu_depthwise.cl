// Depthwise transposed convolution (one input channel per group): an item computes 4 rows, in each of them 16 columns of
// PHASES neighbouring residues of the stride. Columns of one residue see neighbouring inputs.
//
// Layout: x, residual, y NCDHW; weights with strides [out channel of a group, tap, group]; bias may be NULL.
// Assumes: fewer than 2^31 elements in every tensor; `multiplier` output channels per group. Global size [stride.z / PHASES
//          * ceil(out width / stride.z / 16), stride.y * ceil(out height / stride.y / 4), batch * out channels * depth].
// Macros: PHASES  1 or stride.z == 2; ACTIVATION, RESIDUAL (common/epilogue.h).
#include "common/runs.h"
#include "common/epilogue_spread.h"
#include "common/taps.h"

#ifndef PHASES
#define PHASES 1
#endif

#define ROWS 4
#define EACH_ROW(do, phase) do(0, phase) do(1, phase) do(2, phase) do(3, phase)
#define DECLARE(r, phase) float16 total##phase##r = start;
#define MULTIPLY_INSIDE(r, phase) total##phase##r += tap * read_run(x, at + r * in_size.y, (int16)(-1), 0.0f);
// A row outside is masked as a whole and reads the one that is nearest.
#define MULTIPLY_MASKED(r, phase)                                                               \
    {                                                                                           \
        const int nearest = clamp(row + r, 0, in_size.x - 1);                                   \
        const int from = plane_at + nearest * in_size.y + column;                               \
        total##phase##r += tap * read_run(x, from, nearest == row + r ? mask : (int16)(0), 0.0f); \
    }
#define MULTIPLY_GUARDED(r, phase)                                                              \
    if (row + r >= 0 && row + r < in_size.x) {                                                  \
        total##phase##r += tap * read_run_guarded(x, at + r * in_size.y, mask, 0.0f);           \
    }
// The taps of one kernel row that reach a residue.
#define KERNEL_ROW(phase)                                                                       \
    {                                                                                           \
        int column = columns##phase.source;                                                     \
        for (int kx = columns##phase.first; kx < columns##phase.end; kx += columns##phase.step) { \
            const int at = plane_at + row * in_size.y + column;                                 \
            const float tap = row_weights[kx * w_strides.s1];                                   \
            const bool inside = rows_inside && column >= 0 && column + SPAN <= in_size.y;       \
            const int16 mask = inside_of(0, column, in_size);                                   \
            if (inside) {                                                                       \
                EACH_ROW(MULTIPLY_INSIDE, phase)                                                \
            } else if (plane_at + column >= 0 && plane_at + x_plane - in_size.y + column + SPAN <= x_len) { \
                EACH_ROW(MULTIPLY_MASKED, phase)                                                \
            } else {                                                                            \
                EACH_ROW(MULTIPLY_GUARDED, phase)                                               \
            }                                                                                   \
            column -= columns##phase.source_step;                                               \
        }                                                                                       \
    }
#if PHASES == 2
#define WRITE(r, phase)                                                                         \
    if (out_row + r * stride.y < out_size.x) {                                                  \
        finish_pair(total0##r, total1##r, residual, factor, alpha, beta, y, y_at + r * y_step, count); \
    }
#else
#define WRITE(r, phase)                                                                         \
    if (out_row + r * stride.y < out_size.x) {                                                  \
        finish_spread(total0##r, residual, factor, alpha, beta, y, y_at + r * y_step, stride.z, count); \
    }
#endif

// Sizes are int4 [depth, height, width, 0].
__kernel void convolution_transposed_depthwise(
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
    const int residues = stride.z / PHASES;
    const int out_column = get_global_id(0) / residues * 16 * stride.z + get_global_id(0) % residues;
    const int out_row = get_global_id(1) / stride.y * ROWS * stride.y + get_global_id(1) % stride.y;
    const int out_slice = get_global_id(2) % out_volume.x;
    const int plane = get_global_id(2) / out_volume.x;
    const int out_channel = plane % (channels * multiplier);
    const int x_plane = in_size.x * in_size.y;
    const int y_step = stride.y * out_size.y;
    if (out_row >= out_size.x || out_column >= out_size.y) {
        return;
    }
    __global const float *taps =
            weights + out_channel % multiplier * w_strides.s0 + out_channel / multiplier * w_strides.s2;
    const Taps slices = taps_to(
            out_slice + pad_begin.x, 1, in_volume.x, kernel_size.x, stride.x, dilation.x);
    const Taps rows = taps_to(out_row + pad_begin.y, ROWS, in_size.x, kernel_size.y, stride.y, dilation.y);
    const Taps columns0 = taps_to(out_column + pad_begin.z, 16, in_size.y, kernel_size.z, stride.z, dilation.z);
    const float16 start = bias ? bias[out_channel] : 0.0f;
    EACH_ROW(DECLARE, 0)
#if PHASES == 2
    const Taps columns1 = taps_to(out_column + 1 + pad_begin.z, 16, in_size.y, kernel_size.z, stride.z, dilation.z);
    EACH_ROW(DECLARE, 1)
#endif

    int slice = slices.source;
    for (int kz = slices.first; kz < slices.end; kz += slices.step) {
        const int plane_at = (plane / multiplier * in_volume.x + slice) * x_plane;
        int row = rows.source;
        for (int ky = rows.first; ky < rows.end; ky += rows.step) {
            const bool rows_inside = row >= 0 && row + ROWS <= in_size.x;
            __global const float *row_weights =
                    taps + (kz * kernel_size.y + ky) * kernel_size.z * w_strides.s1;
            KERNEL_ROW(0)
#if PHASES == 2
            KERNEL_ROW(1)
#endif
            row -= rows.source_step;
        }
        slice -= slices.source_step;
    }

    const float16 factor = ACTIVATION_KIND == FUNCTION_PRELU ? slope[out_channel * slope_step] : 0.0f;
    const int count = out_size.y - out_column;
    const int y_at = ((plane * out_volume.x + out_slice) * out_size.x + out_row) * out_size.y + out_column;
    EACH_ROW(WRITE, 0)
}
