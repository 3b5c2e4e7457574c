// Batch normalisation, four neighbouring elements per item.
//
// Layout: x and y are [batch, channels, inner]; scale, bias, mean and variance are [channels].
// Assumes: len < 2^31 - 1024; the global size is at least ceil(len / 4) and rounded up to 64; x may be y.
// Macros: ELEMENT (common/element.h), a floating type.
#include "common/element.h"
#include "common/fours.h"

__kernel void batch_norm_gpu_fours(
        __global const STORED *x,
        __global const STORED *scale,
        __global const STORED *bias,
        __global const STORED *mean,
        __global const STORED *variance,
        __global STORED *y,
        const int len,
        const int channels,
        const int inner,
        const REAL epsilon) {
    const int at = get_global_id(0) * 4;
    for (int i = at; i < min(at + 4, len); ++i) {
        const int plane = i / inner;
        const int channel = plane % channels;
        const REAL factor = load_element(scale, channel) / sqrt(load_element(variance, channel) + epsilon);
        const REAL centre = load_element(mean, channel);
        const REAL shift = load_element(bias, channel);
        if (i == at && at + 4 <= (plane + 1) * inner) {
            store_four((load_four(x, at) - centre) * factor + shift, y, at);
            return;
        }
        store_element((load_element(x, i) - centre) * factor + shift, y, i);
    }
}
