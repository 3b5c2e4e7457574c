// y = f(a, b) as bool (one byte, 0 or 1) with numpy broadcasting: comparisons of float32 (compare_cpu_runs), and logic of
// bools (logic_runs), f by a kind that is known when the kernel runs: an item does runs of rows.
//
// Layout: y is dense [dims..., inner]; a and b are walked over dims with their strides, and along inner with a_step and
//         b_step, 1 or 0 (broadcast).
// Assumes: every tensor has fewer than 2^31 elements. The elements of y are divided into `items` pieces. Global size
//          [items]. kind: of compare_cpu_runs 0 less, 1 less or equal, 2 greater, 3 greater or equal, 4 equal; of
//          logic_runs 0 and, 1 or, 2 exclusive or, 3 not a.
// Macros: none.
#include "common/walk.h"

typedef float CompareFloats __attribute__((ext_vector_type(16), aligned(4)));
typedef uchar CompareBytes __attribute__((ext_vector_type(16), aligned(1)));

#define COMPARE_RUN(NAME, RELATION)                                                                                 \
    __attribute__((noinline)) static void compare_##NAME(__global const float *a, int a_step,                       \
            __global const float *b, int b_step, __global uchar *y, int count) {                                    \
        const float16 same_a = (float16)a[0];                                                                       \
        const float16 same_b = (float16)b[0];                                                                       \
        int i = 0;                                                                                                  \
        for (; i + 16 <= count; i += 16) {                                                                          \
            const float16 left = a_step ? *(__global const CompareFloats *)(a + i) : same_a;                        \
            const float16 right = b_step ? *(__global const CompareFloats *)(b + i) : same_b;                       \
            *(__global CompareBytes *)(y + i) = convert_uchar16((left RELATION right) & 1);                         \
        }                                                                                                           \
        for (; i < count; ++i) {                                                                                    \
            y[i] = a[i * a_step] RELATION b[i * b_step];                                                            \
        }                                                                                                           \
    }

COMPARE_RUN(less, <)
COMPARE_RUN(less_or_equal, <=)
COMPARE_RUN(greater, >)
COMPARE_RUN(greater_or_equal, >=)
COMPARE_RUN(equal, ==)

__attribute__((noinline)) static void logic_run(__global const uchar *a, int a_step, __global const uchar *b,
        int b_step, int kind, __global uchar *y, int count) {
    for (int i = 0; i < count; ++i) {
        const int left = a[i * a_step] != 0;
        const int right = b[i * b_step] != 0;
        y[i] = kind == 0 ? left & right : kind == 1 ? left | right : kind == 2 ? left ^ right : left ^ 1;
    }
}

// Walks both inputs, and calls RUN(left, right, to, count) for each run.
#define COMPARE_WALK(RUN)                                                                                           \
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
        RUN(a + column * a_step, b + column * b_step, y + place, count);                                            \
        const int axis = walk_on(sizes, places);                                                                    \
        a += a_jumps[axis];                                                                                         \
        b += b_jumps[axis];                                                                                         \
        column = 0;                                                                                                 \
        place += count;                                                                                             \
    }

#define COMPARE_ONE(left, right, to, count)                                                                         \
    switch (kind) {                                                                                                 \
    case 0: compare_less(left, a_step, right, b_step, to, count); break;                                            \
    case 1: compare_less_or_equal(left, a_step, right, b_step, to, count); break;                                   \
    case 2: compare_greater(left, a_step, right, b_step, to, count); break;                                         \
    case 3: compare_greater_or_equal(left, a_step, right, b_step, to, count); break;                                \
    default: compare_equal(left, a_step, right, b_step, to, count); break;                                          \
    }

#define COMPARE_LOGIC(left, right, to, count) logic_run(left, a_step, right, b_step, kind, to, count)

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
    COMPARE_WALK(COMPARE_ONE)
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
    COMPARE_WALK(COMPARE_LOGIC)
}
