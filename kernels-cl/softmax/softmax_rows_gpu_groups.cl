// Softmax and its logarithm along one axis, shifted by the largest element so that nothing overflows; LANES items of a
// work-group for each row of `size` elements, `inner` apart.
//
// Layout: x and y are [outer, size, inner].
// Assumes: fewer than 2^31 elements; rows = outer * inner; global size [ceil(rows * LANES / GROUP_SIZE) * GROUP_SIZE],
//          local size [GROUP_SIZE].
// Macros: ELEMENT (common/element.h): float32, float16 or bfloat16; GROUP_SIZE, LANES, ACROSS (common/group_fold.h): 1
//         where inner is not 1.
#include "common/element.h"
#include "common/functions2.h"
#include "common/group_fold.h"

// Terms that are summed alone, so that a long sum does not lose what is small beside it.
#define SUMMED_ALONE 1024

GROUP_FOLD(added, add)
GROUP_FOLD(largest, larger)

static inline WIDE row_maximum(__global const STORED *x, int begin, int size, int inner, __local WIDE *shared) {
    WIDE best = LOWEST;
    for (int k = group_lane(); k < size; k += LANES) {
        best = larger(best, load_element(x, begin + k * inner));
    }
    return largest(best, shared);
}

static inline WIDE row_exponential_sum(
        __global const STORED *x, int begin, int size, int inner, WIDE shift, __local WIDE *shared) {
    WIDE sum = 0;
    for (int left = size - group_lane(); left > 0; left -= SUMMED_ALONE * LANES) {
        const int end = size - max(left - SUMMED_ALONE * LANES, 0);
        WIDE part = 0;
        for (int k = size - left; k < end; k += LANES) {
            part += exp(load_element(x, begin + k * inner) - shift);
        }
        sum += part;
    }
    return added(sum, shared);
}

// Items without a row help to fold the last one, and store nothing.
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1)))
void softmax_groups(
        __global const STORED *x, __global STORED *y, const int rows, const int size, const int inner) {
    __local WIDE shared[GROUP_SIZE];
    const int row = min(group_result(), rows - 1);
    const int begin = row / inner * size * inner + row % inner;
    const WIDE shift = row_maximum(x, begin, size, inner, shared);
    const WIDE factor = 1 / row_exponential_sum(x, begin, size, inner, shift, shared);
    const int end = group_result() < rows ? size : 0;
    for (int k = group_lane(); k < end; k += LANES) {
        const int at = begin + k * inner;
        store_element(exp(load_element(x, at) - shift) * factor, y, at);
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1)))
void log_softmax_groups(
        __global const STORED *x, __global STORED *y, const int rows, const int size, const int inner) {
    __local WIDE shared[GROUP_SIZE];
    const int row = min(group_result(), rows - 1);
    const int begin = row / inner * size * inner + row % inner;
    const WIDE shift = row_maximum(x, begin, size, inner, shared);
    const WIDE logarithm = log(row_exponential_sum(x, begin, size, inner, shift, shared));
    const int end = group_result() < rows ? size : 0;
    for (int k = group_lane(); k < end; k += LANES) {
        const int at = begin + k * inner;
        store_element(load_element(x, at) - shift - logarithm, y, at);
    }
}
