// Depthwise separable convolution of blocked channels, with a 1x1 convolution that expands the channels before it or
// without: what lies between the convolutions stays in the scratch memory of an item, some rows at a time. An item
// computes a band of rows of one image.
//
// Layout: x, residual, y [image, block, row, column, 16], dense; shapes as in conv_blocked_ref.cl. expand and project
//         are packed for their register tiles, depthwise as [block, tap, 16], all by conv_blocked_pack.cl. Tiles are
//         [number in common/blocked_tile.h, pixels, blocks, tiles of a row]. scratch has rows of expanded x, as many
//         as rows[0] rows of y need, in blocks, rows and columns with the padding, then rows[0] rows in blocks.
// Assumes: fewer than 2^31 elements in every tensor; without is_expanding the depthwise convolution reads x, and there
//          is no padding; residual and biases may be NULL. Activations in the order expanding, depthwise,
//          projecting; none is PRELU. Global size [bands, 1, images].
// Macros: none.
#include "common/blocked_depthwise.h"
#include "common/blocked_tile.h"

// What of a tile's convolution is the same in all its uses here; the rest is 0.
static ConvBlockedTile separable_pointwise(
        __global const float *packed,
        __global const float *bias,
        int4 tile,
        int in_channels,
        int out_channels,
        int columns,
        int activation,
        float alpha,
        float beta) {
    const int is_leaky = activation == BLOCKED_LEAKY_RELU;
    const int in_blocks = (in_channels + 15) / 16;
    ConvBlockedTile c;
    c.packed = packed;
    c.bias = bias;
    c.residual = 0;
    c.slope = 0;
    c.residual_pitch = 0;
    c.residual_plane = 0;
    c.kernel_size = (int2)(1, 1);
    c.dilation = (int2)(0, 0);
    c.step = (int2)(1, 1);
    c.spread = (int2)(1, 1);
    c.inside = (int4)(0, 0, 0, 0);
    c.is_margined = 0;
    c.columns = columns;
    c.pixels = 0;
    c.tiles = tile.w;
    c.group_in = in_blocks;
    c.group_out = (out_channels + 15) / 16;
    c.group_tiles = (c.group_out + tile.z - 1) / tile.z;
    c.last_lanes = in_channels - (in_blocks - 1) * 16;
    c.channels = out_channels;
    c.in_step = in_blocks;
    c.prefetch = 0;
    c.slope_step = 0;
    c.activation = activation;
    c.residual_before = 0;
    c.residual_after = 0;
    c.is_bounded = activation == BLOCKED_RELU || activation == BLOCKED_RELU6 || activation == BLOCKED_CLIP;
    c.is_finished_later = is_leaky || blocked_is_smooth(activation);
    c.alpha = alpha;
    c.low = blocked_low(activation, alpha);
    c.high = blocked_high(activation, beta);
    return c;
}

static void separable_zeros(__global float *planes, int blocks, int plane, int count) {
    for (int block = 0; block < blocks; ++block) {
        blocked_zeros(planes + block * plane, count);
    }
}

static void separable_copy(__global const float *from, __global float *to, int blocks, int plane, int count) {
    for (int block = 0; block < blocks; ++block) {
        for (int i = 0; i < count; ++i) {
            blocked_store(blocked_load(from + block * plane + i * 16), to + block * plane + i * 16);
        }
    }
}

