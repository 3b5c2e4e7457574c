// Transposed convolution of up to 3 spatial axes, gathered: each item sums the inputs that reach its output element.
//
// Layout: any; x, residual and y are walked with strides [batch, channel, depth, height, width], weights with [out channel
// of a group, in channel of a group, depth, height, width, group]; sizes are int4 [depth, height, width, channels of all
// groups]. slope has one element for all output channels (slope_step == 0) or for each (1).
// Assumes: every tensor has fewer than 2^31 elements; the global size is at least len; bias may be NULL, residual and
//          slope where they are not asked for; pad_begin is cut from the full result.
// activation, residual_kind: as finished_as of common/epilogue.h has them.
// Macros: ELEMENT, NARROW_SUM (common/element.h); INT32_RESULT (common/epilogue.h).
#include "common/element.h"
#include "common/epilogue.h"
#include "common/taps.h"

static inline WIDE window_sum(
        __global const STORED *x,
        __global const STORED *weights,
        Taps slices,
        Taps rows,
        Taps columns,
        int8 x_strides,
        int8 w_strides) {
    WIDE total = 0;
    int slice = slices.source;
    for (int kz = slices.first; kz < slices.end; kz += slices.step) {
        int row = rows.source;
        for (int ky = rows.first; ky < rows.end; ky += rows.step) {
            int column = columns.source;
            for (int kx = columns.first; kx < columns.end; kx += columns.step) {
                total += load_element(x, slice * x_strides.s2 + row * x_strides.s3 + column * x_strides.s4)
                        * load_element(weights, kz * w_strides.s2 + ky * w_strides.s3 + kx * w_strides.s4);
                column -= columns.source_step;
            }
            row -= rows.source_step;
        }
        slice -= slices.source_step;
    }
    return total;
}

__kernel void convolution_transposed(
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
    const int group_in = in_size.w / groups;
    const int group_out = out_size.w / groups;
    const int group = out_channel / group_out;
    const Taps slices = taps_to(depth + pad_begin.x, 1, in_size.x, kernel_size.x, stride.x, dilation.x);
    const Taps rows = taps_to(row + pad_begin.y, 1, in_size.y, kernel_size.y, stride.y, dilation.y);
    const Taps columns = taps_to(column + pad_begin.z, 1, in_size.z, kernel_size.z, stride.z, dilation.z);
    WIDE total = bias ? load_result(bias, out_channel) : 0;
    for (int channel = 0; channel < group_in; ++channel) {
        total += window_sum(
                x + image * x_strides.s0 + (group * group_in + channel) * x_strides.s1,
                weights + group * w_strides.s5 + out_channel % group_out * w_strides.s0 + channel * w_strides.s1,
                slices,
                rows,
                columns,
                x_strides,
                w_strides);
    }
    const int to = image * y_strides.s0 + out_channel * y_strides.s1 + depth * y_strides.s2 + row * y_strides.s3
            + column * y_strides.s4;
    const WIDE added = residual_kind ? load_result(residual, to) : 0;
    const WIDE factor = activation == FUNCTION_PRELU ? load_result(slope, out_channel * slope_step) : 0;
    store_result(finished_as(activation, residual_kind, total, added, factor, alpha, beta), y, to);
}
