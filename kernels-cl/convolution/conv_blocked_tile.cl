// Direct convolution of blocked channels by register tiles: some pixels of a row times some blocks of output channels,
// with what follows it. An item computes a band of tiles for a range of channel tiles of one image.
//
// Layout: x, residual, y [image, block, row, column, 16], dense; shapes as in conv_blocked_ref.cl. packed is as
//         conv_blocked_pack.cl makes it. instance chooses the tile (TILE_INSTANCES); a row of y has `tiles`, the
//         last one moved back to the end of the row; tiles of single pixels count over all rows. in_step is the input
//         blocks that are added up at a time; band_step how many tiles cannot be divided between items.
// Assumes: fewer than 2^31 elements in every tensor; bias, residual, slope may be NULL, slope not with PRELU; in_step
//          less than all only where tiles do not overlap. With is_margined x, without crop, is 0 outside of `inside`,
//          [first row, first column, end row, end column]. Global size [bands, ranges of channel tiles, images].
// Macros: none.
#include "common/blocked_tile.h"

static void conv_blocked_tile_item(
        __global const float *x,
        __global const float *packed,
        __global const float *bias,
        __global const float *residual,
        __global const float *slope,
        __global float *y,
        const int slope_step,
        const float alpha,
        const float beta,
        const int activation,
        const int residual_after,
        const int4 in_shape,
        const int2 crop,
        const int4 inside,
        const int is_margined,
        const int4 out_shape,
        const int4 halo,
        const int4 residual_shape,
        const int2 kernel_size,
        const int2 stride,
        const int2 dilation,
        const int groups,
        const int instance,
        const int4 tile,
        const int band_step,
        const int in_step,
        const int prefetch,
        const int2 parts,
        const int3 at) {
    const int pixels = tile.x;
    const int tiles = tile.z;
    ConvBlockedTile c;
    c.x_pitch = in_shape.z * 16;
    c.x_plane = in_shape.y * c.x_pitch;
    c.y_pitch = (halo.y + out_shape.z + halo.w) * 16;
    c.y_plane = (halo.x + out_shape.y + halo.z) * c.y_pitch;
    c.residual_pitch = residual_shape.y * 16;
    c.residual_plane = residual_shape.x * c.residual_pitch;
    c.x = x + at.z * in_shape.x * c.x_plane + crop.x * c.x_pitch + crop.y * 16;
    c.packed = packed;
    c.bias = bias;
    c.residual = residual ? residual + at.z * out_shape.x * c.residual_plane + residual_shape.z * c.residual_pitch
            + residual_shape.w * 16 : 0;
    c.slope = slope;
    __global float *planes = y + at.z * out_shape.x * c.y_plane;
    c.y = planes + halo.x * c.y_pitch + halo.y * 16;
    c.kernel_size = kernel_size;
    c.stride = (int2)(stride.x * c.x_pitch, stride.y * 16);
    c.dilation = (int2)(dilation.x * c.x_pitch, dilation.y * 16);
    c.step = stride;
    c.spread = dilation;
    c.inside = inside;
    c.is_margined = is_margined;
    c.columns = out_shape.z;
    c.pixels = out_shape.y * out_shape.z;
    c.tiles = tiles;
    c.group_in = in_shape.x / groups;
    c.group_out = out_shape.x / groups;
    c.group_tiles = (c.group_out + tile.y - 1) / tile.y;
    c.last_lanes = in_shape.w - (in_shape.x - 1) * 16;
    c.channels = out_shape.w;
    c.in_step = in_step;
    c.prefetch = prefetch;
    c.slope_step = slope_step;
    c.activation = activation;
    const int is_leaky = activation == BLOCKED_LEAKY_RELU || activation == BLOCKED_PRELU;
    c.residual_before = residual && !residual_after;
    c.residual_after = residual && residual_after;
    c.is_bounded = activation == BLOCKED_RELU || activation == BLOCKED_RELU6 || activation == BLOCKED_CLIP;
    c.is_finished_later = is_leaky || blocked_is_smooth(activation) || c.residual_after;
    c.alpha = alpha;
    c.low = blocked_low(activation, alpha);
    c.high = blocked_high(activation, beta);

    const int steps = tile.w / band_step;
    const int begin = (int)((long)steps * at.x / parts.x) * band_step;
    const int end = (int)((long)steps * (at.x + 1) / parts.x) * band_step;
    const int channel_tiles = groups * c.group_tiles;
    const int first = (int)((long)channel_tiles * at.y / parts.y);
    const int last = (int)((long)channel_tiles * (at.y + 1) / parts.y);
    if (begin >= end) {
        return;
    }
    if (any(halo != 0)) {
        // Where the tiles of a row divide it, tile by tile; those of single pixels are not bound to rows.
        const int row = tiles ? begin / tiles : 0;
        const int end_row = tiles ? end / tiles : 0;
        const int from = tiles ? row * out_shape.z + (begin - row * tiles) * pixels : begin * pixels;
        const int to = min(tiles ? end_row * out_shape.z + (end - end_row * tiles) * pixels : end * pixels, c.pixels);
        for (int t = first; t < last; ++t) {
            const int in_group = t % c.group_tiles * tile.y;
            const int block = t / c.group_tiles * c.group_out + in_group;
            for (int o = 0; o < min(c.group_out - in_group, tile.y); ++o) {
                blocked_margin(planes + (block + o) * c.y_plane, out_shape.yz, halo, from, to);
            }
        }
    }
    conv_blocked_tile_chosen(&c, instance, first, last, begin, end);
}

// tile is [pixels, blocks, tiles of a row or 0, tiles of an image].
__kernel void conv_blocked_tile(
        __global const float *x,
        __global const float *packed,
        __global const float *bias,
        __global const float *residual,
        __global const float *slope,
        __global float *y,
        const int slope_step,
        const float alpha,
        const float beta,
        const int activation,
        const int residual_after,
        const int4 in_shape,
        const int2 crop,
        const int4 inside,
        const int is_margined,
        const int4 out_shape,
        const int4 halo,
        const int4 residual_shape,
        const int2 kernel_size,
        const int2 stride,
        const int2 dilation,
        const int groups,
        const int instance,
        const int4 tile,
        const int band_step,
        const int in_step,
        const int prefetch,
        const int2 parts) {
    conv_blocked_tile_item(
            x, packed, bias, residual, slope, y, slope_step, alpha, beta, activation, residual_after, in_shape, crop,
            inside, is_margined, out_shape, halo, residual_shape, kernel_size, stride, dilation, groups, instance, tile,
            band_step, in_step, prefetch, parts, (int3)(get_global_id(0), get_global_id(1), get_global_id(2)));
}
