// Transposed convolution by register tiles: an item computes CHANNELS output channels of 3 rows, in each of them 16 columns
// of PHASES neighbouring residues of the stride. Columns of one residue see neighbouring inputs.
//
// Layout: x, residual, y NCDHW; weights with strides [out channel of a group, in channel, tap, group]; bias may be NULL.
// Assumes: fewer than 2^31 elements in every tensor. Global size [stride.z / PHASES * ceil(out width / stride.z / 16),
//          stride.y * ceil(out height / stride.y / 3), batch * groups * ceil(channels of a group / CHANNELS) * out depth].
// Macros: PHASES  1 or stride.z == 2; CHANNELS  8 or 1 to 4, at most 8 / PHASES; CHANNEL_BLOCK  input channels per pass over
//         the kernel; ACTIVATION, RESIDUAL (common/epilogue.h).
#include "common/runs.h"
#include "common/epilogue_spread.h"
#include "common/taps.h"

#ifndef PHASES
#define PHASES 1
#endif
#ifndef CHANNELS
#define CHANNELS 8
#endif
// planes that are a power of two apart share few places of the first cache: not more than one way each
#ifndef CHANNEL_BLOCK
#define CHANNEL_BLOCK 8
#endif

#define ROWS 3
#if CHANNELS == 1
#define EACH_CHANNEL(do, phase) do(0, phase)
#elif CHANNELS == 2
#define EACH_CHANNEL(do, phase) do(0, phase) do(1, phase)
#elif CHANNELS == 3
#define EACH_CHANNEL(do, phase) do(0, phase) do(1, phase) do(2, phase)
#elif CHANNELS == 4
#define EACH_CHANNEL(do, phase) do(0, phase) do(1, phase) do(2, phase) do(3, phase)
#else
#define EACH_CHANNEL(do, phase)                                                             \
    do(0, phase) do(1, phase) do(2, phase) do(3, phase) do(4, phase) do(5, phase) do(6, phase) do(7, phase)
#endif

#define DECLARE(o, phase)                                                                   \
    float16 a##phase##o = bias ? bias[first + min(o, last)] : 0.0f;                         \
    float16 b##phase##o = a##phase##o;                                                      \
    float16 c##phase##o = a##phase##o;
#define MULTIPLY(o, phase)                                                                  \
    {                                                                                       \
        const float16 weight = tap_weights[min(o, last) * w_strides.s0];                    \
        a##phase##o += weight * run_a;                                                      \
        b##phase##o += weight * run_b;                                                      \
        c##phase##o += weight * run_c;                                                      \
    }
// Input channels up to `end` of one tap.
#define ACCUMULATE(read, end, phase)                                                        \
    for (; channel < end; ++channel) {                                                      \
        const float16 run_a = read(x, at, mask_a, 0.0f);                                    \
        const float16 run_b = read(x, at + in_size.y, mask_b, 0.0f);                        \
        const float16 run_c = read(x, at + 2 * in_size.y, mask_c, 0.0f);                    \
        EACH_CHANNEL(MULTIPLY, phase)                                                       \
        at += x_channel;                                                                    \
        tap_weights += w_strides.s1;                                                        \
    }
