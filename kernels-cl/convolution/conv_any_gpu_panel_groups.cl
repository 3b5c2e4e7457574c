// Convolution as a product of matrices, for devices whose work-groups share fast local memory: a work-group computes a
// tile of output channels by pixels (of all images), or where there are few tiles its share of the terms of one.
//
// Layout: any; x, residual and y are walked with strides [batch, channel, depth, height, width]; weights in panels
//         (conv_gpu_group_pack.cl): [group, tile of rows, slot, row], a slot is a term. Sizes are int4 [depth, height,
//         width, 0]; bias may be NULL, residual and slope as the macros say; partial [split, output channel, pixel].
// Assumes: fewer than 2^31 elements in every tensor; local size [GROUP_COLUMNS, GROUP_ROWS, SLICES], groups [ceil(pixels /
//          columns of a tile), ceil(group_out / rows of a tile), groups * splits].
// Macros: ELEMENT, TILE, SLICES, ITEM_REGISTERS (common/group_tile.h); ACTIVATION, RESIDUAL, INT32_RESULT
//         (common/epilogue.h); TAP_SLABS  1: slots are taps, of each the channels, padded to slabs of DEPTH, else channels,
//         of each the taps; X_QUADS (common/group_columns.h), not 0 only with TAP_SLABS, 2 of one tap; Y_QUADS  1: runs of
//         4 pixels, 2: of 4 channels are in y; SPLIT  1: sums go to partial, convolution_groups_finish ends them.
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

#define RUNS_DOWN (Y_QUADS == 2)
#include "common/group_slices.h"

// How many runs are ended at a time; more would spill, or take registers in which another work-group has room.
#define MOST_ENDED (REGISTERS_LIMITED && Y_QUADS == 1 ? 8 : 4)
#define ENDED (QUADS_EACH < MOST_ENDED ? QUADS_EACH : MOST_ENDED)

__kernel OF_TILE_GROUPS
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
    __local TERM4 tiles[SLICES * (LEFT_SIZE + RIGHT_SIZE) / 4];
    __local TERM *left = (__local TERM *)tiles + slice() * LEFT_SIZE;
    __local TERM *right = (__local TERM *)tiles + SLICES * LEFT_SIZE + slice() * RIGHT_SIZE;
    const int group = get_group_id(2) / splits;
    const int split = get_group_id(2) % splits;
    const int first_row = get_group_id(1) * TILE_ROWS;
    const int first_column = get_group_id(0) * TILE_COLUMNS;
    const int plane = out_size.x * out_size.y * out_size.z;
    const int split_end = min(slots, (split + 1) * split_slots);
    const int slice_slots = (split_slots / DEPTH + SLICES - 1) / SLICES * DEPTH;
    const int slot_begin = split * split_slots + slice() * slice_slots;
    const int slot_end = min(split_end, slot_begin + slice_slots);
    // the last split may be shorter; slices go on together, because all items meet at the barriers
    const int rounds_end = SLICES == 1 ? slot_end : slot_begin + slice_slots;
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
    for (int slot = slot_begin - DEPTH; slot < rounds_end; slot += DEPTH) {
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
        if (slot >= slot_begin && (SLICES == 1 || slot < slot_end)) {
            multiply_terms(left + half_at * (LEFT_SIZE / 2), right + half_at * (RIGHT_SIZE / 2), sums);
            half_at = 1 - half_at;
        }
        if (has_next) {
            keep_panel(left_next, left + half_at * (LEFT_SIZE / 2), TILE_ROWS, LEFT_PITCH);
            keep_column(right_next, right + half_at * (RIGHT_SIZE / 2));
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    TERM4 share[QUADS_EACH];
    gathered_sums(share, sums, tiles);
    _Pragma("unroll")
    for (int first = 0; first < QUADS_EACH; first += ENDED) {
        // All that is read for some runs is read before any of them is stored: no load waits behind a store.
        int to[ENDED][4];
        bool exists_there[ENDED][4];
        WIDE start[ENDED][4];
        WIDE factor[ENDED][4];
        WIDE added[ENDED][4];
        _Pragma("unroll")
        for (int i = 0; i < ENDED; ++i) {
            const int row = first_row + quad_row(first + i);
            const int column = first_column + quad_column(first + i);
            _Pragma("unroll")
            for (int q = 0; q < 4; ++q) {
                const int q_row = row + (RUNS_DOWN ? q : 0);
                const int q_column = column + (RUNS_DOWN ? 0 : q);
                exists_there[i][q] = q_row < group_out && q_column < pixels;
                const int channel = group * group_out + min(q_row, group_out - 1);
#if SPLIT
                to[i][q] = (split * (int)(get_num_groups(2) / splits) * group_out + channel) * pixels + q_column;
#else
                const int image = q_column / plane;
                const int at = image * y_strides.s0 + (q_column - image * plane) * y_strides.s4;
                to[i][q] = exists_there[i][q] ? at + channel * y_strides.s1 : 0;
                start[i][q] = bias_of(channel, bias);
                factor[i][q] = slope_of(channel, slope, slope_step);
#endif
            }
#if !SPLIT && Y_QUADS
            load_added(added[i], residual, to[i][0]);
#elif !SPLIT
            _Pragma("unroll")
            for (int q = 0; q < 4; ++q) {
                added[i][q] = RESIDUAL_KIND ? load_result(residual, to[i][q]) : 0;
            }
#endif
        }
        _Pragma("unroll")
        for (int i = 0; i < ENDED; ++i) {
            TERM sum[4];
            vstore4(share[first + i], 0, sum);
#if SPLIT && Y_QUADS == 1
            if (exists_there[i][0]) {
                *(__global TERM4 *)(partial + to[i][0]) = share[first + i];
            }
#elif SPLIT
            _Pragma("unroll")
            for (int q = 0; q < 4; ++q) {
                if (exists_there[i][q]) {
                    partial[to[i][q]] = sum[q];
                }
            }
#else
            WIDE values[4];
            _Pragma("unroll")
            for (int q = 0; q < 4; ++q) {
                values[q] = finished(sum[q] + start[i][q], added[i][q], factor[i][q], alpha, beta);
            }
#if Y_QUADS
            if (exists_there[i][0]) {
                store_quad(values, y, to[i][0]);
            }
#else
            _Pragma("unroll")
            for (int q = 0; q < 4; ++q) {
                if (exists_there[i][q]) {
                    store_result(values[q], y, to[i][q]);
                }
            }
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
