// Maximum or mean over 2x2 or 3x3 neighbours, stride 1 or 2: an item computes rows of one plane or some whole planes, 16
// columns from the top down. What the window takes of an input row is computed once and goes to all rows that need it.
//
// Layout: x [planes, height, width], y alike.
// Assumes: fewer than 2^31 elements; the window has as many rows as columns and the stride is the same along both axes,
//          dilation 1. Padding never wins the maximum; with count_padding it counts in the divisor of the mean, but cells
//          beyond pad_end never do. item_planes 1, or item_rows all rows. Global size
//          [ceil(rows / item_rows), ceil(planes / item_planes)]; sizes are int2 [height, width].
// Macros: none.
#include "common/planes.h"

// Neighbouring rows of a plane; x begins with it.
typedef struct {
    __global const float *x;
    __global float *y;
    int2 in_size;
    int2 counted_end;
    int columns;
    int y_at;
    int y_end;
    int rows;
    int first_row;
    int first_column;
    int kernel_size;
    int stride;
    int count_padding;
} PoolRows;

// A NaN wins.
static inline float16 pool_larger(float16 a, float16 b) {
    return a >= b || isnan(a) ? a : b;
}

static inline float16 pool_sum(float16 a, float16 b) {
    return a + b;
}

// How many of the columns that 16 windows begin with at `column` count.
static inline float16 pool_cells(const PoolRows *c, int column) {
    int16 cells = 0;
    for (int k = 0; k < c->kernel_size; ++k) {
        const int16 columns = column + k + c->stride * PLANES_LANES;
        cells -= columns < c->counted_end.y && (columns >= 0 || c->count_padding != 0);
    }
    return convert_float16(cells);
}

static inline int pool_row_cells(const PoolRows *c, int row) {
    const int first = c->count_padding ? row : max(row, 0);
    return max(min(row + c->kernel_size, c->counted_end.x) - first, 0);
}

static inline float16 pool_end_largest(const PoolRows *c, float16 value, float16 cells, int row) {
    return value;
}

static inline float16 pool_end_mean(const PoolRows *c, float16 value, float16 cells, int row) {
    const float16 all = cells * (float)pool_row_cells(c, row);
    return value / (all < 1.0f ? (float16)1.0f : all);
}

// Goes down the rows of x, STRIDE at a time: each adds to PENDING rows of y, of which the first is complete then.
#define POOL_DOWN(NAME, OUTSIDE, COMBINE, END, KERNEL, STRIDE, PENDING)                                             \
    __attribute__((noinline)) static void pool_##NAME##KERNEL##s##STRIDE(const PoolRows *c) {                       \
        const int width = c->in_size.y;                                                                             \
        const int columns = c->columns;                                                                             \
        const int steps = c->rows + PENDING - 1;                                                                    \
        const int low_row = max(-c->first_row, 0);                                                                  \
        const int high_row = min(c->in_size.x - c->first_row, (c->rows - 1) * STRIDE + KERNEL);                     \
        const int y_end = c->y_end;                                                                                 \
        __global float *y = c->y;                                                                                   \
        for (int begin = 0; begin < columns; begin += 16) {                                                         \
            const int out_column = max(min(begin, columns - 16), 0);                                                \
            const int column = out_column * STRIDE + c->first_column;                                               \
            const float16 cells = pool_cells(c, column);                                                            \
            __global const float *x = c->x + c->first_row * width + column;                                         \
            int at = c->y_at + out_column;                                                                          \
            int16 inside[KERNEL];                                                                                   \
            float16 total[PENDING];                                                                                 \
            PLANES_EACH(k, KERNEL) {                                                                                \
                inside[k] = as_uint16(column + k + STRIDE * PLANES_LANES) < (uint16)(uint)width;                    \
            }                                                                                                       \
            PLANES_EACH(r, PENDING) {                                                                               \
                total[r] = OUTSIDE;                                                                                 \
            }                                                                                                       \
            for (int step = 0; step < steps; ++step) {                                                              \
                PLANES_EACH(j, STRIDE) {                                                                            \
                    const int row = step * STRIDE + j;                                                              \
                    if (row >= low_row && row < high_row) {                                                         \
                        float16 across = inside[0] ? planes_run##STRIDE(x + row * width) : (float16)OUTSIDE;        \
                        PLANES_EACH(k, KERNEL - 1) {                                                                \
                            const float16 run = planes_run##STRIDE(x + row * width + k + 1);                        \
                            across = COMBINE(across, inside[k + 1] ? run : (float16)OUTSIDE);                       \
                        }                                                                                           \
                        PLANES_EACH(r, PENDING) {                                                                   \
                            if ((PENDING - 1 - r) * STRIDE + j < KERNEL) {                                          \
                                total[r] = COMBINE(total[r], across);                                               \
                            }                                                                                       \
                        }                                                                                           \
                    }                                                                                               \
                }                                                                                                   \
                if (step >= PENDING - 1) {                                                                          \
                    const int first = c->first_row + (step - PENDING + 1) * STRIDE;                                 \
                    planes_store(END(c, total[0], cells, first), y, at, y_end, columns);                            \
                    at += columns;                                                                                  \
                }                                                                                                   \
                PLANES_EACH(r, PENDING - 1) {                                                                       \
                    total[r] = total[r + 1];                                                                        \
                }                                                                                                   \
                total[PENDING - 1] = OUTSIDE;                                                                       \
            }                                                                                                       \
        }                                                                                                           \
    }

