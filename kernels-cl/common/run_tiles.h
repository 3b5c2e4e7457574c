// Register tiles of RUN_CHANNELS output channels and up to RUN_VECTORS runs of 16 positions of a padded plane, in which every
// tap is an offset: runs go on from the end of a row into the next, and what lies between them is dropped.
//
// Gives: RunTile       what an item multiplies;
//        RUN_SUMS      defines NAME, which fills `sums` (RUN_TILE_LEN elements) with RUN_VECTORS runs for each channel; a
//                      run may be read from any position on;
//        run_starts    the sums before the first tap.
// Float32 alone. Weights are packed by convolution/conv_cpu_pack_weights.cl in RUN_CHANNELS lanes.
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

// CHANNELS channels from `first` on, PARTS registers of positions from `lane` on.
#define RUN_SUMS_OF(NAME, TILE, OFFSET, CHANNELS, PARTS)                                                            \
    __attribute__((noinline)) static void NAME##PARTS(                                                              \
            const TILE *c, int first, int lane, const float *start, float *sums) {                                  \
        const RunTile *t = &c->run;                                                                                 \
        BlockedPart sum[CHANNELS][PARTS];                                                                           \
        RUN_EACH(o, CHANNELS) {                                                                                     \
            RUN_EACH(n, PARTS) {                                                                                    \
                sum[o][n] = start[first + o];                                                                       \
            }                                                                                                       \
        }                                                                                                           \
        for (int ky = t->first_tap.x; ky < t->kernel_size.x; ky += t->tap_step.x) {                                 \
            for (int kx = t->first_tap.y; kx < t->kernel_size.y; kx += t->tap_step.y) {                             \
                __global const float *x = t->x + OFFSET(c, ky, kx) + lane;                                          \
                __global const float *w =                                                                           \
                        t->weights + (ky * t->kernel_size.y + kx) * t->channels * RUN_CHANNELS + first;             \
                for (int channel = 0; channel < t->channels; ++channel) {                                           \
                    BlockedPart values[PARTS];                                                                      \
                    RUN_EACH(n, PARTS) {                                                                            \
                        values[n] = *(__global const StoredPart *)(x + n * REGISTER_LANES);                         \
                    }                                                                                               \
                    RUN_EACH(o, CHANNELS) {                                                                         \
                        const BlockedPart weight = w[o];                                                            \
                        RUN_EACH(n, PARTS) {                                                                        \
                            sum[o][n] += weight * values[n];                                                        \
                        }                                                                                           \
                    }                                                                                               \
                    x += t->plane_len;                                                                              \
                    w += RUN_CHANNELS;                                                                              \
                }                                                                                                   \
            }                                                                                                       \
        }                                                                                                           \
        RUN_EACH(o, CHANNELS) {                                                                                     \
            RUN_EACH(n, PARTS) {                                                                                    \
                *(StoredPart *)(sums + (first + o) * RUN_VECTORS * 16 + lane + n * REGISTER_LANES) = sum[o][n];     \
            }                                                                                                       \
        }                                                                                                           \
    }

#if REGISTER_LANES == 16
#define RUN_SUMS_DEFINED(NAME, TILE, OFFSET)                                                                        \
    RUN_SUMS_OF(NAME, TILE, OFFSET, 8, 1)                                                                           \
    RUN_SUMS_OF(NAME, TILE, OFFSET, 8, 2)                                                                           \
    RUN_SUMS_OF(NAME, TILE, OFFSET, 8, 3)
#define RUN_SUMS_CALLED(NAME)                                                                                       \
    if (vectors == 3) {                                                                                             \
        NAME##3(c, 0, 0, start, sums);                                                                              \
    } else if (vectors == 2) {                                                                                      \
        NAME##2(c, 0, 0, start, sums);                                                                              \
    } else {                                                                                                        \
        NAME##1(c, 0, 0, start, sums);                                                                              \
    }
#else
#define RUN_SUMS_DEFINED(NAME, TILE, OFFSET)                                                                        \
    RUN_SUMS_OF(NAME, TILE, OFFSET, 4, 2)                                                                           \
    RUN_SUMS_OF(NAME, TILE, OFFSET, 4, 3)
#define RUN_SUMS_CALLED(NAME)                                                                                       \
    for (int first = 0; first < RUN_CHANNELS; first += 4) {                                                         \
        if (vectors == 3) {                                                                                         \
            NAME##3(c, first, 0, start, sums);                                                                      \
            NAME##3(c, first, 24, start, sums);                                                                     \
        } else {                                                                                                    \
            for (int lane = 0; lane < vectors * 16; lane += 16) {                                                   \
                NAME##2(c, first, lane, start, sums);                                                               \
            }                                                                                                       \
        }                                                                                                           \
    }
#endif

// OFFSET(c, ky, kx) is where the tap reads, from the first position on; a TILE begins with `RunTile run`. Runs beyond
// `vectors` are 0.
#define RUN_SUMS(NAME, TILE, OFFSET)                                                                                \
    RUN_SUMS_DEFINED(NAME, TILE, OFFSET)                                                                            \
    static inline void NAME(const TILE *c, int vectors, const float *start, float *sums) {                          \
        for (int i = vectors == RUN_VECTORS ? RUN_CHANNELS * RUN_VECTORS : 0; i <= RUN_CHANNELS * RUN_VECTORS; ++i) {\
            *(Blocked16 *)(sums + i * 16) = (float16)0.0f;                                                          \
        }                                                                                                           \
        RUN_SUMS_CALLED(NAME)                                                                                       \
    }

#endif
