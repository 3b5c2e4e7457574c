// Maximum or mean over a sliding window of blocked channels, and the mean of whole channels.
//
// Layout: x is [N, channels / 16, x_size, 16], y [N, channels / 16, out_size, 16]; windows are clipped to the `size`
//         rows and columns of x from x_begin on; their results are put in y from y_begin on, with 0 around them. The y
//         of blocked_mean is [N, channels].
// Assumes: fewer than 2^31 elements in every tensor; every window has a cell inside; `rows` are those of all planes of
//          y, `planes` N times the blocks. kind: 0 maximum, where a NaN is larger than all, 1 mean, whose divisor
//          counts the cells in `pads` as well if count_pads is not 0. Global size [items].
// Macros: none.
#include "common/blocks.h"
#include "common/launched.h"

static inline float16 pool_blocks_larger(float16 a, float16 b) {
    return select(b, a, (a >= b) | (a != a));
}

// The same without NaN: one instruction.
static inline float16 pool_blocks_larger_number(float16 a, float16 b) {
    return select(b, a, a > b);
}

static inline float16 pool_blocks_sum(float16 a, float16 b) {
    return a + b;
}

static inline bool pool_blocks_has_nan(float16 x) {
    const int16 nan = x != x;
    const int8 eight = nan.s01234567 | nan.s89abcdef;
    const int4 four = eight.s0123 | eight.s4567;
    return (four.s0 | four.s1 | four.s2 | four.s3) != 0;
}

// `count` windows of WIDTH columns, STEP apart, all inside; `height` rows of them from x on. PIXELS at a time: first
// down the columns, which neighbouring windows share, then along. If MARK is 1, returns a NaN where x has one.
#define POOL_BLOCKS_PIXELS 4
#define POOL_BLOCKS_ROW(NAME, WIDTH, STEP, JOIN, MARK)                                                          \
    __attribute__((noinline)) static float16 NAME(                                                              \
            __global const float *x, int pitch, int height, __global float *y, int count, float factor) {       \
        float16 marks[2];                                                                                       \
        marks[0] = 0.0f;                                                                                        \
        marks[1] = 0.0f;                                                                                        \
        for (int i = 0; i < count; i += POOL_BLOCKS_PIXELS) {                                                   \
            const int first = min(i, count - POOL_BLOCKS_PIXELS);                                               \
            __global const float *from = x + first * STEP * 16;                                                 \
            float16 columns[(POOL_BLOCKS_PIXELS - 1) * STEP + WIDTH];                                           \
            _Pragma("unroll") for (int c = 0; c < (POOL_BLOCKS_PIXELS - 1) * STEP + WIDTH; ++c) {               \
                columns[c] = vload16(c, from);                                                                  \
                if (MARK) {                                                                                     \
                    marks[c % 2] += columns[c];                                                                 \
                }                                                                                               \
            }                                                                                                   \
            for (int r = 1; r < height; ++r) {                                                                  \
                from += pitch;                                                                                  \
                _Pragma("unroll") for (int c = 0; c < (POOL_BLOCKS_PIXELS - 1) * STEP + WIDTH; ++c) {           \
                    const float16 next = vload16(c, from);                                                      \
                    if (MARK) {                                                                                 \
                        marks[c % 2] += next;                                                                   \
                    }                                                                                           \
                    columns[c] = JOIN(columns[c], next);                                                        \
                }                                                                                               \
            }                                                                                                   \
            _Pragma("unroll") for (int p = 0; p < POOL_BLOCKS_PIXELS; ++p) {                                    \
                float16 joined = columns[p * STEP];                                                             \
                _Pragma("unroll") for (int c = 1; c < WIDTH; ++c) {                                             \
                    joined = JOIN(joined, columns[p * STEP + c]);                                               \
                }                                                                                               \
                blocked_store(joined * factor, y + (first + p) * 16);                                           \
            }                                                                                                   \
        }                                                                                                       \
        return marks[0] + marks[1];                                                                             \
    }

POOL_BLOCKS_ROW(pool_blocks_max_3_1, 3, 1, pool_blocks_larger_number, 1)
POOL_BLOCKS_ROW(pool_blocks_max_3_2, 3, 2, pool_blocks_larger_number, 1)
POOL_BLOCKS_ROW(pool_blocks_max_2_2, 2, 2, pool_blocks_larger_number, 1)
POOL_BLOCKS_ROW(pool_blocks_mean_3_1, 3, 1, pool_blocks_sum, 0)
POOL_BLOCKS_ROW(pool_blocks_mean_3_2, 3, 2, pool_blocks_sum, 0)
POOL_BLOCKS_ROW(pool_blocks_mean_2_2, 2, 2, pool_blocks_sum, 0)

