// Convolution of up to 3 spatial axes with groups, stride, dilation and padding: one output element per item.
//
// Layout: any; x, residual and y are walked with strides [batch, channel, depth, height, width], weights with [out channel
// of a group, in channel of a group, depth, height, width, group]. slope has one element for all output channels
// (slope_step == 0) or for each (1).
// Sizes are int4 [depth, height, width, channels]; the channels of in_size and out_size are those of all groups.
// Assumes: every tensor has fewer than 2^31 elements; the global size is at least len; bias may be NULL,
//          residual and slope where they are not asked for.
// activation, residual_kind: as finished_as of common/epilogue.h has them.
// Macros: ELEMENT, NARROW_SUM (common/element.h); INT32_RESULT (common/epilogue.h).
#include "common/element.h"
#include "common/epilogue.h"

static inline WIDE window_sum(
        __global const STORED *x,
        __global const STORED *weights,
        int4 first,
        int4 in_size,
        int4 kernel_size,
        int4 dilation,
        int8 x_strides,
        int8 w_strides) {
    WIDE total = 0;
    for (int kz = 0; kz < kernel_size.x; ++kz) {
        const int z = first.x + kz * dilation.x;
        if (z < 0 || z >= in_size.x) continue;
        for (int ky = 0; ky < kernel_size.y; ++ky) {
            const int row = first.y + ky * dilation.y;
            if (row < 0 || row >= in_size.y) continue;
            for (int kx = 0; kx < kernel_size.z; ++kx) {
                const int column = first.z + kx * dilation.z;
                if (column < 0 || column >= in_size.z) continue;
                total += load_element(x, z * x_strides.s2 + row * x_strides.s3 + column * x_strides.s4)
                        * load_element(weights, kz * w_strides.s2 + ky * w_strides.s3 + kx * w_strides.s4);
            }
        }
    }
    return total;
}

__kernel void convolution(
        __global const STORED *x,
        __global const STORED *weights,
        __global const RESULT *bias,
        __global const RESULT *residual,
        __global const RESULT *slope,
        __global RESULT *y,
        const int activation,
        const int residual_kind,
        const int slope_step,
        const REAL alpha,
        const REAL beta,
        const int len,
        const int4 in_size,
        const int4 out_size,
        const int4 kernel_size,
        const int4 stride,
        const int4 dilation,
        const int4 pad_begin,
        const int groups,
        const int8 x_strides,
        const int8 w_strides,
        const int8 y_strides) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    const int column = i % out_size.z;
    const int row = i / out_size.z % out_size.y;
    const int depth = i / out_size.z / out_size.y % out_size.x;
    const int plane = i / out_size.z / out_size.y / out_size.x;
    const int out_channel = plane % out_size.w;
    const int image = plane / out_size.w;
    const int group_channels = in_size.w / groups;
    const int group_out = out_size.w / groups;
    const int group = out_channel / group_out;
    const int4 first = (int4)(depth, row, column, 0) * stride - pad_begin;
    WIDE total = bias ? load_result(bias, out_channel) : 0;
    for (int channel = 0; channel < group_channels; ++channel) {
        total += window_sum(
                x + image * x_strides.s0 + (group * group_channels + channel) * x_strides.s1,
                weights + group * w_strides.s5 + out_channel % group_out * w_strides.s0 + channel * w_strides.s1,
                first,
                in_size,
                kernel_size,
                dilation,
                x_strides,
                w_strides);
    }
    const int at = image * y_strides.s0 + out_channel * y_strides.s1 + depth * y_strides.s2 + row * y_strides.s3
            + column * y_strides.s4;
    const WIDE added = residual_kind ? load_result(residual, at) : 0;
    const WIDE factor = activation == FUNCTION_PRELU ? load_result(slope, out_channel * slope_step) : 0;
    store_result(finished_as(activation, residual_kind, total, added, factor, alpha, beta), y, at);
}
