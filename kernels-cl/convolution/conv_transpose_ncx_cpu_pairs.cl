// Transposed convolution with a horizontal stride of 2 by register tiles: an item computes 8 output channels of up to
// 48 pairs of neighbouring columns in rows of one residue by stride.x. First those at even columns, then the others:
// lanes of either see neighbouring inputs. Rows of x are followed by zeros, so that a run of lanes may go on in the next row.
//
// Layout: x, residual, y NCHW, dense; bias, residual and slope may be NULL. padded has, for each plane of x, `margin` zeros,
//         then padded_rows rows of `pitch` elements, x from row `top` on, then 48 zeros. packed is
//         [group, out channel / 8, tap, in channel, out channel % 8] (conv_cpu_pack_weights.cl).
// Assumes: fewer than 2^31 elements in every tensor, dilation 1. Positions are counted row by row, `pitch` to a row.
// Macros: ACTIVATION, RESIDUAL (common/epilogue.h).
#include "common/runs.h"
#include "common/epilogue_spread.h"
#include "common/run_tiles.h"

// One item per row of padded.
__kernel void pad_pair_planes(
        __global const float *x,
        __global float *padded,
        const int2 in_size,
        const int margin,
        const int top,
        const int padded_rows,
        const int pitch) {
    const int row = get_global_id(0) % padded_rows;
    const int plane = get_global_id(0) / padded_rows;
    __global float *to = padded + plane * (margin + padded_rows * pitch + RUN_VECTORS * 16);
    if (row == 0) {
        for (int i = 0; i < margin; ++i) {
            to[i] = 0.0f;
        }
    }
    to += margin + row * pitch;
    const int width = row >= top && row < top + in_size.x ? in_size.y : 0;
    __global const float *from = x + (plane * in_size.x + row - top) * in_size.y;
    for (int i = 0; i < width; ++i) {
        to[i] = from[i];
    }
    const int end = row + 1 < padded_rows ? pitch : pitch + RUN_VECTORS * 16;
    for (int i = width; i < end; ++i) {
        to[i] = 0.0f;
    }
}

// Rows and columns begin at `at` of the full result.
typedef struct {
    RunTile run;
    int2 at;
    int pitch;
    int stride;
} PairsTile;

static inline int pairs_offset(const PairsTile *c, int ky, int kx) {
    return (c->at.x - ky) / c->stride * c->pitch + (c->at.y - kx) / 2;
}

RUN_SUMS(pairs_sums, PairsTile, pairs_offset)

// Global size [blocks of vectors, ceil(channels of a group / 8), stride.x * groups * batch].
__kernel void convolution_transposed_pairs(
        __global const float *padded,
        __global const float *packed,
        __global const float *bias,
        __global const float *residual,
        __global const float *slope,
        __global float *y,
        const int slope_step,
        const float alpha,
        const float beta,
        const int margin,
        const int top,
        const int padded_rows,
        const int pitch,
        const int positions,
        const int blocks,
        const int2 out_size,
        const int2 kernel_size,
        const int stride,
        const int2 pad_begin,
        const int groups,
        const int group_in,
        const int group_out) {
    const int channel_blocks = (group_out + RUN_CHANNELS - 1) / RUN_CHANNELS;
    const int channel_block = get_global_id(1);
    const int residue = get_global_id(2) % stride;
    const int group = get_global_id(2) / stride % groups;
    const int image = get_global_id(2) / stride / groups;
    const int all_vectors = (positions + 15) / 16;
    const int first_vector = (int)((long)all_vectors * get_global_id(0) / blocks);
    const int vectors = (int)((long)all_vectors * (get_global_id(0) + 1) / blocks) - first_vector;
    const int begin = first_vector * 16;
    const int end = min(begin + vectors * 16, positions);
    const int first = group * group_out + channel_block * RUN_CHANNELS;
    const int count = min(group_out - channel_block * RUN_CHANNELS, RUN_CHANNELS);
    const int columns = (out_size.y + 1) / 2;
    float start[RUN_CHANNELS];
    run_starts(bias, first, count, start);
    PairsTile tile;
    tile.pitch = pitch;
    tile.stride = stride;
    tile.run.plane_len = margin + padded_rows * pitch + RUN_VECTORS * 16;
    tile.run.x = padded + (image * groups + group) * group_in * tile.run.plane_len + margin + top * pitch + begin;
    tile.run.weights = packed
            + (group * channel_blocks + channel_block) * kernel_size.x * kernel_size.y * group_in * RUN_CHANNELS;
    tile.run.channels = group_in;
    tile.run.kernel_size = kernel_size;
    tile.run.tap_step = (int2)(stride, 2);
    float sums[2][RUN_TILE_LEN];
    for (int q = 0; q < 2; ++q) {
        tile.at = (int2)(residue, q) + pad_begin;
        tile.run.first_tap = tile.at % tile.run.tap_step;
        pairs_sums(&tile, vectors, start, sums[q]);
    }
    for (int o = 0; o < count; ++o) {
        const float16 factor = ACTIVATION_KIND == FUNCTION_PRELU ? slope[(first + o) * slope_step] : 0.0f;
        const int y_at = (image * groups * group_out + first + o) * out_size.x * out_size.y;
        int row = begin / pitch;
        int column = begin % pitch;
        for (int position = begin; position < end;) {
            const int left = min(end - position, columns - column);
            const int out_row = row * stride + residue;
            if (out_row < out_size.x) {
                const int from = o * RUN_VECTORS * 16 + position - begin;
                for (int i = 0; i < left; i += 16) {
                    const int out_column = 2 * (column + i);
                    finish_pair(*(const Blocked16 *)(sums[0] + from + i), *(const Blocked16 *)(sums[1] + from + i),
                            residual, factor, alpha, beta, y, y_at + out_row * out_size.y + out_column,
                            min(out_size.y - out_column, 2 * (left - i)));
                }
            }
            position += pitch - column;
            column = 0;
            ++row;
        }
    }
}
