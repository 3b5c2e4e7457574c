// Convolution of codes with one input channel per group, for devices with many narrow threads: an item computes one
// element. Neighbouring items have neighbours in memory, so that all reads and writes of x and y are coalesced.
//
// Layout: x and y are walked with strides [batch, channel, depth, height, width], weights are dense [out channel, tap];
//         sizes are int4 [depth, height, width, channels]; bias and zero points may be NULL, scales where RESULT_KIND
//         does not ask for them. Padding is x_zero_point. w_steps: how far w_zero_point and w_scale go on from one
//         output channel to the next, 0 or 1. Sums wrap.
// Assumes: fewer than 2^31 elements in every tensor; global size [at least the pixels of y, channels of y, batch], or,
//          CHANNELS_ADJACENT, [at least the channels of y, pixels, batch].
// Macros: X_CODE, W_CODE  char or uchar; RESULT, RESULT_KIND (common/requantize.h); CHANNELS_ADJACENT  1: the channels
//         of y are neighbours in memory.
#include "common/digits.h"
#include "common/requantize.h"

#ifndef X_CODE
#define X_CODE uchar
#endif
#ifndef W_CODE
#define W_CODE char
#endif
#ifndef CHANNELS_ADJACENT
#define CHANNELS_ADJACENT 0
#endif

__kernel void quantized_convolution_depthwise_groups(
        __global const X_CODE *x,
        __global const W_CODE *weights,
        __global const int *bias,
        __global const X_CODE *x_zero_point,
        __global const W_CODE *w_zero_point,
        __global const float *x_scale,
        __global const float *w_scale,
        __global const float *y_scale,
        __global const RESULT *y_zero_point,
        __global RESULT *y,
        const int2 w_steps,
        const int4 in_size,
        const int4 out_size,
        const int4 kernel_size,
        const int4 stride,
        const int4 dilation,
        const int4 pad_begin,
        const int multiplier,
        const int8 x_strides,
        const int8 y_strides) {
    const int pixel = get_global_id(CHANNELS_ADJACENT ? 1 : 0);
    const int channel = get_global_id(CHANNELS_ADJACENT ? 0 : 1);
    const int image = get_global_id(2);
    if (pixel >= out_size.x * out_size.y * out_size.z || channel >= out_size.w) {
        return;
    }
    const int4 first = digits_of(pixel, out_size) * stride - pad_begin;
    const int x_zero = x_zero_point ? x_zero_point[0] : 0;
    const int w_zero = w_zero_point ? w_zero_point[channel * w_steps.x] : 0;
    __global const X_CODE *plane = x + image * x_strides.s0 + channel / multiplier * x_strides.s1;
    __global const W_CODE *tap = weights + channel * kernel_size.x * kernel_size.y * kernel_size.z;
    int total = bias ? bias[channel] : 0;
    for (int kz = 0; kz < kernel_size.x; ++kz) {
        const int slice = first.x + kz * dilation.x;
        for (int ky = 0; ky < kernel_size.y; ++ky) {
            const int row = first.y + ky * dilation.y;
            const bool exists = slice >= 0 && slice < in_size.x && row >= 0 && row < in_size.y;
            const int row_at = slice * x_strides.s2 + row * x_strides.s3;
            for (int kx = 0; kx < kernel_size.z; ++kx) {
                const int column = first.z + kx * dilation.z;
                if (exists && column >= 0 && column < in_size.z) {
                    total += (plane[row_at + column * x_strides.s4] - x_zero) * (*tap - w_zero);
                }
                ++tap;
            }
        }
    }
    const float scale = channel_scale(x_scale, w_scale, y_scale, channel * w_steps.y);
    const int to = image * y_strides.s0 + channel * y_strides.s1 + pixel * y_strides.s4;
    store_sum(total, scale, y_zero_point ? (int)y_zero_point[0] : 0, y, to);
}
