// Convolution with a stride by register tiles: an item computes CHANNELS output channels of up to VECTORS * 16 positions. The
// rows and columns of x are sorted by their residue by the stride before, so that neighbouring outputs read neighbouring
// elements at every tap; rows are as long as taps reach, so that a run of lanes may go on in the next row.
//
// Layout: x, residual, y NCHW, dense; bias, residual and slope may be NULL. sorted has, for each plane of x and its `residues`
//         [rows, columns], rows_of_residue rows of `pitch` elements, 0 outside x, then VECTORS * 16 zeros. packed is
//         [group, out channel / CHANNELS, tap, in channel, out channel % CHANNELS] (conv_pack_weights.cl).
// Assumes: fewer than 2^31 elements in every tensor, dilation 1. Positions are counted row by row, `pitch` to a row.
// Macros: ACTIVATION, RESIDUAL (common/epilogue.h).
#include "common/runs.h"
#include "common/epilogue_runs.h"

#define CHANNELS 8
#define VECTORS 3
#define EACH(i, count) _Pragma("unroll") for (int i = 0; i < count; ++i)

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
    __global float *to = sorted + plane * (residues.x * residues.y * rows_of_residue * pitch + VECTORS * 16)
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
        for (int i = 0; i < VECTORS * 16; ++i) {
            to[i] = 0.0f;
        }
    }
}

// What an item multiplies: x at its first position, of the first input channel, and the weights of its output channels.
typedef struct {
    __global const float *x;
    __global const float *weights;
    int plane_len;
    int residue_len;
    int pitch;
    int channels;
    int2 kernel_size;
    int2 stride;
    int2 residues;
} ResiduesTile;

// The sums of N vectors.
#define RESIDUES_SUMS(N)                                                                                            \
    __attribute__((noinline)) static void residues_sums##N(const ResiduesTile *c, const float *start, float *sums) {    \
        float16 sum[CHANNELS][N];                                                                                   \
        __global const float *w = c->weights;                                                                       \
        EACH(o, CHANNELS) {                                                                                         \
            EACH(n, N) {                                                                                            \
                sum[o][n] = start[o];                                                                               \
            }                                                                                                       \
        }                                                                                                           \
        for (int ky = 0; ky < c->kernel_size.x; ++ky) {                                                             \
            for (int kx = 0; kx < c->kernel_size.y; ++kx) {                                                         \
                const int residue = ky % c->stride.x * c->residues.y + kx % c->stride.y;                            \
                __global const float *x =                                                                           \
                        c->x + residue * c->residue_len + ky / c->stride.x * c->pitch + kx / c->stride.y;           \
                for (int channel = 0; channel < c->channels; ++channel) {                                           \
                    float16 values[N];                                                                              \
                    EACH(n, N) {                                                                                    \
                        values[n] = vload16(n, x);                                                                  \
                    }                                                                                               \
                    EACH(o, CHANNELS) {                                                                             \
                        const float16 weight = w[o];                                                                \
                        EACH(n, N) {                                                                                \
                            sum[o][n] += weight * values[n];                                                        \
                        }                                                                                           \
                    }                                                                                               \
                    x += c->plane_len;                                                                              \
                    w += CHANNELS;                                                                                  \
                }                                                                                                   \
            }                                                                                                       \
        }                                                                                                           \
        EACH(o, CHANNELS) {                                                                                         \
            EACH(n, N) {                                                                                            \
                vstore16(sum[o][n], o * VECTORS + n, sums);                                                         \
            }                                                                                                       \
        }                                                                                                           \
    }

RESIDUES_SUMS(1)
RESIDUES_SUMS(2)
RESIDUES_SUMS(3)

// Global size [blocks of vectors, ceil(channels of a group / CHANNELS), groups * batch].
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
    const int channel_blocks = (group_out + CHANNELS - 1) / CHANNELS;
    const int channel_block = get_global_id(1);
    const int group = get_global_id(2) % groups;
    const int image = get_global_id(2) / groups;
    const int all_vectors = (positions + 15) / 16;
    const int first_vector = (int)((long)all_vectors * get_global_id(0) / blocks);
    const int vectors = (int)((long)all_vectors * (get_global_id(0) + 1) / blocks) - first_vector;
    const int begin = first_vector * 16;
    const int end = min(begin + vectors * 16, positions);
    const int first = group * group_out + channel_block * CHANNELS;
    const int count = min(group_out - channel_block * CHANNELS, CHANNELS);
    float start[CHANNELS];
    for (int o = 0; o < CHANNELS; ++o) {
        start[o] = bias && o < count ? bias[first + o] : 0.0f;
    }
    ResiduesTile tile;
    tile.residue_len = rows_of_residue * pitch;
    tile.plane_len = residues.x * residues.y * tile.residue_len + VECTORS * 16;
    tile.x = sorted + (image * groups + group) * group_in * tile.plane_len + begin;
    tile.weights = packed
            + (group * channel_blocks + channel_block) * kernel_size.x * kernel_size.y * group_in * CHANNELS;
    tile.pitch = pitch;
    tile.channels = group_in;
    tile.kernel_size = kernel_size;
    tile.stride = stride;
    tile.residues = residues;
    float sums[CHANNELS * VECTORS * 16 + 16];
    if (vectors == 3) {
        residues_sums3(&tile, start, sums);
    } else if (vectors == 2) {
        residues_sums2(&tile, start, sums);
    } else {
        residues_sums1(&tile, start, sums);
    }
    vstore16((float16)0.0f, CHANNELS * VECTORS, sums);
    for (int o = 0; o < count; ++o) {
        const float16 factor = ACTIVATION_KIND == ACTIVATION_KIND_PRELU ? slope[(first + o) * slope_step] : 0.0f;
        const int y_at = (image * groups * group_out + first + o) * out_size.x * out_size.y;
        int row = begin / pitch;
        int column = begin % pitch;
        for (int position = begin; position < end;) {
            const int left = min(end - position, out_size.y - column);
            const int from = o * VECTORS * 16 + position - begin;
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
