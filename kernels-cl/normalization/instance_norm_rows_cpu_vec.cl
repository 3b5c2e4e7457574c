// Instance normalisation of whole rows, 32 elements at a time; one row per item.
//
// Layout: x and y are [batch, channels, inner]; scale and bias are [channels].
// Assumes: fewer than 2^31 elements; global size [batch * channels].
// Macros: none.
#include "common/rows.h"
#include "common/row_sums.h"

__kernel void instance_norm_rows(
        __global const float *x,
        __global const float *scale,
        __global const float *bias,
        __global float *y,
        const int channels,
        const int inner,
        const float epsilon) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int row = at.x;
    __global const float *values = x + row * inner;
    __global float *results = y + row * inner;
    // The mean as rounded leaves a residue, which matters where the mean is large against the deviation.
    const float mean = row_sum(values, inner) / (float)inner;
    const float2 sums = row_distances(values, inner, mean) / (float)inner;
    const float residue = sums.s0;
    const float variance = sums.s1 - residue * residue;
    const float factor = scale[row % channels] / sqrt(variance + epsilon);
    const float shift = bias[row % channels];
    for (int i = 0; i < inner; i += 16) {
        const int count = min(inner - i, 16);
        write_piece((read_piece(values + i, 1, count) - mean - residue) * factor + shift, results + i, count);
    }
}
