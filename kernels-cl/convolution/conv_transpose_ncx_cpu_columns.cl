// Transposed convolution of small maps: a product of matrices (linalg/product_cpu_tiles.cl) gives each input pixel's share of
// every output that its taps reach, and these shares are added.
//
// Layout: x, residual, y NCHW, dense; rows is [pixel of all images, pitch], what is beyond the channels stays as it is;
//         columns is [pixel of all images, out channel, tap]. Sizes are [rows, columns]; bias may be NULL.
// Assumes: float32; fewer than 2^31 elements in every tensor; local size 1. Global size of columns_rows
//          [ceil(channels / 16), ceil(pixels / 16), batch], of columns_add [out channels, ceil(rows of y / band), batch].
// Macros: none.
#include "common/runs_end.h"
#include "common/taps.h"

#define STEP 16

// An item brings 16 channels of 16 pixels together.
__kernel void columns_rows(
        __global const float *x,
        __global float *rows,
        const int channels,
        const int pixels,
        const int pitch) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int channel = at.x * STEP;
    const int pixel = at.y * STEP;
    const int channel_count = min(channels - channel, STEP);
    const int pixel_count = min(pixels - pixel, STEP);
    __global const float *from = x + (at.z * channels + channel) * pixels + pixel;
    __global float *to = rows + (at.z * pixels + pixel) * pitch + channel;
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
        const int activation,
        const int residual_after,
        const float alpha,
        const float beta,
        const int channels,
        const int2 in_size,
        const int2 out_size,
        const int2 kernel_size,
        const int2 stride,
        const int2 dilation,
        const int2 pad_begin,
        const int band) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int channel = at.x;
    const int taps = kernel_size.x * kernel_size.y;
    const int pitch = channels * taps;
    const int first_row = at.y * band;
    const int end_row = min(first_row + band, out_size.x);
    __global const float *shares = columns + at.z * in_size.x * in_size.y * pitch + channel * taps;
    const int plane_at = (at.z * channels + channel) * out_size.x * out_size.y;
    const float start = bias ? bias[channel] : 0.0f;
    for (int row = first_row; row < end_row; ++row) {
        __global float *sums = y + plane_at + row * out_size.y;
        for (int column = 0; column < out_size.y; ++column) {
            sums[column] = start;
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
    }
    const int begin = plane_at + first_row * out_size.y;
    const int count = (end_row - first_row) * out_size.y;
    if (activation != FUNCTION_NONE || residual) {
        const float bend = runs_slope(slope, slope_step, channel, activation, alpha);
        const float low = blocked_low(activation, alpha);
        const float high = blocked_high(activation, beta);
        for (int i = 0; i < count; i += 16) {
            const int left = min(count - i, 16);
            __global float *run = y + begin + i;
            const float16 sum = left >= 16 ? blocked_load(run) : runs_read(run, left);
            runs_end(sum, residual && !residual_after ? residual + begin + i : 0, bend, low, high, run, left);
        }
    }
    if (blocked_is_smooth(activation) || residual_after) {
        runs_end_late(y + begin, residual_after ? residual + begin : 0, 1, count, count, activation);
    }
}
