// Transposed convolution of up to 3 spatial axes, gathered: each item sums the inputs that reach its output element.
//
// Layout: x [batch, in channels, depth, height, width], weights [in channels, out channels / groups, kernel...],
// y like x; sizes are int4 [depth, height, width, channels of all groups].
// Assumes: every tensor has fewer than 2^31 elements; the global size is at least len; bias may be NULL;
//          pad_begin is cut from the full result and may be negative.
// Macros: ELEMENT, NARROW_SUM (common/element.h).
#include "common/element.h"

// Input position that kernel tap k carries to output position `at` (padding included), or -1 if there is none.
static inline int tap_source(int at, int k, int stride, int dilation, int size) {
    const int reached = at - k * dilation;
    const int source = reached / stride;
    return reached >= 0 && source * stride == reached && source < size ? source : -1;
}

static inline WIDE window_sum(
        __global const STORED *x,
        __global const STORED *weights,
        int4 at,
        int4 in_size,
        int4 kernel_size,
        int4 stride,
        int4 dilation) {
    WIDE total = 0;
    for (int kz = 0; kz < kernel_size.x; ++kz) {
        const int z = tap_source(at.x, kz, stride.x, dilation.x, in_size.x);
        if (z < 0) continue;
        for (int ky = 0; ky < kernel_size.y; ++ky) {
            const int row = tap_source(at.y, ky, stride.y, dilation.y, in_size.y);
            if (row < 0) continue;
            for (int kx = 0; kx < kernel_size.z; ++kx) {
                const int column = tap_source(at.z, kx, stride.z, dilation.z, in_size.z);
                if (column < 0) continue;
                total += load_element(x, (z * in_size.y + row) * in_size.z + column)
                        * load_element(weights, (kz * kernel_size.y + ky) * kernel_size.z + kx);
            }
        }
    }
    return total;
}

__kernel void convolution_transposed(
        __global const STORED *x,
        __global const STORED *weights,
        __global const STORED *bias,
        __global STORED *y,
        const int len,
        const int4 in_size,
        const int4 out_size,
        const int4 kernel_size,
        const int4 stride,
        const int4 dilation,
        const int4 pad_begin,
        const int groups) {
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
    const int first_channel = out_channel / group_out * group_in;
    const int in_plane = in_size.x * in_size.y * in_size.z;
    const int kernel_plane = kernel_size.x * kernel_size.y * kernel_size.z;
    const int4 at = (int4)(depth, row, column, 0) + pad_begin;
    WIDE total = bias ? load_element(bias, out_channel) : 0;
    for (int channel = first_channel; channel < first_channel + group_in; ++channel) {
        total += window_sum(
                x + (image * in_size.w + channel) * in_plane,
                weights + (channel * group_out + out_channel % group_out) * kernel_plane,
                at,
                in_size,
                kernel_size,
                stride,
                dilation);
    }
    store_element(total, y, i);
}