// The same for any size.
#define POOL_BLOCKS_ANY(NAME, JOIN)                                                                             \
    __attribute__((noinline)) static void NAME(__global const float *x, int pitch, int height, int width,       \
            int step, __global float *y, int count, float factor) {                                             \
        for (int i = 0; i < count; i += POOL_BLOCKS_PIXELS) {                                                   \
            const int first = min(i, count - POOL_BLOCKS_PIXELS);                                               \
            __global const float *from = x + first * step * 16;                                                 \
            float16 joined[POOL_BLOCKS_PIXELS];                                                                 \
            _Pragma("unroll") for (int p = 0; p < POOL_BLOCKS_PIXELS; ++p) {                                    \
                joined[p] = vload16(p * step, from);                                                            \
            }                                                                                                   \
            for (int r = 0; r < height; ++r, from += pitch) {                                                   \
                for (int c = r == 0 ? 1 : 0; c < width; ++c) {                                                  \
                    _Pragma("unroll") for (int p = 0; p < POOL_BLOCKS_PIXELS; ++p) {                            \
                        joined[p] = JOIN(joined[p], vload16(p * step + c, from));                               \
                    }                                                                                           \
                }                                                                                               \
            }                                                                                                   \
            _Pragma("unroll") for (int p = 0; p < POOL_BLOCKS_PIXELS; ++p) {                                    \
                blocked_store(joined[p] * factor, y + (first + p) * 16);                                        \
            }                                                                                                   \
        }                                                                                                       \
    }

POOL_BLOCKS_ANY(pool_blocks_max_any, pool_blocks_larger)
POOL_BLOCKS_ANY(pool_blocks_mean_any, pool_blocks_sum)

// One window: `height` rows and `width` columns from x on.
__attribute__((noinline)) static float16 pool_blocks_window(
        __global const float *x, int pitch, int height, int width, int kind) {
    float16 joined = kind ? (float16)0.0f : vload16(0, x);
    for (int r = 0; r < height; ++r, x += pitch) {
        for (int c = 0; c < width; ++c) {
            const float16 next = vload16(c, x);
            joined = kind ? joined + next : pool_blocks_larger(joined, next);
        }
    }
    return joined;
}

// A row of windows of 4 to COLUMNS columns, which begin `pad` columns before the row and are clipped to it: first down the
// columns, which many windows share, then along. `cells` are the rows that count in the divisor of a mean.
#define POOL_BLOCKS_COLUMNS 64
__attribute__((noinline)) static void pool_blocks_wide(
        __global const float *x, int pitch, int height, int columns, __global float *y, int count, int width, int step,
        int pad, int kind, int cells, int count_pads, int reach) {
    float16 down[POOL_BLOCKS_COLUMNS];
    const int most = (POOL_BLOCKS_COLUMNS - width) / step + 1;
    for (int begin = 0; begin < count; begin += most) {
        const int end = min(begin + most, count);
        const int low = max(begin * step - pad, 0);
        const int joined_columns = min((end - 1) * step - pad + width, columns) - low;
        __global const float *from = x + low * 16;
        for (int c = 0; c < joined_columns; ++c) {
            down[c] = blocked_load(from + c * 16);
        }
        for (int r = 1; r < height; ++r) {
            from += pitch;
            for (int c = 0; c < joined_columns; ++c) {
                const float16 next = blocked_load(from + c * 16);
                down[c] = kind ? down[c] + next : pool_blocks_larger(down[c], next);
            }
        }
        for (int i = begin; i < end; ++i) {
            const int left = i * step - pad;
            const int last = min(left + width, columns) - low;
            int c = max(left, 0) - low;
            float16 joined = down[c];
            for (++c; c < last; ++c) {
                joined = kind ? joined + down[c] : pool_blocks_larger(joined, down[c]);
            }
            const int across = count_pads ? min(left + width, reach) - left
                    : min(left + width, columns) - max(left, 0);
            blocked_store(kind ? joined / (float)(cells * across) : joined, y + i * 16);
        }
    }
}

