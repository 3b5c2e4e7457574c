// Softmax and its logarithm along rows, shifted by the largest element so that nothing overflows; a work-group per row,
// whose items read neighbouring elements.
//
// Layout: x and y are [rows, size].
// Assumes: fewer than 2^31 elements; global size [rows * GROUP_SIZE], local size [GROUP_SIZE].
// Macros: ELEMENT (common/element.h): float32, float16 or bfloat16.
#include "common/element.h"
#include "common/functions2.h"
#include "common/group_fold.h"

GROUP_FOLD(added, add)
GROUP_FOLD(largest, larger)

static inline WIDE row_maximum(__global const STORED *x, int begin, int size, __local WIDE *shared) {
    WIDE best = LOWEST;
    for (int i = get_local_id(0); i < size; i += GROUP_SIZE) {
        best = larger(best, load_element(x, begin + i));
    }
    return largest(best, shared);
}

static inline WIDE row_exponential_sum(
        __global const STORED *x, int begin, int size, WIDE shift, __local WIDE *shared) {
    WIDE sum = 0;
    for (int i = get_local_id(0); i < size; i += GROUP_SIZE) {
        sum += exp(load_element(x, begin + i) - shift);
    }
    return added(sum, shared);
}

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1)))
void softmax_groups(__global const STORED *x, __global STORED *y, const int size) {
    __local WIDE shared[GROUP_SIZE];
    const int begin = get_group_id(0) * size;
    const WIDE shift = row_maximum(x, begin, size, shared);
    const WIDE factor = 1 / row_exponential_sum(x, begin, size, shift, shared);
    for (int i = get_local_id(0); i < size; i += GROUP_SIZE) {
        store_element(exp(load_element(x, begin + i) - shift) * factor, y, begin + i);
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1)))
void log_softmax_groups(__global const STORED *x, __global STORED *y, const int size) {
    __local WIDE shared[GROUP_SIZE];
    const int begin = get_group_id(0) * size;
    const WIDE shift = row_maximum(x, begin, size, shared);
    const WIDE logarithm = log(row_exponential_sum(x, begin, size, shift, shared));
    for (int i = get_local_id(0); i < size; i += GROUP_SIZE) {
        store_element(load_element(x, begin + i) - shift - logarithm, y, begin + i);
    }
}
