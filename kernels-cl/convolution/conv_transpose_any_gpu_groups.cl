// Transposed convolution as products of matrices, for devices whose work-groups share fast local memory: outputs of one
// residue by the stride (a phase) are a convolution with stride 1 of the taps that reach them.
// Layout: any; x, residual and y are walked with strides [batch, channel, depth, height, width]; weights in panels of
//         conv_transpose_gpu_group_pack.cl. Sizes are int4 [depth, height, width, 1], tap_step from one tap of a phase to
//         the next; bias may be NULL, residual and slope as the macros say; partial [split, part, row, column].
// Assumes: fewer than 2^31 elements in every tensor; global size in whole tiles [columns, rows, parts * splits], a part
//          is a group, or one phase of it, local size [GROUP_COLUMNS, GROUP_ROWS, 1]; of the finish [pixels of y,
//          channels of y, batch].
// Macros: ELEMENT (float32, float16, bfloat16, int8); TILE; ACTIVATION, RESIDUAL, INT32_RESULT; JOINED  1: rows are the
//         phases of each output channel, which have the same taps, else one phase's output channels; X_QUADS  1: runs
//         of 4 channels lie together in x, aligned; SPLIT  1: work-groups share the terms of a tile, sums go to
//         partial, and convolution_transposed_finish ends them.
#include "common/element.h"
#include "common/epilogue.h"
#include "common/channel_end.h"
#include "common/group_tile.h"
#include "common/group_columns.h"
#include "common/phases.h"

#ifndef JOINED
#define JOINED 1
#endif
#ifndef SPLIT
#define SPLIT 0
#endif

// The positions of x of a phase's columns, or with JOINED of those of all phases: where they begin, and how many.
typedef struct {
    int4 begin;
    int4 size;
} Columns;

static inline Columns columns_of(int4 phase, int4 out_size, int4 stride, int4 pad_begin) {
    const int4 first_phase = JOINED ? (int4)0 : phase;
    const int4 last_phase = JOINED ? stride - 1 : phase;
    Columns columns;
    columns.begin = (pad_begin - last_phase + stride - 1) / stride;
    columns.size = max((out_size + pad_begin - first_phase + stride - 1) / stride - columns.begin, (int4)0);
    return columns;
}

