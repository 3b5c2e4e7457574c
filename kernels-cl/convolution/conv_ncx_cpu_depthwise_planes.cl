// Depthwise convolution of two dimensions (one input channel per group) with a kernel of 3x3 or 5x5 and stride 1 or 2: an
// item computes rows of one plane or some whole planes, 16 columns from the top down: what is read of an input row is added
// to all rows that need it. The last 16 columns of a row overlap those before them.
//
// Layout: x, residual, y NCHW, dense; weights with strides [out channel of a group, tap, group]; all used in place.
//         bias, residual and slope may be NULL, slope not with PRELU; slope has one element for all output channels
//         (slope_step == 0) or for each (1).
// Assumes: fewer than 2^31 elements in every tensor; kernel_size 3 or 5 and stride 1 or 2 along both axes, dilation 1;
//          `multiplier` output channels per group. item_planes 1, or item_rows all rows. Global size
//          [ceil(rows / item_rows), ceil(planes / item_planes)].
// Macros: none.
#include "common/planes.h"
#include "common/runs_end.h"

// Neighbouring rows of a plane; x and taps are those of its channel.
typedef struct {
    __global const float *x;
    __global const float *taps;
    __global float *y;
    float start;
    float low;
    float high;
    int2 in_size;
    int columns;
    int y_at;
    int y_end;
    int tap_step;
    int rows;
    int first_row;
    int first_column;
    int kernel_size;
    int stride;
} PlanesRows;

// What bounds do not do: the rest of a plane of y that an item has stored, `count` elements from y[at] on.
__attribute__((noinline)) static void planes_bend(
        __global float *y,
        __global const float *residual,
        int residual_after,
        int activation,
        float slope,
        float low,
        float high,
        int count) {
    for (int i = 0; i < count; i += 16) {
        const int left = count - i;
        const float16 added = !residual ? (float16)0.0f
                : left >= 16 ? blocked_load(residual + i) : runs_read(residual + i, left);
        float16 sum = left >= 16 ? blocked_load(y + i) : runs_read(y + i, left);
        sum = residual_after ? sum : sum + added;
        sum = clip16(blocked_bent(sum, (float16)slope), low, high);
        if (blocked_is_smooth(activation)) {
            sum = blocked_smooth(sum, activation);
        }
        sum = residual_after ? sum + added : sum;
        if (left >= 16) {
            blocked_store(sum, y + i);
        } else {
            runs_write(sum, y + i, left);
        }
    }
}

// Goes down the rows of x, STRIDE at a time: each adds to PENDING rows of y, of which the first is complete then.
#define PLANES_DOWN(KERNEL, STRIDE, PENDING)                                                                        \
    __attribute__((noinline)) static void planes_down##KERNEL##s##STRIDE(const PlanesRows *c) {                     \
        const int width = c->in_size.y;                                                                             \
        const int columns = c->columns;                                                                             \
        const int steps = c->rows + PENDING - 1;                                                                    \
        const int low_row = max(-c->first_row, 0);                                                                  \
        const int high_row = min(c->in_size.x - c->first_row, (c->rows - 1) * STRIDE + KERNEL);                     \
        const float start = c->start;                                                                               \
        const float low = c->low;                                                                                   \
        const float high = c->high;                                                                                 \
        const int y_end = c->y_end;                                                                                 \
        __global float *y = c->y;                                                                                   \
        float16 taps[KERNEL * KERNEL];                                                                              \
        PLANES_EACH(t, KERNEL * KERNEL) {                                                                           \
            taps[t] = c->taps[t * c->tap_step];                                                                     \
        }                                                                                                           \
        for (int begin = 0; begin < columns; begin += 16) {                                                         \
            const int out_column = max(min(begin, columns - 16), 0);                                                \
            const int column = out_column * STRIDE + c->first_column;                                               \
            __global const float *x = c->x + c->first_row * width + column;                                         \
            int at = c->y_at + out_column;                                                                          \
            int16 inside[KERNEL];                                                                                   \
            float16 total[PENDING];                                                                                 \
            PLANES_EACH(k, KERNEL) {                                                                                \
                inside[k] = as_uint16(column + k + STRIDE * PLANES_LANES) < (uint16)(uint)width;                    \
            }                                                                                                       \
            PLANES_EACH(r, PENDING) {                                                                               \
                total[r] = start;                                                                                   \
            }                                                                                                       \
            for (int step = 0; step < steps; ++step) {                                                              \
                PLANES_EACH(j, STRIDE) {                                                                            \
                    const int row = step * STRIDE + j;                                                              \
                    if (row >= low_row && row < high_row) {                                                         \
                        PLANES_EACH(k, KERNEL) {                                                                    \
                            const float16 run =                                                                     \
                                    inside[k] ? planes_run##STRIDE(x + row * width + k) : (float16)0.0f;            \
                            PLANES_EACH(r, PENDING) {                                                               \
                                if ((PENDING - 1 - r) * STRIDE + j < KERNEL) {                                      \
                                    total[r] += taps[((PENDING - 1 - r) * STRIDE + j) * KERNEL + k] * run;          \
                                }                                                                                   \
                            }                                                                                       \
                        }                                                                                           \
                    }                                                                                               \
                }                                                                                                   \
                if (step >= PENDING - 1) {                                                                          \
                    planes_store(clip16(total[0], low, high), y, at, y_end, columns);                               \
                    at += columns;                                                                                  \
                }                                                                                                   \
                PLANES_EACH(r, PENDING - 1) {                                                                       \
                    total[r] = total[r + 1];                                                                        \
                }                                                                                                   \
                total[PENDING - 1] = start;                                                                         \
            }                                                                                                       \
        }                                                                                                           \
    }

