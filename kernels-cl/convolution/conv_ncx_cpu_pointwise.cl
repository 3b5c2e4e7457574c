// 1x1 convolution with stride 1 as a product of matrices by register tiles: an item computes 8 output channels of up to
// 48 positions that lie side by side.
//
// Layout: x, residual, y [image, channel, position], dense; packed (conv_cpu_pack_weights.cl) is [out channel / 8, in
//         channel, out channel % 8], with 0 for output channels that do not exist. bias, residual and slope may be NULL,
//         slope not with PRELU; slope has one element (slope_step 0) or one a channel.
// Assumes: fewer than 2^31 elements in every tensor. The vectors of 16 positions of an image are divided into `blocks`,
//          each of at most 3. Global size [blocks, ceil(out channels / 8), images], with channels_first the first two
//          the other way round: items that follow one another read the same positions of x then.
// Macros: none.
#include "common/runs_end.h"
#include "common/prefetch.h"

#define POINTWISE_CHANNELS 8
// Input channels from which x is asked for early: processors follow no stream from page to page.
#define POINTWISE_ROWS_AHEAD 8

#define POINTWISE_EACH(i, count) _Pragma("unroll") for (int i = 0; i < count; ++i)
#define POINTWISE_INSIDE(x, count) blocked_load(x)
#define POINTWISE_GUARDED(x, count) ((count) >= 16 ? blocked_load(x) : runs_read(x, count))

// What the tiles of an item share; pointers are those of its first output channel and position.
typedef struct {
    __global const float *x;
    __global const float *packed;
    __global const float *bias;
    __global const float *residual;
    __global const float *slope;
    __global float *y;
    int slope_step;
    int activation;
    float alpha;
    float low;
    float high;
    int count;
    int positions;
    int in_channels;
    int safe;
    int channels;
} PointwiseTile;

#define POINTWISE_ADD(N, CHANNELS, read, from, to)                                                                  \
    for (int channel = from; channel < to; ++channel) {                                                             \
        float16 values[N];                                                                                          \
        PREFETCH(packed + channel * POINTWISE_CHANNELS + PREFETCH_AHEAD);                                           \
        POINTWISE_EACH(n, N) {                                                                                      \
            values[n] = read(x + channel * positions + 16 * n, count - 16 * n);                                     \
            PREFETCH(x + (long)(channel + POINTWISE_ROWS_AHEAD) * positions + 16 * n);                              \
        }                                                                                                           \
        POINTWISE_EACH(o, CHANNELS) {                                                                               \
            const float16 weight = packed[channel * POINTWISE_CHANNELS + o];                                        \
            POINTWISE_EACH(n, N) {                                                                                  \
                sum[o][n] += weight * values[n];                                                                    \
            }                                                                                                       \
        }                                                                                                           \
    }

// `count` positions of the channels that exist; the first `safe` input channels can be read in whole vectors.
#define POINTWISE_TILE(N, CHANNELS)                                                                                 \
    __attribute__((noinline)) static void pointwise_tile##N(const PointwiseTile *t) {                               \
        __global const float *x = t->x;                                                                             \
        __global const float *packed = t->packed;                                                                   \
        const int positions = t->positions;                                                                         \
        const int count = t->count;                                                                                 \
        float16 sum[CHANNELS][N];                                                                                   \
        POINTWISE_EACH(o, CHANNELS) {                                                                               \
            const float16 start = t->bias ? t->bias[min(o, t->channels - 1)] : 0.0f;                                \
            POINTWISE_EACH(n, N) {                                                                                  \
                sum[o][n] = start;                                                                                  \
            }                                                                                                       \
        }                                                                                                           \
        POINTWISE_ADD(N, CHANNELS, POINTWISE_INSIDE, 0, t->safe)                                                    \
        POINTWISE_ADD(N, CHANNELS, POINTWISE_GUARDED, t->safe, t->in_channels)                                      \
        POINTWISE_EACH(o, CHANNELS) {                                                                               \
            if (o < t->channels) {                                                                                  \
                const float slope = runs_slope(t->slope, t->slope_step, o, t->activation, t->alpha);                \
                POINTWISE_EACH(n, N) {                                                                              \
                    const int to = o * positions + 16 * n;                                                          \
                    runs_end(sum[o][n], t->residual ? t->residual + to : 0, slope, t->low, t->high,                 \
                            t->y + to, count - 16 * n);                                                             \
                }                                                                                                   \
            }                                                                                                       \
        }                                                                                                           \
    }

#if REGISTER_LANES == 16
POINTWISE_TILE(1, 8)
POINTWISE_TILE(2, 8)
POINTWISE_TILE(3, 8)

static inline void pointwise_tiles(const PointwiseTile *t, int vectors) {
    if (vectors == 3) {
        pointwise_tile3(t);
    } else if (vectors == 2) {
        pointwise_tile2(t);
    } else {
        pointwise_tile1(t);
    }
}
#else
POINTWISE_TILE(1, 4)

static inline void pointwise_tiles(const PointwiseTile *t, int vectors) {
    PointwiseTile part = *t;
    for (int first = 0; first < t->channels; first += 4) {
        part.packed = t->packed + first;
        part.bias = t->bias ? t->bias + first : 0;
        part.slope = t->slope ? t->slope + first * t->slope_step : 0;
        part.channels = t->channels - first;
        for (int from = 0; from < vectors * 16; from += 16) {
            const int to = first * t->positions + from;
            part.x = t->x + from;
            part.residual = t->residual ? t->residual + to : 0;
            part.y = t->y + to;
            part.count = t->count - from;
            pointwise_tile1(&part);
        }
    }
}
#endif

__kernel void convolution_pointwise(
        __global const float *x,
        __global const float *packed,
        __global const float *bias,
        __global const float *residual,
        __global const float *slope,
        __global float *y,
        const int slope_step,
        const int activation,
        const int residual_after,
        const float alpha,
        const float beta,
        const int x_len,
        const int positions,
        const int blocks,
        const int in_channels,
        const int out_channels,
        const int channels_first) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int first = (channels_first ? at.x : at.y) * POINTWISE_CHANNELS;
    const int block = channels_first ? at.y : at.x;
    const int vectors = (positions + 15) / 16;
    const int first_vector = (int)((long)vectors * block / blocks);
    const int block_vectors = (int)((long)vectors * (block + 1) / blocks) - first_vector;
    const int position = first_vector * 16;
    const int x_at = at.z * in_channels * positions + position;
    const int y_at = (at.z * out_channels + first) * positions + position;
    const int beyond = x_len - x_at - block_vectors * 16;
    __global const float *added = residual ? residual + y_at : 0;
    PointwiseTile t;
    t.x = x + x_at;
    t.packed = packed + first * in_channels;
    t.bias = bias ? bias + first : 0;
    t.residual = residual_after ? 0 : added;
    t.slope = slope + (slope ? first * slope_step : 0);
    t.y = y + y_at;
    t.slope_step = slope_step;
    t.activation = activation;
    t.alpha = alpha;
    t.low = blocked_low(activation, alpha);
    t.high = blocked_high(activation, beta);
    t.count = min(positions - position, block_vectors * 16);
    t.positions = positions;
    t.in_channels = in_channels;
    t.safe = beyond < 0 ? 0 : min(beyond / positions + 1, in_channels);
    t.channels = min(out_channels - first, POINTWISE_CHANNELS);
    pointwise_tiles(&t, block_vectors);
    if (blocked_is_smooth(activation) || (added && residual_after)) {
        runs_end_late(t.y, residual_after ? added : 0, t.channels, positions, t.count, activation);
    }
}
