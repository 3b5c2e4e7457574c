// y = f(a, b) element by element of float32 with numpy broadcasting, f by a kind that is known when the kernel runs: an
// item does runs of rows.
//
// Layout: y is dense [dims..., inner]; a and b are walked over dims with their strides and along inner with a_step and
//         b_step (0 = broadcast).
// Assumes: every tensor has fewer than 2^31 elements; a may be y where it is dense. The elements of y are divided into
//          `items` pieces. Global size [items].
// kind: 0 add, 1 subtract, 2 multiply, 3 divide, 4 larger, 5 smaller (in both a NaN wins), 6 prelu (b is the slope).
// Macros: none.
#include "common/index.h"
#include "common/runs_end.h"

// The first `count` elements, at most 16, `step` apart.
__attribute__((noinline)) static float16 binary_gathered(__global const float *x, int step, int count) {
    float lanes[16];
    for (int lane = 0; lane < 16; ++lane) {
        lanes[lane] = lane < count ? x[lane * step] : 0.0f;
    }
    return vload16(0, lanes);
}

static inline float16 binary_read(__global const float *x, int step, int count) {
    return step == 1 && count >= 16 ? blocked_load(x)
            : step == 0 ? (float16)x[0] : binary_gathered(x, step, count);
}

#define BINARY_RUN(NAME, VALUE)                                                                             \
    __attribute__((noinline)) static void binary_##NAME(                                                    \
            __global const float *x, int x_step, __global const float *z, int z_step, __global float *y, int count) { \
        for (int i = 0; i < count; i += 16) {                                                               \
            const float16 a = binary_read(x + i * x_step, x_step, count - i);                               \
            const float16 b = binary_read(z + i * z_step, z_step, count - i);                               \
            if (count - i >= 16) {                                                                          \
                blocked_store(VALUE, y + i);                                                                \
            } else {                                                                                        \
                runs_write(VALUE, y + i, count - i);                                                        \
            }                                                                                               \
        }                                                                                                   \
    }

BINARY_RUN(add, a + b)
BINARY_RUN(subtract, a - b)
BINARY_RUN(multiply, a * b)
BINARY_RUN(divide, a / b)
BINARY_RUN(larger, ((a >= b) | (a != a)) ? a : b)
BINARY_RUN(smaller, ((a <= b) | (a != a)) ? a : b)
BINARY_RUN(prelu, a < 0.0f ? b * a : a)

static void binary_runs_item(
        __global const float *a,
        __global const float *b,
        __global float *y,
        const int kind,
        const int len,
        const int inner,
        const int a_step,
        const int b_step,
        const int8 dims,
        const int8 a_strides,
        const int8 b_strides,
        const int items,
        const int3 at) {
    const int end = (int)((long)len * (at.x + 1) / items);
    int place = (int)((long)len * at.x / items);
    while (place < end) {
        const int row = place / inner;
        const int column = place - row * inner;
        const int count = min(inner - column, end - place);
        __global const float *left = a + strided_offset(row, dims, a_strides) + column * a_step;
        __global const float *right = b + strided_offset(row, dims, b_strides) + column * b_step;
        __global float *to = y + place;
        switch (kind) {
        case 0: binary_add(left, a_step, right, b_step, to, count); break;
        case 1: binary_subtract(left, a_step, right, b_step, to, count); break;
        case 2: binary_multiply(left, a_step, right, b_step, to, count); break;
        case 3: binary_divide(left, a_step, right, b_step, to, count); break;
        case 4: binary_larger(left, a_step, right, b_step, to, count); break;
        case 5: binary_smaller(left, a_step, right, b_step, to, count); break;
        default: binary_prelu(left, a_step, right, b_step, to, count); break;
        }
        place += count;
    }
}

__kernel void binary_runs(
        __global const float *a,
        __global const float *b,
        __global float *y,
        const int kind,
        const int len,
        const int inner,
        const int a_step,
        const int b_step,
        const int8 dims,
        const int8 a_strides,
        const int8 b_strides,
        const int items) {
    binary_runs_item(a, b, y, kind, len, inner, a_step, b_step, dims, a_strides, b_strides, items,
            (int3)(get_global_id(0), get_global_id(1), get_global_id(2)));
}
