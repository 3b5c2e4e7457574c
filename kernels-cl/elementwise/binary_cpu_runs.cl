// y = f(a, b) element by element of float32 with numpy broadcasting, f by a kind that is known when the kernel runs: an
// item does runs of rows.
//
// Layout: y is dense [dims..., inner]; a and b are walked over dims with their strides and along inner with a_step and
//         b_step (0 = broadcast).
// Assumes: every tensor has fewer than 2^31 elements; a may be y where it is dense. The elements of y are divided into
//          `items` pieces. Global size [items].
// kind: the number of one of NUMBERED_FUNCTIONS_OF_TWO of common/function2_table.h.
// Macros: none.
#include "common/function2_table.h"
#include "common/runs_end.h"
#include "common/walk.h"

static inline float16 binary_read(__global const float *x, int step, float16 same) {
    return step == 1 ? blocked_load(x)
            : step == 0 ? same
            : (float16)(x[0], x[step], x[step * 2], x[step * 3], x[step * 4], x[step * 5], x[step * 6], x[step * 7],
                    x[step * 8], x[step * 9], x[step * 10], x[step * 11], x[step * 12], x[step * 13], x[step * 14],
                    x[step * 15]);
}

// VALUE stands for the function of two vectors a and b, and of two floats. The number is of no use here.
#define BINARY_RUN(NUMBER, NAME, VALUE)                                                                                     \
    __attribute__((noinline)) static void binary_##NAME(                                                            \
            __global const float *x, int x_step, __global const float *z, int z_step, __global float *y, int count) {\
        const float16 same_x = (float16)x[0];                                                                       \
        const float16 same_z = (float16)z[0];                                                                       \
        int i = 0;                                                                                                  \
        for (; i + 16 <= count; i += 16) {                                                                          \
            const float16 a = binary_read(x + i * x_step, x_step, same_x);                                          \
            const float16 b = binary_read(z + i * z_step, z_step, same_z);                                          \
            blocked_store(VALUE, y + i);                                                                            \
        }                                                                                                           \
        _Pragma("clang loop vectorize(disable)") for (; i < count; ++i) {                                           \
            const float a = x[i * x_step];                                                                          \
            const float b = z[i * z_step];                                                                          \
            y[i] = VALUE;                                                                                           \
        }                                                                                                           \
    }

NUMBERED_FUNCTIONS_OF_TWO(BINARY_RUN)

#define BINARY_CASE(NUMBER, NAME, VALUE) \
    case NUMBER: binary_##NAME(left, a_step, right, b_step, to, count); break;

__kernel void binary_cpu_runs(
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
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int end = (int)((long)len * (at.x + 1) / items);
    int place = (int)((long)len * at.x / items);
    const int *sizes = (const int *)&dims;
    int places[8], a_jumps[8], b_jumps[8];
    const int row = place / inner;
    int column = place - row * inner;
    walk_start(row, sizes, places);
    walk_jumps(sizes, (const int *)&a_strides, a_jumps);
    walk_jumps(sizes, (const int *)&b_strides, b_jumps);
    a += walk_offset(places, (const int *)&a_strides);
    b += walk_offset(places, (const int *)&b_strides);
    while (place < end) {
        const int count = min(inner - column, end - place);
        __global const float *left = a + column * a_step;
        __global const float *right = b + column * b_step;
        __global float *to = y + place;
        switch (kind) {
            NUMBERED_FUNCTIONS_OF_TWO(BINARY_CASE)
        }
        const int axis = walk_on(sizes, places);
        a += a_jumps[axis];
        b += b_jumps[axis];
        column = 0;
        place += count;
    }
}
