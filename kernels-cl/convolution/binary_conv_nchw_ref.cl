// Binary convolution: each output is the number of input elements that equal their weight bit, less that of the others.
//
// Layout: x, y NCHW; weights OIHW as one stream of bits, the most significant of each byte first, without gaps.
// Assumes: fewer than 2^31 elements in every tensor, fewer than 2^31 bits per output; the global size is at least len.
// Macros: ELEMENT (common/element.h); PAD  what a padded element is: 0, 1  a bit; NEVER  equal to no bit;
//         EXCLUDED  not there. Any other element of x than 0 and 1 equals no bit.
#include "common/element.h"

#define NEVER 2
#define EXCLUDED 3
#ifndef PAD
#define PAD 0
#endif

static inline int weight_bit(__global const uchar *weights, int index) {
    return weights[index / 8] >> (7 - index % 8) & 1;
}

// Sizes are int2 [height, width].
__kernel void binary_convolution(
        __global const STORED *x,
        __global const uchar *weights,
        __global STORED *y,
        const int len,
        const int in_channels,
        const int out_channels,
        const int2 in_size,
        const int2 out_size,
        const int2 kernel_size,
        const int2 stride,
        const int2 dilation,
        const int2 pad_begin) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    const int column = i % out_size.y;
    const int row = i / out_size.y % out_size.x;
    const int plane = i / out_size.y / out_size.x;
    const int out_channel = plane % out_channels;
    const int image = plane / out_channels;
    const int taps = kernel_size.x * kernel_size.y;
    int total = 0;
    for (int tap = 0; tap < taps; ++tap) {
        const int r = row * stride.x - pad_begin.x + tap / kernel_size.y * dilation.x;
        const int c = column * stride.y - pad_begin.y + tap % kernel_size.y * dilation.y;
        const bool inside = r >= 0 && r < in_size.x && c >= 0 && c < in_size.y;
        if (!inside && PAD == EXCLUDED) {
            continue;
        }
        for (int channel = 0; channel < in_channels; ++channel) {
            const int bit = weight_bit(weights, (out_channel * in_channels + channel) * taps + tap);
            bool equal = PAD == bit;
            if (inside) {
                equal = load_element(x, ((image * in_channels + channel) * in_size.x + r) * in_size.y + c) == bit;
            }
            total += equal ? 1 : -1;
        }
    }
    // as ulong a sum below 0 would be a large one
    store_element(LOWEST == 0 && total < 0 ? 0 : total, y, i);
}
