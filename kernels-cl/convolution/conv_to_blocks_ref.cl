// Convolution of channels-first x into blocked channels (nChw16c), any window: one block of a row of y per item.
//
// Layout: x NCHW; weights [out channel, in channel, row, column]; y and residual [N, blocks, rows, columns, 16], with
//         margins: y_halo is [top, left, bottom, right] around y, residual_size [rows, columns, top, left] says where
//         the residual of the first pixel is.
// Assumes: fewer than 2^31 elements in every tensor, along the axes of padded x fewer than 2^30; local size 1.
// Macros: none.
#include "common/blocked_rows.h"

// Global size [rows, blocks, images] of y.
__kernel void conv_to_blocks_ref(
        __global const float *x,
        __global const float *weights,
        __global const float *bias,
        __global const float *residual,
        __global const float *slope,
        __global float *y,
        const int4 x_size,
        const int2 pad_begin,
        const int2 kernel_size,
        const int2 stride,
        const int2 dilation,
        const int2 conv_size,
        const int out_channels,
        const int4 y_halo,
        const int4 residual_size,
        const int slope_step,
        const int activation,
        const int residual_add,
        const float alpha,
        const float beta) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int blocks = (out_channels + 15) / 16;
    const int plane = at.z * blocks + at.y;
    const int pitch = y_halo.s1 + conv_size.y + y_halo.s3;
    const int row = at.x - y_halo.s0;
    __global float *to = y + (plane * (y_halo.s0 + conv_size.x + y_halo.s2) + at.x) * pitch * 16;
    if (row < 0 || row >= conv_size.x) {
        blocked_zeros(to, pitch);
        return;
    }
    blocked_zeros(to, y_halo.s1);
    to += y_halo.s1 * 16;
    blocked_zeros(to + conv_size.y * 16, y_halo.s3);
    const int kernel_len = x_size.s1 * kernel_size.x * kernel_size.y;
    const int lanes = min(out_channels - at.y * 16, 16);
    for (int column = 0; column < conv_size.y; ++column) {
        float sums[16];
        vstore16(blocked_lanes(bias, at.y * 16, out_channels), 0, sums);
        for (int lane = 0; lane < lanes; ++lane) {
            __global const float *weight = weights + (at.y * 16 + lane) * kernel_len;
            for (int channel = 0; channel < x_size.s1; ++channel) {
                for (int kh = 0; kh < kernel_size.x; ++kh) {
                    const int h = row * stride.x + kh * dilation.x - pad_begin.x;
                    for (int kw = 0; kw < kernel_size.y; ++kw, ++weight) {
                        const int w = column * stride.y + kw * dilation.y - pad_begin.y;
                        if (h >= 0 && h < x_size.s2 && w >= 0 && w < x_size.s3) {
                            sums[lane] += *weight
                                    * x[((at.z * x_size.s1 + channel) * x_size.s2 + h) * x_size.s3 + w];
                        }
                    }
                }
            }
        }
        vstore16(vload16(0, sums), column, to);
    }
    __global const float *added = residual;
    if (residual_add != BLOCKED_ADD_NONE) {
        added += ((plane * residual_size.s0 + residual_size.s2 + row) * residual_size.s1 + residual_size.s3) * 16;
    }
    blocked_finish_row(to, added, conv_size.y,
            blocked_slopes(slope, slope_step, activation, alpha, at.y * 16, out_channels), activation, residual_add,
            alpha, beta);
}
