// Convolution with one input channel per group, for devices with many narrow threads: an item computes ROWS elements,
// one below the other. Neighbouring items have neighbours in memory, so that reads and writes of x and y are coalesced.
//
// Layout: x, residual and y are walked with strides [batch, channel, depth, height, width], weights with [out channel
//         of a group, tap, group, 0]; sizes are int4 [depth, height, width, channels]; bias may be NULL.
// Assumes: fewer than 2^31 elements in every tensor; global size [at least len, batch]: len is channels * depth *
//          ceil(height / ROWS) * width of y.
// Macros: ELEMENT, NARROW_SUM (common/element.h); ACTIVATION, RESIDUAL, INT32_RESULT (common/epilogue.h);
//         CHANNELS_ADJACENT  1: the channels of x and y are neighbours in memory; WINDOW_HEIGHT, WINDOW_WIDTH  those of
//         the window, not dilated in height, if WINDOW_HEIGHT is not 0, and then STRIDE_HEIGHT; ROWS  1 without these.
#include "common/element.h"
#include "common/epilogue.h"
#include "common/channel_end.h"

#ifndef CHANNELS_ADJACENT
#define CHANNELS_ADJACENT 0
#endif
#ifndef WINDOW_HEIGHT
#define WINDOW_HEIGHT 0
#endif
#ifndef WINDOW_WIDTH
#define WINDOW_WIDTH 0
#endif
#ifndef STRIDE_HEIGHT
#define STRIDE_HEIGHT 1
#endif
#ifndef ROWS
#define ROWS 1
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
        const int len,
        const int8 x_strides,
        const int4 w_strides,
        const int8 y_strides) {
    const int at = get_global_id(0);
    if (at >= len) {
        return;
    }
    const int image = get_global_id(1);
    const int row_groups = (out_size.y + ROWS - 1) / ROWS;
    const int places = out_size.x * row_groups * out_size.z;
    const int channel = CHANNELS_ADJACENT ? at % out_size.w : at / places;
    const int place = CHANNELS_ADJACENT ? at / out_size.w : at % places;
    const int out_column = place % out_size.z;
    const int out_row = place / out_size.z % row_groups * ROWS;
    const int out_slice = place / out_size.z / row_groups;
    const int4 first = (int4)(out_slice, out_row, out_column, 0) * stride - pad_begin;
    const int group = channel / multiplier;
    __global const STORED *plane = x + image * x_strides.s0 + group * x_strides.s1;
    int w_at = group * w_strides.z + channel % multiplier * w_strides.x;
    WIDE totals[ROWS];
    _Pragma("unroll")
    for (int i = 0; i < ROWS; ++i) {
        totals[i] = 0;
    }
    for (int kz = 0; kz < kernel_size.x; ++kz) {
        const int slice = first.x + kz * dilation.x;
        const bool is_slice = slice >= 0 && slice < in_size.x;
#if WINDOW_HEIGHT
        WIDE taps[WINDOW_HEIGHT * WINDOW_WIDTH];
        _Pragma("unroll")
        for (int i = 0; i < WINDOW_HEIGHT * WINDOW_WIDTH; ++i) {
            taps[i] = load_element(weights, w_at + i * w_strides.y);
        }
        w_at += WINDOW_HEIGHT * WINDOW_WIDTH * w_strides.y;
        _Pragma("unroll")
        for (int r = 0; r < (ROWS - 1) * STRIDE_HEIGHT + WINDOW_HEIGHT; ++r) {
            const int row = first.y + r;
            const bool is_row = is_slice && row >= 0 && row < in_size.y;
            _Pragma("unroll")
            for (int kx = 0; kx < WINDOW_WIDTH; ++kx) {
                const int column = first.z + kx * dilation.z;
                const bool is_inside = is_row && column >= 0 && column < in_size.z;
                // What is not there is read where something is, and left out: no branch stands between the loads.
                const int from = slice * x_strides.s2 + row * x_strides.s3 + column * x_strides.s4;
                const WIDE stored = load_element(plane, is_inside ? from : 0);
                const WIDE value = is_inside ? stored : 0;
                _Pragma("unroll")
                for (int i = 0; i < ROWS; ++i) {
                    const int ky = r - i * STRIDE_HEIGHT;
                    if (ky >= 0 && ky < WINDOW_HEIGHT) {
                        totals[i] += value * taps[ky * WINDOW_WIDTH + kx];
                    }
                }
            }
        }
#else
        for (int ky = 0; ky < kernel_size.y; ++ky) {
            const int row = first.y + ky * dilation.y;
            const bool exists = is_slice && row >= 0 && row < in_size.y;
            const int row_at = slice * x_strides.s2 + row * x_strides.s3;
            for (int kx = 0; kx < kernel_size.z; ++kx) {
                const int column = first.z + kx * dilation.z;
                if (exists && column >= 0 && column < in_size.z) {
                    totals[0] += load_element(plane, row_at + column * x_strides.s4) * load_element(weights, w_at);
                }
                w_at += w_strides.y;
            }
        }
#endif
    }
    const int pixel = (out_slice * out_size.y + out_row) * out_size.z + out_column;
    const int first_to = image * y_strides.s0 + channel * y_strides.s1 + pixel * y_strides.s4;
    _Pragma("unroll")
    for (int i = 0; i < ROWS; ++i) {
        if (out_row + i < out_size.y) {
            store_end(totals[i], channel, bias, residual, slope, y, slope_step, alpha, beta,
                    first_to + i * out_size.z * y_strides.s4);
        }
    }
}
