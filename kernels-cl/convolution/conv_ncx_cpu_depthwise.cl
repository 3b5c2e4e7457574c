// Depthwise convolution (one input channel per group): an item computes 16 columns of 4 output rows, or of one.
//
// Layout: x, residual, y NCDHW, dense; weights with strides [out channel of a group, tap, group]; all used in place.
//         bias, residual and slope may be NULL, slope not with PRELU; slope has one element for all output channels
//         (slope_step == 0) or for each (1).
// Assumes: fewer than 2^31 elements in every tensor, at least 32 in x; stride.z 1 or 2; `multiplier` output channels per
//          group; item_rows 4 or 1. Global size [ceil(out width / 16), ceil(out height / item_rows), batch * output
//          channels * out depth].
// Macros: none.
#include "common/planes.h"
#include "common/runs_end.h"

// Sizes are int4 [depth, height, width, 0]; a slice of one output channel.
typedef struct {
    __global const float *x;
    __global const float *taps;
    __global const float *residual;
    __global float *y;
    float start;
    float slope;
    float low;
    float high;
    int x_len;
    int4 in_volume;
    int2 out_size;
    int4 kernel_size;
    int4 stride;
    int4 dilation;
    int4 first;
    int group;
    int row;
    int column;
    int tap_step;
} DepthwiseRows;

#define DEPTHWISE_ROWS(ROWS, STRIDE)                                                                                \
    __attribute__((noinline)) static void depthwise_rows##ROWS##s##STRIDE(const DepthwiseRows *c) {                 \
        const int2 in_size = c->in_volume.yz;                                                                       \
        const int4 first = c->first;                                                                                \
        const int4 kernel_size = c->kernel_size;                                                                    \
        const int4 dilation = c->dilation;                                                                          \
        const int row_stride = c->stride.y;                                                                         \
        const int end_row = first.y + (ROWS - 1) * row_stride + (kernel_size.y - 1) * dilation.y + 1;               \
        const int end_column = first.z + (kernel_size.z - 1) * dilation.z + 16 * STRIDE;                            \
        const int inside = first.y >= 0 && end_row <= in_size.x && first.z >= 0 && end_column <= in_size.y;         \
        const int16 lanes = STRIDE * PLANES_LANES;                                                                  \
        float16 total[ROWS];                                                                                        \
        PLANES_EACH(r, ROWS) {                                                                                      \
            total[r] = c->start;                                                                                    \
        }                                                                                                           \
        for (int kz = 0; kz < kernel_size.x; ++kz) {                                                                \
            const int z = first.x + kz * dilation.x;                                                                \
            if (z < 0 || z >= c->in_volume.x) {                                                                     \
                continue;                                                                                           \
            }                                                                                                       \
            const int plane_at = (c->group * c->in_volume.x + z) * in_size.x * in_size.y;                           \
            const int is_safe =                                                                                     \
                    plane_at + first.z >= 0 && plane_at + (in_size.x - 1) * in_size.y + end_column <= c->x_len;     \
            for (int ky = 0; ky < kernel_size.y; ++ky) {                                                            \
                const int in_row = first.y + ky * dilation.y;                                                       \
                for (int kx = 0; kx < kernel_size.z; ++kx) {                                                        \
                    const int in_column = first.z + kx * dilation.z;                                                \
                    const float tap = c->taps[((kz * kernel_size.y + ky) * kernel_size.z + kx) * c->tap_step];      \
                    if (inside) {                                                                                   \
                        __global const float *x = c->x + plane_at + in_row * in_size.y + in_column;                 \
                        PLANES_EACH(r, ROWS) {                                                                      \
                            total[r] += tap * planes_run##STRIDE(x + r * row_stride * in_size.y);                   \
                        }                                                                                           \
                        continue;                                                                                   \
                    }                                                                                               \
                    const int16 columns = in_column + lanes;                                                        \
                    const int16 mask = (columns >= 0) & (columns < in_size.y);                                      \
                    PLANES_EACH(r, ROWS) {                                                                          \
                        const int source = in_row + r * row_stride;                                                 \
                        const int at = plane_at + source * in_size.y + in_column;                                   \
                        if (source >= 0 && source < in_size.x) {                                                    \
                            if (is_safe) {                                                                          \
                                const float16 values = planes_run##STRIDE(c->x + at);                               \
                                total[r] += tap * (mask ? values : (float16)0.0f);                                  \
                            } else {                                                                                \
                                total[r] += tap * planes_guarded(c->x, at, STRIDE, in_column, in_size.y, 0.0f);     \
                            }                                                                                       \
                        }                                                                                           \
                    }                                                                                               \
                }                                                                                                   \
            }                                                                                                       \
        }                                                                                                           \
        PLANES_EACH(r, ROWS) {                                                                                      \
            if (c->row + r < c->out_size.x) {                                                                       \
                const int to = r * c->out_size.y;                                                                   \
                runs_end(total[r], c->residual ? c->residual + to : 0, c->slope, c->low, c->high, c->y + to,        \
                        c->out_size.y - c->column);                                                                 \
            }                                                                                                       \
        }                                                                                                           \
    }

DEPTHWISE_ROWS(4, 1)
DEPTHWISE_ROWS(4, 2)
DEPTHWISE_ROWS(1, 1)
DEPTHWISE_ROWS(1, 2)

__kernel void convolution_depthwise(
        __global const float *x,
        __global const float *weights,
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
        const int4 in_volume,
        const int4 out_volume,
        const int4 kernel_size,
        const int4 stride,
        const int4 dilation,
        const int4 pad_begin,
        const int channels,
        const int multiplier,
        const int item_rows,
        const int4 w_strides) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int slice = at.z % out_volume.x;
    const int plane = at.z / out_volume.x;
    const int out_channel = plane % (channels * multiplier);
    DepthwiseRows c;
    c.row = at.y * item_rows;
    c.column = at.x * 16;
    c.out_size = out_volume.yz;
    const int y_at = ((plane * out_volume.x + slice) * out_volume.y + c.row) * out_volume.z + c.column;
    __global const float *added = residual ? residual + y_at : 0;
    c.x = x;
    c.taps = weights + out_channel % multiplier * w_strides.s0 + out_channel / multiplier * w_strides.s2;
    c.residual = residual_after ? 0 : added;
    c.y = y + y_at;
    c.start = bias ? bias[out_channel] : 0.0f;
    c.slope = runs_slope(slope, slope_step, out_channel, activation, alpha);
    c.low = blocked_low(activation, alpha);
    c.high = blocked_high(activation, beta);
    c.x_len = x_len;
    c.in_volume = in_volume;
    c.kernel_size = kernel_size;
    c.stride = stride;
    c.dilation = dilation;
    c.first = (int4)(slice, c.row, c.column, 0) * stride - pad_begin;
    c.group = plane / multiplier;
    c.tap_step = w_strides.s1;
    if (item_rows == 4) {
        if (stride.z == 1) {
            depthwise_rows4s1(&c);
        } else {
            depthwise_rows4s2(&c);
        }
    } else if (stride.z == 1) {
        depthwise_rows1s1(&c);
    } else {
        depthwise_rows1s2(&c);
    }
    if (blocked_is_smooth(activation) || (added && residual_after)) {
        runs_end_late(c.y, residual_after ? added : 0, min(item_rows, out_volume.y - c.row), out_volume.z,
                min(out_volume.z - c.column, 16), activation);
    }
}
