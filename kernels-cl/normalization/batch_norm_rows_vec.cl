// Batch normalisation, 16 elements of one channel per item.
//
// Layout: x and y are [batch, channels, inner]; scale, bias, mean and variance are [channels].
// Assumes: fewer than 2^31 elements; global size [ceil(inner / 16), batch * channels].
// Macros: none.
#include "common/rows.h"

__kernel void batch_norm_rows(
        __global const float *x,
        __global const float *scale,
        __global const float *bias,
        __global const float *mean,
        __global const float *variance,
        __global float *y,
        const int channels,
        const int inner,
        const float epsilon) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int column = at.x * 16;
    const int row = at.y;
    const int channel = row % channels;
    const int count = min(inner - column, 16);
    const int begin = row * inner + column;
    const float factor = scale[channel] / sqrt(variance[channel] + epsilon);
    write_piece((read_piece(x + begin, 1, count) - mean[channel]) * factor + bias[channel], y + begin, count);
}
