// Convolution with a stride by register tiles: an item computes 8 output channels of up to 48 positions. The
// rows and columns of x are sorted by their residue by the stride before, so that neighbouring outputs read neighbouring
// elements at every tap; rows are as long as taps reach, so that a run of lanes may go on in the next row.
//
// Layout: x, residual, y NCHW, dense; bias, residual and slope may be NULL. sorted has, for each plane of x and its `residues`
//         [rows, columns], rows_of_residue rows of `pitch` elements, 0 outside x, then 48 zeros. packed is
//         [group, out channel / 8, tap, in channel, out channel % 8] (conv_cpu_pack_weights.cl).
// Assumes: fewer than 2^31 elements in every tensor, dilation 1. Positions are counted row by row, `pitch` to a row.
// Macros: ACTIVATION, RESIDUAL (common/epilogue.h).
#include "common/runs.h"
#include "common/epilogue_runs.h"
#include "common/run_tiles.h"

// One item per row of one residue of rows.
__kernel void sort_by_residues(
        __global const float *x,
        __global float *sorted,
        const int2 in_size,
        const int2 stride,
        const int2 pad_begin,
        const int2 residues,
        const int rows_of_residue,
        const int pitch) {
    const int row = get_global_id(0) % rows_of_residue;
    const int row_residue = get_global_id(0) / rows_of_residue % residues.x;
    const int plane = get_global_id(0) / rows_of_residue / residues.x;
    __global float *to = sorted + plane * (residues.x * residues.y * rows_of_residue * pitch + RUN_VECTORS * 16)
            + (row_residue * residues.y * rows_of_residue + row) * pitch;
    const int in_row = row * stride.x + row_residue - pad_begin.x;
    const bool is_inside = in_row >= 0 && in_row < in_size.x;
    __global const float *from = x + (plane * in_size.x + (is_inside ? in_row : 0)) * in_size.y;
    for (int residue = 0; residue < residues.y; ++residue, to += rows_of_residue * pitch) {
        const int first = residue - pad_begin.y;
        const int begin = is_inside ? clamp((stride.y - 1 - first) / stride.y, 0, pitch) : pitch;
        const int end = in_size.y > first ? clamp((in_size.y - 1 - first) / stride.y + 1, begin, pitch) : begin;
        for (int i = 0; i < begin; ++i) {
            to[i] = 0.0f;
        }
        for (int i = begin; i < end; ++i) {
            to[i] = from[first + i * stride.y];
        }
        for (int i = end; i < pitch; ++i) {
            to[i] = 0.0f;
        }
    }
    if (row == rows_of_residue - 1 && row_residue == residues.x - 1) {
        to -= (rows_of_residue - 1) * pitch;
        for (int i = 0; i < RUN_VECTORS * 16; ++i) {
            to[i] = 0.0f;
        }
    }
}

typedef struct {
    RunTile run;
    int residue_len;
    int pitch;
    int2 stride;
    int2 residues;
} ResiduesTile;

static inline int residues_offset(const ResiduesTile *c, int ky, int kx) {
    const int residue = ky % c->stride.x * c->residues.y + kx % c->stride.y;
    return residue * c->residue_len + ky / c->stride.x * c->pitch + kx / c->stride.y;
}

RUN_SUMS(residues_sums, ResiduesTile, residues_offset)

// Global size [blocks of vectors, ceil(channels of a group / 8), groups * batch].
__kernel void convolution_residues(
        __global const float *sorted,
        __global const float *packed,
        __global const float *bias,
        __global const float *residual,
        __global const float *slope,
        __global float *y,
        const int slope_step,
        const float alpha,
        const float beta,
        const int rows_of_residue,
        const int pitch,
        const int positions,
        const int blocks,
        const int2 residues,
        const int2 out_size,
        const int2 kernel_size,
        const int2 stride,
        const int groups,
        const int group_in,
        const int group_out) {
    const int channel_blocks = (group_out + RUN_CHANNELS - 1) / RUN_CHANNELS;
    const int channel_block = get_global_id(1);
    const int group = get_global_id(2) % groups;
    const int image = get_global_id(2) / groups;
    const int all_vectors = (positions + 15) / 16;
    const int first_vector = (int)((long)all_vectors * get_global_id(0) / blocks);
    const int vectors = (int)((long)all_vectors * (get_global_id(0) + 1) / blocks) - first_vector;
    const int begin = first_vector * 16;
    const int end = min(begin + vectors * 16, positions);
    const int first = group * group_out + channel_block * RUN_CHANNELS;
    const int count = min(group_out - channel_block * RUN_CHANNELS, RUN_CHANNELS);
    float start[RUN_CHANNELS];
    run_starts(bias, first, count, start);
    ResiduesTile tile;
    tile.residue_len = rows_of_residue * pitch;
    tile.pitch = pitch;
    tile.stride = stride;
    tile.residues = residues;
    tile.run.plane_len = residues.x * residues.y * tile.residue_len + RUN_VECTORS * 16;
    tile.run.x = sorted + (image * groups + group) * group_in * tile.run.plane_len + begin;
    tile.run.weights = packed
            + (group * channel_blocks + channel_block) * kernel_size.x * kernel_size.y * group_in * RUN_CHANNELS;
    tile.run.channels = group_in;
    tile.run.kernel_size = kernel_size;
    tile.run.first_tap = (int2)(0, 0);
    tile.run.tap_step = (int2)(1, 1);
    float sums[RUN_TILE_LEN];
    residues_sums(&tile, vectors, start, sums);
    for (int o = 0; o < count; ++o) {
        const float16 factor = ACTIVATION_KIND == FUNCTION_PRELU ? slope[(first + o) * slope_step] : 0.0f;
        const int y_at = (image * groups * group_out + first + o) * out_size.x * out_size.y;
        int row = begin / pitch;
        int column = begin % pitch;
        for (int position = begin; position < end;) {
            const int left = min(end - position, out_size.y - column);
            const int from = o * RUN_VECTORS * 16 + position - begin;
            for (int i = 0; i < left; i += 16) {
                finish_run(vload16(0, sums + from + i), residual, factor, alpha, beta, y,
                        y_at + row * out_size.y + column + i, min(left - i, 16));
            }
            position += pitch - column;
            column = 0;
            ++row;
        }
    }
}
