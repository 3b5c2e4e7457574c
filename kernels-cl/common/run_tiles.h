// Register tiles of RUN_CHANNELS output channels and up to RUN_VECTORS runs of 16 positions of a padded plane, in which every
// tap is an offset: runs go on from the end of a row into the next, and what lies between them is dropped.
//
// Gives: RunTile       what an item multiplies;
//        RUN_SUMS      defines NAME, which fills `sums` (RUN_TILE_LEN elements) with RUN_VECTORS runs for each channel; a
//                      run may be read from any position on;
//        run_starts    the sums before the first tap.
// Float32 alone. Weights are packed by convolution/conv_pack_weights.cl in RUN_CHANNELS lanes.
#ifndef CLINFER_RUN_TILES_H
#define CLINFER_RUN_TILES_H

#include "common/blocked_vector.h"

#define RUN_CHANNELS 8
#define RUN_VECTORS 3
#define RUN_TILE_LEN (RUN_CHANNELS * RUN_VECTORS * 16 + 16)
#define RUN_EACH(i, count) _Pragma("unroll") for (int i = 0; i < count; ++i)

// x is the first position of the first input channel; the rows and columns of taps go from first_tap on in steps.
typedef struct {
    __global const float *x;
    __global const float *weights;
    int plane_len;
    int channels;
    int2 kernel_size;
    int2 first_tap;
    int2 tap_step;
} RunTile;

static inline void run_starts(__global const float *bias, int first, int count, float *start) {
    for (int o = 0; o < RUN_CHANNELS; ++o) {
        start[o] = bias && o < count ? bias[first + o] : 0.0f;
    }
}

#define RUN_SUMS_OF(NAME, TILE, OFFSET, N)                                                                          \
    __attribute__((noinline)) static void NAME##N(const TILE *c, const float *start, float *sums) {                 \
        const RunTile *t = &c->run;                                                                                 \
        float16 sum[RUN_CHANNELS][N];                                                                               \
        RUN_EACH(o, RUN_CHANNELS) {                                                                                 \
            RUN_EACH(n, N) {                                                                                        \
                sum[o][n] = start[o];                                                                               \
            }                                                                                                       \
        }                                                                                                           \
        for (int ky = t->first_tap.x; ky < t->kernel_size.x; ky += t->tap_step.x) {                                 \
            for (int kx = t->first_tap.y; kx < t->kernel_size.y; kx += t->tap_step.y) {                             \
                __global const float *x = t->x + OFFSET(c, ky, kx);                                                 \
                __global const float *w = t->weights + (ky * t->kernel_size.y + kx) * t->channels * RUN_CHANNELS;   \
                for (int channel = 0; channel < t->channels; ++channel) {                                           \
                    float16 values[N];                                                                              \
                    RUN_EACH(n, N) {                                                                                \
                        values[n] = blocked_load(x + n * 16);                                                       \
                    }                                                                                               \
                    RUN_EACH(o, RUN_CHANNELS) {                                                                     \
                        const float16 weight = w[o];                                                                \
                        RUN_EACH(n, N) {                                                                            \
                            sum[o][n] += weight * values[n];                                                        \
                        }                                                                                           \
                    }                                                                                               \
                    x += t->plane_len;                                                                              \
                    w += RUN_CHANNELS;                                                                              \
                }                                                                                                   \
            }                                                                                                       \
        }                                                                                                           \
        RUN_EACH(o, RUN_CHANNELS) {                                                                                 \
            RUN_EACH(n, RUN_VECTORS) {                                                                              \
                *(Blocked16 *)(sums + (o * RUN_VECTORS + n) * 16) = n < N ? sum[o][min(n, N - 1)] : (float16)0.0f;  \
            }                                                                                                       \
        }                                                                                                           \
        *(Blocked16 *)(sums + RUN_CHANNELS * RUN_VECTORS * 16) = (float16)0.0f;                                     \
    }

// OFFSET(c, ky, kx) is where the tap reads, from the first position on; a TILE begins with `RunTile run`.
#define RUN_SUMS(NAME, TILE, OFFSET)                                                                                \
    RUN_SUMS_OF(NAME, TILE, OFFSET, 1)                                                                              \
    RUN_SUMS_OF(NAME, TILE, OFFSET, 2)                                                                              \
    RUN_SUMS_OF(NAME, TILE, OFFSET, 3)                                                                              \
    static inline void NAME(const TILE *c, int vectors, const float *start, float *sums) {                          \
        if (vectors == 3) {                                                                                         \
            NAME##3(c, start, sums);                                                                                \
        } else if (vectors == 2) {                                                                                  \
            NAME##2(c, start, sums);                                                                                \
        } else {                                                                                                    \
            NAME##1(c, start, sums);                                                                                \
        }                                                                                                           \
    }

#endif
