// y[row, axis] = the sum of x[row, 0 ... axis]; a work-group per row, which adds up GROUP_SIZE neighbours at a time.
//
// Layout: x and y are [rows, axis_size], dense.
// Assumes: fewer than 2^31 elements; x may be y; global size [rows * GROUP_SIZE], local size [GROUP_SIZE].
// Macros: ELEMENT (common/element.h). exclusive 1: without the element itself; reverse 1: from the end.
#include "common/element.h"

#define GROUP_SIZE 128

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1)))
void cumulative_sum_gpu_groups(
        __global const STORED *x,
        __global STORED *y,
        const int axis_size,
        const int exclusive,
        const int reverse) {
    __local WIDE shared[GROUP_SIZE];
    const int item = get_local_id(0);
    const int begin = get_group_id(0) * axis_size;
    WIDE before = 0;
    for (int tile = 0; tile < axis_size; tile += GROUP_SIZE) {
        const int k = tile + item;
        const int at = begin + (reverse ? axis_size - 1 - k : k);
        WIDE sum = k < axis_size ? load_element(x, at) : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        shared[item] = sum;
        // each time the sum of twice as many elements, up to the item's own
        for (int reach = 1; reach < GROUP_SIZE; reach *= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            const WIDE left = item >= reach ? shared[item - reach] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            sum += left;
            shared[item] = sum;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (k < axis_size) {
            const WIDE without = item > 0 ? shared[item - 1] : 0;
            store_element(before + (exclusive ? without : sum), y, at);
        }
        before += shared[GROUP_SIZE - 1];
    }
}
