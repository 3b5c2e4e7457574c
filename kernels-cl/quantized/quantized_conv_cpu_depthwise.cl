// Convolution of codes, of each channel by itself, for processors: 16 channels are the lanes of a vector.
//
// Layout: y any, walked with strides [batch, channel, depth, height, width]; padded as pad_codes of
// quantized_conv_cpu_pairs.cl makes it, with a multiple of 16 channels; packed holds the weights less their zero points,
// [block of 16 channels, tap, channel]. Sizes are int4 [depth, height, width, channels].
// Assumes: every tensor has fewer than 2^31 elements; one work-item for each block of channels, row of y and image
//          (convolve_channels), tap of a block (pack_channels); bias and zero points may be NULL, scales where
//          RESULT_KIND does not ask for them.
// Macros: W_CODE  char or uchar; RESULT, RESULT_KIND (common/requantize.h).
#include "common/requantize.h"

#ifndef W_CODE
#define W_CODE char
#endif

#define BLOCK 16

__kernel void pack_channels(
        __global const W_CODE *weights,
        __global const W_CODE *w_zero_point,
        __global short *packed,
        const int w_zero_step,
        const int taps,
        const int channels) {
    const int block = get_global_id(0);
    const int tap = get_global_id(1);
    for (int lane = 0; lane < BLOCK; ++lane) {
        const int channel = block * BLOCK + lane;
        short value = 0;
        if (channel < channels) {
            value = weights[channel * taps + tap] - (w_zero_point ? w_zero_point[channel * w_zero_step] : 0);
        }
        packed[(block * taps + tap) * BLOCK + lane] = value;
    }
}

__kernel void convolve_channels(
        __global const short *padded,
        __global const short *packed,
        __global const int *bias,
        __global const float *x_scale,
        __global const float *w_scale,
        __global const float *y_scale,
        __global const RESULT *y_zero_point,
        __global RESULT *y,
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
    const int taps = kernel_size.x * kernel_size.y * kernel_size.z;
    const int lanes = min(BLOCK, out_size.w - block * BLOCK);
    const int zero = y_zero_point ? (int)y_zero_point[0] : 0;
    int sums[BLOCK];
    float scales[BLOCK];
    for (int lane = 0; lane < BLOCK; ++lane) {
        const int channel = block * BLOCK + min(lane, lanes - 1);
        sums[lane] = bias ? bias[channel] : 0;
        scales[lane] = channel_scale(x_scale, w_scale, y_scale, channel * w_scale_step);
    }
    const int16 start = vload16(0, sums);
    __global RESULT *to = y + image * y_strides.s0 + block * BLOCK * y_strides.s1 + depth * y_strides.s2
            + row * y_strides.s3;
    const int line = (image * padded_size.x + depth * stride.x) * padded_size.y + row * stride.y;
    for (int column = 0; column < out_size.z; ++column) {
        __global const short *from =
                padded + (line * padded_size.z + column * stride.z) * padded_size.w + block * BLOCK;
        __global const short *weights = packed + block * taps * BLOCK;
        int16 total = start;
        for (int kz = 0; kz < kernel_size.x; ++kz) {
            for (int ky = 0; ky < kernel_size.y; ++ky) {
                for (int kx = 0; kx < kernel_size.z; ++kx, weights += BLOCK) {
                    const int at = (kz * dilation.x * padded_size.y + ky * dilation.y) * padded_size.z
                            + kx * dilation.z;
                    total += convert_int16(vload16(0, from + at * padded_size.w)) * convert_int16(vload16(0, weights));
                }
            }
        }
        vstore16(total, 0, sums);
        for (int lane = 0; lane < lanes; ++lane) {
            store_sum(sums[lane], scales[lane], zero, to, column * y_strides.s4 + lane * y_strides.s1);
        }
    }
}
