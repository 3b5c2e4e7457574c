// Batch, instance and local response normalisation.
//
// Layout: x and y are [batch, channels, inner]; scale, bias, mean and variance are [channels].
// Assumes: fewer than 2^31 elements. batch_norm and lrn: one element per item, the global size is at least len;
//          instance_norm: one [inner] row per item, the global size is at least rows = batch * channels.
// Macros: STORAGE (common/real.h).
#include "common/real.h"

__kernel void batch_norm(
        __global const REAL *x,
        __global const REAL *scale,
        __global const REAL *bias,
        __global const REAL *mean,
        __global const REAL *variance,
        __global REAL *y,
        const int len,
        const int channels,
        const int inner,
        const float epsilon) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    const int channel = i / inner % channels;
    const float factor = load_real(scale, channel) / sqrt(load_real(variance, channel) + epsilon);
    store_real((load_real(x, i) - load_real(mean, channel)) * factor + load_real(bias, channel), y, i);
}

__kernel void instance_norm(
        __global const REAL *x,
        __global const REAL *scale,
        __global const REAL *bias,
        __global REAL *y,
        const int rows,
        const int channels,
        const int inner,
        const float epsilon) {
    const int row = get_global_id(0);
    if (row >= rows) {
        return;
    }
    const int begin = row * inner;
    float sum = 0.0f;
    for (int i = 0; i < inner; ++i) {
        sum += load_real(x, begin + i);
    }
    // The mean as rounded leaves a residue, which matters where the mean is large against the deviation.
    const float mean = sum / (float)inner;
    float residue = 0.0f;
    float squares = 0.0f;
    for (int i = 0; i < inner; ++i) {
        const float distance = load_real(x, begin + i) - mean;
        residue += distance;
        squares += distance * distance;
    }
    residue /= (float)inner;
    const float variance = squares / (float)inner - residue * residue;
    const float factor = load_real(scale, row % channels) / sqrt(variance + epsilon);
    const float shift = load_real(bias, row % channels);
    for (int i = 0; i < inner; ++i) {
        store_real((load_real(x, begin + i) - mean - residue) * factor + shift, y, begin + i);
    }
}

__kernel void lrn(
        __global const REAL *x,
        __global REAL *y,
        const int len,
        const int channels,
        const int inner,
        const int size,
        const float alpha,
        const float beta,
        const float bias) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    const int channel = i / inner % channels;
    const int first = max(channel - (size - 1) / 2, 0);
    const int last = min(channel + size / 2, channels - 1);
    float squares = 0.0f;
    for (int c = first; c <= last; ++c) {
        const float value = load_real(x, i + (c - channel) * inner);
        squares += value * value;
    }
    store_real(load_real(x, i) / pow(bias + alpha / (float)size * squares, beta), y, i);
}