static void conv_blocked_separable_item(
        __global const float *x,
        __global const float *expand,
        __global const float *expand_bias,
        __global const float *depthwise,
        __global const float *bias,
        __global const float *project,
        __global const float *project_bias,
        __global const float *residual,
        __global float *scratch,
        __global float *y,
        const int4 activations,
        const float4 alphas,
        const float4 betas,
        const int residual_after,
        const int4 in_shape,
        const int2 crop,
        const int2 in_size,
        const int4 pads,
        const int middle_channels,
        const int is_expanding,
        const int2 kernel_size,
        const int2 stride,
        const int4 out_shape,
        const int4 halo,
        const int4 residual_shape,
        const int4 expand_tile,
        const int4 project_tile,
        const int4 rows,
        const int3 at) {
    const int blocks = (middle_channels + 15) / 16;
    const int x_pitch = in_shape.z * 16;
    const int x_plane = in_shape.y * x_pitch;
    __global const float *image = x + at.z * in_shape.x * x_plane + crop.x * x_pitch + crop.y * 16;
    const int expanded_rows = (rows.x - 1) * stride.x + kernel_size.x;
    const int expanded_pitch = (in_size.y + pads.y + pads.w) * 16;
    const int expanded_plane = expanded_rows * expanded_pitch;
    __global float *expanded = scratch + (at.z * rows.y + at.x) * rows.z;
    const int filtered_plane = rows.x * out_shape.z * 16;
    __global float *filtered = expanded + (is_expanding ? blocks * expanded_plane : 0);
    const int y_pitch = (halo.y + out_shape.z + halo.w) * 16;
    const int y_plane = (halo.x + out_shape.y + halo.z) * y_pitch;
    __global float *planes = y + at.z * out_shape.x * y_plane;
    const int first = (int)((long)out_shape.y * at.x / rows.y);
    const int last = (int)((long)out_shape.y * (at.x + 1) / rows.y);
    const int is_small = conv_blocked_depthwise_is_small(kernel_size, (int2)(1, 1), out_shape.z);
    const int is_bent = activations.y == BLOCKED_LEAKY_RELU;
    const float16 slopes = (float16)(is_bent ? alphas.y : 1.0f);
    const int residual_pitch = residual_shape.y * 16;
    const int residual_plane = residual_shape.x * residual_pitch;

    ConvBlockedTile before = separable_pointwise(
            expand, expand_bias, expand_tile, in_shape.w, middle_channels, in_size.y, activations.x, alphas.x, betas.x);
    before.x_pitch = x_pitch;
    before.x_plane = x_plane;
    before.y_pitch = expanded_pitch;
    before.y_plane = expanded_plane;
    before.stride = (int2)(x_pitch, 16);
    ConvBlockedTile after = separable_pointwise(
            project, project_bias, project_tile, middle_channels, out_shape.w, out_shape.z, activations.z, alphas.z,
            betas.z);
    after.x = filtered;
    after.x_pitch = out_shape.z * 16;
    after.x_plane = filtered_plane;
    after.y_pitch = y_pitch;
    after.y_plane = y_plane;
    after.stride = (int2)(after.x_pitch, 16);
    after.residual_pitch = residual_pitch;
    after.residual_plane = residual_plane;
    after.residual_before = residual && !residual_after;
    after.residual_after = residual && residual_after;
    after.is_finished_later |= after.residual_after;
    after.in_step = rows.w;
    ConvBlockedRow row;
    row.kernel_size = kernel_size;
    row.residual = 0;
    row.step = stride.y * 16;
    row.columns = out_shape.z;
    row.is_bounded = activations.y == BLOCKED_RELU || activations.y == BLOCKED_RELU6 || activations.y == BLOCKED_CLIP;
    row.low = blocked_low(activations.y, alphas.y);
    row.high = blocked_high(activations.y, betas.y);
    row.x_pitch = is_expanding ? expanded_pitch : x_pitch;
    row.dilation = (int2)(row.x_pitch, 16);
    const int plane = is_expanding ? expanded_plane : x_plane;

    if (is_expanding) {
        separable_zeros(expanded, blocks, expanded_plane, expanded_plane / 16);
    }
    // Rows of expanded x before this one are in scratch, as far as they are needed.
    int known = first * stride.x - pads.x;
    for (int from = first; from < last; from += rows.x) {
        const int count = min(last - from, rows.x);
        const int top = from * stride.x - pads.x;
        const int end = top + (count - 1) * stride.x + kernel_size.x;
        if (is_expanding) {
            const int begin = max(max(known, top), 0);
            const int made = min(end, in_size.x) - begin;
            if (made > 0) {
                before.x = image + begin * x_pitch;
                before.y = expanded + (begin - top) * expanded_pitch + pads.y * 16;
                    conv_blocked_tile_chosen(&before, expand_tile.x, 0, before.group_tiles, 0, made * expand_tile.w);
            }
            const int below = max(begin, in_size.x);
            if (below < end) {
                separable_zeros(
                        expanded + (below - top) * expanded_pitch, blocks, expanded_plane,
                        (end - below) * (expanded_pitch / 16));
            }
        }
        __global const float *window = is_expanding ? expanded : image + top * x_pitch;
        for (int block = 0; block < blocks; ++block) {
            row.weights = depthwise + block * kernel_size.x * kernel_size.y * 16;
            row.bias = blocked_lanes(bias, block * 16, middle_channels);
            for (int i = 0; i < count; ++i) {
                row.x = window + block * plane + i * stride.x * row.x_pitch;
                row.y = filtered + block * filtered_plane + i * out_shape.z * 16;
                conv_blocked_depthwise_row(&row, is_small, stride.y);
            }
            __global float *sums = filtered + block * filtered_plane;
            if (blocked_is_smooth(activations.y)) {
                blocked_smooth_run(sums, 0, count * out_shape.z, activations.y);
            } else if (is_bent) {
                for (int i = 0; i < count * out_shape.z; ++i) {
                    blocked_store(blocked_bent(blocked_load(sums + i * 16), slopes), sums + i * 16);
                }
            }
        }
        after.y = planes + (halo.x + from) * y_pitch + halo.y * 16;
        after.residual = residual ? residual + at.z * out_shape.x * residual_plane
                + (residual_shape.z + from) * residual_pitch + residual_shape.w * 16 : 0;
        conv_blocked_tile_chosen(&after, project_tile.x, 0, after.group_tiles, 0, count * project_tile.w);
        const int kept = kernel_size.x - stride.x;
        if (is_expanding && kept > 0 && from + count < last) {
            separable_copy(
                    expanded + rows.x * stride.x * expanded_pitch, expanded, blocks, expanded_plane,
                    kept * (expanded_pitch / 16));
        }
        known = end;
    }
    if (any(halo != 0)) {
        for (int block = 0; block < out_shape.x; ++block) {
            blocked_margin(
                    planes + block * y_plane, out_shape.yz, halo, first * out_shape.z, last * out_shape.z);
        }
    }
}

// rows is [rows of y at a time, bands, floats of scratch of an item, blocks that project adds up at a time].
__kernel void conv_blocked_separable(
        __global const float *x,
        __global const float *expand,
        __global const float *expand_bias,
        __global const float *depthwise,
        __global const float *bias,
        __global const float *project,
        __global const float *project_bias,
        __global const float *residual,
        __global float *scratch,
        __global float *y,
        const int4 activations,
        const float4 alphas,
        const float4 betas,
        const int residual_after,
        const int4 in_shape,
        const int2 crop,
        const int2 in_size,
        const int4 pads,
        const int middle_channels,
        const int is_expanding,
        const int2 kernel_size,
        const int2 stride,
        const int4 out_shape,
        const int4 halo,
        const int4 residual_shape,
        const int4 expand_tile,
        const int4 project_tile,
        const int4 rows) {
    conv_blocked_separable_item(
            x, expand, expand_bias, depthwise, bias, project, project_bias, residual, scratch, y, activations, alphas,
            betas, residual_after, in_shape, crop, in_size, pads, middle_channels, is_expanding, kernel_size, stride,
            out_shape, halo, residual_shape, expand_tile, project_tile, rows,
            (int3)(get_global_id(0), get_global_id(1), get_global_id(2)));
}
