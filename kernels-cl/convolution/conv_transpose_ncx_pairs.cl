// Transposed convolution with a horizontal stride of 2 by register tiles: an item computes CHANNELS output channels of up to
// VECTORS * 16 pairs of neighbouring columns in rows of one residue by stride.x. First those at even columns, then the others:
// lanes of either see neighbouring inputs. Rows of x are followed by zeros, so that a run of lanes may go on in the next row.
//
// Layout: x, residual, y NCHW, dense; bias, residual and slope may be NULL. padded has, for each plane of x, `margin` zeros,
//         then padded_rows rows of `pitch` elements, x from row `top` on, then VECTORS * 16 zeros. packed is
//         [group, out channel / CHANNELS, tap, in channel, out channel % CHANNELS] (conv_pack_weights.cl).
// Assumes: fewer than 2^31 elements in every tensor, dilation 1. Positions are counted row by row, `pitch` to a row.
// Macros: ACTIVATION, RESIDUAL (common/epilogue.h).
#include "common/runs.h"
#include "common/epilogue_spread.h"

#define CHANNELS 8
#define VECTORS 3
#define EACH(i, count) _Pragma("unroll") for (int i = 0; i < count; ++i)

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
    __global float *to = padded + plane * (margin + padded_rows * pitch + VECTORS * 16);
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
    const int end = row + 1 < padded_rows ? pitch : pitch + VECTORS * 16;
    for (int i = width; i < end; ++i) {
        to[i] = 0.0f;
    }
}

// What an item multiplies: x at its first position, of the first input channel, and the weights of its output channels.
typedef struct {
    __global const float *x;
    __global const float *weights;
    int plane_len;
    int pitch;
    int channels;
    int2 kernel_size;
    int stride;
} PairsTile;

// The sums of N vectors in rows and columns that begin at `at` of the full result.
#define PAIRS_SUMS(N)                                                                                               \
    __attribute__((noinline)) static void pairs_sums##N(const PairsTile *c, int2 at, const float *start, float *sums) {   \
        float16 sum[CHANNELS][N];                                                                                   \
        EACH(o, CHANNELS) {                                                                                         \
            EACH(n, N) {                                                                                            \
                sum[o][n] = start[o];                                                                               \
            }                                                                                                       \
        }                                                                                                           \
        for (int ky = at.x % c->stride; ky < c->kernel_size.x; ky += c->stride) {                                   \
            for (int kx = at.y % 2; kx < c->kernel_size.y; kx += 2) {                                               \
                __global const float *x = c->x + (at.x - ky) / c->stride * c->pitch + (at.y - kx) / 2;              \
                __global const float *w = c->weights + (ky * c->kernel_size.y + kx) * c->channels * CHANNELS;       \
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

PAIRS_SUMS(1)
PAIRS_SUMS(2)
PAIRS_SUMS(3)

// Global size [blocks of vectors, ceil(channels of a group / CHANNELS), stride.x * groups * batch].
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
    const int channel_blocks = (group_out + CHANNELS - 1) / CHANNELS;
    const int channel_block = get_global_id(1);
    const int residue = get_global_id(2) % stride;
    const int group = get_global_id(2) / stride % groups;
    const int image = get_global_id(2) / stride / groups;
    const int all_vectors = (positions + 15) / 16;
    const int first_vector = (int)((long)all_vectors * get_global_id(0) / blocks);
    const int vectors = (int)((long)all_vectors * (get_global_id(0) + 1) / blocks) - first_vector;
    const int begin = first_vector * 16;
    const int end = min(begin + vectors * 16, positions);
    const int first = group * group_out + channel_block * CHANNELS;
    const int count = min(group_out - channel_block * CHANNELS, CHANNELS);
    const int columns = (out_size.y + 1) / 2;
    float start[CHANNELS];
    for (int o = 0; o < CHANNELS; ++o) {
        start[o] = bias && o < count ? bias[first + o] : 0.0f;
    }
    PairsTile tile;
    tile.plane_len = margin + padded_rows * pitch + VECTORS * 16;
    tile.x = padded + (image * groups + group) * group_in * tile.plane_len + margin + top * pitch + begin;
    tile.weights = packed
            + (group * channel_blocks + channel_block) * kernel_size.x * kernel_size.y * group_in * CHANNELS;
    tile.pitch = pitch;
    tile.channels = group_in;
    tile.kernel_size = kernel_size;
    tile.stride = stride;
    float sums[2][CHANNELS * VECTORS * 16 + 16];
    for (int q = 0; q < 2; ++q) {
        const int2 at = (int2)(residue, q) + pad_begin;
        if (vectors == 3) {
            pairs_sums3(&tile, at, start, sums[q]);
        } else if (vectors == 2) {
            pairs_sums2(&tile, at, start, sums[q]);
        } else {
            pairs_sums1(&tile, at, start, sums[q]);
        }
        vstore16((float16)0.0f, CHANNELS * VECTORS, sums[q]);
    }
    for (int o = 0; o < count; ++o) {
        const float16 factor = ACTIVATION_KIND == ACTIVATION_KIND_PRELU ? slope[(first + o) * slope_step] : 0.0f;
        const int y_at = (image * groups * group_out + first + o) * out_size.x * out_size.y;
        int row = begin / pitch;
        int column = begin % pitch;
        for (int position = begin; position < end;) {
            const int left = min(end - position, columns - column);
            const int out_row = row * stride + residue;
            if (out_row < out_size.x) {
                const int from = o * VECTORS * 16 + position - begin;
                for (int i = 0; i < left; i += 16) {
                    const int out_column = 2 * (column + i);
                    finish_pair(vload16(0, sums[0] + from + i), vload16(0, sums[1] + from + i), residual, factor, alpha,
                            beta, y, y_at + out_row * out_size.y + out_column,
                            min(out_size.y - out_column, 2 * (left - i)));
                }
            }
            position += pitch - column;
            column = 0;
            ++row;
        }
    }
}
