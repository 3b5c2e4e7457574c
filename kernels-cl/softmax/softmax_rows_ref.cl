// Softmax and its logarithm along one axis, shifted by the largest element so that nothing overflows.
//
// Layout: x and y are [outer, size, inner]; one row of `size` elements, `inner` apart, per item.
// Assumes: fewer than 2^31 elements; the global size is at least rows = outer * inner.
// Macros: ELEMENT (common/element.h), a floating type.
#include "common/element.h"

// Terms that are summed alone, so that a long sum does not lose what is small beside it.
#define SUMMED_ALONE 1024

static inline REAL row_maximum(__global const STORED *x, int begin, int size, int inner) {
    REAL best = LOWEST;
    for (int k = 0; k < size; ++k) {
        const REAL value = load_element(x, begin + k * inner);
        best = best >= value || isnan(best) ? best : value;
    }
    return best;
}

static inline REAL row_exponential_sum(__global const STORED *x, int begin, int size, int inner, REAL shift) {
    REAL sum = 0;
    for (int left = size; left > 0; left -= SUMMED_ALONE) {
        const int end = size - max(left - SUMMED_ALONE, 0);
        REAL part = 0;
        for (int k = size - left; k < end; ++k) {
            part += exp(load_element(x, begin + k * inner) - shift);
        }
        sum += part;
    }
    return sum;
}

__kernel void softmax(
        __global const STORED *x, __global STORED *y, const int rows, const int size, const int inner) {
    const int row = get_global_id(0);
    if (row >= rows) {
        return;
    }
    const int begin = row / inner * size * inner + row % inner;
    const REAL shift = row_maximum(x, begin, size, inner);
    const REAL factor = 1 / row_exponential_sum(x, begin, size, inner, shift);
    for (int k = 0; k < size; ++k) {
        store_element(exp(load_element(x, begin + k * inner) - shift) * factor, y, begin + k * inner);
    }
}

__kernel void log_softmax(
        __global const STORED *x, __global STORED *y, const int rows, const int size, const int inner) {
    const int row = get_global_id(0);
    if (row >= rows) {
        return;
    }
    const int begin = row / inner * size * inner + row % inner;
    const REAL shift = row_maximum(x, begin, size, inner);
    const REAL logarithm = log(row_exponential_sum(x, begin, size, inner, shift));
    for (int k = 0; k < size; ++k) {
        store_element(load_element(x, begin + k * inner) - shift - logarithm, y, begin + k * inner);
    }
}
