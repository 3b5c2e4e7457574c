// Depthwise convolution of blocked channels, one input channel for each output channel, with what follows it. An item
// computes a band of rows of one block of one image.
//
// Layout: x, residual, y [image, block, row, column, 16], dense; shapes as in conv_blocked_ref.cl. packed [block, tap,
//         16] as conv_blocked_cpu_pack.cl makes it, with 0 for channels that do not exist.
// Assumes: fewer than 2^31 elements in every tensor; bias, residual and slope may be NULL, slope not with PRELU. Global
//          size [bands, blocks, images].
// Macros: none.
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
            sum[i] = clip16(sum[i], c->low, c->high);                                                               \
        }                                                                                                           \
    }                                                                                                               \
    DEPTHWISE_EACH(i, PIXELS) {                                                                                     \
        blocked_store(sum[i], c->y + (column + i) * 16);                                                            \
    }

// A row of at least PIXELS columns with a 3x3 kernel without dilation; the last pixels may be computed twice.
#define DEPTHWISE_3X3(PIXELS, STEP)                                                                                 \
    __attribute__((noinline)) static void conv_blocked_cpu_depthwise_3x3s##STEP(const ConvBlockedRow *c) {          \
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
    __attribute__((noinline)) static void conv_blocked_cpu_depthwise_any##PIXELS(const ConvBlockedRow *c) {         \
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
DEPTHWISE_ANY(7)
DEPTHWISE_ANY(4)
DEPTHWISE_ANY(1)

__kernel void conv_blocked_cpu_depthwise(
        __global const float *x,
        __global const float *packed,
        __global const float *bias,
        __global const float *residual,
        __global const float *slope,
        __global float *y,
        const int slope_step,
        const float alpha,
        const float beta,
        const int activation,
        const int residual_after,
        const int4 in_shape,
        const int2 crop,
        const int4 out_shape,
        const int4 halo,
        const int4 residual_shape,
        const int2 kernel_size,
        const int2 stride,
        const int2 dilation,
        const int bands) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int first = (int)((long)out_shape.y * at.x / bands);
    const int last = (int)((long)out_shape.y * (at.x + 1) / bands);
    const int plane = at.z * out_shape.x + at.y;
    const int y_pitch = (halo.y + out_shape.z + halo.w) * 16;
    __global float *y_plane = y + plane * (halo.x + out_shape.y + halo.z) * y_pitch;
    const int taps = kernel_size.x * kernel_size.y;
    const int is_small = kernel_size.x == 3 && kernel_size.y == 3 && all(dilation == 1) && out_shape.z >= 7;
    const int is_leaky = activation == FUNCTION_LEAKY_RELU || activation == FUNCTION_PRELU;
    const int is_smooth = blocked_is_smooth(activation);
    const float16 slopes = blocked_slopes(slope, slope_step, activation, alpha, at.y * 16, out_shape.w);
    ConvBlockedRow c;
    c.weights = packed + at.y * taps * 16;
    c.bias = blocked_lanes(bias, at.y * 16, out_shape.w);
    c.x_pitch = in_shape.z * 16;
    c.kernel_size = kernel_size;
    c.dilation = (int2)(dilation.x * c.x_pitch, dilation.y * 16);
    c.step = stride.y * 16;
    c.columns = out_shape.z;
    c.is_bounded = blocked_only_clips(activation);
    c.low = blocked_low(activation, alpha);
    c.high = blocked_high(activation, beta);
    for (int row = first; row < last; ++row) {
        const int line = plane * in_shape.y + crop.x + row * stride.x;
        const int added_line = plane * residual_shape.x + residual_shape.z + row;
        __global const float *added =
                residual ? residual + (added_line * residual_shape.y + residual_shape.w) * 16 : 0;
        c.x = x + line * c.x_pitch + crop.y * 16;
        c.residual = residual_after ? 0 : added;
        c.y = y_plane + (halo.x + row) * y_pitch + halo.y * 16;
        if (is_small && stride.y == 1) {
            conv_blocked_cpu_depthwise_3x3s1(&c);
        } else if (is_small && stride.y == 2) {
            conv_blocked_cpu_depthwise_3x3s2(&c);
        } else if (c.columns >= 7 && (c.columns + 6) / 7 * 7 <= (c.columns + 7) / 8 * 8) {
            conv_blocked_cpu_depthwise_any7(&c);
        } else if (c.columns >= 8) {
            conv_blocked_cpu_depthwise_any8(&c);
        } else if (c.columns >= 4) {
            conv_blocked_cpu_depthwise_any4(&c);
        } else {
            conv_blocked_cpu_depthwise_any1(&c);
        }
        if (is_leaky || is_smooth || (added && residual_after)) {
            for (int column = 0; column < c.columns; ++column) {
                float16 value = blocked_load(c.y + column * 16);
                value = is_smooth ? blocked_smooth(value, activation) : is_leaky ? blocked_bent(value, slopes) : value;
                if (added && residual_after) {
                    value += blocked_load(added + column * 16);
                }
                blocked_store(value, c.y + column * 16);
            }
        }
    }
    blocked_margin(y_plane, out_shape.yz, halo, first * c.columns, last * c.columns);
}
