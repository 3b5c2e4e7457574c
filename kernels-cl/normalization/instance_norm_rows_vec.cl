// Instance normalisation of whole rows, 32 elements at a time; one row per item.
//
// Layout: x and y are [batch, channels, inner]; scale and bias are [channels].
// Assumes: fewer than 2^31 elements; global size [batch * channels].
// Macros: none.
#include "common/rows.h"

static inline float instance_norm_lane_sum(float16 values) {
    const float8 eight = values.s01234567 + values.s89abcdef;
    const float4 four = eight.s0123 + eight.s4567;
    return four.s0 + four.s1 + four.s2 + four.s3;
}

static inline float instance_norm_row_sum(__global const float *x, int count) {
    float16 wide_a = 0.0f;
    float16 wide_b = 0.0f;
    int i = 0;
    for (; i + 32 <= count; i += 32) {
        wide_a += vload16(0, x + i);
        wide_b += vload16(0, x + i + 16);
    }
    float total = instance_norm_lane_sum(wide_a + wide_b);
    for (; i < count; ++i) {
        total += x[i];
    }
    return total;
}

// The sum of the distances of a row to `centre` and that of their squares.
static inline float2 instance_norm_distances(__global const float *x, int count, float centre) {
    float16 sum_a = 0.0f;
    float16 sum_b = 0.0f;
    float16 squares_a = 0.0f;
    float16 squares_b = 0.0f;
    int i = 0;
    for (; i + 32 <= count; i += 32) {
        const float16 a = vload16(0, x + i) - centre;
        const float16 b = vload16(0, x + i + 16) - centre;
        sum_a += a;
        sum_b += b;
        squares_a += a * a;
        squares_b += b * b;
    }
    float2 sums = (float2)(instance_norm_lane_sum(sum_a + sum_b), instance_norm_lane_sum(squares_a + squares_b));
    for (; i < count; ++i) {
        const float distance = x[i] - centre;
        sums += (float2)(distance, distance * distance);
    }
    return sums;
}

static void instance_norm_rows_item(
        __global const float *x,
        __global const float *scale,
        __global const float *bias,
        __global float *y,
        const int channels,
        const int inner,
        const float epsilon,
        const int3 at) {
    const int row = at.x;
    __global const float *values = x + row * inner;
    __global float *results = y + row * inner;
    // The mean as rounded leaves a residue, which matters where the mean is large against the deviation.
    const float mean = instance_norm_row_sum(values, inner) / (float)inner;
    const float2 sums = instance_norm_distances(values, inner, mean) / (float)inner;
    const float residue = sums.s0;
    const float variance = sums.s1 - residue * residue;
    const float factor = scale[row % channels] / sqrt(variance + epsilon);
    const float shift = bias[row % channels];
    for (int i = 0; i < inner; i += 16) {
        const int count = min(inner - i, 16);
        write_piece((read_piece(values + i, 1, count) - mean - residue) * factor + shift, results + i, count);
    }
}

__kernel void instance_norm_rows(
        __global const float *x,
        __global const float *scale,
        __global const float *bias,
        __global float *y,
        const int channels,
        const int inner,
        const float epsilon) {
    instance_norm_rows_item(
            x, scale, bias, y, channels, inner, epsilon,
            (int3)(get_global_id(0), get_global_id(1), get_global_id(2)));
}
