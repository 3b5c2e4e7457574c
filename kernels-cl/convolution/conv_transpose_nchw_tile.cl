// 2-D transposed convolution by register tiles: an item computes 8 / PHASES output channels of 3 rows, in each of them
// 16 columns of PHASES neighbouring residues of the stride. Columns of one residue see neighbouring inputs.
//
// Layout: x, y NCHW, weights [in channels, out channels / groups, height, width], used in place; bias may be NULL.
// Assumes: fewer than 2^31 elements in every tensor; PHASES is 1 or stride.y; pad_begin is cut from the full result and
//          may be negative. Global size [stride.y / PHASES * ceil(out width / stride.y / 16),
//          stride.x * ceil(out height / stride.x / 3), batch * groups * ceil(channels of a group * PHASES / 8)].
// Macros: PHASES  residues per item, 1 or 2; CHANNEL_BLOCK  input channels per pass over the kernel.
#include "common/runs.h"

#ifndef PHASES
#define PHASES 1
#endif
#ifndef CHANNEL_BLOCK
#define CHANNEL_BLOCK 16
#endif

#define ROWS 3
#define CHANNELS (8 / PHASES)
#if PHASES == 2
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
        const float16 weight = tap_weights[min(o, last) * taps];                            \
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
        at += x_plane;                                                                      \
        tap_weights += group_out * taps;                                                    \
    }
// The taps of one kernel row that reach a residue; full_column is its first column in the full result.
#define KERNEL_ROW(phase, full_column)                                                      \
    for (int kx = 0; kx < kernel_size.y; ++kx) {                                            \
        const int reached = full_column - kx * dilation.y;                                  \
        if (reached % stride.y != 0) {                                                      \
            continue;                                                                       \
        }                                                                                   \
        const int column = reached / stride.y;                                              \
        const int16 mask_a = inside_of(row, column, in_size);                               \
        const int16 mask_b = inside_of(row + 1, column, in_size);                           \
        const int16 mask_c = inside_of(row + 2, column, in_size);                           \
        int at = block_at + row * in_size.y + column;                                       \
        const int below = at < 0 ? min((x_plane - 1 - at) / x_plane, channels) : 0;         \
        const int excess = at + (channels - 1) * x_plane + 2 * in_size.y + SPAN - x_len;    \
        const int above = excess > 0 ? min((x_plane - 1 + excess) / x_plane, channels) : 0; \
        const int safe_end = max(channels - above, below);                                  \
        __global const float *tap_weights = block_weights + ky * kernel_size.y + kx;        \
        int channel = 0;                                                                    \
        for (int part = 0; part < 2; ++part) {                                              \
            ACCUMULATE(read_run_guarded, (part == 0 ? below : channels), phase)             \
            ACCUMULATE(read_run, safe_end, phase)                                           \
        }                                                                                   \
    }

#if PHASES == 2
#define WRITE_ROW(o, row, step)                                                             \
    write_pair(row##0##o, row##1##o, y, y_at + o * y_plane + step * stride.x * out_size.y, count_##row);
#else
#define WRITE_ROW(o, row, step)                                                             \
    write_spread(row##0##o, y, y_at + o * y_plane + step * stride.x * out_size.y, stride.y, count_##row);
#endif
#define WRITE(o, phase)                                                                     \
    if (o <= last) {                                                                        \
        WRITE_ROW(o, a, 0)                                                                  \
        WRITE_ROW(o, b, 1)                                                                  \
        WRITE_ROW(o, c, 2)                                                                  \
    }

// The first `count` of 32 elements: those of even and odd in turn.
static inline void write_pair(float16 even, float16 odd, __global float *y, int at, int count) {
    const float16 front = (float16)(
            even.s0, odd.s0, even.s1, odd.s1, even.s2, odd.s2, even.s3, odd.s3,
            even.s4, odd.s4, even.s5, odd.s5, even.s6, odd.s6, even.s7, odd.s7);
    const float16 back = (float16)(
            even.s8, odd.s8, even.s9, odd.s9, even.sa, odd.sa, even.sb, odd.sb,
            even.sc, odd.sc, even.sd, odd.sd, even.se, odd.se, even.sf, odd.sf);
    write_run(front, y, at, min(count, 16));
    write_run(back, y, at + 16, count - 16);
}

// Lanes of `values` to elements `step` apart, as many as begin within `count` elements.
static inline void write_spread(float16 values, __global float *y, int at, int step, int count) {
    if (step == 1) {
        write_run(values, y, at, min(count, 16));
        return;
    }
    float lanes[16];
    vstore16(values, 0, lanes);
#pragma unroll 1
    for (int lane = 0; lane < 16 && lane * step < count; ++lane) {
        y[at + lane * step] = lanes[lane];
    }
}

// Sizes are int2 [height, width].
__kernel void convolution_transposed_tile(
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
        const int groups,
        const int group_in,
        const int group_out) {
    const int residues = stride.y / PHASES;
    const int out_column = get_global_id(0) / residues * 16 * stride.y + get_global_id(0) % residues;
    const int out_row = get_global_id(1) / stride.x * ROWS * stride.x + get_global_id(1) % stride.x;
    const int tiles = (group_out + CHANNELS - 1) / CHANNELS;
    const int group_tile = get_global_id(2) % tiles * CHANNELS;
    const int group = get_global_id(2) / tiles % groups;
    const int image = get_global_id(2) / tiles / groups;
    const int first = group * group_out + group_tile;
    const int last = min(group_out - group_tile, CHANNELS) - 1;
    const int taps = kernel_size.x * kernel_size.y;
    const int x_plane = in_size.x * in_size.y;
    const int y_plane = out_size.x * out_size.y;
    EACH_CHANNEL(DECLARE, 0)
#if PHASES == 2
    EACH_CHANNEL(DECLARE, 1)
#endif

    for (int block = 0; block < group_in; block += CHANNEL_BLOCK) {
        const int channels = min(group_in - block, CHANNEL_BLOCK);
        const int block_channel = group * group_in + block;
        const int block_at = (image * groups * group_in + block_channel) * x_plane;
        __global const float *block_weights = weights + (block_channel * group_out + group_tile) * taps;
        for (int ky = 0; ky < kernel_size.x; ++ky) {
            const int reached_row = out_row + pad_begin.x - ky * dilation.x;
            const int row = reached_row / stride.x;
            if (reached_row % stride.x != 0 || row >= in_size.x || row + ROWS - 1 < 0) {
                continue;
            }
            KERNEL_ROW(0, out_column + pad_begin.y)
#if PHASES == 2
            KERNEL_ROW(1, out_column + 1 + pad_begin.y)
#endif
        }
    }

    const int columns_left = max(out_size.y - out_column, 0);
    const int count_a = out_row < out_size.x ? columns_left : 0;
    const int count_b = out_row + stride.x < out_size.x ? columns_left : 0;
    const int count_c = out_row + 2 * stride.x < out_size.x ? columns_left : 0;
    const int y_at = (image * groups * group_out + first) * y_plane + out_row * out_size.y + out_column;
    EACH_CHANNEL(WRITE, 0)
}
