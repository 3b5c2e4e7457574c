// The transforms of 3x3 convolutions with stride 1 by Winograd's minimal filtering, F(SPAN x SPAN, 3 x 3), for devices
// with many narrow threads: an item has one tile of one channel, its neighbours have neighbouring tiles, so that reads
// and writes are coalesced. The products are those of conv_gpu_winograd_product.cl. What pads is 0.
// Layout: x, residual, y NCHW, dense; weights with strides [out channel, in channel, tap]. Tiles are counted by [image,
//         row, column]. transformed is [position, in channel (padded), tile (padded)], products [position, out channel,
//         tile (padded)], packed [position, tile of out channels, in channel (padded), out channel].
// Assumes: fewer than 2^31 elements in every tensor; global size [tiles (padded), channels (padded)] of transformed,
//          [at least tiles, out channels] of products, and at least out by in channels (padded) of packed; bias may be
//          NULL, residual and slope as the macros say.
// Macros: ELEMENT (common/element.h): float32, float16 or bfloat16; SPAN  4 or 2: outputs of a tile along an axis;
//         ROW_QUADS  1: SPAN divides the width of y; ACTIVATION, RESIDUAL (common/epilogue.h).
#include "common/element.h"
#include "common/epilogue.h"
#include "common/winograd.h"

#ifndef SPAN
#define SPAN 4
#endif
#ifndef ROW_QUADS
#define ROW_QUADS 0
#endif
#define SPAN_EDGE (SPAN + 2)
#if SPAN == 4
#define SPAN_VECTOR float4
#define LOAD_SPAN(from) vload4(0, from)
#define STORE_SPAN(values, to) vstore4(values, 0, to)
#else
#define SPAN_VECTOR float2
#define LOAD_SPAN(from) vload2(0, from)
#define STORE_SPAN(values, to) vstore2(values, 0, to)
#endif

#if SPAN == 4
WINOGRAD_WEIGHTS_4(span_weights, float)
WINOGRAD_INPUTS_4(span_inputs, float)
WINOGRAD_BACK_4(span_back, float)
#else
WINOGRAD_WEIGHTS_2(span_weights, float)
WINOGRAD_INPUTS_2(span_inputs, float)
WINOGRAD_BACK_2(span_back, float)
#endif

// An item packs one pair of channels.
__kernel void winograd_groups_weights(
        __global const STORED *weights,
        __global float *packed,
        const int in_channels,
        const int out_channels,
        const int channel_slots,
        const int row_tiles,
        const int tile_rows,
        const int4 w_strides) {
    const int row = get_global_id(0);
    const int channel = get_global_id(1);
    if (row >= row_tiles * tile_rows || channel >= channel_slots) {
        return;
    }
    const bool exists = row < out_channels && channel < in_channels;
    const int from = exists ? row * w_strides.x + channel * w_strides.y : 0;
    float down[SPAN_EDGE * 3];
    _Pragma("unroll")
    for (int c = 0; c < 3; ++c) {
        float g[3];
        _Pragma("unroll")
        for (int r = 0; r < 3; ++r) {
            g[r] = exists ? load_element(weights, from + (3 * r + c) * w_strides.z) : 0.0f;
        }
        span_weights(g, down + c, 3);
    }
    const int step = row_tiles * channel_slots * tile_rows;
    __global float *to = packed + (row / tile_rows * channel_slots + channel) * tile_rows + row % tile_rows;
    _Pragma("unroll")
    for (int r = 0; r < SPAN_EDGE; ++r) {
        float across[SPAN_EDGE];
        span_weights(down + 3 * r, across, 1);
        _Pragma("unroll")
        for (int c = 0; c < SPAN_EDGE; ++c) {
            to[(r * SPAN_EDGE + c) * step] = across[c];
        }
    }
}

