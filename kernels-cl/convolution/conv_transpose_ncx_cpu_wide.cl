// Transposed convolution with a horizontal stride of 4, 8 or a multiple of 16: an item computes CHANNELS output channels
// of VECTORS vectors of a row. Lanes are neighbouring outputs, and meet neighbouring taps: each input is repeated in as many
// lanes as the stride is long. Vectors are counted in the full result, so that the first may begin before the row of y.
//
// Layout: x, residual, y NCHW, dense; weights with strides [out channel of a group, in channel, tap, group]; bias, residual
//         and slope may be NULL. padded has x with zeros around each row, `margin` before it, pitch in all; packed is
//         [group, out channel / CHANNELS, kernel row, column tap, part, in channel, out channel % CHANNELS, lane].
// Assumes: fewer than 2^31 elements in every tensor, dilation 1. A stride of 16 and more has stride / 16 parts, others one.
// Macros: LANES_OF_INPUT  the horizontal stride, or 16 where that is more; ACTIVATION, RESIDUAL (common/epilogue.h).
#include "common/runs.h"
#include "common/epilogue_runs.h"

#ifndef LANES_OF_INPUT
#define LANES_OF_INPUT 8
#endif
#define CHANNELS 3
#define VECTORS 8
#define PART_VECTORS (REGISTER_LANES == 16 ? 8 : 4)
#define EACH(i, count) _Pragma("unroll") for (int i = 0; i < count; ++i)

// Taps of one column of one kernel row, repeated, and the inputs of vector v, those of the first one from x[0] on: the
// lanes from `lane` on. Lanes are named one by one, because oclgrind fails on vectors that are repeated as a whole.
static inline BlockedPart taps_of(__global const float *w, int lane) {
#if LANES_OF_INPUT == 4
    const float4 t = vload4(0, w);
#if REGISTER_LANES == 16
    return (float16)(t.s0, t.s1, t.s2, t.s3, t.s0, t.s1, t.s2, t.s3, t.s0, t.s1, t.s2, t.s3, t.s0, t.s1, t.s2, t.s3);
#else
    return (float8)(t.s0, t.s1, t.s2, t.s3, t.s0, t.s1, t.s2, t.s3);
#endif
#elif LANES_OF_INPUT == 8
    const float8 t = vload8(0, w);
#if REGISTER_LANES == 16
    return (float16)(t.s0, t.s1, t.s2, t.s3, t.s4, t.s5, t.s6, t.s7, t.s0, t.s1, t.s2, t.s3, t.s4, t.s5, t.s6, t.s7);
#else
    return t;
#endif
#else
    return *(__global const StoredPart *)(w + lane);
#endif
}

static inline BlockedPart inputs_of(__global const float *x, int v, int lane) {
#if LANES_OF_INPUT == 4
    const float4 i = vload4(v, x);
#if REGISTER_LANES == 16
    return (float16)(i.s0, i.s0, i.s0, i.s0, i.s1, i.s1, i.s1, i.s1, i.s2, i.s2, i.s2, i.s2, i.s3, i.s3, i.s3, i.s3);
#else
    const float2 of = lane ? i.hi : i.lo;
    return (float8)(of.x, of.x, of.x, of.x, of.y, of.y, of.y, of.y);
#endif
#elif LANES_OF_INPUT == 8
#if REGISTER_LANES == 16
    const float a = x[2 * v];
    const float b = x[2 * v + 1];
    return (float16)(a, a, a, a, a, a, a, a, b, b, b, b, b, b, b, b);
#else
    return (float8)x[2 * v + lane / 8];
#endif
#else
    return (BlockedPart)x[v];
#endif
}

// What the parts of an item share: x at its first vector, weights at its part of the taps.
typedef struct {
    __global const float *x;
    __global const float *weights;
    int full_row;
    int in_rows;
    int kernel_rows;
    int stride;
    int column_taps;
    int tap_step;
    int group_in;
    int pitch;
} WideTile;

// The sums of PART_VECTORS vectors from `first` on, lanes from `lane` on.
__attribute__((noinline)) static void wide_sums(
        const WideTile *t, const float *start, int first, int lane, float *lanes) {
    BlockedPart sum[CHANNELS][PART_VECTORS];
    EACH(o, CHANNELS) {
        EACH(v, PART_VECTORS) {
            sum[o][v] = start[o];
        }
    }
    const int channel_step = t->in_rows * t->pitch;
    for (int ky = t->full_row % t->stride; ky < t->kernel_rows; ky += t->stride) {
        const int row = t->full_row / t->stride - ky / t->stride;
        if (row < 0 || row >= t->in_rows) {
            continue;
        }
        for (int tap = 0; tap < t->column_taps; ++tap) {
            __global const float *x = t->x + row * t->pitch - tap;
            __global const float *w = t->weights + (ky * t->column_taps + tap) * t->tap_step;
            for (int channel = 0; channel < t->group_in; ++channel) {
                BlockedPart taps[CHANNELS];
                EACH(o, CHANNELS) {
                    taps[o] = taps_of(w + o * LANES_OF_INPUT, lane);
                }
                EACH(v, PART_VECTORS) {
                    const BlockedPart inputs = inputs_of(x, first + v, lane);
                    EACH(o, CHANNELS) {
                        sum[o][v] += taps[o] * inputs;
                    }
                }
                x += channel_step;
                w += CHANNELS * LANES_OF_INPUT;
            }
        }
    }
    EACH(o, CHANNELS) {
        EACH(v, PART_VECTORS) {
            *(StoredPart *)(lanes + (o * VECTORS + first + v) * 16 + lane) = sum[o][v];
        }
    }
}

