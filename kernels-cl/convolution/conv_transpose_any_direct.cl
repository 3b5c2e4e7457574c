// Transposed convolution for devices with many narrow threads: an item computes 8 output channels of one pixel.
// Neighbouring items have pixels of one residue of the stride, so that they need the same taps.
//
// Layout: any; x, residual and y with strides [batch, channel, depth, height, width], weights with [out channel of a group,
//         in channel of a group, tap, group]; sizes are int4 [depth, height, width, 0]; bias may be NULL.
// Assumes: fewer than 2^31 elements in every tensor. Global size [at least the pixels of a residue, batch * groups *
//          ceil(channels of a group / 8), stride.x * stride.y * stride.z].
// Macros: ACTIVATION, RESIDUAL (common/epilogue.h).
#include "common/element.h"
#include "common/epilogue.h"
#include "common/taps.h"

#define EACH_CHANNEL(do) do(0) do(1) do(2) do(3) do(4) do(5) do(6) do(7)
#define DECLARE(o)                                                  \
    const int w##o = min(o, last) * w_strides.s0;                   \
    float total##o = bias ? bias[first + min(o, last)] : 0.0f;
#define MULTIPLY(o) total##o += value * tap_weights[w##o];
#define WRITE(o)                                                    \
    if (o <= last) {                                                \
        const int to = y_at + o * y_strides.s1;                     \
        const float added = RESIDUAL_KIND ? residual[to] : 0.0f;    \
        const float factor = ACTIVATION_KIND == FUNCTION_PRELU ? slope[(first + o) * slope_step] : 0.0f; \
        y[to] = finished(total##o, added, factor, alpha, beta);     \
    }

__kernel void convolution_transposed_direct(
        __global const float *x,
        __global const float *weights,
        __global const float *bias,
        __global const float *residual,
        __global const float *slope,
        __global float *y,
        const int slope_step,
        const float alpha,
        const float beta,
        const int4 in_size,
        const int4 out_size,
        const int4 kernel_size,
        const int4 stride,
        const int4 dilation,
        const int4 pad_begin,
        const int groups,
        const int group_in,
        const int group_out,
        const int8 x_strides,
        const int4 w_strides,
        const int8 y_strides) {
    const int width = (out_size.z + stride.z - 1) / stride.z;
    const int height = (out_size.y + stride.y - 1) / stride.y;
    const int pixel = get_global_id(0);
    const int residue = get_global_id(2);
    const int out_slice = pixel / width / height * stride.x + residue / stride.z / stride.y;
    const int out_row = pixel / width % height * stride.y + residue / stride.z % stride.y;
    const int out_column = pixel % width * stride.z + residue % stride.z;
    if (out_slice >= out_size.x || out_row >= out_size.y || out_column >= out_size.z) {
        return;
    }
    const int tiles = (group_out + 7) / 8;
    const int group_tile = get_global_id(1) % tiles * 8;
    const int group = get_global_id(1) / tiles % groups;
    const int image = get_global_id(1) / tiles / groups;
    const int first = group * group_out + group_tile;
    const int last = min(group_out - group_tile, 8) - 1;
    const Taps slices = taps_to(out_slice + pad_begin.x, 1, in_size.x, kernel_size.x, stride.x, dilation.x);
    const Taps rows = taps_to(out_row + pad_begin.y, 1, in_size.y, kernel_size.y, stride.y, dilation.y);
    const Taps columns = taps_to(out_column + pad_begin.z, 1, in_size.z, kernel_size.z, stride.z, dilation.z);
    __global const float *group_x = x + image * x_strides.s0 + group * group_in * x_strides.s1;
    __global const float *group_weights = weights + group * w_strides.s3 + group_tile * w_strides.s0;
    EACH_CHANNEL(DECLARE)
    int slice = slices.source;
    for (int kz = slices.first; kz < slices.end; kz += slices.step) {
        int row = rows.source;
        for (int ky = rows.first; ky < rows.end; ky += rows.step) {
            int column = columns.source;
            for (int kx = columns.first; kx < columns.end; kx += columns.step) {
                const int at = slice * x_strides.s2 + row * x_strides.s3 + column * x_strides.s4;
                const int tap = (kz * kernel_size.y + ky) * kernel_size.z + kx;
                __global const float *tap_weights = group_weights + tap * w_strides.s2;
                for (int channel = 0; channel < group_in; ++channel) {
                    const float value = group_x[channel * x_strides.s1 + at];
                    EACH_CHANNEL(MULTIPLY)
                    tap_weights += w_strides.s1;
                }
                column -= columns.source_step;
            }
            row -= rows.source_step;
        }
        slice -= slices.source_step;
    }
    const int y_at = image * y_strides.s0 + first * y_strides.s1 + out_slice * y_strides.s2 + out_row * y_strides.s3
            + out_column * y_strides.s4;
    EACH_CHANNEL(WRITE)
}
