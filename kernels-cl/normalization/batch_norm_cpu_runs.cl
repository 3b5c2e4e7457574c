// Batch normalisation of float32: an item does runs of planes.
//
// Layout: x and y are [batch, channels, inner]; scale, bias, mean and variance are [channels].
// Assumes: fewer than 2^31 elements. The len elements of y are divided into `items` pieces. Global size [items].
// Macros: none.
#include "common/epilogue_blocked.h"

__attribute__((noinline)) static void batch_norm_run(
        __global const float *x, __global float *y, float factor, float mean, float bias, int count) {
    int i = 0;
    for (; i + 16 <= count; i += 16) {
        blocked_store((blocked_load(x + i) - mean) * factor + bias, y + i);
    }
    _Pragma("clang loop vectorize(disable)") for (; i < count; ++i) {
        y[i] = (x[i] - mean) * factor + bias;
    }
}

__kernel void batch_norm_cpu_runs(
        __global const float *x,
        __global const float *scale,
        __global const float *bias,
        __global const float *mean,
        __global const float *variance,
        __global float *y,
        const int len,
        const int channels,
        const int inner,
        const float epsilon,
        const int items) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int end = (int)((long)len * (at.x + 1) / items);
    int place = (int)((long)len * at.x / items);
    const int plane = place / inner;
    int channel = plane % channels;
    int column = place - plane * inner;
    while (place < end) {
        const int count = min(inner - column, end - place);
        const float factor = scale[channel] / sqrt(variance[channel] + epsilon);
        batch_norm_run(x + place, y + place, factor, mean[channel], bias[channel], count);
        place += count;
        column = 0;
        channel = channel + 1 == channels ? 0 : channel + 1;
    }
}