PLANES_DOWN(3, 1, 3)
PLANES_DOWN(3, 2, 2)
PLANES_DOWN(5, 1, 5)
PLANES_DOWN(5, 2, 3)

// The same where a run could begin before x or end behind it: element by element.
__attribute__((noinline)) static void planes_one_by_one(const PlanesRows *c) {
    const int width = c->in_size.y;
    for (int r = 0; r < c->rows; ++r) {
        for (int begin = 0; begin < c->columns; begin += 16) {
            const int out_column = max(min(begin, c->columns - 16), 0);
            const int row = c->first_row + r * c->stride;
            const int column = out_column * c->stride + c->first_column;
            float16 total = c->start;
            for (int ky = max(-row, 0); ky < min(c->kernel_size, c->in_size.x - row); ++ky) {
                for (int kx = 0; kx < c->kernel_size; ++kx) {
                    const int at = (row + ky) * width + column + kx;
                    total += c->taps[(ky * c->kernel_size + kx) * c->tap_step]
                            * planes_guarded(c->x, at, c->stride, column + kx, width, 0.0f);
                }
            }
            planes_store(clip16(total, c->low, c->high), c->y, c->y_at + r * c->columns + out_column, c->y_end,
                    c->columns);
        }
    }
}

// `rows` rows from `row` on.
static inline void planes_rows(PlanesRows *c, int is_safe, int plane_row, int row, int rows, int pad) {
    if (rows <= 0) {
        return;
    }
    c->rows = rows;
    c->first_row = row * c->stride - pad;
    c->y_at = plane_row * c->columns + row * c->columns;
    if (!is_safe) {
        planes_one_by_one(c);
    } else if (c->kernel_size == 3 && c->stride == 1) {
        planes_down3s1(c);
    } else if (c->kernel_size == 3) {
        planes_down3s2(c);
    } else if (c->stride == 1) {
        planes_down5s1(c);
    } else {
        planes_down5s2(c);
    }
}

__kernel void convolution_depthwise_planes(
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
        const int2 in_size,
        const int2 out_size,
        const int kernel_size,
        const int stride,
        const int2 pad_begin,
        const int planes,
        const int channels,
        const int multiplier,
        const int item_rows,
        const int item_planes,
        const int4 w_strides) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int begin_row = at.x * item_rows;
    const int end_row = min(begin_row + item_rows, out_size.x);
    const int begin_plane = at.y * item_planes;
    const int end_plane = min(begin_plane + item_planes, planes);
    const float low = blocked_low(activation, alpha);
    const float high = blocked_high(activation, beta);
    const int is_bounded = !residual && (activation == FUNCTION_NONE || blocked_only_clips(activation));
    PlanesRows c;
    c.y = y;
    c.low = is_bounded ? low : -INFINITY;
    c.high = is_bounded ? high : INFINITY;
    c.in_size = in_size;
    c.columns = out_size.y;
    c.y_end = ((end_plane - 1) * out_size.x + end_row) * out_size.y;
    c.tap_step = w_strides.s1;
    c.first_column = -pad_begin.y;
    c.kernel_size = kernel_size;
    c.stride = stride;
    for (int plane = begin_plane; plane < end_plane; ++plane) {
        const int channel = plane % (channels * multiplier);
        const int plane_at = plane / multiplier * in_size.x * in_size.y;
        const int2 safe = planes_safe_rows((int2)(begin_row, end_row), plane_at, x_len, in_size, out_size.y, kernel_size,
                stride, pad_begin);
        c.x = x + plane_at;
        c.taps = weights + channel % multiplier * w_strides.s0 + channel / multiplier * w_strides.s2;
        c.start = bias ? bias[channel] : 0.0f;
        planes_rows(&c, 0, plane * out_size.x, begin_row, safe.x - begin_row, pad_begin.x);
        planes_rows(&c, 1, plane * out_size.x, safe.x, safe.y - safe.x, pad_begin.x);
        planes_rows(&c, 0, plane * out_size.x, safe.y, end_row - safe.y, pad_begin.x);
    }
    for (int plane = begin_plane; plane < end_plane && !is_bounded; ++plane) {
        const int y_at = (plane * out_size.x + begin_row) * out_size.y;
        planes_bend(y + y_at, residual ? residual + y_at : 0, residual_after, activation,
                runs_slope(slope, slope_step, plane % (channels * multiplier), activation, alpha), low, high,
                (end_row - begin_row) * out_size.y);
    }
}
