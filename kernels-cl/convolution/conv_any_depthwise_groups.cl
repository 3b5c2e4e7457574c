// Convolution with one input channel per group, for devices with many narrow threads: an item computes one element.
// Neighbouring items have neighbours in memory, so that all reads and writes of x and y are coalesced.
//
// Layout: x, residual and y are walked with strides [batch, channel, depth, height, width], weights with [out channel
//         of a group, tap, group, 0]; sizes are int4 [depth, height, width, channels]; bias may be NULL.
// Assumes: fewer than 2^31 elements in every tensor; global size [at least the pixels of y, channels of y, batch], or,
//          CHANNELS_ADJACENT, [at least the channels of y, pixels, batch].
// Macros: ELEMENT, NARROW_SUM (common/element.h); ACTIVATION, RESIDUAL, INT32_RESULT (common/epilogue.h);
//         CHANNELS_ADJACENT  1: the channels of x and y are neighbours in memory.
#include "common/element.h"
#include "common/epilogue.h"

#ifndef CHANNELS_ADJACENT
#define CHANNELS_ADJACENT 0
#endif

__kernel void convolution_depthwise_groups(
        __global const STORED *x,
        __global const STORED *weights,
        __global const RESULT *bias,
        __global const RESULT *residual,
        __global const RESULT *slope,
        __global RESULT *y,
        const int slope_step,
        const REAL alpha,
        const REAL beta,
        const int4 in_size,
        const int4 out_size,
        const int4 kernel_size,
        const int4 stride,
        const int4 dilation,
        const int4 pad_begin,
        const int multiplier,
        const int8 x_strides,
        const int4 w_strides,
        const int8 y_strides) {
    const int pixel = get_global_id(CHANNELS_ADJACENT ? 1 : 0);
    const int channel = get_global_id(CHANNELS_ADJACENT ? 0 : 1);
    const int image = get_global_id(2);
    if (pixel >= out_size.x * out_size.y * out_size.z || channel >= out_size.w) {
        return;
    }
    const int out_column = pixel % out_size.z;
    const int out_row = pixel / out_size.z % out_size.y;
    const int out_slice = pixel / out_size.z / out_size.y;
    const int4 first = (int4)(out_slice, out_row, out_column, 0) * stride - pad_begin;
    const int group = channel / multiplier;
    __global const STORED *plane = x + image * x_strides.s0 + group * x_strides.s1;
    int w_at = group * w_strides.z + channel % multiplier * w_strides.x;
    WIDE total = bias ? load_result(bias, channel) : 0;
    for (int kz = 0; kz < kernel_size.x; ++kz) {
        const int slice = first.x + kz * dilation.x;
        for (int ky = 0; ky < kernel_size.y; ++ky) {
            const int row = first.y + ky * dilation.y;
            const bool exists = slice >= 0 && slice < in_size.x && row >= 0 && row < in_size.y;
            const int row_at = slice * x_strides.s2 + row * x_strides.s3;
            for (int kx = 0; kx < kernel_size.z; ++kx) {
                const int column = first.z + kx * dilation.z;
                if (exists && column >= 0 && column < in_size.z) {
                    total += load_element(plane, row_at + column * x_strides.s4) * load_element(weights, w_at);
                }
                w_at += w_strides.y;
            }
        }
    }
    const int to = image * y_strides.s0 + channel * y_strides.s1 + pixel * y_strides.s4;
    const WIDE added = RESIDUAL_KIND ? load_result(residual, to) : 0;
    const WIDE factor = ACTIVATION_KIND == ACTIVATION_KIND_PRELU ? load_result(slope, channel * slope_step) : 0;
    store_result(finished(total, added, factor, alpha, beta), y, to);
}
