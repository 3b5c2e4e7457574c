// Depthwise separable convolution of blocked channels, with a 1x1 convolution before it or without, straight from its
// definition: 16 lanes of one pixel of y, margin included, per item, which computes for itself what lies between.
//
// Layout: x, residual, y [image, block, row, column, 16], dense; shapes as in conv_blocked_ref.cl, those of the padded
//         x in `pads` [top, left, bottom, right]. expand [middle channel, in channel], weights [middle channel, row,
//         column], project [out channel, middle channel].
// Assumes: fewer than 2^31 elements in every tensor; without is_expanding the depthwise convolution reads x, and there
//          is no padding; residual and biases may be NULL. Activations in the order expanding, depthwise,
//          projecting; none is PRELU. Global size [columns of y, rows of y, images * blocks of y], halo included.
// Macros: none.
#include "common/epilogue_blocked.h"

// One lane behind an activation.
static float separable_ref_activated(float sum, int activation, float alpha, float beta) {
    const float16 slopes = (float16)(activation == BLOCKED_LEAKY_RELU ? alpha : 1.0f);
    return blocked_activated((float16)sum, slopes, activation, alpha, beta).s0;
}

static void conv_blocked_separable_ref_item(
        __global const float *x,
        __global const float *expand,
        __global const float *expand_bias,
        __global const float *weights,
        __global const float *bias,
        __global const float *project,
        __global const float *project_bias,
        __global const float *residual,
        __global float *y,
        const int4 activations,
        const float4 alphas,
        const float4 betas,
        const int residual_after,
        const int4 in_shape,
        const int2 crop,
        const int2 in_size,
        const int4 pads,
        const int middle_channels,
        const int is_expanding,
        const int2 kernel_size,
        const int2 stride,
        const int4 out_shape,
        const int4 halo,
        const int4 residual_shape,
        const int3 at) {
    const int row = at.y - halo.x;
    const int column = at.x - halo.y;
    const int block = at.z % out_shape.x;
    const int image = at.z / out_shape.x;
    const int rows = halo.x + out_shape.y + halo.z;
    const int columns = halo.y + out_shape.z + halo.w;
    const int plane = in_shape.y * in_shape.z * 16;
    const int lanes = min(out_shape.w - block * 16, 16);
    __global float *to = y + ((at.z * rows + at.y) * columns + at.x) * 16;
    float sums[16];
    for (int lane = 0; lane < 16; ++lane) {
        sums[lane] = 0.0f;
    }
    const int is_inside = row >= 0 && row < out_shape.y && column >= 0 && column < out_shape.z;
    for (int m = 0; m < middle_channels && is_inside; ++m) {
        float filtered = bias ? bias[m] : 0.0f;
        for (int tap = 0; tap < kernel_size.x * kernel_size.y; ++tap) {
            const int in_row = row * stride.x - pads.x + tap / kernel_size.y;
            const int in_column = column * stride.y - pads.y + tap % kernel_size.y;
            if (in_row < 0 || in_row >= in_size.x || in_column < 0 || in_column >= in_size.y) {
                continue;
            }
            const int pixel = ((crop.x + in_row) * in_shape.z + crop.y + in_column) * 16;
            __global const float *from = x + image * in_shape.x * plane + pixel;
            float value = 0.0f;
            if (is_expanding) {
                for (int c = 0; c < in_shape.w; ++c) {
                    value += from[c / 16 * plane + c % 16] * expand[m * in_shape.w + c];
                }
                value += expand_bias ? expand_bias[m] : 0.0f;
                value = separable_ref_activated(value, activations.x, alphas.x, betas.x);
            } else {
                value = from[m / 16 * plane + m % 16];
            }
            filtered += value * weights[m * kernel_size.x * kernel_size.y + tap];
        }
        filtered = separable_ref_activated(filtered, activations.y, alphas.y, betas.y);
        for (int lane = 0; lane < lanes; ++lane) {
            sums[lane] += filtered * project[(block * 16 + lane) * middle_channels + m];
        }
    }
    if (!is_inside) {
        vstore16((float16)0.0f, 0, to);
        return;
    }
    float16 sum = vload16(0, sums) + blocked_lanes(project_bias, block * 16, out_shape.w);
    float16 added = 0.0f;
    if (residual) {
        const int line = at.z * residual_shape.x + residual_shape.z + row;
        added = vload16(line * residual_shape.y + residual_shape.w + column, residual);
    }
    sum += residual_after ? (float16)0.0f : added;
    const float16 slopes = (float16)(activations.z == BLOCKED_LEAKY_RELU ? alphas.z : 1.0f);
    const float16 result = blocked_activated(sum, slopes, activations.z, alphas.z, betas.z);
    vstore16(residual_after ? result + added : result, 0, to);
}

__kernel void conv_blocked_separable_ref(
        __global const float *x,
        __global const float *expand,
        __global const float *expand_bias,
        __global const float *weights,
        __global const float *bias,
        __global const float *project,
        __global const float *project_bias,
        __global const float *residual,
        __global float *y,
        const int4 activations,
        const float4 alphas,
        const float4 betas,
        const int residual_after,
        const int4 in_shape,
        const int2 crop,
        const int2 in_size,
        const int4 pads,
        const int middle_channels,
        const int is_expanding,
        const int2 kernel_size,
        const int2 stride,
        const int4 out_shape,
        const int4 halo,
        const int4 residual_shape) {
    conv_blocked_separable_ref_item(
            x, expand, expand_bias, weights, bias, project, project_bias, residual, y, activations, alphas, betas,
            residual_after, in_shape, crop, in_size, pads, middle_channels, is_expanding, kernel_size, stride,
            out_shape, halo, residual_shape, (int3)(get_global_id(0), get_global_id(1), get_global_id(2)));
}
