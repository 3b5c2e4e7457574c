// Transposed convolution of small maps: a product of matrices (linalg/product_tiles.cl) gives each input pixel's share of
// every output that its taps reach, and these shares are added.
//
// Layout: x, residual, y NCHW, dense; rows is [pixel of all images, pitch], what is beyond the channels stays as it is;
//         columns is [pixel of all images, out channel, tap]. Sizes are [rows, columns]; bias may be NULL.
// Assumes: fewer than 2^31 elements in every tensor; local size 1. Global size of columns_rows [ceil(channels / 16),
//          ceil(pixels / 16), batch], of columns_add [out channels, ceil(rows of y / band), batch].
// Macros: ACTIVATION, RESIDUAL (common/epilogue.h).
#include "common/element.h"
#include "common/epilogue.h"
#include "common/channel_end.h"
#include "common/taps.h"

#define STEP 16

// An item brings 16 channels of 16 pixels together.
__kernel void columns_rows(
        __global const float *x, __global float *rows, const int channels, const int pixels, const int pitch) {
    const int channel = get_global_id(0) * STEP;
    const int pixel = get_global_id(1) * STEP;
    const int image = get_global_id(2);
    const int channel_count = min(channels - channel, STEP);
    const int pixel_count = min(pixels - pixel, STEP);
    __global const float *from = x + (image * channels + channel) * pixels + pixel;
    __global float *to = rows + (image * pixels + pixel) * pitch + channel;
    for (int p = 0; p < pixel_count; ++p) {
        for (int c = 0; c < channel_count; ++c) {
            to[p * pitch + c] = from[c * pixels + p];
        }
    }
}

// An item adds `band` rows of one channel.
__kernel void columns_add(
        __global const float *columns,
        __global const float *bias,
        __global const float *residual,
        __global const float *slope,
        __global float *y,
        const int slope_step,
        const float alpha,
        const float beta,
        const int2 in_size,
        const int2 out_size,
        const int2 kernel_size,
        const int2 stride,
        const int2 dilation,
        const int2 pad_begin,
        const int band) {
    const int channel = get_global_id(0);
    const int channels = get_global_size(0);
    const int image = get_global_id(2);
    const int taps = kernel_size.x * kernel_size.y;
    const int pitch = channels * taps;
    const int end = min(((int)get_global_id(1) + 1) * band, out_size.x);
    __global const float *shares = columns + image * in_size.x * in_size.y * pitch + channel * taps;
    for (int row = get_global_id(1) * band; row < end; ++row) {
        const int row_at = ((image * channels + channel) * out_size.x + row) * out_size.y;
        __global float *sums = y + row_at;
        for (int column = 0; column < out_size.y; ++column) {
            sums[column] = 0.0f;
        }
        const Taps reached = taps_to(row + pad_begin.x, 1, in_size.x, kernel_size.x, stride.x, dilation.x);
        int source = reached.source;
        for (int ky = reached.first; ky < reached.end; ky += reached.step) {
            for (int column = 0; column < in_size.y; ++column) {
                __global const float *of_pixel =
                        shares + (source * in_size.y + column) * pitch + ky * kernel_size.y;
                const int first = column * stride.y - pad_begin.y;
                const int before = first < 0 ? (-first + dilation.y - 1) / dilation.y : 0;
                const int after = first < out_size.y ? (out_size.y - 1 - first) / dilation.y + 1 : 0;
                const int last = min(kernel_size.y, after);
                for (int kx = before; kx < last; ++kx) {
                    sums[first + kx * dilation.y] += of_pixel[kx];
                }
            }
            source -= reached.source_step;
        }
        for (int column = 0; column < out_size.y; ++column) {
            store_end(sums[column], channel, bias, residual, slope, y, slope_step, alpha, beta, row_at + column);
        }
    }
}