__kernel __attribute__((reqd_work_group_size(GROUP_COLUMNS, GROUP_ROWS, 1)))
void convolution_transposed_groups(
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
        const int batch,
        const int4 in_size,
        const int4 out_size,
        const int4 kernel_size,
        const int4 stride,
        const int4 dilation,
        const int4 tap_step,
        const int4 pad_begin,
        const int group_in,
        const int group_out,
        const int slots,
        const int splits,
        const int split_slots,
        const int8 x_strides,
        const int8 y_strides) {
    __local TERM4 left_tiles[LEFT_SIZE / 4];
    __local TERM4 right_tiles[RIGHT_SIZE / 4];
    // Output channel and phase of each row, or -1; image and first output of each column, or -1.
    __local int4 row_places[TILE_ROWS];
    __local int4 column_places[TILE_COLUMNS];
    __local TERM *left = (__local TERM *)left_tiles;
    __local TERM *right = (__local TERM *)right_tiles;
    const int phases = stride.x * stride.y * stride.z;
    const int part = get_group_id(2) / splits;
    const int split = get_group_id(2) % splits;
#if JOINED
    const int group = part;
    const int4 phase = 0;
    const int4 taps = (kernel_size - 1) / stride + 1;
    const int4 first_source = 0;
    const int4 back = 1;
    const int rows = group_out * phases;
#else
    const int group = part / phases;
    const int4 phase = digits_of(part % phases, stride);
    const int4 first_tap = first_tap_of(phase, kernel_size, stride, dilation);
    const int4 taps = (kernel_size - first_tap + tap_step - 1) / tap_step;
    const int4 first_source = (phase - first_tap * dilation) / stride;
    const int4 back = tap_step * dilation / stride;
    const int rows = group_out;
#endif
    const Columns positions = columns_of(phase, out_size, stride, pad_begin);
    const int4 size = positions.size;
    const int plane = size.x * size.y * size.z;
    const int columns = batch * plane;
    const int first_row = get_group_id(1) * TILE_ROWS;
    const int first_column = get_group_id(0) * TILE_COLUMNS;
    if (first_column >= columns) {
        return;
    }

    // What this item reads of x.
    const int line = ITEM_COLUMN;
    const int column = first_column + line;
    const bool exists = column < columns;
    const int within = column % plane;
    const int4 at = positions.begin + digits_of(within, size);
    const int image = column / plane;
    const int4 source = at + first_source;
    const int image_at = image * x_strides.s0 + group * group_in * x_strides.s1;
    if (ITEM_TERM == 0) {
        const int4 out_at = at * stride - pad_begin;
        column_places[line] = (int4)(exists ? image : -1, out_at.x, out_at.y, out_at.z);
    }
    if (group_item() < TILE_ROWS) {
        const int row = first_row + group_item();
        const int4 row_phase = JOINED ? digits_of(row % phases, stride) : phase;
        const int channel = JOINED ? row / phases : row;
        row_places[group_item()] =
                (int4)(row < rows ? group * group_out + channel : -1, row_phase.x, row_phase.y, row_phase.z);
    }

    const int channel_slots = (group_in + DEPTH - 1) / DEPTH * DEPTH;
    const int slot_begin = split * split_slots;
    const int slot_end = min(taps.x * taps.y * taps.z * channel_slots, slot_begin + split_slots);
    __global const STORED *panel =
            packed + ((part * (int)get_num_groups(1) + (int)get_group_id(1)) * slots + slot_begin) * TILE_ROWS;
    Slab slab = begin_slab(slot_begin, channel_slots, max(taps, (int4)1));
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
            find_slab(&slab, exists, source, -back, image_at, in_size, x_strides);
            read_column(right_next, x, slab, group_in, x_strides.s1);
            next_slab(&slab, group_in, taps);
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

#if SPLIT
    const int pitch = get_num_groups(0) * TILE_COLUMNS;
    const int parts = get_num_groups(2) / splits;
    __global TERM *sums_to =
            partial + ((split * parts + part) * (int)get_num_groups(1) * TILE_ROWS + first_row) * pitch + first_column;
    _Pragma("unroll")
    for (int r = 0; r < EACH_ROWS; ++r) {
        _Pragma("unroll")
        for (int c = 0; c < EACH_COLUMNS / 4; ++c) {
            *(__global TERM4 *)(sums_to + tile_row(r) * pitch + tile_column(c, 0)) = sums[r][c];
        }
    }
#else
    _Pragma("unroll")
    for (int i = 0; i < EACH_COLUMNS; ++i) {
        const int4 of_column = column_places[tile_column(i / 4, i % 4)];
        _Pragma("unroll")
        for (int r = 0; r < EACH_ROWS; ++r) {
            // Read anew for each sum: kept, the places would take more registers than there are beside the sums.
            const int4 of_row = *(volatile __local const int4 *)&row_places[tile_row(r)];
            const int4 out_at = (int4)(of_column.y + of_row.y, of_column.z + of_row.z, of_column.w + of_row.w, 0);
            if (of_column.x >= 0 && of_row.x >= 0 && is_inside(out_at, out_size)) {
                TERM sum[4];
                vstore4(sums[r][i / 4], 0, sum);
                const int to = of_column.x * y_strides.s0 + of_row.x * y_strides.s1 + out_at.x * y_strides.s2
                        + out_at.y * y_strides.s3 + out_at.z * y_strides.s4;
                store_end(sum[i % 4], of_row.x, bias, residual, slope, y, slope_step, alpha, beta, to);
            }
        }
    }
#endif
}

#if SPLIT
// Adds the splits in their order, and ends the sums: an item computes one output.
__kernel void convolution_transposed_finish(
        __global const TERM *partial,
        __global const RESULT *bias,
        __global const RESULT *residual,
        __global const RESULT *slope,
        __global RESULT *y,
        const int slope_step,
        const REAL alpha,
        const REAL beta,
        const int4 out_size,
        const int4 stride,
        const int4 pad_begin,
        const int group_out,
        const int splits,
        const int rows,
        const int pitch,
        const int len,
        const int8 y_strides) {
    const int pixel = get_global_id(0);
    const int out_channel = get_global_id(1);
    const int image = get_global_id(2);
    if (pixel >= out_size.x * out_size.y * out_size.z) {
        return;
    }
    const int4 full_at = digits_of(pixel, out_size) + pad_begin;
    const int4 phase = full_at % stride;
    const int phases = stride.x * stride.y * stride.z;
    const int phase_number = (phase.x * stride.y + phase.y) * stride.z + phase.z;
    const Columns positions = columns_of(phase, out_size, stride, pad_begin);
    const int4 size = positions.size;
    const int4 at = full_at / stride - positions.begin;
    const int column = ((image * size.x + at.x) * size.y + at.y) * size.z + at.z;
    const int group = out_channel / group_out;
    const int channel = out_channel % group_out;
    const int part = JOINED ? group : group * phases + phase_number;
    const int row = JOINED ? channel * phases + phase_number : channel;
    const int from = (part * rows + row) * pitch + column;
    TERM sum = partial[from];
    for (int split = 1; split < splits; ++split) {
        sum += partial[split * len + from];
    }
    store_end(sum, out_channel, bias, residual, slope, y, slope_step, alpha, beta,
            image * y_strides.s0 + out_channel * y_strides.s1 + pixel * y_strides.s4);
}
#endif