// One item per element of packed.
__kernel void pack_wide_weights(
        __global const float *weights,
        __global float *packed,
        const int2 kernel_size,
        const int stride,
        const int column_taps,
        const int parts,
        const int group_in,
        const int group_out,
        const int4 w_strides) {
    int rest = get_global_id(0);
    const int lane = rest % LANES_OF_INPUT;
    rest /= LANES_OF_INPUT;
    const int out_lane = rest % CHANNELS;
    rest /= CHANNELS;
    const int in_channel = rest % group_in;
    rest /= group_in;
    const int part = rest % parts;
    rest /= parts;
    const int column = rest % column_taps * stride + part * 16 + lane;
    rest /= column_taps;
    const int row = rest % kernel_size.x;
    rest /= kernel_size.x;
    const int channel_blocks = (group_out + CHANNELS - 1) / CHANNELS;
    const int out_channel = rest % channel_blocks * CHANNELS + out_lane;
    const int group = rest / channel_blocks;
    float value = 0.0f;
    if (column < kernel_size.y && out_channel < group_out) {
        value = weights[group * w_strides.s3 + out_channel * w_strides.s0 + in_channel * w_strides.s1
                + (row * kernel_size.y + column) * w_strides.s2];
    }
    packed[get_global_id(0)] = value;
}

// One item per row of x.
__kernel void pad_wide_rows(
        __global const float *x, __global float *padded, const int width, const int margin, const int pitch) {
    const int row = get_global_id(0);
    __global const float *from = x + row * width;
    __global float *to = padded + row * pitch;
    for (int i = 0; i < margin; ++i) {
        to[i] = 0.0f;
    }
    for (int i = 0; i < width; ++i) {
        to[margin + i] = from[i];
    }
    for (int i = margin + width; i < pitch; ++i) {
        to[i] = 0.0f;
    }
}

// Global size [parts * ceil(vectors of a part / VECTORS), out rows in the order of their residue by stride.y,
//         batch * groups * ceil(channels of a group / CHANNELS)].
__kernel void convolution_transposed_wide(
        __global const float *padded,
        __global const float *packed,
        __global const float *bias,
        __global const float *residual,
        __global const float *slope,
        __global float *y,
        const int slope_step,
        const float alpha,
        const float beta,
        const int in_rows,
        const int margin,
        const int pitch,
        const int2 out_size,
        const int kernel_rows,
        const int2 stride,
        const int2 pad_begin,
        const int column_taps,
        const int parts,
        const int groups,
        const int group_in,
        const int group_out) {
    const int unit = max(stride.y, 16);
    const int part = get_global_id(0) % parts;
    const int beyond = pad_begin.y - 15 - part * 16;
    const int first_vector = (beyond > 0 ? (beyond + unit - 1) / unit : 0) + get_global_id(0) / parts * VECTORS;
    const int out_column = first_vector * unit + part * 16 - pad_begin.y;
    const int rows_of_residue = (out_size.x + stride.x - 1) / stride.x;
    const int out_row = get_global_id(1) % rows_of_residue * stride.x + get_global_id(1) / rows_of_residue;
    const int channel_blocks = (group_out + CHANNELS - 1) / CHANNELS;
    const int block = get_global_id(2) % channel_blocks;
    const int group = get_global_id(2) / channel_blocks % groups;
    const int image = get_global_id(2) / channel_blocks / groups;
    const int first = group * group_out + block * CHANNELS;
    const int count = min(group_out - block * CHANNELS, CHANNELS);
    if (out_row >= out_size.x || out_column >= out_size.y) {
        return;
    }
    float start[CHANNELS];
    EACH(o, CHANNELS) {
        start[o] = bias ? bias[first + min(o, count - 1)] : 0.0f;
    }
    WideTile t;
    t.tap_step = parts * group_in * CHANNELS * LANES_OF_INPUT;
    t.weights = packed + (group * channel_blocks + block) * kernel_rows * column_taps * t.tap_step
            + part * group_in * CHANNELS * LANES_OF_INPUT;
    t.x = padded + (image * groups + group) * group_in * in_rows * pitch + margin + first_vector * (unit / stride.y);
    t.full_row = out_row + pad_begin.x;
    t.in_rows = in_rows;
    t.kernel_rows = kernel_rows;
    t.stride = stride.x;
    t.column_taps = column_taps;
    t.group_in = group_in;
    t.pitch = pitch;
    float lanes[CHANNELS * VECTORS * 16 + 16];
    for (int lane = 0; lane < 16; lane += REGISTER_LANES) {
        for (int v = 0; v < VECTORS; v += PART_VECTORS) {
            wide_sums(&t, start, v, lane, lanes);
        }
    }
    vstore16((float16)0.0f, CHANNELS * VECTORS, lanes);
    for (int o = 0; o < count; ++o) {
        const float16 factor = ACTIVATION_KIND == FUNCTION_PRELU ? slope[(first + o) * slope_step] : 0.0f;
        const int y_at = ((image * groups * group_out + first + o) * out_size.x + out_row) * out_size.y;
        for (int v = 0; v < VECTORS; ++v) {
            const int column = out_column + v * unit;
            const int skipped = max(-column, 0);
            if (column < out_size.y && skipped < 16) {
                finish_run(vload16(0, lanes + (o * VECTORS + v) * 16 + skipped), residual, factor, alpha, beta, y,
                        y_at + column + skipped, min(out_size.y - column - skipped, 16 - skipped));
            }
        }
    }
}
