// Convolution of blocked channels with groups, stride and dilation, and with what follows it: 16 lanes of one pixel of
// y, margin included, per item.
//
// Layout: x, residual, y [image, block, row, column, 16], dense. in_shape is [blocks, rows, columns, channels], crop
//         what is left out of x at its beginning [rows, columns]; out_shape is [blocks, rows, columns, channels], no
//         halo; halo is [top, left, bottom, right]; residual_shape is [rows, columns, rows left out, columns left out].
//         weights [out channel, in channel of a group, row, column]; lanes beyond the last channel have weights of 0.
// Assumes: fewer than 2^31 elements in every tensor; bias, residual and slope may be NULL, slope not with PRELU. Global
//          size [columns of y, rows of y, images * blocks of y], halo included.
// Macros: none.
#include "common/epilogue_blocked.h"

static float conv_blocked_ref_sum(
        __global const float *x,
        __global const float *weights,
        const int4 in_shape,
        const int2 kernel_size,
        const int2 dilation,
        const int first,
        const int channels) {
    float total = 0.0f;
    for (int channel = 0; channel < channels; ++channel) {
        const int c = first + channel;
        __global const float *plane = x + c / 16 * in_shape.y * in_shape.z * 16 + c % 16;
        for (int ky = 0; ky < kernel_size.x; ++ky) {
            for (int kx = 0; kx < kernel_size.y; ++kx) {
                total += plane[(ky * dilation.x * in_shape.z + kx * dilation.y) * 16]
                        * weights[(channel * kernel_size.x + ky) * kernel_size.y + kx];
            }
        }
    }
    return total;
}

__kernel void conv_blocked_ref(
        __global const float *x,
        __global const float *weights,
        __global const float *bias,
        __global const float *residual,
        __global const float *slope,
        __global float *y,
        const int slope_step,
        const float alpha,
        const float beta,
        const int activation,
        const int residual_after,
        const int4 in_shape,
        const int2 crop,
        const int4 out_shape,
        const int4 halo,
        const int4 residual_shape,
        const int2 kernel_size,
        const int2 stride,
        const int2 dilation,
        const int groups) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int row = at.y - halo.x;
    const int column = at.x - halo.y;
    const int block = at.z % out_shape.x;
    const int image = at.z / out_shape.x;
    const int rows = halo.x + out_shape.y + halo.z;
    const int columns = halo.y + out_shape.z + halo.w;
    __global float *to = y + ((at.z * rows + at.y) * columns + at.x) * 16;
    if (row < 0 || row >= out_shape.y || column < 0 || column >= out_shape.z) {
        vstore16((float16)0.0f, 0, to);
        return;
    }
    const int group_in = in_shape.w / groups;
    const int group_out = out_shape.w / groups;
    const int first_line = image * in_shape.x * in_shape.y + crop.x + row * stride.x;
    __global const float *from = x + (first_line * in_shape.z + crop.y + column * stride.y) * 16;
    float sums[16];
    for (int lane = 0; lane < 16; ++lane) {
        const int channel = block * 16 + lane;
        sums[lane] = 0.0f;
        if (channel < out_shape.w) {
            sums[lane] = conv_blocked_ref_sum(
                    from,
                    weights + channel * group_in * kernel_size.x * kernel_size.y,
                    in_shape,
                    kernel_size,
                    dilation,
                    channel / group_out * group_in,
                    group_in);
        }
    }
    float16 sum = vload16(0, sums) + blocked_lanes(bias, block * 16, out_shape.w);
    float16 added = 0.0f;
    if (residual) {
        const int line = at.z * residual_shape.x + residual_shape.z + row;
        added = vload16(line * residual_shape.y + residual_shape.w + column, residual);
    }
    sum += residual_after ? (float16)0.0f : added;
    const float16 slopes = blocked_slopes(slope, slope_step, activation, alpha, block * 16, out_shape.w);
    const float16 result = blocked_activated(sum, slopes, activation, alpha, beta);
    vstore16(residual_after ? result + added : result, 0, to);
}
