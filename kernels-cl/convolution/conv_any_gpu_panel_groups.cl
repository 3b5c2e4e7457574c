// Convolution as a product of matrices, for devices whose work-groups share fast local memory: a work-group computes a
// tile of output channels by pixels (of all images), or where there are few tiles its share of the terms of one.
//
// Layout: any; x, residual and y are walked with strides [batch, channel, depth, height, width]; weights in panels
//         (conv_gpu_group_pack.cl): [group, tile of rows, slot, row], a slot is a term. Sizes are int4 [depth, height,
//         width, 0]; bias may be NULL, residual and slope as the macros say; partial [split, output channel, pixel].
// Assumes: fewer than 2^31 elements in every tensor; global size [ceil(pixels / columns of a tile) * GROUP_COLUMNS,
//          ceil(group_out / rows of a tile) * GROUP_ROWS, groups * splits], local size [GROUP_COLUMNS, GROUP_ROWS, 1].
// Macros: ELEMENT, TILE (common/group_tile.h); ACTIVATION, RESIDUAL, INT32_RESULT (common/epilogue.h); TAP_SLABS  1:
//         slots are taps, of each the channels, padded to slabs of DEPTH, else channels, of each the taps; X_QUADS  1
//         (with TAP_SLABS): runs of 4 channels lie together in x, aligned; Y_QUADS  1: runs of 4 pixels, 2: of 4
//         channels do so in y; SPLIT  1: sums go to partial, and convolution_groups_finish ends them.
#include "common/element.h"
#include "common/epilogue.h"
#include "common/channel_end.h"
#include "common/quad_end.h"
#include "common/group_tile.h"
#include "common/group_columns.h"

#ifndef TAP_SLABS
#define TAP_SLABS 1
#endif
#ifndef Y_QUADS
#define Y_QUADS 0
#endif
#ifndef SPLIT
#define SPLIT 0
#endif

