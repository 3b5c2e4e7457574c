// Local response normalisation over neighbouring channels, 16 elements of one channel per item.
//
// Layout: x and y are [batch, channels, inner].
// Assumes: fewer than 2^31 elements; beta is QUARTERS / 4. Global size [ceil(inner / 16), batch * channels].
// Macros: QUARTERS  1 to 4.
#include "common/rows.h"

#ifndef QUARTERS
#define QUARTERS 3
#endif

static inline float16 power_of(float16 base) {
#if QUARTERS == 4
    return base;
#elif QUARTERS == 3
    const float16 root = sqrt(base);
    return root * sqrt(root);
#elif QUARTERS == 2
    return sqrt(base);
#else
    return sqrt(sqrt(base));
#endif
}

__kernel void lrn_rows(
        __global const float *x,
        __global float *y,
        const int channels,
        const int inner,
        const int size,
        const float alpha,
        const float bias) {
    const int column = get_global_id(0) * 16;
    const int row = get_global_id(1);
    const int channel = row % channels;
    const int count = min(inner - column, 16);
    const int at = row * inner + column;
    const int first = max(channel - (size - 1) / 2, 0);
    const int last = min(channel + size / 2, channels - 1);
    float16 squares = 0.0f;
    for (int c = first; c <= last; ++c) {
        const float16 value = read_piece(x + at + (c - channel) * inner, 1, count);
        squares += value * value;
    }
    const float16 base = bias + alpha / (float)size * squares;
    write_piece(read_piece(x + at, 1, count) / power_of(base), y + at, count);
}