#define POOL_BLOCKS_CALL(WIDTH, STEP)                                                                           \
    if (IS_LAUNCHED(blocked_pool, window_y, WIDTH) && IS_LAUNCHED(blocked_pool, stride_y, STEP)                 \
            && width == WIDTH && step == STEP) {                                                                \
        if (IS_LAUNCHED(blocked_pool, kind, 1) && kind) {                                                       \
            pool_blocks_mean_##WIDTH##_##STEP(x, pitch, height, y, count, factor);                              \
            return;                                                                                             \
        }                                                                                                       \
        if (IS_LAUNCHED(blocked_pool, kind, 0)                                                                  \
                && !pool_blocks_has_nan(                                                                        \
                        pool_blocks_max_##WIDTH##_##STEP(x, pitch, height, y, count, factor))) {                \
            return;                                                                                             \
        }                                                                                                       \
    }

// At least PIXELS windows that lie inside along the row, side by side.
static inline void pool_blocks_run(
        __global const float *x, int pitch, int height, __global float *y, int count, float factor, int kind,
        int width, int step) {
    POOL_BLOCKS_CALL(3, 1)
    POOL_BLOCKS_CALL(3, 2)
    POOL_BLOCKS_CALL(2, 2)
    if (IS_LAUNCHED(blocked_pool, kind, 1) && kind) {
        pool_blocks_mean_any(x, pitch, height, width, step, y, count, factor);
    } else if (IS_LAUNCHED(blocked_pool, kind, 0)) {
        pool_blocks_max_any(x, pitch, height, width, step, y, count, factor);
    }
}

__kernel void blocked_pool(
        __global const float *x,
        __global float *y,
        const int kind,
        const int2 x_size,
        const int2 x_begin,
        const int2 size,
        const int2 pool_size,
        const int2 out_size,
        const int2 y_begin,
        const int2 window,
        const int2 stride,
        const int4 pads,
        const int count_pads,
        const int rows,
        const int items) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int pitch = x_size.y * 16;
    const int2 reach = size + pads.s23;
    const int inside = (pads.y + stride.y - 1) / stride.y;
    const int last = size.y + pads.y < window.y ? 0
            : min((size.y + pads.y - window.y) / stride.y + 1, pool_size.y);
    const int end = blocks_part(rows, at.x + 1, items);
    for (int row = blocks_part(rows, at.x, items); row < end; ++row) {
        const int plane = row / out_size.x;
        const int pool_row = row - plane * out_size.x - y_begin.x;
        __global float *to = y + row * out_size.y * 16;
        if (pool_row < 0 || pool_row >= pool_size.x) {
            blocked_zeros(to, out_size.y);
            continue;
        }
        blocked_zeros(to, y_begin.y);
        to += y_begin.y * 16;
        blocked_zeros(to + pool_size.y * 16, out_size.y - y_begin.y - pool_size.y);
        const int top = pool_row * stride.x - pads.x;
        const int first_row = max(top, 0);
        const int height = min(top + window.x, size.x) - first_row;
        const int cells = count_pads ? min(top + window.x, reach.x) - top : height;
        __global const float *from = x + ((plane * x_size.x + x_begin.x + first_row) * x_size.y + x_begin.y) * 16;
        if (window.y > 3 && window.y <= POOL_BLOCKS_COLUMNS) {
            pool_blocks_wide(from, pitch, height, size.y, to, pool_size.y, window.y, stride.y, pads.y, kind, cells,
                    count_pads, reach.y);
            continue;
        }
        for (int column = 0; column < pool_size.y;) {
            const int left = column * stride.y - pads.y;
            if (column >= inside && last - column >= POOL_BLOCKS_PIXELS) {
                const float factor = kind ? 1.0f / (float)(cells * window.y) : 1.0f;
                pool_blocks_run(from + left * 16, pitch, height, to + column * 16, last - column, factor, kind,
                        window.y, stride.y);
                column = last;
                continue;
            }
            const int first_column = max(left, 0);
            const int width = min(left + window.y, size.y) - first_column;
            const int across = count_pads ? min(left + window.y, reach.y) - left : width;
            const float16 joined = pool_blocks_window(from + first_column * 16, pitch, height, width, kind);
            blocked_store(kind ? joined / (float)(cells * across) : joined, to + column * 16);
            ++column;
        }
    }
}

__kernel void blocked_mean(
        __global const float *x,
        __global float *y,
        const int2 x_size,
        const int2 x_begin,
        const int2 size,
        const int blocks,
        const int channels,
        const int planes,
        const int items) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int end = blocks_part(planes, at.x + 1, items);
    for (int plane = blocks_part(planes, at.x, items); plane < end; ++plane) {
        float16 sums[4];
        _Pragma("unroll") for (int k = 0; k < 4; ++k) {
            sums[k] = 0.0f;
        }
        __global const float *from = x + ((plane * x_size.x + x_begin.x) * x_size.y + x_begin.y) * 16;
        for (int row = 0; row < size.x; ++row, from += x_size.y * 16) {
            int column = 0;
            for (; column + 4 <= size.y; column += 4) {
                _Pragma("unroll") for (int k = 0; k < 4; ++k) {
                    sums[k] += vload16(column + k, from);
                }
            }
            for (; column < size.y; ++column) {
                sums[0] += vload16(column, from);
            }
        }
        const float16 mean = ((sums[0] + sums[1]) + (sums[2] + sums[3])) / ((float)size.x * (float)size.y);
        const int block = plane % blocks;
        write_piece(mean, y + plane / blocks * channels + block * 16, min(channels - block * 16, 16));
    }
}