__kernel __attribute__((reqd_work_group_size(GROUP_COLUMNS, GROUP_ROWS, 1)))
void convolution_panel_groups(
        __global const STORED *x,
        __global const STORED *packed,
        __global const RESULT *bias,
        __global const RESULT *residual,
        __global const RESULT *slope,
        __global TERM *partial,
        __global RESULT *y,
        const int slope_step,
        const REAL alpha,
        const REAL beta,
        const int pixels,
        const int4 in_size,
        const int4 out_size,
        const int4 kernel_size,
        const int4 stride,
        const int4 dilation,
        const int4 pad_begin,
        const int group_in,
        const int group_out,
        const int slots,
        const int split_slots,
        const int splits,
        const int8 x_strides,
        const int8 y_strides) {
    __local TERM4 left_tiles[LEFT_SIZE / 4];
    __local TERM4 right_tiles[RIGHT_SIZE / 4];
    __local TERM *left = (__local TERM *)left_tiles;
    __local TERM *right = (__local TERM *)right_tiles;
    const int group = get_group_id(2) / splits;
    const int split = get_group_id(2) % splits;
    const int first_row = get_group_id(1) * TILE_ROWS;
    const int first_column = get_group_id(0) * TILE_COLUMNS;
    const int plane = out_size.x * out_size.y * out_size.z;
    const int slot_begin = split * split_slots;
    const int slot_end = min(slots, slot_begin + split_slots);
    __global const STORED *panel = packed
            + ((group * get_num_groups(1) + get_group_id(1)) * slots + slot_begin) * TILE_ROWS;

    // What this item reads of x.
    const int pixel = first_column + ITEM_COLUMN;
    const bool exists = pixel < pixels;
    const int within = pixel % plane;
    const int4 out_at = digits_of(within, out_size);
    const int4 in_first = out_at * stride - pad_begin;
    const int image_at = pixel / plane * x_strides.s0 + group * group_in * x_strides.s1;
#if TAP_SLABS
    Slab slab = begin_slab(slot_begin, (group_in + DEPTH - 1) / DEPTH * DEPTH, kernel_size);
#else
    const int taps = kernel_size.x * kernel_size.y * kernel_size.z;
    const int first_slot = slot_begin + ITEM_TERM;
    int channel = first_slot / taps;
    int4 tap = digits_of(first_slot % taps, kernel_size);
    const int4 tap_step = digits_of(TERM_STEP % taps, kernel_size);
    const int channel_step = TERM_STEP / taps;
#endif

    TERM4 left_next[LEFT_QUADS];
    TERM right_next[RIGHT_TERMS];
    TERM4 sums[EACH_ROWS][EACH_COLUMNS / 4];
    clear_sums(sums);
    int half_at = 0;
    for (int slot = slot_begin - DEPTH; slot < slot_end; slot += DEPTH) {
        const bool has_next = slot + DEPTH < slot_end;
        if (has_next) {
            read_panel(left_next, panel, TILE_ROWS, TILE_ROWS);
            panel += DEPTH * TILE_ROWS;
#if TAP_SLABS
            find_slab(&slab, exists, in_first, dilation, image_at, in_size, x_strides);
            read_column(right_next, x, slab, group_in, x_strides.s1);
            next_slab(&slab, group_in, kernel_size);
#else
            _Pragma("unroll")
            for (int i = 0; i < RIGHT_TERMS; ++i) {
                const int4 at = in_first + tap * dilation;
                const bool is_term = exists && channel < group_in && is_inside(at, in_size);
                const int from = image_at + channel * x_strides.s1 + at.x * x_strides.s2 + at.y * x_strides.s3
                        + at.z * x_strides.s4;
                const TERM value = load_element(x, is_term ? from : 0);
                right_next[i] = is_term ? value : 0;
                // the next of this item: digits, of which the one before counts on when one is full
                tap += tap_step;
                channel += channel_step;
                const bool full_z = tap.z >= kernel_size.z;
                tap.z -= full_z ? kernel_size.z : 0;
                tap.y += full_z ? 1 : 0;
                const bool full_y = tap.y >= kernel_size.y;
                tap.y -= full_y ? kernel_size.y : 0;
                tap.x += full_y ? 1 : 0;
                const bool full_x = tap.x >= kernel_size.x;
                tap.x -= full_x ? kernel_size.x : 0;
                channel += full_x ? 1 : 0;
            }
#endif
        }
        if (slot >= slot_begin) {
            multiply_terms(left + half_at * (LEFT_SIZE / 2), right + half_at * (RIGHT_SIZE / 2), sums);
            half_at = 1 - half_at;
        }
        if (has_next) {
            keep_panel(left_next, left + half_at * (LEFT_SIZE / 2), TILE_ROWS, LEFT_PITCH);
            keep_column(right_next, right + half_at * (RIGHT_SIZE / 2));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    TERM tile[EACH_ROWS][EACH_COLUMNS];
    _Pragma("unroll")
    for (int r = 0; r < EACH_ROWS; ++r) {
        _Pragma("unroll")
        for (int c = 0; c < EACH_COLUMNS / 4; ++c) {
            vstore4(sums[r][c], c, tile[r]);
        }
    }
    _Pragma("unroll")
    for (int i = 0; i < EACH_COLUMNS; ++i) {
        const int column = first_column + tile_column(i / 4, i % 4);
        if (column >= pixels || (Y_QUADS == 1 ? i % 4 : 0) != 0) {
            continue;
        }
        const int column_at = column / plane * y_strides.s0 + column % plane * y_strides.s4;
        _Pragma("unroll")
        for (int r = 0; r < EACH_ROWS; ++r) {
            const int row = first_row + tile_row(r);
            if (row >= group_out || (Y_QUADS == 2 ? r % 4 : 0) != 0) {
                continue;
            }
            const int channel = group * group_out + row;
#if SPLIT
            const int to = (split * (int)(get_num_groups(2) / splits) * group_out + channel) * pixels + column;
#if Y_QUADS == 1
            *(__global TERM4 *)(partial + to) = sums[r][i / 4];
#else
            _Pragma("unroll")
            for (int q = 0; q < (Y_QUADS == 2 ? 4 : 1); ++q) {
                partial[to + q * pixels] = tile[r + q][i];
            }
#endif
#else
            const int to = column_at + channel * y_strides.s1;
#if Y_QUADS
            WIDE values[4];
            WIDE added[4];
            load_added(added, residual, to);
            _Pragma("unroll")
            for (int q = 0; q < 4; ++q) {
                const int by_channel = Y_QUADS == 2 ? q : 0;
                values[q] = end_of_sum(tile[r + by_channel][i + q - by_channel], added[q], channel + by_channel, bias,
                        slope, slope_step, alpha, beta);
            }
            store_quad(values, y, to);
#else
            store_end(tile[r][i], channel, bias, residual, slope, y, slope_step, alpha, beta, to);
#endif
#endif
        }
    }
}

#if SPLIT
// Adds the splits in their order, and ends the sums: an item computes one output.
__kernel void convolution_groups_finish(
        __global const TERM *partial,
        __global const RESULT *bias,
        __global const RESULT *residual,
        __global const RESULT *slope,
        __global RESULT *y,
        const int slope_step,
        const REAL alpha,
        const REAL beta,
        const int len,
        const int pixels,
        const int plane,
        const int splits,
        const int8 y_strides) {
    const int at = get_global_id(0);
    if (at >= len) {
        return;
    }
    TERM sum = partial[at];
    for (int split = 1; split < splits; ++split) {
        sum += partial[split * len + at];
    }
    const int channel = at / pixels;
    const int column = at % pixels;
    const int to = column / plane * y_strides.s0 + column % plane * y_strides.s4 + channel * y_strides.s1;
    store_end(sum, channel, bias, residual, slope, y, slope_step, alpha, beta, to);
}
#endif
