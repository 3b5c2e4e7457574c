// Convolutions and products of codes for processors: products of 16 bits are added in pairs, which vector units do in one
// step.
//
// Layout: x and y any, walked with strides [batch, channel, depth, height, width]; padded holds x less its zero point,
// [batch, depth, height, width, channel], as many channels as pairs have, 0 where there is padding or no channel;
// packed holds the weights less theirs, [block of 16 output channels, tap, pair of channels, output channel, 2].
// Sizes are int4 [depth, height, width, channels]; those of padded are what the window reads. Rows of a matrix are pixels
// of a picture, its columns output channels; each of several has weights packed_step apart (0: the same for all pictures).
// Assumes: every tensor has fewer than 2^31 elements; one work-item for each block of output channels, row of y and image
//          (convolve_pairs), row of padded (pad_codes), tap of a block and matrix (pack_code_pairs); bias and zero points
//          may be NULL, scales where RESULT_KIND does not ask for them. Sums wrap.
// Macros: X_CODE, W_CODE  char or uchar; RESULT, RESULT_KIND (common/requantize.h).
#include "common/processor.h"
#include "common/requantize.h"

#ifndef X_CODE
#define X_CODE uchar
#endif
#ifndef W_CODE
#define W_CODE char
#endif

#define BLOCK 16
#ifdef HAS_WIDE_PAIRS
#define PIXELS 8
#else
#define PIXELS 6
#endif

// weight_strides: [output channel, channel, tap, matrix].
__kernel void pack_code_pairs(
        __global const W_CODE *weights,
        __global const W_CODE *w_zero_point,
        __global short *packed,
        const int4 weight_strides,
        const int w_zero_step,
        const int taps,
        const int in_channels,
        const int out_channels,
        const int pairs) {
    const int block = get_global_id(0);
    const int tap = get_global_id(1);
    const int matrix = get_global_id(2);
    const int blocks = get_global_size(0);
    __global short *to = packed + ((matrix * blocks + block) * taps + tap) * pairs * 2 * BLOCK;
    for (int pair = 0; pair < pairs; ++pair) {
        for (int lane = 0; lane < BLOCK; ++lane) {
            const int out = block * BLOCK + lane;
            for (int odd = 0; odd < 2; ++odd) {
                const int channel = pair * 2 + odd;
                const int place = (pair * BLOCK + lane) * 2 + odd;
                if (out < out_channels && channel < in_channels) {
                    const int zero = w_zero_point ? w_zero_point[out * w_zero_step] : 0;
                    const int from = out * weight_strides.x + channel * weight_strides.y + tap * weight_strides.z
                            + matrix * weight_strides.w;
                    to[place] = weights[from] - zero;
                } else {
                    to[place] = 0;
                }
            }
        }
    }
}

__kernel void pad_codes(
        __global const X_CODE *x,
        __global const X_CODE *x_zero_point,
        __global short *padded,
        const int4 in_size,
        const int4 padded_size,
        const int4 pad_begin,
        const int8 x_strides) {
    const int line = get_global_id(0);
    const int row = line % padded_size.y - pad_begin.y;
    const int depth = line / padded_size.y % padded_size.x - pad_begin.x;
    const int image = line / padded_size.y / padded_size.x;
    const int zero = x_zero_point ? x_zero_point[0] : 0;
    const bool inside = row >= 0 && row < in_size.y && depth >= 0 && depth < in_size.x;
    __global short *to = padded + line * padded_size.z * padded_size.w;
    __global const X_CODE *from = x + image * x_strides.s0 + depth * x_strides.s2 + row * x_strides.s3;
    for (int place = 0; place < padded_size.z; ++place) {
        const int column = place - pad_begin.z;
        const bool is_read = inside && column >= 0 && column < in_size.z;
        for (int channel = 0; channel < padded_size.w; ++channel) {
            const bool is_code = is_read && channel < in_size.w;
            to[place * padded_size.w + channel] =
                    is_code ? (short)(from[column * x_strides.s4 + channel * x_strides.s1] - zero) : (short)0;
        }
    }
}

// The pairs of 16 output channels.
typedef short LINE __attribute__((ext_vector_type(32), aligned(4)));

__kernel void convolve_pairs(
        __global const short *padded,
        __global const short *packed,
        __global const int *bias,
        __global const float *x_scale,
        __global const float *w_scale,
        __global const float *y_scale,
        __global const RESULT *y_zero_point,
        __global RESULT *y,
        const int packed_step,
        const int w_scale_step,
        const int4 out_size,
        const int4 padded_size,
        const int4 kernel_size,
        const int4 stride,
        const int4 dilation,
        const int8 y_strides) {
    const int block = get_global_id(0);
    const int row = get_global_id(1) % out_size.y;
    const int depth = get_global_id(1) / out_size.y;
    const int image = get_global_id(2);
    const int pairs = padded_size.w / 2;
    const int taps = kernel_size.x * kernel_size.y * kernel_size.z;
    const int lanes = min(BLOCK, out_size.w - block * BLOCK);
    const int zero = y_zero_point ? (int)y_zero_point[0] : 0;
    int first_sums[BLOCK];
    float scales[BLOCK];
    for (int lane = 0; lane < BLOCK; ++lane) {
        const int channel = block * BLOCK + min(lane, lanes - 1);
        first_sums[lane] = bias ? bias[channel] : 0;
        scales[lane] = channel_scale(x_scale, w_scale, y_scale, channel * w_scale_step);
    }
    const int16 start = vload16(0, first_sums);
    __global RESULT *to = y + image * y_strides.s0 + block * BLOCK * y_strides.s1 + depth * y_strides.s2
            + row * y_strides.s3;
    for (int begin = 0; begin < out_size.z; begin += PIXELS) {
        const int count = min(PIXELS, out_size.z - begin);
        int16 totals[PIXELS];
        __global const int *from[PIXELS];
#pragma unroll
        for (int t = 0; t < PIXELS; ++t) {
            totals[t] = start;
            const int column = (begin + min(t, count - 1)) * stride.z;
            const int row_begin = (image * padded_size.x + depth * stride.x) * padded_size.y + row * stride.y;
            from[t] = (__global const int *)(padded + (row_begin * padded_size.z + column) * padded_size.w);
        }
        __global const LINE *weights = (__global const LINE *)(packed + image * packed_step + block * taps * pairs * 2 * BLOCK);
        for (int kz = 0; kz < kernel_size.x; ++kz) {
            for (int ky = 0; ky < kernel_size.y; ++ky) {
                for (int kx = 0; kx < kernel_size.z; ++kx) {
                    const int at = ((kz * dilation.x * padded_size.y + ky * dilation.y) * padded_size.z
                                    + kx * dilation.z) * pairs;
                    for (int pair = 0; pair < pairs; ++pair, ++weights) {
                        const LINE line = *weights;
#pragma unroll
                        for (int t = 0; t < PIXELS; ++t) {
                            const int16 codes = from[t][at + pair];
                            totals[t] += pairs_of_products(__builtin_astype(codes, LINE), line);
                        }
                    }
                }
            }
        }
        int sums[PIXELS][BLOCK];
#pragma unroll
        for (int t = 0; t < PIXELS; ++t) {
            vstore16(totals[t], 0, sums[t]);
        }
        for (int lane = 0; lane < lanes; ++lane) {
            for (int t = 0; t < count; ++t) {
                store_sum(sums[t][lane], scales[lane], zero, to, (begin + t) * y_strides.s4 + lane * y_strides.s1);
            }
        }
    }
}
