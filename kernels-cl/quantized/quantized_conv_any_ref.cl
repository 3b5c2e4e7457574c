// Convolution of codes, of up to 3 spatial axes with groups, stride, dilation and padding: one output element per item.
//
// Layout: any; x and y are walked with strides [batch, channel, depth, height, width], weights are dense [out channel, in
// channel of a group, depth, height, width]. Sizes are int4 [depth, height, width, channels of all groups].
// w_steps: how far w_zero_point and w_scale go on from one output channel to the next, 0 or 1.
// Assumes: every tensor has fewer than 2^31 elements; the global size is at least len; bias and zero points may be NULL,
//          scales where RESULT_KIND does not ask for them. Padding is x_zero_point. Sums wrap.
// Macros: X_CODE, W_CODE  char or uchar; RESULT, RESULT_KIND (common/requantize.h).
#include "common/requantize.h"

#ifndef X_CODE
#define X_CODE uchar
#endif
#ifndef W_CODE
#define W_CODE char
#endif

typedef struct {
    int4 first;
    int4 in_size;
    int4 kernel_size;
    int4 dilation;
    int8 x_strides;
    int x_zero;
    int w_zero;
} CodeWindow;

static inline int window_sum(const CodeWindow *window, __global const X_CODE *x, __global const W_CODE *weights) {
    int total = 0;
    int tap = 0;
    for (int kz = 0; kz < window->kernel_size.x; ++kz) {
        const int z = window->first.x + kz * window->dilation.x;
        for (int ky = 0; ky < window->kernel_size.y; ++ky) {
            const int row = window->first.y + ky * window->dilation.y;
            for (int kx = 0; kx < window->kernel_size.z; ++kx, ++tap) {
                const int column = window->first.z + kx * window->dilation.z;
                if (z < 0 || z >= window->in_size.x || row < 0 || row >= window->in_size.y || column < 0
                        || column >= window->in_size.z) {
                    continue;
                }
                const int at = z * window->x_strides.s2 + row * window->x_strides.s3 + column * window->x_strides.s4;
                total += (x[at] - window->x_zero) * (weights[tap] - window->w_zero);
            }
        }
    }
    return total;
}

__kernel void quantized_convolution(
        __global const X_CODE *x,
        __global const W_CODE *weights,
        __global const int *bias,
        __global const X_CODE *x_zero_point,
        __global const W_CODE *w_zero_point,
        __global const float *x_scale,
        __global const float *w_scale,
        __global const float *y_scale,
        __global const RESULT *y_zero_point,
        __global RESULT *y,
        const int2 w_steps,
        const int len,
        const int4 in_size,
        const int4 out_size,
        const int4 kernel_size,
        const int4 stride,
        const int4 dilation,
        const int4 pad_begin,
        const int groups,
        const int8 x_strides,
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
    const int group = out_channel / (out_size.w / groups);
    const int taps = kernel_size.x * kernel_size.y * kernel_size.z;
    const CodeWindow window = {
        (int4)(depth, row, column, 0) * stride - pad_begin,
        in_size,
        kernel_size,
        dilation,
        x_strides,
        x_zero_point ? x_zero_point[0] : 0,
        w_zero_point ? w_zero_point[out_channel * w_steps.x] : 0};
    int total = bias ? bias[out_channel] : 0;
    for (int channel = 0; channel < group_channels; ++channel) {
        total += window_sum(
                &window,
                x + image * x_strides.s0 + (group * group_channels + channel) * x_strides.s1,
                weights + (out_channel * group_channels + channel) * taps);
    }
#if RESULT_KIND == 0
    const float scale = 1;
#elif RESULT_KIND == 1
    const float scale = scale_of(x_scale[0], w_scale[out_channel * w_steps.y], 1);
#else
    const float scale = scale_of(x_scale[0], w_scale[out_channel * w_steps.y], y_scale[0]);
#endif
    const int at = image * y_strides.s0 + out_channel * y_strides.s1 + depth * y_strides.s2 + row * y_strides.s3
            + column * y_strides.s4;
    store_sum(total, scale, y_zero_point ? (int)y_zero_point[0] : 0, y, at);
}
