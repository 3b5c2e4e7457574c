// Convolution for devices with many narrow threads: an item computes 8 output channels of one pixel.
//
// Layout: any; x, residual and y are walked with strides [batch, channel, depth, height, width], weights with [out channel
// of a group, in channel of a group, tap, group]. bias may be NULL, residual and slope where the macros do not ask for
// them; slope has one element for all output channels (slope_step == 0) or for each (1).
// Assumes: fewer than 2^31 elements in every tensor. Neighbouring items have neighbouring pixels, so reads of x are
//          coalesced where its channels come first, and weights are the same for all. Global size [at least the pixels of
//          y, batch * groups * ceil(channels of a group / 8)]; sizes are int4 [depth, height, width, 0].
// Macros: ACTIVATION, RESIDUAL (common/epilogue.h).
#include "common/element.h"
#include "common/epilogue.h"

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

__kernel void convolution_direct(
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
    const int pixel = get_global_id(0);
    if (pixel >= out_size.x * out_size.y * out_size.z) {
        return;
    }
    const int tiles = (group_out + 7) / 8;
    const int group_tile = get_global_id(1) % tiles * 8;
    const int group = get_global_id(1) / tiles % groups;
    const int image = get_global_id(1) / tiles / groups;
    const int first = group * group_out + group_tile;
    const int last = min(group_out - group_tile, 8) - 1;
    const int out_column = pixel % out_size.z;
    const int out_row = pixel / out_size.z % out_size.y;
    const int out_slice = pixel / out_size.z / out_size.y;
    const int4 in_first = (int4)(out_slice, out_row, out_column, 0) * stride - pad_begin;
    const int x_at = image * x_strides.s0 + group * group_in * x_strides.s1;
    __global const float *group_weights = weights + group * w_strides.s3 + group_tile * w_strides.s0;
    EACH_CHANNEL(DECLARE)
    for (int channel = 0; channel < group_in; ++channel) {
        for (int kz = 0; kz < kernel_size.x; ++kz) {
            const int z = in_first.x + kz * dilation.x;
            if (z < 0 || z >= in_size.x) {
                continue;
            }
            for (int ky = 0; ky < kernel_size.y; ++ky) {
                const int row = in_first.y + ky * dilation.y;
                if (row < 0 || row >= in_size.y) {
                    continue;
                }
                const int row_at = x_at + channel * x_strides.s1 + z * x_strides.s2 + row * x_strides.s3;
                for (int kx = 0; kx < kernel_size.z; ++kx) {
                    const int column = in_first.z + kx * dilation.z;
                    const bool inside = column >= 0 && column < in_size.z;
                    const float value = inside ? x[row_at + column * x_strides.s4] : 0.0f;
                    const int tap = (kz * kernel_size.y + ky) * kernel_size.z + kx;
                    __global const float *tap_weights = group_weights + channel * w_strides.s1 + tap * w_strides.s2;
                    EACH_CHANNEL(MULTIPLY)
                }
            }
        }
    }
    const int y_at = image * y_strides.s0 + first * y_strides.s1 + out_slice * y_strides.s2 + out_row * y_strides.s3
            + out_column * y_strides.s4;
    EACH_CHANNEL(WRITE)
}
