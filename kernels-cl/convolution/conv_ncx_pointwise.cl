// 1x1 convolution with stride 1 as a product of matrices by register tiles: an item computes 8 output channels of up to
// 48 positions that lie side by side.
//
// Layout: x, residual, y [image, channel, position], dense; packed (conv_pack_weights.cl) is [out channel / 8, in
//         channel, out channel % 8], with 0 for output channels that do not exist. bias may be NULL, residual and slope
//         where the macros do not ask for them; slope has one element (slope_step 0) or one a channel.
// Assumes: fewer than 2^31 elements in every tensor. The vectors of 16 positions of an image are divided into `blocks`,
//          each of at most 3. Global size [blocks, ceil(out channels / 8), images].
// Macros: ACTIVATION, RESIDUAL (common/epilogue.h).
#include "common/runs.h"
#include "common/epilogue_runs.h"
#include "common/prefetch.h"

#define CHANNELS 8

#define READ_INSIDE(x, at, count) vload16(0, (x) + (at))
#define READ_GUARDED(x, at, count) read_first(x, at, count)
#define ACCUMULATE(N, read, from, to)                                                                       \
    for (int channel = from; channel < to; ++channel) {                                                     \
        float16 values[N];                                                                                  \
        PREFETCH(packed + channel * CHANNELS + PREFETCH_AHEAD);                                             \
        _Pragma("unroll") for (int n = 0; n < N; ++n) {                                                     \
            values[n] = read(x, channel * positions + 16 * n, min(count - 16 * n, 16));                     \
        }                                                                                                   \
        _Pragma("unroll") for (int o = 0; o < CHANNELS; ++o) {                                              \
            const float16 weight = packed[channel * CHANNELS + o];                                          \
            _Pragma("unroll") for (int n = 0; n < N; ++n) {                                                 \
                sum[o][n] += weight * values[n];                                                            \
            }                                                                                               \
        }                                                                                                   \
    }

// `count` positions at x of CHANNELS output channels, of which `last` + 1 exist; the first `safe` input channels can be
// read in whole vectors. Arguments from bias on are those of the first output channel.
#define MULTIPLY(N)                                                                                         \
    static inline void multiply_##N(                                                                        \
            __global const float *x, __global const float *packed, int count, int positions, int in_channels,  \
            int safe, __global const float *bias, __global const float *residual, __global const float *slope,        \
            __global float *y, int y_at, int last, int slope_step, float alpha, float beta) {               \
        float16 sum[CHANNELS][N];                                                                           \
        _Pragma("unroll") for (int o = 0; o < CHANNELS; ++o) {                                              \
            const float16 start = bias ? bias[min(o, last)] : 0.0f;                                         \
            _Pragma("unroll") for (int n = 0; n < N; ++n) {                                                 \
                sum[o][n] = start;                                                                          \
            }                                                                                               \
        }                                                                                                   \
        ACCUMULATE(N, READ_INSIDE, 0, safe)                                                                 \
        ACCUMULATE(N, READ_GUARDED, safe, in_channels)                                                      \
        _Pragma("unroll") for (int o = 0; o < CHANNELS; ++o) {                                              \
            if (o <= last) {                                                                                \
                const float16 factor = ACTIVATION_KIND == ACTIVATION_KIND_PRELU ? slope[o * slope_step] : 0.0f; \
                _Pragma("unroll") for (int n = 0; n < N; ++n) {                                             \
                    finish_run(sum[o][n], residual, factor, alpha, beta, y, y_at + o * positions + 16 * n,  \
                            count - 16 * n);                                                                \
                }                                                                                           \
            }                                                                                               \
        }                                                                                                   \
    }

MULTIPLY(1)
MULTIPLY(2)
MULTIPLY(3)

#define CALL(N)                                                                                             \
    multiply_##N(x + x_at, weights, count, positions, in_channels, safe, bias ? bias + first : bias, residual,  \
            ACTIVATION_KIND == ACTIVATION_KIND_PRELU ? slope + first * slope_step : slope, y, y_at,         \
            min(out_channels - first, CHANNELS) - 1, slope_step, alpha, beta)

__kernel void convolution_pointwise(
        __global const float *x,
        __global const float *packed,
        __global const float *bias,
        __global const float *residual,
        __global const float *slope,
        __global float *y,
        const int slope_step,
        const float alpha,
        const float beta,
        const int x_len,
        const int positions,
        const int blocks,
        const int in_channels,
        const int out_channels) {
    const int image = get_global_id(2);
    const int first = get_global_id(1) * CHANNELS;
    const int block = get_global_id(0);
    const int vectors = (positions + 15) / 16;
    const int first_vector = (int)((long)vectors * block / blocks);
    const int block_vectors = (int)((long)vectors * (block + 1) / blocks) - first_vector;
    const int position = first_vector * 16;
    const int count = min(positions - position, block_vectors * 16);
    const int x_at = image * in_channels * positions + position;
    const int y_at = (image * out_channels + first) * positions + position;
    const int beyond = x_len - x_at - block_vectors * 16;
    const int safe = beyond < 0 ? 0 : min(beyond / positions + 1, in_channels);
    __global const float *weights = packed + first * in_channels;
    if (block_vectors == 3) {
        CALL(3);
    } else if (block_vectors == 2) {
        CALL(2);
    } else {
        CALL(1);
    }
}