// The taps of one kernel row that reach a residue. Channels before `below` and from `safe_end` on are read lane by lane.
#define KERNEL_ROW(phase)                                                                   \
    int column##phase = columns##phase.source;                                              \
    for (int kx = columns##phase.first; kx < columns##phase.end; kx += columns##phase.step) { \
        const int16 mask_a = inside_of(row, column##phase, in_size);                        \
        const int16 mask_b = inside_of(row + 1, column##phase, in_size);                    \
        const int16 mask_c = inside_of(row + 2, column##phase, in_size);                    \
        int at = slice_at + row * in_size.y + column##phase;                                \
        const int below = at < 0 ? min((x_channel - 1 - at) / x_channel, channels) : 0;     \
        const int excess = at + (channels - 1) * x_channel + 2 * in_size.y + SPAN - x_len;  \
        const int above = excess > 0 ? min((x_channel - 1 + excess) / x_channel, channels) : 0; \
        const int safe_end = max(channels - above, below);                                  \
        __global const float *tap_weights = row_weights + kx * w_strides.s2;                \
        int channel = 0;                                                                    \
        for (int part = 0; part < 2; ++part) {                                              \
            ACCUMULATE(read_run_guarded, (part == 0 ? below : channels), phase)             \
            ACCUMULATE(read_run, safe_end, phase)                                           \
        }                                                                                   \
        column##phase -= columns##phase.source_step;                                        \
    }

#if PHASES == 2
#define WRITE_ROW(o, row, step)                                                             \
    finish_pair(row##0##o, row##1##o, residual, factor, alpha, beta, y, to + step * y_step, count_##row);
#else
#define WRITE_ROW(o, row, step)                                                             \
    finish_spread(row##0##o, residual, factor, alpha, beta, y, to + step * y_step, stride.z, count_##row);
#endif
#define WRITE(o, phase)                                                                     \
    if (o <= last) {                                                                        \
        const float16 factor = ACTIVATION_KIND == FUNCTION_PRELU ? slope[(first + o) * slope_step] : 0.0f; \
        const int to = y_at + o * y_channel;                                                \
        WRITE_ROW(o, a, 0)                                                                  \
        WRITE_ROW(o, b, 1)                                                                  \
        WRITE_ROW(o, c, 2)                                                                  \
    }

// Sizes are int4 [depth, height, width, 0].
__kernel void convolution_transposed_tile(
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
        const int groups,
        const int group_in,
        const int group_out,
        const int4 w_strides) {
    const int2 in_size = in_volume.yz;
    const int2 out_size = out_volume.yz;
    const int residues = stride.z / PHASES;
    const int out_column = get_global_id(0) / residues * 16 * stride.z + get_global_id(0) % residues;
    const int out_row = get_global_id(1) / stride.y * ROWS * stride.y + get_global_id(1) % stride.y;
    const int out_slice = get_global_id(2) % out_volume.x;
    const int block_of_channels = get_global_id(2) / out_volume.x;
    const int tiles = (group_out + CHANNELS - 1) / CHANNELS;
    const int group_tile = block_of_channels % tiles * CHANNELS;
    const int group = block_of_channels / tiles % groups;
    const int image = block_of_channels / tiles / groups;
    const int first = group * group_out + group_tile;
    const int last = min(group_out - group_tile, CHANNELS) - 1;
    const int x_plane = in_size.x * in_size.y;
    const int x_channel = in_volume.x * x_plane;
    const int y_channel = out_volume.x * out_size.x * out_size.y;
    const int y_step = stride.y * out_size.y;
    if (out_row >= out_size.x || out_column >= out_size.y) {
        return;
    }
    __global const float *group_weights = weights + group * w_strides.s3 + group_tile * w_strides.s0;
    const Taps slices = taps_to(
            out_slice + pad_begin.x, 1, in_volume.x, kernel_size.x, stride.x, dilation.x);
    const Taps rows = taps_to(out_row + pad_begin.y, ROWS, in_size.x, kernel_size.y, stride.y, dilation.y);
    const Taps columns0 = taps_to(out_column + pad_begin.z, 16, in_size.y, kernel_size.z, stride.z, dilation.z);
    EACH_CHANNEL(DECLARE, 0)
#if PHASES == 2
    const Taps columns1 = taps_to(out_column + 1 + pad_begin.z, 16, in_size.y, kernel_size.z, stride.z, dilation.z);
    EACH_CHANNEL(DECLARE, 1)
#endif

    for (int block = 0; block < group_in; block += CHANNEL_BLOCK) {
        const int channels = min(group_in - block, CHANNEL_BLOCK);
        const int block_at = ((image * groups + group) * group_in + block) * x_channel;
        int slice = slices.source;
        for (int kz = slices.first; kz < slices.end; kz += slices.step) {
            const int slice_at = block_at + slice * x_plane;
            int row = rows.source;
            for (int ky = rows.first; ky < rows.end; ky += rows.step) {
                const int first_tap = (kz * kernel_size.y + ky) * kernel_size.z;
                __global const float *row_weights = group_weights + block * w_strides.s1 + first_tap * w_strides.s2;
                KERNEL_ROW(0)
#if PHASES == 2
                KERNEL_ROW(1)
#endif
                row -= rows.source_step;
            }
            slice -= slices.source_step;
        }
    }

    const int count_a = out_size.y - out_column;
    const int count_b = out_row + stride.y < out_size.x ? count_a : 0;
    const int count_c = out_row + 2 * stride.y < out_size.x ? count_a : 0;
    const int y_at = (image * groups * group_out + first) * y_channel
            + (out_slice * out_size.x + out_row) * out_size.y + out_column;
    EACH_CHANNEL(WRITE, 0)
}
