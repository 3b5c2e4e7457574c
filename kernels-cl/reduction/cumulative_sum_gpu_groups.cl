// y[row, axis] = the sum of x[row, 0 ... axis]; a work-group per row, of which each item adds up four neighbours at a time.
//
// Layout: x and y are [rows, axis_size], dense.
// Assumes: fewer than 2^31 elements; x may be y; global size [rows * GROUP_SIZE], local size [GROUP_SIZE].
// Macros: ELEMENT (common/element.h); GROUP_SIZE, 32 to 256, a multiple of BLOCK; FOURS 1: axis_size is a multiple of four.
//         exclusive 1: without the element itself; reverse 1: from the end.
#include "common/element.h"
#include "common/fours.h"

#ifndef GROUP_SIZE
#define GROUP_SIZE 256
#endif
#ifndef FOURS
#define FOURS 0
#endif
// as many neighbouring items add up their sums, and then all items those of blocks: two barriers for each step
#define BLOCK 16
#define BLOCKS (GROUP_SIZE / BLOCK)

// Elements first ... first + 3 of a row in the order in which they are added; what is behind the row is 0.
static inline WIDE4 ordered_four(__global const STORED *x, int begin, int first, int axis_size, int reverse) {
#if FOURS
    const int at = min(first, axis_size - 4);
    const WIDE4 values = load_aligned_four(x, begin + (reverse ? axis_size - 4 - at : at));
    const WIDE4 ordered = reverse ? values.wzyx : values;
    return first < axis_size ? ordered : (WIDE4)(0);
#else
    WIDE values[4];
    _Pragma("unroll")
    for (int i = 0; i < 4; ++i) {
        const int k = min(first + i, axis_size - 1);
        const WIDE value = load_element(x, begin + (reverse ? axis_size - 1 - k : k));
        values[i] = first + i < axis_size ? value : 0;
    }
    return (WIDE4)(values[0], values[1], values[2], values[3]);
#endif
}

static inline void store_ordered(WIDE4 values, __global STORED *y, int begin, int first, int axis_size, int reverse) {
#if FOURS
    if (first < axis_size) {
        store_four(reverse ? values.wzyx : values, y, begin + (reverse ? axis_size - 4 - first : first));
    }
#else
    const WIDE sums[4] = {values.x, values.y, values.z, values.w};
    _Pragma("unroll")
    for (int i = 0; i < 4; ++i) {
        const int k = first + i;
        if (k < axis_size) {
            store_element(sums[i], y, begin + (reverse ? axis_size - 1 - k : k));
        }
    }
#endif
}

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1)))
void cumulative_sum_gpu_groups(
        __global const STORED *x,
        __global STORED *y,
        const int axis_size,
        const int exclusive,
        const int reverse) {
    __local WIDE sums[GROUP_SIZE];
    __local WIDE of_blocks[BLOCKS];
    const int item = get_local_id(0);
    const int block = item / BLOCK;
    const int in_block = item % BLOCK;
    const int begin = get_group_id(0) * axis_size;
    WIDE before = 0;
    for (int tile = 0; tile < axis_size; tile += GROUP_SIZE * 4) {
        const int first = tile + item * 4;
        const WIDE4 values = ordered_four(x, begin, first, axis_size, reverse);
        const WIDE two = values.x + values.y;
        const WIDE three = two + values.z;
        const WIDE four = three + values.w;
        sums[item] = four;
        barrier(CLK_LOCAL_MEM_FENCE);
        WIDE left = 0;
        WIDE whole = 0;
        _Pragma("unroll")
        for (int other = 0; other < BLOCK; ++other) {
            const WIDE sum = sums[block * BLOCK + other];
            left += other < in_block ? sum : 0;
            whole += sum;
        }
        if (in_block == 0) {
            of_blocks[block] = whole;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        WIDE all = 0;
        WIDE of_left = 0;
        _Pragma("unroll")
        for (int other = 0; other < BLOCKS; ++other) {
            of_left += other < block ? of_blocks[other] : 0;
            all += of_blocks[other];
        }
        left += before + of_left;
        const WIDE4 to = exclusive ? (WIDE4)(0, values.x, two, three) : (WIDE4)(values.x, two, three, four);
        const WIDE4 sum = left + to;
        const WIDE4 kept = (WIDE4)(low_bits(sum.x), low_bits(sum.y), low_bits(sum.z), low_bits(sum.w));
        store_ordered(kept, y, begin, first, axis_size, reverse);
        before += all;
    }
}
