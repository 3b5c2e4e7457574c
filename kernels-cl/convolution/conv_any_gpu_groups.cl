// Convolution as a product of matrices, for devices whose work-groups share fast local memory: a work-group computes a
// tile of output channels by pixels (of all images). The columns of x are brought together where they are needed.
//
// Layout: any; x, residual and y are walked with strides [batch, channel, depth, height, width], weights with [out
//         channel of a group, term, group, 0]; a term is a channel and a tap, the tap first unless CHANNELS_FIRST.
//         Sizes are int4 [depth, height, width, 0]; bias may be NULL, residual and slope as the macros say.
// Assumes: fewer than 2^31 elements in every tensor; global size [ceil(pixels / columns of a tile) * GROUP_COLUMNS,
//          ceil(group_out / rows of a tile) * GROUP_ROWS, groups], local size [GROUP_COLUMNS, GROUP_ROWS, 1].
// Macros: ELEMENT (common/element.h): float32, float16, bfloat16, or int8; TILE (common/group_tile.h); ACTIVATION,
//         RESIDUAL, INT32_RESULT (common/epilogue.h); TERMS_ADJACENT  1: terms of weights are neighbours in memory;
//         CHANNELS_FIRST  see above; POINTWISE  1: the window is one element and nothing is padded.
#include "common/element.h"
#include "common/epilogue.h"
#include "common/channel_end.h"
#include "common/digits.h"
#include "common/group_tile.h"

#ifndef TERMS_ADJACENT
#define TERMS_ADJACENT 1
#endif
#ifndef CHANNELS_FIRST
#define CHANNELS_FIRST 0
#endif
#ifndef POINTWISE
#define POINTWISE 0
#endif

// An item reads one column of a tile, every TERM_STEP-th term.
#define TERM_STEP (GROUP_ITEMS / TILE_COLUMNS)

// A term by its number, its tap and its channel: digits of which the next one counts on when one is full.
typedef struct {
    int number;
    int channel;
    int4 tap;
} Term;

static inline Term term_of(int number, int4 kernel_size, int channels) {
#if CHANNELS_FIRST
    const int tap = number / channels;
    const int channel = number % channels;
#else
    const int taps = kernel_size.x * kernel_size.y * kernel_size.z;
    const int tap = number % taps;
    const int channel = number / taps;
#endif
    const Term term = {number, channel, digits_of(tap, kernel_size)};
    return term;
}

static inline Term later(Term term, Term step, int4 kernel_size, int channels) {
#if POINTWISE
    term.channel += step.channel;
#else
    term.tap += step.tap;
    term.channel += step.channel;
#if CHANNELS_FIRST
    if (term.channel >= channels) {
        term.channel -= channels;
        term.tap.z += 1;
    }
#endif
    if (term.tap.z >= kernel_size.z) {
        term.tap.z -= kernel_size.z;
        term.tap.y += 1;
    }
    if (term.tap.y >= kernel_size.y) {
        term.tap.y -= kernel_size.y;
        term.tap.x += 1;
    }
#if !CHANNELS_FIRST
    if (term.tap.x >= kernel_size.x) {
        term.tap.x -= kernel_size.x;
        term.channel += 1;
    }
#endif
#endif
    term.number += step.number;
    return term;
}

__kernel __attribute__((reqd_work_group_size(GROUP_COLUMNS, GROUP_ROWS, 1)))
void convolution_groups(
        __global const STORED *x,
        __global const STORED *weights,
        __global const RESULT *bias,
        __global const RESULT *residual,
        __global const RESULT *slope,
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
        const int8 x_strides,
        const int4 w_strides,
        const int8 y_strides) {
    __local TERM4 left_tiles[LEFT_SIZE / 4];
    __local TERM4 right_tiles[RIGHT_SIZE / 4];
    __local TERM *left = (__local TERM *)left_tiles;
    __local TERM *right = (__local TERM *)right_tiles;
    const int group = get_group_id(2);
    const int first_row = get_group_id(1) * TILE_ROWS;
    const int first_column = get_group_id(0) * TILE_COLUMNS;
    const int terms = group_in * kernel_size.x * kernel_size.y * kernel_size.z;
    const int plane = out_size.x * out_size.y * out_size.z;
    const int channel_begin = group * group_in;

    // What this item reads of x.
    const int line = group_item() % TILE_COLUMNS;
    const int pixel = first_column + line;
    const bool exists = pixel < pixels;
    const int within = pixel % plane;
    const int4 in_first = digits_of(within, out_size) * stride - pad_begin;
    const int image_at = pixel / plane * x_strides.s0 + channel_begin * x_strides.s1;
    const Term step = term_of(TERM_STEP, kernel_size, group_in);
    const int first_term = group_item() / TILE_COLUMNS;
    Term term = term_of(first_term, kernel_size, group_in);

    __global const STORED *rows = weights + group * w_strides.z + first_row * w_strides.x;
    TERM left_next[LEFT_TERMS];
    TERM right_next[RIGHT_TERMS];
    TERM4 sums[EACH_ROWS][EACH_COLUMNS / 4];
    clear_sums(sums);
    int half_at = 0;
    for (int done = -DEPTH; done < terms; done += DEPTH) {
        const int next = done + DEPTH;
        if (next < terms) {
            read_lines(left_next, rows + next * w_strides.y, group_out - first_row, terms - next, w_strides.x,
                    w_strides.y, TILE_ROWS, TERMS_ADJACENT);
            _Pragma("unroll")
            for (int i = 0; i < RIGHT_TERMS; ++i) {
                const int4 at = in_first + (POINTWISE ? (int4)0 : term.tap * dilation);
                const bool inside = exists && term.number < terms && (POINTWISE || is_inside(at, in_size));
                const int from = image_at + term.channel * x_strides.s1 + at.x * x_strides.s2 + at.y * x_strides.s3
                        + at.z * x_strides.s4;
                right_next[i] = inside ? load_element(x, from) : 0;
                term = later(term, step, kernel_size, group_in);
            }
        }
        if (done >= 0) {
            multiply_terms(left + half_at * (LEFT_SIZE / 2), right + half_at * (RIGHT_SIZE / 2), sums);
            half_at = 1 - half_at;
        }
        if (next < terms) {
            keep_lines(left_next, left + half_at * (LEFT_SIZE / 2), TILE_ROWS, LEFT_PITCH, TERMS_ADJACENT);
            _Pragma("unroll")
            for (int i = 0; i < RIGHT_TERMS; ++i) {
                right[half_at * (RIGHT_SIZE / 2) + (first_term + i * TERM_STEP) * RIGHT_PITCH + line] = right_next[i];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    _Pragma("unroll")
    for (int i = 0; i < EACH_COLUMNS; ++i) {
        const int column = first_column + tile_column(i / 4, i % 4);
        const int column_at = column / plane * y_strides.s0 + column % plane * y_strides.s4;
        _Pragma("unroll")
        for (int r = 0; r < EACH_ROWS; ++r) {
            const int row = first_row + tile_row(r);
            if (column < pixels && row < group_out) {
                TERM sum[4];
                vstore4(sums[r][i / 4], 0, sum);
                const int channel = group * group_out + row;
                store_end(sum[i % 4], channel, bias, residual, slope, y, slope_step, alpha, beta,
                        column_at + channel * y_strides.s1);
            }
        }
    }
}
