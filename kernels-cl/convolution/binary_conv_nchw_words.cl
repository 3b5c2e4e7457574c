// Binary convolution from words of 32 channels: an item computes one cell of a plane for CHANNELS output channels.
//
// Layout: words, strange, packed, offsets, padded, corrections as in binary_conv_pack.cl, tiles being of CHANNELS output
//         channels; y NCHW.
// Assumes: fewer than 2^31 elements in every tensor; the global size is at least the cells of all images, times
//          ceil(out channels / CHANNELS).
// Macros: ELEMENT (common/element.h), of y; CHANNELS; CORRECTED  1: padded taps are corrected.
#include "common/element.h"

#ifndef CHANNELS
#define CHANNELS 8
#endif
#ifndef CORRECTED
#define CORRECTED 0
#endif

// Sizes are int2 [height, width]; `grid` is that of one image's plane, `bits` those of an output; full_depth is the depth
// of packed.
__kernel void binary_convolution_words(
        __global const uint *words,
        __global const uint *strange,
        __global const uint *packed,
        __global const int *offsets,
        __global const uint *padded,
        __global const int *corrections,
        __global STORED *y,
        const int bits,
        const int taps,
        const int blocks,
        const int full_depth,
        const int phases,
        const int2 grid,
        const int2 out_size,
        const int out_channels,
        const int batch,
        const int images,
        const int plane) {
    const int cells = images * grid.x * grid.y;
    const int cell = get_global_id(0) % cells;
    const int tiles = (out_channels + CHANNELS - 1) / CHANNELS;
    const int tile = get_global_id(0) / cells % tiles;
    const int group = get_global_id(0) / cells / tiles;
    const int column = cell % grid.y;
    const int row = cell / grid.y % grid.x;
    const int image = group * images + cell / grid.y / grid.x;
    if (image >= batch || row >= out_size.x || column >= out_size.y) {
        return;
    }
    const int words_at = group * phases * blocks * plane + cell;
    __global const uint *w = packed + tile * full_depth * CHANNELS;
    uint unequal[CHANNELS];
    for (int c = 0; c < CHANNELS; ++c) {
        unequal[c] = 0;
    }
    for (int k = 0; k < taps * blocks; ++k) {
        const uint word = words[words_at + offsets[k]];
        const uint other = strange[words_at + offsets[k]];
        for (int c = 0; c < CHANNELS; ++c) {
            unequal[c] += popcount((word ^ w[k * CHANNELS + c]) | other);
        }
    }
    int results[CHANNELS];
    for (int c = 0; c < CHANNELS; ++c) {
        results[c] = bits - 2 * (int)unequal[c];
    }
#if CORRECTED
    for (int tap = 0; tap < taps; ++tap) {
        if (padded[cell + offsets[full_depth + tap]]) {
            for (int c = 0; c < CHANNELS; ++c) {
                results[c] += corrections[(tile * taps + tap) * CHANNELS + c];
            }
        }
    }
#endif
    const int at = (image * out_channels + tile * CHANNELS) * out_size.x + row;
    for (int c = 0; c < CHANNELS; ++c) {
        if (tile * CHANNELS + c < out_channels) {
            store_element(results[c], y, (at + c * out_size.x) * out_size.y + column);
        }
    }
}
