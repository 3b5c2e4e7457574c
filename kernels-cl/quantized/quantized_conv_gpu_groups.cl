// Convolution of codes as a product of matrices, for devices whose work-groups share fast local memory: a work-group
// computes a tile of output channels by pixels (of all images). Codes less their zero points are multiplied as floats,
// of which so many products are added as floats hold exactly, and these sums as int, which wrap.
// Layout: any; x and y are walked with strides [batch, channel, depth, height, width]; packed is [group, tile of out
//         channels, tap, channel (padded), out channel], weights less their zero points, 0 where there is none. Sizes
//         are int4 [depth, height, width, 0]; bias and zero points may be NULL, scales where RESULT_KIND does not ask
//         for them. Padding is x_zero_point.
// Assumes: fewer than 2^31 elements in every tensor; global size [ceil(pixels / columns of a tile) * GROUP_COLUMNS,
//          ceil(group_out / rows of a tile) * GROUP_ROWS, groups], local size [GROUP_COLUMNS, GROUP_ROWS, 1]; of
//          pack_code_panels at least len.
// Macros: ELEMENT  float16, as packed is stored; TILE; X_CODE, W_CODE  char or uchar; RESULT, RESULT_KIND; X_QUADS
//         1: an item reads neighbouring channels.
#include "common/element.h"
#include "common/group_tile.h"
#include "common/group_columns.h"
#include "common/requantize.h"

#ifndef X_CODE
#define X_CODE uchar
#endif
#ifndef W_CODE
#define W_CODE char
#endif

// Products of at most 255 * 255, of which a float holds the sum of 258 exactly; whole slabs.
#define EXACT_TERMS 256

__kernel void pack_code_panels(
        __global const W_CODE *weights,
        __global const W_CODE *w_zero_point,
        __global STORED *packed,
        const int len,
        const int w_zero_step,
        const int taps,
        const int group_in,
        const int group_out,
        const int channel_slots,
        const int row_tiles) {
    const int i = get_global_id(0);
    if (i >= len) {
        return;
    }
    const int line = i / TILE_ROWS;
    const int channel = line % channel_slots;
    const int tap = line / channel_slots % taps;
    const int tile = line / channel_slots / taps;
    const int row = tile % row_tiles * TILE_ROWS + i % TILE_ROWS;
    const int out_channel = tile / row_tiles * group_out + row;
    int value = 0;
    if (channel < group_in && row < group_out) {
        const int zero = w_zero_point ? w_zero_point[out_channel * w_zero_step] : 0;
        value = weights[(out_channel * group_in + channel) * taps + tap] - zero;
    }
    store_element(value, packed, i);
}

