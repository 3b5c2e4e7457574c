// Transposed convolution with one input channel per group, for devices with many narrow threads: an item computes one
// element. Neighbouring items have neighbours in memory, so that writes of y are coalesced, and reads of x and weights
// are, too, or of the same element.
//
// Layout: any; x, residual and y are walked with strides [batch, channel, depth, height, width], weights with [out
//         channel of a group, 0, depth, height, width, group]; sizes are int4 [depth, height, width, channels]; bias
//         may be NULL, residual and slope as the macros say.
// Assumes: fewer than 2^31 elements in every tensor; global size [at least the pixels of y, channels of y, batch], or,
//          CHANNELS_ADJACENT, [at least the channels of y, pixels, batch].
// Macros: ELEMENT, NARROW_SUM (common/element.h); ACTIVATION, RESIDUAL, INT32_RESULT (common/epilogue.h);
//         CHANNELS_ADJACENT  1: the channels of x and y are neighbours in memory.
#include "common/element.h"
#include "common/epilogue.h"
#include "common/channel_end.h"
#include "common/digits.h"
#include "common/taps.h"

#ifndef CHANNELS_ADJACENT
#define CHANNELS_ADJACENT 0
#endif

__kernel void convolution_transposed_depthwise_groups(
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
        const int8 w_strides,
        const int8 y_strides) {
    const int pixel = get_global_id(CHANNELS_ADJACENT ? 1 : 0);
    const int channel = get_global_id(CHANNELS_ADJACENT ? 0 : 1);
    const int image = get_global_id(2);
    if (pixel >= out_size.x * out_size.y * out_size.z || channel >= out_size.w) {
        return;
    }
    const int4 at = pad_begin + digits_of(pixel, out_size);
    const Taps slices = taps_to(at.x, 1, in_size.x, kernel_size.x, stride.x, dilation.x);
    const Taps rows = taps_to(at.y, 1, in_size.y, kernel_size.y, stride.y, dilation.y);
    const Taps columns = taps_to(at.z, 1, in_size.z, kernel_size.z, stride.z, dilation.z);
    const int group = channel / multiplier;
    const int x_at = image * x_strides.s0 + group * x_strides.s1 + columns.source * x_strides.s4;
    const int w_at = group * w_strides.s5 + channel % multiplier * w_strides.s0 + columns.first * w_strides.s4;
    const int x_step = columns.source_step * x_strides.s4;
    const int w_step = columns.step * w_strides.s4;
    const int reached = columns.first < columns.end ? (columns.end - 1 - columns.first) / columns.step + 1 : 0;
    WIDE total = 0;
    int slice = slices.source;
    for (int kz = slices.first; kz < slices.end; kz += slices.step) {
        int row = rows.source;
        for (int ky = rows.first; ky < rows.end; ky += rows.step) {
            int from = x_at + slice * x_strides.s2 + row * x_strides.s3;
            int by = w_at + kz * w_strides.s2 + ky * w_strides.s3;
            for (int n = 0; n < reached; ++n) {
                total += load_element(x, from) * load_element(weights, by);
                from -= x_step;
                by += w_step;
            }
            row -= rows.source_step;
        }
        slice -= slices.source_step;
    }
    store_end(total, channel, bias, residual, slope, y, slope_step, alpha, beta,
            image * y_strides.s0 + channel * y_strides.s1 + pixel * y_strides.s4);
}
