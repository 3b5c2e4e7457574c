// Transposed convolution with channels innermost: an item computes 16 output channels of 8 columns of one residue of the
// stride, which see neighbouring inputs. Pixels outside are read from the zeros behind the packed weights.
//
// Layout: x, residual, y NDHWC; packed [tap, in channel of all groups, out channel of a group], DEPTHWISE [tap, channel],
//         rows filled up to multiples of 16, then as many zeros as an item reads of a pixel; bias may be NULL.
// Assumes: fewer than 2^31 elements in every tensor. Global size [stride.z * ceil(out width / stride.z / 8), out depth * out
//          height, batch * groups * ceil(channels of a group / 16)].
// Macros: DEPTHWISE  1: one input and one output channel per group, called with one group of all channels; ACTIVATION,
//         RESIDUAL (common/epilogue.h).
#include "common/runs.h"
#include "common/epilogue_runs.h"
#include "common/taps.h"

#ifndef DEPTHWISE
#define DEPTHWISE 0
#endif

#define PIXELS 8
#define EACH_PIXEL(do) do(0) do(1) do(2) do(3) do(4) do(5) do(6) do(7)
#define DECLARE(p) float16 total##p = start;
// Where pixel p of a tap is, or zeros.
#define LOCATE(p)                                                                               \
    __global const float *source##p =                                                           \
            column + p >= 0 && column + p < in_size.z ? row_x + (column + p) * in_channels : zeros;
#if DEPTHWISE
#define MULTIPLY(p) total##p += weight * read_first(source##p, 0, lanes);
#else
#define MULTIPLY(p) total##p += weight * source##p[channel];
#endif
#define WRITE(p)                                                                                \
    if (out_column + p * stride.z < out_size.z) {                                               \
        finish_run(total##p, residual, factor, alpha, beta, y, y_at + p * stride.z * out_size.w, lanes); \
    }

// Packs weights with strides [out channel of a group, in channel of a group, tap, group]; global size [row, rows], where
// row is the number of output channels with those to be padded, and rows that of taps times input channels; DEPTHWISE
// has one row a tap. What is behind the last row has `behind` zeros.
__kernel void pack_transposed_weights(
        __global const float *weights,
        __global float *packed,
        const int in_channels,
        const int group_in,
        const int out_channels,
        const int behind,
        const int4 w_strides) {
    const int row = get_global_size(0);
    const int o = get_global_id(0);
    const int at = get_global_id(1);
    const int tap = at / in_channels;
    const int channel = at % in_channels;
    const int group = DEPTHWISE ? o : channel / group_in;
    const int lane = DEPTHWISE ? 0 : o;
    const int from = lane * w_strides.s0 + channel % group_in * w_strides.s1 + tap * w_strides.s2 + group * w_strides.s3;
    packed[at * row + o] = o < out_channels ? weights[from] : 0.0f;
    const int rows = get_global_size(1);
    for (int zero = at * row + o; zero < behind; zero += rows * row) {
        packed[rows * row + zero] = 0.0f;
    }
}

// Sizes are int4 [depth, height, width, channels of all groups].
__kernel void convolution_transposed_vectors(
        __global const float *x,
        __global const float *packed,
        __global const float *bias,
        __global const float *residual,
        __global const float *slope,
        __global float *y,
        const int slope_step,
        const float alpha,
        const float beta,
        const int4 in_size,
        const int4 out_size,
        const int4 kernel_size,
        const int4 stride,
        const int4 dilation,
        const int4 pad_begin,
        const int groups,
        const int row_length) {
    const int in_channels = in_size.w;
    const int group_in = DEPTHWISE ? 1 : in_channels / groups;
    const int group_out = out_size.w / groups;
    const int out_column = get_global_id(0) / stride.z * PIXELS * stride.z + get_global_id(0) % stride.z;
    const int out_row = get_global_id(1) % out_size.y;
    const int out_slice = get_global_id(1) / out_size.y;
    const int tiles = (group_out + 15) / 16;
    const int group_tile = get_global_id(2) % tiles * 16;
    const int group = get_global_id(2) / tiles % groups;
    const int image = get_global_id(2) / tiles / groups;
    const int first = group * group_out + group_tile;
    const int lanes = min(group_out - group_tile, 16);
    if (out_column >= out_size.z) {
        return;
    }
    const Taps slices = taps_to(out_slice + pad_begin.x, 1, in_size.x, kernel_size.x, stride.x, dilation.x);
    const Taps rows = taps_to(out_row + pad_begin.y, 1, in_size.y, kernel_size.y, stride.y, dilation.y);
    const Taps columns = taps_to(out_column + pad_begin.z, PIXELS, in_size.z, kernel_size.z, stride.z, dilation.z);
    const int tap_rows = DEPTHWISE ? 1 : in_channels;
    const int taps = kernel_size.x * kernel_size.y * kernel_size.z;
    __global const float *zeros = packed + taps * tap_rows * row_length;
    __global const float *group_weights = packed + (DEPTHWISE ? 0 : group * group_in * row_length) + group_tile;
    const int x_first = DEPTHWISE ? first : group * group_in;
    const float16 start = bias ? read_first(bias, first, lanes) : (float16)0.0f;
    EACH_PIXEL(DECLARE)

    int slice = slices.source;
    for (int kz = slices.first; kz < slices.end; kz += slices.step) {
        int row = rows.source;
        for (int ky = rows.first; ky < rows.end; ky += rows.step) {
            __global const float *row_x =
                    x + ((image * in_size.x + slice) * in_size.y + row) * in_size.z * in_channels + x_first;
            int column = columns.source;
            for (int kx = columns.first; kx < columns.end; kx += columns.step) {
                const int tap = (kz * kernel_size.y + ky) * kernel_size.z + kx;
                __global const float *tap_weights = group_weights + tap * tap_rows * row_length;
                EACH_PIXEL(LOCATE)
                for (int channel = 0; channel < group_in; ++channel) {
                    const float16 weight = vload16(0, tap_weights + channel * row_length);
                    EACH_PIXEL(MULTIPLY)
                }
                column -= columns.source_step;
            }
            row -= rows.source_step;
        }
        slice -= slices.source_step;
    }

    float16 factor = 0.0f;
#if ACTIVATION_KIND == FUNCTION_PRELU
    factor = slope_step ? read_first(slope, first, lanes) : (float16)slope[0];
#endif
    const int y_at = (((image * out_size.x + out_slice) * out_size.y + out_row) * out_size.z + out_column) * out_size.w
            + first;
    EACH_PIXEL(WRITE)
}
