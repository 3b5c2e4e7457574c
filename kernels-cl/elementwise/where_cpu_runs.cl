// y = condition ? a : b element by element of 32 bits, numpy broadcasting of all three: an item does runs of rows.
//
// Layout: y is dense [dims..., inner]; the inputs are walked over dims with their strides, and along inner with
//         condition_step, a_step and b_step, 1 or 0 (broadcast).
// Assumes: every tensor has fewer than 2^31 elements; condition has one byte each. The elements of y are divided into
//          `items` pieces. Global size [items].
// Macros: none.
#include "common/walk.h"

typedef uint WhereWords __attribute__((ext_vector_type(16), aligned(4)));
typedef uchar WhereBytes __attribute__((ext_vector_type(16), aligned(1)));

// A run where the condition changes from element to element.
__attribute__((noinline)) static void where_mixed(
        __global const uchar *condition,
        __global const uint *a,
        int a_step,
        __global const uint *b,
        int b_step,
        __global uint *y,
        int count) {
    const uint16 same_a = (uint16)a[0];
    const uint16 same_b = (uint16)b[0];
    int i = 0;
    for (; i + 16 <= count; i += 16) {
        const uint16 left = a_step ? *(__global const WhereWords *)(a + i) : same_a;
        const uint16 right = b_step ? *(__global const WhereWords *)(b + i) : same_b;
        const uchar16 chosen = *(__global const WhereBytes *)(condition + i);
        *(__global WhereWords *)(y + i) = convert_int16(chosen) != 0 ? left : right;
    }
    for (; i < count; ++i) {
        y[i] = condition[i] ? a[i * a_step] : b[i * b_step];
    }
}

// A run of one input alone.
__attribute__((noinline)) static void where_one(__global const uint *x, int step, __global uint *y, int count) {
    const uint16 same = (uint16)x[0];
    int i = 0;
    for (; i + 16 <= count; i += 16) {
        *(__global WhereWords *)(y + i) = step ? *(__global const WhereWords *)(x + i) : same;
    }
    for (; i < count; ++i) {
        y[i] = x[i * step];
    }
}

__kernel void where_cpu_runs(
        __global const uchar *condition,
        __global const uint *a,
        __global const uint *b,
        __global uint *y,
        const int len,
        const int inner,
        const int condition_step,
        const int a_step,
        const int b_step,
        const int8 dims,
        const int8 condition_strides,
        const int8 a_strides,
        const int8 b_strides,
        const int items) {
    const int3 at = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
    const int end = (int)((long)len * (at.x + 1) / items);
    int place = (int)((long)len * at.x / items);
    const int *sizes = (const int *)&dims;
    int places[8], condition_jumps[8], a_jumps[8], b_jumps[8];
    const int row = place / inner;
    int column = place - row * inner;
    walk_start(row, sizes, places);
    walk_jumps(sizes, (const int *)&condition_strides, condition_jumps);
    walk_jumps(sizes, (const int *)&a_strides, a_jumps);
    walk_jumps(sizes, (const int *)&b_strides, b_jumps);
    condition += walk_offset(places, (const int *)&condition_strides);
    a += walk_offset(places, (const int *)&a_strides);
    b += walk_offset(places, (const int *)&b_strides);
    while (place < end) {
        const int count = min(inner - column, end - place);
        __global const uint *left = a + column * a_step;
        __global const uint *right = b + column * b_step;
        if (condition_step) {
            where_mixed(condition + column, left, a_step, right, b_step, y + place, count);
        } else if (condition[0]) {
            where_one(left, a_step, y + place, count);
        } else {
            where_one(right, b_step, y + place, count);
        }
        const int axis = walk_on(sizes, places);
        condition += condition_jumps[axis];
        a += a_jumps[axis];
        b += b_jumps[axis];
        column = 0;
        place += count;
    }
}