__kernel __attribute__((reqd_work_group_size(GROUP_COLUMNS, GROUP_ROWS, 1)))
void quantized_convolution_groups(
        __global const X_CODE *x,
        __global const STORED *packed,
        __global const int *bias,
        __global const X_CODE *x_zero_point,
        __global const float *x_scale,
        __global const float *w_scale,
        __global const float *y_scale,
        __global const RESULT *y_zero_point,
        __global RESULT *y,
        const int w_scale_step,
        const int pixels,
        const int4 in_size,
        const int4 out_size,
        const int4 kernel_size,
        const int4 stride,
        const int4 dilation,
        const int4 pad_begin,
        const int group_in,
        const int group_out,
        const int8 x_strides,
        const int8 y_strides) {
    __local TERM4 left_tiles[LEFT_SIZE / 4];
    __local TERM4 right_tiles[RIGHT_SIZE / 4];
    __local TERM *left = (__local TERM *)left_tiles;
    __local TERM *right = (__local TERM *)right_tiles;
    const int group = get_group_id(2);
    const int first_row = get_group_id(1) * TILE_ROWS;
    const int first_column = get_group_id(0) * TILE_COLUMNS;
    const int plane = out_size.x * out_size.y * out_size.z;
    const int channel_slots = (group_in + DEPTH - 1) / DEPTH * DEPTH;
    const int slots = kernel_size.x * kernel_size.y * kernel_size.z * channel_slots;
    const int x_zero = x_zero_point ? x_zero_point[0] : 0;
    __global const STORED *panel =
            packed + (group * (int)get_num_groups(1) + (int)get_group_id(1)) * slots * TILE_ROWS;

    // What this item reads of x.
    const int pixel = first_column + ITEM_COLUMN;
    const bool exists = pixel < pixels;
    const int within = pixel % plane;
    const int4 out_at = digits_of(within, out_size);
    const int4 in_first = out_at * stride - pad_begin;
    const int image_at = pixel / plane * x_strides.s0 + group * group_in * x_strides.s1;

    Slab slab = begin_slab(0, channel_slots, kernel_size);
    TERM4 left_next[LEFT_QUADS];
    TERM right_next[RIGHT_TERMS];
    TERM4 sums[EACH_ROWS][EACH_COLUMNS / 4];
    int4 totals[EACH_ROWS][EACH_COLUMNS / 4];
    clear_sums(sums);
    _Pragma("unroll")
    for (int r = 0; r < EACH_ROWS; ++r) {
        _Pragma("unroll")
        for (int c = 0; c < EACH_COLUMNS / 4; ++c) {
            totals[r][c] = 0;
        }
    }
    int half_at = 0;
    for (int slot = -DEPTH; slot < slots; slot += DEPTH) {
        const bool has_next = slot + DEPTH < slots;
        if (has_next) {
            read_panel(left_next, panel, TILE_ROWS, TILE_ROWS);
            panel += DEPTH * TILE_ROWS;
            find_slab(&slab, exists, in_first, dilation, image_at, in_size, x_strides);
            // What is not there is read where something is, and left out: no branch stands between the loads.
            _Pragma("unroll")
            for (int i = 0; i < RIGHT_TERMS; ++i) {
                const int each = slab.channel + ITEM_TERM + i * TERM_STEP;
                const bool is_term = slab.inside && each < group_in;
                const int value = x[slab.from + (is_term ? each : 0) * x_strides.s1];
                right_next[i] = is_term ? value - x_zero : 0;
            }
            next_slab(&slab, group_in, kernel_size);
        }
        if (slot >= 0) {
            multiply_terms(left + half_at * (LEFT_SIZE / 2), right + half_at * (RIGHT_SIZE / 2), sums);
            half_at = 1 - half_at;
            if ((slot + DEPTH) % EXACT_TERMS == 0 || !has_next) {
                _Pragma("unroll")
                for (int r = 0; r < EACH_ROWS; ++r) {
                    _Pragma("unroll")
                    for (int c = 0; c < EACH_COLUMNS / 4; ++c) {
                        totals[r][c] += convert_int4(sums[r][c]);
                    }
                }
                clear_sums(sums);
            }
        }
        if (has_next) {
            keep_panel(left_next, left + half_at * (LEFT_SIZE / 2), TILE_ROWS, LEFT_PITCH);
            keep_column(right_next, right + half_at * (RIGHT_SIZE / 2));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    const int zero_point = y_zero_point ? (int)y_zero_point[0] : 0;
    _Pragma("unroll")
    for (int r = 0; r < EACH_ROWS; ++r) {
        const int row = first_row + tile_row(r);
        if (row < group_out) {
            const int out_channel = group * group_out + row;
            const float scale = channel_scale(x_scale, w_scale, y_scale, out_channel * w_scale_step);
            const int start = bias ? bias[out_channel] : 0;
            _Pragma("unroll")
            for (int i = 0; i < EACH_COLUMNS; ++i) {
                const int column = first_column + tile_column(i / 4, i % 4);
                if (column < pixels) {
                    int total[4];
                    vstore4(totals[r][i / 4], 0, total);
                    const int to = column / plane * y_strides.s0 + column % plane * y_strides.s4
                            + out_channel * y_strides.s1;
                    store_sum(total[i % 4] + start, scale, zero_point, y, to);
                }
            }
        }
    }
}
