// The end of a matrix product whose terms were split among work-groups: adds the sums of all splits, in their order, so
// that the result is the same in every run.
//
// Layout: parts [split, element of y]; y dense, for gemm [m, n]; C, which may be NULL, is walked with [row, column]
//         strides.
// Assumes: fewer than 2^31 elements in every tensor; global size [at least elements of y].
// Macros: ELEMENT (common/element.h): float32, float16, bfloat16, or int8, whose parts are int; SCALED
//         (common/scaled_sum.h).
#include "common/element.h"
#include "common/quads.h"
#include "common/scaled_sum.h"

static inline TERM joined_parts(__global const TERM *parts, int splits, int len, int index) {
    TERM sum = parts[index];
    for (int split = 1; split < splits; ++split) {
        sum += parts[split * len + index];
    }
    return sum;
}

__kernel void gemm_join_parts(
        __global const TERM *parts,
        __global const STORED *c,
        __global STORED *y,
        const int splits,
        const int len,
        const int n,
        const int2 c_strides,
        const REAL alpha,
        const REAL beta) {
    const int index = get_global_id(0);
    if (index >= len) {
        return;
    }
    const WIDE added = c ? load_element(c, index / n * c_strides.x + index % n * c_strides.y) : 0;
    store_element(scaled(joined_parts(parts, splits, len, index), added, alpha, c ? beta : 0), y, index);
}

__kernel void matmul_join_parts(
        __global const TERM *parts, __global STORED *y, const int splits, const int len) {
    const int index = get_global_id(0);
    if (index < len) {
        store_element(low_bits(joined_parts(parts, splits, len, index)), y, index);
    }
}