__kernel void winograd_groups_transform(
        __global const STORED *x,
        __global float *transformed,
        const int2 in_size,
        const int2 pad_begin,
        const int2 tile_size,
        const int tiles,
        const int pitch,
        const int in_channels,
        const int channel_slots) {
    const int tile = get_global_id(0);
    const int channel = get_global_id(1);
    if (tile >= pitch || channel >= channel_slots) {
        return;
    }
    const bool exists = tile < tiles && channel < in_channels;
    const int row = tile / tile_size.y % tile_size.x * SPAN - pad_begin.x;
    const int column = tile % tile_size.y * SPAN - pad_begin.y;
    const int image = tile / tile_size.y / tile_size.x;
    const int plane_at = (image * in_channels + channel) * in_size.x * in_size.y;
    float down[SPAN_EDGE * SPAN_EDGE];
    _Pragma("unroll")
    for (int c = 0; c < SPAN_EDGE; ++c) {
        const bool has_column = exists && column + c >= 0 && column + c < in_size.y;
        float d[SPAN_EDGE];
        // What is not there is read where something is, and left out: no branch stands between the loads.
        _Pragma("unroll")
        for (int r = 0; r < SPAN_EDGE; ++r) {
            const bool inside = has_column && row + r >= 0 && row + r < in_size.x;
            const float value = load_element(x, inside ? plane_at + (row + r) * in_size.y + column + c : 0);
            d[r] = inside ? value : 0.0f;
        }
        span_inputs(d, down + c, SPAN_EDGE);
    }
    const int step = channel_slots * pitch;
    __global float *to = transformed + channel * pitch + tile;
    _Pragma("unroll")
    for (int r = 0; r < SPAN_EDGE; ++r) {
        float across[SPAN_EDGE];
        span_inputs(down + r * SPAN_EDGE, across, 1);
        _Pragma("unroll")
        for (int c = 0; c < SPAN_EDGE; ++c) {
            to[(r * SPAN_EDGE + c) * step] = across[c];
        }
    }
}

__kernel void winograd_groups_back(
        __global const float *products,
        __global const STORED *bias,
        __global const STORED *residual,
        __global const STORED *slope,
        __global STORED *y,
        const int slope_step,
        const float alpha,
        const float beta,
        const int2 out_size,
        const int2 tile_size,
        const int tiles,
        const int pitch,
        const int out_channels) {
    const int tile = get_global_id(0);
    const int channel = get_global_id(1);
    if (tile >= tiles || channel >= out_channels) {
        return;
    }
    const int step = out_channels * pitch;
    __global const float *from = products + channel * pitch + tile;
    float down[SPAN * SPAN_EDGE];
    _Pragma("unroll")
    for (int c = 0; c < SPAN_EDGE; ++c) {
        float m[SPAN_EDGE];
        _Pragma("unroll")
        for (int r = 0; r < SPAN_EDGE; ++r) {
            m[r] = from[(r * SPAN_EDGE + c) * step];
        }
        span_back(m, down + c, SPAN_EDGE);
    }
    const int row = tile / tile_size.y % tile_size.x * SPAN;
    const int column = tile % tile_size.y * SPAN;
    const int image = tile / tile_size.y / tile_size.x;
    const float start = bias ? load_element(bias, channel) : 0.0f;
    const float factor = ACTIVATION_KIND == FUNCTION_PRELU ? load_element(slope, channel * slope_step) : 0.0f;
    const int at = ((image * out_channels + channel) * out_size.x + row) * out_size.y + column;
    _Pragma("unroll")
    for (int r = 0; r < SPAN; ++r) {
        if (row + r < out_size.x) {
            float sums[SPAN];
            span_back(down + r * SPAN_EDGE, sums, 1);
            const int to = at + r * out_size.y;
#if ROW_QUADS && ELEMENT_KIND == 7
            float added[SPAN];
            STORE_SPAN(RESIDUAL_KIND ? *(__global const SPAN_VECTOR *)(residual + to) : 0.0f, added);
            _Pragma("unroll")
            for (int c = 0; c < SPAN; ++c) {
                sums[c] = finished(sums[c] + start, added[c], factor, alpha, beta);
            }
            *(__global SPAN_VECTOR *)(y + to) = LOAD_SPAN(sums);
#else
            _Pragma("unroll")
            for (int c = 0; c < SPAN; ++c) {
                if (column + c < out_size.y) {
                    const float added = RESIDUAL_KIND ? load_element(residual, to + c) : 0.0f;
                    store_element(finished(sums[c] + start, added, factor, alpha, beta), y, to + c);
                }
            }
#endif
        }
    }
}
