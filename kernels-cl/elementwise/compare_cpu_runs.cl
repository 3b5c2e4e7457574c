// y = f(a, b) as bool (one byte, 0 or 1) with numpy broadcasting: comparisons of float32 (compare_cpu_runs), and logic of
// bools (logic_runs), f by a kind that is known when the kernel runs: an item does runs of rows.
//
// Layout: y is dense [dims..., inner]; a and b are walked over dims with their strides, and along inner with a_step and
//         b_step, 1 or 0 (broadcast).
// Assumes: every tensor has fewer than 2^31 elements. The elements of y are divided into `items` pieces. Global size
//          [items]. kind: the number of one of RELATIONS, in logic_runs of LOGIC, of common/function2_table.h.
// Macros: none.
#include "common/function2_table.h"
#include "common/walk.h"

typedef float CompareFloats __attribute__((ext_vector_type(16), aligned(4)));
typedef uchar CompareBytes __attribute__((ext_vector_type(16), aligned(1)));

#define COMPARE_RUN(NUMBER, NAME, VALUE)                                                                            \
    __attribute__((noinline)) static void compare_##NAME(__global const float *x, int x_step,                       \
            __global const float *z, int z_step, __global uchar *y, int count) {                                    \
        const float16 same_x = (float16)x[0];                                                                       \
        const float16 same_z = (float16)z[0];                                                                       \
        int i = 0;                                                                                                  \
        for (; i + 16 <= count; i += 16) {                                                                          \
            const float16 a = x_step ? *(__global const CompareFloats *)(x + i) : same_x;                           \
            const float16 b = z_step ? *(__global const CompareFloats *)(z + i) : same_z;                           \
            *(__global CompareBytes *)(y + i) = convert_uchar16((VALUE) & 1);                                       \
        }                                                                                                           \
        for (; i < count; ++i) {                                                                                    \
            const float a = x[i * x_step];                                                                          \
            const float b = z[i * z_step];                                                                          \
            y[i] = VALUE;                                                                                           \
        }                                                                                                           \
    }

RELATIONS(COMPARE_RUN)

#define LOGIC_RUN(NUMBER, NAME, VALUE)                                                                              \
    __attribute__((noinline)) static void logic_##NAME(__global const uchar *x, int x_step,                         \
            __global const uchar *z, int z_step, __global uchar *y, int count) {                                    \
        for (int i = 0; i < count; ++i) {                                                                           \
            const int a = x[i * x_step] != 0;                                                                       \
            const int b = z[i * z_step] != 0;                                                                       \
            y[i] = VALUE;                                                                                           \
        }                                                                                                           \
    }

LOGIC(LOGIC_RUN)

// Walks both inputs, of TYPE, and has for each run the one of CASES that is of the kind.
#define COMPARE_WALK(TYPE, CASES)                                                                                   \
    const int end = (int)((long)len * (at.x + 1) / items);                                                          \
    int place = (int)((long)len * at.x / items);                                                                    \
    const int *sizes = (const int *)&dims;                                                                          \
    int places[8], a_jumps[8], b_jumps[8];                                                                          \
    const int row = place / inner;                                                                                  \
    int column = place - row * inner;                                                                               \
    walk_start(row, sizes, places);                                                                                 \
    walk_jumps(sizes, (const int *)&a_strides, a_jumps);                                                            \
    walk_jumps(sizes, (const int *)&b_strides, b_jumps);                                                            \
    a += walk_offset(places, (const int *)&a_strides);                                                              \
    b += walk_offset(places, (const int *)&b_strides);                                                              \
    while (place < end) {                                                                                           \
        const int count = min(inner - column, end - place);                                                         \
        __global const TYPE *from_a = a + column * a_step;                                                          \
        __global const TYPE *from_b = b + column * b_step;                                                          \
        __global uchar *to = y + place;                                                                             \
        switch (kind) { CASES }                                                                                     \
        const int axis = walk_on(sizes, places);                                                                    \
        a += a_jumps[axis];                                                                                         \
        b += b_jumps[axis];                                                                                         \
        column = 0;                                                                                                 \
        place += count;                                                                                             \
    }

#define COMPARE_CASE(NUMBER, NAME, VALUE) \
    case NUMBER: compare_##NAME(from_a, a_step, from_b, b_step, to, count); break;
#define LOGIC_CASE(NUMBER, NAME, VALUE) \
    case NUMBER: logic_##NAME(from_a, a_step, from_b, b_step, to, count); break;

__kernel void compare_cpu_runs(
        __global const float *a,
        __global const float *b,
        __global uchar *y,
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
    COMPARE_WALK(float, RELATIONS(COMPARE_CASE))
}

__kernel void logic_runs(
        __global const uchar *a,
        __global const uchar *b,
        __global uchar *y,
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
    COMPARE_WALK(uchar, LOGIC(LOGIC_CASE))
}
