// y[row, axis] = the sum of x[row, 0 ... axis]; a work-group per row, of which each item adds up RUN neighbours at a time.
//
// Layout: x and y are [rows, axis_size], dense.
// Assumes: fewer than 2^31 elements; x may be y; global size [rows * GROUP_SIZE], local size [GROUP_SIZE].
// Macros: ELEMENT (common/element.h). exclusive 1: without the element itself; reverse 1: from the end.
#include "common/element.h"

#define GROUP_SIZE 128
#define RUN 4

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1)))
void cumulative_sum_gpu_groups(
        __global const STORED *x,
        __global STORED *y,
        const int axis_size,
        const int exclusive,
        const int reverse) {
    // the sums of the last step are read while those of the next one are written
    __local WIDE sums[2][GROUP_SIZE];
    const int item = get_local_id(0);
    const int begin = get_group_id(0) * axis_size;
    int side = 0;
    WIDE before = 0;
    for (int tile = 0; tile < axis_size; tile += GROUP_SIZE * RUN) {
        const int first = tile + item * RUN;
        WIDE values[RUN];
        _Pragma("unroll")
        for (int i = 0; i < RUN; ++i) {
            const int k = min(first + i, axis_size - 1);
            const WIDE value = load_element(x, begin + (reverse ? axis_size - 1 - k : k));
            values[i] = first + i < axis_size ? value : 0;
        }
        WIDE sum = 0;
        _Pragma("unroll")
        for (int i = 0; i < RUN; ++i) {
            const WIDE with = sum + values[i];
            values[i] = exclusive ? sum : with;
            sum = with;
        }
        side = 1 - side;
        sums[side][item] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        // each time the sum of twice as many items, up to the item's own
        for (int reach = 1; reach < GROUP_SIZE; reach *= 2) {
            sum += item >= reach ? sums[side][item - reach] : 0;
            side = 1 - side;
            sums[side][item] = sum;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        const WIDE left = before + (item > 0 ? sums[side][item - 1] : 0);
        _Pragma("unroll")
        for (int i = 0; i < RUN; ++i) {
            const int k = first + i;
            if (k < axis_size) {
                store_element(left + values[i], y, begin + (reverse ? axis_size - 1 - k : k));
            }
        }
        before += sums[side][GROUP_SIZE - 1];
    }
}
