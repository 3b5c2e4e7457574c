// Softmax and its logarithm along one axis, shifted by the largest element so that nothing overflows.
//
// Layout: x and y are [outer, size, inner]; one row of `size` elements, `inner` apart, per item.
// Assumes: fewer than 2^31 elements; the global size is at least rows = outer * inner.
// Macros: STORAGE (common/real.h).
#include "common/real.h"
#include "common/functions2.h"

static inline float row_maximum(__global const REAL *x, int begin, int size, int inner) {
    float best = -INFINITY;
    for (int k = 0; k < size; ++k) {
        best = larger(best, load_real(x, begin + k * inner));
    }
    return best;
}

static inline float row_exponential_sum(__global const REAL *x, int begin, int size, int inner, float shift) {
    float sum = 0.0f;
    for (int k = 0; k < size; ++k) {
        sum += exp(load_real(x, begin + k * inner) - shift);
    }
    return sum;
}

__kernel void softmax(
        __global const REAL *x, __global REAL *y, const int rows, const int size, const int inner) {
    const int row = get_global_id(0);
    if (row >= rows) {
        return;
    }
    const int begin = row / inner * size * inner + row % inner;
    const float shift = row_maximum(x, begin, size, inner);
    const float factor = 1.0f / row_exponential_sum(x, begin, size, inner, shift);
    for (int k = 0; k < size; ++k) {
        store_real(exp(load_real(x, begin + k * inner) - shift) * factor, y, begin + k * inner);
    }
}

__kernel void log_softmax(
        __global const REAL *x, __global REAL *y, const int rows, const int size, const int inner) {
    const int row = get_global_id(0);
    if (row >= rows) {
        return;
    }
    const int begin = row / inner * size * inner + row % inner;
    const float shift = row_maximum(x, begin, size, inner);
    const float logarithm = log(row_exponential_sum(x, begin, size, inner, shift));
    for (int k = 0; k < size; ++k) {
        store_real(load_real(x, begin + k * inner) - shift - logarithm, y, begin + k * inner);
    }
}
