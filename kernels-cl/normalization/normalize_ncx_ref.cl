// Batch, instance and local response normalisation.
//
// Layout: x and y are [batch, channels, inner]; scale, bias, mean and variance are [channels].
// Assumes: fewer than 2^31 elements. batch_norm and lrn: one element per item, the global size is at least len;
//          instance_norm: one [inner] row per item, the global size is at least rows = batch * channels.
// Macros: ELEMENT (common/element.h), a floating type.
#include "common/element.h"

__kernel void batch_norm(
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
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    const int channel = i / inner % channels;
    const REAL factor = load_element(scale, channel) / sqrt(load_element(variance, channel) + epsilon);
    store_element((load_element(x, i) - load_element(mean, channel)) * factor + load_element(bias, channel), y, i);
}

__kernel void instance_norm(
        __global const STORED *x,
        __global const STORED *scale,
        __global const STORED *bias,
        __global STORED *y,
        const int rows,
        const int channels,
        const int inner,
        const REAL epsilon) {
    const int row = get_global_id(0);
    if (row >= rows) {
        return;
    }
    const int begin = row * inner;
    REAL sum = 0;
    for (int i = 0; i < inner; ++i) {
        sum += load_element(x, begin + i);
    }
    // The mean as rounded leaves a residue, which matters where the mean is large against the deviation.
    const REAL mean = sum / (REAL)inner;
    REAL residue = 0;
    REAL squares = 0;
    for (int i = 0; i < inner; ++i) {
        const REAL distance = load_element(x, begin + i) - mean;
        residue += distance;
        squares += distance * distance;
    }
    residue /= (REAL)inner;
    const REAL variance = squares / (REAL)inner - residue * residue;
    const REAL factor = load_element(scale, row % channels) / sqrt(variance + epsilon);
    const REAL shift = load_element(bias, row % channels);
    for (int i = 0; i < inner; ++i) {
        store_element((load_element(x, begin + i) - mean - residue) * factor + shift, y, begin + i);
    }
}

__kernel void lrn(
        __global const STORED *x,
        __global STORED *y,
        const int len,
        const int channels,
        const int inner,
        const int size,
        const REAL alpha,
        const REAL beta,
        const REAL bias) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    const int channel = i / inner % channels;
    const int first = max(channel - (size - 1) / 2, 0);
    const int last = min(channel + size / 2, channels - 1);
    REAL squares = 0;
    for (int c = first; c <= last; ++c) {
        const REAL value = load_element(x, i + (c - channel) * inner);
        squares += value * value;
    }
    store_element(load_element(x, i) / pow(bias + alpha / (REAL)size * squares, beta), y, i);
}