#define POOL_DOWN_ALL(NAME, OUTSIDE, COMBINE, END)                                                                  \
    POOL_DOWN(NAME, OUTSIDE, COMBINE, END, 3, 1, 3)                                                                 \
    POOL_DOWN(NAME, OUTSIDE, COMBINE, END, 3, 2, 2)                                                                 \
    POOL_DOWN(NAME, OUTSIDE, COMBINE, END, 2, 1, 2)                                                                 \
    POOL_DOWN(NAME, OUTSIDE, COMBINE, END, 2, 2, 1)

// The same where a run could begin before x or end behind it: element by element.
#define POOL_GUARDED(NAME, OUTSIDE, COMBINE, END)                                                                   \
    __attribute__((noinline)) static void pool_##NAME##_guarded(const PoolRows *c) {                                \
        const int width = c->in_size.y;                                                                             \
        for (int r = 0; r < c->rows; ++r) {                                                                         \
            for (int begin = 0; begin < c->columns; begin += 16) {                                                  \
                const int out_column = max(min(begin, c->columns - 16), 0);                                         \
                const int row = c->first_row + r * c->stride;                                                       \
                const int column = out_column * c->stride + c->first_column;                                        \
                float16 total = OUTSIDE;                                                                            \
                for (int ky = max(-row, 0); ky < min(c->kernel_size, c->in_size.x - row); ++ky) {                   \
                    float16 across = OUTSIDE;                                                                       \
                    for (int kx = 0; kx < c->kernel_size; ++kx) {                                                   \
                        const int at = (row + ky) * width + column + kx;                                            \
                        across = COMBINE(                                                                           \
                                across, planes_guarded(c->x, at, c->stride, column + kx, width, OUTSIDE));          \
                    }                                                                                               \
                    total = COMBINE(total, across);                                                                 \
                }                                                                                                   \
                planes_store(END(c, total, pool_cells(c, column), row), c->y, c->y_at + r * c->columns + out_column,\
                        c->y_end, c->columns);                                                                      \
            }                                                                                                       \
        }                                                                                                           \
    }

POOL_DOWN_ALL(largest, -INFINITY, pool_larger, pool_end_largest)
POOL_GUARDED(largest, -INFINITY, pool_larger, pool_end_largest)
POOL_DOWN_ALL(mean, 0.0f, pool_sum, pool_end_mean)
POOL_GUARDED(mean, 0.0f, pool_sum, pool_end_mean)

#define POOL_CHOOSE(NAME, c)                                                                                        \
    if (c->kernel_size == 3 && c->stride == 1) {                                                                    \
        pool_##NAME##3s1(c);                                                                                        \
    } else if (c->kernel_size == 3) {                                                                               \
        pool_##NAME##3s2(c);                                                                                        \
    } else if (c->stride == 1) {                                                                                    \
        pool_##NAME##2s1(c);                                                                                        \
    } else {                                                                                                        \
        pool_##NAME##2s2(c);                                                                                        \
    }

// `rows` rows of a plane from `row` on.
static inline void pool_rows(PoolRows *c, int is_mean, int is_safe, int y_row, int row, int rows, int pad) {
    if (rows <= 0) {
        return;
    }
    c->rows = rows;
    c->first_row = row * c->stride - pad;
    c->y_at = (y_row + row) * c->columns;
    if (is_safe && is_mean) {
        POOL_CHOOSE(mean, c)
    } else if (is_safe) {
        POOL_CHOOSE(largest, c)
    } else if (is_mean) {
        pool_mean_guarded(c);
    } else {
        pool_largest_guarded(c);
    }
}

__kernel void pool_planes(
        __global const float *x,
        __global float *y,
        const int x_len,
        const int2 in_size,
        const int2 out_size,
        const int kernel_size,
        const int stride,
        const int2 pad_begin,
        const int2 pad_end,
        const int is_mean,
        const int count_padding,
        const int planes,
        const int item_rows,
        const int item_planes) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int2 rows = (int2)(at.x * item_rows, min((at.x + 1) * item_rows, out_size.x));
    const int last_plane = min((at.y + 1) * item_planes, planes);
    PoolRows c;
    c.y = y;
    c.in_size = in_size;
    c.kernel_size = kernel_size;
    c.stride = stride;
    c.count_padding = count_padding;
    c.counted_end = in_size + (count_padding ? pad_end : (int2)(0, 0));
    c.columns = out_size.y;
    c.y_end = ((last_plane - 1) * out_size.x + rows.y) * out_size.y;
    c.first_column = -pad_begin.y;
    for (int plane = at.y * item_planes; plane < last_plane; ++plane) {
        const int plane_at = plane * in_size.x * in_size.y;
        const int y_row = plane * out_size.x;
        const int2 safe = planes_safe_rows(
                rows, plane_at, x_len, in_size, out_size.y, kernel_size, stride, pad_begin);
        c.x = x + plane_at;
        pool_rows(&c, is_mean, 0, y_row, rows.x, safe.x - rows.x, pad_begin.x);
        pool_rows(&c, is_mean, 1, y_row, safe.x, safe.y - safe.x, pad_begin.x);
        pool_rows(&c, is_mean, 0, y_row, safe.y, rows.y - safe.y, pad_begin.x);
    }
}
