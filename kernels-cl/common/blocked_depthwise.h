// Depthwise convolution of blocked channels, one input channel for each output channel, by rows, for kernels that do
// nothing else and for those that do.
//
// Gives: ConvBlockedRow              a row of y and what it is made of;
//        conv_blocked_depthwise_row  computes it: sums, a residual, bounds; what else follows is not done here;
//        conv_blocked_depthwise_is_small  whether its kernel has functions of its own.
// No function here asks which item it is.
#ifndef CLINFER_BLOCKED_DEPTHWISE_H
#define CLINFER_BLOCKED_DEPTHWISE_H

#include "common/epilogue_blocked.h"

// A row of y, and what it is made of; pitches and steps in floats.
typedef struct {
    __global const float *x;
    __global const float *weights;
    __global const float *residual;
    __global float *y;
    int x_pitch;
    int2 kernel_size;
    int2 dilation;
    int step;
    int columns;
    int is_bounded;
    float low;
    float high;
    float16 bias;
} ConvBlockedRow;

#define DEPTHWISE_EACH(i, count) _Pragma("unroll") for (int i = 0; i < count; ++i)

// Adds the residual to PIXELS sums, bounds and stores them.
#define DEPTHWISE_STORE(PIXELS)                                                                                     \
    if (c->residual) {                                                                                              \
        DEPTHWISE_EACH(i, PIXELS) {                                                                                 \
            sum[i] += blocked_load(c->residual + (column + i) * 16);                                                \
        }                                                                                                           \
    }                                                                                                               \
    if (c->is_bounded) {                                                                                            \
        DEPTHWISE_EACH(i, PIXELS) {                                                                                 \
            sum[i] = blocked_bounded(sum[i], c->low, c->high);                                                      \
        }                                                                                                           \
    }                                                                                                               \
    DEPTHWISE_EACH(i, PIXELS) {                                                                                     \
        blocked_store(sum[i], c->y + (column + i) * 16);                                                            \
    }

// A row of at least PIXELS columns with a 3x3 kernel without dilation; the last pixels may be computed twice.
#define DEPTHWISE_3X3(PIXELS, STEP)                                                                                 \
    __attribute__((noinline)) static void conv_blocked_depthwise_3x3s##STEP(const ConvBlockedRow *c) {              \
        float16 weight[9];                                                                                          \
        DEPTHWISE_EACH(tap, 9) {                                                                                    \
            weight[tap] = blocked_load(c->weights + tap * 16);                                                      \
        }                                                                                                           \
        for (int next = 0; next < c->columns; next += PIXELS) {                                                     \
            const int column = min(next, c->columns - PIXELS);                                                      \
            float16 sum[PIXELS];                                                                                    \
            DEPTHWISE_EACH(i, PIXELS) {                                                                             \
                sum[i] = c->bias;                                                                                   \
            }                                                                                                       \
            DEPTHWISE_EACH(ky, 3) {                                                                                 \
                __global const float *x = c->x + ky * c->x_pitch + column * STEP * 16;                              \
                float16 value[(PIXELS - 1) * STEP + 3];                                                             \
                DEPTHWISE_EACH(i, (PIXELS - 1) * STEP + 3) {                                                        \
                    value[i] = blocked_load(x + i * 16);                                                            \
                }                                                                                                   \
                DEPTHWISE_EACH(i, PIXELS) {                                                                         \
                    DEPTHWISE_EACH(kx, 3) {                                                                         \
                        sum[i] += value[i * STEP + kx] * weight[ky * 3 + kx];                                       \
                    }                                                                                               \
                }                                                                                                   \
            }                                                                                                       \
            DEPTHWISE_STORE(PIXELS)                                                                                 \
        }                                                                                                           \
    }

// A row of at least PIXELS columns with any kernel; the last pixels may be computed twice.
#define DEPTHWISE_ANY(PIXELS)                                                                                       \
    __attribute__((noinline)) static void conv_blocked_depthwise_any##PIXELS(const ConvBlockedRow *c) {             \
        for (int next = 0; next < c->columns; next += PIXELS) {                                                     \
            const int column = min(next, c->columns - PIXELS);                                                      \
            float16 sum[PIXELS];                                                                                    \
            DEPTHWISE_EACH(i, PIXELS) {                                                                             \
                sum[i] = c->bias;                                                                                   \
            }                                                                                                       \
            __global const float *weights = c->weights;                                                             \
            for (int ky = 0; ky < c->kernel_size.x; ++ky) {                                                         \
                __global const float *x = c->x + ky * c->dilation.x + column * c->step;                             \
                _Pragma("unroll 1") for (int kx = 0; kx < c->kernel_size.y; ++kx) {                                 \
                    const float16 weight = blocked_load(weights);                                                   \
                    DEPTHWISE_EACH(i, PIXELS) {                                                                     \
                        sum[i] += blocked_load(x + i * c->step) * weight;                                           \
                    }                                                                                               \
                    x += c->dilation.y;                                                                             \
                    weights += 16;                                                                                  \
                }                                                                                                   \
            }                                                                                                       \
            DEPTHWISE_STORE(PIXELS)                                                                                 \
        }                                                                                                           \
    }

DEPTHWISE_3X3(7, 1)
DEPTHWISE_3X3(7, 2)
DEPTHWISE_ANY(8)
DEPTHWISE_ANY(1)

// Any row; `step` is the number of columns of x between two of y.
static inline void conv_blocked_depthwise_row(const ConvBlockedRow *c, int is_small, int step) {
    if (is_small && step == 1) {
        conv_blocked_depthwise_3x3s1(c);
    } else if (is_small && step == 2) {
        conv_blocked_depthwise_3x3s2(c);
    } else if (c->columns >= 8) {
        conv_blocked_depthwise_any8(c);
    } else {
        conv_blocked_depthwise_any1(c);
    }
}

// Whether rows of this many columns go to the functions for 3x3 kernels.
static inline int conv_blocked_depthwise_is_small(int2 kernel_size, int2 dilation, int columns) {
    return kernel_size.x == 3 && kernel_size.y == 3 && all(dilation == 1) && columns >= 7;
}

#endif
