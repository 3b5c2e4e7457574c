// Local response normalisation over neighbouring channels, four neighbouring elements of one channel per item.
//
// Layout: x and y are [batch, channels, inner].
// Assumes: len < 2^31 - 1024; inner is a multiple of four; the global size is at least len / 4.
// Macros: ELEMENT (common/element.h), a floating type; QUARTERS  1 to 4: beta is a quarter of it, 0: beta is any number.
#include "common/element.h"
#include "common/fours.h"

#ifndef QUARTERS
#define QUARTERS 0
#endif

static inline WIDE4 power_of(WIDE4 base, REAL beta) {
#if QUARTERS == 4
    return base;
#elif QUARTERS == 3
    const WIDE4 root = sqrt(base);
    return root * sqrt(root);
#elif QUARTERS == 2
    return sqrt(base);
#elif QUARTERS == 1
    return sqrt(sqrt(base));
#else
    return pow(base, (WIDE4)beta);
#endif
}

__kernel void lrn_gpu_fours(
        __global const STORED *x,
        __global STORED *y,
        const int len,
        const int channels,
        const int inner,
        const int size,
        const REAL alpha,
        const REAL beta,
        const REAL bias) {
    const int at = get_global_id(0) * 4;
    if (at >= len) {
        return;
    }
    const int channel = at / inner % channels;
    const int first = max(channel - (size - 1) / 2, 0);
    const int last = min(channel + size / 2, channels - 1);
    WIDE4 squares = 0;
    for (int c = first; c <= last; ++c) {
        const WIDE4 values = load_four(x, at + (c - channel) * inner);
        squares += values * values;
    }
    store_four(load_four(x, at) / power_of(bias + alpha / (REAL)size * squares, beta), y, at);
}
